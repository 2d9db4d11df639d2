//! `philae agent`: runs the agents of switches that a manager controls.

mod identity;
mod orders;
mod stand_in;

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use philae_agent_linux::{LinuxSwitches, OpenError};
use philae_agent_rpc::{Driven, LinkSettings, RunningAgents, matches, run_agents_of};
use philae_console::note;
use philae_manager::{load, simulated_switches, wiring_of};
use philae_manager_api::{Failure, bad_input, usual_state};
use philae_units::SwitchId;

use stand_in::{StandIn, StandInFaults};

/// The kind of switches that the agent controls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Driver {
    /// Simulated switches; one process runs all switches of a fabric, or some of them.
    Simulated,
    /// Switches in software: network namespaces of this machine, named as the switches are, that
    /// route IPv6. Needs root.
    Linux,
}

/// Arguments of `philae agent`.
#[derive(clap::Args, Debug)]
pub struct AgentOptions {
    /// A built-in system, or a file: a system, a fabric template, the output of ibnetdiscover.
    #[arg(long, default_value = "shandy")]
    system: String,
    /// The kind of switches that the agent controls.
    #[arg(long, value_enum, default_value = "simulated")]
    driver: Driver,
    /// Address where the manager listens for agents: HOST:PORT. Repeat it for its standbys: the
    /// agent finds the leader.
    #[arg(long, value_name = "HOST:PORT", value_parser = resolve, required = true)]
    manager: Vec<SocketAddr>,
    /// The file that `philae fabric certificates join` wrote: needed until --state has a
    /// certificate.
    #[arg(long, value_name = "FILE")]
    join_token_file: Option<PathBuf>,
    /// Folder of the certificate; absent: ~/.local/state/philae/agent/SYSTEM.
    #[arg(long, value_name = "DIRECTORY")]
    state: Option<PathBuf>,
    /// Only these switches: a name, or a pattern in which `*` is a number.
    #[arg(long, value_name = "PATTERN", default_value = "x*c*r*b*")]
    switches: String,
    /// Switches that share a connection; 1 is one connection per switch, as with real switches.
    #[arg(long, default_value_t = 1_024, value_parser = philae_console::whole::<u32>(1, 1_024), value_name = "NUMBER")]
    streams: u32,
    /// Reads failures of the simulated fabric from standard input: `cut PORT`, `mend PORT`,
    /// `exchange PORT PORT`, `off SWITCH`, `on SWITCH`, `firmware SWITCH HOW` (upgrades, refuses,
    /// fails, stays, dies, other, claims); the agent ends when the input ends.
    #[arg(long)]
    orders: bool,
    /// With --driver linux: creates the namespaces, the links between them and this number of hosts
    /// at each switch; removes all of them at the end.
    #[arg(long, value_name = "HOSTS", value_parser = philae_console::whole::<usize>(0, usize::MAX as u64))]
    lab: Option<usize>,
    /// With --driver linux: the program that installs firmware. It runs without a shell, with the
    /// name of the switch and the version as arguments. Absent: upgrades are refused.
    #[arg(long, value_name = "PROGRAM")]
    upgrade_command: Option<PathBuf>,
    #[command(flatten)]
    faults: StandInFaults,
}

fn listed(addresses: &[SocketAddr]) -> String {
    addresses.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
}

fn resolve(text: &str) -> Result<SocketAddr, String> {
    let mut found = text.to_socket_addrs().map_err(|error| format!("{error}; such as 127.0.0.1:8001 would work"))?;
    found.next().ok_or_else(|| format!("{text} has no address"))
}

/// Raises the limit of open connections to what the system allows.
pub fn raise_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    // If that fails, connections fail later, with an error.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
}

/// Runs until a signal ends it.
pub fn run(options: AgentOptions) -> Result<(), Failure> {
    raise_limit();
    let fabric = Arc::new(load(&options.system).map_err(bad_input)?);
    if options.driver == Driver::Simulated && options.lab.is_some() {
        return Err(bad_input("--lab creates network namespaces; with --driver linux it would work"));
    }
    if options.driver == Driver::Simulated && options.upgrade_command.is_some() {
        return Err(bad_input("simulated switches install no firmware; --upgrade-command works with --driver linux"));
    }
    let switches: Vec<SwitchId> = (0..fabric.switch_count())
        .map(SwitchId::from_index)
        .filter(|&switch| matches(&options.switches, &fabric.bmc_xname(switch).to_string()))
        .collect();
    if switches.is_empty() {
        let example = fabric.bmc_xname(SwitchId(0));
        return Err(bad_input(format!(
            "no switch of {} has the name {}; {example} would work",
            fabric.name(),
            options.switches
        )));
    }
    let state = match options.state {
        Some(state) => state,
        None => usual_state("agent")?.join(fabric.name()),
    };
    let settings = LinkSettings { streams_per_connection: options.streams, ..LinkSettings::default() };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|error| Failure(1, format!("cannot start threads: {error}")))?;
    runtime.block_on(async {
        let joined = identity::find(&state, options.join_token_file.as_deref(), options.manager[0], settings).await?;
        let count = switches.len();
        let told = format!("{count} switches of {}, manager at {}", fabric.name(), listed(&options.manager));
        match options.driver {
            Driver::Simulated => {
                let all = simulated_switches(&fabric).map_err(bad_input)?;
                let stand_in = StandIn::new(all, switches, options.faults);
                let running = run_agents_of(stand_in, options.manager.clone(), joined, settings);
                note!("{told}");
                let orders = async {
                    if options.orders {
                        orders::obey(&fabric, &running).await;
                    } else {
                        told_to_end().await;
                    }
                };
                tokio::select! {
                    () = misfortunes(&running) => {},
                    () = keep(&running, &state) => {},
                    () = say_troubles(&running, &options.manager) => {},
                    () = orders => {},
                }
            }
            Driver::Linux => {
                let wiring = Arc::new(wiring_of(&fabric).map_err(bad_input)?);
                let opened = LinuxSwitches::open(&fabric, &wiring, &switches, options.lab, &state);
                let mut switches = opened.map_err(not_opened)?;
                switches.upgrade_by(options.upgrade_command.as_ref());
                for (name, address) in switches.hosts() {
                    let _ = philae_console::print(&format!("{name} {address}\n"));
                }
                let running = run_agents_of(switches, options.manager.clone(), joined, settings);
                note!("{told}");
                tokio::select! {
                    () = keep(&running, &state) => {},
                    () = say_troubles(&running, &options.manager) => {},
                    () = told_to_end() => {},
                }
            }
        }
        Ok(())
    })
}

fn not_opened(error: OpenError) -> Failure {
    let code = if matches!(error, OpenError::Control(_)) { 1 } else { 2 };
    Failure(code, error.to_string())
}

/// Causes the failures of simulated switches as they become due.
async fn misfortunes(running: &RunningAgents<StandIn>) {
    loop {
        tokio::time::sleep(Duration::from_millis(100)).await;
        if running.agents().misfortune() {
            running.changed();
        }
    }
}

/// Interval between two lines about the same problem.
///
/// Source: ours. Status: assumed.
const SAID_AGAIN: Duration = Duration::from_secs(60);

/// Logs why no manager accepts these agents: immediately, then once a minute, or when the reason
/// changes.
async fn say_troubles<D: Driven>(running: &RunningAgents<D>, managers: &[SocketAddr]) {
    let mut said: Option<(String, tokio::time::Instant)> = None;
    let mut failed = 0;
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let troubles = running.take_troubles();
        failed += troubles.failed;
        let Some(why) = troubles.why else { continue };
        if said.as_ref().is_some_and(|(known, at)| *known == why && at.elapsed() < SAID_AGAIN) {
            continue;
        }
        note!("no manager at {} accepts these agents, {failed} attempts: {why}; they try again", listed(managers));
        said = Some((why, tokio::time::Instant::now()));
    }
}

/// Stores the certificate whenever it is a new one.
async fn keep<D: Driven>(running: &RunningAgents<D>, state: &Path) {
    let mut kept = running.identity().certificate;
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let now = running.identity();
        if now.certificate != kept && identity::keep(state, &now).is_ok() {
            kept = now.certificate;
        }
    }
}

/// Waits for the signal that ends the agent.
async fn told_to_end() {
    use tokio::signal::unix::{SignalKind, signal};
    // Without handlers, signals end the process immediately.
    let Ok(mut ends) = signal(SignalKind::terminate()) else { return std::future::pending().await };
    tokio::select! { _ = tokio::signal::ctrl_c() => {}, _ = ends.recv() => {} }
}
