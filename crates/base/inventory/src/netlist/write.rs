//! Writes a fabric as a netlist for `ibsim`.

use super::LinkWidth;
use crate::fabric::PlannedFabric;
use philae_topology::PortPeer;
use philae_units::{EndpointId, PortIndex, SwitchId};
use std::fmt::Write;

impl PlannedFabric {
    /// The wiring as a netlist that `ibsim` reads, so that OpenSM can route it: switches by xname,
    /// and for each NIC an adapter of one port, by its xname. Comments have the labels, as
    /// `ibnetdiscover` writes descriptions, and width and speed: those of the file that the fabric
    /// came from, or else a combination that has exactly the link's rate.
    #[must_use]
    pub fn to_netlist(&self) -> String {
        let mut out = format!("# {}, for ibsim\n", self.name().replace(['\n', '\r'], " "));
        for switch in (0..self.switch_count()).map(SwitchId::from_index) {
            // ibsim counts ports from 1 and supports up to 254.
            let label = described(self.switch_label(switch));
            let _ = writeln!(out, "\nSwitch {} \"{}\"{label}", self.radix(), self.switch_xname(switch));
            for port in self.ports_of(switch).map(PortIndex) {
                let number = u16::from(self.number_of(port).0) + 1;
                match self.port(port).peer {
                    PortPeer::None => {}
                    PortPeer::Endpoint(nic) => {
                        let _ = writeln!(out, "[{number}] \"{}\"[1]{}", self.nic_xname(nic), self.lanes(port));
                    }
                    PortPeer::Port(far) => {
                        let far_switch = self.switch_xname(self.switch_of(far));
                        let far_number = u16::from(self.number_of(far).0) + 1;
                        let _ = writeln!(out, "[{number}] \"{far_switch}\"[{far_number}]{}", self.lanes(port));
                    }
                }
            }
        }
        for nic in (0..self.nic_count()).map(EndpointId::from_index) {
            let port = self.nics()[nic.index()].port;
            let number = u16::from(self.number_of(port).0) + 1;
            let switch = self.switch_xname(self.switch_of(port));
            let label = self.nic_label(nic).or_else(|| self.node_label(self.nics()[nic.index()].node));
            let (name, label, lanes) = (self.nic_xname(nic), described(label), self.lanes(port));
            let _ = writeln!(out, "\nHca 1 \"{name}\"{label}\n[1] \"{switch}\"[{number}]{lanes}");
        }
        out
    }

    /// Width and speed of a link, as a comment.
    fn lanes(&self, port: PortIndex) -> String {
        let of_rate =
            || self.cable(port).and_then(|cable| LinkWidth::of_rate(cable.rate)).map(|lanes| lanes.to_string());
        let lanes = self.lanes_of(port).map(str::to_owned).or_else(of_rate);
        lanes.map_or_else(String::new, |lanes| format!("  # {lanes}"))
    }
}

/// A label as a comment behind a name, as `ibnetdiscover` writes a description.
fn described(label: Option<&str>) -> String {
    let label = label.map(|label| label.replace(['"', '\n', '\r'], " "));
    label.map_or_else(String::new, |label| format!("\t\t# \"{label}\""))
}
