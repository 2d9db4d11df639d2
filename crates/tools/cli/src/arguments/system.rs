//! The command lines of `describe` and `routes`.

use super::values::{SYSTEM_NAMES, output_file};
use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae describe shandy
  philae describe scenarios/systems/ring-of-five.toml
  philae describe scenarios/first-steps.toml
      the system of a scenario; also checks the scenario
  philae describe frontier --json
  philae describe malbec --graphml malbec.graphml --networkx malbec.json
  philae describe scenarios/systems/petersen.graphml --endpoints-per-switch 4
  philae manager export --system shandy --format cabling --output shandy.csv
  philae describe shandy.csv  a cabling list, or a netlist of ibnetdiscover")]
pub struct DescribeArguments {
    /// A built-in system, or the path of a file: .toml, .json, .graphml, .gexf, .topo, fabric
    /// template, cabling, netlist.
    #[arg(value_name = "SYSTEM", value_parser = SYSTEM_NAMES, value_hint = ValueHint::AnyPath, hide_possible_values = true)]
    pub system: String,
    /// Endpoints of each switch, for a graph that has no endpoints.
    #[arg(long, value_name = "NUMBER", default_value_t = 0, hide_default_value = true, value_parser = philae_console::whole::<u32>(0, u32::MAX.into()))]
    pub endpoints_per_switch: u32,
    /// Also write switches, endpoints and links as GraphML to this file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = output_file())]
    pub graphml: Option<PathBuf>,
    /// Also write them as the node-link JSON of networkx to this file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = output_file())]
    pub networkx: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae routes malbec
  philae routes shandy --down groups:0-1 --down switch:3/port:20 \\
      --output degraded.routes
  philae routes --check degraded.routes
  philae routes shandy --check degraded.routes --json
  philae simulate scenarios/incast-beside-allreduce.toml \\
      --routes degraded.routes

Tables are proven before they are written: every live path has an entry, no entry leads over a dead
link or back, no cycle of channels can deadlock. See docs/simulate/scenario.md,
\"Routes from a file\".")]
pub struct RoutesArguments {
    /// A built-in system, or the path of a file: .toml, .json, .graphml, .gexf, .topo, fabric
    /// template, cabling, netlist. With --check: by default the system that the file names.
    #[arg(value_name = "SYSTEM", value_parser = SYSTEM_NAMES, value_hint = ValueHint::AnyPath, hide_possible_values = true, required_unless_present = "check")]
    pub system: Option<String>,
    /// A link that is down: switch:3/port:17, switches:3-9 or groups:0-5 (add /link:1 for the
    /// second link between them). Can be repeated.
    #[arg(long, value_name = "LINK", conflicts_with = "check")]
    pub down: Vec<String>,
    /// Virtual-channel classes that a path may climb through: 1 to 8.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = philae_console::whole::<u8>(1, 8), conflicts_with = "check")]
    pub classes: u8,
    /// Write the tables to this file.
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "check", value_parser = output_file())]
    pub output: Option<PathBuf>,
    /// Read this file instead, and prove its tables.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub check: Option<PathBuf>,
}
