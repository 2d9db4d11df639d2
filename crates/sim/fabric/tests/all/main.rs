//! Tests of a fabric, from outside.
//!
//! This is one program, because each test file that is a program of its own is compiled and linked
//! with all its dependencies.

mod acknowledgements;
mod applications;
mod baselines;
mod checkpoint;
mod classes;
mod collectives;
mod collectives_resilience;
mod common;
mod connections;
mod deferrable;
mod determinism;
mod ethernet;
mod explain;
mod fairness;
mod gateways;
mod injection;
mod jitter;
mod knobs;
mod locality;
mod matching;
mod meter;
mod node;
mod node_memory;
mod offered;
mod operations;
mod overlay;
mod packet_engine;
mod processes;
mod radix;
mod rank_process;
mod received;
mod rerouting;
mod resilience;
mod routes;
mod routing;
mod samples;
mod saturation;
mod swarm;
mod tcp;
mod telemetry;
mod uet_beside;
mod ultra_ethernet;
mod zero_load;
