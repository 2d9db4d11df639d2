//! Reports as one HTML file each: self-contained, readable offline, on paper, in light and dark.

mod faults;
mod observed;
mod page;
mod run;
mod series;
mod study;

pub use run::run_report;
pub use study::{Section, StudyReport, TableRow, Verdict};
