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
//! An acknowledgement on its way, natively in IPv4:
//!
//! ```
//! use philae_wire::uet::acknowledgement::{AckExtension, AckRequest, AckSubject, DeliveryAck, SelectiveAck};
//! use philae_wire::uet::congestion::AckCongestion;
//! use philae_wire::uet::crc::{self, SealedUet};
//! use philae_wire::uet::delivery::DeliveryRepr;
//! use philae_wire::uet::entropy::{self, EntropyRepr};
//! use philae_wire::uet::packet::{UetPacket, UetRepr};
//! use philae_wire::uet::{PdcId, Psn, ReceivedUnits, WindowPenalty};
//! use philae_wire::{IpProtocol, emit_stack, ipv4, stack_len};
//!
//! let cumulative_psn = Psn(1_000);
//! let state = AckCongestion::Nscc {
//!     service_time: 40,
//!     restore_window: false,
//!     window_penalty: WindowPenalty::default(),
//!     received: ReceivedUnits::new(256)?,
//!     out_of_order: 2,
//! };
//! let selective = SelectiveAck { maximum_psn_range: 1, psn_offset: 1, bitmap: 0b0110 };
//! let ack = DeliveryAck {
//!     is_marked: true,
//!     is_retransmitted: false,
//!     request: AckRequest::None,
//!     subject: AckSubject::PsnOffset(Psn(1_003).header_offset(cumulative_psn)?),
//!     cumulative_psn,
//!     source: PdcId(8),
//!     destination: PdcId(7),
//!     extension: AckExtension::Congestion(selective, state),
//! };
//! let packet = UetRepr::new(DeliveryRepr::Ack(ack), None);
//! let ip = ipv4::Ipv4Repr::new(IpProtocol::UET, [10, 0, 0, 2].into(), [10, 0, 0, 1].into());
//! let (ip, entropy) = (SealedUet(ip), EntropyRepr(0xc0de));
//! let mut bytes = vec![0; stack_len(&[&ip, &entropy, &packet], 0)];
//! emit_stack(&[&ip, &entropy, &packet], &[], &mut bytes)?;
//! assert_eq!(bytes.len(), 60, "the row ACK_CC of overhead::OVERHEADS");
//!
//! crc::check(&bytes)?;
//! let behind_entropy = &bytes[ipv4::HEADER_LEN + entropy::HEADER_LEN..];
//! let again = UetRepr::parse(&UetPacket::new(behind_entropy)?)?;
//! assert!(matches!(again, UetRepr::Clear { delivery: DeliveryRepr::Ack(again), .. } if again == ack));
//! assert_eq!(ack.psn(), Some(Psn(1_003)));
//! assert_eq!(ack.selective(), Some((Psn(1_001), 0b0110)), "1,002 and 1,003 arrived, 1,001 did not");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
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
