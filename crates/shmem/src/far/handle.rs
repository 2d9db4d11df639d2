//! Operations with handles of their own: the vendor's `..._nb` calls, each of which can be asked for and waited for by itself.

use std::sync::Arc;

use super::atomic::{Amo, Width};
use super::context::{Core, FarContext};
use super::endpoint::{About, Awaited};
use super::error::FarError;

/// An operation that was begun.
pub struct Handle {
    core: Arc<Core>,
    /// libfabric has its address until the end.
    awaited: Option<Box<Awaited>>,
}

impl std::fmt::Debug for Handle {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Handle {{ {:?} }}", self.awaited.as_ref().map(|awaited| awaited.about))
    }
}

impl Handle {
    /// Whether it is over.
    ///
    /// # Errors
    /// It failed.
    pub fn test(&self) -> Result<bool, FarError> {
        let Some(awaited) = &self.awaited else { return Ok(true) };
        if !awaited.is_over() {
            self.core.endpoint.look()?;
        }
        if awaited.is_over() { self.core.endpoint.wait_for(awaited).map(|()| true) } else { Ok(false) }
    }

    /// Waits until it is over.
    ///
    /// # Errors
    /// It failed, or nothing comes back.
    pub fn wait(self) -> Result<(), FarError> {
        self.awaited.as_ref().map_or(Ok(()), |awaited| self.core.endpoint.wait_for(awaited))
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        let Some(awaited) = self.awaited.take() else { return };
        // What nobody waits for any more may end later all the same.
        if !awaited.is_over() && self.core.endpoint.wait_for(&awaited).is_err() && !awaited.is_over() {
            std::mem::forget(awaited);
        }
    }
}

impl FarContext {
    fn handle(&self, about: About) -> Handle {
        Handle { core: Arc::clone(&self.core), awaited: Some(Box::new(Awaited::new(about))) }
    }

    /// Begins a put or a get.
    ///
    /// # Errors
    /// [`FarError`].
    ///
    /// # Safety
    /// This process's memory is lent until the handle is over.
    pub unsafe fn begin_transfer(
        &self,
        what: &'static str,
        is_put: bool,
        local: *mut u8,
        bytes: usize,
        remote: usize,
        pe: u32,
    ) -> Result<Handle, FarError> {
        let handle = self.handle(About { what, pe, address: remote as u64 });
        if let Some(awaited) = &handle.awaited {
            // SAFETY: as the caller says; who waits stays until the end.
            unsafe { self.core.begin_transfer(is_put, local, bytes, remote, awaited)? };
        }
        Ok(handle)
    }

    /// Begins an atomic operation.
    ///
    /// # Errors
    /// [`FarError`].
    ///
    /// # Safety
    /// The result is null or there is room for a number until the handle is over.
    pub unsafe fn begin_amo(
        &self,
        what: &'static str,
        (amo, width): (Amo, Width),
        (dest, pe): (usize, u32),
        operands: [u64; 2],
        result: *mut u8,
    ) -> Result<Handle, FarError> {
        let mut handle = self.handle(About { what, pe, address: dest as u64 });
        if width == Width::Two && !self.core.network.has_short_atomics {
            // SAFETY: as the caller says. It takes several operations: it is over when this returns.
            unsafe { self.amo(what, (amo, width), (dest, pe), operands, result, false)? };
            handle.awaited = None;
        }
        if let Some(awaited) = &handle.awaited {
            // SAFETY: as the caller says; who waits stays until the end.
            unsafe { self.core.begin_change(amo, width, operands, result, awaited)? };
        }
        Ok(handle)
    }
}
