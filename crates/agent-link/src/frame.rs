//! Messages in a stream of bytes, as gRPC has them: a byte that says whether it is compressed, the
//! length, the message.

use bytes::{Buf, BufMut, Bytes, BytesMut};
use prost::Message;
use thiserror::Error;

/// Bytes before each message.
const HEADER: usize = 5;

/// What is wrong with a stream of bytes.
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
    /// A message is compressed or the stream is no stream of messages.
    #[error("a frame begins with {0}, not with 0: compressed messages are not taken")]
    Compressed(u8),
    /// The stream ends within a message.
    #[error("the stream ends within a message, {missing} bytes early")]
    Truncated {
        /// Bytes that are not there.
        missing: usize,
    },
    /// No message of the protocol.
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

/// Takes bytes as they come and gives messages.
#[derive(Debug)]
pub struct Deframer {
    buffer: BytesMut,
    most: usize,
}

impl Deframer {
    /// Nothing received yet; messages are `most` bytes at most.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { buffer: BytesMut::new(), most }
    }

    /// More bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// Bytes that wait for the rest of their message.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.buffer.len()
    }

    /// The next message, if all of it is there.
    ///
    /// # Errors
    /// When the bytes are no message. What follows is then not looked at: the caller closes the
    /// stream.
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
