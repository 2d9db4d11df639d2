//! The packet engine's programs, from outside.
//!
//! One program: each file of tests that is a program of its own is compiled and linked with everything below it.

mod common;
mod parse;
mod programs;
