//! Answers, and work that an answer waits for without blocking the event loop.

use std::fmt;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;

use crate::availability::ChangeDurability;
use crate::manager::Manager;
use crate::operations::OperationView;
use crate::protocol::meta::Meta;
use crate::protocol::problem::ApiProblem;
use crate::watching::Watching;

/// An answer, or the problem of the request.
pub type Answer = Result<Reply, ApiProblem>;

/// What follows finished work, with access to the manager.
pub type Then = Box<dyn FnOnce(&mut Manager) -> Answer + Send>;

/// Writes the pieces of a long answer one after the other, until the reader is gone.
pub type Pieces = Box<dyn FnOnce(&mut dyn FnMut(Vec<u8>) -> bool) + Send>;

/// An answer.
pub enum Reply {
    /// A JSON document.
    Json(Value),
    /// An encoded JSON document: for long ones.
    Encoded(Vec<u8>),
    /// Plain text.
    Text(String),
    /// A file.
    Bytes(Vec<u8>),
    /// An answer with a status or headers of its own.
    With(Box<Reply>, Meta),
    /// An answer of many JSON documents, one a line, made while the client reads it.
    Lines(Pieces),
    /// An answer that another thread computes, from data that it holds.
    Read(Box<dyn FnOnce() -> Answer + Send>),
    /// A change that waits for admission or for the disk. No other change begins before it ends.
    Work(Work),
    /// An operation for whose end the caller waits.
    Wait(Box<DeferredReply>),
    /// Events, as they happen.
    Watch(Box<Watching>),
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(value) => f.debug_tuple("Json").field(value).finish(),
            Self::Encoded(bytes) => f.debug_tuple("Encoded").field(&bytes.len()).finish(),
            Self::Text(text) => f.debug_tuple("Text").field(text).finish(),
            Self::Bytes(bytes) => f.debug_tuple("Bytes").field(&bytes.len()).finish(),
            Self::With(reply, meta) => f.debug_tuple("With").field(reply).field(meta).finish(),
            Self::Lines(_) => f.write_str("Lines"),
            Self::Read(_) => f.write_str("Read"),
            Self::Work(_) => f.write_str("Work"),
            Self::Wait(waiting) => f.debug_tuple("Wait").field(&waiting.operation).finish(),
            Self::Watch(_) => f.write_str("Watch"),
        }
    }
}

impl Reply {
    /// A JSON document of a serialized value.
    #[must_use]
    pub fn of(value: &impl Serialize) -> Self {
        Self::Json(serde_json::to_value(value).expect("answers are plain"))
    }

    /// The body as a value: JSON itself, the text, or a file's length; null if it is not finished.
    #[must_use]
    pub fn into_value(self) -> Value {
        match self.split().0 {
            Self::Json(value) => value,
            Self::Encoded(bytes) => serde_json::from_slice(&bytes).unwrap_or_default(),
            Self::Text(text) => Value::String(text),
            Self::Bytes(bytes) => Value::from(bytes.len()),
            Self::With(..) | Self::Lines(_) | Self::Read(_) | Self::Work(_) | Self::Wait(_) | Self::Watch(_) => {
                Value::Null
            }
        }
    }

    #[must_use]
    pub fn status(self, status: u16) -> Self {
        self.with(|meta| meta.status = Some(status))
    }

    /// With an entity tag.
    #[must_use]
    pub fn etag(self, tag: impl fmt::Display) -> Self {
        self.with(|meta| meta.etag = Some(format!("\"{tag}\"")))
    }

    #[must_use]
    pub fn location(self, location: String) -> Self {
        self.with(|meta| meta.location = Some(location))
    }

    /// With a cookie for the browser.
    #[must_use]
    pub fn cookie(self, cookie: String) -> Self {
        self.with(|meta| meta.cookie = Some(cookie))
    }

    /// With the place where the change is stored.
    #[must_use]
    pub fn kept(self, kept: ChangeDurability) -> Self {
        match self {
            Self::Wait(waiting) => {
                let DeferredReply { operation, until, otherwise, ended } = *waiting;
                let (otherwise, ended) = (otherwise.kept(kept), ended.map(|ended| ended.kept(kept)));
                Self::Wait(Box::new(DeferredReply { operation, until, otherwise, ended }))
            }
            reply => reply.with(|meta| meta.kept = Some(kept)),
        }
    }

    /// With the parts of another answer that this one lacks.
    #[must_use]
    pub fn beside(self, other: Meta) -> Self {
        let (reply, meta) = self.split();
        let meta = Meta {
            status: meta.status.or(other.status),
            etag: meta.etag.or(other.etag),
            location: meta.location.or(other.location),
            cookie: meta.cookie.or(other.cookie),
            kept: meta.kept.or(other.kept),
        };
        Self::With(Box::new(reply), meta)
    }

    fn with(self, change: impl FnOnce(&mut Meta)) -> Self {
        let (reply, mut meta) = self.split();
        change(&mut meta);
        Self::With(Box::new(reply), meta)
    }

    /// The body and the other parts.
    #[must_use]
    pub fn split(self) -> (Self, Meta) {
        match self {
            Self::With(reply, meta) => (*reply, meta),
            reply => (reply, Meta::default()),
        }
    }

    /// Does in this thread what the answer waits for: for callers without an event loop that it
    /// would block.
    ///
    /// # Errors
    /// The problem of the final answer.
    pub fn finish(self, manager: &mut Manager) -> Answer {
        let mut reply = self;
        loop {
            reply = match reply {
                Self::Work(work) => (work.run())(manager)?,
                Self::Read(read) => read()?,
                Self::Wait(waiting) => match waiting.look(manager) {
                    Ok(reply) => reply,
                    Err(waiting) => {
                        manager.run();
                        manager.tick_operations();
                        manager.control_loop.wait(Duration::from_millis(1));
                        Self::Wait(waiting)
                    }
                },
                Self::With(reply, meta) => match *reply {
                    Self::Read(read) => read()?.beside(meta),
                    reply => return Ok(Self::With(Box::new(reply), meta)),
                },
                reply => return Ok(reply),
            };
        }
    }
}

/// An answer that is due when an operation has ended, or when it has taken too long.
#[derive(Debug)]
pub struct DeferredReply {
    pub operation: u64,
    /// The latest time of the answer.
    pub until: Instant,
    /// The answer at that time.
    pub otherwise: Reply,
    /// The answer at the operation's end; `None` is the operation itself.
    pub ended: Option<Reply>,
}

impl DeferredReply {
    /// The answer, if it is due.
    ///
    /// # Errors
    /// The waiting answer, if it is not.
    pub fn look(mut self: Box<Self>, manager: &Manager) -> Result<Reply, Box<Self>> {
        if let Some(view) = manager.operation_view(self.operation).filter(OperationView::has_ended) {
            return Ok(self.ended.take().unwrap_or_else(|| Reply::of(&view)));
        }
        if Instant::now() >= self.until { Ok(self.otherwise) } else { Err(self) }
    }
}

/// Work that takes time, outside of the event loop, and what follows from it.
pub struct Work(Box<dyn FnOnce() -> Then + Send>);

impl Work {
    /// Work, and what follows it with access to the manager.
    #[must_use]
    pub fn new<T: Send + 'static>(
        work: impl FnOnce() -> T + Send + 'static,
        then: impl FnOnce(&mut Manager, T) -> Answer + Send + 'static,
    ) -> Self {
        Self(Box::new(move || {
            let done = work();
            Box::new(move |manager| then(manager, done))
        }))
    }

    /// Does the work.
    #[must_use]
    pub fn run(self) -> Then {
        (self.0)()
    }

    /// Adds a step after the final answer.
    #[must_use]
    pub fn after(self, last: impl FnOnce(&mut Manager, Answer) -> Answer + Send + 'static) -> Self {
        Self(Box::new(move || {
            let then = self.run();
            Box::new(move |manager| match then(manager) {
                Ok(Reply::Work(next)) => Ok(Reply::Work(next.after(last))),
                answer => last(manager, answer),
            })
        }))
    }
}
