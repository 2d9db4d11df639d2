//! Patterns over xnames: `x1001c*r*j*`, `x[1000-1003]c0r*`, several of them separated by commas.
//!
//! A number is given, or `*` for any, or a list in brackets: `[1,3,5-7]`. The letters of a pattern
//! determine its kind. [`NamePattern::matches`] accepts names of this kind, and
//! [`NamePattern::covers`] also parts of the things that it matches.

use crate::fabric::PlannedFabric;
use crate::xname::{Xname, XnameKind, quoted};
use philae_units::{PortIndex, SwitchId};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Why a text is not a pattern.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{text}' is not a pattern of xnames: {found}; {works} would work")]
pub struct PatternError {
    text: String,
    /// The text found.
    found: String,
    /// The text that would work.
    works: String,
}

/// The numbers that a letter may have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Numbers {
    Any,
    /// From and to, both included.
    Ranges(Vec<(u16, u16)>),
}

impl Numbers {
    fn has(&self, number: u16) -> bool {
        match self {
            Self::Any => true,
            Self::Ranges(ranges) => ranges.iter().any(|(from, to)| (*from..=*to).contains(&number)),
        }
    }
}

/// A pattern of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NamePattern {
    kind: XnameKind,
    numbers: Vec<Numbers>,
}

impl NamePattern {
    /// The kind of names that it matches.
    #[must_use]
    pub const fn kind(&self) -> XnameKind {
        self.kind
    }

    /// Whether `name` is of its kind and its numbers fit.
    #[must_use]
    pub fn matches(&self, name: Xname) -> bool {
        name.kind() == self.kind
            && self.numbers.iter().enumerate().all(|(place, numbers)| numbers.has(name.number_at(place)))
    }

    /// Whether it matches `name`, or a thing that `name` is a part of.
    #[must_use]
    pub fn covers(&self, name: Xname) -> bool {
        name.ancestor(self.kind).is_some_and(|name| self.matches(name))
    }
}

fn numbers(text: &str, part: &str) -> Result<(Numbers, usize), PatternError> {
    let refused = |found: String, works: &str| PatternError { text: quoted(text), found, works: works.to_owned() };
    if part.starts_with('*') {
        return Ok((Numbers::Any, 1));
    }
    let one = |text: &str| {
        let digits = !text.is_empty() && text.len() <= 4 && text.bytes().all(|digit| digit.is_ascii_digit());
        digits.then(|| text.parse::<u16>().ok()).flatten()
    };
    let Some(inside) = part.strip_prefix('[') else {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let number = one(&part[..digits]).ok_or_else(|| {
            let at = part.chars().next().map_or("the end".to_owned(), |found| format!("'{found}'"));
            refused(format!("{at} where a number should be"), "a number of at most 4 digits, '*' or a list in brackets")
        })?;
        return Ok((Numbers::Ranges(vec![(number, number)]), digits));
    };
    let end =
        inside.find(']').ok_or_else(|| refused("a bracket that does not end".to_owned(), "']' after the list"))?;
    let mut ranges = Vec::new();
    for item in inside[..end].split(',') {
        let (from, to) = item.split_once('-').unwrap_or((item, item));
        match (one(from.trim()), one(to.trim())) {
            (Some(from), Some(to)) if from <= to => ranges.push((from, to)),
            _ => return Err(refused(format!("'{}' in brackets", quoted(item)), "a number, or two as in 3-7,")),
        }
    }
    Ok((Numbers::Ranges(ranges), end + 2))
}

impl FromStr for NamePattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let mut rest = text.trim();
        let (mut letters, mut found) = (Vec::new(), Vec::new());
        while let Some(letter) = rest.bytes().next() {
            if !letter.is_ascii_alphabetic() {
                let found = format!("'{}' where a letter should be", rest.chars().next().unwrap_or(' '));
                let works = "one of the letters x c r s b a l j p n h".to_owned();
                return Err(PatternError { text: quoted(text), found, works });
            }
            letters.push(letter.to_ascii_lowercase());
            let (number, length) = numbers(text, &rest[1..])?;
            found.push(number);
            rest = &rest[1 + length..];
        }
        let kind = XnameKind::of_letters(&letters).ok_or_else(|| PatternError {
            text: quoted(text),
            found: format!("the letters '{}'", quoted(&String::from_utf8_lossy(&letters))),
            works: XnameKind::ALL.map(XnameKind::letters).join(", "),
        })?;
        Ok(Self { kind, numbers: found })
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ((letter, ..), numbers) in self.kind.fields().iter().zip(&self.numbers) {
            write!(f, "{}", char::from(*letter))?;
            match numbers {
                Numbers::Any => f.write_str("*")?,
                Numbers::Ranges(ranges) => match ranges[..] {
                    [(from, to)] if from == to => write!(f, "{from}")?,
                    _ => {
                        let items = ranges.iter().map(|(from, to)| match from == to {
                            true => from.to_string(),
                            false => format!("{from}-{to}"),
                        });
                        write!(f, "[{}]", items.collect::<Vec<_>>().join(","))?;
                    }
                },
            }
        }
        Ok(())
    }
}

/// Patterns separated by commas; a name is selected if one of them matches.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NameSelector {
    patterns: Vec<NamePattern>,
}

impl NameSelector {
    #[must_use]
    pub fn patterns(&self) -> &[NamePattern] {
        &self.patterns
    }

    /// Whether one of the patterns matches.
    #[must_use]
    pub fn matches(&self, name: Xname) -> bool {
        self.patterns.iter().any(|pattern| pattern.matches(name))
    }

    /// Whether one of the patterns matches it or a thing that it is a part of.
    #[must_use]
    pub fn covers(&self, name: Xname) -> bool {
        self.patterns.iter().any(|pattern| pattern.covers(name))
    }
}

impl FromStr for NameSelector {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let mut patterns = Vec::new();
        let (mut depth, mut start) = (0_u32, 0);
        for (at, letter) in text.char_indices() {
            match letter {
                '[' => depth += 1,
                ']' => depth = depth.saturating_sub(1),
                ',' if depth == 0 => {
                    patterns.push(text[start..at].parse()?);
                    start = at + 1;
                }
                _ => {}
            }
        }
        patterns.push(text[start..].parse()?);
        Ok(Self { patterns })
    }
}

impl fmt::Display for NameSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.patterns.iter().map(NamePattern::to_string).collect::<Vec<_>>().join(","))
    }
}

impl PlannedFabric {
    /// The switches that a selector selects: by module, controller or ASIC, or by chassis or
    /// cabinet.
    pub fn select_switches<'a>(&'a self, selector: &'a NameSelector) -> impl Iterator<Item = SwitchId> + 'a {
        (0..self.switch_count())
            .map(SwitchId::from_index)
            .filter(|&switch| selector.covers(self.bmc_xname(switch)) || selector.covers(self.asic_xname(switch)))
    }

    /// The ports that a selector selects: by either of their names, or by a thing that they are a
    /// part of.
    pub fn select_ports<'a>(&'a self, selector: &'a NameSelector) -> impl Iterator<Item = PortIndex> + 'a {
        (0..self.switch_count()).map(SwitchId::from_index).flat_map(move |switch| {
            let ports = self.ports_of(switch);
            let by_bmc = selector.covers(self.bmc_xname(switch));
            ports.map(PortIndex).filter(move |&port| {
                by_bmc || selector.covers(self.link_xname(port)) || selector.covers(self.connector_port_xname(port))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn takes(pattern: &str, name: &str) -> bool {
        pattern.parse::<NamePattern>().expect("a pattern").matches(name.parse().expect("a name"))
    }

    #[test]
    fn stars_and_brackets() {
        assert!(takes("x1001c*r*j*", "x1001c3r7j9"));
        assert!(!takes("x1001c*r*j*", "x1002c3r7j9"));
        assert!(!takes("x1001c*r*j*", "x1001c3r7j9p0"), "another kind");
        assert!(
            "x1001c*r*j*".parse::<NamePattern>().expect("a pattern").covers("x1001c3r7j9p0".parse().expect("a name"))
        );
        assert!(takes("x[1000-1003]c0r*", "x1003c0r5"));
        assert!(!takes("x[1000-1003]c0r*", "x1004c0r5"));
        assert!(takes("x*c[0,2,4-6]s*b0n[0-1]", "x9c5s7b0n1"));
        let selector: NameSelector = "x1c[0,1]r*, x2".parse().expect("a selector");
        assert_eq!(selector.to_string(), "x1c[0,1]r*,x2");
        assert!(selector.covers("x2c0s0b0n0".parse().expect("a name")));
        assert!(selector.matches("x1c1r3".parse().expect("a name")));
        assert!(!selector.covers("x1c2r3".parse().expect("a name")));
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for (text, part) in [
            ("", "the letters ''"),
            ("x", "the end where a number should be"),
            ("x1q*", "the letters 'xq'"),
            ("x[1-", "a bracket that does not end"),
            ("x[3-1]", "'3-1' in brackets"),
            ("x[]", "'' in brackets"),
            ("x1 c0", "' ' where a letter should be"),
            ("x99999", "where a number should be"),
        ] {
            let error = text.parse::<NamePattern>().expect_err(text).to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parser_panic(text in "[xcrj\\[\\]*,0-9-]{0,24}|.{0,24}") {
            if let Ok(selector) = text.parse::<NameSelector>() {
                prop_assert_eq!(selector.to_string().parse::<NameSelector>(), Ok(selector));
            }
        }
    }
}
