//! End-to-end retry between NICs: a packet without acknowledgement is sent again. Only in runs that
//! may lose packets.
//!
//! A NIC remembers each packet that it sends, under a number, until the other NIC acknowledges it.
//! Packets of an ordered class are numbered per connection (source, destination, class). The target
//! takes them only in that order and refuses those that came before a lost one arrived (`bad_seq`);
//! the source goes back to the first missing one. Packets of an unordered class are taken in any
//! order, each once, by their place in their message. A loss with nothing behind it is found by a
//! timer.
//!
//! A packet may arrive twice if its acknowledgement was still on its way. The target recognises
//! once-only operations (two-sided messages and requests, atomics) and does not repeat them.
//! Idempotent ones (puts, and the data of reads) are written again, with the same effect. Neither
//! is counted twice.
//!
//! Where NICs answer with packets (`response.rs`), answers may be lost too. Otherwise they are not:
//! assumed.

mod handlers;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::model::packet::{Header, Packet};

/// State of a packet that is not acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
enum RetryState {
    /// In flight; lost if no answer comes by its time.
    Waiting,
    /// Lost; to be sent again at its time.
    Delayed,
    /// In the queue for sending again.
    Queued,
}

/// A packet that the other NIC has not acknowledged.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
struct Unacked {
    packet: Packet,
    header: Header,
    state: RetryState,
    time: u64,
    tries: u8,
}

/// The sending side of one NIC.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Retries {
    next: u32,
    unacked: BTreeMap<u32, Unacked>,
    timers: BTreeSet<(u64, u32)>,
    timer_at: Option<u64>,
    resend_queue: VecDeque<u32>,
    /// Next place in each connection, and whether the next packet opens the connection again.
    connections: BTreeMap<(u32, u8), Connection>,
    /// Payload bytes of messages whose packets have been answered in part, by the message's number.
    answered: BTreeMap<u32, u64>,
}

#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
struct Connection {
    next: u32,
    reopens: bool,
}

/// The state of a connection at its target.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct ConnectionState {
    order: u32,
    refused: bool,
}

/// The state of a partition's NICs as targets.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct RetryTargets {
    connections: BTreeMap<(u32, u32, u8), ConnectionState>,
    /// Packets of a message that have arrived, by its record: one bit each.
    seen: BTreeMap<u32, Vec<u64>>,
}

impl RetryTargets {
    /// A message has arrived in full: forgets its packets.
    pub fn forget(&mut self, record: u32) {
        self.seen.remove(&record);
    }
}

impl Retries {
    /// Whether packets wait to be sent again.
    pub fn has_to_resend(&self) -> bool {
        !self.resend_queue.is_empty()
    }

    fn set(&mut self, number: u32, state: RetryState, time: u64) {
        let Some(unacked) = self.unacked.get_mut(&number) else { return };
        self.timers.remove(&(unacked.time, number));
        (unacked.state, unacked.time) = (state, time);
        if state == RetryState::Queued {
            self.resend_queue.push_back(number);
        } else {
            self.timers.insert((time, number));
        }
    }

    /// Counts a packet that the other NIC has answered, of a message of `bytes`. Returns whether
    /// all of them have been answered.
    fn is_message_answered(&mut self, packet: &Packet, bytes: u64) -> bool {
        let payload = u64::from(packet.payload_bytes);
        if payload == bytes {
            return true;
        }
        let answered = self.answered.entry(packet.part.message).or_insert(0);
        *answered += payload;
        let is_all = *answered == bytes;
        if is_all {
            self.answered.remove(&packet.part.message);
        }
        is_all
    }

    fn forget(&mut self, number: u32) -> Option<Unacked> {
        let unacked = self.unacked.remove(&number)?;
        self.timers.remove(&(unacked.time, number));
        Some(unacked)
    }
}
