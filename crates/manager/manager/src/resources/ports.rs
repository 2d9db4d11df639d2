//! Ports: role, peer, state.

use philae_agent::PortState;
use philae_inventory::PlannedFabric;
use philae_manager_core::PortView;
use philae_topology::PortPeer;
use philae_units::PortIndex;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Map;

use crate::documents::status::{DocumentView, document_of};
use crate::manager::Manager;
use crate::protocol::endpoint::{
    AFTER, ApiEndpoint, FIELDS, GROUP, LABEL, NAME, PAGE, ROLE, SELECTOR, SORT, TYPE, get,
};
use crate::protocol::list::{List, ListFilter, Listing, word};
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::of;
use crate::resources::Answer;
use crate::resources::links::{LinkRow, link_row};
use crate::resources::traffic::{TrafficView, traffic_of};
use crate::things::port_named;

/// The endpoints of this resource.
pub const ENDPOINTS: &[ApiEndpoint] = &[
    get(
        "/api/v1/ports",
        "Ports with their states; all of them as application/x-ndjson.",
        &[NAME, LABEL, GROUP, ROLE, TYPE, ("state", "only these, such as up"), SELECTOR, PAGE, AFTER, FIELDS, SORT],
        ports,
    )
    .lines(of::<List<PortRow>>, of::<PortRow>)
    .errors(&[404]),
    get("/api/v1/ports/{name}", "One port and its link.", &[], port).json(of::<PortDetails>).errors(&[404]),
];

/// A port.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Port", deny_unknown_fields)]
pub struct PortRow {
    /// Name of its end of the link: `x1000c0r1a0l42`.
    pub name: String,
    /// Where it is plugged: the port of a jack, `x1000c0r1j5p0`, or `port 39 of leaf01` where
    /// switches number their ports.
    pub jack: String,
    /// Its number in the switch, from 0.
    pub number: u8,
    /// The number that stands on the switch beside it, where switches number their ports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port_number: Option<u16>,
    /// edge, local, global or unused.
    pub role: &'static str,
    /// The planned far end: a port or a NIC.
    pub peer: Option<String>,
    /// The label of the NIC, or the switch, at the far end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peer_label: Option<String>,
    /// The number that stands on the far switch beside its port, where switches number their ports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peer_number: Option<u16>,
    /// What its link can carry in one direction, Gb/s.
    pub rate_gbps: Option<f64>,
    /// What its switch says: absent, up, down, disabled, paused-too-long or failed.
    pub state: &'static str,
    /// Losses of its link since its switch started.
    pub losses: u32,
}

/// The address of an edge port.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
pub struct PortAddress {
    /// Network address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nid: Option<u32>,
    /// The MAC address that follows from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mac: Option<String>,
    /// Why it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub none: Option<String>,
}

/// A port with its link and its desired state.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "PortWithLink")]
pub struct PortDetails {
    /// The port.
    #[serde(flatten)]
    pub row: PortRow,
    /// Its address.
    pub address: PortAddress,
    /// Its traffic, if its switch reports counters.
    pub traffic: Option<TrafficView>,
    /// Its link to another switch.
    pub link: Option<LinkRow>,
    /// Its own desired state, if there is one.
    pub document: Option<DocumentView>,
}

pub(crate) fn port_row(fabric: &PlannedFabric, port: PortIndex, view: PortView) -> PortRow {
    let planned = fabric.port(port);
    PortRow {
        name: fabric.link_xname(port).to_string(),
        jack: fabric.plug_text(port),
        number: fabric.number_of(port).0,
        port_number: fabric.port_number(port),
        peer_number: match planned.peer {
            PortPeer::Port(far) => fabric.port_number(far),
            PortPeer::Endpoint(_) | PortPeer::None => None,
        },
        role: planned.role.name(),
        peer: match planned.peer {
            PortPeer::None => None,
            PortPeer::Endpoint(nic) => Some(fabric.nic_xname(nic).to_string()),
            PortPeer::Port(far) => Some(fabric.link_xname(far).to_string()),
        },
        peer_label: match planned.peer {
            PortPeer::None => None,
            PortPeer::Endpoint(nic) => {
                fabric.nic_label(nic).or_else(|| fabric.node_label(fabric.nics()[nic.index()].node))
            }
            PortPeer::Port(far) => fabric.switch_system(fabric.switch_of(far)),
        }
        .map(str::to_owned),
        rate_gbps: fabric.cable(port).map(|cable| cable.rate.as_gbps_f64()),
        state: view.state.name(),
        losses: view.losses,
    }
}

/// `GET /api/v1/ports`
///
/// The state of ports is copied here. Another thread filters and encodes it.
pub fn ports(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let (listing, filter) = (Listing::of(request)?, ListFilter::of(request)?);
    let states = (0..).map_while(PortState::from_number).map(|state| (state.name(), state)).collect::<Vec<_>>();
    let state = word(request, "state", &states)?;
    let first = match &listing.after {
        Some(name) if !listing.is_sorted() => port_named(&manager.fabric, name)?.index() + 1,
        _ => 0,
    };
    let count = manager.fabric.port_count();
    // A page without conditions needs no more ports than it has, and one to see whether there are
    // more.
    let last = match listing.limit {
        Some(limit) if filter.is_empty() && state.is_none() && !listing.is_sorted() => count.min(first + limit + 1),
        _ => count,
    };
    let views: Vec<PortView> =
        (first..last).map(|port| manager.control_loop.control.port(PortIndex::from_index(port))).collect();
    let (fabric, set) = (manager.fabric.clone(), manager.documents.set_shared());
    Ok(Reply::Read(Box::new(move || {
        let rows = views.into_iter().enumerate().filter_map(move |(place, view)| {
            let port = PortIndex::from_index(first + place);
            let fits = state.is_none_or(|state| view.state == state) && filter.fits_port(&fabric, &set, port);
            fits.then(|| port_row(&fabric, port, view))
        });
        listing.answer(rows, |row| row.name.clone(), Map::new())
    })))
}

/// `GET /api/v1/ports/{name}`
pub fn port(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let port = port_named(&manager.fabric, request.capture("name"))?;
    let now_ms = manager.control_loop.now_ms();
    let address = match manager.fabric.address(port) {
        Ok(address) => PortAddress { nid: Some(address.nid()), mac: Some(address.mac().to_string()), none: None },
        Err(error) => PortAddress { nid: None, mac: None, none: Some(error.to_string()) },
    };
    let row = port_row(&manager.fabric, port, manager.control_loop.control.port(port));
    let traffic =
        manager.control_loop.control.port_traffic(port).map(|traffic| traffic_of(&manager.fabric, port, &traffic));
    let document = document_of(manager, philae_policy::DocumentKind::Port, &row.name);
    let link = manager.control_loop.control.link_view(now_ms, port).map(|link| {
        let by = manager.drained_by_rollout(port);
        link_row(&manager.fabric, now_ms, &link, by.as_deref())
    });
    Ok(Reply::of(&PortDetails { row, address, traffic, link, document }))
}
