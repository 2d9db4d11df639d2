//! Compiles what has to be C: the objects that programs and the library share.

fn main() {
    println!("cargo::rerun-if-changed=c/border.c");
    println!("cargo::rerun-if-changed=../../include/philae/shmem_abi.h");
    cc::Build::new().file("c/border.c").include("../../include").pic(true).warnings_into_errors(true).compile("border");
}
