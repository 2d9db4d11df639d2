//! An SVG picture under construction: text measure, legend, frame with axes.

use std::fmt::Write as _;

use super::SERIES_COLOURS;
use super::scale::{ChartAxis, Scale};
use crate::format::Unit;

/// Width of a picture in its own units; it scales with the page.
pub(crate) const WIDTH: f64 = 960.0;
/// Mean width of a character at the size of tick labels.
const CHARACTER: f64 = 6.6;
/// Height of the label of a mark.
const MARK_LABEL: f64 = 15.0;

/// Text that is safe inside HTML and SVG, in elements and in quoted attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            _ => safe.push(letter),
        }
    }
    safe
}

/// Estimated width of a label.
pub(crate) fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * CHARACTER
}

/// A label cut to a width, with an ellipsis.
pub(crate) fn fitted(text: &str, width: f64) -> String {
    let letters = (width / CHARACTER) as usize;
    if text.chars().count() <= letters {
        return text.to_owned();
    }
    text.chars().take(letters.saturating_sub(1)).chain(['…']).collect()
}

/// The class of a series' colour, and of its dashes once the colours repeat.
pub(crate) fn series_class(index: usize) -> String {
    let dashes = if index >= SERIES_COLOURS { " dash" } else { "" };
    format!("s{}{dashes}", index % SERIES_COLOURS)
}

/// One picture with its title and legend.
pub(crate) struct Canvas {
    title: String,
    legend: String,
    notes: Vec<String>,
    body: String,
    pub width: f64,
    pub height: f64,
}

impl Canvas {
    pub fn new(title: &str, width: f64, height: f64) -> Self {
        Self { title: title.to_owned(), legend: String::new(), notes: Vec::new(), body: String::new(), width, height }
    }

    /// Adds a legend entry: `class` colours the swatch.
    pub fn legend(&mut self, class: &str, name: &str) {
        let _ = write!(self.legend, "<span class=\"key\"><i class=\"{class}\"></i>{}</span>", escape(name));
    }

    /// Adds a sentence under the picture.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Adds SVG unchanged.
    pub fn raw(&mut self, svg: &str) {
        self.body.push_str(svg);
    }

    pub fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        let _ =
            write!(self.body, "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>");
    }

    pub fn rect(&mut self, class: &str, (x, y): (f64, f64), (width, height): (f64, f64), title: &str) {
        let (width, height) = (width.max(0.0), height.max(0.0));
        let _ = write!(
            self.body,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\">"
        );
        let _ = write!(self.body, "<title>{}</title></rect>", escape(title));
    }

    pub fn circle(&mut self, class: &str, (x, y): (f64, f64), radius: f64, title: &str) {
        let _ = write!(
            self.body,
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"><title>{}</title></circle>",
            escape(title)
        );
    }

    /// Adds text; `class` sets size and anchor (`start` unless `mid` or `end`).
    pub fn text(&mut self, class: &str, (x, y): (f64, f64), text: &str) {
        let _ = write!(self.body, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escape(text));
    }

    pub fn path(&mut self, class: &str, path: &str, title: &str) {
        let _ = write!(self.body, "<path class=\"{class}\" d=\"{path}\"><title>{}</title></path>", escape(title));
    }

    /// The picture as an HTML figure.
    pub fn finish(self) -> String {
        let (width, height, title) = (self.width, self.height, escape(&self.title));
        let mut html = String::with_capacity(self.body.len() + 600);
        html.push_str("<figure class=\"chart\">");
        if !self.title.is_empty() {
            let _ = write!(html, "<figcaption>{title}</figcaption>");
        }
        if !self.legend.is_empty() {
            let _ = write!(html, "<div class=\"legend\">{}</div>", self.legend);
        }
        // Wide pictures keep their size and scroll; narrow ones do not grow, and on a telephone
        // they scroll.
        let sizing = if width > WIDTH {
            format!("width:{width:.0}px;max-width:none")
        } else {
            format!("max-width:{width:.0}px;min-width:{:.0}px", width.min(600.0))
        };
        let _ = write!(
            html,
            "<div class=\"scroll\"><svg viewBox=\"0 0 {width:.0} {height:.0}\" style=\"{sizing}\" role=\"img\" aria-label=\"{title}\">{}</svg></div>",
            self.body
        );
        for note in &self.notes {
            let _ = write!(html, "<p class=\"note\">{}</p>", escape(note));
        }
        html.push_str("</figure>");
        html
    }
}

/// The place of a plot within its picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlotArea {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

/// Height that the labels of an axis' marks need above a plot.
pub(crate) fn marks_height(axis: &ChartAxis) -> f64 {
    MARK_LABEL * axis.shown_marks().count() as f64
}

/// Draws the marks of a horizontal axis: a band or a line over the height of the plot, each with
/// its label on a line of its own above it.
pub(crate) fn horizontal_marks(canvas: &mut Canvas, area: PlotArea, axis: &ChartAxis, scale: &Scale) {
    let count = axis.shown_marks().count();
    for (index, mark) in axis.shown_marks().enumerate() {
        let (from, to) = (scale.at(mark.low), scale.at(mark.high));
        let baseline = area.top - MARK_LABEL * (count - index) as f64 + 11.0;
        if to > from {
            canvas.rect("markband", (from, area.top), (to - from, area.bottom - area.top), &mark.label);
        } else {
            canvas.line("reference", (from, baseline - 10.0), (from, area.bottom));
        }
        let width = text_width(&mark.label) * 1.05;
        let middle = f64::midpoint(from, to);
        let (anchor, x) = match (to > from, from + 6.0 + width > canvas.width) {
            (true, _) => (" mid", middle.clamp(width / 2.0, canvas.width - width / 2.0)),
            (false, false) => ("", from + 6.0),
            (false, true) => (" end", from - 6.0),
        };
        canvas.text(&format!("reflabel{anchor} halo"), (x, baseline), &mark.label);
    }
}

/// Draws vertical grid lines with their figures and the label of a horizontal axis.
pub(crate) fn horizontal_axis(canvas: &mut Canvas, area: PlotArea, axis: &ChartAxis, scale: &Scale) {
    horizontal_marks(canvas, area, axis, scale);
    let mut free_from = f64::NEG_INFINITY;
    for &tick in &scale.ticks {
        let x = scale.at(tick);
        canvas.line("grid", (x, area.top), (x, area.bottom));
        let label = axis.unit.tick(tick);
        let half = text_width(&label) / 2.0;
        if x - half >= free_from {
            canvas.text("tick mid", (x.min(canvas.width - half), area.bottom + 17.0), &label);
            free_from = x + half + 8.0;
        }
    }
    canvas.line("axis", (area.left, area.bottom), (area.right, area.bottom));
    canvas.text("label mid", (f64::midpoint(area.left, area.right), area.bottom + 36.0), &axis.label);
}

/// Draws horizontal grid lines with their figures and the label of a vertical axis, above it.
pub(crate) fn vertical_axis(canvas: &mut Canvas, area: PlotArea, axis: &ChartAxis, scale: &Scale) {
    for mark in axis.shown_marks().filter(|mark| mark.high > mark.low) {
        let (top, bottom) = (scale.at(mark.high), scale.at(mark.low));
        canvas.rect("markband", (area.left, top), (area.right - area.left, bottom - top), &mark.label);
    }
    for &tick in &scale.ticks {
        let y = scale.at(tick);
        canvas.line("grid", (area.left, y), (area.right, y));
        canvas.text("tick end", (area.left - 7.0, y + 4.0), &axis.unit.tick(tick));
    }
    canvas.text("label", (4.0, 18.0), &axis.label);
}

/// Width that the figures of a vertical axis need.
pub(crate) fn tick_width(unit: Unit, ticks: &[f64]) -> f64 {
    ticks.iter().map(|&tick| text_width(&unit.tick(tick))).fold(0.0, f64::max)
}

/// The sentence about values that a logarithmic axis cannot show.
pub(crate) fn hidden_note(hidden: usize) -> Option<String> {
    match hidden {
        0 => None,
        1 => Some("One value of zero or below is not shown: the axis is logarithmic.".to_owned()),
        _ => Some(format!("{hidden} values of zero or below are not shown: the axis is logarithmic.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_names_is_harmless() {
        assert_eq!(escape("<b a=\"x\">&'"), "&lt;b a=&quot;x&quot;&gt;&amp;&#39;");
        let mut canvas = Canvas::new("<script>", 10.0, 10.0);
        canvas.legend("s0", "</span><script>");
        canvas.text("tick", (0.0, 0.0), "<i>");
        assert!(!canvas.finish().contains("<script>"));
    }

    #[test]
    fn marks_have_a_line_or_a_band_and_their_labels_above_the_plot() {
        use super::super::scale::Mark;
        let axis = ChartAxis::linear("", Unit::Number)
            .with_mark(Mark::at("published <median>", 90.0))
            .with_mark(Mark::band("most of them", 20.0, 40.0));
        let mut canvas = Canvas::new("", 200.0, 100.0);
        let area = PlotArea { left: 10.0, right: 190.0, top: 6.0 + marks_height(&axis), bottom: 80.0 };
        let scale = Scale::fit(&axis, [0.0, 100.0].into_iter(), (area.left, area.right), 5, false);
        horizontal_axis(&mut canvas, area, &axis, &scale);
        let html = canvas.finish();
        assert!(html.contains("class=\"reference\"") && html.contains("class=\"markband\""), "{html}");
        assert!(html.contains("published &lt;median&gt;") && html.contains("most of them"), "{html}");
        assert_eq!(area.top, 36.0, "a line of text for each");
    }

    #[test]
    fn long_labels_are_cut() {
        assert_eq!(fitted("abcdefghijkl", 40.0), "abcde…");
        assert_eq!(fitted("abc", 40.0), "abc");
    }
}
