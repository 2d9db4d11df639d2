//! Two minutes with a manager: a fabric comes up, loses something, heals.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use philae_console::{OutputError, out};
use philae_manager::access::Actor;
use philae_manager::{Manager, api};
use philae_manager_api::status_screen;
use philae_units::{PortIndex, SwitchId};
use serde_json::Value;

use philae_manager_api::Failure;

/// The answer of `GET path`.
fn ask(manager: &mut Manager, path: &str) -> Value {
    let request = api::ApiRequest {
        method: "GET".to_owned(),
        path: path.to_owned(),
        actor: Actor::process(),
        ..api::ApiRequest::default()
    };
    match api::answer(manager, request) {
        Ok(reply) => reply.into_value(),
        Err(problem) => Value::String(problem.detail),
    }
}

fn show(manager: &mut Manager) -> Result<(), OutputError> {
    let (status, alarms) = (ask(manager, "/api/v1/status"), ask(manager, "/api/v1/alarms"));
    out!("{}", status_screen(&status, &alarms, std::io::stdout().is_terminal()));
    Ok(())
}

/// Runs the fabric for a while.
fn work(manager: &mut Manager, time: Duration) {
    let end = Instant::now() + time;
    loop {
        let next_ms = manager.control_loop.run();
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        let next = next_ms.map_or(left, |at| Duration::from_millis(at.saturating_sub(manager.control_loop.now_ms())));
        std::thread::sleep(next.min(left));
    }
}

/// Brings a simulated fabric up, removes a link and a switch and gives them back.
pub fn tour(mut manager: Manager) -> Result<(), Failure> {
    out!(
        "Every switch of {} is switched on; its agent connects and gets the desired configuration.\n",
        manager.fabric.name()
    );
    work(&mut manager, Duration::from_millis(50));
    show(&mut manager)?;
    let wiring = manager.control_loop.control.wiring().clone();
    let global = wiring.links().map(|(port, _)| port).find(|&port| {
        let (switch, number) = wiring.split(port);
        wiring.is_grouped() && wiring.global(switch) >> number.0 & 1 == 1
    });
    let Some(link) = global.or_else(|| wiring.links().next().map(|(port, _)| port)) else {
        return Err(Failure(2, "this fabric has no links between switches for the tour".to_owned()));
    };
    out!("The cable in {} is pulled.\n", manager.fabric.plug_text(link));
    manager.control_loop.fabric_mut().expect("switches are simulated here").set_link(link, false);
    work(&mut manager, Duration::from_millis(50));
    show(&mut manager)?;
    let switch = SwitchId::from_index(manager.fabric.switch_count() - 1);
    out!("Switch {} loses its power.\n", manager.switch_name(switch));
    manager.control_loop.set_power(switch, false);
    work(&mut manager, Duration::from_millis(50));
    show(&mut manager)?;
    out!(
        "Both come back. A link that was lost is held down for a second; the restart of a switch does not count as a fault of its cables.\n"
    );
    manager.control_loop.set_power(switch, true);
    manager.control_loop.fabric_mut().expect("switches are simulated here").set_link(link, true);
    work(&mut manager, Duration::from_millis(2_500));
    show(&mut manager)?;
    let ways = other_end(&manager);
    out!(
        "Next: philae manager serve --system {} --simulated, then: philae fabric explain {} {}",
        manager.fabric.name(),
        ways.0,
        ways.1
    );
    Ok(())
}

/// Names of the first and the last NIC.
fn other_end(manager: &Manager) -> (String, String) {
    let last = manager.fabric.nic_count().saturating_sub(1);
    let name = |nic: usize| manager.fabric.nic_xname(philae_units::EndpointId::from_index(nic)).to_string();
    if manager.fabric.nic_count() == 0 {
        let port = |port: usize| manager.port_name(PortIndex::from_index(port));
        return (port(0), port(manager.fabric.port_count() - 1));
    }
    (name(0), name(last))
}
