//! What happens to packets that are kept: acknowledgements, refusals, timers, retransmissions.

use philae_results::fault::FailureRow;
use philae_units::{Bytes, ClassId, Picoseconds, RankId};

use super::{ConnectionState, RetryState, Unacked};
use crate::model::event::Event;
use crate::model::host::LostMessage;
use crate::model::matching::SENT_BEFORE;
use crate::model::output::NO_TIME;
use crate::model::packet::{Header, Packet, PacketPurpose, SentKey, foreign_key};
use crate::model::response::ResponseContent;
use crate::partition::Partition;

impl Partition {
    /// Numbers a packet that leaves its NIC for the first time, and remembers it. `place` is its
    /// place in its message.
    #[inline(never)]
    pub fn remember(&mut self, packet: &mut Packet, header: Header, packet_index: u32) {
        let nic_slot = self.nic_slot(packet.source);
        let retries = &mut self.nic.retries[nic_slot];
        packet.part.number = retries.next;
        retries.next = retries.next.wrapping_add(1);
        packet.part.order = packet_index;
        if self.shared.is_ordered(packet.kind.class, packet.source, packet.destination) {
            let connection = retries.connections.entry((packet.destination, packet.kind.class)).or_default();
            packet.part.order = connection.next;
            packet.part.opens = std::mem::take(&mut connection.reopens);
            connection.next = connection.next.wrapping_add(1);
        }
        let time = self.clock.now() + self.shared.config.resilience.retry.packet_timeout_ns * 1_000;
        let unacked = Unacked { packet: *packet, header, state: RetryState::Waiting, time, tries: 0 };
        retries.unacked.insert(packet.part.number, unacked);
        retries.timers.insert((time, packet.part.number));
        self.update_retry_timer(packet.source);
    }

    fn update_retry_timer(&mut self, endpoint: u32) {
        let nic_slot = self.nic_slot(endpoint);
        let retries = &mut self.nic.retries[nic_slot];
        let Some(&(time, _)) = retries.timers.first() else { return };
        if retries.timer_at.is_none_or(|scheduled| time < scheduled) {
            retries.timer_at = Some(time);
            self.sched
                .calendar
                .push(self.shared.places.targets.retry_timer(time, endpoint), Event::RetryTimer { endpoint });
        }
    }

    /// The next packet to be sent again, if its class is not paused. It stays in the queue.
    #[inline(never)]
    pub fn next_to_resend(&mut self, endpoint: u32) -> Option<Packet> {
        let nic_slot = self.nic_slot(endpoint);
        let (nic, retries) = (&self.nic.nics[nic_slot], &mut self.nic.retries[nic_slot]);
        while let Some(&number) = retries.resend_queue.front() {
            match retries.unacked.get(&number) {
                Some(unacked) if unacked.state == RetryState::Queued => {
                    return (!nic.is_paused(unacked.packet.kind.class)).then_some(unacked.packet);
                }
                _ => {
                    retries.resend_queue.pop_front();
                }
            }
        }
        None
    }

    /// The packet that [`next_to_resend`](Self::next_to_resend) returned is on the wire.
    pub fn note_resent(&mut self, endpoint: u32) {
        let nic_slot = self.nic_slot(endpoint);
        let time = self.clock.now() + self.shared.config.resilience.retry.packet_timeout_ns * 1_000;
        let retries = &mut self.nic.retries[nic_slot];
        if let Some(number) = retries.resend_queue.pop_front() {
            retries.set(number, RetryState::Waiting, time);
        }
        self.nic.retry_totals.retries += 1;
        self.update_retry_timer(endpoint);
    }

    /// Whether to take a packet that has reached its NIC. The source gets an answer either way.
    #[inline(never)]
    pub fn accept_once(&mut self, packet: &Packet, ack_delay: u64) -> bool {
        let key = (packet.source, packet.destination, packet.kind.class);
        let record = self.nic.foreign.find(foreign_key(packet.source, packet.part.message));
        let new = if self.shared.is_ordered(packet.kind.class, packet.source, packet.destination) {
            let expected = self.nic.reliable.connections.entry(key).or_default();
            if packet.part.opens && packet.part.order > expected.order {
                *expected = ConnectionState { order: packet.part.order, refused: false };
            }
            if packet.part.order > expected.order {
                self.nic.retry_totals.out_of_sequence += 1;
                if !std::mem::replace(&mut expected.refused, true) {
                    let wanted = expected.order;
                    self.refuse(packet, wanted, ack_delay);
                }
                return false;
            }
            let new = packet.part.order == expected.order;
            if new {
                *expected = ConnectionState { order: expected.order.wrapping_add(1), refused: false };
            }
            new
        } else {
            record.is_some_and(|record| {
                let seen = self.nic.reliable.seen.entry(record).or_default();
                let (word, bit) = (packet.part.order as usize / 64, 1_u64 << (packet.part.order % 64));
                if seen.len() <= word {
                    seen.resize(word + 1, 0);
                }
                let new = seen[word] & bit == 0;
                seen[word] |= bit;
                new
            })
        };
        self.acknowledge_nic(packet, ack_delay);
        if new && record.is_some() {
            return true;
        }
        if packet.kind.purpose.is_idempotent() {
            self.nic.retry_totals.repeated += 1;
        } else {
            self.nic.retry_totals.suppressed += 1;
        }
        false
    }

    fn acknowledge_nic(&mut self, packet: &Packet, ack_delay: u64) {
        let (endpoint, number) = (packet.source, packet.part.number);
        if self.answers_with_packets(packet.source, packet.destination) {
            return self.respond_to(packet, ResponseContent::Taken { number });
        }
        let key = self.shared.places.targets.nic_ack(self.clock.now() + ack_delay, endpoint, number);
        self.push_to(self.shared.partition_of_endpoint(endpoint), key, Event::NicAck { endpoint, number });
    }

    /// Answers a packet that has just arrived.
    fn respond_to(&mut self, packet: &Packet, answer: ResponseContent) {
        let class = self.class_of_responses(ClassId(packet.kind.sent_class)).0;
        let ends = (packet.destination, packet.source, class);
        self.respond(ends, (packet.kind.purpose, packet.part.job), answer, self.clock.now());
    }

    fn refuse(&mut self, packet: &Packet, wanted: u32, ack_delay: u64) {
        let (endpoint, destination, class) = (packet.source, packet.destination, packet.kind.class);
        if self.answers_with_packets(packet.source, packet.destination) {
            return self.respond_to(packet, ResponseContent::Refused { wanted, class });
        }
        let key = self.shared.places.targets.nic_nack(self.clock.now() + ack_delay, endpoint, destination, class);
        let partition = self.shared.partition_of_endpoint(endpoint);
        self.push_to(partition, key, Event::NicNack { endpoint, destination, wanted, class });
    }

    /// An acknowledgement from the other NIC.
    pub fn nic_ack(&mut self, endpoint: u32, number: u32) {
        let nic_slot = self.nic_slot(endpoint);
        if let Some(unacked) = self.nic.retries[nic_slot].forget(number) {
            self.note_answered(endpoint, &unacked);
            if self.record.observer.on {
                self.record.observer.acknowledged(SentKey::of(&unacked.packet));
            }
        }
    }

    /// The other NIC has taken a packet. If it has taken all of the message, and answers with
    /// packets, the issuer's operation ends.
    fn note_answered(&mut self, endpoint: u32, unacked: &Unacked) {
        let Unacked { packet, header, .. } = unacked;
        if !header.purpose.ends_when_answered() || !self.answers_with_packets(endpoint, packet.destination) {
            return;
        }
        let nic_slot = self.nic_slot(endpoint);
        if self.nic.retries[nic_slot].is_message_answered(packet, header.bytes) {
            let ends = self.clock.now() + self.shared.protocol(endpoint).answered();
            self.finish_operation(header.source_rank, header.issuer_handle, ends);
        }
    }

    /// The other NIC refuses packets until it gets `wanted`: goes back to that one.
    pub fn nic_nack(&mut self, endpoint: u32, destination: u32, wanted: u32, class: u8) {
        let nic_slot = self.nic_slot(endpoint);
        let retries = &mut self.nic.retries[nic_slot];
        let behind: Vec<u32> = retries
            .unacked
            .iter()
            .filter(|(_, unacked)| {
                let packet = &unacked.packet;
                (packet.destination, packet.kind.class) == (destination, class)
                    && packet.part.order >= wanted
                    && unacked.state != RetryState::Queued
            })
            .map(|(&number, _)| number)
            .collect();
        for number in behind {
            retries.set(number, RetryState::Queued, NO_TIME);
        }
        self.wake_end(self.nic_end(endpoint));
    }

    /// Packets of a NIC may be overdue, or due to be sent again.
    pub fn retry_timer(&mut self, endpoint: u32) {
        if self.is_uet(endpoint) {
            return self.uet_timer(endpoint);
        }
        let (now, nic_slot) = (self.clock.now(), self.nic_slot(endpoint));
        let retry = self.shared.config.resilience.retry.clone();
        if self.nic.retries[nic_slot].timer_at != Some(now) {
            return; // An earlier one replaced it.
        }
        self.nic.retries[nic_slot].timer_at = None;
        while let Some(&(time, number)) = self.nic.retries[nic_slot].timers.first() {
            if time > now {
                break;
            }
            let retries = &mut self.nic.retries[nic_slot];
            let Some(unacked) = retries.unacked.get_mut(&number) else { break };
            if unacked.state == RetryState::Delayed {
                retries.set(number, RetryState::Queued, NO_TIME);
                continue;
            }
            self.nic.retry_totals.timeouts += 1;
            if unacked.tries >= retry.retries_max {
                self.give_up(endpoint, number);
                continue;
            }
            unacked.tries += 1;
            let ordered = self.shared.is_ordered(unacked.packet.kind.class, endpoint, unacked.packet.destination);
            match retry.wait(unacked.tries, ordered) {
                0 => retries.set(number, RetryState::Queued, NO_TIME),
                wait => retries.set(number, RetryState::Delayed, now + wait),
            }
        }
        self.update_retry_timer(endpoint);
        if self.nic.retries[nic_slot].has_to_resend() {
            self.wake_end(self.nic_end(endpoint));
        }
    }

    /// Gives up a packet that has been sent as often as allowed: its message fails, and its
    /// connection starts again with the packet behind it.
    fn give_up(&mut self, endpoint: u32, number: u32) {
        let nic_slot = self.nic_slot(endpoint);
        let retries = &mut self.nic.retries[nic_slot];
        let Some(unacked) = retries.forget(number) else { return };
        let (destination, class, message) =
            (unacked.packet.destination, unacked.packet.kind.class, unacked.packet.part.message);
        let same: Vec<u32> = retries
            .unacked
            .iter()
            .filter(|(_, other)| other.packet.part.message == message)
            .map(|(&number, _)| number)
            .collect();
        for number in same {
            retries.forget(number);
        }
        retries.answered.remove(&message);
        if self.shared.is_ordered(class, endpoint, destination) {
            let of_connection =
                |other: &Unacked| (other.packet.destination, other.packet.kind.class) == (destination, class);
            let behind = retries.unacked.values_mut().find(|other| of_connection(other));
            match behind {
                Some(next) => next.packet.part.opens = true,
                None => retries.connections.entry((destination, class)).or_default().reopens = true,
            }
        }
        let was_sent = !self.stop_sending(endpoint, message);
        self.fail((endpoint, message), unacked.header, was_sent);
    }

    /// Gives up all messages of which a packet has been sent and not acknowledged.
    pub fn give_up_all(&mut self, endpoint: u32) {
        if self.is_uet(endpoint) {
            return self.uet_give_up_all(endpoint);
        }
        let nic_slot = self.nic_slot(endpoint);
        while let Some((&number, _)) = self.nic.retries[nic_slot].unacked.first_key_value() {
            self.give_up(endpoint, number);
        }
    }

    /// Gives up a message of which no packet waits for an acknowledgement.
    pub fn give_up_unsent(&mut self, endpoint: u32, message: u32) {
        let (header, number) = (self.nic.outgoing[message].header, self.nic.outgoing[message].number);
        self.stop_sending(endpoint, number);
        self.fail((endpoint, number), header, false);
    }

    /// An operation has failed: records that, and tells the rank that issued it. `number`: that of
    /// the message at its NIC. `was_sent`: all of it had left.
    pub fn fail(&mut self, (endpoint, number): (u32, u32), header: Header, was_sent: bool) {
        if self.shared.traits.has_processes {
            self.tell_of_loss(LostMessage { endpoint, number, header });
        }
        let base = self.shared.places.rank_base[header.job.index()];
        self.record.recorder.rows.failures.push(FailureRow {
            job: header.job,
            source: RankId(header.source_rank - base),
            destination: RankId(header.destination_rank - base),
            bytes: Bytes(header.operation_bytes),
            issued: Picoseconds(header.issued),
            failed: Picoseconds(self.clock.now()),
        });
        match header.purpose {
            // The sender's part is done when the data have left, or do not leave any more.
            PacketPurpose::Eager => {
                if !was_sent && header.receive_handle != SENT_BEFORE && !self.forwards_for(endpoint, header.source_rank)
                {
                    self.finish_operation(header.source_rank, header.issuer_handle, self.clock.now());
                }
            }
            PacketPurpose::Deferrable
            | PacketPurpose::RendezvousRequest
            | PacketPurpose::Put
            | PacketPurpose::GetRequest
            | PacketPurpose::Amo
            | PacketPurpose::FetchingAmo
            | PacketPurpose::ReadData => self.end_failed(endpoint, header.source_rank, header.issuer_handle),
            PacketPurpose::ReadRequest => self.end_failed(endpoint, header.source_rank, header.receive_handle),
            // The target's NIC has no operation of its own. The rank that waits for the data still
            // waits.
            PacketPurpose::GetData | PacketPurpose::AmoData => {}
            // The software that waits for it asks again.
            PacketPurpose::Notice => {}
            PacketPurpose::Collective | PacketPurpose::Response => {
                unreachable!("{}", crate::model::packet::NO_MESSAGE)
            }
        }
    }

    /// The operation of a rank ends because the NIC of `endpoint` has given it up. If that is a
    /// gateway's, the rank learns of it a packet's timeout later. Source: ours. Status: assumed.
    fn end_failed(&mut self, endpoint: u32, rank: u32, handle: u32) {
        let timeout = self.shared.config.resilience.retry.packet_timeout_ns.saturating_mul(1_000);
        let after = if self.forwards_for(endpoint, rank) { timeout } else { 0 };
        self.finish_operation(rank, handle, self.clock.now().saturating_add(after));
    }
}
