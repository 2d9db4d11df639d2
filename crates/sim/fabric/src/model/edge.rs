//! Kinds of NIC: the system's own, and third-party Ethernet. Defines what each does, and what its
//! edge link agreed on.
//!
//! Two ends of different kinds speak standard Ethernet. Packets between them have the sizes of the
//! third-party end in both directions, because it reads nothing else. Times and the protocol of a
//! message (eager or rendezvous) are the sender's; matching is the receiver's.
//!
//! The links of the system's own NICs do not depend on this: they have a gap in the NIC's direction
//! alone, retry whatever the NIC is, and pause or credits as the NIC's parameters say.

use philae_nic_model::{EdgeHold, EdgeLink, EthernetParameters, HostProtocol, NicParameters};
use philae_results::record::EdgeLinkRow;
use philae_topology::{PortPeer, PortRole, Topology};
use philae_units::{EndpointId, PortIndex};

use crate::model::config::FabricConfig;
use crate::model::error::FabricError;
use crate::model::shared::Shared;

/// One kind of NIC.
#[derive(Clone, Debug)]
pub struct NicKind {
    /// Its parameters.
    pub nic: NicParameters,
    /// How the switch holds it back.
    pub hold: EdgeHold,
    /// Whether its link sends damaged frames again.
    pub retry: bool,
    /// Bytes of gap that the switch leaves after each frame towards it, beyond what frames count.
    pub egress_gap_bytes: u8,
    /// Whether it has Ultra Ethernet's transport.
    pub is_uet: bool,
    /// For a third-party endpoint, its parameters and what its link agreed on.
    pub ethernet: Option<(EthernetParameters, EdgeLink)>,
}

/// All kinds of a system, its own first.
#[derive(Clone, Debug)]
pub struct NicKinds {
    kinds: Vec<NicKind>,
    /// Form of the packets from one kind to another: `from * kinds + to`.
    forms: Vec<NicParameters>,
}

impl NicKinds {
    /// The kinds that a topology needs.
    ///
    /// # Errors
    /// [`FabricError::Parameter`] for a third-party endpoint without a description, and for
    /// parameters that no port can have.
    pub fn new(topology: &Topology, config: &FabricConfig) -> Result<Self, FabricError> {
        let needed = endpoints(topology).map(|endpoint| topology.endpoint(endpoint).kind).max().unwrap_or(0);
        if usize::from(needed) > config.ethernet.len() {
            let found = format!("a system with third-party endpoints, and {} kinds of them", config.ethernet.len());
            return Err(FabricError::Parameter { what: "hardware.ethernet", found, works: "parameters for each kind" });
        }
        let own = NicKind {
            nic: config.nic.clone(),
            hold: if config.nic.edge_pause { EdgeHold::Pause } else { EdgeHold::Credits },
            retry: true,
            egress_gap_bytes: 0,
            is_uet: config.congestion.is_ultra_ethernet(),
            ethernet: None,
        };
        let mut kinds = vec![own];
        for parameters in &config.ethernet[..usize::from(needed)] {
            kinds.push(third_party(parameters)?);
        }
        let forms = kinds.iter().flat_map(|from| kinds.iter().map(|to| form(from, to))).collect();
        Ok(Self { kinds, forms })
    }

    /// Whether there is more than one kind.
    #[inline]
    pub fn are_mixed(&self) -> bool {
        self.kinds.len() > 1
    }

    /// All kinds.
    pub fn all(&self) -> &[NicKind] {
        &self.kinds
    }

    /// The NIC of the kind that has Ultra Ethernet's transport, if there is one.
    pub fn uet(&self) -> Option<&NicParameters> {
        self.kinds.iter().find(|kind| kind.is_uet).map(|kind| &kind.nic)
    }

    /// Endpoints with Ultra Ethernet's transport.
    pub fn uet_endpoints(&self, topology: &Topology) -> Vec<EndpointId> {
        let is_uet = |endpoint: &EndpointId| self.kinds[usize::from(topology.endpoint(*endpoint).kind)].is_uet;
        endpoints(topology).filter(is_uet).collect()
    }

    /// All forms of packets.
    pub fn forms(&self) -> &[NicParameters] {
        &self.forms
    }
}

fn third_party(parameters: &EthernetParameters) -> Result<NicKind, FabricError> {
    let refuse = |what, found: u32, works| Err(FabricError::Parameter { what, found: found.to_string(), works });
    if ![1_500, 9_000].contains(&parameters.mtu_bytes) {
        return refuse("hardware.ethernet.mtu_bytes", parameters.mtu_bytes, "1500 or 9000");
    }
    if !(1..=128).contains(&parameters.receive_queues) {
        return refuse("hardware.ethernet.receive_queues", parameters.receive_queues, "1 to 128");
    }
    let in_frames = "false: frames of Ultra Ethernet have their size and gap by `hardware.uet.frame_gap_bytes`";
    let offers =
        [("hardware.ethernet.short_frames", parameters.short_frames), ("hardware.ethernet.no_gap", parameters.no_gap)];
    if let Some((what, _)) = offers.into_iter().find(|(_, offered)| *offered && parameters.is_uet()) {
        let found = "true, with transport = \"uet\"".to_owned();
        return Err(FabricError::Parameter { what, found, works: in_frames });
    }
    if let Some((what, found, works)) = parameters.idle_key() {
        return Err(FabricError::Parameter { what, found, works });
    }
    let link = parameters.edge_link();
    Ok(NicKind {
        nic: parameters.nic(),
        hold: link.hold,
        retry: link.retry,
        egress_gap_bytes: if parameters.is_uet() { 0 } else { link.gap_bytes as u8 },
        is_uet: parameters.is_uet(),
        ethernet: Some((parameters.clone(), link)),
    })
}

/// Form of the packets from one kind to another, which both ends can read.
fn form(from: &NicKind, to: &NicKind) -> NicParameters {
    match (&from.ethernet, &to.ethernet) {
        (None, None) | (Some(_), None) => from.nic.clone(),
        (None, Some(_)) => to.nic.clone(),
        (Some(_), Some(_)) => NicParameters {
            payload_max_bytes: from.nic.payload_max_bytes.min(to.nic.payload_max_bytes),
            frame_min_bytes: from.nic.frame_min_bytes.max(to.nic.frame_min_bytes),
            ..from.nic.clone()
        },
    }
}

fn endpoints(topology: &Topology) -> impl Iterator<Item = EndpointId> {
    (0..topology.endpoint_count()).map(EndpointId::from_index)
}

impl Shared {
    /// The kind of an endpoint.
    pub fn kind(&self, endpoint: u32) -> &NicKind {
        &self.kinds.kinds[usize::from(self.topology().endpoint(EndpointId(endpoint)).kind)]
    }

    /// Whether an endpoint's NIC has Ultra Ethernet's transport. Both ends of a pair have it, or
    /// none.
    #[inline]
    pub fn is_uet(&self, endpoint: u32) -> bool {
        if self.kinds.are_mixed() { self.kind(endpoint).is_uet } else { self.kinds.kinds[0].is_uet }
    }

    /// The parameters of an endpoint's NIC.
    #[inline]
    pub fn nic(&self, endpoint: u32) -> &NicParameters {
        if self.kinds.are_mixed() { &self.kind(endpoint).nic } else { &self.config.nic }
    }

    /// The protocol of an endpoint's host and NIC.
    #[inline]
    pub fn protocol(&self, endpoint: u32) -> HostProtocol<'_> {
        HostProtocol { host: &self.config.host, nic: self.nic(endpoint) }
    }

    /// The form of the packets from one endpoint to another.
    #[inline]
    pub fn form(&self, source: u32, destination: u32) -> &NicParameters {
        if !self.kinds.are_mixed() {
            return &self.config.nic;
        }
        let kind = |endpoint| usize::from(self.topology().endpoint(EndpointId(endpoint)).kind);
        &self.kinds.forms[kind(source) * self.kinds.kinds.len() + kind(destination)]
    }

    /// Whether packets of a class from one endpoint to another stay in order.
    #[inline]
    pub fn is_ordered(&self, class: u8, source: u32, destination: u32) -> bool {
        if !self.kinds.are_mixed() {
            return self.classes.rules[usize::from(class)].ordered;
        }
        self.is_ordered_between(class, source, destination)
    }

    /// The same if there is more than one kind of NIC.
    #[cold]
    #[inline(never)]
    fn is_ordered_between(&self, class: u8, source: u32, destination: u32) -> bool {
        let asked = self.config.classes.classes()[usize::from(class)].ordered;
        asked.unwrap_or_else(|| self.form(source, destination).ordered)
    }
}

/// What each edge link of a system with third-party endpoints agreed on; empty for other systems.
pub fn rows(shared: &Shared) -> Vec<EdgeLinkRow> {
    let topology = shared.topology();
    if !shared.kinds.are_mixed() {
        return Vec::new();
    }
    let row = |port: PortIndex| {
        let PortPeer::Endpoint(endpoint) = topology.port(port).peer else { return None };
        let kind = shared.kind(endpoint.0);
        let (agreed, withheld) = match &kind.ethernet {
            Some((_, link)) => (link.names(), link.withheld()),
            None => (String::new(), String::new()),
        };
        let in_frames = if kind.is_uet { shared.config.laws.uet.frame_gap_bytes } else { 0 };
        Some(EdgeLinkRow {
            port,
            endpoint,
            third_party: kind.ethernet.is_some(),
            rate_mbps: topology.rate(port).0,
            agreed,
            withheld,
            frame_min_bytes: kind.nic.frame_min_bytes,
            nic_gap_bytes: kind.nic.edge_gap_bytes + in_frames,
            switch_gap_bytes: u32::from(kind.egress_gap_bytes) + in_frames,
            retry: kind.retry,
            hold: kind.hold.name(),
        })
    };
    let edge = |port: &PortIndex| topology.port(*port).role == PortRole::Edge;
    (0..topology.port_count()).map(PortIndex::from_index).filter(edge).filter_map(row).collect()
}
