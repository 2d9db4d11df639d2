//! What the coordinator knows of a rank.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use philae_cosim::WaitKind;
use philae_provider::simulated::nic::{MatchedMessage, RankEndpoint, ReturnCode};
use philae_units::Picoseconds;
use philae_workload::{NicReply, OpHandle};

use crate::operation::{EndpointPair, RankOperation};

/// What a rank does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankPhase {
    /// Its core is busy until this operation ends; then it has its next turn.
    Busy { turn: OpHandle },
    /// Its core is busy until this operation ends; then it waits, unless something has happened
    /// that it has not looked for.
    Ahead { turn: OpHandle, kind: WaitKind, until: Option<Picoseconds> },
    /// It waits.
    Waits {
        kind: WaitKind,
        /// The wait, for the fabric.
        event: OpHandle,
        /// Its clock when it began, in picoseconds.
        since: u64,
        /// Whether it ends at a time by itself.
        is_limited: bool,
        /// Until when, at most.
        until: Option<Picoseconds>,
        /// Whether the wait has been ended.
        is_over: bool,
    },
    /// It is outside of simulated time; this wait ends when it comes back. What had happened when
    /// it went, and when that was.
    Outside { event: OpHandle, happenings: usize, since: u64 },
    /// It has left.
    Gone,
    /// It has died, or done what no rank does.
    Failed,
}

/// An operation with the parts of it that have not happened yet.
#[derive(Debug)]
pub struct OutstandingOperation {
    pub operation: Arc<RankOperation>,
    /// The rank that it reaches.
    pub to: u32,
    pub has_ended: bool,
    pub has_arrived: bool,
}

/// Where the data of a message go.
#[derive(Clone, Debug)]
pub enum DataDestination {
    /// To the receive that it matched when it arrived.
    Matched(Box<MatchedMessage>),
    /// To a receive that the rank has matched itself: where, how many bytes, and the handle of the
    /// fetch; and the multi-receive buffer whose last message it is.
    Fetched { address: u64, length: u64, handle: u64, last_of: Option<u64> },
    /// Nowhere: it is discarded.
    Dropped,
}

/// A message whose data are on their way.
#[derive(Debug)]
pub struct Fetch {
    pub endpoint: Arc<RankEndpoint>,
    pub to: DataDestination,
}

/// A message that has arrived and waits in the rank's lists, until it is fetched or acknowledged.
#[derive(Clone, Debug)]
pub struct WaitingMessage {
    pub source_rank: u32,
    pub operation: OpHandle,
    /// For the fabric; `None`: its bytes have come with it.
    pub number: Option<u32>,
    pub message: Arc<RankOperation>,
}

/// What has arrived at a rank, and takes effect in its order.
#[derive(Debug)]
pub struct ArrivedOperation {
    pub source_rank: u32,
    pub handle: OpHandle,
    pub operation: Arc<RankOperation>,
    /// For the fabric, if it is a message whose data did not come with it.
    pub number: Option<u32>,
}

/// The order of one initiator's operations at one endpoint.
#[derive(Debug)]
pub struct ArrivalOrder<T> {
    /// The place of the next one.
    next: u64,
    /// Those that came before it; `None`: one that never comes.
    early: BTreeMap<u64, Option<T>>,
}

impl<T> Default for ArrivalOrder<T> {
    fn default() -> Self {
        Self { next: 0, early: BTreeMap::new() }
    }
}

impl<T> ArrivalOrder<T> {
    /// Takes what has arrived; [`next`](Self::next) then has it, if it is its turn.
    pub fn arrives(&mut self, place: u64, arrival: T) {
        if place >= self.next {
            self.early.insert(place, Some(arrival));
        }
    }

    /// What has this place never comes, unless it is here: those behind it do not wait for it.
    pub fn never_arrives(&mut self, place: u64) {
        if place >= self.next {
            self.early.entry(place).or_insert(None);
        }
    }

    /// All that has come and not taken effect.
    pub fn into_early(self) -> impl Iterator<Item = T> {
        self.early.into_values().flatten()
    }

    /// What takes effect next.
    pub fn next(&mut self) -> Option<T> {
        while let Some(arrival) = self.early.remove(&self.next) {
            self.next += 1;
            if arrival.is_some() {
                return arrival;
            }
        }
        None
    }
}

/// A message for which the rank's NIC has had no room.
#[derive(Debug)]
pub struct RefusedMessage {
    pub source_rank: u32,
    pub handle: OpHandle,
    pub operation: Arc<RankOperation>,
    /// For the fabric, if its data did not come with it.
    pub number: Option<u32>,
}

/// The end of the last message of a multi-receive buffer, which comes after those of all others.
#[derive(Debug)]
pub enum LastOfBuffer {
    /// A message that the NIC has matched.
    Matched(Box<MatchedMessage>, ReturnCode),
    /// A fetch of the rank's.
    Fetched(u64, ReturnCode),
}

/// A multi-receive buffer with messages on their way.
#[derive(Debug, Default)]
pub struct BufferFlights {
    pub messages: u32,
    pub last: Option<LastOfBuffer>,
}

/// A rank.
#[derive(Debug)]
pub struct CoordinatedState {
    pub phase: RankPhase,
    next: u32,
    /// Messages in its lists, by the source and the handle of their sender.
    pub waiting: HashMap<(u32, u64), WaitingMessage>,
    /// Messages whose data are on their way to it, by the rank and the operation of their sender.
    pub fetches: HashMap<(u32, OpHandle), Fetch>,
    pub refused: VecDeque<RefusedMessage>,
    /// The next place at each target.
    pub places: HashMap<EndpointPair, u64>,
    /// What has come out of order.
    pub orders: HashMap<EndpointPair, ArrivalOrder<ArrivedOperation>>,
    /// Messages whose data are fetched now, or from a time on, by their numbers in the fabric.
    pub released: VecDeque<(u32, Picoseconds)>,
    /// What its NIC tells other ranks now, or from a time on.
    pub replies: VecDeque<NicReply>,
    /// By endpoint and context.
    pub buffers: HashMap<(u32, u64), BufferFlights>,
    /// Whether others have gone on since it went outside, from where it is back.
    pub is_back_late: bool,
    /// Whether it did something after it was outside while others went on.
    pub was_outside: bool,
    /// Operations that were dropped, because their endpoint was closed before the coordinator saw
    /// it.
    pub dropped: u32,
}

impl Default for CoordinatedState {
    fn default() -> Self {
        Self {
            phase: RankPhase::Busy { turn: OpHandle(0) },
            // 0 names the turn with which it begins.
            next: 1,
            waiting: HashMap::new(),
            fetches: HashMap::new(),
            refused: VecDeque::new(),
            places: HashMap::new(),
            orders: HashMap::new(),
            released: VecDeque::new(),
            replies: VecDeque::new(),
            buffers: HashMap::new(),
            is_back_late: false,
            was_outside: false,
            dropped: 0,
        }
    }
}

impl CoordinatedState {
    /// A handle that no operation of the rank has had.
    pub fn next(&mut self) -> OpHandle {
        self.next += 1;
        OpHandle(self.next - 1)
    }

    /// Whether nothing can happen at it by itself, except that its own operations end: it waits for
    /// others, and no data are on their way to it.
    pub fn is_idle(&self) -> bool {
        let waits = match self.phase {
            RankPhase::Busy { .. } | RankPhase::Ahead { .. } => false,
            RankPhase::Waits { kind, is_over, is_limited, .. } => kind != WaitKind::Sleep && !is_over && !is_limited,
            RankPhase::Outside { .. } | RankPhase::Gone | RankPhase::Failed => true,
        };
        waits && self.fetches.is_empty()
    }

    /// Something has happened that the rank may wait for: its wait, if that has not ended yet.
    pub fn wake(&mut self) -> Option<OpHandle> {
        match &mut self.phase {
            RankPhase::Waits { kind: WaitKind::Event | WaitKind::Poll, event, is_over, .. } if !*is_over => {
                *is_over = true;
                Some(*event)
            }
            _ => None,
        }
    }
}

/// The operations of a rank that have not ended, or not arrived. The ranks that they reach look
/// there, too: it is locked for a moment only, while nothing else is asked for.
#[derive(Debug, Default)]
pub struct OutstandingOperations(Mutex<HashMap<OpHandle, OutstandingOperation>>);

impl OutstandingOperations {
    pub fn lock(&self) -> MutexGuard<'_, HashMap<OpHandle, OutstandingOperation>> {
        self.0.lock().expect("no panic with it")
    }

    pub fn get(&self, handle: OpHandle) -> Option<Arc<RankOperation>> {
        self.lock().get(&handle).map(|outstanding| Arc::clone(&outstanding.operation))
    }

    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// An operation of the rank begins, which reaches this one.
    pub fn begin(&self, handle: OpHandle, operation: RankOperation, to: u32) {
        let operation = Arc::new(operation);
        self.lock().insert(handle, OutstandingOperation { operation, to, has_ended: false, has_arrived: false });
    }

    /// A part of an operation has happened.
    pub fn settle(&self, handle: OpHandle, part: impl FnOnce(&mut OutstandingOperation)) {
        let mut operations = self.lock();
        let Some(outstanding) = operations.get_mut(&handle) else { return };
        part(outstanding);
        if outstanding.has_ended && outstanding.has_arrived {
            operations.remove(&handle);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ArrivalOrder;

    #[test]
    fn what_comes_early_waits_and_what_never_comes_is_passed_over() {
        let mut order = ArrivalOrder::default();
        let mut seen = Vec::new();
        let mut arrive = |place: u64, what: Option<u64>| {
            match what {
                Some(what) => order.arrives(place, what),
                None => order.never_arrives(place),
            }
            seen.extend(std::iter::from_fn(|| order.next()));
            seen.clone()
        };
        assert_eq!(arrive(1, Some(1)), Vec::<u64>::new());
        assert_eq!(arrive(4, Some(4)), Vec::<u64>::new());
        assert_eq!(arrive(0, Some(0)), [0, 1]);
        assert_eq!(arrive(3, None), [0, 1]);
        // It is here.
        assert_eq!(arrive(4, None), [0, 1]);
        assert_eq!(arrive(2, Some(2)), [0, 1, 2, 4]);
        // It was passed over already.
        assert_eq!(arrive(3, Some(3)), [0, 1, 2, 4]);
        assert_eq!(arrive(5, Some(5)), [0, 1, 2, 4, 5]);
    }
}
