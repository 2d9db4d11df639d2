//! What an inventory is, from outside.
//!
//! One program: each file of tests that is a program of its own is compiled and linked with everything below it.

mod cabling;
mod compare;
mod formats;
mod netlists;
mod slurm;
mod template;
