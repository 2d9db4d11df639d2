//! The manager begins operations and follows them.

use std::time::{Duration, Instant};

use philae_units::SwitchId;

use crate::clock::now_micros;
use crate::events::Happened;
use crate::manager::Manager;
use crate::operations::{EndCondition, Operation, OperationState, OperationView, Progress};
use crate::protocol::reply::{Answer, DeferredReply, Reply};
use crate::protocol::request::{ApiRequest, patience};

impl Manager {
    /// Begins an operation over devices. The answer is 202 and its location, or its end if the
    /// caller waits for that.
    pub(crate) fn begin_operation(
        &mut self,
        request: &ApiRequest,
        what: String,
        devices: Vec<SwitchId>,
        doing: EndCondition,
    ) -> Answer {
        let patience = patience(request)?;
        let number = self.open_operation(what, request.actor.name().to_owned(), devices, doing, None);
        self.control_loop.run();
        self.tick_operations();
        Ok(self.operation_answer(number, patience))
    }

    /// Begins an operation, and returns its number.
    pub(crate) fn open_operation(
        &mut self,
        what: String,
        actor: String,
        devices: Vec<SwitchId>,
        doing: EndCondition,
        revision: Option<u64>,
    ) -> u64 {
        self.requests.operations.begin(Operation {
            what,
            actor,
            doing,
            devices: devices.iter().map(|&switch| (switch, Progress::Waiting)).collect(),
            outstanding: devices.into(),
            state: OperationState::Running,
            revision,
            began_micros: now_micros(),
            ended_micros: None,
        })
    }

    /// The newest running operations, without their devices.
    pub(crate) fn operations_running(&self, most: usize) -> Vec<OperationView> {
        let (operations, sight) = (&self.requests.operations, (&*self.fabric, &self.control_loop.control));
        let running = operations.running.iter().rev().take(most);
        running.filter_map(|number| Some(operations.view(*number, operations.all.get(number)?, sight, 0))).collect()
    }

    /// Continues operations, and publishes those that ended.
    pub(crate) fn tick_operations(&mut self) {
        let now_ms = self.control_loop.now_ms();
        let ended = self.requests.operations.tick(&mut self.control_loop.control, now_ms);
        if ended.is_empty() {
            return;
        }
        self.control_loop.run();
        for number in ended {
            let name = self.requests.operations.name(number);
            let state =
                self.requests.operations.all.get(&number).map_or(OperationState::Done, |operation| operation.state);
            self.control_loop.publish(Happened::Operation { name, state: state.name() }, true);
        }
    }

    /// An operation in full, as it is answered.
    pub(crate) fn operation_view(&self, number: u64) -> Option<OperationView> {
        let operation = self.requests.operations.all.get(&number)?;
        Some(self.requests.operations.view(number, operation, (&self.fabric, &self.control_loop.control), usize::MAX))
    }

    /// The path of an operation.
    pub(crate) fn operation_location(&self, number: u64) -> String {
        format!("/api/v1/operations/{}", self.requests.operations.name(number))
    }

    fn operation_answer(&self, number: u64, patience: Option<Duration>) -> Reply {
        let view = self.operation_view(number).expect("it was just begun");
        let is_running = view.state == OperationState::Running;
        let reply = Reply::of(&view).status(202).location(self.operation_location(number));
        match patience {
            Some(_) if !is_running => Reply::of(&view).location(self.operation_location(number)),
            Some(patience) => {
                let until = Instant::now() + patience;
                Reply::Wait(Box::new(DeferredReply { operation: number, until, otherwise: reply, ended: None }))
            }
            None => reply,
        }
    }
}
