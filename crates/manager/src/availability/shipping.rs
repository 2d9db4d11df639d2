//! The leader's side: entries of its log for standbys, and stepping down when told.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use philae_store::{Entry, Epoch, Revision, Store, StoreError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Availability, FOLLOWS, Phase};
use crate::api::{Reply, Request};
use crate::manager::Manager;
use crate::problem::{Code, Problem};
use crate::reply::Work;

/// Entries of one page of the log.
///
/// Source: ours. Status: assumed.
const PAGE: usize = 256;

/// The longest time that the log is waited for, milliseconds.
///
/// Source: ours; as long a standby may take to notice that its leader is gone. Status: assumed.
pub(super) const WAIT_MOST_MS: u64 = 1_000;

/// The longest time that a takeover is waited for.
///
/// Source: ours; a standby that cannot reach its leader needs 10 s for that. Status: assumed.
const TAKEOVER_WITHIN: Duration = Duration::from_secs(40);

/// A page of the log.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Shipment {
    /// The epoch that the sender leads with.
    pub epoch: u64,
    /// Its newest revision.
    pub revision: u64,
    /// What its secrets are hashed to: when it changes, they are fetched again.
    pub secrets: u64,
    /// What follows the revision that was asked for.
    pub entries: Vec<Entry>,
}

fn whole(request: &Request, name: &str) -> Result<Option<u64>, Problem> {
    let Some(text) = request.query.get(name) else { return Ok(None) };
    let number = text.parse().map(Some);
    number.map_err(|_| Problem::bad_request(format!("{name}={text}: a whole number would work")))
}

fn store_of(manager: &Manager) -> Result<Arc<Store>, Problem> {
    if manager.plan.state.is_none() {
        let detail = "this manager keeps nothing, so that nobody can follow it; --state DIRECTORY would work";
        return Err(Problem::conflict(detail));
    }
    Ok(Arc::clone(manager.documents.store()))
}

/// The files of a state directory that are not in its store: the authority, the first token, the key of sessions.
pub(super) fn secrets(state: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for (folder, prefix) in [(state.to_owned(), ""), (state.join("ca"), "ca/")] {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let wanted = name != "lock" && name != FOLLOWS && !name.ends_with(".new") && entry.path().is_file();
            // The store has a way of its own.
            let of_store = prefix.is_empty() && !name.ends_with(".token") && !name.ends_with(".key");
            if wanted
                && !of_store
                && let Ok(text) = std::fs::read(entry.path())
            {
                found.insert(format!("{prefix}{name}"), text);
            }
        }
    }
    found
}

pub(super) fn hash_of(secrets: &BTreeMap<String, Vec<u8>>) -> u64 {
    let text = serde_json::to_string(secrets).expect("bytes are plain");
    let hash = ring::digest::digest(&ring::digest::SHA256, text.as_bytes());
    u64::from_be_bytes(hash.as_ref()[..8].try_into().expect("a hash has more"))
}

/// `GET /api/v1/leadership/log`: what changed after a revision, in postcard, for a standby.
pub fn give_log(manager: &mut Manager, request: &Request) -> Result<Reply, Problem> {
    let after = Revision(whole(request, "after")?.unwrap_or(0));
    let wait = Duration::from_millis(whole(request, "waitMs")?.unwrap_or(0).min(WAIT_MOST_MS));
    let store = store_of(manager)?;
    let availability = manager.availability.clone();
    if !matches!(*availability.phase(), Phase::Leads | Phase::SteppedDown { .. }) {
        return Err(availability
            .admit_change()
            .err()
            .unwrap_or_else(|| Problem::conflict("this manager does not lead yet")));
    }
    if let Some(standby) = request.query.get("standby") {
        availability.note_standby(standby, after.0);
    }
    Ok(Reply::Read(Box::new(move || {
        let gone = |error: StoreError| {
            let code = if matches!(error, StoreError::Compacted { .. }) { Code::Gone } else { Code::Conflict };
            Problem::new(code, error)
        };
        let mut entries = store.entries_after(after, PAGE).map_err(gone)?;
        if entries.is_empty() && !wait.is_zero() {
            let mut watch = store.watch(after).map_err(gone)?;
            if let Some(entry) = watch.next_within(wait).map_err(gone)? {
                entries.push(Entry::clone(&entry));
            }
        }
        let snapshot = store.snapshot();
        // Who has yielded sends the rest of what it made with the epoch that it had.
        let epoch = entries.last().map_or(0, |entry| entry.epoch.0);
        let epoch = if snapshot.is_leader() { snapshot.epoch().0 } else { epoch };
        let secrets = availability.0.state.as_deref().map_or(0, |state| hash_of(&secrets(state)));
        let shipment = Shipment { epoch, revision: snapshot.revision().0, secrets, entries };
        Ok(Reply::Bytes(postcard::to_stdvec(&shipment).expect("entries in memory can be written to memory")))
    })))
}

/// `GET /api/v1/leadership/secrets`: the authority and the first token, for a standby that may have to stand in.
pub fn give_secrets(manager: &mut Manager, _: &Request) -> Result<Reply, Problem> {
    let state = manager.availability.0.state.clone();
    let state = state.ok_or_else(|| Problem::conflict("this manager keeps nothing"))?;
    Ok(Reply::Json(json!(secrets(&state))))
}

/// `GET /api/v1/leadership`
pub fn show(manager: &mut Manager, _: &Request) -> Result<Reply, Problem> {
    Ok(Reply::Json(manager.availability.shown(manager.documents.store())))
}

/// `POST /api/v1/leadership/yield`: steps down for one that takes over.
pub fn yield_to(manager: &mut Manager, request: &Request) -> Result<Reply, Problem> {
    let body = &request.body;
    let asked = body["epoch"].as_u64();
    let asked = asked.ok_or_else(|| {
        Problem::bad_request(format!(
            "epoch is {}; {{\"epoch\": 1048577, \"leader\": \"http://...\"}} would work",
            body["epoch"]
        ))
    })?;
    let leader = body["leader"].as_str().map(str::to_owned);
    manager.availability.admit_change()?;
    let store = store_of(manager)?;
    let known = store.snapshot().epoch();
    if Epoch(asked) <= known {
        return Err(Problem::conflict(format!(
            "epoch {asked} does not rise above {known}; {} or more would work",
            known.0 + 1
        )));
    }
    let failed =
        |error: StoreError| Problem::conflict(format!("it cannot be written down that epoch {asked} leads: {error}"));
    store.learn_epoch(Epoch(asked)).wait().map_err(failed)?;
    manager.availability.step_down(&format!("epoch {asked} has taken over"), leader);
    manager.rest();
    Ok(Reply::Json(json!({ "epoch": asked, "revision": store.snapshot().revision().0 })))
}

/// `POST /api/v1/leadership/takeover`: this standby leads from now on.
pub fn take_over(manager: &mut Manager, _: &Request) -> Result<Reply, Problem> {
    let availability: Availability = manager.availability.clone();
    Ok(Reply::Read(Box::new(move || {
        let took = availability.order_takeover(TAKEOVER_WITHIN)?;
        let answer: Value = json!({
            "epoch": took.epoch,
            "revision": took.revision,
            "complete": took.complete,
            "behindRevisions": took.behind,
        });
        Ok(Reply::Json(answer))
    })))
}

/// The answer to a change; where that was asked for, only once a standby has it.
pub fn confirmed(manager: &Manager, before: u64, request: &Request, reply: Reply) -> Reply {
    let (availability, store) = (manager.availability.clone(), Arc::clone(manager.documents.store()));
    match reply {
        _ if !availability.confirms() => reply,
        Reply::Work(work) => Reply::Work(waiting(work, before, availability, store)),
        // The answer of the first attempt: that one may not have been confirmed.
        reply if request.idempotency_key.is_some() => Reply::Read(Box::new(move || {
            availability.confirmed(store.snapshot().revision().0)?;
            Ok(reply)
        })),
        reply => reply,
    }
}

/// Work that ends only once a standby has what it wrote.
fn waiting(work: Work, before: u64, availability: Availability, store: Arc<Store>) -> Work {
    let (again, kept) = (availability.clone(), Arc::clone(&store));
    Work::new(
        move || {
            let then = work.run();
            let revision = store.snapshot().revision().0;
            let confirmed = if revision > before { availability.confirmed(revision) } else { Ok(()) };
            (then, confirmed)
        },
        move |manager, (then, confirmed)| match (then(manager), confirmed) {
            (Ok(Reply::Work(next)), Ok(())) => Ok(Reply::Work(waiting(next, before, again, kept))),
            (Ok(_), Err(problem)) => Err(problem),
            (answer, _) => answer,
        },
    )
}
