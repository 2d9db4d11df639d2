//! Events and their keys. An event is a plain value: no closure, no pointer.

use philae_engine::{EventKey, EventOrder};
use philae_units::Picoseconds;

use crate::model::packet::Packet;
use crate::model::tcp::TcpStep;

/// An event inside a partition. Slots are the partition's own. The frequent events of a port carry
/// its slot: to look it up once, while other memory is awaited, costs less than each time.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub enum Event {
    /// The header of a packet from another switch has been parsed at an input port.
    Arrive { packet: u32, port: u32, port_slot: u32 },
    /// The same for a packet from a NIC, at its edge port.
    Enter { packet: u32, port: u32, port_slot: u32 },
    /// The same for a packet from a switch of another block of this partition.
    Cross { packet: u32, port: u32, port_slot: u32 },
    /// An output port looks for a packet to grant.
    Arbitrate { port: u32, port_slot: u32 },
    /// A NIC looks for a packet to send.
    Inject { endpoint: u32 },
    /// A packet's last bit has reached its NIC.
    Deliver { packet: u32 },
    /// An end-to-end acknowledgement has returned to the ingress port.
    Ack { flow: u32, bytes: u32, queue: u32 },
    /// A congestion notice has returned to the ingress port (or, for ECN, to the NIC).
    Notice { source: u32, destination: u32, queue: u32, class: u8 },
    /// Enough of a packet from a slow link has arrived that its faster output will not run dry.
    Request { packet: u32, port: u32 },
    /// The waiting time of a held flow is over.
    Release { flow: u32 },
    /// A pause frame reaches the NIC.
    PauseNic { endpoint: u32, class: u8, on: bool },
    /// A NIC that has paused its switch port looks whether its buffer has drained.
    NicDrained { endpoint: u32 },
    /// A pause frame reaches the output of a switch; from a NIC it is for all channels.
    PauseLink { port: u32, channel: u8, on: bool },
    /// A message has been fetched by its NIC and may be sent.
    Ready { message: u32 },
    /// A message is visible at its receiver.
    Complete { message: u32 },
    /// A rank takes a completion (`START` for its start).
    Run { rank: u32, handle: u32 },
    /// A frame has arrived damaged.
    BadFrame { end: u32, frame: u16 },
    /// An ack or a nack of a link has returned to its sender.
    LinkAnswer { end: u32, frame: u16, nack: bool },
    /// The replay timer of a link, or the end of its wait for lanes.
    LinkTimer { end: u32 },
    /// The next frame of a replay is sent.
    Replay { end: u32 },
    /// The other end has given up a link: this end goes down.
    PeerDown { end: u32 },
    /// Faults begin or end.
    #[default]
    Fault,
    /// The routing tables are told about a port.
    Tables { port: u32, down: bool },
    /// A NIC has paused its switch for too long.
    PauseGuard { port: u32 },
    /// A NIC has acknowledged a packet.
    NicAck { endpoint: u32, number: u32 },
    /// A NIC has refused what came before packet `wanted` of a connection.
    NicNack { endpoint: u32, destination: u32, wanted: u32, class: u8 },
    /// Packets of a NIC may be overdue.
    RetryTimer { endpoint: u32 },
    /// A NIC, or the software behind it, continues a collective operation.
    Collective { endpoint: u32, todo: u32 },
    /// A NIC sends a message again for which its receiver had no list entry.
    ResendRefused { slot: u32 },
    /// Something happens to a TCP connection.
    Tcp { end: u32, step: TcpStep },
    /// A reduction engine of a port may have waited long enough.
    EngineTimer { port: u32, tree: u16, reduction: u8 },
    /// A rank, counted over all jobs, learns that a message is lost for good.
    Lost { rank: u32, slot: u32 },
    /// A NIC may have had no link for so long that it gives up what it was handed.
    NicGivesUp { endpoint: u32 },
}

// The calendar moves events: each word more costs time in every run.
const _: () = assert!(size_of::<Event>() == 16);

/// The handle that stands for a rank's start.
pub const START: u32 = u32::MAX;

/// Numbers of all targets of events, in one space: ports, endpoints, ends of flows, ranks.
#[derive(Clone, Copy, Debug)]
pub struct EventTargets {
    /// Ports of the system.
    pub ports: u32,
    /// Endpoints of the system.
    pub endpoints: u32,
}

/// News about a flow for its ingress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowNews {
    /// An acknowledgement.
    Ack,
    /// A congestion notice.
    Notice,
    /// The end of a wait.
    Release,
}

impl EventTargets {
    /// Key of a packet's arrival at an input port: one packet per port and instant.
    #[inline]
    pub fn arrive(self, time: u64, port: u32) -> EventKey {
        EventKey::new(Picoseconds(time), EventOrder::Arrive, port, 0)
    }

    /// Key of an arbitration.
    #[inline]
    pub fn arbitrate(self, time: u64, port: u32) -> EventKey {
        EventKey::new(Picoseconds(time), EventOrder::Arbitrate, port, 0)
    }

    /// Key of an injection.
    #[inline]
    pub fn inject(self, time: u64, endpoint: u32) -> EventKey {
        EventKey::new(Picoseconds(time), EventOrder::Depart, self.ports + endpoint, 0)
    }

    /// Key of a delivery.
    #[inline]
    pub fn deliver(self, time: u64, endpoint: u32) -> EventKey {
        EventKey::new(Picoseconds(time), EventOrder::Arrive, self.ports + endpoint, 0)
    }

    /// Key of a packet's request that waited for its tail.
    #[inline]
    pub fn request(self, time: u64, packet: &Packet) -> EventKey {
        let detail = (1 << 35) | (u64::from(packet.destination) << 16) | u64::from(packet.ingress.sequence);
        EventKey::new(Picoseconds(time), EventOrder::Arrive, packet.place.port, detail)
    }

    /// Key of news about a flow. Only 12 bits of `sequence` count, because the fabric never has
    /// more packets of one flow.
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
            FlowNews::Ack => EventOrder::Arrive,
            FlowNews::Notice => EventOrder::Arbitrate,
            FlowNews::Release => EventOrder::Depart,
        };
        EventKey::new(Picoseconds(time), step, self.ports + self.endpoints + source, detail)
    }

    /// Key of a pause frame.
    #[inline]
    pub fn pause(self, time: u64, endpoint: u32, class: u8, on: bool) -> EventKey {
        let detail = (1 << 35) | (u64::from(class) << 1) | u64::from(on);
        EventKey::new(Picoseconds(time), EventOrder::Arrive, self.ports + endpoint, detail)
    }

    /// Key of a pause frame between switches.
    #[inline]
    pub fn pause_link(self, time: u64, port: u32, channel: u8, on: bool) -> EventKey {
        let detail = (1 << 16) | (u64::from(channel) << 1) | u64::from(on);
        EventKey::new(Picoseconds(time), EventOrder::Arrive, port, detail)
    }

    /// Key of a look at a NIC's buffer: one per NIC and instant.
    pub fn nic_drained(self, time: u64, endpoint: u32) -> EventKey {
        EventKey::new(Picoseconds(time), EventOrder::Arbitrate, self.ports + endpoint, (1 << 33) | 2)
    }

    /// Key of a message's own events at an endpoint; `sequence` counts the messages of the
    /// endpoint.
    #[inline]
    pub fn message(self, time: u64, step: EventOrder, endpoint: u32, sequence: u32) -> EventKey {
        EventKey::new(Picoseconds(time), step, self.ports + endpoint, (1 << 34) | u64::from(sequence))
    }

    /// Key of a frame's arrival at an end of a link: one per end and instant.
    pub fn frame(self, time: u64, end: u32) -> EventKey {
        EventKey::new(Picoseconds(time), EventOrder::Arrive, end, 0)
    }

    /// Key of an answer of a link: one per end and instant.
    pub fn link_answer(self, time: u64, end: u32) -> EventKey {
        EventKey::new(Picoseconds(time), EventOrder::Arrive, end, 1 << 33)
    }

    /// Key of the news that a link has been given up.
    pub fn peer_down(self, time: u64, end: u32) -> EventKey {
        EventKey::new(Picoseconds(time), EventOrder::Arrive, end, (1 << 33) | 1)
    }

    /// Key of a link's timer.
    pub fn link_timer(self, time: u64, end: u32) -> EventKey {
        EventKey::new(Picoseconds(time), EventOrder::Arbitrate, end, 1 << 33)
    }

    /// Key of the guard against a NIC that pauses for too long.
    pub fn pause_guard(self, time: u64, end: u32) -> EventKey {
        EventKey::new(Picoseconds(time), EventOrder::Arbitrate, end, (1 << 33) | 1)
    }

    /// Key of the next frame of a replay.
    pub fn replay(self, time: u64, end: u32) -> EventKey {
        EventKey::new(Picoseconds(time), EventOrder::Depart, end, 1 << 33)
    }

    /// Key of faults. They come before everything else of their time except a frame that arrives at
    /// port 0, which [`accept`](crate::partition::Partition::accept) handles.
    pub fn fault(self, time: u64) -> EventKey {
        EventKey::new(Picoseconds(time), EventOrder::Arrive, 0, 0)
    }

    /// Key of news for the routing tables.
    pub fn tables(self, time: u64, port: u32, down: bool) -> EventKey {
        EventKey::new(Picoseconds(time), EventOrder::Arrive, port, (1 << 33) | 2 | u64::from(down))
    }

    /// Key of an acknowledgement from NIC to NIC.
    pub fn nic_ack(self, time: u64, endpoint: u32, number: u32) -> EventKey {
        let target = self.ports + self.endpoints + endpoint;
        EventKey::new(Picoseconds(time), EventOrder::Arrive, target, (1 << 35) | u64::from(number))
    }

    /// Key of a refusal from NIC to NIC.
    pub fn nic_nack(self, time: u64, endpoint: u32, destination: u32, class: u8) -> EventKey {
        let detail = (1 << 35) | (u64::from(destination) << 4) | u64::from(class & 15);
        EventKey::new(Picoseconds(time), EventOrder::Arbitrate, self.ports + self.endpoints + endpoint, detail)
    }

    /// Key of a NIC's retry timer.
    pub fn retry_timer(self, time: u64, endpoint: u32) -> EventKey {
        EventKey::new(Picoseconds(time), EventOrder::Depart, self.ports + self.endpoints + endpoint, 1 << 35)
    }

    /// Key of the news for a rank that what another one sent, or would have got, is lost. It is
    /// told one at a time.
    pub fn lost(self, time: u64, rank: u32, other: u32) -> EventKey {
        let detail = (1 << 35) | u64::from(other);
        EventKey::new(Picoseconds(time), EventOrder::Arrive, self.ports + 2 * self.endpoints + rank, detail)
    }

    /// Key of the moment at which a NIC without a link gives up.
    pub fn nic_gives_up(self, time: u64, endpoint: u32) -> EventKey {
        let detail = (1 << 35) | 1;
        EventKey::new(Picoseconds(time), EventOrder::Depart, self.ports + self.endpoints + endpoint, detail)
    }

    /// Key of a second attempt at sending what a rank sent in its operation `handle`.
    pub fn resend_refused(self, time: u64, rank: u32, handle: u32) -> EventKey {
        let detail = (1 << 34) | u64::from(handle);
        EventKey::new(Picoseconds(time), EventOrder::Arrive, self.ports + 2 * self.endpoints + rank, detail)
    }

    /// Key of a step of a TCP connection: of this rank with that, in a class.
    pub fn tcp(self, time: u64, (rank, other, class): (u32, u32, u8), step: TcpStep) -> EventKey {
        let detail = (step as u64) << 32 | u64::from(class & 15) << 28 | u64::from(other & 0xfff_ffff);
        EventKey::new(Picoseconds(time), EventOrder::Arbitrate, self.ports + 2 * self.endpoints + rank, detail)
    }

    /// Key of a rank's completion.
    #[inline]
    pub fn run(self, time: u64, rank: u32, handle: u32) -> EventKey {
        EventKey::new(Picoseconds(time), EventOrder::Depart, self.ports + 2 * self.endpoints + rank, u64::from(handle))
    }
}
