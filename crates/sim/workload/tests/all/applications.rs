//! Applications: their programs match for any number of ranks, and send what the closed forms of
//! their sources say.

use crate::common::{COUNTS, error, read, run, sends_of};
use philae_units::Bytes;
use philae_workload::Workload;

/// Bytes that a rank sends in a sum of one double over `ranks` ranks, a power of two: recursive
/// doubling.
fn sum(ranks: u32) -> u64 {
    8 * u64::from(ranks.ilog2())
}

#[test]
fn solvers_and_transforms_match_up_for_any_number_of_ranks() {
    let two_of_each = [
        "kind = 'milc'",
        "kind = 'milc'; periodic = false; naik_layers = 0; allreduce = 'ring'",
        "kind = 'lqcd'; sites = [4, 6, 2, 5]",
        "kind = 'lammps'; rebuild_every = 2; thermo_every = 2",
        "kind = 'hpcg'; cells = [8, 16, 8]",
        "kind = 'fft'; size = 32",
        "kind = 'fft'; size = 32; transposes = 1",
        "kind = 'fft'; size = 32; decomposition = 'pencil'",
        "kind = 'fft'; size = 32; decomposition = 'pencil'; transposes = 1; algorithm = 'pairwise'",
    ];
    for text in two_of_each {
        for ranks in COUNTS {
            let summaries = run(&format!("{text}; iterations = 2"), ranks);
            assert!(summaries.iter().all(|rank| rank.iterations == 2 && rank.computes > 0), "{text}");
            assert!(ranks > 1 || summaries[0].sends == 0, "{text}: one rank alone sends nothing");
        }
    }
}

#[test]
fn milc_sends_two_surfaces_for_each_parity_and_direction() {
    // 8^4: 12,288 B and 24,576 B to each of 8 neighbours, for two parities: 576 KiB; two sums.
    let summaries = run("kind = 'milc'; iterations = 1", 16);
    for rank in &summaries {
        assert_eq!((rank.sends, rank.sent), (2 * 16 + 2 * 4, Bytes(Bytes::from_kib(576).0 + 2 * sum(16))));
        assert_eq!((rank.outstanding_max, rank.computes), (32, 5));
    }
    // 16^4: 98 KB and 197 KB messages.
    let larger = run("kind = 'milc'; sites = [16, 16, 16, 16]; iterations = 1", 16);
    assert_eq!(larger[0].sent, Bytes(2 * 8 * (98_304 + 196_608) + 2 * sum(16)));
    // A side of one rank has no neighbour except itself; without Naik term only the first surface.
    let line = run("kind = 'milc'; grid = [16, 1, 1, 1]; naik_layers = 0; iterations = 1", 16);
    assert_eq!(line[0].sent, Bytes(2 * 2 * 12_288 + 2 * sum(16)));
    let ends = run("kind = 'milc'; grid = [16, 1, 1, 1]; periodic = false; naik_layers = 0; iterations = 1", 16);
    assert_eq!((ends[0].sent, ends[1].sent), (Bytes(2 * 12_288 + 2 * sum(16)), line[0].sent));
}

#[test]
fn lammps_sends_441_kib_each_way_and_more_when_it_rebuilds() {
    let step = &run("kind = 'lammps'; iterations = 1", 64)[0];
    // Swaps of 62, 73 and 85 KiB, twice in each dimension, forwards and back.
    let each_way = step.sent.0 / 2;
    assert!(each_way.abs_diff(Bytes::from_kib(441).0) < 1_024, "{each_way}");
    assert_eq!((step.sends, step.outstanding_max), (12, 2));
    // A rebuild: in each dimension 4 B and 64 atoms of 88 B to both neighbours, 6 counts of 4 B,
    // atoms of 48 B instead of 24 B.
    let rebuild = &run("kind = 'lammps'; iterations = 1; rebuild_every = 1", 64)[0];
    let exchange = 3 * 2 * (4 + 64 * 88);
    assert_eq!(rebuild.sent.0, exchange + 6 * 4 + 2 * each_way + each_way);
    // In 40 steps there are two rebuilds, and with a sum every 10 four sums.
    let many = &run("kind = 'lammps'; iterations = 40; thermo_every = 10", 64)[0];
    assert_eq!(many.sent.0, 38 * step.sent.0 + 2 * rebuild.sent.0 + 4 * sum(64));
    // Two ranks: one dimension has a neighbour, the same in both directions; atoms move to it once.
    let pair = &run("kind = 'lammps'; iterations = 1; rebuild_every = 1", 2)[0];
    assert_eq!(pair.sends, 2 + 4 + 2);
}

#[test]
fn hpcg_exchanges_four_times_on_the_fine_level_and_sums_three_times() {
    let middle = 13; // the one interior rank of 3 x 3 x 3
    let exchange = |side: u64| 6 * 8 * side * side + 12 * 8 * side + 8 * 8;
    assert_eq!([104, 52, 26, 13].map(|side| (exchange(side) + 512) / 1_024), [517, 132, 34, 9], "KiB");
    let summaries = run("kind = 'hpcg'; iterations = 1", 27);
    let expected = 4 * exchange(104) + 3 * exchange(52) + 3 * exchange(26) + exchange(13);
    let sums = summaries[middle].sent.0 - expected;
    assert_eq!(summaries[middle].sends - 11 * 26, sums / 8, "the rest is sums of 8 B");
    // Of 27 ranks 11 fold: the middle one takes part in the 4 steps of 16 and in folding.
    assert!((3 * 4..=3 * 5).contains(&(sums / 8)), "{sums} B");
    // All receives are posted, sends block one by one.
    assert_eq!(summaries[middle].outstanding_max, 27);
    let corner = &run("kind = 'hpcg'; iterations = 1", 8)[0];
    let eighth = |side: u64| 3 * 8 * side * side + 3 * 8 * side + 8;
    assert_eq!(corner.sent.0, 4 * eighth(104) + 3 * eighth(52) + 3 * eighth(26) + eighth(13) + 3 * sum(8));
}

#[test]
fn fft_transposes_the_whole_cube() {
    // A slab of 64^3 on 16 ranks: 16 N^3 / P^2 to each of the 15 others, for each transpose.
    let pair = 16 * 64_u64.pow(3) / 256;
    let slab = "kind = 'fft'; size = 64; algorithm = 'pairwise'; iterations = 1";
    assert_eq!(run(slab, 16)[3].sent, Bytes(2 * 15 * pair));
    assert_eq!(run(&format!("{slab}; transposes = 1"), 16)[3].sent, Bytes(15 * pair));
    // Pencils, 4 x 4: 16 N^3 / (P Pr) to each of the 3 others of a row, and of a column.
    let pencil = format!("{slab}; decomposition = 'pencil'");
    assert_eq!(run(&format!("{pencil}; transposes = 1"), 16)[3].sent, Bytes(2 * 3 * 16 * 64_u64.pow(3) / 64));
    let grid = run(&format!("{pencil}; grid = [8, 2]"), 16);
    assert_eq!(grid[3].sent, Bytes(2 * 16 * 64_u64.pow(3) / 16 * 7 / 8 + 2 * 16 * 64_u64.pow(3) / 16 / 2));
    assert_eq!(grid[3].peers.len(), 8, "7 in the row and 1 in the column");
    // 1024^3 on 1024 ranks, only one rank's program: slab 16 KiB per pair, pencil 512 KiB per pair
    // and 16 MiB in total.
    for (text, messages, bytes) in [("slab", 1_023, 16 << 10), ("pencil", 31, 512 << 10)] {
        let spec = read(&format!(
            "kind = 'fft'; decomposition = '{text}'; algorithm = 'pairwise'; transposes = 1; iterations = 1"
        ));
        spec.check(1_024).expect("it suits 1024 ranks");
        let sends = sends_of(&spec, 1_024);
        let transposes = if text == "slab" { 1 } else { 2 };
        assert_eq!(sends, vec![bytes; messages * transposes], "{text}");
    }
    // Uneven: blocks are rounded up, as FFTW's.
    assert_eq!(
        run("kind = 'fft'; size = 10; transposes = 1; algorithm = 'pairwise'; iterations = 1", 4)[0].sent,
        Bytes(3 * 16 * 10 * 9)
    );
}

#[test]
fn sums_may_be_left_to_the_switches() {
    for kind in ["milc", "lammps; thermo_every = 1", "hpcg"] {
        let text = format!("kind = '{}; allreduce = 'switch-offloaded'; iterations = 2", kind.replacen(';', "';", 1));
        let text = if kind.contains(';') { text } else { text.replacen("; allreduce", "'; allreduce", 1) };
        assert!(read(&text).offloads(8), "{kind}");
        assert!(run(&text, 8).iter().all(|rank| rank.offloads >= 2), "{kind}");
        assert!(error(&text, 1).contains("at least 2 ranks"));
    }
}

#[test]
fn applications_that_cannot_be_are_refused_with_what_would_work() {
    assert_eq!(
        error("kind = 'milc'; grid = [2, 2, 2, 2]", 9),
        "milc: the grid 2 x 2 x 2 x 2 has 16 ranks; the job has 9"
    );
    assert_eq!(error("kind = 'milc'; sites = [8, 0, 8, 8]", 4), "milc: `sites` is 0; it must be at least 1");
    assert!(error("kind = 'milc'; sites = [1, 1, 1, 1]", 4).contains("is 0"), "no site of one parity");
    assert!(error("kind = 'lammps'; atoms = 10", 4).contains("use more `atoms`"));
    assert!(error("kind = 'lammps'; rebuild_every = 0", 4).contains("`rebuild_every` is 0"));
    let text = "hpcg: `cells[1]` is 12, which is not a multiple of `2^(levels - 1)` (8)";
    assert_eq!(error("kind = 'hpcg'; cells = [16, 12, 16]", 4), text);
    assert!(error("kind = 'hpcg'; levels = 0", 4).contains("1 to 16"));
    assert!(error("kind = 'fft'; size = 8", 9).contains("pencils take more ranks"));
    assert!(error("kind = 'fft'; size = 8; decomposition = 'pencil'", 13).contains("at least 13"));
    assert!(error("kind = 'fft'; transposes = 3", 4).contains("1 (transposed result) or 2"));
    assert!(error("kind = 'fft'; grid = [2, 2]", 4).contains("slabs have none"));
    assert!(error("kind = 'fft'; size = 1000000", 4).contains("131072"));
    assert!(error("kind = 'fft'; algorithm = 'sendrecv-replace'", 4).contains("in place"));
}
