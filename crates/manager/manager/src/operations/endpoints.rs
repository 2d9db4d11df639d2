//! Operations over the API.

use std::time::Instant;

use serde_json::Map;

use crate::manager::Manager;
use crate::operations::{EndCondition, OperationState, OperationView};
use crate::protocol::endpoint;
use crate::protocol::endpoint::{AFTER, ApiEndpoint, FIELDS, PAGE, SORT, TIMEOUT, WAIT, post};
use crate::protocol::list::{List, Listing, word};
use crate::protocol::problem::ApiProblem;
use crate::protocol::reply::{Answer, DeferredReply, Reply};
use crate::protocol::request::{ApiRequest, patience};
use crate::protocol::shape::of;

/// The endpoints of this resource.
pub const ENDPOINTS: &[ApiEndpoint] = &[
    endpoint::get(
        "/api/v1/operations",
        "Orders and changes that take time, newest first.",
        &[("state", "only these: running, done, failed, cancelled"), PAGE, AFTER, FIELDS, SORT],
        list,
    )
    .lines(of::<List<OperationView>>, of::<OperationView>)
    .errors(&[404]),
    endpoint::get("/api/v1/operations/{name}", "One operation, device by device.", &[WAIT, TIMEOUT], get)
        .json(of::<OperationView>)
        .errors(&[404]),
    post("/api/v1/operations/{name}/cancel", "Cancels an operation: it begins no more devices.", cancel)
        .json(of::<OperationView>)
        .errors(&[404, 409]),
];

/// `GET /api/v1/operations`
pub fn list(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let listing = Listing::of(request)?;
    let state = word(request, "state", &OperationState::ALL)?;
    let after = match &listing.after {
        Some(name) if !listing.is_sorted() => Some(manager.requests.operations.find(name)?),
        _ => None,
    };
    let sight = (&*manager.fabric, &manager.control_loop.control);
    let operations = &manager.requests.operations;
    // Newest first.
    let items: Vec<OperationView> = operations
        .all
        .iter()
        .rev()
        .filter(|(number, found)| {
            after.is_none_or(|after| **number < after) && state.is_none_or(|state| found.state == state)
        })
        .map(|(number, operation)| operations.view(*number, operation, sight, 100))
        .collect();
    listing.answer(items.into_iter(), |item| item.name.clone(), Map::new())
}

/// `GET /api/v1/operations/{name}`
pub fn get(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let number = manager.requests.operations.find(request.capture("name"))?;
    let patience = patience(request)?;
    manager.tick_operations();
    let view = manager.operation_view(number).expect("it was found above");
    match patience {
        Some(patience) if view.state == OperationState::Running => {
            let until = Instant::now() + patience;
            Ok(Reply::Wait(Box::new(DeferredReply {
                operation: number,
                until,
                otherwise: Reply::of(&view),
                ended: None,
            })))
        }
        _ => Ok(Reply::of(&view)),
    }
}

/// `POST /api/v1/operations/{name}/cancel`
pub fn cancel(manager: &mut Manager, request: &ApiRequest) -> Answer {
    let number = manager.requests.operations.find(request.capture("name"))?;
    let operation = manager.requests.operations.all.get_mut(&number).expect("it was found above");
    match (operation.state, operation.doing) {
        (OperationState::Running, EndCondition::Rolling { .. }) => operation.call_off(),
        (OperationState::Running, EndCondition::Apply) => {
            return Err(ApiProblem::conflict(
                "switches get the settings of documents as long as the documents exist; POST /api/v1/rollback would undo them",
            ));
        }
        (OperationState::Running, EndCondition::Drain(_) | EndCondition::DrainSwitch(_)) => {
            return Err(ApiProblem::conflict("restoring it would work"));
        }
        (OperationState::Running, EndCondition::Restore(_) | EndCondition::RestoreSwitch(_)) => {
            return Err(ApiProblem::conflict("draining it would work"));
        }
        (state, _) => {
            let name = request.capture("name");
            return Err(ApiProblem::conflict(format!("operation {name} has ended: it is {}", state.name())));
        }
    }
    manager.tick_operations();
    Ok(Reply::of(&manager.operation_view(number).expect("it was found above")))
}
