//! A run, as all its ranks share it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, RwLock};
use std::time::{Duration, Instant};

use philae_cosim::{Coordinator, PeerAddress, ProcessState, RankCosts, RankFault, RunFile};
use philae_provider::simulated::nic::RankEndpoint;
use philae_units::{Bytes, JobId};
use philae_workload::{ProcessProgram, ProcessSupervisor, RankProgram};

use crate::process::CoordinatedRank;
use crate::rank::{CoordinatedState, OutstandingOperations, RankPhase};
use crate::supervisor::Supervisor;

/// How often the start of a run looks at ranks that have not come. Source: ours. Status: assumed.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// A rank that has slept for so many looks waits for something else than its first operation.
/// Source: ours; MPI libraries poll their process manager more often. Status: assumed.
const ASLEEP: u32 = 10;

/// Why a run has stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunFault {
    /// A rank has died, or is damaged.
    #[error(transparent)]
    Rank(#[from] RankFault),
    /// What has started the ranks has been ended.
    #[error(
        "the launcher's process that started rank {rank} has been ended (hydra_pmi_proxy, if it is MPICH's), and the \
         program with it"
    )]
    Launcher {
        /// One of its ranks.
        rank: u32,
    },
}

/// Why a run does not begin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartFault {
    /// No rank needs the network.
    #[error(
        "no process has sent or awaited anything through the provider: the program does not use libfabric, or uses \
         another transport between its processes"
    )]
    NoTraffic,
    /// The program has ended before all of its ranks have come.
    #[error("the program has ended while {missing} of its {ranks} ranks had not opened an endpoint")]
    Ended {
        /// Ranks that have not come.
        missing: u32,
        /// All.
        ranks: u32,
    },
    /// The run was stopped.
    #[error("stopped before all ranks had opened their endpoints")]
    Stopped,
    /// A rank has died.
    #[error(transparent)]
    Rank(#[from] RankFault),
}

/// An endpoint of the run.
#[derive(Clone, Debug)]
pub(crate) struct KnownEndpoint {
    pub rank: u32,
    pub endpoint: Arc<RankEndpoint>,
}

#[derive(Debug, Default)]
struct KnownEndpoints {
    by_address: HashMap<PeerAddress, KnownEndpoint>,
    by_source: HashMap<(u32, u32), KnownEndpoint>,
    by_rank: HashMap<u32, Vec<Arc<RankEndpoint>>>,
    /// The ranks whose closed endpoints sent messages with these sources.
    closed: HashMap<u32, u32>,
}

#[derive(Debug)]
pub(crate) struct Run {
    pub coordinator: Coordinator,
    pub costs: RankCosts,
    /// The longest message whose data come with it.
    pub eager: Bytes,
    pub job: JobId,
    /// The node of each rank.
    nodes: Vec<u32>,
    ranks: Vec<Mutex<CoordinatedState>>,
    operations: Vec<OutstandingOperations>,
    endpoints: RwLock<KnownEndpoints>,
    /// Ranks that are outside.
    pub outside: AtomicUsize,
    /// Operations that were issued, and parts of them that have reached a rank.
    pub happenings: AtomicUsize,
    fault: Mutex<Option<RunFault>>,
    stops: AtomicBool,
}

impl Run {
    /// The state of a rank, which is locked for all of its turn: only what happens at the rank
    /// itself asks for it, and the supervisor between two windows.
    pub fn rank(&self, rank: u32) -> MutexGuard<'_, CoordinatedState> {
        self.ranks[rank as usize].lock().expect("no panic with it")
    }

    /// The operations of a rank on their way.
    pub fn operations(&self, rank: u32) -> &OutstandingOperations {
        &self.operations[rank as usize]
    }

    pub fn ranks(&self) -> u32 {
        self.ranks.len() as u32
    }

    /// Whether two ranks are on one node.
    pub fn shares_node(&self, one: u32, other: u32) -> bool {
        self.nodes.get(one as usize) == self.nodes.get(other as usize)
    }

    /// The endpoint at this address; `None` if no rank has it.
    pub fn at(&self, address: PeerAddress) -> Option<KnownEndpoint> {
        self.find(|known| known.by_address.get(&address).cloned())
    }

    /// The endpoint of a rank whose messages carry this source.
    pub fn own(&self, rank: u32, source: u32) -> Option<KnownEndpoint> {
        self.find(|known| known.by_source.get(&(rank, source)).cloned())
    }

    /// The rank whose messages carry this source, for people, and whether it has closed that
    /// endpoint.
    pub fn rank_of(&self, source: u32) -> Option<(u32, bool)> {
        let open = (0..self.ranks()).find(|rank| self.own(*rank, source).is_some());
        open.map(|rank| (rank, false)).or_else(|| {
            let known = self.endpoints.read().expect("no panic with it");
            known.closed.get(&source).map(|rank| (*rank, true))
        })
    }

    fn find(&self, look: impl Fn(&KnownEndpoints) -> Option<KnownEndpoint>) -> Option<KnownEndpoint> {
        let found = look(&self.endpoints.read().expect("no panic with it"));
        if found.is_some() {
            return found;
        }
        let mut known = self.endpoints.write().expect("no panic with it");
        for rank in 0..self.ranks() {
            for address in self.coordinator.endpoints(rank) {
                if known.by_address.contains_key(&address) {
                    continue;
                }
                // It may have been closed meanwhile.
                let Ok(endpoint) = RankEndpoint::open(address).map(Arc::new) else { continue };
                let one = KnownEndpoint { rank, endpoint };
                known.by_source.insert((rank, one.endpoint.source()), one.clone());
                known.by_rank.entry(rank).or_default().push(Arc::clone(&one.endpoint));
                known.by_address.insert(address, one);
            }
        }
        look(&known)
    }

    /// The endpoints that a rank has closed since this was last asked: they are not known any more,
    /// and their areas stay mapped until the last operation there has ended.
    pub fn take_closed(&self, rank: u32) -> Vec<Arc<RankEndpoint>> {
        let is_open = |endpoint: &Arc<RankEndpoint>| {
            self.coordinator.endpoints(rank).any(|address| address == endpoint.address())
        };
        let are_open = |known: &KnownEndpoints| known.by_rank.get(&rank).is_none_or(|all| all.iter().all(is_open));
        if are_open(&self.endpoints.read().expect("no panic with it")) {
            return Vec::new();
        }
        let mut known = self.endpoints.write().expect("no panic with it");
        let KnownEndpoints { by_address, by_source, by_rank, closed: sources } = &mut *known;
        let (open, closed) = by_rank.remove(&rank).unwrap_or_default().into_iter().partition(is_open);
        by_rank.insert(rank, open);
        let closed: Vec<Arc<RankEndpoint>> = closed;
        for endpoint in &closed {
            endpoint.close();
            by_address.remove(&endpoint.address());
            sources.insert(endpoint.source(), rank);
            let name = (rank, endpoint.source());
            if by_source.get(&name).is_some_and(|one| Arc::ptr_eq(&one.endpoint, endpoint)) {
                by_source.remove(&name);
            }
        }
        closed
    }

    /// The run cannot go on. The first reason stays.
    pub fn fail(&self, fault: impl Into<RunFault>) {
        self.fault.lock().expect("no panic with it").get_or_insert(fault.into());
        self.stop();
    }

    pub fn stop(&self) {
        self.stops.store(true, Ordering::Release);
    }

    pub fn is_stopped(&self) -> bool {
        self.stops.load(Ordering::Acquire)
    }
}

/// The job of a program, as the fabric has it.
#[derive(Clone, Debug)]
pub struct ProgramJob {
    /// Its number.
    pub number: JobId,
    /// The node of each rank.
    pub nodes: Vec<u32>,
    /// The longest message whose data come with it.
    pub eager: Bytes,
}

/// A run of a program whose processes are the ranks of a job.
#[derive(Clone, Debug)]
pub struct ProgramRun(Arc<Run>);

impl ProgramRun {
    /// The run whose shared memory is `file`, of a job with a rank for each of its parts.
    ///
    /// # Panics
    /// If the job has another number of ranks.
    #[must_use]
    pub fn new(file: Arc<RunFile>, costs: RankCosts, job: ProgramJob) -> (Self, ProgramParts) {
        let ranks = file.ranks();
        let ProgramJob { number, nodes, eager } = job;
        assert_eq!(nodes.len(), ranks as usize, "a node for each rank");
        let (coordinator, turns) = Coordinator::new(file, &costs);
        let run = Arc::new(Run {
            coordinator,
            costs,
            eager,
            job: number,
            nodes,
            ranks: (0..ranks).map(|_| Mutex::default()).collect(),
            operations: (0..ranks).map(|_| OutstandingOperations::default()).collect(),
            endpoints: RwLock::default(),
            outside: AtomicUsize::new(0),
            happenings: AtomicUsize::new(0),
            fault: Mutex::default(),
            stops: AtomicBool::new(false),
        });
        let program = |turns| {
            let rank = CoordinatedRank::new(Arc::clone(&run), turns);
            Box::new(ProcessProgram(Box::new(rank))) as Box<dyn RankProgram>
        };
        let programs = turns.into_iter().map(program).collect();
        (Self(Arc::clone(&run)), ProgramParts { programs, supervisor: Box::new(Supervisor::new(run)) })
    }

    /// Waits in real time until the ranks want to begin: each has called for its first turn, or
    /// sleeps elsewhere. `lives`: whether the program's launcher does.
    ///
    /// # Errors
    /// [`StartFault`].
    pub fn await_start(&self, lives: &dyn Fn() -> bool, look: &mut dyn FnMut(u32)) -> Result<(), StartFault> {
        let run = &self.0;
        let mut seen: Vec<Seen> = vec![Seen::default(); run.ranks.len()];
        loop {
            let began = Instant::now();
            let (mut ready, mut resting, mut missing) = (0, 0, 0);
            for (rank, seen) in (0..).zip(&mut seen) {
                match seen.look(&run.coordinator, rank) {
                    Place::Missing => missing += 1,
                    Place::Ready => ready += 1,
                    Place::Works => {}
                    Place::Rests => resting += 1,
                }
            }
            let ranks = run.ranks();
            if ready > 0 && ready + resting == ranks {
                run.coordinator.begin();
                return Ok(());
            }
            if run.is_stopped() {
                return Err(StartFault::Stopped);
            }
            if !lives() {
                let has_come = seen.iter().filter(|seen| seen.process.is_some()).count() as u32;
                let is_nothing = has_come == ranks || has_come == 0;
                return Err(if is_nothing {
                    StartFault::NoTraffic
                } else {
                    StartFault::Ended { missing: ranks - has_come, ranks }
                });
            }
            look(missing);
            if let Some(rank) = (0..ranks).find(|&rank| !run.coordinator.is_back(rank)) {
                // It wakes up when that rank comes; a dead one is found by the next look.
                let _ = run.coordinator.await_rank(rank, LOOK_EVERY);
            }
            if began.elapsed() < LOOK_EVERY / 4 {
                std::thread::sleep(LOOK_EVERY / 4);
            }
        }
    }

    /// The launcher's process above a rank has ended, and the rank has not: stops the run.
    pub fn lose_launcher(&self, rank: u32) {
        self.0.fail(RunFault::Launcher { rank });
    }

    /// Operations that were dropped because their endpoint was opened and closed in one turn, by
    /// the ranks that have some.
    #[must_use]
    pub fn dropped(&self) -> Vec<(u32, u32)> {
        let dropped = (0..self.0.ranks()).map(|rank| (rank, self.0.rank(rank).dropped));
        dropped.filter(|(_, dropped)| *dropped > 0).collect()
    }

    /// Stops the run soon.
    pub fn stop(&self) {
        self.0.stop();
    }

    /// Why it has stopped by itself, if it has.
    ///
    /// # Panics
    /// Never: nothing panics with the lock.
    #[must_use]
    pub fn fault(&self) -> Option<RunFault> {
        self.0.fault.lock().expect("no panic with it").clone()
    }

    /// The ranks that were outside of simulated time while others went on.
    #[must_use]
    pub fn were_outside(&self) -> Vec<u32> {
        (0..self.0.ranks()).filter(|rank| self.0.rank(*rank).was_outside).collect()
    }

    /// The ranks of which several threads have used the network.
    #[must_use]
    pub fn had_threads(&self) -> Vec<u32> {
        (0..self.0.ranks()).filter(|rank| self.0.coordinator.threads(*rank) > 1).collect()
    }

    /// Functions that ranks have called although their effect is in real time.
    #[must_use]
    pub fn in_real_time(&self) -> Vec<&'static str> {
        self.0.coordinator.in_real_time()
    }

    /// What the program has done so far, and a rank that is outside of simulated time, if there is
    /// one: if nothing more happens, all others wait for it.
    #[must_use]
    pub fn outside(&self) -> (usize, Option<u32>) {
        let is_outside = |rank: &u32| matches!(self.0.rank(*rank).phase, RankPhase::Outside { .. });
        let any = self.0.outside.load(Ordering::Relaxed) > 0;
        let rank = if any { (0..self.0.ranks()).find(is_outside) } else { None };
        (self.0.happenings.load(Ordering::Relaxed), rank)
    }

    /// A rank that has computed for long without a call: all others wait for it.
    #[must_use]
    pub fn long_turn(&self) -> Option<u32> {
        self.0.coordinator.long_turn()
    }

    /// The processes of its ranks; 0 for those that have none.
    #[must_use]
    pub fn processes(&self) -> Vec<u32> {
        (0..self.0.ranks()).map(|rank| self.0.coordinator.process(rank)).collect()
    }
}

/// What the simulation of a run needs.
pub struct ProgramParts {
    /// The programs of its ranks.
    pub programs: Vec<Box<dyn RankProgram>>,
    /// Their supervisor.
    pub supervisor: Box<dyn ProcessSupervisor>,
}

impl std::fmt::Debug for ProgramParts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProgramParts").field("programs", &self.programs.len()).finish_non_exhaustive()
    }
}

/// Where a rank is at the start.
enum Place {
    /// It has not opened an endpoint.
    Missing,
    /// It wants its first turn.
    Ready,
    /// It works.
    Works,
    /// It sleeps, or has ended.
    Rests,
}

/// What the start has seen of a rank.
#[derive(Clone, Debug, Default)]
struct Seen {
    process: Option<u32>,
    state: Option<ProcessState>,
    looks: u32,
}

impl Seen {
    fn look(&mut self, coordinator: &Coordinator, rank: u32) -> Place {
        if coordinator.is_back(rank) {
            self.process = Some(coordinator.process(rank));
            return Place::Ready;
        }
        let joined = Some(coordinator.process(rank)).filter(|process| *process != 0);
        self.process = joined.or(self.process);
        let Some(process) = self.process else { return Place::Missing };
        let state = ProcessState::of(process);
        if joined.is_none() && state.is_some() {
            // It has closed its endpoint, and may open another one.
            return Place::Missing;
        }
        let rests = state.is_none_or(|state| state.is_asleep) && state == self.state;
        self.looks = if rests { self.looks + 1 } else { 0 };
        self.state = state;
        if self.looks >= ASLEEP { Place::Rests } else { Place::Works }
    }
}
