//! Processes of MPI.

use crate::failure::Failure;
use mpi::Threading;
use mpi::datatype::{Partition, PartitionMut};
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives};
use philae_fabric::{ProcessLost, ProcessShare, Processes};

/// Bytes that all processes together send one of them in one call of MPI, which counts them with 31 bits.
const CALL_BYTES_MAX: usize = 1 << 30;

/// The processes that a launcher of MPI has started.
pub struct World {
    /// Ends MPI when it is dropped.
    _universe: Universe,
    world: SimpleCommunicator,
    share: ProcessShare,
}

/// Joins the others; also how many of them are on this machine.
pub fn join() -> Result<(World, u32), Failure> {
    // MPI is called by the thread that began it; a run's other threads do not call it.
    let Some((universe, _)) = mpi::initialize_with_threading(Threading::Funneled) else {
        return Err(Failure::run("MPI has been started already, or has ended"));
    };
    let world = universe.world();
    let share = ProcessShare { number: world.rank() as u32, count: world.size() as u32 };
    let on_this_machine = world.split_shared(world.rank()).size() as u32;
    Ok((World { _universe: universe, world, share }, on_this_machine))
}

/// The library that is used, for people.
pub fn library() -> String {
    let text = mpi::environment::library_version().unwrap_or_else(|_| "its version is not known".to_owned());
    text.split([',', '\n']).next().unwrap_or_default().to_owned()
}

impl Processes for World {
    fn share(&self) -> ProcessShare {
        self.share
    }

    fn all_gather(&mut self, own: &[u64], all: &mut Vec<u64>) -> Result<(), ProcessLost> {
        all.clear();
        all.resize(own.len() * self.share.count as usize, 0);
        self.world.all_gather_into(own, &mut all[..]);
        Ok(())
    }

    fn exchange(&mut self, to: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, ProcessLost> {
        let sizes: Vec<u64> = to.iter().map(|bytes| bytes.len() as u64).collect();
        let mut coming = vec![0_u64; sizes.len()];
        self.world.all_to_all_into(&sizes[..], &mut coming[..]);
        let mut received: Vec<Vec<u8>> = coming.iter().map(|&size| Vec::with_capacity(size as usize)).collect();
        // As many calls as the longest message of all takes, everywhere.
        let mut longest = Vec::new();
        self.all_gather(&[sizes.iter().copied().max().unwrap_or(0)], &mut longest)?;
        let longest = longest.into_iter().max().unwrap_or(0) as usize;
        let part = CALL_BYTES_MAX / sizes.len();
        for start in (0..longest).step_by(part) {
            let of = |size: u64| (size as usize).saturating_sub(start).min(part);
            let (out_counts, out_places) = layout(sizes.iter().map(|&size| of(size)));
            let (in_counts, in_places) = layout(coming.iter().map(|&size| of(size)));
            // A byte that nobody is sent: where Rust has a buffer without bytes begin, Open MPI reads MPI_IN_PLACE.
            let mut outgoing = Vec::new();
            for bytes in &to {
                outgoing.extend_from_slice(&bytes[start.min(bytes.len())..(start + part).min(bytes.len())]);
            }
            outgoing.push(0);
            let mut incoming = vec![0_u8; 1 + in_counts.iter().map(|&count| count as usize).sum::<usize>()];
            self.world.all_to_all_varcount_into(
                &Partition::new(&outgoing[..], out_counts, out_places),
                &mut PartitionMut::new(&mut incoming[..], &in_counts[..], &in_places[..]),
            );
            for ((bytes, &count), &place) in received.iter_mut().zip(&in_counts).zip(&in_places) {
                bytes.extend_from_slice(&incoming[place as usize..][..count as usize]);
            }
        }
        Ok(received)
    }
}

/// Counts and places of parts that follow each other. All together are below [`CALL_BYTES_MAX`].
fn layout(parts: impl Iterator<Item = usize>) -> (Vec<i32>, Vec<i32>) {
    let mut end = 0;
    let place = |count: usize| {
        let start = end;
        end += count;
        (count as i32, start as i32)
    };
    parts.map(place).unzip()
}

impl Drop for World {
    /// The others wait for a process that panics: it ends them.
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.world.abort(101);
        }
    }
}
