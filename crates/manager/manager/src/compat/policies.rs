//! `/fabric/port-policies`: the same policies, with the view's names of fields.

use philae_policy::{
    AutoRetry, Choice, Document, DocumentChange, DocumentKind, DocumentRef, FlowControl, HeadShellReset, Loopback,
    PortPolicySpec, PortSettings, PortState, Spec, Speed,
};
use serde_json::{Map, Value, json};

use crate::compat::envelope::{kept, listed, made, name_of, only, text};
use crate::documents::lookup::existing;
use crate::manager::Manager;
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;

type Answer = Result<Reply, ApiProblem>;

const KEYS: [&str; 12] = [
    "speed",
    "autoneg",
    "state",
    "loopback",
    "precode",
    "flowControl",
    "mac",
    "autoRetry",
    "headShellReset",
    "allowedVlans",
    "nativeVlanId",
    "isUntaggedAllowed",
];

fn link(name: &str) -> String {
    format!("/fabric/port-policies/{name}")
}

/// `GET /fabric/port-policies`
pub fn list(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let links: Vec<String> =
        manager.documents.set().of(DocumentKind::PortPolicy).map(|found| link(&found.name)).collect();
    listed(manager, request, &links)
}

fn document(manager: &Manager, policy: &Document) -> Value {
    let Spec::PortPolicy(spec) = &policy.spec else { return Value::Null };
    let settings = &spec.settings;
    let mut fields = Map::new();
    let mut say = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            fields.insert(key.to_owned(), value);
        }
    };
    let upper = |value: Value| json!(value.as_str().unwrap_or("").to_uppercase());
    say("speed", settings.speed.map(|speed| json!(speed)));
    say("autoneg", settings.autoneg.map(|on| json!(on)));
    say("state", settings.state.map(|state| upper(json!(state))));
    say("loopback", settings.loopback.map(|loopback| upper(json!(loopback))));
    say("precode", settings.precode.map(|precode| upper(json!(precode))));
    let flow = &settings.flow_control;
    say("flowControl", (*flow != FlowControl::default()).then(|| json!({ "rx": flow.rx, "tx": flow.tx })));
    say("mac", settings.mac.as_ref().map(|mac| json!(mac)));
    let retry = &settings.auto_retry;
    let retry_value = json!({
        "enabled": retry.enabled.unwrap_or(true),
        "always": retry.always.unwrap_or(false),
        "num_retries": retry.num_retries.unwrap_or(3),
        "duration_sec": retry.duration_seconds.unwrap_or(60),
    });
    // Clients expect an object here, so an absent setting is an empty object.
    say("autoRetry", Some(if *retry == AutoRetry::default() { json!({}) } else { retry_value }));
    say("headShellReset", Some(settings.head_shell_reset.same.map_or(json!({}), |same| json!({ "same": same }))));
    let vlan = |id: &u16| json!(format!("/fabric/vlans/{id}"));
    say("allowedVlans", settings.allowed_vlans.as_ref().map(|vlans| vlans.iter().map(vlan).collect()));
    say("nativeVlanId", settings.native_vlan.as_ref().map(vlan));
    say("isUntaggedAllowed", settings.untagged_allowed.map(|allowed| json!(allowed)));
    let reference = DocumentRef::new(DocumentKind::PortPolicy, &policy.name);
    kept(manager, "port-policy", &link(&policy.name), &reference, Value::Object(fields))
}

/// `GET /fabric/port-policies/{name}`
pub fn get(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let policy = existing(&manager.documents, DocumentKind::PortPolicy, request.capture("name"))?;
    Ok(Reply::Json(document(manager, &policy)))
}

/// The policies of another kind: their settings have our own names.
fn others(manager: &Manager, request: &ApiRequest, kind: DocumentKind) -> Answer {
    let path = format!("/fabric/{}", kind.plural());
    let links: Vec<String> = manager.documents.set().of(kind).map(|found| format!("{path}/{}", found.name)).collect();
    listed(manager, request, &links)
}

fn other(manager: &Manager, request: &ApiRequest, kind: DocumentKind) -> Answer {
    let policy = existing(&manager.documents, kind, request.capture("name"))?;
    let (selector, priority, mut fields) = match &policy.spec {
        Spec::SwitchPolicy(spec) => (json!(spec.selector), spec.priority, json!(spec.settings)),
        Spec::LinkPolicy(spec) => (json!(spec.selector), spec.priority, json!(spec.settings)),
        _ => return Err(ApiProblem::conflict("this is no policy")),
    };
    fields["selector"] = selector;
    fields["priority"] = json!(priority);
    let link = format!("/fabric/{}/{}", kind.plural(), policy.name);
    Ok(Reply::Json(kept(manager, kind.singular(), &link, &policy.reference(), fields)))
}

/// `GET /fabric/switch-policies`
pub fn switch_policies(manager: &mut Manager, request: &ApiRequest) -> Answer {
    others(manager, request, DocumentKind::SwitchPolicy)
}

/// `GET /fabric/switch-policies/{name}`
pub fn switch_policy(manager: &mut Manager, request: &ApiRequest) -> Answer {
    other(manager, request, DocumentKind::SwitchPolicy)
}

/// `GET /fabric/link-policies`
pub fn link_policies(manager: &mut Manager, request: &ApiRequest) -> Answer {
    others(manager, request, DocumentKind::LinkPolicy)
}

/// `GET /fabric/link-policies/{name}`
pub fn link_policy(manager: &mut Manager, request: &ApiRequest) -> Answer {
    other(manager, request, DocumentKind::LinkPolicy)
}

fn wrong(key: &str, found: &Value, works: &str) -> ApiProblem {
    ApiProblem::bad_request(format!("{key} is {found}; {works} would work"))
}

fn flag(key: &str, value: &Value) -> Result<bool, ApiProblem> {
    match value.as_str().map(str::to_uppercase).as_deref() {
        Some("ON" | "ENABLED" | "TRUE") => Ok(true),
        Some("OFF" | "DISABLED" | "FALSE") => Ok(false),
        _ => value.as_bool().ok_or_else(|| wrong(key, value, "true or false")),
    }
}

fn small(key: &str, value: &Value) -> Result<u16, ApiProblem> {
    value.as_u64().and_then(|number| number.try_into().ok()).ok_or_else(|| wrong(key, value, "a number up to 65535"))
}

/// A VLAN by its link, its number, or its number as text.
fn vlan(key: &str, value: &Value) -> Result<u16, ApiProblem> {
    let number = value.as_u64().and_then(|number| number.try_into().ok());
    let number = number.or_else(|| name_of(value.as_str()?).parse().ok());
    number.ok_or_else(|| wrong(key, value, "/fabric/vlans/7 or 7"))
}

fn word<T: Copy>(key: &str, value: &Value, words: &[(&str, T)]) -> Result<T, ApiProblem> {
    let found = value.as_str().map(str::to_uppercase);
    let known = words.iter().find(|(word, _)| found.as_deref() == Some(*word));
    let works: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    known.map(|(_, value)| *value).ok_or_else(|| wrong(key, value, &works.join(", ")))
}

/// Applies the settings in the body; null removes a setting of the policy.
fn lay(settings: &mut PortSettings, body: &Value) -> Result<(), ApiProblem> {
    let Some(body) = body.as_object() else { return Ok(()) };
    for (key, value) in body.iter().filter(|(key, _)| KEYS.contains(&key.as_str())) {
        let none = value.is_null();
        match key.as_str() {
            "speed" => {
                let speed: Option<Speed> = serde_json::from_value(value.clone())
                    .map_err(|_| wrong(key, value, "BS_200G, CK_400G and others of the documents' speeds"))?;
                settings.speed = speed;
            }
            "autoneg" => settings.autoneg = if none { None } else { Some(flag(key, value)?) },
            "state" => {
                let words = [("ONLINE", PortState::Online), ("OFFLINE", PortState::Offline)];
                settings.state = if none { None } else { Some(word(key, value, &words)?) };
            }
            "loopback" => {
                let words = [("NONE", Loopback::None), ("LOCAL", Loopback::Local), ("REMOTE", Loopback::Remote)];
                settings.loopback = if none { None } else { Some(word(key, value, &words)?) };
            }
            "precode" => {
                let words = [("ON", Choice::On), ("OFF", Choice::Off), ("AUTO", Choice::Auto)];
                settings.precode = if none { None } else { Some(word(key, value, &words)?) };
            }
            "flowControl" => {
                let part = |part: &str| value.get(part).filter(|value| !value.is_null()).map(|value| flag(part, value));
                settings.flow_control = FlowControl { rx: part("rx").transpose()?, tx: part("tx").transpose()? };
            }
            "mac" => settings.mac = value.as_str().map(str::to_owned),
            "autoRetry" => {
                let part = |part: &str| value.get(part).filter(|value| !value.is_null());
                settings.auto_retry = AutoRetry {
                    enabled: part("enabled").map(|value| flag("enabled", value)).transpose()?,
                    always: part("always").map(|value| flag("always", value)).transpose()?,
                    num_retries: part("num_retries").map(|value| small("num_retries", value)).transpose()?,
                    duration_seconds: part("duration_sec").map(|value| small("duration_sec", value)).transpose()?,
                };
            }
            "headShellReset" => {
                let same = value.get("same").filter(|value| !value.is_null());
                let same = same.map(|value| flag("same", value)).transpose()?;
                settings.head_shell_reset = HeadShellReset { same };
            }
            "allowedVlans" => {
                let vlans = value.as_array().map(|vlans| vlans.iter().map(|value| vlan(key, value)).collect());
                settings.allowed_vlans = vlans.transpose()?;
            }
            "nativeVlanId" => settings.native_vlan = if none { None } else { Some(vlan(key, value)?) },
            "isUntaggedAllowed" => settings.untagged_allowed = if none { None } else { Some(flag(key, value)?) },
            _ => unreachable!("keys were looked at above"),
        }
    }
    Ok(())
}

fn put_settings(manager: &mut Manager, request: &ApiRequest, name: &str, settings: PortSettings) -> Answer {
    let known = manager.documents.set().get(DocumentKind::PortPolicy, name).cloned();
    let mut policy = known.unwrap_or_else(|| Document::new(name, Spec::PortPolicy(PortPolicySpec::default())));
    if let Spec::PortPolicy(spec) = &mut policy.spec {
        spec.settings = settings;
    }
    made(manager, request, DocumentChange::Put(policy.clone()))?;
    Ok(Reply::Json(document(manager, &policy)))
}

/// `POST /fabric/port-policies`
pub fn post(manager: &mut Manager, request: &ApiRequest) -> Answer {
    only(request, &KEYS)?;
    let name = name_of(text(request, "documentSelfLink", "\"my-policy\"")?).to_owned();
    if manager.documents.set().get(DocumentKind::PortPolicy, &name).is_some() {
        return Err(ApiProblem::conflict(format!(
            "there is a port policy {name}; PUT or PATCH {} would work",
            link(&name)
        )));
    }
    let mut settings = PortSettings::default();
    lay(&mut settings, &request.body)?;
    put_settings(manager, request, &name, settings)
}

/// `PUT /fabric/port-policies/{name}`
pub fn put(manager: &mut Manager, request: &ApiRequest) -> Answer {
    only(request, &KEYS)?;
    let mut settings = PortSettings::default();
    lay(&mut settings, &request.body)?;
    put_settings(manager, request, request.capture("name"), settings)
}

/// `PATCH /fabric/port-policies/{name}`
pub fn patch(manager: &mut Manager, request: &ApiRequest) -> Answer {
    only(request, &KEYS)?;
    let policy = existing(&manager.documents, DocumentKind::PortPolicy, request.capture("name"))?;
    let Spec::PortPolicy(spec) = policy.spec else { return Err(ApiProblem::conflict("this is no port policy")) };
    let mut settings = spec.settings;
    lay(&mut settings, &request.body)?;
    put_settings(manager, request, &policy.name, settings)
}

/// `DELETE /fabric/port-policies/{name}`
pub fn delete(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let policy = existing(&manager.documents, DocumentKind::PortPolicy, request.capture("name"))?;
    let shown = document(manager, &policy);
    made(manager, request, DocumentChange::Delete(policy.reference()))?;
    Ok(Reply::Json(shown))
}
