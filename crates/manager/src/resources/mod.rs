//! What each endpoint does that shows the fabric or orders something of it.

pub mod links;
pub mod metrics;
pub mod orders;
pub mod ports;
pub mod routes;
pub mod simulation;
pub mod status;
pub mod switches;
pub mod traffic;

use philae_control::Unusable;
use philae_topology::Peer;
use philae_units::{PortId, PortIndex, SwitchId};
use serde_json::json;

use crate::api::Reply;
use crate::manager::Manager;
use crate::problem::Problem;

type Answer = Result<Reply, Problem>;

fn switch_named(manager: &Manager, name: &str) -> Result<SwitchId, Problem> {
    manager.fabric.switch_by_name(name).map_err(Problem::not_found)
}

fn port_named(manager: &Manager, name: &str) -> Result<PortIndex, Problem> {
    manager.fabric.port_by_name(name).map_err(Problem::not_found)
}

fn link_named(manager: &Manager, name: &str) -> Result<PortIndex, Problem> {
    let port = port_named(manager, name)?;
    match manager.fabric.port(port).peer {
        Peer::Port(_) => Ok(port),
        _ => Err(Problem::conflict(format!("{name} has no link to another switch"))),
    }
}

fn done(manager: &mut Manager) -> Answer {
    manager.run();
    Ok(Reply::Json(json!({ "done": true })))
}

fn unusable(manager: &Manager, why: Unusable) -> String {
    match why {
        Unusable::NotHeardOf => "neither of its switches has been heard of".to_owned(),
        Unusable::Down(port, state) => format!("{} is {}", manager.port_name(port), state.name()),
        Unusable::Miscabled(port, Some(found)) => {
            format!("{} leads to {}", manager.port_name(port), manager.port_name(found))
        }
        Unusable::Miscabled(port, None) => format!("{} leads to something unknown", manager.port_name(port)),
        Unusable::HeldDown => "held down after a loss".to_owned(),
        Unusable::Isolated => "isolated after too many losses; release it when the cable is mended".to_owned(),
        Unusable::Drained => "drained by an operator".to_owned(),
    }
}

fn link_text(manager: &Manager, port: PortIndex) -> String {
    let far = manager.plant.control.wiring().peer(port);
    let far = far.map_or_else(|| "?".to_owned(), |far| manager.port_name(far));
    format!("link {} - {far}", manager.port_name(port))
}

fn port_names(manager: &Manager, switch: SwitchId, mask: u64) -> Vec<String> {
    let ports = (0..64).filter(|port| mask >> port & 1 == 1);
    ports.map(|port| manager.port_name(manager.fabric.port_index(switch, PortId(port)))).collect()
}
