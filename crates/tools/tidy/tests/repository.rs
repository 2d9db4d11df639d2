//! Applies the checkers to this repository. Each test prints every finding, so that one run is
//! enough to correct them all.

use philae_tidy::dependencies::DependencyGraph;
use philae_tidy::repository::{self, TextFile};
use philae_tidy::{Finding, constants, glossary, links, manifest, prose, text, types};

fn assert_none(findings: &[Finding]) {
    let lines: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{} finding(s):\n{}", findings.len(), lines.join("\n"));
}

fn check<Found>(wanted: impl Fn(&str) -> bool, checker: impl Fn(&str, &str) -> Found)
where
    Found: IntoIterator<Item = Finding>,
{
    let files: Vec<TextFile> = repository::files().into_iter().filter(|file| wanted(&file.path)).collect();
    assert!(!files.is_empty(), "a rule that applies to no file checks nothing");
    let findings: Vec<Finding> = files.iter().flat_map(|file| checker(&file.path, &file.text)).collect();
    assert_none(&findings);
}

/// The path of a crate's own file: `crates/<product>/<name>/<rest>`.
fn in_crate(path: &str, rest: &str) -> bool {
    path.strip_prefix("crates/").and_then(|path| path.splitn(3, '/').nth(2)).is_some_and(|found| found == rest)
}

#[test]
fn dependencies_point_one_way() {
    let problems = DependencyGraph::from_metadata(&repository::cargo_metadata()).wrong_directions();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn the_model_is_free_of_servers_screens_and_writers() {
    let problems = DependencyGraph::from_metadata(&repository::cargo_metadata()).strangers_in_the_model();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// `make demo`, `make build`, `make test`, `make wheel` and `make mpi-simulate` reuse each other's
/// builds. Otherwise cargo compiles a package again for every set of features.
#[test]
fn what_the_makefile_builds_shares_one_build_of_the_dependencies() {
    let files = repository::files();
    let makefile = &files.iter().find(|file| file.path == "Makefile").expect("the Makefile").text;
    let (_, command) = makefile.split_once("$(STEP) build cargo build").expect("the Makefile's build command");
    let command = command.split("@$(STEP)").next().expect("the text before the next step");
    let packages = command.split_whitespace().filter(|word| *word != "\\" && !["--release", "--locked"].contains(word));
    let build: Vec<&str> = packages.chain(["--edges", "normal,build"]).collect();
    let tested = repository::features(&["--workspace", "--edges", "normal,build,dev"]);
    let demo = repository::features(&["--package", "philae-cli", "--edges", "normal,build"]);
    // The packages that MPI adds are compiled for it alone.
    let mut mpi = repository::features(&["--package", "philae-cli", "--features", "mpi", "--edges", "normal"]);
    mpi.retain(|package, _| demo.contains_key(package));
    let wheel = repository::features(&["--package", "philae-python", "--edges", "normal,build"]);
    let mut problems = Vec::new();
    for (what, selection) in
        [("build", repository::features(&build)), ("demo", demo), ("mpi-simulate", mpi), ("wheel", wheel)]
    {
        for (package, features) in selection {
            let wanted = &tested[&package];
            if !features.is_subset(wanted) {
                problems.push(format!("{package}: `make {what}` has {features:?}, `make test` has {wanted:?}"));
            }
        }
    }
    assert!(
        problems.is_empty(),
        "crates/tools/workspace-hack/Cargo.toml does not ask for all it should:\n{}",
        problems.join("\n")
    );
}

#[test]
fn no_source_file_is_too_long() {
    check(text::is_source, text::too_long);
}

#[test]
fn nothing_is_left_unfinished() {
    check(|path| text::is_source(path) || path.ends_with(".md") || path.ends_with(".toml"), text::unfinished);
}

#[test]
fn what_users_run_prints_without_panics() {
    // The writer of SHMEM's tables runs while Philae is built, and this crate is only tests.
    let is_built_with =
        |path: &str| ["crates/tools/tidy/", "crates/nic/shmem-codegen/"].iter().any(|part| path.starts_with(part));
    let is_ours = |path: &str| path.starts_with("crates/") && path.contains("/src/") && path.ends_with(".rs");
    check(|path| is_ours(path) && !is_built_with(path), text::printing);
}

/// The list of pages names every page of the documentation. Generated pages in a folder of their
/// own have a list there.
#[test]
fn the_list_of_pages_has_all_pages() {
    let files = repository::files();
    let list = &files.iter().find(|file| file.path == "docs/README.md").expect("docs/README.md").text;
    let lists = ["docs/README.md", "docs/SUMMARY.md"];
    let is_page = |path: &str| path.starts_with("docs/") && (path.ends_with(".md") || path.ends_with(".ipynb"));
    let pages = files.iter().map(|file| file.path.as_str()).filter(|path| is_page(path) && !lists.contains(path));
    let pages: Vec<&str> = pages.filter(|path| !path.starts_with("docs/shmem/api/")).collect();
    assert!(pages.len() > 25, "only {} pages were found", pages.len());
    let missing: Vec<&&str> =
        pages.iter().filter(|path| !list.contains(&format!("]({})", path.trim_start_matches("docs/")))).collect();
    assert!(missing.is_empty(), "docs/README.md does not list {missing:?}");
    let links = list.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    let dead: Vec<&str> = links.filter(|link| !repository::root().join("docs").join(link).is_file()).collect();
    assert!(dead.is_empty(), "docs/README.md lists {dead:?}, which are not there");
}

/// The pages of `files`, and the names of all other files.
fn pages(files: &[TextFile]) -> links::MarkdownPages<'_> {
    links::MarkdownPages::new(
        files.iter().map(|file| (file.path.as_str(), file.text.as_str())),
        repository::paths().into_iter().filter(|path| repository::root().join(path).exists()),
    )
}

#[test]
fn paths_and_packages_in_the_text_exist() {
    let files = repository::files();
    let crates = repository::crate_names();
    // Older entries name what was there then.
    let is_history = |path: &str| path.starts_with("docs/notebook/") || path == "CHANGELOG.md";
    let pages = pages(&files);
    let is_command = |path: &str| path == "Makefile" || path.starts_with("scripts/") || path.starts_with(".ci/");
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| !is_history(&file.path)) {
        if file.path.ends_with(".md") {
            findings.extend(pages.lost_paths(&file.path, &file.text));
        }
        if file.path.ends_with(".md") || is_command(&file.path) {
            findings.extend(links::lost_packages(&file.path, &file.text, &crates));
        }
    }
    assert_none(&findings);
}

/// The page of mechanisms says which file has each.
#[test]
fn tables_of_mechanisms_name_files_and_items_that_exist() {
    let files = repository::files();
    let sources = files.iter().filter(|file| file.path.ends_with(".rs"));
    let sources = sources.map(|file| (file.path.as_str(), file.text.as_str())).collect();
    let page = files.iter().find(|file| file.path == "docs/simulate/mechanisms.md").expect("the page");
    assert_none(&links::lost_items(&page.path, &page.text, &sources));
}

/// `make docs` builds the chapters that the summary lists, so it would drop a page that is not
/// there.
#[test]
fn the_book_has_each_page_once() {
    let files = repository::files();
    let summary = files.iter().find(|file| file.path == "docs/SUMMARY.md").expect("docs/SUMMARY.md");
    assert_none(&pages(&files).not_once(&summary.path, &summary.text));
}

#[test]
fn every_link_of_a_page_leads_somewhere() {
    let files = repository::files();
    let pages = pages(&files);
    let is_page = |file: &&TextFile| file.path.ends_with(".md");
    assert_none(&files.iter().filter(is_page).flat_map(|file| pages.dead(&file.path, &file.text)).collect::<Vec<_>>());
}

/// The package is on no index, so no text may tell a user to install it from one.
#[test]
fn nothing_says_that_the_package_is_on_an_index() {
    let is_read = |path: &str| [".md", ".ipynb", ".py", ".toml", ".pyi"].iter().any(|ending| path.ends_with(ending));
    let files =
        repository::files().into_iter().filter(|file| is_read(&file.path) && !file.path.starts_with("docs/notebook/"));
    let found: Vec<String> =
        files.filter(|file| file.text.contains("pip install philae")).map(|file| file.path).collect();
    assert!(found.is_empty(), "`pip install philae` does not work yet: {found:?}");
}

#[test]
fn nothing_names_a_machine_of_ours() {
    check(|path| !path.ends_with("Cargo.lock"), text::machine_specific);
}

#[test]
fn every_library_states_its_invariant() {
    check(|path| in_crate(path, "src/lib.rs"), text::without_invariant);
}

#[test]
fn a_source_and_a_status_come_together() {
    // The tidy tests' own examples are wrong on purpose.
    check(|path| path.ends_with(".rs") && !path.starts_with("crates/tools/tidy/"), constants::half_sourced);
}

#[test]
fn every_model_parameter_has_a_source_and_a_status() {
    let findings: Vec<Finding> = repository::files()
        .iter()
        .filter(|file| file.path.starts_with("crates/") && file.path.ends_with("/parameters.rs"))
        .flat_map(|file| constants::unsourced(&file.path, &file.text))
        .collect();
    assert_none(&findings);
}

#[test]
fn every_preset_row_has_a_source_and_every_assumption_an_effect() {
    check(|path| path.ends_with(".rs") && !path.starts_with("crates/tools/tidy/"), constants::unsourced_presets);
}

#[test]
fn every_crate_takes_the_workspace_lints() {
    check(|path| in_crate(path, "Cargo.toml"), manifest::without_workspace_lints);
}

#[test]
fn the_glossary_is_complete_and_in_order() {
    check(|path| path == "GLOSSARY.md", |path, text| glossary::problems(path, text, glossary::TERMS));
    check(|path| path == "GLOSSARY.md", glossary::unknown_sources);
}

#[test]
fn the_glossary_has_a_row_for_each_crate() {
    let graph = DependencyGraph::from_metadata(&repository::cargo_metadata());
    let crates: Vec<&str> = graph.inside.keys().map(String::as_str).collect();
    check(|path| path == "GLOSSARY.md", |path, text| glossary::other_crates(path, text, &crates));
}

#[test]
fn the_crates_of_the_model_share_one_set_of_determinism_lints() {
    let files = repository::files();
    let lints = |folder: &str| {
        let path = format!("{folder}/clippy.toml");
        files.iter().find(|file| file.path == path).map(|file| file.text.as_str())
    };
    let reference = lints("crates/base/units").expect("crates/base/units/clippy.toml is there");
    for file in files.iter().filter(|file| in_crate(&file.path, "Cargo.toml")) {
        let folder = file.path.trim_end_matches("/Cargo.toml");
        let name = folder.split('/').nth(2).expect("the path of a crate has four parts");
        let is_model = philae_tidy::dependencies::MODEL.contains(&name.replace('_', "-").as_str());
        assert!(
            !is_model || lints(folder) == Some(reference),
            "{folder}/clippy.toml must equal crates/base/units/clippy.toml"
        );
    }
}

/// What is not yet in the English of docs/develop/style.md. The list only gets shorter.
const DIALECT: &[&str] = &["docs/notebook/"];

fn is_plain(path: &str) -> bool {
    // What a program writes has the words of its source, and the page of style quotes bad ones.
    let is_written = [
        "docs/shmem/api/",
        "docs/shmem/settings.md",
        "docs/simulate/keys.md",
        "docs/simulate/validation.md",
        "docs/simulate/assumptions.md",
        "docs/develop/style.md",
    ];
    !is_written.iter().chain(DIALECT).any(|part| path.starts_with(part))
}

#[test]
fn prose_has_lines_that_fit() {
    // An entry of the glossary is one line.
    check(|path| is_plain(path) && path != "GLOSSARY.md", prose::too_wide);
}

#[test]
fn prose_has_the_words_of_the_style_page() {
    check(is_plain, prose::words);
}

/// Names of public types that still have more than one meaning. The list only gets shorter.
const AMBIGUOUS: &[&str] = &[];

#[test]
fn one_public_type_name_has_one_meaning() {
    let files = repository::files();
    let files = files.iter().map(|file| (file.path.as_str(), file.text.as_str()));
    assert_none(&types::ambiguous(files, AMBIGUOUS));
}

/// Options that are whole numbers are read by `philae_console::whole`, which takes `1e9` and `0x10`
/// as scenarios do, and says the range. The parser's own reader takes digits only.
#[test]
fn every_option_that_is_a_whole_number_is_read_by_the_one_reader() {
    const KINDS: [&str; 8] = ["u8", "u16", "u32", "u64", "usize", "i64", "f32", "f64"];
    let (mut findings, mut right) = (Vec::new(), 0);
    for file in repository::files().iter().filter(|file| file.path.ends_with(".rs") && file.text.contains("#[arg(")) {
        let mut attribute = String::new();
        for (number, line) in file.text.lines().map(str::trim).enumerate() {
            if line.starts_with("#[arg(") || !attribute.is_empty() && !attribute.ends_with(")]") {
                attribute += line;
                continue;
            }
            let kind = line.trim_end_matches(',').split_once(": ").map_or("", |(_, kind)| kind);
            let kind = kind.trim_start_matches("Option<").trim_start_matches("Vec<").trim_end_matches('>');
            if !attribute.is_empty() && KINDS.contains(&kind) {
                // `threads` and `scaled` call the same reader.
                let parser = attribute.split_once("value_parser = ").map_or("", |(_, parser)| parser);
                let starts = ["philae_console::whole::<", "threads)", "|text: &str| scaled(text, "];
                let is_right = starts.iter().any(|start| parser.starts_with(start));
                right += usize::from(is_right);
                if !is_right {
                    findings.push(format!("{}:{}: {line} is not read by `whole`", file.path, number + 1));
                }
            }
            attribute.clear();
        }
    }
    assert!(findings.is_empty(), "{}", findings.join("\n"));
    assert!(right > 40, "only {right} options were looked at");
}
