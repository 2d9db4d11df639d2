//! Routing: the path of a packet (minimal, Valiant, adaptive), and why no cycle of waiting can
//! form.
//!
//! Invariant: a route climbs. Every hop uses a channel (link and leg) that lies after the previous
//! one in a fixed order, so that the channel dependency graph has no cycle; [`deadlock::prove`]
//! checks this on the concrete wiring when a fabric is built. Decisions use only what a switch can
//! know: its own request queues and what its neighbours told it.

mod adaptive;
pub mod deadlock;
mod degraded;
mod dragonfly;
mod fat_tree;
mod graph;
mod multicast;
mod parameters;
mod route;
mod tables;

pub use adaptive::{CANDIDATES_MAX, Candidates, PathCandidate};
pub use multicast::{MulticastTable, TreeError, TreeHop, TreePort};
pub use parameters::{EntropyPaths, RoutingMode, RoutingParameters};
pub use route::{Hop, Loads, RouteRequest, RouteState, Router, RoutingError, Via};
