//! The laws of conservation, checked during every run and at its end.
//!
//! - Packets injected = delivered + discarded + in flight. On a link that is modelled frame by
//!   frame, the frames that its sender keeps and the far end has not taken are in flight; what
//!   travels is a copy.
//! - Packets that switches of collective trees take in and make count too: injected + made =
//!   delivered + discarded + taken in + in flight. Copies of one packet together hold its place in
//!   the input buffer, until the last has left; what an engine made holds none. The result of a
//!   collective operation is that of all its operands.
//! - For each output: buffer space taken = packets that hold it + credits on their way back, and
//!   never over the buffer.
//! - Each output's queue is the packets that wait for it.
//! - What a NIC's buffer holds is the payloads that wait in it, and never over the buffer.
//! - What endpoints hold of a link is what is queued for it, on it and beyond it.
//! - Every time that a message was refused for want of a list entry, it was sent again or waits to
//!   be. Receives or messages that wait hold all entries of a NIC that are taken.
//! - Of TCP connections with windows: bytes sent = arrived + in flight. A sender is never beyond
//!   the window that it was told, and a receiver has room for all that it promised.
//! - A flow's extent covers its packets in the fabric, and a flow without packets and
//!   acknowledgements is gone. If packets wait for their flow, something will wake it (checked in
//!   runs with one partition).

use philae_nic_model::EdgeHold;
use philae_topology::PortPeer;
use philae_units::{Picoseconds, PortIndex};

use crate::memory::slab::NO_INDEX;
use crate::model::nic::Nic;
use crate::model::output::{FarEnd, NO_TIME, Output};
use crate::model::packet::NO_FRAME;
use crate::model::packet::{Packet, PacketPurpose};
use crate::model::tcp::stream_bytes;
use crate::partition::Partition;
use crate::run::processes::{ProcessLost, Processes, packed, unpacked};

/// The least simulated time between two audits.
const INTERVAL: Picoseconds = Picoseconds::from_micros(200);

/// The least number of packet movements between two audits, for each port of the network. An audit
/// reads every port, which takes about two thousand instructions. So it stays a small part of the
/// work where little moves in a large network. Source: callgrind on an incast, where audits after 8
/// movements took a tenth of all instructions. Status: derived.
const MOVEMENTS_PER_PORT: u64 = 64;

/// When the laws are checked next.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct AuditSchedule {
    next: Picoseconds,
    movements: u64,
}

impl Default for AuditSchedule {
    fn default() -> Self {
        Self { next: INTERVAL, movements: 0 }
    }
}

impl AuditSchedule {
    /// Whether to check at `now`, after `movements` movements of packets in a network of `ports`
    /// ports.
    pub fn is_due(&mut self, now: Picoseconds, movements: u64, ports: usize) -> bool {
        if now < self.next || movements - self.movements < MOVEMENTS_PER_PORT * ports as u64 {
            return false;
        }
        *self = Self { next: now + INTERVAL, movements };
        true
    }
}

/// Checks every law. Call this between windows, when nothing is in an outbox.
///
/// Returns the law that is broken, with the place and the numbers.
///
/// # Errors
/// [`ProcessLost`] if one of the processes that share the run is gone.
pub fn check(partitions: &[Partition], processes: &mut dyn Processes) -> Result<Result<(), String>, ProcessLost> {
    let own = Totals::of(partitions);
    let mut all = Vec::new();
    processes.all_gather(&own.words(), &mut all)?;
    let held = held_by_port(partitions, processes)?;
    Ok(check_with(partitions, Totals::combined(&all), &held))
}

fn check_with(partitions: &[Partition], totals: Totals, held: &[u64]) -> Result<(), String> {
    totals.check_packets()?;
    buffers(partitions, held)?;
    totals.check_refusals()?;
    totals.check_streams()?;
    entries(partitions)?;
    if let Some(wrong) = partitions.iter().find_map(|partition| partition.collectives.wrong.clone()) {
        return Err(wrong);
    }
    for partition in partitions {
        queues(partition)?;
        nic_buffers(partition)?;
        connections(partition)?;
        extents(partition)?;
        ingress_ports(partition)?;
        shares(partition)?;
    }
    Ok(())
}

/// Counts over all partitions.
#[derive(Clone, Copy, Debug)]
struct Totals {
    injected: u64,
    delivered: u64,
    discarded: u64,
    made: u64,
    absorbed: u64,
    in_flight: u64,
    refused: u64,
    again: u64,
    withheld: u64,
    tcp_sent: u64,
    tcp_arrived: u64,
    tcp_in_flight: u64,
}

impl Totals {
    /// Number of values in it.
    const SIZE: usize = 12;

    fn of(partitions: &[Partition]) -> Self {
        let sum = |count: fn(&Partition) -> u64| partitions.iter().map(count).sum::<u64>();
        let has_link_layer = partitions.iter().any(|partition| partition.shared.traits.has_link_layer);
        Self {
            injected: sum(|partition| partition.transit.injected),
            delivered: sum(|partition| partition.transit.delivered),
            discarded: sum(|partition| partition.transit.discarded),
            made: sum(|partition| partition.collectives.made),
            absorbed: sum(|partition| partition.collectives.absorbed),
            in_flight: if has_link_layer {
                sum(|partition| in_flight(partition).count() as u64)
            } else {
                sum(|partition| partition.transit.packets.len() as u64)
            },
            refused: sum(|partition| partition.host.refusals),
            again: sum(|partition| partition.host.sent_again),
            withheld: sum(|partition| partition.host.withheld.len() as u64),
            tcp_sent: sum(|partition| partition.nic.tcp.totals[0]),
            tcp_arrived: sum(|partition| partition.nic.tcp.totals[1]),
            tcp_in_flight: sum(tcp_in_flight),
        }
    }

    const fn words(self) -> [u64; Self::SIZE] {
        let Self { injected, delivered, discarded, made, absorbed, in_flight, refused, again, withheld, .. } = self;
        let (sent, arrived, on_the_way) = (self.tcp_sent, self.tcp_arrived, self.tcp_in_flight);
        [injected, delivered, discarded, made, absorbed, in_flight, refused, again, withheld, sent, arrived, on_the_way]
    }

    fn combined(all: &[u64]) -> Self {
        let sum = |column| all.iter().skip(column).step_by(Self::SIZE).sum();
        Self {
            injected: sum(0),
            delivered: sum(1),
            discarded: sum(2),
            made: sum(3),
            absorbed: sum(4),
            in_flight: sum(5),
            refused: sum(6),
            again: sum(7),
            withheld: sum(8),
            tcp_sent: sum(9),
            tcp_arrived: sum(10),
            tcp_in_flight: sum(11),
        }
    }

    fn check_packets(self) -> Result<(), String> {
        let Self { injected, delivered, discarded, made, absorbed, in_flight, .. } = self;
        if injected + made == delivered + discarded + absorbed + in_flight {
            return Ok(());
        }
        Err(format!(
            "{injected} packets were injected and {made} made in switches, but {delivered} delivered, {discarded} discarded, {absorbed} taken in by switches, and {in_flight} are in flight"
        ))
    }

    fn check_streams(self) -> Result<(), String> {
        let Self { tcp_sent, tcp_arrived, tcp_in_flight, .. } = self;
        if tcp_sent == tcp_arrived + tcp_in_flight {
            return Ok(());
        }
        Err(format!(
            "{tcp_sent} bytes were sent over TCP connections, but {tcp_arrived} have arrived and {tcp_in_flight} are in flight"
        ))
    }

    fn check_refusals(self) -> Result<(), String> {
        let Self { refused, again, withheld, .. } = self;
        if refused == again + withheld {
            return Ok(());
        }
        Err(format!("{refused} messages were refused, but {again} sent again, and {withheld} wait to be"))
    }
}

/// Packets in switches and on links. Copies on their way do not count; frames that the far end has
/// not taken do.
fn in_flight(partition: &Partition) -> impl Iterator<Item = Packet> + '_ {
    let here =
        partition.transit.packets.used().map(|(_, packet)| *packet).filter(|packet| packet.place.frame == NO_FRAME);
    // What the far end takes at the very end of a window has been taken only in the next one.
    let until = partition.clock.window_end;
    let kept = partition.fault.ends.iter().flat_map(|end| &end.kept);
    here.chain(kept.filter(move |kept| kept.received_at >= until).map(|kept| kept.packet))
}

/// Bytes that packets hold in the input buffer of each port of the system, for the ports whose
/// upstream outputs are in these partitions.
fn held_by_port(partitions: &[Partition], processes: &mut dyn Processes) -> Result<Vec<u64>, ProcessLost> {
    let Some(first) = partitions.first() else { return Ok(Vec::new()) };
    let mut held = vec![0_u64; first.shared.topology().port_count()];
    for partition in partitions {
        for (_, room) in partition.collectives.held.used() {
            held[room.port as usize] += u64::from(room.bytes);
        }
        for packet in in_flight(partition) {
            if packet.place.port != NO_INDEX
                && (packet.kind.purpose != PacketPurpose::Collective || packet.part.number == 0)
            {
                held[packet.place.port as usize] += u64::from(packet.wire_bytes);
            }
        }
    }
    let share = processes.share();
    if share.count == 1 {
        return Ok(held);
    }
    let (topology, total) = (first.shared.topology(), first.shared.partition_count());
    let mut letters: Vec<Vec<(u32, u64)>> = vec![Vec::new(); share.count as usize];
    for (port, &bytes) in held.iter().enumerate().filter(|(_, bytes)| **bytes > 0) {
        if let PortPeer::Port(sender) = topology.port(PortIndex(port as u32)).peer {
            let partition = first.shared.partition_of_end(sender.0);
            let owner = share.owner(usize::from(partition), total);
            if owner != share.number {
                letters[owner as usize].push((port as u32, bytes));
            }
        }
    }
    let received = processes.exchange(letters.iter().map(packed).collect())?;
    for (from, bytes) in received.iter().enumerate() {
        for (port, bytes) in unpacked::<Vec<(u32, u64)>>(from, bytes)? {
            held[port as usize] += bytes;
        }
    }
    Ok(held)
}

fn buffers(partitions: &[Partition], held: &[u64]) -> Result<(), String> {
    let Some(first) = partitions.first() else { return Ok(()) };
    let plan = &first.shared.classes.plan;
    // Almost no account is wrong, so its name is written only then.
    let account = |output: &Output, taken: u64, holding: u64, name: &dyn Fn() -> String| {
        let pending = output.credits().pending_bytes();
        if taken != holding + pending {
            return Err(format!(
                "{}: {taken} bytes of the far buffer are taken, but packets hold {holding} and credits for {pending} are on their way",
                name()
            ));
        }
        if taken > u64::from(plan.capacity_bytes()) {
            return Err(format!("{}: {taken} bytes are taken of a buffer of {}", name(), plan.capacity_bytes()));
        }
        Ok(())
    };
    let used =
        |channels: &[philae_switch::port::ChannelState]| channels.iter().map(|state| u64::from(state.used_bytes)).sum();
    for partition in partitions {
        for (slot, (wire, output)) in partition.switch.wires.iter().zip(&partition.switch.outputs).enumerate() {
            if wire.far_end == FarEnd::Switch {
                let channels = &partition.switch.channels[slot * plan.count()..(slot + 1) * plan.count()];
                let name = || format!("port {}", partition.port_in(slot));
                if output.overlooks_special() {
                    return Err(format!("{}: its credits, waiting packets or starvation are overlooked", name()));
                }
                account(output, used(channels), held[wire.peer as usize], &name)?;
            }
        }
        let by_credits = |(_, nic): &(usize, &Nic)| nic.wire().hold == EdgeHold::Credits;
        for (slot, nic) in partition.nic.nics.iter().enumerate().filter(by_credits) {
            let endpoint = partition.layout.endpoint_base + slot as u32;
            let holding = held[partition.edge_port(endpoint) as usize];
            let taken = nic.channels.iter().map(|used| u64::from(*used)).sum();
            account(&nic.output, taken, holding, &|| format!("endpoint {endpoint}"))?;
        }
    }
    Ok(())
}

fn entries(partitions: &[Partition]) -> Result<(), String> {
    for partition in partitions {
        for local in 0..partition.host.entries.len() as u32 {
            if let Some((held, taken)) = partition.entries_held_and_taken(local)
                && held != taken
            {
                let rank = partition.host.ranks[local as usize].number_and_core().0;
                return Err(format!(
                    "rank {rank} of all jobs has taken {taken} list entries, but {held} are in its lists"
                ));
            }
        }
    }
    Ok(())
}

fn queues(partition: &Partition) -> Result<(), String> {
    let mut queued = vec![0_u64; partition.switch.outputs.len()];
    for (_, packet) in partition.transit.packets.used() {
        if packet.place.queued_for != NO_INDEX {
            queued[partition.port_slot(packet.place.queued_for)] += u64::from(packet.wire_bytes);
        }
    }
    for (slot, (load, queued)) in partition.switch.loads.iter().zip(queued).enumerate() {
        if u64::from(load.queued_bytes) != queued {
            return Err(format!(
                "port {}: its request queue says {} bytes, but {queued} wait for it",
                partition.port_in(slot),
                load.queued_bytes
            ));
        }
    }
    Ok(())
}

fn shares(partition: &Partition) -> Result<(), String> {
    if partition.transit.share_bytes == 0 {
        return Ok(());
    }
    let held = partition.transit.shares.held_bytes();
    let channels = partition.shared.classes.plan.count();
    for (slot, held) in
        held.into_iter().enumerate().filter(|(slot, _)| partition.switch.wires[*slot].far_end == FarEnd::Switch)
    {
        let beyond: u64 = partition.switch.channels[slot * channels..][..channels]
            .iter()
            .map(|state| u64::from(state.used_bytes))
            .sum();
        let queued = u64::from(partition.switch.loads[slot].queued_bytes);
        if held != queued + beyond {
            return Err(format!(
                "port {}: endpoints hold {held} bytes of its link, but {queued} are queued and {beyond} taken beyond",
                partition.port_in(slot)
            ));
        }
    }
    Ok(())
}

/// Bytes of segments in switches and on links.
fn tcp_in_flight(partition: &Partition) -> u64 {
    match partition.shared.config.laws.tcp {
        Some(_) => in_flight(partition).map(|packet| stream_bytes(&packet)).sum(),
        None => 0,
    }
}

fn connections(partition: &Partition) -> Result<(), String> {
    let Some(tcp) = &partition.shared.config.laws.tcp else { return Ok(()) };
    let fault = partition.nic.tcp.all().iter().find_map(|end| end.fault(tcp.receive_buffer_bytes.into()));
    fault.map_or(Ok(()), Err)
}

fn nic_buffers(partition: &Partition) -> Result<(), String> {
    for (nic_slot, (nic, responses)) in partition.nic.nics.iter().zip(&partition.nic.responses).enumerate() {
        if nic.has_responses == responses.is_empty() {
            let endpoint = partition.layout.endpoint_base as usize + nic_slot;
            return Err(format!("endpoint {endpoint}: its responses are overlooked"));
        }
    }
    let most = partition.shared.config.node.as_ref().map_or(0, |node| u64::from(node.buffer_bytes));
    for (nic_slot, waiting) in partition.nic.buffers.waiting.iter().enumerate() {
        let (counted, account) = partition.nic.buses[nic_slot].buffered(waiting);
        let endpoint = partition.layout.endpoint_base as usize + nic_slot;
        if counted != account || account > most {
            return Err(format!(
                "endpoint {endpoint}: the buffer of its NIC has {most} bytes; {counted} wait in it, {account} are taken"
            ));
        }
    }
    let fault = |(number, memory): (usize, &philae_nic_model::Memory)| Some((number, memory.fault()?));
    match partition.nic.memories.iter().enumerate().find_map(fault) {
        Some((number, fault)) => {
            Err(format!("memory of node {number} of partition {}: {fault}", partition.layout.number))
        }
        None => Ok(()),
    }
}

fn extents(partition: &Partition) -> Result<(), String> {
    if partition.shared.partition_count() > 1 {
        return Ok(()); // A flow's packets may be in other partitions.
    }
    let mut in_fabric = vec![0_u64; partition.edge.flows.flows.capacity()];
    for packet in in_flight(partition) {
        if packet.ingress.flow != NO_INDEX && packet.hops > 0 && !packet.ingress.egressed {
            in_fabric[packet.ingress.flow as usize] += u64::from(packet.wire_bytes);
        }
    }
    for (slot, flow) in partition.edge.flows.flows.used() {
        if u64::from(flow.extent_bytes) < in_fabric[slot as usize] {
            return Err(format!(
                "flow {} -> {}: its extent is {} bytes, but {} are in the fabric",
                flow.source, flow.destination, flow.extent_bytes, in_fabric[slot as usize]
            ));
        }
        if flow.extent_bytes == 0 && flow.held_head == NO_INDEX {
            return Err(format!("flow {} -> {} has nothing left and is still there", flow.source, flow.destination));
        }
        if flow.extent_bytes == 0 && !flow.wait.waits_for_turn && flow.wait.release_at == NO_TIME {
            return Err(format!("flow {} -> {}: packets wait, and nothing wakes them", flow.source, flow.destination));
        }
    }
    Ok(())
}

/// The accounts of ingress ports: each has the extents of its flows, and every flow that waits for
/// its turn is in its port's list. Something inside will wake those that wait.
fn ingress_ports(partition: &Partition) -> Result<(), String> {
    if !partition.limits_ports() {
        return Ok(());
    }
    let mut inside = vec![0_u64; partition.edge.ingress_ports.len()];
    let mut waiting = 0_usize;
    for (_, flow) in partition.edge.flows.flows.used() {
        inside[partition.nic_slot(flow.source)] += u64::from(flow.extent_bytes);
        waiting += usize::from(flow.wait.waits_for_turn);
    }
    let mut listed = 0;
    for (slot, (port, inside)) in partition.edge.ingress_ports.iter().zip(inside).enumerate() {
        let endpoint = partition.layout.endpoint_base + slot as u32;
        let name = || format!("ingress port of endpoint {endpoint}");
        if u64::from(port.inside_bytes) != inside {
            return Err(format!(
                "{}: its account has {} bytes inside, but its flows have {inside}",
                name(),
                port.inside_bytes
            ));
        }
        let mut flow = port.first();
        if flow != NO_INDEX && inside == 0 {
            return Err(format!("{}: flows wait for their turn, but nothing is inside that would wake them", name()));
        }
        while flow != NO_INDEX {
            let state = &partition.edge.flows.flows[flow];
            listed += 1;
            if state.source != endpoint || !state.wait.waits_for_turn || state.held_head == NO_INDEX || listed > waiting
            {
                return Err(format!(
                    "{}: flow {} -> {} is in its list and does not wait for a turn there",
                    name(),
                    state.source,
                    state.destination
                ));
            }
            flow = state.wait.next_in_turn;
        }
    }
    if listed != waiting {
        return Err(format!("{waiting} flows wait for their turn at ingress ports, but {listed} are in their lists"));
    }
    Ok(())
}

/// A circle of outputs that wait for each other's buffers, for people. If there is none, what is
/// known about the stall.
pub fn waiting_cycle(partitions: &[Partition]) -> String {
    let find = |port: u32| partitions.iter().find(|partition| partition.owns_port(port));
    // From a starved output to the output for which the packets in the far buffer wait.
    let next = |port: u32| -> Option<u32> {
        let partition = find(port)?;
        let far_end = partition.switch.wires[partition.port_slot(port)].peer;
        let holder = find(far_end)?;
        holder
            .transit
            .packets
            .used()
            .filter(|(_, packet)| packet.place.port == far_end && packet.place.queued_for != NO_INDEX)
            .map(|(_, packet)| packet.place.queued_for)
            .find(|&queued_for| holder.switch.outputs[holder.port_slot(queued_for)].is_starved())
    };
    let starved = partitions.iter().flat_map(|partition| {
        let starved = partition.switch.outputs.iter().enumerate().filter(|(_, output)| output.is_starved());
        starved.map(|(slot, _)| partition.port_in(slot))
    });
    for start in starved.take(64) {
        let mut path = vec![start];
        while let Some(port) = next(path[path.len() - 1]) {
            if let Some(from) = path.iter().position(|&seen| seen == port) {
                let circle = path[from..].iter().chain([&port]);
                let topology = partitions[0].shared.topology();
                let names: Vec<String> = circle
                    .map(|&port| {
                        let index = PortIndex(port);
                        format!("switch {} port {}", topology.switch_of(index), topology.port_of(index))
                    })
                    .collect();
                return format!("These outputs wait for each other's buffers: {}", names.join(" -> "));
            }
            path.push(port);
        }
    }
    "No circle of waiting outputs was found".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn audits_wait_for_time_and_for_movements() {
        let mut schedule = AuditSchedule::default();
        let (ports, enough) = (100, 100 * MOVEMENTS_PER_PORT);
        assert!(!schedule.is_due(Picoseconds(INTERVAL.0 - 1), 2 * enough, ports), "too early");
        assert!(!schedule.is_due(INTERVAL, enough - 1, ports), "too little has moved");
        assert!(schedule.is_due(INTERVAL, enough, ports));
        assert!(!schedule.is_due(INTERVAL, 2 * enough, ports), "the next counts from this one");
        let next = INTERVAL + INTERVAL;
        assert!(!schedule.is_due(next, 2 * enough - 1, ports));
        assert!(schedule.is_due(next, 2 * enough, ports));
    }
}
