//! Boxes with whiskers: several distributions next to each other.

use super::canvas::{Canvas, PlotArea, WIDTH, fitted, hidden_note, horizontal_axis, marks_height, series_class};
use super::line::widest;
use super::scale::{ChartAxis, Scale};
use crate::percentile::of_sorted;

/// Height of one row.
const ROW: f64 = 30.0;

/// One distribution in figures, all on the chart's axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoxStats {
    /// The name of the distribution.
    pub label: String,
    /// Left whisker.
    pub low: f64,
    /// Left edge of the box.
    pub quartile1: f64,
    /// Line in the box.
    pub median: f64,
    /// Right edge of the box.
    pub quartile3: f64,
    /// Right whisker.
    pub high: f64,
    /// Single values beyond the whiskers that get a dot, with their names: `("p99", 1.7e6)`.
    pub dots: Vec<(String, f64)>,
    /// A value to compare with, such as a published median.
    pub reference: Option<f64>,
}

impl BoxStats {
    /// Quartiles, whiskers at the 5th and 95th percentile, dots at the 99th and the largest. Values
    /// in any order, sorted here; values that are not numbers are left out. `None` if there are
    /// none.
    #[must_use]
    pub fn of_values(label: impl Into<String>, values: &[f64]) -> Option<Self> {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
        sorted.sort_by(f64::total_cmp);
        let at = |percent| of_sorted(&sorted, percent);
        Some(Self {
            label: label.into(),
            low: at(5.0)?,
            quartile1: at(25.0)?,
            median: at(50.0)?,
            quartile3: at(75.0)?,
            high: at(95.0)?,
            dots: vec![("p99".to_owned(), at(99.0)?), ("max".to_owned(), at(100.0)?)],
            reference: None,
        })
    }

    fn values(&self) -> impl Iterator<Item = f64> + '_ {
        [self.low, self.quartile1, self.median, self.quartile3, self.high]
            .into_iter()
            .chain(self.dots.iter().map(|dot| dot.1))
            .chain(self.reference)
    }
}

/// A picture of boxes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoxChart {
    /// Title above the picture.
    pub title: String,
    /// Axis of the values.
    pub axis: ChartAxis,
    /// Boxes, from top to bottom.
    pub boxes: Vec<BoxStats>,
    /// The name of the reference marks, for the legend: "published".
    pub reference_name: String,
}

impl BoxChart {
    /// The picture as an HTML figure.
    #[must_use]
    pub fn html(&self) -> String {
        let above = marks_height(&self.axis);
        let mut canvas = Canvas::new(&self.title, WIDTH, self.boxes.len().max(1) as f64 * ROW + 62.0 + above);
        let left = widest(self.boxes.iter().map(|stats| stats.label.as_str()), 280.0) + 14.0;
        let area = PlotArea { left, right: WIDTH - 26.0, top: 6.0 + above, bottom: canvas.height - 50.0 };
        let values = || self.boxes.iter().flat_map(BoxStats::values);
        let scale = Scale::fit(&self.axis, values(), (area.left, area.right), 8, false);
        horizontal_axis(&mut canvas, area, &self.axis, &scale);
        for (row, stats) in self.boxes.iter().enumerate() {
            let y = area.top + (row as f64 + 0.5) * ROW;
            canvas.text("tick end strong", (area.left - 8.0, y + 4.0), &fitted(&stats.label, left - 8.0));
            self.draw_box(&mut canvas, stats, &scale, y);
        }
        if self.boxes.iter().any(|stats| stats.reference.is_some()) {
            let name = if self.reference_name.is_empty() { "reference" } else { &self.reference_name };
            canvas.legend("ln markkey", name);
        }
        if let Some(note) = hidden_note(values().filter(|value| self.axis.log && *value <= 0.0).count()) {
            canvas.note(note);
        }
        canvas.finish()
    }

    fn draw_box(&self, canvas: &mut Canvas, stats: &BoxStats, scale: &Scale, y: f64) {
        let format = |value| self.axis.unit.format(value);
        let title = format!(
            "{}\nmedian {}\nquartiles {} to {}\nwhiskers {} to {}",
            stats.label,
            format(stats.median),
            format(stats.quartile1),
            format(stats.quartile3),
            format(stats.low),
            format(stats.high)
        );
        let (low, high) = (scale.at(stats.low), scale.at(stats.high));
        canvas.line("whisker", (low, y), (high, y));
        canvas.line("whisker", (low, y - 5.0), (low, y + 5.0));
        canvas.line("whisker", (high, y - 5.0), (high, y + 5.0));
        let (from, to) = (scale.at(stats.quartile1), scale.at(stats.quartile3));
        canvas.rect(&format!("box {}", series_class(0)), (from, y - 8.5), ((to - from).max(2.0), 17.0), &title);
        canvas.rect("median", (scale.at(stats.median) - 1.25, y - 8.5), (2.5, 17.0), &title);
        for (name, value) in stats.dots.iter().filter(|dot| self.axis.shows(dot.1)) {
            let dot_title = format!("{}\n{name} {}", stats.label, format(*value));
            canvas.circle(&format!("dot {}", series_class(1)), (scale.at(*value), y), 3.0, &dot_title);
        }
        if let Some(reference) = stats.reference.filter(|reference| self.axis.shows(*reference)) {
            let title = format!("{}\n{}: {}", stats.label, self.reference_name, format(reference));
            canvas.rect("mark", (scale.at(reference) - 1.5, y - 12.0), (3.0, 24.0), &title);
        }
    }
}
