//! Empty: cargo counts build dependencies, and their features, only where there is a build script.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
