//! The fabric manager as a service: a fabric's inventory, the manager's control loop, and an API
//! for both.
//!
//! Invariant: every request and every order of people and programs goes through one table of
//! endpoints ([`api::endpoints`]). The router, the documentation of the API and the authorisation
//! follow from it.
//!
//! Deliberately absent: decisions (`control`), tables (`forwarding`), names (`inventory`).

pub mod access;
mod answer;
pub mod api;
mod authority;
pub mod availability;
pub mod backup;
mod build_error;
mod certificates;
mod clock;
mod collectives;
pub mod compat;
mod connection_slots;
mod control_loop;
mod credential;
mod digest;
mod documents;
mod endpoint;
mod event_log;
mod event_loop;
mod events;
mod fabric_source;
mod firmware;
mod guard;
mod hosts;
mod http;
mod incidents;
mod item;
mod json;
mod leading;
mod leases;
mod list;
mod listen;
pub mod log;
mod login;
mod manager;
mod measured;
mod meta;
pub mod monitoring;
mod mutation;
mod names;
mod natural;
pub mod openapi;
mod operations;
mod problem;
mod reply;
mod request;
mod resources;
mod rollout;
mod routing;
mod sections;
mod security;
mod self_checks;
mod serve;
mod shape;
mod state_view;
mod things;
mod tokens;
mod trees;
mod troubles;
mod tuning;
mod watching;
mod what_if;
mod wording;

pub use build_error::BuildError;
pub use clock::{UnixClock, Usage};
pub use collectives::Sessions;
pub use connection_slots::Limits;
pub use control_loop::{AgentsEnd, ControlLoop};
pub use documents::{Documents, StateError};
pub use fabric_source::{load, simulated_switches, wiring_of};
pub use guard::RateLimits;
pub use hosts::{Attestation, Hosts};
pub use listen::Tls;
pub use manager::{LeaderStart, Manager};
pub use philae_store::StoreSummary;
pub use problem::{ApiProblem, ProblemCode};
pub use rollout::Effect;
pub use sections::{Sections, profile_hash, profile_text};
pub use security::Security;
pub use serve::{ServeError, ServeOptions, serve};
pub use tokens::KnownToken;
