//! Means with their intervals: one row for each, with a dot for every run.

use super::canvas::{Canvas, PlotArea, WIDTH, fitted, hidden_note, horizontal_axis, marks_height, series_class};
use super::line::widest;
use super::scale::{ChartAxis, Scale};

/// Height of one row.
const ROW: f64 = 26.0;

/// A mean with its interval, and the runs behind it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IntervalRow {
    /// What the runs have in common.
    pub label: String,
    /// Their mean; absent if no run has a value.
    pub mean: Option<f64>,
    /// Half of its interval; absent for one run.
    pub half: Option<f64>,
    /// Each run's value.
    pub runs: Vec<f64>,
    /// The value is at least this: some runs have a bound alone. No mean is drawn then.
    pub at_least: Option<f64>,
}

impl IntervalRow {
    fn values(&self) -> impl Iterator<Item = f64> + '_ {
        let ends = self.mean.into_iter().flat_map(|mean| {
            let half = self.half.unwrap_or(0.0);
            [mean - half, mean, mean + half]
        });
        ends.chain(self.runs.iter().copied()).chain(self.at_least)
    }
}

/// A picture of means with their intervals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IntervalChart {
    /// Title above the picture.
    pub title: String,
    /// Axis of the values.
    pub axis: ChartAxis,
    /// Rows, from top to bottom.
    pub rows: Vec<IntervalRow>,
}

impl IntervalChart {
    /// The picture as an HTML figure.
    #[must_use]
    pub fn html(&self) -> String {
        let above = marks_height(&self.axis);
        let mut canvas = Canvas::new(&self.title, WIDTH, self.rows.len().max(1) as f64 * ROW + 62.0 + above);
        let left = widest(self.rows.iter().map(|row| row.label.as_str()), 320.0) + 14.0;
        let area = PlotArea { left, right: WIDTH - 26.0, top: 6.0 + above, bottom: canvas.height - 50.0 };
        let values = || self.rows.iter().flat_map(IntervalRow::values);
        let scale = Scale::fit(&self.axis, values(), (area.left, area.right), 8, false);
        horizontal_axis(&mut canvas, area, &self.axis, &scale);
        for (index, row) in self.rows.iter().enumerate() {
            let y = area.top + (index as f64 + 0.5) * ROW;
            canvas.text("tick end strong", (area.left - 8.0, y + 4.0), &fitted(&row.label, left - 8.0));
            self.draw_row(&mut canvas, row, &scale, y);
        }
        canvas.legend(&format!("dot {}", series_class(0)), "mean, with its 95 % interval");
        if self.rows.iter().any(|row| row.runs.len() > 1) {
            canvas.legend(&format!("dot {}", series_class(6)), "one run");
        }
        if let Some(note) = hidden_note(values().filter(|value| self.axis.log && *value <= 0.0).count()) {
            canvas.note(note);
        }
        canvas.finish()
    }

    fn draw_row(&self, canvas: &mut Canvas, row: &IntervalRow, scale: &Scale, y: f64) {
        let format = |value: f64| self.axis.unit.format(value);
        for &value in row.runs.iter().filter(|value| row.runs.len() > 1 && self.axis.shows(**value)) {
            let title = format!("{}\n{}", row.label, format(value));
            canvas.circle(&format!("dot {}", series_class(6)), (scale.at(value), y), 2.2, &title);
        }
        let is_known = |mean: &f64| row.at_least.is_none() && self.axis.shows(*mean);
        let Some(mean) = row.mean.filter(is_known) else {
            if let Some(least) = row.at_least.filter(|least| self.axis.shows(*least)) {
                at_least(canvas, (scale.at(least), y), &format(least), &row.label);
            }
            return;
        };
        let mut title = format!("{}\n{}", row.label, format(mean));
        if let Some(half) = row.half {
            let (low, high) = (scale.at(mean - half), scale.at(mean + half));
            canvas.line("whisker", (low, y), (high, y));
            canvas.line("whisker", (low, y - 5.0), (low, y + 5.0));
            canvas.line("whisker", (high, y - 5.0), (high, y + 5.0));
            title += &format!(" ± {}", format(half));
        }
        canvas.circle(&format!("dot {}", series_class(0)), (scale.at(mean), y), 4.0, &title);
    }
}

/// Marks a value that is known only to be at least this.
pub(super) fn at_least(canvas: &mut Canvas, (x, y): (f64, f64), value: &str, name: &str) {
    canvas.circle(&format!("dot {}", series_class(1)), (x, y), 3.2, &format!("{name}\n≥{value}: not all ended"));
    canvas.text("reflabel halo", (x + 6.0, y + 4.0), &format!("≥{value}"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Unit;

    #[test]
    fn intervals_runs_and_bounds_are_drawn() {
        let whole = IntervalRow {
            label: "a".to_owned(),
            mean: Some(2e6),
            half: Some(1e6),
            runs: vec![1e6, 3e6],
            ..IntervalRow::default()
        };
        let open = IntervalRow { label: "b".to_owned(), at_least: Some(5.9e9), ..IntervalRow::default() };
        let chart = IntervalChart {
            title: "iteration".to_owned(),
            axis: ChartAxis::linear("", Unit::Time),
            rows: vec![whole, open, IntervalRow::default()],
        };
        let html = chart.html();
        assert_eq!(html.matches("<circle").count(), 4, "two runs, a mean and a bound");
        assert!(html.contains("2 µs ± 1 µs") && html.contains("≥5.9 ms") && html.contains("whisker"), "{html}");
    }
}
