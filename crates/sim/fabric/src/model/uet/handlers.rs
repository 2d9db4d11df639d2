//! What happens to packets of Ultra Ethernet's transport: they get their numbers, arrive, are
//! acknowledged, refused, overdue, and sent again.

use std::collections::VecDeque;

use philae_congestion::{AckNews, Admission, NsccFlow, RcccFlow, UetLaw};
use philae_nic_model::{EntropyChoice, PacketPurpose, packet_count, packet_payload};
use philae_units::{Bytes, ClassId, JobId};

use super::credits::CREDITS;
use super::{KeptMessage, SentPacket, SentState, UetReceiver, UetSender};
use crate::model::event::Event;
use crate::model::packet::{MessagePart, Packet, PacketKind, SentKey, UetHead, foreign_key};
use crate::model::response::ResponseContent;
use crate::partition::Partition;

impl Partition {
    /// The sending side of the context between two NICs in a class.
    fn uet_sender(&mut self, source: u32, destination: u32, class: u8) -> u32 {
        let uet = self.nic.uet.as_ref().expect("a run with this transport");
        if let Some(slot) = uet.senders.find(source, destination, class) {
            return slot;
        }
        let (path, now) = (self.shared.uet_path(source, destination, class), self.clock.now());
        let law = &self.shared.traits.uet.law;
        let window = match law {
            UetLaw::Nscc(law) => Some(NsccFlow::new(law, path, now)),
            UetLaw::Rccc(_) => None,
        };
        let credit = law.credit_packets().map(|_| RcccFlow::new(path, law.window_max_permille()));
        let context = self.uet_context(source);
        let sender = UetSender {
            source,
            destination,
            class,
            next: 0,
            base: 0,
            sent: VecDeque::new(),
            in_flight: 0,
            waiting: 0,
            lost: 0,
            asked: 0,
            told: 0,
            window,
            credit,
            entropy: EntropyChoice::new(self.shared.options.seed, source, destination),
            is_timed: false,
            unheard: 0,
            unheard_at: 0,
            context,
            receiver_context: 0,
        };
        self.nic.uet.as_mut().expect("a run with this transport").senders.insert(sender)
    }

    /// The receiving side of the context between two NICs in a class.
    pub fn uet_receiver(&mut self, source: u32, destination: u32, class: u8) -> u32 {
        let uet = self.nic.uet.as_ref().expect("a run with this transport");
        if let Some(slot) = uet.receivers.find(source, destination, class) {
            return slot;
        }
        let path = self.shared.uet_path(source, destination, class);
        let first_window = RcccFlow::first_credit(path, self.shared.traits.uet.law.window_max_permille());
        let context = self.uet_context(destination);
        let receiver = UetReceiver {
            source,
            destination,
            class,
            job: JobId(0),
            expected: 0,
            arrived: VecDeque::new(),
            pending: Vec::new(),
            pending_bytes: 0,
            asked: 0,
            probed: 0,
            has_refused: false,
            credited: first_window,
            wanted: 0,
            first_window,
            in_turn: false,
            owes_response: false,
            context,
            sender_context: 0,
            received: 0,
        };
        self.nic.uet.as_mut().expect("a run with this transport").receivers.insert(receiver)
    }

    /// The number of a NIC's new context.
    fn uet_context(&mut self, endpoint: u32) -> u16 {
        let nic_slot = self.nic_slot(endpoint);
        self.nic.uet.as_mut().expect("a run with this transport").nics[nic_slot].next_context()
    }

    /// A message may be sent from now on: its receiver may have to give credit for it.
    pub fn uet_ready(&mut self, message: u32) {
        let sending = &self.nic.outgoing[message];
        let (source, destination, header) = (sending.source, sending.destination, sending.header);
        let form = self.shared.form(source, destination);
        let packets = packet_count(form, Bytes(header.bytes));
        let bytes = self.shared.uet_message_bytes(form, &header);
        let slot = self.uet_sender(source, destination, header.class.0);
        let Some(uet) = &mut self.nic.uet else { return };
        uet.senders.flows[slot].waiting += bytes;
        let number = self.nic.outgoing[message].number;
        let kept = KeptMessage { header, source, destination, number, open: packets };
        uet.kept.insert(foreign_key(source, number), kept);
    }

    /// Whether the law lets the next packet of a message go.
    pub fn uet_admits(&mut self, message: u32) -> Admission {
        let sending = &self.nic.outgoing[message];
        let (source, destination, header, sent) = (sending.source, sending.destination, sending.header, sending.sent);
        let form = self.shared.form(source, destination);
        let payload = packet_payload(form, Bytes(header.bytes), sent);
        let bytes = self.shared.packet_bytes(source, form, &header, (payload, sent == 0));
        let slot = self.uet_sender(source, destination, header.class.0);
        if self.uet_may_send(slot, bytes, header.job) { Admission::Now } else { Admission::OnAck }
    }

    /// The same of any packet of a context. One that lacks credit asks for some.
    fn uet_may_send(&mut self, slot: u32, bytes: u32, job: JobId) -> bool {
        let Some(uet) = &mut self.nic.uet else { return true };
        let sender = &mut uet.senders.flows[slot];
        if sender.admits(bytes) {
            return true;
        }
        if !sender.has_window(bytes) && sender.asked < sender.next {
            // The window has shrunk since: nothing else makes the receiver tell what has arrived.
            let (number, ends) = (sender.next - 1, (sender.source, sender.destination, sender.class));
            sender.asked = sender.next;
            self.uet_tell(ends, job, ResponseContent::Probe { number, class: ends.2 });
            return false;
        }
        if sender.credit.as_ref().is_some_and(|credit| !credit.admits()) {
            let units = sender.wanted();
            if units > sender.told {
                sender.told = units;
                let (from, to, class) = (sender.source, sender.destination, sender.class);
                let again = sender.unheard > 0;
                self.uet_tell((from, to, class), job, ResponseContent::Wants { units, class, again });
            }
            // What it says, and the credit, may be lost.
            self.uet_time(slot);
        }
        false
    }

    /// Numbers a packet that leaves for the first time. `place`: in its message.
    pub fn uet_number(&mut self, packet: &mut Packet, place: u32, is_last: bool) {
        let now = self.clock.now();
        let slot = self.uet_sender(packet.source, packet.destination, packet.kind.class);
        let ordered = self.shared.is_ordered(packet.kind.class, packet.source, packet.destination);
        let paths = self.shared.entropy_paths(packet.kind.class);
        let Some(uet) = &mut self.nic.uet else { return };
        let sender = &mut uet.senders.flows[slot];
        let number = sender.next;
        sender.next += 1;
        sender.waiting = sender.waiting.saturating_sub(u64::from(packet.wire_bytes));
        sender.leaves(packet.wire_bytes.into());
        let entropy = if ordered {
            // Its packets take one path.
            sender.entropy.of_flow(&self.shared.config.laws.uet)
        } else {
            sender.entropy.next(&self.shared.config.laws.uet, |value| paths.is_shortest(value))
        };
        sender.sent.push_back(SentPacket {
            sent: now,
            message: packet.part.message,
            place,
            wire_bytes: packet.wire_bytes,
            payload_bytes: packet.payload_bytes,
            entropy,
            state: SentState::InFlight,
            tries: 0,
        });
        sender.told = sender.wanted().max(sender.told);
        (packet.part.number, packet.part.order, packet.kind.entropy) = (number, place, entropy);
        // Behind it the sender waits: for room in its window, for credit, or for another message.
        let asks = is_last || !sender.admits(self.shared.uet_packet_bytes(packet.source));
        if asks {
            sender.asked = sender.next;
        }
        let context = sender.context;
        packet.part.uet = UetHead { wanted: sender.told, cleared: sender.base, context, asks, trimmed: false, is_last };
        self.uet_time(slot);
    }

    /// Starts the timer of a context's packets, unless it runs.
    fn uet_time(&mut self, slot: u32) {
        let Some(uet) = &mut self.nic.uet else { return };
        let sender = &mut uet.senders.flows[slot];
        if std::mem::replace(&mut sender.is_timed, true) {
            return;
        }
        let endpoint = sender.source;
        let time = self.clock.now() + self.shared.uet_timeout(endpoint, sender.class);
        uet.nics[(endpoint - self.layout.endpoint_base) as usize].timers.insert((time, slot));
        self.uet_schedule(endpoint);
    }

    /// Schedules the first timer of a NIC.
    pub fn uet_schedule(&mut self, endpoint: u32) {
        let nic_slot = self.nic_slot(endpoint);
        let Some(uet) = &mut self.nic.uet else { return };
        let nic = &mut uet.nics[nic_slot];
        let Some(&(time, _)) = nic.timers.first() else { return };
        if nic.timer_at.is_none_or(|scheduled| time < scheduled) {
            nic.timer_at = Some(time);
            let key = self.shared.places.targets.retry_timer(time, endpoint);
            self.sched.calendar.push(key, Event::RetryTimer { endpoint });
        }
    }

    /// A NIC tells another one's transport something.
    pub fn uet_tell(&mut self, (from, to, class): (u32, u32, u8), job: JobId, content: ResponseContent) {
        let class = self.class_of_responses(ClassId(class)).0;
        self.respond((from, to, class), (PacketPurpose::Put, job), content, self.clock.now());
    }

    /// A packet has reached its NIC: whether to take it.
    #[inline(never)]
    pub fn uet_accept(&mut self, packet: &Packet) -> bool {
        // Its context is that of the class in which it was sent.
        let (class, number) = (packet.kind.sent_class, packet.part.number);
        let slot = self.uet_receiver(packet.source, packet.destination, class);
        let ordered = self.shared.is_ordered(class, packet.source, packet.destination);
        let ack_bytes = self.shared.config.laws.uet.ack_bytes;
        let Some(uet) = &mut self.nic.uet else { return true };
        let receiver = &mut uet.receivers.flows[slot];
        receiver.job = packet.part.job;
        receiver.sender_context = packet.part.uet.context;
        receiver.clear(packet.part.uet.cleared);
        let is_next = number == receiver.expected && !packet.part.uet.trimmed;
        if ordered && number >= receiver.expected && !is_next {
            self.nic.retry_totals.out_of_sequence += 1;
            let wanted = receiver.expected;
            if !std::mem::replace(&mut receiver.has_refused, true) {
                let (from, to) = (packet.destination, packet.source);
                self.uet_tell((from, to, class), packet.part.job, ResponseContent::Refused { wanted, class });
            }
            return false;
        }
        if packet.part.uet.trimmed && !receiver.has(number) {
            let (from, to) = (packet.destination, packet.source);
            self.uet_tell((from, to, class), packet.part.job, ResponseContent::Trimmed { number, class });
            if packet.part.uet.asks {
                self.uet_probed(from, to, class, number);
            }
            self.uet_wants(slot, packet.part.uet.wanted);
            return false;
        }
        receiver.has_refused = false;
        let is_new = receiver.takes(number);
        receiver.received += u64::from(packet.wire_bytes);
        receiver.pending.push(number);
        receiver.pending_bytes += u32::from(packet.wire_bytes);
        // A request for data is answered with the data, and data is an answer itself.
        receiver.owes_response |= packet.part.uet.is_last && packet.kind.purpose.gets_response();
        if packet.part.uet.asks {
            receiver.ask(number);
        }
        let has_all = receiver.has_all_that_asked();
        // The response to a message rides on the acknowledgement that completes it.
        let responds = has_all && std::mem::take(&mut receiver.owes_response);
        let is_due = receiver.pending_bytes >= ack_bytes || number < receiver.probed || has_all;
        if packet.kind.marked || packet.part.uet.asks || !is_new || is_due {
            self.uet_acknowledge(slot, number, (packet.kind.marked, responds));
        }
        self.uet_wants(slot, packet.part.uet.wanted);
        if !is_new {
            if packet.kind.purpose.is_idempotent() {
                self.nic.retry_totals.repeated += 1;
            } else {
                self.nic.retry_totals.suppressed += 1;
            }
        }
        is_new
    }

    /// Acknowledges what has arrived of a context: first the packet that has just come.
    fn uet_acknowledge(&mut self, slot: u32, number: u32, (marked, responds): (bool, bool)) {
        let mut next = (number, marked, responds);
        let penalty = self.uet_penalty(slot);
        loop {
            let Some(uet) = &mut self.nic.uet else { return };
            let receiver = &mut uet.receivers.flows[slot];
            receiver.pending_bytes = 0;
            let others = receiver.acknowledge(next.0);
            let (ends, job) = ((receiver.destination, receiver.source, receiver.class), receiver.job);
            let rest = receiver.pending.iter().copied().max();
            let ((number, marked, responds), class) = (next, ends.2);
            let content = ResponseContent::Received { number, others, class, marked, responds, penalty };
            self.uet_tell(ends, job, content);
            match rest {
                Some(number) => next = (number, false, false),
                None => return,
            }
        }
    }

    /// An acknowledgement has come: of packet `number`, and of those before it that `others` names,
    /// one bit each from that packet on.
    pub fn uet_received(&mut self, endpoint: u32, peer: u32, class: u8, told: (u32, u32, bool), penalty: u8) {
        let ((number, others, marked), now, is_observed) = (told, self.clock.now(), self.is_observed());
        let paths = self.shared.entropy_paths(class);
        let is_shortest = |value| paths.is_shortest(value);
        let Some(uet) = &mut self.nic.uet else { return };
        let Some(slot) = uet.senders.find(endpoint, peer, class) else { return };
        let sender = &mut uet.senders.flows[slot];
        sender.unheard = 0;
        let (mut bytes, mut round_trip, mut messages) = (0, None, [(0_u32, 0_u32); 32]);
        let mut count = 0;
        for before in (0..u32::BITS).filter(|bit| others >> bit & 1 == 1) {
            let Some(number) = number.checked_sub(before) else { continue };
            let Some(index) = sender.of(number) else { continue };
            let packet = sender.sent[index];
            if before == 0 {
                round_trip = (packet.tries == 0).then(|| now - packet.sent);
                sender.entropy.returned(
                    &self.shared.config.laws.uet,
                    (packet.entropy, marked, round_trip),
                    is_shortest,
                );
            }
            if !sender.end(index) {
                continue;
            }
            if is_observed {
                let key = SentKey { source: endpoint, destination: peer, class, number };
                self.record.observer.acknowledged(key);
            }
            bytes += u32::from(packet.wire_bytes);
            match messages[..count].iter_mut().find(|(message, _)| *message == packet.message) {
                Some((_, packets)) => *packets += 1,
                None => {
                    messages[count] = (packet.message, 1);
                    count += 1;
                }
            }
        }
        sender.advance();
        if let (Some(window), UetLaw::Nscc(law)) = (&mut sender.window, &self.shared.traits.uet.law) {
            window.penalised(penalty);
            window.acknowledged(law, AckNews { bytes, round_trip, marked }, sender.in_flight, now);
        }
        for (message, packets) in messages.into_iter().take(count) {
            self.uet_answered(endpoint, message, packets);
        }
        self.wake_end(self.nic_end(endpoint));
    }

    /// Packets of a message have arrived. If all have, the issuer's operation may end.
    fn uet_answered(&mut self, endpoint: u32, message: u32, packets: u32) {
        let key = foreign_key(endpoint, message);
        let Some(uet) = &mut self.nic.uet else { return };
        let Some(slot) = uet.kept.find(key) else { return };
        let kept = &mut uet.kept[slot];
        kept.open = kept.open.saturating_sub(packets.into());
        if kept.open > 0 {
            return;
        }
        let header = kept.header;
        uet.kept.remove(key);
        if header.purpose.ends_when_answered() {
            let ends = self.clock.now() + self.shared.protocol(endpoint).answered();
            self.finish_operation(header.source_rank, header.issuer_handle, ends);
        }
    }

    /// The target refuses packets until it gets `wanted`: goes back to that one.
    pub fn uet_refused(&mut self, endpoint: u32, peer: u32, class: u8, wanted: u32) {
        let nic_slot = self.nic_slot(endpoint);
        let Some(uet) = &mut self.nic.uet else { return };
        let Some(slot) = uet.senders.find(endpoint, peer, class) else { return };
        let sender = &mut uet.senders.flows[slot];
        for number in wanted.max(sender.base)..sender.next {
            let Some(index) = sender.of(number) else { continue };
            if sender.sent[index].state == SentState::InFlight {
                sender.lose(index);
                uet.nics[nic_slot].again.push_back((slot, number));
            }
        }
        self.wake_end(self.nic_end(endpoint));
    }

    /// A sender without a window wants to know what has arrived: says what has, and of the others
    /// when they come.
    pub fn uet_probed(&mut self, endpoint: u32, peer: u32, class: u8, number: u32) {
        let slot = self.uet_receiver(peer, endpoint, class);
        let Some(uet) = &mut self.nic.uet else { return };
        let receiver = &mut uet.receivers.flows[slot];
        receiver.probed = receiver.probed.max(number + 1);
        if let Some(last) = receiver.pending.iter().copied().max() {
            self.uet_acknowledge(slot, last, (false, false));
        }
    }

    /// A switch has trimmed a packet: sends it again, on another path if there are several.
    pub fn uet_trimmed(&mut self, endpoint: u32, peer: u32, class: u8, number: u32) {
        let (now, nic_slot) = (self.clock.now(), self.nic_slot(endpoint));
        let Some(uet) = &mut self.nic.uet else { return };
        let Some(slot) = uet.senders.find(endpoint, peer, class) else { return };
        let sender = &mut uet.senders.flows[slot];
        sender.unheard = 0;
        let Some(index) = sender.of(number) else { return };
        if sender.sent[index].state != SentState::InFlight {
            return;
        }
        sender.lose(index);
        sender.learn_of_loss(index, &self.shared, now);
        uet.nics[nic_slot].again.push_back((slot, number));
        self.wake_end(self.nic_end(endpoint));
    }

    /// Timers of a NIC have run out.
    pub fn uet_timer(&mut self, endpoint: u32) {
        let (now, nic_slot) = (self.clock.now(), self.nic_slot(endpoint));
        {
            let Some(uet) = &mut self.nic.uet else { return };
            if uet.nics[nic_slot].timer_at != Some(now) {
                return; // An earlier one replaced it.
            }
            uet.nics[nic_slot].timer_at = None;
        }
        loop {
            let Some(uet) = &mut self.nic.uet else { return };
            let timers = &mut uet.nics[nic_slot].timers;
            match timers.first() {
                Some((time, _)) if *time <= now => {}
                _ => break,
            }
            match timers.pop_first() {
                Some((_, CREDITS)) => self.uet_give_credit(endpoint),
                Some((_, slot)) => self.uet_overdue(endpoint, slot),
                None => break,
            }
        }
        self.uet_schedule(endpoint);
        if self.nic.uet.as_ref().is_some_and(|uet| uet.has_to_resend(nic_slot)) {
            self.wake_end(self.nic_end(endpoint));
        }
    }

    /// Packets of a context may be overdue.
    fn uet_overdue(&mut self, endpoint: u32, slot: u32) {
        let (now, nic_slot) = (self.clock.now(), self.nic_slot(endpoint));
        let most = self.shared.config.laws.uet.retries_max;
        let Some(uet) = &mut self.nic.uet else { return };
        let sender = &mut uet.senders.flows[slot];
        let timeout = self.shared.uet_timeout(endpoint, sender.class);
        let (mut failed, mut has_lost) = (Vec::new(), false);
        for index in 0..sender.sent.len() {
            if sender.sent[index].state != SentState::InFlight || sender.sent[index].sent + timeout > now {
                continue;
            }
            has_lost = true;
            self.nic.retry_totals.timeouts += 1;
            sender.lose(index);
            let packet = &mut sender.sent[index];
            if packet.tries >= most {
                failed.push(packet.message);
                continue;
            }
            packet.tries += 1;
            let number = sender.base + index as u32;
            sender.learn_of_loss(index, &self.shared, now);
            uet.nics[nic_slot].again.push_back((slot, number));
        }
        let in_flight = sender.sent.iter().filter(|packet| packet.state == SentState::InFlight);
        let oldest = in_flight.map(|packet| packet.sent).min();
        let asks_again = oldest.is_none() && sender.lacks_credit();
        let (destination, class) = (sender.destination, sender.class);
        // A window may let only one of many lost packets go: its receiver is silent, and not each
        // packet that often lost.
        let is_silent = (has_lost || asks_again) && sender.is_silent(now, timeout, most);
        if asks_again {
            sender.told = 0;
        }
        match oldest {
            Some(oldest) => {
                uet.nics[nic_slot].timers.insert((oldest + timeout, slot));
            }
            None if asks_again => {
                uet.nics[nic_slot].timers.insert((now + timeout, slot));
            }
            None => sender.is_timed = false,
        }
        if is_silent {
            let kept = uet.kept.used().filter(|(_, kept)| kept.is_of(endpoint, destination, class));
            failed.extend(kept.map(|(_, kept)| kept.number));
        } else if asks_again {
            self.wake_nic(endpoint, now.max(self.nic.nics[nic_slot].output.free_at));
        }
        failed.sort_unstable();
        failed.dedup();
        for message in failed {
            self.uet_give_up(endpoint, message);
        }
    }

    /// The next packet to be sent again, if its class is not paused and its law lets it go. It
    /// stays in the queue.
    #[inline(never)]
    pub fn uet_next_again(&mut self, endpoint: u32) -> Option<Packet> {
        let nic_slot = self.nic_slot(endpoint);
        let turns = self.nic.uet.as_ref()?.nics[nic_slot].again.len();
        for _ in 0..turns {
            let uet = self.nic.uet.as_mut()?;
            let &(slot, number) = uet.nics[nic_slot].again.front()?;
            let sender = &uet.senders.flows[slot];
            let lost = sender.of(number).map(|index| sender.sent[index]).filter(|sent| sent.state == SentState::Lost);
            let Some(sent) = lost else {
                uet.nics[nic_slot].again.pop_front();
                continue;
            };
            let (destination, class) = (sender.destination, sender.class);
            let (wanted, cleared, context) = (sender.wanted(), sender.base, sender.context);
            let kept = uet.kept.find(foreign_key(endpoint, sent.message)).map(|slot| uet.kept[slot]);
            let Some(KeptMessage { header, .. }) = kept else {
                // Its message is deferred: the packet ends.
                uet.nics[nic_slot].again.pop_front();
                let sender = &mut uet.senders.flows[slot];
                if let Some(index) = sender.of(number) {
                    sender.end(index);
                }
                sender.advance();
                continue;
            };
            let packets = packet_count(self.shared.form(endpoint, destination), Bytes(header.bytes));
            let is_last = u64::from(sent.place) + 1 == packets;
            let head = UetHead { wanted, cleared, context, asks: true, trimmed: false, is_last };
            let is_paused = self.nic.nics[nic_slot].is_paused(class);
            if is_paused || !self.uet_may_send(slot, sent.wire_bytes.into(), header.job) {
                let again = &mut self.nic.uet.as_mut()?.nics[nic_slot].again;
                again.rotate_left(1);
                continue;
            }
            let ordered = self.shared.is_ordered(class, endpoint, destination);
            let sender = &mut self.nic.uet.as_mut()?.senders.flows[slot];
            let parameters = &self.shared.config.laws.uet;
            let paths = self.shared.entropy_paths(class);
            let entropy = if ordered {
                sender.entropy.of_flow(parameters)
            } else {
                sender.entropy.next(parameters, |value| paths.is_shortest(value))
            };
            let part = MessagePart {
                injected: self.clock.now(),
                message: sent.message,
                number,
                order: sent.place,
                job: header.job,
                foreign: true,
                opens: false,
                uet: head,
            };
            let kind = PacketKind { class, sent_class: class, purpose: header.purpose, marked: false, entropy };
            let (port, channel) =
                (self.nic.nics[nic_slot].wire().peer, self.shared.classes.plan.channel(header.class.0, 0));
            let size = (u32::from(sent.wire_bytes), u32::from(sent.payload_bytes));
            let packet = Packet::leaving((endpoint, destination), (port, channel), size, kind, part);
            return Some(packet);
        }
        None
    }

    /// The packet that [`uet_next_again`](Self::uet_next_again) returned is on the wire.
    pub fn uet_note_again(&mut self, endpoint: u32, entropy: u16) {
        let (now, nic_slot) = (self.clock.now(), self.nic_slot(endpoint));
        let Some(uet) = &mut self.nic.uet else { return };
        let Some((slot, number)) = uet.nics[nic_slot].again.pop_front() else { return };
        let sender = &mut uet.senders.flows[slot];
        let Some(index) = sender.of(number) else { return };
        let packet = &mut sender.sent[index];
        (packet.state, packet.sent, packet.entropy) = (SentState::InFlight, now, entropy);
        sender.lost -= u64::from(packet.wire_bytes);
        // What it takes is not known, because two of it may be in flight.
        packet.tries = packet.tries.max(1);
        let bytes = packet.wire_bytes;
        sender.leaves(bytes.into());
        sender.told = sender.wanted().max(sender.told);
        self.nic.retry_totals.retries += 1;
        self.uet_time(slot);
    }

    /// Gives up a message.
    fn uet_give_up(&mut self, endpoint: u32, message: u32) {
        let key = foreign_key(endpoint, message);
        let Some(uet) = &mut self.nic.uet else { return };
        let Some(kept) = uet.kept.find(key).map(|slot| uet.kept[slot]) else { return };
        uet.kept.remove(key);
        let (class, unsent) = (kept.header.class, self.uet_unsent_bytes(endpoint, message).unwrap_or(0));
        let Some(uet) = &mut self.nic.uet else { return };
        if let Some(slot) = uet.senders.find(endpoint, kept.destination, class.0) {
            let sender = &mut uet.senders.flows[slot];
            for index in 0..sender.sent.len() {
                if sender.sent[index].message == message {
                    sender.end(index);
                }
            }
            sender.waiting = sender.waiting.saturating_sub(unsent);
            sender.advance();
        }
        let was_sent = !self.stop_sending(endpoint, message);
        self.fail((endpoint, message), kept.header, was_sent);
    }

    /// Gives up all messages of which a packet is not acknowledged.
    pub fn uet_give_up_all(&mut self, endpoint: u32) {
        let Some(uet) = &self.nic.uet else { return };
        let mut messages: Vec<u32> = uet
            .senders
            .flows
            .used()
            .filter(|(_, sender)| sender.source == endpoint)
            .flat_map(|(_, sender)| sender.sent.iter().map(|packet| packet.message))
            .filter(|message| uet.kept.find(foreign_key(endpoint, *message)).is_some())
            .collect();
        messages.sort_unstable();
        messages.dedup();
        for message in messages {
            self.uet_give_up(endpoint, message);
        }
    }
}
