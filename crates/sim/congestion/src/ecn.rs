//! DCQCN: switches mark, receivers notify, senders change their rate (Zhu et al., SIGCOMM'15).
//!
//! Timers are not events. The periods that have passed are applied when the flow is read next,
//! which gives the same rates at the times of the reads.

use crate::flow::Admission;
use crate::law::MarkThresholds;
use crate::parameters::EcnParameters;

/// One, in the fixed-point format of the congestion estimate.
const ONE: u64 = 1 << 16;

/// The marking decision of a queue.
#[derive(Clone, Copy, Debug)]
pub struct EcnMarker;

impl EcnMarker {
    /// Whether to mark a packet that finds `queued_bytes` in front of it. `draw` is uniform in
    /// `0..1000`.
    #[inline]
    #[must_use]
    pub fn marks(thresholds: MarkThresholds, queued_bytes: u32, draw: u32) -> bool {
        if queued_bytes <= thresholds.min_bytes {
            return false;
        }
        if queued_bytes >= thresholds.max_bytes {
            return true;
        }
        let above = u64::from(queued_bytes - thresholds.min_bytes);
        let span = u64::from(thresholds.max_bytes - thresholds.min_bytes);
        u64::from(draw) * span < above * u64::from(thresholds.max_permille)
    }
}

/// Rate control state of one flow in its NIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct EcnFlow {
    line_mbps: u32,
    rate_mbps: u32,
    target_mbps: u32,
    /// Congestion estimate in units of 1/65536.
    estimate: u64,
    /// Time up to which the estimate has decayed, in picoseconds.
    decayed_until: u64,
    /// Time up to which increase periods have been applied, in picoseconds.
    increased_until: u64,
    bytes_since_increase: u64,
    time_periods: u32,
    byte_periods: u32,
    next_send: u64,
}

impl EcnFlow {
    /// A new flow starts at line rate.
    #[must_use]
    pub const fn new(line_mbps: u32, now: u64) -> Self {
        Self {
            line_mbps,
            rate_mbps: line_mbps,
            target_mbps: line_mbps,
            estimate: ONE,
            decayed_until: now,
            increased_until: now,
            bytes_since_increase: 0,
            time_periods: 0,
            byte_periods: 0,
            next_send: 0,
        }
    }

    /// Current rate, in Mb/s.
    #[must_use]
    pub const fn rate_mbps(&self) -> u32 {
        self.rate_mbps
    }

    /// Whether the next packet may leave the NIC.
    #[inline]
    pub fn admit(&mut self, parameters: &EcnParameters, now: u64) -> Admission {
        if now < self.next_send {
            return Admission::At(self.next_send);
        }
        self.apply_timers(parameters, now);
        Admission::Now
    }

    /// Accounts for a packet that leaves now.
    #[inline]
    pub fn sent(&mut self, parameters: &EcnParameters, now: u64, wire_bytes: u32) {
        self.next_send = now + u64::from(wire_bytes) * 8_000_000 / u64::from(self.rate_mbps);
        if self.rate_mbps < self.line_mbps {
            self.bytes_since_increase += u64::from(wire_bytes);
            if self.bytes_since_increase >= parameters.increase_bytes {
                self.bytes_since_increase = 0;
                self.byte_periods += 1;
                self.increase(parameters);
            }
        }
    }

    /// Reacts to a congestion notification.
    pub fn notified(&mut self, parameters: &EcnParameters, now: u64) {
        self.apply_timers(parameters, now);
        self.target_mbps = self.rate_mbps;
        let cut = u64::from(self.rate_mbps) * self.estimate / (2 * ONE);
        self.rate_mbps = (self.rate_mbps - cut as u32).max(parameters.rate_min_mbps);
        self.estimate += (ONE - self.estimate) >> parameters.gain_shift;
        self.decayed_until = now;
        self.increased_until = now;
        self.bytes_since_increase = 0;
        self.time_periods = 0;
        self.byte_periods = 0;
    }

    fn apply_timers(&mut self, parameters: &EcnParameters, now: u64) {
        let decay = u64::from(parameters.estimate_period_ns) * 1_000;
        while self.decayed_until + decay <= now && self.estimate > 0 {
            self.decayed_until += decay;
            self.estimate -= (self.estimate >> parameters.gain_shift).max(1);
        }
        let increase = u64::from(parameters.increase_period_ns) * 1_000;
        while self.increased_until + increase <= now && self.rate_mbps < self.line_mbps {
            self.increased_until += increase;
            self.time_periods += 1;
            self.increase(parameters);
        }
    }

    fn increase(&mut self, parameters: &EcnParameters) {
        let recovery = parameters.fast_recovery_periods;
        if self.time_periods > recovery && self.byte_periods > recovery {
            self.target_mbps += parameters.hyper_increase_mbps;
        } else if self.time_periods > recovery || self.byte_periods > recovery {
            self.target_mbps += parameters.additive_increase_mbps;
        }
        self.target_mbps = self.target_mbps.min(self.line_mbps);
        // Rounded up, so that the rate reaches its target.
        self.rate_mbps = (self.rate_mbps + self.target_mbps).div_ceil(2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::CongestionLaw;

    const LINE: u32 = 100_000;
    const MICROSECOND: u64 = 1_000_000;

    #[test]
    fn the_first_notification_halves_the_rate() {
        let parameters = EcnParameters::dcqcn();
        let mut flow = EcnFlow::new(LINE, 0);
        flow.notified(&parameters, 0);
        assert_eq!(flow.rate_mbps(), LINE / 2, "the estimate starts at one, so the cut is half");
        for round in 1..100 {
            flow.notified(&parameters, round);
        }
        assert_eq!(flow.rate_mbps(), parameters.rate_min_mbps, "never below the least rate");
    }

    #[test]
    fn fast_recovery_returns_half_way_each_period_and_then_climbs() {
        let parameters = EcnParameters::dcqcn();
        let mut flow = EcnFlow::new(LINE, 0);
        flow.notified(&parameters, 0);
        flow.notified(&parameters, 0);
        let (low, target) = (flow.rate_mbps(), LINE / 2);
        flow.admit(&parameters, 55 * MICROSECOND);
        assert_eq!(flow.rate_mbps(), (low + target).div_ceil(2));
        flow.admit(&parameters, 600_000 * MICROSECOND);
        assert_eq!(flow.rate_mbps(), LINE, "left alone, it comes back to line rate");
    }

    #[test]
    fn packets_are_spaced_by_the_rate() {
        let parameters = EcnParameters::dcqcn();
        let mut flow = EcnFlow::new(LINE, 0);
        flow.notified(&parameters, 0);
        flow.sent(&parameters, 1_000, 1_000);
        assert_eq!(flow.admit(&parameters, 2_000), Admission::At(1_000 + 160_000));
        assert_eq!(flow.admit(&parameters, 161_000), Admission::Now);
    }

    #[test]
    fn marking_is_a_ramp() {
        let parameters = EcnParameters::dcqcn();
        let thresholds = CongestionLaw::Ecn(parameters.clone()).marks().expect("this law marks");
        let marked = |queue| (0..1_000).filter(|&draw| EcnMarker::marks(thresholds, queue, draw)).count();
        assert_eq!(marked(20_000), 0);
        assert_eq!(marked(60_000), 100);
        assert_eq!(marked(100_000), 1_000);
        assert!(parameters.mark_min_bytes < parameters.pause_on_bytes, "marks come before pauses");
    }
}
