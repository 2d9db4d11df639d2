//! What a fabric does, from outside.
//!
//! One program: each file of tests that is a program of its own is compiled and linked with everything below it.

mod applications;
mod checkpoint;
mod classes;
mod collectives;
mod collectives_resilience;
mod common;
mod determinism;
mod ethernet;
mod explain;
mod gateways;
mod knobs;
mod matching;
mod meter;
mod operations;
mod overlay;
mod packet_engine;
mod processes;
mod resilience;
mod routes;
mod swarm;
mod telemetry;
mod zero_load;
