//! How headers are put around a payload without copying it from layer to layer.

use crate::WireError;
use crate::bytes::room;

/// A header, and perhaps padding and a trailer, around a payload.
pub trait Layer {
    /// Bytes in front of the payload.
    fn header_len(&self) -> usize;

    /// Bytes of the whole around a payload of `payload_len` bytes.
    fn buffer_len(&self, payload_len: usize) -> usize {
        self.header_len() + payload_len
    }

    /// Writes what lies around the payload, which the caller has put at [`header_len`](Self::header_len).
    ///
    /// The first [`buffer_len`](Self::buffer_len) bytes of `buffer` are the layer, the rest is left alone.
    ///
    /// # Errors
    /// [`WireError::NoRoom`] where `buffer` is shorter, [`WireError::Long`] where the payload does not fit the format's
    /// length field.
    fn emit(&self, buffer: &mut [u8], payload_len: usize) -> Result<(), WireError>;
}

/// Bytes of `layers`, outermost first, around a payload of `payload_len` bytes.
#[must_use]
pub fn stack_len(layers: &[&dyn Layer], payload_len: usize) -> usize {
    layers.iter().rev().fold(payload_len, |length, layer| layer.buffer_len(length))
}

/// Writes `layers`, outermost first, around `payload`; returns the bytes written.
///
/// From the inside out, because an outer checksum covers the inner layers. For tests and for whatever is not run per
/// packet: the hot path calls [`Layer::emit`] of the types it knows.
///
/// # Errors
/// [`WireError::NoRoom`] where `buffer` is shorter than [`stack_len`], and what each layer's `emit` returns.
pub fn emit_stack(layers: &[&dyn Layer], payload: &[u8], buffer: &mut [u8]) -> Result<usize, WireError> {
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
