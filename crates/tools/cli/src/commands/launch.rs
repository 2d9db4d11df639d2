//! `philae run`: starts a program whose messages cross the provider.

use crate::arguments::{CommonOptions, LauncherName, RunArguments};
use crate::failure::CommandFailure;
use crate::output;
use philae_launcher::{
    LaunchError, LaunchPlan, LaunchRequest, LauncherChoice, LauncherKind, Linked, OutputTarget, ProcessTraffic,
    ProviderChoices, RemoteShell, SimulatedRun, plan, read_traffic, run as run_plan,
};
use philae_results::format::{bytes, count};
use philae_results::text::table;
use philae_trace::{PROVIDER_EXTENSION, has_operation};
use philae_units::counted;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tempfile::TempDir;

impl LauncherName {
    const fn wanted(self) -> LauncherChoice {
        match self {
            Self::Auto => LauncherChoice::Auto,
            Self::Hydra => LauncherChoice::One(LauncherKind::Hydra),
            Self::Mpirun => LauncherChoice::One(LauncherKind::OpenMpi),
            Self::Srun => LauncherChoice::One(LauncherKind::Slurm),
            Self::Plain => LauncherChoice::One(LauncherKind::Plain),
        }
    }
}

/// Runs the command.
pub fn run(arguments: &RunArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    if let Some(asked) = &arguments.simulation.simulate {
        return super::simulate::run_program(arguments, asked, shared);
    }
    let observation = ProgramObservation::new(arguments)?;
    let plan = planned(arguments, Some(&observation), None)?;
    if arguments.print {
        return print(&plan, shared);
    }
    if plan.linked == Linked::Unknown
        && plan.launcher.kind == LauncherKind::Plain
        && arguments.launcher == LauncherName::Auto
    {
        shared.note("note: no MPI launcher is next to the program or in PATH: its processes are started one by one");
    }
    let output = if shared.json { OutputTarget::Error } else { OutputTarget::Standard };
    let code = run_plan(&plan, output).map_err(failed)?;
    let observed = observation.read(arguments.processes)?;
    observed.say(shared);
    if shared.json {
        output::print_json(&serde_json::json!({
            "exit_code": code, "launcher": plan.launcher.kind.name(), "command": words(&plan),
            "traffic": observed.traffic_json(), "traced": observed.traced(),
        }))?;
    }
    Ok(ExitCode::from(code))
}

/// What the provider counts and traces of a program (`--traffic`, `--trace`).
pub struct ProgramObservation {
    traffic: Option<TempDir>,
    trace: Option<PathBuf>,
}

impl ProgramObservation {
    /// Makes the folders that the command line asks for.
    pub fn new(arguments: &RunArguments) -> Result<Self, CommandFailure> {
        let traffic = if arguments.traffic { Some(scratch()?) } else { None };
        Ok(Self { traffic, trace: arguments.trace.as_deref().map(trace_folder).transpose()? })
    }

    /// What is in them, after the program.
    pub fn read(&self, processes: u32) -> Result<Observed, CommandFailure> {
        let traffic = self.traffic.as_ref().map(|folder| read_traffic(folder.path())).transpose();
        let traffic = traffic.map_err(|(file, what)| {
            CommandFailure::run(format!("cannot read the traffic counts '{}': {what}", file.display()))
        })?;
        Ok(Observed { traffic, traced: self.trace.as_deref().map(|folder| traced(folder, processes)) })
    }
}

/// What was counted and traced.
pub struct Observed {
    traffic: Option<Vec<ProcessTraffic>>,
    /// Processes with operations, and what to say of them.
    traced: Option<(usize, String)>,
}

impl Observed {
    /// Prints it for people.
    pub fn say(&self, shared: &CommonOptions) {
        if let Some((_, text)) = &self.traced {
            shared.note(text);
        }
        if let Some(traffic) = self.traffic.as_ref().filter(|_| !shared.json) {
            philae_console::note(&report(traffic, shared.colour_on_stderr()));
        }
    }

    pub fn traffic_json(&self) -> Option<serde_json::Value> {
        self.traffic.as_deref().map(json)
    }

    /// How many processes have a trace, if one was asked for.
    pub fn traced(&self) -> Option<usize> {
        self.traced.as_ref().map(|(processes, _)| *processes)
    }
}

/// The plan of what the command line asks for.
pub fn planned(
    arguments: &RunArguments,
    observation: Option<&ProgramObservation>,
    simulation: Option<SimulatedRun>,
) -> Result<LaunchPlan, CommandFailure> {
    let traffic = observation.and_then(|observation| observation.traffic.as_ref());
    let request = LaunchRequest {
        processes: arguments.processes,
        hosts: arguments.remote.hosts.clone(),
        remote: RemoteShell { shell: arguments.remote.remote_shell.clone(), address: arguments.remote.address.clone() },
        launcher: arguments.launcher.wanted(),
        has_prefix: arguments.prefix,
        settings: ProviderChoices {
            wires: (!arguments.wires.is_empty()).then(|| arguments.wires.join(",")),
            vni: arguments.vni,
            simulation,
            traffic: traffic.map(|folder| folder.path().to_owned()),
            trace: observation.and_then(|observation| observation.trace.clone()),
            others: arguments.env.clone(),
        },
        program: arguments.program[0].clone(),
        arguments: arguments.program[1..].to_vec(),
    };
    plan(&request).map_err(failed)
}

pub fn failed(error: LaunchError) -> CommandFailure {
    match error {
        LaunchError::System { .. } => CommandFailure::run(error),
        other => CommandFailure::input(other),
    }
}

/// A temporary folder, removed at the end.
fn scratch() -> Result<TempDir, CommandFailure> {
    let made = tempfile::Builder::new().prefix("philae-traffic-").tempdir();
    made.map_err(|error| {
        let temporary = std::env::temp_dir();
        CommandFailure::run(format!("cannot create a temporary folder in '{}': {error}", temporary.display()))
    })
}

/// The folder of a trace: new, or empty.
fn trace_folder(asked: &Path) -> Result<PathBuf, CommandFailure> {
    let failed = |error| CommandFailure::input(format!("cannot write traces into '{}': {error}", asked.display()));
    philae_results::check_folder(asked)
        .map_err(|found| CommandFailure::input(format!("'{}': {found}", asked.display())))?;
    std::fs::create_dir_all(asked).map_err(failed)?;
    if std::fs::read_dir(asked).map_err(failed)?.next().is_some() {
        let found = format!("'{}' has files in it; a new or empty folder would work for --trace", asked.display());
        return Err(CommandFailure::input(found));
    }
    std::fs::canonicalize(asked).map_err(failed)
}

/// The number of processes whose operations are in a folder of traces, and what to say of it.
fn traced(folder: &Path, processes: u32) -> (usize, String) {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_trace = |file: &PathBuf| file.extension().is_some_and(|extension| extension == PROVIDER_EXTENSION);
    // An unreadable trace is for `trace convert` to explain.
    let with = files.filter(is_trace).filter(|file| has_operation(file).unwrap_or(true)).count();
    let place = folder.display();
    let text = match with {
        0 => format!(
            "no trace: nothing was recorded into {place}. The program does not use libfabric, used another transport \
             between its processes, or ended before it closed its endpoints"
        ),
        some => {
            let less = if (some as u64) < u64::from(processes) {
                format!(" by {some} of {}: the others sent and received nothing here", counted(processes, "process"))
            } else {
                String::new()
            };
            format!("traced into {place}{less}; philae trace convert {place} OUT.goal makes a schedule of it")
        }
    };
    (with, text)
}

fn words(plan: &LaunchPlan) -> Vec<String> {
    plan.command.iter().map(|word| word.to_string_lossy().into_owned()).collect()
}

fn print(plan: &LaunchPlan, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let variables: BTreeMap<&str, String> =
        plan.variables.iter().map(|(name, value)| (name.as_str(), value.to_string_lossy().into_owned())).collect();
    if shared.json {
        return output::print_json(&serde_json::json!({
            "launcher": plan.launcher.kind.name(), "command": words(plan), "variables": variables, "copies": plan.copies,
        }));
    }
    let mut text = String::new();
    variables.iter().for_each(|(name, value)| text += &format!("{name}={} \\\n", quoted(value)));
    text += &words(plan).iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
    if plan.copies > 1 || plan.launcher.kind == LauncherKind::Plain {
        text +=
            &format!("\n# {}, with PHILAE_RANK from 0 and PHILAE_SIZE={}", counted(plan.copies, "time"), plan.copies);
    }
    output::print(&(text + "\n"))
}

/// A word, quoted for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:,=+@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

fn json(traffic: &[ProcessTraffic]) -> serde_json::Value {
    let one = |one: &ProcessTraffic| {
        serde_json::json!({
            "rank": one.rank, "process": one.process, "endpoints": one.endpoints, "counts": one.counts,
            "peers": one.peers.iter().map(|peer| serde_json::json!({
                "rank": peer.rank, "process": peer.process, "counts": peer.counts,
            })).collect::<Vec<_>>(),
        })
    };
    serde_json::json!({ "processes": traffic.iter().map(one).collect::<Vec<_>>(), "total": total(traffic) })
}

fn total(traffic: &[ProcessTraffic]) -> BTreeMap<String, u64> {
    let mut total = BTreeMap::new();
    for (name, count) in traffic.iter().flat_map(|one| &one.counts) {
        *total.entry(name.clone()).or_default() += count;
    }
    total
}

/// The columns of the table; empty ones are left out. The JSON document has every count.
const COLUMNS: [&str; 20] = [
    "sends",
    "sent_bytes",
    "rendezvous",
    "receives",
    "received_bytes",
    "writes",
    "written_bytes",
    "reads",
    "read_bytes",
    "atomics",
    "atomic_bytes",
    "doorbells",
    "commands",
    "bundled",
    "refused",
    "list_refused",
    "list_taken_over",
    "software_matched",
    "datagrams_sent",
    "retransmissions",
];

/// The traffic through the provider, as text.
fn report(traffic: &[ProcessTraffic], colour: bool) -> String {
    let total = total(traffic);
    let has = |name: &str| total.get(name).is_some_and(|&count| count > 0);
    if !["sends", "receives", "writes", "reads", "atomics"].into_iter().any(has) {
        let opened = match traffic.len() {
            0 => "no process closed an endpoint of the provider".to_owned(),
            some => format!("{} opened endpoints and sent nothing", counted(some, "process")),
        };
        return format!(
            "no traffic crossed the provider: {opened}. The program does not use libfabric, used another transport \
             between its processes, or ended before it closed its endpoints\n"
        );
    }
    let columns: Vec<&str> = COLUMNS.into_iter().filter(|name| has(name)).collect();
    let cell = |counts: &BTreeMap<String, u64>, name: &str| {
        let value = counts.get(name).copied().unwrap_or(0);
        if name.ends_with("bytes") { bytes(value as f64) } else { count(value) }
    };
    let row = |head: [String; 2], counts: &BTreeMap<String, u64>| {
        head.into_iter().chain(columns.iter().map(|name| cell(counts, name))).collect::<Vec<_>>()
    };
    let rank = |one: &ProcessTraffic| one.rank.map_or_else(|| "-".to_owned(), |rank| rank.to_string());
    let mut rows: Vec<Vec<String>> =
        traffic.iter().map(|one| row([rank(one), one.process.to_string()], &one.counts)).collect();
    rows.push(row(["all".to_owned(), traffic.len().to_string()], &total));
    let names: Vec<String> = columns.iter().map(|name| name.replace('_', " ")).collect();
    let headers: Vec<&str> = ["rank", "process"].into_iter().chain(names.iter().map(String::as_str)).collect();
    format!("traffic through the provider:\n{}{}", table(&headers, &rows, colour), by_peer(traffic, colour))
}

/// Pairs of processes in the printed table. The JSON document has all.
const PAIRS_SHOWN: usize = 64;
/// The columns of that table; empty ones are left out.
const PEER_COLUMNS: [&str; 14] = [
    "sends",
    "sent_bytes",
    "receives",
    "writes",
    "written_bytes",
    "reads",
    "read_bytes",
    "atomics",
    "inline",
    "eager",
    "rendezvous",
    "one_copy",
    "refused",
    "retransmissions",
];

/// The traffic of each process with each other one.
fn by_peer(traffic: &[ProcessTraffic], colour: bool) -> String {
    let name = |rank: Option<u64>, process: Option<u64>| match (rank, process) {
        (Some(rank), _) => rank.to_string(),
        (None, Some(process)) => format!("process {process}"),
        (None, None) => "?".to_owned(),
    };
    let pairs: Vec<(String, String, &BTreeMap<String, u64>)> = traffic
        .iter()
        .flat_map(|one| one.peers.iter().map(move |peer| (one, peer)))
        .map(|(one, peer)| (name(one.rank, Some(one.process)), name(peer.rank, peer.process), &peer.counts))
        .collect();
    if pairs.is_empty() {
        return String::new();
    }
    if pairs.len() > PAIRS_SHOWN {
        return format!("by peer: {} pairs; --json has them\n", pairs.len());
    }
    let has = |name: &&str| pairs.iter().any(|(.., counts)| counts.get(*name).is_some_and(|&count| count > 0));
    let columns: Vec<&str> = PEER_COLUMNS.into_iter().filter(has).collect();
    let cell = |counts: &BTreeMap<String, u64>, name: &str| {
        let value = counts.get(name).copied().unwrap_or(0);
        if name.ends_with("bytes") { bytes(value as f64) } else { count(value) }
    };
    let rows: Vec<Vec<String>> = pairs
        .iter()
        .map(|(from, to, counts)| {
            [from.clone(), to.clone()].into_iter().chain(columns.iter().map(|name| cell(counts, name))).collect()
        })
        .collect();
    let names: Vec<String> = columns.iter().map(|name| name.replace('_', " ")).collect();
    let headers: Vec<&str> = ["from", "to"].into_iter().chain(names.iter().map(String::as_str)).collect();
    format!("by peer:\n{}", table(&headers, &rows, colour))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traffic_is_a_table_with_its_totals_or_says_that_there_was_none() {
        let one = |rank, sends| ProcessTraffic {
            rank: Some(rank),
            process: 100 + rank,
            endpoints: 1,
            counts: [("sends", sends), ("sent_bytes", 2_000 * sends), ("retransmissions", rank), ("lost_fast", rank)]
                .map(|(name, count)| (name.to_owned(), count))
                .into(),
            peers: Vec::new(),
        };
        let text = report(&[one(0, 3), one(1, 4)], false);
        let last = text.lines().last().expect("a line");
        assert!(last.contains("all") && last.contains(" 7 ") && last.contains("13.67 KiB"), "{text}");
        assert!(text.contains("retransmissions") && !text.contains("atomics"), "{text}");
        let counts = [("sends", 5), ("eager", 4), ("sent_bytes", 3_000)];
        let counts = counts.map(|(name, count)| (name.to_owned(), count)).into();
        let peers = vec![philae_launcher::PeerTraffic { rank: Some(1), process: Some(101), counts }];
        let text = report(&[ProcessTraffic { peers, ..one(0, 5) }, one(1, 1)], false);
        let (_, pairs) = text.split_once("by peer:").expect("a second table");
        assert!(pairs.contains("eager") && !pairs.contains("rendezvous") && pairs.contains("2.93 KiB"), "{pairs}");
        assert!(report(&[], false).contains("no process closed an endpoint"));
        assert!(report(&[one(0, 0)], false).contains("sent nothing"));
    }

    #[test]
    fn a_trace_without_operations_is_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let said = || traced(folder.path(), 2);
        assert!(said().1.starts_with("no trace: nothing was recorded into "), "{}", said().1);
        let file = |rank: u64, kinds: &[u64]| {
            let mut words = vec![u64::from_le_bytes(*b"PHTRACE\x01"), rank, 100 + rank, 1];
            kinds.iter().for_each(|kind| words.extend([*kind, 5, 0, 0, 0, 0, 0, 0, 0]));
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            std::fs::write(folder.path().join(format!("{rank}.{PROVIDER_EXTENSION}")), bytes).expect("a file");
        };
        // Endpoints that were opened and closed.
        file(0, &[1, 2, 10]);
        file(1, &[1, 9, 10]);
        assert_eq!(said().0, 0);
        file(1, &[1, 2, 3, 10]);
        let (processes, text) = said();
        assert!(processes == 1 && text.contains("by 1 of 2 processes: the others"), "{text}");
        file(0, &[1, 4, 8, 10]);
        let (processes, text) = said();
        assert!(processes == 2 && !text.contains("the others") && text.contains("philae trace convert"), "{text}");
    }

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        assert_eq!(quoted("a-b=c"), "a-b=c");
        assert_eq!(quoted("it's $x"), r"'it'\''s $x'");
        assert_eq!(quoted(""), "''");
    }
}
