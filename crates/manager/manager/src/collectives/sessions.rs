//! Opens and closes sessions and their trees.

use std::collections::BTreeSet;

use philae_policy::{Document, DocumentChange, DocumentKind, DocumentRef, MulticastSpec, Spec, edge_port};
use philae_units::PortIndex;

use crate::collectives::{STEP, trees_of};
use crate::digest::sha256_hex;
use crate::manager::Manager;
use crate::protocol::problem::{ApiProblem, ProblemCode};

/// Addresses of trees: those of a fabric address' multicast form, except 0.
///
/// Source: 13 bits of the fabric address. Status: published.
const ADDRESSES: std::ops::Range<u16> = 1..8_192;

#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestedTree<'a> {
    /// The caller.
    pub(crate) actor: &'a str,
    pub(crate) job: &'a str,
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
        let document = self.security.sessions.session(job, limit, self.clock.seconds())?;
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
