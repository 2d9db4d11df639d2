//! The fabric manager as a service: a fabric's inventory, the manager's control loop, and an API
//! for both.
//!
//! Invariant: every request and every order of people and programs goes through one table of
//! endpoints ([`api::endpoints`]). The router, the documentation of the API and the authorisation
//! follow from it.
//!
//! Layers, from the top: the table of endpoints and the server; resources with their handlers;
//! services on the manager's state; the state itself; the control loop. Each imports only what lies
//! below it.
//!
//! Deliberately absent: decisions (`manager-core`), tables (`route-tables`), names (`inventory`).

pub mod access;
pub mod api;
pub mod availability;
pub mod backup;
mod certificates;
mod clock;
mod collectives;
pub mod compat;
mod control_loop;
mod desired;
mod digest;
mod documents;
mod events;
mod explain;
mod firmware;
mod hosts;
mod incidents;
mod leases;
pub mod log;
mod login;
mod manager;
mod measured;
pub mod monitoring;
mod mutation;
mod names;
pub mod openapi;
mod operations;
mod protocol;
mod resources;
mod routing;
mod security;
mod server;
mod things;
mod tokens;
mod troubles;
mod tuning;
mod watching;
mod what_if;
mod wording;

pub use clock::{UnixClock, Usage};
pub use collectives::Sessions;
pub use control_loop::{AgentsEnd, ControlLoop};
pub use desired::rollout::Effect;
pub use desired::sections::{Sections, profile_hash, profile_text};
pub use documents::{Documents, StateError};
pub use hosts::{Attestation, Hosts};
pub use manager::build_error::BuildError;
pub use manager::fabric_source::{load, simulated_switches, wiring_of};
pub use manager::{LeaderStart, Manager};
pub use philae_store::StoreSummary;
pub use protocol::problem::{ApiProblem, ProblemCode};
pub use security::Security;
pub use server::connection_slots::Limits;
pub use server::guard::RateLimits;
pub use server::listen::Tls;
pub use server::serve::{ServeError, ServeOptions, serve};
pub use tokens::KnownToken;
