//! The wiring of systems: dragonfly, fat tree, any graph; built-in systems.
//!
//! Invariant: a [`Topology`] is wired consistently (each port has at most one peer, and the peer
//! points back), does not change after it is built, and knows every switch, port, endpoint, node
//! and cable by a small typed id. A [`SystemDescription`] that cannot be wired is an error with the
//! remedy in its message, never a panic.
//!
//! Deliberately absent: routes (`philae-path`), faults (a topology is the system as it was
//! cabled) and the inside of switches and NICs, of which a description has only the names.
//!
//! ```
//! use philae_topology::{DragonflyDescription, Topology};
//! let topology = Topology::build(&DragonflyDescription::uniform(4, 8, 4, 2).into()).expect("fits 64 ports");
//! assert_eq!(topology.switch_count(), 32);
//! assert_eq!(topology.endpoint_count(), 128);
//! assert_eq!(topology.links().global, 4 * 3 / 2 * 2);
//! ```

#![warn(missing_docs)]

mod address;
mod cable;
mod carried;
mod csr;
mod describe;
mod description;
mod dragonfly;
mod edge_ports;
mod error;
mod ethernet;
mod export;
mod fat_tree;
mod graph;
mod input;
mod number_forms;
mod packed;
mod port;
mod radix;
mod run;
mod systems;
mod topology;
mod wiring;

pub use address::{ADDRESSABLE_GROUPS_MAX, AddressError, AddressFormat, FabricAddress, MacAddress};
pub use cable::{CableDescription, CableKind, CableKindId, Medium, PROPAGATION_PER_METRE};
pub use carried::CarriedLabels;
pub use describe::{CableSummary, PortCounts, SystemFigures};
pub use description::{Assumed, SystemDescription, WiringDescription};
pub use dragonfly::{
    Arrangement, Dragonfly, DragonflyDescription, Fill, GatewaysOfSwitch, GlobalLinks, GlobalWiring, GroupKind,
    ListedLink, LocalWiring, NicSpread, PortRanges, Purpose,
};
pub use error::TopologyError;
pub use ethernet::{EthernetDescription, EthernetEndpoint, EthernetPort};
pub use fat_tree::{FatTree, FatTreeCores, FatTreeDescription};
pub use graph::{GraphDescription, GraphEndpoint, GraphLabels, GraphLink, TopologyGraph};
pub use input::{input_metadata, open_regular, read_input, read_regular, read_standard_input};
pub use packed::unpacked;
pub use port::{NicAttachment, Port, PortPeer, PortRole};
pub use run::PortRun;
pub use systems::{BuiltIn, SystemError, SystemText, systems};
pub use topology::{LinkCounts, Topology, TopologyShape};
