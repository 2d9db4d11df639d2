//! Chooses the class that an output serves next.
//!
//! Accounts are kept in link time: a class earns its share of the time that passes and pays the
//! time that its packets take. So one schedule serves links of any rate.
//!
//! Source: the rules are those of Slingshot 400 III-E (assured bandwidth may be exceeded while
//! others are dormant; guaranteed bandwidth is used by no other class; priority operates among the
//! classes that have assured bandwidth available) and SC'20 section III-E (what no class is assured
//! goes to the class with the lowest share).

use crate::class::ClassSet;

/// Hundred per cent of link time.
const WHOLE: i64 = 100;

/// The account of one class at one output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Account {
    /// Time of its last update, in picoseconds.
    updated_at: u64,
    /// Assured link time that it has not used, in hundredths of picoseconds.
    assured: i64,
    /// The same for the reserved part.
    reserved: i64,
    /// The same up to its ceiling.
    ceiling: i64,
    /// Link time that it used lately, in picoseconds: fades over the window.
    served: u64,
    /// Leg served last.
    pub last_leg: u8,
}

/// Link time of one output that is reserved for no class, which all classes share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Common {
    updated_at: u64,
    left: i64,
}

/// What an output does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Serve this class.
    Class(u8),
    /// All classes that ask have used up their bandwidth: ask again at this time, in picoseconds.
    Wait(u64),
    /// No class asks.
    NoRequest,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Share {
    priority: u8,
    assured: i64,
    reserved: i64,
    ceiling: i64,
}

/// The rules of one set of classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassSchedule {
    shares: Vec<Share>,
    /// Share of link time that is reserved for no class.
    common: i64,
    /// Time over which unused shares are kept, in picoseconds.
    window: i64,
}

impl ClassSchedule {
    /// The rules of a set. `window_ps` is the time over which a class may catch up on an unused
    /// share, in picoseconds.
    #[must_use]
    pub fn new(set: &ClassSet, window_ps: u64) -> Self {
        let share = |class: &crate::TrafficClass| Share {
            priority: class.priority,
            assured: i64::from(class.assured_percent),
            reserved: i64::from(class.reserved_percent),
            ceiling: i64::from(class.ceiling_percent),
        };
        let shares: Vec<Share> = set.classes().iter().map(share).collect();
        let common = WHOLE - shares.iter().map(|share| share.reserved).sum::<i64>();
        Self { shares, common, window: window_ps.max(1) as i64 }
    }

    /// Whether there is nothing to decide: one class without a ceiling.
    #[must_use]
    pub fn is_trivial(&self) -> bool {
        self.shares.len() == 1 && self.shares[0].ceiling == WHOLE
    }

    /// Updates the accounts of an output to `now`.
    fn earn(&self, now: u64, accounts: &mut [Account], common: &mut Common) {
        for (account, share) in accounts.iter_mut().zip(&self.shares) {
            let passed = (now - account.updated_at).min(self.window as u64) as i64;
            account.updated_at = now;
            let earn = |left: i64, percent: i64| (left + passed * percent).min(self.window * percent);
            account.assured = earn(account.assured, share.assured);
            account.reserved = earn(account.reserved, share.reserved);
            account.ceiling = earn(account.ceiling, share.ceiling);
            account.served -= (u128::from(account.served) * passed as u128 / self.window as u128) as u64;
        }
        let passed = (now - common.updated_at).min(self.window as u64) as i64;
        common.updated_at = now;
        common.left = (common.left + passed * self.common).min(self.window * self.common);
    }

    /// The class to serve at `now` among those of `asking` (one bit each).
    pub fn choose(&self, now: u64, asking: u64, accounts: &mut [Account], common: &mut Common) -> Choice {
        if asking == 0 {
            return Choice::NoRequest;
        }
        self.earn(now, accounts, common);
        let mut best: Option<(usize, (bool, u8, u64))> = None;
        let mut wait = u64::MAX;
        for (class, (account, share)) in accounts.iter().zip(&self.shares).enumerate() {
            if asking >> class & 1 == 0 {
                continue;
            }
            let free_at = self.free_at(now, account, share, *common);
            if free_at > now {
                wait = wait.min(free_at);
                continue;
            }
            // A class below its assured share ranks by priority. Otherwise the class that was
            // served least gets what is left.
            let below = account.assured > 0;
            let rank = (below, if below { share.priority } else { 0 }, u64::MAX - account.served);
            if best.is_none_or(|(_, best_rank)| rank > best_rank) {
                best = Some((class, rank));
            }
        }
        match best {
            Some((class, _)) => Choice::Class(class as u8),
            None => Choice::Wait(wait),
        }
    }

    /// When a class may send: now, or when its ceiling and the reserves of others allow it.
    fn free_at(&self, now: u64, account: &Account, share: &Share, common: Common) -> u64 {
        let after = |left: i64, percent: i64| {
            if left > 0 {
                now
            } else if percent == 0 {
                u64::MAX
            } else {
                now + (-left / percent) as u64 + 1
            }
        };
        let ceiling = if share.ceiling == WHOLE { now } else { after(account.ceiling, share.ceiling) };
        let shared = if self.common == WHOLE { now } else { after(common.left, self.common) };
        ceiling.max(shared.min(after(account.reserved, share.reserved)))
    }

    /// Charges `class` for a packet that takes the link for `time` picoseconds from `now` on.
    pub fn charge(&self, now: u64, class: u8, time: u64, accounts: &mut [Account], common: &mut Common) {
        self.earn(now, accounts, common);
        let cost = time as i64 * WHOLE;
        let account = &mut accounts[usize::from(class)];
        // The window also bounds debts: a class does not pay for what it got while no other class
        // asked.
        let pay = |left: i64, percent: i64| (left - cost).max(-(self.window * percent + cost));
        let share = &self.shares[usize::from(class)];
        account.assured = pay(account.assured, share.assured);
        account.ceiling = account.ceiling.saturating_sub(cost);
        if account.reserved > 0 {
            account.reserved -= cost;
        } else {
            common.left -= cost;
        }
        account.served = account.served.saturating_add(time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TrafficClass;
    use proptest::prelude::*;

    /// Time of one packet.
    const PACKET: u64 = 166_320;
    const WINDOW: u64 = 4_000_000;

    fn class(priority: u8, assured: u32, reserved: u32, ceiling: u32) -> TrafficClass {
        TrafficClass {
            priority,
            assured_percent: assured,
            reserved_percent: reserved,
            ceiling_percent: ceiling,
            ..TrafficClass::named("x")
        }
    }

    /// Shares of link time over a long run in which the classes of `asking` always ask.
    fn shares(classes: Vec<TrafficClass>, asking: u64) -> Vec<f64> {
        let set = ClassSet::new(classes, 12).expect("a legal set");
        let schedule = ClassSchedule::new(&set, WINDOW);
        let (mut accounts, mut common) = (vec![Account::default(); set.len()], Common::default());
        let (mut now, mut sent) = (0, vec![0_u64; set.len()]);
        while now < 4_000 * PACKET {
            match schedule.choose(now, asking, &mut accounts, &mut common) {
                Choice::Class(class) => {
                    schedule.charge(now, class, PACKET, &mut accounts, &mut common);
                    sent[usize::from(class)] += PACKET;
                    now += PACKET;
                }
                Choice::Wait(until) => {
                    assert!(until > now && until < u64::MAX, "a wait ends");
                    now = until;
                }
                Choice::NoRequest => unreachable!("classes ask"),
            }
        }
        sent.into_iter().map(|sent| sent as f64 / now as f64).collect()
    }

    fn close(measured: &[f64], expected: &[f64]) {
        for (measured, expected) in measured.iter().zip(expected) {
            assert!((measured - expected).abs() < 0.01, "{measured} is not {expected}");
        }
    }

    #[test]
    fn unassured_bandwidth_goes_to_the_class_with_the_lowest_share() {
        close(&shares(vec![class(0, 80, 0, 100), class(0, 10, 0, 100)], 0b11), &[0.80, 0.20]);
        close(&shares(vec![class(0, 0, 0, 100), class(0, 0, 0, 100)], 0b11), &[0.5, 0.5]);
        close(&shares(vec![class(0, 50, 0, 100), class(0, 0, 0, 100), class(0, 0, 0, 100)], 0b111), &[0.5, 0.25, 0.25]);
    }

    #[test]
    fn an_idle_class_lends_what_is_assured_and_keeps_what_is_reserved() {
        close(&shares(vec![class(0, 80, 0, 100), class(0, 10, 0, 100)], 0b10), &[0.0, 1.0]);
        close(&shares(vec![class(0, 80, 30, 100), class(0, 10, 0, 100)], 0b10), &[0.0, 0.7]);
        close(&shares(vec![class(0, 80, 30, 100), class(0, 10, 0, 100)], 0b11), &[0.80, 0.20]);
    }

    #[test]
    fn a_ceiling_holds_on_an_idle_link() {
        close(&shares(vec![class(0, 0, 0, 30)], 0b1), &[0.3]);
        close(&shares(vec![class(0, 0, 0, 30), class(0, 0, 0, 100)], 0b11), &[0.3, 0.7]);
    }

    #[test]
    fn priority_counts_within_the_assured_share_only() {
        // A latency class of the highest priority and 5 % cannot starve the others.
        close(
            &shares(vec![class(7, 5, 0, 100), class(0, 45, 0, 100), class(0, 45, 0, 100)], 0b111),
            &[0.10, 0.45, 0.45],
        );
        // When both are below their share, it goes first.
        let set = ClassSet::new(vec![class(0, 50, 0, 100), class(7, 50, 0, 100)], 8).expect("legal");
        let schedule = ClassSchedule::new(&set, WINDOW);
        let (mut accounts, mut common) = (vec![Account::default(); 2], Common::default());
        assert_eq!(schedule.choose(WINDOW, 0b11, &mut accounts, &mut common), Choice::Class(1));
        assert_eq!(schedule.choose(WINDOW, 0b01, &mut accounts, &mut common), Choice::Class(0));
        assert_eq!(schedule.choose(WINDOW, 0, &mut accounts, &mut common), Choice::NoRequest);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn every_class_gets_its_assured_share_and_none_passes_its_ceiling(
            drawn in prop::collection::vec((0_u8..8, 0_u32..100, 0_u32..100, 0_u32..100), 1..8), asking in 1_u64..255
        ) {
            let mut left = 100;
            let classes: Vec<TrafficClass> = drawn.iter().map(|&(priority, assured, reserved, ceiling)| {
                let assured = assured.min(left);
                left -= assured;
                class(priority, assured, reserved.min(assured.min(12)), ceiling.max(assured).max(1))
            }).collect();
            let asking = asking & ((1 << classes.len()) - 1);
            prop_assume!(asking != 0);
            let granted = shares(classes.clone(), asking);
            for (index, (class, share)) in classes.iter().zip(&granted).enumerate() {
                if asking >> index & 1 == 1 {
                    let assured = f64::from(class.assured_percent) / 100.0;
                    prop_assert!(*share >= assured - 0.03, "{index}: {share} of {assured} in {granted:?}");
                }
                prop_assert!(*share <= f64::from(class.ceiling_percent) / 100.0 + 0.03, "{index}: {share} in {granted:?}");
            }
            let reserved: u32 = classes.iter().enumerate().filter(|(index, _)| asking >> index & 1 == 0)
                .map(|(_, class)| class.reserved_percent).sum();
            prop_assert!(granted.iter().sum::<f64>() <= 1.03 - f64::from(reserved) / 100.0, "{granted:?}");
        }
    }
}
