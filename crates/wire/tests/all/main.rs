//! Frames, from outside: round trips, damage, what other tools make of them.
//!
//! One program: each file of tests that is a program of its own is compiled and linked with everything below it.

mod common;
mod dissect;
mod fuzz;
mod round_trip;
mod tshark;
