//! Authentication and rate limits, before the API.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Instant;

use philae_agent_rpc::TokenBucket;
use philae_policy::DocumentSet;
use ring::rand::{SecureRandom, SystemRandom};
use subtle::ConstantTimeEq;

use crate::access::{Actor, CredentialKind, RoleGrant, certificates_of};
use crate::clock::UnixClock;
use crate::digest::code_hex;
use crate::server::credential::{Credential, RequestCredentials, certificate_subject};
use crate::tokens::{KnownToken, find};

/// Rate limits. Requests above them get 429 and the time to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimits {
    /// Requests a second of one token, or of one address without a token.
    pub requests_per_second: u32,
    /// Requests together after a quiet time.
    pub requests_burst: u32,
    /// Wrong tokens a minute from one address.
    pub wrong_per_minute: u32,
    /// Number of callers with limits of their own; the one that was quiet for longest is forgotten
    /// first.
    pub callers: usize,
}

impl Default for RateLimits {
    /// Source: ours. Status: assumed.
    fn default() -> Self {
        Self { requests_per_second: 2_000, requests_burst: 4_000, wrong_per_minute: 20, callers: 4_096 }
    }
}

/// Why a request is refused before it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestRefusal {
    /// The token is not valid.
    WrongToken,
    /// Too many requests; seconds until the next one is allowed.
    TooMany(u64),
}

/// Rate limits by caller, of bounded number.
#[derive(Debug)]
struct Buckets<K> {
    most: usize,
    per_second: u32,
    burst: u32,
    /// By caller: its last request, and its bucket.
    by: BTreeMap<K, (u64, TokenBucket)>,
}

impl<K: Ord + Clone> Buckets<K> {
    const fn new(most: usize, per_second: u32, burst: u32) -> Self {
        Self { most, per_second, burst, by: BTreeMap::new() }
    }

    /// Takes a token of the bucket; if there is none, the milliseconds until the next one.
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

/// The prefix of short-lived tokens.
const SHORT_PREFIX: &str = "philae-short-";

/// The key of short-lived tokens. It is never shown.
#[derive(Clone, Copy)]
struct ShortKey([u8; 32]);

impl std::fmt::Debug for ShortKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ShortKey(..)")
    }
}

/// The known credentials.
#[derive(Debug, Default)]
struct Known {
    tokens: Vec<KnownToken>,
    /// Roles of certificates, by the subject in role bindings.
    certificates: BTreeMap<String, Vec<RoleGrant>>,
}

/// Knows tokens and counts requests. All connections share it; it holds its locks only briefly.
#[derive(Debug)]
pub struct Guard {
    known: RwLock<Arc<Known>>,
    /// The key of short-lived tokens, which end with the process; `None` if the system gives no
    /// random numbers.
    key: Option<ShortKey>,
    requests: Mutex<Buckets<Caller>>,
    /// Its clock is sixty times slower, because buckets count by the second and this limit by the
    /// minute.
    wrong: Mutex<Buckets<IpAddr>>,
    /// The times of the last wrong tokens, seconds since 1970, oldest first; of bounded number.
    seen: Mutex<std::collections::VecDeque<(u64, IpAddr)>>,
    began: Instant,
    /// The clock by which tokens expire.
    clock: RwLock<UnixClock>,
}

/// Wrong tokens that are kept for the status.
const SEEN_MOST: usize = 1_000;

/// The caller of an address: all addresses of one IPv6 network (/64) are one caller, because the
/// owner of one has all of them.
pub(crate) fn caller(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)))
        }
        other => other,
    }
}

impl Guard {
    /// A guard that knows no tokens yet.
    #[must_use]
    pub fn new(rates: RateLimits) -> Self {
        let mut key = [0; 32];
        let is_random = SystemRandom::new().fill(&mut key).is_ok();
        Self {
            known: RwLock::default(),
            key: is_random.then_some(ShortKey(key)),
            requests: Mutex::new(Buckets::new(rates.callers, rates.requests_per_second, rates.requests_burst)),
            // The buckets' clock is the guard's, divided by 60: see `wrong`.
            wrong: Mutex::new(Buckets::new(rates.callers, rates.wrong_per_minute, rates.wrong_per_minute)),
            seen: Mutex::default(),
            began: Instant::now(),
            clock: RwLock::new(UnixClock::steady()),
        }
    }

    /// Sets another clock.
    pub fn set_clock(&self, clock: UnixClock) {
        *self.clock.write().unwrap_or_else(PoisonError::into_inner) = clock;
    }

    /// The time for the expiry of tokens, seconds since 1970.
    #[must_use]
    pub fn now(&self) -> u64 {
        self.clock.read().unwrap_or_else(PoisonError::into_inner).seconds()
    }

    /// Reads the tokens in documents.
    pub fn refresh(&self, set: &DocumentSet) {
        let known = Known { tokens: KnownToken::all(set), certificates: certificates_of(set) };
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(known);
    }

    fn known(&self) -> Arc<Known> {
        Arc::clone(&self.known.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn short_code(&self, token: &KnownToken, end: u64) -> Option<String> {
        // The code includes the token's hash, so it becomes invalid when that token is revoked or
        // replaced.
        Some(code_hex(&self.key?.0, &format!("short-token\n{end}\n{}\n{}", token.name(), token.hash())))
    }

    /// A short-lived token, made from the token of this name, and the seconds until it expires.
    /// `None` if that is not a lasting token.
    pub(crate) fn short_token(&self, name: &str, now: u64, seconds: u64) -> Option<(String, u64)> {
        let known = self.known();
        let token =
            known.tokens.iter().find(|token| token.name() == name && token.is_lasting() && !token.is_over(now))?;
        let end = token.not_after().map_or(now + seconds, |end| end.min(now + seconds));
        Some((format!("{SHORT_PREFIX}{end}-{}-{name}", self.short_code(token, end)?), end - now))
    }

    /// The token that a short-lived token was made from, if it is valid.
    fn of_short_token<'a>(&self, known: &'a Known, text: &str, now: u64) -> Option<&'a KnownToken> {
        let mut parts = text.strip_prefix(SHORT_PREFIX)?.splitn(3, '-');
        let (end, code, name) = (parts.next()?.parse().ok()?, parts.next()?, parts.next()?);
        let token = known.tokens.iter().find(|token| token.name() == name)?;
        let right = self.short_code(token, end)?;
        (end > now && !token.is_over(now) && bool::from(right.as_bytes().ct_eq(code.as_bytes()))).then_some(token)
    }

    /// The actor with this secret, a token as the manager made it.
    ///
    /// # Errors
    /// When it is wrong, or too many wrong ones came from this address.
    pub(crate) fn of_secret(&self, secret: &str, address: IpAddr, now: u64) -> Result<Actor, RequestRefusal> {
        let known = self.known();
        let token = find(&known.tokens, secret).filter(|token| token.is_lasting() && !token.is_over(now));
        let here = address.to_canonical().is_loopback();
        token.map(|token| token.actor(here)).ok_or_else(|| self.wrong(caller(address), now))
    }

    fn now_ms(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    /// The actor of a request from an address.
    ///
    /// A right token always passes, no matter how many wrong ones came from its address before, so
    /// that no attacker can lock others out. Guessing one of 2^256 is hopeless at any speed; the
    /// limit keeps the noise small.
    ///
    /// # Errors
    /// When the token is wrong, or the caller sends too many requests.
    pub(crate) fn admit(
        &self,
        credentials: &RequestCredentials<'_>,
        address: IpAddr,
        now: u64,
    ) -> Result<Actor, RequestRefusal> {
        let here = address.to_canonical().is_loopback();
        let known = self.known();
        let actor = match credentials.read() {
            Credential::None => None,
            Credential::Unreadable => return Err(self.wrong(caller(address), now)),
            Credential::Certificate(name) => {
                let subject = certificate_subject(&name);
                let grants = known.certificates.get(&subject).cloned().unwrap_or_default();
                Some(Actor::known(subject, grants, here).by(CredentialKind::Certificate))
            }
            Credential::Token(text) => {
                let short = self.of_short_token(&known, &text, now).map(|token| (token, CredentialKind::ShortToken));
                let found = short.or_else(|| Some((find(&known.tokens, &text)?, CredentialKind::Token)));
                let found = found.filter(|(token, _)| !token.is_over(now));
                Some(
                    found
                        .map(|(token, shown)| token.actor(here).by(shown))
                        .ok_or_else(|| self.wrong(caller(address), now))?,
                )
            }
            Credential::Cookie(text) => {
                let token = self.of_short_token(&known, &text, now);
                // A browser keeps sending an expired cookie. Such a caller is unknown, and not an
                // attacker.
                token.map(|token| token.actor(here).by(CredentialKind::Cookie))
            }
        };
        let (caller, actor) = match actor {
            None => (Caller::Address(caller(address)), Actor::nobody(here)),
            Some(actor) => (Caller::Token(actor.name().to_owned()), actor),
        };
        let taken = self.requests.lock().unwrap_or_else(PoisonError::into_inner).take(&caller, self.now_ms());
        taken.map(|()| actor).map_err(|ms| RequestRefusal::TooMany(ms.div_ceil(1_000)))
    }

    fn wrong(&self, address: IpAddr, now: u64) -> RequestRefusal {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() >= SEEN_MOST {
            seen.pop_front();
        }
        seen.push_back((now, address));
        drop(seen);
        // The bucket is filled by the minute: its clock is sixty times slower.
        match self.wrong.lock().unwrap_or_else(PoisonError::into_inner).take(&address, self.now_ms() / 60) {
            Ok(()) => RequestRefusal::WrongToken,
            Err(slow_ms) => RequestRefusal::TooMany((slow_ms * 60).div_ceil(1_000)),
        }
    }

    /// The number of wrong tokens since a time, a thousand at most, and the address of the last
    /// one.
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

    fn bearer(header: &str) -> RequestCredentials<'_> {
        RequestCredentials { authorization: Some(header), ..RequestCredentials::default() }
    }

    #[test]
    fn wrong_tokens_are_refused_and_then_too_many() {
        let guard = Guard::new(RateLimits { wrong_per_minute: 3, ..RateLimits::default() });
        for _ in 0..3 {
            assert_eq!(guard.admit(&bearer("Bearer guess"), HERE, 100), Err(RequestRefusal::WrongToken));
        }
        let Err(RequestRefusal::TooMany(seconds)) = guard.admit(&bearer("Bearer guess"), HERE, 100) else {
            panic!("too many")
        };
        assert!((1..=21).contains(&seconds), "a third of a minute for each: {seconds}");
        assert!(
            guard.admit(&RequestCredentials::default(), HERE, 100).is_ok(),
            "who shows no token is nobody, and not wrong"
        );
        assert_eq!(guard.admit(&bearer("Basic guess"), address(7), 100), Err(RequestRefusal::WrongToken));
        assert_eq!(guard.wrong_since(100), (5, Some(address(7))));
        assert_eq!(guard.wrong_since(101), (0, None));
    }

    #[test]
    fn what_is_kept_of_callers_is_bounded() {
        let guard = Guard::new(RateLimits { callers: 10, ..RateLimits::default() });
        for number in 0..10_000 {
            assert!(guard.admit(&RequestCredentials::default(), address(number), 100).is_ok());
            let _ = guard.admit(&bearer("Bearer guess"), address(number), 100);
        }
        assert_eq!(guard.requests.lock().expect("no panic").by.len(), 10);
        assert_eq!(guard.wrong.lock().expect("no panic").by.len(), 10);
        assert!(guard.wrong_since(0).0 <= SEEN_MOST);
    }

    #[test]
    fn one_who_asks_too_often_holds_up_nobody_else() {
        let guard = Guard::new(RateLimits { requests_per_second: 1, requests_burst: 5, ..RateLimits::default() });
        let refused = (0..10).filter(|_| guard.admit(&RequestCredentials::default(), address(1), 100).is_err()).count();
        assert!(refused >= 4, "{refused}");
        assert!(guard.admit(&RequestCredentials::default(), address(2), 100).is_ok());
        assert_eq!(caller("2001:db8::1".parse().expect("legal")), caller("2001:db8::ffff".parse().expect("legal")));
        assert_ne!(caller("2001:db8:0:1::1".parse().expect("legal")), caller("2001:db8::1".parse().expect("legal")));
    }
}
