//! The class of an operation: what it asks of the network besides its work. It may use unordered
//! packets, do without an answer of its own or without retransmission, or go through the
//! processor's own bus. These are the vendor's flags, as fi_cxi(7) describes them.

use std::sync::atomic::Ordering;

use philae_fi_sys::*;
use philae_nic_core::nic::{AtomicOperation, AtomicType};

use super::messages::SEND_FLAGS;
use super::objects::EndpointObject;
use crate::abi::Errno;
use crate::domain::FiDomain;
use crate::operation::{AtomicAccess, AtomicForm, RemoteAccess, TransferBytes};
use crate::traffic::PacketClass;

/// The legal flags of reads and writes.
pub(super) const ACCESS_FLAGS: u64 = SEND_FLAGS | FI_CXI_HRP | FI_CXI_WEAK_FENCE;
/// The legal flags of atomic operations.
pub(super) const AMO_FLAGS: u64 = ACCESS_FLAGS | FI_CXI_UNRELIABLE | FI_CXI_PCIE_AMO | FI_TAGGED;
/// The most bytes of an operation in one restricted packet. Source: cassini_user_defs.h,
/// C_MAX_IDC_PAYLOAD_RES. Status: published.
pub(crate) const RESTRICTED_BYTES: usize = 224;

impl EndpointObject {
    fn class(&self, key: u64, flags: u64) -> PacketClass {
        if !self.core.domain.is_optimized(key) {
            return PacketClass::Unrestricted;
        }
        let is_ordered = self.orders.load(Ordering::Relaxed) & (FI_ORDER_RMA_WAW | FI_ORDER_WAW) != 0;
        match (flags & FI_CXI_HRP != 0, is_ordered) {
            (true, _) => PacketClass::HighRate,
            (false, false) => PacketClass::Restricted,
            (false, true) => PacketClass::Unrestricted,
        }
    }

    /// Sets the class of packets for a write. A write that notifies its target keeps its order.
    ///
    /// # Errors
    /// `EINVAL`: reads have no high rate; `EOPNOTSUPP`: writes with data are disabled.
    pub(crate) fn classify(&self, access: &mut RemoteAccess<'_>) -> Result<(), Errno> {
        if matches!(access.bytes, TransferBytes::Read(_)) {
            return if access.flags & FI_CXI_HRP == 0 { Ok(()) } else { Err(libc::EINVAL) };
        }
        if access.data.is_some() && !self.core.domain.settings.messages.has_write_data {
            return Err(libc::EOPNOTSUPP);
        }
        if access.data.is_none() {
            access.class = self.class(access.place.key, access.flags);
        }
        Ok(())
    }

    /// The same for an atomic operation.
    ///
    /// # Errors
    /// `EINVAL`: flags that exclude each other, or not a fast region; `EMSGSIZE`: more than one
    /// packet; `EOPNOTSUPP`: not possible through the processor's bus.
    pub(crate) fn classify_amo(&self, amo: &mut AtomicAccess<'_>) -> Result<(), Errno> {
        let has = |flag| amo.flags & flag != 0;
        if has(FI_CXI_PCIE_AMO) {
            let form = if amo.fetched.is_some() { AtomicForm::Fetching } else { AtomicForm::Plain };
            is_for_bus(&self.core.domain, form, amo.operation, amo.of_type, amo.length / amo.of_type.bytes())?;
        }
        if !has(FI_CXI_UNRELIABLE) {
            return if has(FI_CXI_HRP) { Err(libc::EINVAL) } else { Ok(()) };
        }
        if amo.fetched.is_some() || !self.core.domain.is_optimized(amo.place.key) {
            return Err(libc::EINVAL);
        }
        if amo.operand.len() + amo.comparand.len() > RESTRICTED_BYTES {
            return Err(libc::EMSGSIZE);
        }
        amo.is_unreliable = true;
        amo.class = if has(FI_CXI_HRP) { PacketClass::HighRate } else { PacketClass::Restricted };
        Ok(())
    }
}

/// Whether an operation is possible through the processor's bus. It must be a fetching addition of
/// integers of 32 or 64 bits that the target's own process carries out. Within a host the
/// initiator's process carries it out, which has no such access to another's memory.
///
/// # Errors
/// `EOPNOTSUPP`.
pub(crate) fn is_for_bus(
    domain: &FiDomain,
    form: AtomicForm,
    operation: AtomicOperation,
    of_type: AtomicType,
    count: usize,
) -> Result<(), Errno> {
    let is_whole = matches!(of_type, AtomicType::Int32 | AtomicType::Uint32 | AtomicType::Int64 | AtomicType::Uint64);
    let is_fetch_add = form == AtomicForm::Fetching && operation == AtomicOperation::Sum && is_whole && count == 1;
    if is_fetch_add && !domain.settings.wires.has_shared_memory { Ok(()) } else { Err(libc::EOPNOTSUPP) }
}
