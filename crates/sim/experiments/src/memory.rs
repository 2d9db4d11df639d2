//! Checks whether a run fits into the machine's memory: before it begins, and during the run,
//! before the system ends it.

use philae_results::format::bytes;
use philae_results::record::PortSample;
use philae_scenario::ResolvedScenario;
use philae_units::RankId;
use philae_workload::{Action, Workload, WorkloadSpec};
use std::time::{Duration, Instant};

/// Minimum memory of the network for each endpoint before its first event, in bytes.
///
/// Source: `philae bench`, the least bytes per endpoint when idle (1,592, a fat tree of 1,024
/// endpoints without a law). Status: measured.
const IDLE_BYTES_PER_ENDPOINT: u64 = 1_500;

/// Minimum additional memory of a NIC under load, in bytes: its packets in flight, their flows and
/// their events.
///
/// Source: `philae bench` on 1,024 endpoints, the largest difference between bytes per endpoint at
/// the end of a run and idle (uniform random on the fat tree, 8,900), plus a third. Status:
/// measured. A run with more messages at a time takes more.
const LOADED_BYTES_PER_NIC: u64 = 12 << 10;

/// Additional memory of a NIC if every buffer of the network fills, in bytes.
///
/// Source: `scenarios/largest`, the peak of the process less the network's memory, divided by its
/// NICs (32 KiB after 100 µs of permutation.toml, 50 KiB after 100 µs of uniform.toml, the rows of
/// its 2.4 million flows among them), plus a tenth. Status: measured.
const SATURATED_BYTES_PER_NIC: u64 = 56 << 10;

/// Minimum memory of a rank before its first event, in bytes: its entry, its program, its place and
/// its start.
///
/// Source: `philae simulate` of an alltoall of 1,280,000 ranks on 128 nodes until 1 ns: the peak of
/// the process less that of 128 ranks, divided by the ranks (428). Status: measured.
const RANK_BYTES: u64 = 400;

/// Memory of an operation that a rank begins, in bytes: its record, its message or its receive, and
/// its events.
///
/// Source: the same run until 1 µs, when its ranks have begun 62 operations each: the additional
/// memory, divided by the operations (189), less a third, which other operations do not need.
/// Status: measured.
const OPERATION_BYTES: u64 = 128;

/// Memory above which an estimate is worth a line: less is available anywhere.
const NOTED_BYTES: u64 = 1 << 30;

/// A run stops when less is free than this part of what its process holds: the memory of a
/// checkpoint and a result, and of its growth until the next check.
///
/// Source: ours. Status: assumed.
const SPARE_SHARE: u64 = 8;

/// Real time between two checks of the free memory.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The ranks of a run, and the operations that they start with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ranks {
    /// Over all jobs.
    count: u64,
    /// NICs with a rank.
    nics: u64,
    /// Operations that all of them begin at their start, extrapolated from a few of them.
    operations: u64,
}

impl Ranks {
    /// The ranks of a scenario. For each job it asks the programs of the first rank, which may be
    /// the root of all, and of a few others.
    pub fn of(resolved: &ResolvedScenario) -> Self {
        let count: u64 = resolved.jobs.iter().map(|job| job.places.len() as u64).sum();
        let operations = resolved.jobs.iter().map(|job| {
            let ranks = job.places.len() as u32;
            if matches!(job.section.workload, WorkloadSpec::RealProgram(_)) {
                // Its processes decide; most have few at a time.
                return u64::from(ranks);
            }
            let begun = |rank: u32| {
                let mut program = job.section.workload.program(RankId(rank), ranks, job.seed);
                let mut actions = Vec::new();
                program.advance(None, &mut actions);
                actions.iter().filter(|action| matches!(action, Action::Start(..))).count() as u64
            };
            let others = [1, ranks / 2, ranks.saturating_sub(1)].map(|rank| rank.clamp(1, ranks.max(2) - 1));
            let first = if ranks > 0 { begun(0) } else { 0 };
            let mean = if ranks > 1 { others.into_iter().map(begun).sum::<u64>() / 3 } else { 0 };
            first + mean * u64::from(ranks.saturating_sub(1))
        });
        let nics = count.min(resolved.system.topology.endpoint_count() as u64);
        Self { count, nics, operations: operations.sum() }
    }

    /// The part of one of `processes` processes.
    const fn among(self, processes: u32) -> Self {
        let processes = if processes == 0 { 1 } else { processes as u64 };
        Self { count: self.count / processes, nics: self.nics / processes, operations: self.operations / processes }
    }
}

/// The memory need of a run in this process.
pub struct Need {
    /// Memory of the network and the ranks, in bytes.
    network: u64,
    /// Whether they already have it.
    is_built: bool,
    ranks: Ranks,
    /// Maximum memory of the rows of all its ports over time, in bytes.
    rows: u64,
}

impl Need {
    /// For a run whose network is not built yet, with its number of endpoints, shared among
    /// `processes` processes.
    pub fn planned(endpoints: u64, ranks: Ranks, processes: u32) -> Self {
        let ranks = ranks.among(processes);
        let network = endpoints * IDLE_BYTES_PER_ENDPOINT / u64::from(processes.max(1)) + ranks.count * RANK_BYTES;
        Self { network, is_built: false, ranks, rows: 0 }
    }

    /// For a run that is ready to begin, with its present memory, and the number of busy NICs of
    /// this process.
    pub const fn built(network: u64, nics: u64, ranks: Ranks, processes: u32) -> Self {
        Self { network, is_built: true, ranks: Ranks { nics, ..ranks.among(processes) }, rows: 0 }
    }

    /// Adds `ports` ports, each of which may have a row for each sampling interval up to the time
    /// limit.
    pub fn with_rows(self, ports: u64, intervals: u64) -> Self {
        Self { rows: ports.saturating_mul(intervals).saturating_mul(size_of::<PortSample>() as u64), ..self }
    }

    /// Its minimum, in bytes.
    #[must_use]
    pub fn least(&self) -> u64 {
        self.network + self.traffic_least()
    }

    fn traffic_least(&self) -> u64 {
        (self.ranks.nics * LOADED_BYTES_PER_NIC).max(self.ranks.operations * OPERATION_BYTES)
    }

    /// Refuses a run that will not fit, and returns how much a large one may take once it is built.
    ///
    /// `processes` processes of the run are on this machine, each with about the same share.
    pub fn check(&self, processes: u32) -> Result<Option<String>, String> {
        self.check_with(free().map(|free| free / u64::from(processes.max(1))))
    }

    fn check_with(&self, free: Option<u64>) -> Result<Option<String>, String> {
        let said = |amount: u64| bytes(amount as f64);
        let Ranks { count, nics, operations } = self.ranks;
        let begun = operations * OPERATION_BYTES;
        let (least, traffic) = (self.traffic_least(), (nics * SATURATED_BYTES_PER_NIC).max(begun));
        let most = traffic.saturating_add(self.rows);
        let rows = match self.rows {
            NOTED_BYTES.. => {
                format!(" and the rows of its ports over time {} (measure.sample_interval)", said(self.rows))
            }
            _ => String::new(),
        };
        let to_build = if self.is_built { 0 } else { self.network };
        match free {
            Some(free) if to_build + least > free => Err(format!(
                "the run will take about {} for its network and its {count} ranks, and {} more for its traffic, {}; {}, and \
                 {} are free: fewer ranks, a smaller system or a machine with more memory would work; \
                 --ignore-memory begins the run regardless",
                said(self.network),
                said(least),
                if least > begun {
                    format!("{} for each of {nics} NICs", said(LOADED_BYTES_PER_NIC))
                } else {
                    format!("{} for each of the {operations} operations that ranks begin with", said(OPERATION_BYTES))
                },
                if self.is_built { "they have their part" } else { "nothing is built yet" },
                said(free)
            )),
            _ if !self.is_built => Ok(None),
            Some(free) if most > free => Ok(Some(format!(
                "warning: memory: the network takes {}; its traffic may take {} more if it fills every buffer{rows}, and {} are free",
                said(self.network),
                said(traffic),
                said(free)
            ))),
            _ if self.network + most >= NOTED_BYTES => Ok(Some(format!(
                "memory: {} for the network, {} to {} more under load{}{}",
                said(self.network),
                said(least),
                said(traffic),
                if rows.is_empty() { rows } else { format!(",{rows}") },
                free.map_or(String::new(), |free| format!(", {} free", said(free)))
            ))),
            _ => Ok(None),
        }
    }
}

/// Observes the free memory during a run: its growth shows only then.
pub struct MemoryWatch {
    looked: Instant,
    /// The shortage, once there is one.
    short: Option<String>,
}

impl Default for MemoryWatch {
    fn default() -> Self {
        Self { looked: Instant::now(), short: None }
    }
}

impl MemoryWatch {
    /// Whether the run must end for lack of memory.
    pub fn is_short(&mut self) -> bool {
        if self.short.is_none() && self.looked.elapsed() >= LOOK_EVERY {
            let (held, free) = held_and_free();
            self.short = short(held, free);
            self.looked = Instant::now();
        }
        self.short.is_some()
    }

    /// The reason why the run had to end, if it had to.
    pub fn reason(self) -> Option<String> {
        self.short
    }
}

/// The message if a process holds so much and so little is free that it cannot continue.
fn short(held: Option<u64>, free: Option<u64>) -> Option<String> {
    let (held, free) = (held?, free?);
    (free < held / SPARE_SHARE).then(|| {
        format!(
            "stopped: memory: the run holds {} and {} are free; measure.flows=false and a longer measure.sample_interval take less, \
             and with --checkpoint a machine with more memory can continue the run",
            bytes(held as f64),
            bytes(free as f64)
        )
    })
}

/// The message if a program that prepares a run, or is in the middle of a step of it, holds so much
/// memory that the free memory may not suffice for the rest.
pub fn short_while_busy(is_run: bool) -> Option<String> {
    let (held, free) = held_and_free();
    let (held, free) = (held?, free?);
    // A run that is not checking now may be about to end, with a result.
    let share = if is_run { 4 * SPARE_SHARE } else { SPARE_SHARE };
    (free < held / share).then(|| {
        format!(
            "this command needs more memory than the machine has: {}, {} are in use and {} are free; fewer ranks, a \
             smaller system, shorter traces or a machine with more memory would work",
            if is_run { "no result was written" } else { "nothing was run" },
            bytes(held as f64),
            bytes(free as f64)
        )
    })
}

/// The message if the system refuses this much memory.
pub fn refused(asked: u64) -> String {
    let said =
        |amount: Option<u64>| amount.map_or_else(|| "an unknown amount".to_owned(), |amount| bytes(amount as f64));
    let (held, free) = held_and_free();
    format!(
        "the operating system refuses memory: {} more are needed, {} are in use and {} are free; fewer ranks, a \
         smaller system, less recording (measure.flows=false, a longer measure.sample_interval), a higher limit \
         (ulimit -v) or a machine with more memory would work",
        said(Some(asked)),
        said(held),
        said(free)
    )
}

/// Memory that this process can still take, in bytes, if the system reports it.
#[must_use]
pub fn free() -> Option<u64> {
    free_bytes(|path| std::fs::read_to_string(path).ok())
}

/// The number of runs of `least` bytes each that fit into `free` at a time, at most `most`; at
/// least one.
#[must_use]
pub fn at_a_time(least: u64, free: Option<u64>, most: usize) -> usize {
    let fit = free.map_or(most, |free| usize::try_from(free / least.max(1)).unwrap_or(most));
    fit.clamp(1, most.max(1))
}

fn held_and_free() -> (Option<u64>, Option<u64>) {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    (kib_in(&read, "/proc/self/status", "VmRSS:"), free_bytes(read))
}

/// A number of KiB in a file of Linux, in bytes.
fn kib_in(read: &impl Fn(&str) -> Option<String>, file: &str, key: &str) -> Option<u64> {
    let text = read(file)?;
    let rest = text.lines().find_map(|line| line.strip_prefix(key))?;
    rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib << 10)
}

/// Memory that this process can still take, as Linux reports it: the machine's, its control group's
/// and its own limit's.
fn free_bytes(read: impl Fn(&str) -> Option<String>) -> Option<u64> {
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let machine = kib_in(&read, "/proc/meminfo", "MemAvailable:");
    let group = || {
        let most = number(&read("/sys/fs/cgroup/memory.max")?)?;
        let taken = number(&read("/sys/fs/cgroup/memory.current")?)?;
        // The group's file cache is released on demand.
        let files = read("/sys/fs/cgroup/memory.stat")?;
        let files = files.lines().find_map(|line| number(line.strip_prefix("inactive_file ")?)).unwrap_or(0);
        Some(most.saturating_sub(taken.saturating_sub(files)))
    };
    let own = || {
        let limits = read("/proc/self/limits")?;
        let row = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
        let most = number(row.split_whitespace().next()?)?;
        Some(most.saturating_sub(kib_in(&read, "/proc/self/status", "VmSize:")?))
    };
    [machine, group(), own()].into_iter().flatten().min()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rank for each NIC.
    fn ranks(nics: u64) -> Ranks {
        Ranks { count: nics, nics, operations: nics }
    }

    fn built(network: u64, nics: u64) -> Need {
        Need::built(network, nics, ranks(nics), 1)
    }

    #[test]
    fn what_fits_runs_and_what_does_not_is_refused_with_figures() {
        let said = |network, nics, free| built(network, nics).check_with(free).expect("it may begin");
        assert_eq!(said(1 << 20, 1_024, Some(8 << 30)), None);
        assert_eq!(said(1 << 20, 1_024, None), None, "nothing is known");
        let noted = said(512 << 20, 279_040, Some(16 << 30)).expect("it is large");
        assert_eq!(noted, "memory: 512 MiB for the network, 3.193 GiB to 14.9 GiB more under load, 16 GiB free");
        assert!(said(512 << 20, 279_040, None).expect("it is large").ends_with("under load"));
        let warned = said(512 << 20, 279_040, Some(8 << 30)).expect("it may not suffice");
        for part in ["warning", "512 MiB", "14.9 GiB more", "8 GiB are free"] {
            assert!(warned.contains(part), "'{part}' in {warned}");
        }
        let refused = built(512 << 20, 279_040).check_with(Some(2 << 30)).expect_err("3.2 GiB are needed");
        for part in ["3.193 GiB", "512 MiB", "12 KiB for each of 279040 NICs", "2 GiB are free", "--ignore-memory"] {
            assert!(refused.contains(part), "'{part}' in {refused}");
        }
    }

    #[test]
    fn as_many_runs_go_on_at_a_time_as_fit() {
        let least = built(1 << 30, 1_024).least();
        assert_eq!(least, (1 << 30) + 1_024 * (12 << 10));
        assert_eq!([0, 1, 2, 5, 100].map(|times| at_a_time(least, Some(times * least + 1), 8)), [1, 1, 2, 5, 8]);
        assert_eq!((at_a_time(least, None, 8), at_a_time(0, Some(1), 8), at_a_time(least, Some(1), 0)), (8, 1, 1));
    }

    #[test]
    fn rows_of_ports_are_counted() {
        // 100 intervals of the ports of the largest system.
        let noted = |free| built(512 << 20, 279_040).with_rows(1_116_160, 100).check_with(Some(free)).expect("a line");
        let rows = "the rows of its ports over time 4.158 GiB (measure.sample_interval)";
        let said = noted(22 << 30).expect("it is large");
        assert_eq!(
            said,
            format!("memory: 512 MiB for the network, 3.193 GiB to 14.9 GiB more under load, and {rows}, 22 GiB free")
        );
        let said = noted(18 << 30).expect("it may not suffice");
        assert!(
            said.starts_with("warning") && said.contains(&format!("14.9 GiB more if it fills every buffer and {rows}")),
            "{said}"
        );
    }

    #[test]
    fn a_network_that_will_not_fit_is_refused_before_it_is_built() {
        let planned = |processes| Need::planned(4_000_000, ranks(1_000), processes);
        let refused = planned(1).check_with(Some(4 << 30)).expect_err("6 GiB are needed");
        for part in ["5.588 GiB for its network and its 1000 ranks", "nothing is built yet", "4 GiB are free"] {
            assert!(refused.contains(part), "'{part}' in {refused}");
        }
        assert_eq!(planned(2).check_with(Some(4 << 30)).expect("each process builds half"), None);
        assert_eq!(planned(1).check_with(None).expect("nothing is known"), None);
    }

    #[test]
    fn ranks_and_what_they_begin_with_are_counted() {
        let many = Ranks { count: 12_800_000, nics: 128, operations: 12_800_000 * 62 };
        let refused = Need::planned(576, many, 1).check_with(Some(20 << 30)).expect_err("94 GiB are needed");
        for part in [
            "4.769 GiB for its network and its 12800000 ranks",
            "94.6 GiB more",
            "793600000 operations",
            "20 GiB are free",
        ] {
            assert!(refused.contains(part), "'{part}' in {refused}");
        }
        let said = Need::planned(576, Ranks { operations: 0, ..many }, 1).check_with(Some(4 << 30));
        assert!(said.expect_err("4.8 GiB are needed").contains("4 GiB are free"));
        assert_eq!(
            Need::planned(576, Ranks { operations: 0, ..many }, 2).check_with(Some(4 << 30)).expect("half of it"),
            None
        );
    }

    #[test]
    fn a_run_stops_while_its_result_can_still_be_written() {
        assert_eq!(short(Some(16 << 30), Some(2 << 30)), None);
        assert_eq!(short(Some(64 << 20), Some(32 << 20)), None, "a small run does with little");
        assert_eq!(short(None, Some(1)), None, "nothing is known");
        let said = short(Some(16 << 30), Some(1 << 29)).expect("it is short");
        for part in ["holds 16 GiB", "512 MiB are free", "measure.flows=false", "--checkpoint"] {
            assert!(said.contains(part), "'{part}' in {said}");
        }
    }

    #[test]
    fn the_smallest_of_the_limits_counts() {
        let files = |group: &'static str, own: &'static str| {
            move |path: &str| {
                let text = match path {
                    "/proc/meminfo" => "MemTotal:  99 kB\nMemAvailable:    8000 kB\n",
                    "/sys/fs/cgroup/memory.max" => group,
                    "/sys/fs/cgroup/memory.current" => "3000000\n",
                    "/sys/fs/cgroup/memory.stat" => "anon 5\ninactive_file 1000000\n",
                    "/proc/self/limits" => own,
                    "/proc/self/status" => "VmSize:\t 1000 kB\n",
                    _ => return None,
                };
                Some(text.to_owned())
            }
        };
        let unlimited = "Limit  Soft\nMax address space         unlimited            unlimited            bytes\n";
        assert_eq!(free_bytes(files("max\n", unlimited)), Some(8_000 << 10));
        assert_eq!(free_bytes(files("5000000\n", unlimited)), Some(3_000_000));
        let limited = "Max address space         3072000            unlimited            bytes\n";
        assert_eq!(free_bytes(files("max\n", limited)), Some(2_000 << 10));
        assert_eq!(free_bytes(|_| None), None);
    }
}
