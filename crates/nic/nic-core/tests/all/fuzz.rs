//! The transport against damaged datagrams. The parser writes back what it reads. A transport that
//! gets arbitrary input from a peer with the right keys neither panics nor keeps more memory than
//! it may.
//!
//! Deterministic: a case is a number, and a failure prints it with its bytes. The check sum of
//! three of four damaged datagrams is corrected, so that damage reaches the fields behind it.
//! `PHILAE_FUZZ_SECONDS=600` runs each test for ten minutes (`make fuzz`).
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a test may read the clock and its environment"
)]

use crate::common;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crate::common::{Nic, World, address};
use philae_engine::RandomStream;
use philae_nic_core::transport::{ConnectionTraffic, Datagram, FaultSpec, TransportParameters, seal};

/// The number of inputs if no time is given. Unoptimised code checks for overflow and takes ten
/// times as long.
const CASES: u64 = if cfg!(debug_assertions) { 10_000 } else { 100_000 };
const SECOND: u64 = 1_000_000_000;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn limit() -> Option<Duration> {
    let text = std::env::var("PHILAE_FUZZ_SECONDS").ok()?;
    Some(Duration::from_secs(text.parse().expect("PHILAE_FUZZ_SECONDS is a number of seconds")))
}

/// Whether to continue after this many cases.
fn goes_on(case: u64, start: Instant) -> bool {
    limit().map_or(case < CASES, |limit| start.elapsed() < limit)
}

/// Damages a datagram in one to four places, and corrects its check sum three times out of four.
fn mutate(bytes: &mut Vec<u8>, stream: &mut RandomStream) {
    const TELLING: [u8; 7] = [0x00, 0x01, 0x3f, 0x40, 0x7f, 0x80, 0xff];
    for _ in 0..=stream.below(4) {
        let length = bytes.len() as u32;
        let at = if length == 0 { 0 } else { stream.below(length) as usize };
        match stream.below(9) {
            _ if length == 0 => bytes.push(stream.below(256) as u8),
            0 | 1 => bytes[at] ^= 1 << stream.below(8),
            2 => bytes[at] = stream.below(256) as u8,
            3 | 4 => bytes[at.min(stream.below(80) as usize)] = TELLING[stream.below(7) as usize],
            5 => bytes.truncate(at),
            6 => bytes.extend((0..stream.below(70)).map(|_| stream.below(256) as u8).collect::<Vec<_>>()),
            7 => drop(bytes.remove(at)),
            _ => bytes.insert(at, stream.below(256) as u8),
        }
    }
    if bytes.len() >= 8 && stream.below(4) > 0 {
        seal(bytes);
    }
}

/// Two NICs that exchange messages both ways over a bad wire, and everything that the second has
/// sent to the first.
fn talkers(seed: u64) -> (World, Vec<Vec<u8>>) {
    let faults = FaultSpec { seed, drop_ppm: 50_000, delay_ns: 20_000, ..FaultSpec::default() };
    let mut world = World::new(2, &TransportParameters::software(), faults, 1_472);
    world.nics[1].log = Some(Vec::new());
    let (there, back) = (world.connect(0, 1), world.connect(1, 0));
    (0..8).for_each(|token| assert!(world.send(0, there, b"there", 0, 9_000, token)));
    (0..8).for_each(|token| assert!(world.send(1, back, b"back", 0, 9_000, token)));
    world.run_until(60 * SECOND, |world| world.nics.iter().all(|nic| nic.seen.delivered.len() == 8));
    let said = world.nics[1].log.take().expect("kept").into_iter().map(|(_, bytes)| bytes).collect();
    (world, said)
}

#[test]
fn a_datagram_that_is_read_is_written_back() {
    let (_, seeds) = talkers(1);
    let (start, mut case, mut parsed) = (Instant::now(), 0, 0_u64);
    while goes_on(case, start) {
        let mut stream = RandomStream::new(0xda7a, case, 1);
        let mut input = seeds[stream.below(seeds.len() as u32) as usize].clone();
        if case > 0 {
            mutate(&mut input, &mut stream);
        }
        let check = || {
            let Ok(datagram) = Datagram::parse(&input) else { return false };
            let data = match &datagram {
                Datagram::Traffic(
                    ConnectionTraffic { data: Some((_, data)), .. } | ConnectionTraffic { once: Some((_, data)), .. },
                ) => *data,
                _ => &[],
            };
            let mut written = vec![0; input.len() + 100];
            let end = datagram.write(&mut written);
            written.truncate(end);
            written.extend(data);
            seal(&mut written);
            assert!(written == input, "written back as {}", hex(&written));
            true
        };
        match catch_unwind(AssertUnwindSafe(check)) {
            Ok(is_read) => parsed += u64::from(is_read),
            Err(_) => panic!("case {case} failed on {}", hex(&input)),
        }
        assert!(case > 0 || parsed == 1, "a seed does not parse: {}", hex(&input));
        case += 1;
    }
    println!("datagram: {case} cases, {parsed} parsed, {:.1} s", start.elapsed().as_secs_f64());
    assert!(parsed * 20 > case, "{parsed} of {case} inputs parsed, too few to say much");
}

#[test]
fn a_transport_survives_whatever_a_peer_with_the_right_keys_says() {
    let (start, mut case, mut round) = (Instant::now(), 0, 0);
    while goes_on(case, start) {
        // A connection may end because of the damaged datagrams; others replace it.
        let (mut world, said) = talkers(round);
        let Nic { transport, seen, .. } = &mut world.nics[0];
        let mut out = vec![0; 65_536];
        for step in 0..2_000 {
            let mut stream = RandomStream::new(0xda7b, case, round);
            let mut input = said[stream.below(said.len() as u32) as usize].clone();
            mutate(&mut input, &mut stream);
            let now = world.now + step * 50_000;
            let tell = || {
                transport.receive(now, &address(1), &input, stream.below(9) == 0, seen);
                if stream.below(4) == 0 {
                    transport.tick(now, seen);
                }
                while transport.transmit(now, &common::Pattern, &mut out).is_some() {}
            };
            assert!(
                catch_unwind(AssertUnwindSafe(tell)).is_ok(),
                "case {case} of round {round} failed on {}",
                hex(&input)
            );
            case += 1;
        }
        assert!(seen.messages.len() >= 8);
        round += 1;
    }
    println!("transport: {case} datagrams to {round} connections, {:.1} s", start.elapsed().as_secs_f64());
}
