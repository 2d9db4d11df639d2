//! Orders that only simulated switches and cables can carry out.

use philae_agent::UpgradeFault;
use philae_units::is_version;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::manager::Manager;
use crate::protocol::endpoint::{ApiEndpoint, any_json, post};
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::of;
use crate::resources::{Answer, link_named};
use crate::things::{port_named, switch_named};

/// The endpoints of this resource.
pub const ENDPOINTS: &[ApiEndpoint] = &[
    post("/api/v1/simulation/links/{name}/cut", "Cuts a simulated cable.", cut).json(of::<Done>).errors(&[404]),
    post("/api/v1/simulation/links/{name}/mend", "Repairs a simulated cable.", mend).json(of::<Done>).errors(&[404]),
    post("/api/v1/simulation/switches/{name}/off", "Turns a simulated switch off.", power_off)
        .json(of::<Done>)
        .errors(&[404]),
    post("/api/v1/simulation/switches/{name}/on", "Turns a simulated switch on.", power_on)
        .json(of::<Done>)
        .errors(&[404]),
    any_json(
        "POST",
        "/api/v1/simulation/links/{name}/exchange/{other}",
        "Exchanges the cables of two simulated links at these ends; a second call restores them.",
        exchange,
    ),
    any_json(
        "POST",
        "/api/v1/simulation/switches/{name}/firmware/{how}",
        "Sets the behaviour of a simulated switch in upgrades (upgrades, refuses, fails, stays, dies, other, claims), and its version.",
        firmware,
    ),
    any_json(
        "POST",
        "/api/v1/simulation/ports/{name}/pause",
        "Makes the NIC of a simulated edge port block all traffic.",
        pause,
    ),
    any_json(
        "POST",
        "/api/v1/simulation/ports/{name}/unpause",
        "Makes the NIC of a simulated edge port accept traffic again.",
        unpause,
    ),
];

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

pub(super) fn not_simulated() -> ApiProblem {
    ApiProblem::conflict(
        "switches are not simulated in this process; the process of their agents takes such orders: philae agent --orders",
    )
}

fn signal(manager: &mut Manager, request: &ApiRequest, up: bool) -> Answer {
    let port = port_named(&manager.fabric, request.capture("name"))?;
    manager.control_loop.fabric_mut().ok_or_else(not_simulated)?.set_link(port, up);
    done(manager)
}

/// `POST /api/v1/simulation/links/{name}/cut`
pub fn cut(manager: &mut Manager, request: &ApiRequest) -> Answer {
    signal(manager, request, false)
}

/// `POST /api/v1/simulation/links/{name}/mend`
///
/// Undoes what was done to the cable: that it was cut, or exchanged.
pub fn mend(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let port = port_named(&manager.fabric, request.capture("name"))?;
    let fabric = manager.control_loop.fabric_mut().ok_or_else(not_simulated)?;
    if !fabric.is_cut(port) && !fabric.is_exchanged(port) {
        let name = request.capture("name");
        return Err(ApiProblem::conflict(format!(
            "nothing was done to the cable in {name}: it was not cut or exchanged"
        )));
    }
    fabric.put_right(port);
    signal(manager, request, true)
}

/// `POST /api/v1/simulation/links/{name}/exchange/{other}`
pub fn exchange(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let (one, other) = (link_named(manager, request.capture("name"))?, link_named(manager, request.capture("other"))?);
    if one == other || manager.control_loop.control.wiring().peer(one) == Some(other) {
        return Err(ApiProblem::conflict("these are one cable; ends of two cables would work"));
    }
    manager.control_loop.fabric_mut().ok_or_else(not_simulated)?.exchange(one, other);
    done(manager)
}

fn power(manager: &mut Manager, request: &ApiRequest, on: bool) -> Answer {
    let switch = switch_named(&manager.fabric, request.capture("name"))?;
    if !manager.control_loop.set_power(switch, on) {
        return Err(not_simulated());
    }
    done(manager)
}

/// `POST /api/v1/simulation/switches/{name}/off`
pub fn power_off(manager: &mut Manager, request: &ApiRequest) -> Answer {
    power(manager, request, false)
}

/// `POST /api/v1/simulation/switches/{name}/on`
pub fn power_on(manager: &mut Manager, request: &ApiRequest) -> Answer {
    power(manager, request, true)
}

/// How a simulated switch takes upgrades from now on.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[schemars(rename = "SimulatedFirmware")]
pub struct SimulatedFirmware {
    /// What it runs from now on.
    pub firmware: Option<String>,
    /// What version its agent says that it is of.
    pub agent: Option<String>,
    /// Milliseconds that installing takes, at all simulated switches.
    pub install_ms: Option<u64>,
    /// Milliseconds that starting again takes, at all of them.
    pub boot_ms: Option<u64>,
}

/// `POST /api/v1/simulation/switches/{name}/firmware/{how}`
pub fn firmware(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let switch = switch_named(&manager.fabric, request.capture("name"))?;
    let how = request.capture("how");
    let fault = UpgradeFault::ALL.iter().find(|(word, _)| *word == how).map(|(_, fault)| *fault).ok_or_else(|| {
        let known: Vec<&str> = UpgradeFault::ALL.iter().map(|(word, _)| *word).collect();
        ApiProblem::bad_request(format!("'{how}': {} would work", known.join(", ")))
    })?;
    let body: SimulatedFirmware = request.read_or_default()?;
    if let Some(version) = body.firmware.iter().chain(&body.agent).find(|version| !is_version(version)) {
        return Err(ApiProblem::bad_request(format!("'{version}' is not a version; 2.2.0 would work")));
    }
    let fabric = manager.control_loop.fabric_mut().ok_or_else(not_simulated)?;
    fabric.set_upgrade_times(body.install_ms, body.boot_ms);
    let flash = fabric.agent_mut(switch).switch_mut().flash.get_or_insert_default();
    flash.fault = fault;
    let is_said = body.firmware.is_some() || body.agent.is_some();
    if let Some(firmware) = body.firmware {
        flash.firmware = firmware;
    }
    if let Some(agent) = body.agent {
        flash.agent = agent;
    }
    if is_said {
        // It reports this when it connects.
        manager.control_loop.reconnect(switch);
    }
    done(manager)
}

fn pausing(manager: &mut Manager, request: &ApiRequest, pausing: bool) -> Answer {
    let port = port_named(&manager.fabric, request.capture("name"))?;
    if manager.fabric.nic_at(port).is_none() {
        let name = request.capture("name");
        return Err(ApiProblem::conflict(format!(
            "{name} is not an edge port: only edge ports are isolated for pauses"
        )));
    }
    manager.control_loop.fabric_mut().ok_or_else(not_simulated)?.set_pausing(port, pausing);
    done(manager)
}

/// `POST /api/v1/simulation/ports/{name}/pause`
pub fn pause(manager: &mut Manager, request: &ApiRequest) -> Answer {
    pausing(manager, request, true)
}

/// `POST /api/v1/simulation/ports/{name}/unpause`
pub fn unpause(manager: &mut Manager, request: &ApiRequest) -> Answer {
    pausing(manager, request, false)
}
