//! All forms of login: a token as it is, as a password, exchanged, in a browser's cookie; a
//! client's certificate.

use std::io::Read;
use std::sync::Arc;

use crate::common::new_folder;
use crate::programs::{Service, done, fabric};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rcgen::{CertificateParams, DnType, IsCa, Issuer, KeyPair};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_rustls::rustls::crypto::ring;
use ureq::tls::{Certificate, ClientCert, PrivateKey, RootCerts, TlsConfig, TlsProvider};

/// Sends a request with any headers; returns status, body and headers of the answer.
fn send(
    agent: &ureq::Agent,
    method: &str,
    url: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> (u16, Value, ureq::http::HeaderMap) {
    let mut request = ureq::http::Request::builder().method(method).uri(url);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let mut response = agent.run(request.body(body.to_owned()).expect("a legal request")).expect("an answer");
    let headers = response.headers().clone();
    let status = response.status().as_u16();
    let text = response.body_mut().read_to_string().expect("text");
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)), headers)
}

fn plain() -> ureq::Agent {
    ureq::Agent::config_builder().http_status_as_error(false).build().into()
}

/// A token of a role.
fn token(folder: &TempDir, service: &Service, name: &str, role: &str) -> String {
    done(&fabric(folder, &service.url, &["tokens", "make", name, "--role", role])).trim().to_owned()
}

#[test]
fn a_workload_manager_logs_in_with_a_password_or_by_oauth() {
    let folder = new_folder();
    let service = Service::start(&folder, &["--simulated"]);
    let (agent, wlm) = (plain(), token(&folder, &service, "slurm", "wlm"));
    let jobs = format!("{}/fabric/collectives/jobs/", service.url);
    let basic = |password: &str| format!("Basic {}", STANDARD.encode(format!("cxi:{password}")));
    let get = |authorization: &str| send(&agent, "GET", &jobs, &[("Authorization", authorization)], "").0;
    assert_eq!((get(&basic(&wlm)), get(&basic("wrong")), get("Basic ???")), (200, 401, 401));
    // The exact request of Slurm's plugin; curl declares it a form by itself.
    let form = format!("grant_type=client_credentials&client_id=slurm&client_secret={wlm}&scope=openid");
    let typed = [("Content-Type", "application/x-www-form-urlencoded")];
    for path in ["/oauth/token", "/token", "/api/v1/token", "/keycloak/realms/shasta/protocol/openid-connect/token"] {
        let (status, made, headers) = send(&agent, "POST", &format!("{}{path}", service.url), &typed, &form);
        assert_eq!((status, &made["token_type"], &made["scope"]), (200, &json!("Bearer"), &json!("wlm")), "{made}");
        assert_eq!(headers["cache-control"], "no-store");
        assert!(made["expires_in"].as_u64().is_some_and(|seconds| (1..=3_600).contains(&seconds)), "{made}");
        let short = made["access_token"].as_str().expect("a token").to_owned();
        assert_eq!(get(&format!("Bearer {short}")), 200);
        assert!(!short.contains(&wlm), "it is another token");
        // A short-lived token makes no token that lasts longer, and a changed one is invalid.
        let again = form.replace(&wlm, &short);
        assert_eq!(send(&agent, "POST", &format!("{}{path}", service.url), &typed, &again).0, 401);
        assert_eq!(get(&format!("Bearer {}", short.replace("slurm", "admin"))), 401);
    }
    let url = format!("{}/oauth/token", service.url);
    let password = basic(&wlm);
    let with_basic = [typed[0], ("Authorization", password.as_str())];
    assert_eq!(send(&agent, "POST", &url, &with_basic, "grant_type=client_credentials").0, 200);
    for (wrong, status, word) in [
        ("grant_type=client_credentials&client_secret=wrong", 401, "invalid_client"),
        ("grant_type=password&client_secret=x", 400, "unsupported_grant_type"),
        ("grant_type=client_credentials", 400, "invalid_request"),
    ] {
        let (found, said, _) = send(&agent, "POST", &url, &typed, wrong);
        assert_eq!((found, &said["error"]), (status, &json!(word)), "{said}");
        assert!(said["detail"].is_string() && said["error_description"].is_string(), "{said}");
    }
    // Revoking the token also revokes the tokens that were made from it.
    let short = send(&agent, "POST", &url, &typed, &form).1["access_token"].as_str().expect("a token").to_owned();
    done(&fabric(&folder, &service.url, &["tokens", "revoke", "slurm"]));
    assert_eq!((get(&format!("Bearer {short}")), get(&basic(&wlm))), (401, 401));
}

#[test]
fn a_browser_watches_with_a_cookie_that_may_only_read() {
    let folder = new_folder();
    let service = Service::start(&folder, &["--simulated"]);
    let (agent, admin) = (plain(), Service::admin_token(&folder));
    let url = |path: &str| format!("{}{path}", service.url);
    let bearer = format!("Bearer {admin}");
    let (status, session, headers) =
        send(&agent, "POST", &url("/api/v1/session"), &[("Authorization", bearer.as_str())], "");
    assert_eq!((status, &session["name"]), (200, &json!("admin")), "{session}");
    let set = headers["set-cookie"].to_str().expect("text").to_owned();
    assert!(set.contains("HttpOnly") && set.contains("SameSite=Strict") && !set.contains("Secure"), "{set}");
    let cookie = set.split(';').next().expect("a cookie").to_owned();
    let with = [("Cookie", cookie.as_str())];
    assert_eq!(send(&agent, "GET", &url("/api/v1/status"), &with, "").0, 200);
    let watch = format!("{}/api/v1/watch?timeoutSeconds=1", service.url);
    let mut events = agent.get(&watch).header("Cookie", &cookie).call().expect("a stream");
    let mut text = String::new();
    events.body_mut().as_reader().read_to_string(&mut text).expect("text");
    assert!(events.headers()["content-type"] == "text/event-stream" && !text.is_empty(), "{text}");
    let vlan = "{\"spec\": {\"id\": 7}}";
    let (status, said, _) = send(&agent, "PUT", &url("/api/v1/vlans/a"), &with, vlan);
    assert!(status == 403 && said["detail"].as_str().is_some_and(|text| text.contains("only read")), "{said}");
    // With a token in addition, the token counts; a request from another site's page is not JSON
    // here.
    let both = [with[0], ("Authorization", bearer.as_str()), ("Content-Type", "application/x-www-form-urlencoded")];
    assert_eq!(send(&agent, "PUT", &url("/api/v1/vlans/a"), &both, vlan).0, 201);
    let page = [both[0], both[1], both[2], ("Origin", "https://elsewhere.example")];
    assert_eq!(send(&agent, "PUT", &url("/api/v1/vlans/b"), &page, vlan).0, 415);
    // An expired cookie is no credential, and no guess.
    let (status, said, _) = send(&agent, "GET", &url("/api/v1/status"), &[("Cookie", "philae-session=over")], "");
    assert_eq!((status, &said["code"]), (401, &json!("auth.required")));
    let (status, _, headers) = send(&agent, "DELETE", &url("/api/v1/session"), &with, "");
    assert!(status == 200 && headers["set-cookie"].to_str().expect("text").contains("Max-Age=0"));
}

#[test]
fn the_documents_examples_work_as_curl_sends_them() {
    let folder = new_folder();
    let service = Service::start(&folder, &["--simulated"]);
    let bearer = format!("Bearer {}", Service::admin_token(&folder));
    let headers = [("Authorization", bearer.as_str()), ("Content-Type", "application/x-www-form-urlencoded")];
    let page = include_str!("../../../../../docs/manager/api.md").replace("\\\n", " ");
    let mut tried = 0;
    // A command may span several lines: to the next one, or to the end of its block.
    let commands = page.split("\ncurl ").skip(1).map(|rest| rest.split("\n```").next().unwrap_or(rest));
    for command in commands.filter(|command| command.contains(" -d '")) {
        let method = command.split("-X ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap_or("POST");
        let target = command.split("$M").nth(1).and_then(|rest| rest.split([' ', '"']).next()).expect("a path");
        let body = command.split("-d '").nth(1).and_then(|rest| rest.split('\'').next()).expect("a body");
        let url = format!("{}/api/v1{target}", service.url);
        let (status, said, _) = send(&plain(), method, &url, &headers, body);
        assert!(!matches!(status, 400 | 405 | 415), "{command}: {status} {said}");
        tried += 1;
    }
    assert!(tried >= 5, "{tried}: the examples are found");
}

/// A certificate with a common name, signed by an authority of this test's.
fn certified(name: &str, issuer: &Issuer<'_, KeyPair>) -> (String, String) {
    let key = KeyPair::generate().expect("a key");
    let mut parameters = CertificateParams::default();
    parameters.distinguished_name.push(DnType::CommonName, name);
    let certificate = parameters.signed_by(&key, issuer).expect("a certificate");
    (certificate.pem(), key.serialize_pem())
}

fn authority() -> (String, Issuer<'static, KeyPair>) {
    let key = KeyPair::generate().expect("a key");
    let mut parameters = CertificateParams::default();
    parameters.is_ca = IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    parameters.distinguished_name.push(DnType::CommonName, "an authority of the site");
    let root = parameters.self_signed(&key).expect("a root").pem();
    (root, Issuer::new(parameters, key))
}

#[test]
fn a_certificate_of_a_client_has_the_role_that_a_binding_gives_it() {
    let folder = new_folder();
    let (root, issuer) = authority();
    let roots = folder.path().join("clients.pem");
    std::fs::write(&roots, root).expect("there is room");
    let file = roots.to_str().expect("plain");
    let refused = Service::start_fails(&folder, &["--simulated", "--client-ca", file]);
    assert!(refused.contains("--tls"), "{refused}");
    let service = Service::start(&folder, &["--simulated", "--tls", "--client-ca", file]);
    let server = std::fs::read_to_string(folder.path().join("manager/ca/roots.pem")).expect("roots");
    let agent = |shown: Option<(String, String)>| -> ureq::Agent {
        let shown = shown.map(|(certificate, key)| {
            let certificate = Certificate::from_pem(certificate.as_bytes()).expect("PEM");
            ClientCert::new_with_certs(&[certificate], PrivateKey::from_pem(key.as_bytes()).expect("PEM"))
        });
        let tls = TlsConfig::builder()
            .provider(TlsProvider::Rustls)
            .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()))
            .root_certs(RootCerts::new_with_certs(&[Certificate::from_pem(server.as_bytes()).expect("PEM")]))
            .client_cert(shown)
            .build();
        ureq::Agent::config_builder().http_status_as_error(false).tls_config(tls).build().into()
    };
    let ours = agent(Some(certified("slurmctld", &issuer)));
    let jobs = format!("{}/fabric/collectives/jobs", service.url);
    let body = "{\"jobID\": \"cluster-1\", \"mcastLimit\": 1}";
    let json = ("Content-Type", "application/json");
    let (status, said, _) = send(&ours, "GET", &jobs, &[], "");
    assert!(
        status == 403 && said["message"].as_str().is_some_and(|text| text.contains("certificate:slurmctld")),
        "{said}"
    );
    let admin = format!("Bearer {}", Service::admin_token(&folder));
    let binding = "{\"spec\": {\"role\": \"wlm\", \"subjects\": [\"certificate:slurmctld\"]}}";
    let session = send(
        &agent(None),
        "POST",
        &format!("{}/api/v1/session", service.url),
        &[("Authorization", admin.as_str())],
        "",
    );
    assert!(session.2["set-cookie"].to_str().expect("text").contains("; Secure"), "over TLS alone");
    let bindings = format!("{}/api/v1/role-bindings/slurm", service.url);
    assert_eq!(send(&agent(None), "PUT", &bindings, &[("Authorization", admin.as_str()), json], binding).0, 201);
    let (status, made, _) = send(&ours, "POST", &jobs, &[json], body);
    assert!(status == 200 && made["sessionToken"].is_string(), "{made}");
    // Others of the same authority, of another one, and those without have no role.
    assert_eq!(send(&agent(Some(certified("other", &issuer))), "GET", &jobs, &[], "").0, 403);
    assert_eq!(send(&agent(None), "GET", &jobs, &[], "").0, 401);
    let (_, strange) = authority();
    assert!(agent(Some(certified("slurmctld", &strange))).get(&jobs).call().is_err(), "another authority's");
    // A wrong token is wrong even with a right certificate.
    assert_eq!(send(&ours, "GET", &jobs, &[("Authorization", "Bearer wrong")], "").0, 401);
    assert_eq!(send(&agent(None), "DELETE", &bindings, &[("Authorization", admin.as_str())], "").0, 200);
    assert_eq!(send(&ours, "GET", &jobs, &[], "").0, 403, "the role goes with its binding");
}
