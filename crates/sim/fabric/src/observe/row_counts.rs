//! Counts congestion events by kind, and decides which are kept as rows.
//!
//! The first of each kind are kept. Within a window, a partition processes its groups one at a
//! time, so that a row may come before one of an earlier time. So all events of the window in which
//! there are enough are kept, and the record cuts them in the order of time.

use std::collections::BTreeMap;

use philae_results::record::CongestionKind;

/// Number of congestion events of one kind that are kept as rows; all are counted.
pub const CONGESTION_ROWS_PER_KIND: u64 = 20_000;

/// Events of one kind.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
struct Count {
    events: u64,
    /// There were enough before the present window.
    is_full: bool,
}

/// Congestion events of a partition, by kind.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct RowCounts(BTreeMap<CongestionKind, Count>);

impl RowCounts {
    /// Begins the next window.
    pub fn begin_window(&mut self) {
        for count in self.0.values_mut() {
            count.is_full = count.events >= CONGESTION_ROWS_PER_KIND;
        }
    }

    /// Counts an event. Returns whether to keep it as a row.
    pub fn add(&mut self, kind: CongestionKind) -> bool {
        let count = self.0.entry(kind).or_default();
        count.events += 1;
        !count.is_full
    }

    /// Number of events of each kind.
    pub fn into_counts(self) -> impl Iterator<Item = (CongestionKind, u64)> {
        self.0.into_iter().map(|(kind, count)| (kind, count.events))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rows_of_the_window_that_fills_a_kind_are_kept_and_none_after_it() {
        let (kind, other) = (CongestionKind::EndpointOnset, CongestionKind::FlowHeld);
        let mut counts = RowCounts::default();
        let mut kept = 0;
        for events in [CONGESTION_ROWS_PER_KIND - 1, 5, 7] {
            counts.begin_window();
            kept += (0..events).filter(|_| counts.add(kind)).count() as u64;
            assert!(counts.add(other), "a kind does not count for another");
        }
        assert_eq!(kept, CONGESTION_ROWS_PER_KIND + 4);
        let all: Vec<_> = counts.into_counts().collect();
        assert!(all.contains(&(kind, CONGESTION_ROWS_PER_KIND + 11)) && all.contains(&(other, 3)), "{all:?}");
    }
}
