//! Link-level retry: a sender that keeps frames until they are acknowledged, and a receiver that
//! wants them in order.
//!
//! ```text
//! sender     Flowing --nack, timer, resume--> Replaying --last frame sent again--> Flowing
//!            any --pause--> Paused --resume--> Replaying          any --replay count--> Down
//! receiver   Wanting --gap, bad frame: nack--> Asked --the wanted frame--> Wanting
//!            Asked --the sender began again and the wanted frame is missing: nack--> Asked
//! ```
//! Go-back-N: a nack names the first missing frame, and the sender sends everything from it on
//! again. Both directions of a link keep order, of frames and of answers. The next ack or the
//! replay timer makes up for a lost answer.
//!
//! Source: cassini-headers for names, limits and timers; the Ultra Ethernet specification's
//! link-level retry for the outline. Status: assumed for when a nack is repeated and for what
//! `retry_threshold` does. Deliberately absent: the exchange of init and its echo when a link comes
//! up (both ends start at 0), the timing of the loop, and the limit on bytes next to that on
//! frames.

mod receiver;
mod sender;

pub use receiver::{Received, Receiver, ReceiverAction};
pub use sender::{FrameRefusal, OutgoingFrame, Replay, Retry, Sender};
