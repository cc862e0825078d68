//! One line about long work, on the standard error, where that is a terminal.

use super::audience::Stage;
use super::write_error;
use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

/// Work that is shorter is not told of.
const DELAY: Duration = Duration::from_secs(1);
/// How often the line changes.
const PERIOD: Duration = Duration::from_millis(200);
/// Back to the start of the line, which is made empty.
const CLEAR: &str = "\r\u{1b}[K";

/// The line.
#[derive(Debug)]
pub(super) struct Progress {
    is_terminal: bool,
    started: Instant,
    written: Option<Instant>,
}

impl Progress {
    /// No line yet.
    pub(super) fn new() -> Self {
        let is_terminal = io::stderr().is_terminal();
        Self { is_terminal, started: Instant::now(), written: None }
    }

    /// Says how many programs and functions are done, and what is being looked at.
    pub(super) fn show(&mut self, stage: &Stage<'_>) {
        let is_due = self.written.is_none_or(|it| it.elapsed() >= PERIOD);
        if !self.is_terminal || self.started.elapsed() < DELAY || !is_due {
            return;
        }
        let seconds = self.started.elapsed().as_secs();
        let Stage { n_done, n_all, question, file, function } = stage;
        let subject = function.map_or((*file).to_owned(), |it| format!("{it} of {file}"));
        let line = format!("{n_done} of {n_all} done, {seconds} s: {question} of {subject}");
        let line: String = line.chars().take(78).collect();
        write_error(&format!("{CLEAR}{line}"));
        self.written = Some(Instant::now());
    }

    /// Takes the line away.
    pub(super) fn clear(&mut self) {
        if self.written.take().is_some() {
            write_error(CLEAR);
        }
    }
}
