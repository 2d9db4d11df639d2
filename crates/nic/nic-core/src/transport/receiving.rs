//! The receiving end of a connection: reassembles segments into one byte stream, and the stream
//! into messages.

use std::collections::BTreeMap;

use super::header::{RANGE_BYTES, RANGES_MAX};
use super::sending::PREFIX_BYTES;
use super::{Handler, HandlerDecision, MESSAGE_HEADER_MAX, PeerId, TransportParameters};

/// The most segments kept for one peer. Source: ours, a window of segments of 512 B. Status:
/// assumed.
const HELD_MAX: usize = 4_096;
/// The least number of acknowledgements for a full window, because a peer that has filled it waits
/// for one. Source: ours. Status: assumed.
const ACKS_PER_WINDOW: u32 = 4;
const HEAD_MAX: usize = PREFIX_BYTES + MESSAGE_HEADER_MAX;

/// Bytes kept for all peers together.
#[derive(Debug, Default)]
pub struct Pool {
    bytes: u64,
    spare: Vec<Vec<u8>>,
}

impl Pool {
    fn take(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.bytes += bytes.len() as u64;
        let mut kept = self.spare.pop().unwrap_or_default();
        kept.extend_from_slice(bytes);
        kept
    }

    fn give(&mut self, mut kept: Vec<u8>) {
        self.bytes -= kept.len() as u64;
        if self.spare.len() < 256 {
            kept.clear();
            self.spare.push(kept);
        }
    }

    /// Bytes kept now.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// The result for a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentOutcome {
    /// The handler has it, or the part of it that was new.
    InOrder,
    /// It is kept until earlier segments arrive, or until the handler accepts it.
    Kept,
    /// It was received before.
    Duplicate,
    /// There is no room for it, or it lies beyond the window.
    Refused,
    /// The stream violates the protocol.
    Senseless,
}

/// The position of the stream within a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Head,
    Payload { offset: u32, bytes: u32, is_wanted: bool },
}

/// The receiving end.
#[derive(Debug)]
pub struct Receiving {
    /// The handler has taken all bytes below this.
    taken: u64,
    window: u32,
    held: BTreeMap<u64, Vec<u8>>,
    held_bytes: u64,
    stage: Stage,
    head: [u8; HEAD_MAX],
    head_bytes: usize,
    is_stalled: bool,
    stalls: u64,
    messages: u64,
    /// Segments and bytes since the last acknowledgement.
    unacknowledged: (u32, u32),
    /// When an acknowledgement must be sent, if one must.
    due: Option<u64>,
    /// The stamp to send back, and when it arrived.
    echo: Option<(u32, u64)>,
    marks: u32,
}

impl Receiving {
    /// The receiving end of a new connection.
    pub const fn new(window: u32) -> Self {
        Self {
            taken: 0,
            window,
            held: BTreeMap::new(),
            held_bytes: 0,
            stage: Stage::Head,
            head: [0; HEAD_MAX],
            head_bytes: 0,
            is_stalled: false,
            stalls: 0,
            messages: 0,
            unacknowledged: (0, 0),
            due: None,
            echo: None,
            marks: 0,
        }
    }

    /// The handler has taken all bytes below this.
    pub const fn taken(&self) -> u64 {
        self.taken
    }

    /// Bytes that the peer may send beyond `taken`.
    pub const fn window(&self) -> u32 {
        self.window
    }

    /// Whether a message waits for the handler.
    pub const fn is_stalled(&self) -> bool {
        self.is_stalled
    }

    /// The numbers of stalls and of whole messages since the last call.
    pub const fn take_counts(&mut self) -> (u64, u64) {
        let counts = (self.stalls, self.messages);
        (self.stalls, self.messages) = (0, 0);
        counts
    }

    /// When an acknowledgement must be sent, if one must.
    pub const fn due(&self) -> Option<u64> {
        self.due
    }

    /// Requests an acknowledgement no later than this.
    pub fn ask(&mut self, at: u64) {
        self.due = Some(self.due.map_or(at, |due| due.min(at)));
    }

    /// Counts a datagram with the network's mark of congestion.
    pub const fn mark(&mut self) {
        self.marks = self.marks.wrapping_add(1);
    }

    /// Marks so far.
    pub const fn marks(&self) -> u32 {
        self.marks
    }

    /// Records that the acknowledgement is sent now. Returns the stamp to send back, and when it
    /// arrived.
    pub const fn acknowledged(&mut self) -> Option<(u32, u64)> {
        self.due = None;
        self.unacknowledged = (0, 0);
        self.echo.take()
    }

    /// Processes a segment.
    #[expect(clippy::too_many_arguments, reason = "a segment, its time, and the three places that it may go to")]
    pub fn segment(
        &mut self,
        now: u64,
        stamp: u32,
        (offset, bytes): (u64, &[u8]),
        parameters: &TransportParameters,
        pool: &mut Pool,
        peer: PeerId,
        handler: &mut impl Handler,
    ) -> SegmentOutcome {
        let end = offset + bytes.len() as u64;
        if end > self.taken + u64::from(self.window) {
            self.ask(now);
            return SegmentOutcome::Refused;
        }
        if end <= self.taken {
            self.ask(now);
            return SegmentOutcome::Duplicate;
        }
        if offset > self.taken || self.is_stalled {
            self.ask(now);
            return self.keep(
                offset.max(self.taken),
                &bytes[self.taken.saturating_sub(offset) as usize..],
                parameters,
                pool,
            );
        }
        if self.echo.is_none() {
            self.echo = Some((stamp, now));
        }
        let rest = &bytes[(self.taken - offset) as usize..];
        let Some(eaten) = self.feed(rest, peer, handler) else { return SegmentOutcome::Senseless };
        let (segments, so_far) = self.unacknowledged;
        self.unacknowledged = (segments + 1, so_far.saturating_add(rest.len() as u32));
        if eaten < rest.len() {
            // Stalled: the rest waits here if there is room.
            self.ask(now);
            return match self.keep(self.taken, &rest[eaten..], parameters, pool) {
                SegmentOutcome::Kept => SegmentOutcome::InOrder,
                other => other,
            };
        }
        let is_time = self.unacknowledged.0 >= parameters.ack_every_segments
            || self.unacknowledged.1 >= parameters.ack_every_bytes.min(self.window / ACKS_PER_WINDOW)
            || !self.held.is_empty();
        self.ask(if is_time { now } else { now + parameters.ack_delay_ns });
        if self.feed_held(pool, peer, handler) { SegmentOutcome::InOrder } else { SegmentOutcome::Senseless }
    }

    fn keep(&mut self, offset: u64, bytes: &[u8], parameters: &TransportParameters, pool: &mut Pool) -> SegmentOutcome {
        if self
            .held
            .range(..=offset)
            .next_back()
            .is_some_and(|(start, kept)| start + kept.len() as u64 >= offset + bytes.len() as u64)
        {
            return SegmentOutcome::Duplicate;
        }
        let is_room = self.held.len() < HELD_MAX
            && self.held_bytes + bytes.len() as u64 <= u64::from(self.window)
            && pool.bytes + bytes.len() as u64 <= parameters.held_bytes_max;
        if !is_room {
            return SegmentOutcome::Refused;
        }
        self.held_bytes += bytes.len() as u64;
        if let Some(shorter) = self.held.insert(offset, pool.take(bytes)) {
            self.held_bytes -= shorter.len() as u64;
            pool.give(shorter);
        }
        SegmentOutcome::Kept
    }

    /// Asks the handler again. Returns `false` if the stream violates the protocol.
    pub fn retry(&mut self, now: u64, pool: &mut Pool, peer: PeerId, handler: &mut impl Handler) -> bool {
        let before = self.taken;
        self.is_stalled = false;
        let makes_sense = self.feed_held(pool, peer, handler);
        if self.taken != before {
            self.ask(now);
        }
        makes_sense
    }

    /// Gives the handler the kept bytes that are in order.
    fn feed_held(&mut self, pool: &mut Pool, peer: PeerId, handler: &mut impl Handler) -> bool {
        while !self.is_stalled {
            let Some(entry) = self.held.first_entry().filter(|entry| *entry.key() <= self.taken) else { break };
            let (start, kept) = entry.remove_entry();
            self.held_bytes -= kept.len() as u64;
            let skip = ((self.taken - start) as usize).min(kept.len());
            let Some(eaten) = self.feed(&kept[skip..], peer, handler) else {
                pool.give(kept);
                return false;
            };
            let left = kept.len() - skip - eaten;
            if left > 0 {
                // Kept bytes stay kept, because the peer was told so.
                self.held_bytes += left as u64;
                let rest = pool.take(&kept[skip + eaten..]);
                if let Some(other) = self.held.insert(self.taken, rest) {
                    self.held_bytes -= other.len() as u64;
                    pool.give(other);
                }
            }
            pool.give(kept);
        }
        true
    }

    /// Continues to read the stream and returns how many bytes were taken: fewer than all if the
    /// handler stalls. `None` if they violate the protocol.
    fn feed(&mut self, bytes: &[u8], peer: PeerId, handler: &mut impl Handler) -> Option<usize> {
        let mut at = 0;
        while at < bytes.len() {
            let rest = &bytes[at..];
            match self.stage {
                Stage::Head => {
                    let before = self.head_bytes;
                    let eaten = self.fill_head(rest)?;
                    if self.head_is_whole() && !self.begin(peer, handler) {
                        // Treat these bytes as not received: an acknowledgement of them would say
                        // that the message is accepted.
                        self.head_bytes = before;
                        break;
                    }
                    at += eaten;
                    self.taken += eaten as u64;
                }
                Stage::Payload { offset, bytes, is_wanted } => {
                    let part = &rest[..rest.len().min((bytes - offset) as usize)];
                    if is_wanted {
                        handler.chunk(peer, offset, part);
                    }
                    at += part.len();
                    self.taken += part.len() as u64;
                    let offset = offset + part.len() as u32;
                    self.stage = Stage::Payload { offset, bytes, is_wanted };
                    self.finish(peer, handler);
                }
            }
        }
        Some(at)
    }

    fn header_bytes(&self) -> usize {
        usize::from(self.head[0]) << 8 | usize::from(self.head[1])
    }

    fn head_is_whole(&self) -> bool {
        self.head_bytes >= PREFIX_BYTES && self.head_bytes == PREFIX_BYTES + self.header_bytes()
    }

    /// Adds the bytes that belong to the head. `None`: the header is longer than any.
    fn fill_head(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut eaten = 0;
        for _ in 0..2 {
            let wanted = if self.head_bytes < PREFIX_BYTES { PREFIX_BYTES } else { PREFIX_BYTES + self.header_bytes() };
            if wanted > HEAD_MAX {
                return None;
            }
            let part = (wanted - self.head_bytes).min(bytes.len() - eaten);
            self.head[self.head_bytes..self.head_bytes + part].copy_from_slice(&bytes[eaten..eaten + part]);
            self.head_bytes += part;
            eaten += part;
        }
        Some(eaten)
    }

    /// Offers the handler the message whose head is complete.
    fn begin(&mut self, peer: PeerId, handler: &mut impl Handler) -> bool {
        let bytes = self.head[2..PREFIX_BYTES].iter().fold(0, |number, byte| number << 8 | u32::from(*byte));
        let verdict = handler.begin(peer, &self.head[PREFIX_BYTES..self.head_bytes], bytes);
        if verdict == HandlerDecision::Stall {
            self.is_stalled = true;
            self.stalls += 1;
            return false;
        }
        self.head_bytes = 0;
        self.stage = Stage::Payload { offset: 0, bytes, is_wanted: verdict == HandlerDecision::Accept };
        self.finish(peer, handler);
        true
    }

    fn finish(&mut self, peer: PeerId, handler: &mut impl Handler) {
        if matches!(self.stage, Stage::Payload { offset, bytes, .. } if offset == bytes) {
            self.stage = Stage::Head;
            self.messages += 1;
            handler.end(peer);
        }
    }

    /// Writes the kept bytes beyond `taken` as ranges, and returns the number of ranges.
    pub fn ranges(&self, out: &mut [u8; RANGES_MAX * RANGE_BYTES]) -> usize {
        let mut count = 0;
        let mut held = self.held.iter().map(|(start, kept)| (*start, start + kept.len() as u64)).peekable();
        while let Some((start, mut end)) = held.next() {
            while let Some((_, further)) = held.next_if(|(next, _)| *next <= end) {
                end = end.max(further);
            }
            if count == RANGES_MAX {
                break;
            }
            if end <= self.taken {
                continue;
            }
            let start = start.max(self.taken);
            let range = &mut out[count * RANGE_BYTES..][..RANGE_BYTES];
            range[..4].copy_from_slice(&((start - self.taken) as u32).to_be_bytes());
            range[4..].copy_from_slice(&((end - start) as u32).to_be_bytes());
            count += 1;
        }
        count
    }

    /// Releases the kept bytes.
    pub fn clear(&mut self, pool: &mut Pool) {
        while let Some((_, kept)) = self.held.pop_first() {
            pool.give(kept);
        }
        self.held_bytes = 0;
    }
}
