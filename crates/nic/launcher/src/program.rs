//! Finds the program, and recognises what it is linked with.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::elf;
use crate::error::LaunchError;

/// The communication library of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linked {
    /// MPICH, or a library with its binary interface: Intel's, MVAPICH, Cray's.
    Mpich,
    OpenMpi,
    /// Sandia's OpenSHMEM.
    SandiaShmem,
    /// Our OpenSHMEM, whose processes need no other launcher.
    PhilaeShmem,
    /// An interpreter, a script, or a program of MPI's standard binary interface: what it will load
    /// is not visible.
    Unknown,
    /// No library that has a launcher.
    Nothing,
}

/// A program to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchedProgram {
    pub file: PathBuf,
    /// Its communication library.
    pub linked: Linked,
    /// Folders in which its launcher may be, the likeliest first; those of `PATH` follow.
    pub folders: Vec<PathBuf>,
    /// Whether it is linked statically.
    pub is_static: bool,
}

/// Interpreters, by the beginning of their names.
const INTERPRETERS: [&str; 10] = ["python", "pypy", "perl", "ruby", "julia", "R", "Rscript", "bash", "sh", "env"];

/// Interpreters of the system's shell language.
const SHELLS: [&str; 6] = ["sh", "bash", "dash", "ksh", "zsh", "busybox"];
/// The most of a shell's script that is read. Source: ours. Status: assumed.
const SCRIPT_MAX: u64 = 64 << 10;

fn is_shell(file: &Path) -> bool {
    let real = std::fs::canonicalize(file);
    let is_one = |file: &Path| file.file_name().is_some_and(|name| SHELLS.iter().any(|shell| name == *shell));
    is_one(file) || real.is_ok_and(|real| is_one(&real))
}

/// A script of a shell is what the programs are that it names: the first that has a launcher
/// decides.
fn recognise_named(program: &mut LaunchedProgram, script: &Path, path: &OsStr) {
    let mut text = Vec::new();
    let read = std::fs::File::open(script).and_then(|file| file.take(SCRIPT_MAX).read_to_end(&mut text));
    if read.is_err() {
        return;
    }
    let text = String::from_utf8_lossy(&text).into_owned();
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let is_apart = |letter: char| letter.is_whitespace() || "\"'`;&|()<>{}".contains(letter);
    let words = lines.flat_map(|line| line.split(is_apart)).filter(|word| !word.is_empty() && !word.starts_with('-'));
    // A script often names what is in its own folder by a variable.
    let beside =
        |word: &str| Some(script.parent()?.join(Path::new(word).file_name()?)).filter(|file| check(file) == Ok(true));
    for word in words {
        let Some(file) = locate(OsStr::new(word), path).ok().or_else(|| beside(word)) else { continue };
        if !elf::is_elf(&file) {
            continue;
        }
        let folders = file.parent().map(Path::to_owned).into_iter().collect();
        let mut named = LaunchedProgram { linked: Linked::Nothing, folders, is_static: false, file };
        recognise_binary(&mut named);
        let is_interpreter = named.linked == Linked::Unknown && !is_shell(&named.file);
        if is_interpreter || !matches!(named.linked, Linked::Nothing | Linked::Unknown) {
            program.linked = named.linked;
            // Behind the script's own folder come those of the program's library.
            program.folders.extend(named.folders.into_iter().rev());
            return;
        }
    }
}

/// Finds out more about a program that is a shell, whose arguments are these: what its script is.
pub fn recognise_arguments(program: &mut LaunchedProgram, arguments: &[OsString], path: &OsStr) {
    let script = arguments.iter().find(|word| !word.as_encoded_bytes().starts_with(b"-"));
    if let Some(script) = script.filter(|_| is_shell(&program.file)) {
        recognise_named(program, Path::new(script), path);
    }
}

/// Finds and recognises a program: a path, or a name that is searched in `path` (the value of
/// `PATH`).
///
/// # Errors
/// It does not exist, or cannot be run.
pub fn find_program(name: &OsStr, path: &OsStr) -> Result<LaunchedProgram, LaunchError> {
    let file = locate(name, path)?;
    let mut program = LaunchedProgram { linked: Linked::Nothing, folders: Vec::new(), is_static: false, file };
    // Use the folder of the name as given, because the interpreter of a virtual environment is a
    // link to the system's.
    // A shell says nothing about the launcher.
    program.folders.extend(program.file.parent().map(Path::to_owned).filter(|_| !is_shell(&program.file)));
    if elf::is_elf(&program.file) {
        program.is_static = elf::is_static(&program.file);
        recognise_binary(&mut program);
    } else {
        recognise_script(&mut program, path)?;
    }
    Ok(program)
}

fn locate(name: &OsStr, path: &OsStr) -> Result<PathBuf, LaunchError> {
    let has_folder = Path::new(name).components().count() > 1 || name.as_encoded_bytes().starts_with(b"./");
    let folders: Vec<PathBuf> = if has_folder { vec![PathBuf::new()] } else { std::env::split_paths(path).collect() };
    let mut refused = None;
    let mut looked = Vec::new();
    for folder in folders {
        let file = folder.join(name);
        match check(&file) {
            Ok(true) => return std::path::absolute(&file).map_err(LaunchError::system("find this folder")),
            Ok(false) if looked.contains(&file) => {}
            Ok(false) => looked.push(file),
            Err(why) => refused = refused.or(Some(LaunchError::NotExecutable { path: file, why })),
        }
    }
    if let Some(refused) = refused {
        return Err(refused);
    }
    let name = name.to_string_lossy().into_owned();
    if !has_folder && Path::new(&name).is_file() {
        let why = format!("a name without a folder is looked for in PATH; ./{name} would work");
        return Err(LaunchError::NotExecutable { path: name.into(), why });
    }
    Err(LaunchError::NoProgram { name, looked })
}

/// Whether a program exists. An error is the reason why the file there cannot be run.
fn check(file: &Path) -> Result<bool, String> {
    match std::fs::metadata(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error.to_string()),
        Ok(found) if found.is_dir() => Err("it is a folder".to_owned()),
        Ok(found) if !found.is_file() => Err("it is a pipe, a device or a socket; a program would work".to_owned()),
        Ok(found) if found.permissions().mode() & 0o111 == 0 => {
            Err(format!("it is not executable; chmod +x {} would work", file.display()))
        }
        Ok(_) => Ok(true),
    }
}

/// What a library tells about the program that needs it.
fn linked_with(name: &str) -> Option<Linked> {
    let begins = |stem: &str, version: &str| {
        let rest = name.strip_prefix(stem).and_then(|rest| rest.split_once(".so."));
        rest.is_some_and(|(_, found)| found == version || found.starts_with(&format!("{version}.")))
    };
    if name.starts_with("libphilae_shmem.so") {
        Some(Linked::PhilaeShmem)
    } else if name.starts_with("libsma.so") {
        Some(Linked::SandiaShmem)
    } else if name.starts_with("libmpi_abi.so") {
        Some(Linked::Unknown)
    } else if name.starts_with("liboshmem.so") || begins("libmpi", "40") || begins("libmpi", "20") {
        Some(Linked::OpenMpi)
    } else if name.starts_with("libmpich.so") || begins("libmpi", "12") {
        Some(Linked::Mpich)
    } else {
        None
    }
}

fn recognise_binary(program: &mut LaunchedProgram) {
    for needed in elf::libraries(&program.file) {
        let Some(linked) = linked_with(&needed.name) else { continue };
        // Any of an MPI's libraries identifies it, and a definite match replaces an open one. Our
        // SHMEM works with any launcher; an MPI in the same program works only with its own.
        if matches!(program.linked, Linked::Nothing | Linked::Unknown | Linked::PhilaeShmem) {
            program.linked = linked;
        }
        let real = needed.file.as_ref().and_then(|file| std::fs::canonicalize(file).ok());
        for file in needed.file.iter().chain(&real) {
            let prefix = file.parent().and_then(Path::parent);
            program.folders.extend(prefix.map(|prefix| prefix.join("bin")));
        }
    }
    let name = program.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let is_interpreter = |stem: &str| {
        let rest = name.strip_prefix(stem);
        rest.is_some_and(|rest| rest.chars().all(|letter| letter.is_ascii_digit() || letter == '.'))
    };
    if program.linked == Linked::Nothing && INTERPRETERS.into_iter().any(is_interpreter) {
        program.linked = Linked::Unknown;
    }
}

/// The first line of a script names its interpreter.
fn recognise_script(program: &mut LaunchedProgram, path: &OsStr) -> Result<(), LaunchError> {
    let mut head = Vec::new();
    let file = std::fs::File::open(&program.file);
    let read = file.and_then(|file| file.take(512).read_to_end(&mut head));
    read.map_err(LaunchError::system(format!("read '{}'", program.file.display())))?;
    let line = String::from_utf8_lossy(head.split(|&byte| byte == b'\n').next().unwrap_or_default()).into_owned();
    let Some(words) = line.strip_prefix("#!") else {
        let why = "it is neither a program of this system nor a script that begins with #!".to_owned();
        return Err(LaunchError::NotExecutable { path: program.file.clone(), why });
    };
    let mut words = words.split_whitespace();
    let first = words.next().unwrap_or_default();
    let by_name = Path::new(first).file_name() == Some(OsStr::new("env"));
    let interpreter = if by_name { words.find(|word| !word.starts_with('-')).unwrap_or_default() } else { first };
    let file = locate(OsStr::new(interpreter), path)?;
    if is_shell(&file) {
        program.linked = Linked::Unknown;
        let script = program.file.clone();
        recognise_named(program, &script, path);
        return Ok(());
    }
    let mut interpreter = LaunchedProgram {
        folders: file.parent().map(Path::to_owned).into_iter().collect(),
        linked: Linked::Unknown,
        is_static: false,
        file,
    };
    // An interpreter that is itself a script says no more than the script that it runs.
    if elf::is_elf(&interpreter.file) {
        recognise_binary(&mut interpreter);
    }
    program.folders.extend(interpreter.folders);
    program.linked = interpreter.linked;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_say_what_a_program_is() {
        for (name, linked) in [
            ("libmpi.so.40", Some(Linked::OpenMpi)),
            ("libmpi_mpifh.so.40", Some(Linked::OpenMpi)),
            ("libmpi.so.12", Some(Linked::Mpich)),
            ("libmpi_gnu_123.so.12", Some(Linked::Mpich)),
            ("libmpich.so.12", Some(Linked::Mpich)),
            ("libmpi_abi.so.1", Some(Linked::Unknown)),
            ("libsma.so.1", Some(Linked::SandiaShmem)),
            ("libphilae_shmem.so.1", Some(Linked::PhilaeShmem)),
            ("libmpi.so.128", None),
            ("libm.so.6", None),
        ] {
            assert_eq!(linked_with(name), linked, "{name}");
        }
    }

    #[test]
    fn scripts_are_what_runs_them_and_what_cannot_be_run_says_why() {
        let temporary = tempfile::tempdir().expect("a folder");
        let folder = temporary.path();
        let file = |name: &str, text: &str, mode: u32| {
            let path = folder.join(name);
            std::fs::write(&path, text).expect("a file");
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("rights");
            path
        };
        let find = |path: &Path| find_program(path.as_os_str(), OsStr::new("/usr/bin:/bin"));
        let script = find(&file("script", "#!/usr/bin/env -S sh -e\n", 0o755)).expect("a script");
        assert_eq!(script.linked, Linked::Unknown);
        // The folder of the shell says nothing about the launcher.
        assert_eq!(script.folders, [folder], "{:?}", script.folders);
        let this = std::env::current_exe().expect("a file");
        let python = find(&file("of-python", "#!/bin/bash\n# /bin/sh\nexec \"/usr/bin/python3\" job.py\n", 0o755));
        let python = python.expect("a script");
        assert!(python.linked == Linked::Unknown && python.folders.len() > 1, "{python:?}");
        let names = format!("#!/bin/sh\ncd /tmp && exec {} -x\n", this.display());
        assert_eq!(find(&file("names", &names, 0o755)).expect("a script").linked, Linked::Unknown);
        let error = |path: &Path| find(path).expect_err("it cannot be run").to_string();
        assert!(error(&file("data", "#!/bin/sh\n", 0o644)).contains("chmod +x"));
        assert!(error(&file("text", "hello\n", 0o755)).contains("neither a program"));
        assert!(error(folder).contains("it is a folder"));
        let missing = find_program(OsStr::new("no-such-program"), OsStr::new("/usr/bin:/bin")).expect_err("none");
        assert!(missing.to_string().contains("/usr/bin/no-such-program"), "{missing}");
        let this = find(&std::env::current_exe().expect("a file")).expect("this test");
        assert_eq!((this.linked, this.is_static), (Linked::Nothing, false));
        let source = folder.join("program.c");
        std::fs::write(&source, "int main(void) { return 0; }\n").expect("a file");
        let mut compiler = std::process::Command::new("cc");
        let made = compiler.arg("-static").arg(&source).arg("-o").arg(folder.join("program")).output();
        let made = made.expect("a C compiler");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        assert!(find(&folder.join("program")).expect("a program").is_static);
    }
}
