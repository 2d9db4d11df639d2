//! Change sets: many changes of documents, staged, checked, and made together. An operator can take
//! them back, and the manager does if they are not confirmed in time.
//!
//! ```text
//! staged -> committed                        one revision
//!        -> pending -> committed             confirmed in time
//!                   -> rolled-back           not confirmed in time, or by an operator
//! ```
//!
//! The end of the wait is stored with the change itself, so that it counts through a restart.

use philae_policy::{DocumentChange, DocumentKind};
use philae_store::{Expect, Revision, RevisionDifference};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, json};

use crate::access::{AccessArea, area_of};
use crate::clock::now_micros;
use crate::documents::Documents;
use crate::documents::endpoints::{ChangeStep, changes_of};
use crate::documents::keep::{CHANGE_SETS, ManagerRecord, Note, PENDING, expected, record};
use crate::documents::pending::{PENDING_NAME, PendingChange, pending};
use crate::documents::transaction::{Transaction, TransactionOutcome};
use crate::manager::Manager;
use crate::protocol::endpoint;
use crate::protocol::endpoint::{AFTER, ApiEndpoint, FIELDS, PAGE, SORT, post};
use crate::protocol::list::{List, Listing, word};
use crate::protocol::problem::{ApiProblem, ProblemCode};
use crate::protocol::reply::{Answer, Reply, Work};
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::of;

/// The endpoints of this resource.
pub const ENDPOINTS: &[ApiEndpoint] = &[
    endpoint::get(
        "/api/v1/change-sets",
        "Change sets, by name.",
        &[("state", "only these: staged, pending, committed, rolled-back"), PAGE, AFTER, FIELDS, SORT],
        list,
    )
    .lines(of::<List<ChangeSet>>, of::<ChangeSet>),
    post("/api/v1/change-sets", "Stages a change set.", stage)
        .body(of::<Staging>)
        .json(of::<ChangeSet>)
        .statuses(&[201])
        .errors(&[409, 422]),
    endpoint::get("/api/v1/change-sets/{name}", "One change set.", &[], get).json(of::<ChangeSet>).errors(&[404]),
    ApiEndpoint { method: "PUT", ..post("/api/v1/change-sets/{name}", "Stages a change set again.", restage) }
        .body(of::<Staging>)
        .json(of::<ChangeSet>)
        .statuses(&[200, 201])
        .errors(&[409, 422]),
    ApiEndpoint { method: "DELETE", ..post("/api/v1/change-sets/{name}", "Deletes a change set.", discard) }
        .errors(&[404, 409]),
    endpoint::write(
        "POST",
        "/api/v1/change-sets/{name}/validate",
        "Returns the changes of a change set, and its errors.",
        validate,
    )
    .keys(&[])
    .asks_only(),
    endpoint::write(
        "POST",
        "/api/v1/change-sets/{name}/commit",
        "Commits all of a change set, or nothing of it; it may require confirmation.",
        commit,
    )
    .body(of::<Option<Commit>>),
    post("/api/v1/change-sets/{name}/confirm", "Confirms a change set that waits for it.", confirm).errors(&[404, 409]),
    endpoint::write(
        "POST",
        "/api/v1/change-sets/{name}/rollback",
        "Rolls a change set back: one that waits for its confirmation, or one that was committed.",
        take_back,
    ),
    endpoint::get("/api/v1/pending", "The change that waits for confirmation.", &[], show_pending)
        .json(of::<PendingChange>)
        .errors(&[404]),
    post("/api/v1/pending/confirm", "Confirms the change that waits for confirmation.", confirm).errors(&[409]),
    endpoint::write(
        "POST",
        "/api/v1/pending/rollback",
        "Rolls back the change that waits for confirmation.",
        take_back,
    ),
    endpoint::write("POST", "/api/v1/rollback", "Restores the documents of a revision, as one change.", roll_back)
        .body(of::<Rollback>)
        .errors(&[404, 409, 410, 422]),
    endpoint::write("POST", "/api/v1/documents", "Several changes of documents: all of them, or none.", apply)
        .body(of::<Apply>),
];

/// The longest time for a confirmation, seconds.
///
/// Source: ours. Status: assumed.
const CONFIRM_MOST_SECONDS: u64 = 7 * 24 * 3600;

/// Where a change set stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[serde(rename = "State")]
pub enum ChangeSetState {
    /// It is being prepared.
    #[default]
    Staged,
    /// It was applied and waits for its confirmation.
    Pending,
    /// It was applied.
    Committed,
    /// It was applied and then undone.
    RolledBack,
}

/// A change set.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChangeSet {
    /// Its name.
    pub name: String,
    /// Its purpose.
    #[serde(default)]
    pub description: String,
    /// What it changes.
    pub steps: Vec<ChangeStep>,
    /// Its progress.
    #[serde(default)]
    pub state: ChangeSetState,
    /// Who made it.
    #[serde(default)]
    pub actor: String,
    /// When it was made, microseconds since 1970.
    #[serde(default)]
    pub created_micros: u64,
    /// The revision of its commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<u64>,
}

/// The request to stage a change set.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Staging {
    /// Its name; absent: one is found.
    pub name: Option<String>,
    /// Its purpose.
    #[serde(default)]
    pub description: String,
    /// Its changes: at most one step for each document.
    pub steps: Vec<ChangeStep>,
}

/// How a change set is made.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Commit {
    /// It is undone after this many seconds unless it is confirmed.
    #[schemars(range(min = 1, max = 604_800))]
    pub confirm_within_seconds: Option<u64>,
}

/// Several changes in one step, without staging.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Apply {
    /// The changes: at most one step for each document.
    pub steps: Vec<ChangeStep>,
    /// It is undone after this many seconds unless it is confirmed.
    #[serde(default)]
    #[schemars(range(min = 1, max = 604_800))]
    pub confirm_within_seconds: Option<u64>,
}

/// Back to how documents were.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rollback {
    /// At this revision.
    pub revision: u64,
    /// It is undone after this many seconds unless it is confirmed.
    #[serde(default)]
    #[schemars(range(min = 1, max = 604_800))]
    pub confirm_within_seconds: Option<u64>,
}

/// The record that begins a wait for confirmation, and the end of that wait.
fn pending_record(
    manager: &Manager,
    note: &Note,
    within_seconds: u64,
    change_set: Option<&str>,
) -> Result<(ManagerRecord, u64), ApiProblem> {
    if !(1..=CONFIRM_MOST_SECONDS).contains(&within_seconds) {
        return Err(ApiProblem::bad_request(format!(
            "confirmWithinSeconds is {within_seconds}; 1 to {CONFIRM_MOST_SECONDS} would work"
        )));
    }
    let until_micros = manager.clock.micros() + within_seconds * 1_000_000;
    let pending = PendingChange {
        before: manager.documents.revision(),
        revision: 0,
        until_micros,
        change_set: change_set.map(str::to_owned),
        actor: note.actor.clone(),
    };
    let value = Some(json!(pending));
    Ok((ManagerRecord { key: record(PENDING, PENDING_NAME)?, expect: Expect::Absent, value }, until_micros))
}

fn found(documents: &Documents, name: &str) -> Result<(ChangeSet, u64), ApiProblem> {
    let snapshot = documents.store().snapshot();
    let key = record(CHANGE_SETS, name)?;
    let object = snapshot.get(&key).ok_or_else(|| ApiProblem::not_found(format!("there is no change set '{name}'")))?;
    let set = serde_json::from_slice(&object.value);
    let set = set.map_err(|error| {
        ApiProblem::new(ProblemCode::StoreFailed, format!("change set '{name}' cannot be read: {error}"))
    })?;
    Ok((set, object.modified.0))
}

fn kept(set: &ChangeSet, expect: Expect) -> Result<ManagerRecord, ApiProblem> {
    Ok(ManagerRecord { key: record(CHANGE_SETS, &set.name)?, expect, value: Some(json!(set)) })
}

/// Writes records without documents, and answers.
fn write(
    manager: &Manager,
    note: &Note,
    records: Vec<ManagerRecord>,
    last: impl FnOnce(&mut Manager, u64) -> Answer + Send + 'static,
) -> Answer {
    let change = crate::documents::keep::as_change(note, &[], records)?;
    let store = manager.documents.store().clone();
    Ok(Reply::Work(Work::new(
        move || store.commit(change),
        move |manager, committed| last(manager, committed?.revision.0),
    )))
}

/// `GET /api/v1/change-sets`
pub fn list(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let listing = Listing::of(request)?;
    let states = [
        ("staged", ChangeSetState::Staged),
        ("pending", ChangeSetState::Pending),
        ("committed", ChangeSetState::Committed),
        ("rolled-back", ChangeSetState::RolledBack),
    ];
    let state = word(request, "state", &states)?;
    let snapshot = manager.documents.store().snapshot();
    let after = listing.after.clone().filter(|_| !listing.is_sorted());
    Ok(Reply::Read(Box::new(move || {
        let all = snapshot.walk(CHANGE_SETS, "", after.as_deref());
        let items: Vec<ChangeSet> = all
            .filter_map(|(_, object)| serde_json::from_slice::<ChangeSet>(&object.value).ok())
            .filter(|set| state.is_none_or(|state| set.state == state))
            .collect();
        listing.answer(items.into_iter(), |set| set.name.clone(), Map::new())
    })))
}

/// `GET /api/v1/change-sets/{name}`
pub fn get(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let (set, revision) = found(&manager.documents, request.capture("name"))?;
    Ok(Reply::of(&set).etag(revision))
}

fn is_name(name: &str) -> Result<(), ApiProblem> {
    if philae_policy::is_name(name) {
        return Ok(());
    }
    Err(ApiProblem::bad_request(format!("'{name}' is not a valid name; letters, digits, '-', '_' and '.' would work")))
}

/// `POST /api/v1/change-sets`
pub fn stage(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let staging: Staging = request.read()?;
    let revision = manager.documents.revision();
    let name = staging.name.unwrap_or_else(|| format!("change-{}", revision + 1));
    is_name(&name)?;
    changes_of(&staging.steps)?;
    let note = Note::of(request);
    let set = ChangeSet {
        name,
        description: staging.description,
        steps: staging.steps,
        actor: note.actor.clone(),
        created_micros: now_micros(),
        ..ChangeSet::default()
    };
    if found(&manager.documents, &set.name).is_ok() {
        return Err(ApiProblem::conflict(format!(
            "there is a change set '{}' already; PUT would replace it",
            set.name
        )));
    }
    let record = kept(&set, Expect::Absent)?;
    write(manager, &note, vec![record], move |_, revision| {
        let location = format!("/api/v1/change-sets/{}", set.name);
        Ok(Reply::of(&set).status(201).etag(revision).location(location))
    })
}

/// `PUT /api/v1/change-sets/{name}`
pub fn restage(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let name = request.capture("name");
    is_name(name)?;
    let staging: Staging = request.read()?;
    if staging.name.as_deref().is_some_and(|other| other != name) {
        return Err(ApiProblem::bad_request(format!("the body's name is not the path's '{name}'")));
    }
    changes_of(&staging.steps)?;
    let old = found(&manager.documents, name).ok();
    if let Some((old, _)) = &old {
        still_staged(old)?;
    }
    let note = Note::of(request);
    let set = ChangeSet {
        name: name.to_owned(),
        description: staging.description,
        steps: staging.steps,
        actor: note.actor.clone(),
        created_micros: now_micros(),
        ..ChangeSet::default()
    };
    let created = old.is_none();
    let record = kept(&set, expected(request)?)?;
    write(manager, &note, vec![record], move |_, revision| {
        Ok(Reply::of(&set).status(if created { 201 } else { 200 }).etag(revision))
    })
}

/// `DELETE /api/v1/change-sets/{name}`
pub fn discard(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let (set, _) = found(&manager.documents, request.capture("name"))?;
    if set.state == ChangeSetState::Pending {
        return Err(ApiProblem::new(ProblemCode::Unconfirmed, "it waits for confirmation; rolling it back would work"));
    }
    let record = ManagerRecord { value: None, ..kept(&set, expected(request)?)? };
    write(manager, &Note::of(request), vec![record], move |_, revision| {
        Ok(Reply::Json(json!({ "deleted": set.name, "revision": revision })))
    })
}

fn still_staged(set: &ChangeSet) -> Result<(), ApiProblem> {
    if set.state == ChangeSetState::Staged {
        return Ok(());
    }
    Err(ApiProblem::conflict(format!(
        "change set '{}' was already committed, as revision {}",
        set.name,
        set.revision.unwrap_or(0)
    )))
}

/// `POST /api/v1/change-sets/{name}/validate`
pub fn validate(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let (set, _) = found(&manager.documents, request.capture("name"))?;
    let steps = changes_of(&set.steps)?;
    let mut transaction = Transaction::of(request, format!("validate {}", set.name), steps)?;
    transaction.dry = true;
    transaction.start(manager, |manager, outcome: TransactionOutcome| outcome.answer(manager))
}

/// `POST /api/v1/change-sets/{name}/commit`
pub fn commit(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let commit: Commit = request.read_or_default()?;
    let (mut set, revision) = found(&manager.documents, request.capture("name"))?;
    still_staged(&set)?;
    let expect = expected(request)?;
    if !expect.is_met_by(Some(Revision(revision))) {
        return Err(ApiProblem::new(
            ProblemCode::Changed,
            format!("If-Match expects {expect}, found revision {revision}"),
        ));
    }
    let steps = changes_of(&set.steps)?;
    let mut transaction = Transaction::of(request, format!("change set {}", set.name), steps)?;
    if transaction.note.reason.is_empty() {
        transaction.note.reason.clone_from(&set.description);
    }
    let within = commit.confirm_within_seconds;
    set.state = if within.is_some() { ChangeSetState::Pending } else { ChangeSetState::Committed };
    set.revision = Some(manager.documents.revision() + 1);
    transaction.records.push(kept(&set, Expect::At(Revision(revision)))?);
    confirmable(manager, transaction, within, Some(&set.name))
}

/// Starts a transaction; with `within_seconds` it must be confirmed in that time.
fn confirmable(
    manager: &Manager,
    mut transaction: Transaction,
    within_seconds: Option<u64>,
    change_set: Option<&str>,
) -> Answer {
    let mut until = None;
    if let Some(within) = within_seconds {
        let (record, until_micros) = pending_record(manager, &transaction.note, within, change_set)?;
        transaction.records.push(record);
        until = Some(until_micros);
    }
    transaction.start(manager, move |manager, mut outcome: TransactionOutcome| {
        outcome.report.confirm_until_micros = until.filter(|_| !outcome.report.dry_run);
        outcome.answer(manager)
    })
}

/// `POST /api/v1/documents`: several changes together, without staging.
pub fn apply(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let apply: Apply = request.read()?;
    let steps = changes_of(&apply.steps)?;
    if steps.is_empty() {
        return Err(ApiProblem::bad_request("there is no step; {\"steps\": [{\"put\": {...}}]} would work"));
    }
    let transaction = Transaction::of(request, format!("apply {} documents", steps.len()), steps)?;
    confirmable(manager, transaction, apply.confirm_within_seconds, None)
}

/// `GET /api/v1/pending`
pub fn show_pending(manager: &mut Manager, _: &ApiRequest) -> Answer {
    match pending(&manager.documents) {
        Some(pending) => Ok(Reply::of(&pending).etag(pending.revision)),
        None => Err(ApiProblem::not_found("no change waits for confirmation")),
    }
}

fn pending_now(documents: &Documents, change_set: Option<&str>) -> Result<PendingChange, ApiProblem> {
    let found = pending(documents);
    let found = found.ok_or_else(|| ApiProblem::conflict("no change waits for confirmation"))?;
    if change_set.is_some_and(|name| found.change_set.as_deref() != Some(name)) {
        return Err(ApiProblem::conflict(format!(
            "revision {} waits for confirmation, not this change set",
            found.revision
        )));
    }
    Ok(found)
}

fn named(request: &ApiRequest) -> Option<&str> {
    Some(request.capture("name")).filter(|name| !name.is_empty())
}

/// The records that end a wait: the wait's record is deleted, and the change set gets its new
/// state.
fn ending(
    documents: &Documents,
    pending: &PendingChange,
    state: ChangeSetState,
) -> Result<Vec<ManagerRecord>, ApiProblem> {
    let gone = ManagerRecord { key: record(PENDING, PENDING_NAME)?, expect: Expect::Present, value: None };
    let mut records = vec![gone];
    if let Some(name) = &pending.change_set
        && let Ok((mut set, _)) = found(documents, name)
    {
        set.state = state;
        records.push(kept(&set, Expect::Any)?);
    }
    Ok(records)
}

/// `POST /api/v1/pending/confirm`, `POST /api/v1/change-sets/{name}/confirm`
pub fn confirm(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let pending = pending_now(&manager.documents, named(request))?;
    let records = ending(&manager.documents, &pending, ChangeSetState::Committed)?;
    write(manager, &Note::of(request), records, move |_, revision| {
        Ok(Reply::Json(json!({ "confirmed": pending.revision, "revision": revision })))
    })
}

/// The steps that restore the documents of a revision.
fn steps_back(documents: &Documents, revision: u64) -> Result<Vec<(DocumentChange, Expect)>, ApiProblem> {
    let store = documents.store();
    let newest = store.snapshot().revision();
    let differences = store.diff(newest, Revision(revision))?;
    let mut steps = Vec::new();
    // Access rights stay as they are: a revoked token does not come back.
    let goes_back = |difference: &RevisionDifference| {
        let kind = DocumentKind::parse(difference.key.kind());
        kind.is_some_and(|kind| area_of(kind) != AccessArea::Secrets)
    };
    for difference in differences.into_iter().filter(goes_back) {
        let expect = difference.before.as_ref().map_or(Expect::Absent, |object| Expect::At(object.modified));
        let value = difference.after.as_ref().or(difference.before.as_ref()).map(|object| &object.value);
        let text = value.map(|value| String::from_utf8_lossy(value).into_owned()).unwrap_or_default();
        let document = philae_policy::Document::from_json(&text).map_err(crate::documents::lookup::problems)?;
        let change = match difference.after {
            Some(_) => DocumentChange::Put(document),
            None => DocumentChange::Delete(document.reference()),
        };
        steps.push((change, expect));
    }
    Ok(steps)
}

/// `POST /api/v1/rollback`: restores the documents of a revision, as one change.
pub fn roll_back(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let rollback: Rollback = request.read()?;
    let steps = steps_back(&manager.documents, rollback.revision)?;
    if steps.is_empty() {
        return Err(ApiProblem::conflict(format!(
            "the documents already equal those of revision {}",
            rollback.revision
        )));
    }
    let mut transaction = Transaction::of(request, format!("rollback to revision {}", rollback.revision), steps)?;
    if transaction.note.reason.is_empty() {
        transaction.note.reason = format!("rollback to revision {}", rollback.revision);
    }
    confirmable(manager, transaction, rollback.confirm_within_seconds, None)
}

/// `POST /api/v1/pending/rollback`, `POST /api/v1/change-sets/{name}/rollback`: takes back a
/// pending change, or undoes a committed one.
pub fn take_back(manager: &mut Manager, request: &ApiRequest) -> Answer {
    if let Some(name) = named(request) {
        let (set, _) = found(&manager.documents, name)?;
        if set.state == ChangeSetState::Committed {
            return undo(manager, request, set);
        }
        if set.state != ChangeSetState::Pending {
            return Err(ApiProblem::conflict(format!(
                "change set '{name}' is {}; there is nothing to roll back",
                json!(set.state)
            )));
        }
    }
    let pending = pending_now(&manager.documents, named(request))?;
    let steps = steps_back(&manager.documents, pending.before)?;
    let mut transaction = Transaction::of(request, format!("rollback to revision {}", pending.before), steps)?;
    transaction.records = ending(&manager.documents, &pending, ChangeSetState::RolledBack)?;
    transaction.ends_pending = true;
    if transaction.note.reason.is_empty() {
        transaction.note.reason = format!("revision {} was not confirmed", pending.revision);
    }
    transaction.start(manager, |manager, outcome: TransactionOutcome| outcome.answer(manager))
}

/// Undoes a change set, if its documents have not been changed since.
fn undo(manager: &mut Manager, request: &ApiRequest, mut set: ChangeSet) -> Answer {
    let revision = set.revision.unwrap_or(0);
    let entry = manager.documents.store().entries_after(Revision(revision.saturating_sub(1)), 1)?;
    let entry = entry.into_iter().next().filter(|entry| entry.revision.0 == revision);
    let entry = entry
        .ok_or_else(|| ApiProblem::new(ProblemCode::Gone, format!("revision {revision} is no longer in the log")))?;
    let mut steps = Vec::new();
    for write in entry.writes.iter().filter(|write| !crate::documents::is_record(&write.key)) {
        let value = write.before.as_ref().or(write.after.as_ref()).map(|object| &object.value);
        let text = value.map(|value| String::from_utf8_lossy(value).into_owned()).unwrap_or_default();
        let document = philae_policy::Document::from_json(&text).map_err(crate::documents::lookup::problems)?;
        let expect = if write.after.is_some() { Expect::At(entry.revision) } else { Expect::Absent };
        let change = match write.before {
            Some(_) => DocumentChange::Put(document),
            None => DocumentChange::Delete(document.reference()),
        };
        steps.push((change, expect));
    }
    let mut transaction = Transaction::of(request, format!("undo change set {}", set.name), steps)?;
    set.state = ChangeSetState::RolledBack;
    transaction.records.push(kept(&set, Expect::Any)?);
    transaction.start(manager, |manager, outcome: TransactionOutcome| outcome.answer(manager))
}
