//! Errors of requests, as `application/problem+json` (RFC 9457) with a stable code.

use philae_store::StoreError;
use schemars::JsonSchema;
use serde::Serialize;

macro_rules! codes {
    ($($(#[$meta:meta])* $variant:ident, $status:literal, $code:literal, $title:literal;)*) => {
        /// The kind of problem: one table, on which clients can rely. The text of
        /// [`ProblemCode::code`] stays the same from version to version.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum ProblemCode {
            $($(#[$meta])* $variant,)*
        }

        impl ProblemCode {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The word that programs compare.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Self::$variant => $code,)* }
            }

            /// Its HTTP status.
            #[must_use]
            pub const fn status(self) -> u16 {
                match self { $(Self::$variant => $status,)* }
            }

            /// A title for people.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }
        }
    };
}

codes! {
    /// The request is invalid.
    RequestInvalid, 400, "request.invalid", "The request is not valid";
    /// Tokens are exchanged for client credentials only.
    GrantType, 400, "auth.grant-type", "This kind of grant is not supported";
    /// The caller is unknown.
    AuthRequired, 401, "auth.required", "The caller is not known";
    /// The token is not valid.
    WrongToken, 401, "auth.wrong-token", "The token is not valid";
    /// The role does not allow this.
    Forbidden, 403, "auth.forbidden", "The role does not permit this";
    /// Not found.
    NotFound, 404, "resource.not-found", "Not found";
    /// The thing exists, but not with this method.
    MethodNotAllowed, 405, "method.not-allowed", "The method is not allowed";
    /// The body did not come in time.
    TooSlow, 408, "request.too-slow", "The body arrived too slowly";
    /// The present state does not allow it.
    Conflict, 409, "state.conflict", "Not possible in this state";
    /// The requested revision does not exist yet.
    RevisionNotReached, 409, "revision.not-reached", "The revision does not exist yet";
    /// A committed change waits for its confirmation.
    Unconfirmed, 409, "change-set.unconfirmed", "A change waits for confirmation";
    /// An idempotency key was used for something else.
    IdempotencyConflict, 409, "idempotency.conflict", "The key was used for another request";
    /// A freeze is active.
    Frozen, 409, "change.frozen", "Not allowed at this time";
    /// Pairs of switches would lose each other.
    CutsOff, 409, "change.cuts-off", "Traffic would be lost";
    /// No maintenance window is open.
    OutsideWindow, 409, "change.outside-window", "Not allowed at this time";
    /// A standby has another history than its leader.
    Parted, 409, "history.parted", "The histories differ";
    /// Another manager leads.
    Fenced, 409, "manager.fenced", "Another manager leads";
    /// The requested data is no longer kept.
    Gone, 410, "revision.gone", "This is no longer stored";
    /// A document, or the fabric, is not as `If-Match` says.
    Changed, 412, "document.changed", "A precondition failed";
    /// The body is too large.
    TooLarge, 413, "request.too-large", "The body is too large";
    /// The body has a type that is not supported.
    MediaType, 415, "request.media-type", "The body is of another type";
    /// The documents are invalid; each with its errors.
    DocumentInvalid, 422, "document.invalid", "The documents are not consistent";
    /// The caller sends too many requests.
    TooMany, 429, "request.too-many", "Too many requests";
    /// The manager has a fault, and continues.
    Internal, 500, "manager.fault", "The manager has a fault";
    /// Too many requests wait.
    Busy, 503, "manager.busy", "Too many requests at the same time";
    /// Tables have not been published yet.
    NotReady, 503, "manager.not-ready", "Not yet";
    /// This manager follows another one.
    Follows, 503, "manager.follows", "Another manager leads";
    /// This manager is about to lead.
    TakingOver, 503, "manager.taking-over", "Not yet";
    /// This manager no longer leads.
    SteppedDown, 503, "manager.stepped-down", "Another manager leads";
    /// No standby has the change yet.
    NotConfirmed, 503, "change.not-confirmed", "It is not acknowledged";
    /// The manager stops.
    Stopping, 503, "manager.stopping", "Stopping";
    /// Too many changes wait for the disk.
    StoreBusy, 503, "store.busy", "Too many changes wait for the disk";
    /// The authority could not store a change.
    AuthorityFailed, 507, "authority.failed", "The authority could not save the change";
    /// No multicast tree is left.
    NoTree, 507, "collectives.no-tree", "No tree is free";
    /// The store could not write.
    StoreFailed, 507, "store.failed", "It could not be saved";
}

/// An error that a client gets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
pub struct ApiProblem {
    /// HTTP status.
    pub status: u16,
    /// A word that stays the same, for programs.
    pub code: &'static str,
    /// What kind of problem it is.
    pub title: &'static str,
    /// What was asked, what was found, what would work.
    pub detail: String,
    /// Each of several problems by itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Option<Vec<ProblemPart>>")]
    pub problems: Vec<serde_json::Value>,
}

/// One of several problems.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ProblemPart {
    /// A word that stays the same: one of the codes of documents' problems.
    pub code: String,
    /// The document that it is in, as `kind 'name'`.
    pub document: Option<String>,
    /// The place in the document (JSON pointer).
    pub pointer: String,
    /// What was asked, what was found, what would work.
    pub detail: String,
}

impl ApiProblem {
    /// A problem of the table.
    #[must_use]
    pub fn new(code: ProblemCode, detail: impl ToString) -> Self {
        Self {
            status: code.status(),
            code: code.code(),
            title: code.title(),
            detail: detail.to_string(),
            problems: Vec::new(),
        }
    }

    /// An invalid request.
    #[must_use]
    pub fn bad_request(detail: impl ToString) -> Self {
        Self::new(ProblemCode::RequestInvalid, detail)
    }

    #[must_use]
    pub fn not_found(detail: impl ToString) -> Self {
        Self::new(ProblemCode::NotFound, detail)
    }

    /// The thing exists, but not with this method.
    #[must_use]
    pub fn method_not_allowed(detail: impl ToString) -> Self {
        Self::new(ProblemCode::MethodNotAllowed, detail)
    }

    /// The present state does not allow it.
    #[must_use]
    pub fn conflict(detail: impl ToString) -> Self {
        Self::new(ProblemCode::Conflict, detail)
    }
}

impl From<StoreError> for ApiProblem {
    fn from(error: StoreError) -> Self {
        let code = match &error {
            StoreError::Precondition { .. } => ProblemCode::Changed,
            StoreError::IdempotencyConflict { .. } => ProblemCode::IdempotencyConflict,
            StoreError::Busy { .. } => ProblemCode::StoreBusy,
            StoreError::Invalid(_) | StoreError::Key(_) => ProblemCode::RequestInvalid,
            StoreError::Fenced { .. } => ProblemCode::Fenced,
            StoreError::Compacted { .. } | StoreError::Slow { .. } => ProblemCode::Gone,
            StoreError::Future { .. } => ProblemCode::RevisionNotReached,
            StoreError::Occupied { .. } => ProblemCode::Conflict,
            StoreError::Closed => ProblemCode::Stopping,
            StoreError::Follow(_)
            | StoreError::Disk { .. }
            | StoreError::Damaged { .. }
            | StoreError::DamagedBackup { .. }
            | StoreError::NewerFormat { .. }
            | StoreError::InUse { .. } => ProblemCode::StoreFailed,
        };
        Self::new(code, error)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn codes_are_unique_and_their_statuses_are_errors() {
        let codes: BTreeSet<&str> = ProblemCode::ALL.iter().map(|code| code.code()).collect();
        assert_eq!(codes.len(), ProblemCode::ALL.len());
        assert!(ProblemCode::ALL.iter().all(|code| (400..600).contains(&code.status())));
    }
}
