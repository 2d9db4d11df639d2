//! The leader's side: gives standbys the entries of its log, and steps down on request.

use std::sync::Arc;
use std::time::Duration;

use philae_policy::{DocumentKind, Role, Spec};
use philae_store::{Change, DocumentKey, Epoch, Expect, Hash, LogEntry, Revision, Store, StoreError};
use serde_json::{Value, json};

use crate::access::{AccessArea, AccessKind, RequiredAccess};
use crate::availability::seal::{SealRequest, seal, unhex};
use crate::availability::secrets::{hash_of, secrets};
use crate::availability::shipment::{Shipment, WAIT_MOST_MS};
use crate::availability::{Availability, ChangeDurability, ManagerRole, held};
use crate::clock::now_micros;
use crate::documents::Documents;
use crate::documents::history;
use crate::manager::Manager;
use crate::protocol::endpoint::{ApiEndpoint, get, post};
use crate::protocol::problem::{ApiProblem, ProblemCode};
use crate::protocol::reply::{Reply, Work};
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::{Content, any};

/// Most entries of one page of the log.
///
/// Source: ours. Status: assumed.
const PAGE: usize = 256;

/// The longest time that a request for a takeover waits.
///
/// Source: ours; a standby that cannot reach its leader needs 10 s for that. Status: assumed.
const TAKEOVER_WITHIN: Duration = Duration::from_secs(40);

/// Why a leader has no page of its log for a standby.
#[derive(Debug)]
pub(super) enum NoPage {
    /// The standby has another history.
    Parted(String),
    /// The log does not reach back so far, or the disk failed.
    Store(StoreError),
}

/// Checks that a standby with this hash at a revision has this leader's history.
pub(super) fn same_history(store: &Store, after: Revision, head: Option<Hash>) -> Result<(), NoPage> {
    let Some(head) = head.filter(|_| after > Revision(0)) else { return Ok(()) };
    let snapshot = store.snapshot();
    if after > snapshot.revision() {
        let newest = snapshot.revision();
        return Err(NoPage::Parted(format!(
            "the histories differ: revision {after} is unknown here, the newest is {newest}"
        )));
    }
    match store.hash_at(after).map_err(NoPage::Store)? {
        Some(ours) if ours == head => Ok(()),
        Some(_) => Err(NoPage::Parted(format!("the histories differ at revision {after} or before it"))),
        None => Err(NoPage::Store(StoreError::Compacted { asked: after, oldest: snapshot.oldest() })),
    }
}

/// The entries after a revision, at most one page.
pub(super) fn page(store: &Store, after: Revision) -> Result<Vec<LogEntry>, StoreError> {
    store.entries_after(after, PAGE)
}

fn whole(request: &ApiRequest, name: &str) -> Result<Option<u64>, ApiProblem> {
    let Some(text) = request.query.get(name) else { return Ok(None) };
    let number = text.parse().map(Some);
    number.map_err(|_| ApiProblem::bad_request(format!("{name}={text}: a whole number would work")))
}

fn store_of(manager: &Manager) -> Result<Arc<Store>, ApiProblem> {
    if manager.process.plan.state.is_none() {
        let detail = "this manager has no state directory, so no standby can follow it; --state DIRECTORY would work";
        return Err(ApiProblem::conflict(detail));
    }
    Ok(Arc::clone(manager.documents.store()))
}

/// `GET /api/v1/leadership/log`: the changes after a revision, in postcard, for a standby.
pub fn give_log(manager: &mut Manager, request: &ApiRequest) -> Result<Reply, ApiProblem> {
    let after = Revision(whole(request, "after")?.unwrap_or(0));
    let wait = Duration::from_millis(whole(request, "waitMs")?.unwrap_or(0).min(WAIT_MOST_MS));
    let store = store_of(manager)?;
    let availability = manager.availability.clone();
    if !matches!(*availability.phase(), ManagerRole::Leads | ManagerRole::SteppedDown { .. }) {
        return Err(availability
            .admit_change()
            .err()
            .unwrap_or_else(|| ApiProblem::conflict("this manager does not lead yet")));
    }
    let head = match request.query.get("head") {
        None => None,
        Some(text) => {
            let hash = unhex(text).and_then(|bytes| bytes.try_into().ok()).map(Hash);
            Some(hash.ok_or_else(|| {
                ApiProblem::bad_request("head: the hash of an entry, 64 hexadecimal letters, would work")
            })?)
        }
    };
    let leads = matches!(*availability.phase(), ManagerRole::Leads);
    same_history(&store, after, head).map_err(|why| match why {
        // The history of a manager that has stepped down decides nothing.
        NoPage::Parted(why) if leads => ApiProblem::new(ProblemCode::Parted, why),
        NoPage::Parted(why) => ApiProblem::new(ProblemCode::SteppedDown, why),
        NoPage::Store(error) => gone(error),
    })?;
    let standby = request.query.get("standby").cloned();
    // A standby that does not show its history may have another one.
    if let Some(standby) = standby.as_ref().filter(|_| head.is_some() || after == Revision(0)) {
        availability.note_standby(standby, after.0, whole(request, "secrets")?.unwrap_or(0));
        let version = request.user_agent.as_deref().and_then(|agent| agent.strip_prefix("philae-manager/"));
        availability.note_version(standby, version);
    }
    Ok(Reply::Read(Box::new(move || {
        let mut entries = page(&store, after).map_err(gone)?;
        if entries.is_empty() && !wait.is_zero() {
            let mut watch = store.watch(after).map_err(gone)?;
            if let Some(entry) = watch.next_within(wait).map_err(gone)? {
                entries.push(LogEntry::clone(&entry));
            }
        }
        let snapshot = store.snapshot();
        // A manager that has yielded sends the rest of its changes with the epoch that they were
        // made in.
        let epoch = entries.last().map_or(0, |entry| entry.epoch.0);
        let epoch = if snapshot.is_leader() { snapshot.epoch().0 } else { epoch };
        let secrets = availability.0.state.as_deref().map_or(0, |state| hash_of(&secrets(state)));
        let usable = standby.is_some_and(|standby| held(&availability.0.steps).usable().contains(&standby));
        let shipment = Shipment { epoch, revision: snapshot.revision().0, secrets, entries, usable };
        Ok(Reply::Bytes(postcard::to_stdvec(&shipment).expect("entries in memory can be written to memory")))
    })))
}

fn gone(error: StoreError) -> ApiProblem {
    let code = if matches!(error, StoreError::Compacted { .. }) { ProblemCode::Gone } else { ProblemCode::Conflict };
    ApiProblem::new(code, error)
}

/// `GET /api/v1/leadership/copy`: the whole store, for a standby without a store or with another
/// history.
pub fn give_copy(manager: &mut Manager, request: &ApiRequest) -> Result<Reply, ApiProblem> {
    manager.availability.admit_change()?;
    history::backup(manager, request)
}

/// The kind of the records that bind a standby's token to its key.
const STANDBY_KEYS: &str = ".standby-keys";

/// Binds a token to the key of the standby that uses it first.
fn bind(documents: &Documents, request: &ApiRequest, key: &str) -> Result<(), ApiProblem> {
    let (name, set) = (request.actor.name(), documents.set());
    let Some(token) = set.get(DocumentKind::Token, name).filter(|_| !request.actor.has(Role::Admin)) else {
        return Ok(());
    };
    let Spec::Token(spec) = &token.spec else { return Ok(()) };
    let record = DocumentKey::new(STANDBY_KEYS, name).map_err(|error| ApiProblem::conflict(error.to_string()))?;
    let wanted = json!({ "key": key, "token": spec.hash });
    let store = documents.store();
    let known: Option<Value> =
        store.snapshot().get(&record).and_then(|object| serde_json::from_slice(&object.value).ok());
    match known {
        Some(known) if known == wanted => Ok(()),
        // The name was used before; the token is another one now.
        Some(known) if known["token"] == wanted["token"] => {
            let detail = format!(
                "the token '{name}' is bound to the key of another standby; one for each standby: philae fabric tokens make NAME --role \
                 standby"
            );
            Err(ApiProblem::new(ProblemCode::Forbidden, detail))
        }
        _ => {
            let text = wanted.to_string().into_bytes();
            store.commit(Change::new(name, now_micros()).put(record, Expect::Any, &text))?;
            Ok(())
        }
    }
}

/// `POST /api/v1/leadership/secrets`: the authority and the first token, for a standby that may
/// have to lead, sealed for it.
pub fn give_secrets(manager: &mut Manager, request: &ApiRequest) -> Result<Reply, ApiProblem> {
    let state = manager.availability.0.state.clone();
    let state = state.ok_or_else(|| ApiProblem::conflict("this manager keeps nothing"))?;
    manager.availability.admit_change()?;
    let asked: SealRequest = request.read()?;
    let plain = serde_json::to_vec(&secrets(&state)).expect("bytes are plain");
    let sealed = seal(&asked, &plain).map_err(ApiProblem::bad_request)?;
    bind(&manager.documents, request, &asked.key)?;
    Ok(Reply::of(&sealed))
}

/// `GET /api/v1/leadership`
pub fn show(manager: &mut Manager, _: &ApiRequest) -> Result<Reply, ApiProblem> {
    Ok(Reply::Json(manager.availability.shown(manager.documents.store())))
}

/// `POST /api/v1/leadership/yield`: steps down for a manager that takes over.
pub fn yield_to(manager: &mut Manager, request: &ApiRequest) -> Result<Reply, ApiProblem> {
    let body = &request.body;
    let asked = body["epoch"].as_u64();
    let asked = asked.ok_or_else(|| {
        ApiProblem::bad_request(format!(
            "epoch is {}; {{\"epoch\": 1048577, \"leader\": \"http://...\"}} would work",
            body["epoch"]
        ))
    })?;
    let leader = body["leader"].as_str().map(str::to_owned);
    manager.availability.admit_change()?;
    let store = store_of(manager)?;
    let known = store.snapshot().epoch();
    if Epoch(asked) <= known {
        return Err(ApiProblem::conflict(format!(
            "epoch {asked} is not above {known}; {} or more would work",
            known.0 + 1
        )));
    }
    let failed = |error: StoreError| ApiProblem::conflict(format!("cannot record that epoch {asked} leads: {error}"));
    store.learn_epoch(Epoch(asked)).wait().map_err(failed)?;
    manager.availability.hold_off(Some(manager.availability.two_lives()));
    manager.availability.step_down(&format!("epoch {asked} has taken over"), leader);
    manager.rest();
    Ok(Reply::Json(json!({ "epoch": asked, "revision": store.snapshot().revision().0 })))
}

/// `POST /api/v1/leadership/takeover`: makes this standby lead.
pub fn take_over(manager: &mut Manager, request: &ApiRequest) -> Result<Reply, ApiProblem> {
    let availability: Availability = manager.availability.clone();
    let accept_loss = match &request.body["acceptLoss"] {
        Value::Null => false,
        value => value.as_bool().ok_or_else(|| {
            ApiProblem::bad_request(format!("acceptLoss is {value}; true takes over although changes may be lost"))
        })?,
    };
    Ok(Reply::Read(Box::new(move || {
        let took = availability.order_takeover(accept_loss, TAKEOVER_WITHIN)?;
        let answer: Value = json!({
            "epoch": took.epoch,
            "revision": took.revision,
            "complete": took.complete,
            "behindRevisions": took.behind,
        });
        Ok(Reply::Json(answer))
    })))
}

/// The conditions for the answer to a change.
#[derive(Clone)]
struct Confirming {
    availability: Availability,
    store: Arc<Store>,
    /// The newest revision before the change.
    before: u64,
    /// The change is one of the authority, which is stored next to the documents.
    of_authority: bool,
}

impl Confirming {
    /// Waits, and returns where the change is stored; `None` if nothing was changed.
    fn wait(&self) -> Result<Option<ChangeDurability>, ApiProblem> {
        let revision = self.store.snapshot().revision().0;
        if revision <= self.before && !self.of_authority {
            return Ok(None);
        }
        let kept = self.availability.confirmed(revision)?;
        Ok(Some(if self.of_authority { self.availability.secrets_shipped(kept) } else { kept }))
    }

    /// Work that ends only once standbys have what it wrote.
    fn after(self, work: Work) -> Work {
        let again = self.clone();
        Work::new(
            move || {
                let then = work.run();
                (then, self.wait())
            },
            move |manager, (then, confirmed)| match (then(manager), confirmed) {
                (Ok(Reply::Work(next)), Ok(_)) => Ok(Reply::Work(again.after(next))),
                (Ok(reply), Ok(Some(kept))) => Ok(reply.kept(kept)),
                (Ok(_), Err(problem)) => Err(problem),
                (answer, _) => answer,
            },
        )
    }
}

/// The answer to a change, once every standby that may take over has it, with where the change is
/// stored.
pub fn confirmed(manager: &Manager, before: u64, request: &ApiRequest, reply: Reply) -> Reply {
    let availability = manager.availability.clone();
    if !availability.confirms() {
        return reply;
    }
    // A repeated request gets the answer of the first attempt, which may not have been confirmed.
    let before = if request.idempotency_key.is_some() { 0 } else { before };
    let of_authority =
        ["/api/v1/certificates", "/api/v1/join-tokens"].iter().any(|path| request.path.starts_with(path));
    let confirming = Confirming { availability, store: Arc::clone(manager.documents.store()), before, of_authority };
    match reply {
        Reply::Work(work) => Reply::Work(confirming.after(work)),
        // The order is on the disk; its effect on switches is waited for elsewhere.
        Reply::Wait(waiting) => Reply::Wait(waiting),
        reply => Reply::Read(Box::new(move || {
            let kept = confirming.wait()?;
            Ok(match kept {
                Some(kept) => reply.kept(kept),
                None => reply,
            })
        })),
    }
}

const STANDBY: RequiredAccess = RequiredAccess::Of(AccessArea::Standby, AccessKind::Write);

const OPERATED: RequiredAccess = RequiredAccess::Of(AccessArea::Secrets, AccessKind::Write);

/// An order about the leadership, or a request between managers.
const fn between(
    path: &'static str,
    summary: &'static str,
    run: fn(&mut Manager, &ApiRequest) -> Result<Reply, ApiProblem>,
    who: RequiredAccess,
) -> ApiEndpoint {
    post(path, summary, run).asks_only().keys(&[]).body(any).json(any).for_whom(who).errors(&[409, 503])
}

/// Requests between managers, and requests and orders of operators about the leadership.
pub const ENDPOINTS: &[ApiEndpoint] = &[
    get("/api/v1/leadership", "Whether this manager leads, and the revisions of its standbys.", &[], show).json(any),
    between("/api/v1/leadership/takeover", "Makes this standby the leader.", take_over, OPERATED),
    between("/api/v1/leadership/yield", "Steps down for another manager.", yield_to, STANDBY),
    get(
        "/api/v1/leadership/log",
        "Changes after a revision, for a standby.",
        &[
            ("after", "a revision; absent: all"),
            ("head", "the hash of that revision's entry: the history must be the same"),
            ("waitMs", "milliseconds to wait for the next change, at most 1000"),
            ("standby", "name of the standby: everything up to 'after' is on its disk"),
            ("secrets", "hash of the standby's copy of the authority"),
        ],
        give_log,
    )
    .content(Content::File)
    .for_whom(STANDBY)
    .errors(&[409, 410, 503]),
    get("/api/v1/leadership/copy", "The whole store, for a standby without this history.", &[], give_copy)
        .content(Content::File)
        .for_whom(STANDBY)
        .errors(&[503, 507]),
    between(
        "/api/v1/leadership/secrets",
        "The secrets that a standby needs to take over, sealed to its key.",
        give_secrets,
        STANDBY,
    ),
];
