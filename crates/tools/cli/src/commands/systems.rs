//! `philae systems`.

use crate::arguments::CommonOptions;
use crate::failure::CommandFailure;
use crate::output;
use philae_results::format::count;
use philae_results::text;
use philae_topology::{SystemDescription, Topology, systems};
use serde::Serialize;
use std::process::ExitCode;

#[derive(Serialize)]
struct Row {
    name: &'static str,
    groups: usize,
    switches: usize,
    endpoints: usize,
    nodes: usize,
    congestion: String,
    summary: &'static str,
}

/// Lists the built-in systems.
pub fn run(shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let mut rows = Vec::new();
    for system in systems() {
        let description = SystemDescription::parse(system.text).map_err(CommandFailure::input)?;
        let topology = Topology::build(&description).map_err(CommandFailure::input)?;
        rows.push(Row {
            name: system.name,
            groups: topology.group_count(),
            switches: topology.switch_count(),
            endpoints: topology.endpoint_count(),
            nodes: topology.node_count(),
            congestion: description.congestion,
            summary: system.summary,
        });
    }
    if shared.json {
        return output::print_json(&serde_json::json!({ "systems": rows }));
    }
    let number = |value: usize| count(value as u64);
    let cells = |row: &Row| {
        vec![
            row.name.to_owned(),
            number(row.groups),
            number(row.switches),
            number(row.endpoints),
            number(row.nodes),
            row.congestion.clone(),
            row.summary.to_owned(),
        ]
    };
    let headers = ["name", "groups", "switches", "endpoints", "nodes", "congestion", "summary"];
    output::print(&text::table(&headers, &rows.iter().map(cells).collect::<Vec<_>>(), shared.colour()))
}
