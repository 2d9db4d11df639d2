//! What a link between a manager and its agents is, from outside.
//!
//! One program: each file of tests that is a program of its own is compiled and linked with
//! everything below it.

mod authority;
mod common;
mod hostile;
mod lives;
mod refused;
mod whole;
