//! How long a rank that polls waits before it polls again although nothing has come.
//!
//! It may find what has not come through the network, or poll a number of times, so the wait has a
//! limit. To learn longer limits from waits whose ends came through the network saves switches, and
//! makes a program that tests a few times and gives up lose as much more time.

/// Polls in the first collapsed wait: then the program polls once. Source: ours; longer than most
/// waits of a program. Status: assumed.
const POLLS_FIRST: u64 = 8_192;
/// Each such wait without an event makes the next one four times as long. After so many, the next
/// one has no limit, so that ranks that wait for each other are found. Source: ours; together a
/// fifth of a second. Status: assumed.
const FRUITLESS_MAX: u32 = 7;
/// The waits of a rank that polls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PollPatience {
    /// Waits in a row after which the rank has not gone on.
    fruitless: u32,
}

impl PollPatience {
    /// Polls that the next wait stands for at most; `None`: any number.
    #[must_use]
    pub fn polls(&self) -> Option<u64> {
        (self.fruitless < FRUITLESS_MAX).then(|| POLLS_FIRST << (2 * self.fruitless))
    }

    /// A wait for polls begins.
    pub fn waits(&mut self) {
        self.fruitless = self.fruitless.saturating_add(1);
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
            assert_eq!(patience.polls(), Some(POLLS_FIRST << (2 * wait)), "wait {wait}");
            patience.waits();
        }
        assert_eq!(patience.polls(), None, "a deadlock is found");
        patience.goes_on();
        assert_eq!(patience.polls(), Some(POLLS_FIRST));
    }
}
