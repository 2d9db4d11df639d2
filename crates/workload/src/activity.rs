//! What a rank is doing, in words: for people who look at a run over time.

use crate::program::{Offload, Op};

/// Something that a rank does for a while: a pass of a network, a collective operation, an exchange with neighbours.
///
/// Asked for only where somebody looks ([`RankProgram::activities`](crate::RankProgram::activities)), so that programs keep no
/// account of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Activity {
    /// What: "allreduce", "forward".
    pub name: &'static str,
    /// With whom or of what: "tensor" for a collective of a tensor group; may be empty.
    pub of: &'static str,
    /// Which of its like. Activities of the same name that follow each other in one iteration differ in it.
    pub number: u32,
}

/// Where a program reports what it does: lines of work that go on side by side, and for each what it is in, from the
/// outermost inwards. Line 0 is the main line.
pub type Activities = Vec<(u32, Activity)>;

impl Activity {
    /// An activity of nobody in particular.
    #[must_use]
    pub const fn new(name: &'static str, number: u32) -> Self {
        Self { name, of: "", number }
    }

    /// The same among these.
    #[must_use]
    pub const fn among(self, of: &'static str) -> Self {
        Self { of, ..self }
    }

    /// What operations that are started together amount to; `None` for computation and time that passes, which show for themselves.
    #[must_use]
    pub fn of_operations(operations: &[Op], number: u32) -> Option<Self> {
        let name = |op: &Op| match op {
            Op::Send { .. } => Some("send"),
            Op::Recv { .. } => Some("receive"),
            Op::Put { .. } => Some("put"),
            Op::Get { .. } => Some("get"),
            Op::Amo { .. } => Some("atomic"),
            Op::Offload { kind: Offload::Allreduce, .. } => Some("allreduce"),
            Op::Offload { kind: Offload::Barrier, .. } => Some("barrier"),
            Op::Offload { kind: Offload::Broadcast, .. } => Some("broadcast"),
            Op::Compute { .. } | Op::Delay { .. } => None,
        };
        let mut names = operations.iter().filter_map(name);
        let first = names.next()?;
        Some(Self::new(if names.all(|other| other == first) { first } else { "exchange" }, number))
    }
}

#[cfg(test)]
mod tests {
    use philae_units::{Bytes, Picoseconds, RankId};

    use super::*;

    #[test]
    fn operations_that_start_together_have_a_name() {
        let send = Op::Send { to: RankId(1), bytes: Bytes(8), tag: 0, class: None };
        let receive = Op::Recv { from: None, bytes: Bytes(8), tag: None };
        let compute = Op::Compute { time: Picoseconds(1) };
        let name = |operations: &[Op]| Activity::of_operations(operations, 7).map(|found| (found.name, found.number));
        assert_eq!(name(&[send, compute, send]), Some(("send", 7)));
        assert_eq!(name(&[receive, send]), Some(("exchange", 7)));
        assert_eq!(name(&[Op::Offload { kind: Offload::Barrier, bytes: Bytes(0) }]), Some(("barrier", 7)));
        assert_eq!((name(&[compute]), name(&[])), (None, None));
    }
}
