//! Traces of other tools and their translation, tested from outside.
//!
//! One program: every file of tests that is a program of its own is compiled and linked with
//! everything below it.

mod chakra_file;
mod common;
mod damage;
mod detection;
mod formats;
mod goal;
mod layers;
mod loggops;
mod provider;
mod pytorch;
mod smpi;
mod words;
