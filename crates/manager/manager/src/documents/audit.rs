//! Entries of the audit: changes, orders and refusals, with the fields that differ.

use philae_policy::DocumentKind;
use philae_store::{EntryWrite, LogEntry, Object};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::documents::keep::ORDERS;

/// One field that differs.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FieldDifference {
    /// The field, as a JSON pointer.
    pub pointer: String,
    /// The value before; absent if there was none.
    pub before: Option<Value>,
    /// The value after; absent if it was removed.
    pub after: Option<Value>,
}

/// One document, or one record of the manager, that differs.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
#[schemars(rename = "Changed")]
pub struct ChangedRecord {
    /// Its kind; those of records begin with a dot.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// created, changed or deleted.
    pub what: &'static str,
    /// The fields that differ.
    pub fields: Vec<FieldDifference>,
}

pub(crate) fn value_of(object: Option<&Object>) -> Value {
    object.and_then(|object| serde_json::from_slice(&object.value).ok()).unwrap_or_default()
}

pub(crate) fn changed(kind: &str, name: &str, before: Option<&Object>, after: Option<&Object>) -> ChangedRecord {
    let mut fields = Vec::new();
    compare(&value_of(before), &value_of(after), String::new(), &mut fields);
    let what = match (before, after) {
        (None, _) => "created",
        (_, None) => "deleted",
        _ => "changed",
    };
    ChangedRecord { kind: kind.to_owned(), name: name.to_owned(), what, fields }
}

/// Compares objects field by field, and lists as a whole, because the index of an entry means
/// nothing by itself.
pub(crate) fn compare(before: &Value, after: &Value, pointer: String, fields: &mut Vec<FieldDifference>) {
    if before == after {
        return;
    }
    let empty = serde_json::Map::new();
    let (old, new) = match (before, after) {
        (Value::Object(old), Value::Object(new)) => (old, new),
        (Value::Null, Value::Object(new)) => (&empty, new),
        (Value::Object(old), Value::Null) => (old, &empty),
        _ => {
            let present = |value: &Value| Some(value.clone()).filter(|value| !value.is_null());
            fields.push(FieldDifference { pointer, before: present(before), after: present(after) });
            return;
        }
    };
    let mut keys: Vec<&String> = old.keys().chain(new.keys()).collect();
    keys.sort();
    keys.dedup();
    for key in keys.into_iter().filter(|key| !pointer.is_empty() || !["kind", "name"].contains(&key.as_str())) {
        let at = |table: &serde_json::Map<String, Value>| table.get(key).cloned().unwrap_or_default();
        compare(&at(old), &at(new), format!("{pointer}{}", philae_policy::pointer_step(key)), fields);
    }
}

/// An order, as the audit keeps it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct OrderView {
    /// GET's opposite: POST, PATCH, ...
    pub method: String,
    /// What it was given to.
    pub path: String,
    /// What was said beside.
    pub body: Value,
}

/// One change, order or refusal.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct AuditEntry {
    /// Its revision; none where nothing was changed.
    pub revision: Option<u64>,
    /// The time of the change, microseconds since 1970.
    pub at_micros: u64,
    /// The user or token that made the change.
    pub actor: String,
    /// The request that it belonged to.
    pub request_id: String,
    /// Why, in words.
    pub reason: String,
    /// done or refused.
    pub outcome: &'static str,
    /// The order, if it was one.
    pub order: Option<OrderView>,
    /// Changes of documents and of the manager's own records, whose kinds begin with a dot.
    pub changes: Vec<ChangedRecord>,
    /// Why it was refused: the problem's code and detail.
    pub refusal: Option<String>,
}

/// Whether an order concerns secrets, by its path.
pub(crate) fn is_secret(path: &str) -> bool {
    ["tokens", "join-tokens", "certificates", "role-bindings", "leadership"]
        .iter()
        .any(|part| path.strip_prefix("/api/v1/").is_some_and(|path| path.starts_with(part)))
}

/// An entry as a caller may see it: changes of secrets, and the bodies of orders about them, are
/// only for roles that manage secrets.
pub(crate) fn audited(entry: &LogEntry, keeps_secrets: bool) -> AuditEntry {
    let order = entry.writes.iter().find(|write| write.key.kind() == ORDERS).map(|write| {
        let value = value_of(write.after.as_ref());
        let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
        let path = text("path");
        let body = if keeps_secrets || !is_secret(&path) { value["body"].clone() } else { Value::Null };
        OrderView { method: text("method"), path, body }
    });
    let is_open = |kind: &str| {
        keeps_secrets
            || !DocumentKind::parse(kind)
                .is_some_and(|kind| matches!(kind, DocumentKind::Token | DocumentKind::RoleBinding))
    };
    let shown = |write: &&EntryWrite| write.key.kind() != ORDERS && is_open(write.key.kind());
    AuditEntry {
        revision: Some(entry.revision.0),
        at_micros: entry.at,
        actor: entry.actor.clone(),
        request_id: entry.request_id.clone(),
        reason: entry.reason.clone(),
        outcome: "done",
        order,
        changes: entry
            .writes
            .iter()
            .filter(shown)
            .map(|write| changed(write.key.kind(), write.key.name(), write.before.as_ref(), write.after.as_ref()))
            .collect(),
        refusal: None,
    }
}
