//! Isolates ports that pause too long.
//!
//! A NIC that has stopped accepting frames blocks its switch, that switch blocks its neighbours,
//! and in the end the whole fabric stops. Therefore an edge port that pauses for too long is
//! isolated, and it is released after it has stopped for long enough.
//!
//! ```text
//! free -> pausing (since) -> isolated -> quiet (since) -> free
//!   ^        |                  ^          |
//!   +--------+                  +----------+
//! ```

use std::collections::BTreeMap;

/// How long an edge port may pause all traffic before it is isolated, milliseconds.
///
/// Source: that ports are isolated is published, the time is ours. Status: assumed.
pub const PAUSE_LIMIT_MS: u32 = 1_000;

/// How long a port must not have paused traffic before it is released, milliseconds.
///
/// Source: as above. Status: assumed.
pub const PAUSE_CLEAR_MS: u32 = 2_000;

/// The state of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Pausing(u64),
    Isolated,
    Quiet(u64),
}

/// The ports of a switch that pause, or have paused too long.
#[derive(Debug)]
pub struct Pauses {
    limit_ms: u32,
    clear_ms: u32,
    /// Ports that are not free.
    ports: BTreeMap<u8, Stage>,
}

impl Default for Pauses {
    fn default() -> Self {
        Self { limit_ms: PAUSE_LIMIT_MS, clear_ms: PAUSE_CLEAR_MS, ports: BTreeMap::new() }
    }
}

impl Pauses {
    /// Sets other times; 0 is the built-in one.
    pub fn limits(&mut self, limit_ms: u32, clear_ms: u32) {
        self.limit_ms = if limit_ms == 0 { PAUSE_LIMIT_MS } else { limit_ms };
        self.clear_ms = if clear_ms == 0 { PAUSE_CLEAR_MS } else { clear_ms };
    }

    /// Forgets everything because the switch has restarted.
    pub fn forget(&mut self) {
        self.ports.clear();
    }

    /// Processes the set of ports that pause now. Returns those to isolate (true) or release
    /// (false).
    pub fn poll(&mut self, now_ms: u64, pausing: u64) -> Vec<(u8, bool)> {
        let mut orders = Vec::new();
        for port in 0..64 {
            let pauses = pausing >> port & 1 == 1;
            let stage = self.ports.get(&port).copied();
            let next = match (stage, pauses) {
                (None, false) => continue,
                (Some(Stage::Pausing(_)), false) => None,
                (None, true) => Some(Stage::Pausing(now_ms)),
                (Some(Stage::Pausing(since)), true) if now_ms >= since + u64::from(self.limit_ms) => {
                    orders.push((port, true));
                    Some(Stage::Isolated)
                }
                (Some(Stage::Isolated), false) => Some(Stage::Quiet(now_ms)),
                (Some(Stage::Quiet(since)), false) if now_ms >= since + u64::from(self.clear_ms) => {
                    orders.push((port, false));
                    None
                }
                (Some(Stage::Quiet(_)), true) => Some(Stage::Isolated),
                (same, _) => same,
            };
            match next {
                Some(stage) => self.ports.insert(port, stage),
                None => self.ports.remove(&port),
            };
        }
        orders
    }

    /// Handles the failure of an order from [`Self::poll`]: its time begins again.
    pub fn failed(&mut self, now_ms: u64, port: u8, isolated: bool) {
        self.ports.insert(port, if isolated { Stage::Pausing(now_ms) } else { Stage::Quiet(now_ms) });
    }

    /// When the time of a port ends.
    pub fn next_deadline_ms(&self) -> Option<u64> {
        let over = |stage: &Stage| match *stage {
            Stage::Pausing(since) => Some(since + u64::from(self.limit_ms)),
            Stage::Quiet(since) => Some(since + u64::from(self.clear_ms)),
            Stage::Isolated => None,
        };
        self.ports.values().filter_map(over).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_isolated_after_its_limit_and_given_back_when_it_was_quiet_for_long_enough() {
        let mut pauses = Pauses::default();
        pauses.limits(100, 50);
        assert_eq!(pauses.poll(0, 0b10), []);
        assert_eq!(pauses.next_deadline_ms(), Some(100));
        assert_eq!(pauses.poll(99, 0b10), []);
        assert_eq!(pauses.poll(100, 0b10), [(1, true)]);
        assert_eq!(pauses.next_deadline_ms(), None, "it waits for the port");
        assert_eq!(pauses.poll(200, 0), []);
        assert_eq!(pauses.poll(240, 0b10), [], "it pauses again");
        assert_eq!(pauses.poll(300, 0), []);
        assert_eq!(pauses.poll(349, 0), []);
        assert_eq!(pauses.poll(350, 0), [(1, false)]);
        assert_eq!(pauses.poll(400, 0), []);
        assert_eq!(pauses.next_deadline_ms(), None);
    }

    #[test]
    fn a_short_pause_is_no_reason_and_a_failed_order_is_tried_again() {
        let mut pauses = Pauses::default();
        pauses.limits(100, 50);
        pauses.poll(0, 1);
        pauses.poll(90, 0);
        assert_eq!(pauses.poll(110, 1), [], "a new pause has a time of its own");
        assert_eq!(pauses.poll(210, 1), [(0, true)]);
        pauses.failed(210, 0, true);
        assert_eq!(pauses.poll(309, 1), []);
        assert_eq!(pauses.poll(310, 1), [(0, true)]);
    }
}
