//! Where answers go.

use super::settings::{DEFAULT_FAIL_ON, FailOn, FormatName, Reporting};
use super::{ColourName, Telling, test_case, texts, witness, write_error, write_out};
use report::accepted::{self, Baseline, Home};
use report::assumed;
use report::comments;
use report::partial::Part;
use report::{self, Answer, Colour, Finding, Format, Report, Texts, human};
use std::fs::{self, File};
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Writes answers as they come, where the format allows it.
pub(super) struct Writer {
    format: Format,
    fail_on: FailOn,
    detail: Detail,
    colour: Colour,
    baseline: Baseline,
    /// What the baseline that is to be written lists by now.
    written: Baseline,
    /// From where files are named when answers are recognized.
    home: Home,
    target: Target,
    /// The files that answers point into, as far as they were needed.
    texts: Texts,
    /// Those with comments that accept answers.
    with_comments: Texts,
    /// The answers about the same function that were told before.
    before: Vec<Finding>,
    /// Why an answer could not be written.
    failure: Option<String>,
}

enum Target {
    Standard,
    File(PathBuf, File),
}

/// How much a person wants to read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// What is not proved, and nothing else.
    Quiet,
    /// All that is not accepted.
    Normal,
    /// All.
    Verbose,
}

impl Writer {
    /// Nothing is written yet. A file is opened at once, so that no work is in vain.
    ///
    /// # Errors
    /// A file cannot be written, or the baseline is none.
    pub(super) fn new(
        telling: &Telling,
        (reporting, home): (&Reporting, &Home),
    ) -> Result<Self, String> {
        let baseline = baseline(telling, reporting)?;
        let has_text = |it: &&Path| fs::metadata(it).is_ok_and(|it| it.len() > 0);
        let written = telling.write_baseline.as_deref().filter(has_text).map(read_baseline);
        let target = match telling.file() {
            None => Target::Standard,
            Some(path) => {
                let file = File::create(path).map_err(|error| unwritable(path, &error))?;
                Target::File(path.to_owned(), file)
            }
        };
        let detail = match (telling.quiet, telling.verbose) {
            (true, _) => Detail::Quiet,
            (false, true) => Detail::Verbose,
            (false, false) => Detail::Normal,
        };
        Ok(Self {
            format: reporting.format.unwrap_or(FormatName::Human).format(),
            fail_on: reporting.fail_on.unwrap_or(DEFAULT_FAIL_ON),
            detail,
            colour: telling.colour_of_answers(),
            baseline,
            written: written.transpose()?.unwrap_or_default(),
            home: home.clone(),
            target,
            texts: Texts::new(),
            with_comments: Texts::new(),
            before: Vec::new(),
            failure: None,
        })
    }

    /// The same for the answers of one part of the work, which are JSON.
    ///
    /// # Errors
    /// The same, or another format is wanted.
    pub(super) fn of_part(
        telling: &Telling,
        (reporting, home): (&Reporting, &Home),
    ) -> Result<Self, String> {
        match reporting.format {
            None | Some(FormatName::Json) => {
                Ok(Self { format: Format::Json, ..Self::new(telling, (reporting, home))? })
            }
            Some(_) => {
                Err("a part of the work is written as JSON; `wane merge` takes a format".to_owned())
            }
        }
    }

    /// The same for an answer in a word, whatever a project has set.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(super) fn of_a_word(telling: &Telling) -> Result<Self, String> {
        // This format waits for the end.
        let none = (&Reporting::default(), &Home::default());
        Ok(Self { format: Format::Json, ..Self::new(telling, none)? })
    }

    /// An answer is known, and so are all before it.
    pub(super) fn tell(&mut self, finding: &Finding) {
        if !report::can_stream(self.format) {
            return;
        }
        let (findings, home) = (vec![finding.clone()], self.home.clone());
        let mut report = Report { findings, home, ..Report::new() };
        let added = texts::add_texts(&report, &mut self.texts);
        for (name, text) in added.into_iter().filter(|(_, text)| comments::has_comments(text)) {
            self.with_comments.insert(name, text);
        }
        accepted::recognize(&mut report, &self.texts);
        comments::apply(&mut report, &self.with_comments);
        self.baseline.accept(&mut report, &self.texts);
        for finding in report.findings {
            if let Some(shown) = self.shown(&finding) {
                let pair = (&self.before[..], &shown);
                let text = report::render_one(pair, self.format, &self.texts, self.colour);
                self.write(&text);
            }
            let subject = (&finding.file, &finding.entry);
            self.before.retain(|it| (&it.file, &it.entry) == subject);
            self.before.push(finding);
        }
    }

    /// An answer as it is shown, if it is.
    fn shown(&self, finding: &Finding) -> Option<Finding> {
        match self.detail {
            _ if self.format != Format::Human => Some(finding.clone()),
            Detail::Quiet => (finding.answer != Answer::Proved).then(|| finding.clone()),
            Detail::Normal => Some(finding.clone()),
            Detail::Verbose => Some(Finding { accepted: None, ..finding.clone() }),
        }
    }

    /// All is known: the rest is written.
    fn finish(mut self, report: &Report, texts: &Texts) -> Result<(), String> {
        let text = if !report::can_stream(self.format) {
            report::render(report, self.format, texts, self.colour)
        } else if self.format == Format::Human && self.detail == Detail::Quiet {
            String::new()
        } else {
            report::render_rest(report, self.format)
        };
        self.write(&text);
        self.failure.map_or(Ok(()), Err)
    }

    /// A part of the work is done.
    ///
    /// # Errors
    /// Its answers cannot be written.
    pub(super) fn finish_part(mut self, part: &Part) -> Result<ExitCode, String> {
        self.write(&part.write());
        self.failure.map_or(Ok(ExitCode::SUCCESS), Err)
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

/// All answers are known: what is accepted is marked, everything that was asked for is written,
/// and the status of the call is found.
///
/// # Errors
/// Something cannot be written.
pub(super) fn conclude(
    mut report: Report,
    writer: Writer,
    telling: &Telling,
) -> Result<ExitCode, String> {
    let warnings = report.findings.iter_mut().flat_map(|it| std::mem::take(&mut it.warnings));
    report.warnings = warnings.collect();
    report.home = writer.home.clone();
    report.root =
        std::env::current_dir().map_or_else(|_| String::new(), |it| it.display().to_string());
    let texts = texts::of(&report);
    accepted::recognize(&mut report, &texts);
    comments::apply(&mut report, &texts);
    writer.baseline.accept(&mut report, &texts);
    write_others(telling, &report, &texts)?;
    if let Some(file) = &telling.write_baseline {
        let updated = writer.written.clone().updated(&report, &texts);
        fs::write(file, updated.write()).map_err(|error| unwritable(file, &error))?;
    } else {
        write_error(&stale(writer.baseline.settled(&report, &texts).count()));
    }
    let colour = telling.colour_of_errors();
    write_error(&human::problems(&report.problems, &texts, colour));
    write_error(&human::warnings(&report.warnings, &texts, colour));
    let status = status(&report, writer.fail_on);
    writer.finish(&report, &texts)?;
    Ok(ExitCode::from(status))
}

/// What is said of so many entries of a baseline that nothing needs any more.
fn stale(number: usize) -> String {
    let entries = match number {
        0 => return String::new(),
        1 => "1 entry of the baseline is".to_owned(),
        _ => format!("{number} entries of the baseline are"),
    };
    format!("note: {entries} no answer any more: `--write-baseline` leaves out what is mended\n")
}

/// The answer is told in a word, beside what was asked for in files. The status says whether there
/// is an answer, not what it is.
///
/// # Errors
/// Something cannot be written.
pub(super) fn conclude_in_a_word(
    report: &Report,
    mut writer: Writer,
    telling: &Telling,
    word: &str,
) -> Result<ExitCode, String> {
    let texts = texts::of(report);
    write_others(telling, report, &texts)?;
    write_error(&human::problems(&report.problems, &texts, telling.colour_of_errors()));
    // A word has no room for what was taken for granted.
    for finding in &report.findings {
        for line in assumed::lines(finding) {
            write_error(&format!("note: {line}\n"));
        }
    }
    writer.write(&format!("{word}\n"));
    let status = if report.problems.is_empty() { 0 } else { 2 };
    writer.failure.map_or(Ok(ExitCode::from(status)), Err)
}

/// The answers that are known. Where a file of these is to be written, there may be none yet.
fn baseline(telling: &Telling, reporting: &Reporting) -> Result<Baseline, String> {
    let Some(file) = &reporting.baseline else { return Ok(Baseline::default()) };
    if !file.exists() {
        return match telling.write_baseline {
            Some(_) => Ok(Baseline::default()),
            None => {
                let name = file.display();
                Err(format!(
                    "{name} cannot be read, as there is none: `--write-baseline {name}` writes one"
                ))
            }
        };
    }
    read_baseline(file)
}

/// The answers that a file lists as known.
///
/// # Errors
/// It cannot be read, or is no baseline.
pub(super) fn read_baseline(file: &Path) -> Result<Baseline, String> {
    Baseline::read(&project::read_text(file)?)
        .map_err(|error| format!("{} is no baseline: {error}", file.display()))
}

/// Writes what was asked for beside the answers.
fn write_others(telling: &Telling, report: &Report, texts: &Texts) -> Result<(), String> {
    if let Some(folder) = &telling.test_case {
        test_case::write(folder, report)?;
    }
    if let Some(file) = &telling.witness {
        witness::write(file, report, texts, telling.moment())?;
    }
    Ok(())
}

/// 2 when a file was not read, else 1 when something is refuted, else 3 when something is
/// unknown, else 0. What is accepted does not count, nor what the user does not want to fail on.
fn status(report: &Report, fail_on: FailOn) -> u8 {
    let open = || report.findings.iter().filter(|finding| finding.accepted.is_none());
    let has = |answer| open().any(|finding| finding.answer == answer);
    if !report.problems.is_empty() {
        2
    } else if fail_on != FailOn::Never && has(Answer::Refuted) {
        1
    } else if fail_on == FailOn::Unknown && has(Answer::Unknown) {
        3
    } else {
        0
    }
}

impl Telling {
    /// The file that answers go to, if it is not the standard output.
    fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|it| *it != Path::new("-"))
    }

    fn moment(&self) -> witness::Moment {
        if self.deterministic { witness::Moment::Epoch } else { witness::Moment::Now }
    }

    fn colour(&self, is_terminal: impl FnOnce() -> bool) -> Colour {
        let wanted = match self.color {
            ColourName::Always => true,
            ColourName::Never => false,
            ColourName::Auto => {
                is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        };
        if wanted { Colour::On } else { Colour::Off }
    }

    /// Whether messages about the call carry colours.
    pub(super) fn colour_of_errors(&self) -> Colour {
        self.colour(|| io::stderr().is_terminal())
    }

    fn colour_of_answers(&self) -> Colour {
        self.colour(|| self.file().is_none() && io::stdout().is_terminal())
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
pub(super) fn write_answers(telling: &Telling, text: &str) -> Result<(), String> {
    match telling.file() {
        None => {
            write_out(text);
            Ok(())
        }
        Some(path) => fs::write(path, text).map_err(|error| unwritable(path, &error)),
    }
}
