//! How long a rank that polls waits before it polls again although nothing has come.
//!
//! It may find what has not come through the network, or poll a number of times, so the wait has a
//! limit. A program for which that has never been so would only wake up for nothing.

/// Polls in the first collapsed wait: then the program polls once. Source: ours; longer than most
/// waits of a program. Status: assumed.
const POLLS_FIRST: u64 = 8_192;
/// Each such wait without an event makes the next one four times as long. After so many, the next
/// one has no limit, so that ranks that wait for each other are found. Source: ours; together a
/// fifth of a second. Status: assumed.
const FRUITLESS_MAX: u32 = 7;
/// Waits that were too short make the first ones of later polls as long, at most as after so many.
/// Source: ours; some milliseconds. Status: assumed.
const LEARNED_MAX: u32 = 2;

/// What a rank has learned about its polls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PollPatience {
    /// Waits in a row that have reached their limits.
    fruitless: u32,
    /// Waits that have reached their limits for nothing, since one has not.
    learned: u32,
    /// The news and the calls when a wait reached its limit, until the next look.
    reached: Option<(u32, u32)>,
}

impl PollPatience {
    /// Polls that the next wait stands for at most; `None`: any number.
    #[must_use]
    pub fn polls(&self) -> Option<u64> {
        (self.fruitless < FRUITLESS_MAX).then(|| POLLS_FIRST << (2 * self.fruitless.max(self.learned)))
    }

    /// A wait for polls is over, in which `news` has become `now`, after so many calls that were no
    /// fruitless looks.
    pub fn waited(&mut self, news: u32, now: u32, calls: u32) {
        self.fruitless = self.fruitless.saturating_add(1);
        self.reached = (news == now).then_some((news, calls));
    }

    /// A look has found nothing.
    pub fn looked(&mut self, news: u32, calls: u32) {
        match self.reached.take() {
            Some(before) if before == (news, calls) => self.learned = (self.learned + 1).min(LEARNED_MAX),
            // It has found something that came another way, or does not wait for it.
            Some((before, _)) if before == news => self.learned = 0,
            _ => {}
        }
    }

    /// The rank has gone on.
    pub fn goes_on(&mut self) {
        self.fruitless = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_until_they_have_no_limit_and_begin_again_when_the_rank_goes_on() {
        let mut patience = PollPatience::default();
        for wait in 0..FRUITLESS_MAX {
            assert_eq!(patience.polls(), Some(POLLS_FIRST << (2 * wait.max(patience.learned))), "wait {wait}");
            patience.waited(1, 1, 5);
            patience.looked(1, 5);
        }
        assert_eq!(patience.polls(), None, "a deadlock is found");
        patience.goes_on();
        assert_eq!(patience.polls(), Some(POLLS_FIRST << (2 * LEARNED_MAX)), "it has learned");
    }

    #[test]
    fn a_rank_that_finds_something_at_a_limit_is_asked_as_soon_again() {
        let mut patience = PollPatience::default();
        patience.waited(1, 1, 5);
        patience.looked(1, 5);
        patience.goes_on();
        assert_eq!(patience.polls(), Some(POLLS_FIRST << 2), "its first limit was too early");
        patience.waited(1, 1, 5);
        // It has made a call without news: something has come another way.
        patience.looked(1, 6);
        patience.goes_on();
        assert_eq!(patience.polls(), Some(POLLS_FIRST));
    }

    #[test]
    fn an_event_teaches_nothing() {
        let mut patience = PollPatience::default();
        for news in 0..10 {
            patience.waited(news, news + 1, 5 + news);
            patience.looked(news + 1, 5 + news);
            patience.goes_on();
            assert_eq!(patience.polls(), Some(POLLS_FIRST));
        }
    }
}
