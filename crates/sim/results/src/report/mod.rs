//! Reports as one HTML file each: self-contained, readable offline, on paper, in light and dark.

mod explained;
mod faults;
mod network;
mod observed;
mod page;
mod run;
mod series;
mod study;

pub use network::wiring;
pub(crate) use page::{page as html_page, table as html_table};
pub use run::run_report;
pub(crate) use series::thinned_cdf as cdf_points;
pub use study::{StudyReport, StudySection, TableRow, Verdict};
