//! Tests of routes, from outside.
//!
//! This is one program, because each test file that is a program of its own is compiled and linked
//! with all its dependencies.

mod common;
mod file;
mod plan;
