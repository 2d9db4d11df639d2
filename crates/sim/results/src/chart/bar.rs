//! Horizontal bars, grouped: labels of any length stay readable.

use super::canvas::{
    Canvas, PlotArea, WIDTH, fitted, hidden_note, horizontal_axis, marks_height, series_class, text_width,
};
use super::line::widest;
use super::scale::{ChartAxis, Scale};

/// Height of one bar with its gap.
const BAR: f64 = 18.0;
/// Space between groups.
const GAP: f64 = 10.0;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct BarGroup {
    pub label: String,
    /// One value per series, in the order of [`BarChart::series`]; `None` for a missing value.
    pub values: Vec<Option<f64>>,
    /// A value to compare with, such as a published one: drawn as a mark across the group.
    pub reference: Option<f64>,
}

/// A picture of bars.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BarChart {
    /// Title above the picture.
    pub title: String,
    /// Axis of the values.
    pub axis: ChartAxis,
    /// Names of the series; empty for one series without a legend.
    pub series: Vec<String>,
    /// Groups, from top to bottom.
    pub groups: Vec<BarGroup>,
    /// The name of the reference marks, for the legend: "published".
    pub reference_name: String,
}

impl BarChart {
    /// The picture as an HTML figure.
    #[must_use]
    pub fn html(&self) -> String {
        let rows = |group: &BarGroup| group.values.len().max(1) as f64;
        let height: f64 = self.groups.iter().map(|group| rows(group) * BAR + GAP).sum();
        let mut canvas = Canvas::new(&self.title, WIDTH, height.max(BAR) + 62.0 + marks_height(&self.axis));
        let left = widest(self.groups.iter().map(|group| group.label.as_str()), 280.0) + 14.0;
        let area =
            PlotArea { left, right: WIDTH - 90.0, top: 6.0 + marks_height(&self.axis), bottom: canvas.height - 50.0 };
        let values =
            || self.groups.iter().flat_map(|group| group.values.iter().flatten().chain(&group.reference).copied());
        let scale = Scale::fit(&self.axis, values(), (area.left, area.right), 7, false);
        horizontal_axis(&mut canvas, area, &self.axis, &scale);
        let mut top = area.top + GAP / 2.0;
        for group in &self.groups {
            let bottom = top + rows(group) * BAR;
            canvas.text(
                "tick end strong",
                (area.left - 8.0, f64::midpoint(top, bottom) + 4.0),
                &fitted(&group.label, left - 8.0),
            );
            for (index, value) in group.values.iter().enumerate() {
                let y = top + index as f64 * BAR;
                let Some(value) = value.filter(|value| self.axis.shows(*value)) else {
                    let text = value.map_or_else(|| "not available".to_owned(), |value| self.axis.unit.format(value));
                    canvas.text("tick muted", (scale.base() + 6.0, y + 12.5), &text);
                    continue;
                };
                let (from, to) = (scale.base().min(scale.at(value)), scale.base().max(scale.at(value)));
                let figure = self.axis.unit.format(value);
                let series = self.series.get(index).map_or(String::new(), |name| format!("{name}: "));
                let title = format!("{}\n{series}{figure}", group.label);
                canvas.rect(
                    &format!("bar {}", series_class(index)),
                    (from, y + 2.0),
                    ((to - from).max(1.0), BAR - 4.0),
                    &title,
                );
                // The figure avoids the mark of the reference value.
                let mark = group
                    .reference
                    .filter(|reference| self.axis.shows(*reference))
                    .map(|reference| scale.at(reference));
                let beside =
                    mark.filter(|mark| (to - 2.0..to + 10.0 + text_width(&figure)).contains(mark)).unwrap_or(to);
                canvas.text("tick", (beside + 6.0, y + 13.0), &figure);
            }
            if let Some(reference) = group.reference.filter(|reference| self.axis.shows(*reference)) {
                let x = scale.at(reference);
                let title = format!("{}\n{}: {}", group.label, self.reference_name, self.axis.unit.format(reference));
                canvas.rect("mark", (x - 1.5, top - 2.0), (3.0, bottom - top + 4.0), &title);
            }
            top = bottom + GAP;
        }
        for (index, name) in self.series.iter().enumerate().filter(|_| self.series.len() > 1) {
            canvas.legend(&series_class(index), name);
        }
        if self.groups.iter().any(|group| group.reference.is_some()) {
            let name = if self.reference_name.is_empty() { "reference" } else { &self.reference_name };
            canvas.legend("ln markkey", name);
        }
        if let Some(note) = hidden_note(values().filter(|value| self.axis.log && *value <= 0.0).count()) {
            canvas.note(note);
        }
        canvas.finish()
    }
}
