//! Managers as processes that are killed and stopped: which one may lead then, and what happens to
//! the former leader.
//!
//! The process itself is what is tested here, so these tests run in real time and wait for states,
//! never for a time: what a program finds in its state directory when it starts again, what it
//! answers, logs and exports while it may not lead, and a real etcd that is killed. The rules are
//! tested in simulated time, in `src/availability/histories.rs` and `histories/scripted.rs`.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::common::{eventually, new_folder};
use crate::process::{Process, free_address, policy, silent_standbys};
use rustix::process::Signal;
use serde_json::{Value, json};
use tempfile::TempDir;

fn manager(state: &Path, listen: &str, lease: &str, of: Option<(&[&str], &Path)>, more: &[&str]) -> Process {
    let path = state.to_str().expect("plain");
    let mut arguments = vec!["manager", if of.is_some() { "standby" } else { "serve" }, "--simulated"];
    arguments.extend(["--system", "malbec", "--listen", listen, "--state", path, "--lease", lease]);
    arguments.extend(["--lease-seconds", "3", "--standby-seconds", "1"]);
    arguments.extend(more);
    if let Some((leaders, token)) = of {
        arguments.extend(leaders.iter().flat_map(|leader| ["--of", leader]));
        arguments.extend(["--token-file", token.to_str().expect("plain")]);
    }
    Process::start(&arguments, state)
}

/// Whether a change was acknowledged.
fn put(process: &Process, name: &str) -> bool {
    let answer = process.client().send("PUT", &format!("/api/v1/port-policies/{name}"), &policy(1), &[]);
    answer.is_ok_and(|(status, _)| (200..300).contains(&status))
}

fn has(process: &Process, name: &str) -> bool {
    process.ask("GET", &format!("/api/v1/port-policies/{name}"), &Value::Null).0 == 200
}

fn ready(process: &Process) -> (u16, String) {
    let (status, body) = process.client().send("GET", "/readyz", &Value::Null, &[]).expect("it answers");
    (status, body.as_str().map_or_else(|| body["detail"].to_string(), str::to_owned))
}

const LEADERSHIP: &str = "/api/v1/leadership";

fn usable(process: &Process) {
    process.until(LEADERSHIP, "covered by a standby", |shown| {
        shown["usableStandbys"].as_array().is_some_and(|names| !names.is_empty())
    });
}

#[test]
fn a_standby_that_was_not_in_step_never_leads_and_who_led_last_does() {
    let folder = new_folder();
    let (one, other, token) = (folder.path().join("one"), folder.path().join("other"), folder.path().join("token"));
    let lease = format!("file:{}", folder.path().join("lease").display());
    let (here, there) = (free_address(), free_address());
    let (here_url, there_url) = (format!("http://{here}"), format!("http://{there}"));
    let mut first = manager(&one, &here, &lease, None, &[]);
    std::fs::copy(one.join("admin.token"), &token).expect("a token");
    let second = manager(&other, &there, &lease, Some((&[here_url.as_str()], token.as_path())), &[]);
    usable(&first);
    assert!(put(&first, "together"));
    assert_eq!(first.get(LEADERSHIP)["durability"], "standby");

    second.signal(Signal::STOP);
    for number in 0..3 {
        assert!(put(&first, &format!("old{number}")), "changes go on, on one disk");
    }
    let shown = first.get(LEADERSHIP);
    assert_eq!((&shown["durability"], &shown["usableStandbys"]), (&json!("one-disk"), &json!([])), "{shown}");
    assert!(shown["changesOnOneDisk"].as_u64() >= Some(3), "{shown}");
    let (status, text) = ready(&first);
    assert!(status == 200 && text.contains("no usable standby"), "{status} {text}");
    let alarms = first.get("/api/v1/alarms?limit=1000").to_string();
    assert!(alarms.contains("no usable standby"), "{alarms}");
    let metrics = first.get("/metrics");
    assert!(metrics.as_str().is_some_and(|text| text.contains("philae_takeover_covered 0")), "{metrics}");
    first.kill();
    second.signal(Signal::CONT);
    second.until(LEADERSHIP, "told why not", |shown| {
        shown["whyNot"].as_str().is_some_and(|why| why.contains("did not have every change"))
            && shown["mayTakeOver"] == false
    });
    let shown = second.get(LEADERSHIP);
    assert_eq!((&shown["state"], &shown["mayTakeOver"]), (&json!("follows"), &json!(false)), "{shown}");
    assert_eq!(shown["behindRevisions"], Value::Null, "nobody knows how far: {shown}");
    let (status, text) = ready(&second);
    assert!(status == 503 && text.contains("not a usable standby"), "{status} {text}");
    assert!(!put(&second, "new"), "it takes nothing");
    let (status, refused) = second.ask("POST", "/api/v1/leadership/takeover", &json!({}));
    assert!(
        status == 409 && refused["detail"].as_str().is_some_and(|text| text.contains("--accept-loss")),
        "{refused}"
    );

    // Started as a standby of its own standby: it led last, and leads again.
    let mut first = manager(&one, &here, &lease, Some((&[there_url.as_str()], token.as_path())), &[]);
    first.until(LEADERSHIP, "leading", |shown| shown["state"] == "leads");
    usable(&first);
    assert!(put(&first, "after"));
    for name in ["together", "old0", "old2", "after"] {
        assert!(has(&first, name), "{name}");
    }
    // A standby in step takes over by itself.
    first.kill();
    let begin = Instant::now();
    second.until(LEADERSHIP, "leading", |shown| shown["state"] == "leads");
    println!("the standby led {:.1} s after the kill", begin.elapsed().as_secs_f64());
    for name in ["together", "old0", "old2", "after"] {
        assert!(has(&second, name), "{name}");
    }
}

#[test]
fn a_leader_of_another_history_is_seeded_again_and_its_changes_are_set_aside() {
    let folder = new_folder();
    let (one, other, token) = (folder.path().join("one"), folder.path().join("other"), folder.path().join("token"));
    let lease = format!("file:{}", folder.path().join("lease").display());
    let (here, there) = (free_address(), free_address());
    let (here_url, there_url) = (format!("http://{here}"), format!("http://{there}"));
    let mut first = manager(&one, &here, &lease, None, &[]);
    std::fs::copy(one.join("admin.token"), &token).expect("a token");
    let mut second = manager(&other, &there, &lease, Some((&[here_url.as_str()], token.as_path())), &[]);
    usable(&first);
    second.signal(Signal::STOP);
    silent_standbys(&first);
    for number in 0..2 {
        assert!(put(&first, &format!("old{number}")));
    }
    first.kill();
    second.signal(Signal::CONT);
    // An operator accepts the loss.
    let took = eventually("the standby takes over by order", || {
        let (status, took) = second.ask("POST", "/api/v1/leadership/takeover", &json!({ "acceptLoss": true }));
        (status == 200).then_some(took)
    });
    assert_eq!(took["complete"], false, "{took}");
    second.until(LEADERSHIP, "leading", |shown| shown["state"] == "leads");
    for number in 0..4 {
        assert!(put(&second, &format!("new{number}")), "it leads");
    }
    let first = manager(&one, &here, &lease, Some((&[there_url.as_str()], token.as_path())), &[]);
    usable(&second);
    let shown = first.until(LEADERSHIP, "in step", |shown| shown["mayTakeOver"] == true);
    assert_eq!(shown["state"], "follows", "{shown}");
    let aside = shown["setAside"][0].as_str().expect("a folder").to_owned();
    let named = std::fs::read_to_string(one.join("aside").join(&aside).join("changes.json")).expect("what it lost");
    assert!(named.contains("old0") && named.contains("old1") && !named.contains("new0"), "{named}");
    assert!(one.join("aside").join(&aside).join("store.backup").exists());
    let alarms = first.get("/api/v1/alarms?limit=1000").to_string();
    assert!(alarms.contains(&aside), "{alarms}");
    assert!(first.said.lock().expect("no panic").contains("set aside"), "the log names it");
    assert!(!has(&first, "old0") && has(&first, "new3"));
    // The manager with the other history is in step now, and loses nothing.
    assert!(put(&second, "last"));
    second.kill();
    first.until(LEADERSHIP, "leading", |shown| shown["state"] == "leads");
    for name in ["new0", "new3", "last"] {
        assert!(has(&first, name), "{name}");
    }
}

/// An etcd of one member, and its address.
pub struct Etcd(std::process::Child, pub String);

impl Drop for Etcd {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An etcd of one member; `None` if this machine has no etcd.
pub fn etcd(folder: &TempDir, clients: &str, peers: &str) -> Option<Etcd> {
    let etcd = etcd_with(folder, &format!("http://{clients}"), peers, &[])?;
    eventually("etcd answers", || ureq::get(format!("{}/health", etcd.1)).call().ok());
    Some(etcd)
}

fn etcd_with(folder: &TempDir, clients: &str, peers: &str, more: &[&str]) -> Option<Etcd> {
    let peers = format!("http://{peers}");
    let started = Command::new("etcd")
        .args(more)
        .args(["--listen-client-urls", clients, "--advertise-client-urls", clients])
        .args(["--listen-peer-urls", &peers, "--initial-advertise-peer-urls", &peers])
        .args(["--initial-cluster", &format!("default={peers}"), "--data-dir"])
        .arg(folder.path().join("data"))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn();
    match started {
        Ok(etcd) => Some(Etcd(etcd, clients.to_owned())),
        Err(error) => {
            eprintln!("skipped: there is no etcd here ({error}); Debian has it as etcd-server");
            None
        }
    }
}

/// An authority, a certificate of it for this machine, and another one for a client; in files.
fn proofs(folder: &TempDir) -> [String; 5] {
    use rcgen::{BasicConstraints, CertificateParams, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair};
    let write = |name: &str, text: String| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("there is room");
        path.to_str().expect("plain").to_owned()
    };
    let key = KeyPair::generate().expect("random numbers");
    let mut parameters = CertificateParams::new(Vec::new()).expect("no names");
    parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let root = parameters.self_signed(&key).expect("it signs");
    let issuer = Issuer::new(parameters, key);
    let make = |usages: &[ExtendedKeyUsagePurpose]| {
        let key = KeyPair::generate().expect("random numbers");
        let mut parameters = CertificateParams::new(vec!["127.0.0.1".to_owned()]).expect("a name");
        parameters.extended_key_usages = usages.to_vec();
        (parameters.signed_by(&key, &issuer).expect("it signs").pem(), key.serialize_pem())
    };
    // The gateway of an etcd is a client of it and shows the same certificate.
    let (server, server_key) = make(&[ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth]);
    let (client, client_key) = make(&[ExtendedKeyUsagePurpose::ClientAuth]);
    [
        write("roots.pem", root.pem()),
        write("server.pem", server),
        write("server.key", server_key),
        write("client.pem", client),
        write("client.key", client_key),
    ]
}

#[test]
fn a_lease_in_an_etcd_with_tls_is_taken_by_who_shows_a_certificate() {
    let folder = new_folder();
    let [roots, server, server_key, client, client_key] = proofs(&folder);
    let url = format!("https://{}", free_address());
    let tls = ["--cert-file", &server, "--key-file", &server_key, "--client-cert-auth", "--trusted-ca-file", &roots];
    let Some(_etcd) = etcd_with(&folder, &url, &free_address(), &tls) else { return };
    let lease = format!("etcd:{url}");
    let state = folder.path().join("state");
    let start = |proof: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_philae-manager"));
        command.args(["manager", "serve", "--simulated", "--system", "malbec", "--listen", "127.0.0.1:0"]);
        command.args(["--lease", &lease, "--lease-seconds", "3", "--state"]).arg(&state).args(proof);
        Process::spawn(command, &state)
    };
    let said = start(&[]).err().expect("nothing proves that etcd");
    assert!(said.contains("--lease-ca"), "{said}");
    let all = ["--lease-ca", &roots, "--lease-certificate", &client, "--lease-key", &client_key];
    // etcd may need a moment to listen.
    // A manager that waits for its etcd has no first token before that.
    let leader = eventually("a manager has its lease in that etcd", || {
        start(&all).ok().filter(|leader| !leader.token.is_empty())
    });
    leader.until(LEADERSHIP, "leading", |shown| shown["state"] == "leads");
    assert!(put(&leader, "kept"));
    drop(leader);
    // Without a certificate it waits, and says why.
    let waits = start(&["--lease-ca", &roots]).unwrap_or_else(|said| panic!("{said}"));
    let (status, text) = ready(&waits);
    assert!(status == 503 && text.contains("the lease at https://"), "{status} {text}");
}

#[test]
fn a_manager_that_starts_before_its_etcd_answers_reads_and_leads_when_it_is_there() {
    let folder = new_folder();
    let (clients, peers, state) = (free_address(), free_address(), folder.path().join("state"));
    let Some(service) = etcd(&folder, &clients, &peers) else { return };
    let lease = format!("etcd:{}", service.1);
    let mut leader = manager(&state, "127.0.0.1:0", &lease, None, &[]);
    assert!(put(&leader, "before"));
    leader.kill();
    drop(service);
    let early = manager(&state, "127.0.0.1:0", &lease, None, &[]);
    assert_eq!(early.ask("GET", "/livez", &Value::Null).0, 200);
    let (status, text) = ready(&early);
    assert!(status == 503 && text.contains("waits for its lease") && text.contains(&clients), "{status} {text}");
    assert!(has(&early, "before"), "documents are read");
    assert!(!put(&early, "refused"), "without a lease nothing is acknowledged");
    assert_eq!(early.get(LEADERSHIP)["state"], "waits-for-lease");
    let told = early.until("/api/v1/alarms", "told", |alarms| alarms.to_string().contains("waits for its lease"));
    assert_eq!(told["items"][0]["health"], "UNHEALTHY", "{told}");
    let _service = etcd(&folder, &clients, &peers).expect("it was there before");
    early.until(LEADERSHIP, "leading", |shown| shown["state"] == "leads");
    early.until("/api/v1/status", "synced", |status| status["switches"]["byState"]["synced"] == 32);
    assert!(put(&early, "after") && has(&early, "before"));
}

#[test]
fn three_managers_and_etcd_lose_nothing_while_leaders_are_killed_and_etcd_is() {
    let kills = std::env::var("PHILAE_FAILOVER_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(1_usize);
    let folder = new_folder();
    let (clients, peers) = (free_address(), free_address());
    let Some(service) = etcd(&folder, &clients, &peers) else { return };
    let (lease, token) = (format!("etcd:{}", service.1), folder.path().join("token"));
    let states = ["one", "two", "three"].map(|name| folder.path().join(name));
    let addresses = [free_address(), free_address(), free_address()];
    let urls = addresses.clone().map(|address| format!("http://{address}"));
    let others = |own: usize| -> Vec<&str> {
        urls.iter().enumerate().filter(|(number, _)| *number != own).map(|(_, url)| url.as_str()).collect()
    };
    let first = manager(&states[0], &addresses[0], &lease, None, &[]);
    std::fs::copy(states[0].join("admin.token"), &token).expect("a token");
    let begin = |number: usize| {
        let others = others(number);
        let of = (others.as_slice(), token.as_path());
        manager(&states[number], &addresses[number], &lease, Some(of), &[])
    };
    let mut running = [first, begin(1), begin(2)];
    let leads = |running: &[Process]| {
        running.iter().position(|process| {
            let asked = process.client().send("GET", LEADERSHIP, &Value::Null, &[]);
            asked.is_ok_and(|(_, shown)| shown["state"] == "leads")
        })
    };
    let mut acknowledged = Vec::new();
    let mut written = 0;
    let mut write = |running: &[Process], leader: usize, count: usize| {
        for _ in 0..count {
            written += 1;
            let name = format!("p{written}");
            if put(&running[leader], &name) {
                acknowledged.push(name);
            }
        }
    };
    let mut slowest = 0.0_f64;
    for _ in 0..kills {
        let leader = leads(&running).expect("one leads");
        running[leader].until(LEADERSHIP, "covered twice", |shown| {
            shown["usableStandbys"].as_array().is_some_and(|names| names.len() == 2)
        });
        write(&running, leader, 25);
        running[leader].kill();
        let begun = Instant::now();
        let next = eventually("another manager leads", || leads(&running));
        slowest = slowest.max(begun.elapsed().as_secs_f64());
        write(&running, next, 10);
        running[leader] = begin(leader);
    }
    // etcd is away for longer than the lease: the leader steps down in time, and one manager leads
    // again when it is back.
    let leader = leads(&running).expect("one leads");
    usable(&running[leader]);
    drop(service);
    running[leader].until(LEADERSHIP, "stepped down", |shown| shown["state"] != "leads");
    assert!(!put(&running[leader], "unleased"), "without a lease nothing is acknowledged");
    let service = etcd(&folder, &clients, &peers).expect("it was there before");
    let next = eventually("a manager leads after etcd is back", || leads(&running));
    write(&running, next, 5);
    running[next].until(LEADERSHIP, "covered twice", |shown| {
        shown["usableStandbys"].as_array().is_some_and(|names| names.len() == 2)
    });
    let lost: Vec<&String> = acknowledged.iter().filter(|name| !has(&running[next], name)).collect();
    println!("{kills} kills, {} acknowledged, slowest takeover {slowest:.1} s", acknowledged.len());
    assert!(lost.is_empty(), "acknowledged and gone: {lost:?}");
    assert!(acknowledged.len() > 25 * kills, "{}", acknowledged.len());
    drop(service);
}
