//! `philae simulate`.

mod checkpoint;
mod disk;
mod fluid;
mod input;
mod live;
#[cfg(feature = "mpi")]
mod mpi;
mod processes;
mod program;
mod timeline;

use crate::arguments::{CommonOptions, ProgressStyle, RunArguments, Seeds, SimulateArguments, SweepArguments};
use crate::attention::{self, ProgramActivity};
use crate::failure::CommandFailure;
use crate::first_run::{self, FirstRun};
use crate::output;
use crate::progress::RunProgress;
use crate::results::{self, Written, print_json};
use crate::scenario_errors::input_failure;
use crate::signal_code;
use checkpoint::Resumed;
use philae_console::OutputError;
use philae_coordinator::ProgramRun;
use philae_experiments::memory::{MemoryWatch, Need, Ranks};
use philae_experiments::{CaptureError, PcapFiles, counts_text};
use philae_fabric::{Advance, FabricError, Simulation};
use philae_launcher::LaunchPlan;
use philae_results::record::RunStatus;
use philae_results::summary::cut_iterations;
use philae_results::{ResultFolder, RunDescription, RunSummary, text};
use philae_scenario::{CaptureSection, ResolvedScenario, RoutesSection, Scenario, ScenarioError, TimelineSection};
use processes::ProcessGroup;
use program::{SimulatedProgram, StartedProgram, Told};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use timeline::TimelineFile;

/// The sweep that runs a scenario with several seeds and changes nothing else.
fn with_seeds(arguments: &SimulateArguments, scenario: &Path, seeds: &Seeds) -> SweepArguments {
    SweepArguments {
        scenario: scenario.to_owned(),
        sets: arguments.keys.all().into_iter().map(|(key, value)| (key, vec![value])).collect(),
        seeds: Some(seeds.clone()),
        output: arguments.place.output.clone(),
        keep_results: true,
        threads: arguments.threads.map(|threads| threads as usize),
        ignore_memory: arguments.ignore_memory,
    }
}

/// Runs a scenario in which a real program is a job, and writes its result.
pub fn run_program(arguments: &RunArguments, asked: &Path, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let simulated = program::arguments(&arguments.simulation, asked.to_owned());
    run_with(&simulated, shared, Some(&SimulatedProgram::new(arguments, &simulated, asked)?))
}

/// Runs a scenario and writes its result, alone or with other MPI processes.
pub fn run(arguments: &SimulateArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    if let (Some(scenario), Some(kept)) = (&arguments.scenario, &arguments.checkpoint.resume) {
        let (scenario, kept) = (scenario.display(), kept.display());
        return Err(CommandFailure::input(format!(
            "{kept} contains the scenario of its run; without {scenario} it continues: philae simulate --resume {kept}"
        )));
    }
    if let (Some(seeds), Some(scenario)) = (&arguments.seeds, &arguments.scenario) {
        return super::sweep::run(&with_seeds(arguments, scenario, seeds), shared);
    }
    run_with(arguments, shared, None)
}

fn run_with(
    arguments: &SimulateArguments,
    shared: &CommonOptions,
    real: Option<&SimulatedProgram<'_>>,
) -> Result<ExitCode, CommandFailure> {
    let interrupted = attention::flag(!arguments.ignore_memory, "the partial result of the run")?;
    let mut world = ProcessGroup::find()?;
    let first = world.share().is_first();
    // Only the first process prints.
    let of_others = CommonOptions { quiet: true, is_mute: true, progress: ProgressStyle::None, ..*shared };
    let shared = if first { shared } else { &of_others };
    let read = read(arguments, shared, &world, real);
    let (resumed, resolved) = world.together(read)?;
    shared.warn(&resolved.warnings);
    if arguments.fluid {
        return fluid::run(arguments, &resolved, shared, &interrupted);
    }
    world.check_same("scenario", &format!("{}\n{}", env!("CARGO_PKG_VERSION"), resolved.to_toml()))?;
    let prepared = Prepared::new(arguments, shared, (resumed, resolved), (&world, &interrupted), real);
    let Prepared { resolved, simulation, start, targets, carrier, mut captures, place, program } =
        world.together(prepared)?;
    // Its first run has shown what the program prints.
    let output = program::output(shared, targets.is_some());
    let start_program = |(run, plan)| StartedProgram::start(run, plan, output, shared, &interrupted);
    let started = program.map(start_program).transpose()?;
    let mut progress = RunProgress::new(*shared, resolved.options.time_limit, resolved.ending_ranks(), start);
    let began = Instant::now();
    let mut memory = MemoryWatch::default();
    let mut progressed = |advance| {
        progress.update(advance);
        if attention::is_stopped(&interrupted) || memory.is_short() {
            attention::now(ProgramActivity::Writes);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    };
    attention::now(ProgramActivity::Runs);
    let outcome = if world.is_one() {
        simulation.run_into(&mut progressed, &mut captures).map(Some)
    } else {
        simulation.run_among(world.processes(), &mut progressed)
    };
    let wall_seconds = began.elapsed().as_secs_f64();
    progress.finish();
    let told = carrier.map(live::Carrier::finish);
    // Ranks that the same Ctrl-C has ended are no fault.
    let is_stopped = attention::is_stopped(&interrupted);
    let fault = started.as_ref().filter(|_| !is_stopped).and_then(|started| started.run().fault());
    let is_cut = !matches!(&outcome, Ok(Some(record)) if record.status == RunStatus::Completed);
    let program = started.map(|started| Told::of(started, is_cut)).transpose()?;
    let failed = |error| CommandFailure::run(format!("'{}': {error}", arguments.source().display()));
    let outcome = match (outcome, &fault) {
        // It is why ranks wait.
        (Err(_), Some(fault)) => {
            let why = program.as_ref().map_or_else(|| fault.to_string(), |program| program.reason(fault).0);
            return Err(CommandFailure::run(why));
        }
        (outcome, _) => outcome.map_err(|error| world.said_once(failed(error)))?,
    };
    // Only the first process has output to write.
    let (Some(record), Some((folder, timeline))) = (outcome, place) else { return Ok(ExitCode::SUCCESS) };
    let mut description = resolved.run_description(env!("CARGO_PKG_VERSION"), wall_seconds);
    description.packet_hops_before = start.packet_hops;
    let missing = targets.as_ref().and_then(FirstRun::missing).map(|why| format!("no message is explained: {why}"));
    let unwritten = checkpoint::unwritten(&arguments.checkpoint, start.now, &record);
    let of_program = program.iter().flat_map(Told::warnings);
    for warning in record.warnings().into_iter().chain(missing).chain(unwritten).chain(of_program) {
        shared.warn(std::slice::from_ref(&warning));
        description.warnings.push(warning);
    }
    let written = results::write(folder, &record, &description, &interrupted);
    // What else the run was to leave is tried whatever came of that.
    let not_captured = captures.finish();
    let timeline = timeline.map_or(Ok(String::new()), |file| file.write(&record, &resolved.name));
    let summary = RunSummary::of(&record);
    let observed = real.map(SimulatedProgram::observed).transpose()?;
    observed.iter().for_each(|observed| observed.say(shared));
    // The text has them as well.
    if shared.json || shared.quiet {
        shared.warn(&cut_iterations(&summary));
    }
    if shared.json {
        let of_program = program.as_ref().zip(observed.as_ref()).map(|(program, observed)| program.json(observed));
        print_json(&written, &summary, of_program)?;
    } else {
        let captured = counts_text(&resolved, &record.captures, &not_captured);
        print_text((&resolved.name, &captured, program.is_some()), &written, &summary, &description, shared)?;
        output::print(timeline.as_deref().ok().filter(|_| !shared.quiet).unwrap_or_default())?;
    }
    written.note.iter().for_each(|note| shared.note(note));
    let is_program = program.is_some();
    first_run::check(targets.as_ref(), &record, is_program)?;
    written.checked()?;
    if !not_captured.is_empty() && not_captured.iter().all(CaptureError::is_unread) {
        return Err(OutputError::ReaderGone.into());
    }
    if !not_captured.is_empty() {
        let said: Vec<String> = not_captured.iter().map(ToString::to_string).collect();
        return Err(CommandFailure::run(said.join("\n")));
    }
    timeline?;
    if let Some(told) = told {
        shared.note(&told?);
    }
    if record.status == RunStatus::Unfinished {
        shared.say(
            "unfinished: ranks wait for packets that were lost for good; the report names the operations that failed",
        );
    }
    if let Some(fault) = fault {
        let (why, code) = program.map_or_else(|| (fault.to_string(), 1), |program| program.reason(&fault));
        philae_console::note!("philae: {why}; the result is valid up to the simulated time that it names");
        return Ok(ExitCode::from(code));
    }
    if record.status == RunStatus::Interrupted {
        let reason = memory.reason();
        reason.iter().for_each(|reason| shared.say(reason));
        shared.say("interrupted: the result is valid up to the simulated time that it names");
        // The code of the signal says that a person or the system stopped it.
        return Ok(ExitCode::from(if reason.is_some() { 1 } else { signal_code::present() }));
    }
    if record.status == RunStatus::Unfinished && program.is_some() {
        philae_console::note!("philae: the program did not end: its ranks wait for what the network has lost for good");
        return Ok(ExitCode::FAILURE);
    }
    // A program that was asked to end says nothing by its code.
    Ok(program.filter(|_| !is_cut).map_or(ExitCode::SUCCESS, |program| ExitCode::from(program.code())))
}

/// The run to make: from a checkpoint, or from the scenario.
fn read(
    arguments: &SimulateArguments,
    shared: &CommonOptions,
    world: &ProcessGroup,
    program: Option<&SimulatedProgram<'_>>,
) -> Result<(Option<Resumed>, ResolvedScenario), CommandFailure> {
    let resumed = arguments.checkpoint.resume.as_deref().map(Resumed::open).transpose()?;
    let mut resolved = match (&resumed, program) {
        (Some(resumed), _) => resumed.resolve(arguments.threads, world.share(), shared)?,
        (None, Some(program)) => {
            let resolved = program.scenario()?.resolve();
            resolved.map_err(|error| input_failure(arguments.source(), &error))?
        }
        (None, None) => resolve(arguments).map_err(|error| input_failure(arguments.source(), &error))?,
    };
    if !world.is_one() {
        check_shared(arguments, &resolved)?;
    }
    resolved.options.execution.share = world.share();
    if arguments.checkpoint.is_wanted() && resolved.scenario.explain.is_some() {
        let works = "a scenario without [explain] would work";
        return Err(CommandFailure::input(format!(
            "explained messages need two runs, and a checkpoint holds one: {works}"
        )));
    }
    Ok((resumed, resolved))
}

/// Refuses files of this run that would replace what it reads, or each other.
fn check_outputs(arguments: &SimulateArguments, resolved: &ResolvedScenario) -> Result<(), CommandFailure> {
    let scenario = &resolved.scenario;
    let routes = scenario.routes.as_ref().map(|routes| Path::new(&routes.file));
    let inputs: Vec<&Path> = arguments.scenario.as_deref().into_iter().chain(routes).collect();
    let captures = scenario.captures.iter().map(|capture| capture.file.as_path());
    let timeline = scenario.timeline.as_ref().map(|timeline| timeline.file.as_path());
    let outputs: Vec<&Path> =
        arguments.checkpoint.checkpoint.as_deref().into_iter().chain(timeline).chain(captures).collect();
    crate::documents::check_apart(&inputs, &outputs)?;
    let place = arguments.place.output.clone().unwrap_or_else(|| results::default_place(arguments, resolved));
    let inside = outputs.iter().find(|output| philae_results::is_inside(output, &place));
    inside.map_or(Ok(()), |output| {
        Err(CommandFailure::input(format!(
            "'{}' lies in the folder of the result, '{}', which is replaced as a whole; a file outside of it would work",
            output.display(),
            place.display()
        )))
    })
}

/// Refuses features that several processes do not support.
fn check_shared(arguments: &SimulateArguments, resolved: &ResolvedScenario) -> Result<(), CommandFailure> {
    let asked = [
        ("--fluid", arguments.fluid),
        ("--live", arguments.live.manager.is_some()),
        ("a capture", !resolved.captures.is_empty()),
        ("[explain]", resolved.scenario.explain.is_some()),
    ];
    match asked.into_iter().find(|(_, is_asked)| *is_asked) {
        None => Ok(()),
        Some((what, _)) => Err(CommandFailure::input(format!(
            "{what} is for a run of one process, but several share this run: --threads instead of mpirun would work \
             on one machine, with the same result"
        ))),
    }
}

/// A prepared run.
struct Prepared {
    resolved: ResolvedScenario,
    simulation: Simulation,
    /// Where it begins.
    start: Advance,
    targets: Option<FirstRun>,
    carrier: Option<live::Carrier>,
    captures: PcapFiles,
    /// Where the result goes; only in the first process.
    place: Option<(ResultFolder, Option<TimelineFile>)>,
    /// The real program, and what starts it.
    program: Option<(ProgramRun, LaunchPlan)>,
}

impl Prepared {
    fn new(
        arguments: &SimulateArguments,
        shared: &CommonOptions,
        (resumed, mut resolved): (Option<Resumed>, ResolvedScenario),
        (world, interrupted): (&ProcessGroup, &AtomicBool),
        program: Option<&SimulatedProgram<'_>>,
    ) -> Result<Self, CommandFailure> {
        check_outputs(arguments, &resolved)?;
        let targets = first_run::find(&mut resolved, shared, |first| match program {
            Some(program) => program.first_run(first, shared, interrupted),
            None => first_run::alone(first, arguments.source(), shared, interrupted),
        })?;
        let fits = |need: Need| match arguments.ignore_memory {
            true => Ok(None),
            false => need.check(world.on_this_machine).map_err(CommandFailure::input),
        };
        let ranks = Ranks::of(&resolved);
        fits(Need::planned(resolved.system.topology.endpoint_count() as u64, ranks, world.share().count))?;
        let (mut program, mut processes, mut supervisor) =
            (program.map(|program| program.prepare(&resolved, targets.is_some())).transpose()?, None, None);
        let program = program.take().map(|(job, run, parts, plan)| {
            processes = Some((job.index(), parts.programs));
            supervisor = Some(parts.supervisor);
            (run, plan)
        });
        let built = resolved.simulation_with(processes);
        let refused = |error: FabricError| input_failure(arguments.source(), &ScenarioError::Fabric(error));
        let mut simulation = built.map_err(|error| input_failure(arguments.source(), &error))?;
        if let Some(supervisor) = supervisor {
            simulation.supervise(supervisor).map_err(refused)?;
        }
        let need =
            Need::built(simulation.memory_bytes(), simulation.busy_endpoints() as u64, ranks, world.share().count);
        let (ports, intervals) = disk::port_intervals(&resolved);
        let estimate = fits(need.with_rows(ports / u64::from(world.share().count), intervals))?;
        estimate.iter().for_each(|estimate| shared.note(estimate));
        simulation.capture(resolved.captures.clone()).map_err(refused)?;
        first_run::follow(&mut simulation, targets.as_ref()).map_err(refused)?;
        let start = checkpoint::start_of(resumed.as_ref());
        if let Some(resumed) = resumed {
            resumed.restore(&mut simulation, shared)?;
        }
        checkpoint::keep(&arguments.checkpoint, &resolved, start.now, &mut simulation, shared)?;
        let carrier = live::begin(&arguments.live, &resolved)?.map(|(meter, carrier)| {
            simulation.meter(Box::new(meter));
            carrier
        });
        // Before the run, so that an unwritable folder costs no simulation.
        let description = resolved.run_description(env!("CARGO_PKG_VERSION"), 0.0);
        let folder =
            world.share().is_first().then(|| results::folder(arguments, &resolved, &description)).transpose()?;
        if let Some(folder) = &folder {
            disk::check(&resolved, folder.staging()).iter().for_each(|line| shared.say(line));
        }
        let captures = PcapFiles::create(&resolved).map_err(capture_failure)?;
        let place =
            folder.map(|folder| Ok::<_, CommandFailure>((folder, TimelineFile::create(&resolved)?))).transpose()?;
        Ok(Self { resolved, simulation, start, targets, carrier, captures, place, program })
    }
}

fn resolve(arguments: &SimulateArguments) -> Result<ResolvedScenario, ScenarioError> {
    let mut overrides = arguments.keys.all();
    let short_forms = [
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

fn capture_failure(error: CaptureError) -> CommandFailure {
    if error.is_unread() {
        OutputError::ReaderGone.into()
    } else if error.is_before_the_run() {
        CommandFailure::input(error)
    } else {
        CommandFailure::run(error)
    }
}

fn print_text(
    (name, captured, is_program): (&str, &str, bool),
    written: &Written,
    summary: &RunSummary,
    run: &RunDescription,
    shared: &CommonOptions,
) -> Result<ExitCode, CommandFailure> {
    if let Some(line) = written.quiet_line().filter(|_| shared.quiet) {
        return output::print(&line);
    }
    let colour = shared.colour();
    let wall = philae_results::format::wall_seconds(run.wall_seconds);
    let hops = philae_results::format::short(run.hops_per_second(summary.packet_hops));
    // A program has printed its own results, and the report has all others.
    let said = if is_program { text::brief(summary, colour) } else { text::summary(summary, colour) };
    output::print(&format!(
        "{}\n{said}\nran for {wall}: {hops} packet-hops/s\n{captured}{}",
        text::bold(name, colour),
        written.lines(),
    ))
}
