//! The command lines of `schema`, `completions`, `man`, and of the manager's commands.

use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae schema > scenario.schema.json
  philae schema --workloads
  philae schema --keys
  philae schema --assumptions --json
  philae schema --results")]
pub struct SchemaArguments {
    #[command(flatten)]
    pub what: SchemaWhat,
}

#[derive(Args, Debug)]
#[group(multiple = false)]
pub struct SchemaWhat {
    /// Print the kinds of workload with their keys.
    #[arg(long)]
    pub workloads: bool,
    /// Print every assumed figure, as the Markdown of docs/simulate/assumptions.md.
    #[arg(long)]
    pub assumptions: bool,
    /// Print the tables of a result folder with their columns.
    #[arg(long)]
    pub results: bool,
    /// Print every key with its default, unit and range, as the Markdown of docs/simulate/keys.md.
    #[arg(long)]
    pub keys: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  philae completions bash > ~/.local/share/bash-completion/completions/philae
  philae completions zsh > ~/.zfunc/_philae
  philae completions fish > ~/.config/fish/completions/philae.fish")]
pub struct CompletionsArguments {
    /// The shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

#[derive(Args, Debug)]
pub struct ManArguments {
    /// The folder, such as build/share/man/man1; it is created if it does not exist.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

/// What is passed on.
#[derive(clap::Args, Debug)]
#[command(disable_help_flag = true)]
pub struct PassedOn {
    /// Commands and options; --help lists them.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    pub arguments: Vec<OsString>,
}
