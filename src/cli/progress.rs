//! A bar about long work, on the standard error, where that is a terminal.

use super::audience::Stage;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};

/// Work that is shorter is not told of.
const DELAY: Duration = Duration::from_secs(1);
/// A question that takes longer is named with its time.
const LONG: Duration = Duration::from_secs(2);
/// How often the bar is drawn in a second.
const RATE: u8 = 5;
/// The bar, and the line beside it.
const LINE: &str = "{bar:20} {wide_msg}";

/// The bar.
#[derive(Debug)]
pub(super) struct Progress {
    started: Instant,
    bar: ProgressBar,
}

impl Progress {
    /// No bar yet.
    pub(super) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(RATE));
        // A template that is none would be seen by the first test; then the bar is a plain one.
        let style =
            ProgressStyle::with_template(LINE).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style.progress_chars("=> "));
        Self { started: Instant::now(), bar }
    }

    /// Says how many programs and functions are done, and what takes longest at the moment.
    pub(super) fn show(&self, stage: &Stage<'_>) {
        if self.started.elapsed() < DELAY {
            return;
        }
        self.bar.update(|state| {
            state.set_len(stage.n_all as u64);
            state.set_pos(stage.n_done as u64);
        });
        self.bar.set_message(line(stage, self.started.elapsed()));
    }

    /// Takes the bar away while something else is written. One that has shown nothing is not
    /// there, and to be drawn afterwards neither.
    pub(super) fn beside<T>(&self, write: impl FnOnce() -> T) -> T {
        if self.bar.length().is_none() { write() } else { self.bar.suspend(write) }
    }

    /// Takes the bar away for good.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// What is done, the time, and what is looked at.
fn line(stage: &Stage<'_>, elapsed: Duration) -> String {
    let Stage { n_done, n_all, question, file, function, since } = stage;
    let subject = function.map_or((*file).to_owned(), |it| format!("{it} of {file}"));
    let long = match *since >= LONG {
        true => format!(" for {} s", since.as_secs()),
        false => String::new(),
    };
    let elapsed = HumanDuration(elapsed);
    format!("{n_done} of {n_all} done, {elapsed:#}: {question} of {subject}{long}")
}

#[cfg(test)]
mod tests {
    use super::{LINE, Progress};
    use crate::audience::Stage;
    use indicatif::{ProgressDrawTarget, ProgressStyle};
    use std::time::{Duration, Instant};

    #[test]
    fn the_bar_tells_what_takes_long() {
        assert!(ProgressStyle::with_template(LINE).is_ok());
        let mut progress = Progress::new();
        progress.bar.set_draw_target(ProgressDrawTarget::hidden());
        let stage = |since| {
            let (file, function, question) = ("a.c", Some("slow"), "termination");
            Stage { n_done: 3, n_all: 12, question, file, function, since }
        };
        progress.show(&stage(Duration::from_secs(7)));
        assert_eq!(progress.bar.message(), "", "short work is not told of");
        assert_eq!(progress.beside(|| progress.bar.length()), None, "nothing to be drawn");
        progress.started = Instant::now().checked_sub(Duration::from_secs(5)).unwrap();
        progress.show(&stage(Duration::from_secs(7)));
        assert_eq!((progress.bar.position(), progress.bar.length()), (3, Some(12)));
        assert_eq!(progress.bar.message(), "3 of 12 done, 5s: termination of slow of a.c for 7 s");
        progress.show(&stage(Duration::from_millis(10)));
        assert_eq!(progress.bar.message(), "3 of 12 done, 5s: termination of slow of a.c");
    }
}
