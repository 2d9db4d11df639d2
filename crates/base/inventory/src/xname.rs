//! Xnames: the geographic names of cabinets, chassis, switches, jacks, ports, nodes and NICs.
//!
//! ```text
//! xX                         cabinet             xXcCrRjJ        jack (connector)
//! xXcC                       chassis             xXcCrRjJpP      connector port
//! xXcCrR                     switch module       xXcCsS          node module
//! xXcCrRbB                   switch BMC, agent   xXcCsSbB        node BMC
//! xXcCrRaA                   switch ASIC         xXcCsSbBnN      node
//! xXcCrRaAlL                 link (ASIC port)    xXcCsSbBnNhH    HSN NIC
//! ```
//! Source: hms-xname's public table of names. Status: published. In that table H ends at 3, but
//! shipped nodes have eight NICs: here any byte is accepted. The table has no limits for R, S, B, N
//! and L; here they are a byte.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The kind of thing that an xname names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum XnameKind {
    /// `xX`.
    Cabinet,
    /// `xXcC`.
    Chassis,
    /// `xXcCrR`: a blade or a box with a switch.
    SwitchModule,
    /// `xXcCrRbB`: the controller of a switch, on which its agent runs.
    SwitchBmc,
    /// `xXcCrRaA`.
    SwitchAsic,
    /// `xXcCrRaAlL`: a port, by the ASIC's number.
    Link,
    /// `xXcCrRjJ`: a jack, into which a cable is plugged.
    Connector,
    /// `xXcCrRjJpP`: a port, by its jack.
    ConnectorPort,
    /// `xXcCsS`: a blade or a box with nodes.
    NodeModule,
    /// `xXcCsSbB`.
    NodeBmc,
    /// `xXcCsSbBnN`.
    Node,
    /// `xXcCsSbBnNhH`.
    Nic,
}

/// A letter, with the least and the largest number that may follow it.
type Field = (u8, u16, u16);

const CABINET: Field = (b'x', 0, 9_999);
const CHASSIS: Field = (b'c', 0, 7);
const SWITCH_SLOT: Field = (b'r', 0, 255);
const NODE_SLOT: Field = (b's', 0, 255);
const BMC: Field = (b'b', 0, 255);
const ASIC: Field = (b'a', 0, 3);
const LINK: Field = (b'l', 0, 255);
const JACK: Field = (b'j', 1, 255);
const JACK_PORT: Field = (b'p', 0, 2);
const NODE: Field = (b'n', 0, 255);
const NIC: Field = (b'h', 0, 255);

impl XnameKind {
    /// All kinds.
    pub const ALL: [Self; 12] = [
        Self::Cabinet,
        Self::Chassis,
        Self::SwitchModule,
        Self::SwitchBmc,
        Self::SwitchAsic,
        Self::Link,
        Self::Connector,
        Self::ConnectorPort,
        Self::NodeModule,
        Self::NodeBmc,
        Self::Node,
        Self::Nic,
    ];

    pub(crate) const fn fields(self) -> &'static [Field] {
        match self {
            Self::Cabinet => &[CABINET],
            Self::Chassis => &[CABINET, CHASSIS],
            Self::SwitchModule => &[CABINET, CHASSIS, SWITCH_SLOT],
            Self::SwitchBmc => &[CABINET, CHASSIS, SWITCH_SLOT, BMC],
            Self::SwitchAsic => &[CABINET, CHASSIS, SWITCH_SLOT, ASIC],
            Self::Link => &[CABINET, CHASSIS, SWITCH_SLOT, ASIC, LINK],
            Self::Connector => &[CABINET, CHASSIS, SWITCH_SLOT, JACK],
            Self::ConnectorPort => &[CABINET, CHASSIS, SWITCH_SLOT, JACK, JACK_PORT],
            Self::NodeModule => &[CABINET, CHASSIS, NODE_SLOT],
            Self::NodeBmc => &[CABINET, CHASSIS, NODE_SLOT, BMC],
            Self::Node => &[CABINET, CHASSIS, NODE_SLOT, BMC, NODE],
            Self::Nic => &[CABINET, CHASSIS, NODE_SLOT, BMC, NODE, NIC],
        }
    }

    /// Its letters: "xcrjp".
    #[must_use]
    pub fn letters(self) -> String {
        self.fields().iter().map(|(letter, ..)| char::from(*letter)).collect()
    }

    /// The name in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cabinet => "cabinet",
            Self::Chassis => "chassis",
            Self::SwitchModule => "switch module",
            Self::SwitchBmc => "switch BMC",
            Self::SwitchAsic => "switch ASIC",
            Self::Link => "link",
            Self::Connector => "connector",
            Self::ConnectorPort => "connector port",
            Self::NodeModule => "node module",
            Self::NodeBmc => "node BMC",
            Self::Node => "node",
            Self::Nic => "HSN NIC",
        }
    }

    /// The kind that contains it; `None` for a cabinet.
    #[must_use]
    pub const fn parent(self) -> Option<Self> {
        match self {
            Self::Cabinet => None,
            Self::Chassis => Some(Self::Cabinet),
            Self::SwitchModule | Self::NodeModule => Some(Self::Chassis),
            Self::SwitchBmc | Self::SwitchAsic | Self::Connector => Some(Self::SwitchModule),
            Self::Link => Some(Self::SwitchAsic),
            Self::ConnectorPort => Some(Self::Connector),
            Self::NodeBmc => Some(Self::NodeModule),
            Self::Node => Some(Self::NodeBmc),
            Self::Nic => Some(Self::Node),
        }
    }

    /// The kind with these letters.
    pub(crate) fn of_letters(letters: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.fields().iter().map(|field| field.0).eq(letters.iter().copied()))
    }
}

/// Why a text is not an xname, or is of the wrong kind.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum XnameError {
    /// A letter or a number is missing, or there is extra text.
    #[error("'{text}' is not an xname: {found} at character {position}; {works} would work")]
    Form {
        text: String,
        /// The position, from 0.
        position: usize,
        /// The text found there, in words.
        found: String,
        /// The text that would work there.
        works: &'static str,
    },
    /// A number is out of the range of its letter.
    #[error("{found} after '{letter}' in '{text}' is out of range; {least} to {most} would work")]
    Range {
        text: String,
        /// The letter before the number.
        letter: char,
        /// The number.
        found: String,
        /// The least valid number.
        least: u16,
        /// The largest valid number.
        most: u16,
    },
    /// The letters have an order that no kind has.
    #[error("'{text}' has the letters {letters}, which are not the name of a part; {works} would work")]
    Letters {
        text: String,
        letters: String,
        /// Forms with the same beginning.
        works: String,
    },
    /// The xname is of another kind than the one asked for.
    #[error("{text} is a {found}; a {wanted} would work")]
    Kind {
        /// The xname.
        text: String,
        /// Its kind, in words.
        found: &'static str,
        /// The kind asked for.
        wanted: &'static str,
    },
}

/// The name of a thing in a cabinet. Small, `Copy`, ordered by kind and then by its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Xname {
    kind: XnameKind,
    cabinet: u16,
    /// The numbers after the cabinet's; those that the kind does not have are 0.
    rest: [u8; 5],
}

const _: () = assert!(size_of::<Xname>() == 8);

/// The most characters of a text that a message repeats.
const QUOTED_MAX: usize = 64;

pub(crate) fn quoted(text: &str) -> String {
    if text.chars().count() <= QUOTED_MAX {
        return text.to_owned();
    }
    text.chars().take(QUOTED_MAX).chain("...".chars()).collect()
}

impl Xname {
    /// A name of this kind with these numbers, one for each letter of the kind.
    ///
    /// # Errors
    /// [`XnameError::Range`], [`XnameError::Form`].
    pub fn new(kind: XnameKind, numbers: &[u16]) -> Result<Self, XnameError> {
        let fields = kind.fields();
        if numbers.len() != fields.len() {
            return Err(XnameError::Form {
                text: format!("{numbers:?}"),
                position: numbers.len().min(fields.len()),
                found: format!("{} numbers for a {}", numbers.len(), kind.name()),
                works: "one number for each letter",
            });
        }
        let mut name = Self { kind, cabinet: 0, rest: [0; 5] };
        for (index, (&(letter, least, most), &number)) in fields.iter().zip(numbers).enumerate() {
            if number < least || number > most {
                let (text, letter) = (format!("{}{numbers:?}", kind.letters()), char::from(letter));
                return Err(XnameError::Range { text, letter, found: number.to_string(), least, most });
            }
            if index == 0 {
                name.cabinet = number;
            } else {
                name.rest[index - 1] = number as u8;
            }
        }
        Ok(name)
    }

    /// Also reads the dotted form: `x3000.c0.r15.j13`, as in the point-to-point cabling file.
    ///
    /// # Errors
    /// As [`str::parse`].
    pub fn parse_dotted(text: &str) -> Result<Self, XnameError> {
        text.replace('.', "").parse()
    }

    /// The dotted form.
    #[must_use]
    pub fn dotted(&self) -> String {
        let plain = self.to_string();
        let mut out = String::with_capacity(plain.len() + 6);
        for letter in plain.chars() {
            if letter.is_ascii_alphabetic() && !out.is_empty() {
                out.push('.');
            }
            out.push(letter);
        }
        out
    }

    #[must_use]
    pub const fn kind(&self) -> XnameKind {
        self.kind
    }

    /// The number after a letter; `None` if this kind has no such letter.
    #[must_use]
    pub fn number(&self, letter: char) -> Option<u16> {
        let at = self.kind.fields().iter().position(|field| char::from(field.0) == letter)?;
        Some(self.number_at(at))
    }

    pub(crate) fn number_at(&self, place: usize) -> u16 {
        if place == 0 { self.cabinet } else { u16::from(self.rest[place - 1]) }
    }

    /// The thing that contains it: the jack of a connector port, the cabinet of a chassis.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        self.cut(self.kind.parent()?)
    }

    /// The thing of this kind that contains it, or itself.
    #[must_use]
    pub fn ancestor(&self, kind: XnameKind) -> Option<Self> {
        let mut at = *self;
        while at.kind != kind {
            at = at.parent()?;
        }
        Some(at)
    }

    fn cut(&self, kind: XnameKind) -> Option<Self> {
        let mut out = Self { kind, cabinet: self.cabinet, rest: [0; 5] };
        let kept = kind.fields().len() - 1;
        out.rest[..kept].copy_from_slice(&self.rest[..kept]);
        Some(out)
    }

    /// A part of it: `xXcCrR` with (`Connector`, 13) is `xXcCrRj13`.
    ///
    /// # Errors
    /// [`XnameError::Kind`] if `kind` is no direct part of this kind, [`XnameError::Range`].
    pub fn child(&self, kind: XnameKind, number: u16) -> Result<Self, XnameError> {
        if kind.parent() != Some(self.kind) {
            let wanted = kind.parent().unwrap_or(kind).name();
            return Err(XnameError::Kind { text: self.to_string(), found: self.kind.name(), wanted });
        }
        let place = kind.fields().len() - 1;
        let (letter, least, most) = kind.fields()[place];
        if number < least || number > most {
            let (text, letter) = (format!("{self}{}{number}", char::from(letter)), char::from(letter));
            return Err(XnameError::Range { text, letter, found: number.to_string(), least, most });
        }
        let mut out = Self { kind, ..*self };
        out.rest[place - 1] = number as u8;
        Ok(out)
    }

    /// Itself if it is of this kind.
    ///
    /// # Errors
    /// [`XnameError::Kind`].
    pub fn expect_kind(self, kind: XnameKind) -> Result<Self, XnameError> {
        if self.kind == kind {
            return Ok(self);
        }
        Err(XnameError::Kind { text: self.to_string(), found: self.kind.name(), wanted: kind.name() })
    }
}

impl fmt::Display for Xname {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (letter, ..)) in self.kind.fields().iter().enumerate() {
            write!(f, "{}{}", char::from(*letter), self.number_at(place))?;
        }
        Ok(())
    }
}

impl FromStr for Xname {
    type Err = XnameError;

    /// Accepts upper-case letters and leading zeros; the printed form has neither.
    fn from_str(text: &str) -> Result<Self, XnameError> {
        let mut letters = Vec::new();
        let mut numbers = Vec::new();
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let form = |position: usize, works| {
                let found = text.get(position..).and_then(|rest| rest.chars().next());
                let found = found.map_or_else(|| "the end".to_owned(), |letter| format!("'{letter}'"));
                XnameError::Form { text: quoted(text), position, found, works }
            };
            if !bytes[at].is_ascii_alphabetic() || (at == 0 && !bytes[at].eq_ignore_ascii_case(&b'x')) {
                return Err(form(
                    at,
                    if at == 0 { "'x' and the number of a cabinet" } else { "a letter, or nothing," },
                ));
            }
            let letter = bytes[at].to_ascii_lowercase();
            at += 1;
            let digits = bytes[at..].iter().take_while(|digit| digit.is_ascii_digit()).count();
            if digits == 0 {
                return Err(form(at, "a decimal number"));
            }
            let number = &text[at..at + digits];
            at += digits;
            letters.push(letter);
            numbers.push(number);
        }
        let known = XnameKind::of_letters(&letters).ok_or_else(|| unknown_letters(text, &letters))?;
        let mut name = Self { kind: known, cabinet: 0, rest: [0; 5] };
        for (place, (&(letter, least, most), found)) in known.fields().iter().zip(&numbers).enumerate() {
            let wide = place == 0 && found.len() > 4;
            let number = found.parse::<u16>().ok().filter(|number| !wide && (least..=most).contains(number));
            let Some(number) = number else {
                let (text, letter) = (quoted(text), char::from(letter));
                return Err(XnameError::Range { text, letter, found: quoted(found), least, most });
            };
            if place == 0 {
                name.cabinet = number;
            } else {
                name.rest[place - 1] = number as u8;
            }
        }
        Ok(name)
    }
}

fn unknown_letters(text: &str, letters: &[u8]) -> XnameError {
    let asked = quoted(&String::from_utf8_lossy(letters));
    if letters.is_empty() {
        let (position, found) = (0, "the end".to_owned());
        return XnameError::Form { text: String::new(), position, found, works: "'x' and the number of a cabinet" };
    }
    // Forms with the longest common beginning.
    let common =
        |kind: XnameKind| kind.fields().iter().zip(letters).take_while(|(field, letter)| field.0 == **letter).count();
    let longest = XnameKind::ALL.into_iter().map(common).max().unwrap_or(0);
    let works = XnameKind::ALL
        .into_iter()
        .filter(|kind| common(*kind) == longest)
        .map(|kind| format!("{} ({})", kind.letters(), kind.name()))
        .collect::<Vec<_>>()
        .join(", ");
    XnameError::Letters { text: quoted(text), letters: asked, works }
}

impl serde::Serialize for Xname {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Xname {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn refused(text: &str) -> String {
        text.parse::<Xname>().expect_err("not an xname").to_string()
    }

    #[test]
    fn published_names_are_read() {
        for (text, kind) in [
            ("x3000", XnameKind::Cabinet),
            ("x9000c1", XnameKind::Chassis),
            ("x3000c0r41", XnameKind::SwitchModule),
            ("x1001c6r3b0", XnameKind::SwitchBmc),
            ("x9000c1r3a0", XnameKind::SwitchAsic),
            ("x9000c1r3a0l58", XnameKind::Link),
            ("x3000c0r15j13", XnameKind::Connector),
            ("x3000c0r41j13p0", XnameKind::ConnectorPort),
            ("x1000c7s7", XnameKind::NodeModule),
            ("x1000c7s7b1", XnameKind::NodeBmc),
            ("x1000c7s7b1n1", XnameKind::Node),
            ("x1000c7s7b1n1h7", XnameKind::Nic),
        ] {
            let name = text.parse::<Xname>().expect("published");
            assert_eq!((name.kind(), name.to_string().as_str()), (kind, text));
            assert_eq!(Xname::parse_dotted(&name.dotted()), Ok(name));
        }
        assert_eq!("x3000c0r15j13".parse::<Xname>().expect("a jack").dotted(), "x3000.c0.r15.j13");
        assert_eq!("X0100C0".parse::<Xname>().expect("a chassis").to_string(), "x100c0");
    }

    #[test]
    fn what_is_no_name_is_refused_with_what_would_be() {
        assert_eq!(
            refused(""),
            "'' is not an xname: the end at character 0; 'x' and the number of a cabinet would work"
        );
        assert_eq!(
            refused("c0"),
            "'c0' is not an xname: 'c' at character 0; 'x' and the number of a cabinet would work"
        );
        assert_eq!(refused("x"), "'x' is not an xname: the end at character 1; a decimal number would work");
        assert_eq!(refused("x1000c8"), "8 after 'c' in 'x1000c8' is out of range; 0 to 7 would work");
        assert_eq!(refused("x10000"), "10000 after 'x' in 'x10000' is out of range; 0 to 9999 would work");
        assert_eq!(refused("x1c0r0j0"), "0 after 'j' in 'x1c0r0j0' is out of range; 1 to 255 would work");
        assert_eq!(refused("x1c0r0j1p3"), "3 after 'p' in 'x1c0r0j1p3' is out of range; 0 to 2 would work");
        assert_eq!(refused("x1c0r0a4"), "4 after 'a' in 'x1c0r0a4' is out of range; 0 to 3 would work");
        assert_eq!(
            refused("x1c0r0j1l3"),
            "'x1c0r0j1l3' has the letters xcrjl, which are not the name of a part; xcrj (connector), xcrjp (connector port) would work"
        );
        assert!(refused("x1c0 ").contains("' ' at character 4; a letter, or nothing, would work"));
        let error = "x1c0".parse::<Xname>().expect("a chassis").expect_kind(XnameKind::Node);
        assert_eq!(error.expect_err("a chassis").to_string(), "x1c0 is a chassis; a node would work");
    }

    #[test]
    fn parts_know_what_they_are_parts_of() {
        let port: Xname = "x3000c0r41j13p0".parse().expect("a port");
        let chain = std::iter::successors(Some(port), Xname::parent).map(|name| name.to_string());
        assert_eq!(chain.collect::<Vec<_>>(), ["x3000c0r41j13p0", "x3000c0r41j13", "x3000c0r41", "x3000c0", "x3000"]);
        let module = port.ancestor(XnameKind::SwitchModule).expect("of a switch");
        assert_eq!(module.child(XnameKind::SwitchBmc, 0).expect("fits").to_string(), "x3000c0r41b0");
        assert!(module.child(XnameKind::Link, 0).is_err(), "a link is a part of an ASIC");
        assert!(port.ancestor(XnameKind::Node).is_none());
        assert_eq!(port.number('j'), Some(13));
        assert_eq!(port.number('h'), None);
    }

    pub(crate) fn any_name() -> impl Strategy<Value = Xname> {
        (0..XnameKind::ALL.len(), any::<[u16; 6]>()).prop_map(|(kind, numbers)| {
            let kind = XnameKind::ALL[kind];
            let numbers = kind.fields().iter().zip(numbers);
            let numbers: Vec<u16> =
                numbers.map(|((_, least, most), number)| least + number % (most - least + 1)).collect();
            Xname::new(kind, &numbers).expect("in range")
        })
    }

    proptest! {
        #[test]
        fn every_name_is_read_back(name in any_name()) {
            prop_assert_eq!(name.to_string().parse::<Xname>(), Ok(name));
            prop_assert_eq!(Xname::parse_dotted(&name.dotted()), Ok(name));
            let json = serde_json::to_string(&name).expect("a string");
            prop_assert_eq!(serde_json::from_str::<Xname>(&json).expect("written by us"), name);
        }

        #[test]
        fn no_text_makes_the_parser_panic(text in "[xcrsbaljpnhX0-9.ü -]{0,24}|.{0,24}") {
            if let Ok(name) = text.parse::<Xname>() {
                prop_assert_eq!(name.to_string().parse::<Xname>(), Ok(name));
            }
            let _ = Xname::parse_dotted(&text);
        }
    }
}
