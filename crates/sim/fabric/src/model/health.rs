//! Health of ports: a switch sees its own ports immediately, and all routing tables learn of a
//! change later.

use philae_path::Loads;
use philae_units::PortIndex;

use crate::model::load_view::LoadView;

/// Health, as far as the switches of a partition know it. Empty where nothing can fail.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Health {
    /// For each own port, by its slot: how many reasons keep it down.
    dead: Vec<u8>,
    /// For each own port: whether it has lost all its lanes and waits for them.
    waiting: Vec<bool>,
    /// For each own switch: number of its ports that are down or wait.
    dead_of_switch: Vec<u16>,
    /// For each own port: its switch.
    switches: Vec<u32>,
    /// For each port of the system: how many times the tables were told that it is down.
    down_reports: Vec<u8>,
    /// Number of ports that the tables call down.
    down_count: u32,
}

impl Health {
    /// All ports work. `switches` has the switch of each own port, of `count` switches.
    pub fn new(switches: Vec<u32>, count: usize, all_ports: usize) -> Self {
        Self {
            dead: vec![0; switches.len()],
            waiting: vec![false; switches.len()],
            dead_of_switch: vec![0; count],
            switches,
            down_reports: vec![0; all_ports],
            down_count: 0,
        }
    }

    /// Adds a reason for an own port to be down, or removes one. Returns true if that changes
    /// whether the port is down.
    pub fn set(&mut self, slot: usize, down: bool) -> bool {
        let before = self.works(slot);
        let count = &mut self.dead[slot];
        *count = if down { *count + 1 } else { *count - 1 };
        let changed = *count == u8::from(down);
        self.update_counts(slot, before);
        changed
    }

    /// An own port begins or stops to wait for lanes.
    pub fn set_waiting(&mut self, slot: usize, waiting: bool) {
        let before = self.works(slot);
        self.waiting[slot] = waiting;
        self.update_counts(slot, before);
    }

    fn update_counts(&mut self, slot: usize, before: bool) {
        let now = self.works(slot);
        let of_switch = &mut self.dead_of_switch[self.switches[slot] as usize];
        *of_switch = *of_switch + u16::from(before && !now) - u16::from(now && !before);
    }

    /// Whether an own port works.
    #[inline]
    pub fn works(&self, slot: usize) -> bool {
        self.dead.get(slot).is_none_or(|&reasons| reasons == 0 && !self.waiting[slot])
    }

    /// Tells the tables about a port.
    pub fn report(&mut self, port: u32, down: bool) {
        let down_reports = &mut self.down_reports[port as usize];
        *down_reports = if down { *down_reports + 1 } else { *down_reports - 1 };
        if *down_reports == u8::from(down) {
            self.down_count = if down { self.down_count + 1 } else { self.down_count - 1 };
        }
    }

    /// Whether routing at a switch has to check ports at all.
    #[inline]
    fn degraded(&self, switch: usize) -> bool {
        self.down_count > 0 || self.dead_of_switch.get(switch).is_some_and(|&dead| dead > 0)
    }
}

/// Load and health as one switch knows them.
pub struct SwitchView<'a> {
    pub loads: LoadView<'a>,
    pub health: &'a Health,
    /// The switch, by `switch - switch_base`.
    pub switch: usize,
    /// Whether links that wait for their lanes are acceptable, because no other path is left.
    pub accepts_waiting_links: bool,
}

impl Loads for SwitchView<'_> {
    #[inline]
    fn local(&self, port: PortIndex) -> u32 {
        self.loads.local(port)
    }

    /// Nothing is known here of a switch in another partition. Route choices ask only for ports of
    /// their own group.
    #[inline]
    fn remote(&self, port: PortIndex) -> u32 {
        self.loads.remote(port)
    }

    #[inline]
    fn degraded(&self) -> bool {
        self.health.degraded(self.switch)
    }

    #[inline]
    fn alive(&self, port: PortIndex) -> bool {
        let slot = self.loads.slot_of(port);
        self.health.works(slot) || (self.accepts_waiting_links && self.health.dead[slot] == 0)
    }

    #[inline]
    fn usable(&self, port: PortIndex) -> bool {
        self.health.down_reports[port.index()] == 0
    }
}
