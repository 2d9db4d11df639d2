//! Wires on real sockets.
#![expect(unsafe_code, reason = "messages are sent from where they lie")]

use std::net::SocketAddr;

use philae_provider::udp::{
    ConnectError, Handler, HandlerDecision, PeerId, TransportCounters, TransportFailure, TransportSendError, UdpWire,
    WireConfig,
};

const SECOND: u64 = 1_000_000_000;

#[derive(Default)]
struct Nic {
    messages: Vec<(PeerId, Vec<u8>, Vec<u8>)>,
    open: Vec<(PeerId, Vec<u8>, Vec<u8>)>,
    delivered: Vec<u64>,
    undelivered: Vec<(u64, TransportFailure)>,
    failed: Vec<(PeerId, TransportFailure)>,
    stall: bool,
}

impl Handler for Nic {
    fn begin(&mut self, peer: PeerId, header: &[u8], payload_bytes: u32) -> HandlerDecision {
        if self.stall {
            return HandlerDecision::Stall;
        }
        self.open.push((peer, header.to_vec(), vec![0; payload_bytes as usize]));
        HandlerDecision::Accept
    }
    fn chunk(&mut self, peer: PeerId, offset: u32, bytes: &[u8]) {
        let (.., payload) = self.open.iter_mut().find(|(other, ..)| *other == peer).expect("it began");
        payload[offset as usize..][..bytes.len()].copy_from_slice(bytes);
    }
    fn end(&mut self, peer: PeerId) {
        let index = self.open.iter().position(|(other, ..)| *other == peer).expect("it began");
        let whole = self.open.swap_remove(index);
        self.messages.push(whole);
    }
    fn delivered(&mut self, _: PeerId, token: u64) {
        self.delivered.push(token);
    }
    fn undelivered(&mut self, _: PeerId, token: u64, failure: TransportFailure) {
        self.undelivered.push((token, failure));
    }
    fn failed(&mut self, peer: PeerId, failure: TransportFailure) {
        self.failed.push((peer, failure));
    }
}

fn config(text: &str, variables: &[(&str, &str)]) -> WireConfig {
    let bind: SocketAddr = text.parse().expect("an address");
    let get = |asked: &str| variables.iter().find(|(name, _)| *name == asked).map(|(_, value)| (*value).to_owned());
    WireConfig::from_variables(bind, get).expect("a configuration")
}

/// Polls wires alternately until a condition holds.
fn run(wires: &mut [(UdpWire, Nic)], done: impl Fn(&[(UdpWire, Nic)]) -> bool) {
    let end = UdpWire::now() + 120 * SECOND;
    while !done(wires) {
        let mut anything = false;
        for (wire, nic) in wires.iter_mut() {
            anything |= wire.poll(UdpWire::now(), nic).expect("sockets work");
        }
        if !anything {
            std::thread::yield_now();
        }
        assert!(UdpWire::now() < end, "{:?}", wires.iter().map(|(wire, _)| wire.total()).collect::<Vec<_>>());
    }
}

fn payload(number: usize, bytes: usize) -> Vec<u8> {
    (0..bytes).map(|at| (at * 31 + number * 17 + at / 251) as u8).collect()
}

/// Sends messages of these sizes in both directions, checks them, and returns the counts.
fn exchange(configs: [WireConfig; 2], sizes: &[usize]) -> TransportCounters {
    let open = |config| (UdpWire::open(config).expect("sockets open"), Nic::default());
    let mut wires = configs.map(open);
    let payloads: Vec<Vec<u8>> = sizes.iter().enumerate().map(|(number, bytes)| payload(number, *bytes)).collect();
    for from in 0..2 {
        let to = wires[1 - from].0.local_address();
        let wire = &mut wires[from].0;
        let peer = wire.connect(&to, 0).expect("few peers");
        for (number, bytes) in payloads.iter().enumerate() {
            let header = (number as u32).to_be_bytes();
            // SAFETY: the payloads outlive the wires' use of them.
            let sent = unsafe { wire.send_from(peer, &header, bytes.as_ptr(), bytes.len() as u32, number as u64) };
            sent.expect("the queue has room");
        }
    }
    run(&mut wires, |wires| wires.iter().all(|(_, nic)| nic.delivered.len() + nic.undelivered.len() == sizes.len()));
    let mut total = TransportCounters::default();
    for (wire, nic) in &wires {
        assert!(nic.failed.is_empty() && nic.undelivered.is_empty());
        assert_eq!(nic.messages.len(), sizes.len());
        for (number, (_, header, bytes)) in nic.messages.iter().enumerate() {
            assert_eq!(header[..], (number as u32).to_be_bytes());
            assert!(*bytes == payloads[number], "message {number}");
        }
        total.add(&wire.total());
    }
    total
}

/// Sizes around the segment boundaries of the sizes that the tests use, and up to 4 MiB.
fn sizes(datagram_max: usize) -> Vec<usize> {
    let mut sizes = vec![0, 1, 7, 8, 64, 192, 256];
    for base in [datagram_max - 60 - 10, datagram_max - 60, datagram_max, 2 * datagram_max, 65_536] {
        sizes.extend(base - 12..base + 12);
    }
    sizes.extend([1 << 20, (4 << 20) - 1, 4 << 20, 0, 3]);
    sizes
}

#[test]
fn everything_arrives_over_real_sockets_with_and_without_losses() {
    for mtu in ["1472", "8972", "65507"] {
        for faults in ["", "seed=1,drop=1%", "seed=2,drop=5%,dup=1%,reorder=1%,corrupt=0.1%,jitter=1ms"] {
            let variables = [("FI_PHILAE_UDP_MTU", mtu), ("FI_PHILAE_FAULTS", faults)];
            let variables = if faults.is_empty() { &variables[..1] } else { &variables[..] };
            let config = config("127.0.0.1:0", variables);
            let total = exchange([config.clone(), config], &sizes(mtu.parse().expect("a number")));
            assert!(faults.is_empty() || total.retransmissions > 0, "losses were made good");
        }
    }
}

#[test]
fn ipv6_several_sockets_and_no_help_of_the_system_work_as_well() {
    let plain = [("FI_PHILAE_UDP_OFFLOAD", "0"), ("FI_PHILAE_UDP_SOCKETS", "3"), ("FI_PHILAE_UDP_MTU", "1400")];
    exchange([config("127.0.0.1:0", &plain), config("127.0.0.1:0", &[])], &sizes(1_400));
    match UdpWire::open(config("[::1]:0", &[])) {
        Err(error) => println!("no IPv6 here: {error}"),
        Ok(_) => drop(exchange([config("[::1]:0", &[]), config("[::1]:0", &plain)], &sizes(1_400))),
    }
}

#[test]
fn marks_of_the_network_are_seen_and_heeded() {
    let marking = config("127.0.0.1:0", &[("FI_PHILAE_FAULTS", "mark=5%")]);
    let total = exchange([marking, config("127.0.0.1:0", &[])], &[1 << 20; 8]);
    assert!(total.marks_received > 0 && total.marks_reported > 0 && total.decreases > 0, "{total:?}");
}

#[test]
fn the_system_cuts_and_joins_datagrams_where_it_can() {
    let open =
        || (UdpWire::open(config("127.0.0.1:0", &[("FI_PHILAE_UDP_MTU", "1472")])).expect("it opens"), Nic::default());
    let mut wires = [open(), open()];
    let to = wires[1].0.local_address();
    let peer = wires[0].0.connect(&to, 0).expect("few peers");
    let bytes = payload(0, 1 << 20);
    // SAFETY: the payload outlives the wire's use of it.
    unsafe { wires[0].0.send_from(peer, b"", bytes.as_ptr(), 1 << 20, 0) }.expect("room");
    run(&mut wires, |wires| wires[0].1.delivered == [0]);
    let (sender, receiver) = (*wires[0].0.counters(), *wires[1].0.counters());
    println!("{sender:?}\n{receiver:?}");
    let segments = wires[0].0.total().datagrams_sent;
    assert!(sender.cut_by_system == 0 || sender.calls_sent < segments / 4, "one call for many");
}

#[test]
fn a_closed_peer_a_dead_one_and_a_wrong_address_are_errors() {
    let open = || (UdpWire::open(config("127.0.0.1:0", &[])).expect("it opens"), Nic::default());
    let mut wires = vec![open(), open()];
    let to = wires[1].0.local_address();
    let peer = wires[0].0.connect(&to, 0).expect("few peers");
    wires[0].0.send(peer, b"h", b"payload", 1).expect("room");
    run(&mut wires, |wires| wires[0].1.delivered == [1]);
    drop(wires.pop());
    run(&mut wires, |wires| wires[0].1.failed == [(peer, TransportFailure::Closed)]);
    assert_eq!(wires[0].0.send(peer, b"", b"", 2), Err(TransportSendError::Failed(TransportFailure::Closed)));
    // The port is closed now, and its host reports that.
    assert_eq!(wires[0].0.connect(&to, 0).expect("known"), peer);
    wires[0].0.send(peer, b"", b"", 3).expect("room");
    run(&mut wires, |wires| wires[0].1.failed.len() == 2);
    assert_eq!(wires[0].1.undelivered, [(3, TransportFailure::Gone)]);
    let wrong = wires[0].0.connect(&"[::1]:5".parse().expect("an address"), 0);
    assert!(matches!(wrong, Err(ConnectError::Family { .. })));
    let wrong = wires[0].0.connect(&"127.0.0.1:0".parse().expect("an address"), 0);
    assert!(matches!(wrong, Err(ConnectError::Address(_))));
}

#[test]
fn a_dead_peer_is_noticed_by_a_wire_that_sleeps_and_harms_no_other() {
    let open = || (UdpWire::open(config("127.0.0.1:0", &[])).expect("it opens"), Nic::default());
    let mut wires = [open(), open()];
    let closed = open().0.local_address();
    let to = wires[1].0.local_address();
    let (living, dead) = {
        let wire = &mut wires[0].0;
        (wire.connect(&to, 0).expect("few peers"), wire.connect(&closed, 0).expect("few peers"))
    };
    wires[0].0.send(dead, b"", b"", 0).expect("room");
    let mut sleeps = 0;
    let end = UdpWire::now() + 60 * SECOND;
    while wires[0].1.failed.is_empty() || wires[0].1.delivered.len() < 100 {
        let sent = wires[0].1.delivered.len() as u64;
        if sent < 100 && wires[0].0.outstanding(living) == 0 {
            wires[0].0.send(living, b"", b"on", 1 + sent).expect("room");
        }
        for (wire, nic) in &mut wires {
            wire.wait(1_000_000).expect("it waits");
            wire.poll(UdpWire::now(), nic).expect("sockets work");
            sleeps += 1;
        }
        assert!(UdpWire::now() < end);
    }
    assert_eq!(wires[0].1.failed, [(dead, TransportFailure::Gone)]);
    // Nothing remains that would wake it.
    let before = UdpWire::now();
    let (wire, nic) = &mut wires[0];
    for _ in 0..10 {
        wire.wait(20_000_000).expect("it waits");
        wire.poll(UdpWire::now(), nic).expect("sockets work");
    }
    assert!(UdpWire::now() - before >= 50_000_000, "it sleeps, after {sleeps} sleeps");
}

#[test]
fn a_sleeping_wire_is_woken_by_datagrams_and_by_time() {
    let open = |variables: &[(&str, &str)]| {
        (UdpWire::open(config("127.0.0.1:0", variables)).expect("it opens"), Nic::default())
    };
    let mut wires = [open(&[("FI_PHILAE_FAULTS", "drop=30%,seed=5")]), open(&[])];
    let to = wires[1].0.local_address();
    let peer = wires[0].0.connect(&to, 0).expect("few peers");
    std::thread::scope(|scope| {
        for (number, (wire, nic)) in wires.iter_mut().enumerate() {
            scope.spawn(move || {
                if number == 0 {
                    (0..50).for_each(|token| wire.send(peer, b"", &[5; 100], token).expect("room"));
                }
                let end = UdpWire::now() + 60 * SECOND;
                while if number == 0 { nic.delivered.len() < 50 } else { nic.failed.is_empty() } {
                    wire.wait(10 * SECOND).expect("it waits");
                    wire.poll(UdpWire::now(), nic).expect("sockets work");
                    if number == 1 && nic.messages.len() == 50 {
                        wire.drain(SECOND / 10, nic).expect("sockets work");
                        (0..20).for_each(|_| {
                            wire.wait(SECOND / 20).expect("it waits");
                            wire.poll(UdpWire::now(), nic).expect("sockets work");
                        });
                        break;
                    }
                    assert!(UdpWire::now() < end, "woken in time");
                }
            });
        }
    });
    assert_eq!(wires[1].1.messages.len(), 50);
}

#[test]
fn a_stalled_message_holds_its_lane_and_no_other() {
    let open = || (UdpWire::open(config("127.0.0.1:0", &[])).expect("it opens"), Nic::default());
    let mut wires = [open(), open()];
    let to = wires[1].0.local_address();
    let slow = wires[0].0.connect(&to, 0).expect("few peers");
    wires[1].1.stall = true;
    (0..1_024).for_each(|token| wires[0].0.send(slow, b"a", &[0; 900], token).expect("room"));
    assert_eq!(wires[0].0.send(slow, b"a", &[0; 900], 9), Err(TransportSendError::Busy));
    run(&mut wires, |wires| wires[1].0.total().stalls > 10);
    assert!(wires[0].1.delivered.is_empty());
    wires[1].1.stall = false;
    run(&mut wires, |wires| wires[0].1.delivered.len() == 1_024);
    let fast = wires[0].0.connect(&to, 1).expect("few peers");
    wires[1].1.stall = true;
    wires[0].0.send(slow, b"slow", b"", 5_000).expect("room");
    run(&mut wires, |wires| wires[1].0.total().stalls > 20);
    wires[1].1.stall = false;
    wires[0].0.send(fast, b"fast", b"", 5_001).expect("room");
    run(&mut wires, |wires| wires[0].1.delivered.len() == 1_026);
    assert!(wires[1].1.messages.iter().any(|(_, header, _)| header == b"fast"));
}
