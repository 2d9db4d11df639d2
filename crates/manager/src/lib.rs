//! The fabric manager as a service: a fabric's inventory, the manager's judgement, and an API over both.
//!
//! Invariant: everything that people or programs ask or order goes through one table of endpoints ([`api::ENDPOINTS`]),
//! which the router, the documentation of the API and the authorisation are made from.
//!
//! Deliberately absent: judgement (`control`), tables (`forwarding`), names (`inventory`).

pub mod access;
pub mod api;
pub mod availability;
mod bring;
mod certificates;
mod clock;
mod documents;
mod guard;
mod listen;
pub mod log;
mod manager;
mod names;
mod plant;
mod problem;
mod resources;
mod screen;
mod security;
mod serve;
mod tokens;
mod what_if;

pub use clock::Usage;
pub use documents::{Documents, StateError};
pub use guard::Rates;
pub use listen::Tls;
pub use manager::{BuildError, Manager, Plan, load, simulated_switches};
pub use plant::{AgentsEnd, Plant};
pub use problem::Problem;
pub use screen::status as status_screen;
pub use security::Security;
pub use serve::{ServeError, ServeOptions, serve};
pub use tokens::admin_file;
