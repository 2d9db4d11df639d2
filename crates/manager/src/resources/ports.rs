//! Ports: role, peer, state.

use philae_topology::Peer;
use philae_units::PortIndex;
use serde_json::{Value, json};

use super::links::link_row;
use super::{Answer, port_named};
use crate::api::{Reply, Request};
use crate::manager::Manager;

pub(super) fn port_row(manager: &Manager, port: PortIndex) -> Value {
    let planned = manager.fabric.port(port);
    let peer = match planned.peer {
        Peer::None => None,
        Peer::Endpoint(nic) => Some(manager.fabric.nic_xname(nic).to_string()),
        Peer::Port(far) => Some(manager.port_name(far)),
    };
    let view = manager.plant.control.port(port);
    json!({
        "name": manager.port_name(port),
        "jack": manager.fabric.connector_port_xname(port).to_string(),
        "number": manager.fabric.number_of(port).0,
        "role": planned.role.name(),
        "peer": peer,
        "state": view.state.name(),
        "losses": view.losses,
    })
}

/// `GET /api/v1/ports/{name}`
pub fn port(manager: &mut Manager, request: &Request) -> Answer {
    let port = port_named(manager, request.capture("name"))?;
    let now_ms = manager.plant.now_ms();
    let mut row = port_row(manager, port);
    row["address"] = match manager.fabric.address(port) {
        Ok(address) => json!({ "nid": address.nid(), "mac": address.mac().to_string() }),
        Err(error) => json!({ "none": error.to_string() }),
    };
    row["traffic"] = match manager.plant.control.port_traffic(port) {
        Some(traffic) => super::traffic::traffic_of(manager, port, &traffic),
        None => Value::Null,
    };
    row["link"] =
        manager.plant.control.link_view(now_ms, port).map_or(Value::Null, |link| link_row(manager, now_ms, &link));
    Ok(Reply::Json(row))
}
