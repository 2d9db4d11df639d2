//! The server: connections, credentials, HTTP, and the thread with the event loop. What a request
//! means is not known here.

pub mod connection_slots;
pub mod credential;
pub mod event_loop;
pub mod guard;
pub mod http;
pub mod json;
pub mod listen;
pub mod serve;
