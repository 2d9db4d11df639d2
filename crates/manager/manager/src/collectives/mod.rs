//! Collective sessions: a job's right to multicast trees, proven by a token that the manager can
//! derive again and does not store.

pub mod sessions;

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use philae_policy::{CollectiveSessionSpec, Document, DocumentKind, DocumentSet, Lease, MulticastSpec, Spec};
use ring::rand::{SecureRandom, SystemRandom};

use crate::digest::{code_hex, hex, sha256_hex};
use crate::documents::StateError;
use crate::protocol::problem::ApiProblem;

/// Default life of a session, seconds.
///
/// Source: ours: 30 days, more than a job may run anywhere that we know of. Status: assumed.
pub const SESSION_SECONDS: u64 = 30 * 86_400;

/// The label of a session that its token is derived from, together with the job.
const NONCE: &str = "nonce";

/// The label of a tree with the step of its job.
pub const STEP: &str = "job-step";

/// Derives the tokens of sessions.
#[derive(Clone)]
pub struct Sessions {
    key: [u8; 32],
}

impl std::fmt::Debug for Sessions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sessions")
    }
}

fn random() -> Result<[u8; 32], String> {
    let mut bytes = [0; 32];
    SystemRandom::new().fill(&mut bytes).map_err(|_| "the system gives no random numbers".to_owned())?;
    Ok(bytes)
}

impl Sessions {
    /// Uses the key next to the documents, and makes it if there is none. Without a state directory
    /// the key exists only in this process.
    ///
    /// # Errors
    /// When the key cannot be read, made or stored.
    pub fn open(directory: Option<&Path>) -> Result<Self, StateError> {
        let Some(directory) = directory else {
            let failed = |problem| StateError::Key { path: "-".into(), problem };
            return Ok(Self { key: random().map_err(failed)? });
        };
        let path = directory.join("sessions.key");
        let failed = |problem: String| StateError::Key { path: path.clone(), problem };
        match fs::read(&path) {
            Ok(bytes) => {
                let length = bytes.len();
                let key = bytes.try_into();
                let key = key
                    .map_err(|_| failed(format!("{length} bytes; a key has 32; without the file a new one is made")))?;
                Ok(Self { key })
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let key = random().map_err(failed)?;
                let mut file = OpenOptions::new()
                    .write(true)
                    .create_new(true)
                    .mode(0o600)
                    .open(&path)
                    .map_err(|error| failed(error.to_string()))?;
                file.write_all(&key).and_then(|()| file.sync_all()).map_err(|error| failed(error.to_string()))?;
                Ok(Self { key })
            }
            Err(error) => Err(failed(error.to_string())),
        }
    }

    /// The token of a session; `None` for a session of a manager with another key.
    #[must_use]
    pub fn token(&self, document: &Document) -> Option<String> {
        let Spec::CollectiveSession(spec) = &document.spec else { return None };
        let token = self.code(&spec.job_id, document.labels.get(NONCE)?);
        (sha256_hex(token.as_bytes()) == spec.token_hash).then_some(token)
    }

    fn code(&self, job: &str, nonce: &str) -> String {
        code_hex(&self.key, &format!("collective-session\n{job}\n{nonce}"))
    }

    /// Makes a session's document for a job.
    fn session(&self, job: &str, limit: u16, now: u64) -> Result<Document, ApiProblem> {
        let nonce = hex(&random().map_err(ApiProblem::conflict)?[..8]);
        let spec = CollectiveSessionSpec {
            job_id: job.to_owned(),
            mcast_limit: limit,
            token_hash: sha256_hex(self.code(job, &nonce).as_bytes()),
            lease: Lease { expires_at_seconds: Some(now + SESSION_SECONDS), holder: job.to_owned() },
        };
        let mut document = Document::new(job, Spec::CollectiveSession(spec));
        document.labels.insert(NONCE.to_owned(), nonce);
        Ok(document)
    }
}

/// The trees of a session.
pub fn trees_of<'a>(set: &'a DocumentSet, session: &'a str) -> impl Iterator<Item = (&'a Document, &'a MulticastSpec)> {
    set.of(DocumentKind::Multicast).filter_map(move |document| match &document.spec {
        Spec::Multicast(spec) if spec.session == session => Some((document, spec)),
        _ => None,
    })
}
