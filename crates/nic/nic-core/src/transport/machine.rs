//! All connections of one NIC: which connection a datagram belongs to, which one sends next, and
//! whose timer has expired.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

use super::congestion::CongestionWindow;
use super::header::{ConnectionEnd, ConnectionTraffic, Datagram, Greeting, UNKNOWN_INDEX, seal};
use super::key::{self, NicSecret};
use super::once::OnceOnly;
use super::peer::{Fired, PeerConnection, PeerState};
use super::receiving::{Pool, Receiving, SegmentOutcome};
use super::rtt::RoundTrip;
use super::sending::Sending;
use super::{
    COPIED_MAX, DATAGRAM_LEAST, DATAGRAM_MOST, Handler, MESSAGE_HEADER_MAX, NicAddress, ONCE_MAX, Payload,
    PayloadMemory, PeerId, TooManyPeers, TransportCounters, TransportFailure, TransportParameters,
    TransportParametersError, TransportSendError,
};

/// The most answers to unknown senders that wait to be sent. Source: ours. Status: assumed.
const ANSWERS_MAX: usize = 256;
/// The bytes of the longest answer.
const ANSWER_BYTES: usize = 40;
/// Datagrams to one peer before the next peer's turn. Source: ours, what one system call takes.
/// Status: assumed.
const TURN: u32 = 64;

/// A datagram to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutgoingDatagram {
    /// The destination.
    pub to: NicAddress,
    /// The peer; `None` for an answer to an unknown sender.
    pub peer: Option<PeerId>,
    /// Its length, in bytes.
    pub bytes: usize,
    /// The address and the number of its last bytes, if they were not written:
    /// [`PayloadMemory::lend`].
    pub lent: Option<(u64, usize)>,
}

/// The transport of one NIC.
#[derive(Debug)]
pub struct Transport {
    parameters: TransportParameters,
    secret: NicSecret,
    peers: Vec<PeerConnection>,
    by_address: BTreeMap<(NicAddress, u8), u32>,
    /// Peers that may have something to send, in turn.
    ready: VecDeque<u32>,
    turn: u32,
    /// When to check a peer again. An entry that differs from the peer's `timer_at` is void.
    calendar: BinaryHeap<Reverse<(u64, u32)>>,
    stalled: Vec<u32>,
    newcomers: VecDeque<u32>,
    answers: VecDeque<(NicAddress, usize, [u8; ANSWER_BYTES])>,
    pool: Pool,
    /// Counts that belong to no peer.
    strays: TransportCounters,
}

impl Transport {
    /// A NIC without peers. `secret` is random and secret.
    ///
    /// # Errors
    /// Inconsistent parameters.
    pub fn new(parameters: TransportParameters, secret: [u64; 2]) -> Result<Self, TransportParametersError> {
        parameters.check()?;
        Ok(Self {
            parameters,
            secret,
            peers: Vec::new(),
            by_address: BTreeMap::new(),
            ready: VecDeque::new(),
            turn: 0,
            calendar: BinaryHeap::new(),
            stalled: Vec::new(),
            newcomers: VecDeque::new(),
            answers: VecDeque::new(),
            pool: Pool::default(),
            strays: TransportCounters::default(),
        })
    }

    #[must_use]
    pub const fn parameters(&self) -> &TransportParameters {
        &self.parameters
    }

    /// Returns the peer at an address and lane. Lanes of one address are separate connections: none
    /// waits for another. Nothing is sent before there is a message. After this call, a peer that
    /// failed can be sent to again.
    ///
    /// Datagrams to it have at most `datagram_max` bytes, from [`DATAGRAM_LEAST`] to
    /// [`DATAGRAM_MOST`]; a value outside is replaced by the nearer limit. For a peer that exists
    /// already the size does not change.
    ///
    /// # Errors
    /// [`TooManyPeers`].
    pub fn connect(&mut self, address: &NicAddress, lane: u8, datagram_max: usize) -> Result<PeerId, TooManyPeers> {
        if let Some(&index) = self.by_address.get(&(*address, lane)) {
            let peer = &mut self.peers[index as usize];
            if matches!(peer.state, PeerState::Failed(_)) {
                peer.state = PeerState::Idle;
            }
            return Ok(PeerId(index));
        }
        let index = self.peers.len() as u32;
        if index >= self.parameters.peers_max {
            return Err(TooManyPeers(index));
        }
        let datagram_max = datagram_max.clamp(DATAGRAM_LEAST, DATAGRAM_MOST);
        let mut peer = PeerConnection::new(*address, lane, index, datagram_max, &self.parameters);
        peer.key = key::of(self.secret, address, lane, 0);
        self.peers.push(peer);
        self.by_address.insert((*address, lane), index);
        Ok(PeerId(index))
    }

    /// The address and lane of a peer.
    #[must_use]
    pub fn peer(&self, peer: PeerId) -> Option<(NicAddress, u8)> {
        self.peers.get(peer.0 as usize).map(|peer| (peer.address, peer.lane))
    }

    /// Queues a message to a peer.
    ///
    /// # Errors
    /// [`TransportSendError`]; the message is then not queued.
    pub fn send(
        &mut self,
        now: u64,
        peer: PeerId,
        header: &[u8],
        payload: Payload<'_>,
        token: u64,
    ) -> Result<(), TransportSendError> {
        let found = self.peers.get_mut(peer.0 as usize).ok_or(TransportSendError::NoPeer(peer.0))?;
        if let PeerState::Failed(failure) = found.state {
            return Err(TransportSendError::Failed(failure));
        }
        if header.len() > MESSAGE_HEADER_MAX {
            return Err(TransportSendError::Header(header.len()));
        }
        if let Payload::Copied(bytes) = payload
            && bytes.len() > COPIED_MAX
        {
            return Err(TransportSendError::Copied(bytes.len()));
        }
        if found.sending.messages() >= self.parameters.queue_messages_max as usize {
            return Err(TransportSendError::Busy);
        }
        if found.sending.messages() == 0 && found.missed == 0 {
            found.restart_wait(now);
        }
        found.open(now);
        found.sending.push(header, payload, token);
        self.touch(now, peer.0);
        Ok(())
    }

    /// Queues a message that is sent once. It may be lost, and the sender does not learn whether it
    /// was.
    ///
    /// # Errors
    /// [`TransportSendError`]; the message is then not queued.
    pub fn send_once(&mut self, now: u64, peer: PeerId, message: &[&[u8]]) -> Result<(), TransportSendError> {
        let found = self.peers.get_mut(peer.0 as usize).ok_or(TransportSendError::NoPeer(peer.0))?;
        if let PeerState::Failed(failure) = found.state {
            return Err(TransportSendError::Failed(failure));
        }
        let bytes = message.iter().map(|part| part.len()).sum();
        if !(1..=ONCE_MAX).contains(&bytes) {
            return Err(TransportSendError::Once(bytes));
        }
        if !found.once.push(message) {
            return Err(TransportSendError::Busy);
        }
        found.open(now);
        self.touch(now, peer.0);
        Ok(())
    }

    /// The number of messages to a peer that are neither delivered nor reported as undelivered.
    #[must_use]
    pub fn outstanding(&self, peer: PeerId) -> usize {
        self.peers.get(peer.0 as usize).map_or(0, |peer| peer.sending.messages())
    }

    /// The same for all peers together.
    #[must_use]
    pub fn outstanding_total(&self) -> usize {
        self.peers.iter().map(|peer| peer.sending.messages()).sum()
    }

    /// Sets whether the caller expects something from the peer. If so, the transport probes from
    /// time to time whether the peer is alive.
    pub fn expects(&mut self, now: u64, peer: PeerId, expects: bool) {
        let Some(found) = self.peers.get_mut(peer.0 as usize) else { return };
        if found.expects == expects {
            return;
        }
        found.expects = expects;
        if found.sending.messages() == 0 {
            found.heard();
            found.restart_wait(now);
        }
        if expects {
            found.open(now);
        }
        self.touch(now, peer.0);
    }

    /// Queues the peer if it has something to send, and schedules its next timer.
    fn touch(&mut self, now: u64, index: u32) {
        let peer = &mut self.peers[index as usize];
        if !peer.is_ready && peer.has_something(now) {
            peer.is_ready = true;
            self.ready.push_back(index);
        }
        self.schedule(now, index);
    }

    /// Schedules the peer's timer, unless an earlier or equal one is set.
    fn schedule(&mut self, now: u64, index: u32) {
        let peer = &mut self.peers[index as usize];
        if let Some(at) = peer.deadline(now, &self.parameters).filter(|at| *at < peer.timer_at) {
            peer.timer_at = at;
            self.calendar.push(Reverse((at, index)));
        }
    }

    /// Processes a datagram. `is_marked`: the network marked it with congestion experienced.
    pub fn receive(&mut self, now: u64, from: &NicAddress, bytes: &[u8], is_marked: bool, handler: &mut impl Handler) {
        let Ok(datagram) = Datagram::parse(bytes) else {
            self.strays.malformed += 1;
            return;
        };
        match datagram {
            Datagram::Open(greeting) => {
                self.count(None, bytes);
                self.answer_opening(from, &greeting);
            }
            Datagram::Accept { to, from: greeting } => self.accepted(now, to, &greeting, bytes),
            Datagram::Traffic(traffic) => self.traffic(now, from, &traffic, bytes, is_marked, handler),
            Datagram::Unknown { refused } => self.refused(now, from, refused, bytes, handler),
        }
    }

    fn count(&mut self, index: Option<u32>, bytes: &[u8]) {
        let counters = index.map_or(&mut self.strays, |index| &mut self.peers[index as usize].counters);
        counters.datagrams_received += 1;
        counters.bytes_received += bytes.len() as u64;
    }

    fn answer(&mut self, to: &NicAddress, datagram: &Datagram<'_>) {
        if self.answers.len() >= ANSWERS_MAX {
            self.strays.answers_dropped += 1;
            return;
        }
        let mut out = [0; ANSWER_BYTES];
        let bytes = datagram.write(&mut out);
        seal(&mut out[..bytes]);
        self.answers.push_back((*to, bytes, out));
    }

    /// Answers an unknown sender that requests a key. It gets one and no state is kept: only the
    /// receiver of the answer can continue.
    fn answer_opening(&mut self, from: &NicAddress, greeting: &Greeting) {
        let lane = greeting.lane;
        let acceptance = match self.by_address.get(&(*from, lane)).map(|index| &self.peers[*index as usize]) {
            Some(peer) => {
                let is_same = peer.theirs.is_none_or(|theirs| theirs.key == greeting.from.key);
                let generation = peer.generation + u64::from(!is_same);
                peer.acceptance(key::of(self.secret, from, lane, generation))
            }
            None => {
                let end = ConnectionEnd { index: UNKNOWN_INDEX, key: key::of(self.secret, from, lane, 0) };
                Greeting { from: end, lane, window: self.parameters.window_bytes }
            }
        };
        self.answer(from, &Datagram::Accept { to: greeting.from, from: acceptance });
    }

    /// Handles the peer's acceptance, which has its key.
    fn accepted(&mut self, now: u64, to: ConnectionEnd, greeting: &Greeting, bytes: &[u8]) {
        let found =
            self.peers.get_mut(to.index as usize).filter(|peer| peer.key == to.key && peer.lane == greeting.lane);
        let Some(peer) = found else {
            self.strays.foreign += 1;
            return;
        };
        let is_awaited = peer.state == PeerState::Opening || (peer.state == PeerState::Open && !peer.is_confirmed);
        if is_awaited && peer.theirs.is_none_or(|theirs| theirs.key != greeting.from.key) {
            peer.opening_due = false;
            peer.establish(now, greeting);
        }
        self.count(Some(to.index), bytes);
        self.touch(now, to.index);
    }

    /// Handles the peer's answer that it does not know the key that we used.
    fn refused(
        &mut self,
        now: u64,
        from: &NicAddress,
        refused: ConnectionEnd,
        bytes: &[u8],
        handler: &mut impl Handler,
    ) {
        let lanes = self.by_address.range((*from, 0)..=(*from, u8::MAX)).map(|(_, index)| *index);
        let found = lanes.into_iter().find(|index| {
            let peer = &self.peers[*index as usize];
            peer.state == PeerState::Open && peer.theirs == Some(refused)
        });
        let Some(index) = found else {
            self.strays.foreign += 1;
            return;
        };
        self.count(Some(index), bytes);
        let peer = &mut self.peers[index as usize];
        if peer.is_confirmed {
            self.fail(index, TransportFailure::Restarted, handler);
        } else {
            // The peer restarted before it answered: ask again when the wait is over.
            (peer.state, peer.theirs) = (PeerState::Opening, None);
            let _ = peer.sending.give_up_in_flight();
            self.touch(now, index);
        }
    }

    /// Finds the connection that a key belongs to. If the datagram introduces a new connection,
    /// records it first.
    fn connection(
        &mut self,
        now: u64,
        from: &NicAddress,
        traffic: &ConnectionTraffic<'_>,
        handler: &mut impl Handler,
    ) -> Option<u32> {
        let to = traffic.to;
        let known = self.peers.get(to.index as usize).filter(|peer| peer.key == to.key);
        let Some(greeting) = &traffic.from else {
            return known.filter(|peer| peer.state == PeerState::Open).map(|peer| peer.index);
        };
        let index = match (known, self.by_address.get(&(*from, greeting.lane))) {
            (Some(peer), _) => peer.index,
            (None, Some(index)) => *index,
            (None, None) => {
                if to.key != key::of(self.secret, from, greeting.lane, 0) {
                    return None;
                }
                let index = self.connect(from, greeting.lane, DATAGRAM_LEAST).ok()?.0;
                self.newcomers.push_back(index);
                index
            }
        };
        let peer = &mut self.peers[index as usize];
        if peer.lane != greeting.lane {
            return None;
        }
        if peer.key == to.key {
            match peer.theirs {
                Some(theirs) if theirs.key == greeting.from.key => {
                    if peer.state != PeerState::Open {
                        return None;
                    }
                }
                // Both began with the same key: the later one asks again.
                Some(_) => return None,
                None => peer.establish(now, greeting),
            }
            return Some(index);
        }
        let is_next = to.key == key::of(self.secret, &peer.address, peer.lane, peer.generation + 1);
        if !is_next || peer.theirs.is_none_or(|theirs| theirs.key == greeting.from.key) {
            return None;
        }
        self.fail(index, TransportFailure::Restarted, handler);
        self.peers[index as usize].establish(now, greeting);
        Some(index)
    }

    fn traffic(
        &mut self,
        now: u64,
        from: &NicAddress,
        traffic: &ConnectionTraffic<'_>,
        bytes: &[u8],
        is_marked: bool,
        handler: &mut impl Handler,
    ) {
        let Some(index) = self.connection(now, from, traffic, handler) else {
            self.strays.foreign += 1;
            self.answer(from, &Datagram::Unknown { refused: traffic.to });
            return;
        };
        self.count(Some(index), bytes);
        let id = PeerId(index);
        let peer = &mut self.peers[index as usize];
        peer.confirm(traffic.to, traffic.from.as_ref());
        peer.hear(now, traffic.stamp);
        if is_marked {
            peer.counters.marks_received += 1;
            peer.receiving.mark();
        }
        let mut makes_sense = true;
        if let Some(part) = &traffic.acknowledgement {
            makes_sense = peer.acknowledge(now, part, &self.parameters);
            peer.counters.acks_received += u64::from(traffic.data.is_none());
            while let Some(token) = peer.sending.take_delivered() {
                peer.counters.messages_delivered += 1;
                handler.delivered(id, token);
            }
        }
        if traffic.ask || traffic.from.is_some() {
            peer.receiving.ask(now);
        }
        if let Some(segment) = traffic.data.filter(|_| makes_sense) {
            let (parameters, pool) = (&self.parameters, &mut self.pool);
            let was_stalled = peer.receiving.is_stalled();
            let taken = peer.receiving.segment(now, traffic.stamp, segment, parameters, pool, id, handler);
            match taken {
                SegmentOutcome::InOrder => {}
                SegmentOutcome::Kept => peer.counters.out_of_order += 1,
                SegmentOutcome::Duplicate => peer.counters.duplicates += 1,
                SegmentOutcome::Refused => peer.counters.segments_refused += 1,
                SegmentOutcome::Senseless => makes_sense = false,
            }
            Self::count_messages(peer);
            if peer.receiving.is_stalled() && !was_stalled {
                self.stalled.push(index);
            }
        }
        if let Some((number, message)) = traffic.once.filter(|_| makes_sense) {
            if peer.once.takes(number) {
                peer.counters.once_received += 1;
                handler.once(id, message);
            } else {
                peer.counters.once_doubled += 1;
            }
        }
        if !makes_sense {
            self.fail(index, TransportFailure::Protocol, handler);
        } else if traffic.bye {
            self.fail(index, TransportFailure::Closed, handler);
        } else {
            self.touch(now, index);
        }
    }

    const fn count_messages(peer: &mut PeerConnection) {
        let (stalls, messages) = peer.receiving.take_counts();
        peer.counters.stalls += stalls;
        peer.counters.messages_received += messages;
    }

    /// Ends a connection. The next one has another key, so that no datagram of this one can be
    /// taken for one of it.
    fn fail(&mut self, index: u32, failure: TransportFailure, handler: &mut impl Handler) {
        let peer = &mut self.peers[index as usize];
        let id = PeerId(index);
        while let Some(token) = peer.sending.take_first() {
            peer.counters.messages_undelivered += 1;
            handler.undelivered(id, token, failure);
        }
        peer.receiving.clear(&mut self.pool);
        self.stalled.retain(|stalled| *stalled != index);
        peer.generation += 1;
        peer.key = key::of(self.secret, &peer.address, peer.lane, peer.generation);
        peer.state = PeerState::Failed(failure);
        (peer.theirs, peer.is_confirmed, peer.expects) = (None, false, false);
        (peer.opening_due, peer.probe_due, peer.bye_due) = (false, false, false);
        (peer.sending, peer.once) = (Sending::default(), OnceOnly::default());
        peer.receiving = Receiving::new(self.parameters.window_bytes);
        peer.congestion = CongestionWindow::new(&self.parameters, peer.datagram_max as u64);
        peer.round_trip = RoundTrip::default();
        peer.forget();
        peer.counters.failures += 1;
        handler.failed(id, failure);
    }

    /// Handles a report of the peer's host that no process listens at this address. Such a report
    /// can be forged, so it counts only for peers that have been silent for a while.
    pub fn refused_by_host(&mut self, address: &NicAddress, handler: &mut impl Handler) {
        let lanes: Vec<u32> =
            self.by_address.range((*address, 0)..=(*address, u8::MAX)).map(|(_, index)| *index).collect();
        for index in lanes {
            let peer = &self.peers[index as usize];
            let is_waiting = peer.state == PeerState::Opening || peer.state == PeerState::Open;
            if is_waiting && peer.missed >= self.parameters.attempts_min {
                self.fail(index, TransportFailure::Gone, handler);
            }
        }
    }

    /// Handles all expired timers, and offers stalled messages to the handler again.
    pub fn tick(&mut self, now: u64, handler: &mut impl Handler) {
        let mut left = self.stalled.len();
        while left > 0 {
            left -= 1;
            let index = self.stalled[left];
            let peer = &mut self.peers[index as usize];
            let makes_sense = peer.receiving.retry(now, &mut self.pool, PeerId(index), handler);
            Self::count_messages(peer);
            if !makes_sense {
                self.fail(index, TransportFailure::Protocol, handler);
                continue;
            }
            if !peer.receiving.is_stalled() {
                self.stalled.swap_remove(left);
            }
            self.touch(now, index);
        }
        while let Some(&Reverse((at, index))) = self.calendar.peek() {
            if at > now {
                break;
            }
            self.calendar.pop();
            let peer = &mut self.peers[index as usize];
            if peer.timer_at != at {
                continue;
            }
            peer.timer_at = u64::MAX;
            if peer.fire(now, &self.parameters) == Fired::GiveUp {
                self.fail(index, TransportFailure::Unreachable, handler);
            } else {
                self.touch(now, index);
            }
        }
    }

    /// Writes the next datagram to send to `out`, which has room for [`DATAGRAM_MOST`] bytes or for
    /// the largest datagram that any peer was connected with.
    pub fn transmit(&mut self, now: u64, memory: &impl PayloadMemory, out: &mut [u8]) -> Option<OutgoingDatagram> {
        if let Some((to, bytes, datagram)) = self.answers.pop_front() {
            out[..bytes].copy_from_slice(&datagram[..bytes]);
            self.strays.datagrams_sent += 1;
            self.strays.bytes_sent += bytes as u64;
            return Some(OutgoingDatagram { to, peer: None, bytes, lent: None });
        }
        while let Some(index) = self.ready.front().copied() {
            let peer = &mut self.peers[index as usize];
            let (bytes, lent) = peer.write(now, memory, out);
            if bytes > 0 {
                let transmit = OutgoingDatagram { to: peer.address, peer: Some(PeerId(index)), bytes, lent };
                self.turn += 1;
                if self.turn >= TURN {
                    self.turn = 0;
                    self.ready.rotate_left(1);
                }
                return Some(transmit);
            }
            self.turn = 0;
            peer.is_ready = false;
            self.ready.pop_front();
            self.schedule(now, index);
        }
        None
    }

    /// Whether [`Transport::transmit`] may return a datagram.
    #[must_use]
    pub fn has_something_to_send(&self) -> bool {
        !self.ready.is_empty() || !self.answers.is_empty()
    }

    /// The latest time at which [`Transport::tick`] must be called; in the past if it is due. Every
    /// call offers stalled messages again, so the driver should also call it whenever the handler
    /// may have room.
    #[must_use]
    pub fn next_wakeup(&self) -> Option<u64> {
        self.calendar.peek().map(|Reverse((at, _))| *at)
    }

    /// Whether a message waits for the handler.
    #[must_use]
    pub fn is_stalled(&self) -> bool {
        !self.stalled.is_empty()
    }

    /// Sends acknowledgements that wait for a datagram to travel with; a driver calls this before
    /// it sleeps.
    pub fn hurry(&mut self, now: u64) {
        for index in 0..self.peers.len() as u32 {
            let receiving = &mut self.peers[index as usize].receiving;
            if receiving.due().is_some_and(|due| due > now) {
                receiving.ask(now);
                self.touch(now, index);
            }
        }
    }

    /// Closes the connections to all peers; the next datagrams from [`Transport::transmit`] tell
    /// them. They do not get messages that are not delivered yet.
    pub fn close(&mut self, now: u64) {
        for index in 0..self.peers.len() as u32 {
            let peer = &mut self.peers[index as usize];
            if peer.state == PeerState::Open {
                peer.bye_due = true;
                self.touch(now, index);
            }
        }
    }

    /// The counters of one peer.
    #[must_use]
    pub fn counters(&self, peer: PeerId) -> Option<&TransportCounters> {
        self.peers.get(peer.0 as usize).map(|peer| &peer.counters)
    }

    /// The counters of all peers together, and of datagrams that belong to none.
    #[must_use]
    pub fn total(&self) -> TransportCounters {
        let mut total = self.strays;
        self.peers.iter().for_each(|peer| total.add(&peer.counters));
        total
    }

    /// Bytes that may be in flight to a peer, and the smoothed round trip to it in nanoseconds (0
    /// while unknown).
    #[must_use]
    pub fn path(&self, peer: PeerId) -> Option<(u64, u64)> {
        self.peers.get(peer.0 as usize).map(|peer| (peer.congestion.window(), peer.round_trip.smooth_ns()))
    }

    /// Bytes kept out of order or for a stalled handler, for all peers.
    #[must_use]
    pub const fn held_bytes(&self) -> u64 {
        self.pool.bytes()
    }

    /// The next peer that connected by itself. The driver calls [`Transport::set_datagram_max`] for
    /// it; until then it gets datagrams of the smallest size.
    pub fn take_newcomer(&mut self) -> Option<PeerId> {
        self.newcomers.pop_front().map(PeerId)
    }

    /// Sets the largest datagram to a peer, in bytes, within [`DATAGRAM_LEAST`] and
    /// [`DATAGRAM_MOST`], for a peer to which nothing has been sent yet.
    pub fn set_datagram_max(&mut self, peer: PeerId, bytes: usize) {
        let Some(peer) = self.peers.get_mut(peer.0 as usize) else { return };
        if peer.sending.next() == 0 {
            peer.datagram_max = bytes.clamp(DATAGRAM_LEAST, DATAGRAM_MOST);
            peer.congestion = CongestionWindow::new(&self.parameters, peer.datagram_max as u64);
        }
    }
}
