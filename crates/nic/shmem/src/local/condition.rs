//! `shmem_wait_until` and `shmem_test` in all their forms: one word, all, any or some of several,
//! each with one value or a value of its own.

use std::cell::Cell;
use std::ffi::c_int;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};

use super::wait::WaitMethod;
use crate::error::Error;

/// The type of the compared words: C's integers by size and sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordType {
    /// 16 bits, signed: the deprecated forms for `short`.
    I16,
    /// 16 bits, unsigned.
    U16,
    /// 32 bits, signed.
    I32,
    /// 32 bits, unsigned.
    U32,
    /// 64 bits, signed.
    I64,
    /// 64 bits, unsigned.
    U64,
}

impl WordType {
    /// The size of the type in bytes.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 => 4,
            Self::I64 | Self::U64 => 8,
        }
    }

    /// Reads a value that no other thread writes, at any address, into the low bits.
    ///
    /// # Safety
    /// `address` is readable with the word's size.
    #[must_use]
    pub unsafe fn read(self, address: *const u8) -> u64 {
        // SAFETY: as the caller promises.
        unsafe {
            match self {
                Self::I16 | Self::U16 => u64::from(address.cast::<u16>().read_unaligned()),
                Self::I32 | Self::U32 => u64::from(address.cast::<u32>().read_unaligned()),
                Self::I64 | Self::U64 => address.cast::<u64>().read_unaligned(),
            }
        }
    }

    /// `bits` as an unsigned number, in an order that corresponds to the type's own.
    const fn key(self, bits: u64) -> u64 {
        match self {
            Self::U16 => bits as u16 as u64,
            Self::U32 => bits as u32 as u64,
            Self::U64 => bits,
            Self::I16 => (bits as u16 as i16 as i64 as u64) ^ (1 << 63),
            Self::I32 => (bits as u32 as i32 as i64 as u64) ^ (1 << 63),
            Self::I64 => bits ^ (1 << 63),
        }
    }

    /// Reads the word at `address`, which other PEs may be writing.
    ///
    /// # Safety
    /// `address` is readable and a multiple of the word's size.
    #[inline]
    unsafe fn load(self, address: *const u8) -> u64 {
        // SAFETY: as the caller promises; an atomic of the size has that alignment.
        unsafe {
            match self {
                Self::I16 | Self::U16 => u64::from((*address.cast::<AtomicU16>()).load(Ordering::Acquire)),
                Self::I32 | Self::U32 => u64::from((*address.cast::<AtomicU32>()).load(Ordering::Acquire)),
                Self::I64 | Self::U64 => (*address.cast::<AtomicU64>()).load(Ordering::Acquire),
            }
        }
    }
}

/// The comparisons, `SHMEM_CMP_*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitComparison {
    /// `SHMEM_CMP_EQ`.
    Eq,
    /// `SHMEM_CMP_NE`.
    Ne,
    /// `SHMEM_CMP_GT`.
    Gt,
    /// `SHMEM_CMP_LE`.
    Le,
    /// `SHMEM_CMP_LT`.
    Lt,
    /// `SHMEM_CMP_GE`.
    Ge,
}

impl WaitComparison {
    /// The comparison with this number: `PHILAE_SHMEM_CMP_*` of `include/philae/shmem_core.h`.
    #[must_use]
    pub fn from_number(number: c_int) -> Option<Self> {
        [Self::Eq, Self::Ne, Self::Gt, Self::Le, Self::Lt, Self::Ge].get(usize::try_from(number).ok()?).copied()
    }

    #[inline]
    const fn holds(self, left: u64, right: u64) -> bool {
        match self {
            Self::Eq => left == right,
            Self::Ne => left != right,
            Self::Gt => left > right,
            Self::Le => left <= right,
            Self::Lt => left < right,
            Self::Ge => left >= right,
        }
    }
}

/// The values to compare words with.
#[derive(Clone, Copy, Debug)]
pub enum ComparedValues {
    /// One value for all words, in the low bits.
    One(u64),
    /// One value for each word: the forms with `_vector`.
    Each(*const u8),
}

/// Arrays for which a thread remembers where its last call found a word. Source: ours.
/// Status: assumed.
const TURNS: usize = 64;

thread_local! {
    /// For each array, where the next call begins to search.
    static NEXT: [Cell<(usize, usize)>; TURNS] = const { [const { Cell::new((0, 0)) }; TURNS] };
    /// Where a call begins if its array is not remembered: two arrays may alternate in one entry.
    static DRAWN: Cell<u64> = const { Cell::new(0x9e37_79b9_7f4a_7c15) };
}

/// The rotation among the words of an array.
///
/// Source: OpenSHMEM 1.6, shmem_test_any and shmem_wait_until_any: a series of calls eventually
/// returns each word that satisfies the condition. Status: published.
#[derive(Clone, Copy, Debug)]
struct Turn {
    words: usize,
    place: usize,
}

impl Turn {
    fn of(words: *const u8) -> Self {
        let words = words.addr();
        let place = (words as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58;
        Self { words, place: place as usize % TURNS }
    }

    /// The first word to test.
    fn start(self, count: usize) -> usize {
        let (words, next) = NEXT.with(|all| all[self.place].get());
        if words == self.words || words == 0 {
            return if next < count { next } else { 0 };
        }
        // xorshift64: never 0, and any start is as good as another.
        let mut drawn = DRAWN.get();
        drawn ^= drawn << 13;
        drawn ^= drawn >> 7;
        drawn ^= drawn << 17;
        DRAWN.set(drawn);
        if count == 0 { 0 } else { (drawn % count as u64) as usize }
    }

    /// Records that word `index` was found: the next call begins after it.
    fn note(self, index: usize) {
        NEXT.with(|all| all[self.place].set((self.words, index + 1)));
    }
}

/// Several words, the value to compare each with, and which words count.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    word: WordType,
    words: *const u8,
    count: usize,
    status: *const i32,
    comparison: WaitComparison,
    values: ComparedValues,
}

impl Conditions {
    /// The conditions of a call. `status` may be null; a word whose status is not 0 does not count.
    ///
    /// # Safety
    /// During the value's life, `words` points to `count` aligned words, and `status` and
    /// `ComparedValues::Each`, if given, to `count` entries.
    #[must_use]
    pub const unsafe fn new(
        word: WordType,
        words: *const u8,
        count: usize,
        status: *const i32,
        comparison: WaitComparison,
        values: ComparedValues,
    ) -> Self {
        Self { word, words, count, status, comparison, values }
    }

    /// Whether word `index` counts.
    fn counts(&self, index: usize) -> bool {
        // SAFETY: the caller of `new` promised `count` entries, and `index` is below.
        let status = if self.status.is_null() { 0 } else { unsafe { *self.status.add(index) } };
        status == 0
    }

    #[inline]
    fn holds(&self, index: usize) -> bool {
        let offset = index * self.word.bytes();
        // SAFETY: the caller of `new` promised `count` aligned words, and as many values if each
        // word has its own.
        let (left, right) = unsafe {
            let right = match self.values {
                ComparedValues::One(value) => value,
                ComparedValues::Each(values) => self.word.read(values.add(offset)),
            };
            (self.word.load(self.words.add(offset)), right)
        };
        self.comparison.holds(self.word.key(left), self.word.key(right))
    }

    pub(super) fn counting(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.count).filter(|&index| self.counts(index))
    }

    /// `shmem_test_all`: whether all words that count satisfy their conditions; true if none
    /// counts.
    #[must_use]
    pub fn test_all(&self) -> bool {
        self.counting().all(|index| self.holds(index))
    }

    /// `shmem_test_any`: a word that satisfies its condition. Calls on the same words rotate, so
    /// that each such word is found eventually.
    #[must_use]
    pub fn test_any(&self) -> Option<usize> {
        let turn = Turn::of(self.words);
        let found = self.find_from(turn.start(self.count));
        found.inspect(|&index| turn.note(index))
    }

    /// The first word from `start` on that satisfies its condition, then from the beginning.
    fn find_from(&self, start: usize) -> Option<usize> {
        (start..self.count).chain(0..start).find(|&index| self.counts(index) && self.holds(index))
    }

    /// `shmem_test_some`: writes the indices of the words that satisfy their conditions to
    /// `indices`, and returns their number.
    ///
    /// # Safety
    /// `indices` has room for `count` entries.
    pub unsafe fn test_some(&self, indices: *mut usize) -> usize {
        let mut found = 0;
        for index in self.counting().filter(|&index| self.holds(index)) {
            // SAFETY: the caller promises the room, and at most `count` are found.
            unsafe { indices.add(found).write(index) };
            found += 1;
        }
        found
    }

    /// `shmem_wait_until_all`.
    ///
    /// # Errors
    /// A PE of the job has died.
    pub fn wait_all(&self, waiting: &WaitMethod) -> Result<(), Error> {
        self.counting().try_for_each(|index| waiting.until(|| self.holds(index)))
    }

    /// `shmem_wait_until_any`; `None` if no word counts.
    ///
    /// # Errors
    /// A PE of the job has died.
    pub fn wait_any(&self, waiting: &WaitMethod) -> Result<Option<usize>, Error> {
        if self.counting().next().is_none() {
            return Ok(None);
        }
        let turn = Turn::of(self.words);
        let start = turn.start(self.count);
        let mut found = None;
        waiting.until(|| {
            found = self.find_from(start);
            found.is_some()
        })?;
        Ok(found.inspect(|&index| turn.note(index)))
    }

    /// `shmem_wait_until_some`; 0 if no word counts.
    ///
    /// # Safety
    /// `indices` has room for `count` entries.
    ///
    /// # Errors
    /// A PE of the job has died.
    pub unsafe fn wait_some(&self, waiting: &WaitMethod, indices: *mut usize) -> Result<usize, Error> {
        if self.counting().next().is_none() {
            return Ok(0);
        }
        let mut found = 0;
        waiting.until(|| {
            // SAFETY: as the caller promises.
            found = unsafe { self.test_some(indices) };
            found != 0
        })?;
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::ControlPage;
    use crate::local::wait::{NothingElse, PollCounts};
    use std::sync::Arc;

    const ALL: [WaitComparison; 6] = [
        WaitComparison::Eq,
        WaitComparison::Ne,
        WaitComparison::Gt,
        WaitComparison::Le,
        WaitComparison::Lt,
        WaitComparison::Ge,
    ];

    fn with_waiting(what: impl FnOnce(&WaitMethod, &ControlPage)) {
        let bell = ControlPage::new(0);
        // SAFETY: the bell outlives the call.
        what(&unsafe { WaitMethod::new(&raw const bell, PollCounts::DEDICATED, Arc::new(NothingElse)) }, &bell);
    }

    macro_rules! compares_as {
        ($name:ident, $type:ty, $word:expr) => {
            #[test]
            fn $name() {
                let numbers =
                    [<$type>::MIN, <$type>::MIN + 1, <$type>::MAX / 2, <$type>::MAX / 2 + 1, <$type>::MAX, 0, 1];
                for left in numbers {
                    for right in numbers {
                        for comparison in ALL {
                            let model = match comparison {
                                WaitComparison::Eq => left == right,
                                WaitComparison::Ne => left != right,
                                WaitComparison::Gt => left > right,
                                WaitComparison::Le => left <= right,
                                WaitComparison::Lt => left < right,
                                WaitComparison::Ge => left >= right,
                            };
                            // SAFETY: `left` is one aligned word of the type.
                            let one = unsafe {
                                Conditions::new(
                                    $word,
                                    (&raw const left).cast(),
                                    1,
                                    std::ptr::null(),
                                    comparison,
                                    ComparedValues::One(right as u64),
                                )
                            };
                            assert_eq!(one.test_all(), model, "{left} {comparison:?} {right}");
                            let (words, values) = ([left; 2], [right; 2]);
                            // SAFETY: two words and two values.
                            let each = unsafe {
                                Conditions::new(
                                    $word,
                                    words.as_ptr().cast(),
                                    2,
                                    std::ptr::null(),
                                    comparison,
                                    ComparedValues::Each(values.as_ptr().cast()),
                                )
                            };
                            assert_eq!(each.test_all(), model, "each {left} {comparison:?} {right}");
                        }
                    }
                }
            }
        };
    }
    compares_as!(signed_16_bits_compare_as_short, i16, WordType::I16);
    compares_as!(unsigned_16_bits_compare_as_unsigned_short, u16, WordType::U16);
    compares_as!(signed_32_bits_compare_as_int, i32, WordType::I32);
    compares_as!(unsigned_32_bits_compare_as_unsigned_int, u32, WordType::U32);
    compares_as!(signed_64_bits_compare_as_long, i64, WordType::I64);
    compares_as!(unsigned_64_bits_compare_as_unsigned_long, u64, WordType::U64);

    #[test]
    fn an_empty_set_waits_for_nothing() {
        with_waiting(|waiting, _| {
            let (words, status) = ([1u32, 2], [1i32, 1]);
            for (count, status) in [(0, std::ptr::null()), (2, status.as_ptr())] {
                // SAFETY: two words, two entries of status.
                let set = unsafe {
                    Conditions::new(
                        WordType::U32,
                        words.as_ptr().cast(),
                        count,
                        status,
                        WaitComparison::Eq,
                        ComparedValues::One(9),
                    )
                };
                let mut indices = [7usize; 2];
                assert!(set.test_all());
                assert_eq!(set.test_any(), None);
                assert!(set.wait_all(waiting).is_ok());
                assert!(matches!(set.wait_any(waiting), Ok(None)));
                // SAFETY: room for two.
                unsafe {
                    assert_eq!(set.test_some(indices.as_mut_ptr()), 0);
                    assert!(matches!(set.wait_some(waiting, indices.as_mut_ptr()), Ok(0)));
                }
                assert_eq!(indices, [7, 7]);
            }
        });
    }

    /// A set of words that are compared with 1.
    fn ones(words: &[u32], status: *const i32) -> Conditions {
        // SAFETY: the tests keep the words and the status longer than the set.
        unsafe {
            Conditions::new(
                WordType::U32,
                words.as_ptr().cast(),
                words.len(),
                status,
                WaitComparison::Eq,
                ComparedValues::One(1),
            )
        }
    }

    #[test]
    fn calls_on_the_same_words_go_round() {
        with_waiting(|waiting, _| {
            let words = [1u32, 0, 1, 1, 0, 1];
            let set = ones(&words, std::ptr::null());
            let tested: Vec<_> = (0..8).filter_map(|_| set.test_any()).collect();
            assert_eq!(tested, [0, 2, 3, 5, 0, 2, 3, 5]);
            let waited: Vec<_> = (0..4).map(|_| set.wait_any(waiting).expect("no PE dies").expect("some")).collect();
            assert_eq!(waited, [0, 2, 3, 5]);
            let status = [0i32, 0, 1, 0, 0, 1];
            let rest = ones(&words, status.as_ptr());
            let tested: Vec<_> = (0..4).filter_map(|_| rest.test_any()).collect();
            assert_eq!(tested, [0, 3, 0, 3]);
            assert_eq!(ones(&[0; 6], std::ptr::null()).test_any(), None);
        });
    }

    #[test]
    fn arrays_that_are_asked_by_turns_starve_no_variable() {
        // More arrays than are remembered, so that some share an entry.
        let arrays: Vec<Vec<u32>> = (0..3 * TURNS).map(|at| vec![1; 2 + at % 5]).collect();
        let mut seen: Vec<Vec<bool>> = arrays.iter().map(|words| vec![false; words.len()]).collect();
        for _ in 0..1000 {
            for (words, seen) in arrays.iter().zip(&mut seen) {
                seen[ones(words, std::ptr::null()).test_any().expect("all hold")] = true;
            }
        }
        assert!(seen.iter().flatten().all(|&seen| seen), "{seen:?}");
    }

    #[test]
    fn a_word_that_does_not_count_is_never_found() {
        with_waiting(|waiting, _| {
            let (words, status) = ([5i64, 5, 0, 5], [1i32, 0, 0, 0]);
            // SAFETY: four words, four entries of status.
            let set = unsafe {
                Conditions::new(
                    WordType::I64,
                    words.as_ptr().cast(),
                    4,
                    status.as_ptr(),
                    WaitComparison::Eq,
                    ComparedValues::One(5),
                )
            };
            let mut indices = [0usize; 4];
            assert!(!set.test_all());
            assert!(matches!(set.wait_any(waiting), Ok(Some(1))));
            // SAFETY: room for four.
            assert!(matches!(unsafe { set.wait_some(waiting, indices.as_mut_ptr()) }, Ok(2)));
            assert_eq!(indices[..2], [1, 3]);
        });
    }

    #[test]
    fn waits_see_what_another_thread_stores_whatever_the_order() {
        with_waiting(|waiting, bell| {
            let words: Vec<AtomicU64> = (0..16).map(|_| AtomicU64::new(0)).collect();
            let values: Vec<u64> = (0..16).map(|index| 100 + index).collect();
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    for step in 0..16usize {
                        let index = step * 7 % 16;
                        words[index].store(100 + index as u64, Ordering::Release);
                        bell.ring_if_asleep();
                        std::thread::yield_now();
                    }
                });
                // SAFETY: sixteen words and values.
                let set = unsafe {
                    Conditions::new(
                        WordType::U64,
                        words.as_ptr().cast(),
                        16,
                        std::ptr::null(),
                        WaitComparison::Eq,
                        ComparedValues::Each(values.as_ptr().cast()),
                    )
                };
                let mut status = [0i32; 16];
                let mut left = 16;
                while left > 0 {
                    // SAFETY: as above, with an array of status.
                    let rest = unsafe {
                        Conditions::new(
                            WordType::U64,
                            words.as_ptr().cast(),
                            16,
                            status.as_ptr(),
                            WaitComparison::Eq,
                            ComparedValues::Each(values.as_ptr().cast()),
                        )
                    };
                    let found = rest.wait_any(waiting).expect("no PE dies").expect("some are left");
                    assert_eq!(std::mem::replace(&mut status[found], 1), 0, "word {found} twice");
                    left -= 1;
                }
                set.wait_all(waiting).expect("no PE dies");
            });
        });
    }
}
