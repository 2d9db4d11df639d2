//! Files that commands leave beside results: each is there whole or not at all, and none replaces another one's in silence.

use crate::arguments::Shared;
use crate::failure::Failure;
use philae_measure::numbered;
use serde_json::Value;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Makes a folder where there is none.
pub fn prepare(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::input(format!("cannot create the folder {}: {error}", folder.display())))
}

/// Writes a file. One that is there stays as it is until the new one is whole and on the disk.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let part = path.with_file_name(format!(".{name}.{}.part", std::process::id()));
    let written = if is_file(path) { write_whole(path, &part, text) } else { std::fs::write(path, text) };
    written.map_err(|error| Failure::run(format!("cannot write {}: {error}", path.display())))
}

/// Whether it may be replaced by a file: a device or a pipe is written to as it is.
fn is_file(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| found.is_file()) || !path.exists() && !path.is_symlink()
}

fn write_whole(path: &Path, part: &Path, text: &str) -> io::Result<()> {
    // What a link leads to is replaced, and not the link.
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let written = std::fs::File::create(part).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(part, path)
    });
    if written.is_err() {
        // Half a file is of no use; that it stays is no second failure.
        let _ = std::fs::remove_file(part);
    }
    written
}

/// Gives the files of an earlier study in a folder other names, `report.earlier.html`, where it found something else: by its
/// document, the first of them, but for how long it took.
pub fn keep_earlier(folder: &Path, files: &[&str], document: &Value, shared: &Shared) -> Result<(), Failure> {
    let Ok(text) = std::fs::read_to_string(folder.join(files[0])) else { return Ok(()) };
    let found = |mut document: Value| {
        if let Some(document) = document.as_object_mut() {
            document.remove("wall_seconds");
        }
        document
    };
    if serde_json::from_str(&text).is_ok_and(|earlier| found(earlier) == found(document.clone())) {
        return Ok(());
    }
    let names = |number: u32| -> Vec<PathBuf> {
        let earlier = |file: &&str| {
            let (name, extension) = file.rsplit_once('.').unwrap_or((file, "txt"));
            let name = numbered(&folder.join(format!("{name}.earlier")), number);
            PathBuf::from(format!("{}.{extension}", name.display()))
        };
        files.iter().map(earlier).collect()
    };
    let free = (1..).map(names).find(|names| names.iter().all(|name| !name.exists())).unwrap_or_default();
    for (file, earlier) in files.iter().zip(&free) {
        let path = folder.join(file);
        if path.exists() {
            std::fs::rename(&path, earlier).map_err(|error| {
                Failure::run(format!("cannot rename {} to {}: {error}", path.display(), earlier.display()))
            })?;
        }
    }
    shared.note(&format!("{} had another study: its files are now {}", folder.display(), list(&free)));
    Ok(())
}

fn list(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::{ColourChoice, ProgressStyle};
    use serde_json::json;

    #[test]
    fn a_study_that_found_something_else_keeps_its_names_apart() {
        let folder = std::env::temp_dir().join(format!("philae-documents-{}", std::process::id()));
        prepare(&folder).expect("a temporary folder");
        let shared = Shared { json: false, quiet: true, progress: ProgressStyle::None, color: ColourChoice::Never };
        let files = ["study.json", "report.html"];
        let leave = |rows: u32, seconds: u32| {
            let document = json!({ "rows": rows, "wall_seconds": seconds });
            keep_earlier(&folder, &files, &document, &shared).expect("they can be renamed");
            write(&folder.join("study.json"), &document.to_string()).expect("there is room");
            write(&folder.join("report.html"), &rows.to_string()).expect("there is room");
        };
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
        leave(1, 1);
        leave(1, 2);
        assert_eq!(read("report.earlier.html"), None, "it found the same");
        leave(2, 3);
        leave(3, 4);
        let found = ["report.html", "report.earlier.html", "report.earlier-2.html"].map(read);
        assert_eq!(found, ["3", "1", "2"].map(|rows| Some(rows.to_owned())));
        assert_eq!(std::fs::read_dir(&folder).expect("the folder").count(), 6, "nothing half written is left");
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
