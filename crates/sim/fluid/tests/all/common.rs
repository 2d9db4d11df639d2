//! The system and the hardware of the tests.

use std::sync::Arc;

use philae_congestion::CongestionLaw;
use philae_fabric::FabricConfig;
use philae_nic_model::{HostParameters, NicParameters};
use philae_path::RoutingParameters;
use philae_switch::port::SwitchParameters;
use philae_topology::{SystemDescription, Topology};
use philae_traffic_class::ClassSet;

pub fn topology(description: impl Into<SystemDescription>) -> Arc<Topology> {
    Arc::new(Topology::build(&description.into()).expect("a legal system"))
}

pub fn config(law: &str) -> FabricConfig {
    FabricConfig {
        switch: SwitchParameters::rosetta(),
        nic: NicParameters::cassini_1(),
        ethernet: Vec::new(),
        host: HostParameters::cassini_1_mpi(),
        routing: RoutingParameters::slingshot(),
        congestion: CongestionLaw::named(law).expect("a law"),
        classes: ClassSet::single("best-effort"),
        resilience: Default::default(),
        collectives: Default::default(),
        packet_engine: None,
        node: None,
        laws: Default::default(),
    }
}
