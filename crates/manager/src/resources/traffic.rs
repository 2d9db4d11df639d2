//! What ports carry.

use philae_agent::{Counters, PortCounters};
use philae_control::PortTraffic;
use philae_units::{PortId, PortIndex, SwitchId};
use serde_json::{Value, json};

use crate::api::{Reply, Request};
use crate::manager::Manager;
use crate::problem::Problem;

/// What a port carries, and how much of what it could.
pub fn traffic_of(manager: &Manager, port: PortIndex, traffic: &PortTraffic) -> Value {
    let rate = manager.fabric.cable(port).map(|cable| f64::from(cable.rate.0) * 1e6);
    json!({
        "sentBytes": traffic.sent_bytes,
        "sentPackets": traffic.sent_packets,
        "sentGbps": traffic.sent_bits_per_s.map(|rate| rate / 1e9),
        "utilisationPercent": traffic.sent_bits_per_s.zip(rate).map(|(sent, rate)| 100.0 * sent / rate),
        "clockNs": traffic.clock_ns,
    })
}

/// `GET /api/v1/traffic`
pub fn traffic(manager: &mut Manager, request: &Request) -> Result<Reply, Problem> {
    let limit = request.number("limit", 20, 100_000)?;
    let mut all: Vec<(PortIndex, PortTraffic)> = manager.plant.control.all_traffic().collect();
    let rate = |traffic: &PortTraffic| traffic.sent_bits_per_s.unwrap_or(0.0);
    all.sort_by(|(one, a), (other, b)| rate(b).total_cmp(&rate(a)).then(one.cmp(other)));
    let row = |(port, traffic): &(PortIndex, PortTraffic)| {
        let mut row = traffic_of(manager, *port, traffic);
        row["name"] = json!(manager.port_name(*port));
        row["role"] = json!(manager.fabric.port(*port).role.name());
        row["peer"] = super::ports::port_row(manager, *port)["peer"].take();
        row
    };
    let items: Vec<Value> = all.iter().take(limit).map(row).collect();
    Ok(Reply::Json(json!({ "total": all.len(), "items": items })))
}

/// `POST /api/v1/simulation/counters`: what ports of simulated switches have carried, as [port, bytes, packets] by their
/// places in the fabric. Their agents report it, as those of real ones do.
pub fn count(manager: &mut Manager, request: &Request) -> Result<Reply, Problem> {
    let body = &request.body;
    let wiring = manager.plant.control.wiring().clone();
    let ours = format!("{:016x}", wiring.hash());
    if body["wiring"] != ours.as_str() {
        let why = format!("these are counters of the wiring {}, {} has {ours}", body["wiring"], manager.fabric.name());
        return Err(Problem::conflict(why));
    }
    let clock_ns = body["clockNs"].as_u64();
    let clock_ns = clock_ns.ok_or_else(|| Problem::bad_request("clockNs: the simulated time in ns would work"))?;
    let ports = body["ports"].as_array();
    let ports = ports.ok_or_else(|| Problem::bad_request("ports: a list of [port, bytes, packets] would work"))?;
    let mut of_switch: std::collections::BTreeMap<SwitchId, Vec<PortCounters>> = std::collections::BTreeMap::new();
    for entry in ports {
        let number = |at: usize| entry[at].as_u64();
        let (Some(port), Some(sent_bytes), Some(sent_packets)) = (number(0), number(1), number(2)) else {
            return Err(Problem::bad_request(format!("{entry}: [port, bytes, packets] would work")));
        };
        if port >= manager.fabric.port_count() as u64 {
            let count = manager.fabric.port_count();
            return Err(Problem::bad_request(format!("there is no port {port}; there are 0 to {}", count - 1)));
        }
        let (switch, PortId(port)) = wiring.split(PortIndex(port as u32));
        of_switch.entry(switch).or_default().push(PortCounters { port: u32::from(port), sent_bytes, sent_packets });
    }
    let fabric = manager.plant.fabric_mut().ok_or_else(super::simulation::not_simulated)?;
    for (switch, ports) in of_switch {
        fabric.count(switch, Counters { clock_ns, ports });
    }
    super::done(manager)
}
