//! Running it: signals go on to it, its exit code comes back.

use std::io::{BufRead, BufReader, IsTerminal, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::error::LaunchError;
use crate::plan::Plan;

/// Where the program's standard output goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Where this command's goes.
    Standard,
    /// To standard error: standard output is for a document.
    Error,
}

/// How long the others have to end by themselves when one of several plain processes has failed. Source: ours. Status:
/// assumed.
const GRACE: Duration = Duration::from_secs(2);

/// What happens while it runs.
enum Happening {
    Signal(i32),
    Ended(usize, ExitStatus),
}

/// Runs a plan to its end; the exit code, 128 and its number for a signal that ended it.
///
/// # Errors
/// It cannot be started.
pub fn run(plan: &Plan, output: Output) -> Result<u8, LaunchError> {
    let (events, happenings) = channel();
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).map_err(LaunchError::system("watch for signals"))?;
    let handle = signals.handle();
    let told = events.clone();
    let watcher = std::thread::spawn(move || {
        signals.forever().for_each(|signal| drop(told.send(Happening::Signal(signal))));
    });
    let job = Job::start(plan, output, &events);
    drop(events);
    let code = job.map(|job| job.wait(&happenings));
    handle.close();
    // Its only work is to pass signals on; a panic there is impossible and would change nothing.
    let _ = watcher.join();
    code
}

/// Processes that were started.
struct Job {
    processes: Vec<Pid>,
    /// Their own group, where they have one: on a terminal they stay in ours, which the terminal's signals reach.
    group: Option<Pid>,
    printers: Vec<std::thread::JoinHandle<()>>,
}

impl Job {
    fn start(plan: &Plan, output: Output, events: &Sender<Happening>) -> Result<Self, LaunchError> {
        let has_group = !std::io::stdin().is_terminal();
        let mut job = Self { processes: Vec::new(), group: None, printers: Vec::new() };
        // Nobody is waited for before all are there: the first one's group ends with it.
        let mut children = Vec::new();
        for number in 0..plan.copies {
            let mut command = Command::new(&plan.command[0]);
            command.args(&plan.command[1..]);
            command.envs(plan.variables.iter().map(|(name, value)| (name, value)));
            if plan.launcher.file.as_os_str().is_empty() {
                command.env("PHILAE_RANK", number.to_string()).env("PHILAE_SIZE", plan.copies.to_string());
                if number > 0 {
                    command.stdin(Stdio::null());
                }
            }
            if has_group {
                command.process_group(job.group.map_or(0, |group| group.as_raw_nonzero().get()));
            }
            if plan.has_prefix {
                command.stdout(Stdio::piped()).stderr(Stdio::piped());
            } else if output == Output::Error {
                command.stdout(Stdio::from(std::io::stderr()));
            }
            let child = command.spawn();
            let child = match child {
                Ok(child) => child,
                Err(error) => {
                    job.signal(Signal::TERM);
                    return Err(LaunchError::system(format!("start '{}'", plan.command[0].display()))(error));
                }
            };
            if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
                job.processes.push(pid);
                if has_group && job.group.is_none() {
                    job.group = Some(pid);
                }
            }
            children.push(child);
        }
        for (number, child) in (0..).zip(children) {
            job.follow(child, number, output, events);
        }
        Ok(job)
    }

    /// A process was started: its end will be told, and its lines printed.
    fn follow(&mut self, mut child: Child, number: u32, output: Output, events: &Sender<Happening>) {
        if let Some(lines) = child.stdout.take() {
            let is_error = output == Output::Error;
            self.printers.push(std::thread::spawn(move || print_lines(number, lines, is_error)));
        }
        if let Some(lines) = child.stderr.take() {
            self.printers.push(std::thread::spawn(move || print_lines(number, lines, true)));
        }
        let events = events.clone();
        std::thread::spawn(move || {
            if let Ok(status) = child.wait() {
                let _ = events.send(Happening::Ended(number as usize, status));
            }
        });
    }

    fn signal(&self, signal: Signal) {
        // What has ended needs no signal.
        let _ = match self.group {
            Some(group) => kill_process_group(group, signal),
            None => self.processes.iter().try_for_each(|&process| kill_process(process, signal)),
        };
    }

    fn wait(self, happenings: &Receiver<Happening>) -> u8 {
        let mut left = self.processes.len();
        let mut code = 0;
        let mut is_ending = false;
        let mut is_told = false;
        while left > 0 {
            let next = if is_ending && code != 0 {
                match happenings.recv_timeout(GRACE) {
                    Ok(next) => next,
                    Err(_) => {
                        self.signal(Signal::KILL);
                        is_ending = false;
                        continue;
                    }
                }
            } else {
                let Ok(next) = happenings.recv() else { break };
                next
            };
            match next {
                Happening::Signal(number) => {
                    let signal = match number {
                        SIGINT => Signal::INT,
                        SIGHUP => Signal::HUP,
                        _ => Signal::TERM,
                    };
                    self.signal(signal);
                    is_told = true;
                }
                Happening::Ended(number, status) => {
                    left -= 1;
                    let ended_with = code_of(status);
                    if code == 0 && ended_with != 0 {
                        code = ended_with;
                        if left > 0 && !is_told {
                            eprintln!("philae: process {number} ended with code {code}: the others are ended");
                            self.signal(Signal::TERM);
                            is_ending = true;
                        }
                    }
                }
            }
        }
        for printer in self.printers {
            let _ = printer.join();
        }
        code
    }
}

/// A shell's way to say how a process ended.
fn code_of(status: ExitStatus) -> u8 {
    match (status.code(), status.signal()) {
        (Some(code), _) => u8::try_from(code).unwrap_or(1),
        (None, Some(signal)) => u8::try_from(128 + signal).unwrap_or(1),
        (None, None) => 1,
    }
}

/// Prints a process's lines, each whole, each with its number.
fn print_lines(number: u32, lines: impl Read, is_error: bool) {
    let mut lines = BufReader::new(lines);
    let mut line = format!("[{number}] ").into_bytes();
    let prefix = line.len();
    while lines.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
        if line.last() != Some(&b'\n') {
            line.push(b'\n');
        }
        // Whoever reads may have seen enough: the program runs on.
        let _ = if is_error { std::io::stderr().write_all(&line) } else { std::io::stdout().write_all(&line) };
        line.truncate(prefix);
    }
}
