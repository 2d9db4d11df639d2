//! Streams: programs that keep a window of messages in flight, or start messages at a given rate.

use philae_engine::RandomStream;
use philae_units::{Bytes, Picoseconds, RankId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{WorkloadError, message_size, not_zero};
use crate::program::{Action, Op, OpHandle, Progress, RankProgram};
use crate::quantity::{RateGbps, Share, Size};
use crate::random::{exponential, purpose};

/// Operation of the messages of a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StreamOperation {
    /// One-sided: the target does nothing.
    #[default]
    Put,
    /// Two-sided: the target keeps a window of receives.
    Send,
}

/// Distribution of the start times of an open-loop stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Gaps {
    /// Equal gaps; ranks start out of phase.
    Fixed,
    /// Exponentially distributed (Poisson starts).
    #[default]
    Exponential,
}

/// An open-loop load: messages start at a given rate, whether or not earlier ones have arrived.
///
/// The schedule is absolute: times do not slip when the core, the NIC or the network cannot keep up,
/// and the latency of a message counts from its scheduled time. The results have the accepted load
/// beside this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Offered {
    /// Share of `rate_gbps` that each rank offers, in (0, 1].
    pub load: Share,
    /// Rate of the injection link, in Gb/s. With several ranks on a link, give each its share of the load.
    pub rate_gbps: RateGbps,
    /// Default `exponential`.
    #[serde(default)]
    pub gaps: Gaps,
    /// Largest number of outstanding messages of one rank; further ones wait, and their latency counts
    /// this wait. Default 1,024. Source: ours. Status: assumed; matters
    /// only beyond saturation, where it bounds memory.
    #[serde(default = "outstanding_max")]
    pub outstanding_max: u32,
}

const fn outstanding_max() -> u32 {
    1_024
}

impl Offered {
    /// Mean time between the starts of messages of `bytes`, rounded down to a picosecond.
    #[must_use]
    pub fn mean_gap(&self, bytes: Bytes) -> Picoseconds {
        let (numerator, denominator) = self.load.fraction();
        let bits_times_scale = (u128::from(bytes.0) * 8_000_000).saturating_mul(denominator.into());
        let rate = u128::from(self.rate_gbps.0.0) * u128::from(numerator);
        Picoseconds(u64::try_from(bits_times_scale / rate).unwrap_or(u64::MAX))
    }

    /// Payload of one rank, in Gb/s.
    #[must_use]
    pub fn gbps(&self) -> f64 {
        gbps_of(self.load, self.rate_gbps)
    }
}

/// A share of a rate, in Gb/s.
pub(crate) fn gbps_of(load: Share, rate: RateGbps) -> f64 {
    let (numerator, denominator) = load.fraction();
    f64::from(rate.0.0) / 1e3 * numerator as f64 / denominator as f64
}

/// The times of the messages of one rank, since the start of its stream.
#[derive(Clone, Debug)]
pub struct Schedule {
    mean_gap: Picoseconds,
    gaps: Gaps,
    draws: RandomStream,
    number: u64,
    time: u64,
}

impl Schedule {
    /// The schedule of a rank. Two of the same arguments have the same times.
    #[must_use]
    pub const fn new(mean_gap: Picoseconds, gaps: Gaps, rank: RankId, seed: u64) -> Self {
        Self { mean_gap, gaps, draws: RandomStream::new(seed, rank.0 as u64, purpose::GAP), number: 0, time: 0 }
    }

    /// The time of the next message.
    pub fn next_time(&mut self) -> Picoseconds {
        let gap = match self.gaps {
            Gaps::Exponential => scaled(self.mean_gap.0, exponential(&mut self.draws)),
            // The first gap is a random part of one, so that ranks are out of phase.
            Gaps::Fixed if self.number == 0 => scaled(self.mean_gap.0, self.draws.next_u64() >> 32),
            Gaps::Fixed => self.mean_gap.0,
        };
        self.number += 1;
        self.time = self.time.saturating_add(gap);
        Picoseconds(self.time)
    }
}

/// The parameters that all streams share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamShape {
    /// Per message.
    pub bytes: Size,
    /// Put or send.
    pub operation: StreamOperation,
    /// Messages in flight, if there is no offered load.
    pub window: u32,
    /// Messages of each rank; endless if absent.
    pub messages: Option<u32>,
    /// Open loop instead of a window.
    pub offered: Option<Offered>,
}

/// Minimum number of receives that a stream keeps posted. Source: ours. Status: assumed; enough
/// that a message finds one.
const RECEIVES_MIN: u32 = 16;

/// Messages in flight of each rank. Source: ours. Status: assumed; enough to fill a link with
/// messages of 128 KiB or more.
pub(crate) const WINDOW_DEFAULT: u32 = 16;

impl StreamShape {
    /// Whether the window decides how many receives a target keeps posted.
    fn window_counts_receives(&self) -> bool {
        self.operation == StreamOperation::Send && self.window > RECEIVES_MIN
    }

    /// Checks sizes and counts, and that each has an effect.
    pub(crate) fn check(&self, workload: &'static str) -> Result<(), WorkloadError> {
        message_size(workload, "bytes", self.bytes.0)?;
        if let Some(offered) = &self.offered {
            in_handle_range(workload, "offered.outstanding_max", offered.outstanding_max)?;
            if self.window != WINDOW_DEFAULT && !self.window_counts_receives() {
                return Err(WorkloadError::Contradiction {
                    workload,
                    problem: format!("`window` is {}, and messages follow the schedule of `offered`", self.window),
                    remedy: "`offered.outstanding_max` instead of `window` would work",
                });
            }
        }
        in_handle_range(workload, "window", self.window)
    }
}

fn in_handle_range(workload: &'static str, key: &'static str, value: u32) -> Result<(), WorkloadError> {
    not_zero(workload, key, value)?;
    if value > WINDOW_MAX {
        let allowed = format!("at most {WINDOW_MAX}");
        return Err(WorkloadError::OutOfRange { workload, key, found: u64::from(value), allowed });
    }
    Ok(())
}

/// Largest window: handles are message numbers modulo 2^30, and must differ.
const WINDOW_MAX: u32 = 1 << 20;

/// The destinations of a rank's messages.
pub trait Destinations: Send {
    /// The destination of the next message.
    fn next(&mut self) -> u32;
}

/// Always the same rank.
#[derive(Clone, Copy, Debug)]
pub struct Always(pub u32);

impl Destinations for Always {
    fn next(&mut self) -> u32 {
        self.0
    }
}

/// A rank that streams messages. The whole stream is iteration 0.
///
/// Constant memory: completions are counted, not stored.
#[derive(Debug)]
pub struct StreamProgram<D> {
    shape: StreamShape,
    destinations: D,
    /// Two-sided: the rank whose messages it receives, as many as it sends.
    source: Option<u32>,
    /// The schedule of an offered load, twice: what becomes due next, and what starts next. A message
    /// may start late, and carries the time for which it was intended.
    schedules: Option<[Schedule; 2]>,
    /// Messages that may have started so far.
    due: u64,
    started: u64,
    completed: u64,
    receives_started: u64,
    receives_completed: u64,
}

/// Handles are `number * 4 + kind`.
const KIND_MESSAGE: u32 = 0;
const KIND_RECEIVE: u32 = 1;
const KIND_GAP: u32 = 2;

const fn handle(number: u64, kind: u32) -> OpHandle {
    OpHandle(((number as u32) << 2) | kind)
}

impl<D: Destinations> StreamProgram<D> {
    /// The stream of `rank`. `source` is the rank whose messages a two-sided stream receives; it is
    /// ignored for puts.
    ///
    /// # Panics
    /// If a two-sided stream has no source: every message needs a receiver.
    #[must_use]
    pub fn new(shape: StreamShape, destinations: D, source: Option<u32>, rank: RankId, seed: u64) -> Self {
        let source = (shape.operation == StreamOperation::Send)
            .then(|| source.expect("a two-sided stream knows whom it receives from"));
        let schedule = |offered: Offered| Schedule::new(offered.mean_gap(shape.bytes.0), offered.gaps, rank, seed);
        Self {
            shape,
            destinations,
            source,
            schedules: shape.offered.map(|offered| [schedule(offered), schedule(offered)]),
            due: if shape.offered.is_some() { 0 } else { u64::MAX },
            started: 0,
            completed: 0,
            receives_started: 0,
            receives_completed: 0,
        }
    }

    fn total(&self) -> u64 {
        self.shape.messages.map_or(u64::MAX, u64::from)
    }

    fn start_messages(&mut self, actions: &mut Vec<Action>) {
        let window = self.shape.offered.map_or(self.shape.window, |offered| offered.outstanding_max);
        let bytes = self.shape.bytes.0;
        while self.started < self.due.min(self.total()) && self.started - self.completed < u64::from(window) {
            let to = RankId(self.destinations.next());
            let op = match self.shape.operation {
                StreamOperation::Put => Op::Put { to, bytes, class: None },
                StreamOperation::Send => Op::Send { to, bytes, tag: self.started as u32, class: None },
            };
            if let Some([_, starts]) = &mut self.schedules {
                actions.push(Action::Due(starts.next_time()));
            }
            actions.push(Action::Start(handle(self.started, KIND_MESSAGE), op));
            self.started += 1;
        }
    }

    fn start_receives(&mut self, actions: &mut Vec<Action>) {
        let Some(source) = self.source else { return };
        let window = u64::from(self.shape.window.max(RECEIVES_MIN));
        while self.receives_started < self.total() && self.receives_started - self.receives_completed < window {
            let number = self.receives_started;
            let op = Op::Recv { from: Some(RankId(source)), bytes: self.shape.bytes.0, tag: Some(number as u32) };
            actions.push(Action::Start(handle(number, KIND_RECEIVE), op));
            self.receives_started += 1;
        }
    }

    /// Waits for the start of the next message, unless all are due.
    fn start_gap(&mut self, actions: &mut Vec<Action>) {
        let (due, total) = (self.due, self.total());
        if let Some([dues, _]) = self.schedules.as_mut().filter(|_| due < total) {
            actions.push(Action::Start(handle(0, KIND_GAP), Op::Until { time: dues.next_time() }));
        }
    }
}

/// `mean` times a fixed-point number with 32 fractional bits.
fn scaled(mean: u64, factor: u64) -> u64 {
    u64::try_from((u128::from(mean) * u128::from(factor)) >> 32).unwrap_or(u64::MAX)
}

impl<D: Destinations> RankProgram for StreamProgram<D> {
    fn advance(&mut self, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress {
        match completed.map(|handle| handle.0 & 3) {
            None => {
                actions.push(Action::IterationStart(0));
                self.start_receives(actions);
                self.start_messages(actions);
                self.start_gap(actions);
            }
            Some(KIND_MESSAGE) => {
                self.completed += 1;
                self.start_messages(actions);
            }
            Some(KIND_RECEIVE) => {
                self.receives_completed += 1;
                self.start_receives(actions);
            }
            Some(_) => {
                self.due += 1;
                self.start_messages(actions);
                self.start_gap(actions);
            }
        }
        let all_received = self.source.is_none() || self.receives_completed == self.total();
        if self.completed == self.total() && all_received {
            actions.push(Action::IterationEnd(0));
            return Progress::Finished;
        }
        Progress::Running
    }
}

/// `16 at once` or `at 50 % of 200 Gb/s`, and how many.
pub(crate) fn stream_text(shape: &StreamShape) -> String {
    let operation = match shape.operation {
        StreamOperation::Put => "puts",
        StreamOperation::Send => "sends",
    };
    let pace = match &shape.offered {
        None => format!("{} at once", shape.window),
        Some(offered) => format!("offered load {} of {}", offered.load, offered.rate_gbps.0),
    };
    let count = shape.messages.map_or("endless".to_owned(), |messages| format!("{messages} messages each"));
    format!("{} {operation}, {pace}, {count}", shape.bytes.0)
}

#[cfg(test)]
mod tests {
    use philae_units::LinkRate;

    use super::*;

    fn offered(load: f64, gaps: Gaps) -> Offered {
        Offered {
            load: Share::from_f64(load).expect("a share"),
            rate_gbps: RateGbps(LinkRate::from_gbps(200)),
            gaps,
            outstanding_max: 4,
        }
    }

    fn shape(offered: Option<Offered>, messages: Option<u32>) -> StreamShape {
        let bytes = Size::kib(4);
        StreamShape { bytes, operation: StreamOperation::Put, window: 3, messages, offered }
    }

    fn starts(actions: &[Action]) -> (usize, usize) {
        let puts = actions.iter().filter(|action| matches!(action, Action::Start(_, Op::Put { .. }))).count();
        let gaps = actions.iter().filter(|action| matches!(action, Action::Start(_, Op::Until { .. }))).count();
        (puts, gaps)
    }

    #[test]
    fn the_mean_gap_is_the_time_on_the_link_over_the_load() {
        assert_eq!(offered(1.0, Gaps::Fixed).mean_gap(Bytes(4_096)), Picoseconds(163_840));
        assert_eq!(offered(0.25, Gaps::Fixed).mean_gap(Bytes(4_096)), Picoseconds(655_360));
    }

    #[test]
    fn a_window_stays_full_until_the_last_messages() {
        let mut stream = StreamProgram::new(shape(None, Some(5)), Always(1), None, RankId(0), 0);
        let mut actions = Vec::new();
        assert_eq!(stream.advance(None, &mut actions), Progress::Running);
        assert_eq!(starts(&actions), (3, 0));
        for (number, (expected, progress)) in
            [(1, Progress::Running), (1, Progress::Running), (0, Progress::Running), (0, Progress::Running)]
                .into_iter()
                .enumerate()
        {
            actions.clear();
            assert_eq!(stream.advance(Some(handle(number as u64, KIND_MESSAGE)), &mut actions), progress);
            assert_eq!(starts(&actions).0, expected);
        }
        assert_eq!(stream.advance(Some(handle(4, KIND_MESSAGE)), &mut actions), Progress::Finished);
    }

    #[test]
    fn an_open_loop_starts_messages_though_none_completes_up_to_its_bound() {
        let mut stream =
            StreamProgram::new(shape(Some(offered(0.5, Gaps::Fixed)), None), Always(1), None, RankId(0), 0);
        let mut actions = Vec::new();
        stream.advance(None, &mut actions);
        assert_eq!(starts(&actions), (0, 1), "the first thing is a gap");
        for gap in 0..10 {
            actions.clear();
            stream.advance(Some(handle(0, KIND_GAP)), &mut actions);
            assert_eq!(starts(&actions), (usize::from(gap < 4), 1));
        }
        actions.clear();
        stream.advance(Some(handle(2, KIND_MESSAGE)), &mut actions);
        assert_eq!(starts(&actions), (1, 0), "what is overdue starts when there is room");
        let mut schedule = Schedule::new(Picoseconds(327_680), Gaps::Fixed, RankId(0), 0);
        let fifth = (0..5).map(|_| schedule.next_time()).last().expect("five");
        assert_eq!(actions[0], Action::Due(fifth), "with the time for which it was intended");
    }

    #[test]
    fn open_loop_gaps_add_up_to_the_load() {
        for gaps in [Gaps::Fixed, Gaps::Exponential] {
            let mut stream = StreamProgram::new(shape(Some(offered(0.5, gaps)), None), Always(1), None, RankId(7), 3);
            let (mut total, mut actions) = (0, Vec::new());
            stream.advance(None, &mut actions);
            for number in 0..100_000 {
                for action in std::mem::take(&mut actions) {
                    match action {
                        Action::Start(_, Op::Until { time }) => total = time.0,
                        Action::Start(handle, Op::Put { .. }) => {
                            stream.advance(Some(handle), &mut Vec::new());
                        }
                        Action::Due(time) => assert_eq!(time.0, total, "nothing is late here"),
                        _ => assert_eq!(number, 0),
                    }
                }
                stream.advance(Some(handle(0, KIND_GAP)), &mut actions);
            }
            let mean = total / 100_000;
            assert!(mean.abs_diff(327_680) < 3_277, "{gaps:?}: {mean} ps");
        }
    }
}
