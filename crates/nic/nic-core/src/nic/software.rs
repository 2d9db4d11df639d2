//! What a process keeps in its own memory if its NIC has no list entries left or does not match:
//! waiting messages and receives, in lists that grow up to a limit. Also the NIC's view of that
//! state.
//!
//! A NIC with entries left matches by itself. A NIC that has used all its entries refuses messages
//! and [asks](ProcessMatching::is_asked) its process, and software takes over the waiting messages.
//! Receives may not use the last sixteenth of the entries, so that the NIC can always accept an
//! arriving message, and after it the next.

use super::arrivals::ArrivalIndex;
use super::class::Growing;
use super::list::{Arrivals, ListFull, Receive, Receives, UnexpectedMessage};
use super::match_mode::{EntryOutcome, ListEntries, MatchMode};
use super::matching::{LongHeads, MatchPools};
use super::receives::ReceiveIndex;

/// Receives leave one in this many entries to messages. Source: `fi_cxi(7)` and its provider:
/// 15,360 receives of 16,384 entries. Status: published; that it is also a share of fewer entries
/// is ours.
const LEFT_TO_MESSAGES: u32 = 16;

/// Whether the NIC or software matches for a process, and its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct ProcessMatching {
    entries: ListEntries,
    /// In hybrid mode, software takes over when more receives are posted than this; 0: no such
    /// limit.
    receives_most: u32,
    /// In hybrid mode, software takes over when more messages wait than this; 0: no such limit.
    arrivals_most: u32,
    /// Not 0: in hybrid mode, software takes over when fewer entries are left than receives have to
    /// leave.
    is_early: u32,
    /// Whether the process is asked to take over the waiting messages.
    is_asked: u32,
    /// Messages that found no entry; each arrival of a message counts.
    refused: u64,
}

impl Default for ProcessMatching {
    /// The NIC matches, with as many entries as its lists have.
    fn default() -> Self {
        Self::new(MatchMode::Hardware, 0)
    }
}

impl ProcessMatching {
    /// In this mode, with `places` entries of the NIC; 0: as many as its lists have.
    #[must_use]
    pub const fn new(mode: MatchMode, places: u32) -> Self {
        let entries = ListEntries::new(mode, places);
        Self { entries, receives_most: 0, arrivals_most: 0, is_early: 0, is_asked: 0, refused: 0 }
    }

    /// In hybrid mode, software takes over before entries are exhausted: when more receives are
    /// posted, when more messages wait, or when only the entries are left that receives leave.
    #[must_use]
    pub const fn with_early_change(mut self, receives_most: u32, arrivals_most: u32, is_early: bool) -> Self {
        (self.receives_most, self.arrivals_most, self.is_early) = (receives_most, arrivals_most, is_early as u32);
        self
    }

    /// Whether software matches.
    #[must_use]
    pub const fn is_software(&self) -> bool {
        self.entries.software_matches()
    }

    /// Whether the process is asked to take over the waiting messages.
    #[must_use]
    pub const fn is_asked(&self) -> bool {
        self.is_asked != 0
    }

    /// Records that the process has taken over the waiting messages.
    pub const fn is_done(&mut self) {
        self.is_asked = 0;
    }

    /// Records that the NIC's lists are full, whatever its number of entries.
    pub(super) const fn ask(&mut self) {
        if matches!(self.entries.mode(), MatchMode::Hybrid) && !self.is_software() {
            self.entries.become_software();
        }
        self.is_asked = 1;
    }

    /// Messages that found no entry; each arrival of a message counts.
    #[must_use]
    pub const fn refused(&self) -> u64 {
        self.refused
    }

    const fn left_to_messages(&self) -> u32 {
        let share = self.entries.places() / LEFT_TO_MESSAGES;
        if share == 0 { 1 } else { share }
    }

    const fn is_over(count: u64, most: u32) -> bool {
        most != 0 && count >= most as u64
    }

    /// Whether a message may wait in the NIC's list when it holds this many receives and messages.
    /// In hybrid mode it may, and the NIC asks its process.
    pub(super) fn admits_message(&mut self, receives: u64, arrivals: u64) -> bool {
        if self.is_software() {
            self.is_asked = 1;
            return true;
        }
        let used = u32::try_from(receives + arrivals).unwrap_or(u32::MAX);
        let places = self.entries.places();
        let is_low = places != 0 && self.is_early != 0 && used >= places - self.left_to_messages();
        if self.entries.mode() == MatchMode::Hybrid && (is_low || Self::is_over(arrivals, self.arrivals_most)) {
            self.entries.become_software();
        }
        match self.entries.take_beside(used) {
            EntryOutcome::At(_) if !self.is_software() => true,
            EntryOutcome::At(_) | EntryOutcome::TakesOver => {
                self.is_asked = 1;
                true
            }
            EntryOutcome::Exhausted => {
                (self.is_asked, self.refused) = (1, self.refused + 1);
                false
            }
        }
    }

    /// Whether a receive may be posted in the NIC when it holds this many receives and messages. If
    /// not, the receive waits in software.
    pub(super) fn admits_receive(&mut self, receives: u64, arrivals: u64) -> bool {
        let places = self.entries.places();
        if self.is_software() {
            return false;
        }
        let used = u32::try_from(receives + arrivals).unwrap_or(u32::MAX);
        let is_full = places != 0 && used >= places - self.left_to_messages();
        let is_hybrid = self.entries.mode() == MatchMode::Hybrid;
        if is_hybrid && (is_full || Self::is_over(receives, self.receives_most)) {
            self.entries.become_software();
            return false;
        }
        !is_full
    }
}

/// What waits in a process's own memory for one portal. As with [`Portal`](super::Portal), a search
/// finds the first entry that matches.
#[derive(Clone, Debug)]
pub struct SoftwareLists {
    pools: MatchPools,
    heads: Box<LongHeads>,
}

impl SoftwareLists {
    /// Empty lists of at most `limit` receives and `limit` messages.
    #[must_use]
    pub fn with_limit(limit: usize) -> Self {
        Self { pools: MatchPools::with_limit(limit), heads: Box::default() }
    }

    /// The waiting receives.
    pub fn receives<T>(&mut self, act: impl FnOnce(&mut Receives<'_, ReceiveIndex<Growing>>) -> T) -> T {
        self.heads.with_receives(&mut self.pools, act)
    }

    /// The waiting messages.
    pub fn arrivals<T>(&mut self, act: impl FnOnce(&mut Arrivals<'_, ArrivalIndex<Growing>>) -> T) -> T {
        self.heads.with_arrivals(&mut self.pools, act)
    }

    /// Appends a waiting receive.
    ///
    /// # Errors
    /// [`ListFull`]: the limit is reached.
    pub fn add_receive(&mut self, receive: Receive) -> Result<u32, ListFull> {
        self.pools.room_for_receive();
        self.receives(|receives| receives.post(receive))
    }

    /// Appends a waiting message. A claim on it remains.
    ///
    /// # Errors
    /// [`ListFull`]: the limit is reached.
    pub fn add_arrival(&mut self, arrival: UnexpectedMessage) -> Result<u32, ListFull> {
        self.pools.room_for_arrival();
        self.arrivals(|arrivals| arrivals.add(arrival))
    }

    /// The number of entries that searches have compared so far.
    #[must_use]
    pub const fn compared(&self) -> u64 {
        self.heads.receives.compared() + self.heads.arrivals.compared()
    }

    /// Whether a message could be added.
    #[must_use]
    pub const fn has_room_for_arrival(&self) -> bool {
        self.heads.arrivals.len() < self.pools.limit() as u64
    }

    /// The receive that has waited longest.
    #[must_use]
    pub fn first_receive(&self) -> Option<&Receive> {
        self.heads.receives.first(self.pools.posted())
    }

    /// Takes out the receive that has waited longest.
    pub fn take_first_receive(&mut self) -> Option<Receive> {
        self.receives(|receives| receives.take_first())
    }

    /// Whether nothing waits.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.heads.receives.len() == 0 && self.heads.arrivals.len() == 0
    }

    /// Whether no receive waits.
    #[must_use]
    pub const fn has_no_receive(&self) -> bool {
        self.heads.receives.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::super::list::{ANY_SOURCE, Criteria};
    use super::*;

    #[test]
    fn receives_leave_entries_to_messages_and_each_mode_ends_in_its_own_way() {
        let mut hardware = ProcessMatching::new(MatchMode::Hardware, 32);
        assert!(hardware.admits_receive(29, 0) && !hardware.admits_receive(30, 0) && !hardware.admits_receive(15, 15));
        assert!(hardware.admits_message(30, 1) && !hardware.is_asked());
        assert!(!hardware.admits_message(30, 2) && hardware.is_asked());
        assert_eq!((hardware.refused(), hardware.is_software()), (1, false));
        hardware.is_done();
        assert!(hardware.admits_message(30, 0) && !hardware.is_asked(), "software has taken over what waited");

        let mut hybrid = ProcessMatching::new(MatchMode::Hybrid, 32);
        assert!(hybrid.admits_message(30, 1) && !hybrid.is_software());
        assert!(hybrid.admits_message(30, 2) && hybrid.is_software() && hybrid.is_asked());
        assert!(!hybrid.admits_receive(0, 0), "it does not go back");
        let mut by_receives = ProcessMatching::new(MatchMode::Hybrid, 32);
        assert!(!by_receives.admits_receive(30, 0) && by_receives.is_software());
        let early = |receives, arrivals, is_early| {
            ProcessMatching::new(MatchMode::Hybrid, 32).with_early_change(receives, arrivals, is_early)
        };
        let mut changed = early(4, 0, false);
        assert!(changed.admits_receive(3, 9) && !changed.admits_receive(4, 9) && changed.is_software());
        let mut changed = early(0, 4, false);
        assert!(changed.admits_message(9, 3) && !changed.is_software());
        assert!(changed.admits_message(9, 4) && changed.is_software() && changed.is_asked());
        let mut changed = early(0, 0, true);
        assert!(changed.admits_message(0, 29) && !changed.is_software());
        assert!(changed.admits_message(0, 30) && changed.is_software());

        let mut software = ProcessMatching::new(MatchMode::Software, 32);
        assert!(software.is_software() && !software.admits_receive(0, 0));
        assert!(software.admits_message(0, 1_000) && software.is_asked() && software.refused() == 0);
        let mut endless = ProcessMatching::default();
        assert!(endless.admits_receive(1_000_000, 1_000_000) && endless.admits_message(1_000_000, 1_000_000));
        let mut one = ProcessMatching::new(MatchMode::Hardware, 1);
        assert!(!one.admits_receive(0, 0) && one.admits_message(0, 0) && !one.admits_message(0, 1));
    }

    #[test]
    fn lists_grow_to_their_limit_and_keep_their_order() {
        let mut lists = SoftwareLists::with_limit(100);
        for number in 0..100 {
            let receive = Receive::new(Criteria::new(number % 3, 0, ANY_SOURCE), 0, 8, number);
            lists.add_receive(receive).expect("below the limit");
            let claimed_by = if number == 0 { 55 } else { 0 };
            let arrival = UnexpectedMessage { handle: number, claimed_by, ..UnexpectedMessage::new(7, 1, 8) };
            lists.add_arrival(arrival).expect("below the limit");
        }
        assert!(lists.add_receive(Receive::vacant()).is_err() && !lists.has_room_for_arrival());
        let first = lists.arrivals(|arrivals| {
            let index = arrivals.find(&Criteria::new(7, 0, ANY_SOURCE)).expect("they wait");
            arrivals.remove(index).handle
        });
        assert_eq!(first, 1, "the first is claimed");
        assert!(lists.arrivals(|arrivals| arrivals.find_claimed(55)).is_some());
        assert_eq!(lists.first_receive().map(|receive| receive.context), Some(0));
        let order: Vec<u64> =
            std::iter::from_fn(|| lists.take_first_receive()).map(|receive| receive.context).collect();
        assert_eq!(order, (0..100).collect::<Vec<u64>>());
        assert!(lists.has_no_receive() && !lists.is_empty());
    }
}
