//! Takes links and switches out of service, and returns them.

use philae_console::out;
use serde_json::{Value, json};

use super::explain::{FailureCost, what_if};
use super::http::{HttpClient, all};
use super::render::Style;
use philae_manager_api::Failure;

/// Whether a text could be the kind in a path.
fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}

/// The things that names mean.
#[derive(Default)]
struct Named {
    /// Links, each by one of its ports.
    links: Vec<String>,
    switches: Vec<String>,
}

/// The kind before the first slash, if there is one, and the name.
fn with_kind(text: &str) -> (Option<&str>, &str) {
    const KINDS: [&str; 5] = ["switches", "ports", "links", "nics", "nodes"];
    let split = text.split_once('/').filter(|(kind, _)| KINDS.contains(kind));
    split.map_or((None, text), |(kind, name)| (Some(kind), name))
}

/// The meaning of a name, from the manager: an xname first, else a label. A kind may precede it.
pub fn resolve(client: &HttpClient, text: &str) -> Result<Value, Failure> {
    let (kind, name) = with_kind(text);
    let mut query = vec![("name".to_owned(), name.to_owned())];
    query.extend(kind.map(|kind| ("kind".to_owned(), kind.to_owned())));
    client.get("/api/v1/names", &query)
}

/// The text of a field of a name's meaning.
pub fn field(found: &Value, key: &str) -> String {
    found[key].as_str().unwrap_or_default().to_owned()
}

impl Named {
    /// Finds ports and switches by names or patterns; the kind from the API's paths may precede
    /// them.
    fn find(client: &HttpClient, names: &[String]) -> Result<Self, Failure> {
        let mut found = Self::default();
        for text in names {
            if let Some((of, _)) = text.split_once('/').filter(|(of, _)| is_word(of))
                && !["links", "ports", "switches"].contains(&of)
            {
                let works = "links/NAME, switches/NAME or a name alone would work";
                return Err(Failure(2, format!("'{text}': {of} cannot be drained; {works}")));
            }
            let (of, name) = with_kind(text);
            if name.contains(['*', '?', '[']) {
                found.matching(client, of, text, name)?;
                continue;
            }
            let meant = resolve(client, text)?;
            match (meant["kind"].as_str(), meant["port"].as_str()) {
                (Some("switches"), _) => found.switches.push(field(&meant, "name")),
                (_, Some(port)) => found.links.push(port.to_owned()),
                _ => {
                    return Err(Failure(
                        2,
                        format!("'{text}' is neither a port nor a switch; one of its NICs would work"),
                    ));
                }
            }
        }
        Ok(found)
    }

    fn matching(&mut self, client: &HttpClient, of: Option<&str>, text: &str, pattern: &str) -> Result<(), Failure> {
        let before = self.links.len() + self.switches.len();
        for (list, into) in [("switches", &mut self.switches), ("links", &mut self.links)] {
            if of.is_none_or(|of| of == list || (of == "ports" && list == "links")) {
                let query = [("name".to_owned(), pattern.to_owned()), ("fields".to_owned(), "name".to_owned())];
                let (items, _) = all(client, &format!("/api/v1/{list}"), &query, usize::MAX)?;
                into.extend(items.iter().filter_map(|item| item["name"].as_str()).map(str::to_owned));
            }
        }
        if self.links.len() + self.switches.len() == before {
            return Err(Failure(2, format!("'{text}' matches no switch and no link")));
        }
        Ok(())
    }

    /// All links, including those of the switches.
    fn all_links(&self, client: &HttpClient) -> Result<Vec<String>, Failure> {
        let mut links = self.links.clone();
        for name in &self.switches {
            let switch = client.get(&format!("/api/v1/switches/{name}"), &[])?;
            let ports = switch["ports"].as_array().into_iter().flatten();
            let fabric =
                ports.filter(|port| ["local", "global", "up", "down"].iter().any(|role| port["role"] == *role));
            links.extend(fabric.filter_map(|port| port["name"].as_str()).map(str::to_owned));
        }
        Ok(links)
    }
}

/// `philae fabric drain`
pub fn drain(client: &HttpClient, names: &[String], force: bool, style: Style) -> Result<(), Failure> {
    let named = Named::find(client, names)?;
    let cost = client.send("POST", "/api/v1/what-if", json!({ "links": named.all_links(client)? }))?;
    if !style.is_data() {
        philae_console::print(&what_if(&cost, FailureCost::Drain, style))?;
    }
    let rises = |key: &str| cost["after"][key].as_u64() > cost["before"][key].as_u64();
    if (rises("unreachablePairs") || rises("nicsCutOff")) && !force {
        let count = |key: &str| {
            let of = |when: &str| cost[when][key].as_u64().unwrap_or(0);
            of("after").saturating_sub(of("before"))
        };
        let pairs = philae_manager_api::counted(count("unreachablePairs"), "pair", "s");
        let nics = philae_manager_api::counted(count("nicsCutOff"), "NIC", "s");
        let why = format!("{pairs} of switches would lose each other, and {nics} be cut off; --force does it");
        return Err(Failure(2, format!("nothing was drained: {why}")));
    }
    order_all(client, &named, "drain", Some(cost), style)
}

/// `philae fabric restore`
pub fn restore(client: &HttpClient, names: &[String], style: Style) -> Result<(), Failure> {
    order_all(client, &Named::find(client, names)?, "restore", None, style)
}

/// Sends one order for each switch and for each link. Programs get one document, with the cost if
/// there is one.
fn order_all(client: &HttpClient, named: &Named, what: &str, cost: Option<Value>, style: Style) -> Result<(), Failure> {
    let mut orders = Vec::new();
    let paths = named.switches.iter().map(|name| format!("switches/{name}"));
    for path in paths.chain(named.links.iter().map(|name| format!("links/{name}"))) {
        // The cost was computed for all of them together.
        let force = if what == "drain" && path.starts_with("switches/") { "&force=true" } else { "" };
        let found = client.send("POST", &format!("/api/v1/{path}/{what}?wait=applied{force}"), Value::Null)?;
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

/// Sends an order, and waits until the devices have carried it out.
pub fn order(client: &HttpClient, what: &str, action: &str, style: Style) -> Result<(), Failure> {
    const LINK: [&str; 3] = ["release", "drain", "restore"];
    const SWITCH: [&str; 5] = ["maintenance", "resume", "reboot", "drain", "restore"];
    let is_path = what.split_once('/').is_some_and(|(kind, _)| is_word(kind));
    let what = if let (true, (Some(kind), name)) = (is_path, with_kind(what)) {
        // A label cannot stand in a path.
        let meant = resolve(client, &format!("{kind}/{name}"))?;
        let key = if kind == "switches" { "name" } else { "port" };
        format!("{kind}/{}", field(&meant, key))
    } else if is_path {
        what.to_owned()
    } else {
        let named = Named::find(client, &[what.to_owned()])?;
        match (named.switches.as_slice(), named.links.as_slice()) {
            ([switch], []) => format!("switches/{switch}"),
            ([], [link]) => format!("links/{link}"),
            _ => return Err(Failure(2, format!("'{what}' matches several; the full name of one would work"))),
        }
    };
    let known: &[&str] = match what.rsplit_once('/').map(|(kind, _)| kind) {
        Some("links") => &LINK,
        Some("switches") => &SWITCH,
        Some("simulation/links") => &["cut", "mend", "exchange/PORT"],
        Some("simulation/switches") => &["off", "on", "firmware/HOW"],
        Some("simulation/ports") => &["pause", "unpause"],
        _ => &[],
    };
    let is_like = |known: &str| known.split('/').next() == action.split('/').next();
    if !known.is_empty() && !known.iter().any(|known| is_like(known)) {
        let listed = known.join(", ");
        return Err(Failure(2, format!("'{action}' is not an action on {what}; {listed} would work")));
    }
    let found = send(client, &what, action)?;
    style.tell(&found, &words(&what, action, &found))
}

/// Adds links and switches by names and patterns to those that are named by kind.
pub fn add_named(
    client: &HttpClient,
    names: &[String],
    links: &mut Vec<String>,
    switches: &mut Vec<String>,
) -> Result<(), Failure> {
    let named = Named::find(client, names)?;
    links.extend(named.links);
    switches.extend(named.switches);
    Ok(())
}

fn send(client: &HttpClient, what: &str, action: &str) -> Result<Value, Failure> {
    // An order to a simulation has its effect immediately.
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
