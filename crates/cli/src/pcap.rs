//! Captures as pcapng files.

use crate::failure::Failure;
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

/// One file for each capture of a scenario.
pub struct PcapFiles {
    files: Vec<(PathBuf, BufWriter<File>)>,
    block: Vec<u8>,
    failure: Option<Failure>,
}

impl PcapFiles {
    /// Begins the files of a scenario's captures.
    pub fn create(resolved: &ResolvedScenario) -> Result<Self, Failure> {
        let topology = &resolved.system.topology;
        let mut files: Vec<(PathBuf, BufWriter<File>)> = Vec::new();
        for (section, point) in resolved.scenario.captures.iter().zip(&resolved.captures) {
            let path = section.file.clone();
            if files.iter().any(|(other, _)| *other == path) {
                let path = path.display();
                return Err(Failure::input(format!("two captures write '{path}'; a file for each would work")));
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
                .map_err(Failure::input)?;
            let cannot = |error| Failure::input(format!("cannot write the capture '{}': {error}", path.display()));
            let mut writer = BufWriter::new(File::create(&path).map_err(cannot)?);
            writer.write_all(&head).map_err(cannot)?;
            files.push((path, writer));
        }
        Ok(Self { files, block: Vec::new(), failure: None })
    }

    /// Ends the files.
    pub fn finish(self) -> Result<(), Failure> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        for (path, mut writer) in self.files {
            writer.flush().map_err(|error| failed(&path, &error))?;
        }
        Ok(())
    }

    fn write(&mut self, frame: &CapturedFrame<'_>) -> Result<(), Failure> {
        let (path, writer) = &mut self.files[frame.point];
        self.block.clear();
        let direction = if frame.inbound { Direction::Inbound } else { Direction::Outbound };
        let packet =
            EnhancedPacket { interface: 0, time: frame.time, direction, fcs_len: 0, data: frame.bytes, comment: "" };
        let made: Result<(), WireError> = packet.block_cut(&mut self.block, frame.length);
        made.map_err(|error| Failure::run(format!("cannot write the capture '{}': {error}", path.display())))?;
        writer.write_all(&self.block).map_err(|error| failed(path, &error))
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

fn failed(path: &std::path::Path, error: &std::io::Error) -> Failure {
    Failure::run(format!("cannot write the capture '{}': {error}", path.display()))
}

fn place_of(topology: &philae_topology::Topology, port: PortIndex) -> String {
    let switch = topology.switch_of(port);
    format!("group {} switch {switch}; outbound is what leaves it", topology.group_of(switch))
}

/// How much was captured, a line for each port.
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
