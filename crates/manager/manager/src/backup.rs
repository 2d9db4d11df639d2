//! Backups with all that a fabric needs to continue elsewhere: documents, and, sealed by a
//! passphrase, the authority, the keys of sessions and the first token.
//!
//! ```text
//! "PHILAEFB" | version u32 | length of the head u32 | head (JSON) | sealed keys | backup of the store
//! ```
//!
//! Numbers are little endian. ChaCha20-Poly1305 seals the keys under a key that Argon2id derives
//! from the passphrase. The sealed part is bound to the head, and the head has the hash of the
//! store's backup.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use argon2::{Algorithm, Argon2, Params, Version};
use philae_store::{Epoch, Store, StoreError, StoreOptions, StoreSummary};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::rand::{SecureRandom, SystemRandom};
use serde::{Deserialize, Serialize};

use crate::access::{AccessArea, AccessKind, RequiredAccess};
use crate::availability;
use crate::availability::TAKEOVER;
use crate::digest::{hex, sha256_hex};
use crate::documents::history;
use crate::manager::Manager;
use crate::protocol::endpoint::{ApiEndpoint, post};
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;
use crate::protocol::shape::{Content, any};

/// The endpoints of this resource.
pub const ENDPOINTS: &[ApiEndpoint] = &[post(
    "/api/v1/backup",
    "The whole store, with the certificate authority and all keys sealed by a passphrase.",
    sealed,
)
.asks_only()
.keys(&[])
.body(any)
.content(Content::File)
.for_whom(RequiredAccess::Of(AccessArea::Standby, AccessKind::Delete))
.errors(&[507])];

const MAGIC: &[u8; 8] = b"PHILAEFB";

/// The version of the format that this release writes and reads.
const FORMAT: u32 = 1;

/// Memory for one guess at a passphrase, KiB; with the passes and lanes below.
///
/// Source: OWASP's advice on Argon2id, 2024: 19 MiB, two passes, one lane. Status: published.
const MEMORY_KIB: u32 = 19_456;
/// See [`MEMORY_KIB`].
///
/// Source: as there. Status: published.
const PASSES: u32 = 2;
/// See [`MEMORY_KIB`].
///
/// Source: as there. Status: published.
const LANES: u32 = 1;

/// The shortest passphrase that is accepted, letters.
///
/// Source: ours. Status: assumed.
const PASSPHRASE_LEAST: usize = 12;

/// The clear text before the sealed part.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Head {
    /// The name of the key derivation.
    derivation: String,
    memory_kib: u32,
    passes: u32,
    lanes: u32,
    /// Hexadecimal.
    salt: String,
    /// Length of the sealed part, bytes.
    sealed_bytes: usize,
    /// SHA-256 of the store's backup, hexadecimal.
    store: String,
}

/// Why a backup cannot be restored.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The store's part cannot be restored.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file operation failed.
    #[error("{}: {error}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        error: std::io::Error,
    },
    /// It is sealed, and no passphrase was given.
    #[error(
        "{} holds the fabric's keys, sealed: --passphrase-file FILE opens them (philae fabric backup wrote {} next \
         to it); --without-keys restores only documents",
        .path.display(), philae_manager_api::passphrase_beside(.path).display()
    )]
    Sealed {
        /// The backup.
        path: PathBuf,
    },
    /// It is damaged, or the passphrase is wrong.
    #[error("{}: {problem}", .path.display())]
    Unreadable {
        /// The backup.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
}

/// What a restore has restored.
#[derive(Clone, Copy, Debug)]
pub struct Restored {
    /// The summary of the store's part.
    pub summary: StoreSummary,
    /// Whether authority, keys and the first token were restored too.
    pub has_keys: bool,
}

fn key_of(passphrase: &str, salt: &[u8], head: (u32, u32, u32)) -> Result<LessSafeKey, String> {
    let params = Params::new(head.0, head.1, head.2, Some(32)).map_err(|error| error.to_string())?;
    let mut key = [0; 32];
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into(passphrase.as_bytes(), salt, &mut key)
        .map_err(|error| error.to_string())?;
    let key = UnboundKey::new(&CHACHA20_POLY1305, &key).map_err(|_| "the key cannot be used".to_owned())?;
    Ok(LessSafeKey::new(key))
}

/// Each backup has a key of its own, by its salt, so the nonce may be constant.
fn nonce() -> Nonce {
    Nonce::assume_unique_for_key([0; NONCE_LEN])
}

/// A store's backup and the keys, in one file.
fn pack(store: &[u8], keys: &Keys, passphrase: &str) -> Result<Vec<u8>, String> {
    let mut salt = [0; 16];
    SystemRandom::new().fill(&mut salt).map_err(|_| "the system gives no random numbers".to_owned())?;
    let mut sealed = serde_json::to_vec(keys).expect("bytes are plain");
    let head = Head {
        derivation: "argon2id".to_owned(),
        memory_kib: MEMORY_KIB,
        passes: PASSES,
        lanes: LANES,
        salt: hex(&salt),
        sealed_bytes: sealed.len() + CHACHA20_POLY1305.tag_len(),
        store: sha256_hex(store),
    };
    let head = serde_json::to_vec(&head).expect("a head is plain");
    let key = key_of(passphrase, &salt, (MEMORY_KIB, PASSES, LANES))?;
    key.seal_in_place_append_tag(nonce(), Aad::from(&head), &mut sealed)
        .map_err(|_| "it cannot be sealed".to_owned())?;
    let length = u32::try_from(head.len()).map_err(|_| "its head is too long".to_owned())?;
    let numbers = [FORMAT.to_le_bytes(), length.to_le_bytes()].concat();
    Ok([MAGIC.as_slice(), numbers.as_slice(), head.as_slice(), sealed.as_slice(), store].concat())
}

/// Files of the fabric's keys, by their path in the state directory.
type Keys = BTreeMap<String, Vec<u8>>;

/// The parts of a file: the bytes of its head, and the rest.
fn parts(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = u32::from_le_bytes(bytes.get(12..16)?.try_into().ok()?) as usize;
    Some((bytes.get(16..16 + length)?, bytes.get(16 + length..)?))
}

fn unpack<'a>(bytes: &'a [u8], passphrase: Option<&str>) -> Result<(&'a [u8], Option<Keys>), String> {
    let version = bytes.get(8..12).map(|number| u32::from_le_bytes(number.try_into().expect("four bytes")));
    if version != Some(FORMAT) {
        return Err(format!("it has format {}, this release reads {FORMAT}", version.unwrap_or(0)));
    }
    let damaged = "it is damaged or incomplete";
    let (text, rest) = parts(bytes).ok_or(damaged)?;
    let head: Head = serde_json::from_slice(text).map_err(|error| format!("its head cannot be read: {error}"))?;
    let (sealed, store) = rest.split_at_checked(head.sealed_bytes).ok_or(damaged)?;
    if sha256_hex(store) != head.store {
        return Err(damaged.to_owned());
    }
    let Some(passphrase) = passphrase else { return Ok((store, None)) };
    // An attacker may have written this clear text: it must not make the manager compute for days.
    if head.derivation != "argon2id" || head.memory_kib > 1 << 20 || head.passes > 16 || head.lanes > 16 {
        return Err(format!(
            "its keys are sealed by a key derivation that this release does not know: {}",
            head.derivation
        ));
    }
    let salt = availability::unhex(&head.salt).ok_or(damaged)?;
    let key = key_of(passphrase, &salt, (head.memory_kib, head.passes, head.lanes))?;
    let mut sealed = sealed.to_vec();
    let plain = key
        .open_in_place(nonce(), Aad::from(text), &mut sealed)
        .map_err(|_| "the passphrase does not open it, or it is damaged".to_owned())?;
    let keys = serde_json::from_slice(plain).map_err(|error| format!("its keys cannot be read: {error}"))?;
    Ok((store, Some(keys)))
}

/// Makes a state directory from a backup. The manager that begins there has an epoch above the
/// backup's, so that agents obey it and not the manager of the backup.
///
/// # Errors
/// When the backup is damaged or sealed by another passphrase, or the directory is not empty.
pub fn restore(
    backup: &Path,
    state: &Path,
    passphrase: Option<&str>,
    without_keys: bool,
) -> Result<Restored, RestoreError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| RestoreError::File { path, error }
    };
    let bytes = std::fs::read(backup).map_err(failed(backup))?;
    let unreadable = |problem| RestoreError::Unreadable { path: backup.to_owned(), problem };
    let (summary, keys) = if bytes.starts_with(MAGIC) {
        if passphrase.is_none() && !without_keys {
            return Err(RestoreError::Sealed { path: backup.to_owned() });
        }
        let (store, keys) = unpack(&bytes, passphrase.filter(|_| !without_keys)).map_err(unreadable)?;
        let folder = backup.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let name = format!(".restore-{}", std::process::id());
        philae_agent_rpc::replace(folder, &name, store)
            .map_err(|error| failed(folder)(std::io::Error::other(error.to_string())))?;
        let file = folder.join(name);
        let restored = philae_store::restore(&file, state);
        std::fs::remove_file(&file).map_err(failed(&file))?;
        (restored?, keys)
    } else {
        (philae_store::restore(backup, state)?, None)
    };
    let store = Store::open(state, StoreOptions::default())?;
    let epoch = Epoch(store.snapshot().epoch().0 + TAKEOVER);
    store.promote_to(epoch).wait()?;
    if let Some(keys) = &keys {
        availability::keep_secrets(state, keys).map_err(failed(state))?;
    }
    Ok(Restored { summary, has_keys: keys.is_some() })
}

/// `POST /api/v1/backup`
pub fn sealed(manager: &mut Manager, request: &ApiRequest) -> Result<Reply, ApiProblem> {
    let passphrase = request.body["passphrase"].as_str().filter(|text| text.len() >= PASSPHRASE_LEAST);
    let passphrase = passphrase.map(str::to_owned).ok_or_else(|| {
        ApiProblem::bad_request(format!(
            "the body has a passphrase of {PASSPHRASE_LEAST} letters or more: {{\"passphrase\": \"...\"}}"
        ))
    })?;
    let state = manager.process.plan.state.clone();
    let state = state
        .ok_or_else(|| ApiProblem::conflict("this manager has no state directory; --state DIRECTORY would work"))?;
    let store = Arc::clone(manager.documents.store());
    Ok(Reply::Read(Box::new(move || {
        let bytes = history::backup_of(&store)?;
        let packed = pack(&bytes, &availability::secrets(&state), &passphrase);
        Ok(Reply::Bytes(packed.map_err(ApiProblem::conflict)?))
    })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sealed_and_bound_to_their_store() {
        let keys: BTreeMap<String, Vec<u8>> = [("ca/authority.json".to_owned(), b"a root's key".to_vec())].into();
        let packed = pack(b"documents", &keys, "correct horse battery").expect("random numbers");
        assert!(!packed.windows(12).any(|window| window == b"a root's key"));
        let (store, found) = unpack(&packed, Some("correct horse battery")).expect("it opens");
        assert_eq!((store, found), (&b"documents"[..], Some(keys)));
        assert_eq!(unpack(&packed, None).expect("documents are in the clear").1, None);
        assert!(unpack(&packed, Some("wrong horse battery!")).expect_err("another").contains("passphrase"));
        for at in [13, 40, packed.len() - 12, packed.len() - 1] {
            let mut damaged = packed.clone();
            damaged[at] ^= 1;
            assert!(unpack(&damaged, Some("correct horse battery")).is_err(), "byte {at}");
        }
        for length in 0..packed.len() {
            assert!(unpack(&packed[..length], Some("correct horse battery")).is_err(), "cut off at {length}");
        }
    }
}
