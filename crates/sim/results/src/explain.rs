//! The time of chosen messages, and the flows that delayed them: rows, sums, text for terminals.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use philae_units::{Bytes, ClassId, EndpointId, JobId, Picoseconds, PortIndex, RankId};
use serde::Serialize;

use crate::format::{bytes, percent, time_ps};
use crate::names::RowNames;
use crate::record::{MessageKind, RunRecord};
use crate::text::{bold, table};

/// The kind of a part of a message's time. The parts of a message add up to its latency.
///
/// They follow the packet that completed the message: earlier bytes of the same message are
/// serialisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TimePart {
    /// Cores: overheads, copies, doorbells, and the wait for a core that is busy.
    Host,
    /// NICs: commands, reads of memory, transmission, reception, error correction.
    Nic,
    /// Reads and writes between a NIC and the memory of its node: the bus.
    Bus,
    /// The memory of a node had others to serve, or is slower than the bus or the core.
    Memory,
    /// The NIC sent packets of other messages.
    NicQueue,
    /// The window of its TCP connection was full, or earlier messages of the connection waited.
    Window,
    /// The switch had paused the NIC.
    Pause,
    /// Bytes of the message itself on a link: those before the packet that completed it, or that
    /// packet's own.
    Serialisation,
    /// Cables.
    Propagation,
    /// Latency of a switch, including error correction.
    Switch,
    /// Other packets left through the output.
    Queueing,
    /// The buffer beyond the output was full.
    Credit,
    /// Packets for its endpoint had used up their share of the link.
    FlowQueue,
    /// The congestion law held its flow: at the ingress port, or in the NIC.
    Held,
    /// Its traffic class had to wait for its turn.
    Class,
    /// The link sent damaged frames again.
    LinkRetry,
    /// The packet was lost and its NIC sent it again.
    Retry,
    /// The receiving rank had not posted its receive.
    Receiver,
}

impl TimePart {
    /// Every part, in the order of the documentation.
    pub const ALL: [Self; 18] = [
        Self::Host,
        Self::Nic,
        Self::Bus,
        Self::Memory,
        Self::NicQueue,
        Self::Window,
        Self::Pause,
        Self::Serialisation,
        Self::Propagation,
        Self::Switch,
        Self::Queueing,
        Self::Credit,
        Self::FlowQueue,
        Self::Held,
        Self::Class,
        Self::LinkRetry,
        Self::Retry,
        Self::Receiver,
    ];

    /// Its name in the tables.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Nic => "nic",
            Self::Bus => "bus",
            Self::Memory => "memory",
            Self::NicQueue => "nic_queue",
            Self::Window => "window",
            Self::Pause => "pause",
            Self::Serialisation => "serialisation",
            Self::Propagation => "propagation",
            Self::Switch => "switch",
            Self::Queueing => "queueing",
            Self::Credit => "credit",
            Self::FlowQueue => "flow_queue",
            Self::Held => "held",
            Self::Class => "class",
            Self::LinkRetry => "link_retry",
            Self::Retry => "retry",
            Self::Receiver => "receiver",
        }
    }

    /// Its name for people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Nic => "NIC",
            Self::Bus => "bus of the node",
            Self::Memory => "memory of the node",
            Self::NicQueue => "NIC sends other messages",
            Self::Window => "waits for the TCP window",
            Self::Pause => "NIC paused by its switch",
            Self::Serialisation => "wire: serialisation",
            Self::Propagation => "wire: propagation",
            Self::Switch => "switch latency",
            Self::Queueing => "queueing",
            Self::Credit => "waits for credit",
            Self::FlowQueue => "flow queue: endpoint's share is full",
            Self::Held => "held by the congestion law",
            Self::Class => "waits for its class's turn",
            Self::LinkRetry => "link replays frames",
            Self::Retry => "lost and retransmitted",
            Self::Receiver => "waits for the receive",
        }
    }
}

/// A message that was explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explained {
    /// Its number among the requested ones, from 0.
    pub number: u32,
    /// Job of both ranks.
    pub job: JobId,
    /// Rank that issued the operation.
    pub source: RankId,
    /// The other rank.
    pub destination: RankId,
    pub kind: MessageKind,
    /// Traffic class.
    pub class: ClassId,
    /// Payload.
    pub bytes: Bytes,
    /// When the rank issued it.
    pub issued: Picoseconds,
    /// When it was delivered.
    pub delivered: Picoseconds,
}

/// One part of an explained message's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartRow {
    pub message: Explained,
    /// Its place in the message's path, from 0.
    pub number: u32,
    /// The kind of part.
    pub part: TimePart,
    /// Switch port, if there is one: the output for waits, the input for earlier parts.
    pub port: Option<PortIndex>,
    /// Endpoint, for parts of a NIC.
    pub endpoint: Option<EndpointId>,
    /// Duration.
    pub time: Picoseconds,
    /// Bytes that waited for the output when the packet requested it.
    pub queued_bytes: u32,
}

/// A flow that delayed an explained message during one part of its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockerRow {
    /// Number of the message.
    pub message: u32,
    /// Number of the part.
    pub part: u32,
    /// Job of the flow.
    pub job: JobId,
    /// Sending endpoint.
    pub source: EndpointId,
    /// Receiving endpoint.
    pub destination: EndpointId,
    /// Traffic class.
    pub class: ClassId,
    /// Its bytes that were sent before the message, or that filled the buffer or the share that the
    /// message waited for.
    pub bytes: Bytes,
    /// Its part of the time, in proportion to those bytes.
    pub time: Picoseconds,
    /// Whether it is the message's own flow.
    pub own: bool,
}

/// A flow and its total effect on a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BlockingFlow {
    /// Its job's name.
    pub job: String,
    /// Sending endpoint.
    pub source_endpoint: u32,
    /// Receiving endpoint.
    pub destination_endpoint: u32,
    /// Its traffic class's name.
    pub class: String,
    /// Its bytes that went first, over all parts.
    pub bytes: u64,
    /// Its part of the time, in picoseconds.
    pub time_ps: u64,
    /// Whether it is the message's own flow.
    pub own: bool,
}

/// A part, by names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PartOfTime {
    /// The kind of part.
    pub part: TimePart,
    /// The place, for people; empty if there is none.
    pub place: String,
    /// Duration, in picoseconds.
    pub time_ps: u64,
    /// Bytes that were waiting.
    pub queued_bytes: u32,
}

/// An explanation of one message, by names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    pub job: String,
    /// Rank that issued the operation.
    pub source_rank: u32,
    /// The other rank.
    pub destination_rank: u32,
    pub kind: MessageKind,
    /// Payload.
    pub bytes: u64,
    /// When it was issued, in picoseconds.
    pub issued_ps: u64,
    /// From issue to delivery, in picoseconds.
    pub latency_ps: u64,
    /// Its parts, in order of its path. They add up to the latency.
    pub parts: Vec<PartOfTime>,
    /// Flows that delayed it, those with the largest time first.
    pub held_back_by: Vec<BlockingFlow>,
}

/// All explanations of a record.
#[must_use]
pub fn explanations(record: &RunRecord) -> Vec<Explanation> {
    let names = RowNames::new(record);
    let name = |found: Option<&str>| found.unwrap_or_default().to_owned();
    let mut found: BTreeMap<u32, Explanation> = BTreeMap::new();
    for row in &record.explained {
        let message = &row.message;
        let explanation = found.entry(message.number).or_insert_with(|| Explanation {
            job: name(names.job(message.job)),
            source_rank: message.source.0,
            destination_rank: message.destination.0,
            kind: message.kind,
            bytes: message.bytes.0,
            issued_ps: message.issued.0,
            latency_ps: message.delivered.saturating_sub(message.issued).0,
            parts: Vec::new(),
            held_back_by: Vec::new(),
        });
        let place = place(&names, row);
        explanation.parts.push(PartOfTime {
            part: row.part,
            place,
            time_ps: row.time.0,
            queued_bytes: row.queued_bytes,
        });
    }
    let mut flows: BTreeMap<(u32, JobId, EndpointId, EndpointId, ClassId), BlockingFlow> = BTreeMap::new();
    for row in &record.blockers {
        let key = (row.message, row.job, row.source, row.destination, row.class);
        let flow = flows.entry(key).or_insert_with(|| BlockingFlow {
            job: name(names.job(row.job)),
            source_endpoint: row.source.0,
            destination_endpoint: row.destination.0,
            class: name(names.class(row.class)),
            bytes: 0,
            time_ps: 0,
            own: row.own,
        });
        flow.bytes += row.bytes.0;
        flow.time_ps += row.time.0;
    }
    for ((message, ..), flow) in flows {
        if let Some(explanation) = found.get_mut(&message) {
            explanation.held_back_by.push(flow);
        }
    }
    let mut found: Vec<Explanation> = found.into_values().collect();
    for explanation in &mut found {
        explanation.held_back_by.sort_by_key(|flow| {
            let order = (flow.source_endpoint, flow.destination_endpoint);
            (std::cmp::Reverse((flow.time_ps, flow.bytes)), order)
        });
    }
    found
}

fn place(names: &RowNames<'_>, row: &PartRow) -> String {
    match (row.port.and_then(|port| names.port(port)), row.endpoint) {
        (Some(info), _) => format!("switch {}:{} ({})", info.switch, info.port, info.role.as_str()),
        (None, Some(endpoint)) => format!("endpoint {endpoint}"),
        (None, None) => String::new(),
    }
}

/// Rows of flows that the text shows of each message.
const FLOWS_SHOWN: usize = 12;

impl Explanation {
    /// The message in one line.
    #[must_use]
    pub fn title(&self) -> String {
        format!(
            "{}: rank {} -> rank {}, {}, {}, issued at {}, took {}",
            self.job,
            self.source_rank,
            self.destination_rank,
            self.kind.as_str(),
            bytes(self.bytes as f64),
            time_ps(self.issued_ps as f64),
            time_ps(self.latency_ps as f64)
        )
    }

    /// Headers and rows of the table of its parts.
    #[must_use]
    pub fn part_table(&self) -> (&'static [&'static str], Vec<Vec<String>>) {
        let share = |time: u64| percent(time as f64 / (self.latency_ps as f64).max(1.0));
        let row = |part: &PartOfTime| {
            let waits = matches!(part.part, TimePart::Queueing | TimePart::Credit | TimePart::FlowQueue);
            let found = if waits { bytes(f64::from(part.queued_bytes)) } else { String::new() };
            let (label, time) = (part.part.label().to_owned(), nanoseconds(part.time_ps));
            vec![label, part.place.clone(), time, share(part.time_ps), found]
        };
        let mut rows: Vec<Vec<String>> = self.parts.iter().map(row).collect();
        let total: u64 = self.parts.iter().map(|part| part.time_ps).sum();
        rows.push(vec!["total".to_owned(), String::new(), nanoseconds(total), share(total), String::new()]);
        (&["part", "where", "ns", "share", "found waiting"], rows)
    }

    /// Headers and the first rows of the table of flows that delayed it.
    #[must_use]
    pub fn flow_table(&self) -> (&'static [&'static str], Vec<Vec<String>>) {
        let row = |flow: &BlockingFlow| {
            vec![
                flow.job.clone(),
                format!("endpoint {} -> endpoint {}", flow.source_endpoint, flow.destination_endpoint),
                flow.class.clone(),
                bytes(flow.bytes as f64),
                nanoseconds(flow.time_ps),
                percent(flow.time_ps as f64 / (self.latency_ps as f64).max(1.0)),
                if flow.own { "its own flow".to_owned() } else { String::new() },
            ]
        };
        let rows = self.held_back_by.iter().take(FLOWS_SHOWN).map(row).collect();
        (&["job", "flow", "class", "bytes", "ns", "share", "note"], rows)
    }

    /// Number of flows that the table leaves out.
    #[must_use]
    pub fn flows_left_out(&self) -> usize {
        self.held_back_by.len().saturating_sub(FLOWS_SHOWN)
    }
}

/// Exact to the picosecond, so that the printed figures add up.
fn nanoseconds(time: u64) -> String {
    format!("{}.{:03}", time / 1_000, time % 1_000)
}

/// Explanations for a terminal.
#[must_use]
pub fn text(explanations: &[Explanation], colour: bool) -> String {
    let mut out = String::new();
    for explanation in explanations {
        let _ = writeln!(out, "{}\n", bold(&explanation.title(), colour));
        let (headers, rows) = explanation.part_table();
        let _ = writeln!(out, "{}", table(headers, &rows, colour));
        if explanation.held_back_by.is_empty() {
            let _ = writeln!(out, "waited for no flow\n");
            continue;
        }
        let (headers, rows) = explanation.flow_table();
        let _ = writeln!(out, "waited for:\n{}", table(headers, &rows, colour));
        if explanation.flows_left_out() > 0 {
            let _ = writeln!(out, "and {} more flows; --json has them all\n", explanation.flows_left_out());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic;

    fn message() -> Explained {
        Explained {
            number: 0,
            job: JobId(0),
            source: RankId(1),
            destination: RankId(2),
            kind: MessageKind::Eager,
            class: ClassId(0),
            bytes: Bytes(8),
            issued: Picoseconds(5_000),
            delivered: Picoseconds(12_345),
        }
    }

    #[test]
    fn parts_and_flows_are_put_together_by_message() {
        let mut record = synthetic::one_port_record();
        let port = record.port_info[0].index;
        let part = |number, part, port, time| PartRow {
            message: message(),
            number,
            part,
            port,
            endpoint: None,
            time: Picoseconds(time),
            queued_bytes: 100,
        };
        record.explained = vec![part(0, TimePart::Host, None, 345), part(1, TimePart::Queueing, Some(port), 7_000)];
        let flow = |source, time, own| BlockerRow {
            message: 0,
            part: 1,
            job: JobId(0),
            source: EndpointId(source),
            destination: EndpointId(9),
            class: ClassId(0),
            bytes: Bytes(1_000),
            time: Picoseconds(time),
            own,
        };
        record.blockers = vec![flow(3, 2_000, true), flow(4, 5_000, false), flow(4, 1, false)];
        let found = explanations(&record);
        assert_eq!((found.len(), found[0].parts.len(), found[0].latency_ps), (1, 2, 7_345));
        let flows: Vec<(u32, u64)> =
            found[0].held_back_by.iter().map(|flow| (flow.source_endpoint, flow.time_ps)).collect();
        assert_eq!(flows, [(4, 5_001), (3, 2_000)]);
        let shown = text(&found, false);
        for expected in ["0.345", "7.000", "7.345", "its own flow", "100 B", "waited for:"] {
            assert!(shown.contains(expected), "{expected} in {shown}");
        }
    }
}
