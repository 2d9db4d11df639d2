//! What the comparison keeps of a run.

use std::collections::BTreeSet;

use philae_results::counter::{CounterName, CounterPlace};
use philae_results::explain::TimePart;
use philae_results::record::{RunRecord, RunStatus};
use philae_units::JobId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::load::Measured;
use crate::experiments::beside::Timing;
use crate::runner::Cell;

/// Where a message's time went, in the words of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeGroup {
    /// Hosts, NICs, switches, cables and the message's own bytes.
    Own,
    /// Its NIC sent other messages.
    OtherMessages,
    /// Queues of switches.
    Queues,
    /// Full buffers, and pauses by switches.
    Buffers,
    /// Queues of flows that have used up their share of a link.
    Shares,
    /// The law: held at the ingress, no room in the window, no credit of the receiver.
    Law,
    /// Lost, and sent again.
    Lost,
    /// The receiver had not posted the receive.
    Receiver,
}

impl TimeGroup {
    /// Every group, in the order of tables.
    pub const ALL: [Self; 8] = [
        Self::Own,
        Self::OtherMessages,
        Self::Queues,
        Self::Buffers,
        Self::Shares,
        Self::Law,
        Self::Lost,
        Self::Receiver,
    ];

    /// Its name in sentences.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Own => "its own bytes and the empty path",
            Self::OtherMessages => "other messages of its NIC",
            Self::Queues => "queues of switches",
            Self::Buffers => "full buffers",
            Self::Shares => "full shares of links",
            Self::Law => "the law (window, credit or hold)",
            Self::Lost => "losses",
            Self::Receiver => "the receiver",
        }
    }

    const fn of(part: TimePart) -> Self {
        match part {
            TimePart::Host
            | TimePart::Nic
            | TimePart::Bus
            | TimePart::Memory
            | TimePart::Serialisation
            | TimePart::Propagation
            | TimePart::Switch => Self::Own,
            TimePart::NicQueue => Self::OtherMessages,
            TimePart::Queueing | TimePart::Class => Self::Queues,
            TimePart::Credit | TimePart::Pause => Self::Buffers,
            TimePart::FlowQueue => Self::Shares,
            TimePart::Held | TimePart::Window => Self::Law,
            TimePart::LinkRetry | TimePart::Retry => Self::Lost,
            TimePart::Receiver => Self::Receiver,
        }
    }
}

/// The explained messages of a run: means.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reasons {
    pub messages: u32,
    /// By [`TimeGroup`], in picoseconds.
    pub groups_ps: [f64; 8],
    /// Switches on the path of the packet that completed the message.
    pub switches: f64,
}

impl Reasons {
    /// Of the messages that the run explained; `None` if it explained none.
    fn of(record: &RunRecord) -> Option<Self> {
        let messages: BTreeSet<u32> = record.explained.iter().map(|row| row.message.number).collect();
        if messages.is_empty() {
            return None;
        }
        let (count, mut groups_ps, mut switches) = (messages.len() as f64, [0.0; 8], 0.0);
        for row in &record.explained {
            groups_ps[TimeGroup::of(row.part) as usize] += row.time.0 as f64 / count;
            switches += if row.part == TimePart::Switch { 1.0 / count } else { 0.0 };
        }
        Some(Self { messages: messages.len() as u32, groups_ps, switches })
    }

    /// Mean latency, in picoseconds.
    pub fn latency_ps(&self) -> f64 {
        self.groups_ps.iter().sum()
    }

    /// Mean time of a group, in picoseconds.
    pub fn of_group(&self, group: TimeGroup) -> f64 {
        self.groups_ps[group as usize]
    }
}

/// What is kept of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunReading {
    /// The load's time, in picoseconds. A lower bound if the run did not end.
    pub time_ps: f64,
    /// Whether it did not end.
    pub is_bound: bool,
    /// When each job ended, in picoseconds from the begin of the run.
    pub ends_ps: Vec<Option<f64>>,
    /// Payload delivered, in bytes.
    pub payload_bytes: u64,
    /// Bytes that NICs put on their links, those that follow included.
    pub sent_bytes: u64,
    /// Of these, acknowledgements, credits and other answers without data.
    pub answer_bytes: u64,
    /// Of these, packets that were sent again.
    pub again_bytes: u64,
    /// Packets that were cut down to their header, and sent again.
    pub trimmed: u64,
    /// Packets that were discarded.
    pub discarded: u64,
    /// Operations that were given up.
    pub failed: u64,
    /// Memory of the model at its peak, in bytes.
    pub memory_bytes: u64,
    /// Packets that crossed a switch, counted at each.
    pub packet_hops: u64,
    /// Packets that NICs sent.
    pub packets: u64,
    /// Why messages took their time, if the run explained some.
    pub reasons: Option<Reasons>,
}

impl RunReading {
    /// Reads a run.
    pub fn of(measured: Measured, cell: &Cell, record: &RunRecord) -> Self {
        let (time_ps, is_bound) = time(measured, cell, record);
        let of_nics = |name: CounterName| -> u64 {
            let rows = record.counters.iter().filter(|row| row.name == name);
            rows.filter(|row| matches!(row.place, CounterPlace::Nic(_))).map(|row| row.value).sum()
        };
        Self {
            time_ps,
            is_bound,
            ends_ps: record.jobs.iter().map(|job| job.finished.map(|end| end.0 as f64)).collect(),
            payload_bytes: record.jobs.iter().map(|job| job.delivered.0).sum(),
            sent_bytes: of_nics(CounterName::BytesSent),
            answer_bytes: of_nics(CounterName::ResponseBytesSent),
            again_bytes: of_nics(CounterName::BytesSentAgain),
            trimmed: record.counters.iter().filter(|row| row.name == CounterName::Trimmed).map(|row| row.value).sum(),
            discarded: record.packets_discarded,
            failed: record.failures.len() as u64,
            memory_bytes: record.model_bytes_peak,
            packet_hops: record.packet_hops,
            packets: record.packets_injected,
            reasons: Reasons::of(record),
        }
    }

    /// Bytes on the NICs' links for each byte of payload.
    pub fn sent_per_payload(&self) -> f64 {
        self.sent_bytes as f64 / self.payload_bytes as f64
    }

    /// Every figure, for `--json`.
    pub fn data(&self) -> Value {
        let reasons = self.reasons.as_ref().map(|reasons| {
            let groups = TimeGroup::ALL.map(|group| json!([group.name(), reasons.of_group(group) / 1e6]));
            json!({ "messages": reasons.messages, "mean_us": groups, "switches": reasons.switches })
        });
        json!({
            "time_us": self.time_ps / 1e6,
            "is_a_lower_bound": self.is_bound,
            "ends_us": self.ends_ps.iter().map(|end| end.map(|end| end / 1e6)).collect::<Vec<_>>(),
            "payload_bytes": self.payload_bytes,
            "sent_bytes": self.sent_bytes,
            "answer_bytes": self.answer_bytes,
            "again_bytes": self.again_bytes,
            "packets_trimmed": self.trimmed,
            "packets_discarded": self.discarded,
            "operations_failed": self.failed,
            "model_bytes_peak": self.memory_bytes,
            "packet_hops": self.packet_hops,
            "packets_sent": self.packets,
            "slowest_messages": reasons,
        })
    }
}

/// The time that the load measures, in picoseconds, and whether the run did not end.
fn time(measured: Measured, cell: &Cell, record: &RunRecord) -> (f64, bool) {
    match measured {
        Measured::Slowdown => {
            let timing = Timing::of(record, &cell.scenario.jobs[JobId(0).index()]);
            (timing.mean_ps, timing.bound)
        }
        Measured::End => {
            let last = record.jobs.iter().map(|job| job.finished).collect::<Option<Vec<_>>>();
            let ended = last.and_then(|ends| ends.into_iter().max()).filter(|_| record.status == RunStatus::Completed);
            (ended.unwrap_or(record.simulated).0 as f64, ended.is_none())
        }
    }
}
