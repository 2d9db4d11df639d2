//! The rank's side.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::command::{COPIED, PeerAddress, RankCommand};
use crate::coordinator::is_alive;
use crate::costs::RankCosts;
use crate::counter;
use crate::file::{RunFile, clock_ns};
use crate::futex;
use crate::identity;
use crate::page::{BYTES_MAX, CLOCKS, COMMANDS_MAX, EndpointSlot, REAL_TIME_FUNCTIONS, WaitKind, Words, place, turn};

/// How often a rank that waits for its turn checks that the coordinator lives. Source: ours.
/// Status: assumed.
const CHECK: Duration = Duration::from_millis(500);

/// There is no room for the command until the coordinator has taken those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// Why a rank gets no turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTurn {
    /// The run is over.
    #[error("the coordinator of the simulated run has ended")]
    CoordinatorGone,
    /// Another process has joined as this rank.
    #[error("rank {rank} of the simulated run is process {process} already")]
    Taken {
        /// The rank.
        rank: u32,
        /// That process.
        process: u32,
    },
    /// This process has taken part, and has left.
    #[error("rank {rank} has left the simulated run, in which a process takes part once")]
    Left {
        /// The rank.
        rank: u32,
    },
    /// This process is a child of the rank's: it has no part in simulated time.
    #[error("a child of rank {rank} has no part in the simulated run")]
    Child {
        /// The rank.
        rank: u32,
    },
    /// The rank is in a call already: in another thread, or below a signal handler.
    #[error("rank {rank} is in a call already")]
    Nested {
        /// The rank.
        rank: u32,
    },
}

/// A rank of a run: the process that this is.
#[derive(Debug)]
pub struct SimulatedRank {
    run: Arc<RunFile>,
    number: u32,
    /// The process that has joined: a child of a fork is another one.
    process: u32,
    /// When it asked for its first turn, on the machine's monotonic clock, in nanoseconds.
    asked_ns: u64,
}

impl SimulatedRank {
    /// Takes part in a run, as the rank with this number. Its first [`enter`](Self::enter) waits
    /// for its first turn.
    ///
    /// # Errors
    /// [`NoTurn`].
    ///
    /// # Panics
    /// If the run has no such rank.
    pub fn join(run: &Arc<RunFile>, number: u32) -> Result<Self, NoTurn> {
        let process = identity::process();
        let rank = Self { run: Arc::clone(run), number, process, asked_ns: 0 };
        let joined = rank.words().process.compare_exchange(0, process, Ordering::AcqRel, Ordering::Acquire);
        if let Err(other) = joined {
            std::mem::forget(rank);
            if other == process && run.has_left(number) {
                return Err(NoTurn::Left { rank: number });
            }
            return Err(NoTurn::Taken { rank: number, process: other });
        }
        rank.words().place.store(place::JOINED, Ordering::Release);
        Ok(rank)
    }

    /// What its calls cost.
    #[must_use]
    pub fn costs(&self) -> RankCosts {
        self.run.header().costs.load()
    }

    /// Notes that this process has called a function whose effect is in real time. Returns whether
    /// it is one of [`REAL_TIME_FUNCTIONS`], and the first call of the run.
    pub fn note_real_time(&self, name: &str) -> bool {
        let Some(place) = REAL_TIME_FUNCTIONS.iter().position(|known| *known == name) else { return false };
        self.run.header().in_real_time.fetch_or(1 << place, Ordering::Relaxed) & (1 << place) == 0
    }

    /// Says whether this thread reads the processor's counter with a trap: the coordinator's
    /// threads then do so as well.
    pub fn show_trap(&self) {
        if counter::has_trap() {
            self.run.header().has_traps.store(1, Ordering::Relaxed);
        }
    }

    /// Says how many threads of this process have made calls.
    pub fn show_threads(&self, threads: u32) {
        self.words().threads.store(threads, Ordering::Relaxed);
    }

    /// Lets others know an endpoint of this rank. Returns whether there was room for it.
    pub fn show_endpoint(&mut self, endpoint: PeerAddress) -> bool {
        debug_assert!(endpoint.numbers != 0, "0 means that there is none");
        let Some(slot) = self.endpoints().iter().find(|slot| slot.numbers.load(Ordering::Relaxed) == 0) else {
            return false;
        };
        slot.incarnation.store(endpoint.incarnation, Ordering::Relaxed);
        slot.numbers.store(endpoint.numbers, Ordering::Release);
        true
    }

    /// The reverse.
    pub fn hide_endpoint(&mut self, endpoint: PeerAddress) {
        let is_it = |slot: &&EndpointSlot| slot.address() == endpoint;
        if let Some(slot) = self.endpoints().iter().find(is_it) {
            slot.numbers.store(0, Ordering::Release);
        }
    }

    fn endpoints(&self) -> &[EndpointSlot] {
        // SAFETY: all of it is atomic, and lives as long as the map.
        unsafe { &(*self.run.part(self.number).as_ptr()).endpoints }
    }

    fn words(&self) -> &Words {
        // SAFETY: the words of a rank are atomic, and live as long as the map.
        unsafe { &(*self.run.part(self.number).as_ptr()).words }
    }

    /// Its number in the run.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Its clock, in picoseconds.
    #[must_use]
    pub fn clock(&self) -> u64 {
        self.words().clock.load(Ordering::Relaxed)
    }

    /// What clocks show at simulated time 0, in nanoseconds, by their numbers in Linux: the same
    /// for all ranks. Later by as much as this rank came too late, so that none of its clocks goes
    /// back. 0: the clock is the process's own. Call this after the first turn.
    #[must_use]
    pub fn began_ns(&self) -> [i64; CLOCKS] {
        let began = |clock: usize| self.run.header().began_ns[clock].load(Ordering::Relaxed);
        let shared = began(libc::CLOCK_MONOTONIC as usize);
        let late = self.asked_ns.saturating_sub(self.clock() / 1_000).saturating_sub(shared);
        std::array::from_fn(|clock| match began(clock) {
            0 => 0,
            began => (began + late).cast_signed(),
        })
    }

    /// Begins a call: until it ends the coordinator does not go on without this rank. If it has
    /// gone on before, this waits for a turn.
    ///
    /// # Errors
    /// [`NoTurn`].
    pub fn enter(&mut self) -> Result<Call<'_>, NoTurn> {
        if !self.ask()? {
            self.await_turn()?;
        }
        Ok(Call { rank: self })
    }

    /// The same without waiting: returns whether the rank has its turn. If not, it has asked for
    /// it; [`TurnWait::sleep`] and [`resume`](Self::resume) follow.
    ///
    /// # Errors
    /// [`NoTurn`].
    pub fn ask(&mut self) -> Result<bool, NoTurn> {
        let rank = self.number;
        if identity::process() != self.process {
            return Err(NoTurn::Child { rank });
        }
        let words = self.words();
        let found = words.turn.compare_exchange(turn::PROGRAM, turn::CALL, Ordering::AcqRel, Ordering::Acquire);
        if found == Err(turn::CALL) {
            return Err(NoTurn::Nested { rank });
        }
        self.note_thread();
        if found.is_err() {
            if self.asked_ns == 0 {
                self.asked_ns = clock_ns(libc::CLOCK_MONOTONIC);
            }
            let words = self.words();
            words.place.store(place::BACK, Ordering::Release);
            futex::wake(&words.place, 1);
        }
        Ok(found.is_ok())
    }

    /// The call of a rank that has its turn already, after [`Call::leave`] and
    /// [`TurnWait::sleep`].
    pub fn resume(&mut self) -> Call<'_> {
        debug_assert_eq!(self.words().turn.load(Ordering::Relaxed), turn::CALL, "rank {}", self.number);
        Call { rank: self }
    }

    /// What waits for a turn that was given away, without the rank: another thread may have that.
    #[must_use]
    pub fn turn_wait(&self) -> TurnWait {
        TurnWait { run: Arc::clone(&self.run), number: self.number }
    }

    /// The processor on which the coordinator wants its turns to be taken; `None`: any.
    #[must_use]
    pub fn home(&self) -> Option<u16> {
        self.words().home.load(Ordering::Relaxed).checked_sub(1)
    }

    /// How often something has happened that the rank may look for.
    #[must_use]
    pub fn news(&self) -> u32 {
        self.words().news.load(Ordering::Relaxed)
    }

    /// Notes which thread has the turn, or waits for it.
    fn note_thread(&self) {
        self.words().thread.store(identity::thread(), Ordering::Relaxed);
    }

    fn await_turn(&self) -> Result<(), NoTurn> {
        await_turn(&self.run, self.words())
    }
}

fn await_turn(run: &RunFile, words: &Words) -> Result<(), NoTurn> {
    while words.turn.load(Ordering::Acquire) != turn::CALL {
        futex::sleep(&words.turn, turn::COORDINATOR, CHECK);
        let coordinator = run.header().process.load(Ordering::Acquire);
        if words.turn.load(Ordering::Acquire) != turn::CALL && !is_alive(coordinator) {
            return Err(NoTurn::CoordinatorGone);
        }
    }
    Ok(())
}

/// Waits for the turn of a rank.
#[derive(Clone, Debug)]
pub struct TurnWait {
    run: Arc<RunFile>,
    number: u32,
}

impl TurnWait {
    fn words(&self) -> &Words {
        // SAFETY: the words of a rank are atomic, and live as long as the map.
        unsafe { &(*self.run.part(self.number).as_ptr()).words }
    }

    /// Sleeps until the rank has its turn; [`SimulatedRank::resume`] then goes on with it.
    ///
    /// # Errors
    /// [`NoTurn::CoordinatorGone`].
    pub fn sleep(&self) -> Result<(), NoTurn> {
        await_turn(&self.run, self.words())
    }

    /// Asks the coordinator to end the rank's wait, because another thread of its process wants to
    /// make a call. [`has_come`](Self::has_come) follows.
    pub fn wants_in(&self) {
        self.words().wants.fetch_add(1, Ordering::Relaxed);
        self.run.header().wants.fetch_add(1, Ordering::Release);
    }

    /// That thread is in.
    pub fn has_come(&self) {
        self.words().wants.fetch_sub(1, Ordering::Relaxed);
        self.run.header().wants.fetch_sub(1, Ordering::Release);
    }
}

impl Drop for SimulatedRank {
    fn drop(&mut self) {
        let words = self.words();
        if words.place.load(Ordering::Relaxed) == place::JOINED && identity::process() == self.process {
            // It has never had a turn: it may join again.
            words.place.store(0, Ordering::Release);
            words.process.store(0, Ordering::Release);
            return;
        }
        // Without a coordinator there is nothing to leave, and a child has not joined.
        if let Ok(call) = self.enter() {
            let words = call.rank.words();
            words.place.store(place::GONE, Ordering::Release);
            call.give_away(WaitKind::Ends, u64::MAX);
            std::mem::forget(call);
        }
    }
}

/// A call of a rank that has its turn.
#[derive(Debug)]
pub struct Call<'r> {
    rank: &'r mut SimulatedRank,
}

impl Call<'_> {
    /// The rank's clock, in picoseconds.
    #[must_use]
    pub fn clock(&self) -> u64 {
        self.rank.clock()
    }

    /// How often something has happened that the rank may look for.
    #[must_use]
    pub fn news(&self) -> u32 {
        self.rank.words().news.load(Ordering::Relaxed)
    }

    /// Moves the rank's clock forward.
    pub fn pass(&mut self, picoseconds: u64) {
        let clock = self.clock().saturating_add(picoseconds);
        self.rank.words().clock.store(clock, Ordering::Relaxed);
    }

    /// Hands over a command, with a copy of its bytes if there are any. Its time is the rank's
    /// clock.
    ///
    /// # Errors
    /// [`Full`]: [`give`](Self::give) the turn away with [`WaitKind::Full`] first.
    ///
    /// # Panics
    /// If there are more bytes than [`BYTES_MAX`].
    pub fn hand_over(&mut self, mut command: RankCommand, bytes: Option<&[u8]>) -> Result<(), Full> {
        let words = self.rank.words();
        let (commands, used) =
            (words.commands.load(Ordering::Relaxed) as usize, words.bytes.load(Ordering::Relaxed) as usize);
        let length = bytes.map_or(0, <[u8]>::len);
        assert!(length <= BYTES_MAX, "{length} B are more than a rank can hand over at a time");
        if commands >= COMMANDS_MAX || used + length > BYTES_MAX {
            return Err(Full);
        }
        command.clock = self.clock();
        let part = self.rank.run.part(self.rank.number).as_ptr();
        if let Some(bytes) = bytes {
            command.flags |= COPIED;
            (command.address, command.length) = (used as u64, length as u64);
            // SAFETY: there is room, and this rank has the turn.
            unsafe { (&raw mut (*part).bytes).cast::<u8>().add(used).copy_from_nonoverlapping(bytes.as_ptr(), length) };
        }
        // SAFETY: as above.
        unsafe { (&raw mut (*part).commands).cast::<RankCommand>().add(commands).write(command) };
        words.commands.store(commands as u32 + 1, Ordering::Relaxed);
        words.bytes.store((used + length) as u32, Ordering::Relaxed);
        Ok(())
    }

    /// Gives the turn away, and waits for the next. `deadline`: in picoseconds, if there is one.
    /// The rank's clock has then moved.
    ///
    /// # Errors
    /// [`NoTurn`].
    pub fn give(&mut self, wait: WaitKind, deadline: Option<u64>) -> Result<(), NoTurn> {
        self.rank.words().seen.store(self.news(), Ordering::Relaxed);
        self.give_away(wait, deadline.unwrap_or(u64::MAX));
        self.rank.await_turn()
    }

    /// Gives the turn away, and does not wait for the next: [`TurnWait::sleep`] does. `seen`: the
    /// news that it knows of. A wait for an event ends at the rank's clock if there are more by
    /// then.
    pub fn leave(self, wait: WaitKind, deadline: Option<u64>, seen: u32) {
        self.rank.note_thread();
        self.rank.words().seen.store(seen, Ordering::Relaxed);
        self.give_away(wait, deadline.unwrap_or(u64::MAX));
        std::mem::forget(self);
    }

    fn give_away(&self, wait: WaitKind, deadline: u64) {
        let words = self.rank.words();
        words.wait.store(wait as u32, Ordering::Relaxed);
        words.deadline.store(deadline, Ordering::Relaxed);
        words.turn.store(turn::COORDINATOR, Ordering::Release);
        futex::wake(&words.turn, 1);
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        // Only if the coordinator has ended, the turn is not this rank's.
        let words = self.rank.words();
        let _ = words.turn.compare_exchange(turn::CALL, turn::PROGRAM, Ordering::Release, Ordering::Relaxed);
    }
}
