//! The sending end of a connection: messages form one byte stream, cut into segments that are kept
//! until acknowledged.

use std::collections::VecDeque;

use super::peer::RANGES_WITH_DATA;
use super::{Acknowledgement, Payload, PayloadMemory};

/// Bytes before a message in the stream: the lengths of its header and payload.
pub const PREFIX_BYTES: usize = 6;

/// Least number of bytes that are sent from the caller's memory; fewer are copied. Source: ours, a
/// page. Status: assumed.
const LENT_LEAST: usize = 4_096;

/// A message that is not delivered yet.
#[derive(Debug)]
struct Outgoing {
    /// Where it begins in the stream.
    start: u64,
    /// Prefix, header and the copied part of the payload.
    head: Vec<u8>,
    /// The address of the payload, if it was not copied.
    address: u64,
    payload_bytes: u32,
    token: u64,
}

impl Outgoing {
    fn end(&self) -> u64 {
        self.start + self.head.len() as u64 + u64::from(self.payload_bytes)
    }
}

/// A segment that was sent.
#[derive(Clone, Copy, Debug)]
struct Sent {
    start: u64,
    bytes: u32,
    /// How often it was sent.
    times: u32,
    /// The number of segments sent before its last transmission.
    order: u64,
    /// The time of its last transmission.
    at: u64,
    /// Whether the peer has received it, but its handler has not taken it.
    is_kept: bool,
    /// Whether it waits to be retransmitted.
    is_lost: bool,
    /// When the peer was first known to have something sent later; `None` if it is not.
    passed_at: Option<u64>,
    /// The same for its first transmission.
    first_passed_at: Option<u64>,
}

impl Sent {
    const fn end(&self) -> u64 {
        self.start + self.bytes as u64
    }
}

/// A segment to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Where it begins in the stream.
    pub start: u64,
    pub bytes: u32,
    /// Whether it is a retransmission.
    pub again: bool,
}

/// The changes that an acknowledgement made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AckProgress {
    /// Bytes that the peer is now known to have.
    pub bytes: u64,
    /// Segments that now count as lost.
    pub lost: u64,
    /// Whether the peer now allows more to be sent.
    pub opened: bool,
    /// Whether the congestion window was the limit.
    pub was_limited: bool,
    /// The longest time by which a segment arrived after later ones, in nanoseconds; 0: none did.
    pub late_ns: u64,
    /// Segments that had been counted as lost but were late.
    pub late: u64,
}

/// The sending end.
#[derive(Debug, Default)]
pub struct Sending {
    messages: VecDeque<Outgoing>,
    spare: Vec<Vec<u8>>,
    sent: VecDeque<Sent>,
    /// First bytes of segments that wait to be retransmitted.
    lost: VecDeque<u64>,
    /// The end of the stream so far.
    end: u64,
    /// The first byte that was never sent.
    next: u64,
    /// The peer's handler has taken all bytes below this.
    acknowledged: u64,
    /// The peer allows bytes up to here.
    limit: u64,
    /// Bytes sent, not known to have arrived, and not counted as lost.
    in_flight: u64,
    kept: u64,
    order: u64,
    /// The latest `order` among the segments that the peer has.
    order_known: u64,
    was_limited: bool,
    /// How long after later segments a segment may arrive before it counts as lost, in nanoseconds,
    /// however many later ones have arrived.
    patience_ns: u64,
    /// The last acknowledgement describes the stream up to here; it may have had no room for more.
    told: u64,
    /// When the next segment counts as lost.
    patience_ends: Option<u64>,
}

impl Sending {
    /// The number of messages that are not delivered yet.
    pub fn messages(&self) -> usize {
        self.messages.len()
    }

    /// The peer's handler has taken all bytes below this.
    pub const fn acknowledged(&self) -> u64 {
        self.acknowledged
    }

    /// The first byte that was never sent.
    pub const fn next(&self) -> u64 {
        self.next
    }

    /// Bytes in flight.
    pub const fn in_flight(&self) -> u64 {
        self.in_flight
    }

    /// Sets the window that the peer gave in its greeting.
    pub fn open(&mut self, window: u32) {
        self.limit = self.limit.max(self.acknowledged + u64::from(window));
    }

    /// Adds a message.
    pub fn push(&mut self, header: &[u8], payload: Payload<'_>, token: u64) {
        let mut head = self.spare.pop().unwrap_or_default();
        let (address, payload_bytes, copied) = match payload {
            Payload::At { address, bytes } => (address, bytes, [].as_slice()),
            Payload::Copied(copied) => (0, 0, copied),
        };
        head.extend((header.len() as u16).to_be_bytes());
        head.extend((payload_bytes + copied.len() as u32).to_be_bytes());
        head.extend(header);
        head.extend(copied);
        let message = Outgoing { start: self.end, head, address, payload_bytes, token };
        self.end = message.end();
        self.messages.push_back(message);
    }

    /// The next segment of at most `room` bytes, if there is one and it may be sent with at most
    /// `window` bytes in flight.
    pub fn cut(&mut self, now: u64, room: usize, window: u64) -> Option<Cut> {
        while let Some(start) = self.lost.front().copied() {
            let found = self.sent.binary_search_by_key(&start, |sent| sent.start).ok();
            let Some(sent) = found.map(|index| &mut self.sent[index]).filter(|sent| sent.is_lost) else {
                self.lost.pop_front();
                continue;
            };
            let bytes = sent.bytes;
            if self.in_flight > 0 && self.in_flight + u64::from(bytes) > window {
                self.was_limited = true;
                return None;
            }
            self.lost.pop_front();
            (sent.is_lost, sent.order, sent.at, sent.times) = (false, self.order, now, sent.times + 1);
            sent.passed_at = None;
            self.order += 1;
            self.in_flight += u64::from(bytes);
            return Some(Cut { start, bytes, again: true });
        }
        let bytes = (self.end.min(self.limit) - self.next).min(room as u64);
        if bytes == 0 {
            return None;
        }
        if self.in_flight > 0 {
            if self.in_flight + bytes > window {
                self.was_limited = true;
                return None;
            }
            // The segment is short only because the peer's window ends; the window will soon allow
            // more.
            if bytes < room as u64 && self.limit < self.end {
                return None;
            }
        }
        let cut = Cut { start: self.next, bytes: bytes as u32, again: false };
        let (start, bytes, order) = (cut.start, cut.bytes, self.order);
        let (passed_at, first_passed_at) = (None, None);
        let (is_kept, is_lost) = (false, false);
        self.sent.push_back(Sent {
            start,
            bytes,
            times: 1,
            order,
            at: now,
            is_kept,
            is_lost,
            passed_at,
            first_passed_at,
        });
        self.order += 1;
        self.next += u64::from(bytes);
        self.in_flight += u64::from(bytes);
        Some(cut)
    }

    /// Whether [`Sending::cut`] would return a segment.
    pub fn wants(&self, window: u64) -> bool {
        let is_free = self.in_flight == 0 || self.in_flight < window;
        is_free && (!self.lost.is_empty() || self.next < self.end.min(self.limit))
    }

    /// The address and number of the last bytes of a segment, if they need not be copied.
    pub fn tail(&self, cut: Cut) -> Option<(u64, usize)> {
        let end = cut.start + u64::from(cut.bytes);
        let index = self.messages.partition_point(|message| message.end() < end);
        let message = self.messages.get(index).filter(|message| message.payload_bytes > 0)?;
        let payload = message.start + message.head.len() as u64;
        let begin = payload.max(cut.start);
        let bytes = end.checked_sub(begin)? as usize;
        (bytes >= LENT_LEAST).then(|| (message.address.wrapping_add(begin - payload), bytes))
    }

    /// Fills `out` with the stream from `start`.
    pub fn read(&self, start: u64, mut out: &mut [u8], memory: &impl PayloadMemory) {
        let first = self.messages.partition_point(|message| message.end() <= start);
        let mut at = start;
        for message in self.messages.range(first..) {
            if out.is_empty() {
                return;
            }
            let mut offset = at - message.start;
            let head_bytes = message.head.len() as u64;
            if offset < head_bytes {
                let bytes = out.len().min((head_bytes - offset) as usize);
                let (part, rest) = out.split_at_mut(bytes);
                part.copy_from_slice(&message.head[offset as usize..offset as usize + bytes]);
                out = rest;
                offset += bytes as u64;
            }
            if !out.is_empty() && offset < head_bytes + u64::from(message.payload_bytes) {
                let left = head_bytes + u64::from(message.payload_bytes) - offset;
                let (part, rest) = out.split_at_mut(left.min(out.len() as u64) as usize);
                memory.read(message.address.wrapping_add(offset - head_bytes), part);
                out = rest;
            }
            at = message.end();
        }
    }

    /// Processes an acknowledgement. `None` if it claims data that was never sent; then nothing
    /// changes.
    ///
    /// With `scan`, it searches the gaps between received ranges for losses. No answer has come
    /// sooner than after `least_ns`.
    pub fn acknowledge(
        &mut self,
        (now, least_ns): (u64, u64),
        part: &Acknowledgement<'_>,
        reorder: u64,
        scan: bool,
    ) -> Option<AckProgress> {
        let (count, last) = part.ranges().fold((0, part.cumulative), |(count, _), (_, end)| (count + 1, end));
        if last > self.next {
            return None;
        }
        let mut progress = AckProgress { was_limited: self.was_limited, ..AckProgress::default() };
        self.told = if count < RANGES_WITH_DATA { u64::MAX } else { last };
        let limit = part.cumulative + u64::from(part.window);
        if limit > self.limit {
            self.limit = limit;
            progress.opened = true;
        }
        while let Some(sent) = self.sent.front().copied().filter(|sent| sent.end() <= part.cumulative) {
            self.complete((now, least_ns), &sent, &mut progress);
            self.kept -= u64::from(sent.is_kept);
            self.sent.pop_front();
        }
        self.acknowledged = self.acknowledged.max(part.cumulative);
        self.trim(&mut progress);
        for (start, end) in part.ranges() {
            let first = self.sent.partition_point(|sent| sent.start < start);
            for index in first..self.sent.len() {
                let sent = self.sent[index];
                if sent.end() > end {
                    break;
                }
                self.complete((now, least_ns), &sent, &mut progress);
                self.kept += u64::from(!sent.is_kept);
                (self.sent[index].is_kept, self.sent[index].is_lost) = (true, false);
            }
        }
        if self.kept > 0 || scan {
            progress.lost = self.find_lost(now, reorder);
        } else {
            self.patience_ends = None;
        }
        if progress.bytes > 0 {
            self.was_limited = false;
        }
        Some(progress)
    }

    /// Removes the part of the first segment that the peer's handler has, because its message may
    /// be gone.
    fn trim(&mut self, progress: &mut AckProgress) {
        let Some(sent) = self.sent.front_mut().filter(|sent| sent.start < self.acknowledged) else { return };
        let bytes = self.acknowledged - sent.start;
        (sent.start, sent.bytes) = (self.acknowledged, sent.bytes - bytes as u32);
        if sent.is_lost {
            self.lost.push_front(sent.start);
        } else if !sent.is_kept {
            self.in_flight -= bytes;
        }
        progress.bytes += if sent.is_kept { 0 } else { bytes };
    }

    fn complete(&mut self, (now, least_ns): (u64, u64), sent: &Sent, progress: &mut AckProgress) {
        if sent.is_kept {
            return;
        }
        progress.bytes += u64::from(sent.bytes);
        // If a retransmitted segment arrived sooner than any answer can come, the original
        // transmission arrived: it was late.
        let is_first = sent.times == 1 || now - sent.at < least_ns;
        if sent.times == 1 || !is_first {
            self.order_known = self.order_known.max(sent.order);
        }
        if let Some(passed_at) = sent.first_passed_at.filter(|_| is_first) {
            progress.late_ns = progress.late_ns.max(now - passed_at);
            progress.late += u64::from(sent.times > 1 || sent.is_lost);
        }
        if !sent.is_lost {
            self.in_flight -= u64::from(sent.bytes);
        }
    }

    /// Sets how long after later segments a segment may arrive before it counts as lost, in
    /// nanoseconds, however many of these have arrived.
    pub const fn be_patient(&mut self, patience_ns: u64) {
        self.patience_ns = patience_ns;
    }

    /// When [`Sending::lose_late`] is due.
    pub const fn patience_ends(&self) -> Option<u64> {
        self.patience_ends
    }

    /// Counts segments that are too late by now as lost, and returns their number.
    pub fn lose_late(&mut self, now: u64, reorder: u64) -> u64 {
        if self.patience_ends.is_some_and(|at| at <= now) { self.find_lost(now, reorder) } else { 0 }
    }

    fn find_lost(&mut self, now: u64, reorder: u64) -> u64 {
        let mut lost = 0;
        self.patience_ends = None;
        for sent in &mut self.sent {
            if sent.order > self.order_known && sent.times == 1 {
                break;
            }
            if sent.is_kept || sent.is_lost || sent.order > self.order_known || sent.start >= self.told {
                continue;
            }
            let passed_at = *sent.passed_at.get_or_insert(now);
            sent.first_passed_at.get_or_insert(now);
            if sent.order + reorder > self.order_known || sent.at > now {
                continue;
            }
            let ends = passed_at + self.patience_ns;
            if ends > now {
                self.patience_ends = Some(self.patience_ends.map_or(ends, |other| other.min(ends)));
            } else {
                sent.is_lost = true;
                self.in_flight -= u64::from(sent.bytes);
                self.lost.push_back(sent.start);
                lost += 1;
            }
        }
        lost
    }

    /// Counts all segments in flight as lost, and returns their number.
    pub fn give_up_in_flight(&mut self) -> u64 {
        let mut lost = 0;
        self.patience_ends = None;
        self.lost.clear();
        for sent in &mut self.sent {
            if !sent.is_kept {
                lost += u64::from(!sent.is_lost);
                sent.is_lost = true;
                self.lost.push_back(sent.start);
            }
        }
        self.in_flight = 0;
        lost
    }

    /// Removes the loss mark from segments that have not been retransmitted yet.
    pub fn forgive(&mut self) {
        self.lost.clear();
        for sent in self.sent.iter_mut().filter(|sent| sent.is_lost) {
            sent.is_lost = false;
            self.in_flight += u64::from(sent.bytes);
        }
    }

    /// The token of the next message that the peer's handler has completely.
    pub fn take_delivered(&mut self) -> Option<u64> {
        let is_there = self.messages.front().is_some_and(|message| message.end() <= self.acknowledged);
        if is_there { self.take_first() } else { None }
    }

    /// The token of the first message, delivered or not.
    pub fn take_first(&mut self) -> Option<u64> {
        let mut message = self.messages.pop_front()?;
        message.head.clear();
        if self.spare.len() < 64 {
            self.spare.push(message.head);
        }
        Some(message.token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counting;

    impl PayloadMemory for Counting {
        fn read(&self, address: u64, out: &mut [u8]) {
            out.iter_mut().enumerate().for_each(|(index, byte)| *byte = (address as usize + index) as u8);
        }
    }

    fn acknowledgement(cumulative: u64, raw_ranges: &[u8]) -> Acknowledgement<'_> {
        Acknowledgement { cumulative, window: 10_000, echo: None, marks: 0, raw_ranges }
    }

    fn range(start: u32, bytes: u32) -> Vec<u8> {
        [start.to_be_bytes(), bytes.to_be_bytes()].concat()
    }

    #[test]
    fn the_stream_is_the_messages_one_after_the_other() {
        let mut sending = Sending::default();
        sending.push(b"ab", Payload::At { address: 100, bytes: 5 }, 1);
        sending.push(b"", Payload::Copied(b"xyz"), 2);
        sending.push(b"c", Payload::Copied(b""), 3);
        let whole: Vec<u8> = [
            [0, 2, 0, 0, 0, 5, 97, 98, 100, 101, 102, 103, 104].as_slice(),
            &[0, 0, 0, 0, 0, 3],
            b"xyz",
            &[0, 1, 0, 0, 0, 0, 99],
        ]
        .concat();
        for start in 0..whole.len() {
            for end in start..=whole.len() {
                let mut out = vec![0; end - start];
                sending.read(start as u64, &mut out, &Counting);
                assert_eq!(out, whole[start..end]);
            }
        }
    }

    #[test]
    fn long_tails_of_segments_are_sent_from_where_they_lie() {
        let mut sending = Sending::default();
        sending.push(b"ab", Payload::Copied(&[1; 100]), 1);
        sending.push(b"c", Payload::At { address: 1_000, bytes: 20_000 }, 2);
        sending.push(b"", Payload::Copied(b"x"), 3);
        let (first, payload) = (108_u32, 108 + 7_u32);
        let tail = |start: u64, bytes: u32| sending.tail(Cut { start, bytes, again: false });
        assert_eq!(tail(0, 100), None, "all of it was copied");
        assert_eq!(tail(0, payload + 5_000), Some((1_000, 5_000)));
        assert_eq!(tail(0, payload + 4_095), None, "too short");
        assert_eq!(tail(u64::from(payload) + 300, 6_000), Some((1_300, 6_000)), "from its middle");
        assert_eq!(tail(u64::from(first), 7 + 20_000), Some((1_000, 20_000)));
        assert_eq!(tail(u64::from(first), 7 + 20_003), None, "it does not lie at the end");
    }

    #[test]
    fn gaps_are_sent_again_and_what_the_peer_keeps_is_not() {
        let mut sending = Sending::default();
        sending.push(&[7; 94], Payload::At { address: 0, bytes: 900 }, 5);
        assert_eq!(sending.cut(0, 100, 1_000), None, "the peer has no window yet");
        sending.open(600);
        let cuts: Vec<u64> = std::iter::from_fn(|| sending.cut(0, 100, 1_000)).map(|cut| cut.start).collect();
        assert_eq!(cuts, [0, 100, 200, 300, 400, 500]);
        let claims = sending.acknowledge((1, 0), &acknowledgement(601, &[]), 3, true);
        assert_eq!(claims, None, "never sent");
        let progress = sending.acknowledge((1, 0), &acknowledgement(0, &range(200, 300)), 3, false).expect("sent");
        assert_eq!((progress.bytes, progress.lost), (300, 2), "two have three or more behind them");
        assert_eq!(sending.in_flight(), 100);
        assert_eq!(sending.cut(2, 100, 1_000), Some(Cut { start: 0, bytes: 100, again: true }));
        assert_eq!(sending.cut(2, 100, 250), Some(Cut { start: 100, bytes: 100, again: true }).filter(|_| false));
        let progress = sending.acknowledge((3, 0), &acknowledgement(100, &range(100, 300)), 3, true).expect("sent");
        assert_eq!((progress.bytes, progress.opened), (100, true));
        assert_eq!(sending.cut(2, 100, 1_000).map(|cut| cut.start), Some(100));
        assert_eq!(sending.give_up_in_flight(), 2);
        assert_eq!((sending.cut(4, 100, 1).map(|cut| cut.start), sending.cut(4, 100, 1)), (Some(100), None));
        assert_eq!(sending.take_delivered(), None);
        while sending.cut(5, 100, 10_000).is_some() {}
        sending.acknowledge((6, 0), &acknowledgement(1_000, &[]), 3, true).expect("sent");
        assert_eq!((sending.take_delivered(), sending.in_flight(), sending.wants(1)), (Some(5), 0, false));
    }
}
