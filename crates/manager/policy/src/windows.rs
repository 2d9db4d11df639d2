//! Maintenance windows and freezes: when switches may be changed. Times are unix seconds.
//!
//! A switch that windows select may be changed only inside one of them, as long as one is open or
//! still to come. A switch that no window selects may be changed at any time. While a freeze that
//! selects a switch is open, it may not be changed, regardless of windows.

use std::cell::RefCell;
use std::collections::BTreeMap;

use philae_units::SwitchId;

use crate::compose::SwitchSubject;
use crate::spec::{MaintenanceWindowSpec, Spec};
use crate::{Document, DocumentKind, DocumentRef, DocumentSet, FabricView};

/// Why switches may not be changed now, and when they may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closed {
    /// The open freeze, or the next window.
    pub by: DocumentRef,
    /// Whether it is a freeze.
    pub freeze: bool,
    /// One of the switches.
    pub switch: SwitchId,
    /// The first time at which all of them may be changed.
    pub opens_at_seconds: u64,
}

struct Window<'a> {
    document: &'a Document,
    spec: &'a MaintenanceWindowSpec,
}

impl Window<'_> {
    const fn is_open(&self, at: u64) -> bool {
        self.spec.starts_at_seconds <= at && at < self.spec.ends_at_seconds
    }
}

/// Whether these windows, which select a switch, allow its change.
fn allows(windows: &[&Window<'_>], at: u64) -> bool {
    if windows.iter().any(|window| window.spec.freeze && window.is_open(at)) {
        return false;
    }
    let mut asked_for =
        windows.iter().filter(|window| !window.spec.freeze && window.spec.ends_at_seconds > at).peekable();
    asked_for.peek().is_none() || asked_for.any(|window| window.is_open(at))
}

/// Whether all of these switches may be changed at `now`.
///
/// # Errors
/// [`Closed`], if one of them may not.
pub fn may_change(
    set: &DocumentSet,
    fabric: &dyn FabricView,
    switches: impl IntoIterator<Item = SwitchId>,
    now: u64,
) -> Result<(), Closed> {
    let windows: Vec<Window<'_>> = set
        .of(DocumentKind::MaintenanceWindow)
        .filter_map(|document| match &document.spec {
            Spec::MaintenanceWindow(spec) if spec.ends_at_seconds > now => Some(Window { document, spec }),
            _ => None,
        })
        .collect();
    if windows.is_empty() {
        return Ok(());
    }
    let labelled: BTreeMap<u32, &Document> =
        set.of(DocumentKind::Switch).filter_map(|found| Some((fabric.find_switch(&found.name)?.0, found))).collect();
    let name = RefCell::new(String::new());
    // Switches selected by the same windows form one case.
    let mut cases: BTreeMap<Vec<usize>, SwitchId> = BTreeMap::new();
    for switch in switches {
        let document = labelled.get(&switch.0).copied();
        let subject = SwitchSubject { fabric, switch, document, name: &name };
        let selects =
            |window: &Window<'_>| window.spec.selector.as_ref().is_none_or(|selector| selector.matches(&subject));
        let selected = windows.iter().enumerate().filter(|(_, window)| selects(window)).map(|(at, _)| at);
        cases.entry(selected.collect()).or_insert(switch);
    }
    let all: Vec<(Vec<&Window<'_>>, SwitchId)> =
        cases.into_iter().map(|(case, switch)| (case.iter().map(|&at| &windows[at]).collect(), switch)).collect();
    let Some((closed, switch)) = all.iter().find(|(case, _)| !allows(case, now)) else { return Ok(()) };
    let mut times: Vec<u64> =
        windows.iter().flat_map(|window| [window.spec.starts_at_seconds, window.spec.ends_at_seconds]).collect();
    times.retain(|at| *at > now);
    times.sort_unstable();
    let opens = times.iter().copied().find(|&at| all.iter().all(|(case, _)| allows(case, at)));
    let last = times.last().copied().unwrap_or(now);
    let frozen = closed.iter().find(|window| window.spec.freeze && window.is_open(now));
    let next = closed.iter().filter(|window| !window.spec.freeze).min_by_key(|window| window.spec.starts_at_seconds);
    let by = frozen.or(next).expect("what closes is a freeze or the lack of a window that is asked for");
    Err(Closed {
        by: by.document.reference(),
        freeze: by.spec.freeze,
        switch: *switch,
        // After the end of the last window, changes are allowed.
        opens_at_seconds: opens.unwrap_or(last),
    })
}

/// The last window of a switch that ended after `since`, with its end; `None` if none did, or if
/// another one is open.
#[must_use]
pub fn ended_window(
    set: &DocumentSet,
    fabric: &dyn FabricView,
    switch: SwitchId,
    since: u64,
    now: u64,
) -> Option<(DocumentRef, u64)> {
    let ended = set.of(DocumentKind::MaintenanceWindow).filter_map(|document| match &document.spec {
        Spec::MaintenanceWindow(spec)
            if !spec.freeze && spec.ends_at_seconds > since && spec.starts_at_seconds <= now =>
        {
            Some(Window { document, spec })
        }
        _ => None,
    });
    let mut of_switch = set.of(DocumentKind::Switch);
    let document = of_switch.find(|found| fabric.find_switch(&found.name) == Some(switch));
    let name = RefCell::new(String::new());
    let subject = SwitchSubject { fabric, switch, document, name: &name };
    let selects = |window: &Window<'_>| window.spec.selector.as_ref().is_none_or(|found| found.matches(&subject));
    let last = ended.filter(selects).max_by_key(|window| window.spec.ends_at_seconds)?;
    (!last.is_open(now)).then(|| (last.document.reference(), last.spec.ends_at_seconds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DocumentChange, Selector, TopologyView};
    use philae_topology::{DragonflyDescription, Topology};

    fn window(name: &str, selector: Option<&str>, from: u64, to: u64, freeze: bool) -> DocumentChange {
        let selector = selector.map(|text| Selector::parse(text).expect("a selector"));
        let spec = MaintenanceWindowSpec { selector, starts_at_seconds: from, ends_at_seconds: to, freeze };
        DocumentChange::Put(Document::new(name, Spec::MaintenanceWindow(spec)))
    }

    #[test]
    fn changes_wait_for_their_window_and_for_the_end_of_a_freeze() {
        let topology = Topology::build(&DragonflyDescription::uniform(3, 4, 2, 2).into()).expect("legal");
        let fabric = TopologyView::new(&topology, "rosetta");
        let set = DocumentSet::default()
            .changed(&[window("night", Some("group=0"), 100, 200, false), window("quarter-end", None, 150, 160, true)]);
        let ask = |switches: &[u32], now| may_change(&set, &fabric, switches.iter().copied().map(SwitchId), now);
        assert_eq!(ask(&[4, 8], 50), Ok(()), "other groups ask for no window");
        let closed = ask(&[0, 4], 50).expect_err("before the window");
        assert_eq!(
            (closed.by.name.as_str(), closed.freeze, closed.switch.0, closed.opens_at_seconds),
            ("night", false, 0, 100)
        );
        assert_eq!(ask(&[0], 100), Ok(()));
        let frozen = ask(&[4], 150).expect_err("everything is frozen");
        assert_eq!((frozen.by.name.as_str(), frozen.freeze, frozen.opens_at_seconds), ("quarter-end", true, 160));
        assert_eq!(ask(&[0], 160), Ok(()), "the window is still open");
        assert_eq!(ask(&[0], 200), Ok(()), "nothing is asked for any more");
        assert_eq!(ask(&[], 150), Ok(()));
    }

    #[test]
    fn the_time_that_is_told_is_one_at_which_all_may_be_changed() {
        let topology = Topology::build(&DragonflyDescription::uniform(3, 4, 2, 2).into()).expect("legal");
        let fabric = TopologyView::new(&topology, "rosetta");
        let set = DocumentSet::default()
            .changed(&[window("a", Some("group=0"), 100, 200, false), window("b", Some("group=1"), 300, 400, false)]);
        let closed = may_change(&set, &fabric, [SwitchId(0), SwitchId(4)], 50).expect_err("they have no common window");
        assert_eq!(closed.opens_at_seconds, 300, "then the first asks for nothing any more");
    }
}
