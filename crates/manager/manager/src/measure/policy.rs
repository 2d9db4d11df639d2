//! Measures the cost of a policy over all ports, from the order to the last acknowledgement.

use std::time::Instant;

use philae_agent::ConfigSection;
use philae_manager::access::Actor;
use philae_manager::api::{ApiRequest, answer};
use philae_manager::{Manager, Usage};
use philae_units::SwitchId;
use serde_json::{Value, json};

use philae_manager_api::Failure;

/// Puts a policy on every port of the fabric, twice, and measures the second: the first one
/// includes work that both share.
pub fn policy(manager: &mut Manager) -> Result<Value, Failure> {
    put(manager, 4_096)?;
    let (before, traffic, began) = (Usage::now(), manager.control_loop.traffic, Instant::now());
    let reply = put(manager, 4_608)?;
    let behind = |manager: &Manager| {
        let switches = (0..manager.fabric.switch_count()).map(SwitchId::from_index);
        switches.filter(|switch| !manager.control_loop.control.section(*switch, ConfigSection::Ports).agrees()).count()
    };
    while behind(manager) > 0 {
        manager.run();
        if began.elapsed().as_secs() > 600 {
            return Err(Failure(1, format!("{} switches have no new policy after ten minutes", behind(manager))));
        }
    }
    let (after, now) = (Usage::now(), manager.control_loop.traffic);
    Ok(json!({
        "ports": reply["blastRadius"]["ports"],
        "switches": reply["blastRadius"]["sentTo"],
        "wallSeconds": began.elapsed().as_secs_f64(),
        "cpuSeconds": after.cpu_seconds - before.cpu_seconds,
        "messages": now.messages_out + now.messages_in - traffic.messages_out - traffic.messages_in,
        "bytes": now.bytes_out + now.bytes_in - traffic.bytes_out - traffic.bytes_in,
        "peakBytes": after.peak_bytes,
        "bytesAfter": after.bytes,
    }))
}

fn put(manager: &mut Manager, mtu_bytes: u16) -> Result<Value, Failure> {
    let request = ApiRequest {
        method: "PUT".to_owned(),
        path: "/api/v1/port-policies/measured".to_owned(),
        actor: Actor::process(),
        body: json!({ "spec": { "selector": "", "priority": 1000, "settings": { "mtuBytes": mtu_bytes } } }),
        ..ApiRequest::default()
    };
    match answer(manager, request) {
        Ok(reply) => Ok(reply.into_value()),
        Err(problem) => Err(Failure(1, problem.detail)),
    }
}
