//! The switch: at port fidelity, at tile fidelity, and its reduction engines.
//!
//! Invariant: each packet or contribution that arrives is inside or has left, once; the
//! modules say what else they promise. The crate holds state and decisions: `now` and sizes come
//! in, grants and times go out.

pub mod port;
pub mod reduction;
pub mod tile;
