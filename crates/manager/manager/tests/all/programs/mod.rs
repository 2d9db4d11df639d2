//! Managers and agents as programs, in directories of their own.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// The longest wait for anything: a limit, not a measure.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running program, killed when it is dropped.
pub struct Running {
    child: Child,
    pub said: Arc<Mutex<String>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Running {
    /// Starts the program, and stores all of its standard error.
    pub fn start(folder: &TempDir, arguments: &[&str]) -> Self {
        let mut child = program(folder)
            .args(arguments)
            .stderr(Stdio::piped())
            .stdin(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let said = Arc::new(Mutex::new(String::new()));
        let (errors, keep) = (child.stderr.take().expect("it is piped"), Arc::clone(&said));
        std::thread::spawn(move || {
            for line in BufReader::new(errors).lines().map_while(Result::ok) {
                let mut said = keep.lock().expect("no panic");
                said.push_str(&line);
                said.push('\n');
            }
        });
        Self { child, said }
    }

    /// Waits for a line with a word.
    pub fn line_with(&self, word: &str) -> String {
        wait_for(&format!("a line with '{word}'"), || {
            let said = self.said.lock().expect("no panic");
            said.lines().find(|line| line.contains(word)).map(str::to_owned)
        })
    }

    pub fn said(&self) -> String {
        self.said.lock().expect("no panic").clone()
    }

    pub fn orders(&mut self) -> std::process::ChildStdin {
        self.child.stdin.take().expect("it is piped, and taken once")
    }
}

/// Waits for a result.
pub fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "{what}: not in time");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn program(folder: &TempDir) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_philae-manager"));
    command.env("XDG_RUNTIME_DIR", folder.path()).env("XDG_STATE_HOME", folder.path()).env_remove("PHILAE_TOKEN");
    command
}

/// A serving manager, and its address.
pub struct Service {
    pub running: Running,
    pub url: String,
    /// The address for agents.
    pub agents: Option<String>,
}

impl Service {
    /// Starts `manager serve` with its state in the folder.
    pub fn start(folder: &TempDir, arguments: &[&str]) -> Self {
        let state = folder.path().join("manager");
        let state = state.to_str().expect("plain");
        let mut all = vec!["manager", "serve", "--state", state];
        if !arguments.contains(&"--system") {
            all.extend(["--system", "malbec"]);
        }
        if !arguments.contains(&"--listen") {
            all.extend(["--listen", "127.0.0.1:0"]);
        }
        all.extend(arguments);
        let running = Running::start(folder, &all);
        let line = running.line_with("try: philae fabric status");
        let word = |prefix: &str| {
            let found = line.split_whitespace().find_map(|word| word.strip_prefix(prefix));
            found.map(|rest| format!("{prefix}{}", rest.trim_end_matches([';', ','])))
        };
        let url = word("https://").or_else(|| word("http://")).expect("an address");
        let agents = line.split_once("connect to ").map(|(_, rest)| rest.split(',').next().expect("one").to_owned());
        Self { running, url, agents }
    }

    /// A valid token, from the state directory.
    pub fn admin_token(folder: &TempDir) -> String {
        let text = std::fs::read_to_string(folder.path().join("manager/admin.token")).expect("the first start made it");
        text.trim().to_owned()
    }
}

/// Runs `philae fabric` against a manager.
pub fn fabric(folder: &TempDir, url: &str, arguments: &[&str]) -> Output {
    let mut command = program(folder);
    command.arg("fabric").arg("--manager").arg(url).args(arguments);
    command.output().expect("the program runs")
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The output of the program, which must have succeeded.
pub fn done(output: &Output) -> String {
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// An answer over HTTP: status, a header's value by name, body.
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Value,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// Sends an HTTP request.
pub fn ask(method: &str, url: &str, token: Option<&str>, body: &Value) -> Answer {
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let mut request = ureq::http::Request::builder().method(method).uri(url);
    if let Some(token) = token {
        request = request.header("Authorization", format!("Bearer {token}"));
    }
    let mut response = agent.run(request.body(body).expect("a legal request")).expect("an answer");
    let headers = response.headers().iter();
    let headers = headers.map(|(key, value)| (key.to_string(), value.to_str().unwrap_or("").to_owned())).collect();
    let status = response.status().as_u16();
    let text = response.body_mut().read_to_string().expect("text");
    Answer { status, headers, body: serde_json::from_str(&text).unwrap_or(Value::String(text)) }
}

/// The number of switches in sync.
pub fn synced(folder: &TempDir, url: &str) -> u64 {
    let status = fabric(folder, url, &["status", "-o", "json"]);
    let status: Value = serde_json::from_slice(&status.stdout).unwrap_or(Value::Null);
    status["switches"]["byState"]["synced"].as_u64().unwrap_or(0)
}

/// Waits until all switches are in sync.
pub fn all_synced(folder: &TempDir, url: &str) {
    wait_for("all switches are synchronised", || (synced(folder, url) == 32).then_some(()));
}

/// A join token for all switches, in a file.
pub fn join_token(folder: &TempDir, url: &str, name: &str) -> PathBuf {
    let path = folder.path().join(name);
    done(&fabric(folder, url, &["certificates", "join", "--switches", "x*c*r*b*", path.to_str().expect("plain")]));
    path
}

/// Starts agents of all switches.
pub fn agents(folder: &TempDir, manager: &str, token: &Path, more: &[&str]) -> Running {
    let state = folder.path().join("agent");
    let (state, token) = (state.to_str().expect("plain"), token.to_str().expect("plain"));
    let mut all = vec!["agent", "--manager", manager, "--state", state, "--join-token-file", token];
    if !more.contains(&"--system") {
        all.extend(["--system", "malbec"]);
    }
    all.extend(more);
    Running::start(folder, &all)
}

impl Service {
    /// The message of `manager serve` when it refuses to begin.
    pub fn start_fails(folder: &TempDir, arguments: &[&str]) -> String {
        let state = folder.path().join("manager");
        let mut command = program(folder);
        command.args(["manager", "serve", "--system", "malbec", "--state"]).arg(state).args(arguments);
        let output = command.output().expect("the program runs");
        assert!(!output.status.success(), "it should refuse");
        text(&output.stderr)
    }
}
