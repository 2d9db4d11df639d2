//! The program as a process: started, called, stopped, killed.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

/// An address on which no program listens.
pub fn free_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").to_string()
}

/// A process of the program. It ends with the test.
pub struct Process {
    pub child: Child,
    pub base: String,
    pub token: String,
    pub said: Arc<Mutex<String>>,
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer: its status, and its body.
pub type Answer = (u16, Value);

impl Process {
    /// Starts the program; its token is that of the state directory.
    pub fn start(arguments: &[&str], state: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_philae-manager"));
        command.args(arguments);
        Self::spawn(command, state).unwrap_or_else(|said| panic!("it does not start: {said}"))
    }

    /// As [`Self::start`]; returns its output if it ends before it listens.
    pub fn spawn(mut command: Command, state: &Path) -> Result<Self, String> {
        // Other tests of the same user have managers of their own.
        command.env("XDG_RUNTIME_DIR", state).env_remove("PHILAE_TOKEN");
        let mut child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().expect("the program starts");
        let mut lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
        let said = Arc::new(Mutex::new(String::new()));
        let mut base = None;
        while let Some(Ok(line)) = lines.next() {
            let address = line.split_whitespace().find_map(|word| word.strip_prefix("http://"));
            said.lock().expect("no panic").push_str(&(line.clone() + "\n"));
            if let Some(address) = address.filter(|_| line.contains("philae fabric status")) {
                base = Some(format!("http://{}", address.trim_end_matches(';')));
                break;
            }
        }
        let Some(base) = base else {
            let _ = child.wait();
            let said = said.lock().expect("no panic").clone();
            return Err(said);
        };
        let keep = Arc::clone(&said);
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                keep.lock().expect("no panic").push_str(&(line + "\n"));
            }
        });
        let token = std::fs::read_to_string(state.join("admin.token")).unwrap_or_default().trim().to_owned();
        Ok(Self { child, base, token, said })
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it runs");
    }

    pub fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    pub fn client(&self) -> Client {
        Client::new(&self.base, &self.token)
    }

    pub fn ask(&self, method: &str, path: &str, body: &Value) -> Answer {
        self.client().send(method, path, body, &[]).unwrap_or_else(|error| panic!("{method} {path}: {error}"))
    }

    pub fn get(&self, path: &str) -> Value {
        let (status, value) = self.ask("GET", path, &Value::Null);
        assert_eq!(status, 200, "{path}: {value}");
        value
    }

    /// Repeats a request until a condition holds.
    pub fn until(&self, path: &str, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let begin = Instant::now();
        let mut last = String::new();
        while begin.elapsed() < Duration::from_secs(90) {
            match self.client().send("GET", path, &Value::Null, &[]) {
                Ok((200, value)) if is_so(&value) => return value,
                other => last = format!("{other:?}"),
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("{path} is never {what}: {last}\n{}", self.said.lock().expect("no panic"));
    }
}

/// Waits until the requests for the log that standbys had sent before they were stopped have been
/// answered: a page that is in transit would still reach them. A manager keeps such a request for
/// at most a second.
pub fn silent_standbys(leader: &Process) {
    leader.until("/api/v1/leadership", "without a report of a standby for 1.5 s", |shown| {
        let standbys = shown["standbys"].as_array().expect("it leads");
        standbys.iter().all(|standby| standby["heardSecondsAgo"].as_f64() > Some(1.5))
    });
}

/// A client with a token.
pub struct Client {
    agent: ureq::Agent,
    base: String,
    token: String,
}

impl Client {
    pub fn new(base: &str, token: &str) -> Self {
        let config =
            ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(Duration::from_secs(60)));
        Self { agent: config.build().into(), base: base.to_owned(), token: token.to_owned() }
    }

    pub fn send(&self, method: &str, path: &str, body: &Value, headers: &[(&str, &str)]) -> Result<Answer, String> {
        let mut request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.base))
            .header("Authorization", format!("Bearer {}", self.token));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = if body.is_null() {
            self.agent.run(request.body(()).expect("a request"))
        } else {
            let text = body.to_string();
            self.agent.run(request.header("Content-Type", "application/json").body(text).expect("a request"))
        };
        let mut answer = answer.map_err(|error| error.to_string())?;
        let status = answer.status().as_u16();
        let text = answer.body_mut().read_to_string().map_err(|error| error.to_string())?;
        Ok((status, serde_json::from_str(&text).unwrap_or(Value::String(text))))
    }
}

/// A document with a number in it.
pub fn policy(number: u64) -> Value {
    json!({ "spec": { "selector": "role=edge", "priority": 1 + number % 900, "settings": { "autoneg": false } },
            "labels": { "number": number.to_string() } })
}
