//! The thread that judges, and what asks it.
//!
//! Nothing that a request wants holds it up: documents are admitted and written by another thread, long answers are made
//! where they are sent, and a request that fails by a fault of ours is answered as such.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use crate::api::{self, Request};
use crate::clock::now_micros;
use crate::documents::change_sets::overdue;
use crate::manager::Manager;
use crate::measured::Measured;
use crate::problem::{Code, Problem};
use crate::reply::{Answer, Reply, Then, Waiting, Work};
use crate::routing::is_change;

/// Questions that wait for the judgement; more are refused.
///
/// Source: ours. Status: assumed.
const QUESTIONS_MAX: usize = 4_096;
/// Changes that wait for the one before.
///
/// Source: ours. Status: assumed.
const CHANGES_MAX: usize = 1_024;
/// Questions that are answered before agents are heard again.
///
/// Source: ours. Status: assumed.
const TURN: usize = 256;
/// The longest time without looking whether anything is due, milliseconds.
///
/// Source: ours. Status: assumed.
const IDLE_MS: u64 = 1_000;
/// Pause before a change that was not confirmed is tried to be taken back again.
///
/// Source: ours. Status: assumed.
const OVERDUE_AGAIN: Duration = Duration::from_secs(10);
/// Time between looks at operations that go on, milliseconds.
///
/// Source: ours. Status: assumed.
const OPERATIONS_MS: u64 = 20;

/// An answer, and the revision at which it was given.
#[derive(Debug)]
pub struct Answered {
    /// The answer.
    pub answer: Answer,
    /// The newest revision then.
    pub revision: u64,
}

type Asker = oneshot::Sender<Answered>;

#[allow(clippy::large_enum_variant, reason = "nearly all of them are requests")]
enum Question {
    Ask(Request, Asker),
    Then(Then),
    /// Agents have said something.
    Wake,
}

/// The way to ask.
#[derive(Clone)]
pub struct Ask(SyncSender<Question>);

impl Ask {
    /// Asks. Never waits for the judgement to take the question.
    ///
    /// # Errors
    /// When too many questions wait, or the manager stops.
    pub async fn ask(&self, request: Request) -> Result<Answered, Problem> {
        let (reply, answer) = oneshot::channel();
        let stopping = || Problem::new(Code::Stopping, "the manager stops");
        self.0.try_send(Question::Ask(request, reply)).map_err(|error| match error {
            TrySendError::Full(_) => {
                Problem::new(Code::Busy, format!("{QUESTIONS_MAX} questions wait already; ask again in a second"))
            }
            TrySendError::Disconnected(_) => stopping(),
        })?;
        answer.await.map_err(|_| stopping())
    }
}

/// Starts to judge.
///
/// # Errors
/// When threads cannot be started.
pub fn start(manager: Manager) -> std::io::Result<Ask> {
    let (ask, questions) = mpsc::sync_channel(QUESTIONS_MAX);
    let (hand, works) = mpsc::channel::<Work>();
    let back = ask.clone();
    let measured = Arc::clone(&manager.measured);
    let wake = ask.clone();
    // Where questions wait or nobody judges any more, nobody is to be woken.
    manager.wake.set(move || drop(wake.try_send(Question::Wake)));
    std::thread::Builder::new().name("clerk".to_owned()).spawn(move || clerk(&works, &back, &measured))?;
    std::thread::Builder::new().name("judge".to_owned()).spawn(move || {
        let mut judge = Judge {
            manager,
            hand,
            working: None,
            changes: VecDeque::new(),
            overdue_again: Instant::now(),
            waiting: Vec::new(),
        };
        judge.run(&questions);
    })?;
    Ok(Ask(ask))
}

/// Does what changes wait for, one after the other.
fn clerk(works: &Receiver<Work>, back: &SyncSender<Question>, measured: &Measured) {
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

fn fault() -> Problem {
    Problem::new(Code::Internal, "the request met a fault of the manager, which goes on; its log has more")
}

struct Judge {
    manager: Manager,
    hand: mpsc::Sender<Work>,
    /// Who waits for the change that is being made; nobody, for what the manager asked of itself.
    working: Option<Option<Asker>>,
    /// Changes that wait for it.
    changes: VecDeque<(Request, Option<Asker>)>,
    /// When a change that was not confirmed is tried to be taken back again.
    overdue_again: Instant,
    /// Who waits for the end of an operation.
    waiting: Vec<(Box<Waiting>, Asker)>,
}

impl Judge {
    fn run(&mut self, questions: &Receiver<Question>) {
        loop {
            // While a change is on its way nothing else may change documents, leases that end among them.
            let next_ms = match self.working {
                Some(_) if self.manager.availability.is_leading() => self.manager.plant.run(),
                _ => self.manager.turn(),
            };
            self.tend();
            let mut wait_ms = next_ms.map_or(IDLE_MS, |at| at.saturating_sub(self.manager.plant.now_ms()).min(IDLE_MS));
            if self.manager.operations.running() > 0 {
                wait_ms = wait_ms.min(OPERATIONS_MS);
            }
            if let Some(at) = self.manager.next_firmware_ms() {
                wait_ms = wait_ms.min(at.saturating_sub(self.manager.plant.now_ms()));
            }
            match questions.recv_timeout(Duration::from_millis(wait_ms)) {
                Ok(question) => {
                    self.take(question);
                    // Where agents never cease to speak, everybody who waits has their turn nevertheless.
                    for question in questions.try_iter().take(TURN) {
                        self.take(question);
                    }
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// What is due by the clock, and what was waited for.
    fn tend(&mut self) {
        self.manager.tend_operations();
        self.manager.tend_firmware();
        self.manager.tend_alarms();
        self.manager.tend_disk();
        self.manager.tend_troubles();
        self.manager.measured.queues(self.changes.len(), self.waiting.len());
        if self.working.is_none()
            && self.changes.is_empty()
            && Instant::now() >= self.overdue_again
            && let Some(request) = overdue(&self.manager.documents, now_micros())
        {
            // Where it cannot be taken back now, it is tried again, and not at once.
            self.overdue_again = Instant::now() + OVERDUE_AGAIN;
            self.change(request, None);
        }
        let waiting = std::mem::take(&mut self.waiting);
        for (still, asker) in waiting {
            match still.look(&self.manager) {
                Ok(reply) => self.tell(Some(asker), Ok(reply)),
                // Who went away waits for nothing.
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
                        let problem = Problem::new(Code::Busy, format!("{CHANGES_MAX} changes wait already"));
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
                self.settle(answer, Some(asker));
            }
            Question::Wake => {}
            Question::Then(then) => {
                let asker = self.working.take().flatten();
                let answer = guarded(|| then(&mut self.manager));
                // Tokens and roles may be others now: before whoever changed them hears of it.
                self.manager.security.guard.refresh(self.manager.documents.set());
                self.settle(answer, asker);
                while self.working.is_none()
                    && let Some((request, asker)) = self.changes.pop_front()
                {
                    self.change(request, asker);
                }
            }
        }
    }

    fn change(&mut self, request: Request, asker: Option<Asker>) {
        let answer = guarded(|| api::begin(&mut self.manager, request));
        self.manager.security.guard.refresh(self.manager.documents.set());
        self.settle(answer, asker);
    }

    fn settle(&mut self, answer: Answer, asker: Option<Asker>) {
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
            // Whoever asked may be gone.
            let _ = asker.send(Answered { answer, revision: self.manager.documents.revision() });
        }
    }
}

/// A fault in what a request does is that request's alone.
fn guarded(answer: impl FnOnce() -> Answer) -> Answer {
    catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|_| Err(fault()))
}
