//! Wires on which datagrams overtake each other by a time, not by a number: late datagrams are not
//! lost.

use crate::common::World;
use philae_nic_core::transport::{TransportCounters, TransportParameters};

/// Sends messages of 256 KiB until `mebibytes` are delivered. Returns the bytes per simulated
/// second, and the sender's counters.
fn rate(faults: &str, datagram_max: usize, mebibytes: u32) -> (u64, TransportCounters) {
    let faults = faults.parse().expect("a specification");
    let mut world = World::new(2, &TransportParameters::default(), faults, datagram_max);
    let peer = world.connect(0, 1);
    let count = mebibytes * 4;
    for token in 0..count {
        assert!(world.send(0, peer, &[], u64::from(token) << 18, 1 << 18, u64::from(token)));
    }
    let began = world.now;
    world.run_until(600_000_000_000, |world| world.nics[0].seen.delivered.len() as u32 == count);
    assert_eq!(world.nics[1].seen.messages.len() as u32, count);
    let bytes = u64::from(count) << 18;
    (bytes * 1_000_000_000 / (world.now - began), world.nics[0].transport.total())
}

const MEGABYTE: u64 = 1_000_000;

#[test]
fn jitter_costs_little_more_than_its_time() {
    // With a window of 2 MiB and an average round trip of 10 ms, the limit is 200 MB/s.
    for (datagram_max, least) in [(1_472, 20), (8_972, 40), (65_507, 40)] {
        for seed in 1..4 {
            let (rate, counts) = rate(&format!("seed={seed},jitter=10ms"), datagram_max, 32);
            println!("{datagram_max}, seed {seed}: {} MB/s, {counts:?}", rate / MEGABYTE);
            assert!(rate > least * MEGABYTE && counts.timeouts == 0, "{datagram_max}: {rate} B/s, {counts:?}");
            assert!(counts.decreases - counts.decreases_undone < 5, "{counts:?}");
        }
        let (rate, counts) = rate("seed=2,jitter=1ms", datagram_max, 32);
        assert!(rate > 150 * MEGABYTE, "{datagram_max}: {rate} B/s, {counts:?}");
    }
}

#[test]
fn losses_are_not_taken_for_lateness() {
    for datagram_max in [1_472, 8_972] {
        let (rate, counts) = rate("seed=5,drop=1%", datagram_max, 32);
        assert!(rate > 100 * MEGABYTE && counts.decreases > 10, "{datagram_max}: {rate} B/s, {counts:?}");
        assert_eq!((counts.late, counts.decreases_undone), (0, 0), "nothing was late");
    }
}

#[test]
fn losses_among_late_ones_are_made_good_and_cost_their_part() {
    for seed in 1..6 {
        let (rate, counts) =
            rate(&format!("seed={seed},jitter=10ms,drop=2%,dup=2%,reorder=2%,corrupt=0.1%"), 8_972, 16);
        println!("seed {seed}: {} MB/s, {counts:?}", rate / MEGABYTE);
        assert!(rate > MEGABYTE && counts.decreases > counts.decreases_undone, "{rate} B/s, {counts:?}");
    }
}
