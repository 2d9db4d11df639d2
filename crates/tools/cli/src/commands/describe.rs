//! `philae describe`.

use crate::arguments::{CommonOptions, DescribeArguments};
use crate::documents;
use crate::failure::CommandFailure;
use crate::output;
use crate::scenario_errors::input_failure;
use philae_nic_model::EthernetParameters;
use philae_results::format::{count, number};
use philae_results::text::{bold, table};
use philae_scenario::{Scenario, ScenarioError, System, SystemChoice, SystemFile};
use philae_topology::{CableSummary, EthernetEndpoint, SystemFigures, read_regular, unpacked};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Describes one system.
pub fn run(arguments: &DescribeArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let (system, refused) = load(arguments)?;
    let description = SystemFigures::of(&system.description, &system.topology);
    let outputs: Vec<&Path> = arguments.graphml.iter().chain(&arguments.networkx).map(PathBuf::as_path).collect();
    documents::check_apart(&[Path::new(&arguments.system)], &outputs)?;
    if let Some(path) = &arguments.graphml {
        shared.warn(&system.topology.graphml_warnings(&system.description));
        documents::write(path, system.topology.to_graphml(&system.description))?;
    }
    if let Some(path) = &arguments.networkx {
        documents::write(path, format!("{}\n", system.topology.to_node_link(&system.description)))?;
    }
    if let (false, Some(limit)) = (outputs.is_empty(), system.topology.graph_limit()) {
        shared.warn(std::slice::from_ref(&limit));
    }
    if shared.json {
        output::print_json(&system.to_json(refused.as_ref()))?;
    } else if !shared.writes_only(!outputs.is_empty()) {
        output::print(&text(&description, &hardware(&system), shared.colour()))?;
    }
    match refused {
        None => Ok(ExitCode::SUCCESS),
        Some(error) => {
            shared.say(&format!("philae simulate would refuse this scenario: {error}"));
            Ok(ExitCode::from(1))
        }
    }
}

/// The system of this name or file, and why a run on it would be refused; or the system of a
/// scenario's file, checked as for a run.
fn load(arguments: &DescribeArguments) -> Result<(System, Option<ScenarioError>), CommandFailure> {
    let path = Path::new(&arguments.system);
    if is_scenario(path) {
        if arguments.endpoints_per_switch != 0 {
            let words = "--endpoints-per-switch is for a graph; in a scenario, set endpoints_per_switch in [system]";
            return Err(CommandFailure::input(format!("'{}' is a scenario: {words}", path.display())));
        }
        let failed = |error| input_failure(path, &error);
        let resolved = Scenario::load(path).and_then(|scenario| scenario.resolve()).map_err(failed)?;
        resolved.check_hardware().map_err(failed)?;
        return Ok((resolved.system, None));
    }
    let file = SystemFile { path: arguments.system.clone(), endpoints_per_switch: arguments.endpoints_per_switch };
    let described = SystemChoice::File(file).describe().map_err(CommandFailure::input)?;
    let system = System::build(described).map_err(CommandFailure::input)?;
    let refused = system.check().err();
    Ok((system, refused))
}

/// Larger files are no scenarios. Source: ours. Status: assumed.
const SCENARIO_BYTES_MAX: u64 = 1 << 28;

/// Whether a file has the tables of a scenario, which those of a system lack.
fn is_scenario(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let is_toml = name.trim_end_matches(".gz").ends_with(".toml") && path.is_file();
    let read = || unpacked(read_regular(path).ok()?, SCENARIO_BYTES_MAX).ok();
    let text = is_toml.then(read).flatten().and_then(|bytes| String::from_utf8(bytes).ok());
    let table = text.and_then(|text| text.parse::<toml::Table>().ok());
    table.is_some_and(|table| table.contains_key("system") || table.contains_key("job"))
}

fn text(system: &SystemFigures, hardware: &str, colour: bool) -> String {
    let mut out = bold(&system.name, colour);
    if !system.summary.is_empty() {
        out += &format!(": {}", system.summary);
    }
    out.push('\n');
    let whole = |value: usize| count(value as u64);
    let rate = |gbps: f64| {
        let (value, unit) = if gbps >= 1e3 { (gbps / 1e3, "Tb/s") } else { (gbps, "Gb/s") };
        format!("{} {unit}", number(value))
    };
    let nodes = if system.compute_nodes == system.nodes {
        whole(system.nodes)
    } else {
        format!("{}, of which {} compute", whole(system.nodes), whole(system.compute_nodes))
    };
    let ports = &system.ports_by_role;
    let taper = system.taper.map_or("none: there is one group".to_owned(), |taper| format!("{taper:.3}"));
    let facts = [
        ("switch, NIC, congestion", format!("{}, {}, {}", system.switch, system.nic, system.congestion)),
        ("groups", whole(system.groups)),
        ("switches", format!("{} of {} ports", whole(system.switches), system.radix)),
        ("endpoints", whole(system.endpoints)),
        ("nodes", nodes),
        (
            "ports",
            format!(
                "{} edge, {} local, {} global, {} unused",
                count(ports.edge),
                count(ports.local),
                count(ports.global),
                count(ports.unused)
            ),
        ),
        (
            "links",
            format!(
                "{} edge, {} local, {} global",
                count(system.links.edge),
                count(system.links.local),
                count(system.links.global)
            ),
        ),
        ("diameter", format!("{} switch-to-switch hops", system.diameter_switch_hops)),
        ("injection bandwidth", format!("{} (one direction)", rate(system.injection_gbps))),
        ("local bandwidth", format!("{} (both directions)", rate(system.local_gbps))),
        ("global bandwidth", format!("{} (both directions)", rate(system.global_gbps))),
        (
            "bisection bandwidth",
            format!("{} (both directions; {})", rate(system.bisection_gbps), system.bisection_method),
        ),
        ("taper", taper),
        ("20-bit fabric addresses", system.addresses.clone()),
    ];
    let width = facts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    out.push('\n');
    for (name, value) in facts {
        let _ = writeln!(out, "{name:width$}  {value}");
    }
    if let Some(wiring) = &system.global_wiring {
        let _ = writeln!(out, "{:width$}  {wiring}", "global wiring");
    }
    let _ = write!(out, "\n{}", cables(&system.cables, colour));
    out += &ethernet(&system.ethernet, colour);
    if !hardware.is_empty() {
        let _ = writeln!(out, "\n{}\n{hardware}", bold("hardware that differs from the presets", colour));
    }
    if !system.warnings.is_empty() {
        let _ = writeln!(out, "\n{}", bold("warnings", colour));
        system.warnings.iter().for_each(|warning| out += &format!("- {warning}\n"));
    }
    if !system.sources.is_empty() {
        let _ = writeln!(out, "\n{}", bold("sources", colour));
        system.sources.iter().for_each(|source| out += &format!("- {source}\n"));
    }
    if !system.assumed.is_empty() {
        let _ = writeln!(out, "\n{}", bold("assumed", colour));
        for assumed in &system.assumed {
            let _ = writeln!(out, "- {}: {} ({})", assumed.key, assumed.value, assumed.why);
        }
    }
    out
}

/// The tables of a system's `[hardware]`, a line each.
fn hardware(system: &System) -> String {
    let line = |(table, values): (&String, &toml::Value)| {
        let values = values.as_table().map_or_else(
            || values.to_string(),
            |values| values.iter().map(|(key, value)| format!("{key} = {value}")).collect::<Vec<_>>().join(", "),
        );
        format!("- {table}: {}", if values.is_empty() { "its preset" } else { &values })
    };
    system.description.hardware.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn cables(cables: &[CableSummary], colour: bool) -> String {
    let row = |cable: &CableSummary| {
        let (shortest, longest) = (number(cable.length_m_min), number(cable.length_m_max));
        let length = if shortest == longest { shortest } else { format!("{shortest} to {longest}") };
        vec![
            cable.role.name().to_owned(),
            cable.medium.name().to_owned(),
            count(cable.links),
            count(cable.cables),
            length,
            number(cable.length_m_total),
        ]
    };
    let headers = ["cables", "medium", "links", "cables", "length m", "together m"];
    table(&headers, &cables.iter().map(row).collect::<Vec<_>>(), colour)
}

/// Third-party endpoints, and what their links agree on unless a scenario's `hardware.ethernet`
/// sets otherwise.
fn ethernet(endpoints: &[EthernetEndpoint], colour: bool) -> String {
    if endpoints.is_empty() {
        return String::new();
    }
    let row = |found: &EthernetEndpoint| {
        let port = match found.split {
            1 => found.port.to_string(),
            split => format!("{} (port {}, split into {split})", found.port, found.of_port),
        };
        let [endpoint, node, switch] = [found.endpoint, found.node, found.switch].map(|number| number.to_string());
        vec![endpoint, node, switch, port, found.rate_gbps.to_string()]
    };
    let headers = ["third-party endpoint", "node", "switch", "port", "Gb/s"];
    let link = EthernetParameters::standard().edge_link();
    format!(
        "\n{}\nTheir links, unless a scenario changes them: {}, gaps of {} bytes in both directions, smallest frame \
         {} bytes with preamble, {} retry on the link, flow control by {}.\n",
        table(&headers, &endpoints.iter().map(row).collect::<Vec<_>>(), colour),
        link.names(),
        link.gap_bytes,
        link.frame_min_bytes,
        if link.retry { "with" } else { "no" },
        link.hold.name()
    )
}
