//! What processes send each other: messages after each window, whole partitions at the end.

use std::io::Cursor;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::model::error::FabricError;
use crate::partition::Partition;
use crate::run::checkpoint;
use crate::run::processes::{ProcessShare, Processes, packed, unpacked};
use crate::run::simulation::{Simulation, build_partitions};
use crate::sched::division::ranges_of;
use crate::sched::outbox::PartitionTraffic;

/// Hands over what partitions of different processes sent each other in the last window.
///
/// # Errors
/// [`FabricError::Process`] if another process is gone.
pub fn between_processes(partitions: &mut [Partition], processes: &mut dyn Processes) -> Result<(), FabricError> {
    let share = processes.share();
    let Some(first) = partitions.first().filter(|_| share.count > 1) else { return Ok(()) };
    let (first, total) = (usize::from(first.layout.number), first.sched.outbox.len());
    let received = (0..share.count).map(|number| {
        let to = ProcessShare { number, ..share };
        if to == share { Vec::new() } else { bytes_for(partitions, to.of(total)) }
    });
    let received = processes.exchange(received.collect())?;
    for (from, bytes) in received.iter().enumerate().filter(|(_, bytes)| !bytes.is_empty()) {
        for (to, mut sent) in unpacked::<Vec<(u16, PartitionTraffic)>>(from, bytes)? {
            partitions[usize::from(to) - first].receive_all(&mut sent);
        }
    }
    Ok(())
}

/// The bytes for the partitions of one process, by partition; empty if there is nothing.
fn bytes_for(partitions: &mut [Partition], to: std::ops::Range<usize>) -> Vec<u8> {
    let boxes = to.flat_map(|to| {
        let of = partitions.iter_mut().map(move |from| (to as u16, std::mem::take(from.sched.outbox.of(to))));
        of.filter(|(_, sent)| !sent.is_empty()).collect::<Vec<_>>()
    });
    let boxes: Vec<(u16, PartitionTraffic)> = boxes.collect();
    if boxes.is_empty() { Vec::new() } else { packed(&boxes) }
}

/// Gathers the values of all processes, in the order of processes. Every process gets the same.
///
/// # Errors
/// [`FabricError::Process`] if another process is gone.
pub fn with_all<T: Serialize + DeserializeOwned>(
    own: &[T],
    processes: &mut dyn Processes,
) -> Result<Vec<T>, FabricError> {
    let count = processes.share().count as usize;
    let received = processes.exchange(vec![packed(&own); count])?;
    let mut all = Vec::new();
    for (from, bytes) in received.iter().enumerate() {
        all.append(&mut unpacked::<Vec<T>>(from, bytes)?);
    }
    Ok(all)
}

/// Sends copies of the partitions of all other processes, with their ranks, to the first. Returns
/// them in the first process, and nothing in the others.
///
/// # Errors
/// [`FabricError::Process`] if another process is gone.
pub fn copy_to_first(simulation: &mut Simulation, processes: &mut dyn Processes) -> Result<Vec<Vec<u8>>, FabricError> {
    let share = processes.share();
    if share == ProcessShare::WHOLE {
        return Ok(Vec::new());
    }
    let mut received = vec![Vec::new(); share.count as usize];
    if !share.is_first() {
        let unwritten = |error| FabricError::Process { words: format!("its part cannot be sent: {error}") };
        received[0] = checkpoint::packed_partitions(&mut simulation.partitions, true).map_err(unwritten)?;
    }
    let mut received = processes.exchange(received)?;
    received.retain(|bytes| !bytes.is_empty());
    Ok(received)
}

/// Moves the partitions of all processes to the first, without the ranks' programs, which are not
/// needed any more. Returns whether this process is the first.
///
/// # Errors
/// [`FabricError::Process`] if another process is gone.
pub fn gather_at_first(simulation: &mut Simulation, processes: &mut dyn Processes) -> Result<bool, FabricError> {
    let share = processes.share();
    if share == ProcessShare::WHOLE {
        return Ok(true);
    }
    let mut received = vec![Vec::new(); share.count as usize];
    let partitions = &mut simulation.partitions;
    if !share.is_first() {
        let unwritten = |error| FabricError::Process { words: format!("its part cannot be sent: {error}") };
        partitions.iter_mut().for_each(|partition| partition.host.entries.clear());
        received[0] = checkpoint::packed_partitions(partitions, false).map_err(unwritten)?;
        processes.exchange(received)?;
        return Ok(false);
    }
    let received = processes.exchange(received)?;
    let shared = Arc::clone(&simulation.shared);
    let total = shared.partition_count();
    for (from, bytes) in received.into_iter().enumerate().skip(1) {
        let number = from as u32;
        let ranges = ranges_of(shared.topology(), &shared.places.partition_of_switch);
        let mut others = build_partitions(&shared, ranges, ProcessShare { number, ..share }.of(total));
        let unread = |error| FabricError::Process { words: format!("the part of process {from}: {error}") };
        checkpoint::unpack_columns(&mut others, Cursor::new(bytes)).map_err(unread)?;
        partitions.append(&mut others);
    }
    Ok(true)
}
