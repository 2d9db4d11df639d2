//! Applies faults: links, lanes, switches and NICs fail and recover, and the routing tables learn
//! of it.

use philae_results::fault::DiscardCause;
use philae_topology::PortPeer;
use philae_units::PortIndex;

use crate::model::event::Event;
use crate::model::output::FarEnd;
use crate::model::resilience::{FaultKind, FaultTarget};
use crate::model::timeline::{FaultChange, ports_of};
use crate::partition::Partition;

impl Partition {
    /// Applies the changes that are due, before everything else of their time.
    pub fn apply_due_faults(&mut self) {
        while let Some(change) = self.fault.timeline.pop_due(self.clock.now()) {
            self.apply(change);
        }
        if let Some(time) = self
            .fault
            .timeline
            .next_time()
            .filter(|&time| time < self.fault.fault_at || self.fault.fault_at <= self.clock.now())
        {
            self.fault.fault_at = time;
            self.sched.calendar.push(self.shared.places.targets.fault(time), Event::Fault);
        }
    }

    fn apply(&mut self, change: FaultChange) {
        let topology = std::sync::Arc::clone(self.shared.topology());
        let cause = match change.what.target {
            FaultTarget::Link(_) => DiscardCause::LinkDown,
            FaultTarget::Switch(_) => DiscardCause::SwitchDown,
            FaultTarget::Nic(_) => DiscardCause::NicDown,
        };
        if change.begins {
            self.fault.latest_fault = Some(change.fault);
            self.fault.fault_log.push((change.what, None));
        } else if let Some((_, ended)) = self.fault.fault_log.get_mut(change.fault as usize) {
            *ended = Some(change.time);
        }
        for port in ports_of(&topology, change.what.target) {
            let far_end = match topology.port(port).peer {
                PortPeer::Port(peer) => peer.0,
                PortPeer::Endpoint(endpoint) => self.nic_end(endpoint.0),
                PortPeer::None => continue,
            };
            let ends: &[u32] = if change.what.kind == FaultKind::Pause { &[port.0] } else { &[port.0, far_end] };
            for &end in ends {
                if self.owns_end(end) {
                    self.apply_to_end(end, change, cause);
                }
            }
        }
    }

    /// Applies the beginning or the end of a fault to one end of a link.
    fn apply_to_end(&mut self, end: u32, change: FaultChange, cause: DiscardCause) {
        let end_slot = self.end_slot(end);
        if change.begins {
            self.fault.ends[end_slot].fault = change.fault;
        }
        match (change.what.kind, change.begins) {
            (FaultKind::Down, true) => self.end_down(end, cause),
            (FaultKind::Down, false) => self.end_up(end),
            (FaultKind::Lanes(count), true) => self.lose_lanes(end, change.fault, count),
            (FaultKind::Lanes(_), false) => self.regain_lanes(end, change.fault),
            (FaultKind::Pause, true) => {
                self.fault.ends[end_slot].paused = true;
                let time = self.clock.now() + self.shared.config.resilience.pause_guard_ns * 1_000;
                self.sched
                    .calendar
                    .push(self.shared.places.targets.pause_guard(time, end), Event::PauseGuard { port: end });
            }
            (FaultKind::Pause, false) => {
                (self.fault.ends[end_slot].paused, self.fault.ends[end_slot].guarded) = (false, false);
                self.wake_end(end);
            }
        }
    }

    /// A NIC has paused its switch for the longest time that it may.
    pub fn pause_guard(&mut self, port: u32) {
        let port_slot = self.port_slot(port);
        if self.fault.ends[port_slot].paused && !self.fault.ends[port_slot].guarded {
            self.fault.ends[port_slot].guarded = true;
            self.drain_output(port, DiscardCause::PauseGuard);
        }
    }

    /// Tells the tables of all switches, after the rerouting time, that a port is down or up again.
    /// Of the two ends of a link the one with the lower number tells.
    pub fn notify_tables(&mut self, port: u32, down: bool) {
        let wire = self.switch.wires[self.port_slot(port)];
        if wire.far_end == FarEnd::Switch && wire.peer < port {
            return;
        }
        let time = self.clock.now() + self.shared.config.resilience.reroute_ns * 1_000;
        let key = self.shared.places.targets.tables(time, port, down);
        for partition in 0..self.shared.partition_count() as u16 {
            self.push_to(partition, key, Event::Tables { port, down });
        }
    }

    /// The tables learn about both ends of a link.
    pub fn tables_notified(&mut self, port: u32, down: bool) {
        self.fault.health.report(port, down);
        if let PortPeer::Port(peer) = self.shared.topology().port(PortIndex(port)).peer {
            self.fault.health.report(peer.0, down);
        }
    }
}
