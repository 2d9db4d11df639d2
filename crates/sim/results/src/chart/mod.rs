//! Pictures as inline SVG: no script, no font, no request. Colours come from the page's style, so
//! one picture serves light, dark and print.

mod agreement;
mod bar;
mod boxes;
mod canvas;
mod heat;
mod interval;
mod line;
mod network;
mod scale;
pub(crate) mod style;

pub use agreement::{AgreementChart, AgreementRow};
pub use bar::{BarChart, BarGroup};
pub use boxes::{BoxChart, BoxStats};
pub use heat::HeatMap;
pub use interval::{IntervalChart, IntervalRow};
pub use line::{ChartLine, LineChart, LineKind, Reference};
pub use network::{NetworkLink, NetworkPicture};
pub use scale::{ChartAxis, Mark};

pub(crate) use canvas::escape;

/// Colours for series; further series repeat them with dashes.
pub const SERIES_COLOURS: usize = 8;
