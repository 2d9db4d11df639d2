//! Why a fabric cannot be managed.

use philae_agent_rpc::CaError;
use philae_inventory::{InventoryError, SourceError};
use philae_route_tables::WiringError;

use crate::control_loop::AgentsError;
use crate::documents::StateError;

/// Why a fabric cannot be managed.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The source is neither a system nor a fabric.
    #[error("{0}")]
    Source(#[from] SourceError),
    /// The template contradicts itself.
    #[error("{0}")]
    Fabric(#[from] InventoryError),
    /// The stored documents cannot be read.
    #[error("{0}")]
    State(#[from] StateError),
    /// It cannot be routed.
    #[error("{0}")]
    Wiring(#[from] WiringError),
    /// The fabric's authority cannot be opened or made.
    #[error("{0}")]
    Authority(#[from] CaError),
    /// The manager cannot listen for agents.
    #[error("{0}")]
    Agents(#[from] AgentsError),
    /// The log of events cannot be opened.
    #[error("events cannot be saved: {0}")]
    Events(String),
    /// The first token cannot be made.
    #[error("{0}")]
    Token(String),
}
