//! `philae manager load`: opens many watches, sends many requests, and measures the time to each
//! answer.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use philae_console::out;
use serde_json::json;

use philae_manager_api::{Failure, bad_input};

/// The requested paths, in turn.
const PATHS: [&str; 5] = [
    "/api/v1/status",
    "/api/v1/switches?limit=10",
    "/api/v1/links?limit=10",
    "/api/v1/port-policies",
    "/api/v1/settings",
];
/// Connections for requests.
///
/// Source: ours. Status: assumed.
const CONNECTIONS: u64 = 16;
/// Longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// Options of a load.
#[derive(clap::Args, Debug)]
pub struct LoadOptions {
    /// Address of the manager: HOST:PORT, without TLS.
    #[arg(long, default_value = "127.0.0.1:8000")]
    manager: String,
    /// A file with a token.
    #[arg(long)]
    token_file: Option<PathBuf>,
    /// Number of open watches.
    #[arg(long, default_value_t = 100, value_parser = philae_console::whole::<u64>(0, u64::MAX))]
    watches: u64,
    /// Requests per second, in total.
    #[arg(long, default_value_t = 1_000, value_parser = philae_console::whole::<u64>(1, 1_000_000))]
    rate: u64,
    /// Duration, seconds.
    #[arg(long, default_value_t = 10, value_parser = philae_console::whole::<u64>(0, u64::MAX))]
    seconds: u64,
}

struct Target {
    address: String,
    token: Option<String>,
}

impl Target {
    fn connect(&self) -> std::io::Result<TcpStream> {
        let stream = TcpStream::connect(&self.address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(stream)
    }

    fn send(&self, stream: &mut TcpStream, path: &str) -> std::io::Result<()> {
        let token = self.token.as_ref().map_or_else(String::new, |token| format!("Authorization: Bearer {token}\r\n"));
        stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: {}\r\n{token}\r\n", self.address).as_bytes())
    }
}

/// Reads the head of an answer: its status, and its length if it has one.
fn head(reader: &mut BufReader<TcpStream>) -> std::io::Result<(u16, Option<usize>)> {
    let (mut status, mut length) = (0, None);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        let line = line.trim_end();
        if line.is_empty() {
            return Ok((status, length));
        }
        if status == 0 {
            status = line.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
        } else if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok();
        }
    }
}

#[derive(Default)]
struct Counts {
    answers: u64,
    errors: u64,
    times: Vec<f64>,
}

/// Sends requests on one connection, each at its time, no matter how long the previous one took.
fn asker(target: &Target, number: u64, options: &LoadOptions, began: Instant) -> Counts {
    let mut counts = Counts::default();
    let mut connection: Option<BufReader<TcpStream>> = None;
    let pause = Duration::from_secs_f64(CONNECTIONS as f64 / options.rate as f64);
    let mut due = began + pause.mul_f64(number as f64 / CONNECTIONS as f64);
    let end = began + Duration::from_secs(options.seconds);
    let mut turn = number as usize;
    while due < end {
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        let path = PATHS[turn % PATHS.len()];
        turn += 1;
        let mut attempt = || -> std::io::Result<u16> {
            let reader = match &mut connection {
                Some(reader) => reader,
                None => connection.insert(BufReader::new(target.connect()?)),
            };
            target.send(reader.get_mut(), path)?;
            let (status, length) = head(reader)?;
            let length = length.ok_or(std::io::ErrorKind::InvalidData)?;
            std::io::copy(&mut reader.by_ref().take(length as u64), &mut std::io::sink())?;
            Ok(status)
        };
        match attempt() {
            Ok(200) => counts.answers += 1,
            Ok(_) => counts.errors += 1,
            Err(_) => {
                counts.errors += 1;
                connection = None;
            }
        }
        // Counted from the time at which it was due.
        counts.times.push(due.elapsed().as_secs_f64() * 1e3);
        due += pause;
    }
    counts
}

/// Watches until the end of the measurement.
fn watcher(
    target: &Target,
    seconds: u64,
    open: &AtomicU64,
    events: &AtomicU64,
    over: &AtomicBool,
) -> std::io::Result<()> {
    let mut stream = target.connect()?;
    target.send(&mut stream, &format!("/api/v1/watch?timeoutSeconds={}", seconds + 60))?;
    stream.set_read_timeout(Some(Duration::from_millis(200)))?;
    let mut reader = BufReader::new(stream);
    if head(&mut reader)?.0 != 200 {
        return Err(std::io::ErrorKind::ConnectionRefused.into());
    }
    open.fetch_add(1, Ordering::Relaxed);
    let mut line = Vec::new();
    while !over.load(Ordering::Relaxed) {
        match reader.read_until(b'\n', &mut line) {
            Ok(0) => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            Ok(_) => {
                events.fetch_add(u64::from(line.starts_with(b"event: ")), Ordering::Relaxed);
                line.clear();
            }
            // The part of a line that was read stays in it.
            Err(error) if matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn at(times: &[f64], part: f64) -> f64 {
    times.get(((times.len() as f64 - 1.0) * part).round() as usize).copied().unwrap_or(0.0)
}

/// Loads a manager, and prints the times to its answers.
pub fn load(options: &LoadOptions, json: bool) -> Result<(), Failure> {
    let token = options.token_file.as_ref().map(std::fs::read_to_string).transpose().map_err(bad_input)?;
    let token = token.map(|token| token.trim().to_owned());
    let target = Arc::new(Target { address: options.manager.clone(), token });
    drop(target.connect().map_err(|error| bad_input(format!("{}: {error}", options.manager)))?);
    let (open, events, over) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let (lost, counts) = std::thread::scope(|scope| {
        let watchers: Vec<_> = (0..options.watches)
            .map(|_| scope.spawn(|| watcher(&target, options.seconds, &open, &events, &over)))
            .collect();
        let patience = Instant::now() + PATIENCE;
        while open.load(Ordering::Relaxed) < options.watches && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(10));
        }
        let began = Instant::now();
        let target = &target;
        let askers: Vec<_> =
            (0..CONNECTIONS).map(|number| scope.spawn(move || asker(target, number, options, began))).collect();
        let counts: Vec<Counts> = askers.into_iter().filter_map(|asker| asker.join().ok()).collect();
        over.store(true, Ordering::Relaxed);
        let lost = watchers.into_iter().filter_map(|watcher| watcher.join().ok()).filter(Result::is_err).count();
        (lost, counts)
    });
    let mut times: Vec<f64> = counts.iter().flat_map(|counts| counts.times.iter().copied()).collect();
    times.sort_by(f64::total_cmp);
    let sum = |of: fn(&Counts) -> u64| counts.iter().map(of).sum::<u64>();
    let (answers, errors) = (sum(|counts| counts.answers), sum(|counts| counts.errors));
    let report = json!({
        "watches": open.load(Ordering::Relaxed),
        "watchesLost": lost,
        "events": events.load(Ordering::Relaxed),
        "answers": answers,
        "errors": errors,
        "perSecond": answers as f64 / options.seconds.max(1) as f64,
        "milliseconds": { "p50": at(&times, 0.5), "p99": at(&times, 0.99), "most": at(&times, 1.0) },
    });
    if json {
        out!("{report:#}");
    } else {
        out!(
            "{} watches open ({lost} lost, {} events); {answers} answers, {errors} errors, {:.0} a second; {:.2} ms p50, {:.2} ms p99, {:.2} ms at most",
            open.load(Ordering::Relaxed),
            events.load(Ordering::Relaxed),
            answers as f64 / options.seconds.max(1) as f64,
            at(&times, 0.5),
            at(&times, 0.99),
            at(&times, 1.0)
        );
    }
    if errors > 0 || lost > 0 || open.load(Ordering::Relaxed) < options.watches {
        return Err(Failure(1, "some requests have no answer".to_owned()));
    }
    Ok(())
}
