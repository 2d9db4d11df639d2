//! SST's load files: several jobs with their nodes and motifs, in the form of Ember's configuration
//! scripts.
//!
//! Format: sstsimulator/sst-elements, src/sst/elements/ember/test (loadFileParse.py,
//! generateNidListRange.py), and the parameters of the motifs there. A line `[TAG] value` continues
//! until the next tag; `#` begins a comment line; `[VAR] name=value` replaces `{name}` in the rest
//! of the file.

mod motif;
mod nodes;
mod python_random;

use std::collections::{BTreeMap, BTreeSet};

use philae_workload::{Nodes, Series, WorkloadSpec};
use serde::Serialize;
use thiserror::Error;

use self::motif::{MOTIFS, SstMotif};
use self::nodes::NodeLists;
use crate::job::JobSection;

/// A load file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: found {found}; expected {expected}")]
pub struct LoadError {
    /// The line, from 1.
    pub line: usize,
    /// What was found.
    pub found: String,
    /// What would work.
    pub expected: String,
}

fn wrong(line: usize, found: impl Into<String>, expected: impl Into<String>) -> LoadError {
    LoadError { line, found: found.into(), expected: expected.into() }
}

/// The jobs of a load file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadFile {
    /// In their order.
    pub jobs: Vec<LoadJob>,
    /// Statements of the file that the jobs do not follow.
    pub warnings: Vec<String>,
}

/// A job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadJob {
    /// Its number in the file.
    pub id: u64,
    /// Its nodes, in the order of its ranks.
    pub nodes: Vec<u32>,
    /// Ranks on each node.
    pub cores: u32,
    /// Its workload.
    pub workload: WorkloadSpec,
}

/// Largest number in a file.
const NUMBER_MAX: u64 = 1 << 40;

const TAGS: &str = "[JOB_ID], [NID_LIST], [NUM_CORES], [PARAM], [API], [MOTIF_API], [MOTIF] or [VAR]";

/// Whether a text looks like a load file: its first line begins with one of its tags.
#[must_use]
pub fn looks_like(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    let first = text.lines().map(str::trim_end).find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| line.starts_with("[JOB_ID]") || line.starts_with("[VAR]"))
}

/// Reads a load file.
///
/// # Errors
/// [`LoadError`], with the line, what was found and what would work.
pub fn read(text: &str) -> Result<LoadFile, LoadError> {
    let mut load = LoadFile::default();
    let mut job: Option<Draft> = None;
    let mut lists = NodeLists::default();
    let mut taken = Taken::default();
    for entry in entries(text)? {
        let line = entry.line;
        if entry.tag == "[JOB_ID]" {
            let id = number(&entry.value, line, "a number of a job", 0, NUMBER_MAX)?;
            if let Some(before) = job.replace(Draft::new(id, line)) {
                before.finish(&mut load, &mut taken)?;
            }
            continue;
        }
        let Some(job) = &mut job else {
            return Err(wrong(line, format!("{} before a job", entry.tag), "[JOB_ID] and a number first"));
        };
        match entry.tag.as_str() {
            "[NID_LIST]" => {
                let nodes = lists.read(&entry.value, line, &mut load.warnings)?;
                once(job.id, &mut job.nodes, nodes, &entry)?;
            }
            "[NUM_CORES]" => {
                let cores = number(&entry.value, line, "ranks of each node", 1, 1 << 16)? as u32;
                once(job.id, &mut job.cores, cores, &entry)?;
            }
            "[PARAM]" => load.warnings.push(format!("line {line}: [PARAM] is ignored: it configures SST's own models")),
            "[API]" | "[MOTIF_API]" => {
                load.warnings
                    .push(format!("line {line}: {} is ignored: the simulator has its own message layer", entry.tag));
            }
            "[MOTIF]" => job.motifs.push(SstMotif::read(&entry.value, line)?),
            tag => return Err(wrong(line, format!("'{tag}'"), TAGS)),
        }
    }
    let lines = text.lines().count();
    match job {
        Some(job) => {
            if !text.ends_with(['\n', '\r']) && !job.has_ended() {
                load.warnings.push(format!(
                    "line {lines}, the last one, has no line end: a file that was cut within it looks the same"
                ));
            }
            job.finish(&mut load, &mut taken)?;
        }
        None => return Err(wrong(1, "no job", "[JOB_ID] and a number")),
    }
    if load.jobs.is_empty() {
        return Err(wrong(1, "no job with a motif", format!("[MOTIF] with {MOTIFS}")));
    }
    Ok(load)
}

impl LoadFile {
    /// The jobs as sections of a scenario.
    #[must_use]
    pub fn sections(&self) -> Vec<JobSection> {
        let section = |job: &LoadJob| JobSection {
            nodes: Nodes::List(ranges(&job.nodes)),
            processes_per_node: job.cores,
            ..JobSection::new(format!("job-{}", job.id), job.workload.clone())
        };
        self.jobs.iter().map(section).collect()
    }

    /// The jobs as a scenario on a system, as text.
    ///
    /// # Panics
    /// Never: TOML can express every job.
    #[must_use]
    pub fn to_toml(&self, system: &str) -> String {
        #[derive(Serialize)]
        struct Text<'a> {
            system: &'a str,
            job: Vec<JobSection>,
        }
        let text = Text { system, job: self.sections() };
        toml::to_string(&text as &dyn erased_serde::Serialize).expect("jobs are made of what TOML can say")
    }
}

/// Nodes as inclusive ranges, in their order.
fn ranges(nodes: &[u32]) -> Vec<(u32, u32)> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &node in nodes {
        match ranges.last_mut() {
            Some(range) if range.1.checked_add(1) == Some(node) => range.1 = node,
            _ => ranges.push((node, node)),
        }
    }
    ranges
}

/// A tag with its value.
struct Entry {
    line: usize,
    tag: String,
    value: String,
}

fn entries(text: &str) -> Result<Vec<Entry>, LoadError> {
    let mut variables: BTreeMap<String, String> = BTreeMap::new();
    let mut entries: Vec<Entry> = Vec::new();
    for (words, line) in text.trim_start_matches('\u{feff}').lines().zip(1..) {
        if words.trim().is_empty() || words.starts_with('#') {
            continue;
        }
        let words = substituted(words, &variables, line)?;
        if !words.starts_with('[') {
            let Some(last) = entries.last_mut() else {
                return Err(wrong(line, format!("'{}'", words.trim()), TAGS));
            };
            last.value = format!("{} {}", last.value, words.trim());
            continue;
        }
        let (tag, value) = words.split_once(char::is_whitespace).unwrap_or((words.as_str(), ""));
        if tag == "[VAR]" {
            let pair = value.split_once('=').filter(|(name, _)| !name.trim().is_empty());
            let (name, value) = pair.ok_or_else(|| wrong(line, format!("'{}'", value.trim()), "name=value"))?;
            variables.insert(name.trim().to_owned(), value.trim().to_owned());
            continue;
        }
        entries.push(Entry { line, tag: tag.to_owned(), value: value.trim().to_owned() });
    }
    Ok(entries)
}

/// `{name}` replaced by its value.
fn substituted(words: &str, variables: &BTreeMap<String, String>, line: usize) -> Result<String, LoadError> {
    let mut out = String::new();
    let mut rest = words;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, behind) =
            after.split_once('}').ok_or_else(|| wrong(line, format!("'{{{after}'"), "a name and a closing brace"))?;
        let value = variables.get(name).ok_or_else(|| {
            let known: Vec<&str> = variables.keys().map(String::as_str).collect();
            let works = if known.is_empty() { "[VAR] before it".to_owned() } else { known.join(", ") };
            wrong(line, format!("the variable '{name}'"), works)
        })?;
        out += before;
        out += value;
        rest = behind;
    }
    Ok(out + rest)
}

fn number(word: &str, line: usize, what: &str, least: u64, most: u64) -> Result<u64, LoadError> {
    let parsed = word.trim().parse::<u64>().ok().filter(|number| (least..=most).contains(number));
    parsed.ok_or_else(|| wrong(line, format!("'{}'", word.trim()), format!("{what}: {least} to {most}")))
}

/// Jobs and nodes that a file has named.
#[derive(Default)]
struct Taken {
    jobs: BTreeSet<u64>,
    nodes: BTreeMap<u32, u64>,
}

/// A job while it is read.
struct Draft {
    id: u64,
    line: usize,
    nodes: Option<Vec<u32>>,
    cores: Option<u32>,
    motifs: Vec<SstMotif>,
}

/// Sets a value of a job that has none yet.
fn once<T>(id: u64, place: &mut Option<T>, value: T, entry: &Entry) -> Result<(), LoadError> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => {
            let found = format!("a second {} of job {id}", entry.tag);
            Err(wrong(entry.line, found, "it once for each job, and [JOB_ID] before the next one"))
        }
    }
}

impl Draft {
    const fn new(id: u64, line: usize) -> Self {
        Self { id, line, nodes: None, cores: None, motifs: Vec::new() }
    }

    /// Whether its last motif ends it.
    fn has_ended(&self) -> bool {
        self.motifs.last().is_some_and(|motif| ["fini", "null"].contains(&motif.name.as_str()))
    }

    fn finish(self, load: &mut LoadFile, taken: &mut Taken) -> Result<(), LoadError> {
        let has_ended = self.has_ended();
        let Self { id, line, nodes, cores, motifs } = self;
        let cores = cores.unwrap_or(1);
        if !has_ended && motifs.iter().any(|motif| motif.name == "init") {
            load.warnings.push(format!(
                "line {line}: job {id} has the motif Init and not Fini at its end: a file that was cut looks the same"
            ));
        }
        let nodes = nodes.ok_or_else(|| wrong(line, format!("job {id} without nodes"), "[NID_LIST] with nodes"))?;
        if !taken.jobs.insert(id) {
            return Err(wrong(line, format!("job {id} for the second time"), "a number for each job"));
        }
        for node in &nodes {
            if let Some(other) = taken.nodes.insert(*node, id) {
                let expected = "different nodes for each job";
                return Err(wrong(line, format!("node {node} in job {id} and in job {other}"), expected));
            }
        }
        let does = motifs.into_iter().filter(|motif| !["init", "fini", "null"].contains(&motif.name.as_str()));
        let ranks = nodes.len() as u64 * u64::from(cores);
        let parts: Result<Vec<WorkloadSpec>, LoadError> =
            does.map(|motif| motif.workload(ranks, &mut load.warnings)).collect();
        let mut parts = parts?;
        let workload = match parts.len() {
            0 => {
                load.warnings.push(format!("line {line}: job {id} does nothing and is ignored"));
                return Ok(());
            }
            1 => parts.remove(0),
            _ => WorkloadSpec::Series(Series { parts }),
        };
        load.jobs.push(LoadJob { id, nodes, cores, workload });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scenario;
    use philae_units::Bytes;
    use philae_workload::{IncastOperation, Span};

    const LOAD: &str = "# two jobs\n[VAR] size=4096\n[JOB_ID] 10\n\n[NID_LIST] 0-3,9,\n  5-7\n[NUM_CORES] 2\n[MOTIF] Init\n\
        [MOTIF] Halo3D iterations=3 nx=20 ny=10 nz=30 pex=4 pey=2 pez=2\n\
        \x20 fields_per_cell=2 doreduce=0 computetime=500\n[MOTIF] Fini\n\
        [JOB_ID] 11\n[NID_LIST] generateNidList=generateNidListRange(16,8)\n[MOTIF] Init\n\
        [MOTIF] ember.IncastMotif messageSize={size} iterations=5\n[MOTIF] Fini\n\
        [JOB_ID] 12\n[NID_LIST] 32\n[MOTIF] Null\n";

    #[test]
    fn jobs_have_their_nodes_and_motifs() {
        let load = read(LOAD).expect("it is right");
        assert_eq!(load.jobs.len(), 2);
        assert_eq!((load.jobs[0].nodes.as_slice(), load.jobs[0].cores), ([0, 1, 2, 3, 9, 5, 6, 7].as_slice(), 2));
        assert_eq!(load.jobs[1].nodes, (16..24).collect::<Vec<_>>());
        let WorkloadSpec::Halo3d(halo) = &load.jobs[0].workload else { panic!("a halo: {:?}", load.jobs[0]) };
        assert_eq!((halo.cells, halo.vars, halo.grid, halo.iterations), ([20, 10, 30], 2, Some([4, 2, 2]), Some(3)));
        assert_eq!(halo.compute, Span::nanos(500));
        let WorkloadSpec::Incast(incast) = &load.jobs[1].workload else { panic!("an incast: {:?}", load.jobs[1]) };
        assert_eq!((incast.bytes.0, incast.operation, incast.barrier), (Bytes(4_096), IncastOperation::Send, true));
        assert_eq!(load.warnings, ["line 17: job 12 does nothing and is ignored"]);
        // As a scenario it runs, and as text it is the same.
        let scenario = Scenario::parse(&load.to_toml("malbec"), "the text").expect("it is right");
        let resolved = scenario.resolve().expect("it fits");
        assert_eq!(resolved.jobs[0].nodes.iter().map(|node| node.0).collect::<Vec<_>>(), load.jobs[0].nodes);
        assert_eq!((resolved.jobs[0].places.len(), resolved.jobs[1].places.len()), (16, 8));
        let again = Scenario::parse(&resolved.to_toml(), "the text").and_then(|scenario| scenario.resolve());
        assert_eq!(again.expect("it is right").to_toml(), resolved.to_toml());
    }

    #[test]
    fn every_motif_is_read_with_the_defaults_of_its_element() {
        let of = |motif: &str| {
            let load = read(&format!("[JOB_ID] 1\n[NID_LIST] 0-15\n[MOTIF] {motif}\n")).expect(motif);
            (load.jobs[0].workload.clone(), load.warnings.len())
        };
        let WorkloadSpec::Halo3d26(halo) = of("Halo3D26 iterations=2 doreduce=0").0 else { panic!("a halo") };
        // WORKED: 100^3 cells of 26 operations at 10 Gflop/s: 2.6 ms.
        assert_eq!((halo.cells, halo.vars, halo.compute), ([100; 3], 1, Span::micros(2_600)));
        assert_eq!(of("Halo3D iterations=2 copytime=5").1, 2, "the sum and the copies are left out");
        let WorkloadSpec::Sweep3d(sweep) = of("Sweep3D nz=100 kba=10").0 else { panic!("a sweep") };
        // WORKED: 50 x 50 cells of 275 operations at 1 Gflop/s: 687.5 µs.
        assert_eq!((sweep.cells, sweep.vars, sweep.compute), ([50, 50, 100], 8, Span::nanos(687_500)));
        let WorkloadSpec::Allreduce(sum) = of("Allreduce count=4 compute=7").0 else { panic!("a sum") };
        assert_eq!((sum.bytes.0, sum.compute, sum.iterations), (Bytes(32), Span::nanos(7), Some(1)));
        assert!(matches!(of("Alltoall bytes=64").0, WorkloadSpec::Alltoall(all) if all.bytes.0 == Bytes(64)));
        assert!(matches!(of("Bcast count=2").0, WorkloadSpec::Broadcast(one) if one.bytes.0 == Bytes(16)));
        assert!(matches!(of("PingPong").0, WorkloadSpec::PingPong(both) if both.bytes.0 == Bytes(1_024)));
        assert!(matches!(of("Barrier iterations=9").0, WorkloadSpec::Barrier(wait) if wait.iterations == Some(9)));
    }

    #[test]
    fn motifs_one_after_the_other_are_one_job() {
        let load = read(
            "[JOB_ID] 1\n[NID_LIST] 0-127\n[MOTIF] Init\n[MOTIF] Sweep3D pex=16 pey=8 nx=16 ny=16 nz=10 kba=10 \
             fields_per_cell=10 iterations=1 computetime=1\n[MOTIF] Allreduce\n[MOTIF] Fini\n",
        );
        let load = load.expect("it is right");
        let WorkloadSpec::Series(series) = &load.jobs[0].workload else { panic!("{:?}", load.jobs[0]) };
        let kinds: Vec<&str> = series.parts.iter().map(WorkloadSpec::kind).collect();
        assert_eq!(kinds, ["sweep3d", "allreduce"]);
        let scenario = Scenario::parse(&load.to_toml("malbec"), "the text").expect("it is right");
        let resolved = scenario.resolve().expect("it fits");
        let again = Scenario::parse(&resolved.to_toml(), "the text").and_then(|scenario| scenario.resolve());
        assert_eq!(again.expect("it is right").to_toml(), resolved.to_toml());
    }

    #[test]
    fn halos_in_two_dimensions_are_read_with_what_sst_passes_over() {
        let of = |motif: &str| {
            let load = read(&format!("[JOB_ID] 10\n[NID_LIST] 0-13\n\n[MOTIF] Init\n[MOTIF]\n{motif}\n")).expect(motif);
            let WorkloadSpec::Halo3d(halo) = load.jobs[0].workload.clone() else { panic!("a halo") };
            (halo, load.warnings)
        };
        let (halo, warnings) = of("Halo2D iterations=10  messagesize=128");
        // WORKED: 14 ranks are 2 x 7; 16 numbers are 128 B; 10 ns and 5 ns of computation.
        assert_eq!((halo.grid, halo.cells, halo.compute), (Some([2, 7, 1]), [16, 16, 1], Span::nanos(15)));
        assert!(warnings.iter().any(|warning| warning.contains("messagesize is ignored")), "{warnings:?}");
        let (halo, warnings) = of("Halo2D sizex=7 sizey=2 messagesizex=80 messagesizey=12");
        // SST sends messagesizey along x and messagesizex along y; 12 B are two numbers.
        assert_eq!((halo.grid, halo.cells), (Some([7, 2, 1]), [10, 2, 1]));
        assert!(warnings.iter().any(|warning| warning.contains("12 B")), "{warnings:?}");
    }

    #[test]
    fn a_job_without_its_end_is_said() {
        let warnings = |text: &str| read(text).expect("it is right").warnings;
        let init = "[JOB_ID] 1\n[NID_LIST] 0-3\n[MOTIF] Init\n[MOTIF] Barrier iterations=10\n";
        let cut = "line 1: job 1 has the motif Init and not Fini at its end: a file that was cut looks the same";
        assert_eq!(warnings(init), [cut]);
        assert_eq!(warnings(&format!("{init}[MOTIF] Fini")), [""; 0]);
        assert!(
            warnings("[JOB_ID] 1\n[NID_LIST] 0-3\n[MOTIF] Barrier iterations=10")[0]
                .starts_with("line 3, the last one")
        );
    }

    #[test]
    fn damaged_files_say_where_and_what_works() {
        let with = |from: &str, to: &str| LOAD.replacen(from, to, 1);
        for (text, line, expected) in [
            (String::new(), 1, "[JOB_ID]"),
            ("hello\n".to_owned(), 1, "[JOB_ID]"),
            ("[MOTIF] Init\n".to_owned(), 1, "[JOB_ID] and a number first"),
            (with("[JOB_ID] 10", "[JOB_ID] ten"), 3, "a number of a job"),
            (with("[JOB_ID] 10", "[JOB_ID]"), 3, "a number of a job"),
            (with("[JOB_ID] 10", "[JOB] 10"), 3, "first"),
            (with("[JOB_ID] 11", "[JOB_ID] 10"), 12, "a number for each job"),
            (with("[NID_LIST] 0-3,9,\n  5-7\n", ""), 3, "[NID_LIST] with nodes"),
            (with("0-3,9", "3-0,9"), 5, "a rising range"),
            (with("0-3,9", "0-3,x"), 5, "nodes and ranges"),
            (with("0-3,9", "0-3,,9"), 5, "nodes and ranges"),
            (with("0-3,9", "0-3,3"), 5, "each node once"),
            // Without the blanks, 0 1 2 would be node 12.
            (with("0-3,9,", "0 1 2,"), 5, "commas between nodes"),
            (with("0-3,9,", "0-3 9,"), 5, "commas between nodes"),
            (with("0-3,9,\n  5-7", "0-3,9\n  5-7"), 5, "commas between nodes"),
            (with("0-3,9", "0-99999999"), 5, "at most"),
            (with("0-3,9", "0-3,99999999999"), 5, "a node"),
            (with("(16,8)", "(16)"), 13, "generateNidListRange(start,length)"),
            (with("(16,8)", "(16,0)"), 13, "a number of nodes"),
            (with("[NUM_CORES] 2", "[NID_LIST] 40-47\n[NUM_CORES] 2"), 7, "it once for each job"),
            (with("[NUM_CORES] 2", "[NUM_CORES] 2\n[NUM_CORES] 4"), 8, "it once for each job"),
            (with("(16,8)", "(7,8)"), 12, "different nodes"),
            (with("generateNidListRange", "generateNidListFancy"), 13, "generateNidListRange(start,length)"),
            (with("[NUM_CORES] 2", "[NUM_CORES] 0"), 7, "ranks of each node"),
            (with("[NUM_CORES] 2", "[CORES] 2"), 7, "[NUM_CORES]"),
            (with("Halo3D ", "Halo4D "), 9, "Halo3D, Halo3D26"),
            (with("iterations=3", "iterations=-3"), 9, "iterations: 1"),
            (with("iterations=3", "iterations"), 9, "name=value"),
            (with("iterations=3 ", ""), 9, "iterations=N"),
            (with("iterations=3", "iterations=3 iterations=4"), 9, "each parameter once"),
            (with("nx=20", "nx=0"), 9, "nx: 1"),
            (with("nx=20", "nw=20"), 9, "parameters that the motif has"),
            (with("pez=2", "pez=3"), 9, "16 ranks"),
            (with("fields_per_cell=2", "datatype_width=3"), 9, "a multiple of 8"),
            (with("[MOTIF] Init", "[MOTIF]"), 8, "Halo3D, Halo3D26"),
            (with("{size}", "{sise}"), 15, "size"),
            (with("{size}", "{size"), 15, "closing brace"),
            (with("size=4096", "4096"), 2, "name=value"),
            (with("iterations=5", "incastTarget=3"), 15, "0: the first rank"),
            ("[JOB_ID] 1\n[NID_LIST] 0\n[MOTIF] Null\n".to_owned(), 1, "[MOTIF] with"),
        ] {
            let error = read(&text).expect_err(&text);
            assert_eq!(error.line, line, "{error}\n{text}");
            assert!(error.to_string().contains(expected), "{error}\n{text}");
        }
        for end in 0..LOAD.len() {
            // Any prefix is read or refused.
            let _ = read(&LOAD[..end]);
        }
    }
}
