//! What the store keeps, from outside.
//!
//! One program: each file of tests that is a program of its own is compiled and linked with everything below it.

mod backups;
mod basics;
mod faults;
mod formats;
mod kill;
mod model;
mod standby;
#[cfg(test)]
mod support;
