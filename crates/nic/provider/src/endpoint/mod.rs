//! Endpoints: the NIC's process numbers, in libfabric's terms.
//!
//! [`FiEndpoint`] has an endpoint's state: its area, its peers, its outstanding operations. The
//! modules next to it carry operations out, by kind. The functions that C calls are in
//! [`entry`](crate::entry).

mod access;
mod bindings;
mod counted;
mod departure;
mod fetching;
mod fi_endpoint;
mod peer;
mod pollable;
mod reach;
mod receive;
mod simulated;
mod software;
mod software_matching;
mod traced;
mod transmit;
mod unexpected_buffer;

#[cfg(test)]
pub(crate) use bindings::OperationCounters;
pub(crate) use bindings::{Bindings, Bound};
pub(crate) use fetching::FETCHED;
pub(crate) use fi_endpoint::{FiEndpoint, REGIONS};
pub(crate) use unexpected_buffer::IN_UNEXPECTED_BUFFER;
