//! The fabric manager as a service: a fabric's inventory, the manager's judgement, and an API over both.
//!
//! Invariant: everything that people or programs ask or order goes through one table of endpoints ([`api::ENDPOINTS`]),
//! which the router, the documentation of the API and the authorisation are made from.
//!
//! Deliberately absent: judgement (`control`), tables (`forwarding`), names (`inventory`).

pub mod api;
mod bring;
mod clock;
mod documents;
mod manager;
mod names;
mod plant;
mod problem;
mod resources;
mod screen;
mod serve;

pub use clock::Usage;
pub use documents::{Documents, StateError};
pub use manager::{BuildError, Manager, load};
pub use plant::Plant;
pub use problem::Problem;
pub use screen::status as status_screen;
pub use serve::{ServeError, serve};
