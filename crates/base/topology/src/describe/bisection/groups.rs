//! Cuts along groups: whole groups on one side, and a part of one more if that is what balances
//! the sides.

use super::{Cut, Cuts};
use philae_units::counted;
use std::collections::BTreeMap;

/// Maximum number of cuts that are checked one by one. Source: ours: a fraction of a second.
/// Status: assumed.
const CUTS_MAX: u64 = 20_000_000;

/// The most pairs of kinds that all these cuts may visit together. Source: ours: about a second.
/// Status: assumed.
const VISITS_MAX: u64 = 400_000_000;

/// More kinds than this have more cuts than that. Source: the logarithm of [`CUTS_MAX`] to base 2.
/// Status: derived.
const KINDS_MAX: usize = 24;

/// Groups, and the kinds of groups that are alike: of a cut only their number on one side counts.
struct Groups<'c> {
    cuts: &'c Cuts,
    /// Switches of each group.
    members: Vec<Vec<usize>>,
    /// Endpoints of each group.
    weights: Vec<u64>,
    /// Mb/s from each group to others, one direction.
    between: Vec<BTreeMap<usize, u64>>,
    /// Groups of each kind.
    kinds: Vec<Vec<usize>>,
}

/// The best cuts along groups, which are given by the group of each switch; none if there is only
/// one.
pub(super) fn groups(cuts: &Cuts, group_of: &[usize]) -> Vec<Cut> {
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    group_of.iter().enumerate().for_each(|(switch, &group)| members.entry(group).or_default().push(switch));
    if members.len() < 2 {
        return Vec::new();
    }
    let mut groups = Groups::of(cuts, members.into_values().collect());
    if !groups.find_kinds() {
        return vec![groups.in_order()];
    }
    let Some([whole, part]) = groups.best_sides() else {
        let half: Vec<usize> = groups.kinds.iter().map(|kind| kind.len() / 2).collect();
        return groups.divided(&half).into_iter().chain([groups.in_order()]).collect();
    };
    let mut found: Vec<Cut> = whole.map(|side| groups.whole(&side)).into_iter().collect();
    found.extend(part.and_then(|side| groups.divided(&side)));
    found
}

impl<'c> Groups<'c> {
    fn of(cuts: &'c Cuts, members: Vec<Vec<usize>>) -> Self {
        let mut own = vec![0; cuts.weight.len()];
        for (group, switches) in members.iter().enumerate() {
            switches.iter().for_each(|&switch| own[switch] = group);
        }
        let weights = members.iter().map(|switches| switches.iter().map(|&switch| cuts.weight[switch]).sum()).collect();
        let mut between = vec![BTreeMap::new(); members.len()];
        for (from, links) in cuts.links.iter().enumerate() {
            for &(to, rate) in links.iter().filter(|(to, _)| own[*to] != own[from]) {
                *between[own[from]].entry(own[to]).or_insert(0) += rate;
            }
        }
        Self { cuts, members, weights, between, kinds: Vec::new() }
    }

    /// Sorts the groups by kind; false if there are too many kinds.
    fn find_kinds(&mut self) -> bool {
        for group in 0..self.members.len() {
            match self.kinds.iter().position(|kind| self.alike(kind[0], group)) {
                Some(kind) => self.kinds[kind].push(group),
                None => self.kinds.push(vec![group]),
            }
            if self.kinds.len() > KINDS_MAX {
                return false;
            }
        }
        true
    }

    /// Whether two groups have the same endpoints and the same links to each third.
    fn alike(&self, one: usize, other: usize) -> bool {
        let third = |from: usize, except: usize| self.between[from].iter().filter(move |(to, _)| **to != except);
        self.weights[one] == self.weights[other]
            && self.members[one].len() == self.members[other].len()
            && third(one, other).eq(third(other, one))
    }

    /// The sides, as the number of groups of each kind, with the least rate across: one of balanced
    /// cuts, and one of those to which a part of a group is to be added. `None` if there are too
    /// many to try.
    fn best_sides(&self) -> Option<[Option<Vec<usize>>; 2]> {
        let counts: Vec<usize> = self.kinds.iter().map(Vec::len).collect();
        let all = counts.iter().try_fold(1_u64, |all, &count| all.checked_mul(count as u64 + 1))?;
        let visits = all.checked_mul(counts.len().pow(2) as u64)?;
        if all > CUTS_MAX || visits > VISITS_MAX {
            return None;
        }
        let rate = |one: usize, other: Option<&usize>| {
            other.and_then(|other| self.between[one].get(other)).copied().unwrap_or(0)
        };
        let row = |(at, one): (usize, &Vec<usize>)| -> Vec<u64> {
            let others = self.kinds.iter().enumerate();
            others.map(|(to, other)| rate(one[0], if to == at { one.get(1) } else { other.first() })).collect()
        };
        let rates: Vec<Vec<u64>> = self.kinds.iter().enumerate().map(row).collect();
        let across = |side: &[usize]| {
            let mut sum = 0;
            for (one, &on_side) in side.iter().enumerate() {
                for other in 0..side.len() {
                    sum += rates[one][other] * on_side as u64 * (counts[other] - side[other]) as u64;
                }
            }
            sum
        };
        let weight: Vec<u64> = self.kinds.iter().map(|kind| self.weights[kind[0]]).collect();
        let largest = weight.iter().copied().max().unwrap_or(0);
        let mut best: [Option<(u64, Vec<usize>)>; 2] = [None, None];
        let mut side = vec![0; counts.len()];
        loop {
            let on_side: u64 = side.iter().zip(&weight).map(|(&count, weight)| count as u64 * weight).sum();
            let place = match 2 * on_side <= self.cuts.total {
                _ if self.cuts.is_balanced(on_side) => Some(0),
                true if self.cuts.total - 2 * on_side < 2 * largest => Some(1),
                _ => None,
            };
            if let Some(best) = place.map(|place| &mut best[place]) {
                let rate = across(&side);
                if best.as_ref().is_none_or(|(least, _)| rate < *least) {
                    *best = Some((rate, side.clone()));
                }
            }
            // The next number whose digits are the groups of each kind.
            let Some(digit) = (0..side.len()).find(|&digit| side[digit] < counts[digit]) else { break };
            side[..digit].fill(0);
            side[digit] += 1;
        }
        Some(best.map(|best| best.map(|(_, side)| side)))
    }

    /// The first groups of each kind.
    fn chosen(&self, side: &[usize]) -> Vec<usize> {
        self.kinds.iter().zip(side).flat_map(|(kind, &count)| kind[..count].iter().copied()).collect()
    }

    fn switches(&self, groups: &[usize]) -> Vec<usize> {
        groups.iter().flat_map(|&group| self.members[group].iter().copied()).collect()
    }

    fn whole(&self, side: &[usize]) -> Cut {
        let groups = self.chosen(side);
        let mut inside = vec![false; self.cuts.weight.len()];
        self.switches(&groups).into_iter().for_each(|switch| inside[switch] = true);
        self.cuts.cut(&inside, against(groups.len(), self.members.len() - groups.len(), ""))
    }

    /// The best cut that divides one of the other groups: of each kind the first.
    fn divided(&self, side: &[usize]) -> Option<Cut> {
        let groups = self.chosen(side);
        let left = self.kinds.iter().zip(side).filter_map(|(kind, &count)| kind.get(count).copied());
        left.map(|divided| self.with_part(&groups, divided)).min_by_key(|cut| cut.rate)
    }

    fn with_part(&self, groups: &[usize], divided: usize) -> Cut {
        let mut order = self.switches(groups);
        let mut side = vec![-1_i64; self.cuts.weight.len()];
        order.iter().for_each(|&switch| side[switch] = 1);
        let mut own = self.members[divided].clone();
        own.iter().for_each(|&switch| side[switch] = 0);
        // First the switches with the most links to this side.
        let pull =
            |switch: usize| self.cuts.links[switch].iter().map(|(to, rate)| side[*to] * *rate as i64).sum::<i64>();
        own.sort_by_key(|&switch| (-pull(switch), switch));
        order.extend(own);
        let mut is_chosen = vec![false; self.members.len()];
        groups.iter().chain([&divided]).for_each(|&group| is_chosen[group] = true);
        let rest: Vec<usize> = (0..self.members.len()).filter(|&group| !is_chosen[group]).collect();
        order.extend(self.switches(&rest));
        self.cuts.cut(&self.cuts.half(&order), against(groups.len(), rest.len(), " and a part of another"))
    }

    /// The groups in their order, up to half of the endpoints.
    fn in_order(&self) -> Cut {
        let all: Vec<usize> = (0..self.members.len()).collect();
        self.cuts.cut(&self.cuts.half(&self.switches(&all)), "the first groups against the last")
    }
}

fn against(one: usize, rest: usize, part: &str) -> String {
    format!("{}{part} against {rest}", counted(one, "group"))
}
