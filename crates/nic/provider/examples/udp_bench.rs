//! Measures half the round trip and the bandwidth between two NICs over UDP.
//!
//! `cargo run --release -p philae-provider --example udp_bench`: two processes on the loopback
//! interface. `... udp_bench alone BYTES ROUNDS`: both NICs in one thread, which never waits: to
//! count instructions, not time (`perf stat -e instructions:u,instructions:k`). `... udp_bench
//! serve ADDRESS:PORT` and `... udp_bench to ADDRESS:PORT FROM_ADDRESS:0`: two hosts. The
//! environment is that of `WireConfig::from_environment`.

#![expect(unsafe_code, reason = "messages are sent from where they lie")]

use std::error::Error;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Command, Stdio};

use philae_provider::udp::{
    Handler, HandlerDecision, PeerId, TransportFailure, TransportSendError, UdpWire, WireConfig,
};

/// Polls without news before the thread yields between polls, and before it gives up the processor
/// altogether.
const SPINS: [u32; 2] = [1_000, 10_000];
/// Messages in flight during a bandwidth measurement.
const OUTSTANDING: usize = 16;
const BIG: usize = 4 << 20;

/// Receives everything into one buffer and counts.
struct Caller {
    bytes: Vec<u8>,
    from: Option<PeerId>,
    received: u64,
    last_bytes: u32,
    completed: u64,
    failed: Option<TransportFailure>,
}

impl Caller {
    fn new() -> Self {
        Self { bytes: vec![0; BIG], from: None, received: 0, last_bytes: 0, completed: 0, failed: None }
    }
}

impl Handler for Caller {
    fn begin(&mut self, peer: PeerId, _: &[u8], payload_bytes: u32) -> HandlerDecision {
        (self.from, self.last_bytes) = (Some(peer), payload_bytes);
        HandlerDecision::Accept
    }
    fn chunk(&mut self, _: PeerId, offset: u32, bytes: &[u8]) {
        self.bytes[offset as usize..][..bytes.len()].copy_from_slice(bytes);
    }
    fn end(&mut self, _: PeerId) {
        self.received += 1;
    }
    fn delivered(&mut self, _: PeerId, _: u64) {
        self.completed += 1;
    }
    fn undelivered(&mut self, _: PeerId, _: u64, failure: TransportFailure) {
        self.failed = Some(failure);
    }
    fn failed(&mut self, _: PeerId, failure: TransportFailure) {
        self.failed = Some(failure);
    }
}

/// Polls until a condition holds; yields if nothing arrives for long.
fn until(wire: &mut UdpWire, caller: &mut Caller, done: impl Fn(&Caller) -> bool) -> Result<(), Box<dyn Error>> {
    let mut idle = 0;
    while !done(caller) {
        if let Some(failure) = caller.failed {
            return Err(failure.into());
        }
        idle = if wire.poll(UdpWire::now(), caller)? { 0 } else { idle + 1 };
        if idle > SPINS[1] {
            wire.wait(1_000_000_000)?;
            idle = 0;
        } else if idle > SPINS[0] {
            std::thread::yield_now();
        }
    }
    Ok(())
}

fn send(wire: &mut UdpWire, caller: &mut Caller, peer: PeerId, kind: u8, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    loop {
        // SAFETY: the source lives as long as the wire, and does not change.
        match unsafe { wire.send_from(peer, &[kind], bytes.as_ptr(), bytes.len() as u32, 0) } {
            Ok(()) => return Ok(wire.flush(UdpWire::now())?),
            Err(TransportSendError::Busy) => {
                wire.poll(UdpWire::now(), caller)?;
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// Answers each single message below 1 MiB with one of its size, and each burst with an empty one.
fn serve(bind: SocketAddr) -> Result<(), Box<dyn Error>> {
    let payload = vec![1_u8; BIG];
    let mut wire = UdpWire::open(WireConfig::from_environment(bind)?)?;
    println!("{}", wire.local_address());
    let mut caller = Caller::new();
    for (bytes, rounds, burst) in plan() {
        for _ in 0..rounds {
            let wanted = caller.received + burst as u64;
            until(&mut wire, &mut caller, |caller| caller.received >= wanted)?;
            let answer = if burst == 1 { &payload[..bytes] } else { &payload[..0] };
            let peer = caller.from.ok_or("a message comes from a peer")?;
            send(&mut wire, &mut caller, peer, 1, answer)?;
        }
    }
    wire.drain(2_000_000_000, &mut caller)?;
    report("there", &wire, caller.from.ok_or("a message comes from a peer")?);
    Ok(())
}

/// Prints the counts.
fn report(place: &str, wire: &UdpWire, peer: PeerId) {
    let names = wire.total().list().into_iter().filter(|(_, count)| *count > 0);
    let counts: Vec<String> = names.map(|(name, count)| format!("{name} {count}")).collect();
    eprintln!("{place}: {}\n{:?}", counts.join(", "), wire.counters());
    eprintln!("{place}: window in bytes and round trip in ns: {:?}", wire.path(peer));
}

/// Sizes, rounds, and messages in each round.
fn plan() -> Vec<(usize, usize, usize)> {
    vec![
        (8, 2_000, 1),
        (8, 20_000, 1),
        (1_024, 5_000, 1),
        (65_536, 2_000, 1),
        (BIG, 20, 1),
        (8, 500, 64),
        (65_536, 300, OUTSTANDING),
        (1 << 20, 50, OUTSTANDING),
        (BIG, 20, OUTSTANDING),
    ]
}

fn percentile(times: &mut [u64], percent: usize) -> u64 {
    times.sort_unstable();
    times[times.len() * percent / 100]
}

fn measure(to: SocketAddr, bind: SocketAddr) -> Result<(), Box<dyn Error>> {
    let payload = vec![2_u8; BIG];
    let mut wire = UdpWire::open(WireConfig::from_environment(bind)?)?;
    let mut caller = Caller::new();
    let peer = wire.connect(&to, 0)?;
    println!("{:>10} {:>8} {:>12} {:>12} {:>12}", "bytes", "in flight", "p5", "p50", "unit");
    for (number, (bytes, rounds, burst)) in plan().into_iter().enumerate() {
        let mut times = Vec::with_capacity(rounds);
        for _ in 0..rounds {
            let wanted = caller.received + 1;
            let began = UdpWire::now();
            for _ in 0..burst {
                send(&mut wire, &mut caller, peer, 0, &payload[..bytes])?;
            }
            until(&mut wire, &mut caller, |caller| caller.received >= wanted)?;
            times.push(UdpWire::now() - began);
        }
        if number == 0 {
            continue;
        }
        let (fast, middle) = (percentile(&mut times, 5), percentile(&mut times, 50));
        let (p5, p50, unit) = match burst {
            1 => (fast as f64 / 2e3, middle as f64 / 2e3, "us"),
            _ if bytes < 1_024 => ((burst as f64) / fast as f64 * 1e3, (burst as f64) / middle as f64 * 1e3, "M/s"),
            _ => ((burst * bytes) as f64 / fast as f64, (burst * bytes) as f64 / middle as f64, "GB/s"),
        };
        println!("{bytes:>10} {burst:>8} {p5:>12.2} {p50:>12.2} {unit:>12}");
    }
    wire.drain(2_000_000_000, &mut caller)?;
    report("here", &wire, peer);
    Ok(())
}

/// Round trips between two NICs of this thread.
fn alone(bytes: usize, rounds: u32) -> Result<(), Box<dyn Error>> {
    let payload = vec![2_u8; bytes];
    let open = || -> Result<UdpWire, Box<dyn Error>> {
        Ok(UdpWire::open(WireConfig::from_environment("127.0.0.1:0".parse()?)?)?)
    };
    let (mut wires, mut callers) = ([open()?, open()?], [Caller::new(), Caller::new()]);
    let addresses = wires.each_ref().map(UdpWire::local_address);
    let peers = [wires[0].connect(&addresses[1], 0)?, wires[1].connect(&addresses[0], 0)?];
    let mut times = Vec::new();
    for _ in 0..rounds {
        let began = UdpWire::now();
        for from in [0, 1] {
            let wanted = callers[1 - from].received + 1;
            send(&mut wires[from], &mut callers[from], peers[from], 0, &payload)?;
            while callers[1 - from].received < wanted {
                wires[1 - from].poll(UdpWire::now(), &mut callers[1 - from])?;
                if callers[1 - from].received < wanted {
                    wires[from].poll(UdpWire::now(), &mut callers[from])?;
                }
            }
        }
        times.push(UdpWire::now() - began);
    }
    println!("{bytes} B: p5 {} ns for a message", percentile(&mut times, 5) / 2);
    report("here", &wires[0], peers[0]);
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let texts: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match texts.as_slice() {
        ["serve", bind] => serve(bind.parse()?),
        ["to", to, bind] => measure(to.parse()?, bind.parse()?),
        ["alone", bytes, rounds] => alone(bytes.parse()?, rounds.parse()?),
        [] => {
            let mut command = Command::new(std::env::current_exe()?);
            let mut server = command.args(["serve", "127.0.0.1:0"]).stdout(Stdio::piped()).spawn()?;
            let mut line = String::new();
            BufReader::new(server.stdout.take().ok_or("a pipe")?).read_line(&mut line)?;
            let result = measure(line.trim().parse()?, "127.0.0.1:0".parse()?);
            if result.is_err() {
                server.kill()?;
            }
            server.wait()?;
            result
        }
        _ => Err("nothing, `alone BYTES ROUNDS`, `serve ADDRESS:PORT`, or `to ADDRESS:PORT FROM_ADDRESS:0`".into()),
    }
}
