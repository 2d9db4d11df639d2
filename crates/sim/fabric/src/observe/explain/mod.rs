//! Explains messages: by parts, the time of chosen messages, and which flows delayed them.
//!
//! The interesting messages are known only after a run. A run is a function of its seed, so the
//! same run is made again and only those messages are followed. Nothing is kept of all others, and
//! nothing here flows back into the model.
//!
//! Every packet of a followed message has a [`PacketPath`] in its tag. That of the packet which
//! completes the message becomes part of the message's explanation: spans that join without a
//! gap from issue to delivery, so that they add up.
//!
//! A flow is blamed for bytes of three kinds:
//! - those that left through an output, or out of a NIC, while the packet waited for it;
//! - those that were in the buffer or held the share for which the packet waited;
//! - those that left towards the same endpoint while the law held the packet; or those in the
//!   account of its ingress port, and those that entered there, while the packet waited for that
//!   account.
//!
//! A run that explains has one partition, so that one place sees everything.

mod hop;

mod host;
mod nic;
mod packet_path;
mod rows;

use std::collections::BTreeMap;

use philae_results::explain::TimePart;
use philae_results::record::MessageKind;
use philae_units::{EndpointId, JobId, Picoseconds, PortIndex, RankId};

use crate::model::packet::{Header, Incoming, PacketPurpose, SentKey};
use nic::{FollowedMessage, SendingFlow};
use packet_path::{FlowKey, SpanPlace, Spans};

pub use packet_path::PacketPath;

/// A message to be explained, as an earlier run of the same configuration, jobs and seed recorded
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExplainTarget {
    /// Job of both ranks.
    pub job: JobId,
    /// Rank that issued the operation.
    pub source: RankId,
    /// The other rank.
    pub destination: RankId,
    /// Time of issue.
    pub issued: Picoseconds,
}

/// The data of one message.
#[derive(Clone, Debug)]
struct ExplainedMessage {
    /// Handle of its operation, once it is issued: distinguishes messages that are issued at one
    /// instant.
    handle: Option<u32>,
    issued: u64,
    spans: Spans,
    /// The delivered message, its kind and its time, once it is delivered.
    done: Option<(Incoming, MessageKind, u64)>,
}

/// What is followed for explanations.
#[derive(Default)]
pub struct Explainer {
    /// Stories by issuing rank, other rank (of all jobs) and time of issue.
    targets: BTreeMap<(u32, u32, u64), usize>,
    messages: Vec<ExplainedMessage>,
    /// Followed messages whose packets have not all been sent, by endpoint and number.
    rings: BTreeMap<(u32, u32), FollowedMessage>,
    /// What each NIC sent last.
    sending: BTreeMap<u32, SendingFlow>,
    /// What each output sent last.
    crossing: BTreeMap<u32, (FlowKey, u64)>,
    /// Followed packets that wait, by output.
    waiting: BTreeMap<u32, Vec<u32>>,
    /// Followed packets that the law may hold, by the last port of their path.
    held: BTreeMap<u32, Vec<u32>>,
    /// The job of each flow that entered through a port with an account: by source, destination and
    /// class.
    entered: BTreeMap<(u32, u32, u8), u16>,
    /// Why an output is idle although something waits for it.
    idle: BTreeMap<u32, TimePart>,
    /// What packets met before they were first sent, in runs that may lose packets.
    unacked: BTreeMap<SentKey, PacketPath>,
}

/// Issuing rank and the other one.
fn ranks_of(header: &Header) -> (u32, u32) {
    match header.purpose {
        PacketPurpose::ReadRequest | PacketPurpose::GetData | PacketPurpose::AmoData => {
            (header.destination_rank, header.source_rank)
        }
        PacketPurpose::Eager
        | PacketPurpose::Deferrable
        | PacketPurpose::RendezvousRequest
        | PacketPurpose::ReadData
        | PacketPurpose::Put
        | PacketPurpose::GetRequest
        | PacketPurpose::Amo
        | PacketPurpose::FetchingAmo
        | PacketPurpose::Notice
        | PacketPurpose::Collective
        | PacketPurpose::Response => (header.source_rank, header.destination_rank),
    }
}

impl Explainer {
    /// Follows one more message: issuer, other rank and time of issue.
    pub fn follow(&mut self, key: (u32, u32, u64), issued: Picoseconds) {
        let followed = ExplainedMessage { handle: None, issued: issued.0, spans: Spans::from(issued.0), done: None };
        if self.targets.insert(key, self.messages.len()).is_none() {
            self.messages.push(followed);
        }
    }

    /// The other NIC has acknowledged a packet: it will not be sent again.
    pub fn acknowledged(&mut self, key: SentKey) {
        self.unacked.remove(&key);
    }

    /// A NIC sends nothing more of its message `number`.
    pub fn stopped(&mut self, endpoint: u32, number: u32) {
        self.rings.remove(&(endpoint, number));
    }

    /// The index of a message, if it is followed.
    fn index_of(&mut self, header: &Header) -> Option<usize> {
        if matches!(header.purpose, PacketPurpose::Notice | PacketPurpose::Collective) {
            return None;
        }
        let (issuer, other) = ranks_of(header);
        let index = *self.targets.get(&(issuer, other, header.issued))?;
        let followed = &mut self.messages[index];
        let same = *followed.handle.get_or_insert(header.issuer_handle) == header.issuer_handle;
        (same && followed.done.is_none()).then_some(index)
    }
}

/// The place of a span, in the record's terms.
fn place_of(place: SpanPlace) -> (Option<PortIndex>, Option<EndpointId>) {
    match place {
        SpanPlace::Host => (None, None),
        SpanPlace::Nic(endpoint) => (None, Some(EndpointId(endpoint))),
        SpanPlace::Port(port) => (Some(PortIndex(port)), None),
    }
}
