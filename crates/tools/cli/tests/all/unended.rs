//! Iterations that a run does not see to their end are counted and shown wherever times are.

use crate::common::Folder;
use serde_json::Value;
use std::process::{Command, Output, Stdio};

const SCENARIO: &str = "\
name = 'unended'
[system]
name = 'tiny'
[system.dragonfly]
links_per_pair = 2
groups = [{ name = 'c', count = 3, switches = 4, endpoints_per_switch = 4 }]
[[job]]
name = 'victim'
nodes = 16
workload = { kind = 'alltoall', bytes = '4KiB', iterations = 5 }
[[job]]
name = 'aggressor'
nodes = 16
workload = { kind = 'incast', bytes = '64KiB' }
";

fn philae(folder: &Folder, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_philae"));
    command.current_dir(folder.file("")).args(arguments).stdin(Stdio::null());
    let output = command.output().expect("the command starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Runs for a time and returns the summary of the job that ends.
fn run(folder: &Folder, limit_ps: u64, place: &str) -> (String, Value) {
    let limit = format!("run.time_limit={limit_ps}ps");
    let arguments = ["simulate", "s.toml", "--set", &limit, "--output", place, "--overwrite"];
    let console = text(&philae(folder, &arguments));
    let summary = std::fs::read(folder.file(&format!("{place}/summary.json"))).expect("a summary");
    let summary: Value = serde_json::from_slice(&summary).expect("JSON");
    (console, summary["jobs"][0]["iterations"].clone())
}

#[test]
fn iterations_that_do_not_end_are_shown_in_console_report_compare_and_sweep() {
    let folder = Folder::with(SCENARIO);
    philae(&folder, &["simulate", "s.toml", "--output", "whole"]);
    let read = |file: &str| std::fs::read_to_string(folder.file(file)).expect("a file");
    let whole: Value = serde_json::from_str(&read("whole/summary.json")).expect("JSON");
    let (all, end) = (&whole["jobs"][0]["iterations"], whole["jobs"][0]["finished_ps"].as_u64().expect("it ends"));
    assert_eq!((&all["complete"], &all["incomplete"], &all["planned"]), (&5.into(), &0.into(), &5.into()));
    assert!(all["incomplete_for_ps"].is_null());

    // A warm-up that ends within an iteration: what began before is no part of the rest, and all of
    // the rest ended. `start_skew` makes ranks begin an iteration on both sides of that moment.
    let (warm_up, skew) = (format!("run.warm_up={}ps", end * 2 / 5), "run.start_skew=2us");
    let arguments = ["simulate", "s.toml", "--set", &warm_up, "--set", skew, "--output", "warm"];
    let console = text(&philae(&folder, &arguments));
    let warm: Value = serde_json::from_str(&read("warm/summary.json")).expect("JSON");
    let warm = &warm["jobs"][0]["iterations"];
    assert!(
        (1..5).contains(&warm["complete"].as_u64().expect("a count")) && warm["complete"] == warm["planned"],
        "{warm}"
    );
    assert!(warm["not_ended"] == 0 && !console.contains("iterations ended before the run did"), "{warm}: {console}");
    // Stuck in the warm-up: that is shown, too.
    let (limit, warm_up) = (format!("run.time_limit={}ps", end / 20), format!("run.warm_up={}ps", end / 40));
    let arguments = ["simulate", "s.toml", "--set", &limit, "--set", &warm_up, "--output", "stuck"];
    let console = text(&philae(&folder, &arguments));
    assert!(console.contains("0 of 5") && console.contains(" ≥"), "{console}");

    // Three fifths of the time are enough for some iterations, a twentieth for none.
    let (console, some) = run(&folder, end * 3 / 5, "some");
    let complete = some["complete"].as_u64().expect("a count");
    assert!((1..5).contains(&complete) && some["incomplete"] == 1, "{some}");
    assert!(some["incomplete_for_ps"].as_u64() > Some(0) && some["span"]["count"] == complete, "{some}");
    let ended = format!("victim: {complete} of 5 iterations ended before the run did");
    assert!(console.contains(&ended) && console.contains("the times are those of iterations that ended"), "{console}");
    let row = console.lines().find(|line| line.starts_with("victim ")).expect("the row of the job");
    assert!(row.contains('≥'), "the mean of those that ended is a bound: {row}");
    let (console, none) = run(&folder, end / 20, "none");
    assert!(none["span"].is_null() && none["complete"] == 0 && none["incomplete"] == 1, "{none}");
    assert!(console.contains("0 of 5") && console.contains(" ≥"), "{console}");
    let of_aggressor = |line: &&str| line.starts_with("aggressor:") && line.contains("iterations");
    assert_eq!(console.lines().find(of_aggressor), None, "an endless job is never through: {console}");

    let report = read("none/report.html");
    assert!(report.contains("0 of 5") && report.contains("no time is known"), "the report says it");
    let compared = text(&philae(&folder, &["compare", "some", "none"]));
    let cells = [format!("{complete} of 5"), "0 of 5".to_owned()];
    assert!(cells.iter().all(|cell| compared.contains(cell)), "{compared}");
    assert!(compared.contains("unknown: in both results"), "no ratio of two bounds: {compared}");
    for (first, other, sign, bound) in [("whole", "some", '≥', "at_least"), ("some", "whole", '≤', "at_most")] {
        let compared = text(&philae(&folder, &["compare", first, other]));
        let ratios = |line: &&str| line.starts_with("victim") && line.contains("B / A");
        let line = compared.lines().find(ratios).expect("the row of ratios");
        assert!(line.contains(sign) && line.contains('×'), "{first}, {other}: {line}");
        let document = philae(&folder, &["compare", first, other, "--json"]);
        let document: Value = serde_json::from_slice(&document.stdout).expect("JSON");
        assert_eq!(document["jobs"][0]["ratios"][1]["iteration_bound"], bound, "{document}");
    }

    let limits = [end / 20, end * 2].map(|limit| format!("{limit}ps")).join(",");
    let grid = format!("run.time_limit={limits}");
    let swept = text(&philae(&folder, &["sweep", "s.toml", "--set", &grid, "--seeds", "1-2", "--output", "swept"]));
    assert!(swept.contains("not ended"), "{swept}");
    let rows: Vec<&str> = swept.lines().filter(|line| line.contains(" victim ")).collect();
    assert_eq!(rows.len(), 2, "{swept}");
    assert!(rows[0].contains("5 ± 0") && rows[1].contains("0 ± 0"), "{swept}");
    assert!(rows[0].contains('≥') && !rows[1].contains('≥'), "{swept}");
    let sides = text(&philae(&folder, &["compare", "swept"]));
    let iteration: Vec<&str> =
        sides.lines().filter(|line| line.contains("victim") && line.contains("iteration ")).collect();
    assert!(
        iteration[0].contains('≥') && iteration[1].contains("≤") && iteration[1].contains("not all ended"),
        "{sides}"
    );
    let page = read("swept/report.html");
    assert!(page.contains("none ended, so no time is known") && page.contains("reflabel halo"), "{page}");
    let table = read("swept/table.csv");
    assert!(table.contains(",job.victim.iterations.incomplete,job.victim.iterations.incomplete_for_ps,"), "{table}");
}

/// A percentile of the messages that arrived is too good where others had not arrived.
#[test]
fn latencies_of_messages_that_did_not_arrive_are_bounds_in_console_report_compare_and_sweep() {
    let folder = Folder::with(SCENARIO);
    let jobs = |place: &str, more: &[&str]| -> (String, Value) {
        let arguments = [&["simulate", "s.toml", "--output", place], more].concat();
        let console = text(&philae(&folder, &arguments));
        let summary = std::fs::read(folder.file(&format!("{place}/summary.json"))).expect("a summary");
        (console, serde_json::from_slice::<Value>(&summary).expect("JSON")["jobs"].clone())
    };
    let row = |console: &str, job: &str| -> String {
        console.lines().find(|line| line.starts_with(&format!("{job} "))).expect("the row of the job").to_owned()
    };
    let (console, whole) = jobs("whole", &[]);
    assert!(whole[0].get("message_latency_at_least").is_none(), "all arrived: {}", whole[0]);
    assert!(!row(&console, "victim").contains('≥'), "{console}");

    let short = ["--set", "run.time_limit=5us"];
    let mut found = Vec::new();
    for (place, more) in [("packets", &[][..]), ("threads", &["--set", "run.threads=2"]), ("rates", &["--fluid"])] {
        let (console, jobs) = jobs(place, &[&short[..], more].concat());
        // No message of the aggressor arrives: each is as old as the run, but for the resolution.
        let bounds = &jobs[1]["message_latency_at_least"];
        assert!(jobs[1]["message_latency"].is_null(), "{place}: {}", jobs[1]);
        for name in ["mean_ps", "p50_ps", "p99_ps", "max_ps"] {
            let least = bounds[name].as_f64().expect(name);
            assert!((4.9e6..=5e6).contains(&least), "{place}: {name} is {least}");
        }
        assert_eq!(row(&console, "aggressor").matches('≥').count(), 5, "{place}: {console}");
        assert!(console.contains("aggressor: 15 of 15 messages had not arrived when the run ended"), "{console}");
        found.push(jobs);
    }
    assert_eq!(found[0], found[1], "the number of threads changes nothing");
    let report = std::fs::read_to_string(folder.file("packets/report.html")).expect("a report");
    assert!(report.contains(">≥5 µs<"), "the report says it");

    for (first, other, sign, bound) in [("whole", "packets", '≥', "at_least"), ("packets", "whole", '≤', "at_most")]
    {
        let compared = text(&philae(&folder, &["compare", first, other]));
        let ratios = |line: &&str| line.starts_with("victim") && line.contains("B / A");
        let line = compared.lines().find(ratios).expect("the row of ratios");
        assert!(line.matches(sign).count() > 3, "{first}, {other}: {line}");
        let document = philae(&folder, &["compare", first, other, "--json"]);
        let document: Value = serde_json::from_slice(&document.stdout).expect("JSON");
        assert_eq!(document["jobs"][0]["ratios"][1]["latency_bounds"]["p99"], bound, "{document}");
        assert_eq!(document["jobs"][1]["ratios"][1]["latency_bounds"]["p99"], "unknown", "{document}");
    }

    let grid = ["sweep", "s.toml", "--set", "run.time_limit=5us,1ms", "--seeds", "1-2", "--output", "swept"];
    let swept = philae(&folder, &[&grid[..], &["--json"]].concat());
    let swept: Value = serde_json::from_slice(&swept.stdout).expect("JSON");
    let [short, long] = [0, 1].map(|place: usize| &swept["groups"][place]["jobs"]["victim"]);
    assert!(short["message_latency_at_least.p99_ps"].as_f64() > Some(0.0), "{short}");
    assert!(long.get("message_latency_at_least.p99_ps").is_none(), "{long}");
    let table = text(&philae(&folder, &grid));
    let victims: Vec<&str> = table.lines().filter(|line| line.contains(" victim ")).collect();
    assert!(victims[0].matches('≥').count() >= 3 && !victims[1].contains('≥'), "{table}");
    let sides = text(&philae(&folder, &["compare", "swept"]));
    let p99: Vec<&str> = sides.lines().filter(|line| line.contains("victim") && line.contains("p99 ")).collect();
    assert!(p99[0].contains('≥') && p99[1].contains("≤") && p99[1].contains("not all ended"), "{sides}");
}

/// What a run warns of, a sweep of it warns of: how many of its runs, in its marker, and once.
#[test]
fn warnings_of_runs_are_shown_with_seeds() {
    let (head, _) = SCENARIO.split_once("[[job]]").expect("jobs");
    let jobs = "[run]\ntime_limit = '30us'\nwarm_up = '10us'\n[[job]]\nname = 'uniform'\nnodes = 16\n\
                workload = { kind = 'uniform-random', bytes = '64B', offered = { load = 0.5, rate_gbps = 200 } }\n";
    let folder = Folder::with(&format!("{head}{jobs}"));
    let arguments = ["simulate", "s.toml", "--seeds", "1-3", "--output", "seeds"];
    let output = philae(&folder, &arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said.matches("cores cannot keep up").count(), 1, "{said}");
    let marker = std::fs::read_to_string(folder.file("seeds/sweep.json")).expect("a marker");
    assert!(marker.contains("cores cannot keep up"), "{marker}");
}

/// What changes the meaning of a result is on standard error and in the result also with --quiet.
#[test]
fn quiet_runs_warn_as_well() {
    let folder = Folder::with(SCENARIO);
    let limited = ["--set", "run.time_limit=12us", "--quiet", "--output", "quiet"];
    for extra in [&[][..], &["--json"]] {
        let arguments = [&["simulate", "s.toml", "--overwrite"], &limited[..], extra].concat();
        let output = philae(&folder, &arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            said.starts_with("warning: victim: ") && said.contains("iterations ended before the run did"),
            "{said}"
        );
        assert_eq!(said.lines().count(), 1, "nothing else: {said}");
    }
    let page = std::fs::read_to_string(folder.file("quiet/report.html")).expect("a report");
    assert!(page.contains("iterations ended before the run did"), "the report says it");
    let arguments = ["sweep", "s.toml", "--set", "run.time_limit=12us,13us", "--quiet", "--output", "swept"];
    let output = philae(&folder, &arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("iterations a run did not end") && said.contains("(and 1 more such lines"), "{said}");

    let (head, _) = SCENARIO.split_once("[[job]]").expect("jobs");
    let late = "[run]\ntime_limit = '30us'\nwarm_up = '10us'\n[[job]]\nname = 'uniform'\nnodes = 16\n\
                workload = { kind = 'uniform-random', bytes = '64B', offered = { load = 0.5, rate_gbps = 200 } }\n";
    let folder = Folder::with(&format!("{head}{late}"));
    let output = philae(&folder, &["simulate", "s.toml", "--quiet", "--output", "late"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("warning: ") && said.contains("cores cannot keep up"), "{said}");
    let output = philae(&folder, &["sweep", "s.toml", "--seeds", "1-2", "--quiet", "--output", "seeds"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("cores cannot keep up"));
}
