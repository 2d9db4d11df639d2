//! Switches: state, cause, sections.

use philae_agent::ConfigSection;
use philae_inventory::PlannedFabric;
use philae_manager_core::{Cause, DeviceState, DeviceSummary};
use philae_units::{PortIndex, SwitchId};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Map;

use crate::documents::status::{DocumentView, document_of};
use crate::manager::Manager;
use crate::protocol::endpoint::{AFTER, ApiEndpoint, FIELDS, GROUP, LABEL, NAME, PAGE, SELECTOR, SORT, get};
use crate::protocol::list::{List, ListFilter, Listing, word};
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::of;
use crate::resources::Answer;
use crate::resources::ports::{PortRow, port_row};
use crate::things::switch_named;
use crate::wording::seconds;

/// The endpoints of this resource.
pub const ENDPOINTS: &[ApiEndpoint] = &[
    get(
        "/api/v1/switches",
        "Switches with their states.",
        &[NAME, LABEL, GROUP, ("state", "only these, such as degraded"), SELECTOR, PAGE, AFTER, FIELDS, SORT],
        switches,
    )
    .lines(of::<List<SwitchRow>>, of::<SwitchRow>)
    .errors(&[404]),
    get("/api/v1/switches/{name}", "One switch: state, cause, sections, ports.", &[], switch)
        .json(of::<SwitchDetails>)
        .errors(&[404]),
];

/// A switch.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Switch", deny_unknown_fields)]
pub struct SwitchRow {
    /// Name of its controller: `x1000c0r1b0`.
    pub name: String,
    /// What other programs call it: a host name, a description, a GUID.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Its group.
    pub group: u32,
    /// Its number in the group.
    pub number: u16,
    /// Model, as it says.
    pub model: String,
    /// Version of its firmware, as it says.
    pub firmware: String,
    /// The firmware that documents want of it, where they do.
    pub firmware_wanted: Option<String>,
    /// Version of its agent, as that says.
    pub agent: String,
    /// unknown, connected, configuring, synced, degraded, unreachable, quarantined or maintenance.
    pub state: &'static str,
    /// Why it is in that state.
    pub cause: String,
    /// How long it has been in that state, seconds.
    pub for_seconds: f64,
}

/// One section of a switch's configuration.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Section", deny_unknown_fields)]
pub struct SectionRow {
    /// Which part.
    pub section: &'static str,
    /// Hash of the desired configuration.
    pub desired_hash: String,
    /// Hash of the reported configuration.
    pub observed_hash: String,
    /// Whether they are equal.
    pub applied: bool,
    /// Orders that failed, in a row.
    pub failures: u32,
    /// When the next is sent.
    pub next_try_in_seconds: Option<f64>,
}

/// A switch with everything that is known of it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SwitchWithPorts")]
pub struct SwitchDetails {
    /// The switch.
    #[serde(flatten)]
    pub row: SwitchRow,
    /// Serial number, as it says.
    pub serial: String,
    /// How long ago it was heard of.
    pub heard_seconds_ago: f64,
    /// What it is told, part by part.
    pub sections: Vec<SectionRow>,
    /// Its ports.
    pub ports: Vec<PortRow>,
    /// Its own desired state, if there is one.
    pub document: Option<DocumentView>,
}

/// A row's part about firmware: the desired version, the agent's version, and what differs.
struct Firmware {
    wanted: Option<String>,
    agent: String,
    cause: Option<String>,
}

impl Firmware {
    fn of(manager: &Manager, switch: SwitchId) -> Self {
        Self {
            wanted: manager.wanted_firmware(switch).map(str::to_owned),
            agent: manager.control_loop.control.versions(switch).agent.to_owned(),
            cause: manager.firmware_cause(switch),
        }
    }
}

fn switch_row(
    fabric: &PlannedFabric,
    now_ms: u64,
    switch: SwitchId,
    view: &DeviceSummary,
    firmware: Firmware,
) -> SwitchRow {
    // A switch in its desired configuration may still run another version.
    let is_well = matches!(view.cause, Cause::Agrees | Cause::Operator);
    let cause = match (firmware.cause, is_well) {
        (None, _) => view.cause.to_string(),
        (Some(firmware), true) => firmware,
        (Some(firmware), false) => format!("{}; {firmware}", view.cause),
    };
    SwitchRow {
        name: fabric.bmc_xname(switch).to_string(),
        label: fabric.switch_system(switch).map(str::to_owned),
        group: fabric.switch(switch).group.0,
        number: fabric.switch(switch).number,
        model: view.model.clone(),
        firmware: view.firmware.clone(),
        firmware_wanted: firmware.wanted,
        agent: firmware.agent,
        state: view.state.name(),
        cause,
        for_seconds: seconds(now_ms, view.since_ms),
    }
}

/// `GET /api/v1/switches`
pub fn switches(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let (listing, filter) = (Listing::of(request)?, ListFilter::of(request)?);
    let states = DeviceState::ALL.map(|state| (state.name(), state));
    let state = word(request, "state", &states)?;
    let first = match &listing.after {
        Some(name) if !listing.is_sorted() => switch_named(&manager.fabric, name)?.0 + 1,
        _ => 0,
    };
    let now_ms = manager.control_loop.now_ms();
    let most = if listing.is_sorted() { usize::MAX } else { listing.limit.map_or(usize::MAX, |limit| limit + 1) };
    let set = manager.documents.set();
    let views: Vec<(SwitchId, DeviceSummary, Firmware)> = (first..manager.fabric.switch_count() as u32)
        .map(SwitchId)
        .filter(|&switch| state.is_none_or(|state| manager.control_loop.control.device_state(switch) == state))
        .filter(|&switch| filter.fits_switch(&manager.fabric, set, switch))
        .take(most)
        .map(|switch| (switch, manager.control_loop.control.device(switch), Firmware::of(manager, switch)))
        .collect();
    let fabric = manager.fabric.clone();
    Ok(Reply::Read(Box::new(move || {
        let row = move |(switch, view, firmware)| switch_row(&fabric, now_ms, switch, &view, firmware);
        let rows = views.into_iter().map(row);
        listing.answer(rows, |row| row.name.clone(), Map::new())
    })))
}

/// `GET /api/v1/switches/{name}`
pub fn switch(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let switch = switch_named(&manager.fabric, request.capture("name"))?;
    let now_ms = manager.control_loop.now_ms();
    let view = manager.control_loop.control.device(switch);
    let row = switch_row(&manager.fabric, now_ms, switch, &view, Firmware::of(manager, switch));
    let section =
        |(section, desired, observed, failures, next): (ConfigSection, u64, u64, u32, Option<u64>)| SectionRow {
            section: section.name(),
            desired_hash: format!("{desired:016x}"),
            observed_hash: format!("{observed:016x}"),
            applied: desired == observed,
            failures,
            next_try_in_seconds: next.map(|at| seconds(at, now_ms)),
        };
    let ports = manager.fabric.ports_of(switch).map(PortIndex);
    let ports = ports.map(|port| port_row(&manager.fabric, port, manager.control_loop.control.port(port))).collect();
    let document = document_of(manager, philae_policy::DocumentKind::Switch, &row.name);
    Ok(Reply::of(&SwitchDetails {
        serial: view.serial,
        heard_seconds_ago: seconds(now_ms, view.last_heard_ms),
        sections: view.sections.into_iter().map(section).collect(),
        ports,
        document,
        row,
    }))
}
