//! A client of libfabric, which it opens at run time: one endpoint that communicates with one
//! other, for measurements. It calls providers through their function tables, as the inline
//! functions of libfabric's headers do.
//!
//! Invariant: an unexpected answer of a provider is an error with the name of the call, and a
//! silent peer is an error after [`PATIENCE`]. Deliberately absent: more than one peer, threads.

#![expect(unsafe_code, reason = "it calls C, and providers write into its memory")]

mod library;
mod measure;
mod post;

pub use library::{FiClient, FiClientError, PATIENCE};
pub use measure::{Measurement, MeasuringRole, OverlapCost, WINDOW};
pub use post::MeasuredOperation;
