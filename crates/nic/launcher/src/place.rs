//! Assigns processes to hosts, and starts them on other hosts. A remote shell reads the script that
//! starts the process from its standard input, and the end of that input ends the process.

use std::ffi::{OsStr, OsString};
use std::net::{IpAddr, UdpSocket};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use crate::error::LaunchError;

/// The host of each process; `None` for this host.
///
/// # Errors
/// The hosts have fewer places than there are processes, or a name is invalid.
pub(crate) fn places(processes: u32, hosts: &[String]) -> Result<Vec<Option<String>>, LaunchError> {
    if hosts.is_empty() {
        return Ok(vec![None; processes as usize]);
    }
    let wrong = |cannot: String, works| LaunchError::Unsupported { launcher: "--hosts", cannot, works };
    let mut counts: Vec<(String, Option<u32>)> = Vec::new();
    for host in hosts {
        let (name, count) = match host.rsplit_once(':') {
            None => (host.as_str(), None),
            Some((name, count)) => {
                let count = count.parse::<u32>().ok().filter(|&count| count > 0);
                let bad = || wrong(format!("has '{host}', whose count is not a number"), "a:2 or a would work");
                (name, Some(count.ok_or_else(bad)?))
            }
        };
        if name.is_empty() || name.starts_with('-') || name.contains(char::is_whitespace) {
            return Err(wrong(format!("has '{host}', which has no host name"), "a,b or a:2,b:2 would work"));
        }
        counts.push((name.to_owned(), count));
    }
    // Without any count, hosts get equal shares, and the first ones also get the remainder.
    let (all, each) = (counts.len() as u32, processes / counts.len() as u32);
    let is_counted = counts.iter().any(|(_, count)| count.is_some());
    let share = |index: u32| each + u32::from(index < processes % all);
    let of = |(index, (name, count)): (u32, (String, Option<u32>))| {
        (name, if is_counted { count.unwrap_or(1) } else { share(index) })
    };
    let counts: Vec<(String, u32)> = (0..).zip(counts).map(of).collect();
    let room: u64 = counts.iter().map(|&(_, count)| u64::from(count)).sum();
    if room < u64::from(processes) {
        let cannot = format!("has {room} places ({}) for {processes} processes", hosts.join(","));
        return Err(wrong(cannot, "a larger count after a host, as in a:4, or a smaller -n would work"));
    }
    let own = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let place = |name: &str| (name != "localhost" && name != own.trim()).then(|| name.to_owned());
    let all = counts.iter().flat_map(|(name, count)| std::iter::repeat_n(place(name), *count as usize));
    Ok(all.take(processes as usize).collect())
}

/// How to reach other hosts. If a field is empty, an environment variable applies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemoteShell {
    /// The remote shell with its arguments; the default is `PHILAE_REMOTE_SHELL`, and then `ssh`.
    pub shell: Option<String>,
    /// The address at which the others reach this host; the default is `PHILAE_ADDRESS`, and then
    /// the address that the system would send from.
    pub address: Option<String>,
}

/// The value of an option, or of a variable if the option is absent.
fn said(option: Option<&String>, variable: &str) -> String {
    option.cloned().or_else(|| std::env::var(variable).ok()).unwrap_or_default()
}

/// The remote shell with its arguments; the host follows them.
pub(crate) fn shell(remote: &RemoteShell) -> Vec<OsString> {
    let said = said(remote.shell.as_ref(), "PHILAE_REMOTE_SHELL");
    let words: Vec<OsString> = said.split_whitespace().map(OsString::from).collect();
    if words.is_empty() { vec!["ssh".into()] } else { words }
}

/// The address of this host for the first of the other hosts.
///
/// # Errors
/// There is none.
pub(crate) fn address(remote: &RemoteShell, hosts: &[Option<String>]) -> Result<String, LaunchError> {
    let said = said(remote.address.as_ref(), "PHILAE_ADDRESS");
    if !said.is_empty() {
        return Ok(said);
    }
    let host = hosts.iter().flatten().next().map(String::as_str).unwrap_or_default();
    let name = host.rsplit_once('@').map_or(host, |(_, name)| name);
    let find = || -> std::io::Result<IpAddr> {
        let socket = UdpSocket::bind((std::net::Ipv4Addr::UNSPECIFIED, 0))?;
        // Nothing is sent: the system only chooses the route.
        socket.connect((name, 9))?;
        Ok(socket.local_addr()?.ip())
    };
    find().map(|found| found.to_string()).map_err(|error| LaunchError::Unsupported {
        launcher: "--hosts",
        cannot: format!("has '{name}', and the address of this host for it is unknown ({error})"),
        works: "--address ADDRESS or PHILAE_ADDRESS=ADDRESS, an address of this host that the others can reach, would work",
    })
}

/// Variables of this environment that are passed to other hosts, by the beginning of their names.
const CARRIED: [&str; 6] = ["LD_LIBRARY_PATH", "SHMEM_", "SMA_", "FI_", "PHILAE_", "SLINGSHOT_"];

/// The variables that are passed.
pub(crate) fn carried() -> impl Iterator<Item = (OsString, OsString)> {
    std::env::vars_os().filter(|(name, _)| CARRIED.iter().any(|start| name.as_bytes().starts_with(start.as_bytes())))
}

/// A word, quoted for a shell.
fn quote(word: &OsStr, script: &mut Vec<u8>) {
    script.push(b'\'');
    for &byte in word.as_bytes() {
        match byte {
            b'\'' => script.extend_from_slice(b"'\\''"),
            _ => script.push(byte),
        }
    }
    script.push(b'\'');
}

/// A script for `sh -s` that runs a command in a folder with variables. The command ends when the
/// script's own standard input ends, and so when the remote shell ends for any reason.
pub(crate) fn script(folder: &OsStr, variables: &[(OsString, OsString)], command: &[OsString]) -> OsString {
    // One compound command: the shell reads it completely before it begins, so that the rest of its
    // input is for the watcher.
    let mut script = b"{ cd ".to_vec();
    quote(folder, &mut script);
    script.extend_from_slice(b" || exit 126\n");
    for (name, value) in variables {
        // A program that a shell starts cannot have variables whose names are invalid for the
        // shell.
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        if name.as_bytes().iter().all(is_name) {
            script.extend_from_slice(b"export ");
            script.extend_from_slice(name.as_bytes());
            script.push(b'=');
            quote(value, &mut script);
            script.push(b'\n');
        }
    }
    script.extend_from_slice(b"exec 3<&0\n");
    for word in command {
        quote(word, &mut script);
        script.push(b' ');
    }
    script.extend_from_slice(
        b"</dev/null 3<&- &\npid=$!\n\
          { cat <&3; kill -TERM $pid; sleep 2; kill -KILL $pid; } >/dev/null 2>&1 &\nwatcher=$!\n\
          exec 3<&-\nwait $pid\ncode=$?\nkill $watcher 2>/dev/null\nexit $code\n}\n",
    );
    OsString::from_vec(script)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::process::{Command, Stdio};

    fn of(processes: u32, hosts: &[&str]) -> Result<Vec<String>, String> {
        let hosts: Vec<String> = hosts.iter().map(|&host| host.to_owned()).collect();
        let found = places(processes, &hosts).map_err(|error| error.to_string())?;
        Ok(found.into_iter().map(|host| host.unwrap_or_else(|| "here".to_owned())).collect())
    }

    #[test]
    fn hosts_have_places_and_too_few_of_them_are_refused() {
        assert_eq!(of(3, &[]).expect("here"), ["here", "here", "here"]);
        assert_eq!(of(5, &["a", "b"]).expect("shares"), ["a", "a", "a", "b", "b"]);
        assert_eq!(of(3, &["a:2", "b:2"]).expect("room"), ["a", "a", "b"]);
        assert_eq!(of(3, &["a:2", "localhost"]).expect("room"), ["a", "a", "here"]);
        assert_eq!(of(1, &["u@a", "b"]).expect("room"), ["u@a"]);
        assert!(of(5, &["a:2", "b:2"]).expect_err("4 places").contains("4 places"));
        assert!(of(1, &["a:x"]).expect_err("no count").contains("a:2 or a"));
        assert!(of(1, &["-oProxyCommand=x"]).expect_err("an option").contains("has no host name"));
        assert!(of(1, &[":2"]).expect_err("no name").contains("has no host name"));
    }

    #[test]
    fn a_script_runs_what_is_meant_and_says_how_it_ended() {
        let run = |command: &[&str], is_open: bool| {
            let command: Vec<OsString> = command.iter().map(OsString::from).collect();
            let variables = [("A".into(), "it's; $HOME".into()), ("B C".into(), "x".into())];
            let script = script(OsStr::new("/"), &variables, &command);
            let mut shell = Command::new("/bin/sh");
            let mut child = shell.arg("-s").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a shell");
            let mut input = child.stdin.take().expect("a pipe");
            input.write_all(script.as_bytes()).expect("it reads");
            let input = is_open.then_some(input);
            let output = child.wait_with_output().expect("it ends");
            drop(input);
            (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
        };
        let (code, said) = run(&["sh", "-c", "pwd; echo \"$A\"; exit 7"], true);
        assert_eq!((code, said.as_str()), (Some(7), "/\nit's; $HOME\n"));
        assert_eq!(run(&["sh", "-c", "kill -9 $$"], true).0, Some(128 + 9));
        // The shell's input ends, and so does the program, however long it would have run.
        assert_eq!(run(&["sleep", "1000"], false).0, Some(128 + 15));
    }
}
