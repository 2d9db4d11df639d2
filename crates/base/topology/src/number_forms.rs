//! Whole numbers with a point or an exponent, such as `2.0` and `2e0`, in the text of a system.
//!
//! Readers of TOML and JSON take them for fractions. Here they become digits in the text itself, so
//! that errors still name the line.

use philae_units::integer;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Reads a text. If it is refused, it is read again with every whole number in digits.
///
/// # Errors
/// Those of `read`.
pub(crate) fn read_whole<T>(
    text: &str,
    numbers: fn(&str) -> Vec<Range<usize>>,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<T, String> {
    read(text).or_else(|error| {
        let found = read(&in_digits(text, numbers(text)));
        // The first error shows the text as it was typed.
        if error.contains("floating point") { found } else { found.map_err(|_| error) }
    })
}

/// The places of TOML's floating-point numbers.
pub(crate) fn of_toml(text: &str) -> Vec<Range<usize>> {
    fn collect(value: &Spanned<DeValue<'_>>, found: &mut Vec<Range<usize>>) {
        match value.get_ref() {
            DeValue::Float(_) => found.push(value.span()),
            DeValue::Array(list) => list.iter().for_each(|entry| collect(entry, found)),
            DeValue::Table(table) => table.iter().for_each(|(_, entry)| collect(entry, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    if let Ok(parsed) = DeTable::parse(text) {
        parsed.get_ref().iter().for_each(|(_, value)| collect(value, &mut found));
    }
    found.sort_by_key(|place| place.start);
    found
}

/// The places of JSON's numbers.
pub(crate) fn of_json(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                at += 1;
                while bytes.get(at).is_some_and(|&byte| byte != b'"') {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            b'-' | b'0'..=b'9' => {
                let rest = bytes[at..].iter();
                let length = rest.take_while(|byte| byte.is_ascii_digit() || b".eE+-".contains(byte)).count();
                found.push(at..at + length);
                at += length;
            }
            _ => at += 1,
        }
    }
    found
}

/// The text with whole numbers in digits. Columns stay where the digits are no longer than the
/// number was.
fn in_digits(text: &str, places: Vec<Range<usize>>) -> String {
    let (mut written, mut end) = (String::with_capacity(text.len()), 0);
    for place in places {
        written += &text[end..place.start];
        let typed = &text[place.clone()];
        let whole = integer(typed).ok().map(|whole| format!("{whole:<width$}", width = typed.len()));
        written += whole.as_deref().unwrap_or(typed);
        end = place.end;
    }
    written + &text[end..]
}

#[cfg(test)]
mod tests {
    use crate::SystemDescription;

    #[test]
    fn a_whole_number_has_every_form_in_toml_and_json() {
        let toml = "name = \"2.0\"\n[graph]\nswitches = 2.0\nendpoints_per_switch = 0x2 # 1.0\n\
                    links = [{ between = [0.0, 1e0], length_m = 2.5, rate_gbps = 2e2 }]\n";
        let system = SystemDescription::parse(toml).expect("TOML");
        let graph = system.graph.as_ref().expect("a graph");
        assert_eq!((system.name.as_str(), graph.switches, graph.endpoints_per_switch), ("2.0", 2, 2));
        assert_eq!((graph.links[0].between, graph.links[0].length_m), ([0, 1], Some(2.5)));
        let json = r#"{"name": "a\"2.0", "graph": {"switches": 2e0, "endpoints_per_switch": 2,
            "links": [{"between": [0.0, 1.0], "length_m": 2.5, "rate_gbps": 200.0}]}}"#;
        let read = SystemDescription::parse(json).expect("JSON");
        assert_eq!((read.name.as_str(), read.graph), ("a\"2.0", system.graph));
    }

    #[test]
    fn a_fraction_is_refused_with_its_line() {
        let error = SystemDescription::parse("name = \"x\"\n[graph]\nlinks = []\nswitches = 2.5\n");
        let error = error.expect_err("half a switch").to_string();
        assert!(error.contains("line 4") && error.contains("2.5"), "{error}");
        let json = "{\"name\": \"x\",\n\"graph\": {\"links\": [],\n\"switches\": 2.5}}";
        let error = SystemDescription::parse(json).expect_err("half a switch").to_string();
        assert!(error.contains("line 3") && error.contains("2.5"), "{error}");
    }
}
