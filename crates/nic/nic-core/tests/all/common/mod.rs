//! NICs on simulated wires in simulated time.

use philae_nic_core::transport::{
    DATAGRAM_MOST, FaultSpec, FaultyWire, Handler, HandlerDecision, NicAddress, Payload, PayloadMemory, PeerId,
    Transport, TransportFailure, TransportParameters,
};

/// The byte at an address of the memory that payloads are read from.
pub fn byte_at(address: u64) -> u8 {
    (address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8
}

/// Memory that holds [`byte_at`] everywhere.
pub struct Pattern;

impl PayloadMemory for Pattern {
    fn read(&self, address: u64, out: &mut [u8]) {
        out.iter_mut().zip(address..).for_each(|(byte, address)| *byte = byte_at(address));
    }
}

/// A message as it was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    pub peer: PeerId,
    pub header: Vec<u8>,
    pub payload: Vec<u8>,
}

/// What a NIC's caller observed.
#[derive(Debug, Default)]
pub struct Seen {
    pub messages: Vec<Received>,
    open: Vec<(PeerId, Vec<u8>, Vec<u8>, usize)>,
    pub delivered: Vec<u64>,
    pub undelivered: Vec<(u64, TransportFailure)>,
    pub failed: Vec<(PeerId, TransportFailure)>,
    /// The answers to messages, used in a cycle.
    pub verdicts: Vec<HandlerDecision>,
    pub asked: usize,
    pub discarded: usize,
}

impl Handler for Seen {
    fn begin(&mut self, peer: PeerId, header: &[u8], payload_bytes: u32) -> HandlerDecision {
        let verdict = match self.verdicts.len() {
            0 => HandlerDecision::Accept,
            count => self.verdicts[self.asked % count],
        };
        self.asked += 1;
        if verdict != HandlerDecision::Stall {
            assert!(self.open.iter().all(|(other, ..)| *other != peer), "one message at a time");
            self.open.push((peer, header.to_vec(), Vec::new(), payload_bytes as usize));
        }
        if verdict == HandlerDecision::Discard {
            self.discarded += 1;
            self.open.last_mut().expect("pushed").3 = usize::MAX;
        }
        verdict
    }

    fn chunk(&mut self, peer: PeerId, offset: u32, bytes: &[u8]) {
        let (_, _, payload, wanted) = self.open.iter_mut().find(|(other, ..)| *other == peer).expect("it began");
        assert!(!bytes.is_empty() && *wanted != usize::MAX && payload.len() == offset as usize);
        payload.extend(bytes);
    }

    fn end(&mut self, peer: PeerId) {
        let index = self.open.iter().position(|(other, ..)| *other == peer).expect("it began");
        let (peer, header, payload, wanted) = self.open.swap_remove(index);
        if wanted != usize::MAX {
            assert_eq!(payload.len(), wanted, "whole");
            self.messages.push(Received { peer, header, payload });
        }
    }

    fn delivered(&mut self, _: PeerId, token: u64) {
        self.delivered.push(token);
    }

    fn undelivered(&mut self, _: PeerId, token: u64, failure: TransportFailure) {
        self.undelivered.push((token, failure));
    }

    fn failed(&mut self, peer: PeerId, failure: TransportFailure) {
        self.open.retain(|(other, ..)| *other != peer);
        self.failed.push((peer, failure));
    }
}

/// A NIC with its caller and its outgoing wire.
pub struct Nic {
    pub address: NicAddress,
    pub transport: Transport,
    pub seen: Seen,
    pub out: FaultyWire,
    /// Every datagram that it sent, for tests that replay them.
    pub log: Option<Vec<(NicAddress, Vec<u8>)>>,
    /// Whether it is suspended.
    pub is_asleep: bool,
}

pub fn address(number: usize) -> NicAddress {
    let mut address = NicAddress::default();
    address.0[0] = number as u8 + 1;
    address
}

impl Nic {
    pub fn new(number: usize, incarnation: u64, parameters: &TransportParameters, faults: FaultSpec) -> Self {
        let secret = [number as u64, incarnation];
        let seed = faults.seed.wrapping_mul(31).wrapping_add(number as u64);
        Self {
            address: address(number),
            transport: Transport::new(parameters.clone(), secret).expect("parameters that make sense"),
            seen: Seen::default(),
            out: FaultyWire::new(FaultSpec { seed, ..faults }),
            log: None,
            is_asleep: false,
        }
    }
}

/// NICs and the time.
pub struct World {
    pub now: u64,
    pub nics: Vec<Nic>,
    pub datagram_max: usize,
    /// The time of the last step; `now` is the time of the next.
    pub last: u64,
}

impl World {
    pub fn new(count: usize, parameters: &TransportParameters, faults: FaultSpec, datagram_max: usize) -> Self {
        let delay_ns = faults.delay_ns.max(5_000);
        let faults = FaultSpec { delay_ns, ..faults };
        let nics = (0..count).map(|number| Nic::new(number, 0, parameters, faults)).collect();
        Self { now: 1_000_000, nics, datagram_max, last: 0 }
    }

    pub fn connect(&mut self, from: usize, to: usize) -> PeerId {
        let (to, datagram_max) = (self.nics[to].address, self.datagram_max);
        self.nics[from].transport.connect(&to, 0, datagram_max).expect("few peers")
    }

    /// Sends a message whose payload lies at `address`.
    pub fn send(&mut self, from: usize, peer: PeerId, header: &[u8], address: u64, bytes: u32, token: u64) -> bool {
        let now = self.now;
        self.nics[from].transport.send(now, peer, header, Payload::At { address, bytes }, token).is_ok()
    }

    fn flush(&mut self) {
        let mut out = vec![0; DATAGRAM_MOST];
        for nic in self.nics.iter_mut().filter(|nic| !nic.is_asleep) {
            while let Some(transmit) = nic.transport.transmit(self.now, &Pattern, &mut out) {
                let bytes = &out[..transmit.bytes];
                assert!(transmit.bytes <= self.datagram_max);
                nic.out.put(self.now, &transmit.to, bytes);
                if let Some(log) = &mut nic.log {
                    log.push((transmit.to, bytes.to_vec()));
                }
            }
        }
    }

    /// Does everything that is due now, and advances to the next event. Returns `false` if there is
    /// none.
    pub fn step(&mut self) -> bool {
        self.last = self.now;
        let mut arrived = Vec::new();
        for nic in &mut self.nics {
            while let Some((to, bytes, is_marked)) = nic.out.take(self.now) {
                arrived.push((nic.address, to, bytes, is_marked));
            }
        }
        for (from, to, bytes, is_marked) in arrived {
            let awake = self.nics.iter_mut().find(|nic| nic.address == to && !nic.is_asleep);
            if let Some(Nic { transport, seen, .. }) = awake {
                transport.receive(self.now, &from, &bytes, is_marked, seen);
                while let Some(peer) = transport.take_newcomer() {
                    transport.set_datagram_max(peer, self.datagram_max);
                }
            }
        }
        for Nic { transport, seen, .. } in self.nics.iter_mut().filter(|nic| !nic.is_asleep) {
            transport.tick(self.now, seen);
        }
        self.flush();
        let mut next = None;
        for nic in &self.nics {
            let wakeup = if nic.is_asleep { None } else { nic.transport.next_wakeup() };
            let stalled = (nic.transport.is_stalled() && !nic.is_asleep).then_some(self.now + 50_000);
            for at in [wakeup, nic.out.next(), stalled].into_iter().flatten() {
                next = Some(next.map_or(at, |next: u64| next.min(at)));
            }
        }
        if let Some(at) = next {
            self.now = at.max(self.now + 1_000);
        }
        next.is_some()
    }

    /// Steps until a condition holds. Panics after `at_most_ns` of simulated time.
    pub fn run_until(&mut self, at_most_ns: u64, mut done: impl FnMut(&Self) -> bool) {
        let end = self.now + at_most_ns;
        while !done(self) {
            assert!(self.now <= end, "not done after {at_most_ns} ns: {:?}", self.report());
            if !self.step() {
                self.now += 1_000_000;
            }
        }
    }

    /// Steps for `time_ns`.
    pub fn run_for(&mut self, time_ns: u64) {
        let end = self.now + time_ns;
        while self.now < end && self.step() {}
        self.now = self.now.max(end);
    }

    fn report(&self) -> Vec<String> {
        let describe = |nic: &Nic| {
            let counts: Vec<_> = nic.transport.total().list().into_iter().filter(|(_, count)| *count > 0).collect();
            format!("{} received, {:?}, {counts:?}", nic.seen.messages.len(), nic.seen.failed)
        };
        self.nics.iter().map(describe).collect()
    }
}
