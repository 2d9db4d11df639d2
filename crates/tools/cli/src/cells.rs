//! Progress of a study on standard error: finished cells, as a bar for people or as JSON lines for
//! programs.

use crate::arguments::{CommonOptions, ProgressStyle};
use crate::failure::CommandFailure;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle as BarStyle};
use philae_experiments::{CellProgress, StudyError};
use philae_results::format::wall_seconds;
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
    running: Mutex<Running>,
}

/// The running experiment or case.
struct Running {
    name: String,
    began: Instant,
}

impl Running {
    /// Its time left, if its other cells take as long as those that have ended.
    fn left(&self, done: usize, total: usize) -> Option<Duration> {
        let of_one = self.began.elapsed().as_secs_f64() / done as f64;
        let left = of_one * total.saturating_sub(done) as f64;
        (done > 0).then(|| Duration::from_secs_f64(left))
    }
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
        Self {
            sink,
            shared,
            began: Instant::now(),
            running: Mutex::new(Running { name: String::new(), began: Instant::now() }),
        }
    }

    /// Begins an experiment or a case.
    pub fn start(&self, name: &str, title: &str) {
        *self.running.lock().expect("no thread panics with the name in hand") =
            Running { name: name.to_owned(), began: Instant::now() };
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
                let running = self.running.lock().expect("no thread panics with the name in hand");
                let left = running.left(progress.done, progress.total).filter(|left| left.as_secs() > 0);
                let left =
                    left.map_or_else(String::new, |left| format!("about {} left, ", wall_seconds(left.as_secs_f64())));
                bar.set_length(progress.total as u64);
                bar.set_position(progress.done as u64);
                bar.set_message(format!("{left}{}: {} done", running.name, progress.label));
            }
        }
    }

    fn line(&self, done: usize, total: usize, label: &str) {
        let running = self.running.lock().expect("no thread panics with the name in hand");
        let (name, seconds) = (&running.name, self.began.elapsed().as_secs_f64());
        let mut line =
            json!({ "running": name, "done": done, "total": total, "label": label, "wall_seconds": seconds });
        if let Some(left) = running.left(done, total) {
            line["wall_seconds_left"] = json!(left.as_secs_f64());
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_that_of_the_cells_that_have_ended() {
        let began = Instant::now().checked_sub(Duration::from_secs(100)).expect("the machine runs for longer");
        let running = Running { name: String::new(), began };
        assert_eq!(running.left(0, 4), None);
        let (three, none) = (running.left(1, 4), running.left(4, 4));
        assert!(three >= Some(Duration::from_secs(300)), "{three:?}");
        assert_eq!(none, Some(Duration::ZERO));
    }
}
