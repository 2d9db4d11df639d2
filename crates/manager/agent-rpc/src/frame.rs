//! The framing of messages in a stream of bytes, as in gRPC: a byte that says whether the message
//! is compressed, its length, the message.

use bytes::{Buf, BufMut, Bytes, BytesMut};
use prost::Message;
use thiserror::Error;

/// Bytes of the header before each message.
const HEADER: usize = 5;

/// Why a stream of bytes is invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FrameError {
    /// A message is too long.
    #[error("a message of {found} bytes; {most} are the limit")]
    TooLarge {
        /// Its length.
        found: usize,
        /// The limit.
        most: usize,
    },
    /// A message is compressed, or the stream is not a stream of messages.
    #[error("a frame begins with {0}, not with 0: compressed messages are not supported")]
    Compressed(u8),
    /// The stream ends within a message.
    #[error("the stream ends within a message, {missing} bytes early")]
    Truncated {
        /// Number of missing bytes.
        missing: usize,
    },
    /// The bytes are not a message of the protocol.
    #[error("a message that cannot be decoded: {0}")]
    Garbage(String),
}

/// A message with its header.
#[must_use]
pub fn encode<M: Message>(message: &M) -> Bytes {
    let length = message.encoded_len();
    let mut bytes = BytesMut::with_capacity(HEADER + length);
    bytes.put_u8(0);
    bytes.put_u32(length as u32);
    message.encode_raw(&mut bytes);
    bytes.freeze()
}

/// Cuts a stream of bytes into messages.
#[derive(Debug)]
pub struct Deframer {
    buffer: BytesMut,
    most: usize,
}

impl Deframer {
    /// A deframer without input; a message has at most `most` bytes.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { buffer: BytesMut::new(), most }
    }

    /// Appends received bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// Bytes received of an incomplete message.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.buffer.len()
    }

    /// The next message, if it is complete.
    ///
    /// # Errors
    /// When the bytes are not a message. The rest of the stream is then not parsed: the caller
    /// closes it.
    pub fn take<M: Message + Default>(&mut self) -> Result<Option<M>, FrameError> {
        let Some(header) = self.buffer.first_chunk::<HEADER>() else { return Ok(None) };
        let [compressed, a, b, c, d] = *header;
        if compressed != 0 {
            return Err(FrameError::Compressed(compressed));
        }
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        if length > self.most {
            return Err(FrameError::TooLarge { found: length, most: self.most });
        }
        if self.buffer.len() < HEADER + length {
            return Ok(None);
        }
        self.buffer.advance(HEADER);
        let message = self.buffer.split_to(length);
        M::decode(message.freeze()).map(Some).map_err(|error| FrameError::Garbage(error.to_string()))
    }

    /// Whether the stream may end here.
    ///
    /// # Errors
    /// When it ends within a message.
    pub fn finish(&self) -> Result<(), FrameError> {
        match self.buffer.first_chunk::<HEADER>() {
            _ if self.buffer.is_empty() => Ok(()),
            None => Err(FrameError::Truncated { missing: HEADER - self.buffer.len() }),
            Some(&[_, a, b, c, d]) => {
                let whole = HEADER + u32::from_be_bytes([a, b, c, d]) as usize;
                Err(FrameError::Truncated { missing: whole.saturating_sub(self.buffer.len()) })
            }
        }
    }
}
