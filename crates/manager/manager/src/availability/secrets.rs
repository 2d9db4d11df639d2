//! The files that a standby needs to take over, besides the documents.

use std::collections::BTreeMap;
use std::path::Path;

use crate::availability::FOLLOWS;

/// The secret files of a state directory, which are not in its store: the authority, the first
/// token, the key of sessions.
pub(crate) fn secrets(state: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for (folder, prefix) in [(state.to_owned(), ""), (state.join("ca"), "ca/")] {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let wanted = name != "lock" && name != FOLLOWS && !name.ends_with(".new") && entry.path().is_file();
            // The store's files are shipped as a log.
            let of_store = prefix.is_empty() && !name.ends_with(".token") && !name.ends_with(".key");
            if wanted
                && !of_store
                && let Ok(text) = std::fs::read(entry.path())
            {
                found.insert(format!("{prefix}{name}"), text);
            }
        }
    }
    found
}

pub(super) fn hash_of(secrets: &BTreeMap<String, Vec<u8>>) -> u64 {
    let text = serde_json::to_string(secrets).expect("bytes are plain");
    let hash = ring::digest::digest(&ring::digest::SHA256, text.as_bytes());
    u64::from_be_bytes(hash.as_ref()[..8].try_into().expect("a hash has more"))
}
