//! The more is lost, the worse the words and the figures: no loss makes anything look better.

use philae_manager::Manager;
use philae_units::SwitchId;
use serde_json::{Value, json};

use crate::common::new_folder;
use crate::common::{ask, get, manager};
use crate::firmware::quick;
use crate::firmware_oncall::PAIR;

const WORDS: [&str; 4] = ["HEALTHY", "CONVERGING", "DEGRADED", "UNHEALTHY"];

/// Simulated orders, by their path.
fn order(manager: &mut Manager, path: &str) {
    ask(manager, "POST", &format!("/api/v1/simulation/{path}"), Value::Null)
        .unwrap_or_else(|error| panic!("{error:?}"));
    manager.run();
}

fn traffic(manager: &mut Manager) -> (usize, Value) {
    let status = get(manager, "/api/v1/status");
    let word = &status["health"]["traffic"]["word"];
    (WORDS.iter().position(|known| word == known).expect("one of the four"), status)
}

#[test]
fn a_switch_that_dies_beside_a_cut_link_is_no_improvement() {
    let folder = new_folder();
    let system = folder.path().join("pair.toml");
    std::fs::write(&system, PAIR).expect("it can be written");
    let mut manager = quick(system.to_str().expect("plain"));
    let link = manager.control_loop.control.wiring().links().next().expect("it has one").0;
    let (link, switch) = (manager.port_name(link), manager.switch_name(SwitchId(0)));
    order(&mut manager, &format!("links/{link}/cut"));
    let (word, status) = traffic(&mut manager);
    assert_eq!(WORDS[word], "UNHEALTHY", "{status}");
    let causes = &status["health"]["traffic"]["causes"];
    assert_eq!(causes[0], "the fabric is in 2 parts: 1 pair of switches and 4 of NICs have no path", "{causes}");
    let alarm = get(&mut manager, "/api/v1/alarms")["items"][0]["detail"].to_string();
    assert!(alarm.contains("; 1 link between them carries no traffic"), "{alarm}");
    order(&mut manager, &format!("switches/{switch}/off"));
    let (word, status) = traffic(&mut manager);
    assert_eq!(WORDS[word], "UNHEALTHY", "more is lost than before: {status}");
    let causes = &status["health"]["traffic"]["causes"];
    assert_eq!(causes[0], "2 NICs are cut off at 1 dead switch", "{causes}");
    let alarms = get(&mut manager, "/api/v1/alarms");
    assert_eq!(alarms["items"][0]["health"], "UNHEALTHY", "the alarm says what the word says: {alarms}");
}

#[test]
fn an_operator_who_works_at_a_switch_is_no_loss() {
    let mut manager = manager("malbec");
    let switch = manager.switch_name(SwitchId(3));
    ask(&mut manager, "POST", &format!("/api/v1/switches/{switch}/maintenance"), Value::Null).expect("it is ordered");
    manager.run();
    order(&mut manager, &format!("switches/{switch}/off"));
    let (word, status) = traffic(&mut manager);
    assert_eq!(WORDS[word], "HEALTHY", "{status}");
    assert_eq!(status["reach"]["deadPlanned"], 1, "{status}");
}

/// Figures of `what-if` that a failure can only raise, and those that it can only lower.
const RISE: [&str; 3] = ["unreachablePairs", "indirectPairs", "nicsCutOff"];
const FALL: [&str; 3] = ["links", "globalGbps", "halvesGbps"];

fn assert_no_gain(manager: &mut Manager, body: &Value) {
    let cost = ask(manager, "POST", "/api/v1/what-if", body.clone()).expect("both are known");
    let figure = |when: &str, key: &str| cost[when][key].as_u64().unwrap_or_else(|| panic!("{key}: {cost}"));
    for key in RISE {
        assert!(figure("after", key) >= figure("before", key), "{body}: {key}: {cost}");
    }
    for key in FALL {
        assert!(figure("after", key) <= figure("before", key), "{body}: {key}: {cost}");
    }
}

#[test]
fn no_loss_improves_a_word_or_a_figure_of_what_if() {
    let mut manager = manager("malbec");
    let links: Vec<_> = manager.control_loop.control.wiring().links().map(|(port, _)| port).collect();
    let mut worst = 0;
    for step in 0..24_usize {
        // Any order of losses will do; this one takes links and switches of all groups.
        if step % 3 == 2 {
            let switch = manager.switch_name(SwitchId((step * 7 % 32) as u32));
            assert_no_gain(&mut manager, &json!({ "switches": [switch] }));
            order(&mut manager, &format!("switches/{switch}/off"));
        } else {
            let link = manager.port_name(links[step * 37 % links.len()]);
            assert_no_gain(&mut manager, &json!({ "links": [link] }));
            order(&mut manager, &format!("links/{link}/cut"));
        }
        let (word, status) = traffic(&mut manager);
        assert!(word >= worst, "step {step}: {} after {}: {status}", WORDS[word], WORDS[worst]);
        worst = word;
    }
    assert_eq!(WORDS[worst], "UNHEALTHY");
    // Beside a dead switch, the loss of another one costs its own NICs and no pair of the rest.
    let other = manager.switch_name(SwitchId(0));
    let cost = ask(&mut manager, "POST", "/api/v1/what-if", json!({ "switches": [other] })).expect("it is known");
    let figures = ["before", "after"].map(|when| cost[when]["nicsCutOff"].as_u64().unwrap_or_default());
    assert!(figures[1] > figures[0] && figures[0] > 0, "{cost}");
    assert_eq!(cost["before"]["unreachablePairs"], cost["after"]["unreachablePairs"], "{cost}");
}
