//! Forwarding tables, and the paths that packets may take.

use std::collections::BTreeSet;

use philae_route_tables::{Destination, RoutesFile};
use philae_units::{PortId, PortIndex, SwitchId};
use schemars::JsonSchema;
use serde::Serialize;

use crate::manager::Manager;
use crate::protocol::endpoint::{ApiEndpoint, get};
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::{Content, of};
use crate::resources::{Answer, port_names};
use crate::things::{port_named, switch_named};

/// The endpoints of this resource.
pub const ENDPOINTS: &[ApiEndpoint] = &[
    get(
        "/api/v1/export/routes",
        "The forwarding tables of all switches, as a file for `philae simulate --routes`.",
        &[],
        export_routes,
    )
    .content(Content::File)
    .errors(&[409]),
    get("/api/v1/routes/{name}", "The forwarding table of one switch.", &[], routes)
        .json(of::<SwitchTable>)
        .errors(&[404, 409]),
    get(
        "/api/v1/explain/path",
        "Every path that packets may take between two ports or NICs.",
        &[("from", "port or NIC"), ("to", "port or NIC")],
        path,
    )
    .json(of::<RoutesBetween>)
    .errors(&[404, 409]),
];

/// Where an entry of a forwarding table leads.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "RouteDestination", deny_unknown_fields)]
pub struct To {
    /// A switch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub switch: Option<String>,
    /// A group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<u32>,
    /// Whether the switch has its own entry, in addition to its group's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub apart: Option<bool>,
}

/// An entry of a forwarding table.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "RouteEntry", deny_unknown_fields)]
pub struct EntryView {
    /// Where to.
    pub to: To,
    /// Ports on shortest ways.
    pub ports: Vec<String>,
}

/// The forwarding table of a switch.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SwitchTable {
    /// Which switch.
    pub switch: String,
    /// The number of the tables.
    pub generation: u64,
    /// Of its entries.
    pub hash: String,
    /// Its entries.
    pub entries: Vec<EntryView>,
}

/// A switch on the path, and the ports by which packets may leave it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
#[schemars(rename = "Candidate")]
pub struct RouteCandidate {
    /// The switch, by name.
    pub switch: String,
    /// What other programs call that switch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub switch_label: Option<String>,
    /// Ports.
    pub ports: Vec<String>,
    /// The numbers that stand on the switch beside them, where switches number their ports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port_numbers: Option<Vec<u16>>,
}

/// An end of a way.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct WayEnd {
    /// The port.
    pub port: String,
    /// The number that stands on the switch beside it, where switches number their ports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port_number: Option<u16>,
    /// Its switch.
    pub switch: String,
    /// What other programs call that switch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub switch_label: Option<String>,
}

/// Every way between two ports.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
#[schemars(rename = "Ways")]
pub struct RoutesBetween {
    /// Where they begin.
    pub from: WayEnd,
    /// Where they end.
    pub to: WayEnd,
    /// Whether all of them get there, and the ports at both ends are up.
    pub reached: bool,
    /// Where they end, where they do not get there: the first switch without a way.
    pub ends_at: Option<String>,
    /// Why they do not.
    pub why: Option<String>,
    /// The number of the tables.
    pub generation: u64,
    /// Hop by hop: each switch that a packet may be at.
    pub candidates_by_hop: Vec<Vec<RouteCandidate>>,
}

/// `GET /api/v1/routes/{name}`
pub fn routes(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let switch = switch_named(&manager.fabric, request.capture("name"))?;
    let plan = manager.control_loop.control.plan();
    let plan =
        plan.ok_or_else(|| ApiProblem::conflict("no tables have been published yet; /readyz shows when they are"))?;
    let wiring = plan.wiring();
    let entry = |(destination, mask): (Destination, u64)| {
        let to = match destination {
            Destination::Place(place) => {
                let first = wiring.switches_of(wiring.group_of(switch)).start;
                To { switch: Some(manager.switch_name(SwitchId(first + place))), ..To::default() }
            }
            Destination::Group(group) => To { group: Some(group.0), ..To::default() },
            Destination::Switch(target) => {
                To { switch: Some(manager.switch_name(target)), apart: Some(true), ..To::default() }
            }
        };
        EntryView { to, ports: port_names(manager, switch, mask) }
    };
    Ok(Reply::of(&SwitchTable {
        switch: manager.switch_name(switch),
        generation: plan.generation().0,
        hash: format!("{:016x}", plan.tables().hash_of(switch)),
        entries: plan.tables().entries(switch).map(entry).collect(),
    }))
}

/// `GET /api/v1/export/routes`
pub fn export_routes(manager: &mut Manager, _: &ApiRequest) -> Answer {
    let plan = manager.control_loop.control.plan();
    let plan =
        plan.ok_or_else(|| ApiProblem::conflict("no tables have been published yet; /readyz shows when they are"))?;
    Ok(Reply::Bytes(RoutesFile::write(plan, manager.fabric.name())))
}

/// The port that a name means: its own name, or that of its NIC.
fn place_named(manager: &Manager, request: &ApiRequest, key: &str) -> Result<PortIndex, ApiProblem> {
    let name = request.query.get(key);
    let name = name.ok_or_else(|| ApiProblem::bad_request(format!("the query lacks '{key}': a port or a NIC")))?;
    port_named(&manager.fabric, name)
}

/// `GET /api/v1/explain/path`
pub fn path(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let from = place_named(manager, request, "from")?;
    let to = place_named(manager, request, "to")?;
    let plan = manager.control_loop.control.plan();
    let plan =
        plan.ok_or_else(|| ApiProblem::conflict("no tables have been published yet; /readyz shows when they are"))?;
    let wiring = plan.wiring();
    let (start, end) = (manager.fabric.switch_of(from), manager.fabric.switch_of(to));
    let label = |switch: SwitchId| manager.fabric.switch_system(switch).map(str::to_owned);
    let mut hops = Vec::new();
    let mut at = BTreeSet::from([start]);
    let mut ends_at = None;
    while !at.is_empty() && !at.iter().all(|&switch| switch == end) {
        let mut next = BTreeSet::new();
        let mut candidates = Vec::new();
        for &switch in at.iter().filter(|&&switch| switch != end) {
            let mask = plan.tables().toward(wiring, switch, end);
            if mask == 0 {
                ends_at.get_or_insert(switch);
            }
            let ports = port_names(manager, switch, mask);
            let numbers = (0..64).filter(|port| mask >> port & 1 == 1);
            let numbers = numbers.map(|port| manager.fabric.port_number(wiring.port(switch, PortId(port))));
            candidates.push(RouteCandidate {
                switch: manager.switch_name(switch),
                switch_label: label(switch),
                ports,
                port_numbers: numbers.collect::<Option<Vec<u16>>>().filter(|_| mask != 0),
            });
            for port in (0..64).filter(|port| mask >> port & 1 == 1) {
                let far = wiring.peer(wiring.port(switch, PortId(port))).expect("a candidate has a link");
                next.insert(wiring.split(far).0);
            }
        }
        hops.push(candidates);
        at = next;
    }
    let why = crate::explain::answer::no_way(manager, from, to);
    // If a NIC's own port is down, paths end at its switch.
    let ends_at = ends_at.or_else(|| why.as_ref().map(|_| end));
    let end_of = |port, switch| WayEnd {
        port: manager.port_name(port),
        port_number: manager.fabric.port_number(port),
        switch: manager.switch_name(switch),
        switch_label: label(switch),
    };
    Ok(Reply::of(&RoutesBetween {
        from: end_of(from, start),
        to: end_of(to, end),
        reached: ends_at.is_none(),
        ends_at: ends_at.map(|switch| manager.switch_name(switch)),
        why: why.or_else(|| ends_at.map(|_| "tables are on their way to switches".to_owned())),
        generation: plan.generation().0,
        candidates_by_hop: hops,
    }))
}
