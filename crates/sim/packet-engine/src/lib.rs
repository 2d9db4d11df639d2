//! The packet engine: match-action processing at ingress and egress of a switch, described by data.
//!
//! Invariant: the verdict on a packet is a function of the program, its bytes and the switch's
//! metadata. Any bytes get a verdict, evaluation goes forward only and so ends, and no table holds
//! more entries than its size.
//!
//! A [`PacketEngine`] is the scenario's section. [`PacketEngine::program`] turns it into a list of
//! tables, and [`PipelineProgram::compile`] into a [`Pipeline`], which takes frames (without frame
//! check sequence) and returns verdicts:
//!
//! ```
//! use philae_packet_engine::{Metadata, PacketEngine, PipelineStage, PacketDecision};
//!
//! let engine: PacketEngine = toml::from_str(r#"
//!     [[tables]]
//!     name = "no_experiments"
//!     stage = "ingress"
//!     size = 4
//!     key = [{ field = "eth.type", match = "exact" }]
//!     entries = [{ match = { "eth.type" = "0x88b6" }, actions = [{ do = "deny", cause = "experiment" }] }]
//! "#)?;
//! let mut pipeline = engine.program()?.compile(&[])?;
//! let mut frame = [0; 60];
//! frame[12..14].copy_from_slice(&[0x88, 0xb6]);
//! let denied = pipeline.run(PipelineStage::Ingress, &frame, Metadata::default());
//! assert!(matches!(denied.verdict, PacketDecision::Deny { cause, .. } if cause == "experiment"));
//! frame[13] = 0xb5;
//! assert_eq!(pipeline.run(PipelineStage::Ingress, &frame, Metadata::default()).verdict, PacketDecision::Permit);
//! assert_eq!(pipeline.table_counts()[0].misses, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Deliberately absent: events, the fabric, the time that a lookup takes, mirrors, IPv6.

mod action;
mod error;
mod field;
mod flow;
mod graph;
mod header;
mod packet;
mod pattern;
mod pipeline;
mod section;
mod spec;
mod table;

pub use error::EngineError;
pub use field::{Field, FieldLayer, FieldName, HeaderKind, mac_of, mac_value};
pub use graph::{DEPTH_MAX, ParseGraph};
pub use header::{EngineHeader, Tcp};
pub use packet::{EnginePacket, Metadata};
pub use pattern::FieldPattern;
pub use pipeline::{PacketDecision, Passage, Pipeline, TABLES_MAX, TableCount, Trail};
pub use section::{PacketEngine, TableEntry, VlanPort, built_in_programs, default_parser};
pub use spec::{
    BranchSpec, EntrySpec, FieldValue, KeyPart, MatchKind, Members, PacketAction, ParserSpec, PipelineProgram,
    PipelineStage, StateSpec, TableSpec,
};
pub use table::{EntryHandle, SIZE_MAX};
