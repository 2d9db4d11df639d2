//! Runs a plan: passes signals on, and returns the exit code.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, IsTerminal, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::ending;
use crate::error::LaunchError;
use crate::launcher::LauncherKind;
use crate::leftovers;
use crate::place;
use crate::plan::LaunchPlan;
use crate::pmi::{PmiServer, Wish};
use crate::program::Linked;
use crate::record::RecordFile;

/// The destination of the program's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputTarget {
    /// The standard output and the standard error of this command.
    Standard,
    /// Standard error, because standard output is for a document.
    Error,
    /// Nowhere: the program has said it all before.
    Nowhere,
}

/// How long processes have to end by themselves when the job is over. A PE that asked for the end
/// gives itself as long. Source: ours. Status: assumed.
const GRACE: Duration = Duration::from_secs(5);

/// How long the others may continue after a PE has ended with code 0 between `shmem_init` and
/// `shmem_finalize`: they may be about to do the same. Source: ours. Status: assumed.
const MISSED: Duration = Duration::from_secs(2);

/// How long processes that a launcher has killed may take to end. Source: ours. Status: assumed.
const LATE: Duration = Duration::from_millis(100);

/// How often it looks what the caller has decided. Source: ours. Status: assumed.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// An event during the run.
enum Happening {
    Signal(i32),
    Ended(u32, ExitStatus),
    Wish(Wish),
}

/// How a program has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramEnding {
    /// Its exit code, which is 128 and the signal's number if a signal ended it.
    pub code: u8,
    /// The processes of which it is known how they ended, in their order, and the code of each.
    pub processes: Vec<(u32, u8)>,
}

/// Runs a plan to its end and returns the exit code, which is 128 and the signal's number if a
/// signal ended it.
///
/// # Errors
/// It cannot be started.
pub fn run(plan: &LaunchPlan, output: OutputTarget) -> Result<u8, LaunchError> {
    run_until(plan, output, &RunControl::default()).map(|ending| ending.code)
}

/// What the caller of [`run_until`] has decided meanwhile.
#[derive(Debug, Default)]
pub struct RunControl {
    /// It has asked the processes to end, and says why itself.
    pub is_cut: AtomicBool,
    /// What it has not ended itself, a launcher for instance, is killed.
    pub kills: AtomicBool,
}

/// The same, with a say of the caller's while it runs.
///
/// # Errors
/// It cannot be started.
pub fn run_until(plan: &LaunchPlan, output: OutputTarget, control: &RunControl) -> Result<ProgramEnding, LaunchError> {
    if output != OutputTarget::Nowhere {
        plan.warnings.iter().for_each(|warning| philae_console::note!("philae: {warning}"));
    }
    if plan.recorded.is_some() {
        leftovers::remove();
    }
    let (events, happenings) = channel();
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).map_err(LaunchError::system("watch for signals"))?;
    let handle = signals.handle();
    let record = plan.recorded.and_then(|at| Some((RecordFile::new().ok()?, at)));
    let recorded =
        record.as_ref().map(|(record, at)| LaunchPlan { command: record.command(&plan.command, *at), ..plan.clone() });
    let told = events.clone();
    let watcher = std::thread::spawn(move || {
        signals.forever().for_each(|signal| drop(told.send(Happening::Signal(signal))));
    });
    let job = Job::start(recorded.as_ref().unwrap_or(plan), output, &events);
    drop(events);
    let ending = job.map(|job| job.wait(&happenings, control));
    // A launcher may end before the processes that it has killed.
    if !ending.as_ref().is_ok_and(|ending| ending.code == 0) {
        std::thread::sleep(LATE);
    }
    // Endpoints of killed processes leave their shared memory. If the list of it cannot be read, it
    // stays.
    let _ = philae_provider::census::clean();
    let ending = ending.map(|ending| match &record {
        Some((record, _)) => recorded_ending(ending, record.ended(), control.is_cut.load(Ordering::Acquire)),
        None => ending,
    });
    handle.close();
    // The thread only passes signals on; a panic there is impossible and would not matter.
    let _ = watcher.join();
    ending
}

/// What the launcher has not told.
fn recorded_ending(ending: ProgramEnding, processes: Vec<(u32, u8)>, is_cut: bool) -> ProgramEnding {
    let failed = processes.iter().find(|(_, code)| *code != 0).filter(|_| ending.code != 0).copied();
    // A launcher that was told to end has ended its processes; its code has no further information.
    if let Some((rank, code)) = failed.filter(|_| !is_cut) {
        philae_console::note!("philae: process {rank} {}", ending::by_code(code));
        if let Some(hint) = ending::hint_of_code(code) {
            philae_console::note!("philae: {hint}");
        }
    }
    ProgramEnding { code: failed.map_or(ending.code, |(_, code)| code), processes }
}

/// A process started here: a PE, a launcher, or the remote shell of a PE of another host.
struct Process {
    pid: Pid,
    host: Option<String>,
    /// The process number on the other host, if it has been reported.
    there: Option<u32>,
    /// The remote shell's input: its end ends the PE.
    input: Option<ChildStdin>,
}

impl Process {
    /// The process in messages.
    fn describe(&self, number: u32, is_pe: bool) -> String {
        let what = if is_pe { format!("PE {number}") } else { format!("process {number}") };
        match (&self.host, self.there) {
            (None, _) => format!("{what} (process {})", self.pid.as_raw_nonzero()),
            (Some(host), None) => format!("{what} (on {host})"),
            (Some(host), Some(pid)) => format!("{what} (process {pid} on {host})"),
        }
    }
}

/// The processes of a run.
struct Job {
    processes: Vec<Process>,
    /// Whether they are PEs of our SHMEM.
    is_shmem: bool,
    /// Whether the only process is a launcher that returns the bare signal number for a signal.
    has_bare_signals: bool,
    /// Whether each has a process group of its own, with what it starts. On a terminal all stay in
    /// our group, which gets the terminal's signals.
    has_groups: bool,
    printers: Vec<std::thread::JoinHandle<()>>,
    /// The PMI server, if no other launcher provides one.
    server: Option<PmiServer>,
    /// The timer, and its action.
    due: Option<(Instant, Due)>,
}

/// The action of a timer.
#[derive(Clone, Copy, Debug)]
enum Due {
    /// Kill the processes that were asked to end and have not.
    Kill,
    /// A PE left before `shmem_finalize`, and the others still run.
    Missed(u32),
}

impl Job {
    fn start(plan: &LaunchPlan, output: OutputTarget, events: &Sender<Happening>) -> Result<Self, LaunchError> {
        let has_groups = !std::io::stdin().is_terminal();
        let is_shmem = plan.linked == Linked::PhilaeShmem;
        let has_bare_signals = plan.launcher.kind == LauncherKind::Hydra;
        let starter = if plan.launcher.kind == LauncherKind::Plain { Some(Starter::new(plan, events)?) } else { None };
        let server = starter.as_ref().map(|starter| starter.server.clone());
        let (processes, printers) = (Vec::new(), Vec::new());
        let mut job = Self { processes, is_shmem, has_bare_signals, has_groups, printers, server, due: None };
        let mut children = Vec::new();
        for number in 0..plan.copies {
            let host = plan.hosts.get(number as usize).cloned().flatten();
            let started = match &starter {
                None => plain_command(plan).and_then(|command| spawn(command, plan, output, has_groups)),
                Some(starter) => starter.start(plan, number, host.as_deref(), output, has_groups),
            };
            let mut child = match started {
                Ok(child) => child,
                Err(error) => {
                    job.signal(Signal::TERM);
                    return Err(error);
                }
            };
            if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
                let input = if host.is_some() { child.stdin.take() } else { None };
                job.processes.push(Process { pid, host, there: None, input });
            }
            children.push(child);
        }
        for (number, child) in (0..).zip(children) {
            job.follow(child, number, output, events);
        }
        Ok(job)
    }

    /// Follows a process that was started: reports its end and prints its lines.
    fn follow(&mut self, mut child: Child, number: u32, output: OutputTarget, events: &Sender<Happening>) {
        if let Some(lines) = child.stdout.take() {
            let is_error = output == OutputTarget::Error;
            self.printers.push(std::thread::spawn(move || print_lines(number, lines, is_error)));
        }
        if let Some(lines) = child.stderr.take() {
            self.printers.push(std::thread::spawn(move || print_lines(number, lines, true)));
        }
        let events = events.clone();
        std::thread::spawn(move || {
            if let Ok(status) = child.wait() {
                let _ = events.send(Happening::Ended(number, status));
            }
        });
    }

    fn signal(&self, signal: Signal) {
        self.signal_but(None, signal);
    }

    /// Sends a signal to all processes but this one.
    fn signal_but(&self, spared: Option<u32>, signal: Signal) {
        for (_, process) in (0..).zip(&self.processes).filter(|&(number, _)| Some(number) != spared) {
            // A process that has ended needs no signal.
            let _ = match self.has_groups {
                true => kill_process_group(process.pid, signal),
                false => kill_process(process.pid, signal),
            };
        }
    }

    /// Ends all processes. `asked`: the one that asked for it. It is ending by itself already, and
    /// a signal would cut off its output. libpsm, for one, which libfabric loads, sets SIGTERM
    /// back to its default before the C library writes what it has buffered.
    fn end(&mut self, asked: Option<u32>) {
        self.processes.iter_mut().for_each(|process| process.input = None);
        // A process that handles the signal sees that it ends because of another.
        if let Some(server) = &self.server {
            server.hang_up();
        }
        self.signal_but(asked, Signal::TERM);
        self.due = Some((Instant::now() + GRACE, Due::Kill));
    }

    /// The name of a process in messages.
    fn name(&self, number: u32) -> String {
        self.processes.get(number as usize).map(|process| process.describe(number, self.is_shmem)).unwrap_or_default()
    }

    fn wait(mut self, happenings: &Receiver<Happening>, control: &RunControl) -> ProgramEnding {
        let mut left = self.processes.len();
        let mut ended = Vec::new();
        let mut code = None;
        let mut told = None;
        let mut pending = VecDeque::new();
        while left > 0 {
            let next = match self.due {
                _ if !pending.is_empty() => pending.pop_front(),
                None => match happenings.recv_timeout(LOOK_EVERY) {
                    Err(RecvTimeoutError::Timeout) => {
                        if control.kills.load(Ordering::Acquire) {
                            self.signal(Signal::KILL);
                        }
                        continue;
                    }
                    next => next.ok(),
                },
                Some((at, due)) => match happenings.recv_timeout(at.saturating_duration_since(Instant::now())) {
                    Ok(next) => Some(next),
                    Err(RecvTimeoutError::Timeout) => {
                        match due {
                            Due::Kill => {
                                self.signal(Signal::KILL);
                                self.due = None;
                            }
                            Due::Missed(number) => {
                                code = Some(1);
                                let who = self.name(number);
                                philae_console::note!(
                                    "philae: {who} ended with code 0 without shmem_finalize while others continue: \
                                     they are ended"
                                );
                                self.end(None);
                            }
                        }
                        continue;
                    }
                    Err(RecvTimeoutError::Disconnected) => None,
                },
            };
            match next {
                None => break,
                Some(Happening::Signal(number)) => {
                    let signal = match number {
                        SIGINT => Signal::INT,
                        SIGHUP => Signal::HUP,
                        _ => Signal::TERM,
                    };
                    self.signal(signal);
                    told = Some(number);
                }
                Some(Happening::Wish(Wish::Introduced { rank, pid })) => {
                    if let Some(process) = self.processes.get_mut(rank as usize) {
                        process.there = Some(pid);
                    }
                }
                Some(Happening::Wish(Wish::Abort { rank, code: asked })) => {
                    if code.is_none() {
                        code =
                            Some(u8::try_from(asked & 0xff).ok().filter(|&byte| byte != 0 || asked == 0).unwrap_or(1));
                        self.end(Some(rank));
                    }
                }
                Some(Happening::Ended(number, status)) => {
                    if let Some(server) = self.server.as_ref().filter(|_| code.is_none() && !status.success()) {
                        server.hear_out(number);
                        pending.extend(happenings.try_iter());
                        let is_its = |next: &Happening| matches!(next, Happening::Wish(Wish::Abort { rank, .. }) if *rank == number);
                        if let Some(wish) = pending.iter().position(is_its).and_then(|at| pending.remove(at)) {
                            pending.push_front(Happening::Ended(number, status));
                            pending.push_front(wish);
                            continue;
                        }
                    }
                    left -= 1;
                    let ended_with = match (code_of(status), told) {
                        (code, Some(signal)) if self.has_bare_signals && i32::from(code) == signal => code + 128,
                        (code, _) => code,
                    };
                    let is_missed = self.server.as_ref().is_some_and(|server| server.is_running(number));
                    if self.server.is_some() {
                        ended.push((number, ended_with));
                    }
                    if ended_with == 0 && is_missed && code.is_none() && self.due.is_none() && told.is_none() {
                        self.due = Some((Instant::now() + MISSED, Due::Missed(number)));
                    }
                    if code.is_none() && ended_with != 0 {
                        code = Some(ended_with);
                        // The reader of its output has gone, which is no error.
                        if told.is_none() && ended_with != philae_console::READER_GONE {
                            let who = self.processes.get(number as usize);
                            let is_remote = who.is_some_and(|process| process.host.is_some());
                            let signal = signal_of(status, is_remote);
                            let how = how(status, signal);
                            let who = self.name(number);
                            let others = if left > 0 { ": the others are ended" } else { "" };
                            // A launcher, and a program of one process, report their errors
                            // themselves.
                            if self.processes.len() > 1 && !control.is_cut.load(Ordering::Acquire) {
                                philae_console::note!("philae: {who} {how}{others}");
                            }
                            if let Some(hint) = signal.filter(|_| !is_remote).and_then(ending::hint) {
                                philae_console::note!("philae: {hint}");
                            }
                        }
                        if left > 0 && told.is_none() {
                            self.end(None);
                        }
                    }
                }
            }
        }
        for printer in self.printers {
            let _ = printer.join();
        }
        ProgramEnding { code: code.unwrap_or(0), processes: ended }
    }
}

fn plain_command(plan: &LaunchPlan) -> Result<Command, LaunchError> {
    let mut command = Command::new(&plan.command[0]);
    command.args(&plan.command[1..]);
    command.envs(plan.variables.iter().map(|(name, value)| (name, value)));
    if let Some(input) = &plan.input {
        command.stdin(input.try_clone().map_err(LaunchError::system("pass standard input on"))?);
    }
    Ok(command)
}

fn spawn(mut command: Command, plan: &LaunchPlan, output: OutputTarget, has_group: bool) -> Result<Child, LaunchError> {
    if has_group {
        command.process_group(0);
    }
    if output == OutputTarget::Nowhere {
        command.stdout(Stdio::null()).stderr(Stdio::null());
    } else if plan.has_prefix {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
    } else if output == OutputTarget::Error {
        command.stdout(Stdio::from(std::io::stderr()));
    }
    let name = command.get_program().to_string_lossy().into_owned();
    command.spawn().map_err(LaunchError::system(format!("start '{name}'")))
}

/// Starts processes without a launcher, and introduces them to each other.
struct Starter {
    server: PmiServer,
    /// For processes of other hosts: the server's address, and the secret of the job.
    remote: Option<(String, String)>,
    shell: Vec<OsString>,
}

impl Starter {
    fn new(plan: &LaunchPlan, events: &Sender<Happening>) -> Result<Self, LaunchError> {
        let events = events.clone();
        // The receiver of events may have seen the job's end.
        let server = PmiServer::with(plan.copies, move |wish| drop(events.send(Happening::Wish(wish))));
        let mut remote = None;
        if plan.hosts.iter().any(Option::is_some) {
            let mut bytes = [0; 16];
            let random = std::fs::File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes));
            random.map_err(LaunchError::system("make the secret of the job"))?;
            let secret: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            let port = server.listen(&secret).map_err(LaunchError::system("listen for processes of other hosts"))?;
            remote = Some((format!("{}:{port}", place::address(&plan.remote, &plan.hosts)?), secret));
        }
        Ok(Self { server, remote, shell: place::shell(&plan.remote) })
    }

    fn start(
        &self,
        plan: &LaunchPlan,
        number: u32,
        host: Option<&str>,
        output: OutputTarget,
        has_group: bool,
    ) -> Result<Child, LaunchError> {
        let mut own: Vec<(OsString, OsString)> = Vec::new();
        let mut set = |name: &str, value: String| own.push((name.into(), value.into()));
        let (rank, size) = (number.to_string(), plan.copies.to_string());
        for (name, value) in [("PHILAE_RANK", &rank), ("PHILAE_SIZE", &size), ("PMI_RANK", &rank), ("PMI_SIZE", &size)]
        {
            set(name, value.clone());
        }
        let (Some(host), Some((address, secret))) = (host, &self.remote) else {
            let theirs = self.server.connect(number).map_err(LaunchError::system("make a connection to a process"))?;
            let keep = rustix::io::fcntl_setfd(&theirs, rustix::io::FdFlags::empty());
            keep.map_err(|error| LaunchError::system("leave a connection open for a process")(error.into()))?;
            set("PMI_FD", theirs.as_raw_fd().to_string());
            let mut command = plain_command(plan)?;
            // Variables left by another launcher would lead the process to that one.
            for name in ["PMI_PORT", "PMI_ID", "PMIX_NAMESPACE", "PMIX_RANK"] {
                command.env_remove(name);
            }
            command.envs(own);
            if number > 0 {
                command.stdin(Stdio::null());
            }
            return spawn(command, plan, output, has_group);
        };
        for (name, value) in [("PMI_PORT", address), ("PMI_ID", &rank), ("PHILAE_PMI_SECRET", secret)] {
            set(name, value.clone());
        }
        let mut all: Vec<(OsString, OsString)> = place::carried().collect();
        all.extend(plan.variables.iter().map(|(name, value)| (name.into(), value.clone())));
        all.extend(own);
        let folder = std::env::current_dir().map_err(LaunchError::system("find this folder"))?;
        let script = place::script(folder.as_os_str(), &all, &plan.command);
        let mut command = Command::new(&self.shell[0]);
        command.args(&self.shell[1..]).args([host, "/bin/sh", "-s"]).stdin(Stdio::piped());
        let mut child = spawn(command, plan, output, has_group)?;
        if let Some(input) = &mut child.stdin {
            // If the shell has ended by now, it reports the reason itself, and its end is followed.
            let _ = input.write_all(script.as_bytes()).and_then(|()| input.flush());
        }
        Ok(child)
    }
}

/// The signal that ended a process. A shell of another host tells a signal as a code.
fn signal_of(status: ExitStatus, is_remote: bool) -> Option<i32> {
    let told = status.code().filter(|&code| is_remote && code > 128 && code < 128 + 64).map(|code| code - 128);
    status.signal().or(told)
}

/// How a process ended, for people.
fn how(status: ExitStatus, signal: Option<i32>) -> String {
    match (status.code(), signal) {
        (_, Some(number)) => ending::by_signal(number),
        (Some(code), None) => format!("ended with code {code}"),
        (None, None) => "ended without a code".to_owned(),
    }
}

/// The exit code by which a shell reports how a process ended.
fn code_of(status: ExitStatus) -> u8 {
    match (status.code(), status.signal()) {
        (Some(code), _) => u8::try_from(code).unwrap_or(1),
        (None, Some(signal)) => u8::try_from(128 + signal).unwrap_or(1),
        (None, None) => 1,
    }
}

/// Prints a process's lines, each whole and with the process's number.
fn print_lines(number: u32, lines: impl Read, is_error: bool) {
    let mut lines = BufReader::new(lines);
    let mut line = format!("[{number}] ").into_bytes();
    let prefix = line.len();
    while lines.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
        if line.last() != Some(&b'\n') {
            line.push(b'\n');
        }
        let written = if is_error { std::io::stderr().write_all(&line) } else { std::io::stdout().write_all(&line) };
        // If the reader has gone, the program meets the end of its pipe as it would without a
        // prefix.
        if written.is_err() {
            break;
        }
        line.truncate(prefix);
    }
}
