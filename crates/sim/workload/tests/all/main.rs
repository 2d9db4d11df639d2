//! Rank programs, tested from outside.
//!
//! One program: every file of tests that is a program of its own is compiled and linked with
//! everything below it.

mod applications;
mod collective_data;
mod collectives;
mod common;
mod groups;
mod services;
mod training;
mod workloads;
