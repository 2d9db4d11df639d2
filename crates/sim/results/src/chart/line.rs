//! Lines, and areas stacked on each other.

use std::fmt::Write as _;

use super::canvas::{
    Canvas, PlotArea, WIDTH, hidden_note, horizontal_axis, marks_height, series_class, text_width, tick_width,
    vertical_axis,
};
use super::interval::at_least;
use super::scale::{ChartAxis, Scale};

/// Points per series up to which each is marked.
const MARKED_POINTS: usize = 32;
/// Tooltips along the horizontal axis.
const HINTS: usize = 160;

/// The connection of a series' points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineKind {
    /// Straight from point to point.
    #[default]
    Lines,
    /// Level until the next point: for intervals and distributions.
    Steps,
    /// Level until the next point, each series on top of those before it. The series share their x
    /// values.
    Stack,
}

/// One line. Points lie in order of x; a y that is not a number is a gap.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChartLine {
    /// Name for the legend.
    pub name: String,
    /// `(x, y)`.
    pub points: Vec<(f64, f64)>,
    /// Whether it is dashed: for published curves next to ours.
    pub dashed: bool,
    /// Intervals of the values: `(x, low, high)`.
    pub intervals: Vec<(f64, f64, f64)>,
    /// Values that are known only to be at least this: `(x, y)`.
    pub at_least: Vec<(f64, f64)>,
}

impl ChartLine {
    /// A solid line.
    #[must_use]
    pub fn new(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), points, ..Self::default() }
    }

    /// What else than the points has a place in the picture.
    fn beside(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let ends = self.intervals.iter().flat_map(|&(x, low, high)| [(x, low), (x, high)]);
        ends.chain(self.at_least.iter().copied())
    }
}

/// A reference level, such as a published value.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Its label: "published: 1.3 (SC'20, fig. 8)".
    pub label: String,
    /// Its value on the vertical axis.
    pub value: f64,
}

/// A picture of lines or stacked areas.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineChart {
    /// Title above the picture.
    pub title: String,
    /// Horizontal axis.
    pub x: ChartAxis,
    /// Vertical axis.
    pub y: ChartAxis,
    /// The connection of points.
    pub kind: LineKind,
    /// Lines, in the order of the legend; the ninth and later repeat colours, dashed.
    pub series: Vec<ChartLine>,
    /// Reference levels.
    pub references: Vec<Reference>,
}

impl LineChart {
    /// The picture as an HTML figure.
    #[must_use]
    pub fn html(&self) -> String {
        let above = marks_height(&self.x);
        let mut canvas = Canvas::new(&self.title, WIDTH, 330.0 + above);
        let levels = self.levels();
        let shown = |&(x, y): &(f64, f64)| self.x.shows(x) && self.y.shows(y);
        let points = || levels.iter().flatten().copied().filter(shown);
        let beside = || self.series.iter().flat_map(ChartLine::beside).filter(shown);
        let heights = points().chain(beside()).map(|point| point.1);
        let heights = heights.chain(self.references.iter().map(|reference| reference.value));
        let mut area = PlotArea { left: 0.0, right: WIDTH - 26.0, top: 30.0 + above, bottom: 280.0 + above };
        let y = Scale::fit(&self.y, heights, (area.bottom, area.top), 5, false);
        area.left = tick_width(self.y.unit, &y.ticks) + 14.0;
        let x = Scale::fit(&self.x, points().chain(beside()).map(|point| point.0), (area.left, area.right), 8, true);
        vertical_axis(&mut canvas, area, &self.y, &y);
        horizontal_axis(&mut canvas, area, &self.x, &x);
        if points().chain(beside()).next().is_none() {
            canvas.text(
                "label mid",
                (f64::midpoint(area.left, area.right), f64::midpoint(area.top, area.bottom)),
                "nothing recorded",
            );
        }
        for (index, (series, points)) in self.series.iter().zip(&levels).enumerate() {
            let class = series_class(index) + if series.dashed { " dash" } else { "" };
            if self.kind == LineKind::Stack {
                let below = index.checked_sub(1).map(|below| levels[below].as_slice());
                canvas.path(&format!("area {class}"), &area_path(points, below, &x, &y), &series.name);
            } else {
                self.draw_line(&mut canvas, series, points, &class, &x, &y);
                self.draw_beside(&mut canvas, series, &class, &x, &y);
            }
        }
        self.draw_references(&mut canvas, area, &x, &y);
        self.draw_hints(&mut canvas, area, &x);
        if self.series.len() > 1 || self.series.iter().any(|series| series.dashed) {
            for (index, series) in self.series.iter().enumerate() {
                let line = if self.kind == LineKind::Stack { "" } else { "ln " };
                let dash = if series.dashed { " dash" } else { "" };
                canvas.legend(&format!("{line}{}{dash}", series_class(index)), &series.name);
            }
        }
        let of_x = |value: f64| self.x.log && value <= 0.0;
        let of_y = |value: f64| self.y.log && value <= 0.0;
        let hidden = levels.iter().flatten().filter(|point| of_x(point.0) || of_y(point.1)).count();
        if let Some(note) = hidden_note(hidden) {
            canvas.note(note);
        }
        canvas.finish()
    }

    /// Points as drawn: in a stack, each series on top of those before it.
    fn levels(&self) -> Vec<Vec<(f64, f64)>> {
        let mut levels: Vec<Vec<(f64, f64)>> = Vec::with_capacity(self.series.len());
        for series in &self.series {
            let below = if self.kind == LineKind::Stack { levels.last() } else { None };
            let level = match below {
                Some(below) => series
                    .points
                    .iter()
                    .enumerate()
                    .map(|(index, point)| (point.0, point.1 + below.get(index).map_or(0.0, |below| below.1)))
                    .collect(),
                None => series.points.clone(),
            };
            levels.push(level);
        }
        levels
    }

    fn draw_line(
        &self,
        canvas: &mut Canvas,
        series: &ChartLine,
        points: &[(f64, f64)],
        class: &str,
        x: &Scale,
        y: &Scale,
    ) {
        let mut path = String::new();
        let mut last: Option<f64> = None;
        for &(at, value) in points {
            if !self.x.shows(at) || !self.y.shows(value) {
                last = None;
                continue;
            }
            let (column, row) = (x.at(at), y.at(value));
            let _ = match (last, self.kind) {
                (None, _) => write!(path, "M{column:.1} {row:.1}"),
                (Some(_), LineKind::Lines) => write!(path, "L{column:.1} {row:.1}"),
                (Some(before), _) if (before - row).abs() < 0.05 => write!(path, "H{column:.1}"),
                (Some(_), _) => write!(path, "H{column:.1}V{row:.1}"),
            };
            last = Some(row);
        }
        canvas.path(&format!("line {class}"), &path, &series.name);
        if points.len() <= MARKED_POINTS && (self.kind == LineKind::Lines || points.len() == 1) {
            for &(at, value) in points.iter().filter(|point| self.x.shows(point.0) && self.y.shows(point.1)) {
                let title = format!("{}\n{}: {}", series.name, self.x.unit.format(at), self.y.unit.format(value));
                canvas.circle(&format!("dot {class}"), (x.at(at), y.at(value)), 3.2, &title);
            }
        }
    }

    /// Intervals, and values that are only known to be at least something.
    fn draw_beside(&self, canvas: &mut Canvas, series: &ChartLine, class: &str, x: &Scale, y: &Scale) {
        for &(at, low, high) in series.intervals.iter().filter(|interval| self.x.shows(interval.0)) {
            // On a logarithmic axis an interval may reach below what has a place.
            let (column, low, high) = (x.at(at), y.at(low), y.at(high));
            canvas.line(&format!("line {class}"), (column, low), (column, high));
            for end in [low, high] {
                canvas.line(&format!("line {class}"), (column - 4.0, end), (column + 4.0, end));
            }
        }
        for &(at, least) in series.at_least.iter().filter(|point| self.x.shows(point.0) && self.y.shows(point.1)) {
            at_least(canvas, (x.at(at), y.at(least)), &self.y.unit.format(least), &series.name);
        }
    }

    fn draw_references(&self, canvas: &mut Canvas, area: PlotArea, x: &Scale, y: &Scale) {
        let levels = self.levels();
        let places: Vec<(f64, f64)> = levels
            .iter()
            .flatten()
            .filter(|point| self.x.shows(point.0) && self.y.shows(point.1))
            .map(|point| (x.at(point.0), y.at(point.1)))
            .collect();
        let lines = self.references.iter().map(|reference| (reference.label.as_str(), reference.value, false));
        let marks = self.y.shown_marks().map(|mark| {
            let middle = if self.y.log { (mark.low * mark.high).sqrt() } else { f64::midpoint(mark.low, mark.high) };
            (mark.label.as_str(), middle, mark.high > mark.low)
        });
        let mut taken: Vec<(f64, f64, f64)> = Vec::new();
        for (label, value, is_band) in lines.chain(marks).filter(|(_, value, _)| self.y.shows(*value)) {
            let height = y.at(value);
            if !is_band {
                canvas.line("reference", (area.left, height), (area.right, height));
            }
            let width = text_width(label) * 1.1;
            // Of four places at the ends of the line, the one that covers no other label and the
            // fewest points.
            let ends = [(area.right - width, "end"), (area.left + 4.0, "start")];
            let candidates =
                ends.into_iter().flat_map(|end| [height - 5.0, height + 14.0].map(|baseline| (end, baseline)));
            let covered = |((left, _), baseline): &((f64, &str), f64)| {
                let inside = |place: &&(f64, f64)| {
                    place.0 >= left - 20.0
                        && place.0 <= left + width + 20.0
                        && place.1 >= baseline - 16.0
                        && place.1 <= baseline + 6.0
                };
                let over = |other: &&(f64, f64, f64)| {
                    (other.2 - baseline).abs() < 14.0 && *left < other.1 && other.0 < left + width
                };
                (taken.iter().filter(over).count(), places.iter().filter(inside).count())
            };
            if let Some(((left, anchor), baseline)) = candidates.min_by_key(covered) {
                taken.push((left, left + width, baseline));
                let at = if anchor == "end" { left + width } else { left };
                canvas.text(&format!("reflabel {anchor} halo"), (at, baseline), label);
            }
        }
    }

    /// Columns that show only a tooltip with every series' value there.
    fn draw_hints(&self, canvas: &mut Canvas, area: PlotArea, x: &Scale) {
        if self.kind == LineKind::Lines && self.series.iter().all(|series| series.points.len() <= MARKED_POINTS) {
            return;
        }
        let Some(longest) = self.series.iter().max_by_key(|series| series.points.len()) else { return };
        let every = longest.points.len().div_ceil(HINTS).max(1);
        let places: Vec<f64> =
            longest.points.iter().step_by(every).map(|point| point.0).filter(|&at| self.x.shows(at)).collect();
        for (index, &at) in places.iter().enumerate() {
            let from = x.at(at);
            let to = places.get(index + 1).map_or(area.right, |&next| x.at(next));
            let mut title = self.x.unit.format(at);
            for series in self.series.iter().take(12) {
                let before = series.points.partition_point(|point| point.0 <= at);
                if let Some(point) = before.checked_sub(1).and_then(|index| series.points.get(index)) {
                    let _ = write!(title, "\n{}: {}", series.name, self.y.unit.format(point.1));
                }
            }
            if to - from > 0.2 {
                canvas.rect("hit", (from, area.top), (to - from, area.bottom - area.top), &title);
            }
        }
    }
}

/// The outline of a stepped area: along its top, then back along the top of the area below it.
fn area_path(top: &[(f64, f64)], below: Option<&[(f64, f64)]>, x: &Scale, y: &Scale) -> String {
    let mut path = String::new();
    let (Some(first), Some(last)) = (top.first(), top.last()) else { return path };
    let base = y.base();
    let _ = write!(path, "M{:.1} {:.1}", x.at(first.0), y.at(first.1));
    for point in &top[1..] {
        let _ = write!(path, "H{:.1}V{:.1}", x.at(point.0), y.at(point.1));
    }
    match below {
        None => {
            let _ = write!(path, "V{base:.1}H{:.1}Z", x.at(first.0));
        }
        Some(below) => {
            let _ = write!(path, "H{:.1}", x.at(last.0));
            for point in below.iter().rev() {
                // Backwards, a step changes height first; forwards it moves first.
                let _ = write!(path, "V{:.1}H{:.1}", y.at(point.1), x.at(point.0));
            }
            path.push('Z');
        }
    }
    path
}

/// Width of the widest of some labels, at most `limit`.
pub(super) fn widest<'t>(labels: impl Iterator<Item = &'t str>, limit: f64) -> f64 {
    labels.map(text_width).fold(0.0, f64::max).min(limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Unit;

    #[test]
    fn intervals_and_bounds_have_a_place() {
        let mut series = ChartLine::new("a", vec![(1.0, 10.0)]);
        (series.intervals, series.at_least) = (vec![(1.0, 5.0, 15.0)], vec![(2.0, 90.0)]);
        let html = LineChart { series: vec![series], ..LineChart::default() }.html();
        assert!(html.contains("≥90") && html.matches("<line class=\"line s0\"").count() == 3, "{html}");
        let only = ChartLine { at_least: vec![(1.0, 2.0)], ..ChartLine::default() };
        assert!(!LineChart { series: vec![only], ..LineChart::default() }.html().contains("nothing recorded"));
    }

    #[test]
    fn labels_of_near_levels_do_not_cover_each_other() {
        let level = |label: &str, value| Reference { label: label.to_owned(), value };
        let chart = LineChart {
            x: ChartAxis::linear("", Unit::Number),
            y: ChartAxis::linear("", Unit::Number),
            series: vec![ChartLine::new("", vec![(0.0, 0.0), (10.0, 100.0)])],
            references: vec![level("one of them", 50.0), level("the other", 52.0), level("a third", 54.0)],
            ..LineChart::default()
        };
        let html = chart.html();
        let places: Vec<(bool, f64)> = html
            .split("<text class=\"reflabel ")
            .skip(1)
            .map(|text| {
                let height = text.split("y=\"").nth(1).and_then(|rest| rest.split('"').next());
                (text.starts_with("end"), height.and_then(|height| height.parse().ok()).expect("a number"))
            })
            .collect();
        assert_eq!(places.len(), 3);
        for (index, one) in places.iter().enumerate() {
            for other in &places[..index] {
                assert!(one.0 != other.0 || (one.1 - other.1).abs() >= 13.5, "{places:?}");
            }
        }
    }
}
