//! Ultra Ethernet's endpoints beside the system's own NICs.

use std::sync::Arc;

use philae_fabric::{FabricConfig, Job};
use philae_nic_model::{EthernetParameters, HostParameters, NicParameters, ThirdPartyTransport};
use philae_switch::port::SwitchParameters;
use philae_topology::{DragonflyDescription, EthernetDescription, SystemDescription, Topology};
use philae_traffic_class::{ClassSet, EntropyRouting, TrafficClass};
use philae_units::ClassId;

use super::uet::{control, law_of, trimmed};
use super::{config, job};

/// Nodes with Ultra Ethernet: one on each switch of [`dragonfly`].
pub fn uet_nodes() -> impl Iterator<Item = u32> + Clone {
    (0..48).step_by(4)
}

/// The other nodes.
pub fn own_nodes() -> impl Iterator<Item = u32> + Clone {
    (0..48).filter(|node| node % 4 != 0)
}

/// A system at 400 Gb/s with these endpoints third-party ones.
pub fn with(dragonfly: DragonflyDescription, endpoints: impl Iterator<Item = u32>) -> Arc<Topology> {
    let mut dragonfly = dragonfly;
    for cable in [&mut dragonfly.edge, &mut dragonfly.local, &mut dragonfly.global] {
        cable.rate_gbps = 400.0;
    }
    let attached = |endpoint| EthernetDescription {
        switch: None,
        endpoint: Some(endpoint),
        ..EthernetDescription::on_switch(0, 1, 400)
    };
    let description = SystemDescription { ethernet: endpoints.map(attached).collect(), ..dragonfly.into() };
    Arc::new(Topology::build(&description).expect("a legal system"))
}

/// 48 nodes on 12 switches in three groups.
pub fn dragonfly() -> Arc<Topology> {
    with(DragonflyDescription::uniform(3, 4, 4, 2), uet_nodes())
}

/// Class 0 is for Slingshot's jobs, class 1 for Ultra Ethernet's, and class 2 for the answers of
/// the latter: the first two have 40 % of a link at least.
pub fn classes(uet: TrafficClass) -> ClassSet {
    let own = TrafficClass { assured_percent: 40, ..TrafficClass::named("slingshot") };
    let uet = TrafficClass { assured_percent: 40, responses: Some("control".to_owned()), ..uet };
    ClassSet::new(vec![own, uet, control()], 8).expect("three classes")
}

/// Slingshot's NICs and switches under the law `fabric`, and such endpoints under `law`.
pub fn beside(fabric: &str, law: &str) -> FabricConfig {
    let mut found = FabricConfig {
        switch: SwitchParameters::rosetta_2(),
        nic: NicParameters::cassini_2(),
        host: HostParameters::cassini_2_mpi(),
        ethernet: vec![EthernetParameters {
            transport: ThirdPartyTransport::Uet,
            mtu_bytes: 9_000,
            ..EthernetParameters::standard()
        }],
        classes: classes(TrafficClass::named("ultra ethernet")),
        ..config(fabric)
    };
    found.laws.uet_law = law_of(law);
    if found.congestion.pauses_links() {
        // Headroom for the packets of three classes.
        found.switch.buffer_shared_bytes = 2_000_000;
    }
    found
}

/// The same where the class of Ultra Ethernet's jobs trims, and chooses paths by entropy.
pub fn trimming(config: FabricConfig, queue: u32) -> FabricConfig {
    let class = TrafficClass { paths: Some(EntropyRouting::Ecmp), ..trimmed("ultra ethernet", queue) };
    FabricConfig { classes: classes(class), ..config }
}

/// A job of Ultra Ethernet's nodes, in its class.
pub fn uet_job(name: &str, nodes: impl IntoIterator<Item = u32>, workload: &str) -> Job {
    Job { class: ClassId(1), ..job(name, nodes, workload, 1) }
}

/// Both kinds have an incast, a collective and random messages.
pub fn mixture() -> Vec<Job> {
    let of_uet = |part: usize| uet_nodes().skip(part).step_by(2);
    let of_own = |part: usize| own_nodes().skip(part).step_by(3);
    vec![
        uet_job("uet incast", of_uet(0), "kind = 'incast'\nbytes = '64KiB'"),
        uet_job("uet allreduce", of_uet(1), "kind = 'allreduce'\nbytes = '32KiB'\niterations = 4"),
        job("allreduce", of_own(0), "kind = 'allreduce'\nbytes = '32KiB'\niterations = 4", 1),
        job("incast", of_own(1), "kind = 'incast'\nbytes = '64KiB'", 1),
        job("mix", of_own(2), "kind = 'uniform-random'\nbytes = '20KiB'", 1),
    ]
}
