//! PMI-1: lines of text to the launcher, over a descriptor that it has left open (`PMI_FD`) or over
//! a port (`PMI_PORT`). Hydra, Slurm's pmi2 plugin and our own `oshrun` use it.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use super::{Abort, Bootstrap, number, variable};
use crate::error::Error;

/// The smallest maximum of a value's length, used if the launcher states none. Source: PMI-1's
/// PMI_VALLEN_MAX, hydra's. Status: published.
const VALUE_BYTES: usize = 1024;

/// The most bytes of a line apart from the value.
const LINE_BYTES: usize = 256;

/// The name of our own launcher's key-value space. Source: `philae-launcher`. Status: published.
const OWN_SPACE: &str = "philae";

/// A connection to a launcher that speaks PMI-1.
pub(super) struct Pmi1 {
    stream: BufReader<File>,
    me: u32,
    n_pes: u32,
    space: String,
    value_bytes: usize,
    round: u32,
}

/// A line: `cmd=NAME key=value ...`; the value of `value=` and `msg=` goes to the end of the line.
fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = line;
    loop {
        rest = rest.trim_start();
        let (key, after) = rest.split_once('=')?;
        let is_last = key == "value" || key == "msg" && name == "msg";
        let end = if is_last { after.len() } else { after.find(' ').unwrap_or(after.len()) };
        if key == name {
            return Some(&after[..end]);
        }
        rest = &after[end..];
    }
}

fn lost(source: &std::io::Error) -> Error {
    Error::Job(format!("the launcher does not answer (PMI): {source}; it has ended"))
}

impl Pmi1 {
    pub(super) fn connect() -> Result<Self, Error> {
        let (stream, known) = if variable("PMI_FD").is_some() { by_descriptor()? } else { by_port()? };
        let mut pmi = Self {
            stream: BufReader::new(stream),
            me: 0,
            n_pes: 1,
            space: String::new(),
            value_bytes: VALUE_BYTES,
            round: 0,
        };
        match known {
            Known::Place(me, n_pes) => (pmi.me, pmi.n_pes) = (me, n_pes),
            Known::Number(id) => pmi.introduce(id)?,
        }
        pmi.ask("cmd=init pmi_version=1 pmi_subversion=1", "response_to_init")?;
        let limits = pmi.ask("cmd=get_maxes", "maxes")?;
        if let Some(most) = field(&limits, "vallen_max").and_then(|most| most.parse::<usize>().ok()) {
            pmi.value_bytes = most;
        }
        let answer = pmi.ask("cmd=get_my_kvsname", "my_kvsname")?;
        let space = field(&answer, "kvsname");
        pmi.space =
            space.ok_or_else(|| Error::Job(format!("the launcher names no space for keys: '{answer}'")))?.into();
        Ok(pmi)
    }

    /// Over a port, this PE tells the launcher its number, and the launcher tells it the rest.
    fn introduce(&mut self, id: u32) -> Result<(), Error> {
        let secret = variable("PHILAE_PMI_SECRET").map(|secret| format!(" secret={secret}")).unwrap_or_default();
        let pid = std::process::id();
        self.ask(&format!("cmd=initack pmiid={id}{secret} pid={pid}"), "initack")?;
        let (mut me, mut n_pes) = (None, None);
        // size, rank, debug; every launcher sends them in this order, but they are read by name.
        for _ in 0..3 {
            let line = self.read("set")?;
            let value = |name| field(&line, name).and_then(|value| value.parse().ok());
            n_pes = n_pes.or_else(|| value("size"));
            me = me.or_else(|| value("rank"));
        }
        let (Some(me), Some(n_pes)) = (me, n_pes) else {
            return Err(Error::Job("the launcher at PMI_PORT sends neither size nor rank".to_owned()));
        };
        (self.me, self.n_pes) = (me, n_pes);
        Ok(())
    }

    /// Ends every PE of the job, independently of other use of this connection.
    pub(super) fn abort(&self) -> Result<Abort, Error> {
        let stream = self.stream.get_ref().try_clone().map_err(|error| lost(&error))?;
        Ok(Box::new(move |code| {
            let line = format!("cmd=abort exitcode={code}\n");
            // If the launcher is gone, there is no one to ask.
            let _ = (&stream).write_all(line.as_bytes());
        }))
    }

    fn write(&mut self, line: &str) -> Result<(), Error> {
        let whole = format!("{line}\n");
        self.stream.get_mut().write_all(whole.as_bytes()).map_err(|error| lost(&error))
    }

    fn read(&mut self, command: &str) -> Result<String, Error> {
        let mut line = String::new();
        let bytes = self.stream.read_line(&mut line).map_err(|error| lost(&error))?;
        if bytes == 0 {
            return Err(lost(&std::io::ErrorKind::UnexpectedEof.into()));
        }
        let line = line.trim_end().to_owned();
        let refused = field(&line, "rc").is_some_and(|code| code != "0");
        if field(&line, "cmd") != Some(command) || refused {
            return Err(Error::Job(format!("the launcher answers '{line}'; '{command}' and rc=0 were expected")));
        }
        Ok(line)
    }

    fn ask(&mut self, line: &str, answer: &str) -> Result<String, Error> {
        self.write(line)?;
        self.read(answer)
    }

    fn put(&mut self, key: &str, value: &str) -> Result<(), Error> {
        let line = format!("cmd=put kvsname={} key={key} value={value}", self.space);
        self.ask(&line, "put_result").map(drop)
    }

    fn get(&mut self, key: &str) -> Result<String, Error> {
        let answer = self.ask(&format!("cmd=get kvsname={} key={key}", self.space), "get_result")?;
        let value = field(&answer, "value").map(str::to_owned);
        value.ok_or_else(|| Error::Job(format!("the launcher has no value for '{key}': '{answer}'")))
    }
}

impl Bootstrap for Pmi1 {
    fn line(&self) -> Option<i32> {
        Some(self.stream.get_ref().as_raw_fd())
    }

    fn name(&self) -> &'static str {
        "PMI-1"
    }

    fn place(&self) -> (u32, u32) {
        (self.me, self.n_pes)
    }

    fn exchange(&mut self, own: &[u8]) -> Result<Vec<Vec<u8>>, Error> {
        let round = self.round;
        self.round += 1;
        // A line has a limit, too: some launchers take 1024 bytes in all.
        let chunk = self.value_bytes.saturating_sub(LINE_BYTES).max(64) & !1;
        let text = format!("{:08x}{}", own.len(), to_hex(own));
        for (number, part) in text.as_bytes().chunks(chunk).enumerate() {
            let part = String::from_utf8_lossy(part).into_owned();
            self.put(&format!("philae-{round}-{}-{number}", self.me), &part)?;
        }
        self.barrier()?;
        let mut all = Vec::new();
        for pe in 0..self.n_pes {
            if pe == self.me {
                all.push(own.to_vec());
                continue;
            }
            let mut text = self.get(&format!("philae-{round}-{pe}-0"))?;
            let broken = || Error::Job(format!("PE {pe} has sent the launcher an unreadable value"));
            let bytes = text.get(..8).and_then(|digits| usize::from_str_radix(digits, 16).ok()).ok_or_else(broken)?;
            let mut number = 0;
            while text.len() < 8 + 2 * bytes {
                number += 1;
                let more = self.get(&format!("philae-{round}-{pe}-{number}"))?;
                if more.is_empty() {
                    return Err(broken());
                }
                text += &more;
            }
            all.push(from_hex(&text[8..]).filter(|found| found.len() == bytes).ok_or_else(broken)?);
        }
        Ok(all)
    }

    fn barrier(&mut self) -> Result<(), Error> {
        self.ask("cmd=barrier_in", "barrier_out").map(drop)
    }

    fn tell(&mut self, is_running: bool) {
        // Other launchers may end a process that sends an unknown command.
        if self.space == OWN_SPACE {
            let state = if is_running { "running" } else { "finalised" };
            // If our launcher does not know the command, it answers so, and does not need it.
            let _ = self.ask(&format!("cmd=philae_state state={state}"), "philae_state_result");
        }
    }

    fn leave(&mut self) {
        // The answer confirms that the launcher has seen this; a launcher that is gone needs no
        // good-bye.
        let _ = self.ask("cmd=finalize", "finalize_ack");
    }
}

/// What the environment says about this PE.
enum Known {
    Place(u32, u32),
    Number(u32),
}

fn by_descriptor() -> Result<(File, Known), Error> {
    let descriptor = number("PMI_FD")?;
    let (me, n_pes) = (number("PMI_RANK")?, number("PMI_SIZE")?);
    let descriptor = i32::try_from(descriptor).unwrap_or(-1);
    // SAFETY: the call only checks that the descriptor is open, and keeps it from programs that
    // this one starts.
    if unsafe { libc::fcntl(descriptor, libc::F_SETFD, libc::FD_CLOEXEC) } != 0 {
        let why = format!("is no open descriptor: {}", std::io::Error::last_os_error());
        let works = "a program that the launcher starts directly has it; a script between them must leave it open";
        return Err(Error::Setting { name: "PMI_FD", value: descriptor.to_string(), why, works });
    }
    // SAFETY: the launcher has left it for this process. It is never dropped, so that it stays open
    // for an MPI that may come later.
    let stream = unsafe { File::from_raw_fd(descriptor) };
    Ok((stream, Known::Place(me, n_pes)))
}

fn by_port() -> Result<(File, Known), Error> {
    let place = variable("PMI_PORT").unwrap_or_default();
    let id = if variable("PMI_ID").is_some() { number("PMI_ID")? } else { number("PMI_RANK")? };
    let stream = TcpStream::connect(&place).map_err(|error| Error::Setting {
        name: "PMI_PORT",
        value: place.clone(),
        why: format!("cannot be reached: {error}"),
        works: "the address of the host that the launcher runs on, as this host reaches it (oshrun --address)",
    })?;
    // Lines are short, and each waits for its answer.
    let _ = stream.set_nodelay(true);
    Ok((File::from(OwnedFd::from(stream)), Known::Number(id)))
}

fn to_hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let digit = |letter: u8| char::from(letter).to_digit(16).map(|value| value as u8);
    digits.chunks(2).map(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_end_at_a_blank_and_values_at_the_end_of_the_line() {
        let line = "cmd=get_result rc=0 msg=success value=a b=c";
        assert_eq!(field(line, "cmd"), Some("get_result"));
        assert_eq!(field(line, "rc"), Some("0"));
        assert_eq!(field(line, "value"), Some("a b=c"));
        assert_eq!(field(line, "b"), None);
        assert_eq!(field("cmd=barrier_out", "rc"), None);
    }

    #[test]
    fn bytes_survive_their_way_as_text() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(from_hex(&to_hex(&all)), Some(all));
        assert_eq!((from_hex("0"), from_hex("zz"), from_hex("")), (None, None, Some(Vec::new())));
    }
}
