//! The objects that C holds: each begins with the C object that libfabric's functions know.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use philae_fi_sys::*;

pub(super) use super::endpoint_object::EndpointObject;
use crate::abi;
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

/// A domain.
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

/// A counter.
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

/// The fabric of a C handle.
///
/// # Safety
/// The handle is one of ours, and of this class.
pub(super) unsafe fn fabric<'a, C>(handle: *mut C) -> &'a FabricObject {
    // SAFETY: as the caller promises.
    unsafe { abi::object(handle) }
}

/// The domain of a C handle.
///
/// # Safety
/// As [`fabric`].
pub(super) unsafe fn domain<'a, C>(handle: *mut C) -> &'a Arc<OpenDomain> {
    // SAFETY: as the caller promises.
    unsafe { &abi::object::<DomainObject, _>(handle).domain }
}

/// The endpoint of a C handle.
///
/// # Safety
/// As [`fabric`].
pub(super) unsafe fn endpoint<'a, C>(handle: *mut C) -> &'a EndpointObject {
    // SAFETY: as the caller promises.
    unsafe { abi::object(handle) }
}

/// The completion queue of a C handle.
///
/// # Safety
/// As [`fabric`].
pub(super) unsafe fn queue<'a, C>(handle: *mut C) -> &'a QueueObject {
    // SAFETY: as the caller promises.
    unsafe { abi::object(handle) }
}

/// The counter of a C handle.
///
/// # Safety
/// As [`fabric`].
pub(super) unsafe fn counter<'a, C>(handle: *mut C) -> &'a CounterObject {
    // SAFETY: as the caller promises.
    unsafe { abi::object(handle) }
}

/// The address vector of a C handle.
///
/// # Safety
/// As [`fabric`].
pub(super) unsafe fn vector<'a, C>(handle: *mut C) -> &'a VectorObject {
    // SAFETY: as the caller promises.
    unsafe { abi::object(handle) }
}
