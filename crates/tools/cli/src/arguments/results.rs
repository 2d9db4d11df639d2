//! The command lines of `compare` and `export`.

use super::values::{TABLE_NAMES, output_file};
use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae simulate scenarios/first-steps.toml --output results/with
  philae simulate scenarios/first-steps.toml --output results/without \\
      --set congestion.law=none
  philae compare results/with results/without
  philae compare results/with results/without --html comparison.html
  philae reproduce fig6 --quick --output results/one
  philae reproduce fig6 --quick --output results/other --seed 7
  philae compare results/one/study.json results/other/study.json --json
  philae simulate scenarios/first-steps.toml --seeds 1-5 -o results/a
  philae simulate scenarios/first-steps.toml --seeds 1-5 -o results/b \\
      --set congestion.law=none
  philae compare results/a results/b
  philae compare results/sizes
  philae compare results/a/results/00000 results/a/results/00001 \\
      --against results/b/results/00003 results/b/results/00004

Results over seeds are compared by the means and the 95 % interval of their difference: paired by seed where the seeds are
the same, otherwise Welch's. A difference smaller than the spread over seeds is \"no effect shown\". See
docs/simulate/explain.md.")]
pub struct CompareArguments {
    /// Folders that `simulate` wrote, folders of `simulate --seeds` and `sweep` (each combination of
    /// values is a result), or studies of one experiment (folders of `reproduce`, or their
    /// study.json): 2 to 26 in all. They are named A, B, C in their order; ratios are relative to A.
    #[arg(value_name = "RESULT", value_hint = ValueHint::AnyPath, num_args = 1.., required = true)]
    pub results: Vec<PathBuf>,
    /// Compare two sides of several runs each, which differ only in their seeds: those before this
    /// option are A, those after it B.
    #[arg(long, value_name = "RESULT", value_hint = ValueHint::AnyPath, num_args = 1..)]
    pub against: Vec<PathBuf>,
    /// Write an HTML page that shows the distributions in one plot.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = output_file())]
    pub html: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae export results/first-steps  the tables of the result, and their rows
  philae export results/first-steps messages --csv > messages.csv
  philae export results/first-steps messages --columns job,latency_ps \\
      --output latencies.csv
  philae export results/first-steps iterations --json
  philae export results/sizes table  the table of a sweep

CSV has every integer in full, an empty field where a row has no value, and \"\" for an empty text.
The tables themselves are Parquet files in the folder, for pandas, polars, DuckDB and R.
See docs/simulate/results.md.")]
pub struct ExportArguments {
    /// The folder that `simulate` or `sweep` wrote.
    #[arg(value_name = "RESULT", value_hint = ValueHint::DirPath)]
    pub result: PathBuf,
    /// The table, such as messages. Without it: list the tables.
    #[arg(value_name = "TABLE", value_parser = TABLE_NAMES, hide_possible_values = true)]
    pub table: Option<String>,
    /// Print comma-separated values (the default); the alternative is --json.
    #[arg(long)]
    pub csv: bool,
    /// Only these columns, in this order.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub columns: Vec<String>,
    /// Write to this file instead of standard output.
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "table", value_parser = output_file())]
    pub output: Option<PathBuf>,
}
