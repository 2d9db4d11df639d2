//! The lease: one manager holds it and renews it, and another one gets it when it is no longer
//! renewed.
//!
//! A lease decides when to take over, and gives the epoch. It does not keep two managers apart:
//! agents do, because they refuse orders of a lower epoch, whatever happens to the lease.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::availability::etcd::Etcd;
use crate::availability::takeover::{Claimant, LeaderRecord};

/// The increase of the epoch by a takeover. A restart adds 1. So a former leader that restarts
/// without knowing of the takeover has a lower epoch.
///
/// Source: ours. Status: assumed; no manager restarts so often between two takeovers.
pub const TAKEOVER: u64 = 1 << 20;

/// The lease, as the command line names it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LeaseName {
    /// None: a standby takes over only by an order.
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

/// Files for TLS with etcd, in PEM.
#[derive(Clone, Debug, Default)]
pub struct LeaseProof {
    /// Roots that verify etcd.
    pub roots: Option<PathBuf>,
    /// This manager's certificate for etcd, and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

/// Why a request to the lease failed.
#[derive(Debug, thiserror::Error)]
pub enum LeaseError {
    /// The file cannot be used.
    #[error("the lease {}: {error}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        error: std::io::Error,
    },
    /// The file has other content.
    #[error("{} is not a lease: {problem}; without that file, or with another one, it would work", .path.display())]
    NoLease {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// etcd did not carry out the request.
    #[error("the lease at {url}: {problem}")]
    Etcd {
        /// The member's address.
        url: String,
        /// The reason.
        problem: String,
    },
}

/// The result of a request for the lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeaseOutcome {
    /// This manager holds it now, with this epoch.
    Ours(u64),
    /// Another manager holds it, or may still hold it.
    Theirs(String),
    /// It is free, but this manager may not have it; the reason.
    Refused(String),
}

/// A lease, as one manager sees it.
#[derive(Debug)]
pub enum Lease {
    File(FileLease),
    Etcd(Etcd),
}

impl Lease {
    /// The lease of a name, for a manager called `holder`; `None` for [`LeaseName::None`].
    ///
    /// # Errors
    /// When the files for TLS with etcd cannot be used.
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

    /// Asks for the lease, without waiting until it is free. A takeover gets an epoch far above the
    /// one before; a restart of the last holder gets the next one.
    ///
    /// # Errors
    /// When the file or etcd cannot be used.
    pub fn take(&mut self, claimant: &Claimant, now: Instant) -> Result<LeaseOutcome, LeaseError> {
        match self {
            Self::File(file) => file.take(claimant, now),
            Self::Etcd(etcd) => etcd.take(claimant),
        }
    }

    /// Records which standbys may take the lease. Returns whether this manager still holds it.
    ///
    /// # Errors
    /// When the file or etcd cannot be used: the record may then be written or not.
    pub(super) fn write(&mut self, usable: &BTreeSet<String>, revision: u64) -> Result<bool, LeaseError> {
        match self {
            Self::File(file) => file.write(usable, revision),
            Self::Etcd(etcd) => etcd.write(usable, revision),
        }
    }

    /// How long it is valid after its last renewal, if etcd granted another time than requested.
    #[must_use]
    pub fn granted(&self) -> Option<Duration> {
        match self {
            Self::File(_) => None,
            Self::Etcd(etcd) => etcd.granted(),
        }
    }

    /// Renews the lease. Returns whether this manager still holds it.
    ///
    /// # Errors
    /// When the file or etcd cannot be used: it may then be renewed or not.
    pub fn renew(&mut self) -> Result<bool, LeaseError> {
        match self {
            Self::File(file) => file.renew(),
            Self::Etcd(etcd) => etcd.renew(),
        }
    }

    /// Releases the lease, so that no other manager has to wait until it expires.
    ///
    /// # Errors
    /// When the file or etcd cannot be used: it then expires.
    pub fn give_back(&mut self) -> Result<(), LeaseError> {
        match self {
            Self::File(file) => file.give_back(),
            Self::Etcd(etcd) => etcd.give_back(),
        }
    }
}

/// The content of a file lease.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileLeaseRecord {
    /// The holder; `None` after a release.
    holder: Option<String>,
    /// Number of renewals.
    beat: u64,
    /// The last leader's record.
    #[serde(flatten)]
    pub(super) record: LeaderRecord,
}

/// Another manager's lease as last seen, and when it last changed, in milliseconds of the
/// observer's own clock.
pub(super) type ObservedLease = Option<(FileLeaseRecord, u64)>;

impl FileLeaseRecord {
    /// Takes the lease if it was released, or not renewed for a life. Returns whether the content
    /// changed.
    pub(super) fn take(
        &mut self,
        name: &str,
        claimant: &Claimant,
        seen: &mut ObservedLease,
        now: u64,
        life: u64,
    ) -> (LeaseOutcome, bool) {
        if let Some(holder) = self.holder.clone().filter(|holder| holder != name) {
            let since = seen.as_ref().filter(|(before, _)| before == self).map_or(now, |(_, since)| *since);
            *seen = Some((self.clone(), since));
            if now.saturating_sub(since) < life {
                return (LeaseOutcome::Theirs(holder), false);
            }
        }
        match self.record.claim(name, claimant) {
            Ok(epoch) => {
                let revision = claimant.revision;
                let record = LeaderRecord { last: name.to_owned(), epoch, usable: BTreeSet::new(), revision };
                *self = Self { holder: Some(name.to_owned()), beat: self.beat + 1, record };
                *seen = None;
                (LeaseOutcome::Ours(epoch), true)
            }
            Err(why) => (LeaseOutcome::Refused(why), false),
        }
    }

    /// Renews the lease. Returns whether this manager still holds it.
    pub(super) fn renew(&mut self, name: &str) -> bool {
        let ours = self.holder.as_deref() == Some(name);
        self.beat += u64::from(ours);
        ours
    }

    /// Names the standbys that may take it. Returns whether this run of the manager still holds it:
    /// an earlier run may have had other standbys.
    pub(super) fn write(&mut self, name: &str, epoch: u64, usable: &BTreeSet<String>, revision: u64) -> bool {
        let ours = self.record.epoch == epoch && self.renew(name);
        if ours {
            self.record.usable.clone_from(usable);
            self.record.revision = revision;
        }
        ours
    }

    /// Releases the lease.
    pub(super) fn give_back(&mut self, name: &str) -> bool {
        let ours = self.holder.as_deref() == Some(name);
        if ours {
            self.holder = None;
        }
        ours
    }
}

/// A lease in a file that all managers share. No clocks are compared: a waiting manager observes,
/// by a clock of its own, that the count of renewals stands still.
#[derive(Debug)]
pub struct FileLease {
    path: PathBuf,
    holder: String,
    life: Duration,
    seen: ObservedLease,
    /// The epoch that came with the lease.
    epoch: u64,
    /// Start of the clock for `seen`.
    began: Instant,
}

impl FileLease {
    fn new(path: &Path, holder: &str, life: Duration) -> Self {
        Self { path: path.to_owned(), holder: holder.to_owned(), life, seen: None, epoch: 0, began: Instant::now() }
    }

    /// Reads and perhaps writes the file under a lock, which is held only for that moment.
    fn with<T>(&self, change: impl FnOnce(&mut FileLeaseRecord) -> (T, bool)) -> Result<T, LeaseError> {
        let failed = |error| LeaseError::File { path: self.path.clone(), error };
        let mut open = OpenOptions::new();
        let open = open.read(true).write(true).create(true).truncate(false).mode(0o600).open(&self.path);
        let mut file: File = open.map_err(failed)?;
        file.lock().map_err(failed)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        let mut held = if text.trim().is_empty() {
            FileLeaseRecord::default()
        } else {
            serde_json::from_str(&text)
                .map_err(|error| LeaseError::NoLease { path: self.path.clone(), problem: error.to_string() })?
        };
        let (result, write) = change(&mut held);
        if write {
            // The text nearly always has the length of the one before, and is written in one call.
            // So it is there as a whole or not at all if the writer is killed.
            let text = format!("{:<2047}\n", serde_json::to_string(&held).expect("a lease is plain"));
            file.seek(SeekFrom::Start(0)).map_err(failed)?;
            file.write_all(text.as_bytes()).map_err(failed)?;
            file.set_len(text.len() as u64).map_err(failed)?;
            file.sync_data().map_err(failed)?;
        }
        Ok(result)
    }

    fn take(&mut self, claimant: &Claimant, now: Instant) -> Result<LeaseOutcome, LeaseError> {
        let now = now.saturating_duration_since(self.began).as_millis() as u64;
        let life = self.life.as_millis() as u64;
        let mut seen = self.seen.take();
        let taken = self.with(|held| held.take(&self.holder, claimant, &mut seen, now, life));
        self.seen = seen;
        if let Ok(LeaseOutcome::Ours(epoch)) = &taken {
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
    use super::super::takeover::Reason;
    use super::*;

    const LIFE: Duration = Duration::from_secs(10);

    fn by(epoch: u64, reason: Reason) -> Claimant {
        Claimant { revision: 0, epoch, lag: 0, reason }
    }

    #[test]
    fn a_file_lease_goes_to_another_only_after_its_life_without_a_beat() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let path = folder.path().join("lease");
        let (mut one, mut other) = (FileLease::new(&path, "one", LIFE), FileLease::new(&path, "other", LIFE));
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let (starts, follows) = (|epoch| by(epoch, Reason::Start), |epoch| by(epoch, Reason::Free));
        assert_eq!(
            one.take(&starts(4), at(0)).expect("a file"),
            LeaseOutcome::Ours(5),
            "the first one starts: no takeover"
        );
        let theirs = LeaseOutcome::Theirs("one".to_owned());
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
        assert!(
            matches!(&refused, LeaseOutcome::Refused(why) if why.contains("one")),
            "it was never in step: {refused:?}"
        );
        assert!(one.write(&["other".to_owned()].into(), 0).expect("a file"));
        assert_eq!(other.take(&follows(5), at(22)).expect("a file"), theirs, "that was a beat, too");
        assert_eq!(other.take(&follows(5), at(32)).expect("a file"), LeaseOutcome::Ours(5 + TAKEOVER));
        assert!(!one.renew().expect("a file"), "the old holder notices");
        assert!(!one.write(&BTreeSet::new(), 9).expect("a file"), "and names nobody");
        assert!(other.renew().expect("a file"));
        one.give_back().expect("a file");
        assert!(other.renew().expect("a file"), "who does not hold it gives nothing back");
        other.give_back().expect("a file");
        let ordered = by(5, Reason::Ordered);
        assert_eq!(
            one.take(&ordered, at(32)).expect("a file"),
            LeaseOutcome::Ours(5 + 2 * TAKEOVER),
            "at once, above all epochs"
        );
        drop(one.give_back());
        assert_eq!(one.take(&starts(0), at(32)).expect("a file"), LeaseOutcome::Ours(6 + 2 * TAKEOVER), "a restart");
        std::fs::write(&path, "{\"holder\"").expect("a file");
        let error = one.renew().expect_err("no lease").to_string();
        assert!(error.contains("is not a lease") && error.contains("without that file"), "{error}");
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
