//! Leases: the manager itself deletes VNI blocks, collective sessions, trees and tokens whose lease
//! has ended, and with a session its trees.

use std::collections::BTreeSet;

use philae_manager_core::HealthLevel;
use philae_policy::{Document, DocumentChange, DocumentKind, DocumentRef, DocumentSet, Spec, admit_onto, renew};
use philae_store::Expect;
use serde_json::json;

use crate::access::{AccessKind, RequiredAccess};
use crate::documents::Documents;
use crate::documents::endpoints::change;
use crate::documents::keep::{Note, as_change};
use crate::documents::lookup::{existing, kind_named, problems};
use crate::manager::Manager;
use crate::protocol::endpoint::{ApiEndpoint, any_json};
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;
use crate::troubles::Trouble;

/// The endpoints of this resource.
pub const ENDPOINTS: &[ApiEndpoint] = &[
    any_json("GET", "/api/v1/clock", "The clock that leases end by, and whether the wall clock agrees.", show_clock),
    any_json(
        "POST",
        "/api/v1/clock/accept",
        "Accepts the present wall clock: leases end by it from now on.",
        accept_clock,
    ),
    any_json("POST", "/api/v1/{kind}/{name}/renew", "Renews a lease, for this many seconds from now.", renew_lease)
        .for_whom(RequiredAccess::OfKind(AccessKind::Write)),
];

/// The actor in the log for changes that the manager makes by itself.
const MANAGER: &str = "manager";

/// Kinds that are leased.
const LEASED: [DocumentKind; 4] =
    [DocumentKind::VniBlock, DocumentKind::CollectiveSession, DocumentKind::Multicast, DocumentKind::Token];

/// Documents whose lease has ended at `now`, and trees whose session has ended or is gone.
fn over(set: &DocumentSet, now: u64) -> BTreeSet<DocumentRef> {
    let ended = |document: &&Document| {
        let end = document.spec.lease().and_then(|lease| lease.expires_at_seconds);
        end.is_some_and(|end| end <= now)
    };
    let mut over: BTreeSet<DocumentRef> =
        LEASED.iter().flat_map(|kind| set.of(*kind)).filter(ended).map(Document::reference).collect();
    for document in set.of(DocumentKind::Multicast) {
        let Spec::Multicast(spec) = &document.spec else { continue };
        let session = DocumentRef::new(DocumentKind::CollectiveSession, &spec.session);
        if over.contains(&session) || !set.contains(&session) {
            over.insert(document.reference());
        }
    }
    over
}

impl Manager {
    /// Deletes documents whose lease has ended. Returns whether there were any. If the disk fails,
    /// it tries again next time.
    pub(crate) fn end_leases(&mut self) -> bool {
        let jump = self.clock.jump();
        if jump.is_some() != self.checks.jumped.is_some() {
            crate::log::clock_jumped(jump.unwrap_or(0));
            self.checks.jumped = jump.map(|_| self.clock.seconds());
        }
        if jump.is_some() {
            // The time is not certain.
            return false;
        }
        let over = over(self.documents.set(), self.clock.seconds());
        if over.is_empty() {
            self.checks.overdue = None;
            return false;
        }
        let changes: Vec<DocumentChange> = over.into_iter().map(DocumentChange::Delete).collect();
        match self.commit(MANAGER, &changes) {
            Ok(()) => {
                self.checks.overdue = None;
                true
            }
            Err(problem) => {
                self.checks.overdue =
                    Some(format!("{} leases have ended and could not be removed: {}", changes.len(), problem.detail));
                false
            }
        }
    }

    /// Makes a change that did not come as documents: admits, stores and applies it like any other.
    ///
    /// # Errors
    /// All that is wrong with it, or that it cannot be stored.
    pub(crate) fn commit(&mut self, actor: &str, changes: &[DocumentChange]) -> Result<(), ApiProblem> {
        let documents = &self.documents;
        let admitted = admit_onto(documents.set(), documents.composition(), changes, &*documents.names);
        let admitted = admitted.map_err(problems)?;
        let wrong = self.wrong_now(changes);
        if !wrong.is_empty() {
            return Err(problems(wrong));
        }
        let effect = self.effect(&admitted, changes);
        self.permitted(&effect, &admitted, changes)?;
        keep_all(&self.documents, actor, changes)?;
        self.take_effect(admitted, effect, changes);
        Ok(())
    }
}

/// Writes changes to the disk as one, in the name of `actor`.
fn keep_all(documents: &Documents, actor: &str, changes: &[DocumentChange]) -> Result<(), ApiProblem> {
    let note = Note { actor: actor.to_owned(), ..Note::default() };
    let steps: Vec<(DocumentChange, Expect)> = changes.iter().map(|change| (change.clone(), Expect::Any)).collect();
    documents.store().commit(as_change(&note, &steps, Vec::new())?)?;
    Ok(())
}

/// What is wrong with the clock, in words.
fn clock_problem(manager: &Manager) -> Option<String> {
    let jump = manager.clock.jump()?;
    let since =
        manager.checks.jumped.map_or_else(String::new, |since| format!(", first seen at {}", crate::clock::utc(since)));
    let way = if jump > 0 { "ahead of" } else { "behind" };
    let off = jump.unsigned_abs();
    Some(format!("the wall clock is {off} s {way} the steady clock{since}: no lease ends until it is right again"))
}

/// Troubles with the clock, and with leases that have ended.
pub(crate) fn troubles(manager: &Manager) -> Vec<Trouble> {
    let clock = clock_problem(manager).map(|detail| {
        Trouble::new("clock", "", HealthLevel::Degraded, detail)
            .brief("the wall clock has jumped: no lease ends")
            .next("correct the wall clock; philae fabric clock accept, if it is right now")
    });
    let overdue = manager.checks.overdue.clone().map(|overdue| {
        Trouble::new("lease", "", HealthLevel::Degraded, overdue)
            .brief("ended leases are not removed")
            .next("the manager tries again by itself; philae fabric status shows whether the disk accepts changes")
    });
    clock.into_iter().chain(overdue).collect()
}

/// `GET /api/v1/clock`
pub fn show_clock(manager: &mut Manager, _: &ApiRequest) -> Result<Reply, ApiProblem> {
    let jump = manager.clock.jump();
    Ok(Reply::Json(json!({
        "seconds": manager.clock.seconds(),
        "time": crate::clock::utc(manager.clock.seconds()),
        "jumpSeconds": jump,
        "leasesEnd": jump.is_none(),
        "problem": clock_problem(manager),
    })))
}

/// `POST /api/v1/clock/accept`
pub fn accept_clock(manager: &mut Manager, request: &ApiRequest) -> Result<Reply, ApiProblem> {
    manager.clock.accept();
    manager.security.guard.set_clock(manager.clock);
    manager.checks.jumped = None;
    show_clock(manager, request)
}

/// `POST /api/v1/{kind}/{name}/renew`
pub fn renew_lease(manager: &mut Manager, request: &ApiRequest) -> Result<Reply, ApiProblem> {
    let kind = kind_named(request.capture("kind"))?;
    let document = existing(&manager.documents, kind, request.capture("name"))?;
    if !request.scope.covers(&document) {
        // A caller does not learn which documents of other tenants exist.
        return Err(ApiProblem::not_found(format!("there is no {} '{}'", kind.singular(), document.name)));
    }
    let seconds = request.body.get("seconds").and_then(serde_json::Value::as_u64);
    let seconds = seconds
        .filter(|seconds| *seconds > 0)
        .ok_or_else(|| ApiProblem::bad_request("the body lacks `seconds`: {\"seconds\": 3600} would work"))?;
    let renewed = renew(&document, manager.clock.seconds(), seconds).map_err(|problem| problems(vec![problem]))?;
    let end = renewed.spec.lease().and_then(|lease| lease.expires_at_seconds);
    change(manager, request, DocumentChange::Put(renewed))?;
    Ok(Reply::Json(json!({ "expiresAtSeconds": end })))
}
