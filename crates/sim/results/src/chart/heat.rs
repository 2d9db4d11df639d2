//! A matrix in colours, with every value printed if there is room.

use super::canvas::{Canvas, WIDTH, escape, fitted, text_width};
use super::line::{Reference, widest};
use crate::format::Unit;

/// Steps of the colour scale; the page's style gives each a fill and a text colour, for light and
/// for dark.
pub(crate) const LEVELS: usize = 20;
/// Height of the label of a reference value.
const LEVEL_LABEL: f64 = 16.0;
/// Columns up to which values are printed in the cells.
const PRINTED_COLUMNS: usize = 40;

/// A picture of a matrix.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeatMap {
    /// Title above the picture.
    pub title: String,
    /// The meaning of the rows, such as "victim".
    pub row_name: String,
    /// The meaning of the columns, such as "aggressor".
    pub column_name: String,
    /// Row labels, from top to bottom.
    pub rows: Vec<String>,
    /// Column labels, from left to right.
    pub columns: Vec<String>,
    /// Values, one row per row label; not a number for a missing value. Missing ends of rows count
    /// as such.
    pub values: Vec<Vec<f64>>,
    /// Format of the values.
    pub unit: Unit,
    /// The meaning of the values, for the colour scale: "slowdown".
    pub value_name: String,
    /// Whether equal ratios have equal distances in colour. Values of zero and below have the
    /// lowest colour.
    pub log: bool,
    /// Values at the ends of the colour scale, to share it between pictures; if absent, they follow
    /// from the data. Values outside have the colour of the end; their figures are printed
    /// unchanged.
    pub range: Option<(f64, f64)>,
    /// Reference values, such as a published worst cell: marked on the colour scale.
    pub references: Vec<Reference>,
}

impl HeatMap {
    /// The value of a cell, if it has one.
    pub(crate) fn value(&self, row: usize, column: usize) -> Option<f64> {
        self.values.get(row).and_then(|values| values.get(column)).copied().filter(|value| value.is_finite())
    }

    /// The ends of the colour scale.
    pub(crate) fn colour_range(&self) -> (f64, f64) {
        let cells = (0..self.rows.len())
            .flat_map(|row| (0..self.columns.len()).filter_map(move |column| self.value(row, column)));
        let compared = self.references.iter().map(|reference| reference.value).filter(|value| value.is_finite());
        let coloured = cells.chain(compared).filter(|value| !self.log || *value > 0.0);
        let data =
            coloured.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let data = if data.0 > data.1 { (1.0, 1.0) } else { data };
        let wanted = self.range.filter(|range| range.0 < range.1 && (!self.log || range.0 > 0.0));
        let (low, high) = wanted.unwrap_or(if self.log { data } else { (data.0.min(0.0), data.1) });
        if high > low {
            (low, high)
        } else if self.log {
            (low, low * 2.0)
        } else {
            (low, low + 1.0)
        }
    }

    /// A value's place on the colour scale, 0 to 1.
    pub(crate) fn position(&self, value: f64, (low, high): (f64, f64)) -> f64 {
        let position = if self.log {
            (value.max(low).ln() - low.ln()) / (high.ln() - low.ln())
        } else {
            (value - low) / (high - low)
        };
        position.clamp(0.0, 1.0)
    }

    /// The picture as an HTML figure.
    #[must_use]
    pub fn html(&self) -> String {
        let (row_count, column_count) = (self.rows.len(), self.columns.len());
        if row_count == 0 || column_count == 0 {
            let mut canvas = Canvas::new(&self.title, 400.0, 40.0);
            canvas.text("label", (4.0, 24.0), "nothing recorded");
            return canvas.finish();
        }
        let printed = column_count <= PRINTED_COLUMNS;
        let left = widest(self.rows.iter().map(String::as_str), 240.0).max(text_width(&self.row_name) + 8.0) + 14.0;
        let widest_value = (0..row_count)
            .flat_map(|row| (0..column_count).filter_map(move |column| self.value(row, column)))
            .map(|value| text_width(&self.unit.cell(value)))
            .fold(0.0, f64::max);
        let room = (WIDTH - left - 20.0) / column_count as f64;
        let least = if printed { (widest_value + 6.0).max(30.0) } else { 8.0 };
        let cell_width = room.clamp(least, least.max(84.0));
        let cell_height = if printed { 26.0 } else { cell_width.clamp(8.0, 26.0) };
        let widest_column = widest(self.columns.iter().map(String::as_str), 200.0);
        let slanted = widest_column > cell_width - 6.0;
        let top = if slanted { 40.0 + widest_column * 0.62 } else { 44.0 };
        let overhang = if slanted { widest_column * 0.8 } else { 0.0 };
        let width = (left + cell_width * column_count as f64 + 20.0 + overhang).max(left + 300.0);
        let bottom = top + cell_height * row_count as f64;
        let below = LEVEL_LABEL * self.references.len() as f64;
        let mut canvas = Canvas::new(&self.title, width, bottom + 66.0 + below);
        canvas.text("label", (left, 14.0), &self.column_name);
        canvas.text("label end", (left - 10.0, top - 8.0), &self.row_name);
        // If cells are smaller than a line of text, every n-th label suffices.
        let every = |size: f64| (15.0 / size).ceil().max(1.0) as usize;
        for (column, label) in self.columns.iter().enumerate().step_by(every(cell_width)) {
            let (x, y) = (left + (column as f64 + 0.5) * cell_width, top - 8.0);
            if slanted {
                let text = escape(&fitted(label, 200.0));
                canvas.raw(&format!(
                    "<text class=\"tick\" transform=\"translate({:.1} {y:.1}) rotate(-38)\">{text}</text>",
                    x - 2.0
                ));
            } else {
                canvas.text("tick mid", (x, y), label);
            }
        }
        let range = self.colour_range();
        for (row, label) in self.rows.iter().enumerate() {
            let y = top + row as f64 * cell_height;
            if row % every(cell_height) == 0 {
                canvas.text("tick end", (left - 10.0, y + cell_height / 2.0 + 4.0), &fitted(label, left - 10.0));
            }
            for column in 0..column_count {
                let corner = (left + column as f64 * cell_width, y);
                self.draw_cell(&mut canvas, (row, column), corner, (cell_width, cell_height), range, printed);
            }
        }
        self.draw_key(&mut canvas, left, bottom + 18.0, range);
        canvas.finish()
    }

    fn draw_cell(
        &self,
        canvas: &mut Canvas,
        (row, column): (usize, usize),
        (x, y): (f64, f64),
        (width, height): (f64, f64),
        range: (f64, f64),
        printed: bool,
    ) {
        let value = self.value(row, column);
        let figure = value.map_or_else(|| "–".to_owned(), |value| self.unit.format(value));
        let level = value.map(|value| (self.position(value, range) * (LEVELS - 1) as f64).round() as usize);
        let class = level.map_or_else(|| "cell none".to_owned(), |level| format!("cell h{level}"));
        let title = format!("{} → {}\n{}: {figure}", self.rows[row], self.columns[column], self.value_name);
        let gap = if printed { 1.0 } else { 0.3 };
        canvas.rect(&class, (x + gap, y + gap), (width - 2.0 * gap, height - 2.0 * gap), &title);
        if printed {
            let text_class =
                level.map_or_else(|| "celltext mid none".to_owned(), |level| format!("celltext mid h{level}"));
            let cell = value.map_or(figure, |value| self.unit.cell(value));
            canvas.text(&text_class, (x + width / 2.0, y + height / 2.0 + 4.0), &cell);
        }
    }

    fn draw_key(&self, canvas: &mut Canvas, left: f64, top: f64, (low, high): (f64, f64)) {
        let swatch = 11.0;
        for level in 0..LEVELS {
            canvas.rect(&format!("cell h{level}"), (left + level as f64 * swatch, top), (swatch + 0.4, 11.0), "");
        }
        let middle = if self.log { (low * high).sqrt() } else { f64::midpoint(low, high) };
        let end = left + LEVELS as f64 * swatch;
        canvas.text("tick", (left, top + 26.0), &self.unit.cell(low));
        canvas.text("tick mid", (f64::midpoint(left, end), top + 26.0), &self.unit.cell(middle));
        canvas.text("tick end", (end, top + 26.0), &self.unit.cell(high));
        let scale = if self.log { " (logarithmic)" } else { "" };
        canvas.text("tick", (end + 12.0, top + 10.0), &format!("{}{scale}", self.value_name));
        for (index, reference) in self.references.iter().filter(|reference| reference.value.is_finite()).enumerate() {
            let baseline = top + 26.0 + LEVEL_LABEL * (index + 1) as f64;
            let label = format!("{}: {}", reference.label, self.unit.cell(reference.value));
            let within = (low..=high).contains(&reference.value);
            let x = left + self.position(reference.value, (low, high)) * (end - left);
            if within {
                canvas.line("reference", (x, top - 4.0), (x, top + 15.0));
            }
            let beyond = if within { "" } else { " (off this scale)" };
            canvas.text("reflabel halo", (x + 6.0, baseline), &format!("{label}{beyond}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(log: bool, values: Vec<Vec<f64>>) -> HeatMap {
        let labels = |count: usize| (0..count).map(|index| format!("label {index}")).collect();
        HeatMap {
            rows: labels(values.len()),
            columns: labels(values.first().map_or(0, Vec::len)),
            values,
            log,
            ..HeatMap::default()
        }
    }

    #[test]
    fn zero_and_missing_values_have_cells() {
        let html = matrix(true, vec![vec![0.0, 1.0], vec![f64::NAN, 100.0]]).html();
        assert!(html.contains("cell none") && html.contains("cell h0") && html.contains("cell h19"));
        assert!(!html.contains("NaN"));
    }

    #[test]
    fn a_value_to_compare_with_stands_on_the_scale_and_widens_it() {
        let reference = Reference { label: "published".to_owned(), value: 93.0 };
        let mut map = HeatMap { references: vec![reference], ..matrix(true, vec![vec![1.0, 20.0]]) };
        assert_eq!(map.colour_range(), (1.0, 93.0));
        assert!(map.html().contains("published: 93<") && map.html().contains("class=\"reference\""));
        map.range = Some((1.0, 30.0));
        assert_eq!(map.colour_range(), (1.0, 30.0), "a scale that pictures share stays");
        assert!(map.html().contains("published: 93 (off this scale)") && !map.html().contains("class=\"reference\""));
    }

    #[test]
    fn equal_values_have_a_scale() {
        for log in [false, true] {
            let (low, high) = matrix(log, vec![vec![3.0, 3.0]]).colour_range();
            assert!(low < high);
        }
    }

    #[test]
    fn every_value_is_printed_on_wide_matrices_too() {
        let html = matrix(false, vec![(0..40).map(f64::from).collect()]).html();
        assert!((0..40).all(|value| html.contains(&format!(">{value}</text>"))));
    }
}
