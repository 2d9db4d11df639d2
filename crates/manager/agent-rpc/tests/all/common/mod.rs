//! A manager's end on the loopback, with an authority of its own in a directory of its own.

use std::sync::Arc;
use std::time::Duration;

use philae_agent::{FromAgent, FromBody, Hello, PROTOCOL};
use philae_agent_rpc::{
    AgentClient, AgentClientError, Authority, CaSettings, CertifiedKey, GrpcStatus, LinkEvent, LinkSettings, Listener,
    Role, ServerStream, unix_seconds,
};
use tempfile::TempDir;
use tokio::sync::mpsc::Receiver;

pub const NAME: &str = "x1000c0r1b0";

/// A temporary directory, removed when it is dropped.
pub fn new_directory() -> TempDir {
    tempfile::tempdir().expect("a directory for the test")
}

pub struct Manager {
    /// Exists as long as its manager.
    _directory: TempDir,
    pub authority: Arc<Authority>,
    pub listener: Listener,
    pub events: Receiver<LinkEvent>,
    pub settings: LinkSettings,
}

impl Manager {
    pub async fn new(settings: LinkSettings) -> Self {
        let directory = new_directory();
        let authority = Authority::open(&directory.path().join("ca"), "test", CaSettings::default(), unix_seconds());
        let authority = Arc::new(authority.expect("a new authority"));
        let address = "127.0.0.1:0".parse().expect("an address");
        let (listener, events) = Listener::bind(address, Arc::clone(&authority), settings).await.expect("a free port");
        Self { _directory: directory, authority, listener, events, settings }
    }

    pub fn identity(&self, names: &[&str]) -> CertifiedKey {
        let role = Role::Agent(names.iter().map(|name| (*name).to_owned()).collect());
        self.authority.issue(&role, unix_seconds()).expect("a certificate")
    }

    pub async fn client(&self, identity: &CertifiedKey) -> Result<AgentClient, AgentClientError> {
        AgentClient::connect(self.listener.address(), identity, self.settings).await
    }

    /// Connects, sends the hello and waits for the first answer; returns how the stream ended.
    pub async fn try_attend(&self, identity: &CertifiedKey, name: &str) -> AgentClientError {
        let client = match self.client(identity).await {
            Ok(client) => client,
            Err(error) => return error,
        };
        match client.attend(&hello(name)).await {
            Ok(mut stream) => stream.next().await.expect_err("nobody sends anything"),
            Err(error) => error,
        }
    }

    pub async fn event(&mut self) -> LinkEvent {
        let event = tokio::time::timeout(Duration::from_secs(60), self.events.recv()).await;
        event.expect("an event in a minute").expect("the listener is there")
    }

    pub async fn attended(&mut self, client: &AgentClient, name: &str) -> ServerStream {
        let stream = client.attend(&hello(name)).await.expect("it is admitted");
        assert!(matches!(self.event().await, LinkEvent::Connected { switch, .. } if &*switch == name));
        assert!(matches!(self.event().await, LinkEvent::Message { message, .. } if message == hello(name)));
        stream
    }

    pub async fn disconnected(&mut self) -> String {
        loop {
            if let LinkEvent::Disconnected { reason, .. } = self.event().await {
                return reason;
            }
        }
    }

    pub fn heard_nothing(&mut self) -> bool {
        self.events.try_recv().is_err()
    }
}

pub fn hello(name: &str) -> FromAgent {
    FromBody::Hello(Hello { name: name.to_owned(), protocol: PROTOCOL, ..Hello::default() }).into()
}

pub fn status(error: AgentClientError) -> GrpcStatus {
    match error {
        AgentClientError::Closed(status) => status,
        other => panic!("closed without a status: {other}"),
    }
}
