//! The last refused connections and calls, for the operator.

use std::collections::VecDeque;
use std::net::SocketAddr;

/// A refused connection or call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedCall {
    /// Time, seconds since 1970.
    pub at: u64,
    /// The other end's address, if known.
    pub from: Option<SocketAddr>,
    /// The reason.
    pub why: String,
    /// If it came with an expired certificate of this authority: the names of switches in it,
    /// patterns among them, and its expiry, seconds since 1970.
    pub ended: Option<(Vec<String>, u64)>,
}

/// Number of refusals that are kept.
const MOST: usize = 64;

/// The last refusals, and the number of all.
#[derive(Debug, Default)]
pub struct RefusedCalls {
    count: u64,
    last: VecDeque<RefusedCall>,
}

impl RefusedCalls {
    /// Adds a refusal.
    pub fn note(&mut self, refused: RefusedCall) {
        self.count += 1;
        if self.last.len() >= MOST {
            self.last.pop_front();
        }
        self.last.push_back(refused);
    }

    /// The number of all refusals, and the last ones, oldest first.
    pub fn all(&self) -> (u64, Vec<RefusedCall>) {
        (self.count, self.last.iter().cloned().collect())
    }
}
