//! Measures the manager alone: agents are in a process of their own and connect over TLS.

use std::io::Write;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use philae_agent_rpc::{LinkSettings, unix_seconds};
use philae_console::{OutputError, out};
use philae_manager::{Manager, Usage, load};
use philae_manager_core::{ControlSettings, DeviceState};
use philae_units::{PortIndex, SwitchId};
use serde_json::{Value, json};

use philae_manager_api::{Failure, bad_input};

/// Longest wait for anything.
const PATIENCE: Duration = Duration::from_secs(600);

/// The agents' process.
struct Agents {
    child: Child,
    orders: ChildStdin,
}

impl Drop for Agents {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Agents {
    fn start(system: &str, manager: &Manager, folder: &Path, streams: u32) -> Result<Self, Failure> {
        let end = manager.control_loop.agents().expect("the manager was made with agents over the wire");
        let authority = end.authority();
        let token = authority.make_token("x*c*r*b*", 600, unix_seconds()).map_err(bad_input)?;
        let file = folder.join("join.token");
        let text = format!("switches x*c*r*b*\ntoken {token}\n{}", authority.roots());
        std::fs::write(&file, text).map_err(bad_input)?;
        let program = std::env::current_exe().map_err(bad_input)?;
        let mut child = Command::new(program)
            .args(["agent", "--system", system, "--orders", "--manager", &end.address().to_string()])
            .args(["--streams", &streams.to_string()])
            .arg("--join-token-file")
            .arg(&file)
            .arg("--state")
            .arg(folder.join("agent"))
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(bad_input)?;
        let orders = child.stdin.take().expect("it is piped");
        Ok(Self { child, orders })
    }

    fn order(&mut self, order: &str) -> Result<(), Failure> {
        let failed = |error| Failure(1, format!("the agents' process takes no orders: {error}"));
        writeln!(self.orders, "{order}").map_err(failed)
    }
}

/// Runs the manager until a condition holds.
fn until(manager: &mut Manager, what: &str, done: impl Fn(&Manager) -> bool) -> Result<f64, Failure> {
    let began = Instant::now();
    loop {
        let next_ms = manager.control_loop.run();
        if done(manager) {
            return Ok(began.elapsed().as_secs_f64());
        }
        if began.elapsed() > PATIENCE {
            return Err(Failure(1, format!("{what}: not within ten minutes")));
        }
        let next = next_ms.map_or(1_000, |at| at.saturating_sub(manager.control_loop.now_ms()).min(1_000));
        manager.control_loop.wait(Duration::from_millis(next));
    }
}

fn work(manager: &mut Manager, time: Duration) {
    let end = Instant::now() + time;
    while Instant::now() < end {
        let next_ms = manager.control_loop.run();
        let next = next_ms.map_or(1_000, |at| at.saturating_sub(manager.control_loop.now_ms()).min(1_000));
        manager.control_loop.wait(Duration::from_millis(next).min(end.saturating_duration_since(Instant::now())));
    }
}

fn all_synced(manager: &Manager) -> bool {
    let control = &manager.control_loop.control;
    control.rollout().is_none()
        && (0..manager.fabric.switch_count())
            .map(SwitchId::from_index)
            .all(|switch| control.device_state(switch) == DeviceState::Synced)
}

fn spent(before: Usage, after: Usage) -> f64 {
    after.cpu_seconds - before.cpu_seconds
}

fn messages(manager: &Manager) -> u64 {
    manager.control_loop.traffic.messages_in + manager.control_loop.traffic.messages_out
}

/// Closes all streams: from then until all agents have reconnected and are in sync again.
fn storm(manager: &mut Manager) -> Result<Value, Failure> {
    let before = Usage::now();
    let count = manager.fabric.switch_count();
    let end = manager.control_loop.agents().expect("the manager was made with agents over the wire");
    end.close_all("a storm is measured");
    let gone = until(manager, "all agents go", |manager| {
        (0..count)
            .map(SwitchId::from_index)
            .all(|switch| manager.control_loop.control.device_state(switch) != DeviceState::Synced)
            || manager.control_loop.agents().is_some_and(|end| end.connected() < count / 2)
    })?;
    let back = until(manager, "all agents come again", all_synced)?;
    let after = Usage::now();
    Ok(json!({ "wallSeconds": gone + back, "cpuSeconds": spent(before, after), "peakBytes": after.peak_bytes }))
}

/// Global links fail and return, one after the other.
fn reroute(manager: &mut Manager, agents: &mut Agents, losses: usize) -> Result<Value, Failure> {
    for (name, value) in [("hold_down_ms", 0), ("flaps_isolate", 1_000)] {
        manager.control_loop.control.set(name, value).expect("the settings exist");
    }
    let wiring = manager.control_loop.control.wiring().clone();
    let is_global = |port: PortIndex| {
        let (switch, number) = wiring.split(port);
        !wiring.is_grouped() || wiring.global(switch) >> number.0 & 1 == 1
    };
    let links: Vec<PortIndex> = wiring.links().map(|(port, _)| port).filter(|&port| is_global(port)).collect();
    if links.is_empty() {
        return Err(bad_input("this fabric has no links between switches to lose"));
    }
    let (before, said) = (Usage::now(), messages(manager));
    let mut times = Vec::new();
    for step in 0..losses {
        let port = links[step.wrapping_mul(7_919) % links.len()];
        let name = manager.port_name(port);
        for order in ["cut", "mend"] {
            let is_lost = order == "cut";
            let event = Instant::now();
            agents.order(&format!("{order} {name}"))?;
            // Tables follow immediately; the loss of a link between groups without endpoints
            // changes none.
            until(manager, "new tables are taken up", |manager| {
                let control = &manager.control_loop.control;
                let link = control.link_view(manager.control_loop.now_ms(), port);
                link.is_some_and(|link| link.unusable.is_some() == is_lost) && control.rollout().is_none()
            })?;
            times.push(event.elapsed().as_secs_f64());
            // The other end of the link reports it too, and switches report that they are in sync.
            until(manager, "all switches are synchronised", all_synced)?;
        }
    }
    times.sort_by(f64::total_cmp);
    let at = |part: f64| times.get(((times.len() as f64 - 1.0) * part).round() as usize).map_or(0.0, |time| time * 1e3);
    Ok(json!({
        "events": times.len(),
        "cpuSeconds": spent(before, Usage::now()),
        "messages": messages(manager) - said,
        "eventToLastAnswerMs": { "p50": at(0.5), "p99": at(0.99), "most": at(1.0) },
    }))
}

/// Measures and prints.
pub fn measure(system: &str, losses: usize, idle: u64, streams: u32, as_json: bool) -> Result<(), Failure> {
    let scratch = tempfile::Builder::new().prefix("philae-measure-").tempdir();
    let scratch = scratch.map_err(|error| bad_input(format!("a temporary directory: {error}")))?;
    let fabric = load(system).map_err(bad_input)?;
    // Agents and manager share this machine: with few cores, answers take longer than a manager
    // would normally wait.
    let settings = ControlSettings { answer_ms: 20_000, ..ControlSettings::default() };
    let link = LinkSettings::default();
    let address = "127.0.0.1:0".parse().expect("an address");
    let mut manager =
        Manager::connected(fabric, settings, &scratch.path().join("manager"), address, link).map_err(bad_input)?;
    let before = Usage::now();
    let mut agents = Agents::start(system, &manager, scratch.path(), streams)?;
    let up = until(&mut manager, "the fabric comes up", all_synced)?;
    let after_up = Usage::now();
    let up_messages = messages(&manager);
    work(&mut manager, Duration::from_secs(idle));
    let after_idle = Usage::now();
    let storm = storm(&mut manager)?;
    let routes = reroute(&mut manager, &mut agents, losses)?;
    let report = json!({
        "system": manager.fabric.name(),
        "switches": manager.fabric.switch_count(),
        "streamsPerConnection": streams,
        "bringUp": {
            "wallSeconds": up,
            "cpuSeconds": spent(before, after_up),
            "messages": up_messages,
            "peakBytes": after_up.peak_bytes,
        },
        "idle": { "seconds": idle, "cpuSeconds": spent(after_up, after_idle) },
        "storm": storm,
        "reroute": routes,
        "note": "the manager alone; agents are another process on the same machine, over TLS",
    });
    if as_json {
        out!("{report:#}");
        return Ok(());
    }
    print(&report)?;
    Ok(())
}

fn print(report: &Value) -> Result<(), OutputError> {
    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    let part = |what: &str, value: &Value| -> Result<(), OutputError> {
        let (wall, cpu, peak) = (&value["wallSeconds"], &value["cpuSeconds"], &value["peakBytes"]);
        out!(
            "  {what:9} {:.2} s wall, {:.2} s CPU, {:.0} MB of memory at most",
            number(wall),
            number(cpu),
            number(peak) / 1e6
        );
        Ok(())
    };
    out!(
        "{}: {} switches, {} streams a connection",
        report["system"],
        report["switches"],
        report["streamsPerConnection"]
    );
    part("bring-up", &report["bringUp"])?;
    let idle = &report["idle"];
    let percent = 100.0 * number(&idle["cpuSeconds"]) / number(&idle["seconds"]).max(1.0);
    out!("  {:9} {percent:.1} % of a core over {} s", "idle", idle["seconds"]);
    part("storm", &report["storm"])?;
    let (routes, times) = (&report["reroute"], &report["reroute"]["eventToLastAnswerMs"]);
    out!(
        "  {:9} {} events, {:.2} s CPU, {} messages; event to last answer {:.2} ms p50, {:.2} ms p99, {:.2} ms at most",
        "re-route",
        routes["events"],
        number(&routes["cpuSeconds"]),
        routes["messages"],
        number(&times["p50"]),
        number(&times["p99"]),
        number(&times["most"])
    );
    out!("  {}", report["note"].as_str().unwrap_or(""));
    Ok(())
}
