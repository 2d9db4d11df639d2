//! Writes reports of made-up records into a folder, for a visual check:
//! `cargo run --example gallery -- gallery`.

use std::path::PathBuf;

use philae_results::chart::{
    AgreementChart, AgreementRow, BarChart, BarGroup, BoxChart, BoxStats, ChartAxis, ChartLine, HeatMap, LineChart,
    LineKind, Mark, Reference,
};
use philae_results::format::Unit;
use philae_results::record::{RunRecord, RunStatus};
use philae_results::{
    Earlier, RunDescription, RunSummary, StudyReport, StudySection, TableRow, Verdict, synthetic, text, write_result,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("name a folder to write to")?);
    let partial = RunRecord { status: RunStatus::Interrupted, ..synthetic::record(2, 1_500) };
    let records = [
        ("run", synthetic::record(1, 120)),
        ("partial", partial),
        ("empty", synthetic::empty_record()),
        ("one-message", synthetic::one_port_record()),
    ];
    for (name, record) in &records {
        let run = RunDescription {
            title: format!("Congestion on a small dragonfly: {name}"),
            scenario: serde_json::json!({ "name": name }),
            scenario_toml: "[system]\nname = \"crystal-mini\"\n\n[[job]]\nname = \"victim\"\n".to_owned(),
            setup: vec![("System", "small: dragonfly".to_owned())],
            seed: 42,
            version: "0.1.0".to_owned(),
            wall_seconds: 3.21,
            packet_hops_before: 0,
            notices: Vec::new(),
            warnings: Vec::new(),
            assumptions: vec![
                "Host processors answer at once: matching costs the time that the NIC takes.".to_owned(),
                "The arbitration latency of Rosetta is assumed, 30 ns a stage.".to_owned(),
            ],
        };
        let path = write_result(folder.join(name), record, &run, Earlier::Replace)?;
        println!("{}\n\n{}", path.display(), text::summary(&RunSummary::of(record), true));
    }
    let study = study();
    std::fs::write(folder.join("study.html"), study.html())?;
    println!("{}", study.text(true));
    Ok(())
}

fn study() -> StudyReport {
    let verdict = |cells: [&str; 5], verdict| TableRow { verdict: Some(verdict), ..TableRow::from(cells) };
    let table = StudySection::Table {
        headers: ["target", "published", "Philae", "unit", "tolerance"].map(str::to_owned).to_vec(),
        rows: vec![
            verdict(["switch latency, median", "350", "352", "ns", "±5 %"], Verdict::Pass),
            verdict(["allreduce under 50 % incast, worst slowdown", "1.3", "1.62", "×", "±15 %"], Verdict::Gap),
            verdict(["tail latency of halo exchange", "2.3", "", "×", "±20 %"], Verdict::NotRun),
        ],
    };
    let victims =
        ["lammps", "fft", "resnet", "milc", "hpcg", "silo", "sphinx", "xapian", "pingpong 8 B", "allreduce 128 KiB"];
    let aggressors = ["a2a 90 %", "a2a 50 %", "a2a 10 %", "incast 90 %", "incast 50 %", "incast 10 %"];
    let values = (0..victims.len())
        .map(|row| {
            (0..aggressors.len())
                .map(|column| {
                    if row == 5 && column == 2 {
                        f64::NAN
                    } else {
                        1.0 + ((row * 7 + column * 11) % 13).pow(2) as f64 / 1.7
                    }
                })
                .collect()
        })
        .collect();
    let heat = HeatMap {
        title: "Congestion impact on Aries (Crystal)".to_owned(),
        row_name: "victim".to_owned(),
        column_name: "aggressor".to_owned(),
        rows: victims.map(str::to_owned).to_vec(),
        columns: aggressors.map(str::to_owned).to_vec(),
        values,
        value_name: "slowdown".to_owned(),
        log: true,
        range: Some((1.0, 100.0)),
        references: vec![Reference { label: "published, worst".to_owned(), value: 93.0 }],
        ..HeatMap::default()
    };
    let wide = HeatMap {
        title: "Congestion impact on Slingshot, long names".to_owned(),
        columns: (0..30).map(|index| format!("aggressor number {index}")).collect(),
        values: (0..10).map(|row| (0..30).map(|column| 1.0 + f64::from(row * column) / 300.0).collect()).collect(),
        ..heat.clone()
    };
    let bandwidth = |scale: f64| {
        (3..23)
            .map(|power| (f64::from(power).exp2(), scale * 100.0 / (1.0 + 2_000.0 / f64::from(power).exp2())))
            .collect()
    };
    let lines = LineChart {
        title: "Bandwidth by message size".to_owned(),
        x: ChartAxis::log("message size", Unit::Bytes).with_mark(Mark::at("published: half of it", 256.0)),
        y: ChartAxis::linear("Gb/s", Unit::Number).with_mark(Mark::band("published: 40 to 50", 40.0, 50.0)),
        kind: LineKind::Lines,
        series: vec![
            ChartLine::new("Philae", bandwidth(0.96)),
            ChartLine { dashed: true, ..ChartLine::new("published", bandwidth(1.0)) },
        ],
        references: vec![Reference { label: "published peak: 97.8 Gb/s".to_owned(), value: 97.8 }],
    };
    let group = |label: &str, values: [f64; 2], reference| BarGroup {
        label: label.to_owned(),
        values: values.map(Some).to_vec(),
        reference,
    };
    let bars = BarChart {
        title: "Median latency by distance".to_owned(),
        axis: ChartAxis::linear("latency", Unit::Time),
        series: vec!["8 B".to_owned(), "4 KiB".to_owned()],
        groups: vec![
            group("same switch", [1.3e6, 1.9e6], Some(1.35e6)),
            group("same group", [1.7e6, 2.2e6], None),
            group("another group", [2.2e6, 2.9e6], Some(2.1e6)),
        ],
        reference_name: "published".to_owned(),
    };
    let values =
        |shift: f64| -> Vec<f64> { (1..400).map(|step| (shift + f64::from(step * step % 391)) * 3_000.0).collect() };
    let boxes = BoxChart {
        title: "Latency of 8 B messages".to_owned(),
        axis: ChartAxis::log("latency", Unit::Time)
            .with_mark(Mark::at("published median", 1.3e7))
            .with_mark(Mark::band("published: most", 2e7, 2e8)),
        boxes: ["same switch", "same group", "another group"]
            .iter()
            .zip([400.0, 550.0, 800.0])
            .filter_map(|(label, shift)| BoxStats::of_values(*label, &values(shift)))
            .collect(),
        reference_name: String::new(),
    };
    let agreement =
        |label: &str, published: f64, agrees, model: Option<f64>, (unit, verdict): (&str, Verdict)| AgreementRow {
            label: label.to_owned(),
            published,
            agrees,
            tolerance: "as the file has it".to_owned(),
            model,
            unit: unit.to_owned(),
            verdict,
        };
    let (pass, gap) = (Verdict::Pass, Verdict::Gap);
    let agreements = AgreementChart {
        title: "Model / published".to_owned(),
        rows: vec![
            agreement("switch-latency-median", 350.0, (332.5, 367.5), Some(350.7), ("ns", pass)),
            agreement("tile-indifference", 0.0, (-10.0, 10.0), Some(-0.3), ("ns", pass)),
            agreement("lossless", 0.0, (0.0, 0.0), Some(3.0), ("packets", gap)),
            agreement("layers-order", 1.0, (1.0, 1.0), Some(1.0), ("boolean", pass)),
            agreement("ppn-effect", 1.0, (1.0, 1.0), Some(0.0), ("boolean", gap)),
            agreement("alltoall-shandy", 0.9, (0.9, f64::INFINITY), Some(0.955), ("fraction", pass)),
            agreement("heatmap-aries-worst", 93.0, (46.5, 186.0), Some(21.0), ("ratio", gap)),
            agreement("largest-dragonfly", 279_040.0, (279_040.0, 279_040.0), Some(279_040.0), ("endpoints", pass)),
            agreement("fftw-crossover", 32.0, (f64::NEG_INFINITY, 32.0), Some(2.0), ("nodes", pass)),
            agreement("shmem-bundling", 2.5, (2.0, 3.0), None, ("ratio", Verdict::NotRun)),
        ],
    };
    StudyReport {
        title: "Slingshot under congestion".to_owned(),
        intro: "What De Sensi et al. measured, against what the model says.\n\nMade-up figures: this page only shows the parts.".to_owned(),
        banner: Some("Quick variant: 2 of 3 targets were run.".to_owned()),
        sections: vec![
            StudySection::Heading("Targets".to_owned()),
            StudySection::Agreement(agreements),
            table,
            StudySection::Heading("Congestion impact".to_owned()),
            StudySection::Text("Mean iteration time with the aggressor over the one without.".to_owned()),
            StudySection::HeatMap(heat),
            StudySection::HeatMap(wide),
            StudySection::Heading("Pictures".to_owned()),
            StudySection::Lines(lines),
            StudySection::Bars(bars),
            StudySection::Boxes(boxes),
        ],
        footer: "Philae 0.1.0, seed 42".to_owned(),
    }
}
