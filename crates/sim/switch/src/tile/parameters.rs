//! Parameters of the inside of a switch.

use philae_units::preset;

/// A switch at `tile` fidelity.
///
/// The structure, the width of the data crossbar and the time of a whole crossing are published.
/// The division of that time into stages is assumed. The stages add up to it (a test checks that),
/// and an idle crossing does not depend on the division.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileParameters {
    /// Clock of the switching logic, in MHz.
    pub clock_mhz: u32,
    /// Width of a row bus, a crossbar and a column channel, in bytes per clock.
    pub bus_bytes: u32,
    /// Error correction of the link into the input, in nanoseconds.
    pub fec_ns: u32,
    /// Peripheral block of the input (SerDes, MAC, link retry, lookup) and the choice of the
    /// output, in nanoseconds.
    pub receive_ns: u32,
    /// Full width of the uniform spread of the input's peripheral block, in nanoseconds.
    pub latency_spread_ns: u32,
    /// Request crossbar: from the input's tile to the output's, in nanoseconds.
    pub request_ns: u32,
    /// The output's choice among requests, in nanoseconds (pipelined: one choice a clock).
    pub arbitrate_ns: u32,
    /// Grant crossbar: from the output's tile to the input's, in nanoseconds.
    pub grant_ns: u32,
    /// From the input buffer over the row bus to the tile of the output's column, in nanoseconds.
    pub row_bus_ns: u32,
    /// Through that tile's 16-to-8 crossbar, in nanoseconds.
    pub crossbar_ns: u32,
    /// From the crossbar's output queue over the column channel, in nanoseconds.
    pub column_ns: u32,
    /// Through the output's 4-to-1 multiplexer, in nanoseconds.
    pub mux_ns: u32,
    /// Peripheral block of the output, in nanoseconds.
    pub transmit_ns: u32,
    /// Queue behind each crossbar output, in bytes; a grant reserves a packet's place in it.
    pub crossbar_queue_bytes: u32,
    /// Time of a credit from a crossbar output's queue to the arbiter that grants places in it, in
    /// nanoseconds.
    pub crossbar_credit_ns: u32,
    /// Queue between the multiplexer and the link of each output, in bytes.
    pub output_queue_bytes: u32,
    /// Time of a credit from the input buffer to the sender at the other end of the link, in
    /// nanoseconds.
    pub link_credit_ns: u32,
    /// Bytes of an input buffer kept for its channel.
    pub buffer_reserve_bytes: u32,
    /// Bytes of an input buffer that channels would share; the one channel of this model may use
    /// them all.
    pub buffer_shared_bytes: u32,
}

preset!(
    /// Rosetta, first generation.
    TileParameters, rosetta, rosetta_provenance, {
    clock_mhz = 850, Assumed, "not published for Rosetta; Rosetta-2 runs at 1 GHz (Slingshot 400 paper), and 521 MHz is the least at which 48 B a clock carry 200 Gb/s", "521 to 1000", "throughput of uniform traffic near its lower end, where buses are no faster than links";
    bus_bytes = 48, Published, "SC20 II-A: the data crossbar is 48 B wide", "", "as the clock";
    fec_ns = 50, Assumed, "as at port fidelity: low-latency FEC; its share of the published 350 ns is not given, and the sum does not depend on it", "0 to 120", "nothing beyond the sum of a crossing";
    receive_ns = 130, Assumed, "the largest part of what FEC leaves of the crossing: SerDes, MAC, lookup and path choice come before the request", "50 to 200", "latency of every crossing";
    latency_spread_ns = 60, Assumed, "as at port fidelity: SC20 Fig 2 shows all but a few crossings within 300-400 ns, which an idle tile structure does not explain", "0 to 100", "spread of quiet latency";
    request_ns = 24, Assumed, "about 20 clocks across two hops of tiles", "5 to 50", "latency of every crossing";
    arbitrate_ns = 12, Assumed, "about 10 clocks: 16 to 1 in a row, then 4 to 1", "2 to 30", "latency of every crossing";
    grant_ns = 24, Assumed, "the return path of the request", "5 to 50", "latency of every crossing";
    row_bus_ns = 14, Assumed, "about 12 clocks along a row of eight tiles, the same for all of them since no difference between tiles is visible (SC20 II-A)", "5 to 30", "latency of every crossing";
    crossbar_ns = 10, Assumed, "about 8 clocks", "2 to 20", "latency of every crossing";
    column_ns = 14, Assumed, "as the row bus, there being nothing to tell them apart by", "5 to 30", "latency of every crossing";
    mux_ns = 5, Assumed, "about 4 clocks", "1 to 10", "latency of every crossing";
    transmit_ns = 55, Assumed, "288 ns less the other stages; 288 ns is 350 ns (SC20 Fig 2) less 12 ns of copper and the link's FEC", "20 to 120", "latency of every crossing";
    crossbar_queue_bytes = 8_704, Assumed, "two packets of 4 KiB with headers: one arrives while one leaves; 2.1 MiB in all 256", "4,352 to 32 KiB", "p99 to a loaded port";
    crossbar_credit_ns = 14, Assumed, "as the column channel, in the other direction", "5 to 50", "hardly anything: the queue covers it";
    output_queue_bytes = 17_408, Assumed, "four packets of 4 KiB with headers, one from each row; 1.1 MiB in all 64", "4,352 to 64 KiB", "throughput of uniform traffic at its lower end, p99 above it";
    link_credit_ns = 150, Assumed, "as at port fidelity: a credit loop has two logic turns, taken as 0.3 us together", "50 to 300", "buffer needed for full rate";
    buffer_reserve_bytes = 16_384, Assumed, "as at port fidelity", "8 KiB to 64 KiB", "latency to a loaded port";
    buffer_shared_bytes = 212_992, Assumed, "as at port fidelity", "64 KiB to 1 MiB", "latency to a loaded port";
});

impl TileParameters {
    /// Time of a header from the pins of an idle input to the pins of an idle output, in
    /// nanoseconds: the middle of the spread.
    #[must_use]
    pub const fn crossing_ns(&self) -> u32 {
        self.fec_ns
            + self.receive_ns
            + self.request_ns
            + self.arbitrate_ns
            + self.grant_ns
            + self.row_bus_ns
            + self.crossbar_ns
            + self.column_ns
            + self.mux_ns
            + self.transmit_ns
    }

    /// One clock, in picoseconds, rounded up.
    #[inline]
    #[must_use]
    pub const fn clock_ps(&self) -> u64 {
        1_000_000_u64.div_ceil(self.clock_mhz as u64)
    }

    /// Time for which a packet of `bytes` that has arrived in full occupies a bus, in picoseconds.
    #[inline]
    #[must_use]
    pub const fn occupancy_ps(&self, bytes: u32) -> u64 {
        bytes.div_ceil(self.bus_bytes) as u64 * self.clock_ps()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::port::SwitchParameters;
    use philae_units::{Bytes, LinkRate};

    #[test]
    fn the_stages_add_up_to_the_published_crossing() {
        // SC'20 Fig. 2 measures two switches less one, so one cable is in it: 2.3 m of copper at 5
        // ns a metre.
        const CABLE_NS: u32 = 12;
        let tile = TileParameters::rosetta();
        assert_eq!(tile.crossing_ns() + CABLE_NS, 350);
        let port = SwitchParameters::rosetta();
        assert_eq!(tile.crossing_ns(), port.latency_ns + port.fec_ns, "both fidelities agree on an idle switch");
    }

    #[test]
    fn parameters_of_both_fidelities_agree() {
        let (tile, port) = (TileParameters::rosetta(), SwitchParameters::rosetta());
        assert_eq!((tile.fec_ns, tile.latency_spread_ns), (port.fec_ns, port.latency_spread_ns));
        assert_eq!(tile.link_credit_ns, port.credit_latency_ns);
        assert_eq!(tile.buffer_reserve_bytes, port.buffer_reserve_bytes);
        assert_eq!(tile.buffer_shared_bytes, port.buffer_shared_bytes);
    }

    #[test]
    fn a_bus_is_faster_than_a_link() {
        let tile = TileParameters::rosetta();
        let link = LinkRate::from_gbps(200);
        for bytes in [64, 1_024, 2_048, 4_096] {
            assert!(tile.occupancy_ps(bytes) < link.serialization(Bytes(u64::from(bytes))).0, "{bytes} B");
        }
        assert_eq!(tile.occupancy_ps(49), 2 * tile.clock_ps(), "the last clock carries one byte");
    }
}
