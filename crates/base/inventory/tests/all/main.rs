//! Tests of the inventory through its public interface.
//!
//! All tests are one program, because each test file that is a program of its own would be compiled
//! and linked with all dependencies.

mod cabling;
mod compare;
mod formats;
mod netlists;
mod slurm;
mod template;
