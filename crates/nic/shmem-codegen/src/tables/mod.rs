//! The tables: every page with its calls and its documentation, by part of the API, and the
//! constants.

mod arguments;
mod atomics;
mod collectives;
pub mod constants;
mod contexts;
mod deprecated;
pub mod environment;
mod extensions;
mod memory;
mod ordering;
mod reductions;
mod rma;
mod sandia;
mod setup;
mod signals;
mod strided;
mod teams;
mod vendor;
mod waits;

pub use self::arguments::CTX_ARGUMENT;
use crate::page::ManualPage;

/// All pages, part by part.
pub const PAGES: &[&[ManualPage]] = &[
    setup::PAGES,
    memory::PAGES,
    teams::PAGES,
    contexts::PAGES,
    rma::PAGES,
    strided::PAGES,
    atomics::PAGES,
    signals::PAGES,
    ordering::PAGES,
    waits::PAGES,
    collectives::PAGES,
    reductions::PAGES,
    deprecated::PAGES,
    extensions::PAGES,
    vendor::PAGES,
    sandia::PAGES,
];
