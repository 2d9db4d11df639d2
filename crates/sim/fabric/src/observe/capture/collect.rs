//! Collects the notes of all partitions after each window, and writes them as frames.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use philae_results::record::CaptureCount;
use philae_topology::{PortPeer, Topology};
use philae_units::Picoseconds;

use super::frame::Frames;
use super::{CaptureEnd, CapturePoint, CaptureSink, CaptureWatch, Captured, CapturedFrame};
use crate::model::error::FabricError;
use crate::model::shared::Shared;
use crate::partition::Partition;

/// Longest time from the first bit of a frame at a port until the link takes it there, in
/// picoseconds: 10,000 bytes at 1 Gb/s plus a switch's latency. Source: the longest Ethernet frame,
/// on a link far slower than any here. Status: derived.
const TAKEN_WITHIN: u64 = 100_000_000;

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
