//! One physical link: what noise does to frames, what the two ends do about it, and what is left when lanes fail.
//!
//! Invariant: every frame that enters a link that stays up leaves it once, in order, whatever the cable does to frames and
//! to the answers to them. All parts take `now` and what happened and return what to do; they perform nothing, and all
//! state is integers.
//!
//! Deliberately absent: events, queues beyond the replay buffer, bytes of frames (an id stands for them; `wire` has the
//! formats), and what a switch does with a link that is down. No part of the fabric uses this crate yet.

mod counters;
mod error;
mod errors;
mod fec;
mod lanes;
mod parameters;
mod random;
mod retry;

pub use counters::LinkCounters;
pub use error::ParameterError;
pub use errors::{BitErrors, Crossing};
pub use fec::{FecCode, FecKind};
pub use lanes::{Flap, FlapLaw, LaneChange, Lanes, LinkState};
pub use parameters::{LinkParameters, replay_timer};
pub use retry::{Action, Received, Receiver, Refused, Replay, Retry, Sender, Sequence, Transmit};
