//! `wane check`.

use super::audience::{Audience, Stage};
use super::output::{Writer, write_answers};
use super::pool::{self, Limits, Request};
use super::progress::Progress;
use super::{Check, EmitName, bad_call, library, write_error};
use super::{interrupt, test_case, texts, witness};
use base::budget::Budget;
use project::{Preprocessing, Reading};
use report::accepted::{self, Baseline};
use report::{Answer, Finding, Report, Texts, human};
use std::fs;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Checks all files and writes the answers, each as soon as it is known and all before it are.
pub(super) fn run(arguments: &Check) -> ExitCode {
    let request = match request(arguments) {
        Ok(request) => Arc::new(request),
        Err(message) => return bad_call(&message),
    };
    if let Some(what) = arguments.emit {
        return emit(arguments, what, &request);
    }
    let baseline = match baseline(arguments) {
        Ok(baseline) => baseline,
        Err(message) => return bad_call(&message),
    };
    let mut terminal = match Writer::new(arguments, &baseline) {
        Ok(writer) => Terminal { writer, progress: Progress::new() },
        Err(message) => return bad_call(&message),
    };
    let (inputs, problems) = project::expand(&arguments.files, &request.reading.flags);
    let limits = limits(arguments);
    let (programs, problems) = project::programs(&inputs, problems, &request.reading, limits.jobs);
    let found = pool::run(programs, &request, &limits, &mut terminal);
    terminal.progress.clear();
    let mut report = Report { findings: found.findings, ..Report::new() };
    report.problems = [problems, found.problems].concat();
    let warnings = report.findings.iter_mut().flat_map(|it| std::mem::take(&mut it.warnings));
    report.warnings = warnings.collect();
    report.root =
        std::env::current_dir().map_or_else(|_| String::new(), |it| it.display().to_string());
    let texts = texts::of(&report);
    accepted::apply_comments(&mut report, &texts);
    baseline.accept(&mut report, &texts);
    if let Err(message) = write_others(arguments, &report, &texts) {
        return bad_call(&message);
    }
    let colour = arguments.colour_of_errors();
    write_error(&human::problems(&report.problems, &texts, colour));
    write_error(&human::warnings(&report.warnings, &texts, colour));
    match terminal.writer.finish(&report, &texts) {
        Ok(()) => ExitCode::from(status(&report)),
        Err(message) => bad_call(&message),
    }
}

/// Answers as they come, and below them a line about what is under way.
struct Terminal<'a> {
    writer: Writer<'a>,
    progress: Progress,
}

impl Audience for Terminal<'_> {
    fn told(&mut self, finding: &Finding) {
        self.progress.clear();
        self.writer.tell(finding);
    }

    fn looked_at(&mut self, stage: &Stage<'_>) {
        self.progress.show(stage);
    }
}

/// The answers that are known.
fn baseline(arguments: &Check) -> Result<Baseline, String> {
    let Some(file) = &arguments.baseline else { return Ok(Baseline::default()) };
    Baseline::read(&project::read_text(file)?)
        .map_err(|error| format!("{} is no baseline: {error}", file.display()))
}

/// Writes what was asked for beside the answers.
fn write_others(arguments: &Check, report: &Report, texts: &Texts) -> Result<(), String> {
    if let Some(folder) = &arguments.test_case {
        test_case::write(folder, report)?;
    }
    if let Some(file) = &arguments.witness {
        witness::write(file, report, texts, arguments.moment())?;
    }
    if let Some(file) = &arguments.write_baseline {
        fs::write(file, Baseline::of_report(report, texts).write())
            .map_err(|error| format!("{} cannot be written: {error}", file.display()))?;
    }
    Ok(())
}

fn request(arguments: &Check) -> Result<Request, String> {
    let reading = Reading {
        options: arguments.options(),
        preprocessing: if arguments.no_preprocess { Preprocessing::Off } else { Preprocessing::On },
        flags: arguments.preprocessor_flags(),
    };
    Ok(Request {
        questions: arguments.questions()?,
        reading,
        shape_library: library(&arguments.shapes)?,
        all_functions: arguments.all_functions,
        steps: arguments.steps,
        store: None,
    })
}

fn limits(arguments: &Check) -> Limits {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Limits {
        time: arguments.timeout,
        memory_kib: arguments.memory.saturating_mul(1024),
        jobs: arguments.jobs.map_or(processors, usize::from),
        is_interrupted: interrupt::flag(),
    }
}

/// Accepted answers do not count. 2 when a file was not read, else 1 when something is refuted, else 3 when
/// something is unknown, else 0.
fn status(report: &Report) -> u8 {
    let open = || report.findings.iter().filter(|finding| finding.accepted.is_none());
    let has = |answer| open().any(|finding| finding.answer == answer);
    if !report.problems.is_empty() {
        2
    } else if has(Answer::Refuted) {
        1
    } else if has(Answer::Unknown) {
        3
    } else {
        0
    }
}

/// Ends the work after this time.
fn limit_time(budget: &Budget, time: Duration) {
    let canceller = budget.canceller();
    std::thread::spawn(move || {
        std::thread::sleep(time);
        canceller.time_is_over();
    });
}

/// Prints what became of programs on the way to an answer.
fn emit(arguments: &Check, what: EmitName, request: &Request) -> ExitCode {
    let (inputs, problems) = project::expand(&arguments.files, &request.reading.flags);
    let jobs = limits(arguments).jobs;
    let (programs, mut problems) = project::programs(&inputs, problems, &request.reading, jobs);
    let mut emitted = Vec::new();
    let mut status = 0;
    for program in &programs {
        let (subject, unread) = program.read(&request.reading.options);
        problems.extend(unread);
        let Some(subject) = subject else { continue };
        let text = match what {
            EmitName::Goto => subject.goto_text(),
            EmitName::Its => {
                let mut budget = Budget::of_steps(request.steps);
                limit_time(&budget, arguments.timeout);
                subject.its_text(&request.shape_library, &mut budget)
            }
        };
        match text {
            Ok(text) => emitted.push((program.name(), text)),
            Err(message) => {
                write_error(&format!("{}: {message}\n", program.name()));
                status = 3;
            }
        }
    }
    let report = Report { problems, ..Report::new() };
    let texts = texts::of(&report);
    write_error(&human::problems(&report.problems, &texts, arguments.colour_of_errors()));
    let comment = match what {
        EmitName::Goto => "//",
        EmitName::Its => ";",
    };
    let text = match &emitted[..] {
        [(_, only)] if programs.len() == 1 => only.clone(),
        several => several.iter().map(|it| format!("{comment} {}\n{}\n", it.0, it.1)).collect(),
    };
    if let Err(message) = write_answers(arguments, &text) {
        return bad_call(&message);
    }
    ExitCode::from(if report.problems.is_empty() { status } else { 2 })
}
