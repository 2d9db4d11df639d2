//! `philae simulate`.

use crate::arguments::{ProgressStyle, Shared, SimulateArguments};
use crate::checkpoint::{self, Resumed};
use crate::failure::Failure;
use crate::memory::{Need, Watch};
use crate::output;
use crate::processes::World;
use crate::progress::Progress;
use crate::timeline::TimelineFile;
use philae_fabric::{Advance, FabricError, Simulation};
use philae_measure::record::{RunRecord, RunStatus};
use philae_measure::{ResultFolder, RunDescription, RunSummary, text};
use philae_scenario::{CaptureSection, ResolvedScenario, RoutesSection, Scenario, ScenarioError, TimelineSection};
use philae_study::{CaptureError, PcapFiles, counts_text};
use philae_topology::Peer;
use philae_units::{Picoseconds, PortIndex};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Exit code of a run that was interrupted.
pub const INTERRUPTED: u8 = 130;

/// Runs a scenario and writes its result, alone or with other processes of MPI.
pub fn run(arguments: &SimulateArguments, shared: &Shared) -> Result<ExitCode, Failure> {
    let mut world = World::find()?;
    let first = world.share().is_first();
    // The first process speaks for all.
    let of_others = Shared { quiet: true, progress: ProgressStyle::None, ..*shared };
    let shared = if first { shared } else { &of_others };
    let read = read(arguments, shared, &world);
    let (resumed, resolved) = world.together(read)?;
    shared.warn(&resolved.warnings);
    if arguments.fluid {
        return crate::fluid::simulate(arguments, &resolved, shared);
    }
    world.check_same("scenario", &format!("{}\n{}", env!("CARGO_PKG_VERSION"), resolved.to_toml()))?;
    let prepared = Prepared::new(arguments, shared, (resumed, resolved), &world);
    let Prepared { resolved, simulation, start, targets, interrupted, carrier, mut captures, output } =
        world.together(prepared)?;
    let mut progress = Progress::new(*shared, resolved.options.time_limit, resolved.ending_ranks(), start);
    let began = Instant::now();
    let mut memory = Watch::new();
    let mut progressed = |advance| {
        progress.update(advance);
        let stops = interrupted.load(Ordering::Relaxed) || memory.is_short();
        if stops { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let outcome = if world.is_one() {
        simulation.run_into(&mut progressed, &mut captures).map(Some)
    } else {
        simulation.run_among(world.processes(), &mut progressed)
    };
    let wall_seconds = began.elapsed().as_secs_f64();
    progress.finish();
    let told = carrier.map(crate::live::Carrier::finish);
    let failed = |error| Failure::run(format!("'{}': {error}", arguments.source().display()));
    let outcome = outcome.map_err(|error| world.said_once(failed(error)))?;
    // What there is to write, the first process has.
    let (Some(record), Some((folder, timeline))) = (outcome, output) else { return Ok(ExitCode::SUCCESS) };
    captures.finish().map_err(capture_failure)?;
    crate::explain::check(targets.as_ref(), &record)?;
    let timeline = timeline.map_or(Ok(String::new()), |file| file.write(&record, &resolved.name))?;
    let mut description = resolved.run_description(env!("CARGO_PKG_VERSION"), wall_seconds);
    description.packet_hops_before = start.packet_hops;
    folder.write_run(&record, &description).map_err(Failure::run)?;
    let place = folder.finish().map_err(Failure::run)?;
    let summary = RunSummary::of(&record);
    if shared.json {
        print_json(&place, &summary)?;
    } else {
        print_text(&resolved, &place, &record, &summary, &description, shared)?;
        output::print(&timeline)?;
    }
    if let Some(told) = told {
        shared.note(&told?);
    }
    if record.status == RunStatus::Unfinished {
        shared.note("unfinished: ranks wait for what was lost for good; the report names the operations that failed");
    }
    if record.status == RunStatus::Interrupted {
        memory.reason().iter().for_each(|reason| shared.note(reason));
        shared.note("interrupted: the result is valid up to the simulated time that it names");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

/// What is to be run: from the checkpoint that is gone on from, or from the scenario.
fn read(
    arguments: &SimulateArguments,
    shared: &Shared,
    world: &World,
) -> Result<(Option<Resumed>, ResolvedScenario), Failure> {
    let resumed = arguments.checkpoint.resume.as_deref().map(Resumed::open).transpose()?;
    let mut resolved = match &resumed {
        Some(resumed) => resumed.resolve(arguments.threads, world.share(), shared)?,
        None => resolve(arguments).map_err(|error| input_failure(arguments.source(), &error))?,
    };
    if !world.is_one() {
        check_shared(arguments, &resolved)?;
    }
    resolved.options.share = world.share();
    if arguments.checkpoint.is_wanted() && resolved.scenario.explain.is_some() {
        let works = "a scenario without [explain] would work";
        return Err(Failure::input(format!(
            "explained messages take two runs, which a checkpoint does not hold: {works}"
        )));
    }
    Ok((resumed, resolved))
}

/// Refuses what several processes cannot do.
fn check_shared(arguments: &SimulateArguments, resolved: &ResolvedScenario) -> Result<(), Failure> {
    let asked = [
        ("--fluid", arguments.fluid),
        ("--live", arguments.live.is_some()),
        ("a capture", !resolved.captures.is_empty()),
        ("[explain]", resolved.scenario.explain.is_some()),
    ];
    match asked.into_iter().find(|(_, is_asked)| *is_asked) {
        None => Ok(()),
        Some((what, _)) => Err(Failure::input(format!(
            "{what} is for a run of one process, and several share this one: without mpirun, and with --threads for the cores of \
             one machine, it would work; the result is the same"
        ))),
    }
}

/// A run that is ready to begin.
struct Prepared {
    resolved: ResolvedScenario,
    simulation: Simulation,
    /// Where it begins.
    start: Advance,
    targets: Option<crate::explain::Found>,
    interrupted: Arc<AtomicBool>,
    carrier: Option<crate::live::Carrier>,
    captures: PcapFiles,
    /// Where the result goes; with the first process alone.
    output: Option<(ResultFolder, Option<TimelineFile>)>,
}

impl Prepared {
    fn new(
        arguments: &SimulateArguments,
        shared: &Shared,
        (resumed, mut resolved): (Option<Resumed>, ResolvedScenario),
        world: &World,
    ) -> Result<Self, Failure> {
        let interrupted = interrupt_flag()?;
        let targets = crate::explain::find(&mut resolved, arguments.source(), shared, &interrupted)?;
        let fits = |need: Need| if arguments.ignore_memory { Ok(None) } else { need.check(world.on_this_machine) };
        let (endpoints, ranks) =
            (resolved.system.topology.endpoint_count(), resolved.jobs.iter().map(|job| job.places.len()));
        let busy = ranks.sum::<usize>().min(endpoints);
        fits(Need::planned(endpoints as u64, busy as u64, world.share().count))?;
        let mut simulation = resolved.simulation().map_err(|error| input_failure(arguments.source(), &error))?;
        let need = Need::built(simulation.memory_bytes(), simulation.busy_endpoints() as u64);
        let (ports, intervals) = port_intervals(&resolved);
        let estimate = fits(need.with_rows(ports / u64::from(world.share().count), intervals))?;
        estimate.iter().for_each(|estimate| shared.note(estimate));
        let refused = |error: FabricError| input_failure(arguments.source(), &ScenarioError::Fabric(error));
        simulation.capture(resolved.captures.clone()).map_err(refused)?;
        crate::explain::follow(&mut simulation, targets.as_ref()).map_err(refused)?;
        let start = checkpoint::start_of(resumed.as_ref());
        if let Some(resumed) = resumed {
            resumed.restore(&mut simulation, shared)?;
        }
        checkpoint::keep(&arguments.checkpoint, &resolved, start.now, &mut simulation, shared)?;
        let carrier = crate::live::begin(arguments, &resolved)?.map(|(meter, carrier)| {
            simulation.meter(Box::new(meter));
            carrier
        });
        let place = arguments.output.clone().unwrap_or_else(|| default_output(&resolved.name));
        // Before the run, so that a folder that cannot be written costs no simulation.
        let folder =
            world.share().is_first().then(|| ResultFolder::create(&place)).transpose().map_err(Failure::input)?;
        let captures = PcapFiles::create(&resolved).map_err(capture_failure)?;
        let output = folder.map(|folder| Ok((folder, TimelineFile::create(&resolved)?))).transpose()?;
        Ok(Self { resolved, simulation, start, targets, interrupted, carrier, captures, output })
    }
}

/// Ports with a link, and sampling intervals up to the time limit; none where there is no limit.
fn port_intervals(resolved: &ResolvedScenario) -> (u64, u64) {
    let (topology, options) = (&resolved.system.topology, &resolved.options);
    let ports = (0..topology.port_count() as u32).filter(|&port| topology.port(PortIndex(port)).peer != Peer::None);
    let intervals = match options.sample_interval.0 {
        0 => 0,
        _ if options.time_limit == Picoseconds::MAX => 0,
        interval => options.time_limit.0.div_ceil(interval),
    };
    (ports.count() as u64, intervals)
}

fn resolve(arguments: &SimulateArguments) -> Result<ResolvedScenario, ScenarioError> {
    let mut overrides = arguments.overrides.clone();
    let short_forms = [
        ("seed", arguments.seed.map(|seed| seed.to_string())),
        ("run.time_limit", arguments.time_limit.clone()),
        ("run.partitions", arguments.partitions.map(|partitions| partitions.to_string())),
        ("run.threads", arguments.threads.map(|threads| threads.to_string())),
    ];
    overrides.extend(short_forms.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))));
    let mut scenario = Scenario::load_with(arguments.source(), &overrides)?;
    scenario.captures.extend(arguments.captures.iter().map(|(port, file)| CaptureSection::new(port, file)));
    if let Some(file) = &arguments.routes {
        scenario.routes = Some(RoutesSection::new(file));
    }
    if let Some(file) = &arguments.timeline {
        let section = scenario.timeline.take().unwrap_or_else(|| TimelineSection::new(file));
        scenario.timeline = Some(TimelineSection { file: file.clone(), ..section });
    }
    scenario.resolve()
}

/// The file's name before errors that do not name it themselves.
pub fn input_failure(path: &Path, error: &ScenarioError) -> Failure {
    match error {
        ScenarioError::Read { .. }
        | ScenarioError::IsFolder { .. }
        | ScenarioError::NotText { .. }
        | ScenarioError::Empty { .. }
        | ScenarioError::Syntax { .. } => Failure::input(error),
        other => Failure::input(format!("'{}': {other}", path.display())),
    }
}

fn capture_failure(error: CaptureError) -> Failure {
    if error.is_before_the_run() { Failure::input(error) } else { Failure::run(error) }
}

/// `results/incast-beside-an-allreduce`: the name's letters and digits, with a dash for everything else.
pub fn default_output(name: &str) -> PathBuf {
    let plain: String =
        name.chars().map(|letter| if letter.is_alphanumeric() { letter.to_ascii_lowercase() } else { '-' }).collect();
    let words: Vec<&str> = plain.split('-').filter(|word| !word.is_empty()).collect();
    let name = if words.is_empty() { "run".to_owned() } else { words.join("-") };
    Path::new("results").join(name)
}

/// A flag that Ctrl-C sets. A second Ctrl-C ends the program at once.
pub fn interrupt_flag() -> Result<Arc<AtomicBool>, Failure> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag::{register, register_conditional_shutdown};
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        register_conditional_shutdown(signal, i32::from(INTERRUPTED), Arc::clone(&flag))
            .and_then(|_| register(signal, Arc::clone(&flag)))
            .map_err(|error| Failure::run(format!("cannot listen for Ctrl-C: {error}")))?;
    }
    Ok(flag)
}

pub fn print_json(place: &Path, summary: &RunSummary) -> Result<ExitCode, Failure> {
    let path = place.join("manifest.json");
    let manifest: serde_json::Value = std::fs::read_to_string(&path)
        .map_err(|error| error.to_string())
        .and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()))
        .map_err(|error| Failure::run(format!("cannot read {} back: {error}", path.display())))?;
    output::print_json(&serde_json::json!({
        "output": place,
        "report": place.join("report.html"),
        "manifest": manifest,
        "summary": summary,
    }))
}

fn print_text(
    resolved: &ResolvedScenario,
    place: &Path,
    record: &RunRecord,
    summary: &RunSummary,
    run: &RunDescription,
    shared: &Shared,
) -> Result<ExitCode, Failure> {
    let colour = shared.colour();
    let wall = philae_measure::format::wall_seconds(run.wall_seconds);
    let hops = philae_measure::format::short(run.hops_per_second(summary.packet_hops));
    output::print(&format!(
        "{}\n{}\nran for {wall}: {hops} packet-hops/s\n{}result: {}\nreport: {}\n",
        text::bold(&resolved.name, colour),
        text::summary(summary, colour),
        counts_text(resolved, &record.captures),
        place.display(),
        place.join("report.html").display(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_folder_is_the_name_without_what_shells_dislike() {
        assert_eq!(default_output("Incast beside an allreduce!"), Path::new("results/incast-beside-an-allreduce"));
        assert_eq!(default_output("../.."), Path::new("results/run"));
    }
}
