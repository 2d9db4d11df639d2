//! The coordinator's side.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::command::{COPIED, PeerAddress, RankCommand, RankCommandKind};
use crate::costs::RankCosts;
use crate::file::{RunFile, clock_ns};
use crate::futex;
use crate::home;
use crate::page::{BYTES_MAX, COMMANDS_MAX, EndpointSlot, REAL_TIME_FUNCTIONS, RankPart, WaitKind, Words, place, turn};

/// How long a rank may compute before the coordinator looks what it does. Source: ours; longer
/// than most steps of a program between two calls. Status: assumed.
const LOOK_AFTER: Duration = Duration::from_millis(5);
/// How often it looks from then on. Source: ours. Status: assumed.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// A turn that is longer is noted. Source: ours. Status: assumed.
const LONG_TURN: Duration = Duration::from_secs(10);

/// A rank whose memory says something that no rank says, or that has died.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RankFault {
    /// Its process has ended without leaving the run.
    #[error("rank {rank} (process {process}) has ended in the middle of the run")]
    Died {
        /// The rank.
        rank: u32,
        /// Its process.
        process: u32,
    },
    /// The thread that had its turn has ended in a call, and cannot give it back.
    #[error("rank {rank} has no turn to give back: its thread {thread} has ended in a call")]
    Stuck {
        /// The rank.
        rank: u32,
        /// The thread.
        thread: u32,
    },
    /// Its page is damaged.
    #[error("rank {rank} handed over {what}")]
    Damaged {
        /// The rank.
        rank: u32,
        /// What is wrong.
        what: String,
    },
}

/// What a rank did with its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// It gave it back: why, until when it waits at most, and its clock, in picoseconds.
    Back {
        /// Why.
        wait: WaitKind,
        /// Until when; `u64::MAX`: without a limit.
        deadline: u64,
        /// Its clock.
        clock: u64,
    },
    /// All of its process sleeps, in a call that is not ours. It has no turn until it comes back.
    Outside {
        /// Its clock, in picoseconds.
        clock: u64,
    },
}

/// The commands of a turn, with the bytes that are copied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Handed {
    /// In the order in which they were issued.
    pub commands: Vec<(RankCommandKind, RankCommand)>,
    /// The bytes to which the addresses of [`COPIED`] commands refer.
    pub bytes: Vec<u8>,
}

impl Handed {
    /// The copied bytes of a command; none if it has none.
    #[must_use]
    pub fn bytes_of(&self, command: &RankCommand) -> &[u8] {
        if command.flags & COPIED == 0 {
            return &[];
        }
        // `take` has checked the range.
        &self.bytes[command.address as usize..][..command.length as usize]
    }
}

/// The coordinator of a run. The ranks learn that the run is over when it is dropped.
#[derive(Debug)]
pub struct Coordinator {
    run: Arc<RunFile>,
}

/// The turns of one rank: its owner is the only one that gives them.
#[derive(Debug)]
pub struct RankTurns {
    run: Arc<RunFile>,
    rank: u32,
}

impl Coordinator {
    /// The coordinator of a run whose file this process has made, and the turns of its ranks.
    #[must_use]
    pub fn new(run: Arc<RunFile>, costs: &RankCosts) -> (Self, Vec<RankTurns>) {
        run.header().costs.store(costs);
        let turns = (0..run.ranks()).map(|rank| RankTurns { run: Arc::clone(&run), rank }).collect();
        (Self { run }, turns)
    }

    /// The number of ranks.
    #[must_use]
    pub fn ranks(&self) -> u32 {
        self.run.ranks()
    }

    /// Simulated time begins: the clocks of all ranks show the same time at the same simulated
    /// time. It is the next full second, so that what a program computes of the fractions is the
    /// same in each run: a double has no room for nanoseconds since 1970, and rounds them.
    pub fn begin(&self) {
        let of_a_process = [libc::CLOCK_PROCESS_CPUTIME_ID, libc::CLOCK_THREAD_CPUTIME_ID];
        for (clock, began) in (0..).zip(&self.run.header().began_ns) {
            if !of_a_process.contains(&clock) {
                began.store(clock_ns(clock).next_multiple_of(1_000_000_000), Ordering::Relaxed);
            }
        }
    }

    /// The open endpoints of a rank.
    pub fn endpoints(&self, rank: u32) -> impl Iterator<Item = PeerAddress> {
        // SAFETY: all of it is atomic, and lives as long as the map.
        let slots = unsafe { &(*self.run.part(rank).as_ptr()).endpoints };
        slots.iter().map(EndpointSlot::address).filter(|address| address.numbers != 0)
    }

    /// What the system says of the process of a rank; `None`: it has ended, or has not joined.
    #[must_use]
    pub fn process_state(&self, rank: u32) -> Option<ProcessState> {
        ProcessState::of(Some(self.process(rank)).filter(|process| *process != 0)?)
    }

    fn words(&self, rank: u32) -> &Words {
        // SAFETY: the words of a rank are atomic, and live as long as the map.
        unsafe { &(*self.run.part(rank).as_ptr()).words }
    }

    /// Whether a rank waits for its turn for the first time, or again after it was outside.
    #[must_use]
    pub fn is_back(&self, rank: u32) -> bool {
        self.words(rank).place.load(Ordering::Acquire) == place::BACK
    }

    /// Whether a rank has left for good.
    #[must_use]
    pub fn is_gone(&self, rank: u32) -> bool {
        self.words(rank).place.load(Ordering::Acquire) == place::GONE
    }

    /// Waits at most this long for a rank to join, or to come back; returns whether it has.
    ///
    /// # Errors
    /// [`RankFault::Died`].
    pub fn await_rank(&self, rank: u32, at_most: Duration) -> Result<bool, RankFault> {
        let (words, began) = (self.words(rank), Instant::now());
        loop {
            let found = words.place.load(Ordering::Acquire);
            if found == place::BACK {
                return Ok(true);
            }
            let process = words.process.load(Ordering::Acquire);
            if process != 0 && found != place::GONE && !is_alive(process) {
                return Err(RankFault::Died { rank, process });
            }
            let Some(left) = at_most.checked_sub(began.elapsed()) else { return Ok(false) };
            futex::sleep(&words.place, found, left.min(LOOK_EVERY));
        }
    }

    /// A rank whose turn has lasted for long in real time: it computes, and makes no calls.
    #[must_use]
    pub fn long_turn(&self) -> Option<u32> {
        (0..self.ranks()).find(|&rank| self.words(rank).is_long.load(Ordering::Relaxed) != 0)
    }

    /// Whether a thread of any rank wants in.
    #[must_use]
    pub fn has_wants(&self) -> bool {
        self.run.header().wants.load(Ordering::Acquire) > 0
    }

    /// Whether a thread of this rank wants to make a call while another one has given the turn
    /// away.
    #[must_use]
    pub fn wants_in(&self, rank: u32) -> bool {
        self.words(rank).wants.load(Ordering::Acquire) > 0
    }

    /// Functions that ranks have called although their effect is in real time.
    #[must_use]
    pub fn in_real_time(&self) -> Vec<&'static str> {
        let called = self.run.header().in_real_time.load(Ordering::Relaxed);
        (0..).zip(REAL_TIME_FUNCTIONS).filter(|(place, _)| called & (1 << place) != 0).map(|(_, name)| name).collect()
    }

    /// Threads of a rank that have made calls.
    #[must_use]
    pub fn threads(&self, rank: u32) -> u32 {
        self.words(rank).threads.load(Ordering::Relaxed)
    }

    /// The process of a rank; 0 before it has joined.
    #[must_use]
    pub fn process(&self, rank: u32) -> u32 {
        self.words(rank).process.load(Ordering::Relaxed)
    }
}

impl RankTurns {
    /// Whether something has happened since the rank looked, before it gave its turn back.
    #[must_use]
    pub fn has_news(&self) -> bool {
        self.words().news.load(Ordering::Relaxed) != self.words().seen.load(Ordering::Relaxed)
    }

    /// Something has happened that the rank may look for.
    pub fn note_news(&self) {
        self.words().news.fetch_add(1, Ordering::Relaxed);
    }

    /// The rank.
    #[must_use]
    pub fn rank(&self) -> u32 {
        self.rank
    }

    fn words(&self) -> &Words {
        // SAFETY: the words of a rank are atomic, and live as long as the map.
        unsafe { &(*self.run.part(self.rank).as_ptr()).words }
    }

    /// Whether the rank waits for its turn for the first time, or again after it was outside.
    #[must_use]
    pub fn is_back(&self) -> bool {
        self.words().place.load(Ordering::Acquire) == place::BACK
    }

    /// Gives a rank its turn at a time, in picoseconds, or at its own clock if that is later, and
    /// waits for it. Whatever it did with the turn, [`take`](Self::take) follows.
    ///
    /// # Errors
    /// [`RankFault`].
    pub fn run(&mut self, clock: u64) -> Result<Given, RankFault> {
        let (words, rank) = (self.words(), self.rank);
        words.clock.fetch_max(clock, Ordering::Relaxed);
        let back = words.place.compare_exchange(place::BACK, place::INSIDE, Ordering::AcqRel, Ordering::Acquire);
        debug_assert!(back.is_ok() || back == Err(place::INSIDE), "rank {rank} wants a turn: {back:?}");
        let has_trap = self.run.header().has_traps.load(Ordering::Relaxed) != 0;
        words.home.store(home::of_next_turn(has_trap), Ordering::Relaxed);
        words.turn.store(turn::CALL, Ordering::Release);
        futex::wake(&words.turn, 1);
        self.await_turn()
    }

    fn await_turn(&self) -> Result<Given, RankFault> {
        let words = self.words();
        let result = self.await_given(words);
        words.is_long.store(0, Ordering::Relaxed);
        result
    }

    fn await_given(&self, words: &Words) -> Result<Given, RankFault> {
        let (rank, mut looks) = (self.rank, 0_u32);
        let (process, mut patience, mut before) = (words.process.load(Ordering::Relaxed), LOOK_AFTER, None);
        loop {
            let found = words.turn.load(Ordering::Acquire);
            if found == turn::COORDINATOR {
                return self.given();
            }
            // A clock would be read with the counter, which this thread may have to leave alone.
            if !futex::sleep(&words.turn, found, patience) {
                continue;
            }
            patience = LOOK_EVERY;
            looks += 1;
            words.is_long.store((LOOK_EVERY * looks > LONG_TURN).into(), Ordering::Relaxed);
            let Some(now) = ProcessState::of(process) else {
                // It may have given its turn back before it ended.
                let has_given = words.turn.load(Ordering::Acquire) == turn::COORDINATOR;
                return if has_given { self.given() } else { Err(RankFault::Died { rank, process }) };
            };
            let thread = words.thread.load(Ordering::Relaxed);
            if found == turn::CALL && !has_thread(process, thread) && words.turn.load(Ordering::Acquire) == found {
                return Err(RankFault::Stuck { rank, thread });
            }
            // Twice asleep in its program, without any work in between.
            let rests = now.is_asleep && before == Some(now) && found == turn::PROGRAM;
            before = Some(now);
            if rests
                && words
                    .turn
                    .compare_exchange(turn::PROGRAM, turn::COORDINATOR, Ordering::AcqRel, Ordering::Acquire)
                    .is_ok()
            {
                return Ok(Given::Outside { clock: words.clock.load(Ordering::Relaxed) });
            }
        }
    }

    fn given(&self) -> Result<Given, RankFault> {
        let (words, rank) = (self.words(), self.rank);
        let number = words.wait.load(Ordering::Relaxed);
        let damaged = || {
            let what = format!("its turn for the reason {number}; 1 to {} exist", WaitKind::ALL.len());
            RankFault::Damaged { rank, what }
        };
        let wait = WaitKind::of_number(number).ok_or_else(damaged)?;
        Ok(Given::Back {
            wait,
            deadline: words.deadline.load(Ordering::Relaxed),
            clock: words.clock.load(Ordering::Relaxed),
        })
    }

    /// Takes the commands of a rank that has given its turn back.
    ///
    /// # Errors
    /// [`RankFault::Damaged`].
    pub fn take(&mut self) -> Result<Handed, RankFault> {
        let (words, rank) = (self.words(), self.rank);
        let (count, used) =
            (words.commands.load(Ordering::Relaxed) as usize, words.bytes.load(Ordering::Relaxed) as usize);
        let damaged = |what: String| Err(RankFault::Damaged { rank, what });
        if count > COMMANDS_MAX || used > BYTES_MAX {
            return damaged(format!("{count} commands with {used} B; {COMMANDS_MAX} with {BYTES_MAX} B fit"));
        }
        let part: *const RankPart = self.run.part(rank).as_ptr();
        let mut handed = Handed { commands: Vec::with_capacity(count), bytes: vec![0; used] };
        // SAFETY: both ranges lie in the rank's part, and the coordinator has the turn. A rank that
        // writes nevertheless only harms what it hands over, which is checked after it was copied.
        let commands = unsafe {
            (&raw const (*part).bytes).cast::<u8>().copy_to_nonoverlapping(handed.bytes.as_mut_ptr(), used);
            let first = (&raw const (*part).commands).cast::<RankCommand>();
            (0..count).map(|place| first.add(place).read()).collect::<Vec<RankCommand>>()
        };
        words.commands.store(0, Ordering::Relaxed);
        words.bytes.store(0, Ordering::Relaxed);
        for command in commands {
            let Some(kind) = RankCommandKind::of_number(command.kind) else {
                let kinds = RankCommandKind::ALL.len();
                return damaged(format!("a command of kind {}; 1 to {kinds} exist", command.kind));
            };
            let end = command.address.checked_add(command.length);
            if command.flags & COPIED != 0 && end.is_none_or(|end| end > used as u64) {
                return damaged(format!("{} B at {} of {used} B", command.length, command.address));
            }
            handed.commands.push((kind, command));
        }
        Ok(handed)
    }
}

impl Drop for RankTurns {
    fn drop(&mut self) {
        home::leave();
    }
}

impl Drop for Coordinator {
    /// The run is over: ranks that wait for a turn learn of it.
    fn drop(&mut self) {
        self.run.header().process.store(0, Ordering::Release);
        (0..self.run.ranks()).for_each(|rank| futex::wake(&self.words(rank).turn, 1));
    }
}

/// Whether a process lives, and is not only waited for by its parent.
pub fn is_alive(process: u32) -> bool {
    state_of(process, process).is_some_and(|state| !matches!(state, 'Z' | 'X'))
}

fn has_thread(process: u32, thread: u32) -> bool {
    state_of(process, thread).is_some()
}

/// The system's letter for the state of a thread; `None`: it has ended.
fn state_of(process: u32, thread: u32) -> Option<char> {
    let text = std::fs::read_to_string(format!("/proc/{process}/task/{thread}/stat")).ok()?;
    // The name in parentheses may have any character.
    text.rsplit_once(") ")?.1.chars().next()
}

/// What the system says of the threads of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessState {
    /// Whether all of them sleep. One that a debugger has stopped does not.
    pub is_asleep: bool,
    /// Their processor time, in nanoseconds.
    pub worked_ns: u64,
}

impl ProcessState {
    /// `None`: it has ended.
    #[must_use]
    pub fn of(process: u32) -> Option<Self> {
        if !is_alive(process) {
            return None;
        }
        let mut found = Self { is_asleep: true, worked_ns: 0 };
        for thread in std::fs::read_dir(format!("/proc/{process}/task")).ok()?.flatten() {
            let Some(thread) = thread.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
            found.is_asleep &= state_of(process, thread).is_none_or(|state| state == 'S');
            let worked = std::fs::read_to_string(format!("/proc/{process}/task/{thread}/schedstat")).ok();
            let worked = worked.and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
            found.worked_ns = found.worked_ns.wrapping_add(worked.unwrap_or(0));
        }
        Some(found)
    }
}
