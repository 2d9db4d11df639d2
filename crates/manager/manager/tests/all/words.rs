//! What people are told: in the right order, of things that there are, by lines that work as they
//! stand in the documentation.

use philae_manager::Manager;
use serde_json::Value;

use crate::common::new_folder;
use crate::common::{ask, get, manager, refused};
use crate::programs::Service;

const PAGE: &str = include_str!("../../../../../docs/manager/guide.md");

#[test]
fn an_order_stands_before_its_effects() {
    let mut manager = manager("malbec");
    let order = "simulation/links/x1000c0r1a0l16/cut";
    ask(&mut manager, "POST", &format!("/api/v1/{order}"), Value::Null).expect("a link");
    manager.run();
    let events = get(&mut manager, "/api/v1/events");
    let words: Vec<&str> =
        events["items"].as_array().expect("a list").iter().filter_map(|event| event["words"].as_str()).collect();
    let place =
        |text: &str| words.iter().position(|words| words.contains(text)).unwrap_or_else(|| panic!("{text}: {words:?}"));
    assert!(place(order) < place("carries no traffic"), "{words:?}");
}

#[test]
fn what_is_mended_is_as_planned_and_was_not_before() {
    let mut manager = manager("malbec");
    let links: Vec<String> = manager
        .control_loop
        .control
        .wiring()
        .links()
        .step_by(40)
        .take(2)
        .map(|(port, _)| manager.port_name(port))
        .collect();
    let order = |manager: &mut Manager, path: String| {
        ask(manager, "POST", &format!("/api/v1/simulation/links/{path}"), Value::Null).expect("a link");
        manager.run();
    };
    let problem = refused(&mut manager, "POST", &format!("/api/v1/simulation/links/{}/mend", links[0]), Value::Null);
    assert!(problem.status == 409 && problem.detail.contains("it was not cut or exchanged"), "{problem:?}");
    order(&mut manager, format!("{}/exchange/{}", links[0], links[1]));
    assert_eq!(get(&mut manager, "/api/v1/alarms")["items"][0]["kind"], "cable");
    order(&mut manager, format!("{}/mend", links[0]));
    let status = get(&mut manager, "/api/v1/status");
    assert_eq!(status["health"]["configuration"]["word"], "HEALTHY", "both cables lead where planned: {status}");
    order(&mut manager, format!("{}/cut", links[1]));
    order(&mut manager, format!("{}/mend", links[1]));
    assert_eq!(get(&mut manager, &format!("/api/v1/ports/{}", links[1]))["state"], "up");
}

/// The lines of "What you want of it", as they stand there, on a fresh manager.
#[test]
fn the_lines_about_documents_work_one_after_the_other() {
    let (_, section) = PAGE.split_once("## What you want of it").expect("the section");
    let block = section.split("```\n").nth(1).expect("a block of lines");
    let (_, rest) = block.split_once("cat > quiet.yaml <<END\n").expect("the document");
    let (document, lines) = rest.split_once("END\n").expect("its end");
    let folder = new_folder();
    std::fs::write(folder.path().join("quiet.yaml"), document).expect("it can be written");
    let service = Service::start(&folder, &["--system", "shandy", "--simulated"]);
    let mut count = 0;
    for line in lines.lines() {
        let line = line.split('#').next().unwrap_or(line).trim();
        let Some(arguments) = line.strip_prefix("philae fabric ") else { panic!("{line}") };
        if arguments.starts_with("watch") {
            continue;
        }
        let arguments = arguments.split(" > ").next().unwrap_or(arguments);
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_philae-manager"))
            .current_dir(folder.path())
            .env("XDG_RUNTIME_DIR", folder.path())
            .env("XDG_STATE_HOME", folder.path())
            .env_remove("PHILAE_TOKEN")
            .args(["fabric", "--manager", &service.url, "--token-file"])
            .arg(folder.path().join("manager").join("admin.token"))
            .args(arguments.split_whitespace())
            .output()
            .expect("the program runs");
        let told = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{line}: {told}");
        if arguments.starts_with("changes") {
            assert!(told.contains("quiet"), "it shows the policy: {told}");
        }
        if arguments == "export" {
            assert!(told.contains("quiet") && !told.contains("token") && !told.contains("role-binding"), "{told}");
        }
        count += 1;
    }
    assert!(count > 10, "{count}");
}
