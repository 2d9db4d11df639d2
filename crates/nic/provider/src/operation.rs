//! Operations as an endpoint carries them out, and how their end is reported.

use std::ffi::c_uint;
use std::sync::Arc;

use philae_fi_sys::fi_addr_t;
use philae_nic_core::nic::{AtomicOperation, AtomicType, PortalKind, Rights};

use crate::abi::Errno;
use crate::counter::FiCounter;
use crate::limits::ATOMIC_BYTES;
use crate::traffic::PacketClass;

/// How to report the end of an operation of this process.
#[derive(Clone)]
pub(crate) struct CompletionTarget {
    pub context: u64,
    /// The kind of operation: `FI_SEND | FI_TAGGED`, `FI_RMA | FI_WRITE` and so on.
    pub kind: u64,
    /// Whether its success is a completion.
    pub is_reported: bool,
    pub length: u64,
    /// The parts that only few operations have.
    pub extra: Option<Arc<Extra>>,
}

/// The parts that only few operations have.
pub(crate) struct Extra {
    /// The counter of deferred work.
    pub counter: Option<Arc<FiCounter>>,
    /// A message's bytes, if the provider has gathered them from several ranges.
    #[expect(dead_code, reason = "it keeps the bytes until the operation has ended")]
    pub gathered: Option<Vec<u8>>,
}

/// A message to send.
pub(crate) struct OutgoingMessage<'m> {
    pub kind: PortalKind,
    pub to: fi_addr_t,
    pub bytes: &'m [u8],
    pub tag: u64,
    /// Data for the receiver's completion.
    pub data: Option<u64>,
    /// `FI_INJECT`, `FI_MORE`, and the completion level.
    pub flags: u64,
    pub reply: CompletionTarget,
}

/// Marks the flags of an eager message whose bytes stay with its sender, because its target had no
/// free block. The target fetches it before a receive matches it. Not one of libfabric's flags of
/// events.
pub(crate) const LEFT_WITH_SENDER: u64 = 1 << 62;

pub(crate) struct PostedReceive {
    pub kind: PortalKind,
    /// The sender, or `NOT_AVAILABLE` for any.
    pub from: fi_addr_t,
    pub tag: u64,
    pub ignore: u64,
    pub address: u64,
    pub length: u64,
    pub context: u64,
    /// `FI_COMPLETION`, `FI_MULTI_RECV`.
    pub flags: u64,
    /// A multi-receive buffer is released when less than this is left.
    pub least_free: u64,
}

/// A search among waiting messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnexpectedSearch {
    /// Whether there is one.
    Peek,
    /// If there is one, the caller claims it.
    PeekAndClaim,
    /// If there is one, it is discarded.
    PeekAndDiscard,
    /// Receives the claimed message.
    Claimed,
    /// Discards the claimed message.
    DiscardClaimed,
}

impl UnexpectedSearch {
    /// Whether it looks for a message that may not be there.
    pub fn is_peek(self) -> bool {
        matches!(self, Self::Peek | Self::PeekAndClaim | Self::PeekAndDiscard)
    }
}

/// The remote memory of an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RemoteTarget {
    pub key: u64,
    pub offset: u64,
}

/// A read or a write.
pub(crate) struct RemoteAccess<'m> {
    pub to: fi_addr_t,
    pub place: RemoteTarget,
    pub bytes: TransferBytes<'m>,
    /// Data for a completion at the target.
    pub data: Option<u64>,
    pub flags: u64,
    /// The class of packets that carry it.
    pub class: PacketClass,
    pub reply: CompletionTarget,
}

/// The direction of a transfer, with its memory.
pub(crate) enum TransferBytes<'m> {
    /// To the target.
    Write(&'m [u8]),
    /// From it.
    Read(&'m mut [u8]),
}

impl TransferBytes<'_> {
    /// Its bytes.
    pub fn len(&self) -> usize {
        match self {
            Self::Write(bytes) => bytes.len(),
            Self::Read(room) => room.len(),
        }
    }

    /// The rights that it needs.
    pub const fn rights(&self) -> Rights {
        match self {
            Self::Write(_) => Rights::REMOTE_WRITE,
            Self::Read(_) => Rights::REMOTE_READ,
        }
    }
}

/// An atomic operation.
pub(crate) struct AtomicAccess<'m> {
    pub to: fi_addr_t,
    pub place: RemoteTarget,
    pub operation: AtomicOperation,
    pub of_type: AtomicType,
    pub operand: &'m [u8],
    pub comparand: &'m [u8],
    /// Room for the old value, if requested.
    pub fetched: Option<&'m mut [u8]>,
    /// Bytes at the target.
    pub length: usize,
    pub flags: u64,
    /// The class of packets that carry it, and whether a lost packet is not retransmitted.
    pub class: PacketClass,
    pub is_unreliable: bool,
    pub reply: CompletionTarget,
}

/// The three families of atomic operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomicForm {
    /// Changes the target.
    Plain,
    /// Also fetches the old value.
    Fetching,
    /// Also compares.
    Comparing,
}

/// The operation and type with these numbers, and how many elements it takes at most.
///
/// # Errors
/// `EOPNOTSUPP`: it does not exist in this form.
pub(crate) fn atomic(
    form: AtomicForm,
    of_type: c_uint,
    operation: c_uint,
) -> Result<(AtomicOperation, AtomicType, usize), Errno> {
    let unsupported = libc::EOPNOTSUPP;
    let operation = AtomicOperation::of_number(operation).ok_or(unsupported)?;
    let of_type = AtomicType::of_number(of_type).ok_or(unsupported)?;
    let fits = match form {
        AtomicForm::Plain => !operation.compares() && operation != AtomicOperation::Read,
        AtomicForm::Fetching => !operation.compares(),
        AtomicForm::Comparing => operation.compares(),
    };
    let fits = fits && of_type.takes(operation);
    if fits { Ok((operation, of_type, ATOMIC_BYTES / of_type.bytes())) } else { Err(unsupported) }
}
