//! Parameter values of NICs.

use philae_units::preset;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use philae_nic_core::nic::MatchMode;

/// How a NIC learns that the packets it has sent have arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ResponseScope {
    /// From the switches' own acknowledgements, which take no room on links. The hardware completes high-rate puts so.
    Switch,
    /// The target's NIC answers each message with a packet.
    Message,
    /// The target's NIC answers each packet with a packet.
    Packet,
}

/// A NIC as a timing model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NicParameters {
    /// Largest payload that the core writes into the NIC with its command, in bytes; for more, the NIC reads the host's
    /// memory once, be it the command or the payload.
    pub inline_max_bytes: u32,
    /// From the core's store to the NIC acting on the command, in nanoseconds.
    pub command_ns: u32,
    /// PCIe read round trip to fetch a command or payload, in nanoseconds.
    pub dma_read_ns: u32,
    /// From the command (and payload) to the first bit on the wire, in nanoseconds.
    pub transmit_ns: u32,
    /// From the last bit to data in memory and an event visible to the host, in nanoseconds.
    pub receive_ns: u32,
    /// The part of `receive_ns` until the NIC has accepted a packet, in nanoseconds. Then it reads the memory that a
    /// request asks for, or answers; it does not wait until data are in memory.
    pub accept_ns: u32,
    /// Least time between packets that the NIC puts on the wire, in picoseconds (its message rate).
    pub packet_gap_ps: u32,
    /// Least time between messages that the NIC begins, in picoseconds: commands that it takes and requests that it
    /// answers, for each of which it reads the host's memory. 0: no limit.
    pub operation_gap_ps: u32,
    /// Time of the host for each packet with data that the NIC writes to its memory, in picoseconds; the NIC holds its
    /// switch port back when more than a full packet's time is waiting. Packets that take longer on the link do not add
    /// up. 0: no limit.
    pub write_gap_ps: u32,
    /// Largest payload of a packet, in bytes.
    pub payload_max_bytes: u32,
    /// Headers and trailers of the first packet of a message, in bytes.
    pub header_first_bytes: u32,
    /// Headers and trailers of the following packets, in bytes.
    pub header_next_bytes: u32,
    /// Payload bytes per unit of further overhead (0: none).
    pub unit_payload_bytes: u32,
    /// Overhead per unit, in bytes.
    pub unit_header_bytes: u32,
    /// Least size of a frame, preamble included, in bytes.
    pub frame_min_bytes: u32,
    /// Gap between frames on the edge link, in bytes.
    pub edge_gap_bytes: u32,
    /// Whether packets of a flow must stay in order (one path per flow while it has packets in the fabric).
    pub ordered: bool,
    /// Largest message sent eagerly, in bytes.
    pub eager_max_bytes: u32,
    /// Whether the edge link is paused (PFC) rather than held by credits.
    pub edge_pause: bool,
    /// Whether the NIC matches messages and fetches rendezvous data by itself (otherwise the host does).
    pub match_offload: bool,
    /// Who matches messages behind a NIC that can; used if `match_offload` is true and data is sent as messages.
    pub match_mode: MatchMode,
    /// List entries of the NIC for each process: one for a posted receive, one for a message that waits for its receive.
    /// 0: as many as are needed.
    pub list_entries: u32,
    /// Time after which a message that its receiver's NIC had no entry for is sent again, in microseconds.
    pub refused_retry_us: u32,
    /// Core time for each entry that software examines or takes over when it matches, in nanoseconds; the first one is
    /// part of `host.receive_overhead_ns`.
    pub match_entry_ns: u32,
    /// Connections whose state the NIC has room for. For a message on another one it reads the state from the host's
    /// memory. 0: no limit, or no connections.
    pub connections_max: u32,
    /// State of a connection, in bytes.
    pub connection_bytes: u32,
    /// How it learns that its packets have arrived: `switch`, `message` or `packet`. Data that answers a request is the
    /// response to it. Where packets may be lost, `message` answers each packet.
    pub responses: ResponseScope,
}

preset!(
    /// Mellanox ConnectX-5 EN, 100 Gb/s, RoCEv2 (Malbec, Shandy).
    NicParameters, connectx_5, connectx_5_provenance, {
    inline_max_bytes = 220, Assumed, "common limit of inlined sends in its driver", "0 to 956", "small-message latency step";
    command_ns = 200, Assumed, "one posted PCIe write; part of the 1.6 us of edge latency that Fig 4's 2.8 us label leaves after three switches and cables", "100 to 400", "absolute latency";
    dma_read_ns = 450, Assumed, "one PCIe Gen3 read round trip", "300 to 700", "latency step beyond inline";
    transmit_ns = 300, Assumed, "share of the 1.6 us of edge latency", "150 to 500", "absolute latency";
    receive_ns = 400, Assumed, "share of the 1.6 us of edge latency", "250 to 700", "absolute latency";
    accept_ns = 220, Assumed, "Cassini-1's part of receive_ns", "50 to 400", "latency of puts, reads and atomic operations";
    packet_gap_ps = 5_000, Published, "ConnectX-5 product brief: up to 200 million messages per second", "", "message rate";
    operation_gap_ps = 0, Derived, "its message rate is published and stands in packet_gap_ps", "", "nothing";
    write_gap_ps = 0, Assumed, "nothing published: no limit", "0 to 20000", "rate of small operations";
    payload_max_bytes = 4_096, Published, "SC20 II-G: up to 4 KiB of data per packet", "", "efficiency of large messages";
    header_first_bytes = 62, Published, "SC20 II-G: Ethernet 26 with preamble, IPv4 20, UDP 8, InfiniBand 14 and CRC 4, printed sum 62", "", "efficiency of large messages";
    header_next_bytes = 62, Published, "SC20 II-G", "", "efficiency of large messages";
    unit_payload_bytes = 0, Derived, "no overhead below the packet", "", "nothing";
    unit_header_bytes = 0, Derived, "no overhead below the packet", "", "nothing";
    frame_min_bytes = 72, Published, "IEEE 802.3: 64-byte frame and 8 bytes of preamble", "", "small-packet bandwidth";
    edge_gap_bytes = 12, Published, "IEEE 802.3 inter-packet gap: the NIC sends plain Ethernet (SC20 II-A)", "", "efficiency of the edge link";
    ordered = true, Published, "RoCEv2 reliable connections need order", "", "load balance over paths";
    eager_max_bytes = 16_384, Assumed, "libfabric RxM's default buffer, on which this MPI ran", "4 KiB to 64 KiB", "latency of medium messages";
    edge_pause = true, Published, "Slingshot 400 III-A: PFC between NIC and network ingress", "", "other packets that a paused NIC blocks";
    match_offload = false, Derived, "libfabric RxM matches in software", "", "rendezvous latency";
    match_mode = MatchMode::Hardware, Derived, "not read: match_offload is false", "", "nothing";
    list_entries = 0, Derived, "not read: match_offload is false", "", "nothing";
    refused_retry_us = 1_000, Derived, "not read: match_offload is false", "", "nothing";
    match_entry_ns = 10, Assumed, "a step of a linked list that lies in a cache, and a comparison", "2 to 100 (a miss of all caches)", "cost of matching among many messages";
    connections_max = 5_592, Derived, "2 MiB and 375 bytes each: Kalia et al., Datacenter RPCs can be general and fast (NSDI'19), of this NIC, whose rate of small reads halves with 5,000 connections", "2000 to 5592", "rate of small messages to many peers";
    connection_bytes = 375, Published, "Kalia et al. (NSDI'19)", "", "rate of small messages to many peers";
    responses = ResponseScope::Message, Derived, "InfiniBand volume 1 chapter 9: an acknowledgement answers all packets before it; the model's answers a message", "", "latency of puts, load of the way back";
});

preset!(
    /// Cassini-1, 200 Gb/s (Slingshot 11).
    NicParameters, cassini_1, cassini_1_provenance, {
    inline_max_bytes = 64, Derived, "libcxi: a core writes commands of up to 128 bytes into the NIC, of which a message's header takes 64; larger ones (up to 192 bytes of payload) and DMA cost the NIC one read", "", "latency step from 64 to 128 B";
    command_ns = 150, Assumed, "one posted PCIe write", "100 to 300", "absolute latency";
    dma_read_ns = 580, Measured, "cxi diagnostics (HPE Slingshot host software documentation): 64 to 128 B, cxi_send_lat 1.65 to 2.22 us, cxi_write_lat 2.09 to 2.69 us; mean, less 64 bytes on two links", "", "latency step beyond inline";
    transmit_ns = 220, Assumed, "share of the 1.30 us of edge latency (1.65 us less one switch)", "100 to 400", "absolute latency";
    receive_ns = 330, Assumed, "share of the 1.30 us of edge latency", "200 to 600", "absolute latency";
    accept_ns = 180, Measured, "HPE's CXI diagnostics, sample output at 200 Gb/s: 2.03 to 2.09 us for a write of 8 B; calibrated with that row", "", "latency of puts, reads and atomic operations";
    packet_gap_ps = 1_000, Derived, "cassini-headers: clock of 1.0 GHz, at most one packet a cycle", "", "message rate";
    operation_gap_ps = 0, Assumed, "nothing published: no limit but the packets' own", "0 to 10000", "rate of small operations";
    write_gap_ps = 0, Assumed, "nothing published: no limit", "0 to 20000", "rate of small operations";
    payload_max_bytes = 2_048, Published, "HPE Slingshot host software documentation: HPC frame of 2048 + 64 bytes", "", "efficiency of large messages";
    header_first_bytes = 67, Derived, "cassini-headers: fabric header 20 + unrestricted header 43, and FCS 4", "", "small-packet bandwidth";
    header_next_bytes = 37, Derived, "cassini-headers: fabric header 20 + continuation header 13, and FCS 4", "", "efficiency of large messages";
    unit_payload_bytes = 0, Derived, "no overhead below the packet", "", "nothing";
    unit_header_bytes = 0, Derived, "no overhead below the packet", "", "nothing";
    frame_min_bytes = 32, Published, "SC20 II-F: least frame reduced to 32 B", "", "small-packet bandwidth";
    edge_gap_bytes = 0, Published, "SC20 II-F: inter-packet gap removed", "", "efficiency of the edge link";
    ordered = false, Published, "HPE Slingshot host software documentation: bulk is unordered and routed per packet", "", "load balance over paths";
    eager_max_bytes = 16_384, Published, "fi_cxi(7): rendezvous threshold 16,384 B", "", "latency of medium messages";
    edge_pause = true, Published, "Slingshot 400 III-A: PFC between NIC and network ingress", "", "other packets that a paused NIC blocks";
    match_offload = true, Published, "fi_cxi(7): hardware matching, rendezvous by hardware Get", "", "rendezvous latency";
    match_mode = MatchMode::Hardware, Published, "libfabric's cxi provider: default of FI_CXI_RX_MATCH_MODE", "", "cost of many waiting messages";
    list_entries = 0, Assumed, "no limit unless one is asked for; libfabric's cxi provider: 16,384 of a NIC, which its processes share", "0, or 1024 to 16384", "messages that are sent again";
    refused_retry_us = 1_000, Published, "libfabric's cxi provider: default of FI_CXI_FC_RETRY_USEC_DELAY", "", "time that a refused message loses";
    match_entry_ns = 10, Assumed, "a step of a linked list that lies in a cache, and a comparison", "2 to 100 (a miss of all caches)", "cost of matching in software";
    connections_max = 0, Published, "Slingshot 400, abstract: connectionless", "", "nothing";
    connection_bytes = 0, Derived, "no connections", "", "nothing";
    responses = ResponseScope::Message, Assumed, "only high-rate puts end by the switch; whether one response answers several packets is not published. One for each packet doubles the packets of a run and takes up to 2 % of a link", "message, packet", "latency of puts, load of the way back";
});

preset!(
    /// Cassini-2, 400 Gb/s (Slingshot 400); two NICs per package.
    NicParameters, cassini_2, cassini_2_provenance, {
    inline_max_bytes = 64, Derived, "as Cassini-1: its software is binary compatible (Slingshot 400 III-B)", "", "latency step from 64 to 128 B";
    command_ns = 140, Assumed, "Cassini-1's figure", "100 to 300", "absolute latency";
    dma_read_ns = 420, Assumed, "below Cassini-1's: PCIe Gen5 and a faster clock", "300 to 600", "latency step beyond inline";
    transmit_ns = 190, Assumed, "share of the 1.15 us of edge latency (1.45 us less one switch)", "100 to 400", "absolute latency";
    receive_ns = 280, Assumed, "share of the 1.15 us of edge latency", "200 to 600", "absolute latency";
    accept_ns = 153, Assumed, "Cassini-1's part of receive_ns", "50 to 280", "latency of puts, reads and atomic operations";
    packet_gap_ps = 909, Derived, "cassini-headers: clock of 1.1 GHz, at most one packet a cycle", "", "message rate";
    operation_gap_ps = 1_818, Assumed, "two cycles of its 1.1 GHz clock: the command and the packet of a small operation are each two beats of the 64 bytes a cycle that 63 GB/s of PCIe Gen5 need; the rate at which hosts answer reads is not published", "909 to 3636 (one to four cycles)", "rate of small operations from one NIC";
    write_gap_ps = 4_444, Measured, "Slingshot 400 IV-C: 200 to 250 M operations/s on symmetric traffic, limited by the host's PCIe writes; calibrated with that row", "", "rate of small operations to one NIC";
    payload_max_bytes = 2_048, Published, "HPE Slingshot host software documentation: HPC frame of 2048 + 64 bytes", "", "efficiency of large messages";
    header_first_bytes = 67, Derived, "as Cassini-1", "", "small-packet bandwidth";
    header_next_bytes = 37, Derived, "as Cassini-1", "", "efficiency of large messages";
    unit_payload_bytes = 0, Derived, "no overhead below the packet", "", "nothing";
    unit_header_bytes = 0, Derived, "no overhead below the packet", "", "nothing";
    frame_min_bytes = 32, Published, "SC20 II-F: least frame reduced to 32 B", "", "small-packet bandwidth";
    edge_gap_bytes = 0, Published, "SC20 II-F: inter-packet gap removed", "", "efficiency of the edge link";
    ordered = false, Published, "HPE Slingshot host software documentation: bulk is unordered and routed per packet", "", "load balance over paths";
    eager_max_bytes = 16_384, Published, "fi_cxi(7): rendezvous threshold 16,384 B", "", "latency of medium messages";
    edge_pause = true, Published, "Slingshot 400 III-A: PFC between NIC and network ingress", "", "other packets that a paused NIC blocks";
    match_offload = true, Published, "fi_cxi(7): hardware matching, rendezvous by hardware Get", "", "rendezvous latency";
    match_mode = MatchMode::Hardware, Published, "libfabric's cxi provider: default of FI_CXI_RX_MATCH_MODE", "", "cost of many waiting messages";
    list_entries = 0, Assumed, "no limit unless one is asked for; libfabric's cxi provider: 16,384 of a NIC, which its processes share", "0, or 1024 to 16384", "messages that are sent again";
    refused_retry_us = 1_000, Published, "libfabric's cxi provider: default of FI_CXI_FC_RETRY_USEC_DELAY", "", "time that a refused message loses";
    match_entry_ns = 10, Assumed, "a step of a linked list that lies in a cache, and a comparison", "2 to 100 (a miss of all caches)", "cost of matching in software";
    connections_max = 0, Published, "Slingshot 400, abstract: connectionless", "", "nothing";
    connection_bytes = 0, Derived, "no connections", "", "nothing";
    responses = ResponseScope::Message, Assumed, "only high-rate puts end by the switch; whether one response answers several packets is not published. One for each packet doubles the packets of a run and takes up to 2 % of a link", "message, packet", "latency of puts, load of the way back";
});

preset!(
    /// The Aries NIC (four per router ASIC). Aries moves 64-byte payloads; the model moves trains
    /// of them as one packet.
    NicParameters, aries, aries_provenance, {
    inline_max_bytes = 1_024, Assumed, "FMA: the core writes payload; block transfer beyond", "64 to 4096", "latency of small messages";
    command_ns = 150, Assumed, "share of the 1.2 us of edge latency (8 B MPI 1.3 us less one router)", "100 to 300", "absolute latency";
    dma_read_ns = 450, Assumed, "one PCIe Gen3 read round trip", "300 to 700", "latency beyond FMA";
    transmit_ns = 150, Assumed, "share of the 1.2 us of edge latency", "50 to 300", "absolute latency";
    receive_ns = 300, Assumed, "share of the 1.2 us of edge latency", "100 to 500", "absolute latency";
    accept_ns = 164, Assumed, "Cassini-1's part of receive_ns", "0 to 300", "latency of puts, reads and atomic operations";
    packet_gap_ps = 8_300, Published, "Cray XC network paper: 120 million puts per second", "", "message rate";
    operation_gap_ps = 0, Derived, "its rate of puts is published and stands in packet_gap_ps", "", "nothing";
    write_gap_ps = 0, Assumed, "nothing published: no limit", "0 to 20000", "rate of small operations";
    payload_max_bytes = 1_024, Assumed, "a train of sixteen 64-byte packets moves as one; smaller is truer and slower", "64 to 2048", "head-of-line blocking in small buffers";
    header_first_bytes = 8, Assumed, "request header of a train", "0 to 32", "small-packet bandwidth";
    header_next_bytes = 8, Assumed, "request header of a train", "0 to 32", "efficiency of large messages";
    unit_payload_bytes = 64, Published, "Cray XC network paper: packets of up to 64 bytes of data", "", "efficiency of large messages";
    unit_header_bytes = 16, Assumed, "headers, CRC and sideband of each 64-byte packet", "8 to 32", "efficiency of large messages";
    frame_min_bytes = 24, Assumed, "one short request", "9 to 64", "small-packet bandwidth";
    edge_gap_bytes = 0, Derived, "not an Ethernet", "", "nothing";
    ordered = false, Published, "adaptive routing per packet by default (ADAPTIVE_0)", "", "load balance over paths";
    eager_max_bytes = 8_192, Published, "MPICH_GNI_MAX_EAGER_MSG_SIZE default 8,192", "", "latency of medium messages";
    edge_pause = false, Published, "credits between NIC and router", "", "what holds a NIC back";
    match_offload = false, Published, "Aries has no matching; uGNI matches in software", "", "rendezvous latency";
    match_mode = MatchMode::Hardware, Derived, "not read: match_offload is false", "", "nothing";
    list_entries = 0, Derived, "not read: match_offload is false", "", "nothing";
    refused_retry_us = 1_000, Derived, "not read: match_offload is false", "", "nothing";
    match_entry_ns = 10, Assumed, "a step of a linked list that lies in a cache, and a comparison", "2 to 100 (a miss of all caches)", "cost of matching among many messages";
    connections_max = 0, Assumed, "its operations name a node and an address, and need no connection", "", "nothing";
    connection_bytes = 0, Derived, "no connections", "", "nothing";
    responses = ResponseScope::Switch, Assumed, "the bandwidth of its responses is part of the overhead of its packets", "switch, message, packet", "latency of puts, load of the way back";
});

preset!(
    /// NVIDIA ConnectX-7, 400 Gb/s NDR InfiniBand, in the host that Cassini-2 was measured in.
    NicParameters, connectx_7, connectx_7_provenance, {
    inline_max_bytes = 220, Assumed, "as ConnectX-5: common limit of inlined sends in its driver", "0 to 956", "small-message latency step";
    command_ns = 140, Assumed, "as Cassini-2: a store of the same host", "100 to 300", "absolute latency";
    dma_read_ns = 420, Assumed, "as Cassini-2: PCIe Gen5 of the same host", "300 to 600", "latency step beyond inline";
    transmit_ns = 160, Assumed, "with receive_ns: the vendor's under 0.6 us for a small write of ConnectX-6 (product brief), less the core and the store", "100 to 300", "absolute latency";
    receive_ns = 240, Assumed, "as transmit_ns", "150 to 450", "absolute latency";
    accept_ns = 131, Assumed, "Cassini-1's part of receive_ns", "50 to 240", "latency of puts, reads and atomic operations";
    packet_gap_ps = 3_000, Assumed, "sellers' data sheets: 330 to 370 million messages per second; the vendor's own was not found", "2700 to 5000", "message rate";
    operation_gap_ps = 0, Assumed, "its message rate stands in packet_gap_ps", "0 to 3000", "nothing";
    write_gap_ps = 4_444, Assumed, "as Cassini-2: a limit of the host, which is the same", "0 to 20000", "rate of small operations to one NIC";
    payload_max_bytes = 4_096, Published, "InfiniBand architecture: largest path MTU", "", "efficiency of large messages";
    header_first_bytes = 42, Derived, "InfiniBand architecture: local route header 8, base transport header 12, RDMA header 16, CRCs 4 and 2", "", "small-packet bandwidth";
    header_next_bytes = 26, Derived, "InfiniBand architecture: as the first without the RDMA header", "", "efficiency of large messages";
    unit_payload_bytes = 0, Derived, "no overhead below the packet", "", "nothing";
    unit_header_bytes = 0, Derived, "no overhead below the packet", "", "nothing";
    frame_min_bytes = 30, Derived, "InfiniBand architecture: an acknowledgement, 8 + 12 + 4 + 4 + 2", "", "small-packet bandwidth";
    edge_gap_bytes = 0, Derived, "not an Ethernet", "", "nothing";
    ordered = false, Assumed, "NVIDIA's bring-up guide: adaptive routing is on by default, and NICs since ConnectX-5 place packets of RDMA out of order", "false, or true with static routes", "load balance over paths";
    eager_max_bytes = 16_384, Assumed, "UCX chooses between eager and rendezvous by its own estimate, some 8 to 32 KiB", "8 KiB to 64 KiB", "latency of medium messages";
    edge_pause = false, Published, "InfiniBand architecture: credits on every link", "", "what holds a NIC back";
    match_offload = false, Assumed, "UCX: matching in the NIC exists and is off by default", "false or true", "rendezvous latency, cost of eager messages";
    match_mode = MatchMode::Hardware, Derived, "not read: match_offload is false", "", "nothing";
    list_entries = 0, Derived, "not read: match_offload is false", "", "nothing";
    refused_retry_us = 1_000, Derived, "not read: match_offload is false", "", "nothing";
    match_entry_ns = 0, Derived, "UCX finds receives of a known tag by a hash, and not along a list", "", "cost of matching among many messages";
    connections_max = 0, Assumed, "nothing published: no limit; UCX offers transports without connections", "0, or 5000 to 50000", "rate of small messages to many peers";
    connection_bytes = 375, Assumed, "as ConnectX-5", "", "nothing while connections_max is 0";
    responses = ResponseScope::Message, Derived, "InfiniBand volume 1 chapter 9: an acknowledgement answers all packets before it; the model's answers a message", "", "latency of puts, load of the way back";
});
