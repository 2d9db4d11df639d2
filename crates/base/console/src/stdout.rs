//! Standard output as a file: whether it was open when the program began, and whether a command
//! writes its data there (`-o /dev/stdout`), so that nothing else may go there.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the program began with its standard output closed (`>&-`).
static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether standard output takes a command's data.
static TAKES_DATA: AtomicBool = AtomicBool::new(false);

/// Names of standard output.
const NAMES: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// Asks the system before `main`: the standard library opens `/dev/null` instead of a closed
/// descriptor, and then no write would fail.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the program loader calls it, and the descriptor may be closed")]
mod before_main {
    use std::os::fd::BorrowedFd;

    extern "C" fn look() {
        // SAFETY: the call tests whether the descriptor is open, and nothing keeps it.
        let standard_output = unsafe { BorrowedFd::borrow_raw(1) };
        let is_closed = rustix::io::fcntl_getfd(standard_output) == Err(rustix::io::Errno::BADF);
        super::WAS_CLOSED.store(is_closed, std::sync::atomic::Ordering::Relaxed);
    }

    // SAFETY: the section holds pointers to functions of this type.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;
}

/// Whether the program began with its standard output closed.
pub(crate) fn was_closed() -> bool {
    WAS_CLOSED.load(Ordering::Relaxed)
}

/// Whether standard output takes a command's data, so that everything else goes to standard error.
pub(crate) fn takes_data() -> bool {
    TAKES_DATA.load(Ordering::Relaxed)
}

/// Standard output, if the output file of a command is that: by one of its names, or because both
/// are the same file, pipe or terminal. From then on [`print`](crate::print) writes to standard
/// error, because the data must not be mixed with other text.
///
/// # Errors
/// It is closed.
pub fn standard_output(output: &Path) -> io::Result<Option<File>> {
    let is_named = NAMES.iter().any(|name| output == Path::new(name));
    if was_closed() {
        let closed = || io::Error::other("standard output is closed");
        return if is_named { Err(closed()) } else { Ok(None) };
    }
    let own = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    if !is_named && !is_same(&own, output) {
        return Ok(None);
    }
    TAKES_DATA.store(true, Ordering::Relaxed);
    Ok(Some(own))
}

/// Whether a path leads to an open file. Devices other than terminals take any number of outputs.
fn is_same(own: &File, path: &Path) -> bool {
    let (Ok(own_data), Ok(found)) = (own.metadata(), std::fs::metadata(path)) else { return false };
    let is_device = own_data.file_type().is_char_device() && !own.is_terminal();
    !is_device && (own_data.dev(), own_data.ino()) == (found.dev(), found.ino())
}
