//! Slingshot or Ultra Ethernet: the same loads on the same networks, with congestion managed by the
//! fabric in one column and by the endpoints in the others.
//!
//! Not published: a comparison of our own, on equal hardware. Its shape:
//!
//! - A [`Network`] is a system of Rosetta-2 and Cassini-2 at 400 Gb/s. Every column runs on it.
//! - A [`Load`] is one job or several, with the faults of the run. It says what is measured: the
//!   time until all have ended, or a victim's slowdown beside an aggressor.
//! - A [`Column`] is a name and a list of keys with values. Columns differ in nothing else, so that
//!   a new one is a line of a table.
//! - Each network, load, column and seed is one run. A seed draws the places of the jobs, the
//!   partners and the times of start; all columns share it. Slowdowns need a second run without the
//!   aggressor.
//! - The run of the first seed is made twice, to explain the slowest messages of the load's first
//!   job: where their time went. The report's sentences on the reasons are made of these figures.
//! - A [`RunReading`] is what is kept of a run: its time, bytes on the wire, memory, losses,
//!   reasons. A run that does not end, or loses packets, keeps its place in the tables and says so.

mod column;
mod load;
mod network;
mod reading;
mod reason;
mod table;
#[cfg(test)]
mod tests;

use philae_scenario::{ExplainSection, Measure, RunTree, Scenario, TelemetrySection};
use philae_workload::Span;
use serde_json::json;

use column::{COLUMNS, Column};
use load::{Load, LoadSizes, Measured, loads};
use network::{Network, networks};
use reading::RunReading;
use table::{ColumnEntry, LoadAnswer, sections};

use crate::experiment::{Experiment, ExperimentContext, ExperimentOutcome};
use crate::part::{PartKind, part_name};
use crate::runner::{Cell, StudyError};

/// The comparison.
pub struct UeOrSlingshot;

/// Messages that the first seed's run explains. All their packets are followed, which costs time.
/// Source: ours. Status: assumed.
const EXPLAINED: u32 = 4;

/// Seeds of the quick and of the full size.
const SEEDS: [u64; 2] = [3, 5];

/// Networks of the quick size, if none is named.
const QUICK_NETWORKS: [&str; 3] = ["dragonfly-1056", "tapered-1056", "fat-tree-1024"];

/// Loads of the quick size, if none is named: one for each way in which the columns differ.
const QUICK_LOADS: [&str; 7] =
    ["permutation", "group-shift", "incast-8", "incast-64", "moe-dispatch", "ring-allreduce", "link-failures"];

impl Experiment for UeOrSlingshot {
    fn id(&self) -> &'static str {
        "ue-or-slingshot"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["ultra-ethernet"]
    }

    fn title(&self) -> &'static str {
        "Slingshot or Ultra Ethernet: fabric-managed and endpoint-managed congestion on the same networks"
    }

    fn source(&self) -> &'static str {
        "our own comparison; nothing of it is published"
    }

    fn targets(&self) -> &'static [&'static str] {
        &[]
    }

    fn runs_its_seeds(&self) -> bool {
        true
    }

    fn parts(&self) -> Vec<PartKind> {
        // Names of loads do not depend on sizes, and the built-in networks can be built.
        Comparison::whole(&LoadSizes::quick()).map_or_else(|_| Vec::new(), |plan| plan.parts())
    }

    fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
        let sizes = if context.quick { LoadSizes::quick() } else { LoadSizes::full() };
        let plan = Comparison::whole(&sizes)?;
        study(context, &plan.chosen(context.only, context.quick))
    }
}

/// What is compared.
#[derive(Clone)]
pub struct Comparison {
    pub networks: Vec<Network>,
    /// The first one is the reference of ratios.
    pub columns: Vec<Column>,
    pub sizes: LoadSizes,
    /// Names of the loads, as [`part_name`] writes them; empty for all.
    pub chosen_loads: Vec<String>,
    /// Networks and loads that are not run, kind by kind.
    pub left_out: Vec<String>,
}

impl Comparison {
    /// Every network, load and column.
    fn whole(sizes: &LoadSizes) -> Result<Self, StudyError> {
        let (columns, sizes) = (COLUMNS.to_vec(), sizes.clone());
        Ok(Self { networks: networks()?, columns, sizes, chosen_loads: Vec::new(), left_out: Vec::new() })
    }

    /// The networks, loads and columns that may be chosen.
    fn parts(&self) -> Vec<PartKind> {
        let loads: Vec<String> = self.loads().into_iter().map(|(_, load)| load.name).collect();
        vec![
            PartKind::of("networks", self.networks.iter().map(|network| network.name)),
            PartKind::of("loads", loads.iter().map(String::as_str)),
            PartKind::of("columns", self.columns.iter().map(|column| column.name)),
        ]
    }

    /// The chosen parts; of a kind that is not named, those of the size.
    fn chosen(mut self, only: &[String], quick: bool) -> Self {
        let [networks, loads, columns] = &self.parts()[..] else { unreachable!("three kinds of parts") };
        // What the size runs of a kind that is not named.
        let of_size = |kind: &PartKind, quick_only: &[&str]| {
            let names = kind.names.iter().filter(|name| !quick || quick_only.contains(&name.as_str()));
            names.cloned().collect::<Vec<String>>()
        };
        let named = |kind: &PartKind, quick_only: &[&str]| {
            let named = kind.chosen(only).map(|names| names.into_iter().map(str::to_owned).collect());
            named.unwrap_or_else(|| of_size(kind, quick_only))
        };
        let chosen_networks = named(networks, &QUICK_NETWORKS);
        self.chosen_loads = named(loads, &QUICK_LOADS);
        let others = |kind: &PartKind, chosen: &[String]| {
            let others: Vec<&str> =
                kind.names.iter().filter(|name| !chosen.contains(name)).map(String::as_str).collect();
            (!others.is_empty()).then(|| format!("{}: {}", kind.kind, others.join(", ")))
        };
        self.left_out =
            [others(networks, &chosen_networks), others(loads, &self.chosen_loads)].into_iter().flatten().collect();
        self.networks.retain(|network| chosen_networks.iter().any(|name| name == network.name));
        self.columns.retain(|column| columns.chooses(only, column.name));
        self
    }

    /// Every network with each of its chosen loads.
    fn loads(&self) -> Vec<(&Network, Load)> {
        let is_chosen =
            |load: &Load| self.chosen_loads.is_empty() || self.chosen_loads.contains(&part_name(&load.name));
        let of = |network| loads(network, &self.sizes).into_iter().map(move |load| (network, load));
        self.networks.iter().flat_map(of).filter(|(_, load)| is_chosen(load)).collect()
    }
}

/// The seeds: those that are asked for, or the size's own number of them.
fn seeds(context: &ExperimentContext<'_>) -> Vec<u64> {
    match context.seeds {
        [] => (context.seed..).take(SEEDS[usize::from(!context.quick)] as usize).collect(),
        seeds => seeds.to_vec(),
    }
}

/// The run of a load in a column. Without the other jobs, for the reference of a slowdown.
fn cell(
    (network, load, column): (&Network, &Load, &Column),
    seed: u64,
    (is_alone, explains): (bool, bool),
) -> Result<Cell, StudyError> {
    let first = &load.jobs[0].name;
    let measure = match load.measured {
        Measured::End => Measure::totals(),
        // Iterations are kept for jobs whose messages are.
        Measured::Slowdown => Measure { messages: Some(vec![first.clone()]), ..Measure::totals() },
    };
    let scenario = Scenario {
        seed,
        allocation: load.allocation,
        run: RunTree { time_limit: Some(load.limit), start_skew: Span::micros(1), ..RunTree::default() },
        measure,
        telemetry: TelemetrySection { class_counters: true, ..TelemetrySection::default() },
        explain: explains.then(|| ExplainSection::slowest(first, EXPLAINED)),
        jobs: if is_alone { load.jobs[..1].to_vec() } else { load.jobs.clone() },
        fault_list: load.faults.clone(),
        faults: load.reactions(),
        ..Scenario::on(&network.system)
    };
    let alone = if is_alone { ", alone" } else { "" };
    let label = format!("{}: {}, {}, seed {seed}{alone}", network.name, load.name, column.name);
    let scenario = column.apply(&scenario).map_err(Box::new)?;
    Ok(Cell { label, scenario, system: network.system.clone() })
}

/// Runs a comparison.
///
/// # Errors
/// If a cell fails or the study is interrupted.
pub fn study(context: &ExperimentContext<'_>, plan: &Comparison) -> Result<ExperimentOutcome, StudyError> {
    let (seeds, loads) = (seeds(context), plan.loads());
    let mut cells = Vec::new();
    let mut measured = Vec::new();
    for (network, load) in &loads {
        for column in &plan.columns {
            for &seed in &seeds {
                let place = (*network, load, column);
                cells.push(cell(place, seed, (false, seed == seeds[0]))?);
                measured.push(load.measured);
                if load.measured == Measured::Slowdown {
                    cells.push(cell(place, seed, (true, false))?);
                    measured.push(load.measured);
                }
            }
        }
    }
    let numbered: std::collections::BTreeMap<&str, Measured> =
        cells.iter().map(|cell| cell.label.as_str()).zip(measured.iter().copied()).collect();
    let read = |cell: &Cell, record: &_| RunReading::of(numbered[cell.label.as_str()], cell, record);
    let mut readings = context.runner.run_kept(&context.skewed(cells.clone()), read)?.into_iter();
    let mut answers = Vec::new();
    for (network, load) in loads {
        let scenario = cell((network, &load, &plan.columns[0]), seeds[0], (false, true))?.scenario.to_toml();
        let entry = |_: &Column| {
            let runs = seeds.iter().map(|_| {
                let run = readings.next().expect("a reading for each cell");
                let alone = (load.measured == Measured::Slowdown).then(|| readings.next().expect("and for each alone"));
                (run, alone)
            });
            ColumnEntry::new(runs.collect())
        };
        let entries = plan.columns.iter().map(entry).collect();
        answers.push(LoadAnswer { network: network.name, load, entries, scenario });
    }
    Ok(outcome(plan, &seeds, &answers))
}

fn outcome(plan: &Comparison, seeds: &[u64], answers: &[LoadAnswer]) -> ExperimentOutcome {
    let names: Vec<&str> = plan.columns.iter().map(|column| column.name).collect();
    let sections = plan.networks.iter().flat_map(|network| sections(plan, network, answers)).collect();
    let data = json!({
        "seeds": seeds,
        "left_out": plan.left_out,
        "columns": plan.columns.iter().map(|column| json!({ "name": column.name, "about": column.about,
            "keys": column.keys_text() })).collect::<Vec<_>>(),
        "networks": plan.networks.iter().map(|network| json!({ "name": network.name, "about": network.about }))
            .collect::<Vec<_>>(),
        "cells": answers.iter().map(|answer| answer.data(&names)).collect::<Vec<_>>(),
    });
    let mut sections: Vec<_> = sections;
    sections.splice(0..0, table::legend(plan, seeds));
    ExperimentOutcome { findings: Vec::new(), sections, data, assumptions: assumptions() }
}

/// What the comparison assumes.
fn assumptions() -> Vec<String> {
    [
        "all columns run on the same switches, NICs, hosts and cables: Rosetta-2 and Cassini-2 of Slingshot 400. The columns \
         of Ultra Ethernet are its transport and laws on this hardware, not another vendor's switch",
        "packets of all columns have the same payload. Their headers are those of their formats: 2,085 B on a link for 2,048 B \
         of payload under Slingshot, 2,174 B under Ultra Ethernet over UDP and IPv4, with its gap between frames",
        "laws have the parameters of their presets; none was tuned for these networks. Ultra Ethernet's are those of the \
         consortium's simulator",
        "the switches' own acknowledgements on each link, and credits between switches, cost the same bytes for each packet \
         in every column and are not in the bytes that NICs send",
        "messages are short, so that the begin of each flow weighs: an incast of a few hundred KiB ends within a few round \
         trips of its first window",
        "after a failure switches avoid their own dead ports at once, and the others within 100 us; a lost packet waits for \
         its NIC's timer, whose default is assumed for both transports",
        "collectives are the algorithms of the tables, by messages; switches carry out none of them",
        "the explained messages are the slowest of the load's first job with the first seed: they decide when a load ends, \
         and are no mean of all messages",
    ]
    .map(str::to_owned)
    .to_vec()
}
