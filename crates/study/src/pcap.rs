//! Captures as pcapng files.

use philae_fabric::{CaptureEnd, CaptureSink, CapturedFrame};
use philae_measure::format::count;
use philae_measure::record::CaptureCount;
use philae_scenario::ResolvedScenario;
use philae_units::PortIndex;
use philae_wire::WireError;
use philae_wire::pcapng::{Direction, EnhancedPacket, InterfaceDescription, LinkType, SectionHeader};
use std::fs::File;
use std::io::{BufWriter, Write};
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
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The file was made and cannot be gone on with.
    #[error("cannot write the capture '{}': {source}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// What the format cannot hold.
    #[error("cannot write the capture '{}': {source}", .path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What it cannot hold.
        source: WireError,
    },
}

impl CaptureError {
    /// Whether it was found before the run began.
    #[must_use]
    pub const fn is_before_the_run(&self) -> bool {
        matches!(self, Self::SameFile { .. } | Self::Create { .. })
    }
}

/// One file for each capture of a scenario.
#[derive(Debug)]
pub struct PcapFiles {
    files: Vec<(PathBuf, BufWriter<File>)>,
    block: Vec<u8>,
    failure: Option<CaptureError>,
}

impl PcapFiles {
    /// Begins the files of a scenario's captures.
    ///
    /// # Errors
    /// [`CaptureError`]: two captures with one file, or one that cannot be made.
    pub fn create(resolved: &ResolvedScenario) -> Result<Self, CaptureError> {
        let topology = &resolved.system.topology;
        let mut files: Vec<(PathBuf, BufWriter<File>)> = Vec::new();
        for (section, point) in resolved.scenario.captures.iter().zip(&resolved.captures) {
            let path = section.file.clone();
            if files.iter().any(|(other, _)| *other == path) {
                return Err(CaptureError::SameFile { path });
            }
            let (port, place) = match point.end {
                CaptureEnd::Nic(endpoint) => {
                    let found = topology.endpoint(endpoint);
                    (found.port, format!("node {} NIC {}; outbound is what it sends", found.node, found.nic))
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
            let mut writer = BufWriter::new(File::create(&path).map_err(cannot)?);
            writer.write_all(&head).map_err(cannot)?;
            files.push((path, writer));
        }
        Ok(Self { files, block: Vec::new(), failure: None })
    }

    /// Ends the files.
    ///
    /// # Errors
    /// [`CaptureError`]: what could not be written, also earlier.
    pub fn finish(self) -> Result<(), CaptureError> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        for (path, mut writer) in self.files {
            writer.flush().map_err(|source| CaptureError::Write { path, source })?;
        }
        Ok(())
    }

    fn write(&mut self, frame: &CapturedFrame<'_>) -> Result<(), CaptureError> {
        let (path, writer) = &mut self.files[frame.point];
        self.block.clear();
        let direction = if frame.inbound { Direction::Inbound } else { Direction::Outbound };
        let packet =
            EnhancedPacket { interface: 0, time: frame.time, direction, fcs_len: 0, data: frame.bytes, comment: "" };
        let made: Result<(), WireError> = packet.block_cut(&mut self.block, frame.length);
        made.map_err(|source| CaptureError::Format { path: path.clone(), source })?;
        writer.write_all(&self.block).map_err(|source| CaptureError::Write { path: path.clone(), source })
    }
}

impl CaptureSink for PcapFiles {
    fn frame(&mut self, frame: &CapturedFrame<'_>) -> ControlFlow<()> {
        match self.write(frame) {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => {
                self.failure.get_or_insert(failure);
                ControlFlow::Break(())
            }
        }
    }
}

fn place_of(topology: &philae_topology::Topology, port: PortIndex) -> String {
    let switch = topology.switch_of(port);
    format!("group {} switch {switch}; outbound is what leaves it", topology.group_of(switch))
}

/// How much was captured, a line for each port.
#[must_use]
pub fn counts_text(resolved: &ResolvedScenario, counts: &[CaptureCount]) -> String {
    let line = |(found, section): (&CaptureCount, &philae_scenario::CaptureSection)| {
        let left_out = match found.left_out {
            0 => String::new(),
            more => format!(", {} left out (packets_max = {})", count(more), section.packets_max),
        };
        format!("capture: {} ({}: {} frames{left_out})\n", section.file.display(), found.port, count(found.written))
    };
    counts.iter().zip(&resolved.scenario.captures).map(line).collect()
}
