//! Point-to-point patterns.

mod incast;
mod ping_pong;

pub use incast::{Incast, IncastOperation, IncastTarget};
pub use ping_pong::{Pairing, PingPong};
