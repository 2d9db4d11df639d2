//! The meaning of scenarios, and the answers to mistakes in them.
//!
//! One program: every file of tests that is a program of its own is compiled and linked with
//! everything below it.

mod bounds;
mod cuts;
mod integers;
mod keys;
mod mistakes;
mod packet_engine;
mod replay;
mod resolution;
mod routes;
mod selection;
mod systems;
mod traces;
mod words;
