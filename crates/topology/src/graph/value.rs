//! Values of data: numbers and flags in the forms that tools write.

/// Whether a text means a missing value, in the forms that tools write: empty, not a number,
/// Python's `None`, R's `NA`.
pub(super) fn is_missing(text: &str) -> bool {
    let text = text.trim();
    // `none` is a congestion law.
    text.is_empty() || ["None", "null", "NA", "<NA>"].contains(&text) || text.eq_ignore_ascii_case("nan")
}

/// A finite number.
pub(super) fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
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
        assert!(same("100", "100.0") && same("True", "true") && !same("100", "200"));
    }
}
