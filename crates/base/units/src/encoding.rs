//! Encodings of text other than UTF-8: the editors and shells of some systems write them, and XML
//! declares them.

use std::fmt;

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

    /// Bytes of a unit.
    const fn unit(self) -> usize {
        match self {
            Self::Utf16Le | Self::Utf16Be => 2,
            Self::Utf32Le | Self::Utf32Be => 4,
        }
    }

    /// The text without its mark, or the offset of the first byte that is not text of this
    /// encoding.
    fn decode(self, bytes: &[u8]) -> Result<String, usize> {
        let unit = self.unit();
        let whole = bytes.len() / unit * unit;
        let mut text = String::with_capacity(bytes.len() / unit);
        let pairs = |from: fn([u8; 2]) -> u16| bytes.as_chunks::<2>().0.iter().map(move |pair| from(*pair));
        let fours = |from: fn([u8; 4]) -> u32| bytes.as_chunks::<4>().0.iter().map(move |four| from(*four));
        let mut add = |letters: &mut dyn Iterator<Item = Option<char>>| {
            let mut offset = 0;
            for letter in letters {
                let letter = letter.ok_or(offset)?;
                offset += if unit == 2 { 2 * letter.len_utf16() } else { 4 };
                text.push(letter);
            }
            Ok::<(), usize>(())
        };
        match self {
            Self::Utf16Le => add(&mut char::decode_utf16(pairs(u16::from_le_bytes)).map(Result::ok))?,
            Self::Utf16Be => add(&mut char::decode_utf16(pairs(u16::from_be_bytes)).map(Result::ok))?,
            Self::Utf32Le => add(&mut fours(u32::from_le_bytes).map(char::from_u32))?,
            Self::Utf32Be => add(&mut fours(u32::from_be_bytes).map(char::from_u32))?,
        }
        if whole < bytes.len() {
            return Err(whole);
        }
        Ok(text.strip_prefix('\u{feff}').map_or_else(|| text.clone(), str::to_owned))
    }
}

/// Bytes that are not text in an encoding that is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotText {
    /// A byte that is not text of the encoding that the file has or declares.
    Byte {
        /// Its offset in the file, from 0.
        offset: usize,
        /// Name of the encoding.
        encoding: &'static str,
    },
    /// XML that declares an encoding that is not read.
    Declared {
        /// The declared name.
        encoding: String,
    },
}

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Byte { offset, encoding } => write!(f, "it is not {encoding} text (byte {offset} is not)"),
            Self::Declared { encoding } => write!(
                f,
                "it is XML that declares the encoding '{}', which is not read; UTF-8, UTF-16, UTF-32, ISO-8859-1 or \
                 US-ASCII would work",
                encoding.escape_debug()
            ),
        }
    }
}

impl std::error::Error for NotText {}

/// Longest XML declaration that is looked at. Source: ours. Status: assumed.
const DECLARATION_BYTES_MAX: usize = 512;

/// The encoding that the declaration of an XML document in one-byte letters names.
fn declared(bytes: &[u8]) -> Option<&str> {
    let head = bytes.get(..bytes.len().min(DECLARATION_BYTES_MAX))?;
    let rest = head.strip_prefix(b"<?xml").filter(|rest| rest.first().is_some_and(u8::is_ascii_whitespace))?;
    let end = rest.windows(2).position(|pair| pair == b"?>")?;
    let text = std::str::from_utf8(&rest[..end]).ok()?;
    let (_, value) = text.split_once("encoding")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
    value[1..].split(quote).next()
}

/// The text of a file in UTF-8, UTF-16 or UTF-32, or of XML in the encoding that it declares. A
/// mark at the beginning of UTF-8 stays.
///
/// XML in ISO-8859-1 and US-ASCII is read. A declaration of UTF-16 in a file of one-byte letters is
/// wrong, and UTF-8 is read.
///
/// # Errors
/// [`NotText`]: none of them.
pub fn text_of(bytes: Vec<u8>) -> Result<String, NotText> {
    if let Some(encoding) = WideEncoding::of(&bytes) {
        return encoding.decode(&bytes).map_err(|offset| NotText::Byte { offset, encoding: encoding.name() });
    }
    let named = declared(&bytes).map(str::to_ascii_uppercase);
    let encoding = match named.as_deref() {
        Some("ISO-8859-1" | "ISO8859-1" | "ISO_8859-1" | "LATIN1" | "LATIN-1" | "L1") => {
            return Ok(bytes.into_iter().map(char::from).collect());
        }
        Some("US-ASCII" | "ASCII") => {
            if let Some(offset) = bytes.iter().position(|byte| !byte.is_ascii()) {
                return Err(NotText::Byte { offset, encoding: "US-ASCII" });
            }
            "US-ASCII"
        }
        None | Some("UTF-8" | "UTF8" | "UTF-16" | "UTF-16LE" | "UTF-16BE" | "UTF-32" | "UCS-2" | "UCS-4") => "UTF-8",
        // Letters of ASCII are the same in all other encodings that XML declares in ASCII.
        Some(_) if bytes.is_ascii() => "UTF-8",
        Some(_) => return Err(NotText::Declared { encoding: declared(&bytes).unwrap_or_default().to_owned() }),
    };
    String::from_utf8(bytes).map_err(|error| NotText::Byte { offset: error.utf8_error().valid_up_to(), encoding })
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
                    let offset = bytes.len() - encoding.unit();
                    assert_eq!(half, NotText::Byte { offset, encoding: encoding.name() });
                }
            }
        }
    }

    #[test]
    fn other_bytes_are_no_wide_text() {
        for bytes in [b"".as_slice(), b"a", b"a\0b", b"system", b"\0\0\0\0", &[0xef, 0xbb, 0xbf, b'a'], b"\x01\0\0\0"] {
            assert_eq!(WideEncoding::of(bytes), None, "{bytes:?}");
        }
        assert_eq!(text_of(b"ab\xffc".to_vec()), Err(NotText::Byte { offset: 2, encoding: "UTF-8" }));
        // The second half of a pair alone, after two letters.
        let lone = [b'a', 0, b'b', 0, 0x34, 0xdd];
        assert_eq!(text_of(lone.to_vec()), Err(NotText::Byte { offset: 4, encoding: "UTF-16" }));
        let out_of_range = [b'a', 0, 0, 0, 0, 0, 0x11, 0];
        assert_eq!(text_of(out_of_range.to_vec()), Err(NotText::Byte { offset: 4, encoding: "UTF-32" }));
        assert_eq!(text_of("\u{feff}a".into()).as_deref(), Ok("\u{feff}a"));
    }

    #[test]
    fn xml_is_read_in_the_encoding_that_it_declares_or_the_encoding_is_named() {
        let xml = |name: &str, rest: &[u8]| {
            [format!("<?xml version='1.0' encoding=\"{name}\"?>\n<a b='").as_bytes(), rest, b"'/>\n"].concat()
        };
        for name in ["ISO-8859-1", "iso-8859-1", "latin1"] {
            assert!(text_of(xml(name, b"gr\xfc\xdf")).expect(name).contains("b='grüß'"), "{name}");
        }
        assert!(text_of(xml("UTF-8", "grüß".as_bytes())).expect("UTF-8").contains("grüß"));
        // Letters of ASCII are the same in all of these.
        for name in ["windows-1252", "UTF-16", "us-ascii", "Shift_JIS"] {
            assert!(text_of(xml(name, b"plain")).is_ok(), "{name}");
        }
        let error = text_of(xml("windows-1252", b"gr\xfc\xdf")).expect_err("not read");
        assert_eq!(error, NotText::Declared { encoding: "windows-1252".to_owned() });
        assert!(error.to_string().contains("'windows-1252', which is not read; UTF-8"), "{error}");
        let offset = xml("us-ascii", b"").len() - 4;
        let error = text_of(xml("us-ascii", b"\xfc")).expect_err("not ASCII");
        assert_eq!(error, NotText::Byte { offset, encoding: "US-ASCII" });
        let error = text_of(xml("UTF-8", b"gr\xfc")).expect_err("not UTF-8").to_string();
        assert!(error.starts_with("it is not UTF-8 text (byte 4"), "{error}");
        // Words about an encoding in another place declare none.
        assert_eq!(text_of("<a encoding=\"latin1\">ü</a>".into()).as_deref(), Ok("<a encoding=\"latin1\">ü</a>"));
    }
}
