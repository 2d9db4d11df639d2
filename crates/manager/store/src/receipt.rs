//! An answer that comes later: a caller waits for it, polls it or awaits it.

use crate::error::StoreError;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

struct Inner<T> {
    answer: Option<Result<T, StoreError>>,
    waker: Option<Waker>,
}

struct Slot<T> {
    inner: Mutex<Inner<T>>,
    answered: Condvar,
}

impl<T> Slot<T> {
    fn lock(&self) -> MutexGuard<'_, Inner<T>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The answer to a request, which comes when the disk has it. Dropping the receipt does not affect
/// the request.
///
/// It is a future that needs no particular runtime; threads call [`Receipt::wait`].
#[must_use = "a change may be refused: only the receipt says so"]
pub struct Receipt<T> {
    slot: Arc<Slot<T>>,
}

/// The sender of a [`Receipt`]. Dropped without an answer, it answers that the store is closed.
pub(crate) struct ReceiptSender<T> {
    slot: Arc<Slot<T>>,
}

/// Makes both ends of an answer.
pub(crate) fn pair<T: Clone>() -> (ReceiptSender<T>, Receipt<T>) {
    let slot = Arc::new(Slot { inner: Mutex::new(Inner { answer: None, waker: None }), answered: Condvar::new() });
    (ReceiptSender { slot: Arc::clone(&slot) }, Receipt { slot })
}

impl<T: Clone> Receipt<T> {
    /// Waits for the answer.
    ///
    /// # Errors
    /// The store's error.
    pub fn wait(self) -> Result<T, StoreError> {
        let mut inner = self.slot.lock();
        loop {
            if let Some(answer) = &inner.answer {
                return answer.clone();
            }
            inner = self.slot.answered.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for the answer for at most `patience`; `None` if it has not come.
    #[must_use]
    pub fn wait_for(&self, patience: Duration) -> Option<Result<T, StoreError>> {
        let until = Instant::now() + patience;
        let mut inner = self.slot.lock();
        loop {
            if inner.answer.is_some() {
                return inner.answer.clone();
            }
            let left = until.checked_duration_since(Instant::now())?;
            inner = self.slot.answered.wait_timeout(inner, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// A receipt with an immediate answer.
    pub(crate) fn ready(answer: Result<T, StoreError>) -> Self {
        let (reply, receipt) = pair();
        reply.send(answer);
        receipt
    }
}

impl<T: Clone> Future for Receipt<T> {
    type Output = Result<T, StoreError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut inner = self.slot.lock();
        match &inner.answer {
            Some(answer) => Poll::Ready(answer.clone()),
            None => {
                inner.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl<T> fmt::Debug for Receipt<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Receipt").field("is_answered", &self.slot.lock().answer.is_some()).finish()
    }
}

impl<T> ReceiptSender<T> {
    fn resolve(&self, answer: Result<T, StoreError>) {
        let mut inner = self.slot.lock();
        if inner.answer.is_some() {
            return;
        }
        inner.answer = Some(answer);
        let waker = inner.waker.take();
        drop(inner);
        self.slot.answered.notify_all();
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Sends the answer.
    pub(crate) fn send(self, answer: Result<T, StoreError>) {
        self.resolve(answer);
    }
}

impl<T> Drop for ReceiptSender<T> {
    fn drop(&mut self) {
        self.resolve(Err(StoreError::Closed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::Wake;

    #[derive(Default)]
    struct Count(AtomicUsize);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    #[test]
    fn an_answer_wakes_the_task_and_the_thread() {
        let (reply, mut receipt) = pair::<u32>();
        let count = Arc::new(Count::default());
        let waker = Waker::from(Arc::clone(&count));
        let mut context = Context::from_waker(&waker);
        assert!(Pin::new(&mut receipt).poll(&mut context).is_pending());
        assert_eq!(receipt.wait_for(Duration::from_millis(1)), None);
        reply.send(Ok(7));
        assert_eq!(count.0.load(Ordering::SeqCst), 1);
        assert_eq!(Pin::new(&mut receipt).poll(&mut context), Poll::Ready(Ok(7)));
        assert_eq!(receipt.wait(), Ok(7));
    }

    #[test]
    fn a_reply_that_is_lost_is_an_answer() {
        let (reply, receipt) = pair::<u32>();
        drop(reply);
        assert_eq!(receipt.wait(), Err(StoreError::Closed));
    }
}
