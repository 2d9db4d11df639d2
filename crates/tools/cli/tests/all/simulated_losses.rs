//! Programs in simulated time whose network loses something for good.

use std::path::Path;

use crate::library::folder;
use crate::simulated_programs::{compiled, document, printed, said, simulated};

const PROGRAM: &str = r#"
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static double ns(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1e9 + t.tv_nsec; }
int main(void) {
	enum { COUNT = 180000 };
	shmem_init();
	int me = shmem_my_pe();
	long *flag = shmem_calloc(1, sizeof(long)), *data = shmem_calloc(COUNT, sizeof(long));
	shmem_barrier_all();
	double begin = ns();
	if (me == 0) {
		/* The flag overtakes the data, half of which are there when the NIC dies. */
		shmem_long_put_nbi(data, data, COUNT, 1);
		shmem_long_p(flag, 1, 1);
		usleep(100000);
	} else if (me == 1) {
		shmem_long_wait_until(flag, SHMEM_CMP_EQ, 1);
		fprintf(stderr, "flag %.0f\n", ns() - begin);
		_exit(0);
	}
	usleep(100000);
	shmem_finalize();
	return 0;
}
"#;

fn program(folder: &Path) -> String {
    let source = folder.join("losses.c");
    std::fs::write(&source, PROGRAM).expect("a file");
    compiled(folder, "losses", &source).display().to_string()
}

/// A write that came before one that is lost waits for that no longer. Its target learns of the
/// loss in its own part of the fabric: with one thread and with two, the run is the same.
#[test]
fn what_came_early_does_not_wait_for_what_is_lost() {
    let kept = folder("simulated");
    let folder = kept.path();
    let program = program(folder);
    let scenario = |fault: &str| {
        let text = format!(
            "system = \"malbec\"\nallocation = \"interleaved\"\n[[job]]\nname = \"app\"\nnodes = 2\n\
             workload = {{ kind = \"program\" }}\n\
             [retry]\npacket_timeout_ns = 30_000\nunordered_delay_ms = 0\nretry_step_ms = 0\n{fault}"
        );
        std::fs::write(folder.join("scenario.toml"), text).expect("a file");
    };
    let flag = |threads: &str| {
        let output = simulated(folder, "scenario.toml", 2, &["--threads", threads], &[&program]);
        let found = document(&output);
        (printed(&output, "flag"), found["manifest"]["digest"].as_str().expect("a digest").to_owned(), said(&output))
    };
    scenario("");
    let (whole, ..) = flag("1");
    scenario("[[fault]]\nkind = \"nic_down\"\nendpoint = 0\nat = \"60us\"\n");
    let (lost, digest, words) = flag("1");
    assert!(lost > whole, "{whole} ns, {lost} ns with a loss: {words}");
    assert_eq!(flag("2").1, digest);
}
