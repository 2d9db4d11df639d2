//! Distributions of sizes: lines of bytes and the per cent of flows that are at most that large.

use philae_workload::{MESSAGE_BYTES_MAX, SizePoint, wrong_points};

use crate::error::TraceError;
use crate::input::TraceFile;
use crate::text::Text;

/// Reads a file of points.
///
/// # Errors
/// [`TraceError`], with the line.
pub fn read_sizes(file: &TraceFile) -> Result<Vec<SizePoint>, TraceError> {
    let text = Text::new(&file.name, &file.bytes)?;
    let mut points = Vec::new();
    for line in text.lines().filter(|line| !line.text.trim().is_empty() && !line.text.trim_start().starts_with('#')) {
        let mut words = line.words();
        let bytes = words.decimal("a size in bytes", 0, MESSAGE_BYTES_MAX.0)?;
        let billionths = words.decimal("a per cent, 0 to 100", 7, 1_000_000_000)? as u32;
        words.end()?;
        let before = points.last().map_or(0, |point: &SizePoint| point.billionths);
        if billionths < before {
            return Err(line.error("a share below the previous one", "increasing shares"));
        }
        points.push(SizePoint { bytes, billionths });
    }
    match wrong_points(&points) {
        None => Ok(points),
        Some(found) => Err(TraceError::whole(&file.name, found, "lines of bytes and per cent, from 0 to 100")),
    }
}
