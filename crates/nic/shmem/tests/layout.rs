//! The structures that programs and the library share are the same in C and in Rust: a C compiler
//! reports their layout.

use std::mem::offset_of;
use std::path::Path;
use std::process::Command;

use philae_shmem::abi::{CONTROL_BYTES, ControlPage, Ctx, Here, MemoryWindow, TeamHandle};

#[test]
fn c_and_rust_agree_about_every_field() {
    macro_rules! list {
        ($($c:literal, $rust:ty: $($field:ident),+;)+) => {
            [$(($c, size_of::<$rust>(), vec![$((stringify!($field), offset_of!($rust, $field))),+])),+]
        };
    }
    let all = list![
        "philae_shmem_window", MemoryWindow: heap, data;
        "struct philae_shmem_ctx", Ctx: windows, n_pes, remote_pending, library;
        "struct philae_shmem_team", TeamHandle: me, n_pes, library;
        "struct philae_shmem_here", Here: heap, heap_bytes, data, data_bytes, control, local_atomics, me, n_pes, tells_waits;
    ];
    let mut program = "#include <philae/shmem_abi.h>\n".to_owned();
    let mut assert = |what: String| program += &format!("_Static_assert({what}, \"{what}\");\n");
    for (name, size, fields) in all {
        assert(format!("sizeof({name}) == {size}"));
        for (field, offset) in fields {
            assert(format!("offsetof({name}, {field}) == {offset}"));
        }
    }
    assert(format!("offsetof(struct philae_shmem_control, sleepers) == {}", offset_of!(ControlPage, sleepers)));
    assert(format!("offsetof(struct philae_shmem_control, bell) == {}", offset_of!(ControlPage, bell)));
    assert(format!("PHILAE_SHMEM_CONTROL_BYTES == {CONTROL_BYTES}"));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("layout.c");
    std::fs::write(&file, program).expect("a file");
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../include");
    let output =
        Command::new("cc").arg("-fsyntax-only").arg("-I").arg(include).arg(&file).output().expect("a C compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
