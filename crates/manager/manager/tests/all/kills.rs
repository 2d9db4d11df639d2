//! The program is killed at random moments under load, and its disk fills up: acknowledged changes
//! are there.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use crate::common::new_folder;
use crate::process::{Answer, Client, Process};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Threads that write, each a document of its own.
const WRITERS: u64 = 4;

/// A small generator of pseudo-random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % end
    }
}

fn start(state: &Path) -> Process {
    let path = state.to_str().expect("plain");
    let options = ["--rate-limit", "100000", "--listen", "127.0.0.1:0", "--state", path];
    Process::start(&[&["manager", "serve", "--simulated", "--system", "malbec"][..], &options].concat(), state)
}

fn path(writer: u64) -> String {
    format!("/api/v1/port-policies/writer{writer}")
}

/// The request of a step, and the number in the document after it. The number is in two places of
/// the document.
fn step(number: u64) -> (&'static str, Value, Option<u64>) {
    let (labels, priority) = (json!({ "number": number.to_string() }), 1 + number % 900);
    match number % 7 {
        6 => ("DELETE", Value::Null, None),
        2 | 4 => ("PATCH", json!({ "labels": labels, "spec": { "priority": priority } }), Some(number)),
        _ => {
            let spec = json!({ "selector": "role=edge", "priority": priority, "settings": { "autoneg": false } });
            ("PUT", json!({ "labels": labels, "spec": spec }), Some(number))
        }
    }
}

/// The number and the revision of a document.
fn found(process: &Process, writer: u64) -> Option<(u64, u64)> {
    let (status, document) = process.ask("GET", &path(writer), &Value::Null);
    if status == 404 {
        return None;
    }
    assert_eq!(status, 200, "{document}");
    let number: u64 = document["labels"]["number"].as_str().and_then(|text| text.parse().ok()).expect("a number");
    assert_eq!(document["spec"]["priority"], 1 + number % 900, "half of a change: {document}");
    Some((number, document["revision"].as_u64().expect("a revision")))
}

/// A writer's knowledge: the last acknowledged step, and whether it sent the one after it.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    done: Option<u64>,
    sent: bool,
}

/// Sends a step under a key of its own; all but the first of seven expect that the document exists.
fn send(client: &Client, writer: u64, number: u64) -> Result<Answer, String> {
    let (method, body, _) = step(number);
    let key = format!("{writer}-{number}");
    let headers = [("Idempotency-Key", key.as_str()), ("If-Match", "*")];
    client.send(method, &path(writer), &body, if number.is_multiple_of(7) { &headers[..1] } else { &headers })
}

fn write(process: &Process, writer: u64, mut known: Known, stop: &AtomicBool) -> (Known, u64) {
    let client = process.client();
    let mut acknowledged = 0;
    while !stop.load(Ordering::Relaxed) {
        let number = known.done.map_or(0, |done| done + 1);
        let (method, ..) = step(number);
        known.sent = true;
        match send(&client, writer, number) {
            Ok((status, answer)) => {
                assert!((200..300).contains(&status), "{writer} {number} {method}: {status} {answer}");
                acknowledged += 1;
                known = Known { done: Some(number), sent: false };
            }
            // The manager was killed: the result is unknown.
            Err(_) => break,
        }
    }
    (known, acknowledged)
}

#[test]
fn what_was_acknowledged_survives_a_kill_at_any_moment() {
    let kills = std::env::var("PHILAE_MANAGER_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(5);
    let folder = new_folder();
    let state = folder.path().join("state");
    let mut random = Random(11);
    let mut knowns = [Known::default(); WRITERS as usize];
    let (mut highest, mut acknowledged, mut applied_unseen) = (0, 0, 0);
    for round in 0..=kills {
        let mut process = start(&state);
        let revision = process.get("/api/v1/status")["revision"].as_u64().expect("a revision");
        assert!(revision >= highest, "round {round}: revisions went back from {highest} to {revision}");
        for (writer, known) in (0..).zip(&mut knowns) {
            let found_now = found(&process, writer);
            let number = found_now.map(|(number, _)| number);
            let before = known.done.and_then(|done| step(done).2);
            let next = known.done.map_or(0, |done| done + 1);
            let (method, _, after) = step(next);
            let is_applied = known.sent && number == after && (number != before);
            assert!(number == before || is_applied, "round {round}, writer {writer}: {known:?}, there is {number:?}");
            if known.sent {
                // Repeated under the same key: it happens once, whatever happened to the first
                // attempt.
                let (status, answer) = send(&process.client(), writer, next).expect("it runs");
                let gone = method == "DELETE" && is_applied && (status == 404 || status == 412);
                assert!((200..300).contains(&status) || gone, "round {round}: {status} {answer}");
                let again = found(&process, writer);
                assert_eq!(again.map(|(number, _)| number), after);
                if is_applied {
                    applied_unseen += 1;
                    assert_eq!(again, found_now, "round {round}, writer {writer}: it happened twice");
                }
                *known = Known { done: Some(next), sent: false };
            }
        }
        process.until("/api/v1/status", "synced with what documents say", |status| {
            status["switches"]["byState"]["synced"] == 32
        });
        highest = process.get("/api/v1/status")["revision"].as_u64().expect("a revision");
        if round == kills {
            break;
        }
        let stop = AtomicBool::new(false);
        let links = process.get("/api/v1/links?limit=1");
        let link = links["items"][0]["name"].as_str().expect("a name").to_owned();
        let pid = rustix::process::Pid::from_child(&process.child);
        let most = if random.below(4) == 0 { 20_000 } else { 300_000 };
        let patience = Duration::from_micros(random.below(most));
        std::thread::scope(|scope| {
            let (tell, told) = channel();
            for (writer, known) in (0..).zip(knowns) {
                let (tell, process, stop) = (tell.clone(), &process, &stop);
                scope.spawn(move || tell.send((writer, write(process, writer, known, stop))).expect("it is heard"));
            }
            drop(tell);
            let (orders, stopped) = (process.client(), &stop);
            scope.spawn(move || {
                for order in ["drain", "restore"].iter().cycle() {
                    let path = format!("/api/v1/links/{link}/{order}");
                    if stopped.load(Ordering::Relaxed) || orders.send("POST", &path, &Value::Null, &[]).is_err() {
                        break;
                    }
                }
            });
            std::thread::sleep(patience);
            rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("it runs");
            for (writer, (known, count)) in told {
                knowns[writer as usize] = known;
                acknowledged += count;
            }
            stop.store(true, Ordering::Relaxed);
        });
        process.kill();
    }
    let store = philae_store::Store::open(&state, philae_store::StoreOptions::default()).expect("nobody has it open");
    store.check().expect("log and documents agree");
    println!("{kills} kills, {acknowledged} acknowledged changes, {highest} revisions, {applied_unseen} kept unheard");
    assert!(acknowledged > 0);
}

#[test]
fn a_full_disk_is_said_and_the_service_goes_on() {
    use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
    let folder = new_folder();
    let state = folder.path().join("state");
    // A file that may not grow acts like a full disk; the signal that comes with it is ignored.
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_philae-manager")]);
    command
        .args(["manager", "serve", "--simulated", "--system", "malbec", "--listen", "127.0.0.1:0", "--state"])
        .arg(&state);
    let process = Process::spawn(command, &state).expect("it starts");
    let write = |number: u64| {
        let labels = json!({ "number": number.to_string() });
        let spec = json!({ "selector": "role=edge", "priority": 1 + number, "settings": { "autoneg": false } });
        process.ask(
            "PUT",
            &format!("/api/v1/port-policies/p{}", number % 8),
            &json!({ "labels": labels, "spec": spec }),
        )
    };
    for number in 0..8 {
        assert!((200..300).contains(&write(number).0));
    }
    let size = std::fs::read_dir(&state).expect("it is there").flatten();
    let size = size.filter_map(|file| file.metadata().ok()).map(|file| file.len()).max().expect("a file");
    let pid = Pid::from_child(&process.child);
    let before = getrlimit(Resource::Fsize);
    let limit =
        |current| prlimit(Some(pid), Resource::Fsize, Rlimit { current, maximum: before.maximum }).expect("it runs");
    limit(Some(size));
    let mut refused = None;
    for number in 8..20_000 {
        let (status, answer) = write(number);
        if !(200..300).contains(&status) {
            refused = Some((number, status, answer));
            break;
        }
    }
    let Some((number, status, answer)) = refused else {
        panic!("20,000 changes fit into {size} bytes");
    };
    assert_eq!((status, &answer["code"]), (507, &json!("store.failed")), "{answer}");
    assert!(answer["detail"].as_str().is_some_and(|detail| detail.len() > 20), "{answer}");
    assert_eq!(process.get("/api/v1/status")["switches"]["byState"]["synced"], 32, "it is still read");
    assert_eq!(process.ask("GET", "/livez", &Value::Null).0, 200);
    let last = number - 1;
    let kept = process.get(&format!("/api/v1/port-policies/p{}", last % 8));
    assert_eq!(kept["labels"]["number"], last.to_string(), "what was acknowledged last is there");
    limit(before.current);
    let (status, answer) = write(number);
    assert!((200..300).contains(&status), "there is room again: {status} {answer}");
}

/// A disk of its own in a file, which the kernel turns read-only after a fault; unmounted at the
/// end.
struct Disk {
    image: PathBuf,
    at: PathBuf,
}

fn run(program: &str, arguments: &[&OsStr]) -> Result<(), String> {
    let output = Command::new(program).args(arguments).output().map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

impl Disk {
    fn new(folder: &TempDir) -> Result<Self, String> {
        let disk = Self { image: folder.path().join("image"), at: folder.path().join("disk") };
        std::fs::create_dir(&disk.at).map_err(|error| error.to_string())?;
        let image = std::fs::File::create(&disk.image).map_err(|error| error.to_string())?;
        image.set_len(256 << 20).map_err(|error| error.to_string())?;
        run("mkfs.ext4", &["-q".as_ref(), disk.image.as_ref()])?;
        disk.mount()?;
        Ok(disk)
    }

    fn mount(&self) -> Result<(), String> {
        let options = "loop,errors=remount-ro";
        run("mount", &["-o".as_ref(), options.as_ref(), self.image.as_ref(), self.at.as_ref()])
    }

    /// The kernel's reaction to a damaged file system.
    fn turn_read_only(&self) -> Result<(), String> {
        let mounts = std::fs::read_to_string("/proc/mounts").map_err(|error| error.to_string())?;
        let at = self.at.to_str().expect("plain");
        let line = mounts.lines().find(|line| line.split(' ').nth(1) == Some(at)).ok_or("it is not mounted")?;
        let device = line.split(' ').next().and_then(|device| device.rsplit('/').next()).ok_or("it has no device")?;
        std::fs::write(format!("/sys/fs/ext4/{device}/trigger_fs_error"), "1").map_err(|error| error.to_string())
    }

    fn unmount(&self) -> Result<(), String> {
        run("umount", &[self.at.as_ref()])
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = run("umount", &["-l".as_ref(), self.at.as_ref()]);
    }
}

#[test]
fn a_disk_that_turns_read_only_is_said_and_the_service_goes_on() {
    let folder = new_folder();
    let disk = match Disk::new(&folder) {
        Ok(disk) => disk,
        Err(error) => {
            println!("skipped: it takes a file system of its own, which this machine or user cannot mount: {error}");
            return;
        }
    };
    let state = disk.at.join("state");
    let body = |number: u64| {
        let spec = json!({ "selector": "role=edge", "priority": 1 + number, "settings": { "autoneg": false } });
        json!({ "labels": { "number": number.to_string() }, "spec": spec })
    };
    let mut process = start(&state);
    for number in 0..2 {
        let (status, answer) = process.ask("PUT", &path(0), &body(number));
        assert!((200..300).contains(&status), "{status} {answer}");
    }
    disk.turn_read_only().expect("the kernel can be told so");
    for number in 2..5 {
        let (status, answer) = process.ask("PUT", &path(0), &body(number));
        assert_eq!((status, &answer["code"]), (507, &json!("store.failed")), "{answer}");
        let detail = answer["detail"].as_str().expect("words");
        assert!(detail.starts_with("cannot write to ") && detail.contains("the file system is read-only"), "{detail}");
    }
    assert_eq!(found(&process, 0).map(|(number, _)| number), Some(1), "what was acknowledged last is there");
    assert_eq!(process.get("/api/v1/status")["switches"]["byState"]["synced"], 32, "it is still read");
    process.kill();
    disk.unmount().expect("nobody has it open");
    disk.mount().expect("it is sound");
    let process = start(&state);
    assert_eq!(found(&process, 0).map(|(number, _)| number), Some(1), "and is there after a repair and a start");
    let (status, answer) = process.ask("PUT", &path(0), &body(2));
    assert!((200..300).contains(&status), "it writes again: {status} {answer}");
}

#[test]
fn a_state_directory_that_cannot_be_written_is_said_at_the_start() {
    let folder = new_folder();
    let mut command = Command::new(env!("CARGO_BIN_EXE_philae-manager"));
    command.args(["manager", "serve", "--simulated", "--system", "malbec", "--listen", "127.0.0.1:0"]);
    command.args(["--state", "/proc/philae"]);
    let said = Process::spawn(command, folder.path()).err().expect("it must not start");
    assert!(said.contains("error: ") && said.contains("/proc/philae") && !said.contains("panicked"), "{said}");
}
