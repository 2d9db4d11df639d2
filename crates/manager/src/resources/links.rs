//! Links between switches, and those of them that are lost again and again.

use philae_control::{FlapView, Isolation, LinkView};
use philae_units::PortIndex;
use serde_json::{Value, json};

use super::{Answer, port_named, unusable};
use crate::api::{Reply, Request};
use crate::manager::Manager;
use crate::problem::Problem;

fn flap_row(now_ms: u64, flaps: &FlapView) -> Value {
    let isolation = match flaps.isolation {
        Isolation::None => "none",
        Isolation::HeldDown { .. } => "held-down",
        Isolation::Isolated => "isolated",
        Isolation::Spared => "spared",
    };
    let last = flaps.last_ms.map(|at| now_ms.saturating_sub(at) as f64 / 1e3);
    json!({ "score": flaps.score, "losses": flaps.losses, "lastSecondsAgo": last, "isolation": isolation })
}

pub(super) fn link_row(manager: &Manager, now_ms: u64, link: &LinkView) -> Value {
    json!({
        "name": manager.port_name(link.ports.0),
        "ends": [manager.port_name(link.ports.0), manager.port_name(link.ports.1)],
        "role": manager.fabric.port(link.ports.0).role.name(),
        "carrying": link.unusable.is_none(),
        "cause": link.unusable.map(|(why, _)| unusable(manager, why)),
        "forSeconds": link.unusable.map(|(_, since)| now_ms.saturating_sub(since) as f64 / 1e3),
        "flaps": flap_row(now_ms, &link.flaps),
    })
}

/// `GET /api/v1/links`
pub fn links(manager: &mut Manager, request: &Request) -> Answer {
    let limit = request.number("limit", 1_000, 100_000)?;
    let carrying = match request.query.get("state").map(String::as_str) {
        None => None,
        Some("carrying") => Some(true),
        Some("not-carrying") => Some(false),
        Some(other) => {
            return Err(Problem::bad_request(format!(
                "there is no state '{other}'; there are: carrying, not-carrying"
            )));
        }
    };
    let after = match request.query.get("after") {
        Some(name) => Some(port_named(manager, name)?),
        None => None,
    };
    let now_ms = manager.plant.now_ms();
    let control = &manager.plant.control;
    let all = control.wiring().links().map(|(port, _)| port).filter(|&port| after.is_none_or(|after| port > after));
    let views = all.filter_map(|port| control.link_view(now_ms, port));
    let mut page: Vec<LinkView> = views
        .filter(|link| carrying.is_none_or(|carrying| carrying == link.unusable.is_none()))
        .take(limit + 1)
        .collect();
    let more = page.len() > limit;
    page.truncate(limit);
    let next = page.last().filter(|_| more).map(|link| manager.port_name(link.ports.0));
    let items: Vec<Value> = page.iter().map(|link| link_row(manager, now_ms, link)).collect();
    Ok(Reply::Json(json!({ "items": items, "next": next })))
}

/// `GET /api/v1/flaps`
pub fn flaps(manager: &mut Manager, request: &Request) -> Answer {
    let limit = request.number("limit", 1_000, 100_000)?;
    let now_ms = manager.plant.now_ms();
    let control = &manager.plant.control;
    let mut found: Vec<(PortIndex, FlapView)> = control.flapping(now_ms).collect();
    found.sort_by_key(|(port, flaps)| (std::cmp::Reverse(flaps.losses), *port));
    let views = found.iter().take(limit).filter_map(|(port, _)| control.link_view(now_ms, *port));
    let items: Vec<Value> = views.map(|link| link_row(manager, now_ms, &link)).collect();
    Ok(Reply::Json(json!({ "total": found.len(), "items": items })))
}
