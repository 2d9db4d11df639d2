//! Result folders are written whole or not at all, and their tables read back as recorded.

use std::fs::{self, File};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use philae_results::record::{MessageKind, MessageRow, RunRecord, RunStatus};
use philae_results::tables::{tables, write_tables};
use philae_results::{
    Earlier, MeasureError, ResultFolder, RunDescription, RunIdentity, Settled, run_report, schema_text, synthetic,
    write_result,
};
use philae_units::{Bytes, ClassId, JobId, Picoseconds, RankId};
use tempfile::TempDir;

/// A folder of its own for one test, removed afterwards.
fn scratch() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn run() -> RunDescription {
    RunDescription {
        title: "test".to_owned(),
        scenario: serde_json::json!({ "system": "small" }),
        scenario_toml: "system = \"small\"\n".to_owned(),
        setup: vec![("System", "small: dragonfly".to_owned())],
        seed: 42,
        version: "0.1.0".to_owned(),
        wall_seconds: 1.5,
        packet_hops_before: 0,
        notices: Vec::new(),
        warnings: Vec::new(),
        assumptions: vec!["Nothing is <real>.".to_owned()],
    }
}

fn identity() -> RunIdentity {
    run().identity(false)
}

/// A run like the other ones, with another seed.
fn other_run() -> RunDescription {
    RunDescription { scenario_toml: "system = \"small\"\nseed = 7\n".to_owned(), ..run() }
}

/// Names in a folder, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is readable");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn digest_in(folder: &Path) -> String {
    let text = fs::read_to_string(folder.join("manifest.json")).expect("a manifest");
    let manifest: serde_json::Value = serde_json::from_str(&text).expect("the manifest is JSON");
    manifest["digest"].as_str().expect("a digest").to_owned()
}

fn read(folder: &Path, table: &str) -> (Vec<Row>, usize) {
    let file = File::open(folder.join(format!("{table}.parquet"))).expect("the table was written");
    let reader = SerializedFileReader::new(file).expect("the table is Parquet");
    let rows = reader.get_row_iter(None).expect("the schema is readable").map(|row| row.expect("the row is readable"));
    (rows.collect(), reader.metadata().num_row_groups())
}

fn field<'r>(row: &'r Row, name: &str) -> &'r Field {
    row.get_column_iter().find(|column| column.0 == name).map(|column| column.1).expect("the column is there")
}

#[test]
fn tables_read_back_as_recorded() {
    let scratch = scratch();
    let mut record = synthetic::record(5, 30);
    record.congestion[0].source = None;
    let written = write_tables(&record, scratch.path()).expect("the folder can be written");
    assert_eq!(written.len(), 16);
    let (messages, _) = read(scratch.path(), "messages");
    assert_eq!(messages.len(), record.messages.len());
    for (row, message) in messages.iter().zip(&record.messages) {
        assert_eq!(field(row, "job"), &Field::Str(record.jobs[message.job.index()].name.clone()));
        assert_eq!(field(row, "kind"), &Field::Str(message.kind.as_str().to_owned()));
        assert_eq!(field(row, "destination_rank"), &Field::Int(message.destination.0 as i32));
        assert_eq!(field(row, "latency_ps"), &Field::Long((message.delivered.0 - message.issued.0) as i64));
    }
    let (ports, _) = read(scratch.path(), "ports");
    assert_eq!(field(&ports[0], "peer"), &Field::Str(record.port_info[0].peer.clone()));
    assert_eq!(field(&ports[0], "bytes"), &Field::Long(record.ports[0].bytes.0 as i64));
    let (congestion, _) = read(scratch.path(), "congestion");
    assert_eq!(field(&congestion[0], "source_endpoint"), &Field::Null);
    let (faults, _) = read(scratch.path(), "faults");
    assert_eq!(field(&faults[0], "ended_ps"), &Field::Null);
    assert_eq!(field(&faults[0], "packets_discarded"), &Field::Long(record.faults[0].packets_discarded as i64));
    let (discards, _) = read(scratch.path(), "discards");
    assert_eq!(field(&discards[0], "cause"), &Field::Str("link_down".to_owned()));
    let (failures, _) = read(scratch.path(), "failures");
    assert_eq!(field(&failures[0], "failed_ps"), &Field::Long(record.failures[0].failed.0 as i64));
    let (engine, _) = read(scratch.path(), "packet_engine");
    assert_eq!(field(&engine[0], "packets"), &Field::Long(3));
    let (counters, _) = read(scratch.path(), "counters");
    assert_eq!(counters.len(), record.counters.len());
    for (row, counter) in counters.iter().zip(&record.counters) {
        assert_eq!(field(row, "counter"), &Field::Str(counter.name.as_str().to_owned()));
        assert_eq!(field(row, "value"), &Field::Long(counter.value as i64));
        let endpoint = counter.place.endpoint().map_or(Field::Null, |endpoint| Field::Int(endpoint as i32));
        assert_eq!(field(row, "endpoint"), &endpoint);
    }
    let (telemetry, _) = read(scratch.path(), "telemetry");
    assert_eq!(telemetry.len(), record.telemetry.len());
    for (row, hop) in telemetry.iter().zip(&record.telemetry) {
        assert_eq!(field(row, "hop"), &Field::Int(i32::from(hop.hop)));
        assert_eq!(field(row, "queued_ps"), &Field::Long((hop.departed.0 - hop.requested.0) as i64));
    }
    for (name, rows) in written {
        assert_eq!(read(scratch.path(), name.trim_end_matches(".parquet")).0.len() as u64, rows, "{name}");
    }
}

#[test]
fn long_tables_have_several_row_groups() {
    let scratch = scratch();
    let mut record = synthetic::one_port_record();
    record.messages = vec![record.messages[0]; 300_000];
    write_tables(&record, scratch.path()).expect("the folder can be written");
    let file = File::open(scratch.path().join("messages.parquet")).expect("the table was written");
    let reader = SerializedFileReader::new(file).expect("the table is Parquet");
    assert_eq!(reader.metadata().num_row_groups(), 2);
    assert_eq!(reader.metadata().file_metadata().num_rows(), 300_000);
}

#[test]
fn a_value_that_does_not_fit_is_refused_with_its_place() {
    let scratch = scratch();
    let mut record = synthetic::one_port_record();
    record.messages.push(MessageRow {
        job: JobId(0),
        source: RankId(0),
        destination: RankId(1),
        bytes: Bytes(1),
        kind: MessageKind::Put,
        class: ClassId(0),
        issued: Picoseconds::ZERO,
        delivered: Picoseconds::MAX,
    });
    let error = write_tables(&record, scratch.path()).expect_err("2^64 - 1 is above what the column holds");
    assert!(
        error.to_string().starts_with("table messages, column delivered_ps, row 1: the value 18446744073709551615"),
        "{error}"
    );
}

#[test]
fn the_manifest_says_what_was_run() {
    let scratch = scratch();
    let record = synthetic::record(5, 30);
    let folder =
        write_result(scratch.path().join("a/b"), &record, &run(), Earlier::Keep).expect("the folder can be written");
    let text = fs::read_to_string(folder.join("manifest.json")).expect("the manifest was written");
    let manifest: serde_json::Value = serde_json::from_str(&text).expect("the manifest is JSON");
    assert_eq!(manifest["scenario"]["system"], "small");
    assert_eq!(manifest["seed"], 42);
    assert_eq!(manifest["digest"], format!("{:016x}", record.digest));
    assert_eq!(manifest["simulated_ps"], record.simulated.0);
    assert_eq!(manifest["status"], "completed");
    assert_eq!(manifest["tables"]["messages.parquet"], record.messages.len());
    for name in ["scenario.toml", "report.html", "switches.parquet"] {
        assert!(folder.join(name).is_file(), "{name}");
    }
    let left: Vec<_> = fs::read_dir(scratch.path().join("a")).expect("the folder is readable").collect();
    assert_eq!(left.len(), 1, "nothing but the result is left");
}

#[test]
fn an_earlier_result_is_replaced_and_anything_else_is_not() {
    let scratch = scratch();
    let (result, other) = (scratch.path().join("result"), scratch.path().join("thesis"));
    write_result(&result, &synthetic::record(5, 30), &run(), Earlier::Keep).expect("the folder is new");
    fs::write(result.join("note.txt"), "mine").expect("the folder can be written");
    write_result(&result, &synthetic::empty_record(), &run(), Earlier::Replace).expect("it may be replaced");
    assert_eq!(digest_in(&result), format!("{:016x}", synthetic::empty_record().digest));
    assert_eq!(fs::read_to_string(result.join("note.txt")).expect("no file of others is lost"), "mine");
    fs::create_dir(&other).expect("the folder can be written");
    write_result(&other, &synthetic::empty_record(), &run(), Earlier::Keep).expect("an empty folder may be used");
    fs::remove_file(other.join("manifest.json")).expect("the manifest was written");
    for earlier in [Earlier::Keep, Earlier::Replace] {
        let error = ResultFolder::create(&other, &identity(), earlier).expect_err("without a manifest it is not ours");
        assert!(matches!(error, MeasureError::NotAResult { .. }), "{error}");
        let error = ResultFolder::create(other.join("report.html"), &identity(), earlier).expect_err("it is a file");
        assert!(matches!(error, MeasureError::NotAFolder { .. }), "{error}");
    }
    assert_eq!(names(scratch.path()), ["result", "thesis"]);
}

/// Writes a result, and returns the place of another run's earlier one.
fn settled(place: &Path, record: &RunRecord, described: &RunDescription, earlier: Earlier) -> Settled {
    let mut folder =
        ResultFolder::create(place, &described.identity(record.rates.is_some()), earlier).expect("a place");
    folder.write_run(record, described, &AtomicBool::new(false)).expect("there is room");
    folder.finish().expect("it can be moved")
}

#[test]
fn the_result_of_another_run_is_kept() {
    let scratch = scratch();
    let place = scratch.path().join("result");
    let earlier = |number: &str| scratch.path().join(format!("result.earlier{number}"));
    let (one, other) = (synthetic::record(5, 30), RunRecord { digest: 7, ..synthetic::record(6, 20) });
    let first = settled(&place, &one, &run(), Earlier::Keep);
    assert_eq!(first, Settled { place: place.clone(), kept: None });
    assert_eq!(settled(&place, &one, &run(), Earlier::Keep).kept, None, "it is the same run");
    let with_seed = settled(&place, &other, &other_run(), Earlier::Keep);
    assert_eq!(with_seed.place, place);
    assert_eq!(with_seed.kept, Some((earlier(""), "only the new one has `seed = 7`".to_owned())));
    assert_eq!(digest_in(&earlier("")), format!("{:016x}", one.digest));
    let newer = RunDescription { version: "0.2.0".to_owned(), ..other_run() };
    let (kept, why) = settled(&place, &other, &newer, Earlier::Keep).kept.expect("another version");
    assert_eq!((kept, why.as_str()), (earlier("-2"), "philae 0.1.0 wrote it, and this is philae 0.2.0"));
    let described = RunDescription { scenario_toml: "seed = 8\n".to_owned(), ..newer };
    let (_, why) = settled(&place, &other, &described, Earlier::Keep).kept.expect("another seed");
    assert_eq!(why, "the earlier one has `system = \"small\"`, the new one `seed = 8`");
    assert_eq!(settled(&place, &one, &run(), Earlier::Replace).kept, None, "that is asked for");
    assert_eq!(names(scratch.path()), ["result", "result.earlier", "result.earlier-2", "result.earlier-3"]);
    let threads = |count: u32| RunDescription { scenario_toml: format!("[run]\nthreads = {count}\n"), ..run() };
    settled(&place, &other, &threads(1), Earlier::Replace);
    assert_eq!(settled(&place, &other, &threads(2), Earlier::Keep).kept, None, "threads change no result");
}

#[test]
fn a_whole_result_is_kept_from_one_that_is_less_or_differs() {
    let scratch = scratch();
    let place = scratch.path().join("result");
    let whole = synthetic::record(5, 30);
    let cut = RunRecord { status: RunStatus::Interrupted, digest: 3, ..whole.clone() };
    let kept = |record: &RunRecord| settled(&place, record, &run(), Earlier::Keep).kept.map(|(_, why)| why);
    assert_eq!(kept(&cut), None);
    assert_eq!(kept(&whole), None, "a whole one replaces one that was interrupted");
    assert_eq!(kept(&cut), Some("the earlier one is complete, the new one is not".to_owned()));
    assert_eq!(digest_in(&scratch.path().join("result.earlier")), format!("{:016x}", whole.digest));
    assert_eq!(kept(&whole), None);
    let with_another_trace = RunRecord { digest: 4, ..whole };
    let why = kept(&with_another_trace).expect("the same scenario, and another file that it names");
    assert!(why.contains("a file that the scenario names has changed"), "{why}");
}

#[test]
fn a_place_is_for_one_run_at_a_time() {
    let scratch = scratch();
    let place = scratch.path().join("result");
    let first = ResultFolder::create(&place, &identity(), Earlier::Keep).expect("the folder is new");
    for earlier in [Earlier::Keep, Earlier::Replace] {
        let error = ResultFolder::create(&place, &identity(), earlier).expect_err("another run has it");
        assert!(matches!(&error, MeasureError::Busy { owner, .. } if owner.starts_with("process ")), "{error}");
    }
    first.write_file("manifest.json", "{}").expect("the staging folder can be written");
    assert_eq!(first.finish().expect("it is moved").place, place);
    let second = ResultFolder::create(&place, &identity(), Earlier::Replace).expect("the first has ended");
    drop(second);
    assert_eq!(names(scratch.path()), ["result"]);
    assert_eq!(names(&place), ["manifest.json"], "the lock is no part of a result");
}

#[test]
fn of_many_runs_at_one_place_no_result_is_lost() {
    let scratch = scratch();
    let place = scratch.path().join("result");
    let written = std::thread::scope(|scope| {
        let one = |seed: u64| {
            let place = &place;
            scope.spawn(move || {
                let described = RunDescription { scenario_toml: format!("seed = {seed}\n"), ..run() };
                let record = RunRecord { digest: seed, ..synthetic::record(2, 10) };
                match write_result(place, &record, &described, Earlier::Keep) {
                    Ok(_) => true,
                    Err(MeasureError::Busy { .. }) => false,
                    Err(error) => panic!("{error}"),
                }
            })
        };
        let threads: Vec<_> = (1..=16).map(one).collect();
        threads.into_iter().map(|thread| u64::from(thread.join().expect("no thread panics"))).sum::<u64>()
    });
    let found = names(scratch.path());
    assert_eq!(found.len() as u64, written, "each is refused, or its result is there: {found:?}");
    let digests: std::collections::BTreeSet<String> =
        found.iter().map(|name| digest_in(&scratch.path().join(name))).collect();
    assert_eq!(digests.len() as u64, written, "and none has replaced another's");
}

#[test]
fn what_killed_runs_left_is_removed_and_what_they_moved_aside_is_put_back() {
    let scratch = scratch();
    let place = scratch.path().join("result");
    let left = |name: &str| {
        let folder = scratch.path().join(name);
        fs::create_dir_all(&folder).expect("the folder can be written");
        fs::write(folder.join(".lock"), "process 1").expect("the folder can be written");
        fs::write(folder.join("messages.parquet"), "half").expect("the folder can be written");
    };
    left(".result.partial");
    left(".another.partial");
    let living = ResultFolder::create(scratch.path().join("living"), &identity(), Earlier::Keep).expect("it is new");
    write_result(scratch.path().join("aside"), &synthetic::record(5, 30), &run(), Earlier::Keep).expect("it is new");
    fs::rename(scratch.path().join("aside"), scratch.path().join(".result.replaced")).expect("it can be renamed");
    fs::create_dir(scratch.path().join(".not-ours.partial")).expect("the folder can be written");
    let folder = ResultFolder::create(&place, &identity(), Earlier::Keep).expect("its run is dead");
    assert_eq!(names(folder.staging()), [".lock"]);
    assert_eq!(digest_in(&place), format!("{:016x}", synthetic::record(5, 30).digest), "it was put back");
    assert_eq!(names(scratch.path()), [".living.partial", ".not-ours.partial", ".result.partial", "result"]);
    drop((folder, living));
    assert_eq!(names(scratch.path()), [".not-ours.partial", "result"]);
}

#[test]
fn what_a_link_leads_to_is_replaced_and_not_the_link() {
    let scratch = scratch();
    let target = scratch.path().join("elsewhere");
    fs::create_dir(&target).expect("the folder can be written");
    std::os::unix::fs::symlink(&target, scratch.path().join("result")).expect("a link");
    let place = write_result(scratch.path().join("result"), &synthetic::record(5, 30), &run(), Earlier::Keep);
    assert!(place.expect("it is empty").ends_with("elsewhere"));
    assert!(target.join("manifest.json").is_file() && scratch.path().join("result").is_symlink());
}

/// A file that cannot be written, as on a full disk: there is a folder of its name.
#[test]
fn what_can_be_written_of_a_result_is_kept_where_the_rest_cannot() {
    let scratch = scratch();
    let place = scratch.path().join("result");
    let record = synthetic::record(5, 30);
    let earlier = write_result(&place, &record, &run(), Earlier::Keep).expect("the folder is new");
    let mut folder = ResultFolder::create(&place, &identity(), Earlier::Keep).expect("it is of the same run");
    for name in ["messages.parquet", "report.html"] {
        fs::create_dir_all(folder.staging().join(name).join("full")).expect("the folder can be written");
    }
    folder.write_run(&record, &run(), &AtomicBool::new(false)).expect("there is room for a manifest");
    let missing: Vec<&str> = folder.unwritten().iter().map(|one| one.file.as_str()).collect();
    assert_eq!(missing, ["report.html", "messages.parquet"]);
    let kept = folder.finish().expect("it can be moved").place;
    assert_eq!(kept, scratch.path().join("result.incomplete"));
    let manifest = fs::read_to_string(kept.join("manifest.json")).expect("a manifest");
    let manifest: serde_json::Value = serde_json::from_str(&manifest).expect("JSON");
    assert_eq!(manifest["missing"], serde_json::json!(["report.html", "messages.parquet"]));
    assert!(manifest["tables"].get("messages.parquet").is_none() && manifest["tables"]["ports.parquet"].is_u64());
    assert!(kept.join("ports.parquet").is_file() && kept.join("scenario.toml").is_file());
    assert!(earlier.join("messages.parquet").is_file(), "the whole one stays");
}

#[test]
fn a_result_that_is_interrupted_while_it_is_written_keeps_its_manifest() {
    let scratch = scratch();
    let record = synthetic::record(5, 30);
    let mut folder =
        ResultFolder::create(scratch.path().join("result"), &identity(), Earlier::Keep).expect("the folder is new");
    folder.write_run(&record, &run(), &AtomicBool::new(true)).expect("there is room for a manifest");
    assert!(folder.unwritten().iter().all(|one| matches!(one.error, MeasureError::Interrupted)));
    let kept = folder.finish().expect("it can be moved").place;
    assert!(kept.ends_with("result.incomplete"));
    let written = names(&kept);
    let has = |name: &str| written.iter().any(|one| one == name);
    assert!(has("manifest.json") && has("scenario.toml"), "{written:?}");
    assert!(!has("messages.parquet") && !has("report.html"), "{written:?}");
}

#[test]
fn an_unfinished_result_leaves_nothing() {
    let scratch = scratch();
    let folder =
        ResultFolder::create(scratch.path().join("result"), &identity(), Earlier::Keep).expect("the folder is new");
    folder.write_file("note.txt", "half").expect("the staging folder can be written");
    assert!(matches!(folder.write_file("../note.txt", ""), Err(MeasureError::NotAFileName { .. })));
    drop(folder);
    assert_eq!(fs::read_dir(scratch.path()).expect("the folder is readable").count(), 0);
}

#[test]
fn every_column_is_documented() {
    let text = schema_text();
    for table in tables() {
        assert!(text.contains(&format!("## {}.parquet", table.name)) && !table.about.is_empty());
        assert!(table.columns.iter().all(|column| column.about.ends_with('.') && text.contains(column.about)));
    }
}

/// Every report makes no network request and balances its tags.
fn check_report(record: &RunRecord) -> String {
    let html = run_report(record, &run());
    for request in ["http://", "https://", "<script", "<link", "@import", "url(", "src="] {
        assert!(!html.contains(request), "the report asks for {request}");
    }
    for figure in ["NaN", "inf\"", "Infinity"] {
        assert!(!html.contains(figure), "the report shows {figure}");
    }
    for tag in ["div", "table", "svg", "figure", "tr", "td", "text", "rect", "path"] {
        let opened = html.matches(&format!("<{tag} ")).count() + html.matches(&format!("<{tag}>")).count();
        assert_eq!(opened, html.matches(&format!("</{tag}>")).count(), "{tag}");
    }
    html
}

#[test]
fn reports_of_odd_records_are_whole() {
    check_report(&synthetic::empty_record());
    check_report(&synthetic::one_port_record());
    check_report(&synthetic::record(1, 1));
    let html = check_report(&synthetic::record(1, 3_000));
    assert!(html.contains("Nothing is &lt;real&gt;.") && !html.contains("Partial result"));
    assert!(html.contains("hni_pause_xoff_sent") && html.contains("held at the ingress"));
    let mut zero = synthetic::one_port_record();
    zero.messages[0].delivered = zero.messages[0].issued;
    zero.messages.push(MessageRow { delivered: Picoseconds(5_000_000_000), ..zero.messages[0] });
    check_report(&zero);
}

#[test]
fn a_partial_result_says_so() {
    let record = RunRecord { status: RunStatus::Interrupted, ..synthetic::record(1, 20) };
    let html = check_report(&record);
    assert!(html.contains("Partial result: the run was interrupted"));
}

#[test]
fn a_hundred_thousand_ports_fit_in_a_small_report() {
    let mut record = synthetic::record(1, 4);
    let (info, samples) = (record.port_info.clone(), record.ports.clone());
    record.port_info.clear();
    record.ports.clear();
    for copy in 0..100_000_u32 {
        let index = philae_units::PortIndex(copy);
        let source = &info[copy as usize % info.len()];
        record.port_info.push(philae_results::record::PortInfo {
            index,
            group: philae_units::GroupId(copy / 400),
            ..source.clone()
        });
        record.ports.push(philae_results::record::PortSample {
            port: index,
            interval: copy % 4,
            ..samples[copy as usize % samples.len()]
        });
    }
    let html = check_report(&record);
    assert!(html.len() < 3_000_000, "{} bytes", html.len());
}

#[test]
fn the_pace_of_a_run_that_went_on_counts_its_own_hops() {
    let whole = RunDescription { wall_seconds: 2.0, ..run() };
    assert_eq!(whole.hops_per_second(300), 150.0);
    assert_eq!(RunDescription { packet_hops_before: 100, ..whole }.hops_per_second(300), 100.0);
}
