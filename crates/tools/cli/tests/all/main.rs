//! Tests of the command, run as users run it.
//!
//! All tests are one program, because each test file that is a program of its own would be compiled
//! and linked with all dependencies.

mod bench;
mod checkpoint;
mod command;
mod common;
mod compare_seeds;
mod documented;
mod endings;
mod examples;
mod explain;
mod fluid;
mod folders;
mod inputs;
mod instructions;
mod json;
mod kept;
mod launch;
#[path = "../../../../nic/shmem/tests/common/mod.rs"]
mod library;
mod pcap;
mod pcap_inside;
mod pcap_uet;
mod pipes;
mod processes;
mod replaced;
mod routes;
mod shmem;
mod simulated_checks;
mod simulated_endings;
mod simulated_losses;
mod simulated_nic;
mod simulated_programs;
mod simulated_stories;
mod stdout;
mod study;
mod sweep;
mod trace;
mod trace_files;
mod unended;
mod warned;
