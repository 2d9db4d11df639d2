//! The switch at `port` fidelity: input buffers, virtual output queues, request and grant, credits.
//!
//! Invariant: what an upstream port may send fits the downstream input buffer, whatever the order
//! of grants and credit returns; a granted packet was requested. The crate holds state and
//! decisions and knows no events: `now` and sizes come in, grants and times go out.
//!
//! At this fidelity the inside of the switch (tiles, row buses, column crossbars) is folded into
//! one latency and one arbitration per output: an input may feed several outputs at the same time.

mod channel;
mod credit;
mod grant;
mod parameters;
mod voq;

pub use channel::{ChannelPlan, ChannelState};
pub use credit::{CreditQueue, CreditReturn, buffer_admits, buffer_release, buffer_take};
pub use grant::{PortSet, WidePortSet, grant_round_robin, next_channel};
pub use parameters::{Fairness, SwitchParameters};
pub use voq::{NO_PACKET, PacketLinks, Voq, Voqs};
