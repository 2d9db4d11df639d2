//! Registered threads: the operations of the default context that such a thread begins use an
//! endpoint of its own.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::context::RemoteContext;
use super::error::RemoteError;
use super::network::{RemoteNetwork, SharedNetwork};

/// The endpoints of registered threads.
#[derive(Default)]
pub(super) struct Threads {
    all: Mutex<Vec<Arc<RemoteContext>>>,
}

thread_local! {
    /// This thread's endpoint, and its network: a program may finalise and initialise again.
    static OWN: RefCell<Option<(Weak<SharedNetwork>, Arc<RemoteContext>)>> = const { RefCell::new(None) };
}

impl RemoteNetwork {
    fn registered(&self) -> MutexGuard<'_, Vec<Arc<RemoteContext>>> {
        self.threads.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn own(&self) -> Option<Arc<RemoteContext>> {
        OWN.with_borrow(|own| {
            let (network, context) = own.as_ref()?;
            std::ptr::eq(network.as_ptr(), Arc::as_ptr(&self.network)).then(|| Arc::clone(context))
        })
    }

    /// Gives this thread an endpoint of its own; a second call changes nothing.
    ///
    /// # Errors
    /// The provider has no further endpoint.
    pub fn thread_register(&self) -> Result<(), RemoteError> {
        if self.own().is_some() {
            return Ok(());
        }
        let context = Arc::new(self.context()?);
        self.registered().push(Arc::clone(&context));
        OWN.with_borrow_mut(|own| *own = Some((Arc::downgrade(&self.network), context)));
        Ok(())
    }

    /// Returns the endpoint, after its operations have completed.
    ///
    /// # Errors
    /// An operation failed.
    pub fn thread_unregister(&self) -> Result<(), RemoteError> {
        let Some(context) = self.own() else { return Ok(()) };
        let done = context.quiet();
        self.handles.sweep();
        self.registered().retain(|known| !Arc::ptr_eq(known, &context));
        OWN.with_borrow_mut(|own| *own = None);
        done
    }

    /// Runs `work` with the endpoint of this thread's operations of the default context.
    pub fn with_own<T>(&self, work: impl FnOnce(&RemoteContext) -> T) -> T {
        match self.own() {
            Some(own) => work(&own),
            None => work(self.default_context()),
        }
    }

    /// Waits for all operations of the default context, of all threads.
    ///
    /// # Errors
    /// [`RemoteError`].
    pub fn quiet_default(&self) -> Result<(), RemoteError> {
        self.each_default(RemoteContext::quiet)?;
        self.handles.sweep();
        Ok(())
    }

    /// The same for operations on these PEs.
    ///
    /// # Errors
    /// [`RemoteError`].
    pub fn pe_quiet_default(&self, pes: &[u32]) -> Result<(), RemoteError> {
        self.each_default(|context| context.pe_quiet(pes))?;
        self.handles.wait_for_pes(pes)
    }

    /// The same, for ordering only.
    ///
    /// # Errors
    /// [`RemoteError`].
    pub fn fence_default(&self) -> Result<(), RemoteError> {
        self.each_default(RemoteContext::fence)
    }

    /// Runs `work` with every endpoint that operations of the default context use.
    ///
    /// # Errors
    /// That of `work`.
    pub(super) fn each_default(
        &self,
        mut work: impl FnMut(&RemoteContext) -> Result<(), RemoteError>,
    ) -> Result<(), RemoteError> {
        let registered: Vec<Arc<RemoteContext>> = self.registered().clone();
        work(self.default_context())?;
        registered.iter().try_for_each(|context| work(context))
    }
}
