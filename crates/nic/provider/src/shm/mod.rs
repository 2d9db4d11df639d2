//! Memory that the processes of one host share.

pub mod area;
pub mod copy;
mod cut_off;
pub mod file;
pub mod flight;
mod grow;
pub mod inbox;
pub mod lock;
pub mod mail;
pub mod pages;
pub mod paths;
mod shape;
