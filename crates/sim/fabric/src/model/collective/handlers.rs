//! Contents of packets of a tree, and planned actions of NICs.

use std::collections::VecDeque;

use philae_engine::EventOrder;

use super::{Todo, TreeLoad};
use crate::model::event::Event;
use crate::model::packet::{Packet, PacketPurpose};
use crate::partition::Partition;

impl Partition {
    /// Makes room for the NICs of a partition.
    pub fn build_collectives(&mut self) {
        if self.shared.trees.is_some() {
            self.collectives.sending = vec![VecDeque::new(); self.nic.nics.len()];
            self.collectives.begun = vec![0; self.nic.nics.len()];
        }
    }

    /// Removes and returns the contents of a packet, for another partition.
    pub fn take_load(&mut self, slot: u32) -> TreeLoad {
        let load = self.collectives.loads[slot];
        self.collectives.loads.remove(slot);
        load
    }

    /// The contents of a packet, if it belongs to a tree: for a link that keeps it.
    pub fn load_of(&self, packet: &Packet) -> Option<Box<TreeLoad>> {
        (packet.kind.purpose == PacketPurpose::Collective)
            .then(|| Box::new(self.collectives.loads[packet.part.message]))
    }

    /// Stores the contents of a packet from another partition.
    pub fn put_load(&mut self, load: TreeLoad) -> u32 {
        self.collectives.loads.insert(load)
    }

    /// Plans an action of a NIC at `time`.
    pub(super) fn plan(&mut self, endpoint: u32, time: u64, todo: Todo) {
        let nic_slot = self.nic_slot(endpoint);
        let begun = self.collectives.begun[nic_slot];
        self.collectives.begun[nic_slot] = begun.wrapping_add(1);
        let todo = self.collectives.todo.insert(todo);
        let key = self.shared.places.targets.collective(time, EventOrder::Arrive, endpoint, begun);
        self.sched.calendar.push(key, Event::Collective { endpoint, todo });
    }
}
