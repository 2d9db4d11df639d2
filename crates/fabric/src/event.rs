//! Events and their keys. An event is a plain value: no closure, no pointer.

use philae_engine::{EventKey, Step};
use philae_rosetta::CreditReturn;
use philae_units::Picoseconds;

use crate::observe::Tag;
use crate::packet::{Header, Packet};

/// What happens inside a partition. Slots are the partition's own.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// A packet's header has been parsed at an input port.
    Arrive { packet: u32, port: u32 },
    /// An output port looks for a packet to grant.
    Arbitrate { port: u32 },
    /// A NIC looks for a packet to send.
    Inject { endpoint: u32 },
    /// A packet's last bit has reached its NIC.
    Deliver { packet: u32 },
    /// An end-to-end acknowledgement is back at the ingress port.
    Ack { flow: u32, bytes: u32, queue: u32 },
    /// A congestion notice is back at the ingress port (or, for ECN, in the NIC).
    Notice { source: u32, destination: u32, queue: u32, class: u8 },
    /// A packet from a slow link is in far enough for its faster output not to run dry.
    Request { packet: u32, port: u32 },
    /// A held flow's waiting time is over.
    Release { flow: u32 },
    /// A pause frame reaches the NIC.
    PauseNic { endpoint: u32, class: u8, on: bool },
    /// A pause frame reaches the output of a switch.
    PauseLink { port: u32, channel: u8, on: bool },
    /// A message has been fetched by its NIC and may be sent.
    Ready { message: u32 },
    /// A message is visible at its receiver.
    Complete { message: u32 },
    /// A rank takes a completion (`START` for its start).
    Run { rank: u32, handle: u32 },
}

/// The handle that stands for a rank's start.
pub const START: u32 = u32::MAX;

/// What travels between partitions, with the time at which it happens there.
#[derive(Clone, Debug)]
pub enum Crossing {
    /// A packet arrives at an input port, with what follows it.
    Packet { key: EventKey, port: u32, packet: Packet, tag: Option<Box<Tag>> },
    /// A credit arrives at an output port.
    Credit { port: u32, credit: CreditReturn },
    /// An acknowledgement arrives at the ingress port.
    Ack { key: EventKey, flow: u32, bytes: u32, queue: u32 },
    /// A congestion notice.
    Notice { key: EventKey, source: u32, destination: u32, queue: u32, class: u8 },
    /// A message is on its way: its receiver's record is made before its first packet can arrive.
    Announce { source: u32, destination: u32, number: u32, header: Header },
    /// A pause frame for an output.
    PauseLink { key: EventKey, port: u32, channel: u8, on: bool },
    /// A completion for a rank.
    Run { key: EventKey, rank: u32, handle: u32 },
}

/// Numbers of everything that events are told to, in one space: ports, endpoints, flows' ends, ranks.
#[derive(Clone, Copy, Debug)]
pub struct Targets {
    /// Ports of the system.
    pub ports: u32,
    /// Endpoints of the system.
    pub endpoints: u32,
}

/// What comes back to the ingress about a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowNews {
    /// An acknowledgement.
    Ack,
    /// A congestion notice.
    Notice,
    /// The end of a wait.
    Release,
}

impl Targets {
    /// Key of a packet's arrival at an input port: one packet per port and instant.
    #[inline]
    pub fn arrive(self, time: u64, port: u32) -> EventKey {
        EventKey::new(Picoseconds(time), Step::Arrive, port, 0)
    }

    /// Key of an arbitration.
    #[inline]
    pub fn arbitrate(self, time: u64, port: u32) -> EventKey {
        EventKey::new(Picoseconds(time), Step::Arbitrate, port, 0)
    }

    /// Key of an injection.
    #[inline]
    pub fn inject(self, time: u64, endpoint: u32) -> EventKey {
        EventKey::new(Picoseconds(time), Step::Depart, self.ports + endpoint, 0)
    }

    /// Key of a delivery.
    #[inline]
    pub fn deliver(self, time: u64, endpoint: u32) -> EventKey {
        EventKey::new(Picoseconds(time), Step::Arrive, self.ports + endpoint, 0)
    }

    /// Key of a packet's request that waited for its tail.
    #[inline]
    pub fn request(self, time: u64, packet: &Packet) -> EventKey {
        let detail = (1 << 35) | (u64::from(packet.destination) << 16) | u64::from(packet.sequence);
        EventKey::new(Picoseconds(time), Step::Arrive, packet.port, detail)
    }

    /// Key of something that comes back about a flow. Of `sequence`, 12 bits count: more packets of one flow than that
    /// are never in the fabric.
    #[inline]
    pub fn flow(
        self,
        time: u64,
        (source, destination, class): (u32, u32, u8),
        news: FlowNews,
        sequence: u16,
    ) -> EventKey {
        let detail = (u64::from(destination) << 16) | (u64::from(class & 15) << 12) | u64::from(sequence & 0xfff);
        let step = match news {
            FlowNews::Ack => Step::Arrive,
            FlowNews::Notice => Step::Arbitrate,
            FlowNews::Release => Step::Depart,
        };
        EventKey::new(Picoseconds(time), step, self.ports + self.endpoints + source, detail)
    }

    /// Key of a pause frame.
    #[inline]
    pub fn pause(self, time: u64, endpoint: u32, class: u8, on: bool) -> EventKey {
        let detail = (1 << 35) | (u64::from(class) << 1) | u64::from(on);
        EventKey::new(Picoseconds(time), Step::Arrive, self.ports + endpoint, detail)
    }

    /// Key of a pause frame between switches.
    #[inline]
    pub fn pause_link(self, time: u64, port: u32, channel: u8, on: bool) -> EventKey {
        let detail = (1 << 16) | (u64::from(channel) << 1) | u64::from(on);
        EventKey::new(Picoseconds(time), Step::Arrive, port, detail)
    }

    /// Key of a message's own events at an endpoint; `sequence` counts the messages of the endpoint.
    #[inline]
    pub fn message(self, time: u64, step: Step, endpoint: u32, sequence: u32) -> EventKey {
        EventKey::new(Picoseconds(time), step, self.ports + endpoint, (1 << 34) | u64::from(sequence))
    }

    /// Key of a rank's completion.
    #[inline]
    pub fn run(self, time: u64, rank: u32, handle: u32) -> EventKey {
        EventKey::new(Picoseconds(time), Step::Depart, self.ports + 2 * self.endpoints + rank, u64::from(handle))
    }
}
