//! Parts of an experiment that a command line may choose.

/// All parts of one kind: networks, loads, columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartKind {
    /// What they are, in the plural.
    pub kind: &'static str,
    /// Their names, as [`part_name`] writes them.
    pub names: Vec<String>,
}

impl PartKind {
    /// The kind of these parts. A name that comes twice counts once.
    #[must_use]
    pub fn of<'a>(kind: &'static str, parts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut names: Vec<String> = Vec::new();
        for name in parts.into_iter().map(part_name) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        Self { kind, names }
    }

    /// The chosen parts: those that `only` names, or all if it names the kind. `None` if it names
    /// neither.
    #[must_use]
    pub fn chosen(&self, only: &[String]) -> Option<Vec<&str>> {
        let has_all = only.iter().any(|name| name == self.kind);
        let names: Vec<&str> =
            self.names.iter().filter(|name| has_all || only.contains(name)).map(String::as_str).collect();
        (!names.is_empty()).then_some(names)
    }

    /// Whether a part is chosen: its name, its kind, or no part of its kind.
    #[must_use]
    pub fn chooses(&self, only: &[String], part: &str) -> bool {
        self.chosen(only).is_none_or(|chosen| chosen.contains(&part_name(part).as_str()))
    }
}

/// A name as one word of a command line: `UE, ECMP` is `ue-ecmp`.
#[must_use]
pub fn part_name(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_without_a_name_is_whole() {
        let kind = PartKind::of("columns", ["Slingshot", "UE, ECMP", "UE, ECMP"]);
        assert_eq!(kind.names, ["slingshot", "ue-ecmp"]);
        let only = ["ue-ecmp".to_owned()];
        assert!(kind.chooses(&only, "UE, ECMP") && !kind.chooses(&only, "Slingshot"));
        let other = ["permutation".to_owned()];
        assert!(kind.chooses(&other, "Slingshot") && kind.chooses(&[], "UE, ECMP"));
        assert_eq!(kind.chosen(&other), None);
    }

    #[test]
    fn the_name_of_a_kind_chooses_all_of_it() {
        let kind = PartKind::of("columns", ["Slingshot", "UE, ECMP"]);
        assert_eq!(kind.chosen(&["columns".to_owned()]), Some(vec!["slingshot", "ue-ecmp"]));
        assert_eq!(kind.chosen(&["slingshot".to_owned()]), Some(vec!["slingshot"]));
    }
}
