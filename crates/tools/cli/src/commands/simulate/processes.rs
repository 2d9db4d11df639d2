//! A run that several processes of this program share, if `mpirun` or a similar launcher started
//! them.
//!
//! All processes do the same until the run, and only the first writes and prints. An error in one
//! of them is reported once, and ends all.

use crate::failure::CommandFailure;
use philae_fabric::{ProcessLost, ProcessShare, Processes, SingleProcess};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The number of processes that a launcher reports, and the number of this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Launched {
    count: u32,
    number: u32,
}

impl Launched {
    /// Variables that launchers set: Open MPI's `mpirun`; MPICH and related ones, and
    /// `srun --mpi=pmi2`.
    const VARIABLES: [(&'static str, &'static str); 2] =
        [("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"), ("PMI_SIZE", "PMI_RANK")];

    /// The launcher's values, if there are several processes.
    fn find(variable: impl Fn(&str) -> Option<String>) -> Option<(Self, &'static str)> {
        let number = |name| variable(name)?.trim().parse().ok();
        let found = Self::VARIABLES.into_iter().find_map(|(size, rank)| {
            let launched = Self { count: number(size)?, number: number(rank).unwrap_or(0) };
            Some((launched, size))
        });
        found.filter(|(launched, _)| launched.count > 1)
    }
}

/// The processes that share a run, including this one.
pub struct ProcessGroup {
    processes: Box<dyn Processes>,
    /// The number of those on this machine.
    pub on_this_machine: u32,
}

impl ProcessGroup {
    /// Finds the other processes, if there are any.
    pub fn find() -> Result<Self, CommandFailure> {
        match Launched::find(|name| std::env::var(name).ok()) {
            None => Ok(Self { processes: Box::new(SingleProcess), on_this_machine: 1 }),
            Some((launched, variable)) => Self::join(launched, variable),
        }
    }

    #[cfg(feature = "mpi")]
    fn join(launched: Launched, variable: &str) -> Result<Self, CommandFailure> {
        let (found, on_this_machine) = super::mpi::join()?;
        let share = found.share();
        if share.count == launched.count {
            return Ok(Self { processes: Box::new(found), on_this_machine });
        }
        Err(launched.say(format!(
            "{variable} says that there are {} processes, but MPI finds {}: the launcher of the MPI that this philae \
             was built with would work ({})",
            launched.count,
            share.count,
            super::mpi::library()
        )))
    }

    #[cfg(not(feature = "mpi"))]
    fn join(launched: Launched, variable: &str) -> Result<Self, CommandFailure> {
        let count = launched.count;
        Err(launched.say(format!(
            "{count} processes of this philae were started ({variable} = {count}), but it was built without MPI: \
             each would do the same run. `make mpi-simulate` builds one whose processes share a run; --threads \
             {count} uses the cores of one machine; for independent runs, start each with env --unset={variable}"
        )))
    }

    /// The share of this process.
    pub fn share(&self) -> ProcessShare {
        self.processes.share()
    }

    /// Whether this is the only process.
    pub fn is_one(&self) -> bool {
        self.share() == ProcessShare::WHOLE
    }

    /// The result of a step in this process, unless the step failed in another one: then all fail,
    /// and the first reports the reason.
    pub fn together<T>(&mut self, own: Result<T, CommandFailure>) -> Result<T, CommandFailure> {
        if self.is_one() {
            return own;
        }
        let words = own.as_ref().err().map(|failure| {
            let (code, message) = failure.parts();
            format!("{code} {message}")
        });
        let Some(failed) = philae_fabric::failures(self.processes.as_mut(), words.as_deref()).map_err(lost)? else {
            return own;
        };
        let (code, message) = failed.words.split_once(' ').unwrap_or(("1", &failed.words));
        let code = code.parse().unwrap_or(1);
        let whose = if failed.is_everywhere { String::new() } else { format!("process {}: ", failed.first) };
        Err(self.said_once(CommandFailure::of_parts(code, whose + message)))
    }

    /// A failure that all processes have, which the first reports.
    pub fn said_once(&self, failure: CommandFailure) -> CommandFailure {
        if self.share().is_first() { failure } else { CommandFailure::said_elsewhere() }
    }

    /// Fails if processes have different texts.
    pub fn check_same(&mut self, what: &str, text: &str) -> Result<(), CommandFailure> {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let mut all = Vec::new();
        self.processes.all_gather(&[hasher.finish()], &mut all).map_err(lost)?;
        match all.iter().position(|hash| *hash != all[0]) {
            None => Ok(()),
            Some(other) => Err(self.said_once(CommandFailure::input(format!(
                "processes 0 and {other} have different {what}s: the same {what} and the same philae for all processes would work"
            )))),
        }
    }

    /// The connection to the other processes, for the run.
    pub fn processes(&mut self) -> &mut dyn Processes {
        self.processes.as_mut()
    }
}

impl Launched {
    /// A failure that every process finds by itself.
    fn say(self, message: String) -> CommandFailure {
        if self.number == 0 { CommandFailure::input(message) } else { CommandFailure::said_elsewhere() }
    }
}

/// A process has lost the others, and reports it itself.
fn lost(error: ProcessLost) -> CommandFailure {
    CommandFailure::run(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(variables: &[(&str, &str)]) -> Option<(u32, u32)> {
        let find = |name: &str| Some(variables.iter().find(|(known, _)| *known == name)?.1.to_owned());
        Launched::find(find).map(|(launched, _)| (launched.count, launched.number))
    }

    #[test]
    fn launchers_are_recognised_by_what_they_set() {
        assert_eq!(found(&[]), None);
        assert_eq!(found(&[("OMPI_COMM_WORLD_SIZE", "4"), ("OMPI_COMM_WORLD_RANK", "3")]), Some((4, 3)));
        assert_eq!(found(&[("PMI_SIZE", "2"), ("PMI_RANK", "1")]), Some((2, 1)));
        assert_eq!(found(&[("PMI_SIZE", "1"), ("PMI_RANK", "0")]), None, "one process is no company");
        assert_eq!(found(&[("PMI_SIZE", "many")]), None);
    }

    #[test]
    fn one_process_fails_with_its_own_words() {
        let mut world = ProcessGroup { processes: Box::new(SingleProcess), on_this_machine: 1 };
        assert!(matches!(world.together(Ok(7)), Ok(7)));
        let failed = world.together::<()>(Err(CommandFailure::input("no file"))).expect_err("it failed");
        assert_eq!(failed.parts(), (2, "no file"));
        assert!(world.check_same("scenario", "text").is_ok());
    }
}
