//! The objects that C holds: each begins with the C object that libfabric's functions know.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use philae_fi_sys::*;

pub(super) use super::endpoint_object::EndpointObject;
use crate::address_vector::Addresses;
use crate::completion_queue::FiCompletionQueue;
use crate::counter::FiCounter;
use crate::open_domain::OpenDomain;

/// A fabric, from which domains are opened.
#[repr(C)]
pub(super) struct FabricObject {
    pub fid: fid_fabric,
    /// The number of open domains and queues.
    pub users: Arc<AtomicUsize>,
}

#[repr(C)]
pub(super) struct DomainObject {
    pub fid: fid_domain,
    pub domain: Arc<OpenDomain>,
    pub fabric_users: Arc<AtomicUsize>,
}

/// A completion queue.
#[repr(C)]
pub(super) struct QueueObject {
    pub fid: fid_cq,
    pub queue: Arc<FiCompletionQueue>,
    pub domain: Arc<OpenDomain>,
}

#[repr(C)]
pub(super) struct CounterObject {
    pub fid: fid_cntr,
    pub counter: Arc<FiCounter>,
    pub domain: Arc<OpenDomain>,
}

/// An address vector.
#[repr(C)]
pub(super) struct VectorObject {
    pub fid: fid_av,
    pub addresses: Arc<Addresses>,
    pub domain: Arc<OpenDomain>,
}

/// The class of each object.
macro_rules! classes {
    ($($object:ident: $class:ident,)*) => {
        $(impl FiObject for $object {
            const CLASS: u32 = $class;
        })*
    };
}
classes! {
    FabricObject: FI_CLASS_FABRIC,
    DomainObject: FI_CLASS_DOMAIN,
    EndpointObject: FI_CLASS_EP,
    QueueObject: FI_CLASS_CQ,
    CounterObject: FI_CLASS_CNTR,
    VectorObject: FI_CLASS_AV,
}
