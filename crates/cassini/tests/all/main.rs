//! The transport between hosts, from outside: faults, knobs, hostile peers, late packets, damaged bytes.
//!
//! One program: each file of tests that is a program of its own is compiled and linked with everything below it.

mod common;
mod fuzz;
mod transport;
mod transport_hostile;
mod transport_knobs;
mod transport_late;
