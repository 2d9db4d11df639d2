//! The link between a manager and its agents, tested from outside.
//!
//! This is one program, because each file of tests that is a program of its own would be compiled
//! and linked with all dependencies again.

mod authority;
mod common;
mod hostile;
mod lives;
mod refused;
mod whole;
