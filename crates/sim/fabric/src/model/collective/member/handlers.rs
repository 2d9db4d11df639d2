//! What NICs and the software behind them do for a tree: contribute, combine, take results.

use philae_results::counter::CounterName;
use philae_switch::reduction::{Contribution, Operands, ReductionKey};
use philae_workload::Offload;

use super::{Gathering, Pending, Root, Todo};
use crate::model::collective::{Done, Down, TreeLoad, operand, operation_of};
use crate::model::packet::Packet;
use crate::partition::Partition;

impl Partition {
    /// A rank leaves an operation to the switches, on its core at `time`.
    pub fn offload(&mut self, rank: u32, handle: u32, kind: Offload, bytes: u64, time: u64) {
        let entry = self.shared.places.ranks[rank as usize];
        let tree = self.shared.trees.as_ref().and_then(|trees| trees.of_job[usize::from(entry.job)]);
        let tree = tree.expect("a job whose programs say that they offload has a tree");
        let in_job = rank - self.shared.places.rank_base[usize::from(entry.job)];
        let member = self.collectives.members.entry((tree, entry.endpoint)).or_default();
        let operation = member.started;
        member.started += 1;
        let value = operand(kind, bytes, entry.job, in_job, operation);
        let pending = Pending { rank, handle, kind, bytes, value, ready: false, contributed: None };
        let (host, nic) = (&self.shared.config.host, &self.shared.config.nic);
        let handed = time + u64::from(host.send_overhead_ns) * 1_000;
        if self.given_up(tree, entry.endpoint).is_some() {
            return self.fall_back(entry.endpoint, &pending, time);
        }
        let Some(member) = self.collectives.members.get_mut(&(tree, entry.endpoint)) else { return };
        member.pending.insert(operation, pending);
        let ready = handed + u64::from(nic.command_ns + nic.transmit_ns) * 1_000;
        self.host.ranks[entry.local as usize].keep_core(handed);
        self.plan(entry.endpoint, ready, Todo::Start { tree, operation });
    }

    /// Carries out a planned action of a NIC, or of the software behind it.
    pub fn collective(&mut self, endpoint: u32, todo: u32) {
        let what = self.collectives.todo[todo];
        self.collectives.todo.remove(todo);
        match what {
            Todo::Start { tree, operation } => {
                if let Some(member) = self.collectives.members.get_mut(&(tree, endpoint))
                    && let Some(pending) = member.pending.get_mut(&operation)
                {
                    pending.ready = true;
                }
                if self.given_up(tree, endpoint).is_some() {
                    return;
                }
                if self.is_root(tree, endpoint) {
                    self.arm_all(tree, endpoint);
                    self.root_contributes(tree, endpoint, operation);
                } else {
                    self.contribute(tree, endpoint, operation, 0);
                }
            }
            Todo::Send(load) => self.send_load(endpoint, load),
            Todo::Received(TreeLoad::Down(down)) => self.take_down(endpoint, down),
            Todo::Received(TreeLoad::Up(contribution)) => {
                let tree = contribution.key.tree;
                self.gather(tree, endpoint, contribution);
            }
            Todo::Overdue { tree, operation, sequence } => self.overdue(tree, endpoint, operation, sequence),
            Todo::Heard { tree, from, to, operation } => self.software_notified(endpoint, (tree, from, to), operation),
            Todo::Retry { key, sequence } => self.retry(endpoint, key, sequence),
        }
    }

    /// A packet of a tree has reached its NIC.
    #[inline(never)]
    pub fn tree_delivered(&mut self, packet: &Packet) {
        let latency = self.clock.now() - packet.part.injected;
        self.record.recorder.delivered(
            self.clock.now(),
            packet.part.job,
            (packet.kind.class, packet.payload_bytes),
            latency,
        );
        let load = self.take_load(packet.part.message);
        let visible = self.clock.now() + u64::from(self.shared.config.nic.receive_ns) * 1_000;
        self.plan(packet.destination, visible, Todo::Received(load));
    }

    /// Sends a packet of a tree, if the NIC has one and may send. Returns true if nothing else may
    /// be sent now.
    #[inline(never)]
    pub fn inject_tree(&mut self, endpoint: u32) -> bool {
        let nic_slot = self.nic_slot(endpoint);
        let Some(&load) = self.collectives.sending[nic_slot].front() else { return false };
        let class = self.tree_class(&load);
        if self.nic.nics[nic_slot].is_paused(class) {
            return false;
        }
        let Some(trees) = &self.shared.trees else { return false };
        let (TreeLoad::Up(Contribution { key, .. }) | TreeLoad::Down(Down { key, .. })) = load;
        let destination = trees.list[usize::from(key.tree)].root.0;
        let packet = self.tree_packet(load, endpoint, destination, class);
        if !self.send_tree_packet(endpoint, packet) {
            self.take_load(packet.part.message);
            return true;
        }
        self.collectives.sending[nic_slot].pop_front();
        true
    }

    fn tree_class(&self, load: &TreeLoad) -> u8 {
        let (TreeLoad::Up(Contribution { key, .. }) | TreeLoad::Down(Down { key, .. })) = *load;
        let job = self.shared.trees.as_ref().map_or(0, |trees| trees.jobs[usize::from(key.tree)]);
        self.shared.classes.job_class[usize::from(job)]
    }

    fn send_load(&mut self, endpoint: u32, load: TreeLoad) {
        let nic_slot = self.nic_slot(endpoint);
        self.collectives.sending[nic_slot].push_back(load);
        self.wake_nic(endpoint, self.clock.now().max(self.nic.nics[nic_slot].output.free_at));
    }

    pub(in crate::model::collective) fn is_root(&self, tree: u16, endpoint: u32) -> bool {
        self.shared.trees.as_ref().is_some_and(|trees| trees.list[usize::from(tree)].root.0 == endpoint)
    }

    pub(in crate::model::collective) fn reductions(&self) -> u32 {
        self.shared.trees.as_ref().map_or(1, |trees| trees.parameters.reductions_per_tree.into())
    }

    pub(in crate::model::collective) fn cookie(&self, tree: u16) -> u32 {
        self.shared.trees.as_ref().map_or(0, |trees| trees.jobs[usize::from(tree)].into())
    }

    /// Time from receiving something in software until the answer is with the NIC, in picoseconds.
    fn turnaround(&self) -> u64 {
        let (host, nic) = (&self.shared.config.host, &self.shared.config.nic);
        u64::from(host.receive_overhead_ns + host.send_overhead_ns + nic.command_ns + nic.transmit_ns) * 1_000
    }

    /// A member contributes to an operation, if its rank has started it and the tree is armed for
    /// it. Software that has to do it takes `work`.
    fn contribute(&mut self, tree: u16, endpoint: u32, operation: u32, work: u64) {
        let reduction = (operation % self.reductions()) as u8;
        let cookie = self.cookie(tree);
        let Some(member) = self.collectives.members.get_mut(&(tree, endpoint)) else { return };
        let Some(&(sequence, armed_for)) = member.armed.get(&reduction) else { return };
        let Some(pending) = member.pending.get_mut(&operation) else { return };
        if armed_for != operation || !pending.ready || pending.contributed == Some(sequence) {
            return;
        }
        pending.contributed = Some(sequence);
        let contribution = Contribution {
            key: ReductionKey { tree, reduction },
            cookie,
            sequence,
            operation: operation_of(pending.kind),
            value: pending.value,
            count: 1,
            partial: false,
        };
        self.watch_for_result(tree, endpoint, operation, sequence);
        if work == 0 {
            self.send_load(endpoint, TreeLoad::Up(contribution));
        } else {
            self.plan(endpoint, self.clock.now() + work, Todo::Send(TreeLoad::Up(contribution)));
        }
    }

    /// A member receives a packet from the root: takes the result, and contributes to an operation
    /// that had to wait.
    fn take_down(&mut self, endpoint: u32, down: Down) {
        let tree = down.key.tree;
        let member = self.collectives.members.entry((tree, endpoint)).or_default();
        member.armed.insert(down.key.reduction, (down.sequence, down.operation));
        if let Some(done) = down.result {
            self.complete_offload(tree, endpoint, done, 0);
        }
        let work = self.turnaround();
        self.contribute(tree, endpoint, down.operation, work);
    }

    /// An operation of a member has its result. Its core works for `more` in addition to taking the
    /// result.
    fn complete_offload(&mut self, tree: u16, endpoint: u32, done: Done, more: u64) {
        let member = self.collectives.members.get_mut(&(tree, endpoint));
        let Some(pending) = member.and_then(|member| member.pending.remove(&done.operation)) else { return };
        let entry = self.shared.places.ranks[pending.rank as usize];
        self.check_result(&pending, entry.job, done);
        let overhead = u64::from(self.shared.config.host.receive_overhead_ns) * 1_000 + more;
        let free_at = self.host.ranks[entry.local as usize].work(self.clock.now(), overhead);
        self.finish_operation(pending.rank, pending.handle, free_at);
    }

    /// Compares a result with the combination of all ranks' operands.
    fn check_result(&mut self, pending: &Pending, job: u16, done: Done) {
        let expected = self.expected(pending, job, done.operation);
        if expected != done.value || done.kind != operation_of(pending.kind) {
            let (rank, number) = (pending.rank, done.operation);
            let wrong =
                format!("operation {number} of rank {rank} of all jobs ends with {:?}, not {expected:?}", done.value);
            self.collectives.wrong.get_or_insert(wrong);
        }
    }

    fn expected(&mut self, pending: &Pending, job: u16, number: u32) -> Operands {
        if let Some((of, value)) = self.collectives.expected
            && of == (job, number)
        {
            return value;
        }
        let ranks = self.shared.places.ranks.iter().filter(|rank| rank.job == job).count() as u32;
        let operands = (0..ranks).map(|rank| operand(pending.kind, pending.bytes, job, rank, number));
        let combined = operands.reduce(|one, other| match (one, other) {
            (Operands::Words { words: one, count }, Operands::Words { words: two, .. }) => {
                let both = |index: usize| match pending.kind {
                    Offload::Broadcast => one[index] | two[index],
                    Offload::Allreduce | Offload::Barrier => one[index].wrapping_add(two[index]),
                };
                Operands::Words { words: [both(0), both(1), both(2), both(3)], count }
            }
            (one, _) => one,
        });
        let value = combined.unwrap_or(Operands::NOTHING);
        self.collectives.expected = Some(((job, number), value));
        value
    }

    /// At its first operation, the root arms every reduction of its tree.
    fn arm_all(&mut self, tree: u16, endpoint: u32) {
        if self.collectives.roots.contains_key(&tree) {
            return;
        }
        let (cookie, mut root) = (self.cookie(tree), Root::default());
        for operation in 0..self.reductions() {
            let reduction = operation as u8;
            let (key, sequence) = (ReductionKey { tree, reduction }, 1);
            root.reductions.insert(reduction, Gathering { operation, sequence, gathered: None, count: 0, tries: 0 });
            self.send_load(endpoint, TreeLoad::Down(Down { key, cookie, sequence, operation, result: None }));
        }
        self.collectives.roots.insert(tree, root);
    }

    /// The root adds its own part, if its tree is armed for the operation.
    fn root_contributes(&mut self, tree: u16, endpoint: u32, operation: u32) {
        let (reduction, cookie) = ((operation % self.reductions()) as u8, self.cookie(tree));
        let Some(root) = self.collectives.roots.get(&tree) else { return };
        let Some(gathering) = root.reductions.get(&reduction).copied() else { return };
        let Some(member) = self.collectives.members.get_mut(&(tree, endpoint)) else { return };
        let Some(pending) = member.pending.get_mut(&operation) else { return };
        if gathering.operation != operation || !pending.ready || pending.contributed == Some(gathering.sequence) {
            return;
        }
        pending.contributed = Some(gathering.sequence);
        let key = ReductionKey { tree, reduction };
        let own = Contribution {
            key,
            cookie,
            sequence: gathering.sequence,
            operation: operation_of(pending.kind),
            value: pending.value,
            count: 1,
            partial: false,
        };
        let retry = self.shared.trees.as_ref().map_or(0, |trees| u64::from(trees.parameters.retry_us) * 1_000_000);
        self.plan(endpoint, self.clock.now() + retry, Todo::Retry { key, sequence: gathering.sequence });
        self.gather(tree, endpoint, own);
    }

    /// The root adds what has come up the tree. When it has the part of every member, the result
    /// goes down, and arms the reduction.
    fn gather(&mut self, tree: u16, endpoint: u32, given: Contribution) {
        let members = self.shared.trees.as_ref().map_or(0, |trees| trees.list[usize::from(tree)].members.len());
        let Some(root) = self.collectives.roots.get_mut(&tree) else { return };
        let Some(gathering) = root.reductions.get_mut(&given.key.reduction) else { return };
        if gathering.sequence != given.sequence {
            self.record.recorder.counters.add_nic(endpoint, CounterName::ReductionsRefused, 1);
            return;
        }
        let gathered = match gathering.gathered {
            None => Ok(given.value),
            Some((operation, value)) if operation == given.operation => value.combine(given.value, operation),
            Some(_) => {
                self.record.recorder.counters.add_nic(endpoint, CounterName::ReductionsRefused, 1);
                return;
            }
        };
        let value = gathered.expect("engines let through only what fits");
        gathering.gathered = Some((given.operation, value));
        gathering.count += given.count;
        assert!(gathering.count as usize <= members, "every member is in a result once");
        if (gathering.count as usize) < members {
            return;
        }
        let done = Done { operation: gathering.operation, kind: given.operation, value };
        let next = gathering.operation + self.reductions();
        let Some(gathering) =
            self.collectives.roots.get_mut(&tree).and_then(|root| root.reductions.get_mut(&given.key.reduction))
        else {
            return;
        };
        let sequence = gathering.sequence.wrapping_add(1);
        *gathering = Gathering { operation: next, sequence, gathered: None, count: 0, tries: 0 };
        let down = Down { key: given.key, cookie: given.cookie, sequence, operation: next, result: Some(done) };
        let work = self.turnaround();
        self.plan(endpoint, self.clock.now() + work, Todo::Send(TreeLoad::Down(down)));
        self.record.recorder.counters.add_nic(endpoint, CounterName::ReductionResults, 1);
        let send = u64::from(self.shared.config.host.send_overhead_ns) * 1_000;
        self.complete_offload(tree, endpoint, done, send);
        self.root_contributes(tree, endpoint, next);
    }

    /// The root's time is up: if the operation is not done, all members contribute again.
    fn retry(&mut self, endpoint: u32, key: ReductionKey, sequence: u16) {
        let Some(root) = self.collectives.roots.get_mut(&key.tree) else { return };
        let Some(gathering) = root.reductions.get_mut(&key.reduction) else { return };
        if gathering.sequence != sequence {
            return; // It is done, or was started again.
        }
        gathering.tries = gathering.tries.saturating_add(1);
        let retries_max = self.shared.trees.as_ref().map_or(u8::MAX, |trees| trees.parameters.retries_max);
        if self.shared.traits.has_link_layer && gathering.tries > retries_max {
            return self.give_tree_up(key.tree, endpoint);
        }
        gathering.sequence = sequence.wrapping_add(1);
        (gathering.gathered, gathering.count) = (None, 0);
        let (operation, sequence) = (gathering.operation, gathering.sequence);
        let cookie = self.cookie(key.tree);
        self.record.recorder.counters.add_nic(endpoint, CounterName::ReductionRetries, 1);
        self.send_load(endpoint, TreeLoad::Down(Down { key, cookie, sequence, operation, result: None }));
        self.root_contributes(key.tree, endpoint, operation);
    }
}
