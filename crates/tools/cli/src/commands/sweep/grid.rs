//! The combinations of a sweep.

use crate::arguments::{RUNS_MAX, SweepAxis};

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
