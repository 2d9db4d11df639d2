//! The commands, one module each. None imports another; they share the modules above this folder.

pub mod bench;
pub mod compare;
pub mod completions;
pub mod describe;
pub mod explain;
pub mod export;
pub mod fluid_accuracy;
pub mod gpcnet;
pub mod launch;
pub mod man;
pub mod manager;
pub mod nic;
pub mod osu;
pub mod routes;
pub mod schema;
pub mod simulate;
pub mod study;
pub mod sweep;
pub mod systems;
pub mod trace;
