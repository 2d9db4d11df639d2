//! The job: which PE this is, how many PEs there are, and an exchange of a few bytes before
//! anything else works.

mod alone;
mod introduction;
mod mpi;
mod pmi1;
mod pmix;
mod symbols;

pub use introduction::JobAgreement;
pub(crate) use introduction::exchange_places;

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::error::{self, Error};

/// How the PEs of a job find each other.
trait Bootstrap: Send {
    /// The name, for people.
    fn name(&self) -> &'static str;
    /// This PE, and the number of PEs.
    fn place(&self) -> (u32, u32);
    /// Exchanges bytes: the result has every PE's, by PE. All PEs call it equally often.
    fn exchange(&mut self, own: &[u8]) -> Result<Vec<Vec<u8>>, Error>;
    /// Waits for all PEs.
    fn barrier(&mut self) -> Result<(), Error>;
    /// Tells a launcher that listens whether this PE is between `shmem_init` and `shmem_finalize`.
    fn tell(&mut self, _is_running: bool) {}
    /// Says good-bye to the launcher: no further calls follow.
    fn leave(&mut self);
    /// A descriptor that hangs up when the launcher ends, if there is one.
    fn line(&self) -> Option<i32> {
        None
    }
}

/// Ends the whole job with an exit code, if the launcher can; another thread may be in a call of
/// the bootstrap at the same time.
type Abort = Box<dyn Fn(i32) + Send + Sync>;

/// The job that this process is a PE of.
pub struct ShmemJob {
    /// This PE.
    pub me: u32,
    /// The number of PEs.
    pub n_pes: u32,
    /// The name of the bootstrap.
    pub how: &'static str,
    bootstrap: Mutex<Box<dyn Bootstrap>>,
    abort: Abort,
    line: Option<i32>,
}

impl std::fmt::Debug for ShmemJob {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Job {{ PE {} of {}, by {} }}", self.me, self.n_pes, self.how)
    }
}

impl ShmemJob {
    /// Joins the job at the first call, for the life of the process: SHMEM may be initialised again
    /// after it has been finalised.
    ///
    /// # Errors
    /// The environment announces a launcher that does not answer.
    pub fn join() -> Result<&'static Self, Error> {
        static JOINED: Mutex<()> = Mutex::new(());
        let _one_at_a_time = JOINED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(job) = JOB.get() {
            return Ok(job);
        }
        let (bootstrap, abort) = connect()?;
        let (me, n_pes) = bootstrap.place();
        if n_pes == 0 || me >= n_pes {
            return Err(Error::Job(format!("{} says that this is PE {me} of {n_pes}", bootstrap.name())));
        }
        let (how, line) = (bootstrap.name(), bootstrap.line());
        error::set_pe(me);
        Ok(JOB.get_or_init(|| Self { me, n_pes, how, bootstrap: Mutex::new(bootstrap), abort, line }))
    }

    /// The job, if this process has joined it.
    #[must_use]
    pub fn joined() -> Option<&'static Self> {
        JOB.get()
    }

    /// Exchanges bytes: the result has every PE's, by PE. All PEs call it.
    ///
    /// # Errors
    /// The launcher or another PE is gone.
    pub fn exchange(&self, own: &[u8]) -> Result<Vec<Vec<u8>>, Error> {
        self.bootstrap.lock().unwrap_or_else(PoisonError::into_inner).exchange(own)
    }

    /// Waits for all PEs. This may take long: collectives are faster.
    ///
    /// # Errors
    /// As [`Self::exchange`].
    pub fn barrier(&self) -> Result<(), Error> {
        self.bootstrap.lock().unwrap_or_else(PoisonError::into_inner).barrier()
    }

    /// Asks the launcher to end every PE. Returns if that takes a while or if there is no launcher.
    pub fn abort(&self, code: i32) {
        (self.abort)(code);
    }

    /// Whether the launcher has ended. Then no process ends the other PEs when one dies, and none
    /// waits for them.
    #[must_use]
    pub fn is_orphaned(&self) -> bool {
        let Some(fd) = self.line else { return false };
        let mut poll = libc::pollfd { fd, events: libc::POLLRDHUP, revents: 0 };
        // SAFETY: one entry; the call does not wait.
        unsafe { libc::poll(&raw mut poll, 1, 0) > 0 && poll.revents & (libc::POLLRDHUP | libc::POLLHUP) != 0 }
    }

    /// Tells the launcher whether this PE is between `shmem_init` and `shmem_finalize`: an exit
    /// between the two is a failure.
    pub fn tell(&self, is_running: bool) {
        self.bootstrap.lock().unwrap_or_else(PoisonError::into_inner).tell(is_running);
    }

    /// Whether a launcher started the PEs of this job and sees how they end.
    #[must_use]
    pub fn has_launcher(&self) -> bool {
        self.n_pes > 1
    }

    /// Says good-bye when the process ends well. If another thread is in a call, the launcher gets
    /// no good-bye.
    pub fn leave(&self) {
        if let Ok(mut bootstrap) = self.bootstrap.try_lock() {
            bootstrap.leave();
        }
    }
}

static JOB: OnceLock<ShmemJob> = OnceLock::new();

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn number(name: &'static str) -> Result<u32, Error> {
    let value = variable(name).unwrap_or_default();
    value.parse().map_err(|_| Error::Setting {
        name,
        value,
        why: "is not the number of a PE or a count of PEs".to_owned(),
        works: "only a launcher sets it; without it the program would work",
    })
}

fn connect() -> Result<(Box<dyn Bootstrap>, Abort), Error> {
    // An MPI that is initialised already holds the connection to the launcher.
    if let Some(mpi) = mpi::Mpi::find()? {
        let abort = mpi.abort();
        return Ok((Box::new(mpi), abort));
    }
    if variable("PMI_FD").is_some() || variable("PMI_PORT").is_some() {
        let pmi = pmi1::Pmi1::connect()?;
        let abort = pmi.abort()?;
        return Ok((Box::new(pmi), abort));
    }
    if variable("PMIX_NAMESPACE").is_some() {
        let pmix = pmix::Pmix::connect()?;
        let abort = pmix.abort();
        return Ok((Box::new(pmix), abort));
    }
    // A launcher that started several processes and connects none of them: a separate job of one PE
    // for each would surprise the user.
    for (name, works) in [
        ("SLURM_STEP_NUM_TASKS", "srun --mpi=pmi2 or --mpi=pmix would work"),
        ("OMPI_COMM_WORLD_SIZE", "an mpirun with PMIx (Open MPI 4 and later) would work"),
        ("PMI_SIZE", "a launcher that sets PMI_FD or PMI_PORT too, such as oshrun or mpiexec, would work"),
    ] {
        if let Some(value) = variable(name).filter(|value| value.parse::<u32>().is_ok_and(|count| count > 1)) {
            let why = "says that there are several PEs, but there is no connection to them: looked for an \
                       initialised MPI, PMI_FD, PMI_PORT and PMIX_NAMESPACE"
                .to_owned();
            return Err(Error::Setting { name, value, why, works });
        }
    }
    Ok((Box::new(alone::Alone), Box::new(|_| {})))
}
