//! Deferred requests, which wait until the memory of their outputs is in the cache.
//!
//! The route choice of a packet has just picked the output, whose state is not in the cache yet. So
//! the output is prefetched, and the request is made after two others have been deferred behind it.
//!
//! The delay does not show in the results, for three reasons:
//! - Until the request is made, no other event at its switch is handled.
//! - A route choice that has read the load of the request's output is made again after the request.
//! - An effect of the request elsewhere takes at least the propagation of a link, and no event so
//!   late is handled.

mod flush;

use philae_topology::{PortPeer, Topology};
use philae_units::{PortId, PortIndex};

use crate::memory::slab::NO_INDEX;
use crate::model::output::NO_TIME;

/// Stands for a switch's first port where there is no request. No port lies less than a radix
/// beyond it.
const NO_SWITCH: u32 = u32::MAX / 2;

/// A deferred request.
#[derive(Clone, Copy, Debug)]
struct Request {
    /// When it is made, in picoseconds.
    time: u64,
    packet: u32,
    port: u32,
    /// The port's slot.
    port_slot: u32,
    /// First port of the switch; `NO_SWITCH`: there is no request.
    switch: u32,
    /// Index of the channel in its column, and the packet's input.
    channel: u32,
    input: PortId,
}

impl Request {
    const NONE: Self =
        Self { time: 0, packet: 0, port: NO_INDEX, port_slot: 0, switch: NO_SWITCH, channel: 0, input: PortId(0) };

    #[inline]
    const fn waits(&self) -> bool {
        self.switch != NO_SWITCH
    }

    /// Whether it is made at the switch of a port.
    #[inline]
    const fn is_at(&self, port: u32, radix: u32) -> bool {
        port.wrapping_sub(self.switch) < radix
    }
}

/// The deferred requests, two at most. So each is read once in between, when its output has come,
/// and what the output names is prefetched. Source: ours. Status: assumed.
#[derive(Clone, Copy, Debug)]
pub struct DeferredRequests {
    requests: [Request; 2],
    /// Index of the newer one.
    newer: usize,
    /// Before this time no other switch and no NIC sees an effect of them, in picoseconds.
    /// `NO_TIME` if there are none.
    unseen_until: u64,
    /// Requests that have waited for two others.
    #[cfg(test)]
    waited: u64,
}

impl Default for DeferredRequests {
    fn default() -> Self {
        Self {
            requests: [Request::NONE; 2],
            newer: 0,
            unseen_until: NO_TIME,
            #[cfg(test)]
            waited: 0,
        }
    }
}

impl DeferredRequests {
    /// Before this time no other switch and no NIC sees an effect of the deferred requests, in
    /// picoseconds. `NO_TIME` if there are none.
    #[inline]
    pub const fn unseen_until(&self) -> u64 {
        self.unseen_until
    }

    /// Whether there are any.
    #[inline]
    pub const fn any(&self) -> bool {
        self.unseen_until != NO_TIME
    }

    /// The outputs that are being prefetched; `NO_INDEX` stands for no output.
    #[inline]
    pub const fn ports(&self) -> [u32; 2] {
        [self.requests[0].port, self.requests[1].port]
    }

    /// Whether any of them is made at the switch of a port.
    #[inline]
    const fn has_switch_of(&self, port: u32, radix: u32) -> bool {
        self.requests[0].is_at(port, radix) | self.requests[1].is_at(port, radix)
    }

    /// Removes and returns those at the switch of a port, oldest first.
    #[inline]
    fn take_of(&mut self, port: u32, radix: u32) -> [Request; 2] {
        let mut taken = [Request::NONE; 2];
        for (taken, index) in taken.iter_mut().zip([1 - self.newer, self.newer]) {
            if self.requests[index].is_at(port, radix) {
                *taken = std::mem::replace(&mut self.requests[index], Request::NONE);
            }
        }
        if !self.requests[0].waits() && !self.requests[1].waits() {
            self.unseen_until = NO_TIME;
        }
        taken
    }
}

/// The shortest time before another switch or a NIC sees an effect of a request, in picoseconds:
/// the effect crosses a link to get there.
pub fn unseen_ps(topology: &Topology) -> u64 {
    let ports = (0..topology.port_count() as u32).map(PortIndex);
    let used = ports.filter(|&port| topology.port(port).peer != PortPeer::None);
    used.map(|port| topology.propagation(port).0).min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use philae_topology::{DragonflyDescription, FatTreeDescription, SystemDescription};
    use philae_units::Picoseconds;

    use crate::tests::{config, job_of, topology};
    use crate::{ExecutionOptions, RunOptions, Simulation};

    /// Returns how many requests waited for two others in 100 us, and the digest.
    fn run(system: SystemDescription, far_ports_min: usize, by_reference: bool) -> (u64, u64) {
        let options = RunOptions {
            execution: ExecutionOptions {
                far_ports_min,
                block_ports_min: 0,
                block_events_min: 0,
                ..ExecutionOptions::default()
            },
            ..RunOptions::default()
        };
        let job = job_of("kind = 'uniform-random'\nbytes = '64KiB'\niterations = 20", 64);
        let mut simulation =
            Simulation::new(topology(system), config("slingshot"), options, vec![job]).expect("it builds");
        let lookahead = simulation.lookahead.0;
        if by_reference {
            simulation.use_reference_scheduler();
        }
        let partition = &mut simulation.partitions_mut()[0];
        for window in 1..=Picoseconds::from_micros(100).0 / lookahead {
            let end = Picoseconds(window * lookahead);
            if by_reference {
                partition.run_by_reference(end)
            } else {
                partition.run_until(end)
            }
            assert!(!partition.sched.deferred.any(), "none waits from window to window");
        }
        (partition.sched.deferred.waited, partition.clock.digest.value())
    }

    #[test]
    fn deferred_requests_change_no_result() {
        let systems: [SystemDescription; 2] =
            [DragonflyDescription::uniform(4, 4, 4, 1).into(), FatTreeDescription::three_level(4, 4, 4, 4, 4).into()];
        for system in systems {
            let (_, oracle) = run(system.clone(), usize::MAX, true);
            let (none, immediate) = run(system.clone(), usize::MAX, false);
            let (waited, deferred) = run(system, 0, false);
            assert_eq!((none, immediate, deferred), (0, oracle, oracle));
            assert!(waited > 3_000, "{waited} requests waited");
        }
    }
}
