//! The transport over wires that do everything wrong, in simulated time.

mod common;

use common::{Nic, World, address, byte_at};
use philae_cassini::transport::{
    Failure, FaultSpec, Payload, PeerId, SendError, TransportCounters, TransportParameters, Verdict,
};
use proptest::prelude::*;

const SECOND: u64 = 1_000_000_000;

fn faults(text: &str) -> FaultSpec {
    text.parse().expect("a specification")
}

/// Sends messages of these sizes both ways and checks that each arrives once, in order and whole.
fn exchange(mut world: World, sizes: &[u32]) -> World {
    let ends = [(0, world.connect(0, 1)), (1, world.connect(1, 0))];
    let mut sent = [0, 0];
    let all = sizes.len();
    let describe = |end: usize, number: usize| {
        let header = [vec![end as u8; number % 257], (number as u32).to_be_bytes().to_vec()].concat();
        (header[header.len().saturating_sub(256)..].to_vec(), (end as u64) << 40 | (number as u64) << 20)
    };
    world.run_until(600 * SECOND, |_| true);
    let limit = world.now + 600 * SECOND;
    loop {
        for (end, peer) in ends {
            while sent[end] < all {
                let (header, at) = describe(end, sent[end]);
                if !world.send(end, peer, &header, at, sizes[sent[end]], sent[end] as u64) {
                    break;
                }
                sent[end] += 1;
            }
        }
        let is_done = world.nics.iter().all(|nic| nic.seen.delivered.len() == all && nic.seen.messages.len() == all);
        if is_done {
            break;
        }
        assert!(
            world.now < limit && world.nics.iter().all(|nic| nic.seen.failed.is_empty()),
            "{} {:?} {:?} {:?}",
            world.now,
            world.nics[0].seen.failed,
            world.nics[1].seen.failed,
            totals(&world)
        );
        if !world.step() {
            world.now += 1_000_000;
        }
    }
    for (end, nic) in world.nics.iter().enumerate() {
        assert_eq!(nic.seen.delivered, (0..all as u64).collect::<Vec<_>>(), "in order");
        for (number, (message, bytes)) in nic.seen.messages.iter().zip(sizes).enumerate() {
            let (header, at) = describe(1 - end, number);
            assert_eq!(message.header, header);
            assert_eq!(message.payload.len(), *bytes as usize);
            assert!(message.payload.iter().zip(at..).all(|(byte, address)| *byte == byte_at(address)), "whole");
        }
        assert_eq!(nic.transport.held_bytes(), 0);
    }
    world
}

fn totals(world: &World) -> Vec<Vec<(&'static str, u64)>> {
    world.nics.iter().map(|nic| nic.transport.total().list()).collect()
}

fn sum(world: &World) -> TransportCounters {
    let mut sum = TransportCounters::default();
    world.nics.iter().for_each(|nic| sum.add(&nic.transport.total()));
    sum
}

fn mixes() -> impl Strategy<Value = FaultSpec> {
    let ppm = |most: u32| prop_oneof![Just(0), 0..most];
    let time = prop_oneof![Just(0), 0_u64..200_000, 0_u64..10_000_000];
    (any::<u64>(), ppm(150_000), ppm(100_000), ppm(200_000), ppm(50_000), ppm(200_000), time.clone(), time).prop_map(
        |(seed, drop_ppm, duplicate_ppm, reorder_ppm, corrupt_ppm, mark_ppm, delay_ns, jitter_ns)| FaultSpec {
            seed,
            drop_ppm,
            duplicate_ppm,
            reorder_ppm,
            corrupt_ppm,
            mark_ppm,
            delay_ns,
            jitter_ns,
            cut_ns: None,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn all_messages_arrive_once_in_order_and_whole_whatever_the_wire_does(
        spec in mixes(),
        sizes in prop::collection::vec(prop_oneof![0_u32..20, 0_u32..3_000, 0_u32..100_000], 1..60),
        datagram_max in prop_oneof![Just(528_usize), Just(1_472), Just(8_972), Just(65_507)],
        window_bytes in prop_oneof![Just(4_096_u32), Just(65_536), Just(2_097_152)],
        held_bytes_max in prop_oneof![Just(0_u64), Just(10_000), Just(67_108_864)],
        queue_messages_max in prop_oneof![Just(1_u32), Just(5), Just(1_024)],
        stalls in 0_usize..4,
    ) {
        let software = TransportParameters::software();
        let parameters = TransportParameters { window_bytes, held_bytes_max, queue_messages_max, ..software };
        let mut world = World::new(2, &parameters, spec, datagram_max);
        for nic in &mut world.nics {
            nic.seen.verdicts = [vec![Verdict::Stall; stalls], vec![Verdict::Accept]].concat();
        }
        let world = exchange(world, &sizes);
        for nic in &world.nics {
            let total = nic.transport.total();
            prop_assert_eq!(total.messages_received, sizes.len() as u64);
            prop_assert_eq!(total.messages_delivered, sizes.len() as u64);
            prop_assert_eq!(total.failures, 0);
        }
    }
}

#[test]
fn a_clean_wire_needs_no_second_time() {
    let world = exchange(World::new(2, &TransportParameters::software(), faults(""), 1_472), &[1_000_000, 0, 5]);
    let sum = sum(&world);
    assert_eq!((sum.retransmissions_fast, sum.retransmissions_timeout, sum.duplicates, sum.malformed), (0, 0, 0, 0));
    assert_eq!((sum.connections, sum.foreign, sum.decreases), (2, 0, 0));
}
