//! The identity in a certificate: a fabric, and a role in it.

use thiserror::Error;
use tokio_rustls::rustls::pki_types::CertificateDer;
use x509_parser::prelude::{FromDer, GeneralName, X509Certificate};

/// Name in every manager's certificate, which every agent requires: the CA gives it to managers
/// only.
pub const MANAGER_NAME: &str = "manager.philae.internal";

/// What a certificate is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    Manager,
    /// An agent of these switches: names, or patterns in which `*` stands for one or more digits.
    Agent(Vec<String>),
    /// The manager's API, at these hosts: names or addresses. Agents do not accept it as a manager.
    Service(Vec<String>),
}

impl Role {
    /// The names in the certificate, as URIs.
    #[must_use]
    pub fn uris(&self, fabric: &str) -> Vec<String> {
        match self {
            Self::Manager => vec![format!("spiffe://{fabric}/manager")],
            Self::Agent(names) => names.iter().map(|name| agent_uri(fabric, name)).collect(),
            Self::Service(_) => vec![format!("spiffe://{fabric}/service")],
        }
    }

    /// The role in one word.
    pub(crate) const fn word(&self) -> &'static str {
        match self {
            Self::Manager => "manager",
            Self::Agent(_) => "agent",
            Self::Service(_) => "service",
        }
    }

    /// Whether the role includes a switch.
    #[must_use]
    pub fn covers(&self, switch: &str) -> bool {
        matches!(self, Self::Agent(names) if names.iter().any(|pattern| matches(pattern, switch)))
    }
}

fn agent_uri(fabric: &str, name: &str) -> String {
    let kind = if name.contains('*') { "agents" } else { "agent" };
    format!("spiffe://{fabric}/{kind}/{name}")
}

/// Whether a name matches a pattern, in which `*` stands for one or more digits.
#[must_use]
pub fn matches(pattern: &str, name: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else { return pattern == name };
    let Some(rest) = name.strip_prefix(before) else { return false };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    // The star takes all digits, so that it never splits a number. No digit may follow a star in a
    // pattern, so this is exact.
    digits > 0 && matches(after, &rest[digits..])
}

/// Checks a name or pattern for a certificate: letters, digits, `-`, `.`, `_` and `*`, and no digit
/// or second `*` after a `*`.
///
/// # Errors
/// When it is invalid, with what would be right.
pub fn check_name(name: &str) -> Result<(), IdentityError> {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"-._*".contains(&byte);
    let twice = name.as_bytes().windows(2).any(|pair| pair[0] == b'*' && (pair[1].is_ascii_digit() || pair[1] == b'*'));
    if name.is_empty() || name.len() > 128 || !name.bytes().all(legal) || twice {
        return Err(IdentityError::Name(name.chars().take(140).collect()));
    }
    Ok(())
}

/// The common name of a certificate's subject; `None` if it has none, or more than one.
#[must_use]
pub fn common_name(certificate: &CertificateDer<'_>) -> Option<String> {
    let (_, parsed) = X509Certificate::from_der(certificate).ok()?;
    let mut names = parsed.subject().iter_common_name().map(|name| name.as_str().ok());
    match (names.next(), names.next()) {
        (Some(Some(name)), None) if !name.is_empty() => Some(name.to_owned()),
        _ => None,
    }
}

/// The identity at the other end of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeerIdentity {
    /// The fabric that its certificate names.
    pub fabric: String,
    pub role: Role,
    /// Serial number of the certificate, hexadecimal.
    pub serial: String,
    /// Expiry, seconds since 1970.
    pub not_after: u64,
    /// Serial number of the first certificate of its line; empty in certificates of earlier
    /// versions.
    line: String,
}

/// Why a certificate has no identity.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum IdentityError {
    /// The certificate cannot be read.
    #[error("a certificate that cannot be read: {0}")]
    Unreadable(String),
    /// It names no fabric.
    #[error("a certificate without a name of the form spiffe://FABRIC/agent/SWITCH, .../agents/PATTERN or .../manager")]
    NoName,
    /// A name that cannot stand in a certificate.
    #[error(
        "'{0}' cannot stand in a certificate: a name has letters, digits, '-', '.', '_' and, for a number, '*', 128 at most"
    )]
    Name(String),
}

impl PeerIdentity {
    /// The line of its certificate, which renewals continue. A certificate of an earlier version
    /// begins one.
    pub(crate) fn line(&self) -> &str {
        if self.line.is_empty() { &self.serial } else { &self.line }
    }

    /// Reads the identity from a certificate that is already verified.
    ///
    /// # Errors
    /// When it cannot be read, or has no role, or two different ones.
    pub fn of(certificate: &CertificateDer<'_>) -> Result<Self, IdentityError> {
        let unreadable = |error: &dyn std::fmt::Display| IdentityError::Unreadable(error.to_string());
        let (_, parsed) = X509Certificate::from_der(certificate).map_err(|error| unreadable(&error))?;
        let names = parsed.subject_alternative_name().map_err(|error| unreadable(&error))?;
        let mut fabric: Option<&str> = None;
        let mut agents = Vec::new();
        let mut is_manager = false;
        for name in names.iter().flat_map(|names| &names.value.general_names) {
            let GeneralName::URI(uri) = name else { continue };
            let rest = uri.strip_prefix("spiffe://").ok_or(IdentityError::NoName)?;
            let (its_fabric, path) = rest.split_once('/').ok_or(IdentityError::NoName)?;
            if *fabric.get_or_insert(its_fabric) != its_fabric {
                return Err(IdentityError::NoName);
            }
            match path.split_once('/') {
                None if path == "manager" => is_manager = true,
                Some(("agent" | "agents", name)) => {
                    check_name(name)?;
                    agents.push(name.to_owned());
                }
                _ => return Err(IdentityError::NoName),
            }
        }
        let role = match (is_manager, agents.is_empty()) {
            (true, true) => Role::Manager,
            (false, false) => Role::Agent(agents),
            _ => return Err(IdentityError::NoName),
        };
        let serial = parsed.raw_serial().iter().map(|byte| format!("{byte:02x}")).collect();
        let not_after = u64::try_from(parsed.validity().not_after.timestamp()).unwrap_or(0);
        let line = parsed.subject().iter_organizational_unit().next().and_then(|unit| unit.as_str().ok());
        let line = line.filter(|line| line.len() == 32 && line.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let line = line.unwrap_or_default().to_owned();
        Ok(Self { line, fabric: fabric.ok_or(IdentityError::NoName)?.to_owned(), role, serial, not_after })
    }
}

/// Expiry of a certificate (PEM; the first of a chain), seconds since 1970; `None` if it cannot be
/// read.
#[must_use]
pub fn end_of(pem: &str) -> Option<u64> {
    let chain = crate::tls::certificates(pem).ok()?;
    let (_, parsed) = X509Certificate::from_der(chain.first()?).ok()?;
    u64::try_from(parsed.validity().not_after.timestamp()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_a_whole_number() {
        assert!(matches("x*c*r*b0", "x1000c3r17b0"));
        assert!(matches("x1000c0r1b0", "x1000c0r1b0"));
        for other in ["x1000c3r17b1", "x1000c3r17b0x", "xc3r17b0", "x1000c3r17", "", "x1-0c3r17b0"] {
            assert!(!matches("x*c*r*b0", other), "{other}");
        }
        assert!(!matches("x1*b0", "x1b0"));
    }

    #[test]
    fn names_that_would_say_something_else_are_refused() {
        for wrong in ["", "a/b", "a b", "x*1", "x**", "spiffe://a", "ä"] {
            assert!(check_name(wrong).is_err(), "{wrong}");
        }
        assert!(check_name("x*c*r*b*").is_ok());
    }
}
