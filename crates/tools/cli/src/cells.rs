//! Progress of a study on standard error: finished cells, as a bar for people or as JSON lines for
//! programs.

use crate::arguments::{CommonOptions, ProgressStyle};
use crate::attention;
use crate::failure::CommandFailure;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle as BarStyle};
use philae_experiments::{CellProgress, StudyError};
use philae_results::format::wall_seconds;
use philae_units::counted;
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

/// Makes the account of an interruption from the running experiment.
type Account = Box<dyn Fn(&Running) -> String + Send + Sync>;

/// Progress of a study: the running experiment, and its cells. Shared by the threads that run them.
pub struct Cells {
    sink: Sink,
    shared: CommonOptions,
    began: Instant,
    running: Mutex<Running>,
    account: Option<Account>,
}

/// The running experiment or case, and how far it is.
#[derive(Debug)]
pub struct Running {
    /// As in [`Cells::start`].
    pub name: String,
    began: Instant,
    /// Cells of its earlier stages.
    earlier: usize,
    /// The cells of its present stage; none before it begins.
    stage: Option<CellProgress>,
}

impl Running {
    fn new(name: &str) -> Self {
        Self { name: name.to_owned(), began: Instant::now(), earlier: 0, stage: None }
    }

    /// A report. Threads may report in another order than they count.
    fn advance(&mut self, progress: &CellProgress) {
        match &mut self.stage {
            Some(stage) if progress.done > 0 => stage.done = stage.done.max(progress.done),
            stage => {
                self.earlier += stage.as_ref().map_or(0, |stage| stage.done);
                *stage = Some(progress.clone());
            }
        }
    }

    /// Cells that have ended.
    pub fn done(&self) -> usize {
        self.earlier + self.stage.as_ref().map_or(0, |stage| stage.done)
    }

    /// Whether the results of its cells are kept for another run.
    pub fn is_kept(&self) -> bool {
        self.stage.as_ref().is_some_and(|stage| stage.is_kept)
    }

    /// "after 2 of 7 runs". An experiment of several stages knows the number of its present one.
    pub fn words(&self, unit: &str) -> String {
        match (&self.stage, self.earlier) {
            (None, _) => format!("before its first {unit}"),
            (Some(stage), 0) => format!("after {} of {}", stage.done, counted(stage.total, unit)),
            (Some(stage), earlier) => {
                format!("after {} and {} of the next {}", counted(earlier, unit), stage.done, stage.total)
            }
        }
    }

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
        match error {
            StudyError::Interrupted { .. } => self.interrupted(),
            error => {
                self.finish();
                CommandFailure::run(format!("{name}: {error}"))
            }
        }
    }

    /// The failure of a command that a signal ended.
    pub fn interrupted(&self) -> CommandFailure {
        self.finish();
        CommandFailure::interrupted(attention::account())
    }

    /// An interruption says this from now on, whatever the program is doing.
    #[must_use]
    pub fn say_when_interrupted(self, account: impl Fn(&Running) -> String + Send + Sync + 'static) -> Self {
        let cells = Self { account: Some(Box::new(account)), ..self };
        cells.change(|_| {});
        cells
    }

    /// Changes the progress, and with it what an interruption says.
    fn change(&self, change: impl FnOnce(&mut Running)) {
        let mut running = self.running.lock().expect("no thread panics with the name in hand");
        change(&mut running);
        if let Some(account) = &self.account {
            attention::say_when_interrupted(account(&running));
        }
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
        Self { sink, shared, began: Instant::now(), running: Mutex::new(Running::new("")), account: None }
    }

    /// Begins an experiment or a case.
    pub fn start(&self, name: &str, title: &str) {
        self.change(|running| *running = Running::new(name));
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

    /// Cells begin, or one has ended.
    pub fn update(&self, progress: &CellProgress) {
        self.change(|running| running.advance(progress));
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
                if !progress.label.is_empty() {
                    bar.set_message(format!("{left}{}: {} done", running.name, progress.label));
                }
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
        let running = Running { began, ..Running::new("") };
        assert_eq!(running.left(0, 4), None);
        let (three, none) = (running.left(1, 4), running.left(4, 4));
        assert!(three >= Some(Duration::from_secs(300)), "{three:?}");
        assert_eq!(none, Some(Duration::ZERO));
    }

    #[test]
    fn the_account_of_an_interruption_counts_all_stages() {
        let mut running = Running::new("a");
        assert_eq!(running.words("run"), "before its first run");
        let mut report = |done, total| {
            running.advance(&CellProgress { done, total, label: String::new(), is_kept: true });
            running.words("run")
        };
        assert_eq!(report(0, 1), "after 0 of 1 run");
        assert_eq!(report(1, 1), "after 1 of 1 run");
        assert_eq!(report(0, 5), "after 1 run and 0 of the next 5");
        assert_eq!(report(3, 5), "after 1 run and 3 of the next 5");
        assert_eq!(report(2, 5), "after 1 run and 3 of the next 5", "reports overtake each other");
        assert_eq!(report(0, 2), "after 4 runs and 0 of the next 2");
        assert_eq!((running.done(), running.is_kept()), (4, true));
    }
}
