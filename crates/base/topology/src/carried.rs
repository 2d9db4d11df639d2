//! Labels in a file of another program that cannot hold all characters.

use std::collections::BTreeMap;

/// Labels as a file has them. A label that the file cannot hold is changed; one that would then be
/// the same as another is left out, so that two labels never become one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CarriedLabels {
    texts: Vec<String>,
    changed: Vec<[String; 2]>,
    left_out: Vec<String>,
}

impl CarriedLabels {
    /// Labels, empty for none, in the form that `clean` gives them.
    #[must_use]
    pub fn new<'l>(labels: impl IntoIterator<Item = &'l str>, clean: impl Fn(&str) -> String) -> Self {
        let labels: Vec<&str> = labels.into_iter().collect();
        let cleaned: Vec<String> = labels.iter().map(|label| clean(label)).collect();
        // A label that needs no change keeps its text, wherever it stands.
        let mut owner: BTreeMap<&str, &str> = BTreeMap::new();
        for (label, text) in labels.iter().zip(&cleaned).filter(|(label, text)| *label == text) {
            owner.insert(text, label);
        }
        let mut carried = Self::default();
        for (&label, text) in labels.iter().zip(&cleaned) {
            let is_own = *owner.entry(text).or_insert(label) == label && (label.is_empty() || !text.is_empty());
            if !is_own {
                carried.left_out.push(label.to_owned());
            } else if label != text {
                carried.changed.push([label.to_owned(), text.clone()]);
            }
            carried.texts.push(if is_own { text.clone() } else { String::new() });
        }
        carried
    }

    /// The label at a place; `None` for none and for one that is left out.
    #[must_use]
    pub fn get(&self, at: usize) -> Option<&str> {
        self.texts.get(at).map(String::as_str).filter(|text| !text.is_empty())
    }

    /// What was changed and left out in a file of this kind, each with its number and the first.
    #[must_use]
    pub fn warnings(&self, file: &str) -> Vec<String> {
        let labels = |count: usize| if count == 1 { "1 label".to_owned() } else { format!("{count} labels") };
        let mut warnings = Vec::new();
        if let Some([label, text]) = self.changed.first() {
            warnings.push(format!(
                "{} changed, such as '{}' to '{text}': {file} cannot hold all characters",
                labels(self.changed.len()),
                label.escape_debug()
            ));
        }
        if let Some(label) = self.left_out.first() {
            warnings.push(format!(
                "{} left out, such as '{}': {file} cannot hold all characters, and without them it is empty or that of \
                 another part",
                labels(self.left_out.len()),
                label.escape_debug()
            ));
        }
        warnings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_labels_never_become_one() {
        let clean = |label: &str| label.replace('"', " ").trim().to_owned();
        let carried = CarriedLabels::new(["a\"b", "a b", "", "c", "c", "\"", "d\"", "a\"b"], clean);
        let texts: Vec<Option<&str>> = (0..8).map(|at| carried.get(at)).collect();
        assert_eq!(texts, [None, Some("a b"), None, Some("c"), Some("c"), None, Some("d"), None]);
        let warnings = carried.warnings("the file");
        assert_eq!(warnings[0], "1 label changed, such as 'd\\\"' to 'd': the file cannot hold all characters");
        assert!(warnings[1].starts_with("3 labels left out, such as 'a\\\"b'"), "{warnings:?}");
        assert_eq!(CarriedLabels::new(["a", "b"], clean).warnings("the file"), Vec::<String>::new());
    }
}
