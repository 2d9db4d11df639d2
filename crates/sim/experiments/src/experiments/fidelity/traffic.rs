//! The load of both fidelities: the same packets, at the same times, from the same inputs to the
//! same outputs.

use philae_engine::RandomStream;
use philae_switch::tile::{Offer, PORTS, column_of, row_of};
use philae_units::{Bytes, LinkRate, Picoseconds, PortId};

/// Rate of every link.
pub const LINK: LinkRate = LinkRate::from_gbps(200);
/// Share of the hotspot's packets that are for port 0, in per cent.
pub const HOT_PERCENT: u32 = 10;

/// The pairs of inputs and outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PortPairs {
    /// Every packet to a random other port.
    Uniform,
    /// One packet in ten to port 0, the others to a random other port.
    Hotspot,
    /// Every input to the other port of its tile.
    TileNeighbours,
    /// A random permutation without fixed points.
    Permutation,
    /// The 16 inputs of the first row to the 8 outputs of the first column, two to each: all
    /// through one tile's crossbar.
    RowToColumn,
    /// The 16 inputs of the second row to port 0: all through one crossbar output. The load is per
    /// output.
    RowToPort,
}

impl PortPairs {
    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform random",
            Self::Hotspot => "hotspot",
            Self::TileNeighbours => "tile neighbours",
            Self::Permutation => "random permutation",
            Self::RowToColumn => "row to column",
            Self::RowToPort => "row to port",
        }
    }

    /// Inputs that share the load of one output's link, on average.
    const fn inputs_per_output(self) -> u64 {
        match self {
            Self::RowToPort => 16,
            Self::RowToColumn => 2,
            _ => 1,
        }
    }

    /// Outputs that the pattern sends to.
    pub const fn outputs(self) -> u64 {
        match self {
            Self::RowToPort => 1,
            Self::RowToColumn => 8,
            _ => PORTS as u64,
        }
    }
}

/// One load on one switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchLoad {
    /// The pairs of inputs and outputs.
    pub pattern: PortPairs,
    /// Size of every packet on the link.
    pub bytes: u32,
    /// Offered load, in per cent of the links of the outputs.
    pub percent: u32,
    /// Packets are offered until this time.
    pub end: Picoseconds,
}

impl SwitchLoad {
    /// Its label, for people.
    pub fn label(&self) -> String {
        format!("{}, {} B, {} %", self.pattern.name(), self.bytes, self.percent)
    }

    /// Time of one packet on a link.
    pub fn slot(&self) -> Picoseconds {
        LINK.serialization(Bytes(u64::from(self.bytes)))
    }

    /// Measurements count from here: a quarter of the run.
    pub const fn warm_up(&self) -> Picoseconds {
        Picoseconds(self.end.0 / 4)
    }

    /// The packets of each input.
    ///
    /// In each slot of one packet's time, out of phase between inputs, an input sends with the
    /// probability of its load (Bernoulli arrivals), so 100 % is a full link.
    pub fn offers(&self, seed: u64) -> Vec<Vec<Offer>> {
        /// Purposes of the draws.
        const PHASE: u64 = u64::from_be_bytes(*b"st-phase");
        const SENDS: u64 = u64::from_be_bytes(*b"st-sends");
        const OUTPUT: u64 = u64::from_be_bytes(*b"st-outpt");
        let slot = self.slot().0;
        let partners = permutation(seed);
        let per_slot = u64::from(self.percent) * 1_000_000 / 100 / self.pattern.inputs_per_output();
        let input = |input: u8| {
            let stream = |purpose| RandomStream::new(seed, u64::from(input), purpose);
            let (mut phase, mut sends, mut output) = (stream(PHASE), stream(SENDS), stream(OUTPUT));
            let first = u64::from(phase.below(slot as u32));
            let mut offers = Vec::new();
            for at in (first..self.end.0).step_by(slot as usize) {
                if u64::from(sends.below(1_000_000)) >= per_slot {
                    continue;
                }
                if let Some(output) = self.output(PortId(input), &partners, &mut output) {
                    offers.push(Offer { time: Picoseconds(at), output, bytes: self.bytes });
                }
            }
            offers
        };
        (0..PORTS as u8).map(input).collect()
    }

    /// The output of the next packet of an input; none if the pattern leaves the input idle.
    fn output(&self, input: PortId, partners: &[u8], stream: &mut RandomStream) -> Option<PortId> {
        let mut other = || PortId(((u32::from(input.0) + 1 + stream.below(PORTS as u32 - 1)) % PORTS as u32) as u8);
        match self.pattern {
            PortPairs::Uniform => Some(other()),
            PortPairs::Hotspot => {
                let random = other();
                let hot = input.0 != 0 && stream.below(100) < HOT_PERCENT;
                Some(if hot { PortId(0) } else { random })
            }
            PortPairs::TileNeighbours => Some(PortId(input.0 ^ 1)),
            PortPairs::Permutation => Some(PortId(partners[input.index()])),
            PortPairs::RowToColumn => (row_of(input) == 0).then(|| {
                let column: Vec<PortId> = (0..PORTS as u8).map(PortId).filter(|port| column_of(*port) == 0).collect();
                // Starting with the third, so that no port sends to itself.
                column[(input.index() + 2) % column.len()]
            }),
            PortPairs::RowToPort => (row_of(input) == 1).then_some(PortId(0)),
        }
    }
}

/// One cycle through all ports in random order: a permutation in which no port sends to itself.
fn permutation(seed: u64) -> Vec<u8> {
    const ORDER: u64 = u64::from_be_bytes(*b"st-order");
    let mut stream = RandomStream::new(seed, 0, ORDER);
    let mut order: Vec<u8> = (0..PORTS as u8).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, stream.below(last as u32 + 1) as usize);
    }
    let mut partners = vec![0; PORTS];
    for (place, &port) in order.iter().enumerate() {
        partners[usize::from(port)] = order[(place + 1) % PORTS];
    }
    partners
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(pattern: PortPairs, percent: u32) -> SwitchLoad {
        SwitchLoad { pattern, bytes: 1_024, percent, end: Picoseconds::from_micros(20) }
    }

    const ALL: [PortPairs; 6] = [
        PortPairs::Uniform,
        PortPairs::Hotspot,
        PortPairs::TileNeighbours,
        PortPairs::Permutation,
        PortPairs::RowToColumn,
        PortPairs::RowToPort,
    ];

    #[test]
    fn nobody_sends_to_itself_and_the_load_is_what_was_asked() {
        for pattern in ALL {
            let load = load(pattern, 80);
            let offers = load.offers(1);
            for (input, offers) in offers.iter().enumerate() {
                assert!(offers.iter().all(|offer| offer.output.index() != input), "{} {input}", pattern.name());
            }
            let offered: usize = offers.iter().map(Vec::len).sum();
            let full = load.end.0 / load.slot().0 * pattern.outputs();
            let share = offered as f64 / full as f64;
            assert!((0.74..0.86).contains(&share), "{}: {share}", pattern.name());
        }
    }

    #[test]
    fn at_full_load_a_permutation_fills_every_output_once() {
        for pattern in [PortPairs::TileNeighbours, PortPairs::Permutation] {
            let offers = load(pattern, 100).offers(5);
            let mut outputs: Vec<u8> = offers.iter().map(|offers| offers[0].output.0).collect();
            assert!(offers.iter().all(|offers| offers.windows(2).all(|pair| pair[0].output == pair[1].output)));
            outputs.sort_unstable();
            assert!(outputs.into_iter().eq(0..PORTS as u8), "{}", pattern.name());
        }
    }
}
