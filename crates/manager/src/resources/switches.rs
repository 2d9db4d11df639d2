//! Switches: state, cause, sections.

use philae_control::DeviceState;
use philae_inventory::Selector;
use philae_units::{PortIndex, SwitchId};
use serde_json::{Value, json};

use super::ports::port_row;
use super::{Answer, switch_named};
use crate::api::{Reply, Request};
use crate::manager::Manager;
use crate::problem::Problem;

fn switch_row(manager: &Manager, now_ms: u64, switch: SwitchId) -> Value {
    let view = manager.plant.control.device(switch);
    json!({
        "name": manager.switch_name(switch),
        "group": manager.fabric.switch(switch).group.0,
        "number": manager.fabric.switch(switch).number,
        "model": view.model,
        "firmware": view.firmware,
        "state": view.state.name(),
        "cause": view.cause.to_string(),
        "forSeconds": now_ms.saturating_sub(view.since_ms) as f64 / 1e3,
    })
}

/// `GET /api/v1/switches`
pub fn switches(manager: &mut Manager, request: &Request) -> Answer {
    let limit = request.number("limit", 1_000, 100_000)?;
    let selector: Option<Selector> = match request.query.get("name") {
        Some(text) => Some(text.parse().map_err(Problem::bad_request)?),
        None => None,
    };
    let state = match request.query.get("state") {
        Some(text) => {
            let known = DeviceState::ALL.into_iter().find(|state| state.name() == text);
            let names: Vec<&str> = DeviceState::ALL.iter().map(|state| state.name()).collect();
            Some(known.ok_or_else(|| {
                Problem::bad_request(format!("there is no state '{text}'; there are: {}", names.join(", ")))
            })?)
        }
        None => None,
    };
    let first = match request.query.get("after") {
        Some(name) => switch_named(manager, name)?.0 + 1,
        None => 0,
    };
    let now_ms = manager.plant.now_ms();
    let wanted = |switch: &SwitchId| {
        let name = manager.fabric.bmc_xname(*switch);
        selector
            .as_ref()
            .is_none_or(|selector| selector.matches(name) || selector.matches(manager.fabric.switch_xname(*switch)))
            && state.is_none_or(|state| manager.plant.control.device_state(*switch) == state)
    };
    let all = (first..manager.fabric.switch_count() as u32).map(SwitchId).filter(wanted);
    let mut page: Vec<SwitchId> = all.take(limit + 1).collect();
    let more = page.len() > limit;
    page.truncate(limit);
    let next = page.last().filter(|_| more).map(|&switch| manager.switch_name(switch));
    let items: Vec<Value> = page.into_iter().map(|switch| switch_row(manager, now_ms, switch)).collect();
    Ok(Reply::Json(json!({ "items": items, "next": next })))
}

/// `GET /api/v1/switches/{name}`
pub fn switch(manager: &mut Manager, request: &Request) -> Answer {
    let switch = switch_named(manager, request.capture("name"))?;
    let now_ms = manager.plant.now_ms();
    let mut row = switch_row(manager, now_ms, switch);
    let view = manager.plant.control.device(switch);
    let section =
        |(section, desired, observed, failures, next): (philae_agent::Section, u64, u64, u32, Option<u64>)| {
            json!({
                "section": section.name(),
                "desiredHash": format!("{desired:016x}"),
                "observedHash": format!("{observed:016x}"),
                "applied": desired == observed,
                "failures": failures,
                "nextTryInSeconds": next.map(|at| at.saturating_sub(now_ms) as f64 / 1e3),
            })
        };
    row["serial"] = json!(view.serial);
    row["heardSecondsAgo"] = json!(now_ms.saturating_sub(view.last_heard_ms) as f64 / 1e3);
    row["sections"] = view.sections.into_iter().map(section).collect();
    let ports = manager.fabric.ports_of(switch).map(PortIndex);
    row["ports"] = ports.map(|port| port_row(manager, port)).collect();
    Ok(Reply::Json(row))
}
