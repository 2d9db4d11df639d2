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
//! Acknowledgements take time in the model and no room on a link; they are shown on the two edge
//! links where they begin and end. Credits, the acknowledgements inside the fabric and congestion
//! notices have no frames.

mod frame;
mod socket;
mod tree;
mod tunnel;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use philae_results::record::CaptureCount;
use philae_topology::{PortPeer, Topology};
use philae_units::{EndpointId, Picoseconds, PortIndex};

use crate::model::collective::TreeLoad;
use crate::model::error::FabricError;
use crate::model::partition::{Partition, Shared};
use crate::observe::observer::PacketIdentity;
use frame::{Form, Forms, Frames};
pub use socket::shown_bytes;
pub use tree::TreeSource;

/// Longest time from the first bit of a frame at a port until the link takes it there, in
/// picoseconds: 10,000 bytes at 1 Gb/s plus a switch's latency. Source: the longest Ethernet frame,
/// on a link far slower than any here. Status: derived.
const TAKEN_WITHIN: u64 = 100_000_000;

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
    /// Whether a frame of a known format acknowledges the message whose last packet is `last`.
    pub fn acknowledges(&self, last: &PacketIdentity) -> bool {
        matches!(self.forms.of(last), Form::Roce | Form::Tcp)
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
    /// The acknowledgement of a message.
    Acknowledgement { identity: PacketIdentity },
    /// A pause frame that a switch sent out of `port`.
    Pause { port: u32, class: u8, on: bool },
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
            FrameContent::Acknowledgement { identity } => (1, identity.source, identity.message, identity.destination),
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

/// Sorts the partitions' notes and hands them to the sink.
pub struct Capture {
    points: Vec<CapturePoint>,
    counts: Vec<CaptureCount>,
    frames: Frames,
    /// How much later than its time a frame may be noted, in picoseconds.
    lag: u64,
    /// Notes that an earlier one may still precede.
    coming: Vec<Captured>,
    buffer: Vec<u8>,
}

impl Capture {
    /// Watches `points` in all partitions.
    ///
    /// # Errors
    /// Two captures of one port, a port without a link, and systems whose packets have no bytes:
    /// see [`Frames::new`].
    pub fn new(
        points: Vec<CapturePoint>,
        shared: &Arc<Shared>,
        partitions: &mut [Partition],
    ) -> Result<Self, FabricError> {
        let topology = shared.topology();
        let frames = Frames::new(shared)?;
        let mut watch = CaptureWatch { points: BTreeMap::new(), forms: frames.forms().clone() };
        for (point, index) in points.iter().zip(0..) {
            check(point, topology)?;
            if watch.points.insert(point.end, index).is_some() {
                let works = "another port, or one capture of this one";
                return Err(FabricError::Capture { port: point.name.clone(), found: "captured twice".into(), works });
            }
        }
        let watch = Arc::new(watch);
        for partition in partitions {
            partition.follow_packets();
            partition.record.observer.watch = Some(Arc::clone(&watch));
        }
        let counts =
            points.iter().map(|point| CaptureCount { port: point.name.clone(), written: 0, left_out: 0 }).collect();
        let lag = if shared.traits.has_link_layer { TAKEN_WITHIN } else { 0 };
        Ok(Self { points, counts, frames, lag, coming: Vec::new(), buffer: Vec::new() })
    }

    /// Hands the sink the frames that crossed before `end` and that no later note can precede. At
    /// the `last` call, nothing more is noted.
    pub fn collect(
        &mut self,
        partitions: &mut [Partition],
        end: u64,
        last: bool,
        sink: &mut dyn CaptureSink,
    ) -> ControlFlow<()> {
        for partition in partitions {
            self.coming.append(&mut partition.record.observer.captured);
        }
        if self.coming.is_empty() {
            return ControlFlow::Continue(());
        }
        self.coming.sort_unstable_by_key(Captured::order);
        let end = if last { end } else { end.saturating_sub(self.lag) };
        let ready = self.coming.partition_point(|captured| captured.time < end);
        let ready: Vec<Captured> = self.coming.drain(..ready).collect();
        for captured in ready {
            self.write_frame(&captured, sink)?;
        }
        ControlFlow::Continue(())
    }

    fn write_frame(&mut self, captured: &Captured, sink: &mut dyn CaptureSink) -> ControlFlow<()> {
        let point = usize::from(captured.point);
        let (asked, count) = (&self.points[point], &mut self.counts[point]);
        if count.written == asked.packets_max {
            count.left_out += 1;
            return ControlFlow::Continue(());
        }
        count.written += 1;
        self.frames.write(&captured.content, &mut self.buffer);
        let length = self.buffer.len();
        let bytes = &self.buffer[..length.min(asked.snap_bytes as usize)];
        let (time, inbound) = (Picoseconds(captured.time), captured.inbound);
        sink.frame(&CapturedFrame { point, time, inbound, bytes, length })
    }

    /// Number of frames handed to the sink, and left out.
    pub fn counts(self) -> Vec<CaptureCount> {
        self.counts
    }
}

fn check(point: &CapturePoint, topology: &Topology) -> Result<(), FabricError> {
    let refuse = |found: String, works| Err(FabricError::Capture { port: point.name.clone(), found, works });
    match point.end {
        CaptureEnd::Nic(endpoint) if endpoint.index() >= topology.endpoint_count() => {
            refuse(format!("endpoint {endpoint} of {}", topology.endpoint_count()), "an endpoint below that number")
        }
        CaptureEnd::Port(port) if port.index() >= topology.port_count() => {
            refuse(format!("port {port} of {}", topology.port_count()), "a port below that number")
        }
        CaptureEnd::Port(port) if topology.port(port).peer == PortPeer::None => {
            refuse("a port without a cable".into(), "a port with one")
        }
        CaptureEnd::Nic(_) | CaptureEnd::Port(_) => Ok(()),
    }
}
