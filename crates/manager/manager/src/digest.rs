//! Hashes and authentication codes that resist an attacker.

use std::fmt::Write;

use ring::{digest, hmac};

/// Bytes as hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        write!(text, "{byte:02x}").expect("text takes what is written");
        text
    })
}

/// SHA-256, as 64 hexadecimal digits.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(digest::digest(&digest::SHA256, bytes).as_ref())
}

/// The HMAC-SHA-256 of a text, as 64 hexadecimal digits: only a holder of the key can compute it.
#[must_use]
pub fn code_hex(key: &[u8], text: &str) -> String {
    hex(hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), text.as_bytes()).as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_standard() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256_hex(b""), empty);
        // RFC 4231, test case 2.
        let code = code_hex(b"Jefe", "what do ya want for nothing?");
        assert_eq!(code, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }
}
