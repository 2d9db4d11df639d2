//! Endpoints: the NIC's process numbers, in libfabric's terms.
//!
//! [`EndpointPort`] is the endpoint that the other modules use: its area, its peers, its
//! outstanding operations. The modules next to it carry operations out, by kind; those that end in
//! `_calls` are the functions that C calls.

mod access;
mod atomic_calls;
mod class;
mod counted;
mod departure;
mod fetching;
mod message_calls;
pub(crate) mod object;
mod peer;
mod port;
mod receive;
mod rma_calls;
mod software;
mod transmit;
mod unexpected_buffer;

#[cfg(test)]
pub(crate) use access::RemoteTarget;
pub(crate) use access::{AtomicAccess, RemoteAccess, TransferBytes as AccessBytes};
pub(crate) use class::{PacketClass, add_by_bus, is_for_bus};
pub(crate) use fetching::FETCHED;
#[cfg(test)]
pub(crate) use port::Bound;
pub(crate) use port::{Bindings, CompletionTarget, EndpointPort, Extra, OperationCounters, REGIONS};
pub(crate) use receive::PostedReceive;
pub(crate) use transmit::OutgoingMessage;
pub(crate) use unexpected_buffer::IN_UNEXPECTED_BUFFER;

/// Operations by C's descriptions, for modules that carry them out later.
pub(crate) mod calls {
    use std::sync::Arc;

    use philae_fi_sys::{FI_MSG, FI_SEND, FI_TAGGED};

    pub(crate) use super::atomic_calls::{described as described_amo, with_comparand, with_result};
    pub(crate) use super::message_calls::{described, described_tagged, only};
    pub(crate) use super::rma_calls::described as described_access;
    use super::{CompletionTarget, Extra, atomic_calls, message_calls, object};
    use crate::abi::Errno;
    use crate::counter::FiCounter;

    /// Counts the operation's end without a completion.
    pub(crate) fn count_only(
        reply: &mut CompletionTarget,
        counter: Option<Arc<FiCounter>>,
        gathered: message_calls::Gathered,
    ) {
        // Deferred work without a counter gets no answer.
        let counter = Some(counter.unwrap_or_default());
        reply.extra = Some(Arc::new(Extra { counter, gathered }));
    }

    /// Sends a message.
    ///
    /// # Errors
    /// As for the endpoint's own send.
    pub(crate) fn send(
        endpoint: &object::FiEndpoint,
        (asked, gathered): (message_calls::MessageRequest<'_>, Option<Vec<u8>>),
        counter: Option<Arc<FiCounter>>,
    ) -> Result<(), Errno> {
        let kind = FI_SEND | if asked.tag.is_some() { FI_TAGGED } else { FI_MSG };
        let (context, length) = (asked.context as u64, asked.bytes.len() as u64);
        let mut reply = CompletionTarget { context, kind, is_reported: false, length, extra: None };
        count_only(&mut reply, counter, gathered);
        endpoint.port().send_traced(&message_calls::outgoing(endpoint, &asked, reply)?)
    }

    /// Carries out an atomic operation.
    ///
    /// # Errors
    /// As for the endpoint's own.
    ///
    /// # Safety
    /// Operands have the lengths that they state.
    pub(crate) unsafe fn change(
        endpoint: &object::FiEndpoint,
        asked: &atomic_calls::AtomicRequest,
        counter: Option<Arc<FiCounter>>,
    ) -> Result<(), Errno> {
        // SAFETY: as the caller promises.
        let mut amo = unsafe { atomic_calls::amo(asked, false)? };
        endpoint.classify_amo(&mut amo)?;
        count_only(&mut amo.reply, counter, None);
        endpoint.port().amo_traced(&mut amo)
    }
}
