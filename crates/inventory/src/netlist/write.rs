//! Writes a fabric as a netlist for `ibsim`.

use super::Lanes;
use crate::fabric::Fabric;
use philae_topology::Peer;
use philae_units::{EndpointId, PortIndex, SwitchId};
use std::fmt::Write;

impl Fabric {
    /// The wiring as a netlist that `ibsim` reads, so that OpenSM can route it: switches by xname,
    /// and for each NIC an adapter of one port, by its xname. A comment gives width and speed if a
    /// combination has exactly the link's rate.
    #[must_use]
    pub fn to_netlist(&self) -> String {
        let mut out = format!("# {}, for ibsim\n", self.name().replace(['\n', '\r'], " "));
        for switch in (0..self.switch_count()).map(SwitchId::from_index) {
            // ibsim counts ports from 1 and supports up to 254.
            let _ = writeln!(out, "\nSwitch {} \"{}\"", self.radix(), self.switch_xname(switch));
            for port in self.ports_of(switch).map(PortIndex) {
                let number = u16::from(self.number_of(port).0) + 1;
                match self.port(port).peer {
                    Peer::None => {}
                    Peer::Endpoint(nic) => {
                        let _ = writeln!(out, "[{number}] \"{}\"[1]{}", self.nic_xname(nic), self.lanes(port));
                    }
                    Peer::Port(far) => {
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
            let _ =
                writeln!(out, "\nHca 1 \"{}\"\n[1] \"{switch}\"[{number}]{}", self.nic_xname(nic), self.lanes(port));
        }
        out
    }

    /// Width and speed of a link, as a comment.
    fn lanes(&self, port: PortIndex) -> String {
        let lanes = self.cable(port).and_then(|cable| Lanes::of_rate(cable.rate));
        lanes.map_or_else(String::new, |lanes| format!("  # {lanes}"))
    }
}
