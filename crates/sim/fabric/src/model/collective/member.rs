//! NICs and the software behind them: members contribute and take results, the root sends them.
//!
//! Operation `n` of a job (counted from 0) uses reduction `n mod R`, where `R` is the number of
//! reductions of a tree. At its first operation the root arms all of them. A result also arms its
//! reduction, for operation `n + R`. A member contributes once it knows the sequence number with
//! which engines are armed.
//!
//! When the root's time is up, it arms with a new sequence number for the same operation. Engines
//! then forget, members contribute again, and what is still on its way is refused.

mod handlers;

use std::collections::BTreeMap;

use philae_switch::reduction::{OffloadOperation, Operands, ReductionKey};
use philae_workload::Offload;

use super::TreeLoad;

/// A planned action of a NIC, or of the software behind it.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub enum Todo {
    /// A member's operation has reached its NIC.
    Start { tree: u16, operation: u32 },
    /// A packet of a tree is visible to software.
    Received(TreeLoad),
    /// Software has handed a packet to the NIC.
    Send(TreeLoad),
    /// A member should have had a result.
    Overdue { tree: u16, operation: u32, sequence: u16 },
    /// Software has a message about a tree from rank `from` for rank `to`.
    Heard { tree: u16, from: u32, to: u32, operation: u32 },
    /// The root's time for an operation is up.
    Retry { key: ReductionKey, sequence: u16 },
}

/// A member of a tree.
#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Member {
    /// Operations that its rank has started.
    started: u32,
    /// The arming of each reduction: sequence number and operation.
    armed: BTreeMap<u8, (u16, u32)>,
    /// Operations that have not completed.
    pending: BTreeMap<u32, Pending>,
}

#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct Pending {
    /// The rank that started it.
    pub rank: u32,
    /// Its handle at the rank.
    pub handle: u32,
    kind: Offload,
    bytes: u64,
    value: Operands,
    /// It has reached the NIC.
    ready: bool,
    /// Sequence number with which it was contributed.
    pub contributed: Option<u16>,
}

/// The root of a tree.
#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Root {
    reductions: BTreeMap<u8, Gathering>,
}

/// What the root has received of an operation.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
struct Gathering {
    operation: u32,
    sequence: u16,
    gathered: Option<(OffloadOperation, Operands)>,
    count: u32,
    /// Number of times that it was started again.
    tries: u8,
}

impl Member {
    /// An operation that has no result.
    pub fn pending(&self, operation: u32) -> Option<&Pending> {
        self.pending.get(&operation)
    }

    /// Takes all of them, because the switches will not do them.
    pub fn take_pending(&mut self) -> BTreeMap<u32, Pending> {
        std::mem::take(&mut self.pending)
    }
}

impl Root {
    /// The first operation of which it has no result. A rank starts its operations in order, so
    /// later ones have no result either.
    pub fn first_open(&self) -> Option<u32> {
        self.reductions.values().map(|gathering| gathering.operation).min()
    }

    /// Whether it has no result of an operation.
    pub fn is_open(&self, operation: u32, reductions: u32) -> bool {
        let gathering = self.reductions.get(&((operation % reductions) as u8));
        gathering.is_some_and(|gathering| gathering.operation <= operation)
    }
}
