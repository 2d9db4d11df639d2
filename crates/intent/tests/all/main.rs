//! What documents say, from outside.
//!
//! One program: each file of tests that is a program of its own is compiled and linked with everything below it.

mod admission;
mod common;
mod composition;
mod documents;
