//! The clocks of the manager, and the process's use of processor time and memory.
//!
//! Tests set both clocks, so that what ends by them is tested in simulated time.

use std::fs;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

pub use philae_manager_api::{now_micros, utc};

/// A wall clock that differs this much from the steady one counts as a jump, seconds.
///
/// Source: ours; far more than what is set right by small steps. Status: assumed.
const JUMP_S: u64 = 10;

/// The source of unix time: the wall clock at the start, and from then on a clock that never jumps;
/// or a fixed time for tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnixClock {
    set: Option<u64>,
    /// The wall clock's time, if a test sets that too.
    wall: Option<u64>,
    /// Wall clock and steady clock when they last agreed, microseconds.
    agreed: Option<(u64, u64)>,
}

/// Microseconds since the machine's start, asleep or awake.
fn steady_micros() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    let (seconds, nanos) = (u64::try_from(time.tv_sec).unwrap_or(0), u64::try_from(time.tv_nsec).unwrap_or(0));
    seconds * 1_000_000 + nanos / 1_000
}

fn wall_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

impl UnixClock {
    /// Begins with the present wall clock, and does not follow its jumps.
    #[must_use]
    pub fn steady() -> Self {
        Self { agreed: Some((now_micros(), steady_micros())), ..Self::default() }
    }

    /// Stands at a fixed time.
    #[must_use]
    pub const fn at(seconds: u64) -> Self {
        Self { set: Some(seconds), wall: None, agreed: None }
    }

    /// The same, with a wall clock that stands at another time.
    #[must_use]
    pub const fn beside(self, wall: u64) -> Self {
        Self { wall: Some(wall), ..self }
    }

    /// Seconds since 1970. They follow the steady clock, whatever the wall clock does.
    #[must_use]
    pub fn seconds(self) -> u64 {
        self.micros() / 1_000_000
    }

    /// The same in microseconds.
    #[must_use]
    pub fn micros(self) -> u64 {
        match (self.set, self.agreed) {
            (Some(seconds), _) => seconds * 1_000_000,
            (None, Some((wall, steady))) => wall + steady_micros().saturating_sub(steady),
            (None, None) => now_micros(),
        }
    }

    /// How far the wall clock has jumped, seconds; `None` while it agrees with the steady clock.
    #[must_use]
    pub fn jump(self) -> Option<i64> {
        let wall = match (self.wall, self.set) {
            (Some(wall), _) => wall,
            (None, Some(_)) => return None,
            (None, None) => wall_seconds(),
        };
        let off = wall.abs_diff(self.seconds());
        let signed = i64::try_from(off).unwrap_or(i64::MAX);
        (off > JUMP_S).then_some(if wall < self.seconds() { -signed } else { signed })
    }

    /// Accepts the present wall clock as right.
    pub fn accept(&mut self) {
        *self = match (self.set, self.wall) {
            (Some(set), wall) => Self::at(wall.unwrap_or(set)),
            (None, _) => Self::steady(),
        };
    }
}

/// The clock of the control loop: time since the manager began. It follows the machine's steady
/// clock; or it stands, and tests move it.
#[derive(Clone, Copy, Debug)]
pub enum LoopClock {
    /// It began at this instant.
    Steady(Instant),
    /// It stands at this time.
    Simulated(Duration),
}

impl Default for LoopClock {
    fn default() -> Self {
        Self::Steady(Instant::now())
    }
}

impl LoopClock {
    /// Milliseconds since the manager began.
    #[must_use]
    pub fn now_ms(self) -> u64 {
        match self {
            Self::Steady(began) => began.elapsed().as_millis() as u64,
            Self::Simulated(now) => now.as_millis() as u64,
        }
    }

    /// Whether it stands until a test moves it.
    #[must_use]
    pub const fn is_simulated(self) -> bool {
        matches!(self, Self::Simulated(_))
    }

    /// Moves it forward. From then on it stands.
    pub fn advance(&mut self, by: Duration) {
        let now = match self {
            Self::Steady(began) => began.elapsed(),
            Self::Simulated(now) => *now,
        };
        *self = Self::Simulated(now + by);
    }
}

/// Processor time and memory of this process.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Processor time since the process began, seconds.
    pub cpu_seconds: f64,
    /// The most memory that it has had, bytes.
    pub peak_bytes: u64,
    /// The memory that it has, bytes.
    pub bytes: u64,
}

impl Usage {
    /// The kernel's figures; zero if it has none.
    #[must_use]
    pub fn now() -> Self {
        let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
        // After the name in parentheses: state, then ten numbers, then user and system time in
        // hundredths of a second.
        let after = stat.rsplit(')').next().unwrap_or_default();
        let numbers: Vec<u64> = after.split_whitespace().skip(1).map(|word| word.parse().unwrap_or(0)).collect();
        let ticks = numbers.get(10).unwrap_or(&0) + numbers.get(11).unwrap_or(&0);
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let kib = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0_u64)
        };
        Self { cpu_seconds: ticks as f64 / 100.0, peak_bytes: kib("VmHWM:") * 1024, bytes: kib("VmRSS:") * 1024 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wall_clock_that_jumps_is_noticed_and_does_not_move_the_time() {
        let clock = UnixClock::at(1_000_000);
        assert_eq!((clock.seconds(), clock.jump()), (1_000_000, None));
        let ahead = clock.beside(1_007_200);
        assert_eq!((ahead.seconds(), ahead.jump()), (1_000_000, Some(7_200)));
        assert_eq!(clock.beside(999_000).jump(), Some(-1_000));
        assert_eq!(clock.beside(1_000_009).jump(), None, "small steps are no jump");
        let mut accepted = ahead;
        accepted.accept();
        assert_eq!((accepted.seconds(), accepted.jump()), (1_007_200, None));
        assert_eq!(clock.micros(), 1_000_000_000_000);
        let steady = UnixClock::steady();
        assert!(steady.seconds().abs_diff(wall_seconds()) < 5 && steady.jump().is_none());
        let off = UnixClock { agreed: Some((now_micros() + 7_200_000_000, steady_micros())), ..UnixClock::default() };
        assert!(off.jump().is_some_and(|jump| jump < -7_000) && off.seconds() > wall_seconds() + 7_000);
    }

    #[test]
    fn a_moved_clock_stands_and_goes_by_steps() {
        let mut clock = LoopClock::default();
        assert!(!clock.is_simulated());
        clock.advance(Duration::from_secs(3));
        let now = clock.now_ms();
        assert!(clock.is_simulated() && now >= 3_000);
        clock.advance(Duration::from_millis(250));
        assert_eq!(clock.now_ms(), now + 250);
    }
}
