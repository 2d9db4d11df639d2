//! Requests and grants: each output grants one waiting request per clock, round robin over rows,
//! then over the row's inputs.
//!
//! A grant reserves the packet's place behind the crossbar output of its row, so that nothing
//! blocks once data moves. The choice is hierarchical like the data's path: 16 to 1 within a row,
//! then 4 to 1 ("no need for a 64 ports arbiter", SC'20 II-A).

use crate::port::{CreditQueue, PortSet, grant_round_robin};
use philae_units::PortId;

use crate::tile::event::{TileActor, TileEvent};
use crate::tile::layout::{PORTS, ROWS, crossbar_output, row_of, row_ports};
use crate::tile::packet::PacketStage;
use crate::tile::source::credit;
use crate::tile::switch::TileSwitch;

/// An output's arbiter.
#[derive(Clone, Debug)]
pub struct Arbiter {
    /// Inputs with a waiting request.
    pub requests: PortSet,
    /// Row granted last.
    last_row: usize,
    /// Input granted last, by row.
    last_input: [PortId; ROWS],
    /// No further grant before this time, in picoseconds.
    next_at: u64,
}

impl Default for Arbiter {
    fn default() -> Self {
        Self { requests: PortSet(0), last_row: ROWS - 1, last_input: [PortId(63); ROWS], next_at: 0 }
    }
}

/// An arbiter's account of the queue behind one crossbar output.
#[derive(Clone, Debug, Default)]
pub struct CrossbarAccount {
    /// Bytes granted and not yet credited back.
    pub reserved_bytes: u32,
    /// Credits in flight to the sender.
    pub credits: CreditQueue,
}

impl TileSwitch {
    /// A request arrives at its output.
    pub(crate) fn requested(&mut self, packet: u32) {
        let packet_state = self.packets.get_mut(packet);
        packet_state.stage = PacketStage::Requested;
        let (input, output) = (packet_state.input, packet_state.output);
        self.requested[output.index() * PORTS + input.index()].push_back(packet);
        let arbiter = &mut self.arbiters[output.index()];
        arbiter.requests.insert(input);
        let time = self.now.max(arbiter.next_at);
        self.wake(TileActor::Arbiter(output), time);
    }

    /// An output grants one request, if one fits behind its crossbar output.
    pub(crate) fn arbitrate(&mut self, output: PortId) {
        let now = self.now;
        let arbiter = &self.arbiters[output.index()];
        if arbiter.next_at > now {
            let time = arbiter.next_at;
            return self.wake(TileActor::Arbiter(output), time);
        }
        let mut next_credit = u64::MAX;
        for turn in 1..=ROWS {
            let row = (self.arbiters[output.index()].last_row + turn) % ROWS;
            let arbiter = &self.arbiters[output.index()];
            let asking = PortSet(arbiter.requests.0 & row_ports(row).0);
            let Some(input) = grant_round_robin(asking, arbiter.last_input[row]) else { continue };
            let queue = output.index() * PORTS + input.index();
            let packet = *self.requested[queue].front().expect("a granted packet was requested");
            let bytes = self.packets.get(packet).bytes;
            let account = &mut self.accounts[crossbar_output(row, output)];
            while let Some(credit) = account.credits.pop_arrived(now) {
                account.reserved_bytes -= u32::from(credit.bytes());
            }
            if account.reserved_bytes + bytes > self.parameters.crossbar_queue_bytes {
                next_credit = next_credit.min(account.credits.next_arrival().unwrap_or(u64::MAX));
                continue;
            }
            account.reserved_bytes += bytes;
            self.requested[queue].pop_front();
            let arbiter = &mut self.arbiters[output.index()];
            if self.requested[queue].is_empty() {
                arbiter.requests.remove(input);
            }
            arbiter.last_row = row;
            arbiter.last_input[row] = input;
            arbiter.next_at = now + self.parameters.clock_ps();
            let (next_at, more) = (arbiter.next_at, !arbiter.requests.is_empty());
            self.packets.get_mut(packet).stage = PacketStage::Granting;
            let lands = now + u64::from(self.parameters.arbitrate_ns + self.parameters.grant_ns) * 1_000;
            self.schedule(lands, TileEvent::Grant { packet }, input, output);
            if more {
                self.wake(TileActor::Arbiter(output), next_at);
            }
            return;
        }
        // Nothing fits: the next credit decides. A credit that is not sent yet wakes the arbiter
        // itself.
        if next_credit != u64::MAX {
            self.wake(TileActor::Arbiter(output), next_credit);
        }
    }

    /// A place behind a crossbar output becomes free at `time`. The arbiter learns of it when the
    /// credit arrives.
    pub(crate) fn return_crossbar_room(&mut self, input: PortId, output: PortId, bytes: u32, time: u64) {
        let arrives = time + u64::from(self.parameters.crossbar_credit_ns) * 1_000;
        self.accounts[crossbar_output(row_of(input), output)].credits.push(credit(arrives, bytes));
        if !self.arbiters[output.index()].requests.is_empty() {
            self.wake(TileActor::Arbiter(output), arrives);
        }
    }
}
