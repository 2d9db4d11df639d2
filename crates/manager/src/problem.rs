//! What is wrong with a request, as `application/problem+json` (RFC 9457) with a stable code.

use serde::Serialize;

/// An error that a client gets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
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
    pub problems: Vec<serde_json::Value>,
}

impl Problem {
    /// The request makes no sense.
    #[must_use]
    pub fn bad_request(detail: impl ToString) -> Self {
        Self {
            status: 400,
            code: "request.invalid",
            title: "The request is not valid",
            detail: detail.to_string(),
            problems: Vec::new(),
        }
    }

    /// There is no such thing.
    #[must_use]
    pub fn not_found(detail: impl ToString) -> Self {
        Self {
            status: 404,
            code: "resource.not-found",
            title: "There is no such thing",
            detail: detail.to_string(),
            problems: Vec::new(),
        }
    }

    /// The thing exists and cannot be used so.
    #[must_use]
    pub fn method_not_allowed(detail: impl ToString) -> Self {
        Self {
            status: 405,
            code: "method.not-allowed",
            title: "Not with this method",
            detail: detail.to_string(),
            problems: Vec::new(),
        }
    }

    /// It cannot be done in the state that there is.
    #[must_use]
    pub fn conflict(detail: impl ToString) -> Self {
        Self {
            status: 409,
            code: "state.conflict",
            title: "Not in this state",
            detail: detail.to_string(),
            problems: Vec::new(),
        }
    }
}
