//! Names for what a rank is doing, for people who view a run over time.

use crate::program::{Offload, Op};

/// What a rank does during a stretch of time: a pass of a network, a collective operation, an
/// exchange with neighbours.
///
/// Programs report activities only on request
/// ([`RankProgram::activities`](crate::RankProgram::activities)), so they need not record them
/// otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Activity {
    /// The kind: "allreduce", "forward".
    pub name: &'static str,
    /// The partners or the object: "tensor" for a collective of a tensor group; may be empty.
    pub of: &'static str,
    /// Distinguishes consecutive activities of the same name in one iteration.
    pub number: u32,
}

/// A program's report of what it does: concurrent lines of work, each with its nested activities
/// from the outermost inwards. Line 0 is the main line.
pub type Activities = Vec<(u32, Activity)>;

impl Activity {
    /// An activity without partners.
    #[must_use]
    pub const fn new(name: &'static str, number: u32) -> Self {
        Self { name, of: "", number }
    }

    /// The same activity with these partners.
    #[must_use]
    pub const fn among(self, of: &'static str) -> Self {
        Self { of, ..self }
    }

    /// The activity of operations that start together; `None` for computation and time that passes,
    /// which timelines show by themselves.
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
            Op::Compute { .. } | Op::Delay { .. } | Op::Until { .. } | Op::Event { .. } | Op::Fetch { .. } => None,
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
