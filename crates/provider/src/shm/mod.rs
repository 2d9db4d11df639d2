//! Memory that the processes of one host share.

pub mod area;
pub mod copy;
#[cfg(test)]
mod cut_off;
pub mod flight;
mod futex;
pub mod inbox;
pub mod lock;
pub mod mail;
pub mod ways;
