//! The agreement of two ports of a link on the enhancements that each can do.
//!
//! Each port advertises a set in an LLDP entry of its own. Both then compute the same agreement:
//! what both can do, except what needs something that one of them lacks. A peer that advertises
//! nothing, or an unknown version, is standard Ethernet.
//!
//! | enhancement | needs | because |
//! |---|---|---|
//! | short frames, link retry, FGFC | nothing | each is useful alone; a lost FGFC pause is sent again or expires |
//! | no header | short frames | without one, small packets are shorter than 64 bytes, which a standard port discards |
//! | no gap | link retry | a receiver that lost the bounds of a frame finds the next one by the gap; without it, one damaged frame destroys others, which must be sent again |
//! | credits | link retry | a lost credit is lost forever, and its buffer with it |
//!
//! ```
//! use philae_wire::negotiation::{Enhancement, Enhancements, agree};
//!
//! let theirs = Enhancements::ALL.without(Enhancement::LinkRetry);
//! let agreement = agree(Enhancements::ALL, theirs);
//! assert!(agreement.enabled.contains(Enhancement::ShortFrames));
//! assert!(!agreement.enabled.contains(Enhancement::Credits), "a lost credit would be lost forever");
//! ```
//!
//! Sources: De Sensi et al., SC'20, II-F, for the enhancements and that they mix with standard
//! Ethernet; IEEE 802.1AB for the form of the entry. Status: assumed for the entry's content, that
//! LLDP carries it, and the needs.

use crate::WireError;
use crate::bytes::{at_least, expect};
use crate::lldp::{ORGANISATION, Tlv, Tlvs};
use std::fmt;

const FORMAT: &str = "enhancement advertisement";

/// The organisation of our entry: a locally administered identifier, so that no device mistakes it
/// for its own.
///
/// Source: ours; IEEE 802c for the space. Status: assumed.
pub const OUI: [u8; 3] = [0x02, 0x70, 0x68];
/// The organisation's number for the entry. Source: ours. Status: assumed.
pub const SUBTYPE: u8 = 1;
/// The version that we speak. Source: ours. Status: assumed.
pub const VERSION: u8 = 1;
/// Bytes of the entry's value: OUI, subtype, version, set. Source: ours. Status: assumed.
pub const VALUE_LEN: usize = 6;

/// One capability of a link beyond standard Ethernet. The number is its bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Enhancement {
    /// Frames of 32 bytes.
    ShortFrames = 0,
    /// No gap between frames.
    NoGap = 1,
    /// IP packets without an Ethernet header.
    NoHeader = 2,
    /// Link-level retry.
    LinkRetry = 3,
    /// Credits instead of pauses.
    Credits = 4,
    /// Pauses for single flows.
    FlowControl = 5,
}

impl Enhancement {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::ShortFrames, Self::NoGap, Self::NoHeader, Self::LinkRetry, Self::Credits, Self::FlowControl];

    /// What the ports must also agree on.
    #[must_use]
    pub const fn needs(self) -> Option<Self> {
        match self {
            Self::ShortFrames | Self::LinkRetry | Self::FlowControl => None,
            Self::NoHeader => Some(Self::ShortFrames),
            Self::NoGap | Self::Credits => Some(Self::LinkRetry),
        }
    }
}

impl fmt::Display for Enhancement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ShortFrames => "short frames",
            Self::NoGap => "no gap",
            Self::NoHeader => "no header",
            Self::LinkRetry => "link retry",
            Self::Credits => "credits",
            Self::FlowControl => "FGFC",
        })
    }
}

/// A set of enhancements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Enhancements(u8);

impl Enhancements {
    /// Standard Ethernet.
    pub const NONE: Self = Self(0);
    /// All enhancements.
    pub const ALL: Self = Self(0x3f);

    /// Whether `enhancement` is in the set.
    #[must_use]
    pub const fn contains(self, enhancement: Enhancement) -> bool {
        self.0 >> enhancement as u8 & 1 == 1
    }

    /// The set with `enhancement`.
    #[must_use]
    pub const fn with(self, enhancement: Enhancement) -> Self {
        Self(self.0 | 1 << enhancement as u8)
    }

    /// The set without `enhancement`.
    #[must_use]
    pub const fn without(self, enhancement: Enhancement) -> Self {
        Self(self.0 & !(1 << enhancement as u8))
    }

    /// The intersection of two sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Its members, in order.
    pub fn iter(self) -> impl Iterator<Item = Enhancement> {
        Enhancement::ALL.into_iter().filter(move |enhancement| self.contains(*enhancement))
    }

    /// The value of an LLDP entry that advertises the set.
    #[must_use]
    pub const fn advertise(self) -> [u8; VALUE_LEN] {
        [OUI[0], OUI[1], OUI[2], SUBTYPE, VERSION, self.0]
    }

    /// Reads our entry. `None` means another organisation's entry.
    ///
    /// # Errors
    /// [`WireError::Short`] for an entry that ends early, [`WireError::Field`] for another version.
    /// Bits that this version does not know are ignored: unknown enhancements cannot be agreed on.
    pub fn from_entry(entry: Tlv<'_>) -> Result<Option<Self>, WireError> {
        match entry.organisation() {
            Some((OUI, SUBTYPE, content)) => {
                at_least(FORMAT, content, 2)?;
                expect(FORMAT, "version", content[0], VERSION, "1")?;
                Ok(Some(Self(content[1]).and(Self::ALL)))
            }
            _ => Ok(None),
        }
    }

    /// A peer's advertisement in the entries of its LLDP unit; nothing if there is none, or none
    /// that we can read.
    #[must_use]
    pub fn of_peer(entries: Tlvs<'_>) -> Self {
        entries
            .filter_map(Result::ok)
            .find_map(|entry| Self::from_entry(entry).transpose())
            .and_then(Result::ok)
            .unwrap_or(Self::NONE)
    }

    /// The LLDP entry that holds `value`, made by [`Self::advertise`].
    #[must_use]
    pub const fn entry(value: &[u8; VALUE_LEN]) -> Tlv<'_> {
        Tlv { kind: ORGANISATION, value }
    }
}

/// The enhancements that two ports use on the link between them, and those that they could have
/// used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkAgreement {
    /// Used by both.
    pub enabled: Enhancements,
    /// Supported by both but not used, because something that they need is missing.
    pub withheld: Enhancements,
}

impl LinkAgreement {
    /// The withheld enhancements, each with the one that it lacks.
    pub fn reasons(self) -> impl Iterator<Item = (Enhancement, Enhancement)> {
        let lacks = move |enhancement: Enhancement| Some((enhancement, enhancement.needs()?));
        self.withheld.iter().filter_map(lacks)
    }
}

/// The agreement of two ports. It does not matter which of them asks.
#[must_use]
pub fn agree(ours: Enhancements, theirs: Enhancements) -> LinkAgreement {
    let common = ours.and(theirs);
    let mut enabled = common;
    // Each round can remove a need of another one; there are no more rounds than enhancements.
    loop {
        let is_met = |needed: Option<Enhancement>| needed.is_none_or(|needed| enabled.contains(needed));
        match enabled.iter().find(|enhancement| !is_met(enhancement.needs())) {
            Some(unmet) => enabled = enabled.without(unmet),
            None => return LinkAgreement { enabled, withheld: Enhancements(common.0 & !enabled.0) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Enhancement::{Credits, FlowControl, LinkRetry, NoGap, NoHeader, ShortFrames};
    use super::*;

    fn set(members: &[Enhancement]) -> Enhancements {
        members.iter().fold(Enhancements::NONE, |set, member| set.with(*member))
    }

    fn all_sets() -> impl Iterator<Item = Enhancements> {
        (0..=Enhancements::ALL.0).map(Enhancements)
    }

    #[test]
    fn two_full_ports_do_everything() {
        assert_eq!(set(&Enhancement::ALL), Enhancements::ALL);
        let agreement = agree(Enhancements::ALL, Enhancements::ALL);
        assert_eq!(agreement, LinkAgreement { enabled: Enhancements::ALL, withheld: Enhancements::NONE });
    }

    #[test]
    fn a_peer_without_an_advertisement_gets_standard_ethernet() {
        for ours in all_sets() {
            let theirs = Enhancements::of_peer(Tlvs::new(&[]));
            assert_eq!(agree(ours, theirs).enabled, Enhancements::NONE);
        }
    }

    #[test]
    fn what_needs_something_else_is_withheld_with_the_reason() {
        let theirs = set(&[NoGap, NoHeader, Credits, FlowControl]);
        let agreement = agree(Enhancements::ALL, theirs);
        assert_eq!(agreement.enabled, set(&[FlowControl]));
        let reasons: Vec<_> = agreement.reasons().collect();
        assert_eq!(reasons, [(NoGap, LinkRetry), (NoHeader, ShortFrames), (Credits, LinkRetry)]);
    }

    #[test]
    fn every_agreement_is_symmetric_closed_and_as_large_as_can_be() {
        for ours in all_sets() {
            for theirs in all_sets() {
                let agreement = agree(ours, theirs);
                assert_eq!(agreement, agree(theirs, ours));
                assert_eq!(agreement.enabled.and(ours).and(theirs), agreement.enabled);
                for enhancement in agreement.enabled.iter() {
                    assert!(enhancement.needs().is_none_or(|needed| agreement.enabled.contains(needed)));
                }
                for (_, lacking) in agreement.reasons() {
                    assert!(!agreement.enabled.contains(lacking));
                }
                assert_eq!(agree(agreement.enabled, agreement.enabled).enabled, agreement.enabled);
            }
        }
    }

    #[test]
    fn an_advertisement_is_read_back_and_unknown_bits_are_left_out() {
        for advertised in all_sets() {
            let value = advertised.advertise();
            let mut unit = [0; 8];
            Enhancements::entry(&value).emit(&mut unit).unwrap();
            assert_eq!(Enhancements::of_peer(Tlvs::new(&unit)), advertised);
            unit[7] |= 0xc0;
            assert_eq!(Enhancements::of_peer(Tlvs::new(&unit)), advertised);
        }
    }

    #[test]
    fn another_version_is_no_advertisement() {
        let mut value = Enhancements::ALL.advertise();
        value[4] = 2;
        let error = Enhancements::from_entry(Enhancements::entry(&value)).unwrap_err();
        assert_eq!(error.to_string(), "enhancement advertisement: version is 0x2; 1 would be valid");
        let mut unit = [0; 8];
        Enhancements::entry(&value).emit(&mut unit).unwrap();
        assert_eq!(Enhancements::of_peer(Tlvs::new(&unit)), Enhancements::NONE);
    }
}
