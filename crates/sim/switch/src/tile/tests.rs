//! The switch as a whole: idle crossings, contention, every parameter, and each law broken once.

use philae_engine::RandomStream;
use philae_units::{LinkRate, Picoseconds, PortId};
use proptest::prelude::*;

use crate::tile::audit;
use crate::tile::layout::{PORTS, row_of, tile_of};
use crate::tile::packet::PacketStage;
use crate::tile::{Crossing, Offer, TileError, TileParameters, TileSwitch};

const LINK: LinkRate = LinkRate::from_gbps(200);

fn offer(at_ns: u64, output: u8, bytes: u32) -> Offer {
    Offer { time: Picoseconds::from_nanos(at_ns), output: PortId(output), bytes }
}

fn no_offers() -> Vec<Vec<Offer>> {
    vec![Vec::new(); PORTS]
}

/// Runs to the end. Returns every crossing and the digest.
fn run(parameters: TileParameters, offers: Vec<Vec<Offer>>) -> (Vec<Crossing>, u64) {
    let offered: usize = offers.iter().map(Vec::len).sum();
    let mut switch = TileSwitch::new(parameters, LINK, 1, offers).expect("it builds");
    let mut crossings = Vec::new();
    switch.run(Picoseconds::MAX, |crossing| crossings.push(crossing)).expect("the laws hold");
    assert_eq!(crossings.len(), offered, "everything that was offered has crossed");
    assert_eq!((switch.launched(), switch.departed()), (offered as u64, offered as u64));
    (crossings, switch.digest())
}

fn latency(crossing: &Crossing) -> u64 {
    (crossing.departed - crossing.arrived).0
}

fn quiet() -> TileParameters {
    TileParameters { latency_spread_ns: 0, ..TileParameters::rosetta() }
}

/// Traffic that uses everything: random packets from all inputs, and bursts of two rows to one
/// port.
fn mixture(seed: u64) -> Vec<Vec<Offer>> {
    let mut stream = RandomStream::new(seed, 0, 0);
    let mut offers = no_offers();
    for (input, list) in offers.iter_mut().enumerate() {
        let mut now = 0;
        for number in 0..60 {
            now += u64::from(stream.below(120_000));
            let burst = input < 32 && number % 3 == 0;
            let output = if burst { 5 } else { stream.below(64) as u8 };
            let bytes = [64, 500, 2_048, 4_158][stream.below(4) as usize];
            list.push(Offer { time: Picoseconds(now), output: PortId(output), bytes });
        }
    }
    offers
}

/// The crossing of one packet of `bytes` through an idle switch.
fn idle(input: u8, output: u8, bytes: u32) -> u64 {
    let mut offers = no_offers();
    offers[usize::from(input)].push(offer(10, output, bytes));
    latency(&run(quiet(), offers).0[0])
}

#[test]
fn an_idle_crossing_is_the_sum_of_the_stages_for_every_tile_and_every_size() {
    let expected = u64::from(quiet().crossing_ns()) * 1_000;
    for (input, output) in [(0, 1), (0, 2), (0, 16), (19, 56), (63, 0), (62, 63), (7, 7)] {
        for bytes in [64, 1_024, 4_158] {
            let tile = if tile_of(PortId(input)) == tile_of(PortId(output)) { "same" } else { "other" };
            assert_eq!(idle(input, output, bytes), expected, "{bytes} B from {input} to {output}, {tile} tile");
        }
    }
}

#[test]
fn the_tail_of_a_packet_that_a_bus_carries_slower_than_the_link_is_waited_for() {
    // 49 B need two clocks on the bus: 2.35 ns; on the link 1.96 ns.
    let late = idle(0, 40, 49) - u64::from(quiet().crossing_ns()) * 1_000;
    assert_eq!(late, quiet().occupancy_ps(49) - 49 * 40, "the link starts when it will not run dry");
}

#[test]
fn a_row_bus_and_a_crossbar_output_carry_one_packet_at_a_time() {
    // At 100 MHz a bus is slower than a link, so that it decides.
    let slow = TileParameters { clock_mhz: 100, ..quiet() };
    let packets = 10;
    let spacing = |offers: Vec<Vec<Offer>>| {
        let crossings = run(slow.clone(), offers).0;
        (crossings[packets - 1].departed - crossings[packets - 2].departed).0
    };
    let mut one_bus = no_offers();
    one_bus[3].extend((0..packets).map(|number| offer(0, 20 + (number % 2) as u8, 2_048)));
    assert_eq!(spacing(one_bus), slow.occupancy_ps(2_048), "one input to two ports");
    let mut one_crossbar_output = no_offers();
    for input in [3, 4] {
        one_crossbar_output[input].extend((0..packets / 2).map(|_| offer(0, 20, 2_048)));
    }
    assert_eq!(spacing(one_crossbar_output), slow.occupancy_ps(2_048), "two inputs of a row to one port");
}

#[test]
fn a_packet_for_a_busy_port_does_not_hold_up_its_bus() {
    // A whole row wants port 20. Only one input, which sends to both, wants port 21.
    let mut offers = no_offers();
    offers[1].extend((0..4).map(|_| offer(0, 20, 4_096)));
    for list in &mut offers[16..32] {
        list.extend((0..8).map(|_| offer(0, 20, 4_096)));
    }
    let alone = run(quiet(), offers.clone()).0;
    offers[1].extend((0..4).map(|_| offer(0, 21, 4_096)));
    let both = run(quiet(), offers).0;
    let of = |crossings: &[Crossing]| -> Vec<u64> {
        crossings
            .iter()
            .filter(|crossing| crossing.input == PortId(1) && crossing.output == PortId(20))
            .map(latency)
            .collect()
    };
    assert_eq!(of(&alone).len(), of(&both).len());
    let to_21: Vec<u64> = both.iter().filter(|crossing| crossing.output == PortId(21)).map(latency).collect();
    let slowest = to_21.iter().max().expect("they cross");
    let idle = u64::from(quiet().crossing_ns()) * 1_000;
    assert!(*slowest < idle + 2 * quiet().occupancy_ps(4_096), "a busy port 20 does not hold up port 21: {slowest} ps");
}

#[test]
fn a_contended_port_is_shared_evenly_and_never_idle() {
    let mut offers = no_offers();
    for list in offers.iter_mut().take(64) {
        list.extend((0..20).map(|_| offer(0, 9, 2_048)));
    }
    let crossings = run(quiet(), offers).0;
    let first = crossings.first().expect("they cross").departed;
    let last = crossings.last().expect("they cross").departed;
    let link = LINK.serialization(philae_units::Bytes(2_048)).0;
    assert_eq!((last - first).0, (crossings.len() as u64 - 1) * link, "the link of port 9 never waits");
    let mut served = [0_u32; PORTS];
    for crossing in &crossings[..64 * 10] {
        served[crossing.input.index()] += 1;
    }
    assert!(served.iter().all(|count| (8..=12).contains(count)), "{served:?}");
}

#[test]
fn a_permutation_runs_at_the_rate_of_the_links() {
    // Every input has its own bus, crossbar output and multiplexer, whatever the permutation.
    let mut offers = no_offers();
    for (input, list) in offers.iter_mut().enumerate() {
        let output = (input * 37 + 11) % PORTS;
        list.extend((0..50).map(|number| Offer {
            time: Picoseconds(number * 40 * 1_024),
            output: PortId(output as u8),
            bytes: 1_024,
        }));
    }
    let expected = u64::from(quiet().crossing_ns()) * 1_000;
    assert!(run(quiet(), offers).0.iter().all(|crossing| latency(crossing) == expected));
}

#[test]
fn packets_of_one_input_to_one_output_keep_their_order() {
    let (crossings, _) = run(TileParameters::rosetta(), mixture(3));
    let mut last = vec![Picoseconds::ZERO; PORTS * PORTS];
    for crossing in crossings {
        let before = &mut last[crossing.input.index() * PORTS + crossing.output.index()];
        assert!(crossing.arrived > *before || *before == Picoseconds::ZERO, "no packet overtakes");
        *before = crossing.arrived;
    }
}

#[test]
fn the_same_seed_gives_the_same_run_and_stopping_in_between_does_not_show() {
    let (crossings, digest) = run(TileParameters::rosetta(), mixture(4));
    assert_eq!(run(TileParameters::rosetta(), mixture(4)), (crossings.clone(), digest));
    let mut switch = TileSwitch::new(TileParameters::rosetta(), LINK, 1, mixture(4)).expect("it builds");
    let mut stopped = Vec::new();
    for end in 1..20 {
        switch.run(Picoseconds::from_nanos(end * 777), |crossing| stopped.push(crossing)).expect("the laws hold");
    }
    switch.run(Picoseconds::MAX, |crossing| stopped.push(crossing)).expect("the laws hold");
    assert_eq!((stopped, switch.digest()), (crossings, digest));
}

#[test]
fn every_parameter_changes_a_result() {
    type Change = (&'static str, fn(&mut TileParameters));
    let changes: [Change; 19] = [
        ("clock_mhz", |tile| tile.clock_mhz = 700),
        ("bus_bytes", |tile| tile.bus_bytes = 64),
        ("fec_ns", |tile| tile.fec_ns += 1),
        ("receive_ns", |tile| tile.receive_ns += 1),
        ("latency_spread_ns", |tile| tile.latency_spread_ns = 20),
        ("request_ns", |tile| tile.request_ns += 1),
        ("arbitrate_ns", |tile| tile.arbitrate_ns += 1),
        ("grant_ns", |tile| tile.grant_ns += 1),
        ("row_bus_ns", |tile| tile.row_bus_ns += 1),
        ("crossbar_ns", |tile| tile.crossbar_ns += 1),
        ("column_ns", |tile| tile.column_ns += 1),
        ("mux_ns", |tile| tile.mux_ns += 1),
        ("transmit_ns", |tile| tile.transmit_ns += 1),
        ("crossbar_queue_bytes", |tile| tile.crossbar_queue_bytes = 5_000),
        ("crossbar_credit_ns", |tile| tile.crossbar_credit_ns = 200),
        ("output_queue_bytes", |tile| tile.output_queue_bytes = 5_000),
        ("link_credit_ns", |tile| tile.link_credit_ns = 600),
        ("buffer_reserve_bytes", |tile| tile.buffer_reserve_bytes = 9_000),
        ("buffer_shared_bytes", |tile| tile.buffer_shared_bytes = 2_000),
    ];
    // Buffers small enough to fill.
    let base = TileParameters { buffer_reserve_bytes: 10_000, buffer_shared_bytes: 4_000, ..TileParameters::rosetta() };
    let before = run(base.clone(), mixture(5)).0;
    for (name, change) in changes {
        let mut changed = base.clone();
        change(&mut changed);
        assert_ne!(changed, base, "{name} is a change");
        assert_ne!(run(changed, mixture(5)).0, before, "changing {name} changes nothing");
    }
    assert_eq!(TileParameters::rosetta_provenance().len(), changes.len(), "every parameter is in the list");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn every_offered_packet_crosses(
        packets in prop::collection::vec((0_usize..64, 0_u64..2_000, 0_u8..64, 1_u32..5_000), 1..300),
        crossbar in 5_000_u32..20_000,
        output in 5_000_u32..20_000,
        reserve in 5_000_u32..20_000,
    ) {
        let mut offers = no_offers();
        for (input, offered_ns, port, bytes) in packets {
            // A quarter of the ports, so that packets contend.
            offers[input / 4].push(offer(offered_ns, port / 4, bytes));
        }
        offers.iter_mut().for_each(|list| list.sort_by_key(|offer| offer.time));
        let parameters = TileParameters {
            crossbar_queue_bytes: crossbar,
            output_queue_bytes: output,
            buffer_reserve_bytes: reserve,
            buffer_shared_bytes: 0,
            ..TileParameters::rosetta()
        };
        let crossings = run(parameters.clone(), offers).0;
        let least = u64::from(parameters.crossing_ns() - parameters.latency_spread_ns / 2) * 1_000;
        prop_assert!(crossings.iter().all(|crossing| latency(crossing) >= least), "nothing is faster than an idle switch");
    }
}

/// A busy switch, stopped in the middle.
fn busy() -> TileSwitch {
    let mut switch = TileSwitch::new(TileParameters::rosetta(), LINK, 1, mixture(6)).expect("it builds");
    switch.run(Picoseconds::from_nanos(2_000), |_| {}).expect("an honest run passes");
    for stage in [PacketStage::Requested, PacketStage::CrossbarQueue, PacketStage::OutputQueue] {
        assert!(switch.packets.iter().any(|packet| packet.stage == stage), "a packet is {stage:?}");
    }
    switch
}

fn broken(breakage: impl FnOnce(&mut TileSwitch)) -> String {
    let mut switch = busy();
    breakage(&mut switch);
    audit::check(&switch).expect_err("a broken law is caught").to_string()
}

#[test]
fn a_lost_packet_is_caught() {
    let message = broken(|switch| switch.launched += 1);
    assert!(message.contains("packets came in"), "{message}");
}

#[test]
fn a_queue_that_loses_a_packet_is_caught() {
    let message = broken(|switch| {
        let queue = switch.requested.iter_mut().find(|queue| !queue.is_empty()).expect("a packet waits");
        queue.pop_front();
    });
    assert!(message.contains("are in the place requested and their queues hold"), "{message}");
}

#[test]
fn a_lost_credit_of_an_input_buffer_is_caught() {
    let message = broken(|switch| switch.sources[3].used_bytes += 64);
    assert!(message.contains("buffer of input 3"), "{message}");
}

#[test]
fn a_lost_credit_of_a_crossbar_output_is_caught() {
    let message = broken(|switch| {
        let taken = switch.accounts.iter_mut().find(|account| account.reserved_bytes > 0);
        taken.expect("a place is taken").reserved_bytes -= 1;
    });
    assert!(message.contains("crossbar output from row"), "{message}");
}

#[test]
fn a_lost_credit_of_an_output_queue_is_caught() {
    let message = broken(|switch| {
        let output = switch.outputs.iter_mut().find(|output| !output.credits.is_empty());
        output.expect("a tail is leaving").credits.pop_arrived(u64::MAX);
    });
    assert!(message.contains("queue of output"), "{message}");
}

#[test]
fn a_queue_over_its_bound_is_caught() {
    for (what, shrink) in [
        (
            "buffer of input",
            (|switch| {
                (switch.parameters.buffer_reserve_bytes, switch.parameters.buffer_shared_bytes) = (100, 0);
            }) as fn(&mut TileSwitch),
        ),
        ("crossbar output from row", |switch| switch.parameters.crossbar_queue_bytes = 10),
        ("queue of output", |switch| switch.parameters.output_queue_bytes = 10),
    ] {
        let message = broken(shrink);
        assert!(message.contains(what) && message.contains("it has"), "{message}");
    }
}

#[test]
fn a_packet_that_is_stuck_is_caught() {
    let mut switch = busy();
    for row in &mut switch.rows {
        row.bus_busy = crate::port::PortSet(u64::MAX);
    }
    let error = switch.run(Picoseconds::MAX, |_| {}).expect_err("buses never become free");
    assert!(error.to_string().contains("no event is pending"), "{error}");
}

#[test]
fn impossible_parameters_are_refused_with_what_would_work() {
    let refused = |parameters: TileParameters, offers: Vec<Vec<Offer>>| -> TileError {
        TileSwitch::new(parameters, LINK, 1, offers).expect_err("it cannot be built")
    };
    let with = |offers: &[Offer]| {
        let mut all = no_offers();
        all[8] = offers.to_vec();
        all
    };
    assert_eq!(refused(quiet(), vec![Vec::new(); 48]), TileError::Inputs { found: 48 });
    for (offers, expected) in [
        (vec![offer(0, 64, 64)], "ports 0 to 63 would work"),
        (vec![offer(0, 1, 0)], "1 to 16384 would work"),
        (vec![offer(9, 1, 64), offer(8, 1, 64)], "before the one ahead of it"),
    ] {
        let error = refused(quiet(), with(&offers)).to_string();
        assert!(error.contains("of input 8") && error.contains(expected), "{error}");
    }
    let small = TileParameters { crossbar_queue_bytes: 1_000, ..quiet() };
    let error = refused(small, with(&[offer(0, 1, 4_158)])).to_string();
    assert!(error.contains("crossbar_queue_bytes is 1000; 4158 or more"), "{error}");
    let error = refused(TileParameters { clock_mhz: 0, ..quiet() }, no_offers()).to_string();
    assert!(error.contains("clock_mhz is 0; 1 or more would work"), "{error}");
    let error = refused(TileParameters { latency_spread_ns: 500, ..quiet() }, no_offers()).to_string();
    assert!(error.contains("at most 360"), "{error}");
    assert_eq!(row_of(PortId(8)), 0);
}
