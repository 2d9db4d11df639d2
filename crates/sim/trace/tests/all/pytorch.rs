//! Chakra's traces of PyTorch runs.

use crate::chakra_file::{attribute, node, number, text_attribute, trace};
use crate::formats::{chakra, run, tasks};
use philae_trace::TaskKind;
use philae_units::Picoseconds;
use philae_workload::Op;

/// A control dependency.
fn after(id: u64) -> Vec<u8> {
    number(4, id)
}

fn on_host(is: bool) -> Vec<u8> {
    attribute("is_cpu_op", 27, is.into())
}

fn device_allreduce(id: u64, rest: Vec<u8>) -> Vec<u8> {
    node(id, 7, &[], &[rest, on_host(false), attribute("comm_type", 9, 0), attribute("comm_size", 9, 65_536)])
}

#[test]
fn control_dependencies_on_nodes_that_were_not_written_are_left_out() {
    let rank =
        || trace("0.0.4", &[node(5, 4, &[], &[after(3), number(7, 20), on_host(true)]), device_allreduce(9, after(3))]);
    let schedule = chakra(vec![rank(), rank()]).expect("dangling");
    let warnings = schedule.warnings().join("\n");
    assert!(
        warnings.contains("control dependencies on nodes that are not in the file are ignored (4 times)"),
        "{warnings}"
    );
    assert_eq!(run(&schedule)[0].sent.0, 65_536);
}

#[test]
fn the_hosts_side_of_a_collective_takes_its_time_and_sends_nothing() {
    let host = || node(5, 7, &[], &[number(7, 150), on_host(true)]);
    let rank = || trace("0.0.4", &[host(), device_allreduce(9, number(5, 5))]);
    let schedule = chakra(vec![rank(), rank()]).expect("both sides");
    assert!(schedule.warnings().join("").contains("(2 times)"), "{:?}", schedule.warnings());
    let own = tasks(&schedule, 0);
    assert_eq!(own[0].what, TaskKind::Op(Op::Compute { time: Picoseconds::from_micros(150) }));
    assert!(matches!(own[1].what, TaskKind::Call(_)));
    assert_eq!(schedule.totals().calls, 2);
    // The device's node must name its operation, and so must a node that is not marked as the
    // host's.
    for attributes in [vec![on_host(false)], vec![]] {
        let error = chakra(vec![trace("", &[node(5, 7, &[], &attributes)])]).expect_err("no kind").to_string();
        assert!(error.contains("no comm_type"), "{error}");
    }
    // Messages of the host are the same.
    let schedule = chakra(vec![trace("", &[node(1, 5, &[], &[on_host(true)]), node(2, 6, &[], &[on_host(true)])])]);
    assert!(schedule.expect("two").warnings().join("").contains("(2 times)"));
}

#[test]
fn versions_of_the_schema_are_known_by_their_own_part() {
    for (version, is_known) in [
        ("1.0.0", true),
        ("0.0.4", true),
        ("1.1.1-chakra.0.0.4", true),
        ("1.0.2-chakra.1.0.0", true),
        ("2.0.0", false),
        ("1.0.2-chakra.9.9.9", false),
    ] {
        let schedule = chakra(vec![trace(version, &[node(1, 4, &[], &[])])]).expect(version);
        assert_eq!(schedule.warnings().is_empty(), is_known, "{version}: {:?}", schedule.warnings());
    }
}

#[test]
fn operations_that_disagree_are_named_with_both_ranks() {
    let rank = |size: u64| {
        let attributes = [
            on_host(false),
            attribute("comm_type", 9, 0),
            attribute("comm_size", 9, size),
            text_attribute("pg_name", "g"),
        ];
        trace("0.0.4", &[node(1, 7, &[], &attributes)])
    };
    let error = chakra(vec![rank(4_096), rank(8_192)]).expect_err("they disagree").to_string();
    let expected = "found ALL_REDUCE of 8 KiB as collective operation 0 of its group on rank 1; expected ALL_REDUCE of 4 KiB, as on rank 0";
    assert!(error.contains(expected), "{error}");
}
