//! LLDP data units: the name and the properties of the port at the other end of a link.
//!
//! A unit is a list of type-length-value entries: chassis, port and time to live in this order,
//! then any others, then an end. Only those three are parsed here. The others are carried unchanged
//! and can be walked with [`Tlvs`], because most of them do not matter, and [`crate::negotiation`]
//! reads one entry of our own.
//!
//! ```text
//! 15        9 8            0
//! [  type   ][   length    ] [ value ... ]
//! ```
//! Source: IEEE 802.1AB.

use crate::bytes::{at_least, at_most, expect, put, put_u16, room, u16_at, view};
use crate::{WireError, WireLayer};

const FORMAT: &str = "LLDP";

/// Type of the end of a unit. Source: IEEE 802.1AB. Status: published.
pub const END: u8 = 0;
/// Type of the chassis identifier. Source: IEEE 802.1AB. Status: published.
pub const CHASSIS: u8 = 1;
/// Type of the port identifier. Source: IEEE 802.1AB. Status: published.
pub const PORT: u8 = 2;
/// Type of the time to live. Source: IEEE 802.1AB. Status: published.
pub const TIME_TO_LIVE: u8 = 3;
/// Type of an organisation's own entry. Source: IEEE 802.1AB. Status: published.
pub const ORGANISATION: u8 = 127;
/// Subtype of a chassis identifier that is a MAC address. Source: IEEE 802.1AB. Status: published.
pub const CHASSIS_MAC: u8 = 4;
/// Subtype of a port identifier that is an interface name. Source: IEEE 802.1AB. Status: published.
pub const PORT_NAME: u8 = 5;
/// The longest value of an entry: 9 bits. Source: IEEE 802.1AB. Status: published.
pub const VALUE_MAX: usize = 511;
/// The longest identifier, subtype not counted. Source: IEEE 802.1AB. Status: published.
pub const IDENTIFIER_MAX: usize = 255;

const ENTRY_HEADER_LEN: usize = 2;

/// One entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tlv<'bytes> {
    /// Type, 0 to 127.
    pub kind: u8,
    /// Value, at most 511 bytes.
    pub value: &'bytes [u8],
}

impl<'bytes> Tlv<'bytes> {
    /// The organisation, its subtype and its data, for an entry of type 127.
    #[must_use]
    pub fn organisation(&self) -> Option<([u8; 3], u8, &'bytes [u8])> {
        match (self.kind, self.value) {
            (ORGANISATION, [a, b, c, subtype, information @ ..]) => Some(([*a, *b, *c], *subtype, information)),
            _ => None,
        }
    }

    /// Bytes of the entry, type and length included.
    #[must_use]
    pub const fn entry_len(&self) -> usize {
        ENTRY_HEADER_LEN + self.value.len()
    }

    /// Writes the entry to the front of `buffer`; returns its bytes.
    ///
    /// # Errors
    /// [`WireError::Field`] for a type over 127, [`WireError::Long`] for a value over 511 bytes,
    /// [`WireError::NoRoom`].
    pub fn emit(&self, buffer: &mut [u8]) -> Result<usize, WireError> {
        if self.kind > ORGANISATION {
            return Err(WireError::Field { format: FORMAT, field: "type", found: self.kind.into(), valid: "0 to 127" });
        }
        at_most(FORMAT, self.value.len(), VALUE_MAX)?;
        let entry = room(FORMAT, buffer, self.entry_len())?;
        put_u16(entry, 0, u16::from(self.kind) << 9 | self.value.len() as u16);
        put(entry, ENTRY_HEADER_LEN, self.value);
        Ok(self.entry_len())
    }
}

/// Walks the entries of a unit up to its end. Stops after an error.
#[derive(Clone, Debug)]
pub struct Tlvs<'bytes> {
    rest: &'bytes [u8],
}

impl<'bytes> Tlvs<'bytes> {
    /// The entries in `bytes`.
    #[must_use]
    pub const fn new(bytes: &'bytes [u8]) -> Self {
        Self { rest: bytes }
    }

    fn first(&mut self) -> Result<Tlv<'bytes>, WireError> {
        let bytes = std::mem::take(&mut self.rest);
        at_least(FORMAT, bytes, ENTRY_HEADER_LEN)?;
        let header = u16_at(bytes, 0);
        let end = ENTRY_HEADER_LEN + usize::from(header & 0x1ff);
        at_least(FORMAT, bytes, end)?;
        self.rest = &bytes[end..];
        Ok(Tlv { kind: (header >> 9) as u8, value: &bytes[ENTRY_HEADER_LEN..end] })
    }
}

impl<'bytes> Iterator for Tlvs<'bytes> {
    type Item = Result<Tlv<'bytes>, WireError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let entry = self.first();
        if !matches!(entry, Ok(Tlv { kind: 1.., .. })) {
            self.rest = &[];
        }
        match entry {
            Ok(Tlv { kind: END, .. }) => None,
            other => Some(other),
        }
    }
}

fn check(bytes: &[u8]) -> Result<(), WireError> {
    unit_len(bytes).map(|_| ())
}

/// Bytes of the unit at the front of `bytes`, its end included.
fn unit_len(bytes: &[u8]) -> Result<usize, WireError> {
    let mut entries = Tlvs::new(bytes);
    loop {
        if let Tlv { kind: END, value } = entries.first()? {
            expect(FORMAT, "length of the end", value.len() as u64, 0_u64, "0")?;
            return Ok(bytes.len() - entries.rest.len());
        }
    }
}

view!(
    /// A view over the bytes behind ethertype 0x88cc; its entries have been checked to fit and to
    /// end.
    LldpUnit,
    check
);

impl<T: AsRef<[u8]>> LldpUnit<T> {
    /// All entries except the end.
    pub fn entries(&self) -> Tlvs<'_> {
        Tlvs::new(self.bytes())
    }
}

/// The name of a chassis or a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identifier<'bytes> {
    /// The kind of name, such as [`CHASSIS_MAC`] or [`PORT_NAME`].
    pub subtype: u8,
    /// The name: 1 to 255 bytes.
    pub name: &'bytes [u8],
}

impl<'bytes> Identifier<'bytes> {
    fn parse(entry: Tlv<'bytes>) -> Result<Self, WireError> {
        at_least(FORMAT, entry.value, 2)?;
        at_most(FORMAT, entry.value.len(), 1 + IDENTIFIER_MAX)?;
        Ok(Self { subtype: entry.value[0], name: &entry.value[1..] })
    }

    const fn len(&self) -> usize {
        ENTRY_HEADER_LEN + 1 + self.name.len()
    }

    fn emit(&self, kind: u8, buffer: &mut [u8]) -> Result<usize, WireError> {
        at_least(FORMAT, self.name, 1)?;
        at_most(FORMAT, self.name.len(), IDENTIFIER_MAX)?;
        put_u16(buffer, 0, u16::from(kind) << 9 | (1 + self.name.len()) as u16);
        buffer[ENTRY_HEADER_LEN] = self.subtype;
        put(buffer, ENTRY_HEADER_LEN + 1, self.name);
        Ok(self.len())
    }
}

/// A unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LldpRepr<'bytes> {
    /// The device.
    pub chassis: Identifier<'bytes>,
    /// Its port.
    pub port: Identifier<'bytes>,
    /// How long this stays true, in seconds; 0 withdraws it.
    pub time_to_live_seconds: u16,
    /// The entries behind the mandatory three, without the end, as on the wire.
    pub others: &'bytes [u8],
}

impl<'bytes> LldpRepr<'bytes> {
    /// Reads a unit; bytes behind its end are padding.
    ///
    /// # Errors
    /// [`WireError::Field`] if the first three entries are not chassis, port and time to live or
    /// appear again later, [`WireError::Short`] and [`WireError::Long`] for their lengths.
    pub fn parse<T: AsRef<[u8]>>(unit: &'bytes LldpUnit<T>) -> Result<Self, WireError> {
        let mut entries = unit.entries();
        let mut mandatory = |kind: u8, field: &'static str, valid: &'static str| {
            let entry = entries.next().transpose()?.unwrap_or(Tlv { kind: END, value: &[] });
            expect(FORMAT, field, entry.kind, kind, valid).map(|()| entry)
        };
        let chassis = Identifier::parse(mandatory(CHASSIS, "type of the first entry", "1 (chassis)")?)?;
        let port = Identifier::parse(mandatory(PORT, "type of the second entry", "2 (port)")?)?;
        let time = mandatory(TIME_TO_LIVE, "type of the third entry", "3 (time to live)")?.value;
        expect(FORMAT, "length of the time to live", time.len() as u64, 2_u64, "2")?;
        let others_at = chassis.len() + port.len() + ENTRY_HEADER_LEN + 2;
        let end = unit_len(unit.bytes())? - ENTRY_HEADER_LEN;
        let others = &unit.bytes()[others_at..end];
        check_others(others)?;
        Ok(Self { chassis, port, time_to_live_seconds: u16_at(time, 0), others })
    }

    /// The entries behind the mandatory three.
    #[must_use]
    pub fn entries(&self) -> Tlvs<'bytes> {
        Tlvs::new(self.others)
    }
}

/// Checks that the entries behind the mandatory three are whole, and none is one of those or an
/// end.
fn check_others(others: &[u8]) -> Result<(), WireError> {
    let mut entries = Tlvs::new(others);
    while !entries.rest.is_empty() {
        let kind = entries.first()?.kind;
        if kind <= TIME_TO_LIVE {
            let (field, valid) = ("type of a further entry", "4 to 127");
            return Err(WireError::Field { format: FORMAT, field, found: kind.into(), valid });
        }
    }
    Ok(())
}

impl WireLayer for LldpRepr<'_> {
    fn header_len(&self) -> usize {
        self.chassis.len() + self.port.len() + ENTRY_HEADER_LEN + 2 + self.others.len() + ENTRY_HEADER_LEN
    }

    fn emit(&self, buffer: &mut [u8], payload_len: usize) -> Result<(), WireError> {
        check_others(self.others)?;
        let unit = room(FORMAT, buffer, self.buffer_len(payload_len))?;
        let mut at = self.chassis.emit(CHASSIS, unit)?;
        at += self.port.emit(PORT, &mut unit[at..])?;
        at += Tlv { kind: TIME_TO_LIVE, value: &self.time_to_live_seconds.to_be_bytes() }.emit(&mut unit[at..])?;
        put(unit, at, self.others);
        put_u16(unit, at + self.others.len(), 0);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &[u8] = b"x9000c1r3j17p0";

    fn unit(others: &[u8]) -> LldpRepr<'_> {
        LldpRepr {
            chassis: Identifier { subtype: CHASSIS_MAC, name: &[2, 0xfe, 0, 0, 0, 1] },
            port: Identifier { subtype: PORT_NAME, name: NAME },
            time_to_live_seconds: 120,
            others,
        }
    }

    #[test]
    fn entries_lie_where_the_standard_says() {
        let mut bytes = [0; 64];
        unit(&[]).emit(&mut bytes, 0).unwrap();
        assert_eq!(bytes[..4], [0x02, 0x07, 0x04, 0x02]);
        assert_eq!(bytes[9..12], [0x04, 0x0f, 0x05]);
        assert_eq!(bytes[26..32], [0x06, 0x02, 0x00, 120, 0, 0]);
    }

    #[test]
    fn entries_of_no_interest_are_carried() {
        let others = [0x0a, 0x02, b's', b'1', 0xfe, 0x05, 1, 2, 3, 4, 5];
        let mut bytes = [0; 80];
        unit(&others).emit(&mut bytes, 0).unwrap();
        let view = LldpUnit::new(bytes).unwrap();
        let value = LldpRepr::parse(&view).unwrap();
        assert_eq!(value, unit(&others));
        let organisation = value.entries().filter_map(Result::ok).find_map(|entry| entry.organisation());
        assert_eq!(organisation, Some(([1, 2, 3], 4, &[5][..])));
    }

    #[test]
    fn a_unit_without_its_mandatory_entries_is_refused() {
        let view = LldpUnit::new([0x04, 0x02, 5, b'p', 0, 0]).unwrap();
        let error = LldpRepr::parse(&view).unwrap_err();
        assert_eq!(error.to_string(), "LLDP: type of the first entry is 0x2; 1 (chassis) would be valid");
        assert!(LldpUnit::new([0x04, 0x02, 5, b'p']).is_err(), "no end");
        assert!(LldpUnit::new([0x05, 0xff, 5]).is_err(), "an entry longer than the unit");
    }
}
