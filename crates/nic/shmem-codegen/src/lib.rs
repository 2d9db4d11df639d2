//! The tables of OpenSHMEM 1.6, of its deprecated names and of the `shmemx_` extensions, and the
//! renderers of the tables. The output is `include/shmem.h`, `shmemx.h`, `pshmem.h` and
//! `philae/shmem_bodies.h`, the exported C definitions and their version script, `docs/shmem/api/`
//! and the man pages.
//!
//! Invariant: a public name of the library is written once, here; headers, library, documents and
//! tests follow from it. Deliberately absent: the functions' implementation
//! (`include/philae/shmem_inline.h` and the crate `philae-shmem`).

pub mod expand;
pub mod page;
pub mod prototype;
pub mod render;
pub mod tables;
pub mod types;

pub use expand::{Function, functions};
pub use page::{ApiPart, CallPrototype, Expansion, ManualPage};
pub use types::{Type, TypeSet};
