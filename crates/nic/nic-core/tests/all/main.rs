//! Tests of the transport between hosts through its public interface: faults, parameters, hostile
//! peers, late packets, damaged bytes.
//!
//! All tests are one program, because each test file that is a program of its own would be compiled
//! and linked with all dependencies.

mod common;
mod fuzz;
mod transport;
mod transport_hostile;
mod transport_knobs;
mod transport_late;
