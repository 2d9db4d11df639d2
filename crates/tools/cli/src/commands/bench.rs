//! `philae bench`.

use crate::arguments::{BenchArguments, CommonOptions};
use crate::attention;
use crate::cells::Cells;
use crate::documents::{prepare_file, write};
use crate::failure::{CommandFailure, did_you_mean};
use crate::output;
use philae_experiments::{
    BENCH_SIZES, BenchCase, BenchDocument, BenchReport, CellProgress, bench, bench_cases, performance_document,
};
use philae_results::{FileKind, StudyReport, StudySection};
use std::process::ExitCode;

/// Measures the speed of the model.
pub fn run(arguments: &BenchArguments, shared: &CommonOptions) -> Result<ExitCode, CommandFailure> {
    let chosen = chosen(arguments)?;
    let _made = arguments.document.as_deref().map(|path| prepare_file(path, FileKind::Text)).transpose()?;
    let stop = attention::flag(true, "the measurements")?;
    let cells = Cells::new(*shared)
        .say_when_interrupted(|running| format!("interrupted {}; nothing was written", running.words("case")));
    let mut report = BenchReport::default();
    for (done, case) in chosen.iter().enumerate() {
        let (name, total) = (format!("{} {}", case.name(), case.endpoints()), chosen.len());
        cells.start(&name, &format!("best of {}", arguments.repeats));
        cells.update(&CellProgress { done, total, label: String::new(), is_kept: false });
        match bench(case, arguments.repeats, &stop) {
            Ok(result) => report.cases.push(result),
            Err(error) => return Err(cells.failed(&name, &error)),
        }
        cells.update(&CellProgress { done: done + 1, total, label: name, is_kept: false });
    }
    cells.finish();
    if let Some(path) = &arguments.document {
        let document = BenchDocument {
            report: &report,
            command: &command(arguments),
            version: env!("CARGO_PKG_VERSION"),
            machine: &machine(),
            repeats: arguments.repeats,
        };
        write(path, performance_document(&document))?;
    }
    if shared.json {
        return output::print_json(&report);
    }
    if shared.writes_only(arguments.document.is_some()) {
        return Ok(ExitCode::SUCCESS);
    }
    let table = StudyReport {
        title: "Speed of the model".to_owned(),
        sections: vec![report.table(), notes()],
        ..StudyReport::default()
    };
    output::print(&table.text(shared.colour()))
}

/// The requested cases, each with each number of threads.
fn chosen(arguments: &BenchArguments) -> Result<Vec<BenchCase>, CommandFailure> {
    let all = bench_cases();
    let wanted = |name: &str| arguments.case.as_ref().is_none_or(|case| name.contains(case.as_str()));
    let named: Vec<BenchCase> = all.iter().copied().filter(|case| wanted(&case.name())).collect();
    if named.is_empty() {
        let mut names: Vec<String> = all.iter().map(BenchCase::name).collect();
        names.sort_unstable();
        names.dedup();
        let asked = arguments.case.as_deref().unwrap_or_default();
        let hint = did_you_mean(asked, names.iter().map(String::as_str));
        return Err(CommandFailure::input(format!("no case is called '{asked}'{hint}\ncases: {}", names.join(", "))));
    }
    let sized = named.iter().filter(|case| arguments.endpoints.0.contains(&case.endpoints()));
    let chosen = sized.flat_map(|case| arguments.threads.iter().map(|&threads| case.on_threads(threads)));
    let chosen: Vec<BenchCase> =
        chosen.map(|case| arguments.simulated.map_or(case, |span| case.simulating(span))).collect();
    if chosen.is_empty() {
        let mut sizes: Vec<String> = named.iter().map(|case| case.endpoints().to_string()).collect();
        sizes.dedup();
        return Err(CommandFailure::input(format!("these cases exist with {} endpoints", sizes.join(", "))));
    }
    Ok(chosen)
}

/// The command line, with its defaults.
fn command(arguments: &BenchArguments) -> String {
    let list = |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    let mut text = "philae bench".to_owned();
    if let Some(case) = &arguments.case {
        text += &format!(" --case {case}");
    }
    let all = arguments.endpoints.0 == BENCH_SIZES;
    let endpoints = if all { "all".to_owned() } else { list(&arguments.endpoints.0) };
    if let Some(span) = &arguments.simulated {
        text += &format!(" --simulated {span}");
    }
    text + &format!(" --endpoints {endpoints} --threads {} --repeats {}", list(&arguments.threads), arguments.repeats)
}

/// Processor, cores, cache and memory, as Linux names them.
fn machine() -> String {
    let read = |path: &str, key: &str| {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let rows = text.lines().filter_map(|line| line.split_once(':'));
        rows.map(|(name, value)| (name.trim(), value.trim().to_owned()))
            .find_map(|(name, value)| (name == key).then_some(value))
    };
    let processor = |key: &str| read("/proc/cpuinfo", key);
    let model = processor("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let described = [("family", processor("cpu family")), ("model", processor("model"))];
    let described =
        described.into_iter().filter_map(|(word, value)| Some(format!(", {word} {}", value?))).collect::<String>();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let kib = |text: String, unit: &str| text.trim().strip_suffix(unit)?.trim().parse::<u64>().ok();
    let cache = std::fs::read_to_string("/sys/devices/system/cpu/cpu0/cache/index3/size").ok();
    let cache = cache
        .and_then(|size| kib(size, "K"))
        .map_or_else(String::new, |kib| format!(", {} MiB of last-level cache", kib >> 10));
    let memory = read("/proc/meminfo", "MemTotal").and_then(|size| kib(size, "kB"));
    let memory = memory.map_or_else(String::new, |kib| format!(", {} GiB", kib >> 20));
    format!("{model}{described}, {cores} cores{cache}{memory}")
}

fn notes() -> StudySection {
    StudySection::Text(
        "A packet-hop is one packet leaving one output port of one switch. Best of the repeats; the slowest shows how \
         noisy the machine was, and packet-hops per CPU second leave out what other programs took. Bytes per endpoint are the \
         model's own, at the end and before the first event; the peak is the whole process's. Delivered payload is \
         per endpoint over the second half of the run; of an incast, at its target. Sources deliver a little less than \
         is offered, since the host's time per message comes on top of the gap between messages."
            .to_owned(),
    )
}
