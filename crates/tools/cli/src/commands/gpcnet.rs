//! `philae gpcnet`.

use crate::arguments::{CommonOptions, GpcnetArguments, GpcnetCongestor, GpcnetTest, GpcnetVariant};
use crate::attention;
use crate::cells::Cells;
use crate::documents::{keep_earlier, prepare, take, write_held};
use crate::failure::CommandFailure;
use crate::output;
use crate::setup::{Setup, threads};
use philae_experiments::gpcnet::{Effort, GpcnetError, GpcnetPlan, LoadResults, NetworkResults, Variant};
use philae_experiments::{CellRunner, StudyError};
use philae_units::counted;
use serde_json::{Value, json};
use std::path::Path;
use std::process::ExitCode;

/// Files in the folder: the document and the printed text, then GPCNeT's lists of nodes.
const DOCUMENTS: [&str; 5] = [
    "gpcnet.json",
    "gpcnet.txt",
    "congestors_nodes_congestion.dat",
    "network_nodes_congestion.dat",
    "allnodes_congestion.dat",
];

/// Runs the requested tests and prints their tables.
pub fn run(arguments: &GpcnetArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let variant = variant(arguments)?;
    let setup = Setup::new(&arguments.model, shared)?;
    // Its runs are there before its mark.
    let held = arguments.output.as_deref().map(|folder| take(folder, "gpcnet.json", &["runs"]));
    let _held = held.transpose()?;
    let stop = attention::flag(true, "the tables")?;
    let cells = Cells::new(*shared)
        .say_when_interrupted(|running| format!("interrupted {}; no table was printed", running.words("run")));
    let runner = CellRunner::new(threads(arguments.model.threads), &stop, |progress| cells.update(progress));
    let plan = GpcnetPlan {
        system: setup.system.clone(),
        base: setup.base.clone(),
        nodes: arguments.nodes,
        processes_per_node: arguments.processes_per_node,
        effort: effort(arguments),
        runner: &runner,
        save: arguments.output.clone(),
    };
    cells.start("gpcnet", &format!("GPCNeT on {}", setup.system.description.name));
    let network = match arguments.test {
        GpcnetTest::Load => None,
        GpcnetTest::Network | GpcnetTest::Both => Some(plan.network()),
    };
    let network = match network.transpose() {
        Ok(network) => network,
        Err(error) => return failed(&cells, &error),
    };
    let load = match arguments.test {
        GpcnetTest::Network => None,
        GpcnetTest::Load | GpcnetTest::Both => Some(plan.load(variant)),
    };
    let load = match load.transpose() {
        Ok(load) => load,
        Err(error) => return failed(&cells, &error),
    };
    cells.finish();
    let document = document(&setup, network.as_ref(), load.as_ref());
    let text = text(&setup, network.as_ref(), load.as_ref());
    if let Some(folder) = &arguments.output {
        // The folder may have been removed since: the tables are worth more.
        let _made = prepare(folder)?;
        keep_earlier(folder, &DOCUMENTS, &document, shared)?;
        write_held(&folder.join("gpcnet.json"), format!("{document:#}\n"))?;
        write_held(&folder.join("gpcnet.txt"), &text)?;
        if let Some(load) = &load {
            node_lists(folder, load)?;
        }
        shared.note(&format!("tables of every run: {}", folder.join("runs").display()));
    }
    match &arguments.output {
        _ if shared.json => output::print_json(&document),
        Some(folder) if shared.quiet => output::print(&format!("result: {}\n", folder.display())),
        _ => output::print(&text),
    }
}

fn variant(arguments: &GpcnetArguments) -> Result<Variant, CommandFailure> {
    match (arguments.variant, arguments.congestor) {
        (GpcnetVariant::Program, None) => Ok(Variant::Program),
        (GpcnetVariant::Program, Some(_)) => Err(CommandFailure::input(
            "--congestor is for --variant paper: the program runs all four congestors together",
        )),
        (GpcnetVariant::Paper, None | Some(GpcnetCongestor::Alltoall)) => Ok(Variant::PaperAlltoall),
        (GpcnetVariant::Paper, Some(GpcnetCongestor::Incast)) => Ok(Variant::PaperIncast),
    }
}

/// The requested effort; `None` lets the number of ranks decide.
fn effort(arguments: &GpcnetArguments) -> Option<Effort> {
    if arguments.full {
        return Some(Effort::FULL);
    }
    if arguments.rings.is_none() && arguments.iterations.is_none() {
        return None;
    }
    let mut effort = Effort::REDUCED;
    if let Some(iterations) = arguments.iterations {
        effort = effort.with_iterations(iterations);
    }
    Some(Effort { rings: arguments.rings.unwrap_or(effort.rings), ..effort })
}

fn failed(cells: &Cells, error: &GpcnetError) -> Result<ExitCode, CommandFailure> {
    cells.finish();
    match error {
        GpcnetError::Study(StudyError::Interrupted { .. }) => Err(cells.interrupted()),
        GpcnetError::TooFewNodes { .. }
        | GpcnetError::TooManyNodes { .. }
        | GpcnetError::TooManySamples { .. }
        | GpcnetError::Measure(_)
        | GpcnetError::Study(StudyError::Cell { .. }) => Err(CommandFailure::input(error)),
        _ => Err(CommandFailure::run(error)),
    }
}

/// GPCNeT's lists of nodes, one number per line.
fn node_lists(folder: &Path, load: &LoadResults) -> Result<(), CommandFailure> {
    let lines = |nodes: &[u32]| nodes.iter().map(|node| format!("{node}\n")).collect::<String>();
    let (congestors, canaries) = (lines(&load.congestor_nodes), lines(&load.canary_nodes));
    let [_, _, of_congestors, of_canaries, of_all] = DOCUMENTS;
    write_held(&folder.join(of_congestors), &congestors)?;
    write_held(&folder.join(of_canaries), &canaries)?;
    write_held(&folder.join(of_all), &(congestors + &canaries))
}

fn document(setup: &Setup, network: Option<&NetworkResults>, load: Option<&LoadResults>) -> Value {
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "program": "GPCNeT 1.3",
        "system": setup.system.description.name,
        "congestion": setup.law(),
        "seed": setup.base.seed,
        "network_test": network,
        "network_load_test": load,
    })
}

fn text(setup: &Setup, network: Option<&NetworkResults>, load: Option<&LoadResults>) -> String {
    let name = &setup.system.description.name;
    let about = format!("{name}, congestion law {}, seed {}", setup.law(), setup.base.seed);
    let mut out = String::new();
    if let Some(network) = network {
        let NetworkResults { nodes, processes_per_node, effort, .. } = network;
        out += &format!("Network test of GPCNeT v1.3, simulated: {about}\n");
        out += &ranks(*nodes, *processes_per_node);
        out += &format!("{}{LEGEND}\n{}\n", loops(effort), network.text());
    }
    if let Some(load) = load {
        let LoadResults { nodes, processes_per_node, effort, congestor_nodes, canary_nodes, .. } = load;
        out += &format!("Load test of GPCNeT v1.3, simulated: {about}\n");
        out += &ranks(*nodes, *processes_per_node);
        let (canaries, congestors) = (canary_nodes.len(), congestor_nodes.len());
        let who = match load.variant {
            Variant::Program => format!("four congestors of at least {} nodes each", congestors / 4),
            Variant::PaperAlltoall => "an alltoall of 128 KiB (SC'20)".to_owned(),
            Variant::PaperIncast => "an incast of 128 KiB (SC'20)".to_owned(),
        };
        out += &format!("  {canaries} nodes are measured, {congestors} cause congestion: {who}\n");
        out += &format!("{}{LEGEND}\n{}\n", loops(effort), load.text());
        for note in &load.notes {
            out += &format!("* {note}\n");
        }
    }
    out
}

fn ranks(nodes: u32, processes_per_node: u32) -> String {
    format!("  {} on {}\n", counted(u64::from(nodes) * u64::from(processes_per_node), "rank"), counted(nodes, "node"))
}

/// The amount of work, in words.
fn loops(effort: &Effort) -> String {
    let Effort { rings, latency, bandwidth, allreduce, .. } = effort;
    let which = if *effort == Effort::FULL { "the program's" } else { "shortened; --full runs GPCNeT's" };
    format!(
        "  loops ({which}): {rings} rings, {latency} latency and {bandwidth} bandwidth iterations each,\n  {allreduce} allreduces\n"
    )
}

const LEGEND: &str =
    "  RR: ring in random order; Nat: in natural order; Lat: latency; BW: bandwidth;\n  BW+Sync: with a barrier\n";
