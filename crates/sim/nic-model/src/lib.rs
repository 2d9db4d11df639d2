//! NICs and hosts as timing models: what a command, a message and a packet cost.
//!
//! Invariant: every byte of a message travels in exactly one packet, and every byte on the wire is
//! accounted for: payload, headers, padding to the least frame, gap. The crate performs no I/O,
//! reads no clock and does not know whether it is simulated.

mod connections;
mod entropy;
mod ethernet;
mod host;
mod memory;
mod node;
mod parameters;
mod retry;
mod segment;
mod tcp;
mod uet;
mod uet_sizes;

pub use connections::{ConnectionCache, HeldState};
pub use entropy::EntropyChoice;
pub use ethernet::{EdgeHold, EdgeLink, EthernetParameters, ThirdPartyTransport};
pub use host::{
    ArrivalStep, ExponentialJitter, Handover, HostJitter, HostParameters, HostPath, HostProtocol, HostStep,
    PacketPurpose, PeriodicJitter, receive_entry, unexpected_entry,
};
pub use memory::Memory;
pub use node::{Bus, BusTable, NodeParameters};
pub use parameters::{NicParameters, ResponseScope};
pub use retry::RetryParameters;
pub use segment::{packet_count, packet_payload, wire_bytes};
pub use tcp::{CongestionControl, RenoWindow, TCP_ACK_BYTES, TcpParameters, slow_start_bytes};
pub use uet::{EntropySpray, UetEncapsulation, UetLongSend, UetParameters};
pub use uet_sizes::UetSizes;
