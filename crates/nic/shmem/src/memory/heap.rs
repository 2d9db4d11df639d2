//! The symmetric heap's allocator. The same calls in the same order give the same offsets on every
//! PE.
//!
//! Its records lie outside the heap: a program that writes beyond its own block damages its
//! neighbours, but not the records.

use std::collections::BTreeMap;

/// Blocks begin at multiples of this: a cache line of x86-64 and aarch64. Source: the processors'
/// manuals. Status: published.
pub const ALIGNMENT: usize = 64;

/// The free and used parts of a heap.
#[derive(Clone, Debug)]
pub struct Heap {
    bytes: usize,
    /// Offset and length of each free part; no two are adjacent.
    free: BTreeMap<usize, usize>,
    /// Offset of each block, its requested size, and the size that it takes.
    used: BTreeMap<usize, (usize, usize)>,
}

impl Heap {
    /// A heap of `bytes` bytes, all free.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self { bytes, free: BTreeMap::from([(0, bytes)]), used: BTreeMap::new() }
    }

    /// Allocates `size` bytes at a multiple of `alignment`, a power of two; returns the offset.
    /// First fit.
    pub fn allocate(&mut self, size: usize, alignment: usize) -> Option<usize> {
        let alignment = alignment.max(ALIGNMENT);
        let takes = size.checked_next_multiple_of(ALIGNMENT)?;
        let fits = |(&start, &length): (&usize, &usize)| {
            let at = start.checked_next_multiple_of(alignment)?;
            (at.checked_add(takes)? <= start + length).then_some((start, length, at))
        };
        let (start, length, at) = if takes == 0 { None } else { self.free.iter().find_map(fits) }?;
        self.free.remove(&start);
        if at > start {
            self.free.insert(start, at - start);
        }
        let end = start + length;
        if at + takes < end {
            self.free.insert(at + takes, end - at - takes);
        }
        self.used.insert(at, (size, takes));
        Some(at)
    }

    /// Frees a block; false if none begins there.
    pub fn release(&mut self, offset: usize) -> bool {
        let Some((_, takes)) = self.used.remove(&offset) else { return false };
        self.put_back(offset, takes);
        true
    }

    fn put_back(&mut self, offset: usize, length: usize) {
        let (mut start, mut end) = (offset, offset + length);
        if let Some(after) = self.free.remove(&end) {
            end += after;
        }
        if let Some((&before, &bytes)) = self.free.range(..start).next_back()
            && before + bytes == start
        {
            self.free.remove(&before);
            start = before;
        }
        self.free.insert(start, end - start);
    }

    /// Resizes a block in place; false if that is not possible.
    pub fn resize(&mut self, offset: usize, size: usize) -> bool {
        let Some(&(_, takes)) = self.used.get(&offset) else { return false };
        let Some(wanted) = size.checked_next_multiple_of(ALIGNMENT).filter(|&wanted| wanted > 0) else { return false };
        if wanted > takes {
            let next = offset + takes;
            let missing = wanted - takes;
            let Some(&free) = self.free.get(&next).filter(|&&free| free >= missing) else { return false };
            self.free.remove(&next);
            if free > missing {
                self.free.insert(next + missing, free - missing);
            }
        } else if wanted < takes {
            self.put_back(offset + wanted, takes - wanted);
        }
        self.used.insert(offset, (size, wanted));
        true
    }

    /// The requested size of the block that begins at `offset`.
    #[must_use]
    pub fn size(&self, offset: usize) -> Option<usize> {
        self.used.get(&offset).map(|&(size, _)| size)
    }

    /// The free bytes, and the longest free part.
    #[must_use]
    pub fn free(&self) -> (usize, usize) {
        (self.free.values().sum(), self.free.values().copied().max().unwrap_or(0))
    }

    /// The number of blocks, and the bytes that they take.
    #[must_use]
    pub fn used(&self) -> (usize, usize) {
        (self.used.len(), self.used.values().map(|&(_, takes)| takes).sum())
    }

    /// The size of the heap.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that every byte is either free or used, exactly once, and that free parts are not
    /// adjacent.
    fn check(heap: &Heap) {
        let mut parts: Vec<(usize, usize, bool)> = heap.free.iter().map(|(&at, &length)| (at, length, true)).collect();
        parts.extend(heap.used.iter().map(|(&at, &(_, takes))| (at, takes, false)));
        parts.sort_unstable();
        let mut end = 0;
        let mut was_free = false;
        for (at, length, is_free) in parts {
            assert!(at == end && length > 0, "a gap or an overlap at {at}");
            assert!(!(was_free && is_free), "two free parts touch at {at}");
            (end, was_free) = (at + length, is_free);
        }
        assert_eq!(end, heap.bytes);
    }

    #[test]
    fn any_order_of_calls_leaves_the_heap_whole() {
        let mut random = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = |below: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize % below
        };
        let mut heap = Heap::new(1 << 20);
        let mut blocks: Vec<(usize, usize)> = Vec::new();
        for _ in 0..20_000 {
            match next(4) {
                0 | 1 => {
                    let (size, alignment) = (1 + next(20_000), 1 << next(14));
                    if let Some(at) = heap.allocate(size, alignment) {
                        assert!(at.is_multiple_of(alignment) && at.is_multiple_of(ALIGNMENT));
                        assert!(blocks.iter().all(|&(other, length)| at + size <= other || other + length <= at));
                        blocks.push((at, size));
                    }
                }
                2 if !blocks.is_empty() => {
                    let (at, _) = blocks.swap_remove(next(blocks.len()));
                    assert!(heap.release(at) && !heap.release(at));
                }
                _ if !blocks.is_empty() => {
                    let block = next(blocks.len());
                    let size = 1 + next(20_000);
                    if heap.resize(blocks[block].0, size) {
                        blocks[block].1 = size;
                    }
                    assert_eq!(heap.size(blocks[block].0), Some(blocks[block].1));
                }
                _ => {}
            }
            check(&heap);
        }
        for (at, _) in blocks {
            assert!(heap.release(at));
        }
        assert_eq!(heap.free(), (1 << 20, 1 << 20));
        assert_eq!(heap.used(), (0, 0));
    }

    #[test]
    fn what_does_not_fit_is_refused_and_changes_nothing() {
        let mut heap = Heap::new(1 << 16);
        assert_eq!(heap.allocate(0, 64), None);
        assert_eq!(heap.allocate((1 << 16) + 1, 64), None);
        assert_eq!(heap.allocate(usize::MAX, 64), None);
        assert_eq!(heap.allocate(1 << 16, 64), Some(0));
        assert_eq!(heap.allocate(1, 64), None);
        assert!(!heap.resize(0, (1 << 16) + 1) && !heap.resize(0, 0) && !heap.release(64));
        assert!(heap.release(0));
        check(&heap);
    }
}
