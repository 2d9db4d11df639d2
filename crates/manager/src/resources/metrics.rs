//! Prometheus' text format.

use std::fmt::Write;

use philae_control::DeviceState;

use super::Answer;
use crate::api::Request;
use crate::manager::Manager;
use crate::reply::Reply;

/// `GET /metrics`
pub fn metrics(manager: &mut Manager, request: &Request) -> Answer {
    if !request.query.is_empty() {
        return crate::compat::metrics(manager, request);
    }
    let status = manager.plant.control.status();
    let usage = crate::clock::Usage::now();
    let traffic = manager.plant.traffic;
    let mut out = String::new();
    let mut one = |name: &str, kind: &str, help: &str, values: &[(String, f64)]| {
        let _ = writeln!(out, "# HELP philae_{name} {help}\n# TYPE philae_{name} {kind}");
        for (labels, value) in values {
            let _ = writeln!(out, "philae_{name}{labels} {value}");
        }
    };
    let states: Vec<(String, f64)> = DeviceState::ALL
        .iter()
        .map(|state| (format!("{{state=\"{}\"}}", state.name()), status.switches[*state as usize] as f64))
        .collect();
    one("switches", "gauge", "Switches by state.", &states);
    let single = |value: f64| vec![(String::new(), value)];
    one("links_carrying", "gauge", "Switch-to-switch links that carry traffic.", &single(status.links.1 as f64));
    one("links", "gauge", "Switch-to-switch links.", &single(status.links.0 as f64));
    one("edge_ports_up", "gauge", "Edge ports that are up.", &single(status.edge.1 as f64));
    let indirect = status.indirect_pairs as f64;
    one("group_pairs_without_direct_link", "gauge", "Pairs of groups without a live direct link.", &single(indirect));
    one("routes_generation", "counter", "Forwarding tables published.", &single(status.published.generation as f64));
    let crossed = |to: u64, from: u64| {
        vec![("{to=\"agents\"}".to_owned(), to as f64), ("{to=\"manager\"}".to_owned(), from as f64)]
    };
    one(
        "agent_messages_total",
        "counter",
        "Messages between manager and agents.",
        &crossed(traffic.messages_out, traffic.messages_in),
    );
    one(
        "agent_bytes_total",
        "counter",
        "Bytes between manager and agents.",
        &crossed(traffic.bytes_out, traffic.bytes_in),
    );
    one("process_cpu_seconds_total", "counter", "Processor time of the manager.", &single(usage.cpu_seconds));
    one("process_resident_memory_bytes", "gauge", "Memory of the manager.", &single(usage.bytes as f64));
    Ok(Reply::Text(out))
}
