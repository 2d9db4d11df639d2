//! Operations with explicit dependencies: the form of imported schedules.

use crate::program::{Action, Op, OpHandle, Progress, RankProgram, Wait};

/// One operation of a graph and its dependencies, by position in the list of operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The operation.
    pub op: Op,
    /// Operations that must have completed before (GOAL's `requires`).
    pub requires: Vec<u32>,
    /// Operations that must have started before (GOAL's `irequires`).
    pub irequires: Vec<u32>,
}

/// A graph that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// A dependency on an operation that does not exist.
    #[error("operation {operation} depends on operation {on}; the graph has {count} (numbered from 0)")]
    NoSuchOperation {
        operation: u32,
        /// Its dependency.
        on: u32,
        /// Operations in the graph.
        count: usize,
    },
    /// Operations that wait for each other.
    #[error("operations wait for each other in a cycle: {}", circle(.operations))]
    Cycle {
        /// The operations, each waiting for the next, the last for the first.
        operations: Vec<u32>,
    },
    /// An operation that needs more of its dependencies than it has.
    #[error("operation {operation} needs more of its dependencies than it has")]
    NeverEnough { operation: u32 },
    /// More operations than can be numbered.
    #[error("the graph has {count} operations; at most {}", u32::MAX)]
    TooLarge {
        /// Operations in the graph.
        count: usize,
    },
}

/// `3 -> 5 -> 3`.
fn circle(operations: &[u32]) -> String {
    let around = operations.iter().chain(operations.first());
    around.map(ToString::to_string).collect::<Vec<_>>().join(" -> ")
}

/// The dependencies of a graph's operations, and which operations may start.
///
/// [`OperationGraph`] and other programs with explicit dependencies share this state: they report
/// what ended and take what may start, in the order of the list if several may.
#[derive(Debug)]
pub struct Dependencies {
    /// How many more dependencies each operation still needs.
    waits: Vec<u32>,
    after_end: Dependents,
    after_start: Dependents,
    /// Operations that may start: those from `next` on are still there.
    ready: Vec<u32>,
    next: usize,
}

/// The dependencies of one operation.
#[derive(Clone, Copy, Debug)]
pub struct Needs<'a> {
    /// Operations that must have completed.
    pub requires: &'a [u32],
    /// Operations that must have started.
    pub irequires: &'a [u32],
    /// How many of all these suffice; all if absent.
    pub enough: Option<u32>,
}

impl<'a> From<&'a Operation> for Needs<'a> {
    fn from(operation: &'a Operation) -> Self {
        Self { requires: &operation.requires, irequires: &operation.irequires, enough: None }
    }
}

impl Needs<'_> {
    fn count(&self) -> u32 {
        let all = (self.requires.len() + self.irequires.len()) as u32;
        self.enough.unwrap_or(all)
    }
}

/// The program of one rank given as a graph: every operation starts as soon as its dependencies are
/// met.
///
/// The whole graph is iteration 0. Memory grows with the graph, as for any imported schedule.
/// Operations that become ready at the same time start in the order of the list.
#[derive(Debug)]
pub struct OperationGraph {
    ops: Vec<Op>,
    dependencies: Dependencies,
    completed: usize,
    /// Operations that have completed, one bit each.
    ended: Vec<u64>,
}

/// For each operation, those that depend on it: one list, divided at `starts`.
#[derive(Debug)]
struct Dependents {
    starts: Vec<u32>,
    list: Vec<u32>,
}

impl Dependents {
    fn new<'a>(lists: impl Iterator<Item = &'a [u32]> + Clone, count: usize) -> Self {
        let mut starts = vec![0; count + 1];
        for &on in lists.clone().flatten() {
            starts[on as usize + 1] += 1;
        }
        for index in 0..count {
            starts[index + 1] += starts[index];
        }
        let mut next = starts.clone();
        let mut list = vec![0; starts[count] as usize];
        for (operation, on) in lists.zip(0..).flat_map(|(list, operation)| list.iter().map(move |&on| (operation, on)))
        {
            list[next[on as usize] as usize] = operation;
            next[on as usize] += 1;
        }
        Self { starts, list }
    }

    fn of(&self, operation: u32) -> &[u32] {
        let index = operation as usize;
        &self.list[self.starts[index] as usize..self.starts[index + 1] as usize]
    }
}

impl Dependencies {
    /// The dependencies of operations numbered from 0.
    ///
    /// # Errors
    /// [`GraphError`] if a dependency names no operation, or operations wait for each other.
    pub fn new<'a>(needs: impl ExactSizeIterator<Item = Needs<'a>> + Clone) -> Result<Self, GraphError> {
        let count = needs.len();
        let edges: usize = needs.clone().map(|needs| needs.requires.len() + needs.irequires.len()).sum();
        if u32::try_from(count.max(edges)).is_err() {
            return Err(GraphError::TooLarge { count });
        }
        for (needs, operation) in needs.clone().zip(0..) {
            if let Some(&on) = needs.requires.iter().chain(needs.irequires).find(|&&on| on as usize >= count) {
                return Err(GraphError::NoSuchOperation { operation, on, count });
            }
        }
        let dependencies = Self {
            waits: needs.clone().map(|needs| needs.count()).collect(),
            after_end: Dependents::new(needs.clone().map(|needs| needs.requires), count),
            after_start: Dependents::new(needs.clone().map(|needs| needs.irequires), count),
            ready: Vec::new(),
            next: 0,
        };
        match dependencies.first_blocked() {
            None => Ok(dependencies),
            Some((blocked, waits)) => Err(find_cycle(&needs.collect::<Vec<_>>(), blocked, &waits)),
        }
    }

    /// Runs the graph as if every operation completed immediately. Returns an operation that is
    /// never reached, if any, and the dependencies that each operation still waits for.
    fn first_blocked(&self) -> Option<(u32, Vec<u32>)> {
        let mut waits = self.waits.clone();
        let mut reached: Vec<u32> =
            (0..).zip(&waits).filter(|(_, waits)| **waits == 0).map(|(index, _)| index).collect();
        while let Some(operation) = reached.pop() {
            for &dependent in self.after_end.of(operation).iter().chain(self.after_start.of(operation)) {
                count_down(&mut waits, dependent, &mut reached);
            }
        }
        let blocked = waits.iter().position(|&waits| waits > 0)?;
        Some((blocked as u32, waits))
    }

    /// Makes all operations without dependencies ready.
    pub fn begin(&mut self) {
        self.ready.extend((0..).zip(&self.waits).filter(|(_, waits)| **waits == 0).map(|(index, _)| index));
    }

    /// Notes that an operation has completed.
    pub fn end(&mut self, operation: u32) {
        let from = self.ready.len();
        for &dependent in self.after_end.of(operation) {
            count_down(&mut self.waits, dependent, &mut self.ready);
        }
        self.ready[from..].sort_unstable();
    }

    /// Whether an operation has been started; valid between two steps, when all ready operations
    /// have been taken.
    fn has_started(&self, operation: u32) -> bool {
        self.waits[operation as usize] == 0
    }

    /// The next operation that may start, which counts as started.
    pub fn next_ready(&mut self) -> Option<u32> {
        let Some(&operation) = self.ready.get(self.next) else {
            self.ready.clear();
            self.next = 0;
            return None;
        };
        self.next += 1;
        for &dependent in self.after_start.of(operation) {
            count_down(&mut self.waits, dependent, &mut self.ready);
        }
        Some(operation)
    }
}

/// Counts one more met dependency of `dependent`. An operation that has all it needs ignores it.
fn count_down(waits: &mut [u32], dependent: u32, ready: &mut Vec<u32>) {
    let waits = &mut waits[dependent as usize];
    if *waits > 0 {
        *waits -= 1;
        if *waits == 0 {
            ready.push(dependent);
        }
    }
}

impl OperationGraph {
    /// A program of these operations.
    ///
    /// # Errors
    /// [`GraphError`] if a dependency names no operation, or operations wait for each other.
    pub fn new(operations: &[Operation]) -> Result<Self, GraphError> {
        let dependencies = Dependencies::new(operations.iter().map(Needs::from))?;
        let ended = vec![0; operations.len().div_ceil(BITS)];
        Ok(Self { ops: operations.iter().map(|node| node.op).collect(), dependencies, completed: 0, ended })
    }

    /// The first operation that has started but not completed, with its position in the list.
    #[must_use]
    pub fn first_outstanding(&self) -> Option<(usize, &Op)> {
        let is_open = |&(position, _): &(usize, &Op)| {
            self.dependencies.has_started(position as u32) && self.ended[position / BITS] & 1 << (position % BITS) == 0
        };
        self.ops.iter().enumerate().find(is_open)
    }
}

/// Bits of a word.
const BITS: usize = u64::BITS as usize;

/// Follows unmet dependencies from a blocked operation until one repeats.
fn find_cycle(needs: &[Needs], blocked: u32, waits: &[u32]) -> GraphError {
    let mut path = vec![blocked];
    let mut position = vec![None; needs.len()];
    position[blocked as usize] = Some(0);
    loop {
        let node = &needs[path[path.len() - 1] as usize];
        let mut dependencies = node.requires.iter().chain(node.irequires);
        let Some(&next) = dependencies.find(|&&on| waits[on as usize] > 0) else {
            return GraphError::NeverEnough { operation: path[path.len() - 1] };
        };
        if let Some(start) = position[next as usize] {
            return GraphError::Cycle { operations: path.split_off(start) };
        }
        position[next as usize] = Some(path.len());
        path.push(next);
    }
}

impl RankProgram for OperationGraph {
    fn advance(&mut self, completed: Option<OpHandle>, actions: &mut Vec<Action>) -> Progress {
        match completed {
            None => {
                actions.push(Action::IterationStart(0));
                self.dependencies.begin();
            }
            Some(OpHandle(operation)) => {
                self.completed += 1;
                self.ended[operation as usize / BITS] |= 1 << (operation as usize % BITS);
                self.dependencies.end(operation);
            }
        }
        while let Some(operation) = self.dependencies.next_ready() {
            actions.push(Action::Start(OpHandle(operation), self.ops[operation as usize]));
        }
        if self.completed == self.ops.len() {
            actions.push(Action::IterationEnd(0));
            return Progress::Finished;
        }
        Progress::Running
    }

    fn waits_for(&self) -> Option<Wait> {
        self.first_outstanding().map(|(_, op)| Wait::of(op, None))
    }
}

#[cfg(test)]
mod tests {
    use philae_units::Picoseconds;
    use proptest::prelude::*;

    use super::*;

    fn node(requires: &[u32], irequires: &[u32]) -> Operation {
        let op = Op::Compute { time: Picoseconds(1) };
        Operation { op, requires: requires.to_vec(), irequires: irequires.to_vec() }
    }

    fn started(actions: &[Action]) -> Vec<u32> {
        let handle = |action: &Action| match action {
            Action::Start(OpHandle(handle), _) => Some(*handle),
            _ => None,
        };
        actions.iter().filter_map(handle).collect()
    }

    #[test]
    fn requires_waits_for_the_end_and_irequires_for_the_start() {
        let mut graph = OperationGraph::new(&[node(&[], &[]), node(&[0], &[]), node(&[], &[0]), node(&[1, 2], &[])])
            .expect("no circle");
        let mut actions = Vec::new();
        assert_eq!(graph.advance(None, &mut actions), Progress::Running);
        assert_eq!(started(&actions), [0, 2]);
        actions.clear();
        graph.advance(Some(OpHandle(0)), &mut actions);
        assert_eq!(started(&actions), [1]);
        actions.clear();
        graph.advance(Some(OpHandle(2)), &mut actions);
        assert!(started(&actions).is_empty());
        graph.advance(Some(OpHandle(1)), &mut actions);
        assert_eq!(started(&actions), [3]);
        assert_eq!(graph.first_outstanding().map(|(position, _)| position), Some(3));
        assert_eq!(graph.advance(Some(OpHandle(3)), &mut actions), Progress::Finished);
        assert_eq!(graph.first_outstanding(), None);
    }

    #[test]
    fn an_empty_graph_is_finished_at_once() {
        let mut graph = OperationGraph::new(&[]).expect("nothing is wrong with nothing");
        assert_eq!(graph.advance(None, &mut Vec::new()), Progress::Finished);
    }

    #[test]
    fn operations_that_wait_for_each_other_are_named() {
        let error = OperationGraph::new(&[node(&[], &[]), node(&[3], &[]), node(&[1], &[0]), node(&[], &[2])]);
        let Err(GraphError::Cycle { mut operations }) = error else { panic!("{error:?}") };
        operations.sort_unstable();
        assert_eq!(operations, [1, 2, 3]);
        let error = OperationGraph::new(&[node(&[0], &[])]).expect_err("it waits for itself");
        assert_eq!(error.to_string(), "operations wait for each other in a cycle: 0 -> 0");
    }

    #[test]
    fn a_dependency_on_nothing_is_refused() {
        let error = OperationGraph::new(&[node(&[7], &[])]).expect_err("there is no operation 7");
        assert_eq!(error.to_string(), "operation 0 depends on operation 7; the graph has 1 (numbered from 0)");
    }

    proptest! {
        #[test]
        fn every_operation_of_a_graph_without_circles_runs_once_after_what_it_requires(
            edges in proptest::collection::vec((0_u32..40, 0_u32..40, any::<bool>()), 0..120), pick: u64,
        ) {
            let mut nodes: Vec<Operation> = (0..40).map(|_| node(&[], &[])).collect();
            for (one, other, at_end) in edges {
                if one == other { continue }
                let later = &mut nodes[one.max(other) as usize];
                let list = if at_end { &mut later.requires } else { &mut later.irequires };
                list.push(one.min(other));
            }
            let mut graph = OperationGraph::new(&nodes).expect("edges go forwards");
            let mut actions = Vec::new();
            let mut progress = graph.advance(None, &mut actions);
            let (mut begun, mut ended, mut outstanding) = (vec![false; 40], vec![false; 40], Vec::new());
            let mut choice = pick;
            loop {
                for operation in started(&std::mem::take(&mut actions)) {
                    let node = &nodes[operation as usize];
                    prop_assert!(node.requires.iter().all(|&on| ended[on as usize]));
                    prop_assert!(node.irequires.iter().all(|&on| begun[on as usize]));
                    prop_assert!(!std::mem::replace(&mut begun[operation as usize], true));
                    outstanding.push(operation);
                }
                if progress == Progress::Finished { break }
                choice = choice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let operation = outstanding.swap_remove((choice >> 33) as usize % outstanding.len());
                ended[operation as usize] = true;
                progress = graph.advance(Some(OpHandle(operation)), &mut actions);
            }
            prop_assert!(ended.iter().all(|&ended| ended));
        }
    }
}
