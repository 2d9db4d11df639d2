//! Documents over the API: lists, single documents, and changes of one or many.

use std::collections::BTreeMap;
use std::sync::Arc;

use philae_policy::{
    Document, DocumentChange, DocumentKind, DocumentRef, DocumentSet, GroupId, Patch, PortRole, Selector, Subject,
};
use philae_store::{Expect, Revision, Snapshot};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::access::{AccessKind, RequiredAccess, may_read};
use crate::clock::now_micros;
use crate::documents::keep::{expected, key_of};
use crate::documents::lookup::{existing, kind_named, problems};
use crate::documents::status::{DocumentView, document_of, status_of};
use crate::documents::transaction::{Transaction, TransactionOutcome};
use crate::manager::Manager;
use crate::protocol::endpoint;
use crate::protocol::endpoint::{
    AFTER, ApiEndpoint, DRY, FIELDS, FORCE, NAME, OVERRIDE, PAGE, REASON, REVISION, SELECTOR, SORT, STATUS, TIMEOUT,
    WAIT, write,
};
use crate::protocol::list::{Listing, condition};
use crate::protocol::problem::{ApiProblem, ProblemCode};
use crate::protocol::reply::{Answer, Reply};
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::of;

/// The endpoints of this resource.
pub const ENDPOINTS: &[ApiEndpoint] = &[
    endpoint::get(
        "/api/v1/documents",
        "Documents of all kinds that users made or changed.",
        &[("kind", "of this kind only"), NAME, SELECTOR, REVISION, STATUS, PAGE, AFTER, FIELDS, SORT],
        list_all,
    )
    .lines(of::<DocumentList>, of::<DocumentView>)
    .errors(&[404, 409, 410]),
    endpoint::get("/api/v1/documents/{kind}/{name}", "One document, with its status.", &[REVISION], get)
        .json(of::<DocumentView>)
        .for_whom(RequiredAccess::OfKind(AccessKind::Read))
        .errors(&[404, 409, 410]),
    endpoint::get(
        "/api/v1/{kind}",
        "Documents of a kind, such as port-policies.",
        &[NAME, SELECTOR, REVISION, STATUS, PAGE, AFTER, FIELDS, SORT],
        list,
    )
    .lines(of::<DocumentList>, of::<DocumentView>)
    .for_whom(RequiredAccess::OfKind(AccessKind::Read))
    .errors(&[404, 409, 410]),
    ApiEndpoint {
        query: &[NAME, SELECTOR, DRY, OVERRIDE, FORCE, REASON, WAIT, TIMEOUT],
        ..write(
            "PATCH",
            "/api/v1/{kind}",
            "Changes fields of all selected documents together (JSON merge patch, or JSON patch).",
            patch_many,
        )
    }
    .for_whom(RequiredAccess::OfKind(AccessKind::Write)),
    endpoint::get("/api/v1/{kind}/{name}", "One document, with its status.", &[REVISION], get)
        .json(of::<DocumentView>)
        .for_whom(RequiredAccess::OfKind(AccessKind::Read))
        .errors(&[404, 409, 410]),
    write("PUT", "/api/v1/{kind}/{name}", "Makes or replaces a document.", put)
        .for_whom(RequiredAccess::OfKind(AccessKind::Write)),
    write("PATCH", "/api/v1/{kind}/{name}", "Changes fields of a document (JSON merge patch, or JSON patch).", patch)
        .for_whom(RequiredAccess::OfKind(AccessKind::Write)),
    write("DELETE", "/api/v1/{kind}/{name}", "Deletes a document.", delete)
        .for_whom(RequiredAccess::OfKind(AccessKind::Delete)),
];

/// The state that a request asks for: the present one, or that of an earlier revision.
enum Moment {
    Now(Arc<DocumentSet>, Snapshot),
    Then(Snapshot),
}

impl Moment {
    fn read(self) -> Result<(Arc<DocumentSet>, Snapshot), ApiProblem> {
        match self {
            Self::Now(set, snapshot) => Ok((set, snapshot)),
            Self::Then(snapshot) => {
                let set = crate::documents::documents_of(&snapshot).map_err(|(document, problem)| {
                    ApiProblem::new(
                        ProblemCode::Gone,
                        format!("{document} of that revision is not valid in this version: {problem}"),
                    )
                })?;
                Ok((Arc::new(set), snapshot))
            }
        }
    }
}

/// A document, as selectors see it: its name and its labels.
struct Labelled<'a>(&'a Document);

impl Subject for Labelled<'_> {
    fn role(&self) -> Option<PortRole> {
        None
    }

    fn group(&self) -> Option<GroupId> {
        None
    }

    fn model(&self) -> Option<&str> {
        None
    }

    fn label(&self, key: &str) -> Option<&str> {
        self.0.labels.get(key).map(String::as_str)
    }

    fn switch_name(&self, _: &mut dyn FnMut(&str) -> bool) -> bool {
        false
    }

    fn name(&self, look: &mut dyn FnMut(&str) -> bool) -> bool {
        look(&self.0.name)
    }
}

/// Conditions on documents: `name` (with `*` and `?`) and `selector` (names and labels).
fn conditions(request: &ApiRequest) -> Result<Vec<Selector>, ApiProblem> {
    let mut conditions = Vec::new();
    if let Some(name) = request.query.get("name") {
        conditions.push(condition(&format!("name={name}"))?);
    }
    if let Some(text) = request.query.get("selector") {
        conditions.push(condition(text)?);
    }
    Ok(conditions)
}

fn fits(conditions: &[Selector], document: &Document) -> bool {
    conditions.iter().all(|selector| selector.matches(&Labelled(document)))
}

/// The revision in the query.
fn revision_asked(request: &ApiRequest) -> Result<Option<u64>, ApiProblem> {
    let Some(text) = request.query.get("revision") else { return Ok(None) };
    let number = text.parse().map(Some);
    number.map_err(|_| ApiProblem::bad_request(format!("revision={text}: a whole number would work")))
}

/// The cursor of the previous page: a name, or `KIND/NAME` in a list of all kinds. The document
/// need not exist any more.
fn place(kind: Option<DocumentKind>, after: &str) -> Result<(DocumentKind, String), ApiProblem> {
    if let Some(kind) = kind {
        return Ok((kind, after.to_owned()));
    }
    let found = after.split_once('/').and_then(|(kind, name)| Some((DocumentKind::parse(kind)?, name.to_owned())));
    found.ok_or_else(|| {
        ApiProblem::bad_request(format!("after={after}: KINDS/NAME would work, such as port-policies/a"))
    })
}

/// Most documents of a list whose status is computed, if the query asks for it.
///
/// Source: ours: more than fit a screen. Status: assumed.
const STATUS_MOST: usize = 200;

/// Seconds since a revision; `None` if the log does not reach back so far.
fn age(store: &philae_store::Store, revision: Revision) -> Option<f64> {
    let entries = store.entries_after(Revision(revision.0.checked_sub(1)?), 1).ok()?;
    let entry = entries.first().filter(|entry| entry.revision == revision)?;
    Some(now_micros().saturating_sub(entry.at) as f64 / 1e6)
}

fn documents(manager: &Manager, request: &ApiRequest, kind: Option<DocumentKind>, stock: bool) -> Answer {
    let listing = Listing::of(request)?;
    let conditions = conditions(request)?;
    let asked = revision_asked(request)?;
    let store = Arc::clone(manager.documents.store());
    let set = manager.documents.set_shared();
    let newest = store.snapshot().revision().0;
    let tag = asked.unwrap_or(newest);
    let (actor, scope) = (request.actor.clone(), request.scope.clone());
    let mut statuses = BTreeMap::new();
    if request.flag("status")? {
        if asked.is_some_and(|revision| revision != newest) {
            return Err(ApiProblem::bad_request("status=true shows the present; without a revision it would work"));
        }
        let wanted = set.iter().filter(|document| {
            kind.is_none_or(|kind| document.kind == kind)
                && (stock || !DocumentSet::is_stock(&document.reference()))
                && scope.covers(document)
                && fits(&conditions, document)
        });
        for document in wanted.take(STATUS_MOST) {
            statuses.insert(document.reference(), status_of(manager, &document.reference()));
        }
    }
    let read = Reply::Read(Box::new(move || {
        let moment = match asked {
            Some(revision) if revision != newest => Moment::Then(store.at(Revision(revision))?),
            _ => Moment::Now(set, store.snapshot()),
        };
        let (set, snapshot) = moment.read()?;
        let after = match listing.after.as_deref().filter(|_| !listing.is_sorted()) {
            None => None,
            Some(after) => Some(place(kind, after)?),
        };
        let chosen = set.iter().filter(|document| {
            kind.is_none_or(|kind| document.kind == kind)
                && (stock || !DocumentSet::is_stock(&document.reference()))
                && (stock || may_read(&actor, document.kind))
                && scope.covers(document)
        });
        let rows: Vec<DocumentView> = chosen
            .filter(|document| {
                after.as_ref().is_none_or(|(kind, name)| (document.kind, &document.name) > (*kind, name))
            })
            .filter(|document| fits(&conditions, document))
            .map(|document| {
                let kept = key_of(&document.reference()).ok().and_then(|key| snapshot.get(&key).cloned());
                let mut view = DocumentView::of(document, kept.as_ref());
                if let Some(status) = statuses.remove(&document.reference()) {
                    view.status = Some(status);
                    view.age_seconds = kept.and_then(|kept| age(&store, kept.modified));
                }
                view
            })
            .collect();
        let more = Map::from_iter([("revision".to_owned(), json!(snapshot.revision().0))]);
        let cursor: fn(&DocumentView) -> String = match kind {
            Some(_) => |row| row.name.clone(),
            None => |row| {
                let plural = DocumentKind::parse(&row.kind).map_or("", DocumentKind::plural);
                format!("{plural}/{}", row.name)
            },
        };
        listing.answer(rows.into_iter(), cursor, more)
    }));
    Ok(read.etag(tag))
}

/// `GET /api/v1/{kind}`
pub fn list(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let kind = kind_named(request.capture("kind"))?;
    documents(manager, request, Some(kind), true)
}

/// `GET /api/v1/documents`
pub fn list_all(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let kind = match request.query.get("kind") {
        Some(text) => Some(DocumentKind::parse(text).map_or_else(|| kind_named(text), Ok)?),
        None => None,
    };
    documents(manager, request, kind, false)
}

/// `GET /api/v1/{kind}/{name}`, `GET /api/v1/documents/{kind}/{name}`
pub fn get(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let kind = kind_named(request.capture("kind"))?;
    let name = request.capture("name").to_owned();
    let Some(revision) = revision_asked(request)? else {
        covered(request, existing(&manager.documents, kind, &name)?)?;
        let view = document_of(manager, kind, &name).expect("it was found above");
        let tag = view.revision.unwrap_or(0);
        return Ok(Reply::of(&view).etag(tag));
    };
    let store = Arc::clone(manager.documents.store());
    let scope = request.scope.clone();
    Ok(Reply::Read(Box::new(move || {
        let (set, snapshot) = Moment::Then(store.at(Revision(revision))?).read()?;
        let document = set.get(kind, &name).filter(|document| scope.covers(document));
        let document = document.ok_or_else(|| {
            ApiProblem::not_found(format!("at revision {revision} there was no {} '{name}'", kind.singular()))
        })?;
        let kept = key_of(&document.reference()).ok().and_then(|key| snapshot.get(&key).cloned());
        Ok(Reply::of(&DocumentView::of(document, kept.as_ref())).etag(kept.map_or(0, |object| object.modified.0)))
    })))
}

/// A document, if it is within the request's scope. A caller does not even learn which documents
/// other tenants have.
fn covered(request: &ApiRequest, document: Document) -> Result<Document, ApiProblem> {
    if request.scope.covers(&document) {
        return Ok(document);
    }
    Err(ApiProblem::not_found(format!("there is no {} '{}'", document.kind.singular(), document.name)))
}

/// Removes the fields that `GET` adds to a document, which a client may send back.
pub(crate) fn without_answers(body: &mut Value) {
    if let Some(body) = body.as_object_mut() {
        for key in ["stock", "revision", "status", "ageSeconds"] {
            body.remove(key);
        }
    }
}

/// The document in a body, which may omit kind and name because the path has them.
fn written(kind: DocumentKind, request: &ApiRequest) -> Result<Document, ApiProblem> {
    let mut body = request.body.clone();
    if !body.is_object() {
        return Err(ApiProblem::bad_request("the body is not an object; {\"spec\": {...}} would work"));
    }
    let name = request.capture("name");
    for (key, expected) in [("kind", kind.singular()), ("name", name)] {
        match body.get(key) {
            None => body[key] = json!(expected),
            Some(found) if found == expected => {}
            Some(found) => {
                return Err(ApiProblem::bad_request(format!("the body's {key} is {found}, the path's \"{expected}\"")));
            }
        }
    }
    without_answers(&mut body);
    Document::from_value(&body).map_err(problems)
}

/// Changes one document in this thread: for handlers that need the change done before they
/// continue.
///
/// # Errors
/// All that is wrong with it.
pub(crate) fn change(manager: &mut Manager, request: &ApiRequest, wanted: DocumentChange) -> Answer {
    begin(manager, request, wanted)?.finish(manager)
}

/// Begins a change of one document.
fn begin(manager: &Manager, request: &ApiRequest, change: DocumentChange) -> Answer {
    let reference = change.reference();
    let what = format!("{} {reference}", if matches!(change, DocumentChange::Put(_)) { "put" } else { "delete" });
    let transaction = Transaction::of(request, what, vec![(change, expected(request)?)])?;
    transaction.start(manager, |manager, outcome: TransactionOutcome| outcome.answer(manager))
}

/// `PUT /api/v1/{kind}/{name}`
pub fn put(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let kind = kind_named(request.capture("kind"))?;
    let document = written(kind, request)?;
    begin(manager, request, DocumentChange::Put(document))
}

/// The patch in a body: a JSON patch if the type says so, else a JSON merge patch.
fn patch_of(request: &ApiRequest) -> Patch {
    let is_list = request.content_type.as_deref().is_some_and(|kind| kind.starts_with("application/json-patch+json"));
    if is_list { Patch::Json(request.body.clone()) } else { Patch::Merge(request.body.clone()) }
}

/// `PATCH /api/v1/{kind}/{name}`
pub fn patch(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let kind = kind_named(request.capture("kind"))?;
    let document = covered(request, existing(&manager.documents, kind, request.capture("name"))?)?;
    let document = patch_of(request).apply(&document).map_err(problems)?;
    begin(manager, request, DocumentChange::Put(document))
}

/// `PATCH /api/v1/{kind}`: changes all selected documents, or none.
pub fn patch_many(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let kind = kind_named(request.capture("kind"))?;
    let conditions = conditions(request)?;
    if conditions.is_empty() {
        return Err(ApiProblem::bad_request("the query has neither name nor selector; name=* would select all"));
    }
    let patch = patch_of(request);
    let (mut steps, mut wrong) = (Vec::new(), Vec::new());
    let snapshot = manager.documents.store().snapshot();
    for document in manager
        .documents
        .set()
        .of(kind)
        .filter(|document| request.scope.covers(document) && fits(&conditions, document))
    {
        let reference = document.reference();
        if DocumentSet::is_stock(&reference) {
            continue;
        }
        match patch.apply(document) {
            Ok(document) => {
                let found = snapshot.get(&key_of(&reference)?).map(|object| object.modified);
                steps.push((DocumentChange::Put(document), found.map_or(Expect::Absent, Expect::At)));
            }
            Err(problems) => wrong.extend(problems),
        }
    }
    if !wrong.is_empty() {
        return Err(problems(wrong));
    }
    if steps.is_empty() {
        return Err(ApiProblem::not_found(format!("no {} is selected", kind.singular())));
    }
    let what = format!("patch {} {}", steps.len(), kind.plural());
    let transaction = Transaction::of(request, what, steps)?;
    transaction.start(manager, |manager, outcome: TransactionOutcome| outcome.answer(manager))
}

/// `DELETE /api/v1/{kind}/{name}`
pub fn delete(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let kind = kind_named(request.capture("kind"))?;
    let document = covered(request, existing(&manager.documents, kind, request.capture("name"))?)?;
    begin(manager, request, DocumentChange::Delete(document.reference()))
}

/// One step of a change of several documents.
#[derive(Clone, Debug, serde::Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[serde(rename = "Step")]
pub enum ChangeStep {
    /// This document, new or in place of the one of its name.
    Put(Value),
    /// No document of this name.
    Delete(DocumentRef),
}

/// The changes of the steps, or all errors of all steps.
///
/// # Errors
/// All that is wrong.
pub fn changes_of(steps: &[ChangeStep]) -> Result<Vec<(DocumentChange, Expect)>, ApiProblem> {
    let (mut changes, mut wrong) = (Vec::new(), Vec::new());
    for step in steps {
        match step {
            ChangeStep::Put(value) => {
                let mut value = value.clone();
                without_answers(&mut value);
                match Document::from_value(&value) {
                    Ok(document) => changes.push((DocumentChange::Put(document), Expect::Any)),
                    Err(problems) => wrong.extend(problems),
                }
            }
            ChangeStep::Delete(reference) => changes.push((DocumentChange::Delete(reference.clone()), Expect::Any)),
        }
    }
    if wrong.is_empty() { Ok(changes) } else { Err(problems(wrong)) }
}

/// A page of documents.
#[derive(serde::Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct DocumentList {
    /// Its items.
    pub items: Vec<DocumentView>,
    /// Beginning of the next page (`after`), if there is one.
    pub next: Option<String>,
    /// The revision that they are of.
    pub revision: u64,
}
