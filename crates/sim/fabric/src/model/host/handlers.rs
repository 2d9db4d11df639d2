//! What happens at a host: a rank takes a step, issues its operations, and takes completions.

use philae_nic_core::nic::Receive;
use philae_nic_model::{HostStep, receive_entry};
use philae_units::{Bytes, ClassId, JobId, Picoseconds};
use philae_workload::{Action, Op, OpHandle, Progress};

use super::{ENDLESS, UNMATCHED, unexpected};
use crate::model::event::START;
use crate::model::packet::{Header, Incoming, PacketPurpose};
use crate::partition::Partition;

/// A process fetched a message that does not wait in it: a mistake of its driver.
const NOT_OFFERED: &str = "a process fetches only messages that it was offered, once, and has answered that they wait";

/// Why a host never sees some messages.
const BY_THE_NIC: &str = "the NIC answers these without the host";

impl Partition {
    /// Hands a rank a completion (or its start), and starts what its program does next.
    #[inline(never)]
    pub fn run_rank(&mut self, local: u32, handle: u32) {
        let rank = &mut self.host.ranks[local as usize];
        // The model knows by its number what it gets, the program by its handle.
        let taken = rank.takes(handle);
        let handle = match &mut rank.open {
            Some(open) if handle != START => match open.end(handle) {
                Some(handle) => handle,
                None => return,
            },
            _ => handle,
        };
        let mut actions = std::mem::take(&mut self.record.recorder.actions);
        let completed = (handle != START).then_some(OpHandle(handle));
        if completed.is_some() {
            rank.outstanding -= 1;
            if let Some(bytes) = taken {
                let job = self.shared.places.ranks[rank.number as usize].job;
                self.record.recorder.received(job, bytes, self.clock.now());
            }
        }
        let rank = &mut self.host.ranks[local as usize];
        let free_at = Picoseconds(self.clock.now().max(rank.core_free_at));
        let progress = match rank.process() {
            Some(process) => process.advance(free_at, completed, &mut actions),
            None => rank.program.advance(completed, &mut actions),
        };
        if let Some(history) = &mut rank.history {
            history.advanced(completed, actions.len());
        }
        if self.record.recorder.rows.activities.is_some() {
            self.note_activities(local, completed, &actions);
        }
        let core_from = self.host.ranks[local as usize].core_free_at.max(self.clock.now());
        let (mut due, mut follows_schedule) = (None, false);
        for action in actions.drain(..) {
            if let Action::Due(time) = action {
                due = Some(self.host.ranks[local as usize].scheduled(time.0));
                follows_schedule = true;
            } else {
                self.act(local, action, due.take());
            }
        }
        self.ring(local);
        if self.host.ranks[local as usize].is_process() {
            self.reply_for_process(local);
        }
        if self.record.recorder.rows.activities.is_some() {
            self.note_wait(local, progress);
        }
        self.record.recorder.actions = actions;
        let now = self.clock.now();
        let rank = &mut self.host.ranks[local as usize];
        if follows_schedule {
            let job = self.shared.places.ranks[rank.number as usize].job;
            self.record.recorder.core_busy(job, now, rank.core_free_at.saturating_sub(core_from));
        }
        match progress {
            Progress::Running => assert!(
                rank.outstanding > 0,
                "rank {} of all jobs says it is running and has nothing outstanding: its program would never go on",
                rank.number
            ),
            Progress::Finished => {
                if !rank.finished {
                    rank.finished = true;
                    self.host.unfinished -= u32::from(rank.ends);
                    let job = self.shared.places.ranks[rank.number as usize].job;
                    let end = now.max(rank.core_free_at);
                    self.record.recorder.rank_finished(job, end);
                }
            }
        }
    }

    /// `due`: for when an operation that starts was intended, if it follows a schedule.
    fn act(&mut self, local: u32, action: Action, due: Option<u64>) {
        let now = self.clock.now();
        let is_process = self.host.ranks[local as usize].is_process();
        let holds = match action {
            Action::Start(_, Op::Put { .. } | Op::Get { .. } | Op::Amo { .. }) => true,
            // A process computes between operations that share a doorbell.
            Action::Start(_, Op::Compute { .. }) => is_process,
            _ => false,
        };
        if !holds {
            self.ring(local);
        }
        let rank = &mut self.host.ranks[local as usize];
        let time = now.max(rank.core_free_at);
        match action {
            Action::IterationStart(iteration) => rank.iterations.push((iteration, time)),
            Action::IterationEnd(iteration) => {
                let number = rank.number;
                let open = rank.iterations.iter().position(|open| open.0 == iteration);
                let open = open.expect("a program ends only iterations that it has started");
                let (_, start) = rank.iterations.swap_remove(open);
                let entry = self.shared.places.ranks[number as usize];
                let in_job = number - self.shared.places.rank_base[usize::from(entry.job)];
                self.record.recorder.iteration(JobId(entry.job), in_job, iteration, start, time);
            }
            Action::Start(handle, op) => {
                rank.outstanding += 1;
                let number = rank.begins(handle.0);
                if self.record.recorder.rows.activities.is_some() {
                    self.note_span(local, handle, op, time);
                }
                self.start(local, number, op, time, due);
            }
            Action::Doorbell => {}
            Action::Due(_) => unreachable!("it belongs to the operation that follows it"),
        }
    }

    /// Starts an operation on the rank's core at `time`.
    fn start(&mut self, local: u32, handle: u32, op: Op, time: u64, due: Option<u64>) {
        let number = self.host.ranks[local as usize].number;
        let entry = self.shared.places.ranks[number as usize];
        let base = self.shared.places.rank_base[usize::from(entry.job)];
        let class_of =
            |class: Option<ClassId>| class.unwrap_or(ClassId(self.shared.classes.job_class[usize::from(entry.job)]));
        if let Some(due) = due {
            let now = self.clock.now();
            let bytes = op.payload();
            self.record.recorder.scheduled(entry.job, bytes, due, now, time);
        }
        if matches!(op, Op::Send { .. } | Op::Put { .. } | Op::Get { .. } | Op::Amo { .. }) {
            self.record.recorder.issued(entry.job, due.unwrap_or(time));
        }
        let begins = time + self.late(number, time, self.shared.protocol(entry.endpoint).called(0));
        let called = self.shared.protocol(entry.endpoint).called(begins);
        let header = |purpose, peer: u32, operation_bytes: Bytes, class, tag| Header {
            purpose,
            job: JobId(entry.job),
            class: class_of(class),
            source_rank: number,
            destination_rank: base + peer,
            bytes: operation_bytes.0,
            operation_bytes: operation_bytes.0,
            tag,
            issuer_handle: handle,
            receive_handle: UNMATCHED,
            issued: due.unwrap_or(time),
        };
        match op {
            Op::Compute { time: span } => {
                let ends = time + span.0 + self.late(number, time, span.0);
                self.host.ranks[local as usize].core_free_at = ends;
                self.finish_operation(number, handle, ends);
            }
            Op::Delay { time: span } => self.finish_operation(number, handle, time + span.0),
            Op::Until { time: span } => {
                let at = self.host.ranks[local as usize].scheduled(span.0);
                self.finish_operation(number, handle, at.max(self.clock.now()));
            }
            Op::Event { until } => self.wait_for_event(local, handle, until.map(|until| until.0.max(time))),
            Op::Fetch { number } => {
                let offered = self.nic.incoming[number].header;
                let is_waiting = offered.purpose == PacketPurpose::RendezvousRequest;
                assert!(
                    is_waiting && offered.destination_rank == self.host.ranks[local as usize].number,
                    "{NOT_OFFERED}"
                );
                self.host.ranks[local as usize].fetches((offered.source_rank, offered.issuer_handle));
                self.matched(local, number, handle, time, true);
            }
            Op::Offload { kind, bytes } => self.offload(number, handle, kind, bytes.0, time),
            Op::Recv { from, tag, .. } => {
                self.post(local, receive_entry(from.map(|rank| base + rank.0), tag, handle), time);
            }
            Op::Send { to, bytes, tag, class } => {
                let same_node = self.shares_node(number, base + to.0);
                let mut sent = self.shared.protocol(entry.endpoint).send(bytes.0, same_node, begins);
                if sent.purpose == PacketPurpose::RendezvousRequest && self.uet_defers(local, bytes.0) {
                    (sent.purpose, sent.bytes) = (PacketPurpose::Deferrable, bytes.0);
                }
                let first = Header { bytes: sent.bytes, ..header(sent.purpose, to.0, bytes, class, tag) };
                if self.has_bus() && !same_node && sent.purpose == PacketPurpose::Eager {
                    let (delay, all) = self.copies_what_it_sends(entry.endpoint, bytes.0, begins);
                    (sent.time, sent.core_free_at) = (sent.time + delay, sent.core_free_at + all);
                    if delay > 0 && self.record.observer.on {
                        self.explain_copied(&first, sent.time, delay);
                    }
                }
                let completion = if same_node { 0 } else { self.core_after_send(entry.endpoint) };
                self.host.ranks[local as usize].core_free_at = sent.core_free_at + completion;
                self.issue(first, sent.bytes, sent.time);
            }
            Op::Put { to, bytes, class } => {
                self.command(local, header(PacketPurpose::Put, to.0, bytes, class, 0), called);
            }
            Op::Get { from, bytes, class } => {
                let request = header(PacketPurpose::GetRequest, from.0, bytes, class, 0);
                self.command(local, Header { bytes: 0, ..request }, called);
            }
            Op::Amo { to, bytes, fetch, class } => {
                self.command(local, header(PacketPurpose::atomic(fetch), to.0, bytes, class, 0), called);
            }
        }
    }

    fn shares_node(&self, one: u32, other: u32) -> bool {
        self.shared.places.ranks[one as usize].node == self.shared.places.ranks[other as usize].node
    }

    /// Hands a message to the NIC at `time`, or to the memory of the node.
    pub fn issue(&mut self, header: Header, payload: u64, time: u64) {
        let source = self.shared.places.ranks[header.source_rank as usize].endpoint;
        let fetched = self.shared.protocol(source).fetches(payload);
        self.issue_command(header, (1, fetched), time);
    }

    /// The same for one of `commands` that share a doorbell, with `fetched` given: whether the NIC
    /// has to fetch the command or the payload.
    pub fn issue_command(&mut self, header: Header, (commands, fetched): (usize, bool), time: u64) {
        if self.record.observer.on {
            self.explain_issued(&header, time);
        }
        if self.shares_node(header.source_rank, header.destination_rank) {
            return self.copy_locally(header, time);
        }
        let source = self.shared.places.ranks[header.source_rank as usize].endpoint;
        let time = if self.has_bus() { self.command_taken(source, commands, time) } else { time };
        let ready = self.shared.protocol(source).ready(fetched, time);
        let destination = self.shared.places.ranks[header.destination_rank as usize].endpoint;
        self.begin_message(header, source, destination, ready);
    }

    /// Copies a message between two ranks of one node.
    fn copy_locally(&mut self, header: Header, time: u64) {
        let source = self.shared.places.ranks[header.source_rank as usize].endpoint;
        let (mut arrives, mut copied) = self.shared.protocol(source).local_copy(header.operation_bytes, time);
        if self.has_bus() {
            let delay = self.copy_waits(source, header.operation_bytes, time);
            (arrives, copied) = (arrives + delay, copied + delay);
            if self.record.observer.on {
                self.explain_copied(&header, copied, delay);
            }
        }
        let mut message = self.local_record(header);
        if header.purpose.is_one_sided() {
            message.received = header.operation_bytes;
            if self.record.observer.on {
                self.explain_finished(&message, arrives);
            }
            self.record.recorder.message(arrives, &message, &self.shared);
            self.program_gets(header.source_rank, header.issuer_handle, header.operation_bytes);
            self.finish_operation(header.source_rank, header.issuer_handle, arrives);
            if self.host.has_processes {
                self.reach_process(&header, arrives);
            }
        } else {
            let record = self.nic.incoming.insert(message);
            self.complete_at(record, arrives);
            self.finish_operation(header.source_rank, header.issuer_handle, copied);
        }
    }

    fn local_record(&self, header: Header) -> Incoming {
        let source = self.shared.places.ranks[header.source_rank as usize].endpoint;
        let destination = self.shared.places.ranks[header.destination_rank as usize].endpoint;
        Incoming::new(header, source, destination)
    }

    /// Posts a receive, which takes the oldest message that fits, or waits.
    fn post(&mut self, local: u32, receive: Receive, time: u64) {
        if !self.host.entries.is_empty() {
            return self.post_with_entries(local, receive, time);
        }
        let lists = &mut self.host.ranks[local as usize].lists;
        match lists.take_arrival(&mut self.host.match_pools, &receive.criteria) {
            Some(record) => self.matched(local, record as u32, receive.context as u32, time, true),
            None => lists.add_receive(&mut self.host.match_pools, receive).expect(ENDLESS),
        }
    }

    /// A message has become visible at its receiver.
    #[inline(never)]
    pub fn complete(&mut self, record: u32) {
        let message = self.nic.incoming[record];
        let header = message.header;
        if self.record.observer.on {
            self.explain_visible(&message);
        }
        let now = self.clock.now();
        match header.purpose.host_step().expect(BY_THE_NIC) {
            HostStep::Match => {
                let local = self.shared.places.ranks[header.destination_rank as usize].local;
                if self.host.ranks[local as usize].is_process() {
                    return self.offer_to_process(local, record);
                }
                if !self.host.entries.is_empty() {
                    return self.complete_with_entries(local, record, unexpected(&header, record));
                }
                let lists = &mut self.host.ranks[local as usize].lists;
                match lists.take_receive(&mut self.host.match_pools, u64::from(header.tag), header.source_rank) {
                    Some(handle) => self.matched(local, record, handle as u32, now, false),
                    None => {
                        let entry = unexpected(&header, record);
                        lists.add_arrival(&mut self.host.match_pools, entry).expect(ENDLESS);
                    }
                }
            }
            HostStep::EndReceive => {
                let local = self.shared.places.ranks[header.destination_rank as usize].local;
                if self.host.ranks[local as usize].is_process() {
                    return self.fetched_by_process(local, record);
                }
                self.received(record, header.destination_rank, header.receive_handle, now, 0);
            }
            HostStep::EndIssued => self.received(record, header.destination_rank, header.issuer_handle, now, 0),
        }
    }

    /// A message and a receive have matched at `time`. `unexpected`: the message was there first.
    pub fn matched(&mut self, local: u32, record: u32, handle: u32, time: u64, unexpected: bool) {
        let header = self.nic.incoming[record].header;
        if self.record.observer.on {
            self.explain_matched(&header, time);
        }
        if matches!(header.purpose, PacketPurpose::Eager | PacketPurpose::Deferrable) {
            // Between ranks of one node, the copy was already counted in transit.
            let same_node = self.shares_node(header.source_rank, header.destination_rank);
            if !same_node && self.shared.config.host.path.is_kernel() {
                return self.kernel_receive(record, handle, time);
            }
            let endpoint = self.shared.places.ranks[header.destination_rank as usize].endpoint;
            let is_kept =
                unexpected || !self.host.entries.is_empty() && !self.nic_matches(local, self.shared.nic(endpoint));
            let copy = match self.shared.protocol(endpoint).bounce(header.bytes, is_kept) {
                _ if same_node => 0,
                copy if copy > 0 && self.has_bus() => {
                    let begins = self.copy_begins(endpoint, header.destination_rank, time);
                    copy + self.copy_waits(endpoint, header.bytes, begins)
                }
                copy => copy,
            };
            return self.received(record, header.destination_rank, handle, time, copy);
        }
        // A rendezvous request: fetch the data.
        self.nic.incoming.remove(record);
        let endpoint = self.shared.places.ranks[header.destination_rank as usize].endpoint;
        let matches = self.nic_matches(local, self.shared.nic(endpoint));
        let core_free_at = &mut self.host.ranks[local as usize].core_free_at;
        let begins = time.max(*core_free_at);
        let mut ready = self.shared.protocol(endpoint).read_request(matches, time, core_free_at);
        if !matches && self.shared.config.laws.jitter.is_some() {
            let span = self.core_free_at(header.destination_rank) - begins;
            let delay = self.late(header.destination_rank, begins, span);
            ready += delay;
            self.occupy(header.destination_rank, begins + span + delay);
        }
        let request = Header {
            purpose: PacketPurpose::ReadRequest,
            source_rank: header.destination_rank,
            destination_rank: header.source_rank,
            bytes: 0,
            receive_handle: handle,
            ..header
        };
        let source = self.shared.places.ranks[request.source_rank as usize].endpoint;
        let destination = self.shared.places.ranks[request.destination_rank as usize].endpoint;
        self.begin_message(request, source, destination, ready);
    }

    /// A rank takes received data. The core is busy for the overhead and the copy, then the program
    /// continues.
    fn received(&mut self, record: u32, rank: u32, handle: u32, time: u64, copy: u64) {
        let message = self.nic.incoming[record];
        self.nic.incoming.remove(record);
        if self.record.observer.on {
            self.explain_finished(&message, time);
        }
        self.record.recorder.message(time, &message, &self.shared);
        let core_free_at = self.core_free_at(rank);
        let owed = if self.has_tcp() { self.tcp_owed(&message) } else { 0 };
        let free_at = self.shared.protocol(message.destination).taken(time, core_free_at, copy) + owed;
        let begins = time.max(core_free_at);
        let free_at = free_at + self.late(rank, begins, free_at - begins);
        self.occupy(rank, free_at);
        if self.has_tcp() {
            self.tcp_taken(&message, free_at);
        }
        self.program_gets(rank, handle, message.header.operation_bytes);
        self.finish_operation(rank, handle, free_at);
    }

    /// The program of a rank (counted over all jobs) gets `bytes` with the completion of `handle`.
    #[inline]
    pub fn program_gets(&mut self, rank: u32, handle: u32, bytes: u64) {
        let local = self.shared.places.ranks[rank as usize].local;
        self.host.ranks[local as usize].taking.push_back((handle, bytes));
    }

    /// By how much later a step of `span` ends that the core of a rank (counted over all jobs)
    /// begins at `begins`.
    #[inline]
    pub fn late(&self, rank: u32, begins: u64, span: u64) -> u64 {
        self.shared.config.laws.jitter.as_ref().map_or(0, |law| law.delay(self.shared.options.seed, rank, begins, span))
    }

    /// When a core that takes a message at `time` begins to copy it.
    pub fn copy_begins(&self, endpoint: u32, rank: u32, time: u64) -> u64 {
        self.shared.protocol(endpoint).taken(time, self.core_free_at(rank), 0)
    }

    /// When the core of a rank (counted over all jobs) is free.
    pub fn core_free_at(&self, rank: u32) -> u64 {
        self.host.ranks[self.shared.places.ranks[rank as usize].local as usize].core_free_at
    }

    /// Keeps the core of a rank (counted over all jobs) busy until `time`.
    pub fn occupy(&mut self, rank: u32, time: u64) {
        self.host.ranks[self.shared.places.ranks[rank as usize].local as usize].core_free_at = time;
    }
}
