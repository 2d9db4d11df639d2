//! Seeded histories of kills, pauses, partitions, jumping clocks, slow disks, a lease service that
//! is down and a lost disk. The rules, the lease's record, the stores and the shipping of the log
//! are those of the service; only time and the network are simulated.
//!
//! What must hold:
//! - No answered change is ever missing on a later leader (if it was on one disk alone: unless that
//!   disk was lost).
//! - After a manager of a higher epoch has answered, one of a lower epoch answers only changes that
//!   the first one has.
//! - In the end all have one history.
//!
//! [`scripted`] has histories with chosen faults, one for each rule that users rely on.

#![cfg(test)]

mod scripted;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use philae_store::{Change, DocumentKey, Epoch, Expect, Hash, Revision, Store, StoreOptions};

use crate::availability::follower::absorb;
use crate::availability::lease::{FileLeaseRecord, LeaseOutcome, ObservedLease};
use crate::availability::shipment::Shipment;
use crate::availability::shipping::{NoPage, page, same_history};
use crate::availability::takeover::{AnswerPermission, Claimant, InStep, Reason};

/// Milliseconds.
const LIFE: u64 = 3_000;
const PATIENCE: u64 = 1_000;
const QUESTION: u64 = 900;
/// Faults happen up to this time; after it everything works for a while.
const FAULTS_UNTIL: u64 = 20_000;
/// The network delays messages up to this time. A leader whose renewals are late steps down for a
/// moment, which must not happen at the end.
const DELAYS_UNTIL: u64 = 40_000;
const END: u64 = 45_000;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        // splitmix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }
}

#[derive(Clone, Debug)]
enum Ask {
    Take(Claimant),
    Renew,
    /// With the epoch that the lease gave.
    Write(u64, BTreeSet<String>, u64),
}

#[derive(Clone, Debug)]
enum Said {
    Taken(LeaseOutcome),
    Renewed(bool),
    Wrote(bool, BTreeSet<String>),
    /// No answer in time: it may have been carried out or not.
    Failed(Ask),
}

#[derive(Debug)]
enum Event {
    Tick(usize, u64),
    /// At the lease: the manager, its run, the request, the version at the request, whether the
    /// answer arrives, and the time by the manager's clock.
    AtLease(usize, u64, Ask, u64, bool, u64),
    Said(usize, u64, Said, u64),
    Poll {
        from: usize,
        run: u64,
        to: usize,
        name: String,
        after: Revision,
        head: Hash,
    },
    Page {
        from: usize,
        to: usize,
        run: u64,
        page: Result<Box<Shipment>, bool>,
    },
    Write,
    Written(usize, u64, u64),
    Fault,
}

#[derive(Debug)]
struct Waiting {
    revision: u64,
    number: u64,
    until: u64,
}

enum Role {
    Leads { steps: InStep, until: u64, renew: u64, drawn: u64, epoch: u64, waiting: Vec<Waiting> },
    Follows { leader: usize, polled: u64 },
}

struct Node {
    name: String,
    store: Store,
    is_up: bool,
    run: u64,
    paused: u64,
    /// How far its clock is off.
    off: u64,
    slow: u64,
    role: Role,
    seen: ObservedLease,
    /// A request to the lease has no answer yet.
    asks: bool,
}

struct Answered {
    number: u64,
    kept: AnswerPermission,
    by: usize,
    excused: bool,
}

struct World {
    seed: u64,
    /// Messages arrive soon, and nothing fails or is written unless a test says so.
    is_calm: bool,
    now: u64,
    count: u64,
    queue: BTreeMap<(u64, u64), Event>,
    random: Random,
    nodes: Vec<Node>,
    lease: FileLeaseRecord,
    version: u64,
    lease_down: u64,
    /// Pairs that cannot reach each other, until when; the lease is the last number.
    cut: BTreeMap<(usize, usize), u64>,
    answered: Vec<Answered>,
    epoch: u64,
    /// The manager that answered with that epoch.
    newest: usize,
    written: u64,
    wiped: bool,
    seeded: u64,
    led: u64,
    folder: PathBuf,
}

fn memory() -> Store {
    Store::in_memory(StoreOptions { cache_bytes: 1 << 20, ..StoreOptions::default() }).expect("a thread")
}

fn key(number: u64) -> DocumentKey {
    DocumentKey::new("change", &format!("c{number}")).expect("a plain name")
}

impl World {
    fn new(seed: u64, folder: &std::path::Path) -> Self {
        let mut random = Random(seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(7));
        let count = 2 + random.below(2) as usize;
        let mut world = Self::with(seed, random, count, folder);
        world.after(50, Event::Write);
        world.after(700, Event::Fault);
        world
    }

    /// Managers of which the first one leads; nothing else has begun.
    fn with(seed: u64, random: Random, count: usize, folder: &std::path::Path) -> Self {
        let node = |number: usize| Node {
            name: format!("n{number}#0"),
            store: memory(),
            is_up: true,
            run: 0,
            paused: 0,
            off: 10_000 * number as u64,
            slow: 0,
            role: Role::Follows { leader: 0, polled: 0 },
            seen: None,
            asks: false,
        };
        let mut world = Self {
            seed,
            is_calm: false,
            now: 0,
            count: 0,
            queue: BTreeMap::new(),
            nodes: (0..count).map(node).collect(),
            random,
            lease: FileLeaseRecord::default(),
            version: 0,
            lease_down: 0,
            cut: BTreeMap::new(),
            answered: Vec::new(),
            epoch: 0,
            newest: 0,
            written: 0,
            wiped: false,
            seeded: 0,
            led: 0,
            folder: folder.join(seed.to_string()),
        };
        let claimant = crate::availability::claimant(&world.nodes[0].store, 0, Reason::Start);
        let (taken, _) = world.lease.take("n0#0", &claimant, &mut None, 0, LIFE);
        let LeaseOutcome::Ours(epoch) = taken else { panic!("the first one starts: {taken:?}") };
        world.lead(0, epoch, 0);
        for number in 0..count {
            world.after(number as u64 * 7, Event::Tick(number, 0));
        }
        world
    }

    fn after(&mut self, delay: u64, event: Event) {
        self.count += 1;
        self.queue.insert((self.now + delay, self.count), event);
    }

    fn reaches(&self, one: usize, other: usize) -> bool {
        let pair = (one.min(other), one.max(other));
        self.cut.get(&pair).is_none_or(|until| *until <= self.now)
    }

    fn wire(&mut self) -> u64 {
        if !self.is_calm && self.now < DELAYS_UNTIL && self.random.one_in(40) {
            200 + self.random.below(1_500)
        } else {
            1 + self.random.below(8)
        }
    }

    fn disk(&mut self, node: usize) -> u64 {
        if self.nodes[node].slow > self.now { 300 + self.random.below(2_000) } else { 1 + self.random.below(4) }
    }

    fn clock(&self, node: usize) -> u64 {
        self.now + self.nodes[node].off
    }

    fn run(&mut self) {
        while let Some(((at, _), event)) = self.queue.pop_first() {
            if at > END {
                break;
            }
            self.now = at;
            self.happen(event);
        }
        self.last();
    }

    fn happen(&mut self, event: Event) {
        // Events of a stopped process wait until it continues.
        let (node, run) = match &event {
            Event::Tick(node, run) | Event::Said(node, run, ..) | Event::Written(node, run, _) => (*node, Some(*run)),
            Event::Poll { to, .. } => (*to, None),
            Event::Page { to, run, .. } => (*to, Some(*run)),
            Event::AtLease(..) | Event::Write | Event::Fault => (usize::MAX, None),
        };
        if let Some(found) = self.nodes.get(node) {
            if !found.is_up || run.is_some_and(|run| run != found.run) {
                return;
            }
            if found.paused > self.now {
                let until = found.paused - self.now;
                return self.after(until, event);
            }
        }
        match event {
            Event::Tick(node, run) => {
                self.tick(node);
                let next = 15 + self.random.below(40);
                self.after(next, Event::Tick(node, run));
            }
            Event::AtLease(node, run, ask, version, tells, asked) => {
                self.at_lease(node, run, ask, version, tells, asked)
            }
            Event::Said(node, _, said, asked) => self.said(node, said, asked),
            Event::Poll { from, run, to, name, after, head } => self.poll(from, run, to, &name, after, head),
            Event::Page { from, to, page, .. } => self.page(from, to, page),
            Event::Write => self.write(),
            Event::Written(node, _, number) => self.on_disk(node, number),
            Event::Fault => self.fault(),
        }
    }

    fn ask(&mut self, node: usize, ask: Ask) {
        let (run, asked) = (self.nodes[node].run, self.clock(node));
        self.nodes[node].asks = true;
        let there = self.wire();
        let lost = !self.reaches(node, usize::MAX) || self.lease_down > self.now;
        let tells = self.is_calm || !self.random.one_in(50);
        if lost || !tells || there > QUESTION {
            self.after(QUESTION, Event::Said(node, run, Said::Failed(ask.clone()), asked));
        }
        if !lost {
            let version = self.version;
            self.after(there, Event::AtLease(node, run, ask, version, tells && there <= QUESTION, asked));
        }
    }

    fn at_lease(&mut self, node: usize, run: u64, ask: Ask, version: u64, tells: bool, asked: u64) {
        // As etcd does: it compares with what was read, and refuses if that has changed since.
        let is_late = self.now + self.nodes[node].off > asked + QUESTION;
        if is_late && version != self.version {
            if tells {
                self.after(1, Event::Said(node, run, Said::Failed(ask), asked));
            }
            return;
        }
        let name = self.nodes[node].name.clone();
        let local = self.clock(node);
        let said = match ask {
            Ask::Take(claimant) => {
                let mut seen = self.nodes[node].seen.take();
                let (taken, _) = self.lease.take(&name, &claimant, &mut seen, local, LIFE);
                self.nodes[node].seen = seen;
                Said::Taken(taken)
            }
            Ask::Renew => Said::Renewed(self.lease.renew(&name)),
            Ask::Write(epoch, usable, revision) => {
                Said::Wrote(self.lease.write(&name, epoch, &usable, revision), usable)
            }
        };
        self.version += 1;
        if tells {
            let back = 1 + self.random.below(8);
            self.after(back, Event::Said(node, run, said, asked));
        }
    }

    fn said(&mut self, node: usize, said: Said, asked: u64) {
        self.nodes[node].asks = false;
        match (said, &mut self.nodes[node].role) {
            (Said::Taken(LeaseOutcome::Ours(epoch)), Role::Follows { .. }) => self.lead(node, epoch, asked),
            (Said::Renewed(true), Role::Leads { until, renew, .. }) => {
                *until = asked + LIFE * 3 / 4;
                *renew = asked + LIFE / 4;
            }
            (Said::Wrote(true, usable), Role::Leads { steps, .. }) => steps.wrote(usable),
            (Said::Renewed(false) | Said::Wrote(false, _), Role::Leads { .. }) => self.step_down(node),
            (Said::Failed(Ask::Write(_, usable, _)), Role::Leads { steps, .. }) => steps.failed(&usable),
            _ => {}
        }
    }

    fn lead(&mut self, node: usize, epoch: u64, asked: u64) {
        let drawn = epoch;
        let store = &self.nodes[node].store;
        let epoch = epoch.max(store.snapshot().epoch().0 + 1);
        store.promote_to(Epoch(epoch)).wait().expect("above all that it knows of");
        let revision = store.snapshot().revision().0;
        self.complete(node, "takes over");
        self.led += 1;
        self.nodes[node].role = Role::Leads {
            steps: InStep::new(Some(0), PATIENCE, revision),
            until: asked + LIFE * 3 / 4,
            renew: asked + LIFE / 4,
            drawn,
            epoch,
            waiting: Vec::new(),
        };
    }

    fn step_down(&mut self, node: usize) {
        let leader = self.other(node);
        self.nodes[node].role = Role::Follows { leader, polled: 0 };
    }

    fn other(&mut self, node: usize) -> usize {
        let count = self.nodes.len();
        (node + 1 + self.random.below(count as u64 - 1) as usize) % count
    }

    /// Every answered change is there.
    fn complete(&self, node: usize, when: &str) {
        let snapshot = self.nodes[node].store.snapshot();
        for answered in self.answered.iter().filter(|answered| !answered.excused) {
            assert!(
                snapshot.get(&key(answered.number)).is_some(),
                "seed {}, {} ms: n{node} {when} without change {}, which n{} answered as {:?}",
                self.seed,
                self.now,
                answered.number,
                answered.by,
                answered.kept
            );
        }
    }

    fn tick(&mut self, node: usize) {
        let local = self.clock(node);
        let asks = self.nodes[node].asks;
        self.answers(node);
        match &mut self.nodes[node].role {
            Role::Leads { until, .. } if local >= *until => self.step_down(node),
            Role::Leads { steps, renew, drawn, .. } if !asks => {
                let drawn = *drawn;
                if let Some(usable) = steps.plan(local) {
                    let answered = steps.answered();
                    self.ask(node, Ask::Write(drawn, usable, answered));
                } else if local >= *renew {
                    self.ask(node, Ask::Renew);
                }
            }
            Role::Leads { .. } => {}
            Role::Follows { leader, polled } => {
                let to = *leader;
                let polls = *polled <= local;
                if polls {
                    *polled = local + 500;
                    let found = &self.nodes[node];
                    let snapshot = found.store.snapshot();
                    let (after, head) = (snapshot.revision(), snapshot.head());
                    let (run, name) = (found.run, found.name.clone());
                    let delay = self.wire();
                    if self.reaches(node, to) {
                        self.after(delay, Event::Poll { from: node, run, to, name, after, head });
                    }
                }
                if !asks {
                    let claimant = crate::availability::claimant(&self.nodes[node].store, 0, Reason::Free);
                    self.ask(node, Ask::Take(claimant));
                }
            }
        }
    }

    /// Answers the changes that may be answered.
    fn answers(&mut self, node: usize) {
        let local = self.clock(node);
        let Role::Leads { steps, until, waiting, epoch, .. } = &mut self.nodes[node].role else { return };
        let mut given = Vec::new();
        waiting.retain(|one| {
            let verdict = steps.answer(one.revision, local);
            if local >= *until {
                return true;
            }
            if verdict == AnswerPermission::Wait {
                if local >= one.until {
                    steps.forget(one.revision);
                }
                return local < one.until;
            }
            given.push((one.number, verdict));
            false
        });
        let epoch = *epoch;
        for (number, kept) in given {
            if epoch < self.epoch {
                // A standby whose clock ran ahead took the lease before its expiry. All that the
                // previous leader still answers is on that standby's disk already.
                let newest = self.nodes[self.newest].store.snapshot();
                assert!(
                    kept == AnswerPermission::Kept && newest.get(&key(number)).is_some(),
                    "seed {}: n{node} of epoch {epoch} answers change {number} ({kept:?}) after {}",
                    self.seed,
                    self.epoch
                );
            } else {
                (self.epoch, self.newest) = (epoch, node);
            }
            self.answered.push(Answered { number, kept, by: node, excused: false });
        }
    }

    fn poll(&mut self, from: usize, run: u64, to: usize, name: &str, after: Revision, head: Hash) {
        let local = self.clock(to);
        let Node { store, role, .. } = &mut self.nodes[to];
        let answer = match role {
            Role::Leads { steps, epoch, .. } => match same_history(store, after, Some(head)) {
                Ok(()) => {
                    steps.heard(name, after.0, local);
                    let entries = page(store, after).expect("nothing is compacted here");
                    let revision = store.snapshot().revision().0;
                    let usable = steps.usable().contains(name);
                    Ok(Box::new(Shipment { epoch: *epoch, revision, secrets: 0, entries, usable }))
                }
                Err(NoPage::Parted(_)) => Err(true),
                Err(NoPage::Store(error)) => panic!("seed {}: {error}", self.seed),
            },
            Role::Follows { .. } => Err(false),
        };
        self.answers(to);
        let delay = self.wire();
        let delay = delay + if answer.is_ok() { self.disk(from) } else { 0 };
        if self.reaches(from, to) {
            self.after(delay, Event::Page { from: to, to: from, run, page: answer });
        }
    }

    fn page(&mut self, from: usize, node: usize, page: Result<Box<Shipment>, bool>) {
        let local = self.clock(node);
        let next = self.other(node);
        let Node { store, role, .. } = &mut self.nodes[node];
        let Role::Follows { leader, polled } = role else { return };
        *polled = local + 20;
        match page {
            Ok(shipment) => {
                // The store refuses a page of a former leader.
                if absorb(store, *shipment).is_ok() {
                    *polled = local;
                }
            }
            Err(false) => *leader = next,
            Err(true) => {
                let leads = self.nodes[from].is_up && matches!(self.nodes[from].role, Role::Leads { .. });
                if leads && self.reaches(node, from) {
                    self.seeded += 1;
                    let file = self.folder.join(format!("{}.backup", self.seeded));
                    std::fs::create_dir_all(&self.folder).expect("there is room");
                    self.nodes[from].store.backup(&file, 0).expect("there is room");
                    // A leader of an older epoch seeds no standby.
                    drop(self.nodes[node].store.reseed(&file).wait());
                    std::fs::remove_file(&file).expect("it is there");
                }
            }
        }
    }

    fn write(&mut self) {
        let leading: Vec<usize> = (0..self.nodes.len())
            .filter(|&node| self.nodes[node].is_up && matches!(self.nodes[node].role, Role::Leads { .. }))
            .collect();
        for node in leading {
            let (delay, run) = (self.disk(node), self.nodes[node].run);
            self.written += 1;
            let number = self.written;
            self.after(delay, Event::Written(node, run, number));
        }
        let next = if self.random.one_in(4) { 5 } else { 100 + self.random.below(500) };
        self.after(next, Event::Write);
    }

    fn on_disk(&mut self, node: usize, number: u64) {
        let local = self.clock(node);
        let Node { store, role, .. } = &mut self.nodes[node];
        let Role::Leads { until, waiting, .. } = role else { return };
        if local >= *until {
            return self.step_down(node);
        }
        let change = Change::new("client", number).put(key(number), Expect::Any, b"x");
        if let Ok(committed) = store.commit(change) {
            waiting.push(Waiting { revision: committed.revision.0, number, until: local + PATIENCE + 10_000 });
            self.answers(node);
        }
    }

    fn fault(&mut self) {
        if self.now > FAULTS_UNTIL {
            self.cut.clear();
            self.lease_down = 0;
            for node in 0..self.nodes.len() {
                self.nodes[node].paused = 0;
                self.nodes[node].slow = 0;
                if !self.nodes[node].is_up {
                    self.start(node);
                }
            }
            return;
        }
        let (now, count) = (self.now, self.nodes.len() as u64);
        let node = self.random.below(count) as usize;
        // Half of the faults hit the leader.
        let leader = self.nodes.iter().position(|node| matches!(node.role, Role::Leads { .. }));
        let node = leader.filter(|_| self.random.one_in(2)).unwrap_or(node);
        let time = 100 + self.random.below(2 * LIFE);
        match self.random.below(9) {
            0 | 1 if self.nodes[node].is_up => self.nodes[node].is_up = false,
            0 | 1 => self.start(node),
            2 => self.nodes[node].paused = now + time,
            3 => {
                let other = self.other(node);
                self.cut.insert((node.min(other), node.max(other)), now + time);
            }
            4 => drop(self.cut.insert((node, usize::MAX), now + time)),
            5 => self.lease_down = now + time,
            6 => self.nodes[node].off += self.random.below(3 * LIFE),
            7 => self.nodes[node].slow = now + time,
            _ if !self.wiped && self.random.one_in(4) => self.wipe(node),
            _ => {
                for node in 0..self.nodes.len() {
                    if !self.nodes[node].is_up && self.random.one_in(2) {
                        self.start(node);
                    }
                }
            }
        }
        let next = 200 + self.random.below(1_500);
        self.after(next, Event::Fault);
    }

    fn start(&mut self, node: usize) {
        let leader = self.other(node);
        let found = &mut self.nodes[node];
        found.is_up = true;
        found.run += 1;
        found.asks = false;
        found.seen = None;
        found.role = Role::Follows { leader, polled: 0 };
        let run = found.run;
        self.after(100, Event::Tick(node, run));
    }

    /// The disk of a manager is lost; the manager starts again under another name.
    fn wipe(&mut self, node: usize) {
        self.wiped = true;
        self.nodes[node].store = memory();
        self.nodes[node].name = format!("n{node}#1");
        for answered in self.answered.iter_mut().filter(|answered| answered.by == node) {
            answered.excused |= answered.kept == AnswerPermission::OneDisk;
        }
        self.start(node);
    }

    /// The checks at the end, after a while without faults.
    fn last(&self) {
        let leading: Vec<usize> = (0..self.nodes.len())
            .filter(|&node| matches!(&self.nodes[node].role, Role::Leads { until, .. } if self.clock(node) < *until))
            .collect();
        if self.wiped && leading.is_empty() {
            // The one disk that may have had everything is lost: no manager leads without an
            // operator.
            return;
        }
        assert_eq!(leading.len(), 1, "seed {}: who leads in the end", self.seed);
        self.complete(leading[0], "leads in the end");
        let newest = |node: usize| self.nodes[node].store.snapshot().revision().0;
        for node in 0..self.nodes.len() {
            let behind = newest(leading[0]).saturating_sub(newest(node));
            assert!(behind < 32, "seed {}: n{node} is {behind} changes behind in the end", self.seed);
            let after = self.nodes[node].store.snapshot();
            let same = same_history(&self.nodes[leading[0]].store, after.revision(), Some(after.head()));
            assert!(same.is_ok(), "seed {}: n{node} has another history in the end", self.seed);
        }
    }
}

/// Number of histories; `PHILAE_FAILOVER_HISTORIES` sets another one.
fn wanted() -> u64 {
    std::env::var("PHILAE_FAILOVER_HISTORIES").ok().and_then(|text| text.parse().ok()).unwrap_or(300)
}

#[test]
fn no_answered_change_is_lost_whatever_happens_to_managers_wires_clocks_and_disks() {
    let shared = std::path::Path::new("/dev/shm");
    let temporary = std::env::temp_dir();
    let folder = if shared.is_dir() { shared } else { &temporary };
    let folder = tempfile::tempdir_in(folder).expect("there is room");
    let (mut answered, mut kept, mut led, mut seeded) = (0, 0, 0, 0);
    for seed in 0..wanted() {
        let mut world = World::new(seed, folder.path());
        world.run();
        answered += world.answered.len();
        kept += world.answered.iter().filter(|answered| answered.kept == AnswerPermission::Kept).count();
        led += world.led;
        seeded += world.seeded;
    }
    println!(
        "{} histories: {answered} changes answered, {kept} on a standby, {led} leaders, {seeded} seeded again",
        wanted()
    );
    // The histories are useful only if much was answered, leaders changed, and standbys had to be
    // seeded again.
    assert!(kept as u64 > 5 * wanted() && led > 2 * wanted() && seeded > wanted() / 20, "{kept} {led} {seeded}");
}
