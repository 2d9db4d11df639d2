//! SST's load files: several jobs with their nodes and motifs, as Ember's configuration scripts read them.
//!
//! Format: sstsimulator/sst-elements, src/sst/elements/ember/test (loadFileParse.py, generateNidListRange.py), and the parameters
//! of the motifs there. A line `[TAG] value` goes on until the next tag; `#` begins a comment line; `[VAR] name=value`
//! stands for `{name}` in what follows.

use std::collections::BTreeMap;

use philae_units::Bytes;
use philae_workload::{
    Allreduce, Alltoall, Barrier, Broadcast, Halo3d, Halo3d26, Incast, IncastOperation, Nodes, PingPong, Size, Span,
    Sweep3d, WorkloadSpec,
};
use serde::Serialize;
use thiserror::Error;

use crate::job::JobSection;

/// A load file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: found {found}; expected {expected}")]
pub struct LoadError {
    /// The line, from 1.
    pub line: usize,
    /// What is there.
    pub found: String,
    /// What would work.
    pub expected: String,
}

fn wrong(line: usize, found: impl Into<String>, expected: impl Into<String>) -> LoadError {
    LoadError { line, found: found.into(), expected: expected.into() }
}

/// The jobs of a load file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// In their order.
    pub jobs: Vec<LoadJob>,
    /// What the file says and the jobs do not do.
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
    /// What it does.
    pub workload: WorkloadSpec,
}

/// Most nodes of a job.
const NODES_MAX: u64 = 1 << 20;
/// Largest number in a file.
const NUMBER_MAX: u64 = 1 << 40;

const TAGS: &str = "[JOB_ID], [NID_LIST], [NUM_CORES], [PARAM], [MOTIF] or [VAR]";
const MOTIFS: &str =
    "Halo3D, Halo3D26, Sweep3D, Incast, PingPong, Allreduce, Alltoall, Bcast, Barrier, Init, Fini or Null";

/// Whether a text looks like a load file: its first line begins with one of its tags.
#[must_use]
pub fn looks_like(text: &str) -> bool {
    let first = text.lines().map(str::trim_end).find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| line.starts_with("[JOB_ID]") || line.starts_with("[VAR]"))
}

/// Reads a load file.
///
/// # Errors
/// [`LoadError`], with the line, what was found and what would work.
pub fn read(text: &str) -> Result<Load, LoadError> {
    let mut load = Load::default();
    let mut job: Option<Draft> = None;
    for entry in entries(text)? {
        let line = entry.line;
        if entry.tag == "[JOB_ID]" {
            let id = number(&entry.value, line, "a number of a job", 0, NUMBER_MAX)?;
            if let Some(before) = job.replace(Draft::new(id, line)) {
                before.finish(&mut load)?;
            }
            continue;
        }
        let Some(job) = &mut job else {
            return Err(wrong(line, format!("{} before a job", entry.tag), "[JOB_ID] and a number first"));
        };
        match entry.tag.as_str() {
            "[NID_LIST]" => job.nodes = Some(nodes(&entry.value, line)?),
            "[NUM_CORES]" => job.cores = number(&entry.value, line, "ranks of each node", 1, 1 << 16)? as u32,
            "[PARAM]" => load.warnings.push(format!("line {line}: [PARAM] is left out: it sets SST's own models")),
            "[MOTIF]" => job.motifs.push(Motif::read(&entry.value, line)?),
            tag => return Err(wrong(line, format!("'{tag}'"), TAGS)),
        }
    }
    match job {
        Some(job) => job.finish(&mut load)?,
        None => return Err(wrong(1, "no job", "[JOB_ID] and a number")),
    }
    if load.jobs.is_empty() {
        return Err(wrong(1, "no job with a motif", format!("[MOTIF] with {MOTIFS}")));
    }
    Ok(load)
}

impl Load {
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
    /// Never: jobs are made of what TOML can say.
    #[must_use]
    pub fn to_toml(&self, system: &str) -> String {
        #[derive(Serialize)]
        struct Text<'a> {
            system: &'a str,
            job: Vec<JobSection>,
        }
        toml::to_string(&Text { system, job: self.sections() }).expect("jobs are made of what TOML can say")
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

/// A tag with what stands behind it.
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

/// `0-15,20`, or `generateNidList=generateNidListRange(start,length)`.
fn nodes(value: &str, line: usize) -> Result<Vec<u32>, LoadError> {
    const EXPECTED: &str = "nodes and ranges such as 0-15,20, or generateNidList=generateNidListRange(start,length)";
    let value: String = value.split_whitespace().collect();
    let at = |word: &str| number(word, line, "a node", 0, u64::from(u32::MAX) - 1);
    let mut nodes = Vec::new();
    let mut add = |first: u64, last: u64| {
        if first > last || last - first >= NODES_MAX || nodes.len() as u64 + last - first >= NODES_MAX {
            return Err(wrong(
                line,
                format!("nodes {first} to {last}"),
                format!("a rising range, at most {NODES_MAX} nodes"),
            ));
        }
        nodes.extend((first..=last).map(|node| node as u32));
        Ok(())
    };
    if let Some(generator) = value.strip_prefix("generateNidList=") {
        let arguments = generator.strip_prefix("generateNidListRange(").and_then(|rest| rest.strip_suffix(')'));
        let pair = arguments.and_then(|arguments| arguments.split_once(','));
        let (start, length) = pair.ok_or_else(|| wrong(line, format!("'{generator}'"), EXPECTED))?;
        let (start, length) = (at(start)?, number(length, line, "a number of nodes", 1, NODES_MAX)?);
        add(start, start + length - 1)?;
    } else {
        for part in value.split(',') {
            if !part.starts_with(|first: char| first.is_ascii_digit()) {
                return Err(wrong(line, format!("'{part}'"), EXPECTED));
            }
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            add(at(first)?, at(last)?)?;
        }
    }
    let mut sorted = nodes.clone();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(wrong(line, format!("node {} twice", pair[0]), "each node once")),
        None => Ok(nodes),
    }
}

/// A job while it is read.
struct Draft {
    id: u64,
    line: usize,
    nodes: Option<Vec<u32>>,
    cores: u32,
    motifs: Vec<Motif>,
}

impl Draft {
    const fn new(id: u64, line: usize) -> Self {
        Self { id, line, nodes: None, cores: 1, motifs: Vec::new() }
    }

    fn finish(self, load: &mut Load) -> Result<(), LoadError> {
        let Self { id, line, nodes, cores, motifs } = self;
        let nodes = nodes.ok_or_else(|| wrong(line, format!("job {id} without nodes"), "[NID_LIST] with nodes"))?;
        if load.jobs.iter().any(|job| job.id == id) {
            return Err(wrong(line, format!("job {id} a second time"), "a number for each job"));
        }
        for other in &load.jobs {
            if let Some(node) = nodes.iter().find(|node| other.nodes.contains(node)) {
                let expected = "nodes of its own for each job";
                return Err(wrong(line, format!("node {node} in job {id} and in job {}", other.id), expected));
            }
        }
        let mut does = motifs.into_iter().filter(|motif| !["init", "fini", "null"].contains(&motif.name.as_str()));
        let Some(motif) = does.next() else {
            load.warnings.push(format!("line {line}: job {id} does nothing and is left out"));
            return Ok(());
        };
        if let Some(second) = does.next() {
            let found = format!("a second motif of job {id}, {}", second.called);
            return Err(wrong(second.line, found, "one motif besides Init and Fini: a job has one workload"));
        }
        let ranks = nodes.len() as u64 * u64::from(cores);
        let workload = motif.workload(ranks, &mut load.warnings)?;
        load.jobs.push(LoadJob { id, nodes, cores, workload });
        Ok(())
    }
}

/// A motif with its parameters, in lower case.
struct Motif {
    called: String,
    name: String,
    line: usize,
    parameters: BTreeMap<String, String>,
}

impl Motif {
    fn read(value: &str, line: usize) -> Result<Self, LoadError> {
        let mut words = value.split_whitespace();
        let called = words.next().ok_or_else(|| wrong(line, "no motif", MOTIFS))?.to_owned();
        let lower = called.to_ascii_lowercase();
        let lower = lower.strip_prefix("ember.").unwrap_or(&lower);
        let name = lower.strip_suffix("motif").unwrap_or(lower).to_owned();
        let mut parameters = BTreeMap::new();
        for word in words {
            let pair = word.split_once('=').filter(|(key, value)| !key.is_empty() && !value.is_empty());
            let (key, value) = pair.ok_or_else(|| wrong(line, format!("'{word}'"), "parameters as name=value"))?;
            if parameters.insert(key.to_ascii_lowercase(), value.to_owned()).is_some() {
                return Err(wrong(line, format!("'{key}' twice"), "each parameter once"));
            }
        }
        Ok(Self { called, name, line, parameters })
    }

    fn take(&mut self, key: &str, least: u64) -> Result<Option<u64>, LoadError> {
        let value = self.parameters.remove(key);
        value.map(|value| number(&value, self.line, key, least, NUMBER_MAX)).transpose()
    }

    fn or(&mut self, key: &str, least: u64, default: u64) -> Result<u64, LoadError> {
        Ok(self.take(key, least)?.unwrap_or(default))
    }

    fn narrow(&mut self, key: &str, default: u32) -> Result<u32, LoadError> {
        let value = self.or(key, 1, default.into())?;
        u32::try_from(value).map_err(|_| wrong(self.line, format!("{key}={value}"), "less than 2^32"))
    }

    fn iterations(&mut self) -> Result<Option<u32>, LoadError> {
        self.narrow("iterations", 1).map(Some)
    }

    /// Ranks along each dimension, or none where all of them are left to the simulator.
    fn grid<const N: usize>(&mut self, ranks: u64) -> Result<Option<[u32; N]>, LoadError> {
        let mut grid = [0_u32; N];
        for (side, key) in grid.iter_mut().zip(["pex", "pey", "pez"]) {
            *side = self.or(key, 0, 0)?.try_into().map_err(|_| wrong(self.line, key, "less than 2^32"))?;
        }
        if grid == [0; N] {
            return Ok(None);
        }
        let product = grid.iter().map(|&side| u64::from(side)).product::<u64>();
        if product == ranks {
            return Ok(Some(grid));
        }
        let sides: Vec<String> = grid.iter().map(u32::to_string).collect();
        Err(wrong(self.line, format!("a grid of {}", sides.join(" x ")), format!("{ranks} ranks in all, or no grid")))
    }

    /// Numbers of 8 B in a cell.
    fn vars(&mut self, fields: u64) -> Result<u32, LoadError> {
        let bytes = self.or("fields_per_cell", 1, fields)?.saturating_mul(self.or("datatype_width", 1, 8)?);
        let vars = if bytes.is_multiple_of(8) { u32::try_from(bytes / 8).ok() } else { None };
        vars.ok_or_else(|| wrong(self.line, format!("{bytes} bytes in a cell"), "a multiple of 8"))
    }

    fn cells(&mut self, default: u32) -> Result<[u32; 3], LoadError> {
        Ok([self.narrow("nx", default)?, self.narrow("ny", default)?, self.narrow("nz", default)?])
    }

    /// Time of `points` at so many operations each, unless the time itself is given, in ns.
    fn time(&mut self, points: u64, flops: (&str, u64), rate: (&str, u64)) -> Result<Span, LoadError> {
        let flops = self.or(flops.0, 0, flops.1)?;
        let rate = self.or(rate.0, 1, rate.1)?;
        let computed = u128::from(points) * u128::from(flops) * 1_000_000_000 / u128::from(rate);
        let nanoseconds = self.take("computetime", 0)?.map_or(computed, u128::from);
        let most = u128::from(NUMBER_MAX);
        if nanoseconds > most {
            return Err(wrong(self.line, format!("computation of {nanoseconds} ns"), format!("at most {most} ns")));
        }
        Ok(Span::nanos(nanoseconds as u64))
    }

    fn compute(&mut self) -> Result<Span, LoadError> {
        self.or("compute", 0, 0).map(Span::nanos)
    }

    fn bytes(&mut self, key: &str, default: u64, each: u64) -> Result<Size, LoadError> {
        Ok(Size(Bytes(self.or(key, 0, default)?.saturating_mul(each))))
    }

    fn workload(mut self, ranks: u64, warnings: &mut Vec<String>) -> Result<WorkloadSpec, LoadError> {
        let spec = match self.name.as_str() {
            "halo3d" | "halo3d26" => self.halo(ranks, warnings)?,
            "sweep3d" => {
                let cells = self.cells(50)?;
                let layer = u64::from(cells[0]) * u64::from(cells[1]);
                WorkloadSpec::Sweep3d(Sweep3d {
                    cells,
                    kba: self.narrow("kba", 1)?,
                    vars: self.vars(8)?,
                    compute: self.time(layer, ("flops_per_cell", 275), ("nodeflops", 1_000_000_000))?,
                    grid: self.grid(ranks)?,
                    iterations: self.iterations()?,
                })
            }
            "incast" => {
                let target = self.or("incasttarget", 0, 0)?;
                if target != 0 {
                    return Err(wrong(self.line, format!("incastTarget={target}"), "0: the first rank"));
                }
                WorkloadSpec::Incast(Incast {
                    bytes: self.bytes("messagesize", 1_024, 1)?,
                    operation: IncastOperation::Send,
                    barrier: true,
                    iterations: self.iterations()?,
                    ..Incast::default()
                })
            }
            "pingpong" => {
                let other = self.or("rank2", 0, 1)?;
                if other != 1 {
                    return Err(wrong(self.line, format!("rank2={other}"), "1: ranks 0 and 1"));
                }
                let bytes = self.bytes("messagesize", 1_024, 1)?;
                WorkloadSpec::PingPong(PingPong { bytes, iterations: self.iterations()?, ..PingPong::default() })
            }
            "allreduce" => WorkloadSpec::Allreduce(Allreduce {
                bytes: self.bytes("count", 1, 8)?,
                compute: self.compute()?,
                iterations: self.iterations()?,
                ..Allreduce::default()
            }),
            "alltoall" => WorkloadSpec::Alltoall(Alltoall {
                bytes: self.bytes("bytes", 1, 1)?,
                compute: self.compute()?,
                iterations: self.iterations()?,
                ..Alltoall::default()
            }),
            "bcast" => {
                let root = self.or("root", 0, 0)?;
                let rank = u32::try_from(root).ok().filter(|&rank| u64::from(rank) < ranks);
                WorkloadSpec::Broadcast(Broadcast {
                    root: rank
                        .ok_or_else(|| wrong(self.line, format!("root={root}"), format!("one of {ranks} ranks")))?,
                    bytes: self.bytes("count", 1, 8)?,
                    compute: self.compute()?,
                    iterations: self.iterations()?,
                    ..Broadcast::default()
                })
            }
            "barrier" => WorkloadSpec::Barrier(Barrier {
                compute: self.compute()?,
                iterations: self.iterations()?,
                ..Barrier::default()
            }),
            _ => return Err(wrong(self.line, format!("the motif '{}'", self.called), MOTIFS)),
        };
        match self.parameters.into_keys().next() {
            Some(key) => Err(wrong(
                self.line,
                format!("'{key}' of {}", self.called),
                "parameters that the motif has here: see docs/traces.md",
            )),
            None => Ok(spec),
        }
    }

    fn halo(&mut self, ranks: u64, warnings: &mut Vec<String>) -> Result<WorkloadSpec, LoadError> {
        if !self.parameters.contains_key("iterations") {
            return Err(wrong(self.line, format!("{} without iterations", self.called), "iterations=N"));
        }
        let cells = self.cells(100)?;
        let fields = self.parameters.get("fields_per_cell").and_then(|fields| fields.parse().ok()).unwrap_or(1_u64);
        let points = cells.iter().map(|&side| u64::from(side)).fold(fields, u64::saturating_mul);
        let compute = self.time(points, ("flopspercell", 26), ("peflops", 10_000_000_000))?;
        let (vars, grid, iterations) = (self.vars(1)?, self.grid(ranks)?, self.iterations()?);
        if self.or("doreduce", 0, 1)? > 0 {
            let line = self.line;
            warnings.push(format!("line {line}: the sum of 8 B that doreduce=1 (the default) does is left out"));
        }
        if self.take("copytime", 0)?.is_some() {
            warnings.push(format!("line {}: copytime is left out: copies are the host's", self.line));
        }
        Ok(if self.name == "halo3d" {
            WorkloadSpec::Halo3d(Halo3d { cells, vars, compute, grid, diagonals: false, iterations })
        } else {
            WorkloadSpec::Halo3d26(Halo3d26 { cells, vars, compute, grid, iterations })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scenario;

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
        assert_eq!(load.warnings, ["line 17: job 12 does nothing and is left out"]);
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
        // WORKED: 50 x 50 cells of 275 operations at 1 Gflop/s: 687.5 us.
        assert_eq!((sweep.cells, sweep.vars, sweep.compute), ([50, 50, 100], 8, Span::nanos(687_500)));
        let WorkloadSpec::Allreduce(sum) = of("Allreduce count=4 compute=7").0 else { panic!("a sum") };
        assert_eq!((sum.bytes.0, sum.compute, sum.iterations), (Bytes(32), Span::nanos(7), Some(1)));
        assert!(matches!(of("Alltoall bytes=64").0, WorkloadSpec::Alltoall(all) if all.bytes.0 == Bytes(64)));
        assert!(matches!(of("Bcast count=2").0, WorkloadSpec::Broadcast(one) if one.bytes.0 == Bytes(16)));
        assert!(matches!(of("PingPong").0, WorkloadSpec::PingPong(both) if both.bytes.0 == Bytes(1_024)));
        assert!(matches!(of("Barrier iterations=9").0, WorkloadSpec::Barrier(wait) if wait.iterations == Some(9)));
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
            (with("0-3,9", "0-99999999"), 5, "at most"),
            (with("0-3,9", "0-3,99999999999"), 5, "a node"),
            (with("(16,8)", "(16)"), 13, "generateNidListRange(start,length)"),
            (with("(16,8)", "(16,0)"), 13, "a number of nodes"),
            (with("(16,8)", "(7,8)"), 12, "nodes of its own"),
            (with("generateNidListRange", "generateNidListRandom"), 13, "generateNidListRange(start,length)"),
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
            (with("[MOTIF] Fini", "[MOTIF] Barrier"), 11, "one motif besides Init and Fini"),
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
            // Any beginning is read or refused, never anything else.
            let _ = read(&LOAD[..end]);
        }
    }
}
