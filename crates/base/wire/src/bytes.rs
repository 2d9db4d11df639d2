//! Big-endian fields in byte slices. Callers have checked the length, once, when they made their
//! view.

use crate::WireError;

pub(crate) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([bytes[at], bytes[at + 1]])
}

pub(crate) fn u24_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([0, bytes[at], bytes[at + 1], bytes[at + 2]])
}

pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(array_at(bytes, at))
}

pub(crate) fn u48_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u16_at(bytes, at)) << 32 | u64::from(u32_at(bytes, at + 2))
}

pub(crate) fn u56_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u24_at(bytes, at)) << 32 | u64::from(u32_at(bytes, at + 3))
}

pub(crate) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_be_bytes(array_at(bytes, at))
}

pub(crate) fn array_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[at..at + N]);
    array
}

pub(crate) fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    bytes[at..at + value.len()].copy_from_slice(value);
}

pub(crate) fn put_u16(bytes: &mut [u8], at: usize, value: u16) {
    put(bytes, at, &value.to_be_bytes());
}

pub(crate) fn put_u24(bytes: &mut [u8], at: usize, value: u32) {
    put(bytes, at, &value.to_be_bytes()[1..]);
}

pub(crate) fn put_u32(bytes: &mut [u8], at: usize, value: u32) {
    put(bytes, at, &value.to_be_bytes());
}

pub(crate) fn put_u48(bytes: &mut [u8], at: usize, value: u64) {
    put(bytes, at, &value.to_be_bytes()[2..]);
}

pub(crate) fn put_u56(bytes: &mut [u8], at: usize, value: u64) {
    put(bytes, at, &value.to_be_bytes()[1..]);
}

pub(crate) fn put_u64(bytes: &mut [u8], at: usize, value: u64) {
    put(bytes, at, &value.to_be_bytes());
}

/// Checks that there are at least `wanted` bytes.
pub(crate) fn at_least(format: &'static str, bytes: &[u8], wanted: usize) -> Result<(), WireError> {
    let found = bytes.len();
    if found >= wanted { Ok(()) } else { Err(WireError::Short { format, wanted, found }) }
}

/// Checks that `length` is at most `limit`.
pub(crate) fn at_most(format: &'static str, length: usize, limit: usize) -> Result<(), WireError> {
    if length <= limit { Ok(()) } else { Err(WireError::Long { format, limit, found: length }) }
}

/// The first `wanted` bytes of a buffer to write into.
pub(crate) fn room<'buffer>(
    format: &'static str,
    buffer: &'buffer mut [u8],
    wanted: usize,
) -> Result<&'buffer mut [u8], WireError> {
    let found = buffer.len();
    buffer.get_mut(..wanted).ok_or(WireError::NoRoom { format, wanted, found })
}

/// Checks that a field has the one value that the format allows.
pub(crate) fn expect(
    format: &'static str,
    field: &'static str,
    found: impl Into<u64>,
    wanted: impl Into<u64>,
    valid: &'static str,
) -> Result<(), WireError> {
    let found = found.into();
    if found == wanted.into() { Ok(()) } else { Err(WireError::Field { format, field, found, valid }) }
}

/// Defines a view: a struct over borrowed or owned bytes whose length `$check` has checked.
macro_rules! view {
    ($(#[$meta:meta])* $name:ident, $check:path) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name<T> {
            buffer: T,
        }

        impl<T: AsRef<[u8]>> $name<T> {
            /// A view over `buffer`, which may be longer than the format.
            ///
            /// # Errors
            /// [`WireError::Short`](crate::WireError::Short) if the bytes end before the format
            /// does, and [`WireError::Field`](crate::WireError::Field) if a length in them is
            /// impossible.
            pub fn new(buffer: T) -> Result<Self, $crate::WireError> {
                $check(buffer.as_ref())?;
                Ok(Self { buffer })
            }

            /// Returns the bytes.
            pub fn into_inner(self) -> T {
                self.buffer
            }

            pub(crate) fn bytes(&self) -> &[u8] {
                self.buffer.as_ref()
            }
        }
    };
}
pub(crate) use view;
