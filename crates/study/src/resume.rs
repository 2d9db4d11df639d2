//! Findings kept in a folder, so that a validation that was cut off goes on where it was.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::experiment::Finding;
use crate::target::Target;

/// A folder of findings, and what they have to have been made by to be taken again.
#[derive(Clone, Debug)]
pub struct Kept {
    folder: PathBuf,
    /// The program, the size, the seed, and what was changed.
    maker: String,
}

#[derive(Serialize, Deserialize)]
struct Page {
    maker: String,
    findings: Vec<Line>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    row: String,
    /// The model's value, bit by bit: a value that was read again is the value that was written.
    model_bits: u64,
    note: String,
}

impl Kept {
    /// A folder, made where it is missing. `size` says how the experiments are run: full or quick, seed, changes.
    ///
    /// # Errors
    /// When the folder cannot be made, or the program's own file cannot be read.
    pub fn open(folder: &Path, size: &str) -> std::io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let mut hasher = DefaultHasher::new();
        std::fs::read(std::env::current_exe()?)?.hash(&mut hasher);
        let maker = format!("{} {:016x} {size}", env!("CARGO_PKG_VERSION"), hasher.finish());
        Ok(Self { folder: folder.to_owned(), maker })
    }

    fn path(&self, experiment: &str) -> PathBuf {
        self.folder.join(format!("{experiment}.json"))
    }

    /// What the experiment found, if this program found it in the same way.
    #[must_use]
    pub fn findings(&self, experiment: &str) -> Option<Vec<Finding>> {
        let page: Page = serde_json::from_slice(&std::fs::read(self.path(experiment)).ok()?).ok()?;
        if page.maker != self.maker {
            return None;
        }
        let finding = |line: Line| {
            Target::named(&line.row)?;
            Some(Finding::new(&line.row, f64::from_bits(line.model_bits), line.note))
        };
        page.findings.into_iter().map(finding).collect()
    }

    /// Keeps what the experiment found.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn keep(&self, experiment: &str, findings: &[Finding]) -> std::io::Result<()> {
        let line = |finding: &Finding| Line {
            row: finding.target.id.to_owned(),
            model_bits: finding.model.to_bits(),
            note: finding.note.clone(),
        };
        let page = Page { maker: self.maker.clone(), findings: findings.iter().map(line).collect() };
        let text = serde_json::to_string_pretty(&page)?;
        // Whole or not at all: a run may be cut off while it writes.
        let (path, partial) = (self.path(experiment), self.folder.join(format!("{experiment}.json.partial")));
        std::fs::write(&partial, text)?;
        std::fs::rename(partial, path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_come_back_as_they_were_and_only_to_the_same_run() {
        let folder = std::env::temp_dir().join(format!("philae-kept-{}", std::process::id()));
        let kept = Kept::open(&folder, "quick, seed 1").expect("a folder");
        assert!(kept.findings("made").is_none());
        let findings = [Finding::new("lossless", 0.1 + 0.2, "noted"), Finding::new("class-fair", f64::NAN, "")];
        kept.keep("made", &findings).expect("written");
        let again = kept.findings("made").expect("the same run");
        assert_eq!(again[0].model.to_bits(), findings[0].model.to_bits());
        assert!(again[1].model.is_nan() && again[0].note == "noted" && again[0].target.id == "lossless");
        let other = Kept::open(&folder, "quick, seed 2").expect("a folder");
        assert!(other.findings("made").is_none(), "another seed");
        std::fs::write(folder.join("made.json"), "{").expect("written");
        assert!(kept.findings("made").is_none(), "damaged");
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
