//! The shared libraries that a program needs, and where the loader would find them.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use elf::ElfStream;
use elf::abi::{DT_NEEDED, DT_RPATH, DT_RUNPATH, PT_INTERP};
use elf::endian::AnyEndian;

/// The most libraries to read. Programs sometimes have hundreds of them, but none has this many.
const FILES_MAX: usize = 2_000;

/// The libraries that a file names.
#[derive(Debug, Default)]
struct Needs {
    names: Vec<String>,
    folders: Vec<PathBuf>,
}

/// A library that a program is linked with, directly or through others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Needed {
    /// The name in the file that needs it: `libmpi.so.40`.
    pub name: String,
    /// Where the loader would find it; `None` if it would not.
    pub file: Option<PathBuf>,
}

/// Whether it is a program in the system's own format.
pub(crate) fn is_elf(file: &Path) -> bool {
    use std::io::Read;
    let mut head = [0; 4];
    File::open(file).and_then(|mut file| file.read_exact(&mut head)).is_ok() && head == *b"\x7fELF"
}

/// Whether nothing loads libraries for a program: it names no loader.
pub(crate) fn is_static(program: &Path) -> bool {
    let opened = File::open(program).ok().and_then(|file| ElfStream::<AnyEndian, _>::open_stream(file).ok());
    opened.is_some_and(|stream| stream.segments().iter().all(|segment| segment.p_type != PT_INTERP))
}

/// The libraries of a program, beginning with those that it names itself. An unreadable file counts
/// as having none.
pub(crate) fn libraries(program: &Path) -> Vec<Needed> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    let mut open = vec![program.to_owned()];
    let mut next = 0;
    while let Some(file) = open.get(next).cloned() {
        next += 1;
        if next > FILES_MAX {
            break;
        }
        let Needs { names, folders } = needs(&file).unwrap_or_default();
        for name in names {
            if !seen.insert(name.clone()) {
                continue;
            }
            let file = find(&name, &folders);
            open.extend(file.clone());
            found.push(Needed { name, file });
        }
    }
    found
}

fn needs(path: &Path) -> Option<Needs> {
    let mut stream = ElfStream::<AnyEndian, _>::open_stream(File::open(path).ok()?).ok()?;
    let entries: Vec<(i64, usize)> =
        stream.dynamic().ok()??.iter().map(|entry| (entry.d_tag, entry.d_val() as usize)).collect();
    let (_, strings) = stream.dynamic_symbol_table().ok()??;
    let of = |wanted: i64| {
        let chosen = entries.iter().filter(move |(tag, _)| *tag == wanted);
        chosen.filter_map(|(_, at)| strings.get(*at).ok()).map(str::to_owned).collect::<Vec<String>>()
    };
    let origin = path.parent().unwrap_or(Path::new("/")).display().to_string();
    let folders = of(DT_RPATH).into_iter().chain(of(DT_RUNPATH));
    let folders = folders.flat_map(|list| {
        let expanded = list.replace("${ORIGIN}", &origin).replace("$ORIGIN", &origin);
        expanded.split(':').map(PathBuf::from).collect::<Vec<_>>()
    });
    Some(Needs { folders: folders.collect(), names: of(DT_NEEDED) })
}

/// Where the loader searches after the paths that files name. Source: ld.so(8). Status: published.
const FOLDERS: [&str; 4] = ["/lib", "/usr/lib", "/lib64", "/usr/lib64"];

fn find(name: &str, folders: &[PathBuf]) -> Option<PathBuf> {
    let said = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let said: Vec<PathBuf> = std::env::split_paths(&said).collect();
    let multiarch = format!("{}-linux-gnu", std::env::consts::ARCH);
    let known = ["/lib", "/usr/lib"].into_iter().map(|folder| Path::new(folder).join(&multiarch));
    let known = known.chain(FOLDERS.map(PathBuf::from)).chain(configured());
    let all = folders.iter().cloned().chain(said).chain(known);
    all.map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Folders that the system's administrator has configured for the loader.
fn configured() -> Vec<PathBuf> {
    let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
    let parts = std::fs::read_dir("/etc/ld.so.conf.d").into_iter().flatten().flatten().map(|entry| entry.path());
    let texts = std::iter::once(PathBuf::from("/etc/ld.so.conf")).chain(parts).map(|path| read(&path));
    let lines = texts.flat_map(|text| text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>());
    lines.filter(|line| line.starts_with('/')).map(PathBuf::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_test_needs_the_c_library_and_text_needs_none() {
        let this = std::env::current_exe().expect("a file");
        let found = libraries(&this);
        let c = found.iter().find(|needed| needed.name.starts_with("libc.so")).expect("linked with C's library");
        assert!(c.file.as_ref().is_some_and(|file| file.is_file()), "{c:?}");
        assert!(is_elf(&this));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        assert!(!is_elf(&source) && libraries(&source).is_empty());
    }
}
