//! Column channels, the 4-to-1 multiplexer of an output, its output queue and its link.

use std::collections::VecDeque;

use crate::port::CreditQueue;
use philae_units::{Picoseconds, PortId};

use crate::tile::event::{TileActor, TileEvent};
use crate::tile::layout::{ROWS, crossbar_output, row_of};
use crate::tile::packet::PacketStage;
use crate::tile::source::credit;
use crate::tile::switch::{Crossing, TileSwitch};

/// The parts between the column channels of an output port and its link.
#[derive(Clone, Debug, Default)]
pub struct ColumnOutput {
    /// Row that the multiplexer served last.
    last_row: usize,
    /// When the multiplexer is free, in picoseconds.
    mux_free_at: u64,
    /// Bytes of the output queue that are taken, including those on the column channel.
    pub reserved_bytes: u32,
    /// Room that becomes free as tails leave.
    pub credits: CreditQueue,
    /// Packets in the output queue.
    pub queue: VecDeque<u32>,
    /// When the link is free, in picoseconds.
    link_free_at: u64,
}

impl TileSwitch {
    /// A packet's header is in the queue behind its crossbar output.
    pub(crate) fn crossed(&mut self, packet: u32) {
        let packet_state = self.packets.get_mut(packet);
        packet_state.stage = PacketStage::CrossbarQueue;
        let (row, output) = (row_of(packet_state.input), packet_state.output);
        self.crossbar_queues[crossbar_output(row, output)].push_back(packet);
        self.wake(TileActor::Mux(output), self.now);
    }

    /// An output's multiplexer takes the next packet of the four rows, round robin, if the output
    /// queue has room for it.
    pub(crate) fn multiplex(&mut self, port: PortId) {
        let now = self.now;
        let output = &mut self.outputs[port.index()];
        let waits = |row: &usize| !self.crossbar_queues[crossbar_output(*row, port)].is_empty();
        let Some(row) = (1..=ROWS).map(|turn| (output.last_row + turn) % ROWS).find(waits) else { return };
        if output.mux_free_at > now {
            let time = output.mux_free_at;
            return self.wake(TileActor::Mux(port), time);
        }
        while let Some(credit) = output.credits.pop_arrived(now) {
            output.reserved_bytes -= u32::from(credit.bytes());
        }
        let queue = &mut self.crossbar_queues[crossbar_output(row, port)];
        let packet = *queue.front().expect("the row has a packet");
        let packet_state = self.packets.get_mut(packet);
        let bytes = packet_state.bytes;
        if output.reserved_bytes + bytes > self.parameters.output_queue_bytes {
            // The next departure decides. A departure that has not begun wakes the multiplexer
            // itself.
            if let Some(arrives) = output.credits.next_arrival() {
                self.wake(TileActor::Mux(port), arrives);
            }
            return;
        }
        queue.pop_front();
        output.reserved_bytes += bytes;
        output.last_row = row;
        let end = packet_state.tail.max(now + self.parameters.occupancy_ps(bytes));
        output.mux_free_at = end;
        let delay = u64::from(self.parameters.column_ns + self.parameters.mux_ns) * 1_000;
        packet_state.stage = PacketStage::Column;
        packet_state.tail = end + delay;
        let input = packet_state.input;
        self.schedule(now + delay, TileEvent::Queued { packet }, input, port);
        self.return_crossbar_room(input, port, bytes, end);
        self.wake(TileActor::Mux(port), end);
    }

    /// A packet's header is in the output queue.
    pub(crate) fn queued(&mut self, packet: u32) {
        let packet_state = self.packets.get_mut(packet);
        packet_state.stage = PacketStage::OutputQueue;
        let output = packet_state.output;
        self.outputs[output.index()].queue.push_back(packet);
        self.wake(TileActor::Link(output), self.now);
    }

    /// An output's link sends the next packet of its queue, but no earlier than it can send without
    /// running dry.
    pub(crate) fn transmit(&mut self, port: PortId) -> Option<Crossing> {
        let now = self.now;
        let output = &mut self.outputs[port.index()];
        let packet = *output.queue.front()?;
        let packet_state = self.packets.get(packet);
        let serialization = self.serialization[packet_state.bytes as usize];
        let earliest = output.link_free_at.max(packet_state.tail.saturating_sub(serialization));
        if earliest > now {
            self.wake(TileActor::Link(port), earliest);
            return None;
        }
        output.queue.pop_front();
        let packet_state = self.packets.remove(packet);
        let tail = now + serialization;
        output.link_free_at = tail;
        output.credits.push(credit(tail, packet_state.bytes));
        let more = !output.queue.is_empty();
        self.departed += 1;
        if more {
            self.wake(TileActor::Link(port), tail);
        }
        if (0..ROWS).any(|row| !self.crossbar_queues[crossbar_output(row, port)].is_empty()) {
            self.wake(TileActor::Mux(port), tail);
        }
        Some(Crossing {
            input: packet_state.input,
            output: port,
            bytes: packet_state.bytes,
            arrived: Picoseconds(packet_state.arrived),
            departed: Picoseconds(now + u64::from(self.parameters.transmit_ns) * 1_000),
        })
    }
}
