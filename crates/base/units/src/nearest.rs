//! Suggestions for mistyped words.

/// Words less alike than this, by Jaro and Winkler, are not worth suggesting.
const LIKENESS_MIN: f64 = 0.7;

/// Shorter words are like many others by that measure: two letters of three suffice.
const LETTERS_MIN: usize = 4;

/// The one of `words` that is most like `asked`, if any is similar. Case and `_`, `-` do not
/// matter.
///
/// Words with few wrong letters come first, by the number of these. A beginning that is the same
/// counts for longer words.
#[must_use]
pub fn nearest<'w>(asked: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let asked = plain(asked);
    let letters = asked.chars().count();
    let mut best: Option<(usize, f64, &str)> = None;
    for word in words {
        let known = plain(word);
        let wrong = strsim::osa_distance(&asked, &known);
        let likeness = strsim::jaro_winkler(&asked, &known);
        let is_near = wrong <= letters.div_ceil(4);
        let begins_alike = asked.chars().next() == known.chars().next();
        if !is_near && (letters < LETTERS_MIN || likeness < LIKENESS_MIN || !begins_alike) {
            continue;
        }
        let wrong = if is_near { wrong } else { usize::MAX };
        if best.is_none_or(|(least, most, _)| wrong < least || wrong == least && likeness > most) {
            best = Some((wrong, likeness, word));
        }
    }
    best.map(|(_, _, word)| word)
}

/// Whether `asked` is `word` with few wrong letters: one of four at most. Case and `_`, `-` do not
/// matter.
#[must_use]
pub fn is_misspelt(asked: &str, word: &str) -> bool {
    let (asked, known) = (plain(asked), plain(word));
    strsim::osa_distance(&asked, &known) <= asked.chars().count().div_ceil(4)
}

/// Whether `asked` is `word` with one letter more, less, changed or exchanged with the next. Case
/// and `_`, `-` do not matter.
#[must_use]
pub fn has_one_wrong_letter(asked: &str, word: &str) -> bool {
    strsim::osa_distance(&plain(asked), &plain(word)) <= 1
}

fn plain(word: &str) -> String {
    word.to_lowercase().replace(['_', '-'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_found_and_nonsense_is_not() {
        assert_eq!(nearest("bufer_shared", ["buffer_shared", "buffer_reserve"]), Some("buffer_shared"));
        assert_eq!(nearest("Cassini_2", ["cassini-1", "cassini-2"]), Some("cassini-2"));
        assert_eq!(nearest("zzz", ["cassini-1", "rosetta"]), None);
        assert_eq!(nearest("lw", ["flows_per_port", "law", "stiffness"]), Some("law"), "one letter is missing");
        assert_eq!(nearest("lwa", ["flows_per_port", "law"]), Some("law"), "two letters are exchanged");
        assert_eq!(nearest("dragonfly", ["shandy", "frontier"]), None, "other letters in the same order");
        assert_eq!(nearest("time", ["time_limit", "threads"]), Some("time_limit"), "the same beginning");
        assert_eq!(nearest("", ["a"]), None);
    }
}
