//! The basic operations of a store.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue fails")]

use crate::support::{key, new_folder, put};
use philae_store::{Change, ChangeProblem, Expect, Revision, Store, StoreError, StoreOptions};
use std::sync::Arc;
use std::time::Duration;

#[test]
fn what_was_committed_is_there_after_reopening() {
    let folder = new_folder();
    let store = Store::open(folder.path(), StoreOptions::default()).unwrap();
    assert_eq!(store.snapshot().revision(), Revision(0));
    for number in 1..=5_u64 {
        let committed = store.commit(put("a", &format!("n{number}"), &number.to_string())).unwrap();
        assert_eq!(committed.revision, Revision(number));
    }
    store.commit(Change::new("me", 9).delete(key("a", "n3"), Expect::Present)).unwrap();
    let before = store.snapshot();
    drop(store);
    let store = Store::open(folder.path(), StoreOptions::default()).unwrap();
    let after = store.snapshot();
    assert_eq!(after.revision(), Revision(6));
    assert_eq!(after.head(), before.head());
    assert!(before.iter().eq(after.iter()));
    assert!(after.get(&key("a", "n3")).is_none());
    let page = after.list("a", "n", None, 2);
    assert_eq!(page.items.iter().map(|(key, _)| key.name()).collect::<Vec<_>>(), ["n1", "n2"]);
    assert_eq!(page.next.as_deref(), Some("n2"));
    let rest = after.list("a", "n", page.next.as_deref(), 9);
    assert_eq!(rest.items.iter().map(|(key, _)| key.name()).collect::<Vec<_>>(), ["n4", "n5"]);
    assert_eq!(rest.next, None);
}

#[test]
fn a_change_whose_conditions_are_not_met_changes_nothing_and_says_which() {
    let folder = new_folder();
    let store = Store::open(folder.path(), StoreOptions::default()).unwrap();
    store.commit(put("a", "x", "1")).unwrap();
    let change =
        Change::new("me", 1).put(key("a", "y"), Expect::Absent, b"2").put(key("a", "x"), Expect::At(Revision(7)), b"2");
    let refused = store.commit(change).unwrap_err();
    let expected =
        StoreError::Precondition { key: key("a", "x"), expected: Expect::At(Revision(7)), found: Some(Revision(1)) };
    assert_eq!(refused, expected);
    assert_eq!(refused.to_string(), "a/x: the change expects a document at revision 7, found a document at revision 1");
    assert_eq!(store.snapshot().revision(), Revision(1), "a refused change takes no revision");
    assert!(store.snapshot().get(&key("a", "y")).is_none());
    let twice = Change::new("me", 1).put(key("a", "x"), Expect::Any, b"1").delete(key("a", "x"), Expect::Any);
    assert!(matches!(store.commit(twice), Err(StoreError::Invalid(ChangeProblem::TwoWrites { .. }))));
    assert!(matches!(store.commit(Change::new("me", 1)), Err(StoreError::Invalid(ChangeProblem::NoWrites))));
}

#[test]
fn generations_count_values_and_revisions_count_writes() {
    let folder = new_folder();
    let store = Store::open(folder.path(), StoreOptions::default()).unwrap();
    for value in ["1", "1", "2"] {
        store.commit(put("a", "x", value)).unwrap();
    }
    let object = store.snapshot().get(&key("a", "x")).cloned().unwrap();
    assert_eq!((object.created, object.modified, object.generation), (Revision(1), Revision(3), 2));
}

#[test]
fn the_same_idempotency_key_gets_the_first_answer_and_another_body_is_an_error() {
    let folder = new_folder();
    let options = StoreOptions { remembered_micros: 100, remembered_max: 3, ..StoreOptions::default() };
    let store = Store::open(folder.path(), options.clone()).unwrap();
    let change = |at, value: &str| Change::new("me", at).put(key("a", "x"), Expect::Any, value.as_bytes()).once("k");
    assert_eq!(store.commit(change(1_000, "1")).unwrap().revision, Revision(1));
    drop(store);
    let store = Store::open(folder.path(), options).unwrap();
    let again = store.commit(change(1_001, "1")).unwrap();
    assert_eq!((again.revision, again.is_repeat), (Revision(1), true));
    let other = store.commit(change(1_001, "2"));
    assert_eq!(other, Err(StoreError::IdempotencyConflict { key: "k".to_owned(), first: Revision(1) }));
    let later = store.commit(change(1_101, "2")).unwrap();
    assert_eq!((later.revision, later.is_repeat), (Revision(2), false), "forgotten after its time");
    for number in 0..3 {
        store.commit(put("a", "y", "1").once(&format!("other {number}"))).unwrap();
    }
    assert!(!store.commit(change(1_101, "2")).unwrap().is_repeat, "forgotten after as many others");
}

#[test]
fn a_full_queue_is_an_error_and_not_memory() {
    let folder = new_folder();
    let options = StoreOptions { queue_changes_max: 2, ..StoreOptions::default() };
    let store = Store::open(folder.path(), options).unwrap();
    let receipts: Vec<_> = (0..200).map(|number| store.submit(put("a", &number.to_string(), "1"))).collect();
    let answers: Vec<_> = receipts.into_iter().map(|receipt| receipt.wait()).collect();
    let busy = answers.iter().filter(|answer| matches!(answer, Err(StoreError::Busy { .. }))).count();
    let done = answers.iter().filter(|answer| answer.is_ok()).count();
    assert!(busy > 0 && done > 0 && busy + done == 200, "{busy} busy, {done} done");
    assert_eq!(store.snapshot().revision(), Revision(done as u64));
}

#[test]
fn a_second_opening_is_refused() {
    let folder = new_folder();
    let store = Store::open(folder.path(), StoreOptions::default()).unwrap();
    let second = Store::open(folder.path(), StoreOptions::default()).unwrap_err();
    assert_eq!(second, StoreError::InUse { path: folder.path().to_owned() });
    drop(store);
    Store::open(folder.path(), StoreOptions::default()).unwrap();
}

#[test]
fn threads_race_for_one_document_and_one_wins_each_revision() {
    let folder = new_folder();
    let store = Arc::new(Store::open(folder.path(), StoreOptions::default()).unwrap());
    store.commit(put("a", "counter", "0")).unwrap();
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let store = Arc::clone(&store);
            std::thread::spawn(move || {
                let mut won = 0;
                while won < 25 {
                    let snapshot = store.snapshot();
                    let object = snapshot.get(&key("a", "counter")).unwrap();
                    let number: u64 = std::str::from_utf8(&object.value).unwrap().parse().unwrap();
                    let next = (number + 1).to_string();
                    let change =
                        Change::new("me", 1).put(key("a", "counter"), Expect::At(object.modified), next.as_bytes());
                    match store.commit(change) {
                        Ok(_) => won += 1,
                        Err(StoreError::Precondition { .. }) => {}
                        Err(other) => panic!("{other}"),
                    }
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(&*store.snapshot().get(&key("a", "counter")).unwrap().value, b"100");
}

#[test]
fn a_watch_replays_then_follows_and_the_slow_are_told_where_to_go_on() {
    let folder = new_folder();
    let options = StoreOptions { watch_entries_max: 4, ..StoreOptions::default() };
    let store = Store::open(folder.path(), options).unwrap();
    for number in 1..=700 {
        drop(store.submit(put("a", "x", &number.to_string())));
    }
    let last = store.commit(put("a", "x", "last")).unwrap().revision;
    let mut watch = store.watch(Revision(0)).unwrap();
    let mut seen = Revision(0);
    while seen < last {
        let entry = watch.next_within(Duration::from_secs(20)).unwrap().expect("the log has more");
        assert_eq!(entry.revision, seen.next());
        seen = entry.revision;
    }
    assert_eq!(watch.next_within(Duration::from_millis(1)), Ok(None));
    store.commit(put("a", "x", "live")).unwrap();
    let live = watch.next_within(Duration::from_secs(20)).unwrap().unwrap();
    assert_eq!(live.revision, last.next());
    for number in 0..6 {
        store.commit(put("a", "x", &number.to_string())).unwrap();
    }
    assert_eq!(watch.try_next(), Err(StoreError::Slow { resume_from: live.revision }));
    let mut again = store.watch(watch.seen()).unwrap();
    assert_eq!(again.try_next().unwrap().unwrap().revision, live.revision.next());
    assert!(matches!(store.watch(Revision(10_000)), Err(StoreError::Future { .. })));
    drop(store);
    while again.try_next().is_ok_and(|entry| entry.is_some()) {}
    assert_eq!(again.try_next(), Err(StoreError::Closed));
}

#[test]
fn compaction_keeps_documents_and_says_where_the_log_begins() {
    let folder = new_folder();
    let store = Store::open(folder.path(), StoreOptions::default()).unwrap();
    for number in 1..=20_u64 {
        let change = Change::new("me", number * 10).put(key("a", &format!("n{number}")), Expect::Any, b"1");
        store.commit(change).unwrap();
    }
    assert_eq!(store.compact(Revision(5)), Ok(Revision(5)));
    assert_eq!(store.at(Revision(4)).unwrap().len(), 4);
    let compacted = StoreError::Compacted { asked: Revision(3), oldest: Revision(5) };
    assert_eq!(store.at(Revision(3)).unwrap_err(), compacted);
    assert_eq!(store.watch(Revision(3)).unwrap_err(), compacted);
    assert_eq!(store.entries_after(Revision(3), 9), Err(compacted));
    let retention = philae_store::Retention { entries: 12, micros: 1_000_000 };
    assert_eq!(store.retain(retention, 200), Ok(Revision(9)), "the newest twelve are 9 to 20");
    let retention = philae_store::Retention { entries: 1_000, micros: 50 };
    assert_eq!(store.retain(retention, 200), Ok(Revision(15)), "made at 150 or later");
    assert_eq!(store.snapshot().len(), 20);
    assert!(matches!(store.compact(Revision(21)), Err(StoreError::Future { .. })));
}

#[test]
fn history_differences_and_audit_read_one_log() {
    let folder = new_folder();
    let store = Store::open(folder.path(), StoreOptions::default()).unwrap();
    let by = |actor: &str, at| Change::new(actor, at);
    store.commit(by("ann", 10).put(key("a", "x"), Expect::Any, b"1")).unwrap();
    store.commit(by("bob", 20).put(key("a", "y"), Expect::Any, b"1").put(key("b", "x"), Expect::Any, b"1")).unwrap();
    store.commit(by("ann", 30).put(key("a", "x"), Expect::Any, b"2")).unwrap();
    store.commit(by("ann", 40).delete(key("a", "x"), Expect::Any)).unwrap();
    store.commit(by("bob", 50).put(key("a", "x"), Expect::Any, b"1")).unwrap();
    let past = store.history(&key("a", "x"), None, 10).unwrap();
    assert_eq!(past.iter().map(|past| past.revision.0).collect::<Vec<_>>(), [5, 4, 3, 1]);
    assert!(past[1].after.is_none() && past[0].before.is_none());
    let past = store.history(&key("a", "x"), Some(Revision(4)), 1).unwrap();
    assert_eq!(past.iter().map(|past| past.revision.0).collect::<Vec<_>>(), [3]);
    let differences = store.diff(Revision(1), Revision(4)).unwrap();
    assert_eq!(differences.iter().map(|d| d.key.to_string()).collect::<Vec<_>>(), ["a/x", "a/y", "b/x"]);
    assert!(differences[0].after.is_none() && differences[1].before.is_none());
    let back = store.diff(Revision(4), Revision(1)).unwrap();
    assert!(back[0].before.is_none() && back[1].after.is_none());
    let audit = |query| store.audit(&query, 10).unwrap().entries.iter().map(|e| e.revision.0).collect::<Vec<_>>();
    let all = philae_store::AuditQuery::default();
    assert_eq!(audit(philae_store::AuditQuery { actor: Some("bob".into()), ..all.clone() }), [5, 2]);
    assert_eq!(audit(philae_store::AuditQuery { kind: Some("b".into()), ..all.clone() }), [2]);
    assert_eq!(audit(philae_store::AuditQuery { from: Some(20), until: Some(40), ..all.clone() }), [3, 2]);
    let page = store.audit(&all, 2).unwrap();
    assert_eq!(page.next, Some(Revision(4)));
    assert_eq!(audit(philae_store::AuditQuery { before: page.next, ..all }), [3, 2, 1]);
}

/// Runs a future on this thread, which is all that a runtime must do for the store.
fn block_on<F: Future>(future: F) -> F::Output {
    struct Unpark(std::thread::Thread);
    impl std::task::Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = std::task::Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut context = std::task::Context::from_waker(&waker);
    let mut future = std::pin::pin!(future);
    loop {
        match future.as_mut().poll(&mut context) {
            std::task::Poll::Ready(output) => return output,
            std::task::Poll::Pending => std::thread::park(),
        }
    }
}

#[test]
fn receipts_and_watches_can_be_awaited() {
    let folder = new_folder();
    let store = Arc::new(Store::open(folder.path(), StoreOptions::default()).unwrap());
    let watchers: Vec<_> = (0..20)
        .map(|_| {
            let mut watch = store.watch(Revision(0)).unwrap();
            std::thread::spawn(move || {
                block_on(async {
                    for number in 1..=30 {
                        assert_eq!(watch.next().await.unwrap().revision, Revision(number));
                    }
                    watch.next().await
                })
            })
        })
        .collect();
    block_on(async {
        for number in 1..=30 {
            let committed = store.submit(put("a", "x", &number.to_string())).await.unwrap();
            assert_eq!(committed.revision, Revision(number));
        }
    });
    drop(store);
    for watcher in watchers {
        assert_eq!(watcher.join().unwrap(), Err(StoreError::Closed));
    }
}
