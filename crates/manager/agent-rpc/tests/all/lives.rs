//! Certificates with short lives: streams end with them, and agents that renew do not notice.

use std::sync::Arc;
use std::time::Duration;

use crate::common::{NAME, hello, new_directory, status};
use philae_agent::{Numbered, SimulatedFabric};
use philae_agent_rpc::{
    AgentClient, Authority, CaSettings, CertifiedKey, GrpcCode, LinkEvent, LinkSettings, Listener, PeerIdentity,
    RefusedCall, Role, certificates, make_request, run_agents, unix_seconds,
};
use philae_route_tables::FabricWiring;
use philae_topology::{DragonflyDescription, Topology};

/// An authority whose certificates live for `life_s` seconds, and a manager that renews no expired
/// ones.
async fn manager(life_s: u64) -> (tempfile::TempDir, Arc<Authority>, Listener, tokio::sync::mpsc::Receiver<LinkEvent>) {
    manager_with(life_s, 0).await
}

async fn manager_with(
    life_s: u64,
    grace_s: u64,
) -> (tempfile::TempDir, Arc<Authority>, Listener, tokio::sync::mpsc::Receiver<LinkEvent>) {
    let directory = new_directory();
    let settings = CaSettings { life_s, skew_s: 1, grace_s, ..CaSettings::default() };
    let authority =
        Authority::open(&directory.path().join("ca"), "test", settings, unix_seconds()).expect("a new authority");
    let authority = Arc::new(authority);
    let address = "127.0.0.1:0".parse().expect("an address");
    let (listener, events) =
        Listener::bind(address, Arc::clone(&authority), LinkSettings::default()).await.expect("a free port");
    (directory, authority, listener, events)
}

async fn event(events: &mut tokio::sync::mpsc::Receiver<LinkEvent>) -> LinkEvent {
    let event = tokio::time::timeout(Duration::from_secs(60), events.recv()).await;
    event.expect("an event in a minute").expect("the listener is there")
}

#[tokio::test]
async fn a_stream_ends_with_its_certificate() {
    let (_directory, authority, listener, mut events) = manager(3).await;
    let identity = authority.issue(&Role::Agent(vec![NAME.to_owned()]), unix_seconds()).expect("a certificate");
    let client = AgentClient::connect(listener.address(), &identity, LinkSettings::default()).await.expect("in time");
    let mut stream = client.attend(&hello(NAME)).await.expect("it is admitted");
    let closed = status(stream.next().await.expect_err("nobody sends anything"));
    assert_eq!(closed.code, GrpcCode::PermissionDenied);
    assert!(closed.message.contains("has ended"), "{closed:?}");
    let end = loop {
        if let LinkEvent::Disconnected { reason, .. } = event(&mut events).await {
            break reason;
        }
    };
    assert!(end.contains("has ended"), "{end}");
    let again = client.attend(&hello(NAME)).await;
    let error = match again {
        Ok(mut stream) => stream.next().await.expect_err("it has ended"),
        Err(error) => error,
    };
    assert_eq!(status(error).code, GrpcCode::PermissionDenied);
    assert!(listener.refused().0 > 0, "who knocks with it is noted");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agents_outlive_many_certificates() {
    let (_directory, authority, listener, mut events) = manager(6).await;
    let topology = Topology::build(&DragonflyDescription::uniform(2, 2, 2, 1).into()).expect("it fits 64 ports");
    let fabric = SimulatedFabric::new(Arc::new(FabricWiring::of(&topology).expect("64 ports")), Arc::new(Numbered));
    let role = Role::Agent(vec!["x1000c0r*b0".to_owned()]);
    let identity = authority.issue(&role, unix_seconds()).expect("a certificate");
    let first = identity.certificate.clone();
    let _running = run_agents(fabric, listener.address(), identity, LinkSettings::default());
    // Each of four agents connects with three certificates, one after the other.
    let mut serials = std::collections::BTreeMap::<String, std::collections::BTreeSet<String>>::new();
    while serials.len() < 4 || serials.values().any(|seen| seen.len() < 3) {
        match event(&mut events).await {
            LinkEvent::Connected { switch, peer } => {
                serials.entry(switch.to_string()).or_default().insert(peer.serial.clone());
            }
            LinkEvent::Disconnected { reason, .. } => {
                assert!(!reason.contains("has ended"), "it gives way before its certificate ends: {reason}");
            }
            LinkEvent::Message { .. } => {}
        }
    }
    assert!(!first.is_empty());
    assert_eq!(listener.refused().0, 0);
}

#[tokio::test]
async fn an_agent_that_is_asked_renews_and_keeps_its_stream() {
    let (_directory, authority, listener, mut events) = manager(86_400).await;
    let topology = Topology::build(&DragonflyDescription::uniform(2, 2, 2, 1).into()).expect("it fits 64 ports");
    let fabric = SimulatedFabric::new(Arc::new(FabricWiring::of(&topology).expect("64 ports")), Arc::new(Numbered));
    let role = Role::Agent(vec!["x1000c0r*b0".to_owned()]);
    let identity = authority.issue(&role, unix_seconds()).expect("a certificate");
    let first = identity.certificate.clone();
    let settings = LinkSettings { backoff_most: Duration::from_millis(200), ..LinkSettings::default() };
    let running = run_agents(fabric, listener.address(), identity, settings);
    let mut connected = 0;
    while connected < 4 {
        connected += usize::from(matches!(event(&mut events).await, LinkEvent::Connected { .. }));
    }
    assert_eq!(authority.rotate(unix_seconds()).expect("it is written"), 2);
    assert_eq!(listener.links().ask_to_renew(), 4);
    while running.identity().certificate == first {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(running.identity().roots, authority.roots(), "it learns the new root");
    assert_eq!(listener.links().connected(), 4);
    while let Ok(event) = events.try_recv() {
        assert!(!matches!(event, LinkEvent::Disconnected { .. }), "{event:?}");
    }
    let count = authority.expiring(unix_seconds(), u64::MAX).expect("the record");
    let agents = count.iter().filter(|issued| issued.names[0].contains("/agents/")).count();
    assert_eq!(agents, 2, "four that were asked at once renew one certificate once");
}

/// Waits until the last refusal is the wanted one: a client may know of it before the listener
/// notes it.
async fn refusal(listener: &Listener, is_wanted: impl Fn(&RefusedCall) -> bool) -> RefusedCall {
    for _ in 0..6_000 {
        if let Some(last) = listener.refused().1.pop().filter(|last| is_wanted(last)) {
            return last;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{:?}", listener.refused());
}

#[tokio::test]
async fn whose_certificate_has_ended_is_told_and_only_of_our_own_authority() {
    let (_directory, authority, listener, _events) = manager(60).await;
    let (_other_directory, foreign, _other, _foreign_events) = manager(60).await;
    let roots = authority.issue(&Role::Agent(vec![NAME.to_owned()]), unix_seconds()).expect("a certificate").roots;
    for (count, (signer, told)) in (1..).zip([(&authority, true), (&foreign, false)]) {
        let before = signer.issue(&Role::Agent(vec![NAME.to_owned()]), unix_seconds() - 3_600).expect("a certificate");
        let identity = CertifiedKey { roots: roots.clone(), ..before };
        // The client's end may believe that it is connected: TLS 1.3 refuses afterwards.
        if let Ok(client) = AgentClient::connect(listener.address(), &identity, LinkSettings::default()).await {
            client.attend(&hello(NAME)).await.expect_err("its certificate has ended");
        }
        let last = refusal(&listener, |_| listener.refused().0 == count).await;
        assert_eq!(
            last.ended.as_ref().map(|(names, _)| names.clone()),
            told.then(|| vec![NAME.to_owned()]),
            "{last:?}"
        );
    }
    // An agent of another fabric does not accept the manager's certificate.
    let stranger = foreign.issue(&Role::Agent(vec![NAME.to_owned()]), unix_seconds()).expect("a certificate");
    AgentClient::connect(listener.address(), &stranger, LinkSettings::default()).await.expect_err("another authority");
    refusal(&listener, |last| last.why.contains("another authority")).await;
}

const DAY: u64 = 86_400;

/// An agent's certificate, issued `ago_s` seconds ago.
fn of_before(authority: &Authority, name: &str, ago_s: u64) -> CertifiedKey {
    authority.issue(&Role::Agent(vec![name.to_owned()]), unix_seconds() - ago_s).expect("a certificate")
}

fn peer(identity: &CertifiedKey) -> PeerIdentity {
    PeerIdentity::of(&certificates(&identity.certificate).expect("PEM")[0]).expect("it was made here")
}

/// The result of an attempt to renew.
async fn renewed(listener: &Listener, identity: &CertifiedKey) -> Result<CertifiedKey, String> {
    let client = AgentClient::connect(listener.address(), identity, LinkSettings::default()).await;
    let client = client.map_err(|error| error.to_string())?;
    client.renew().await.map_err(|error| error.to_string())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_whose_switch_was_off_for_days_renews_by_its_key() {
    let (_directory, authority, listener, mut events) = manager_with(DAY, 30 * DAY).await;
    let topology = Topology::build(&DragonflyDescription::uniform(2, 2, 2, 1).into()).expect("it fits 64 ports");
    let fabric = SimulatedFabric::new(Arc::new(FabricWiring::of(&topology).expect("64 ports")), Arc::new(Numbered));
    let before = of_before(&authority, "x1000c0r*b0", 20 * DAY);
    let old = peer(&before).serial;
    let running = run_agents(fabric, listener.address(), before.clone(), LinkSettings::default());
    loop {
        if let LinkEvent::Connected { peer, .. } = event(&mut events).await {
            assert_ne!(peer.serial, old, "nothing is said with a certificate that has ended");
            assert!(peer.not_after > unix_seconds());
            break;
        }
    }
    assert_ne!(running.identity().certificate, before.certificate);
    assert!(authority.is_revoked(&old), "the new one is used: the one before is worth nothing any more");
    let error = renewed(&listener, &before).await.expect_err("it is revoked");
    assert!(error.contains("revoked"), "{error}");
}

#[tokio::test]
async fn after_the_end_only_the_last_certificate_of_a_line_is_renewed() {
    let (_directory, authority, listener, _events) = manager_with(DAY, 30 * DAY).await;
    let (ours, other) = ("x1000c0r1b0", "x1000c0r2b0");
    // It expired too long ago: it does not even get a connection.
    let error = renewed(&listener, &of_before(&authority, ours, 40 * DAY)).await.expect_err("40 days ago");
    assert!(!error.contains("renewed"), "{error}");
    // It was revoked, after its expiry too.
    let revoked = of_before(&authority, ours, 3 * DAY);
    authority.revoke(&peer(&revoked).serial, peer(&revoked).not_after).expect("it is written");
    authority.clean(unix_seconds()).expect("it is written");
    let error = renewed(&listener, &revoked).await.expect_err("it is revoked");
    assert!(error.contains("revoked"), "{error}");
    // Another certificate has replaced it.
    let first = of_before(&authority, ours, 5 * DAY);
    let (_, request) = make_request().expect("a key");
    authority.renew(&peer(&first), &request, unix_seconds() - 4 * DAY - 3_600).expect("in time");
    let error = renewed(&listener, &first).await.expect_err("it is not the last");
    assert!(error.contains("another one"), "{error}");
    // The key of another switch: it proves nothing about this one, and renews only its own.
    let (one, two) = (of_before(&authority, ours, 2 * DAY), of_before(&authority, other, 2 * DAY));
    let mixed = CertifiedKey { key: two.key.clone(), ..one.clone() };
    renewed(&listener, &mixed).await.expect_err("the key is another one's");
    let own = renewed(&listener, &two).await.expect("its own");
    assert_eq!(peer(&own).role, Role::Agent(vec![other.to_owned()]));
    // The answer was lost and the agent asks again; the earlier replacement is then void.
    let again = renewed(&listener, &two).await.expect("nobody has used the first");
    let client = AgentClient::connect(listener.address(), &again, LinkSettings::default()).await.expect("it counts");
    let _stream = client.attend(&hello(other)).await.expect("it is admitted");
    assert!(authority.is_revoked(&peer(&own).serial) && authority.is_revoked(&peer(&two).serial));
    // The fabric no longer has the switch.
    authority.want([other.to_owned()]);
    let error = renewed(&listener, &one).await.expect_err("it is gone");
    assert!(error.contains("no such switch"), "{error}");
    authority.want([ours.to_owned()]);
    // The root is retired.
    authority.rotate(unix_seconds()).expect("it is written");
    authority.retire().expect("it is written");
    listener.reload().expect("a certificate");
    renewed(&listener, &one).await.expect_err("its root is believed no more");
    assert!(listener.refused().0 > 0, "who knocks is noted");
}

#[tokio::test]
async fn with_a_certificate_that_has_ended_nothing_but_a_renewal_is_asked() {
    let (_directory, authority, listener, mut events) = manager_with(DAY, 30 * DAY).await;
    let ended = of_before(&authority, NAME, 2 * DAY);
    let client = AgentClient::connect(listener.address(), &ended, LinkSettings::default()).await.expect("to renew");
    let error = match client.attend(&hello(NAME)).await {
        Ok(mut stream) => stream.next().await.expect_err("it speaks for nobody"),
        Err(error) => error,
    };
    assert_eq!(status(error).code, GrpcCode::PermissionDenied);
    assert!(events.try_recv().is_err(), "the judgement hears nothing of it");
    assert!(client.renew().await.is_ok());
    let list = authority.renewable(unix_seconds()).expect("the record");
    assert!(list.iter().any(|issued| issued.serial == peer(&ended).serial), "until the new one is used: {list:?}");
}
