//! The common parts of all changes: guards, retries that change nothing twice, and the audit.

pub mod run;

use std::collections::{BTreeMap, VecDeque};

use serde_json::Value;

use crate::clock::now_micros;
use crate::documents::audit::{AuditEntry, OrderView};
use crate::protocol::meta::Meta;
use crate::protocol::problem::ApiProblem;
use crate::protocol::request::ApiRequest;

/// Attempts whose answers are kept.
///
/// Source: ours. Status: assumed.
const ATTEMPTS: usize = 4_096;

/// Refusals that are kept.
///
/// Source: ours. Status: assumed.
const REFUSALS: usize = 1_000;

/// An attempt with an idempotency key, and its answer.
#[derive(Clone, Debug)]
struct Attempt {
    /// Of method, path, query and body.
    hash: u64,
    answer: Value,
    meta: Meta,
}

/// The kept attempts and refusals.
#[derive(Debug, Default)]
pub struct Mutations {
    attempts: BTreeMap<(String, String), Attempt>,
    order: VecDeque<(String, String)>,
    refused: VecDeque<AuditEntry>,
}

impl Mutations {
    /// Refused changes, oldest first.
    pub fn refused(&self) -> impl DoubleEndedIterator<Item = &AuditEntry> {
        self.refused.iter()
    }

    fn remember(&mut self, who: (String, String), attempt: Attempt) {
        if self.attempts.insert(who.clone(), attempt).is_none() {
            self.order.push_back(who);
        }
        if self.order.len() > ATTEMPTS
            && let Some(oldest) = self.order.pop_front()
        {
            self.attempts.remove(&oldest);
        }
    }

    fn refuse(&mut self, request: &ApiRequest, problem: &ApiProblem) {
        self.refused.push_back(AuditEntry {
            revision: None,
            at_micros: now_micros(),
            actor: request.actor.name().to_owned(),
            request_id: request.request_id.clone(),
            reason: request.query.get("reason").cloned().unwrap_or_default(),
            outcome: "refused",
            order: Some(OrderView { method: request.method.clone(), path: request.path.clone(), body: Value::Null }),
            changes: Vec::new(),
            refusal: Some(format!("{}: {}", problem.code, problem.detail)),
        });
        if self.refused.len() > REFUSALS {
            self.refused.pop_front();
        }
    }
}
