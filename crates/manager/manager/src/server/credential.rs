//! The credentials of a request: a token as it is, as the password of HTTP Basic, or in a cookie;
//! or the certificate of its connection.

use base64::Engine as _;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// The cookie of a browser's session.
pub(crate) const COOKIE: &str = "philae-session";

/// The prefix of a role binding's subject that is a client's certificate.
const CERTIFICATE: &str = "certificate:";

/// The subject in role bindings for a certificate with this common name. A token's own name never
/// has a colon.
pub(crate) fn certificate_subject(common_name: &str) -> String {
    format!("{CERTIFICATE}{common_name}")
}

/// Whether a subject of a role binding is a certificate.
pub(crate) fn is_certificate(subject: &str) -> bool {
    subject.starts_with(CERTIFICATE)
}

/// The credentials of a request and of its connection.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RequestCredentials<'a> {
    /// The header `Authorization`.
    pub(crate) authorization: Option<&'a str>,
    /// The header `Cookie`.
    pub(crate) cookie: Option<&'a str>,
    /// The name in the connection's verified certificate.
    pub(crate) certificate: Option<&'a str>,
}

/// The credential that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Credential {
    /// There is none.
    None,
    /// A token, as it is or as a password.
    Token(String),
    /// A browser's session.
    Cookie(String),
    /// A certificate with this name.
    Certificate(String),
    /// A header that is none of these.
    Unreadable,
}

impl RequestCredentials<'_> {
    /// The credential that counts: those of the request go before that of the connection.
    pub(crate) fn read(&self) -> Credential {
        if let Some(header) = self.authorization {
            let (scheme, text) = header.split_once(' ').unwrap_or((header, ""));
            return match scheme.to_ascii_lowercase().as_str() {
                "bearer" => Credential::Token(text.trim().to_owned()),
                "basic" => password(text.trim()).map_or(Credential::Unreadable, Credential::Token),
                _ => Credential::Unreadable,
            };
        }
        let pairs = self.cookie.unwrap_or("").split(';').filter_map(|pair| pair.trim().split_once('='));
        if let Some((_, value)) = pairs.clone().find(|(name, _)| *name == COOKIE) {
            return Credential::Cookie(value.to_owned());
        }
        self.certificate.map_or(Credential::None, |name| Credential::Certificate(name.to_owned()))
    }
}

/// The password of HTTP Basic. The user's name is not needed, because the token decides.
pub(crate) fn password(text: &str) -> Option<String> {
    let text = String::from_utf8(BASE_64.decode(text).ok()?).ok()?;
    text.split_once(':').map(|(_, password)| password.trim().to_owned())
}

/// Base 64 (RFC 4648), with or without padding.
const BASE_64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_request_says_goes_before_what_the_connection_says() {
        let read =
            |authorization, cookie, certificate| RequestCredentials { authorization, cookie, certificate }.read();
        let token = |text: &str| Credential::Token(text.to_owned());
        assert_eq!(read(None, None, None), Credential::None);
        assert_eq!(read(Some("bearer  one "), Some("philae-session=two"), Some("three")), token("one"));
        assert_eq!(read(Some("Basic Y3hpOmE6Yg=="), None, None), token("a:b"), "the name ends at the first colon");
        assert_eq!(read(Some("Basic Y3hpOmE6Yg"), None, None), token("a:b"), "filled up or not");
        for wrong in ["Basic ???", "Basic Zm9v", "Digest x", ""] {
            assert_eq!(read(Some(wrong), None, Some("three")), Credential::Unreadable, "{wrong}");
        }
        assert_eq!(read(None, Some("a=b; philae-session=two"), Some("three")), Credential::Cookie("two".to_owned()));
        assert_eq!(read(None, Some("a=b"), Some("three")), Credential::Certificate("three".to_owned()));
    }
}
