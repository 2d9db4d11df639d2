//! Words for the contents of a record: the strings of the tables, and names by identifier.

use philae_units::{ClassId, GroupId, JobId, PortIndex};

use crate::record::{CongestionKind, LinkRole, MessageKind, PortInfo, RunRecord, RunStatus};

impl MessageKind {
    /// Its name in the tables.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Eager => "eager",
            Self::Rendezvous => "rendezvous",
            Self::Put => "put",
            Self::Get => "get",
            Self::Amo => "amo",
            Self::Local => "local",
        }
    }
}

impl LinkRole {
    /// Every role, in the order of `RunRecord::ports_by_role`.
    pub const ALL: [Self; 3] = [Self::Edge, Self::Local, Self::Global];

    /// Its name in the tables.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Edge => "edge",
            Self::Local => "local",
            Self::Global => "global",
        }
    }

    /// As an index into `RunRecord::ports_by_role`.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl CongestionKind {
    /// Every kind, in a fixed order.
    pub const ALL: [Self; 9] = [
        Self::EndpointOnset,
        Self::EndpointEnd,
        Self::FlowHeld,
        Self::FlowReleased,
        Self::PauseStart,
        Self::PauseEnd,
        Self::Marked,
        Self::Discarded,
        Self::FlowMoved,
    ];

    /// Its name in the tables.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::EndpointOnset => "endpoint_onset",
            Self::EndpointEnd => "endpoint_end",
            Self::FlowHeld => "flow_held",
            Self::FlowReleased => "flow_released",
            Self::PauseStart => "pause_start",
            Self::PauseEnd => "pause_end",
            Self::Marked => "marked",
            Self::Discarded => "discarded",
            Self::FlowMoved => "flow_moved",
        }
    }

    /// As a sentence fragment for people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::EndpointOnset => "endpoint congestion began",
            Self::EndpointEnd => "endpoint congestion ended",
            Self::FlowHeld => "flow held at its ingress",
            Self::FlowReleased => "flow released",
            Self::PauseStart => "NIC paused",
            Self::PauseEnd => "NIC resumed",
            Self::Marked => "packet marked (ECN)",
            Self::Discarded => "packet discarded",
            Self::FlowMoved => "flow moved by congestion inside the fabric",
        }
    }
}

impl RunStatus {
    /// Its name in the manifest.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::TimeLimit => "time_limit",
            Self::Interrupted => "interrupted",
            Self::Unfinished => "unfinished",
        }
    }
}

impl PortInfo {
    /// Group and switch at the other end of the cable, both as `group` and `switch` count; `None`
    /// for an endpoint.
    #[must_use]
    pub fn peer_switch(&self) -> Option<(u32, u32)> {
        let mut words = self.peer.split(' ');
        let mut number =
            |name: &str| words.next().filter(|word| *word == name).and_then(|_| words.next()?.parse().ok());
        Some((number("group")?, number("switch")?))
    }

    /// The group at the other end of the cable, read from `peer` if it says "group N ..."; `None`
    /// for an endpoint.
    #[must_use]
    pub fn peer_group(&self) -> Option<GroupId> {
        let number = self.peer.strip_prefix("group ")?.split(' ').next()?;
        number.parse().ok().map(GroupId)
    }
}

/// Marks a port without an entry in `port_info`.
const ABSENT: u32 = u32::MAX;

/// Names for the ids in a record's rows, found in constant time.
#[derive(Debug)]
pub struct RowNames<'r> {
    record: &'r RunRecord,
    /// Position in `port_info`, by port.
    port_positions: Vec<u32>,
}

impl<'r> RowNames<'r> {
    /// Indexes a record.
    #[must_use]
    pub fn new(record: &'r RunRecord) -> Self {
        let ports = record.port_info.iter().map(|info| info.index.index() + 1).max().unwrap_or(0);
        let mut port_positions = vec![ABSENT; ports];
        for (position, info) in record.port_info.iter().enumerate() {
            port_positions[info.index.index()] = position as u32;
        }
        Self { record, port_positions }
    }

    /// The indexed record.
    #[must_use]
    pub const fn record(&self) -> &'r RunRecord {
        self.record
    }

    /// A job's name; `None` for a job that the record does not list.
    #[must_use]
    pub fn job(&self, job: JobId) -> Option<&'r str> {
        self.record.jobs.get(job.index()).map(|info| info.name.as_str())
    }

    /// A traffic class's name; `None` for one that the record does not list.
    #[must_use]
    pub fn class(&self, class: ClassId) -> Option<&'r str> {
        self.record.classes.get(class.index()).map(String::as_str)
    }

    /// The description of a port; `None` for one that the record does not list.
    #[must_use]
    pub fn port(&self, port: PortIndex) -> Option<&'r PortInfo> {
        self.port_position(port).map(|position| &self.record.port_info[position])
    }

    /// A port's position in `RunRecord::port_info`.
    #[must_use]
    pub fn port_position(&self, port: PortIndex) -> Option<usize> {
        self.port_positions.get(port.index()).filter(|&&position| position != ABSENT).map(|&position| position as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use philae_units::{LinkRate, PortId, SwitchId};

    fn port(peer: &str) -> PortInfo {
        PortInfo {
            index: PortIndex(70),
            switch: SwitchId(1),
            group: GroupId(0),
            port: PortId(6),
            role: LinkRole::Global,
            peer: peer.to_owned(),
            rate: LinkRate::from_gbps(200),
        }
    }

    #[test]
    fn the_peer_group_is_read_from_the_peer() {
        assert_eq!(port("group 3 switch 7 port 41").peer_group(), Some(GroupId(3)));
        assert_eq!(port("endpoint 112 (node 56 NIC 0)").peer_group(), None);
    }

    #[test]
    fn words_match_what_serde_writes() {
        for kind in CongestionKind::ALL {
            assert_eq!(serde_json::json!(kind), kind.as_str());
        }
        for role in LinkRole::ALL {
            assert_eq!(serde_json::json!(role), role.as_str());
        }
    }
}
