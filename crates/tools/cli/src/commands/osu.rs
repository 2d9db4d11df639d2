//! `philae osu`.

use crate::arguments::{CommonOptions, OsuArguments};
use crate::attention;
use crate::cells::Cells;
use crate::failure::CommandFailure;
use crate::output;
use crate::setup::{Setup, threads};
use philae_experiments::osu::{OSU_WINDOW, OsuPlan, OsuTest, osu_text, powers_of_two};
use philae_experiments::{CellRunner, StudyError};
use philae_units::NodeId;
use philae_workload::{MESSAGE_BYTES_MAX, Size};
use serde_json::json;
use std::process::ExitCode;

/// Nodes of a collective if the command line gives none.
const NODES: u32 = 16;

/// Runs one test and prints its table.
pub fn run(arguments: &OsuArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let test = arguments.test;
    let setup = Setup::new(&arguments.model, shared)?;
    let nodes = nodes(test, arguments, &setup)?;
    let sizes = sizes(test, arguments.sizes.as_deref())?;
    let stop = attention::flag(true, "the rows that are not printed")?;
    let cells = Cells::new(*shared)
        .say_when_interrupted(|running| format!("interrupted {}; no table was printed", running.words("size")));
    let runner = CellRunner::new(threads(arguments.model.threads), &stop, |progress| cells.update(progress));
    let plan = OsuPlan {
        test,
        system: setup.system.clone(),
        base: setup.base.clone(),
        nodes,
        processes_per_node: arguments.processes_per_node,
        sizes,
        iterations: arguments.iterations,
        runner: &runner,
    };
    let title = title(&plan, &setup);
    cells.start("osu", &title);
    let rows = plan.run();
    cells.finish();
    let rows = match rows {
        Ok(rows) => rows,
        Err(StudyError::Interrupted { .. }) => return Err(cells.interrupted()),
        Err(error) => return Err(CommandFailure::input(error)),
    };
    if !shared.json {
        return output::print(&osu_text(test, &title, &rows));
    }
    output::print_json(&json!({
        "version": env!("CARGO_PKG_VERSION"),
        "test": test,
        "system": setup.system.description.name,
        "host": setup.host(),
        "congestion": setup.law(),
        "seed": setup.base.seed,
        "nodes": plan.nodes.iter().map(|node| node.0).collect::<Vec<_>>(),
        "processes_per_node": plan.processes_per_node,
        "window": OSU_WINDOW,
        "rows": rows,
    }))
}

/// The nodes in the order of the ranks: two named ones, or the first ones.
fn nodes(test: OsuTest, arguments: &OsuArguments, setup: &Setup) -> Result<Vec<NodeId>, CommandFailure> {
    let compute = setup.compute_nodes();
    let name = test.name();
    if test.is_pair() && (arguments.nodes.is_some() || arguments.processes_per_node != 1) {
        return Err(CommandFailure::input(format!(
            "{name} runs between two processes; --from and --to name their nodes (--nodes and --ppn are for mbw_mr and collectives)"
        )));
    }
    let named = arguments.from.is_some() || arguments.to.is_some();
    if named && !test.is_pair() && test != OsuTest::MbwMr {
        return Err(CommandFailure::input(format!("{name} runs on --nodes N; --from and --to are for pairs of nodes")));
    }
    if test.is_pair() || named || (test == OsuTest::MbwMr && arguments.nodes.is_none()) {
        let (first, last) = (compute.first().copied(), compute.last().copied());
        let ends = [(arguments.from, first), (arguments.to, last)];
        let [from, to] = ends.map(|(asked, usual)| asked.map(NodeId).or(usual));
        let (Some(from), Some(to)) = (from, to) else {
            return Err(CommandFailure::input("the system has no compute nodes"));
        };
        if let Some(missing) = [from, to].into_iter().find(|node| !compute.contains(node)) {
            let range = format!("{} compute nodes, {} to {}", compute.len(), compute[0], compute[compute.len() - 1]);
            return Err(CommandFailure::input(format!("node {missing} is not a compute node; the system has {range}")));
        }
        if from == to {
            return Err(CommandFailure::input(format!(
                "--from and --to are both node {from}; two different nodes would work"
            )));
        }
        return Ok(vec![from, to]);
    }
    let asked = arguments.nodes.unwrap_or(NODES.min(compute.len() as u32));
    if asked as usize > compute.len() {
        return Err(CommandFailure::input(format!("--nodes asks for {asked}; the system has {}", compute.len())));
    }
    let ranks = u64::from(asked) * u64::from(arguments.processes_per_node);
    if ranks < 2 || (test == OsuTest::MbwMr && asked % 2 == 1 && ranks % 2 == 1) {
        return Err(CommandFailure::input(format!(
            "{name} has {ranks} ranks; two or more would work, for mbw_mr an even number"
        )));
    }
    Ok(compute[..asked as usize].to_vec())
}

/// `8`, `1KiB`, `1:4MiB`.
fn sizes(test: OsuTest, asked: Option<&str>) -> Result<Vec<u64>, CommandFailure> {
    let (least, most) = test.default_sizes();
    if test == OsuTest::Barrier {
        return if asked.is_none() { Ok(vec![1]) } else { Err(CommandFailure::input("a barrier has no --sizes")) };
    }
    let Some(asked) = asked else { return Ok(powers_of_two(least, most)) };
    let read = |text: &str| {
        let text = text.trim();
        let size = text.parse::<Size>();
        size.map(|size| size.0.0).map_err(|error| CommandFailure::input(format!("--sizes {asked}: {error}")))
    };
    let (first, last) = asked.split_once(':').unwrap_or((asked, asked));
    let (first, last) = (read(first)?, read(last)?);
    let vectors = matches!(test, OsuTest::Allreduce | OsuTest::Reduce);
    if vectors && first < 4 {
        let name = test.name();
        return Err(CommandFailure::input(format!(
            "--sizes {asked}: {name} sums 4-byte elements; 4 or more would work"
        )));
    }
    let found = powers_of_two(first, last);
    if found.is_empty() || last > MESSAGE_BYTES_MAX.0 {
        let works =
            format!("LEAST:MOST with a power of two between, at most {MESSAGE_BYTES_MAX}, such as 1:4MiB, would work");
        return Err(CommandFailure::input(format!("--sizes {asked}: {works}")));
    }
    Ok(found)
}

fn title(plan: &OsuPlan<'_>, setup: &Setup) -> String {
    let name = plan.test.name();
    let (system, host) = (&setup.system.description.name, setup.host());
    let per_node = plan.processes_per_node;
    let place = match plan.nodes[..] {
        [from, to] => format!("nodes {from} and {to} of {system}"),
        _ => format!("{} nodes of {system}", plan.nodes.len()),
    };
    let processes = if per_node == 1 { String::new() } else { format!(", {per_node} processes each") };
    format!("{name}, simulated: {place}{processes}, {host}")
}
