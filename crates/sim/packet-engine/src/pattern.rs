//! The pattern that an entry has for one field.

use crate::error::EngineError;
use crate::field::Field;
use crate::spec::{FieldValue, MatchKind};

/// A pattern for one field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FieldPattern {
    /// Every packet, including one without the field.
    Any,
    /// One value.
    Exact(u64),
    /// The values that equal `value` in the bits of `mask`.
    Masked {
        /// Value; no bit outside the mask is set.
        value: u64,
        mask: u64,
        /// Length of a prefix, where longer ones win; 0 for a ternary pattern.
        prefix: u32,
    },
    /// The values of a range, including both ends.
    Range {
        /// First.
        low: u64,
        /// Last.
        high: u64,
    },
}

impl FieldPattern {
    /// Whether it matches a field's value; `None` stands for a packet without the field.
    #[must_use]
    pub const fn matches(self, found: Option<u64>) -> bool {
        match (self, found) {
            (Self::Any, _) => true,
            (_, None) => false,
            (Self::Exact(value), Some(found)) => value == found,
            (Self::Masked { value, mask, .. }, Some(found)) => found & mask == value,
            (Self::Range { low, high }, Some(found)) => low <= found && found <= high,
        }
    }

    /// Length of its prefix; 0 if it is not one.
    pub(crate) const fn prefix(self) -> u32 {
        match self {
            Self::Masked { prefix, .. } => prefix,
            _ => 0,
        }
    }

    /// Reads a pattern.
    pub(crate) fn read(
        place: &str,
        field: Field,
        kind: MatchKind,
        written: &FieldValue,
        classes: &[String],
    ) -> Result<Self, EngineError> {
        let text = written.to_string();
        let text = text.trim();
        let wrong =
            |works: String| EngineError::value(place, format!("`{field}` ({kind})"), format!("\"{text}\""), works);
        let value = |part: &str| field.value(part.trim(), classes);
        let full = field.name.max();
        match kind {
            MatchKind::Exact => value(text).map(Self::Exact).map_err(wrong),
            MatchKind::Ternary => match text.split_once('&') {
                None => value(text)
                    .map(Self::Exact)
                    .map_err(|works| wrong(format!("{works}, or one with a mask, such as \"4&6\""))),
                Some((part, mask)) => {
                    let (found, mask) = (value(part).map_err(wrong)?, value(mask).map_err(wrong)?);
                    if found & !mask != 0 {
                        let works = format!(
                            "the value has bits that the mask leaves out: \"{:#x}&{mask:#x}\" would work",
                            found & mask
                        );
                        return Err(wrong(works));
                    }
                    Ok(Self::Masked { value: found, mask, prefix: 0 })
                }
            },
            MatchKind::Prefix => {
                let bits = field.name.bits();
                let Some((part, length)) = text.split_once('/') else {
                    let found = value(text)
                        .map_err(|works| wrong(format!("{works}, or one with a length, such as \"{text}/8\"")))?;
                    return Ok(Self::Masked { value: found, mask: full, prefix: bits });
                };
                let found = value(part).map_err(wrong)?;
                let length = length.trim().parse::<u32>().ok().filter(|&length| length <= bits);
                let length = length.ok_or_else(|| wrong(format!("a length of 0 to {bits} bits would work")))?;
                let mask = full & !(full.checked_shr(length).unwrap_or(0));
                if found & !mask != 0 {
                    let works =
                        format!("the value has bits behind its prefix: {:#x}/{length} would work", found & mask);
                    return Err(wrong(works));
                }
                Ok(Self::Masked { value: found, mask, prefix: length })
            }
            MatchKind::Range => match text.split_once('-') {
                None => value(text)
                    .map(|value| Self::Range { low: value, high: value })
                    .map_err(|works| wrong(format!("{works}, or two, such as \"1024-2047\""))),
                Some((low, high)) => {
                    let (low, high) = (value(low).map_err(wrong)?, value(high).map_err(wrong)?);
                    if low > high {
                        return Err(wrong(format!("the smaller value goes first: \"{high}-{low}\" would work")));
                    }
                    Ok(Self::Range { low, high })
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(field: &str, kind: MatchKind, text: &str) -> Result<FieldPattern, String> {
        let field = Field::find(field).unwrap();
        FieldPattern::read("table 't'", field, kind, &FieldValue::from(text), &[]).map_err(|error| error.to_string())
    }

    #[test]
    fn each_kind_matches_what_it_says() {
        let matches = |field, kind, text: &str, found: u64| read(field, kind, text).unwrap().matches(Some(found));
        assert!(matches("vlan.id", MatchKind::Exact, "7", 7) && !matches("vlan.id", MatchKind::Exact, "7", 6));
        assert!(matches("vlan.id", MatchKind::Ternary, "4&6", 5) && !matches("vlan.id", MatchKind::Ternary, "4&6", 6));
        let net = "10.1.0.0/16";
        assert!(matches("ip.src", MatchKind::Prefix, net, 0x0a01_ffff));
        assert!(!matches("ip.src", MatchKind::Prefix, net, 0x0a02_0000));
        assert!(matches("ip.src", MatchKind::Prefix, "0.0.0.0/0", 0xffff_ffff));
        assert!(!matches("ip.src", MatchKind::Prefix, "10.0.0.1/32", 0x0a00_0000));
        for (port, inside) in [(9, false), (10, true), (20, true), (21, false)] {
            assert_eq!(matches("l4.dport", MatchKind::Range, "10-20", port), inside);
        }
    }

    #[test]
    fn what_is_written_needs_the_field_and_what_is_not_does_not() {
        assert!(!read("ip.src", MatchKind::Prefix, "0.0.0.0/0").unwrap().matches(None));
        assert!(FieldPattern::Any.matches(None));
    }

    #[test]
    fn a_pattern_that_cannot_match_is_refused_with_one_that_can() {
        let error = |field, kind, text: &str| read(field, kind, text).unwrap_err();
        assert_eq!(
            error("ip.src", MatchKind::Prefix, "10.0.0.1/8"),
            "table 't': `ip.src` (prefix) is \"10.0.0.1/8\"; the value has bits behind its prefix: 0xa000000/8 would work"
        );
        assert!(error("vlan.id", MatchKind::Ternary, "5&4").contains("\"0x4&0x4\" would work"));
        assert!(error("l4.dport", MatchKind::Range, "20-10").contains("\"10-20\" would work"));
        assert!(error("l4.dport", MatchKind::Exact, "70000").contains("0 to 65535 would work"));
        assert!(error("ip.src", MatchKind::Prefix, "10.0.0.0/33").contains("0 to 32 bits"));
    }
}
