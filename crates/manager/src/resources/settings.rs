//! Timers and limits.

use schemars::JsonSchema;
use serde::Serialize;

use super::Answer;
use crate::api::Request;
use crate::manager::Manager;
use crate::problem::Problem;
use crate::reply::Reply;

/// One timer or limit.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Setting", deny_unknown_fields)]
pub struct SettingRow {
    /// Its name; its unit is in it.
    pub name: &'static str,
    /// What it is.
    pub value: u64,
    /// The smallest that it can be.
    pub least: u64,
    /// The largest that it can be.
    pub most: u64,
}

/// All timers and limits.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SettingList {
    /// Each of them.
    pub items: Vec<SettingRow>,
}

/// `GET /api/v1/settings`
pub fn settings(manager: &mut Manager, _: &Request) -> Answer {
    let all = manager.plant.control.settings().all().into_iter();
    let items = all.map(|(name, value, least, most)| SettingRow { name, value, least, most }).collect();
    Ok(Reply::of(&SettingList { items }))
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
