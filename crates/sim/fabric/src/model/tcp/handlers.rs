//! What happens on TCP connections: messages wait for the window, segments arrive, a core reads.

use philae_nic_model::packet_payload;
use philae_units::{Bytes, JobId};

use super::{Arriving, Heard, TcpEnd, TcpStep, position_of, shown_bytes, stream_bytes};
use crate::memory::slab::NO_INDEX;
use crate::model::event::Event;
use crate::model::output::NO_TIME;
use crate::model::packet::{Header, Incoming, Packet, PacketPurpose, SegmentHead};
use crate::partition::Partition;

const fn ps(ns: u32) -> u64 {
    ns as u64 * 1_000
}

/// Segments after which a receiver acknowledges at the latest, if no offload merges more of them.
/// Source: RFC 5681, 4.2. Status: published.
const SECOND: u32 = 2;

impl Partition {
    /// The end of the connection that a message from `source` to `destination` takes; `NO_INDEX` if
    /// it takes none.
    #[cold]
    #[inline(never)]
    pub fn tcp_of_message(&mut self, header: &Header, source: u32, destination: u32) -> u32 {
        if header.purpose != PacketPurpose::Eager || !self.shared.speaks_tcp(source, destination) {
            return NO_INDEX;
        }
        let ends = ((source, header.source_rank), (destination, header.destination_rank));
        self.tcp_end(ends, header.class.0, header.job)
    }

    /// The connection's end at the first of two endpoints with their ranks.
    fn tcp_end(&mut self, (own, peer): ((u32, u32), (u32, u32)), class: u8, job: JobId) -> u32 {
        let shared = &self.shared;
        let tcp = &mut self.nic.tcp;
        *tcp.of_ranks.entry((own.1, peer.1, class)).or_insert_with(|| {
            let parameters = shared.config.laws.tcp.as_ref().expect("connections are of runs with TCP");
            let segment = shared.form(own.0, peer.0).payload_max_bytes;
            tcp.ends.push(TcpEnd::new(parameters, (own, peer), (class, job), segment));
            tcp.ends.len() as u32 - 1
        })
    }

    /// The end that a segment has reached.
    fn tcp_end_of(&mut self, packet: &Packet) -> u32 {
        let SegmentHead { source_rank, destination_rank, .. } = packet.segment;
        let ends = ((packet.destination, destination_rank), (packet.source, source_rank));
        self.tcp_end(ends, packet.kind.sent_class, packet.part.job)
    }

    fn tcp_buffer(&self) -> u64 {
        self.shared.config.laws.tcp.as_ref().map_or(0, |tcp| tcp.receive_buffer_bytes.into())
    }

    /// Core time of an acknowledgement, in picoseconds.
    fn tcp_ack_time(&self) -> u64 {
        self.shared.config.laws.tcp.as_ref().map_or(0, |tcp| ps(tcp.ack_ns))
    }

    fn push_tcp(&mut self, end: u32, step: TcpStep, time: u64) {
        let TcpEnd { own, peer, class, .. } = &self.nic.tcp.ends[end as usize];
        let key = self.shared.places.targets.tcp(time, (own.1, peer.1, *class), step);
        self.sched.calendar.push(key, Event::Tcp { end, step });
    }

    /// Something happens to a connection.
    pub fn tcp(&mut self, end: u32, step: TcpStep) {
        match step {
            TcpStep::Arrived => self.tcp_arrived(end),
            TcpStep::Heard => self.tcp_heard(end),
            TcpStep::Read => {
                let tcp_end = &mut self.nic.tcp.ends[end as usize];
                tcp_end.read = tcp_end.read.max(tcp_end.reading_to);
                tcp_end.reading_to = tcp_end.read;
                self.tcp_tell(end);
                self.tcp_reads(end);
            }
            TcpStep::Taken => {
                let tcp_end = &mut self.nic.tcp.ends[end as usize];
                let taken = tcp_end.taken.pop_front().expect("a core takes what has arrived");
                tcp_end.read = tcp_end.read.max(taken);
                self.tcp_tell(end);
            }
            TcpStep::AckTimer => {
                let now = self.clock.now();
                let tcp_end = &mut self.nic.tcp.ends[end as usize];
                tcp_end.timer_at = NO_TIME;
                match tcp_end.answer_by {
                    NO_TIME => {}
                    due if due <= now => self.tcp_acknowledge(end),
                    later => {
                        tcp_end.timer_at = later;
                        self.push_tcp(end, TcpStep::AckTimer, later);
                    }
                }
            }
        }
    }

    /// A message is ready in its NIC: it waits for the messages in front of it, and for the window.
    #[cold]
    #[inline(never)]
    pub fn tcp_ready(&mut self, end: u32, message: u32) {
        self.nic.tcp.ends[end as usize].queue.push_back(message);
        self.tcp_release(end);
    }

    /// Whether the next segment of a connection may be sent.
    fn tcp_admits(&self, end: u32) -> bool {
        let tcp_end = &self.nic.tcp.ends[end as usize];
        tcp_end.queue.front().is_some_and(|&message| {
            let sending = &self.nic.outgoing[message];
            let form = self.shared.form(tcp_end.own.0, tcp_end.peer.0);
            tcp_end.admits(shown_bytes(packet_payload(form, Bytes(sending.header.bytes), sending.sent)))
        })
    }

    /// Puts the first message of a connection into the NIC's ring, if the window has room.
    fn tcp_release(&mut self, end: u32) {
        if self.nic.tcp.ends[end as usize].in_ring || !self.tcp_admits(end) {
            return;
        }
        let tcp_end = &mut self.nic.tcp.ends[end as usize];
        tcp_end.in_ring = true;
        let (endpoint, message) = (tcp_end.own.0, tcp_end.queue[0]);
        let nic_slot = self.nic_slot(endpoint);
        self.nic.nics[nic_slot].active.push_back(message);
        self.wake_nic(endpoint, self.clock.now().max(self.nic.nics[nic_slot].output.free_at));
    }

    /// The head of a segment that leaves with `payload` bytes of a message.
    #[cold]
    #[inline(never)]
    pub fn tcp_segment(&mut self, end: u32, payload: u32) -> SegmentHead {
        let buffer = self.tcp_buffer();
        self.nic.tcp.totals[0] += u64::from(shown_bytes(payload));
        self.nic.tcp.ends[end as usize].next_segment(shown_bytes(payload), buffer)
    }

    /// A segment of a connection is on the wire; `finished`: it was the last of its message. What
    /// comes next joins the ring if the window has room.
    #[cold]
    #[inline(never)]
    pub fn tcp_sent(&mut self, end: u32, finished: bool) {
        let tcp_end = &mut self.nic.tcp.ends[end as usize];
        tcp_end.in_ring = false;
        if finished {
            tcp_end.queue.pop_front();
        }
        self.tcp_release(end);
    }

    /// A segment with data has reached its NIC.
    #[cold]
    #[inline(never)]
    pub fn segment_delivered(&mut self, slot: u32) {
        let packet = self.transit.packets[slot];
        self.nic.tcp.totals[1] += stream_bytes(&packet);
        self.segment_heard(&packet, false);
    }

    /// A segment has reached its NIC: notes what it says about the stream of this end.
    pub fn segment_heard(&mut self, packet: &Packet, is_pure: bool) {
        let SegmentHead { acknowledgement, window, .. } = packet.segment;
        let end = self.tcp_end_of(packet);
        let tcp_end = &mut self.nic.tcp.ends[end as usize];
        let acknowledged = position_of(acknowledgement, tcp_end.heard_most.0);
        let edge = acknowledged + u64::from(window);
        let is_news = acknowledged > tcp_end.heard_most.0 || edge > tcp_end.heard_most.1;
        if !is_pure && !is_news {
            return;
        }
        tcp_end.heard_most = (acknowledged.max(tcp_end.heard_most.0), edge.max(tcp_end.heard_most.1));
        tcp_end.heard.push_back(Heard { acknowledged, edge, is_pure });
        let protocol = self.shared.protocol(packet.destination);
        let seen = self.clock.now() + ps(protocol.nic.receive_ns) + self.tcp_ack_time();
        let opens = protocol.ready(true, seen);
        self.push_tcp(end, TcpStep::Heard, opens);
    }

    /// What another segment said opens the window for the NIC.
    fn tcp_heard(&mut self, end: u32) {
        let endpoint = self.nic.tcp.ends[end as usize].own.0;
        if self.is_observed() {
            self.explain_nic(endpoint, false);
        }
        let tcp_end = &mut self.nic.tcp.ends[end as usize];
        let Heard { acknowledged, edge, is_pure } = tcp_end.heard.pop_front().expect("it was noted");
        if acknowledged > tcp_end.acknowledged {
            let flight = tcp_end.sent - tcp_end.acknowledged;
            tcp_end.window.acknowledge(acknowledged - tcp_end.acknowledged, flight);
            tcp_end.acknowledged = acknowledged;
        }
        tcp_end.edge = tcp_end.edge.max(edge);
        let rank = tcp_end.own.1;
        if is_pure {
            // The core took it before it wrote the command, and stopped what it was doing.
            let ack_time = self.tcp_ack_time();
            let seen = self.clock.now() - self.shared.protocol(endpoint).ready(true, 0) - ack_time;
            let free_at = self.core_free_at(rank);
            if free_at > seen {
                self.occupy(rank, free_at + ack_time);
            }
        }
        self.tcp_release(end);
    }

    /// A segment of a message is in memory at `written`. `finished`: it was the last.
    #[cold]
    #[inline(never)]
    pub fn segment_arrived(&mut self, packet: &Packet, record: u32, written: u64, finished: bool) {
        let end = self.tcp_end_of(packet);
        let seen = written + ps(self.shared.nic(packet.destination).receive_ns);
        let tcp_end = &mut self.nic.tcp.ends[end as usize];
        let bytes = stream_bytes(packet);
        tcp_end.delivered += bytes;
        let message = &mut self.nic.incoming[record];
        let before = message.received - u64::from(packet.payload_bytes);
        let begins = message.packets == 1 || before < self.shared.config.host.first_segment(message.header.bytes);
        if begins {
            message.kernel_span = seen;
        }
        if finished {
            (message.kernel_span, message.stream_end) = (seen - message.kernel_span, tcp_end.delivered);
        }
        tcp_end.arriving.push_back(Arriving { bytes: bytes as u32, begins });
        self.push_tcp(end, TcpStep::Arrived, seen);
    }

    /// A segment is visible to the kernel.
    fn tcp_arrived(&mut self, end: u32) {
        let (shared, now) = (std::sync::Arc::clone(&self.shared), self.clock.now());
        let Some(parameters) = &shared.config.laws.tcp else { return };
        let tcp_end = &mut self.nic.tcp.ends[end as usize];
        let Arriving { bytes, begins } = tcp_end.arriving.pop_front().expect("it has reached the NIC");
        tcp_end.received += u64::from(bytes);
        tcp_end.unanswered += 1;
        if begins {
            tcp_end.unpaid = 0;
        }
        let buffer = u64::from(parameters.receive_buffer_bytes);
        // An offload hands on what it has merged when no segment follows: a sender whose window is
        // smaller than `ack_segments` would wait for the timer otherwise.
        let merge_ends = tcp_end.unanswered >= SECOND && tcp_end.arriving.is_empty();
        if tcp_end.unanswered >= parameters.ack_segments || merge_ends || tcp_end.has_news(buffer) {
            self.tcp_acknowledge(end);
        } else if tcp_end.answer_by == NO_TIME {
            let due = now + u64::from(parameters.ack_delay_us) * 1_000_000;
            tcp_end.answer_by = due;
            if tcp_end.timer_at == NO_TIME {
                tcp_end.timer_at = due;
                self.push_tcp(end, TcpStep::AckTimer, due);
            }
        }
        self.tcp_reads(end);
    }

    /// The core begins to read what a connection's buffer holds, when it has nothing else to do.
    /// Its time counts when it takes the message: here it decides when there is room.
    fn tcp_reads(&mut self, end: u32) {
        let host = &self.shared.config.host;
        let tcp_end = &self.nic.tcp.ends[end as usize];
        if tcp_end.reading_to > tcp_end.read || tcp_end.received == tcp_end.read {
            return;
        }
        let (rank, bytes) = (tcp_end.own.1, host.first_segment(tcp_end.received - tcp_end.read));
        let begins = self.clock.now().max(self.core_free_at(rank));
        let span = host.kernel_part(bytes);
        let reader = self.nic.tcp.readers.entry(rank).or_default();
        let done = begins.max(*reader) + span;
        *reader = done;
        let tcp_end = &mut self.nic.tcp.ends[end as usize];
        tcp_end.reading_to = tcp_end.read + bytes;
        self.push_tcp(end, TcpStep::Read, done);
    }

    /// Core time of the acknowledgements that a connection has made since its last message, which
    /// `message` pays, in picoseconds. None if the message came otherwise.
    pub fn tcp_owed(&mut self, message: &Incoming) -> u64 {
        let Some(end) = self.tcp_of_arrived(message) else { return 0 };
        let unpaid = std::mem::take(&mut self.nic.tcp.ends[end as usize].unpaid);
        u64::from(unpaid) * self.tcp_ack_time()
    }

    /// A core takes a message, and has copied all of it at `done`: then there is room for more.
    pub fn tcp_taken(&mut self, message: &Incoming, done: u64) {
        if let Some(end) = self.tcp_of_arrived(message) {
            self.nic.tcp.ends[end as usize].taken.push_back(message.stream_end);
            self.push_tcp(end, TcpStep::Taken, done);
        }
    }

    fn tcp_of_arrived(&self, message: &Incoming) -> Option<u32> {
        let Header { source_rank, destination_rank, class, .. } = message.header;
        self.nic.tcp.find(destination_rank, source_rank, class.0).filter(|_| message.stream_end > 0)
    }

    /// The core has read something: tells the other end if that makes a difference.
    fn tcp_tell(&mut self, end: u32) {
        if self.nic.tcp.ends[end as usize].has_news(self.tcp_buffer()) {
            self.tcp_acknowledge(end);
        }
    }

    /// The kernel makes an acknowledgement. The core stops for that what it is doing; if it copies
    /// a message that still arrives, this message takes longer.
    fn tcp_acknowledge(&mut self, end: u32) {
        let (buffer, ack_time, now) = (self.tcp_buffer(), self.tcp_ack_time(), self.clock.now());
        let rank = self.nic.tcp.ends[end as usize].own.1;
        let free_at = self.core_free_at(rank);
        if free_at > now {
            self.occupy(rank, free_at + ack_time);
        } else {
            self.nic.tcp.ends[end as usize].unpaid += 1;
        }
        let tcp_end = &mut self.nic.tcp.ends[end as usize];
        let segment = tcp_end.next_segment(0, buffer);
        let (own, peer, class, job) = (tcp_end.own.0, tcp_end.peer.0, tcp_end.class, tcp_end.job);
        let ready = self.shared.protocol(own).ready(false, now + ack_time);
        self.respond_by_segment((own, peer, class), job, segment, ready);
    }
}
