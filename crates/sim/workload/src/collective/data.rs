//! Follows the data of a collective through its messages: a reference for the results of the
//! algorithms.

use std::collections::{BTreeMap, VecDeque};

use philae_units::Bytes;

use super::Collective;
use super::exchange::{Combine, Exchange};
use super::task::{CollectiveTask, RankItems};
use crate::program::Offload;

/// Maximum number of ranks: contributions are one bit per rank.
const RANKS_MAX: u32 = 128;

/// A collective that does not do what its name says.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DataError {
    /// More ranks than the check can follow.
    #[error("cannot follow the data of {found} ranks; at most {RANKS_MAX}")]
    TooManyRanks {
        /// Ranks of the collective.
        found: u32,
    },
    /// A rank sends an item that it does not have.
    #[error("rank {rank} sends item {item} in step {step} without having it")]
    Missing {
        /// Sender.
        rank: u32,
        step: u32,
        /// The missing item.
        item: u64,
    },
    /// The size of a message differs from that of its items.
    #[error("rank {rank} step {step}: a message of {found} carries items of {expected}")]
    WrongSize {
        /// Sender.
        rank: u32,
        step: u32,
        /// Size announced.
        found: Bytes,
        /// Size of the items.
        expected: Bytes,
    },
    /// The two ends disagree on a size.
    #[error("rank {rank} step {step} expects {expected} from rank {from} and gets {found}")]
    Disagreement {
        /// Receiver.
        rank: u32,
        step: u32,
        /// Sender.
        from: u32,
        /// Size sent.
        found: Bytes,
        /// Size expected.
        expected: Bytes,
    },
    /// A contribution is added twice.
    #[error("rank {rank} adds a contribution to element {item} twice in step {step}")]
    Twice {
        /// Receiver.
        rank: u32,
        step: u32,
        /// Element.
        item: u64,
    },
    /// No rank can continue.
    #[error("deadlock: rank {rank} waits in step {step} for a message that no rank sends")]
    Deadlock {
        /// The lowest rank that waits.
        rank: u32,
        step: u32,
    },
    /// A message that no rank receives.
    #[error("a message from rank {from} to rank {to} (step {step}) is never received")]
    Unreceived {
        /// Sender.
        from: u32,
        /// Receiver.
        to: u32,
        step: u32,
    },
    #[error("rank {rank} ends without item {item}, or with the wrong contributions to it")]
    WrongResult { rank: u32, item: u64 },
}

struct Message {
    bytes: Bytes,
    items: Vec<(u64, u128)>,
}

struct Receive {
    from: u32,
    bytes: Bytes,
    step: u32,
    combine: Combine,
}

/// One step of one rank, as the algorithm writes it.
#[derive(Default)]
struct Recorder {
    sends: Vec<(u32, Bytes, u32, Vec<u64>)>,
    receives: Vec<Receive>,
    offload: Option<(Bytes, Vec<u64>)>,
}

impl Exchange for Recorder {
    fn send(&mut self, to: u32, bytes: Bytes, step: u32, items: impl Iterator<Item = u64>) {
        self.sends.push((to, bytes, step, items.collect()));
    }

    fn recv(&mut self, from: u32, bytes: Bytes, step: u32, combine: Combine) {
        self.receives.push(Receive { from, bytes, step, combine });
    }

    fn offload(&mut self, _kind: Offload, bytes: Bytes, items: impl Iterator<Item = u64>) {
        self.offload = Some((bytes, items.collect()));
    }
}

struct Rank {
    step: u32,
    waiting: Vec<Receive>,
    /// The message that it has given to the switches and waits for.
    offloaded: Option<Message>,
    items: RankItems,
}

/// Runs `collective` among `ranks` in memory, following every item.
///
/// Ranks run as far ahead of each other as the messages allow: first even ones, then odd ones. A
/// correct algorithm does not depend on which ranks are early or late.
///
/// # Errors
/// [`DataError`], the first error.
pub fn simulate_data(collective: &Collective, ranks: u32) -> Result<(), DataError> {
    follow(collective, ranks, |rank, step, recorder| collective.step(rank, ranks, step, recorder))
}

/// As [`simulate_data`], with the messages of each (rank, step) from `write`.
fn follow(collective: &Collective, ranks: u32, write: impl Fn(u32, u32, &mut Recorder)) -> Result<(), DataError> {
    if ranks > RANKS_MAX {
        return Err(DataError::TooManyRanks { found: ranks });
    }
    let task = CollectiveTask::of(collective, ranks);
    let steps = collective.steps(ranks);
    let mut flying: BTreeMap<(u32, u32, u32), VecDeque<Message>> = BTreeMap::new();
    let mut states: Vec<Rank> = (0..ranks)
        .map(|rank| Rank { step: 0, waiting: Vec::new(), offloaded: None, items: task.start[rank as usize].clone() })
        .collect();
    loop {
        let mut moved = false;
        for rank in (0..ranks).step_by(2).chain((1..ranks).step_by(2)) {
            let state = &mut states[rank as usize];
            moved |= receive(rank, state, &mut flying)?;
            while state.waiting.is_empty() && state.offloaded.is_none() && state.step < steps {
                let mut recorder = Recorder::default();
                write(rank, state.step, &mut recorder);
                for (to, bytes, step, items) in recorder.sends {
                    let message = pack(rank, state, bytes, items, &task)?;
                    flying.entry((rank, to, step)).or_default().push_back(message);
                }
                if let Some((bytes, items)) = recorder.offload {
                    // A rank without items takes part with zeros of the operation's size.
                    let bytes = if items.is_empty() && bytes == task.bytes(0) { Bytes::ZERO } else { bytes };
                    state.offloaded = Some(pack(rank, state, bytes, items, &task)?);
                }
                state.waiting = recorder.receives;
                state.step += 1;
                moved = true;
                receive(rank, state, &mut flying)?;
            }
        }
        moved |= combine_offloaded(&mut states)?;
        if !moved {
            break;
        }
    }
    if let Some(rank) = states.iter().position(|state| !state.waiting.is_empty() || state.offloaded.is_some()) {
        return Err(DataError::Deadlock { rank: rank as u32, step: states[rank].step - 1 });
    }
    if let Some((&(from, to, step), _)) = flying.iter().find(|(_, messages)| !messages.is_empty()) {
        return Err(DataError::Unreceived { from, to, step });
    }
    (0..ranks).try_for_each(|rank| check_result(rank, &task, &states[rank as usize].items))
}

fn pack(
    rank: u32,
    state: &mut Rank,
    bytes: Bytes,
    items: Vec<u64>,
    task: &CollectiveTask,
) -> Result<Message, DataError> {
    let step = state.step;
    let expected = Bytes(items.iter().map(|&item| task.bytes(item).0).sum());
    if bytes != expected {
        return Err(DataError::WrongSize { rank, step, found: bytes, expected });
    }
    let held = |item: u64| state.items.get(&item).copied().ok_or(DataError::Missing { rank, step, item });
    let packed: Vec<(u64, u128)> =
        items.into_iter().map(|item| held(item).map(|who| (item, who))).collect::<Result<_, _>>()?;
    if task.in_place {
        state.items.retain(|item, _| packed.iter().all(|(sent, _)| sent != item));
    }
    Ok(Message { bytes, items: packed })
}

/// Does the work of the switches once every rank has given them its part: all parts combined, to
/// every rank.
fn combine_offloaded(states: &mut [Rank]) -> Result<bool, DataError> {
    if states.iter().any(|state| state.offloaded.is_none()) {
        return Ok(false);
    }
    let mut result = RankItems::new();
    for (rank, state) in states.iter_mut().enumerate() {
        for (item, who) in state.offloaded.take().into_iter().flat_map(|message| message.items) {
            let all = result.entry(item).or_default();
            if *all & who != 0 {
                return Err(DataError::Twice { rank: rank as u32, step: state.step - 1, item });
            }
            *all |= who;
        }
    }
    states.iter_mut().for_each(|state| state.items.extend(&result));
    Ok(true)
}

/// Receives all messages that have arrived. Returns whether there were any.
fn receive(
    rank: u32,
    state: &mut Rank,
    flying: &mut BTreeMap<(u32, u32, u32), VecDeque<Message>>,
) -> Result<bool, DataError> {
    let mut still_waiting = Vec::new();
    let mut moved = false;
    for wanted in std::mem::take(&mut state.waiting) {
        let arrived = flying.get_mut(&(wanted.from, rank, wanted.step)).and_then(VecDeque::pop_front);
        let Some(message) = arrived else {
            still_waiting.push(wanted);
            continue;
        };
        moved = true;
        if message.bytes != wanted.bytes {
            return Err(DataError::Disagreement {
                rank,
                step: wanted.step,
                from: wanted.from,
                found: message.bytes,
                expected: wanted.bytes,
            });
        }
        for (item, who) in message.items {
            let mut add = |item: u64| {
                let mine = state.items.entry(item).or_default();
                let twice = *mine & who != 0;
                *mine |= who;
                if twice { Err(DataError::Twice { rank, step: wanted.step, item }) } else { Ok(()) }
            };
            match wanted.combine {
                Combine::Replace => _ = state.items.insert(item, who),
                Combine::Union => *state.items.entry(item).or_default() |= who,
                Combine::Sum => add(item)?,
                Combine::Prefix { results } => {
                    add(item)?;
                    if wanted.from < rank {
                        add(item + results)?;
                    }
                }
            }
        }
    }
    state.waiting = still_waiting;
    Ok(moved)
}

/// Checks that a rank has the right items after the collective.
fn check_result(rank: u32, task: &CollectiveTask, items: &RankItems) -> Result<(), DataError> {
    match task.end[rank as usize].iter().find(|(item, who)| items.get(item) != Some(who)) {
        Some((&item, _)) => Err(DataError::WrongResult { rank, item }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collective::{AllreduceAlgorithm, AlltoallAlgorithm, VectorSum};

    const RANKS: u32 = 6;

    fn allreduce() -> Collective {
        let vector = VectorSum { elements: 12, element_bytes: Bytes(8) };
        Collective::Allreduce { algorithm: AllreduceAlgorithm::Ring, vector }
    }

    /// Runs a collective whose step 2 of rank 3 has been changed.
    fn changed(collective: &Collective, change: impl Fn(&mut Recorder)) -> Result<(), DataError> {
        follow(collective, RANKS, |rank, step, recorder| {
            collective.step(rank, RANKS, step, recorder);
            if (rank, step) == (3, 2) {
                change(recorder);
            }
        })
    }

    #[test]
    fn an_offloaded_part_that_is_left_out_is_a_deadlock_and_one_given_twice_is_caught() {
        let vector = VectorSum { elements: 4, element_bytes: Bytes(8) };
        let collective = Collective::Allreduce { algorithm: AllreduceAlgorithm::SwitchOffloaded, vector };
        let with = |change: &dyn Fn(&mut Recorder)| {
            follow(&collective, RANKS, |rank, step, recorder| {
                collective.step(rank, RANKS, step, recorder);
                if rank == 3 {
                    change(recorder);
                }
            })
        };
        assert_eq!(with(&|_| {}), Ok(()));
        let without = with(&|recorder| recorder.offload = None);
        assert!(matches!(without, Err(DataError::Deadlock { .. })), "{without:?}");
        let twice = with(&|recorder| recorder.offload = Some((Bytes(32), vec![0, 1, 2, 2])));
        assert!(matches!(twice, Err(DataError::Twice { rank: 3, .. })), "{twice:?}");
        let short = with(&|recorder| recorder.offload = Some((Bytes(24), vec![0, 1, 2])));
        assert!(matches!(short, Err(DataError::WrongResult { .. })), "{short:?}");
    }

    /// A defect of a step.
    #[derive(Clone, Copy, Debug)]
    enum Break {
        /// The first message is not sent.
        Drop,
        /// Its last item is missing, at both ends.
        Shorten,
        /// It goes to the rank after the right one.
        Astray,
        /// The step's messages are sent a second time.
        Repeat,
    }

    fn broken(recorder: &mut Recorder, how: Break, ranks: u32) {
        match how {
            Break::Drop => drop(recorder.sends.remove(0)),
            Break::Shorten => drop(recorder.sends[0].3.pop()),
            Break::Astray => recorder.sends[0].0 = (recorder.sends[0].0 + 1) % ranks,
            Break::Repeat => recorder.sends.push((
                recorder.sends[0].0,
                recorder.sends[0].1,
                recorder.sends[0].2,
                recorder.sends[0].3.clone(),
            )),
        }
    }

    /// Every algorithm that uses messages, so that the check notices any message that is left out.
    fn all() -> Vec<Collective> {
        use crate::collective::*;
        let vector = VectorSum { elements: 40, element_bytes: Bytes(8) };
        let blocks = BlockSizes::Even(Bytes(3));
        let (bytes, root) = (Bytes(1_000), 2);
        let mut all = vec![Collective::BARRIER];
        use AlltoallAlgorithm as A;
        all.extend([A::Bruck, A::Scattered, A::Pairwise, A::SendrecvReplace].map(|algorithm| Collective::Alltoall {
            algorithm,
            bytes: Bytes(3),
            seed: 5,
        }));
        use AlltoallvAlgorithm as V;
        all.extend(
            [V::Scattered, V::Pairwise, V::SendrecvReplace]
                .map(|algorithm| Collective::Alltoallv { algorithm, blocks: blocks.clone() }),
        );
        use AllreduceAlgorithm as R;
        all.extend(
            [R::RecursiveDoubling, R::Rabenseifner, R::Ring, R::Tree]
                .map(|algorithm| Collective::Allreduce { algorithm, vector }),
        );
        use ReduceScatterAlgorithm as S;
        all.extend(
            [S::RecursiveHalving, S::Pairwise]
                .map(|algorithm| Collective::ReduceScatter { algorithm, blocks: blocks.clone() }),
        );
        use AllgatherAlgorithm as G;
        all.extend(
            [G::RecursiveDoubling, G::Bruck, G::Ring]
                .map(|algorithm| Collective::Allgather { algorithm, blocks: blocks.clone() }),
        );
        use BroadcastAlgorithm as B;
        all.extend([B::Binomial, B::ScatterRecursiveDoubling, B::ScatterRing].map(|algorithm| Collective::Broadcast {
            algorithm,
            bytes,
            root,
        }));
        use ReduceAlgorithm as D;
        all.extend([D::Binomial, D::ReduceScatterGather].map(|algorithm| Collective::Reduce {
            algorithm,
            vector,
            root,
        }));
        for algorithm in [GatherAlgorithm::Binomial, GatherAlgorithm::Linear] {
            all.push(Collective::Gather { algorithm, blocks: blocks.clone(), root });
            all.push(Collective::Scatter { algorithm, blocks: blocks.clone(), root });
        }
        all
    }

    #[test]
    fn every_algorithm_that_is_broken_in_any_one_step_is_caught() {
        let mut tried = 0;
        for (collective, ranks) in all().iter().flat_map(|collective| [5, 6, 7, 8].map(|ranks| (collective, ranks))) {
            for (rank, step) in (0..ranks).flat_map(|rank| (0..collective.steps(ranks)).map(move |step| (rank, step))) {
                for how in [Break::Drop, Break::Shorten, Break::Astray, Break::Repeat] {
                    let mut whole = Recorder::default();
                    collective.step(rank, ranks, step, &mut whole);
                    if whole.sends.is_empty() {
                        continue;
                    }
                    let result = follow(collective, ranks, |at_rank, at_step, recorder| {
                        collective.step(at_rank, ranks, at_step, recorder);
                        if (at_rank, at_step) == (rank, step) {
                            broken(recorder, how, ranks);
                        }
                    });
                    assert!(result.is_err(), "{collective:?} on {ranks}: {how:?} of rank {rank} in step {step} passes");
                    tried += 1;
                }
            }
        }
        assert!(tried > 5_000, "{tried}");
    }

    #[test]
    fn a_message_that_is_left_out_is_a_deadlock() {
        let result = changed(&allreduce(), |recorder| recorder.sends.clear());
        assert!(matches!(result, Err(DataError::Deadlock { .. })), "{result:?}");
    }

    #[test]
    fn a_message_that_is_not_received_is_caught() {
        let result = changed(&allreduce(), |recorder| recorder.receives.clear());
        assert!(result.is_err(), "{result:?}");
    }

    #[test]
    fn a_size_that_is_not_that_of_the_data_is_caught() {
        let result = changed(&allreduce(), |recorder| recorder.sends[0].1 += Bytes(1));
        assert!(matches!(result, Err(DataError::WrongSize { rank: 3, step: 2, .. })), "{result:?}");
    }

    #[test]
    fn the_wrong_part_of_a_vector_is_caught() {
        let result = changed(&allreduce(), |recorder| recorder.sends[0].3 = vec![0, 1]);
        assert!(result.is_err(), "{result:?}");
    }

    #[test]
    fn adding_twice_is_caught() {
        let result = changed(&allreduce(), |recorder| recorder.sends[0].3 = vec![11, 11]);
        assert!(matches!(result, Err(DataError::Twice { .. })), "{result:?}");
    }

    #[test]
    fn a_block_that_the_sender_does_not_have_is_caught() {
        let collective = Collective::Alltoall { algorithm: AlltoallAlgorithm::Bruck, bytes: Bytes(1), seed: 0 };
        let result = changed(&collective, |recorder| recorder.sends[0].3[0] = 0);
        assert!(matches!(result, Err(DataError::Missing { rank: 3, step: 2, .. })), "{result:?}");
    }
}
