//! The NIC as software on real memory. So far the parts that the wire between processes of one host is made of.
//!
//! Invariant: a process that dies takes nobody with it: who waits for it learns of it.

#![expect(unsafe_code, reason = "memory that processes share, and the system's calls for it")]

pub mod shm;
