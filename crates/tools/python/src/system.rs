//! Systems: the built-in ones, the main figures of a system, and its wiring as a table.

use crate::error::{ScenarioError, scenario};
use crate::table::PyTable;
use philae_results::columns::{ColumnData, ColumnTable, ColumnValues, WordNumbers};
use philae_scenario::{System, SystemChoice};
use philae_topology::{PortPeer, PortRole, Topology, systems as built_in};
use philae_units::SwitchId;
use pyo3::prelude::*;

fn choice(system: &str) -> PyResult<SystemChoice> {
    serde_json::from_str(system).map_err(|error| ScenarioError::new_err(error.to_string()))
}

fn build(py: Python<'_>, system: &str) -> PyResult<System> {
    let choice = choice(system)?;
    py.detach(|| System::build(choice.describe()?)).map_err(scenario)
}

/// Name and summary of the built-in systems.
#[pyfunction]
pub fn systems() -> Vec<(String, String)> {
    built_in().iter().map(|system| (system.name.to_owned(), system.summary.to_owned())).collect()
}

/// The main figures of a system, as JSON. `system` is the value of that key in a scenario, as JSON.
#[pyfunction]
pub fn describe(py: Python<'_>, system: &str) -> PyResult<String> {
    let system = build(py, system)?;
    Ok(py.detach(|| system.to_json(system.check().err().as_ref())).to_string())
}

/// The whole description of a system, as JSON.
#[pyfunction]
pub fn system_text(system: &str) -> PyResult<String> {
    let description = choice(system)?.describe().map_err(|error| ScenarioError::new_err(error.to_string()))?;
    serde_json::to_string(&description).map_err(|error| ScenarioError::new_err(error.to_string()))
}

/// One row for each port with a cable.
#[pyfunction]
pub fn wiring(py: Python<'_>, system: &str) -> PyResult<PyTable> {
    let system = build(py, system)?;
    py.detach(|| PyTable::new(wiring_table(&system.topology)))
}

/// A column of identifiers that are built row by row.
struct Ids {
    name: &'static str,
    about: &'static str,
    values: Vec<i32>,
    present: Vec<bool>,
}

impl Ids {
    const fn new(name: &'static str, about: &'static str) -> Self {
        Self { name, about, values: Vec::new(), present: Vec::new() }
    }

    fn push(&mut self, value: Option<u32>) {
        self.values.push(value.unwrap_or(0) as i32);
        self.present.push(value.is_some());
    }

    fn finish(self) -> ColumnData {
        let all = self.present.iter().all(|present| *present);
        ColumnData {
            name: self.name.to_owned(),
            about: self.about.to_owned(),
            values: ColumnValues::Int32(self.values),
            present: (!all).then_some(self.present),
        }
    }
}

fn wiring_table(topology: &Topology) -> ColumnTable {
    let mut ids = [
        Ids::new("port_index", "Port, counted over the whole system."),
        Ids::new("switch", "Its switch, counted over the whole system."),
        Ids::new("group", "Group of the switch."),
        Ids::new("port", "Port number on the switch."),
        Ids::new("peer_port_index", "The port at the other end; null where a NIC is."),
        Ids::new("peer_switch", "The switch at the other end; null where a NIC is."),
        Ids::new("peer_group", "Group of the switch at the other end; null where a NIC is."),
        Ids::new("endpoint", "The NIC at the other end; null where a switch is."),
        Ids::new("node", "The node of that NIC; null where a switch is."),
    ];
    let mut words = WordNumbers::default();
    let (mut roles, mut rates, mut propagation) = (Vec::new(), Vec::new(), Vec::new());
    for switch in (0..topology.switch_count()).map(SwitchId::from_index) {
        for (index, port) in topology.ports_of(switch).filter(|(_, port)| port.role != PortRole::Unused) {
            let (peer, endpoint) = match port.peer {
                PortPeer::Port(peer) => (Some(peer), None),
                PortPeer::Endpoint(endpoint) => (None, Some(endpoint)),
                PortPeer::None => (None, None),
            };
            let peer_switch = peer.map(|peer| topology.switch_of(peer));
            let row = [
                Some(index.0),
                Some(switch.0),
                Some(topology.group_of(switch).0),
                Some(u32::from(topology.port_of(index).0)),
                peer.map(|peer| peer.0),
                peer_switch.map(|switch| switch.0),
                peer_switch.map(|switch| topology.group_of(switch).0),
                endpoint.map(|endpoint| endpoint.0),
                endpoint.map(|endpoint| topology.endpoint(endpoint).node.0),
            ];
            ids.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
            roles.push(words.code(port.role.name()));
            rates.push(i64::from(topology.rate(index).0));
            propagation.push(topology.propagation(index).0 as i64);
        }
    }
    let rows = roles.len();
    let mut columns: Vec<ColumnData> = ids.into_iter().map(Ids::finish).collect();
    let whole = |name: &str, about: &str, values| ColumnData {
        name: name.to_owned(),
        about: about.to_owned(),
        values,
        present: None,
    };
    let role = ColumnValues::Text { codes: roles, words: words.into_words() };
    columns.push(whole("role", "`edge` (to a NIC), `local` (within a group) or `global` (between groups).", role));
    columns.push(whole("rate_mbps", "Rate of one direction, in 10^6 bit/s.", ColumnValues::Int64(rates)));
    columns.push(whole("propagation_ps", "Time of a signal to the other end.", ColumnValues::Int64(propagation)));
    let about = "One row per port that has a cable.".to_owned();
    ColumnTable { name: "wiring".to_owned(), about, rows, columns }
}
