//! Agents in processes of their own, over real sockets: agents survive the end of a manager, and a
//! manager survives misbehaving agents.

use crate::programs;
use std::io::Write;
use std::time::Duration;

use crate::common::new_folder;
use crate::programs::{Service, agents, all_synced, done, fabric, join_token, synced, text, wait_for};
use philae_agent::{EqualItems, FromAgent, FromBody, Hello, PROTOCOL, PortReport, PortReports, SectionState};
use philae_agent_rpc::{AgentClient, AgentClientError, LinkSettings, unix_seconds};
use serde_json::Value;
use tempfile::TempDir;

fn json(folder: &TempDir, url: &str, arguments: &[&str]) -> Value {
    let mut all = arguments.to_vec();
    all.extend(["-o", "json"]);
    serde_json::from_str(&done(&fabric(folder, url, &all))).expect("JSON")
}

/// A port of a link between groups.
fn global_port(folder: &TempDir, url: &str) -> String {
    let links = json(folder, url, &["show", "links"]);
    let items = links["items"].as_array().or_else(|| links.as_array()).expect("a list").clone();
    let global = items.iter().find(|link| link["role"] == "global").expect("a dragonfly has global links");
    global["name"].as_str().expect("a name").to_owned()
}

fn hash(folder: &TempDir, url: &str, switch: &str) -> Value {
    json(folder, url, &["show", "switches", switch])["sections"][0]["observedHash"].clone()
}

#[test]
fn a_fabric_comes_up_over_the_wire_and_outlives_its_manager() {
    let folder = new_folder();
    let listen = ["--agents-listen", "127.0.0.1:0"];
    let service = Service::start(&folder, &listen);
    let address = service.agents.clone().expect("it listens for agents");
    let token = join_token(&folder, &service.url, "join");
    let mut agents = agents(&folder, &address, &token, &["--orders"]);
    let mut orders = agents.orders();
    all_synced(&folder, &service.url);
    let switch = "x1000c0r1b0";
    let before = hash(&folder, &service.url, switch);
    let generation = json(&folder, &service.url, &["status"])["routes"]["generation"].clone();
    // The manager dies. The agents continue and connect to the next one, which finds everything in
    // order.
    drop(service);
    let again = Service::start(&folder, &["--agents-listen", &address]);
    all_synced(&folder, &again.url);
    assert_eq!(hash(&folder, &again.url, switch), before, "switches forward by what they had");
    assert_eq!(generation, 1);
    // Events of the fabric reach the manager, which reacts.
    let port = global_port(&folder, &again.url);
    writeln!(orders, "cut {port}").expect("it takes orders");
    wait_for("the link is gone", || {
        let status = json(&folder, &again.url, &["status"]);
        (status["links"]["carrying"].as_u64()? + 1 == status["links"]["total"].as_u64()?).then_some(())
    });
    all_synced(&folder, &again.url);
    writeln!(orders, "off {switch}").expect("it takes orders");
    wait_for("the switch is gone", || (synced(&folder, &again.url) == 31).then_some(()));
    writeln!(orders, "on {switch}").expect("it takes orders");
    all_synced(&folder, &again.url);
    // This process cannot carry out orders to simulated cables.
    let refused = fabric(&folder, &again.url, &["do", &format!("simulation/links/{port}"), "mend"]);
    assert!(text(&refused.stderr).contains("philae agent --orders"), "{}", text(&refused.stderr));
}

#[test]
fn a_manager_with_a_lower_epoch_is_refused() {
    let folder = new_folder();
    let first = Service::start(&folder, &["--agents-listen", "127.0.0.1:0"]);
    let address = first.agents.clone().expect("it listens for agents");
    let token = join_token(&folder, &first.url, "join");
    let agents = agents(&folder, &address, &token, &[]);
    all_synced(&folder, &first.url);
    drop(first);
    // A copy of the state, like a restored backup, and a manager that has continued since then.
    let old = new_folder();
    let copied = std::process::Command::new("cp")
        .arg("-r")
        .arg(folder.path().join("manager"))
        .arg(old.path().join("manager"))
        .status();
    assert!(copied.expect("there is cp").success());
    for _ in 0..2 {
        let next = Service::start(&folder, &["--agents-listen", &address]);
        all_synced(&folder, &next.url);
    }
    let stale = Service::start(&old, &["--agents-listen", &address, "--log", "json"]);
    stale.running.line_with("agents obey another manager");
    let ready = programs::ask("GET", &format!("{}/readyz", stale.url), None, &Value::Null);
    assert_eq!((ready.status, ready.body["code"].as_str()), (503, Some("manager.fenced")));
    assert_eq!(synced(&old, &stale.url), 0, "nobody takes its orders");
    drop(stale);
    let newest = Service::start(&folder, &["--agents-listen", &address]);
    all_synced(&folder, &newest.url);
    drop(agents);
}

#[test]
fn certificates_are_rotated_without_a_loss_and_revoked_with_one() {
    let folder = new_folder();
    let service = Service::start(&folder, &["--agents-listen", "127.0.0.1:0"]);
    let address = service.agents.clone().expect("it listens for agents");
    let token = join_token(&folder, &service.url, "join");
    let agents = agents(&folder, &address, &token, &[]);
    all_synced(&folder, &service.url);
    // A join token works once.
    let other = new_folder();
    let thief = programs::agents(&other, &address, &token, &[]);
    assert!(thief.line_with("error").contains("used before"), "{}", thief.said());
    let rotated = done(&fabric(&folder, &service.url, &["certificates", "rotate"]));
    assert!(rotated.contains("root 2 signs now; 32 agents"), "{rotated}");
    let early = fabric(&folder, &service.url, &["certificates", "retire"]);
    let early = text(&early.stderr);
    wait_for("the agents have renewed", || {
        fabric(&folder, &service.url, &["certificates", "retire"]).status.success().then_some(())
    });
    assert!(early.is_empty() || early.contains("have not renewed"), "{early}");
    // New streams, with certificates of the new root, replace the old ones; no switch is lost
    // meanwhile.
    let in_use = |root: u64| {
        let list = json(&folder, &service.url, &["certificates"]);
        let items = list["items"].as_array().expect("a list").iter();
        items.filter(|item| item["inUse"] == true && item["root"] == root).count()
    };
    wait_for("the new certificate is in use, and the old one is not", || {
        let states = json(&folder, &service.url, &["status"])["switches"]["byState"].clone();
        assert_eq!(states["unreachable"].as_u64().unwrap_or(0), 0, "streams go on: {states}");
        (in_use(2) == 1 && in_use(1) == 0).then_some(())
    });
    let events = json(&folder, &service.url, &["events", "--since", "1h", "--types", "device"]);
    assert!(!events.to_string().contains("unreachable"), "no switch was missed: {events}");
    // The manager restarts with a certificate of the new root, which agents know.
    drop(service);
    let service = Service::start(&folder, &["--agents-listen", &address]);
    all_synced(&folder, &service.url);
    let list = json(&folder, &service.url, &["certificates"]);
    assert_eq!((&list["root"], &list["rootsBelieved"]), (&Value::from(2), &Value::from(1)), "{list}");
    let used = list["items"].as_array().expect("a list").iter().find(|item| item["inUse"] == true);
    let serial = used.expect("agents are connected")["serial"].as_str().expect("a number").to_owned();
    let revoked = done(&fabric(&folder, &service.url, &["certificates", "revoke", &serial]));
    assert!(revoked.contains("32 streams closed"), "{revoked}");
    wait_for("all agents are gone", || (synced(&folder, &service.url) == 0).then_some(()));
    let status = wait_for("they knock and are refused", || {
        let status = json(&folder, &service.url, &["status"]);
        (status["health"]["security"]["word"] == "DEGRADED").then_some(status)
    });
    let cause = status["health"]["security"]["causes"][0].as_str().expect("a cause").to_owned();
    assert!(cause.contains("refused") && cause.contains("revoked"), "{cause}");
    drop(agents);
}

#[test]
fn agents_that_misbehave_by_a_seed_do_not_hold_up_the_others() {
    let folder = new_folder();
    let service = Service::start(&folder, &["--agents-listen", "127.0.0.1:0"]);
    let address = service.agents.clone().expect("it listens for agents");
    let token = join_token(&folder, &service.url, "join");
    let faults =
        ["--seed", "7", "--lying", "10", "--silent", "10", "--slow", "10", "--latency-ms", "20", "--streams", "8"];
    let _agents = agents(&folder, &address, &token, &faults);
    let states = wait_for("those that can are synchronised", || {
        let states = json(&folder, &service.url, &["status"])["switches"]["byState"].clone();
        let bad = states["degraded"].as_u64()? + states["quarantined"].as_u64()?;
        (bad > 0 && states["synced"].as_u64()? >= 16).then_some(states)
    });
    assert_ne!(states["synced"], 32, "this seed has switches that cannot be: {states}");
}

/// A connection of the test's own, with a certificate for all switches.
async fn own_client(folder: &TempDir, service: &Service) -> AgentClient {
    let file = join_token(folder, &service.url, "join-hostile");
    let text = std::fs::read_to_string(file).expect("it was written");
    let mut lines = text.splitn(3, '\n');
    let switches = lines.next().and_then(|line| line.strip_prefix("switches ")).expect("a pattern").to_owned();
    let token = lines.next().and_then(|line| line.strip_prefix("token ")).expect("a token").to_owned();
    let roots = lines.next().expect("roots").to_owned();
    let address = service.agents.as_deref().expect("it listens").parse().expect("an address");
    let settings = LinkSettings::default();
    let client = AgentClient::anonymous(address, &roots, settings).await.expect("it is the manager");
    let identity = client.join(&token, &switches).await.expect("its token");
    assert!(philae_agent_rpc::end_of(&identity.certificate).is_some_and(|end| end > unix_seconds()));
    AgentClient::connect(address, &identity, settings).await.expect("it is known")
}

fn hello(name: &str) -> FromAgent {
    FromBody::Hello(Hello { name: name.to_owned(), protocol: PROTOCOL, ..Hello::default() }).into()
}

fn reports(ports: usize, number: u64) -> FromAgent {
    let report =
        |port: usize| PortReport { port: port as u32, state: (number % 7) as u32, neighbour: 1, losses: number as u32 };
    FromBody::Ports(PortReports { number, ports: (0..ports).map(report).collect() }).into()
}

#[test]
fn a_hostile_agent_does_not_stop_the_judge() {
    let folder = new_folder();
    let service = Service::start(&folder, &["--agents-listen", "127.0.0.1:0"]);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("threads");
    runtime.block_on(async {
        let client = own_client(&folder, &service).await;
        // A message that no switch sends closes its stream and nothing else.
        for (message, words) in [
            (reports(65, 1), "64 are the limit"),
            (
                FromBody::Hello(Hello { name: "x1000c0r1b0".to_owned(), model: "m".repeat(2_000), ..Hello::default() })
                    .into(),
                "1024 are",
            ),
        ] {
            let mut stream = client.attend(&hello("x1000c0r1b0")).await.expect("it is admitted");
            let _ = stream.send(&message).await;
            let closed = loop {
                match stream.next().await {
                    Ok(_) => {}
                    Err(error) => break error,
                }
            };
            assert!(matches!(&closed, AgentClientError::Closed(status) if status.message.contains(words)), "{closed}");
        }
        // A switch of another fabric gets that answer.
        let mut stream = client.attend(&hello("x9999c7r7b7")).await.expect("its name is covered");
        let closed = stream.next().await.expect_err("there is no such switch");
        assert!(closed.to_string().contains("no switch x9999c7r7b7"), "{closed}");
        // Other agents flood: endless port changes, answers without a question, large states that
        // the manager did not request.
        let flood = (0..4).map(|number| {
            let name = format!("x1000c{number}r1b0");
            let (client, manager_name) = (&client, name.clone());
            async move {
                let mut stream = client.attend(&hello(&manager_name)).await.expect("it is admitted");
                for round in 0_u64.. {
                    let items = vec![EqualItems { keys: vec![1; 100], value: vec![7; 500_000], drop: false }];
                    let large = FromBody::State(SectionState { request: round, section: 1, hash: 0, items }).into();
                    let message = if round % 50 == 0 { large } else { reports(64, round) };
                    if stream.send(&message).await.is_err() {
                        return;
                    }
                }
            }
        });
        let flood = async {
            let mut floods: Vec<_> = flood.map(Box::pin).collect();
            std::future::poll_fn(|context| {
                floods.retain_mut(|flood| flood.as_mut().poll(context).is_pending());
                if floods.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
            })
            .await;
        };
        let honest = async {
            // Meanwhile the API answers and well-behaved switches come up.
            let token = join_token(&folder, &service.url, "join");
            let address = service.agents.clone().expect("it listens for agents");
            let honest = ["--switches", "x1001c*r*b*"];
            let state = folder.path().join("agent");
            let (state, token) = (state.to_str().expect("plain").to_owned(), token.to_str().expect("plain").to_owned());
            let folder_ref = &folder;
            let running = {
                let mut all = vec![
                    "agent",
                    "--system",
                    "malbec",
                    "--manager",
                    &address,
                    "--state",
                    &state,
                    "--join-token-file",
                    &token,
                ];
                all.extend(honest);
                programs::Running::start(folder_ref, &all)
            };
            let known = running.line_with("switches of malbec");
            let count: u64 = known.split_whitespace().next().and_then(|word| word.parse().ok()).expect("a number");
            assert!(count > 0, "{known}");
            loop {
                if synced(&folder, &service.url) >= count {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let honest = tokio::time::timeout(Duration::from_secs(120), honest);
        tokio::select! {
            () = flood => panic!("a flood that reports no nonsense is borne"),
            done = honest => done.expect("well-behaved switches are synchronised in spite of it"),
        }
    });
}

/// Bytes of a fixed generator: the test is the same each time.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}

#[test]
fn a_service_bears_any_bytes_on_the_agents_port_and_after_a_hello() {
    let folder = new_folder();
    let service = Service::start(&folder, &["--agents-listen", "127.0.0.1:0"]);
    let address = service.agents.clone().expect("it listens for agents");
    let mut noise = Noise(7);
    for _ in 0..50 {
        // Before TLS: the other end may close during the write.
        let mut raw = std::net::TcpStream::connect(&address).expect("it listens");
        let bytes: Vec<u8> = (0..noise.next() % 4_000).map(|_| noise.next() as u8).collect();
        let _ = raw.write_all(&bytes);
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a thread");
    runtime.block_on(async {
        let client = own_client(&folder, &service).await;
        for round in 0..300 {
            let name = format!("x1000c{}r1b0", round % 8);
            let Ok(mut stream) = client.attend(&hello(&name)).await else { continue };
            let mut bytes =
                philae_agent_rpc::encode(&reports(usize::try_from(round % 64).expect("small"), round)).to_vec();
            for _ in 0..noise.next() % 6 {
                let at = noise.next() as usize % bytes.len();
                bytes[at] = noise.next() as u8;
            }
            if noise.next().is_multiple_of(4) {
                bytes.truncate(noise.next() as usize % bytes.len());
            }
            // Whatever happens to this stream, the manager continues.
            let _ = stream.send_bytes(bytes.into()).await;
            let _ = stream.finish();
        }
    });
    let token = join_token(&folder, &service.url, "join");
    let _agents = agents(&folder, &address, &token, &[]);
    all_synced(&folder, &service.url);
    assert!(!service.running.said().contains("panicked"), "{}", service.running.said());
}
