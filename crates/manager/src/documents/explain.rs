//! Which document says what a port is to be.

use philae_agent::Section;
use serde_json::json;

use crate::api::{Reply, Request};
use crate::manager::Manager;
use crate::problem::Problem;

/// `GET /api/v1/explain/port/{name}`
pub fn explain_port(manager: &mut Manager, request: &Request) -> Result<Reply, Problem> {
    let name = request.capture("name");
    let port = manager.fabric.port_by_name(name).map_err(Problem::not_found)?;
    let switch = manager.fabric.switch_of(port);
    let now_ms = manager.plant.now_ms();
    let view = manager.plant.control.device(switch);
    let ports = view.sections.iter().find(|found| found.0 == Section::Ports);
    let fields = manager
        .documents
        .composition
        .explain_port(port)
        .into_iter()
        .map(|(pointer, value, origin)| json!({ "field": pointer, "value": value, "from": origin.to_string() }));
    Ok(Reply::Json(json!({
        "port": manager.port_name(port),
        "fields": fields.collect::<Vec<_>>(),
        "applied": ports.is_some_and(|found| found.1 == found.2),
        "switchState": view.state.name(),
        "switchCause": view.cause.to_string(),
        "forSeconds": now_ms.saturating_sub(view.since_ms) as f64 / 1e3,
        "nextTryInSeconds": ports.and_then(|found| found.4).map(|at| at.saturating_sub(now_ms) as f64 / 1e3),
    })))
}
