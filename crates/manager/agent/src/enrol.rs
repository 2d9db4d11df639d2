//! Enrolment: how an agent gets its certificate, as protocol buffers.

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

/// Asks for a new certificate to replace the one that authenticates the connection.
#[derive(Clone, PartialEq, Message)]
pub struct RenewRequest {
    /// PKCS #10 request in PEM, signed with the agent's key.
    #[prost(string, tag = "1")]
    pub request: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct Certificate {
    /// The certificate, PEM.
    #[prost(string, tag = "1")]
    pub certificate: String,
    /// All root certificates that the manager may use from now on, PEM.
    #[prost(string, tag = "2")]
    pub roots: String,
}
