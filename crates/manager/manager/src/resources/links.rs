//! Links between switches, and those that fail again and again.

use std::collections::BTreeMap;

use philae_inventory::PlannedFabric;
use philae_manager_core::{FlapView, Isolation, LinkView, Unusable};
use philae_units::PortIndex;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, json};

use crate::events::cause_of;
use crate::manager::Manager;
use crate::protocol::endpoint::{
    AFTER, ApiEndpoint, FIELDS, GROUP, LABEL, NAME, PAGE, ROLE, SELECTOR, SORT, TYPE, get,
};
use crate::protocol::list::{List, ListFilter, Listing, Total, word};
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::of;
use crate::resources::{Answer, link_named};
use crate::things::port_named;
use crate::wording::seconds;

/// The endpoints of this resource.
pub const ENDPOINTS: &[ApiEndpoint] = &[
    get(
        "/api/v1/links",
        "Switch-to-switch links.",
        &[NAME, LABEL, GROUP, ROLE, TYPE, ("state", "carrying or not-carrying"), SELECTOR, PAGE, AFTER, FIELDS, SORT],
        links,
    )
    .lines(of::<List<LinkRow>>, of::<LinkRow>)
    .errors(&[404]),
    get("/api/v1/links/{name}", "One link.", &[], link).json(of::<LinkRow>).errors(&[404, 409]),
    get("/api/v1/flaps", "Links that were lost, worst first.", &[PAGE], flaps).json(of::<Total<LinkRow>>),
];

/// How often a link was lost.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Flaps", deny_unknown_fields)]
pub struct FlapRow {
    /// 0 (well) to 6: one for each doubling of its losses in the window.
    pub score: u8,
    /// Losses in the window.
    pub losses: usize,
    /// Seconds since the last one.
    pub last_seconds_ago: Option<f64>,
    /// The reaction: none, held-down, isolated or spared.
    pub isolation: &'static str,
}

/// A link between two switches.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Link", deny_unknown_fields)]
pub struct LinkRow {
    /// Name of its lower port.
    pub name: String,
    /// Names of both ports.
    pub ends: [String; 2],
    /// What other programs call both switches.
    #[serde(skip_serializing_if = "no_label")]
    #[schemars(with = "Option<[Option<String>; 2]>")]
    pub labels: [Option<String>; 2],
    /// The numbers that stand on both switches beside its ports, where switches number them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port_numbers: Option<[u16; 2]>,
    /// Where both ends are plugged: the ports of jacks, or `port 39 of leaf01`.
    pub jacks: [String; 2],
    /// local or global.
    pub role: &'static str,
    /// What it can carry in one direction, Gb/s.
    pub rate_gbps: Option<f64>,
    /// Whether it carries traffic.
    pub carrying: bool,
    /// Why not.
    pub cause: Option<String>,
    /// Since when not.
    pub for_seconds: Option<f64>,
    /// How often it was lost.
    pub flaps: FlapRow,
}

fn no_label(labels: &[Option<String>; 2]) -> bool {
    labels.iter().all(Option::is_none)
}

fn flap_row(now_ms: u64, flaps: &FlapView) -> FlapRow {
    let isolation = match flaps.isolation {
        Isolation::None => "none",
        Isolation::HeldDown { .. } => "held-down",
        Isolation::Isolated => "isolated",
        Isolation::Spared => "spared",
    };
    let last_seconds_ago = flaps.last_ms.map(|at| seconds(now_ms, at));
    FlapRow { score: flaps.score, losses: flaps.losses, last_seconds_ago, isolation }
}

/// The row of a link. `by`: the rollout that drained it, if no operator did.
pub(crate) fn link_row(fabric: &PlannedFabric, now_ms: u64, link: &LinkView, by: Option<&str>) -> LinkRow {
    let name = |port: PortIndex| fabric.link_xname(port).to_string();
    LinkRow {
        name: name(link.ports.0),
        ends: [name(link.ports.0), name(link.ports.1)],
        labels: [link.ports.0, link.ports.1]
            .map(|port| fabric.switch_system(fabric.switch_of(port)).map(str::to_owned)),
        role: fabric.port(link.ports.0).role.name(),
        rate_gbps: fabric.cable(link.ports.0).map(|cable| cable.rate.as_gbps_f64()),
        jacks: [link.ports.0, link.ports.1].map(|port| fabric.plug_text(port)),
        port_numbers: fabric.port_number(link.ports.0).zip(fabric.port_number(link.ports.1)).map(<[u16; 2]>::from),
        carrying: link.unusable.is_none(),
        cause: link.unusable.map(|(why, _)| cause_of(fabric, why, by)),
        for_seconds: link.unusable.map(|(_, since)| seconds(now_ms, since)),
        flaps: flap_row(now_ms, &link.flaps),
    }
}

/// `GET /api/v1/links`
///
/// Few links are not well, and only for those something is copied here.
pub fn links(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let (listing, filter) = (Listing::of(request)?, ListFilter::of(request)?);
    let carrying = word(request, "state", &[("carrying", true), ("not-carrying", false)])?;
    let after = match &listing.after {
        Some(name) if !listing.is_sorted() => Some(port_named(&manager.fabric, name)?),
        _ => None,
    };
    let now_ms = manager.control_loop.now_ms();
    let control = &manager.control_loop.control;
    let down: BTreeMap<PortIndex, (Unusable, u64)> =
        control.unusable_links().map(|(port, why, since)| (port, (why, since))).collect();
    let by: BTreeMap<PortIndex, String> =
        down.keys().filter_map(|&port| Some((port, manager.drained_by_rollout(port)?))).collect();
    let mut flaps: BTreeMap<PortIndex, FlapView> = control.flapping(now_ms).collect();
    let (fabric, set, wiring) = (manager.fabric.clone(), manager.documents.set_shared(), control.wiring().clone());
    Ok(Reply::Read(Box::new(move || {
        let mut rows = Vec::new();
        let most = if listing.is_sorted() { usize::MAX } else { listing.limit.unwrap_or(usize::MAX) };
        for ports in wiring.links() {
            let fits = after.is_none_or(|after| ports.0 > after)
                && carrying.is_none_or(|carrying| carrying != down.contains_key(&ports.0))
                && (filter.fits_port(&fabric, &set, ports.0) || filter.fits_port(&fabric, &set, ports.1));
            if fits {
                let well = FlapView { score: 0, losses: 0, last_ms: None, isolation: Isolation::None };
                let flaps = flaps.remove(&ports.0).unwrap_or(well);
                rows.push(LinkView { ports, unusable: down.get(&ports.0).copied(), flaps });
                if rows.len() > most {
                    break;
                }
            }
        }
        let rows = rows.into_iter().map(move |link| {
            let by = by.get(&link.ports.0).map(String::as_str);
            link_row(&fabric, now_ms, &link, by)
        });
        listing.answer(rows, |row| row.name.clone(), Map::new())
    })))
}

/// `GET /api/v1/links/{name}`
pub fn link(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let port = link_named(manager, request.capture("name"))?;
    let now_ms = manager.control_loop.now_ms();
    let view = manager.control_loop.control.link_view(now_ms, port);
    let by = manager.drained_by_rollout(port);
    let row = view.map(|link| link_row(&manager.fabric, now_ms, &link, by.as_deref()));
    let row = row.expect("it has a link, as was looked at above");
    Ok(Reply::of(&row))
}

/// `GET /api/v1/flaps`
pub fn flaps(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let listing = Listing::of(request)?;
    let now_ms = manager.control_loop.now_ms();
    let control = &manager.control_loop.control;
    let mut found: Vec<(PortIndex, FlapView)> = control.flapping(now_ms).collect();
    found.sort_by_key(|(port, flaps)| (std::cmp::Reverse(flaps.losses), *port));
    let limit = listing.limit.unwrap_or(usize::MAX);
    let views = found.iter().take(limit).filter_map(|(port, _)| control.link_view(now_ms, *port));
    let items: Vec<LinkRow> = views.map(|link| link_row(&manager.fabric, now_ms, &link, None)).collect();
    Ok(Reply::Json(json!({ "total": found.len(), "items": items })))
}
