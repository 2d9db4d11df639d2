//! If an MPI launcher starts a philae without MPI several times, one process reports what would
//! work, and none runs.
//!
//! `make mpi-simulate` tests runs that processes share, and `philae-fabric`'s tests do so with the
//! model alone.
#![cfg(not(feature = "mpi"))]

use std::process::{Command, Output, Stdio};

const SCENARIO: &str = "[system]\nname = \"tiny\"\n[system.dragonfly]\nlinks_per_pair = 1\n\
    groups = [{ name = \"c\", count = 3, switches = 2, endpoints_per_switch = 4 }]\n\
    [[job]]\nname = \"a\"\nworkload = { kind = \"barrier\", iterations = 1 }\n";

/// Runs `philae simulate` as a launcher would start it, in its own folder. Also returns whether
/// there is a result.
fn started(variables: &[(&str, &str)]) -> (Output, bool) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("small.toml"), SCENARIO).expect("a temporary file");
    let output = Command::new(env!("CARGO_BIN_EXE_philae"))
        .current_dir(&folder)
        .args(["simulate", "small.toml", "--output", "out"])
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .output()
        .expect("the command starts");
    let has_result = folder.path().join("out").exists();
    (output, has_result)
}

#[test]
fn the_first_of_several_says_what_would_work_and_the_others_say_nothing() {
    for (size, rank) in [("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"), ("PMI_SIZE", "PMI_RANK")] {
        let (first, has_result) = started(&[(size, "4"), (rank, "0")]);
        let said = String::from_utf8(first.stderr).expect("UTF-8");
        assert_eq!(first.status.code(), Some(2), "{said}");
        assert!(!has_result);
        let named = format!("{size} = 4");
        for part in ["4 processes of this philae were started", &named, "make mpi-simulate", "--threads 4", "--unset"] {
            assert!(said.contains(part), "'{part}' in {said}");
        }
        let (other, has_result) = started(&[(size, "4"), (rank, "3")]);
        assert_eq!((other.status.code(), other.stdout.len(), other.stderr.len()), (Some(0), 0, 0));
        assert!(!has_result);
    }
}

#[test]
fn one_process_of_a_launcher_is_a_run_of_its_own() {
    let (output, has_result) = started(&[("OMPI_COMM_WORLD_SIZE", "1"), ("OMPI_COMM_WORLD_RANK", "0")]);
    assert!(output.status.success() && has_result, "{}", String::from_utf8_lossy(&output.stderr));
}
