//! Detects that a PE of this host has died. A PE that waits long checks this itself, so no launcher
//! has to report it.

use std::os::fd::{FromRawFd, OwnedFd};
use std::sync::atomic::Ordering;

use crate::abi::{ControlPage, state};
use crate::error::Error;

/// Handles of the processes of this host's PEs. Unlike a process number, a handle never refers to
/// another process.
#[derive(Debug, Default)]
pub struct Deaths {
    watched: Vec<Watched>,
}

#[derive(Debug)]
struct Watched {
    pe: u32,
    pid: i32,
    /// `None` if the kernel offers no handles; then the process number has to do.
    handle: Option<OwnedFd>,
}

impl Deaths {
    /// Watches these processes. They are known to be alive because they take part in
    /// initialisation.
    #[must_use]
    pub fn of(processes: impl Iterator<Item = (u32, i32)>) -> Self {
        let watch = |(pe, pid): (u32, i32)| {
            // SAFETY: the arguments are numbers; the call returns a descriptor, which the kernel
            // closes when the process executes another program.
            let found = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
            let handle = i32::try_from(found).ok().filter(|&found| found >= 0);
            // SAFETY: it was made just now, and has no other owner.
            Watched { pe, pid, handle: handle.map(|handle| unsafe { OwnedFd::from_raw_fd(handle) }) }
        };
        Self { watched: processes.map(watch).collect() }
    }

    /// A PE that is gone, with what its control page says about it. If others followed it, it is
    /// the one that they followed.
    #[must_use]
    pub fn look<'a>(&self, control: impl Fn(u32) -> Option<&'a ControlPage>) -> Option<Error> {
        let mut follower = None;
        for watched in &self.watched {
            let Some(page) = control(watched.pe) else { continue };
            let before = page.state.load(Ordering::Acquire);
            let is_said = |state: u32| state == state::FAILED || state == state::FOLLOWED || state == state::FINALISED;
            let state = if is_said(before) {
                before
            } else if watched.is_gone() {
                // Between the two checks it may have recorded how it ends.
                page.state.load(Ordering::Acquire)
            } else {
                continue;
            };
            let code = || format!("has ended with code {}", page.exit_code.load(Ordering::Acquire));
            let died = |how: String| Some(Error::PeDied { pe: watched.pe, pid: watched.pid, how });
            match state {
                // It ended well: it has done everything that other PEs need.
                state::FINALISED => {}
                state::FOLLOWED => follower = died(code()),
                state::FAILED => return died(code()),
                _ => return died("has died, or has ended without shmem_finalize".to_owned()),
            }
        }
        follower
    }
}

impl Watched {
    fn is_gone(&self) -> bool {
        use std::os::fd::AsRawFd;
        let Some(handle) = &self.handle else {
            // SAFETY: signal 0 only queries.
            return unsafe { libc::kill(self.pid, 0) } != 0
                && std::io::Error::last_os_error().raw_os_error() == Some(libc::ESRCH);
        };
        let mut poll = libc::pollfd { fd: handle.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: one entry; the call does not wait.
        unsafe { libc::poll(&raw mut poll, 1, 0) > 0 && poll.revents & libc::POLLIN != 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_killed_and_the_failed_are_told_from_the_living_and_the_finished() {
        let page = ControlPage::new(state::RUNNING);
        let mut child = std::process::Command::new("sleep").arg("1000").spawn().expect("sleep");
        let deaths = Deaths::of([(3, child.id() as i32)].into_iter());
        let look = || deaths.look(|_| Some(&page)).map(|error| error.to_string());
        assert_eq!(look(), None);
        page.exit_code.store(9, Ordering::Relaxed);
        page.state.store(state::FAILED, Ordering::Relaxed);
        let said = look().expect("it has failed");
        assert!(said.contains("PE 3") && said.contains("ended with code 9"), "{said}");
        page.state.store(state::RUNNING, Ordering::Relaxed);
        child.kill().expect("it lives");
        child.wait().expect("it ends");
        let said = look().expect("it was killed");
        assert!(said.contains("PE 3") && said.contains("has died"), "{said}");
        page.state.store(state::FINALISED, Ordering::Relaxed);
        assert_eq!(look(), None);
        // Of a PE that followed another and that other, the error names the other.
        let both = Deaths::of([(0, child.id() as i32), (3, child.id() as i32)].into_iter());
        let followed = ControlPage::new(state::FOLLOWED);
        let page = ControlPage::new(state::FAILED);
        let look =
            |of: &Deaths| of.look(|pe| Some(if pe == 0 { &followed } else { &page })).map(|error| error.to_string());
        assert!(look(&both).expect("both").contains("PE 3"));
        let one = Deaths::of([(0, child.id() as i32)].into_iter());
        assert!(look(&one).expect("one").contains("PE 0"));
    }
}
