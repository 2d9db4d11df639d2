//! Values of options: parsers, and the names that shells complete.

use clap::builder::{PathBufValueParser, PossibleValue, StringValueParser, TypedValueParser};
use philae_experiments::BENCH_SIZES;
use std::ffi::OsStr;
use std::path::PathBuf;

/// Sizes of the benchmark's networks.
#[derive(Clone, Debug)]
pub struct BenchSizes(pub Vec<u32>);

/// `all`, or sizes for which there are cases, separated by commas.
pub fn bench_sizes(text: &str) -> Result<BenchSizes, String> {
    let one = |word: &str| {
        let found = BENCH_SIZES.into_iter().find(|size| size.to_string() == word.trim());
        found.ok_or_else(|| {
            format!(
                "no case has '{word}' endpoints; {} or all would work",
                BENCH_SIZES.map(|size| size.to_string()).join(", ")
            )
        })
    };
    if text == "all" {
        Ok(BenchSizes(BENCH_SIZES.to_vec()))
    } else {
        text.split(',').map(one).collect::<Result<_, _>>().map(BenchSizes)
    }
}

/// `KEY=VALUE`.
pub fn key_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_owned(), value.trim().to_owned())),
        _ => Err("KEY=VALUE would work, such as congestion.law=none".to_owned()),
    }
}

/// A file to write: `-` is standard output, as in other tools.
pub fn output_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(standard_output_or)
}

fn standard_output_or(file: PathBuf) -> PathBuf {
    if file.as_os_str() == "-" { PathBuf::from("/dev/stdout") } else { file }
}

/// `PORT=FILE`.
pub fn port_and_file(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((port, file)) if !port.is_empty() && !file.is_empty() => {
            Ok((port.to_owned(), standard_output_or(file.into())))
        }
        _ => Err("PORT=FILE would work, such as endpoint:7=nic.pcapng or switch:3/port:7=link.pcapng".to_owned()),
    }
}

pub fn threads(text: &str) -> Result<usize, String> {
    philae_console::whole(1, 1_024)(text)
}

/// Accepts any text, and offers shells the names that this function returns.
#[derive(Clone, Copy, Debug)]
pub struct Suggested(pub fn() -> Vec<&'static str>);

/// The experiments.
pub const EXPERIMENT_NAMES: Suggested = Suggested(|| {
    let names = philae_experiments::experiments().into_iter().map(|experiment| experiment.id());
    names.chain(["all"]).collect()
});

/// The built-in systems.
pub const SYSTEM_NAMES: Suggested = Suggested(|| philae_topology::systems().iter().map(|system| system.name).collect());

/// The tables of a result, and the table of a sweep.
pub const TABLE_NAMES: Suggested = Suggested(|| {
    let names = philae_results::tables::tables().into_iter().map(|table| table.name);
    names.chain(["table"]).collect()
});

impl TypedValueParser for Suggested {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter().map(PossibleValue::new)))
    }
}
