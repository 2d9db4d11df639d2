//! The call log: a PE prints its calls, as `SHMEM_DEBUG_LEVEL` and its two companion variables ask.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use crate::error::say;

/// A category of functions, given by parts of their names (`$`: the name's end); the first match
/// counts.
struct Category {
    name: &'static str,
    /// The lowest level that logs its calls.
    level: u32,
    parts: &'static [&'static str],
}

/// All categories. Source: ours; the vendor's levels go from 1 to 5. Status: assumed.
const CATEGORIES: [Category; 12] = [
    Category { name: "init", level: 2, parts: &["init", "finalize", "global_exit"] },
    Category { name: "lock", level: 3, parts: &["lock"] },
    Category { name: "memory", level: 3, parts: &["alloc", "align", "free", "ptr"] },
    Category { name: "order", level: 4, parts: &["fence", "quiet", "complete"] },
    Category { name: "wait", level: 4, parts: &["wait", "test"] },
    Category { name: "signal", level: 4, parts: &["signal"] },
    Category {
        name: "collective",
        level: 3,
        parts: &["barrier", "sync", "broadcast", "collect", "alltoall", "reduce", "to_all", "scan"],
    },
    Category {
        name: "ctx",
        level: 3,
        parts: &["ctx_create", "create_ctx", "ctx_destroy", "ctx_get", "session", "thread"],
    },
    Category { name: "team", level: 3, parts: &["team"] },
    Category { name: "amo", level: 5, parts: &["atomic", "add", "inc", "swap", "fetch", "set", "xor"] },
    Category { name: "rma", level: 5, parts: &["put", "get", "_p$", "_g$"] },
    Category { name: "other", level: 4, parts: &[""] },
];

/// The vendor's other names, with the categories of ours that they stand for. A name whose calls do
/// not exist here stands for none. Source: the vendor's manual. Status: published.
const ALIASES: [(&str, &str); 15] = [
    ("put", "rma"),
    ("get", "rma"),
    ("synch", "order,wait"),
    ("coll", "collective"),
    ("mem", "memory"),
    ("thread", "ctx"),
    ("enter", "all"),
    ("locality", ""),
    ("dat", ""),
    ("fi", ""),
    ("timers", ""),
    ("xpmem", ""),
    ("dmapp", ""),
    ("counters", ""),
    ("nic", ""),
];

/// The levels; 1 logs only errors.
pub const LEVELS: std::ops::RangeInclusive<u32> = 1..=5;

/// The names of all categories, for messages.
pub const NAMES: &str =
    "init, lock, memory, order, wait, signal, collective, ctx, team, amo, rma, other or all, and the vendor's names";

/// The categories that this PE logs, a bit for each.
static SAID: AtomicU32 = AtomicU32::new(0);

/// The start of the log's clock.
static BEGAN: OnceLock<Instant> = OnceLock::new();

/// Parses a list of category names; `None` if one of them is unknown.
pub(crate) fn kinds(list: &str) -> Option<u32> {
    list.split(',').map(str::trim).try_fold(0, |kinds, name| {
        if name.eq_ignore_ascii_case("all") {
            return Some(u32::MAX);
        }
        if let Some((_, ours)) = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name)) {
            return Some(kinds | if ours.is_empty() { 0 } else { self::kinds(ours)? });
        }
        let found = CATEGORIES.iter().position(|category| category.name.eq_ignore_ascii_case(name))?;
        Some(kinds | 1 << found)
    })
}

/// Starts to log calls of these categories, as far as the level permits.
pub(crate) fn begin(level: u32, kinds: u32) {
    let bits = CATEGORIES.iter().enumerate().filter(|(_, category)| category.level <= level);
    let said = bits.fold(0, |said, (number, _)| said | 1 << number) & kinds;
    BEGAN.get_or_init(Instant::now);
    SAID.store(said, Ordering::Relaxed);
}

/// Stops the log.
pub(crate) fn end() {
    SAID.store(0, Ordering::Relaxed);
}

/// Whether the log is on: then the program's inlined code may not carry out any call.
pub(crate) fn is_on() -> bool {
    SAID.load(Ordering::Relaxed) != 0
}

/// Logs the beginning of a call, with the PE if there is one.
#[inline]
pub(crate) fn call(what: &str, pe: Option<i32>) {
    let said = SAID.load(Ordering::Relaxed);
    if said != 0 {
        line(said, what, pe);
    }
}

#[cold]
fn line(said: u32, what: &str, pe: Option<i32>) {
    if said & 1 << number_of(what) == 0 {
        return;
    }
    let seconds = BEGAN.get().map_or(0.0, |began| began.elapsed().as_secs_f64());
    match pe {
        Some(pe) => say(what, &format!("called for PE {pe} at {seconds:.6} s")),
        None => say(what, &format!("called at {seconds:.6} s")),
    }
}

fn number_of(what: &str) -> usize {
    let fits = |part: &&str| part.strip_suffix('$').map_or_else(|| what.contains(*part), |end| what.ends_with(end));
    let is_of = |category: &Category| category.parts.iter().any(fits);
    CATEGORIES.iter().position(is_of).unwrap_or(CATEGORIES.len() - 1)
}

/// The category of a function: its name, and the lowest level that logs its calls.
#[must_use]
pub fn kind_of(what: &str) -> (&'static str, u32) {
    let category = &CATEGORIES[number_of(what)];
    (category.name, category.level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_kinds_and_messages_name_them_all() {
        for category in &CATEGORIES {
            assert!(NAMES.contains(category.name) && LEVELS.contains(&category.level), "{}", category.name);
        }
        assert_eq!(kinds("all"), Some(u32::MAX));
        assert_eq!(kinds("init, RMA"), Some(1 | 1 << 10));
        assert_eq!(kinds("init,rmb"), None);
        assert_eq!((kinds("nic, put,SYNCH"), kinds("enter")), (Some(1 << 10 | 1 << 3 | 1 << 4), Some(u32::MAX)));
        assert!(ALIASES.iter().all(|(_, ours)| ours.is_empty() || kinds(ours).is_some()));
        let known = [
            ("shmem_init_thread", "init"),
            ("shmem_ctx_long_put_nbi", "rma"),
            ("shmem_double_g", "rma"),
            ("shmem_longlong_atomic_fetch_inc", "amo"),
            ("shmemx_short_cswap", "amo"),
            ("shmem_putmem_signal", "signal"),
            ("shmem_signal_wait_until", "wait"),
            ("shmem_team_sync", "collective"),
            ("shmem_team_ptr", "memory"),
            ("shmem_team_split_2d", "team"),
            ("shmem_int_sum_to_all", "collective"),
            ("shmem_ctx_pe_quiet", "order"),
            ("shmem_clear_lock", "lock"),
            ("shmem_malloc_with_hints", "memory"),
            ("shmem_ctx_session_start", "ctx"),
            ("shmem_pcontrol", "other"),
        ];
        for (function, kind) in known {
            assert_eq!(kind_of(function).0, kind, "{function}");
        }
    }
}
