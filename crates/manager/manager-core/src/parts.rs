//! The parts of the state machine's state.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use philae_route_tables::{FabricWiring, Parameters, RoutePlan};

use crate::ports::Expected;
use crate::routing::{Active, Published};

/// The fabric as it is planned.
#[derive(Debug)]
pub(crate) struct ManagedFabric {
    pub wiring: Arc<FabricWiring>,
    pub expected: Arc<dyn Expected>,
    pub parameters: Parameters,
    pub link_count: usize,
}

/// The tables that switches have and should have.
#[derive(Debug)]
pub(crate) struct RoutingState {
    pub plan: Option<RoutePlan>,
    /// (S): hash of the table that each switch should have.
    pub routes: Vec<u64>,
    pub active: Option<Active>,
    pub published: Published,
    /// Links that changed since the tables were computed: lower port, and whether they carry
    /// traffic.
    pub pending: BTreeMap<u32, bool>,
    pub pending_since_ms: Option<u64>,
    /// Switches whose whole table is deferred, by other tables in flight or the limit.
    pub deferred: BTreeSet<u32>,
    /// Whole tables ordered since `flush` last returned outputs.
    pub whole_tables: usize,
    /// Why new tables could not be proven, if so.
    pub unsound: Option<String>,
}

/// What all devices have said of themselves.
#[derive(Debug, Default)]
pub(crate) struct DeviceCensus {
    /// Devices that have introduced themselves.
    pub known: usize,
    /// Versions of agents; there are few.
    pub agent_versions: BTreeSet<Arc<str>>,
}

impl RoutingState {
    /// No tables yet, for a number of switches.
    pub fn new(switches: usize) -> Self {
        Self {
            plan: None,
            routes: vec![0; switches],
            active: None,
            published: Published::default(),
            pending: BTreeMap::new(),
            pending_since_ms: None,
            deferred: BTreeSet::new(),
            whole_tables: 0,
            unsound: None,
        }
    }
}
