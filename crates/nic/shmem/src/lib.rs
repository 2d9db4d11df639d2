//! The core of `libphilae_shmem.so`, an OpenSHMEM library: everything below the typed functions.
//! Those are in C (`c/`, generated from the tables of `philae-shmem-codegen`).
//!
//! PEs of one host map each other's symmetric heap and static data, so that the header inlines most
//! calls as stores, loads and locked instructions. Calls that it does not inline, and errors, come
//! here.
//!
//! Invariants: wrong use ends with a message that names the function, the PE, what was found and
//! what is legal, never with a crash. The death of a PE makes no other PE hang. No segment outlives
//! its processes: it has no name that could be left behind. No panic crosses to C. Deliberately
//! absent: a process manager (`philae-launcher`) and a NIC (libfabric).

#![expect(unsafe_code, reason = "C calls this library, and processes share memory")]

pub mod abi;
pub mod collective;
pub mod ctx;
pub mod ctx_calls;
pub mod ending;
pub mod error;
mod handles;
pub mod info;
pub mod job;
pub mod lifecycle;
pub mod local;
pub mod log;
pub mod memory;
pub mod remote;
pub mod rma;
pub mod runtime;
pub mod session;
pub mod settings;
pub mod team;
pub mod team_calls;
