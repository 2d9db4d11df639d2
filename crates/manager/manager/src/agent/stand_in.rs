//! Simulated switches, of which some misbehave as the seed decides.

use std::time::{Duration, Instant};

use philae_agent::{FromAgent, SimulatedFabric, SwitchFault, ToAgent, UpgradeFault};
use philae_agent_rpc::Driven;
use philae_engine::RandomStream;
use philae_units::{PortIndex, SwitchId};

/// Failures and faulty behaviour of switches, all drawn from the seed.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct StandInFaults {
    /// Seed of all failures.
    #[arg(long, default_value_t = 1, value_name = "NUMBER", value_parser = philae_console::whole::<u64>(0, u64::MAX))]
    seed: u64,
    /// Largest extra delay of messages, milliseconds.
    #[arg(long, default_value_t = 0, value_name = "NUMBER", value_parser = philae_console::whole::<u32>(0, u32::MAX.into()))]
    latency_ms: u32,
    /// Links lost per minute; each returns within ten seconds.
    #[arg(long, default_value_t = 0, value_name = "NUMBER", value_parser = philae_console::whole::<u32>(0, u32::MAX.into()))]
    losses: u32,
    /// Switches that restart per minute.
    #[arg(long, default_value_t = 0, value_name = "NUMBER", value_parser = philae_console::whole::<u32>(0, u32::MAX.into()))]
    reboots: u32,
    /// Connections that break per minute.
    #[arg(long, default_value_t = 0, value_name = "NUMBER", value_parser = philae_console::whole::<u32>(0, u32::MAX.into()))]
    breaks: u32,
    /// Percent of switches that falsely report success.
    #[arg(long, default_value_t = 0, value_parser = philae_console::whole::<u32>(0, 100), value_name = "PERCENT")]
    lying: u32,
    /// Percent of switches that refuse every change.
    #[arg(long, default_value_t = 0, value_parser = philae_console::whole::<u32>(0, 100), value_name = "PERCENT")]
    refusing: u32,
    /// Percent of switches that do not answer their agents.
    #[arg(long, default_value_t = 0, value_parser = philae_console::whole::<u32>(0, 100), value_name = "PERCENT")]
    silent: u32,
    /// Percent of switches that take five seconds for each message.
    #[arg(long, default_value_t = 0, value_parser = philae_console::whole::<u32>(0, 100), value_name = "PERCENT")]
    slow: u32,
    /// Percent of switches that restart with their old firmware after an upgrade.
    #[arg(long, default_value_t = 0, value_parser = philae_console::whole::<u32>(0, 100), value_name = "PERCENT")]
    upgrade_failing: u32,
    /// Percent of switches that falsely report the new firmware.
    #[arg(long, default_value_t = 0, value_parser = philae_console::whole::<u32>(0, 100), value_name = "PERCENT")]
    upgrade_lying: u32,
    /// Duration of a firmware upgrade, milliseconds; the restart takes half of it in addition.
    #[arg(long, default_value_t = 2_000, value_parser = philae_console::whole::<u64>(1, 86_400_000), value_name = "NUMBER")]
    upgrade_ms: u64,
}

/// Time that a slow switch takes for a message: longer than a manager waits.
const SLOW: Duration = Duration::from_secs(5);

/// Longest time until a lost link comes back, milliseconds.
const LOST_MOST_MS: u32 = 10_000;

/// How long a broken connection stays broken.
const BROKEN: Duration = Duration::from_millis(200);

/// Streams of random numbers, by their use.
const LATENCY: u64 = 1;
const MISFORTUNE: u64 = 2;
const CHARACTER: u64 = 3;

/// The simulated switches of one agent process.
#[derive(Debug)]
pub struct StandIn {
    fabric: SimulatedFabric,
    switches: Vec<SwitchId>,
    /// By switch of the fabric: its index in `switches`.
    places: Vec<Option<usize>>,
    faults: StandInFaults,
    slow: Vec<bool>,
    /// Until when each connection is broken.
    broken: Vec<Option<Instant>>,
    lost: Vec<(Instant, PortIndex)>,
    latency: RandomStream,
    misfortune: RandomStream,
    last: Instant,
    /// The agents' clock at the last message, and when that was.
    clock: (u64, Instant),
    /// Failures of each kind that are due, in millionths.
    due: [u64; 3],
}

impl StandIn {
    /// These switches of a fabric.
    pub fn new(mut fabric: SimulatedFabric, switches: Vec<SwitchId>, faults: StandInFaults) -> Self {
        let mut places = vec![None; fabric.wiring().switch_count()];
        let mut slow = vec![false; switches.len()];
        for (place, switch) in switches.iter().enumerate() {
            places[switch.index()] = Some(place);
            let mut character = RandomStream::new(faults.seed, u64::from(switch.0), CHARACTER);
            let mut is = |percent: u32| character.below(100) < percent;
            let (lying, refusing, silent) = (is(faults.lying), is(faults.refusing), is(faults.silent));
            slow[place] = is(faults.slow);
            fabric.agent_mut(*switch).switch_mut().fault = match (lying, refusing, silent) {
                (true, ..) => SwitchFault::Ignores,
                (_, true, _) => SwitchFault::Refuses,
                (.., true) => SwitchFault::Silent,
                _ => SwitchFault::None,
            };
            let upgrade = match (is(faults.upgrade_failing), is(faults.upgrade_lying)) {
                (true, _) => UpgradeFault::Stays,
                (_, true) => UpgradeFault::Claims,
                _ => UpgradeFault::None,
            };
            if upgrade != UpgradeFault::None {
                fabric.agent_mut(*switch).switch_mut().flash.get_or_insert_default().fault = upgrade;
            }
        }
        fabric.set_upgrade_times(Some(faults.upgrade_ms), Some(faults.upgrade_ms / 2));
        Self {
            broken: vec![None; switches.len()],
            fabric,
            switches,
            places,
            faults,
            slow,
            lost: Vec::new(),
            latency: RandomStream::new(faults.seed, 0, LATENCY),
            misfortune: RandomStream::new(faults.seed, 0, MISFORTUNE),
            last: Instant::now(),
            clock: (0, Instant::now()),
            due: [0; 3],
        }
    }

    /// The fabric, to cause failures in it.
    pub const fn fabric_mut(&mut self) -> &mut SimulatedFabric {
        &mut self.fabric
    }

    /// Causes the failures that are due. Returns whether there were any.
    pub fn misfortune(&mut self) -> bool {
        let passed = self.last.elapsed();
        self.last = Instant::now();
        let mut happened = self.come_back();
        let now_ms = self.clock.0 + self.clock.1.elapsed().as_millis() as u64;
        if self.fabric.next_upgrade_ms().is_some_and(|at| at <= now_ms) {
            happened = true;
            for switch in self.fabric.go_on_with_upgrades(now_ms) {
                self.break_off(switch);
            }
        }
        let rates = [self.faults.losses, self.faults.reboots, self.faults.breaks];
        for (sort, rate) in rates.into_iter().enumerate() {
            self.due[sort] += passed.as_micros() as u64 * u64::from(rate) / 60;
            while self.due[sort] >= 1_000_000 {
                self.due[sort] -= 1_000_000;
                happened = true;
                match sort {
                    0 => self.lose_a_link(),
                    1 => {
                        let switch = self.any_switch();
                        self.fabric.set_power(switch, false);
                        self.fabric.set_power(switch, true);
                        self.break_off(switch);
                    }
                    _ => {
                        let switch = self.any_switch();
                        self.break_off(switch);
                    }
                }
            }
        }
        happened
    }

    fn any_switch(&mut self) -> SwitchId {
        self.switches[self.misfortune.below(self.switches.len() as u32) as usize]
    }

    fn break_off(&mut self, switch: SwitchId) {
        if let Some(place) = self.places[switch.index()] {
            self.broken[place] = Some(Instant::now() + BROKEN);
        }
    }

    fn lose_a_link(&mut self) {
        let switch = self.any_switch();
        let number = self.misfortune.below(self.fabric.wiring().radix() as u32) as u8;
        let after = Duration::from_millis(u64::from(self.misfortune.below(LOST_MOST_MS)));
        let port = self.fabric.wiring().port(switch, philae_units::PortId(number));
        if self.fabric.wiring().peer(port).is_some() {
            self.fabric.set_link(port, false);
            self.lost.push((Instant::now() + after, port));
        }
    }

    fn come_back(&mut self) -> bool {
        let now = Instant::now();
        let (back, lost): (Vec<_>, Vec<_>) = self.lost.drain(..).partition(|(at, _)| *at <= now);
        self.lost = lost;
        for (_, port) in &back {
            self.fabric.set_link(*port, true);
        }
        !back.is_empty()
    }
}

impl Driven for StandIn {
    fn count(&self) -> usize {
        self.switches.len()
    }

    fn is_on(&self, index: usize) -> bool {
        self.fabric.is_powered(self.switches[index]) && self.broken[index].is_none_or(|until| until <= Instant::now())
    }

    fn connected(&mut self, index: usize, now_ms: u64) -> FromAgent {
        self.fabric.agent_mut(self.switches[index]).connected(now_ms)
    }

    fn disconnected(&mut self, index: usize) {
        self.fabric.agent_mut(self.switches[index]).disconnected();
    }

    fn poll(&mut self, index: usize, now_ms: u64) -> Vec<FromAgent> {
        self.fabric.agent_mut(self.switches[index]).poll(now_ms)
    }

    fn handle(&mut self, index: usize, now_ms: u64, message: ToAgent) -> (Option<FromAgent>, bool) {
        self.clock = (now_ms, Instant::now());
        Driven::handle(&mut self.fabric, self.switches[index].index(), now_ms, message)
    }

    fn deadline_ms(&self, index: usize) -> Option<u64> {
        self.fabric.agent(self.switches[index]).next_deadline_ms()
    }

    fn take_touched(&mut self) -> Vec<usize> {
        let touched = self.fabric.take_touched();
        let now = Instant::now();
        let broken = (0..self.broken.len()).filter(|&place| self.broken[place].is_some_and(|until| until > now));
        broken.chain(touched.into_iter().filter_map(|switch| self.places[switch.index()])).collect()
    }

    fn delay(&mut self, index: usize) -> Duration {
        if self.slow[index] {
            return SLOW;
        }
        let most = self.faults.latency_ms;
        if most == 0 { Duration::ZERO } else { Duration::from_millis(u64::from(self.latency.below(most + 1))) }
    }
}
