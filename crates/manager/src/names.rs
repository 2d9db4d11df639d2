//! The names of a fabric, as agents and the judgement ask for them.

use std::sync::Arc;

use philae_agent::Names;
use philae_control::Expected;
use philae_inventory::Fabric;
use philae_topology::FabricAddress;
use philae_units::{PortIndex, SwitchId};

/// Names and addresses of a fabric.
#[derive(Debug)]
pub struct FabricNames(pub Arc<Fabric>);

impl Names for FabricNames {
    fn switch(&self, switch: SwitchId) -> String {
        self.0.bmc_xname(switch).to_string()
    }

    fn nid(&self, port: PortIndex) -> Option<u32> {
        Expected::nid(self, port)
    }

    fn model(&self, switch: SwitchId) -> String {
        self.0.model(switch).name().to_owned()
    }
}

impl Expected for FabricNames {
    /// By its place in the fabric where addresses have no room for it (beyond 511 groups): then neighbours are compared by place.
    fn nid(&self, port: PortIndex) -> Option<u32> {
        Some(self.0.address(port).map_or(port.0 | PLACE, FabricAddress::nid))
    }

    fn port(&self, nid: u32) -> Option<PortIndex> {
        if nid & PLACE != 0 {
            return Some(PortIndex(nid & !PLACE)).filter(|port| port.index() < self.0.port_count());
        }
        FabricAddress::from_nid(nid).ok().and_then(|address| self.0.port_of_address(address))
    }
}

/// Marks a number that is a place: addresses have 20 bits.
const PLACE: u32 = 1 << 30;
