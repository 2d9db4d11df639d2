//! The philae command.
fn main() {}
