//! Compiles the parts that must be in C: the objects that programs and the library share.

fn main() {
    for file in ["c/border.c", "c/long_double.c"] {
        println!("cargo::rerun-if-changed={file}");
    }
    println!("cargo::rerun-if-changed=../../../include/philae/shmem_abi.h");
    cc::Build::new()
        .files(["c/border.c", "c/long_double.c"])
        .include("../../../include")
        .pic(true)
        .warnings_into_errors(true)
        .compile("border");
}
