//! The thread with the manager's event loop, and the requests to it.
//!
//! No request blocks it. Another thread admits and writes documents, long answers are made where
//! they are sent, and a request that panics gets an error of its own.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use crate::api;
use crate::documents::pending::overdue;
use crate::manager::Manager;
use crate::measured::ThreadCounters;
use crate::protocol::problem::{ApiProblem, ProblemCode};
use crate::protocol::reply::{Answer, DeferredReply, Reply, Then, Work};
use crate::protocol::request::ApiRequest;
use crate::routing::is_change;

/// Requests that wait for the event loop; more are refused.
///
/// Source: ours. Status: assumed.
const QUESTIONS_MAX: usize = 4_096;
/// Changes that wait for the previous one.
///
/// Source: ours. Status: assumed.
const CHANGES_MAX: usize = 1_024;
/// Requests that are answered before agents' events are processed again.
///
/// Source: ours. Status: assumed.
const TURN: usize = 256;
/// The longest time between checks of what is due, milliseconds.
///
/// Source: ours. Status: assumed.
const IDLE_MS: u64 = 1_000;
/// Pause before the next attempt to undo a change that was not confirmed.
///
/// Source: ours. Status: assumed.
const OVERDUE_AGAIN: Duration = Duration::from_secs(10);
/// Interval between checks of running operations, milliseconds.
///
/// Source: ours. Status: assumed.
const OPERATIONS_MS: u64 = 20;

/// An answer, and the store's revision at that time.
#[derive(Debug)]
pub struct AnswerAtRevision {
    pub answer: Answer,
    /// The newest revision at that time.
    pub revision: u64,
}

type Asker = oneshot::Sender<AnswerAtRevision>;

#[allow(clippy::large_enum_variant, reason = "nearly all of them are requests")]
enum Question {
    Ask(ApiRequest, Asker),
    Then(Then),
    /// Agents have sent something.
    Wake,
}

/// Sends requests to the event loop.
#[derive(Clone)]
pub struct Ask(SyncSender<Question>);

impl Ask {
    /// Sends a request and waits for its answer. It never blocks until the event loop takes the
    /// request.
    ///
    /// # Errors
    /// When too many requests wait, or the manager stops.
    pub async fn ask(&self, request: ApiRequest) -> Result<AnswerAtRevision, ApiProblem> {
        let (reply, answer) = oneshot::channel();
        let stopping = || ApiProblem::new(ProblemCode::Stopping, "the manager stops");
        self.0.try_send(Question::Ask(request, reply)).map_err(|error| match error {
            TrySendError::Full(_) => ApiProblem::new(
                ProblemCode::Busy,
                format!("{QUESTIONS_MAX} requests already wait; the same request would work in a second"),
            ),
            TrySendError::Disconnected(_) => stopping(),
        })?;
        answer.await.map_err(|_| stopping())
    }
}

/// Starts the event loop and its worker.
///
/// # Errors
/// When the system starts no threads.
pub fn start(manager: Manager) -> std::io::Result<Ask> {
    let (ask, questions) = mpsc::sync_channel(QUESTIONS_MAX);
    let (hand, works) = mpsc::channel::<Work>();
    let back = ask.clone();
    let measured = Arc::clone(&manager.process.measured);
    let wake = ask.clone();
    // If requests wait, or the event loop has ended, it needs no waking.
    manager.process.wake.set(move || drop(wake.try_send(Question::Wake)));
    std::thread::Builder::new().name("worker".to_owned()).spawn(move || worker(&works, &back, &measured))?;
    std::thread::Builder::new().name("event-loop".to_owned()).spawn(move || {
        let mut event_loop = EventLoop {
            manager,
            hand,
            working: None,
            changes: VecDeque::new(),
            overdue_again: Instant::now(),
            waiting: Vec::new(),
        };
        event_loop.run(&questions);
    })?;
    Ok(Ask(ask))
}

/// The worker: does the work of changes (admission, disk) one after the other.
fn worker(works: &Receiver<Work>, back: &SyncSender<Question>, measured: &ThreadCounters) {
    for work in works {
        let began = Instant::now();
        let then = catch_unwind(AssertUnwindSafe(|| work.run()));
        measured.change(began.elapsed());
        let then = then.unwrap_or_else(|_| Box::new(|_| Err(fault())));
        if back.send(Question::Then(then)).is_err() {
            return;
        }
    }
}

fn fault() -> ApiProblem {
    ApiProblem::new(ProblemCode::Internal, "the request hit a fault of the manager, which continues; its log has more")
}

struct EventLoop {
    manager: Manager,
    hand: mpsc::Sender<Work>,
    /// The caller of the change in progress; the inner `None` is for a change of the manager
    /// itself.
    working: Option<Option<Asker>>,
    /// Changes that wait for it.
    changes: VecDeque<(ApiRequest, Option<Asker>)>,
    /// The next attempt to undo a change that was not confirmed.
    overdue_again: Instant,
    /// Callers that wait for the end of an operation.
    waiting: Vec<(Box<DeferredReply>, Asker)>,
}

impl EventLoop {
    fn run(&mut self, questions: &Receiver<Question>) {
        loop {
            // While a change is in progress, nothing else may change documents, not even leases
            // that end.
            let next_ms = match self.working {
                Some(_) if self.manager.availability.is_leading() => self.manager.control_loop.run(),
                _ => self.manager.turn(),
            };
            self.tick();
            let mut wait_ms =
                next_ms.map_or(IDLE_MS, |at| at.saturating_sub(self.manager.control_loop.now_ms()).min(IDLE_MS));
            if self.manager.requests.operations.running() > 0 {
                wait_ms = wait_ms.min(OPERATIONS_MS);
            }
            if let Some(at) = self.manager.next_firmware_ms() {
                wait_ms = wait_ms.min(at.saturating_sub(self.manager.control_loop.now_ms()));
            }
            match questions.recv_timeout(Duration::from_millis(wait_ms)) {
                Ok(question) => {
                    self.take(question);
                    // Even if agents never stop sending, requests that wait get their turn.
                    for question in questions.try_iter().take(TURN) {
                        self.take(question);
                    }
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// The tick: does what is due by the clock, and answers those that waited for it.
    fn tick(&mut self) {
        self.manager.tick_operations();
        self.manager.tick_firmware();
        self.manager.tick_alarms();
        self.manager.tick_disk();
        self.manager.tick_troubles();
        self.manager.process.measured.queues(self.changes.len(), self.waiting.len());
        if self.working.is_none()
            && self.changes.is_empty()
            && Instant::now() >= self.overdue_again
            && let Some(request) = overdue(&self.manager.documents, self.manager.clock.micros())
        {
            // If it cannot be undone now, it is tried again later.
            self.overdue_again = Instant::now() + OVERDUE_AGAIN;
            self.change(request, None);
        }
        let waiting = std::mem::take(&mut self.waiting);
        for (still, asker) in waiting {
            match still.look(&self.manager) {
                Ok(reply) => self.tell(Some(asker), Ok(reply)),
                // A client that has gone needs no answer.
                Err(still) if !asker.is_closed() => self.waiting.push((still, asker)),
                Err(_) => {}
            }
        }
    }

    fn take(&mut self, question: Question) {
        match question {
            Question::Ask(request, asker) if is_change(&request) => {
                if self.working.is_some() {
                    if self.changes.len() >= CHANGES_MAX {
                        let problem = ApiProblem::new(ProblemCode::Busy, format!("{CHANGES_MAX} changes already wait"));
                        self.tell(Some(asker), Err(problem));
                    } else {
                        self.changes.push_back((request, Some(asker)));
                    }
                } else {
                    self.change(request, Some(asker));
                }
            }
            Question::Ask(request, asker) => {
                let answer = guarded(|| api::begin(&mut self.manager, request));
                self.handle_answer(answer, Some(asker));
            }
            Question::Wake => {}
            Question::Then(then) => {
                let asker = self.working.take().flatten();
                let answer = guarded(|| then(&mut self.manager));
                // Tokens and roles may have changed; this must count before the caller gets the
                // answer.
                self.manager.security.guard.refresh(self.manager.documents.set());
                self.handle_answer(answer, asker);
                while self.working.is_none()
                    && let Some((request, asker)) = self.changes.pop_front()
                {
                    self.change(request, asker);
                }
            }
        }
    }

    fn change(&mut self, request: ApiRequest, asker: Option<Asker>) {
        let answer = guarded(|| api::begin(&mut self.manager, request));
        self.manager.security.guard.refresh(self.manager.documents.set());
        self.handle_answer(answer, asker);
    }

    fn handle_answer(&mut self, answer: Answer, asker: Option<Asker>) {
        match answer {
            Ok(Reply::Work(work)) => {
                self.working = Some(asker);
                if self.hand.send(work).is_err() {
                    let asker = self.working.take().flatten();
                    self.tell(asker, Err(fault()));
                }
            }
            Ok(Reply::Wait(waiting)) => {
                if let Some(asker) = asker {
                    self.waiting.push((waiting, asker));
                }
            }
            answer => self.tell(asker, answer),
        }
    }

    fn tell(&self, asker: Option<Asker>, answer: Answer) {
        if let Some(asker) = asker {
            // The caller may be gone.
            let _ = asker.send(AnswerAtRevision { answer, revision: self.manager.documents.revision() });
        }
    }
}

/// A panic while a request is handled fails this request only.
fn guarded(answer: impl FnOnce() -> Answer) -> Answer {
    catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|_| Err(fault()))
}

impl Manager {
    /// Takes back a change that was not confirmed in time, in this thread: for callers without an
    /// event loop that it would block. Returns whether there was one.
    ///
    /// # Errors
    /// When it cannot be taken back.
    pub fn end_unconfirmed(&mut self) -> Result<bool, ApiProblem> {
        let Some(request) = overdue(&self.documents, self.clock.micros()) else { return Ok(false) };
        api::answer(self, request).map(|_| true)
    }
}
