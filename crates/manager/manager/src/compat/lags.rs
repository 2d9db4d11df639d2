//! `/fabric/lags`: link aggregation groups in the vendor's form, a table of groups by number or
//! name.

use philae_policy::{Document, DocumentChange, DocumentKind, LacpTimeout, LagMode, LagSpec, Spec, is_name};
use serde_json::{Value, json};

use crate::compat::envelope::{kept, listed, made, name_of, only};
use crate::documents::lookup::existing;
use crate::manager::Manager;
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;

type Answer = Result<Reply, ApiProblem>;

const KEYS: [&str; 5] = ["portLinks", "dmacs", "lagFeatureMode", "lacpMode", "lacpTimeout"];

fn link(name: &str) -> String {
    format!("/fabric/lags/{name}")
}

fn document(manager: &Manager, found: &Document) -> Value {
    let Spec::Lag(spec) = &found.spec else { return Value::Null };
    let jack = |name: &String| {
        manager
            .fabric
            .port_by_name(name)
            .map_or_else(|_| name.clone(), |port| crate::compat::ports::jack(&manager.fabric, port))
    };
    let (feature, mode) = match spec.mode {
        LagMode::LacpActive => ("DYNAMIC", "ACTIVE"),
        LagMode::LacpPassive => ("DYNAMIC", "PASSIVE"),
        LagMode::Static => ("LAG", "STATIC"),
    };
    let timeout = match spec.lacp_timeout {
        LacpTimeout::Long => "LONG",
        LacpTimeout::Short => "SHORT",
    };
    let one = json!({
        "portLinks": spec.port_links.iter().map(|name| format!("/fabric/ports/{}", jack(name))).collect::<Vec<_>>(),
        "dmacs": [],
        "lagFeatureMode": feature,
        "lacpMode": mode,
        "lacpTimeout": timeout,
    });
    let mut map = serde_json::Map::new();
    map.insert(found.name.clone(), one);
    kept(manager, "lag", &link(&found.name), &found.reference(), json!({ "lagPropertyMap": map }))
}

/// `GET /fabric/lags`
pub fn list(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let links: Vec<String> = manager.documents.set().of(DocumentKind::Lag).map(|found| link(&found.name)).collect();
    listed(manager, request, &links)
}

/// `GET /fabric/lags/{name}`
pub fn get(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let found = existing(&manager.documents, DocumentKind::Lag, request.capture("name"))?;
    Ok(Reply::Json(document(manager, &found)))
}

/// Reads one group of the table.
fn read(manager: &Manager, name: &str, value: &Value) -> Result<Document, ApiProblem> {
    let at = |key: &str, found: &Value, works: &str| {
        ApiProblem::bad_request(format!("lagPropertyMap.{name}.{key} is {found}; {works} would work"))
    };
    if !is_name(name) {
        return Err(ApiProblem::bad_request(format!("lagPropertyMap has '{name}'; a number or a name would work")));
    }
    let fields = value.as_object().ok_or_else(|| at("", value, "an object"))?;
    if let Some(unknown) = fields.keys().find(|key| !KEYS.contains(&key.as_str())) {
        let known = KEYS.join(", ");
        return Err(ApiProblem::bad_request(format!(
            "lagPropertyMap.{name} has no key '{unknown}'; there are: {known}"
        )));
    }
    let field = |key: &str| fields.get(key).filter(|value| !value.is_null());
    let word = |key: &str| field(key).map(|found| found.as_str().unwrap_or("").to_uppercase());
    let dmacs = field("dmacs").cloned().unwrap_or(json!([]));
    if dmacs.as_array().is_none_or(|list| !list.is_empty()) {
        return Err(at("dmacs", &dmacs, "[], since a group here has the addresses of its ports and none of its own,"));
    }
    let feature = word("lagFeatureMode");
    let mode = match (feature.as_deref(), word("lacpMode").as_deref()) {
        (Some("LAG" | "STATIC") | None, Some("STATIC")) | (Some("LAG" | "STATIC"), None) => LagMode::Static,
        (Some("DYNAMIC" | "LAG") | None, Some("ACTIVE")) | (Some("DYNAMIC") | None, None) => LagMode::LacpActive,
        (Some("DYNAMIC" | "LAG") | None, Some("PASSIVE")) => LagMode::LacpPassive,
        (feature, mode) => {
            let found = json!(format!("{}, lagFeatureMode {}", mode.unwrap_or("absent"), feature.unwrap_or("absent")));
            return Err(at("lacpMode", &found, "ACTIVE or PASSIVE with DYNAMIC, STATIC with LAG,"));
        }
    };
    let lacp_timeout = match word("lacpTimeout").as_deref() {
        None | Some("LONG") => LacpTimeout::Long,
        Some("SHORT") => LacpTimeout::Short,
        Some(_) => return Err(at("lacpTimeout", &fields["lacpTimeout"], "LONG or SHORT")),
    };
    let ports = field("portLinks")
        .and_then(Value::as_array)
        .ok_or_else(|| at("portLinks", &Value::Null, "[\"/fabric/ports/JACK\"]"))?;
    let port = |found: &Value| {
        let jack = found.as_str().map(name_of).ok_or_else(|| at("portLinks", found, "\"/fabric/ports/JACK\""))?;
        manager.fabric.port_by_name(jack).map(|port| manager.port_name(port)).map_err(ApiProblem::bad_request)
    };
    let port_links = ports.iter().map(port).collect::<Result<Vec<_>, _>>()?;
    Ok(Document::new(name, Spec::Lag(LagSpec { port_links, mode, lacp_timeout })))
}

/// `POST /fabric/lags`: one group of the table.
pub fn post(manager: &mut Manager, request: &ApiRequest) -> Answer {
    only(request, &["lagPropertyMap"])?;
    let table = request.body.get("lagPropertyMap").and_then(Value::as_object).filter(|table| table.len() == 1);
    let table = table.ok_or_else(|| {
        ApiProblem::bad_request("the body lacks lagPropertyMap, or it has not one group: {\"lagPropertyMap\": {\"1\": {\"portLinks\": [...]}}} would work")
    })?;
    let (name, value) = table.iter().next().expect("there is one");
    let made_of = read(manager, name, value)?;
    if manager.documents.set().contains(&made_of.reference()) {
        return Err(ApiProblem::conflict(format!(
            "there is a LAG {name}; another name, or DELETE {} first, would work",
            link(name)
        )));
    }
    made(manager, request, DocumentChange::Put(made_of.clone()))?;
    Ok(Reply::Json(document(manager, &made_of)))
}

/// `DELETE /fabric/lags/{name}`
pub fn delete(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let found = existing(&manager.documents, DocumentKind::Lag, request.capture("name"))?;
    let shown = document(manager, &found);
    made(manager, request, DocumentChange::Delete(found.reference()))?;
    Ok(Reply::Json(shown))
}
