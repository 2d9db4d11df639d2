//! Strict reading of JSON bodies: an object that has a key twice is ambiguous, and is refused.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Reads a JSON document whose objects have each key once (RFC 7493).
///
/// # Errors
/// When it is not JSON, or has a key twice, with the place.
pub(crate) fn read(bytes: &[u8]) -> Result<Value, serde_json::Error> {
    serde_json::from_slice::<Strict>(bytes).map(|strict| strict.0)
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader).map(Self)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number is too large"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut table = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if table.contains_key(&key) {
                return Err(A::Error::custom(format!("the key '{key}' is given twice")));
            }
            let Strict(value) = entries.next_value()?;
            table.insert(key, value);
        }
        Ok(Value::Object(table))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_ever_and_keys_that_are_there_twice_are_refused() {
        let text = br#" {"a": [1, -2, 3.5, true, null, "x\u00e9"], "b": {"a": 18446744073709551615}} "#;
        assert_eq!(read(text).expect("legal"), serde_json::from_slice::<Value>(text).expect("legal"));
        let wrong = read(br#"{"a": {"b": 1, "c": 2, "b": 3}}"#).expect_err("twice");
        assert!(wrong.to_string().contains("the key 'b' is given twice"), "{wrong}");
        for wrong in ["", "{", "{} {}", "[1,]", &"[".repeat(1_000)] {
            assert!(read(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }
}
