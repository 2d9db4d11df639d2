//! Captures: frames that cross chosen ports, in order of time.
//!
//! Partitions note which packet crossed a watched port and when ([`Captured`]). After each window
//! the notes of all partitions are sorted, converted to bytes ([`frame`]) and handed to a
//! [`CaptureSink`]. No note waits longer than the length of a link. So a capture takes little
//! memory, however long the run is.
//!
//! A time is that of the first bit at the port. Where links are modelled frame by frame, captures
//! see both ends from above the link's retry. The sender shows a frame when it is sent for the
//! first time, and the receiver shows the copy that it takes. So a frame that is damaged, lost or
//! refused on the way is shown only at its sender.
//!
//! Responses of NICs are packets, and are shown at each port that they cross. Where the switches
//! tell the NICs instead, acknowledgements take time and no room on a link; they are shown on the
//! two edge links where they begin and end, but not those of a Cassini. Credits, the
//! acknowledgements inside the fabric and congestion notices have no frames.

pub mod collect;

mod frame;
mod socket;
mod tree;
mod tunnel;
mod uet;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use philae_units::{EndpointId, Picoseconds, PortIndex};

use crate::model::collective::TreeLoad;
use crate::observe::observer::PacketIdentity;
use frame::{Form, Forms};
pub use socket::shown_bytes;
pub use tree::TreeSource;
pub use uet::{UetAckState, UetContent, UetShown};

/// One end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CaptureEnd {
    /// A NIC: what it sends is outbound.
    Nic(EndpointId),
    /// A port of a switch: what leaves the switch is outbound.
    Port(PortIndex),
}

/// A port to capture, and limits of the capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapturePoint {
    /// Name of its port.
    pub name: String,
    /// The port.
    pub end: CaptureEnd,
    /// The most frames; the rest is counted.
    pub packets_max: u64,
    /// The most bytes that are kept of each frame.
    pub snap_bytes: u32,
}

/// A frame that crossed a port.
#[derive(Clone, Copy, Debug)]
pub struct CapturedFrame<'b> {
    /// Index of the point, in the order in which the points were given.
    pub point: usize,
    /// When its first bit was at the port.
    pub time: Picoseconds,
    /// Whether it is inbound.
    pub inbound: bool,
    /// Its first bytes, from the Ethernet header on, without padding and FCS.
    pub bytes: &'b [u8],
    /// Its full length in bytes.
    pub length: usize,
}

/// Takes frames in order of time.
pub trait CaptureSink {
    /// Takes a frame. `Break` ends the run, which is then interrupted.
    fn frame(&mut self, frame: &CapturedFrame<'_>) -> ControlFlow<()>;
}

/// A sink for runs that capture nothing.
pub struct NoCapture;

impl CaptureSink for NoCapture {
    fn frame(&mut self, _: &CapturedFrame<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The ends that are watched.
#[derive(Clone, Debug, Default)]
pub struct CaptureWatch {
    points: BTreeMap<CaptureEnd, u16>,
    /// Form of the frames between two endpoints.
    forms: Forms,
}

impl CaptureWatch {
    /// Whether a frame of a known format acknowledges the message whose last packet is `last`,
    /// where responses are no packets.
    pub fn acknowledges(&self, last: &PacketIdentity) -> bool {
        matches!(self.forms.of(last), Form::Roce | Form::Tcp)
    }

    /// Whether the response to a packet has a known format.
    pub fn shows_response(&self, packet: &PacketIdentity) -> bool {
        self.forms.of(packet) != Form::Udp
    }

    /// The point that watches an end.
    pub fn point(&self, end: CaptureEnd) -> Option<u16> {
        self.points.get(&end).copied()
    }
}

/// Part of a packet's path: the packet engine is between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FrameSpan {
    /// From its NIC to the edge port.
    FromNic,
    /// Between switches.
    Fabric,
    /// From the last edge port to its NIC.
    ToNic,
}

/// Content of a frame that crossed a port.
#[derive(Clone, Copy, Debug)]
pub enum FrameContent {
    /// A packet of a message.
    Packet { identity: PacketIdentity, marked: bool, hops: u8, span: FrameSpan },
    /// A packet of a collective tree.
    Tree { load: TreeLoad, source: TreeSource, root: u32, class: u8, hops: u8 },
    /// The acknowledgement of a message, or the response to a packet.
    Acknowledgement { identity: PacketIdentity, hops: u8 },
    /// A pause frame that a switch sent out of `port`.
    Pause { port: u32, class: u8, on: bool },
}

impl FrameContent {
    /// A packet of Ultra Ethernet's transport: what it is and says, whether it is marked, and the
    /// switches that it has visited.
    fn of_uet(&self) -> Option<(&PacketIdentity, &UetShown, bool, u8)> {
        match self {
            Self::Packet { identity, marked, hops, .. } => Some((identity, identity.uet.as_ref()?, *marked, *hops)),
            Self::Acknowledgement { identity, hops } => Some((identity, identity.uet.as_ref()?, false, *hops)),
            Self::Tree { .. } | Self::Pause { .. } => None,
        }
    }
}

/// A crossing of a watched port.
#[derive(Clone, Copy, Debug)]
pub struct Captured {
    /// First bit at the port, in picoseconds.
    pub time: u64,
    /// Index of the point.
    pub point: u16,
    /// Whether the frame is inbound.
    pub inbound: bool,
    /// What crossed.
    pub content: FrameContent,
}

impl Captured {
    /// Identities of the model that order frames which cross one port at the same instant.
    const fn order(&self) -> (u64, u16, bool, u8, u32, u32, u32) {
        let (kind, one, other, third) = match &self.content {
            FrameContent::Pause { port, class, on } => (0, *port, *class as u32, *on as u32),
            FrameContent::Acknowledgement { identity, .. } => {
                (1, identity.source, identity.message, identity.destination)
            }
            FrameContent::Packet { identity, .. } => (2, identity.source, identity.message, identity.index),
            FrameContent::Tree { load, source, .. } => {
                let (key, sequence) = load.key();
                let (TreeSource::Nic(source) | TreeSource::Engine(source)) = *source;
                (3, (key.tree as u32) << 8 | key.reduction as u32, sequence as u32, source)
            }
        };
        (self.time, self.point, self.inbound, kind, one, other, third)
    }
}
