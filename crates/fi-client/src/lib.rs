//! A client of libfabric, which is opened at run time: one endpoint that talks to one other, for measurements. It calls
//! providers through the tables that they hand out, as the inline functions of libfabric's headers do.
//!
//! Invariant: whatever a provider answers is an error with the call's name or an answer; a peer that says nothing is an error
//! after [`PATIENCE`]. Deliberately absent: more than one peer, threads.

#![expect(unsafe_code, reason = "it calls C, and providers write into its memory")]

mod library;
mod measure;
mod post;

pub use library::{Client, ClientError, PATIENCE};
pub use measure::{Measured, Overlapped, Part, WINDOW};
pub use post::Operation;
