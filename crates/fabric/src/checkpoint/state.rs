//! The state of a partition, field by field.
//!
//! The patterns below name every field, so that a new one is either passed on or said to follow from how a run is built.

use philae_cassini::nic::{Arrival, Criteria, MatchPools, Receive};
use serde::{Deserialize, Serialize};

use super::CheckpointError;
use super::history::History;
use super::stream::Stream;
use crate::host::{ENDLESS, Rank};
use crate::partition::Partition;

/// The first of the fields of each partition, and no other's name.
pub const FIRST_FIELD: &str = "ranks";

/// Passes on everything of a partition that changes while it runs.
///
/// # Errors
/// As [`Stream::field`]; also when a rank's program does not do again what it did.
pub fn pass(partition: &mut Partition, stream: &mut impl Stream) -> Result<(), CheckpointError> {
    pass_ranks(partition, stream)?;
    pass_columns(partition, stream)
}

/// The same without the ranks.
///
/// # Errors
/// As [`Stream::field`].
pub fn pass_columns(partition: &mut Partition, stream: &mut impl Stream) -> Result<(), CheckpointError> {
    let Partition {
        // How it was built.
        shared: _,
        number: _,
        pauses_links: _,
        port_base: _,
        switch_base: _,
        endpoint_base: _,
        share_bytes: _,
        // Empty between windows.
        outbox: _,
        leaving: _,
        held: _,
        // How much memory has been asked for early.
        foresight: _,
        // There are none between windows.
        returning: _,
        postponed: _,
        postpones: _,
        is_far_seeing: _,
        has_features: _,
        radix: _,
        in_hand: _,
        // Passed on with the ranks.
        ranks: _,
        match_pools: _,
        calendar,
        digest,
        events,
        now,
        window_end,
        wires,
        outputs,
        loads,
        channels,
        accounts,
        commons,
        class_queued,
        edge_buffers,
        link_buffers,
        buffered,
        paused_since,
        congested,
        voqs,
        route_random,
        switch_random,
        packets,
        links,
        flows,
        nic_flows,
        shares,
        aside,
        nics,
        retries,
        nic_accounts,
        nic_commons,
        outgoing,
        incoming,
        foreign,
        entries,
        withheld,
        refusals,
        sent_again,
        starved,
        unfinished,
        recorder,
        ends,
        health,
        timeline,
        fault_at,
        latest_fault,
        fault_log,
        losses,
        reliable,
        collectives,
        verdicts,
        retry_totals,
        discarded,
        observer,
        injected,
        delivered,
        hops,
    } = partition;
    let blocks = calendar.count();
    stream.field("calendar", calendar.calendar_mut())?;
    if calendar.count() != blocks {
        let what = format!("{} lanes, where the run that was built has {blocks}", calendar.count());
        return Err(CheckpointError::Field { name: "calendar", what });
    }
    stream.field("digest", digest)?;
    stream.field("events", events)?;
    stream.field("now", now)?;
    stream.field("window end", window_end)?;
    stream.column("wires", wires)?;
    stream.column("outputs", outputs)?;
    stream.column("loads", loads)?;
    stream.column("channels", channels)?;
    stream.column("accounts", accounts)?;
    stream.column("commons", commons)?;
    stream.column("class queues", class_queued)?;
    stream.column("input buffers", edge_buffers)?;
    stream.column("link buffers", link_buffers)?;
    stream.column("switch buffers", buffered)?;
    stream.column("paused NICs", paused_since)?;
    stream.column("congested endpoints", congested)?;
    stream.field("virtual output queues", voqs)?;
    stream.column("random streams of routes", route_random)?;
    stream.column("random streams of switches", switch_random)?;
    stream.field("packets", packets)?;
    stream.field("links of packets", links)?;
    stream.field("flows", flows)?;
    stream.field("flows of NICs", nic_flows)?;
    stream.column("shares", &mut shares.rows)?;
    stream.column("further shares", &mut shares.tables)?;
    stream.field("packets that wait for shares", aside)?;
    stream.column("NICs", nics)?;
    stream.column("retries", retries)?;
    stream.column("accounts of NICs", nic_accounts)?;
    stream.column("commons of NICs", nic_commons)?;
    stream.field("messages sent", outgoing)?;
    stream.field("messages received", incoming)?;
    stream.field("messages from elsewhere", foreign)?;
    stream.column("list entries", entries)?;
    stream.field("messages to send again", withheld)?;
    stream.field("refusals", refusals)?;
    stream.field("sent again", sent_again)?;
    stream.field("starved", starved)?;
    stream.field("unfinished", unfinished)?;
    stream.field("recorder", recorder)?;
    stream.column("ends of links", ends)?;
    stream.field("health", health)?;
    let resilience = std::mem::take(&mut timeline.resilience);
    let passed = stream.field("faults to come", timeline);
    timeline.resilience = resilience;
    passed?;
    stream.field("next fault", fault_at)?;
    stream.field("latest fault", latest_fault)?;
    stream.field("faults", fault_log)?;
    stream.field("losses", losses)?;
    stream.field("targets of retries", reliable)?;
    stream.field("collectives", collectives)?;
    stream.field("verdicts", verdicts)?;
    stream.field("retry totals", retry_totals)?;
    stream.field("discarded", discarded)?;
    stream.field("observer", observer)?;
    stream.field("injected", injected)?;
    stream.field("delivered", delivered)?;
    stream.field("hops", hops)
}

/// What is written of a rank.
#[derive(Serialize, Deserialize)]
struct SavedRank {
    core_free_at: u64,
    outstanding: u32,
    iterations: Vec<(u32, u64)>,
    finished: bool,
    history: History,
    receives: Vec<SavedReceive>,
    arrivals: Vec<SavedArrival>,
}

/// A receive, as far as a simulation fills it in.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct SavedReceive {
    bits: u64,
    ignore: u64,
    source: u32,
    context: u64,
    flags: u64,
}

impl SavedReceive {
    /// What is written of it.
    pub const fn of(receive: &Receive) -> Self {
        let Criteria { bits, ignore, source } = receive.criteria;
        Self { bits, ignore, source, context: receive.context, flags: receive.flags }
    }

    /// The receive.
    pub fn restored(&self) -> Receive {
        let mut receive = Receive::new(Criteria::new(self.bits, self.ignore, self.source), 0, 0, self.context);
        receive.flags = self.flags;
        receive
    }
}

/// A message that waits for its receive, likewise.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct SavedArrival {
    bits: u64,
    source: u32,
    kept_at: u32,
    length: u64,
    handle: u64,
}

fn pass_ranks<S: Stream>(partition: &mut Partition, stream: &mut S) -> Result<(), CheckpointError> {
    let (mut count, wanted) = (partition.ranks.len(), partition.ranks.len());
    stream.field(FIRST_FIELD, &mut count)?;
    if count != wanted {
        let what = format!("{count} of them, where the run that was built has {wanted}");
        return Err(CheckpointError::Field { name: "ranks", what });
    }
    // Lists are taken out of the pools in their order and put into new ones: which slots of a pool they have does not matter.
    let mut pools = MatchPools::default();
    for rank in &mut partition.ranks {
        let mut saved = take_out(rank, &mut partition.match_pools);
        let passed = stream.field("rank", &mut saved);
        let SavedRank { core_free_at, outstanding, iterations, finished, history, receives, arrivals } = saved;
        for receive in receives {
            rank.lists.add_receive(&mut pools, receive.restored()).expect(ENDLESS);
        }
        for SavedArrival { bits, source, kept_at, length, handle } in arrivals {
            let mut arrival = Arrival::new(bits, source, length);
            (arrival.kept_at, arrival.handle) = (kept_at, handle);
            rank.lists.add_arrival(&mut pools, arrival).expect(ENDLESS);
        }
        (rank.core_free_at, rank.outstanding) = (core_free_at, outstanding);
        (rank.iterations, rank.finished) = (iterations, finished);
        rank.history = Some(Box::new(history));
        passed?;
        if S::READS {
            rank.replay()?;
        }
    }
    partition.match_pools = pools;
    Ok(())
}

fn take_out(rank: &mut Rank, pools: &mut MatchPools) -> SavedRank {
    let (mut receives, mut arrivals) = (Vec::new(), Vec::new());
    while let Some(&receive) = rank.lists.first_receive(pools) {
        // The first of all is the first that takes a message like this.
        let Criteria { bits, source, .. } = receive.criteria;
        let taken = rank.lists.take_receive(pools, bits, source);
        assert_eq!(taken, Some(receive.context), "the first receive takes what it asks for");
        receives.push(SavedReceive::of(&receive));
    }
    let any = Criteria::new(0, u64::MAX, philae_cassini::nic::ANY_SOURCE);
    while let (Some(arrival), _) = rank.lists.would_take(pools, &any) {
        let taken = rank.lists.take_arrival(pools, &any);
        assert_eq!(taken, Some(arrival.handle), "what is found is what is taken");
        let Arrival { bits, source, kept_at, length, handle, .. } = arrival;
        arrivals.push(SavedArrival { bits, source, kept_at, length, handle });
    }
    SavedRank {
        core_free_at: rank.core_free_at,
        outstanding: rank.outstanding,
        iterations: std::mem::take(&mut rank.iterations),
        finished: rank.finished,
        history: rank.history.take().map_or_else(History::default, |history| *history),
        receives,
        arrivals,
    }
}
