//! What happens at a rank whose program is a process: it matches messages itself, and moves bytes
//! when they have arrived.

use philae_units::{Bytes, ClassId, JobId, Picoseconds, RankId};
use philae_workload::{MemoryAccess, NicReply, OfferAnswer, OpHandle, ProcessMessage};

use super::{OFFERED, RankState, UNMATCHED};
use crate::model::packet::{Header, PacketPurpose};
use crate::partition::Partition;

impl Partition {
    /// The process of a rank waits for an event, until it ends the wait itself or `until` comes.
    #[cold]
    pub fn wait_for_event(&mut self, local: u32, handle: u32, until: Option<u64>) {
        let rank = &mut self.host.ranks[local as usize];
        let number = rank.number();
        rank.begins_wait(handle);
        if let Some(until) = until {
            self.finish_operation(number, handle, until);
        }
    }

    /// A message as a process knows it: by the operation of the rank of its job that began it.
    pub(super) fn message_of(&self, header: &Header, issuer: u32) -> ProcessMessage {
        ProcessMessage {
            source: RankId(issuer - self.shared.places.rank_base[usize::from(header.job.0)]),
            operation: OpHandle(header.issuer_handle),
            bytes: Bytes(header.operation_bytes),
        }
    }

    /// A message has become visible at a process.
    pub fn offer_to_process(&mut self, local: u32, record: u32) {
        let (header, now) = (self.nic.incoming[record].header, self.clock.now());
        let message = self.message_of(&header, header.source_rank);
        let is_whole = header.purpose == PacketPurpose::Eager;
        let Some(process) = self.host.ranks[local as usize].process() else { return };
        let ended = match process.offered(Picoseconds(now), &message, record, is_whole) {
            OfferAnswer::Fetches(from) => {
                assert!(!is_whole, "data that have come are not fetched");
                self.host.ranks[local as usize].fetches((header.source_rank, header.issuer_handle));
                self.matched(local, record, OFFERED, now.max(from.0), false);
                return self.release_to_process(local);
            }
            OfferAnswer::Waits(ended) if !is_whole => ended,
            OfferAnswer::Waits(ended) | OfferAnswer::Taken(ended) => {
                self.take_for_process(record);
                ended
            }
        };
        if let Some(handle) = ended {
            self.finish_operation(header.destination_rank, handle.0, now);
        }
        self.release_to_process(local);
    }

    /// Fetches the data of messages that have waited for the one that has just come, and starts
    /// what the NIC of a process tells other ranks.
    pub(super) fn release_to_process(&mut self, local: u32) {
        let now = self.clock.now();
        while let Some((number, from)) =
            self.host.ranks[local as usize].process().and_then(|process| process.released())
        {
            let header = self.nic.incoming[number].header;
            self.host.ranks[local as usize].fetches((header.source_rank, header.issuer_handle));
            self.matched(local, number, OFFERED, now.max(from.0), false);
        }
        self.reply_for_process(local);
    }

    /// Starts what the NIC of a process tells other ranks.
    pub(super) fn reply_for_process(&mut self, local: u32) {
        let next = |rank: &mut RankState| rank.process().and_then(|process| process.replies());
        while let Some(NicReply { operation, to, from }) = next(&mut self.host.ranks[local as usize]) {
            let rank = &mut self.host.ranks[local as usize];
            rank.outstanding += 1;
            let (source_rank, issuer_handle) = (rank.number(), rank.begins(operation.0));
            let job = self.shared.places.ranks[source_rank as usize].job;
            let issued = from.0.max(self.clock.now());
            let header = Header {
                purpose: PacketPurpose::Put,
                job: JobId(job),
                class: ClassId(self.shared.classes.job_class[usize::from(job)]),
                source_rank,
                destination_rank: self.shared.places.rank_base[usize::from(job)] + to.0,
                bytes: 0,
                operation_bytes: 0,
                tag: 0,
                issuer_handle,
                receive_handle: UNMATCHED,
                issued,
            };
            self.record.recorder.issued(job, issued);
            self.issue(header, 0, issued);
        }
    }

    /// A message is with its process, and leaves the model.
    fn take_for_process(&mut self, record: u32) {
        let (message, now) = (self.nic.incoming[record], self.clock.now());
        self.nic.incoming.remove(record);
        if self.record.observer.on {
            self.explain_finished(&message, now);
        }
        self.record.recorder.message(now, &message, &self.shared);
        self.record.recorder.received(message.header.job.0, message.header.operation_bytes, now);
        if self.has_tcp() {
            // The core pays for the acknowledgements, and the process for the copy. There is room
            // again when the core has read what the buffer holds.
            let (owed, rank) = (self.tcp_owed(&message), message.header.destination_rank);
            if owed > 0 {
                self.occupy(rank, now.max(self.core_free_at(rank)) + owed);
            }
        }
    }

    /// The data that a process has asked for are there.
    pub fn fetched_by_process(&mut self, local: u32, record: u32) {
        let (header, now) = (self.nic.incoming[record].header, self.clock.now());
        self.take_for_process(record);
        if !self.host.ranks[local as usize].ends_fetch((header.source_rank, header.issuer_handle)) {
            return; // It was told that they are lost.
        }
        let message = self.message_of(&header, header.source_rank);
        let Some(process) = self.host.ranks[local as usize].process() else { return };
        if let Some(handle) = process.fetched(Picoseconds(now), &message) {
            self.finish_operation(header.destination_rank, handle.0, now);
        }
        if header.receive_handle != OFFERED {
            self.finish_operation(header.destination_rank, header.receive_handle, now);
        }
        self.reply_for_process(local);
    }

    /// A message that the NIC answers without its rank has arrived. What it writes is in memory at
    /// `written`.
    #[cold]
    pub fn reach_process(&mut self, header: &Header, written: u64) {
        let local = self.shared.places.ranks[header.destination_rank as usize].local;
        let (access, issuer) = match header.purpose {
            PacketPurpose::Put => (MemoryAccess::Write, header.source_rank),
            PacketPurpose::GetRequest => (MemoryAccess::Read, header.source_rank),
            PacketPurpose::Amo | PacketPurpose::FetchingAmo => (MemoryAccess::Change, header.source_rank),
            // The rank that has issued the message sends it now, unless it was told of its loss.
            PacketPurpose::ReadRequest if self.host.ranks[local as usize].is_open(header.issuer_handle) => {
                (MemoryAccess::ReadMessage, header.destination_rank)
            }
            _ => return,
        };
        let message = self.message_of(header, issuer);
        let Some(process) = self.host.ranks[local as usize].process() else { return };
        if let Some(handle) = process.reached(Picoseconds(written), &message, access) {
            self.finish_operation(header.destination_rank, handle.0, written);
        }
        self.release_to_process(local);
    }
}
