//! Flapping links: history of losses, hold-down and isolation.
//!
//! Each loss within the window doubles the time for which the link must be up before it carries
//! traffic again. After a set number of losses the link is isolated until an operator releases it,
//! unless the budget of isolated links is spent or it is the last link between two groups.

use std::collections::{BTreeMap, VecDeque};

use crate::settings::ControlSettings;

/// The most losses that are remembered for each link.
const REMEMBERED: usize = 64;

/// The measure against a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Isolation {
    /// Nothing.
    #[default]
    None,
    /// It carries no traffic until it has been up for long enough.
    HeldDown {
        /// Until then, unless it is lost again.
        until_ms: u64,
    },
    /// It carries no traffic until an operator releases it.
    Isolated,
    /// It should be isolated, but the budget is spent or it is the last link between two groups.
    Spared,
}

#[derive(Clone, Debug, Default)]
struct History {
    /// Times of losses, milliseconds, newest last.
    losses: VecDeque<u64>,
    isolation: Isolation,
}

/// A link's losses in readable form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlapView {
    /// 0 (no loss) to 6: one for each doubling of its losses in the window.
    pub score: u8,
    /// Losses in the window.
    pub losses: usize,
    /// The last loss, in milliseconds of the manager's clock.
    pub last_ms: Option<u64>,
    /// The measure against it.
    pub isolation: Isolation,
}

/// Losses of all links, by the lower port of each. Links that were never lost take no memory.
#[derive(Clone, Debug, Default)]
pub struct Flaps {
    links: BTreeMap<u32, History>,
    isolated: usize,
}

impl Flaps {
    /// Records a loss.
    pub fn lost(&mut self, link: u32, now_ms: u64, settings: &ControlSettings) {
        let history = self.links.entry(link).or_default();
        let oldest = now_ms.saturating_sub(settings.flap_window_s * 1_000);
        while history.losses.front().is_some_and(|&at| at < oldest) || history.losses.len() >= REMEMBERED {
            history.losses.pop_front();
        }
        history.losses.push_back(now_ms);
        if history.isolation != Isolation::Isolated {
            history.isolation = Isolation::None;
        }
    }

    /// Whether a link has so many losses that it should be isolated.
    pub fn is_due(&self, link: u32, settings: &ControlSettings) -> bool {
        self.links.get(&link).is_some_and(|history| {
            history.losses.len() as u64 >= settings.flaps_isolate && history.isolation != Isolation::Isolated
        })
    }

    /// Isolates a link, or marks it as spared if that is not allowed.
    pub fn isolate(&mut self, link: u32, allowed: bool) {
        let history = self.links.entry(link).or_default();
        if allowed && history.isolation != Isolation::Isolated {
            self.isolated += 1;
        }
        history.isolation = if allowed { Isolation::Isolated } else { Isolation::Spared };
    }

    /// The number of isolated links.
    pub const fn isolated(&self) -> usize {
        self.isolated
    }

    /// Handles the return of a lost link, and returns until when it is held down.
    pub fn back(&mut self, link: u32, now_ms: u64, settings: &ControlSettings) -> Option<u64> {
        let history = self.links.get_mut(&link)?;
        if history.losses.is_empty() || history.isolation == Isolation::Isolated {
            return None;
        }
        let doublings = (history.losses.len() as u32 - 1).min(20);
        let until_ms = now_ms + (settings.hold_down_ms << doublings).min(settings.flap_window_s * 1_000);
        history.isolation = Isolation::HeldDown { until_ms };
        Some(until_ms)
    }

    /// Ends the hold-down of a link.
    pub fn end_hold(&mut self, link: u32) {
        if let Some(history) = self.links.get_mut(&link)
            && matches!(history.isolation, Isolation::HeldDown { .. })
        {
            history.isolation = Isolation::None;
        }
    }

    /// Removes the last loss because it was no fault of the link, and returns whether there was
    /// one.
    pub fn forgive(&mut self, link: u32) -> bool {
        let Some(history) = self.links.get_mut(&link) else { return false };
        if history.losses.pop_back().is_none() {
            return false;
        }
        if history.isolation == Isolation::Isolated {
            self.isolated -= 1;
        }
        history.isolation = Isolation::None;
        if history.losses.is_empty() {
            self.links.remove(&link);
        }
        true
    }

    /// Removes a loss counted since `since_ms`, because it turned out to be intended.
    pub fn excuse(&mut self, link: u32, since_ms: u64) {
        if self.links.get(&link).and_then(|history| history.losses.back()).is_some_and(|&at| at >= since_ms) {
            self.forgive(link);
        }
    }

    /// Releases a link: an operator asked for it, and its losses are forgotten.
    pub fn release(&mut self, link: u32) -> bool {
        let Some(history) = self.links.remove(&link) else { return false };
        if history.isolation == Isolation::Isolated {
            self.isolated -= 1;
        }
        true
    }

    /// Whether its losses allow a link to carry traffic.
    pub fn allows(&self, link: u32) -> bool {
        let isolation = self.links.get(&link).map_or(Isolation::None, |history| history.isolation);
        matches!(isolation, Isolation::None | Isolation::Spared)
    }

    /// A link's losses.
    pub fn view(&self, link: u32, now_ms: u64, settings: &ControlSettings) -> FlapView {
        let Some(history) = self.links.get(&link) else {
            return FlapView { score: 0, losses: 0, last_ms: None, isolation: Isolation::None };
        };
        let oldest = now_ms.saturating_sub(settings.flap_window_s * 1_000);
        let losses = history.losses.iter().filter(|&&at| at >= oldest).count();
        let score = (usize::BITS - losses.leading_zeros()).min(6) as u8;
        FlapView { score, losses, last_ms: history.losses.back().copied(), isolation: history.isolation }
    }

    /// Links that have ever been lost, by their lower port.
    pub fn links(&self) -> impl Iterator<Item = u32> + '_ {
        self.links.keys().copied()
    }
}
