//! The peers that an endpoint talks to, and over which wire.

use std::net::SocketAddr;
use std::sync::Arc;

use philae_cosim::PeerAddress;
use philae_fi_sys::fi_addr_t;

use crate::abi::Errno;
use crate::address::{EndpointAddress, place_of};
use crate::address_vector::Addresses;
use crate::shm::area::SharedArea;

#[derive(Clone)]
pub(crate) enum EndpointPeer {
    /// On this host: its area, its process, the source that its messages carry, and whether it is
    /// this process.
    Neighbour { area: Arc<SharedArea>, process: u32, source: u32, is_here: bool, checked_at: u64 },
    /// In the same simulated run, and the source that its messages carry.
    Simulated { to: PeerAddress, source: u32 },
    /// On another host: its socket address, and the source that its messages carry.
    Remote { socket: SocketAddr, source: u32 },
    /// Not reachable: it has ended, or no wire leads there. Earlier messages of it may wait here,
    /// with this source.
    Gone { source: u32 },
}

/// A source that no message carries: that of a peer to which no wire leads.
pub(super) const NO_SOURCE: u32 = u32::MAX - 1;

impl EndpointPeer {
    /// Whether another attempt makes sense: a composed address may lead to an endpoint that was not
    /// open yet.
    fn may_have_come(&self) -> bool {
        matches!(*self, Self::Gone { source } if source == place_of(source))
    }
}

/// The peers so far, by their number in the address vector.
#[derive(Default)]
pub(crate) struct EndpointPeers {
    known: Vec<Option<EndpointPeer>>,
    removals: u64,
}

impl EndpointPeers {
    /// The peer with this number, made by `reach` if it is new.
    pub fn find(
        &mut self,
        number: fi_addr_t,
        addresses: &Addresses,
        reach: impl FnOnce(&EndpointAddress) -> EndpointPeer,
    ) -> Result<&mut EndpointPeer, Errno> {
        let removals = addresses.removals();
        if removals != self.removals {
            self.known.clear();
            self.removals = removals;
        }
        let index = usize::try_from(number).map_err(|_| libc::EINVAL)?;
        if self.known.get(index).and_then(Option::as_ref).is_none_or(EndpointPeer::may_have_come) {
            let (address, _) = addresses.get(number).ok_or(libc::EINVAL)?;
            if self.known.len() <= index {
                self.known.resize(index + 1, None);
            }
            self.known[index] = Some(reach(&address));
        }
        self.known[index].as_mut().ok_or(libc::EINVAL)
    }

    /// The sources of neighbours that have died without closing their area. Each is returned once,
    /// and is gone from then on.
    pub fn dead(&mut self, is_alive: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut dead = Vec::new();
        for peer in self.known.iter_mut().flatten() {
            if let EndpointPeer::Neighbour { area, process, source, is_here: false, .. } = peer
                && !area.is_closed()
                && !is_alive(*process)
            {
                let source = *source;
                dead.push(source);
                *peer = EndpointPeer::Gone { source };
            }
        }
        dead
    }
}
