//! The interface to libfabric in C's layout: structures, function tables, flags and numbers.
//!
//! Invariant: sizes and offsets are those of the installed headers; a test asks a C compiler for
//! each of them. Later versions of libfabric made some objects longer (`fi_info` and the objects
//! that it refers to). The loaded library allocates those, never this crate, so that their ends may
//! be unknown.

#![expect(unsafe_code, reason = "libfabric is opened at run time, and what it hands out is called")]
#![expect(non_camel_case_types, reason = "names are those of the C interface, which fi_*(3) explain")]

#[macro_use]
mod functions;

mod atomic;
mod cm;
mod collective;
mod constants;
mod cxi;
mod domain;
mod endpoint;
mod eq;
mod fabric;
mod handlers;
mod library;
mod provider;
mod rma;
mod tagged;
mod trigger;

pub use atomic::*;
pub use cm::*;
pub use collective::*;
pub use constants::*;
pub use cxi::*;
pub use domain::*;
pub use endpoint::*;
pub use eq::*;
pub use fabric::*;
pub use functions::*;
pub use handlers::*;
pub use library::*;
pub use provider::*;
pub use rma::*;
pub use tagged::*;
pub use trigger::*;

/// An address in an address vector.
pub type fi_addr_t = u64;

/// A set of addresses; opaque.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct fid_av_set {
    pub fid: fid,
}
