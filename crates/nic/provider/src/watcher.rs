//! A file that becomes readable when something arrives, for programs that sleep on files
//! (`FI_WAIT_FD`).
//!
//! Other processes ring bells, not files. If a program asks for a file, a thread listens to the
//! bells of its endpoints: the only thread that this library starts for messages within a host.

use std::ffi::c_int;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use crate::abi::Errno;
use crate::wait::Pollable;

/// The file, and the thread that makes it readable.
pub(crate) struct Watcher {
    shared: Arc<Shared>,
    thread: Option<std::thread::JoinHandle<()>>,
}

struct Shared {
    file: OwnedFd,
    endpoints: Mutex<Vec<Weak<dyn Pollable>>>,
    is_armed: AtomicBool,
    ends: AtomicBool,
}

/// How often the thread checks its orders. Source: ours. Status: assumed.
const PERIOD: Duration = Duration::from_millis(1);

impl Watcher {
    /// A file, and a thread for it.
    pub fn new() -> Result<Self, Errno> {
        // SAFETY: the returned descriptor is ours.
        let file = unsafe {
            let file = libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK);
            if file < 0 {
                return Err(std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EMFILE));
            }
            OwnedFd::from_raw_fd(file)
        };
        let (endpoints, is_armed, ends) = (Mutex::default(), AtomicBool::new(false), AtomicBool::new(false));
        let shared = Arc::new(Shared { file, endpoints, is_armed, ends });
        let watched = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("philae-watcher".to_owned()).spawn(move || watched.listen());
        Ok(Self { shared, thread: Some(thread.map_err(|_| libc::EAGAIN)?) })
    }

    /// The file descriptor.
    pub fn file(&self) -> c_int {
        self.shared.file.as_raw_fd()
    }

    /// Also listens to this endpoint's bell.
    pub fn follow(&self, endpoint: &Weak<dyn Pollable>) {
        self.shared.endpoints.lock().expect("no panic with it").push(Weak::clone(endpoint));
    }

    /// The file is not readable from now on, until something arrives.
    pub fn arm(&self) {
        let mut count = 0_u64;
        // SAFETY: there is room for eight bytes; the file does not block.
        unsafe { libc::read(self.file(), (&raw mut count).cast(), 8) };
        self.shared.is_armed.store(true, Ordering::Release);
    }

    /// Makes the file readable.
    pub fn ring(&self) {
        self.shared.ring();
    }
}

impl Shared {
    fn ring(&self) {
        let one = 1_u64;
        // SAFETY: the value has eight bytes.
        unsafe { libc::write(self.file.as_raw_fd(), (&raw const one).cast(), 8) };
    }

    fn listen(&self) {
        while !self.ends.load(Ordering::Acquire) {
            let endpoints: Vec<Arc<dyn Pollable>> = {
                let known = self.endpoints.lock().expect("no panic with it");
                known.iter().filter_map(Weak::upgrade).collect()
            };
            // While the program sleeps on the file, only this thread checks whether peers are
            // alive.
            endpoints.iter().for_each(|endpoint| endpoint.watch());
            if self.is_armed.load(Ordering::Acquire) && endpoints.iter().any(|endpoint| endpoint.has_news()) {
                self.is_armed.store(false, Ordering::Release);
                self.ring();
            }
            match &endpoints[..] {
                [endpoint] if self.is_armed.load(Ordering::Acquire) => endpoint.sleep(PERIOD),
                _ => std::thread::sleep(PERIOD),
            }
        }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.shared.ends.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            // The thread itself may drop the last endpoint.
            if thread.thread().id() != std::thread::current().id() {
                let _ = thread.join();
            }
        }
    }
}
