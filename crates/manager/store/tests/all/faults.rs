//! A disk with random faults from a seed: full, faulty, with partial writes, with syncs that lose
//! data, and with power cuts at any operation. Acknowledged changes are there; each other change is
//! there completely or not at all.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue fails")]

use crate::support::platter::Platter;
use crate::support::random::Random;
use crate::support::{key, put};
use philae_store::{Change, Committed, DiskProblem, Expect, Receipt, Revision, Store, StoreError, StoreOptions};
use std::collections::BTreeMap;

type Documents = BTreeMap<String, Vec<u8>>;

fn documents(store: &Store) -> Documents {
    store.snapshot().iter().map(|(key, object)| (key.name().to_owned(), object.value.to_vec())).collect()
}

/// A change of several documents that carry the same number, and some that it removes.
fn change(random: &mut Random, number: u64) -> Change {
    let mut change = Change::new("test", number);
    for place in 0..12 {
        let size = if random.one_in(20) { 20_000 } else { random.below(200) as usize };
        let mut value = number.to_le_bytes().to_vec();
        value.resize(8 + size, number as u8);
        match random.below(4) {
            0 => change = change.put(key("a", &format!("n{place}")), Expect::Any, &value),
            1 if place > 0 => change = change.delete(key("a", &format!("n{place}")), Expect::Any),
            _ => {}
        }
    }
    if change.writes.is_empty() { change.put(key("a", "n0"), Expect::Any, &number.to_le_bytes()) } else { change }
}

fn apply(documents: &mut Documents, change: &Change) {
    for write in &change.writes {
        let name = write.key.name().to_owned();
        match &write.value {
            Some(value) => drop(documents.insert(name, value.to_vec())),
            None => drop(documents.remove(&name)),
        }
    }
}

/// Submits up to eight changes at the same time and collects the answers.
fn submit(store: &Store, random: &mut Random, number: &mut u64) -> Vec<(Change, Result<Committed, StoreError>)> {
    let waiting: Vec<(Change, Receipt<Committed>)> = (0..=random.below(8))
        .map(|_| {
            *number += 1;
            let change = change(random, *number);
            (change.clone(), store.submit(change))
        })
        .collect();
    waiting.into_iter().map(|(change, receipt)| (change, receipt.wait())).collect()
}

struct Reality {
    documents: Documents,
    revision: Revision,
    /// Changes that failed since the last success. If the disk could not even be read at that time,
    /// they may be on it.
    in_doubt: BTreeMap<u64, Change>,
}

impl Reality {
    fn take(&mut self, answers: &[(Change, Result<Committed, StoreError>)]) -> u64 {
        let mut failed = 0;
        for (change, answer) in answers {
            match answer {
                Ok(committed) => {
                    assert_eq!(committed.revision, self.revision.next(), "revisions have no gaps");
                    self.revision = committed.revision;
                    self.in_doubt.clear();
                    apply(&mut self.documents, change);
                }
                Err(StoreError::Disk { .. }) => {
                    failed += 1;
                    self.in_doubt.insert(change.at, change.clone());
                }
                Err(other) => panic!("{other}"),
            }
        }
        failed
    }

    /// After a power cut, a change in doubt is there completely or not at all.
    fn settle(&mut self, store: &Store) {
        for entry in store.entries_after(self.revision, usize::MAX).unwrap() {
            let change = self.in_doubt.remove(&entry.at).expect("only what was in doubt may be there");
            apply(&mut self.documents, &change);
            self.revision = self.revision.next();
        }
        self.in_doubt.clear();
    }

    fn compare(&self, store: &Store) {
        assert_eq!(store.snapshot().revision(), self.revision);
        assert!(documents(store) == self.documents, "documents differ at revision {}", self.revision);
    }
}

fn seeds(ordinary: u64) -> u64 {
    std::env::var("PHILAE_STORE_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(ordinary)
}

#[test]
fn faults_are_answered_and_nothing_of_what_failed_is_visible() {
    let mut failed = 0;
    for seed in 0..seeds(40) {
        let platter = Platter::new(seed);
        let mut random = Random(seed ^ 0xfa);
        let mut store = Store::open_on(Box::new(platter.clone()), StoreOptions::default()).unwrap();
        let mut reality = Reality { documents: Documents::new(), revision: Revision(0), in_doubt: BTreeMap::new() };
        let mut number = 0;
        for _ in 0..12 {
            let rates = [0, 6, 20, 60];
            let mut rate = || rates[random.below(4) as usize];
            let (full, fault, sync, open) = (rate(), rate(), rate(), rate());
            platter.faults(full, fault, sync, open);
            failed += reality.take(&submit(&store, &mut random, &mut number));
            reality.compare(&store);
            if random.one_in(4) {
                platter.faults(0, 0, 0, 0);
                drop(store);
                platter.restart();
                store = Store::open_on(Box::new(platter.clone()), StoreOptions::default())
                    .unwrap_or_else(|error| panic!("seed {seed}, after a power cut: {error}"));
                reality.settle(&store);
                reality.compare(&store);
            } else if random.one_in(2) {
                platter.faults(0, 0, 0, 0);
                let answers = submit(&store, &mut random, &mut number);
                assert_eq!(reality.take(&answers), 0, "seed {seed}: the disk is well again: {:?}", answers[0].1);
                reality.compare(&store);
            }
        }
        platter.faults(0, 0, 0, 0);
        assert_eq!(reality.take(&submit(&store, &mut random, &mut number)), 0);
        store.check().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        reality.compare(&store);
        drop(store);
        // The loss by a failed sync shows after the system's cache is gone.
        platter.restart();
        let store = Store::open_on(Box::new(platter), StoreOptions::default());
        let store = store.unwrap_or_else(|error| panic!("seed {seed}, after a power cut: {error}"));
        reality.compare(&store);
        store.check().unwrap_or_else(|error| panic!("seed {seed}, after a power cut: {error}"));
    }
    assert!(failed > 100, "only {failed} changes failed: the faults are not there");
}

#[test]
fn power_may_be_cut_at_any_operation() {
    let (mut unanswered, mut kept) = (0, 0);
    for seed in 0..seeds(60) {
        let platter = Platter::new(seed);
        let mut random = Random(seed ^ 0x0ff);
        let mut reality = Reality { documents: Documents::new(), revision: Revision(0), in_doubt: BTreeMap::new() };
        let mut number = 0;
        for _ in 0..8 {
            let store = Store::open_on(Box::new(platter.clone()), StoreOptions::default());
            let store = store.unwrap_or_else(|error| panic!("seed {seed}, revision {}: {error}", reality.revision));
            reality.compare(&store);
            platter.cut_power_after(random.below(120));
            let in_flight = loop {
                let answers = submit(&store, &mut random, &mut number);
                let acknowledged = answers.iter().take_while(|(_, answer)| answer.is_ok()).count();
                reality.take(&answers[..acknowledged]);
                if acknowledged < answers.len() {
                    assert!(answers[acknowledged..].iter().all(|(_, answer)| answer.is_err()), "seed {seed}");
                    break answers[acknowledged..].to_vec();
                }
            };
            drop(store);
            platter.restart();
            let store = Store::open_on(Box::new(platter.clone()), StoreOptions::default());
            let store = store.unwrap_or_else(|error| panic!("seed {seed}, revision {}: {error}", reality.revision));
            let more = store.snapshot().revision().0.checked_sub(reality.revision.0);
            let more = more.unwrap_or_else(|| panic!("seed {seed}: an acknowledged change is lost")) as usize;
            assert!(more <= in_flight.len());
            for (change, _) in &in_flight[..more] {
                apply(&mut reality.documents, change);
                reality.revision = reality.revision.next();
            }
            unanswered += in_flight.len();
            kept += more;
            reality.compare(&store);
            store.check().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        }
    }
    println!("{unanswered} changes were in flight when the power was cut, {kept} of them were kept");
    assert!(unanswered > 100 && kept > 0 && kept < unanswered);
}

#[test]
fn a_full_disk_is_named_and_changes_work_again_once_there_is_room() {
    let platter = Platter::new(1);
    let store = Store::open_on(Box::new(platter.clone()), StoreOptions::default()).unwrap();
    store.commit(put("a", "x", "1")).unwrap();
    platter.capacity(Some(platter.length()));
    let large = "v".repeat(400_000);
    let error = store.commit(put("a", "large", &large)).unwrap_err();
    assert!(matches!(&error, StoreError::Disk { problem: DiskProblem::Full, .. }), "{error}");
    assert_eq!(
        error.to_string(),
        "cannot write to platter: no space is left on the disk; free space or enlarge the disk, changes then work again \
         without a restart"
    );
    assert!(store.snapshot().get(&key("a", "large")).is_none());
    assert_eq!(store.snapshot().revision(), Revision(1));
    platter.capacity(None);
    assert_eq!(store.commit(put("a", "large", &large)).unwrap().revision, Revision(2));
    store.check().unwrap();
}

#[test]
fn one_sync_serves_what_queued() {
    let platter = Platter::new(2);
    let store = Store::open_on(Box::new(platter.clone()), StoreOptions::default()).unwrap();
    let before = platter.syncs();
    let held = platter.hold();
    let receipts: Vec<_> = (0..1_000).map(|number| store.submit(put("a", "x", &number.to_string()))).collect();
    drop(held);
    for (number, receipt) in receipts.into_iter().enumerate() {
        assert_eq!(receipt.wait().unwrap().revision.0, number as u64 + 1);
    }
    // Changes before the disk was held are at most one batch; the others are another, unless a
    // batch was full.
    let syncs = platter.syncs() - before;
    assert!(syncs <= 6, "{syncs} syncs for 1,000 changes");
}
