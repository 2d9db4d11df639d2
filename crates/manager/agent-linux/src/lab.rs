//! A fabric of network namespaces on one machine: switches, the links between them, and the
//! requested number of hosts at each switch.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use philae_agent::ControlError;
use philae_inventory::{MacPrefix, PlannedFabric};
use philae_route_tables::FabricWiring;
use philae_units::{PortIndex, SwitchId};

use super::plan::{address_of, interface};
use super::tools::Namespace;

/// Namespaces made for a fabric; dropping the lab deletes them.
#[derive(Debug)]
pub struct Lab {
    namespaces: Vec<String>,
    /// Hosts: the name of the namespace, and its address.
    pub hosts: Vec<(String, String)>,
}

/// The namespace of a switch.
pub fn of_switch(fabric: &PlannedFabric, switch: SwitchId) -> String {
    fabric.bmc_xname(switch).to_string()
}

impl Lab {
    /// Creates the namespaces of these switches, all links between them, and `hosts` hosts at each.
    ///
    /// # Errors
    /// When a namespace of that name exists, or this process may not create any.
    pub fn make(
        fabric: &PlannedFabric,
        wiring: &FabricWiring,
        switches: &[SwitchId],
        hosts: usize,
    ) -> Result<Self, ControlError> {
        let here = Namespace(None);
        let mut lab = Self { namespaces: Vec::new(), hosts: Vec::new() };
        let known: BTreeSet<SwitchId> = switches.iter().copied().collect();
        let mut text = String::new();
        for &switch in switches {
            lab.add(&here, of_switch(fabric, switch))?;
        }
        for (one, other) in wiring.links() {
            let ((a, p), (b, q)) = (wiring.split(one), wiring.split(other));
            if known.contains(&a) && known.contains(&b) {
                let (one, other) = (of_switch(fabric, a), of_switch(fabric, b));
                let _ = writeln!(
                    text,
                    "link add {} netns {one} type veth peer name {} netns {other}",
                    interface(p.0),
                    interface(q.0)
                );
            }
        }
        for &switch in switches {
            let edges = wiring.edge(switch);
            let ports = (0..64).filter(|port| edges >> port & 1 == 1).take(hosts);
            for port in ports.map(|port| wiring.port(switch, philae_units::PortId(port))) {
                lab.add_host(&here, fabric, wiring, port, &mut text)?;
            }
        }
        here.ip(&["-batch", "-"], &text)?;
        for (name, address) in &lab.hosts {
            let host = Namespace(Some(name.clone()));
            let text = format!(
                "link set lo up\nlink set hsn0 up\naddress add {address}/128 dev hsn0 nodad\nroute add default via fe80::1 dev hsn0\n"
            );
            host.ip(&["-6", "-batch", "-"], &text)?;
        }
        Ok(lab)
    }

    fn add(&mut self, here: &Namespace, name: String) -> Result<(), ControlError> {
        here.ip(&["netns", "add", &name], "")?;
        self.namespaces.push(name);
        Ok(())
    }

    fn add_host(
        &mut self,
        here: &Namespace,
        fabric: &PlannedFabric,
        wiring: &FabricWiring,
        port: PortIndex,
        text: &mut String,
    ) -> Result<(), ControlError> {
        let address = fabric.address(port).map_err(|error| ControlError::Failed(error.to_string()))?;
        let name = format!("nid{:06}", address.nid());
        self.add(here, name.clone())?;
        let (switch, number) = wiring.split(port);
        let _ = writeln!(
            text,
            "link add {} netns {} type veth peer name hsn0 netns {name} address {}",
            interface(number.0),
            of_switch(fabric, switch),
            MacPrefix::Two.nic_mac(address)
        );
        self.hosts.push((name, address_of(wiring, port).to_string()));
        Ok(())
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        for name in &self.namespaces {
            // If processes run in it, the namespace continues without a name.
            let _ = Namespace(None).ip(&["netns", "delete", name], "");
        }
    }
}
