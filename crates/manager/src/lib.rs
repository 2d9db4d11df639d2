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
mod events;
mod http;
mod judge;
mod list;
mod manager;
mod mutation;
mod names;
pub mod openapi;
mod operations;
mod plant;
mod problem;
mod reply;
mod resources;
mod screen;
mod serve;
mod shape;
mod watching;

pub use clock::Usage;
pub use documents::{Documents, StateError};
pub use manager::{BuildError, Manager, load};
pub use philae_store::{Summary, restore};
pub use plant::Plant;
pub use problem::{Code, Problem};
pub use screen::status as status_screen;
pub use serve::{ServeError, serve};
