//! Timers and limits over the API.

use philae_manager_core::ControlSettings;
use philae_policy::{Document, DocumentChange, DocumentKind, SettingSpec, SettingValue, Spec};
use serde_json::{Value, json};

use crate::documents::endpoints::change;
use crate::manager::Manager;
use crate::protocol::endpoint::{ApiEndpoint, any_json};
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::Reply;
use crate::protocol::request::ApiRequest;
use crate::tuning::OWN;

/// The endpoints of this resource.
pub const ENDPOINTS: &[ApiEndpoint] = &[
    any_json("GET", "/api/v1/settings", "Timers and limits, with their ranges.", settings),
    any_json("PATCH", "/api/v1/settings", "Changes timers and limits while the manager runs, durably.", set),
];

/// Name, value, least and most of a setting.
pub(crate) type Setting = (&'static str, u64, u64, u64);

/// `GET /api/v1/settings`
pub fn settings(manager: &mut Manager, _: &ApiRequest) -> Result<Reply, ApiProblem> {
    let defaults = ControlSettings::default().all();
    let setting = |((name, value, least, most), (_, default, ..)): (Setting, Setting)| json!({ "name": name, "value": value, "default": default, "least": least, "most": most });
    let all = manager.control_loop.control.settings().all().into_iter().zip(defaults);
    Ok(Reply::Json(json!({ "items": all.map(setting).collect::<Vec<_>>() })))
}

/// `PATCH /api/v1/settings`: changes the document `settings/manager`, so that the change outlives
/// the manager. Null restores the default.
pub fn set(manager: &mut Manager, request: &ApiRequest) -> Result<Reply, ApiProblem> {
    let Some(changes) = request.body.as_object() else {
        return Err(ApiProblem::bad_request("the body is not an object; {\"heartbeat_ms\": 5000} would work"));
    };
    let mut spec = match manager.documents.set().get(DocumentKind::Setting, OWN).map(|document| &document.spec) {
        Some(Spec::Setting(spec)) => spec.clone(),
        _ => SettingSpec::default(),
    };
    for (name, value) in changes {
        match (value, value.as_i64()) {
            (Value::Null, _) => {
                spec.values.remove(name);
            }
            (_, Some(number)) => {
                spec.values.insert(name.clone(), SettingValue::Number(number));
            }
            _ => return Err(ApiProblem::bad_request(format!("{name} is {value}; a whole number would work, or null"))),
        }
    }
    change(manager, request, DocumentChange::Put(Document::new(OWN, Spec::Setting(spec))))?;
    settings(manager, request)
}
