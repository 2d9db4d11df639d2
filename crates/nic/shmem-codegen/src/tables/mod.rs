//! The tables: every page with its calls and its documentation, by part of the API, and the
//! constants.

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

/// The first argument of every call with a context.
pub const CTX_ARGUMENT: (&str, &str) =
    ("ctx", "The context that the operation is made on; SHMEM_CTX_DEFAULT in the form without it.");
/// The PE argument.
const PE: (&str, &str) = ("pe", "The PE, numbered in the team of the context; in the world where no context is given.");
/// The team argument.
const TEAM: (&str, &str) = ("team", "The team. Every PE of it calls.");
