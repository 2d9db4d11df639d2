//! Histories of two managers with chosen faults, in simulated time.
//!
//! The tests of processes (`tests/all/standby.rs`, `failover.rs`) show that the program does the
//! same with real sockets, files and signals. How long each state lasts is shown here.

use super::*;

/// Ten minutes: 200 lives of a lease.
const LONG: u64 = 600_000;

impl World {
    /// Two managers; the first leads, the second follows and is named in the lease's record.
    fn calm(folder: &std::path::Path) -> Self {
        let mut world = Self { is_calm: true, ..Self::with(0, Random(7), 2, folder) };
        world.run_for(LIFE);
        assert!(world.leads(0) && world.covers("n1#0"), "the standby is in step");
        world
    }

    fn run_for(&mut self, time: u64) {
        let end = self.now + time;
        while let Some(entry) = self.queue.first_entry().filter(|entry| entry.key().0 <= end) {
            let ((at, _), event) = entry.remove_entry();
            self.now = at;
            self.happen(event);
        }
        self.now = end;
    }

    /// Runs until a condition holds; returns the time that it took.
    fn run_until(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) -> u64 {
        let began = self.now;
        while !is_so(self) {
            assert!(self.now < began + LONG, "never {what}");
            self.run_for(1);
        }
        self.now - began
    }

    fn leads(&self, node: usize) -> bool {
        let local = self.clock(node);
        let Node { is_up, role, .. } = &self.nodes[node];
        *is_up && matches!(role, Role::Leads { until, .. } if local < *until)
    }

    /// Whether the lease's record names a standby.
    fn covers(&self, name: &str) -> bool {
        self.lease.record.usable.contains(name)
    }

    fn pause(&mut self, node: usize, time: u64) {
        self.nodes[node].paused = self.now + time;
    }

    /// Sends a change to a manager, and waits as long as a client does.
    fn change(&mut self, node: usize) -> Option<AnswerPermission> {
        self.written += 1;
        let (number, run) = (self.written, self.nodes[node].run);
        self.after(1, Event::Written(node, run, number));
        self.run_for(2 * PATIENCE);
        self.answered.iter().find(|answered| answered.number == number).map(|answered| answered.kept)
    }

    fn has(&self, node: usize, number: u64) -> bool {
        self.nodes[node].store.snapshot().get(&key(number)).is_some()
    }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("there is room")
}

#[test]
fn a_lease_that_is_renewed_stays_with_its_leader() {
    let folder = folder();
    let mut world = World::calm(folder.path());
    for _ in 0..10 {
        world.run_for(LONG / 10);
        assert!(world.leads(0) && !world.leads(1));
        assert_eq!(world.change(0), Some(AnswerPermission::Kept));
        assert_eq!(world.change(1), None, "a standby answers no change");
    }
    assert_eq!(world.led, 1);
}

#[test]
fn a_leader_that_stops_is_followed_by_its_standby_and_steps_down_when_it_continues() {
    let folder = folder();
    let mut world = World::calm(folder.path());
    assert_eq!(world.change(0), Some(AnswerPermission::Kept));
    world.pause(0, 3 * LIFE);
    let took = world.run_until("led by the standby", |world| world.leads(1));
    // The last renewal may be a quarter of a life old, and a standby sees it one poll later.
    assert!((LIFE / 2..=LIFE + LIFE / 4).contains(&took), "{took} ms");
    assert!(world.has(1, 1));
    assert_eq!(world.change(1), Some(AnswerPermission::OneDisk), "there is no standby now");
    world.run_until("awake again", |world| world.nodes[0].paused <= world.now);
    assert_eq!(world.change(0), None, "its lease ended while it was stopped");
    assert!(!world.leads(0) && world.leads(1));
    world.run_until("covered again", |world| world.covers("n0#0"));
    assert_eq!(world.change(1), Some(AnswerPermission::Kept));
    assert!(world.has(0, 2) && world.led == 2);
}

#[test]
fn a_standby_that_lacks_an_answered_change_never_leads_and_the_last_leader_does() {
    let folder = folder();
    let mut world = World::calm(folder.path());
    assert_eq!(world.change(0), Some(AnswerPermission::Kept));
    world.pause(1, 10 * PATIENCE);
    assert_eq!(world.change(0), Some(AnswerPermission::OneDisk), "changes continue without it");
    assert!(!world.covers("n1#0"), "the record names it no more before the answer is given");
    world.nodes[0].is_up = false;
    world.run_for(LONG);
    assert!(world.nodes[1].paused < world.now && !world.leads(1), "the lease is free, but not for it");
    assert_eq!((world.change(1), world.led), (None, 1));

    world.start(0);
    world.run_until("led by the last leader", |world| world.leads(0));
    world.run_until("covered by its standby", |world| world.covers("n1#0"));
    assert_eq!(world.change(0), Some(AnswerPermission::Kept));
    world.nodes[0].is_up = false;
    world.run_until("led by the standby in step", |world| world.leads(1));
    assert!((1..=2).all(|number| world.has(1, number)) && world.has(1, world.written));
}

#[test]
fn an_operator_who_accepts_the_loss_makes_the_standby_lead_and_the_old_leader_is_seeded_again() {
    let folder = folder();
    let mut world = World::calm(folder.path());
    world.pause(1, 2 * PATIENCE + LIFE);
    assert_eq!(world.change(0), Some(AnswerPermission::OneDisk));
    let lost = world.written;
    world.nodes[0].is_up = false;
    world.run_for(2 * LIFE);
    assert!(!world.leads(1));
    for answered in &mut world.answered {
        answered.excused = true;
    }
    // A claim of its own may wait for its answer.
    world.run_until("without an open question", |world| !world.nodes[1].asks);
    let claimant = crate::availability::claimant(&world.nodes[1].store, 0, Reason::Ordered);
    world.ask(1, Ask::Take(claimant));
    world.run_until("led by order", |world| world.leads(1));
    assert_eq!(world.change(1), Some(AnswerPermission::OneDisk));
    let kept = world.written;

    world.start(0);
    world.run_until("seeded again", |world| world.seeded == 1);
    world.run_until("covered", |world| world.covers("n0#0"));
    assert!(!world.has(0, lost) && world.has(0, kept), "it has the new leader's history");
    assert_eq!(world.change(1), Some(AnswerPermission::Kept));
    world.nodes[1].is_up = false;
    world.run_until("led by the first one", |world| world.leads(0));
    assert!(world.has(0, kept) && world.has(0, world.written));
}
