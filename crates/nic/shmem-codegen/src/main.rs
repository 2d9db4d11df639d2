//! `philae-shmem-tables`: writes the files that are rendered from the tables.

use std::path::Path;
use std::process::ExitCode;

use philae_shmem_codegen::render::{definitions, documents, headers, man};

const USAGE: &str = "usage: philae-shmem-tables headers ROOT | documents ROOT | definitions DIRECTORY | man DIRECTORY

headers ROOT           include/*.h below ROOT
documents ROOT         docs/shmem/api/*.md below ROOT
definitions DIRECTORY  the C source of the exported functions, and the linker's list of their names
man DIRECTORY          man3 and man1 below DIRECTORY, a page for every name";

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory)?;
    }
    std::fs::write(path, text)
}

fn run(what: &str, to: &Path) -> Option<std::io::Result<()>> {
    Some(match what {
        "headers" => headers::headers().iter().try_for_each(|file| write(&to.join(file.path), &file.text)),
        "documents" => documents::documents().iter().try_for_each(|(path, text)| write(&to.join(path), text)),
        "definitions" => definitions::place(to),
        "man" => man::pages_and_aliases().iter().try_for_each(|(path, text)| write(&to.join(path), text)),
        _ => return None,
    })
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, to] = arguments.as_slice() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match run(what, Path::new(to)) {
        Some(Ok(())) => ExitCode::SUCCESS,
        Some(Err(error)) => {
            eprintln!("philae-shmem-tables: cannot write {what} to {to}: {error}");
            ExitCode::FAILURE
        }
        None => {
            eprintln!("philae-shmem-tables: there is no '{what}'\n{USAGE}");
            ExitCode::from(2)
        }
    }
}
