//! One change of documents: admitted, stored, applied to switches; as a whole or not at all.
//!
//! ```text
//! event loop: begin -> worker: admission -> event loop: permitted now? -> worker: the disk
//!                                        -> event loop: it takes effect, and orders go out
//! ```
//!
//! No other change begins in between, so that the admitted change is the stored one.

use std::sync::Arc;
use std::time::{Duration, Instant};

use philae_policy::{Admitted, DocumentChange, Role, admit_onto};
use philae_store::{Expect, Revision};
use philae_units::SwitchId;

use crate::access::{Actor, check_changes, keeps_tokens};
use crate::desired::rollout::Effect;
use crate::documents::keep::{ManagerRecord, Note, as_change, key_of};
use crate::documents::pending::pending;
use crate::documents::report::{Report, report};
use crate::manager::Manager;
use crate::operations::{EndCondition, OperationState};
use crate::protocol::problem::{ApiProblem, ProblemCode};
use crate::protocol::reply::{Answer, DeferredReply, Reply, Work};
use crate::protocol::request::{ApiRequest, patience};

/// A change of documents.
#[derive(Clone, Debug)]
pub struct Transaction {
    /// The changes, each with the condition on the present state.
    pub steps: Vec<(DocumentChange, Expect)>,
    /// Records that are written with it.
    pub records: Vec<ManagerRecord>,
    /// The caller, whose rights are checked.
    pub actor: Actor,
    /// The actor and the reason, for the log.
    pub note: Note,
    /// Whether it is a dry run.
    pub dry: bool,
    /// Whether it ignores maintenance windows.
    pub overrides: bool,
    /// Whether it is made even if pairs of switches lose each other.
    pub forced: bool,
    /// Whether it ends a change that waits for its confirmation: meanwhile others are refused.
    pub ends_pending: bool,
    /// How long the answer waits for the switches.
    pub patience: Option<Duration>,
    /// The description for its operation.
    pub what: String,
}

/// The result of a transaction.
#[derive(Clone, Debug)]
pub struct TransactionOutcome {
    /// Its effect, or the effect that it would have.
    pub report: Report,
    /// The operation that applies it to switches, if one is running.
    pub operation: Option<u64>,
    /// How long the answer waits for that operation.
    pub patience: Option<Duration>,
}

type Last = Box<dyn FnOnce(&mut Manager, TransactionOutcome) -> Answer + Send>;

impl Transaction {
    /// The transaction of a request.
    ///
    /// # Errors
    /// When its query is invalid.
    pub fn of(request: &ApiRequest, what: String, steps: Vec<(DocumentChange, Expect)>) -> Result<Self, ApiProblem> {
        Ok(Self {
            steps,
            records: Vec::new(),
            actor: request.actor.clone(),
            note: Note::of(request),
            dry: request.flag("dryRun")?,
            overrides: request.flag("override")?,
            forced: request.flag("force")?,
            ends_pending: false,
            patience: patience(request)?,
            what,
        })
    }

    /// Runs the transaction, and then `last`, which makes the answer.
    ///
    /// # Errors
    /// When it may not begin.
    pub fn start(
        self,
        manager: &Manager,
        last: impl FnOnce(&mut Manager, TransactionOutcome) -> Answer + Send + 'static,
    ) -> Answer {
        if !self.ends_pending
            && !self.dry
            && let Some(pending) = pending(&manager.documents)
        {
            return Err(ApiProblem::new(
                ProblemCode::Unconfirmed,
                format!(
                    "revision {} of {} waits for confirmation until {}, and is then undone; philae fabric confirm \
                     keeps it, philae fabric confirm --undo undoes it now (POST /api/v1/pending/confirm, \
                     POST /api/v1/pending/rollback)",
                    pending.revision,
                    pending.actor,
                    crate::clock::utc(pending.until_micros / 1_000_000)
                ),
            ));
        }
        self.examine(manager)?;
        let changes: Vec<DocumentChange> = self.steps.iter().map(|(change, _)| change.clone()).collect();
        check_changes(&self.actor, manager.documents.set(), &changes)?;
        if !keeps_tokens(manager.documents.set(), &changes) {
            return Err(ApiProblem::conflict(
                "tokens are made by POST /api/v1/tokens, which shows them once, and never change",
            ));
        }
        let (set, composition) = (manager.documents.set_shared(), manager.documents.composition_shared());
        let (names, fabric) = (Arc::clone(&manager.documents.names), Arc::clone(&manager.fabric));
        let last: Last = Box::new(last);
        let links = manager.control_loop.control.plan().map(|plan| (Arc::clone(plan.wiring()), plan.links().clone()));
        Ok(Reply::Work(Work::new(
            move || {
                let admitted =
                    admit_onto(&set, &composition, &changes, &*names).map_err(crate::documents::lookup::problems)?;
                let mut report = report(&fabric, &composition, &admitted, changes.len());
                if let Some((wiring, links)) = links {
                    crate::documents::cost::tell(&fabric, &wiring, &links, &composition, &admitted, &mut report);
                }
                Ok((admitted, report))
            },
            move |manager, admitted: Result<(Admitted, Report), ApiProblem>| {
                let (admitted, report) = admitted?;
                self.keep(manager, admitted, report, last)
            },
        )))
    }

    /// Checks the conditions on revisions before any other work, as the store will.
    fn examine(&self, manager: &Manager) -> Result<(), ApiProblem> {
        let snapshot = manager.documents.store().snapshot();
        for (change, expect) in &self.steps {
            let key = key_of(&change.reference())?;
            let found = snapshot.get(&key).map(|object| object.modified);
            if !expect.is_met_by(found) {
                let found =
                    found.map_or_else(|| "no document".to_owned(), |Revision(found)| format!("revision {found}"));
                let detail = format!("{}: If-Match expects {expect}, found {found}", change.reference());
                return Err(ApiProblem::new(ProblemCode::Changed, detail));
            }
        }
        Ok(())
    }

    fn keep(self, manager: &mut Manager, admitted: Admitted, mut report: Report, last: Last) -> Answer {
        report.dry_run = self.dry;
        let changes: Vec<DocumentChange> = self.steps.iter().map(|(change, _)| change.clone()).collect();
        let wrong = manager.wrong_now(&changes);
        if !wrong.is_empty() {
            return Err(crate::documents::lookup::problems(wrong));
        }
        let effect = manager.effect(&admitted, &changes);
        report.blast_radius.sections =
            effect.sections().into_iter().map(|(section, switches)| (section.name(), switches)).collect();
        report.blast_radius.sent_to = effect.switches().len();
        report.warnings.extend(crate::documents::cost::qos(manager, &admitted, &changes));
        let permitted = manager.permitted(&effect, &admitted, &changes);
        let cuts_off = report.cuts_off.clone().filter(|_| !self.forced).map(|cost| {
            ApiProblem::new(
                ProblemCode::CutsOff,
                format!("the change {cost}; with force=true (--force) it would be made"),
            )
        });
        if self.dry {
            report.refused_now = permitted.err().or(cuts_off).map(|problem| problem.detail);
            return last(manager, TransactionOutcome { report, operation: None, patience: None });
        }
        // An admin may override what an operator has to wait for.
        if !(self.overrides && self.actor.has(Role::Admin)) {
            permitted?;
            // A change that is taken back restores an earlier state, without a person who could be
            // asked.
            if let Some(problem) = cuts_off.filter(|_| !self.ends_pending) {
                return Err(problem);
            }
        }
        let change = as_change(&self.note, &self.steps, self.records.clone())?;
        let store = Arc::clone(manager.documents.store());
        Ok(Reply::Work(Work::new(
            move || store.commit(change),
            move |manager, committed| {
                let committed = committed?;
                report.revision = Some(committed.revision.0);
                if committed.is_repeat {
                    report.repeated = Some(true);
                    return last(manager, TransactionOutcome { report, operation: None, patience: None });
                }
                let missing = |change: &DocumentChange| {
                    matches!(change, DocumentChange::Put(_)) && !manager.documents.set().contains(&change.reference())
                };
                report.created = Some(self.steps.iter().any(|(change, _)| missing(change)));
                let operation = self.take_effect(manager, admitted, effect, &changes, committed.revision);
                report.operation = operation.map(|number| manager.operation_location(number));
                last(manager, TransactionOutcome { report, operation, patience: self.patience })
            },
        )))
    }

    /// Makes the change take effect. Returns the operation that applies it to switches.
    fn take_effect(
        &self,
        manager: &mut Manager,
        admitted: Admitted,
        effect: Effect,
        changes: &[DocumentChange],
        revision: Revision,
    ) -> Option<u64> {
        let switches: Vec<SwitchId> = effect.switches().into_iter().collect();
        manager.take_effect(admitted, effect, changes);
        manager.run();
        if switches.is_empty() {
            return None;
        }
        let actor = self.note.actor.clone();
        let number = manager.open_operation(self.what.clone(), actor, switches, EndCondition::Apply, Some(revision.0));
        manager.tick_operations();
        Some(number)
    }
}

impl TransactionOutcome {
    /// The usual answer: 202 with the place of its progress while switches still have to apply it;
    /// else 201 if a document was created, or 200.
    ///
    /// # Errors
    /// Never; answers are results.
    pub fn answer(self, manager: &Manager) -> Answer {
        let view = self.operation.and_then(|number| manager.operation_view(number));
        let is_running = view.is_some_and(|view| view.state == OperationState::Running);
        let status = match self.report.created {
            _ if is_running => 202,
            Some(true) => 201,
            _ => 200,
        };
        let mut reply = Reply::of(&self.report).status(status);
        if let Some(revision) = self.report.revision {
            reply = reply.etag(revision);
        }
        if let Some(number) = self.operation.filter(|_| is_running) {
            reply = reply.location(manager.operation_location(number));
            if let Some(patience) = self.patience {
                let ended = Some(Reply::of(&self.report));
                let until = Instant::now() + patience;
                return Ok(Reply::Wait(Box::new(DeferredReply { operation: number, until, otherwise: reply, ended })));
            }
        }
        Ok(reply)
    }
}
