//! Certificates and tokens.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use serde_json::{Value, json};

use super::http::HttpClient;
use super::render::{Style, answer};
use super::{Certificates, TokenCommand};
use philae_manager_api::Failure;

/// Writes a file that only its owner may read; an existing file is not replaced.
fn write_secret(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        let remedy = if error.kind() == std::io::ErrorKind::AlreadyExists { "; another name would work" } else { "" };
        Failure(2, format!("cannot write {}: {error}{remedy}", path.display()))
    };
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)
}

fn text<'a>(answer: &'a Value, key: &str) -> Result<&'a str, Failure> {
    answer[key].as_str().ok_or_else(|| Failure(1, format!("the manager's answer has no {key}")))
}

/// `philae fabric certificates`
pub fn certificates(client: &HttpClient, what: Option<Certificates>, style: Style) -> Result<(), Failure> {
    match what {
        None => {
            let found = client.get("/api/v1/certificates", &[])?;
            philae_console::print(&answer("certificates", &found, style))?;
        }
        Some(Certificates::Rotate) => {
            let done = client.send("POST", "/api/v1/certificates/rotate", Value::Null)?;
            let (root, agents) = (&done["root"], &done["agentsAsked"]);
            let then = "when they have: philae fabric certificates retire";
            style.tell(&done, &format!("root {root} signs now; {agents} agents were asked to renew\n{then}"))?;
        }
        Some(Certificates::Retire { force }) => {
            let done = client.send("POST", "/api/v1/certificates/retire", json!({ "force": force }))?;
            style.tell(&done, &format!("only root {} is trusted now", done["root"]))?;
        }
        Some(Certificates::Revoke { serial }) => {
            let done = client.send("POST", &format!("/api/v1/certificates/{serial}/revoke"), Value::Null)?;
            style.tell(&done, &format!("revoked: {serial}, {} streams closed", done["streamsClosed"]))?;
        }
        Some(Certificates::Join { switches, minutes, file }) => {
            let asked = json!({ "switches": switches, "lifeSeconds": minutes * 60 });
            let made = client.send("POST", "/api/v1/join-tokens", asked)?;
            let (token, roots) = (text(&made, "token")?, text(&made, "roots")?);
            write_secret(&file, &format!("switches {switches}\ntoken {token}\n{roots}"))?;
            let words = format!("{}: a first certificate for {switches}, once, within {minutes} min", file.display());
            style.tell(&json!({ "file": file, "switches": switches, "lifeSeconds": minutes * 60 }), &words)?;
        }
    }
    Ok(())
}

/// `philae fabric tokens`
pub fn tokens(client: &HttpClient, what: Option<TokenCommand>, style: Style) -> Result<(), Failure> {
    match what {
        None => {
            let found = client.get("/api/v1/tokens", &[])?;
            philae_console::print(&answer("tokens", &found, style))?;
        }
        Some(TokenCommand::Make { name, role, tenant, description, days, file }) => {
            let asked = json!({
                "name": name, "role": role, "tenant": tenant, "description": description, "lifeSeconds": days * 86_400,
            });
            let made = client.send("POST", "/api/v1/tokens", asked)?;
            let token = text(&made, "token")?;
            match file {
                Some(file) => {
                    write_secret(&file, &format!("{token}\n"))?;
                    let words = format!("{}: token '{name}' of the role {role}", file.display());
                    style.tell(&json!({ "file": file, "name": name, "role": role }), &words)?;
                }
                None => style.tell(&made, token)?,
            }
        }
        Some(TokenCommand::Revoke { name }) => {
            client.send("DELETE", &format!("/api/v1/tokens/{name}"), Value::Null)?;
            style.tell(&json!({ "revoked": name }), &format!("revoked: {name}"))?;
        }
    }
    Ok(())
}
