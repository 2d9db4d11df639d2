//! `philae fabric`: a client of the manager's API.

mod arguments;
mod documents;
mod explain;
mod http;
mod render;
mod secrets;
mod service;

use std::process::ExitCode;

use philae_manager::status_screen;
use serde_json::{Map, Value, json};

pub use self::arguments::{Certificates, Fabric, Options, Tokens};
use self::http::{Client, all};
use self::render::{Format, Style, answer};
use crate::Failure;

/// Asks, orders, prints.
pub fn run(options: &Options, what: Fabric) -> Result<ExitCode, Failure> {
    let client = Client::new(options)?;
    let style = Style { format: options.output, colour: options.color.is_on() };
    match what {
        Fabric::Status => status(&client, style)?,
        Fabric::Show { what, name, query, limit } => show(&client, &what, name.as_deref(), &query, limit, style)?,
        Fabric::Explain { from, to } => explain::explain(&client, &from, to.as_deref(), style)?,
        Fabric::WhatIf { links, switches, groups } => {
            let body = json!({ "links": links, "switches": switches, "groups": groups });
            let found = client.send("POST", "/api/v1/what-if", body)?;
            print!("{}", explain::what_if(&found, style));
        }
        Fabric::Drain { names, force } => service::drain(&client, &names, force, style)?,
        Fabric::Restore { names } => service::restore(&client, &names)?,
        Fabric::Set { settings } => set(&client, &settings)?,
        Fabric::Apply { files, dry_run } => return documents::apply(&client, &files, dry_run),
        Fabric::Diff { files } => return documents::diff(&client, &files, style),
        Fabric::Export { kinds } => return documents::export(&client, &kinds, style),
        Fabric::Delete { kind, name } => {
            client.send("DELETE", &format!("/api/v1/{kind}/{name}"), Value::Null)?;
            println!("deleted: {kind} {name}");
        }
        Fabric::Do { what, action } => {
            client.send("POST", &format!("/api/v1/{what}/{action}"), Value::Null)?;
            println!("done: {what} {action}");
        }
        Fabric::Certificates { what } => secrets::certificates(&client, what, style)?,
        Fabric::Tokens { what } => secrets::tokens(&client, what, style)?,
        Fabric::Log { level } => {
            let found = match level {
                Some(level) => client.send("PATCH", "/api/v1/log", json!({ "level": level }))?,
                None => client.get("/api/v1/log", &[])?,
            };
            print!("{}", answer("log", &found, style));
        }
        Fabric::ExportRoutes { file } => {
            let bytes = client.bytes("/api/v1/export/routes")?;
            let failed = |error| Failure(1, format!("cannot write {}: {error}", file.display()));
            std::fs::write(&file, &bytes).map_err(failed)?;
            println!("{}: {} bytes", file.display(), bytes.len());
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn status(client: &Client, style: Style) -> Result<(), Failure> {
    let status = client.get("/api/v1/status", &[])?;
    if matches!(style.format, Format::Json | Format::Yaml) {
        print!("{}", answer("status", &status, style));
        return Ok(());
    }
    let alarms = client.get("/api/v1/alarms", &[])?;
    print!("{}", status_screen(&status, &alarms, style.colour));
    Ok(())
}

fn show(
    client: &Client,
    what: &str,
    name: Option<&str>,
    query: &[String],
    limit: usize,
    style: Style,
) -> Result<(), Failure> {
    let mut pairs = query.iter().map(|text| pair(text)).collect::<Result<Vec<_>, _>>()?;
    let what = what.trim_matches('/');
    let path = name.map_or_else(|| format!("/api/v1/{what}"), |name| format!("/api/v1/{what}/{name}"));
    let found = if ["switches", "links", "ports", "alarms", "flaps"].contains(&what) && name.is_none() {
        if !pairs.iter().any(|(key, _)| key == "limit") {
            pairs.push(("limit".to_owned(), limit.clamp(1, 100_000).to_string()));
        }
        let (items, mut rest) = all(client, &path, &pairs, limit)?;
        rest.insert("items".to_owned(), Value::Array(items));
        Value::Object(rest)
    } else {
        client.get(&path, &pairs)?
    };
    let list = what.split('/').next().unwrap_or(what);
    print!("{}", answer(list, &found, style));
    Ok(())
}

fn set(client: &Client, settings: &[String]) -> Result<(), Failure> {
    let mut changes = Map::new();
    for text in settings {
        let (name, value) = pair(text)?;
        let number = value.parse::<u64>();
        let number = number.map_err(|_| Failure(2, format!("{text}: a whole number would work, such as {name}=5")))?;
        changes.insert(name, json!(number));
    }
    client.send("PATCH", "/api/v1/settings", Value::Object(changes))?;
    println!("set: {}", settings.join(", "));
    Ok(())
}

fn pair(text: &str) -> Result<(String, String), Failure> {
    let pair = text.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned()));
    pair.ok_or_else(|| Failure(2, format!("'{text}' is not KEY=VALUE")))
}
