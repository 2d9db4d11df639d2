#![expect(clippy::disallowed_methods, reason = "a test may use the platform's logarithm: it compares within bounds")]

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::FecKind;

const RATE: LinkRate = LinkRate::from_gbps(200);

fn line(bit_errors: u32, per_10_to: u8, burst_bits: u32, fec: FecKind) -> LinkParameters {
    LinkParameters { bit_errors, bit_errors_per_10_to: per_10_to, burst_bits, fec, ..LinkParameters::slingshot() }
}

/// Sends `frames` of `size` back to back. Returns damaged frames, corrected codewords and
/// uncorrected codewords.
fn send(parameters: &LinkParameters, frames: u64, size: Bytes) -> (u64, u64, u64) {
    let mut errors = BitErrors::new(parameters, 11, 0);
    let (mut damaged, mut corrected, mut uncorrected) = (0, 0, 0);
    for frame in 0..frames {
        let crossing = errors.cross(RATE.serialization(size) * frame, RATE, size);
        damaged += u64::from(crossing.damaged);
        corrected += crossing.corrected;
        uncorrected += crossing.uncorrected;
    }
    (damaged, corrected, uncorrected)
}

/// The chance of `k` of `n`, by the recurrence of binomial terms.
fn binomial(n: u32, p: f64) -> Vec<f64> {
    let mut terms = vec![(f64::from(n) * (-p).ln_1p()).exp()];
    for k in 1..=40.min(n) {
        let last = terms[k as usize - 1];
        terms.push(last * f64::from(n - k + 1) / f64::from(k) * p / (1.0 - p));
    }
    terms
}

/// Checks that a count that is nearly Poisson is within four standard deviations.
fn agrees(what: &str, counted: u64, expected: f64) {
    let allowed = 4.0 * expected.max(1.0).sqrt() + 1.0;
    assert!(
        (counted as f64 - expected).abs() <= allowed,
        "{what}: {counted} found, {expected:.1} +- {allowed:.1} expected"
    );
}

#[test]
fn damaged_frames_without_correction_follow_the_closed_form() {
    let size = Bytes(1_000);
    for (bit_errors, per_10_to, frames) in [(1, 3, 100_000), (3, 5, 100_000), (1, 6, 1_000_000), (2, 9, 10_000_000)] {
        let p = f64::from(bit_errors) / 10_f64.powi(i32::from(per_10_to));
        let expected = -(8_000.0 * (-p).ln_1p()).exp_m1() * frames as f64;
        let (damaged, corrected, _) = send(&line(bit_errors, per_10_to, 1, FecKind::None), frames, size);
        agrees(&format!("{bit_errors} in 10^{per_10_to}"), damaged, expected);
        assert_eq!(corrected, 0, "nothing is repaired without a code");
    }
}

#[test]
fn codewords_follow_the_closed_form_of_each_code() {
    for fec in [FecKind::LowLatency, FecKind::Rs544] {
        let code = fec.code();
        // Frames of 2,570 bytes are 8 or 4 whole codewords, so that frames and codewords can be
        // told apart.
        let size = Bytes(2_570);
        for (bit_errors, per_10_to, frames) in [(2, 3, 40_000), (1, 3, 40_000), (1, 4, 40_000), (1, 7, 400_000)] {
            let p = f64::from(bit_errors) / 10_f64.powi(i32::from(per_10_to));
            let symbol = -(f64::from(code.symbol_bits) * (-p).ln_1p()).exp_m1();
            let chances = binomial(code.codeword_symbols, symbol);
            let repaired = code.correctable_symbols as usize;
            let beyond: f64 = chances[repaired + 1..].iter().sum();
            let codewords = size.0 * 8 / code.payload_bits();
            let total = (frames * codewords) as f64;
            let (damaged, corrected, uncorrected) = send(&line(bit_errors, per_10_to, 1, fec), frames, size);
            let label = format!("{fec:?}, {bit_errors} in 10^{per_10_to}");
            agrees(&format!("{label}, corrected"), corrected, total * chances[1..=repaired].iter().sum::<f64>());
            agrees(&format!("{label}, uncorrected"), uncorrected, total * beyond);
            let frame = 1.0 - (1.0 - beyond).powi(codewords as i32);
            agrees(&format!("{label}, damaged"), damaged, frames as f64 * frame);
        }
    }
}

/// The published bit error rate of a healthy link in an hour of simulated time, in one crossing.
#[test]
fn an_idle_hour_costs_nothing_and_is_not_forgotten() {
    let mut errors = BitErrors::new(&LinkParameters::slingshot(), 1, 0);
    let hour = Picoseconds::from_micros(3_600_000_000);
    let crossing = errors.cross(hour, RATE, Bytes(64));
    // 200 Gb/s x 544 / 514 x 3,600 s x 6e-11.
    agrees("corrected codewords", crossing.corrected, 45_721.0);
    assert_eq!((crossing.uncorrected, crossing.damaged), (0, false));
}

#[test]
fn a_burst_defeats_a_code_that_single_errors_do_not() {
    let counts = |burst_bits| send(&line(1, 5, burst_bits, FecKind::Rs544), 100_000, Bytes(2_570));
    let (single, burst) = (counts(1), counts(200));
    assert_eq!(single.2, 0, "never 16 errors in one codeword");
    // A burst of 200 bits touches 20 or 21 symbols; one in 27 is cut by the end of a codeword.
    // 100,000 x 20,560 x 544 / 514 bits / 10^5 / 200.
    let starts = 100_000.0 * 20_560.0 * 544.0 / 514.0 / 1e5 / 200.0;
    assert!((burst.2 as f64 / starts - 1.0).abs() < 0.05, "{} of {starts}", burst.2);
    assert!(burst.0 > 0 && burst.0 <= burst.2 * 2);
    // Up to 150 bits in a row can be repaired wherever they fall, except in a 16th symbol.
    assert_eq!(send(&line(1, 6, 141, FecKind::Rs544), 100_000, Bytes(2_570)).0, 0);
}

#[test]
fn distances_are_geometric() {
    for (per_10_to, draws) in [(1, 1_000_000), (2, 1_000_000), (4, 1_000_000)] {
        let mut errors = BitErrors::new(&line(1, per_10_to, 1, FecKind::None), 1, 0);
        let distances: Vec<_> = (0..draws).map(|_| errors.distance()).collect();
        let p = 10_f64.powi(-i32::from(per_10_to));
        let mean = distances.iter().sum::<u64>() as f64 / f64::from(draws);
        // The mean is (1 - p) / p, its standard deviation 1 / p / sqrt(draws).
        assert!((mean - (1.0 - p) / p).abs() < 4.0 / p / 1_000.0, "{per_10_to}: {mean}");
        let none = distances.iter().filter(|distance| **distance == 0).count() as u64;
        agrees("no distance", none, p * f64::from(draws));
    }
}

#[test]
fn a_burst_continues_in_the_next_codeword() {
    let parameters = line(1, 9, 10_000, FecKind::Rs544);
    let mut errors = BitErrors::new(&parameters, 1, 0);
    errors.next = 5_440 - 200;
    // 200 bits are 20 symbols of the first codeword, 5,440 the whole second, 4,360 most of the
    // third.
    assert_eq!(errors.wrong_symbols(0), 20);
    assert_eq!(errors.wrong_symbols(1), 544);
    assert_eq!(errors.wrong_symbols(2), 436);
    errors.next = 20 * 5_440 + 5;
    errors.carried_to = 0;
    errors.decoded = 20;
    assert_eq!(errors.decode_through(30), (0, 2));
}

#[test]
fn two_errors_in_one_symbol_are_one_wrong_symbol() {
    let mut errors = BitErrors::new(&line(1, 18, 1, FecKind::Rs544), 1, 0);
    (errors.next, errors.carried_to) = (19, 0);
    assert_eq!(errors.wrong_symbols(0), 1);
    let mut dense = BitErrors::new(&line(1, 1, 1, FecKind::Rs544), 1, 0);
    assert!(dense.wrong_symbols(0) <= 544);
}

#[test]
fn a_codeword_beyond_repair_damages_each_frame_in_it() {
    let mut errors = BitErrors::new(&line(1, 18, 1_000, FecKind::Rs544), 1, 0);
    errors.next = 5_000;
    // 5,140 bits of payload in the first codeword are 642.5 bytes.
    let size = Bytes(300);
    let crossings: Vec<_> = (0..4).map(|frame| errors.cross(RATE.serialization(size) * frame, RATE, size)).collect();
    assert_eq!(crossings.iter().map(|crossing| crossing.uncorrected).sum::<u64>(), 2, "the burst touches two");
    assert_eq!(crossings.iter().map(|crossing| crossing.damaged).collect::<Vec<_>>(), [true, true, true, true]);
    assert!(!errors.cross(RATE.serialization(size) * 6, RATE, size).damaged);
}

#[test]
fn a_clean_line_has_no_errors_and_directions_differ() {
    assert_eq!(send(&line(0, 1, 1, FecKind::None), 1_000, Bytes(9_022)), (0, 0, 0));
    let parameters = line(1, 4, 1, FecKind::None);
    let mut ends = [BitErrors::new(&parameters, 1, 0), BitErrors::new(&parameters, 1, 1)];
    let [one, other] = &mut ends;
    let differ = (0..100).any(|frame| {
        let start = RATE.serialization(Bytes(500)) * frame;
        one.cross(start, RATE, Bytes(500)) != other.cross(start, RATE, Bytes(500))
    });
    assert!(differ);
}

proptest! {
    /// The oracle marks every wrong bit and checks every codeword.
    #[test]
    fn positions_give_what_marking_every_bit_gives(
        seed in any::<u64>(),
        bit_errors in 1_u32..400,
        burst_bits in prop_oneof![Just(1_u32), 1_u32..300, Just(12_000)],
        fec in prop_oneof![Just(FecKind::None), Just(FecKind::LowLatency), Just(FecKind::Rs544)],
        frames in prop::collection::vec((0_u64..40_000, 1_u64..3_000), 1..30),
    ) {
        let parameters = line(bit_errors, 5, burst_bits, fec);
        let (code, payload) = (fec.code(), fec.code().payload_bits());
        let mut errors = BitErrors::new(&parameters, seed, 0);

        // Positions of frames in payload bits: 200 Gb/s is a bit every 5 ps.
        let (mut end, mut spans) = (0, Vec::new());
        for (idle, size) in frames {
            spans.push((end + idle, end + idle + size * 8));
            end += idle + size * 8;
        }
        let codewords = (end - 1) / payload + 1;
        let mut oracle = errors.clone();
        let (mut wrong, mut start) = (vec![BTreeSet::new(); codewords as usize], oracle.next);
        while start < codewords * code.codeword_bits() {
            for bit in start..start + u64::from(burst_bits) {
                if let Some(codeword) = wrong.get_mut((bit / code.codeword_bits()) as usize) {
                    codeword.insert(bit % code.codeword_bits() / u64::from(code.symbol_bits));
                }
            }
            start += 1 + oracle.distance();
        }
        let beyond = |codeword: u64| wrong[codeword as usize].len() > code.correctable_symbols as usize;

        let mut decoded = 0;
        for (start, end) in spans {
            let crossed = errors.cross(Picoseconds(start * 5), RATE, Bytes((end - start) / 8));
            let last = (end - 1) / payload;
            let new = decoded.min(last + 1)..last + 1;
            decoded = last + 1;
            let uncorrected = new.clone().filter(|codeword| beyond(*codeword)).count() as u64;
            let touched = new.filter(|codeword| !wrong[*codeword as usize].is_empty()).count() as u64;
            let damaged = (start / payload..=last).any(beyond);
            prop_assert_eq!(crossed, FrameErrors { corrected: touched - uncorrected, uncorrected, damaged });
        }
    }
}
