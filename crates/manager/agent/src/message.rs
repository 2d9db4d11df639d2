//! The messages between agent and manager, as protocol buffers.

use philae_route_tables::{Destination, StagedEntry};
use philae_units::{GroupId, SwitchId};
use prost::{Message, Oneof};

use crate::counters::CounterReading;

/// The version of the protocol. A manager serves agents of its own version and of the previous one.
pub const PROTOCOL: u32 = 1;

/// A message of an agent.
#[derive(Clone, PartialEq, Message)]
pub struct FromAgent {
    /// The content.
    #[prost(oneof = "FromBody", tags = "1, 2, 3, 4, 5, 6, 7")]
    pub body: Option<FromBody>,
}

/// The content of an agent's message.
#[derive(Clone, PartialEq, Oneof)]
pub enum FromBody {
    /// The first message on every connection: identity and state.
    #[prost(message, tag = "1")]
    Hello(Hello),
    /// Periodic: the agent is alive, with hashes of its state.
    #[prost(message, tag = "2")]
    Heartbeat(Heartbeat),
    /// Ports have changed.
    #[prost(message, tag = "3")]
    Ports(PortReports),
    /// An answer to an order.
    #[prost(message, tag = "4")]
    Ack(Ack),
    /// An answer to a question.
    #[prost(message, tag = "5")]
    State(SectionState),
    /// Traffic counters of ports.
    #[prost(message, tag = "6")]
    Counters(CounterReading),
    /// The stage of a firmware upgrade.
    #[prost(message, tag = "7")]
    Upgrade(UpgradeReport),
}

/// The first message on every connection.
#[derive(Clone, PartialEq, Message)]
pub struct Hello {
    /// Name of the switch's controller.
    #[prost(string, tag = "1")]
    pub name: String,
    /// Version of the protocol that the agent speaks.
    #[prost(uint32, tag = "2")]
    pub protocol: u32,
    /// Highest epoch of a manager that it has seen.
    #[prost(uint64, tag = "3")]
    pub epoch: u64,
    /// Serial number of the switch.
    #[prost(string, tag = "4")]
    pub serial: String,
    /// Its model.
    #[prost(string, tag = "5")]
    pub model: String,
    /// Version of its firmware.
    #[prost(string, tag = "6")]
    pub firmware: String,
    /// Hashes of its sections.
    #[prost(message, repeated, tag = "7")]
    pub sections: Vec<SectionHash>,
    /// All its ports.
    #[prost(message, optional, tag = "8")]
    pub ports: Option<PortReports>,
    /// Version of the agent itself.
    #[prost(string, tag = "9")]
    pub agent: String,
    /// Identifies the present start of the switch: a different text after each start; empty if the
    /// agent cannot tell.
    #[prost(string, tag = "10")]
    pub boot: String,
    /// The upgrade in progress, or one that failed since the switch started.
    #[prost(message, optional, boxed, tag = "11")]
    pub upgrade: Option<Box<UpgradeReport>>,
}

/// The stage of a firmware upgrade.
#[derive(Clone, PartialEq, Eq, Message)]
pub struct UpgradeReport {
    /// The version that was ordered; empty if there is no upgrade.
    #[prost(string, tag = "1")]
    pub version: String,
    /// Number of its stage ([`crate::UpgradeStage`]).
    #[prost(uint32, tag = "2")]
    pub stage: u32,
    /// Why it failed.
    #[prost(string, tag = "3")]
    pub detail: String,
    /// The version that runs.
    #[prost(string, tag = "4")]
    pub firmware: String,
}

/// The hash of a section that is in force.
#[derive(Clone, Copy, PartialEq, Eq, Message)]
pub struct SectionHash {
    /// Number of the section.
    #[prost(uint32, tag = "1")]
    pub section: u32,
    /// Hash of its content.
    #[prost(fixed64, tag = "2")]
    pub hash: u64,
}

/// A sign of life of an agent.
#[derive(Clone, PartialEq, Message)]
pub struct Heartbeat {
    /// Hashes of its sections.
    #[prost(message, repeated, tag = "1")]
    pub sections: Vec<SectionHash>,
    /// Number of port reports that it has sent on this connection, by which the manager knows
    /// whether it has received all of them.
    #[prost(uint64, tag = "2")]
    pub reports: u64,
}

/// The state of ports.
#[derive(Clone, PartialEq, Message)]
pub struct PortReports {
    /// Number of this report on the connection, from 1.
    #[prost(uint64, tag = "1")]
    pub number: u64,
    /// The ports.
    #[prost(message, repeated, tag = "2")]
    pub ports: Vec<PortReport>,
}

/// The state of a port.
#[derive(Clone, Copy, PartialEq, Eq, Message)]
pub struct PortReport {
    /// The port.
    #[prost(uint32, tag = "1")]
    pub port: u32,
    /// Number of its state ([`crate::PortState`]).
    #[prost(uint32, tag = "2")]
    pub state: u32,
    /// Network address that its neighbour announces, plus one; 0: none.
    #[prost(uint32, tag = "3")]
    pub neighbour: u32,
    /// Losses of its link since the switch started.
    #[prost(uint32, tag = "4")]
    pub losses: u32,
}

/// The result of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, prost::Enumeration)]
#[repr(i32)]
pub enum OrderOutcome {
    /// Done.
    Done = 0,
    /// The manager's epoch is lower than the highest one that this agent has seen.
    StaleEpoch = 1,
    /// The section was not in the state from which the order begins, and nothing has changed. Or
    /// its new state differs from the one in the order, and it must be replaced.
    Mismatch = 2,
    /// There are no staged entries to activate.
    NothingStaged = 3,
    /// The switch refuses.
    Refused = 4,
    /// The switch did not answer.
    Failed = 5,
}

/// An answer to an order.
#[derive(Clone, PartialEq, Message)]
pub struct Ack {
    /// Number of the order.
    #[prost(uint64, tag = "1")]
    pub request: u64,
    /// The result.
    #[prost(enumeration = "OrderOutcome", tag = "2")]
    pub outcome: i32,
    /// Hash of the section afterwards; if the manager is stale, the highest epoch seen.
    #[prost(fixed64, tag = "3")]
    pub hash: u64,
    /// The result in words.
    #[prost(string, tag = "4")]
    pub detail: String,
}

/// The content of a section.
#[derive(Clone, PartialEq, Message)]
pub struct SectionState {
    /// Number of the question.
    #[prost(uint64, tag = "1")]
    pub request: u64,
    /// Number of the section.
    #[prost(uint32, tag = "2")]
    pub section: u32,
    /// Its hash.
    #[prost(fixed64, tag = "3")]
    pub hash: u64,
    /// Its items; none for the routes.
    #[prost(message, repeated, tag = "4")]
    pub items: Vec<EqualItems>,
}

/// A message of the manager.
#[derive(Clone, PartialEq, Message)]
pub struct ToAgent {
    /// Epoch of the manager.
    #[prost(uint64, tag = "1")]
    pub epoch: u64,
    /// Number of the order, which the answer repeats.
    #[prost(uint64, tag = "2")]
    pub request: u64,
    /// The content.
    #[prost(oneof = "ToBody", tags = "3, 4, 5, 6, 7, 8")]
    pub body: Option<ToBody>,
}

/// The content of a manager's message.
#[derive(Clone, PartialEq, Oneof)]
pub enum ToBody {
    /// The answer to a hello, sent again when one of its times changes.
    #[prost(message, tag = "3")]
    Welcome(Welcome),
    /// New forwarding entries.
    #[prost(message, tag = "4")]
    Stage(StageEntries),
    /// Activates a round of staged entries.
    #[prost(message, tag = "5")]
    Activate(Activate),
    /// New items of another section.
    #[prost(message, tag = "6")]
    Configure(Configure),
    /// Asks for the content of a section.
    #[prost(message, tag = "7")]
    Read(ReadSection),
    /// Orders an operation.
    #[prost(message, tag = "8")]
    Operate(Operate),
}

/// The answer to a hello.
#[derive(Clone, Copy, PartialEq, Eq, Message)]
pub struct Welcome {
    /// Time between heartbeats, milliseconds.
    #[prost(uint32, tag = "1")]
    pub heartbeat_ms: u32,
    /// Least time between two reports of counters, milliseconds; 0: no reports.
    #[prost(uint32, tag = "4")]
    pub counters_ms: u32,
    /// How long an edge port may pause all traffic before it is isolated, milliseconds; 0: the
    /// agent's default.
    #[prost(uint32, tag = "2")]
    pub pause_limit_ms: u32,
    /// How long it must not have done so before it is released, milliseconds; 0: the agent's
    /// default.
    #[prost(uint32, tag = "3")]
    pub pause_clear_ms: u32,
}

/// New forwarding entries. Round 0 is activated immediately, later rounds when they are called.
#[derive(Clone, PartialEq, Message)]
pub struct StageEntries {
    /// The generation of the tables.
    #[prost(uint64, tag = "1")]
    pub generation: u64,
    /// Hash of the table that they change; ignored if they replace all entries.
    #[prost(fixed64, tag = "2")]
    pub base: u64,
    /// Hash of the table after the last round.
    #[prost(fixed64, tag = "3")]
    pub after: u64,
    /// Whether these are all entries of the switch.
    #[prost(bool, tag = "4")]
    pub replace: bool,
    /// The entries.
    #[prost(message, optional, tag = "5")]
    pub entries: Option<ForwardingEntries>,
}

/// Forwarding entries, in columns.
#[derive(Clone, PartialEq, Message)]
pub struct ForwardingEntries {
    /// The destination of each: 0 place, 1 group, 2 switch in bits 32 and 33; bit 34: the entry is
    /// dropped; its number below.
    #[prost(uint64, repeated, tag = "1")]
    pub destination: Vec<u64>,
    /// Candidate ports of each, as masks.
    #[prost(fixed64, repeated, tag = "2")]
    pub ports: Vec<u64>,
    /// Round of each; empty: all 0.
    #[prost(bytes = "vec", tag = "3")]
    pub round: Vec<u8>,
}

/// Activates a round of staged entries.
#[derive(Clone, Copy, PartialEq, Eq, Message)]
pub struct Activate {
    /// The generation of the tables.
    #[prost(uint64, tag = "1")]
    pub generation: u64,
    /// The round.
    #[prost(uint32, tag = "2")]
    pub round: u32,
}

/// New items of a section.
#[derive(Clone, PartialEq, Message)]
pub struct Configure {
    /// Number of the section.
    #[prost(uint32, tag = "1")]
    pub section: u32,
    /// Hash of the section that they change; ignored if they replace all items.
    #[prost(fixed64, tag = "2")]
    pub base: u64,
    /// Hash of the section afterwards.
    #[prost(fixed64, tag = "3")]
    pub after: u64,
    /// Whether these are all items of the section.
    #[prost(bool, tag = "4")]
    pub replace: bool,
    /// The items.
    #[prost(message, repeated, tag = "5")]
    pub items: Vec<EqualItems>,
}

/// Items that have the same value.
#[derive(Clone, PartialEq, Message)]
pub struct EqualItems {
    /// Their numbers.
    #[prost(uint64, repeated, tag = "1")]
    pub keys: Vec<u64>,
    /// Their value.
    #[prost(bytes = "vec", tag = "2")]
    pub value: Vec<u8>,
    /// Whether they are dropped.
    #[prost(bool, tag = "3")]
    pub drop: bool,
}

/// Asks for the content of a section.
#[derive(Clone, Copy, PartialEq, Eq, Message)]
pub struct ReadSection {
    /// Number of the section.
    #[prost(uint32, tag = "1")]
    pub section: u32,
}

/// Orders an operation.
#[derive(Clone, PartialEq, Eq, Message)]
pub struct Operate {
    /// 0: reboot; 1: reset a port; 2: renew the certificate (at any epoch; not answered); 3:
    /// upgrade the firmware.
    #[prost(uint32, tag = "1")]
    pub operation: u32,
    /// The port.
    #[prost(uint32, tag = "2")]
    pub port: u32,
    /// The version of the firmware.
    #[prost(string, tag = "3")]
    pub version: String,
}

/// Above the number of switches of any fabric: an address has 20 bits for group, switch and port
/// together.
const NUMBERS_MAX: u32 = 1 << 20;

/// Marks a dropped entry.
const DROPPED: u64 = 1 << 34;

impl ForwardingEntries {
    /// Converts to the form on the wire.
    pub fn from_entries(entries: impl IntoIterator<Item = StagedEntry>) -> Self {
        let mut columns = Self::default();
        for entry in entries {
            let (kind, number) = match entry.destination {
                Destination::Place(place) => (0, place),
                Destination::Group(group) => (1, group.0),
                Destination::Switch(switch) => (2, switch.0),
            };
            let dropped = if entry.ports.is_none() { DROPPED } else { 0 };
            columns.destination.push(u64::from(number) | kind << 32 | dropped);
            columns.ports.push(entry.ports.unwrap_or(0));
            columns.round.push(entry.round);
        }
        if columns.round.iter().all(|&round| round == 0) {
            columns.round = Vec::new();
        }
        // Thousands of whole tables wait to be sent when a fabric starts, and half of a growing
        // vector is spare capacity.
        columns.destination.shrink_to_fit();
        columns.ports.shrink_to_fit();
        columns
    }

    /// Converts from the form on the wire; `None` if the columns have different lengths or a number
    /// is out of range.
    #[must_use]
    pub fn to_entries(&self) -> Option<Vec<StagedEntry>> {
        let count = self.destination.len();
        if self.ports.len() != count || (self.round.len() != count && !self.round.is_empty()) {
            return None;
        }
        let entry = |index: usize| {
            let word = self.destination[index];
            let number = word as u32;
            if number >= NUMBERS_MAX {
                return None;
            }
            let destination = match word >> 32 & 3 {
                0 => Destination::Place(number),
                1 => Destination::Group(GroupId(number)),
                2 => Destination::Switch(SwitchId(number)),
                _ => return None,
            };
            let ports = (word & DROPPED == 0).then_some(self.ports[index]);
            Some(StagedEntry { destination, ports, round: self.round.get(index).copied().unwrap_or(0) })
        };
        (0..count).map(entry).collect()
    }
}

impl From<FromBody> for FromAgent {
    fn from(body: FromBody) -> Self {
        Self { body: Some(body) }
    }
}
