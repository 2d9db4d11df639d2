//! Documents over the API: lists, one, and changes of one.

use std::collections::BTreeMap;

use philae_intent::{Admitted, Change, Document, DocumentSet, Kind, admit_onto, merge_patch};
use serde_json::{Value, json};

use super::keep::keep;
use crate::access::{Access, Action, authorise, check_changes};
use crate::api::{Reply, Request};
use crate::bring::Effect;
use crate::manager::Manager;
use crate::problem::Problem;

pub(crate) fn kind_named(plural: &str) -> Result<Kind, Problem> {
    let found = Kind::ALL.iter().copied().find(|kind| kind.plural() == plural);
    found.ok_or_else(|| {
        let known: Vec<&str> = Kind::ALL.iter().map(|kind| kind.plural()).collect();
        Problem::not_found(format!("there are no '{plural}'; there are: {}", known.join(", ")))
    })
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
        let readable = || authorise(Access::OfKind(Action::Read), &request.actor, Some(document.kind));
        !DocumentSet::is_stock(&document.reference())
            && kind.is_none_or(|kind| kind == document.kind)
            && readable().is_ok()
    });
    let items: Vec<Value> = made.map(Document::to_value).collect();
    Ok(Reply::Json(json!({ "items": items, "revision": manager.documents.revision() })))
}

/// `GET /api/v1/{kind}`
pub fn list(manager: &mut Manager, request: &Request) -> Result<Reply, Problem> {
    let kind = kind_named(request.capture("kind"))?;
    let covered = manager.documents.set.of(kind).filter(|document| request.scope.covers(document));
    let items: Vec<Value> = covered.map(|document| shown(manager, document)).collect();
    Ok(Reply::Json(json!({ "items": items, "revision": manager.documents.revision() })))
}

/// `GET /api/v1/{kind}/{name}`
pub fn get(manager: &mut Manager, request: &Request) -> Result<Reply, Problem> {
    let kind = kind_named(request.capture("kind"))?;
    let document = existing(manager, kind, request.capture("name"))?;
    if !request.scope.covers(&document) {
        // Of other tenants it is not even said what there is.
        return Err(Problem::not_found(format!("there is no {} '{}'", kind.singular(), document.name)));
    }
    Ok(Reply::Json(shown(manager, &document)))
}

pub(crate) fn existing(manager: &Manager, kind: Kind, name: &str) -> Result<Document, Problem> {
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

pub(crate) fn problems(found: Vec<philae_intent::Problem>) -> Problem {
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
pub(crate) fn change(manager: &mut Manager, request: &Request, change: Change) -> Result<Reply, Problem> {
    let reference = change.reference();
    let dry = match request.query.get("dryRun").map(String::as_str) {
        None | Some("false") => false,
        Some("true") => true,
        Some(other) => return Err(Problem::bad_request(format!("dryRun={other}: true or false would work"))),
    };
    let changes = std::slice::from_ref(&change);
    let documents = &manager.documents;
    check_changes(&request.actor, &documents.set, changes)?;
    if reference.kind == Kind::Token {
        return Err(Problem::conflict(
            "tokens are made by POST /api/v1/tokens, which shows them once, and never changed",
        ));
    }
    let admitted = admit_onto(&documents.set, &documents.composition, changes, &*documents.names).map_err(problems)?;
    let wrong = manager.wrong_now(changes);
    if !wrong.is_empty() {
        return Err(problems(wrong));
    }
    let effect = manager.effect(&admitted, changes);
    let mut reply = blast(manager, &admitted, &effect);
    reply["dryRun"] = json!(dry);
    let permitted = manager.permitted(&effect, &admitted, changes);
    if dry {
        reply["refusedNow"] = json!(permitted.err().map(|problem| problem.detail));
        return Ok(Reply::Json(reply));
    }
    if !overrides(request)? {
        permitted?;
    }
    keep(manager, request, &change)?;
    let count = manager.documents.set.iter().count();
    manager.take_effect(admitted, effect, changes);
    reply["created"] = json!(manager.documents.set.iter().count() > count);
    reply["revision"] = json!(manager.documents.modified(&reference));
    manager.run();
    Ok(Reply::Json(reply))
}

/// Whether a change is made though no window is open.
fn overrides(request: &Request) -> Result<bool, Problem> {
    match request.query.get("override").map(String::as_str) {
        None | Some("false") => Ok(false),
        Some("true") => Ok(true),
        Some(other) => Err(Problem::bad_request(format!("override={other}: true or false would work"))),
    }
}

fn blast(manager: &Manager, admitted: &Admitted, effect: &Effect) -> Value {
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
            "sections": effect.sections().into_iter().map(|(section, switches)| (section.name(), switches)).collect::<BTreeMap<_, _>>(),
            "sentTo": effect.switches().len(),
        },
    })
}
