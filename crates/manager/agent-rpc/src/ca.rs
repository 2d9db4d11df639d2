//! The fabric's own certificate authority: roots, certificates, join tokens, revocations.
//!
//! State that must stay consistent is in one file, `authority.json`, which is replaced as a whole.
//! Each issued certificate is appended to `issued.jsonl`; readers skip an incomplete last line
//! there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use rcgen::{
    BasicConstraints, CertificateParams, CertificateSigningRequestParams, DnType, ExtendedKeyUsagePurpose, IsCa,
    Issuer, KeyPair, KeyUsagePurpose, SanType, SerialNumber,
};
use ring::rand::{SecureRandom, SystemRandom};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use time::OffsetDateTime;

use crate::identity::{IdentityError, MANAGER_NAME, PeerIdentity, Role, check_name, matches};

/// Lives of certificates, seconds.
///
/// Source: ours. Status: assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaSettings {
    /// Life of a certificate.
    pub life_s: u64,
    /// How far clocks may differ: a certificate becomes valid this long before it is issued.
    pub skew_s: u64,
    pub root_life_s: u64,
    /// How long after its expiry an agent's certificate can still be renewed by the holder of its
    /// key. It is good for nothing else during that time. 0: not at all.
    pub grace_s: u64,
}

impl Default for CaSettings {
    fn default() -> Self {
        Self { life_s: 86_400, skew_s: 300, root_life_s: 10 * 365 * 86_400, grace_s: 30 * 86_400 }
    }
}

/// Why the authority cannot do what the caller asked.
#[derive(Debug, Error)]
pub enum CaError {
    /// A file operation failed.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        error: std::io::Error,
    },
    /// A file whose content is damaged.
    #[error("{}: {detail}; restore it from a backup, or remove the directory to begin a new fabric", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with the content.
        detail: String,
    },
    /// The directory belongs to another fabric.
    #[error("this authority belongs to the fabric '{found}', not to '{asked}'")]
    OtherFabric {
        /// The fabric that the caller named.
        asked: String,
        /// The fabric that the directory belongs to.
        found: String,
    },
    /// A name that cannot stand in a certificate.
    #[error(transparent)]
    Name(#[from] IdentityError),
    /// A certificate request or a key is invalid.
    #[error("no certificate can be made from this request: {0}")]
    Request(String),
    /// A join token is unknown, used, expired, or for other names.
    #[error("this token is unknown, was used before, has ended, or is not for this name")]
    Token,
    /// The certificate is revoked, belongs to another fabric, or may not be renewed for another
    /// reason.
    #[error("this certificate may not be renewed: {0}")]
    NotRenewable(&'static str),
}

/// A certificate with its key.
#[derive(Clone)]
pub struct CertifiedKey {
    /// The certificate, PEM.
    pub certificate: String,
    /// Its key, PEM. Never logged.
    pub key: String,
    /// The roots that the holder verifies its peer with, PEM.
    pub roots: String,
}

impl std::fmt::Debug for CertifiedKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Identity").field("certificate", &self.certificate).finish_non_exhaustive()
    }
}

/// A record of an issued certificate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issued {
    /// Serial number, hexadecimal.
    pub serial: String,
    pub names: Vec<String>,
    /// Expiry, seconds since 1970.
    pub not_after: u64,
    /// Number of the root that signed it; 0 in records of earlier versions.
    #[serde(default)]
    pub root: u64,
    /// The serial number of the first certificate of its line: each renewal continues the line of
    /// the certificate before. Empty in records of earlier versions.
    #[serde(default)]
    pub line: String,
}

/// A certificate that replaced an expired one, and has not been used yet.
#[derive(Clone, Serialize, Deserialize)]
struct Late {
    /// The serial number of the expired certificate, and its expiry.
    before: (String, u64),
    /// Expiry of the new one.
    not_after: u64,
}

#[derive(Clone, Serialize, Deserialize)]
struct Root {
    certificate: String,
    key: String,
    /// The root's number, from 1; 0 in files of earlier versions.
    #[serde(default)]
    number: u64,
}

#[derive(Clone, Serialize, Deserialize)]
struct Token {
    /// Names that the token is valid for.
    pattern: String,
    not_after: u64,
}

/// The content of `authority.json`.
#[derive(Clone, Serialize, Deserialize)]
struct State {
    fabric: String,
    /// Number of roots made so far.
    epoch: u64,
    /// Newest first: the newest signs, and all are trusted.
    roots: Vec<Root>,
    /// By the SHA-256 of the token.
    tokens: BTreeMap<String, Token>,
    /// Serial numbers of revoked certificates, with their expiry.
    revoked: BTreeMap<String, u64>,
    /// Certificates that replaced expired ones and have not been used yet, by their serial numbers.
    #[serde(default)]
    late: BTreeMap<String, Late>,
}

/// The authority. Times are seconds since 1970.
pub struct Authority {
    directory: PathBuf,
    settings: CaSettings,
    state: Mutex<State>,
    /// Switches whose agents may renew expired certificates; absent: all switches.
    wanted: Mutex<Option<BTreeSet<String>>>,
}

impl std::fmt::Debug for Authority {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Authority").field("directory", &self.directory).finish_non_exhaustive()
    }
}

impl Authority {
    /// Opens the authority in a directory, or creates it there. If two processes create it at the
    /// same time, the second one opens what the first one created.
    ///
    /// # Errors
    /// When the directory cannot be used, is damaged or belongs to another fabric. Its content is
    /// then unchanged.
    pub fn open(directory: &Path, fabric: &str, settings: CaSettings, now: u64) -> Result<Self, CaError> {
        check_name(fabric)?;
        DirBuilder::new().recursive(true).mode(0o700).create(directory).map_err(|error| file(directory, error))?;
        let _lock = lock(directory)?;
        let state = match read(directory)? {
            Some(state) if state.fabric == fabric => state,
            Some(state) => return Err(CaError::OtherFabric { asked: fabric.to_owned(), found: state.fabric }),
            None => {
                let root = make_root(fabric, 1, settings, now)?;
                let state = State {
                    fabric: fabric.to_owned(),
                    epoch: 1,
                    roots: vec![root],
                    tokens: BTreeMap::new(),
                    revoked: BTreeMap::new(),
                    late: BTreeMap::new(),
                };
                write(directory, &state)?;
                state
            }
        };
        Ok(Self { directory: directory.to_owned(), settings, state: Mutex::new(state), wanted: Mutex::default() })
    }

    fn held(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Changes the state on disk and in memory, or neither; `change` gets the state on disk, which
    /// has the changes of other processes.
    fn change<T>(&self, change: impl FnOnce(&mut State) -> Result<T, CaError>) -> Result<T, CaError> {
        let mut held = self.held();
        let _lock = lock(&self.directory)?;
        let mut state = read(&self.directory)?.unwrap_or_else(|| held.clone());
        let result = change(&mut state)?;
        write(&self.directory, &state)?;
        *held = state;
        Ok(result)
    }

    /// The fabric's name.
    #[must_use]
    pub fn fabric(&self) -> String {
        self.held().fabric.clone()
    }

    /// The lifetimes of certificates.
    #[must_use]
    pub const fn settings(&self) -> &CaSettings {
        &self.settings
    }

    /// Number of the root that signs, from 1.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.held().epoch
    }

    /// The directory with the authority's files.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Expiry of the root that signs, seconds since 1970.
    #[must_use]
    pub fn root_end(&self) -> u64 {
        crate::identity::end_of(&self.held().roots[0].certificate).unwrap_or(0)
    }

    /// Number of trusted roots.
    #[must_use]
    pub fn root_count(&self) -> usize {
        self.held().roots.len()
    }

    /// All trusted roots, PEM, the newest first.
    #[must_use]
    pub fn roots(&self) -> String {
        self.held().roots.iter().map(|root| root.certificate.as_str()).collect()
    }

    /// Reads the state again, with the changes that other processes have made in the directory.
    ///
    /// # Errors
    /// When the directory cannot be read; the state in memory then stays as it was.
    pub fn reload(&self) -> Result<(), CaError> {
        let mut held = self.held();
        let _lock = lock(&self.directory)?;
        if let Some(state) = read(&self.directory)? {
            *held = state;
        }
        Ok(())
    }

    /// Makes a new key and a certificate for it.
    ///
    /// # Errors
    /// When a name is invalid, or the record of issued certificates cannot be written.
    pub fn issue(&self, role: &Role, now: u64) -> Result<CertifiedKey, CaError> {
        let key = KeyPair::generate().map_err(|error| request(&error))?;
        let certificate = self.sign(role, &key, now, Origin::First)?;
        Ok(CertifiedKey { certificate, key: key.serialize_pem(), roots: self.roots() })
    }

    /// Issues a certificate for a key that only the requester has.
    ///
    /// # Errors
    /// When the request is invalid or not signed with its key, a name is invalid, or the record
    /// cannot be written.
    pub fn issue_for(&self, role: &Role, request_pem: &str, now: u64) -> Result<String, CaError> {
        let asked = CertificateSigningRequestParams::from_pem(request_pem).map_err(|error| request(&error))?;
        self.sign(role, &asked.public_key, now, Origin::First)
    }

    fn sign(
        &self,
        role: &Role,
        key: &impl rcgen::PublicKeyData,
        now: u64,
        origin: Origin<'_>,
    ) -> Result<String, CaError> {
        if let Role::Agent(names) = role {
            if names.is_empty() {
                return Err(CaError::Request("it would name no switch".to_owned()));
            }
            names.iter().try_for_each(|name| check_name(name))?;
        }
        let (root, fabric) = {
            let held = self.held();
            // Agents learn of a new root when they renew. Until the old one is retired, managers
            // therefore use the oldest root, which all agents know.
            let place = if matches!(role, Role::Agent(_)) { 0 } else { held.roots.len() - 1 };
            (held.roots[place].clone(), held.fabric.clone())
        };
        let root_key = KeyPair::from_pem(&root.key).map_err(|error| request(&error))?;
        let issuer = Issuer::from_ca_cert_pem(&root.certificate, root_key).map_err(|error| request(&error))?;
        let mut serial = random::<16>()?;
        // This makes the serial number positive and its encoding of fixed length.
        serial[0] = serial[0] & 0x7f | 0x40;
        let hexadecimal: String = serial.iter().map(|byte| format!("{byte:02x}")).collect();
        let line = match origin {
            Origin::First => hexadecimal.clone(),
            Origin::Renewed { line } | Origin::Late { line, .. } => line.to_owned(),
        };
        let not_after = now + self.settings.life_s;
        let mut parameters = CertificateParams::default();
        parameters.not_before = moment(now.saturating_sub(self.settings.skew_s))?;
        parameters.not_after = moment(not_after)?;
        parameters.serial_number = Some(SerialNumber::from_slice(&serial));
        parameters.distinguished_name.push(DnType::CommonName, role.word());
        parameters.distinguished_name.push(DnType::OrganizationalUnitName, line.as_str());
        parameters.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        parameters.use_authority_key_identifier_extension = true;
        let uris = role.uris(&fabric);
        for uri in &uris {
            parameters.subject_alt_names.push(SanType::URI(uri.as_str().try_into().map_err(|error| request(&error))?));
        }
        let hosts: &[String] = match role {
            Role::Manager => &[MANAGER_NAME.to_owned()],
            Role::Service(hosts) => hosts,
            Role::Agent(_) => &[],
        };
        for host in hosts {
            parameters.subject_alt_names.push(match host.parse() {
                Ok(address) => SanType::IpAddress(address),
                Err(_) => SanType::DnsName(host.as_str().try_into().map_err(|error| request(&error))?),
            });
        }
        let usage = match role {
            Role::Agent(_) => ExtendedKeyUsagePurpose::ClientAuth,
            Role::Manager | Role::Service(_) => ExtendedKeyUsagePurpose::ServerAuth,
        };
        parameters.extended_key_usages = vec![usage];
        let certificate = parameters.signed_by(key, &issuer).map_err(|error| request(&error))?;
        let serial = hexadecimal;
        if let Origin::Late { before, .. } = origin {
            // Written before the record: if the record then fails, the expired certificate can
            // still be renewed.
            let late = Late { before: (before.serial.clone(), before.not_after), not_after };
            self.change(|state| {
                state.late.insert(serial.clone(), late);
                Ok(())
            })?;
        }
        self.record(&Issued { serial, names: uris, not_after, root: root.number, line })?;
        Ok(certificate.pem())
    }

    fn record(&self, issued: &Issued) -> Result<(), CaError> {
        let path = self.directory.join("issued.jsonl");
        let _lock = lock(&self.directory)?;
        let mut line = serde_json::to_string(issued).map_err(|error| request(&error))?;
        // The line break comes first, so that an incomplete line before it stays a line of its own.
        line.insert(0, '\n');
        let mut open =
            OpenOptions::new().append(true).create(true).mode(0o600).open(&path).map_err(|error| file(&path, error))?;
        open.write_all(line.as_bytes()).map_err(|error| file(&path, error))
    }

    /// The recorded certificates; if `line` is given, only those of that line.
    fn recorded(&self, line: Option<&str>) -> Result<Vec<Issued>, CaError> {
        let path = self.directory.join("issued.jsonl");
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(file(&path, error)),
        };
        let named = |row: &&str| line.is_none_or(|line| row.contains(line));
        Ok(text.lines().filter(named).filter_map(|row| serde_json::from_str::<Issued>(row).ok()).collect())
    }

    /// Agents' expired certificates that can still be renewed: the last of their line, not revoked,
    /// within the grace period.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn renewable(&self, now: u64) -> Result<Vec<Issued>, CaError> {
        self.renewable_of(None, now)
    }

    fn renewable_of(&self, line: Option<&str>, now: u64) -> Result<Vec<Issued>, CaError> {
        let recorded = self.recorded(line)?;
        let held = self.held();
        let mut last: BTreeMap<&str, &Issued> = BTreeMap::new();
        // An unused replacement does not end the line of the certificate that it replaces.
        for issued in
            recorded.iter().filter(|issued| !issued.line.is_empty() && !held.late.contains_key(&issued.serial))
        {
            let known = last.entry(&issued.line).or_insert(issued);
            if issued.not_after >= known.not_after {
                *known = issued;
            }
        }
        let is_agent = |issued: &Issued| issued.names.iter().any(|name| name.contains("/agent"));
        let fits = |issued: &&&Issued| {
            issued.not_after <= now
                && now < issued.not_after + self.settings.grace_s
                && is_agent(issued)
                && !held.revoked.contains_key(&issued.serial)
        };
        let mut all: Vec<Issued> = last.values().filter(fits).map(|issued| (*issued).clone()).collect();
        all.sort_by(|one, other| (one.not_after, &one.serial).cmp(&(other.not_after, &other.serial)));
        Ok(all)
    }

    /// Certificates that are valid, not revoked and expire before `before`, in order of expiry.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn expiring(&self, now: u64, before: u64) -> Result<Vec<Issued>, CaError> {
        let recorded = self.recorded(None)?;
        let held = self.held();
        let mut all: Vec<Issued> = recorded
            .into_iter()
            .filter(|issued| issued.not_after > now && issued.not_after < before)
            .filter(|issued| !held.revoked.contains_key(&issued.serial))
            .collect();
        all.sort_by(|one, other| (one.not_after, &one.serial).cmp(&(other.not_after, &other.serial)));
        Ok(all)
    }

    /// Removes the records of expired certificates, and expired tokens and revocations.
    ///
    /// # Errors
    /// When the files cannot be written; they are then unchanged.
    pub fn clean(&self, now: u64) -> Result<(), CaError> {
        self.change(|state| {
            state.tokens.retain(|_, token| token.not_after > now);
            // Kept as long as a machine whose clock is behind might accept the certificate.
            let more = self.settings.skew_s + self.settings.grace_s;
            state.revoked.retain(|_, &mut until| until + more > now);
            state.late.retain(|_, late| late.not_after + more > now);
            Ok(())
        })?;
        let _lock = lock(&self.directory)?;
        let mut kept = self.renewable(now)?;
        kept.extend(self.expiring(now, u64::MAX)?);
        // Unused replacements are kept as long as the certificates that they replace.
        let known: BTreeSet<String> = kept.iter().map(|issued| issued.serial.clone()).collect();
        let late = self.held().late.clone();
        let unused = |issued: &Issued| late.contains_key(&issued.serial) && !known.contains(&issued.serial);
        kept.extend(self.recorded(None)?.into_iter().filter(unused));
        let lines: Vec<String> = kept.iter().filter_map(|issued| serde_json::to_string(issued).ok()).collect();
        replace(&self.directory, "issued.jsonl", lines.join("\n").as_bytes())
    }

    /// Makes a new root, which signs from now on; the old ones stay trusted until [`Self::retire`].
    ///
    /// # Errors
    /// When the state cannot be written; the old root then still signs.
    pub fn rotate(&self, now: u64) -> Result<u64, CaError> {
        self.change(|state| {
            state.epoch += 1;
            let root = make_root(&state.fabric, state.epoch, self.settings, now)?;
            state.roots.insert(0, root);
            Ok(state.epoch)
        })
    }

    /// Trusts only the newest root from now on: certificates of older roots are refused.
    ///
    /// # Errors
    /// When the state cannot be written; all roots are then still trusted.
    pub fn retire(&self) -> Result<(), CaError> {
        self.change(|state| {
            state.roots.truncate(1);
            Ok(())
        })
    }

    /// Makes a token with which one switch that matches the pattern gets its first certificate,
    /// once. The authority stores only the token's hash.
    ///
    /// # Errors
    /// When the pattern is invalid or the state cannot be written.
    pub fn make_token(&self, pattern: &str, life_s: u64, now: u64) -> Result<String, CaError> {
        check_name(pattern)?;
        let token: String = random::<32>()?.iter().map(|byte| format!("{byte:02x}")).collect();
        let hash = digest(&token);
        let entry = Token { pattern: pattern.to_owned(), not_after: now + life_s };
        self.change(|state| {
            state.tokens.insert(hash, entry);
            Ok(())
        })?;
        Ok(token)
    }

    /// Issues a first certificate. The token is used up before the certificate is made.
    ///
    /// # Errors
    /// When the token is not valid for this name, is used or expired, or the request is invalid.
    pub fn join(&self, token: &str, name: &str, request_pem: &str, now: u64) -> Result<String, CaError> {
        check_name(name)?;
        // Checked before the token is used, so that an agent with a broken request may try again.
        CertificateSigningRequestParams::from_pem(request_pem).map_err(|error| request(&error))?;
        let hash = digest(token);
        let fits = |entry: &&Token| (entry.pattern == name || matches(&entry.pattern, name)) && entry.not_after > now;
        // Checked in memory first, so that guessed tokens cause no write.
        self.held().tokens.get(&hash).filter(fits).ok_or(CaError::Token)?;
        self.change(|state| {
            state.tokens.get(&hash).filter(fits).ok_or(CaError::Token)?;
            state.tokens.remove(&hash);
            Ok(())
        })?;
        self.issue_for(&Role::Agent(vec![name.to_owned()]), request_pem, now)
    }

    /// Renews a certificate that has not expired.
    ///
    /// # Errors
    /// When the old one is revoked, expired or of another fabric, or the request is invalid.
    pub fn renew(&self, peer: &PeerIdentity, request_pem: &str, now: u64) -> Result<String, CaError> {
        if self.is_revoked(&peer.serial) {
            return Err(CaError::NotRenewable("it is revoked"));
        }
        if peer.fabric != self.fabric() {
            return Err(CaError::NotRenewable("it belongs to another fabric"));
        }
        if peer.not_after + self.settings.skew_s <= now {
            return Err(CaError::NotRenewable("it has ended"));
        }
        let asked = CertificateSigningRequestParams::from_pem(request_pem).map_err(|error| request(&error))?;
        self.sign(&peer.role, &asked.public_key, now, Origin::Renewed { line: peer.line() })
    }

    /// Names the switches whose agents may renew expired certificates.
    pub fn want(&self, switches: impl IntoIterator<Item = String>) {
        let switches = Some(switches.into_iter().collect());
        *self.wanted.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = switches;
    }

    /// Renews an expired certificate. The connection has already proven that the agent has its key.
    /// The certificate must be the last of its line, not revoked, within the grace period, and of a
    /// switch that the fabric still has.
    ///
    /// # Errors
    /// When it may not be renewed, or the request is invalid.
    pub fn renew_late(&self, peer: &PeerIdentity, request_pem: &str, now: u64) -> Result<String, CaError> {
        let asked = CertificateSigningRequestParams::from_pem(request_pem).map_err(|error| request(&error))?;
        if self.is_revoked(&peer.serial) {
            return Err(CaError::NotRenewable("it is revoked"));
        }
        if peer.fabric != self.fabric() {
            return Err(CaError::NotRenewable("it belongs to another fabric"));
        }
        let Role::Agent(names) = &peer.role else {
            return Err(CaError::NotRenewable("it is not the certificate of an agent"));
        };
        if self.settings.grace_s == 0 || peer.not_after + self.settings.grace_s <= now {
            return Err(CaError::NotRenewable("it ended too long ago"));
        }
        let is_wanted = match &*self.wanted.lock().unwrap_or_else(std::sync::PoisonError::into_inner) {
            None => true,
            Some(known) => names.iter().any(|name| known.iter().any(|switch| matches(name, switch))),
        };
        if !is_wanted {
            return Err(CaError::NotRenewable("the fabric has no such switch any more"));
        }
        let line = peer.line();
        if !self.renewable_of(Some(line), now)?.iter().any(|issued| issued.serial == peer.serial) {
            return Err(CaError::NotRenewable("another one has replaced it, or it is not recorded here"));
        }
        self.sign(&peer.role, &asked.public_key, now, Origin::Late { before: peer, line })
    }

    /// Notes that a certificate is used. If it replaced an expired one, the expired one is revoked,
    /// and so are other replacements of it.
    ///
    /// # Errors
    /// When the state cannot be written.
    pub fn used(&self, serial: &str) -> Result<(), CaError> {
        if !self.held().late.contains_key(serial) {
            return Ok(());
        }
        self.change(|state| {
            if let Some(Late { before, .. }) = state.late.remove(serial) {
                let same = |late: &Late| late.before.0 == before.0;
                let others: Vec<(String, u64)> = state
                    .late
                    .iter()
                    .filter(|(_, late)| same(late))
                    .map(|(serial, late)| (serial.clone(), late.not_after))
                    .collect();
                state.late.retain(|_, late| !same(late));
                state.revoked.extend(others);
                state.revoked.insert(before.0, before.1);
            }
            Ok(())
        })
    }

    /// Revokes a certificate: it is refused from now on.
    ///
    /// # Errors
    /// When the state cannot be written.
    pub fn revoke(&self, serial: &str, not_after: u64) -> Result<(), CaError> {
        self.change(|state| {
            state.revoked.insert(serial.to_owned(), not_after);
            Ok(())
        })
    }

    /// Whether a certificate is revoked.
    #[must_use]
    pub fn is_revoked(&self, serial: &str) -> bool {
        self.held().revoked.contains_key(serial)
    }

    /// Serial numbers of all revoked certificates.
    #[must_use]
    pub fn revoked(&self) -> BTreeSet<String> {
        self.held().revoked.keys().cloned().collect()
    }
}

/// What a new certificate follows.
#[derive(Clone, Copy)]
enum Origin<'a> {
    /// Nothing: it is the first of its line.
    First,
    /// A valid certificate.
    Renewed { line: &'a str },
    /// An expired certificate.
    Late { before: &'a PeerIdentity, line: &'a str },
}

/// Makes a key and a certificate request for it, both PEM.
///
/// # Errors
/// When the system gives no random numbers.
pub fn make_request() -> Result<(String, String), CaError> {
    let key = KeyPair::generate().map_err(|error| request(&error))?;
    let asked = CertificateParams::default().serialize_request(&key).map_err(|error| request(&error))?;
    Ok((key.serialize_pem(), asked.pem().map_err(|error| request(&error))?))
}

/// When a certificate should be renewed: after two thirds of its life.
#[must_use]
pub const fn renewal_at(not_before: u64, not_after: u64) -> u64 {
    not_before + not_after.saturating_sub(not_before) / 3 * 2
}

fn make_root(fabric: &str, epoch: u64, settings: CaSettings, now: u64) -> Result<Root, CaError> {
    let key = KeyPair::generate().map_err(|error| request(&error))?;
    let mut parameters = CertificateParams::default();
    parameters.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    parameters.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    parameters.distinguished_name.push(DnType::CommonName, format!("{fabric} root {epoch}"));
    parameters.not_before = moment(now.saturating_sub(settings.skew_s))?;
    parameters.not_after = moment(now + settings.root_life_s)?;
    let certificate = parameters.self_signed(&key).map_err(|error| request(&error))?;
    Ok(Root { certificate: certificate.pem(), key: key.serialize_pem(), number: epoch })
}

fn moment(seconds: u64) -> Result<OffsetDateTime, CaError> {
    let seconds = i64::try_from(seconds).map_err(|error| request(&error))?;
    OffsetDateTime::from_unix_timestamp(seconds).map_err(|error| request(&error))
}

fn random<const N: usize>() -> Result<[u8; N], CaError> {
    let mut bytes = [0; N];
    SystemRandom::new()
        .fill(&mut bytes)
        .map_err(|_| CaError::Request("the system gives no random numbers".to_owned()))?;
    Ok(bytes)
}

fn digest(token: &str) -> String {
    let hash = ring::digest::digest(&ring::digest::SHA256, token.as_bytes());
    hash.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn request(error: &dyn std::fmt::Display) -> CaError {
    CaError::Request(error.to_string())
}

fn file(path: &Path, error: std::io::Error) -> CaError {
    CaError::File { path: path.to_owned(), error }
}

/// Takes the lock for writers; dropping the file releases it.
fn lock(directory: &Path) -> Result<File, CaError> {
    let path = directory.join("lock");
    let open = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&path);
    let open = open.map_err(|error| file(&path, error))?;
    rustix::fs::flock(&open, rustix::fs::FlockOperation::LockExclusive).map_err(|error| file(&path, error.into()))?;
    Ok(open)
}

fn read(directory: &Path) -> Result<Option<State>, CaError> {
    let path = directory.join("authority.json");
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(file(&path, error)),
    };
    let damaged = |detail: String| CaError::Damaged { path: path.clone(), detail };
    let state: State = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
    if state.roots.is_empty() {
        return Err(damaged("it has no root".to_owned()));
    }
    Ok(Some(state))
}

fn write(directory: &Path, state: &State) -> Result<(), CaError> {
    let text = serde_json::to_string_pretty(state).map_err(|error| request(&error))?;
    replace(directory, "authority.json", text.as_bytes())
}

/// Replaces a file as a whole, readable by its owner only: writes and syncs a new file, renames it,
/// and syncs the directory.
///
/// # Errors
/// When a step fails before the rename; the file is then unchanged.
pub fn replace(directory: &Path, name: &str, bytes: &[u8]) -> Result<(), CaError> {
    let temporary = directory.join(format!("{name}.new"));
    let path = directory.join(name);
    let written = (|| {
        let mut open = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&temporary)?;
        open.write_all(bytes)?;
        open.sync_all()?;
        std::fs::rename(&temporary, &path)?;
        File::open(directory)?.sync_all()
    })();
    if written.is_err() {
        // An incomplete file would take room on a disk that may be full. If it cannot be removed
        // either, nothing changes.
        let _ = std::fs::remove_file(&temporary);
    }
    written.map_err(|error| file(&path, error))
}
