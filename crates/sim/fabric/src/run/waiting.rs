//! Ranks that wait forever: which rank waits for which, in the words of their programs.

use std::collections::{BTreeMap, BTreeSet};

/// The most ranks that an error names.
const NAMED_MAX: usize = 8;

/// A rank that waits, by its number over all jobs, and the rank that it waits for.
pub type WaitingRank = (u32, Option<u32>);

/// The ranks that an error names, in order, each waiting for the next.
#[derive(Debug, PartialEq, Eq)]
pub struct WaitChain {
    /// Their numbers over all jobs.
    pub ranks: Vec<u32>,
    /// The rank that the last one waits for, if that rank has ended.
    pub ended: Option<u32>,
    /// Whether the last waits for the first.
    pub is_cycle: bool,
    /// The other ranks that wait.
    pub others: Vec<u32>,
}

impl WaitChain {
    /// Follows the waiting ranks, each to the rank that it waits for, from the lowest that waits
    /// for a certain one. The chain is the circle in which this ends, or all ranks on the path.
    pub fn of(waiting: &BTreeMap<u32, Option<u32>>) -> Self {
        let mut chain = Self { ranks: Vec::new(), ended: None, is_cycle: false, others: Vec::new() };
        let mut positions: BTreeMap<u32, usize> = BTreeMap::new();
        let with_partner = waiting.iter().find(|(_, partner)| partner.is_some());
        let mut next = with_partner.or_else(|| waiting.iter().next()).map(|(rank, _)| *rank);
        while let Some(rank) = next {
            if let Some(&position) = positions.get(&rank) {
                chain.ranks.drain(..position);
                chain.is_cycle = true;
                break;
            }
            let Some(&partner) = waiting.get(&rank) else {
                chain.ended = Some(rank);
                break;
            };
            positions.insert(rank, chain.ranks.len());
            chain.ranks.push(rank);
            next = partner;
        }
        chain.ended = chain.ended.filter(|_| chain.ranks.len() <= NAMED_MAX);
        let in_chain: BTreeSet<u32> = chain.ranks.iter().copied().collect();
        let is_other = |rank: &&u32| !in_chain.contains(rank);
        chain.others = waiting.keys().filter(is_other).copied().collect();
        chain
    }

    /// The error's words. `name` gives the name of a rank, `words` what the rank waits for; a rank
    /// without words gets a question mark.
    pub fn text(&self, name: impl Fn(u32) -> String, words: &BTreeMap<u32, String>) -> String {
        let part = |rank: &u32| format!("{}, {}", name(*rank), words.get(rank).map_or("?", String::as_str));
        let in_chain = self.ranks.len().min(NAMED_MAX);
        let mut parts: Vec<String> = self.ranks[..in_chain].iter().map(part).collect();
        parts.extend(self.ended.map(|rank| format!("{} has ended", name(rank))));
        let is_circle = self.is_cycle && self.ranks.len() > 1;
        for (place, rank) in self.others.iter().take(NAMED_MAX - in_chain).enumerate() {
            // A circle does not have them.
            let besides = if is_circle && place == 0 { "besides, " } else { "" };
            parts.push(format!("{besides}{}", part(rank)));
        }
        match self.ranks.len() + self.others.len() - self.named().len() {
            0 => {}
            more => parts.push(format!("and {more} more")),
        }
        let circle = if is_circle { "in a circle: " } else { "" };
        format!("{circle}{}", parts.join("; "))
    }

    /// The ranks that the error names.
    pub fn named(&self) -> Vec<u32> {
        self.ranks.iter().chain(&self.others).take(NAMED_MAX).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(waiting: &[WaitingRank]) -> String {
        let words = waiting.iter().map(|(rank, _)| (*rank, format!("line {}", rank + 1))).collect();
        WaitChain::of(&waiting.iter().copied().collect()).text(|rank| format!("rank {rank}"), &words)
    }

    #[test]
    fn the_circle_is_named_or_the_rank_that_has_ended() {
        assert_eq!(
            text(&[(0, Some(1)), (1, Some(2)), (2, Some(1))]),
            "in a circle: rank 1, line 2; rank 2, line 3; besides, rank 0, line 1"
        );
        assert_eq!(text(&[(1, Some(2)), (2, Some(0))]), "rank 1, line 2; rank 2, line 3; rank 0 has ended");
        assert_eq!(text(&[(4, Some(4))]), "rank 4, line 5");
        assert_eq!(text(&[(4, None), (5, Some(4))]), "rank 5, line 6; rank 4, line 5");
        assert_eq!(text(&[(4, None), (5, None)]), "rank 4, line 5; rank 5, line 6");
        let many: Vec<WaitingRank> = (0..12).map(|rank| (rank, (rank < 2).then_some(1 - rank.min(1)))).collect();
        assert!(
            text(&many).starts_with("in a circle: rank 0, line 1; rank 1, line 2; besides, rank 2, line 3; rank 3")
        );
        assert!(text(&many).ends_with("rank 7, line 8; and 4 more"), "{}", text(&many));
        let long: Vec<WaitingRank> = (0..20).map(|rank| (rank, Some(rank + 1))).collect();
        assert!(text(&long).ends_with("rank 7, line 8; and 12 more"), "{}", text(&long));
    }
}
