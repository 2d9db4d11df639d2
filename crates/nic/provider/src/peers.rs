//! Traffic by peer, if requested (`FI_PHILAE_TRAFFIC`); otherwise nothing is counted, at no cost.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::net::SocketAddr;
use std::sync::Mutex;

use philae_fi_sys::{FI_INJECT, fi_addr_t};

use crate::address::EndpointAddress;
use crate::limits::INJECT_BYTES;

/// How the bytes of an operation were moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BytePath {
    /// With the command.
    Inline,
    /// Through a block or a datagram of the target's NIC, immediately.
    Eager,
    /// Fetched by their receiver.
    Rendezvous,
    /// Copied directly from the program's memory to the other's, by the initiator of the operation.
    OneCopy,
    /// Cut into datagrams, which go directly to their place.
    Segments,
}

impl BytePath {
    /// `path`, or inline if the operation is short enough to go with its command and is permitted
    /// to.
    pub fn or_inline(self, bytes: usize, flags: u64, is_allowed: bool) -> Self {
        if bytes <= INJECT_BYTES && (is_allowed || flags & FI_INJECT != 0) { Self::Inline } else { self }
    }
}

macro_rules! counts {
    ($($name:ident,)*) => {
        /// Counts of one peer.
        #[derive(Clone, Copy, Debug, Default)]
        pub(crate) struct PeerCounts {
            $(pub $name: u64,)*
        }

        impl PeerCounts {
            fn list(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($name), self.$name)),*]
            }
        }
    };
}

counts! {
    sends,
    sent_bytes,
    receives,
    received_bytes,
    writes,
    written_bytes,
    reads,
    read_bytes,
    atomics,
    atomic_bytes,
    inline,
    eager,
    rendezvous,
    one_copy,
    refused,
}

impl PeerCounts {
    /// Counts a message that was sent.
    pub fn sent(&mut self, bytes: usize, path: BytePath) {
        self.sends += 1;
        self.sent_bytes += bytes as u64;
        self.moved_by(path);
    }

    /// Counts a completed read or write.
    pub fn accessed(&mut self, is_read: bool, bytes: u64, path: BytePath) {
        let (operations, moved) =
            if is_read { (&mut self.reads, &mut self.read_bytes) } else { (&mut self.writes, &mut self.written_bytes) };
        *operations += 1;
        *moved += bytes;
        self.moved_by(path);
    }

    /// Counts a completed atomic operation.
    pub fn changed(&mut self, bytes: usize, path: BytePath) {
        self.atomics += 1;
        self.atomic_bytes += bytes as u64;
        self.moved_by(path);
    }

    fn moved_by(&mut self, path: BytePath) {
        match path {
            BytePath::Inline => self.inline += 1,
            BytePath::Eager => self.eager += 1,
            BytePath::Rendezvous => self.rendezvous += 1,
            BytePath::OneCopy => self.one_copy += 1,
            BytePath::Segments => {}
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct CountsByPeer {
    known: Mutex<BTreeMap<fi_addr_t, PeerCounts>>,
}

impl CountsByPeer {
    /// The counts, if they are requested.
    pub fn asked_for() -> Option<Box<Self>> {
        std::env::var_os("FI_PHILAE_TRAFFIC").map(|_| Box::default())
    }

    /// Changes the counts of one peer, by its number in the address vector.
    pub fn count(&self, peer: fi_addr_t, change: impl FnOnce(&mut PeerCounts)) {
        change(self.known.lock().expect("no panic with it").entry(peer).or_default());
    }

    /// All counts as a JSON list: the peer's location, the counts, and the counts of the wire to
    /// it, which are datagrams and retransmissions.
    pub fn json(
        &self,
        address_of: impl Fn(fi_addr_t) -> Option<EndpointAddress>,
        wire_counts: impl Fn(SocketAddr) -> (u64, u64),
    ) -> String {
        let known = self.known.lock().expect("no panic with it");
        let mut text = String::from("[");
        for (index, (&number, counts)) in known.iter().enumerate() {
            let address = address_of(number);
            text += if index == 0 { "{" } else { ",{" };
            let mut parts: Vec<String> = Vec::new();
            if let Some(address) = address {
                parts.push(place(&address));
            }
            let all = counts.list();
            let wire = address.and_then(|address| address.socket).map(&wire_counts);
            let wire = wire.map(|counts| vec![("datagrams_sent", counts.0), ("retransmissions", counts.1)]);
            for (name, count) in all.into_iter().chain(wire.unwrap_or_default()).filter(|(_, count)| *count > 0) {
                parts.push(format!("\"{name}\":{count}"));
            }
            write!(text, "{}}}", parts.join(",")).expect("a string takes all");
        }
        text + "]"
    }
}

/// An endpoint's location, as members of a JSON object.
pub(crate) fn place(address: &EndpointAddress) -> String {
    let EndpointAddress { host, device, pid, vni, .. } = address;
    format!("\"host\":\"{host:016x}\",\"device\":{device},\"pid\":{pid},\"vni\":{vni}")
}
