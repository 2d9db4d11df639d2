//! Published experiments, validation against the targets, benchmarks.
