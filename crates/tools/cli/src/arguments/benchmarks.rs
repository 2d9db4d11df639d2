//! The command lines of `gpcnet` and `osu`.

use super::values::{SYSTEM_NAMES, key_and_value, threads};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum, ValueHint};
use philae_experiments::osu::OsuTest;
use std::path::PathBuf;

/// The system and its settings.
#[derive(Args, Debug)]
pub struct ModelArguments {
    /// A built-in system, or the path of a file: .toml, .json, .graphml, .gexf, .topo, fabric
    /// template, cabling, netlist.
    #[arg(value_name = "SYSTEM", value_parser = SYSTEM_NAMES, value_hint = ValueHint::AnyPath, hide_possible_values = true)]
    pub system: String,
    /// Seed of all random numbers.
    #[arg(long, value_name = "N", value_parser = philae_console::whole::<u64>(0, i64::MAX as u64))]
    pub seed: Option<u64>,
    /// Congestion law instead of the system's: slingshot, none, aries, ecn, pfc.
    #[arg(long, value_name = "LAW")]
    pub law: Option<String>,
    /// Software on the hosts, on the system's NIC. Default: mpi.
    #[arg(long, value_enum, value_name = "HOST")]
    pub host: Option<HostName>,
    /// Set any key of a scenario except those of jobs: routing.mode=minimal, hardware.nic.preset=cassini-1. Can be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub overrides: Vec<(String, String)>,
    /// Number of runs at the same time; results do not depend on it. Default: the machine's cores.
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,
}

/// Software on the hosts; `philae schema` says which of them each NIC has a preset for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HostName {
    Mpi,
    Libfabric,
    Verbs,
    Shmem,
    Udp,
    Tcp,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae gpcnet malbec
  philae gpcnet malbec --nodes 100 --law none
  philae gpcnet shandy --nodes 64 --ppn 4 --test both --seed 7
  philae gpcnet malbec --nodes 20 --full --output results/gpcnet
  philae gpcnet shandy --nodes 512 --variant paper --congestor incast
  philae gpcnet malbec --json --quiet > gpcnet.json

The tables are those of GPCNeT v1.3. With --output, DIR has them as text and JSON, the lists of nodes, and the Parquet tables of
every run. Up to 32 ranks, loops are those of GPCNeT; above, they are shortened. The output says which.")]
pub struct GpcnetArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// Number of compute nodes, from the first. Default: all.
    #[arg(long, value_name = "N", value_parser = philae_console::whole::<u32>(0, u32::MAX.into()))]
    pub nodes: Option<u32>,
    /// Processes on each node.
    #[arg(long = "ppn", value_name = "P", default_value_t = 1, value_parser = philae_console::whole::<u32>(1, 1_024))]
    pub processes_per_node: u32,
    /// The tests to run: all eight on an idle network, three of them next to congestors, or both in turn.
    #[arg(long, value_enum, value_name = "TEST", default_value_t = GpcnetTest::Load)]
    pub test: GpcnetTest,
    /// GPCNeT's four congestors of 4 KiB together, or one of 128 KiB on a linear allocation as in the SC'20 paper.
    #[arg(long, value_enum, value_name = "VARIANT", default_value_t = GpcnetVariant::Program)]
    pub variant: GpcnetVariant,
    /// The congestor of the paper's variant. Default: alltoall.
    #[arg(long, value_enum, value_name = "KIND")]
    pub congestor: Option<GpcnetCongestor>,
    /// Run the loops in full, as GPCNeT does: 30 rings, 200 latency iterations each.
    #[arg(long, conflicts_with_all = ["rings", "iterations"])]
    pub full: bool,
    /// Random orders of each ring test.
    #[arg(long, value_name = "N", value_parser = philae_console::whole::<u32>(1, 100_000))]
    pub rings: Option<u32>,
    /// Timed latency iterations with each order (GPCNeT: 200); the other tests scale in proportion.
    #[arg(long, value_name = "N", value_parser = philae_console::whole::<u32>(1, 100_000))]
    pub iterations: Option<u32>,
    /// Folder for the tables as text and JSON, the lists of nodes and the tables of every run.
    #[arg(long, short, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GpcnetTest {
    Network,
    Load,
    Both,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GpcnetVariant {
    Program,
    Paper,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GpcnetCongestor {
    Alltoall,
    Incast,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae osu latency malbec
  philae osu bw malbec --from 0 --to 300 --sizes 1:4MiB
  philae osu latency malbec --host verbs --sizes 8
  philae osu mbw_mr malbec --from 0 --to 1 --ppn 8
  philae osu alltoall shandy --nodes 64 --ppn 2 --sizes 1:64KiB
  philae osu allreduce frontier --nodes 128 --set collectives.timeout_us=100 \\
      --json

The columns are those of the OSU micro-benchmarks: latency in microseconds, bandwidth in MB/s (10^6 bytes), messages per second.")]
pub struct OsuArguments {
    /// The test.
    #[arg(value_name = "TEST", value_parser = tests())]
    pub test: OsuTest,
    #[command(flatten)]
    pub model: ModelArguments,
    /// Node of the first process. Default: the first compute node.
    #[arg(long, value_name = "NODE", conflicts_with = "nodes", value_parser = philae_console::whole::<u32>(0, u32::MAX.into()))]
    pub from: Option<u32>,
    /// Node of the second process. Default: the last compute node.
    #[arg(long, value_name = "NODE", conflicts_with = "nodes", value_parser = philae_console::whole::<u32>(0, u32::MAX.into()))]
    pub to: Option<u32>,
    /// Number of nodes of a collective or of mbw_mr, from the first. Default of collectives: 16.
    #[arg(long, value_name = "N", value_parser = philae_console::whole::<u32>(0, u32::MAX.into()))]
    pub nodes: Option<u32>,
    /// Processes on each node.
    #[arg(long = "ppn", value_name = "P", default_value_t = 1, value_parser = philae_console::whole::<u32>(1, 1_024))]
    pub processes_per_node: u32,
    /// Message sizes: the powers of two from LEAST to MOST, such as 1:4MiB, or one size.
    #[arg(long, value_name = "LEAST:MOST")]
    pub sizes: Option<String>,
    /// Timed iterations of each size. Default: 100, and 20 above 8 KiB; 4 windows above 64 KiB.
    #[arg(long, value_name = "N", value_parser = philae_console::whole::<u32>(1, 1_000_000))]
    pub iterations: Option<u32>,
}

/// Tests by their names.
fn tests() -> impl TypedValueParser<Value = OsuTest> {
    PossibleValuesParser::new(OsuTest::ALL.map(OsuTest::name))
        .map(|name| OsuTest::named(&name).expect("the parser takes names of tests only"))
}
