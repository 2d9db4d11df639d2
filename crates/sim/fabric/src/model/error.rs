//! Errors of a fabric, or of a run.

use philae_packet_engine::EngineError;
use philae_path::{RoutingError, TreeError};
use philae_topology::AddressError;

/// Another process, for which this one waited, has gone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ProcessLost(pub String);

/// A fabric that cannot be built, or a run that cannot continue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FabricError {
    /// Routing cannot serve the topology.
    #[error(transparent)]
    Routing(#[from] RoutingError),
    /// An error in the packet engine's program, or in an entry of it.
    #[error(transparent)]
    PacketEngine(#[from] EngineError),
    /// An endpoint has no fabric address, which the packet engine needs.
    #[error("the packet engine needs the endpoints' addresses: {0}")]
    Address(#[from] AddressError),
    /// A job whose ranks no collective tree can join.
    #[error("job {job}: its operations cannot be left to the switches: {error}; an algorithm of software would work")]
    Tree {
        /// Its name.
        job: String,
        /// The reason.
        error: TreeError,
    },
    /// More reductions through a port than it has engines.
    #[error(
        "job {job}: its tree needs {asked} reduction engines at a port of switch {switch}, where {free} of {engines} are free: collectives.reductions_per_tree = {}, or an algorithm of software, would work", (*.free).max(1)
    )]
    Engines {
        /// Its name.
        job: String,
        switch: u32,
        /// Engines that it needs there.
        asked: u8,
        /// Engines of a port.
        engines: u8,
        /// Free engines.
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
        classes: usize,
        /// Number of classes that would work.
        most: usize,
        /// Legs of a route.
        legs: u8,
        /// Number of channels: classes times legs.
        asked: usize,
    },
    /// Classes that reserve more buffer than the switch has.
    #[error(
        "the {classes} traffic classes reserve {reserved} bytes of an input buffer ({legs} channels each), which has {buffer}: lower class.buffer_reserve_bytes or raise hardware.switch.buffer_shared_bytes"
    )]
    Reserves {
        /// Sum of the reserves.
        reserved: u64,
        /// Size of the buffer.
        buffer: u32,
        classes: usize,
        /// Channels of a class.
        legs: u8,
    },
    /// A packet that does not fit the part of an input buffer that its channel has for itself.
    #[error(
        "a packet of {packet} bytes does not fit the {reserve} bytes that a channel of an input buffer has for itself; packets could then wait for each other in a circle: lower hardware.nic.payload_max_bytes, or raise hardware.switch.buffer_reserve_bytes, class.buffer_reserve_bytes or, with the law aries, congestion.channel_buffer_bytes"
    )]
    ReserveTooSmall {
        /// Largest packet, with its headers.
        packet: u32,
        /// Least reserve of a channel.
        reserve: u32,
    },
    /// A buffer that would overflow before a pause takes effect.
    #[error(
        "switch {switch} port {port}: {channels} channels that are paused at {pause_on} bytes and take {on_the_way} more until the pause has taken effect need {needed} bytes of buffer, and there are {available}: lower congestion.pause_on_bytes or raise hardware.switch.buffer_shared_bytes"
    )]
    PauseHeadroom {
        switch: u32,
        port: u8,
        /// Bytes needed.
        needed: u64,
        /// Bytes of an input buffer.
        available: u32,
        channels: usize,
        /// Bytes in the buffer at which a port asks for a pause.
        pause_on: u32,
        /// Bytes that still arrive until the pause has taken effect.
        on_the_way: u64,
    },
    /// A NIC's buffer that would overflow before a pause takes effect.
    #[error(
        "endpoint {endpoint}: a NIC that pauses its switch port at {pause_on} bytes and takes {on_the_way} more until the pause has taken effect has {available} bytes of buffer: lower hardware.node.buffer_pause_on_bytes or raise hardware.node.buffer_bytes"
    )]
    NicBuffer {
        endpoint: u32,
        /// Bytes of the buffer.
        available: u32,
        /// Bytes in the buffer at which the NIC asks for a pause.
        pause_on: u32,
        /// Bytes that still arrive until the pause has taken effect.
        on_the_way: u64,
    },
    /// A job with NICs that have no transport in common.
    #[error(
        "job {job} has ranks at endpoint {uet}, whose NIC speaks Ultra Ethernet, and at endpoint {own}, whose NIC does not: they share no transport. Nodes of one kind would work (job.nodes), or hardware.ethernet.transport = \"roce\" or \"tcp\", which the system's NICs speak too"
    )]
    NoTransport {
        /// Its name.
        job: String,
        /// Its first endpoint that speaks Ultra Ethernet.
        uet: u32,
        /// Its first other endpoint.
        own: u32,
    },
    /// A job in a class that asks for Ultra Ethernet's transport.
    #[error(
        "job {job} is in class '{class}', which has `{key}`, and its NIC at endpoint {own} does not speak Ultra Ethernet: another class, or nodes whose NICs do, would work"
    )]
    ClassOfUet {
        /// Its name.
        job: String,
        class: String,
        /// The key of the class.
        key: &'static str,
        /// Its first endpoint without the transport.
        own: u32,
    },
    /// A parameter with an impossible value.
    #[error("{what} is {found}; {works}")]
    Parameter {
        /// Name of the parameter.
        what: &'static str,
        /// Its value.
        found: String,
        /// What would work.
        works: &'static str,
    },
    /// A capture that cannot be made.
    #[error("cannot capture at {port}: {found}; {works} would work")]
    Capture {
        /// Name of the port.
        port: String,
        /// What was found.
        found: String,
        /// What would work.
        works: &'static str,
    },
    /// A rank on a NIC that does not exist.
    #[error("job {job} puts a rank on NIC {nic} of node {node}, which has {found} NICs")]
    NoSuchNic {
        job: String,
        node: u32,
        /// NIC asked for.
        nic: u8,
        /// NICs of the node.
        found: u32,
    },
    /// The fabric has packets and none moves.
    #[error("the fabric stalled: at {time}, {packets} packets are in it and {still}. {circle}")]
    Stalled {
        /// Time of detection.
        time: String,
        /// Packets in the fabric.
        packets: usize,
        /// For how long none has moved, or that no event is left, in words.
        still: String,
        /// The circle of waiting channels.
        circle: String,
    },
    /// No event is left and ranks still wait.
    #[error(
        "deadlock: nothing is left to happen at {time}, and {ranks} ranks wait for messages that no rank sends or takes: {waiting}"
    )]
    Waiting {
        /// Time of detection.
        time: String,
        /// Ranks that wait.
        ranks: u32,
        /// Some of those ranks, each with the operation that it waits for.
        waiting: String,
    },
    /// A message is refused forever, because its receiver has too few list entries.
    #[error("at {time}, {what}")]
    Starved {
        /// Time of detection, with its unit.
        time: String,
        /// The rank that refuses, the rank that it refuses, and what would work.
        what: String,
    },
    /// More processes than parts of a network.
    #[error(
        "{asked} processes are to share the run, and the network has {found} groups to share out: {found} processes at most would work"
    )]
    TooManyProcesses {
        /// Number of processes.
        asked: u32,
        /// Number of groups, or of other parts that can be divided.
        found: usize,
    },
    /// The machine does not start the threads.
    #[error("run.threads = {asked}: the machine does not start them ({found}); fewer would work")]
    Threads {
        /// Number of threads.
        asked: usize,
        /// The machine's error.
        found: String,
    },
    /// Another of the processes that share a run has failed.
    #[error("{words}")]
    Process {
        /// The error of that process.
        words: String,
    },
    /// A law of conservation is broken: a mistake in the model.
    #[error("the model broke a law of conservation, which is a mistake in the model and not in the scenario: {law}")]
    Conservation {
        /// The law, in words and numbers.
        law: String,
    },
}

impl From<ProcessLost> for FabricError {
    fn from(lost: ProcessLost) -> Self {
        Self::Process { words: lost.0 }
    }
}
