//! Congestion laws behind one interface.
//!
//! Invariant: a law decides from what its place in the network can know (what an acknowledgement or
//! a notification carried, and its own clock), never from the global state of the model. A law
//! takes `now` and a message and returns a decision; it has no side effects. All arithmetic is
//! integer.
//!
//! A law gates flows at one of two places: at the ingress port of the first switch (`slingshot`) or
//! in the NIC (`ecn`, and Ultra Ethernet's `nscc` and `rccc`). `none`, `aries` and `pfc` do not
//! gate: they rely on credits or pauses alone, and the result is tree saturation.

mod ecn;
mod flow;
mod law;
mod nscc;
mod parameters;
mod rccc;
mod slingshot;
mod uet_law;
mod uet_parameters;

pub use ecn::{EcnFlow, EcnMarker};
pub use flow::{Admission, Feedback};
pub use law::{CongestionLaw, Gate, MarkThresholds};
pub use nscc::{AckNews, NsccFlow, UetPath};
pub use parameters::{AriesMode, AriesParameters, EcnParameters, InjectionScope, PfcParameters, SlingshotParameters};
pub use rccc::RcccFlow;
pub use slingshot::{SlingshotFlow, WindowChange, injection_limit_bytes};
pub use uet_law::UetLaw;
pub use uet_parameters::{NsccParameters, RcccParameters};
