//! Measures the cost of bring-up, idling and re-routing: the two experiments of the hardware's
//! makers, on a simulated fabric.

pub mod agents;
pub mod load;
mod policy;

use std::time::{Duration, Instant};

use philae_console::out;
use philae_manager::{Manager, Usage};
use philae_manager_core::DeviceState;
use philae_units::{PortIndex, SwitchId};
use serde_json::json;

use philae_manager_api::Failure;

/// The time at a fraction of sorted times, milliseconds.
fn at(times: &[f64], part: f64) -> f64 {
    times.get(((times.len() as f64 - 1.0) * part).round() as usize).copied().unwrap_or(0.0) * 1e3
}

fn all_synced(manager: &Manager) -> bool {
    let switches = (0..manager.fabric.switch_count()).map(SwitchId::from_index);
    switches.clone().all(|switch| manager.control_loop.control.device_state(switch) == DeviceState::Synced)
}

/// Median milliseconds until tables are installed after a switch lost its power, and until the
/// switch has its whole table after it came back.
fn switches_lost(manager: &mut Manager) -> (f64, f64) {
    let count = manager.fabric.switch_count();
    let (mut lost, mut back) = (Vec::new(), Vec::new());
    for step in 0..count.min(20) {
        let switch = SwitchId::from_index(step * 7_919 % count);
        let event = Instant::now();
        manager.control_loop.set_power(switch, false);
        manager.control_loop.run();
        lost.push(event.elapsed().as_secs_f64());
        manager.control_loop.set_power(switch, true);
        // Its agent reconnects after a while, which is no work of the manager.
        std::thread::sleep(Duration::from_millis(150));
        let event = Instant::now();
        while manager.control_loop.control.device_state(switch) != DeviceState::Synced {
            manager.control_loop.run();
        }
        back.push(event.elapsed().as_secs_f64());
    }
    lost.sort_by(f64::total_cmp);
    back.sort_by(f64::total_cmp);
    (at(&lost, 0.5), at(&back, 0.5))
}

/// Measures and prints.
pub fn measure(mut manager: Manager, losses: usize, idle: u64, as_json: bool) -> Result<(), Failure> {
    let (wall, before) = (Instant::now(), Usage::now());
    while !all_synced(&manager) {
        manager.control_loop.run();
        if wall.elapsed() > Duration::from_secs(600) {
            return Err(Failure(1, "the fabric did not come up within ten minutes".to_owned()));
        }
    }
    let up = (wall.elapsed().as_secs_f64(), Usage::now(), manager.control_loop.traffic);
    // Idling: the cost of heartbeats.
    let end = Instant::now() + Duration::from_secs(idle);
    while Instant::now() < end {
        let next_ms = manager.control_loop.run();
        let next = next_ms.map_or(Duration::from_secs(1), |at| {
            Duration::from_millis(at.saturating_sub(manager.control_loop.now_ms()))
        });
        std::thread::sleep(next.min(end.saturating_duration_since(Instant::now())));
    }
    let idled = (Usage::now(), manager.control_loop.traffic);
    // Global links fail and return without pause: no link is held down or isolated.
    for (name, value) in [("hold_down_ms", 0), ("flaps_isolate", 1_000)] {
        manager.control_loop.control.set(name, value).expect("the settings exist");
    }
    let wiring = manager.control_loop.control.wiring().clone();
    let is_global = |port: PortIndex| {
        let (switch, number) = wiring.split(port);
        !wiring.is_grouped() || wiring.global(switch) >> number.0 & 1 == 1
    };
    let all: Vec<PortIndex> = wiring.links().map(|(port, _)| port).collect();
    let global: Vec<PortIndex> = all.iter().copied().filter(|&port| is_global(port)).collect();
    // A fabric of one group has no global links.
    let links = if global.is_empty() { all } else { global };
    let losses = if links.is_empty() { 0 } else { losses };
    let mut times = Vec::new();
    let (mut entries, mut switches, mut unsettled) = (0, 0, 0);
    for step in 0..losses {
        let link = links[step.wrapping_mul(7_919) % links.len()];
        for up in [false, true] {
            let event = Instant::now();
            manager.control_loop.fabric_mut().expect("switches are simulated here").set_link(link, up);
            manager.control_loop.run();
            times.push(event.elapsed().as_secs_f64());
            let published = manager.control_loop.control.published();
            entries += published.entries;
            switches += published.switches;
            unsettled += usize::from(manager.control_loop.control.rollout().is_some());
        }
    }
    let stressed = (Usage::now(), manager.control_loop.traffic);
    let policy = policy::policy(&mut manager)?;
    let power = switches_lost(&mut manager);
    times.sort_by(f64::total_cmp);
    let events = times.len().max(1);
    let routes = json!({
        "events": times.len(),
        "cpuSeconds": stressed.0.cpu_seconds - idled.0.cpu_seconds,
        "messages": stressed.1.messages_out + stressed.1.messages_in - idled.1.messages_out - idled.1.messages_in,
        "bytes": stressed.1.bytes_out + stressed.1.bytes_in - idled.1.bytes_out - idled.1.bytes_in,
        "eventToLastAnswerMs": { "p50": at(&times, 0.5), "p99": at(&times, 0.99), "most": at(&times, 1.0) },
        "entriesPerEvent": entries as f64 / events as f64,
        "switchesPerEvent": switches as f64 / events as f64,
        "notConverged": unsettled,
    });
    let report = json!({
        "system": manager.fabric.name(),
        "switches": manager.fabric.switch_count(),
        "ports": manager.fabric.port_count(),
        "bringUp": {
            "wallSeconds": up.0,
            "cpuSeconds": up.1.cpu_seconds - before.cpu_seconds,
            "messages": up.2.messages_out + up.2.messages_in,
            "bytes": up.2.bytes_out + up.2.bytes_in,
            "peakBytes": up.1.peak_bytes,
        },
        "idle": {
            "seconds": idle,
            "cpuSeconds": idled.0.cpu_seconds - up.1.cpu_seconds,
            "messages": idled.1.messages_out + idled.1.messages_in - up.2.messages_out - up.2.messages_in,
        },
        "reroute": routes,
        "policy": policy,
        "switchLostMs": power.0,
        "switchBackMs": power.1,
        "note": "manager and simulated switches share this process; messages take no time between them",
    });
    if as_json {
        out!("{report:#}");
        return Ok(());
    }
    let number = |value: &serde_json::Value| value.as_f64().unwrap_or(0.0);
    let (b, i, r) = (&report["bringUp"], &report["idle"], &report["reroute"]);
    out!("{}: {} switches, {} ports", manager.fabric.name(), report["switches"], report["ports"]);
    out!(
        "  bring-up  {:.2} s wall, {:.2} s CPU, {} messages, {:.1} MB, {:.0} MB of memory at most",
        number(&b["wallSeconds"]),
        number(&b["cpuSeconds"]),
        b["messages"],
        number(&b["bytes"]) / 1e6,
        number(&b["peakBytes"]) / 1e6
    );
    let idle_percent = 100.0 * number(&i["cpuSeconds"]) / (idle as f64).max(1.0);
    out!("  idle      {idle_percent:.1} % of a core over {idle} s, {} messages", i["messages"]);
    let t = &r["eventToLastAnswerMs"];
    out!(
        "  re-route  {} events, {:.2} s CPU, {} messages, {:.1} kB an event; event to last answer {:.2} ms p50, {:.2} ms p99, {:.2} ms at most",
        r["events"],
        number(&r["cpuSeconds"]),
        r["messages"],
        number(&r["bytes"]) / 1e3 / events as f64,
        number(&t["p50"]),
        number(&t["p99"]),
        number(&t["most"])
    );
    let p = &report["policy"];
    out!(
        "  policy    over {} ports of {} switches: {:.2} s wall, {:.2} s CPU, {} messages, {:.1} MB to the last acknowledgement; \
         {:.0} MB of memory at most since the start",
        p["ports"],
        p["switches"],
        number(&p["wallSeconds"]),
        number(&p["cpuSeconds"]),
        p["messages"],
        number(&p["bytes"]) / 1e6,
        number(&p["peakBytes"]) / 1e6
    );
    out!(
        "  switch    {:.2} ms until tables are taken up after one lost its power, {:.2} ms until it has its own again",
        number(&report["switchLostMs"]),
        number(&report["switchBackMs"])
    );
    out!("  {}", report["note"].as_str().unwrap_or(""));
    if unsettled > 0 {
        return Err(Failure(1, format!("{unsettled} events were not taken up everywhere")));
    }
    Ok(())
}
