//! What an operation asks of the network beside its work: packets that need no order, answers that are not its own, no
//! repetition, and the processor's own bus. The vendor's flags, as fi_cxi(7) describes them.

use std::sync::atomic::Ordering;

use philae_cassini::nic::{AtomicOperation, AtomicType};
use philae_fi_sys::*;

use super::access::{Access, Amo, Bytes};
use super::message_calls::SEND_FLAGS;
use super::object::Endpoint;
use crate::abi::Errno;
use crate::domain::{AtomicForm, Domain};

/// Flags that reads and writes may have.
pub(super) const ACCESS_FLAGS: u64 = SEND_FLAGS | FI_CXI_HRP | FI_CXI_WEAK_FENCE;
/// Flags that atomic operations may have.
pub(super) const AMO_FLAGS: u64 = ACCESS_FLAGS | FI_CXI_UNRELIABLE | FI_CXI_PCIE_AMO | FI_TAGGED;
/// Keys below this are of fast regions, where the program chooses keys. Source: fi_cxi(7). Status: published.
const OPTIMIZED_KEYS: u64 = 100;
/// Bytes of an operation in one restricted packet. Source: cassini_user_defs.h, C_MAX_IDC_PAYLOAD_RES. Status: published.
pub(crate) const RESTRICTED_BYTES: usize = 224;

/// Which packets carry an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Class {
    /// Ordered, with an answer of its own.
    #[default]
    Unrestricted,
    /// Without order: to a fast region, where no order was asked for.
    Restricted,
    /// The same, without an answer of its own: the network's is enough.
    HighRate,
}

impl Domain {
    /// Whether a key is of a fast region. Which keys of the provider's own are, is the target's secret: all may be.
    fn is_optimized(&self, key: u64) -> bool {
        self.options.optimized.load(Ordering::Relaxed)
            && (self.registration & FI_MR_PROV_KEY != 0 || key < OPTIMIZED_KEYS)
    }
}

impl Endpoint {
    fn class(&self, key: u64, flags: u64) -> Class {
        if !self.port().domain.is_optimized(key) {
            return Class::Unrestricted;
        }
        let is_ordered = self.orders.load(Ordering::Relaxed) & (FI_ORDER_RMA_WAW | FI_ORDER_WAW) != 0;
        match (flags & FI_CXI_HRP != 0, is_ordered) {
            (true, _) => Class::HighRate,
            (false, false) => Class::Restricted,
            (false, true) => Class::Unrestricted,
        }
    }

    /// Says which packets carry a write. One that the target is told of needs its order.
    ///
    /// # Errors
    /// `EINVAL`: reads have no high rate; `EOPNOTSUPP`: writes with data are switched off.
    pub(crate) fn classify(&self, access: &mut Access<'_>) -> Result<(), Errno> {
        if matches!(access.bytes, Bytes::Read(_)) {
            return if access.flags & FI_CXI_HRP == 0 { Ok(()) } else { Err(libc::EINVAL) };
        }
        if access.data.is_some() && !self.port().domain.settings.has_write_data {
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
    /// `EINVAL`: flags that do not go together, or a region that is none of the fast ones; `EMSGSIZE`: more than one packet;
    /// `EOPNOTSUPP`: not to be had by the processor's bus.
    pub(crate) fn classify_amo(&self, amo: &mut Amo<'_>) -> Result<(), Errno> {
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
        amo.class = if has(FI_CXI_HRP) { Class::HighRate } else { Class::Restricted };
        Ok(())
    }
}

/// Whether an operation can be had by the processor's bus: a fetching addition of whole numbers of 32 or 64 bits, and only
/// where the target's own process carries it out. Within a host it is the initiator's, which has no such way into
/// another's memory.
///
/// # Errors
/// `EOPNOTSUPP`.
pub(crate) fn is_for_bus(
    domain: &Domain,
    form: AtomicForm,
    operation: AtomicOperation,
    of_type: AtomicType,
    count: usize,
) -> Result<(), Errno> {
    let is_whole = matches!(of_type, AtomicType::Int32 | AtomicType::Uint32 | AtomicType::Int64 | AtomicType::Uint64);
    let is_fetch_add = form == AtomicForm::Fetching && operation == AtomicOperation::Sum && is_whole && count == 1;
    if is_fetch_add && !domain.settings.has_shared_memory { Ok(()) } else { Err(libc::EOPNOTSUPP) }
}

/// Adds to memory of this process in one step for everybody, the processor's own instructions included. What was there;
/// nothing where the address is not aligned.
///
/// # Safety
/// Memory of the operand's length lies at the address.
pub(crate) unsafe fn add_by_bus(address: u64, operand: &[u8], fetched: &mut [u8]) -> Option<()> {
    use std::sync::atomic::{AtomicU32, AtomicU64};
    let length = operand.len();
    if !address.is_multiple_of(length.max(1) as u64) || fetched.len() < length {
        return None;
    }
    // SAFETY: as the caller says, and it is aligned.
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
