//! Sizes, times, loads and rates as people write them in a scenario.

use std::fmt;

use philae_units::{Bytes, IntegerError, LinkRate, Picoseconds, scaled_integer};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A size: an integer (bytes) or text with a unit, `"8B"`, `"128KiB"`, `"1.5MiB"`, `"2GiB"`; a
/// whole number of bytes.
///
/// Decimal units (kB, MB) are refused, because they cause mistakes by a factor of 1.024.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size(pub Bytes);

impl Size {
    const UNITS: [(&'static str, u64); 4] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)];

    /// From bytes.
    #[must_use]
    pub const fn bytes(bytes: u64) -> Self {
        Self(Bytes(bytes))
    }

    /// From KiB (1,024 bytes).
    #[must_use]
    pub const fn kib(kib: u64) -> Self {
        Self(Bytes::from_kib(kib))
    }
}

/// A span of simulated time with its unit: `"350ns"`, `"10us"`, `"2.5ms"`, `"1s"`, `"40ps"`; `0`
/// needs no unit. A whole number of picoseconds. `"10µs"`, as reports write it, is `"10us"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(pub Picoseconds);

impl Span {
    const UNITS: [(&'static str, u64); 5] =
        [("ms", 1_000_000_000), ("us", 1_000_000), ("ns", 1_000), ("ps", 1), ("s", 1_000_000_000_000)];

    /// From whole nanoseconds.
    #[must_use]
    pub const fn nanos(nanoseconds: u64) -> Self {
        Self(Picoseconds::from_nanos(nanoseconds))
    }

    /// From whole microseconds.
    #[must_use]
    pub const fn micros(microseconds: u64) -> Self {
        Self(Picoseconds::from_micros(microseconds))
    }
}

/// A share in (0, 1], kept as the decimal number that was written, so that arithmetic is exact.
/// Written as a number: `0.5`, `0.4999999`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Share {
    /// Its digits after the point, as one number that does not end in 0.
    digits: u64,
    /// How many digits there are, at most [`PLACES_MAX`](Self::PLACES_MAX).
    places: u32,
}

impl Share {
    pub const ALL: Self = Self { digits: 1, places: 0 };

    /// The most digits after the point: so many fit 64 bits. Source: 10^18 < 2^63. Status: derived.
    const PLACES_MAX: u32 = 18;

    /// From millionths.
    ///
    /// # Errors
    /// [`QuantityError::Share`] outside 1 to 1,000,000.
    pub fn from_millionths(millionths: u32) -> Result<Self, QuantityError> {
        Self::from_f64(f64::from(millionths) / 1e6)
    }

    /// From a number from 0.000001 to 1, exactly: the shortest decimal that stands for it.
    ///
    /// # Errors
    /// [`QuantityError::Share`] outside this range, or with more than 18 digits after the point.
    pub fn from_f64(share: f64) -> Result<Self, QuantityError> {
        let refused = || QuantityError::Share { text: share.to_string() };
        if !(0.000_001..=1.0).contains(&share) {
            return Err(refused());
        }
        let scale = 10_u64.pow(Self::PLACES_MAX);
        let whole = scaled_integer(&share.to_string(), scale).map_err(|_| refused())?;
        let mut share = Self { digits: u64::try_from(whole).map_err(|_| refused())?, places: Self::PLACES_MAX };
        while share.places > 0 && share.digits.is_multiple_of(10) {
            share = Self { digits: share.digits / 10, places: share.places - 1 };
        }
        Ok(share)
    }

    /// The share as a fraction: numerator and denominator, a power of ten up to 10^18.
    #[must_use]
    pub const fn fraction(self) -> (u64, u64) {
        (self.digits, 10_u64.pow(self.places))
    }

    /// This share of `whole`, rounded down.
    #[must_use]
    pub const fn of(self, whole: u32) -> u32 {
        let (numerator, denominator) = self.fraction();
        (whole as u128 * numerator as u128 / denominator as u128) as u32
    }

    /// As the double that is nearest, which reads back as this share.
    fn as_f64(self) -> f64 {
        let (numerator, denominator) = self.fraction();
        // The quotient of two doubles may be off by a digit; the reader of text is not.
        let text = format!("{numerator}e-{}", denominator.ilog10());
        text.parse().unwrap_or(1.0)
    }
}

/// A link rate in Gb/s, written as a number (`200`, `37.6`), exact to 1 Mb/s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RateGbps(pub LinkRate);

/// A quantity that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuantityError {
    /// Not a size.
    #[error("cannot read {text:?} as a size; a number with B, KiB, MiB or GiB, such as \"128KiB\", would work")]
    Size { text: String },
    /// Not a time.
    #[error("cannot read {text:?} as a time; a number with ps, ns, us, ms or s, such as \"10us\", would work")]
    Span { text: String },
    /// A time or a size between two that the model counts.
    #[error("{text:?} is not a whole number of {unit}; one that is, such as {example:?}, would work")]
    NotWhole {
        /// The text.
        text: String,
        /// The smallest unit.
        unit: &'static str,
        /// What would work.
        example: &'static str,
    },
    /// A time or a size beyond what the model counts.
    #[error("{text} is too large; at most {most} would work")]
    TooLarge {
        /// What was read.
        text: String,
        /// The largest value.
        most: &'static str,
    },
    /// Not a share.
    #[error(
        "cannot use {text} as a share; a number from 0.000001 to 1 with at most 18 digits after the point would work"
    )]
    Share { text: String },
    /// Not a rate.
    #[error(
        "cannot use {text} as a link rate in Gb/s; a number from 0.001 to 4,000,000 with at most three digits after the point, such as 200, would work"
    )]
    Rate { text: String },
}

/// Reads a number followed by one of `units`, or by none; the first unit that fits the end of the
/// text wins. Returns the value and whether there was a unit.
fn read_with_unit(text: &str, units: &[(&str, u64)]) -> Result<(u64, bool), IntegerError> {
    let text = text.trim();
    let with_unit = units.iter().find_map(|(unit, scale)| Some((text.strip_suffix(unit)?, *scale)));
    // `0x1B` is 27, not 0x1 bytes.
    let with_unit = with_unit.filter(|_| !text.starts_with("0x"));
    let (number, scale) = with_unit.unwrap_or((text, 1));
    let value = scaled_integer(number, scale)?;
    Ok((u64::try_from(value).map_err(|_| IntegerError::NotNumber)?, with_unit.is_some()))
}

/// Writes a whole number with the largest of `units` that divides it.
fn write_with_unit(value: u64, units: &[(&str, u64)], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let fits = |scale: u64| value != 0 && value.is_multiple_of(scale);
    let (unit, scale) = units
        .iter()
        .filter(|(_, scale)| fits(*scale))
        .max_by_key(|(_, scale)| *scale)
        .unwrap_or(units.iter().min_by_key(|(_, scale)| *scale).expect("every quantity has a unit"));
    write!(f, "{}{unit}", value / scale)
}

impl std::str::FromStr for Size {
    type Err = QuantityError;
    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let owned = || text.to_owned();
        read_with_unit(text, &Self::UNITS).map(|(bytes, _)| Self::bytes(bytes)).map_err(|error| match error {
            IntegerError::TooLarge => QuantityError::TooLarge { text: owned(), most: "16 EiB less one byte" },
            IntegerError::NotWhole => QuantityError::NotWhole { text: owned(), unit: "bytes", example: "1.5KiB" },
            IntegerError::NotNumber => QuantityError::Size { text: owned() },
        })
    }
}

impl std::str::FromStr for Span {
    type Err = QuantityError;
    fn from_str(text: &str) -> Result<Self, QuantityError> {
        // Both letters that look like a micro sign: U+00B5 of most keyboards, and the Greek U+03BC.
        let plain = text.replace(['\u{b5}', '\u{3bc}'], "u");
        let owned = || text.to_owned();
        match read_with_unit(&plain, &Self::UNITS) {
            Ok((ps, has_unit)) if has_unit || ps == 0 => Ok(Self(Picoseconds(ps))),
            Err(IntegerError::TooLarge) => Err(QuantityError::TooLarge { text: owned(), most: "18446744s (213 days)" }),
            Err(IntegerError::NotWhole) => {
                Err(QuantityError::NotWhole { text: owned(), unit: "picoseconds", example: "2.5ns" })
            }
            Ok(_) | Err(IntegerError::NotNumber) => Err(QuantityError::Span { text: owned() }),
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_with_unit(self.0.0, &Self::UNITS, f)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_with_unit(self.0.0, &Self::UNITS, f)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.as_f64())
    }
}

/// Serde for a quantity that is text with a unit, or an integer.
macro_rules! text_quantity {
    ($name:ident, $expecting:literal) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Reader;
                impl Visitor<'_> for Reader {
                    type Value = $name;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expecting)
                    }
                    fn visit_str<E: de::Error>(self, text: &str) -> Result<$name, E> {
                        text.parse().map_err(E::custom)
                    }
                    fn visit_u64<E: de::Error>(self, number: u64) -> Result<$name, E> {
                        self.visit_str(&number.to_string())
                    }
                    fn visit_i64<E: de::Error>(self, number: i64) -> Result<$name, E> {
                        self.visit_str(&number.to_string())
                    }
                }
                deserializer.deserialize_any(Reader)
            }
        }
    };
}

/// JSON Schema for a quantity.
macro_rules! schema {
    ($name:ident, $schema:tt) => {
        impl JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    };
}

schema!(Size, {
    "description": "A size: bytes as an integer, or text such as \"128KiB\".",
    "anyOf": [{ "type": "integer", "minimum": 0 }, { "type": "string", "pattern": "^[0-9_]+(\\.[0-9_]+)?([eE]\\+?[0-9]+)? *(B|KiB|MiB|GiB)?$" }],
});
schema!(Span, {
    "description": "A time with its unit, such as \"10us\".",
    "anyOf": [{ "const": 0 }, { "type": "string", "pattern": "^(0|[0-9_]+(\\.[0-9_]+)?([eE]\\+?[0-9]+)? *(ps|ns|us|µs|μs|ms|s))$" }],
});
schema!(Share, { "type": "number", "exclusiveMinimum": 0, "maximum": 1 });
schema!(RateGbps, { "type": "number", "minimum": 0.001, "maximum": 4_000_000 });
text_quantity!(Size, "a size: bytes as an integer, or text such as \"128KiB\"");
text_quantity!(Span, "a time with its unit, such as \"10us\"");

impl Serialize for Share {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.as_f64())
    }
}

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_f64(f64::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

impl Serialize for RateGbps {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0.as_gbps_f64())
    }
}

impl<'de> Deserialize<'de> for RateGbps {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let gbps = f64::deserialize(deserializer)?;
        let mbps = scaled_integer(&gbps.to_string(), 1_000).ok().and_then(|mbps| u32::try_from(mbps).ok());
        match mbps.filter(|mbps| (1..=4_000_000_000).contains(mbps)) {
            Some(mbps) => Ok(Self(LinkRate(mbps))),
            None => Err(de::Error::custom(QuantityError::Rate { text: gbps.to_string() })),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_integers_or_text_with_a_binary_unit() {
        let read: Vec<Size> = serde_json::from_str(r#"[8, "8B", "128KiB", "1 MiB", "2GiB"]"#).expect("all are sizes");
        let bytes: Vec<u64> = read.iter().map(|size| size.0.0).collect();
        assert_eq!(bytes, [8, 8, 131_072, 1_048_576, 2_147_483_648]);
        assert_eq!(Size::kib(128).to_string(), "128KiB");
        assert_eq!(Size::bytes(0).to_string(), "0B");
    }

    #[test]
    fn a_bad_quantity_is_named_with_what_would_work() {
        for bad in ["\"128KB\"", "\"many\"", "-1", "\"-1KiB\"", "\"1..5KiB\"", "\"KiB\""] {
            let error = serde_json::from_str::<Size>(bad).expect_err("not a size").to_string();
            assert!(error.contains(bad.trim_matches('"')) && error.contains("128KiB"), "{error}");
        }
        let error = serde_json::from_str::<Span>("10").expect_err("a time needs a unit").to_string();
        assert!(error.contains("\"10\"") && error.contains("10us"), "{error}");
    }

    #[test]
    fn a_fraction_of_a_unit_is_exact_or_an_error() {
        for (text, bytes) in [("1.5KiB", 1_536), ("0.25MiB", 262_144), ("1e3B", 1_000), ("0x1B", 27), ("1_000", 1_000)]
        {
            assert_eq!(text.parse(), Ok(Size::bytes(bytes)), "{text}");
        }
        assert_eq!("18446744073709551615B".parse(), Ok(Size::bytes(u64::MAX)));
        for (text, ps) in [("2.5us", 2_500_000), ("0.001ns", 1), ("1e3 ns", 1_000_000), ("0.0", 0)] {
            assert_eq!(text.parse(), Ok(Span(Picoseconds(ps))), "{text}");
        }
        let error = "0.1KiB".parse::<Size>().expect_err("102.4 bytes").to_string();
        assert_eq!(error, "\"0.1KiB\" is not a whole number of bytes; one that is, such as \"1.5KiB\", would work");
        let error = "0.5ps".parse::<Span>().expect_err("half").to_string();
        assert!(error.contains("is not a whole number of picoseconds"), "{error}");
        assert!("5".parse::<Span>().is_err(), "a time needs a unit");
    }

    #[test]
    fn a_quantity_beyond_the_models_range_is_told_with_the_range() {
        let error = "100000000s".parse::<Span>().expect_err("three years").to_string();
        assert!(error.contains("too large") && error.contains("18446744s"), "{error}");
        assert_eq!("18446744s".parse::<Span>().map(|span| span.to_string()), Ok("18446744s".to_owned()));
        let error = "99999999999GiB".parse::<Size>().expect_err("too much").to_string();
        assert!(error.contains("16 EiB"), "{error}");
    }

    #[test]
    fn times_carry_their_unit_and_print_back() {
        for text in ["350ns", "10us", "2ms", "1s", "40ps"] {
            let span: Span = text.parse().expect("a time");
            assert_eq!(span.to_string(), text);
        }
        for micros in ["10us", "10µs", "10 \u{3bc}s"] {
            assert_eq!(micros.parse::<Span>(), Ok(Span::micros(10)), "{micros}");
        }
    }

    #[test]
    fn shares_outside_zero_to_one_are_refused() {
        assert_eq!(serde_json::from_str::<Share>("0.9").expect("a share").of(1_024), 921);
        assert!(serde_json::from_str::<Share>("0").is_err());
        assert!(serde_json::from_str::<Share>("1.01").is_err());
    }

    #[test]
    fn shares_and_rates_keep_every_digit_or_are_refused() {
        let share = |text: &str| serde_json::from_str::<Share>(text).expect(text);
        assert_eq!((share("0.4999999").of(8), share("0.5").of(8), share("1").of(8)), (3, 4, 8));
        assert_eq!(share("0.3333333333333333").of(3), 0, "a third, rounded down by the one who typed it");
        for text in ["0.4999999", "0.3333333333333333", "0.000001", "0.1", "0.7", "1.0", "0.9999999999999999"] {
            let written = serde_json::to_string(&share(text)).expect("a number");
            assert_eq!(share(&written), share(text), "{written}");
        }
        for millionths in 1..=1_000_000 {
            let share = Share::from_millionths(millionths).expect("in range");
            assert_eq!(share.of(1_000_000), millionths);
        }
        assert!(serde_json::from_str::<Share>("0.00001234567890123456").is_err(), "20 digits");
        let rate = |text: &str| serde_json::from_str::<RateGbps>(text).map_err(|error| error.to_string());
        assert_eq!(rate("100.001"), Ok(RateGbps(LinkRate(100_001))));
        for text in ["100.0001", "0", "0.0001", "4000000.001"] {
            let error = rate(text).expect_err(text);
            assert!(error.contains(text) && error.contains("three digits after the point"), "{error}");
        }
    }
}
