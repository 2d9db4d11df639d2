//! Numbers with a decimal point, stored as integers.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A positive number up to a million, stored in millionths so that arithmetic uses integers.
/// Written as a number: `0.8442`, `3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decimal(u64);

impl Decimal {
    /// Millionths in one.
    pub const ONE: u64 = 1_000_000;

    #[must_use]
    pub const fn from_millionths(millionths: u64) -> Self {
        Self(millionths)
    }

    #[must_use]
    pub const fn millionths(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 as f64 / 1e6)
    }
}

impl JsonSchema for Decimal {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Decimal".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0.000_001, "maximum": 1_000_000 })
    }
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0 as f64 / 1e6)
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        let millionths = philae_units::scaled_integer(&number.to_string(), Self::ONE).ok();
        let millionths = millionths.and_then(|millionths| u64::try_from(millionths).ok());
        millionths.filter(|millionths| (1..=1_000_000_000_000).contains(millionths)).map(Self).ok_or_else(|| {
            let works = "a number from 0.000001 to 1,000,000 with at most six digits after the point would work";
            de::Error::custom(format!("cannot use {number} here; {works}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_read_back_as_they_were_written_and_have_limits() {
        let read: Vec<Decimal> = serde_json::from_str("[0.8442, 3, 0.000001, 1000000]").expect("all are decimals");
        assert_eq!(
            read.iter().map(|decimal| decimal.millionths()).collect::<Vec<_>>(),
            [844_200, 3_000_000, 1, 1_000_000_000_000]
        );
        let text = serde_json::to_string(&read).expect("they are numbers");
        assert_eq!(serde_json::from_str::<Vec<Decimal>>(&text).expect("and read back"), read);
        for bad in ["0", "-1", "1000001", "1e300", "0.84420001"] {
            let error = serde_json::from_str::<Decimal>(bad).expect_err(bad).to_string();
            assert!(error.contains("0.000001 to 1,000,000"), "{error}");
        }
    }
}
