//! `philae explain`, `--timeline` and `philae compare`, as a user calls them.

use crate::common::{Folder, succeeded};
use philae_results::timeline::check::check;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const SCENARIO: &str = "name = \"held\"\n[system]\nname = \"tiny\"\n[system.dragonfly]\nlinks_per_pair = 1\n\
    groups = [{ name = \"c\", count = 3, switches = 2, endpoints_per_switch = 2 }]\n\
    [run]\ntime_limit = \"300us\"\npartitions = 3\n\
    [[job]]\nname = \"victim\"\nnodes = [0, 5]\nworkload = { kind = \"ping-pong\", bytes = \"4KiB\", iterations = 12 }\n\
    [[job]]\nname = \"incast\"\nnodes = [4, 6, 7, 8, 9, 10, 11]\nworkload = { kind = \"incast\", bytes = \"64KiB\" }\n";

fn philae(folder: &Folder, arguments: &[&str]) -> Output {
    let place = folder.file("s.toml");
    Command::new(env!("CARGO_BIN_EXE_philae"))
        .current_dir(place.parent().expect("it is in a folder"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the command starts")
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&succeeded(output)).expect("JSON")
}

fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn file(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).expect("it was written")).expect("JSON")
}

#[test]
fn the_only_job_needs_no_name() {
    let alone = SCENARIO.split("[[job]]\nname = \"incast\"").next().expect("the victim");
    let folder = Folder::with(alone);
    let [named, unnamed] = [&["--job", "victim"][..], &[]]
        .map(|job| json(&philae(&folder, &[&["explain", "s.toml", "--json", "--slowest", "2"][..], job].concat())));
    assert_eq!(named, unnamed);
    let error = refused(&philae(&Folder::with(SCENARIO), &["explain", "s.toml"]));
    assert!(error.contains("--job NAME would work") && error.contains("victim, incast"), "{error}");
}

#[test]
fn the_slowest_messages_are_explained_to_the_picosecond() {
    let folder = Folder::with(SCENARIO);
    let found = json(&philae(&folder, &["explain", "s.toml", "--job", "victim", "--slowest", "5", "--json"]));
    let messages = found["messages"].as_array().expect("a list");
    assert_eq!(messages.len(), 5);
    let latency = |message: &Value| message["latency_ps"].as_u64().expect("a time");
    assert!(messages.windows(2).all(|pair| latency(&pair[0]) >= latency(&pair[1])), "the slowest first");
    for message in messages {
        let parts = message["parts"].as_array().expect("a list");
        let sum: u64 = parts.iter().map(|part| part["time_ps"].as_u64().expect("a time")).sum();
        assert_eq!(sum, latency(message));
    }
    // One of them by its name; the figures in the text also add up.
    let (source, destination) = (&messages[0]["source_rank"], &messages[0]["destination_rank"]);
    let name = format!("{source}->{destination}");
    let text = succeeded(&philae(&folder, &["explain", "s.toml", "--job", "victim", "--message", &name]));
    let total = format!("{}.{:03}", latency(&messages[0]) / 1_000, latency(&messages[0]) % 1_000);
    assert!(text.contains("total") && text.contains(&total), "{total} in {text}");
    // The run is the same as with `simulate`, with or without the section.
    let plain = json(&folder.simulate(&["--json", "--quiet"]));
    assert_eq!(plain["manifest"]["digest"], found["digest"]);
    let path = folder.file("s.toml");
    std::fs::write(&path, format!("{SCENARIO}[explain]\njob = \"victim\"\nslowest = 2\n")).expect("it can be written");
    let with = json(&folder.simulate(&["--json", "--quiet"]));
    assert_eq!(with["manifest"]["digest"], found["digest"]);
    assert!(with["manifest"]["tables"]["explained.parquet"].as_u64() > Some(10));
    let report = std::fs::read_to_string(folder.file("out/report.html")).expect("a report");
    assert!(report.contains("Explained messages") && report.contains("victim: rank"));
    // An impossible request is refused with the possible ones.
    let error = refused(&philae(&folder, &["explain", "s.toml", "--job", "victm"]));
    assert!(error.contains("victm") && error.contains("victim, incast"), "{error}");
    let error = refused(&philae(&folder, &["explain", "s.toml", "--job", "victim", "--message", "0->1:99"]));
    assert!(error.contains("has 12 messages") && error.contains("0->1:99"), "{error}");
}

#[test]
fn a_timeline_is_what_viewers_read() {
    let folder = Folder::with(SCENARIO);
    let text = succeeded(&folder.simulate(&["--timeline", "run.json"]));
    assert!(text.contains("timeline: run.json ("), "{text}");
    let trace = file(&folder.file("run.json"));
    let phases = check(&trace).expect("it follows the rules of the format");
    // Twelve round trips, which count on the rank that begins them; 24 messages, each with a slice
    // and an end of an arrow at either rank.
    assert_eq!((phases["X"], phases["s"], phases["f"]), (48, 24, 24));
    let names = begun(&trace);
    assert_eq!((names["iteration"], names["send"], names["receive"]), (12, 24, 24), "{names:?}");
    assert!(names["wait"] >= 24, "{names:?}");
    assert!(phases["C"] > 50, "links have counters: {phases:?}");
    // The compressed file has the same content; a truncated one is marked.
    succeeded(&folder.simulate(&["--timeline", "run.json.gz"]));
    let mut unpacked = Vec::new();
    let packed = std::fs::File::open(folder.file("run.json.gz")).expect("it was written");
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(packed), &mut unpacked).expect("gzip");
    assert_eq!(unpacked, std::fs::read(folder.file("run.json")).expect("it was written"));
    let path = folder.file("s.toml");
    std::fs::write(&path, format!("{SCENARIO}[timeline]\nfile = \"cut.json\"\nevents_max = 10\n"))
        .expect("it can be written");
    let text = succeeded(&folder.simulate(&[]));
    assert!(text.contains("10 events") && text.contains("left out (events_max = 10)"), "{text}");
    assert!(file(&folder.file("cut.json"))["otherData"]["left_out"].as_u64() > Some(100));
}

/// Events that begin on tracks of ranks, by name; iterations without their number.
fn begun(trace: &Value) -> BTreeMap<String, u32> {
    let mut names = BTreeMap::new();
    for event in trace["traceEvents"].as_array().expect("a list").iter().filter(|event| event["ph"] == "B") {
        let name = event["name"].as_str().expect("a name").trim_end_matches(|end: char| end.is_ascii_digit());
        *names.entry(name.trim_end().to_owned()).or_insert(0) += 1;
    }
    names
}

#[test]
fn a_timeline_shows_the_passes_of_a_training_step_and_their_collectives() {
    let scenario = "name = \"step\"\nsystem = \"slingshot400-64\"\n[[job]]\nname = \"model\"\nnodes = 8\nprocesses_per_node = 2\n\
        [job.workload]\nkind = \"transformer\"\nlayers = 4\nhidden = 256\nsequence = 64\nmicro_batches = 3\nelement = 2\n\
        tensor = 2\nexpert = 2\npipeline = 2\nforward = \"20us\"\nbackward = \"40us\"\nbucket = \"256KiB\"\niterations = 2\n";
    let folder = Folder::with(scenario);
    succeeded(&folder.simulate(&["--timeline", "step.json"]));
    let trace = file(&folder.file("step.json"));
    check(&trace).expect("it follows the rules of the format");
    let names = begun(&trace);
    // 16 ranks, two steps: three micro-batches in each direction, in two layers of a stage.
    let passes = 16 * 2 * 3;
    assert_eq!((names["iteration"], names["forward"], names["backward"]), (32, passes, passes), "{names:?}");
    assert_eq!((names["attention"], names["perceptron"]), (4 * passes, 4 * passes), "{names:?}");
    // A sum after each of the two, tokens there and back; sums of gradients during the last
    // backward pass.
    assert_eq!((names["allreduce tensor"], names["alltoall expert"]), (8 * passes, 8 * passes), "{names:?}");
    assert!(names["allreduce gradients"] > 0 && names["allreduce gradients of experts"] > 0, "{names:?}");
    assert!(names["delay"] >= 8 * passes && names["wait"] > 0 && names["messages pipeline"] > 0, "{names:?}");
    // Without the option there is no cost, and the run is the same.
    let digest = |more: &[&str]| {
        let summary: Value = serde_json::from_str(&succeeded(&folder.simulate(more))).expect("JSON");
        summary["summary"]["digest"].clone()
    };
    assert_eq!(digest(&["--json"]), digest(&["--json", "--timeline", "step.json"]));
}

#[test]
fn results_are_compared_and_what_is_none_is_refused() {
    let folder = Folder::with(SCENARIO);
    for (place, law) in [("a", "slingshot"), ("same", "slingshot"), ("b", "none")] {
        let law = format!("congestion.law={law}");
        succeeded(&philae(&folder, &["simulate", "s.toml", "--output", place, "--set", &law, "--quiet"]));
    }
    let same = json(&philae(&folder, &["compare", "a", "same", "--json"]));
    assert_eq!((same["digest_equal"].as_bool(), same["scenario"].as_array().map(Vec::len)), (Some(true), Some(0)));
    assert_eq!(same["jobs"][0]["ratios"][1]["p50"], 1.0);
    assert_eq!(same["counters"].as_array().map(Vec::len), Some(0));
    let other = json(&philae(&folder, &["compare", "a", "b", "--json", "--html", "page.html"]));
    assert_eq!(other["digest_equal"], false);
    let keys: Vec<&str> =
        other["scenario"].as_array().expect("a list").iter().filter_map(|row| row["key"].as_str()).collect();
    assert!(keys.contains(&"congestion.law"), "{keys:?}");
    let page = std::fs::read_to_string(folder.file("page.html")).expect("it was written");
    assert!(page.contains("victim: message latency") && page.contains("<svg"), "distributions over each other");
    let text = succeeded(&philae(&folder, &["compare", "a", "b"]));
    for expected in ["digests: different", "congestion.law", "victim", "B / A", "edge", "×"] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    // The figures and their labels are those on the console.
    let console = succeeded(&philae(&folder, &["simulate", "s.toml", "--output", "a"]));
    let words = |text: &str, of: &str| -> Vec<String> {
        let line = text.lines().find(|line| line.starts_with(of)).unwrap_or_else(|| panic!("{of} in {text}"));
        line.split_whitespace().map(str::to_owned).filter(|word| word != "A" && word != "result").collect()
    };
    for of in ["job ", "victim "] {
        // The last column, Jain's index, is on the console's line of flows.
        let mut compared = words(&text, of);
        let index = compared.pop().expect("a column");
        assert!(index == "Jain" || console.contains(&format!("victim {index}")), "{text}\n{console}");
        assert_eq!(compared, words(&console, of), "{text}\n{console}");
    }
    let links: Vec<String> = words(&console, "edge ").into_iter().take(8).collect();
    assert_eq!(words(&text, "edge "), links, "{text}\n{console}");
    // Three results are compared like two, also as a page.
    let three = json(&philae(&folder, &["compare", "a", "b", "same", "--json", "--html", "three.html"]));
    assert_eq!(three["results"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        (&three["jobs"][0]["ratios"][2]["p99"], &three["results"][2]["letter"]),
        (&Value::from(1.0), &Value::from("C"))
    );
    let page = std::fs::read_to_string(folder.file("three.html")).expect("it was written");
    assert!(
        page.contains("Comparison of 3 runs") && page.contains("C / A") && !page.contains("src=\"http"),
        "self-contained"
    );
    assert!(refused(&philae(&folder, &["compare", "a"])).contains("2 to 26 can be compared"));
    // A run's iterations are those in its summary.
    let summary = json(&philae(&folder, &["simulate", "s.toml", "--output", "again", "--quiet", "--json"]));
    let iterations = &summary["summary"]["jobs"][0]["iterations"]["span"];
    assert_eq!(same["jobs"][0]["results"][0]["iterations"]["span"]["p50_ps"], iterations["p50_ps"]);
    // A result of an earlier version has no summary: its tables are compared, and missing ones are
    // named.
    std::fs::remove_file(folder.file("same/summary.json")).expect("it was written");
    let old = json(&philae(&folder, &["compare", "a", "same", "--json", "--html", "old.html"]));
    assert_eq!(old["results"][1]["missing"], serde_json::json!(["summary.json"]));
    assert_eq!(old["results"][0]["missing"], Value::Null, "the first one has it");
    for path in ["/message_latency", "/iterations/span"] {
        let [new, old] = [0, 1].map(|place| old["jobs"][0]["results"][place].pointer(path));
        assert!(new.is_some() && new == old, "{path}: {new:?} {old:?}");
    }
    assert_eq!(old["jobs"][0]["ratios"][1]["delivered"], Value::Null, "no table says it");
    let said = "B has no summary.json: its figures come from its tables";
    assert!(succeeded(&philae(&folder, &["compare", "a", "same"])).contains(said));
    assert!(std::fs::read_to_string(folder.file("old.html")).expect("it was written").contains(said));
    std::fs::remove_file(folder.file("same/messages.parquet")).expect("it was written");
    let text = succeeded(&philae(&folder, &["compare", "a", "same"]));
    assert!(text.contains("B has no summary.json, messages.parquet"), "{text}");
    // Folders that are no result, have another layout, or are of another kind.
    assert!(refused(&philae(&folder, &["compare", "a", "nowhere"])).contains("does not exist"));
    assert!(refused(&philae(&folder, &["compare", "a", "."])).contains("is not a result"));
    assert!(refused(&philae(&folder, &["compare", "a", "s.toml"])).contains("is not a result"));
    let study = r#"{"experiment":"fig2","version":"1","seed":1,"quick":true,"rows":[{"id":"x","model":2.0,"unit":"us","verdict":"pass"}],"data":{"n":1}}"#;
    std::fs::write(folder.file("study.json"), study).expect("it can be written");
    std::fs::write(folder.file("other.json"), study.replace("2.0", "3.0")).expect("it can be written");
    std::fs::write(folder.file("third.json"), study.replace("fig2", "fig9")).expect("it can be written");
    assert!(refused(&philae(&folder, &["compare", "a", "study.json"])).contains("results of one kind"));
    assert!(refused(&philae(&folder, &["compare", "third.json", "study.json"])).contains("'fig9'"));
    let studies = json(&philae(&folder, &["compare", "study.json", "other.json", "--json"]));
    assert_eq!((&studies["kind"], &studies["rows"][0]["ratios"][1]), (&Value::from("study"), &Value::from(1.5)));
    let manifest = std::fs::read_to_string(folder.file("b/manifest.json")).expect("a manifest");
    std::fs::write(folder.file("b/manifest.json"), manifest.replace("\"format\": 1", "\"format\": 7"))
        .expect("written");
    let error = refused(&philae(&folder, &["compare", "a", "b"]));
    assert!(error.contains("layout 7") && error.contains("layout 1"), "{error}");
}

#[test]
fn a_run_without_the_messages_to_explain_keeps_its_result() {
    let scenario = SCENARIO.replace("300us", "500ns") + "[explain]\njob = \"victim\"\n";
    let folder = Folder::with(&scenario);
    let run = folder.simulate(&["--json"]);
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    let why = "no message is explained: 'victim' has no message that was delivered after the warm-up";
    assert!(said.contains(&format!("warning: {why}")), "{said}");
    let found = json(&run);
    let warnings = found["manifest"]["warnings"].as_array().expect("a list");
    assert!(warnings.iter().any(|warning| warning.as_str().is_some_and(|it| it.starts_with(why))), "{warnings:?}");
    // For `explain` the messages are all that it is for.
    assert!(refused(&philae(&folder, &["explain", "s.toml"])).contains("has no message that was delivered"));
}
