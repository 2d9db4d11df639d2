//! Unpacks files that gzip has compressed.

use flate2::bufread::GzDecoder;
use std::io::{self, ErrorKind, Read};

/// The first bytes of files that gzip has compressed.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The contents of a file: unpacked if gzip has compressed it, unchanged otherwise. At most `most`
/// bytes are unpacked.
///
/// A file may have several members, one behind the other. Zeros behind the last member are padding,
/// as in gzip itself.
///
/// # Errors
/// [`ErrorKind::UnexpectedEof`] for a file that ends within a member, [`ErrorKind::InvalidData`]
/// for a damaged member and for other data behind the last one, both with the offset in the file;
/// [`ErrorKind::FileTooLarge`] for more than `most` bytes.
pub fn unpacked(bytes: Vec<u8>, most: u64) -> io::Result<Vec<u8>> {
    if !bytes.starts_with(&GZIP) {
        return Ok(bytes);
    }
    let mut out = Vec::new();
    let mut rest = bytes.as_slice();
    while rest.starts_with(&GZIP) {
        let offset = bytes.len() - rest.len();
        let mut member = GzDecoder::new(rest);
        let left = most.saturating_add(1).saturating_sub(out.len() as u64);
        member.by_ref().take(left).read_to_end(&mut out).map_err(|error| damaged(&error, offset, bytes.len()))?;
        if out.len() as u64 > most {
            return Err(io::Error::new(ErrorKind::FileTooLarge, format!("it unpacks to more than {most} bytes")));
        }
        rest = member.into_inner();
    }
    if rest.iter().any(|byte| *byte != 0) {
        let (count, offset) = (rest.len(), bytes.len() - rest.len());
        let words = format!(
            "behind its compressed part are {count} bytes that gzip did not write, from byte {offset} on; the file \
             without them would work"
        );
        return Err(io::Error::new(ErrorKind::InvalidData, words));
    }
    Ok(out)
}

fn damaged(error: &io::Error, offset: usize, length: usize) -> io::Error {
    let words = match error.kind() {
        ErrorKind::UnexpectedEof => format!(
            "its {length} bytes end within the compressed part that begins at byte {offset}: the file is cut; the \
             whole file would work"
        ),
        _ => {
            format!("the compressed part that begins at byte {offset} is damaged ({error}); the whole file would work")
        }
    };
    let kind = if error.kind() == ErrorKind::UnexpectedEof { error.kind() } else { ErrorKind::InvalidData };
    io::Error::new(kind, words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn packed(text: &[u8]) -> Vec<u8> {
        let mut writer = GzEncoder::new(Vec::new(), Compression::fast());
        writer.write_all(text).expect("memory takes it");
        writer.finish().expect("memory takes it")
    }

    #[test]
    fn members_and_padding_are_read_and_plain_files_stay() {
        let [one, two] = [packed(b"one\n"), packed(b"two\n")];
        for (bytes, text) in [
            (one.clone(), "one\n"),
            ([one.clone(), two.clone()].concat(), "one\ntwo\n"),
            ([one.clone(), packed(b""), two].concat(), "one\ntwo\n"),
            ([one, vec![0; 512]].concat(), "one\n"),
            (packed(b""), ""),
            (b"plain\n".to_vec(), "plain\n"),
            (Vec::new(), ""),
        ] {
            assert_eq!(unpacked(bytes, 8).expect(text), text.as_bytes());
        }
    }

    #[test]
    fn every_cut_and_whatever_stands_behind_is_an_error_with_its_place() {
        let [one, two] = [packed(b"one\n"), packed(b"two\n")];
        let both = [one.as_slice(), &two].concat();
        for end in 2..both.len() {
            if end == one.len() {
                continue;
            }
            let error = unpacked(both[..end].to_vec(), 1_000).expect_err("cut").to_string();
            let offset = if end < one.len() { 0 } else { one.len() };
            // A single byte of the second member does not show yet what it is.
            let words = if end == one.len() + 1 { "from byte" } else { "begins at byte" };
            assert!(error.contains(&format!("{words} {offset}")), "{end}: {error}");
        }
        for junk in [b"x".as_slice(), b"\0\0x", b"0 init\n"] {
            let error = unpacked([one.as_slice(), junk].concat(), 1_000).expect_err("junk").to_string();
            let words = format!("{} bytes that gzip did not write, from byte {} on", junk.len(), one.len());
            assert!(error.contains(&words), "{error}");
        }
        let mut damaged = both.clone();
        damaged[one.len() - 6] ^= 1;
        let error = unpacked(damaged, 1_000).expect_err("a wrong checksum").to_string();
        assert!(error.contains("begins at byte 0 is damaged"), "{error}");
        assert!(unpacked(both, 7).expect_err("8 bytes").to_string().contains("more than 7 bytes"));
    }
}
