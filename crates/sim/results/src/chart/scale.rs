//! Maps values to places: linear and logarithmic scales with ticks at round values.

use crate::format::Unit;

/// A reference value, or range of values, on an axis: a published one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mark {
    /// Its label: "published: 350 ns (SC'20, Fig. 2)".
    pub label: String,
    /// Its lower end.
    pub low: f64,
    /// Its upper end; equal to the lower one for a single value.
    pub high: f64,
}

impl Mark {
    /// One value.
    #[must_use]
    pub fn at(label: impl Into<String>, value: f64) -> Self {
        Self { label: label.into(), low: value, high: value }
    }

    /// A range.
    #[must_use]
    pub fn band(label: impl Into<String>, low: f64, high: f64) -> Self {
        Self { label: label.into(), low, high }
    }
}

/// The properties of an axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChartAxis {
    /// Its label, with the unit unless [`Unit`] prints one: "delivered (Gb/s)".
    pub label: String,
    /// Format of its figures.
    pub unit: Unit,
    /// Whether equal distances are equal ratios. Values of zero and below have no place on such an
    /// axis: they are left out and the picture gives their number.
    pub log: bool,
    /// Smallest and largest value shown; if absent, they follow from the data (a linear axis then
    /// includes zero).
    pub range: Option<(f64, f64)>,
    /// Reference values. If the axis' range follows from the data, it includes them.
    pub marks: Vec<Mark>,
}

impl ChartAxis {
    /// A linear axis.
    #[must_use]
    pub fn linear(label: impl Into<String>, unit: Unit) -> Self {
        Self { label: label.into(), unit, log: false, range: None, marks: Vec::new() }
    }

    /// A logarithmic axis.
    #[must_use]
    pub fn log(label: impl Into<String>, unit: Unit) -> Self {
        Self { label: label.into(), unit, log: true, range: None, marks: Vec::new() }
    }

    /// The same axis with a fixed range.
    #[must_use]
    pub fn with_range(mut self, low: f64, high: f64) -> Self {
        self.range = Some((low, high));
        self
    }

    /// The same axis with one more reference value or range.
    #[must_use]
    pub fn with_mark(mut self, mark: Mark) -> Self {
        self.marks.push(mark);
        self
    }

    /// The marks that have a place on the axis.
    pub(crate) fn shown_marks(&self) -> impl Iterator<Item = &Mark> {
        self.marks.iter().filter(|mark| self.shows(mark.low) && self.shows(mark.high))
    }

    /// Whether a value has a place on the axis.
    pub(crate) fn shows(&self, value: f64) -> bool {
        value.is_finite() && !(self.log && value <= 0.0)
    }
}

/// An axis laid out between two places (pixels).
#[derive(Clone, Debug)]
pub(crate) struct Scale {
    low: f64,
    high: f64,
    log: bool,
    from: f64,
    to: f64,
    pub ticks: Vec<f64>,
}

impl Scale {
    /// Fits an axis to the values that it must show. `tight` ends at the data (time axes),
    /// otherwise at a tick.
    pub fn fit(
        axis: &ChartAxis,
        values: impl Iterator<Item = f64>,
        (from, to): (f64, f64),
        wanted: usize,
        tight: bool,
    ) -> Self {
        let marks = axis.shown_marks().flat_map(|mark| [mark.low, mark.high]);
        let shown: Vec<f64> = values.filter(|&value| axis.shows(value)).collect();
        let binary = axis.unit == Unit::Bytes || (tight && are_powers_of_two(&shown));
        let data = shown.into_iter().chain(marks).fold(None, |range: Option<(f64, f64)>, value| {
            Some(range.map_or((value, value), |(low, high)| (low.min(value), high.max(value))))
        });
        let range = axis.range.filter(|range| axis.shows(range.0) && axis.shows(range.1) && range.0 < range.1);
        let (low, high) = match (range, data) {
            (Some(range), _) => range,
            (None, Some((low, high))) if axis.log => widened_log(low, high, axis.unit, tight),
            (None, None) if axis.log => (1.0, 10.0),
            (None, data) => {
                let (low, high) = data.unwrap_or((0.0, 0.0));
                (low.min(0.0), if high > low.min(0.0) { high } else { low.min(0.0) + 1.0 })
            }
        };
        let mut scale = Self { low, high, log: axis.log, from, to, ticks: Vec::new() };
        if axis.log {
            scale.ticks = if binary { binary_ticks(low, high, wanted) } else { log_ticks(low, high, wanted) };
        } else {
            let step = nice_step((high - low) / wanted.max(1) as f64, axis.unit);
            if range.is_none() && !tight {
                scale.low = (low / step + 1e-9).floor() * step;
                scale.high = (high / step - 1e-9).ceil() * step;
            }
            let (first, last) = ((scale.low / step - 1e-9).ceil() as i64, (scale.high / step + 1e-9).floor() as i64);
            scale.ticks = (first..=last).map(|index| index as f64 * step).collect();
        }
        scale
    }

    /// The place of a value; values outside the range are at its ends, those without a place at the
    /// low end.
    pub fn at(&self, value: f64) -> f64 {
        let position = if self.log {
            let value = if value > 0.0 { value } else { self.low };
            (value.ln() - self.low.ln()) / (self.high.ln() - self.low.ln())
        } else {
            (value - self.low) / (self.high - self.low)
        };
        self.from + position.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// The start of bars: zero, or the low end of a logarithmic axis.
    pub fn base(&self) -> f64 {
        if self.log { self.from } else { self.at(0.0) }
    }
}

/// The 1-2-5 (or power of two) values around a range; at least a factor of two apart.
fn widened_log(low: f64, high: f64, unit: Unit, tight: bool) -> (f64, f64) {
    if tight && high > low * 1.5 {
        return (low, high);
    }
    if unit == Unit::Bytes {
        let (low, high) = (low.log2().floor(), high.log2().ceil());
        return (low.exp2(), high.max(low + 1.0).exp2());
    }
    let wide = high / low > 100.0;
    let steps: &[f64] = if wide { &[1.0, 10.0] } else { &[1.0, 2.0, 5.0, 10.0] };
    let decade = |value: f64| 10.0_f64.powf((value.log10() + 1e-9).floor());
    let below = steps.iter().rev().map(|step| step * decade(low)).find(|&edge| edge <= low * (1.0 + 1e-9));
    let above = steps.iter().map(|step| step * decade(high)).find(|&edge| edge >= high * (1.0 - 1e-9));
    let below = below.unwrap_or(low);
    (below, above.unwrap_or(high).max(below * 2.0))
}

/// Whether an axis has counts that double, such as nodes: their ticks are these counts.
fn are_powers_of_two(values: &[f64]) -> bool {
    let (low, high) =
        values.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), &value| (low.min(value), high.max(value)));
    high >= 4.0 * low && values.iter().all(|value| value.log2().fract() == 0.0)
}

fn log_ticks(low: f64, high: f64, wanted: usize) -> Vec<f64> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let within = |value: &f64| *value >= low * (1.0 - 1e-9) && *value <= high * (1.0 + 1e-9);
    let ticks = |steps: &[f64], every: usize| -> Vec<f64> {
        let decades = (first..=last).step_by(every);
        decades.flat_map(|decade| steps.iter().map(move |step| step * 10.0_f64.powi(decade))).filter(within).collect()
    };
    let fine: &[f64] = &[1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0];
    for steps in [fine, &[1.0, 1.5, 2.0, 3.0, 5.0, 7.0], &[1.0, 2.0, 5.0]] {
        let found = ticks(steps, 1);
        if found.len() <= wanted + 2 {
            return found;
        }
    }
    let decades = (last - first).max(1) as usize;
    ticks(&[1.0], decades.div_ceil(wanted.max(1)).max(1))
}

fn binary_ticks(low: f64, high: f64, wanted: usize) -> Vec<f64> {
    let (first, last) = ((low.log2() - 1e-9).ceil() as i32, (high.log2() + 1e-9).floor() as i32);
    let every = ((last - first).max(1) as usize).div_ceil(wanted.max(1)).max(1);
    (first..=last).step_by(every).map(|power| f64::from(power).exp2()).collect()
}

/// The next round step: 1, 2, 2.5 or 5 times a power of ten; powers of two for bytes.
fn nice_step(rough: f64, unit: Unit) -> f64 {
    if unit == Unit::Bytes {
        return rough.max(1.0).log2().ceil().exp2();
    }
    let decade = 10.0_f64.powf(rough.log10().floor());
    let round = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().find(|step| step * decade >= rough * (1.0 - 1e-9));
    round.unwrap_or(10.0) * decade
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(axis: &ChartAxis, values: &[f64]) -> Scale {
        Scale::fit(axis, values.iter().copied(), (0.0, 100.0), 5, false)
    }

    #[test]
    fn linear_ticks_are_round_and_cover_the_data() {
        let scale = fit(&ChartAxis::linear("", Unit::Number), &[3.0, 87.0]);
        assert_eq!(scale.ticks, [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(scale.at(50.0), 50.0);
    }

    #[test]
    fn marks_belong_to_what_an_axis_shows() {
        let axis = ChartAxis::linear("", Unit::Number).with_mark(Mark::at("published", 180.0));
        let scale = fit(&axis, &[3.0, 87.0]);
        assert!(scale.ticks.last().is_some_and(|last| *last >= 180.0), "{:?}", scale.ticks);
        let hidden = ChartAxis::log("", Unit::Number).with_mark(Mark::band("published", 0.0, 5.0));
        assert_eq!(hidden.shown_marks().count(), 0, "zero has no place on it");
    }

    #[test]
    fn no_data_and_equal_data_still_have_a_scale() {
        for values in [&[][..], &[0.0], &[7.0, 7.0], &[f64::NAN]] {
            for axis in
                [ChartAxis::linear("", Unit::Number), ChartAxis::log("", Unit::Number), ChartAxis::log("", Unit::Bytes)]
            {
                let scale = fit(&axis, values);
                assert!(scale.ticks.len() >= 2 && scale.at(7.0).is_finite(), "{values:?} {axis:?}: {:?}", scale.ticks);
            }
        }
    }

    #[test]
    fn zero_has_no_place_on_a_log_axis_and_does_no_harm() {
        let scale = fit(&ChartAxis::log("", Unit::Number), &[0.0, 1.0, 1000.0]);
        assert_eq!(scale.ticks, [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(scale.at(0.0), 0.0);
        assert!(!ChartAxis::log("", Unit::Number).shows(0.0));
    }

    #[test]
    fn sizes_are_ticked_at_powers_of_two() {
        let scale = fit(&ChartAxis::log("", Unit::Bytes), &[8.0, 4_194_304.0]);
        assert!(
            scale.ticks.iter().all(|tick| tick.log2().fract() == 0.0) && scale.ticks.len() <= 7,
            "{:?}",
            scale.ticks
        );
    }

    #[test]
    fn counts_that_double_are_ticked_where_they_are() {
        let axis = ChartAxis::log("", Unit::Number);
        let nodes = [4.0, 8.0, 16.0, 32.0, 64.0];
        assert_eq!(Scale::fit(&axis, nodes.into_iter(), (0.0, 100.0), 8, true).ticks, nodes);
        assert_ne!(Scale::fit(&axis, [4.0, 8.0, 17.0].into_iter(), (0.0, 100.0), 8, true).ticks, nodes[..3]);
    }

    #[test]
    fn narrow_log_ranges_have_ticks() {
        let scale = fit(&ChartAxis::log("", Unit::Time), &[1.31e6, 1.42e6]);
        assert!(scale.ticks.len() >= 3, "{:?}", scale.ticks);
    }
}
