//! Encodings of text other than UTF-8: the editors and shells of some systems write them.

/// An encoding whose letters take two or four bytes each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WideEncoding {
    /// UTF-16, the low byte first.
    Utf16Le,
    /// UTF-16, the high byte first.
    Utf16Be,
    /// UTF-32, the low byte first.
    Utf32Le,
    /// UTF-32, the high byte first.
    Utf32Be,
}

impl WideEncoding {
    /// The encoding that the first four bytes show: by a byte-order mark, or by the zeros beside
    /// letters of ASCII. XML's own name of its encoding is not read: the bytes say enough.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let is_text = |byte: u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
        match *bytes.first_chunk::<4>()? {
            // The mark of UTF-32 begins with that of UTF-16.
            [0xff, 0xfe, 0, 0] => Some(Self::Utf32Le),
            [0, 0, 0xfe, 0xff] => Some(Self::Utf32Be),
            [0xff, 0xfe, ..] => Some(Self::Utf16Le),
            [0xfe, 0xff, ..] => Some(Self::Utf16Be),
            [one, 0, 0, 0] if is_text(one) => Some(Self::Utf32Le),
            [0, 0, 0, one] if is_text(one) => Some(Self::Utf32Be),
            [one, 0, two, 0] if is_text(one) && is_text(two) => Some(Self::Utf16Le),
            [0, one, 0, two] if is_text(one) && is_text(two) => Some(Self::Utf16Be),
            _ => None,
        }
    }

    /// Its name: `UTF-16` or `UTF-32`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf16Le | Self::Utf16Be => "UTF-16",
            Self::Utf32Le | Self::Utf32Be => "UTF-32",
        }
    }

    /// The text without its mark; `None` if the bytes are not text of this encoding.
    #[must_use]
    pub fn decode(self, bytes: &[u8]) -> Option<String> {
        let pair = |from: fn([u8; 2]) -> u16| {
            let (pairs, rest) = bytes.as_chunks::<2>();
            rest.is_empty().then(|| char::decode_utf16(pairs.iter().map(|pair| from(*pair))).map(Result::ok).collect())
        };
        let four = |from: fn([u8; 4]) -> u32| {
            let (fours, rest) = bytes.as_chunks::<4>();
            rest.is_empty().then(|| fours.iter().map(|four| char::from_u32(from(*four))).collect())
        };
        let text: Option<Option<String>> = match self {
            Self::Utf16Le => pair(u16::from_le_bytes),
            Self::Utf16Be => pair(u16::from_be_bytes),
            Self::Utf32Le => four(u32::from_le_bytes),
            Self::Utf32Be => four(u32::from_be_bytes),
        };
        let text = text??;
        Some(text.strip_prefix('\u{feff}').map_or_else(|| text.clone(), str::to_owned))
    }
}

/// Text that is not in an encoding that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotText {
    /// Offset of the first byte that is not text.
    pub offset: usize,
    /// The encoding that the bytes seem to have, if it is not UTF-8.
    pub encoding: Option<WideEncoding>,
}

/// The text of a file in UTF-8, UTF-16 or UTF-32. A mark at the beginning of UTF-8 stays.
///
/// # Errors
/// [`NotText`]: none of them.
pub fn text_of(bytes: Vec<u8>) -> Result<String, NotText> {
    if let Some(encoding) = WideEncoding::of(&bytes) {
        return encoding.decode(&bytes).ok_or(NotText { offset: 0, encoding: Some(encoding) });
    }
    String::from_utf8(bytes).map_err(|error| NotText { offset: error.utf8_error().valid_up_to(), encoding: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_each(text: &str) -> [(WideEncoding, Vec<u8>); 4] {
        let units: Vec<u16> = text.encode_utf16().collect();
        [
            (WideEncoding::Utf16Le, units.iter().flat_map(|unit| unit.to_le_bytes()).collect()),
            (WideEncoding::Utf16Be, units.iter().flat_map(|unit| unit.to_be_bytes()).collect()),
            (WideEncoding::Utf32Le, text.chars().flat_map(|letter| u32::from(letter).to_le_bytes()).collect()),
            (WideEncoding::Utf32Be, text.chars().flat_map(|letter| u32::from(letter).to_be_bytes()).collect()),
        ]
    }

    #[test]
    fn wide_texts_are_read_with_and_without_a_mark() {
        for text in ["system = \"größe 𝄞\"\n", "<?xml version=\"1.0\"?>\n"] {
            for mark in ["\u{feff}", ""] {
                for (encoding, bytes) in in_each(&format!("{mark}{text}")) {
                    assert_eq!(WideEncoding::of(&bytes), Some(encoding), "{encoding:?} {mark:?}");
                    assert_eq!(text_of(bytes.clone()).as_deref(), Ok(text), "{encoding:?} {mark:?}");
                    let half = text_of(bytes[..bytes.len() - 1].to_vec()).expect_err("half a letter");
                    assert_eq!(half, NotText { offset: 0, encoding: Some(encoding) });
                }
            }
        }
    }

    #[test]
    fn other_bytes_are_no_wide_text() {
        for bytes in [b"".as_slice(), b"a", b"a\0b", b"system", b"\0\0\0\0", &[0xef, 0xbb, 0xbf, b'a'], b"\x01\0\0\0"] {
            assert_eq!(WideEncoding::of(bytes), None, "{bytes:?}");
        }
        assert_eq!(text_of(b"ab\xffc".to_vec()), Err(NotText { offset: 2, encoding: None }));
        assert_eq!(text_of("\u{feff}a".into()).as_deref(), Ok("\u{feff}a"));
    }
}
