//! The connection between the fabric manager and its agents.
//!
//! Invariant: the manager accepts messages for a switch only from a peer whose certificate, of this
//! fabric's CA, names that switch. The memory that a slow, broken or hostile agent can make the
//! manager use is bounded, for each stream and for all.
//!
//! The protocol is gRPC (HTTP/2, length-prefixed protocol buffers, status in trailers), so that
//! agents may be written in any language: `docs/manager/agent-protocol.md`. It runs over TLS 1.3
//! with certificates of both ends.
//!
//! Deliberately absent: the meaning of messages (`agent`, `control`), and users of the manager (the
//! service).

mod ca;
mod client;
mod drive;
mod frame;
mod identity;
mod refused;
mod registry;
mod server;
mod settings;
mod sound;
mod status;
mod tls;

pub use ca::{Authority, CaError, CaSettings, CertifiedKey, Issued, make_request, renewal_at, replace};
pub use client::{AgentClient, AgentClientError, ServerStream};
pub use drive::{Driven, FailedAttempts, OneAgent, RunningAgents, run_agents, run_agents_of};
pub use frame::{Deframer, FrameError, encode};
pub use identity::{IdentityError, MANAGER_NAME, PeerIdentity, Role, check_name, common_name, end_of, matches};
pub use refused::RefusedCall;
pub use registry::{CloseReason, LinkEvent, StreamSendError, SwitchStreams};
pub use server::{BindError, Listener};
pub use settings::{LinkSettings, TokenBucket};
pub use status::{GrpcCode, GrpcStatus};
pub use tls::{TlsError, certificates, service as tls_service};

/// Seconds since 1970, by the machine's clock.
#[must_use]
pub fn unix_seconds() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_secs())
}
