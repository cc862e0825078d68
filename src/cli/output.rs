//! Where answers go.

use super::texts;
use super::{Check, write_out};
use report::accepted::{self, Baseline};
use report::{self, Colour, Finding, Format, Report, Texts};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes answers as they come, where the format allows it.
pub(super) struct Writer<'a> {
    format: Format,
    colour: Colour,
    baseline: &'a Baseline,
    target: Target,
    /// The files that answers point into, as far as they were needed.
    texts: Texts,
    /// Those with comments that accept answers.
    with_comments: Texts,
    /// The last answer that was written.
    before: Option<Finding>,
    /// Why an answer could not be written.
    failure: Option<String>,
}

enum Target {
    Standard,
    File(PathBuf, File),
}

impl<'a> Writer<'a> {
    /// Nothing is written yet. A file is opened at once, so that no work is in vain.
    pub(super) fn new(arguments: &Check, baseline: &'a Baseline) -> Result<Self, String> {
        let target = match &arguments.output {
            None => Target::Standard,
            Some(path) => {
                let file = File::create(path).map_err(|error| unwritable(path, &error))?;
                Target::File(path.clone(), file)
            }
        };
        let (format, colour) = (arguments.format(), arguments.colour_of_answers());
        let (texts, with_comments) = (Texts::new(), Texts::new());
        Ok(Self {
            format,
            colour,
            baseline,
            target,
            texts,
            with_comments,
            before: None,
            failure: None,
        })
    }

    /// An answer is known, and so are all before it.
    pub(super) fn tell(&mut self, finding: &Finding) {
        if !report::can_stream(self.format) {
            return;
        }
        let mut report = Report { findings: vec![finding.clone()], ..Report::new() };
        let added = texts::add_texts(&report, &mut self.texts);
        for (name, text) in added.into_iter().filter(|(_, text)| accepted::has_comments(text)) {
            self.with_comments.insert(name, text);
        }
        accepted::apply_comments(&mut report, &self.with_comments);
        self.baseline.accept(&mut report, &self.texts);
        for finding in report.findings {
            let pair = (self.before.as_ref(), &finding);
            let text = report::render_one(pair, self.format, &self.texts, self.colour);
            self.write(&text);
            self.before = Some(finding);
        }
    }

    /// All is known: the rest is written.
    pub(super) fn finish(mut self, report: &Report, texts: &Texts) -> Result<(), String> {
        let text = if report::can_stream(self.format) {
            report::render_rest(report, self.format)
        } else {
            report::render(report, self.format, texts, self.colour)
        };
        self.write(&text);
        self.failure.map_or(Ok(()), Err)
    }

    fn write(&mut self, text: &str) {
        let written = match &mut self.target {
            Target::Standard => write_standard(text),
            Target::File(path, file) => {
                file.write_all(text.as_bytes()).map_err(|error| unwritable(path, &error))
            }
        };
        if let Err(message) = written {
            self.failure.get_or_insert(message);
        }
    }
}

/// Writes to the standard output; a reader that went away is no error.
fn write_standard(text: &str) -> Result<(), String> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("the answers cannot be written: {error}"))
        }
        _ => Ok(()),
    }
}

fn unwritable(path: &Path, error: &io::Error) -> String {
    format!("{} cannot be written: {error}", path.display())
}

/// Writes a text that is known as a whole.
pub(super) fn write_answers(arguments: &Check, text: &str) -> Result<(), String> {
    match &arguments.output {
        None => {
            write_out(text);
            Ok(())
        }
        Some(path) => std::fs::write(path, text).map_err(|error| unwritable(path, &error)),
    }
}
