//! The programs of clients and servers.

use std::collections::VecDeque;

use philae_engine::RandomStream;
use philae_units::{Bytes, Picoseconds, RankId};

use super::Service;
use super::time::Law;
use crate::decimal::Decimal;
use crate::program::{Action, Op, OpHandle, Progress, RankProgram};
use crate::random::exponential;

/// Handles are `kind * 2^30 + number`.
const KIND_SHIFT: u32 = 30;
const NUMBER_MASK: u32 = (1 << KIND_SHIFT) - 1;

/// Requests and answers that this rank sends.
const KIND_SEND: u32 = 0;
/// Answers that a client waits for, requests that a server waits for.
const KIND_RECEIVE: u32 = 1;
/// A client's pause, a worker's service time.
const KIND_TIME: u32 = 2;

const fn handle(kind: u32, number: u32) -> OpHandle {
    OpHandle((kind << KIND_SHIFT) | (number & NUMBER_MASK))
}

/// Sends requests at its own rate. Memory is proportional to the unanswered requests.
pub(super) struct ServiceClient {
    server: u32,
    request: Bytes,
    response: Bytes,
    /// Mean gap between requests.
    gap_mean: Picoseconds,
    gaps: RandomStream,
    warm_up: u64,
    total: u64,
    /// Its number among the clients, and their count: requests of all clients are numbered
    /// alternately.
    place: (u32, u32),
    asked: u64,
    sent: u64,
    answered: u64,
}

impl ServiceClient {
    pub fn new(spec: &Service, server: u32, place: (u32, u32), total: u64, gaps: RandomStream) -> Self {
        let gap_mean = 1_000_000_000_000 * u128::from(Decimal::ONE) / u128::from(spec.rate().millionths());
        Self {
            server,
            request: spec.request(),
            response: spec.response(),
            gap_mean: Picoseconds(u64::try_from(gap_mean).unwrap_or(u64::MAX)),
            gaps,
            warm_up: spec.warm_up.into(),
            total,
            place,
            asked: 0,
            sent: 0,
            answered: 0,
        }
    }

    /// Waits for the time of the next request, if one follows.
    fn pause(&mut self, actions: &mut Vec<Action>) {
        if self.asked < self.total {
            let time = (u128::from(self.gap_mean.0) * u128::from(exponential(&mut self.gaps))) >> 32;
            let time = Picoseconds(u64::try_from(time).unwrap_or(u64::MAX));
            actions.push(Action::Start(handle(KIND_TIME, 0), Op::Delay { time }));
        }
    }

    /// The iteration of a request, unless it belongs to the warm-up.
    fn iteration(&self, request: u64) -> Option<u32> {
        let (place, clients) = self.place;
        let counted = request.checked_sub(self.warm_up)?;
        Some(counted.wrapping_mul(u64::from(clients)).wrapping_add(u64::from(place)) as u32)
    }

    fn ask(&mut self, actions: &mut Vec<Action>) {
        let request = self.asked;
        self.asked += 1;
        // The next request is due at its own time, whatever the core does for this one.
        self.pause(actions);
        actions.extend(self.iteration(request).map(Action::IterationStart));
        let (server, tag) = (RankId(self.server), request as u32);
        let answer = Op::Recv { from: Some(server), bytes: self.response, tag: Some(tag) };
        actions.push(Action::Start(handle(KIND_RECEIVE, tag), answer));
        let ask = Op::Send { to: server, bytes: self.request, tag, class: None };
        actions.push(Action::Start(handle(KIND_SEND, tag), ask));
    }

    /// The request of an answer's handle: the latest one with this number.
    fn request_of(&self, number: u32) -> u64 {
        let back = (self.asked as u32).wrapping_sub(1).wrapping_sub(number) & NUMBER_MASK;
        self.asked - 1 - u64::from(back)
    }
}

impl RankProgram for ServiceClient {
    fn advance(&mut self, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress {
        match completed.map(|handle| (handle.0 >> KIND_SHIFT, handle.0 & NUMBER_MASK)) {
            None => self.pause(actions),
            Some((KIND_TIME, _)) => self.ask(actions),
            Some((KIND_RECEIVE, number)) => {
                self.answered += 1;
                actions.extend(self.iteration(self.request_of(number)).map(Action::IterationEnd));
            }
            Some(_) => self.sent += 1,
        }
        if self.answered == self.total && self.sent == self.total { Progress::Finished } else { Progress::Running }
    }
}

/// Serves in order of arrival. Memory is proportional to clients, workers and waiting requests.
pub(super) struct ServiceServer {
    clients: Vec<Asker>,
    request: Bytes,
    response: Bytes,
    law: Law,
    times: RandomStream,
    /// The client and request of each worker.
    workers: Vec<Option<(u32, u32)>>,
    idle: Vec<u32>,
    queue: VecDeque<(u32, u32)>,
    /// Requests of each client.
    total: u64,
    answers_started: u64,
    answers_sent: u64,
}

struct Asker {
    rank: u32,
    /// Receives that have been posted.
    expected: u64,
}

impl ServiceServer {
    pub fn new(spec: &Service, clients: Vec<u32>, total: u64, times: RandomStream) -> Self {
        let workers = spec.workers();
        Self {
            clients: clients.into_iter().map(|rank| Asker { rank, expected: 0 }).collect(),
            request: spec.request(),
            response: spec.response(),
            law: spec.service_time().law(),
            times,
            workers: vec![None; workers as usize],
            idle: (0..workers).rev().collect(),
            queue: VecDeque::new(),
            total,
            answers_started: 0,
            answers_sent: 0,
        }
    }

    /// Waits for the next request of a client, if one follows.
    fn expect(&mut self, client: u32, actions: &mut Vec<Action>) {
        let asker = &mut self.clients[client as usize];
        if asker.expected < self.total {
            let (from, tag) = (Some(RankId(asker.rank)), Some(asker.expected as u32));
            let op = Op::Recv { from, bytes: self.request, tag };
            actions.push(Action::Start(handle(KIND_RECEIVE, client), op));
            asker.expected += 1;
        }
    }

    /// Gives waiting requests to idle workers.
    fn work(&mut self, actions: &mut Vec<Action>) {
        while let (Some(&worker), Some(request)) = (self.idle.last(), self.queue.front().copied()) {
            self.idle.pop();
            self.queue.pop_front();
            self.workers[worker as usize] = Some(request);
            let time = self.law.draw(&mut self.times);
            actions.push(Action::Start(handle(KIND_TIME, worker), Op::Delay { time }));
        }
    }

    fn answer(&mut self, worker: u32, actions: &mut Vec<Action>) {
        let (client, tag) = self.workers[worker as usize].take().expect("a worker ends what it has begun");
        self.idle.push(worker);
        let to = RankId(self.clients[client as usize].rank);
        let op = Op::Send { to, bytes: self.response, tag, class: None };
        actions.push(Action::Start(handle(KIND_SEND, self.answers_started as u32), op));
        self.answers_started += 1;
    }
}

impl RankProgram for ServiceServer {
    fn advance(&mut self, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress {
        match completed.map(|handle| (handle.0 >> KIND_SHIFT, handle.0 & NUMBER_MASK)) {
            None => (0..self.clients.len() as u32).for_each(|client| self.expect(client, actions)),
            Some((KIND_RECEIVE, client)) => {
                let number = self.clients[client as usize].expected - 1;
                self.queue.push_back((client, number as u32));
                self.work(actions);
                self.expect(client, actions);
            }
            Some((KIND_TIME, worker)) => {
                self.answer(worker, actions);
                self.work(actions);
            }
            Some(_) => self.answers_sent += 1,
        }
        let all = self.total.saturating_mul(self.clients.len() as u64);
        if self.answers_sent == all { Progress::Finished } else { Progress::Running }
    }
}
