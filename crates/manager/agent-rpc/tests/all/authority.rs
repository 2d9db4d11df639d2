//! The authority's files stay whole, whatever else runs or fails at the same time.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::common::new_directory;
use philae_agent_rpc::{Authority, CaError, CaSettings, Role, make_request};

const NOW: u64 = 1_800_000_000;

fn open(directory: &Path) -> Authority {
    Authority::open(directory, "test", CaSettings::default(), NOW).expect("an authority")
}

fn agent(number: u32) -> Role {
    Role::Agent(vec![format!("x1000c0r{number}b0")])
}

#[test]
fn of_many_that_make_it_at_once_all_have_the_same() {
    let directory = new_directory();
    let path = directory.path().join("ca");
    let roots: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| open(&path).roots())).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(roots.iter().all(|one| *one == roots[0]));
    let mode = |path: &Path| std::fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    assert_eq!(mode(&path), 0o700);
    assert_eq!(mode(&path.join("authority.json")), 0o600);
    let other = Authority::open(&path, "other", CaSettings::default(), NOW);
    assert!(matches!(other, Err(CaError::OtherFabric { .. })));
}

#[test]
fn changes_of_several_at_once_are_all_there() {
    let directory = new_directory();
    let authorities: Vec<Authority> = (0..4).map(|_| open(directory.path())).collect();
    std::thread::scope(|scope| {
        for (number, authority) in authorities.iter().enumerate() {
            scope.spawn(move || {
                for index in 0..10 {
                    authority.revoke(&format!("{number}-{index}"), NOW + 10).expect("it is written");
                    authority.issue(&agent(index), NOW).expect("it is written");
                }
            });
        }
    });
    let authority = open(directory.path());
    assert_eq!(authority.revoked().len(), 40);
    assert_eq!(authority.expiring(NOW, u64::MAX).expect("the record").len(), 40);
    authority.clean(NOW + 100_000).expect("it is written");
    assert_eq!(authority.revoked().len(), 40, "as long as one that has ended could be renewed");
    authority.clean(NOW + 100_000 + CaSettings::default().grace_s).expect("it is written");
    assert_eq!(authority.revoked().len(), 0);
    assert_eq!(authority.expiring(NOW, u64::MAX).expect("the record").len(), 0);
}

#[test]
fn a_token_is_used_once_by_whoever_is_first_and_not_after_its_time() {
    let directory = new_directory();
    let authority = open(directory.path());
    let (_, request) = make_request().expect("a key");
    let token = authority.make_token("x*c*r*b*", 60, NOW).expect("it is written");
    let text = std::fs::read_to_string(directory.path().join("authority.json")).expect("it is there");
    assert!(!text.contains(&token), "only its hash is kept");
    assert!(matches!(authority.join(&token, "x1c0r1b0", &request, NOW + 60), Err(CaError::Token)));
    assert!(matches!(authority.join(&token, "x1c0r1b0", "no request", NOW), Err(CaError::Request(_))));
    let other = open(directory.path());
    let taken: usize = std::thread::scope(|scope| {
        let (other, request, token) = (&other, &request, &token);
        let authority = &authority;
        let threads: Vec<_> = (0..6)
            .map(|index| {
                scope.spawn(move || {
                    let of = if index % 2 == 0 { authority } else { other };
                    of.join(token, "x1c0r1b0", request, NOW).is_ok()
                })
            })
            .collect();
        threads.into_iter().map(|thread| usize::from(thread.join().expect("no panic"))).sum()
    });
    assert_eq!(taken, 1);
}

#[test]
fn a_torn_record_hides_no_other_and_a_damaged_state_is_said() {
    let directory = new_directory();
    let authority = open(directory.path());
    authority.issue(&agent(1), NOW).expect("it is written");
    let path = directory.path().join("issued.jsonl");
    let mut text = std::fs::read_to_string(&path).expect("it is there");
    text.push_str("\n{\"serial\":\"12");
    std::fs::write(&path, text).expect("it can be written");
    authority.issue(&agent(2), NOW).expect("it is written");
    assert_eq!(authority.expiring(NOW, u64::MAX).expect("the record").len(), 2);
    assert_eq!(authority.expiring(NOW, NOW + 10).expect("the record").len(), 0);
    std::fs::write(directory.path().join("authority.json"), "{").expect("it can be written");
    let again = Authority::open(directory.path(), "test", CaSettings::default(), NOW);
    assert!(matches!(again, Err(CaError::Damaged { .. })));
    assert!(authority.rotate(NOW).is_err());
    assert_eq!(authority.epoch(), 1);
}

/// A disk of 64 KiB, if the machine allows us to mount one.
#[test]
fn a_full_disk_leaves_the_old_state() {
    let directory = new_directory();
    let mount = Command::new("mount").args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"]).arg(directory.path()).output();
    if !mount.is_ok_and(|output| output.status.success()) {
        eprintln!("not tested: this user cannot mount a tmpfs");
        return;
    }
    let result = std::panic::catch_unwind(|| {
        let authority = open(directory.path());
        let before = authority.roots();
        let filler = directory.path().join("filler");
        let mut size = 128 << 10;
        while size > 0 {
            let _ = std::fs::write(&filler, vec![0; size]);
            if std::fs::metadata(&filler).is_ok_and(|data| data.len() == size as u64) {
                break;
            }
            size -= 4 << 10;
        }
        assert!(matches!(authority.rotate(NOW), Err(CaError::File { .. })));
        assert!(authority.make_token("x1c0r1b0", 60, NOW).is_err());
        assert_eq!((authority.roots(), authority.epoch()), (before.clone(), 1));
        assert_eq!(open(directory.path()).roots(), before);
        std::fs::remove_file(&filler).expect("it is there");
        assert_eq!(authority.rotate(NOW).expect("there is room again"), 2);
    });
    let _ = Command::new("umount").arg(directory.path()).output();
    result.expect("as above");
}
