//! Before the API: who asks, and whether too often.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Instant;

use philae_agent_link::TokenBucket;
use philae_intent::DocumentSet;

use crate::access::Actor;
use crate::tokens::{KnownToken, find};

/// How often somebody may ask. More is answered with 429 and the time to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rates {
    /// Requests a second of one token, or of one address without a token.
    pub requests_per_second: u32,
    /// Requests at once after a quiet time.
    pub requests_burst: u32,
    /// Wrong tokens a minute from one address.
    pub wrong_per_minute: u32,
    /// Callers that are told apart; the one that was quiet for longest is forgotten first.
    pub callers: usize,
}

impl Default for Rates {
    /// Source: ours. Status: assumed.
    fn default() -> Self {
        Self { requests_per_second: 2_000, requests_burst: 4_000, wrong_per_minute: 20, callers: 4_096 }
    }
}

/// Why a request is not looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The token is none that counts.
    WrongToken,
    /// Too many; seconds until the next one.
    TooMany(u64),
}

/// Buckets by who empties them, of bounded number.
#[derive(Debug)]
struct Buckets<K> {
    most: usize,
    per_second: u32,
    burst: u32,
    /// By caller: when it came last, and what it may still do.
    by: BTreeMap<K, (u64, TokenBucket)>,
}

impl<K: Ord + Clone> Buckets<K> {
    const fn new(most: usize, per_second: u32, burst: u32) -> Self {
        Self { most, per_second, burst, by: BTreeMap::new() }
    }

    /// Takes one; else milliseconds until there is one.
    fn take(&mut self, key: &K, now_ms: u64) -> Result<(), u64> {
        if !self.by.contains_key(key) {
            if self.by.len() >= self.most.max(1) {
                let quiet = self.by.iter().min_by_key(|(_, (last, _))| *last).map(|(key, _)| key.clone());
                quiet.and_then(|key| self.by.remove(&key));
            }
            self.by.insert(key.clone(), (now_ms, TokenBucket::new(self.per_second, self.burst)));
        }
        let (last, bucket) = self.by.get_mut(key).expect("it was just made");
        *last = now_ms;
        bucket.take(now_ms)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Caller {
    Token(String),
    Address(IpAddr),
}

/// Knows tokens and counts requests. Shared by all connections; holds nothing for long.
#[derive(Debug)]
pub struct Guard {
    known: RwLock<Arc<Vec<KnownToken>>>,
    requests: Mutex<Buckets<Caller>>,
    /// In units of a sixtieth: a bucket counts by the second.
    wrong: Mutex<Buckets<IpAddr>>,
    /// Seconds since 1970 of the last wrong tokens, the newest last; of bounded number.
    seen: Mutex<std::collections::VecDeque<(u64, IpAddr)>>,
    began: Instant,
}

/// Wrong tokens that are remembered for the status.
const SEEN_MOST: usize = 1_000;

/// Addresses of one network of IPv6 are one caller: whoever has one of them has all.
fn caller(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)))
        }
        other => other,
    }
}

impl Guard {
    /// Knows nobody yet.
    #[must_use]
    pub fn new(rates: Rates) -> Self {
        Self {
            known: RwLock::default(),
            requests: Mutex::new(Buckets::new(rates.callers, rates.requests_per_second, rates.requests_burst)),
            // Bucket's milliseconds are the guard's seconds divided by 60: see `wrong`.
            wrong: Mutex::new(Buckets::new(rates.callers, rates.wrong_per_minute, rates.wrong_per_minute)),
            seen: Mutex::default(),
            began: Instant::now(),
        }
    }

    /// Takes up the tokens that documents know.
    pub fn refresh(&self, set: &DocumentSet) {
        let known = Arc::new(KnownToken::all(set));
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = known;
    }

    /// Who asks: by the value of the header `Authorization`, from an address.
    ///
    /// A token that is right always passes, however many wrong ones came from its address before: nobody locks others out. Guessing
    /// one of 2^256 is hopeless at any speed; the limit keeps the noise small.
    ///
    /// # Errors
    /// When the token is wrong, or somebody asks too often.
    pub fn admit(&self, header: Option<&str>, address: IpAddr, now: u64) -> Result<Actor, Refusal> {
        let here = address.to_canonical().is_loopback();
        let now_ms = self.began.elapsed().as_millis() as u64;
        let known = Arc::clone(&self.known.read().unwrap_or_else(PoisonError::into_inner));
        let (caller, actor) = match header {
            None => (Caller::Address(caller(address)), Actor::nobody(here)),
            Some(header) => {
                let bearer = header.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
                let token = bearer.and_then(|(_, text)| find(&known, text.trim())).filter(|token| !token.is_over(now));
                let Some(token) = token else { return Err(self.wrong(caller(address), now_ms, now)) };
                (Caller::Token(token.name().to_owned()), token.actor(here))
            }
        };
        let taken = self.requests.lock().unwrap_or_else(PoisonError::into_inner).take(&caller, now_ms);
        taken.map(|()| actor).map_err(|ms| Refusal::TooMany(ms.div_ceil(1_000)))
    }

    fn wrong(&self, address: IpAddr, now_ms: u64, now: u64) -> Refusal {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() >= SEEN_MOST {
            seen.pop_front();
        }
        seen.push_back((now, address));
        drop(seen);
        // The bucket is filled by the minute: its clock goes sixty times slower.
        match self.wrong.lock().unwrap_or_else(PoisonError::into_inner).take(&address, now_ms / 60) {
            Ok(()) => Refusal::WrongToken,
            Err(slow_ms) => Refusal::TooMany((slow_ms * 60).div_ceil(1_000)),
        }
    }

    /// Wrong tokens since a time, and where the last one came from. Counts up to a thousand.
    #[must_use]
    pub fn wrong_since(&self, since: u64) -> (usize, Option<IpAddr>) {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let recent = seen.iter().rev().take_while(|(at, _)| *at >= since);
        (recent.clone().count(), recent.map(|(_, address)| *address).next())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn address(number: u32) -> IpAddr {
        IpAddr::V4(std::net::Ipv4Addr::from_bits(number))
    }

    #[test]
    fn wrong_tokens_are_refused_and_then_too_many() {
        let guard = Guard::new(Rates { wrong_per_minute: 3, ..Rates::default() });
        for _ in 0..3 {
            assert_eq!(guard.admit(Some("Bearer guess"), HERE, 100), Err(Refusal::WrongToken));
        }
        let Err(Refusal::TooMany(seconds)) = guard.admit(Some("Bearer guess"), HERE, 100) else { panic!("too many") };
        assert!((1..=21).contains(&seconds), "a third of a minute for each: {seconds}");
        assert!(guard.admit(None, HERE, 100).is_ok(), "who shows no token is nobody, and not wrong");
        assert_eq!(guard.admit(Some("Basic guess"), address(7), 100), Err(Refusal::WrongToken));
        assert_eq!(guard.wrong_since(100), (5, Some(address(7))));
        assert_eq!(guard.wrong_since(101), (0, None));
    }

    #[test]
    fn what_is_kept_of_callers_is_bounded() {
        let guard = Guard::new(Rates { callers: 10, ..Rates::default() });
        for number in 0..10_000 {
            assert!(guard.admit(None, address(number), 100).is_ok());
            let _ = guard.admit(Some("Bearer guess"), address(number), 100);
        }
        assert_eq!(guard.requests.lock().expect("no panic").by.len(), 10);
        assert_eq!(guard.wrong.lock().expect("no panic").by.len(), 10);
        assert!(guard.wrong_since(0).0 <= SEEN_MOST);
    }

    #[test]
    fn one_who_asks_too_often_holds_up_nobody_else() {
        let guard = Guard::new(Rates { requests_per_second: 1, requests_burst: 5, ..Rates::default() });
        let refused = (0..10).filter(|_| guard.admit(None, address(1), 100).is_err()).count();
        assert!(refused >= 4, "{refused}");
        assert!(guard.admit(None, address(2), 100).is_ok());
        assert_eq!(caller("2001:db8::1".parse().expect("legal")), caller("2001:db8::ffff".parse().expect("legal")));
        assert_ne!(caller("2001:db8:0:1::1".parse().expect("legal")), caller("2001:db8::1".parse().expect("legal")));
    }
}
