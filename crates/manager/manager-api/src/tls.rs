//! TLS of a client that knows one fabric's authority.

use std::sync::Arc;

use tokio_rustls::rustls::crypto::ring;
use ureq::tls::{Certificate, ClientCert, PemItem, PrivateKey, RootCerts, TlsConfig, TlsProvider, parse_pem};

/// TLS that verifies a manager with these roots only, and so with one fabric's authority only.
///
/// # Errors
/// When there are no roots, or they cannot be read; in words.
pub fn verified_tls(roots: Option<&str>) -> Result<TlsConfig, String> {
    let roots = roots.ok_or(
        "no root certificate is known that proves the manager; --ca FILE would work (ca/roots.pem in its state directory)",
    )?;
    verified_tls_with(roots, None)
}

/// The certificates in PEM text.
fn certificates(pem: &str) -> Result<Vec<Certificate<'static>>, String> {
    let found = parse_pem(pem.as_bytes()).filter_map(|item| match item {
        Ok(PemItem::Certificate(found)) => Some(Ok(found)),
        Ok(_) => None,
        Err(error) => Some(Err(error.to_string())),
    });
    found.collect()
}

/// The same for any service, with a certificate of our own and its key if the service requires one.
///
/// # Errors
/// When roots, certificate or key cannot be read; in words.
pub fn verified_tls_with(roots: &str, own: Option<(&str, &str)>) -> Result<TlsConfig, String> {
    let roots = certificates(roots).map_err(|error| format!("the roots cannot be read: {error}"))?;
    if roots.is_empty() {
        return Err("there is no root in it".to_owned());
    }
    let own = own.map(|(certificate, key)| {
        let chain = certificates(certificate).map_err(|error| format!("the certificate cannot be read: {error}"))?;
        let key = PrivateKey::from_pem(key.as_bytes());
        let key = key.map_err(|error| format!("the key of the certificate cannot be read: {error}"))?;
        Ok::<_, String>(ClientCert::new_with_certs(&chain, key))
    });
    Ok(TlsConfig::builder()
        .client_cert(own.transpose()?)
        .provider(TlsProvider::Rustls)
        .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()))
        .root_certs(RootCerts::new_with_certs(&roots))
        .build())
}
