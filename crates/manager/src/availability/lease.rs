//! Who may lead: a lease that one manager holds and keeps alive, and that another one gets when it is no longer kept alive.
//!
//! A lease says when to take over, and draws the epoch. It is not what keeps two managers apart: that agents take no orders
//! of a lower epoch does, whatever becomes of the lease.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::etcd::Etcd;
use super::rules::{Claimant, Record};

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
    /// Keys of an etcd, by the addresses of its members.
    Etcd(Vec<String>),
}

impl FromStr for LeaseName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "none" => Ok(Self::None),
            Some(("file", path)) if !path.is_empty() => Ok(Self::File(path.into())),
            Some(("etcd", urls))
                if urls.split(',').all(|url| url.starts_with("http://") || url.starts_with("https://")) =>
            {
                Ok(Self::Etcd(urls.split(',').map(|url| url.trim_end_matches('/').to_owned()).collect()))
            }
            _ => Err(format!(
                "'{text}': none, file:/shared/philae.lease or etcd:http://127.0.0.1:2379 would work; members of etcd have a comma \
                 between them"
            )),
        }
    }
}

impl std::fmt::Display for LeaseName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::File(path) => write!(f, "file:{}", path.display()),
            Self::Etcd(urls) => write!(f, "etcd:{}", urls.join(",")),
        }
    }
}

/// What proves etcd to a manager, and the manager to etcd; both PEM files.
#[derive(Clone, Debug, Default)]
pub struct LeaseProof {
    /// Roots that prove etcd.
    pub roots: Option<PathBuf>,
    /// A certificate for it, and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
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
    /// It is free, and not for who asked: why.
    Refused(String),
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
    ///
    /// # Errors
    /// When etcd is to be proven, or to be shown a certificate, by files that cannot be used.
    pub fn open(
        name: &LeaseName,
        fabric: &str,
        holder: &str,
        life: Duration,
        proof: &LeaseProof,
    ) -> Result<Option<Self>, LeaseError> {
        Ok(match name {
            LeaseName::None => None,
            LeaseName::File(path) => Some(Self::File(FileLease::new(path, holder, life))),
            LeaseName::Etcd(urls) => Some(Self::Etcd(Etcd::new(urls, fabric, holder, life, proof)?)),
        })
    }

    /// Asks for the lease: never waits until it is free. A takeover gets an epoch far
    /// above the one before, a restart of who held the lease last the next.
    ///
    /// # Errors
    /// When the file or etcd cannot be asked.
    pub fn take(&mut self, claimant: &Claimant, now: Instant) -> Result<Taken, LeaseError> {
        match self {
            Self::File(file) => file.take(claimant, now),
            Self::Etcd(etcd) => etcd.take(claimant),
        }
    }

    /// Says which standbys may take it, while it is ours; whether it still is.
    ///
    /// # Errors
    /// When the file or etcd cannot be asked: then it may be written or not.
    pub(super) fn write(&mut self, usable: &BTreeSet<String>, revision: u64) -> Result<bool, LeaseError> {
        match self {
            Self::File(file) => file.write(usable, revision),
            Self::Etcd(etcd) => etcd.write(usable, revision),
        }
    }

    /// How long it outlives its last beat, where etcd grants it for longer or shorter than
    /// was asked for.
    #[must_use]
    pub fn granted(&self) -> Option<Duration> {
        match self {
            Self::File(_) => None,
            Self::Etcd(etcd) => etcd.granted(),
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
pub(super) struct Held {
    /// Who holds it; nobody where it was given back.
    holder: Option<String>,
    /// Counts how often it was kept alive.
    beat: u64,
    /// What the last leader left.
    #[serde(flatten)]
    record: Record,
}

/// Another one's lease when it was last found changed, and when that was: milliseconds of the
/// observer's own clock.
pub(super) type Seen = Option<(Held, u64)>;

impl Held {
    /// Takes the lease if it was not kept alive for a life, or given back; whether it changed.
    pub(super) fn take(
        &mut self,
        name: &str,
        claimant: &Claimant,
        seen: &mut Seen,
        now: u64,
        life: u64,
    ) -> (Taken, bool) {
        if let Some(holder) = self.holder.clone().filter(|holder| holder != name) {
            let since = seen.as_ref().filter(|(before, _)| before == self).map_or(now, |(_, since)| *since);
            *seen = Some((self.clone(), since));
            if now.saturating_sub(since) < life {
                return (Taken::Theirs(holder), false);
            }
        }
        match self.record.claim(name, claimant) {
            Ok(epoch) => {
                let revision = claimant.revision;
                let record = Record { last: name.to_owned(), epoch, usable: BTreeSet::new(), revision };
                *self = Self { holder: Some(name.to_owned()), beat: self.beat + 1, record };
                *seen = None;
                (Taken::Ours(epoch), true)
            }
            Err(why) => (Taken::Refused(why), false),
        }
    }

    /// Keeps the lease alive; whether it is still this one's.
    pub(super) fn renew(&mut self, name: &str) -> bool {
        let ours = self.holder.as_deref() == Some(name);
        self.beat += u64::from(ours);
        ours
    }

    /// Names the standbys that may take it; whether it is still this one's, of this run: one before
    /// may have had others.
    pub(super) fn write(&mut self, name: &str, epoch: u64, usable: &BTreeSet<String>, revision: u64) -> bool {
        let ours = self.record.epoch == epoch && self.renew(name);
        if ours {
            self.record.usable.clone_from(usable);
            self.record.revision = revision;
        }
        ours
    }

    /// Lets go of it.
    pub(super) fn give_back(&mut self, name: &str) -> bool {
        let ours = self.holder.as_deref() == Some(name);
        if ours {
            self.holder = None;
        }
        ours
    }
}

/// A lease on a file that all managers share. No clock is compared: who waits for it watches, by a clock of its own, that nobody
/// counts further.
#[derive(Debug)]
pub struct FileLease {
    path: PathBuf,
    holder: String,
    life: Duration,
    seen: Seen,
    /// The epoch that was drawn when it was taken.
    epoch: u64,
    /// When times of `seen` begin.
    began: Instant,
}

impl FileLease {
    fn new(path: &Path, holder: &str, life: Duration) -> Self {
        Self { path: path.to_owned(), holder: holder.to_owned(), life, seen: None, epoch: 0, began: Instant::now() }
    }

    /// Reads, perhaps writes, alone: the lock keeps others out for that moment only.
    fn with<T>(&self, change: impl FnOnce(&mut Held) -> (T, bool)) -> Result<T, LeaseError> {
        let failed = |error| LeaseError::File { path: self.path.clone(), error };
        let mut open = OpenOptions::new();
        let open = open.read(true).write(true).create(true).truncate(false).mode(0o600).open(&self.path);
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
            // As long as before in nearly all cases, and written at once: it is there whole or not
            // at all, whenever its writer is killed.
            let text = format!("{:<2047}\n", serde_json::to_string(&held).expect("a lease is plain"));
            file.seek(SeekFrom::Start(0)).map_err(failed)?;
            file.write_all(text.as_bytes()).map_err(failed)?;
            file.set_len(text.len() as u64).map_err(failed)?;
            file.sync_data().map_err(failed)?;
        }
        Ok(result)
    }

    fn take(&mut self, claimant: &Claimant, now: Instant) -> Result<Taken, LeaseError> {
        let now = now.saturating_duration_since(self.began).as_millis() as u64;
        let life = self.life.as_millis() as u64;
        let mut seen = self.seen.take();
        let taken = self.with(|held| held.take(&self.holder, claimant, &mut seen, now, life));
        self.seen = seen;
        if let Ok(Taken::Ours(epoch)) = &taken {
            self.epoch = *epoch;
        }
        taken
    }

    fn write(&self, usable: &BTreeSet<String>, revision: u64) -> Result<bool, LeaseError> {
        self.with(|held| {
            let ours = held.write(&self.holder, self.epoch, usable, revision);
            (ours, ours)
        })
    }

    fn renew(&self) -> Result<bool, LeaseError> {
        self.with(|held| {
            let ours = held.renew(&self.holder);
            (ours, ours)
        })
    }

    fn give_back(&self) -> Result<(), LeaseError> {
        self.with(|held| ((), held.give_back(&self.holder)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::Reason;
    use super::*;

    const LIFE: Duration = Duration::from_secs(10);

    fn by(epoch: u64, reason: Reason) -> Claimant {
        Claimant { revision: 0, epoch, lag: 0, reason }
    }

    fn path(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("philae-lease-{name}-{}", std::process::id()))
    }

    #[test]
    fn a_file_lease_goes_to_another_only_after_its_life_without_a_beat() {
        let path = path("life");
        let (mut one, mut other) = (FileLease::new(&path, "one", LIFE), FileLease::new(&path, "other", LIFE));
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let (starts, follows) = (|epoch| by(epoch, Reason::Start), |epoch| by(epoch, Reason::Free));
        assert_eq!(one.take(&starts(4), at(0)).expect("a file"), Taken::Ours(5), "the first one starts: no takeover");
        let theirs = Taken::Theirs("one".to_owned());
        assert_eq!(other.take(&follows(5), at(0)).expect("a file"), theirs);
        assert_eq!(other.take(&follows(5), at(9)).expect("a file"), theirs);
        assert!(one.renew().expect("a file"));
        assert_eq!(
            other.take(&follows(5), at(11)).expect("a file"),
            theirs,
            "it beat in between: the life begins again"
        );
        assert_eq!(other.take(&follows(5), at(20)).expect("a file"), theirs);
        let refused = other.take(&follows(5), at(21)).expect("a file");
        assert!(matches!(&refused, Taken::Refused(why) if why.contains("one")), "it was never in step: {refused:?}");
        assert!(one.write(&["other".to_owned()].into(), 0).expect("a file"));
        assert_eq!(other.take(&follows(5), at(22)).expect("a file"), theirs, "that was a beat, too");
        assert_eq!(other.take(&follows(5), at(32)).expect("a file"), Taken::Ours(5 + TAKEOVER));
        assert!(!one.renew().expect("a file"), "the old holder notices");
        assert!(!one.write(&BTreeSet::new(), 9).expect("a file"), "and names nobody");
        assert!(other.renew().expect("a file"));
        one.give_back().expect("a file");
        assert!(other.renew().expect("a file"), "who does not hold it gives nothing back");
        other.give_back().expect("a file");
        let ordered = by(5, Reason::Ordered);
        assert_eq!(
            one.take(&ordered, at(32)).expect("a file"),
            Taken::Ours(5 + 2 * TAKEOVER),
            "at once, above all epochs"
        );
        drop(one.give_back());
        assert_eq!(one.take(&starts(0), at(32)).expect("a file"), Taken::Ours(6 + 2 * TAKEOVER), "a restart");
        std::fs::write(&path, "{\"holder\"").expect("a file");
        let error = one.renew().expect_err("no lease").to_string();
        assert!(error.contains("is no lease") && error.contains("remove it"), "{error}");
        drop(std::fs::remove_file(&path));
    }

    #[test]
    fn names_of_leases_are_read_and_written() {
        for text in ["none", "file:/shared/philae.lease", "etcd:http://127.0.0.1:2379", "etcd:http://a:1,http://b:2"] {
            assert_eq!(text.parse::<LeaseName>().expect("it works").to_string(), text);
        }
        for text in ["", "file:", "etcd:127.0.0.1", "etcd:http://a:1,b:2", "zookeeper:x"] {
            let error = text.parse::<LeaseName>().expect_err("it does not work");
            assert!(error.contains("etcd:http://127.0.0.1:2379"), "{error}");
        }
    }
}
