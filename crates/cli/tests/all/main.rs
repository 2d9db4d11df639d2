//! The command, from outside: run as users run it.
//!
//! One program: each file of tests that is a program of its own is compiled and linked with everything below it.

mod bench;
mod checkpoint;
mod command;
mod common;
mod explain;
mod fluid;
mod instructions;
mod json;
mod kept;
mod launch;
mod pcap;
mod pcap_inside;
mod pipes;
mod processes;
mod routes;
mod shmem;
mod study;
mod sweep;
mod trace;
mod trace_files;
