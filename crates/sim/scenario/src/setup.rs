//! What a run is of, in words: the head of its report.

use crate::resolve::{PlacedJob, ResolvedScenario};
use philae_topology::WiringDescription;
use philae_units::counted;
use philae_workload::Nodes;

/// Jobs named in a line. Source: ours: some fill a line. Status: assumed.
const JOBS_NAMED: usize = 6;

/// The word for a value in a scenario file.
fn word(value: &dyn erased_serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

impl ResolvedScenario {
    /// System, hardware, congestion law, routing and placement.
    pub(crate) fn setup(&self) -> Vec<(&'static str, String)> {
        let (description, topology) = (&self.system.description, &self.system.topology);
        let wiring = match description.wiring() {
            Ok(WiringDescription::Dragonfly(_)) => "dragonfly, ",
            Ok(WiringDescription::FatTree(_)) => "fat tree, ",
            Ok(WiringDescription::Graph(_)) => "graph, ",
            Err(_) => "",
        };
        let size = [
            counted(topology.switch_count() as u64, "switch"),
            counted(topology.node_count() as u64, "node"),
            counted(topology.endpoint_count() as u64, "NIC"),
        ];
        let hardware = &self.scenario.hardware;
        let names = [hardware.switch.name(), hardware.nic.name(), hardware.host.name()].map(Option::unwrap_or_default);
        let mode = word(&self.config.routing.mode);
        let preset = self.scenario.routing.name().unwrap_or_default();
        let [switch, nic, host] = names;
        let node = hardware.node.name().filter(|_| self.config.node.is_some()).map(|name| format!(", node {name}"));
        vec![
            ("System", format!("{}: {wiring}{}", description.name, size.join(", "))),
            (
                "Hardware",
                format!(
                    "switch {switch}, NIC {nic}, host {host}{}{}{}{}",
                    node.unwrap_or_default(),
                    self.jitter(),
                    self.tcp(),
                    self.uet()
                ),
            ),
            ("Congestion law", self.scenario.congestion.name().unwrap_or_default().to_owned()),
            ("Routing", format!("{mode} (preset {preset})")),
            ("Placement", self.placement()),
        ]
    }

    /// `, cores late by the law exponential (mean_ns = 100)`; empty where cores are never late.
    fn jitter(&self) -> String {
        let Some(jitter) = &self.scenario.hardware.jitter else { return String::new() };
        let values: Vec<String> = jitter.values().map(|(key, value)| format!("{key} = {value}")).collect();
        format!(", cores late by the law {} ({})", jitter.name().unwrap_or_default(), values.join(", "))
    }

    /// `, TCP linux (receive_buffer_bytes = 65536, ...)`; empty where connections have no windows.
    fn tcp(&self) -> String {
        let Some(tcp) = &self.scenario.hardware.tcp else { return String::new() };
        let values: Vec<String> = tcp.values().map(|(key, value)| format!("{key} = {value}")).collect();
        format!(", TCP {} ({})", tcp.name().unwrap_or_default(), values.join(", "))
    }

    /// `, transport Ultra Ethernet (recycled entropy)`, or how many third-party endpoints speak it;
    /// empty where no NIC does.
    fn uet(&self) -> String {
        if self.scenario.hardware.uet.is_none() {
            return String::new();
        }
        let spray = self.config.laws.uet.spray;
        if self.config.congestion.is_ultra_ethernet() {
            return format!(", transport Ultra Ethernet ({spray:?} entropy)");
        }
        let endpoints: u64 = self.system.topology.ethernet_ports().iter().map(|port| port.links.len() as u64).sum();
        let law = self.config.laws.uet_law.name();
        format!(", {} with Ultra Ethernet (law {law}, {spray:?} entropy)", counted(endpoints, "third-party endpoint"))
    }

    /// `victim: 128 nodes, aggressor: 128 nodes; random`.
    fn placement(&self) -> String {
        let job = |job: &PlacedJob| {
            let listed = if matches!(job.section.nodes, Nodes::List(_)) { " as listed" } else { "" };
            format!("{}: {}{listed}", job.section.name, counted(job.nodes.len() as u64, "node"))
        };
        let mut jobs: Vec<String> = self.jobs.iter().take(JOBS_NAMED).map(job).collect();
        if let Some(more) = self.jobs.len().checked_sub(JOBS_NAMED).filter(|more| *more > 0) {
            jobs.push(format!("{more} more"));
        }
        let allocation = word(&self.scenario.allocation);
        let listed = self.jobs.iter().all(|job| matches!(job.section.nodes, Nodes::List(_)));
        if listed { jobs.join(", ") } else { format!("{}; {allocation}", jobs.join(", ")) }
    }
}
