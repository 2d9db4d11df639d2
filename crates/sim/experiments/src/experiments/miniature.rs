//! The congestion experiments on a small dragonfly: each runs and answers its rows.

use philae_scenario::System;
use philae_topology::{DragonflyDescription, SystemDescription};
use philae_workload::{Allocation, Size, Span};

use super::beside::{Aggressor, JobLayout, Question, Site, impacts};
use super::victims::{Victim, alltoall, incast};
use super::{
    bursty_incast, congestion, congestion_impact, impact_at_full_scale, impact_by_allocation, laws, service_response,
};
use crate::testing::{answers_its_rows, with_context};

/// 64 nodes in four groups of four switches.
fn site(aries: bool) -> Site {
    let mut description: SystemDescription = DragonflyDescription::uniform(4, 4, 4, 1).into();
    if aries {
        (description.switch, description.nic) = ("aries".to_owned(), "aries".to_owned());
        "aries".clone_into(&mut description.congestion);
    }
    let name = if aries { "small Aries" } else { "small Slingshot" };
    Site { name: name.to_owned(), system: System::build(description).expect("a legal system"), nodes: 64, law: None }
}

fn victims() -> Vec<Victim> {
    vec![Victim::allreduce(Size::bytes(8), 10), Victim::ping_pong(20)]
}

/// An aggressor that reaches its steady state early: there are few contributors.
fn early(aggressor: Aggressor) -> Aggressor {
    Aggressor { settle: Span::micros(300), patience: Span::micros(2_000), turns: 20.0, ..aggressor }
}

fn maps() -> congestion_impact::HeatmapRuns {
    congestion_impact::HeatmapRuns {
        slingshot: site(false),
        aries: site(true),
        victims: victims(),
        victim_percents: vec![50],
        incast: early(incast()),
        alltoall: Aggressor { patience: Span::micros(150), ..early(alltoall()) },
    }
}

fn laws_plan() -> laws::LawRuns {
    laws::LawRuns {
        site: site(false),
        layout: JobLayout { allocation: Allocation::Interleaved, victim_percent: 50 },
        victims: victims(),
        aggressor: early(incast()),
        watched: Span::micros(1_000),
        interval: Span::micros(20),
    }
}

#[test]
fn a_victim_suffers_without_a_law_and_not_under_slingshot() {
    let sites = ["none", "slingshot"].map(|law| site(false).under(law));
    let (victim, aggressor) = (Victim::allreduce(Size::bytes(8), 20), early(incast()));
    let layout = JobLayout { allocation: Allocation::Interleaved, victim_percent: 50 };
    let questions = sites.each_ref().map(|site| Question { site, layout, victim: &victim, aggressor: &aggressor });
    let answers = with_context(|context| impacts(context, &questions)).expect("it runs");
    let [none, slingshot] = [answers[0].ratio(), answers[1].ratio()];
    // Outputs are fair to flows, so that small messages of the victim pass most of the incast.
    assert!(none > 1.2 * slingshot, "none {none}, slingshot {slingshot}");
    assert!(slingshot < 1.5, "slingshot {slingshot}");
}

#[test]
fn the_heat_maps_answer_their_rows() {
    let outcome = with_context(|context| congestion_impact::study(context, &maps())).expect("it runs");
    answers_its_rows(&congestion_impact::CongestionImpact, &outcome);
    assert_eq!(outcome.data["cells"].as_array().map(Vec::len), Some(2 * 2 * 2), "every cell is there");
}

#[test]
fn applications_and_services_are_victims_too() {
    let sites = [site(false), site(true)];
    let layout = JobLayout { allocation: Allocation::Interleaved, victim_percent: 50 };
    let short = [Victim::milc(2), Victim::lammps(2), Victim::hpcg(2), Victim::fft(2), Victim::resnet(2)];
    let victims = [short.to_vec(), Victim::services()].concat();
    let aggressor = early(incast());
    let question = |(site, victim)| Question { site, layout, victim, aggressor: &aggressor };
    let questions: Vec<_> =
        sites.iter().flat_map(|site| victims.iter().map(move |victim| (site, victim))).map(question).collect();
    let answers = with_context(|context| impacts(context, &questions)).expect("it runs");
    let (slingshot, aries) = answers.split_at(victims.len());
    for answer in slingshot {
        assert!(answer.alone.mean_ps > 0.0 && !answer.beside.bound, "{}", answer.describe());
        assert!((0.9..1.5).contains(&answer.ratio()), "{}", answer.describe());
    }
    let worst = |answers: &[super::beside::NeighbourImpact]| {
        answers.iter().map(super::beside::NeighbourImpact::ratio).fold(0.0, f64::max)
    };
    assert!(worst(&aries[..5]) > 2.0 * worst(&slingshot[..5]), "{}", worst(&aries[..5]));
    assert!(worst(&aries[5..]) > 2.0 * worst(&slingshot[5..]), "{}", worst(&aries[5..]));
}

#[test]
fn the_services_answer_their_rows() {
    let plan = service_response::Fig8Runs {
        aries: site(true),
        slingshot: site(false),
        layouts: vec![JobLayout { allocation: Allocation::Random, victim_percent: 50 }],
        services: service_response::services(2, 10_000),
        incast: early(incast()),
    };
    let outcome = with_context(|context| service_response::study(context, &plan)).expect("it runs");
    answers_its_rows(&service_response::ServiceResponse, &outcome);
    let cells = outcome.data["cells"].as_array().expect("every cell is there");
    assert_eq!(cells.len(), 2 * 4);
    assert!(cells.iter().all(|cell| cell["beside_iterations"] == 2 * 16 || cell["impact_is_a_lower_bound"] == true));
}

#[test]
fn the_allocations_answer_their_rows() {
    let plan = impact_by_allocation::AllocationRuns {
        slingshot: site(false),
        slingshot_small: Site { nodes: 16, ..site(false) },
        aries: site(true),
        victims: victims(),
        victim_percents: vec![50],
        aggressors: [1, 4].map(|processes| early(incast()).with_processes(processes)).to_vec(),
    };
    let outcome = with_context(|context| impact_by_allocation::study(context, &plan)).expect("it runs");
    answers_its_rows(&impact_by_allocation::ImpactByAllocation, &outcome);
}

#[test]
fn the_full_scale_answers_its_row() {
    let plan = impact_at_full_scale::FullScaleRuns {
        site: site(false),
        victims: victims(),
        victim_percents: vec![50, 25],
        allocations: vec![Allocation::Linear, Allocation::Random],
        aggressors: vec![early(incast())],
    };
    let outcome = with_context(|context| impact_at_full_scale::study(context, &plan)).expect("it runs");
    answers_its_rows(&impact_at_full_scale::ImpactAtFullScale, &outcome);
}

#[test]
fn the_bursts_answer_their_row() {
    let plan = bursty_incast::BurstyRuns {
        site: site(false),
        layouts: vec![JobLayout { allocation: Allocation::Interleaved, victim_percent: 50 }],
        victim: Victim::alltoall(Size::bytes(128), 3),
        sizes: [8, 4_096, 131_072].map(Size::bytes).to_vec(),
        messages: vec![1, 10],
        gaps: vec![Span::micros(10)],
    };
    let outcome = with_context(|context| bursty_incast::study(context, &plan)).expect("it runs");
    answers_its_rows(&bursty_incast::BurstyIncast, &outcome);
    assert_eq!(outcome.data["worst_by_size"].as_array().map(Vec::len), Some(3));
}

#[test]
fn the_laws_are_told_apart() {
    let outcome = with_context(|context| laws::study(context, &laws_plan())).expect("it runs");
    answers_its_rows(&laws::Laws, &outcome);
    let queues = outcome.data["queues"].as_array().expect("one of each law").clone();
    let of = |law: &str| queues.iter().find(|watch| watch["law"] == law).expect("every law is watched").clone();
    assert!(of("slingshot")["fair_share_after_us"].is_number(), "Slingshot gets there: {}", of("slingshot"));
    assert!(of("none")["fair_share_after_us"].is_null(), "without a law nobody waits for their share");
    let used = |law: &str| of(law)["target_link_used"].as_f64().expect("a share");
    assert!((0.5..=1.01).contains(&used("slingshot")), "{}", used("slingshot"));
}

#[test]
fn the_demonstration_is_both() {
    let outcome = with_context(|context| congestion::study(context, &maps(), &laws_plan())).expect("it runs");
    answers_its_rows(&congestion::CongestionFindings, &outcome);
    assert!(outcome.data["fig9"].is_object() && outcome.data["laws"].is_object());
    for (line, text) in outcome.assumptions.iter().enumerate() {
        assert!(!outcome.assumptions[..line].contains(text), "said twice: {text}");
    }
}
