//! A process under load is killed at random points. Every acknowledged change is there, and no
//! change is partial.
//!
//! `PHILAE_STORE_KILLS=200` sets the number of rounds; 20 otherwise.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue fails")]

use crate::support::random::Random;
use crate::support::{key, new_folder};
use philae_store::{Change, Expect, Revision, Store, StoreOptions};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

const FOLDER: &str = "PHILAE_STORE_KILL_FOLDER";
const THREADS: u64 = 4;

/// The child process: not a test of its own. Without its folder it does nothing.
#[test]
fn child() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let store = Arc::new(Store::open(Path::new(&folder), StoreOptions::default()).unwrap());
    let threads: Vec<_> = (0..THREADS)
        .map(|thread| {
            let store = Arc::clone(&store);
            std::thread::spawn(move || load(&store, thread))
        })
        .collect();
    loop {
        std::thread::sleep(Duration::from_millis(30));
        let newest = store.snapshot().revision();
        if newest.0 > 2_000 {
            store.compact(Revision(newest.0 - 1_000)).unwrap();
        }
        assert!(threads.iter().all(|thread| !thread.is_finished()), "a thread gave up");
    }
}

/// Writes this thread's next number to three documents together, forever, and prints which numbers
/// were acknowledged.
fn load(store: &Store, thread: u64) {
    let names = ["a", "b", "c"].map(|part| key("load", &format!("{thread}{part}")));
    let present = store.snapshot().get(&names[0]).map_or(0, |object| number(&object.value));
    for number in present + 1.. {
        let mut value = number.to_le_bytes().to_vec();
        value.resize(8 + (number as usize * 37) % 3_000, number as u8);
        let mut change = Change::new(&format!("thread {thread}"), number).once(&format!("{thread} {number}"));
        for name in &names {
            change = change.put(name.clone(), Expect::Any, &value);
        }
        // One system write, so that a line is complete or absent.
        let committed = store.commit(change).unwrap();
        let line = format!("\nack {thread} {number} {}\n", committed.revision);
        std::io::stdout().lock().write_all(line.as_bytes()).unwrap();
    }
}

fn number(value: &[u8]) -> u64 {
    let number = u64::from_le_bytes(value[..8].try_into().unwrap());
    assert!(value[8..].iter().all(|byte| *byte == number as u8), "a value is not whole");
    number
}

fn start(folder: &TempDir) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::child", "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Reads acknowledgements until the child has ended: number and revision of the newest one of each
/// thread.
fn acknowledged(child: &mut Child) -> BTreeMap<u64, (u64, u64)> {
    let mut newest = BTreeMap::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        let Some(rest) = line.strip_prefix("ack ") else { continue };
        let mut numbers = rest.split(' ').map(|number| number.parse::<u64>());
        if let (Some(Ok(thread)), Some(Ok(number)), Some(Ok(revision))) =
            (numbers.next(), numbers.next(), numbers.next())
        {
            newest.insert(thread, (number, revision));
        }
    }
    newest
}

#[test]
fn what_was_acknowledged_survives_a_kill_at_any_point() {
    let rounds = std::env::var("PHILAE_STORE_KILLS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(20);
    let folder = new_folder();
    let mut random = Random(7);
    let mut highest = Revision(0);
    let mut numbers: BTreeMap<u64, u64> = BTreeMap::new();
    let (mut acknowledgements, mut kills_before_any) = (0, 0);
    for round in 0..rounds {
        let mut child = start(&folder);
        let pid = rustix::process::Pid::from_child(&child);
        let longest = if random.one_in(4) { 20_000 } else { 400_000 };
        let patience = Duration::from_micros(random.below(longest));
        let killer = std::thread::spawn(move || {
            std::thread::sleep(patience);
            rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
        });
        let acknowledged = acknowledged(&mut child);
        killer.join().unwrap();
        let status = child.wait_with_output().unwrap();
        assert!(status.status.code().is_none(), "round {round}: {}", String::from_utf8_lossy(&status.stderr));
        kills_before_any += u64::from(acknowledged.is_empty());

        let store = Store::open(folder.path(), StoreOptions::default()).unwrap();
        let snapshot = store.snapshot();
        assert!(snapshot.revision() >= highest, "round {round}: revisions went back");
        highest = snapshot.revision();
        store.check().unwrap();
        for thread in 0..THREADS {
            let found = ["a", "b", "c"].map(|part| {
                let object = snapshot.get(&key("load", &format!("{thread}{part}")));
                object.map_or((0, Revision(0)), |object| (number(&object.value), object.modified))
            });
            assert!(found.iter().all(|part| *part == found[0]), "round {round}: half a change: {found:?}");
            let before = numbers.get(&thread).copied().unwrap_or(0);
            let (number, revision) = acknowledged.get(&thread).copied().unwrap_or((before, 0));
            assert!(
                found[0].0 >= number,
                "round {round}, thread {thread}: {number} was acknowledged, {} is there",
                found[0].0
            );
            assert!(
                found[0].0 <= number + 1,
                "round {round}, thread {thread}: {number} and one more at most, not {}",
                found[0].0
            );
            assert!(found[0].1.0 >= revision);
            acknowledgements += number - before;
            numbers.insert(thread, found[0].0);
            if let Some((number, revision)) =
                acknowledged.get(&thread).filter(|(_, revision)| *revision >= snapshot.oldest().0)
            {
                let entry = &store.entries_after(Revision(revision - 1), 1).unwrap()[0];
                assert_eq!((entry.at, entry.actor.as_str()), (*number, format!("thread {thread}").as_str()));
                assert_eq!(entry.writes.len(), 3);
            }
        }
    }
    println!(
        "{rounds} kills, {acknowledgements} acknowledged changes, {highest} revisions, {kills_before_any} kills before the first"
    );
    assert!(acknowledgements > 0);
}
