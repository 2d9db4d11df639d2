//! The node as its NICs see it: the bus (PCIe) between a NIC and the memory of its host.
//!
//! Every account is the time at which a resource is free. A transfer takes its turn when it is
//! asked for, so an account costs the same for each transfer and its order is that of the events.
//!
//! | account | unit | owner | used by |
//! |---|---|---|---|
//! | read pipe | time | NIC | completions of the NIC's reads; commands and doorbells behind them |
//! | payload pipe | time | NIC | what payloads take of the read pipe, before commands |
//! | tags | time | NIC | the NIC's reads: at most `pcie_tags` requests are open |
//! | write pipe | time | NIC | arriving data, events, and the requests of the NIC's reads |
//! | posted credits | time | NIC | the NIC's writes: at most `pcie_posted_bytes` are open |
//! | buffer | bytes | NIC | payloads that have arrived and wait for the write pipe |
//! | memory ([`Memory`](crate::Memory)) | time | node | what its NICs read and write, and what its cores copy |

use philae_units::{Bytes, FigureStatus, Provenance, preset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::host::PacketPurpose;
use crate::parameters::NicParameters;
use crate::segment::packet_payload;

/// What a NIC finds in its node. Both directions of the bus carry transactions, each with a header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NodeParameters {
    /// Rate of the bus from memory to the NIC that is left for transactions, in megabytes per second: what the NIC reads
    /// of payloads and commands, and what cores write to it. 0: no limit.
    pub pcie_read_mbytes: u32,
    /// Rate of the bus from the NIC to memory that is left for transactions, in megabytes per second: data that arrive,
    /// events, and the requests of the NIC's reads. 0: no limit.
    pub pcie_write_mbytes: u32,
    /// Bytes of a transaction besides its data: framing, header, check. For requests and writes.
    pub pcie_header_bytes: u32,
    /// The same for the answer to a read.
    pub pcie_answer_header_bytes: u32,
    /// Most data of one transaction (MPS), in bytes.
    pub pcie_payload_max_bytes: u32,
    /// Most data that one read asks for (MRRS), in bytes.
    pub pcie_request_max_bytes: u32,
    /// Reads that a NIC may have open. Each lasts `nic.dma_read_ns`. 0: no limit.
    pub pcie_tags: u32,
    /// Data of writes that the host accepts before it returns credits for them, in bytes. 0: no limit.
    pub pcie_posted_bytes: u32,
    /// From a write until its credits are back at the NIC, in nanoseconds.
    pub pcie_posted_ns: u32,
    /// Bytes of a command, a payload within it included. A core writes a single one into the NIC; the NIC reads several
    /// that share a doorbell. 0: none count.
    pub command_bytes: u32,
    /// Bytes of the event that tells the host of a message that has arrived or been sent. 0: none count.
    pub event_bytes: u32,
    /// The NIC's buffer for payloads that wait to be written to memory, in bytes. 0: no limit.
    pub buffer_bytes: u32,
    /// Bytes in the buffer at which the NIC pauses its switch port.
    pub buffer_pause_on_bytes: u32,
    /// Bytes in the buffer at which the switch port may continue.
    pub buffer_pause_off_bytes: u32,
    /// Core time for each two-sided message sent to another node that no latency shows: taking the event of the send,
    /// posting a receive. In nanoseconds.
    pub completion_ns: u32,
    /// Bandwidth of the memory of a node, in megabytes per second: what its NICs read and write, and twice what its cores
    /// copy. 0: no limit.
    pub memory_mbytes: u32,
    /// What programs on the cores take of it all the time, at most half, in megabytes per second.
    pub memory_reserved_mbytes: u32,
    /// Part of the rest that copies by cores take while they last, in percent.
    pub memory_copies_percent: u32,
}

/// Bytes of a doorbell: one store of 64 bits. Source: cassini-headers: the write pointer of a queue
/// has 64 bits. Status: published.
const DOORBELL_BYTES: u64 = 8;

/// Transfers between a NIC and memory: when each resource is free, in picoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bus {
    read_free_at: u64,
    payloads_free_at: u64,
    tags_free_at: u64,
    write_free_at: u64,
    posted_free_at: u64,
}

/// Times of a payload on an idle bus, in picoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BusTimes {
    /// Of the requests for it, in the direction of writes.
    request: u64,
    /// Of the answers to a read of it.
    answer: u64,
    /// For which a read of it holds tags.
    tags: u64,
    /// Of a write of it.
    write: u64,
    /// For which a write of it holds posted credits.
    posted: u64,
}

/// The times of all payloads up to the largest of a packet: each packet asks for them, and they are
/// quotients.
#[derive(Clone, Debug, Default)]
pub struct BusTable(Vec<BusTimes>);

impl BusTable {
    /// The times behind a NIC; none without a node.
    #[must_use]
    pub fn of(node: Option<&NodeParameters>, nic: &NicParameters) -> Self {
        let Some(node) = node else { return Self::default() };
        Self((0..=u64::from(nic.payload_max_bytes)).map(|bytes| node.bus_times(bytes, nic.dma_read_ns)).collect())
    }

    /// The times of `bytes`.
    #[inline]
    #[must_use]
    pub fn times(&self, bytes: u64, node: &NodeParameters, latency_ns: u32) -> BusTimes {
        match self.0.get(bytes as usize) {
            Some(times) => *times,
            None => {
                std::hint::cold_path();
                node.bus_times(bytes, latency_ns)
            }
        }
    }
}

/// Takes a turn of `span` from `now` on, or when the account is free. Returns its end.
const fn take(free_at: &mut u64, now: u64, span: u64) -> u64 {
    *free_at = (if *free_at > now { *free_at } else { now }) + span;
    *free_at
}

pub const fn later(one: u64, other: u64) -> u64 {
    if one > other { one } else { other }
}

/// Time for `bytes` at a rate, in picoseconds.
pub const fn time_of(bytes: u64, mbytes: u32) -> u64 {
    if mbytes == 0 { 0 } else { (bytes * 1_000_000).div_ceil(mbytes as u64) }
}

impl NodeParameters {
    /// A node without limits: what its NICs ask for is there at once.
    #[must_use]
    pub const fn none() -> Self {
        Self {
            pcie_read_mbytes: 0,
            pcie_write_mbytes: 0,
            pcie_header_bytes: 24,
            pcie_answer_header_bytes: 20,
            pcie_payload_max_bytes: 128,
            pcie_request_max_bytes: 512,
            pcie_tags: 0,
            pcie_posted_bytes: 0,
            pcie_posted_ns: 0,
            command_bytes: 0,
            event_bytes: 0,
            buffer_bytes: 0,
            buffer_pause_on_bytes: 0,
            buffer_pause_off_bytes: 0,
            completion_ns: 0,
            memory_mbytes: 0,
            memory_reserved_mbytes: 0,
            memory_copies_percent: 50,
        }
    }

    /// Bytes on the bus of a write of `bytes`.
    #[must_use]
    pub const fn write_bytes(&self, bytes: u64) -> u64 {
        bytes + bytes.div_ceil(self.pcie_payload_max_bytes as u64) * self.pcie_header_bytes as u64
    }

    /// Bytes on the bus of the answers to reads of `bytes`.
    #[must_use]
    pub const fn answer_bytes(&self, bytes: u64) -> u64 {
        bytes + bytes.div_ceil(self.pcie_payload_max_bytes as u64) * self.pcie_answer_header_bytes as u64
    }

    /// Bytes on the bus of the requests for `bytes`, in the direction of writes.
    #[must_use]
    pub const fn request_bytes(&self, bytes: u64) -> u64 {
        bytes.div_ceil(self.pcie_request_max_bytes as u64) * self.pcie_header_bytes as u64
    }

    /// Time for which a read of `bytes` holds tags that `latency_ns` returns: one for each request.
    const fn tags_time(&self, bytes: u64, latency_ns: u32) -> u64 {
        let requests = bytes.div_ceil(self.pcie_request_max_bytes as u64);
        if self.pcie_tags == 0 { 0 } else { (requests * latency_ns as u64 * 1_000).div_ceil(self.pcie_tags as u64) }
    }

    /// Time for which a write of `bytes` holds posted credits.
    const fn posted_time(&self, bytes: u64) -> u64 {
        let open = self.pcie_posted_bytes as u64;
        if open == 0 { 0 } else { (bytes * self.pcie_posted_ns as u64 * 1_000).div_ceil(open) }
    }

    /// Times of `bytes` on an idle bus, where a read returns after `latency_ns`.
    #[must_use]
    pub const fn bus_times(&self, bytes: u64, latency_ns: u32) -> BusTimes {
        BusTimes {
            request: self.request_time(bytes),
            answer: time_of(self.answer_bytes(bytes), self.pcie_read_mbytes),
            tags: self.tags_time(bytes, latency_ns),
            write: if bytes == 0 { 0 } else { time_of(self.write_bytes(bytes), self.pcie_write_mbytes) },
            posted: self.posted_time(bytes),
        }
    }

    /// Time of a read of `bytes` on an idle bus, behind its latency and from a memory without a
    /// limit, in picoseconds.
    #[must_use]
    pub const fn bus_read_time(&self, bytes: u64, latency_ns: u32) -> u64 {
        later(time_of(self.answer_bytes(bytes), self.pcie_read_mbytes), self.tags_time(bytes, latency_ns))
    }

    /// The same from an idle memory.
    #[must_use]
    pub const fn read_time(&self, bytes: u64, latency_ns: u32) -> u64 {
        later(self.bus_read_time(bytes, latency_ns), self.memory_time(bytes))
    }

    /// Time of a write of `bytes` on an idle bus to an idle memory, in picoseconds.
    #[must_use]
    pub const fn write_time(&self, bytes: u64) -> u64 {
        let piped = time_of(self.write_bytes(bytes), self.pcie_write_mbytes);
        later(later(piped, self.posted_time(bytes)), self.memory_time(bytes))
    }

    /// Time in the direction of writes that the requests of a read of `bytes` take, in picoseconds.
    #[must_use]
    pub const fn request_time(&self, bytes: u64) -> u64 {
        time_of(self.request_bytes(bytes), self.pcie_write_mbytes)
    }

    /// Time of the event of a message on an idle bus, in picoseconds.
    #[must_use]
    pub const fn event_time(&self) -> u64 {
        if self.event_bytes == 0 { 0 } else { self.write_time(self.event_bytes as u64) }
    }

    /// Time of a command that a core writes on an idle bus, in picoseconds.
    #[must_use]
    pub const fn command_time(&self) -> u64 {
        if self.command_bytes == 0 {
            return 0;
        }
        time_of(self.write_bytes(self.command_bytes as u64), self.pcie_read_mbytes)
    }

    /// Whether a NIC reads the payload of a message of `bytes` from memory: all but what travels in
    /// a command.
    #[must_use]
    pub const fn reads_payload(purpose: PacketPurpose, bytes: u64, nic: &NicParameters) -> bool {
        match purpose {
            PacketPurpose::ReadData | PacketPurpose::GetData | PacketPurpose::AmoData => bytes > 0,
            PacketPurpose::Eager
            | PacketPurpose::Deferrable
            | PacketPurpose::Put
            | PacketPurpose::Amo
            | PacketPurpose::FetchingAmo
            | PacketPurpose::RendezvousRequest
            | PacketPurpose::ReadRequest
            | PacketPurpose::GetRequest => bytes > nic.inline_max_bytes as u64,
            PacketPurpose::Notice | PacketPurpose::Collective | PacketPurpose::Response => false,
        }
    }

    /// Bytes of the read that must end before the first packet of a message leaves.
    #[must_use]
    pub const fn first_read_bytes(&self, purpose: PacketPurpose, bytes: u64, nic: &NicParameters) -> u64 {
        if Self::reads_payload(purpose, bytes, nic) { packet_payload(nic, Bytes(bytes), 0) as u64 } else { 0 }
    }

    /// Time of that read, on an idle bus, from an idle memory and behind its latency, in
    /// picoseconds.
    #[must_use]
    pub const fn first_read(&self, purpose: PacketPurpose, bytes: u64, nic: &NicParameters) -> u64 {
        self.read_time(self.first_read_bytes(purpose, bytes, nic), nic.dma_read_ns)
    }

    /// Whether the host is told of a message of this purpose by an event. One-sided operations
    /// count in the NIC.
    #[must_use]
    pub const fn writes_event(purpose: PacketPurpose, nic_matches: bool) -> bool {
        match purpose {
            PacketPurpose::Eager | PacketPurpose::Deferrable | PacketPurpose::ReadData => true,
            PacketPurpose::RendezvousRequest => !nic_matches,
            PacketPurpose::ReadRequest
            | PacketPurpose::Put
            | PacketPurpose::GetRequest
            | PacketPurpose::GetData
            | PacketPurpose::Amo
            | PacketPurpose::FetchingAmo
            | PacketPurpose::AmoData
            | PacketPurpose::Notice
            | PacketPurpose::Collective
            | PacketPurpose::Response => false,
        }
    }
}

impl Bus {
    /// The NIC has sent a packet with `bytes` that it read from memory, at `now`. Returns when it
    /// has read as much for the next packet: it reads ahead by one. Payloads go before commands,
    /// which the NIC fetches for many queues, and leave them the rest of the pipe.
    #[inline]
    pub const fn read(&mut self, now: u64, times: BusTimes) -> u64 {
        take(&mut self.write_free_at, now, times.request);
        take(&mut self.read_free_at, now, times.answer);
        let piped = take(&mut self.payloads_free_at, now, times.answer);
        later(piped, take(&mut self.tags_free_at, now, times.tags))
    }

    /// The NIC writes something to memory from `now` on. Returns when it is there.
    #[inline]
    pub const fn write(&mut self, now: u64, times: BusTimes) -> u64 {
        if times.write == 0 && times.posted == 0 {
            return now;
        }
        let piped = take(&mut self.write_free_at, now, times.write);
        later(piped, take(&mut self.posted_free_at, now, times.posted))
    }

    /// The NIC writes an event from `now` on, behind what it has begun to write. Returns when the
    /// bus has moved it.
    #[inline]
    pub fn event(&mut self, node: &NodeParameters, table: &BusTable, now: u64) -> u64 {
        match node.event_bytes {
            0 => now,
            bytes => self.write(now, table.times(bytes.into(), node, 0)),
        }
    }

    /// A core hands the NIC a command at `time`, decided `now`. `is_read`: the NIC reads it from
    /// memory, because it shares a doorbell. Returns for how long the command waits for the bus.
    pub const fn command(&mut self, node: &NodeParameters, (now, time): (u64, u64), is_read: bool) -> u64 {
        let bytes = node.command_bytes as u64;
        if bytes == 0 {
            return 0;
        }
        let waits = self.read_free_at.saturating_sub(time);
        let on_bus = if is_read {
            take(&mut self.write_free_at, now, node.request_time(bytes));
            node.answer_bytes(bytes)
        } else {
            node.write_bytes(bytes)
        };
        take(&mut self.read_free_at, now, time_of(on_bus, node.pcie_read_mbytes));
        waits
    }

    /// A core rings the doorbell of several commands.
    pub const fn doorbell(&mut self, node: &NodeParameters, now: u64) {
        if node.command_bytes > 0 {
            let time = time_of(node.write_bytes(DOORBELL_BYTES), node.pcie_read_mbytes);
            take(&mut self.read_free_at, now, time);
        }
    }
}

preset!(
    /// Cassini-1 in its node: PCIe 4.0 x16.
    NodeParameters, cassini_1, cassini_1_provenance, {
    pcie_read_mbytes = 27_925, Derived, "PCIe 4.0: 16 GT/s on 16 lanes, 128 of 130 bits: 31,508; acknowledgements and credits leave this much by the model of Neugebauer et al. (SIGCOMM'18, pcie-bench) for 16 lanes and payloads of 128 bytes", "", "rate of large messages both ways";
    pcie_write_mbytes = 27_925, Derived, "as pcie_read_mbytes: the directions are alike", "", "rate of large messages both ways";
    pcie_header_bytes = 24, Published, "PCIe 4.0: framing and sequence 4, header with a 64-bit address 16, check 4; the model of Neugebauer et al. (pcie-bench) has the same sum", "", "rate of small and of large messages";
    pcie_answer_header_bytes = 20, Published, "PCIe 4.0: framing and sequence 4, header of a completion 12, check 4; pcie-bench has the same sum", "", "rate of large messages";
    pcie_payload_max_bytes = 128, Measured, "calibrated: osu_bibw on Olivia has 46.6 GB/s at 4 MiB (EESSI, 2025), the model 45.3 with 128 bytes and 49.1 with 256, given pcie_write_mbytes; 128 is PCIe's default", "", "rate of large messages both ways";
    pcie_request_max_bytes = 512, Assumed, "what the host sets is not published; PCIe's own default, and that of the model of Neugebauer et al. (pcie-bench)", "128 to 4096", "rate of messages both ways";
    pcie_tags = 256, Assumed, "not published for Cassini; PCIe 4.0 allows 256 with tags of 8 bits, 768 with 10", "64 to 768", "rate of reads";
    pcie_posted_bytes = 16_384, Assumed, "not published: what a root port can hold of posted data", "4096 to 65536", "rate of writes";
    pcie_posted_ns = 250, Assumed, "not published; about half of a read's round trip, which is 400 to 550 ns on Xeons (Neugebauer et al., SIGCOMM'18)", "100 to 500", "rate of writes";
    command_bytes = 64, Published, "cassini-headers: slots of 64 bytes; with 32 of header (224 of 256 carry payload)", "", "rate of small operations";
    event_bytes = 64, Assumed, "cassini-headers: event queues have entries of 16 to 64 bytes", "16 to 64", "rate of small messages";
    buffer_bytes = 131_072, Assumed, "not published; room for 5 us of the link", "65536 to 1048576", "what a slow host does to the fabric";
    buffer_pause_on_bytes = 65_536, Assumed, "half of the buffer", "a quarter to three quarters of it", "what a slow host does to the fabric";
    buffer_pause_off_bytes = 32_768, Assumed, "half of buffer_pause_on_bytes", "0 to buffer_pause_on_bytes", "what a slow host does to the fabric";
    completion_ns = 130, Measured, "calibrated: osu_bibw on Olivia has 2.98 GB/s at 1 KiB (EESSI, 2025), which is 687 ns a message both ways; without it the model has 555", "", "rate of messages of a rank";
    memory_mbytes = 0, Assumed, "no limit: a property of the node, and not of its NIC", "100000 to 1000000", "rate of several NICs of a node";
    memory_reserved_mbytes = 0, Assumed, "the cores compute in their caches", "0 to half of memory_mbytes", "rate of several NICs of a node";
    memory_copies_percent = 50, Assumed, "not published: cores and NICs have half each while both want memory", "10 to 90", "rate of NICs beside copies";
});

preset!(
    /// Cassini-2 in its node: PCIe 5.0 x16.
    NodeParameters, cassini_2, cassini_2_provenance, {
    pcie_read_mbytes = 55_850, Derived, "PCIe 5.0: 32 GT/s on 16 lanes, 128 of 130 bits: 63,015; acknowledgements and credits leave this much by the model of Neugebauer et al. (SIGCOMM'18, pcie-bench) for 16 lanes and payloads of 128 bytes", "", "rate of large messages both ways";
    pcie_write_mbytes = 55_850, Derived, "as pcie_read_mbytes: the directions are alike", "", "rate of large messages both ways";
    pcie_header_bytes = 24, Published, "PCIe 5.0: framing and sequence 4, header with a 64-bit address 16, check 4; the model of Neugebauer et al. (pcie-bench) has the same sum", "", "rate of small and of large messages";
    pcie_answer_header_bytes = 20, Published, "PCIe 5.0: framing and sequence 4, header of a completion 12, check 4; pcie-bench has the same sum", "", "rate of large messages";
    pcie_payload_max_bytes = 128, Assumed, "as Cassini-1", "128 to 512", "rate of large messages both ways";
    pcie_request_max_bytes = 512, Assumed, "what the host sets is not published; PCIe's own default, and that of the model of Neugebauer et al. (pcie-bench)", "128 to 4096", "rate of messages both ways";
    pcie_tags = 768, Assumed, "PCIe 5.0: 768 with tags of 10 bits", "256 to 768", "rate of reads";
    pcie_posted_bytes = 32_768, Assumed, "twice Cassini-1's: the same latency at twice the rate", "8192 to 131072", "rate of writes";
    pcie_posted_ns = 250, Assumed, "as Cassini-1", "100 to 500", "rate of writes";
    command_bytes = 64, Derived, "as Cassini-1: its software is binary compatible (Slingshot 400 III-B)", "", "rate of small operations";
    event_bytes = 64, Assumed, "as Cassini-1", "16 to 64", "rate of small messages";
    buffer_bytes = 262_144, Assumed, "not published; as Cassini-1's at twice the rate", "131072 to 2097152", "what a slow host does to the fabric";
    buffer_pause_on_bytes = 131_072, Assumed, "half of the buffer", "a quarter to three quarters of it", "what a slow host does to the fabric";
    buffer_pause_off_bytes = 65_536, Assumed, "half of buffer_pause_on_bytes", "0 to buffer_pause_on_bytes", "what a slow host does to the fabric";
    completion_ns = 110, Assumed, "as Cassini-1, less as its host's other overheads are", "50 to 200", "rate of messages of a rank";
    memory_mbytes = 0, Assumed, "no limit: a property of the node, and not of its NIC", "100000 to 1000000", "rate of several NICs of a node";
    memory_reserved_mbytes = 0, Assumed, "the cores compute in their caches", "0 to half of memory_mbytes", "rate of several NICs of a node";
    memory_copies_percent = 50, Assumed, "not published: cores and NICs have half each while both want memory", "10 to 90", "rate of NICs beside copies";
});

preset!(
    /// ConnectX-5 EN in its node: PCIe 3.0 x16.
    NodeParameters, connectx_5, connectx_5_node_provenance, {
    pcie_read_mbytes = 14_212, Derived, "PCIe 3.0: 8 GT/s on 16 lanes, 128 of 130 bits: 15,754; acknowledgements and credits leave this much by the model of Neugebauer et al. (SIGCOMM'18, pcie-bench) for 16 lanes and payloads of 256 bytes", "", "rate of large messages both ways";
    pcie_write_mbytes = 14_212, Derived, "as pcie_read_mbytes: the directions are alike", "", "rate of large messages both ways";
    pcie_header_bytes = 24, Published, "PCIe 3.0: framing and sequence 4, header with a 64-bit address 16, check 4; the model of Neugebauer et al. (pcie-bench) has the same sum", "", "rate of small and of large messages";
    pcie_answer_header_bytes = 20, Published, "PCIe 3.0: framing and sequence 4, header of a completion 12, check 4; pcie-bench has the same sum", "", "rate of large messages";
    pcie_payload_max_bytes = 256, Assumed, "what the host sets is not published; the default of the model of Neugebauer et al. (pcie-bench)", "128 to 512", "rate of large messages";
    pcie_request_max_bytes = 512, Assumed, "what the host sets is not published; PCIe's own default, and that of the model of Neugebauer et al. (pcie-bench)", "128 to 4096", "rate of messages both ways";
    pcie_tags = 256, Assumed, "PCIe 3.0: 256 with extended tags", "64 to 256", "rate of reads";
    pcie_posted_bytes = 16_384, Assumed, "as Cassini-1", "4096 to 65536", "rate of writes";
    pcie_posted_ns = 250, Assumed, "as Cassini-1", "100 to 500", "rate of writes";
    command_bytes = 64, Published, "its driver (mlx5): work queue blocks of 64 bytes", "", "rate of small operations";
    event_bytes = 64, Published, "its driver (mlx5): completion entries of 64 bytes", "", "rate of small messages";
    buffer_bytes = 131_072, Assumed, "not published; as Cassini-1's", "65536 to 1048576", "what a slow host does to the fabric";
    buffer_pause_on_bytes = 65_536, Assumed, "half of the buffer", "a quarter to three quarters of it", "what a slow host does to the fabric";
    buffer_pause_off_bytes = 32_768, Assumed, "half of buffer_pause_on_bytes", "0 to buffer_pause_on_bytes", "what a slow host does to the fabric";
    completion_ns = 130, Assumed, "as Cassini-1", "50 to 300", "rate of messages of a rank";
    memory_mbytes = 0, Assumed, "no limit: a property of the node, and not of its NIC", "100000 to 1000000", "rate of several NICs of a node";
    memory_reserved_mbytes = 0, Assumed, "the cores compute in their caches", "0 to half of memory_mbytes", "rate of several NICs of a node";
    memory_copies_percent = 50, Assumed, "not published: cores and NICs have half each while both want memory", "10 to 90", "rate of NICs beside copies";
});

preset!(
    /// ConnectX-7 at 400 Gb/s in its node: PCIe 5.0 x16.
    NodeParameters, connectx_7, connectx_7_node_provenance, {
    pcie_read_mbytes = 55_850, Derived, "as Cassini-2's: the same host (Slingshot 400 IV), and so the same payloads", "", "rate of large messages both ways";
    pcie_write_mbytes = 55_850, Derived, "as pcie_read_mbytes: the directions are alike", "", "rate of large messages both ways";
    pcie_header_bytes = 24, Published, "PCIe 5.0: framing and sequence 4, header with a 64-bit address 16, check 4; the model of Neugebauer et al. (pcie-bench) has the same sum", "", "rate of small and of large messages";
    pcie_answer_header_bytes = 20, Published, "PCIe 5.0: framing and sequence 4, header of a completion 12, check 4; pcie-bench has the same sum", "", "rate of large messages";
    pcie_payload_max_bytes = 128, Assumed, "as Cassini-2: a property of the host, and the host is the same (Slingshot 400 IV)", "128 to 512", "rate of large messages";
    pcie_request_max_bytes = 512, Assumed, "what the host sets is not published; PCIe's own default, and that of the model of Neugebauer et al. (pcie-bench)", "128 to 4096", "rate of messages both ways";
    pcie_tags = 768, Assumed, "PCIe 5.0: 768 with tags of 10 bits", "256 to 768", "rate of reads";
    pcie_posted_bytes = 32_768, Assumed, "as Cassini-2", "8192 to 131072", "rate of writes";
    pcie_posted_ns = 250, Assumed, "as Cassini-1", "100 to 500", "rate of writes";
    command_bytes = 64, Published, "its driver (mlx5): work queue blocks of 64 bytes", "", "rate of small operations";
    event_bytes = 64, Published, "its driver (mlx5): completion entries of 64 bytes", "", "rate of small messages";
    buffer_bytes = 262_144, Assumed, "not published; as Cassini-2's", "131072 to 2097152", "what a slow host does to the fabric";
    buffer_pause_on_bytes = 131_072, Assumed, "half of the buffer", "a quarter to three quarters of it", "what a slow host does to the fabric";
    buffer_pause_off_bytes = 65_536, Assumed, "half of buffer_pause_on_bytes", "0 to buffer_pause_on_bytes", "what a slow host does to the fabric";
    completion_ns = 110, Assumed, "as Cassini-2's host: the same cores", "50 to 200", "rate of messages of a rank";
    memory_mbytes = 0, Assumed, "no limit: a property of the node, and not of its NIC", "100000 to 1000000", "rate of several NICs of a node";
    memory_reserved_mbytes = 0, Assumed, "the cores compute in their caches", "0 to half of memory_mbytes", "rate of several NICs of a node";
    memory_copies_percent = 50, Assumed, "not published: cores and NICs have half each while both want memory", "10 to 90", "rate of NICs beside copies";
});

/// Sources of the memory of systems' nodes. Each is the peak rate. The systems' guides do not tell the channels of an
/// EPYC 7A53, so they are an assumption.
const FRONTIER: &str = "peak; one EPYC of the third generation, optimized, with 512 GB of DDR4 (OLCF, Frontier user guide), which does not tell its channels: as in its family, eight of DDR4-3200 with 25.6 GB/s each (AMD, EPYC 7003)";
const LUMI_G: &str = "peak; one EPYC 7A53 with 512 GiB of DDR4 (LUMI, hardware of LUMI-G), which does not tell its channels: as in its family, eight of DDR4-3200 with 25.6 GB/s each (AMD, EPYC 7003)";
const LUMI_C: &str = "peak; two EPYC 7763, each with eight channels and 204.8 GB/s (LUMI, hardware of LUMI-C)";

const SHANDY: &str = "peak; EPYC Rome with 64 cores (SC20 II), each with eight channels of DDR4-3200 and 204.8 GB/s (AMD, EPYC 7002); two of them, which is not published";
const MALBEC: &str = "peak; Xeon Gold 61xx or Platinum 81xx (SC20 II), each with six channels of DDR4-2666 and 128 GB/s (Intel); two of them, which is not published";
const ALPS: &str =
    "peak; four GH200 (CSCS, hardware of Alps), each with 500 GB/s of LPDDR5X beside its cores (NVIDIA, Grace Hopper)";
const OLIVIA: &str =
    "peak; as Alps' nodes with four GH200; what its nodes with EPYCs have is not in the measurements' sources";
const AURORA: &str = "peak; two Xeon Max (ALCF, Aurora), each with eight channels of DDR5-4800 and 307.2 GB/s (Intel); buffers in its HBM are another matter";

/// Why values that were calibrated on one system are assumptions on others.
const OTHER_HOST: &str = "as Cassini-1, calibrated on another system, Olivia";

/// The nodes of some systems: their NIC, Cassini-1 or ConnectX-5, with the memory beside their cores. On Frontier and LUMI-G each NIC is wired to
/// a GPU, and host memory is behind it. That adds no limit here: a link from a GPU to the cores has 36 GB/s each way
/// (OLCF), a NIC 25. Buffers in the memory of GPUs are another matter.
impl NodeParameters {
    /// The node of a system by name; `None` for other names.
    #[must_use]
    pub fn of_system(name: &str) -> Option<Self> {
        let (memory_mbytes, ..) = memory_of(name)?;
        let of_nic = if has_connectx_5(name) { Self::connectx_5() } else { Self::cassini_1() };
        Some(Self { memory_mbytes, ..of_nic })
    }

    /// The preset of the NIC of a system's node; `None` for other names.
    #[must_use]
    pub fn nic_of_system(name: &str) -> Option<&'static str> {
        memory_of(name).map(|_| if has_connectx_5(name) { "connectx-5" } else { "cassini-1" })
    }

    /// The provenance of its values; empty for other names.
    #[must_use]
    pub fn of_system_provenance(name: &str) -> Vec<Provenance> {
        let Some((memory, status, source, range)) = memory_of(name) else { return Vec::new() };
        let is_connectx_5 = has_connectx_5(name);
        let mut rows = if is_connectx_5 { Self::connectx_5_node_provenance() } else { Self::cassini_1_provenance() };
        for row in &mut rows {
            match row.name {
                "memory_mbytes" => {
                    row.value = memory.to_string();
                    (row.status, row.source, row.range) = (status, source, range);
                }
                "pcie_payload_max_bytes" | "completion_ns" if is_connectx_5 || name == "olivia" => {}
                "pcie_payload_max_bytes" => {
                    (row.status, row.source, row.range) = (FigureStatus::Assumed, OTHER_HOST, "128 to 512");
                }
                "completion_ns" => {
                    (row.status, row.source, row.range) = (FigureStatus::Assumed, OTHER_HOST, "50 to 300");
                }
                _ => {}
            }
        }
        rows
    }
}

/// Peak rate of the memory of a system's node in megabytes per second, with its status, source and plausible range:
/// what programs reach is less than a peak.
fn memory_of(system: &str) -> Option<(u32, FigureStatus, &'static str, &'static str)> {
    match system {
        "frontier" => Some((204_800, FigureStatus::Assumed, FRONTIER, "160000 to 204800")),
        "lumi-g" => Some((204_800, FigureStatus::Assumed, LUMI_G, "160000 to 204800")),
        "shandy" => Some((409_600, FigureStatus::Assumed, SHANDY, "150000 to 409600")),
        "malbec" => Some((256_000, FigureStatus::Assumed, MALBEC, "180000 to 256000")),
        "alps" => Some((2_000_000, FigureStatus::Derived, ALPS, "")),
        "olivia" => Some((2_000_000, FigureStatus::Assumed, OLIVIA, "400000 to 2000000")),
        "aurora" => Some((614_400, FigureStatus::Derived, AURORA, "")),
        "lumi-c" => Some((409_600, FigureStatus::Derived, LUMI_C, "")),
        _ => None,
    }
}

/// Whether the NICs of a system are ConnectX-5.
fn has_connectx_5(system: &str) -> bool {
    matches!(system, "shandy" | "malbec")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A bus of 1 byte per nanosecond each way, without any other limit.
    fn plain() -> NodeParameters {
        NodeParameters {
            pcie_read_mbytes: 1_000,
            pcie_write_mbytes: 1_000,
            pcie_payload_max_bytes: 256,
            command_bytes: 64,
            ..NodeParameters::none()
        }
    }

    #[test]
    fn each_transaction_has_a_header() {
        let node = plain();
        assert_eq!(node.write_bytes(256), 280);
        assert_eq!(node.write_bytes(257), 257 + 48);
        assert_eq!((node.answer_bytes(2_048), node.request_bytes(2_048)), (2_048 + 160, 4 * 24));
        assert_eq!((node.write_time(8), node.read_time(8, 500)), (32_000, 28_000));
    }

    #[test]
    fn reads_are_bounded_by_the_pipe_or_by_open_requests() {
        let few = NodeParameters { pcie_tags: 2, ..plain() };
        // 1,024 bytes may be open for 4,000 ns: a quarter of a byte per nanosecond.
        assert_eq!(few.read_time(1_024, 4_000), 4_000_000);
        assert_eq!(few.read_time(1_024, 400), (1_024 + 80) * 1_000, "the pipe is the tighter bound");
        let mut bus = Bus::default();
        let ends: Vec<u64> = (0..3).map(|_| bus.read(0, few.bus_times(1_024, 4_000))).collect();
        assert_eq!(ends, [4_000_000, 8_000_000, 12_000_000]);
    }

    #[test]
    fn a_table_has_the_times_of_packets_and_longer_ones_are_worked_out() {
        let (node, nic) = (NodeParameters::cassini_1(), NicParameters::cassini_1());
        let table = BusTable::of(Some(&node), &nic);
        let most = u64::from(nic.payload_max_bytes);
        for bytes in [0, 1, 128, 129, most, most + 1, 9_000] {
            assert_eq!(table.times(bytes, &node, nic.dma_read_ns), node.bus_times(bytes, nic.dma_read_ns), "{bytes}");
        }
        assert_eq!(Bus::default().write(7, node.bus_times(0, 0)), 7, "nothing to write takes no time");
    }

    #[test]
    fn each_request_holds_a_tag_however_small_it_is() {
        let few = NodeParameters { pcie_tags: 2, ..plain() };
        assert_eq!(few.read_time(8, 4_000), 2_000_000);
        assert_eq!(few.read_time(513, 4_000), 4_000_000);
    }

    #[test]
    fn payloads_go_before_commands_and_leave_them_the_rest() {
        let node = plain();
        let mut bus = Bus::default();
        for _ in 0..10 {
            bus.command(&node, (0, 0), true);
        }
        assert_eq!(bus.read(0, node.bus_times(256, 0)), 276_000, "a payload does not wait for ten commands");
        assert_eq!(bus.command(&node, (0, 0), true), (10 * 84 + 276) * 1_000, "the next command waits for all");
    }

    #[test]
    fn writes_are_bounded_by_posted_credits() {
        let few = NodeParameters { pcie_posted_bytes: 256, pcie_posted_ns: 1_000, ..plain() };
        let mut bus = Bus::default();
        assert_eq!(bus.write(0, few.bus_times(256, 0)), 1_000_000);
        assert_eq!(bus.write(0, few.bus_times(256, 0)), 2_000_000);
        assert_eq!(bus.write(0, few.bus_times(0, 0)), 0, "nothing to write takes no time");
    }

    #[test]
    fn an_event_follows_its_data_and_holds_nothing_else() {
        let node = NodeParameters { event_bytes: 40, ..plain() };
        let (mut bus, table) = (Bus::default(), BusTable::default());
        bus.write(0, node.bus_times(256, 0));
        assert_eq!(bus.event(&node, &table, 0), (280 + 64) * 1_000, "whenever a slow memory has the data");
        assert_eq!(bus.write(0, node.bus_times(256, 0)), (2 * 280 + 64) * 1_000, "the bus did not wait for it");
        assert_eq!(Bus::default().event(&plain(), &table, 7), 7, "no event takes no time");
    }

    #[test]
    fn reads_and_writes_meet_where_requests_are_sent() {
        let node = plain();
        let mut bus = Bus::default();
        bus.read(0, node.bus_times(512, 500));
        assert_eq!(bus.write(0, node.bus_times(256, 0)), 24_000 + 280_000, "the request goes first");
    }

    #[test]
    fn commands_wait_only_for_those_before_them() {
        let node = plain();
        let mut bus = Bus::default();
        assert_eq!(bus.command(&node, (0, 1_000), false), 0);
        assert_eq!(bus.command(&node, (0, 1_000), false), 87_000, "the first takes 88 ns and came at 0");
        assert_eq!(bus.command(&node, (0, 400_000), true), 0, "long after both");
    }

    proptest! {
        /// No order of transfers moves more than the bus has: all bytes take at least their time.
        #[test]
        fn a_bus_carries_no_more_than_its_rate(
            transfers in prop::collection::vec((0_u64..2_000, 1_u64..5_000, prop::bool::ANY), 1..60),
        ) {
            let node = plain();
            let (mut bus, mut now, mut last) = (Bus::default(), 0, [0; 2]);
            let mut bytes = [0; 2];
            for (gap, size, is_read) in transfers {
                now += gap;
                if is_read {
                    last[0] = bus.read(now, node.bus_times(size, 500));
                    bytes[0] += node.answer_bytes(size);
                    bytes[1] += node.request_bytes(size);
                } else {
                    let done = bus.write(now, node.bus_times(size, 0));
                    prop_assert!(done >= last[1] && done >= now + node.write_time(size));
                    last[1] = done;
                    bytes[1] += node.write_bytes(size);
                }
            }
            prop_assert!(bus.read_free_at >= bytes[0] * 1_000 && bus.write_free_at >= bytes[1] * 1_000);
            prop_assert!(bus.write_free_at <= now + bytes[1] * 1_000, "and it is never idle while something waits");
        }
    }
}
