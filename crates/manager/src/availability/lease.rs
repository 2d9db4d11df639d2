//! Who may lead: a lease that one manager holds and keeps alive, and that another one gets when it is no longer kept alive.
//!
//! A lease says when to take over, and draws the epoch. It is not what keeps two managers apart: that agents take no orders
//! of a lower epoch does, whatever becomes of the lease.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::etcd::Etcd;

/// What a takeover adds to the epoch. A restart adds 1: a manager that led before, and starts again without having heard of the
/// takeover, stays below.
///
/// Source: ours. Status: assumed; nobody restarts so often between two takeovers.
pub const TAKEOVER: u64 = 1 << 20;

/// Which lease, as the command line names it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LeaseName {
    /// None: a standby takes over when it is told to.
    #[default]
    None,
    /// A file on storage that all managers share.
    File(PathBuf),
    /// Keys of an etcd, by the address of one of its members.
    Etcd(String),
}

impl FromStr for LeaseName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "none" => Ok(Self::None),
            Some(("file", path)) if !path.is_empty() => Ok(Self::File(path.into())),
            Some(("etcd", url)) if url.starts_with("http://") => Ok(Self::Etcd(url.trim_end_matches('/').to_owned())),
            _ => Err(format!("'{text}': none, file:/shared/philae.lease or etcd:http://127.0.0.1:2379 would work")),
        }
    }
}

impl std::fmt::Display for LeaseName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::File(path) => write!(f, "file:{}", path.display()),
            Self::Etcd(url) => write!(f, "etcd:{url}"),
        }
    }
}

/// Why a lease could not be asked for.
#[derive(Debug, thiserror::Error)]
pub enum LeaseError {
    /// The file.
    #[error("the lease {}: {error}", .path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The file holds something else.
    #[error("{} is no lease: {problem}; remove it, or name another file", .path.display())]
    NoLease {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// etcd.
    #[error("the lease at {url}: {problem}")]
    Etcd {
        /// Where.
        url: String,
        /// Why.
        problem: String,
    },
}

/// What asking for a lease came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It is held now, with this epoch.
    Ours(u64),
    /// Somebody else holds it, or may still.
    Theirs(String),
}

/// A lease, as one manager sees it.
#[derive(Debug)]
pub enum Lease {
    /// On a file.
    File(FileLease),
    /// In etcd.
    Etcd(Etcd),
}

impl Lease {
    /// The lease of a name, for a manager called `holder`; nothing where there is none.
    #[must_use]
    pub fn open(name: &LeaseName, fabric: &str, holder: &str, life: Duration) -> Option<Self> {
        match name {
            LeaseName::None => None,
            LeaseName::File(path) => Some(Self::File(FileLease::new(path, holder, life))),
            LeaseName::Etcd(url) => Some(Self::Etcd(Etcd::new(url, fabric, holder, life))),
        }
    }

    /// Asks for the lease: never waits for somebody to let go of it. `above` is the highest epoch that is known; a takeover
    /// gets one far above it, a restart of who held the lease last the next.
    ///
    /// # Errors
    /// When the file or etcd cannot be asked.
    pub fn take(&mut self, above: u64, now: Instant) -> Result<Taken, LeaseError> {
        match self {
            Self::File(file) => file.take(above, now),
            Self::Etcd(etcd) => etcd.take(above),
        }
    }

    /// Keeps the lease alive; whether it is still ours.
    ///
    /// # Errors
    /// When the file or etcd cannot be asked: then it may be either.
    pub fn renew(&mut self) -> Result<bool, LeaseError> {
        match self {
            Self::File(file) => file.renew(),
            Self::Etcd(etcd) => etcd.renew(),
        }
    }

    /// Lets go of it, so that nobody has to wait until it runs out.
    ///
    /// # Errors
    /// When the file or etcd cannot be asked: then it runs out.
    pub fn give_back(&mut self) -> Result<(), LeaseError> {
        match self {
            Self::File(file) => file.give_back(),
            Self::Etcd(etcd) => etcd.give_back(),
        }
    }
}

/// What a file lease says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Held {
    /// Who holds it; nobody where it was given back.
    holder: Option<String>,
    /// Who held it last.
    last: String,
    /// The epoch that was drawn last.
    epoch: u64,
    /// Counts how often it was kept alive.
    beat: u64,
}

/// A lease on a file that all managers share. No clock is compared: who waits for it watches, by a clock of its own, that nobody
/// counts further.
#[derive(Debug)]
pub struct FileLease {
    path: PathBuf,
    holder: String,
    life: Duration,
    /// What another one's lease said when it was last found changed, and when that was.
    seen: Option<(Held, Instant)>,
}

impl FileLease {
    fn new(path: &Path, holder: &str, life: Duration) -> Self {
        Self { path: path.to_owned(), holder: holder.to_owned(), life, seen: None }
    }

    /// Reads, perhaps writes, alone: the lock keeps others out for that moment only.
    fn with<T>(&self, change: impl FnOnce(&mut Held) -> (T, bool)) -> Result<T, LeaseError> {
        let failed = |error| LeaseError::File { path: self.path.clone(), error };
        let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&self.path);
        let mut file: File = open.map_err(failed)?;
        file.lock().map_err(failed)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        let mut held = if text.trim().is_empty() {
            Held::default()
        } else {
            serde_json::from_str(&text)
                .map_err(|error| LeaseError::NoLease { path: self.path.clone(), problem: error.to_string() })?
        };
        let (result, write) = change(&mut held);
        if write {
            // Always as long as before, and written at once: it is there whole or not at all, whenever its writer is killed.
            let text = format!("{:<511}\n", serde_json::to_string(&held).expect("a lease is plain"));
            file.seek(SeekFrom::Start(0)).map_err(failed)?;
            file.write_all(text.as_bytes()).map_err(failed)?;
            file.set_len(text.len() as u64).map_err(failed)?;
            file.sync_data().map_err(failed)?;
        }
        Ok(result)
    }

    fn take(&mut self, above: u64, now: Instant) -> Result<Taken, LeaseError> {
        let (life, ours) = (self.life, self.holder.clone());
        let seen = self.seen.clone();
        let (taken, seen) = self.with(|held| {
            if let Some(holder) = held.holder.clone().filter(|holder| *holder != ours) {
                let since = seen.filter(|(before, _)| before == held).map_or(now, |(_, since)| since);
                if now.saturating_duration_since(since) < life {
                    return ((Taken::Theirs(holder), Some((held.clone(), since))), false);
                }
            }
            let step = if held.last == ours || held.last.is_empty() { 1 } else { TAKEOVER };
            let epoch = above.max(held.epoch) + step;
            *held = Held { holder: Some(ours.clone()), last: ours, epoch, beat: held.beat + 1 };
            ((Taken::Ours(epoch), None), true)
        })?;
        self.seen = seen;
        Ok(taken)
    }

    fn renew(&self) -> Result<bool, LeaseError> {
        self.with(|held| {
            let ours = held.holder.as_deref() == Some(&self.holder);
            held.beat += u64::from(ours);
            (ours, ours)
        })
    }

    fn give_back(&self) -> Result<(), LeaseError> {
        self.with(|held| {
            let ours = held.holder.as_deref() == Some(&self.holder);
            if ours {
                held.holder = None;
            }
            ((), ours)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIFE: Duration = Duration::from_secs(10);

    fn path(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("philae-lease-{name}-{}", std::process::id()))
    }

    #[test]
    fn a_file_lease_goes_to_another_only_after_its_life_without_a_beat() {
        let path = path("life");
        let (mut one, mut other) = (FileLease::new(&path, "one", LIFE), FileLease::new(&path, "other", LIFE));
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        assert_eq!(one.take(4, at(0)).expect("a file"), Taken::Ours(5), "the first one starts: no takeover");
        let theirs = Taken::Theirs("one".to_owned());
        assert_eq!(other.take(5, at(0)).expect("a file"), theirs);
        assert_eq!(other.take(5, at(9)).expect("a file"), theirs);
        assert!(one.renew().expect("a file"));
        assert_eq!(other.take(5, at(11)).expect("a file"), theirs, "it beat in between: the life begins again");
        assert_eq!(other.take(5, at(20)).expect("a file"), theirs);
        assert_eq!(other.take(5, at(21)).expect("a file"), Taken::Ours(5 + TAKEOVER));
        assert!(!one.renew().expect("a file"), "the old holder notices");
        assert!(other.renew().expect("a file"));
        one.give_back().expect("a file");
        assert!(other.renew().expect("a file"), "who does not hold it gives nothing back");
        other.give_back().expect("a file");
        assert_eq!(one.take(5, at(21)).expect("a file"), Taken::Ours(5 + 2 * TAKEOVER), "at once, above all epochs");
        drop(one.give_back());
        assert_eq!(one.take(0, at(21)).expect("a file"), Taken::Ours(6 + 2 * TAKEOVER), "a restart");
        std::fs::write(&path, "{\"holder\"").expect("a file");
        let error = one.renew().expect_err("no lease").to_string();
        assert!(error.contains("is no lease") && error.contains("remove it"), "{error}");
        drop(std::fs::remove_file(&path));
    }

    #[test]
    fn names_of_leases_are_read_and_written() {
        for text in ["none", "file:/shared/philae.lease", "etcd:http://127.0.0.1:2379"] {
            assert_eq!(text.parse::<LeaseName>().expect("it works").to_string(), text);
        }
        for text in ["", "file:", "etcd:127.0.0.1", "zookeeper:x"] {
            let error = text.parse::<LeaseName>().expect_err("it does not work");
            assert!(error.contains("etcd:http://127.0.0.1:2379"), "{error}");
        }
    }
}
