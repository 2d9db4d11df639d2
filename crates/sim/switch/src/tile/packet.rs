//! Packets inside the switch, and the place of each.

use philae_units::PortId;

/// Place of a packet. At each place, a packet holds a part of the input buffer or a place in a
/// queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PacketStage {
    /// In the input buffer; its request is in flight.
    Requesting,
    /// In the input buffer; its request waits at the output.
    Requested,
    /// In the input buffer; its grant is in flight.
    Granting,
    /// In the input buffer, granted; waits for its row bus and crossbar output.
    Granted,
    RowBus,
    /// In the queue behind a crossbar output.
    CrossbarQueue,
    /// On the column channel.
    Column,
    OutputQueue,
}

impl PacketStage {
    /// Whether it still holds its part of the input buffer. From the row bus on, a credit for it is
    /// on its way.
    pub const fn in_input_buffer(self) -> bool {
        matches!(self, Self::Requesting | Self::Requested | Self::Granting | Self::Granted)
    }

    /// Whether it holds a place behind its crossbar output.
    pub const fn in_crossbar_queue(self) -> bool {
        matches!(self, Self::Granting | Self::Granted | Self::RowBus | Self::CrossbarQueue)
    }

    /// Whether it holds a place in the output queue.
    pub const fn in_output_queue(self) -> bool {
        matches!(self, Self::Column | Self::OutputQueue)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct TilePacket {
    /// When its header reached the pins, in picoseconds.
    pub arrived: u64,
    /// When its tail reaches the present place of its header, in picoseconds.
    pub tail: u64,
    /// Size on the link.
    pub bytes: u32,
    /// Port by which it came in.
    pub input: PortId,
    /// Port by which it leaves.
    pub output: PortId,
    /// Its place.
    pub stage: PacketStage,
}

/// Packets by slot.
#[derive(Clone, Debug, Default)]
pub struct Packets {
    slots: Vec<Option<TilePacket>>,
    free: Vec<u32>,
}

impl Packets {
    /// Adds a packet.
    pub fn insert(&mut self, packet: TilePacket) -> u32 {
        if let Some(slot) = self.free.pop() {
            self.slots[slot as usize] = Some(packet);
            return slot;
        }
        self.slots.push(Some(packet));
        (self.slots.len() - 1) as u32
    }

    /// Removes a packet.
    pub fn remove(&mut self, slot: u32) -> TilePacket {
        self.free.push(slot);
        self.slots[slot as usize].take().expect("a packet leaves once")
    }

    /// A packet.
    pub fn get(&self, slot: u32) -> &TilePacket {
        self.slots[slot as usize].as_ref().expect("a slot in use has a packet")
    }

    /// A packet, to be changed.
    pub fn get_mut(&mut self, slot: u32) -> &mut TilePacket {
        self.slots[slot as usize].as_mut().expect("a slot in use has a packet")
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &TilePacket> {
        self.slots.iter().flatten()
    }
}
