//! The layout of the shared memory: a header, then a part for each rank.

use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};

use crate::command::{PeerAddress, RankCommand};
use crate::costs::CostWords;

/// Begins the file: the layout's version is its last byte.
pub const MAGIC: u64 = u64::from_le_bytes(*b"PHLCOS\x00\x08");
/// Commands that a rank hands over at a time. Source: ours; a window of messages of most programs.
/// Status: assumed.
pub const COMMANDS_MAX: usize = 512;
/// Bytes of messages that a rank hands over at a time. Source: ours; sixteen of the longest eager
/// messages. Status: assumed.
pub const BYTES_MAX: usize = 256 << 10;
/// Endpoints that a rank may have open at a time. Source: ours. Status: assumed.
pub const ENDPOINTS_MAX: usize = 64;

/// Functions of libc whose effect is in real time.
pub const REAL_TIME_FUNCTIONS: [&str; 5] = ["alarm", "ualarm", "setitimer", "timer_settime", "timerfd_settime"];

/// Clocks by their number in Linux, up to `CLOCK_TAI`.
pub const CLOCKS: usize = 12;

/// Why a rank gave its turn away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum WaitKind {
    /// It wants the fabric to reach its clock, because it looks for what has happened until then.
    Now = 1,
    /// It waits for its next event, or for its deadline.
    Event,
    /// The same, but it polls: it goes on by itself if nothing else can.
    Poll,
    /// It sleeps until its deadline.
    Sleep,
    /// Its commands must be taken before it can hand over more.
    Full,
    /// It has no more part in simulated time.
    Ends,
}

impl WaitKind {
    pub(crate) const ALL: [Self; 6] = [Self::Now, Self::Event, Self::Poll, Self::Sleep, Self::Full, Self::Ends];

    /// The kind with this number.
    #[must_use]
    pub fn of_number(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u32 == number)
    }
}

/// Who has a rank's turn.
pub mod turn {
    /// The coordinator.
    pub const COORDINATOR: u32 = 0;
    /// The rank, in its program: the coordinator may take it away.
    pub const PROGRAM: u32 = 1;
    /// The rank, in a call of ours: it gives it back itself.
    pub const CALL: u32 = 2;
}

/// Where a rank is; 0 before it has joined. It says so itself, except that the coordinator lets it
/// in.
pub mod place {
    /// In simulated time, or in a call that is not ours.
    pub const INSIDE: u32 = 1;
    /// It wants its turn: for the first time, or because the coordinator has gone on without it.
    pub const BACK: u32 = 2;
    /// It has left for good.
    pub const GONE: u32 = 3;
    /// It has joined, and has not asked for a turn yet.
    pub const JOINED: u32 = 4;
}

/// The beginning of the file.
#[repr(C, align(64))]
pub struct RunHeader {
    pub magic: AtomicU64,
    pub ranks: AtomicU32,
    /// The coordinator's process.
    pub process: AtomicU32,
    /// Threads of all ranks that want in.
    pub wants: AtomicU32,
    /// Functions that a rank has called although their effect is in real time, by their places in
    /// [`REAL_TIME_FUNCTIONS`].
    pub in_real_time: AtomicU32,
    /// Whether ranks read the processor's counter with a trap.
    pub has_traps: AtomicU32,
    /// What the machine's clocks showed when simulated time began, in nanoseconds, by their numbers
    /// in Linux; 0: it has not begun, or the clock is a process's own.
    pub began_ns: [AtomicU64; CLOCKS],
    pub costs: CostWords,
}

/// An open endpoint of a rank: its address. `numbers` is 0 while there is none.
#[repr(C)]
pub struct EndpointSlot {
    pub numbers: AtomicU64,
    pub incarnation: AtomicU64,
}

impl EndpointSlot {
    pub fn address(&self) -> PeerAddress {
        let numbers = self.numbers.load(Ordering::Acquire);
        PeerAddress { numbers, incarnation: self.incarnation.load(Ordering::Relaxed) }
    }
}

/// The words of a rank, in one cache line.
#[repr(C, align(64))]
pub struct Words {
    /// Who has the turn: the other side sleeps on it.
    pub turn: AtomicU32,
    /// [`place`].
    pub place: AtomicU32,
    /// [`WaitKind`], as its number.
    pub wait: AtomicU32,
    /// Commands that it hands over.
    pub commands: AtomicU32,
    /// Bytes that it hands over.
    pub bytes: AtomicU32,
    /// Its process, and the thread that has the turn.
    pub process: AtomicU32,
    pub thread: AtomicU32,
    /// How often something has happened that the rank may look for.
    pub news: AtomicU32,
    /// Threads of its process that have made calls.
    pub threads: AtomicU32,
    /// Threads of its process that want to make a call while another one has given the turn away.
    pub wants: AtomicU32,
    /// Whether its turn has lasted for long; for the coordinator's own process.
    pub is_long: AtomicU16,
    /// The processor on which its turns are taken; 0: any, otherwise its number and 1.
    pub home: AtomicU16,
    /// `news` when it last looked.
    pub seen: AtomicU32,
    /// Its clock, in picoseconds.
    pub clock: AtomicU64,
    /// Until when it waits, in picoseconds; `u64::MAX`: without a limit.
    pub deadline: AtomicU64,
}

/// All of a rank: pages that it does not use take no memory.
#[repr(C, align(4096))]
pub struct RankPart {
    pub words: Words,
    /// Its endpoints.
    pub endpoints: [EndpointSlot; ENDPOINTS_MAX],
    pub commands: [RankCommand; COMMANDS_MAX],
    pub bytes: [u8; BYTES_MAX],
}

/// Bytes before the first rank.
pub const HEADER_BYTES: usize = 4_096;

const _: () = assert!(size_of::<Words>() == 64 && size_of::<RunHeader>() <= HEADER_BYTES);
