//! Findings, and readings of long runs, kept in a folder: an interrupted validation continues where
//! it stopped.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use philae_results::write_own;
use philae_topology::read_regular;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::experiment::TargetAnswer;
use crate::seeds::SeedSpread;
use crate::target::Target;

/// A folder of findings, and the identity of the program that may reuse them.
#[derive(Clone, Debug)]
pub struct FindingsFolder {
    folder: PathBuf,
    /// The program, the size, the seed, and the changes.
    maker: String,
}

#[derive(Serialize, Deserialize)]
struct Page {
    maker: String,
    /// Duration of the experiment, over all the runs that it took.
    seconds: f64,
    findings: Vec<Line>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    row: String,
    /// The model's value, bit by bit: the value that is read equals the value that was written.
    model_bits: u64,
    /// How it varies with the seed.
    #[serde(default)]
    spread: Option<SeedSpread>,
    note: String,
}

impl FindingsFolder {
    /// Opens a folder, which is made if it is missing. `size` describes the experiments: full or
    /// quick, seed, changes.
    ///
    /// # Errors
    /// If the folder cannot be made, or the program's own file cannot be read.
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

    /// The findings of the experiment and their duration in seconds, if this program made them in
    /// the same way.
    #[must_use]
    pub fn findings(&self, experiment: &str) -> Option<(Vec<TargetAnswer>, f64)> {
        let page: Page = serde_json::from_slice(&read_regular(&self.path(experiment)).ok()?).ok()?;
        if page.maker != self.maker {
            return None;
        }
        let finding = |line: Line| {
            Target::named(&line.row)?;
            let answer = TargetAnswer::new(&line.row, f64::from_bits(line.model_bits), line.note);
            Some(TargetAnswer { spread: line.spread, ..answer })
        };
        let findings: Option<Vec<TargetAnswer>> = page.findings.into_iter().map(finding).collect();
        Some((findings?, page.seconds))
    }

    /// Keeps the findings of the experiment and their duration in seconds.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn keep(&self, experiment: &str, findings: &[TargetAnswer], seconds: f64) -> std::io::Result<()> {
        let line = |finding: &TargetAnswer| Line {
            row: finding.target.id.to_owned(),
            model_bits: finding.model.to_bits(),
            spread: finding.spread,
            note: finding.note.clone(),
        };
        let page = Page { maker: self.maker.clone(), seconds, findings: findings.iter().map(line).collect() };
        write_own(&self.path(experiment), serde_json::to_string_pretty(&page)?.as_bytes())
    }

    /// The reading of one run of many: `asked` is all that the run depends on, except this program.
    #[must_use]
    pub(crate) fn reading<T: DeserializeOwned>(&self, asked: &str) -> Option<Reading<T>> {
        let page = read_regular(&self.reading_path(asked)).ok()?;
        let (maker, seconds, value): (String, f64, T) = postcard::from_bytes(&page).ok()?;
        (maker == self.maker).then_some(Reading { value, seconds })
    }

    /// Keeps the reading of one run of many.
    pub(crate) fn keep_reading<T: Serialize>(&self, asked: &str, reading: &Reading<T>) -> std::io::Result<()> {
        let page = postcard::to_stdvec(&(&self.maker, reading.seconds, &reading.value));
        let path = self.reading_path(asked);
        std::fs::create_dir_all(path.parent().expect("it lies in a folder"))?;
        write_own(&path, &page.map_err(std::io::Error::other)?)
    }

    fn reading_path(&self, asked: &str) -> PathBuf {
        let hash = |salt: u8| {
            let mut hasher = DefaultHasher::new();
            (salt, &self.maker, asked).hash(&mut hasher);
            hasher.finish()
        };
        self.folder.join("runs").join(format!("{:016x}{:016x}", hash(0), hash(1)))
    }
}

/// The reading of a run.
pub(crate) struct Reading<T> {
    pub value: T,
    /// Duration of the run.
    pub seconds: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_come_back_as_they_were_and_only_to_the_same_run() {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let folder = temporary.path();
        let kept = FindingsFolder::open(folder, "quick, seed 1").expect("a folder");
        assert!(kept.findings("made").is_none());
        let findings =
            [TargetAnswer::new("lossless", 0.1 + 0.2, "noted"), TargetAnswer::new("class-fair", f64::NAN, "")];
        kept.keep("made", &findings, 2.5).expect("written");
        let (again, seconds) = kept.findings("made").expect("the same run");
        assert!((seconds - 2.5).abs() < f64::EPSILON);
        assert_eq!(again[0].model.to_bits(), findings[0].model.to_bits());
        assert!(again[1].model.is_nan() && again[0].note == "noted" && again[0].target.id == "lossless");
        let other = FindingsFolder::open(folder, "quick, seed 2").expect("a folder");
        assert!(other.findings("made").is_none(), "another seed");
        std::fs::write(folder.join("made.json"), "{").expect("written");
        assert!(kept.findings("made").is_none(), "damaged");
        kept.keep_reading("a run", &Reading { value: vec![0.1 + 0.2, f64::NAN], seconds: 1.5 }).expect("written");
        let read = kept.reading::<Vec<f64>>("a run").expect("the same run");
        assert_eq!(read.value[0].to_bits(), (0.1_f64 + 0.2).to_bits());
        assert!(read.value[1].is_nan() && (read.seconds - 1.5).abs() < f64::EPSILON);
        assert!(kept.reading::<Vec<f64>>("another run").is_none());
        assert!(other.reading::<Vec<f64>>("a run").is_none(), "another seed");
    }
}
