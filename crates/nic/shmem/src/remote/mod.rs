//! PEs that are reached through a NIC: those of other hosts, and those of this host for which the
//! environment asks it. libfabric is opened at run time.
//!
//! A PE has one target endpoint, on the NIC that is its home. Its symmetric memory is registered
//! there, and all operations on it go there, so that the same NIC carries out all atomic
//! operations. A PE issues operations through one endpoint per context: contexts share no queue, no
//! counter and no lock.
//!
//! Blocking puts return when their source may be reused. [`RemoteContext::local_complete`] waits
//! until that is true of all puts; [`RemoteContext::quiet`] waits until all are in their targets'
//! memory.

mod atomic;
mod calls;
mod context;
mod deferred;
mod endpoint;
mod error;
mod exports;
mod handle;
mod locality;
mod network;
mod nic;
mod nic_policy;
mod operation;
mod pages;
mod progress;
mod protocol;
mod provider;
mod region;
mod rule;
mod settings;
mod thread;
mod transfer;
mod transport;
pub(crate) mod waits;

pub use atomic::{AmoEffect, Width};
pub(crate) use calls::{AnyAtomics, Guarantee, Introduced, by_nic, by_processor, flush};
pub use context::RemoteContext;
pub use error::RemoteError;
pub use handle::OperationHandle;
pub(crate) use locality::ranges;
pub use locality::{HostMember, Locality};
pub use network::{Bootstrap, RemoteNetwork};
pub use nic_policy::NicPolicy;
pub(crate) use pages::PageRead;
pub use protocol::{ProtocolCounts, PutProtocol};
pub use region::LocalRange;
pub use rule::{AtomicsBy, AtomicsChoice, ProviderAtomics, atomics_by};
pub use settings::{PutCompletion, Registration, RemoteSettings, VARIABLES};
pub use transfer::{SignalOperation, Strides};
pub(crate) use transport::CollectiveTransport;

/// Whether the provider takes part in a simulated run (`philae run --simulate`).
pub fn is_simulated() -> bool {
    std::env::var_os("FI_PHILAE_WIRES").is_some_and(|wires| wires == "sim")
}
