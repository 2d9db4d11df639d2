//! The NIC as software on real memory. So far the parts that the wires are made of:
//! between processes of one host, and between hosts.
//!
//! Invariant: a process that dies takes nobody with it: who waits for it learns of it.

#![expect(unsafe_code, reason = "memory that processes share, and the system's calls for it")]

pub mod shm;
pub mod udp;
