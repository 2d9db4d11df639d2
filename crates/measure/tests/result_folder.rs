//! Result folders are written whole or not at all, and their tables read back as what was recorded.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use philae_measure::record::{MessageKind, MessageRow, RunRecord, RunStatus};
use philae_measure::tables::{tables, write_tables};
use philae_measure::{MeasureError, ResultFolder, RunDescription, run_report, schema_text, synthetic, write_result};
use philae_units::{Bytes, ClassId, JobId, Picoseconds, RankId};

/// A folder of its own for one test, gone afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("philae-measure-{test}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("the temporary folder can be written");
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn run() -> RunDescription {
    RunDescription {
        title: "test".to_owned(),
        scenario: serde_json::json!({ "system": "small" }),
        scenario_toml: "system = \"small\"\n".to_owned(),
        seed: 42,
        version: "0.1.0".to_owned(),
        wall_seconds: 1.5,
        packet_hops_before: 0,
        notices: Vec::new(),
        warnings: Vec::new(),
        assumptions: vec!["Nothing is <real>.".to_owned()],
    }
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
    let scratch = Scratch::new("tables");
    let mut record = synthetic::record(5, 30);
    record.congestion[0].source = None;
    let written = write_tables(&record, &scratch.0).expect("the folder can be written");
    assert_eq!(written.len(), 16);
    let (messages, _) = read(&scratch.0, "messages");
    assert_eq!(messages.len(), record.messages.len());
    for (row, message) in messages.iter().zip(&record.messages) {
        assert_eq!(field(row, "job"), &Field::Str(record.jobs[message.job.index()].name.clone()));
        assert_eq!(field(row, "kind"), &Field::Str(message.kind.as_str().to_owned()));
        assert_eq!(field(row, "destination_rank"), &Field::Int(message.destination.0 as i32));
        assert_eq!(field(row, "latency_ps"), &Field::Long((message.delivered.0 - message.issued.0) as i64));
    }
    let (ports, _) = read(&scratch.0, "ports");
    assert_eq!(field(&ports[0], "peer"), &Field::Str(record.port_info[0].peer.clone()));
    assert_eq!(field(&ports[0], "bytes"), &Field::Long(record.ports[0].bytes.0 as i64));
    let (congestion, _) = read(&scratch.0, "congestion");
    assert_eq!(field(&congestion[0], "source_endpoint"), &Field::Null);
    let (faults, _) = read(&scratch.0, "faults");
    assert_eq!(field(&faults[0], "ended_ps"), &Field::Null);
    assert_eq!(field(&faults[0], "packets_discarded"), &Field::Long(record.faults[0].packets_discarded as i64));
    let (discards, _) = read(&scratch.0, "discards");
    assert_eq!(field(&discards[0], "cause"), &Field::Str("link_down".to_owned()));
    let (failures, _) = read(&scratch.0, "failures");
    assert_eq!(field(&failures[0], "failed_ps"), &Field::Long(record.failures[0].failed.0 as i64));
    let (engine, _) = read(&scratch.0, "packet_engine");
    assert_eq!(field(&engine[0], "packets"), &Field::Long(3));
    let (counters, _) = read(&scratch.0, "counters");
    assert_eq!(counters.len(), record.counters.len());
    for (row, counter) in counters.iter().zip(&record.counters) {
        assert_eq!(field(row, "counter"), &Field::Str(counter.name.as_str().to_owned()));
        assert_eq!(field(row, "value"), &Field::Long(counter.value as i64));
        let endpoint = counter.place.endpoint().map_or(Field::Null, |endpoint| Field::Int(endpoint as i32));
        assert_eq!(field(row, "endpoint"), &endpoint);
    }
    let (telemetry, _) = read(&scratch.0, "telemetry");
    assert_eq!(telemetry.len(), record.telemetry.len());
    for (row, hop) in telemetry.iter().zip(&record.telemetry) {
        assert_eq!(field(row, "hop"), &Field::Int(i32::from(hop.hop)));
        assert_eq!(field(row, "queued_ps"), &Field::Long((hop.departed.0 - hop.requested.0) as i64));
    }
    for (name, rows) in written {
        assert_eq!(read(&scratch.0, name.trim_end_matches(".parquet")).0.len() as u64, rows, "{name}");
    }
}

#[test]
fn long_tables_have_several_row_groups() {
    let scratch = Scratch::new("row-groups");
    let mut record = synthetic::one_port_record();
    record.messages = vec![record.messages[0]; 300_000];
    write_tables(&record, &scratch.0).expect("the folder can be written");
    let file = File::open(scratch.0.join("messages.parquet")).expect("the table was written");
    let reader = SerializedFileReader::new(file).expect("the table is Parquet");
    assert_eq!(reader.metadata().num_row_groups(), 2);
    assert_eq!(reader.metadata().file_metadata().num_rows(), 300_000);
}

#[test]
fn a_value_that_does_not_fit_is_refused_with_its_place() {
    let scratch = Scratch::new("too-large");
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
    let error = write_tables(&record, &scratch.0).expect_err("2^64 - 1 is above what the column holds");
    assert!(
        error.to_string().starts_with("table messages, column delivered_ps, row 1: the value 18446744073709551615"),
        "{error}"
    );
}

#[test]
fn the_manifest_says_what_was_run() {
    let scratch = Scratch::new("manifest");
    let record = synthetic::record(5, 30);
    let folder = write_result(scratch.0.join("a/b"), &record, &run()).expect("the folder can be written");
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
    let left: Vec<_> = fs::read_dir(scratch.0.join("a")).expect("the folder is readable").collect();
    assert_eq!(left.len(), 1, "nothing but the result is left");
}

#[test]
fn an_earlier_result_is_replaced_and_anything_else_is_not() {
    let scratch = Scratch::new("replace");
    let (result, other) = (scratch.0.join("result"), scratch.0.join("thesis"));
    write_result(&result, &synthetic::record(5, 30), &run()).expect("the folder is new");
    fs::write(result.join("stale.txt"), "old").expect("the folder can be written");
    write_result(&result, &synthetic::empty_record(), &run()).expect("an earlier result may be replaced");
    assert!(!result.join("stale.txt").exists());
    fs::create_dir(&other).expect("the folder can be written");
    write_result(&other, &synthetic::empty_record(), &run()).expect("an empty folder may be used");
    fs::remove_file(other.join("manifest.json")).expect("the manifest was written");
    let error = ResultFolder::create(&other).expect_err("a folder without a manifest is not ours");
    assert!(matches!(error, MeasureError::NotAResult { .. }), "{error}");
    let error = ResultFolder::create(other.join("report.html")).expect_err("a file is not a folder");
    assert!(matches!(error, MeasureError::NotAFolder { .. }), "{error}");
}

#[test]
fn an_unfinished_result_leaves_nothing() {
    let scratch = Scratch::new("unfinished");
    let folder = ResultFolder::create(scratch.0.join("result")).expect("the folder is new");
    folder.write_file("note.txt", "half").expect("the staging folder can be written");
    assert!(matches!(folder.write_file("../note.txt", ""), Err(MeasureError::NotAFileName { .. })));
    drop(folder);
    assert_eq!(fs::read_dir(&scratch.0).expect("the folder is readable").count(), 0);
}

#[test]
fn every_column_is_documented() {
    let text = schema_text();
    for table in tables() {
        assert!(text.contains(&format!("## {}.parquet", table.name)) && !table.about.is_empty());
        assert!(table.columns.iter().all(|column| column.about.ends_with('.') && text.contains(column.about)));
    }
}

/// Every report asks nothing of the network and balances its tags.
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
        record.port_info.push(philae_measure::record::PortInfo {
            index,
            group: philae_units::GroupId(copy / 400),
            ..source.clone()
        });
        record.ports.push(philae_measure::record::PortSample {
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
