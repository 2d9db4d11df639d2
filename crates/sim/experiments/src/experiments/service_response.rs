//! Fig. 8: response times of four services, with and without an incast elsewhere on the system, on
//! Aries and Slingshot.

use philae_results::StudySection;
use philae_results::TableRow;
use philae_results::chart::{BoxChart, BoxStats, ChartAxis};
use philae_results::format::{Unit, number, time_ps};
use philae_workload::{Allocation, Lognormal, Service, ServiceApplication, ServiceTime, Span};
use serde_json::json;

use super::applications::{asked, pairs_assumption};
use super::beside::{Aggressor, JobLayout, NeighbourImpact, Question, Site, Timing, impacts};
use super::victims::{Victim, Window, incast};
use crate::experiment::{Experiment, ExperimentContext, ExperimentOutcome, TargetAnswer};
use crate::runner::StudyError;

/// Fig. 8.
pub struct ServiceResponse;

/// The experiment's runs.
pub struct Fig8Runs {
    /// An Aries system.
    pub aries: Site,
    /// A Slingshot system.
    pub slingshot: Site,
    /// The nodes of victim and aggressor; the first layout answers the row on Aries.
    pub layouts: Vec<JobLayout>,
    pub services: Vec<Victim>,
    /// Endpoint congestion.
    pub incast: Aggressor,
}

/// The service that is undisturbed on Aries in the publication.
const UNDISTURBED: &str = "sphinx";
/// A service degrades badly if its 95th and its 99th percentile both grow at least by this factor.
/// Source: ours, chosen before any run. Status: assumed.
const BADLY: f64 = 2.0;
/// It does not degrade if neither grows by more. Source: ours, as the row on Slingshot has it.
/// Status: assumed.
const HARDLY: f64 = 1.1;
/// Divisor of Sphinx's times. Source: ours. Status: assumed.
const SPHINX_SCALE: u64 = 100;
/// The same in a quick run.
const SPHINX_SCALE_QUICK: u64 = 1_000;

impl Fig8Runs {
    /// As far as published; the quick size leaves out a layout and most requests.
    ///
    /// # Errors
    /// If a system cannot be built.
    pub fn published(quick: bool) -> Result<Self, StudyError> {
        let layout = |allocation| JobLayout { allocation, victim_percent: 50 };
        let random = layout(Allocation::Random);
        Ok(Self {
            aries: Site::load("crystal", 698)?,
            slingshot: Site::load("malbec", 484)?,
            layouts: if quick { vec![random] } else { vec![random, layout(Allocation::Linear)] },
            services: services(if quick { 2 } else { 6 }, if quick { SPHINX_SCALE_QUICK } else { SPHINX_SCALE }),
            incast: incast(),
        })
    }
}

/// The services with Tailbench's rates, and the number of counted requests of each client.
pub fn services(requests: u32, sphinx_scale: u64) -> Vec<Victim> {
    let service = |label: &str, service: Service| {
        Victim::service(label, Service { iterations: Some(requests), ..service }, Window::Whole)
    };
    let usual = |application| Service { application, ..Service::default() };
    let shorter =
        Lognormal { mean: Span::micros(2_000_000 / sphinx_scale), p99: Span::micros(5_000_000 / sphinx_scale) };
    // Two seconds of work each second would be more than a server can do: a fifth of the time.
    let sphinx = asked(ServiceApplication::Sphinx, sphinx_scale / 10);
    vec![
        service("silo", usual(ServiceApplication::Silo)),
        service("xapian", usual(ServiceApplication::Xapian)),
        service("img-dnn", usual(ServiceApplication::ImgDnn)),
        service(UNDISTURBED, Service { service_time: Some(ServiceTime::Lognormal(shorter)), ..sphinx }),
    ]
}

impl Experiment for ServiceResponse {
    fn id(&self) -> &'static str {
        "fig8"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["tailbench"]
    }

    fn title(&self) -> &'static str {
        "Times of services' requests with and without an incast, Aries and Slingshot"
    }

    fn source(&self) -> &'static str {
        "De Sensi et al., SC'20, Fig. 8"
    }

    fn targets(&self) -> &'static [&'static str] {
        &["tailbench-aries", "tailbench-slingshot"]
    }

    fn run(&self, context: &ExperimentContext<'_>) -> Result<ExperimentOutcome, StudyError> {
        study(context, &Fig8Runs::published(context.quick)?)
    }
}

/// Runs a plan.
///
/// # Errors
/// If a cell fails or the study is interrupted.
pub fn study(context: &ExperimentContext<'_>, plan: &Fig8Runs) -> Result<ExperimentOutcome, StudyError> {
    let mut questions = Vec::new();
    for site in [&plan.aries, &plan.slingshot] {
        for &layout in &plan.layouts {
            let question = |victim| Question { site, layout, victim, aggressor: &plan.incast };
            questions.extend(plan.services.iter().map(question));
        }
    }
    let answers = impacts(context, &questions)?;
    let (aries, slingshot) = answers.split_at(answers.len() / 2);
    let intro = "Each box is the distribution of the times of requests, from the request to its answer: whiskers at the 5th and 95th percentile, dots at the 99th and the largest. The same \
                 requests, made at the same times, run with and without the incast.";
    Ok(ExperimentOutcome {
        findings: findings(aries, &aries[..plan.services.len()], slingshot),
        sections: vec![
            StudySection::Text(intro.to_owned()),
            StudySection::Boxes(boxes(&plan.aries, aries)),
            StudySection::Boxes(boxes(&plan.slingshot, slingshot)),
            table(&answers),
        ],
        data: json!({ "cells": answers.iter().map(NeighbourImpact::data).collect::<Vec<_>>() }),
        assumptions: notes(plan),
    })
}

fn boxes(site: &Site, answers: &[NeighbourImpact]) -> BoxChart {
    let of = |answer: &NeighbourImpact, timing: &Timing, with: &str| {
        let label = format!("{}, {}, {with}", answer.victim, answer.layout.allocation_name());
        BoxStats::of_values(label, &timing.by_iteration)
    };
    let both =
        |answer: &NeighbourImpact| [of(answer, &answer.alone, "alone"), of(answer, &answer.beside, "beside incast")];
    BoxChart {
        title: format!("Time of a request on {} nodes of {}", site.nodes, site.name),
        axis: ChartAxis::log("time", Unit::Time),
        boxes: answers.iter().flat_map(both).flatten().collect(),
        ..BoxChart::default()
    }
}

/// A percentile next to the incast, divided by the same alone.
fn ratio(answer: &NeighbourImpact, of: impl Fn(&Timing) -> f64) -> f64 {
    of(&answer.beside) / of(&answer.alone)
}

fn p95(answer: &NeighbourImpact) -> f64 {
    ratio(answer, |timing| timing.p95_ps)
}

fn p99(answer: &NeighbourImpact) -> f64 {
    ratio(answer, |timing| timing.p99_ps)
}

fn table(answers: &[NeighbourImpact]) -> StudySection {
    let figures = ["mean", "p50", "p95", "p99"];
    let columns = |with: &str| figures.map(|figure| format!("{figure} {with}"));
    let mut headers = ["system", "service", "allocation", "requests"].map(str::to_owned).to_vec();
    headers.extend([columns("alone"), columns("beside"), columns("ratio")].concat());
    let of = |timing: &Timing| [timing.mean_ps, median(timing), timing.p95_ps, timing.p99_ps];
    let row = |answer: &NeighbourImpact| {
        let (alone, beside) = (of(&answer.alone), of(&answer.beside));
        let bound = if answer.beside.bound { ">= " } else { "" };
        let mut cells = vec![
            answer.site.clone(),
            answer.victim.clone(),
            answer.layout.allocation_name().to_owned(),
            answer.beside.by_iteration.len().to_string(),
        ];
        cells.extend(alone.map(time_ps));
        cells.extend(beside.map(|ps| format!("{bound}{}", time_ps(ps))));
        cells.extend(alone.iter().zip(beside).map(|(alone, beside)| format!("{bound}{:.2}", beside / alone)));
        TableRow { cells, verdict: None }
    };
    StudySection::Table { headers, rows: answers.iter().map(row).collect() }
}

fn median(timing: &Timing) -> f64 {
    BoxStats::of_values("", &timing.by_iteration).map_or(f64::NAN, |stats| stats.median)
}

/// Whether the services behave as published: all degrade badly except the undisturbed one.
fn as_published(services: impl IntoIterator<Item = (bool, [f64; 2])>) -> bool {
    services.into_iter().all(|(undisturbed, ratios)| {
        ratios.iter().all(|&ratio| if undisturbed { ratio <= HARDLY } else { ratio >= BADLY })
    })
}

fn findings(
    aries: &[NeighbourImpact],
    decisive: &[NeighbourImpact],
    slingshot: &[NeighbourImpact],
) -> Vec<TargetAnswer> {
    let both = |answer: &NeighbourImpact| (answer.victim == UNDISTURBED, [p95(answer), p99(answer)]);
    let say = |answer: &NeighbourImpact| {
        let bound = if answer.beside.bound { ">= " } else { "" };
        let NeighbourImpact { victim, layout, .. } = answer;
        let (one, two) = (number(p95(answer)), number(p99(answer)));
        format!("{victim} {bound}{one} and {bound}{two} ({})", layout.allocation_name())
    };
    let list = |answers: &[NeighbourImpact]| answers.iter().map(say).collect::<Vec<_>>().join(", ");
    let worst = slingshot.iter().max_by(|one, other| p99(one).total_cmp(&p99(other))).expect("a plan has services");
    let aries_note = format!(
        "growth of p95 and p99: {}; 1 when Silo, Xapian and Img-dnn have both at {BADLY} or more and Sphinx neither \
         above {HARDLY}, nodes dealt out at random. Service times are assumed, and Xapian's growth rests on them: a \
         shorter one grows more. Aries' buffers and its routers' arbitration are assumed too",
        list(aries)
    );
    let slingshot_note = format!("{} has the worst p99; growth of p95 and p99: {}", worst.victim, list(slingshot));
    let boolean = as_published(decisive.iter().map(both));
    vec![
        TargetAnswer::new("tailbench-aries", f64::from(u8::from(boolean)), aries_note),
        TargetAnswer::new("tailbench-slingshot", p99(worst), slingshot_note),
    ]
}

fn notes(plan: &Fig8Runs) -> Vec<String> {
    let requests = |site: &Site| site.nodes / 4;
    vec![
        pairs_assumption(),
        format!(
            "the placement of client, server and incast is not published: half of the nodes belong to pairs (about {} on {}, \
             {} on {}), the others to the incast, whose target is the first of them; nodes are dealt out at random, so \
             that pairs sit at every distance from the target and share switches with its origins; a linear allocation \
             beside it in full runs",
            requests(&plan.aries),
            plan.aries.name,
            requests(&plan.slingshot),
            plan.slingshot.name
        ),
        "service times are assumed: silo 40 us, xapian 1 ms, both lognormal, img-dnn 1 ms; one worker; rates are \
         Tailbench's"
            .to_owned(),
        format!(
            "sphinx works for a part of its seconds, a {SPHINX_SCALE}th (quick: a {SPHINX_SCALE_QUICK}th), and is \
             asked so often that a server is busy a fifth of the time: shorter work is easier to disturb, so that its \
             growth is an upper bound"
        ),
        "the row on Slingshot takes the worst over services and layouts, that on Aries the random layout".to_owned(),
        "the incast has settled for 4 ms before the first request; the first request of each client is warm-up"
            .to_owned(),
        "one process per node, on the node's first NIC".to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_means_all_but_one_degrade() {
        let three = |ratio: f64| vec![(false, [ratio, 9.0]); 3];
        assert!(as_published([three(2.0), vec![(true, [1.0, 1.1])]].concat()));
        assert!(!as_published([three(1.9), vec![(true, [1.0, 1.1])]].concat()));
        assert!(!as_published([three(3.0), vec![(true, [1.0, 1.2])]].concat()));
    }
}
