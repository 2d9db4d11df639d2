//! The report of one run.

use std::fmt::Write as _;

use philae_units::{GroupId, counted};

use super::page::{banner, facts, page, paragraphs, table, tiles};
use super::series::{IntervalBins, congestion_counts, delivered_gbps, latency_cdf};
use crate::chart::{ChartAxis, ChartLine, HeatMap, LineChart, LineKind, escape};
use crate::format::{Unit, bytes, count, number, percent, short, time_ps, wall_seconds};
use crate::latency::Latency;
use crate::record::{RunRecord, RunStatus};
use crate::result::RunDescription;
use crate::span::{INTERVALS_OVER_TIME_MAX, MeasuredSpan};
use crate::summary::{
    JobSummary, RunSummary, complete_iterations, cut_iterations, delivered_text, iteration_spans_by_job,
};
use crate::text::without_flows;
use crate::utilisation::{GroupPairs, PortUse, Utilisation, group_pairs};

/// Ports in the table of the busiest ones.
const HOTTEST: usize = 16;
/// Groups that the heat map shows one by one; larger numbers are joined to blocks.
const GROUPS_SHOWN: usize = 64;
/// Jobs that a picture shows.
const JOBS_SHOWN: usize = 12;

/// The report of a run as a self-contained HTML page.
#[must_use]
pub fn run_report(record: &RunRecord, run: &RunDescription) -> String {
    let utilisation = Utilisation::of(record);
    let summary = RunSummary::with_utilisation(record, &utilisation);
    let bins = IntervalBins::of(record);
    let title = if run.title.is_empty() { "Run" } else { &run.title };
    let mut body = banner(partial(record).as_slice());
    body += &banner(&run.notices);
    body += &banner(&run.warnings.iter().map(|warning| format!("Warning: {warning}")).collect::<Vec<_>>());
    body += &opening(title, &summary, run);
    body += &jobs(record, &summary);
    body += &traffic(record, &summary, &bins);
    body += &links(record, &utilisation, &bins);
    body += &congestion(record, &bins);
    body += &super::faults::faults(record);
    body += &super::observed::counters(record);
    body += &super::observed::telemetry(record);
    body += &super::explained::explained(record);
    body += &flows(&summary);
    body += &closing(run);
    page(&format!("{title} · Philae"), &body)
}

fn partial(record: &RunRecord) -> Option<String> {
    let reason = match record.status {
        RunStatus::Completed => return None,
        RunStatus::TimeLimit => "the scenario's time limit was reached before every job had finished",
        RunStatus::Interrupted => "the run was interrupted",
        RunStatus::Unfinished => "ranks wait for packets that were lost for good",
    };
    let until = time_ps(record.simulated.0 as f64);
    Some(format!("Partial result: {reason}. Everything below holds for the first {until} of simulated time."))
}

fn opening(title: &str, summary: &RunSummary, run: &RunDescription) -> String {
    let jobs: Vec<String> = summary
        .jobs
        .iter()
        .map(|job| format!("{}: {} on {}", job.name, job.workload, counted(job.nodes, "node")))
        .collect();
    let mut html = format!("<h1>{}</h1>", escape(title));
    if !jobs.is_empty() {
        let _ = write!(html, "<p class=\"lead\">{}</p>", escape(&jobs.join(" · ")));
    }
    let hops_per_second = if run.wall_seconds > 0.0 { run.hops_per_second(summary.packet_hops) } else { f64::NAN };
    let busiest = summary.hottest_ports.first().map_or(f64::NAN, |port| port.mean);
    let (arrived, pace) = match summary.rates {
        Some(rates) => (
            (short(rates.messages_arrived as f64), "messages arrived"),
            (count(rates.settled), "recomputations of rates"),
        ),
        None => (
            (short(summary.packets_delivered as f64), "packets delivered"),
            (format!("{} /s", short(hops_per_second)), "packet hops simulated"),
        ),
    };
    html += &tiles(&[
        (time_ps(summary.simulated_ps as f64), "simulated"),
        (format!("{} Gb/s", number(summary.delivered_gbps)), "delivered, all jobs"),
        arrived,
        (percent(busiest), "busiest port, mean"),
        (wall_seconds(run.wall_seconds), "real time"),
        pace,
    ]);
    let mut rows = run.setup.clone();
    let has_program = summary.jobs.iter().any(|job| job.workload.starts_with("program "));
    let others = if has_program { "other runs with `--seed N` say" } else { "`philae sweep --seeds 1-10` says" };
    rows.extend([
        ("Seed", format!("{}; one run: {others} how much figures depend on it", run.seed)),
        ("Status", status_words(summary.status).to_owned()),
        ("Version", run.version.clone()),
        ("Digest of the event order", summary.digest.clone()),
        ("Measured from", format!("{} of simulated time", time_ps(summary.measured_from_ps as f64))),
        ("Events", count(summary.events)),
    ]);
    rows.extend(match summary.rates {
        Some(rates) => [
            ("Messages", format!("{} began, {} arrived", count(rates.messages), count(rates.messages_arrived))),
            ("Most messages in flight", count(rates.flows_max)),
            ("Bytes of delivered messages, with headers", bytes(rates.wire_bytes as f64)),
        ]
        .to_vec(),
        None => [("Packet hops", count(summary.packet_hops)), ("Packets", packets(summary))].to_vec(),
    });
    if summary.model_bytes_peak > 0 {
        rows.push(("Memory of the model, peak", bytes(summary.model_bytes_peak as f64)));
    }
    html += &facts(&rows);
    if !run.scenario_toml.is_empty() {
        let _ = write!(
            html,
            "<details><summary>Resolved scenario</summary><pre>{}</pre></details>",
            escape(&run.scenario_toml)
        );
    }
    html
}

const fn status_words(status: RunStatus) -> &'static str {
    match status {
        RunStatus::Completed => "completed",
        RunStatus::TimeLimit => "stopped at the time limit",
        RunStatus::Interrupted => "interrupted",
        RunStatus::Unfinished => "unfinished",
    }
}

fn packets(summary: &RunSummary) -> String {
    let mut text =
        format!("{} injected, {} delivered", count(summary.packets_injected), count(summary.packets_delivered));
    if summary.packets_discarded > 0 {
        let _ = write!(text, ", {} discarded", count(summary.packets_discarded));
    }
    let _ = write!(text, ", {} in flight at the end", count(summary.packets_in_flight));
    text
}

fn latency_cells(latency: Option<&Latency>) -> [String; 6] {
    let time = |read: fn(&Latency) -> f64| Unit::Time.format(latency.map_or(f64::NAN, read));
    [
        latency.map_or_else(|| "0".to_owned(), |latency| count(latency.count)),
        time(|latency| latency.mean_ps),
        time(|latency| latency.p50_ps),
        time(|latency| latency.p95_ps),
        time(|latency| latency.p99_ps),
        time(|latency| latency.max_ps),
    ]
}

fn jobs(record: &RunRecord, summary: &RunSummary) -> String {
    let mut html = String::from("<h2>Jobs</h2>");
    if summary.jobs.is_empty() {
        return html + "<p class=\"muted\">The scenario has no job.</p>";
    }
    let row = |job: &JobSummary| {
        let finished = job.finished_ps.map_or_else(|| "still running".to_owned(), |time| time_ps(time as f64));
        let fairness = job.flow_fairness.map_or_else(|| "–".to_owned(), |index| format!("{index:.3}"));
        let (ranks, nodes) = (count(job.ranks.into()), count(job.nodes.into()));
        let delivered = delivered_text(job.delivered_gbps, job.offered_gbps);
        vec![job.name.clone(), job.workload.clone(), ranks, nodes, delivered, fairness, finished]
    };
    let rows: Vec<_> = summary.jobs.iter().map(row).collect();
    html += &table(&["job", "workload", "ranks", "nodes", "delivered Gb/s", "Jain's index", "finished at"], &rows);
    html += &paragraphs(
        "Jain's index of the rates of a job's flows is 1 where all are equal, 1/n where one of n has everything.",
    );
    html += "<h3>Message latency, from issue to full delivery</h3>";
    html += &paragraphs(
        "Of messages issued in the measured part. Those that were not delivered when the run ended have no latency. Where they \
         make a difference, a figure is a lower bound and follows ≥: they take at least as long as they had taken at the end. \
         The picture shows the delivered ones.",
    );
    let row = |job: &JobSummary| {
        let delivered = count(job.message_latency.map_or(0, |latency| latency.count));
        let counts = [job.name.clone(), count(job.messages_issued), delivered, count(job.messages_undelivered)];
        counts.into_iter().chain(job.latency_texts()).collect()
    };
    let rows: Vec<Vec<String>> = summary.jobs.iter().map(row).collect();
    html += &table(&["job", "issued", "delivered", "undelivered", "mean", "p50", "p95", "p99", "max"], &rows);
    html += &received(summary);
    html += &latency_picture(record, summary);
    html += &iterations(record, summary);
    html
}

/// What the applications of each job have received, in a run that stopped early.
fn received(summary: &RunSummary) -> String {
    if summary.status == RunStatus::Completed {
        return String::new();
    }
    let row = |job: &JobSummary| {
        let [reached, got] = [job.delivered_bytes, job.received_bytes?].map(|size| bytes(size as f64));
        let messages = count(job.received_messages?);
        Some(vec![job.name.clone(), count(job.messages_issued), reached, messages, got])
    };
    let rows: Vec<Vec<String>> = summary.jobs.iter().filter_map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    let mut html = "<h3>What applications received</h3>".to_owned();
    html += &paragraphs(
        "The run stopped early. Payload that had reached a NIC may still wait there, in a receive buffer or for a core. An \
         application has received a message when its program has the data, or, where the program takes no part, when they \
         are in its memory. Issued and received messages are those of the measured part; a message that was issued in the \
         warm-up may be received after it, so that more can be received than issued.",
    );
    html += &table(&["job", "messages issued", "reached its NICs", "messages received", "payload received"], &rows);
    html
}

fn latency_picture(record: &RunRecord, summary: &RunSummary) -> String {
    let jobs = summary.jobs.iter().enumerate().filter(|(_, job)| job.message_latency.is_some()).take(JOBS_SHOWN);
    let series: Vec<ChartLine> =
        jobs.map(|(index, job)| ChartLine::new(job.name.clone(), latency_cdf(record, index))).collect();
    if series.is_empty() {
        return String::new();
    }
    let latencies = || summary.jobs.iter().filter_map(|job| job.message_latency.as_ref());
    let low = latencies().map(|latency| latency.min_ps).fold(f64::INFINITY, f64::min);
    let high = latencies().map(|latency| latency.max_ps).fold(0.0, f64::max);
    // Distributions over more than a decade are unreadable on a linear axis.
    let x = ChartAxis { log: low > 0.0 && high > 10.0 * low, ..ChartAxis::linear("message latency", Unit::Time) };
    let y = ChartAxis::linear("share of messages", Unit::Percent).with_range(0.0, 1.0);
    let title = "Distribution of message latency".to_owned();
    LineChart { title, x, y, kind: LineKind::Steps, series, references: Vec::new() }.html()
}

fn iterations(record: &RunRecord, summary: &RunSummary) -> String {
    let mut rows = Vec::new();
    let mut series = Vec::new();
    let spans_of_jobs = iteration_spans_by_job(record);
    for ((job, spans), of_record) in summary.jobs.iter().zip(&spans_of_jobs).zip(&record.jobs) {
        let Some(iterations) = &job.iterations else { continue };
        let [_, _, p50, _, p99, max] = latency_cells(iterations.span.as_ref());
        let mean = iterations.duration();
        let ranks = Unit::Time.format(iterations.rank_mean_ps.unwrap_or(f64::NAN));
        let open =
            iterations.incomplete_for_ps.map_or_else(|| "–".to_owned(), |time| format!("≥{}", time_ps(time as f64)));
        let not_ended = count(iterations.not_ended);
        rows.push(vec![job.name.clone(), iterations.ended(), mean, p50, p99, max, ranks, not_ended, open]);
        let spans = complete_iterations(record, of_record, spans);
        let every = spans.len().div_ceil(400).max(1);
        let point = |span: &crate::summary::IterationSpan| {
            (f64::from(span.iteration), span.end.saturating_sub(span.start).0 as f64)
        };
        series.push(ChartLine::new(job.name.clone(), spans.iter().step_by(every).map(point).collect()));
    }
    if rows.is_empty() {
        return String::new();
    }
    let mut html = String::from("<h3>Iterations, from the first rank's start to the last rank's end</h3>");
    html +=
        &table(&["job", "ended", "mean", "p50", "p99", "max", "mean of ranks", "not ended", "oldest of these"], &rows);
    let cut = cut_iterations(summary);
    html += &paragraphs(&cut.iter().map(|line| format!("{line}.")).collect::<Vec<_>>().join(" "));
    series.truncate(JOBS_SHOWN);
    if series.iter().any(|series| series.points.len() > 1) {
        let (x, y) = (ChartAxis::linear("iteration", Unit::Number), ChartAxis::linear("duration", Unit::Time));
        let title = "Duration of each iteration".to_owned();
        html += &LineChart { title, x, y, kind: LineKind::Lines, series, references: Vec::new() }.html();
    }
    html
}

fn traffic(record: &RunRecord, summary: &RunSummary, bins: &IntervalBins) -> String {
    let mut html = String::from("<h2>Delivered traffic</h2>");
    let series = delivered_gbps(record, bins);
    if series.is_empty() {
        html += &not_sampled(record, "Nothing was delivered.");
        if summary.packets_delivered == 0 {
            return html;
        }
    } else {
        let title = "Delivered payload by job and class".to_owned();
        let (x, y) = (ChartAxis::linear("simulated time", Unit::Time), ChartAxis::linear("Gb/s", Unit::Number));
        html += &LineChart { title, x, y, kind: LineKind::Stack, series, references: Vec::new() }.html();
    }
    let total: u64 = summary.classes.iter().filter_map(|class| class.delivered_bytes).sum();
    let row = |class: &crate::summary::ClassSummary| {
        let delivered = class.delivered_bytes.map_or(f64::NAN, |bytes| bytes as f64);
        let share = if total == 0 { f64::NAN } else { delivered / total as f64 };
        let mut row = vec![class.name.clone(), bytes(delivered), percent(share)];
        if record.rates.is_none() {
            row.extend(latency_cells(class.packet_latency.as_ref()));
        }
        row
    };
    let rows: Vec<Vec<String>> = summary.classes.iter().map(row).collect();
    if record.rates.is_some() {
        return html + "<h3>Traffic classes</h3>" + &table(&["class", "delivered", "share"], &rows);
    }
    html += "<h3>Traffic classes and packet latency, NIC to NIC</h3>";
    html += &table(&["class", "delivered", "share", "packets", "mean", "p50", "p95", "p99", "max"], &rows);
    html
}

/// The reason why there is nothing to show: the run was not sampled, or otherwise `else_why`.
fn not_sampled(record: &RunRecord, else_why: &str) -> String {
    let why = if record.is_sampled() { else_why } else { "Not sampled: <code>measure.sample_interval</code> is 0." };
    format!("<p class=\"muted\">{why}</p>")
}

fn links(record: &RunRecord, utilisation: &Utilisation, bins: &IntervalBins) -> String {
    let mut html = String::from("<h2>Links</h2>");
    if utilisation.roles.is_empty() {
        return html + &not_sampled(record, "No port was recorded.");
    }
    let rows: Vec<Vec<String>> = utilisation
        .roles
        .iter()
        .map(|role| {
            let (ports, used) = (count(role.ports), count(role.ports_used));
            vec![
                role.role.as_str().to_owned(),
                ports,
                used,
                percent(role.mean),
                percent(role.busiest_port),
                percent(role.max),
            ]
        })
        .collect();
    html += "<p>Output ports in the measured part of the run; the mean counts unused ports too.</p>";
    html += &table(&["role", "ports", "used", "mean", "busiest port", "busiest interval"], &rows);
    let has_none = utilisation.roles.iter().all(|role| role.mean_over_time.is_empty());
    let is_over = has_none && MeasuredSpan::of(record).interval_count() > INTERVALS_OVER_TIME_MAX;
    if is_over {
        html += "<p class=\"muted\">There are too many sampling intervals for a plot over time.</p>";
    }
    for (title, largest) in
        [("Mean utilisation over all ports of a role", false), ("Utilisation of the busiest port of a role", true)]
    {
        if is_over {
            continue;
        }
        let series = utilisation
            .roles
            .iter()
            .map(|role| {
                let values = if largest { &role.max_over_time } else { &role.mean_over_time };
                ChartLine::new(role.role.as_str(), bins.steps(&bins.joined(values, largest)))
            })
            .collect();
        let (x, y) = (ChartAxis::linear("simulated time", Unit::Time), ChartAxis::linear("utilisation", Unit::Percent));
        html +=
            &LineChart { title: title.to_owned(), x, y, kind: LineKind::Steps, series, references: Vec::new() }.html();
    }
    html += &super::network::network(record, utilisation);
    html += &hottest_ports(utilisation, record.rates.is_none());
    html += &starved_ports(record, utilisation);
    let pairs = group_pairs(record, utilisation);
    if pairs.groups.len() > 1 {
        html += &group_picture(&pairs);
    }
    html
}

fn hottest_ports(utilisation: &Utilisation, queues: bool) -> String {
    let rows: Vec<Vec<String>> = utilisation
        .hottest(None, HOTTEST)
        .into_iter()
        .map(|port| {
            let place = format!("group {} switch {} port {}", port.group, port.switch, port.port);
            let role = port.role.as_str().to_owned();
            let mut row = vec![place, role, port.peer.clone(), percent(port.mean), percent(port.max)];
            if queues {
                row.extend([bytes(port.queued_bytes_max as f64), percent(port.stalled)]);
            }
            row
        })
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let heads = ["port", "role", "to", "mean", "busiest interval", "largest queue", "no credits"];
    format!("<h3>Busiest ports</h3>{}", table(&heads[..if queues { 7 } else { 5 }], &rows))
}

/// The ports that had no credits, or were paused, for the longest time.
fn starved_ports(record: &RunRecord, utilisation: &Utilisation) -> String {
    let starved = utilisation.starved(usize::MAX);
    if record.rates.is_some() || starved.is_empty() {
        return String::new();
    }
    let length = MeasuredSpan::of(record).length().0 as f64;
    let row = |port: &&PortUse| {
        let place = format!("group {} switch {} port {}", port.group, port.switch, port.port);
        let time = time_ps(port.stalled * length);
        vec![place, port.role.as_str().to_owned(), port.peer.clone(), time, percent(port.stalled), percent(port.mean)]
    };
    let rows: Vec<Vec<String>> = starved.iter().take(HOTTEST).map(row).collect();
    let said = format!(
        "{} wanted to send and could not, because the buffer behind the link had no room: back-pressure from further \
         along the path. The longest:",
        counted(starved.len() as u64, "port")
    );
    let heads = ["port", "role", "to", "without credits for", "of the time", "mean utilisation"];
    format!("<h3>Ports without credits</h3>{}{}", paragraphs(&said), table(&heads, &rows))
}

fn group_picture(pairs: &GroupPairs) -> String {
    let per_block = pairs.groups.len().div_ceil(GROUPS_SHOWN);
    let labels: Vec<String> = pairs.groups.chunks(per_block).map(block_label).collect();
    let blocks = labels.len();
    let mut sums = vec![vec![(0.0, 0_u32); blocks]; blocks];
    for (row, values) in pairs.mean.iter().enumerate() {
        for (column, value) in values.iter().enumerate() {
            let sum = &mut sums[row / per_block][column / per_block];
            if let Some(value) = value {
                *sum = (sum.0 + value, sum.1 + 1);
            }
        }
    }
    let mean = |&(sum, count): &(f64, u32)| if count == 0 { f64::NAN } else { sum / f64::from(count) };
    let joined = if per_block > 1 { format!(", {per_block} groups to a row") } else { String::new() };
    HeatMap {
        title: format!("Mean utilisation of the global links in use, by pair of groups{joined}"),
        row_name: "from group".to_owned(),
        column_name: "to group".to_owned(),
        rows: labels.clone(),
        columns: labels,
        values: sums.iter().map(|row| row.iter().map(mean).collect()).collect(),
        unit: Unit::Percent,
        value_name: "utilisation".to_owned(),
        log: false,
        range: None,
        references: Vec::new(),
    }
    .html()
}

fn block_label(groups: &[GroupId]) -> String {
    match groups {
        [] => String::new(),
        [only] => only.to_string(),
        [first, .., last] => format!("{first}–{last}"),
    }
}

fn congestion(record: &RunRecord, bins: &IntervalBins) -> String {
    let mut html = String::from("<h2>Congestion</h2>");
    let rows: Vec<Vec<String>> = record
        .congestion_counts
        .iter()
        .filter(|event| event.1 > 0)
        .map(|&(kind, counted)| {
            let stored = record.congestion.iter().filter(|event| event.kind == kind).count() as u64;
            vec![kind.label().to_owned(), kind.as_str().to_owned(), count(counted), count(stored)]
        })
        .collect();
    if rows.is_empty() && record.congestion.is_empty() {
        return html + "<p class=\"muted\">No congestion event happened.</p>";
    }
    html += &table(&["event", "kind in congestion.parquet", "happened", "stored"], &rows);
    let series = congestion_counts(record, bins);
    if !series.is_empty() {
        let happened: u64 = record.congestion_counts.iter().map(|event| event.1).sum();
        let sampled = if happened > record.congestion.len() as u64 { " (stored events, a sample)" } else { "" };
        let title = format!("Congestion events over time{sampled}");
        let (x, y) = (ChartAxis::linear("simulated time", Unit::Time), ChartAxis::linear("events", Unit::Number));
        html += &LineChart { title, x, y, kind: LineKind::Stack, series, references: Vec::new() }.html();
    }
    html
}

fn flows(summary: &RunSummary) -> String {
    let mut html = String::from("<h2>Flows</h2>");
    if summary.largest_flows.is_empty() {
        return html + "<p class=\"muted\">No flow was recorded.</p>";
    }
    html += &paragraphs(&format!(
        "{} (endpoint pair and class) over the whole run. The table of jobs shows their fairness within each job.",
        counted(summary.flows, "flow")
    ));
    html += &without_flows(summary).map_or_else(String::new, |said| paragraphs(&format!("{said}.")));
    let rows: Vec<Vec<String>> = summary
        .largest_flows
        .iter()
        .map(|flow| {
            let ends = format!("endpoint {} → {}", flow.source_endpoint, flow.destination_endpoint);
            let time = |value: Option<f64>| Unit::Time.format(value.unwrap_or(f64::NAN));
            let (mean, max) = (time(flow.latency_mean_ps), time(flow.latency_max_ps));
            vec![ends, flow.job.clone(), flow.class.clone(), bytes(flow.bytes as f64), percent(flow.share), mean, max]
        })
        .collect();
    html += "<h3>Largest flows</h3>";
    html += &table(&["flow", "job", "class", "delivered", "share", "packet latency, mean", "max"], &rows);
    html
}

fn closing(run: &RunDescription) -> String {
    let mut html = String::new();
    if !run.assumptions.is_empty() {
        html += "<h2>Not modelled, or assumed</h2><ul>";
        for assumption in &run.assumptions {
            let _ = write!(html, "<li>{}</li>", escape(assumption));
        }
        html += "</ul>";
    }
    let version = escape(&run.version);
    let _ = write!(
        html,
        "<footer>Philae {version}. The tables next to this file have every figure; scenario.toml repeats the run.</footer>"
    );
    html
}
