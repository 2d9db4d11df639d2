//! Operations on a network namespace, by iproute2 and nftables: an administrator can read and
//! repeat their commands.

use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use nix::sched::{CloneFlags, setns};
use philae_agent::ControlError;

/// A network namespace by its name in `ip netns`; `None` is the namespace of this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Namespace(pub Option<String>);

impl Namespace {
    fn file(name: &str) -> PathBuf {
        PathBuf::from("/run/netns").join(name)
    }

    /// Whether the namespace exists.
    pub fn exists(&self) -> bool {
        self.0.as_deref().is_none_or(|name| Self::file(name).exists())
    }

    /// Runs a function in the namespace, on a thread of its own: other threads stay in theirs.
    ///
    /// # Errors
    /// When the namespace cannot be entered.
    pub fn within<T: Send>(&self, work: impl FnOnce() -> std::io::Result<T> + Send) -> std::io::Result<T> {
        let Some(name) = &self.0 else { return work() };
        let file = File::open(Self::file(name))?;
        std::thread::scope(|scope| {
            let thread = scope.spawn(move || {
                setns(&file, CloneFlags::CLONE_NEWNET)?;
                work()
            });
            thread.join().unwrap_or_else(|_| Err(std::io::Error::other("the thread in the namespace panicked")))
        })
    }

    /// Runs `ip` with these arguments, and returns its output.
    ///
    /// # Errors
    /// When it is not installed, or failed, with its own message.
    pub fn ip(&self, arguments: &[&str], input: &str) -> Result<String, ControlError> {
        self.tool("ip", "-n", arguments, input)
    }

    /// Runs `tc` in the same way.
    ///
    /// # Errors
    /// As [`Self::ip`].
    pub fn tc(&self, arguments: &[&str], input: &str) -> Result<String, ControlError> {
        self.tool("tc", "-n", arguments, input)
    }

    /// Runs `nft -f -` with this text, which it applies as a whole or not at all.
    ///
    /// # Errors
    /// As [`Self::ip`].
    pub fn nft(&self, input: &str) -> Result<String, ControlError> {
        let mut command = match &self.0 {
            Some(name) => {
                let mut command = Command::new("ip");
                command.args(["netns", "exec", name, "nft"]);
                command
            }
            None => Command::new("nft"),
        };
        command.args(["-f", "-"]);
        run(command, "nft", input)
    }

    fn tool(&self, program: &str, option: &str, arguments: &[&str], input: &str) -> Result<String, ControlError> {
        let mut command = Command::new(program);
        if let Some(name) = &self.0 {
            command.args([option, name]);
        }
        command.args(arguments);
        run(command, program, input)
    }
}

fn run(mut command: Command, program: &str, input: &str) -> Result<String, ControlError> {
    let missing = |error: std::io::Error| {
        ControlError::Failed(format!("{program}: {error}; Debian's packages iproute2 and nftables have ip, tc and nft"))
    };
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(missing)?;
    if let Some(mut pipe) = child.stdin.take() {
        // If it ends early, its standard error has the reason.
        let _ = pipe.write_all(input.as_bytes());
    }
    let output = child.wait_with_output().map_err(missing)?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(ControlError::Failed(format!("{program}: {}", said.trim().replace('\n', "; "))))
}
