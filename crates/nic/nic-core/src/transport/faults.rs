//! A wire that loses, duplicates, delays, reorders and damages datagrams. The same seed gives the
//! same faults.

use std::collections::BTreeMap;
use std::str::FromStr;

use philae_engine::RandomStream;

use super::NicAddress;

/// The denominator of probabilities.
const MILLION: u64 = 1_000_000;
/// The greatest extra delay of a datagram that others overtake, in nanoseconds. Source: ours.
/// Status: assumed.
const OVERTAKEN_NS: u64 = 200_000;
/// Greatest jitter and delay, in nanoseconds. Source: ours. Status: assumed.
const DELAY_MAX_NS: u64 = 10_000_000_000;

/// The faults of a wire. Probabilities are parts per million; times are nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultSpec {
    /// The seed of all draws.
    pub seed: u64,
    /// Lost.
    pub drop_ppm: u32,
    /// Duplicated.
    pub duplicate_ppm: u32,
    /// Overtaken by later datagrams.
    pub reorder_ppm: u32,
    /// One byte changed.
    pub corrupt_ppm: u32,
    /// Marked by the network with congestion experienced, if the driver can see the mark.
    pub mark_ppm: u32,
    /// The delay of every datagram.
    pub delay_ns: u64,
    /// Greatest additional delay, drawn for each datagram.
    pub jitter_ns: u64,
    /// The time after the first datagram from which every datagram is lost.
    pub cut_ns: Option<u64>,
}

/// The text is not a fault specification.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "faults `{text}`: {problem}; wanted is a list such as `seed=1,drop=1%,dup=1%,reorder=1%,jitter=10ms,delay=1ms,corrupt=0.1%,mark=1%,cut=5s`"
)]
pub struct FaultSpecError {
    /// The whole text.
    pub text: String,
    pub problem: String,
}

impl FromStr for FaultSpec {
    type Err = FaultSpecError;

    fn from_str(text: &str) -> Result<Self, FaultSpecError> {
        let error = |problem| FaultSpecError { text: text.to_owned(), problem };
        let mut spec = Self::default();
        let mut seen = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, value) =
                part.split_once('=').ok_or_else(|| error(format!("`{part}` is not of the form name=value")))?;
            if seen.contains(&name) {
                return Err(error(format!("`{name}` is given twice")));
            }
            seen.push(name);
            let ppm =
                || share(value).ok_or_else(|| error(format!("`{value}` of `{name}` is not a share from 0% to 100%")));
            let time = || {
                time_ns(value)
                    .ok_or_else(|| error(format!("`{value}` of `{name}` is not a time such as 10ms, up to 10s")))
            };
            match name {
                "seed" => spec.seed = value.parse().map_err(|_| error(format!("seed `{value}` is not a number")))?,
                "drop" => spec.drop_ppm = ppm()?,
                "dup" => spec.duplicate_ppm = ppm()?,
                "reorder" => spec.reorder_ppm = ppm()?,
                "corrupt" => spec.corrupt_ppm = ppm()?,
                "mark" => spec.mark_ppm = ppm()?,
                "jitter" => spec.jitter_ns = time()?,
                "delay" => spec.delay_ns = time()?,
                "cut" => {
                    let (number, unit) = decimal(value);
                    let cut = number.and_then(|number| scale(number, unit));
                    spec.cut_ns =
                        Some(cut.ok_or_else(|| error(format!("`{value}` of `cut` is not a time such as 5s")))?);
                }
                _ => return Err(error(format!("`{name}` is not known"))),
            }
        }
        Ok(spec)
    }
}

/// The number at the beginning of a text, in millionths, and the rest of the text.
fn decimal(text: &str) -> (Option<u64>, &str) {
    let split = text.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    if part.is_empty() || part.len() > 6 {
        return (None, unit);
    }
    let part = part.parse::<u64>().ok().map(|parsed| parsed * 10_u64.pow(6 - part.len() as u32));
    let whole = whole.parse::<u64>().ok().and_then(|whole| whole.checked_mul(MILLION));
    (whole.zip(part).and_then(|(whole, part)| whole.checked_add(part)), unit)
}

/// A share in parts per million: `1%` or `0.01`.
fn share(text: &str) -> Option<u32> {
    let (number, unit) = decimal(text);
    let millionths = match unit {
        "" => number?,
        "%" => number? / 100,
        _ => return None,
    };
    u32::try_from(millionths).ok().filter(|share| u64::from(*share) <= MILLION)
}

fn scale(millionths: u64, unit: &str) -> Option<u64> {
    let unit_ns: u64 = match unit {
        "ns" => 1,
        "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        _ => return None,
    };
    millionths.checked_mul(unit_ns).map(|time| time / MILLION)
}

fn time_ns(text: &str) -> Option<u64> {
    let (number, unit) = decimal(text);
    scale(number?, unit).filter(|time| *time <= DELAY_MAX_NS)
}

/// A datagram in flight.
#[derive(Clone, Debug, PartialEq, Eq)]
struct InFlight {
    to: NicAddress,
    bytes: Vec<u8>,
    is_marked: bool,
}

/// A faulty wire. A datagram that is put in comes out, late, or damaged, or twice, or not at all.
#[derive(Clone, Debug)]
pub struct FaultyWire {
    spec: FaultSpec,
    draws: RandomStream,
    began: Option<u64>,
    /// By arrival time, and then in the order in which they were put in.
    in_flight: BTreeMap<(u64, u64), InFlight>,
    count: u64,
    lost: u64,
}

impl FaultyWire {
    /// A wire with the faults of the specification.
    #[must_use]
    pub const fn new(spec: FaultSpec) -> Self {
        let draws = RandomStream::new(spec.seed, 0, 0);
        Self { spec, draws, began: None, in_flight: BTreeMap::new(), count: 0, lost: 0 }
    }

    fn happens(&mut self, ppm: u32) -> bool {
        ppm > 0 && u64::from(self.draws.below(MILLION as u32)) < u64::from(ppm)
    }

    fn up_to(&mut self, most: u64) -> u64 {
        if most == 0 { 0 } else { self.draws.next_u64() % (most + 1) }
    }

    /// Puts a datagram in.
    pub fn put(&mut self, now: u64, to: &NicAddress, bytes: &[u8]) {
        let began = *self.began.get_or_insert(now);
        let is_cut = self.spec.cut_ns.is_some_and(|cut| now - began >= cut);
        if is_cut || self.happens(self.spec.drop_ppm) {
            self.lost += 1;
            return;
        }
        let copies = 1 + u64::from(self.happens(self.spec.duplicate_ppm));
        for _ in 0..copies {
            let mut bytes = bytes.to_vec();
            if self.happens(self.spec.corrupt_ppm) && !bytes.is_empty() {
                let at = self.up_to(bytes.len() as u64 - 1) as usize;
                bytes[at] ^= 1 + self.draws.below(255) as u8;
            }
            let is_marked = self.happens(self.spec.mark_ppm);
            let mut at = now + self.spec.delay_ns + self.up_to(self.spec.jitter_ns);
            if self.happens(self.spec.reorder_ppm) {
                at += 1 + self.up_to(OVERTAKEN_NS);
            }
            self.in_flight.insert((at, self.count), InFlight { to: *to, bytes, is_marked });
            self.count += 1;
        }
    }

    /// Takes out the next datagram that has arrived: its destination, its bytes, and whether it was
    /// marked.
    pub fn take(&mut self, now: u64) -> Option<(NicAddress, Vec<u8>, bool)> {
        let first = self.in_flight.first_entry().filter(|entry| entry.key().0 <= now)?;
        let InFlight { to, bytes, is_marked } = first.remove();
        Some((to, bytes, is_marked))
    }

    /// When the next datagram arrives.
    #[must_use]
    pub fn next(&self) -> Option<u64> {
        self.in_flight.keys().next().map(|(at, _)| *at)
    }

    /// Datagrams lost so far.
    #[must_use]
    pub const fn lost(&self) -> u64 {
        self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_specification_is_read_and_a_wrong_one_says_why() {
        let text = "seed=7, drop=1%,dup=0.02,reorder=0.5%,jitter=10ms,delay=1.5us,corrupt=0.1%,mark=100%,cut=5s";
        let spec = FaultSpec {
            seed: 7,
            drop_ppm: 10_000,
            duplicate_ppm: 20_000,
            reorder_ppm: 5_000,
            corrupt_ppm: 1_000,
            mark_ppm: 1_000_000,
            delay_ns: 1_500,
            jitter_ns: 10_000_000,
            cut_ns: Some(5_000_000_000),
        };
        assert_eq!(text.parse(), Ok(spec));
        assert_eq!("".parse(), Ok(FaultSpec::default()));
        for (wrong, problem) in [
            ("drop", "`drop` is not of the form name=value"),
            ("drop=101%", "`101%` of `drop` is not a share from 0% to 100%"),
            ("drop=1%%", "`1%%` of `drop` is not a share from 0% to 100%"),
            ("drop=-1%", "`-1%` of `drop` is not a share from 0% to 100%"),
            ("jitter=10", "`10` of `jitter` is not a time such as 10ms, up to 10s"),
            ("jitter=11s", "`11s` of `jitter` is not a time such as 10ms, up to 10s"),
            ("cut=soon", "`soon` of `cut` is not a time such as 5s"),
            ("seed=x", "seed `x` is not a number"),
            ("drop=1%,drop=2%", "`drop` is given twice"),
            ("loss=1%", "`loss` is not known"),
        ] {
            let error = wrong.parse::<FaultSpec>().expect_err("wrong");
            assert_eq!(error.problem, problem);
            assert!(error.to_string().contains("seed=1,drop=1%"));
        }
    }

    fn passed(text: &str, count: u64) -> (Vec<(u64, Vec<u8>, bool)>, u64) {
        let mut faults = FaultyWire::new(text.parse().expect("a specification"));
        (0..count).for_each(|number| faults.put(number * 1_000, &NicAddress::default(), &number.to_be_bytes()));
        let mut out = Vec::new();
        while let Some(at) = faults.next() {
            let (_, bytes, is_marked) = faults.take(at).expect("it is time");
            out.push((at, bytes, is_marked));
        }
        (out, faults.lost())
    }

    #[test]
    fn each_fault_does_what_it_says_and_as_often() {
        let (clean, lost) = passed("seed=1", 1_000);
        let in_order = |out: &[(u64, Vec<u8>, bool)]| out.windows(2).all(|pair| pair[0].1 <= pair[1].1);
        assert!(lost == 0 && clean.len() == 1_000 && in_order(&clean));
        assert!(
            clean
                .iter()
                .all(|(at, bytes, marked)| at / 1_000 == u64::from(bytes[7]) + 256 * u64::from(bytes[6]) && !marked)
        );
        let (out, lost) = passed("drop=10%", 10_000);
        assert!((900..1_100).contains(&lost) && out.len() as u64 == 10_000 - lost);
        assert!((10_900..11_100).contains(&passed("dup=10%", 10_000).0.len()));
        assert!(!in_order(&passed("reorder=10%", 1_000).0) && !in_order(&passed("jitter=10ms", 1_000).0));
        assert!(passed("delay=3ms", 10).0.iter().zip(0..).all(|((at, ..), number)| *at == 3_000_000 + number * 1_000));
        let changed = passed("corrupt=10%", 10_000)
            .0
            .iter()
            .zip(0_u64..)
            .filter(|((_, bytes, _), number)| bytes[..] != number.to_be_bytes())
            .count();
        assert!((900..1_100).contains(&changed));
        assert_eq!(passed("mark=100%", 10).0.iter().filter(|(_, _, marked)| *marked).count(), 10);
        assert_eq!(passed("cut=5us", 10).1, 5);
        assert_eq!(passed("seed=1,drop=10%", 100), passed("seed=1,drop=10%", 100));
        assert_ne!(passed("seed=1,drop=10%", 100), passed("seed=2,drop=10%", 100));
    }
}
