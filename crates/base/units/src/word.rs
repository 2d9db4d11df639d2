//! The words of a choice, for messages.

use std::fmt::Debug;

/// The word of a choice as a scenario writes it: `sendrecv-replace` for `SendrecvReplace`. Readers
/// of a message do not know the names of Rust's types and variants.
#[must_use]
pub fn word(choice: impl Debug) -> String {
    let name = format!("{choice:?}");
    let mut word = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !word.is_empty() {
            word.push('-');
        }
        word.push(letter.to_ascii_lowercase());
    }
    word
}

/// A count with its noun: `1 run`, `1,234 runs`, `2 switches`, `3 entries`. The last word of `one`
/// takes the plural.
#[must_use]
pub fn counted(number: impl TryInto<u64>, one: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    let mut digits = number.to_string();
    for place in (1..digits.len()).rev().filter(|place| (digits.len() - place).is_multiple_of(3)).collect::<Vec<_>>() {
        digits.insert(place, ',');
    }
    if number == 1 {
        return format!("1 {one}");
    }
    let many = match one {
        _ if ["ch", "sh", "s", "x"].iter().any(|end| one.ends_with(end)) => format!("{one}es"),
        _ if one.ends_with('y') && !one.ends_with("ay") => format!("{}ies", &one[..one.len() - 1]),
        _ => format!("{one}s"),
    };
    format!("{digits} {many}")
}

/// A reader's error about a TOML, JSON or YAML value, without the names of Rust's types:
/// `"x" is text; a whole number would work` instead of `invalid type: string "x", expected u32`.
#[must_use]
pub fn plain(message: &str) -> String {
    message.split('\n').map(plain_line).collect::<Vec<_>>().join("\n")
}

fn plain_line(line: &str) -> String {
    // The JSON reader appends the place to the message, on the same line.
    let (said, place) = match line.find(" at line ") {
        Some(at) => line.split_at(at),
        None => (line, ""),
    };
    plain_said(said).map_or_else(|| line.to_owned(), |plain| plain + place)
}

fn plain_said(said: &str) -> Option<String> {
    // Readers may put the place in front of the message.
    for start in
        ["invalid type: ", "invalid value: ", "invalid length ", "unknown field ", "unknown variant ", "missing field "]
    {
        if let Some(at) = said.find(start).filter(|&at| at > 0) {
            return Some(said[..at].to_owned() + &plain_said(&said[at..])?);
        }
    }
    if let Some(rest) = said.strip_prefix("invalid type: ").or_else(|| said.strip_prefix("invalid value: ")) {
        let (found, wanted) = rest.split_once(", expected ")?;
        return Some(format!("{} would work, not {}", expected(wanted), found_kind(found)));
    }
    if let Some(rest) = said.strip_prefix("invalid length ") {
        let (found, wanted) = rest.split_once(", expected ")?;
        return Some(format!("{} would work, not {found} of them", expected(wanted)));
    }
    if let Some(rest) = said.strip_prefix("unknown field ") {
        let (found, known) = rest.split_once(", ")?;
        return Some(format!("unknown key {found}; {}", listed("keys", "no key is known here", known)));
    }
    if let Some(rest) = said.strip_prefix("unknown variant ") {
        let (found, known) = rest.split_once(", ")?;
        return Some(format!("{found} is not known; {}", listed("one of", "nothing would work", known)));
    }
    if let Some(found) = said.strip_prefix("missing field ") {
        return Some(format!("{found} is missing"));
    }
    if said.starts_with("data did not match any variant of untagged enum") {
        return Some("it has none of the forms that would work".to_owned());
    }
    None
}

/// `keys: a, b` of "expected one of `a`, `b`".
fn listed(title: &str, none: &str, known: &str) -> String {
    let known = known.strip_prefix("expected ").unwrap_or(known);
    let known = known.strip_prefix("one of ").unwrap_or(known);
    if known.starts_with("there are no") {
        none.to_owned()
    } else {
        format!("{title}: {}", known.replace(" or ", ", ").replace('`', ""))
    }
}

/// The expected kind of value, in words.
fn expected(wanted: &str) -> String {
    let number = |bits: u32| format!("a whole number from 0 to {}", u64::MAX >> (64 - bits));
    match wanted {
        "u8" => number(8),
        "u16" => number(16),
        "u32" => number(32),
        "u64" | "usize" => "a whole number from 0".to_owned(),
        "i8" | "i16" | "i32" | "i64" | "isize" | "i128" | "u128" => "a whole number".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "a string" | "string" | "str" | "a borrowed string" | "char" | "a character" => "text".to_owned(),
        "a boolean" | "bool" => "true or false".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "a table".to_owned(),
        "unit" | "null" => "nothing".to_owned(),
        _ if wanted.starts_with("struct ") || wanted.starts_with("internally tagged ") => "a table".to_owned(),
        _ if wanted.starts_with("tuple ") || wanted.starts_with("a tuple ") || wanted.starts_with("an array ") => {
            "a list".to_owned()
        }
        _ if wanted.contains("enum ")
            || wanted.contains("variant")
            || wanted == "string or table"
            || wanted == "string or map" =>
        {
            "a word or a table".to_owned()
        }
        _ => wanted.to_owned(),
    }
}

/// The kind of value that a reader found, in words.
fn found_kind(found: &str) -> String {
    let quoted = |prefix: &str| found.strip_prefix(prefix).map(|value| value.trim_matches('`').to_owned());
    match found {
        "map" => "a table".to_owned(),
        "sequence" => "a list".to_owned(),
        "null" | "unit value" | "Option value" => "nothing".to_owned(),
        _ if found.contains("variant") => "a word".to_owned(),
        _ => ["integer ", "floating point ", "boolean ", "string ", "character "]
            .into_iter()
            .find_map(quoted)
            .unwrap_or_else(|| found.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_has_the_word_of_the_file() {
        #[derive(Debug)]
        enum Way {
            Auto,
            SendrecvReplace,
        }
        assert_eq!((word(Way::Auto), word(Way::SendrecvReplace)), ("auto".to_owned(), "sendrecv-replace".to_owned()));
    }

    #[test]
    fn one_thing_is_no_plural() {
        for (number, one, said) in [
            (0_u64, "run", "0 runs"),
            (1, "run", "1 run"),
            (2, "switch", "2 switches"),
            (3, "entry", "3 entries"),
            (4, "way", "4 ways"),
            (1_000, "process", "1,000 processes"),
            (12_345_678, "packet hop", "12,345,678 packet hops"),
        ] {
            assert_eq!(counted(number, one), said);
        }
        assert_eq!((counted(1_usize, "job"), counted(2_i32, "job")), ("1 job".to_owned(), "2 jobs".to_owned()));
    }

    #[test]
    fn what_readers_say_has_no_types_of_rust() {
        for (said, plain_words) in [
            ("invalid type: string \"x\", expected u32", "a whole number from 0 to 4294967295 would work, not \"x\""),
            ("invalid type: integer `5`, expected struct Dragonfly", "a table would work, not 5"),
            (
                "invalid type: map, expected a sequence at line 3 column 7",
                "a list would work, not a table at line 3 column 7",
            ),
            ("invalid value: integer `-1`, expected u8", "a whole number from 0 to 255 would work, not -1"),
            ("invalid length 3, expected an array of length 2", "a list would work, not 3 of them"),
            ("unknown field `radixx`, expected one of `name`, `radix`", "unknown key `radixx`; keys: name, radix"),
            ("unknown variant `glas`, expected `copper` or `optical`", "`glas` is not known; one of: copper, optical"),
            ("missing field `name` at line 1 column 2", "`name` is missing at line 1 column 2"),
            ("data did not match any variant of untagged enum Links", "it has none of the forms that would work"),
            ("groups[0]: invalid type: string \"x\", expected f64", "groups[0]: a number would work, not \"x\""),
            ("the edge links run at 0 Gb/s", "the edge links run at 0 Gb/s"),
        ] {
            assert_eq!(plain(said), plain_words);
        }
    }
}
