//! `philae fabric support`: all that a helper needs to see, in one file.

use std::io::ErrorKind;
use std::path::Path;

use philae_agent_rpc::unix_seconds;
use serde_json::{Value, json};

use super::http::{HttpClient, all};
use super::render::Style;
use philae_manager_api::Failure;

/// Most entries of a list: the newest, or the worst.
///
/// Source: ours: some 100 MB where all lists are as long. Status: assumed.
const ENTRIES_MOST: usize = 100_000;

/// Answers that are one document, or text.
const WHOLE: [(&str, &str); 9] = [
    ("status.json", "/api/v1/status"),
    ("flaps.json", "/api/v1/flaps"),
    ("leadership.json", "/api/v1/leadership"),
    ("firmware.json", "/api/v1/firmware"),
    ("log-level.json", "/api/v1/log"),
    ("endpoints.json", "/api/v1"),
    ("metrics.txt", "/metrics"),
    ("ready.txt", "/readyz"),
    ("live.txt", "/livez"),
];

/// Answers that are lists, read page by page.
const LISTS: [(&str, &str); 7] = [
    ("alarms.json", "/api/v1/alarms"),
    ("switches.json", "/api/v1/switches"),
    ("links.json", "/api/v1/links"),
    ("operations.json", "/api/v1/operations"),
    ("change-sets.json", "/api/v1/change-sets"),
    ("audit.json", "/api/v1/audit"),
    ("documents.json", "/api/v1/documents"),
];

/// Writes a tar file of the manager's answers. A refused answer is in it as its error; the manager
/// never sends secrets.
pub fn support(client: &HttpClient, file: &Path, style: Style) -> Result<(), Failure> {
    let failed = |error| Failure(1, format!("cannot write {}: {error}", file.display()));
    // Earlier evidence is never replaced.
    if file.symlink_metadata().is_ok() {
        return Err(failed(ErrorKind::AlreadyExists.into()));
    }
    let mut archive = tar::Builder::new(Vec::new());
    let mut add = |name: &str, bytes: &[u8]| {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o600);
        header.set_mtime(unix_seconds());
        archive.append_data(&mut header, format!("philae-support/{name}"), bytes).map_err(failed)
    };
    let mut refused = 0;
    let mut put = |name: &str, answer: Result<Vec<u8>, Failure>| match answer {
        Ok(bytes) => add(name, &bytes),
        Err(Failure(_, why)) => {
            refused += 1;
            add(&format!("{name}.refused"), why.as_bytes())
        }
    };
    put("version.txt", Ok(format!("{}\n", env!("CARGO_PKG_VERSION")).into_bytes()))?;
    for (name, path) in WHOLE {
        put(name, client.bytes(path))?;
    }
    for (name, path) in LISTS {
        put(name, all(client, path, &[], ENTRIES_MOST).map(|(items, _)| Value::Array(items).to_string().into_bytes()))?;
    }
    archive.into_inner().and_then(|bytes| philae_results::write_whole(file, &bytes)).map_err(failed)?;
    let answers = 1 + WHOLE.len() + LISTS.len();
    let words = format!("{}: {answers} answers, {refused} of them refusals", file.display());
    style.tell(&json!({ "file": file, "answers": answers, "refused": refused }), &words)
}
