//! Figures for people: four significant digits, units, thousands separated.

/// The unit of an axis or a column, and so the format of its figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// A plain number; the label says of what.
    #[default]
    Number,
    /// A share, 0 to 1, printed as per cent.
    Percent,
    /// Picoseconds, printed as ps, ns, µs, ms or s.
    Time,
    /// Bytes, printed as B, KiB, MiB or GiB.
    Bytes,
}

impl Unit {
    /// A figure in this unit; a dash if there is none (not a number).
    #[must_use]
    pub fn format(self, value: f64) -> String {
        if value.is_nan() {
            return "–".to_owned();
        }
        match self {
            Self::Number => number(value),
            Self::Percent => percent(value),
            Self::Time => time_ps(value),
            Self::Bytes => bytes(value),
        }
    }

    /// A figure as the cell of a heat map: three significant digits.
    #[must_use]
    pub fn cell(self, value: f64) -> String {
        match self {
            Self::Number if value != 0.0 && (1e-4..1e4).contains(&value.abs()) => trimmed(value, 3),
            Self::Number => short(value),
            _ => self.format(value),
        }
    }

    /// A figure as the tick of an axis: shorter, large numbers with k, M, G.
    #[must_use]
    pub fn tick(self, value: f64) -> String {
        match self {
            Self::Number => short(value),
            Self::Percent => format!("{} %", trimmed(value * 100.0, 4)),
            _ => self.format(value),
        }
    }
}

/// At most `digits` significant digits, no trailing zeros.
fn trimmed(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let magnitude = value.abs().log10().floor() as i32;
    let decimals = (digits as i32 - 1 - magnitude).clamp(0, 12) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A number with four significant digits and thousands separated by commas; exponents outside 10^-4
/// to 10^15.
#[must_use]
pub fn number(value: f64) -> String {
    if !value.is_finite() {
        return if value.is_nan() {
            "–"
        } else if value > 0.0 {
            "∞"
        } else {
            "-∞"
        }
        .to_owned();
    }
    if value != 0.0 && !(1e-4..1e15).contains(&value.abs()) {
        return format!("{value:.2e}");
    }
    let text = trimmed(value, 4);
    let (whole, fraction) =
        text.split_once('.').map_or((text.as_str(), None), |(whole, fraction)| (whole, Some(fraction)));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let grouped = separated(digits);
    fraction.map_or_else(|| format!("{sign}{grouped}"), |fraction| format!("{sign}{grouped}.{fraction}"))
}

/// A whole number with thousands separated by commas.
#[must_use]
pub fn count(value: u64) -> String {
    separated(&value.to_string())
}

fn separated(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with k, M, G, T for 10,000 and above.
#[must_use]
pub fn short(value: f64) -> String {
    let size = value.abs();
    for (scale, letter) in [(1e12_f64, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")] {
        if size >= scale.max(1e4) && size < 1e15 {
            return format!("{} {letter}", trimmed(value / scale, 4));
        }
    }
    number(value)
}

/// A share as per cent: 0.1234 is "12.3 %". Below 1 % two digits count: "0.10 %", "0.063 %".
#[must_use]
pub fn percent(share: f64) -> String {
    if share.is_nan() {
        return "–".to_owned();
    }
    let value = share * 100.0;
    match value.abs() {
        0.0 | 0.995.. => format!("{value:.1} %"),
        0.0995.. => format!("{value:.2} %"),
        0.00995.. => format!("{value:.3} %"),
        _ => format!("{} %", trimmed(value, 2)),
    }
}

/// Picoseconds in the unit that suits their size, four significant digits.
#[must_use]
pub fn time_ps(picoseconds: f64) -> String {
    if picoseconds.is_nan() {
        return "–".to_owned();
    }
    if picoseconds == 0.0 {
        return "0".to_owned();
    }
    let (scale, unit) = match picoseconds.abs() {
        size if size < 1e3 => (1.0, "ps"),
        size if size < 1e6 => (1e3, "ns"),
        size if size < 1e9 => (1e6, "µs"),
        size if size < 1e12 => (1e9, "ms"),
        _ => (1e12, "s"),
    };
    format!("{} {unit}", trimmed(picoseconds / scale, 4))
}

/// Bytes with binary prefixes, four significant digits.
#[must_use]
pub fn bytes(value: f64) -> String {
    if value.is_nan() {
        return "–".to_owned();
    }
    for (scale, unit) in
        [(1_099_511_627_776.0, "TiB"), (1_073_741_824.0, "GiB"), (1_048_576.0, "MiB"), (1_024.0, "KiB")]
    {
        if value.abs() >= scale {
            return format!("{} {unit}", trimmed(value / scale, 4));
        }
    }
    format!("{} B", trimmed(value, 4))
}

/// Real seconds: "1 h 02 min", "3 min 20 s", "4.21 s", "12 ms".
#[must_use]
pub fn wall_seconds(seconds: f64) -> String {
    match seconds {
        _ if seconds < 1.0 => format!("{} ms", trimmed(seconds * 1e3, 3)),
        _ if seconds < 60.0 => format!("{} s", trimmed(seconds, 3)),
        _ if seconds < 3600.0 => format!("{} min {:02} s", (seconds / 60.0) as u64, (seconds % 60.0) as u64),
        _ => format!("{} h {:02} min", (seconds / 3600.0) as u64, (seconds % 3600.0 / 60.0) as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_well() {
        assert_eq!(number(1_234_567.0), "1,234,567");
        assert_eq!(number(-12.345_6), "-12.35");
        assert_eq!(number(0.000_123_4), "0.0001234");
        assert_eq!(number(2.5e-7), "2.50e-7");
        assert_eq!(short(25_000.0), "25 k");
        assert_eq!(percent(0.1234), "12.3 %");
        for (share, said) in [
            (0.0, "0.0 %"),
            (0.01, "1.0 %"),
            (0.001, "0.10 %"),
            (0.005, "0.50 %"),
            (0.000_63, "0.063 %"),
            (0.000_12, "0.012 %"),
            (0.000_1, "0.010 %"),
            (0.000_038, "0.0038 %"),
            (-0.001, "-0.10 %"),
        ] {
            assert_eq!(percent(share), said);
        }
        assert_eq!(time_ps(2_100_000.0), "2.1 µs");
        assert_eq!(bytes(131_072.0), "128 KiB");
        assert_eq!(bytes(71_790_592.0), "68.46 MiB");
        assert_eq!(Unit::Number.cell(72.183), "72.2");
        assert_eq!(wall_seconds(200.0), "3 min 20 s");
        assert_eq!(Unit::Time.format(f64::NAN), "–");
        assert_eq!(Unit::Percent.tick(0.25), "25 %");
    }
}
