//! The engines of one port towards the roots of its trees.
//!
//! ```text
//!            arm                first contribution              all children, or time is up
//!  (none) ---------> armed ---------------------> gathering --------------------------------> passing
//!                      ^                                                                        |
//!                      +----------------------- arm with the next sequence ---------------------+
//! ```
//!
//! While it gathers, an engine combines. A child may say that more may come from it (its own result was partial): what comes
//! later is combined too, but does not count as another child. Once a result has gone up, what still comes goes up on its
//! own. An arm with a later sequence begins anew from any state: that is how a root tries again.

use std::collections::BTreeMap;

use crate::value::{Operation, Value, ValueError};

/// Which reduction of which tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct ReductionKey {
    /// Multicast id of the tree, 13 bits.
    pub tree: u16,
    /// Reduction id, 3 bits.
    pub reduction: u8,
}

/// Makes an engine ready for an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arm {
    /// For whom.
    pub key: ReductionKey,
    /// Names the job: contributions must carry the same.
    pub cookie: u32,
    /// Sequence number of the operation (wrapping): one more for each, and for each further try.
    pub sequence: u16,
    /// Wait count: children that will contribute, 1 to 64.
    pub children: u8,
}

/// Part of an operation's result, on its way up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Contribution {
    /// To what.
    pub key: ReductionKey,
    /// As its arm has it.
    pub cookie: u32,
    /// As its arm has it.
    pub sequence: u16,
    /// The operation.
    pub operation: Operation,
    /// The operands.
    pub value: Value,
    /// Endpoints that are in it.
    pub count: u32,
    /// More of the same operation may come from where this comes from.
    pub partial: bool,
}

/// Why a contribution or an arm is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Every engine of the port has a reduction already.
    #[error(
        "all {engines} engines of the port are taken: fewer reductions per tree or the software's algorithm would work"
    )]
    NoEngine {
        /// Engines of the port.
        engines: u8,
    },
    /// A wait count that no engine has.
    #[error("a wait count of {found}; a port has 1 to 64 children")]
    WaitCount {
        /// What was asked.
        found: u8,
    },
    /// No arm came before.
    #[error("no engine is armed for tree {}, reduction {}", .0.tree, .0.reduction)]
    NotArmed(ReductionKey),
    /// Of another job.
    #[error("its cookie is {found:#x}; the engine was armed with {armed:#x}")]
    Cookie {
        /// Found.
        found: u32,
        /// Armed.
        armed: u32,
    },
    /// Of another operation in time.
    #[error("its sequence is {found}; the engine was armed for {armed}")]
    Sequence {
        /// Found.
        found: u16,
        /// Armed.
        armed: u16,
    },
    /// Of another operation in kind.
    #[error("it asks for {}; the first contribution asked for {}", philae_units::word(.found), philae_units::word(.first))]
    Operation {
        /// Found.
        found: Operation,
        /// The first contribution's.
        first: Operation,
    },
    /// The child has contributed all it has.
    #[error("child {child} has contributed before")]
    Duplicate {
        /// Which.
        child: u8,
    },
    /// Operands that do not go together.
    #[error(transparent)]
    Value(#[from] ValueError),
}

/// What becomes of a contribution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is kept. If it is the first, the engine wants [`PortEngines::expire`] called at this time, in picoseconds.
    Kept(Option<u64>),
    /// This goes up: the result of all children, or what came after a result.
    Up(Contribution),
    /// It is dropped.
    Refused(Refusal),
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Engine {
    cookie: u32,
    sequence: u16,
    children: u8,
    /// Children heard of, one bit each.
    heard: u64,
    /// Children of which nothing more may come.
    done: u64,
    state: State,
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
enum State {
    Armed,
    Gathering { result: Contribution, deadline: u64 },
    Passing { operation: Operation },
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

    /// Arms an engine. An arm that has come before, or is older than the last, changes nothing.
    ///
    /// # Errors
    /// [`Refusal::NoEngine`] when all are taken by other reductions, [`Refusal::WaitCount`], [`Refusal::Sequence`] for an
    /// older arm.
    pub fn arm(&mut self, arm: Arm) -> Result<(), Refusal> {
        if arm.children == 0 || arm.children > 64 {
            return Err(Refusal::WaitCount { found: arm.children });
        }
        if let Some(engine) = self.engines.get(&arm.key) {
            if engine.sequence == arm.sequence && engine.cookie == arm.cookie {
                return Ok(());
            }
            if engine.cookie == arm.cookie && !is_later(arm.sequence, engine.sequence) {
                return Err(Refusal::Sequence { found: arm.sequence, armed: engine.sequence });
            }
        } else if self.engines.len() >= usize::from(self.capacity) {
            return Err(Refusal::NoEngine { engines: self.capacity });
        }
        let (cookie, sequence, children) = (arm.cookie, arm.sequence, arm.children);
        self.engines.insert(arm.key, Engine { cookie, sequence, children, heard: 0, done: 0, state: State::Armed });
        Ok(())
    }

    /// Gives an engine back. What it has gathered is lost; the job is gone.
    pub fn release(&mut self, key: ReductionKey) {
        self.engines.remove(&key);
    }

    /// Engines in use.
    #[must_use]
    pub fn in_use(&self) -> usize {
        self.engines.len()
    }

    /// Takes what child `child` (0 to 63) sends at `now`.
    pub fn contribute(&mut self, now: u64, child: u8, given: Contribution) -> Outcome {
        match self.take(now, child, given) {
            Ok(outcome) => outcome,
            Err(refusal) => Outcome::Refused(refusal),
        }
    }

    fn take(&mut self, now: u64, child: u8, given: Contribution) -> Result<Outcome, Refusal> {
        let Some(engine) = self.engines.get_mut(&given.key) else { return Err(Refusal::NotArmed(given.key)) };
        if engine.cookie != given.cookie {
            return Err(Refusal::Cookie { found: given.cookie, armed: engine.cookie });
        }
        if engine.sequence != given.sequence {
            return Err(Refusal::Sequence { found: given.sequence, armed: engine.sequence });
        }
        given.value.fits(given.operation)?;
        let bit = 1_u64 << child;
        if engine.done & bit != 0 {
            return Err(Refusal::Duplicate { child });
        }
        let first = match &engine.state {
            State::Armed => None,
            State::Gathering { result, .. } => Some(result.operation),
            State::Passing { operation } => Some(*operation),
        };
        if let Some(first) = first.filter(|&first| first != given.operation) {
            return Err(Refusal::Operation { found: given.operation, first });
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
            // What comes after a result may be followed by more.
            State::Passing { .. } => Outcome::Up(Contribution { partial: true, ..given }),
            State::Gathering { .. } if engine.heard.count_ones() == u32::from(engine.children) => {
                Outcome::Up(engine.finish())
            }
            _ => Outcome::Kept(timer),
        })
    }

    /// Time is up: what the engine of `key` has goes up, if its deadline was `now` and it still gathers.
    pub fn expire(&mut self, now: u64, key: ReductionKey) -> Option<Contribution> {
        let engine = self.engines.get_mut(&key)?;
        match engine.state {
            State::Gathering { deadline, .. } if deadline == now => Some(engine.finish()),
            _ => None,
        }
    }

    /// When the time of the engine of `key` is up, in picoseconds, while it gathers.
    #[must_use]
    pub fn deadline(&self, key: ReductionKey) -> Option<u64> {
        match self.engines.get(&key)?.state {
            State::Gathering { deadline, .. } => Some(deadline),
            State::Armed | State::Passing { .. } => None,
        }
    }
}

impl Engine {
    /// Sends the result up. It is whole if nothing more may come from any child.
    fn finish(&mut self) -> Contribution {
        let State::Gathering { result, .. } = self.state else { unreachable!("only what gathers has a result") };
        self.state = State::Passing { operation: result.operation };
        let whole = self.done.count_ones() == u32::from(self.children);
        Contribution { partial: !whole, ..result }
    }
}

/// Whether one sequence number comes after another, wrapping.
const fn is_later(one: u16, other: u16) -> bool {
    one != other && one.wrapping_sub(other) < 1 << 15
}
