//! Features of shared dependencies, asked for in one place; there is no code.
//!
//! Invariant: `make build`, `make test` and `make wheel` give every third-party crate the same features, so that it is compiled once.
