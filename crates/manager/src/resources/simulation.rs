//! What can be done to simulated switches and cables only.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Answer, link_named, port_named, switch_named};
use crate::api::Request;
use crate::manager::Manager;
use crate::problem::Problem;
use crate::reply::Reply;

/// Something was done.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Done {
    /// True.
    pub done: bool,
}

pub(super) fn done(manager: &mut Manager) -> Answer {
    manager.run();
    Ok(Reply::of(&Done { done: true }))
}

pub(super) fn not_simulated() -> Problem {
    Problem::conflict(
        "switches are not simulated in this process; the one that stands for them takes such orders: philae agent --orders",
    )
}

fn signal(manager: &mut Manager, request: &Request, up: bool) -> Answer {
    let port = port_named(manager, request.capture("name"))?;
    manager.plant.fabric_mut().ok_or_else(not_simulated)?.set_link(port, up);
    done(manager)
}

/// `POST /api/v1/simulation/links/{name}/cut`
pub fn cut(manager: &mut Manager, request: &Request) -> Answer {
    signal(manager, request, false)
}

/// `POST /api/v1/simulation/links/{name}/mend`
pub fn mend(manager: &mut Manager, request: &Request) -> Answer {
    signal(manager, request, true)
}

/// `POST /api/v1/simulation/links/{name}/exchange/{other}`
pub fn exchange(manager: &mut Manager, request: &Request) -> Answer {
    let (one, other) = (link_named(manager, request.capture("name"))?, link_named(manager, request.capture("other"))?);
    if one == other || manager.plant.control.wiring().peer(one) == Some(other) {
        return Err(Problem::conflict("these are one cable; ends of two cables would work"));
    }
    manager.plant.fabric_mut().ok_or_else(not_simulated)?.exchange(one, other);
    done(manager)
}

fn power(manager: &mut Manager, request: &Request, on: bool) -> Answer {
    let switch = switch_named(manager, request.capture("name"))?;
    if !manager.plant.set_power(switch, on) {
        return Err(not_simulated());
    }
    done(manager)
}

/// `POST /api/v1/simulation/switches/{name}/off`
pub fn power_off(manager: &mut Manager, request: &Request) -> Answer {
    power(manager, request, false)
}

/// `POST /api/v1/simulation/switches/{name}/on`
pub fn power_on(manager: &mut Manager, request: &Request) -> Answer {
    power(manager, request, true)
}

fn pausing(manager: &mut Manager, request: &Request, pausing: bool) -> Answer {
    let port = port_named(manager, request.capture("name"))?;
    if manager.fabric.nic_at(port).is_none() {
        let name = request.capture("name");
        return Err(Problem::conflict(format!("{name} is no edge port: only those are isolated for pauses")));
    }
    manager.plant.fabric_mut().ok_or_else(not_simulated)?.set_pausing(port, pausing);
    done(manager)
}

/// `POST /api/v1/simulation/ports/{name}/pause`
pub fn pause(manager: &mut Manager, request: &Request) -> Answer {
    pausing(manager, request, true)
}

/// `POST /api/v1/simulation/ports/{name}/unpause`
pub fn unpause(manager: &mut Manager, request: &Request) -> Answer {
    pausing(manager, request, false)
}
