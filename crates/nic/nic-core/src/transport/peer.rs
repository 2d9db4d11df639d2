//! One connection: its two ends, the identity of the far end, and its timers.

use super::congestion::CongestionWindow;
use super::header::{
    ACK_BYTES, Acknowledgement, ConnectionEnd, ConnectionTraffic, DATA_BYTES, Datagram, FROM_BYTES, Greeting,
    RANGE_BYTES, RANGES_MAX, TRAFFIC_BYTES, UNKNOWN_INDEX, seal_with,
};
use super::once::OnceOnly;
use super::receiving::Receiving;
use super::rtt::RoundTrip;
use super::sending::{AckProgress, Sending};
use super::{NicAddress, PayloadMemory, TransportCounters, TransportFailure, TransportParameters};

/// The most ranges that travel with a segment; more are sent in a datagram of their own. Source:
/// ours. Status: assumed.
pub const RANGES_WITH_DATA: usize = 4;

/// The state of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeerState {
    /// Nothing has been sent yet.
    Idle,
    /// We are asking for the peer's key.
    Opening,
    /// Both keys are known here.
    Open,
    /// Ended, until it is opened again.
    Failed(TransportFailure),
}

/// With each loss, this fraction of the tolerance for late segments is lost, too. Source: RFC 8985
/// forgets after 16 losses.
/// Status: derived.
const PATIENCE_LOST: u64 = 16;
/// How much too long a measured round trip may be, in nanoseconds: four units of stamps. Source:
/// ours. Status: derived.
const STAMPS_NS: u64 = 4 << 10;
/// A decrease is undone if one in this many of the segments that led to it is known to have been
/// late, because most late segments cannot be recognised. Source: ours. Status: assumed.
const LATE_OF_LOST: u64 = 16;

/// The result of a timer check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fired {
    /// The time has not come, or there is nothing to do.
    Nothing,
    /// There is something to send.
    Send,
    /// The peer counts as failed.
    GiveUp,
}

/// One connection.
#[derive(Debug)]
pub struct PeerConnection {
    pub address: NicAddress,
    pub lane: u8,
    pub index: u32,
    /// Largest datagram to the peer, in bytes.
    pub datagram_max: usize,
    pub state: PeerState,
    /// The number of earlier connections to this address.
    pub generation: u64,
    /// The key of our end.
    pub key: u64,
    /// The peer's end, once known.
    pub theirs: Option<ConnectionEnd>,
    /// Whether the peer is known to know our end.
    pub is_confirmed: bool,
    pub sending: Sending,
    pub receiving: Receiving,
    pub once: OnceOnly,
    pub congestion: CongestionWindow,
    pub round_trip: RoundTrip,
    pub counters: TransportCounters,
    /// Whether the caller expects something from the peer.
    pub expects: bool,
    /// Whether an opening must be sent.
    pub opening_due: bool,
    /// Whether a keep-alive probe must be sent.
    pub probe_due: bool,
    /// Whether a close must be sent, because we close or the peer closed.
    pub bye_due: bool,
    /// Whether it is queued among the peers that have something to send.
    pub is_ready: bool,
    /// The time of its calendar entry; `u64::MAX` if it has none.
    pub timer_at: u64,
    /// The time from which the present wait counts.
    pub waits_since: u64,
    /// The number of unanswered waits; each doubles the next.
    backoff: u32,
    /// The number of waits without any sign of life.
    pub missed: u32,
    /// When the first of them ended.
    silent_since: u64,
    /// The stamp of the last sign of life.
    heard_stamp: Option<u32>,
    marks_seen: u32,
    /// Before segments were last counted as lost: the congestion window, the number of these
    /// segments, how many of them turned out to be late, and the end of the stream.
    before_loss: Option<(CongestionWindow, u64, u64)>,
    /// How long after later segments a segment may still arrive, in nanoseconds, as observed.
    patience_ns: u64,
    /// The time of the first of consecutive time-outs, and the congestion window before it.
    before_timeout: Option<(u32, CongestionWindow)>,
}

/// The time in units of stamps.
const fn stamp(now: u64) -> u32 {
    (now >> 10) as u32
}

impl PeerConnection {
    pub fn new(
        address: NicAddress,
        lane: u8,
        index: u32,
        datagram_max: usize,
        parameters: &TransportParameters,
    ) -> Self {
        Self {
            address,
            lane,
            index,
            datagram_max,
            state: PeerState::Idle,
            generation: 0,
            key: 0,
            theirs: None,
            is_confirmed: false,
            sending: Sending::default(),
            receiving: Receiving::new(parameters.window_bytes),
            once: OnceOnly::default(),
            congestion: CongestionWindow::new(parameters, datagram_max as u64),
            round_trip: RoundTrip::default(),
            counters: TransportCounters::default(),
            expects: false,
            opening_due: false,
            probe_due: false,
            bye_due: false,
            is_ready: false,
            timer_at: u64::MAX,
            waits_since: 0,
            backoff: 0,
            missed: 0,
            silent_since: 0,
            heard_stamp: None,
            marks_seen: 0,
            before_timeout: None,
            before_loss: None,
            patience_ns: 0,
        }
    }

    fn greeting(&self) -> Greeting {
        let from = ConnectionEnd { index: self.index, key: self.key };
        Greeting { from, lane: self.lane, window: self.receiving.window() }
    }

    /// The answer to a peer that requests a key: the present key, or the one that would be ours.
    pub fn acceptance(&self, key: u64) -> Greeting {
        Greeting { from: ConnectionEnd { index: self.index, key }, ..self.greeting() }
    }

    /// Requests the peer's key, unless that has begun.
    pub fn open(&mut self, now: u64) {
        if self.state == PeerState::Idle {
            self.state = PeerState::Opening;
            self.opening_due = true;
            self.restart_wait(now);
        }
    }

    /// Records the peer's end and opens the connection.
    pub fn establish(&mut self, now: u64, greeting: &Greeting) {
        if self.state != PeerState::Open {
            self.counters.connections += 1;
        }
        self.state = PeerState::Open;
        self.theirs = Some(greeting.from);
        self.sending.open(greeting.window);
        self.heard();
        self.restart_wait(now);
    }

    /// Records a sign of life of the peer.
    pub const fn heard(&mut self) {
        self.missed = 0;
    }

    /// Records progress: the wait begins again, with its shortest duration.
    pub const fn restart_wait(&mut self, now: u64) {
        self.waits_since = now;
        self.backoff = 0;
    }

    /// Forgets the observations of a connection that has ended.
    pub const fn forget(&mut self) {
        (self.before_timeout, self.before_loss, self.patience_ns) = (None, None, 0);
        (self.backoff, self.missed, self.heard_stamp, self.marks_seen) = (0, 0, None, 0);
    }

    fn wait_ns(&self, parameters: &TransportParameters) -> u64 {
        let first = self.round_trip.timeout_ns(parameters);
        first.saturating_mul(1 << self.backoff.min(20)).min(parameters.timeout_max_ns)
    }

    /// Whether messages to the peer are neither delivered nor reported.
    fn is_owed(&self) -> bool {
        self.sending.messages() > 0
    }

    /// When the peer's silence requires action.
    pub fn worries_at(&self, parameters: &TransportParameters) -> Option<u64> {
        let wait = match self.state {
            PeerState::Idle | PeerState::Failed(_) => return None,
            PeerState::Opening => self.wait_ns(parameters),
            PeerState::Open if self.is_owed() => self.wait_ns(parameters),
            PeerState::Open if !self.expects => return None,
            PeerState::Open if self.missed > 0 => self.wait_ns(parameters),
            PeerState::Open => parameters.keepalive_ns,
        };
        Some(self.waits_since.saturating_add(wait))
    }

    /// The time of the next action if nothing arrives. [`PeerConnection::has_something`] covers
    /// what is due already.
    pub fn deadline(&self, now: u64, parameters: &TransportParameters) -> Option<u64> {
        let due = if self.state == PeerState::Open { self.receiving.due() } else { None };
        let acknowledgement = due.filter(|due| *due > now);
        [self.worries_at(parameters), acknowledgement, self.sending.patience_ends()].into_iter().flatten().min()
    }

    /// Checks whether the time for action has come.
    pub fn fire(&mut self, now: u64, parameters: &TransportParameters) -> Fired {
        let has_acknowledgement = self.state == PeerState::Open && self.receiving.due().is_some_and(|due| due <= now);
        let lost = self.sending.lose_late(now, parameters.reorder_segments.into());
        self.lose(lost);
        if self.worries_at(parameters).is_none_or(|at| at > now) {
            return if has_acknowledgement || lost > 0 { Fired::Send } else { Fired::Nothing };
        }
        if self.missed == 0 {
            self.silent_since = now;
        }
        self.missed += 1;
        let silence = now - self.silent_since;
        if self.missed > parameters.attempts_min && silence >= parameters.unreachable_after_ns {
            return Fired::GiveUp;
        }
        self.waits_since = now;
        self.backoff += 1;
        if self.state == PeerState::Opening {
            self.opening_due = true;
        } else {
            // A promise to a peer that restarted before it answered is void: ask again.
            self.opening_due = !self.is_confirmed;
            if self.sending.in_flight() > 0 {
                let lost = self.sending.give_up_in_flight();
                self.counters.timeouts += 1;
                self.before_timeout.get_or_insert((stamp(now), self.congestion));
                self.counters.lost_timeout += lost;
                self.congestion.collapse(self.sending.next());
            } else {
                self.probe_due = true;
            }
        }
        Fired::Send
    }

    /// Records when the peer sent a datagram, by its clock.
    pub fn hear(&mut self, now: u64, sent: u32) {
        let is_newer = self.heard_stamp.is_none_or(|last| sent.wrapping_sub(last) as i32 > 0);
        // A stamp that is not later may be of a copy and shows nothing.
        if is_newer {
            self.heard_stamp = Some(sent);
            self.heard();
            if !self.is_owed() {
                self.restart_wait(now);
            }
        }
    }

    /// Processes an acknowledgement. Returns `false` if it claims data that was never sent.
    pub fn acknowledge(&mut self, now: u64, part: &Acknowledgement<'_>, parameters: &TransportParameters) -> bool {
        let before = self.sending.acknowledged();
        let scan = self.congestion.is_recovering(before);
        let times = (now, self.round_trip.least_ns().saturating_sub(STAMPS_NS));
        let Some(progress) = self.sending.acknowledge(times, part, parameters.reorder_segments.into(), scan) else {
            return false;
        };
        let acknowledged = self.sending.acknowledged();
        if progress.bytes > 0 || acknowledged > before || progress.opened {
            self.heard();
            self.restart_wait(now);
        }
        if progress.bytes > 0 {
            if let Some((echo, held)) = part.echo {
                self.undo_timeout(echo);
                let units = stamp(now).wrapping_sub(echo).wrapping_sub(held);
                // Because of the coarse units of the stamps, the difference may be one unit too
                // small.
                self.round_trip.sample(if units >> 31 == 0 { u64::from(units) << 10 } else { 0 });
            }
            if progress.was_limited {
                self.congestion.grow(progress.bytes, acknowledged);
            }
        }
        self.learn_patience(&progress);
        self.lose(progress.lost);
        let marks = part.marks.wrapping_sub(self.marks_seen);
        let has_marks = marks > 0 && marks >> 31 == 0;
        if has_marks {
            self.marks_seen = part.marks;
            self.counters.marks_reported += u64::from(marks);
        }
        if has_marks && self.congestion.shrink(acknowledged, self.sending.next()) {
            self.counters.decreases += 1;
            self.before_loss = None;
        }
        true
    }

    /// Handles segments counted as lost: shrinks the window, once for all data sent until now.
    fn lose(&mut self, lost: u64) {
        if lost == 0 {
            return;
        }
        self.counters.lost_fast += lost;
        let before = self.congestion;
        if self.congestion.shrink(self.sending.acknowledged(), self.sending.next()) {
            self.counters.decreases += 1;
            self.before_loss = Some((before, 0, 0));
            // Late segments in the past do not mean late segments forever.
            self.patience_ns -= self.patience_ns / PATIENCE_LOST;
            self.sending.be_patient(self.patience_ns);
        }
        if let Some((_, of_loss, _)) = &mut self.before_loss {
            *of_loss += lost;
        }
    }

    /// Segments have arrived after later ones, so others may be as late as these. If they had been
    /// counted as lost, there was no congestion (the test of RFC 3522, by the time of the answer).
    fn learn_patience(&mut self, progress: &AckProgress) {
        if progress.late_ns == 0 {
            return;
        }
        let wanted = progress.late_ns + progress.late_ns / 4;
        self.patience_ns = self.patience_ns.max(wanted.min(self.round_trip.most_ns()));
        self.sending.be_patient(self.patience_ns);
        self.counters.late += progress.late;
        if let Some((before, lost, late)) = &mut self.before_loss {
            *late += progress.late;
            if *late > 0 && *late * LATE_OF_LOST >= *lost {
                self.congestion = *before;
                self.before_loss = None;
                self.counters.decreases_undone += 1;
            }
        }
    }

    /// The peer answers a segment that was sent before the time-out (the test of RFC 3522): the
    /// answer was slow and no segment was lost.
    fn undo_timeout(&mut self, echo: u32) {
        if let Some((at, congestion)) = self.before_timeout.take()
            && (echo.wrapping_sub(at) as i32) < 0
        {
            self.congestion = congestion;
            self.sending.forgive();
            self.counters.timeouts_undone += 1;
        }
    }

    /// Whether [`PeerConnection::write`] would write a datagram.
    pub fn has_something(&self, now: u64) -> bool {
        match self.state {
            PeerState::Opening => self.opening_due,
            PeerState::Open => {
                self.opening_due
                    || self.probe_due
                    || self.bye_due
                    || self.once.is_waiting()
                    || self.receiving.due().is_some_and(|due| due <= now)
                    || self.sending.wants(self.congestion.window())
            }
            PeerState::Idle | PeerState::Failed(_) => false,
        }
    }

    /// Writes the next datagram and returns its length; 0 if there is none. It may leave the last
    /// bytes in the caller's memory.
    pub fn write(&mut self, now: u64, memory: &impl PayloadMemory, out: &mut [u8]) -> (usize, Option<(u64, usize)>) {
        let mut lent = None;
        let bytes = match (self.state, self.theirs) {
            (PeerState::Opening | PeerState::Open, _) if self.opening_due => {
                self.opening_due = false;
                Datagram::Open(self.greeting()).write(out)
            }
            (PeerState::Open, Some(theirs)) => self
                .write_once(now, theirs, out)
                .unwrap_or_else(|| self.write_traffic(now, theirs, memory, out, &mut lent)),
            _ => 0,
        };
        if bytes > 0 {
            let rest = lent.and_then(|(address, bytes)| memory.lend(address, bytes)).unwrap_or(&[]);
            seal_with(&mut out[..bytes - rest.len()], rest);
            self.counters.datagrams_sent += 1;
            self.counters.bytes_sent += bytes as u64;
        }
        (bytes, lent)
    }

    /// Writes the next message that is sent once.
    fn write_once(&mut self, now: u64, theirs: ConnectionEnd, out: &mut [u8]) -> Option<usize> {
        let (number, message) = self.once.pop()?;
        let traffic = ConnectionTraffic {
            to: theirs,
            stamp: stamp(now),
            ask: false,
            bye: false,
            from: (!self.is_confirmed).then(|| self.greeting()),
            acknowledgement: None,
            data: None,
            once: Some((number, &message)),
        };
        let head = Datagram::Traffic(traffic).write(out);
        let end = head + message.len();
        out[head..end].copy_from_slice(&message);
        self.counters.once_sent += 1;
        Some(end)
    }

    fn write_traffic(
        &mut self,
        now: u64,
        theirs: ConnectionEnd,
        memory: &impl PayloadMemory,
        out: &mut [u8],
        lent: &mut Option<(u64, usize)>,
    ) -> usize {
        let mut raw_ranges = [0; RANGES_MAX * RANGE_BYTES];
        let found = self.receiving.ranges(&mut raw_ranges);
        let from_bytes = if self.is_confirmed { 0 } else { FROM_BYTES };
        let fixed = TRAFFIC_BYTES + from_bytes + ACK_BYTES;
        let room = self.datagram_max - fixed - DATA_BYTES - RANGE_BYTES * found.min(RANGES_WITH_DATA);
        let was_idle = self.sending.in_flight() == 0;
        let cut = self.sending.cut(now, room, self.congestion.window());
        if cut.is_some() && was_idle && self.missed == 0 {
            self.restart_wait(now);
        }
        let is_due = self.receiving.due().is_some_and(|due| due <= now);
        if cut.is_none() && !is_due && !self.probe_due && !self.bye_due {
            return 0;
        }
        let data_bytes = cut.map_or(0, |cut| DATA_BYTES + cut.bytes as usize);
        let count = found.min((self.datagram_max - fixed - data_bytes) / RANGE_BYTES);
        let (marks, cumulative, window) = (self.receiving.marks(), self.receiving.taken(), self.receiving.window());
        let echo = self.receiving.acknowledged().map(|(echo, at)| (echo, stamp(now).wrapping_sub(stamp(at))));
        let raw_ranges = &raw_ranges[..count * RANGE_BYTES];
        let acknowledgement = Acknowledgement { cumulative, window, echo, marks, raw_ranges };
        let traffic = ConnectionTraffic {
            to: theirs,
            stamp: stamp(now),
            ask: self.probe_due,
            bye: self.bye_due,
            from: (!self.is_confirmed).then(|| self.greeting()),
            acknowledgement: Some(acknowledgement),
            data: cut.map(|cut| (cut.start, [].as_slice())),
            once: None,
        };
        let head = Datagram::Traffic(traffic).write(out);
        self.counters.probes_sent += u64::from(self.probe_due);
        self.counters.acks_sent += u64::from(cut.is_none() && !self.probe_due);
        (self.probe_due, self.bye_due) = (false, false);
        let Some(cut) = cut else { return head };
        self.counters.retransmissions += u64::from(cut.again);
        let end = head + cut.bytes as usize;
        *lent = self.sending.tail(cut).filter(|&(address, bytes)| memory.lend(address, bytes).is_some());
        let left = lent.map_or(0, |(_, bytes)| bytes);
        self.sending.read(cut.start, &mut out[head..end - left], memory);
        end
    }

    /// Records that the peer knows our end, and the peer's own end if the datagram has it.
    pub fn confirm(&mut self, to: ConnectionEnd, from: Option<&Greeting>) {
        if to.index == self.index {
            self.is_confirmed = true;
        }
        if let (Some(theirs), Some(from)) = (&mut self.theirs, from)
            && *theirs == (ConnectionEnd { index: UNKNOWN_INDEX, ..from.from })
        {
            theirs.index = from.from.index;
        }
    }
}
