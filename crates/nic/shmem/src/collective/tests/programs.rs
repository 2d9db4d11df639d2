//! Random programs of collectives. Every PE draws the same calls, fills its source by a formula,
//! and compares its target with the result that the formula predicts.

use super::super::active_set::{ActiveSetGroup, WORDS};
use super::super::barrier_group::BarrierGroup;
use super::super::data::{self, AlltoallvParts, Laid, Strided};
use super::super::kernel::{Element, ReduceOperation, combine};
use super::super::reduce::{self, ReduceArguments};
use super::super::team_group::TeamGroup;
use super::{Draw, Pe, Shape, run};

/// Where sources lie in the heap or in the static data; then the same for targets, arrays of words,
/// and `pSync`s.
const SOURCE: usize = 0;
const TARGET: usize = 0x8_0000;
const WORDS_AT: usize = 0x18_0000;
const SYNC_AT: usize = 0x19_0000;
/// The largest block of one PE. Source: twice the block of a reduction, so that all paths are
/// taken. Status: derived.
const LARGEST: usize = 20_000;

/// The byte that call `seed` has at `index` in the source of PE `pe`.
fn byte(seed: u64, pe: usize, index: usize) -> u8 {
    let mixed = (seed ^ (pe as u64) << 32 ^ index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 56) as u8
}

/// Element `index` of PE `pe`. The values are small, so that floating-point sums and products are
/// exact in any order.
fn element(kind: Element, seed: u64, pe: usize, index: usize) -> [u8; 16] {
    let small = u64::from(byte(seed, pe, index) & 1) + 1;
    let mut bytes = [0u8; 16];
    let mut put = |at: usize, from: &[u8]| bytes[at..at + from.len()].copy_from_slice(from);
    match kind {
        Element::F32 => put(0, &(small as f32).to_ne_bytes()),
        Element::F64 => put(0, &(small as f64).to_ne_bytes()),
        Element::C32 => {
            put(0, &(small as f32).to_ne_bytes());
            put(4, &1f32.to_ne_bytes());
        }
        Element::C64 => {
            put(0, &(small as f64).to_ne_bytes());
            put(8, &1f64.to_ne_bytes());
        }
        // The numbers 1 and 2 on x86-64: the leading one of the fraction, then the exponent. On
        // AArch64: the exponent at the end.
        Element::LongDouble if cfg!(target_arch = "x86_64") => {
            put(0, &(1u64 << 63).to_ne_bytes());
            put(8, &(16382 + small as u16).to_ne_bytes());
        }
        Element::LongDouble => put(14, &(16382 + small as u16).to_ne_bytes()),
        _ => put(0, &[byte(seed, pe, index); 8][..kind.bytes()]),
    }
    bytes
}

/// Draws a size: often tiny, sometimes zero, sometimes too large for one step.
fn size(draw: &mut Draw) -> usize {
    match draw.below(8) {
        0 => 0,
        1..=3 => 1 + draw.below(48),
        4 | 5 => 1 + draw.below(4096),
        _ => 1 + draw.below(LARGEST),
    }
}

/// A team or an active set, which run the calls differently.
enum Members<'a> {
    Team(&'a mut TeamGroup),
    Set(&'a mut ActiveSetGroup),
}

impl Members<'_> {
    fn barrier_group(&mut self) -> &mut dyn BarrierGroup {
        match self {
            Members::Team(team) => *team,
            Members::Set(set) => *set,
        }
    }
}

struct Call<'a> {
    pe: &'a Pe,
    seed: u64,
    source: usize,
    target: usize,
    members: Vec<usize>,
    me: usize,
    what: String,
}

impl Call<'_> {
    fn fill(&self, bytes: usize) {
        for index in 0..bytes {
            // SAFETY: sources lie in this PE's own memory, with room for every call.
            unsafe { ((self.source + index) as *mut u8).write(byte(self.seed, self.members[self.me], index)) };
        }
    }

    /// Marks the target and the byte after it, which must not be written.
    fn clear(&self, bytes: usize) {
        // SAFETY: as in `fill`.
        unsafe { std::ptr::write_bytes(self.target as *mut u8, 0xee, bytes + 1) };
    }

    fn found(&self, index: usize) -> u8 {
        // SAFETY: as in `fill`.
        unsafe { ((self.target + index) as *const u8).read() }
    }

    fn expect(&self, bytes: usize, model: impl Fn(usize) -> u8) {
        for index in 0..bytes {
            let (found, wanted) = (self.found(index), model(index));
            assert_eq!(found, wanted, "PE {}, byte {index} of {bytes}: {}", self.pe.me, self.what);
        }
        assert_eq!(self.found(bytes), 0xee, "PE {}: written behind its target: {}", self.pe.me, self.what);
    }
}

/// Draws one call, runs it and compares the result.
fn one_call(pe: &Pe, mut members: Members<'_>, who: &[usize], draw: &mut Draw, seed: u64) {
    let me = who.iter().position(|&member| member == pe.me).expect("only members call");
    let size_of_team = who.len();
    let from = if draw.below(3) == 0 { pe.data } else { pe.heap };
    let mut call = Call {
        pe,
        seed,
        source: from + SOURCE,
        target: pe.heap + TARGET,
        members: who.to_vec(),
        me,
        what: String::new(),
    };
    let is_team = matches!(members, Members::Team(_));
    let kind = draw.below(if is_team { 10 } else { 9 });
    let bytes = size(draw);
    let root = draw.below(size_of_team);
    call.what = format!("call {seed:#x}: kind {kind}, {bytes} bytes, root {root}, members {who:?}, team {is_team}");
    let (source, target) = (call.source, call.target);
    // SAFETY, for all of these: source and target are symmetric with the required room.
    match kind {
        0 => members.barrier_group().sync().expect("no member fails"),
        1 => {
            call.fill(bytes);
            call.clear(bytes);
            match &mut members {
                Members::Team(team) => unsafe { team.broadcast(target, source, bytes, root) },
                Members::Set(set) => unsafe { data::broadcast(*set, target, source, bytes, root, false) },
            }
            .expect("no member fails");
            let root_is_written = is_team || me != root;
            call.expect(bytes, |index| if root_is_written { byte(seed, who[root], index) } else { 0xee });
        }
        2 => {
            // The members' numbers of bytes differ, and each member can draw them all.
            let mut counts = draw.clone();
            let counts: Vec<usize> = who.iter().map(|_| size(&mut counts)).collect();
            let all: usize = counts.iter().sum();
            call.fill(counts[me]);
            call.clear(all);
            match &mut members {
                Members::Team(team) => unsafe { team.collect(target, source, counts[me]) }.expect("no member fails"),
                Members::Set(set) => {
                    unsafe { data::collect(*set, target, source, counts[me]) }.expect("no member fails");
                    set.wipe_board();
                }
            }
            let owners: Vec<(usize, usize)> = counts
                .iter()
                .enumerate()
                .flat_map(|(rank, &count)| (0..count).map(move |index| (rank, index)))
                .collect();
            call.expect(all, |index| byte(seed, who[owners[index].0], owners[index].1));
        }
        3 => {
            call.fill(bytes);
            call.clear(bytes * size_of_team);
            match &mut members {
                Members::Team(team) => unsafe { team.fcollect(target, source, bytes) },
                Members::Set(set) => unsafe { data::fcollect(*set, target, source, bytes) },
            }
            .expect("no member fails");
            call.expect(bytes * size_of_team, |index| byte(seed, who[index / bytes.max(1)], index % bytes.max(1)));
        }
        4 => {
            call.fill(bytes * size_of_team);
            call.clear(bytes * size_of_team);
            match &mut members {
                Members::Team(team) => unsafe { team.alltoall(target, source, bytes) },
                Members::Set(set) => unsafe { data::alltoall(*set, target, source, bytes) },
            }
            .expect("no member fails");
            call.expect(bytes * size_of_team, |index| {
                byte(seed, who[index / bytes.max(1)], me * bytes + index % bytes.max(1))
            });
        }
        5 => {
            let width = [1, 2, 4, 8][draw.below(4)];
            let blocks =
                Strided { target: 1 + draw.below(3), source: 1 + draw.below(3), count: draw.below(40), bytes: width };
            let elements = blocks.count * size_of_team;
            call.fill(elements * blocks.source * width);
            call.clear(elements * blocks.target * width);
            unsafe { data::alltoalls(members.barrier_group(), target, source, blocks) }.expect("no member fails");
            call.expect(elements * blocks.target * width, |index| {
                let (place, part) = (index / width, index % width);
                if place % blocks.target != 0 {
                    return 0xee;
                }
                let element = place / blocks.target;
                let (rank, at) = (element / blocks.count, element % blocks.count);
                byte(seed, who[rank], (me * blocks.count + at) * blocks.source * width + part)
            });
        }
        6 => variable(&call, members.barrier_group(), draw),
        7 => reduction(&mut call, &mut members, draw, None),
        8 => reduction(&mut call, &mut members, draw, Some(draw_bit(seed))),
        _ => {
            let mut words = [!0u64, u64::from(byte(seed, pe.me, 1)), 1 << pe.me];
            let Members::Team(team) = members else { unreachable!("drawn for teams only") };
            team.agree(&mut words).expect("no member fails");
            let together = who.iter().fold(!0, |all, &member| all & u64::from(byte(seed, member, 1)));
            assert_eq!(words, [!0, together, if who.len() == 1 { 1 << pe.me } else { 0 }], "{}", call.what);
        }
    }
}

fn draw_bit(seed: u64) -> bool {
    byte(seed, 77, 0) & 1 == 1
}

/// `shmemx_alltoallv`, apart and packed.
fn variable(call: &Call<'_>, barrier_group: &mut dyn BarrierGroup, draw: &mut Draw) {
    let size_of_team = call.members.len();
    let sizes: Vec<Vec<usize>> =
        (0..size_of_team).map(|_| (0..size_of_team).map(|_| draw.below(700)).collect()).collect();
    let packed = draw.below(2) == 0;
    let words = call.pe.heap + WORDS_AT;
    let (offsets_at, sizes_at) = (words, words + 64 * 8);
    for (rank, bytes) in sizes[call.me].iter().enumerate() {
        // SAFETY: there is room for 64 words each. Parts lie 700 bytes apart.
        unsafe {
            ((offsets_at + rank * 8) as *mut usize).write(rank * 700);
            ((sizes_at + rank * 8) as *mut usize).write(*bytes);
        }
    }
    call.fill(700 * size_of_team);
    call.clear(900 * size_of_team);
    let coming: Vec<usize> = sizes.iter().map(|row| row[call.me]).collect();
    let all: usize = coming.iter().sum();
    // Apart: in reverse order of ranks, with holes.
    let offsets: Vec<usize> = (0..size_of_team).map(|rank| (size_of_team - 1 - rank) * 900).collect();
    let (mut said, mut total) = (vec![usize::MAX; size_of_team], usize::MAX);
    let laid = if packed {
        Laid::Packed { room: all, total: &raw mut total }
    } else {
        Laid::Apart { offsets: offsets.as_ptr(), sizes: said.as_mut_ptr() }
    };
    let parts = AlltoallvParts { offsets: offsets_at, sizes: sizes_at };
    // SAFETY: as in `one_call`.
    unsafe { data::alltoallv(barrier_group, call.target, call.source, parts, laid) }.expect("all that comes fits");
    let byte_of = |rank: usize, index: usize| byte(call.seed, call.members[rank], call.me * 700 + index);
    if packed {
        assert_eq!(total, all, "{}", call.what);
        let owners: Vec<u8> = coming
            .iter()
            .enumerate()
            .flat_map(|(rank, &count)| (0..count).map(move |index| (rank, index)))
            .map(|(rank, index)| byte_of(rank, index))
            .collect();
        call.expect(all, |index| owners[index]);
    } else {
        assert_eq!(said, coming, "{}", call.what);
        call.expect(900 * size_of_team, |index| {
            let rank = size_of_team - 1 - index / 900;
            if index % 900 < coming[rank] { byte_of(rank, index % 900) } else { 0xee }
        });
    }
}

/// A reduction, or a scan if `exclusive` is given.
fn reduction(call: &mut Call<'_>, members: &mut Members<'_>, draw: &mut Draw, exclusive: Option<bool>) {
    let (element_kind, operation) = loop {
        let kind = Element::ALL[draw.below(Element::ALL.len())];
        let operation = if exclusive.is_some() {
            ReduceOperation::Sum
        } else {
            ReduceOperation::ALL[draw.below(ReduceOperation::ALL.len())]
        };
        if operation.is_for(kind) {
            break (kind, operation);
        }
    };
    let width = element_kind.bytes();
    let count = size(draw) / width;
    let in_place = draw.below(2) == 0;
    call.what = format!(
        "{}, {element_kind:?} {operation:?} of {count}, exclusive {exclusive:?}, in place {in_place}",
        call.what
    );
    let source = if in_place { call.target } else { call.source };
    call.clear(count * width);
    let (seed, me) = (call.seed, call.me);
    for index in 0..count {
        let value = element(element_kind, seed, call.members[me], index);
        // SAFETY: there is room for the largest call.
        unsafe { std::ptr::copy_nonoverlapping(value.as_ptr(), (source + index * width) as *mut u8, width) };
    }
    let what = ReduceArguments { target: call.target, source, count, element: element_kind, operation };
    // SAFETY: as in `one_call`.
    let result = unsafe {
        match (members, exclusive) {
            (Members::Team(team), None) => team.reduce(what),
            (Members::Team(team), Some(exclusive)) => team.scan(what, exclusive),
            (Members::Set(set), None) => reduce::reduce(*set, what),
            (Members::Set(set), Some(exclusive)) => reduce::scan(*set, what, exclusive),
        }
    };
    result.expect("no member fails");
    let ranks = match exclusive {
        None => 0..call.members.len(),
        Some(true) => 0..me,
        Some(false) => 0..me + 1,
    };
    let model: Vec<[u8; 16]> = (0..count)
        .map(|index| {
            let mut sum = [0u8; 16];
            for rank in ranks.clone() {
                let one = element(element_kind, seed, call.members[rank], index);
                if rank == 0 {
                    sum = one;
                } else {
                    // SAFETY: one element each.
                    unsafe { combine(element_kind, operation, sum.as_mut_ptr(), one.as_ptr(), 1) };
                }
            }
            sum
        })
        .collect();
    // The last six bytes of an x86-64 long double have no meaning.
    let meaningful = if element_kind == Element::LongDouble && cfg!(target_arch = "x86_64") { 10 } else { width };
    call.expect(count * width, |index| {
        if index % width < meaningful { model[index / width][index % width] } else { call.found(index) }
    });
}

/// Random calls on the world, on teams that overlap, and on active sets.
fn random_program(shape: &Shape, calls: usize) {
    run(shape, |pe| {
        let (mut draw, mut syncs) = (Draw(shape.seed), Vec::new());
        let everybody: Vec<usize> = (0..pe.size()).collect();
        let mut teams: Vec<(Vec<usize>, Option<TeamGroup>)> = vec![(everybody, Some(pe.world()))];
        for slot in 2..5 {
            // Any order: teams of teams can reverse the ranks of the world.
            let mut who: Vec<usize> = (0..pe.size()).filter(|_| draw.below(3) != 0).collect();
            if who.is_empty() {
                who.push(draw.below(pe.size()));
            }
            if draw.below(2) == 0 {
                who.reverse();
            }
            let team = pe.team(&who, slot);
            teams.push((who, team));
        }
        for _ in 0..calls {
            let seed = draw.next();
            let mut own = Draw(seed);
            if own.below(4) == 0 {
                let stride = 1 << own.below(2);
                let start = own.below(pe.size());
                let most = (pe.size() - 1 - start) / stride + 1;
                let who: Vec<usize> = (0..1 + own.below(most)).map(|index| start + index * stride).collect();
                let Some(membership) = pe.membership(&who) else { continue };
                // Each set has a pSync of its own, as the standard requires: PEs of two sets may be
                // in calls of both at the same time.
                let set = (start * 2 + stride - 1) * pe.size() + who.len() - 1;
                let sync = pe.heap + SYNC_AT + set * WORDS * 8;
                // SAFETY: every word of it is zero, as a program initialises it and as each call
                // leaves it.
                let mut set = unsafe { ActiveSetGroup::new(membership, sync, pe.means.clone()) };
                one_call(pe, Members::Set(&mut set), &who, &mut own, seed);
                syncs.push((sync, seed));
            } else {
                let chosen = own.below(teams.len());
                let (who, team) = &mut teams[chosen];
                if let Some(team) = team {
                    one_call(pe, Members::Team(team), who, &mut own, seed);
                }
            }
        }
        if let Some(world) = &mut teams[0].1 {
            world.sync().expect("no member fails");
        }
        // Not earlier: others may already be in the next call of a set, and have counted
        // themselves.
        for (sync, seed) in syncs {
            for word in 0..WORDS {
                // SAFETY: within the array; no PE is in a call.
                let left = unsafe { ((sync + word * 8) as *const u64).read_volatile() };
                assert_eq!(left, 0, "word {word} of the pSync of call {seed:#x}");
            }
        }
    });
}

#[test]
fn random_programs_of_one_host_agree_with_the_model() {
    for pes in [1, 2, 3, 4, 8] {
        for oversubscribed in [false, true] {
            let seed = 40 + pes as u64;
            random_program(&Shape { oversubscribed, seed, ..Shape::local(pes) }, 150);
        }
    }
}

#[test]
fn more_pes_than_go_in_one_round_agree_with_the_model() {
    random_program(&Shape { oversubscribed: false, seed: 7, ..Shape::local(11) }, 60);
}

#[test]
fn random_programs_across_hosts_agree_with_the_model() {
    for (number, hosts) in
        [vec![0, 1], vec![0, 1, 0], vec![0, 0, 1, 1], vec![2, 1, 0, 2, 1, 0, 0, 1]].into_iter().enumerate()
    {
        for oversubscribed in [false, true] {
            let seed = 90 + number as u64;
            random_program(&Shape { hosts: hosts.clone(), oversubscribed, debug: false, seed }, 60);
        }
    }
}

#[test]
fn random_programs_agree_with_the_model_in_debug_mode() {
    random_program(&Shape { debug: true, seed: 5, ..Shape::local(4) }, 100);
    random_program(&Shape { hosts: vec![0, 1, 0, 1], oversubscribed: true, debug: true, seed: 6 }, 40);
}
