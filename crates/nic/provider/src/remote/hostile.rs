//! An endpoint among hostile senders, over real sockets. Whatever they send changes no memory,
//! counters, queues or operations in flight of others, and a good peer continues to work.
//!
//! Three kinds of attackers. A **stranger** sends datagrams from a socket of its own. An
//! **eavesdropper** between the endpoint and its good peer has read every datagram, and sends from
//! the good peer's own address. A **peer** speaks the transport correctly, with keys of its own,
//! and requests what it must not have.

use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::{Duration, Instant};

use philae_fi_sys::*;
use philae_nic_core::nic::{Counted, PortalKind, RegisteredRegion, ReturnCode, Rights};
use philae_nic_core::transport::{
    Acknowledgement, ConnectionEnd, ConnectionTraffic, Datagram, Greeting, UNKNOWN_INDEX, seal,
};

use super::command::{HEADER_BYTES, RemoteCommand};
use super::side::{ANSWERS, REQUESTS};
use crate::address::NOT_AVAILABLE;
use crate::address_vector::Addresses;
use crate::completion::OperationResult;
use crate::completion_queue::FiCompletionQueue;
use crate::counter::FiCounter;
use crate::domain::FiDomain;
use crate::endpoint::{Bindings, Bound, FiEndpoint, OperationCounters};
use crate::host::random;
use crate::operation::{CompletionTarget, OutgoingMessage, PostedReceive, RemoteAccess, RemoteTarget, TransferBytes};
use crate::settings::ProviderSettings;
use crate::traffic::PacketClass;
use crate::udp::{Handler, HandlerDecision, PeerId, TransportFailure, UdpWire, WireConfig};

const VNI: u16 = 77;
const LOCAL: &str = "127.0.0.1:0";
/// Bytes of the memory around the regions, and of each region in it.
const MEMORY: usize = 4_096;
const REGION: u64 = 512;

/// An endpoint with its queues and counters.
struct Node {
    endpoint: Arc<FiEndpoint>,
    queue: Arc<FiCompletionQueue>,
    counters: [Arc<FiCounter>; 3],
    addresses: Arc<Addresses>,
}

impl Node {
    fn new() -> Self {
        let variable = |name: &str| match name {
            "SLINGSHOT_VNIS" => Some(VNI.to_string()),
            "FI_PHILAE_WIRES" => Some("udp".to_owned()),
            "FI_PHILAE_ADDRESS" => Some("127.0.0.1".to_owned()),
            _ => None,
        };
        let settings = Box::leak(Box::new(ProviderSettings::read(&variable).expect("all right")));
        let domain = Arc::new(FiDomain::for_test(settings));
        let capabilities = FI_MSG | FI_TAGGED | FI_RMA | FI_ATOMIC;
        let endpoint = Arc::new(FiEndpoint::new(&domain, capabilities, VNI));
        let (queue, addresses) = (Arc::new(FiCompletionQueue::for_test()), Arc::new(Addresses::default()));
        let counters = [(); 3].map(|()| Arc::new(FiCounter::default()));
        let bound = || Some(Bound { queue: Arc::clone(&queue), is_selective: false });
        let [receive, remote_write, send] = counters.each_ref().map(|counter| Some(Arc::clone(counter)));
        let counting = OperationCounters { receive, remote_write, send, ..OperationCounters::default() };
        let addresses_too = Some(Arc::clone(&addresses));
        let bindings = Bindings { addresses: addresses_too, transmit: bound(), receive: bound(), counters: counting };
        endpoint.enable(bindings, None).expect("a process number is free");
        Self { endpoint, queue, counters, addresses }
    }

    fn socket(&self) -> SocketAddr {
        self.endpoint.address().and_then(|address| address.socket).expect("it listens")
    }

    /// Names another node, at an address that need not be its own.
    fn know(&self, other: &Self, socket: SocketAddr) -> fi_addr_t {
        let mut address = *other.endpoint.address().expect("it is enabled");
        address.socket = Some(socket);
        self.addresses.insert(address)
    }

    fn reply(kind: u64, context: u64) -> CompletionTarget {
        CompletionTarget { context, kind, is_reported: true, length: 0, extra: None }
    }

    fn send(&self, to: fi_addr_t, tag: u64, bytes: &[u8], context: u64) {
        let reply = Self::reply(FI_SEND | FI_TAGGED, context);
        let message = OutgoingMessage { kind: PortalKind::Tagged, to, bytes, tag, data: None, flags: 0, reply };
        self.endpoint.send(&message).expect("there is room");
    }

    fn receive(&self, tag: u64, room: &mut [u8], context: u64) {
        let (address, length) = (room.as_mut_ptr() as u64, room.len() as u64);
        let kind = PortalKind::Tagged;
        let (from, ignore, flags, least_free) = (NOT_AVAILABLE, 0, 0, 0);
        let incoming = PostedReceive { kind, from, tag, ignore, address, length, context, flags, least_free };
        self.endpoint.receive(&incoming).expect("there is room");
    }

    fn write(&self, to: fi_addr_t, key: u64, bytes: &[u8], context: u64) {
        let place = RemoteTarget { key, offset: 0 };
        let reply = Self::reply(FI_RMA | FI_WRITE, context);
        let access = RemoteAccess {
            to,
            place,
            bytes: TransferBytes::Write(bytes),
            data: None,
            flags: 0,
            class: PacketClass::default(),
            reply,
        };
        self.endpoint.access(access).expect("there is room");
    }

    fn done(&self, context: u64) -> Option<OperationResult> {
        self.queue.all().into_iter().find(|completion| completion.context == context)
    }
}

/// Relays datagrams between two nodes, and remembers them.
struct Relay {
    /// The addresses under which the endpoint knows the good peer, and the good peer the endpoint.
    sockets: [UdpSocket; 2],
    ends: [SocketAddr; 2],
    /// The datagrams of the good peer.
    seen: Vec<Vec<u8>>,
}

impl Relay {
    fn new(victim: SocketAddr, good: SocketAddr) -> Self {
        let sockets = [(); 2].map(|()| {
            let socket = UdpSocket::bind(LOCAL).expect("a socket");
            socket.set_nonblocking(true).expect("it can");
            socket
        });
        Self { sockets, ends: [victim, good], seen: Vec::new() }
    }

    /// The address under which the endpoint and the good peer know each other.
    fn address(&self, index: usize) -> SocketAddr {
        self.sockets[index].local_addr().expect("it is bound")
    }

    fn hand_on(&mut self) {
        let mut bytes = vec![0; 65_536];
        for from in 0..2 {
            while let Ok((length, _)) = self.sockets[from].recv_from(&mut bytes) {
                if from == 1 {
                    self.seen.push(bytes[..length].to_vec());
                }
                let _ = self.sockets[1 - from].send_to(&bytes[..length], self.ends[1 - from]);
            }
        }
    }

    /// Sends to the endpoint from the good peer's address.
    fn pretend(&self, bytes: &[u8]) {
        let _ = self.sockets[0].send_to(bytes, self.ends[0]);
    }
}

/// The endpoint, its good peer, and all state that must not change.
struct Stage {
    victim: Node,
    good: Node,
    relay: Relay,
    to_victim: fi_addr_t,
    to_good: fi_addr_t,
    memory: Box<[u8; MEMORY]>,
    /// The keys of regions that can be read and written, only read, and only written.
    keys: [u64; 3],
    /// The last value that the good peer has written there.
    last: u8,
    context: u64,
}

impl Stage {
    fn new() -> Self {
        let (victim, good) = (Node::new(), Node::new());
        let relay = Relay::new(victim.socket(), good.socket());
        let to_victim = good.know(&victim, relay.address(1));
        let to_good = victim.know(&good, relay.address(0));
        let memory = Box::new([0x5a; MEMORY]);
        let keys = [(); 3].map(|()| random());
        let rights = [Rights::REMOTE_READ | Rights::REMOTE_WRITE, Rights::REMOTE_READ, Rights::REMOTE_WRITE];
        let place = victim.endpoint.place_for(&victim.counters[1]).expect("a counter is free");
        for (index, (key, rights)) in keys.into_iter().zip(rights).enumerate() {
            let address = memory.as_ptr() as u64 + 1_024 * (index as u64 + 1);
            let mut entered = victim.endpoint.enter().expect("no process died");
            entered
                .process
                .regions
                .register(RegisteredRegion::new(key, address, REGION, rights))
                .expect("there is room");
            let counted = Counted { writes: [place, 0], reads: [place, 0] };
            entered.process.regions.set_counters(key, counted);
        }
        let mut stage = Self { victim, good, relay, to_victim, to_good, memory, keys, last: 0, context: 1_000 };
        stage.all_is_well();
        stage
    }

    fn turn(&mut self) {
        for node in [&self.victim, &self.good] {
            node.endpoint.poll_remote();
            node.endpoint.progress();
        }
        self.relay.hand_on();
    }

    fn turn_for(&mut self, time: Duration) {
        let end = Instant::now() + time;
        while Instant::now() < end {
            self.turn();
            std::thread::yield_now();
        }
    }

    fn turn_until(&mut self, what: &str, mut is_so: impl FnMut(&Self) -> bool) {
        let end = Instant::now() + Duration::from_secs(20);
        while !is_so(self) {
            assert!(Instant::now() < end, "waited in vain for {what}: {:?}", self.victim.queue.all());
            self.turn();
            std::thread::yield_now();
        }
    }

    /// All state that the attacker must not change.
    fn state(&self) -> String {
        let entered = self.victim.endpoint.enter().expect("no process died");
        let process = &entered.process;
        let lists = [&process.plain, &process.tagged].map(|portal| (portal.receives.len(), portal.arrivals.len()));
        let (reserved, events) = (format!("{:?}", process.reserved), process.events.len());
        drop(entered);
        let counters = self.victim.counters.each_ref().map(|counter| (counter.successes(), counter.failures()));
        let completions = self.victim.queue.all().len();
        format!("{lists:?} {reserved} {events} {counters:?} {completions} {:?}", self.memory)
    }

    /// The good peer sends short and long messages and writes, and each arrives once.
    fn all_is_well(&mut self) {
        self.last = self.last.wrapping_add(1);
        let (last, first) = (self.last, self.context);
        self.context += 10;
        let (short, long) = ([last; 100], vec![last; 100_000]);
        let (mut short_room, mut long_room, written) = ([0; 100], vec![0; 100_000], [last; 64]);
        self.victim.receive(1, &mut short_room, first);
        self.victim.receive(2, &mut long_room, first + 1);
        self.good.send(self.to_victim, 1, &short, first + 2);
        self.good.send(self.to_victim, 2, &long, first + 3);
        self.good.write(self.to_victim, self.keys[0], &written, first + 4);
        self.turn_until("the good peer's messages", |stage| {
            (first..first + 2).all(|context| stage.victim.done(context).is_some())
                && (first + 2..first + 5).all(|context| stage.good.done(context).is_some())
        });
        for (node, contexts) in [(&self.victim, first..first + 2), (&self.good, first + 2..first + 5)] {
            for context in contexts {
                assert_eq!(node.done(context).map(|done| done.code), Some(ReturnCode::Ok), "operation {context}");
            }
        }
        assert!(short_room == short && long_room == long);
        assert_eq!(self.memory[1_024..1_024 + 64], written);
        assert!(self.memory[1_024 + 64..].iter().chain(&self.memory[..1_024]).all(|&byte| byte == 0x5a));
    }

    /// Whatever an attack does, nothing changes, and the good peer continues.
    fn withstands(&mut self, mut attack: impl FnMut(&mut Self)) {
        self.turn_for(Duration::from_millis(20));
        let before = self.state();
        attack(self);
        self.turn_for(Duration::from_millis(100));
        assert_eq!(self.state(), before);
        self.all_is_well();
    }
}

/// A peer that requests what it must not have.
struct Peer {
    wire: UdpWire,
    requests: PeerId,
    answers: PeerId,
    heard: Heard,
}

/// The answer that it got.
#[derive(Default)]
struct Heard {
    commands: Vec<RemoteCommand>,
    bytes: usize,
}

impl Handler for Heard {
    fn begin(&mut self, _: PeerId, header: &[u8], _: u32) -> HandlerDecision {
        self.commands.extend(RemoteCommand::decode(header).map(|(command, _)| command));
        HandlerDecision::Accept
    }
    fn chunk(&mut self, _: PeerId, _: u32, bytes: &[u8]) {
        self.bytes += bytes.len();
    }
    fn end(&mut self, _: PeerId) {}
    fn delivered(&mut self, _: PeerId, _: u64) {}
    fn undelivered(&mut self, _: PeerId, _: u64, _: TransportFailure) {}
    fn failed(&mut self, _: PeerId, _: TransportFailure) {}
}

impl Peer {
    fn new(victim: SocketAddr) -> Self {
        let config = WireConfig::new(LOCAL.parse().expect("an address"));
        let mut wire = UdpWire::open(config).expect("a socket");
        let requests = wire.connect(&victim, REQUESTS).expect("an address");
        let answers = wire.connect(&victim, ANSWERS).expect("an address");
        Self { wire, requests, answers, heard: Heard::default() }
    }

    /// Sends this, and lets the endpoint handle it.
    fn say(&mut self, stage: &mut Stage, is_answer: bool, header: &[u8], payload: &[u8]) {
        let lane = if is_answer { self.answers } else { self.requests };
        let end = Instant::now() + Duration::from_secs(20);
        while self.wire.send(lane, header, payload, 0).is_err() {
            assert!(Instant::now() < end, "the queue stays full");
            self.listen(stage);
        }
        self.listen(stage);
    }

    fn listen(&mut self, stage: &mut Stage) {
        let _ = self.wire.poll(UdpWire::now(), &mut self.heard);
        stage.turn();
    }

    /// Sends a request, and expects this code as the answer.
    fn is_refused(&mut self, stage: &mut Stage, vni: u16, command: RemoteCommand, payload: &[u8], code: ReturnCode) {
        let before = self.heard.commands.len();
        self.say(stage, false, &command.encode(vni), payload);
        let end = Instant::now() + Duration::from_secs(20);
        while self.heard.commands.len() == before {
            assert!(Instant::now() < end, "no answer to {command:?}");
            self.listen(stage);
        }
        assert_eq!(self.heard.commands[before..], [RemoteCommand::Done { handle: 9, code }], "{command:?}");
        assert_eq!(self.heard.bytes, 0);
    }
}

/// Pseudorandom bytes, the same in every run.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn bytes(&mut self, most: usize) -> Vec<u8> {
        (0..self.below(most)).map(|_| self.next() as u8).collect()
    }
}

fn every_access(key: u64, offset: u64, length: u64) -> [(RemoteCommand, Vec<u8>); 3] {
    let handle = 9;
    let put = RemoteCommand::Put { key, offset, data: None, handle };
    let get = RemoteCommand::Get { key, offset, length, handle };
    let size = length.min(8) as usize;
    let sum = RemoteCommand::Change {
        operation: 2,
        of_type: 7,
        fetches: true,
        by_bus: false,
        key,
        offset,
        length: size as u64,
        handle,
    };
    [(put, vec![0xee; length.min(1_000) as usize]), (get, Vec::new()), (sum, vec![0xee; size])]
}

#[test]
fn a_peer_of_another_virtual_network_is_refused() {
    let mut stage = Stage::new();
    let mut peer = Peer::new(stage.victim.socket());
    let key = stage.keys[0];
    stage.withstands(|stage| {
        for vni in [0, 1, VNI - 1, VNI + 1, u16::MAX] {
            for (command, bytes) in every_access(key, 0, 8) {
                peer.is_refused(stage, vni, command, &bytes, ReturnCode::PermissionViolation);
            }
            let message = RemoteCommand::Send { is_tagged: true, bits: 1, data: None, length: 100_000, handle: 9 };
            peer.is_refused(stage, vni, message, &[], ReturnCode::PermissionViolation);
            let short = RemoteCommand::Send { is_tagged: true, bits: 1, data: None, length: 8, handle: 0 };
            peer.say(stage, false, &short.encode(vni), &[0xee; 8]);
        }
    });
}

#[test]
fn keys_that_are_guessed_open_nothing() {
    let mut stage = Stage::new();
    let mut peer = Peer::new(stage.victim.socket());
    let local = stage.keys[0];
    stage.withstands(|stage| {
        let mut draw = Draw(1);
        let tries = (0..64).map(|bit| local ^ 1 << bit).chain((0..20).flat_map(|_| [draw.next(), draw.next() >> 40]));
        for key in tries.chain([0, 1, u64::MAX]).collect::<Vec<_>>() {
            for (command, bytes) in every_access(key, 0, 8) {
                peer.is_refused(stage, VNI, command, &bytes, ReturnCode::NoMatch);
            }
        }
    });
}

#[test]
fn keys_of_the_provider_are_64_bits_that_a_peer_cannot_guess() {
    let keys: Vec<u64> = (0..256).map(|_| random()).collect();
    let ones: u32 = keys.iter().map(|key| key.count_ones()).sum();
    // 16,384 fair bits: 64 standard deviations are 4,096; five are 320.
    assert!(ones.abs_diff(8_192) < 320, "{ones} of 16384 bits are set");
    for bit in 0..64 {
        let ones = keys.iter().filter(|&&key| key >> bit & 1 == 1).count();
        assert!((80..176).contains(&ones), "bit {bit} is set in {ones} of 256");
    }
}

#[test]
fn nothing_beyond_the_bounds_of_a_region_is_reached_nor_around_the_end_of_memory() {
    let mut stage = Stage::new();
    let mut peer = Peer::new(stage.victim.socket());
    let key = stage.keys[0];
    stage.withstands(|stage| {
        let address = stage.memory.as_ptr() as u64 + 1_024;
        let around = [u64::MAX, u64::MAX - 7, u64::MAX - REGION, 0_u64.wrapping_sub(address), 1 << 63];
        for offset in around.into_iter().chain([REGION - 7, REGION, REGION + 1, REGION + 512]) {
            for (command, bytes) in every_access(key, offset, 8) {
                peer.is_refused(stage, VNI, command, &bytes, ReturnCode::OutOfBounds);
            }
        }
        for length in [REGION + 1, 1 << 32, u64::MAX, u64::MAX - 7] {
            let get = RemoteCommand::Get { key, offset: 0, length, handle: 9 };
            peer.is_refused(stage, VNI, get, &[], ReturnCode::OutOfBounds);
            let get = RemoteCommand::Get { key, offset: 8, length, handle: 9 };
            peer.is_refused(stage, VNI, get, &[], ReturnCode::OutOfBounds);
        }
        let put = RemoteCommand::Put { key, offset: 0, data: Some(1), handle: 9 };
        peer.is_refused(stage, VNI, put, &[0xee; REGION as usize + 1], ReturnCode::OutOfBounds);
    });
}

#[test]
fn rights_that_a_region_does_not_give_are_refused() {
    let mut stage = Stage::new();
    let mut peer = Peer::new(stage.victim.socket());
    let [_, read_only, write_only] = stage.keys;
    stage.withstands(|stage| {
        let [(put, bytes), _, (sum, operand)] = every_access(read_only, 0, 8);
        peer.is_refused(stage, VNI, put, &bytes, ReturnCode::PermissionViolation);
        peer.is_refused(stage, VNI, sum, &operand, ReturnCode::PermissionViolation);
        let [_, (get, _), (sum, operand)] = every_access(write_only, 0, 8);
        peer.is_refused(stage, VNI, get, &[], ReturnCode::PermissionViolation);
        peer.is_refused(stage, VNI, sum, &operand, ReturnCode::PermissionViolation);
    });
}

#[test]
fn answers_to_what_others_were_asked_end_nothing_and_fetch_nothing() {
    let mut stage = Stage::new();
    let mut peer = Peer::new(stage.victim.socket());
    let secret = vec![0x77; 50_000];
    // A message of the victim that its good peer has not received yet: any handle may be the right
    // one.
    stage.victim.send(stage.to_good, 5, &secret, 1);
    stage.turn_for(Duration::from_millis(50));
    assert_eq!(stage.victim.done(1).map(|done| done.code), None);
    let before = stage.state();
    for handle in 0..200 {
        for code in [ReturnCode::Ok, ReturnCode::Undeliverable] {
            peer.say(&mut stage, true, &RemoteCommand::Done { handle, code }.encode(VNI), &[]);
            peer.say(&mut stage, true, &RemoteCommand::Data { handle, code }.encode(VNI), &[0xee; 1_000]);
        }
        let pull = RemoteCommand::Pull { handle, answer: 9, length: 50_000 };
        peer.say(&mut stage, true, &pull.encode(VNI), &[]);
        // Also by the lane of requests.
        peer.say(&mut stage, false, &pull.encode(VNI), &[]);
    }
    for _ in 0..2_000 {
        peer.listen(&mut stage);
    }
    assert_eq!(stage.state(), before);
    assert_eq!(peer.heard.bytes, 0, "nothing of the message was given out");
    assert!(
        peer.heard
            .commands
            .iter()
            .all(|answer| *answer == RemoteCommand::Done { handle: 9, code: ReturnCode::NoMatch })
    );
    let mut room = vec![0; 50_000];
    stage.good.receive(5, &mut room, 2);
    stage.turn_until("the message", |stage| stage.victim.done(1).is_some() && stage.good.done(2).is_some());
    assert_eq!(stage.victim.done(1).map(|done| done.code), Some(ReturnCode::Ok));
    assert_eq!(room, secret);
    stage.all_is_well();
}

#[test]
fn commands_that_make_no_sense_do_nothing() {
    let mut stage = Stage::new();
    let mut peer = Peer::new(stage.victim.socket());
    let key = stage.keys[0];
    stage.withstands(|stage| {
        let mut draw = Draw(2);
        for round in 0..400 {
            let mut header = [0; HEADER_BYTES];
            header.iter_mut().for_each(|byte| *byte = draw.next() as u8);
            match round % 4 {
                // An existing kind, of another network.
                0 => header[0] = 1 + draw.below(7) as u8,
                // The right network and key, and a nonexistent kind.
                1 => {
                    header[0] = if draw.below(2) == 0 { 0 } else { 8 + draw.below(247) as u8 };
                    header[4..6].copy_from_slice(&VNI.to_le_bytes());
                    header[8..16].copy_from_slice(&key.to_le_bytes());
                }
                // Nonexistent atomic operations and types, and operands of the wrong length.
                2 => {
                    let (operation, of_type) = (draw.next() as u8 | 0x40, draw.next() as u8 | 0x40);
                    let (offset, handle) = (0, 9);
                    let length = draw.below(600) as u64;
                    let (fetches, by_bus) = (draw.below(2) == 0, draw.below(2) == 0);
                    let change =
                        RemoteCommand::Change { operation, of_type, fetches, by_bus, key, offset, length, handle };
                    header = change.encode(VNI);
                }
                // Messages whose length is not that of their bytes.
                _ => {
                    let (is_tagged, bits, data) = (true, 1, None);
                    let length = [u64::MAX, 0, 1 << 40, 17_000][draw.below(4)];
                    header = RemoteCommand::Send { is_tagged, bits, data, length, handle: 0 }.encode(VNI);
                }
            }
            let payload = draw.bytes(900);
            let header = if round % 7 == 3 { &header[..draw.below(HEADER_BYTES)] } else { &header[..] };
            peer.say(stage, round % 5 == 4, header, &payload);
        }
        for _ in 0..500 {
            peer.listen(stage);
        }
    });
}

#[test]
fn garbage_from_strangers_and_from_a_peers_address_does_nothing() {
    let mut stage = Stage::new();
    let stranger = UdpSocket::bind(LOCAL).expect("a socket");
    stage.withstands(|stage| {
        let mut draw = Draw(3);
        for _ in 0..1_500 {
            let mut bytes = draw.bytes(1_500);
            if draw.below(2) == 0 && bytes.len() > 24 {
                // Bytes that pass for a datagram of the transport up to its checksum, or beyond.
                bytes[..4].copy_from_slice(&[0x50, 0x48, 1, draw.below(6) as u8]);
                if draw.below(2) == 0 {
                    seal(&mut bytes);
                }
            }
            let _ = stranger.send_to(&bytes, stage.victim.socket());
            stage.relay.pretend(&bytes);
            stage.turn();
        }
    });
}

#[test]
fn damaged_and_shortened_datagrams_of_a_peer_do_nothing() {
    let mut stage = Stage::new();
    stage.withstands(|stage| {
        let (seen, mut draw) = (stage.relay.seen.clone(), Draw(4));
        for _ in 0..1_500 {
            let mut bytes = seen[draw.below(seen.len())].clone();
            match draw.below(3) {
                0 => bytes.truncate(draw.below(bytes.len())),
                1 => {
                    let at = draw.below(bytes.len());
                    bytes[at] ^= 1 + draw.below(255) as u8;
                }
                _ => bytes.push(draw.next() as u8),
            }
            stage.relay.pretend(&bytes);
            stage.turn();
        }
    });
}

#[test]
fn datagrams_sent_again_deliver_nothing_twice() {
    let mut stage = Stage::new();
    let stranger = UdpSocket::bind(LOCAL).expect("a socket");
    // Room for messages that would arrive twice.
    let mut room = [[0_u8; 100]; 4];
    for (context, room) in (1..).zip(&mut room) {
        stage.victim.receive(1, room, context);
    }
    stage.turn_for(Duration::from_millis(20));
    let before = stage.state();
    let (seen, mut draw) = (stage.relay.seen.clone(), Draw(5));
    assert!(seen.len() > 4, "there is something to send again");
    for round in 0..3 * seen.len() {
        // In order, and then in any order.
        let bytes = &seen[if round < seen.len() { round } else { draw.below(seen.len()) }];
        stage.relay.pretend(bytes);
        let _ = stranger.send_to(bytes, stage.victim.socket());
        stage.turn();
    }
    stage.turn_for(Duration::from_millis(100));
    assert_eq!(stage.state(), before);
    for context in 1..=4 {
        stage.victim.endpoint.cancel(context).expect("it waits still");
    }
    assert!(room.iter().flatten().all(|&byte| byte == 0));
    stage.all_is_well();
}

#[test]
fn acknowledgements_and_farewells_forged_from_a_peers_address_end_nothing() {
    let mut stage = Stage::new();
    let secret = vec![0x77; 50_000];
    stage.victim.send(stage.to_good, 5, &secret, 1);
    stage.turn_for(Duration::from_millis(50));
    stage.withstands(|stage| {
        let mut draw = Draw(6);
        for round in 0..600 {
            let identity = |draw: &mut Draw| ConnectionEnd { index: draw.below(6) as u32, key: draw.next().max(1) };
            let to = identity(&mut draw);
            let from =
                ConnectionEnd { index: if round % 2 == 0 { UNKNOWN_INDEX } else { to.index }, ..identity(&mut draw) };
            let greeting = Greeting { from, lane: draw.below(2) as u8, window: u32::MAX };
            let (cumulative, window) = (draw.below(200_000) as u64, u32::MAX);
            let acknowledgement = Acknowledgement { cumulative, window, echo: None, marks: 1, raw_ranges: &[] };
            let payload = [0xee; 64];
            let data = (round % 3 == 0).then_some((draw.below(200_000) as u64, &payload[..]));
            let traffic = ConnectionTraffic {
                to,
                stamp: draw.next() as u32,
                ask: true,
                bye: round % 2 == 0,
                once: (round % 3 == 1).then_some((draw.next() as u32, &payload[..])),
                from: (round % 4 == 0).then_some(greeting),
                acknowledgement: Some(acknowledgement),
                data,
            };
            let datagram = match round % 5 {
                0 => Datagram::Unknown { refused: to },
                1 => Datagram::Accept { to, from: greeting },
                2 => Datagram::Open(greeting),
                _ => Datagram::Traffic(traffic),
            };
            let mut bytes = vec![0; 500];
            let end = datagram.write(&mut bytes);
            bytes.truncate(end);
            if matches!(datagram, Datagram::Traffic(ConnectionTraffic { data: Some(_), .. })) {
                bytes.extend(payload);
            }
            seal(&mut bytes);
            stage.relay.pretend(&bytes);
            stage.turn();
        }
    });
    assert_eq!(stage.victim.done(1).map(|done| done.code), None, "the message has not ended");
    let mut room = vec![0; 50_000];
    stage.good.receive(5, &mut room, 2);
    stage.turn_until("the message", |stage| stage.victim.done(1).is_some() && stage.good.done(2).is_some());
    assert_eq!(room, secret);
}
