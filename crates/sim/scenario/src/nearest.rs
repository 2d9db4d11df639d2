//! Suggestions for mistyped words.

/// Words less alike than this are not worth suggesting.
const LIKENESS_MIN: f64 = 0.7;

/// The one of `words` that is most like `asked`, if any is similar. Case and `_`, `-` do not
/// matter.
#[must_use]
pub fn nearest<'w>(asked: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let plain = |word: &str| word.to_lowercase().replace(['_', '-'], " ");
    let asked = plain(asked);
    words
        .into_iter()
        .map(|word| (strsim::jaro_winkler(&asked, &plain(word)), word))
        .filter(|(likeness, _)| *likeness >= LIKENESS_MIN)
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, word)| word)
}

/// `; did you mean `x`?` or nothing.
pub(crate) fn hint(asked: &str, words: &[String]) -> String {
    nearest(asked, words.iter().map(String::as_str))
        .map_or_else(String::new, |word| format!("; did you mean `{word}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_found_and_nonsense_is_not() {
        assert_eq!(nearest("bufer_shared", ["buffer_shared", "buffer_reserve"]), Some("buffer_shared"));
        assert_eq!(nearest("Cassini_2", ["cassini-1", "cassini-2"]), Some("cassini-2"));
        assert_eq!(nearest("zzz", ["cassini-1", "rosetta"]), None);
    }
}
