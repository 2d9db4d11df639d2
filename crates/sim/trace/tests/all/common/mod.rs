//! Files of `tests/data`, and schedules from text.

use philae_trace::{TraceError, TraceFile, TraceFormat, TraceOptions, TraceSchedule, import};
use std::path::PathBuf;

/// Options for files with operation counts.
pub const OPTIONS: TraceOptions = TraceOptions {
    flops_per_second: Some(1_000_000_000),
    memory_bytes_per_second: None,
    trigger_bytes: philae_units::Bytes(8),
    ranks: None,
};

pub fn file(name: &str) -> TraceFile {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    TraceFile { name: name.to_owned(), bytes }
}

pub fn read(name: &str) -> TraceSchedule {
    let file = file(name);
    let format = TraceFormat::detect(name, &file.bytes).unwrap_or_else(|| panic!("{name} looks like no format"));
    import(format, &[file], &OPTIONS).unwrap_or_else(|error| panic!("{error}"))
}

pub fn parse(format: TraceFormat, text: &str) -> Result<TraceSchedule, TraceError> {
    import(format, &[TraceFile { name: "text".to_owned(), bytes: text.into() }], &OPTIONS)
}

pub fn goal(text: &str) -> TraceSchedule {
    parse(TraceFormat::Goal, text).unwrap_or_else(|error| panic!("{error}"))
}
