//! The manager accepts no message from a peer without a certificate for the switch.

use crate::common::{Manager, NAME, hello, new_directory, status};
use philae_agent_rpc::{
    AgentClient, AgentClientError, Authority, CaSettings, GrpcCode, LinkSettings, Role, unix_seconds,
};

fn agent() -> Role {
    Role::Agent(vec![NAME.to_owned()])
}

#[tokio::test]
async fn a_certificate_that_names_the_switch_is_heard() {
    let mut manager = Manager::new(LinkSettings::default()).await;
    let client = manager.client(&manager.identity(&[NAME])).await.expect("it is the manager");
    let _stream = manager.attended(&client, NAME).await;
}

#[tokio::test]
async fn another_switch_is_refused() {
    let mut manager = Manager::new(LinkSettings::default()).await;
    let one = manager.try_attend(&manager.identity(&[NAME]), "x1000c0r2b0").await;
    assert_eq!(status(one).code, GrpcCode::PermissionDenied);
    let pattern = manager.try_attend(&manager.identity(&["x1000c*r*b0"]), "x1001c0r2b0").await;
    assert_eq!(status(pattern).code, GrpcCode::PermissionDenied);
    assert!(manager.heard_nothing());
}

#[tokio::test]
async fn a_manager_speaks_for_no_switch() {
    let mut manager = Manager::new(LinkSettings::default()).await;
    let identity = manager.authority.issue(&Role::Manager, unix_seconds()).expect("a certificate");
    manager.try_attend(&identity, NAME).await;
    assert!(manager.heard_nothing());
}

#[tokio::test]
async fn another_authority_is_refused_by_both_ends() {
    let mut manager = Manager::new(LinkSettings::default()).await;
    let other = new_directory();
    let other = Authority::open(other.path(), "test", CaSettings::default(), unix_seconds()).expect("a new authority");
    let mut identity = other.issue(&agent(), unix_seconds()).expect("a certificate");
    assert!(
        matches!(manager.client(&identity).await, Err(AgentClientError::Connect { .. })),
        "the manager is not proven"
    );
    identity.roots = manager.authority.roots();
    let error = manager.try_attend(&identity, NAME).await;
    assert!(!matches!(error, AgentClientError::Closed(_)), "the handshake fails, before any call: {error}");
    assert!(manager.heard_nothing());
}

#[tokio::test]
async fn a_certificate_out_of_its_time_is_refused() {
    let mut manager = Manager::new(LinkSettings::default()).await;
    let now = unix_seconds();
    for (when, what) in [(now - 40 * 86_400, "expired"), (now + 86_400, "not yet valid")] {
        let identity = manager.authority.issue(&agent(), when).expect("a certificate");
        let error = manager.try_attend(&identity, NAME).await;
        assert!(!matches!(error, AgentClientError::Closed(_)), "{what}: {error}");
    }
    // One that expired yesterday may be renewed, and nothing else.
    let identity = manager.authority.issue(&agent(), now - 2 * 86_400).expect("a certificate");
    let error = status(manager.try_attend(&identity, NAME).await);
    assert_eq!(error.code, GrpcCode::PermissionDenied, "{error:?}");
    assert!(manager.heard_nothing());
    // A clock that is a little ahead is tolerated.
    let identity = manager.authority.issue(&agent(), now + 200).expect("a certificate");
    let client = manager.client(&identity).await.expect("it is the manager");
    let _stream = manager.attended(&client, NAME).await;
}

#[tokio::test]
async fn without_a_certificate_only_join_is_served() {
    let mut manager = Manager::new(LinkSettings::default()).await;
    let (address, roots) = (manager.listener.address(), manager.authority.roots());
    let client = AgentClient::anonymous(address, &roots, manager.settings).await.expect("it is the manager");
    let Err(error) = client.attend(&hello(NAME)).await else { panic!("it is refused") };
    assert_eq!(status(error).code, GrpcCode::Unauthenticated);
    let error = client.renew().await.expect_err("it has nothing to renew");
    assert_eq!(status(error).code, GrpcCode::Unauthenticated);
    let error = client.join("a guess", NAME).await.expect_err("no such token");
    assert_eq!(status(error).code, GrpcCode::PermissionDenied);
    let token = manager.authority.make_token("x1000c*r*b*", 60, unix_seconds()).expect("a token");
    let error = client.join(&token, "x1001c0r1b0").await.expect_err("a token for others");
    assert_eq!(status(error).code, GrpcCode::PermissionDenied);
    let identity = client.join(&token, NAME).await.expect("its token");
    let error = client.join(&token, NAME).await.expect_err("a token is used once");
    assert_eq!(status(error).code, GrpcCode::PermissionDenied);
    assert!(manager.heard_nothing());
    let client = manager.client(&identity).await.expect("it is the manager");
    let _stream = manager.attended(&client, NAME).await;
    let renewed = client.renew().await.expect("it has a certificate");
    assert_ne!(renewed.certificate, identity.certificate);
    assert!(manager.client(&renewed).await.is_ok());
}

#[tokio::test]
async fn a_revoked_certificate_is_closed_and_refused() {
    let mut manager = Manager::new(LinkSettings::default()).await;
    let identity = manager.identity(&[NAME]);
    let client = manager.client(&identity).await.expect("it is the manager");
    let mut stream = manager.attended(&client, NAME).await;
    let issued = manager.authority.expiring(unix_seconds(), u64::MAX).expect("the record");
    let issued = issued.iter().find(|issued| issued.names[0].ends_with(NAME)).expect("it was issued").clone();
    assert_eq!(manager.listener.revoke(&issued.serial, issued.not_after).expect("it is written"), 1);
    assert_eq!(status(stream.next().await.expect_err("it is closed")).code, GrpcCode::PermissionDenied);
    assert_eq!(manager.disconnected().await, "the certificate is revoked");
    assert_eq!(status(client.renew().await.expect_err("it may not")).code, GrpcCode::PermissionDenied);
    assert_eq!(status(manager.try_attend(&identity, NAME).await).code, GrpcCode::PermissionDenied);
    assert!(manager.heard_nothing());
}

#[tokio::test]
async fn a_retired_root_is_refused_and_rotation_drops_no_stream() {
    let mut manager = Manager::new(LinkSettings::default()).await;
    let old = manager.identity(&[NAME]);
    let client = manager.client(&old).await.expect("it is the manager");
    let mut stream = manager.attended(&client, NAME).await;
    assert_eq!(manager.authority.rotate(unix_seconds()).expect("it is written"), 2);
    let new = manager.identity(&["x1000c0r2b0"]);
    // Before the manager reloads and after it, an old certificate connects, because its root is
    // still trusted. The agent must know the new root before the manager uses a certificate of it;
    // the agent gets that root when it renews.
    assert!(manager.client(&old).await.is_ok());
    let renewed = client.renew().await.expect("it may");
    manager.listener.reload().expect("a new certificate");
    let both = philae_agent_rpc::CertifiedKey { roots: renewed.roots, ..old };
    let other = manager.client(&both).await.expect("both roots are believed");
    let _other = other.attend(&hello(NAME)).await.expect("it is admitted");
    assert_eq!(manager.disconnected().await, "the same switch has connected again");
    assert_eq!(status(stream.next().await.expect_err("replaced")).code, GrpcCode::Aborted);
    manager.authority.retire().expect("it is written");
    manager.listener.reload().expect("a new certificate");
    let error = manager.try_attend(&both, "x1000c0r1b0").await;
    assert!(!matches!(error, AgentClientError::Closed(_)), "an old root is not believed: {error}");
    assert!(manager.client(&new).await.is_ok());
}
