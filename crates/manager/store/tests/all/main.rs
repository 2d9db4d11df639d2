//! Tests of the store through its public interface.
//!
//! All tests are one program, because each test file that is a program of its own would be compiled
//! and linked with all dependencies.

mod backups;
mod basics;
mod faults;
mod formats;
mod kill;
mod model;
mod standby;
#[cfg(test)]
mod support;
