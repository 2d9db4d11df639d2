//! Frames of sockets: TCP and UDP over IPv4.
//!
//! Each packet of the model is a segment or a datagram of its own. Ports follow from job and rank,
//! so that each pair of ranks is one connection. A TCP sequence number is the number of the
//! segment's first byte among all that the rank has sent to the other. It acknowledges the bytes
//! that have arrived from the other rank. The last packet of a message has PSH.
//!
//! Not modelled, and so not shown:
//! - the handshake and the end of a connection (every segment has ACK, the first number is 1);
//! - options (no window scale, no timestamps, no SACK);
//! - windows, and acknowledgements other than one for each message, unless connections have windows
//!   (`model/tcp.rs`). Then each segment says what it says in the model, with the window shifted by
//!   [`window_shift`], as Linux would after a handshake;
//! - the IPv4 fragments of a datagram of up to 64 KiB.
//!
//! Connections do not keep messages in order: where two of them overlap, their bytes are numbered
//! as they leave.

use philae_wire::tcp::{self, Flags};
use philae_wire::{Ecn, IpProtocol, PseudoHeader, WireLayer, udp};

use super::frame::{Frames, emit};
pub use crate::model::tcp::shown_bytes;
use crate::observe::observer::PacketIdentity;

/// The first sequence number. Source: ours; senders draw one. Status: assumed.
const FIRST: u32 = 1;
/// The largest window without scaling. Source: RFC 9293. Status: published.
const WINDOW: u16 = u16::MAX;

/// By how many bits a window is shifted that has up to `buffer` bytes. Source: RFC 7323: the least
/// that makes it fit. Status: published.
pub const fn window_shift(buffer: u32) -> u8 {
    let mut shift = 0;
    while buffer >> shift > WINDOW as u32 {
        shift += 1;
    }
    shift
}

/// A dynamic port of a rank: 2 bits of its job and 12 of its number over all jobs.
const fn port(job: u16, rank: u32) -> u16 {
    0xc000 | (job & 3) << 12 | (rank & 0xfff) as u16
}

impl Frames {
    /// Writes a segment. For an acknowledgement, one without payload.
    pub fn tcp(&self, identity: &PacketIdentity, acknowledges: bool, ecn: Ecn, hops: u8, buffer: &mut Vec<u8>) {
        let header = &identity.header;
        let ip = self.ip(identity, IpProtocol::TCP, ecn, hops);
        // An acknowledgement keeps the ranks of the message, whose data went in the other
        // direction.
        let (from, to) = if acknowledges {
            (header.destination_rank, header.source_rank)
        } else {
            (header.source_rank, header.destination_rank)
        };
        let ends = identity.index + 1 == identity.count && !acknowledges;
        let segment = tcp::TcpRepr {
            addresses: PseudoHeader { source: ip.source, destination: ip.destination },
            source_port: port(header.job.0, from),
            destination_port: port(header.job.0, to),
            sequence: FIRST.wrapping_add(identity.stream.first),
            acknowledgement: FIRST.wrapping_add(identity.stream.expected),
            flags: if ends { Flags::ACK | Flags::PSH } else { Flags::ACK },
            window: identity.stream.window.map_or(WINDOW, |bytes| (bytes >> self.window_shift) as u16),
            urgent: 0,
            options: &[],
        };
        let data = if acknowledges { 0 } else { shown_bytes(identity.payload) as usize };
        let layers: [&dyn WireLayer; 3] = [&self.ethernet(identity), &ip, &segment];
        emit(&layers, self.zeros(data), buffer);
    }

    /// Writes a datagram.
    pub fn udp(&self, identity: &PacketIdentity, ecn: Ecn, hops: u8, buffer: &mut Vec<u8>) {
        let header = &identity.header;
        let ip = self.ip(identity, IpProtocol::UDP, ecn, hops);
        let datagram = udp::UdpRepr {
            source_port: port(header.job.0, header.source_rank),
            destination_port: port(header.job.0, header.destination_rank),
            checksum: udp::Checksum::Over(PseudoHeader { source: ip.source, destination: ip.destination }),
        };
        let layers: [&dyn WireLayer; 3] = [&self.ethernet(identity), &ip, &datagram];
        emit(&layers, self.zeros(shown_bytes(identity.payload) as usize), buffer);
    }
}
