//! Bearer tokens: made over the API, shown once, stored as hashes.

pub mod endpoints;
pub mod first;

use std::fmt;

use philae_policy::{
    Document, DocumentChange, DocumentKind, DocumentSet, Lease, Role, RoleBindingSpec, Spec, TokenSpec,
};
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom, SystemRandom};
use subtle::ConstantTimeEq;

use crate::access::{Actor, RoleGrant, grants_of};
use crate::protocol::problem::ApiProblem;

/// The prefix of a token, so that a finder recognises it.
const PREFIX: &str = "philae-";

/// The text of a token. Its `Debug` output does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenSecret(String);

impl fmt::Debug for TokenSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl TokenSecret {
    /// A new one, of 256 random bits.
    ///
    /// # Errors
    /// When the system gives no random numbers.
    pub fn random() -> Result<Self, ApiProblem> {
        let mut bytes = [0_u8; 32];
        SystemRandom::new().fill(&mut bytes).map_err(|_| ApiProblem {
            status: 500,
            code: "system.no-random",
            title: "No random numbers",
            detail: "the system gives no random numbers, so that no token can be made".to_owned(),
            problems: Vec::new(),
        })?;
        Ok(Self(format!("{PREFIX}{}", hexadecimal(&bytes))))
    }

    /// The text, for the one time that it is shown.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The hash by which a token is stored.
#[must_use]
pub fn hash_of(token: &str) -> String {
    hexadecimal(digest(&SHA256, token.as_bytes()).as_ref())
}

/// The actor's name for the token of a job's session; a token's own name never has a colon.
#[must_use]
pub fn session_actor(job: &str) -> String {
    format!("session:{job}")
}

/// A valid token, without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownToken {
    name: String,
    hash: String,
    not_after: Option<u64>,
    grants: Vec<RoleGrant>,
}

impl KnownToken {
    /// All tokens in documents: those that the manager has made, and those of collective sessions,
    /// with which a job requests its trees and which have no role.
    #[must_use]
    pub fn all(set: &DocumentSet) -> Vec<Self> {
        let known = set.of(DocumentKind::Token).filter_map(|document| match &document.spec {
            Spec::Token(spec) => Some(Self {
                name: document.name.clone(),
                hash: spec.hash.clone(),
                not_after: spec.lease.expires_at_seconds,
                grants: grants_of(set, &document.name),
            }),
            _ => None,
        });
        let sessions = set.of(DocumentKind::CollectiveSession).filter_map(|document| match &document.spec {
            Spec::CollectiveSession(spec) => Some(Self {
                name: session_actor(&document.name),
                hash: spec.token_hash.clone(),
                not_after: spec.lease.expires_at_seconds,
                grants: Vec::new(),
            }),
            _ => None,
        });
        known.chain(sessions).collect()
    }

    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The hash by which it is stored.
    pub(crate) fn hash(&self) -> &str {
        &self.hash
    }

    /// Its expiry, seconds since 1970.
    pub(crate) const fn not_after(&self) -> Option<u64> {
        self.not_after
    }

    /// Whether the manager has made it as a token, not for a job's session.
    pub(crate) fn is_lasting(&self) -> bool {
        !self.name.contains(':')
    }

    /// Whether it has expired.
    #[must_use]
    pub fn is_over(&self, now: u64) -> bool {
        self.not_after.is_some_and(|end| end <= now)
    }

    /// The actor that shows it.
    #[must_use]
    pub fn actor(&self, here: bool) -> Actor {
        Actor::known(self.name.clone(), self.grants.clone(), here)
    }
}

/// The known token with this text. The time of the search reveals nothing about any token.
#[must_use]
pub fn find<'a>(known: &'a [KnownToken], text: &str) -> Option<&'a KnownToken> {
    let hash = hash_of(text);
    let mut found = None;
    for token in known {
        if bool::from(token.hash.as_bytes().ct_eq(hash.as_bytes())) {
            found = Some(token);
        }
    }
    found
}

fn documents(
    name: &str,
    secret: &TokenSecret,
    about: &str,
    end: u64,
    role: Role,
    tenant: Option<String>,
) -> Vec<DocumentChange> {
    let lease = Lease { expires_at_seconds: Some(end), holder: name.to_owned() };
    let token = TokenSpec { hash: hash_of(secret.reveal()), description: about.to_owned(), lease };
    let binding = RoleBindingSpec { role, subjects: vec![name.to_owned()], tenant };
    vec![
        DocumentChange::Put(Document::new(name, Spec::Token(token))),
        DocumentChange::Put(Document::new(name, Spec::RoleBinding(binding))),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_found_by_its_text_alone_and_never_printed() {
        let secret = TokenSecret::random().expect("random numbers");
        assert_eq!(secret.reveal().len(), PREFIX.len() + 64);
        assert!(!format!("{secret:?}").contains(&secret.reveal()[PREFIX.len()..]));
        let set = DocumentSet::default().changed(&documents("one", &secret, "", 100, Role::Guest, None));
        let known = KnownToken::all(&set);
        let found = find(&known, secret.reveal()).expect("it is known");
        assert_eq!((found.name(), found.is_over(99), found.is_over(100)), ("one", false, true));
        assert!(find(&known, &known[0].hash).is_none(), "the hash opens nothing");
        assert!(find(&known, "").is_none());
        assert!(!format!("{known:?}").contains(secret.reveal()));
    }
}
