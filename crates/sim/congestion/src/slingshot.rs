//! Slingshot: distinguishes endpoint congestion from fabric congestion, and only contributors to
//! the former wait.
//!
//! ```text
//!          queue > threshold                     queue <= threshold, window back at the limit
//!  Free ---------------------> Held (window) ------------------------------------------------> Free
//!                               ^        | queue > threshold: window = one packet, wait
//!                               +--------+ queue <= threshold: window doubles
//! ```
//! A held flow has one packet in the fabric. Once that is acknowledged, it waits for `stiffness`
//! times the excess of the egress queue before the next. All contributors see the same queue, so
//! all wait the same time. Each gets one packet per turn, which is its fair share, and no party has
//! to count the contributors. With `n` contributors the egress queue settles at `threshold + (n *
//! packet - rate * round trip - threshold) / (1 + stiffness)`.

use crate::flow::{Admission, Feedback};
use crate::parameters::SlingshotParameters;

/// Control state of one flow at its ingress port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SlingshotFlow {
    /// Bytes that the flow may have between ingress and egress.
    window_bytes: u32,
    /// Window of a free flow.
    limit_bytes: u32,
    /// Nothing leaves before this time, in picoseconds.
    wait_until: u64,
    /// When it was held; `FREE` while it is not.
    held_since: u64,
}

/// Later than any time: the flow is not held.
const FREE: u64 = u64::MAX;

/// Effect of a piece of feedback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowChange {
    /// None that others need to know.
    None,
    /// The flow was free and is held now.
    Held,
    /// The flow was held for this long, in picoseconds, and is free now.
    Released(u64),
}

impl SlingshotFlow {
    /// A new flow: free, bounded by the injection limit.
    ///
    /// `edge_ps_per_byte` is the time of one byte on the ingress port's link, in picoseconds.
    #[must_use]
    pub fn new(parameters: &SlingshotParameters, edge_ps_per_byte: u32) -> Self {
        let limit_bytes = injection_limit_bytes(parameters, edge_ps_per_byte);
        Self { window_bytes: limit_bytes, limit_bytes, wait_until: 0, held_since: FREE }
    }

    /// Whether the flow counts as a contributor to endpoint congestion.
    #[inline]
    #[must_use]
    pub const fn is_held(&self) -> bool {
        self.held_since != FREE
    }

    /// How long it has been held, in picoseconds; `None` while it is free.
    #[must_use]
    pub const fn held_for(&self, now: u64) -> Option<u64> {
        if self.is_held() { Some(now.saturating_sub(self.held_since)) } else { None }
    }

    /// Whether the next packet may enter the fabric, with `extent_bytes` of the flow in it.
    #[inline]
    #[must_use]
    pub const fn admit(&self, now: u64, extent_bytes: u32, packet_bytes: u32) -> Admission {
        if extent_bytes != 0 && extent_bytes + packet_bytes > self.window_bytes {
            return Admission::OnAck;
        }
        if now < self.wait_until { Admission::At(self.wait_until) } else { Admission::Now }
    }

    /// Learns the state of the egress from an acknowledgement or a notice.
    pub fn learn(&mut self, parameters: &SlingshotParameters, now: u64, feedback: Feedback) -> WindowChange {
        let excess = feedback.egress_queue_bytes.saturating_sub(parameters.endpoint_threshold_bytes);
        if excess > 0 {
            self.window_bytes = parameters.held_window_bytes.min(self.limit_bytes);
            let wait = u64::from(excess) * u64::from(feedback.egress_ps_per_byte) * u64::from(parameters.stiffness);
            self.wait_until = now + wait;
            if !self.is_held() {
                self.held_since = now;
                return WindowChange::Held;
            }
        } else if self.is_held() {
            self.window_bytes = self.window_bytes.saturating_mul(2).min(self.limit_bytes);
            self.wait_until = 0;
            if self.window_bytes == self.limit_bytes {
                let since = std::mem::replace(&mut self.held_since, FREE);
                return WindowChange::Released(now - since);
            }
        }
        WindowChange::None
    }
}

/// Bytes that a free flow, or all flows of an ingress port, may have in the fabric.
#[must_use]
pub fn injection_limit_bytes(parameters: &SlingshotParameters, edge_ps_per_byte: u32) -> u32 {
    let bytes = u64::from(parameters.injection_limit_ns) * 1_000 / u64::from(edge_ps_per_byte);
    // A flow's account has no room for more.
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKET: u32 = 4_158;

    fn feedback(egress_queue_bytes: u32) -> Feedback {
        Feedback { egress_queue_bytes, egress_ps_per_byte: 80 }
    }

    #[test]
    fn the_injection_limit_is_rate_times_three_microseconds() {
        let parameters = SlingshotParameters::rosetta();
        assert_eq!(injection_limit_bytes(&parameters, 20), 150_000, "150 KB at 400 Gb/s (published)");
        assert_eq!(injection_limit_bytes(&parameters, 40), 75_000);
        let long = SlingshotParameters { injection_limit_ns: 5_000_000, ..parameters.clone() };
        assert_eq!(injection_limit_bytes(&long, 20), 250_000_000, "5 ms");
        let flow = SlingshotFlow::new(&parameters, 80);
        assert_eq!(flow.admit(0, 37_500 - PACKET, PACKET), Admission::Now);
        assert_eq!(flow.admit(0, 37_501 - PACKET, PACKET), Admission::OnAck);
    }

    #[test]
    fn a_contributor_is_held_to_one_packet_and_waits_with_the_excess() {
        let parameters = SlingshotParameters::rosetta();
        let mut flow = SlingshotFlow::new(&parameters, 80);
        let threshold = parameters.endpoint_threshold_bytes;
        assert_eq!(
            flow.learn(&parameters, 1_000, feedback(threshold)),
            WindowChange::None,
            "at the threshold is not over"
        );
        assert_eq!(flow.learn(&parameters, 1_000, feedback(threshold + 1_000)), WindowChange::Held);
        let until = 1_000 + 1_000 * 80 * u64::from(parameters.stiffness);
        assert_eq!(flow.admit(1_000, 0, PACKET), Admission::At(until));
        assert_eq!(flow.admit(until, 0, PACKET), Admission::Now);
        assert_eq!(flow.admit(until, PACKET, PACKET), Admission::OnAck);
    }

    #[test]
    fn a_flow_is_released_when_the_queue_has_gone() {
        let parameters = SlingshotParameters::rosetta();
        let mut flow = SlingshotFlow::new(&parameters, 80);
        flow.learn(&parameters, 0, feedback(200_000));
        let released = (1..10).find_map(|round| match flow.learn(&parameters, round * 1_000, feedback(0)) {
            WindowChange::Released(held_for) => Some((round, held_for)),
            _ => None,
        });
        assert_eq!(released, Some((4, 4_000)), "one packet doubles to the limit of nine in four rounds");
        assert!(!flow.is_held());
    }
}
