//! Lanes that fail and recover, and the resulting state of the link.
//!
//! ```text
//! Up --lane lost--> Degraded --last lane lost--> Waiting --link-down timer--> Down
//!  ^                  |  ^                          |                          |
//!  +--all lanes back--+  +------- a lane back ------+------ a lane back -------+
//! ```
//! `Up` and `Degraded` carry frames, in proportion to the lanes. `Waiting` carries none and loses
//! none: the sender of [`retry`](crate::Sender) is paused. A link that was `Down` has lost what its
//! sender kept, and starts again.
//!
//! Source: shs-cxi-driver for lane degrade, cassini-headers for the link-down timer.
//! Status: assumed, that a lane is its part of the rate, and that a change of lanes takes no time
//! of its own.

use philae_engine::{RandomStream, exponential_of_mean};
use philae_units::{LinkRate, Picoseconds};

use crate::purpose;
use crate::{LinkCounters, LinkParameters};

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum LinkState {
    /// All lanes work.
    Up,
    /// Some lanes work.
    Degraded,
    /// No lane works; frames are kept until `until`.
    Waiting {
        /// When the link goes down.
        until: Picoseconds,
    },
    /// No lane works, and frames were lost.
    Down,
}

/// Effect of a change of lanes on the retry of the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneChange {
    /// None, or another rate.
    Rate,
    /// No lane is left: pause the senders.
    Pause,
    /// Lanes have returned in time: resume the senders.
    Resume,
    /// Time is up: give up the senders.
    Down,
    /// Lanes have returned after the link was down: it needs new senders and receivers.
    Anew,
}

/// The lanes of one link.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct LinkLanes {
    count: u8,
    /// One bit for each lane that works.
    working: u8,
    link_down_timer: Picoseconds,
    state: LinkState,
    counters: LinkCounters,
}

impl LinkLanes {
    /// All lanes of a link that is up.
    ///
    /// # Panics
    /// If [`LinkParameters::check`] refuses the parameters.
    #[must_use]
    pub fn new(parameters: &LinkParameters) -> Self {
        parameters.check().expect("a link is built from parameters that were checked");
        Self {
            count: parameters.lanes,
            working: u8::MAX >> (8 - parameters.lanes),
            link_down_timer: parameters.link_down_timer(),
            state: LinkState::Up,
            counters: LinkCounters::default(),
        }
    }

    /// State of the link.
    #[must_use]
    pub const fn state(&self) -> LinkState {
        self.state
    }

    /// Counts so far.
    #[must_use]
    pub const fn counters(&self) -> &LinkCounters {
        &self.counters
    }

    /// Number of lanes that work.
    #[must_use]
    pub const fn working(&self) -> u8 {
        self.working.count_ones() as u8
    }

    /// The rate that is left of `full`; `None` without lanes. Each of four lanes is a quarter,
    /// rounded down to Mb/s.
    #[must_use]
    pub fn rate(&self, full: LinkRate) -> Option<LinkRate> {
        let rate = u64::from(full.0) * u64::from(self.working()) / u64::from(self.count);
        let rate = u32::try_from(rate).expect("a part of the rate is not more than the rate");
        (rate > 0).then_some(LinkRate(rate))
    }

    /// When to call [`on_timer`](Self::on_timer).
    #[must_use]
    pub const fn deadline(&self) -> Option<Picoseconds> {
        if let LinkState::Waiting { until } = self.state { Some(until) } else { None }
    }

    /// Lane `lane` fails. Nothing changes if it has failed already.
    ///
    /// # Panics
    /// If the link has no such lane.
    pub fn on_lost(&mut self, now: Picoseconds, lane: u8) -> LaneChange {
        let bit = self.bit(lane);
        self.counters.lanes_lost += u64::from(self.working & bit != 0);
        self.working &= !bit;
        match self.state {
            LinkState::Up | LinkState::Degraded if self.working == 0 => {
                self.state = LinkState::Waiting { until: now + self.link_down_timer };
                LaneChange::Pause
            }
            LinkState::Up | LinkState::Degraded => {
                self.follow_working();
                LaneChange::Rate
            }
            LinkState::Waiting { .. } | LinkState::Down => LaneChange::Rate,
        }
    }

    /// Lane `lane` works again. Nothing changes if it worked already.
    ///
    /// # Panics
    /// If the link has no such lane.
    pub fn on_regained(&mut self, lane: u8) -> LaneChange {
        self.working |= self.bit(lane);
        let before = self.state;
        self.follow_working();
        match before {
            LinkState::Up | LinkState::Degraded => LaneChange::Rate,
            LinkState::Waiting { .. } => LaneChange::Resume,
            LinkState::Down => LaneChange::Anew,
        }
    }

    /// To be called at [`deadline`](Self::deadline). Earlier calls change nothing.
    pub fn on_timer(&mut self, now: Picoseconds) -> LaneChange {
        match self.state {
            LinkState::Waiting { until } if now >= until => {
                self.state = LinkState::Down;
                LaneChange::Down
            }
            _ => LaneChange::Rate,
        }
    }

    /// A flap begins and takes its lanes. Returns the effect, once for all of them.
    pub fn on_flap(&mut self, flap: &Flap) -> LaneChange {
        self.counters.flaps += 1;
        let changes = flap.lanes(self.count).map(|lane| self.on_lost(flap.start, lane));
        // Only the loss of the last working lane pauses the link.
        changes.fold(LaneChange::Rate, |sum, change| if change == LaneChange::Rate { sum } else { change })
    }

    /// A flap ends and gives its lanes back. Returns the effect, once for all of them.
    pub fn on_flap_end(&mut self, flap: &Flap) -> LaneChange {
        let changes = flap.lanes(self.count).map(|lane| self.on_regained(lane));
        // Only the first lane to work again wakes the link.
        changes.fold(LaneChange::Rate, |sum, change| if change == LaneChange::Rate { sum } else { change })
    }

    fn follow_working(&mut self) {
        self.state = if self.working() == self.count { LinkState::Up } else { LinkState::Degraded };
    }

    fn bit(&self, lane: u8) -> u8 {
        assert!(lane < self.count, "lane {lane} of a link that has {}", self.count);
        1 << lane
    }
}

/// A period in which lanes are lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flap {
    /// Beginning.
    pub start: Picoseconds,
    pub end: Picoseconds,
    /// The first lane that it takes.
    first: u8,
    /// Number of lanes that it takes.
    taken: u8,
}

impl Flap {
    /// The lanes that it takes from a link with `count` lanes.
    fn lanes(&self, count: u8) -> impl Iterator<Item = u8> + use<> {
        let first = self.first;
        (0..self.taken).map(move |offset| (first + offset) % count)
    }
}

/// The flaps of one link: exponential gaps between them, exponential lengths, and consecutive lanes
/// from a random one.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct FlapLaw {
    stream: RandomStream,
    gap_ps: u128,
    length_ps: u128,
    count: u8,
    taken: u8,
    now: Picoseconds,
}

impl FlapLaw {
    /// The flaps of link `link` (any number that no other link has) in a run of `seed`; `None` if
    /// the link has no flaps.
    ///
    /// # Panics
    /// If [`LinkParameters::check`] refuses the parameters.
    #[must_use]
    pub fn new(parameters: &LinkParameters, seed: u64, link: u64) -> Option<Self> {
        parameters.check().expect("a link is built from parameters that were checked");
        (parameters.flap_gap_ms > 0).then(|| Self {
            stream: RandomStream::new(seed, link, purpose::FLAP),
            gap_ps: u128::from(parameters.flap_gap_ms) * 1_000_000_000,
            length_ps: u128::from(parameters.flap_length_us) * 1_000_000,
            count: parameters.lanes,
            taken: parameters.flap_lanes,
            now: Picoseconds::ZERO,
        })
    }

    /// The next flap, after the end of the one before. `None` if it would come after the last
    /// representable time (213 days).
    pub fn next_flap(&mut self) -> Option<Flap> {
        let gap = exponential_of_mean(&mut self.stream, self.gap_ps << 16);
        let length = exponential_of_mean(&mut self.stream, self.length_ps << 16).max(1);
        let first = u8::try_from(self.stream.below(self.count.into())).expect("a link has at most 8 lanes");
        let start = Picoseconds(self.now.0.checked_add(gap)?);
        let end = Picoseconds(start.0.checked_add(length)?);
        self.now = end;
        Some(Flap { start, end, first, taken: self.taken })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: LinkRate = LinkRate::from_gbps(200);

    fn lanes(change: impl FnOnce(&mut LinkParameters)) -> LinkLanes {
        let mut parameters = LinkParameters::slingshot();
        change(&mut parameters);
        LinkLanes::new(&parameters)
    }

    #[test]
    fn each_lane_is_a_quarter_of_the_rate() {
        let mut lanes = lanes(|_| ());
        assert_eq!((lanes.rate(FULL), lanes.state()), (Some(FULL), LinkState::Up));
        for (lane, left) in [(2, 150), (2, 150), (0, 100), (3, 50)] {
            assert_eq!(lanes.on_lost(Picoseconds::ZERO, lane), LaneChange::Rate);
            assert_eq!((lanes.rate(FULL), lanes.state()), (Some(LinkRate::from_gbps(left)), LinkState::Degraded));
        }
        assert_eq!(lanes.on_lost(Picoseconds::ZERO, 1), LaneChange::Pause);
        assert_eq!((lanes.rate(FULL), lanes.counters().lanes_lost), (None, 4));
        assert_eq!(lanes.on_regained(3), LaneChange::Resume);
        (0..3).for_each(|lane| assert_eq!(lanes.on_regained(lane), LaneChange::Rate));
        assert_eq!((lanes.rate(FULL), lanes.state()), (Some(FULL), LinkState::Up));
    }

    #[test]
    fn the_count_of_lanes_divides_the_rate() {
        let mut two = lanes(|link| (link.lanes, link.flap_lanes) = (2, 1));
        two.on_lost(Picoseconds::ZERO, 0);
        assert_eq!(two.rate(FULL), Some(LinkRate::from_gbps(100)));
    }

    #[test]
    fn a_link_without_lanes_goes_down_when_its_timer_ends() {
        for nanoseconds in [1_000_000_000, 5] {
            let mut lanes = lanes(|link| link.link_down_timer_ns = nanoseconds);
            let now = Picoseconds::from_nanos(70);
            (0..4).for_each(|lane| _ = lanes.on_lost(now, lane));
            let until = now + Picoseconds::from_nanos(nanoseconds);
            assert_eq!(lanes.deadline(), Some(until));
            assert_eq!(lanes.on_timer(until - Picoseconds(1)), LaneChange::Rate);
            assert_eq!(lanes.on_timer(until), LaneChange::Down);
            assert_eq!((lanes.state(), lanes.deadline()), (LinkState::Down, None));
            assert_eq!(lanes.on_regained(0), LaneChange::Anew);
            assert_eq!(lanes.state(), LinkState::Degraded);
        }
    }

    fn flaps(change: impl FnOnce(&mut LinkParameters), count: usize) -> Vec<Flap> {
        let mut parameters = LinkParameters { flap_gap_ms: 10, flap_length_us: 100, ..LinkParameters::slingshot() };
        change(&mut parameters);
        let mut law = FlapLaw::new(&parameters, 5, 0).unwrap();
        std::iter::from_fn(|| law.next_flap()).take(count).collect()
    }

    #[test]
    fn flaps_follow_their_law() {
        assert!(FlapLaw::new(&LinkParameters::slingshot(), 1, 0).is_none(), "none unless asked for");
        let drawn = flaps(|_| (), 10_000);
        let lost: u64 = drawn.iter().map(|flap| (flap.end - flap.start).0).sum();
        let all = drawn[9_999].end.0;
        assert!((lost as f64 / 1e4 / 1e8 - 1.0).abs() < 0.05, "mean length");
        assert!(((all - lost) as f64 / 1e4 / 1e10 - 1.0).abs() < 0.05, "mean gap");
        assert!(drawn.windows(2).all(|pair| pair[0].end <= pair[1].start));
        for lane in 0..4 {
            let hit = flaps(|link| link.flap_lanes = 1, 10_000).iter().filter(|flap| flap.first == lane).count();
            assert!((2_300..2_700).contains(&hit), "lane {lane} is hit {hit} times");
        }
        assert_ne!(drawn[0].start, flaps(|link| link.flap_gap_ms = 20, 1)[0].start);
        assert_ne!(drawn[0].end, flaps(|link| link.flap_length_us = 200, 1)[0].end);
    }

    #[test]
    fn a_flap_takes_its_lanes_and_gives_them_back() {
        for (taken, state) in [(1, LinkState::Degraded), (3, LinkState::Degraded)] {
            let flap = flaps(|link| link.flap_lanes = taken, 1)[0];
            let mut lanes = lanes(|_| ());
            assert_eq!(lanes.on_flap(&flap), LaneChange::Rate);
            assert_eq!((lanes.working(), lanes.state()), (4 - taken, state));
            assert_eq!(lanes.on_flap_end(&flap), LaneChange::Rate);
            assert_eq!((lanes.state(), lanes.counters().flaps), (LinkState::Up, 1));
        }
        let whole = flaps(|_| (), 1)[0];
        let mut lanes = lanes(|_| ());
        assert_eq!(lanes.on_flap(&whole), LaneChange::Pause);
        assert_eq!(lanes.on_flap_end(&whole), LaneChange::Resume);
        assert_eq!(lanes.state(), LinkState::Up);
    }

    #[test]
    fn a_flap_longer_than_the_link_down_timer_takes_the_link_down() {
        let long = |link: &mut LinkParameters| link.flap_length_us = 10_000_000;
        let flaps = flaps(long, 200);
        let mut lanes = lanes(long);
        let mut downs = 0;
        for flap in &flaps {
            assert_eq!(lanes.on_flap(flap), LaneChange::Pause);
            downs += u32::from(lanes.on_timer(flap.end) == LaneChange::Down);
            lanes.on_flap_end(flap);
        }
        // exp(-1 s / 10 s) of 200 is 181, standard deviation 4.1.
        assert!((165..198).contains(&downs), "{downs} of 200");
    }
}
