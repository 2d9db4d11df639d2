//! A PMI-1 server, which introduces the processes of a job to each other. PMI-1 is the text
//! protocol of MPI launchers. Each process has a connection: a descriptor that it inherits, or TCP
//! with a secret of the job.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The longest key and value. Source: MPICH's PMI (PMI_KEYLEN_MAX 64, PMI_VALLEN_MAX 1024). Status:
/// published.
const KEY_BYTES: usize = 64;
const VALUE_BYTES: usize = 1024;

/// The longest line: a value, a key, and the words around them. Source: ours. Status: assumed.
const LINE_BYTES: u64 = 4096;

/// How long a TCP client has to identify itself. Source: ours. Status: assumed.
const INTRODUCTION: Duration = Duration::from_secs(20);

/// How long the launcher still reads from a process that has ended: its child may keep the
/// connection open. Source: ours. Status: assumed.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// A request of a process to its launcher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// All processes must end with this code.
    Abort {
        /// The process that asks.
        rank: u32,
        code: i32,
    },
    /// A process of another host has connected and sent its process number there.
    Introduced {
        rank: u32,
        /// Its process number.
        pid: u32,
    },
}

/// A server for the processes of one job.
#[derive(Clone)]
pub struct PmiServer {
    shared: Arc<Shared>,
}

struct Shared {
    size: u32,
    state: Mutex<State>,
    changed: Condvar,
    wishes: Mutex<Box<dyn FnMut(Wish) + Send>>,
}

#[derive(Default)]
struct State {
    values: BTreeMap<String, String>,
    arrived: u32,
    rounds: u64,
    /// A process that has left: a barrier of all is no longer possible.
    lost: Option<u32>,
    /// Processes that have connected over TCP; each may do so once.
    introduced: Vec<u32>,
    /// Processes that are between `shmem_init` and `shmem_finalize`.
    running: BTreeSet<u32>,
    /// Processes whose connection has been read to its end.
    silent: BTreeSet<u32>,
    /// Functions that close the server's end of each connection.
    lines: Vec<Box<dyn FnOnce() + Send>>,
}

/// The name of the key space. A server has one job.
const SPACE: &str = "philae";

impl PmiServer {
    /// A server for `size` processes; it sends their requests to `wishes`.
    #[must_use]
    pub fn new(size: u32, wishes: Sender<Wish>) -> Self {
        // The receiver may have ended; then the request no longer matters.
        Self::with(size, move |wish| drop(wishes.send(wish)))
    }

    /// As [`Self::new`], with a function that is called for each request.
    #[must_use]
    pub fn with(size: u32, wishes: impl FnMut(Wish) + Send + 'static) -> Self {
        let wishes: Mutex<Box<dyn FnMut(Wish) + Send>> = Mutex::new(Box::new(wishes));
        Self { shared: Arc::new(Shared { size, state: Mutex::default(), changed: Condvar::new(), wishes }) }
    }

    /// The process's end of a connection, to be inherited with the number in `PMI_FD`.
    ///
    /// # Errors
    /// The system has no descriptors left.
    pub fn connect(&self, rank: u32) -> std::io::Result<OwnedFd> {
        let (ours, theirs) = UnixStream::pair()?;
        let shared = Arc::clone(&self.shared);
        let reader = ours.try_clone()?;
        let line = ours.try_clone()?;
        shared.state().lines.push(Box::new(move || drop(line.shutdown(Shutdown::Write))));
        std::thread::Builder::new().name(format!("pmi-{rank}")).spawn(move || {
            Connection { shared, rank, lines: BufReader::new(reader), answers: ours }.serve();
        })?;
        Ok(theirs.into())
    }

    /// Whether a process has reported that it is between `shmem_init` and `shmem_finalize`. If it
    /// ends there, that is a failure.
    #[must_use]
    pub fn is_running(&self, rank: u32) -> bool {
        self.shared.state().running.contains(&rank)
    }

    /// Waits until everything that a process wrote before its end has been read, so that its
    /// requests are handled before its end. It gives up after [`LAST_WORDS`].
    pub fn hear_out(&self, rank: u32) {
        let state = self.shared.state();
        let wait = self.shared.changed.wait_timeout_while(state, LAST_WORDS, |state| !state.silent.contains(&rank));
        drop(wait.unwrap_or_else(PoisonError::into_inner));
    }

    /// Closes all connections because the job is over. Processes that check see that the server is
    /// gone. Data already sent is still read.
    pub fn hang_up(&self) {
        let lines = std::mem::take(&mut self.shared.state().lines);
        lines.into_iter().for_each(|line| line());
    }

    /// Listens for processes of other hosts that know the secret, and returns the port to tell
    /// them.
    ///
    /// # Errors
    /// A system call failed.
    pub fn listen(&self, secret: &str) -> std::io::Result<u16> {
        let listener = TcpListener::bind(SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0))?;
        let port = listener.local_addr()?.port();
        let (shared, secret) = (Arc::clone(&self.shared), secret.to_owned());
        std::thread::Builder::new().name("pmi-listen".to_owned()).spawn(move || {
            for stream in listener.incoming().flatten() {
                let (shared, secret) = (Arc::clone(&shared), secret.clone());
                // Without a thread there is no answer, and the process that asks ends with an
                // error.
                let _ = std::thread::Builder::new()
                    .name("pmi-tcp".to_owned())
                    .spawn(move || greet(shared, &secret, stream));
            }
        })?;
        Ok(port)
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wish(&self, wish: Wish) {
        (self.wishes.lock().unwrap_or_else(PoisonError::into_inner))(wish);
    }
}

/// A word of a line, `key=word`; the value of `value=` extends to the end of the line.
fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = line;
    loop {
        rest = rest.trim_start();
        let (key, after) = rest.split_once('=')?;
        let end = if key == "value" { after.len() } else { after.find(' ').unwrap_or(after.len()) };
        if key == name {
            return Some(&after[..end]);
        }
        rest = &after[end..];
    }
}

/// Compares two words in a time that does not depend on where they differ.
fn same(left: &str, right: &str) -> bool {
    let differ = left.bytes().zip(right.bytes()).fold(0, |found, (left, right)| found | (left ^ right));
    left.len() == right.len() && differ == 0
}

/// Handles a new TCP connection: without the secret it gets only a refusal.
fn greet(shared: Arc<Shared>, secret: &str, stream: TcpStream) {
    let _ = stream.set_nodelay(true);
    let _ = stream.set_read_timeout(Some(INTRODUCTION));
    let Ok(reader) = stream.try_clone() else { return };
    let mut connection = Connection { shared, rank: 0, lines: BufReader::new(reader), answers: stream };
    let Some(line) = connection.next() else { return };
    let rank = field(&line, "pmiid").and_then(|rank| rank.parse::<u32>().ok());
    let knows = field(&line, "secret").is_some_and(|said| same(said, secret));
    let size = connection.shared.size;
    let rank = rank.filter(|&rank| knows && rank < size && field(&line, "cmd") == Some("initack"));
    let is_first = |rank: u32| {
        let mut state = connection.shared.state();
        let is_new = !state.introduced.contains(&rank);
        state.introduced.push(rank);
        is_new
    };
    let Some(rank) = rank.filter(|&rank| is_first(rank)) else {
        connection.say("cmd=initack rc=-1 msg=not_of_this_job");
        return;
    };
    let _ = connection.answers.set_read_timeout(None);
    if let Ok(line) = connection.answers.try_clone() {
        connection.shared.state().lines.push(Box::new(move || drop(line.shutdown(Shutdown::Write))));
    }
    connection.rank = rank;
    if let Some(pid) = field(&line, "pid").and_then(|pid| pid.parse().ok()) {
        connection.shared.wish(Wish::Introduced { rank, pid });
    }
    let words = [format!("cmd=initack rc=0\ncmd=set size={size}"), format!("cmd=set rank={rank}\ncmd=set debug=0")];
    connection.say(&words.join("\n"));
    connection.serve();
}

/// The server's view of a process.
struct Connection<R: Read, W: Write> {
    shared: Arc<Shared>,
    rank: u32,
    lines: BufReader<R>,
    answers: W,
}

impl<R: Read, W: Write> Connection<R, W> {
    /// The next line; `None` at the end, or after a line that is no text or too long.
    fn next(&mut self) -> Option<String> {
        let mut line = String::new();
        let bytes = (&mut self.lines).take(LINE_BYTES).read_line(&mut line).ok()?;
        (bytes > 0 && line.ends_with('\n')).then(|| line.trim_end().to_owned())
    }

    fn say(&mut self, line: &str) {
        // The end of a process is noticed by other means.
        let _ = self.answers.write_all(format!("{line}\n").as_bytes());
    }

    fn serve(&mut self) {
        while let Some(line) = self.next() {
            match field(&line, "cmd").unwrap_or_default() {
                "init" => self.say("cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0"),
                "get_maxes" => {
                    self.say(&format!(
                        "cmd=maxes kvsname_max=256 keylen_max={KEY_BYTES} vallen_max={VALUE_BYTES} rc=0"
                    ));
                }
                "get_my_kvsname" => self.say(&format!("cmd=my_kvsname kvsname={SPACE} rc=0")),
                "get_appnum" => self.say("cmd=appnum appnum=0 rc=0"),
                "get_universe_size" => {
                    let size = self.shared.size;
                    self.say(&format!("cmd=universe_size size={size} rc=0"));
                }
                "get_ranks2hosts" => self.say("cmd=put_ranks2hosts 0 0"),
                "put" => self.put(&line),
                "get" => self.get(&line),
                "barrier_in" => self.barrier(),
                "abort" => {
                    let code = field(&line, "exitcode").and_then(|code| code.parse().ok()).unwrap_or(1);
                    self.shared.wish(Wish::Abort { rank: self.rank, code });
                }
                "philae_state" => self.note_state(&line),
                "finalize" => {
                    self.shared.state().running.remove(&self.rank);
                    self.say("cmd=finalize_ack rc=0");
                }
                other => {
                    let other = other.to_owned();
                    self.say(&format!("cmd={other}_result rc=-1 msg=unknown_command"));
                }
            }
        }
        // A process that enters a barrier from now on would wait forever.
        let mut state = self.shared.state();
        state.lost.get_or_insert(self.rank);
        state.silent.insert(self.rank);
        drop(state);
        self.shared.changed.notify_all();
    }

    fn note_state(&mut self, line: &str) {
        let answer = match field(line, "state") {
            Some("running") => {
                self.shared.state().running.insert(self.rank);
                "cmd=philae_state_result rc=0"
            }
            Some("finalised") => {
                self.shared.state().running.remove(&self.rank);
                "cmd=philae_state_result rc=0"
            }
            _ => "cmd=philae_state_result rc=-1 msg=state_is_running_or_finalised",
        };
        self.say(answer);
    }

    fn put(&mut self, line: &str) {
        let answer = match (field(line, "key"), field(line, "value")) {
            (Some(key), Some(value)) if key.len() <= KEY_BYTES && value.len() <= VALUE_BYTES => {
                self.shared.state().values.insert(key.to_owned(), value.to_owned());
                "cmd=put_result rc=0 msg=success"
            }
            _ => "cmd=put_result rc=-1 msg=key_or_value_missing_or_too_long",
        };
        self.say(answer);
    }

    fn get(&mut self, line: &str) {
        let found = field(line, "key").and_then(|key| self.shared.state().values.get(key).cloned());
        match found {
            Some(value) => self.say(&format!("cmd=get_result rc=0 msg=success value={value}")),
            None => self.say("cmd=get_result rc=-1 msg=key_not_found value=unknown"),
        }
    }

    /// Waits for all processes. After the loss of one, the barrier fails for all.
    fn barrier(&mut self) {
        let shared = Arc::clone(&self.shared);
        let mut state = shared.state();
        let round = state.rounds;
        state.arrived += 1;
        if state.arrived == shared.size {
            state.arrived = 0;
            state.rounds += 1;
            shared.changed.notify_all();
        }
        while state.rounds == round && state.lost.is_none() {
            state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let lost = state.lost.filter(|_| state.rounds == round);
        drop(state);
        match lost {
            None => self.say("cmd=barrier_out rc=0"),
            Some(rank) => self.say(&format!("cmd=barrier_out rc=-1 msg=process_{rank}_has_left_the_job")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    struct Client(BufReader<UnixStream>);

    impl Client {
        fn new(server: &PmiServer, rank: u32) -> Self {
            Self(BufReader::new(UnixStream::from(server.connect(rank).expect("a connection"))))
        }

        fn ask(&mut self, line: &str) -> String {
            self.0.get_mut().write_all(format!("{line}\n").as_bytes()).expect("a server");
            self.hear()
        }

        fn hear(&mut self) -> String {
            let mut line = String::new();
            self.0.read_line(&mut line).expect("an answer");
            line.trim_end().to_owned()
        }
    }

    #[test]
    fn values_are_there_after_the_barrier_and_what_is_missing_is_refused() {
        let (wishes, heard) = channel();
        let server = PmiServer::new(2, wishes);
        let mut clients = [Client::new(&server, 0), Client::new(&server, 1)];
        assert!(clients[0].ask("cmd=init pmi_version=1 pmi_subversion=1").contains("rc=0"));
        assert_eq!(clients[0].ask("cmd=get_my_kvsname"), "cmd=my_kvsname kvsname=philae rc=0");
        assert!(clients[0].ask("cmd=put kvsname=philae key=a value=b c=d").contains("rc=0"));
        let long = format!("cmd=put kvsname=philae key=long value={}", "x".repeat(VALUE_BYTES + 1));
        assert!(clients[0].ask(&long).contains("rc=-1"));
        let [first, second] = &mut clients;
        first.0.get_mut().write_all(b"cmd=barrier_in\n").expect("a server");
        assert_eq!(second.ask("cmd=barrier_in"), "cmd=barrier_out rc=0");
        assert_eq!(first.hear(), "cmd=barrier_out rc=0");
        assert_eq!(second.ask("cmd=get kvsname=philae key=a"), "cmd=get_result rc=0 msg=success value=b c=d");
        assert!(second.ask("cmd=get kvsname=philae key=b").contains("rc=-1"));
        assert!(second.ask("cmd=spawn").contains("unknown_command"));
        second.0.get_mut().write_all(b"cmd=abort exitcode=7\n").expect("a server");
        assert_eq!(heard.recv(), Ok(Wish::Abort { rank: 1, code: 7 }));
    }

    #[test]
    fn what_a_process_said_last_is_heard_out() {
        for round in 0..50 {
            let (wishes, heard) = channel();
            let server = PmiServer::new(1, wishes);
            let mut client = Client::new(&server, 0);
            client.0.get_mut().write_all(format!("cmd=abort exitcode={round}\n").as_bytes()).expect("a server");
            drop(client);
            server.hear_out(0);
            assert_eq!(heard.try_recv(), Ok(Wish::Abort { rank: 0, code: round }));
        }
        // The wait for a line that another process keeps open is bounded.
        let (wishes, _heard) = channel();
        let server = PmiServer::new(1, wishes);
        let _held = Client::new(&server, 0);
        server.hear_out(0);
    }

    #[test]
    fn a_process_that_leaves_is_missed_by_those_who_wait() {
        let server = PmiServer::new(2, channel().0);
        let mut first = Client::new(&server, 0);
        let second = Client::new(&server, 1);
        drop(second);
        assert_eq!(first.ask("cmd=barrier_in"), "cmd=barrier_out rc=-1 msg=process_1_has_left_the_job");
    }

    #[test]
    fn over_tcp_only_who_knows_the_secret_is_heard_and_only_once() {
        let (wishes, heard) = channel();
        let server = PmiServer::new(2, wishes);
        let port = server.listen("5ec2e7").expect("a port");
        let say = |line: &str| {
            let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("it listens");
            (&stream).write_all(format!("{line}\n").as_bytes()).expect("a server");
            let mut lines = BufReader::new(stream);
            let mut answer = String::new();
            lines.read_line(&mut answer).expect("an answer");
            (answer.trim_end().to_owned(), lines)
        };
        for line in [
            "cmd=initack pmiid=0",
            "cmd=initack pmiid=0 secret=5ec2e8",
            "cmd=initack pmiid=2 secret=5ec2e7",
            "cmd=get_my_kvsname secret=5ec2e7 pmiid=0",
        ] {
            assert!(say(line).0.contains("rc=-1"), "{line}");
        }
        let (answer, mut lines) = say("cmd=initack pmiid=1 secret=5ec2e7 pid=77");
        assert_eq!(answer, "cmd=initack rc=0");
        assert_eq!(heard.recv(), Ok(Wish::Introduced { rank: 1, pid: 77 }));
        for expected in ["cmd=set size=2", "cmd=set rank=1", "cmd=set debug=0"] {
            let mut line = String::new();
            lines.read_line(&mut line).expect("an answer");
            assert_eq!(line.trim_end(), expected);
        }
        assert!(say("cmd=initack pmiid=1 secret=5ec2e7").0.contains("rc=-1"), "another process has that number");
    }
}
