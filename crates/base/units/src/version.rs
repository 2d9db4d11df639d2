//! Versions of firmware and agents.

/// Maximum number of characters of a version.
///
/// Source: ours; longer than any release name that vendors publish. Status: assumed.
const VERSION_MOST: usize = 64;

/// Whether a text can be a version of firmware or of an agent: 1 to 64 letters, digits and `.`,
/// `-`, `_`, `+`, `~`, beginning with a letter or digit. Drivers may hand it to programs.
#[must_use]
pub fn is_version(text: &str) -> bool {
    text.len() <= VERSION_MOST
        && text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || ".-_+~".contains(letter))
}

#[cfg(test)]
mod tests {
    use super::is_version;

    #[test]
    fn versions_are_plain_words() {
        for text in ["2.2.0", "1", "sw-2.1~rc1+b7", "simulated_1"] {
            assert!(is_version(text), "{text}");
        }
        for text in ["", " 2", "-2", "../x", "2 2", "2;x", &"9".repeat(65)] {
            assert!(!is_version(text), "{text}");
        }
    }
}
