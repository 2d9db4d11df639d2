//! The figures of a switch.

use philae_units::preset;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// To what an output is fair: who takes turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fairness {
    /// The inputs that have packets for it.
    Input,
    /// The flows that have packets for it: each has a queue of its own.
    Flow,
}

/// A switch at `port` fidelity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SwitchParameters {
    /// Time from a header's arrival at an input to its departure at an idle output, median, in nanoseconds.
    pub latency_ns: u32,
    /// Time that forward error correction adds to each link, in nanoseconds.
    pub fec_ns: u32,
    /// Full width of the uniform spread around the median (arbitration phase, tile distance), in nanoseconds.
    pub latency_spread_ns: u32,
    /// Crossings of a million that take longer than the spread says: outliers. 0: none.
    pub outliers_per_million: u32,
    /// The most by which an outlier exceeds the median, in nanoseconds; even from half of the spread up to this.
    pub outlier_max_ns: u32,
    /// Time that the retiming at both ends of an optical cable adds to it, in nanoseconds.
    pub optical_cable_ns: u32,
    /// Time a credit or a pause frame spends in the logic of both ends, in nanoseconds.
    pub credit_latency_ns: u32,
    /// Time an end-to-end acknowledgement spends in each switch, in nanoseconds.
    pub ack_latency_ns: u32,
    /// Bytes that acknowledgements add in the reverse direction per packet forwarded.
    pub ack_overhead_bytes: u32,
    /// Bytes of an input buffer kept for each channel (traffic class and leg).
    pub buffer_reserve_bytes: u32,
    /// Bytes of an input buffer that all channels share.
    pub buffer_shared_bytes: u32,
    /// Occupancy of an edge input buffer at which the NIC is paused, in bytes; each class has an equal part of it.
    pub pause_on_bytes: u32,
    /// Occupancy at which it may continue, in bytes.
    pub pause_off_bytes: u32,
    /// Age of a switch's load values of its neighbours' ports, in nanoseconds.
    pub load_age_ns: u32,
    /// Traffic classes that it distinguishes.
    pub classes_max: u8,
    /// Time over which a traffic class may catch up on a share of a link that it did not use, in nanoseconds.
    pub class_window_ns: u32,
    /// To what its outputs are fair: `input` or `flow`.
    pub fairness: Fairness,
    /// Flow queues of each channel of an output, if outputs are fair to flows: 1 to 65535. Packets of further flows wait
    /// in order of arrival until a queue is free.
    pub flow_queues: u16,
}

preset!(
    /// Rosetta, first generation, 64 ports of 200 Gb/s.
    SwitchParameters, rosetta, rosetta_provenance, {
    latency_ns = 288, Derived, "SC20 Fig 2: 350 ns median for 2 hops minus 1 hop, less 12 ns of copper (2.3 m at 5 ns/m) and the link's error correction", "", "latency of every hop";
    fec_ns = 50, Assumed, "low-latency FEC (25G Ethernet Consortium); its share of the 350 ns is not published, and the sum does not depend on it", "0 to 120", "latency of the edge links";
    latency_spread_ns = 60, Assumed, "SC20 Fig 2 shows all but a few crossings within 300-400 ns; the shape inside is not given", "0 to 100", "spread of quiet latency";
    outliers_per_million = 0, Assumed, "off; SC20 Fig 2 has a few outliers beyond 300-400 ns, and does not say how many", "0 to 10000", "tail of quiet latency";
    outlier_max_ns = 250, Published, "SC20 Fig 2: the axis ends at 600 ns, 250 ns above the median", "", "tail of quiet latency";
    optical_cable_ns = 0, Assumed, "off; not published for cables of 200 Gb/s. Lanes of 50 Gb/s PAM4 are usually retimed at both ends, by processors that take about 50 ns each", "0 to 120", "latency between groups";
    credit_latency_ns = 150, Assumed, "a credit loop has two logic turns, taken as 0.3 us together; not published", "50 to 300", "buffer needed for full rate on long links";
    ack_latency_ns = 100, Assumed, "acks have a crossbar of their own and no queue (SC20 II-A); time per switch not published", "50 to 350", "round trip seen by flow control";
    ack_overhead_bytes = 4, Published, "SC20 II-C: four bytes in the reverse direction per packet on average", "", "small-packet bandwidth";
    buffer_reserve_bytes = 16_384, Assumed, "four 4 KiB packets and headers per channel; not published", "8 KiB to 64 KiB", "isolation between classes and legs";
    buffer_shared_bytes = 212_992, Assumed, "256 KiB per port with three channels, 16 MiB per ASIC, in line with 16 nm switches of that time; not published", "64 KiB to 1 MiB", "onset of tree saturation";
    pause_on_bytes = 196_608, Assumed, "three quarters of the buffer: the rest absorbs what is in flight", "64 KiB to 208 KiB", "other packets that a paused NIC blocks";
    pause_off_bytes = 131_072, Assumed, "half of the buffer, so that the link does not run dry", "32 KiB to pause_on", "throughput of paused NICs";
    load_age_ns = 250, Assumed, "carried by acks between neighbours (SC20 II-C): about one link round trip", "50 to 2000", "accuracy of adaptive routing under bursts";
    classes_max = 8, Published, "Slingshot 400 III-E: twelve network traffic classes, four more than the first generation", "", "nothing: more are refused";
    class_window_ns = 4_000, Assumed, "a few full packets at a share of a few per cent; the shaper's burst is not published", "1000 to 100000", "latency of a class with a small share";
    fairness = Fairness::Flow, Published, "US patents 11,777,843 and 11,818,037: outputs are fair to flows; a queue for each flow (Slingshot 400 III-A)", "", "shares of flows that meet at an output";
    flow_queues = 2_048, Published, "Slingshot 400 III-A: 2,048 flow queues per port", "", "flows that wait behind others at very large scale";
});

preset!(
    /// Rosetta-2, 64 ports of 400 Gb/s.
    SwitchParameters, rosetta_2, rosetta_2_provenance, {
    latency_ns = 238, Derived, "Slingshot 400 IV-A: 300 ns per further switch, less 12 ns of cable and the link's error correction", "", "latency of every hop";
    fec_ns = 50, Assumed, "as Rosetta", "0 to 120", "latency of the edge links";
    latency_spread_ns = 50, Assumed, "Rosetta's spread scaled with its latency", "0 to 100", "spread of quiet latency";
    outliers_per_million = 0, Assumed, "off; no distribution published", "0 to 10000", "tail of quiet latency";
    outlier_max_ns = 250, Assumed, "as Rosetta", "100 to 500", "tail of quiet latency";
    optical_cable_ns = 100, Published, "Slingshot 400 IV-A: 100 ns or more per digital optical cable; the least is taken", "", "latency between groups";
    credit_latency_ns = 130, Assumed, "Rosetta's figure scaled with the clock", "50 to 300", "buffer needed for full rate on long links";
    ack_latency_ns = 85, Assumed, "Rosetta's figure scaled with the clock", "50 to 300", "round trip seen by flow control";
    ack_overhead_bytes = 4, Published, "SC20 II-C, carried over", "", "small-packet bandwidth";
    buffer_reserve_bytes = 32_768, Assumed, "Rosetta's figure scaled with the rate", "8 KiB to 128 KiB", "isolation between classes and legs";
    buffer_shared_bytes = 425_984, Assumed, "Rosetta's figure scaled with the rate", "128 KiB to 2 MiB", "onset of tree saturation";
    pause_on_bytes = 393_216, Assumed, "Rosetta's figure scaled with the rate", "128 KiB to 416 KiB", "other packets that a paused NIC blocks";
    pause_off_bytes = 262_144, Assumed, "Rosetta's figure scaled with the rate", "64 KiB to pause_on", "throughput of paused NICs";
    load_age_ns = 220, Assumed, "as Rosetta", "50 to 2000", "accuracy of adaptive routing under bursts";
    classes_max = 12, Published, "Slingshot 400 III-E", "", "nothing: more are refused";
    class_window_ns = 4_000, Assumed, "a few full packets at a share of a few per cent; the shaper's burst is not published", "1000 to 100000", "latency of a class with a small share";
    fairness = Fairness::Flow, Published, "US patents 11,777,843 and 11,818,037: outputs are fair to flows; a queue for each flow (Slingshot 400 III-A)", "", "shares of flows that meet at an output";
    flow_queues = 2_048, Published, "Slingshot 400 III-A: 2,048 flow queues per port", "", "flows that wait behind others at very large scale";
});

preset!(
    /// The Aries router of Cray XC: 48 tiles, 4 NICs.
    SwitchParameters, aries, aries_provenance, {
    latency_ns = 100, Published, "Cray XC network paper: about 100 ns per hop", "", "latency of every hop";
    fec_ns = 0, Derived, "Aries links have checksums and retry, no forward error correction", "", "nothing";
    latency_spread_ns = 20, Assumed, "no distribution published", "0 to 50", "spread of quiet latency";
    outliers_per_million = 0, Assumed, "no distribution published", "0 to 10000", "tail of quiet latency";
    outlier_max_ns = 100, Assumed, "no distribution published", "50 to 500", "tail of quiet latency";
    optical_cable_ns = 0, Assumed, "lanes of 12.5 Gb/s need no retiming in the cable", "0 to 20", "latency between groups";
    credit_latency_ns = 50, Assumed, "half a router crossing", "20 to 150", "throughput over long links";
    ack_latency_ns = 100, Assumed, "responses cross the router like requests", "50 to 200", "completion of puts";
    ack_overhead_bytes = 0, Assumed, "responses use virtual channels of their own; their bandwidth is part of the packet overhead", "0 to 16", "small-packet bandwidth";
    buffer_reserve_bytes = 16_384, Assumed, "per virtual channel of an electrical or optical link; CODES models 8 KiB node, 16 KiB local, 8 KiB global (codes-org/codes network configurations)", "8 KiB to 64 KiB", "onset of tree saturation";
    buffer_shared_bytes = 0, Assumed, "virtual channels do not share (as CODES models Aries)", "0 to 64 KiB", "onset of tree saturation";
    pause_on_bytes = 8_192, Assumed, "unused: Aries NICs are held by credits", "", "nothing";
    pause_off_bytes = 4_096, Assumed, "unused: Aries NICs are held by credits", "", "nothing";
    load_age_ns = 200, Assumed, "two router crossings", "50 to 2000", "accuracy of adaptive routing under bursts";
    classes_max = 2, Assumed, "virtual channels for requests and for responses; Aries has no traffic classes", "1 to 4", "nothing: more are refused";
    class_window_ns = 4_000, Assumed, "a few full packets at a share of a few per cent; the shaper's burst is not published", "1000 to 100000", "latency of a class with a small share";
    fairness = Fairness::Input, Assumed, "no flow queues are published", "input, flow", "shares of flows that meet at an output";
    flow_queues = 2_048, Published, "Slingshot 400 III-A: 2,048 flow queues per port", "", "flows that wait behind others at very large scale";
});

preset!(
    /// An NDR InfiniBand switch, NVIDIA Quantum-2: 64 ports of 400 Gb/s.
    SwitchParameters, quantum_2, quantum_2_provenance, {
    latency_ns = 180, Assumed, "NVIDIA published 130 ns for Quantum, the generation before; for Quantum-2 sellers' pages say from under 150 to 330 ns and nothing measured was found", "130 to 330", "latency of every hop";
    fec_ns = 50, Assumed, "as Rosetta-2: low-latency Reed-Solomon code on lanes of 100 Gb/s", "0 to 120", "latency of the edge links";
    latency_spread_ns = 20, Assumed, "no distribution published", "0 to 100", "spread of quiet latency";
    outliers_per_million = 0, Assumed, "no distribution published", "0 to 10000", "tail of quiet latency";
    outlier_max_ns = 100, Assumed, "no distribution published", "50 to 500", "tail of quiet latency";
    optical_cable_ns = 100, Assumed, "as Rosetta-2: cables of 400 Gb/s have the same modules", "0 to 150", "latency between leaf and spine";
    credit_latency_ns = 130, Assumed, "as Rosetta-2", "50 to 300", "buffer needed for full rate on long links";
    ack_latency_ns = 180, Assumed, "acknowledgements cross the switch as packets", "130 to 330", "completion of puts";
    ack_overhead_bytes = 0, Assumed, "acknowledgements of 30 bytes stand for many packets", "0 to 8", "small-packet bandwidth";
    buffer_reserve_bytes = 32_768, Assumed, "not published; as Rosetta-2, so that buffers make no difference between the two", "8 KiB to 128 KiB", "isolation between classes";
    buffer_shared_bytes = 425_984, Assumed, "not published; as Rosetta-2, so that buffers make no difference between the two", "128 KiB to 2 MiB", "onset of tree saturation";
    pause_on_bytes = 393_216, Assumed, "unused: InfiniBand NICs are held by credits", "", "nothing";
    pause_off_bytes = 262_144, Assumed, "unused: InfiniBand NICs are held by credits", "", "nothing";
    load_age_ns = 220, Assumed, "unused where routing reads local ports only, as on a fat tree", "50 to 2000", "nothing on a fat tree";
    classes_max = 8, Assumed, "virtual lanes for data: the architecture allows 15, switches of the line have had 8", "1 to 15", "nothing: more are refused";
    class_window_ns = 4_000, Assumed, "as Rosetta-2", "1000 to 100000", "latency of a class with a small share";
    fairness = Fairness::Input, Assumed, "no flow queues are published: arbitration among inputs", "input, flow", "shares of flows that meet at an output";
    flow_queues = 2_048, Published, "Slingshot 400 III-A: 2,048 flow queues per port", "", "flows that wait behind others at very large scale";
});
