//! The host, as in the packet simulator: a rank runs its program on a core, matches what arrives,
//! and hands operations to its NIC.

use philae_nic_core::nic::{MatchLists, MatchPools};
use philae_nic_model::{ArrivalStep, HostPath, HostStep, PacketPurpose, receive_entry, unexpected_entry};
use philae_results::record::{IterationRow, MessageKind, MessageRow, OpenIteration};
use philae_units::{Bytes, ClassId, JobId, Picoseconds, RankId};
use philae_workload::{Action, Op, OpHandle, Progress, RankProgram, Wait};

use crate::run::{FluidEvent, FluidMessage, FluidSimulation};

/// Reason why pools of match lists cannot be full.
const ENDLESS: &str = "the pools of a run have no limit";

/// Why a host never sees some messages.
const BY_THE_NIC: &str = "the NIC answers these without the host";

pub struct Rank {
    pub job: u16,
    pub node: u32,
    /// The NIC that it uses.
    pub endpoint: u32,
    program: Box<dyn RankProgram>,
    core_free_at: u64,
    lists: MatchLists,
    outstanding: u32,
    iterations: Vec<(u32, u64)>,
    /// Whether the run waits for it to end.
    pub ends: bool,
    /// Whether it has ended.
    pub finished: bool,
}

impl Rank {
    /// A rank that has not started.
    pub fn new(job: u16, node: u32, endpoint: u32, program: Box<dyn RankProgram>, ends: bool) -> Self {
        Self {
            job,
            node,
            endpoint,
            program,
            core_free_at: 0,
            lists: MatchLists::default(),
            outstanding: 0,
            iterations: Vec::new(),
            ends,
            finished: false,
        }
    }

    /// A time of a schedule, which counts from the start of the latest open iteration.
    fn scheduled(&self, time: u64) -> u64 {
        self.iterations.last().map_or(0, |open| open.1).saturating_add(time)
    }

    /// What it waits for when no events are left.
    pub fn waits_for(&self) -> Wait {
        let counted = || Wait { words: format!("{} operations outstanding", self.outstanding), partner: None };
        self.program.waits_for().unwrap_or_else(counted)
    }
}

impl FluidSimulation {
    /// A rank takes a completion (or its start) and continues.
    pub fn run_rank(&mut self, number: u32, completed: Option<OpHandle>) {
        let mut actions = std::mem::take(&mut self.actions);
        let rank = &mut self.ranks[number as usize];
        if completed.is_some() {
            rank.outstanding -= 1;
        }
        let progress = rank.program.advance(completed, &mut actions);
        let core_from = self.ranks[number as usize].core_free_at.max(self.now);
        let (mut due, mut follows_schedule) = (None, false);
        for action in actions.drain(..) {
            if let Action::Due(time) = action {
                due = Some(self.ranks[number as usize].scheduled(time.0));
                follows_schedule = true;
            } else {
                self.act(number, action, due.take());
            }
        }
        self.ring(number);
        self.actions = actions;
        let now = self.now;
        let rank = &mut self.ranks[number as usize];
        if follows_schedule && now >= self.options.warm_up.0 {
            let span = rank.core_free_at.saturating_sub(core_from);
            self.jobs[usize::from(rank.job)].schedule.core_time += Picoseconds(span);
        }
        match progress {
            Progress::Running => assert!(
                rank.outstanding > 0,
                "rank {number} of all jobs is running with no outstanding operation: its program would never continue"
            ),
            Progress::Finished => {
                if !rank.finished {
                    rank.finished = true;
                    self.unfinished -= u32::from(rank.ends);
                    let job = &mut self.jobs[usize::from(rank.job)];
                    job.finished = (job.finished.0 + 1, job.finished.1.max(now.max(rank.core_free_at)));
                }
            }
        }
    }

    /// `due`: for when an operation that starts was intended, if it follows a schedule.
    fn act(&mut self, number: u32, action: Action, due: Option<u64>) {
        let now = self.now;
        if !matches!(action, Action::Start(_, Op::Put { .. } | Op::Get { .. } | Op::Amo { .. })) {
            self.ring(number);
        }
        let rank = &mut self.ranks[number as usize];
        let time = now.max(rank.core_free_at);
        match action {
            Action::IterationStart(iteration) => rank.iterations.push((iteration, time)),
            Action::IterationEnd(iteration) => {
                let open = rank.iterations.iter().position(|open| open.0 == iteration);
                let open = open.expect("a program ends only iterations that it has started");
                let (_, start) = rank.iterations.swap_remove(open);
                let job = rank.job;
                let of_job = &mut self.jobs[usize::from(job)];
                if of_job.records && start < self.options.warm_up.0 {
                    of_job.early = iteration.saturating_add(1).max(of_job.early);
                } else if of_job.records {
                    let in_job = RankId(number - self.jobs[usize::from(job)].first_rank);
                    let (start, end) = (Picoseconds(start), Picoseconds(time));
                    self.iterations.push(IterationRow { job: JobId(job), rank: in_job, iteration, start, end });
                }
            }
            Action::Start(handle, op) => {
                rank.outstanding += 1;
                self.start_operation(number, handle.0, op, time, due);
            }
            Action::Due(_) => unreachable!("it belongs to the operation that follows it"),
            Action::Doorbell => unreachable!("the fluid model has no processes"),
        }
    }

    /// The iterations that ranks have begun and not ended.
    pub fn open_iterations(&self) -> Vec<OpenIteration> {
        let mut rows = Vec::new();
        for (number, rank) in self.ranks.iter().enumerate() {
            let job = &self.jobs[usize::from(rank.job)];
            let in_job = RankId(number as u32 - job.first_rank);
            let open = rank.iterations.iter().filter(|_| job.records);
            rows.extend(open.map(|&(iteration, start)| OpenIteration {
                job: JobId(rank.job),
                rank: in_job,
                iteration,
                start: Picoseconds(start),
            }));
        }
        rows.sort_by_key(|row| (row.start, row.job, row.iteration, row.rank));
        rows
    }

    fn start_operation(&mut self, number: u32, handle: u32, op: Op, time: u64, due: Option<u64>) {
        let rank = &self.ranks[number as usize];
        let (job, endpoint) = (rank.job, rank.endpoint);
        let base = self.jobs[usize::from(job)].first_rank;
        let own_class = self.jobs[usize::from(job)].class;
        if let Some(due) = due.filter(|_| self.now >= self.options.warm_up.0) {
            let schedule = &mut self.jobs[usize::from(job)].schedule;
            schedule.messages += 1;
            schedule.bytes += op.payload();
            schedule.waited_for_window += Picoseconds(self.now - due);
            schedule.waited_for_core += Picoseconds(time - self.now);
        }
        if matches!(op, Op::Send { .. } | Op::Put { .. } | Op::Get { .. } | Op::Amo { .. })
            && due.unwrap_or(time) >= self.options.warm_up.0
        {
            self.jobs[usize::from(job)].issued += 1;
            self.jobs[usize::from(job)].open.issue(due.unwrap_or(time));
        }
        let called = self.protocol().called(time);
        let message = |purpose, peer: u32, bytes: Bytes, class: Option<ClassId>, tag| FluidMessage {
            purpose,
            job,
            class: class.unwrap_or(own_class),
            source_rank: number,
            destination_rank: base + peer,
            source: endpoint,
            destination: 0,
            bytes: bytes.0,
            operation_bytes: bytes.0,
            tag,
            issuer_handle: handle,
            receive_handle: u32::MAX,
            issued: due.unwrap_or(time),
        };
        match op {
            Op::Compute { time: span } => {
                self.ranks[number as usize].core_free_at = time + span.0;
                self.finish_operation(number, handle, time + span.0);
            }
            Op::Delay { time: span } => self.finish_operation(number, handle, time + span.0),
            Op::Until { time: span } => {
                let at = self.ranks[number as usize].scheduled(span.0);
                self.finish_operation(number, handle, at.max(self.now));
            }
            Op::Offload { .. } => unreachable!("jobs that leave operations to the switches are refused"),
            Op::Event { .. } | Op::Fetch { .. } => unreachable!("ranks that are processes are refused"),
            Op::Recv { from, tag, .. } => {
                let receive = receive_entry(from.map(|rank| base + rank.0), tag, handle);
                let time = self.search(number, time, |lists, pools| lists.would_take(pools, &receive.criteria).1);
                let lists = &mut self.ranks[number as usize].lists;
                match lists.take_arrival(&mut self.pools, &receive.criteria) {
                    Some(record) => self.matched(number, record as u32, handle, time, true),
                    None => lists.add_receive(&mut self.pools, receive).expect(ENDLESS),
                }
            }
            Op::Send { to, bytes, tag, class } => {
                let near = self.shares_node(number, base + to.0);
                let sent = self.protocol().send(bytes.0, near, time);
                let completion = match &self.config.node {
                    Some(node) if !near => u64::from(node.completion_ns) * 1_000,
                    _ => 0,
                };
                self.ranks[number as usize].core_free_at = sent.core_free_at + completion;
                let first = FluidMessage { bytes: sent.bytes, ..message(sent.purpose, to.0, bytes, class, tag) };
                self.issue(first, sent.bytes, sent.time);
            }
            Op::Put { to, bytes, class } => {
                self.command(message(PacketPurpose::Put, to.0, bytes, class, 0), called);
            }
            Op::Get { from, bytes, class } => {
                let request = message(PacketPurpose::GetRequest, from.0, bytes, class, 0);
                self.command(FluidMessage { bytes: 0, ..request }, called);
            }
            Op::Amo { to, bytes, fetch, class } => {
                self.command(message(PacketPurpose::atomic(fetch), to.0, bytes, class, 0), called);
            }
        }
    }

    /// A one-sided operation waits to share a doorbell with others.
    fn command(&mut self, message: FluidMessage, time: u64) {
        self.ranks[message.source_rank as usize].core_free_at = time;
        let rank = message.source_rank;
        self.held.push(message);
        if self.protocol().is_bundle_full(self.held.len()) {
            self.ring(rank);
        }
    }

    fn ring(&mut self, rank: u32) {
        if self.held.is_empty() {
            return;
        }
        let time = self.protocol().rung(self.ranks[rank as usize].core_free_at);
        self.ranks[rank as usize].core_free_at = time;
        let mut held = std::mem::take(&mut self.held);
        let commands = held.len();
        for message in held.drain(..) {
            let fetched = self.protocol().fetches_command(commands, message.bytes);
            self.issue_command(message, fetched, time);
        }
        self.held = held;
    }

    fn shares_node(&self, one: u32, other: u32) -> bool {
        self.ranks[one as usize].node == self.ranks[other as usize].node
    }

    fn issue(&mut self, message: FluidMessage, payload: u64, time: u64) {
        self.issue_command(message, self.protocol().fetches(payload), time);
    }

    fn issue_command(&mut self, message: FluidMessage, fetched: bool, time: u64) {
        if self.shares_node(message.source_rank, message.destination_rank) {
            return self.copy_locally(message, time);
        }
        let ready = self.protocol().ready(fetched, time);
        let destination = self.ranks[message.destination_rank as usize].endpoint;
        self.begin(FluidMessage { destination, ..message }, ready);
    }

    fn copy_locally(&mut self, message: FluidMessage, time: u64) {
        let (arrives, copied) = self.protocol().local_copy(message.operation_bytes, time);
        let destination = self.ranks[message.destination_rank as usize].endpoint;
        let message = FluidMessage { destination, ..message };
        if message.purpose.is_one_sided() {
            self.record(&message, arrives, true);
            self.finish_operation(message.source_rank, message.issuer_handle, arrives);
        } else {
            let record = self.keep(message);
            self.push(arrives, FluidEvent::Visible { message: record });
            self.finish_operation(message.source_rank, message.issuer_handle, copied);
        }
    }

    /// A core goes along a list of a rank from `time` on, where software matches entry by entry.
    /// Returns when it has. `looked_at`: how many entries it sees; the first is part of the time of
    /// every message.
    fn search(
        &mut self,
        number: u32,
        time: u64,
        looked_at: impl FnOnce(&mut MatchLists, &mut MatchPools) -> u64,
    ) -> u64 {
        let (nic, host) = (&self.config.nic, &self.config.host);
        let of_each = u64::from(nic.match_entry_ns) * 1_000;
        if self.nic_matches() || host.path != HostPath::Messages || of_each == 0 {
            return time;
        }
        let rank = &mut self.ranks[number as usize];
        let others = looked_at(&mut rank.lists, &mut self.pools).saturating_sub(1);
        if others == 0 {
            return time;
        }
        rank.core_free_at = time.max(rank.core_free_at) + others * of_each;
        rank.core_free_at
    }

    /// A message has become visible at its receiver.
    pub fn visible(&mut self, record: u32) {
        let message = *self.message(record);
        match message.purpose.host_step().expect(BY_THE_NIC) {
            HostStep::Match => {
                let (number, bits) = (message.destination_rank, u64::from(message.tag));
                let time =
                    self.search(number, self.now, |lists, pools| lists.would_land(pools, bits, message.source_rank).1);
                let lists = &mut self.ranks[number as usize].lists;
                match lists.take_receive(&mut self.pools, bits, message.source_rank) {
                    Some(handle) => self.matched(number, record, handle as u32, time, false),
                    None => {
                        let (tag, bytes) = (message.tag, message.operation_bytes);
                        let entry = unexpected_entry(tag, message.source_rank, bytes, record);
                        lists.add_arrival(&mut self.pools, entry).expect(ENDLESS);
                    }
                }
            }
            HostStep::EndReceive => {
                self.received(record, message.destination_rank, message.receive_handle, self.now, 0)
            }
            HostStep::EndIssued => self.received(record, message.destination_rank, message.issuer_handle, self.now, 0),
        }
    }

    fn matched(&mut self, number: u32, record: u32, handle: u32, time: u64, unexpected: bool) {
        let message = *self.message(record);
        if message.purpose == PacketPurpose::Eager {
            let near = self.shares_node(message.source_rank, message.destination_rank);
            let is_kept = unexpected || self.config.nic.match_offload && !self.nic_matches();
            let copy = if near { 0 } else { self.protocol().bounce(message.bytes, is_kept) };
            return self.received(record, message.destination_rank, handle, time, copy);
        }
        self.forget(record);
        let matches = self.nic_matches();
        let mut core_free_at = self.ranks[number as usize].core_free_at;
        let ready = self.protocol().read_request(matches, time, &mut core_free_at);
        self.ranks[number as usize].core_free_at = core_free_at;
        let request = FluidMessage {
            purpose: PacketPurpose::ReadRequest,
            source_rank: message.destination_rank,
            destination_rank: message.source_rank,
            source: message.destination,
            destination: message.source,
            bytes: 0,
            receive_handle: handle,
            ..message
        };
        self.begin(request, ready);
    }

    fn received(&mut self, record: u32, rank: u32, handle: u32, time: u64, copy: u64) {
        let message = *self.message(record);
        self.forget(record);
        let near = self.shares_node(message.source_rank, message.destination_rank);
        self.record(&message, time, near);
        let free_at = self.protocol().taken(time, self.ranks[rank as usize].core_free_at, copy);
        self.ranks[rank as usize].core_free_at = free_at;
        self.finish_operation(rank, handle, free_at);
    }

    /// All of a message has arrived at its NIC.
    pub fn arrived(&mut self, record: u32) {
        let message = *self.message(record);
        let (pair, in_memory) = ((message.destination_rank, message.source_rank), self.written(&message));
        let written = self.connected(message.destination, message.purpose, pair, in_memory);
        let now = self.now + (written - in_memory);
        match self.protocol().arrival(message.purpose, self.nic_matches()) {
            ArrivalStep::Visible { after } => self.push(written + after, FluidEvent::Visible { message: record }),
            ArrivalStep::Fetched { after } => {
                self.push(written + after, FluidEvent::Visible { message: record });
                let acknowledged = self.ends_after(&message, [now, written], after);
                self.finish_operation(message.source_rank, message.issuer_handle, acknowledged);
            }
            ArrivalStep::Answer { purpose, after } => {
                self.forget(record);
                let answer = FluidMessage {
                    purpose,
                    source_rank: message.destination_rank,
                    destination_rank: message.source_rank,
                    source: message.destination,
                    destination: message.source,
                    bytes: message.operation_bytes,
                    ..message
                };
                self.begin(answer, now + after);
            }
            ArrivalStep::Written { after } => {
                self.forget(record);
                self.record(&message, written, false);
                let acknowledged = self.ends_after(&message, [now, written], after);
                self.finish_operation(message.source_rank, message.issuer_handle, acknowledged);
            }
            ArrivalStep::Software => unreachable!("jobs that leave operations to the switches are refused"),
        }
    }

    /// A message counts as delivered at `time`.
    fn record(&mut self, message: &FluidMessage, time: u64, local: bool) {
        if message.issued < self.options.warm_up.0 {
            return;
        }
        let job = &mut self.jobs[usize::from(message.job)];
        job.latency.record(time.saturating_sub(message.issued) / 1_000);
        job.open.deliver(message.issued);
        if !job.records || self.messages_kept.len() >= self.options.records.message_rows_max {
            return;
        }
        let kind = match message.purpose {
            _ if local => MessageKind::Local,
            PacketPurpose::Eager | PacketPurpose::Deferrable => MessageKind::Eager,
            PacketPurpose::RendezvousRequest | PacketPurpose::ReadRequest | PacketPurpose::ReadData => {
                MessageKind::Rendezvous
            }
            PacketPurpose::Put => MessageKind::Put,
            PacketPurpose::GetRequest | PacketPurpose::GetData => MessageKind::Get,
            PacketPurpose::Amo | PacketPurpose::FetchingAmo | PacketPurpose::AmoData => MessageKind::Amo,
            PacketPurpose::Notice | PacketPurpose::Collective | PacketPurpose::Response => {
                unreachable!("jobs that leave operations to the switches are refused")
            }
        };
        let (issuer, other) = if message.purpose.answers_issuer() {
            (message.destination_rank, message.source_rank)
        } else {
            (message.source_rank, message.destination_rank)
        };
        self.messages_kept.push(MessageRow {
            job: JobId(message.job),
            source: RankId(issuer - job.first_rank),
            destination: RankId(other - job.first_rank),
            bytes: Bytes(message.operation_bytes),
            kind,
            class: message.class,
            issued: Picoseconds(message.issued),
            delivered: Picoseconds(time),
        });
    }
}
