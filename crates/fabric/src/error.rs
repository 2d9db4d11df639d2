//! What can be wrong with a fabric, or with a run.

use philae_packet_engine::EngineError;
use philae_routing::{RoutingError, TreeError};
use philae_topology::AddressError;

use crate::processes::ProcessLost;

/// A fabric that cannot be built, or a run that cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FabricError {
    /// Routing cannot serve the topology.
    #[error(transparent)]
    Routing(#[from] RoutingError),
    /// The packet engine's program, or an entry of it.
    #[error(transparent)]
    PacketEngine(#[from] EngineError),
    /// An endpoint without a fabric address, which the packet engine needs.
    #[error("the packet engine needs the endpoints' addresses: {0}")]
    Address(#[from] AddressError),
    /// A job whose ranks no collective tree can join.
    #[error("job {job}: its operations cannot be left to the switches: {error}; an algorithm of software would work")]
    Tree {
        /// Its name.
        job: String,
        /// Why.
        error: TreeError,
    },
    /// More reductions through a port than it has engines.
    #[error(
        "job {job}: its tree needs {asked} reduction engines at a port of switch {switch}, where {free} of {engines} are free: collectives.reductions_per_tree = {}, or an algorithm of software, would work", (*.free).max(1)
    )]
    Engines {
        /// Its name.
        job: String,
        /// The switch.
        switch: u32,
        /// Engines that it needs there.
        asked: u8,
        /// Engines of a port.
        engines: u8,
        /// Those that are free.
        free: u32,
    },
    /// There is nothing to run.
    #[error("there are no ranks to run: a scenario needs at least one job with at least one rank")]
    NoRanks,
    /// A run that would never end.
    #[error("no job ends by itself and there is no time limit: give a job `iterations`, or the run a `time_limit`")]
    Endless,
    /// More channels than a port has room for.
    #[error(
        "{classes} traffic classes times {legs} legs are {asked} channels; with {legs} legs this switch has {most} classes at most"
    )]
    TooManyChannels {
        /// Classes.
        classes: usize,
        /// Classes that would work.
        most: usize,
        /// Legs of a route.
        legs: u8,
        /// Their product.
        asked: usize,
    },
    /// Classes that reserve more buffer than there is.
    #[error(
        "the {classes} traffic classes reserve {reserved} bytes of an input buffer ({legs} channels each), which has {buffer}: lower class.buffer_reserve_bytes or raise hardware.switch.buffer_shared_bytes"
    )]
    Reserves {
        /// Sum of the reserves.
        reserved: u64,
        /// Size of the buffer.
        buffer: u32,
        /// Classes.
        classes: usize,
        /// Channels of a class.
        legs: u8,
    },
    /// A packet that no buffer can take.
    #[error(
        "a packet of {packet} bytes does not fit an input buffer of {reserve} reserved and {shared} shared bytes: lower hardware.nic.payload_max_bytes or raise hardware.switch.buffer_reserve_bytes"
    )]
    BufferTooSmall {
        /// Largest packet.
        packet: u32,
        /// Reserve of a channel.
        reserve: u32,
        /// Shared part.
        shared: u32,
    },
    /// A buffer that would overflow before a pause takes effect.
    #[error(
        "switch {switch} port {port}: {channels} channels that are paused at {pause_on} bytes and take {on_the_way} more until the pause has taken effect need {needed} bytes of buffer, and there are {available}: lower congestion.pause_on_bytes or raise hardware.switch.buffer_shared_bytes"
    )]
    PauseHeadroom {
        /// Switch.
        switch: u32,
        /// Port.
        port: u8,
        /// Bytes needed.
        needed: u64,
        /// Bytes of an input buffer.
        available: u32,
        /// Channels.
        channels: usize,
        /// Threshold.
        pause_on: u32,
        /// Bytes on the way.
        on_the_way: u64,
    },
    /// A parameter without sense.
    #[error("{what} is {found}; {works}")]
    Parameter {
        /// Which.
        what: &'static str,
        /// Its value.
        found: String,
        /// What would work.
        works: &'static str,
    },
    /// A capture that cannot be made.
    #[error("cannot capture at {port}: {found}; {works} would work")]
    Capture {
        /// What the port is called.
        port: String,
        /// What was found.
        found: String,
        /// What would work.
        works: &'static str,
    },
    /// A rank on a NIC that does not exist.
    #[error("job {job} puts a rank on NIC {nic} of node {node}, which has {found} NICs")]
    NoSuchNic {
        /// Job.
        job: String,
        /// Node.
        node: u32,
        /// NIC asked for.
        nic: u8,
        /// NICs of the node.
        found: u32,
    },
    /// Packets are in the fabric and none moves.
    #[error("the fabric stalled: at {time}, {packets} packets are in it and none has moved for {still}. {circle}")]
    Stalled {
        /// When it was noticed.
        time: String,
        /// Packets in the fabric.
        packets: usize,
        /// For how long; zero when nothing is left to happen at all.
        still: String,
        /// The circle of waiting channels.
        circle: String,
    },
    /// Nothing is left to happen and ranks still wait.
    #[error(
        "deadlock: nothing is left to happen at {time}, and {ranks} ranks wait for messages that no rank sends or takes: {who}"
    )]
    Waiting {
        /// When it was noticed.
        time: String,
        /// Ranks that wait.
        ranks: u32,
        /// Some of them, each with the operation that it waits for.
        who: String,
    },
    /// A message is refused for ever, for want of list entries.
    #[error("at {time}, {what}")]
    Starved {
        /// When, with its unit.
        time: String,
        /// Who refuses whose, and what would work.
        what: String,
    },
    /// More processes than parts of a network.
    #[error(
        "{asked} processes are to share the run, and the network has {found} groups to share out: {found} processes at most would work"
    )]
    TooManyProcesses {
        /// Processes.
        asked: u32,
        /// Groups, or what else can be told apart.
        found: usize,
    },
    /// Threads do not start.
    #[error("run.threads = {asked}: the machine does not start them ({found}); fewer would work")]
    Threads {
        /// How many.
        asked: usize,
        /// What the machine says.
        found: String,
    },
    /// Something went wrong in another of the processes that share a run.
    #[error("{words}")]
    Process {
        /// What it says.
        words: String,
    },
    /// A law of conservation is broken: a mistake in the model.
    #[error("the model broke a law of conservation, which is a mistake in the model and not in the scenario: {law}")]
    Conservation {
        /// Which, in words and numbers.
        law: String,
    },
}

impl From<ProcessLost> for FabricError {
    fn from(lost: ProcessLost) -> Self {
        Self::Process { words: lost.0 }
    }
}
