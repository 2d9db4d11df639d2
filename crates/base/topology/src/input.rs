//! Reads input files. Memory is bounded for inputs without an end, and a refused reservation is an
//! error.

use philae_units::refusable;
use std::fs::{File, FileType, Metadata};
use std::io::{self, ErrorKind, Read};
use std::os::fd::AsFd;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

/// The most bytes that are read from a device: a terminal has fewer, /dev/zero has no end. Source:
/// ours. Status: assumed.
const DEVICE_BYTES_MAX: u64 = 1 << 20;

/// The most bytes that are read from a pipe. Source: ours; the writer may be endless, and a pipe
/// delivers this much in about a second. Status: assumed.
const PIPE_BYTES_MAX: u64 = 1 << 28;

/// Reads a whole input: a regular file, a pipe or a terminal. Opening a named pipe waits for its
/// writer, as in other programs.
///
/// # Errors
/// Those of the operating system; a folder or a socket; a device or a pipe with more than its limit
/// (1 MiB and 256 MiB); a file that is larger than the memory that the system grants.
pub fn read_input(path: &Path) -> io::Result<Vec<u8>> {
    // Opening a socket fails with words about a device.
    refuse(input_metadata(path)?.file_type())?;
    read_open(&File::open(path)?)
}

/// Reads standard input to its end, with the same limits.
///
/// # Errors
/// As [`read_input`].
pub fn read_standard_input() -> io::Result<Vec<u8>> {
    read_open(&File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// Opens a file whose reader moves to and fro in it.
///
/// # Errors
/// Those of the operating system, and anything but a regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let kind = input_metadata(path)?.file_type();
    refuse(kind)?;
    if !kind.is_file() {
        let found = if kind.is_fifo() { "a pipe" } else { "a device" };
        return Err(io::Error::new(ErrorKind::InvalidInput, format!("it is {found}; a regular file would work")));
    }
    File::open(path)
}

/// Reads a whole file that must be a regular one: a part of a folder, where a pipe would wait for a
/// writer that never comes.
///
/// # Errors
/// As [`open_regular`]; a file that is larger than the memory that the system grants.
pub fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    read_open(&open_regular(path)?)
}

/// What the system knows of an input. A link whose target is missing is named as such.
///
/// # Errors
/// Those of the operating system.
pub fn input_metadata(path: &Path) -> io::Result<Metadata> {
    std::fs::metadata(path).map_err(|error| match std::fs::read_link(path) {
        Ok(target) if error.kind() == ErrorKind::NotFound => {
            io::Error::new(error.kind(), format!("it is a link to '{}', which does not exist", target.display()))
        }
        _ => error,
    })
}

/// Refuses what no program can read as a file.
fn refuse(kind: FileType) -> io::Result<()> {
    let found = match kind {
        _ if kind.is_dir() => "a folder",
        _ if kind.is_socket() => "a socket",
        _ => return Ok(()),
    };
    let works = "a regular file or a pipe would work";
    Err(io::Error::new(ErrorKind::InvalidInput, format!("it is {found}; {works}")))
}

/// Memory that the system can still give, in bytes, if it reports it.
fn available() -> Option<u64> {
    let report = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = report.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
}

fn read_open(mut file: &File) -> io::Result<Vec<u8>> {
    let found = file.metadata()?;
    let kind = found.file_type();
    refuse(kind)?;
    let mut bytes = Vec::new();
    if kind.is_file() {
        let length = found.len();
        // A reservation alone is no check: the system grants memory that it does not have.
        let fits = available().is_none_or(|free| length <= free);
        let reserve = |length| refusable(|| bytes.try_reserve_exact(length)).is_ok();
        if !fits || !usize::try_from(length).is_ok_and(reserve) {
            let words = format!(
                "its {length} bytes do not fit into memory; a smaller file, a higher limit (ulimit -v) or a machine \
                 with more memory would work"
            );
            return Err(io::Error::new(ErrorKind::OutOfMemory, words));
        }
        file.read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    let is_device = kind.is_char_device() || kind.is_block_device();
    let (what, most) = if is_device { ("a device", DEVICE_BYTES_MAX) } else { ("a pipe", PIPE_BYTES_MAX) };
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let words = format!("it is {what} that delivers more than {} MiB; a regular file would work", most >> 20);
        return Err(io::Error::new(ErrorKind::FileTooLarge, words));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixListener;

    #[test]
    fn inputs_without_an_end_are_refused() {
        for device in ["/dev/zero", "/dev/urandom", "/dev/full"] {
            let error = read_input(Path::new(device)).expect_err("it has no end").to_string();
            assert!(error.contains("a device that delivers more than 1 MiB; a regular file"), "{device}: {error}");
            let error = open_regular(Path::new(device)).expect_err("a device").to_string();
            assert_eq!(error, "it is a device; a regular file would work");
        }
        assert_eq!(read_input(Path::new("/dev/null")).expect("it is empty"), b"");
    }

    #[test]
    fn folders_and_sockets_are_named() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let socket = folder.path().join("socket");
        let _listener = UnixListener::bind(&socket).expect("a socket");
        for (path, found) in [(folder.path(), "a folder"), (&socket, "a socket")] {
            let words = format!("it is {found}; a regular file or a pipe would work");
            assert_eq!(read_input(path).expect_err(found).to_string(), words);
            assert_eq!(open_regular(path).expect_err(found).to_string(), words);
        }
    }

    #[test]
    fn a_link_without_its_target_is_named() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("gone.toml", &link).expect("a link");
        let words = "it is a link to 'gone.toml', which does not exist";
        assert_eq!(read_input(&link).expect_err("no target").to_string(), words);
        assert_eq!(open_regular(&link).expect_err("no target").to_string(), words);
        assert_eq!(read_input(&folder.path().join("no")).expect_err("nothing").kind(), ErrorKind::NotFound);
    }

    #[test]
    fn a_file_larger_than_memory_is_an_error() {
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        if file.as_file().set_len(1 << 43).is_err() {
            return eprintln!("skipped: the file system has no files of 8 TiB");
        }
        match read_open(file.as_file()) {
            Err(error) if error.kind() == ErrorKind::OutOfMemory => {
                assert!(error.to_string().contains("8796093022208 bytes do not fit into memory"), "{error}");
            }
            other => panic!("{:?}", other.map(|bytes| bytes.len())),
        }
    }
}
