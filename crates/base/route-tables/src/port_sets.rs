//! Port sets by number, each distinct set kept once.

/// A list of port sets, one for each number.
///
/// The sets of a switch repeat: most of its 577 entries in a fabric of 545 groups lead over one of
/// about fifty sets. A byte per entry then identifies the set, instead of eight bytes per entry.
#[derive(Clone, Debug)]
pub(crate) enum PortSets {
    /// At most 256 distinct sets: the index of each number's set, and the sets. The first set is
    /// the empty one.
    Few { which: Vec<u8>, sets: Vec<u64> },
    /// More distinct sets: the set of each number.
    Many(Vec<u64>),
}

impl Default for PortSets {
    fn default() -> Self {
        Self::Few { which: Vec::new(), sets: vec![0] }
    }
}

impl PortSets {
    /// The set of a number; the empty one if none was set.
    pub(crate) fn get(&self, number: usize) -> u64 {
        match self {
            Self::Few { which, sets } => which.get(number).map_or(0, |&set| sets[usize::from(set)]),
            Self::Many(list) => list.get(number).copied().unwrap_or(0),
        }
    }

    /// Sets the set of a number.
    pub(crate) fn set(&mut self, number: usize, ports: u64) {
        match self {
            Self::Few { which, sets } => {
                let Some(set) = position(which, sets, ports) else {
                    *self = Self::Many(self.iter().collect());
                    return self.set(number, ports);
                };
                if which.len() <= number {
                    which.resize(number + 1, 0);
                }
                which[number] = set;
            }
            Self::Many(list) => {
                if list.len() <= number {
                    list.resize(number + 1, 0);
                }
                list[number] = ports;
            }
        }
    }

    /// The sets, by number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        let length = match self {
            Self::Few { which, .. } => which.len(),
            Self::Many(list) => list.len(),
        };
        (0..length).map(|number| self.get(number))
    }

    /// Frees the memory that growing left over.
    pub(crate) fn shrink(&mut self) {
        match self {
            Self::Few { which, sets } => {
                which.shrink_to_fit();
                sets.shrink_to_fit();
            }
            Self::Many(list) => list.shrink_to_fit(),
        }
    }
}

/// Index of a set in the list of distinct ones, to which a new set is added. `None` if all 256
/// places are in use.
fn position(which: &mut [u8], sets: &mut Vec<u64>, ports: u64) -> Option<u8> {
    if let Some(known) = sets.iter().position(|&set| set == ports) {
        return Some(known as u8);
    }
    if sets.len() > usize::from(u8::MAX) {
        drop_unused(which, sets);
    }
    let new = u8::try_from(sets.len()).ok()?;
    sets.push(ports);
    Some(new)
}

/// Drops the sets that no number uses any more.
fn drop_unused(which: &mut [u8], sets: &mut Vec<u64>) {
    let mut used = [false; 256];
    used[0] = true;
    for &set in &*which {
        used[usize::from(set)] = true;
    }
    let mut moved = [0_u8; 256];
    let mut kept = 0_u8;
    for old in (0..sets.len()).filter(|&old| used[old]) {
        sets[usize::from(kept)] = sets[old];
        moved[old] = kept;
        kept = kept.wrapping_add(1);
    }
    let count = used.iter().filter(|&&used| used).count();
    sets.truncate(count);
    for set in which {
        *set = moved[usize::from(*set)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with a plain list.
    fn agree(sets: &PortSets, plain: &[u64]) {
        assert_eq!(sets.iter().collect::<Vec<_>>(), plain);
        assert_eq!(sets.get(plain.len() + 7), 0, "beyond the last number");
    }

    #[test]
    fn sets_are_what_a_plain_list_holds() {
        for distinct in [1_u64, 3, 255, 256, 257, 5000] {
            let mut sets = PortSets::default();
            let mut plain = Vec::new();
            let mut state = distinct;
            for _ in 0..20_000 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let number = (state >> 33) as usize % 1000;
                let ports = (state >> 40) % distinct;
                if plain.len() <= number {
                    plain.resize(number + 1, 0);
                }
                plain[number] = ports;
                sets.set(number, ports);
            }
            agree(&sets, &plain);
            sets.shrink();
            agree(&sets, &plain);
            assert_eq!(matches!(sets, PortSets::Many(_)), distinct > 256, "{distinct} distinct sets");
        }
    }

    #[test]
    fn sets_that_went_out_of_use_make_room() {
        let mut sets = PortSets::default();
        for round in 0..10_000 {
            sets.set(3, round);
        }
        assert!(matches!(sets, PortSets::Few { .. }));
        agree(&sets, &[0, 0, 0, 9_999]);
    }
}
