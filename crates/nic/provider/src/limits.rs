//! Limits of the NIC that programs and several modules know.

use philae_fi_sys::*;

/// The most bytes of an injected operation. Source: fi_cxi(7), C_MAX_IDC_PAYLOAD_UNR.
/// Status: published.
pub(crate) const INJECT_BYTES: usize = 192;
/// The most bytes of a message. Source: fi_cxi(7). Status: published.
pub(crate) const MESSAGE_BYTES: usize = u32::MAX as usize;

/// The most bytes of one atomic operation. Source: ours; the vendor's NIC takes one element.
/// Status: assumed.
pub(crate) const ATOMIC_BYTES: usize = 4_096;

/// The most bytes of a message that its receiver's NIC can keep: those of the largest block.
pub(crate) const EAGER_MAX: usize = 16_384;

/// The size of a key: a service and a virtual network. Source: fi_cxi_ext.h, struct cxi_auth_key.
/// Status: published.
pub(crate) const AUTH_KEY_BYTES: usize = 8;

/// Operations are carried out one after the other, so the provider keeps every order that libfabric
/// has a name for.
pub(crate) const ORDERS: u64 = FI_ORDER_STRICT
    | FI_ORDER_RMA_RAR
    | FI_ORDER_RMA_RAW
    | FI_ORDER_RMA_WAR
    | FI_ORDER_RMA_WAW
    | FI_ORDER_ATOMIC_RAR
    | FI_ORDER_ATOMIC_RAW
    | FI_ORDER_ATOMIC_WAR
    | FI_ORDER_ATOMIC_WAW
    | FI_ORDER_DATA;
