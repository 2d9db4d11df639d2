//! The transport over wires with all kinds of faults, in simulated time.

use crate::common;
use crate::common::{Nic, World, byte_at};
use philae_nic_core::transport::{
    FaultSpec, HandlerDecision, Payload, PeerId, TransportCounters, TransportFailure, TransportParameters,
    TransportSendError,
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
            nic.seen.verdicts = [vec![HandlerDecision::Stall; stalls], vec![HandlerDecision::Accept]].concat();
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
    assert_eq!((sum.retransmissions, sum.timeouts, sum.duplicates, sum.malformed), (0, 0, 0, 0));
    assert_eq!((sum.connections, sum.foreign, sum.decreases), (2, 0, 0));
}

#[test]
fn losses_are_made_good_by_acknowledgements_of_what_came_later_and_by_time() {
    let sizes = [300_000; 10];
    let world = exchange(World::new(2, &TransportParameters::software(), faults("seed=3,drop=2%"), 1_472), &sizes);
    let lossy = sum(&world);
    assert!(lossy.lost_fast > 50 && lossy.decreases > 0 && lossy.out_of_order > 0, "{lossy:?}");
    assert!(lossy.retransmissions >= lossy.lost_fast && lossy.timeouts < lossy.lost_fast / 4, "{lossy:?}");
    // With one message of one datagram in flight at a time, only a time-out shows a loss.
    let parameters = TransportParameters { queue_messages_max: 1, ..TransportParameters::software() };
    let single = sum(&exchange(World::new(2, &parameters, faults("seed=3,drop=10%"), 1_472), &[10; 100]));
    assert!(single.lost_timeout > 5 && single.lost_fast == 0, "{single:?}");
}

#[test]
fn a_slow_answer_is_told_from_a_lost_one() {
    let parameters = TransportParameters::software();
    let mut world = World::new(2, &parameters, faults(""), 1_472);
    let peer = world.connect(0, 1);
    world.send(0, peer, b"first", 0, 100_000, 0);
    world.run_until(SECOND, |world| world.nics[0].seen.delivered.len() == 1);
    let (before, _) = world.nics[0].transport.path(peer).expect("known");
    world.send(0, peer, b"second", 0, 100_000, 1);
    world.step();
    world.nics[1].is_asleep = true;
    // Datagrams that arrived while it was suspended wait for it, as in a socket.
    let mut kept = Vec::new();
    let end = world.now + 100_000_000;
    while world.now < end {
        let now = world.now;
        while let Some(datagram) = world.nics[0].out.take(now) {
            kept.push(datagram);
        }
        world.step();
    }
    assert!(world.nics[0].transport.path(peer).expect("known").0 < before, "time was up");
    world.nics[1].is_asleep = false;
    let (now, from) = (world.now, world.nics[0].address);
    let Nic { transport, seen, .. } = &mut world.nics[1];
    kept.iter().for_each(|(_, bytes, marked)| transport.receive(now, &from, bytes, *marked, seen));
    world.run_until(SECOND, |world| world.nics[0].seen.delivered.len() == 2);
    let counters = *world.nics[0].transport.counters(peer).expect("known");
    assert!(counters.timeouts > 0 && counters.timeouts_undone == 1, "{counters:?}");
    assert!(world.nics[0].transport.path(peer).expect("known").0 >= before);
}

#[test]
fn no_more_is_sent_than_the_peer_lets_and_no_more_is_kept_than_there_is_room() {
    let parameters = TransportParameters { window_bytes: 20_000, ..TransportParameters::software() };
    let mut world = World::new(2, &parameters, faults(""), 1_472);
    world.nics[1].seen.verdicts = vec![HandlerDecision::Stall];
    let peer = world.connect(0, 1);
    (0..20).for_each(|token| assert!(world.send(0, peer, b"h", 0, 5_000, token)));
    world.run_for(3 * SECOND);
    let held = world.nics[1].transport.held_bytes();
    assert!((18_000..=20_000).contains(&held), "{held}");
    assert!(world.nics[0].seen.delivered.is_empty() && world.nics[0].seen.failed.is_empty());
    assert!(
        world.nics[0].transport.counters(peer).expect("known").probes_sent > 0,
        "the window may have opened unheard"
    );
    assert_eq!(world.nics[0].transport.total().retransmissions, 0, "what is kept is not sent again");
    world.nics[1].seen.verdicts = vec![HandlerDecision::Discard, HandlerDecision::Accept];
    world.run_until(10 * SECOND, |world| world.nics[0].seen.delivered.len() == 20);
    assert_eq!((world.nics[1].seen.messages.len(), world.nics[1].seen.discarded), (10, 10));
    assert_eq!(world.nics[1].transport.held_bytes(), 0);
}

#[test]
fn a_full_queue_and_wrong_messages_are_refused_and_said_so() {
    let parameters = TransportParameters { queue_messages_max: 2, peers_max: 1, ..TransportParameters::software() };
    let mut world = World::new(2, &parameters, faults(""), 1_472);
    let peer = world.connect(0, 1);
    let transport = &mut world.nics[0].transport;
    let none = Payload::Copied(&[]);
    assert_eq!(transport.send(0, peer, &[0; 257], none, 1), Err(TransportSendError::Header(257)));
    assert_eq!(transport.send(0, peer, b"", Payload::Copied(&[0; 1_025]), 1), Err(TransportSendError::Copied(1_025)));
    assert_eq!(transport.send(0, PeerId(7), b"", none, 1), Err(TransportSendError::NoPeer(7)));
    assert!(transport.connect(&common::address(9), 0, 1_472).is_err());
    assert_eq!(transport.send(0, peer, &[0; 256], Payload::Copied(&[1; 1_024]), 1), Ok(()));
    assert_eq!(transport.send(0, peer, b"", none, 2), Ok(()));
    assert_eq!(transport.send(0, peer, b"", none, 3), Err(TransportSendError::Busy));
    world.run_until(SECOND, |world| world.nics[0].seen.delivered == [1, 2]);
    assert_eq!(world.nics[1].seen.messages[0].payload, [1; 1_024]);
}

#[test]
fn a_nic_may_send_to_itself() {
    let mut world = World::new(1, &TransportParameters::software(), faults("seed=1,drop=5%"), 1_472);
    let peer = world.connect(0, 0);
    (0..20).for_each(|token| assert!(world.send(0, peer, b"me", token << 20, 10_000, token)));
    world.run_until(10 * SECOND, |world| world.nics[0].seen.delivered.len() == 20);
    let whole =
        |(number, payload): (u64, &Vec<u8>)| payload.iter().zip(number << 20..).all(|(byte, at)| *byte == byte_at(at));
    assert!((0..).zip(world.nics[0].seen.messages.iter().map(|message| &message.payload)).all(whole));
}

#[test]
fn a_peer_that_is_cut_off_becomes_an_error_within_the_bound() {
    for (unreachable_after_ns, keepalive_ns) in [(SECOND, SECOND), (5 * SECOND, SECOND / 10), (10 * SECOND, 3 * SECOND)]
    {
        let parameters = TransportParameters { unreachable_after_ns, keepalive_ns, ..TransportParameters::software() };
        for case in 0..4 {
            let mut world = World::new(2, &parameters, faults(""), 1_472);
            let peer = world.connect(0, 1);
            match case {
                // It never runs.
                0 => world.nics[1].is_asleep = true,
                _ => {
                    world.send(0, peer, b"hello", 0, 10, 7);
                    world.run_until(SECOND, |world| world.nics[0].seen.delivered == [7]);
                    world.run_for(10 * SECOND);
                    world.nics[1].is_asleep = true;
                }
            }
            // Something to send, or something expected, or both.
            let now = world.now;
            if case < 2 {
                world.send(0, peer, b"lost", 0, 100_000, 8);
            }
            if case > 0 {
                world.nics[0].transport.expects(now, peer, true);
            }
            if case == 3 {
                world.run_for(SECOND);
                world.send(0, peer, b"late", 0, 0, 8);
            }
            world.run_until(60 * SECOND, |world| !world.nics[0].seen.failed.is_empty());
            let took = world.now - now;
            assert!(took >= unreachable_after_ns, "{took}");
            assert!(took <= parameters.unreachable_bound_ns() + 10_000_000 + SECOND, "case {case}: {took}");
            assert_eq!(world.nics[0].seen.failed, [(peer, TransportFailure::Unreachable)]);
            let undelivered: &[_] = if case == 2 { &[] } else { &[(8, TransportFailure::Unreachable)] };
            assert_eq!(world.nics[0].seen.undelivered, undelivered);
            let (now, none) = (world.now, Payload::Copied(&[]));
            let again = world.nics[0].transport.send(now, peer, b"", none, 9);
            assert_eq!(again, Err(TransportSendError::Failed(TransportFailure::Unreachable)));
            // Until it is connected again and runs.
            world.nics[1].is_asleep = false;
            assert_eq!(world.connect(0, 1), peer);
            world.send(0, peer, b"again", 0, 5, 9);
            world.run_until(10 * SECOND, |world| world.nics[0].seen.delivered.ends_with(&[9]));
        }
    }
}

#[test]
fn a_peer_that_lives_and_says_nothing_is_no_error_however_long_it_takes() {
    let mut world = World::new(2, &TransportParameters::software(), faults("seed=1,drop=20%"), 1_472);
    let peer = world.connect(0, 1);
    let now = world.now;
    world.nics[0].transport.expects(now, peer, true);
    world.run_for(1_000 * SECOND);
    assert!(world.nics[0].seen.failed.is_empty());
    let probes = world.nics[0].transport.counters(peer).expect("known").probes_sent;
    assert!((500..2_000).contains(&probes), "{probes}");
    // If nothing is expected, nothing is sent.
    let now = world.now;
    world.nics[0].transport.expects(now, peer, false);
    world.run_for(10 * SECOND);
    let before = world.nics[0].transport.total().datagrams_sent;
    world.run_for(100 * SECOND);
    assert_eq!(world.nics[0].transport.total().datagrams_sent, before);
}

#[test]
fn who_did_not_run_for_long_does_not_blame_its_peers() {
    let mut world = World::new(2, &TransportParameters::software(), faults(""), 1_472);
    let peer = world.connect(0, 1);
    for token in 0..10 {
        world.send(0, peer, b"", 0, 50_000, token);
        world.step();
        world.now += 3_600 * SECOND;
    }
    world.run_until(10 * SECOND, |world| world.nics[0].seen.delivered.len() == 10);
    assert!(world.nics[0].seen.failed.is_empty());
}

#[test]
fn marks_shrink_what_may_be_in_flight() {
    let parameters = TransportParameters::software();
    let clean = exchange(World::new(2, &parameters, faults(""), 1_472), &[500_000; 8]);
    let marked = exchange(World::new(2, &parameters, faults("mark=5%"), 1_472), &[500_000; 8]);
    let window = |world: &World| world.nics[0].transport.path(PeerId(0)).expect("known").0;
    assert!(window(&marked) < window(&clean) / 2, "{} {}", window(&marked), window(&clean));
    assert!(sum(&marked).marks_reported > 0 && sum(&marked).retransmissions == 0);
}

#[test]
fn a_host_that_refuses_datagrams_counts_once_the_peer_is_silent() {
    let mut world = World::new(2, &TransportParameters::software(), faults(""), 1_472);
    let peer = world.connect(0, 1);
    world.send(0, peer, b"", 0, 5, 1);
    world.run_until(SECOND, |world| world.nics[0].seen.delivered == [1]);
    let address = world.nics[1].address;
    let refuse = |world: &mut World| {
        let Nic { transport, seen, .. } = &mut world.nics[0];
        transport.refused_by_host(&address, seen);
    };
    refuse(&mut world);
    assert!(world.nics[0].seen.failed.is_empty(), "anybody can say so");
    world.nics[1].is_asleep = true;
    world.send(0, peer, b"", 0, 5, 2);
    let began = world.now;
    world.run_until(SECOND, |world| world.nics[0].transport.total().timeouts >= 5);
    refuse(&mut world);
    assert_eq!(world.nics[0].seen.failed, [(peer, TransportFailure::Gone)]);
    assert!(world.now - began < SECOND);
}
