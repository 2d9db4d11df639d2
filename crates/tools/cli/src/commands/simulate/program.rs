//! A run in which a real program is a job: `philae run --simulate`.

use crate::arguments::{CheckpointArguments, CommonOptions, LiveReport, ResultPlace, ScenarioKeys, SimulateArguments};
use crate::arguments::{RunArguments, SimulatedNetwork};
use crate::commands::launch::{self, Observed, ProgramObservation};
use crate::commands::simulate::input::KeptInput;
use crate::failure::CommandFailure;
use crate::first_run;
use crate::scenario_errors::input_failure;
use philae_coordinator::{ComputeTime, ProgramJob, ProgramParts, ProgramRun, RankCosts, RankFault, RunFault, RunFile};
use philae_launcher::{
    LaunchPlan, LauncherKind, Linked, OutputTarget, ProgramEnding, RunControl, SimulatedRun, find_clocks, how_it_ended,
    what_helps,
};
use philae_nic_model::HostPath;
use philae_results::record::{RunRecord, RunStatus};
use philae_scenario::{PlacedJob, ResolvedScenario, Scenario, ScenarioError};
use philae_units::{JobId, counted};
use philae_workload::{Computation, RealProgram, WorkloadSpec};
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// Picoseconds in a nanosecond.
const PICOSECONDS: u64 = 1_000;
/// What 1,024 bytes take at 1 MB/s.
const PICOSECONDS_PER_1024: u64 = 1_024_000_000;
/// Time after which the start says for whom it waits. Source: ours; 256 processes start in less on
/// two cores. Status: assumed.
const SLOW_START: Duration = Duration::from_secs(20);
/// How long a rank is outside, and the program does nothing, before it is named. Source: ours.
/// Status: assumed.
const LONG_OUTSIDE: Duration = Duration::from_secs(10);
/// How long it says nothing more of ranks that compute. Source: ours. Status: assumed.
const TELL_EVERY: Duration = Duration::from_secs(60);
/// How long a launcher has to note how a rank ended. Source: ours; a busy machine. Status: assumed.
const NOTED: Duration = Duration::from_secs(1);
/// Processes between this one and a rank, at most. Source: ours. Status: assumed.
const LINEAGE_MAX: usize = 64;
/// What the name of an interpreter may end with.
const VERSION: [char; 11] = ['.', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
/// Begins the name of the shared memory of a run.
const RUN_FILE: &str = "philae-simulated-";
/// How long processes may take to end after they were asked to. Source: ours. Status: assumed.
const GRACE: Duration = Duration::from_secs(3);

/// The program of a run, before it starts.
pub struct SimulatedProgram<'r> {
    arguments: &'r RunArguments,
    simulated: &'r SimulateArguments,
    /// The scenario or the system.
    asked: &'r Path,
    observation: ProgramObservation,
    /// What its first run of two had as its standard input.
    input: OnceCell<KeptInput>,
}

/// A program that runs.
pub struct StartedProgram {
    run: ProgramRun,
    launcher: std::thread::JoinHandle<Result<ProgramEnding, CommandFailure>>,
    lives: Arc<AtomicBool>,
    control: Arc<RunControl>,
    watcher: Option<Watcher>,
    /// Whether its library sleeps in a loop until its process manager answers.
    sleeps: bool,
    /// The launcher, if the program does not show which one is its own.
    guessed: Option<LauncherKind>,
}

/// The command line of the simulation in a run of a program.
pub fn arguments(asked: &SimulatedNetwork, scenario: PathBuf) -> SimulateArguments {
    let SimulatedNetwork { place, keys, threads, ignore_memory, .. } = asked;
    SimulateArguments {
        scenario: Some(scenario),
        place: ResultPlace { output: place.output.clone(), overwrite: place.overwrite },
        keys: ScenarioKeys { seed: keys.seed, overrides: keys.overrides.clone(), time_limit: keys.time_limit.clone() },
        partitions: *threads,
        fluid: false,
        threads: *threads,
        checkpoint: CheckpointArguments {
            checkpoint: None,
            checkpoint_every: None,
            checkpoint_at: Vec::new(),
            resume: None,
        },
        ignore_memory: *ignore_memory,
        captures: Vec::new(),
        timeline: None,
        routes: None,
        live: LiveReport { manager: None, every: philae_workload::Span::default() },
        seeds: None,
    }
}

impl<'r> SimulatedProgram<'r> {
    pub fn new(
        arguments: &'r RunArguments,
        simulated: &'r SimulateArguments,
        asked: &'r Path,
    ) -> Result<Self, CommandFailure> {
        let (observation, input) = (ProgramObservation::new(arguments)?, OnceCell::new());
        Ok(Self { arguments, simulated, asked, observation, input })
    }

    /// What the provider has counted and traced of it.
    pub fn observed(&self) -> Result<Observed, CommandFailure> {
        self.observation.read(self.arguments.processes)
    }

    /// The scenario, with the program in its job.
    pub fn scenario(&self) -> Result<Scenario, CommandFailure> {
        let mut overrides = self.simulated.keys.all();
        let threads = self.simulated.threads.map(|threads| threads.to_string());
        for key in ["run.threads", "run.partitions"] {
            overrides.extend(threads.clone().map(|threads| (key.to_owned(), threads)));
        }
        // A file without jobs is that of a system.
        let has_jobs = |text: String| text.lines().any(|line| line.trim_start().starts_with("[[job]]"));
        let is_scenario = self.asked.is_file() && std::fs::read_to_string(self.asked).is_ok_and(has_jobs);
        let read = if is_scenario && self.arguments.simulation.processes_per_node.is_some() {
            let found = "--processes-per-node is for a SYSTEM; a scenario's job has the key processes_per_node";
            return Err(CommandFailure::input(found));
        } else if is_scenario {
            Scenario::load_with(self.asked, &overrides)
        } else {
            Scenario::parse_with(&self.text(), "the scenario of --simulate", &overrides)
        };
        let mut scenario = read.map_err(|error| input_failure(self.asked, &error))?;
        let command = self.command();
        let programs = scenario.jobs.iter_mut().filter_map(|job| match &mut job.workload {
            WorkloadSpec::RealProgram(program) => Some(program),
            _ => None,
        });
        let mut programs: Vec<&mut RealProgram> = programs.collect();
        let [program] = &mut programs[..] else {
            return Err(CommandFailure::input(format!(
                "'{}' has {} with a workload of kind \"program\"; one would work: [[job]] name = \"app\", nodes = {}, \
                 workload = {{ kind = \"program\" }}",
                self.asked.display(),
                counted(programs.len() as u64, "job"),
                self.arguments.processes
            )));
        };
        (program.command, program.is_attached) = (command, true);
        Ok(scenario)
    }

    /// A scenario with nothing but the program, on the system that was asked for.
    fn text(&self) -> String {
        let per_node = self.arguments.simulation.processes_per_node.unwrap_or(1);
        let string = |text: &str| toml::Value::String(text.to_owned());
        // Results of several programs on one system are different ones.
        let on = self.asked.file_stem().unwrap_or(self.asked.as_os_str()).to_string_lossy();
        let name = string(&format!("{} on {on}", self.name()));
        let system = string(&self.asked.to_string_lossy());
        format!(
            "name = {name}\nsystem = {system}\n[[job]]\nname = \"program\"\nnodes = {}\nprocesses_per_node = {per_node}\n\
             workload = {{ kind = \"program\" }}\n",
            self.arguments.processes.div_ceil(per_node)
        )
    }

    /// The name of the program's file, or of the script that an interpreter runs.
    fn name(&self) -> String {
        let words = self.arguments.program.iter().map(Path::new);
        let names: Vec<_> = words.map(|word| word.file_name().unwrap_or(word.as_os_str()).to_string_lossy()).collect();
        let of_script = names.iter().skip(1).find(|name| !name.starts_with('-'));
        let is_interpreter = ["python", "sh", "bash"].iter().any(|name| names[0].trim_end_matches(VERSION) == *name);
        of_script.filter(|_| is_interpreter).unwrap_or(&names[0]).clone().into_owned()
    }

    /// The program and its arguments, for people.
    fn command(&self) -> String {
        let words = self.arguments.program.iter().map(|word| word.to_string_lossy());
        let mut words: Vec<String> = words.map(std::borrow::Cow::into_owned).collect();
        if let Some(first) = words.first_mut() {
            *first = Path::new(&*first)
                .file_name()
                .map_or_else(|| first.clone(), |name| name.to_string_lossy().into_owned());
        }
        words.join(" ")
    }

    /// Its job, and what the scenario says of it.
    fn job<'s>(&self, resolved: &'s ResolvedScenario) -> (usize, &'s RealProgram) {
        let programs = resolved.jobs.iter().enumerate().filter_map(|(number, job)| match &job.section.workload {
            WorkloadSpec::RealProgram(program) => Some((number, program)),
            _ => None,
        });
        programs.into_iter().next().expect("the scenario has it")
    }

    /// The program's part of the simulation, and what starts its processes. `is_again`: it has run
    /// before, and was observed then.
    pub fn prepare(
        &self,
        resolved: &ResolvedScenario,
        is_again: bool,
    ) -> Result<(JobId, ProgramRun, ProgramParts, LaunchPlan), CommandFailure> {
        let (number, program) = self.job(resolved);
        let job = &resolved.jobs[number];
        let (asked, places) = (self.arguments.processes, job.places.len() as u32);
        if asked != places {
            return Err(CommandFailure::input(self.wrong_number(asked, places, job)));
        }
        let host = &resolved.config.host;
        let nanoseconds = |time: u64| time * PICOSECONDS;
        let compute = match program.computation {
            Computation::None => ComputeTime::None,
            Computation::Fixed => ComputeTime::Fixed(program.time_per_call.0.0),
            // Of nanoseconds, in picoseconds.
            Computation::Processor => ComputeTime::Processor(u64::from(program.processor_percent) * PICOSECONDS / 100),
        };
        // Other paths have no rendezvous.
        let eager = if host.path == HostPath::Messages { resolved.config.nic.eager_max_bytes } else { u32::MAX };
        // A NIC that matches writes to the program's memory.
        let copies = host.path != HostPath::Messages || !resolved.config.nic.match_offload;
        let costs = RankCosts {
            poll: program.poll.0.0,
            receive: nanoseconds(u64::from(host.receive_overhead_ns)),
            copy: PICOSECONDS_PER_1024 / u64::from(host.copy_rate_mbytes),
            copied_max: if copies { u64::from(eager) } else { 0 },
            clock: program.clock.0.0,
            compute,
        };
        let folder = if Path::new("/dev/shm").is_dir() { PathBuf::from("/dev/shm") } else { std::env::temp_dir() };
        let unique = std::time::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos());
        RunFile::remove_stale(&folder, RUN_FILE);
        let path = folder.join(format!("{RUN_FILE}{}-{unique:x}", std::process::id()));
        let file = RunFile::create(&path, asked).map_err(CommandFailure::run)?;
        let nodes = job.places.iter().map(|place| place.node.0).collect();
        let parts =
            ProgramJob { number: JobId::from_index(number), nodes, eager: philae_units::Bytes(u64::from(eager)) };
        let (run, parts) = ProgramRun::new(file, costs, parts);
        let executable = std::env::current_exe()
            .map_err(|error| CommandFailure::run(format!("cannot find this command's own file: {error}")))?;
        let clocks = find_clocks(&executable).map_err(CommandFailure::input)?;
        let simulation = SimulatedRun { file: path, clocks, eager };
        let observation = (!is_again).then_some(&self.observation);
        let mut plan = launch::planned(self.arguments, observation, Some(simulation))?;
        if let Some(input) = self.input.get().filter(|_| is_again) {
            plan.input = Some(input.again().map_err(no_input)?);
        }
        Ok((JobId::from_index(number), run, parts, plan))
    }

    /// Why the job does not have as many ranks as were asked for, and what would work.
    fn wrong_number(&self, asked: u32, places: u32, job: &PlacedJob) -> String {
        let (nodes, per_node) = (job.nodes.len() as u64, job.section.processes_per_node);
        let nodes = counted(nodes, "node");
        if self.arguments.simulation.processes_per_node.is_none() {
            let name = &job.section.name;
            return format!(
                "-n {asked}, but job {name} has {places} ranks ({nodes} times {per_node} processes_per_node); \
                 -n {places} would work"
            );
        }
        let fewer = places - per_node;
        let fewer = if fewer > 0 { format!("-n {fewer} or ") } else { String::new() };
        let divisors: Vec<String> =
            (1..=asked).filter(|number| asked.is_multiple_of(*number)).map(|number| number.to_string()).collect();
        let divisors = divisors.join(", ");
        format!(
            "-n {asked} with --processes-per-node {per_node} does not fill {nodes}, and each node of a job has as many \
             processes; {fewer}-n {places} would work, or -n {asked} with one of these for --processes-per-node: \
             {divisors}"
        )
    }

    /// The first run of two, which shows what the program prints and finds the messages that the
    /// second one follows.
    pub fn first_run(
        &self,
        resolved: &ResolvedScenario,
        shared: &CommonOptions,
        interrupted: &AtomicBool,
    ) -> Result<RunRecord, CommandFailure> {
        let (_, program) = self.job(resolved);
        if program.computation == Computation::Processor {
            return Err(CommandFailure::input(
                "[explain] follows messages in a second run, and with computation = \"processor\" no run is like \
                 another: \"none\" or \"fixed\" would work",
            ));
        }
        let refused = |error: &ScenarioError| input_failure(self.asked, error);
        let (job, run, parts, mut plan) = self.prepare(resolved, false)?;
        let (kept, first) = KeptInput::begin().map_err(no_input)?;
        plan.input = first;
        self.input.get_or_init(|| kept);
        let built = resolved.simulation_with(Some((job.index(), parts.programs)));
        let mut simulation = built.map_err(|error| refused(&error))?;
        simulation.supervise(parts.supervisor).map_err(|error| refused(&ScenarioError::Fabric(error)))?;
        let started = StartedProgram::start(run, plan, output(shared, false), shared, interrupted)?;
        let record = first_run::go(simulation, resolved, self.asked, shared, interrupted);
        let fault = started.run.fault();
        let is_cut = !matches!(&record, Ok(record) if record.status == RunStatus::Completed);
        let code = started.finish(is_cut)?.code;
        let works = "without [explain] the result of this run would be kept";
        match (fault, code) {
            _ if crate::attention::is_stopped(interrupted) => {
                Err(CommandFailure::interrupted(format!("interrupted in the first run of two; {works}")))
            }
            (Some(fault), _) => Err(CommandFailure::run(format!("{fault}; {works}"))),
            (None, code) if !is_cut && code != 0 => {
                Err(CommandFailure::run(format!("the program's exit code is {code}; {works}")))
            }
            (None, _) if is_cut => record,
            (None, _) => {
                shared.note("the program runs a second time, without its output, to explain messages");
                record
            }
        }
    }
}

fn no_input(error: std::io::Error) -> CommandFailure {
    CommandFailure::run(format!(
        "cannot keep standard input for the second run of the program: {error}; with < /dev/null it has none"
    ))
}

/// Where the program's output goes. `is_again`: it has run before and has said it all.
pub fn output(shared: &CommonOptions, is_again: bool) -> OutputTarget {
    match (is_again, shared.json) {
        (true, _) => OutputTarget::Nowhere,
        (false, true) => OutputTarget::Error,
        (false, false) => OutputTarget::Standard,
    }
}

/// What may help where the launcher was a guess.
fn guessed_hint(kind: LauncherKind) -> &'static str {
    match kind {
        LauncherKind::Hydra => {
            "; the program does not show its MPI, and was started with MPICH's mpiexec: if it is Open MPI's, --launcher \
             mpirun would work, with its folder first in PATH"
        }
        LauncherKind::OpenMpi => {
            "; the program does not show its MPI, and was started with Open MPI's mpirun: if it is MPICH's, --launcher \
             hydra would work, with its folder first in PATH"
        }
        LauncherKind::Plain | LauncherKind::Slurm => {
            "; the program does not show its MPI, and was started without a launcher: --launcher hydra (MPICH) or \
             --launcher mpirun (Open MPI) would work, with its folder first in PATH"
        }
    }
}

impl StartedProgram {
    /// Starts the processes, and waits until they want to communicate.
    pub fn start(
        run: ProgramRun,
        plan: LaunchPlan,
        output: OutputTarget,
        shared: &CommonOptions,
        interrupted: &AtomicBool,
    ) -> Result<Self, CommandFailure> {
        let lives = Arc::new(AtomicBool::new(true));
        let sleeps = plan.launcher.kind == LauncherKind::OpenMpi && (1..5).contains(&plan.launcher.major);
        let is_open = plan.linked == Linked::Unknown && plan.launcher.kind != LauncherKind::Slurm;
        let guessed = Some(plan.launcher.kind).filter(|_| is_open);
        let control = Arc::new(RunControl::default());
        let (ends, controlled) = (Arc::clone(&lives), Arc::clone(&control));
        let launcher = std::thread::spawn(move || {
            let ending = philae_launcher::run_until(&plan, output, &controlled).map_err(launch::failed);
            ends.store(false, Ordering::Release);
            ending
        });
        let mut started = Self { run, launcher, lives, control, watcher: None, sleeps, guessed };
        let (began, mut is_told) = (Instant::now(), false);
        let mut look = |missing: u32| {
            if began.elapsed() > SLOW_START && !is_told {
                is_told = true;
                shared.note(&match missing {
                    0 => "the processes have opened their endpoints, and not all have begun to communicate".to_owned(),
                    _ => format!(
                        "{} not opened an endpoint yet",
                        if missing == 1 { "1 process has".to_owned() } else { format!("{missing} processes have") }
                    ),
                });
            }
            if crate::attention::is_stopped(interrupted) {
                started.run.stop();
            }
        };
        match started.run.await_start(&|| started.lives.load(Ordering::Acquire), &mut look) {
            Ok(()) => {
                started.watcher = Some(Watcher::start(started.run.clone(), *shared));
                Ok(started)
            }
            Err(fault) => {
                let guessed = started.guessed.map_or_else(String::new, |kind| guessed_hint(kind).to_owned());
                let code = started.finish(true).map(|ending| ending.code);
                Err(match code {
                    // It has said why itself.
                    Ok(code) if code != 0 => CommandFailure::run(format!("{fault} (exit code {code}){guessed}")),
                    _ => CommandFailure::run(format!("{fault}{guessed}")),
                })
            }
        }
    }

    /// The run.
    pub fn run(&self) -> &ProgramRun {
        &self.run
    }

    /// Waits for the launcher to end, at most this long.
    fn await_end(&self, at_most: Duration) {
        let began = Instant::now();
        while self.lives.load(Ordering::Acquire) && began.elapsed() < at_most {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for the processes to end; `is_cut`: they are asked to.
    pub fn finish(mut self, is_cut: bool) -> Result<ProgramEnding, CommandFailure> {
        if let Some(watcher) = self.watcher.take() {
            watcher.finish();
        }
        if is_cut {
            if let Some(RunFault::Rank(RankFault::Died { .. })) = self.run.fault() {
                // What has started it notes how it ended, if that is not killed before.
                self.await_end(NOTED);
            }
            self.control.is_cut.store(true, Ordering::Release);
            let processes = self.run.processes();
            for (signal, patience) in [(rustix::process::Signal::TERM, GRACE), (rustix::process::Signal::KILL, GRACE)] {
                if !self.lives.load(Ordering::Acquire) {
                    break;
                }
                for process in processes.iter().filter_map(|process| i32::try_from(*process).ok()) {
                    if let Some(process) = rustix::process::Pid::from_raw(process) {
                        // One that has ended needs no signal.
                        let _ = rustix::process::kill_process(process, signal);
                    }
                }
                self.await_end(patience);
            }
            // A launcher that has lost its own processes may wait for them.
            self.control.kills.store(true, Ordering::Release);
        }
        self.launcher.join().unwrap_or_else(|_| Err(CommandFailure::run("the launcher's thread has failed")))
    }
}

/// Says when a rank computes for long: all others wait for it.
struct Watcher {
    ends: mpsc::Sender<()>,
    thread: std::thread::JoinHandle<()>,
}

impl Watcher {
    fn start(run: ProgramRun, shared: CommonOptions) -> Self {
        let (ends, end) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            let mut told: Option<(u32, Instant)> = None;
            let own = std::process::id();
            // Slurm's ranks are no descendants of this process.
            let has_lineage = run.processes().first().is_some_and(|process| is_below(*process, own));
            let (mut happened, mut since) = (0, Instant::now());
            while end.recv_timeout(Duration::from_millis(500)) == Err(mpsc::RecvTimeoutError::Timeout) {
                let first = run.processes().first().copied().unwrap_or(0);
                if has_lineage && first != 0 && is_orphan(first, own) {
                    run.lose_launcher(0);
                }
                let is_new = |rank: &u32| told.is_none_or(|(of, at)| of != *rank || at.elapsed() > TELL_EVERY);
                let computes = run.long_turn();
                let (happenings, outside) = run.outside();
                if happenings != happened || outside.is_none() {
                    (happened, since) = (happenings, Instant::now());
                }
                let outside = outside.filter(|_| since.elapsed() > LONG_OUTSIDE);
                let Some(rank) = computes.or(outside).filter(is_new) else { continue };
                told = Some((rank, Instant::now()));
                let process = run.processes()[rank as usize];
                let what = if computes.is_some() {
                    "computes, and has called neither the network nor a clock for a while; simulated time waits for \
                     it. If it looks at memory until that changes, it never goes on: only calls let simulated time pass"
                } else {
                    "waits outside of the network (for a signal, a file, another process or a lock), and no other \
                     rank can go on; Ctrl-C ends the run"
                };
                shared.note(&format!("rank {rank} (process {process}) {what}"));
            }
        });
        Self { ends, thread }
    }

    /// With its thread ends its part of the run, whose file would be left behind otherwise.
    fn finish(self) {
        drop(self.ends);
        self.thread.join().expect("no panic in it");
    }
}

/// The parent of a process; `None`: it has ended.
fn parent_of(process: u32) -> Option<u32> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in parentheses may have any character; the state and the parent follow.
    let mut words = text.rsplit_once(") ")?.1.split(' ');
    words.next().filter(|state| !["Z", "X"].contains(state))?;
    words.next()?.parse().ok()
}

/// Whether a process was started by another one, through any number of others.
fn is_below(process: u32, ancestor: u32) -> bool {
    let parents = std::iter::successors(Some(process), |process| parent_of(*process).filter(|parent| *parent > 0));
    parents.take(LINEAGE_MAX).any(|process| process == ancestor)
}

/// Whether a process lives, and what has started it for this one does not.
fn is_orphan(process: u32, ancestor: u32) -> bool {
    parent_of(process).is_some() && !is_below(process, ancestor) && parent_of(process).is_some()
}

/// What a program that has ended leaves to say.
pub struct Told {
    ending: ProgramEnding,
    outside: Vec<u32>,
    threads: Vec<u32>,
    in_real_time: Vec<&'static str>,
    dropped: Vec<(u32, u32)>,
    sleeps: bool,
}

impl Told {
    /// Waits for the program's end; `is_cut`: it is asked to end.
    pub fn of(started: StartedProgram, is_cut: bool) -> Result<Self, CommandFailure> {
        let (outside, threads, sleeps) = (started.run.were_outside(), started.run.had_threads(), started.sleeps);
        let (in_real_time, dropped) = (started.run.in_real_time(), started.run.dropped());
        Ok(Self { ending: started.finish(is_cut)?, outside, threads, in_real_time, dropped, sleeps })
    }

    /// Its exit code.
    pub fn code(&self) -> u8 {
        self.ending.code
    }

    /// Why the run has stopped, and the exit code that says so.
    pub fn reason(&self, fault: &RunFault) -> (String, u8) {
        let RunFault::Rank(RankFault::Died { rank, process }) = fault else { return (fault.to_string(), 1) };
        let own = self.ending.processes.iter().find(|(number, _)| number == rank).map(|(_, code)| *code);
        match own {
            Some(0) => {
                let missed = "ended with code 0 in the middle of the run, without MPI_Finalize or shmem_finalize: the \
                              others could not go on and were ended";
                (format!("rank {rank} (process {process}) {missed}"), 1)
            }
            Some(code) => {
                let how = how_it_ended(code);
                let hint = what_helps(code).map_or_else(String::new, |hint| format!(" ({hint})"));
                let who = format!("rank {rank} (process {process})");
                (format!("{who} {how} in the middle of the run{hint}; the others were ended"), code)
            }
            // Of those that were asked to end, the codes say nothing.
            None if self.ending.code != 0 && self.ending.processes.iter().all(|(_, code)| *code == 0) => {
                (format!("{fault}, and the program's exit code is {}", self.ending.code), self.ending.code)
            }
            None => (fault.to_string(), 1),
        }
    }

    /// What the JSON document says of it.
    pub fn json(&self, observed: &Observed) -> serde_json::Value {
        serde_json::json!({
            "exit_code": self.ending.code, "traffic": observed.traffic_json(), "traced": observed.traced(),
        })
    }

    /// Warnings about the result.
    pub fn warnings(&self) -> Vec<String> {
        let about = |ranks: &[u32], what: &str| {
            let who = match ranks {
                [] => return None,
                [one] => format!("rank {one}"),
                [first, ..] => format!("{} ranks, the first of them {first},", ranks.len()),
            };
            Some(format!("{who} {what}: another run may differ"))
        };
        let outside = "waited outside of the provider (for a file, another process or a lock) while others went on";
        let threads = "used the network from several threads, whose order is the machine's";
        let sleeps = self.sleeps.then(|| {
            "Open MPI 4 waits for its process manager by sleeps in simulated time, whose number is the machine's: \
             another run may differ"
                .to_owned()
        });
        let timers = (!self.in_real_time.is_empty()).then(|| {
            let names = self.in_real_time.join(", ");
            format!("the program called {names}: such timers run in real time, and another run may differ")
        });
        let dropped = self.dropped.first().map(|(rank, count)| {
            let operations = counted(u64::from(*count), "operation");
            let others = self.dropped.len() as u64 - 1;
            let others =
                if others > 0 { format!(", and some of {}", counted(others, "other rank")) } else { String::new() };
            format!(
                "{operations} of rank {rank} took no effect{others}: each came from an endpoint that was opened and \
                 closed without a wait in between"
            )
        });
        [about(&self.outside, outside), about(&self.threads, threads), timers, dropped, sleeps]
            .into_iter()
            .flatten()
            .collect()
    }
}
