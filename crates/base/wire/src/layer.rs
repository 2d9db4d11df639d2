//! Puts headers around a payload without a copy from layer to layer.

use crate::WireError;
use crate::bytes::room;

/// A header, and perhaps padding and a trailer, around a payload.
pub trait WireLayer {
    /// Bytes in front of the payload.
    fn header_len(&self) -> usize;

    /// Total bytes around a payload of `payload_len` bytes.
    fn buffer_len(&self, payload_len: usize) -> usize {
        self.header_len() + payload_len
    }

    /// Writes the layer around the payload, which the caller has put at
    /// [`header_len`](Self::header_len).
    ///
    /// The first [`buffer_len`](Self::buffer_len) bytes of `buffer` are the layer; the rest stays
    /// unchanged.
    ///
    /// # Errors
    /// [`WireError::NoRoom`] if `buffer` is shorter, [`WireError::Long`] if the payload does not
    /// fit the format's length field.
    fn emit(&self, buffer: &mut [u8], payload_len: usize) -> Result<(), WireError>;
}

/// Bytes of `layers`, outermost first, around a payload of `payload_len` bytes.
#[must_use]
pub fn stack_len(layers: &[&dyn WireLayer], payload_len: usize) -> usize {
    layers.iter().rev().fold(payload_len, |length, layer| layer.buffer_len(length))
}

/// Writes `layers`, outermost first, around `payload`; returns the bytes written.
///
/// From the inside out, because an outer checksum covers the inner layers. For tests and for code
/// that does not run per packet: the hot path calls [`WireLayer::emit`] of the types it knows.
///
/// # Errors
/// [`WireError::NoRoom`] if `buffer` is shorter than [`stack_len`], and the errors of each layer's
/// `emit`.
pub fn emit_stack(layers: &[&dyn WireLayer], payload: &[u8], buffer: &mut [u8]) -> Result<usize, WireError> {
    let whole = stack_len(layers, payload.len());
    let buffer = room("stack of layers", buffer, whole)?;
    match layers.split_first() {
        None => buffer.copy_from_slice(payload),
        Some((outer, inner)) => {
            let inner_len = stack_len(inner, payload.len());
            let inside = outer.header_len()..outer.header_len() + inner_len;
            emit_stack(inner, payload, &mut buffer[inside])?;
            outer.emit(buffer, inner_len)?;
        }
    }
    Ok(whole)
}
