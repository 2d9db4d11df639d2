//! The agent's certificate: requested once with a token, stored, and used again after a restart.

use std::net::SocketAddr;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use philae_agent_rpc::{AgentClient, CertifiedKey, LinkSettings, end_of, unix_seconds};
use philae_console::note;
use serde::{Deserialize, Serialize};

use philae_manager_api::{Failure, bad_input};

const FILE: &str = "identity.json";

#[derive(Serialize, Deserialize)]
struct Kept {
    certificate: String,
    key: String,
    roots: String,
}

/// The content of the file that `philae fabric certificates join` writes.
struct JoinToken {
    switches: String,
    token: String,
    roots: String,
}

fn read_token(path: &Path) -> Result<JoinToken, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| bad_input(format!("{}: {error}", path.display())))?;
    let mut lines = text.splitn(3, '\n');
    let mut word = |key: &str| lines.next().and_then(|line| line.strip_prefix(key)).map(|word| word.trim().to_owned());
    let (switches, token) = (word("switches "), word("token "));
    match (switches, token, lines.next()) {
        (Some(switches), Some(token), Some(roots)) => Ok(JoinToken { switches, token, roots: roots.to_owned() }),
        _ => Err(bad_input(format!(
            "{} is not a join token; philae fabric certificates join --switches 'x*c*r*b*' FILE writes one",
            path.display()
        ))),
    }
}

/// Stores the certificate, readable by its owner only.
pub fn keep(state: &Path, identity: &CertifiedKey) -> Result<(), Failure> {
    let kept =
        Kept { certificate: identity.certificate.clone(), key: identity.key.clone(), roots: identity.roots.clone() };
    let text = serde_json::to_string(&kept).map_err(|error| Failure(1, error.to_string()))?;
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(state)
        .map_err(|error| Failure(1, format!("{}: {error}", state.display())))?;
    philae_agent_rpc::replace(state, FILE, text.as_bytes()).map_err(|error| Failure(1, error.to_string()))
}

/// The stored certificate, or a first one for a token.
pub async fn find(
    state: &Path,
    token: Option<&Path>,
    manager: SocketAddr,
    settings: LinkSettings,
) -> Result<CertifiedKey, Failure> {
    let kept = std::fs::read_to_string(state.join(FILE)).ok();
    let kept = kept.and_then(|text| serde_json::from_str::<Kept>(&text).ok());
    match (token, kept) {
        (None, Some(kept)) => {
            if let Some(end) = end_of(&kept.certificate).filter(|end| *end <= unix_seconds()) {
                // The agent continues: the manager may still renew the certificate, or its status
                // names the expired one. Besides, the clock of this machine may be wrong.
                note!(
                    "the certificate in {} ended at {}: it can be renewed if the manager allows that \
                     (--certificate-grace-days); otherwise philae fabric certificates join writes a token for \
                     --join-token-file",
                    state.display(),
                    philae_manager_api::utc(end)
                );
            }
            Ok(CertifiedKey { certificate: kept.certificate, key: kept.key, roots: kept.roots })
        }
        (None, None) => Err(bad_input(format!(
            "there is no certificate in {}; --join-token-file FILE gets one (philae fabric certificates join writes FILE)",
            state.display()
        ))),
        (Some(path), kept) => {
            let JoinToken { switches, token, roots } = read_token(path)?;
            match join(manager, &roots, &token, &switches, settings).await {
                Ok(identity) => {
                    keep(state, &identity)?;
                    Ok(identity)
                }
                // This agent used the token before: a restarted service still names the token's
                // file.
                Err(_) if kept.as_ref().is_some_and(|kept| kept.roots.contains(roots.trim())) => {
                    let Kept { certificate, key, roots } = kept.expect("it was just looked at");
                    Ok(CertifiedKey { certificate, key, roots })
                }
                Err(error) => Err(error),
            }
        }
    }
}

async fn join(
    manager: SocketAddr,
    roots: &str,
    token: &str,
    switches: &str,
    settings: LinkSettings,
) -> Result<CertifiedKey, Failure> {
    let client = AgentClient::anonymous(manager, roots, settings).await.map_err(bad_input)?;
    client.join(token, switches).await.map_err(bad_input)
}
