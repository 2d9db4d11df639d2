//! TCP streams of one thread each.

use philae_units::{Bytes, Picoseconds, RankId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{WorkloadError, at_least, message_size, not_zero};
use crate::program::{Action, Op, OpHandle, Progress, RankProgram};
use crate::quantity::{RateGbps, Size};
use crate::workload::{Workload, iterations_text};

/// `iperf`: rank i streams to rank i + n/2, each rank being one thread.
///
/// A client writes while the socket accepts more; its server reads. One iteration is one report of a server: from the last
/// byte of the report before to its own. The host model limits each thread: `[hardware.host]`
/// `cassini-2-tcp` has the 40 Gb/s of a sending thread (Slingshot 400 paper, section IV-D); a slower pace is a key of this workload.
/// Source: iperf3, the Slingshot 400 paper's Fig. 9. Status: published; the paper does not say which iperf or options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Iperf {
    /// One write. Default 128 KiB. Source: iperf3's default for TCP. Status: published.
    pub bytes: Size,
    /// Writes that a socket accepts before it blocks. Default 64, 8 MiB. Source: ours. Status: assumed; more than a
    /// bandwidth-delay product.
    pub window: u32,
    /// Pace of each stream (iperf3's `-b`); as fast as possible when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_gbps: Option<RateGbps>,
    /// Writes of one report. Default 64. Source: ours. Status: assumed, any number is sensible.
    pub writes: u32,
    /// Reports; endless when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

impl Default for Iperf {
    fn default() -> Self {
        Self { bytes: Size::kib(128), window: 64, rate_gbps: None, writes: 64, iterations: None }
    }
}

/// Largest window: handles are write numbers modulo 2^30, and must differ.
const WINDOW_MAX: u32 = 1 << 20;

impl Iperf {
    /// Total number of writes of a stream.
    fn total(&self) -> u64 {
        self.iterations.map_or(u64::MAX, |iterations| u64::from(iterations) * u64::from(self.writes))
    }

    /// Time from one write to the next, rounded down to a picosecond; zero without a pace.
    fn gap(&self) -> Picoseconds {
        // 8,000,000 Mb/s are one byte in a picosecond.
        let of_rate = |rate: RateGbps| u128::from(self.bytes.0.0) * 8_000_000 / u128::from(rate.0.0);
        Picoseconds(u64::try_from(self.rate_gbps.map_or(0, of_rate)).unwrap_or(u64::MAX))
    }
}

impl Workload for Iperf {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        let workload = "iperf";
        message_size(workload, "bytes", self.bytes.0)?;
        not_zero(workload, "window", self.window)?;
        not_zero(workload, "writes", self.writes)?;
        if self.window > WINDOW_MAX {
            let (found, allowed) = (self.window.into(), format!("at most {WINDOW_MAX}"));
            return Err(WorkloadError::OutOfRange { workload, key: "window", found, allowed });
        }
        at_least(workload, 2, ranks)?;
        if ranks % 2 == 1 { Err(WorkloadError::OddRanks { workload, found: ranks }) } else { Ok(()) }
    }

    fn program(&self, rank: RankId, ranks: u32, _seed: u64) -> Box<dyn RankProgram> {
        let half = ranks / 2;
        let line =
            Line { bytes: self.bytes.0, window: self.window.into(), total: self.total(), started: 0, completed: 0 };
        if rank.0 < half {
            Box::new(Client { line, server: rank.0 + half, gap: self.gap(), due: 0 })
        } else {
            Box::new(Server { line, client: rank.0 - half, writes: self.writes.into() })
        }
    }

    fn describe(&self) -> String {
        format!("iperf, writes of {}, {}", self.bytes.0, iterations_text(self.iterations))
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}

/// A window that moves along the writes of a stream.
struct Line {
    bytes: Bytes,
    window: u64,
    total: u64,
    started: u64,
    completed: u64,
}

impl Line {
    /// The next write, if there is room for it.
    fn next(&mut self, due: u64) -> Option<u64> {
        let is_open = self.started < self.total.min(due) && self.started - self.completed < self.window;
        is_open.then(|| {
            self.started += 1;
            self.started - 1
        })
    }
}

/// Handles of writes; a pause has a handle of its own.
const fn handle(write: u64) -> OpHandle {
    OpHandle(write as u32 & 0x3fff_ffff)
}

const PAUSE: OpHandle = OpHandle(1 << 30);

struct Client {
    line: Line,
    server: u32,
    gap: Picoseconds,
    /// Writes that the pace allows so far.
    due: u64,
}

impl Client {
    /// Allows one more write, and waits for the time of the next.
    fn pace(&mut self, actions: &mut Vec<Action>) {
        if self.gap == Picoseconds::ZERO {
            self.due = u64::MAX;
        } else {
            self.due += 1;
            if self.due < self.line.total {
                actions.push(Action::Start(PAUSE, Op::Delay { time: self.gap }));
            }
        }
    }
}

impl RankProgram for Client {
    fn advance(&mut self, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress {
        match completed {
            None | Some(PAUSE) => self.pace(actions),
            Some(_) => self.line.completed += 1,
        }
        while let Some(write) = self.line.next(self.due) {
            let (to, bytes) = (RankId(self.server), self.line.bytes);
            actions.push(Action::Start(handle(write), Op::Send { to, bytes, tag: write as u32, class: None }));
        }
        if self.line.completed == self.line.total { Progress::Finished } else { Progress::Running }
    }
}

struct Server {
    line: Line,
    client: u32,
    writes: u64,
}

impl RankProgram for Server {
    fn advance(&mut self, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress {
        let report = |completed: u64| (completed / self.writes) as u32;
        if completed.is_some() {
            self.line.completed += 1;
            if self.line.completed.is_multiple_of(self.writes) {
                actions.push(Action::IterationEnd(report(self.line.completed - 1)));
            }
        }
        if self.line.completed == self.line.total {
            return Progress::Finished;
        }
        if self.line.completed.is_multiple_of(self.writes) {
            actions.push(Action::IterationStart(report(self.line.completed)));
        }
        while let Some(write) = self.line.next(u64::MAX) {
            let from = Some(RankId(self.client));
            actions
                .push(Action::Start(handle(write), Op::Recv { from, bytes: self.line.bytes, tag: Some(write as u32) }));
        }
        Progress::Running
    }
}
