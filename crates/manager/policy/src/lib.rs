//! The operator's intent for a fabric as typed documents, and the resulting configuration of each
//! port, switch and NIC.
//!
//! Invariant: an admitted set of documents gives exactly one configuration for every port, and
//! states for each of its fields which document sets it.
//!
//! Deliberately absent: I/O, clocks (times are passed in as unix seconds), threads, and the reports
//! of devices. Information about a fabric comes through [`FabricView`].
//!
//! ```
//! use philae_policy::{DocumentChange, Document, DocumentSet, PortIndex, TopologyView, admit};
//! use philae_topology::{DragonflyDescription, Topology};
//!
//! let topology = Topology::build(&DragonflyDescription::uniform(4, 8, 4, 2).into()).expect("fits 64 ports");
//! let fabric = TopologyView::new(&topology, "rosetta");
//! let text = r#"{ "kind": "port-policy", "name": "small-frames",
//!                 "spec": { "selector": "role=edge,group=0", "settings": { "mtuBytes": 1500 } } }"#;
//! let policy = Document::from_json(text).expect("it is one");
//! let admitted = admit(&DocumentSet::default(), &[DocumentChange::Put(policy)], &fabric).expect("nothing is against it");
//! assert_eq!(admitted.blast.ports.len(), 8 * 4);
//! let mtu = admitted.composition.explain_port(PortIndex(0)).into_iter().find(|(at, ..)| *at == "/mtuBytes");
//! assert_eq!(mtu.expect("a field").2.to_string(), "port-policy 'small-frames'");
//! ```

#![allow(clippy::result_large_err, reason = "problems are rare, and rich for whoever reads them")]

mod admit;
mod compose;
mod diff;
mod document;
mod fabric_view;
mod fields;
mod glob;
mod kind;
mod leases;
mod problem;
pub mod schema;
mod selector;
mod set;
mod settings;
mod spec;
mod stock;
mod text;
mod windows;

pub use admit::{Admitted, ChangeEffect, VNI_MAX, admit, admit_onto, admit_whole, edge_port, vni_range};
pub use compose::{Composition, ConfigId, DocumentScope, FieldReach, Origin, StackId};
pub use diff::{DocumentDifference, Patch, SpecDifference, difference, json_patch, merge_patch};
pub use document::{Document, NAME_MAX, is_label_key, is_name};
pub use fabric_view::{FabricView, PortRole, TopologyView};
pub use fields::Composed;
pub use kind::{DocumentKind, DocumentRef, Existence};
pub use leases::{expired, next_expiry, renew};
pub use philae_units::{GroupId, LinkRate, PortIndex, SwitchId};
pub use problem::{PolicyCode, PolicyProblem, nearest, pointer_step};
pub use selector::{Selector, Subject};
pub use set::{DocumentChange, DocumentSet};
pub use settings::*;
pub use spec::*;
pub use text::{from_json, from_yaml, to_json, to_yaml};
pub use windows::{Closed, ended_window, may_change};
