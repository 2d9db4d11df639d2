//! Whether the NIC or software matches messages with receives, and what to do when the NIC's list
//! entries are exhausted.
//!
//! A posted receive takes a list entry of the NIC, and so does a message that waits for its
//! receive. When a process has used all its entries:
//!
//! - `hardware`: a receive waits in software until an entry is free. The NIC refuses a message that
//!   would have to wait, and its sender sends it again later. Software takes over the waiting
//!   messages, which frees their entries. Until it has done so, the NIC refuses all messages.
//! - `hybrid`: software takes over all entries and matches from then on. Nothing is refused.
//! - `software`: software matches from the beginning, and the NIC's entries are unused.
//!
//! Source: fi_cxi(7), `FI_CXI_RX_MATCH_MODE` and "Messaging". Status: published; that a process in
//! hybrid mode does not return to the NIC is ours, assumed.

use std::collections::{BTreeMap, VecDeque};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list::Criteria;

/// Whether the NIC or software matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum MatchMode {
    /// The NIC.
    #[default]
    Hardware,
    /// The NIC, until its entries are used up; then software.
    Hybrid,
    /// Software.
    Software,
}

impl MatchMode {
    /// All modes.
    pub const ALL: [Self; 3] = [Self::Hardware, Self::Hybrid, Self::Software];

    /// Its name, as `FI_CXI_RX_MATCH_MODE` has it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hardware => "hardware",
            Self::Hybrid => "hybrid",
            Self::Software => "software",
        }
    }

    /// The mode of this name, in upper or lower case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.as_str().eq_ignore_ascii_case(name))
    }
}

/// Where an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryPlace {
    Nic,
    /// In the process's own memory.
    Host,
}

/// The result of a request for a list entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryOutcome {
    /// The entry was granted.
    At(EntryPlace),
    /// The entry is in the process's memory, and so are all others from now on: the caller moves
    /// them.
    TakesOver,
    /// No entry is free.
    Exhausted,
}

/// A process's list entries: how many of the NIC's it may use and uses, and whether software
/// matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct ListEntries {
    mode: MatchMode,
    is_software: bool,
    /// The limit; 0: unlimited.
    places: u32,
    used: u32,
}

impl ListEntries {
    /// A process that may use `places` entries of the NIC; 0: unlimited.
    #[must_use]
    pub const fn new(mode: MatchMode, places: u32) -> Self {
        Self { mode, is_software: matches!(mode, MatchMode::Software), places, used: 0 }
    }

    /// Whether software matches now.
    #[must_use]
    pub const fn software_matches(&self) -> bool {
        self.is_software
    }

    /// Entries of the NIC that are in use.
    #[must_use]
    pub const fn used(&self) -> u32 {
        self.used
    }

    /// Lets software match from now on.
    pub const fn become_software(&mut self) {
        (self.is_software, self.used) = (true, 0);
    }

    /// Requests one more entry when `used` are in use, for callers that count by their lists.
    pub const fn take_beside(&mut self, used: u32) -> EntryOutcome {
        self.used = used;
        self.take()
    }

    /// How matching is done.
    #[must_use]
    pub const fn mode(&self) -> MatchMode {
        self.mode
    }

    /// Entries of the NIC that may be used; 0: unlimited.
    #[must_use]
    pub const fn places(&self) -> u32 {
        self.places
    }

    /// Requests one more entry.
    pub const fn take(&mut self) -> EntryOutcome {
        if self.is_software {
            return EntryOutcome::At(EntryPlace::Host);
        }
        if self.places == 0 || self.used < self.places {
            self.used += 1;
            return EntryOutcome::At(EntryPlace::Nic);
        }
        match self.mode {
            MatchMode::Hybrid => {
                self.is_software = true;
                self.used = 0;
                EntryOutcome::TakesOver
            }
            MatchMode::Hardware | MatchMode::Software => EntryOutcome::Exhausted,
        }
    }

    /// Releases an entry of the NIC.
    ///
    /// # Panics
    /// If no entry is in use.
    pub const fn give_back(&mut self) {
        self.used = self.used.checked_sub(1).expect("an entry that is given back was taken");
    }

    /// Lets software take over `count` entries of the NIC, which become free.
    ///
    /// # Panics
    /// If fewer entries are in use.
    pub const fn take_over(&mut self, count: u32) {
        self.used = self.used.checked_sub(count).expect("entries that are taken over were taken");
    }
}

/// How a process identifies a message of another one, among all messages of this sender that have
/// not been taken.
pub type SentId = (u32, u64);

/// The messages that a process has refused, by sender, until it takes them. No message overtakes an
/// earlier one of its sender that the same receive matches.
#[derive(Clone, Debug, Default)]
pub struct RefusedMessages {
    of: BTreeMap<u32, VecDeque<Refused>>,
}

#[derive(Clone, Copy, Debug)]
struct Refused {
    sent: SentId,
    bits: u64,
    times: u32,
}

impl RefusedMessages {
    /// Whether nothing is refused.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// Whether a message may be taken. It may if no earlier message of its sender that this receive
    /// matches has been refused. If no receive matches it, no message of its sender at all may have
    /// been refused.
    #[must_use]
    pub fn admit(&self, source: u32, sent: SentId, receive: Option<&Criteria>) -> bool {
        let Some(refused) = self.of.get(&source) else { return true };
        let mut earlier = refused.iter().take_while(|refused| refused.sent != sent);
        match receive {
            Some(criteria) => !earlier.any(|refused| criteria.takes(refused.bits, source)),
            None => earlier.next().is_none(),
        }
    }

    /// Records the refusal of a message and returns how often it has been refused, this time
    /// included.
    pub fn refuse(&mut self, source: u32, sent: SentId, bits: u64) -> u32 {
        let of_source = self.of.entry(source).or_default();
        if let Some(known) = of_source.iter_mut().find(|known| known.sent == sent) {
            known.times += 1;
            return known.times;
        }
        of_source.push_back(Refused { sent, bits, times: 1 });
        1
    }

    /// Records that a message is taken.
    pub fn take(&mut self, source: u32, sent: SentId) {
        if let Some(of_source) = self.of.get_mut(&source) {
            of_source.retain(|known| known.sent != sent);
            if of_source.is_empty() {
                self.of.remove(&source);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::list::ANY_SOURCE;
    use super::*;

    #[test]
    fn each_mode_meets_its_end_in_its_own_way() {
        let places = |mode| {
            let mut entries = ListEntries::new(mode, 2);
            let taken = [entries.take(), entries.take(), entries.take(), entries.take()];
            (taken, entries.used(), entries.software_matches())
        };
        let (nic, host) = (EntryOutcome::At(EntryPlace::Nic), EntryOutcome::At(EntryPlace::Host));
        assert_eq!(
            places(MatchMode::Hardware),
            ([nic, nic, EntryOutcome::Exhausted, EntryOutcome::Exhausted], 2, false)
        );
        assert_eq!(places(MatchMode::Hybrid), ([nic, nic, EntryOutcome::TakesOver, host], 0, true));
        assert_eq!(places(MatchMode::Software), ([host; 4], 0, true));
        let mut entries = ListEntries::new(MatchMode::Hardware, 2);
        assert_eq!([entries.take(), entries.take()], [nic; 2]);
        entries.take_over(1);
        assert_eq!((entries.take(), entries.take()), (nic, EntryOutcome::Exhausted));
        entries.give_back();
        assert_eq!(entries.take(), nic);
        let mut endless = ListEntries::new(MatchMode::Hardware, 0);
        assert!((0..100_000).all(|_| endless.take() == nic));
    }

    #[test]
    fn names_are_those_of_the_variable() {
        assert!(MatchMode::ALL.into_iter().all(|mode| MatchMode::named(mode.as_str()) == Some(mode)));
        assert_eq!((MatchMode::named("Hybrid"), MatchMode::named("soft")), (Some(MatchMode::Hybrid), None));
    }

    #[test]
    fn a_refused_message_is_not_passed_by_one_that_the_same_receive_asks_for() {
        let mut refusals = RefusedMessages::default();
        let (one, two, three) = ((1, 10), (2, 20), (1, 30));
        assert_eq!((refusals.refuse(5, one, 7), refusals.refuse(5, two, 8), refusals.refuse(5, one, 7)), (1, 1, 2));
        let (seven, eight) = (Criteria::new(7, 0, 5), Criteria::new(8, 0, ANY_SOURCE));
        let any = Criteria::new(0, u64::MAX, ANY_SOURCE);
        assert!(refusals.admit(5, one, Some(&seven)) && refusals.admit(5, one, None), "the first of all may come");
        assert!(refusals.admit(5, two, Some(&eight)), "no earlier one has this tag");
        assert!(!refusals.admit(5, two, Some(&any)) && !refusals.admit(5, two, None));
        assert!(!refusals.admit(5, three, Some(&seven)), "a later one with the tag of the first");
        assert!(refusals.admit(6, three, None), "another sender");
        refusals.take(5, one);
        assert!(refusals.admit(5, two, None) && refusals.admit(5, three, Some(&seven)));
        refusals.take(5, two);
        assert!(refusals.is_empty());
    }
}
