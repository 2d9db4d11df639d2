//! No command replaces a file of another kind, an input or a part of a result, and none finds out
//! after a long run that it cannot write.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const SCENARIO: &str = "\
[system]
name = 'tiny'
[system.dragonfly]
links_per_pair = 2
groups = [{ name = 'c', count = 3, switches = 2, endpoints_per_switch = 2 }]
[[job]]
name = 'u'
nodes = 4
workload = { kind = 'alltoall', bytes = '4KiB', iterations = 1 }
";

/// A temporary folder with a scenario, a schedule and two results.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("philae-replaced-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a temporary folder");
        std::fs::write(path.join("s.toml"), SCENARIO).expect("a temporary file");
        std::fs::write(path.join("a.goal"), "num_ranks 1\nrank 0 {\nl0: calc 5\n}\n").expect("a temporary file");
        let folder = Self(path);
        for result in ["A", "B"] {
            let done = folder.philae(&["simulate", "s.toml", "-o", result]);
            assert!(done.status.success(), "{}", said(&done));
        }
        folder
    }

    fn philae(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_philae"));
        command.args(words).current_dir(&self.0).stdin(Stdio::null()).output().expect("philae runs")
    }

    fn read(&self, file: &str) -> Vec<u8> {
        std::fs::read(self.0.join(file)).expect("the file")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_file_of_another_kind_stays() {
    let folder = Folder::new();
    let (scenario, report) = (folder.read("s.toml"), folder.read("A/report.html"));
    for (words, why) in [
        (&["fluid-accuracy", "--count", "1", "--output", "s.toml"][..], "TOML, such as a scenario"),
        (&["export", "A", "messages", "-o", "s.toml"], "TOML, such as a scenario"),
        (&["trace", "convert", "a.goal", "s.toml", "--to", "goal"], "TOML, such as a scenario"),
        (&["validate", "--only", "switch-latency-median", "--document", "s.toml"], "TOML, such as a scenario"),
        (&["validate", "--only", "switch-latency-median", "--report", "s.toml"], "TOML, such as a scenario"),
        (&["compare", "A", "B", "--html", "A/report.html"], "in the result that is read"),
        (&["export", "A", "messages", "-o", "messages.parquet"], "a name that ends in .csv"),
        (&["fluid-accuracy", "--count", "1000", "--output", "s.toml/x.csv"], "it is a file, not a folder"),
    ] {
        let refused = folder.philae(words);
        assert!(!refused.status.success() && said(&refused).contains(why), "{words:?}: {}", said(&refused));
    }
    assert!(folder.read("s.toml") == scenario && folder.read("A/report.html") == report);
    assert!(!Path::new(&folder.0).join("messages.parquet").exists());
    // Its own kind is replaced.
    let exports = [
        &["export", "A", "messages", "-o", "m.csv"][..],
        &["export", "B", "messages", "-o", "m.csv"],
        &["export", "A", "messages", "--columns", "latency_ps", "-o", "m.csv"],
        &["export", "A", "messages", "--columns", "job,latency_ps", "-o", "m.csv"],
    ];
    for words in exports {
        let done = folder.philae(words);
        assert!(done.status.success(), "{}", said(&done));
    }
    // Two outputs at one place, and an output in the folder that the result replaces.
    std::os::unix::fs::symlink("a.pcapng", folder.0.join("link")).expect("a link");
    for (words, why) in [
        (&["--pcap", "endpoint:0=a.pcapng", "--pcap", "endpoint:1=./a.pcapng"][..], "is the output of two options"),
        (&["--pcap", "endpoint:0=a.pcapng", "--pcap", "endpoint:1=link"], "is the output of two options"),
        (&["--checkpoint", "c", "--timeline", "./c"], "is the output of two options"),
        (&["--timeline", "A/summary.json"], "lies in the folder of the result, 'A'"),
        (&["--pcap", "endpoint:0=./A/nic.pcapng"], "lies in the folder of the result, 'A'"),
    ] {
        let refused = folder.philae(&[&["simulate", "s.toml", "-o", "A", "--overwrite"], words].concat());
        assert!(refused.status.code() == Some(2) && said(&refused).contains(why), "{words:?}: {}", said(&refused));
    }
    let graphs = folder.philae(&["describe", "s.toml", "--graphml", "q.x", "--networkx", "./q.x"]);
    assert!(said(&graphs).contains("is the output of two options"), "{}", said(&graphs));
    assert!(folder.read("A/report.html") == report && !folder.0.join("q.x").exists());
}

#[test]
fn a_value_twice_in_a_sweep_is_refused() {
    let refused = Command::new(env!("CARGO_BIN_EXE_philae"))
        .args(["sweep", "s.toml", "--set", "job.u.nodes=4,2,4", "--seeds", "1"])
        .output()
        .expect("philae runs");
    assert!(said(&refused).contains("the value 4 is there twice"), "{}", said(&refused));
}
