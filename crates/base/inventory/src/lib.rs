//! The inventory: what is installed, its names, and the planned cabling.
//!
//! Invariant: every installed thing has exactly one name in each naming scheme (xname, address,
//! jack), and each name leads back to the same thing. An accepted template is wired consistently:
//! each port has at most one peer, and the peer points back. Invalid text is an error with its
//! position and a remedy, never a panic.
//!
//! Deliberately absent: sockets and clocks, routes, and the behaviour of devices. Functions take
//! and return bytes and strings; only [`SystemSource::load`] opens a file.
//!
//! ```
//! use philae_inventory::{PlannedFabric, Models, Placement};
//! use philae_topology::{SystemDescription, Topology};
//! let shandy = SystemDescription::load("shandy").expect("built in");
//! let topology = Topology::build(&shandy).expect("legal");
//! let fabric = PlannedFabric::of(&topology, &Placement::usual(&topology), &Models::built_in()).expect("it has room");
//! let port = fabric.port_by_name("x1000c0r1a0l42").expect("a port");
//! let by_jack = fabric.connector_port_xname(port);
//! assert_eq!(fabric.port_by_xname(by_jack), Some(port));
//! assert_eq!(fabric.port_of_address(fabric.address(port).expect("8 groups fit")), Some(port));
//! ```

mod address;
mod build;
mod cabling;
mod cabling_rows;
mod cabling_template;
mod compare;
mod export;
mod fabric;
mod jack;
mod labels;
mod lookup;
mod netlist;
mod parts;
mod pattern;
mod placement;
mod rates;
mod slurm;
mod source;
mod template;
mod vendor;
mod xname;

pub use address::{ENDPOINT_BITS, MacError, MacForm, MacPrefix, PID_GRANULE, dfa, read_dfa, read_mac};
pub use cabling::{COLUMNS as CABLING_COLUMNS, Cable, CablePurpose, Cabling, CablingError};
pub use compare::{End, FabricComparison, Neighbour, Observation, PlanDifference};
pub use fabric::{PlannedFabric, WiringKind};
pub use jack::{
    FirstPort, JackError, JackPort, Model, ModelDescription, Models, RestDescription, RowDescription, RowStatus,
};
pub use lookup::{LookupError, Thing};
pub use netlist::{LinkWidth, Netlist};
pub use parts::{InventoryError, NodeEntry, SwitchEntry};
pub use pattern::{NamePattern, NameSelector, PatternError};
pub use placement::{Cabinets, FloorPlanError, Placement};
pub use source::{SourceError, SystemSource};
pub use template::{AddressSplit, EdgeItem, LinkItem, NodeItem, PortRoleName, SwitchItem, TEMPLATE_VERSION, Template};
pub use vendor::Imported;
pub use xname::{Xname, XnameError, XnameKind};
