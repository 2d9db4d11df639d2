//! The traffic of ports.

use philae_agent::{CounterReading, PortCounters};
use philae_manager_core::PortTraffic;
use philae_units::{PortId, PortIndex, SwitchId};
use schemars::JsonSchema;
use serde::Serialize;

use crate::manager::Manager;
use crate::protocol::endpoint::{ApiEndpoint, get, post};
use crate::protocol::list::Total;
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::{any, of};
use philae_inventory::PlannedFabric;

/// The endpoints of this resource.
pub const ENDPOINTS: &[ApiEndpoint] = &[
    get(
        "/api/v1/traffic",
        "Traffic of ports, the busiest first, if their switches report counters.",
        &[("limit", "most items in the answer, 1 to 100000; default 20")],
        traffic,
    )
    .json(of::<Total<PortTrafficView>>),
    post(
        "/api/v1/simulation/counters",
        "Traffic counts for ports of simulated switches; their agents report them.",
        count,
    )
    .body(any)
    .json(of::<crate::resources::simulation::Done>)
    .errors(&[409]),
];

/// What a port carries.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Traffic")]
pub struct TrafficView {
    /// Bytes that it has sent.
    pub sent_bytes: u64,
    /// Packets that it has sent.
    pub sent_packets: u64,
    /// What it sends now, Gb/s.
    pub sent_gbps: Option<f64>,
    /// That, of what its cable could carry.
    pub utilisation_percent: Option<f64>,
    /// The time of its counters, nanoseconds of the switch's clock.
    pub clock_ns: u64,
}

/// A port, and what it carries.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "PortTraffic")]
pub struct PortTrafficView {
    /// What it carries.
    #[serde(flatten)]
    pub traffic: TrafficView,
    /// Its name.
    pub name: String,
    /// edge, local, global or unused.
    pub role: &'static str,
    /// What is planned at the far end.
    pub peer: Option<String>,
}

/// The traffic of a port, and its share of the port's capacity.
pub fn traffic_of(fabric: &PlannedFabric, port: PortIndex, traffic: &PortTraffic) -> TrafficView {
    let rate = fabric.cable(port).map(|cable| f64::from(cable.rate.0) * 1e6);
    TrafficView {
        sent_bytes: traffic.sent_bytes,
        sent_packets: traffic.sent_packets,
        sent_gbps: traffic.sent_bits_per_s.map(|rate| rate / 1e9),
        utilisation_percent: traffic.sent_bits_per_s.zip(rate).map(|(sent, rate)| 100.0 * sent / rate),
        clock_ns: traffic.clock_ns,
    }
}

/// `GET /api/v1/traffic`
pub fn traffic(manager: &mut Manager, request: &ApiRequest) -> Result<Reply, ApiProblem> {
    let limit = request.number("limit", 20, 100_000)?;
    let mut all: Vec<(PortIndex, PortTraffic)> = manager.control_loop.control.all_traffic().collect();
    let rate = |traffic: &PortTraffic| traffic.sent_bits_per_s.unwrap_or(0.0);
    all.sort_by(|(one, a), (other, b)| rate(b).total_cmp(&rate(a)).then(one.cmp(other)));
    let row = |(port, traffic): &(PortIndex, PortTraffic)| {
        let port_row =
            crate::resources::ports::port_row(&manager.fabric, *port, manager.control_loop.control.port(*port));
        let traffic = traffic_of(&manager.fabric, *port, traffic);
        PortTrafficView { traffic, name: port_row.name, role: port_row.role, peer: port_row.peer }
    };
    let items = all.iter().take(limit).map(row).collect();
    Ok(Reply::of(&Total { total: all.len(), items }))
}

/// `POST /api/v1/simulation/counters`: counters of simulated switches' ports, as [port, bytes,
/// packets] by their indices in the fabric. Their agents report them, as real ones do.
pub fn count(manager: &mut Manager, request: &ApiRequest) -> Result<Reply, ApiProblem> {
    let body = &request.body;
    let wiring = manager.control_loop.control.wiring().clone();
    let ours = format!("{:016x}", wiring.hash());
    if body["wiring"] != ours.as_str() {
        let why = format!("these are counters of the wiring {}, {} has {ours}", body["wiring"], manager.fabric.name());
        return Err(ApiProblem::conflict(why));
    }
    let clock_ns = body["clockNs"].as_u64();
    let clock_ns = clock_ns.ok_or_else(|| ApiProblem::bad_request("clockNs: the simulated time in ns would work"))?;
    let ports = body["ports"].as_array();
    let ports = ports.ok_or_else(|| ApiProblem::bad_request("ports: a list of [port, bytes, packets] would work"))?;
    let mut of_switch: std::collections::BTreeMap<SwitchId, Vec<PortCounters>> = std::collections::BTreeMap::new();
    for entry in ports {
        let number = |at: usize| entry[at].as_u64();
        let (Some(port), Some(sent_bytes), Some(sent_packets)) = (number(0), number(1), number(2)) else {
            return Err(ApiProblem::bad_request(format!("{entry}: [port, bytes, packets] would work")));
        };
        if port >= manager.fabric.port_count() as u64 {
            let count = manager.fabric.port_count();
            return Err(ApiProblem::bad_request(format!("there is no port {port}; there are 0 to {}", count - 1)));
        }
        let (switch, PortId(port)) = wiring.split(PortIndex(port as u32));
        of_switch.entry(switch).or_default().push(PortCounters { port: u32::from(port), sent_bytes, sent_packets });
    }
    let fabric = manager.control_loop.fabric_mut().ok_or_else(crate::resources::simulation::not_simulated)?;
    for (switch, ports) in of_switch {
        fabric.count(switch, CounterReading { clock_ns, ports });
    }
    crate::resources::simulation::done(manager)
}
