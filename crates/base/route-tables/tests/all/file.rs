//! A file of routes gives back what was written, refuses other wirings, and never crashes its
//! reader.

use std::sync::Arc;

use crate::common::{SYSTEMS, changes, wiring};
use philae_route_tables::{
    Detours, FabricWiring, FileError, LinkChange, LiveLinks, Parameters, RoutePlan, RoutesFile, verify,
};
use philae_topology::{DragonflyDescription, Topology};
use philae_units::PortIndex;
use proptest::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

fn plan_without(wiring: &Arc<FabricWiring>, lost: &[u16], parameters: Parameters) -> RoutePlan {
    let numbers: Vec<(u16, bool)> = lost.iter().map(|&number| (number, false)).collect();
    let mut links = LiveLinks::all(wiring);
    for change in changes(wiring, &numbers) {
        links.set(wiring, change);
    }
    RoutePlan::new(Arc::clone(wiring), Some(links), parameters)
}

/// The file with a matching checksum, whatever its content.
fn resealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len().saturating_sub(8);
    let checksum = xxh3_64(&bytes[..end]);
    bytes[end..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

#[test]
fn a_file_is_small_and_says_what_it_is() {
    let malbec = Arc::new(wiring(3));
    let plan = plan_without(&malbec, &[5, 77], Parameters::default());
    let bytes = RoutesFile::write(&plan, "malbec");
    let entries = verify(&plan).expect("sound").entries;
    assert!((bytes.len() as u64) < entries * 3, "{} bytes for {entries} entries", bytes.len());
    let read = RoutesFile::read(&bytes).expect("just written");
    assert_eq!((read.system.as_str(), read.switch_count()), ("malbec", malbec.switch_count()));
    assert_eq!((read.wiring, read.generation), (malbec.hash(), plan.generation()));
    assert_eq!(read.dead, plan.dead_links().collect::<Vec<_>>());
    assert_eq!(read.dead.len(), 2);
}

#[test]
fn another_wiring_is_refused_by_name() {
    let small = Arc::new(wiring(0));
    let bytes = RoutesFile::write(&RoutePlan::new(small, None, Parameters::default()), "small");
    let read = RoutesFile::read(&bytes).expect("just written");
    let error = read.clone().plan(wiring(1)).expect_err("another system");
    assert!(matches!(&error, FileError::OtherWiring { system, .. } if system == "small"));
    assert!(error.to_string().contains("tables made for this system would work"), "{error}");
    // The same size, wired in another way.
    let description = DragonflyDescription::uniform(4, 4, 2, 1);
    let topology = Topology::build(&description.into()).expect("a small system");
    let links: Vec<(PortIndex, PortIndex)> = FabricWiring::of(&topology).expect("64 ports").links().skip(1).collect();
    let known = wiring(0);
    let groups = (0..known.switch_count()).map(|switch| known.group_of(philae_units::SwitchId::from_index(switch)));
    let edge = (0..known.switch_count()).map(|switch| known.edge(philae_units::SwitchId::from_index(switch)));
    let other = FabricWiring::from_links(known.radix(), groups, edge.collect(), links).expect("legal");
    assert!(matches!(read.plan(other), Err(FileError::OtherWiring { .. })));
}

#[test]
fn a_foreign_file_is_distinguished_from_a_damaged_one() {
    let bytes = RoutesFile::write(&RoutePlan::new(wiring(0), None, Parameters::default()), "small");
    assert_eq!(RoutesFile::read(b""), Err(FileError::NotRoutes));
    assert_eq!(RoutesFile::read(b"[routes]\nfile = \"x\"\n"), Err(FileError::NotRoutes));
    let mut newer = bytes.clone();
    newer[8] = 2;
    assert_eq!(RoutesFile::read(&resealed(newer)), Err(FileError::Version { found: 2 }));
    for end in 8..bytes.len() {
        assert!(RoutesFile::read(&bytes[..end]).is_err(), "cut after {end} bytes");
    }
    let longer: Vec<u8> = bytes.iter().copied().chain([0]).collect();
    assert!(matches!(RoutesFile::read(&longer), Err(FileError::Damaged { .. })));
}

#[test]
fn a_made_up_file_does_not_take_all_memory() {
    let mut bytes = b"PHROUTES".to_vec();
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend([0; 8]); // Wiring.
    bytes.extend([0, 1, 8]); // Name, generation, classes.
    bytes.extend([0xff, 0xff, 0xff, 0x7f, 64, 0xff, 0xff, 0xff, 0x7f]); // Switches, ports, words.
    bytes.extend([0; 32]);
    assert!(matches!(RoutesFile::read(&resealed(bytes)), Err(FileError::TooLarge { .. })));
}

#[test]
fn paths_to_the_edge_of_groups_are_as_long_and_climb_as_far_as_expected() {
    // Four groups of four switches, all to all, so that a group is one hop away, or two.
    let wiring = Arc::new(wiring(0));
    let plan = RoutePlan::new(Arc::clone(&wiring), None, Parameters::default());
    let detours = Detours::of(&plan);
    for from in (0..wiring.switch_count()).map(philae_units::SwitchId::from_index) {
        let own = wiring.group_of(from);
        assert_eq!(detours.within(own), Some(0));
        for group in (0..wiring.group_count()).map(philae_units::GroupId::from_index).filter(|&group| group != own) {
            assert_eq!(detours.climbs(from, group), Some(0), "local, then global: one leg");
            let direct =
                plan.tables().entry(from, philae_route_tables::Destination::Group(group)) & wiring.global(from);
            assert_eq!(detours.hops(from, group), Some(if direct != 0 { 1 } else { 2 }));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn written_files_are_read_back(which in 0..SYSTEMS, lost in prop::collection::vec(any::<u16>(), 0..24), later in any::<u16>()) {
        let wiring = Arc::new(wiring(which));
        let mut plan = plan_without(&wiring, &lost, Parameters::default());
        let [change] = changes(&wiring, &[(later, false)])[..] else { unreachable!("one number, one change") };
        plan.update(&[change, LinkChange { up: true, ..change }]);
        let bytes = RoutesFile::write(&plan, "a system");
        let read = RoutesFile::read(&bytes).expect("just written").plan(Arc::clone(&wiring)).expect("the same wiring");
        prop_assert_eq!(read.tables(), plan.tables());
        prop_assert_eq!(read.links(), plan.links());
        prop_assert_eq!(read.generation(), plan.generation());
        prop_assert_eq!(verify(&read), verify(&plan));
        prop_assert_eq!(RoutesFile::write(&read, "a system"), bytes);
    }

    #[test]
    fn a_changed_byte_is_noticed(which in 0..SYSTEMS, lost in prop::collection::vec(any::<u16>(), 0..4), place in any::<prop::sample::Index>(), flip in 1..=u8::MAX) {
        let mut bytes = RoutesFile::write(&plan_without(&Arc::new(wiring(which)), &lost, Parameters::default()), "s");
        let place = place.index(bytes.len());
        bytes[place] ^= flip;
        prop_assert!(RoutesFile::read(&bytes).is_err());
    }

    /// Any content with a matching checksum: the file is refused, or its tables are, or they are
    /// sound.
    #[test]
    fn a_malformed_file_never_panics(
        which in 0..SYSTEMS,
        lost in prop::collection::vec(any::<u16>(), 0..12),
        changed in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let wiring = Arc::new(wiring(which));
        let mut bytes = RoutesFile::write(&plan_without(&wiring, &lost, Parameters::default()), "s");
        for (place, byte) in changed {
            // After magic, version and the hash of the wiring, so that more than these is tried.
            let place = 20 + place.index(bytes.len() - 28);
            bytes[place] = byte;
        }
        if let Ok(plan) = RoutesFile::read(&resealed(bytes)).and_then(|file| file.plan(wiring))
            && verify(&plan).is_ok()
        {
            let _ = Detours::of(&plan);
        }
    }

    #[test]
    fn random_bytes_are_refused(mut bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(RoutesFile::read(&bytes).is_err());
        bytes.splice(0..0, *b"PHROUTES\x01\0\0\0");
        let _ = RoutesFile::read(&resealed(bytes));
    }
}
