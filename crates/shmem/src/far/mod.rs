//! PEs of other hosts: libfabric.

/// The way to PEs of other hosts. There is none yet: PEs of several hosts are refused at initialisation.
#[derive(Debug)]
pub enum Far {}

/// A context's own part of it.
#[derive(Debug)]
pub enum FarContext {}
