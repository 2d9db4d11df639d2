//! Runs in rates, tested from outside.
//!
//! One program: every file of tests that is a program of its own is compiled and linked with
//! everything below it.

mod classes;
mod common;
mod degraded;
mod graphs;
mod radix;
mod runs;
