//! Progress of a study on standard error: finished cells, as a bar for people or as JSON lines for
//! programs.

use crate::arguments::{CommonOptions, ProgressStyle};
use crate::failure::CommandFailure;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle as BarStyle};
use philae_experiments::{CellProgress, StudyError};
use serde_json::json;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Destination of the reports.
enum Sink {
    Nowhere,
    Lines,
    Bar(ProgressBar),
}

/// Progress of a study: the running experiment, and its cells. Shared by the threads that run them.
pub struct Cells {
    sink: Sink,
    shared: CommonOptions,
    began: Instant,
    running: Mutex<String>,
}

impl Cells {
    /// The failure of a command whose cells ended early: by a signal, or by an error.
    pub fn failed(&self, name: &str, error: &StudyError) -> CommandFailure {
        self.finish();
        if let StudyError::Interrupted { done, total } = error {
            let done = format!("{name}: interrupted after {done} of {total} cells; its report was not written");
            return CommandFailure::interrupted(done);
        }
        CommandFailure::run(format!("{name}: {error}"))
    }

    /// In the form that the command line asks for.
    pub fn new(shared: CommonOptions) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let sink = match shared.progress {
            ProgressStyle::Json => Sink::Lines,
            ProgressStyle::None => Sink::Nowhere,
            ProgressStyle::Bar => Sink::Bar(bar()),
            ProgressStyle::Auto if terminal && !shared.quiet => Sink::Bar(bar()),
            ProgressStyle::Auto => Sink::Nowhere,
        };
        Self { sink, shared, began: Instant::now(), running: Mutex::new(String::new()) }
    }

    /// Begins an experiment or a case.
    pub fn start(&self, name: &str, title: &str) {
        name.clone_into(&mut self.running.lock().expect("no thread panics with the name in hand"));
        match &self.sink {
            Sink::Nowhere => self.shared.note(&format!("{name}: {title}")),
            Sink::Lines => self.line(0, 0, ""),
            Sink::Bar(bar) => {
                bar.set_length(0);
                bar.set_position(0);
                bar.set_message(format!("{name}: {title}"));
            }
        }
    }

    /// A cell has ended.
    pub fn update(&self, progress: &CellProgress) {
        match &self.sink {
            Sink::Nowhere => {}
            Sink::Lines => self.line(progress.done, progress.total, &progress.label),
            Sink::Bar(bar) => {
                let name = self.running.lock().expect("no thread panics with the name in hand");
                bar.set_length(progress.total as u64);
                bar.set_position(progress.done as u64);
                bar.set_message(format!("{name}: {} done", progress.label));
            }
        }
    }

    fn line(&self, done: usize, total: usize, label: &str) {
        let name = self.running.lock().expect("no thread panics with the name in hand").clone();
        let seconds = self.began.elapsed().as_secs_f64();
        let line = json!({ "running": name, "done": done, "total": total, "label": label, "wall_seconds": seconds });
        philae_console::note!("{line}");
    }

    /// Runs a function while the bar is hidden.
    pub fn hide<T>(&self, act: impl FnOnce() -> T) -> T {
        match &self.sink {
            Sink::Bar(bar) => bar.suspend(act),
            Sink::Nowhere | Sink::Lines => act(),
        }
    }

    /// Clears the bar.
    pub fn finish(&self) {
        if let Sink::Bar(bar) = &self.sink {
            bar.finish_and_clear();
        }
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
    let style = BarStyle::with_template("{bar:16} {pos}/{len}  {elapsed}  {wide_msg}");
    bar.set_style(style.unwrap_or_else(|_| BarStyle::default_bar()));
    // A cell may take half a minute: the clock shows that the study is still running.
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}
