//! Atomic operations on this process's own memory that are also atomic with respect to the
//! processor's instructions, with which other processes may change shared memory at the same time.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

use philae_nic_core::nic::{AtomicError, AtomicOperation, AtomicType, apply};

/// The change of each element.
#[derive(Clone, Copy)]
pub(crate) struct ElementChange<'m> {
    pub operation: AtomicOperation,
    pub of_type: AtomicType,
    pub operand: &'m [u8],
    pub comparand: &'m [u8],
}

/// Carries out a change of `length` bytes at an address. Elements of up to 8 bytes at their natural
/// alignment change in one step of the processor. Others are read and written, and only the NIC's
/// lock makes that one step.
///
/// # Errors
/// [`AtomicError`].
///
/// # Safety
/// The address has this many bytes of memory, which may be changed.
pub(crate) unsafe fn change(
    address: u64,
    length: usize,
    change: ElementChange<'_>,
    mut fetched: Option<&mut [u8]>,
) -> Result<(), AtomicError> {
    let ElementChange { operation, of_type, operand, comparand } = change;
    let element = of_type.bytes();
    let is_natural = element <= 8 && address.is_multiple_of(element as u64) && length.is_multiple_of(element);
    let fits = |range: &[u8]| range.is_empty() || range.len() == length;
    if !is_natural || !fits(operand) || !fits(comparand) {
        // SAFETY: as the caller promises.
        let target = unsafe { std::slice::from_raw_parts_mut(address as usize as *mut u8, length) };
        return apply(operation, of_type, target, operand, comparand, fetched);
    }
    for at in (0..length).step_by(element) {
        let part = |range: &'_ [u8]| if range.is_empty() { 0..0 } else { at..at + element };
        let (operand, comparand) = (&operand[part(operand)], &comparand[part(comparand)]);
        let place = (address as usize + at) as *mut u8;
        let changed = |old: &[u8; 8]| {
            let mut new = *old;
            apply(operation, of_type, &mut new[..element], operand, comparand, None)?;
            Ok((operation != AtomicOperation::Read).then_some(new))
        };
        // SAFETY: as the caller promises, and the place is aligned.
        let before = unsafe {
            match element {
                1 => exchange::<AtomicU8>(place, changed)?,
                2 => exchange::<AtomicU16>(place, changed)?,
                4 => exchange::<AtomicU32>(place, changed)?,
                _ => exchange::<AtomicU64>(place, changed)?,
            }
        };
        if let Some(fetched) = fetched.as_deref_mut() {
            fetched[at..at + element].copy_from_slice(&before[..element]);
        }
    }
    Ok(())
}

/// Retries a change of a place until no other change intervenes; returns the old bytes, as the
/// first ones of 8.
///
/// # Safety
/// The place has an aligned number of this type.
unsafe fn exchange<P: Place>(
    place: *mut u8,
    changed: impl Fn(&[u8; 8]) -> Result<Option<[u8; 8]>, AtomicError>,
) -> Result<[u8; 8], AtomicError> {
    // SAFETY: as the caller promises.
    unsafe {
        let mut old = P::load(place);
        while let Some(new) = changed(&old)? {
            match P::replace(place, old, new) {
                Ok(()) => break,
                Err(seen) => old = seen,
            }
        }
        Ok(old)
    }
}

/// Numbers that the processor changes in one step, represented as the first of 8 bytes.
trait Place {
    /// # Safety
    /// The place has an aligned number of this type.
    unsafe fn load(place: *mut u8) -> [u8; 8];
    /// Writes the new number if the old one is in the place; otherwise returns the present one.
    ///
    /// # Safety
    /// As above.
    unsafe fn replace(place: *mut u8, old: [u8; 8], new: [u8; 8]) -> Result<(), [u8; 8]>;
}

macro_rules! places {
    ($($of_type:ty: $number:ty),*) => { $(
        impl Place for $of_type {
            unsafe fn load(place: *mut u8) -> [u8; 8] {
                // SAFETY: as the caller promises.
                let found = unsafe { Self::from_ptr(place.cast()) }.load(Ordering::SeqCst);
                let mut bytes = [0; 8];
                bytes[..size_of::<$number>()].copy_from_slice(&found.to_ne_bytes());
                bytes
            }

            unsafe fn replace(place: *mut u8, old: [u8; 8], new: [u8; 8]) -> Result<(), [u8; 8]> {
                let number = |bytes: [u8; 8]| {
                    let first = bytes[..size_of::<$number>()].try_into().expect("the first of 8 bytes");
                    <$number>::from_ne_bytes(first)
                };
                // SAFETY: as the caller promises.
                let place = unsafe { Self::from_ptr(place.cast()) };
                place.compare_exchange_weak(number(old), number(new), Ordering::SeqCst, Ordering::SeqCst).map(drop).map_err(
                    |seen| {
                        let mut bytes = [0; 8];
                        bytes[..size_of::<$number>()].copy_from_slice(&seen.to_ne_bytes());
                        bytes
                    },
                )
            }
        }
    )* };
}
places!(AtomicU8: u8, AtomicU16: u16, AtomicU32: u32, AtomicU64: u64);

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

#[cfg(test)]
mod tests {
    use super::*;

    fn one(operation: AtomicOperation, operand: &[u8], comparand: &[u8]) -> ElementChange<'static> {
        let kept = |bytes: &[u8]| -> &'static [u8] { Box::leak(bytes.to_vec().into_boxed_slice()) };
        ElementChange { operation, of_type: AtomicType::Uint32, operand: kept(operand), comparand: kept(comparand) }
    }

    #[test]
    fn nothing_is_lost_beside_the_processors_own_additions() {
        let places = [const { AtomicU32::new(0) }; 2];
        let address = places.as_ptr() as u64;
        const EACH: u32 = 100_000;
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..EACH {
                    places[0].fetch_add(1, Ordering::SeqCst);
                }
            });
            let ones = [1_u32.to_ne_bytes(), 1_u32.to_ne_bytes()].concat();
            let add = one(AtomicOperation::Sum, &ones, &[]);
            let mut fetched = [0; 8];
            for _ in 0..EACH {
                // SAFETY: both numbers are at the addresses.
                unsafe { change(address, 8, add, Some(&mut fetched)) }.expect("an addition");
            }
            assert_eq!(fetched[4..], (EACH - 1).to_ne_bytes());
        });
        assert_eq!(places.map(AtomicU32::into_inner), [2 * EACH, EACH]);
    }

    #[test]
    fn what_is_compared_reads_and_does_not_fit_is_as_without() {
        let place = AtomicU32::new(5);
        let address = place.as_ptr() as u64;
        let (five, nine) = (5_u32.to_ne_bytes(), 9_u32.to_ne_bytes());
        let mut fetched = [0; 4];
        // SAFETY: the number is at the address.
        unsafe {
            change(address, 4, one(AtomicOperation::SwapIfEqual, &nine, &five), Some(&mut fetched)).expect("a swap");
            assert_eq!((place.load(Ordering::SeqCst), u32::from_ne_bytes(fetched)), (9, 5));
            change(address, 4, one(AtomicOperation::SwapIfEqual, &five, &five), Some(&mut fetched)).expect("no swap");
            assert_eq!((place.load(Ordering::SeqCst), u32::from_ne_bytes(fetched)), (9, 9));
            change(address, 4, one(AtomicOperation::Read, &[], &[]), Some(&mut fetched)).expect("a read");
            assert_eq!(u32::from_ne_bytes(fetched), 9);
            let short = change(address, 4, one(AtomicOperation::Sum, &[1, 0], &[]), None);
            assert!(matches!(short, Err(AtomicError::Length { bytes: 2, .. })), "{short:?}");
        }
    }
}
