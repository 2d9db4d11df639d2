//! TLS of both ends: version 1.3, each verified with the fabric's own roots.

use std::cell::RefCell;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::client::danger::HandshakeSignatureValid;
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, UnixTime};
use tokio_rustls::rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use tokio_rustls::rustls::server::{NoServerSessionStorage, WebPkiClientVerifier};
use tokio_rustls::rustls::{
    AlertDescription, CertificateError, ClientConfig, DigitallySignedStruct, DistinguishedName,
    Error as TlsLibraryError, RootCertStore, ServerConfig, SignatureScheme, version::TLS13,
};

use crate::ca::CertifiedKey;
use crate::identity::{PeerIdentity, Role};

/// Why an identity cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("certificate, key or roots cannot be used: {0}")]
pub struct TlsError(String);

fn unusable(error: &dyn std::fmt::Display) -> TlsError {
    TlsError(error.to_string())
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

fn roots(pem: &str) -> Result<Arc<RootCertStore>, TlsError> {
    let mut store = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(pem.as_bytes()) {
        let certificate = certificate.map_err(|error| unusable(&error))?;
        store.add(certificate).map_err(|error| unusable(&error))?;
    }
    if store.is_empty() {
        return Err(TlsError("there is no root".to_owned()));
    }
    Ok(Arc::new(store))
}

/// The certificates of a PEM text in DER.
///
/// # Errors
/// When the text is not PEM.
pub fn certificates(pem: &str) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    CertificateDer::pem_slice_iter(pem.as_bytes()).collect::<Result<_, _>>().map_err(|error| unusable(&error))
}

fn key(pem: &str) -> Result<PrivateKeyDer<'static>, TlsError> {
    PrivateKeyDer::from_pem_slice(pem.as_bytes()).map_err(|error| unusable(&error))
}

/// Why there is no connection, in words. The other end reports its reason as an alert number.
pub(crate) fn why_not(error: &std::io::Error) -> String {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<TlsLibraryError>());
    match inner {
        // The alert depends on which part of a foreign chain the peer checks first.
        Some(TlsLibraryError::AlertReceived(
            AlertDescription::UnknownCA
            | AlertDescription::DecryptError
            | AlertDescription::BadCertificate
            | AlertDescription::CertificateUnknown,
        )) => {
            "the agent does not trust this manager's certificate, which is of another authority than its own".to_owned()
        }
        _ => format!("no TLS: {error}"),
    }
}

tokio::task_local! {
    /// The peer with an expired certificate, of the handshake that this task makes.
    static ENDED: RefCell<Option<PeerIdentity>>;
}

/// Runs a handshake of [`server`]. If it fails because a certificate of this authority has expired,
/// returns its peer too, which the error does not name.
pub(crate) async fn telling_who<T>(handshake: impl Future<Output = T>) -> (T, Option<PeerIdentity>) {
    ENDED
        .scope(RefCell::new(None), async {
            let made = handshake.await;
            (made, ENDED.with(RefCell::take))
        })
        .await
}

/// Verifies as the library does, but accepts agents' expired certificates within the grace period:
/// each call checks what they may do. Notes the peer of a certificate that expired earlier.
#[derive(Debug)]
struct TellingWho(Arc<dyn ClientCertVerifier>, u64);

impl ClientCertVerifier for TellingWho {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        self.0.root_hint_subjects()
    }

    fn client_auth_mandatory(&self) -> bool {
        self.0.client_auth_mandatory()
    }

    fn verify_client_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<ClientCertVerified, TlsLibraryError> {
        let verified = self.0.verify_client_cert(end_entity, intermediates, now);
        let ended = matches!(
            verified,
            Err(TlsLibraryError::InvalidCertificate(
                CertificateError::Expired | CertificateError::ExpiredContext { .. }
            ))
        );
        if ended
            && let Ok(peer) = PeerIdentity::of(end_entity)
            // Anyone can write a name and an expiry. So only certificates that the roots had signed
            // are reported.
            && let before = UnixTime::since_unix_epoch(Duration::from_secs(peer.not_after.saturating_sub(1)))
            && let Ok(was) = self.0.verify_client_cert(end_entity, intermediates, before)
        {
            if matches!(peer.role, Role::Agent(_)) && now.as_secs() < peer.not_after.saturating_add(self.1) {
                return Ok(was);
            }
            // Outside [`telling_who`] there is no place to note it.
            let _ = ENDED.try_with(|ended| ended.replace(Some(peer)));
        }
        verified
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsLibraryError> {
        self.0.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsLibraryError> {
        self.0.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}

/// The manager's end. A peer without a certificate may connect, but only to ask for a first one. An
/// agent whose certificate has expired within the grace period may connect, but only to renew it.
///
/// # Errors
/// When the identity cannot be used.
pub fn server(identity: &CertifiedKey, grace_s: u64) -> Result<Arc<ServerConfig>, TlsError> {
    let verifier = WebPkiClientVerifier::builder_with_provider(roots(&identity.roots)?, provider())
        .allow_unauthenticated()
        .build()
        .map_err(|error| unusable(&error))?;
    let mut config = ServerConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&TLS13])
        .map_err(|error| unusable(&error))?
        .with_client_cert_verifier(Arc::new(TellingWho(verifier, grace_s)))
        .with_single_cert(certificates(&identity.certificate)?, key(&identity.key)?)
        .map_err(|error| unusable(&error))?;
    config.alpn_protocols = vec![b"h2".to_vec()];
    // A resumed session would skip the verification of the certificate.
    config.session_storage = Arc::new(NoServerSessionStorage {});
    config.send_tls13_tickets = 0;
    Ok(Arc::new(config))
}

/// The end of a service: a chain and its key, both PEM. With roots for clients, a client may show a
/// certificate that these have signed; it need not.
///
/// # Errors
/// When they cannot be used.
pub fn service(
    certificate: &str,
    key_pem: &str,
    clients: Option<&str>,
    protocols: &[&str],
) -> Result<Arc<ServerConfig>, TlsError> {
    let chain = certificates(certificate)?;
    if chain.is_empty() {
        return Err(TlsError("there is no certificate in it".to_owned()));
    }
    let builder = ServerConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .map_err(|error| unusable(&error))?;
    let builder = match clients {
        None => builder.with_no_client_auth(),
        Some(pem) => {
            let verifier = WebPkiClientVerifier::builder_with_provider(roots(pem)?, provider())
                .allow_unauthenticated()
                .build()
                .map_err(|error| unusable(&error))?;
            builder.with_client_cert_verifier(verifier)
        }
    };
    let mut config = builder.with_single_cert(chain, key(key_pem)?).map_err(|error| unusable(&error))?;
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.as_bytes().to_vec()).collect();
    if clients.is_some() {
        // A resumed session would skip the verification of the certificate.
        config.session_storage = Arc::new(NoServerSessionStorage {});
        config.send_tls13_tickets = 0;
    }
    Ok(Arc::new(config))
}

/// An agent's end; without a certificate of its own it can only ask for one.
///
/// # Errors
/// When the identity cannot be used.
pub fn client(pem_roots: &str, identity: Option<&CertifiedKey>) -> Result<Arc<ClientConfig>, TlsError> {
    let verifier = WebPkiServerVerifier::builder_with_provider(roots(pem_roots)?, provider())
        .build()
        .map_err(|error| unusable(&error))?;
    let config = ClientConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&TLS13])
        .map_err(|error| unusable(&error))?
        .with_webpki_verifier(verifier);
    let mut config = match identity {
        None => config.with_no_client_auth(),
        Some(identity) => config
            .with_client_auth_cert(certificates(&identity.certificate)?, key(&identity.key)?)
            .map_err(|error| unusable(&error))?,
    };
    config.alpn_protocols = vec![b"h2".to_vec()];
    Ok(Arc::new(config))
}
