//! The command's messages for an operator: a manager that is stopped, a standby, changes that wait
//! for their confirmation, names that are nearly right.

use std::process::{Command, Output, Stdio};

use rustix::process::Signal;

use crate::common::new_folder;
use crate::process::Process;
use tempfile::TempDir;

fn leader(folder: &TempDir, more: &[&str]) -> Process {
    let state = folder.path().join("manager");
    let path = state.to_str().expect("plain");
    let arguments =
        ["manager", "serve", "--simulated", "--system", "malbec", "--listen", "127.0.0.1:0", "--state", path];
    Process::start(&[&arguments[..], more].concat(), &state)
}

fn fabric(folder: &TempDir, base: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_philae-manager"));
    command.env("XDG_RUNTIME_DIR", folder.path().join("manager")).env_remove("PHILAE_TOKEN");
    command.args(["fabric", "--manager", base]).args(arguments).output().expect("the program runs")
}

fn said(output: &Output) -> String {
    let all = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&all).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_manager_that_is_stopped_is_told_in_time_with_what_to_do() {
    let folder = new_folder();
    let manager = leader(&folder, &[]);
    assert!(fabric(&folder, &manager.base, &["--timeout", "30", "status"]).status.success());
    manager.signal(Signal::STOP);
    for (arguments, hint) in [
        (&["--timeout", "1", "status"][..], "no byte in 1 s"),
        (&["--timeout", "1", "show", "links"], "tests it"),
        (&["--timeout", "1", "confirm"], "it is unknown whether the order was carried out"),
        (&["--timeout", "1", "backup", "nowhere"], "no byte"),
    ] {
        let output = fabric(&folder, &manager.base, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", said(&output));
        assert!(said(&output).contains(hint), "{arguments:?}: {}", said(&output));
    }
    manager.signal(Signal::CONT);
    assert!(fabric(&folder, &manager.base, &["status"]).status.success());
}

#[test]
fn changes_are_confirmed_or_taken_back_whatever_command_made_them() {
    let folder = new_folder();
    let manager = leader(&folder, &[]);
    let file = folder.path().join("policy.yaml");
    let text = "kind: port-policy\nname: quiet\nspec: {selector: role=edge, settings: {autoneg: false}}\n";
    std::fs::write(&file, text).expect("there is room");
    let path = file.to_str().expect("plain");
    let run = |arguments: &[&str]| fabric(&folder, &manager.base, arguments);
    let applied = run(&["apply", path, "--confirm-within", "300"]);
    assert!(said(&applied).contains("undone in 300 s unless it is confirmed"), "{}", said(&applied));
    assert!(said(&run(&["status"])).contains("Pending revision"), "{}", said(&run(&["status"])));
    let refused = run(&["delete", "port-policies", "quiet"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(said(&refused).contains("philae fabric confirm --undo"), "{}", said(&refused));
    assert!(said(&run(&["confirm", "--undo"])).contains("undone: documents are as they were before"));
    assert!(!run(&["show", "port-policies/quiet"]).status.success(), "it is gone");
    assert!(run(&["apply", path, "--confirm-within", "300"]).status.success());
    assert!(run(&["confirm"]).status.success());
    // Deletions, too; and the singular of a kind works like the plural.
    let deleted = run(&["delete", "port-policy", "quiet", "--confirm-within", "300"]);
    assert!(said(&deleted).contains("unless it is confirmed"), "{}", said(&deleted));
    assert!(run(&["confirm", "--undo"]).status.success());
    assert!(run(&["show", "port-policies/quiet"]).status.success(), "it is back");
    let none = run(&["delete", "port-policies", "quite"]);
    assert!(said(&none).contains("did you mean 'quiet'"), "{}", said(&none));
    let none = run(&["delete", "port-polices", "quiet"]);
    assert!(said(&none).contains("did you mean 'port-policies'"), "{}", said(&none));
    // There are no differences for documents that `apply` refuses.
    std::fs::write(&file, "kind: switch\nname: x9999c7r7b0\nspec: {enabled: true}\n").expect("there is room");
    let (applied, compared) = (run(&["apply", path]), run(&["diff", path]));
    assert_eq!((applied.status.code(), compared.status.code()), (Some(2), Some(2)), "{}", said(&compared));
    assert_eq!(said(&applied), said(&compared));
}

#[test]
fn a_standby_says_first_that_it_is_one_and_where_to_ask() {
    let folder = new_folder();
    let manager = leader(&folder, &[]);
    let token = folder.path().join("manager").join("admin.token");
    let token = token.to_str().expect("plain");
    let other = folder.path().join("standby");
    let standby = Process::start(
        &[
            &["manager", "standby", "--simulated", "--system", "malbec", "--listen", "127.0.0.1:0"][..],
            &["--of", &manager.base, "--token-file", token, "--state", other.to_str().expect("plain")],
        ]
        .concat(),
        &other,
    );
    standby.until("/api/v1/leadership", "in step", |shown| shown["behindRevisions"] == 0);
    let shown = fabric(&folder, &standby.base, &["--token-file", token, "status"]);
    let text = String::from_utf8_lossy(&shown.stdout).into_owned();
    let first = text.lines().next().unwrap_or_default();
    assert_eq!(first, format!("This manager is a standby, it follows {}", manager.base));
    assert!(text.contains("Behind         0 changes") && text.contains("philae fabric --manager"), "{text}");
    assert!(!text.contains("Runtime"), "it hears no switch: {text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let shown = said(&fabric(&folder, &manager.base, &["status"]));
    assert!(shown.contains("Standby") && shown.contains("heard"), "{shown}");
}

#[test]
fn a_manager_that_cannot_say_where_it_is_writes_it_down() {
    let folder = new_folder();
    let (state, runtime) = (folder.path().join("manager"), folder.path().join("runtime"));
    std::fs::create_dir(&runtime).expect("there is room");
    std::fs::write(runtime.join("philae"), "no folder").expect("there is room");
    let mut command = Command::new(env!("CARGO_BIN_EXE_philae-manager"));
    command.args(["manager", "serve", "--simulated", "--system", "malbec", "--listen", "127.0.0.1:0", "--state"]);
    command.arg(&state).env("XDG_RUNTIME_DIR", &runtime).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stderr.take().expect("it is piped")));
    let told = lines.by_ref().map_while(Result::ok).find(|line| line.contains("cannot publish its address"));
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert!(told.is_some_and(|line| line.contains("--token-file")), "it goes on and says so");
}
