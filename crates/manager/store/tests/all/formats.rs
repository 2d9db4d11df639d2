//! A newer format is refused with advice; the previous one is upgraded.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue fails")]

use crate::support::{key, new_folder};
use philae_store::{Change, Expect, FORMAT_NEWEST, Revision, Store, StoreError, StoreOptions};
use redb::{Database, TableDefinition};
use tempfile::TempDir;

const FORMAT: TableDefinition<&str, u64> = TableDefinition::new("format");
const TOUCHED: TableDefinition<(&str, &str, u64), ()> = TableDefinition::new("touched");

fn with_format(format: u64, change: impl FnOnce(&redb::WriteTransaction)) -> TempDir {
    let folder = new_folder();
    let store = Store::open(folder.path(), StoreOptions::default()).unwrap();
    for number in 0..3_u64 {
        store.commit(Change::new("me", number).put(key("a", "x"), Expect::Any, &[number as u8])).unwrap();
    }
    drop(store);
    let database = Database::open(folder.path().join("store.redb")).unwrap();
    let transaction = database.begin_write().unwrap();
    transaction.open_table(FORMAT).unwrap().insert("philae", format).unwrap();
    change(&transaction);
    transaction.commit().unwrap();
    folder
}

#[test]
fn a_newer_format_is_refused() {
    let folder = with_format(FORMAT_NEWEST + 1, |_| {});
    let error = Store::open(folder.path(), StoreOptions::default()).unwrap_err();
    assert!(matches!(error, StoreError::NewerFormat { found, .. } if found == FORMAT_NEWEST + 1), "{error}");
    assert!(error.to_string().contains("use the release that wrote it, or a newer one"), "{error}");
}

#[test]
fn the_format_before_is_brought_to_the_newest() {
    // Format 1 had no index of the writes.
    let folder = with_format(1, |transaction| assert!(transaction.delete_table(TOUCHED).unwrap()));
    let store = Store::open(folder.path(), StoreOptions::default()).unwrap();
    let past = store.history(&key("a", "x"), None, 10).unwrap();
    assert_eq!(past.iter().map(|past| past.revision).collect::<Vec<_>>(), [3, 2, 1].map(Revision));
    store.check().unwrap();
    drop(store);
    Store::open(folder.path(), StoreOptions::default()).unwrap().check().unwrap();
}
