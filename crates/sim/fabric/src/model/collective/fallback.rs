//! Trees that have lost a link or a switch: their root gives them up, and ranks continue by
//! messages.
//!
//! ```text
//!           time for an operation is up retries_max + 1 times,
//!           or a member asks for a result that was sent
//!   whole ------------------------------------------------------> given up
//! ```
//!
//! Only where links may err or fail. Ranks agree by the word of one place, the root. The switches
//! did every operation before the first one of which the root has no result; that one and all later
//! ones are done by messages.
//!
//! The root tells each member so by a message of its own, which also brings the results that the
//! member may have missed. A member that waits for a result of a done operation then has it. A
//! member that waits for another one starts that operation again
//! ([`RankProgram::fall_back`](philae_workload::RankProgram::fall_back)). A tree that was given up
//! stays so, even when what failed recovers.
//!
//! The root notices a lost contribution. Only the member notices a lost result. It asks the root
//! once it has waited for longer than the root needs to give up.
//!
//! Simplified: the message does not carry the bytes of the results. The root's result was compared
//! with the combination of all operands, so a member that takes it has the same. Source: ours, for
//! messages and their order. Status: assumed.

use philae_results::counter::CounterName;
use philae_units::{ClassId, JobId};

use super::Todo;
use super::member::Pending;
use crate::model::packet::{Header, PacketPurpose};
use crate::partition::Partition;

/// Payload of a message about a tree: the operation, and one result of each of 8 reductions, in
/// bytes.
///
/// Source: 8 bytes and 8 results of up to 32 bytes (libfabric cxip_coll.c). Status: derived.
const NOTICE_BYTES: u64 = 8 + 8 * 32;

impl Partition {
    /// How long a member waits for a result before it asks, in picoseconds; `None` if nothing can
    /// be lost.
    pub(super) fn member_timeout(&self) -> Option<u64> {
        let trees = self.shared.trees.as_ref().filter(|_| self.shared.traits.has_link_layer)?;
        Some(u64::from(trees.parameters.retry_us) * 1_000_000 * (u64::from(trees.parameters.retries_max) + 2))
    }

    /// The first operation that a tree does not do, if the endpoint knows of one.
    pub(super) fn given_up(&self, tree: u16, endpoint: u32) -> Option<u32> {
        self.collectives.given_up.get(&(tree, endpoint)).copied()
    }

    /// The root gives up its tree and tells all members.
    pub(super) fn give_tree_up(&mut self, tree: u16, endpoint: u32) {
        let Some(root) = self.collectives.roots.remove(&tree) else { return };
        let Some(first) = root.first_open() else { return };
        self.record.recorder.counters.add_nic(endpoint, CounterName::TreesGivenUp, 1);
        let shared = std::sync::Arc::clone(&self.shared);
        let of_job = |rank: &u32| u32::from(shared.places.ranks[*rank as usize].job) == self.cookie(tree);
        let ranks: Vec<u32> = (0..shared.places.ranks.len() as u32).filter(of_job).collect();
        let Some(&own) = ranks.iter().find(|&&rank| shared.places.ranks[rank as usize].endpoint == endpoint) else {
            return;
        };
        for &rank in ranks.iter().filter(|&&rank| rank != own) {
            self.send_notice_of_tree(tree, own, rank, first);
        }
        self.learn_given_up(tree, endpoint, first);
    }

    /// A member has waited long for a result: it asks the root.
    pub(super) fn overdue(&mut self, tree: u16, endpoint: u32, operation: u32, sequence: u16) {
        let pending = self.collectives.members.get(&(tree, endpoint)).and_then(|member| member.pending(operation));
        let Some(pending) = pending.filter(|pending| pending.contributed == Some(sequence)) else { return };
        let rank = pending.rank;
        let Some(trees) = &self.shared.trees else { return };
        let root = trees.list[usize::from(tree)].root.0;
        let job = self.cookie(tree);
        let is_root = |entry: &crate::model::shared::RankEntry| entry.endpoint == root && u32::from(entry.job) == job;
        let Some(asked) = self.shared.places.ranks.iter().position(is_root) else { return };
        self.send_notice_of_tree(tree, rank, asked as u32, operation);
        self.watch_for_result(tree, endpoint, operation, sequence);
    }

    /// Schedules a check for the time when a result should be there.
    pub(super) fn watch_for_result(&mut self, tree: u16, endpoint: u32, operation: u32, sequence: u16) {
        if let Some(timeout) = self.member_timeout() {
            self.plan(endpoint, self.clock.now() + timeout, Todo::Overdue { tree, operation, sequence });
        }
    }

    /// Sends a message from software to software about `operation` of a tree.
    fn send_notice_of_tree(&mut self, tree: u16, from: u32, to: u32, operation: u32) {
        let Some(trees) = &self.shared.trees else { return };
        let job = trees.jobs[usize::from(tree)];
        let (source, destination) = (self.shared.places.ranks[from as usize], self.shared.places.ranks[to as usize]);
        let header = Header {
            purpose: PacketPurpose::Notice,
            job: JobId(job),
            class: ClassId(self.shared.classes.job_class[usize::from(job)]),
            source_rank: from,
            destination_rank: to,
            bytes: NOTICE_BYTES,
            operation_bytes: NOTICE_BYTES,
            tag: operation,
            issuer_handle: 0,
            receive_handle: 0,
            issued: self.clock.now(),
        };
        let (host, nic) = (&self.shared.config.host, &self.shared.config.nic);
        let (send, command) =
            (u64::from(host.send_overhead_ns) * 1_000, u64::from(nic.command_ns + nic.transmit_ns) * 1_000);
        let handed = self.host.ranks[source.local as usize].work(self.clock.now(), send);
        self.begin_message(header, source.endpoint, destination.endpoint, handed + command);
    }

    /// A message about a tree has reached its NIC.
    pub fn notice_arrived(&mut self, header: Header, endpoint: u32) {
        let (host, nic) = (&self.shared.config.host, &self.shared.config.nic);
        let taken = self.clock.now() + u64::from(nic.receive_ns + host.receive_overhead_ns) * 1_000;
        let (from, to, operation) = (header.source_rank, header.destination_rank, header.tag);
        let tree = self.shared.trees.as_ref().and_then(|trees| trees.of_job[header.job.index()]);
        if let Some(tree) = tree {
            self.plan(endpoint, taken, Todo::Heard { tree, from, to, operation });
        }
    }

    /// Software has received a message about a tree. The root is asked for a result; a member
    /// learns that there are no more.
    pub(super) fn software_notified(&mut self, endpoint: u32, (tree, from, to): (u16, u32, u32), operation: u32) {
        if !self.is_root(tree, endpoint) {
            return self.learn_given_up(tree, endpoint, operation);
        }
        if let Some(first) = self.given_up(tree, endpoint) {
            // The news was lost in transit.
            return self.send_notice_of_tree(tree, to, from, first);
        }
        let open = |root: &super::member::Root| root.is_open(operation, self.reductions());
        if !self.collectives.roots.get(&tree).is_some_and(open) {
            self.give_tree_up(tree, endpoint);
        }
    }

    /// An endpoint learns that its tree was given up, and its rank continues with what it waits
    /// for.
    fn learn_given_up(&mut self, tree: u16, endpoint: u32, first: u32) {
        if self.collectives.given_up.insert((tree, endpoint), first).is_some() {
            return;
        }
        let member = self.collectives.members.entry((tree, endpoint)).or_default();
        for (operation, pending) in member.take_pending() {
            if operation < first {
                let overhead = u64::from(self.shared.config.host.receive_overhead_ns) * 1_000;
                let local = self.shared.places.ranks[pending.rank as usize].local;
                let time = self.host.ranks[local as usize].work(self.clock.now(), overhead);
                self.finish_operation(pending.rank, pending.handle, time);
            } else {
                self.fall_back(endpoint, &pending, self.clock.now());
            }
        }
    }

    /// A rank will do an operation by messages: its program learns of that, and starts again at
    /// `time`.
    pub(super) fn fall_back(&mut self, endpoint: u32, pending: &Pending, time: u64) {
        let local = self.shared.places.ranks[pending.rank as usize].local;
        if !self.host.ranks[local as usize].fall_back() {
            let rank = pending.rank;
            let wrong =
                format!("rank {rank} of all jobs leaves operations to the switches and cannot do them by messages");
            self.collectives.wrong.get_or_insert(wrong);
        }
        self.record.recorder.counters.add_nic(endpoint, CounterName::ReductionFallbacks, 1);
        self.finish_operation(pending.rank, pending.handle, time);
    }
}
