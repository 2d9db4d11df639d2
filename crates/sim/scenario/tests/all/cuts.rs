//! Files of other tools that were cut, or that have a line twice or not at all: an error, a
//! warning, or the same result. A smaller job or fabric in silence is a fault, except where the
//! table says that the format cannot know; docs/simulate/traces.md lists these with the reason.

use philae_inventory::{Models, SystemSource};
use philae_scenario::sst;
use philae_topology::{SystemDescription, unpacked};
use philae_trace::{TraceFile, TraceFormat, TraceOptions, import, read_sizes};
use std::fmt::Write;
use std::path::Path;

mod samples;

/// What a reader makes of a file: everything that a run depends on, and the warnings.
type Found = (String, Vec<String>);

/// A reader of files.
type Reader = Box<dyn Fn(&[u8]) -> Result<Found, String>>;

/// Where a file of a format can be cut without a trace of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Silent {
    /// Nowhere.
    Nowhere,
    /// Between two lines: the format has no counts, no end and no references.
    BetweenLines,
    /// Between two records.
    BetweenRecords,
}

/// A reader with a small valid file.
struct Sample {
    name: &'static str,
    bytes: Vec<u8>,
    read: Reader,
    cut: Silent,
    /// Whether a line that the file has twice is noticed.
    twice: bool,
    /// Whether a line that the file has lost is noticed.
    lost: bool,
}

const OPTIONS: TraceOptions = TraceOptions {
    flops_per_second: Some(1_000_000_000),
    memory_bytes_per_second: Some(1_000_000_000),
    trigger_bytes: philae_units::Bytes(8),
    ranks: None,
};

/// A schedule, as the operations that its ranks start in a run without time. A run that gets stuck
/// is an error, as in the simulator.
fn schedule(format: TraceFormat, others: Vec<TraceFile>) -> Reader {
    Box::new(move |bytes| {
        let own = TraceFile { name: "cut".to_owned(), bytes: bytes.to_vec() };
        let files: Vec<TraceFile> = std::iter::once(own).chain(others.iter().cloned()).collect();
        let schedule = import(format, &files, &OPTIONS).map_err(|error| error.to_string())?;
        let warnings = schedule.warnings().to_vec();
        let programs = (0..schedule.totals().ranks)
            .map(|rank| philae_workload::Recording::program(&schedule, philae_units::RankId(rank)))
            .collect();
        let unrolled = philae_trace::unroll(format, programs, 100_000).map_err(|error| error.to_string())?;
        Ok((format!("{:?}", unrolled.tasks()), warnings))
    })
}

fn system(bytes: &[u8]) -> Result<Found, String> {
    let text = philae_units::text_of(bytes.to_vec()).map_err(|error| error.to_string())?;
    let read = SystemSource::read(&text, "cut.toml", &Models::built_in()).map_err(|error| error.to_string())?;
    let system: SystemDescription = read.into_system();
    philae_topology::Topology::build(&system).map_err(|error| error.to_string())?;
    let wiring = (&system.dragonfly, &system.fat_tree, &system.graph, &system.labels, system.radix);
    Ok((format!("{wiring:?}"), system.warnings.clone()))
}

fn load_file(bytes: &[u8]) -> Result<Found, String> {
    let text = philae_units::text_of(bytes.to_vec()).map_err(|error| error.to_string())?;
    let load = sst::read(&text).map_err(|error| error.to_string())?;
    Ok((load.to_toml("malbec"), load.warnings))
}

fn sizes(bytes: &[u8]) -> Result<Found, String> {
    let read = read_sizes(&TraceFile { name: "cut".to_owned(), bytes: bytes.to_vec() });
    Ok((format!("{:?}", read.map_err(|error| error.to_string())?), Vec::new()))
}

fn packed(bytes: &[u8]) -> Result<Found, String> {
    // Without its first two bytes it is no file of gzip's, and its format is not known.
    if bytes.len() < 2 {
        return Err("nothing that a reader takes".to_owned());
    }
    let text = unpacked(bytes.to_vec(), 1 << 20).map_err(|error| error.to_string())?;
    Ok((format!("{text:?}"), Vec::new()))
}

fn data(path: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn all() -> Vec<Sample> {
    use Silent::{BetweenLines, BetweenRecords, Nowhere};
    type Row = (&'static str, Vec<u8>, Reader, Silent, bool, bool);
    let one = |format| schedule(format, Vec::new());
    let graph = || -> Reader { Box::new(system) };
    let forms = |name: &str| data(&format!("base/topology/tests/forms/{name}"));
    let text = |text: &str| text.as_bytes().to_vec();
    let rows: Vec<Row> = vec![
        ("GOAL", text(samples::GOAL), one(TraceFormat::Goal), Nowhere, false, false),
        ("binary GOAL", samples::goal_binary(), one(TraceFormat::GoalBinary), Nowhere, false, false),
        ("connection matrix", text(samples::MATRIX), one(TraceFormat::Htsim), Nowhere, true, true),
        ("matrix without counts", text(samples::UNCOUNTED), one(TraceFormat::Htsim), BetweenLines, false, false),
        ("SMPI", text(samples::SMPI), one(TraceFormat::Smpi), Nowhere, false, false),
        (
            "SMPI without init and finalize",
            text(samples::BARE_SMPI),
            one(TraceFormat::Smpi),
            BetweenLines,
            false,
            false,
        ),
        ("layers", text(samples::LAYERS), one(TraceFormat::SimAi), Nowhere, true, true),
        ("Chakra", samples::chakra(), one(TraceFormat::Chakra), BetweenRecords, false, false),
        ("provider", samples::provider(), one(TraceFormat::Provider), Nowhere, false, false),
        ("flow sizes", text("0 0\n1000 50\n5000.5 100\n"), Box::new(sizes), Nowhere, false, false),
        ("fat tree", text(samples::TOPO), graph(), Nowhere, true, false),
        ("SST", text(samples::SST), Box::new(load_file), BetweenLines, false, false),
        ("cabling", text(samples::CABLING), graph(), BetweenLines, true, false),
        ("ibnetdiscover", text(samples::NETLIST), graph(), Nowhere, true, true),
        ("ibnetdiscover -p", text(samples::REPORT), graph(), Nowhere, false, true),
        ("ibsim, each link once", text(samples::IBSIM), graph(), BetweenLines, false, false),
        ("GraphML of networkx", forms("networkx.graphml"), graph(), Nowhere, false, false),
        ("GraphML of igraph", forms("igraph.graphml"), graph(), Nowhere, false, false),
        ("GEXF of Gephi", forms("gephi.gexf"), graph(), Nowhere, false, false),
        ("node-link JSON", forms("networkx.json"), graph(), Nowhere, false, false),
        ("gzip", samples::gzip(), Box::new(packed), Nowhere, false, false),
    ];
    let sample = |(name, bytes, read, cut, twice, lost)| Sample { name, bytes, read, cut, twice, lost };
    rows.into_iter().map(sample).collect()
}

impl Sample {
    /// Whether a changed file is taken for a right one of another meaning.
    fn is_silent(&self, whole: &Found, changed: &[u8]) -> bool {
        match (self.read)(changed) {
            Err(error) => {
                assert!(!error.trim().is_empty(), "{}", self.name);
                false
            }
            Ok((meaning, warnings)) => meaning != whole.0 && warnings.iter().all(|warning| whole.1.contains(warning)),
        }
    }

    fn whole(&self) -> Found {
        (self.read)(&self.bytes).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    fn lines(&self) -> Vec<&[u8]> {
        self.bytes.split_inclusive(|byte| *byte == b'\n').collect()
    }
}

/// A place in a file for people.
fn shown(bytes: &[u8], at: usize) -> String {
    String::from_utf8_lossy(&bytes[at.saturating_sub(24)..at]).escape_debug().to_string()
}

#[test]
fn a_file_cut_anywhere_is_an_error_a_warning_or_the_same() {
    let mut faults = String::new();
    for sample in all() {
        let whole = sample.whole();
        let mut silent = 0;
        for end in 0..sample.bytes.len() {
            let cut = &sample.bytes[..end];
            if !sample.is_silent(&whole, cut) {
                continue;
            }
            let is_known = match sample.cut {
                Silent::Nowhere => false,
                Silent::BetweenLines => cut.ends_with(b"\n") || sample.bytes[end] == b'\n',
                Silent::BetweenRecords => samples::CHAKRA_ENDS.contains(&end),
            };
            silent += 1;
            if !is_known {
                let _ = writeln!(faults, "{}, cut at byte {end}, behind {}", sample.name, shown(&sample.bytes, end));
            }
        }
        if (sample.cut == Silent::Nowhere) != (silent == 0) {
            let _ = writeln!(faults, "{}: {silent} silent cuts, and the table says {:?}", sample.name, sample.cut);
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn a_line_twice_or_lost_is_noticed_where_the_format_can_tell() {
    let mut faults = String::new();
    for sample in all().into_iter().filter(|sample| sample.twice || sample.lost) {
        let whole = sample.whole();
        let lines = sample.lines();
        for (at, line) in lines.iter().enumerate() {
            let [before, behind] = [lines[..at].concat(), lines[at + 1..].concat()];
            let line_text = String::from_utf8_lossy(line);
            if sample.twice && sample.is_silent(&whole, &[before.as_slice(), line, line, &behind].concat()) {
                let _ = writeln!(faults, "{}, twice: {line_text}", sample.name);
            }
            if sample.lost && sample.is_silent(&whole, &[before.as_slice(), &behind].concat()) {
                let _ = writeln!(faults, "{}, lost: {line_text}", sample.name);
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
}
