//! The class of an operation: what it asks of the network besides its work. It may use unordered
//! packets, do without an answer of its own or without retransmission, or go through the
//! processor's own bus. These are the vendor's flags, as fi_cxi(7) describes them.

use std::sync::atomic::Ordering;

use philae_fi_sys::*;
use philae_nic_core::nic::{AtomicOperation, AtomicType};

use super::access::{AtomicAccess, RemoteAccess, TransferBytes};
use super::message_calls::SEND_FLAGS;
use super::object::FiEndpoint;
use crate::abi::Errno;
use crate::domain::{AtomicForm, FiDomain};

/// The legal flags of reads and writes.
pub(super) const ACCESS_FLAGS: u64 = SEND_FLAGS | FI_CXI_HRP | FI_CXI_WEAK_FENCE;
/// The legal flags of atomic operations.
pub(super) const AMO_FLAGS: u64 = ACCESS_FLAGS | FI_CXI_UNRELIABLE | FI_CXI_PCIE_AMO | FI_TAGGED;
/// Keys below this belong to fast regions, if the program chooses keys. Source: fi_cxi(7).
/// Status: published.
const OPTIMIZED_KEYS: u64 = 100;
/// The most bytes of an operation in one restricted packet. Source: cassini_user_defs.h,
/// C_MAX_IDC_PAYLOAD_RES. Status: published.
pub(crate) const RESTRICTED_BYTES: usize = 224;

/// The class of packets that carry an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PacketClass {
    /// Ordered, with an answer of its own.
    #[default]
    Unrestricted,
    /// Unordered: to a fast region, if no order was requested.
    Restricted,
    /// The same, without an answer of its own: the network's is enough.
    HighRate,
}

impl FiDomain {
    /// Whether a key belongs to a fast region. Of the provider's own keys only the target knows
    /// which do, so all may.
    fn is_optimized(&self, key: u64) -> bool {
        self.options.optimized.load(Ordering::Relaxed)
            && (self.registration & FI_MR_PROV_KEY != 0 || key < OPTIMIZED_KEYS)
    }
}

impl FiEndpoint {
    fn class(&self, key: u64, flags: u64) -> PacketClass {
        if !self.port().domain.is_optimized(key) {
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
        if access.data.is_some() && !self.port().domain.settings.messages.has_write_data {
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
            is_for_bus(&self.port().domain, form, amo.operation, amo.of_type, amo.length / amo.of_type.bytes())?;
        }
        if !has(FI_CXI_UNRELIABLE) {
            return if has(FI_CXI_HRP) { Err(libc::EINVAL) } else { Ok(()) };
        }
        if amo.fetched.is_some() || !self.port().domain.is_optimized(amo.place.key) {
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

/// Adds to memory of this process, atomically with respect to everything including the processor's
/// own instructions. Returns the old value; `None` if the address is not aligned.
///
/// # Safety
/// The address has memory of the operand's length.
pub(crate) unsafe fn add_by_bus(address: u64, operand: &[u8], fetched: &mut [u8]) -> Option<()> {
    use std::sync::atomic::{AtomicU32, AtomicU64};
    let length = operand.len();
    if !address.is_multiple_of(length.max(1) as u64) || fetched.len() < length {
        return None;
    }
    // SAFETY: as the caller promises, and it is aligned.
    unsafe {
        match length {
            4 => {
                let place = AtomicU32::from_ptr(address as usize as *mut u32);
                let operand = u32::from_ne_bytes(operand.try_into().ok()?);
                fetched[..4].copy_from_slice(&place.fetch_add(operand, Ordering::SeqCst).to_ne_bytes());
            }
            8 => {
                let place = AtomicU64::from_ptr(address as usize as *mut u64);
                let operand = u64::from_ne_bytes(operand.try_into().ok()?);
                fetched[..8].copy_from_slice(&place.fetch_add(operand, Ordering::SeqCst).to_ne_bytes());
            }
            _ => return None,
        }
    }
    Some(())
}
