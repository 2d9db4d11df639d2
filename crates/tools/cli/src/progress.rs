//! Progress of a run on standard error: a bar for people, JSON lines for programs.

use crate::arguments::{CommonOptions, ProgressStyle};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle as BarStyle};
use philae_fabric::Advance;
use philae_results::format::{short, time_ps, wall_seconds};
use philae_units::{Picoseconds, counted};
use serde::Serialize;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Real time between two reports.
const BAR_EVERY: Duration = Duration::from_millis(100);
const LINE_EVERY: Duration = Duration::from_millis(500);
/// Steps of the bar.
const STEPS: u64 = 1_000;

/// Destination of the reports.
enum Sink {
    Nowhere,
    Lines,
    Bar(ProgressBar),
}

/// Progress of one run.
pub struct RunProgress {
    sink: Sink,
    limit: Option<Picoseconds>,
    ranks: u64,
    began: Instant,
    from: Advance,
    reported: Option<Instant>,
    before: (Instant, u64, u64),
}

/// One report.
#[derive(Clone, Copy, Debug, Serialize)]
struct Report {
    simulated_ps: u64,
    events: u64,
    packet_hops: u64,
    events_per_second: f64,
    packet_hops_per_second: f64,
    unfinished_ranks: u32,
    ending_ranks: u64,
    wall_seconds: f64,
    /// Simulated time over the time limit; absent without a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    share_of_time_limit: Option<f64>,
    /// Real time until the limit at the present pace; a run whose jobs end earlier takes less.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds_left_at_most: Option<f64>,
}

impl RunProgress {
    /// In the form that the command line asks for, for a run that begins at `from`. `ranks` are
    /// those of jobs that end.
    pub fn new(shared: CommonOptions, limit: Picoseconds, ranks: u64, from: Advance) -> Self {
        let auto_bar = std::io::stderr().is_terminal() && !shared.quiet;
        let sink = match shared.progress {
            ProgressStyle::Json => Sink::Lines,
            ProgressStyle::None => Sink::Nowhere,
            ProgressStyle::Bar => Sink::Bar(bar()),
            ProgressStyle::Auto if auto_bar => Sink::Bar(bar()),
            ProgressStyle::Auto => Sink::Nowhere,
        };
        let now = Instant::now();
        let limit = (limit != Picoseconds::MAX).then_some(limit);
        Self { sink, limit, ranks, began: now, from, reported: None, before: (now, from.events, from.packet_hops) }
    }

    /// Records the progress of the run.
    pub fn update(&mut self, advance: Advance) {
        let every = match self.sink {
            Sink::Nowhere => return,
            Sink::Lines => LINE_EVERY,
            Sink::Bar(_) => BAR_EVERY,
        };
        let now = Instant::now();
        if self.reported.is_some_and(|reported| now.duration_since(reported) < every) {
            return;
        }
        self.reported = Some(now);
        let report = self.report(now, advance);
        match &self.sink {
            Sink::Nowhere => {}
            Sink::Lines => philae_console::note!("{}", serde_json::to_string(&report).unwrap_or_default()),
            Sink::Bar(bar) => {
                bar.set_position((share(&report) * STEPS as f64) as u64);
                bar.set_message(message(&report));
            }
        }
    }

    fn report(&mut self, now: Instant, advance: Advance) -> Report {
        let wall = now.duration_since(self.began).as_secs_f64();
        let span = now.duration_since(self.before.0).as_secs_f64().max(1e-9);
        let rate = |count: u64, before: u64| count.saturating_sub(before) as f64 / span;
        let share = self.limit.map(|limit| (advance.now.0 as f64 / limit.0 as f64).min(1.0));
        let (done, left) =
            (advance.now.saturating_sub(self.from.now), self.limit.map(|limit| limit.saturating_sub(advance.now)));
        let report = Report {
            simulated_ps: advance.now.0,
            events: advance.events,
            packet_hops: advance.packet_hops,
            events_per_second: rate(advance.events, self.before.1),
            packet_hops_per_second: rate(advance.packet_hops, self.before.2),
            unfinished_ranks: advance.unfinished,
            ending_ranks: self.ranks,
            wall_seconds: wall,
            share_of_time_limit: share,
            seconds_left_at_most: left.filter(|_| done.0 > 0).map(|left| wall * left.0 as f64 / done.0 as f64),
        };
        self.before = (now, advance.events, advance.packet_hops);
        report
    }

    /// Clears the bar.
    pub fn finish(self) {
        if let Sink::Bar(bar) = &self.sink {
            bar.finish_and_clear();
        }
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::stderr());
    let style = BarStyle::with_template("{bar:16} {percent:>3} %  {wide_msg}");
    bar.set_style(style.unwrap_or_else(|_| BarStyle::default_bar()));
    bar
}

/// The larger of the shares of time and of finished ranks.
fn share(report: &Report) -> f64 {
    let finished = match report.ending_ranks {
        0 => 0.0,
        ranks => 1.0 - f64::from(report.unfinished_ranks) / ranks as f64,
    };
    report.share_of_time_limit.unwrap_or(0.0).max(finished)
}

fn message(report: &Report) -> String {
    // The most important part first, because a narrow terminal cuts off the end.
    let mut parts = vec![format!("{} simulated", time_ps(report.simulated_ps as f64))];
    if let Some(left) = report.seconds_left_at_most {
        parts.push(format!("{} left at most", wall_seconds(left)));
    } else if report.ending_ranks > 0 {
        parts.push(format!("{} of {} left", report.unfinished_ranks, counted(report.ending_ranks, "rank")));
    }
    parts.push(format!("{} events/s", short(report.events_per_second)));
    parts.push(format!("{} packet-hops/s", short(report.packet_hops_per_second)));
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_from_the_share_of_the_time_limit() {
        let now = Instant::now();
        let limit = Some(Picoseconds(1_000));
        let progress = |from: Advance| RunProgress {
            sink: Sink::Nowhere,
            limit,
            ranks: 8,
            began: now,
            from,
            reported: None,
            before: (now, from.events, from.packet_hops),
        };
        let advance = Advance { now: Picoseconds(250), events: 100, packet_hops: 10, unfinished: 2 };
        let report = progress(Advance::default()).report(now + Duration::from_secs(2), advance);
        assert_eq!(report.share_of_time_limit, Some(0.25));
        assert_eq!(report.seconds_left_at_most, Some(6.0));
        assert_eq!(report.events_per_second, 50.0);
        assert_eq!(share(&report), 0.75, "three quarters of the ranks have finished");
        let resumed = Advance { now: Picoseconds(200), events: 90, packet_hops: 8, unfinished: 0 };
        let report = progress(resumed).report(now + Duration::from_secs(2), advance);
        assert_eq!((report.share_of_time_limit, report.seconds_left_at_most), (Some(0.25), Some(30.0)), "50 took 2 s");
        assert_eq!((report.events_per_second, report.packet_hops_per_second), (5.0, 1.0), "of what was done here");
    }
}
