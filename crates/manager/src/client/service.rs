//! Links and switches out of service and back.

use philae_console::out;
use serde_json::{Value, json};

use super::explain::what_if;
use super::http::Client;
use super::render::Style;
use crate::Failure;

/// Ports of the links that names mean: a port its own, a switch all of its links to other switches.
fn links(client: &Client, names: &[String]) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    for name in names {
        // A port is one of a switch, whose names say which is which.
        let switch = match client.get(&format!("/api/v1/ports/{name}"), &[]) {
            Ok(_) => {
                found.push(name.clone());
                continue;
            }
            Err(port) => client.get(&format!("/api/v1/switches/{name}"), &[]).map_err(|switch| {
                Failure(2, format!("'{name}' is neither a port ({}) nor a switch ({})", port.1, switch.1))
            })?,
        };
        let ports = switch["ports"].as_array().into_iter().flatten();
        let fabric = ports.filter(|port| ["local", "global", "up", "down"].iter().any(|role| port["role"] == *role));
        found.extend(fabric.filter_map(|port| port["name"].as_str()).map(str::to_owned));
    }
    Ok(found)
}

/// `philae fabric drain`
pub fn drain(client: &Client, names: &[String], force: bool, style: Style) -> Result<(), Failure> {
    let links = links(client, names)?;
    let cost = client.send("POST", "/api/v1/what-if", json!({ "links": links }))?;
    if !style.is_data() {
        philae_console::print(&what_if(&cost, style))?;
    }
    if cost["after"]["unreachablePairs"].as_u64() > cost["before"]["unreachablePairs"].as_u64() && !force {
        return Err(Failure(
            2,
            "nothing was drained: pairs of switches would lose each other; --force does it".to_owned(),
        ));
    }
    order_all(client, &links, "drain", Some(cost), style)
}

/// `philae fabric restore`
pub fn restore(client: &Client, names: &[String], style: Style) -> Result<(), Failure> {
    order_all(client, &links(client, names)?, "restore", None, style)
}

/// Orders the same of links, one after the other; programs get one document, with the cost where it was asked for.
fn order_all(client: &Client, links: &[String], what: &str, cost: Option<Value>, style: Style) -> Result<(), Failure> {
    let mut orders = Vec::new();
    for link in links {
        let path = format!("links/{link}");
        let found = send(client, &path, what)?;
        if style.is_data() {
            orders.push(found);
        } else {
            out!("{}", words(&path, what, &found));
        }
    }
    if !style.is_data() {
        return Ok(());
    }
    let document = match cost {
        Some(cost) => json!({ "cost": cost, "operations": orders }),
        None => json!({ "operations": orders }),
    };
    style.tell(&document, "")
}

/// Orders something, and waits until the devices have done it.
pub fn order(client: &Client, what: &str, action: &str, style: Style) -> Result<(), Failure> {
    let found = send(client, what, action)?;
    style.tell(&found, &words(what, action, &found))
}

fn send(client: &Client, what: &str, action: &str) -> Result<Value, Failure> {
    // What is done to a simulation is done at once.
    let query = if what.starts_with("simulation/") { "" } else { "?wait=applied" };
    client.send("POST", &format!("/api/v1/{what}/{action}{query}"), Value::Null)
}

fn words(what: &str, action: &str, found: &Value) -> String {
    match found["state"].as_str() {
        Some(state) if state != "done" => {
            let name = found["name"].as_str().unwrap_or("?");
            format!("{state}: {what} {action}; philae fabric show operations/{name}")
        }
        _ => format!("done: {what} {action}"),
    }
}
