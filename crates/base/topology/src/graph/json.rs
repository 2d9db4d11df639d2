//! Reads JSON of other tools: Python's words for missing numbers, and no key twice.

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::borrow::Cow;
use std::fmt;

/// Reads a document.
///
/// # Errors
/// The error with its line and column: JSON's own, or a key that an object has twice.
pub(super) fn read(text: &str) -> Result<Value, String> {
    let strict: Strict = serde_json::from_str(&with_nulls(text)).map_err(|error| error.to_string())?;
    Ok(strict.0)
}

/// Replaces `NaN`, `Infinity` and `-Infinity` outside of texts: Python's `json` writes them for
/// numbers that JSON does not have. NaN is a missing value; an infinite one becomes a text, which
/// is no number.
fn with_nulls(text: &str) -> Cow<'_, str> {
    const WORDS: [(&str, &str); 3] = [("NaN", "null"), ("-Infinity", "\"-Infinity\""), ("Infinity", "\"Infinity\"")];
    if !WORDS.iter().any(|(word, _)| text.contains(word)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut in_text) = (text, false);
    while let Some(letter) = rest.chars().next() {
        let word = WORDS.iter().find(|(word, _)| !in_text && rest.starts_with(word));
        let length = match (word, letter) {
            (Some((word, instead)), _) => {
                out += instead;
                rest = &rest[word.len()..];
                continue;
            }
            // An escaped letter of a text stays with its backslash.
            (None, '\\') if in_text => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            (None, '"') => {
                in_text = !in_text;
                1
            }
            (None, _) => letter.len_utf8(),
        };
        out += &rest[..length];
        rest = &rest[length..];
    }
    Cow::Owned(out)
}

/// A value whose objects have each key once.
struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Strict;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON")
            }
            fn visit_unit<E>(self) -> Result<Strict, E> {
                Ok(Strict(Value::Null))
            }
            fn visit_bool<E>(self, value: bool) -> Result<Strict, E> {
                Ok(Strict(value.into()))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Strict, E> {
                Ok(Strict(value.into()))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Strict, E> {
                Ok(Strict(value.into()))
            }
            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Strict, E> {
                let number = Number::from_f64(value).ok_or_else(|| E::custom("a number without end"))?;
                Ok(Strict(Value::Number(number)))
            }
            fn visit_str<E>(self, value: &str) -> Result<Strict, E> {
                Ok(Strict(value.into()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Strict, A::Error> {
                let mut values = Vec::new();
                while let Some(Strict(value)) = list.next_element()? {
                    values.push(value);
                }
                Ok(Strict(Value::Array(values)))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Strict, A::Error> {
                let mut object = Map::new();
                while let Some(key) = map.next_key::<String>()? {
                    let Strict(value) = map.next_value()?;
                    if object.insert(key.clone(), value).is_some() {
                        return Err(de::Error::custom(format!("the key `{key}` twice; once would work")));
                    }
                }
                Ok(Strict(Value::Object(object)))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_python_for_numbers_are_missing_values_and_texts_keep_them() {
        let read = read(r#"{"a": NaN, "b": -Infinity, "c": "NaN \" Infinity", "d": [NaN, 1.5]}"#).expect("readable");
        assert_eq!(read, serde_json::json!({"a": null, "b": "-Infinity", "c": "NaN \" Infinity", "d": [null, 1.5]}));
    }

    #[test]
    fn a_key_twice_and_a_document_that_ends_early_are_errors_with_their_place() {
        let error = read("{\"a\": {\"rate\": 1,\n \"rate\": 2}}").expect_err("twice");
        assert!(error.contains("`rate` twice") && error.contains("line 2"), "{error}");
        for wrong in ["{\"a\": [1, 2", "{} {}", "{\"a\": 1e999}"] {
            assert!(read(wrong).expect_err(wrong).contains("line 1"), "{wrong}");
        }
    }
}
