//! One physical link: the effect of noise on frames, the reaction of the two ends, and what is left
//! when lanes fail.
//!
//! Invariant: every frame that enters a link that stays up leaves it once, in order, whatever the
//! cable does to frames and to the answers to them. All parts take `now` and an input and return
//! what to do; they have no side effects, and all state is integers.
//!
//! ```
//! use philae_link_layer::{ReceiverAction, LinkParameters, Received, Receiver, Sender};
//! use philae_units::Picoseconds;
//!
//! let (mut sender, mut receiver) = (Sender::new(&LinkParameters::slingshot()), Receiver::new());
//! let now = Picoseconds::ZERO;
//! sender.on_send(now, 7)?;
//! // Noise: the receiver asks for the frame, and the sender goes back to it.
//! let ReceiverAction::Nack { wanted } = receiver.on_frame(Received::Bad) else { panic!("a damaged frame is asked for") };
//! sender.on_nack(now, wanted);
//! let again = sender.replay_next(now).expect("it was kept");
//! let received = Received::Good { sequence: again.sequence, frame: again.frame };
//! assert_eq!(receiver.on_frame(received), ReceiverAction::Deliver { frame: 7, ack: wanted });
//! # Ok::<(), philae_link_layer::FrameRefusal>(())
//! ```
//!
//! Deliberately absent: events, queues beyond the replay buffer, bytes of frames (an id stands for
//! them; `wire` has the formats), and what a switch does with a link that is down.

mod counters;
mod error;
mod errors;
mod fec;
mod lanes;
mod parameters;
mod purpose;
mod retry;

pub use counters::LinkCounters;
pub use error::ParameterError;
pub use errors::{BitErrors, FrameErrors};
pub use fec::{FecCode, FecKind};
pub use lanes::{Flap, FlapLaw, LaneChange, LinkLanes, LinkState};
pub use parameters::{LinkParameters, replay_timer};
pub use retry::{FrameRefusal, OutgoingFrame, Received, Receiver, ReceiverAction, Replay, Retry, Sender};
