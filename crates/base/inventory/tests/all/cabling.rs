//! The point-to-point cabling file: read, written, and refused with line and column.

use philae_inventory::{CablePurpose, Cabling, Models, SystemSource, Template};
use philae_topology::PortPeer;
use proptest::prelude::*;

const FILE: &str = "\u{feff}\"# HPE Slingshot, drawn up by hand\",,,,,,,,,,,,,,,,\n\
\"# second line, with a comma\",,,,,,,,,,,,,,,,\n\
cable_id,src_conn_a,src_conn_b,dst_conn_a,dst_conn_b,stage,src_egress_a,src_egress_b,dst_egress_a,dst_egress_b,link_type,\
src_group,dst_group,part_number,part_length,calculated_distance,route\n\
1,x3000.c0.r15.j13,none,x3000.c0.r16.j13,none,1,,,,,local,0,0,P1,1.5,1.2,\"a, b\"\n\
2,x3000.c0.s17.b0.n0.h0,x3000.c0.s18.b0.n0.h0,x3000.c0.r15.j1,none,1,,,,,edge,0,0,P2,2,,\n\
3,x3000.c0.r15.j2,none,x1001.c6.r3.j17,x1001.c6.r3.j18,2,,,,,global,0,1,P3,20,,\n\
4,x3000.c0.r16.j1,x3000.c0.r16.j2,x1001.c0.s0.b0.n0.h0,x1001.c0.s0.b0.n0.h1,1,,,,,edge,0,1,P2,2,,\n";

#[test]
fn the_documented_form_is_read() {
    let cabling = Cabling::parse(FILE.as_bytes()).expect("documented");
    assert_eq!(cabling.preamble, ["# HPE Slingshot, drawn up by hand", "# second line, with a comma"]);
    assert_eq!(cabling.cables.len(), 4);
    assert_eq!(cabling.cables[0].link_type, CablePurpose::Local);
    assert_eq!(cabling.cables[0].route, "a, b");
    assert_eq!(cabling.cables[0].length_mm(), Some(1_500));
    let lanes = |cable: usize| -> Vec<String> {
        cabling.cables[cable].lanes().iter().map(|(one, other)| format!("{one} {other}")).collect()
    };
    assert_eq!(lanes(0), ["x3000c0r15j13p0 x3000c0r16j13p0", "x3000c0r15j13p1 x3000c0r16j13p1"]);
    assert_eq!(lanes(1), ["x3000c0s17b0n0h0 x3000c0r15j1p0", "x3000c0s18b0n0h0 x3000c0r15j1p1"]);
    assert_eq!(lanes(2), ["x3000c0r15j2p0 x1001c6r3j17p0", "x3000c0r15j2p1 x1001c6r3j18p0"]);
    assert_eq!(lanes(3), ["x3000c0r16j1p0 x1001c0s0b0n0h0", "x3000c0r16j2p0 x1001c0s0b0n0h1"]);
    let written = cabling.to_csv();
    assert!(written.starts_with("\"# HPE Slingshot, drawn up by hand\",,,,"), "{written}");
    assert_eq!(Cabling::parse(written.as_bytes()), Ok(cabling));
}

#[test]
fn a_header_may_be_absent_or_in_another_order() {
    let without: String = FILE.lines().skip(3).map(|line| format!("{line}\r\n")).collect();
    let cabling = Cabling::parse(without.as_bytes()).expect("no header");
    assert_eq!(cabling.cables, Cabling::parse(FILE.as_bytes()).expect("documented").cables);
    let other = "cable_id,link_type,dst_conn_a,src_conn_a,colour\n7,Global,x1.c0.r1.j2,x2.c0.r1.j2,blue\n";
    let cabling = Cabling::parse(other.as_bytes()).expect("enough");
    assert_eq!(cabling.cables[0].source[0].expect("a jack").to_string(), "x2c0r1j2");
    assert_eq!(cabling.cables[0].source_group, None);
}

#[test]
fn errors_name_line_and_column() {
    let refused = |text: &str| Cabling::parse(text.as_bytes()).expect_err("wrong").to_string();
    let damaged = FILE.replace("x3000.c0.r16.j13", "x3000.c9.r16.j13");
    assert_eq!(
        refused(&damaged),
        "line 4 of the cabling, column dst_conn_a: 9 after 'c' in 'x3000c9r16j13' is out of range; 0 to 7 would work; \
         a jack such as x3000.c0.r15.j13, a NIC such as x1000.c0.s0.b0.n0.h0, or none, would work"
    );
    let with = |from: &str, to: &str| refused(&FILE.replace(from, to));
    assert!(
        with(",local,", ",lokal,").contains("line 4 of the cabling, column link_type: 'lokal'; edge, local or global")
    );
    assert!(with("global,0,1", "global,0,one").contains("line 6 of the cabling, column dst_group: 'one'"));
    assert!(with("x3000.c0.r15.j13,none", "none,none").contains("column src_conn_a: a cable without this end"));
    assert!(with("x3000.c0.r15.j13,", "x3000.c0.r15,").contains("x3000c0r15, a switch module"));
    assert!(with(",edge,0,0", ",local,0,0").contains("line 5 of the cabling, column link_type: local, with 2 NICs"));
    assert!(with("dst_conn_a,dst_conn_b", "dst_conn_c,dst_conn_b").contains("column dst_conn_a: a header without it"));
    assert!(with("dst_conn_b", "dst_conn_a").contains("a second column of this name"));
    assert!(
        refused("1,x1.c0.r1.j1\n").contains("line 1 of the cabling, column dst_conn_a: the row ends after 2 values")
    );
    let bytes = [b"# fine\n".as_slice(), &[0xff]].concat();
    let error = Cabling::parse(&bytes).expect_err("not UTF-8").to_string();
    assert_eq!(error, "line 2 of the cabling: byte 0xff, which is not UTF-8; a file in UTF-8 would work");
}

#[test]
fn a_fabric_is_made_of_cables() {
    let template = Cabling::parse(FILE.as_bytes()).expect("documented").to_template("four").expect("grouped");
    let fabric = template.build(&Models::built_in()).expect("consistent");
    assert_eq!((fabric.switch_count(), fabric.nic_count()), (3, 4));
    assert_eq!((fabric.links().local, fabric.links().global, fabric.links().edge), (2, 2, 4));
    let port = fabric.port_by_name("x1001c6r3a0l58").expect("published row");
    assert_eq!(fabric.port(port).peer, PortPeer::Port(fabric.port_by_name("x3000c0r15j2p0").expect("a port")));
    assert_eq!(fabric.cable_name(port), Some("3"));
    assert_eq!(fabric.cable(port).expect("a cable").length_mm, 20_000);
    // Jacks towards the blades have numbers that our tables do not have. A NIC that is not on a
    // blade has no controller.
    let inner = "9,x9000c1r3j101,none,x9000c1s1b0n0h0,x9000c1s1b0n1h0,1,,,,,edge,1,none,none,none,none,none\n\
                 9,x9000c1r3j100,none,x9000c1s0b0n0h0,x9000c1s0b0n1h0,1,,,,,edge,1,none,none,none,none,none\n\
                 9,x9000c1r3j32,none,x7000c0s0n0h11,x7000c0s0n0h11,1,,,,,edge,1,none,none,none,none,none\n";
    let cabling = Cabling::parse(inner.as_bytes()).expect("as public samples have it");
    let blades = cabling.to_template("inner").expect("grouped").build(&Models::built_in()).expect("consistent");
    assert_eq!((blades.nic_count(), blades.links().edge), (5, 5));
    let port = blades.nics()[blades.nic_by_name("x9000c1s0b0n1h0").expect("a NIC").index()].port;
    assert_eq!(blades.connector_port_xname(port).to_string(), "x9000c1r3j30p1", "j32 is taken");
    assert_eq!(cabling.warnings.len(), 4, "{:?}", cabling.warnings);
    assert_eq!(
        cabling.warnings[0],
        "line 3, column dst_conn_a: x7000c0s0n0h11 names no controller; x7000c0s0b0n0h11 is used"
    );
    assert_eq!(cabling.warnings[2], "line 3: both ends are x7000c0s0b0n0h11; one link to it is used");
    let told: Vec<String> =
        cabling.assumed().into_iter().map(|found| format!("{}: {}", found.key, found.value)).collect();
    let jacks = "2 jacks above j32: x9000c1r3j100 is read as x9000c1r3j30, and so on to x9000c1r3j31".to_owned();
    assert!(told.contains(&jacks), "{told:?}");
    let lost = FILE.replace("local,0,0", "local,1,0");
    let error = Cabling::parse(lost.as_bytes()).expect("legal").to_template("x").expect_err("two groups").to_string();
    assert_eq!(error, "switch x3000c0r15: groups 1 and 0, by cable '2'; one group would work");
}

#[test]
fn a_fabric_written_as_cables_is_read_back() {
    for name in ["shandy", "slingshot400-64", "frontier"] {
        let fabric = Template::of_built_in(name).build(&Models::built_in()).expect(name);
        let csv = fabric.to_cabling().to_csv();
        let cabling = Cabling::parse(csv.as_bytes()).expect("written by us");
        let read = cabling.to_template(name).expect("grouped").build(&Models::built_in()).expect("consistent");
        assert_eq!(read.links(), fabric.links(), "{name}");
        for port in (0..fabric.port_count()).step_by(13).map(|port| philae_units::PortIndex(port as u32)) {
            let same = read.port_by_xname(fabric.link_xname(port)).expect("the same name");
            let far = |of: &philae_inventory::PlannedFabric, port| match of.port(port).peer {
                PortPeer::None => None,
                PortPeer::Port(far) => Some(of.link_xname(far)),
                PortPeer::Endpoint(nic) => Some(of.nic_xname(nic)),
            };
            assert_eq!(far(&fabric, port), far(&read, same));
        }
    }
}

#[test]
fn damaged_rows_are_refused_with_their_line() {
    let refused = |text: &str| Cabling::parse(text.as_bytes()).expect_err("damaged").to_string();
    let with = |from: &str, to: &str| {
        assert!(FILE.contains(from), "{from}");
        refused(&FILE.replacen(from, to, 1))
    };
    let fourth = "4,x3000.c0.r16.j1,x3000.c0.r16.j2,x1001.c0.s0.b0.n0.h0,x1001.c0.s0.b0.n0.h1,1,,,,,edge,0,1,P2,2,,\n";
    for (error, words) in [
        (
            with("edge,0,0,P2,2,,\n", "edge,0,0\n"),
            "line 5 of the cabling, column part_number: the row ends after 13 values",
        ),
        (
            with("edge,0,0,P2,2,,\n", "edge,0,0,P2,2,,,x\n"),
            "line 5 of the cabling: a row of 18 values; 17 values, as in line 3,",
        ),
        // A quote that is not closed would take the rest of the file for one value.
        (with("\"a, b\"", "\"a, b"), "line 4 of the cabling: a quote"),
        (with("0,1,P2,2,,\n", "0,1,P2,2,,\"x"), "line 7 of the cabling: a quote that is not closed"),
        (with("0,1,P3,20,,\n", "0,1,P3,20,\"x\ny\",\n"), "line 6 of the cabling: a quote, and its value continues"),
        // A row twice, and ports of two cables.
        (
            with(fourth, &[fourth, fourth].concat()),
            "line 8 of the cabling: x3000c0r16j1p0, where the cable of line 7 ends",
        ),
        (
            with("x3000.c0.r16.j13,none", "x3000.c0.r15.j2,none"),
            "line 6 of the cabling: x3000c0r15j2p0, where the cable of line 4",
        ),
        (with("x3000.c0.r16.j13,none", "x3000.c0.r15.j13,none"), "line 4 of the cabling: x3000c0r15j13p0 at both ends"),
    ] {
        assert!(error.contains(words), "{error}\n{words}");
    }
    // Every cut within a row is refused, or is said.
    let whole = Cabling::parse(FILE.as_bytes()).expect("documented");
    let end = FILE.len() - 1;
    let last = Cabling::parse(&FILE.as_bytes()[..end]).expect("only the line end is gone");
    assert_eq!(last.cables, whole.cables);
    assert!(last.warnings[0].starts_with("line 7: the last row has no line end"), "{:?}", last.warnings);
    for cut in FILE.len() - fourth.len() + 1..end {
        assert!(Cabling::parse(&FILE.as_bytes()[..cut]).is_err(), "{cut}");
    }
    // Padding of spreadsheets is no value.
    let padded = FILE.replace("P2,2,,\n", "P2,2,,,,\n");
    assert_eq!(Cabling::parse(padded.as_bytes()).expect("padded").cables, whole.cables);
    for separator in [";", "\t"] {
        let other = FILE.replace("\"a, b\"", "a").replace(',', separator);
        let cables = Cabling::parse(other.as_bytes()).expect("another separator").cables;
        assert_eq!(cables.len(), 4, "{separator:?}");
        let cut = other.replacen("0{s}0{s}P2{s}2".replace("{s}", separator).as_str(), "0", 1);
        assert!(Cabling::parse(cut.as_bytes()).is_err(), "{separator:?}");
    }
    let header: String = FILE.lines().take(3).map(|line| format!("{line}\n")).collect();
    for text in [header.as_str(), "cable_id\n", "cable_id,src_co"] {
        let error = SystemSource::read(text, "p2p.csv", &Models::built_in()).expect_err("no cable").to_string();
        assert!(error.contains("'p2p.csv' is not") && error.contains("cabling"), "{error}");
    }
    let error = SystemSource::read(&header, "p2p.csv", &Models::built_in()).expect_err("no cable").to_string();
    assert!(error.contains("no row of a cable; a row for each cable would work"), "{error}");
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Cabling::parse(&bytes);
    }

    #[test]
    fn damaged_files_are_read_or_refused(at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<prop::sample::Index>()) {
        let mut bytes = FILE.as_bytes().to_vec();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        bytes.truncate(cut.index(bytes.len()) + 1);
        if let Ok(cabling) = Cabling::parse(&bytes) {
            let known = Cabling { unknown_columns: Vec::new(), warnings: Vec::new(), ..cabling.clone() };
            prop_assert_eq!(Cabling::parse(cabling.to_csv().as_bytes()), Ok(known));
            let _ = cabling.to_template("damaged").map(|template| template.build(&Models::built_in()));
        }
    }
}

#[test]
fn a_length_that_is_none_is_refused_at_its_place() {
    let with = |length: &str| FILE.replace(",P1,1.5,1.2,", &format!(",P1,{length},1.2,"));
    for length in ["-0.75", "NaN", "1e9", "inf", "2001", "75cm", "1.5.2", "\"2,5\"", "-1 m"] {
        let error = Cabling::parse(with(length).as_bytes()).expect_err(length).to_string();
        assert!(error.starts_with("line 4 of the cabling, column part_length: '"), "{error}");
        assert!(error.ends_with("metres above 0 and up to 2000, or nothing, would work"), "{error}");
    }
    for (length, mm) in [("2.5", 2_500), ("2.5 m", 2_500), ("2m", 2_000), ("1e1", 10_000), ("", 1_200), ("n/a", 1_200)]
    {
        let cabling = Cabling::parse(with(length).as_bytes()).expect(length);
        assert_eq!(cabling.cables[0].length_mm(), Some(mm), "{length}");
        assert_eq!(cabling.warnings, [""; 0], "{length}");
    }
    let words = Cabling::parse(with("short").as_bytes()).expect("words");
    assert_eq!(words.cables[0].length_mm(), Some(1_200));
    assert_eq!(words.warnings, ["line 4: part_length has words instead of metres and is ignored"]);
    // The distance counts where it is needed, and only there.
    let far = |length: &str| FILE.replace(",P1,1.5,1.2,", &format!(",P1,{length},-3,"));
    assert!(Cabling::parse(far("1.5").as_bytes()).is_ok());
    let error = Cabling::parse(far("").as_bytes()).expect_err("no length").to_string();
    assert!(error.contains("column calculated_distance: '-3'"), "{error}");
}

#[test]
fn semicolons_and_tabs_separate_columns_as_commas_do() {
    let usual = Cabling::parse(FILE.as_bytes()).expect("commas");
    for separator in [";", "\t"] {
        let other: String =
            FILE.lines().map(|line| line.replace("\"a, b\"", "a b").replace(',', separator) + "\r\n").collect();
        let cabling = Cabling::parse(other.as_bytes()).expect(separator);
        let ends = |cabling: &Cabling| cabling.cables.iter().map(|cable| cable.source).collect::<Vec<_>>();
        assert_eq!(ends(&cabling), ends(&usual), "{separator}");
        let bare: String = other.lines().skip(3).map(|line| format!("{line}\n")).collect();
        for text in [&other, &bare] {
            let source = SystemSource::read(text, "hall.csv", &Models::built_in()).expect(separator);
            assert!(matches!(source, SystemSource::Fabric { .. }), "{separator}");
        }
    }
}

#[test]
fn a_kind_of_cable_that_its_groups_contradict_is_told() {
    let text = FILE.replace("local,0,0", "global,0,0").replace("global,0,1", "local,0,1");
    let said = Cabling::parse(text.as_bytes()).expect("read").warnings;
    assert_eq!(
        said,
        [
            "line 4: link_type is global, but both ends are in one group: global is used",
            "line 6: link_type is local, but its ends are in two groups: local is used"
        ]
    );
}

#[test]
fn an_id_of_two_cables_is_told_and_that_of_a_splitter_is_not() {
    let said = |rows: &str| Cabling::parse(rows.as_bytes()).expect("read").warnings;
    let row = |id: &str, one: &str, other: &str, kind: &str| {
        format!("{id},{one},none,{other},none,1,,,,,{kind},0,0,P1,1.5,1.2,\n")
    };
    let (first, second) = (row("A7", "x1c0r1j1", "x1c0r3j1", "local"), row("A7", "x1c0r1j2", "x1c0r3j2", "local"));
    let third = row("A7", "x1c0r1j3", "x1c0r3j3", "local");
    let told = "line 2: 1 row with the cable_id of another cable 'A7' of line 1: each is read as a cable";
    assert_eq!(said(&(first.clone() + &second)), [told]);
    let all = "line 2: 2 rows with the cable_id of another cable, first 'A7' of line 1: each is read as a cable";
    assert_eq!(said(&(first.clone() + &second + &third)), [all]);
    // No id, and a splitter: one jack to two NICs.
    for id in ["", "none"] {
        assert_eq!(said(&(first.clone() + &second).replace("A7", id)), [""; 0], "{id}");
    }
    let split = row("8", "x1c0r1j5p0", "x1c0s0b0n0h0", "edge") + &row("8", "x1c0r1j5p1", "x1c0s1b0n0h0", "edge");
    assert_eq!(said(&split), [""; 0]);
    // What is exported of splitters reads back without a word.
    let fabric = Cabling::parse(FILE.as_bytes()).expect("documented").to_template("four").expect("grouped");
    let fabric = fabric.build(&Models::built_in()).expect("consistent");
    assert_eq!(said(&fabric.to_cabling().to_csv()), [""; 0]);
}
