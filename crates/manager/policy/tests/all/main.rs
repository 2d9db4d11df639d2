//! Tests of documents through the public interface.
//!
//! All tests are one program, because each test file that is a program of its own would be compiled
//! and linked with all dependencies.

mod admission;
mod common;
mod composition;
mod documents;
