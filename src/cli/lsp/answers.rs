//! What is known of a document.

use super::super::output::read_baseline;
use super::super::texts;
use super::names;
use report::accepted::Home;
use report::comments;
use report::{Finding, Location, Problem, Report, Texts};
use std::path::{Path, PathBuf};

/// A function of a document.
#[derive(Clone, Debug)]
pub(super) struct Function {
    /// Its name.
    pub(super) name: String,
    /// Its name in its definition.
    pub(super) place: Location,
}

/// The answers about a document as it was when they were asked for.
#[derive(Clone, Debug)]
pub(super) struct Answers {
    /// The answers, those about one function one after the other.
    pub(super) report: Report,
    /// The functions that were asked about, in the order of the text.
    pub(super) functions: Vec<Function>,
    /// The texts that the answers point into.
    pub(super) texts: Texts,
    /// The file that lists what is accepted, if the project has one.
    pub(super) baseline: Option<PathBuf>,
}

/// Whether all answers are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// They are.
    Done,
    /// More will come.
    UnderWay,
}

impl Answers {
    /// Brings answers into order, and accepts what comments accept.
    pub(super) fn of(
        findings: Vec<Finding>,
        problems: Vec<Problem>,
        functions: Vec<Function>,
        progress: Progress,
    ) -> Self {
        let mut report = Report { findings, problems, ..Report::new() };
        let position = |finding: &Finding| functions.iter().position(|it| it.name == finding.entry);
        report.findings.sort_by_key(position);
        let warnings = report.findings.iter_mut().flat_map(|it| std::mem::take(&mut it.warnings));
        report.warnings = warnings.collect();
        let mut texts = texts::of(&report);
        // What a comment accepts may not be known yet.
        comments::apply(&mut report, &texts);
        if progress == Progress::UnderWay {
            report.warnings.clear();
        }
        texts::add_texts(&report, &mut texts);
        Self { report, functions, texts, baseline: None }
    }

    /// The same, with what a file lists as accepted. A list that is not there yet is empty; what is
    /// wrong with one is a problem of its own.
    pub(super) fn with_baseline(mut self, (file, home): (Option<&Path>, &Home)) -> Self {
        self.baseline = file.map(Path::to_owned);
        self.report.home = home.clone();
        match file.filter(|it| it.exists()).map(read_baseline) {
            Some(Ok(baseline)) => baseline.accept(&mut self.report, &self.texts),
            Some(Err(message)) => {
                let location = self.report.findings.first().map(|it| Location::of_file(&it.file));
                let location = location.unwrap_or_else(|| Location::of_file(""));
                self.report.problems.push(Problem { message, location });
            }
            None => {}
        }
        self
    }

    /// The answers about a function, in the order of the questions.
    pub(super) fn about(&self, function: &str) -> Vec<&Finding> {
        self.report.findings.iter().filter(|finding| finding.entry == function).collect()
    }

    /// The text of a file as it was, by its path.
    pub(super) fn text(&self, path: &Path) -> Option<&str> {
        let own = self.texts.iter().find(|(name, _)| is_named(name, path));
        own.map(|(_, text)| text.as_str())
    }

    /// Where a finding is shown that says of no place what is wrong: at its function.
    pub(super) fn place_of(&self, finding: &Finding) -> Location {
        let first = finding.causes.first().and_then(|cause| cause.location.clone());
        let own = || self.functions.iter().find(|it| it.name == finding.entry);
        first
            .or_else(|| own().map(|it| it.place.clone()))
            .unwrap_or_else(|| Location::of_file(&finding.file))
    }
}

/// Whether a name in an answer is that of a file.
pub(super) fn is_named(name: &str, path: &Path) -> bool {
    names::plain(Path::new(name)) == path
}

/// The file that a name in an answer is of.
pub(super) fn file_of(name: &str) -> PathBuf {
    names::plain(Path::new(name))
}
