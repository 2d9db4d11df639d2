//! Manual pages: one for every page of the tables, an alias for every name, and those of the
//! commands.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::documents::{arguments, generic_synopsis, history, stand_for, synopsis};
use crate::expand::{of_page, pages};
use crate::page::{ApiPart, ManualPage};

/// Escapes text for troff.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    text.lines()
        .map(|line| if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line.to_owned() })
        .collect::<Vec<_>>()
        .join("\n")
}

fn section(out: &mut String, title: &str, text: &str) {
    if !text.is_empty() {
        let _ = writeln!(out, ".SH {title}\n{}", escaped(text));
    }
}

fn page3(page: &ManualPage) -> String {
    let header = if page.group == ApiPart::Extensions { "shmemx.h" } else { "shmem.h" };
    let mut out = format!(
        ".\\\" Written by philae-shmem-tables: do not edit.\n.TH {} 3 \"\" \"OpenSHMEM 1.6\" \"Philae\"\n.SH NAME\n{} \\- \
         {}\n.SH SYNOPSIS\n.nf\n#include <{header}>\n\n",
        page.name.to_uppercase(),
        page.name,
        escaped(page.summary)
    );
    for line in page.calls.iter().flat_map(synopsis) {
        let _ = writeln!(out, "{}", escaped(&line));
    }
    let generic: Vec<String> = page.calls.iter().flat_map(generic_synopsis).collect();
    if !generic.is_empty() {
        let _ = writeln!(out, "\n/* C11 and C++ */\n{}", escaped(&generic.join("\n")));
    }
    out += ".fi\n";
    for sentence in stand_for(page) {
        let _ = writeln!(out, ".PP\n{}", escaped(&sentence));
    }
    let arguments = arguments(page);
    if !arguments.is_empty() {
        out += ".SH ARGUMENTS\n";
        for (name, what) in arguments {
            let _ = writeln!(out, ".TP\n.I {name}\n{}", escaped(what));
        }
    }
    section(&mut out, "DESCRIPTION", page.description);
    section(&mut out, "RETURN VALUE", page.returns);
    section(&mut out, "NOTES", page.notes);
    if !page.example.is_empty() {
        let _ = writeln!(out, ".SH EXAMPLE\n.nf\n{}\n.fi", escaped(page.example));
    }
    section(&mut out, "STANDARDS", &history(page));
    if !page.see.is_empty() {
        let names: Vec<String> = page.see.iter().map(|name| format!("{name}(3)")).collect();
        section(&mut out, "SEE ALSO", &names.join(", "));
    }
    out
}

/// The manual pages of the commands.
const OSHCC: &str = r#".TH OSHCC 1 "" "OpenSHMEM 1.6" "Philae"
.SH NAME
oshcc, oshc++ \- compile and link OpenSHMEM programs
.SH SYNOPSIS
.B oshcc
[\fB\-\-showme\fR[\fB:compile\fR|\fB:link\fR]] [\fIoption or file\fR]...
.br
.B oshc++
[\fB\-\-showme\fR[\fB:compile\fR|\fB:link\fR]] [\fIoption or file\fR]...
.SH DESCRIPTION
They call the C or C++ compiler with the options and files that they are given, and add where the headers and the library
are. The program finds the library at run time by the path that is put into it.
.SH OPTIONS
.TP
.BR \-\-showme ", " \-show ", " \-\-show
Print the command instead of running it.
.TP
.BR \-\-showme:compile ", " \-\-showcompile
Print the options that are added to compile.
.TP
.BR \-\-showme:link ", " \-\-showlink
Print the options that are added to link.
.TP
.B \-\-showme:version
Print the version.
.SH ENVIRONMENT
.TP
.BR OSHCC_CC ", " OSHCXX_CXX
The compiler of oshcc and of oshc++. Without it CC or CXX is used, then cc or c++.
.SH SEE ALSO
oshrun(1), shmem_init(3)
"#;
const OSHRUN: &str = r#".TH OSHRUN 1 "" "OpenSHMEM 1.6" "Philae"
.SH NAME
oshrun \- run an OpenSHMEM program
.SH SYNOPSIS
.B oshrun
[\fB\-n\fR \fINUMBER\fR] [\fIoption\fR]... \fIprogram\fR [\fIargument\fR]...
.SH DESCRIPTION
It starts NUMBER processes of the program, its PEs, passes on what they print, and ends when they have ended. It is
.BR "philae run" ,
whose other options it takes too.
.SH OPTIONS
.TP
.BR \-n ", " \-np ", " \-\-np " " \fINUMBER\fR
How many PEs. Without it: one for every processor.
.TP
.B \-\-help
All options.
.SH EXIT STATUS
0 where all PEs ended with 0; else that of the first that did not, or what shmem_global_exit(3) said.
.SH SEE ALSO
oshcc(1), shmem_init(3)
"#;

/// All manual pages: their paths below `share/man`, and their texts.
#[must_use]
pub fn pages_and_aliases() -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut names = BTreeSet::new();
    for page in pages() {
        all.push((format!("man3/{}.3", page.name), page3(page)));
        names.insert(page.name.to_owned());
    }
    for page in pages() {
        let generic = page.calls.iter().filter_map(|call| call.generic.map(|(name, _)| name.to_owned()));
        let functions = of_page(page).into_iter().map(|function| function.name().to_owned());
        for name in generic.chain(functions) {
            if names.insert(name.clone()) {
                all.push((format!("man3/{name}.3"), format!(".so man3/{}.3\n", page.name)));
            }
        }
    }
    all.push(("man1/oshcc.1".into(), OSHCC.into()));
    all.push(("man1/oshc++.1".into(), ".so man1/oshcc.1\n".into()));
    all.push(("man1/oshrun.1".into(), OSHRUN.into()));
    all
}
