//! How an agent gets its certificate: protocol buffers on the wire.

use prost::Message;

/// Asks for a first certificate.
#[derive(Clone, PartialEq, Message)]
pub struct JoinRequest {
    /// The token that the manager made for this switch.
    #[prost(string, tag = "1")]
    pub token: String,
    /// Name of the switch's controller.
    #[prost(string, tag = "2")]
    pub name: String,
    /// PKCS #10 request in PEM, signed with the agent's key.
    #[prost(string, tag = "3")]
    pub request: String,
}

/// Asks for a new certificate in place of the one that the connection is proven with.
#[derive(Clone, PartialEq, Message)]
pub struct RenewRequest {
    /// PKCS #10 request in PEM, signed with the agent's key.
    #[prost(string, tag = "1")]
    pub request: String,
}

/// A certificate.
#[derive(Clone, PartialEq, Message)]
pub struct Certificate {
    /// The certificate, PEM.
    #[prost(string, tag = "1")]
    pub certificate: String,
    /// All roots that the manager may be proven with from now on, PEM.
    #[prost(string, tag = "2")]
    pub roots: String,
}
