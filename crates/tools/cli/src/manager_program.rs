//! The manager's program. It is a separate one, so that the simulator does not include a server.

use clap_complete::Shell;
use std::path::PathBuf;
use std::process::Command;

/// The program to run, next to this one.
const PROGRAM: &str = "philae-manager";

/// Commands that are passed on.
const PASSED_ON: [&str; 3] = ["manager", "fabric", "agent"];

/// The manager's program: the one next to this program, otherwise the one found by name.
pub fn program() -> PathBuf {
    let here = std::env::current_exe().ok().and_then(|program| Some(program.parent()?.join(PROGRAM)));
    here.filter(|program| program.is_file()).unwrap_or_else(|| PROGRAM.into())
}

/// Completions of the commands that are passed on: the manager's own completions, and the same for
/// `philae manager` and so on. Empty if the manager's program is missing or does not support this
/// shell.
pub fn completions(shell: Shell) -> String {
    // Each shell's function for the manager's program is called with its name instead of ours.
    let glue = match shell {
        Shell::Bash => {
            r#"
_philae_or_manager() {
    case "${COMP_WORDS[1]}" in
    COMMANDS)
        if [ "$COMP_CWORD" -gt 1 ]; then
            COMP_WORDS[0]=philae_manager
            _philae_manager philae_manager "$2" "$3"
            return
        fi
        ;;
    esac
    _philae "$@"
}
complete -F _philae_or_manager -o nosort -o bashdefault -o default philae
"#
        }
        Shell::Zsh => {
            r#"
_philae_or_manager() {
    if (( CURRENT > 2 )) && [[ "${words[2]}" == (COMMANDS) ]]; then
        words[1]=philae_manager
        _philae_manager "$@"
    else
        _philae "$@"
    fi
}
compdef _philae_or_manager philae
"#
        }
        Shell::Fish => "\ncomplete -c philae --wraps philae_manager\n",
        _ => return String::new(),
    };
    let made = Command::new(program()).args(["completions", &shell.to_string()]).output();
    match made {
        Ok(made) if made.status.success() => {
            String::from_utf8_lossy(&made.stdout).into_owned() + &glue.replace("COMMANDS", &PASSED_ON.join("|"))
        }
        _ => String::new(),
    }
}
