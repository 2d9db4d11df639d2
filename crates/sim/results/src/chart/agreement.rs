//! Published values compared with a model's, whatever their units: one line each, on an axis of
//! model / published.

use super::canvas::{Canvas, PlotArea, WIDTH, fitted, horizontal_axis};
use super::line::widest;
use super::scale::{ChartAxis, Scale};
use crate::format::{self, Unit};
use crate::report::Verdict;

/// Height of one line.
const ROW: f64 = 22.0;
/// The axis reaches at least from one over this to this.
const LEAST: f64 = 2.0;
/// And at most so far: a value beyond is drawn at its end, with its figure.
const MOST: f64 = 10.0;
/// Space for the figures at the right.
const FIGURES: f64 = 250.0;

/// One published result.
#[derive(Clone, Debug, PartialEq)]
pub struct AgreementRow {
    /// Its name.
    pub label: String,
    /// The published value.
    pub published: f64,
    /// Smallest and largest value that agrees, in the unit of the value; infinite for an open side.
    pub agrees: (f64, f64),
    /// The condition for agreement, in words: "±5 %".
    pub tolerance: String,
    /// The model's value, if there is one.
    pub model: Option<f64>,
    /// Unit of all of them; "boolean" if 1 means that something holds.
    pub unit: String,
    /// Whether they agree.
    pub verdict: Verdict,
}

impl AgreementRow {
    /// The place of a value on the axis: its ratio to the published one. None if such a ratio has
    /// no meaning: the published value is zero or a yes, or one of the two is below zero.
    fn place(&self, value: f64) -> Option<f64> {
        let has_place = self.published > 0.0 && value > 0.0 && value.is_finite() && self.unit != "boolean";
        has_place.then(|| value / self.published)
    }

    /// The band of agreement on the axis; open sides are infinite.
    fn band(&self) -> Option<(f64, f64)> {
        self.place(self.published)?;
        let low = if self.agrees.0 > 0.0 { self.agrees.0 / self.published } else { 0.0 };
        Some((low, self.agrees.1 / self.published))
    }

    fn figures(&self) -> String {
        let Some(model) = self.model else { return format!("published {}", self.value(self.published)) };
        if self.unit == "boolean" {
            return if model == self.published { "holds, as published" } else { "does not hold" }.to_owned();
        }
        format!("{}, published {}", format::number(model), self.value(self.published))
    }

    fn value(&self, value: f64) -> String {
        let words = matches!(self.unit.as_str(), "ratio" | "fraction" | "boolean");
        let unit = if words { String::new() } else { format!(" {}", self.unit) };
        format!("{}{unit}", format::number(value))
    }

    const fn class(&self) -> &'static str {
        match self.verdict {
            Verdict::Pass => "vpass",
            Verdict::Gap => "vgap",
            Verdict::NotRun => "voff",
        }
    }
}

/// A picture of published results compared with a model's: the band of agreement, the published
/// value as a line, the model's as a dot in the colour of its verdict.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgreementChart {
    /// Title above the picture.
    pub title: String,
    /// Results, from top to bottom.
    pub rows: Vec<AgreementRow>,
}

impl AgreementChart {
    /// The picture as an HTML figure.
    #[must_use]
    pub fn html(&self) -> String {
        let mut canvas = Canvas::new(&self.title, WIDTH, self.rows.len().max(1) as f64 * ROW + 62.0);
        let left = widest(self.rows.iter().map(|row| row.label.as_str()), 240.0) + 14.0;
        let area = PlotArea { left, right: WIDTH - FIGURES, top: 6.0, bottom: canvas.height - 50.0 };
        let reach = self.reach();
        let axis = ChartAxis::log("model / published", Unit::Number).with_range(1.0 / reach, reach);
        let scale = Scale::fit(&axis, std::iter::empty(), (area.left, area.right), 7, false);
        for (index, row) in self.rows.iter().enumerate() {
            if let Some((low, high)) = row.band() {
                let (from, to) = (scale.at(low.max(1.0 / reach)), scale.at(high.min(reach)));
                let title = format!("{}\nagrees when {}", row.label, row.tolerance);
                let y = area.top + index as f64 * ROW;
                canvas.rect(
                    &format!("agrees {}", row.class()),
                    (from, y + 3.0),
                    ((to - from).max(2.0), ROW - 6.0),
                    &title,
                );
            }
        }
        horizontal_axis(&mut canvas, area, &axis, &scale);
        let one = scale.at(1.0);
        canvas.line("axis", (one, area.top), (one, area.bottom));
        for (index, row) in self.rows.iter().enumerate() {
            let y = area.top + (index as f64 + 0.5) * ROW;
            canvas.text("tick end strong", (area.left - 8.0, y + 4.0), &fitted(&row.label, left - 8.0));
            self.draw_row(&mut canvas, row, (&scale, reach), (area, y));
        }
        for (verdict, name) in [(Verdict::Pass, "agrees"), (Verdict::Gap, "does not"), (Verdict::NotRun, "not run")] {
            if let Some(row) = self.rows.iter().find(|row| row.verdict == verdict) {
                canvas.legend(row.class(), name);
            }
        }
        canvas.legend("ln markkey", "published");
        canvas.finish()
    }

    /// How far the axis reaches to either side: to the models' values, within limits.
    fn reach(&self) -> f64 {
        let places = self.rows.iter().filter_map(|row| row.model.and_then(|model| row.place(model)));
        let farthest = places.map(|place| place.max(1.0 / place)).fold(LEAST, f64::max).min(MOST);
        [2.0, 3.0, 5.0, MOST].into_iter().find(|reach| *reach >= farthest).unwrap_or(MOST)
    }

    fn draw_row(
        &self,
        canvas: &mut Canvas,
        row: &AgreementRow,
        (scale, reach): (&Scale, f64),
        (area, y): (PlotArea, f64),
    ) {
        let title = format!("{}\n{}\nagrees when {}", row.label, row.figures(), row.tolerance);
        let figures = (WIDTH - FIGURES + 12.0, y + 4.0);
        canvas.text(&format!("tick {}", row.class()), figures, &fitted(&row.figures(), FIGURES - 14.0));
        let Some(model) = row.model else { return };
        let Some(place) = row.place(model) else {
            // Without a ratio the line states the result in words.
            let words = match (row.unit.as_str(), row.verdict) {
                ("boolean", _) => String::new(),
                (_, Verdict::Pass) => format!("within {}", row.tolerance),
                _ => format!("outside {}", row.tolerance),
            };
            let one = scale.at(1.0);
            if row.verdict == Verdict::Gap {
                canvas.text(&format!("tick mid halo {}", row.class()), (one, y + 4.0), "✕");
            } else {
                canvas.circle(&format!("dot {}", row.class()), (one, y), 5.0, &title);
            }
            canvas.text("tick muted", (one + 10.0, y + 4.0), &words);
            return;
        };
        let x = scale.at(place);
        if (1.0 / reach..=reach).contains(&place) {
            canvas.circle(&format!("dot {}", row.class()), (x, y), 5.0, &title);
        } else {
            let (arrow, anchor) = if place > reach { ("▸", "end") } else { ("◂", "start") };
            let x = if place > reach { area.right - 2.0 } else { area.left + 2.0 };
            let figure = format::number(place);
            let text = if place > reach { format!("{figure} {arrow}") } else { format!("{arrow} {figure}") };
            canvas.text(&format!("tick {anchor} halo {}", row.class()), (x, y + 4.0), &text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(published: f64, agrees: (f64, f64), model: f64, unit: &str) -> AgreementRow {
        let verdict = if (agrees.0..=agrees.1).contains(&model) { Verdict::Pass } else { Verdict::Gap };
        AgreementRow {
            label: format!("published {published} {unit}"),
            published,
            agrees,
            tolerance: "made up".to_owned(),
            model: Some(model),
            unit: unit.to_owned(),
            verdict,
        }
    }

    fn html(rows: Vec<AgreementRow>) -> String {
        AgreementChart { title: "made up".to_owned(), rows }.html()
    }

    #[test]
    fn a_value_lies_at_its_ratio_inside_its_band() {
        let row = row(2.0, (1.8, 2.2), 2.1, "us");
        assert_eq!(row.place(2.1), Some(1.05));
        assert_eq!(row.band(), Some((0.9, 1.1)));
        let html = html(vec![row]);
        assert!(html.contains("dot vpass") && html.contains("agrees vpass") && !html.contains("NaN"), "{html}");
    }

    #[test]
    fn zeros_and_booleans_have_words_and_no_ratio() {
        let zero = row(0.0, (-10.0, 10.0), -0.5, "ns");
        assert_eq!((zero.place(-0.5), zero.band()), (None, None));
        let html = html(vec![zero, row(1.0, (1.0, 1.0), 1.0, "boolean"), row(1.0, (1.0, 1.0), 0.0, "boolean")]);
        assert!(
            html.contains("within made up") && html.contains("holds, as published") && html.contains("does not hold")
        );
        assert!(!html.contains("agrees vpass"), "no band without an axis for it");
        assert!(!html.contains("NaN") && !html.contains("inf"), "{html}");
    }

    #[test]
    fn open_tolerances_end_at_the_axis_and_far_values_are_printed() {
        let chart = AgreementChart {
            title: String::new(),
            rows: vec![
                row(0.9, (0.9, f64::INFINITY), 0.95, "fraction"),
                row(32.0, (f64::NEG_INFINITY, 32.0), 4.0, "nodes"),
                row(1.0, (0.9, 1.1), 40.0, "ratio"),
            ],
        };
        assert_eq!(chart.reach(), 10.0, "no farther, whatever the values");
        let html = chart.html();
        assert!(html.contains("40 ▸") && !html.contains("inf") && !html.contains("NaN"), "{html}");
        let near = AgreementChart { rows: vec![chart.rows[0].clone()], ..AgreementChart::default() };
        assert_eq!(near.reach(), 2.0);
    }

    #[test]
    fn a_result_without_a_model_has_no_dot() {
        let missing = AgreementRow { model: None, verdict: Verdict::NotRun, ..row(2.0, (1.8, 2.2), 2.0, "us") };
        let html = html(vec![missing]);
        assert!(html.contains("published 2 us") && !html.contains("<circle"), "{html}");
    }
}
