//! NSCC, Ultra Ethernet's sender-based control: a window that follows the delay of the network's
//! queues, and the marks that tell whether more is to come.
//!
//! Each acknowledgement is one of four cases. Without a mark, a short delay makes the window grow
//! in proportion to what is left to the target, and a long one by a fair share. With a mark, a
//! short delay changes nothing (the load balancer takes another path), and a long one shrinks the
//! window. Where packets are lost or delays are very long, the window becomes what has got through
//! in a round trip (quick adaptation).
//!
//! Source: SMaRTT (Bonato et al., arXiv 2404.01630), ultraethernet/uet-htsim (`uec.cpp`). Status:
//! published.

use crate::uet_parameters::NsccParameters;

/// A thousandth.
const PERMILLE: u64 = 1_000;

/// What the laws of Ultra Ethernet know of the way between two endpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct UetPath {
    /// Round trip of a full packet and its acknowledgement without queues, in picoseconds.
    pub round_trip: u64,
    /// Rate of the sender's link, in Mb/s.
    pub rate_mbps: u32,
    /// A full packet on the wire, in bytes.
    pub packet_bytes: u32,
    /// The longest round trip of the network, in picoseconds.
    pub network_round_trip: u64,
    /// Whether switches trim packets that find no room.
    pub trims: bool,
}

impl UetPath {
    /// Bytes that the link sends in this time.
    fn bytes_in(&self, picoseconds: u64) -> u64 {
        (u128::from(self.rate_mbps) * u128::from(picoseconds) / 8_000_000) as u64
    }

    /// The window without queues: bytes in a round trip.
    #[must_use]
    pub fn window(&self) -> u64 {
        self.bytes_in(self.round_trip).max(u64::from(self.packet_bytes))
    }
}

/// What an acknowledgement says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AckNews {
    /// Bytes that have arrived since the one before it.
    pub bytes: u32,
    /// Time since the packet that it names was sent, in picoseconds; `None`: the packet was sent
    /// more than once, so that it is not known.
    pub round_trip: Option<u64>,
    /// Whether that packet was marked.
    pub marked: bool,
}

/// The window of one sender towards one receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct NsccFlow {
    path: UetPath,
    /// Bytes that may be on their way.
    window: u64,
    /// By how many of 128 parts its target wants it smaller.
    penalty: u8,
    /// Mean delay of the queues, in picoseconds.
    delay: u64,
    /// Bytes that have got through in the present period of quick adaptation.
    achieved: u64,
    /// When that period ends, in picoseconds; 0: none has begun.
    adapts_at: u64,
    /// Whether something was lost since the last quick adaptation.
    has_lost: bool,
    /// Bytes whose acknowledgements say nothing new after a quick adaptation.
    ignored: u64,
    /// Increase that is due, in bytes times bytes of the window.
    increase: u64,
    /// Bytes acknowledged since the last adjustment.
    received: u64,
    adjusted: u64,
    decreased: u64,
    /// Bytes in a row without a queue, and whether the window grows fast.
    unqueued: u64,
    is_fast: bool,
}

impl NsccFlow {
    /// Parts of a window in which its target counts a penalty. Source: 7 bits in uet-ref-prov's
    /// acknowledgements; what they count in is assumed. Status: assumed.
    const PARTS: u64 = 128;

    /// A new flow begins with the largest window.
    #[must_use]
    pub fn new(parameters: &NsccParameters, path: UetPath, now: u64) -> Self {
        let mut flow = Self {
            path,
            window: 0,
            penalty: 0,
            delay: 0,
            achieved: 0,
            adapts_at: 0,
            has_lost: false,
            ignored: 0,
            increase: 0,
            received: 0,
            adjusted: now,
            decreased: 0,
            unqueued: 0,
            is_fast: false,
        };
        flow.window = flow.window_max(parameters);
        flow
    }

    /// Bytes that may be on their way.
    #[must_use]
    pub const fn window(&self) -> u64 {
        self.window
    }

    fn window_max(&self, parameters: &NsccParameters) -> u64 {
        let most = self.path.window() * u64::from(parameters.window_max_permille) / PERMILLE;
        most.max(u64::from(self.path.packet_bytes))
    }

    /// The delay that queues should have, in picoseconds.
    #[must_use]
    pub fn target(&self, parameters: &NsccParameters) -> u64 {
        match u64::from(parameters.target_delay_ns) * 1_000 {
            0 if self.path.trims => self.path.network_round_trip * 3 / 4,
            0 => self.path.network_round_trip,
            target => target,
        }
    }

    /// How much larger this network's window is than that of the reference, which the increases are
    /// for, in thousandths.
    fn scale(&self) -> u64 {
        /// 100 Gb/s for 12 us. Source: SMaRTT, uet-htsim (`initNsccParams`). Status: published.
        const REFERENCE_BYTES: u64 = 150_000;
        self.path.bytes_in(self.path.network_round_trip) * PERMILLE / REFERENCE_BYTES
    }

    /// Packets times the scale, in bytes. `permille`: of a packet.
    fn packets(&self, permille: u32) -> u64 {
        let packet = u64::from(self.path.packet_bytes) * u64::from(permille);
        packet * self.scale() / (PERMILLE * PERMILLE)
    }

    fn bound(&mut self, parameters: &NsccParameters) {
        self.window = self.window.clamp(u64::from(self.path.packet_bytes), self.window_max(parameters));
    }

    /// Whether `bytes` may be sent while `in_flight` are on their way. One packet always may.
    #[inline]
    #[must_use]
    pub const fn admits(&self, in_flight: u64, bytes: u32) -> bool {
        in_flight == 0 || in_flight + bytes as u64 <= self.window * (Self::PARTS - self.penalty as u64) / Self::PARTS
    }

    /// The target takes data slowly: until it says otherwise, the window counts as smaller by so
    /// many of 128 parts.
    pub const fn penalised(&mut self, parts: u8) {
        self.penalty = parts;
    }

    /// Packets have arrived. `in_flight`: bytes that are still on their way.
    pub fn acknowledged(&mut self, parameters: &NsccParameters, news: AckNews, in_flight: u64, now: u64) {
        let (bytes, target) = (u64::from(news.bytes), self.target(parameters));
        self.achieved += bytes;
        self.received += bytes;
        self.ignored = self.ignored.saturating_sub(bytes);
        let delay = match news.round_trip {
            Some(round_trip) => {
                self.path.round_trip = self.path.round_trip.min(round_trip);
                let delay = round_trip - self.path.round_trip;
                self.average(parameters, delay, news.marked, target);
                delay
            }
            None => self.delay,
        };
        if self.adapts(parameters, (false, news.marked), (delay, in_flight), now) {
            return;
        }
        match (news.marked, delay < target) {
            (false, false) => self.increase += self.packets(parameters.fair_increase_permille) * bytes,
            (false, true) => self.grow(parameters, bytes, target - delay, delay),
            (true, false) => self.shrink(parameters, target, now),
            (true, true) => {}
        }
        self.bound(parameters);
        let is_long = now.saturating_sub(self.adjusted) > self.path.network_round_trip;
        if is_long || self.received > u64::from(parameters.adjust_packets) * u64::from(self.path.packet_bytes) {
            self.adjust(parameters, now);
            self.bound(parameters);
        }
    }

    /// A packet of this size was trimmed, or is lost.
    pub fn lost(&mut self, parameters: &NsccParameters, bytes: u32, in_flight: u64, now: u64) {
        let target = self.target(parameters);
        self.ignored = self.ignored.saturating_sub(bytes.into());
        self.average(parameters, self.path.network_round_trip, true, target);
        self.has_lost = true;
        if !self.adapts(parameters, (true, true), (0, in_flight), now) {
            self.window = self.window.saturating_sub(bytes.into());
            self.bound(parameters);
        }
    }

    /// A long delay without a mark is over: it counts as a quarter of a round trip.
    fn average(&mut self, parameters: &NsccParameters, delay: u64, marked: bool, target: u64) {
        let sample = if !marked && delay > target { self.path.round_trip / 4 } else { delay };
        let gain = u64::from(parameters.delay_gain_permyriad);
        self.delay = (sample * gain + self.delay * (10_000 - gain)) / 10_000;
    }

    /// In proportion to what is left to the target, or fast where there has been no queue for a
    /// window.
    fn grow(&mut self, parameters: &NsccParameters, bytes: u64, left: u64, delay: u64) {
        if delay < u64::from(parameters.fast_below_ns) * 1_000 {
            self.unqueued += bytes;
            if self.is_fast || self.unqueued > self.window {
                self.is_fast = true;
                let share = bytes * u64::from(parameters.fast_increase_permille) / PERMILLE;
                self.window += share * self.scale() / PERMILLE;
                return;
            }
        } else {
            self.unqueued = 0;
        }
        self.is_fast = false;
        /// The round trip of the reference, in picoseconds. Source: as above. Status: published.
        const REFERENCE_ROUND_TRIP: u64 = 12_000_000;
        let per_byte = u128::from(self.packets(parameters.proportional_permille)) * u128::from(left);
        self.increase += (per_byte * u128::from(bytes) / u128::from(REFERENCE_ROUND_TRIP)) as u64;
    }

    fn shrink(&mut self, parameters: &NsccParameters, target: u64, now: u64) {
        (self.is_fast, self.unqueued) = (false, 0);
        if self.delay <= target || now.saturating_sub(self.decreased) <= self.path.round_trip {
            return;
        }
        let cut = (self.delay - target) * u64::from(parameters.decrease_permille) / self.delay;
        let most = u64::from(parameters.decrease_max_permille);
        self.window -= self.window * cut.min(most) / PERMILLE;
        self.decreased = now;
    }

    /// Applies the increases since the last time, and a small one that keeps flows fair.
    fn adjust(&mut self, parameters: &NsccParameters, now: u64) {
        self.window += self.increase / self.window;
        if now.saturating_sub(self.adjusted) >= self.path.network_round_trip {
            self.window += self.packets(parameters.additive_increase_permille);
            self.adjusted = now;
        }
        (self.increase, self.received) = (0, 0);
    }

    /// Quick adaptation: the window becomes what has got through. Returns whether this news is not
    /// to change it further. `told`: whether a packet is lost, and whether there is a sign of
    /// congestion.
    fn adapts(
        &mut self,
        parameters: &NsccParameters,
        (lost, congested): (bool, bool),
        (delay, in_flight): (u64, u64),
        now: u64,
    ) -> bool {
        if !parameters.quick_adaptation {
            return false;
        }
        let mut has_adapted = self.ignored > 0 && congested;
        if !has_adapted && now > self.adapts_at {
            let target = self.target(parameters);
            let is_bad = self.has_lost || lost || delay > 4 * target;
            let is_slow = self.achieved < self.window_max(parameters) >> parameters.quick_adaptation_shift;
            if self.adapts_at != 0 && is_bad && is_slow {
                self.window = self.achieved.max(u64::from(self.path.packet_bytes));
                self.ignored = in_flight;
                self.has_lost = false;
                has_adapted = true;
            }
            self.achieved = 0;
            self.adapts_at = now + self.path.round_trip + target;
        }
        if has_adapted {
            (self.increase, self.received) = (0, 0);
        }
        has_adapted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MICROSECOND: u64 = 1_000_000;

    /// 100 Gb/s and 12 us: the network for which the increases are published.
    fn reference() -> UetPath {
        UetPath {
            round_trip: 12 * MICROSECOND,
            rate_mbps: 100_000,
            packet_bytes: 4_160,
            network_round_trip: 12 * MICROSECOND,
            trims: true,
        }
    }

    fn news(bytes: u32, round_trip_us: u64, marked: bool) -> AckNews {
        AckNews { bytes, round_trip: Some(round_trip_us * MICROSECOND), marked }
    }

    fn flow() -> (NsccParameters, NsccFlow) {
        let parameters = NsccParameters::uec();
        let flow = NsccFlow::new(&parameters, reference(), 0);
        (parameters, flow)
    }

    #[test]
    fn a_flow_begins_with_one_and_a_half_round_trips() {
        let (parameters, flow) = flow();
        assert_eq!(reference().window(), 150_000);
        assert_eq!(flow.window(), 225_000);
        assert_eq!(
            flow.target(&parameters),
            9 * MICROSECOND,
            "three quarters of a round trip where packets are trimmed"
        );
        let untrimmed = NsccFlow::new(&parameters, UetPath { trims: false, ..reference() }, 0);
        assert_eq!(untrimmed.target(&parameters), 12 * MICROSECOND);
    }

    #[test]
    fn one_packet_always_goes_and_more_only_within_the_window() {
        let (_, mut flow) = flow();
        flow.window = 4_160;
        assert!(flow.admits(0, 9_000), "a packet larger than the window");
        assert!(!flow.admits(4_160, 64));
        flow.window = 8_320;
        assert!(flow.admits(4_160, 4_160) && !flow.admits(4_161, 4_160));
        flow.penalised(64);
        assert!(!flow.admits(4_160, 4_160) && flow.admits(0, 4_160) && flow.admits(4_000, 160));
        flow.penalised(0);
        assert!(flow.admits(4_160, 4_160));
    }

    /// The four cases, each from a window in the middle.
    #[test]
    fn delay_and_mark_decide_what_happens_to_the_window() {
        let after = |round_trip_us: u64, marked: bool| {
            let (parameters, mut flow) = flow();
            flow.window = 100_000;
            let parameters = NsccParameters { additive_increase_permille: 0, ..parameters };
            // The mean delay needs many packets.
            for round in 1..2_000 {
                flow.acknowledged(&parameters, news(4_160, round_trip_us, marked), 50_000, round * MICROSECOND / 3);
            }
            flow.window()
        };
        assert_eq!(after(14, false), 225_000, "a short delay without a mark: up to the most");
        assert_eq!(after(25, false), 225_000, "a long delay without a mark: up by a fair share");
        assert!(after(25, true) < 100_000, "a long delay with a mark: down");
        assert_eq!(after(14, true), 100_000, "a short delay with a mark: no change");
    }

    /// A window that is reached by increases alone follows the sum of their definition.
    #[test]
    fn the_proportional_increase_is_four_packets_in_a_round_trip_of_no_delay() {
        let (parameters, mut flow) = flow();
        (flow.window, flow.path.round_trip) = (104_000, 12 * MICROSECOND);
        // 3 us of delay, so that it does not grow fast: 6 us of 12 are left to the target.
        let parameters = NsccParameters { additive_increase_permille: 0, ..parameters };
        let mut acknowledged = 0;
        // A window of packets, within the time of one adjustment each.
        for round in 1..=27 {
            flow.acknowledged(&parameters, news(4_160, 15, false), 50_000, round * 480_000);
            acknowledged += 4_160;
        }
        let grown = flow.window() - 104_000;
        // 4 packets x 6/12 for each window's worth, while the window grows.
        let expected = 4 * 4_160 * 6 / 12 * acknowledged / 104_000;
        assert!(grown <= expected && grown * 10 > expected * 9, "{grown} of {expected}");
    }

    #[test]
    fn a_window_without_a_queue_lets_it_grow_fast() {
        let (parameters, mut flow) = flow();
        flow.window = 20_000;
        for round in 1..=4 {
            flow.acknowledged(&parameters, news(4_160, 12, false), 10_000, round * 100_000);
        }
        assert_eq!(flow.window(), 20_000, "not a window's worth yet");
        flow.acknowledged(&parameters, news(4_160, 12, false), 10_000, 500_000);
        assert_eq!(flow.window(), 20_000 + 4_160 / 4, "a quarter of each packet");
        flow.acknowledged(&parameters, news(4_160, 14, false), 10_000, 600_000);
        assert!(!flow.is_fast, "a queue ends it");
    }

    #[test]
    fn losses_take_their_bytes_and_then_the_window_becomes_what_got_through() {
        let (parameters, mut flow) = flow();
        flow.acknowledged(&parameters, news(4_160, 12, false), 200_000, MICROSECOND);
        let before = flow.window();
        flow.lost(&parameters, 4_160, 200_000, 2 * MICROSECOND);
        assert_eq!(flow.window(), before - 4_160);
        // 12 + 9 us later, after 8,320 B in all.
        flow.acknowledged(&parameters, news(8_320, 20, true), 200_000, 5 * MICROSECOND);
        flow.lost(&parameters, 4_160, 200_000, 30 * MICROSECOND);
        assert_eq!(flow.window(), 8_320);
        let adapted = flow.window();
        flow.lost(&parameters, 4_160, 200_000, 31 * MICROSECOND);
        assert_eq!(flow.window(), adapted, "what was on its way then says nothing new");
    }

    #[test]
    fn many_losses_leave_one_packet() {
        let (parameters, mut flow) = flow();
        for round in 1..1_000 {
            flow.lost(&parameters, 4_160, 0, round * MICROSECOND);
        }
        assert_eq!(flow.window(), 4_160);
    }

    #[test]
    fn a_cut_is_at_most_half_and_once_in_a_round_trip() {
        let (parameters, mut flow) = flow();
        (flow.window, flow.delay) = (200_000, 900 * MICROSECOND);
        let parameters = NsccParameters { quick_adaptation: false, ..parameters };
        let at = 100 * MICROSECOND;
        flow.acknowledged(&parameters, news(4_160, 900, true), 0, at);
        assert_eq!(flow.window(), 100_000 + flow.packets(150));
        let once = flow.window();
        flow.acknowledged(&parameters, news(4_160, 900, true), 0, at + MICROSECOND);
        assert_eq!(flow.window(), once);
    }
}
