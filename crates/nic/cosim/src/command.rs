//! What a rank asks of its NIC.

/// The kinds of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum RankCommandKind {
    /// A message.
    Send = 1,
    /// Fetches a message that has matched a receive: `key` is the source of the message, and
    /// `offset` its sender's handle.
    Fetch,
    /// The same for a message that is discarded.
    Discard,
    /// Writes registered memory.
    Put,
    /// Reads registered memory.
    Get,
    /// Changes registered memory.
    Amo,
}

impl RankCommandKind {
    pub(crate) const ALL: [Self; 6] = [Self::Send, Self::Fetch, Self::Discard, Self::Put, Self::Get, Self::Amo];

    /// The kind with this number.
    #[must_use]
    pub fn of_number(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u32 == number)
    }
}

/// An endpoint, as every process names it: its device, virtual network and process number, and the
/// incarnation that no later endpoint with these numbers has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(C)]
pub struct PeerAddress {
    /// Device, virtual network and process number.
    pub numbers: u64,
    /// Incarnation.
    pub incarnation: u64,
}

/// Marks a command whose bytes lie in the rank's page, at `address` from their beginning.
pub const COPIED: u64 = 1 << 63;

/// A command: 128 bytes. Fields that a kind does not have are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct RankCommand {
    /// [`RankCommandKind`], as its number.
    pub kind: u32,
    /// The rank's own endpoint.
    pub endpoint: u32,
    /// When the rank issued it, in picoseconds.
    pub clock: u64,
    /// The endpoint at its other end.
    pub to: PeerAddress,
    /// Names it when it ends; 0: its end is not reported.
    pub handle: u64,
    /// Match bits.
    pub bits: u64,
    /// Data for a completion at the target.
    pub data: u64,
    /// Flags of the initiator, and [`COPIED`].
    pub flags: u64,
    /// Where the bytes are, or go: in the initiator's process, or in its page.
    pub address: u64,
    /// How many there are.
    pub length: u64,
    /// The key of registered memory.
    pub key: u64,
    /// The offset in registered memory.
    pub offset: u64,
    /// What the kind needs beyond: operation and type of an atomic operation.
    pub more: [u64; 4],
}

const _: () = assert!(size_of::<RankCommand>() == 128);
