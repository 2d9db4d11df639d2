//! `philae fabric`: a client of the manager's API.

use std::io::IsTerminal;
use std::path::PathBuf;

use philae_intent::from_yaml;
use philae_manager::status_screen;
use serde_json::{Map, Value, json};

use crate::{Fabric, Failure};

/// Asks, orders, prints.
pub fn run(manager: &str, what: Fabric) -> Result<(), Failure> {
    let client = Client { base: manager.trim_end_matches('/').to_owned() };
    match what {
        Fabric::Status { json: true } => print_json(&client.get("/api/v1/status", &[])?),
        Fabric::Status { json: false } => {
            let (status, alarms) = (client.get("/api/v1/status", &[])?, client.get("/api/v1/alarms", &[])?);
            print!("{}", status_screen(&status, &alarms, std::io::stdout().is_terminal()));
        }
        Fabric::Show { what, query } => {
            let pairs = query.iter().map(|text| pair(text)).collect::<Result<Vec<_>, _>>()?;
            print_json(&client.get(&format!("/api/v1/{what}"), &pairs)?);
        }
        Fabric::ExportRoutes { output } => {
            let bytes = client.bytes("/api/v1/export/routes")?;
            let failed = |error| Failure(1, format!("cannot write {}: {error}", output.display()));
            std::fs::write(&output, &bytes).map_err(failed)?;
            println!("{}: {} bytes", output.display(), bytes.len());
        }
        Fabric::Explain { from, to } => {
            print_json(&client.get("/api/v1/explain/path", &[("from".to_owned(), from), ("to".to_owned(), to)])?);
        }
        Fabric::Set { settings } => {
            let mut changes = Map::new();
            for text in &settings {
                let (name, value) = pair(text)?;
                let number = value.parse::<u64>();
                let number =
                    number.map_err(|_| Failure(2, format!("{text}: a whole number would work, such as {name}=5")))?;
                changes.insert(name, json!(number));
            }
            client.send("PATCH", "/api/v1/settings", Value::Object(changes))?;
            println!("set: {}", settings.join(", "));
        }
        Fabric::Apply { files, dry_run } => apply(&client, &files, dry_run)?,
        Fabric::Delete { kind, name } => {
            client.send("DELETE", &format!("/api/v1/{kind}/{name}"), Value::Null)?;
            println!("deleted: {kind} {name}");
        }
        Fabric::Do { what, action } => {
            client.send("POST", &format!("/api/v1/{what}/{action}"), Value::Null)?;
            println!("done: {what} {action}");
        }
    }
    Ok(())
}

fn apply(client: &Client, files: &[PathBuf], dry_run: bool) -> Result<(), Failure> {
    let mut documents = Vec::new();
    for file in files {
        let text = if file.as_os_str() == "-" {
            std::io::read_to_string(std::io::stdin())
        } else {
            std::fs::read_to_string(file)
        };
        let text = text.map_err(|error| Failure(2, format!("{}: {error}", file.display())))?;
        let found = from_yaml(&text).map_err(|problems| {
            let lines: Vec<String> = problems.iter().map(|problem| format!("{}: {problem}", file.display())).collect();
            Failure(2, lines.join("\n"))
        })?;
        documents.extend(found);
    }
    for document in &documents {
        let (kind, name) = (document.kind.plural(), &document.name);
        let query = if dry_run { "?dryRun=true" } else { "" };
        let answer = client.send("PUT", &format!("/api/v1/{kind}/{name}{query}"), document.to_value())?;
        let blast = &answer["blastRadius"];
        let verb = if dry_run { "would reach" } else { "reaches" };
        println!("{kind}/{name} {verb} {} ports of {} switches", blast["ports"], blast["switches"]);
        for warning in answer["warnings"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            println!("  warning: {warning}");
        }
    }
    Ok(())
}

fn pair(text: &str) -> Result<(String, String), Failure> {
    let pair = text.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned()));
    pair.ok_or_else(|| Failure(2, format!("'{text}' is not KEY=VALUE")))
}

fn print_json(value: &Value) {
    println!("{value:#}");
}

struct Client {
    base: String,
}

impl Client {
    fn get(&self, path: &str, query: &[(String, String)]) -> Result<Value, Failure> {
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let mut request = agent.get(format!("{}{path}", self.base));
        for (key, value) in query {
            request = request.query(key, value);
        }
        self.read(request.call())
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, Failure> {
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let answer = agent.get(format!("{}{path}", self.base)).call();
        if answer.as_ref().is_ok_and(|response| response.status().is_success()) {
            let read = answer.and_then(|mut response| response.body_mut().with_config().limit(1 << 30).read_to_vec());
            return read.map_err(|error| Failure(1, format!("{}: {error}", self.base)));
        }
        self.read(answer).map(|_| Vec::new())
    }

    fn send(&self, method: &str, path: &str, body: Value) -> Result<Value, Failure> {
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let url = format!("{}{path}", self.base);
        self.read(match method {
            "PATCH" => agent.patch(url).send_json(&body),
            "PUT" => agent.put(url).send_json(&body),
            "DELETE" => agent.delete(url).call(),
            _ => agent.post(url).send_json(&body),
        })
    }

    fn read(&self, answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Result<Value, Failure> {
        let mut response = answer.map_err(|error| {
            let remedy =
                "is a manager running there? philae manager serve --simulated starts one; --manager names another";
            Failure(2, format!("{}: {error}; {remedy}", self.base))
        })?;
        let value: Value =
            response.body_mut().with_config().limit(1 << 30).read_json().map_err(|error| {
                Failure(1, format!("{} answered with something else than JSON: {error}", self.base))
            })?;
        if response.status().is_success() {
            return Ok(value);
        }
        let detail = value["detail"].as_str().unwrap_or("no reason given");
        // What the client asked for wrongly is its own; the rest is the manager's.
        let code = if response.status().is_client_error() { 2 } else { 1 };
        Err(Failure(code, detail.to_owned()))
    }
}
