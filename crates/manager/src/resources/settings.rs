//! Timers and limits.

use serde_json::json;

use super::Answer;
use crate::api::{Reply, Request};
use crate::manager::Manager;
use crate::problem::Problem;

/// `GET /api/v1/settings`
pub fn settings(manager: &mut Manager, _: &Request) -> Answer {
    let all = manager.plant.control.settings().all();
    let setting = |(name, value, least, most): (&str, u64, u64, u64)| json!({ "name": name, "value": value, "least": least, "most": most });
    Ok(Reply::Json(json!({ "items": all.into_iter().map(setting).collect::<Vec<_>>() })))
}

/// `PATCH /api/v1/settings`
pub fn set(manager: &mut Manager, request: &Request) -> Answer {
    let Some(changes) = request.body.as_object() else {
        return Err(Problem::bad_request("the body is no object; {\"heartbeat_ms\": 5000} would work"));
    };
    let mut settings = *manager.plant.control.settings();
    for (name, value) in changes {
        let number = value.as_u64();
        let number =
            number.ok_or_else(|| Problem::bad_request(format!("{name} is {value}; a whole number would work")))?;
        settings.set(name, number).map_err(Problem::bad_request)?;
    }
    // All of them are right: now they count.
    for (name, value) in changes {
        let value = value.as_u64().expect("it was looked at above");
        manager.plant.control.set(name, value).map_err(Problem::bad_request)?;
    }
    self::settings(manager, request)
}
