//! The collectives' transport to PEs of other hosts: an endpoint of its own, so that its quiet
//! waits for no other operations.

use super::atomic::{AmoEffect, Width};
use super::context::RemoteContext;
use super::transfer::SignalOperation;
use crate::collective::remote::RemoteTransport;
use crate::error::Error;

/// An endpoint for the collectives.
#[derive(Debug)]
pub(crate) struct CollectiveTransport(pub RemoteContext);

const WHAT: &str = "a collective operation";

impl RemoteTransport for CollectiveTransport {
    unsafe fn put(&self, pe: u32, target: usize, source: *const u8, bytes: usize) -> Result<(), Error> {
        // SAFETY: as the caller promises.
        unsafe { self.0.put(WHAT, target, source, bytes, pe, true) }.map_err(Error::from)
    }

    unsafe fn get(&self, pe: u32, target: *mut u8, source: usize, bytes: usize) -> Result<(), Error> {
        // SAFETY: as the caller promises.
        unsafe { self.0.get(WHAT, target, source, bytes, pe, true) }.map_err(Error::from)
    }

    unsafe fn put_signal(
        &self,
        pe: u32,
        target: usize,
        source: *const u8,
        bytes: usize,
        signal: usize,
        value: u64,
    ) -> Result<(), Error> {
        let signal = (signal, value, SignalOperation::Set);
        // SAFETY: as the caller promises.
        unsafe { self.0.put_signal(WHAT, (target, source, bytes), signal, pe, true) }.map_err(Error::from)
    }

    fn add(&self, pe: u32, target: usize, value: u64) -> Result<(), Error> {
        let add = (AmoEffect::Add, Width::Eight);
        // SAFETY: no result is returned.
        unsafe { self.0.amo(WHAT, add, (target, pe), [value, 0], std::ptr::null_mut(), false) }.map_err(Error::from)
    }

    fn quiet(&self) -> Result<(), Error> {
        self.0.quiet().map_err(Error::from)
    }
}
