//! Files that commands write in addition to results: each is complete or absent, and none silently
//! replaces another one's file.

use crate::arguments::CommonOptions;
use crate::failure::CommandFailure;
use philae_console::{OutputError, standard_output};
use philae_results::{
    FileKind, HeldFolder, MadeFolders, MeasureError, check_folder, is_input, numbered, write_own, write_whole,
};
use philae_topology::read_regular;
use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};

/// Creates a folder if it is missing. If it is still empty at the end, it is removed again.
pub fn prepare(folder: &Path) -> Result<MadeFolders, CommandFailure> {
    check_folder(folder).map_err(|found| CommandFailure::input(format!("'{}': {found}", folder.display())))?;
    MadeFolders::make(folder)
        .map_err(|error| CommandFailure::input(format!("cannot create the folder {}: {error}", folder.display())))
}

/// Creates the folder of a file that is written later, and refuses a place that cannot take it.
pub fn prepare_file(file: &Path, kind: FileKind) -> Result<MadeFolders, CommandFailure> {
    let made = prepare(file.parent().unwrap_or(Path::new("")))?;
    check_replaces(file, kind).map(|()| made)
}

/// Files that mark a folder as the work of one command, and the kind of folder.
const MARKS: [(&str, &str); 4] = [
    ("manifest.json", "result of `philae simulate`"),
    ("sweep.json", "sweep"),
    ("study.json", "study of `philae reproduce`"),
    ("gpcnet.json", "result of `philae gpcnet`"),
];

/// Takes a folder for a command's documents, exclusively: a new or empty one, or one that has the
/// command's `own` mark. Files and folders in `begun` may be there before the mark.
pub fn take(folder: &Path, own: &str, begun: &[&str]) -> Result<HeldFolder, CommandFailure> {
    let works = "a new or an empty folder would work";
    check_folder(folder).map_err(|found| CommandFailure::input(format!("'{}': {found}", folder.display())))?;
    if let Some((_, what)) = MARKS.iter().find(|(mark, _)| *mark != own && folder.join(mark).is_file()) {
        return Err(CommandFailure::input(format!("'{}' is a {what}; {works}", folder.display())));
    }
    let is_known = |name: &std::ffi::OsStr| HeldFolder::is_lock(name) || begun.iter().any(|begun| name == *begun);
    match std::fs::read_dir(folder) {
        Ok(mut entries) => {
            let is_own = folder.join(own).is_file();
            if !is_own && entries.any(|entry| entry.is_ok_and(|entry| !is_known(&entry.file_name()))) {
                let what =
                    MARKS.iter().find(|(mark, _)| *mark == own).map_or("folder of this command", |(_, what)| what);
                return Err(CommandFailure::input(format!(
                    "'{}' exists and is not a {what}; {works}",
                    folder.display()
                )));
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => {
            return Err(CommandFailure::input(format!("cannot use the folder '{}': {error}", folder.display())));
        }
    }
    HeldFolder::take(folder).map_err(|error| match error {
        MeasureError::Busy { owner, .. } => CommandFailure::input(format!(
            "{}: another command is writing there ({owner}): another folder would work, or the same one after that command has ended",
            folder.display()
        )),
        other => CommandFailure::input(other),
    })
}

/// Refuses an existing file in the folder that the command reads: it is a part of a result.
pub fn check_outside(file: &Path, folder: &Path) -> Result<(), CommandFailure> {
    let place = |path: &Path| std::fs::canonicalize(path).ok();
    let home = place(file).and_then(|file| file.parent().map(Path::to_path_buf));
    if file.is_file() && home.is_some() && home == place(folder) {
        return Err(CommandFailure::input(format!(
            "'{}' exists in the result that is read, and would be replaced; a new name, or another folder, would work",
            file.display()
        )));
    }
    Ok(())
}

/// Refuses a place at which a file of another kind is, before any work is done for it. If the file
/// is standard output, nothing else goes there from then on.
fn check_replaces(path: &Path, kind: FileKind) -> Result<(), CommandFailure> {
    standard_output(path)
        .and_then(|own| own.map_or_else(|| kind.check_replaces(path), |_| Ok(())))
        .map_err(|error| CommandFailure::input(format!("cannot write '{}': {error}", path.display())))
}

/// Writes a file. An existing one stays until the new one is complete and on the disk.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), CommandFailure> {
    write_whole(path, bytes.as_ref()).map_err(|error| unwritten(path, error))
}

/// Writes a file in a folder that this command holds: whatever has its name is replaced.
pub fn write_held(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), CommandFailure> {
    write_own(path, bytes.as_ref()).map_err(|error| unwritten(path, error))
}

/// The failure to write a file. If its reader has gone, that is no error, as for standard output.
pub fn unwritten(path: &Path, error: io::Error) -> CommandFailure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => OutputError::ReaderGone.into(),
        _ => CommandFailure::run(format!("cannot write '{}': {error}", path.display())),
    }
}

/// Refuses an output that is also an input or another output of the command: what is read would be
/// lost.
pub fn check_apart(inputs: &[&Path], outputs: &[&Path]) -> Result<(), CommandFailure> {
    let refused = |output: &Path, words: &str| {
        Err(CommandFailure::input(format!("'{}' {words}; another name would work", output.display())))
    };
    for (index, output) in outputs.iter().enumerate() {
        if inputs.iter().any(|input| is_input(output, input)) {
            return refused(output, "is an input of this command and would be overwritten");
        }
        let is_standard_output = *output == Path::new("/dev/stdout");
        let is_same = |other: &&Path| is_input(output, other) || is_standard_output && *other == *output;
        if outputs[..index].iter().any(is_same) {
            return refused(output, "is the output of two options");
        }
    }
    Ok(())
}

/// Renames the files of an earlier study in a folder, as in `report.earlier.html`, if its results
/// differ. The comparison uses the document, the first of the files, without its duration.
pub fn keep_earlier(
    folder: &Path,
    files: &[&str],
    document: &Value,
    shared: &CommonOptions,
) -> Result<(), CommandFailure> {
    let found = |mut document: Value| {
        if let Some(document) = document.as_object_mut() {
            document.remove("wall_seconds");
        }
        document
    };
    keep_earlier_unless(folder, files, shared, |earlier| found(earlier.clone()) == found(document.clone()))
}

/// The same, unless the earlier document has the same subject.
pub fn keep_earlier_unless(
    folder: &Path,
    files: &[&str],
    shared: &CommonOptions,
    is_same: impl Fn(&Value) -> bool,
) -> Result<(), CommandFailure> {
    let Ok(text) = read_regular(&folder.join(files[0])) else { return Ok(()) };
    if serde_json::from_slice::<Value>(&text).is_ok_and(|earlier| is_same(&earlier)) {
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
                CommandFailure::run(format!("cannot rename {} to {}: {error}", path.display(), earlier.display()))
            })?;
        }
    }
    let free: Vec<PathBuf> = free.into_iter().filter(|path| path.exists()).collect();
    shared.note(&format!("{} had another study, whose files are now {}", folder.display(), list(&free)));
    Ok(())
}

fn list(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::{ColourChoice, ProgressStyle};
    use philae_results::WholeFile;
    use serde_json::json;
    use std::io::Write;

    #[test]
    fn a_file_takes_its_place_when_it_is_whole() {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let folder = temporary.path();
        let path = folder.join("a.txt");
        let read = || std::fs::read_to_string(&path).ok();
        let begun = WholeFile::begin(&path, FileKind::Text).expect("it can be written");
        begun.file().write_all(b"half").expect("there is room");
        assert_eq!(read(), None);
        drop(begun);
        assert_eq!(std::fs::read_dir(folder).expect("the folder").count(), 0, "nothing half written is left");
        write(&path, "one").expect("there is room");
        let link = folder.join("link");
        std::os::unix::fs::symlink(&path, &link).expect("a link");
        write(&link, "two").expect("there is room");
        assert!(link.is_symlink());
        assert_eq!(read().as_deref(), Some("two"), "what the link leads to");
        drop(WholeFile::begin(&path, FileKind::Text).expect("it can be written"));
        assert_eq!(read().as_deref(), Some("two"), "the earlier one stays");
    }

    #[test]
    fn a_study_that_found_something_else_keeps_its_names_apart() {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let folder = temporary.path();
        let shared = CommonOptions {
            json: false,
            quiet: true,
            progress: ProgressStyle::None,
            color: ColourChoice::Never,
            is_mute: true,
        };
        let files = ["study.json", "report.html"];
        let leave = |rows: u32, seconds: u32| {
            let document = json!({ "rows": rows, "wall_seconds": seconds });
            keep_earlier(folder, &files, &document, &shared).expect("they can be renamed");
            write(&folder.join("study.json"), document.to_string()).expect("there is room");
            write(&folder.join("report.html"), rows.to_string()).expect("there is room");
        };
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
        leave(1, 1);
        leave(1, 2);
        assert_eq!(read("report.earlier.html"), None, "it found the same");
        leave(2, 3);
        leave(3, 4);
        let found = ["report.html", "report.earlier.html", "report.earlier-2.html"].map(read);
        assert_eq!(found, ["3", "1", "2"].map(|rows| Some(rows.to_owned())));
        assert_eq!(std::fs::read_dir(folder).expect("the folder").count(), 6, "nothing half written is left");
    }
}
