//! Forwarding tables, and the ways that packets may take.

use std::collections::BTreeSet;

use philae_forwarding::{Destination, RoutesFile};
use philae_units::{PortId, PortIndex, SwitchId};
use serde_json::json;

use super::{Answer, port_named, port_names, switch_named};
use crate::api::{Reply, Request};
use crate::manager::Manager;
use crate::problem::Problem;

/// `GET /api/v1/routes/{name}`
pub fn routes(manager: &mut Manager, request: &Request) -> Answer {
    let switch = switch_named(manager, request.capture("name"))?;
    let plan = manager.plant.control.plan();
    let plan =
        plan.ok_or_else(|| Problem::conflict("no tables have been published yet; /readyz says when they are"))?;
    let wiring = plan.wiring();
    let entry = |(destination, mask): (Destination, u64)| {
        let to = match destination {
            Destination::Place(place) => {
                let first = wiring.switches_of(wiring.group_of(switch)).start;
                json!({ "switch": manager.switch_name(SwitchId(first + place)) })
            }
            Destination::Group(group) => json!({ "group": group.0 }),
            Destination::Switch(target) => json!({ "switch": manager.switch_name(target), "apart": true }),
        };
        json!({ "to": to, "ports": port_names(manager, switch, mask) })
    };
    Ok(Reply::Json(json!({
        "switch": manager.switch_name(switch),
        "generation": plan.generation().0,
        "hash": format!("{:016x}", plan.tables().hash_of(switch)),
        "entries": plan.tables().entries(switch).map(entry).collect::<Vec<_>>(),
    })))
}

/// `GET /api/v1/export/routes`
pub fn export_routes(manager: &mut Manager, _: &Request) -> Answer {
    let plan = manager.plant.control.plan();
    let plan =
        plan.ok_or_else(|| Problem::conflict("no tables have been published yet; /readyz says when they are"))?;
    Ok(Reply::Bytes(RoutesFile::write(plan, manager.fabric.name())))
}

/// The port that a name means: a port's own, or the one that a NIC is attached to.
fn place_named(manager: &Manager, request: &Request, key: &str) -> Result<PortIndex, Problem> {
    let name = request.query.get(key);
    let name = name.ok_or_else(|| Problem::bad_request(format!("the query lacks '{key}': a port or a NIC")))?;
    if let Ok(nic) = manager.fabric.nic_by_name(name) {
        return Ok(manager.fabric.nics()[nic.index()].port);
    }
    port_named(manager, name)
}

/// `GET /api/v1/explain/path`
pub fn path(manager: &mut Manager, request: &Request) -> Answer {
    let from = place_named(manager, request, "from")?;
    let to = place_named(manager, request, "to")?;
    let plan = manager.plant.control.plan();
    let plan =
        plan.ok_or_else(|| Problem::conflict("no tables have been published yet; /readyz says when they are"))?;
    let wiring = plan.wiring();
    let (start, end) = (manager.fabric.switch_of(from), manager.fabric.switch_of(to));
    let mut hops = Vec::new();
    let mut at = BTreeSet::from([start]);
    let mut lost = false;
    while !at.is_empty() && !at.iter().all(|&switch| switch == end) {
        let mut next = BTreeSet::new();
        let mut candidates = Vec::new();
        for &switch in at.iter().filter(|&&switch| switch != end) {
            let mask = plan.tables().toward(wiring, switch, end);
            lost |= mask == 0;
            candidates
                .push(json!({ "switch": manager.switch_name(switch), "ports": port_names(manager, switch, mask) }));
            for port in (0..64).filter(|port| mask >> port & 1 == 1) {
                let far = wiring.peer(wiring.port(switch, PortId(port))).expect("a candidate has a link");
                next.insert(wiring.split(far).0);
            }
        }
        hops.push(json!(candidates));
        at = next;
    }
    Ok(Reply::Json(json!({
        "from": { "port": manager.port_name(from), "switch": manager.switch_name(start) },
        "to": { "port": manager.port_name(to), "switch": manager.switch_name(end) },
        "reached": !lost,
        "generation": plan.generation().0,
        "candidatesByHop": hops,
    })))
}
