//! Engines against a serial reference: every operation, any order, any tree, and contributions that
//! are late, missing, duplicated or foreign.

use std::collections::BTreeMap;

use philae_switch::reduction::{
    Arm, Contribution, ContributionOutcome, OffloadOperation, Operands, PortEngines, ReductionKey, ReductionRefusal,
    ReproducibleSum,
};
use proptest::prelude::*;

const KEY: ReductionKey = ReductionKey { tree: 5, reduction: 3 };
const COOKIE: u32 = 0xfeed;
const TIMEOUT: u64 = 1_000;

fn arm(children: u8, sequence: u16) -> Arm {
    Arm { key: KEY, cookie: COOKIE, sequence, children }
}

fn given(operation: OffloadOperation, value: Operands) -> Contribution {
    Contribution { key: KEY, cookie: COOKIE, sequence: 1, operation, value, count: 1, partial: false }
}

fn one(word: u64) -> Contribution {
    given(OffloadOperation::Sum, Operands::words(&[word]).expect("one word"))
}

/// An operand of an operation from four random words. Doubles are small whole numbers, so that
/// their sums are exact.
fn operand(operation: OffloadOperation, rank: u64, words: [u64; 4]) -> Operands {
    let small = words.map(|word| (word % 20_001) as f64 - 10_000.0);
    match operation {
        OffloadOperation::Barrier => Operands::NOTHING,
        OffloadOperation::SumReproducible => Operands::Sum(ReproducibleSum::of(small[0])),
        OffloadOperation::MinDouble | OffloadOperation::MaxDouble | OffloadOperation::SumDouble => {
            Operands::doubles(&small).expect("four")
        }
        OffloadOperation::MinMaxLocDouble => {
            let bits = small[0].to_bits();
            Operands::words(&[bits, rank, bits, rank]).expect("four")
        }
        OffloadOperation::MinMaxLocSigned => {
            let close = words[0] % 4; // Ties are likely.
            Operands::words(&[close, rank, close, rank]).expect("four")
        }
        _ => Operands::words(&words).expect("four"),
    }
}

/// The expected result, computed without the engine's own arithmetic.
fn reference(operation: OffloadOperation, all: &[[u64; 4]]) -> Vec<u64> {
    let column = |place: usize| all.iter().map(move |words| words[place]);
    let small = |word: u64| (word % 20_001) as i64 - 10_000;
    let double = |number: i64| (number as f64).to_bits();
    let each = |with: &dyn Fn(usize) -> u64| (0..4).map(with).collect();
    let first_of = |wanted: u64| all.iter().position(|words| words[0] % 4 == wanted).expect("it is there") as u64;
    match operation {
        OffloadOperation::Barrier => vec![],
        OffloadOperation::And => each(&|place| column(place).fold(u64::MAX, |all, word| all & word)),
        OffloadOperation::Or => each(&|place| column(place).fold(0, |all, word| all | word)),
        OffloadOperation::Xor => each(&|place| column(place).fold(0, |all, word| all ^ word)),
        OffloadOperation::MinSigned => each(&|place| column(place).map(|word| word as i64).min().expect("some") as u64),
        OffloadOperation::MaxSigned => each(&|place| column(place).map(|word| word as i64).max().expect("some") as u64),
        OffloadOperation::MinUnsigned => each(&|place| column(place).min().expect("some")),
        OffloadOperation::MaxUnsigned => each(&|place| column(place).max().expect("some")),
        OffloadOperation::Sum => each(&|place| column(place).fold(0, u64::wrapping_add)),
        OffloadOperation::MinDouble => each(&|place| double(column(place).map(small).min().expect("some"))),
        OffloadOperation::MaxDouble => each(&|place| double(column(place).map(small).max().expect("some"))),
        OffloadOperation::SumDouble => each(&|place| double(column(place).map(small).sum())),
        OffloadOperation::SumReproducible => vec![double(column(0).map(small).sum())],
        OffloadOperation::MinMaxLocSigned => {
            let (least, most) = (column(0).map(|word| word % 4).min(), column(0).map(|word| word % 4).max());
            let (least, most) = (least.expect("some"), most.expect("some"));
            vec![least, first_of(least), most, first_of(most)]
        }
        OffloadOperation::MinMaxLocDouble => {
            let at = |wanted: i64| column(0).position(|word| small(word) == wanted).expect("it is there") as u64;
            let (least, most) = (column(0).map(small).min().expect("some"), column(0).map(small).max().expect("some"));
            vec![double(least), at(least), double(most), at(most)]
        }
    }
}

fn words_of(value: Operands) -> Vec<u64> {
    match value {
        Operands::Words { words, count } => words[..usize::from(count)].to_vec(),
        Operands::Sum(sum) => vec![sum.value().to_bits()],
    }
}

/// A tree of ports: each has a parent (the root has none), and ranks are children of ports.
struct Tree {
    ports: Vec<PortEngines>,
    parent: Vec<usize>,
}

impl Tree {
    /// Ports with random parents, and `ranks` ranks at random ports. The children of each port,
    /// ranks and ports alike, are numbered.
    fn new(parents: &[usize], at: &[usize]) -> (Self, Vec<(usize, u8)>, Vec<u8>) {
        let count = parents.len() + 1;
        let mut children = vec![0_u8; count];
        let mut parent = vec![usize::MAX; count];
        // Only ports that have children are armed, which leaves out ports without ranks below them.
        let mut used = vec![false; count];
        for &port in at {
            let mut port = port % count;
            while !used[port] {
                used[port] = true;
                if port == 0 {
                    break;
                }
                port = parents[port - 1] % port;
            }
        }
        let mut place_in_parent = vec![0; count];
        for port in 1..count {
            parent[port] = parents[port - 1] % port;
            if used[port] {
                place_in_parent[port] = children[parent[port]];
                children[parent[port]] += 1;
            }
        }
        let ranks = at.iter().map(|&port| {
            let port = port % count;
            children[port] += 1;
            (port, children[port] - 1)
        });
        let ranks: Vec<(usize, u8)> = ranks.collect();
        let mut ports = vec![PortEngines::new(8, TIMEOUT); count];
        for (port, engines) in ports.iter_mut().enumerate().filter(|(port, _)| children[*port] > 0) {
            engines.arm(arm(children[port], 1)).expect("an engine is free");
        }
        (Self { ports, parent }, ranks, place_in_parent)
    }

    /// Sends a contribution up from a child of `port` as far as it goes, and returns the output of
    /// the root.
    fn up(
        &mut self,
        now: u64,
        mut port: usize,
        mut child: u8,
        mut given: Contribution,
        place: &[u8],
    ) -> Vec<Contribution> {
        loop {
            match self.ports[port].contribute(now, child, given) {
                ContributionOutcome::Up(result) if port == 0 => return vec![result],
                ContributionOutcome::Up(result) => (given, child, port) = (result, place[port], self.parent[port]),
                ContributionOutcome::Kept(_) => return vec![],
                ContributionOutcome::Refused(refusal) => panic!("refused: {refusal}"),
            }
        }
    }
}

proptest! {
    #[test]
    fn any_order_and_any_tree_give_the_serial_result(
        parents in proptest::collection::vec(0_usize..64, 0..7),
        ranks in proptest::collection::vec((0_usize..64, any::<[u64; 4]>(), any::<u64>()), 1..40),
        kind in 0_usize..OffloadOperation::ALL.len(),
    ) {
        let operation = OffloadOperation::ALL[kind];
        let at: Vec<usize> = ranks.iter().map(|rank| rank.0).collect();
        let (mut tree, places, place) = Tree::new(&parents, &at);
        let mut order: Vec<usize> = (0..ranks.len()).collect();
        order.sort_by_key(|&rank| ranks[rank].2);
        let mut results = Vec::new();
        for rank in order {
            let (port, child) = places[rank];
            results.extend(tree.up(0, port, child, given(operation, operand(operation, rank as u64, ranks[rank].1)), &place));
        }
        prop_assert_eq!(results.len(), 1, "one result, when the last has come");
        prop_assert_eq!(results[0].count as usize, ranks.len());
        prop_assert!(!results[0].partial);
        let all: Vec<[u64; 4]> = ranks.iter().map(|rank| rank.1).collect();
        prop_assert_eq!(words_of(results[0].value), reference(operation, &all));
    }

    #[test]
    fn with_time_running_out_anywhere_everything_is_in_exactly_one_result(
        parents in proptest::collection::vec(0_usize..64, 0..7),
        ranks in proptest::collection::vec((0_usize..64, any::<u32>(), 0_u64..4), 1..40),
    ) {
        // Ranks contribute in four waves. Between waves every engine that gathers times out,
        // deepest first.
        let at: Vec<usize> = ranks.iter().map(|rank| rank.0).collect();
        let (mut tree, places, place) = Tree::new(&parents, &at);
        let mut deadlines: BTreeMap<usize, u64> = BTreeMap::new();
        let mut results = Vec::new();
        for wave in 0..4_u64 {
            let now = wave * 10 * TIMEOUT;
            for rank in (0..ranks.len()).filter(|&rank| ranks[rank].2 == wave) {
                let (port, child) = places[rank];
                results.extend(tree.up(now, port, child, one(u64::from(ranks[rank].1)), &place));
            }
            for port in (0..tree.ports.len()).rev() {
                for begun in 0..=wave {
                    let time = begun * 10 * TIMEOUT + TIMEOUT;
                    if let Some(partial) = tree.ports[port].expire(time, KEY) {
                        deadlines.insert(port, time);
                        if port == 0 { results.push(partial); continue }
                        results.extend(tree.up(now, tree.parent[port], place[port], partial, &place));
                    }
                }
            }
        }
        let (count, sum) = results.iter().fold((0, 0_u64), |(count, sum), result| {
            (count + result.count as usize, sum.wrapping_add(words_of(result.value)[0]))
        });
        prop_assert_eq!(count, ranks.len());
        prop_assert_eq!(sum, ranks.iter().map(|rank| u64::from(rank.1)).sum::<u64>());
    }

    #[test]
    fn the_reproducible_sum_has_the_same_bits_in_any_order_and_bracketing(
        numbers in proptest::collection::vec(any::<u64>(), 1..60), keys in proptest::collection::vec(any::<u64>(), 60),
        cut in 0_usize..60,
    ) {
        let numbers: Vec<f64> = numbers.into_iter().map(f64::from_bits).collect();
        let fold = |numbers: &[f64]| numbers.iter().fold(ReproducibleSum::ZERO, |sum, &one| sum.plus(ReproducibleSum::of(one)));
        let forward = fold(&numbers);
        let mut order: Vec<usize> = (0..numbers.len()).collect();
        order.sort_by_key(|&place| keys[place]);
        let shuffled: Vec<f64> = order.iter().map(|&place| numbers[place]).collect();
        let cut = cut.min(shuffled.len());
        let tree = fold(&shuffled[cut..]).plus(fold(&shuffled[..cut]));
        prop_assert_eq!(forward, tree);
        prop_assert_eq!(forward.value().to_bits(), tree.value().to_bits());
    }

    #[test]
    fn one_double_comes_back_as_it_was(bits: u64) {
        let number = f64::from_bits(bits);
        let back = ReproducibleSum::of(number).value();
        prop_assert!(back == number || (back.is_nan() && number.is_nan()), "{number:e} became {back:e}");
    }

    #[test]
    fn the_reproducible_sum_is_as_near_as_four_bins_allow(numbers in proptest::collection::vec(-1e15_f64..1e15, 1..60)) {
        let sum = numbers.iter().fold(ReproducibleSum::ZERO, |sum, &one| sum.plus(ReproducibleSum::of(one))).value();
        // Exact in 128 bits: doubles below 2^50 as multiples of 2^-60, truncated below that.
        let exact: i128 = numbers.iter().map(|&one| (one * ((1_u64 << 60) as f64)) as i128).sum();
        let greatest = numbers.iter().fold(0_f64, |most, one| most.max(one.abs()));
        let error = (sum - exact as f64 / ((1_u64 << 60) as f64)).abs();
        prop_assert!(error <= greatest * 60.0 * f64::EPSILON, "off by {error:e} of {greatest:e}");
    }
}

#[test]
fn sums_of_doubles_that_cancel_come_out_right_where_plain_addition_fails() {
    let numbers = [1e16, 1.0, -1e16, 1.0];
    let sum = numbers.iter().fold(ReproducibleSum::ZERO, |sum, &one| sum.plus(ReproducibleSum::of(one)));
    assert_eq!(sum.value(), 2.0);
    assert_ne!(numbers.iter().sum::<f64>(), 2.0);
}

#[test]
fn a_port_without_a_free_engine_says_so_and_a_released_one_serves() {
    let mut port = PortEngines::new(2, TIMEOUT);
    let key = |reduction| ReductionKey { tree: 1, reduction };
    for reduction in 0..2 {
        port.arm(Arm { key: key(reduction), ..arm(2, 1) }).expect("a free engine");
    }
    let third = Arm { key: key(2), ..arm(2, 1) };
    assert_eq!(port.arm(third), Err(ReductionRefusal::NoEngine { engines: 2 }));
    let unarmed = Contribution { key: key(2), ..one(1) };
    assert_eq!(port.contribute(0, 0, unarmed), ContributionOutcome::Refused(ReductionRefusal::NotArmed(key(2))));
    port.release(key(0));
    assert_eq!(port.arm(third), Ok(()));
    assert_eq!(port.in_use(), 2);
}

#[test]
fn a_child_counts_once() {
    let mut port = PortEngines::new(8, TIMEOUT);
    port.arm(arm(2, 1)).expect("a free engine");
    assert_eq!(port.contribute(0, 0, one(5)), ContributionOutcome::Kept(Some(TIMEOUT)));
    assert_eq!(port.contribute(1, 0, one(5)), ContributionOutcome::Refused(ReductionRefusal::Duplicate { child: 0 }));
    let ContributionOutcome::Up(result) = port.contribute(2, 1, one(6)) else { panic!("both children have come") };
    assert_eq!((words_of(result.value), result.count, result.partial), (vec![11], 2, false));
    assert_eq!(port.contribute(3, 1, one(6)), ContributionOutcome::Refused(ReductionRefusal::Duplicate { child: 1 }));
}

#[test]
fn time_runs_out_from_the_first_contribution_and_what_is_late_goes_up_alone() {
    let mut port = PortEngines::new(8, TIMEOUT);
    port.arm(arm(3, 1)).expect("a free engine");
    assert_eq!(port.contribute(50, 0, one(1)), ContributionOutcome::Kept(Some(50 + TIMEOUT)));
    assert_eq!(port.contribute(60, 1, one(2)), ContributionOutcome::Kept(None));
    assert_eq!(port.expire(TIMEOUT, KEY), None, "not yet");
    let partial = port.expire(50 + TIMEOUT, KEY).expect("time is up");
    assert_eq!((words_of(partial.value), partial.count, partial.partial), (vec![3], 2, true));
    assert_eq!(port.expire(50 + TIMEOUT, KEY), None, "once only");
    let ContributionOutcome::Up(late) = port.contribute(5_000, 2, one(4)) else { panic!("it goes up") };
    assert_eq!((words_of(late.value), late.count), (vec![4], 1));
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut port = PortEngines::new(8, TIMEOUT);
    port.arm(arm(3, 7)).expect("a free engine");
    let right = Contribution { sequence: 7, ..one(1) };
    assert_eq!(port.contribute(0, 0, right), ContributionOutcome::Kept(Some(TIMEOUT)));
    let refused = |port: &mut PortEngines, given| match port.contribute(0, 1, given) {
        ContributionOutcome::Refused(refusal) => refusal,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        refused(&mut port, Contribution { operation: OffloadOperation::Xor, ..right }),
        ReductionRefusal::Operation { found: OffloadOperation::Xor, first: OffloadOperation::Sum }
    );
    assert_eq!(
        refused(&mut port, Contribution { cookie: 1, ..right }),
        ReductionRefusal::Cookie { found: 1, armed: COOKIE }
    );
    assert_eq!(
        refused(&mut port, Contribution { sequence: 6, ..right }),
        ReductionRefusal::Sequence { found: 6, armed: 7 }
    );
    let two = Operands::words(&[1, 2]).expect("two words");
    assert!(matches!(refused(&mut port, Contribution { value: two, ..right }), ReductionRefusal::Value(_)));
    assert!(matches!(
        refused(&mut port, Contribution { value: Operands::NOTHING, ..right }),
        ReductionRefusal::Value(_)
    ));
    assert!(Operands::words(&[0; 5]).is_err(), "more than 32 bytes");
}

#[test]
fn a_retry_forgets_what_was_gathered_and_an_old_arm_does_nothing() {
    let mut port = PortEngines::new(8, TIMEOUT);
    port.arm(arm(2, u16::MAX)).expect("a free engine");
    assert!(matches!(
        port.contribute(0, 0, Contribution { sequence: u16::MAX, ..one(9) }),
        ContributionOutcome::Kept(Some(_))
    ));
    port.arm(arm(2, 0)).expect("sequences wrap");
    assert_eq!(port.expire(TIMEOUT, KEY), None, "the first try is over");
    assert_eq!(port.arm(arm(2, u16::MAX)), Err(ReductionRefusal::Sequence { found: u16::MAX, armed: 0 }));
    assert!(matches!(
        port.contribute(5, 0, Contribution { sequence: 0, ..one(1) }),
        ContributionOutcome::Kept(Some(_))
    ));
    let ContributionOutcome::Up(result) = port.contribute(6, 1, Contribution { sequence: 0, ..one(1) }) else {
        panic!("both")
    };
    assert_eq!((words_of(result.value), result.count), (vec![2], 2));
}
