//! A run that a fabric manager watches: it reports the traffic of ports during the run.
//!
//! The manager's own program transmits the report (`philae fabric feed`), because it has the
//! addresses and the secrets. This module writes lines of JSON to it: first the fabric, then the
//! traffic by port.

use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};

use philae_fabric::{Meter, PortCount};
use philae_route_tables::FabricWiring;
use philae_scenario::ResolvedScenario;
use philae_units::Picoseconds;
use serde_json::json;

use crate::arguments::LiveReport;
use crate::failure::CommandFailure;

/// The most ports in a line; each line is one request to the manager.
///
/// Source: ours. Status: assumed.
const PORTS_A_LINE: usize = 50_000;

/// The program that transmits lines to the manager.
pub struct Carrier(Child, Arc<Mutex<Lines>>);

/// Its input; `None` after it has stopped reading.
struct Lines(Option<BufWriter<ChildStdin>>);

impl Lines {
    /// Writes and flushes lines. Errors are ignored because the reader has gone; the carrier
    /// reports the reason at the end.
    fn write(&mut self, lines: &str) {
        let done =
            self.0.as_mut().is_none_or(|pipe| pipe.write_all(lines.as_bytes()).and_then(|()| pipe.flush()).is_ok());
        if !done {
            self.0 = None;
        }
    }
}

/// Reads the ports at regular times and writes changes.
pub struct LiveMeter {
    every: Picoseconds,
    next: Picoseconds,
    /// Packets of each port at the last report.
    known: Vec<u64>,
    lines: Arc<Mutex<Lines>>,
}

impl Meter for LiveMeter {
    fn next(&self) -> Picoseconds {
        self.next
    }

    fn read(&mut self, now: Picoseconds, ports: &mut dyn Iterator<Item = PortCount>) -> ControlFlow<()> {
        self.next = now + self.every;
        let mut changed = Vec::new();
        for count in ports {
            let known = &mut self.known[count.port.index()];
            if std::mem::replace(known, count.packets) != count.packets {
                changed.push([u64::from(count.port.0), count.bytes, count.packets]);
            }
        }
        let mut text = String::new();
        for ports in changed.chunks(PORTS_A_LINE) {
            text += &json!({ "clockNs": now.0 / 1_000, "ports": ports }).to_string();
            text.push('\n');
        }
        self.lines.lock().expect("no panic with it").write(&text);
        ControlFlow::Continue(())
    }
}

impl Carrier {
    /// Finishes the report and returns its result.
    pub fn finish(mut self) -> Result<String, CommandFailure> {
        self.1.lock().expect("no panic with it").0 = None;
        let ended =
            self.0.wait().map_err(|error| CommandFailure::run(format!("connection to the manager: {error}")))?;
        if !ended.success() {
            return Err(CommandFailure::run("the manager did not receive all counters; the reason stands above"));
        }
        Ok("the manager knows what each port has sent: philae fabric top".to_owned())
    }
}

/// Begins to report a run to a manager, if requested.
pub fn begin(
    arguments: &LiveReport,
    resolved: &ResolvedScenario,
) -> Result<Option<(LiveMeter, Carrier)>, CommandFailure> {
    let Some(manager) = &arguments.manager else { return Ok(None) };
    let every = arguments.every.0;
    if every == Picoseconds::ZERO {
        return Err(CommandFailure::input("--live-every 0: a time would work, such as 10us"));
    }
    let wiring = FabricWiring::of(&resolved.system.topology).map_err(CommandFailure::input)?;
    let feed = || {
        let mut command = Command::new(crate::manager_program::program());
        command.args(["fabric", "feed"]).stdin(Stdio::piped()).stdout(Stdio::null());
        if !manager.is_empty() {
            command.args(["--manager", manager]);
        }
        let child = command.spawn();
        let mut child =
            child.map_err(|error| CommandFailure::input(format!("cannot run the manager's program: {error}")))?;
        let mut lines = Lines(child.stdin.take().map(BufWriter::new));
        lines.write(&format!("{}\n", json!({ "wiring": format!("{:016x}", wiring.hash()) })));
        Ok::<_, CommandFailure>((child, lines))
    };
    // A trial shows a missing manager, or one of another fabric, before the run instead of after
    // it.
    let (mut trial, mut lines) = feed()?;
    lines.write(&format!("{}\n", json!({ "clockNs": 0, "ports": [] })));
    drop(lines);
    let ended = trial.wait().map_err(|error| CommandFailure::input(format!("connection to the manager: {error}")))?;
    if !ended.success() {
        return Err(CommandFailure::input(
            "nothing was run: the manager cannot receive counters; the reason stands above",
        ));
    }
    let (child, lines) = feed()?;
    let lines = Arc::new(Mutex::new(lines));
    let known = vec![0; resolved.system.topology.port_count()];
    let meter = LiveMeter { every, next: Picoseconds::ZERO, known, lines: Arc::clone(&lines) };
    Ok(Some((meter, Carrier(child, lines))))
}
