//! Starts operations through libfabric's functions.

use std::ffi::c_void;

use philae_fi_sys::*;

use crate::library::{CONTEXTS, FiClient, FiClientError};

/// An operation that can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasuredOperation {
    /// Messages.
    Send,
    /// Messages with tags.
    Tagged,
    /// Writes of the peer's memory.
    Write,
    Read,
    /// Fetching additions to a number of 8 bytes in the peer's memory.
    Atomic,
}

impl MeasuredOperation {
    /// The name on the command line and in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Send => "send",
            Self::Tagged => "tsend",
            Self::Write => "write",
            Self::Read => "read",
            Self::Atomic => "atomic",
        }
    }

    /// Whether its target takes part in it.
    #[must_use]
    pub const fn is_two_sided(self) -> bool {
        matches!(self, Self::Send | Self::Tagged)
    }

    pub(crate) const fn capabilities(self) -> u64 {
        // One-sided tests use messages to report their end.
        FI_MSG
            | match self {
                Self::Send => 0,
                Self::Tagged => FI_TAGGED,
                Self::Write | Self::Read => FI_RMA,
                Self::Atomic => FI_ATOMIC,
            }
    }
}

const TAG: u64 = 7;

impl FiClient {
    fn context(&mut self) -> *mut c_void {
        self.next_context = (self.next_context + 1) % CONTEXTS;
        (&raw mut self.contexts[self.next_context]).cast()
    }

    /// Sends `bytes` bytes of a part of the memory.
    pub(crate) fn post_send(&mut self, part: usize, is_tagged: bool, bytes: usize) -> Result<(), FiClientError> {
        let context = self.context();
        self.begin("fi_send", |client| {
            let (from, of, peer) = (client.part_at(part), client.descriptor(), client.peer);
            // SAFETY: memory and context do not change until the completion, for which every test
            // waits.
            unsafe {
                let endpoint = client.endpoint;
                if is_tagged {
                    let send = (*(*endpoint).tagged).send.ok_or_else(|| none("fi_tsend"))?;
                    return Ok(send(endpoint, from, bytes, of, peer, TAG, context));
                }
                let send = (*(*endpoint).msg).send.ok_or_else(|| none("fi_send"))?;
                Ok(send(endpoint, from, bytes, of, peer, context))
            }
        })
    }

    /// Posts a receive into the second part of the memory.
    pub(crate) fn post_receive(&mut self, is_tagged: bool, bytes: usize) -> Result<(), FiClientError> {
        let context = self.context();
        self.begin("fi_recv", |client| {
            let (into, of) = (client.part_at(1), client.descriptor());
            // SAFETY: as above.
            unsafe {
                let endpoint = client.endpoint;
                let anyone = fi_addr_t::MAX;
                if is_tagged {
                    let receive = (*(*endpoint).tagged).recv.ok_or_else(|| none("fi_trecv"))?;
                    return Ok(receive(endpoint, into, bytes, of, anyone, TAG, 0, context));
                }
                let receive = (*(*endpoint).msg).recv.ok_or_else(|| none("fi_recv"))?;
                Ok(receive(endpoint, into, bytes, of, anyone, context))
            }
        })
    }

    /// Starts a one-sided operation.
    pub(crate) fn post_access(&mut self, operation: MeasuredOperation, bytes: usize) -> Result<(), FiClientError> {
        let context = self.context();
        let (address, key) = self.remote;
        self.begin(operation.name(), |client| {
            let (from, into, of, peer) = (client.part_at(0), client.part_at(1), client.descriptor(), client.peer);
            // SAFETY: as above; the peer has registered the memory that is accessed.
            unsafe {
                let endpoint = client.endpoint;
                match operation {
                    MeasuredOperation::Write => {
                        let write = (*(*endpoint).rma).write.ok_or_else(|| none("fi_write"))?;
                        Ok(write(endpoint, from, bytes, of, peer, address, key, context))
                    }
                    MeasuredOperation::Read => {
                        let read = (*(*endpoint).rma).read.ok_or_else(|| none("fi_read"))?;
                        Ok(read(endpoint, into, bytes, of, peer, address, key, context))
                    }
                    _ => {
                        let table = (*endpoint).atomic.as_ref().ok_or_else(|| none("fi_fetch_atomic"))?;
                        let fetch = table.readwrite.ok_or_else(|| none("fi_fetch_atomic"))?;
                        let count = bytes / 8;
                        let (of_type, sum) = (FI_UINT64, FI_SUM);
                        Ok(fetch(endpoint, from, count, of, into, of, peer, address, key, of_type, sum, context))
                    }
                }
            }
        })
    }
}

fn none(call: &'static str) -> FiClientError {
    FiClientError::Call { call, why: "the provider does not have it".to_owned() }
}
