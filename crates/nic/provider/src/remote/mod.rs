//! Endpoints on other hosts: requests of this NIC to theirs, and their requests to this one, over
//! the wire between hosts.
//!
//! The wire calls [`RequestHandler`](request_handler::RequestHandler) with arrived messages; the
//! answers are recorded and sent after the call. All of this runs in the thread that polls: in a
//! call of the program, or in the thread that polls while the program computes.

mod command;
#[cfg(test)]
mod hostile;
mod poll;
mod request;
mod request_handler;
mod side;

pub(crate) use side::{REMOTE, RemoteSide};
