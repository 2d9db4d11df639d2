//! A request, independent of its transport.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::access::{Actor, Scope};
use crate::protocol::problem::ApiProblem;

/// The longest wait for an answer, seconds.
///
/// Source: ours. Status: assumed.
pub const WAIT_MOST_SECONDS: usize = 3_600;

/// A request, independent of its transport.
#[derive(Clone, Debug, Default)]
pub struct ApiRequest {
    /// "GET", "POST", "PATCH".
    pub method: String,
    /// Path, without the query.
    pub path: String,
    /// The query's keys and values.
    pub query: BTreeMap<String, String>,
    /// The body; null if there is none.
    pub body: Value,
    /// The revision that the document must have (`If-Match`).
    pub if_match: Option<String>,
    /// A name for this attempt (`Idempotency-Key`): the same again changes nothing more.
    pub idempotency_key: Option<String>,
    /// The caller; unknown by default.
    pub actor: Actor,
    /// The address of the caller, if the request came over the network.
    pub from: Option<IpAddr>,
    /// The scope of the caller's permission; set by [`begin`].
    pub scope: Scope,
    /// The type of the body (`Content-Type`).
    pub content_type: Option<String>,
    /// The type of the answer (`Accept`).
    pub accept: Option<String>,
    /// The last event that the client has seen (`Last-Event-ID`).
    pub last_event: Option<String>,
    /// The client program (`User-Agent`).
    pub user_agent: Option<String>,
    /// The request's name in the audit and in logs (`X-Request-Id`, or drawn here).
    pub request_id: String,
    /// The part of the path for each `{name}` of the endpoint; set by [`begin`].
    pub captures: BTreeMap<&'static str, String>,
}

impl ApiRequest {
    /// The part of the path for a name of the endpoint.
    #[must_use]
    pub fn capture(&self, name: &str) -> &str {
        self.captures.get(name).map_or("", String::as_str)
    }

    /// A number in the query.
    ///
    /// # Errors
    /// When it is not a number, or above `most`.
    pub fn number(&self, name: &str, default: usize, most: usize) -> Result<usize, ApiProblem> {
        let Some(text) = self.query.get(name) else { return Ok(default) };
        let number = text.parse().ok().filter(|number| (1..=most).contains(number));
        number.ok_or_else(|| ApiProblem::bad_request(format!("{name}={text}: a number from 1 to {most} would work")))
    }

    /// Any whole number in the query.
    ///
    /// # Errors
    /// When it is not a whole number.
    pub fn whole(&self, name: &str) -> Result<Option<u64>, ApiProblem> {
        let Some(text) = self.query.get(name) else { return Ok(None) };
        let number = text.parse().map(Some);
        number.map_err(|_| ApiProblem::bad_request(format!("{name}={text}: a whole number would work")))
    }

    /// A truth value in the query; false if it is absent.
    ///
    /// # Errors
    /// When it is neither true nor false.
    pub fn flag(&self, name: &str) -> Result<bool, ApiProblem> {
        match self.query.get(name).map(String::as_str) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(other) => Err(ApiProblem::bad_request(format!("{name}={other}: true or false would work"))),
        }
    }

    /// The body as a type.
    ///
    /// # Errors
    /// When it does not match the type, with the place.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, ApiProblem> {
        serde_json::from_value(self.body.clone())
            .map_err(|error| ApiProblem::bad_request(format!("the body does not fit this request: {error}")))
    }

    /// The body as a type; the type's default without a body.
    ///
    /// # Errors
    /// When it does not match the type, with the place.
    pub fn read_or_default<T: DeserializeOwned + Default>(&self) -> Result<T, ApiProblem> {
        if self.body.is_null() { Ok(T::default()) } else { self.read() }
    }
}

/// The wait for an answer in the query.
///
/// # Errors
/// When the query is invalid.
pub fn patience(request: &ApiRequest) -> Result<Option<Duration>, ApiProblem> {
    let timeout = request.number("timeout", 30, WAIT_MOST_SECONDS)?;
    match request.query.get("wait").map(String::as_str) {
        None => Ok(None),
        Some("applied") => Ok(Some(Duration::from_secs(timeout as u64))),
        Some(other) => Err(ApiProblem::bad_request(format!("wait={other}: applied would work"))),
    }
}
