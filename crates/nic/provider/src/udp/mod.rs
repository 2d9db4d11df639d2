//! The wire between NICs of different hosts: the NIC's own reliable transport
//! (`philae_nic_core::transport`) over UDP.
//!
//! One [`UdpWire`] is one NIC: one or more sockets of one address, and no thread. All work happens
//! in [`UdpWire::poll`], [`UdpWire::flush`] and [`UdpWire::send`].
//!
//! ```
//! use philae_provider::udp::{TransportFailure, Handler, PeerId, HandlerDecision, UdpWire, WireConfig};
//!
//! /// Keeps the last message. A NIC would match the header and say where the bytes go.
//! #[derive(Default)]
//! struct Nic {
//!     bytes: Vec<u8>,
//!     whole: bool,
//!     ended: Vec<u64>,
//! }
//!
//! impl Handler for Nic {
//!     fn begin(&mut self, _: PeerId, _header: &[u8], payload_bytes: u32) -> HandlerDecision {
//!         self.bytes = vec![0; payload_bytes as usize];
//!         HandlerDecision::Accept // or Stall: ask again at the next poll; or Discard
//!     }
//!     fn chunk(&mut self, _: PeerId, offset: u32, bytes: &[u8]) {
//!         self.bytes[offset as usize..][..bytes.len()].copy_from_slice(bytes);
//!     }
//!     fn end(&mut self, _: PeerId) {
//!         self.whole = true;
//!     }
//!     fn delivered(&mut self, _: PeerId, token: u64) {
//!         self.ended.push(token);
//!     }
//!     fn undelivered(&mut self, _: PeerId, token: u64, _: TransportFailure) {
//!         self.ended.push(token);
//!     }
//!     fn failed(&mut self, _: PeerId, _: TransportFailure) {}
//! }
//!
//! let loopback = "127.0.0.1:0".parse()?;
//! let (mut here, mut there) = (UdpWire::open(WireConfig::new(loopback))?, UdpWire::open(WireConfig::new(loopback))?);
//! let (mut sender, mut receiver) = (Nic::default(), Nic::default());
//! let peer = here.connect(&there.local_address(), 0)?;
//! let payload = vec![7_u8; 100_000];
//! // SAFETY: the payload lives, unchanged, until its token is delivered or undelivered.
//! unsafe { here.send_from(peer, b"header", payload.as_ptr(), payload.len() as u32, 42)? };
//! here.flush(UdpWire::now())?; // the doorbell; `poll` rings it as well
//! while sender.ended.is_empty() {
//!     here.poll(UdpWire::now(), &mut sender)?;
//!     there.poll(UdpWire::now(), &mut receiver)?;
//! }
//! assert!(receiver.whole && receiver.bytes == payload && sender.ended == [42]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What callers must know:
//! - **Sleeping.** Call [`UdpWire::prepare_sleep`], then wait for [`UdpWire::wait_fd`] to be
//!   readable (poll, epoll, select). It is readable when datagrams arrive and when a timer expires.
//!   Then call [`UdpWire::poll`].
//! - **Polling is required for answers.** A peer that is silent for `unreachable_after_ns` is given
//!   up, be it dead or busy. A program that computes for longer without progress needs a thread
//!   that polls, or a longer time.
//! - **Lanes.** Messages to one peer and lane arrive in order, and a message that the handler
//!   stalls delays those after it. Messages that must pass stalled ones (answers to reads, for
//!   example) use another lane: the same address, but another peer.
//! - **Handlers** cannot call the wire; they record messages, which are sent after the poll.
//! - **Addresses** of NICs must be the same for all hosts that name them. On hosts with several
//!   addresses bind to the one that others use, not to 0.0.0.0.

mod address;
mod config;
mod socket;
mod wire;

pub use config::{ConfigError, WireConfig};
pub use philae_nic_core::transport::{
    COPIED_MAX, FaultSpec, FaultSpecError, Handler, HandlerDecision, MESSAGE_HEADER_MAX, ONCE_MAX, PeerId,
    TooManyPeers, TransportCounters, TransportFailure, TransportParameters, TransportSendError,
};
pub use wire::{ConnectError, UdpWire, UdpWireError, WireCounters};
