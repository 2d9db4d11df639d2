//! Features of shared dependencies, asked for in one place; there is no code.
//!
//! Invariant: `make demo`, `make build`, `make test`, `make wheel` and `make mpi-simulate` give
//! every third-party crate that they share the same features, so that it is compiled once.
