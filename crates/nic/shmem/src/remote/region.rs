//! Symmetric memory as the NIC has it: registered, with keys that the other PEs learn.

use std::ops::Range;

/// A range of this PE's symmetric memory: the heap's segment, or the static data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalRange {
    /// Its first byte.
    pub begin: usize,
    /// Its length.
    pub bytes: usize,
}

impl LocalRange {
    /// Its address range.
    #[must_use]
    pub const fn range(&self) -> Range<usize> {
        self.begin..self.begin + self.bytes
    }

    /// The offset in this range, if the bytes lie within it.
    pub(super) const fn offset(&self, address: usize, bytes: usize) -> Option<usize> {
        let Some(offset) = address.checked_sub(self.begin) else { return None };
        if offset <= self.bytes && bytes <= self.bytes - offset { Some(offset) } else { None }
    }
}

/// A range of a PE's memory, as other PEs address it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RemoteRange {
    /// What libfabric takes for its first byte: its address, or 0 if it takes offsets.
    pub base: u64,
    /// Its length.
    pub bytes: u64,
    pub key: u64,
}

/// A PE's card: what it tells the others about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Card {
    /// Its provider and fabric.
    pub provider: String,
    /// The address of its endpoint.
    pub address: Vec<u8>,
    /// Its ranges, in the order that all PEs use.
    pub regions: Vec<RemoteRange>,
}

/// The first word of a card: its format. Source: ours. Status: assumed.
const FORM: u64 = 0x5048_4c53_484d_0001;

impl Card {
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let word = |bytes: &mut Vec<u8>, word: u64| bytes.extend(word.to_le_bytes());
        word(&mut bytes, FORM);
        for text in [self.provider.as_bytes(), &self.address] {
            word(&mut bytes, text.len() as u64);
            bytes.extend(text);
        }
        word(&mut bytes, self.regions.len() as u64);
        for &RemoteRange { base, bytes: length, key } in &self.regions {
            [base, length, key].into_iter().for_each(|part| word(&mut bytes, part));
        }
        bytes
    }

    /// Decodes a card; `None` if the bytes are not one.
    pub fn decode(mut bytes: &[u8]) -> Option<Self> {
        fn take<'b>(bytes: &mut &'b [u8], count: usize) -> Option<&'b [u8]> {
            let (first, rest) = bytes.split_at_checked(count)?;
            *bytes = rest;
            Some(first)
        }
        fn word(bytes: &mut &[u8]) -> Option<u64> {
            take(bytes, 8)?.try_into().ok().map(u64::from_le_bytes)
        }
        let bytes = &mut bytes;
        if word(bytes)? != FORM {
            return None;
        }
        let length = word(bytes)? as usize;
        let provider = String::from_utf8(take(bytes, length)?.to_vec()).ok()?;
        let length = word(bytes)? as usize;
        let address = take(bytes, length)?.to_vec();
        let count = word(bytes)?;
        let region = |_| Some(RemoteRange { base: word(bytes)?, bytes: word(bytes)?, key: word(bytes)? });
        let regions = (0..count).map(region).collect::<Option<Vec<_>>>()?;
        bytes.is_empty().then_some(Self { provider, address, regions })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_read_as_it_was_written_and_nothing_else_is_one() {
        let region = |base| RemoteRange { base, bytes: 4_096, key: base ^ 7 };
        let card =
            Card { provider: "philae".to_owned(), address: vec![1, 2, 3], regions: vec![region(0), region(1 << 47)] };
        let bytes = card.encode();
        assert_eq!(Card::decode(&bytes), Some(card));
        (0..bytes.len()).for_each(|length| assert_eq!(Card::decode(&bytes[..length]), None, "{length}"));
        assert_eq!(Card::decode(&[&bytes[..], &[0]].concat()), None);
        let mut other = bytes.clone();
        other[0] ^= 1;
        assert_eq!(Card::decode(&other), None);
    }

    #[test]
    fn ranges_hold_what_lies_within_them() {
        let memory = LocalRange { begin: 100, bytes: 50 };
        assert_eq!(memory.offset(100, 50), Some(0));
        assert_eq!(memory.offset(149, 1), Some(49));
        assert_eq!(memory.offset(150, 0), Some(50));
        for (address, bytes) in [(99, 1), (149, 2), (151, 0), (100, usize::MAX)] {
            assert_eq!(memory.offset(address, bytes), None, "{address} {bytes}");
        }
    }
}
