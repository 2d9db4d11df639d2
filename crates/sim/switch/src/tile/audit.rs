//! The laws of conservation, checked while a switch runs and at the end.
//!
//! Packets in are packets out and packets inside. Every queue holds the packets that say they are
//! in it. The taken part of a buffer or a queue is held by packets or by credits on their way, and
//! never exceeds its size.

use std::collections::VecDeque;

use philae_units::PortId;

use crate::tile::error::TileError;
use crate::tile::layout::{PORTS, ROWS, crossbar_output, row_of};
use crate::tile::packet::PacketStage;
use crate::tile::switch::TileSwitch;

/// Checks every law.
pub fn check(switch: &TileSwitch) -> Result<(), TileError> {
    packets(switch).and_then(|()| queues(switch)).and_then(|()| accounts(switch)).map_err(|law| broken(switch, law))
}

/// Checks a switch without pending events: it is empty.
pub fn drained(switch: &TileSwitch) -> Result<(), TileError> {
    match switch.packets.iter().next() {
        None => Ok(()),
        Some(packet) => Err(broken(
            switch,
            format!(
                "no event is pending, but {} packets are inside, one of them from {} to {} at {}",
                switch.packets.iter().count(),
                packet.input,
                packet.output,
                philae_units::word(packet.stage)
            ),
        )),
    }
}

fn broken(switch: &TileSwitch, law: String) -> TileError {
    TileError::Broken { at_ps: switch.now, law }
}

fn packets(switch: &TileSwitch) -> Result<(), String> {
    let inside = switch.packets.iter().count() as u64;
    if switch.launched == switch.departed + inside {
        return Ok(());
    }
    Err(format!("{} packets came in, {} left and {inside} are inside", switch.launched, switch.departed))
}

fn queues(switch: &TileSwitch) -> Result<(), String> {
    let outputs: usize = switch.outputs.iter().map(|output| output.queue.len()).sum();
    let of = |queues: &[VecDeque<u32>]| queues.iter().map(VecDeque::len).sum::<usize>();
    for (stage, held) in [
        (PacketStage::Requested, of(&switch.requested)),
        (PacketStage::Granted, of(&switch.granted)),
        (PacketStage::CrossbarQueue, of(&switch.crossbar_queues)),
        (PacketStage::OutputQueue, outputs),
    ] {
        let there = switch.packets.iter().filter(|packet| packet.stage == stage).count();
        if there != held {
            let stage = philae_units::word(stage);
            return Err(format!("{there} packets are in the place {stage} and their queues hold {held}"));
        }
    }
    Ok(())
}

fn accounts(switch: &TileSwitch) -> Result<(), String> {
    let mut inputs = [0_u64; PORTS];
    let mut crossbars = [0_u64; ROWS * PORTS];
    let mut outputs = [0_u64; PORTS];
    for packet in switch.packets.iter() {
        let bytes = u64::from(packet.bytes);
        if packet.stage.in_input_buffer() {
            inputs[packet.input.index()] += bytes;
        }
        if packet.stage.in_crossbar_queue() {
            crossbars[crossbar_output(row_of(packet.input), packet.output)] += bytes;
        }
        if packet.stage.in_output_queue() {
            outputs[packet.output.index()] += bytes;
        }
    }
    let parameters = &switch.parameters;
    let buffer = parameters.buffer_reserve_bytes + parameters.buffer_shared_bytes;
    for (port, source) in switch.sources.iter().enumerate() {
        let what = || format!("the buffer of input {port}");
        account(what, source.used_bytes, inputs[port], source.credits.pending_bytes(), buffer)?;
    }
    for (index, held) in switch.accounts.iter().enumerate() {
        let what = || format!("the crossbar output from row {} to port {}", index / PORTS, index % PORTS);
        let bound = parameters.crossbar_queue_bytes;
        account(what, held.reserved_bytes, crossbars[index], held.credits.pending_bytes(), bound)?;
    }
    for (index, output) in switch.outputs.iter().enumerate() {
        let what = || format!("the queue of output {}", PortId::from_index(index));
        let bound = parameters.output_queue_bytes;
        account(what, output.reserved_bytes, outputs[index], output.credits.pending_bytes(), bound)?;
    }
    Ok(())
}

/// Checks that packets or credits in flight hold the taken bytes, and does not exceed the bound.
fn account(what: impl Fn() -> String, taken: u32, held: u64, returning: u64, bound: u32) -> Result<(), String> {
    if u64::from(taken) != held + returning {
        let what = what();
        return Err(format!("{taken} B of {what} are taken, packets hold {held} B and {returning} B are in flight"));
    }
    if taken > bound {
        return Err(format!("{taken} B of {} are taken; it has {bound} B", what()));
    }
    Ok(())
}
