//! The change that waits for its confirmation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::Actor;
use crate::documents::Documents;
use crate::documents::keep::{PENDING, record};
use crate::protocol::request::ApiRequest;

/// A change that waits for its confirmation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[serde(rename = "Pending")]
pub struct PendingChange {
    /// The revision to which it is taken back.
    pub before: u64,
    /// Its own revision; 0 until it is kept.
    #[serde(default)]
    pub revision: u64,
    /// Until when it can be confirmed, microseconds since 1970.
    pub until_micros: u64,
    /// The change set that it was, if it was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change_set: Option<String>,
    /// Who made it.
    pub actor: String,
}

pub(crate) const PENDING_NAME: &str = "change";

/// The change that waits for its confirmation, if there is one.
#[must_use]
pub fn pending(documents: &Documents) -> Option<PendingChange> {
    let snapshot = documents.store().snapshot();
    let object = snapshot.get(&record(PENDING, PENDING_NAME).ok()?)?;
    let mut pending: PendingChange = serde_json::from_slice(&object.value).ok()?;
    pending.revision = object.modified.0;
    Some(pending)
}

/// The manager's own request to take back a change that was not confirmed in time.
#[must_use]
pub fn overdue(documents: &Documents, now_micros: u64) -> Option<ApiRequest> {
    let pending = pending(documents).filter(|pending| pending.until_micros <= now_micros)?;
    Some(ApiRequest {
        method: "POST".to_owned(),
        path: "/api/v1/pending/rollback".to_owned(),
        actor: Actor::process(),
        request_id: format!("unconfirmed-{}", pending.revision),
        ..ApiRequest::default()
    })
}
