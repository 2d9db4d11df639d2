//! Links and switches out of service and back.

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
    print!("{}", what_if(&cost, style));
    if cost["after"]["unreachablePairs"].as_u64() > cost["before"]["unreachablePairs"].as_u64() && !force {
        return Err(Failure(
            2,
            "nothing was drained: pairs of switches would lose each other; --force does it".to_owned(),
        ));
    }
    order_all(client, &links, "drain")
}

/// `philae fabric restore`
pub fn restore(client: &Client, names: &[String]) -> Result<(), Failure> {
    order_all(client, &links(client, names)?, "restore")
}

fn order_all(client: &Client, links: &[String], what: &str) -> Result<(), Failure> {
    links.iter().try_for_each(|link| order(client, &format!("links/{link}"), what))
}

/// Orders something, and waits until the devices have done it.
pub fn order(client: &Client, what: &str, action: &str) -> Result<(), Failure> {
    // What is done to a simulation is done at once.
    let query = if what.starts_with("simulation/") { "" } else { "?wait=applied" };
    let found = client.send("POST", &format!("/api/v1/{what}/{action}{query}"), Value::Null)?;
    match found["state"].as_str() {
        Some(state) if state != "done" => {
            println!(
                "{state}: {what} {action}; philae fabric show operations/{}",
                found["name"].as_str().unwrap_or("?")
            );
        }
        _ => println!("done: {what} {action}"),
    }
    Ok(())
}
