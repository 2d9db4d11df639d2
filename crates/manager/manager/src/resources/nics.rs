//! NICs: whether they are on the fabric, since when, and why not.

use std::collections::BTreeMap;

use philae_agent::PortState;
use philae_inventory::PlannedFabric;
use philae_manager_core::{DeviceState, NicDown, NicOff};
use philae_units::{EndpointId, PortIndex};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Map;

use crate::manager::Manager;
use crate::protocol::endpoint::{AFTER, ApiEndpoint, FIELDS, GROUP, LABEL, NAME, PAGE, SELECTOR, SORT, get};
use crate::protocol::list::{List, ListFilter, Listing, word};
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::of;
use crate::resources::Answer;
use crate::things::unknown;
use crate::wording::seconds;

/// The endpoints of this resource.
pub const ENDPOINTS: &[ApiEndpoint] = &[get(
    "/api/v1/nics",
    "NICs: on the fabric or off it, with time and cause.",
    &[NAME, LABEL, GROUP, ("state", "only these: up, off, planned-off, unknown"), SELECTOR, PAGE, AFTER, FIELDS, SORT],
    nics,
)
.lines(of::<List<NicRow>>, of::<NicRow>)
.errors(&[404])];

/// A NIC.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Nic", deny_unknown_fields)]
pub struct NicRow {
    /// Its name.
    pub name: String,
    /// Its label, or that of its node: a host name with a device, a description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Its node.
    pub node: String,
    /// The edge port that it is attached to.
    pub port: String,
    /// Where that is plugged: the port of a jack, or `port 39 of leaf01`.
    pub jack: String,
    /// The number that stands on the switch beside the port, where switches number their ports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port_number: Option<u16>,
    /// What its link can carry in one direction, Gb/s.
    pub rate_gbps: Option<f64>,
    /// Its switch.
    pub switch: String,
    /// What other programs call the switch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub switch_label: Option<String>,
    /// up, off, planned-off (off on purpose), or unknown (its switch does not answer and forwards
    /// by its last tables).
    pub state: &'static str,
    /// Why it is not up.
    pub cause: Option<String>,
    /// For how long it is off.
    pub for_seconds: Option<f64>,
}

/// Why a NIC is off, in words.
pub(crate) fn why_off(fabric: &PlannedFabric, nic: &NicDown) -> String {
    let switch = fabric.switch_text(fabric.switch_of(nic.port));
    match nic.why {
        NicOff::Port(PortState::Absent) => "no cable is plugged in".to_owned(),
        NicOff::Port(PortState::Down) => "no signal".to_owned(),
        NicOff::Port(PortState::Disabled) => "its port is switched off by documents".to_owned(),
        NicOff::Port(PortState::PausedTooLong) => "its port is isolated: it blocked traffic for too long".to_owned(),
        NicOff::Port(state) => format!("its port is {}", state.name()),
        NicOff::Dead => format!("switch {switch} is dead"),
        NicOff::SetApart => format!("all links of switch {switch} are out of service"),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Up,
    Off,
    PlannedOff,
    Unknown,
}

impl State {
    const ALL: [(&'static str, Self); 4] =
        [("up", Self::Up), ("off", Self::Off), ("planned-off", Self::PlannedOff), ("unknown", Self::Unknown)];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, state)| *state == self).map_or("unknown", |(word, _)| *word)
    }
}

/// `GET /api/v1/nics`
pub fn nics(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let (listing, filter) = (Listing::of(request)?, ListFilter::of(request)?);
    let wanted = word(request, "state", &State::ALL)?;
    let first = match &listing.after {
        Some(name) if !listing.is_sorted() => manager.fabric.nic_by_name(name).map_err(unknown)?.index() + 1,
        _ => 0,
    };
    let control = &manager.control_loop.control;
    let now_ms = manager.control_loop.now_ms();
    let mut off = control.nics_off(&control.reach());
    manager.unplan_nics(&mut off);
    let off: BTreeMap<PortIndex, NicDown> = off.into_iter().map(|nic| (nic.port, nic)).collect();
    let states: Vec<State> = (first..manager.fabric.nic_count())
        .map(|nic| {
            let port = manager.fabric.nics()[nic].port;
            let heard = !matches!(
                control.device_state(manager.fabric.switch_of(port)),
                DeviceState::Unknown | DeviceState::Unreachable
            );
            match off.get(&port) {
                Some(nic) if nic.is_planned => State::PlannedOff,
                Some(_) => State::Off,
                None if heard => State::Up,
                None => State::Unknown,
            }
        })
        .collect();
    let (fabric, set) = (manager.fabric.clone(), manager.documents.set_shared());
    Ok(Reply::Read(Box::new(move || {
        let rows = states.into_iter().enumerate().filter_map(move |(place, state)| {
            let id = EndpointId::from_index(first + place);
            let nic = fabric.nics()[id.index()];
            let fits = wanted.is_none_or(|wanted| wanted == state) && filter.fits_port(&fabric, &set, nic.port);
            fits.then(|| {
                let down = off.get(&nic.port);
                NicRow {
                    name: fabric.nic_xname(id).to_string(),
                    label: fabric.nic_label(id).or_else(|| fabric.node_label(nic.node)).map(str::to_owned),
                    node: fabric.node_xname(nic.node).to_string(),
                    port: fabric.link_xname(nic.port).to_string(),
                    jack: fabric.plug_text(nic.port),
                    port_number: fabric.port_number(nic.port),
                    rate_gbps: fabric.cable(nic.port).map(|cable| cable.rate.as_gbps_f64()),
                    switch_label: fabric.switch_system(fabric.switch_of(nic.port)).map(str::to_owned),
                    switch: fabric.bmc_xname(fabric.switch_of(nic.port)).to_string(),
                    state: state.name(),
                    cause: match (down, state) {
                        (Some(down), _) => Some(why_off(&fabric, down)),
                        (None, State::Unknown) => Some("its switch does not answer".to_owned()),
                        _ => None,
                    },
                    for_seconds: down.map(|down| seconds(now_ms, down.since_ms)),
                }
            })
        });
        listing.answer(rows, |row| row.name.clone(), Map::new())
    })))
}
