//! Authentication of callers, and the certificates of the manager.

pub mod troubles;

use std::sync::Arc;

use philae_agent_rpc::Authority;

use crate::collectives::Sessions;
use crate::server::guard::{Guard, RateLimits};
use crate::server::listen::ServerCertificate;

/// Authentication of callers, and the manager's own certificates.
#[derive(Debug)]
pub struct Security {
    /// Knows tokens and counts requests.
    pub(crate) guard: Arc<Guard>,
    /// The fabric's certificate authority, if there is a state directory.
    pub(crate) authority: Option<Arc<Authority>>,
    /// Tokens of collective sessions.
    pub(crate) sessions: Sessions,
    /// The API's certificate, if it has one.
    pub(crate) proof: Option<Arc<ServerCertificate>>,
}

impl Security {
    /// With an authority, or without one if there is no state directory.
    #[must_use]
    pub fn new(authority: Option<Arc<Authority>>, sessions: Sessions) -> Self {
        Self { guard: Arc::new(Guard::new(RateLimits::default())), authority, sessions, proof: None }
    }
}
