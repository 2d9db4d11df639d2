//! `docs/shmem/settings.md` matches the tables of variables, and has every variable of the
//! standard.

mod common;

use std::fmt::Write;
use std::fs;

use philae_shmem::settings::Variable;
use philae_shmem::{remote, settings};
use philae_shmem_codegen::tables::environment;

fn table(out: &mut String, variables: &[Variable]) {
    *out += "\n| Variable | May be | Default | What it does |\n|---|---|---|---|\n";
    for one in variables {
        let other = if one.other.is_empty() { String::new() } else { format!(" (`{}`)", one.other) };
        let _ = writeln!(out, "| `{}`{other} | {} | {} | {} |", one.name, one.works, one.default, one.effect);
    }
}

fn document() -> String {
    let mut out = String::from(
        "# Settings of the OpenSHMEM library\n\nVariables of the environment, read at initialisation; a name in parentheses does \
         the same, and the first one wins. A value that\nhas no meaning is an error that says what would work. \
         `SHMEM_INFO=1` prints them with their values. A test compares this page with\nthe library's tables.\n",
    );
    table(&mut out, &settings::VARIABLES);
    out += "\n## Between hosts\n";
    table(&mut out, &remote::VARIABLES);
    out
}

/// `PHILAE_UPDATE=1 cargo test --release --package philae-shmem --test documents` writes it.
#[test]
fn the_settings_are_documented_as_they_are() {
    let file = common::root().join("docs/shmem/settings.md");
    if std::env::var("PHILAE_UPDATE").is_ok_and(|value| value == "1") {
        fs::write(&file, document()).expect("a checkout that can be written");
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert!(found == document(), "docs/shmem/settings.md is old: run this test with PHILAE_UPDATE=1");
}

#[test]
fn every_variable_of_the_standard_is_there_under_both_names() {
    for (name, old) in environment::VARIABLES {
        let found = settings::VARIABLES.iter().find(|one| one.name == name).unwrap_or_else(|| panic!("no {name}"));
        assert_eq!(found.other, old, "the deprecated name of {name}");
    }
}
