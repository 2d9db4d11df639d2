//! What processes are told when the network has lost something for good. Other programs learn only
//! that their operations have ended.
//!
//! A NIC gives up a message after its retries, and tells the rank at its own end at that moment.
//! The other end may wait as well: a send that waits until its data are fetched, a fetch, a read,
//! and what has come before the message and takes effect after it. It learns of the loss by a
//! timeout of its own.
//!
//! A NIC without a link sends nothing, so it has nothing to retry. If it has been without one for
//! as long as retries take, it gives up all that it was handed, and from then on all that it is
//! handed.

use std::collections::BTreeMap;

use philae_engine::EventKey;
use philae_units::Picoseconds;
use philae_workload::{Lost, OpHandle};

use super::OFFERED;
use crate::memory::slab::Slab;
use crate::model::event::Event;
use crate::model::packet::{Header, PacketPurpose, foreign_key};
use crate::partition::Partition;

/// Losses of which ranks are told later, and NICs without a link. Only in runs with processes.
#[derive(Debug, Default)]
pub struct ProcessLosses {
    /// Messages of whose loss a rank of this partition learns later.
    known: Slab<LostMessage>,
    /// Since when a NIC has no link, in picoseconds, and whether it has given up.
    unlinked: BTreeMap<u32, (u64, bool)>,
    /// When the last news of what each NIC has given up arrives, in picoseconds.
    latest: BTreeMap<u32, u64>,
}

/// A message that a NIC has given up.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct LostMessage {
    /// The NIC.
    pub endpoint: u32,
    /// Its number there.
    pub number: u32,
    pub header: Header,
}

/// An end of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Source,
    Destination,
}

/// What a rank at an end of a message has lost with it, and the rank that issued the operation.
fn lost_at(end: End, header: &Header) -> Option<(Lost, u32)> {
    match (header.purpose, end) {
        (
            PacketPurpose::Eager
            | PacketPurpose::Deferrable
            | PacketPurpose::RendezvousRequest
            | PacketPurpose::Put
            | PacketPurpose::GetRequest
            | PacketPurpose::Amo
            | PacketPurpose::FetchingAmo
            | PacketPurpose::ReadData,
            End::Source,
        ) => Some((Lost::Operation, header.source_rank)),
        (
            PacketPurpose::Eager
            | PacketPurpose::Deferrable
            | PacketPurpose::RendezvousRequest
            | PacketPurpose::Put
            | PacketPurpose::GetRequest
            | PacketPurpose::Amo
            | PacketPurpose::FetchingAmo,
            End::Destination,
        ) => Some((Lost::Arrival, header.source_rank)),
        (PacketPurpose::ReadRequest | PacketPurpose::GetData | PacketPurpose::AmoData, End::Destination) => {
            Some((Lost::Operation, header.destination_rank))
        }
        (PacketPurpose::ReadRequest, End::Source) => Some((Lost::Data, header.destination_rank)),
        (PacketPurpose::ReadData, End::Destination) => Some((Lost::Data, header.source_rank)),
        _ => None,
    }
}

impl Partition {
    /// A NIC has given up a message.
    #[cold]
    pub fn tell_of_loss(&mut self, lost: LostMessage) {
        let LostMessage { endpoint, header, .. } = lost;
        for (end, rank) in [(End::Source, header.source_rank), (End::Destination, header.destination_rank)] {
            if lost_at(end, &header).is_none() {
                continue;
            }
            if self.shared.places.ranks[rank as usize].endpoint == endpoint {
                self.has_lost(rank, &lost);
            } else {
                // As long as the NIC there waits for an answer. Source: ours. Status: assumed. What
                // a NIC gives up at one moment becomes known one by one.
                let after = self.shared.config.resilience.retry.packet_timeout_ns.saturating_mul(1_000);
                let latest = self.host.process_losses.latest.entry(endpoint).or_default();
                let time = self.clock.now().saturating_add(after).max(*latest + 1);
                *latest = time;
                let other = header.source_rank ^ header.destination_rank ^ rank;
                let key = self.shared.places.targets.lost(time, rank, other);
                self.push_loss(key, rank, lost);
            }
        }
    }

    /// A rank of this partition will learn of a loss.
    pub fn learns_of_loss(&mut self, key: EventKey, rank: u32, lost: LostMessage) {
        let slot = self.host.process_losses.known.insert(lost);
        self.sched.calendar.push(key, Event::Lost { rank, slot });
    }

    /// A rank of this partition learns of a loss.
    pub fn learned_of_loss(&mut self, rank: u32, slot: u32) {
        let lost = self.host.process_losses.known[slot];
        self.host.process_losses.known.remove(slot);
        self.has_lost(rank, &lost);
    }

    /// Tells a rank of this partition that it has lost what it still waits for, if it is a process.
    fn has_lost(&mut self, rank: u32, message: &LostMessage) {
        let (local, header) = (self.shared.places.ranks[rank as usize].local as usize, &message.header);
        let end = if rank == header.source_rank { End::Source } else { End::Destination };
        let Some((lost, issuer)) = lost_at(end, header) else { return };
        if !self.host.ranks[local].is_process() || lost == Lost::Arrival && !self.never_arrives(message) {
            return;
        }
        let state = &mut self.host.ranks[local];
        let (waited, handle) = match lost {
            // The sender's part of an eager message was done when the data had left.
            Lost::Operation => {
                let waited = header.purpose == PacketPurpose::Eager || state.is_open(header.issuer_handle);
                (waited, header.issuer_handle)
            }
            Lost::Data => (state.ends_fetch((issuer, header.issuer_handle)), header.receive_handle),
            Lost::Arrival => (true, OFFERED),
        };
        if !waited {
            return;
        }
        let (message, now) = (self.message_of(header, issuer), self.clock.now());
        let Some(process) = self.host.ranks[local].process() else { return };
        if let Some(OpHandle(handle)) = process.lost(Picoseconds(now), &message, lost) {
            self.finish_operation(rank, handle, now);
        }
        if handle != OFFERED {
            self.finish_operation(rank, handle, now);
        }
        self.release_to_process(local as u32);
    }

    /// Whether a message for a rank of this partition has not arrived. It never does from now on:
    /// what the NIC has of it is discarded. A message that a gateway forwards may arrive.
    fn never_arrives(&mut self, message: &LostMessage) -> bool {
        let header = &message.header;
        let destination = self.shared.places.ranks[header.destination_rank as usize].endpoint;
        if self.next_destination(message.endpoint, destination) != destination {
            return true;
        }
        let key = foreign_key(message.endpoint, message.number);
        let Some(record) = self.nic.foreign.find(key) else { return false };
        self.nic.foreign.remove(key);
        self.nic.reliable.forget(record);
        self.nic.incoming.remove(record);
        true
    }

    /// A NIC has lost its link.
    #[cold]
    pub fn nic_loses_link(&mut self, endpoint: u32) {
        let now = self.clock.now();
        self.host.process_losses.unlinked.insert(endpoint, (now, false));
        let time = now.saturating_add(self.shared.config.resilience.retry.span(false));
        let key = self.shared.places.targets.nic_gives_up(time, endpoint);
        self.sched.calendar.push(key, Event::NicGivesUp { endpoint });
    }

    /// A NIC has its link again.
    #[cold]
    pub fn nic_regains_link(&mut self, endpoint: u32) {
        self.host.process_losses.unlinked.remove(&endpoint);
    }

    /// A NIC gives up all messages, if it has had no link since the retries of a packet would have
    /// begun.
    pub fn nic_gives_up(&mut self, endpoint: u32) {
        let begins = self.clock.now().saturating_sub(self.shared.config.resilience.retry.span(false));
        match self.host.process_losses.unlinked.get_mut(&endpoint) {
            Some((since, has_given_up)) if *since == begins => *has_given_up = true,
            _ => return, // It had its link again.
        }
        self.give_up_all(endpoint);
        while let Some(&message) = self.nic.nics[self.nic_slot(endpoint)].active.front() {
            self.give_up_unsent(endpoint, message);
        }
    }

    /// Whether a NIC gives up what it is handed.
    pub fn has_given_up(&self, endpoint: u32) -> bool {
        self.host.process_losses.unlinked.get(&endpoint).is_some_and(|unlinked| unlinked.1)
    }
}
