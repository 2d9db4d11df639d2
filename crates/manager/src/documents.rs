//! Documents: kept durably, admitted before they count, and brought to the ports that they are about.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use philae_agent::{Section, SectionItems};
use philae_control::Input;
use philae_intent::{
    Admitted, Change, Composition, ConfigId, Document, DocumentRef, DocumentSet, Kind, admit_onto, merge_patch,
};
use philae_store::{Expect, Key, Options, Revision, Store, StoreError};
use philae_units::{PortIndex, SwitchId};
use serde_json::{Value, json};

use crate::api::{Reply, Request};
use crate::manager::Manager;
use crate::names::FabricNames;
use crate::problem::Problem;

/// What the operator wants, and where it is kept.
#[derive(Debug)]
pub struct Documents {
    set: DocumentSet,
    composition: Composition,
    /// Nothing where documents are forgotten when the manager ends.
    store: Option<Store>,
    names: Arc<FabricNames>,
}

/// Documents that cannot be taken from where they are kept.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The store cannot be opened.
    #[error("{}: {error}", .path.display())]
    Store {
        /// Where it is.
        path: PathBuf,
        /// Why.
        error: StoreError,
    },
    /// A kept document is none.
    #[error("{}: {document}: {problem}", .path.display())]
    Document {
        /// Where the store is.
        path: PathBuf,
        /// Which.
        document: String,
        /// What is wrong with it.
        problem: String,
    },
}

impl Documents {
    /// Those that are kept in a directory, with the epoch of a manager that begins now; only the built-in ones where none is
    /// named, for a manager of epoch 1.
    ///
    /// # Errors
    /// When the store cannot be opened, or a document in it does not fit this version or this fabric.
    pub fn open(names: Arc<FabricNames>, directory: Option<&Path>) -> Result<(Self, u64), StateError> {
        let mut set = DocumentSet::default();
        let mut epoch = 1;
        let mut store = None;
        if let Some(path) = directory {
            let failed = |error| StateError::Store { path: path.to_owned(), error };
            let opened = Store::open(path, Options::default()).map_err(failed)?;
            epoch = opened.promote().wait().map_err(failed)?.0;
            let snapshot = opened.snapshot();
            let mut changes = Vec::new();
            for (key, object) in snapshot.iter() {
                let name = format!("{} {}", key.kind(), key.name());
                let text = String::from_utf8_lossy(&object.value);
                let document = Document::from_json(&text).map_err(|problems| StateError::Document {
                    path: path.to_owned(),
                    document: name,
                    problem: problems.first().map_or_else(String::new, ToString::to_string),
                })?;
                changes.push(Change::Put(document));
            }
            set = set.changed(&changes);
            store = Some(opened);
        }
        let composition = Composition::whole(&set, &*names);
        Ok((Self { set, composition, store, names }, epoch))
    }

    /// All documents.
    #[must_use]
    pub const fn set(&self) -> &DocumentSet {
        &self.set
    }

    /// What follows from them for each port.
    #[must_use]
    pub const fn composition(&self) -> &Composition {
        &self.composition
    }

    /// Revision of the last change; 0 where nothing is kept.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.store.as_ref().map_or(0, |store| store.snapshot().revision().0)
    }

    /// The revision that last wrote a document; built-in ones have none.
    fn modified(&self, reference: &DocumentRef) -> Option<u64> {
        let key = Key::new(reference.kind.singular(), &reference.name).ok()?;
        self.store.as_ref()?.snapshot().get(&key).map(|object| object.modified.0)
    }

    /// What the ports of a switch are to be.
    #[must_use]
    pub fn ports_section(&self, switch: SwitchId, encoded: &mut BTreeMap<ConfigId, Arc<[u8]>>) -> SectionItems {
        let ports = self.names.0.ports_of(switch).map(PortIndex);
        let items = ports.map(|port| {
            let id = self.composition.port_config_id(port);
            let value = encoded.entry(id).or_insert_with(|| {
                serde_json::to_vec(self.composition.port(port)).expect("a configuration is plain").into()
            });
            (u64::from(self.names.0.number_of(port).0), Arc::clone(value))
        });
        items.collect()
    }
}

impl Manager {
    /// Tells the judgement what some switches' ports are to be.
    pub(crate) fn bring(&mut self, switches: impl IntoIterator<Item = SwitchId>) {
        let mut encoded = BTreeMap::new();
        for switch in switches {
            let section = Arc::new(self.documents.ports_section(switch, &mut encoded));
            let now_ms = self.plant.now_ms();
            self.plant.control.handle(now_ms, Input::Desired(switch, Section::Ports, section));
        }
    }
}

/// Kinds whose documents reach switches: what ports are set to follows from them.
const BROUGHT: [Kind; 5] = [Kind::PortPolicy, Kind::LinkPolicy, Kind::Port, Kind::Link, Kind::Vlan];

fn kind_named(plural: &str) -> Result<Kind, Problem> {
    let found = Kind::ALL.iter().copied().find(|kind| kind.plural() == plural);
    found.ok_or_else(|| {
        let known: Vec<&str> = Kind::ALL.iter().map(|kind| kind.plural()).collect();
        Problem::not_found(format!("there are no '{plural}'; there are: {}", known.join(", ")))
    })
}

/// Microseconds since 1970.
fn now_micros() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_micros() as u64)
}

fn shown(manager: &Manager, document: &Document) -> Value {
    let reference = document.reference();
    let mut value = document.to_value();
    value["stock"] = json!(DocumentSet::is_stock(&reference));
    value["revision"] = json!(manager.documents.modified(&reference));
    value
}

/// `GET /api/v1/documents`
pub fn all(manager: &mut Manager, request: &Request) -> Result<Reply, Problem> {
    let kind = request.query.get("kind").map(|kind| kind_named(kind)).transpose()?;
    let made = manager.documents.set.iter().filter(|document| {
        !DocumentSet::is_stock(&document.reference()) && kind.is_none_or(|kind| kind == document.kind)
    });
    let items: Vec<Value> = made.map(Document::to_value).collect();
    Ok(Reply::Json(json!({ "items": items, "revision": manager.documents.revision() })))
}

/// `GET /api/v1/{kind}`
pub fn list(manager: &mut Manager, request: &Request) -> Result<Reply, Problem> {
    let kind = kind_named(request.capture("kind"))?;
    let items: Vec<Value> = manager.documents.set.of(kind).map(|document| shown(manager, document)).collect();
    Ok(Reply::Json(json!({ "items": items, "revision": manager.documents.revision() })))
}

/// `GET /api/v1/{kind}/{name}`
pub fn get(manager: &mut Manager, request: &Request) -> Result<Reply, Problem> {
    let kind = kind_named(request.capture("kind"))?;
    let document = existing(manager, kind, request.capture("name"))?;
    Ok(Reply::Json(shown(manager, &document)))
}

fn existing(manager: &Manager, kind: Kind, name: &str) -> Result<Document, Problem> {
    let found = manager.documents.set.get(kind, name).cloned();
    found.ok_or_else(|| {
        let known = manager.documents.set.of(kind).map(|document| document.name.as_str());
        let nearest =
            philae_intent::nearest(name, known).map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
        Problem::not_found(format!("there is no {} '{name}'{nearest}", kind.singular()))
    })
}

/// The document that a body is: its kind and name may be left out, since the path has them.
fn written(kind: Kind, request: &Request) -> Result<Document, Problem> {
    let mut body = request.body.clone();
    if !body.is_object() {
        return Err(Problem::bad_request("the body is no object; {\"spec\": {...}} would work"));
    }
    let name = request.capture("name");
    for (key, expected) in [("kind", kind.singular()), ("name", name)] {
        match body.get(key).and_then(Value::as_str) {
            None => body[key] = json!(expected),
            Some(found) if found == expected => {}
            Some(found) => {
                return Err(Problem::bad_request(format!("the body's {key} is '{found}', the path's '{expected}'")));
            }
        }
    }
    // What `GET` adds may stay where somebody sends it back.
    for key in ["stock", "revision"] {
        body.as_object_mut().expect("it was looked at above").remove(key);
    }
    Document::from_value(&body).map_err(problems)
}

fn problems(found: Vec<philae_intent::Problem>) -> Problem {
    let detail: Vec<String> = found.iter().map(ToString::to_string).collect();
    let details = found.iter().map(|problem| {
        json!({
            "code": problem.code.code(),
            "document": problem.document.as_ref().map(ToString::to_string),
            "pointer": problem.pointer,
            "detail": problem.to_string(),
        })
    });
    let title = "The documents would not fit together";
    Problem { status: 422, code: "document.invalid", title, detail: detail.join("\n"), problems: details.collect() }
}

/// `PUT /api/v1/{kind}/{name}`
pub fn put(manager: &mut Manager, request: &Request) -> Result<Reply, Problem> {
    let kind = kind_named(request.capture("kind"))?;
    let document = written(kind, request)?;
    change(manager, request, Change::Put(document))
}

/// `PATCH /api/v1/{kind}/{name}`
pub fn patch(manager: &mut Manager, request: &Request) -> Result<Reply, Problem> {
    let kind = kind_named(request.capture("kind"))?;
    let document = existing(manager, kind, request.capture("name"))?;
    let document = merge_patch(&document, &request.body).map_err(problems)?;
    change(manager, request, Change::Put(document))
}

/// `DELETE /api/v1/{kind}/{name}`
pub fn delete(manager: &mut Manager, request: &Request) -> Result<Reply, Problem> {
    let kind = kind_named(request.capture("kind"))?;
    let document = existing(manager, kind, request.capture("name"))?;
    change(manager, request, Change::Delete(document.reference()))
}

/// Admits a change, keeps it, and brings it to the switches; only the first of these for a dry run.
fn change(manager: &mut Manager, request: &Request, change: Change) -> Result<Reply, Problem> {
    let reference = change.reference();
    let dry = match request.query.get("dryRun").map(String::as_str) {
        None | Some("false") => false,
        Some("true") => true,
        Some(other) => return Err(Problem::bad_request(format!("dryRun={other}: true or false would work"))),
    };
    let documents = &manager.documents;
    let admitted = admit_onto(&documents.set, &documents.composition, std::slice::from_ref(&change), &*documents.names)
        .map_err(problems)?;
    let mut reply = blast(manager, &admitted);
    reply["dryRun"] = json!(dry);
    if dry {
        return Ok(Reply::Json(reply));
    }
    if !BROUGHT.contains(&reference.kind) {
        let known: Vec<&str> = BROUGHT.iter().map(|kind| kind.plural()).collect();
        return Err(Problem::conflict(format!(
            "nothing brings {} to switches yet, so that none are kept; {} are, and dryRun=true checks any",
            reference.kind.plural(),
            known.join(", ")
        )));
    }
    keep(manager, request, &change)?;
    let (Admitted { set, composition, blast, .. }, count) = (admitted, manager.documents.set.iter().count());
    manager.documents.set = set;
    manager.documents.composition = composition;
    manager.bring(blast.switches);
    reply["created"] = json!(manager.documents.set.iter().count() > count);
    reply["revision"] = json!(manager.documents.modified(&reference));
    manager.plant.run();
    Ok(Reply::Json(reply))
}

/// Writes a change to the disk, where there is one.
fn keep(manager: &Manager, request: &Request, change: &Change) -> Result<(), Problem> {
    let Some(store) = &manager.documents.store else { return Ok(()) };
    let reference = change.reference();
    let key = Key::new(reference.kind.singular(), &reference.name).map_err(Problem::bad_request)?;
    let expect = match request.if_match.as_deref().map(|tag| tag.trim_matches('"')) {
        None => Expect::Any,
        Some("*") => Expect::Present,
        Some(tag) => match tag.parse() {
            Ok(revision) => Expect::At(Revision(revision)),
            Err(_) => return Err(Problem::bad_request(format!("If-Match: {tag}: a revision or * would work"))),
        },
    };
    let mut written = philae_store::Change::new("local", now_micros());
    written = match change {
        Change::Put(document) => written.put(key, expect, document.to_value().to_string().as_bytes()),
        Change::Delete(_) => written.delete(key, expect),
    };
    if let Some(once) = &request.idempotency_key {
        written = written.once(once);
    }
    store.commit(written).map(|_| ()).map_err(|error| {
        let (status, code, title) = match &error {
            StoreError::Precondition { .. } => (412, "document.changed", "The document is not as it was expected"),
            StoreError::IdempotencyConflict { .. } => {
                (409, "idempotency.conflict", "The key was used for something else")
            }
            StoreError::Busy { .. } => (503, "store.busy", "Too much waits for the disk"),
            StoreError::Invalid(_) | StoreError::Key(_) => (400, "request.invalid", "The request is not valid"),
            StoreError::Fenced { .. } => (409, "manager.fenced", "Another manager leads"),
            _ => (507, "store.failed", "The change could not be kept"),
        };
        Problem { status, code, title, detail: error.to_string(), problems: Vec::new() }
    })
}

fn blast(manager: &Manager, admitted: &Admitted) -> Value {
    let blast = &admitted.blast;
    let groups: Vec<[u32; 2]> = blast.groups_cut_off.iter().map(|(one, other)| [one.0, other.0]).collect();
    let first: Vec<String> = blast.switches.iter().take(10).map(|&switch| manager.switch_name(switch)).collect();
    json!({
        "warnings": admitted.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "blastRadius": {
            "ports": blast.ports.len(),
            "switches": blast.switches.len(),
            "firstSwitches": first,
            "links": blast.links.len(),
            "groupPairsCutOff": groups,
        },
    })
}

/// `GET /api/v1/explain/port/{name}`
pub fn explain_port(manager: &mut Manager, request: &Request) -> Result<Reply, Problem> {
    let name = request.capture("name");
    let port = manager.fabric.port_by_name(name).map_err(Problem::not_found)?;
    let switch = manager.fabric.switch_of(port);
    let now_ms = manager.plant.now_ms();
    let view = manager.plant.control.device(switch);
    let ports = view.sections.iter().find(|found| found.0 == Section::Ports);
    let fields = manager
        .documents
        .composition
        .explain_port(port)
        .into_iter()
        .map(|(pointer, value, origin)| json!({ "field": pointer, "value": value, "from": origin.to_string() }));
    Ok(Reply::Json(json!({
        "port": manager.port_name(port),
        "fields": fields.collect::<Vec<_>>(),
        "applied": ports.is_some_and(|found| found.1 == found.2),
        "switchState": view.state.name(),
        "switchCause": view.cause.to_string(),
        "forSeconds": now_ms.saturating_sub(view.since_ms) as f64 / 1e3,
        "nextTryInSeconds": ports.and_then(|found| found.4).map(|at| at.saturating_sub(now_ms) as f64 / 1e3),
    })))
}
