//! A standby whose history is not the leader's: what it had is kept in a folder of its own, and it
//! becomes what the leader has.

use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use philae_store::{Entry, Reseeded, Store, StoreError};
use serde_json::{Value, json};

use super::FollowError;
use crate::digest::hex;

/// The folder in a state directory that has them all.
pub(super) const FOLDER: &str = "aside";

/// The folders that there are.
pub(super) fn folders(state: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(state.join(FOLDER)).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Everything that the store has, in a folder that is named after it. One that an attempt before
/// has made is used again.
pub(super) fn keep(state: &Path, store: &Store) -> Result<PathBuf, FollowError> {
    let snapshot = store.snapshot();
    let mark = hex(&snapshot.head().0[..4]);
    let name = format!("epoch-{}-revision-{}-{mark}", snapshot.epoch(), snapshot.revision());
    let folder = state.join(FOLDER).join(name);
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder).map_err(FollowError::State)?;
    let file = folder.join("store.backup");
    match store.backup(&file, crate::clock::now_micros()) {
        Ok(_) | Err(StoreError::Occupied { .. }) => Ok(folder),
        Err(error) => {
            // Half a copy is none.
            drop(std::fs::remove_dir_all(&folder));
            Err(error.into())
        }
    }
}

fn shown(entry: &Entry) -> Value {
    let documents = entry.writes.iter().map(|write| {
        let text = |object: &philae_store::Object| String::from_utf8_lossy(&object.value).into_owned();
        json!({
            "kind": write.key.kind(),
            "name": write.key.name(),
            "deleted": write.after.is_none(),
            "document": write.after.as_ref().map(text),
        })
    });
    json!({
        "revision": entry.revision.0,
        "epoch": entry.epoch.0,
        "at": crate::clock::utc(entry.at / 1_000_000),
        "actor": entry.actor,
        "reason": entry.reason,
        "changes": documents.collect::<Vec<_>>(),
    })
}

/// Says in the folder what the leader does not have; a folder without anything of that is removed.
/// Whether it is still there.
pub(super) fn explain(folder: &Path, reseeded: &Reseeded) -> Result<bool, FollowError> {
    if reseeded.lost.is_empty() {
        std::fs::remove_dir_all(folder).map_err(FollowError::State)?;
        if let Some(all) = folder.parent() {
            // Others may lie there.
            drop(std::fs::remove_dir(all));
        }
        return Ok(false);
    }
    let text = json!({
        "about": "Changes that this manager had and that the leader's history does not have. store.backup is all of it: \
                  philae manager restore makes a state directory of that.",
        "partedAfterRevision": reseeded.parted.0,
        "compared": reseeded.compared,
        "changes": reseeded.lost.iter().map(shown).collect::<Vec<_>>(),
    });
    let text = serde_json::to_string_pretty(&text).expect("changes are plain");
    let mut open = std::fs::OpenOptions::new();
    let open = open.write(true).create(true).truncate(true).mode(0o600).open(folder.join("changes.json"));
    let mut file = open.map_err(FollowError::State)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(FollowError::State)?;
    Ok(true)
}
