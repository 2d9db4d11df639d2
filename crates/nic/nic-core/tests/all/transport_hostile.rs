//! The transport against datagrams that no honest peer sends: garbage, forgeries, replays, and
//! datagrams of earlier connections.

use crate::common::{Nic, Pattern, Seen, World, address};
use philae_engine::RandomStream;
use philae_nic_core::transport::{
    Acknowledgement, ConnectionEnd, ConnectionTraffic, DATAGRAM_MOST, Datagram, FaultSpec, Greeting, Payload, PeerId,
    Transport, TransportFailure, TransportParameters, UNKNOWN_INDEX, seal,
};
use proptest::prelude::*;

const SECOND: u64 = 1_000_000_000;

fn quiet() -> FaultSpec {
    FaultSpec::default()
}

/// Two NICs that have exchanged messages, a log of their datagrams, and more in flight.
fn acquainted() -> (World, PeerId) {
    let mut world = World::new(2, &TransportParameters::software(), quiet(), 1_472);
    world.nics.iter_mut().for_each(|nic| nic.log = Some(Vec::new()));
    let peer = world.connect(0, 1);
    let back = world.connect(1, 0);
    (0..5).for_each(|token| assert!(world.send(0, peer, b"to", 0, 3_000, token)));
    (0..5).for_each(|token| assert!(world.send(1, back, b"back", 0, 3_000, token)));
    world.run_until(SECOND, |world| world.nics.iter().all(|nic| nic.seen.delivered.len() == 5));
    world.run_for(SECOND / 10);
    world.send(1, back, b"more", 0, 3_000, 5);
    (world, peer)
}

/// The whole state of a NIC's peers, including their counters.
fn state(transport: &Transport) -> String {
    let text = format!("{transport:?}");
    let (from, to) = (text.find("peers: [").expect("a field"), text.find("by_address").expect("a field"));
    text[from..to].to_owned()
}

/// Hands datagrams to NIC 0 and checks that its state does not change.
fn assert_nothing_changes(world: &mut World, from: usize, datagrams: impl IntoIterator<Item = Vec<u8>>) -> u64 {
    let (now, from) = (world.now, address(from));
    let Nic { transport, seen, .. } = &mut world.nics[0];
    let before = (state(transport), seen.messages.len(), transport.next_wakeup());
    let (counts, failed) = (transport.total(), seen.failed.len());
    for bytes in datagrams {
        transport.receive(now, &from, &bytes, false, seen);
        assert_eq!(before, (state(transport), seen.messages.len(), transport.next_wakeup()), "{bytes:?}");
    }
    assert!(seen.failed.len() == failed && transport.take_newcomer().is_none());
    let after = transport.total();
    (after.malformed + after.foreign) - (counts.malformed + counts.foreign)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn garbage_and_damaged_datagrams_change_nothing_and_are_counted(seed in any::<u64>()) {
        let (mut world, _) = acquainted();
        let mut draws = RandomStream::new(seed, 0, 0);
        let log = world.nics[1].log.take().expect("kept");
        let garbage = (0..100).map(|_| (0..draws.below(200)).map(|_| draws.next_u64() as u8).collect::<Vec<u8>>()).collect::<Vec<_>>();
        prop_assert_eq!(assert_nothing_changes(&mut world, 1, garbage), 100);
        let mut damaged = Vec::new();
        for _ in 0..100 {
            let mut bytes = log[draws.below(log.len() as u32) as usize].1.clone();
            match draws.below(3) {
                0 => {
                    let at = draws.below(bytes.len() as u32) as usize;
                    bytes[at] ^= 1 + draws.below(255) as u8;
                }
                1 => bytes.truncate(draws.below(bytes.len() as u32) as usize),
                _ => bytes.push(draws.next_u64() as u8),
            }
            damaged.push(bytes);
        }
        prop_assert_eq!(assert_nothing_changes(&mut world, 1, damaged), 100);
        world.run_until(SECOND, |world| world.nics[1].seen.delivered.len() == 6);
    }

    #[test]
    fn datagrams_forged_by_who_does_not_know_the_keys_change_nothing(seed in any::<u64>()) {
        let (mut world, _) = acquainted();
        let mut draws = RandomStream::new(seed, 0, 0);
        let mut forged = Vec::new();
        for round in 0..60 {
            let to = ConnectionEnd { index: draws.below(3), key: draws.next_u64().max(1) };
            let from = ConnectionEnd { index: if round % 2 == 0 { draws.below(3) } else { UNKNOWN_INDEX }, key: draws.next_u64().max(1) };
            let greeting = Greeting { from, lane: draws.below(2) as u8, window: draws.below(1 << 20) };
            let acknowledgement = Acknowledgement {
                cumulative: u64::from(draws.below(30_000)),
                window: draws.below(1 << 30),
                echo: Some((0, 0)),
                marks: draws.below(100),
                raw_ranges: &[],
            };
            let traffic = ConnectionTraffic {
                once: None,
                to,
                stamp: draws.next_u64() as u32,
                ask: true,
                bye: draws.below(2) == 0,
                from: (draws.below(2) == 0).then_some(greeting),
                acknowledgement: Some(acknowledgement),
                data: Some((u64::from(draws.below(30_000)), b"")),
            };
            let datagram = match draws.below(4) {
                0 => Datagram::Open(greeting),
                1 => Datagram::Accept { to, from: greeting },
                2 => Datagram::Unknown { refused: to },
                _ => Datagram::Traffic(traffic),
            };
            let mut bytes = vec![0; 500];
            let end = datagram.write(&mut bytes);
            bytes.truncate(end);
            if matches!(datagram, Datagram::Traffic(_)) {
                bytes.extend([1; 100]);
            }
            seal(&mut bytes);
            forged.push(bytes);
        }
        // From the peer's address, and from an unknown one.
        assert_nothing_changes(&mut world, 1, forged.clone());
        assert_nothing_changes(&mut world, 7, forged);
        world.run_until(SECOND, |world| world.nics[1].seen.delivered.len() == 6);
        prop_assert!(world.nics.iter().all(|nic| nic.seen.failed.is_empty()));
    }

    #[test]
    fn replays_deliver_nothing_twice_and_disturb_no_peer(seed in any::<u64>(), drop_ppm in 0_u32..100_000) {
        let (mut world, peer) = acquainted();
        let path = world.nics[0].transport.path(peer);
        let mut draws = RandomStream::new(seed, 0, 0);
        for (victim, liar) in [(0, 1), (1, 0)] {
            let mut log = world.nics[liar].log.clone().expect("kept");
            for _ in 0..log.len() {
                let (one, other) = (draws.below(log.len() as u32) as usize, draws.below(log.len() as u32) as usize);
                log.swap(one, other);
            }
            let (now, from) = (world.now, address(liar));
            let Nic { transport, seen, .. } = &mut world.nics[victim];
            log.iter().for_each(|(_, bytes)| transport.receive(now, &from, bytes, false, seen));
            prop_assert!(seen.messages.len() == 5 && seen.delivered.len() == 5 && seen.failed.is_empty());
        }
        prop_assert_eq!(world.nics[0].transport.path(peer), path);
        world.nics[0].out = philae_nic_core::transport::FaultyWire::new(FaultSpec { seed, drop_ppm, delay_ns: 5_000, ..quiet() });
        (6..20).for_each(|token| assert!(world.send(0, peer, b"on", 0, 3_000, token)));
        world.run_until(60 * SECOND, |world| world.nics[0].seen.delivered.len() == 19 && world.nics[1].seen.delivered.len() == 6);
        prop_assert!(world.nics.iter().all(|nic| nic.seen.failed.is_empty()));
    }

    #[test]
    fn replays_do_not_keep_a_dead_peer_alive(seed in any::<u64>()) {
        let (mut world, peer) = acquainted();
        world.run_for(SECOND / 10);
        world.nics[1].is_asleep = true;
        let log = world.nics[1].log.take().expect("kept");
        let mut draws = RandomStream::new(seed, 0, 0);
        world.send(0, peer, b"lost", 0, 10, 6);
        let bound = world.now + world.nics[0].transport.parameters().unreachable_bound_ns() + SECOND;
        while world.nics[0].seen.failed.is_empty() {
            prop_assert!(world.now < bound);
            world.run_for(SECOND / 10);
            let (now, from) = (world.now, address(1));
            let Nic { transport, seen, .. } = &mut world.nics[0];
            transport.receive(now, &from, &log[draws.below(log.len() as u32) as usize].1, false, seen);
        }
        prop_assert_eq!(&world.nics[0].seen.failed, &[(peer, TransportFailure::Unreachable)]);
    }
}

/// Ends NIC 1 and starts another at its address.
fn replace(world: &mut World, incarnation: u64) {
    let parameters = world.nics[1].transport.parameters().clone();
    world.nics[1] = Nic::new(1, incarnation, &parameters, FaultSpec { delay_ns: 5_000, ..quiet() });
    world.nics[1].log = Some(Vec::new());
}

#[test]
fn a_peer_that_began_anew_is_noticed_and_its_past_is_refused() {
    let (mut world, peer) = acquainted();
    let past = world.nics[1].log.clone().expect("kept");
    replace(&mut world, 1);
    // It learns that its peer restarted when it sends.
    world.send(0, peer, b"lost", 0, 10, 6);
    world.run_until(SECOND, |world| !world.nics[0].seen.failed.is_empty());
    assert_eq!(world.nics[0].seen.failed, [(peer, TransportFailure::Restarted)]);
    assert_eq!(world.nics[0].seen.undelivered, [(6, TransportFailure::Restarted)]);
    assert!(world.nics[1].seen.messages.is_empty());
    // Or when the peer sends first.
    let back = world.connect(1, 0);
    world.send(1, back, b"new", 0, 10, 0);
    world.run_until(SECOND, |world| world.nics[1].seen.delivered == [0]);
    replace(&mut world, 2);
    let back = world.connect(1, 0);
    world.send(1, back, b"newer", 0, 10, 0);
    world.run_until(SECOND, |world| world.nics[1].seen.delivered == [0]);
    assert_eq!(world.nics[0].seen.failed.len(), 2);
    world.run_for(SECOND / 10);
    // Nothing that the first one sent has an effect any more.
    let traffic = past.into_iter().map(|(_, bytes)| bytes).filter(|bytes| bytes[3] != 1);
    assert!(assert_nothing_changes(&mut world, 1, traffic) > 5);
    world.send(0, peer, b"on", 0, 10, 7);
    world.run_until(SECOND, |world| world.nics[0].seen.delivered.ends_with(&[7]));
    assert_eq!(world.nics[0].seen.failed.len(), 2);
}

#[test]
fn peers_may_begin_anew_at_any_moment_over_bad_wires() {
    for seed in 0..60 {
        let faults =
            FaultSpec { seed, drop_ppm: 50_000, duplicate_ppm: 50_000, jitter_ns: 300_000, delay_ns: 5_000, ..quiet() };
        let mut draws = RandomStream::new(seed, 1, 1);
        let parameters = TransportParameters::software();
        let mut world = World::new(2, &parameters, faults, 1_472);
        for incarnation in 1..6 {
            let (to, back) = (world.connect(0, 1), world.connect(1, 0));
            (0..3).for_each(|token| assert!(world.send(0, to, &[incarnation], 0, 2_000, token)));
            (0..3).for_each(|token| assert!(world.send(1, back, &[incarnation], 0, 2_000, token)));
            world.run_for(u64::from(draws.below(3_000_000)));
            let died = draws.below(2) as usize;
            world.nics[died].transport =
                Transport::new(parameters.clone(), [died as u64, 100 + u64::from(incarnation)])
                    .expect("they make sense");
            world.nics[died].seen = Seen::default();
        }
        // In every case, when both send now, all messages arrive.
        for round in 0..20 {
            for from in 0..2 {
                let peer = world.connect(from, 1 - from);
                if world.nics[from].transport.outstanding(peer) == 0 {
                    world.send(from, peer, b"last", 0, 2_000, 1_000 + round);
                }
            }
            world.run_for(2 * SECOND);
        }
        for nic in &world.nics {
            assert!(nic.seen.messages.iter().filter(|message| message.header == b"last").count() >= 15, "seed {seed}");
            assert!(nic.seen.delivered.contains(&1_019), "seed {seed}");
        }
    }
}

#[test]
fn both_may_open_at_the_same_time_and_one_may_close() {
    let (mut world, peer) = acquainted();
    assert_eq!(world.nics.iter().map(|nic| nic.transport.total().connections).sum::<u64>(), 2);
    world.run_for(SECOND / 10);
    let now = world.now;
    world.nics[1].transport.close(now);
    world.send(0, peer, b"late", 0, 10, 6);
    world.run_until(SECOND, |world| !world.nics[0].seen.failed.is_empty());
    assert_eq!(world.nics[0].seen.failed, [(peer, TransportFailure::Closed)]);
}

#[test]
fn a_peer_that_breaks_the_protocol_is_cut_off() {
    // The peer has our key because it took part. It acknowledges data that was never sent, or sends
    // bytes that are no message.
    for case in 0..2 {
        let (mut world, peer) = acquainted();
        world.run_for(SECOND / 10);
        let log = world.nics[1].log.take().expect("kept");
        let bytes = log.iter().map(|(_, bytes)| bytes).rfind(|bytes| bytes[3] == 3).expect("traffic");
        let Ok(Datagram::Traffic(good)) = Datagram::parse(bytes) else { panic!("it was good") };
        let acknowledgement = good.acknowledgement.expect("each has one");
        let remote = Acknowledgement { cumulative: 1 << 40, raw_ranges: &[], ..acknowledgement };
        // Where the stream continues: after six messages of a prefix, a header and a payload.
        let next = 5 * (6 + 4 + 3_000) + 6 + 4 + 3_000;
        let bad = match case {
            0 => ConnectionTraffic { acknowledgement: Some(remote), data: None, ..good },
            _ => ConnectionTraffic { data: Some((next, b"")), ..good },
        };
        let mut out = vec![0; DATAGRAM_MOST];
        let end = Datagram::Traffic(bad).write(&mut out);
        out.truncate(end);
        if case == 1 {
            out.extend([0xff; 20]);
        }
        seal(&mut out);
        let (now, from) = (world.now, address(1));
        let Nic { transport, seen, .. } = &mut world.nics[0];
        transport.receive(now, &from, &out, false, seen);
        assert_eq!(seen.failed, [(peer, TransportFailure::Protocol)], "case {case}");
    }
}

#[test]
fn strangers_cost_nothing_until_they_show_that_they_hear_us() {
    let parameters = TransportParameters { peers_max: 2, ..TransportParameters::software() };
    let mut nic = Nic::new(0, 0, &parameters, quiet());
    let mut out = vec![0; DATAGRAM_MOST];
    let before = state(&nic.transport);
    for stranger in 0..1_000_u64 {
        let mut from = address(3);
        from.0[8..16].copy_from_slice(&stranger.to_be_bytes());
        let greeting = Greeting { from: ConnectionEnd { index: 0, key: stranger + 1 }, lane: 0, window: 10_000 };
        let mut bytes = vec![0; 40];
        Datagram::Open(greeting).write(&mut bytes);
        seal(&mut bytes);
        nic.transport.receive(stranger, &from, &bytes, false, &mut nic.seen);
    }
    assert_eq!(state(&nic.transport), before);
    assert!(nic.transport.total().answers_dropped > 500, "and answers are bounded");
    let answers = std::iter::from_fn(|| nic.transport.transmit(2_000, &Pattern, &mut out)).count();
    assert!((1..500).contains(&answers));
    // Three real senders: only this many are accepted.
    let mut world = World::new(4, &parameters, quiet(), 1_472);
    for from in 1..4 {
        let peer = world.connect(from, 0);
        let now = world.now;
        world.nics[from].transport.send(now, peer, b"", Payload::Copied(b"x"), 0).expect("room");
    }
    world.run_for(3 * SECOND);
    assert_eq!(world.nics[0].seen.messages.len(), 2);
}
