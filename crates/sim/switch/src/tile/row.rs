//! Row buses and the crossbars of a row's tiles.
//!
//! A row bus carries one packet of its input at a time, and a crossbar output takes one packet at a
//! time from the 16 buses. A packet starts when both are free. It occupies them for `ceil(bytes /
//! width)` clocks. If it is still arriving (cut-through), it occupies them until its tail has come
//! in: a bus cannot carry what is not there.

use crate::port::{PortSet, grant_round_robin};
use philae_units::PortId;

use crate::tile::event::{TileActor, TileEvent};
use crate::tile::layout::{PORTS, crossbar_output, row_of};
use crate::tile::packet::PacketStage;
use crate::tile::switch::TileSwitch;

/// The buses and crossbars of a row.
#[derive(Clone, Debug, Default)]
pub struct TileRow {
    /// Inputs whose bus carries a packet.
    pub bus_busy: PortSet,
    /// Outputs whose crossbar output in this row takes a packet.
    pub output_busy: PortSet,
    /// Outputs for which a granted packet waits in this row.
    pub granted: PortSet,
    /// Output that chose first in the last round.
    last_output: PortId,
}

/// The 16-to-1 choice of one crossbar output.
#[derive(Clone, Copy, Debug, Default)]
pub struct CrossbarOutput {
    /// Inputs of the row with a granted packet for it.
    pub granted: PortSet,
    /// Input served last.
    last_input: PortId,
}

impl TileSwitch {
    /// A grant arrives at its input.
    pub(crate) fn granted(&mut self, packet: u32) {
        let packet_state = self.packets.get_mut(packet);
        packet_state.stage = PacketStage::Granted;
        let (input, output) = (packet_state.input, packet_state.output);
        let row = row_of(input);
        self.granted[input.index() * PORTS + output.index()].push_back(packet);
        self.crossbars[crossbar_output(row, output)].granted.insert(input);
        self.rows[row].granted.insert(output);
        self.wake(TileActor::Row(row), self.now);
    }

    /// A packet's tail has left its bus and its crossbar output.
    pub(crate) fn released(&mut self, input: PortId, output: PortId) {
        let row = row_of(input);
        self.rows[row].bus_busy.remove(input);
        self.rows[row].output_busy.remove(output);
        if !self.rows[row].granted.is_empty() {
            self.wake(TileActor::Row(row), self.now);
        }
    }

    /// Every free crossbar output of a row takes a granted packet from a free bus, round robin over
    /// inputs. The outputs choose in turn, and the first to choose rotates, so that no output is
    /// favoured at a bus that several want.
    pub(crate) fn match_row(&mut self, row: usize) {
        let mut left = PortSet(self.rows[row].granted.0 & !self.rows[row].output_busy.0);
        let mut turn = self.rows[row].last_output;
        let mut first = true;
        while let Some(output) = grant_round_robin(left, turn) {
            turn = output;
            left.remove(output);
            let crossbar = &self.crossbars[crossbar_output(row, output)];
            let candidates = PortSet(crossbar.granted.0 & !self.rows[row].bus_busy.0);
            let Some(input) = grant_round_robin(candidates, crossbar.last_input) else { continue };
            if first {
                self.rows[row].last_output = output;
                first = false;
            }
            self.crossbars[crossbar_output(row, output)].last_input = input;
            self.start_transfer(row, input, output);
        }
    }

    /// A granted packet goes onto its row bus.
    fn start_transfer(&mut self, row: usize, input: PortId, output: PortId) {
        let queue = &mut self.granted[input.index() * PORTS + output.index()];
        let packet = queue.pop_front().expect("only granted packets cross");
        if queue.is_empty() {
            let crossbar = &mut self.crossbars[crossbar_output(row, output)];
            crossbar.granted.remove(input);
            if crossbar.granted.is_empty() {
                self.rows[row].granted.remove(output);
            }
        }
        let state = &self.rows[row];
        assert!(!state.bus_busy.contains(input), "a row bus carries one packet at a time");
        assert!(!state.output_busy.contains(output), "a crossbar output takes one packet at a time");
        self.rows[row].bus_busy.insert(input);
        self.rows[row].output_busy.insert(output);
        let now = self.now;
        let delay = u64::from(self.parameters.row_bus_ns + self.parameters.crossbar_ns) * 1_000;
        let packet_state = self.packets.get_mut(packet);
        let end = packet_state.tail.max(now + self.parameters.occupancy_ps(packet_state.bytes));
        packet_state.stage = PacketStage::RowBus;
        packet_state.tail = end + delay;
        let bytes = packet_state.bytes;
        self.schedule(end, TileEvent::Released { input, output }, input, output);
        self.schedule(now + delay, TileEvent::Crossed { packet }, input, output);
        self.return_input_room(input, bytes, end);
    }
}
