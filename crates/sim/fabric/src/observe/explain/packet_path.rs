//! The path of one packet of an explained message through time: spans that join without a gap, and
//! the flows that delayed it.

use std::collections::BTreeMap;

use philae_results::explain::TimePart;

use crate::model::packet::Packet;

/// A flow that may be blamed: job, source, destination, class.
pub type FlowKey = (u16, u32, u32, u8);

/// The flow of a packet.
pub const fn flow_of(packet: &Packet) -> FlowKey {
    (packet.part.job.0, packet.source, packet.destination, packet.kind.class)
}

/// Place where time was spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpanPlace {
    /// In software: no place on the fabric.
    Host,
    /// At an endpoint's NIC.
    Nic(u32),
    Port(u32),
}

/// Time spent on one part in one place.
#[derive(Clone, Debug)]
pub struct TimeSpan {
    pub part: TimePart,
    pub place: SpanPlace,
    /// Duration, in picoseconds.
    pub time: u64,
    /// Bytes that the packet found waiting.
    pub queued_bytes: u32,
    /// Bytes of flows that went first.
    pub flows: BTreeMap<FlowKey, u64>,
}

/// Spans, and the time up to which they reach.
#[derive(Clone, Debug, Default)]
pub struct Spans {
    /// Spans, each part and place once.
    pub spans: Vec<TimeSpan>,
    /// Everything before this time is in a span, in picoseconds.
    pub cursor: u64,
}

impl Spans {
    /// No spans so far, from `start` on.
    pub const fn from(start: u64) -> Self {
        Self { spans: Vec::new(), cursor: start }
    }

    /// The span of a part in a place.
    pub fn span(&mut self, part: TimePart, place: SpanPlace) -> &mut TimeSpan {
        let known = self.spans.iter().rposition(|span| (span.part, span.place) == (part, place));
        let index = known.unwrap_or_else(|| {
            self.spans.push(TimeSpan { part, place, time: 0, queued_bytes: 0, flows: BTreeMap::new() });
            self.spans.len() - 1
        });
        &mut self.spans[index]
    }

    /// The time up to `until` was spent on `part`. The time before the cursor is already in a span.
    pub fn advance(&mut self, part: TimePart, place: SpanPlace, until: u64) {
        if until > self.cursor {
            let time = until - self.cursor;
            self.span(part, place).time += time;
            self.cursor = until;
        }
    }

    /// Blames a flow that went first with `bytes`.
    pub fn blame(&mut self, part: TimePart, place: SpanPlace, flow: FlowKey, bytes: u64) {
        *self.span(part, place).flows.entry(flow).or_insert(0) += bytes;
    }

    /// Appends later spans.
    pub fn append(&mut self, other: Self) {
        self.spans.extend(other.spans.into_iter().filter(|span| span.time > 0));
        self.cursor = other.cursor;
    }
}

/// What a packet waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacketWait {
    /// Nothing: it is in transit.
    Nothing,
    /// Its flow's turn at the ingress port.
    Flow {
        /// The ingress port.
        port: u32,
        /// When its flow let it go and it began to wait for its own tail, in picoseconds.
        gone: Option<u64>,
    },
    /// Its own tail, before it requests an output.
    Tail,
    /// Its endpoint's share of the link beyond an output.
    Share(u32),
    Output(u32),
}

/// The path of a packet of an explained message through time.
#[derive(Clone, Debug)]
pub struct PacketPath {
    /// Number of the message.
    pub message_index: u32,
    /// Its time so far.
    pub spans: Spans,
    /// What it waits for.
    pub wait: PacketWait,
    /// When it is due at the far end of its present link, if nothing damages it, in picoseconds; 0
    /// where links never err.
    pub due: u64,
    /// Bytes that it found waiting for the output for which it waits.
    queued_bytes: u32,
}

impl PacketPath {
    /// For a packet of message number `message_index` that has spent its time in `spans`.
    pub const fn new(message_index: u32, spans: Spans) -> Self {
        Self { message_index, spans, wait: PacketWait::Nothing, due: 0, queued_bytes: 0 }
    }

    /// The packet has crossed a link of `propagation` with at most `latency` at its far end, and is
    /// there `now`. The latency counts for `part`.
    pub fn crossed(&mut self, now: u64, propagation: u64, (part, latency): (TimePart, u64), far_end: SpanPlace) {
        let late = if self.due > 0 { now.saturating_sub(self.due) } else { 0 };
        self.due = 0;
        let flight = now.saturating_sub(late);
        let rest = flight.saturating_sub(self.spans.cursor).saturating_sub(propagation);
        // Time beyond both is bits on the link: the packet's own bits on the last link, and those
        // before it on others.
        self.spans.advance(TimePart::Serialisation, far_end, flight.saturating_sub(propagation + rest.min(latency)));
        self.spans.advance(TimePart::Propagation, far_end, flight.saturating_sub(rest.min(latency)));
        self.spans.advance(part, far_end, flight);
        self.spans.advance(TimePart::LinkRetry, far_end, now);
    }

    /// The packet requests output `port`, where `queued_bytes` wait.
    pub fn requests_output(&mut self, now: u64, port: u32, queued_bytes: u32) {
        if let PacketWait::Flow { port: ingress, gone } = self.wait {
            self.spans.advance(TimePart::Held, SpanPlace::Port(ingress), gone.unwrap_or(now));
        }
        self.spans.advance(TimePart::Serialisation, SpanPlace::Port(port), now);
        self.wait = PacketWait::Output(port);
        self.queued_bytes = queued_bytes;
    }

    /// The packet still waits for an output, which was busy until `free_at` and then idle because
    /// of `reason`.
    pub fn waited(&mut self, now: u64, free_at: u64, reason: TimePart) {
        match self.wait {
            PacketWait::Output(port) => {
                let place = SpanPlace::Port(port);
                self.spans.advance(TimePart::Queueing, place, free_at.min(now));
                self.spans.advance(reason, place, now);
                self.note_queued_bytes(place, &[TimePart::Queueing, reason]);
            }
            PacketWait::Share(port) => {
                self.spans.advance(TimePart::FlowQueue, SpanPlace::Port(port), now);
                self.note_queued_bytes(SpanPlace::Port(port), &[TimePart::FlowQueue]);
            }
            PacketWait::Nothing | PacketWait::Flow { .. } | PacketWait::Tail => {}
        }
    }

    fn note_queued_bytes(&mut self, place: SpanPlace, parts: &[TimePart]) {
        let queued = self.queued_bytes;
        for span in &mut self.spans.spans {
            if span.place == place && parts.contains(&span.part) {
                span.queued_bytes = queued;
            }
        }
    }

    /// Whether it waits for output `port`, or for a share of the link beyond.
    pub fn waits_for_port(&self, port: u32) -> bool {
        matches!(self.wait, PacketWait::Share(blocked) | PacketWait::Output(blocked) if blocked == port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crossing_is_divided_without_a_rest() {
        for (now, due) in [(10, 0), (100, 0), (700, 0), (5_000, 0), (5_000, 900), (600, 900)] {
            let mut path = PacketPath::new(0, Spans::from(5));
            path.due = due;
            path.crossed(now, 200, (TimePart::Switch, 350), SpanPlace::Port(3));
            let sum: u64 = path.spans.spans.iter().map(|span| span.time).sum();
            assert_eq!((sum, path.spans.cursor), (now - 5, now));
        }
    }

    #[test]
    fn a_wait_is_divided_into_busy_and_idle() {
        let mut path = PacketPath::new(0, Spans::from(100));
        path.requests_output(130, 9, 4_000);
        path.waited(200, 180, TimePart::Credit);
        path.waited(260, 240, TimePart::Credit);
        let times: Vec<(TimePart, u64, u32)> =
            path.spans.spans.iter().map(|span| (span.part, span.time, span.queued_bytes)).collect();
        assert_eq!(
            times,
            [
                (TimePart::Serialisation, 30, 0),
                (TimePart::Queueing, 50 + 40, 4_000),
                (TimePart::Credit, 20 + 20, 4_000)
            ]
        );
    }
}
