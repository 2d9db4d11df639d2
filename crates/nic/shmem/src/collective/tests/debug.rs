//! The debug mode names both sides of a mismatch.

use std::sync::Mutex;

use crate::error::Error;

use super::super::barrier_group::BarrierGroup;
use super::super::watch::{ComparedCall, NO_ROOT};
use super::{Shape, run};

/// The mismatches that the PEs report, by PE.
fn mismatches(shape: &Shape, program: impl Fn(&super::Pe) -> Result<(), Error> + Sync) -> Vec<String> {
    let said = Mutex::new(vec![String::new(); shape.hosts.len()]);
    run(shape, |pe| match program(pe) {
        Ok(()) => {}
        Err(Error::Mismatch(text)) => said.lock().expect("no thread panics with it")[pe.me] = text,
        Err(other) => panic!("{other}"),
    });
    said.into_inner().expect("no thread panics with it")
}

#[test]
fn different_functions_roots_and_sizes_are_told_apart() {
    let base = || ComparedCall::new("shmem_long_broadcast", 0, 32, 0);
    let others = [
        ("shmem_long_fcollect", ComparedCall::new("shmem_long_fcollect", NO_ROOT, 32, 0)),
        ("with root 1", ComparedCall::new("shmem_long_broadcast", 1, 32, 0)),
        ("of 40 bytes", ComparedCall::new("shmem_long_broadcast", 0, 40, 0)),
        ("type and operation 0x5", ComparedCall::new("shmem_long_broadcast", 0, 32, 5)),
    ];
    for hosts in [vec![0, 0, 0], vec![0, 1, 1]] {
        for (text, other) in &others {
            let shape = Shape { hosts: hosts.clone(), oversubscribed: true, debug: true, seed: 3 };
            let said = mismatches(&shape, |pe| {
                let mut world = pe.world();
                world.check(&base())?;
                if pe.me == 2 { world.check(other) } else { world.check(&base()) }
            });
            assert!(said[2].contains(text) && said[2].contains("shmem_long_broadcast"), "{said:?}");
            assert!(
                said[2].contains("this PE calls") && (said[2].contains("PE 0 calls") || said[2].contains("PE 1 calls")),
                "{said:?}"
            );
        }
    }
}

#[test]
fn pes_that_wait_for_each_other_in_different_teams_are_told() {
    let shape = Shape { debug: true, ..Shape::local(2) };
    let said = mismatches(&shape, |pe| {
        let (mut first, mut second) = (pe.team(&[0, 1], 0).expect("a member"), pe.team(&[1, 0], 3).expect("a member"));
        first.sync()?;
        if pe.me == 0 {
            first.check(&ComparedCall::new("shmem_team_sync", NO_ROOT, 0, 0))
        } else {
            second.check(&ComparedCall::new("shmem_int_collect", NO_ROOT, 0, 0))
        }
    });
    assert!(said[0].contains("PE 1 is in shmem_int_collect of another team (slot 3)"), "{said:?}");
    assert!(said[1].contains("PE 0 is in shmem_team_sync of another team (slot 0)"), "{said:?}");
}
