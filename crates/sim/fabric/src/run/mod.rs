//! A run: how it is built, driven to its end, audited, saved, and shared between processes.
//!
//! It may import every other folder; none of them should import it.

pub mod audit;
pub mod checkpoint;
pub mod driver;
pub mod exchange;
pub mod explain;
pub mod processes;
pub mod simulation;
pub mod waiting;
