//! Who was refused, for whoever has to know.

use std::collections::VecDeque;
use std::net::SocketAddr;

/// Somebody who was not let in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// When, seconds since 1970.
    pub at: u64,
    /// Where from, where that is known.
    pub from: Option<SocketAddr>,
    /// Why.
    pub why: String,
    /// Whose certificate it was, where it is one of this authority that has ended: the names of
    /// switches, patterns among them, and the end, seconds since 1970.
    pub ended: Option<(Vec<String>, u64)>,
}

/// How many are remembered.
const MOST: usize = 64;

/// The last ones, and how many there were.
#[derive(Debug, Default)]
pub struct Refusals {
    count: u64,
    last: VecDeque<Refused>,
}

impl Refusals {
    /// One more.
    pub fn note(&mut self, refused: Refused) {
        self.count += 1;
        if self.last.len() >= MOST {
            self.last.pop_front();
        }
        self.last.push_back(refused);
    }

    /// How many there were, and the last ones, the newest last.
    pub fn all(&self) -> (u64, Vec<Refused>) {
        (self.count, self.last.iter().cloned().collect())
    }
}
