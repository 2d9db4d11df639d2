//! Values of data: numbers and flags in the forms that tools write.

/// Whether a text means a missing value, in the forms that tools write: empty, not a number,
/// Python's `None`, R's `NA`.
pub(crate) fn is_missing(text: &str) -> bool {
    let text = text.trim();
    // `none` is a congestion law.
    text.is_empty() || ["None", "null", "NA", "<NA>"].contains(&text) || text.eq_ignore_ascii_case("nan")
}

/// A finite number, in decimal or as graph-tool writes it, in hexadecimal: `0x1.9p+6`.
pub(crate) fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    text.parse().ok().or_else(|| hexadecimal(text)).filter(|number: &f64| number.is_finite())
}

/// A number in the form of C's `%a`.
fn hexadecimal(text: &str) -> Option<f64> {
    let (is_negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let rest = rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X"))?;
    let (digits, exponent) = rest.split_once(['p', 'P']).unwrap_or((rest, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    // 16 digits are more than a double has.
    if whole.len() + fraction.len() == 0 || whole.len() + fraction.len() > 16 {
        return None;
    }
    let mantissa = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
    let exponent = exponent.parse::<i32>().ok()?.checked_sub(4 * fraction.len() as i32)?;
    // A power of two by its bits is exact on every machine; beyond these no number of a graph lies.
    let biased = u64::try_from(exponent.checked_add(1_023)?).ok().filter(|biased| (1..=2_046).contains(biased))?;
    let number = mantissa as f64 * f64::from_bits(biased << 52);
    Some(if is_negative { -number } else { number })
}

/// A whole number, also as igraph and Gephi write it: `4.0`.
pub(super) fn whole(text: &str) -> Option<u64> {
    let exact = text.trim().parse().ok();
    /// Above this, doubles do not represent every whole number.
    const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
    let as_double = || number(text).filter(|&number| number.fract() == 0.0 && (0.0..=EXACT_MAX).contains(&number));
    exact.or_else(|| as_double().map(|number| number as u64))
}

/// A flag: `true` (XML), `True` (networkx), `1`.
pub(super) fn flag(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" => Some(true),
        "false" | "no" => Some(false),
        other => match number(other)? {
            1.0 => Some(true),
            0.0 => Some(false),
            _ => None,
        },
    }
}

/// Whether two texts mean the same: `1` and `1.0`, `True` and `true`.
pub(super) fn same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other) || matches!((number(one), number(other)), (Some(one), Some(other)) if one == other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_and_numbers_are_taken_in_every_form_that_tools_write() {
        for (text, expected) in [
            ("true", Some(true)),
            ("True", Some(true)),
            ("TRUE", Some(true)),
            ("1", Some(true)),
            ("1.0", Some(true)),
            ("false", Some(false)),
            ("False", Some(false)),
            ("0", Some(false)),
            ("0.0", Some(false)),
            ("2", None),
            ("maybe", None),
            ("", None),
        ] {
            assert_eq!(flag(text), expected, "{text}");
        }
        assert_eq!(
            (whole("4"), whole("4.0"), whole("4e0"), whole("4.5"), whole("-1")),
            (Some(4), Some(4), Some(4), None, None)
        );
        assert!(["", " ", "NaN", "None", "null", "NA"].into_iter().all(is_missing) && !is_missing("0"));
        assert!(!is_missing("none"), "a congestion law");
        assert_eq!(whole("18446744073709551615"), Some(u64::MAX));
        assert_eq!((number("37.6"), number("inf"), number("3,5")), (Some(37.6), None, None));
        assert_eq!(
            (number("0x1.9p+6"), number("-0x1p-1"), number("0x10"), number("0x"), number("0xp1")),
            (Some(100.0), Some(-0.5), Some(16.0), None, None)
        );
        assert_eq!(whole("0x1p+2"), Some(4));
        assert!(same("100", "100.0") && same("True", "true") && !same("100", "200"));
    }
}
