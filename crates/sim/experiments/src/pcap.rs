//! Captures as pcapng files.

use philae_console::standard_output;
use philae_fabric::{CaptureEnd, CaptureSink, CapturedFrame};
use philae_results::format::count;
use philae_results::record::CaptureCount;
use philae_results::{FileKind, is_input};
use philae_scenario::ResolvedScenario;
use philae_units::PortIndex;
use philae_wire::WireError;
use philae_wire::pcapng::{Direction, EnhancedPacket, InterfaceDescription, LinkType, SectionHeader};
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// A capture that cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// Two captures of one scenario have the same file.
    #[error("two captures write '{}'; a file for each would work", .path.display())]
    SameFile {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be made.
    #[error("cannot write the capture '{}': {source}", .path.display())]
    Create {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The file was made and has no room for more.
    #[error("cannot write the whole capture '{}': {source}; it has the first {frames} frames", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Frames that it holds.
        frames: u64,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A frame or text that the format cannot hold.
    #[error("cannot write the capture '{}': {source}", .path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The error of the format.
        source: WireError,
    },
}

impl CaptureError {
    /// Whether only its reader has gone, which is no error for a program in a pipe.
    #[must_use]
    pub fn is_unread(&self) -> bool {
        matches!(self, Self::Create { source, .. } | Self::Write { source, .. } if source.kind() == ErrorKind::BrokenPipe)
    }

    /// The file.
    #[must_use]
    pub const fn path(&self) -> &PathBuf {
        match self {
            Self::SameFile { path }
            | Self::Create { path, .. }
            | Self::Write { path, .. }
            | Self::Format { path, .. } => path,
        }
    }

    /// Whether it was found before the run began.
    #[must_use]
    pub const fn is_before_the_run(&self) -> bool {
        matches!(self, Self::SameFile { .. } | Self::Create { .. })
    }
}

/// Bytes that are gathered before they go to a file. Source: ours. Status: assumed.
const GATHERED_BYTES: usize = 8_192;

/// The file of one capture. It always ends with a whole block: where the disk is full, readers get
/// what there is.
#[derive(Debug)]
struct Capture {
    path: PathBuf,
    file: File,
    /// Bytes of the file, and the frames in them.
    length: u64,
    frames: u64,
    /// Frames that are not in the file yet, a block each.
    blocks: Vec<u8>,
    failure: Option<CaptureError>,
}

impl Capture {
    fn add(&mut self, frame: &CapturedFrame<'_>) {
        if self.failure.is_some() {
            return;
        }
        let direction = if frame.inbound { Direction::Inbound } else { Direction::Outbound };
        let packet =
            EnhancedPacket { interface: 0, time: frame.time, direction, fcs_len: 0, data: frame.bytes, comment: "" };
        let begin = self.blocks.len();
        if let Err(source) = packet.block_cut(&mut self.blocks, frame.length) {
            self.blocks.truncate(begin);
            self.flush();
            self.failure.get_or_insert_with(|| CaptureError::Format { path: self.path.clone(), source });
        } else if self.blocks.len() >= GATHERED_BYTES {
            self.flush();
        }
    }

    /// Writes what is gathered. Where there is no room for all of it, the file keeps what is whole.
    fn flush(&mut self) {
        let written = self.file.write_all(&self.blocks);
        let reached = match &written {
            Ok(()) => self.length + self.blocks.len() as u64,
            Err(_) => self.file.metadata().map_or(0, |found| found.len()),
        };
        let mut at = 0;
        while let Some(head) = self.blocks.get(at..at + 8) {
            let block = u32::from_le_bytes([head[4], head[5], head[6], head[7]]);
            if self.length + u64::from(block) > reached {
                break;
            }
            self.length += u64::from(block);
            self.frames += 1;
            at += block as usize;
        }
        self.blocks.clear();
        if let Err(source) = written {
            // A device has no length.
            let _ = self.file.set_len(self.length);
            self.failure = Some(CaptureError::Write { path: self.path.clone(), frames: self.frames, source });
        }
    }
}

/// One file for each capture of a scenario. A file that cannot be gone on with ends neither the run
/// nor the other captures.
#[derive(Debug)]
pub struct PcapFiles {
    captures: Vec<Capture>,
}

impl PcapFiles {
    /// Begins the files of a scenario's captures.
    ///
    /// # Errors
    /// [`CaptureError`]: two captures with one file, or one that cannot be made.
    pub fn create(resolved: &ResolvedScenario) -> Result<Self, CaptureError> {
        let topology = &resolved.system.topology;
        let mut captures: Vec<Capture> = Vec::new();
        for (section, point) in resolved.scenario.captures.iter().zip(&resolved.captures) {
            let path = section.file.clone();
            if captures.iter().any(|other| other.path == path || is_input(&path, &other.path)) {
                return Err(CaptureError::SameFile { path });
            }
            let (port, place) = match point.end {
                CaptureEnd::Nic(endpoint) => {
                    let found = topology.endpoint(endpoint);
                    (
                        found.port,
                        format!("node {} NIC {}; outbound frames are those that it sends", found.node, found.nic),
                    )
                }
                CaptureEnd::Port(port) => (port, place_of(topology, port)),
            };
            let mut head = Vec::new();
            let comment = format!("{}, seed {}", resolved.name, resolved.scenario.seed);
            let application = concat!("philae ", env!("CARGO_PKG_VERSION"));
            let interface = InterfaceDescription {
                link_type: LinkType::Ethernet,
                name: &point.name,
                rate: topology.rate(port),
                comment: &place,
            };
            SectionHeader { application, comment: &comment }
                .block(&mut head)
                .and_then(|()| interface.block(&mut head))
                .map_err(|source| CaptureError::Format { path: path.clone(), source })?;
            let cannot = |source| CaptureError::Create { path: path.clone(), source };
            let mut file = match standard_output(&path).map_err(cannot)? {
                Some(own) => own,
                None => {
                    FileKind::Pcapng.check_replaces(&path).map_err(cannot)?;
                    File::create(&path).map_err(cannot)?
                }
            };
            file.write_all(&head).map_err(cannot)?;
            let length = head.len() as u64;
            captures.push(Capture { path, file, length, frames: 0, blocks: Vec::new(), failure: None });
        }
        Ok(Self { captures })
    }

    /// Ends the files; those that could not be written to their end.
    #[must_use]
    pub fn finish(self) -> Vec<CaptureError> {
        let end = |mut capture: Capture| {
            if capture.failure.is_none() {
                capture.flush();
            }
            capture.failure
        };
        self.captures.into_iter().filter_map(end).collect()
    }
}

impl CaptureSink for PcapFiles {
    fn frame(&mut self, frame: &CapturedFrame<'_>) -> ControlFlow<()> {
        self.captures[frame.point].add(frame);
        ControlFlow::Continue(())
    }
}

fn place_of(topology: &philae_topology::Topology, port: PortIndex) -> String {
    let switch = topology.switch_of(port);
    format!("group {} switch {switch}; outbound frames are those that leave it", topology.group_of(switch))
}

/// The counts of the captures, a line for each port.
#[must_use]
pub fn counts_text(resolved: &ResolvedScenario, counts: &[CaptureCount], failed: &[CaptureError]) -> String {
    let line = |(found, section): (&CaptureCount, &philae_scenario::CaptureSection)| {
        let left_out = match found.left_out {
            0 => String::new(),
            more => format!(", {} left out (packets_max = {})", count(more), section.packets_max),
        };
        format!("capture: {} ({}: {} frames{left_out})\n", section.file.display(), found.port, count(found.written))
    };
    let is_whole = |section: &philae_scenario::CaptureSection| failed.iter().all(|error| *error.path() != section.file);
    counts.iter().zip(&resolved.scenario.captures).filter(|(_, section)| is_whole(section)).map(line).collect()
}
