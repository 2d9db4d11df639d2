//! Measures the store's rates and times on this disk:
//! `cargo run --release -p philae-store --example store_bench [DIRECTORY]`.

use philae_store::{Change, DocumentKey, Expect, Revision, Store, StoreOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const SECONDS: u64 = 4;
const WATCHERS: usize = 1_000;

fn change(writer: usize, number: u64) -> Change {
    let key = DocumentKey::new("port", &format!("writer{writer}-{}", number % 64)).expect("a name of letters");
    Change::new("bench", number).put(
        key,
        Expect::Any,
        format!("{{\"number\":{number},\"pad\":\"{}\"}}", "x".repeat(300)).as_bytes(),
    )
}

/// Commits from `writers` threads. Returns commits per second and the sorted times of single
/// commits.
fn commits(store: &Arc<Store>, writers: usize) -> (f64, Vec<Duration>) {
    let is_over = Arc::new(AtomicBool::new(false));
    let begun = Instant::now();
    let threads: Vec<_> = (0..writers)
        .map(|writer| {
            let (store, is_over) = (Arc::clone(store), Arc::clone(&is_over));
            thread::spawn(move || {
                let mut times = Vec::new();
                for number in 0.. {
                    if is_over.load(Ordering::Relaxed) {
                        break;
                    }
                    let begun = Instant::now();
                    store.commit(change(writer, number)).expect("the disk has room");
                    times.push(begun.elapsed());
                }
                times
            })
        })
        .collect();
    thread::sleep(Duration::from_secs(SECONDS));
    is_over.store(true, Ordering::Relaxed);
    let mut times: Vec<Duration> = threads.into_iter().flat_map(|thread| thread.join().expect("a writer")).collect();
    let rate = times.len() as f64 / begun.elapsed().as_secs_f64();
    times.sort_unstable();
    (rate, times)
}

fn main() {
    let directory = std::env::args().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let directory = directory.join(format!("philae-store-bench-{}", std::process::id()));
    run(&directory);
    std::fs::remove_dir_all(&directory).expect("the directory is ours");
}

fn run(directory: &Path) {
    let store = Arc::new(Store::open(directory, StoreOptions::default()).expect("the store opens"));
    println!("{:>8} {:>9} {:>12} {:>10} {:>10} {:>10}", "writers", "watchers", "commits/s", "p50", "p99", "most");
    for writers in [1, 16, 256] {
        let (rate, times) = commits(&store, writers);
        report(writers, 0, rate, &times);
    }
    let seen = Arc::new(AtomicU64::new(0));
    let from = store.snapshot().revision();
    let watchers: Vec<_> = (0..WATCHERS)
        .map(|_| {
            let mut watch = store.watch(from).expect("the log has it");
            let seen = Arc::clone(&seen);
            let builder = thread::Builder::new().stack_size(256 << 10);
            let watcher = builder.spawn(move || {
                let mut cut_off = 0_u64;
                while let Ok(entry) = watch.next_within(Duration::from_millis(500)) {
                    match entry {
                        Some(_) => drop(seen.fetch_add(1, Ordering::Relaxed)),
                        None => return cut_off,
                    }
                }
                cut_off += 1;
                cut_off
            });
            watcher.expect("a thread")
        })
        .collect();
    let (rate, times) = commits(&store, 16);
    report(16, WATCHERS, rate, &times);
    let cut_off: u64 = watchers.into_iter().map(|watcher| watcher.join().expect("a watcher")).sum();
    let made = store.snapshot().revision().0 - from.0;
    println!(
        "{WATCHERS} watchers saw {} of {} entries, {cut_off} were cut off",
        seen.load(Ordering::Relaxed),
        made * WATCHERS as u64
    );

    let begun = Instant::now();
    let newest = store.snapshot().revision();
    let replayed = {
        let mut watch = store.watch(Revision(0)).expect("the log has it");
        (0..newest.0).filter(|_| watch.try_next().expect("the log has it").is_some()).count()
    };
    println!("replay of {replayed} entries: {:?}", begun.elapsed());
    let begun = Instant::now();
    let past = store.at(Revision(newest.0 / 2)).expect("the log has it");
    println!("state at revision {} of {newest}, {} documents: {:?}", newest.0 / 2, past.len(), begun.elapsed());
    let begun = Instant::now();
    let file = directory.join("backup");
    store.backup(&file, 0).expect("the disk has room");
    println!(
        "backup of {} MB: {:?}",
        std::fs::metadata(&file).map_or(0, |data| data.len() / 1_000_000),
        begun.elapsed()
    );
    let begun = Instant::now();
    let summary = store.check().expect("the store is well");
    println!("check of {} entries and {} documents: {:?}", summary.entries, summary.objects, begun.elapsed());
    drop(store);
    let begun = Instant::now();
    let store = Store::open(directory, StoreOptions::default()).expect("the store opens");
    println!("open: {:?}", begun.elapsed());
    drop(store);
}

fn report(writers: usize, watchers: usize, rate: f64, times: &[Duration]) {
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
    println!("{writers:>8} {watchers:>9} {rate:>12.0} {:>10.1?} {:>10.1?} {:>10.1?}", at(0.5), at(0.99), at(1.0));
}
