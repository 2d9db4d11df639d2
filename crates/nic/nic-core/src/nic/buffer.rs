//! Keeps the bytes of messages that arrive before their receive is posted, in blocks of three sizes
//! in one range of memory.

use std::ops::Range;

use super::chain::{ChainLinks, Chained, Ends};
use super::list::ListFull;

/// Bytes of a block of each size. The largest holds an eager message. Source: the smallest and the
/// middle ours; the largest fi_cxi(7), FI_CXI_RDZV_THRESHOLD. Status: assumed, assumed, published.
pub const BLOCK_BYTES: [usize; 3] = [256, 2_048, 16_384];

/// The number of blocks of each size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct BufferShape {
    /// Blocks, from the smallest size to the largest.
    pub blocks: [u32; 3],
}

impl BufferShape {
    /// The number of blocks of all sizes.
    #[must_use]
    pub fn block_count(&self) -> usize {
        self.blocks.iter().map(|&count| count as usize).sum()
    }

    /// Bytes of all blocks.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.blocks.iter().zip(BLOCK_BYTES).map(|(&count, bytes)| count as usize * bytes).sum()
    }

    /// The index of the first block of a size.
    #[must_use]
    pub fn first(&self, size: usize) -> u32 {
        self.blocks[..size].iter().sum()
    }

    /// Where the bytes of the blocks `from..to` of a size lie.
    #[must_use]
    pub fn range(&self, size: usize, blocks: Range<u32>) -> Range<usize> {
        let before: usize =
            self.blocks[..size].iter().zip(BLOCK_BYTES).map(|(&count, bytes)| count as usize * bytes).sum();
        before + blocks.start as usize * BLOCK_BYTES[size]..before + blocks.end as usize * BLOCK_BYTES[size]
    }

    /// Where block `index` begins, and its length in bytes.
    fn place(&self, index: u32) -> (usize, usize) {
        let (mut begin, mut first) = (0, 0);
        for (&count, bytes) in self.blocks.iter().zip(BLOCK_BYTES) {
            if index < first + count {
                return (begin + (index - first) as usize * bytes, bytes);
            }
            (begin, first) = (begin + count as usize * bytes, first + count);
        }
        panic!("block {index} of {} does not exist", self.block_count())
    }

    fn size_of_block(&self, index: u32) -> usize {
        let bytes = self.place(index).1;
        BLOCK_BYTES.iter().position(|&size| size == bytes).expect("a block has one of the sizes")
    }
}

/// A block's neighbours among the free ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Block {
    links: [ChainLinks; 1],
}

impl Chained<1> for Block {
    fn links(&self) -> &[ChainLinks; 1] {
        &self.links
    }
    fn links_mut(&mut self) -> &mut [ChainLinks; 1] {
        &mut self.links
    }
}

/// The ends of the chains of free blocks.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct BufferHeads {
    shape: BufferShape,
    /// Blocks of each size that have memory. They are the first ones of their size.
    ready: [u32; 3],
    /// Those of them that are free.
    free: [u32; 3],
    vacant: [Ends; 3],
}

impl BufferHeads {
    /// The heads for blocks of which none is in use; `blocks` has [`BufferShape::block_count`]
    /// entries.
    #[must_use]
    pub fn of(shape: BufferShape, blocks: &mut [Block]) -> Self {
        let mut heads = Self::without_memory(shape);
        for size in 0..BLOCK_BYTES.len() {
            heads.extend(blocks, size, shape.blocks[size]);
        }
        heads
    }

    /// The heads for blocks of which none has memory yet.
    #[must_use]
    pub fn without_memory(shape: BufferShape) -> Self {
        Self { shape, ready: [0; 3], free: [0; 3], vacant: [Ends::default(); 3] }
    }

    /// Blocks of a size that have memory.
    #[must_use]
    pub fn ready(&self, size: usize) -> u32 {
        self.ready[size].min(self.shape.blocks[size])
    }

    /// Blocks of a size that are free and have memory.
    #[must_use]
    pub const fn free(&self, size: usize) -> u32 {
        self.free[size]
    }

    /// Records that the first `ready` blocks of a size have memory. Blocks that had none before
    /// become free.
    pub fn extend(&mut self, blocks: &mut [Block], size: usize, ready: u32) {
        let first = self.shape.first(size);
        for index in self.ready(size)..ready.min(self.shape.blocks[size]) {
            self.vacant[size].push(blocks, 0, first + index);
            self.free[size] += 1;
            self.ready[size] = index + 1;
        }
    }
}

/// Blocks of memory: a view, wherever they lie.
#[derive(Debug)]
pub struct Buffers<'a> {
    bytes: &'a mut [u8],
    blocks: &'a mut [Block],
    heads: &'a mut BufferHeads,
}

impl<'a> Buffers<'a> {
    /// A view of [`BufferShape::bytes`] bytes.
    pub fn new(bytes: &'a mut [u8], blocks: &'a mut [Block], heads: &'a mut BufferHeads) -> Self {
        Self { bytes, blocks, heads }
    }

    /// The state of the blocks.
    #[must_use]
    pub const fn heads(&self) -> &BufferHeads {
        self.heads
    }

    /// Copies these bytes into a free block of the smallest size that holds them.
    ///
    /// # Errors
    /// [`ListFull`], also if no block size is large enough.
    pub fn keep(&mut self, bytes: &[u8]) -> Result<u32, ListFull> {
        let sizes = (0..BLOCK_BYTES.len()).filter(|&size| BLOCK_BYTES[size] >= bytes.len());
        for size in sizes {
            if let Some(index) = self.heads.vacant[size].pop(self.blocks, 0) {
                self.heads.free[size] -= 1;
                let begin = self.heads.shape.place(index).0;
                self.bytes[begin..begin + bytes.len()].copy_from_slice(bytes);
                return Ok(index);
            }
        }
        Err(ListFull { list: "overflow-buffer", places: self.heads.shape.block_count() })
    }

    /// The first `length` bytes of a block.
    #[must_use]
    pub fn get(&self, index: u32, length: usize) -> &[u8] {
        let (begin, bytes) = self.heads.shape.place(index);
        &self.bytes[begin..begin + length.min(bytes)]
    }

    /// Frees a block.
    pub fn release(&mut self, index: u32) {
        let size = self.heads.shape.size_of_block(index);
        self.heads.vacant[size].push_front(self.blocks, 0, index);
        self.heads.free[size] += 1;
    }

    /// Rebuilds the chains of free blocks, whatever state they were in. All blocks outside `used`
    /// are free.
    pub(super) fn rebuild(&mut self, used: impl Iterator<Item = u32>) {
        let mut is_used = vec![false; self.blocks.len()];
        for index in used {
            if let Some(is_used) = is_used.get_mut(index as usize) {
                *is_used = true;
            }
        }
        (self.heads.vacant, self.heads.free) = ([Ends::default(); 3], [0; 3]);
        for size in 0..BLOCK_BYTES.len() {
            let first = self.heads.shape.first(size);
            let ready = first..first + self.heads.ready(size);
            for index in ready.filter(|&index| !is_used[index as usize]) {
                self.heads.vacant[size].push(self.blocks, 0, index);
                self.heads.free[size] += 1;
            }
        }
    }
}

#[cfg(test)]
impl BufferHeads {
    /// What an interrupted session may have left, or anything else.
    pub(super) fn torn(&self, mut draw: impl FnMut() -> u32) -> Self {
        let free = [(); 3].map(|()| draw());
        Self { free, vacant: [(); 3].map(|()| Ends::torn(draw(), draw())), ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_kept_until_they_are_released_and_no_longer() {
        let shape = BufferShape { blocks: [2, 1, 1] };
        let (mut bytes, mut blocks) = (vec![0; shape.bytes()], vec![Block::default(); shape.block_count()]);
        let mut heads = BufferHeads::of(shape, &mut blocks);
        let mut buffers = Buffers::new(&mut bytes, &mut blocks, &mut heads);
        let message = |fill: u8, length: usize| vec![fill; length];
        let small: Vec<u32> = (0..4).map(|fill| buffers.keep(&message(fill, 200)).expect("a block is free")).collect();
        assert!(buffers.keep(&message(9, 1)).is_err(), "small ones have taken the greater blocks, too");
        for (fill, &index) in small.iter().enumerate() {
            assert_eq!(buffers.get(index, 200), message(fill as u8, 200));
        }
        buffers.release(small[3]);
        let large = buffers.keep(&message(7, 16_384)).expect("the greatest block is free again");
        assert_eq!(buffers.get(large, 16_384), message(7, 16_384));
        assert_eq!(buffers.get(small[2], 200), message(2, 200), "the others are as they were");
        buffers.release(small[0]);
        assert!(buffers.keep(&message(1, 257)).is_err(), "a small block does not hold it");
    }

    #[test]
    fn blocks_without_memory_are_not_used_until_they_have_some() {
        let shape = BufferShape { blocks: [4, 2, 1] };
        let (mut bytes, mut blocks) = (vec![0; shape.bytes()], vec![Block::default(); shape.block_count()]);
        let mut heads = BufferHeads::without_memory(shape);
        assert!(Buffers::new(&mut bytes, &mut blocks, &mut heads).keep(b"x").is_err());
        heads.extend(&mut blocks, 1, 1);
        heads.extend(&mut blocks, 0, 2);
        let mut buffers = Buffers::new(&mut bytes, &mut blocks, &mut heads);
        let kept: Vec<u32> = (0..3).map(|_| buffers.keep(&[7; 200]).expect("a block has memory")).collect();
        assert_eq!(kept, [0, 1, 4], "two of the least size, one of the next");
        assert!(buffers.keep(b"x").is_err());
        buffers.release(1);
        buffers.rebuild([0, 4].into_iter());
        assert_eq!((heads.free(0), heads.free(1), heads.free(2)), (1, 0, 0));
        heads.extend(&mut blocks, 0, 9);
        assert_eq!((heads.ready(0), heads.free(0)), (4, 3), "there are no more than the shape says");
        assert_eq!(shape.range(0, 2..4), 512..1_024);
        assert_eq!(shape.range(2, 0..1), 4 * 256 + 2 * 2_048..shape.bytes());
    }
}
