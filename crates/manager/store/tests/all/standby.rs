//! A standby that follows, and the entries that it refuses.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue fails")]

use crate::support::platter::Platter;
use crate::support::{key, put};
use philae_store::{Change, Epoch, Expect, FollowProblem, Revision, Store, StoreError, StoreOptions};

fn open(platter: &Platter) -> Store {
    Store::open_on(Box::new(platter.clone()), StoreOptions::default()).unwrap()
}

/// Sends `to` the entries of `from` that it lacks, `limit` at a time.
fn ship(from: &Store, to: &Store, limit: usize) -> Result<(), StoreError> {
    loop {
        let entries = from.entries_after(to.snapshot().revision(), limit)?;
        if entries.is_empty() {
            return Ok(());
        }
        to.follow(from.snapshot().epoch(), entries).wait()?;
    }
}

#[test]
fn a_standby_becomes_the_leader_and_the_old_one_is_fenced() {
    let platters = [Platter::new(1), Platter::new(2)];
    let [leader, standby] = [open(&platters[0]), open(&platters[1])];
    for number in 0..50 {
        leader.commit(put("a", &format!("n{}", number % 7), &number.to_string()).once(&number.to_string())).unwrap();
    }
    leader.commit(Change::new("me", 1).delete(key("a", "n3"), Expect::Present)).unwrap();
    ship(&leader, &standby, 7).unwrap();
    assert_eq!(standby.snapshot().head(), leader.snapshot().head());
    assert!(standby.snapshot().iter().eq(leader.snapshot().iter()));
    let refused = standby.commit(put("a", "x", "1")).unwrap_err();
    assert_eq!(refused, StoreError::Fenced { own: None, known: Epoch(1) });
    drop(standby);
    let standby = open(&platters[1]);
    assert!(matches!(standby.commit(put("a", "x", "1")), Err(StoreError::Fenced { .. })), "kept over an opening");

    assert_eq!(standby.promote().wait(), Ok(Epoch(2)));
    let again = standby.commit(put("a", "n0", "49").once("49")).unwrap();
    assert!(again.is_repeat && again.revision == Revision(50), "idempotency keys travel with the log");
    assert!(standby.commit(put("a", "n0", "49").once("new")).is_ok());
    assert_eq!(standby.entries_after(Revision(51), 1).unwrap()[0].epoch, Epoch(2));

    assert_eq!(leader.learn_epoch(Epoch(2)).wait(), Ok(Epoch(2)));
    let fenced = leader.commit(put("a", "x", "1")).unwrap_err();
    assert_eq!(fenced, StoreError::Fenced { own: Some(Epoch(1)), known: Epoch(2) });
    drop(leader);
    let leader = open(&platters[0]);
    assert!(matches!(leader.commit(put("a", "x", "1")), Err(StoreError::Fenced { .. })));
    ship(&standby, &leader, 7).unwrap();
    assert_eq!(standby.snapshot().head(), leader.snapshot().head());
    leader.check().unwrap();
    standby.check().unwrap();
}

#[test]
fn gaps_other_histories_stale_leaders_and_nonsense_are_refused() {
    let [leader, standby, other] = [1, 2, 3].map(|seed| open(&Platter::new(seed)));
    for number in 0..6 {
        leader.commit(put("a", "x", &number.to_string())).unwrap();
        other.commit(put("a", "x", &number.to_string())).unwrap();
    }
    let entries = leader.entries_after(Revision(0), 100).unwrap();
    let follow =
        |store: &Store, epoch, entries: &[philae_store::LogEntry]| store.follow(Epoch(epoch), entries.to_vec()).wait();
    assert_eq!(
        follow(&standby, 1, &entries[1..]),
        Err(FollowProblem::Gap { expected: Revision(1), found: Revision(2) }.into())
    );
    assert_eq!(standby.snapshot().revision(), Revision(0));
    assert_eq!(follow(&standby, 1, &entries[..3]), Ok(Revision(3)));
    assert_eq!(follow(&standby, 1, &entries[1..5]), Ok(Revision(5)), "what is here already is passed over");
    let theirs = other.entries_after(Revision(0), 100).unwrap();
    let parted = follow(&standby, 1, &theirs[5..]).unwrap_err();
    assert!(matches!(parted, StoreError::Follow(FollowProblem::Diverged { revision: Revision(6), .. })), "{parted}");
    let parted = follow(&standby, 1, &theirs[..2]).unwrap_err();
    assert!(matches!(parted, StoreError::Follow(FollowProblem::Diverged { revision: Revision(1), .. })), "{parted}");

    let mut wrong = entries[5].clone();
    wrong.writes[0].after.as_mut().unwrap().generation += 1;
    assert!(matches!(follow(&standby, 1, &[wrong]), Err(StoreError::Follow(FollowProblem::Nonsense { .. }))));
    let mut wrong = entries[5].clone();
    wrong.writes[0].before = None;
    assert!(matches!(follow(&standby, 1, &[wrong]), Err(StoreError::Follow(FollowProblem::Nonsense { .. }))));
    let mut wrong = entries[5].clone();
    wrong.epoch = Epoch(9);
    assert!(matches!(follow(&standby, 1, &[wrong]), Err(StoreError::Follow(FollowProblem::Nonsense { .. }))));

    standby.learn_epoch(Epoch(4)).wait().unwrap();
    let stale = follow(&standby, 1, &entries[5..]).unwrap_err();
    assert_eq!(stale, FollowProblem::Stale { sender: Epoch(1), known: Epoch(4) }.into());
    assert_eq!(
        standby.promote_to(Epoch(4)).wait(),
        Err(FollowProblem::EpochTaken { asked: Epoch(4), known: Epoch(4) }.into())
    );
    assert_eq!(standby.promote_to(Epoch(8)).wait(), Ok(Epoch(8)));
    let stale = follow(&leader, 1, &entries).unwrap_err();
    assert!(matches!(stale, StoreError::Follow(FollowProblem::Stale { .. })), "a leader does not follow its own epoch");
    assert_eq!(standby.snapshot().revision(), Revision(5), "nothing of what was refused is there");
    standby.check().unwrap();
}

#[test]
fn both_went_on_alone_and_that_is_found() {
    let [leader, standby] = [1, 2].map(|seed| open(&Platter::new(seed)));
    leader.commit(put("a", "x", "1")).unwrap();
    ship(&leader, &standby, 10).unwrap();
    standby.promote().wait().unwrap();
    leader.commit(put("a", "x", "old leader")).unwrap();
    standby.commit(put("a", "x", "new leader")).unwrap();
    standby.commit(put("a", "x", "new leader 2")).unwrap();
    leader.learn_epoch(Epoch(2)).wait().unwrap();
    let parted = ship(&standby, &leader, 10).unwrap_err();
    assert!(matches!(parted, StoreError::Follow(FollowProblem::Diverged { revision: Revision(3), .. })), "{parted}");
    assert!(parted.to_string().contains("seed this store from a backup of the leader"), "{parted}");
}

#[test]
fn a_standby_whose_disk_fails_is_where_it_was_and_goes_on() {
    for seed in 0..40 {
        let platter = Platter::new(seed);
        let [leader, standby] = [open(&Platter::new(seed + 100)), open(&platter)];
        for number in 0..20 {
            leader.commit(put("a", &format!("n{}", number % 5), &number.to_string())).unwrap();
        }
        let mut failed = 0;
        while standby.snapshot().revision() < leader.snapshot().revision() {
            platter.faults(10, 10, 2, 3);
            let before = standby.snapshot();
            if let Err(error) = ship(&leader, &standby, 3) {
                assert!(matches!(error, StoreError::Disk { .. }), "seed {seed}: {error}");
                failed += 1;
            }
            assert!(standby.snapshot().revision() >= before.revision());
            let epoch = standby.snapshot().epoch();
            if failed < 3 && standby.promote().wait().is_err() {
                assert!(!standby.snapshot().is_leader() || standby.snapshot().epoch() == epoch);
            } else if standby.snapshot().is_leader() {
                // It leads now: the other one takes the next epoch and continues with it.
                platter.faults(0, 0, 0, 0);
                let next = Epoch(standby.snapshot().epoch().0 + 1);
                assert_eq!(leader.promote_to(next).wait(), Ok(next));
            }
            platter.faults(0, 0, 0, 0);
            let known = standby.snapshot().epoch().max(leader.snapshot().epoch());
            if known > leader.snapshot().epoch() {
                leader.promote_to(Epoch(known.0 + 1)).wait().unwrap();
            }
            ship(&leader, &standby, 3).unwrap_or_else(|error| panic!("seed {seed}: the disk is well again: {error}"));
        }
        assert_eq!(standby.snapshot().head(), leader.snapshot().head());
        standby.check().unwrap();
        platter.restart();
        drop(standby);
        assert_eq!(open(&platter).check().unwrap().head, leader.snapshot().head());
    }
}

#[test]
fn a_store_of_another_history_is_seeded_again_as_one_and_names_what_only_it_had() {
    let folder = crate::support::new_folder();
    let platters = [Platter::new(21), Platter::new(22)];
    let [leader, standby] = [open(&platters[0]), open(&platters[1])];
    for number in 0..4 {
        leader.commit(put("a", &format!("n{number}"), "both")).unwrap();
    }
    ship(&leader, &standby, 10).unwrap();
    let mut watch = standby.watch(Revision(4)).unwrap();
    // The standby led for a while without knowledge of the leader, which continued.
    standby.promote().wait().unwrap();
    standby.commit(put("a", "n0", "mine").once("mine")).unwrap();
    standby.commit(put("a", "lost", "mine")).unwrap();
    let file = folder.path().join("backup");
    leader.backup(&file, 1).unwrap();
    let stale = standby.reseed(&file).wait().unwrap_err();
    assert!(matches!(stale, StoreError::Follow(FollowProblem::Stale { .. })), "a stale leader seeds nobody: {stale}");
    leader.promote_to(Epoch(9)).wait().unwrap();
    for number in 0..3 {
        leader.commit(put("b", &format!("m{number}"), "theirs")).unwrap();
    }
    assert_eq!(standby.hash_at(Revision(4)), leader.hash_at(Revision(4)));
    assert_ne!(standby.hash_at(Revision(5)), leader.hash_at(Revision(5)));
    assert_eq!(leader.hash_at(Revision(8)), Ok(None), "there is none yet");
    assert_eq!(leader.hash_at(Revision(0)), standby.hash_at(Revision(0)), "both began as one");
    std::fs::remove_file(&file).unwrap();
    leader.backup(&file, 2).unwrap();
    let seeded = standby.reseed(&file).wait().unwrap();
    assert_eq!((seeded.parted, seeded.revision, seeded.compared), (Revision(4), Revision(7), true));
    let lost: Vec<&str> = seeded.lost.iter().flat_map(|entry| &entry.writes).map(|write| write.key.name()).collect();
    assert_eq!(lost, ["n0", "lost"]);
    assert_eq!(standby.snapshot().head(), leader.snapshot().head());
    assert!(standby.snapshot().get(&key("a", "lost")).is_none());
    assert!(matches!(watch.try_next(), Err(StoreError::Slow { .. })), "watches of the history before end");
    assert!(matches!(standby.commit(put("a", "x", "1")), Err(StoreError::Fenced { .. })), "it follows");
    standby.check().unwrap();
    leader.commit(put("b", "next", "1")).unwrap();
    ship(&leader, &standby, 10).unwrap();
    drop(standby);
    let standby = open(&platters[1]);
    assert_eq!(standby.snapshot().head(), leader.snapshot().head(), "kept over an opening");
    standby.check().unwrap();
    standby.promote_to(Epoch(20)).wait().unwrap();
    let again = standby.commit(put("a", "n0", "new").once("mine")).unwrap();
    assert!(!again.is_repeat, "idempotency keys of what was lost are forgotten");
    // A standby that only lags has no entries of its own.
    let late = open(&Platter::new(23));
    late.follow(leader.snapshot().epoch(), leader.entries_after(Revision(0), 2).unwrap()).wait().unwrap();
    leader.compact(Revision(3)).unwrap();
    let file = folder.path().join("compacted");
    leader.backup(&file, 3).unwrap();
    let seeded = late.reseed(&file).wait().unwrap();
    assert!(seeded.lost.is_empty() && seeded.compared, "{seeded:?}");
}

#[test]
fn a_power_cut_while_a_store_is_seeded_again_leaves_the_one_or_the_other() {
    let folder = crate::support::new_folder();
    let leader = open(&Platter::new(31));
    for number in 0..40 {
        leader.commit(put("a", &format!("n{number}"), &"x".repeat(500))).unwrap();
    }
    leader.promote_to(Epoch(5)).wait().unwrap();
    let file = folder.path().join("backup");
    leader.backup(&file, 1).unwrap();
    let mut ends = std::collections::BTreeSet::new();
    for operations in (1..120).step_by(7) {
        let platter = Platter::new(1_000 + operations);
        let store = open(&platter);
        store.commit(put("own", "x", "1")).unwrap();
        store.learn_epoch(Epoch(2)).wait().unwrap();
        let before = store.snapshot().head();
        platter.cut_power_after(operations);
        drop(store.reseed(&file).wait());
        drop(store);
        platter.restart();
        let store = open(&platter);
        store.check().unwrap();
        let head = store.snapshot().head();
        assert!(head == before || head == leader.snapshot().head(), "after {operations} operations");
        ends.insert(head == before);
    }
    assert_eq!(ends.len(), 2, "both happened");
}
