//! Certificates with short lives: streams end with them, and agents that renew do not notice.

use std::sync::Arc;
use std::time::Duration;

use crate::common::{Directory, NAME, hello, status};
use philae_agent::{Numbered, SimulatedFabric};
use philae_agent_link::{
    Authority, CaSettings, Client, Code, LinkEvent, LinkSettings, Listener, Role, run_agents, unix_seconds,
};
use philae_forwarding::Wiring;
use philae_topology::{DragonflyDescription, Topology};

/// An authority whose certificates live for so many seconds, and a manager.
async fn manager(life_s: u64) -> (Directory, Arc<Authority>, Listener, tokio::sync::mpsc::Receiver<LinkEvent>) {
    let directory = Directory::new();
    let settings = CaSettings { life_s, skew_s: 1, ..CaSettings::default() };
    let authority =
        Authority::open(&directory.0.join("ca"), "test", settings, unix_seconds()).expect("a new authority");
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
    let client = Client::connect(listener.address(), &identity, LinkSettings::default()).await.expect("in time");
    let mut stream = client.attend(&hello(NAME)).await.expect("it is admitted");
    let closed = status(stream.next().await.expect_err("nobody sends anything"));
    assert_eq!(closed.code, Code::PermissionDenied);
    assert!(closed.message.contains("life"), "{closed:?}");
    let end = loop {
        if let LinkEvent::Disconnected { reason, .. } = event(&mut events).await {
            break reason;
        }
    };
    assert!(end.contains("life"), "{end}");
    let again = client.attend(&hello(NAME)).await;
    let error = match again {
        Ok(mut stream) => stream.next().await.expect_err("its life is over"),
        Err(error) => error,
    };
    assert_eq!(status(error).code, Code::PermissionDenied);
    assert!(listener.refused().0 > 0, "who knocks with it is noted");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agents_outlive_many_certificates() {
    let (_directory, authority, listener, mut events) = manager(6).await;
    let topology = Topology::build(&DragonflyDescription::uniform(2, 2, 2, 1).into()).expect("it fits 64 ports");
    let fabric = SimulatedFabric::new(Arc::new(Wiring::of(&topology).expect("64 ports")), Arc::new(Numbered));
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
                assert!(!reason.contains("life"), "it gives way before its certificate ends: {reason}");
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
    let fabric = SimulatedFabric::new(Arc::new(Wiring::of(&topology).expect("64 ports")), Arc::new(Numbered));
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

#[tokio::test]
async fn whose_certificate_has_ended_is_told_and_only_of_our_own_authority() {
    let (_directory, authority, listener, _events) = manager(60).await;
    let (_other_directory, foreign, _other, _foreign_events) = manager(60).await;
    let roots = authority.issue(&Role::Agent(vec![NAME.to_owned()]), unix_seconds()).expect("a certificate").roots;
    for (signer, told) in [(&authority, true), (&foreign, false)] {
        let before = signer.issue(&Role::Agent(vec![NAME.to_owned()]), unix_seconds() - 3_600).expect("a certificate");
        let identity = philae_agent_link::Identity { roots: roots.clone(), ..before };
        // The client's end may believe that it is connected: TLS 1.3 refuses afterwards.
        if let Ok(client) = Client::connect(listener.address(), &identity, LinkSettings::default()).await {
            client.attend(&hello(NAME)).await.expect_err("its certificate has ended");
        }
        let last = listener.refused().1.pop().expect("it is noted");
        assert_eq!(
            last.ended.as_ref().map(|(names, _)| names.clone()),
            told.then(|| vec![NAME.to_owned()]),
            "{last:?}"
        );
    }
    // An agent of another fabric does not take the manager's certificate.
    let stranger = foreign.issue(&Role::Agent(vec![NAME.to_owned()]), unix_seconds()).expect("a certificate");
    Client::connect(listener.address(), &stranger, LinkSettings::default()).await.expect_err("another authority");
    for _ in 0..100 {
        if listener.refused().1.last().is_some_and(|last| last.why.contains("another authority")) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{:?}", listener.refused());
}
