//! Active messages as flows: their rates, and when each ends.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

use crate::classes::Classes;
use philae_engine::prefetch_at;

use crate::law;
use crate::limits::{JobObservations, Stop};
use crate::paths::{FluidNetwork, MessagePath, ResourceKind};
use crate::share::{Demand, FlowGrant, NOTHING, ResourcePart, Sharers, Sharing};

/// Minimum time between two computations of rates ("settling"), in picoseconds.
///
/// Source: ours: a fraction of the round trip that adaptive routing and every congestion law need
/// to see a change.
/// Status: assumed.
pub const SETTLE_MIN_PS: u64 = 200_000;
/// The same as a fraction of the mean remaining time of active messages: one in this many.
///
/// Source: ours: rates are then out of date by at most this fraction of a message's life. Status:
/// assumed.
pub const SETTLE_PART: u64 = 50;

/// Part of its endpoint's link below which a flow shares the link with others.
///
/// Source: ours: two flows get half each. Status: assumed.
const CROWDED: f64 = 0.75;

/// Part of an equal share below which a new message waits instead of using the free capacity.
///
/// Source: ours: half as fast as others is slow, and less would make its end late. Status: assumed.
const WAITS: f64 = 0.5;

/// An active message.
#[derive(Clone, Debug)]
struct Flow {
    message: u32,
    job: u16,
    class: u8,
    /// Source and destination endpoint.
    ends: (u32, u32),
    stop: Stop,
    /// Whether it ends within a round trip: all of it is in the network before anything could slow
    /// it.
    short: bool,
    /// Whether it waits in line at an endpoint, behind others that are also short.
    lines_up: bool,
    path: MessagePath,
    /// Bytes on the wire that have not left.
    remaining: f64,
    /// Those left when measuring began, or all of them.
    counted: f64,
    wire_bytes: f64,
    payload: u64,
    rate: f64,
    detoured: f64,
    /// The time of `remaining`, in picoseconds.
    since: u64,
}

impl Flow {
    /// Its end at its present rate, in picoseconds.
    fn end(&self) -> u64 {
        if self.rate <= 0.0 {
            return u64::MAX;
        }
        let span = (self.remaining / self.rate).ceil();
        if span >= 1.8e19 { u64::MAX } else { self.since.saturating_add(span as u64) }
    }

    fn move_to(&mut self, now: u64, seen: &mut [JobObservations], beside: &[bool]) -> f64 {
        self.tell(now, seen, beside);
        let sent = (self.rate * now.saturating_sub(self.since) as f64).min(self.remaining);
        self.remaining -= sent;
        self.since = now;
        sent
    }

    fn demand(&self) -> Demand<'_> {
        Demand { first: &self.path.first, second: &self.path.second, weight: 1.0 }
    }

    /// Counts `sent` bytes for the resources on its path.
    fn cross(&self, sent: f64, crossed: &mut [f64]) {
        let detour = if self.rate > 0.0 { self.detoured / self.rate } else { 0.0 };
        let paths = [(&self.path.first, 1.0 - detour), (&self.path.second, detour)];
        for (parts, share) in paths.into_iter().filter(|&(_, share)| share > 0.0) {
            for part in parts {
                crossed[part.resource as usize] += sent * share * part.fraction;
            }
        }
    }

    /// Counts the time from `since` to `now` for its job.
    fn tell(&self, now: u64, seen: &mut [JobObservations], beside: &[bool]) {
        let (span, job) = (now.saturating_sub(self.since) as f64, usize::from(self.job));
        seen[job].time[self.stop as usize] += span;
        if beside[job] {
            seen[job].beside += span;
        }
    }
}

/// A message whose last bit has left.
#[derive(Clone, Copy, Debug)]
pub struct SentMessage {
    /// The message's number.
    pub message: u32,
    /// When its last bit arrives, in picoseconds.
    pub arrives: u64,
    /// Payload that counts as delivered since measuring began.
    pub counted: u64,
    pub wire_bytes: f64,
}

/// The demand of a message on the network.
#[derive(Clone, Debug)]
pub struct MessageLoad {
    /// Number of the message.
    pub message: u32,
    pub job: u16,
    /// Its traffic class.
    pub class: u8,
    /// Source and destination endpoint.
    pub ends: (u32, u32),
    /// Its path.
    pub path: MessagePath,
    /// Bytes on the wire, headers included.
    pub wire_bytes: f64,
    /// The payload among them.
    pub payload: u64,
    /// Whether it ends within a round trip.
    pub short: bool,
}

/// Active messages, by their slots.
struct Active<'a> {
    flows: &'a [Option<Flow>],
    slots: &'a [u32],
}

impl Active<'_> {
    fn flow(&self, number: usize) -> &Flow {
        self.flows[self.slots[number] as usize].as_ref().expect("who shares is active")
    }

    fn all(&self) -> impl Iterator<Item = &Flow> {
        (0..self.slots.len()).map(|number| self.flow(number))
    }
}

impl Sharers for Active<'_> {
    fn count(&self) -> usize {
        self.slots.len()
    }
    fn demand(&self, number: usize) -> Demand<'_> {
        self.flow(number).demand()
    }
    fn prefetch(&self, number: usize) {
        prefetch_at(self.flows, self.slots[number] as usize);
    }
}

/// Counters of the run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Met {
    /// How often rates were computed again.
    pub recomputed: u64,
    /// Most flows at the same time.
    pub flows_max: usize,
}

/// The kind of limit of a flow that waits for this resource.
fn stop_at(network: &FluidNetwork, resource: u32) -> Stop {
    match (resource != NOTHING).then(|| network.kind(resource)) {
        Some(ResourceKind::Ejection) => Stop::Endpoint,
        Some(ResourceKind::Queue | ResourceKind::Pool) => Stop::Network,
        Some(ResourceKind::Injection) | None => Stop::Nic,
    }
}

/// The capacity of a resource that is available until rates are recomputed.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// Free capacity.
    left: f64,
    /// Flows that ask for it.
    asking: f64,
}

impl Open {
    /// A resource without any use.
    const fn whole(capacity: f64) -> Self {
        Self { left: capacity, asking: 0.0 }
    }

    fn take(&mut self, rate: f64) {
        self.left = (self.left - rate).max(0.0);
    }
}

/// Every resource, without any use.
fn whole(network: &FluidNetwork) -> Vec<Open> {
    network.capacities().iter().map(|&capacity| Open::whole(capacity)).collect()
}

/// The active messages of a run.
#[derive(Debug)]
pub struct Flows {
    flows: Vec<Option<Flow>>,
    free: Vec<u32>,
    active: usize,
    ends: BinaryHeap<Reverse<(u64, u32)>>,
    sharing: Sharing,
    /// The rules of classes, if several share links.
    classes: Option<Classes>,
    /// The available capacity of each resource.
    open: Vec<Open>,
    /// The flows that share capacity while rates are recomputed, and the grant of each; kept for
    /// their memory.
    sharers: Vec<u32>,
    grants: Vec<FlowGrant>,
    /// Bytes that crossed each resource since they were last taken.
    crossed: Option<Vec<f64>>,
    /// Buffer of a link, if waiting packets delay others.
    spreading: Option<u64>,
    window: u64,
    /// Messages that wait for rates to be recomputed or for others to end, by the resource that has
    /// no capacity for them.
    waiting: BTreeMap<u32, VecDeque<u32>>,
    /// Counters of the run.
    pub met: Met,
    /// Counters by job.
    pub seen: Vec<JobObservations>,
    /// Jobs that use an endpoint's link that others crowd.
    beside: Vec<bool>,
}

impl Flows {
    /// A set without flows.
    pub fn new(
        network: &FluidNetwork,
        classes: Option<Classes>,
        spreading: Option<u64>,
        counts_loads: bool,
        jobs: usize,
    ) -> Self {
        let resources = network.capacities().len();
        Self {
            flows: Vec::new(),
            free: Vec::new(),
            active: 0,
            ends: BinaryHeap::new(),
            sharing: Sharing::default(),
            classes,
            open: whole(network),
            sharers: Vec::new(),
            grants: Vec::new(),
            crossed: counts_loads.then(|| vec![0.0; resources]),
            spreading,
            window: SETTLE_MIN_PS,
            waiting: BTreeMap::new(),
            met: Met::default(),
            seen: vec![JobObservations::default(); jobs],
            beside: vec![false; jobs],
        }
    }

    /// How long rates are kept after a change, in picoseconds.
    pub const fn window(&self) -> u64 {
        self.window
    }

    /// Whether messages are in transit.
    pub const fn is_busy(&self) -> bool {
        self.active > 0
    }

    /// When the next message ends.
    pub fn next_end(&self) -> Option<u64> {
        self.ends.peek().map(|Reverse((time, _))| *time)
    }

    /// Adds resources for links that a path has used for the first time.
    fn grow(&mut self, network: &FluidNetwork) {
        let (known, resources) = (self.open.len(), network.capacities().len());
        self.open.extend(network.capacities()[known..].iter().map(|&capacity| Open::whole(capacity)));
        if let Some(crossed) = &mut self.crossed {
            crossed.resize(resources, 0.0);
        }
    }

    /// Starts a message. Until rates are recomputed it takes the free capacity of its path, so that
    /// no link gets more than it has; if that is far less than an equal share, it waits. Returns
    /// the time within which rates must be recomputed: sooner if it waits.
    pub fn start(&mut self, network: &FluidNetwork, load: MessageLoad, now: u64) -> u64 {
        let MessageLoad { message, job, class, ends, path, wire_bytes, payload, short } = load;
        self.grow(network);
        let (rate, fair, tightest) = self.open(network, &path, class);
        let waits = rate < WAITS * fair;
        let rate = if waits { 0.0 } else { rate };
        let within = if waits { (wire_bytes / fair) as u64 / SETTLE_PART } else { self.window };
        for part in &path.first {
            let open = &mut self.open[part.resource as usize];
            open.take(rate * part.fraction);
            open.asking += part.fraction;
        }
        let counted = wire_bytes;
        let flow = Flow {
            message,
            job,
            class,
            ends,
            stop: if waits { stop_at(network, tightest) } else { Stop::Nic },
            short,
            lines_up: false,
            path,
            remaining: wire_bytes,
            counted,
            wire_bytes,
            payload,
            rate,
            detoured: 0.0,
            since: now,
        };
        let end = flow.end();
        let slot = match self.free.pop() {
            Some(slot) => {
                self.flows[slot as usize] = Some(flow);
                slot
            }
            None => {
                self.flows.push(Some(flow));
                (self.flows.len() - 1) as u32
            }
        };
        self.active += 1;
        self.met.flows_max = self.met.flows_max.max(self.active);
        if waits {
            self.waiting.entry(tightest).or_default().push_back(slot);
        } else {
            self.ends.push(Reverse((end, slot)));
        }
        within.clamp(SETTLE_MIN_PS, self.window)
    }

    /// The free capacity of a path, an equal share of it, and the resource with the least free
    /// capacity.
    fn open(&self, network: &FluidNetwork, path: &MessagePath, class: u8) -> (f64, f64, u32) {
        let (mut rate, mut fair, mut tightest) = (f64::INFINITY, f64::INFINITY, NOTHING);
        for part in &path.first {
            let at = part.resource as usize;
            let most = self.classes.as_ref().map_or(1.0, |classes| classes.most(network, part.resource, class));
            let left = self.open[at].left.min(most * network.capacities()[at]) / part.fraction;
            let equal = network.capacities()[at] / (self.open[at].asking + part.fraction);
            if left < rate {
                (rate, tightest) = (left, part.resource);
            }
            fair = fair.min(equal.max(left));
        }
        (rate, fair, tightest)
    }

    /// Starts messages that wait for the capacity that a message frees, first come, first served.
    fn admit(&mut self, network: &FluidNetwork, path: &MessagePath, now: u64) {
        for part in &path.first {
            while let Some(&slot) = self.waiting.get(&part.resource).and_then(VecDeque::front) {
                let Some(mut flow) = self.flows[slot as usize].take() else { break };
                let (rate, fair, _) = self.open(network, &flow.path, flow.class);
                let begins = rate >= WAITS * fair;
                if begins {
                    flow.move_to(now, &mut self.seen, &self.beside);
                    (flow.rate, flow.lines_up) = (rate, false);
                    for part in &flow.path.first {
                        self.open[part.resource as usize].take(rate * part.fraction);
                    }
                    self.ends.push(Reverse((flow.end(), slot)));
                    self.waiting.entry(part.resource).or_default().pop_front();
                }
                self.flows[slot as usize] = Some(flow);
                if !begins {
                    break;
                }
            }
        }
    }

    /// Takes the message that ends next.
    pub fn end(&mut self, network: &FluidNetwork) -> Option<SentMessage> {
        let Reverse((time, slot)) = self.ends.pop()?;
        let flow = self.flows[slot as usize].take()?;
        flow.tell(time, &mut self.seen, &self.beside);
        self.free.push(slot);
        self.active -= 1;
        let sent = flow.remaining;
        if let Some(crossed) = &mut self.crossed {
            flow.cross(sent, crossed);
        }
        for part in &flow.path.first {
            let open = &mut self.open[part.resource as usize];
            open.left += (flow.rate - flow.detoured) * part.fraction;
            open.asking = (open.asking - part.fraction).max(0.0);
        }
        for part in &flow.path.second {
            self.open[part.resource as usize].left += flow.detoured * part.fraction;
        }
        if !self.waiting.is_empty() {
            self.admit(network, &flow.path, time);
        }
        let share = if flow.rate > 0.0 { flow.detoured / flow.rate } else { 0.0 };
        let arrives = time + flow.path.latency + (flow.path.detour as f64 * share).round() as u64;
        let counted = if flow.wire_bytes > 0.0 { flow.payload as f64 * flow.counted / flow.wire_bytes } else { 0.0 };
        let (message, wire_bytes) = (flow.message, flow.wire_bytes);
        Some(SentMessage { message, arrives, counted: counted.round() as u64, wire_bytes })
    }

    /// Advances all messages to `now`.
    pub fn move_to(&mut self, now: u64) {
        for flow in self.flows.iter_mut().flatten() {
            let sent = flow.move_to(now, &mut self.seen, &self.beside);
            if let Some(crossed) = &mut self.crossed {
                flow.cross(sent, crossed);
            }
        }
    }

    /// Counts as measured what is sent from now on.
    pub fn begin_measuring(&mut self, now: u64) {
        self.move_to(now);
        self.flows.iter_mut().flatten().for_each(|flow| flow.counted = flow.remaining);
    }

    /// Messages in transit, each with the payload that counts as delivered since measuring began.
    pub fn under_way(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.flows.iter().flatten().map(|flow| {
            let counted = (flow.counted - flow.remaining).max(0.0) / flow.wire_bytes.max(1.0);
            (flow.message, (flow.payload as f64 * counted) as u64)
        })
    }

    /// Takes the bytes that crossed each resource since the last time.
    pub fn take_crossed(&mut self) -> Vec<f64> {
        let resources = self.open.len();
        self.crossed.as_mut().map_or_else(Vec::new, |crossed| std::mem::replace(crossed, vec![0.0; resources]))
    }

    /// After a change of links, moves every message to its new path. Returns a pair of endpoints
    /// without any path.
    pub fn reroute(&mut self, network: &mut FluidNetwork, now: u64) -> Option<(u32, u32)> {
        self.move_to(now);
        let mut cut = None;
        for flow in self.flows.iter_mut().flatten() {
            let path = network.path(flow.ends.0, flow.ends.1);
            if path.is_cut {
                cut = Some(flow.ends);
            }
            // The cost of a packet at the endpoints depends on the message.
            let costs: Vec<ResourcePart> = flow.path.first[flow.path.first.len() - 2..].to_vec();
            flow.path = path;
            flow.lines_up = false;
            for part in flow.path.first.iter_mut().chain(&mut flow.path.second) {
                if let Some(cost) = costs.iter().find(|cost| cost.resource == part.resource) {
                    part.fraction = cost.fraction;
                }
            }
        }
        self.waiting.clear();
        self.open = whole(network);
        if let Some(crossed) = &mut self.crossed {
            crossed.resize(self.open.len(), 0.0);
        }
        self.recompute_rates(network, now);
        cut
    }

    /// Of the messages that wait, the short ones stay in line at an endpoint where all are short:
    /// nothing slows them, and their packets follow each other in the network. The others get their
    /// shares.
    fn line_up(&mut self, network: &FluidNetwork) {
        if self.waiting.is_empty() {
            return;
        }
        let mut paths = vec![(false, false); network.capacities().len()];
        for flow in self.flows.iter().flatten() {
            let Some(part) = flow.path.first.last() else { continue };
            let (has_long, has_short) = &mut paths[part.resource as usize];
            *has_long |= !flow.short;
            *has_short |= flow.short && flow.rate > 0.0;
        }
        let flows = &mut self.flows;
        self.waiting.retain(|resource, line| {
            let stays =
                matches!(network.kind(*resource), ResourceKind::Ejection) && paths[*resource as usize] == (false, true);
            line.retain(|&slot| {
                if let Some(flow) = &mut flows[slot as usize] {
                    flow.lines_up = stays;
                }
                stays
            });
            stays
        });
    }

    /// Computes all rates again.
    pub fn recompute_rates(&mut self, network: &FluidNetwork, now: u64) {
        self.move_to(now);
        self.line_up(network);
        self.met.recomputed += 1;
        let (mut sharers, mut grants) = (std::mem::take(&mut self.sharers), std::mem::take(&mut self.grants));
        sharers.clear();
        let active = (0..).zip(&self.flows).filter(|(_, flow)| flow.as_ref().is_some_and(|flow| !flow.lines_up));
        sharers.extend(active.map(|(slot, _)| slot));
        let held = self.share_out(network, &sharers, &mut grants);
        let mut crowding = vec![0; self.seen.len()];
        self.open.iter_mut().zip(network.capacities()).for_each(|(open, &capacity)| *open = Open::whole(capacity));
        let mut left = 0.0;
        let mut ends = std::mem::take(&mut self.ends).into_vec();
        ends.clear();
        for (number, (&slot, grant)) in sharers.iter().zip(&grants).enumerate() {
            let Some(flow) = &mut self.flows[slot as usize] else { continue };
            (flow.rate, flow.detoured) = (grant.rate, grant.detoured);
            let at = grant.stopped_by;
            flow.stop = match (at != NOTHING).then(|| network.kind(at)) {
                _ if held.get(number) == Some(&true) => Stop::Held,
                Some(ResourceKind::Ejection) if grant.rate < CROWDED * network.capacities()[at as usize] => {
                    Stop::Endpoint
                }
                Some(ResourceKind::Queue | ResourceKind::Pool) => Stop::Network,
                _ => Stop::Nic,
            };
            crowding[usize::from(flow.job)] += usize::from(flow.stop == Stop::Endpoint);
            for part in &flow.path.first {
                let open = &mut self.open[part.resource as usize];
                open.take((flow.rate - flow.detoured) * part.fraction);
                open.asking += part.fraction;
            }
            if flow.detoured > 0.0 {
                let take = |part: &ResourcePart| self.open[part.resource as usize].take(flow.detoured * part.fraction);
                flow.path.second.iter().for_each(take);
            }
            if flow.rate > 0.0 {
                left += flow.remaining / flow.rate;
            }
            ends.push(Reverse((flow.end(), slot)));
        }
        let crowded: usize = crowding.iter().sum();
        for (beside, own) in self.beside.iter_mut().zip(crowding) {
            *beside = crowded > own;
        }
        for flow in self.waiting.values().flatten().filter_map(|&slot| self.flows[slot as usize].as_ref()) {
            flow.path.first.iter().for_each(|part| self.open[part.resource as usize].asking += part.fraction);
        }
        let mean = if sharers.is_empty() { 0 } else { (left / sharers.len() as f64) as u64 };
        self.window = (mean / SETTLE_PART).max(SETTLE_MIN_PS);
        (self.ends, self.sharers, self.grants) = (BinaryHeap::from(ends), sharers, grants);
    }

    /// The grant of each of these flows, and whether full buffers delay it (empty if the law has no
    /// such delays).
    fn share_out(&mut self, network: &FluidNetwork, sharers: &[u32], grants: &mut Vec<FlowGrant>) -> Vec<bool> {
        let active = Active { flows: &self.flows, slots: sharers };
        match &self.classes {
            None => self.sharing.share(network.capacities(), &active, grants),
            Some(classes) => {
                let flows: Vec<(Demand<'_>, u8)> = active.all().map(|flow| (flow.demand(), flow.class)).collect();
                classes.share(&mut self.sharing, network, &flows, grants);
            }
        }
        let Some(buffer) = self.spreading else { return Vec::new() };
        let shared: Vec<f64> = grants.iter().map(|grant| grant.rate).collect();
        // Each class has its own buffers.
        for class in 0..=active.all().map(|flow| flow.class).max().unwrap_or(0) {
            let members: Vec<usize> =
                active.all().enumerate().filter(|(_, flow)| flow.class == class).map(|(number, _)| number).collect();
            let own: Vec<Demand<'_>> = members.iter().map(|&number| active.flow(number).demand()).collect();
            let left: Vec<f64> = members.iter().map(|&number| active.flow(number).remaining).collect();
            let mut slowed: Vec<FlowGrant> = members.iter().map(|&number| grants[number]).collect();
            law::spread_congestion(network, buffer, &own, &left, &mut slowed);
            members.iter().zip(slowed).for_each(|(&number, slowed)| grants[number] = slowed);
        }
        grants.iter().zip(shared).map(|(grant, shared)| grant.rate < shared).collect()
    }
}
