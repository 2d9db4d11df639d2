//! Observation of single packets: captures at ports, and telemetry.

use crate::error::{KeyLocation, ScenarioError};
use philae_fabric::{CaptureEnd, CapturePoint};
use philae_topology::{PortPeer, Topology};
use philae_units::{EndpointId, PortId, PortIndex, SwitchId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Default of the maximum number of frames that a capture writes.
pub const CAPTURE_PACKETS_MAX: u64 = 1_000_000;
/// Default of the bytes that a capture keeps of each frame: all headers.
pub const CAPTURE_SNAP_BYTES: u32 = 128;

/// A capture of the packets of one port, in both directions, as a pcapng file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaptureSection {
    /// The port: "endpoint:N", or "switch:S/port:P" with the numbers of the result's tables.
    pub port: String,
    /// The file to write, relative to the working folder. An existing one is replaced.
    pub file: PathBuf,
    /// Largest number of frames written; the rest is counted. Default 1,000,000.
    #[serde(default = "packets_max")]
    pub packets_max: u64,
    /// Largest number of bytes kept of each frame: 64 to 65,535. Default 128: all headers.
    #[serde(default = "snap_bytes")]
    #[schemars(range(min = 64, max = 65_535))]
    pub snap_bytes: u32,
}

const fn packets_max() -> u64 {
    CAPTURE_PACKETS_MAX
}

const fn snap_bytes() -> u32 {
    CAPTURE_SNAP_BYTES
}

impl CaptureSection {
    /// A capture at a port with the defaults.
    #[must_use]
    pub fn new(port: &str, file: impl Into<PathBuf>) -> Self {
        Self { port: port.to_owned(), file: file.into(), packets_max: packets_max(), snap_bytes: snap_bytes() }
    }

    /// Finds the port; `index` is the capture's place in the scenario.
    pub(crate) fn resolve(&self, index: usize, topology: &Topology) -> Result<CapturePoint, ScenarioError> {
        let refuse = |key: &str, found: String, works: String| {
            Err(ScenarioError::Value { place: KeyLocation::of(format!("capture.{index}.{key}")), found, works })
        };
        if !(64..=65_535).contains(&self.snap_bytes) {
            return refuse("snap_bytes", self.snap_bytes.to_string(), "64 to 65535 would work".to_owned());
        }
        if self.file.as_os_str().is_empty() {
            return refuse("file", "empty".to_owned(), "the path of a file would work".to_owned());
        }
        match end(&self.port, topology) {
            Ok(end) => Ok(CapturePoint {
                name: self.port.clone(),
                end,
                packets_max: self.packets_max,
                snap_bytes: self.snap_bytes,
            }),
            Err(works) => refuse("port", format!("\"{}\"", self.port), works),
        }
    }
}

/// The port of a switch with this name, or what would work.
pub(crate) fn port_of(name: &str, topology: &Topology) -> Result<PortIndex, String> {
    match end(name, topology)? {
        CaptureEnd::Port(port) => Ok(port),
        CaptureEnd::Nic(_) => Err("\"switch:S/port:P\" would work: links are shown by the port that sends".to_owned()),
    }
}

/// The port with this name, or what would work.
fn end(name: &str, topology: &Topology) -> Result<CaptureEnd, String> {
    let last = |count: usize| count.saturating_sub(1);
    if let Some(number) = name.strip_prefix("endpoint:") {
        let endpoint = number.parse().ok().filter(|&endpoint: &u32| (endpoint as usize) < topology.endpoint_count());
        return match endpoint {
            Some(endpoint) => Ok(CaptureEnd::Nic(EndpointId(endpoint))),
            None => Err(format!("endpoint:0 to endpoint:{} exist here", last(topology.endpoint_count()))),
        };
    }
    let Some((switch, port)) = name.strip_prefix("switch:").and_then(|rest| rest.split_once("/port:")) else {
        return Err("\"endpoint:N\" or \"switch:S/port:P\" would work".to_owned());
    };
    let switch = switch.parse().ok().filter(|&switch: &u32| (switch as usize) < topology.switch_count());
    let Some(switch) = switch.map(SwitchId) else {
        return Err(format!("switch:0 to switch:{} exist here", last(topology.switch_count())));
    };
    let wired: Vec<(u8, CaptureEnd)> = topology
        .ports_of(switch)
        .filter(|(_, port)| port.peer != PortPeer::None)
        .map(|(index, _)| (topology.port_of(index).0, CaptureEnd::Port(index)))
        .collect();
    let asked = port.parse().ok().map(PortId);
    match wired.iter().find(|(port, _)| asked == Some(PortId(*port))) {
        Some((_, end)) => Ok(*end),
        None => {
            let ports: Vec<u8> = wired.iter().map(|(port, _)| *port).collect();
            Err(format!("ports of switch {switch} with a cable: {}", ranges(&ports)))
        }
    }
}

/// Ascending numbers in short: `0 to 11, 40`.
fn ranges(numbers: &[u8]) -> String {
    let runs = numbers.chunk_by(|one, next| one + 1 == *next).map(|run| match run {
        [first, .., last] if run.len() > 2 => format!("{first} to {last}"),
        few => few.iter().map(u8::to_string).collect::<Vec<_>>().join(", "),
    });
    runs.collect::<Vec<_>>().join(", ")
}

/// In-band telemetry: sampled packets record times and queue lengths in each switch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TelemetrySection {
    /// Sampling interval in packets of a NIC: 10 samples its first packet and every tenth after it; 0 samples none. Default 0.
    pub sample_every: u32,
    /// Largest number of packets kept as rows. Default 200,000.
    pub packets_max: u64,
    /// Whether packets and bytes are counted by class at every port and NIC (table `counters`). Default false.
    pub class_counters: bool,
}

impl Default for TelemetrySection {
    fn default() -> Self {
        Self { sample_every: 0, packets_max: 200_000, class_counters: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use philae_topology::DragonflyDescription;

    fn refusal(port: &str) -> String {
        let topology = Topology::build(&DragonflyDescription::uniform(3, 2, 2, 1).into()).expect("a legal system");
        CaptureSection::new(port, "x.pcapng").resolve(1, &topology).expect_err("no such port").to_string()
    }

    #[test]
    fn ports_are_found_by_the_numbers_of_the_tables() {
        let topology = Topology::build(&DragonflyDescription::uniform(3, 2, 2, 1).into()).expect("a legal system");
        let end = |name: &str| CaptureSection::new(name, "x.pcapng").resolve(0, &topology).expect("it exists").end;
        assert_eq!(end("endpoint:11"), CaptureEnd::Nic(EndpointId(11)));
        let radix = topology.radix() as u32;
        assert_eq!(end("switch:3/port:1"), CaptureEnd::Port(PortIndex(3 * radix + 1)));
    }

    #[test]
    fn what_does_not_exist_is_refused_with_what_does() {
        assert_eq!(refusal("endpoint:12"), "`capture.1.port` is \"endpoint:12\"; endpoint:0 to endpoint:11 exist here");
        assert_eq!(
            refusal("switch:6/port:0"),
            "`capture.1.port` is \"switch:6/port:0\"; switch:0 to switch:5 exist here"
        );
        let ports = refusal("switch:0/port:99");
        assert!(ports.contains("ports of switch 0 with a cable: 0 to "), "{ports}");
        assert_eq!(ranges(&[0, 1, 2, 5, 6, 9, 253, 254, 255]), "0 to 2, 5, 6, 9, 253 to 255");
        let form = refusal("eth0");
        assert!(form.ends_with("\"endpoint:N\" or \"switch:S/port:P\" would work"), "{form}");
    }
}
