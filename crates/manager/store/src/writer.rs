//! The one thread that writes: it takes queued commands, computes the result in memory, writes all
//! of it as one transaction, publishes, and answers.
//!
//! ```text
//! queue -> draft (preconditions, in order) -> one transaction, synced -> publish view, tell watchers -> answer
//!                                                 | fails
//!                                                 v
//!                                reopen, read from the disk itself: there after all? -> as above
//!                                                                   not there?       -> answer the error
//! ```

use crate::backup;
use crate::change::{Change, Committed, Reseeded};
use crate::disk::{Disk, LOG, OBJECTS, REMEMBERED, TOUCHED, write_state};
use crate::draft::Draft;
use crate::error::{FollowProblem, StoreError};
use crate::key::DocumentKey;
use crate::log::{Epoch, Hash, LogEntry};
use crate::object::{Object, Revision};
use crate::receipt::ReceiptSender;
use crate::remembered::RememberedUses;
use crate::shared::StoreShared;
use crate::snapshot::{StoreRecord, View};
use crate::store::load;
use redb::WriteTransaction;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

/// Entries that one transaction of a compaction removes; other writes take place in between.
const COMPACTED_AT_ONCE: u64 = 4_096;

/// A request to the writer.
pub(crate) enum WriterCommand {
    /// A change of a caller.
    Commit {
        change: Change,
        reply: ReceiptSender<Committed>,
    },
    /// Entries of the leader.
    Follow {
        epoch: Epoch,
        entries: Vec<LogEntry>,
        reply: ReceiptSender<Revision>,
    },
    /// Lead, with the next epoch or a given one.
    Promote {
        to: Option<Epoch>,
        reply: ReceiptSender<Epoch>,
    },
    /// Another store leads with this epoch.
    Learn {
        epoch: Epoch,
        reply: ReceiptSender<Epoch>,
    },
    /// Remove entries before this revision.
    Compact {
        before: Revision,
        reply: ReceiptSender<Revision>,
    },
    /// Replace the content by a backup of the leader.
    Reseed {
        backup: PathBuf,
        reply: ReceiptSender<Reseeded>,
    },
    /// Write the store's own record again.
    Probe {
        reply: ReceiptSender<()>,
    },
    Stop,
}

impl WriterCommand {
    /// Approximate size in memory while it waits, bytes.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Commit { change, .. } => change.size(),
            Self::Follow { entries, .. } => entries.iter().map(LogEntry::size).sum(),
            _ => 0,
        }
    }

    /// Answers that the command was not accepted.
    pub(crate) fn refuse(self, error: StoreError) {
        match self {
            Self::Commit { reply, .. } => reply.send(Err(error)),
            Self::Follow { reply, .. } | Self::Compact { reply, .. } => reply.send(Err(error)),
            Self::Promote { reply, .. } | Self::Learn { reply, .. } => reply.send(Err(error)),
            Self::Reseed { reply, .. } => reply.send(Err(error)),
            Self::Probe { reply } => reply.send(Err(error)),
            Self::Stop => {}
        }
    }
}

/// The writer's own state.
pub(crate) struct LogWriter {
    shared: Arc<StoreShared>,
    commands: Receiver<WriterCommand>,
    memory: RememberedUses,
    /// Whether the last attempt to write failed and the file has not been read since.
    is_suspect: bool,
}

impl LogWriter {
    pub(crate) const fn new(
        shared: Arc<StoreShared>,
        commands: Receiver<WriterCommand>,
        memory: RememberedUses,
    ) -> Self {
        Self { shared, commands, memory, is_suspect: false }
    }

    /// Works until it is told to stop or all senders have gone.
    pub(crate) fn run(mut self) {
        let mut held = None;
        while let Some(command) = held.take().or_else(|| self.commands.recv().ok()) {
            if let WriterCommand::Commit { .. } = command {
                held = self.commit(command);
                continue;
            }
            self.shared.queue.took(&command);
            match command {
                WriterCommand::Follow { epoch, entries, reply } => reply.send(self.follow(epoch, &entries)),
                WriterCommand::Promote { to, reply } => reply.send(self.promote(to)),
                WriterCommand::Learn { epoch, reply } => reply.send(self.learn(epoch)),
                WriterCommand::Compact { before, reply } => reply.send(self.compact(before)),
                WriterCommand::Reseed { backup, reply } => reply.send(self.reseed(&backup)),
                WriterCommand::Probe { reply } => reply.send(self.probe()),
                WriterCommand::Commit { .. } => unreachable!("taken above"),
                WriterCommand::Stop => break,
            }
        }
    }

    /// Commits `first` and the changes queued after it. Returns a command of another kind that came
    /// among them.
    fn commit(&mut self, first: WriterCommand) -> Option<WriterCommand> {
        let options = &self.shared.options;
        let mut draft = Draft::new(&self.shared.view.load());
        let mut answers: Vec<(ReceiptSender<Committed>, Result<Committed, StoreError>)> = Vec::new();
        let mut bytes = 0;
        let mut now = 0;
        let mut next = Some(first);
        let held = loop {
            match next.take() {
                Some(command @ WriterCommand::Commit { .. }) => {
                    self.shared.queue.took(&command);
                    bytes += command.size();
                    if let WriterCommand::Commit { change, reply } = command {
                        now = now.max(change.at);
                        answers.push((reply, draft.apply(&change, &self.memory)));
                    }
                }
                other => break other,
            }
            if answers.len() >= options.batch_changes_max || bytes >= options.batch_bytes_max {
                break None;
            }
            next = self.commands.try_recv().ok();
        };
        let outcome = if draft.entries.is_empty() { Ok(()) } else { self.persist(&draft, now) };
        for (reply, answer) in answers {
            // A refusal depends on the state that earlier changes would leave, so it is reported
            // only if that state was written.
            reply.send(match &outcome {
                Ok(()) => answer,
                Err(error) => Err(error.clone()),
            });
        }
        held
    }

    fn follow(&mut self, epoch: Epoch, entries: &[LogEntry]) -> Result<Revision, StoreError> {
        let view = self.shared.view.load_full();
        let known = view.state.known;
        if epoch < known || (epoch == known && view.state.leads == Some(known) && view.state.revision > Revision(0)) {
            return Err(FollowProblem::Stale { sender: epoch, known }.into());
        }
        let mut draft = Draft::new(&view);
        draft.state.leads = None;
        draft.state.known = epoch;
        for entry in entries {
            if entry.epoch > epoch {
                let what = format!("it has epoch {}, its sender leads with {epoch}", entry.epoch);
                return Err(FollowProblem::Nonsense { revision: entry.revision, what }.into());
            }
            if entry.revision <= view.state.revision {
                self.compare(entry)?;
            } else {
                draft.accept(entry)?;
            }
        }
        if draft.state != view.state {
            let now = draft.entries.iter().map(|(entry, _)| entry.at).max().unwrap_or(0);
            self.persist(&draft, now)?;
        }
        Ok(self.shared.view.load().state.revision)
    }

    /// Checks that an entry which this store already has is the same.
    fn compare(&self, entry: &LogEntry) -> Result<(), StoreError> {
        let transaction = self.shared.disk.begin_read()?;
        let ours = self.shared.disk.entries(&transaction, entry.revision, entry.revision, 1)?;
        match ours.first().map(LogEntry::hash) {
            Some(ours) if ours != entry.hash() => {
                Err(FollowProblem::Diverged { revision: entry.revision, ours, theirs: entry.hash() }.into())
            }
            // A compacted entry cannot be compared; the next one's hash will show a difference.
            _ => Ok(()),
        }
    }

    fn promote(&mut self, to: Option<Epoch>) -> Result<Epoch, StoreError> {
        let mut draft = Draft::new(&self.shared.view.load());
        let known = draft.state.known;
        let epoch = to.unwrap_or(Epoch(known.0 + 1));
        if epoch <= known {
            return Err(FollowProblem::EpochTaken { asked: epoch, known }.into());
        }
        draft.state.known = epoch;
        draft.state.leads = Some(epoch);
        self.persist(&draft, 0)?;
        Ok(epoch)
    }

    fn learn(&mut self, epoch: Epoch) -> Result<Epoch, StoreError> {
        let mut draft = Draft::new(&self.shared.view.load());
        if epoch > draft.state.known {
            draft.state.known = epoch;
            self.persist(&draft, 0)?;
        }
        Ok(self.shared.view.load().state.known)
    }

    /// Removes some of the entries before `before`, and returns the oldest revision left. The
    /// caller repeats this until it is `before`.
    fn compact(&mut self, before: Revision) -> Result<Revision, StoreError> {
        let mut draft = Draft::new(&self.shared.view.load());
        let StoreRecord { oldest, revision, .. } = draft.state;
        if before > revision {
            return Err(StoreError::Future { asked: before, newest: revision });
        }
        if before <= oldest {
            return Ok(before);
        }
        let end = Revision(before.0.min(oldest.0 + COMPACTED_AT_ONCE));
        draft.state.oldest = end;
        let disk = &self.shared.disk;
        let forgotten = disk.entries(&disk.begin_read()?, oldest, Revision(end.0 - 1), usize::MAX)?;
        self.write_checked(&draft.state, "compact", |transaction| {
            forget_entries(transaction, &forgotten)?;
            write_state(transaction, &draft.state)
        })?;
        self.shared.publish(draft.view(), &[]);
        Ok(end)
    }

    /// Replaces the content by a backup of the leader, in one transaction: after a kill the store
    /// is the old one or the new one.
    fn reseed(&mut self, backup: &Path) -> Result<Reseeded, StoreError> {
        let view = self.shared.view.load_full();
        let known = view.state.known;
        let disk = &self.shared.disk;
        let reading = disk.begin_read()?;
        let mut parted = Revision(view.state.oldest.0.saturating_sub(1));
        let mut is_known = view.state.revision == Revision(0);
        let (mut records, mut state) = backup::read(backup, |entry, bytes| {
            let ours = disk.entries(&reading, entry.revision, entry.revision, 1)?;
            if ours.first().is_some_and(|ours| ours.hash() == Hash::of(bytes)) {
                parted = parted.max(entry.revision);
                is_known = true;
            } else if entry.revision == view.state.revision.next() && entry.previous == view.state.head {
                parted = view.state.revision;
                is_known = true;
            }
            Ok(())
        })?;
        drop(reading);
        let leads = view.state.leads == Some(known) && view.state.revision > Revision(0);
        if state.known < known || (state.known == known && leads) {
            return Err(FollowProblem::Stale { sender: state.known, known }.into());
        }
        let from = if is_known { parted.next() } else { view.state.oldest };
        let lost = disk.entries(&disk.begin_read()?, from, view.state.revision, usize::MAX)?;
        state.leads = None;
        self.write_checked(&state, "seed again", |transaction| {
            clear(transaction)?;
            backup::put(transaction, &mut records)?;
            write_state(transaction, &state)
        })?;
        let (view, memory) = load(&self.shared.disk, &self.shared.options)?;
        self.memory = memory;
        let revision = view.state.revision;
        self.shared.replace(view);
        Ok(Reseeded { parted: Revision(from.0.saturating_sub(1)), revision, lost: lost.into(), compared: is_known })
    }

    /// Finds out whether the disk accepts writes.
    fn probe(&mut self) -> Result<(), StoreError> {
        let state = self.shared.view.load().state.clone();
        self.write_checked(&state, "write to", |transaction| write_state(transaction, &state))
    }

    /// Writes a draft to the disk and publishes it.
    fn persist(&mut self, draft: &Draft, now: u64) -> Result<(), StoreError> {
        let mut outdated = self.memory.outdated(draft.remembered.len(), now);
        outdated.extend(draft.remembered.keys().filter_map(|key| self.memory.replaced(key)));
        self.write_checked(&draft.state, "write to", |transaction| {
            write_objects(transaction, &draft.touched)?;
            let mut log = transaction.open_table(LOG)?;
            let mut touched = transaction.open_table(TOUCHED)?;
            for (entry, bytes) in &draft.entries {
                log.insert(entry.revision.0, bytes.as_slice())?;
                for write in &entry.writes {
                    touched.insert((write.key.kind(), write.key.name(), entry.revision.0), ())?;
                }
            }
            let mut remembered = transaction.open_table(REMEMBERED)?;
            for revision in &outdated {
                remembered.remove(revision.0)?;
            }
            for once in draft.remembered.values() {
                let bytes = postcard::to_stdvec(once).expect("a record in memory can be written to memory");
                remembered.insert(once.revision.0, bytes.as_slice())?;
            }
            write_state(transaction, &draft.state)
        })?;
        outdated.into_iter().for_each(|revision| self.memory.remove(revision));
        draft.remembered.values().for_each(|once| self.memory.insert(once.clone()));
        let entries: Vec<Arc<LogEntry>> = draft.entries.iter().map(|(entry, _)| Arc::clone(entry)).collect();
        self.shared.publish(draft.view(), &entries);
        Ok(())
    }

    /// Writes a transaction after which the disk's state is `wanted`. If that fails, finds out
    /// whether the disk has it.
    fn write_checked(
        &mut self,
        wanted: &StoreRecord,
        doing: &'static str,
        change: impl FnOnce(&WriteTransaction) -> Result<(), redb::Error>,
    ) -> Result<(), StoreError> {
        let written = self.try_write(wanted, doing, change);
        self.shared.note_write(written.as_ref().err());
        written
    }

    fn try_write(
        &mut self,
        wanted: &StoreRecord,
        doing: &'static str,
        change: impl FnOnce(&WriteTransaction) -> Result<(), redb::Error>,
    ) -> Result<(), StoreError> {
        if self.is_suspect {
            self.recover(None)?;
        }
        let Err(failed) = self.shared.disk.write(doing, change) else { return Ok(()) };
        self.is_suspect = true;
        match self.recover(Some(wanted)) {
            Ok(true) => Ok(()),
            // If the disk cannot even be read, any trace of the change is undone once it can.
            Ok(false) | Err(_) => Err(failed),
        }
    }

    /// After a fault, reads the disk itself. Returns `true` if its state is `wanted`; otherwise
    /// restores the published state. Nothing is written until this succeeds.
    fn recover(&mut self, wanted: Option<&StoreRecord>) -> Result<bool, StoreError> {
        let disk = &self.shared.disk;
        disk.reopen()?;
        let found = disk.state()?;
        if wanted == Some(&found) {
            // Written again and synced, because the data just read may so far have been only in the
            // disk's cache.
            disk.write("write to", |transaction| write_state(transaction, &found))?;
            self.is_suspect = false;
            return Ok(true);
        }
        let ours = self.shared.view.load_full();
        let ahead = ahead(disk, &ours, &found)?;
        let keys = ahead.iter().flat_map(|entry| &entry.writes).map(|write| &write.key);
        let undone = keys.map(|key| (key.clone(), ours.objects.get(key).cloned())).collect();
        let mut state = ours.state.clone();
        state.oldest = found.oldest;
        state.known = found.known.max(state.known);
        disk.write("write to", |transaction| {
            write_objects(transaction, &undone)?;
            forget_entries(transaction, &ahead)?;
            transaction.open_table(REMEMBERED)?.retain_in(state.revision.0 + 1.., |_, _| false)?;
            write_state(transaction, &state)
        })?;
        self.is_suspect = false;
        self.shared.publish(View { state, objects: ours.objects.clone() }, &[]);
        Ok(false)
    }
}

impl Drop for LogWriter {
    /// However the writer ends, no caller waits for it any longer.
    fn drop(&mut self) {
        self.shared.close();
    }
}

/// The entries by which the disk is ahead of the published state: of changes that were answered as
/// failed.
fn ahead(disk: &Disk, ours: &View, found: &StoreRecord) -> Result<Vec<LogEntry>, StoreError> {
    let transaction = disk.begin_read()?;
    let next = ours.state.revision.next();
    let ahead = disk.entries(&transaction, next, found.revision, usize::MAX)?;
    let head = ahead.first().map_or(found.head, |entry| entry.previous);
    // An empty store that was about to join the leader's history has no head to compare.
    let is_joining = ours.state.revision == Revision(0);
    if found.revision < ours.state.revision || (head != ours.state.head && !is_joining) {
        return Err(disk.damaged(format!(
            "revision {} was acknowledged, but the disk has revision {} of another history",
            ours.state.revision, found.revision
        )));
    }
    Ok(ahead)
}

/// Empties every table that a backup fills.
fn clear(transaction: &WriteTransaction) -> Result<(), redb::Error> {
    transaction.delete_table(OBJECTS)?;
    transaction.delete_table(LOG)?;
    transaction.delete_table(TOUCHED)?;
    transaction.delete_table(REMEMBERED)?;
    Ok(())
}

fn forget_entries(transaction: &WriteTransaction, entries: &[LogEntry]) -> Result<(), redb::Error> {
    let mut log = transaction.open_table(LOG)?;
    let mut touched = transaction.open_table(TOUCHED)?;
    for entry in entries {
        log.remove(entry.revision.0)?;
        for write in &entry.writes {
            touched.remove((write.key.kind(), write.key.name(), entry.revision.0))?;
        }
    }
    Ok(())
}

fn write_objects(
    transaction: &WriteTransaction,
    touched: &BTreeMap<DocumentKey, Option<Object>>,
) -> Result<(), redb::Error> {
    let mut objects = transaction.open_table(OBJECTS)?;
    for (key, object) in touched {
        let place = (key.kind(), key.name());
        match object {
            Some(object) => {
                let bytes = postcard::to_stdvec(object).expect("a document in memory can be written to memory");
                objects.insert(place, bytes.as_slice())?;
            }
            None => {
                objects.remove(place)?;
            }
        }
    }
    Ok(())
}
