//! Compares the tables with the standard's numbers, with each other, and with the committed files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use philae_shmem_codegen::expand::pages;
use philae_shmem_codegen::render::{documents, headers, man};
use philae_shmem_codegen::tables::constants::{CONSTANTS, HANDLES};
use philae_shmem_codegen::{ApiPart, functions};

/// The C functions of OpenSHMEM 1.6 in each part. Source: counted in the standard's type tables.
/// Status: published.
const COUNTS: [(ApiPart, usize); 20] = [
    (ApiPart::Setup, 12),
    (ApiPart::Threads, 2),
    (ApiPart::Memory, 6),
    (ApiPart::Teams, 7),
    (ApiPart::Contexts, 4),
    (ApiPart::Rma, 216),
    (ApiPart::RmaStrided, 232),
    (ApiPart::RmaNonblocking, 120),
    (ApiPart::Amo, 288),
    (ApiPart::AmoNonblocking, 170),
    (ApiPart::Signals, 125),
    (ApiPart::Sessions, 2),
    (ApiPart::Synchronisation, 3),
    (ApiPart::Collectives, 125),
    (ApiPart::Reductions, 142),
    (ApiPart::Scans, 52),
    (ApiPart::Waits, 173),
    (ApiPart::Ordering, 6),
    (ApiPart::Locks, 3),
    (ApiPart::Profiling, 1),
];

fn count(group: ApiPart) -> usize {
    functions().iter().filter(|function| function.page.group == group).count()
}

#[test]
fn every_part_has_as_many_functions_as_the_standard() {
    for (group, expected) in COUNTS {
        assert_eq!(count(group), expected, "{}", group.title());
    }
    assert_eq!(COUNTS.iter().map(|(group, _)| count(*group)).sum::<usize>(), 1_689);
}

#[test]
fn the_deprecated_names_are_all_there() {
    // 7 with old prefixes, 6 of caches, 102 atomics, 5 waits and the untyped wait_until, 2
    // barriers, 10 collectives and 44 reductions on active sets.
    assert_eq!(count(ApiPart::Deprecated), 7 + 6 + 102 + 6 + 2 + 10 + 44);
}

#[test]
fn the_constants_are_all_there() {
    assert_eq!(CONSTANTS.len(), 35);
    assert_eq!(CONSTANTS.iter().filter(|one| one.twin).count(), 16);
    assert_eq!(HANDLES.len(), 3);
}

#[test]
fn there_are_sixty_five_generic_names_that_are_not_deprecated() {
    let by_type: BTreeSet<&str> = pages()
        .iter()
        .filter(|page| !matches!(page.group, ApiPart::Deprecated | ApiPart::Extensions))
        .flat_map(|page| page.calls.iter().filter_map(|call| call.generic.map(|(name, _)| name)))
        .collect();
    // shmem_sync, shmem_signal_set and shmem_signal_add do not depend on a type.
    assert_eq!(by_type.len() + 3, 65);
}

#[test]
fn every_name_is_there_once() {
    let mut seen = BTreeMap::new();
    for function in functions() {
        let before = seen.insert(function.name().to_owned(), function.page.name);
        assert_eq!(before, None, "{} is on two pages", function.name());
    }
}

/// Programs inline only the standard's functions: most extensions are other names of these, and
/// their bodies are in the library.
#[test]
fn extensions_are_not_inlined() {
    let inlined: Vec<_> =
        functions().into_iter().filter(|function| function.inlined && function.is_extension()).collect();
    assert_eq!(inlined.iter().map(philae_shmem_codegen::Function::name).collect::<Vec<_>>(), Vec::<&str>::new());
    let bodies = headers::headers().into_iter().filter(|file| file.path.ends_with("_bodies.h")).count();
    assert_eq!(bodies, 1);
}

#[test]
fn every_page_is_complete() {
    let pages = pages();
    let names: BTreeSet<&str> = pages.iter().map(|page| page.name).collect();
    assert_eq!(names.len(), pages.len(), "two pages have one name");
    for page in &pages {
        assert!(!page.summary.is_empty() && !page.description.is_empty() && !page.calls.is_empty(), "{}", page.name);
        for other in page.see {
            assert!(names.contains(other), "{} points to {other}, which is no page", page.name);
        }
        let has_result =
            page.calls.iter().any(|call| !call.prototype.starts_with("void ") || call.prototype.starts_with("void *"));
        assert!(!has_result || !page.returns.is_empty(), "{}: what it returns", page.name);
    }
}

#[test]
fn every_argument_of_a_call_is_described() {
    for function in functions().iter().filter(|function| function.page.group != ApiPart::Deprecated) {
        for parameter in &function.prototype.parameters {
            let is_described = parameter.name.is_empty()
                || function.page.arguments.iter().any(|(name, _)| *name == parameter.name)
                || (parameter.name == "ctx" && function.takes_ctx);
            assert!(is_described, "{}: {} is not described", function.name(), parameter.name);
        }
    }
}

fn committed(path: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(path);
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        found == text,
        "{path} is not what the tables give; cargo run --release --package philae-shmem-codegen -- headers . && cargo run \
         --release --package philae-shmem-codegen -- documents . write it"
    );
}

#[test]
fn the_committed_headers_are_those_of_the_tables() {
    for file in headers::headers() {
        committed(file.path, &file.text);
    }
}

#[test]
fn the_committed_documents_are_those_of_the_tables() {
    for (path, text) in documents::documents() {
        committed(&path, &text);
    }
}

#[test]
fn every_name_has_a_manual_page() {
    let all: BTreeMap<String, String> = man::pages_and_aliases().into_iter().collect();
    for function in functions() {
        assert!(all.contains_key(&format!("man3/{}.3", function.name())), "{}", function.name());
    }
    for text in all.values() {
        if let Some(target) = text.strip_prefix(".so ") {
            assert!(all.contains_key(target.trim_end()), "an alias of {target} leads nowhere");
        }
    }
    assert!(all["man3/shmem_put.3"].contains(".SH SYNOPSIS"));
}
