//! What the NIC of a process tells other ranks by itself.

use std::sync::{Arc, Mutex};

use super::options;
use super::scripted::{Seen, system};
use crate::common::{config, run};
use crate::matching::{compute, ranks};
use philae_fabric::Job;
use philae_results::record::RunStatus;
use philae_units::{Bytes, NodeId, Picoseconds, RankId};
use philae_workload::{
    Action, Lost, MemoryAccess, NicReply, OfferAnswer, Op, OpHandle, ProcessMessage, ProcessProgram, Progress,
    RankProcess, RankProgram,
};

const MICRO: u64 = 1_000_000;

/// Rank 0 writes to rank 1, whose NIC replies twice; rank 0 waits for both replies. Rank 1 computes
/// for a while, or has ended before.
#[derive(Debug)]
struct Replier {
    rank: u32,
    computes: Option<Op>,
    /// The second reply begins so much later.
    later: u64,
    replies: Vec<NicReply>,
    missing: u32,
    wait: Option<OpHandle>,
    seen: Arc<Mutex<Seen>>,
}

impl Replier {
    fn note(&self, now: Picoseconds, words: &str) {
        self.seen.lock().expect("no panic").push((now.0, self.rank, words.to_owned()));
    }
}

impl RankProcess for Replier {
    fn advance(&mut self, now: Picoseconds, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress {
        if let Some(handle) = completed {
            self.note(now, &format!("ends {}", handle.0));
            return if self.missing > 0 { Progress::Running } else { Progress::Finished };
        }
        if self.rank == 0 {
            let put = Op::Put { to: RankId(1), bytes: Bytes(64), class: None };
            actions.extend([Action::Start(OpHandle(0), put), Action::Start(OpHandle(1), Op::Event { until: None })]);
            (self.wait, self.missing) = (Some(OpHandle(1)), 2);
            return Progress::Running;
        }
        match self.computes {
            Some(op) => {
                actions.push(Action::Start(OpHandle(0), op));
                Progress::Running
            }
            None => Progress::Finished,
        }
    }

    fn offered(&mut self, _: Picoseconds, _: &ProcessMessage, _: u32, _: bool) -> OfferAnswer {
        unreachable!("nothing sends messages")
    }

    fn fetched(&mut self, _: Picoseconds, _: &ProcessMessage) -> Option<OpHandle> {
        unreachable!("nothing is fetched")
    }

    fn reached(&mut self, now: Picoseconds, message: &ProcessMessage, _: MemoryAccess) -> Option<OpHandle> {
        self.note(now, &format!("reached by {}", message.bytes.0));
        if self.rank == 1 {
            let reply = |operation, from| NicReply { operation: OpHandle(operation), to: message.source, from };
            self.replies = vec![reply(8, Picoseconds(now.0 + self.later)), reply(7, Picoseconds(0))];
            return None;
        }
        self.missing -= 1;
        self.wait.filter(|_| self.missing == 0)
    }

    fn replies(&mut self) -> Option<NicReply> {
        self.replies.pop()
    }

    fn lost(&mut self, _: Picoseconds, _: &ProcessMessage, _: Lost) -> Option<OpHandle> {
        unreachable!("nothing is lost")
    }
}

fn played(partitions: u32, computes: Option<Op>, later: u64, is_local: bool) -> Seen {
    let seen = Arc::new(Mutex::new(Seen::new()));
    let mut job: Job = ranks(vec![Vec::new(), Vec::new()]);
    job.programs = (0..2)
        .map(|rank| {
            let (replies, seen) = (Vec::new(), Arc::clone(&seen));
            let process = Replier { rank, computes, later, replies, missing: 0, wait: None, seen };
            Box::new(ProcessProgram(Box::new(process))) as Box<dyn RankProgram>
        })
        .collect();
    if is_local {
        job.places.iter_mut().for_each(|place| place.node = NodeId(3));
    }
    let record = run(&system(), config("slingshot"), options(partitions), vec![job]).expect("it runs");
    assert_eq!(record.status, RunStatus::Completed);
    let mut seen = std::mem::take(&mut *seen.lock().expect("no panic"));
    seen.sort();
    seen
}

/// The times at which the rank that waits was told.
fn told(seen: &Seen) -> Vec<u64> {
    seen.iter().filter(|seen| seen.1 == 0 && seen.2 == "reached by 0").map(|seen| seen.0).collect()
}

/// A core that is busy, or a program that has ended, does not delay what its NIC tells.
#[test]
fn a_nic_replies_without_its_core() {
    for is_local in [false, true] {
        let ended = played(1, None, 0, is_local);
        let times = told(&ended);
        assert!(times.len() == 2 && times[1] < 10 * MICRO, "{ended:?}");
        assert_eq!(told(&played(1, Some(compute(300)), 0, is_local)), times);
        let busy = played(1, Some(compute(300)), 50 * MICRO, is_local);
        assert!(told(&busy)[0] < 10 * MICRO, "{busy:?}");
        assert!((49 * MICRO..51 * MICRO).contains(&(told(&busy)[1] - times[0])), "{busy:?}");
        for partitions in [2, 3] {
            assert_eq!(played(partitions, Some(compute(300)), 50 * MICRO, is_local), busy, "{partitions} partitions");
        }
    }
}
