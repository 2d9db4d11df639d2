//! Link-level retry: a sender that keeps frames until they are acknowledged, and a receiver that wants them in order.
//!
//! ```text
//! sender     Flowing --nack, timer, resume--> Replaying --last frame sent again--> Flowing
//!            any --pause--> Paused --resume--> Replaying          any --replay count--> Down
//! receiver   Wanting --gap, bad frame: nack--> Asked --the wanted frame--> Wanting
//!            Asked --the sender began again and the wanted frame is missing: nack--> Asked
//! ```
//! Go-back-N: a nack names the first frame that is missing, and everything from it on is sent again. Both directions of a
//! link keep order, frames and answers; an answer that is lost is made up for by the next ack or by the replay timer.
//!
//! Source: cassini-headers for names, limits and timers; the Ultra Ethernet specification's link-level retry for the outline.
//! Status: assumed for when a nack is repeated and for what `retry_threshold` does. Deliberately absent: the exchange of init and its
//! echo when a link comes up (both ends start at 0), the timing of the loop, and the limit on bytes beside that on frames.

mod receiver;
mod sender;

pub use receiver::{Action, Received, Receiver};
pub use sender::{Refused, Replay, Retry, Sender, Transmit};
