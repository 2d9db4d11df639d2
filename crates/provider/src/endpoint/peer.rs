//! Whom an endpoint talks to, and over which wire.

use std::net::SocketAddr;
use std::sync::Arc;

use philae_fi_sys::fi_addr_t;

use super::port::Port;
use crate::abi::Errno;
use crate::address::{Address, place_of};
use crate::address_vector::{Addresses, is_neighbour};
use crate::host;
use crate::log::{Level, say};
use crate::shm::area::Area;
use crate::shm::ways::{PeerName, PeerWay};

/// A peer.
#[derive(Clone)]
pub(crate) enum Peer {
    /// On this host: its area, the process that has it, what its messages are known by, and whether it is this process.
    Neighbour { area: Arc<Area>, process: u32, source: u32, is_here: bool, checked_at: u64 },
    /// On another host: where it listens, and what its messages are known by.
    Remote { socket: SocketAddr, source: u32 },
    /// Not to be reached: it has ended, or no wire goes there. What it sent before may wait here, known by this.
    Gone { source: u32 },
}

/// What no message is known by: of a peer to which no wire goes.
const NO_SOURCE: u32 = u32::MAX - 1;

impl Peer {
    /// The peer at an address.
    pub fn to(address: &Address, own: &Address, own_area: &Arc<Area>, port: &Port) -> Self {
        let domain = &port.domain;
        let source = address.source();
        if address.leads_to(own) {
            let (area, process) = (Arc::clone(own_area), host::process());
            return Self::Neighbour { area, process, source, is_here: true, checked_at: 0 };
        }
        let has_other_way = domain.settings.bind.is_some() && address.socket.is_some();
        let way = |way| own_area.note_way(PeerName::of(address, way), way);
        let by_datagrams = |reason| {
            let peer = Self::abroad(address, port);
            way(if matches!(peer, Self::Gone { .. }) { PeerWay::None } else { reason });
            peer
        };
        if !is_neighbour(address) || !domain.settings.has_shared_memory {
            return by_datagrams(PeerWay::Datagrams);
        }
        if !domain.settings.reaches_memory() || !address.takes_copies && has_other_way {
            return by_datagrams(PeerWay::NoCopies);
        }
        match domain.area(address) {
            Ok(area) => {
                let process = area.owner();
                let is_here = process == host::process();
                if !is_here && let Err(error) = area.probe() {
                    say(Level::Warn, &format!("{address}: {error}"));
                    if has_other_way {
                        port.expect_remote();
                        return by_datagrams(PeerWay::NoCopies);
                    }
                }
                way(PeerWay::Memory);
                // An address that was made of names does not say who is there; its area does.
                let source = Address { incarnation: area.incarnation(), ..*address }.source();
                Self::Neighbour { area, process, source, is_here, checked_at: 0 }
            }
            Err(error) => {
                say(Level::Warn, &format!("{address}: {error}"));
                way(PeerWay::None);
                Self::Gone { source }
            }
        }
    }

    /// Whether it is worth another look: an address that was made of names may lead to an endpoint that was not open yet.
    fn may_have_come(&self) -> bool {
        matches!(*self, Self::Gone { source } if source == place_of(source))
    }

    /// The same, by the wire between hosts.
    fn abroad(address: &Address, port: &Port) -> Self {
        match address.socket.and_then(|socket| port.remote_source(socket).map(|source| (socket, source))) {
            Some((socket, source)) => {
                say(Level::Info, &format!("{address} is reached by datagrams"));
                Self::Remote { socket, source }
            }
            None => {
                say(Level::Warn, &format!("no wire goes to {address}"));
                Self::Gone { source: NO_SOURCE }
            }
        }
    }
}

/// Those that were talked to, by their number in the address vector.
#[derive(Default)]
pub(crate) struct Peers {
    known: Vec<Option<Peer>>,
    removals: u64,
}

impl Peers {
    /// The peer of a number, which `reach` makes where it is not known.
    pub fn find(
        &mut self,
        number: fi_addr_t,
        addresses: &Addresses,
        reach: impl FnOnce(&Address) -> Peer,
    ) -> Result<&mut Peer, Errno> {
        let removals = addresses.removals();
        if removals != self.removals {
            self.known.clear();
            self.removals = removals;
        }
        let index = usize::try_from(number).map_err(|_| libc::EINVAL)?;
        if self.known.get(index).and_then(Option::as_ref).is_none_or(Peer::may_have_come) {
            let (address, _) = addresses.get(number).ok_or(libc::EINVAL)?;
            if self.known.len() <= index {
                self.known.resize(index + 1, None);
            }
            self.known[index] = Some(reach(&address));
        }
        self.known[index].as_mut().ok_or(libc::EINVAL)
    }

    /// What the messages of neighbours are known by that have died without closing their area. Each is named once, and is
    /// gone from then on.
    pub fn dead(&mut self, is_alive: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut dead = Vec::new();
        for peer in self.known.iter_mut().flatten() {
            if let Peer::Neighbour { area, process, source, is_here: false, .. } = peer
                && !area.is_closed()
                && !is_alive(*process)
            {
                let source = *source;
                dead.push(source);
                *peer = Peer::Gone { source };
            }
        }
        dead
    }
}
