//! The shares of links that endpoints hold, found by output, endpoint and channel.
//!
//! Every hop of every packet looks here twice: it takes its part and gives it back. So the shares
//! of an output are in a row of one cache line. The row can be prefetched as soon as the output is
//! known, and it is searched without a jump. Shares for which a row has no room are in a table of
//! 64 outputs. Only outputs to switches have shares: theirs are the first slots.

use crate::memory::hash_table::{Entry, HashTable};

/// Shares of a row. Source: the size of a cache line, less what says how many are elsewhere; of the
/// shares taken at 8,192 endpoints, 1 to 15 % find it full on a dragonfly and a half on a fat tree.
/// Status: derived.
const ROW: usize = 7;

/// Bits of a share's word that count bytes. Above them are: a bit that says whether packets wait,
/// the endpoint, the channel and, in a table, the output's number among those of the table.
const BYTES_BITS: u32 = 25;
const KEY_SHIFT: u32 = BYTES_BITS + 1;
const WAITING: u64 = 1 << BYTES_BITS;
pub const ENDPOINT_BITS: u32 = 26;
const CHANNEL_BITS: u32 = 6;
const PORT_SHIFT: u32 = ENDPOINT_BITS + CHANNEL_BITS;
/// Outputs of a table: as many as a word has room for.
const OUTPUTS: usize = 1 << (u64::BITS - KEY_SHIFT - PORT_SHIFT);

/// The most that a law may let one endpoint hold. With one packet more, which may go alone, the
/// number still fits a share.
pub const SHARE_BYTES_MAX: u32 = 1 << (BYTES_BITS - 1);

/// The key of a share. A channel never waits for another channel's share, so that the order of
/// channels keeps routes free of deadlock. No key is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShareKey(u64);

impl ShareKey {
    /// The share that an endpoint has of a channel, among those of a link.
    #[inline]
    pub fn new(channel: u8, destination: u32) -> Self {
        debug_assert!(channel < 1 << CHANNEL_BITS && destination < (1 << ENDPOINT_BITS) - 1, "a system has fewer");
        Self(u64::from(channel) << ENDPOINT_BITS | u64::from(destination + 1))
    }

    /// The same key among those of all links of a table, for its output number `port`.
    const fn of_port(self, port: usize) -> Self {
        Self((port as u64) << PORT_SHIFT | self.0)
    }
}

impl From<ShareKey> for u64 {
    #[inline]
    fn from(key: ShareKey) -> Self {
        key.0
    }
}

/// What one endpoint's packets hold of one channel of a link.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct EndpointShare {
    /// The key, and below it whether packets wait, and the bytes.
    word: u64,
}

impl Entry for EndpointShare {
    type Key = ShareKey;
    const VACANT: Self = Self { word: 0 };
    const CAPACITY_FIRST: usize = 8;
    const QUARTERS_HELD: usize = 2;

    #[inline]
    fn key(&self) -> ShareKey {
        ShareKey(self.word >> KEY_SHIFT)
    }

    #[inline]
    fn is_held(&self) -> bool {
        self.word != 0
    }
}

impl EndpointShare {
    /// A share of `used_bytes`, for which no packet waits.
    #[inline]
    const fn new(key: ShareKey, used_bytes: u32) -> Self {
        Self { word: key.0 << KEY_SHIFT | used_bytes as u64 }
    }

    /// Its key, among those of the link.
    const fn key_of_link(&self) -> ShareKey {
        ShareKey(self.word >> KEY_SHIFT & ((1 << PORT_SHIFT) - 1))
    }

    /// The number of the output in its key, if it is in a table.
    const fn port(&self) -> usize {
        (self.word >> KEY_SHIFT >> PORT_SHIFT) as usize
    }

    /// Bytes queued for the link, on it, and in the buffer beyond until their credit returns.
    #[inline]
    pub const fn used_bytes(&self) -> u32 {
        (self.word & ((1 << BYTES_BITS) - 1)) as u32
    }

    /// Whether packets wait for it.
    #[inline]
    pub const fn has_waiting(&self) -> bool {
        self.word & WAITING != 0
    }

    /// Sets whether packets wait for it.
    #[inline]
    pub const fn set_waiting(&mut self, waits: bool) {
        self.word = self.word & !WAITING | if waits { WAITING } else { 0 };
    }

    /// Takes more, if that makes no more than `most` and no packet waits for the share.
    #[inline]
    fn take_if(&mut self, bytes: u32, most: u32) -> bool {
        let fits = !self.has_waiting() && self.used_bytes() + bytes <= most;
        if fits {
            self.take(bytes);
        }
        fits
    }

    /// Takes more.
    #[inline]
    pub fn take(&mut self, bytes: u32) {
        debug_assert!(self.used_bytes() + bytes < 1 << BYTES_BITS, "a share is bounded");
        self.word += u64::from(bytes);
    }

    /// Gives bytes back.
    #[inline]
    fn give_back(&mut self, bytes: u32) {
        debug_assert!(self.used_bytes() >= bytes, "what comes back was taken");
        self.word -= u64::from(bytes);
    }

    /// Whether it has no bytes and no waiting packets. Such a share is not kept.
    #[inline]
    const fn is_spent(&self) -> bool {
        self.word & ((1 << KEY_SHIFT) - 1) == 0
    }
}

/// The shares that are held of one link, as many as fit.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
#[repr(C, align(64))]
pub struct ShareRow {
    shares: [EndpointShare; ROW],
    /// Number of shares in the table.
    beyond: u64,
}

const _: () = assert!(size_of::<ShareRow>() == 64);

impl ShareRow {
    const EMPTY: Self = Self { shares: [EndpointShare::VACANT; ROW], beyond: 0 };

    /// Index of the share with this key; for the key of none, of a vacant one. There is no jump,
    /// because the processor could not predict the place.
    #[inline(always)]
    fn index_of(&self, key: ShareKey) -> Option<usize> {
        let mut index = ROW;
        for (candidate, share) in self.shares.iter().enumerate() {
            index = if share.key() == key { candidate } else { index };
        }
        (index < ROW).then_some(index)
    }

    /// Index of a vacant place.
    #[inline(always)]
    fn vacant_index(&self) -> Option<usize> {
        self.index_of(ShareKey(0))
    }
}

/// The shares that are held of a partition's links. An output is named by its slot.
#[derive(Clone, Debug)]
pub struct Shares {
    /// By output.
    pub rows: Vec<ShareRow>,
    /// Shares for which rows have no room, by table.
    pub tables: Vec<HashTable<EndpointShare>>,
}

impl Shares {
    /// No shares of `outputs` outputs.
    pub fn new(outputs: usize) -> Self {
        let tables = outputs.div_ceil(OUTPUTS);
        Self { rows: vec![ShareRow::EMPTY; outputs], tables: vec![HashTable::default(); tables] }
    }

    /// Prefetches the shares of an output.
    #[inline]
    pub fn prefetch(&self, output: usize) {
        self.rows.get(output).into_iter().for_each(philae_engine::prefetch_soon);
    }

    /// Whether the row of an output had no room for some of its shares.
    #[inline]
    pub fn are_beyond(&self, output: usize) -> bool {
        self.rows.get(output).is_some_and(|row| row.beyond > 0)
    }

    /// Prefetches such a share.
    #[inline]
    pub fn prefetch_beyond(&self, output: usize, key: ShareKey) {
        self.tables[output / OUTPUTS].prefetch(key.of_port(output % OUTPUTS));
    }

    /// Takes part of a share, if that makes no more than `most` and no packet waits for it. A share
    /// of which nothing is taken has room for every packet.
    #[inline(always)]
    pub fn take(&mut self, output: usize, key: ShareKey, bytes: u32, most: u32) -> bool {
        let row = &mut self.rows[output];
        if let Some(index) = row.index_of(key) {
            return row.shares[index].take_if(bytes, most);
        }
        if row.beyond == 0
            && let Some(index) = row.vacant_index()
        {
            row.shares[index] = EndpointShare::new(key, bytes);
            return true;
        }
        self.take_beyond(output, key, bytes, most)
    }

    /// The same where the share is not in its row, and the row is full or has others in the table.
    #[inline(never)]
    fn take_beyond(&mut self, output: usize, key: ShareKey, bytes: u32, most: u32) -> bool {
        let (table, in_table) = (&mut self.tables[output / OUTPUTS], key.of_port(output % OUTPUTS));
        let position = table.position_of(in_table);
        if table[position].is_held() {
            return table[position].take_if(bytes, most);
        }
        let row = &mut self.rows[output];
        if let Some(index) = row.vacant_index() {
            row.shares[index] = EndpointShare::new(key, bytes);
        } else {
            row.beyond += 1;
            table.insert(position, EndpointShare::new(in_table, bytes));
        }
        true
    }

    /// Gives part of a share back. Returns whether packets wait for it.
    #[inline(always)]
    pub fn give_back(&mut self, output: usize, key: ShareKey, bytes: u32) -> bool {
        let row = &mut self.rows[output];
        let Some(index) = row.index_of(key) else { return self.give_back_beyond(output, key, bytes) };
        let share = &mut row.shares[index];
        share.give_back(bytes);
        let has_waiting = share.has_waiting();
        *share = if share.is_spent() { EndpointShare::VACANT } else { *share };
        has_waiting
    }

    /// The same for a share in the table.
    #[inline(never)]
    fn give_back_beyond(&mut self, output: usize, key: ShareKey, bytes: u32) -> bool {
        let (table, key) = (&mut self.tables[output / OUTPUTS], key.of_port(output % OUTPUTS));
        let position = table.position_of(key);
        let share = &mut table[position];
        assert!(share.is_held(), "a credit comes back to a share that was taken");
        share.give_back(bytes);
        if share.is_spent() {
            table.remove(position);
            self.rows[output].beyond -= 1;
            return false;
        }
        share.has_waiting()
    }

    /// A share that is held.
    ///
    /// # Panics
    /// If it is not held.
    pub fn held_mut(&mut self, output: usize, key: ShareKey) -> &mut EndpointShare {
        let row = &mut self.rows[output];
        if let Some(index) = row.index_of(key) {
            return &mut row.shares[index];
        }
        let table = &mut self.tables[output / OUTPUTS];
        let position = table.position_of(key.of_port(output % OUTPUTS));
        assert!(table[position].is_held(), "a share for which packets wait is held");
        &mut table[position]
    }

    /// The shares of an output with their keys, in no order.
    pub fn of_output_mut(&mut self, output: usize) -> impl Iterator<Item = (ShareKey, &mut EndpointShare)> {
        let Self { rows, tables } = self;
        let port = output % OUTPUTS;
        let of_port = move |share: &&mut EndpointShare| share.port() == port;
        let beyond = tables[output / OUTPUTS].used_mut().filter(of_port);
        let in_row = rows[output].shares.iter_mut().filter(|share| share.is_held());
        in_row.chain(beyond).map(|share| (share.key_of_link(), share))
    }

    /// Bytes that are held of each output.
    pub fn held_bytes(&self) -> Vec<u64> {
        let of_row = |row: &ShareRow| row.shares.iter().map(|share| u64::from(share.used_bytes())).sum();
        let mut held: Vec<u64> = self.rows.iter().map(of_row).collect();
        for (number, table) in self.tables.iter().enumerate() {
            for share in table.used() {
                held[number * OUTPUTS + share.port()] += u64::from(share.used_bytes());
            }
        }
        held
    }

    /// Memory held, in bytes.
    pub fn memory_bytes(&self) -> usize {
        let tables = self.tables.iter().map(|table| size_of::<HashTable<EndpointShare>>() + table.memory_bytes());
        self.rows.len() * size_of::<ShareRow>() + tables.sum::<usize>()
    }
}

/// Key of the packets that wait for a share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShareQueueKey(u64);

impl ShareQueueKey {
    /// The packets that wait for a share of an output.
    pub const fn new(output: usize, share: ShareKey) -> Self {
        Self((output as u64) << PORT_SHIFT | share.0)
    }
}

impl From<ShareQueueKey> for u64 {
    #[inline]
    fn from(key: ShareQueueKey) -> Self {
        key.0
    }
}

/// No key is as large: there are not as many outputs.
const NO_KEY: u64 = u64::MAX;

/// The packets that wait for a share, as a list.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct ShareQueue {
    key: u64,
    pub head: u32,
    pub tail: u32,
}

impl ShareQueue {
    /// A list of one packet.
    pub const fn new(key: ShareQueueKey, packet: u32) -> Self {
        Self { key: key.0, head: packet, tail: packet }
    }
}

impl Entry for ShareQueue {
    type Key = ShareQueueKey;
    const VACANT: Self = Self { key: NO_KEY, head: u32::MAX, tail: u32::MAX };
    const CAPACITY_FIRST: usize = 64;
    const QUARTERS_HELD: usize = 2;

    #[inline]
    fn key(&self) -> ShareQueueKey {
        ShareQueueKey(self.key)
    }

    #[inline]
    fn is_held(&self) -> bool {
        self.key != NO_KEY
    }
}

/// Packets that wait for shares, by share.
pub type ShareQueues = HashTable<ShareQueue>;

#[cfg(test)]
mod tests {
    use super::*;
    use philae_engine::RandomStream;
    use std::collections::BTreeMap;

    /// With few and many endpoints, rows have room for all shares or only for some.
    #[test]
    fn shares_behave_like_a_map_under_random_use() {
        let most = 10_000;
        for (all, endpoints) in [(12, 3), (12, 50), (300, 3), (300, 50), (768, 50)] {
            // Twelve of the outputs.
            let step = all / 12;
            let mut shares = Shares::new(all);
            let mut oracle: BTreeMap<(usize, ShareKey), u32> = BTreeMap::new();
            let mut random = RandomStream::new(9, u64::from(endpoints), 0);
            let mut beyond_max = 0;
            for _ in 0..200_000 {
                let output = random.below(12) as usize * step;
                let key = ShareKey::new(random.below(2) as u8, random.below(endpoints));
                let (bytes, used) = (1 + random.below(4_000), oracle.get(&(output, key)).copied());
                let fits = used.is_none_or(|used| used + bytes <= most);
                if let (Some(used), 0) = (used, random.below(2)) {
                    let bytes = bytes.min(used);
                    assert!(!shares.give_back(output, key, bytes), "no packet waits");
                    oracle.insert((output, key), used - bytes);
                } else {
                    assert_eq!(shares.take(output, key, bytes, most), fits);
                    if fits {
                        *oracle.entry((output, key)).or_default() += bytes;
                    }
                }
                oracle.retain(|_, used| *used > 0);
                beyond_max = beyond_max.max(shares.rows[output].beyond);
            }
            let mut held = vec![0; all];
            oracle.iter().for_each(|((output, _), used)| held[*output] += u64::from(*used));
            assert_eq!(shares.held_bytes(), held);
            for output in 0..all {
                let listed: BTreeMap<_, _> =
                    shares.of_output_mut(output).map(|(key, share)| ((output, key), share.used_bytes())).collect();
                assert!(listed.iter().eq(oracle.range((output, ShareKey(0))..(output + 1, ShareKey(0)))));
            }
            assert_eq!(beyond_max > 0, endpoints == 50, "{beyond_max} shares beyond a row");
        }
    }

    #[test]
    fn a_share_that_packets_wait_for_is_kept_without_bytes() {
        let key = ShareKey::new(1, 7);
        let mut shares = Shares::new(4);
        for other in 0..12 {
            assert!(shares.take(2, ShareKey::new(0, other), 100, 1_000));
        }
        assert!(shares.take(2, key, 900, 1_000) && !shares.take(2, key, 200, 1_000));
        shares.held_mut(2, key).set_waiting(true);
        assert!(!shares.take(2, key, 1, 1_000), "who comes later waits as well");
        assert!(shares.give_back(2, key, 900));
        shares.held_mut(2, key).set_waiting(false);
        assert!(shares.of_output_mut(2).any(|(held_key, share)| held_key == key && share.used_bytes() == 0));
    }

    #[test]
    fn a_share_tells_its_parts_at_their_largest() {
        let key = ShareKey::new(63, (1 << ENDPOINT_BITS) - 2);
        let mut share = EndpointShare::new(key.of_port(63), SHARE_BYTES_MAX);
        share.take(65_535);
        assert_eq!((share.key_of_link(), share.used_bytes()), (key, SHARE_BYTES_MAX + 65_535));
        share.set_waiting(true);
        assert_eq!((share.key(), share.has_waiting()), (key.of_port(63), true));
        assert_eq!(share.used_bytes(), SHARE_BYTES_MAX + 65_535);
        share.set_waiting(false);
        share.give_back(SHARE_BYTES_MAX + 65_535);
        assert!(share.is_held() && share.is_spent());
    }
}
