//! The store against a map: random changes, openings, compactions and reads of the past.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue fails")]

use crate::support::key;
use crate::support::platter::Platter;
use philae_store::{Change, Epoch, Expect, Object, Revision, Store, StoreError, StoreOptions};
use proptest::prelude::*;
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
enum Step {
    Change(Vec<(u8, Expected, Option<u8>)>, Option<u8>),
    Reopen,
    Compact(u8),
    Look(u8, u8),
    Promote,
}

/// A condition, with revisions given by how far back they are.
#[derive(Clone, Copy, Debug)]
enum Expected {
    Any,
    Absent,
    Present,
    Back(u8),
    True,
}

fn expected() -> impl Strategy<Value = Expected> {
    prop_oneof![
        6 => Just(Expected::Any),
        1 => Just(Expected::Absent),
        1 => Just(Expected::Present),
        1 => (0..4_u8).prop_map(Expected::Back),
        2 => Just(Expected::True),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let write = (0..6_u8, expected(), proptest::option::of(0..3_u8));
    prop_oneof![
        12 => (prop::collection::vec(write, 1..4), proptest::option::weighted(0.2, 0..4_u8)).prop_map(|(w, o)| Step::Change(w, o)),
        1 => Just(Step::Reopen),
        1 => any::<u8>().prop_map(Step::Compact),
        3 => (any::<u8>(), any::<u8>()).prop_map(|(a, b)| Step::Look(a, b)),
        1 => Just(Step::Promote),
    ]
}

/// The whole past, stored in a simple form.
struct Model {
    states: Vec<BTreeMap<u8, Object>>,
    oldest: usize,
    once: BTreeMap<u8, (Change, u64)>,
    epochs: u64,
}

impl Model {
    fn newest(&self) -> u64 {
        self.states.len() as u64 - 1
    }

    fn apply(&mut self, writes: &[(u8, Expect, Option<u8>)]) -> Result<u64, u8> {
        let revision = Revision(self.newest() + 1);
        let mut next = self.states.last().unwrap().clone();
        for (name, expect, _) in writes {
            let found = next.get(name);
            let is_met = match expect {
                Expect::Any => true,
                Expect::Absent => found.is_none(),
                Expect::Present => found.is_some(),
                Expect::At(revision) => found.is_some_and(|object| object.modified == *revision),
            };
            if !is_met {
                return Err(*name);
            }
        }
        for (name, _, value) in writes {
            let old = next.remove(name);
            let Some(value) = value else { continue };
            let value: std::sync::Arc<[u8]> = vec![*value; usize::from(*value)].into();
            let (created, generation) = match &old {
                None => (revision, 1),
                Some(old) if old.value == value => (old.created, old.generation),
                Some(old) => (old.created, old.generation + 1),
            };
            next.insert(*name, Object { created, modified: revision, generation, value });
        }
        self.states.push(next);
        Ok(revision.0)
    }
}

fn name(number: u8) -> philae_store::DocumentKey {
    key("k", &format!("n{number}"))
}

fn same(snapshot: &philae_store::Snapshot, state: &BTreeMap<u8, Object>) -> bool {
    let expected: Vec<_> = state.iter().map(|(number, object)| (name(*number), object.clone())).collect();
    snapshot.len() == expected.len()
        && snapshot.iter().map(|(key, object)| (key.clone(), object.clone())).eq(expected.iter().cloned())
        && snapshot.list("k", "n", None, 100).items == expected
}

fn run(steps: &[Step]) -> Result<(), TestCaseError> {
    let platter = Platter::new(3);
    let open = || Store::open_on(Box::new(platter.clone()), StoreOptions::default()).unwrap();
    let mut store = Some(open());
    let mut model = Model { states: vec![BTreeMap::new()], oldest: 1, once: BTreeMap::new(), epochs: 1 };
    for (number, step) in steps.iter().enumerate() {
        let here = store.as_ref().unwrap();
        match step {
            Step::Change(writes, once) => {
                let mut writes = writes.clone();
                writes.sort_by_key(|write| write.0);
                writes.dedup_by_key(|write| write.0);
                let newest = model.newest();
                let real = |name: u8, expected: Expected| match expected {
                    Expected::Any => Expect::Any,
                    Expected::Absent => Expect::Absent,
                    Expected::Present => Expect::Present,
                    Expected::Back(back) => Expect::At(Revision(newest.saturating_sub(back.into()))),
                    Expected::True => match model.states.last().unwrap().get(&name) {
                        None => Expect::Absent,
                        Some(object) => Expect::At(object.modified),
                    },
                };
                let writes: Vec<_> = writes.iter().map(|(name, e, value)| (*name, real(*name, *e), *value)).collect();
                let mut change = Change::new("model", number as u64);
                for (number, expect, value) in &writes {
                    change = match value {
                        Some(value) => change.put(name(*number), *expect, &vec![*value; usize::from(*value)]),
                        None => change.delete(name(*number), *expect),
                    };
                }
                if let Some(once) = once {
                    change = change.once(&once.to_string());
                }
                let answer = here.commit(change.clone());
                match once.and_then(|once| model.once.get(&once)) {
                    Some((first, revision)) if first.writes == change.writes => {
                        let answer = answer.unwrap();
                        prop_assert_eq!((answer.revision.0, answer.is_repeat), (*revision, true));
                    }
                    Some(_) => {
                        let is_conflict = matches!(answer, Err(StoreError::IdempotencyConflict { .. }));
                        prop_assert!(is_conflict, "{:?}", answer);
                    }
                    None => match (model.apply(&writes), answer) {
                        (Ok(revision), Ok(answer)) => {
                            prop_assert_eq!((answer.revision.0, answer.is_repeat), (revision, false));
                            if let Some(once) = once {
                                model.once.insert(*once, (change, revision));
                            }
                        }
                        (Err(failed), Err(StoreError::Precondition { key, .. })) => prop_assert_eq!(key, name(failed)),
                        (model, store) => prop_assert!(false, "the model says {model:?}, the store {store:?}"),
                    },
                }
            }
            Step::Reopen => {
                drop(store.take());
                store = Some(open());
            }
            Step::Compact(part) => {
                let before = model.newest() * u64::from(*part) / 256;
                here.compact(Revision(before)).unwrap();
                model.oldest = model.oldest.max(before as usize);
            }
            Step::Look(one, other) => {
                let newest = model.newest();
                let [one, other] = [one, other].map(|part| (newest + 1) * u64::from(*part) / 256);
                let is_there = |revision: u64| revision as usize + 1 >= model.oldest;
                match here.at(Revision(one)) {
                    Ok(past) => prop_assert!(is_there(one) && same(&past, &model.states[one as usize])),
                    Err(StoreError::Compacted { .. }) => prop_assert!(!is_there(one)),
                    Err(other) => prop_assert!(false, "{other}"),
                }
                if let Ok(differences) = here.diff(Revision(one), Revision(other)) {
                    let (from, to) = (&model.states[one as usize], &model.states[other as usize]);
                    let expected: Vec<_> = (0..6).filter(|name| from.get(name) != to.get(name)).map(name).collect();
                    let found: Vec<_> = differences.iter().map(|difference| difference.key.clone()).collect();
                    prop_assert_eq!(found, expected);
                } else {
                    prop_assert!(!is_there(one) || !is_there(other));
                }
                let number = (one % 6) as u8;
                let past: Vec<u64> =
                    here.history(&name(number), None, 1_000).unwrap().iter().map(|past| past.revision.0).collect();
                let touched = |revision: &u64| {
                    let [before, after] = [revision - 1, *revision].map(|r| model.states[r as usize].get(&number));
                    before != after
                };
                let expected: Vec<u64> = (model.oldest as u64..=newest).rev().filter(touched).collect();
                prop_assert_eq!(past, expected);
                let mut watch = match here.watch(Revision(one)) {
                    Ok(watch) => watch,
                    Err(_) => {
                        prop_assert!(!is_there(one));
                        continue;
                    }
                };
                for revision in one + 1..=newest {
                    prop_assert_eq!(watch.try_next().unwrap().unwrap().revision.0, revision);
                }
                prop_assert!(watch.try_next().unwrap().is_none());
            }
            Step::Promote => {
                model.epochs += 1;
                prop_assert_eq!(here.promote().wait(), Ok(Epoch(model.epochs)));
            }
        }
        let here = store.as_ref().unwrap();
        prop_assert_eq!(here.snapshot().revision().0, model.newest());
        prop_assert!(same(&here.snapshot(), model.states.last().unwrap()));
    }
    let summary = store.as_ref().unwrap().check().unwrap();
    prop_assert_eq!(summary.oldest.0 as usize, model.oldest);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_store_is_a_map_with_a_past(steps in prop::collection::vec(step(), 1..60)) {
        run(&steps)?;
    }
}
