//! A rank's receives and messages as the lists of a NIC know them. Tags are match bits, ranks over
//! all jobs are sources.

use philae_nic_core::nic::{ANY_SOURCE, Criteria, Receive, UnexpectedMessage};

/// A receive from a rank and with a tag, or from any and with any. Its context is the handle of the
/// operation.
#[must_use]
pub fn receive_entry(from: Option<u32>, tag: Option<u32>, handle: u32) -> Receive {
    let (bits, ignore) = tag.map_or((0, u64::MAX), |tag| (u64::from(tag), 0));
    Receive::new(Criteria::new(bits, ignore, from.unwrap_or(ANY_SOURCE)), 0, 0, u64::from(handle))
}

/// A message that came before its receive. Its handle is the record of the message.
#[must_use]
pub fn unexpected_entry(tag: u32, source_rank: u32, bytes: u64, record: u32) -> UnexpectedMessage {
    let mut entry = UnexpectedMessage::new(u64::from(tag), source_rank, bytes);
    entry.handle = u64::from(record);
    entry
}
