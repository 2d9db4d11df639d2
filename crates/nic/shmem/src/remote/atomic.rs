//! Atomic operations on integers of 2, 4 and 8 bytes. None of them depends on signs, and
//! floating-point numbers are only fetched, set and swapped. So all numbers are unsigned here.

use std::ffi::c_uint;

use philae_fi_sys::*;

use super::context::{ContextCore, RemoteContext};
use super::endpoint::{About, Awaited, RmaEndpoint};
use super::error::RemoteError;
use super::nic::OpenNic;
use super::operation::{RmaKind, RmaOperation, has_atomic};
use crate::session;

/// What an atomic operation does to a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmoEffect {
    /// Returns the number.
    Fetch,
    /// Replaces it; with a result, returns the old value.
    Set,
    /// Replaces it if it equals the comparand; returns the old value.
    CompareSwap,
    /// Adds the operand; with a result, returns the old value, as do the following ones.
    Add,
    /// Bitwise AND.
    And,
    /// Bitwise OR.
    Or,
    /// Bitwise exclusive OR.
    Xor,
}

impl AmoEffect {
    const fn change(self) -> c_uint {
        match self {
            Self::Fetch => FI_ATOMIC_READ,
            Self::Set => FI_ATOMIC_WRITE,
            Self::CompareSwap => FI_CSWAP,
            Self::Add => FI_SUM,
            Self::And => FI_BAND,
            Self::Or => FI_BOR,
            Self::Xor => FI_BXOR,
        }
    }

    /// The number's new value.
    const fn result(self, old: u16, operand: u16, compare: u16) -> u16 {
        match self {
            Self::Fetch => old,
            Self::Set => operand,
            Self::CompareSwap => {
                if old == compare {
                    operand
                } else {
                    old
                }
            }
            Self::Add => old.wrapping_add(operand),
            Self::And => old & operand,
            Self::Or => old | operand,
            Self::Xor => old ^ operand,
        }
    }
}

/// The width of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// 2 bytes.
    Two,
    /// 4 bytes.
    Four,
    /// 8 bytes.
    Eight,
}

impl Width {
    /// The width of `bytes` bytes.
    #[must_use]
    pub const fn of(bytes: usize) -> Option<Self> {
        match bytes {
            2 => Some(Self::Two),
            4 => Some(Self::Four),
            8 => Some(Self::Eight),
            _ => None,
        }
    }

    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Two => 2,
            Self::Four => 4,
            Self::Eight => 8,
        }
    }

    const fn datatype(self) -> c_uint {
        match self {
            Self::Two => FI_UINT16,
            Self::Four => FI_UINT32,
            Self::Eight => FI_UINT64,
        }
    }
}

/// All forms that each width needs.
const FORMS: [(RmaKind, c_uint); 11] = [
    (RmaKind::Fetch, FI_ATOMIC_READ),
    (RmaKind::Atomic, FI_ATOMIC_WRITE),
    (RmaKind::Fetch, FI_ATOMIC_WRITE),
    (RmaKind::Compare, FI_CSWAP),
    (RmaKind::Atomic, FI_SUM),
    (RmaKind::Fetch, FI_SUM),
    (RmaKind::Atomic, FI_BXOR),
    (RmaKind::Fetch, FI_BAND),
    (RmaKind::Fetch, FI_BOR),
    (RmaKind::Atomic, FI_BAND),
    (RmaKind::Atomic, FI_BOR),
];

/// Whether the NIC also supports atomic operations on numbers of 2 bytes.
///
/// # Errors
/// The NIC does not even support all that 4 and 8 bytes need.
pub(super) fn has_native(endpoint: &RmaEndpoint, nic: &OpenNic) -> Result<bool, RemoteError> {
    // SAFETY: the endpoint exists.
    let has = |width: Width| unsafe {
        FORMS.iter().all(|&(kind, change)| has_atomic(endpoint.raw, kind, width.datatype(), change))
    };
    if !has(Width::Four) || !has(Width::Eight) {
        return Err(RemoteError::Call {
            call: "fi_atomicvalid",
            provider: nic.provider.clone(),
            why: "numbers of 4 and 8 bytes cannot be read, written, swapped, compared, added to and changed bit by bit"
                .to_owned(),
        });
    }
    Ok(has(Width::Two))
}

/// A requested operation.
#[derive(Clone, Copy)]
struct Asked {
    amo: AmoEffect,
    width: Width,
    operand: u64,
    compare: u64,
    /// Null: no result is returned.
    result: *mut u8,
}

impl ContextCore {
    /// Begins an operation, with or without a waiter.
    ///
    /// # Safety
    /// The result's memory and the `Awaited` stay valid until the operation has ended.
    unsafe fn change(&self, about: About, asked: Asked, awaited: Option<&Awaited>) -> Result<(), RemoteError> {
        let Asked { amo, width, operand, compare, result } = asked;
        let (bytes, pe) = (width.bytes(), about.pe);
        let (address, key) = self.network.remote(about.what, pe, about.address as usize, bytes)?;
        let kind = match (amo, result.is_null()) {
            (AmoEffect::CompareSwap, _) => RmaKind::Compare,
            (_, true) => RmaKind::Atomic,
            (_, false) => RmaKind::Fetch,
        };
        let mut state = self.state();
        let state = &mut *state;
        // The processor's byte order: the number is the first of the 8 bytes.
        let number = |value: u64| match width {
            Width::Two => u64::from_ne_bytes(first(&(value as u16).to_ne_bytes())),
            Width::Four => u64::from_ne_bytes(first(&(value as u32).to_ne_bytes())),
            Width::Eight => value,
        };
        let [operand, compare] = self.slots(state, number(operand), number(compare))?;
        let mut operation = RmaOperation::new(kind, self.endpoint.nic.peer(pe), address, key);
        (operation.local, operation.bytes) = (operand, bytes);
        (operation.compare, operation.result) = (compare, result);
        (operation.datatype, operation.change) = (width.datatype(), amo.change());
        operation.descriptors[0] = self.descriptor(state, operand as usize, bytes)?;
        operation.descriptors[1] = self.descriptor(state, compare as usize, bytes)?;
        if !result.is_null() {
            operation.descriptors[2] = self.descriptor(state, result as usize, bytes)?;
        }
        let of_session = if kind == RmaKind::Atomic {
            session::SessionOperation::Amo
        } else {
            session::SessionOperation::FetchingAmo
        };
        if kind == RmaKind::Atomic {
            let vendor = self.vendor_flags(state, of_session, pe);
            operation.flags = FI_INJECT | if vendor == 0 { self.level(state, of_session, pe) } else { vendor };
        }
        // SAFETY: operands lie in slots until the operation has ended; the rest is as the caller
        // promises.
        unsafe {
            match awaited {
                Some(awaited) => self.begin_awaited(state, operation, awaited, false),
                None => self.begin(state, operation, about, of_session, false),
            }
        }
    }

    /// For explicit handles: begins an operation and registers its waiter.
    ///
    /// # Safety
    /// As [`change`](Self::change).
    pub unsafe fn begin_change(
        &self,
        amo: AmoEffect,
        width: Width,
        operands: [u64; 2],
        result: *mut u8,
        awaited: &Awaited,
    ) -> Result<(), RemoteError> {
        let [operand, compare] = operands;
        // SAFETY: as the caller promises.
        unsafe { self.change(awaited.about, Asked { amo, width, operand, compare, result }, Some(awaited)) }
    }
}

/// The first of 8 bytes.
fn first(bytes: &[u8]) -> [u8; 8] {
    let mut all = [0; 8];
    all[..bytes.len()].copy_from_slice(bytes);
    all
}

impl RemoteContext {
    /// Changes a number of a PE in one step. If a result is wanted, it is there on return; a
    /// nonblocking call has it after the next quiet.
    ///
    /// # Errors
    /// [`RemoteError`].
    ///
    /// # Safety
    /// The result is null or has room for a number, for a nonblocking call until the next quiet.
    /// Operations that fetch or compare have one.
    pub unsafe fn amo(
        &self,
        what: &'static str,
        (amo, width): (AmoEffect, Width),
        (dest, pe): (usize, u32),
        [operand, compare]: [u64; 2],
        result: *mut u8,
        is_nonblocking: bool,
    ) -> Result<(), RemoteError> {
        let about = About { what, pe, address: dest as u64 };
        if width == Width::Two && !self.core.network.has_short_atomics {
            let old = self.amo_by_comparing(about, amo, [operand as u16, compare as u16])?;
            if !result.is_null() {
                // SAFETY: as the caller promises.
                unsafe { result.cast::<u16>().write_unaligned(old) };
            }
            return Ok(());
        }
        let asked = Asked { amo, width, operand, compare, result };
        if result.is_null() || is_nonblocking {
            // SAFETY: as the caller promises.
            return unsafe { self.core.change(about, asked, None) };
        }
        let awaited = Awaited::new(about);
        // SAFETY: as the caller promises; the call waits for the awaited operation immediately.
        let begun = unsafe { self.core.change(about, asked, Some(&awaited)) };
        begun.and(self.core.endpoint.wait_for(&awaited))
    }

    /// Changes a number of 2 bytes by compare-and-swap on the 4 bytes around it. Repeats until no
    /// other operation has changed them meanwhile.
    fn amo_by_comparing(&self, about: About, amo: AmoEffect, [operand, compare]: [u16; 2]) -> Result<u16, RemoteError> {
        let base = about.address as usize & !3;
        let within = about.address as usize - base;
        let mut word = [0_u8; 4];
        let step = |amo: AmoEffect, operands: [u64; 2], word: &mut [u8; 4]| {
            let what = (amo, Width::Four);
            // SAFETY: the result has room for 4 bytes.
            unsafe { self.amo(about.what, what, (base, about.pe), operands, word.as_mut_ptr(), false) }
        };
        step(AmoEffect::Fetch, [0, 0], &mut word)?;
        loop {
            let old = u16::from_ne_bytes([word[within], word[within + 1]]);
            let new = amo.result(old, operand, compare);
            if new == old && matches!(amo, AmoEffect::Fetch | AmoEffect::CompareSwap) {
                return Ok(old);
            }
            let mut wanted = word;
            wanted[within..within + 2].copy_from_slice(&new.to_ne_bytes());
            let before = word;
            let operands = [u32::from_ne_bytes(wanted), u32::from_ne_bytes(before)].map(u64::from);
            step(AmoEffect::CompareSwap, operands, &mut word)?;
            if word == before {
                return Ok(old);
            }
        }
    }
}
