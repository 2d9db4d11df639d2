//! The microbenchmarks among the victims of the congestion experiments, and the aggressors.

use philae_workload::{
    Allreduce, Alltoall, Barrier, Broadcast, Fft, Halo3d, Incast, IncastOperation, IncastTarget, Pairing, PingPong,
    SendrecvAlltoall, Service, Size, Span, Sweep3d, WorkloadSpec,
};

use super::applications;
use super::beside::Aggressor;

/// A job whose iterations are timed.
#[derive(Clone, Debug)]
pub struct Victim {
    /// Name.
    pub label: String,
    /// Its workload; it ends by itself.
    pub problem: VictimWorkload,
    /// The numbers of ranks that suit it.
    pub fit: Fit,
    /// How long it may run next to an aggressor.
    pub window: Window,
}

#[derive(Clone, Debug)]
pub enum VictimWorkload {
    /// A microbenchmark.
    Benchmark(WorkloadSpec),
    /// An application, the same for each rank whatever their number.
    Application(WorkloadSpec),
    /// A transform whose size follows from the number of ranks.
    Transform(Fft),
    /// A service: as many servers as clients. Its iterations are requests.
    Pairs(Service),
}

/// How long a victim may run next to an aggressor, if that is longer than the aggressor's time
/// limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// Several of its iterations alone.
    Turns,
    /// This long.
    AtLeast(Span),
    /// As long as all its requests take alone, plus the aggressor's time limit.
    Whole,
}

/// The numbers of ranks that suit a victim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// Any number.
    Any,
    /// Even numbers.
    Even,
    /// Numbers that fill a grid of two nearly equal sides.
    Square,
    /// Numbers that fill a grid of three nearly equal sides.
    Cube,
    /// Numbers that fill a grid of four nearly equal sides.
    Hypercube,
    /// 2, 4, 8 and so on.
    PowerOfTwo,
}

impl Fit {
    /// The largest suitable number of ranks, out of `nodes` (at least two).
    #[must_use]
    pub fn ranks(self, nodes: u32) -> u32 {
        let side = |dimensions: u32| (1..).take_while(|side: &u32| side.pow(dimensions) <= nodes).count() as u32;
        // Of the dimensions, none to all except one are longer by one.
        let grid = |dimensions: u32| {
            let side = side(dimensions);
            let sizes = (0..dimensions).map(|longer| side.pow(dimensions - longer) * (side + 1).pow(longer));
            sizes.filter(|&size| size <= nodes).max().unwrap_or(nodes)
        };
        match self {
            Self::Any => nodes,
            Self::Even => nodes - nodes % 2,
            Self::Square => grid(2),
            Self::Cube => grid(3),
            Self::Hypercube => grid(4),
            Self::PowerOfTwo => 1 << nodes.ilog2(),
        }
    }
}

impl Victim {
    /// The name of its job: `allreduce-8`, as in `--set job.allreduce-8.workload...`.
    #[must_use]
    pub fn job_name(&self) -> String {
        let words = self.label.to_lowercase();
        let words = words.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        words.collect::<Vec<_>>().join("-")
    }

    /// Iterations of each rank that are not timed.
    pub const WARM_UP: u32 = 1;

    fn new(label: impl Into<String>, workload: WorkloadSpec, fit: Fit) -> Self {
        Self { label: label.into(), problem: VictimWorkload::Benchmark(workload), fit, window: Window::Turns }
    }

    /// Its workload on this many ranks.
    #[must_use]
    pub fn workload(&self, ranks: u32) -> WorkloadSpec {
        match &self.problem {
            VictimWorkload::Benchmark(workload) | VictimWorkload::Application(workload) => workload.clone(),
            VictimWorkload::Transform(fft) => WorkloadSpec::Fft(Fft { size: applications::side(ranks), ..fft.clone() }),
            VictimWorkload::Pairs(service) => {
                WorkloadSpec::Service(Service { servers: Some((ranks / 2).max(1)), ..service.clone() })
            }
        }
    }

    /// MPI_Allreduce.
    #[must_use]
    pub fn allreduce(bytes: Size, iterations: u32) -> Self {
        let workload = Allreduce { bytes, iterations: ended(iterations), ..Allreduce::default() };
        Self::new(format!("allreduce {}", bytes.0), WorkloadSpec::Allreduce(workload), Fit::Any)
    }

    /// MPI_Alltoall.
    #[must_use]
    pub fn alltoall(bytes: Size, iterations: u32) -> Self {
        let workload = Alltoall { bytes, iterations: ended(iterations), ..Alltoall::default() };
        Self::new(format!("alltoall {}", bytes.0), WorkloadSpec::Alltoall(workload), Fit::Any)
    }

    /// MPI_Barrier.
    #[must_use]
    pub fn barrier(iterations: u32) -> Self {
        let workload = Barrier { iterations: ended(iterations), ..Barrier::default() };
        Self::new("barrier", WorkloadSpec::Barrier(workload), Fit::Any)
    }

    /// MPI_Bcast of 8 B.
    #[must_use]
    pub fn broadcast(iterations: u32) -> Self {
        let workload = Broadcast { iterations: ended(iterations), ..Broadcast::default() };
        Self::new("broadcast 8 B", WorkloadSpec::Broadcast(workload), Fit::Any)
    }

    /// Every rank of the first half with one of the second.
    #[must_use]
    pub fn ping_pong(iterations: u32) -> Self {
        let workload = PingPong { pairs: Pairing::Halves, iterations: ended(iterations), ..PingPong::default() };
        Self::new("ping-pong 8 B", WorkloadSpec::PingPong(workload), Fit::Even)
    }

    /// Ember's halo3d with its defaults.
    #[must_use]
    pub fn halo3d(iterations: u32) -> Self {
        let workload = Halo3d { iterations: ended(iterations), ..Halo3d::default() };
        Self::new("halo3d", WorkloadSpec::Halo3d(workload), Fit::Cube)
    }

    /// Ember's sweep3d with its defaults.
    #[must_use]
    pub fn sweep3d(iterations: u32) -> Self {
        let workload = Sweep3d { iterations: ended(iterations), ..Sweep3d::default() };
        Self::new("sweep3d", WorkloadSpec::Sweep3d(workload), Fit::Square)
    }

    /// Ember's incast with its defaults.
    #[must_use]
    pub fn incast(iterations: u32) -> Self {
        let workload = Incast {
            bytes: Size::kib(8),
            operation: IncastOperation::Send,
            to: IncastTarget::Last,
            barrier: true,
            iterations: ended(iterations),
            ..Incast::default()
        };
        Self::new("incast 8 KiB", WorkloadSpec::Incast(workload), Fit::Any)
    }

    /// The cheap ones. Iterations cover several milliseconds: an incast of 128 KiB by 460 nodes
    /// takes 5 ms a round.
    #[must_use]
    pub fn few() -> Vec<Self> {
        vec![
            Self::allreduce(Size::bytes(8), 150),
            Self::alltoall(Size::bytes(128), 20),
            Self::ping_pong(500),
            Self::halo3d(200),
        ]
    }

    /// All of them, for longer.
    #[must_use]
    pub fn many() -> Vec<Self> {
        vec![
            Self::allreduce(Size::bytes(8), 500),
            Self::allreduce(Size::kib(128), 20),
            Self::alltoall(Size::bytes(128), 60),
            Self::alltoall(Size::kib(4), 6),
            Self::barrier(500),
            Self::broadcast(500),
            Self::ping_pong(1_500),
            Self::halo3d(600),
            Self::sweep3d(2),
            Self::incast(50),
        ]
    }
}

/// The victims, for notes: `10 microbenchmarks, milc, lammps`.
#[must_use]
pub fn described(victims: &[Victim]) -> String {
    let is_benchmark = |victim: &&Victim| matches!(victim.problem, VictimWorkload::Benchmark(_));
    let benchmarks = victims.iter().filter(is_benchmark).count();
    let others = victims.iter().filter(|victim| !is_benchmark(victim)).map(|victim| victim.label.clone());
    let names: Vec<String> = std::iter::once(format!("{benchmarks} microbenchmarks")).chain(others).collect();
    format!("victims: {}", names.join(", "))
}

/// Iterations with those of the warm-up.
pub(super) const fn ended(timed: u32) -> Option<u32> {
    Some(timed + Victim::WARM_UP)
}

/// Endpoint congestion: all ranks write 128 KiB to one, repeatedly.
///
/// Source: De Sensi et al., SC'20, section III-A (GPCNeT's Put incast). Status: published. It has 4
/// ms to reach a steady state: ingress ports that may each have 37.5 KB (injection limit at 100
/// Gb/s) put 17 MB into the fabric before flows are held when 460 endpoints send, 35 MB when 920
/// do. The target's link needs 1.4 and 2.8 ms to take them. Status: derived; the publication's
/// victims run for seconds. It is cheap to simulate, so a victim gets 300 times the duration of an
/// iteration alone: three iterations that are a hundred times slower end (assumed).
#[must_use]
pub fn incast() -> Aggressor {
    Aggressor {
        label: "incast".to_owned(),
        workload: WorkloadSpec::Incast(Incast::default()),
        processes_per_node: 1,
        settle: Span::micros(4_000),
        patience: Span::micros(20_000),
        turns: 300.0,
    }
}

/// Intermediate congestion: an alltoall of 128 KiB by MPI_Sendrecv, repeatedly.
///
/// Source: De Sensi et al., SC'20, section III-A (GPCNeT's alltoall). Status: published. Each
/// exchange takes about 12 µs, so a rank has had several partners when the victim starts (assumed).
#[must_use]
pub fn alltoall() -> Aggressor {
    Aggressor {
        label: "alltoall".to_owned(),
        workload: WorkloadSpec::SendrecvAlltoall(SendrecvAlltoall::default()),
        processes_per_node: 1,
        settle: Span::micros(100),
        patience: Span::micros(150),
        turns: 5.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_filled_with_nearly_equal_sides() {
        assert_eq!([461, 256, 51].map(|nodes| Fit::Cube.ranks(nodes)), [8 * 8 * 7, 7 * 6 * 6, 4 * 4 * 3]);
        assert_eq!([461, 256, 51, 2].map(|nodes| Fit::Square.ranks(nodes)), [21 * 21, 16 * 16, 7 * 7, 2]);
        assert_eq!([461, 2].map(|nodes| Fit::Even.ranks(nodes)), [460, 2]);
        let four = [922, 461, 256, 51].map(|nodes| Fit::Hypercube.ranks(nodes));
        assert_eq!(four, [5 * 5 * 6 * 6, 4 * 4 * 5 * 5, 4 * 4 * 4 * 4, 2 * 2 * 3 * 3]);
        assert_eq!([461, 256, 51, 2].map(|nodes| Fit::PowerOfTwo.ranks(nodes)), [256, 256, 32, 2]);
    }
}
