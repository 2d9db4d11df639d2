//! `docs/shmem/api/`: a page for every page of the tables, and an index.

use std::fmt::Write;

use super::wrapped;
use crate::expand::{ctx_name, functions, of_page, pages};
use crate::page::{ApiPart, CallPrototype, Expansion, ManualPage};
use crate::prototype::{Parameter, Prototype};
use crate::tables::CTX_ARGUMENT;
use crate::tables::constants::{CONSTANTS, Constant, EXTENSIONS, HANDLES, OTHERS};
use crate::tables::environment::VARIABLES;

/// A prototype, over several lines if it is long.
fn folded(prototype: &str) -> String {
    let mut out = String::new();
    let mut column = 0;
    for (i, part) in prototype.split(", ").enumerate() {
        if i > 0 {
            out.push(',');
            if column + part.len() + 3 > 100 {
                out += "\n        ";
                column = 8;
            } else {
                out.push(' ');
                column += 2;
            }
        }
        out += part;
        column += part.len();
    }
    out
}

/// A sentence, with a capital at its beginning.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).chain(['.']).collect())
}

/// A call in the synopsis, with TYPE, TYPENAME and SIZE instead of its expansion.
pub(crate) fn synopsis(call: &CallPrototype) -> Vec<String> {
    let text = call.prototype.replace("{T}", "TYPE").replace("{N}", "TYPENAME").replace("{S}", "SIZE");
    let mut prototype = Prototype::parse(&text);
    let mut lines = vec![folded(&format!("{};", prototype.declared_as(&prototype.name)))];
    if call.ctx {
        prototype.name = ctx_name(&prototype.name);
        prototype.parameters.insert(0, Parameter { c: "shmem_ctx_t".into(), name: "ctx".into() });
        lines.push(folded(&format!("{};", prototype.declared_as(&prototype.name))));
    }
    lines
}

/// A call in C11 and C++, if it has a generic name.
pub(crate) fn generic_synopsis(call: &CallPrototype) -> Vec<String> {
    let Some((name, _)) = call.generic else { return Vec::new() };
    let mut prototype = Prototype::parse(&call.prototype.replace("{T}", "TYPE").replace("{N}", "TYPENAME"));
    let mut lines = vec![folded(&format!("{};", prototype.declared_as(name)))];
    if call.ctx {
        prototype.parameters.insert(0, Parameter { c: "shmem_ctx_t".into(), name: "ctx".into() });
        lines.push(folded(&format!("{};", prototype.declared_as(name))));
    }
    lines
}

/// The meaning of TYPE, TYPENAME and SIZE on a page, a sentence each.
pub(crate) fn stand_for(page: &ManualPage) -> Vec<String> {
    let mut said: Vec<String> = Vec::new();
    for call in page.calls {
        let sentence = match call.over {
            Expansion::Once => continue,
            Expansion::Sizes(sizes) => {
                let sizes: Vec<String> = sizes.iter().map(u32::to_string).collect();
                format!("SIZE, in bits, is {}.", sizes.join(", "))
            }
            Expansion::Types(types) => {
                let types: Vec<String> = types
                    .iter()
                    .map(|of| match of.c {
                        "philae_shmem_complexf" => "float complex (complexf)".into(),
                        "philae_shmem_complexd" => "double complex (complexd)".into(),
                        c if c == of.name => c.to_owned(),
                        c => format!("{c} ({})", of.name),
                    })
                    .collect();
                format!("TYPE (and TYPENAME, where it differs) is {}.", types.join(", "))
            }
        };
        if !said.contains(&sentence) {
            said.push(sentence);
        }
    }
    said
}

/// The arguments of a page, including the context if a call takes one.
pub(crate) fn arguments(page: &ManualPage) -> Vec<(&'static str, &'static str)> {
    let takes_ctx = page.calls.iter().any(|call| call.ctx);
    takes_ctx.then_some(CTX_ARGUMENT).into_iter().chain(page.arguments.iter().copied()).collect()
}

/// The versions that introduce and deprecate a page.
pub(crate) fn history(page: &ManualPage) -> String {
    match (page.since, page.deprecated) {
        ("", _) => "An extension, in shmemx.h.".into(),
        (since, "") => format!("In OpenSHMEM since {since}."),
        (since, deprecated) => format!("In OpenSHMEM since {since}; deprecated since {deprecated}."),
    }
}

fn section(out: &mut String, title: &str, text: &str) {
    if !text.is_empty() {
        let _ = write!(out, "\n## {title}\n\n{}", wrapped(text, 120, ""));
    }
}

fn document(page: &ManualPage) -> String {
    let header = if page.group == ApiPart::Extensions { "shmemx.h" } else { "shmem.h" };
    let mut out = format!("# {}\n\n{}\n\n```c\n#include <{header}>\n\n", page.name, sentence(page.summary));
    for line in page.calls.iter().flat_map(synopsis) {
        let _ = writeln!(out, "{line}");
    }
    out += "```\n";
    let generic: Vec<String> = page.calls.iter().flat_map(generic_synopsis).collect();
    if !generic.is_empty() {
        let _ = write!(out, "\nIn C11 and C++:\n\n```c\n{}\n```\n", generic.join("\n"));
    }
    for sentence in stand_for(page) {
        let _ = write!(out, "\n{}", wrapped(&sentence, 120, ""));
    }
    let arguments = arguments(page);
    if !arguments.is_empty() {
        out += "\n## Arguments\n\n";
        for (name, what) in arguments {
            let item = wrapped(&format!("- `{name}`: {what}"), 118, "").replace('\n', "\n  ");
            out += item.trim_end_matches("  ");
        }
    }
    section(&mut out, "What it does", page.description);
    section(&mut out, "What it returns", page.returns);
    section(&mut out, "Notes", page.notes);
    if !page.example.is_empty() {
        let _ = write!(out, "\n## Example\n\n```c\n{}```\n", page.example);
    }
    let _ = write!(out, "\n{}\n", history(page));
    if !page.see.is_empty() {
        let links: Vec<String> = page.see.iter().map(|name| format!("[{name}]({name}.md)")).collect();
        let _ = write!(out, "\nSee {}.\n", links.join(", "));
    }
    out
}

fn table(out: &mut String, constants: &[Constant]) {
    *out += "| Constant | Meaning |\n|---|---|\n";
    for one in constants {
        let twin = if one.twin { format!(", deprecated `_{}`", one.name) } else { String::new() };
        let old =
            if one.deprecated.is_empty() { String::new() } else { format!(" Deprecated since {}.", one.deprecated) };
        let _ = writeln!(out, "| `{}`{twin} | {}{old} |", one.name, one.what);
    }
}

fn index() -> String {
    let all = functions();
    let standard =
        all.iter().filter(|one| !matches!(one.page.group, ApiPart::Deprecated | ApiPart::Extensions)).count();
    let deprecated = all.iter().filter(|one| one.page.group == ApiPart::Deprecated).count();
    let mut out = format!(
        "# The OpenSHMEM API, page by page\n\nWritten by `philae-shmem-tables documents .` from the tables of \
         `crates/nic/shmem-codegen`; a test compares.\n\nOpenSHMEM 1.6 has {standard} functions of C here, with {} constants and {} \
         handles; {deprecated} more have deprecated names, and {} are extensions (`shmemx.h`). All that begin with `shmem_` \
         or `shmemx_` have a twin that begins with a `p` (`pshmem.h`). What the environment can say:\n[settings](../settings.md).\n",
        CONSTANTS.len() + CONSTANTS.iter().filter(|one| one.twin).count(),
        HANDLES.len(),
        all.len() - standard - deprecated,
    );
    for group in ApiPart::ALL {
        let _ = write!(out, "\n## {}\n\n| Page | What it is for | Functions |\n|---|---|---|\n", group.title());
        for page in pages().into_iter().filter(|page| page.group == group) {
            let _ = writeln!(out, "| [{0}]({0}.md) | {1} | {2} |", page.name, page.summary, of_page(page).len());
        }
    }
    out += "\n## Constants\n\n";
    table(&mut out, CONSTANTS);
    out += "\nHandles:\n\n";
    table(&mut out, HANDLES);
    out += "\nNames of other libraries that `shmem.h` has, too:\n\n";
    table(&mut out, OTHERS);
    out += "\nOf `shmemx.h`:\n\n";
    table(&mut out, EXTENSIONS);
    out += "\n## Environment variables of the standard\n\n";
    for (name, old) in VARIABLES {
        let _ = writeln!(out, "- `{name}` (deprecated: `{old}`)");
    }
    out
}

/// All documents: their paths and texts.
#[must_use]
pub fn documents() -> Vec<(String, String)> {
    let mut all = vec![("docs/shmem/api/README.md".to_owned(), index())];
    all.extend(pages().into_iter().map(|page| (format!("docs/shmem/api/{}.md", page.name), document(page))));
    all
}
