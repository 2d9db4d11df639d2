//! For a standby whose history differs from the leader's: stores its own history in a folder,
//! before it takes a copy of the leader's store.

use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use philae_store::{LogEntry, Reseeded, Store, StoreError};
use serde_json::{Value, json};

use crate::availability::FollowError;
use crate::digest::hex;

/// The folder in a state directory that has all such folders.
pub(super) const FOLDER: &str = "aside";

/// Names of the existing folders.
pub(super) fn folders(state: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(state.join(FOLDER)).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Writes the whole store to a folder that is named after it. A folder that an earlier attempt made
/// is used again.
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
            // An incomplete copy is useless.
            drop(std::fs::remove_dir_all(&folder));
            Err(error.into())
        }
    }
}

fn shown(entry: &LogEntry) -> Value {
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

/// Describes in the folder what the leader does not have, and removes the folder if that is
/// nothing. Returns whether the folder is still there.
pub(super) fn explain(folder: &Path, reseeded: &Reseeded) -> Result<bool, FollowError> {
    if reseeded.lost.is_empty() {
        std::fs::remove_dir_all(folder).map_err(FollowError::State)?;
        if let Some(all) = folder.parent() {
            // There may be other folders in it.
            drop(std::fs::remove_dir(all));
        }
        return Ok(false);
    }
    let text = json!({
        "about": "Changes of this manager that the leader's history does not have. store.backup is the whole store: \
                  philae manager restore makes a state directory from it.",
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
