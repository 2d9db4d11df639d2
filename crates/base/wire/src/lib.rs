//! Frame formats: bytes to values and back.
//!
//! Invariant: a format is a pure function between bytes and a value. Nothing here has state,
//! performs I/O or reads a clock. Parsing allocates nothing and survives any bytes. What parses is
//! written back to the same bytes, except for what its module names as ignored on receipt.
//!
//! Each format has two halves. A **view** (such as `EthernetFrame`, `UdpDatagram`) lies over
//! borrowed bytes, checks their length once and reads fields in place; it may hold nonsense and can
//! still be shown. Its setters change fields that do not move the bounds. A **`Repr`** holds only
//! valid values. It is parsed from a view, or built, and [`WireLayer::emit`] writes it around a
//! payload that is already in its place, so a stack of headers costs no copies ([`emit_stack`]).
//!
//! ```
//! use philae_wire::{EtherType, Framing, MacAddress, emit_stack, ethernet, stack_len};
//!
//! let nic: MacAddress = "02:00:00:00:07:ea".parse()?;
//! let header = ethernet::EthernetRepr {
//!     destination: MacAddress::BROADCAST,
//!     source: nic,
//!     ethertype: EtherType::LOCAL_EXPERIMENTAL_1,
//!     framing: Framing::Standard,
//! };
//! let mut bytes = [0; 64];
//! assert_eq!(stack_len(&[&header], 5), 64, "five bytes are padded to the least frame");
//! emit_stack(&[&header], b"hello", &mut bytes)?;
//! let frame = ethernet::EthernetFrame::new(bytes, Framing::Standard)?;
//! assert_eq!(ethernet::EthernetRepr::parse(&frame)?, header);
//! assert_eq!(&frame.payload()[..5], b"hello");
//! # Ok::<(), philae_wire::WireError>(())
//! ```
//!
//! Standard formats follow their standard, named in each module, [`uet`] public programs that
//! follow the specification of Ultra Ethernet, and the headers of [`hpc_ethernet`] the vendor's
//! public header files. For [`link_retry`] and [`flow_control`] only names, numbers and limits are
//! public, and for the agreement of two ports nothing. These, and [`negotiation`], have a layout
//! of our own, which no device speaks and which their documentation marks as assumed.
//!
//! Deliberately absent: IPv4 options, IPv6 extension headers, TCP over IPv6, what a port does
//! with a frame, files.

#![warn(missing_docs)]

mod bits;
mod bytes;
mod checksum;
mod error;
mod ethertype;
mod layer;
mod mac_address;

pub mod dissect;
pub mod ethernet;
pub mod flow_control;
pub mod hpc_ethernet;
pub mod ipv4;
pub mod ipv6;
pub mod link_retry;
pub mod lldp;
pub mod mac_control;
pub mod negotiation;
pub mod pcapng;
pub mod roce;
pub mod tcp;
pub mod toeplitz;
pub mod udp;
pub mod uet;
pub mod vlan;
pub mod vxlan;

pub use bits::{
    ConnectionSequence, Dfa, Dscp, EagerLength, Ecn, EndpointIndex, FlowLabel, IndexExtension, MessageOperation,
    PacketIdExtension, PacketLength, PacketSequence, Priority, QueuePair, RemoteOffset, RetrySequence, SctIndex,
    SptIndex, TryCount, VlanId, VxlanId,
};
pub use checksum::{PseudoHeader, PseudoHeaderIpv6};
pub use error::WireError;
pub use ethernet::Framing;
pub use ethertype::{EtherType, IpProtocol};
pub use layer::{WireLayer, emit_stack, stack_len};
pub use mac_address::MacAddress;
