//! The functions that C calls, by object: they check what C passes, and call the layers below.
//!
//! [`objects`] has the objects that C holds. Each other module has the tables of one of them.

mod address_vector;
mod atomics;
mod class;
mod completion_queue;
mod counter;
mod deferred;
mod domain;
mod endpoint;
mod endpoint_object;
mod event_queue;
mod extension;
pub(crate) mod fabric;
pub(crate) mod info;
mod key;
mod messages;
mod nic;
mod objects;
mod region;
mod rma;
