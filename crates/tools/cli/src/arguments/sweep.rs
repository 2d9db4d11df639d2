//! The command line of `sweep`: keys with their values, and seeds.

use super::values::threads;
use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae sweep scenarios/first-steps.toml --set congestion.law=slingshot,none \\
      --seeds 1-5
  philae sweep scenarios/first-steps.toml --set job.pairs.nodes=0.5,1.0 \\
      --seeds 1-3
  philae sweep scenarios/first-steps.toml \\
      --set job.pairs.workload.bytes=1KiB,8KiB -o results/sizes
  philae export results/sizes table --csv

Every combination is a run; the last key varies fastest, seeds last of all. The folder has table.parquet and table.csv, a row for
each run: values, status, error, and the figures of its summary, named by path. The command prints mean and 95 % interval over
seeds. After an interruption, the same command continues; values may be added. Tables of another
scenario in the folder get other names (table.earlier.csv). See docs/simulate/sweeps.md.")]
pub struct SweepArguments {
    /// The scenario, a TOML file.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub scenario: PathBuf,
    /// A key of the scenario and its values: congestion.law=slingshot,none. Can be repeated. Commas
    /// inside lists, tables and quotes do not separate values.
    #[arg(long = "set", value_name = "KEY=VALUE,...", value_parser = key_and_values)]
    pub sets: Vec<SweepAxis>,
    /// Seeds: 1-5, or 1,2,7. Default: the scenario's.
    #[arg(long, value_name = "N-M,...", value_parser = seeds)]
    pub seeds: Option<Seeds>,
    /// Folder of the sweep: new, empty, or that of an earlier one. Default: results/<name of the scenario>-sweep.
    #[arg(long, short, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
    /// Keep the result folder of each run, below DIR/results.
    #[arg(long)]
    pub keep_results: bool,
    /// Number of runs at the same time; results do not depend on it. Default: the machine's cores.
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,
    /// Begin runs even if they need more memory than is free, and as many at a time as there are
    /// threads.
    #[arg(long)]
    pub ignore_memory: bool,
}

/// A key with its values.
pub type SweepAxis = (String, Vec<String>);

/// The most runs of a sweep. Source: ours; a table with this many rows is read in a second. Status:
/// assumed.
pub const RUNS_MAX: usize = 100_000;

/// `KEY=A,B,C`: commas inside lists, tables and quotes do not separate values.
pub fn key_and_values(text: &str) -> Result<SweepAxis, String> {
    let works = "KEY=VALUE,VALUE would work, such as congestion.law=slingshot,none";
    let Some((key, values)) = text.split_once('=').filter(|(key, _)| !key.trim().is_empty()) else {
        return Err(works.to_owned());
    };
    let values = divided(values).ok_or_else(|| format!("a bracket or quote is not closed; {works}"))?;
    if values.iter().any(String::is_empty) {
        return Err(format!("a value is empty; {works}"));
    }
    if let Some(value) = values.iter().enumerate().find(|(index, value)| values[..*index].contains(value)) {
        return Err(format!("the value {} is there twice; each once would work", value.1));
    }
    Ok((key.trim().to_owned(), values))
}

fn divided(text: &str) -> Option<Vec<String>> {
    let (mut values, mut value, mut depth, mut quote) = (Vec::new(), String::new(), 0_i32, None);
    for letter in text.chars() {
        match (letter, quote) {
            ('"' | '\'', None) => quote = Some(letter),
            (letter, Some(open)) if letter == open => quote = None,
            ('[' | '{', None) => depth += 1,
            (']' | '}', None) => depth -= 1,
            (',', None) if depth == 0 => {
                values.push(std::mem::take(&mut value).trim().to_owned());
                continue;
            }
            _ => {}
        }
        value.push(letter);
    }
    values.push(value.trim().to_owned());
    (depth == 0 && quote.is_none()).then_some(values)
}

/// Seeds: `1-5`, `1,2,7`, or both, separated by commas.
pub fn seeds(text: &str) -> Result<Seeds, String> {
    let works = || format!("numbers from 0 to {} and ranges would work, such as 1-5 or 1,2,7-9", i64::MAX);
    let number = |word: &str| philae_console::whole::<u64>(0, i64::MAX as u64)(word).ok();
    let mut found = Vec::new();
    for part in text.split(',') {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let (from, to) = (number(from).ok_or_else(works)?, number(to).ok_or_else(works)?);
        if from > to {
            return Err(works());
        }
        if to - from >= RUNS_MAX as u64 {
            return Err(format!("{from}-{to} has more seeds than the limit, {RUNS_MAX}; fewer would work"));
        }
        found.extend(from..=to);
    }
    let mut sorted = found.clone();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() < found.len() {
        return Err(format!("a seed is given twice; {}", works()));
    }
    Ok(Seeds(found))
}

/// Seeds as typed, without ranges: `1,2,7`.
pub fn seeds_text(seeds: &Seeds) -> String {
    seeds.0.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
}

/// The seeds of a sweep.
#[derive(Clone, Debug)]
pub struct Seeds(pub Vec<u64>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_divide_values_but_not_lists_tables_or_quotes() {
        let of = |text: &str| key_and_values(text).map(|(_, values)| values);
        assert_eq!(of("a.b=1, 2").expect("two"), ["1", "2"]);
        assert_eq!(of("a=[1, 2],[3]").expect("two"), ["[1, 2]", "[3]"]);
        assert_eq!(of("a={ k = 'x,y', n = 1 },'p,q'").expect("two"), ["{ k = 'x,y', n = 1 }", "'p,q'"]);
        assert_eq!(key_and_values("law=none").expect("one").0, "law");
        for wrong in ["a", "=1", "a=", "a=1,", "a=[1,2", "a='x"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn seeds_are_ranges_and_lists() {
        assert_eq!(seeds("1-3,7").expect("four").0, [1, 2, 3, 7]);
        for wrong in ["", "x", "3-1", "1,1", "-1", "1-999999999"] {
            assert!(seeds(wrong).is_err(), "{wrong}");
        }
        let error = seeds("0-99999999999").expect_err("too many");
        assert!(error.contains("more seeds than the limit, 100000"), "{error}");
    }
}
