//! Whole numbers as people write them, read without floating point.

use std::fmt;

/// Why a text is no whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerError {
    /// It is not a number.
    NotNumber,
    /// It is a number with a fraction.
    NotWhole,
    /// Its magnitude is above `u64::MAX`.
    TooLarge,
}

impl fmt::Display for IntegerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotNumber => "it is not a number",
            Self::NotWhole => "it is not a whole number",
            Self::TooLarge => "it is too large",
        })
    }
}

impl std::error::Error for IntegerError {}

/// Reads a whole number exactly: `16`, `1_000`, `0x10`, `0o20`, `0b10000`, `1e9`, `5.0`, `1.5e3`.
///
/// This is the one reader of whole numbers in scenarios and on command lines. Its result has a
/// magnitude of at most `u64::MAX`.
///
/// # Errors
/// [`IntegerError`].
pub fn integer(text: &str) -> Result<i128, IntegerError> {
    scaled_integer(text, 1)
}

/// Reads a number and multiplies it by `scale`, the size of its unit. The product is whole, or it
/// is an error: `1.5` times 1,024 is 1,536; `0.1` times 1,024 is none.
///
/// # Errors
/// [`IntegerError`], also for a product that is not whole.
pub fn scaled_integer(text: &str, scale: u64) -> Result<i128, IntegerError> {
    let text = text.trim();
    let (is_negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let magnitude = match radix(text) {
        Some((radix, digits)) => in_radix(digits, radix)?.checked_mul(scale.into()),
        None => decimal(unsigned, scale)?,
    };
    let magnitude = magnitude.filter(|&magnitude| magnitude <= u64::MAX.into()).ok_or(IntegerError::TooLarge)?;
    let magnitude = magnitude as i128;
    Ok(if is_negative { -magnitude } else { magnitude })
}

/// The radix of a text with a prefix, and the digits after it.
fn radix(text: &str) -> Option<(u32, &str)> {
    [("0x", 16), ("0X", 16), ("0o", 8), ("0b", 2)]
        .into_iter()
        .find_map(|(prefix, radix)| Some((radix, text.strip_prefix(prefix)?)))
}

/// The digits of a text, whose underscores are between digits.
fn digits(text: &str, radix: u32) -> Result<impl Iterator<Item = u32> + '_, IntegerError> {
    let parts = || text.split('_');
    let is_right = parts().all(|part| !part.is_empty() && part.chars().all(|letter| letter.is_digit(radix)));
    let values = parts().flat_map(move |part| part.chars().filter_map(move |letter| letter.to_digit(radix)));
    if is_right { Ok(values) } else { Err(IntegerError::NotNumber) }
}

fn in_radix(text: &str, radix: u32) -> Result<u128, IntegerError> {
    let add = |value: u128, digit: u32| value.checked_mul(radix.into())?.checked_add(digit.into());
    digits(text, radix)?.try_fold(0, add).ok_or(IntegerError::TooLarge)
}

/// Whether a double stands for a decimal number as it is typed: its shortest text has the same
/// value. `0.1` does; of `0.49999999999999999999` a double keeps 0.5.
#[must_use]
pub fn keeps_digits(text: &str, double: f64) -> bool {
    let unsigned = |text: &str| text.trim().trim_start_matches(['+', '-']).to_owned();
    let parts = |text: &str| {
        let (digits, exponent) = significant(&unsigned(text)).ok()?;
        let digits: Vec<u32> = digits.into_iter().skip_while(|&digit| digit == 0).collect();
        let exponent = if digits.is_empty() { 0 } else { exponent };
        Some((digits, exponent))
    };
    parts(text) == parts(&double.to_string())
}

/// The digits of a decimal number without zeros at the end, and the power of ten of the last.
fn significant(text: &str) -> Result<(Vec<u32>, i64), IntegerError> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, read_exponent(exponent)?),
        None => (text, 0),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let mut all: Vec<u32> = digits(whole, 10)?.collect();
    let mut exponent = exponent;
    if let Some(fraction) = fraction {
        let before = all.len();
        all.extend(digits(fraction, 10)?);
        exponent = exponent.saturating_sub((all.len() - before) as i64);
    }
    while all.last() == Some(&0) {
        all.pop();
        exponent = exponent.saturating_add(1);
    }
    Ok((all, exponent))
}

/// A decimal number times `scale`; `None` if it is too large.
fn decimal(text: &str, scale: u64) -> Result<Option<u128>, IntegerError> {
    // Zeros at the end are of no account: what is left decides whether the number is whole.
    let (all, mut exponent) = significant(text)?;
    if all.is_empty() {
        return Ok(Some(0));
    }
    let add = |value: u128, digit: &u32| value.checked_mul(10)?.checked_add((*digit).into());
    let Some(mut value) = all.iter().try_fold(0_u128, add).and_then(|value| value.checked_mul(scale.into())) else {
        // So many digits are a fraction, or beyond the range.
        return if exponent < 0 { Err(IntegerError::NotWhole) } else { Ok(None) };
    };
    while exponent < 0 {
        if !value.is_multiple_of(10) {
            return Err(IntegerError::NotWhole);
        }
        (value, exponent) = (value / 10, exponent + 1);
    }
    while exponent > 0 {
        let Some(next) = value.checked_mul(10) else { return Ok(None) };
        (value, exponent) = (next, exponent - 1);
    }
    Ok(Some(value))
}

/// An exponent; one beyond the range of counts is cut, which changes no answer.
fn read_exponent(text: &str) -> Result<i64, IntegerError> {
    let (is_negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let add = |value: i64, digit: u32| value.saturating_mul(10).saturating_add(digit.into());
    let value = digits(unsigned, 10)?.fold(0_i64, add);
    Ok(if is_negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_whole_number_is_read_exactly() {
        for (text, number) in [
            ("0", 0),
            ("-0", 0),
            ("+7", 7),
            (" 7 ", 7),
            ("007", 7),
            ("1_000", 1_000),
            ("0x10", 16),
            ("0XfF_ff", 65_535),
            ("0o20", 16),
            ("0b1_0000", 16),
            ("1e9", 1_000_000_000),
            ("1E+3", 1_000),
            ("1.5e3", 1_500),
            ("100e-2", 1),
            ("5.0", 5),
            ("5.000_000", 5),
            ("-4.0", -4),
            ("0.0e99999999999999999999", 0),
            ("9007199254740993", 9_007_199_254_740_993),
            ("9007199254740993.0", 9_007_199_254_740_993),
            ("9.007199254740993e15", 9_007_199_254_740_993),
            ("1e16", 10_000_000_000_000_000),
            ("1.8446744073709551615e19", u64::MAX.into()),
            ("18446744073709551615", u64::MAX.into()),
            ("0xffffffffffffffff", u64::MAX.into()),
            ("-9223372036854775809", -9_223_372_036_854_775_809),
        ] {
            assert_eq!(integer(text), Ok(number), "{text}");
        }
    }

    #[test]
    fn what_is_no_whole_number_says_why() {
        use IntegerError::{NotNumber, NotWhole, TooLarge};
        for (text, error) in [
            ("", NotNumber),
            ("-", NotNumber),
            ("x", NotNumber),
            ("1,000", NotNumber),
            ("1 000", NotNumber),
            ("_1", NotNumber),
            ("1_", NotNumber),
            ("1__0", NotNumber),
            (".5", NotNumber),
            ("5.", NotNumber),
            ("0x", NotNumber),
            ("-0x1", NotNumber),
            ("0x1.0", NotNumber),
            ("1e", NotNumber),
            ("1e1.0", NotNumber),
            ("--1", NotNumber),
            ("nan", NotNumber),
            ("inf", NotNumber),
            ("\u{661}", NotNumber),
            ("1.5", NotWhole),
            ("1e-1", NotWhole),
            ("9007199254740993.00000000000000000000000000000000000000000001", NotWhole),
            ("1e-99999999999999999999", NotWhole),
            ("18446744073709551616", TooLarge),
            ("0x10000000000000000", TooLarge),
            ("1e20", TooLarge),
            ("1e99999999999999999999", TooLarge),
            ("99999999999999999999999999999999999999999999999999", TooLarge),
        ] {
            assert_eq!(integer(text), Err(error), "{text}");
        }
    }

    #[test]
    fn a_unit_makes_a_fraction_whole_or_not() {
        assert_eq!(scaled_integer("1.5", 1 << 20), Ok(1_572_864));
        assert_eq!(scaled_integer("0.001", 1_000), Ok(1));
        assert_eq!(scaled_integer("0x10", 1_000), Ok(16_000));
        assert_eq!(scaled_integer("0.1", 1 << 10), Err(IntegerError::NotWhole));
        assert_eq!(scaled_integer("17179869184", 1 << 30), Err(IntegerError::TooLarge));
    }

    #[test]
    fn a_double_keeps_the_digits_or_not() {
        for text in ["0.1", "+0.5", "-0.25", "1e-7", "0.30000000000000004", "0.0", "1_0.5_0", "5e9", "1e16"] {
            assert!(keeps_digits(text, text.replace('_', "").parse().expect("a number")), "{text}");
        }
        for text in ["0.49999999999999999999", "1.00000000000000001", "0.1000000000000000055"] {
            assert!(!keeps_digits(text, text.parse().expect("a number")), "{text}");
        }
    }
}
