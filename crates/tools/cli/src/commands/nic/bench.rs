//! `philae nic bench`: compares two processes of this host over several libfabric providers.

use crate::arguments::{CommonOptions, Metric, NicBenchArguments, OperationName, WorkerArguments};
use crate::cells::Cells;
use crate::failure::CommandFailure;
use crate::output;
use clap::ValueEnum;
use philae_experiments::CellProgress;
use philae_fi_client::{FiClient, FiClientError, MeasuredOperation, MeasuringRole, OverlapCost};
use philae_launcher::find_library;
use philae_results::text::{RowPrinter, TextColumn};
use std::cell::Cell;
use std::io::{BufRead, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};

impl OperationName {
    const fn operation(self) -> MeasuredOperation {
        match self {
            Self::Send => MeasuredOperation::Send,
            Self::Tsend => MeasuredOperation::Tagged,
            Self::Write => MeasuredOperation::Write,
            Self::Read => MeasuredOperation::Read,
            Self::Atomic => MeasuredOperation::Atomic,
        }
    }
}

/// How often each size is measured, alternating with the other providers. Source: ours. Status:
/// assumed.
const ROUNDS: usize = 3;

/// The wires in a name of our own provider, if it has any; `None` for the name of another provider.
fn wires_of(provider: &str) -> Option<Option<&str>> {
    match provider.strip_prefix("philae")? {
        "" => Some(None),
        rest => Some(Some(rest.strip_prefix('/')?)),
    }
}

/// The two processes of a provider.
struct Pair {
    provider: String,
    workers: [Worker; 2],
}

struct Worker {
    child: Child,
    asked: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Worker {
    fn start(provider: &str, operation: OperationName, bytes: usize, is_first: bool) -> Result<Self, CommandFailure> {
        let failed = |error| CommandFailure::run(format!("cannot start a process of the measurement: {error}"));
        let executable = std::env::current_exe().map_err(failed)?;
        let mut command = Command::new(&executable);
        let operation = operation.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
        let name = if wires_of(provider).is_some() { "philae" } else { provider };
        command.args(["nic", "bench-worker", &operation, name, &bytes.to_string()]);
        if is_first {
            command.arg("--first");
        }
        command.env_remove("FI_PROVIDER_PATH").env_remove("FI_PROVIDER");
        if let Some(wires) = wires_of(provider) {
            let said = std::env::var_os("PHILAE_LIBRARY");
            let library = find_library(said.as_ref().map(AsRef::as_ref), &executable).map_err(CommandFailure::input)?;
            command.env("FI_PROVIDER_PATH", library).env("FI_PROVIDER", "philae");
            if let Some(wires) = wires {
                command.env("FI_PHILAE_WIRES", wires);
            }
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
        let pipe = || CommandFailure::run("a process of the measurement has no pipes");
        let asked = child.stdin.take().ok_or_else(pipe)?;
        let answers = BufReader::new(child.stdout.take().ok_or_else(pipe)?);
        Ok(Self { child, asked, answers })
    }

    fn ask(&mut self, line: &str) -> Result<(), CommandFailure> {
        writeln!(self.asked, "{line}")
            .map_err(|error| CommandFailure::run(format!("a process of the measurement has ended: {error}")))
    }

    /// Its answer, without the leading word.
    fn answer(&mut self, word: &str) -> Result<String, CommandFailure> {
        let mut line = String::new();
        let read = self.answers.read_line(&mut line);
        let ended = || CommandFailure::run("a process of the measurement ended without an answer");
        if read.map_err(|_| ended())? == 0 {
            return Err(ended());
        }
        match line.trim_end().split_once(' ') {
            Some((found, rest)) if found == word => Ok(rest.to_owned()),
            Some(("error", why)) => Err(CommandFailure::run(why)),
            _ => Err(CommandFailure::run(format!("a process of the measurement said {line:?}; expected {word}"))),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It ends when its input ends; after an error it may still wait for its peer.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Pair {
    fn start(provider: &str, operation: OperationName, bytes: usize) -> Result<Self, CommandFailure> {
        let start = |is_first| Worker::start(provider, operation, bytes, is_first);
        let mut pair = Self { provider: provider.to_owned(), workers: [start(true)?, start(false)?] };
        let [first, second] = &mut pair.workers;
        let addresses = [first.answer("ready")?, second.answer("ready")?];
        first.ask(&format!("peer {}", addresses[1]))?;
        second.ask(&format!("peer {}", addresses[0]))?;
        Ok(pair)
    }

    /// The answers of both processes when they have carried out the line: the first and the second.
    fn ask(&mut self, line: &str, bytes: usize) -> Result<[Vec<u64>; 2], CommandFailure> {
        for worker in &mut self.workers {
            worker.ask(line)?;
        }
        let [first, second] = &mut self.workers;
        let said = first.answer("done").and_then(|said| second.answer("done").map(|also| [said, also]));
        let said = said.map_err(|failure| {
            CommandFailure::run(format!(
                "{}, {bytes} B: {}",
                self.provider,
                failure.text(false).trim_start_matches("error: ")
            ))
        })?;
        Ok(said.map(|said| said.split(' ').filter_map(|word| word.parse::<u64>().ok()).collect()))
    }

    fn measure(&mut self, bytes: usize) -> Result<Round, CommandFailure> {
        let singles = ((64 << 20) / bytes).clamp(20, 1_000);
        let windows = (singles / 16).clamp(4, 64);
        let [said, _] = self.ask(&format!("go {bytes} {singles} {windows}"), bytes)?;
        let (operations, elapsed_ns) = match said[..] {
            [operations, elapsed_ns, ..] => (operations, elapsed_ns.max(1)),
            _ => (0, 1),
        };
        Ok(Round {
            latencies_ns: said.into_iter().skip(2).collect(),
            rate: operations as f64 / elapsed_ns as f64 * 1e9,
        })
    }

    /// The overlap at the computing process, medians in ns: the message's time alone, with the
    /// computation, and the computation's own.
    fn overlap(&mut self, bytes: usize, computes: MeasuringRole) -> Result<[u64; 3], CommandFailure> {
        let (word, of) = if computes == MeasuringRole::First { ("sender", 0) } else { ("receiver", 1) };
        let rounds = ((16 << 20) / bytes).clamp(20, 200);
        let said = self.ask(&format!("overlap {bytes} {rounds} {word}"), bytes)?;
        match said[of][..] {
            [alone, both, compute] => Ok([alone, both, compute]),
            _ => Err(CommandFailure::run("a process of the measurement gave no times")),
        }
    }
}

/// The cost of a computation during a message, for a size and provider.
#[derive(Clone, Debug, serde::Serialize)]
struct OverlapRow {
    provider: String,
    bytes: usize,
    receiver: OverlapTimes,
    sender: OverlapTimes,
}

/// Medians for one of the two processes.
#[derive(Clone, Copy, Debug, serde::Serialize)]
struct OverlapTimes {
    message_us: f64,
    computation_us: f64,
    both_us: f64,
    overlap_percent: f64,
}

impl OverlapTimes {
    fn of([alone, both, compute]: [u64; 3]) -> Self {
        let hidden = (alone + compute) as f64 - both as f64;
        Self {
            message_us: alone as f64 / 1e3,
            computation_us: compute as f64 / 1e3,
            both_us: both as f64 / 1e3,
            overlap_percent: hidden / alone.min(compute).max(1) as f64 * 100.0,
        }
    }
}

fn show_overlap(
    arguments: &NicBenchArguments,
    sizes: &[usize],
    shared: &CommonOptions,
) -> Result<ExitCode, CommandFailure> {
    if !arguments.operation.operation().is_two_sided() {
        return Err(CommandFailure::input("overlap is measured with messages: send or tsend would work"));
    }
    let most = sizes.iter().copied().max().unwrap_or(8);
    let mut rows: Vec<OverlapRow> = Vec::new();
    let mut pairs = arguments.pairs(most)?;
    let longest = pairs.iter().map(|pair| pair.provider.chars().count()).max().unwrap_or(0);
    let mut columns = vec![TextColumn::figures("bytes", 7), TextColumn::words("provider", longest)];
    for time in ["receive us", "send us"] {
        columns.extend([time, "with computation", "overlap"].map(|name| TextColumn::figures(name, 0)));
    }
    let table = RowPrinter::new(columns, shared.colour());
    let cells = |row: &OverlapRow| {
        let mut cells = vec![row.bytes.to_string(), row.provider.clone()];
        for times in [row.receiver, row.sender] {
            cells.extend([format!("{:.2}", times.message_us), format!("{:.2}", times.both_us)]);
            cells.push(format!("{:.0} %", times.overlap_percent));
        }
        cells
    };
    let steps = Steps::start(arguments, sizes.len() * pairs.len(), shared);
    for &bytes in sizes {
        for pair in &mut pairs {
            let [receiver, sender] =
                [MeasuringRole::Second, MeasuringRole::First].map(|part| pair.overlap(bytes, part));
            let (receiver, sender) = (OverlapTimes::of(receiver?), OverlapTimes::of(sender?));
            steps.done(&pair.provider, bytes);
            let row = OverlapRow { provider: pair.provider.clone(), bytes, receiver, sender };
            steps.print(&table, rows.is_empty(), table.row(&cells(&row)))?;
            rows.push(row);
        }
    }
    steps.cells.finish();
    if shared.json {
        let name = arguments.operation.operation().name();
        return output::print_json(&serde_json::json!({ "operation": name, "overlap": rows }));
    }
    Ok(ExitCode::SUCCESS)
}

impl NicBenchArguments {
    /// The processes of all measured providers.
    fn pairs(&self, bytes_max: usize) -> Result<Vec<Pair>, CommandFailure> {
        let providers = std::iter::once(&self.provider).chain(&self.compare);
        providers.map(|provider| Pair::start(provider, self.operation, bytes_max)).collect()
    }
}

/// The result of one round of a size.
struct Round {
    latencies_ns: Vec<u64>,
    /// Operations per second.
    rate: f64,
}

/// A provider's figures for a size.
#[derive(Clone, Debug, serde::Serialize)]
struct Row {
    provider: String,
    bytes: usize,
    latency_p5_us: f64,
    latency_p50_us: f64,
    latency_p99_us: f64,
    megabytes_per_second: f64,
    messages_per_second: f64,
}

fn row(provider: &str, bytes: usize, rounds: &[Round]) -> Row {
    let mut latencies: Vec<u64> = rounds.iter().flat_map(|round| round.latencies_ns.iter().copied()).collect();
    latencies.sort_unstable();
    let at = |percent: usize| {
        let place = (latencies.len() * percent / 100).min(latencies.len().saturating_sub(1));
        latencies.get(place).map_or(0.0, |&time| time as f64 / 1e3)
    };
    let mut rates: Vec<f64> = rounds.iter().map(|round| round.rate).collect();
    rates.sort_unstable_by(f64::total_cmp);
    let rate = rates.get(rates.len() / 2).copied().unwrap_or(0.0);
    Row {
        provider: provider.to_owned(),
        bytes,
        latency_p5_us: at(5),
        latency_p50_us: at(50),
        latency_p99_us: at(99),
        megabytes_per_second: rate * bytes as f64 / 1e6,
        messages_per_second: rate,
    }
}

/// Measures and prints.
pub fn run(arguments: &NicBenchArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let operation = arguments.operation;
    let is_atomic = operation == OperationName::Atomic;
    let default = || if is_atomic { vec![8] } else { (3..=22).map(|power| 1 << power).collect() };
    let sizes = arguments.size.clone().map_or_else(default, |sizes| sizes.0);
    if let Some(size) = sizes.iter().find(|&&size| is_atomic && size % 8 != 0) {
        return Err(CommandFailure::input(format!(
            "{size} B: atomic operations work on 8-byte numbers; 8 or 64 would work"
        )));
    }
    if arguments.metric == Some(Metric::Overlap) {
        return show_overlap(arguments, &sizes, shared);
    }
    let mut pairs = arguments.pairs(sizes.iter().copied().max().unwrap_or(8))?;
    let shown = Shown { metric: arguments.metric, providers: pairs.len() };
    let table = RowPrinter::new(shown.columns(&pairs), shared.colour());
    let steps = Steps::start(arguments, sizes.len() * ROUNDS * pairs.len(), shared);
    let mut rows: Vec<Row> = Vec::new();
    for &bytes in &sizes {
        let mut rounds: Vec<Vec<Round>> = pairs.iter().map(|_| Vec::new()).collect();
        for _ in 0..ROUNDS {
            for (pair, rounds) in pairs.iter_mut().zip(&mut rounds) {
                rounds.push(pair.measure(bytes)?);
                steps.done(&pair.provider, bytes);
            }
        }
        let of_size: Vec<Row> =
            pairs.iter().zip(&rounds).map(|(pair, rounds)| row(&pair.provider, bytes, rounds)).collect();
        let lines = of_size.iter().map(|own| table.row(&shown.cells(own, &of_size[0]))).collect();
        steps.print(&table, rows.is_empty(), lines)?;
        rows.extend(of_size);
    }
    steps.cells.finish();
    if shared.json {
        let name = operation.operation().name();
        return output::print_json(&serde_json::json!({ "operation": name, "rows": rows }));
    }
    if pairs.len() > 1 {
        let first = &rows[0].provider;
        return output::print(&format!("ratios: a provider's over {first}'s; latency p50, operations per second\n"));
    }
    Ok(ExitCode::SUCCESS)
}

/// The warning for a machine that has more work than cores, by the text of its load average.
fn busy(load: &str, cores: usize) -> Option<String> {
    let load: f64 = load.split_whitespace().next()?.parse().ok()?;
    // A measurement has two processes of its own.
    (load + 2.0 > cores as f64 + 0.5).then(|| {
        format!(
            "warning: the load of this machine is {load} on {} before the measurement, which takes two: times \
             include waits for a core, and ratios between providers mean little",
            philae_units::counted(cores, "core")
        )
    })
}

/// Progress of a measurement, with its rows as they come.
struct Steps {
    cells: Cells,
    done: Cell<usize>,
    total: usize,
    has_rows: bool,
}

impl Steps {
    fn start(arguments: &NicBenchArguments, total: usize, shared: &CommonOptions) -> Self {
        let cells = Cells::new(*shared);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        busy(&std::fs::read_to_string("/proc/loadavg").unwrap_or_default(), cores)
            .iter()
            .for_each(|line| shared.say(line));
        let providers: Vec<&str> =
            std::iter::once(&arguments.provider).chain(&arguments.compare).map(|name| &**name).collect();
        cells.start("nic bench", &format!("{} over {}", arguments.operation.operation().name(), providers.join(", ")));
        Self { cells, done: Cell::new(0), total, has_rows: !shared.json }
    }

    fn done(&self, provider: &str, bytes: usize) {
        self.done.set(self.done.get() + 1);
        let label = format!("{provider}, {bytes} B");
        self.cells.update(&CellProgress { done: self.done.get(), total: self.total, label, is_kept: false });
    }

    /// Prints the rows of a size, with the headers before the first.
    fn print(&self, table: &RowPrinter, is_first: bool, lines: String) -> Result<(), CommandFailure> {
        if self.has_rows {
            let head = if is_first { table.head() } else { String::new() };
            self.cells.hide(|| output::print(&(head + &lines)))?;
        }
        Ok(())
    }
}

/// The printed table: a row for each size and provider, with the others' figures relative to the
/// first provider's.
#[derive(Clone, Copy)]
struct Shown {
    metric: Option<Metric>,
    providers: usize,
}

impl Shown {
    fn wants(self, metric: Metric) -> bool {
        self.metric.is_none_or(|only| only == metric)
    }

    fn columns(self, pairs: &[Pair]) -> Vec<TextColumn> {
        let longest = pairs.iter().map(|pair| pair.provider.chars().count()).max().unwrap_or(0);
        let mut columns = vec![TextColumn::figures("bytes", 7), TextColumn::words("provider", longest)];
        if self.wants(Metric::Latency) {
            columns.extend(["p5 us", "p50 us", "p99 us"].map(|name| TextColumn::figures(name, 8)));
        }
        if self.wants(Metric::Bandwidth) {
            columns.push(TextColumn::figures("MB/s", 8));
        }
        if self.wants(Metric::Rate) {
            columns.push(TextColumn::figures("M/s", 7));
        }
        if self.providers > 1 {
            columns.extend(["latency ratio", "rate ratio"].map(|name| TextColumn::figures(name, 0)));
        }
        columns
    }

    fn cells(self, own: &Row, first: &Row) -> Vec<String> {
        let mut cells = vec![own.bytes.to_string(), own.provider.clone()];
        if self.wants(Metric::Latency) {
            cells.extend([own.latency_p5_us, own.latency_p50_us, own.latency_p99_us].map(|time| format!("{time:.2}")));
        }
        if self.wants(Metric::Bandwidth) {
            cells.push(format!("{:.1}", own.megabytes_per_second));
        }
        if self.wants(Metric::Rate) {
            cells.push(format!("{:.3}", own.messages_per_second / 1e6));
        }
        if self.providers > 1 {
            cells.push(format!("{:.2}", own.latency_p50_us / first.latency_p50_us.max(1e-9)));
            cells.push(format!("{:.2}", own.messages_per_second / first.messages_per_second.max(1e-9)));
        }
        cells
    }
}

/// One of the two processes: carries out the orders on its standard input.
pub fn work(arguments: &WorkerArguments) -> Result<ExitCode, CommandFailure> {
    let code = match serve(arguments) {
        Ok(()) => 0,
        Err(error) => {
            output::print(&format!("error {}\n", error.to_string().replace('\n', " ")))?;
            1
        }
    };
    Ok(ExitCode::from(code))
}

fn serve(arguments: &WorkerArguments) -> Result<(), FiClientError> {
    let operation = arguments.operation.operation();
    let mut client = FiClient::open(&arguments.provider, operation, arguments.bytes.max(1))?;
    let (begin, key) = client.region();
    let address: String = client.address()?.iter().map(|byte| format!("{byte:02x}")).collect();
    // If this cannot be printed, the parent process has gone and will send no more orders.
    let _ = output::print(&format!("ready {address} {begin} {key}\n"));
    let part = if arguments.first { MeasuringRole::First } else { MeasuringRole::Second };
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
        match words[0] {
            "peer" => {
                let digits = words.get(1).copied().unwrap_or_default();
                let bytes: Vec<u8> = (0..digits.len() / 2)
                    .filter_map(|at| u8::from_str_radix(digits.get(2 * at..2 * at + 2)?, 16).ok())
                    .collect();
                client.connect(&bytes, (number(2), number(3)))?;
            }
            "go" => {
                let measured = client.measure(part, operation, number(1) as usize, number(2), number(3))?;
                let times: Vec<String> = measured.latencies_ns.iter().map(u64::to_string).collect();
                let (operations, elapsed) = (measured.operations, measured.elapsed_ns);
                let _ = output::print(&format!("done {operations} {elapsed} {}\n", times.join(" ")));
            }
            "overlap" => {
                let computes =
                    if words.get(3) == Some(&"sender") { MeasuringRole::First } else { MeasuringRole::Second };
                let is_tagged = operation == MeasuredOperation::Tagged;
                let found = client.overlap(part, is_tagged, number(1) as usize, number(2), computes)?;
                let OverlapCost { alone_ns, both_ns, compute_ns } = found;
                let [alone, both] = [alone_ns, both_ns].map(median);
                let _ = output::print(&format!("done {alone} {both} {compute_ns}\n"));
            }
            _ => break,
        }
    }
    Ok(())
}

fn median(mut times: Vec<u64>) -> u64 {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_machine_is_said_to_be_one() {
        assert_eq!(busy("0.30 0.5 0.7 1/200 7\n", 4), None);
        assert!(busy("10.02 9.5 7.0 11/200 7\n", 2).is_some_and(|said| said.contains("10.02 on 2 cores")));
        assert!(busy("0.00 0.00 0.00 1/9 1\n", 1).is_some_and(|said| said.contains("on 1 core ")));
        assert_eq!(busy("", 1), None);
    }

    #[test]
    fn overlap_is_what_a_computation_hides() {
        let percent = |times| OverlapTimes::of(times).overlap_percent;
        assert_eq!(percent([100, 100, 100]), 100.0);
        assert_eq!(percent([100, 200, 100]), 0.0);
        assert_eq!(percent([100, 150, 100]), 50.0);
        assert_eq!(percent([100, 210, 100]), -10.0, "it may cost more than both");
    }

    #[test]
    fn a_provider_may_be_one_of_our_wires() {
        assert_eq!(
            [wires_of("philae"), wires_of("philae/udp"), wires_of("shm")],
            [Some(None), Some(Some("udp")), None]
        );
        assert_eq!(wires_of("philaeX"), None);
    }

    #[test]
    fn figures_are_percentiles_of_all_rounds_and_the_middle_rate() {
        let round =
            |from: u64, rate| Round { latencies_ns: (from..from + 50).map(|time| time * 1_000).collect(), rate };
        let found = row("x", 100, &[round(0, 1e6), round(50, 3e6), round(0, 2e6)]);
        assert_eq!(found.latency_p50_us, 37.0);
        assert_eq!((found.megabytes_per_second, found.messages_per_second), (200.0, 2e6));
    }
}
