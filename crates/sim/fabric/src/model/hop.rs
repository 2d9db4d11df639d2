//! A packet crosses a switch: arrival, route, request, grant, departure, credit.

use philae_congestion::EcnMarker;
use philae_engine::RandomStream;
use philae_nic_model::EdgeHold;
use philae_path::{Hop, RouteRequest, RouteState};
use philae_results::explain::TimePart;
use philae_results::fault::DiscardCause;
use philae_switch::port::{CreditReturn, buffer_admits, buffer_release, buffer_take};
use philae_topology::PortRole;
use philae_units::{EndpointId, PortIndex};

use crate::memory::slab::NO_INDEX;
use crate::model::class::Granted;
use crate::model::event::{Event, FlowNews};
use crate::model::health::SwitchView;
use crate::model::load_view::LoadView;
use crate::model::output::{FarEnd, NO_TIME, PortWire};
use crate::model::packet::{FlowEnds, FlowReceipt, PacketPurpose};
use crate::model::shared::{Shared, slingshot, switch_of};
use crate::partition::Partition;

/// Stands for no port: a packet may leave by every port.
const NO_PORT: PortIndex = PortIndex(u32::MAX);

/// Chooses the next hop where links may be out of order. It uses links that work, and if those
/// leave no path, also links that wait for their lanes. If even those leave none, the packet may
/// turn back over the link by which it came, except where links are paused: there, buffers have
/// headroom only for packets that go on.
#[inline(never)]
pub fn next_hop_among_faults(
    shared: &Shared,
    request: RouteRequest,
    input: u32,
    route: &mut RouteState,
    mut view: SwitchView<'_>,
    random: &mut RandomStream,
) -> Option<Hop> {
    let role = shared.topology().port(PortIndex(input)).role;
    let request = RouteRequest { fresh: role != PortRole::Local, ..request };
    let before = *route;
    shared.router.route(request, route, &view, random).or_else(|| {
        (view.accepts_waiting_links, *route) = (true, before);
        shared.router.route(request, route, &view, random).or_else(|| {
            *route = before;
            let turns_back = RouteRequest { input: NO_PORT, ..request };
            let may_turn_back = !shared.config.congestion.pauses_links();
            may_turn_back.then(|| shared.router.route(turns_back, route, &view, random))?
        })
    })
}

impl Partition {
    /// The header of a packet from another switch has been parsed at input port `port`.
    #[inline(never)]
    pub fn arrive(&mut self, packet: u32, (port_slot, port): (usize, u32)) {
        if self.has_link_layer() && !self.accept(packet, port) {
            return;
        }
        let packet_state = &self.transit.packets[packet];
        let (wire_bytes, channel) = (u32::from(packet_state.wire_bytes), packet_state.place.input_channel);
        let is_collective = self.has_trees() && packet_state.kind.purpose == PacketPurpose::Collective;
        let wire = &mut self.switch.wires[port_slot];
        if !is_collective {
            // The acknowledgement of this arrival goes back on the output of the same port.
            wire.add_ack(self.clock.now(), self.shared.config.switch.ack_overhead_bytes);
        }
        self.switch.buffered[wire.switch as usize].take(wire_bytes);
        if self.is_observed() {
            self.observe_arrived(packet, port);
        }
        if is_collective {
            return self.tree_arrived(packet, port);
        }
        if self.pauses() {
            self.link_filled(port, channel, wire_bytes);
        }
        self.forward(packet, port, None, true);
    }

    /// The header of a packet from its NIC has been parsed at input port `port`.
    #[inline(never)]
    pub fn arrive_from_nic(&mut self, packet: u32, (port_slot, port): (usize, u32)) {
        if self.has_link_layer() && !self.accept(packet, port) {
            return;
        }
        let packet_state = &self.transit.packets[packet];
        let (wire_bytes, class, purpose) =
            (u32::from(packet_state.wire_bytes), packet_state.kind.class, packet_state.kind.purpose);
        let (switch, input) = (self.switch_slot(port_slot), self.edge_class_slot(port_slot, class));
        self.switch.buffered[switch].take(wire_bytes);
        self.edge.edge_buffers[input].used_bytes += wire_bytes;
        if self.is_observed() {
            self.observe_arrived(packet, port);
        }
        if self.has_trees() && purpose == PacketPurpose::Collective {
            return self.tree_arrived(packet, port);
        }
        self.enter(packet, (port_slot, port));
    }

    /// A packet from another block arrives. It moves to the slots of the active block.
    ///
    /// The move happens here and not at departure, because there the packet's parts have just been
    /// written, and reading it as a whole would stall until the stores are done.
    #[inline(never)]
    pub fn cross(&mut self, packet: u32, (port_slot, port): (usize, u32)) {
        let block = self.sched.calendar.block_of_port(self.switch.wires[port_slot].peer);
        let moved = self.transit.packets.insert(self.transit.packets[packet]);
        self.transit.packets.remove_of(block, packet);
        self.transit.links.cover(moved);
        if self.is_observed() {
            let tag = self.record.observer.take(packet);
            self.record.observer.put(moved, tag);
        }
        self.arrive(moved, (port_slot, port));
    }

    /// Chooses the route of a packet that is in the switch of `input`, and requests the output.
    /// `path` is the port of an ordered flow whose path is set. `is_last`: the event that is being
    /// handled forwards no other packet at this switch.
    #[inline]
    pub fn forward(&mut self, packet: u32, input: u32, path: Option<PortIndex>, is_last: bool) {
        debug_assert!(!self.has_deferred_at(input), "the dispatcher has made the requests of this switch");
        let held = &self.transit.packets[packet];
        let mut route = held.route;
        let hop = match path {
            Some(port) => {
                let is_last = port.0 == self.edge_port(held.destination);
                Some(Hop { port, leg: self.shared.router.first_leg(&route), is_last })
            }
            None => {
                let (flow, source) = (held.flow_ends(), (held.hops == 0, held.kind.entropy));
                self.next_hop(flow, input, &mut route, source)
            }
        };
        let Some(hop) = hop else { return self.discard(packet, DiscardCause::NoRoute) };
        let packet_state = &mut self.transit.packets[packet];
        packet_state.route = route;
        packet_state.hops += 1;
        // A request may be deferred only if its effects take a link to get anywhere. News for the
        // ingress of a flow takes none if that ingress is in this switch. And the next packet that
        // the same event forwards here must find the request made.
        let may_wait = is_last && (!hop.is_last || packet_state.hops > 1);
        packet_state.place.channel = self.shared.classes.plan.channel(packet_state.kind.class, hop.leg);
        let (channel, port) = (packet_state.place.channel, hop.port.0);
        let port_slot = self.port_slot(port);
        if self.sched.prefetches_all_steps {
            self.prefetch_output(port_slot, channel);
        }
        // A packet from a slow link waits until a faster output would not run dry before the tail
        // is in.
        let ready = if self.shared.traits.has_equal_rates { 0 } else { self.ready_for(packet, port) };
        if ready > self.clock.now() {
            if self.is_observed() {
                self.explain_tail(packet);
            }
            let key = self.shared.places.targets.request(ready, &self.transit.packets[packet]);
            self.sched.calendar.push(key, Event::Request { packet, port });
        } else if self.sched.may_defer && may_wait && !self.is_observed() {
            self.defer(packet, (port_slot, port, channel), input);
        } else {
            self.request(packet, (port_slot, port), self.clock.now());
        }
    }

    /// When enough of a packet has arrived that its output, sending from then on, does not run dry
    /// before the tail is in.
    fn ready_for(&self, packet: u32, port: u32) -> u64 {
        let packet_state = &self.transit.packets[packet];
        packet_state
            .tail
            .saturating_sub(self.switch.wires[self.port_slot(port)].serialization(u32::from(packet_state.wire_bytes)))
    }

    /// Asks the router for the next hop of a packet of `flow` that is in the switch of `input`.
    /// `None` where links are down and no path is left.
    #[inline(always)]
    pub fn next_hop(
        &mut self,
        flow: FlowEnds,
        input: u32,
        route: &mut RouteState,
        (source, entropy): (bool, u16),
    ) -> Option<Hop> {
        let switch = switch_of(&self.shared, input);
        let FlowEnds { source: from, destination, class } = flow;
        let rule = self.shared.classes.rules[usize::from(class)];
        if self.layout.chooses_by_entropy {
            return self.next_hop_by_entropy(flow, input, route, (source, entropy));
        }
        let ordered = !source && self.shared.is_ordered(class, from, destination);
        let request = RouteRequest {
            switch,
            destination: EndpointId(destination),
            source,
            ordered: ordered.then(|| from.wrapping_mul(0x85eb_ca6b) ^ destination),
            nonminimal_bias_percent: rule.nonminimal_bias_percent,
            shortest: true,
            fresh: false,
            input: PortIndex(input),
        };
        let own = (switch.0 - self.layout.switch_base) as usize;
        let (loads, mut random, mut next_route) = (self.load_view(), self.switch.route_random[own].clone(), *route);
        let hop = if self.has_link_layer() {
            let view = SwitchView { loads, health: &self.fault.health, switch: own, accepts_waiting_links: false };
            next_hop_among_faults(&self.shared, request, input, &mut next_route, view, &mut random)
        } else {
            let hop = self.shared.router.route(request, &mut next_route, &loads, &mut random);
            if loads.has_read_deferred() {
                return self.next_hop_after_flush(request, route, own);
            }
            hop
        };
        (*route, self.switch.route_random[own]) = (next_route, random);
        hop
    }

    /// The loads of outputs as they are now.
    #[inline]
    pub fn load_view(&self) -> LoadView<'_> {
        let age = u64::from(self.shared.config.switch.load_age_ns) * 1_000;
        LoadView::new(&self.switch.loads, &self.layout.slots, (self.clock.now(), age), self.sched.deferred.ports())
    }

    /// Decides again after all deferred requests have been made, because the first decision read
    /// the load of an output that one of them changes.
    #[cold]
    #[inline(never)]
    fn next_hop_after_flush(&mut self, request: RouteRequest, route: &mut RouteState, own: usize) -> Option<Hop> {
        self.flush_all();
        let mut random = self.switch.route_random[own].clone();
        let hop = self.shared.router.route(request, route, &self.load_view(), &mut random);
        self.switch.route_random[own] = random;
        hop
    }

    /// Requests output `port` for a packet. The packet waits in its flow's queue or in the
    /// output's, or leaves immediately if nothing is in its way.
    #[inline(never)]
    pub fn request(&mut self, packet: u32, (port_slot, port): (usize, u32), now: u64) {
        let far_end = self.switch.wires[port_slot].far_end;
        if self.has_link_layer() {
            if self.fault.ends[port_slot].is_down() {
                return self.discard(packet, DiscardCause::LinkDown);
            }
            if self.fault.ends[port_slot].guarded {
                return self.discard(packet, DiscardCause::PauseGuard);
            }
        }
        if self.has_overlay() && far_end == FarEnd::Nic && !self.passes_egress(packet) {
            return;
        }
        if self.is_observed() {
            self.observe_requested(packet, port);
        }
        self.mark(packet, port_slot, now);
        if far_end == FarEnd::Switch {
            if self.switch.outputs[port_slot].wants_credits() {
                self.collect_credits(port_slot, now);
            }
            if !self.share_taken(packet, (port_slot, port), now) {
                return;
            }
        }
        let packet_state = &self.transit.packets[packet];
        let (channel, class, wire_bytes) =
            (usize::from(packet_state.place.channel), packet_state.kind.class, u32::from(packet_state.wire_bytes));
        let free_at = self.switch.outputs[port_slot].free_at;
        if free_at <= now
            && self.switch.loads[port_slot].queued_bytes == 0
            && self.link_ready(port_slot)
            && !self.is_held_by_nic(port_slot)
            && self.class_may_go(port_slot, class, now)
            && (far_end == FarEnd::Nic || self.find_room(port_slot, channel, wire_bytes, now))
        {
            return self.depart(packet, (port_slot, port), now);
        }
        if self.overflows(port_slot, packet) {
            if self.trims(packet) {
                self.give_share_back(port_slot, packet);
                self.trim(packet, port);
                return self.request(packet, (port_slot, port), now);
            }
            return self.give_share_back_and_discard(packet, port);
        }
        self.queue(packet, (port_slot, port), now);
        if far_end == FarEnd::Nic {
            self.endpoint_onset(packet, port_slot, port, now);
        }
        if free_at <= now {
            self.grant((port_slot, port), now);
        } else {
            self.wake_own((port_slot, port), free_at);
        }
    }

    /// Puts a packet into its virtual output queue. The caller makes sure that the output looks for
    /// a packet.
    pub fn queue(&mut self, packet: u32, (port_slot, port): (usize, u32), now: u64) {
        let packet_state = &mut self.transit.packets[packet];
        packet_state.place.queued_for = port;
        let (channel, class, wire_bytes) =
            (usize::from(packet_state.place.channel), packet_state.kind.class, u32::from(packet_state.wire_bytes));
        self.push_waiting(port_slot, channel, packet);
        let has_lossy_classes = self.has_lossy_classes();
        let (output, load) = (&mut self.switch.outputs[port_slot], &mut self.switch.loads[port_slot]);
        let wire = &self.switch.wires[port_slot];
        self.record.recorder.sample_output((port_slot, port), (&mut *output, wire), load.queued_bytes, now);
        output.requesting |= 1 << channel;
        load.queued_bytes += wire_bytes;
        if has_lossy_classes {
            let class_slot = port_slot * usize::from(self.shared.classes.plan.classes) + usize::from(class);
            self.switch.class_queued[class_slot] += wire_bytes;
        }
        output.sample.queued_max = output.sample.queued_max.max(load.queued_bytes);
        load.publish(now, u64::from(self.shared.config.switch.load_age_ns) * 1_000);
    }

    /// Marks a packet that finds a long queue: under ECN anywhere, under Slingshot inside the
    /// fabric if ordered flows move.
    fn mark(&mut self, packet: u32, port_slot: usize, now: u64) {
        if self.shared.traits.moves_flows {
            return self.mark_inside(packet, port_slot);
        }
        if let Some(thresholds) = self.shared.traits.marks {
            let queued = self.switch.loads[port_slot].queued_bytes;
            if queued > thresholds.min_bytes {
                let switch = self.switch_slot(port_slot);
                let draw = self.switch.switch_random[switch].below(1_000);
                if EcnMarker::marks(thresholds, queued, draw) {
                    self.transit.packets[packet].kind.marked = true;
                    self.record.recorder.marked(now, self.port_in(port_slot), &self.transit.packets[packet], queued);
                }
            }
        }
    }

    /// Handles growth of an edge output's queue: records the onset of endpoint congestion and
    /// notifies the ingress of a free flow.
    #[inline]
    fn endpoint_onset(&mut self, packet: u32, port_slot: usize, port: u32, now: u64) {
        let Some(parameters) = slingshot(&self.shared.config.congestion) else { return };
        if self.switch.loads[port_slot].queued_bytes > parameters.endpoint_threshold_bytes {
            self.endpoint_is_congested(packet, port_slot, port, parameters.early_notice, now);
        }
    }

    /// Handles an edge output whose queue is over the law's threshold.
    #[inline(never)]
    fn endpoint_is_congested(&mut self, packet: u32, port_slot: usize, port: u32, early_notice: bool, now: u64) {
        let queue = self.switch.loads[port_slot].queued_bytes;
        if !self.switch.outputs[port_slot].is_congested() {
            let of_nic = self.nic_slot(self.switch.wires[port_slot].peer);
            self.edge.congested[of_nic].since = now;
            self.switch.outputs[port_slot].set_congested(true);
            self.record.recorder.endpoint_onset(now, port, queue);
        }
        let packet_state = &self.transit.packets[packet];
        if early_notice && packet_state.ingress.free_flow {
            let (ends, sequence, delay) =
                (packet_state.flow_ends(), packet_state.ingress.sequence, u64::from(packet_state.ingress.ack_delay));
            let of_nic = self.nic_slot(self.switch.wires[port_slot].peer);
            self.edge.congested[of_nic].notices += 1;
            self.send_notice(ends, sequence, queue, delay, now);
        }
    }

    /// Sends a congestion notice to the ingress (Slingshot) or the NIC (ECN) of a packet's flow.
    #[inline(never)]
    pub fn send_notice(&mut self, flow: FlowEnds, sequence: u16, queue: u32, delay: u64, now: u64) {
        let FlowEnds { source, destination, class } = flow;
        let key =
            self.shared.places.targets.flow(now + delay, (source, destination, class), FlowNews::Notice, sequence);
        let partition = self.shared.partition_of_endpoint(source);
        self.push_to(partition, key, Event::Notice { source, destination, queue, class });
    }

    /// Takes room for a packet in the buffer of the switch at the far end of an output. Returns
    /// false if there is none.
    ///
    /// Arrived credits are applied only when they decide. Applied late and several at a time, they
    /// find their memory in the cache, and what fits without them also fits with them.
    #[inline(always)]
    fn find_room(&mut self, port_slot: usize, channel: usize, size: u32, now: u64) -> bool {
        let mut are_fresh = self.pauses();
        if are_fresh {
            self.collect_credits(port_slot, now);
        }
        loop {
            if self.take_room(port_slot, channel, size) {
                return true;
            }
            if are_fresh || !self.collect_credits(port_slot, now) {
                return false;
            }
            are_fresh = true;
        }
    }

    /// Takes room if the credits that have been applied leave enough.
    #[inline(always)]
    fn take_room(&mut self, port_slot: usize, channel: usize, size: u32) -> bool {
        let pauses = self.pauses();
        if pauses && self.has_link_layer() && !self.has_room_for_repeats(port_slot, channel, size) {
            return false;
        }
        let plan = &self.shared.classes.plan;
        let state = &mut self.switch.channels[port_slot * plan.count() + channel];
        let (output, reserve) = (&mut self.switch.outputs[port_slot], plan.reserve_bytes[channel]);
        let fits = buffer_admits(state.used_bytes, output.shared_used, reserve, plan.shared_bytes, size);
        if state.paused {
            return false;
        }
        if pauses {
            // A paused link keeps no account; ours shows whether the headroom, which was checked,
            // is enough.
            assert!(
                fits,
                "pauses leave room for what is on its way: {size} bytes found none beyond column {port_slot}"
            );
        }
        if fits {
            (state.used_bytes, output.shared_used) = buffer_take(state.used_bytes, output.shared_used, reserve, size);
        }
        fits
    }

    /// Applies the credits that have arrived. Returns false if there are none.
    pub fn collect_credits(&mut self, port_slot: usize, now: u64) -> bool {
        let mut any = false;
        if self.transit.shares.are_beyond(port_slot) {
            self.prefetch_shares(port_slot, now);
        }
        while let Some(credit) = self.switch.outputs[port_slot].pop_credit(now) {
            let output = &mut self.switch.outputs[port_slot];
            let (plan, channel) = (&self.shared.classes.plan, usize::from(credit.channel()));
            let state = &mut self.switch.channels[port_slot * plan.count() + channel];
            let bytes = u32::from(credit.bytes());
            (state.used_bytes, output.shared_used) =
                buffer_release(state.used_bytes, output.shared_used, plan.reserve_bytes[channel], bytes);
            self.share_returned(port_slot, credit.holder(), credit.channel(), bytes, now);
            any = true;
        }
        any
    }

    /// Schedules an arbitration, unless one is scheduled that is no later.
    #[inline]
    pub fn wake(&mut self, (port_slot, port): (usize, u32), time: u64) {
        if time < self.switch.outputs[port_slot].wake_at {
            self.switch.outputs[port_slot].wake_at = time;
            let key = self.shared.places.targets.arbitrate(time, port);
            self.sched.calendar.push(key, Event::Arbitrate { port, port_slot: port_slot as u32 });
        }
    }

    /// The same for a switch of the active block.
    #[inline]
    fn wake_own(&mut self, (port_slot, port): (usize, u32), time: u64) {
        if time < self.switch.outputs[port_slot].wake_at {
            self.switch.outputs[port_slot].wake_at = time;
            let key = self.shared.places.targets.arbitrate(time, port);
            self.sched.calendar.push_own(key, Event::Arbitrate { port, port_slot: port_slot as u32 });
        }
    }

    /// A scheduled arbitration.
    #[inline(never)]
    pub fn arbitrate(&mut self, (port_slot, port): (usize, u32), now: u64) {
        if self.switch.outputs[port_slot].wake_at != now {
            return; // An earlier one replaced it.
        }
        self.switch.outputs[port_slot].wake_at = NO_TIME;
        if self.switch.outputs[port_slot].waiting_packets() > 0 {
            self.collect_credits(port_slot, now);
            if let (true, Some(arrives)) = (
                self.switch.outputs[port_slot].waiting_packets() > 0,
                self.switch.outputs[port_slot].credits().next_arrival(),
            ) {
                self.wake((port_slot, port), arrives);
            }
        }
        if self.switch.loads[port_slot].queued_bytes == 0 {
            return;
        }
        if self.switch.outputs[port_slot].free_at > now {
            return self.wake_own((port_slot, port), self.switch.outputs[port_slot].free_at);
        }
        self.grant((port_slot, port), now);
    }

    /// Grants one packet of an idle output: the class that the schedule chooses, then round robin
    /// over channels and inputs.
    pub fn grant(&mut self, (port_slot, port): (usize, u32), now: u64) {
        if !self.link_ready(port_slot) {
            if self.is_observed() {
                self.explain_idle(port, TimePart::LinkRetry);
            }
            return; // The link wakes the output.
        }
        if self.is_held_by_nic(port_slot) {
            if self.is_observed() {
                self.explain_idle(port, TimePart::Credit);
            }
            return; // The end of the pause wakes the output.
        }
        let requesting = self.switch.outputs[port_slot].requesting;
        let granted = if self.has_schedule() {
            self.grant_by_class((port_slot, port), requesting, now)
        } else if self.grant_among((port_slot, port), requesting, self.switch.outputs[port_slot].last_channel, now) {
            Granted::One
        } else {
            Granted::NothingFits
        };
        if granted != Granted::One && self.is_observed() {
            self.explain_idle(port, if granted == Granted::Later { TimePart::Class } else { TimePart::Credit });
        }
        if granted != Granted::NothingFits {
            return;
        }
        // Nothing fits the far buffer: the next credit decides.
        let output = &mut self.switch.outputs[port_slot];
        output.starve(now);
        if let Some(arrives) = output.credits().next_arrival() {
            self.wake((port_slot, port), arrives);
        }
    }

    /// Grants one packet of the channels in `requesting`, beginning after channel `last`. Returns
    /// false if none fits.
    pub fn grant_among(&mut self, (port_slot, port): (usize, u32), requesting: u64, last: u8, now: u64) -> bool {
        let channels = self.shared.classes.plan.count();
        let (mut turn, mut untried) = (last, requesting);
        while untried != 0 {
            turn = self.next_channel_of(port_slot, (requesting, untried), turn);
            untried &= !(1 << turn);
            let channel = usize::from(turn);
            let Some(packet) = self.next_waiting(port_slot * channels + channel) else { continue };
            let (size, class) =
                (u32::from(self.transit.packets[packet].wire_bytes), self.transit.packets[packet].kind.class);
            if self.switch.wires[port_slot].far_end != FarEnd::Nic && !self.find_room(port_slot, channel, size, now) {
                continue;
            }
            self.pop_waiting(port_slot, channel);
            self.transit.packets[packet].place.queued_for = NO_INDEX;
            let has_lossy_classes = self.has_lossy_classes();
            let output = &mut self.switch.outputs[port_slot];
            let load = &mut self.switch.loads[port_slot];
            let wire = &self.switch.wires[port_slot];
            self.record.recorder.sample_output((port_slot, port), (&mut *output, wire), load.queued_bytes, now);
            output.last_channel = turn;
            load.queued_bytes -= size;
            if has_lossy_classes {
                let class_slot = port_slot * usize::from(self.shared.classes.plan.classes) + usize::from(class);
                self.switch.class_queued[class_slot] -= size;
            }
            load.publish(now, u64::from(self.shared.config.switch.load_age_ns) * 1_000);
            let goes_on = load.queued_bytes > 0;
            if output.feed() {
                self.record.recorder.sample_fed(output, now);
            }
            self.depart(packet, (port_slot, port), now);
            if goes_on {
                self.wake_own((port_slot, port), self.switch.outputs[port_slot].free_at);
            }
            return true;
        }
        false
    }

    /// A granted packet leaves through output `port` now.
    fn depart(&mut self, packet: u32, (port_slot, port): (usize, u32), now: u64) {
        self.transit.hops += 1;
        if self.is_observed() {
            self.observe_departed(packet, port);
        }
        let packet_state = &self.transit.packets[packet];
        let (class, has_data, mut size) =
            (packet_state.kind.class, packet_state.payload_bytes > 0, u32::from(packet_state.wire_bytes));
        let wire = self.switch.wires[port_slot];
        if self.has_overlay() && wire.far_end == FarEnd::Nic {
            size = self.bytes_beyond_egress(packet);
        }
        let ack_time = wire.ack_time(now);
        let serialization = wire.serialization(size) + ack_time;
        // Towards standard Ethernet, the wire is also busy for the gap behind the frame.
        let busy =
            if wire.gap_bytes == 0 { serialization } else { serialization + wire.serialization(wire.gap_bytes.into()) };
        let mut free_at = now + busy;
        // A packet that takes longer on the link than its write finds the host ready. Only shorter
        // ones add up.
        if serialization < u64::from(self.shared.config.nic.write_gap_ps) && wire.far_end == FarEnd::Nic && has_data {
            free_at = free_at.max(self.held_by_writes(wire.peer, now));
        }
        // Acknowledgements are of no class.
        self.charge_class(port_slot, class, busy - ack_time, now);
        let output = &mut self.switch.outputs[port_slot];
        self.record.recorder.sample_sent(
            (port_slot, port),
            (&mut *output, &wire),
            self.switch.loads[port_slot].queued_bytes,
            now,
            (u64::from(size), serialization),
        );
        output.free_at = free_at;
        self.switch.wires[port_slot].take_until(free_at);
        self.leave_input(packet, now + serialization, now);
        if wire.far_end == FarEnd::Nic {
            let fec = u64::from(self.shared.config.switch.fec_ns) * 1_000;
            let time = now + serialization + u64::from(wire.propagation) + fec;
            let leaving = &mut self.transit.packets[packet];
            leaving.place.port = NO_INDEX;
            leaving.ingress.egressed = true;
            self.egress(packet, port_slot, now);
            if self.has_link_layer() {
                return self.send_frame(port, packet, time);
            }
            let key = self.shared.places.targets.deliver(time, wire.peer);
            self.sched.calendar.push_own(key, Event::Deliver { packet });
        } else {
            self.cross_link(packet, port_slot, wire, serialization, now);
        }
    }

    /// Frees the input buffer of a departing packet, whose tail leaves at `tail`.
    #[inline(always)]
    pub fn leave_input(&mut self, packet: u32, tail: u64, now: u64) {
        let packet_state = &self.transit.packets[packet];
        let (input, wire_bytes, sent_class) =
            (packet_state.place.port, packet_state.wire_bytes, packet_state.kind.sent_class);
        let (mut holder, mut channel) = (self.share_holder(packet_state), packet_state.place.input_channel);
        if self.has_trees() && packet_state.kind.purpose == PacketPurpose::Collective {
            let Some(freed) = self.tree_leaves(packet) else { return };
            (holder, channel) = (freed.holder(), freed.channel());
        }
        self.free_input((input, channel, sent_class), (holder, wire_bytes), tail, now);
    }

    /// Frees so many bytes of the input buffer `input`, which a packet of this share's holder holds
    /// until `tail`.
    #[inline(always)]
    pub fn free_input(
        &mut self,
        (input, channel, sent_class): (u32, u8, u8),
        (holder, wire_bytes): (u32, u16),
        tail: u64,
        now: u64,
    ) {
        let port_slot = self.port_slot(input);
        let size = u32::from(wire_bytes);
        let wire = self.switch.wires[port_slot];
        self.switch.buffered[wire.switch as usize].bytes -= size;
        let switch = &self.shared.config.switch;
        let arrives = tail + u64::from(wire.propagation) + u64::from(switch.credit_latency_ns) * 1_000;
        let credit = CreditReturn::new(arrives, holder, wire_bytes, channel);
        if wire.far_end == FarEnd::Nic {
            let of_class = self.class_slot(self.nic_slot(wire.peer), sent_class);
            let buffer = &mut self.edge.edge_buffers[of_class];
            buffer.used_bytes -= size;
            let is_paused = buffer.is_paused;
            return match wire.hold {
                EdgeHold::Pause if is_paused => self.unpause(input, (sent_class, of_class), now),
                EdgeHold::Pause => {}
                EdgeHold::Credits => self.return_credit(self.end_slot(self.nic_end(wire.peer)), credit),
                EdgeHold::Nothing => {}
            };
        }
        if self.pauses() {
            self.link_drained(input, channel, size, now);
        }
        let upstream = wire.peer;
        if self.owns_port(upstream) {
            self.return_credit(wire.peer_slot as usize, credit);
        } else {
            self.post_credit(upstream, credit);
        }
    }

    /// Records a credit that is on its way to an output.
    #[inline(always)]
    pub fn push_credit(&mut self, port_slot: usize, credit: CreditReturn) {
        let output = &mut self.switch.outputs[port_slot];
        output.push_credit(credit);
        let time = if output.waiting_packets() > 0 {
            credit.arrives
        } else if output.is_starved() {
            credit.arrives.max(output.free_at)
        } else {
            return;
        };
        if time < output.wake_at {
            self.wake((port_slot, self.port_in(port_slot)), time);
        }
    }

    /// Sends a packet to the next switch.
    #[inline]
    fn cross_link(&mut self, packet: u32, port_slot: usize, wire: PortWire, serialization: u64, now: u64) {
        let arrival = self.arrival_time(
            wire.switch as usize,
            wire.propagation,
            serialization,
            self.switch.outputs[port_slot].last_arrival,
            now,
        );
        self.switch.outputs[port_slot].last_arrival = arrival;
        let ack_latency = self.shared.config.switch.ack_latency_ns * 1_000;
        let packet_state = &mut self.transit.packets[packet];
        packet_state.place.input_channel = packet_state.place.channel;
        packet_state.place.port = wire.peer;
        packet_state.ingress.ack_delay += wire.propagation + ack_latency;
        packet_state.tail = arrival + wire.serialization(u32::from(packet_state.wire_bytes));
        if self.has_link_layer() {
            return self.send_frame(self.port_in(port_slot), packet, arrival);
        }
        let key = self.shared.places.targets.arrive(arrival, wire.peer);
        let port = wire.peer;
        if !self.owns_port(port) {
            return self.leave(key, port, packet);
        }
        let port_slot = wire.peer_slot;
        if self.sched.calendar.is_own_port(port) {
            self.sched.calendar.push_own(key, Event::Arrive { packet, port, port_slot });
        } else {
            self.sched.calendar.push(key, Event::Cross { packet, port, port_slot });
        }
    }

    /// When a packet that leaves now is ready in the next switch: after propagation, error
    /// correction and the switch's latency with its spread, which the switch in slot `own` draws.
    /// Packets keep their order on the link.
    #[inline]
    pub fn arrival_time(&mut self, own: usize, propagation: u32, serialization: u64, last: u64, now: u64) -> u64 {
        let switch = &self.shared.config.switch;
        let spread = switch.latency_spread_ns * 1_000;
        let jitter = if spread == 0 { 0 } else { u64::from(self.switch.switch_random[own].below(spread + 1)) };
        let latency = u64::from(switch.latency_ns + switch.fec_ns) * 1_000 + jitter - u64::from(spread / 2);
        let latency = if switch.outliers_per_million == 0 { latency } else { self.or_outlier(own, latency) };
        (now + u64::from(propagation) + latency).max(last + serialization)
    }

    /// The latency of a crossing, in picoseconds: as drawn, or in rare cases that of an outlier.
    #[cold]
    #[inline(never)]
    fn or_outlier(&mut self, switch: usize, drawn: u64) -> u64 {
        let parameters = &self.shared.config.switch;
        let random = &mut self.switch.switch_random[switch];
        if random.below(1_000_000) >= parameters.outliers_per_million {
            return drawn;
        }
        let (least, most) = (parameters.latency_spread_ns / 2, parameters.outlier_max_ns);
        let above = u64::from(least) * 1_000 + u64::from(random.below((most - least) * 1_000 + 1));
        u64::from(parameters.latency_ns + parameters.fec_ns) * 1_000 + above
    }

    /// Handles a packet that leaves the fabric towards its NIC: acknowledges it to its ingress.
    fn egress(&mut self, packet: u32, port_slot: usize, now: u64) {
        let queue = self.switch.loads[port_slot].queued_bytes;
        if self.switch.outputs[port_slot].is_congested() {
            let threshold = slingshot(&self.shared.config.congestion).map_or(0, |law| law.endpoint_threshold_bytes);
            if queue <= threshold / 2 {
                let of_nic = self.nic_slot(self.switch.wires[port_slot].peer);
                let since = std::mem::replace(&mut self.edge.congested[of_nic].since, NO_TIME);
                self.switch.outputs[port_slot].set_congested(false);
                self.record.recorder.endpoint_end(now, self.port_in(port_slot), now - since);
            }
        }
        if let Some(receipt) = self.transit.packets[packet].receipt() {
            let queue = if self.shared.traits.moves_flows { self.with_mark(packet, queue) } else { queue };
            self.acknowledge(receipt, queue, now);
        }
    }

    /// Tells the ingress of a packet's flow that the packet has left the fabric, from an egress
    /// queue of `queue` bytes.
    #[inline]
    pub fn acknowledge(&mut self, receipt: FlowReceipt, queue: u32, now: u64) {
        let FlowReceipt { flow, ends, sequence, bytes, delay } = receipt;
        let time = now + u64::from(delay) + u64::from(self.shared.config.switch.ack_latency_ns) * 1_000;
        let key =
            self.shared.places.targets.flow(time, (ends.source, ends.destination, ends.class), FlowNews::Ack, sequence);
        if self.owns_endpoint(ends.source) {
            self.sched.calendar.push(key, Event::Ack { flow, bytes, queue });
        } else {
            self.post_ack(key, ends.source, (flow, bytes, queue));
        }
    }
}
