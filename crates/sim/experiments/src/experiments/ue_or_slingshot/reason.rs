//! Why a column is ahead, in a sentence made of what its slowest messages waited for.

use philae_results::format::time_ps;

use super::reading::{Reasons, TimeGroup};
use super::table::{ColumnRank, LoadAnswer};

/// A second reason is named if it is at least this part of the difference. Source: ours. Status:
/// assumed.
const WORTH_NAMING: f64 = 0.2;

/// The sentence for a load on a network.
pub fn why(answer: &LoadAnswer, columns: &[&str]) -> String {
    let Some(best) = answer.best() else {
        return "In no column did all runs end with all their data.".to_owned();
    };
    let worst = answer.worst().unwrap_or(best);
    let result = |column: usize| answer.entries[column].text(answer.load.measured);
    let reasons = |column: usize| answer.entries[column].readings().find_map(|run| run.reasons.as_ref());
    let name = |column: usize| columns[column];
    if (0..columns.len()).all(|column| answer.rank(column) != ColumnRank::Behind) {
        let own = reasons(best).map(|reasons| format!(" {}", largest(reasons))).unwrap_or_default();
        return format!("No column is shown to be behind {} ({}).{own}", name(best), result(best));
    }
    let ends = format!("{} is best ({}), {} worst ({}).", name(best), result(best), name(worst), result(worst));
    match (reasons(best), reasons(worst)) {
        (Some(best), Some(worst)) => format!("{ends} {}", compared(best, worst)),
        _ => ends,
    }
}

/// Where most of the time went.
fn largest(reasons: &Reasons) -> String {
    let group =
        TimeGroup::ALL.into_iter().max_by(|one, other| reasons.of_group(*one).total_cmp(&reasons.of_group(*other)));
    let group = group.unwrap_or(TimeGroup::Own);
    format!(
        "Its {} slowest messages take {}, most of it ({}) for {}.",
        reasons.messages,
        time_ps(reasons.latency_ps()),
        time_ps(reasons.of_group(group)),
        group.name()
    )
}

/// The groups in which the worst column's messages take longer, the largest first.
fn compared(best: &Reasons, worst: &Reasons) -> String {
    let more = |group: TimeGroup| worst.of_group(group) - best.of_group(group);
    let mut groups = TimeGroup::ALL.to_vec();
    groups.sort_by(|one, other| more(*other).total_cmp(&more(*one)));
    let difference = worst.latency_ps() - best.latency_ps();
    let latencies = format!(
        "Their {} slowest messages take {} and {}",
        best.messages.min(worst.messages),
        time_ps(best.latency_ps()),
        time_ps(worst.latency_ps())
    );
    let paths = format!("the last packets crossed {:.1} and {:.1} switches", best.switches, worst.switches);
    if difference <= 0.0 {
        return format!("{latencies}, so single messages do not explain it; {paths}.");
    }
    let named = groups.iter().take(2).filter(|group| more(**group) >= WORTH_NAMING * difference);
    let named: Vec<String> = named
        .map(|group| {
            format!("{} ({} and {})", group.name(), time_ps(best.of_group(*group)), time_ps(worst.of_group(*group)))
        })
        .collect();
    let lies =
        if named.is_empty() { String::new() } else { format!("; the difference lies in {}", named.join(" and ")) };
    format!("{latencies}{lies}; {paths}.")
}
