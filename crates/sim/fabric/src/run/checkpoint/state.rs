//! The state of a partition, field by field.
//!
//! The patterns below name every field, so that a new field is either saved or marked as following
//! from how a run is built.

use std::io::{Read, Seek};

use philae_nic_core::nic::{MatchPools, UnexpectedMessage};
use serde::{Deserialize, Serialize};

use super::CheckpointError;
use super::format::{Reader, Writer};
use crate::model::history::History;
use crate::model::host::{ENDLESS, OpenOperations, RankState};
use crate::model::matching::SavedReceive;
use crate::model::shares::Shares;
use crate::partition::Partition;
use crate::partition::parts::{
    EdgeState, FaultState, HostState, NicState, Records, Scheduler, SwitchState, TransitState,
};

/// The first field of each partition. No other field has this name.
pub const FIRST_FIELD: &str = "ranks";

/// All columns of a partition, for both directions: saving and restoring share one list.
macro_rules! pass_columns {
    ($partition:expr, $stream:expr) => {{
        let Partition {
            // `_`: it follows from how the run is built, is empty between windows, is saved before
            // these, or belongs to prefetching.
            shared: _,
            layout: _,
            clock,
            sched:
                Scheduler {
                    calendar: _,
                    prefetch_queue: _,
                    returning: _,
                    deferred: _,
                    may_defer: _,
                    prefetches_all_steps: _,
                    outbox: _,
                    leaving: _,
                },
            switch:
                SwitchState {
                    wires,
                    outputs,
                    loads,
                    channels,
                    accounts,
                    commons,
                    class_queued,
                    link_buffers,
                    buffered,
                    voqs,
                    fair_queues,
                    route_random,
                    switch_random,
                },
            edge: EdgeState { edge_buffers, paused_since, congested, flows, ingress_ports, verdicts },
            transit:
                TransitState {
                    packets,
                    links,
                    shares: Shares { rows, tables },
                    share_queues,
                    share_bytes: _,
                    shares_by_flow: _,
                    injected,
                    delivered,
                    hops,
                    discarded,
                },
            nic:
                NicState {
                    nics,
                    buses,
                    connections,
                    buffers,
                    memories,
                    retries,
                    responses,
                    nic_accounts,
                    nic_commons,
                    nic_flows,
                    outgoing,
                    incoming,
                    foreign,
                    reliable,
                    retry_totals,
                    uet,
                    tcp,
                },
            host:
                HostState {
                    ranks: _,
                    has_processes: _,
                    process_losses: _,
                    match_pools: _,
                    entries,
                    withheld,
                    refusals,
                    sent_again,
                    starved,
                    held: _,
                    unfinished,
                },
            fault: FaultState { ends, health, timeline, fault_at, latest_fault, fault_log, losses },
            record: Records { recorder, observer },
            collectives,
        } = $partition;
        $stream.field("clock", clock)?;
        $stream.column("wires", wires)?;
        $stream.column("outputs", outputs)?;
        $stream.column("loads", loads)?;
        $stream.column("channels", channels)?;
        $stream.column("accounts", accounts)?;
        $stream.column("commons", commons)?;
        $stream.column("class queues", class_queued)?;
        $stream.column("input buffers", edge_buffers)?;
        $stream.column("link buffers", link_buffers)?;
        $stream.column("switch buffers", buffered)?;
        $stream.column("paused NICs", paused_since)?;
        $stream.field("congested endpoints", congested)?;
        $stream.field("virtual output queues", voqs)?;
        $stream.field("flow queues", fair_queues)?;
        $stream.column("random streams of routes", route_random)?;
        $stream.column("random streams of switches", switch_random)?;
        $stream.field("packets", packets)?;
        $stream.field("links of packets", links)?;
        $stream.field("flows", flows)?;
        $stream.column("ingress ports", ingress_ports)?;
        $stream.field("flows of NICs", nic_flows)?;
        $stream.column("shares", rows)?;
        $stream.column("further shares", tables)?;
        $stream.field("packets that wait for shares", share_queues)?;
        $stream.column("NICs", nics)?;
        $stream.column("buses", buses)?;
        $stream.column("connections", connections)?;
        $stream.field("buffers of NICs", buffers)?;
        $stream.column("memories", memories)?;
        $stream.column("retries", retries)?;
        $stream.column("responses", responses)?;
        $stream.column("accounts of NICs", nic_accounts)?;
        $stream.column("commons of NICs", nic_commons)?;
        $stream.field("messages sent", outgoing)?;
        $stream.field("messages received", incoming)?;
        $stream.field("messages from elsewhere", foreign)?;
        $stream.column("list entries", entries)?;
        $stream.field("messages to send again", withheld)?;
        $stream.field("refusals", refusals)?;
        $stream.field("sent again", sent_again)?;
        $stream.field("starved", starved)?;
        $stream.field("unfinished", unfinished)?;
        $stream.field("recorder", recorder)?;
        $stream.column("ends of links", ends)?;
        $stream.field("health", health)?;
        $stream.field("faults to come", timeline)?;
        $stream.field("next fault", fault_at)?;
        $stream.field("latest fault", latest_fault)?;
        $stream.field("faults", fault_log)?;
        $stream.field("losses", losses)?;
        $stream.field("targets of retries", reliable)?;
        $stream.field("collectives", collectives)?;
        $stream.field("verdicts", verdicts)?;
        $stream.field("retry totals", retry_totals)?;
        $stream.field("TCP connections", tcp)?;
        $stream.field("transport of Ultra Ethernet", uet)?;
        $stream.field("discarded", discarded)?;
        $stream.field("observer", observer)?;
        $stream.field("injected", injected)?;
        $stream.field("delivered", delivered)?;
        $stream.field("hops", hops)
    }};
}

/// Writes everything of a partition that changes during a run. It does not change the partition,
/// whether it succeeds or fails.
///
/// # Errors
/// As [`Writer::field`].
pub fn save(partition: &Partition, writer: &mut Writer<'_>) -> Result<(), CheckpointError> {
    save_ranks(partition, writer)?;
    save_columns(partition, writer)
}

/// The same without the ranks.
///
/// # Errors
/// As [`Writer::field`].
pub fn save_columns(partition: &Partition, writer: &mut Writer<'_>) -> Result<(), CheckpointError> {
    writer.field("calendar", partition.sched.calendar.spread_calendar())?;
    pass_columns!(partition, writer)
}

/// Reads what [`save`] has written into a partition that was just built.
///
/// # Errors
/// As [`Reader::field`]; also if a rank's program does not do again what it did. After an error the
/// partition is of no use.
pub fn restore<R: Read + Seek>(partition: &mut Partition, reader: &mut Reader<R>) -> Result<(), CheckpointError> {
    restore_ranks(partition, reader)?;
    restore_columns(partition, reader)
}

/// The same without the ranks.
///
/// # Errors
/// As [`Reader::field`]. After an error the partition is of no use.
pub fn restore_columns<R: Read + Seek>(
    partition: &mut Partition,
    reader: &mut Reader<R>,
) -> Result<(), CheckpointError> {
    let blocks = partition.sched.calendar.count();
    let resilience = std::mem::take(&mut partition.fault.timeline.resilience);
    reader.field("calendar", partition.sched.calendar.calendar_mut())?;
    if partition.sched.calendar.count() != blocks {
        let what = format!("{} lanes, where the run that was built has {blocks}", partition.sched.calendar.count());
        return Err(CheckpointError::Field { name: "calendar", what });
    }
    let read = pass_columns!(&mut *partition, reader);
    partition.fault.timeline.resilience = resilience;
    partition.update_features();
    read
}

/// The saved form of a rank.
#[derive(Default, Serialize, Deserialize)]
struct SavedRank {
    core_free_at: u64,
    outstanding: u32,
    open: Option<OpenOperations>,
    iterations: Vec<(u32, u64)>,
    finished: bool,
    history: History,
    taking: std::collections::VecDeque<(u32, u64)>,
    receives: Vec<SavedReceive>,
    arrivals: Vec<SavedArrival>,
}

/// A message that waits for its receive, with the fields that a simulation sets.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct SavedArrival {
    bits: u64,
    source: u32,
    kept_at: u32,
    length: u64,
    handle: u64,
}

fn save_ranks(partition: &Partition, writer: &mut Writer<'_>) -> Result<(), CheckpointError> {
    writer.field(FIRST_FIELD, &partition.host.ranks.len())?;
    partition
        .host
        .ranks
        .iter()
        .try_for_each(|rank| writer.field("rank", &saved_rank(rank, &partition.host.match_pools)))
}

fn restore_ranks<R: Read + Seek>(partition: &mut Partition, reader: &mut Reader<R>) -> Result<(), CheckpointError> {
    let (mut count, wanted) = (0, partition.host.ranks.len());
    reader.field(FIRST_FIELD, &mut count)?;
    if count != wanted {
        let what = format!("{count} of them, where the run that was built has {wanted}");
        return Err(CheckpointError::Field { name: "ranks", what });
    }
    // A rank that was just built waits for nothing. So it does not matter which slots of the pools
    // its entries get.
    let HostState { ranks, match_pools: pools, .. } = &mut partition.host;
    for rank in ranks {
        let mut saved = SavedRank::default();
        reader.field("rank", &mut saved)?;
        let SavedRank { core_free_at, outstanding, open, iterations, finished, history, taking, receives, arrivals } =
            saved;
        for receive in receives {
            rank.lists.add_receive(pools, receive.restored()).expect(ENDLESS);
        }
        for SavedArrival { bits, source, kept_at, length, handle } in arrivals {
            let mut arrival = UnexpectedMessage::new(bits, source, length);
            (arrival.kept_at, arrival.handle) = (kept_at, handle);
            rank.lists.add_arrival(pools, arrival).expect(ENDLESS);
        }
        (rank.core_free_at, rank.outstanding, rank.open) = (core_free_at, outstanding, open.map(Box::new));
        (rank.iterations, rank.finished, rank.taking) = (iterations, finished, taking);
        rank.history = Some(Box::new(history));
        rank.replay().map_err(|(rank, what)| CheckpointError::Program { rank, what })?;
    }
    Ok(())
}

fn saved_rank(rank: &RankState, pools: &MatchPools) -> SavedRank {
    let (receives, arrivals) = rank.lists.waiting(pools);
    let saved_arrival = |arrival: &UnexpectedMessage| {
        let &UnexpectedMessage { bits, source, kept_at, length, handle, .. } = arrival;
        SavedArrival { bits, source, kept_at, length, handle }
    };
    SavedRank {
        core_free_at: rank.core_free_at,
        outstanding: rank.outstanding,
        open: rank.open.as_deref().cloned(),
        iterations: rank.iterations.clone(),
        finished: rank.finished,
        history: rank.history.as_deref().cloned().unwrap_or_default(),
        taking: rank.taking.clone(),
        receives: receives.iter().map(SavedReceive::of).collect(),
        arrivals: arrivals.iter().map(saved_arrival).collect(),
    }
}
