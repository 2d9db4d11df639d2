//! What all partitions of a run share: hardware and laws, and the numbering of everything.

use std::sync::Arc;

use philae_congestion::{CongestionLaw, MarkThresholds, UetLaw};
use philae_link_layer::LinkParameters;
use philae_nic_model::BusTable;
use philae_path::{Router, RoutingMode};
use philae_switch::port::ChannelPlan;
use philae_topology::Topology;
use philae_traffic_class::ClassSchedule;
use philae_units::{PortIndex, SwitchId};

use crate::model::collective::Trees;
use crate::model::config::{FabricConfig, RunOptions};
use crate::model::edge::NicKinds;
use crate::model::event::EventTargets;
use crate::model::overlay::Overlay;

/// What all partitions share. It does not change during a run.
pub struct Shared {
    /// Hardware and laws.
    pub config: FabricConfig,
    /// The kind of each NIC.
    pub kinds: NicKinds,
    pub options: RunOptions,
    pub router: Router,
    /// Link parameters; without noise unless the scenario asks for it.
    pub link: LinkParameters,
    /// Whether each job's messages are kept as rows.
    pub job_records: Vec<bool>,
    /// Collective trees, if a job leaves operations to the switches.
    pub trees: Option<Trees>,
    /// The packet engine at the edge, if there is a program.
    pub overlay: Option<Overlay>,
    /// Times on the buses of nodes.
    pub bus_table: BusTable,
    pub places: Places,
    pub classes: ClassPlan,
    pub traits: RunTraits,
}

/// Who is where: the numbering of targets, partitions, ranks and gateways.
pub struct Places {
    /// The numbering of event targets.
    pub targets: EventTargets,
    pub partition_of_switch: Vec<u16>,
    /// The slot of each port in the columns of its partition.
    pub port_slots: Arc<[u32]>,
    /// The location of each rank, counted over all jobs.
    pub ranks: Vec<RankEntry>,
    /// First rank of each job.
    pub rank_base: Vec<u32>,
    /// Routes between fabrics, through gateway nodes.
    pub gateways: crate::model::fabric_gateway::FabricGateways,
}

/// Traffic classes and channels: how buffers and outputs are divided.
pub struct ClassPlan {
    /// How the channels divide the input buffers.
    pub plan: ChannelPlan,
    /// Behaviour of packets by traffic class.
    pub rules: Vec<ClassRule>,
    /// How classes share a link; `None` where no class needs scheduling.
    pub schedule: Option<ClassSchedule>,
    /// How classes share the output of a NIC; `None` where no class needs scheduling.
    pub host_schedule: Option<ClassSchedule>,
    pub job_class: Vec<u8>,
}

/// What a run does beyond moving packets. It decides which checks handlers need.
pub struct RunTraits {
    /// Whether a packet needs a flow at its ingress port.
    pub tracks_flows: bool,
    /// Whether congestion inside the fabric moves ordered flows.
    pub moves_flows: bool,
    /// Where switches mark packets for their receivers, if they do. Those of Ultra Ethernet's
    /// transport have thresholds of their own.
    pub marks: Option<MarkThresholds>,
    /// What Ultra Ethernet's transport adds.
    pub uet: UetTraits,
    /// Whether links are modelled frame by frame.
    pub has_link_layer: bool,
    /// Whether all links have one rate, for the whole run. If so, no output runs dry behind a slow
    /// input.
    pub has_equal_rates: bool,
    /// Whether NICs have a limited number of list entries, or software matches.
    pub limits_entries: bool,
    /// Whether NICs keep what they sent until it is acknowledged.
    pub is_reliable: bool,
    /// Whether some ranks are processes.
    pub has_processes: bool,
    /// Whether NICs answer with packets.
    pub responds: bool,
    /// Whether some NICs answer each packet, and not only the last of a message.
    pub responds_to_each: bool,
    /// The shortest time before another switch or a NIC can see an effect of a packet's request for
    /// an output, in picoseconds. 0: requests are not deferred.
    pub unseen_ps: u64,
}

/// What holds for a whole run in which NICs have Ultra Ethernet's transport; nothing for others.
#[derive(Clone, Debug, Default)]
pub struct UetTraits {
    /// The law of its contexts.
    pub law: UetLaw,
    /// Where switches mark its packets.
    pub marks: Option<MarkThresholds>,
    /// The longest round trip of a packet and its response without queues, in picoseconds.
    pub round_trip: u64,
    /// The sizes of the formats, if packets have them.
    pub sizes: Option<philae_nic_model::UetSizes>,
}

/// Behaviour of a traffic class's packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassRule {
    /// Packets of a flow stay in order.
    pub ordered: bool,
    /// How the paths of its packets are chosen.
    pub mode: RoutingMode,
    /// Extra weight of nonminimal paths, in per cent.
    pub nonminimal_bias_percent: u32,
    /// Class of the responses to packets of this class.
    pub responses: u8,
    /// An output discards packets of this class while its queue of them is longer than this, in
    /// bytes.
    pub queue_max_bytes: Option<u32>,
    /// It trims them instead.
    pub trims: bool,
    /// The most of a link that its packets can have, in per cent.
    pub most_percent: u32,
}

/// The location of a rank.
#[derive(Clone, Copy, Debug)]
pub struct RankEntry {
    /// The endpoint through which it sends and receives.
    pub endpoint: u32,
    pub node: u32,
    pub job: u16,
    pub partition: u16,
    /// Index in its partition's list.
    pub local: u32,
}

impl Shared {
    pub fn topology(&self) -> &Arc<Topology> {
        self.router.topology()
    }

    /// Number of partitions.
    pub fn partition_count(&self) -> usize {
        self.places.partition_of_switch.iter().max().map_or(0, |&last| usize::from(last) + 1)
    }

    pub fn partition_of_end(&self, end: u32) -> u16 {
        if end < self.places.targets.ports {
            self.places.partition_of_switch[switch_of(self, end).index()]
        } else {
            self.partition_of_endpoint(end - self.places.targets.ports)
        }
    }

    #[inline]
    pub fn partition_of_endpoint(&self, endpoint: u32) -> u16 {
        let switch = self.topology().switch_of_endpoint(philae_units::EndpointId(endpoint));
        self.places.partition_of_switch[switch.index()]
    }
}

/// Parameters of the Slingshot law, if that is the law.
pub fn slingshot(law: &CongestionLaw) -> Option<&philae_congestion::SlingshotParameters> {
    match law {
        CongestionLaw::Slingshot(parameters) => Some(parameters),
        CongestionLaw::None | CongestionLaw::Aries(_) | CongestionLaw::Ecn(_) | CongestionLaw::Pfc(_) => None,
        CongestionLaw::Nscc(_) | CongestionLaw::Rccc(_) => None,
    }
}

#[inline]
pub fn switch_of(shared: &Shared, port: u32) -> SwitchId {
    shared.topology().switch_of(PortIndex(port))
}
