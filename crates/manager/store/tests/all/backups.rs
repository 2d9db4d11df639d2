//! Backups, restored and damaged; unusable directories; full disks.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue fails")]

use crate::support::random::Random;
use crate::support::{key, new_folder, put};
use philae_store::{Change, DiskProblem, Epoch, Expect, Revision, Store, StoreError, StoreOptions, restore, verify};
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

fn filled(folder: &TempDir) -> Store {
    let store = Store::open(&folder.path().join("store"), StoreOptions::default()).unwrap();
    for number in 0..60_u64 {
        let change =
            Change::new("me", number).put(key("a", &format!("n{}", number % 9)), Expect::Any, &[number as u8; 100]);
        store.commit(change.once(&number.to_string())).unwrap();
    }
    store.commit(Change::new("me", 99).delete(key("a", "n3"), Expect::Present)).unwrap();
    store
}

#[test]
fn a_backup_restores_to_the_same_history_and_the_restored_store_is_promoted() {
    let folder = new_folder();
    let store = filled(&folder);
    store.compact(Revision(20)).unwrap();
    let file = folder.path().join("backup");
    let summary = store.backup(&file, 77).unwrap();
    assert_eq!(
        (summary.revision, summary.oldest, summary.objects, summary.entries, summary.at),
        (Revision(61), Revision(20), 8, 42, 77)
    );
    assert_eq!(verify(&file).unwrap(), summary);
    assert!(matches!(store.backup(&file, 78), Err(StoreError::Occupied { .. })));

    let target = folder.path().join("restored");
    assert_eq!(restore(&file, &target).unwrap(), summary);
    assert!(matches!(restore(&file, &target), Err(StoreError::Occupied { .. })));
    let restored = Store::open(&target, StoreOptions::default()).unwrap();
    assert!(restored.snapshot().iter().eq(store.snapshot().iter()));
    assert_eq!(restored.snapshot().head(), store.snapshot().head());
    assert_eq!(restored.check().unwrap().entries, 42);
    assert!(restored.at(Revision(30)).unwrap().iter().eq(store.at(Revision(30)).unwrap().iter()));
    assert!(matches!(restored.commit(put("a", "x", "1")), Err(StoreError::Fenced { own: None, .. })));
    // It continues from the other's state: a backup seeds a standby.
    store.commit(put("a", "x", "1")).unwrap();
    restored.follow(Epoch(1), store.entries_after(Revision(61), 9).unwrap()).wait().unwrap();
    assert_eq!(restored.snapshot().head(), store.snapshot().head());
    restored.promote().wait().unwrap();
    let repeat = Change::new("me", 99).put(key("a", "n5"), Expect::Any, &[59; 100]).once("59");
    assert!(restored.commit(repeat).unwrap().is_repeat, "idempotency keys are in the backup");
}

#[test]
fn a_backup_is_of_one_moment_while_others_write() {
    let folder = new_folder();
    let store = std::sync::Arc::new(filled(&folder));
    let is_over = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let writer = {
        let (store, is_over) = (store.clone(), is_over.clone());
        std::thread::spawn(move || {
            let mut number = 0_u64;
            while !is_over.load(std::sync::atomic::Ordering::Relaxed) {
                number += 1;
                let value = number.to_string();
                let change = Change::new("w", 1).put(key("pair", "l"), Expect::Any, value.as_bytes());
                store.commit(change.put(key("pair", "r"), Expect::Any, value.as_bytes())).unwrap();
            }
        })
    };
    for number in 0..10 {
        let file = folder.path().join(format!("backup {number}"));
        let summary = store.backup(&file, number).unwrap();
        let target = folder.path().join(format!("restored {number}"));
        assert_eq!(restore(&file, &target).unwrap(), summary);
        let restored = Store::open(&target, StoreOptions::default()).unwrap().snapshot();
        let value = |name| restored.get(&key("pair", name)).map(|object| object.value.clone());
        assert_eq!(value("l"), value("r"));
    }
    is_over.store(true, std::sync::atomic::Ordering::Relaxed);
    writer.join().unwrap();
}

#[test]
fn every_damage_to_a_backup_is_found_and_leaves_the_directory_empty() {
    let folder = new_folder();
    let file = folder.path().join("backup");
    filled(&folder).backup(&file, 1).unwrap();
    let whole = fs::read(&file).unwrap();
    let damaged = folder.path().join("damaged");
    let target = folder.path().join("target");
    let mut random = Random(5);
    let refuse = |bytes: &[u8], what: &str| {
        fs::write(&damaged, bytes).unwrap();
        let error = restore(&damaged, &target).expect_err(what);
        let is_told = matches!(error, StoreError::DamagedBackup { .. } | StoreError::NewerFormat { .. });
        assert!(is_told, "{what}: {error}");
        assert!(!target.exists(), "{what}");
        error
    };
    for _ in 0..400 {
        let mut bytes = whole.clone();
        let place = random.below(bytes.len() as u64) as usize;
        bytes[place] ^= 1 << random.below(8);
        refuse(&bytes, &format!("a bit of byte {place}"));
        refuse(&whole[..place], &format!("cut at {place}"));
    }
    refuse(&[whole.as_slice(), b"x"].concat(), "a byte too many");
    let mut newer = whole.clone();
    newer[8] += 1;
    let error = refuse(&newer, "a newer format");
    assert!(matches!(error, StoreError::NewerFormat { found: 2, .. }), "{error}");
    assert!(refuse(b"something else", "another file").to_string().contains("is not a backup"));
    assert!(verify(&file).is_ok());
    let missing = verify(Path::new("/nowhere/backup")).unwrap_err();
    assert!(matches!(missing, StoreError::Disk { problem: DiskProblem::Missing, .. }), "{missing}");
}

/// A small file system in memory, if this process may mount one.
struct Mount(TempDir);

impl Mount {
    fn new(size: &str) -> Option<Self> {
        let folder = new_folder();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={size}"), "philae-store"])
            .arg(folder.path())
            .output();
        match mounted {
            Ok(output) if output.status.success() => Some(Self(folder)),
            Ok(output) => {
                println!("skipped: no file system can be mounted: {}", String::from_utf8_lossy(&output.stderr).trim());
                None
            }
            Err(error) => {
                println!("skipped: there is no mount command: {error}");
                None
            }
        }
    }

    fn remount(&self, option: &str) -> bool {
        let status = Command::new("mount").args(["-o", &format!("remount,{option}")]).arg(self.0.path()).status();
        status.is_ok_and(|status| status.success())
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        drop(Command::new("umount").arg("-l").arg(self.0.path()).output());
    }
}

#[test]
fn a_real_disk_that_is_full_is_named_and_works_again_once_there_is_room() {
    let Some(mount) = Mount::new("4m") else { return };
    let directory = mount.0.path().join("store");
    let store = Store::open(&directory, StoreOptions::default()).unwrap();
    let mut committed = 0;
    let mut error = None;
    for number in 0..400_u64 {
        let change = put("a", &format!("n{number}"), &"v".repeat(20_000));
        match store.commit(change) {
            Ok(answer) => {
                assert!(error.is_none() || answer.revision.0 == committed + 1);
                committed = answer.revision.0;
            }
            Err(failed) => {
                assert!(
                    matches!(&failed, StoreError::Disk { problem: DiskProblem::Full, path, .. } if path.starts_with(&directory)),
                    "{failed}"
                );
                assert!(store.snapshot().get(&key("a", &format!("n{number}"))).is_none());
                error = Some(failed);
                if number > 100 {
                    break;
                }
            }
        }
        assert_eq!(store.snapshot().revision(), Revision(committed));
    }
    println!("{committed} changes, then: {}", error.expect("4 MiB do not hold 8 MB"));
    let elsewhere = new_folder();
    store.backup(&elsewhere.path().join("backup"), 1).unwrap();
    let full = store.backup(&mount.0.path().join("backup"), 1).unwrap_err();
    assert!(matches!(full, StoreError::Disk { problem: DiskProblem::Full, .. }), "{full}");
    assert!(!mount.0.path().join("backup").exists());
    assert!(mount.remount("size=32m"));
    let answer = store.commit(put("a", "more", &"v".repeat(20_000))).unwrap();
    assert_eq!(answer.revision, Revision(committed + 1));
    store.check().unwrap();
    drop(store);
    let store = Store::open(&directory, StoreOptions::default()).unwrap();
    assert_eq!(store.snapshot().revision(), answer.revision);
}

#[test]
fn a_read_only_directory_is_named() {
    let Some(mount) = Mount::new("4m") else { return };
    let directory = mount.0.path().join("store");
    drop(Store::open(&directory, StoreOptions::default()).unwrap());
    assert!(mount.remount("ro"));
    let error = Store::open(&directory, StoreOptions::default()).unwrap_err();
    println!("{error}");
    assert!(
        matches!(&error, StoreError::Disk { problem: DiskProblem::ReadOnly, path, .. } if path.starts_with(&directory))
    );
    let error = Store::open(&mount.0.path().join("new"), StoreOptions::default()).unwrap_err();
    assert!(matches!(&error, StoreError::Disk { problem: DiskProblem::ReadOnly, .. }), "{error}");
    assert!(mount.remount("rw"));
    let store = Store::open(&directory, StoreOptions::default()).unwrap();
    store.commit(put("a", "x", "1")).unwrap();
}

#[test]
fn a_store_that_is_no_store_is_named() {
    let folder = new_folder();
    fs::write(folder.path().join("store.redb"), b"this is a text").unwrap();
    let error = Store::open(folder.path(), StoreOptions::default()).unwrap_err();
    println!("{error}");
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    let file = folder.path().join("file");
    fs::write(&file, b"x").unwrap();
    let error = Store::open(&file, StoreOptions::default()).unwrap_err();
    assert!(matches!(error, StoreError::Disk { .. }), "{error}");
}
