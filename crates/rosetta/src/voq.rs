//! Virtual output queues: per output and channel, one queue for each input.
//!
//! A 64-port switch with three channels has 12,288 queues, almost all of them empty. Heads exist in blocks of 64 (one
//! per input) that an output's channel borrows while anything is queued on it; the packets themselves are linked
//! through a column next to the packet slab. Memory follows what is in flight.

use philae_units::PortId;

/// No packet.
pub const NO_PACKET: u32 = u32::MAX;

/// The column of links: for each packet slot, the packet behind it in its queue.
pub trait PacketLinks {
    /// The packet behind `packet`.
    fn next(&self, packet: u32) -> u32;
    /// Sets the packet behind `packet`.
    fn set_next(&mut self, packet: u32, next: u32);
}

#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
struct Queue {
    head: u32,
    tail: u32,
}

const EMPTY: Queue = Queue { head: NO_PACKET, tail: NO_PACKET };

/// Blocks of queue heads.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct VoqBlocks {
    #[serde(with = "flat")]
    blocks: Vec<[Queue; 64]>,
    free: Vec<u32>,
}

/// Blocks as one list of queues: formats have no arrays of 64.
mod flat {
    use super::Queue;
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::{SerializeSeq, Serializer};

    pub fn serialize<S: Serializer>(blocks: &[[Queue; 64]], to: S) -> Result<S::Ok, S::Error> {
        let mut queues = to.serialize_seq(Some(blocks.len() * 64))?;
        blocks.as_flattened().iter().try_for_each(|queue| queues.serialize_element(queue))?;
        queues.end()
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<[Queue; 64]>, D::Error> {
        let queues = Vec::<Queue>::deserialize(from)?;
        let (blocks, rest) = queues.as_chunks::<64>();
        if rest.is_empty() { Ok(blocks.to_vec()) } else { Err(Error::invalid_length(queues.len(), &"blocks of 64")) }
    }
}

impl VoqBlocks {
    /// No block.
    pub const NONE: u32 = u32::MAX;

    /// Borrows an empty block.
    #[inline]
    pub fn borrow(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.blocks.push([EMPTY; 64]);
            (self.blocks.len() - 1) as u32
        })
    }

    /// The queue that an input will have in the block that is borrowed next, if there is one.
    #[inline]
    #[must_use]
    pub fn coming(&self, input: PortId) -> Option<&u32> {
        self.free.last().map(|&block| self.head(block, input))
    }

    /// Gives a block back.
    ///
    /// All its queues must be empty (checked in debug builds: the caller's request set says so).
    #[inline]
    pub fn give_back(&mut self, block: u32) {
        debug_assert!(self.blocks[block as usize].iter().all(|queue| queue.head == NO_PACKET));
        self.free.push(block);
    }

    /// Appends a packet to an input's queue.
    #[inline]
    pub fn push(&mut self, block: u32, input: PortId, packet: u32, links: &mut impl PacketLinks) {
        let queue = &mut self.blocks[block as usize][input.index()];
        links.set_next(packet, NO_PACKET);
        if queue.head == NO_PACKET {
            queue.head = packet;
        } else {
            links.set_next(queue.tail, packet);
        }
        queue.tail = packet;
    }

    /// The first packet of an input's queue; `NO_PACKET` when empty.
    #[inline]
    #[must_use]
    pub fn head(&self, block: u32, input: PortId) -> &u32 {
        &self.blocks[block as usize][input.index()].head
    }

    /// Takes the first packet; true when the queue is now empty.
    #[inline]
    pub fn pop(&mut self, block: u32, input: PortId, links: &impl PacketLinks) -> bool {
        let queue = &mut self.blocks[block as usize][input.index()];
        queue.head = links.next(queue.head);
        queue.head == NO_PACKET
    }

    /// Memory held, in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<[Queue; 64]>() + self.free.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl PacketLinks for Vec<u32> {
        fn next(&self, packet: u32) -> u32 {
            self[packet as usize]
        }
        fn set_next(&mut self, packet: u32, next: u32) {
            self[packet as usize] = next;
        }
    }

    #[test]
    fn queues_of_one_block_keep_their_own_order() {
        let mut links = vec![NO_PACKET; 10];
        let mut blocks = VoqBlocks::default();
        let block = blocks.borrow();
        for packet in [0, 2, 4] {
            blocks.push(block, PortId(7), packet, &mut links);
        }
        blocks.push(block, PortId(63), 9, &mut links);
        assert_eq!(*blocks.head(block, PortId(63)), 9);
        for (packet, emptied) in [(0, false), (2, false), (4, true)] {
            assert_eq!(*blocks.head(block, PortId(7)), packet);
            assert_eq!(blocks.pop(block, PortId(7), &links), emptied);
        }
        assert!(blocks.pop(block, PortId(63), &links));
        blocks.give_back(block);
        assert_eq!(blocks.borrow(), block, "blocks are reused");
    }
}
