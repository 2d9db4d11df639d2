//! The combinations of a sweep: keys with their values, and seeds.

/// A key with its values.
pub type SweepAxis = (String, Vec<String>);

/// The most runs of a sweep. Source: ours; a table with this many rows is read in a second. Status:
/// assumed.
pub const RUNS_MAX: usize = 100_000;

/// `KEY=A,B,C`: commas inside lists, tables and quotes do not separate values.
pub fn key_and_values(text: &str) -> Result<SweepAxis, String> {
    let works = "KEY=VALUE,VALUE would work, such as congestion.law=slingshot,none";
    let Some((key, values)) = text.split_once('=').filter(|(key, _)| !key.trim().is_empty()) else {
        return Err(works.to_owned());
    };
    let values = divided(values).ok_or_else(|| format!("a bracket or quote is not closed; {works}"))?;
    if values.iter().any(String::is_empty) {
        return Err(format!("a value is empty; {works}"));
    }
    if let Some(value) = values.iter().enumerate().find(|(index, value)| values[..*index].contains(value)) {
        return Err(format!("the value {} is there twice; each once would work", value.1));
    }
    Ok((key.trim().to_owned(), values))
}

fn divided(text: &str) -> Option<Vec<String>> {
    let (mut values, mut value, mut depth, mut quote) = (Vec::new(), String::new(), 0_i32, None);
    for letter in text.chars() {
        match (letter, quote) {
            ('"' | '\'', None) => quote = Some(letter),
            (letter, Some(open)) if letter == open => quote = None,
            ('[' | '{', None) => depth += 1,
            (']' | '}', None) => depth -= 1,
            (',', None) if depth == 0 => {
                values.push(std::mem::take(&mut value).trim().to_owned());
                continue;
            }
            _ => {}
        }
        value.push(letter);
    }
    values.push(value.trim().to_owned());
    (depth == 0 && quote.is_none()).then_some(values)
}

/// Seeds: `1-5`, `1,2,7`, or both, separated by commas.
pub fn seeds(text: &str) -> Result<Seeds, String> {
    let works = || format!("numbers from 0 to {} and ranges would work, such as 1-5 or 1,2,7-9", i64::MAX);
    let number = |word: &str| word.trim().parse::<u64>().ok().filter(|seed| i64::try_from(*seed).is_ok());
    let mut found = Vec::new();
    for part in text.split(',') {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let (from, to) = (number(from).ok_or_else(works)?, number(to).ok_or_else(works)?);
        if from > to {
            return Err(works());
        }
        if to - from >= RUNS_MAX as u64 {
            return Err(format!("{from}-{to} has more seeds than the limit, {RUNS_MAX}; fewer would work"));
        }
        found.extend(from..=to);
    }
    let mut sorted = found.clone();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() < found.len() {
        return Err(format!("a seed is given twice; {}", works()));
    }
    Ok(Seeds(found))
}

/// The seeds of a sweep.
#[derive(Clone, Debug)]
pub struct Seeds(pub Vec<u64>);

/// Every combination, in order: the last key varies fastest.
pub fn combinations(axes: &[SweepAxis]) -> Result<Vec<Vec<(String, String)>>, String> {
    let runs = axes.iter().try_fold(1_usize, |runs, (_, values)| runs.checked_mul(values.len()));
    if runs.is_none_or(|runs| runs > RUNS_MAX) {
        return Err(format!("the grid has more than {RUNS_MAX} combinations; fewer values would work"));
    }
    let is_again = |(at, (key, _)): &(usize, &SweepAxis)| axes[..*at].iter().any(|(other, _)| other == key);
    if let Some((_, (key, _))) = axes.iter().enumerate().find(is_again) {
        return Err(format!("--set {key} is given twice; --set {key}=A,B takes all of its values"));
    }
    let mut all = vec![Vec::new()];
    for (key, values) in axes {
        let with = |before: Vec<(String, String)>| {
            values
                .iter()
                .map(move |value| {
                    let mut next = before.clone();
                    next.push((key.clone(), value.clone()));
                    next
                })
                .collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(with).collect();
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_divide_values_but_not_lists_tables_or_quotes() {
        let of = |text: &str| key_and_values(text).map(|(_, values)| values);
        assert_eq!(of("a.b=1, 2").expect("two"), ["1", "2"]);
        assert_eq!(of("a=[1, 2],[3]").expect("two"), ["[1, 2]", "[3]"]);
        assert_eq!(of("a={ k = 'x,y', n = 1 },'p,q'").expect("two"), ["{ k = 'x,y', n = 1 }", "'p,q'"]);
        assert_eq!(key_and_values("law=none").expect("one").0, "law");
        for wrong in ["a", "=1", "a=", "a=1,", "a=[1,2", "a='x"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn seeds_are_ranges_and_lists() {
        assert_eq!(seeds("1-3,7").expect("four").0, [1, 2, 3, 7]);
        for wrong in ["", "x", "3-1", "1,1", "-1", "1-999999999"] {
            assert!(seeds(wrong).is_err(), "{wrong}");
        }
        let error = seeds("0-99999999999").expect_err("too many");
        assert!(error.contains("more seeds than the limit, 100000"), "{error}");
    }

    #[test]
    fn the_last_key_varies_fastest() {
        let axis =
            |key: &str, values: &[&str]| (key.to_owned(), values.iter().map(|&value| value.to_owned()).collect());
        let all = combinations(&[axis("law", &["a", "b"]), axis("seed", &["1", "2"])]).expect("four");
        let words: Vec<String> =
            all.iter().map(|one| one.iter().map(|(_, value)| value.as_str()).collect::<String>()).collect();
        assert_eq!(words, ["a1", "a2", "b1", "b2"]);
        assert_eq!(combinations(&[]).expect("the scenario itself").len(), 1);
        assert!(combinations(&[axis("x", &["1"]), axis("x", &["2"])]).expect_err("twice").contains("--set x"));
        let many: Vec<String> = (0..400).map(|value| value.to_string()).collect();
        assert!(combinations(&[("x".to_owned(), many.clone()), ("y".to_owned(), many)]).is_err());
    }
}
