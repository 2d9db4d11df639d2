//! What happens to list entries: receives and messages take them, wait for them, and are refused.

use philae_nic_core::nic::{EntryOutcome, EntryPlace, Receive, UnexpectedMessage};
use philae_nic_model::NicParameters;
use philae_results::counter::CounterName;

use super::{IN_HOST, IN_NIC, REFUSALS_MAX, SENT_BEFORE, sent};
use crate::model::event::Event;
use crate::model::host::ENDLESS;
use crate::model::packet::Header;
use crate::model::shared::Shared;
use crate::partition::Partition;

impl Partition {
    /// Whether the NIC of a rank (by its index in the partition) matches for it now.
    #[inline]
    pub fn nic_matches(&self, local: u32, nic: &NicParameters) -> bool {
        nic.match_offload && !self.host.entries.get(local as usize).is_some_and(|rank| rank.entries.software_matches())
    }

    /// The same for a rank counted over all jobs.
    #[inline]
    pub fn nic_matches_for(&self, rank: u32, nic: &NicParameters) -> bool {
        nic.match_offload
            && (self.host.entries.is_empty() || self.nic_matches(self.shared.places.ranks[rank as usize].local, nic))
    }

    pub fn endpoint_of(&self, local: u32) -> u32 {
        self.shared.places.ranks[self.host.ranks[local as usize].number_and_core().0 as usize].endpoint
    }

    fn count_at(&mut self, local: u32, name: CounterName) {
        let endpoint = self.endpoint_of(local);
        self.record.recorder.counters.add_nic(endpoint, name, 1);
    }

    /// Software has found what it looks for, or nothing, after `entries` entries from `time` on.
    /// Returns when that ends, in picoseconds. The first entry is part of the time of every
    /// message.
    fn search(&mut self, local: u32, entries: u64, time: u64) -> u64 {
        if entries > 1 { self.look_at(local, entries - 1, time) } else { time }
    }

    /// The core reads `entries` entries from `time` on. Returns when that ends, in picoseconds.
    fn look_at(&mut self, local: u32, entries: u64, time: u64) -> u64 {
        let of_each = self.shared.nic(self.endpoint_of(local)).match_entry_ns;
        self.host.ranks[local as usize].work(time, entries * u64::from(of_each) * 1_000)
    }

    /// Posts a receive.
    #[cold]
    #[inline(never)]
    pub fn post_with_entries(&mut self, local: u32, receive: Receive, time: u64) {
        let mut time = time;
        let (arrival_found, looked_at) =
            self.host.ranks[local as usize].lists.would_take(&mut self.host.match_pools, &receive.criteria);
        let state = &self.host.entries[local as usize];
        let searched =
            if state.entries.software_matches() { looked_at } else { looked_at.min(u64::from(state.taken_over)) };
        time = self.search(local, searched, time);
        if let Some(arrival) = arrival_found {
            self.take_found(local, &receive, &arrival, time);
            return self.admit_deferred(local, time);
        }
        if !self.host.entries[local as usize].deferred.is_empty() {
            return self.host.entries[local as usize].deferred.push_back(receive);
        }
        match self.take_entry(local, self.is_same_node(local, receive.criteria.source), time) {
            Some(location) => self.add_receive_at(local, location, receive),
            None => {
                self.host.entries[local as usize].deferred.push_back(receive);
                self.count_at(local, CounterName::ReceivesDeferred);
            }
        }
    }

    /// Whether a receive from this source, or a message, stays within the node and does not pass
    /// the NIC.
    fn is_same_node(&self, local: u32, source: u32) -> bool {
        let own = self.host.ranks[local as usize].number_and_core().0;
        self.shared
            .places
            .ranks
            .get(source as usize)
            .is_some_and(|other| other.node == self.shared.places.ranks[own as usize].node)
    }

    /// Takes an entry and returns its location; `None` if there is no free entry.
    fn take_entry(&mut self, local: u32, is_same_node: bool, time: u64) -> Option<u32> {
        if is_same_node {
            return Some(IN_HOST);
        }
        let used = self.host.entries[local as usize].entries.used();
        match self.host.entries[local as usize].entries.take() {
            EntryOutcome::At(EntryPlace::Nic) => Some(IN_NIC),
            EntryOutcome::At(EntryPlace::Host) => Some(IN_HOST),
            EntryOutcome::TakesOver => {
                self.count_at(local, CounterName::MatchingChanges);
                self.look_at(local, u64::from(used), time);
                Some(IN_HOST)
            }
            EntryOutcome::Exhausted => None,
        }
    }

    /// Frees an entry that the process does not need any more.
    fn free_entry(&mut self, local: u32, location: u32) {
        let state = &mut self.host.entries[local as usize];
        if location == IN_NIC && !state.entries.software_matches() {
            state.entries.give_back();
        }
    }

    /// Hands a receive the message that the search has found.
    fn take_found(&mut self, local: u32, receive: &Receive, arrival: &UnexpectedMessage, time: u64) {
        let taken = self.host.ranks[local as usize].lists.take_arrival(&mut self.host.match_pools, &receive.criteria);
        assert_eq!(taken, Some(arrival.handle), "what is found is what is taken");
        self.free_entry(local, arrival.kept_at);
        let state = &mut self.host.entries[local as usize];
        state.taken_over = state.taken_over.saturating_sub(u32::from(arrival.kept_at == IN_HOST));
        self.matched(local, arrival.handle as u32, receive.context as u32, time, true);
    }

    /// Adds a receive that waits for its message, with its entry at `place`.
    fn add_receive_at(&mut self, local: u32, location: u32, mut receive: Receive) {
        receive.flags = u64::from(location);
        self.host.ranks[local as usize].lists.add_receive(&mut self.host.match_pools, receive).expect(ENDLESS);
    }

    /// Gives free entries to receives that wait for one.
    fn admit_deferred(&mut self, local: u32, time: u64) {
        while let Some(&receive) = self.host.entries[local as usize].deferred.front() {
            let Some(location) = self.take_entry(local, self.is_same_node(local, receive.criteria.source), time) else {
                return;
            };
            self.host.entries[local as usize].deferred.pop_front();
            let (waiting, _) =
                self.host.ranks[local as usize].lists.would_take(&mut self.host.match_pools, &receive.criteria);
            match waiting {
                Some(arrival) => {
                    self.free_entry(local, location);
                    self.take_found(local, &receive, &arrival, time);
                }
                None => self.add_receive_at(local, location, receive),
            }
        }
    }

    /// A two-sided message has become visible.
    #[cold]
    #[inline(never)]
    pub fn complete_with_entries(&mut self, local: u32, record: u32, arrival: UnexpectedMessage) {
        let (header, now) = (self.nic.incoming[record].header, self.clock.now());
        let is_same_node = self.is_same_node(local, header.source_rank);
        let rank = &mut self.host.ranks[local as usize];
        let (posted, looked_at) = rank.lists.would_land(&mut self.host.match_pools, arrival.bits, arrival.source);
        let state = &self.host.entries[local as usize];
        let criteria = posted.map(|receive| receive.criteria);
        let is_open =
            now >= state.closed_until && state.refused.admit(arrival.source, sent(&header), criteria.as_ref());
        if !is_same_node && !is_open {
            return self.refuse_message(local, record);
        }
        let time = if state.entries.software_matches() { self.search(local, looked_at, now) } else { now };
        let kept_at = match posted {
            Some(_) => IN_NIC,
            None => match self.take_entry(local, is_same_node, time) {
                Some(location) => location,
                None => {
                    self.close(local);
                    return self.refuse_message(local, record);
                }
            },
        };
        self.host.entries[local as usize].take(arrival.source, sent(&header));
        let (lists, pools) = (&mut self.host.ranks[local as usize].lists, &mut self.host.match_pools);
        match posted {
            Some(receive) => {
                let taken = lists.take_receive(pools, arrival.bits, arrival.source);
                assert_eq!(taken, Some(receive.context), "what is found is what is taken");
                self.free_entry(local, receive.flags as u32);
                self.matched(local, record, receive.context as u32, time, false);
                self.admit_deferred(local, time);
            }
            None => {
                let mut arrival = arrival;
                arrival.kept_at = kept_at;
                lists.add_arrival(pools, arrival).expect(ENDLESS);
            }
        }
    }

    /// No entry is left for a message. Software takes over the waiting messages, and no message is
    /// taken until it has.
    fn close(&mut self, local: u32) {
        let (lists, pools) = (&mut self.host.ranks[local as usize].lists, &mut self.host.match_pools);
        let (_, in_nic) = lists.count(pools, |_| false, |arrival| arrival.kept_at == IN_NIC);
        lists.keep_all_at(pools, IN_HOST);
        let (in_nic, now) = (in_nic as u32, self.clock.now());
        let until = self.look_at(local, u64::from(in_nic), now);
        let state = &mut self.host.entries[local as usize];
        state.entries.take_over(in_nic);
        state.taken_over += in_nic;
        state.closed_until = until;
        self.count_at(local, CounterName::MatchingClosed);
        self.admit_deferred(local, until);
    }

    /// Refuses a message: its sender learns of it and sends it again.
    fn refuse_message(&mut self, local: u32, record: u32) {
        let message = self.nic.incoming[record];
        let header = message.header;
        self.nic.incoming.remove(record);
        self.host.refusals += 1;
        self.count_at(local, CounterName::MessagesRefused);
        let of_rank = &mut self.host.entries[local as usize];
        let times = of_rank.refuse(header.source_rank, sent(&header), u64::from(header.tag));
        if times > REFUSALS_MAX && self.host.starved.is_none() {
            let (rank, deferred) = (header.destination_rank, of_rank.deferred.len());
            self.host.starved = Some(format!(
                "rank {rank} of all jobs has refused a message from rank {} with tag {} {times} times: all {} list entries \
                 of its NIC hold receives for messages that do not come before it, and {deferred} receives wait for an \
                 entry; more of hardware.nic.list_entries would work, or hardware.nic.match_mode = \"hybrid\"",
                header.source_rank,
                header.tag,
                of_rank.entries.used(),
            ));
        }
        let nic = self.shared.nic(message.destination);
        let time = self.clock.now() + u64::from(message.ack_delay) + u64::from(nic.refused_retry_us) * 1_000_000;
        let key = self.shared.places.targets.resend_refused(time, header.source_rank, header.issuer_handle);
        let partition = self.shared.places.ranks[header.source_rank as usize].partition;
        let header = Header { receive_handle: SENT_BEFORE, ..header };
        if partition == self.layout.number {
            let slot = self.host.withheld.insert(header);
            self.sched.calendar.push(key, Event::ResendRefused { slot });
        } else {
            self.post_refused(partition, key, header);
        }
    }

    /// A NIC sends a refused message again.
    pub fn resend_refused(&mut self, slot: u32) {
        let header = self.host.withheld[slot];
        self.host.withheld.remove(slot);
        self.host.sent_again += 1;
        let endpoint = |rank: u32, shared: &Shared| shared.places.ranks[rank as usize].endpoint;
        let source = endpoint(header.source_rank, &self.shared);
        self.record.recorder.counters.add_nic(source, CounterName::MessagesSentAgain, 1);
        if self.record.observer.on {
            self.explain_resent(&header, self.clock.now());
        }
        let fetched = header.bytes > u64::from(self.shared.nic(source).inline_max_bytes);
        self.issue_command(header, (1, fetched), self.clock.now());
    }

    /// The number of NIC entries that a rank's lists hold, and the number that it has taken, for
    /// audits. They are equal if the NIC matches.
    pub fn entries_held_and_taken(&self, local: u32) -> Option<(u64, u64)> {
        let state = self.host.entries.get(local as usize).filter(|state| !state.entries.software_matches())?;
        let in_nic = (u64::from(IN_NIC), IN_NIC);
        let lists = &self.host.ranks[local as usize].lists;
        let held = lists.count(
            &self.host.match_pools,
            |posted| posted.flags == in_nic.0,
            |waiting| waiting.kept_at == in_nic.1,
        );
        Some((held.0 + held.1, u64::from(state.entries.used())))
    }
}
