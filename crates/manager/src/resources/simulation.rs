//! What can be done to simulated switches and cables only.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Answer, port_named, switch_named};
use crate::api::Request;
use crate::manager::Manager;
use crate::reply::Reply;

/// Something was done.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Done {
    /// True.
    pub done: bool,
}

fn done(manager: &mut Manager) -> Answer {
    manager.plant.run();
    Ok(Reply::of(&Done { done: true }))
}

fn signal(manager: &mut Manager, request: &Request, up: bool) -> Answer {
    let port = port_named(manager, request.capture("name"))?;
    manager.plant.fabric.set_link(port, up);
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

fn power(manager: &mut Manager, request: &Request, on: bool) -> Answer {
    let switch = switch_named(manager, request.capture("name"))?;
    manager.plant.set_power(switch, on);
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
