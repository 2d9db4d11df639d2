//! How an endpoint reaches its peers: through memory, or through the wire between hosts.

use std::sync::Arc;

use philae_fi_sys::*;

use super::fi_endpoint::{EndpointState, FiEndpoint, Own, WATCH_NS};
use super::peer::{EndpointPeer, NO_SOURCE};
use crate::abi::Errno;
use crate::address::EndpointAddress;
use crate::address_vector::is_neighbour;
use crate::host;
use crate::log::{MessageLevel, say};
use crate::shm::lock::is_alive;
use crate::shm::paths::{PeerName, PeerPath};
use crate::simulated::peer_address;
use crate::wait::rough_now_ns;

impl FiEndpoint {
    /// The peer of this number.
    ///
    /// # Errors
    /// There is none.
    pub fn peer<'s>(&self, state: &'s mut EndpointState, number: fi_addr_t) -> Result<&'s EndpointPeer, Errno> {
        let own = self.own.get().ok_or(FI_EOPBADSTATE)?;
        let addresses = own.bindings.addresses.as_ref().ok_or(FI_ENOAV)?;
        let reach = |address: &EndpointAddress| self.reach(address, own);
        let peer = state.peers.find(number, addresses, reach)?;
        if let EndpointPeer::Neighbour { area, process, source, is_here: false, checked_at } = peer {
            let now = rough_now_ns();
            if now - *checked_at > WATCH_NS {
                *checked_at = now;
                if !is_alive(*process) {
                    let source = *source;
                    if !area.is_closed() {
                        self.expect_nothing_from(source);
                    }
                    *peer = EndpointPeer::Gone { source };
                }
            }
        }
        Ok(peer)
    }

    /// The peer at an address.
    fn reach(&self, address: &EndpointAddress, own: &Own) -> EndpointPeer {
        let domain = &self.domain;
        let source = address.source();
        if address.leads_to(&own.address) {
            let (area, process) = (Arc::clone(&own.area), host::process());
            return EndpointPeer::Neighbour { area, process, source, is_here: true, checked_at: 0 };
        }
        if domain.settings.wires.is_simulated {
            return self.reach_simulated(address, source);
        }
        let has_other_path = domain.settings.wires.bind.is_some() && address.socket.is_some();
        let note = |path| own.area.note_way(PeerName::of(address, path), path);
        let by_datagrams = |reason| {
            let peer = self.reach_between_hosts(address);
            note(if matches!(peer, EndpointPeer::Gone { .. }) { PeerPath::None } else { reason });
            peer
        };
        if !is_neighbour(address) || !domain.settings.wires.has_shared_memory {
            return by_datagrams(PeerPath::Datagrams);
        }
        if !domain.settings.reaches_memory() || !address.takes_copies && has_other_path {
            return by_datagrams(PeerPath::NoCopies);
        }
        match domain.area(address) {
            Ok(area) => {
                let process = area.owner();
                let is_here = process == host::process();
                if !is_here && let Err(error) = area.probe() {
                    say(MessageLevel::Warn, &format!("{address}: {error}"));
                    if has_other_path {
                        self.expect_remote();
                        return by_datagrams(PeerPath::NoCopies);
                    }
                }
                note(PeerPath::Memory);
                // An address that was composed from numbers does not identify the process; its area
                // does.
                let source = EndpointAddress { incarnation: area.incarnation(), ..*address }.source();
                EndpointPeer::Neighbour { area, process, source, is_here, checked_at: 0 }
            }
            Err(error) => {
                say(MessageLevel::Warn, &format!("{address}: {error}"));
                note(PeerPath::None);
                EndpointPeer::Gone { source }
            }
        }
    }

    /// The same, in a simulated run: its processes are all on this host. An address that was
    /// composed from numbers does not identify an endpoint; its area does.
    fn reach_simulated(&self, address: &EndpointAddress, source: u32) -> EndpointPeer {
        let whole = match address.incarnation {
            0 => self.domain.area(address).map(|area| EndpointAddress { incarnation: area.incarnation(), ..*address }),
            _ => Ok(*address),
        };
        match whole {
            Ok(whole) if is_neighbour(address) => {
                EndpointPeer::Simulated { to: peer_address(&whole), source: whole.source() }
            }
            Ok(_) => {
                say(MessageLevel::Warn, &format!("{address} is on another host, and simulated runs are on one"));
                EndpointPeer::Gone { source: NO_SOURCE }
            }
            Err(error) => {
                say(MessageLevel::Warn, &format!("{address}: {error}"));
                EndpointPeer::Gone { source }
            }
        }
    }

    /// The same, over the wire between hosts.
    fn reach_between_hosts(&self, address: &EndpointAddress) -> EndpointPeer {
        match address.socket.and_then(|socket| self.remote_source(socket).map(|source| (socket, source))) {
            Some((socket, source)) => {
                say(MessageLevel::Info, &format!("{address} is reached by datagrams"));
                EndpointPeer::Remote { socket, source }
            }
            None => {
                say(MessageLevel::Warn, &format!("no transport reaches {address}"));
                EndpointPeer::Gone { source: NO_SOURCE }
            }
        }
    }
}
