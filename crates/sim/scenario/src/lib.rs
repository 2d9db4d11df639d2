//! The scenario file: one typed tree, resolved and reproducible.
//!
//! Invariant: a scenario is one typed tree, in which an unknown key is an error that names the
//! nearest key. A resolved scenario holds every default, and running it again gives the same
//! digest. Nothing is clamped, and no file causes a panic. Deliberately absent: running (the
//! fabric), result folders (`philae-results`), published experiments (`philae-experiments`).
//!
//! [`Scenario::load`] and [`Scenario::parse`] read text; plain structs build the same in a program.
//! [`Scenario::resolve`] fills in every default, and [`ResolvedScenario::simulation`] returns a
//! run.
//!
//! ```
//! use philae_scenario::{JobSection, Scenario, System};
//! use philae_topology::DragonflyDescription;
//! use philae_workload::{Permutation, WorkloadSpec};
//!
//! let system = System::build(DragonflyDescription::uniform(4, 4, 2, 1).into())?;
//! let workload = WorkloadSpec::Permutation(Permutation { iterations: Some(10), ..Permutation::default() });
//! let mut scenario = Scenario { jobs: vec![JobSection::new("ring", workload)], ..Scenario::on(&system) };
//! scenario.congestion = scenario.congestion.preset("none");
//! scenario.hardware.switch.set("latency_ns", 300_u32);
//! let resolved = scenario.resolve_on(&system)?;
//! assert_eq!(resolved.config.switch.latency_ns, 300);
//! let again = Scenario::parse(&resolved.to_toml(), "the text")?.resolve()?;
//! assert_eq!(again.to_toml(), resolved.to_toml());
//! # Ok::<(), philae_scenario::ScenarioError>(())
//! ```

#![warn(missing_docs)]

mod assumptions;
mod check;
mod elsewhere;
mod error;
mod explain;
mod fault;
mod job;
mod keys;
mod left_out;
mod lines;
mod observe;
mod part;
mod read;
mod resolve;
mod routes;
mod schema;
mod selection;
mod setup;
pub mod sst;
mod system;
mod system_hardware;
mod timeline;
mod trace;
mod trace_files;
mod tree;
mod uet_hardware;

pub use assumptions::{AssumedValue, assumed_values, assumptions_markdown};
pub use error::{KeyLocation, RoutesError, ScenarioError};
pub use explain::{EXPLAINED_MAX, ExplainSection, MessageName};
pub use fault::{FaultLawSection, FaultName, FaultSection, Faults, LinkChoice};
pub use job::{JobSection, NicChoice};
pub use keys::keys_markdown;
pub use observe::{CAPTURE_PACKETS_MAX, CAPTURE_SNAP_BYTES, CaptureSection, TelemetrySection};
pub use part::{KeyRange, ParameterSet, Preset};
pub use philae_units::nearest;
pub use read::read_source;
pub use resolve::{DEFAULT_CLASS, PlacedJob, ResolvedScenario};
pub use routes::{LoadedRoutes, RoutesSection, routes_without};
pub use schema::schema;
pub use system::{System, SystemChoice, SystemFile};
pub use timeline::TimelineSection;
pub use trace::{LoadedTrace, load_trace, load_trace_of};
pub use trace_files::{TraceLoadError, grouped as grouped_by_rank, read_file as read_trace_file};
pub use tree::{Hardware, Measure, RunTree, Scenario};
