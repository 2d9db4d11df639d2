//! Runs shared by MPI processes.

use crate::failure::CommandFailure;
use mpi::Threading;
use mpi::environment::Universe;
use mpi::request::WaitGuard;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Source};
use philae_fabric::{ProcessLost, ProcessShare, Processes};

/// Bytes of one MPI message. MPI counts bytes with 31 bits, so longer data is sent in parts. The
/// limit is low so that every larger run has several parts.
const CALL_BYTES_MAX: usize = 4 << 20;

/// The processes that an MPI launcher has started.
pub struct MpiWorld {
    /// Ends MPI when it is dropped.
    _universe: Universe,
    world: SimpleCommunicator,
    share: ProcessShare,
}

/// Joins the other processes, and returns how many of them are on this machine.
pub fn join() -> Result<(MpiWorld, u32), CommandFailure> {
    // Only the thread that initialised MPI calls it; the other threads of a run do not.
    let Some((universe, _)) = mpi::initialize_with_threading(Threading::Funneled) else {
        return Err(CommandFailure::run("MPI has been started already, or has ended"));
    };
    let world = universe.world();
    let share = ProcessShare { number: world.rank() as u32, count: world.size() as u32 };
    let on_this_machine = world.split_shared(world.rank()).size() as u32;
    Ok((MpiWorld { _universe: universe, world, share }, on_this_machine))
}

/// The name and version of the MPI library.
pub fn library() -> String {
    let text = mpi::environment::library_version().unwrap_or_else(|_| "its version is unknown".to_owned());
    text.split([',', '\n']).next().unwrap_or_default().to_owned()
}

impl Processes for MpiWorld {
    fn share(&self) -> ProcessShare {
        self.share
    }

    fn all_gather(&mut self, own: &[u64], all: &mut Vec<u64>) -> Result<(), ProcessLost> {
        all.clear();
        all.resize(own.len() * self.share.count as usize, 0);
        self.world.all_gather_into(own, &mut all[..]);
        Ok(())
    }

    fn exchange(&mut self, mut to: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, ProcessLost> {
        // Data for this process needs no MPI.
        let own = std::mem::take(&mut to[self.share.number as usize]);
        let sizes: Vec<u64> = to.iter().map(|bytes| bytes.len() as u64).collect();
        let mut coming = vec![0_u64; sizes.len()];
        self.world.all_to_all_into(&sizes[..], &mut coming[..]);
        let mut received: Vec<Vec<u8>> = coming.iter().map(|&size| vec![0; size as usize]).collect();
        mpi::request::scope(|scope| {
            // All sends are started before any receive, and are complete at the end of the scope.
            let mut sent = Vec::new();
            for (number, bytes) in to.iter().enumerate() {
                let process = self.world.process_at_rank(number as i32);
                let parts = bytes.chunks(CALL_BYTES_MAX);
                sent.extend(parts.map(|part| WaitGuard::from(process.immediate_send(scope, part))));
            }
            for (number, bytes) in received.iter_mut().enumerate() {
                let process = self.world.process_at_rank(number as i32);
                for part in bytes.chunks_mut(CALL_BYTES_MAX) {
                    process.receive_into(part);
                }
            }
        });
        received[self.share.number as usize] = own;
        Ok(received)
    }
}

impl Drop for MpiWorld {
    /// If a process panics, the others would wait for it, so it ends them.
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.world.abort(101);
        }
    }
}
