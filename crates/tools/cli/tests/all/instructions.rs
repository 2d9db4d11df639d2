//! The cost of a packet-hop in instructions, which does not depend on other load of the machine.
//!
//! Each case runs twice under valgrind's cachegrind, for a shorter and a longer simulated time. The
//! difference of instructions divided by the difference of packet-hops excludes the cost of
//! starting and building. The counts are in `instructions.csv`, and growth by a tenth fails the
//! test. `PHILAE_INSTRUCTIONS=write` rewrites the file.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;

/// Growth of a count, in per cent, above which it is a regression.
const GROWTH_MAX_PERCENT: f64 = 10.0;

/// The cases, and both simulated times in microseconds. The shorter one is the beginning, when
/// everything is still empty.
const CASES: [(&str, u32, u32); 10] = [
    ("permutation-dragonfly-slingshot", 6, 14),
    ("uniform-random-dragonfly-slingshot", 6, 14),
    ("uniform-random-dragonfly-none", 6, 14),
    ("group-shift-dragonfly-slingshot", 6, 14),
    ("all-to-all-dragonfly-slingshot", 6, 14),
    ("incast-dragonfly-slingshot", 20, 520),
    ("permutation-fat-tree-slingshot", 6, 14),
    ("permutation-fat-tree-none", 6, 14),
    ("uniform-random-fat-tree-slingshot", 6, 14),
    ("incast-fat-tree-slingshot", 20, 520),
];

/// Instructions of a run, and its packet-hops.
fn count(case: &str, simulated_us: u32) -> (u64, u64) {
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(env!("CARGO_BIN_EXE_philae"))
        .args(["bench", "--case", case, "--repeats", "1", "--quiet", "--json"])
        .args(["--simulated", &format!("{simulated_us}us")])
        .stdin(Stdio::null())
        .output()
        .expect("valgrind starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{case}: {errors}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    let cases = report["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), 1, "{case} names one case");
    let counted = errors.lines().find_map(|line| line.split_once("refs:")).expect("cachegrind says how many");
    let instructions = counted.1.trim().replace(',', "").parse().expect("a number");
    (instructions, cases[0]["packet_hops"].as_u64().expect("a number"))
}

fn per_packet_hop((case, shorter, longer): (&str, u32, u32)) -> f64 {
    let (before, after) = (count(case, shorter), count(case, longer));
    let hops = after.1 - before.1;
    assert!(hops > 5_000, "{case}: {hops} packet-hops say little");
    (after.0 - before.0) as f64 / hops as f64
}

/// `rustc 1.95.0`: another compiler generates other instructions.
fn compiler() -> String {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let output = Command::new(rustc).arg("--version").output().map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&output).split_whitespace().take(2).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_packet_hop_costs_no_more_instructions_than_before() {
    if !cfg!(target_arch = "x86_64") {
        return println!("left out: the counts are of x86-64");
    }
    if !Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return println!("left out: there is no valgrind; install it with: scripts/setup --test");
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/instructions.csv");
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    let writes = std::env::var("PHILAE_INSTRUCTIONS").is_ok_and(|asked| asked == "write");
    let kept_compiler = kept.lines().next().unwrap_or_default().trim_start_matches("# ");
    if !writes && kept_compiler != compiler() {
        return println!("left out: the counts are of {kept_compiler}, this is {}", compiler());
    }
    let left = Mutex::new(CASES.to_vec());
    let counted = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads.min(CASES.len()) {
            scope.spawn(|| {
                loop {
                    let Some(case) = left.lock().expect("no case failed").pop() else { return };
                    let cost = per_packet_hop(case);
                    counted.lock().expect("no case failed").push((case.0, cost));
                }
            });
        }
    });
    let mut counted = counted.into_inner().expect("no case failed");
    counted.sort_unstable_by_key(|(name, _)| *name);
    if writes {
        let rows: String = counted.iter().map(|(name, cost)| format!("{name},{cost:.0}\n")).collect();
        let text = format!("# {}\ncase,instructions_per_packet_hop\n{rows}", compiler());
        return std::fs::write(&file, text).expect("the file can be written");
    }
    let mut regressions = Vec::new();
    for (name, cost) in counted {
        let row = kept.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(','));
        let before: f64 = row.and_then(|count| count.parse().ok()).unwrap_or_else(|| panic!("{name} has a count"));
        let change = (cost / before - 1.0) * 100.0;
        println!("{name:36} {before:6.0} -> {cost:6.0} instructions per packet-hop, {change:+.1} %");
        if change > GROWTH_MAX_PERCENT {
            regressions.push(format!("{name} costs {cost:.0} instructions per packet-hop, {before:.0} before"));
        }
    }
    assert!(regressions.is_empty(), "{}\n(PHILAE_INSTRUCTIONS=write keeps the new counts)", regressions.join("\n"));
}
