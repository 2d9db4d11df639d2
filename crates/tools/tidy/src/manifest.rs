//! Checks that every crate uses the workspace's lints.

use crate::Finding;

/// Finds a crate's `Cargo.toml` that does not use the workspace's lints: cargo would then apply
/// none, without a warning.
#[must_use]
pub fn without_workspace_lints(path: &str, text: &str) -> Option<Finding> {
    let mut section = "";
    let takes_them = text.lines().map(str::trim).any(|line| {
        if line.starts_with('[') {
            section = line;
        }
        let compact: String = line.chars().filter(|character| !character.is_whitespace()).collect();
        (section == "[lints]" && compact == "workspace=true")
            || (section.is_empty() && compact == "lints.workspace=true")
    });
    (!takes_them).then(|| Finding::new(path, 0, "needs `[lints]` with `workspace = true`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_without_the_lints_is_caught() {
        assert!(without_workspace_lints("Cargo.toml", "[package]\nname = \"a\"\n").is_some());
        assert!(without_workspace_lints("Cargo.toml", "[lints]\nworkspace = false\n").is_some());
        assert!(without_workspace_lints("Cargo.toml", "[lints]\n\n[dependencies]\nworkspace = true\n").is_some());
        assert_eq!(
            without_workspace_lints("Cargo.toml", "[package]\nname = \"a\"\n\n[lints]\nworkspace = true\n"),
            None
        );
        assert_eq!(without_workspace_lints("Cargo.toml", "lints.workspace = true\n\n[package]\n"), None);
    }
}
