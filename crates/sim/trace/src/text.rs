//! Text input: lines, words and numbers, each with its place.

use crate::error::{TraceError, quoted};
use philae_units::WideEncoding;

/// A file of text.
pub(crate) struct Text<'a> {
    /// As the caller named it.
    pub file: &'a str,
    text: &'a str,
}

impl<'a> Text<'a> {
    /// The bytes of a file as text.
    pub fn new(file: &'a str, bytes: &'a [u8]) -> Result<Self, TraceError> {
        if let Some(encoding) = WideEncoding::of(bytes) {
            return Err(TraceError::whole(file, format!("{} text", encoding.name()), "UTF-8 text"));
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Self { file, text: text.trim_start_matches('\u{feff}') }),
            Err(error) => {
                let offset = error.valid_up_to();
                let (found, expected) = (format!("the byte 0x{:02x}", bytes[offset]), "UTF-8 text".to_owned());
                Err(TraceError::Byte { file: file.to_owned(), offset, found, expected })
            }
        }
    }

    /// A warning if the last line has no line end: its last number may be one that was cut. A blank
    /// ends a number as well, and a number that ends all lines of this form is whole.
    pub fn open_end(&self) -> Option<String> {
        if self.text.is_empty() || self.text.ends_with(char::is_whitespace) {
            return None;
        }
        let form = |line: &str| line.split_whitespace().count();
        let (mut lines, mut number) = (self.text.lines().rev(), 1);
        let last = lines.next()?;
        let (mut alike, mut is_usual) = (0, true);
        for line in lines {
            number += 1;
            if form(line) == form(last) {
                alike += 1;
                is_usual &= line.split_whitespace().next_back() == last.split_whitespace().next_back();
            }
        }
        (alike < 2 || !is_usual).then(|| {
            format!("line {number}, the last one, has no line end: a file that was cut within it looks the same")
        })
    }

    /// All lines, numbered from 1.
    pub fn lines(&self) -> impl Iterator<Item = TraceLine<'a>> + use<'a> {
        let file = self.file;
        self.text.lines().zip(1..).map(move |(text, number)| TraceLine { file, text, number })
    }
}

/// One line.
#[derive(Clone, Copy)]
pub(crate) struct TraceLine<'a> {
    pub file: &'a str,
    pub text: &'a str,
    pub number: usize,
}

impl<'a> TraceLine<'a> {
    pub fn words(self) -> LineWords<'a> {
        LineWords { line: self, words: self.text.split_whitespace(), last: None }
    }

    /// An error at this line.
    pub fn error(self, found: impl Into<String>, expected: impl Into<String>) -> TraceError {
        let (file, line) = (self.file.to_owned(), self.number);
        TraceError::Line { file, line, found: found.into(), expected: expected.into() }
    }
}

/// The words of a line, taken one after the other.
pub(crate) struct LineWords<'a> {
    pub line: TraceLine<'a>,
    words: std::str::SplitWhitespace<'a>,
    last: Option<&'a str>,
}

impl<'a> LineWords<'a> {
    /// The next word, if there is one.
    pub fn next(&mut self) -> Option<&'a str> {
        self.last = self.words.next();
        self.last
    }

    /// The next word, which is not taken.
    pub fn peek(&self) -> Option<&'a str> {
        self.words.clone().next()
    }

    /// The next word.
    pub fn expect(&mut self, expected: &str) -> Result<&'a str, TraceError> {
        self.next().ok_or_else(|| self.line.error("the end of the line", expected))
    }

    /// Takes the next word, which must be this one.
    pub fn literal(&mut self, word: &str) -> Result<(), TraceError> {
        if self.expect(&format!("`{word}`"))? == word { Ok(()) } else { Err(self.wrong(&format!("`{word}`"))) }
    }

    /// The error that the last word is wrong.
    pub fn wrong(&self, expected: &str) -> TraceError {
        self.line.error(self.last.map_or_else(|| "the end of the line".to_owned(), quoted), expected)
    }

    /// The next word as a whole number, at most `most`.
    pub fn number(&mut self, what: &str, most: u64) -> Result<u64, TraceError> {
        let word = self.expect(what)?;
        self.parse(word, what, most)
    }

    /// A part of the last word as a whole number, at most `most`.
    pub fn parse(&self, word: &str, what: &str, most: u64) -> Result<u64, TraceError> {
        match word.parse::<u64>() {
            Ok(value) if value <= most && word.as_bytes()[0] != b'+' => Ok(value),
            _ => Err(self.line.error(quoted(word), format!("{what}: a whole number of at most {most}"))),
        }
    }

    /// The next word as a decimal number (`1e6`, `0.5`) times ten to the power `scale`, rounded
    /// down, at most `most`.
    pub fn decimal(&mut self, what: &str, scale: i32, most: u64) -> Result<u64, TraceError> {
        let word = self.expect(what)?;
        self.parse_decimal(word, what, scale, most)
    }

    /// The same for a word that has been taken.
    pub fn parse_decimal(&self, word: &str, what: &str, scale: i32, most: u64) -> Result<u64, TraceError> {
        decimal(word, scale)
            .filter(|&value| value <= most)
            .ok_or_else(|| self.line.error(quoted(word), format!("{what}: a number from 0, not too large")))
    }

    /// A part of the last word as a whole number that may be written as a decimal (`1e6`, `8.0`),
    /// at most `most`. A fraction is an error: nothing is rounded.
    pub fn parse_whole(&self, word: &str, what: &str, most: u64) -> Result<u64, TraceError> {
        let exact = decimal(word, 0).filter(|&value| value <= most && is_whole(word));
        exact.ok_or_else(|| self.line.error(quoted(word), format!("{what}: a whole number from 0, not too large")))
    }

    /// The same for the next word.
    pub fn whole(&mut self, what: &str, most: u64) -> Result<u64, TraceError> {
        let word = self.expect(what)?;
        self.parse_whole(word, what, most)
    }

    /// Checks that nothing follows.
    pub fn end(&mut self) -> Result<(), TraceError> {
        if self.next().is_none() { Ok(()) } else { Err(self.wrong("the end of the line")) }
    }
}

/// A decimal number such as `12`, `0.25`, `1e6` or `-0` times ten to the power `scale`, rounded
/// down; without floating point, so that it is the same everywhere. None for other text, negative
/// numbers and numbers that do not fit.
#[must_use]
pub fn decimal(text: &str, scale: i32) -> Option<u64> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let (negative, whole) = match whole.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, whole.strip_prefix('+').unwrap_or(whole)),
    };
    let digits = whole.len() + fraction.len();
    let all_digits = whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit());
    if digits == 0 || !all_digits {
        return None;
    }
    let mut value: u128 = 0;
    let mut power = exponent.checked_add(scale)?;
    for digit in whole.bytes().map(|byte| (byte, false)).chain(fraction.bytes().map(|byte| (byte, true))) {
        if value < u128::MAX / 20 {
            value = value * 10 + u128::from(digit.0 - b'0');
            power = power.saturating_sub(i32::from(digit.1));
        } else {
            // Beyond the significant digits: a digit before the point shifts the rest up.
            power = power.saturating_add(i32::from(!digit.1));
        }
    }
    if value == 0 {
        return Some(0);
    }
    if negative {
        return None;
    }
    for _ in 0..power.unsigned_abs() {
        if power > 0 {
            value = value.checked_mul(10)?;
        } else {
            value /= 10;
            if value == 0 {
                break;
            }
        }
    }
    u64::try_from(value).ok()
}

/// Whether a decimal number has no digits but zeros behind the point.
fn is_whole(text: &str) -> bool {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().unwrap_or(0)),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = whole.bytes().chain(fraction.bytes()).filter(u8::is_ascii_digit);
    let from_end = digits.rev().position(|digit| digit != b'0');
    // The place of the last digit that is not 0, counted from the point.
    from_end.is_none_or(|at| at as i64 + exponent >= fraction.len() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_not_whole() {
        for (text, is) in [
            ("10", true),
            ("10.0", true),
            ("10.5", false),
            ("1.5e1", true),
            ("1.55e1", false),
            ("1e-1", false),
            ("100e-2", true),
            ("0.0", true),
            ("0e-5", true),
            ("1e6", true),
        ] {
            assert_eq!(is_whole(text), is, "{text}");
        }
    }

    #[test]
    fn decimals_are_scaled_exactly() {
        for (text, scale, value) in [
            ("12", 0, Some(12)),
            ("1e6", 0, Some(1_000_000)),
            ("0.25", 3, Some(250)),
            ("2.5E-1", 1, Some(2)),
            ("-0", 0, Some(0)),
            ("1e-7", 12, Some(100_000)),
            ("123456789012345678901234567890e-20", 0, Some(1_234_567_890)),
            ("-1", 0, None),
            ("1e30", 0, None),
            ("1e2147483647", 12, None),
            ("1e-2147483648", 0, Some(0)),
            ("", 0, None),
            (".", 0, None),
            ("nan", 0, None),
            ("1e", 0, None),
        ] {
            assert_eq!(decimal(text, scale), value, "{text}");
        }
    }
}
