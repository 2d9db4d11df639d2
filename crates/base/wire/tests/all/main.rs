//! Frames, tested from outside: round trips, damage, other tools' reading of them.
//!
//! One program: every file of tests that is a program of its own is compiled and linked with
//! everything below it.

mod common;
mod dissect;
mod fuzz;
mod round_trip;
mod tshark;
mod uet;
