//! Patterns over names: `*` matches any characters, `?` matches one character.

/// Whether all of `text` matches `pattern`.
///
/// The algorithm keeps two positions, that of the last `*` and the end of its match so far. Its
/// time is at most the product of the lengths.
#[must_use]
pub fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut at, mut from) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while from < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, from));
                at += 1;
            }
            Some(&letter) if letter == b'?' || letter == text[from] => {
                at += 1;
                from += 1;
            }
            _ => match &mut star {
                Some((place, taken)) => {
                    *taken += 1;
                    (at, from) = (*place + 1, *taken);
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|letter| *letter == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn oracle(pattern: &[u8], text: &[u8]) -> bool {
        match (pattern.first(), text.first()) {
            (None, None) => true,
            (Some(b'*'), _) => oracle(&pattern[1..], text) || (!text.is_empty() && oracle(pattern, &text[1..])),
            (Some(b'?'), Some(_)) => oracle(&pattern[1..], &text[1..]),
            (Some(one), Some(other)) if one == other => oracle(&pattern[1..], &text[1..]),
            _ => false,
        }
    }

    #[test]
    fn stars_take_any_run_and_question_marks_one() {
        assert!(matches("x1001c*r*", "x1001c0r3a0l29"));
        assert!(!matches("x1001c*r*", "x1002c0r3a0l29"));
        assert!(matches("x100?c0r3b0", "x1001c0r3b0"));
        assert!(!matches("x1001c0r3", "x1001c0r3b0"), "all of the name has to match");
        assert!(matches("*", ""));
    }

    proptest! {
        #[test]
        fn it_agrees_with_the_plain_definition(pattern in "[ab*?]{0,8}", text in "[abc]{0,10}") {
            prop_assert_eq!(matches(&pattern, &text), oracle(pattern.as_bytes(), text.as_bytes()));
        }
    }
}
