//! The manager, tested from outside: called without sockets, and as programs that are started,
//! stopped and killed.
//!
//! This is one program, because each file of tests that is a program of its own would be compiled
//! and linked with all dependencies again.

mod agents;
mod api;
mod auth;
mod changes;
mod clients;
mod common;
mod compat;
mod documentation;
mod failover;
mod firmware;
mod firmware_oncall;
mod imports;
mod incidents;
mod kills;
mod kinds;
mod leases;
mod limits;
mod linux;
mod lists;
mod login;
mod losses;
mod monitoring;
mod oncall;
mod openapi;
mod operator;
mod pipes;
mod process;
mod program;
mod programs;
mod rehearsals;
mod service;
mod standby;
mod traffic;
mod watch;
mod words;
