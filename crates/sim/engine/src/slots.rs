//! Free slots of a growing array, by region.
//!
//! A partition processes its groups one at a time. What a group has in flight is in slots of its
//! own region, which are near each other. This matters where the memory of a machine has small
//! pages, because each page that is touched has to be looked up. The pages of a few thousand own
//! slots cost a group less than those of as many slots among millions.

/// The least number of bytes by which a region grows: two pages of memory. Source: ours; where the
/// system that lends a machine has its memory in pages of 4 KiB, each page that is touched costs a
/// read its tables. Status: assumed.
const BYTES_ADDED: usize = 8_192;

/// How many values of `size` bytes are added at a time to an array with `regions` regions.
pub const fn added(regions: usize, size: usize) -> usize {
    if regions > 1 && size < BYTES_ADDED { BYTES_ADDED / size } else { 1 }
}

/// The free slots of an array. The slot that was freed last is taken first, from the selected
/// region.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct FreeSlots {
    /// Those of the selected region.
    free: Vec<u32>,
    /// Those of all other regions; the list of the selected one is empty.
    others: Vec<Vec<u32>>,
    selected: u16,
}

impl Default for FreeSlots {
    fn default() -> Self {
        Self::new(1)
    }
}

impl FreeSlots {
    /// No free slots, in `regions` regions. The first is selected.
    #[must_use]
    pub fn new(regions: usize) -> Self {
        Self { free: Vec::new(), others: vec![Vec::new(); regions], selected: 0 }
    }

    /// The selected region.
    #[inline]
    #[must_use]
    pub fn selected(&self) -> usize {
        usize::from(self.selected)
    }

    /// Selects the region in which slots are taken and freed.
    ///
    /// # Panics
    /// If there is no such region; so do [`take_of`](Self::take_of) and [`give_to`](Self::give_to).
    #[inline]
    pub fn select(&mut self, region: usize) {
        std::mem::swap(&mut self.free, &mut self.others[usize::from(self.selected)]);
        std::mem::swap(&mut self.free, &mut self.others[region]);
        self.selected = region as u16;
    }

    /// Takes a slot of the selected region.
    #[inline]
    pub fn take(&mut self) -> Option<u32> {
        self.free.pop()
    }

    /// The slot of a region that will be taken after `count` others, if none is freed.
    #[inline]
    #[must_use]
    pub fn peek(&self, region: usize, count: usize) -> Option<u32> {
        let free = if region == usize::from(self.selected) { &self.free } else { &self.others[region] };
        free.get(free.len().wrapping_sub(count + 1)).copied()
    }

    /// Takes a slot of any region.
    #[inline]
    pub fn take_of(&mut self, region: usize) -> Option<u32> {
        self.of(region).pop()
    }

    /// Frees a slot of the selected region.
    #[inline]
    pub fn give(&mut self, slot: u32) {
        self.free.push(slot);
    }

    /// Frees a slot of any region.
    #[inline]
    pub fn give_to(&mut self, region: usize, slot: u32) {
        self.of(region).push(slot);
    }

    #[inline]
    fn of(&mut self, region: usize) -> &mut Vec<u32> {
        if region == usize::from(self.selected) { &mut self.free } else { &mut self.others[region] }
    }

    /// Adds slots to a region that has no free one, after the `len` slots of `size` bytes that the
    /// array has, and takes the first. Returns the new length of the array.
    ///
    /// # Panics
    /// If there are more slots than numbers of 32 bits.
    #[must_use]
    pub fn grow(&mut self, region: usize, len: usize, size: usize) -> usize {
        let added = added(self.others.len(), size);
        let end = u32::try_from(len + added).expect("fewer slots than numbers");
        self.of(region).extend((len as u32 + 1..end).rev());
        len + added
    }

    /// Number of free slots.
    #[must_use]
    pub fn len(&self) -> usize {
        self.free.len() + self.others.iter().map(Vec::len).sum::<usize>()
    }

    /// Whether there is no free slot.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All free slots, in no order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.others.iter().flatten().chain(&self.free).copied()
    }

    /// Memory held, in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let lists = self.free.capacity() + self.others.iter().map(Vec::capacity).sum::<usize>();
        lists * size_of::<u32>() + self.others.len() * size_of::<Vec<u32>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RandomStream;

    #[test]
    fn every_slot_is_free_or_taken_and_regions_keep_together() {
        for regions in [1_usize, 5] {
            let mut slots = FreeSlots::new(regions);
            let mut random = RandomStream::new(6, regions as u64, 0);
            let mut len = 0;
            let mut taken: Vec<Vec<u32>> = vec![Vec::new(); regions];
            for _ in 0..50_000 {
                let region = random.below(regions as u32) as usize;
                slots.select(region);
                if random.below(9) < 5 {
                    let from = if random.below(4) == 0 { random.below(regions as u32) as usize } else { region };
                    let slot = slots.take_of(from).unwrap_or_else(|| {
                        let first = len as u32;
                        len = slots.grow(from, len, 128);
                        first
                    });
                    taken[from].push(slot);
                } else if !taken[region].is_empty() {
                    let last = random.below(taken[region].len() as u32) as usize;
                    let slot = taken[region].swap_remove(last);
                    if random.below(4) == 0 {
                        slots.select(random.below(regions as u32) as usize);
                        slots.give_to(region, slot);
                    } else {
                        slots.give(slot);
                    }
                }
            }
            let mut all: Vec<u32> = slots.iter().chain(taken.iter().flatten().copied()).collect();
            all.sort_unstable();
            assert!(all.iter().copied().eq(0..len as u32), "every slot once");
            assert_eq!(slots.len(), len - taken.iter().map(Vec::len).sum::<usize>());
            let run = if regions == 1 { 1 } else { BYTES_ADDED as u32 / 128 };
            let run_of = |slot: u32| slot / run;
            for (region, own) in taken.iter().enumerate() {
                let others =
                    taken.iter().enumerate().filter(|(other, _)| *other != region).flat_map(|(_, taken)| taken);
                let others: std::collections::BTreeSet<u32> = others.copied().map(run_of).collect();
                assert!(own.iter().all(|&slot| !others.contains(&run_of(slot))), "runs are of one region");
            }
        }
    }
}
