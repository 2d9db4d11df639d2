//! Memory that the processes of one host share.

pub mod area;
pub mod copy;
pub mod futex;
pub mod lock;
