//! What arrives at a rank.

use std::sync::{Arc, MutexGuard};

use philae_cosim::PeerAddress;
use philae_provider::simulated::nic::{
    KEPT_MAX, MatchedMessage, MemoryResult, OfferedMessage, RankEndpoint, ReturnCode,
};
use philae_units::{Picoseconds, RankId};
use philae_workload::{Action, NicReply, Op, OpHandle};

use crate::operation::{EndpointPair, OperationKind, RankOperation};
use crate::process::CoordinatedRank;
use crate::rank::{
    ArrivalOrder, ArrivedOperation, CoordinatedState, DataDestination, Fetch, LastOfBuffer, RefusedMessage,
    WaitingMessage,
};

/// What became of a message.
pub enum Taken {
    /// The rank's process has it, or nothing does.
    Done,
    /// It waits in the process.
    Waits,
    /// It has matched; its data are to be fetched, from this time on, in picoseconds: the rank's
    /// clock may be ahead of the fabric.
    Fetches(u64),
}

impl CoordinatedRank {
    /// The operation of another rank, or of this one.
    fn operation_of(&self, source: u32, handle: OpHandle) -> Option<Arc<RankOperation>> {
        self.run.operations(source).get(handle)
    }

    /// All that an operation does at this rank has happened.
    fn settle_at(&self, source: u32, handle: OpHandle) {
        self.run.operations(source).settle(handle, |outstanding| outstanding.has_arrived = true);
    }

    /// A message has arrived. `number`: the fabric's, if its data have not come with it. Returns
    /// what became of it, and the rank's wait if that ends.
    pub fn arrived(&self, source: u32, handle: OpHandle, number: Option<u32>) -> (Taken, Option<OpHandle>) {
        let Some(operation) = self.operation_of(source, handle) else { return (Taken::Done, None) };
        self.arrives(ArrivedOperation { source_rank: source, handle, operation, number })
    }

    /// Something has arrived that takes effect after what its initiator has issued before it for
    /// the same endpoint.
    fn arrives(&self, arrival: ArrivedOperation) -> (Taken, Option<OpHandle>) {
        let own = (arrival.source_rank, arrival.handle);
        // Until it is its turn, a message waits here.
        let waits = if arrival.number.is_none() { Taken::Done } else { Taken::Waits };
        let mut state = self.run.rank(self.rank);
        let (order, asked) = (arrival.operation.order(), Arc::clone(&arrival.operation));
        let next = match asked.place.filter(|_| !asked.target.is_closed()) {
            None => Some(arrival),
            Some(place) => {
                let known = state.orders.entry(order).or_default();
                known.arrives(place, arrival);
                known.next()
            }
        };
        if next.is_none() {
            // What it follows is still on its way, and its answer leaves now. It has the bytes that
            // it has arrived with.
            asked.comes_late();
            if asked.kind == OperationKind::Put {
                asked.take_bytes();
            }
        }
        let (answer, ended) = self.take_effect(state, order, next, Some(own));
        (answer.unwrap_or(waits), ended)
    }

    /// An operation of another rank, or of this one, never arrives: what follows it takes effect.
    pub fn never_arrives(&self, source: u32, handle: OpHandle) -> Option<OpHandle> {
        let operation = self.operation_of(source, handle)?;
        let mut ended = None;
        if let Some(message) = &operation.about {
            // The operation that waits for this reply may have taken effect.
            message.lost();
            if message.acknowledge() {
                self.note_news();
                ended = self.run.rank(self.rank).wake();
            }
        } else if let Some(place) = operation.place.filter(|_| !operation.target.is_closed()) {
            let (mut state, order) = (self.run.rank(self.rank), operation.order());
            let known = state.orders.entry(order).or_default();
            known.never_arrives(place);
            let next = known.next();
            ended = self.take_effect(state, order, next, None).1;
        }
        self.settle_at(source, handle);
        ended
    }

    /// What has arrived in an order takes effect: `next`, and what follows it. Returns what became
    /// of the operation `own`, and the rank's wait if that ends.
    fn take_effect(
        &self,
        mut state: MutexGuard<'_, CoordinatedState>,
        order: EndpointPair,
        mut next: Option<ArrivedOperation>,
        own: Option<(u32, OpHandle)>,
    ) -> (Option<Taken>, Option<OpHandle>) {
        let (mut answer, mut settled, mut has_news) = (None, Vec::new(), false);
        while let Some(arrival) = next {
            let (key, number) = ((arrival.source_rank, arrival.handle), arrival.number);
            let is_own = own == Some(key);
            let (taken, is_noticed) = self.takes_effect(&mut state, arrival);
            has_news |= is_noticed;
            match (taken, number) {
                (taken, _) if is_own => answer = Some(taken),
                (Taken::Fetches(from), Some(number)) => state.released.push_back((number, Picoseconds(from))),
                _ => {}
            }
            if number.is_none() {
                settled.push(key);
            }
            next = state.orders.get_mut(&order).and_then(ArrivalOrder::next);
        }
        let ended = if has_news {
            self.note_news();
            state.wake()
        } else {
            None
        };
        settled.into_iter().for_each(|(source, handle)| self.settle_at(source, handle));
        (answer, ended)
    }

    /// What has arrived takes effect. Returns whether the rank's program can notice that, too.
    fn takes_effect(&self, state: &mut CoordinatedState, arrival: ArrivedOperation) -> (Taken, bool) {
        let ArrivedOperation { source_rank, handle, operation, number } = arrival;
        let (MemoryResult { code, is_noticed }, read) = match operation.kind {
            OperationKind::Send => {
                let taken = self.take(state, RefusedMessage { source_rank, handle, operation, number });
                // A rank that looks for messages sees one that waits; one that is fetched it sees
                // later.
                let is_noticed = !matches!(taken, Taken::Fetches(_));
                return (taken, is_noticed);
            }
            OperationKind::Amo => operation.change(),
            OperationKind::Get => operation.get(),
            OperationKind::Put | OperationKind::Reply => (operation.put(), None),
        };
        operation.answered(code, read.unwrap_or_default());
        self.reply(state, source_rank, &operation, 0);
        (Taken::Done, is_noticed)
    }

    /// Offers a message to the rank's NIC, after those that it has refused.
    fn take(&self, state: &mut CoordinatedState, message: RefusedMessage) -> Taken {
        if !state.refused.is_empty() {
            message.operation.comes_late();
            state.refused.push_back(message);
            return Taken::Waits;
        }
        self.offer(state, message, 0).unwrap_or_else(|refused| {
            refused.operation.comes_late();
            state.refused.push_back(refused);
            Taken::Waits
        })
    }

    /// `now`: the rank's clock, if that may be ahead of the fabric.
    fn offer(&self, state: &mut CoordinatedState, message: RefusedMessage, now: u64) -> Result<Taken, RefusedMessage> {
        let (operation, number) = (&message.operation, message.number);
        let (key, is_whole) = ((message.source_rank, message.handle), number.is_none());
        let target = Arc::clone(&operation.target);
        let bytes = if is_whole { operation.bytes.as_deref().unwrap_or_default() } else { &[] };
        // What is too long for a block of the rank's NIC stays here.
        let kept = if bytes.len() > KEPT_MAX { &[] } else { bytes };
        let is_named = kept.len() as u64 != operation.length() || operation.awaits_match;
        match target.offer(&operation.envelope(if is_named { operation.command.handle } else { 0 }), kept) {
            OfferedMessage::Matched(matched) => {
                self.reply(state, message.source_rank, operation, now);
                if is_whole {
                    self.deliver(state, &target, &matched, |endpoint| endpoint.deliver_bytes(&matched, bytes));
                    return Ok(Taken::Done);
                }
                if let Some((context, _)) = matched.buffer() {
                    state.buffers.entry((target.source(), context)).or_default().messages += 1;
                }
                let (posted_at, (address, fits)) = (matched.posted_at(), matched.place());
                operation.goes_to(address, fits);
                state.fetches.insert(key, Fetch { endpoint: target, to: DataDestination::Matched(matched) });
                Ok(Taken::Fetches(posted_at))
            }
            OfferedMessage::Waits => {
                operation.comes_late();
                if is_named {
                    let name = (operation.initiator.source(), operation.command.handle);
                    let (source_rank, handle) = key;
                    let message = Arc::clone(operation);
                    state.waiting.insert(name, WaitingMessage { source_rank, operation: handle, number, message });
                }
                Ok(Taken::Waits)
            }
            OfferedMessage::NoRoom => Err(message),
            OfferedMessage::Refused(code) => {
                operation.answered(code, Vec::new());
                self.reply(state, message.source_rank, operation, now);
                if is_whole {
                    return Ok(Taken::Done);
                }
                // The fabric brings its data, which nothing takes.
                operation.goes_nowhere();
                state.fetches.insert(key, Fetch { endpoint: target, to: DataDestination::Dropped });
                Ok(Taken::Fetches(0))
            }
        }
    }

    /// Ends a message that has matched, unless others are still on their way to its buffer, which
    /// it fills.
    fn deliver(
        &self,
        state: &mut CoordinatedState,
        endpoint: &Arc<RankEndpoint>,
        matched: &MatchedMessage,
        write: impl FnOnce(&RankEndpoint) -> ReturnCode,
    ) {
        let code = write(endpoint);
        if let Some((context, true)) = matched.buffer()
            && let Some(flights) = state.buffers.get_mut(&(endpoint.source(), context))
            && flights.messages > 0
        {
            flights.last = Some(LastOfBuffer::Matched(Box::new(*matched), code));
            return;
        }
        endpoint.end_matched(matched, code);
    }

    /// The data of a message are there; or they have been lost, with this code.
    pub fn data_arrived(&self, source: u32, handle: OpHandle, failed: Option<ReturnCode>) -> Option<OpHandle> {
        let operation = self.operation_of(source, handle);
        let mut state = self.run.rank(self.rank);
        let fetch = state.fetches.remove(&(source, handle))?;
        if let (Some(operation), Some(_)) = (&operation, failed) {
            // Its receive ends now.
            operation.goes_nowhere();
        }
        let copy = |to: u64, length: u64| match (&operation, failed) {
            (_, Some(code)) => code,
            (None, None) => ReturnCode::Undeliverable,
            (Some(operation), None) => operation.copy_to(&fetch.endpoint, to, length),
        };
        match fetch.to {
            DataDestination::Matched(matched) => {
                let (place, fits) = matched.place();
                let code = if fits == 0 { failed.unwrap_or(ReturnCode::Ok) } else { copy(place, fits) };
                self.land(&mut state, &fetch.endpoint, &matched, code);
            }
            DataDestination::Fetched { address, length, handle, last_of } => {
                let code = if length == 0 { failed.unwrap_or(ReturnCode::Ok) } else { copy(address, length) };
                let flights = last_of.and_then(|context| state.buffers.get_mut(&(fetch.endpoint.source(), context)));
                match flights.filter(|flights| flights.messages > 0) {
                    Some(flights) => flights.last = Some(LastOfBuffer::Fetched(handle, code)),
                    None => fetch.endpoint.end(handle, code),
                }
            }
            DataDestination::Dropped => {}
        }
        self.note_news();
        let ended = state.wake();
        self.settle_at(source, handle);
        ended
    }

    /// A message that its NIC has matched has landed, and with it perhaps the last of its buffer.
    fn land(
        &self,
        state: &mut CoordinatedState,
        endpoint: &Arc<RankEndpoint>,
        matched: &MatchedMessage,
        code: ReturnCode,
    ) {
        let Some((context, is_last)) = matched.buffer() else { return endpoint.end_matched(matched, code) };
        let key = (endpoint.source(), context);
        let Some(flights) = state.buffers.get_mut(&key) else { return endpoint.end_matched(matched, code) };
        flights.messages -= 1;
        if is_last && flights.messages > 0 {
            flights.last = Some(LastOfBuffer::Matched(Box::new(*matched), code));
            return;
        }
        endpoint.end_matched(matched, code);
        if flights.messages == 0 {
            match state.buffers.remove(&key).and_then(|flights| flights.last) {
                Some(LastOfBuffer::Matched(last, code)) => endpoint.end_matched(&last, code),
                Some(LastOfBuffer::Fetched(handle, code)) => endpoint.end(handle, code),
                None => {}
            }
        }
    }

    /// An operation has reached the memory of this rank.
    pub fn memory_reached(&self, source: u32, handle: OpHandle) -> Option<OpHandle> {
        let operation = self.operation_of(source, handle)?;
        match operation.kind {
            // A message of this rank has matched.
            OperationKind::Reply => {
                let is_news = operation.about.iter().any(|message| message.acknowledge());
                if !is_news {
                    self.settle_at(source, handle);
                    return None;
                }
            }
            // A send is a message whose sender waits until it is here.
            _ => {
                return self.arrives(ArrivedOperation { source_rank: source, handle, operation, number: None }).1;
            }
        }
        self.note_news();
        let ended = self.run.rank(self.rank).wake();
        self.settle_at(source, handle);
        ended
    }

    /// Offers messages again for which there was no room, at the rank's clock. Returns whether any
    /// was taken.
    pub fn retry(&self, state: &mut CoordinatedState, now: u64, actions: &mut Vec<Action>) -> bool {
        let mut has_news = false;
        while let Some(message) = state.refused.pop_front() {
            let number = message.number;
            match self.offer(state, message, now) {
                Ok(taken) => {
                    has_news = true;
                    self.note_news();
                    if let (Taken::Fetches(_), Some(number)) = (taken, number) {
                        actions.push(Action::Start(state.next(), Op::Fetch { number }));
                    }
                }
                Err(refused) => {
                    state.refused.push_front(refused);
                    break;
                }
            }
        }
        has_news
    }

    /// Ends what waits at endpoints that the rank has closed, and lets go of them.
    pub fn close_endpoints(&self, state: &mut CoordinatedState, now: u64, actions: &mut Vec<Action>) {
        for endpoint in self.run.take_closed(self.rank) {
            let (address, source) = (endpoint.address(), endpoint.source());
            state.places.retain(|pair, _| pair.0 != address);
            state.buffers.retain(|(of, _), _| *of != source);
            self.refuse_early(state, address, actions);
            self.refuse_waiting(state, &endpoint, now, actions);
        }
    }

    /// What has come early at an endpoint that is closed takes no effect.
    fn refuse_early(&self, state: &mut CoordinatedState, closed: PeerAddress, actions: &mut Vec<Action>) {
        let mut orders: Vec<EndpointPair> = state.orders.keys().filter(|pair| pair.1 == closed).copied().collect();
        orders.sort_unstable();
        let early = orders.iter().filter_map(|pair| state.orders.remove(pair)).flat_map(ArrivalOrder::into_early);
        for arrival in early.collect::<Vec<_>>() {
            let (key, number) = ((arrival.source_rank, arrival.handle), arrival.number);
            match (self.takes_effect(state, arrival).0, number) {
                (Taken::Fetches(_), Some(number)) => actions.push(Action::Start(state.next(), Op::Fetch { number })),
                (_, None) => self.settle_at(key.0, key.1),
                _ => {}
            }
        }
    }

    /// Messages that wait at an endpoint that is closed have no receiver.
    fn refuse_waiting(
        &self,
        state: &mut CoordinatedState,
        closed: &Arc<RankEndpoint>,
        now: u64,
        actions: &mut Vec<Action>,
    ) {
        let is_there = |waiting: &WaitingMessage| Arc::ptr_eq(&waiting.message.target, closed);
        let mut names: Vec<(u32, u64)> =
            state.waiting.iter().filter(|(_, waiting)| is_there(waiting)).map(|(name, _)| *name).collect();
        names.sort_unstable();
        for waiting in names.iter().filter_map(|name| state.waiting.remove(name)).collect::<Vec<_>>() {
            let WaitingMessage { source_rank, operation, number, message } = waiting;
            message.answered(ReturnCode::Undeliverable, Vec::new());
            self.reply(state, source_rank, &message, now);
            if let Some(number) = number {
                // The fabric brings its data, which nothing takes.
                message.goes_nowhere();
                let fetch = Fetch { endpoint: Arc::clone(closed), to: DataDestination::Dropped };
                state.fetches.insert((source_rank, operation), fetch);
                actions.push(Action::Start(state.next(), Op::Fetch { number }));
            }
        }
    }

    /// Tells the initiator of an operation that this has taken effect, if its answer did not: at
    /// `now`, if that is ahead of the fabric.
    pub fn reply(&self, state: &mut CoordinatedState, source: u32, operation: &Arc<RankOperation>, now: u64) {
        if operation.is_late() {
            let handle = state.next();
            self.run.operations(self.rank).begin(handle, RankOperation::reply(Arc::clone(operation)), source);
            state.replies.push_back(NicReply { operation: handle, to: RankId(source), from: Picoseconds(now) });
        }
    }
}
