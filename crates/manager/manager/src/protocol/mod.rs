//! What requests and answers of the API consist of, for all resources.

pub mod endpoint;
pub mod list;
pub mod meta;
pub mod natural;
pub mod problem;
pub mod reply;
pub mod request;
pub mod shape;
