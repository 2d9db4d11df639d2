//! Collective sessions: a job's right to multicast trees, proven by a token that the manager can
//! derive again and does not store.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use philae_policy::{
    CollectiveSessionSpec, Document, DocumentChange, DocumentKind, DocumentRef, DocumentSet, Lease, MulticastSpec,
    Spec, edge_port,
};
use philae_units::PortIndex;
use ring::rand::{SecureRandom, SystemRandom};

use crate::digest::{code_hex, hex, sha256_hex};
use crate::documents::StateError;
use crate::manager::Manager;
use crate::problem::{ApiProblem, ProblemCode};

/// Default life of a session, seconds.
///
/// Source: ours: 30 days, more than a job may run anywhere that we know of. Status: assumed.
pub const SESSION_SECONDS: u64 = 30 * 86_400;

/// Addresses of trees: those of a fabric address' multicast form, except 0.
///
/// Source: 13 bits of the fabric address. Status: published.
const ADDRESSES: std::ops::Range<u16> = 1..8_192;

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

/// A requested tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestedTree<'a> {
    /// The caller.
    pub(crate) actor: &'a str,
    /// The job.
    pub(crate) job: &'a str,
    /// Its labels.
    pub(crate) labels: &'a [(&'static str, String)],
    /// The edge ports of its members, each once; the first one that can be is the root.
    pub(crate) members: &'a [PortIndex],
}

impl Manager {
    /// Opens a session for a job.
    ///
    /// # Errors
    /// When the job has one, or its name is invalid.
    pub(crate) fn open_session(&mut self, actor: &str, job: &str, limit: u16) -> Result<(), ApiProblem> {
        if self.documents.set().get(DocumentKind::CollectiveSession, job).is_some() {
            return Err(ApiProblem::conflict(format!(
                "job {job} already has a session; GET shows its token, DELETE ends it"
            )));
        }
        let document = self.sessions.session(job, limit, self.clock.seconds())?;
        self.commit(actor, &[DocumentChange::Put(document)])
    }

    /// Ends a session, with its trees.
    ///
    /// # Errors
    /// When the job has none.
    pub(crate) fn close_session(&mut self, actor: &str, job: &str) -> Result<(), ApiProblem> {
        self.session_of(job)?;
        let trees =
            trees_of(self.documents.set(), job).map(|(document, _)| DocumentChange::Delete(document.reference()));
        let mut changes: Vec<DocumentChange> = trees.collect();
        changes.push(DocumentChange::Delete(DocumentRef::new(DocumentKind::CollectiveSession, job)));
        self.commit(actor, &changes)
    }

    /// The session of a job.
    ///
    /// # Errors
    /// When it has none.
    pub(crate) fn session_of(&self, job: &str) -> Result<&Document, ApiProblem> {
        let found = self.documents.set().get(DocumentKind::CollectiveSession, job);
        found.ok_or_else(|| ApiProblem::not_found(format!("job {job} has no collective session; a POST makes one")))
    }

    /// Makes a tree for a session, with the first free address. The session's token is `token`, or
    /// the request's own credential (`None`). The root is the first member that is not another
    /// tree's: a NIC is the root of one tree at a time.
    ///
    /// # Errors
    /// When the token is not the session's, no address or root is free, or the session has as many
    /// trees as it may. The number of the exhausted resource is one that libfabric reads: 01 to 03.
    pub(crate) fn open_tree(&mut self, token: Option<&str>, wanted: &RequestedTree<'_>) -> Result<u16, ApiProblem> {
        let RequestedTree { actor, job, labels, members } = *wanted;
        let session = self.session_of(job)?;
        let Spec::CollectiveSession(spec) = &session.spec else {
            return Err(ApiProblem::not_found(format!("{job} is not a collective session")));
        };
        if token.is_some_and(|token| spec.token_hash != sha256_hex(token.as_bytes())) {
            return Err(ApiProblem {
                status: 403,
                code: "session.token",
                title: "Not with this token",
                detail: format!(
                    "the token is not that of the session of job {job}; sessionToken of the job would work"
                ),
                problems: Vec::new(),
            });
        }
        let set = self.documents.set();
        let used_up =
            |number: u8, detail: String| ApiProblem::new(ProblemCode::NoTree, format!("{number:02}: {detail}"));
        let count = trees_of(set, job).count();
        if count >= usize::from(spec.mcast_limit) {
            let detail = format!("job {job} has {count} trees, its limit; returning one first would work");
            return Err(used_up(1, detail));
        }
        let (mut taken, mut roots) = (BTreeSet::new(), BTreeSet::new());
        for document in set.of(DocumentKind::Multicast) {
            let Spec::Multicast(spec) = &document.spec else { continue };
            taken.insert(spec.address);
            roots.extend(spec.edge_ports.first().and_then(|name| edge_port(name, &*self.documents.names)));
        }
        let address = ADDRESSES.into_iter().find(|address| !taken.contains(address));
        let address = address.ok_or_else(|| used_up(2, "all 8191 addresses of trees are in use".to_owned()))?;
        let root = members.iter().position(|port| !roots.contains(port));
        let root = root.ok_or_else(|| used_up(3, "each member is the root of another tree already".to_owned()))?;
        let mut members = members.to_vec();
        members[..=root].rotate_right(1);
        let tree = MulticastSpec {
            session: job.to_owned(),
            address,
            edge_ports: members.iter().map(|port| self.port_name(*port)).collect(),
            lease: spec.lease.clone(),
        };
        let mut document = Document::new(&format!("tree-{address}"), Spec::Multicast(tree));
        document.labels.extend(labels.iter().map(|(label, value)| ((*label).to_owned(), value.clone())));
        self.commit(actor, &[DocumentChange::Put(document)])?;
        Ok(address)
    }

    /// Deletes the trees of a step of a job.
    ///
    /// # Errors
    /// When the job has no session.
    pub(crate) fn close_step(&mut self, actor: &str, job: &str, step: &str) -> Result<(), ApiProblem> {
        self.session_of(job)?;
        let trees = trees_of(self.documents.set(), job);
        let trees = trees.filter(|(document, _)| document.labels.get(STEP).is_some_and(|found| found == step));
        let changes: Vec<DocumentChange> =
            trees.map(|(document, _)| DocumentChange::Delete(document.reference())).collect();
        if changes.is_empty() { Ok(()) } else { self.commit(actor, &changes) }
    }
}
