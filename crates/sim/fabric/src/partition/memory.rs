//! The memory that a partition holds, part by part.

use philae_nic_core::nic::MatchPools;
use philae_nic_model::{ConnectionCache, Memory};

use crate::model::host::RankState;
use crate::model::matching::RankEntries;
use crate::model::nic::Nic;
use crate::model::response::Responses;
use crate::partition::Partition;
use crate::partition::parts::{EdgeState, HostState, NicState, SwitchState, TransitState};

/// Memory of a column.
const fn column<T>(column: &Vec<T>) -> usize {
    column.capacity() * size_of::<T>()
}

impl Partition {
    /// What holds memory, and how many bytes.
    pub fn memory_parts(&self) -> Vec<(&'static str, usize)> {
        let SwitchState { wires, outputs, loads, channels, accounts, commons, .. } = &self.switch;
        let SwitchState { class_queued, link_buffers, buffered, voqs, fair_queues, .. } = &self.switch;
        let EdgeState { edge_buffers, paused_since, congested, flows, ingress_ports, .. } = &self.edge;
        let TransitState { packets, links, shares, share_queues, .. } = &self.transit;
        let NicState { nics, buses, connections, buffers, memories, retries, responses, .. } = &self.nic;
        let NicState { nic_accounts, nic_commons, nic_flows, outgoing, incoming, foreign, tcp, .. } = &self.nic;
        let HostState { ranks, match_pools, entries, withheld, .. } = &self.host;
        let credits: usize = outputs.iter().map(|output| output.credits().memory_bytes()).sum();
        let entries = entries.iter().map(|rank| size_of::<RankEntries>() + rank.memory_bytes());
        vec![
            ("wires of ports", column(wires)),
            ("outputs of ports", column(outputs)),
            ("loads of ports", column(loads)),
            ("channels of ports", column(channels)),
            ("flow queues of channels", fair_queues.memory_bytes()),
            ("shares of links", shares.memory_bytes() + share_queues.memory_bytes()),
            ("traffic of ports", self.record.recorder.memory_bytes()),
            ("classes of ports", column(accounts) + column(commons) + column(class_queued) + column(link_buffers)),
            ("credits on their way", credits),
            ("virtual output queues", voqs.memory_bytes()),
            ("switches", column(buffered) + column(&self.switch.route_random) + column(&self.switch.switch_random)),
            ("NICs", nics.iter().map(Nic::memory_bytes).sum()),
            (
                "edge ports",
                column(edge_buffers) + column(paused_since) + congested.memory_bytes() + column(ingress_ports),
            ),
            ("buses of NICs", column(buses) + buffers.memory_bytes()),
            ("connections of NICs", connections.iter().map(ConnectionCache::memory_bytes).sum()),
            ("memories of nodes", memories.iter().map(Memory::memory_bytes).sum()),
            ("responses of NICs", responses.iter().map(Responses::memory_bytes).sum()),
            ("classes of NICs", column(nic_accounts) + column(nic_commons)),
            ("retries, without what they keep", column(retries)),
            ("ends of links, without what they keep", column(&self.fault.ends)),
            ("connections of TCP", tcp.memory_bytes()),
            ("contexts of Ultra Ethernet", self.nic.uet.as_ref().map_or(0, |uet| uet.memory_bytes())),
            ("ranks", ranks.iter().map(RankState::memory_bytes).sum()),
            ("match lists", MatchPools::memory_bytes(match_pools) + entries.sum::<usize>() + withheld.memory_bytes()),
            ("packets", packets.memory_bytes() + links.memory_bytes()),
            ("flows", flows.memory_bytes() + nic_flows.memory_bytes()),
            ("messages", outgoing.memory_bytes() + incoming.memory_bytes() + foreign.memory_bytes()),
            ("records", self.record.observer.memory_bytes()),
            ("events", self.sched.calendar.memory_bytes()),
        ]
    }

    /// Memory held by the model, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        self.memory_parts().iter().map(|(_, bytes)| *bytes as u64).sum()
    }
}
