//! The Ultra Ethernet Transport (UET), and what Ultra Ethernet adds to a link.
//!
//! ```text
//! natively   [IPv4 or IPv6][entropy 4]                  [delivery][semantic][payload][CRC 4]
//! over UDP   [IPv4 or IPv6][UDP 8, no checksum]         [delivery][semantic][payload][CRC 4]
//! secured    [IPv4 or IPv6][entropy 4, or UDP][security][encrypted: delivery, ...   ][tag 16]
//! ```
//! The delivery header belongs to the packet delivery sublayer (PDS): [`request`], [`datagram`],
//! [`acknowledgement`], [`nack`], [`control`]; any of them is a [`delivery::DeliveryRepr`]. The
//! semantic header belongs to the semantic sublayer (SES): [`semantic`]. [`packet::UetRepr`] joins
//! them and [`crc`] seals the packet. [`overhead`] has the bytes of each kind of packet.
//! [`ordered_set`] and [`credit_update`] are the messages of link layer retry (LLR) and
//! credit-based flow control (CBFC).
//!
//! # Sources
//! The specification (versions 1.0 to 1.0.3) is public, but no text of it was read for this code.
//! In its place stand public programs and tables that follow it, from which facts were taken:
//!
//! | name here | what |
//! |---|---|
//! | reference provider | `ultraethernet/uet-ref-prov`: `uet_pkt_hdr.h`, `uet_pds.c`, `util/`, `vpp-plugin/README.md` |
//! | Wireshark | its dissector `packet-uet.c`, which cites specification 1.0.1 |
//! | xdp2 | `xdp2-dev/xdp2`: `src/include/uet/`, which cites specification 1.0.1 |
//! | `suet` | a provider for libfabric over datagrams, which cites tables of the specification |
//! | public data model | Kaitai descriptions and tables of Cornelis Networks, which cite specification 1.0.1 |
//!
//! Where two of them disagree the module says so. Each module names its source.

pub mod acknowledgement;
pub mod congestion;
pub mod control;
pub mod crc;
pub mod credit_update;
pub mod datagram;
pub mod delivery;
pub mod entropy;
mod fields;
pub mod nack;
pub mod ordered_set;
pub mod overhead;
pub mod packet;
pub mod prologue;
pub mod request;
pub mod security;
pub mod semantic;

pub use fields::{
    ConsumedCredits, FreedCredits, JobId, LinkSequence, PdcId, PidOnFep, Psn, ReceivedUnits, ResourceIndex,
    SecureDomain, SecurityCounter, SemanticLength, StartOffset, TransportCredit, VirtualChannel, WindowPenalty,
};

/// The name of all delivery headers in errors.
const DELIVERY: &str = "UET delivery header";

/// Destination port of UET over UDP.
///
/// The reference provider has 49150 by default, from the range for private use. Source: IANA, as
/// Wireshark and xdp2 have it. Status: published.
pub const PORT: u16 = 4_793;
/// Destination port of UET over UDP that the reference provider has by default.
///
/// Source: reference provider. Status: published.
pub const PORT_REFERENCE: u16 = 49_150;
/// The largest payload of a packet. Source: reference provider. Status: published.
pub const PAYLOAD_MAX: usize = 8_192;
