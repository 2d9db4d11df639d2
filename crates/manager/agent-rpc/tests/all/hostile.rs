//! Agents that are broken, slow or hostile: the manager closes their streams, and no other agent
//! notices.

use crate::common::{Manager, NAME, hello, status};
use bytes::{BufMut, Bytes, BytesMut};
use philae_agent::{Configure, EqualItems, FromAgent, ToAgent, ToBody};
use philae_agent_rpc::{
    AgentClientError, CloseReason, Deframer, GrpcCode, LinkEvent, LinkSettings, StreamSendError, encode,
};
use proptest::prelude::*;

/// Sends bytes after the hello; returns how the manager closes the stream.
async fn after_hello(bytes: Bytes) -> (GrpcCode, String) {
    let mut manager = Manager::new(LinkSettings { message_max: 10_000, ..LinkSettings::default() }).await;
    let client = manager.client(&manager.identity(&["x*c*r*b*"])).await.expect("it is the manager");
    let mut good = manager.attended(&client, "x1000c0r2b0").await;
    let mut stream = manager.attended(&client, NAME).await;
    stream.send_bytes(bytes).await.expect("there is room");
    let _ = stream.finish();
    let closed = status(stream.next().await.expect_err("it is closed"));
    manager.disconnected().await;
    // The other stream of the same connection continues.
    manager.listener.links().send("x1000c0r2b0", &ToAgent::default()).expect("it is connected");
    good.next().await.expect("it goes on");
    (closed.code, closed.message)
}

fn frame(first: u8, length: u32, rest: &[u8]) -> Bytes {
    let mut bytes = BytesMut::new();
    bytes.put_u8(first);
    bytes.put_u32(length);
    bytes.put_slice(rest);
    bytes.freeze()
}

#[tokio::test]
async fn garbage_truncated_large_and_second_hellos_are_closed_with_a_reason() {
    for (bytes, words) in [
        (frame(0, 4, &[0xff; 4]), "cannot be decoded"),
        (frame(1, 4, &[0; 4]), "compressed"),
        (frame(0, 10_001, &[]), "10000 are the limit"),
        (frame(0, u32::MAX, &[]), "10000 are the limit"),
        (frame(0, 100, &[0; 50]), "50 bytes early"),
        (Bytes::from_static(&[0, 0]), "3 bytes early"),
        (encode(&hello(NAME)), "second hello"),
    ] {
        let (code, message) = after_hello(bytes).await;
        assert_eq!(code, GrpcCode::InvalidArgument, "{message}");
        assert!(message.contains(words), "'{message}' should say '{words}'");
    }
}

#[tokio::test]
async fn a_first_message_that_is_no_hello_is_closed() {
    let mut manager = Manager::new(LinkSettings::default()).await;
    let client = manager.client(&manager.identity(&[NAME])).await.expect("it is the manager");
    let error = match client.attend(&FromAgent::default()).await {
        Ok(mut stream) => stream.next().await.expect_err("it is closed"),
        Err(error) => error,
    };
    assert_eq!(status(error).code, GrpcCode::InvalidArgument);
    assert!(manager.heard_nothing());
}

fn large() -> ToAgent {
    let items = vec![EqualItems { keys: vec![1], value: vec![7; 50_000], drop: false }];
    ToAgent { body: Some(ToBody::Configure(Configure { items, ..Configure::default() })), ..ToAgent::default() }
}

#[tokio::test]
async fn an_agent_that_takes_nothing_is_disconnected() {
    let settings = LinkSettings { queue_bytes: 1 << 20, ..LinkSettings::default() };
    let mut manager = Manager::new(settings).await;
    let client = manager.client(&manager.identity(&[NAME])).await.expect("it is the manager");
    let mut stream = manager.attended(&client, NAME).await;
    let links = manager.listener.links();
    let mut sent = 0;
    let error = loop {
        match links.send(NAME, &large()) {
            Ok(()) => sent += 1,
            Err(error) => break error,
        }
        assert!(sent < 100, "the queue has a limit");
        tokio::task::yield_now().await;
    };
    assert_eq!(error, StreamSendError::Slow);
    assert_eq!(manager.disconnected().await, "messages are read too slowly");
    let closed = loop {
        if let Err(error) = stream.next().await {
            break error;
        }
    };
    assert!(matches!(closed, AgentClientError::Closed(status) if status.code == GrpcCode::ResourceExhausted));
    assert_eq!(links.send(NAME, &large()), Err(StreamSendError::NotConnected));
    let small = LinkSettings { message_max: 1_000, ..settings };
    let manager = Manager::new(small).await;
    assert!(matches!(manager.listener.links().send(NAME, &large()), Err(StreamSendError::TooLarge(_))));
}

#[tokio::test]
async fn a_flood_waits_for_the_manager() {
    let settings = LinkSettings { events: 4, ..LinkSettings::default() };
    let mut manager = Manager::new(settings).await;
    let client = manager.client(&manager.identity(&[NAME])).await.expect("it is the manager");
    let mut stream = manager.attended(&client, NAME).await;
    let message = FromAgent {
        body: Some(philae_agent::FromBody::State(philae_agent::SectionState {
            items: vec![EqualItems { keys: vec![1], value: vec![7; 10_000], drop: false }],
            ..philae_agent::SectionState::default()
        })),
    };
    let mut sent = 0;
    while let Ok(Ok(())) = tokio::time::timeout(std::time::Duration::from_millis(500), stream.send(&message)).await {
        sent += 1;
        assert!(sent < 100, "what is not read stays with the agent");
    }
    // A message that was abandoned halfway spoils the stream; complete messages before it arrive.
    drop(stream);
    let mut heard = 0;
    loop {
        match manager.event().await {
            LinkEvent::Message { .. } => heard += 1,
            LinkEvent::Disconnected { .. } => break,
            LinkEvent::Connected { .. } => panic!("nobody connects"),
        }
    }
    assert!(heard <= sent, "{heard} of {sent}");
}

#[tokio::test]
async fn a_switch_that_connects_again_takes_the_place_of_itself() {
    let mut manager = Manager::new(LinkSettings::default()).await;
    let client = manager.client(&manager.identity(&[NAME])).await.expect("it is the manager");
    let mut first = manager.attended(&client, NAME).await;
    let mut second = client.attend(&hello(NAME)).await.expect("it is admitted");
    assert!(matches!(manager.event().await, LinkEvent::Disconnected { .. }));
    assert!(matches!(manager.event().await, LinkEvent::Connected { .. }));
    assert_eq!(status(first.next().await.expect_err("replaced")).code, GrpcCode::Aborted);
    let links = manager.listener.links();
    assert!(links.close(NAME, CloseReason::Asked("maintenance".to_owned())));
    let closed = status(second.next().await.expect_err("closed"));
    assert_eq!((closed.code, closed.message.as_str()), (GrpcCode::Aborted, "maintenance"));
    assert!(!links.close("x9c0r0b0", CloseReason::Slow));
}

#[tokio::test]
async fn too_many_at_once_are_told_when_to_come_again() {
    let settings = LinkSettings { admitted_per_second: 1, admitted_burst: 2, ..LinkSettings::default() };
    let mut manager = Manager::new(settings).await;
    let client = manager.client(&manager.identity(&["x*c*r*b*"])).await.expect("it is the manager");
    let mut streams = Vec::new();
    let refused = loop {
        match client.attend(&hello(&format!("x1c0r{}b0", streams.len()))).await {
            Ok(stream) => streams.push(stream),
            Err(error) => break status(error),
        }
        assert!(streams.len() < 50);
    };
    assert!(streams.len() >= 2);
    assert_eq!(refused.code, GrpcCode::ResourceExhausted);
    assert!(refused.retry_ms.is_some_and(|ms| (1..=1_000).contains(&ms)), "{refused:?}");
    assert!(matches!(manager.event().await, LinkEvent::Connected { .. }));
}

#[tokio::test]
async fn shutdown_is_said() {
    let mut manager = Manager::new(LinkSettings::default()).await;
    let client = manager.client(&manager.identity(&[NAME])).await.expect("it is the manager");
    let mut stream = manager.attended(&client, NAME).await;
    let Manager { listener, mut events, .. } = manager;
    listener.shutdown().await;
    assert_eq!(status(stream.next().await.expect_err("closed")).code, GrpcCode::Unavailable);
    assert!(matches!(events.recv().await, Some(LinkEvent::Disconnected { .. })));
}

proptest! {
    #[test]
    fn any_bytes_in_any_pieces_give_messages_or_an_error(
        bytes in prop::collection::vec(any::<u8>(), 0..2_000), piece in 1_usize..100,
    ) {
        let mut deframer = Deframer::new(1_000);
        'all: for piece in bytes.chunks(piece) {
            deframer.push(piece);
            loop {
                match deframer.take::<FromAgent>() {
                    Ok(Some(_)) => {}
                    Ok(None) => break,
                    Err(_) => break 'all,
                }
            }
            prop_assert!(deframer.waiting() <= 1_000 + 5 + piece.len());
        }
    }

    #[test]
    fn a_message_comes_back_whatever_the_pieces(value in prop::collection::vec(any::<u8>(), 0..500), piece in 1_usize..50) {
        let message = ToAgent {
            epoch: 7,
            request: value.len() as u64,
            body: Some(ToBody::Configure(Configure {
                items: vec![EqualItems { keys: vec![1, u64::MAX], value, drop: true }],
                ..Configure::default()
            })),
        };
        let mut deframer = Deframer::new(1_000);
        let mut back = Vec::new();
        for piece in [encode(&message), encode(&message)].concat().chunks(piece) {
            deframer.push(piece);
            while let Some(message) = deframer.take::<ToAgent>().expect("it is one") {
                back.push(message);
            }
        }
        prop_assert_eq!(back, vec![message.clone(), message]);
        prop_assert!(deframer.finish().is_ok());
    }

    #[test]
    fn a_bit_that_is_wrong_does_no_harm(at in 0_usize..60, bit in 0_u8..8) {
        let mut bytes = encode(&hello(NAME)).to_vec();
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= 1 << bit;
        }
        let mut deframer = Deframer::new(1_000);
        deframer.push(&bytes);
        if let Ok(Some(message)) = deframer.take::<FromAgent>() {
            prop_assert!(encode(&message).len() <= 2 * bytes.len());
        }
    }
}
