//! A rank, as the fabric asks it.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use philae_cosim::{Given, Handed, RankCommand, RankCommandKind, RankFault, RankTurns, WaitKind};
use philae_provider::simulated::flags;
use philae_provider::simulated::nic::ReturnCode;
use philae_units::{Bytes, Picoseconds, RankId};
use philae_workload::{
    Action, Lost, MemoryAccess, NicReply, OfferAnswer, Op, OpHandle, ProcessMessage, Progress, RankProcess, Wait,
};

use crate::deliveries::Taken;
use crate::operation::{OperationKind, RankOperation};
use crate::rank::{CoordinatedState, DataDestination, Fetch, RankPhase};
use crate::run::Run;

/// A rank that is a process.
#[derive(Debug)]
pub struct CoordinatedRank {
    pub(crate) run: Arc<Run>,
    pub(crate) rank: u32,
    turns: RankTurns,
}

impl RankProcess for CoordinatedRank {
    fn advance(&mut self, now: Picoseconds, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress {
        let run = Arc::clone(&self.run);
        let mut state = run.rank(self.rank);
        let state = &mut *state;
        let Some(handle) = completed else { return self.begin(state, now.0, actions) };
        let is_due = match state.phase {
            RankPhase::Gone => {
                self.conclude(handle);
                return Progress::Finished;
            }
            RankPhase::Busy { turn } | RankPhase::Ahead { turn, .. } => turn == handle,
            RankPhase::Waits { event, .. } | RankPhase::Outside { event, .. } => event == handle,
            RankPhase::Failed => false,
        };
        let has_news = !is_due && self.conclude(handle);
        match state.phase {
            RankPhase::Waits { kind, since, .. } if is_due || has_news && kind != WaitKind::Sleep => {
                self.end_wait(state, kind, since, now.0, actions)
            }
            RankPhase::Outside { happenings, since, .. } if is_due => {
                run.outside.fetch_sub(1, Ordering::Relaxed);
                state.is_back_late = happenings != run.happenings.load(Ordering::Relaxed) || since != now.0;
                self.give_turn(state, now.0, actions)
            }
            RankPhase::Busy { .. } if is_due => self.give_turn(state, now.0, actions),
            RankPhase::Ahead { .. } if is_due && self.turns.has_news() => self.give_turn(state, now.0, actions),
            RankPhase::Ahead { kind, until, .. } if is_due => {
                Self::wait(state, kind, until, now.0, actions);
                Progress::Running
            }
            _ => Progress::Running,
        }
    }

    fn offered(&mut self, now: Picoseconds, message: &ProcessMessage, number: u32, is_whole: bool) -> OfferAnswer {
        let arrived = self.arrived(message.source.0, message.operation, (!is_whole).then_some(number));
        match arrived {
            (Taken::Fetches(from), _) => OfferAnswer::Fetches(now.max(Picoseconds(from))),
            (Taken::Waits, ended) => OfferAnswer::Waits(ended),
            (Taken::Done, ended) => OfferAnswer::Taken(ended),
        }
    }

    fn fetched(&mut self, _: Picoseconds, message: &ProcessMessage) -> Option<OpHandle> {
        self.data_arrived(message.source.0, message.operation, None)
    }

    fn reached(&mut self, _: Picoseconds, message: &ProcessMessage, access: MemoryAccess) -> Option<OpHandle> {
        if access == MemoryAccess::ReadMessage {
            return None;
        }
        self.memory_reached(message.source.0, message.operation)
    }

    fn replies(&mut self) -> Option<NicReply> {
        self.run.rank(self.rank).replies.pop_front()
    }

    fn released(&mut self) -> Option<(u32, Picoseconds)> {
        self.run.rank(self.rank).released.pop_front()
    }

    fn lost(&mut self, _: Picoseconds, message: &ProcessMessage, lost: Lost) -> Option<OpHandle> {
        match lost {
            Lost::Data => self.data_arrived(message.source.0, message.operation, Some(ReturnCode::Undeliverable)),
            Lost::Arrival => self.never_arrives(message.source.0, message.operation),
            Lost::Operation => {
                // Its target learns of it by itself, and later.
                self.run.operations(self.rank).settle(message.operation, |outstanding| outstanding.operation.lost());
                None
            }
        }
    }

    fn waits_for(&self) -> Option<Wait> {
        Some(self.describe())
    }
}

impl CoordinatedRank {
    pub fn new(run: Arc<Run>, turns: RankTurns) -> Self {
        Self { run, rank: turns.rank(), turns }
    }

    /// Something has happened that the rank may look for.
    pub fn note_news(&self) {
        self.run.happenings.fetch_add(1, Ordering::Relaxed);
        self.turns.note_news();
    }

    /// The rank's first turn, if it is there.
    fn begin(&mut self, state: &mut CoordinatedState, now: u64, actions: &mut Vec<Action>) -> Progress {
        if self.turns.is_back() {
            return self.give_turn(state, now, actions);
        }
        if self.run.coordinator.process_state(self.rank).is_none() {
            // It has ended without a part in the run.
            state.phase = RankPhase::Gone;
            return Progress::Finished;
        }
        self.goes_outside(state, now, actions)
    }

    fn goes_outside(&self, state: &mut CoordinatedState, since: u64, actions: &mut Vec<Action>) -> Progress {
        let event = state.next();
        actions.push(Action::Start(event, Op::Event { until: None }));
        let happenings = self.run.happenings.load(Ordering::Relaxed);
        state.phase = RankPhase::Outside { event, happenings, since };
        self.run.outside.fetch_add(1, Ordering::Relaxed);
        Progress::Running
    }

    /// The rank's wait is over. One that polls goes on with the first poll at or after `now`.
    fn end_wait(
        &mut self,
        state: &mut CoordinatedState,
        kind: WaitKind,
        since: u64,
        now: u64,
        actions: &mut Vec<Action>,
    ) -> Progress {
        let poll = self.run.costs.poll;
        if kind == WaitKind::Poll && poll > 0 {
            let polls = now.saturating_sub(since).div_ceil(poll).max(1);
            let left = (since + polls * poll).saturating_sub(now);
            if left > 0 {
                Self::be_busy(state, left, actions);
                return Progress::Running;
            }
        }
        self.give_turn(state, now, actions)
    }

    /// The rank waits from `since` on.
    fn wait(
        state: &mut CoordinatedState,
        kind: WaitKind,
        until: Option<Picoseconds>,
        since: u64,
        actions: &mut Vec<Action>,
    ) {
        let event = state.next();
        actions.push(Action::Start(event, Op::Event { until }));
        // A program that polls polls again then, and has not waited for that.
        let is_limited = until.is_some() && kind == WaitKind::Event;
        state.phase = RankPhase::Waits { kind, event, since, until, is_limited, is_over: false };
    }

    /// The rank's core is busy for this long; then it has its turn.
    fn be_busy(state: &mut CoordinatedState, time: u64, actions: &mut Vec<Action>) {
        let turn = state.next();
        actions.push(Action::Start(turn, Op::Compute { time: Picoseconds(time) }));
        state.phase = RankPhase::Busy { turn };
    }

    fn failed(&self, state: &mut CoordinatedState, fault: RankFault, actions: &mut Vec<Action>) -> Progress {
        self.run.fail(fault);
        let event = state.next();
        actions.push(Action::Start(event, Op::Event { until: None }));
        state.phase = RankPhase::Failed;
        Progress::Running
    }

    /// Gives the rank its turn, and starts what it hands over.
    fn give_turn(&mut self, state: &mut CoordinatedState, now: u64, actions: &mut Vec<Action>) -> Progress {
        let mut base = now;
        let mut has_news = self.retry(state, now, actions);
        loop {
            let given = match self.turns.run(base) {
                Ok(given) => given,
                Err(fault) => return self.failed(state, fault, actions),
            };
            let handed = match self.turns.take() {
                Ok(handed) => handed,
                Err(fault) => return self.failed(state, fault, actions),
            };
            // One that only comes back to leave has missed nothing.
            let leaves = handed.commands.is_empty() && matches!(given, Given::Back { wait: WaitKind::Ends, .. });
            state.was_outside |= std::mem::take(&mut state.is_back_late) && !leaves;
            has_news |= self.start_all(state, &handed, &mut base, actions);
            let (wait, deadline, clock) = match given {
                Given::Outside { clock } => {
                    if clock > base {
                        let busy = state.next();
                        actions.push(Action::Start(busy, Op::Compute { time: Picoseconds(clock - base) }));
                    }
                    return self.goes_outside(state, base.max(clock), actions);
                }
                Given::Back { wait, deadline, clock } => (wait, deadline, clock),
            };
            if wait != WaitKind::Full {
                // A bundle does not outlast the turn.
                actions.push(Action::Doorbell);
            }
            self.close_endpoints(state, base, actions);
            has_news |= self.retry(state, base, actions);
            let ahead = clock.saturating_sub(base);
            match wait {
                WaitKind::Full => {}
                WaitKind::Ends => {
                    state.phase = RankPhase::Gone;
                    return Progress::Finished;
                }
                WaitKind::Now => {
                    Self::be_busy(state, ahead, actions);
                    return Progress::Running;
                }
                // Something has ended at once.
                WaitKind::Event | WaitKind::Poll if has_news => {
                    Self::be_busy(state, ahead, actions);
                    return Progress::Running;
                }
                WaitKind::Event | WaitKind::Poll | WaitKind::Sleep => {
                    let until = (deadline != u64::MAX).then_some(Picoseconds(deadline));
                    if wait == WaitKind::Sleep {
                        if ahead > 0 {
                            let busy = state.next();
                            actions.push(Action::Start(busy, Op::Compute { time: Picoseconds(ahead) }));
                        }
                        Self::wait(state, wait, until, base + ahead, actions);
                        return Progress::Running;
                    }
                    Self::be_busy(state, ahead, actions);
                    if let RankPhase::Busy { turn } = state.phase {
                        state.phase = RankPhase::Ahead { turn, kind: wait, until };
                    }
                    return Progress::Running;
                }
            }
        }
    }

    /// Starts the operations that the rank has handed over. Returns whether any has ended at once.
    fn start_all(
        &self,
        state: &mut CoordinatedState,
        handed: &Handed,
        base: &mut u64,
        actions: &mut Vec<Action>,
    ) -> bool {
        let mut has_news = false;
        self.run.happenings.fetch_add(handed.commands.len(), Ordering::Relaxed);
        for (kind, command) in &handed.commands {
            if command.clock > *base {
                let busy = state.next();
                actions.push(Action::Start(busy, Op::Compute { time: Picoseconds(command.clock - *base) }));
                *base = command.clock;
            }
            let operation = match kind {
                RankCommandKind::Fetch | RankCommandKind::Discard => {
                    has_news |= self.fetch(state, *kind, command, *base, actions);
                    continue;
                }
                RankCommandKind::Send => OperationKind::Send,
                RankCommandKind::Put => OperationKind::Put,
                RankCommandKind::Get => OperationKind::Get,
                RankCommandKind::Amo => OperationKind::Amo,
            };
            has_news |= self.issue(state, operation, command, handed, actions);
        }
        has_news
    }

    /// Starts an operation of the rank. Returns whether it has ended at once.
    fn issue(
        &self,
        state: &mut CoordinatedState,
        kind: OperationKind,
        command: &RankCommand,
        handed: &Handed,
        actions: &mut Vec<Action>,
    ) -> bool {
        let Some(own) = self.run.own(self.rank, command.endpoint) else {
            // There is no endpoint that could learn of its end.
            state.dropped += 1;
            return false;
        };
        let Some(target) = self.run.at(command.to) else {
            own.endpoint.end(command.handle, ReturnCode::Undeliverable);
            return true;
        };
        let is_copied = command.flags & philae_cosim::COPIED != 0;
        let bytes = is_copied.then(|| handed.bytes_of(command).to_vec());
        let mut operation = RankOperation::new((kind, *command), bytes, own.endpoint, target.endpoint);
        let length = operation.length();
        // The data of a short message leave now, and within a node those of every message; those of
        // a long one leave when its target asks for them.
        let leaves = length <= self.run.eager.0 || self.run.shares_node(self.rank, target.rank);
        if kind == OperationKind::Send && operation.bytes.is_none() && leaves {
            match operation.read() {
                Ok(bytes) => operation.bytes = Some(bytes),
                Err(code) => {
                    operation.initiator.end(command.handle, code);
                    return true;
                }
            }
        }
        let (to, bytes, class) = (RankId(target.rank), Bytes(length), None);
        let ends_there = operation.is(flags::MATCHED) && length <= self.run.eager.0;
        let op = match kind {
            // Only a write says when its target has it.
            OperationKind::Send if ends_there => Op::Put { to, bytes, class },
            OperationKind::Send => Op::Send { to, bytes, tag: 0, class },
            OperationKind::Get => Op::Get { from: to, bytes, class },
            OperationKind::Amo => Op::Amo { to, bytes, fetch: operation.is(flags::FETCHES), class },
            _ => Op::Put { to, bytes, class },
        };
        let is_bundled = operation.is(flags::MORE);
        operation.awaits_match = kind == OperationKind::Send && ends_there;
        let order = operation.order();
        let place = state.places.entry(order).or_default();
        operation.place = Some(*place);
        *place += 1;
        let handle = state.next();
        self.run.operations(self.rank).begin(handle, operation, target.rank);
        actions.push(Action::Start(handle, op));
        if !is_bundled {
            actions.push(Action::Doorbell);
        }
        false
    }

    /// The rank has matched a message that waited in its lists, or has discarded it, at `now`.
    /// Returns whether its fetch has ended at once.
    fn fetch(
        &self,
        state: &mut CoordinatedState,
        kind: RankCommandKind,
        command: &RankCommand,
        now: u64,
        actions: &mut Vec<Action>,
    ) -> bool {
        let Some(own) = self.run.own(self.rank, command.endpoint) else {
            return false;
        };
        let Some(waiting) = state.waiting.remove(&(command.key as u32, command.offset)) else {
            if kind == RankCommandKind::Fetch {
                own.endpoint.end(command.handle, ReturnCode::Undeliverable);
            }
            return kind == RankCommandKind::Fetch;
        };
        let Some(number) = waiting.number else {
            let is_fetched = kind == RankCommandKind::Fetch;
            if is_fetched {
                // Its bytes are here.
                let bytes = waiting.message.bytes.as_deref().unwrap_or_default();
                let code = own.endpoint.write(command.address, &bytes[..bytes.len().min(command.length as usize)]);
                own.endpoint.end(command.handle, code);
            }
            self.reply(state, waiting.source_rank, &waiting.message, now);
            return is_fetched;
        };
        match kind {
            RankCommandKind::Fetch => waiting.message.goes_to(command.address, command.length),
            _ => waiting.message.goes_nowhere(),
        }
        let is_last = command.flags & flags::LAST != 0;
        let to = match kind {
            RankCommandKind::Fetch => DataDestination::Fetched {
                address: command.address,
                length: command.length,
                handle: command.handle,
                last_of: is_last.then_some(command.bits),
            },
            _ => DataDestination::Dropped,
        };
        let key = (waiting.source_rank, waiting.operation);
        state.fetches.insert(key, Fetch { endpoint: own.endpoint, to });
        actions.push(Action::Start(state.next(), Op::Fetch { number }));
        false
    }

    /// An operation of the rank has ended. Returns whether its program learns of it.
    fn conclude(&self, handle: OpHandle) -> bool {
        let operations = self.run.operations(self.rank);
        let found = operations.lock().get(&handle).map(|one| (Arc::clone(&one.operation), one.has_arrived));
        let Some((operation, has_arrived)) = found else { return false };
        if !has_arrived {
            operation.take_bytes();
        }
        operations.settle(handle, |outstanding| outstanding.has_ended = true);
        if operation.kind == OperationKind::Reply {
            return false;
        }
        let has_ended = operation.end();
        if has_ended {
            self.note_news();
        }
        has_ended
    }
}
