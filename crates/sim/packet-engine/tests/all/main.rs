//! Tests of the packet engine's programs through its public interface.
//!
//! All tests are one program, because each test file that is a program of its own would be compiled
//! and linked with all dependencies.

mod common;
mod parse;
mod programs;
