//! The event loop of a partition: takes the events of a window in order and dispatches them.

use philae_engine::EventKey;
use philae_units::Picoseconds;

use crate::model::event::Event;
use crate::model::output::NO_TIME;
use crate::partition::Partition;

impl Partition {
    /// Handles every event before `end`.
    pub fn run_until(&mut self, end: Picoseconds) {
        self.clock.window_end = end.0;
        // With a single partition, the window begins with one of its events: no need to ask.
        if self.sched.outbox.len() > 1 && self.sched.calendar.next_time().is_none_or(|next| next >= end) {
            return;
        }
        self.record.recorder.rows.congestion_counts.begin_window();
        let mut prefetch_queue = self.sched.prefetch_queue.take().unwrap_or_default();
        for block in 0..self.sched.calendar.begin_window(self.clock.events, end) {
            if self.sched.calendar.begin(block) {
                prefetch_queue.begin();
                self.select(block);
            }
            self.clock.begin_turn();
            loop {
                let limit =
                    end.min(Picoseconds(self.sched.returning.earliest().min(self.sched.deferred.unseen_until())));
                if !self.sched.calendar.take_current(limit) {
                    if self.sched.deferred.any() {
                        self.flush_all();
                        continue;
                    }
                    if !self.sched.calendar.take_before(limit) {
                        if self.sched.returning.earliest() == NO_TIME {
                            break;
                        }
                        self.return_all();
                        continue;
                    }
                }
                if prefetch_queue.is_due(self.sched.calendar.calendar()) {
                    self.prefetch_next_events(&mut prefetch_queue);
                }
                self.clock.events += 1;
                self.handle_taken();
            }
            self.post_leaving();
            self.clock.end_turn();
        }
        self.sched.prefetch_queue = Some(prefetch_queue);
    }

    /// Selects a block's region: slots are taken from it until the next call.
    fn select(&mut self, block: usize) {
        self.transit.packets.select(block);
        self.switch.voqs.select(block);
        self.switch.fair_queues.select(block);
        self.edge.flows.flows.select(block);
        self.nic.outgoing.select(block);
        self.nic.incoming.select(block);
    }

    /// Dispatches the event just taken. Each handler is a function of its own: this is a jump, and
    /// saves only the registers that one event needs.
    ///
    /// An event that touches a switch first makes the requests that were deferred there (`flush`).
    /// The model's handlers rely on that and know nothing of it.
    #[inline(always)]
    pub fn handle_taken(&mut self) {
        let (key, ref event) = *self.sched.calendar.taken();
        self.clock.advance(key);
        let mut count = || self.clock.digest.add(key);
        match *event {
            // Arbitrations are consequences: their number depends on how credits are looked up.
            // Their effect shows in the arrivals that follow, so the digest leaves them out.
            Event::Arbitrate { port, port_slot } => {
                self.flush(port);
                self.arbitrate((port_slot as usize, port), key.time.0);
            }
            Event::Inject { endpoint } => {
                self.flush(self.nic.nics[self.nic_slot(endpoint)].wire().peer);
                self.inject(endpoint);
            }
            Event::Release { flow } => {
                self.flush(self.edge.flows.flows[flow].port);
                self.release(flow);
            }
            Event::Request { packet, port } => {
                self.flush(port);
                self.request(packet, (self.port_slot(port), port), key.time.0);
            }
            Event::Arrive { packet, port, port_slot } => {
                count();
                self.flush(port);
                self.arrive(packet, (port_slot as usize, port));
            }
            Event::Enter { packet, port, port_slot } => {
                count();
                self.flush(port);
                self.arrive_from_nic(packet, (port_slot as usize, port));
            }
            Event::Cross { packet, port, port_slot } => {
                count();
                self.flush(port);
                self.cross(packet, (port_slot as usize, port));
            }
            Event::Deliver { packet } => {
                count();
                self.deliver(packet);
            }
            Event::Ack { flow, bytes, queue } => {
                count();
                self.flush(self.edge.flows.flows[flow].port);
                self.acknowledged(flow, bytes, queue);
            }
            Event::Ready { message } => {
                count();
                self.ready(message);
            }
            Event::Complete { message } => {
                count();
                self.complete(message);
            }
            Event::Run { rank, handle } => {
                count();
                self.run_rank(rank, handle);
            }
            event => self.handle_rare(key, event),
        }
    }

    /// Handles an event that is rare, or belongs to runs in which something may fail. It is
    /// separate so that the code of the frequent events stays small.
    #[cold]
    #[inline(never)]
    fn handle_rare(&mut self, key: EventKey, event: Event) {
        match event {
            Event::Notice { source, destination, queue, class } => self.noticed(source, destination, queue, class),
            Event::PauseNic { endpoint, class, on } => self.pause_nic(endpoint, class, on),
            Event::PauseLink { port, channel, on } => {
                self.flush(port);
                self.pause_link(port, channel, on);
            }
            Event::NicDrained { endpoint } => return self.nic_drained(endpoint),
            Event::BadFrame { end, frame } => self.bad_frame(end, frame),
            Event::LinkAnswer { end, frame, nack } => self.link_answer(end, frame, nack),
            Event::LinkTimer { end } => return self.link_timer(end),
            Event::Replay { end } => self.replay(end),
            Event::PeerDown { end } => self.end_down(end, philae_results::fault::DiscardCause::LinkDown),
            Event::Fault => return self.handle_in_every_partition(Self::apply_due_faults),
            Event::Tables { port, down } => {
                return self.handle_in_every_partition(|partition| partition.tables_notified(port, down));
            }
            Event::PauseGuard { port } => self.pause_guard(port),
            Event::NicAck { endpoint, number } => self.nic_ack(endpoint, number),
            Event::NicNack { endpoint, destination, wanted, class } => {
                self.nic_nack(endpoint, destination, wanted, class);
            }
            Event::RetryTimer { endpoint } => return self.retry_timer(endpoint),
            Event::ResendRefused { slot } => self.resend_refused(slot),
            Event::Collective { endpoint, todo } => self.collective(endpoint, todo),
            Event::Tcp { end, step } => self.tcp(end, step),
            Event::EngineTimer { port, tree, reduction } => {
                self.engine_timer(port, philae_switch::reduction::ReductionKey { tree, reduction });
            }
            Event::Lost { rank, slot } => self.learned_of_loss(rank, slot),
            Event::NicGivesUp { endpoint } => self.nic_gives_up(endpoint),
            Event::Arbitrate { .. }
            | Event::Inject { .. }
            | Event::Release { .. }
            | Event::Request { .. }
            | Event::Arrive { .. }
            | Event::Enter { .. }
            | Event::Cross { .. }
            | Event::Deliver { .. }
            | Event::Ack { .. }
            | Event::Ready { .. }
            | Event::Complete { .. }
            | Event::Run { .. } => unreachable!("`handle_taken` takes these itself"),
        }
        self.clock.digest.add(key);
    }

    /// Handles an event that every partition has. It is not counted, so that the number of
    /// partitions does not show.
    fn handle_in_every_partition(&mut self, handler: impl FnOnce(&mut Self)) {
        self.clock.events -= 1;
        handler(self);
    }
}
