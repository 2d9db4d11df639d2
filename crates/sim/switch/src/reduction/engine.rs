//! The reduction engines of one port, for the trees whose roots lie behind it.
//!
//! ```text
//!            arm                first contribution              all children, or time is up
//!  (none) ---------> armed ---------------------> gathering --------------------------------> passing
//!                      ^                                                                        |
//!                      +----------------------- arm with the next sequence ---------------------+
//! ```
//!
//! While it gathers, an engine combines contributions. A child may announce that more may come from
//! it, because its own result was partial. The engine also combines such a later contribution, but
//! does not count it as another child. After a result has gone up, each later contribution goes up
//! by itself. An arm with a later sequence number restarts the engine from any state: that is how a
//! root retries.

use std::collections::BTreeMap;

use crate::reduction::value::{OffloadOperation, Operands, ValueError};

/// Identifies a reduction of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct ReductionKey {
    /// Multicast id of the tree, 13 bits.
    pub tree: u16,
    /// Reduction id, 3 bits.
    pub reduction: u8,
}

/// Prepares an engine for an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arm {
    /// The reduction.
    pub key: ReductionKey,
    /// Identifies the job: contributions must carry the same cookie.
    pub cookie: u32,
    /// Sequence number of the operation (wrapping); it rises by one for each operation and each
    /// retry.
    pub sequence: u16,
    /// Wait count: the number of children that will contribute, 1 to 64.
    pub children: u8,
}

/// Part of an operation's result, in flight to the parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Contribution {
    /// The reduction.
    pub key: ReductionKey,
    /// The cookie of the arm.
    pub cookie: u32,
    /// The sequence number of the arm.
    pub sequence: u16,
    pub operation: OffloadOperation,
    /// The operands.
    pub value: Operands,
    /// The number of endpoints included.
    pub count: u32,
    /// Whether more of the same operation may come from the same sender.
    pub partial: bool,
}

/// Why a contribution or an arm is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReductionRefusal {
    /// All engines of the port are in use by other reductions.
    #[error(
        "all {engines} engines of the port are in use: fewer reductions per tree or the software's algorithm would work"
    )]
    NoEngine {
        /// Engines of the port.
        engines: u8,
    },
    /// A wait count outside 1 to 64.
    #[error("the wait count is {found}; 1 to 64 would work, the children of a port")]
    WaitCount {
        /// The requested count.
        found: u8,
    },
    /// The reduction has not been armed.
    #[error("no engine is armed for tree {}, reduction {}", .0.tree, .0.reduction)]
    NotArmed(ReductionKey),
    /// The cookie of another job.
    #[error("the contribution has the cookie {found:#x}; the engine was armed with {armed:#x}, by another job")]
    Cookie {
        /// The cookie found.
        found: u32,
        /// The cookie of the arm.
        armed: u32,
    },
    /// The sequence number of another operation.
    #[error("the contribution has the sequence {found}; the engine was armed for {armed}")]
    Sequence {
        /// The number found.
        found: u16,
        /// The number of the arm.
        armed: u16,
    },
    /// Another kind of operation.
    #[error("the contribution has the operation {}, the first one has {}; both must have the same", philae_units::word(.found), philae_units::word(.first))]
    Operation {
        /// The operation found.
        found: OffloadOperation,
        /// The operation of the first contribution.
        first: OffloadOperation,
    },
    /// The child has already contributed everything.
    #[error("child {child} has already contributed; an operation takes one contribution of each child")]
    Duplicate { child: u8 },
    /// Operands that do not fit together.
    #[error(transparent)]
    Value(#[from] ValueError),
}

/// The result of a contribution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContributionOutcome {
    /// It is kept. After the first one, the caller must call [`PortEngines::expire`] at this time,
    /// in picoseconds.
    Kept(Option<u64>),
    /// This goes up: the result of all children, or a contribution that came after a result.
    Up(Contribution),
    /// It is dropped.
    Refused(ReductionRefusal),
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Engine {
    cookie: u32,
    sequence: u16,
    children: u8,
    /// Children that have contributed, one bit each.
    heard: u64,
    /// Children that will contribute nothing more.
    done: u64,
    state: State,
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
enum State {
    Armed,
    Gathering { result: Contribution, deadline: u64 },
    Passing { operation: OffloadOperation },
}

/// The engines of one port.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct PortEngines {
    capacity: u8,
    timeout_ps: u64,
    engines: BTreeMap<ReductionKey, Engine>,
}

impl PortEngines {
    /// `capacity` engines that wait `timeout_ps` picoseconds for the last child.
    #[must_use]
    pub const fn new(capacity: u8, timeout_ps: u64) -> Self {
        Self { capacity, timeout_ps, engines: BTreeMap::new() }
    }

    /// Arms an engine. A repeated arm changes nothing.
    ///
    /// # Errors
    /// [`ReductionRefusal::NoEngine`] if all are in use by other reductions,
    /// [`ReductionRefusal::WaitCount`], [`ReductionRefusal::Sequence`] for an older arm.
    pub fn arm(&mut self, arm: Arm) -> Result<(), ReductionRefusal> {
        if arm.children == 0 || arm.children > 64 {
            return Err(ReductionRefusal::WaitCount { found: arm.children });
        }
        if let Some(engine) = self.engines.get(&arm.key) {
            if engine.sequence == arm.sequence && engine.cookie == arm.cookie {
                return Ok(());
            }
            if engine.cookie == arm.cookie && !is_later(arm.sequence, engine.sequence) {
                return Err(ReductionRefusal::Sequence { found: arm.sequence, armed: engine.sequence });
            }
        } else if self.engines.len() >= usize::from(self.capacity) {
            return Err(ReductionRefusal::NoEngine { engines: self.capacity });
        }
        let (cookie, sequence, children) = (arm.cookie, arm.sequence, arm.children);
        self.engines.insert(arm.key, Engine { cookie, sequence, children, heard: 0, done: 0, state: State::Armed });
        Ok(())
    }

    /// Frees an engine of a job that has ended. Its partial result is lost.
    pub fn release(&mut self, key: ReductionKey) {
        self.engines.remove(&key);
    }

    /// The number of engines in use.
    #[must_use]
    pub fn in_use(&self) -> usize {
        self.engines.len()
    }

    /// Processes a contribution of child `child` (0 to 63) at `now`.
    pub fn contribute(&mut self, now: u64, child: u8, given: Contribution) -> ContributionOutcome {
        match self.take(now, child, given) {
            Ok(outcome) => outcome,
            Err(refusal) => ContributionOutcome::Refused(refusal),
        }
    }

    fn take(&mut self, now: u64, child: u8, given: Contribution) -> Result<ContributionOutcome, ReductionRefusal> {
        let Some(engine) = self.engines.get_mut(&given.key) else { return Err(ReductionRefusal::NotArmed(given.key)) };
        if engine.cookie != given.cookie {
            return Err(ReductionRefusal::Cookie { found: given.cookie, armed: engine.cookie });
        }
        if engine.sequence != given.sequence {
            return Err(ReductionRefusal::Sequence { found: given.sequence, armed: engine.sequence });
        }
        given.value.fits(given.operation)?;
        let bit = 1_u64 << child;
        if engine.done & bit != 0 {
            return Err(ReductionRefusal::Duplicate { child });
        }
        let first = match &engine.state {
            State::Armed => None,
            State::Gathering { result, .. } => Some(result.operation),
            State::Passing { operation } => Some(*operation),
        };
        if let Some(first) = first.filter(|&first| first != given.operation) {
            return Err(ReductionRefusal::Operation { found: given.operation, first });
        }
        let mut timer = None;
        match &mut engine.state {
            State::Armed => {
                let deadline = now + self.timeout_ps;
                timer = Some(deadline);
                engine.state = State::Gathering { result: given, deadline };
            }
            State::Gathering { result, .. } => {
                result.value = result.value.combine(given.value, given.operation)?;
                result.count += given.count;
            }
            State::Passing { .. } => {}
        }
        engine.heard |= bit;
        if !given.partial {
            engine.done |= bit;
        }
        Ok(match &engine.state {
            // After a result has gone up, more contributions may follow.
            State::Passing { .. } => ContributionOutcome::Up(Contribution { partial: true, ..given }),
            State::Gathering { .. } if engine.heard.count_ones() == u32::from(engine.children) => {
                ContributionOutcome::Up(engine.finish())
            }
            _ => ContributionOutcome::Kept(timer),
        })
    }

    /// Handles a time-out: the engine of `key` sends up what it has, if its deadline was `now` and
    /// it still gathers.
    pub fn expire(&mut self, now: u64, key: ReductionKey) -> Option<Contribution> {
        let engine = self.engines.get_mut(&key)?;
        match engine.state {
            State::Gathering { deadline, .. } if deadline == now => Some(engine.finish()),
            _ => None,
        }
    }

    /// The deadline of the engine of `key`, in picoseconds, while it gathers.
    #[must_use]
    pub fn deadline(&self, key: ReductionKey) -> Option<u64> {
        match self.engines.get(&key)?.state {
            State::Gathering { deadline, .. } => Some(deadline),
            State::Armed | State::Passing { .. } => None,
        }
    }
}

impl Engine {
    /// Sends the result up. The result is complete if no child will contribute more.
    fn finish(&mut self) -> Contribution {
        let State::Gathering { result, .. } = self.state else { unreachable!("only what gathers has a result") };
        self.state = State::Passing { operation: result.operation };
        let whole = self.done.count_ones() == u32::from(self.children);
        Contribution { partial: !whole, ..result }
    }
}

/// Whether one sequence number is later than another, with wrapping.
const fn is_later(one: u16, other: u16) -> bool {
    one != other && one.wrapping_sub(other) < 1 << 15
}
