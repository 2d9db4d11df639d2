//! The settings from the environment: one table of variables with their documentation, and their
//! parsed values.

use std::ops::RangeInclusive;

use crate::error::Error;
use crate::log;
use crate::memory::{HugePages, parse_size};
use crate::remote::ranges;

/// An environment variable.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// Its name, with `SHMEM_`.
    pub name: &'static str,
    /// An alias, either deprecated or the vendor's; `""`: none. The first name wins.
    pub other: &'static str,
    /// Its legal values.
    pub works: &'static str,
    pub default: &'static str,
    pub effect: &'static str,
}

/// All variables except the NIC's. Source: SYMMETRIC_SIZE, DEBUG, INFO, VERSION: OpenSHMEM 1.6,
/// chapter 8. ERROR_FILE, FREEMEM_THRESHOLD, ABORT_ON_ERROR, DEBUG_LEVEL, DEBUG_CATEGORIES,
/// DEBUG_RANKS, MAX_CTX, and the names with DISPLAY: the vendor's manual. Status: published. The
/// others are ours.
pub const VARIABLES: [Variable; 17] = [
    Variable {
        name: "SHMEM_SYMMETRIC_SIZE",
        other: "SMA_SYMMETRIC_SIZE",
        works: "bytes, with an optional unit k, m, g or t: 512m, 2g, 3.1M",
        default: "1g, or an equal part of half of the host's memory if that is less",
        effect: "the size of each PE's symmetric heap; untouched pages cost nothing",
    },
    Variable {
        name: "SHMEM_DEBUG",
        other: "SMA_DEBUG",
        works: "0 or 1",
        default: "0",
        effect: "checks every call, also for overlapping source and destination, and compares the collective calls of PEs; slower. If one PE has it, it applies to all",
    },
    Variable {
        name: "SHMEM_INFO",
        other: "SMA_INFO",
        works: "0 or 1",
        default: "0",
        effect: "PE 0 prints these variables at initialisation",
    },
    Variable {
        name: "SHMEM_VERSION",
        other: "SMA_VERSION",
        works: "0 or 1",
        default: "0",
        effect: "PE 0 prints the version of this library at initialisation (SHMEM_VERSION_DISPLAY does the same)",
    },
    Variable {
        name: "SHMEM_VERSION_DISPLAY",
        other: "",
        works: "0 or 1",
        default: "0",
        effect: "the vendor's name for SHMEM_VERSION",
    },
    Variable {
        name: "SHMEM_ENV_DISPLAY",
        other: "",
        works: "0 or 1",
        default: "0",
        effect: "PE 0 prints the variables that are set, at initialisation",
    },
    Variable {
        name: "SHMEM_MEMINFO_DISPLAY",
        other: "",
        works: "0 or 1",
        default: "0",
        effect: "every PE prints its memory map at initialisation",
    },
    Variable {
        name: "SHMEM_ERROR_FILE",
        other: "",
        works: "a path",
        default: "",
        effect: "messages are appended to this file instead of going to standard error",
    },
    Variable {
        name: "SHMEM_ABORT_ON_ERROR",
        other: "",
        works: "0 or 1",
        default: "0",
        effect: "a PE that ends by its own error leaves a core dump (abort), if the system allows it",
    },
    Variable {
        name: "SHMEM_FREEMEM_THRESHOLD",
        other: "",
        works: "a percentage, 1 to 1000",
        default: "95",
        effect: "largest share of a host's free memory for the requested heaps together",
    },
    Variable {
        name: "SHMEM_DEBUG_LEVEL",
        other: "",
        works: "1 to 5",
        default: "1",
        effect: "log level of a PE's calls; 1: only errors; 2: also initialisation and end; 3: also memory, locks, teams, contexts and collectives; 4: also order, waits and signals; 5: every call. With 2 or more, no call is inlined",
    },
    Variable {
        name: "SHMEM_DEBUG_CATEGORIES",
        other: "",
        works: log::NAMES,
        default: "all",
        effect: "only calls of these kinds are logged; several separated by commas",
    },
    Variable {
        name: "SHMEM_DEBUG_RANKS",
        other: "",
        works: "a list of PEs such as 0,3-5",
        default: "all",
        effect: "only these PEs log their calls",
    },
    Variable {
        name: "SHMEM_THREAD_SAFETY",
        other: "",
        works: "0 or 1",
        default: "0",
        effect: "PE 0 prints the thread level that the program has, at initialisation",
    },
    Variable {
        name: "SHMEM_MAX_CTX",
        other: "",
        works: "0 to 65535",
        default: "as many as the NIC has",
        effect: "contexts that a PE may have in addition to the default one; above it, shmem_ctx_create returns an error",
    },
    Variable {
        name: "SHMEM_HUGE_PAGES",
        other: "",
        works: "auto, never or reserved",
        default: "auto",
        effect: "huge pages for the heap: if available, never, or those that vm.nr_hugepages has reserved",
    },
    Variable {
        name: "SHMEM_STATIC_DATA",
        other: "",
        works: "0 or 1",
        default: "1",
        effect: "0: the program's static data stays where it is, and is not symmetric",
    },
];

/// The parsed settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShmemSettings {
    /// The heap size of every PE, if it is set.
    pub symmetric_size: Option<u64>,
    /// Whether every call is checked.
    pub debug: bool,
    /// What is printed at initialisation.
    pub shows: ShownAtStart,
    /// Whether an error leaves a core dump.
    pub abort_on_error: bool,
    /// The percentage of the free memory that may be used.
    pub freemem_threshold: u32,
    /// The call log.
    pub log: LogSettings,
    /// The limit on contexts besides the default one, if there is one.
    pub max_ctx: Option<u32>,
    /// Huge pages for the heap.
    pub huge_pages: HugePages,
    /// Whether static data is symmetric.
    pub static_data: bool,
}

/// What PEs print about themselves at initialisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownAtStart {
    /// Whether PE 0 prints all variables.
    pub info: bool,
    /// Whether PE 0 prints the version.
    pub version: bool,
    /// Whether PE 0 prints the variables that are set.
    pub env_display: bool,
    /// Whether every PE prints its memory map.
    pub meminfo: bool,
    /// Whether PE 0 prints the thread level.
    pub thread_safety: bool,
}

/// The call log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogSettings {
    pub level: u32,
    /// The logged categories, a bit for each.
    pub categories: u32,
    /// The PEs that log, as first and last of each range; `None`: all.
    pub ranks: Option<Vec<(u32, u32)>>,
}

/// The value of a variable, by its name or its alias.
#[must_use]
pub fn value(variable: &Variable) -> Option<(&'static str, String)> {
    let names = [variable.name, variable.other].into_iter().filter(|name| !name.is_empty());
    let found = |name: &'static str| Some((name, std::env::var_os(name)?.to_string_lossy().into_owned()));
    names.filter_map(found).next()
}

/// A switch of the standard is on if it is set, except to one of the usual words for no.
fn is_on(text: &str) -> bool {
    !["", "0", "n", "no", "off", "false"].contains(&text.to_ascii_lowercase().as_str())
}

impl ShmemSettings {
    /// Reads the environment.
    ///
    /// # Errors
    /// A variable has an illegal value.
    pub fn read() -> Result<Self, Error> {
        Self::of(&|variable: &Variable| value(variable))
    }

    fn of(look: &dyn Fn(&Variable) -> Option<(&'static str, String)>) -> Result<Self, Error> {
        let variable = |name: &str| {
            let found = VARIABLES.iter().find(|variable| variable.name == name);
            found.and_then(|variable| look(variable).map(|(name, value)| (name, value, variable.works)))
        };
        let switch = |name: &str| variable(name).is_some_and(|(_, value, _)| is_on(&value));
        let wrong = |(name, value, works): (&'static str, String, &'static str)| Error::Setting {
            name,
            value,
            why: "is not one of its values".to_owned(),
            works,
        };
        let symmetric_size = match variable("SHMEM_SYMMETRIC_SIZE") {
            Some((name, value, _)) => Some(parse_size(name, &value)?),
            None => None,
        };
        let freemem_threshold = match variable("SHMEM_FREEMEM_THRESHOLD") {
            None => 95,
            Some(found) => {
                let percent = found.1.trim_end_matches('%').parse::<u32>().ok();
                percent.filter(|percent| (1..=1000).contains(percent)).ok_or_else(|| wrong(found))?
            }
        };
        let number = |name: &str, range: RangeInclusive<u32>| match variable(name) {
            None => Ok(None),
            Some(found) => {
                let number = found.1.trim().parse::<u32>().ok().filter(|number| range.contains(number));
                number.map(Some).ok_or_else(|| wrong(found))
            }
        };
        let debug_categories = match variable("SHMEM_DEBUG_CATEGORIES") {
            None => u32::MAX,
            Some(found) => log::kinds(&found.1).ok_or_else(|| wrong(found))?,
        };
        let debug_ranks = match variable("SHMEM_DEBUG_RANKS") {
            None => None,
            Some(found) => Some(ranges(&found.1).ok_or_else(|| wrong(found))?),
        };
        let huge_pages = match variable("SHMEM_HUGE_PAGES") {
            None => HugePages::Auto,
            Some(found) => match found.1.to_ascii_lowercase().as_str() {
                "auto" => HugePages::Auto,
                "never" => HugePages::Never,
                "reserved" => HugePages::Reserved,
                _ => return Err(wrong(found)),
            },
        };
        Ok(Self {
            symmetric_size,
            debug: switch("SHMEM_DEBUG"),
            shows: ShownAtStart {
                info: switch("SHMEM_INFO"),
                version: switch("SHMEM_VERSION") || switch("SHMEM_VERSION_DISPLAY"),
                env_display: switch("SHMEM_ENV_DISPLAY"),
                meminfo: switch("SHMEM_MEMINFO_DISPLAY"),
                thread_safety: switch("SHMEM_THREAD_SAFETY"),
            },
            abort_on_error: switch("SHMEM_ABORT_ON_ERROR"),
            freemem_threshold,
            log: LogSettings {
                level: number("SHMEM_DEBUG_LEVEL", log::LEVELS)?.unwrap_or(1),
                categories: debug_categories,
                ranks: debug_ranks,
            },
            max_ctx: number("SHMEM_MAX_CTX", 0..=65535)?,
            huge_pages,
            static_data: variable("SHMEM_STATIC_DATA").is_none_or(|(_, value, _)| is_on(&value)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(set: &'static [(&'static str, &'static str)]) -> Result<ShmemSettings, Error> {
        ShmemSettings::of(&|variable| {
            let find =
                |wanted| set.iter().find(|(name, _)| *name == wanted).map(|&(name, value)| (name, value.to_owned()));
            find(variable.name).or_else(|| find(variable.other))
        })
    }

    #[test]
    fn the_standards_names_win_over_deprecated_ones_and_wrong_values_are_errors() {
        let plain = with(&[]).expect("nothing is set");
        assert!(plain.static_data && !plain.debug && plain.symmetric_size.is_none());
        let old = with(&[("SMA_SYMMETRIC_SIZE", "2m"), ("SMA_DEBUG", "1")]).expect("old names");
        assert_eq!((old.symmetric_size, old.debug), (Some(2 << 20), true));
        let both = with(&[("SMA_SYMMETRIC_SIZE", "2m"), ("SHMEM_SYMMETRIC_SIZE", "3m")]).expect("both");
        assert_eq!(both.symmetric_size, Some(3 << 20));
        for (wrong, says) in [
            (with(&[("SMA_SYMMETRIC_SIZE", "2x")]), "SMA_SYMMETRIC_SIZE='2x'"),
            (with(&[("SHMEM_FREEMEM_THRESHOLD", "0")]), "1 to 1000"),
            (with(&[("SHMEM_HUGE_PAGES", "yes")]), "auto, never or reserved"),
            (with(&[("SHMEM_DEBUG_LEVEL", "6")]), "1 to 5"),
            (with(&[("SHMEM_DEBUG_CATEGORIES", "nics")]), "collective, ctx"),
            (with(&[("SHMEM_DEBUG_RANKS", "3-")]), "0,3-5"),
            (with(&[("SHMEM_MAX_CTX", "-1")]), "0 to 65535"),
        ] {
            let error = wrong.expect_err(says).to_string();
            assert!(error.contains(says), "{error}");
        }
        assert!(!with(&[("SHMEM_STATIC_DATA", "0")]).expect("off").static_data);
        assert!(with(&[("SHMEM_VERSION_DISPLAY", "1")]).expect("on").shows.version);
    }
}
