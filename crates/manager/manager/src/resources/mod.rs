//! Handlers of endpoints that show the fabric or give it orders.

pub mod links;
pub mod metrics;
pub mod nics;
pub mod orders;
pub mod ports;
pub mod routes;
pub mod simulation;
pub mod status;
pub mod switches;
pub mod traffic;

use philae_topology::PortPeer;
use philae_units::{PortId, PortIndex, SwitchId};

use crate::manager::Manager;
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::Answer;
use crate::things;

fn link_named(manager: &Manager, name: &str) -> Result<PortIndex, ApiProblem> {
    let port = things::port_named(&manager.fabric, name)?;
    match manager.fabric.port(port).peer {
        PortPeer::Port(_) => Ok(port),
        _ => Err(ApiProblem::conflict(format!("{name} has no link to another switch"))),
    }
}

fn port_names(manager: &Manager, switch: SwitchId, mask: u64) -> Vec<String> {
    let ports = (0..64).filter(|port| mask >> port & 1 == 1);
    ports.map(|port| manager.port_name(manager.fabric.port_index(switch, PortId(port)))).collect()
}
