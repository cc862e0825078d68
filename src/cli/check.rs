//! `wane check`.

use super::audience::{Audience, Stage};
use super::interrupt::{Interrupt, STATUS};
use super::output::{Writer, conclude, conclude_in_a_word};
use super::pool::{self, Limits};
use super::progress::Progress;
use super::request::Requests;
use super::settings::{Configuration, DEFAULT_MEMORY};
use super::shard::Shard;
use super::store::Key;
use super::svcomp::Property;
use super::{Check, bad_call, depfile, emit, plan, write_error};
use project::{Found, Program};
use report::partial::Part;
use report::{Finding, Problem, Report};
use std::num::NonZero;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// Checks all files and writes the answers, each as soon as it is known and all before it are.
pub(super) fn run(arguments: &Check) -> ExitCode {
    let interrupt = Interrupt::while_reading();
    let configuration = Configuration::read(&arguments.settings, arguments.config.as_deref());
    match configuration.and_then(|it| Requests::new(arguments, it)) {
        Ok(requests) => match arguments.emit {
            Some(what) => emit::run(arguments, what, &requests),
            None => answered(arguments, &requests, interrupt).unwrap_or_else(|it| bad_call(&it)),
        },
        Err(message) => bad_call(&message),
    }
}

fn answered(
    arguments: &Check,
    requests: &Requests,
    interrupt: Interrupt,
) -> Result<ExitCode, String> {
    let settings = requests.settings();
    let writer = match arguments.shard() {
        _ if arguments.svcomp.is_some() => Writer::of_a_word(&arguments.telling)?,
        // What a project has set is for whole reports.
        Some(_) => {
            Writer::of_part(&arguments.telling, (&arguments.settings.report, requests.home()))?
        }
        None => Writer::new(&arguments.telling, (&settings.report, requests.home()))?,
    };
    let (programs, problems) = programs(arguments, requests);
    if let (Some(file), Some(output)) = (&arguments.depfile, &arguments.telling.output) {
        depfile::write(file, output, (arguments, requests, &programs))?;
    }
    let limits = Limits {
        memory_kib: settings.memory.unwrap_or(DEFAULT_MEMORY).get().saturating_mul(1024),
        jobs: n_jobs(settings.jobs),
        is_interrupted: interrupt.flag(),
    };
    let mut terminal = Terminal { writer, progress: Progress::new() };
    let share = share(arguments, requests, (&programs, &problems))?;
    let found = pool::run(programs, &|file| requests.of(file), &limits, &mut terminal);
    let writer = terminal.finish();
    write_notes(arguments, &found.notes);
    if let Some(store) = &requests.store {
        store.tidy();
    }
    let report = Report {
        findings: found.findings,
        problems: [problems, found.problems].concat(),
        is_interrupted: limits.is_interrupted.load(Ordering::SeqCst),
        ..Report::new()
    };
    let is_interrupted = report.is_interrupted;
    let status = conclusion(arguments, report, (writer, found.positions, share))?;
    Ok(if is_interrupted { ExitCode::from(STATUS) } else { status })
}

/// The part of the work that was done, what the whole run is known by, and what the part rests on.
type Share = Option<(Shard, Key, Option<String>)>;

/// The part of the work that is to be done. Parts of a plan may be made at different times.
fn share(
    arguments: &Check,
    requests: &Requests,
    (programs, problems): (&[Program], &[Problem]),
) -> Result<Share, String> {
    let Some(shard) = arguments.shard() else { return Ok(None) };
    Ok(Some(match &arguments.plan {
        None => (shard, requests.run_key(programs), None),
        Some(folder) => {
            let texts = plan::texts(requests, programs, problems);
            (shard, requests.asked_key(), Some(plan::basis(folder, shard, &texts)?))
        }
    }))
}

/// Writes what is left to write.
fn conclusion(
    arguments: &Check,
    report: Report,
    (writer, positions, share): (Writer, Vec<[usize; 3]>, Share),
) -> Result<ExitCode, String> {
    if let Some(file) = &arguments.svcomp {
        let verdict = Property::read(file)?.verdict(&report.findings);
        return conclude_in_a_word(&report, writer, &arguments.telling, &verdict);
    }
    match share {
        Some((shard, run, basis)) => {
            let part = (run.digits(), shard.of_all(), basis);
            writer.finish_part(&Part::new(part, positions, report))
        }
        None => conclude(report, writer, &arguments.telling),
    }
}

/// The programs that are asked about, and what is wrong with files.
pub(super) fn programs(arguments: &Check, requests: &Requests) -> (Vec<Program>, Vec<Problem>) {
    let takes = |file: &Path, origin| requests.takes(file, origin);
    let found = project::expand(&arguments.files, &requests.reading.flags, &takes);
    let Found { inputs, problems, mut warnings, notes } = found;
    if inputs.is_empty() && problems.is_empty() {
        warnings.push("all files that are named are left out (force-exclude)".to_owned());
    }
    warnings.iter().for_each(|it| write_error(&format!("warning: {it}\n")));
    write_notes(arguments, &notes);
    project::programs(&inputs, problems, &requests.reading, n_jobs(requests.settings().jobs))
}

/// Says what is good to know to who wants to read more than answers that are open; parts of a run
/// leave that to the whole.
fn write_notes(arguments: &Check, notes: &[String]) {
    if !arguments.telling.quiet && arguments.shard.is_none() && arguments.svcomp.is_none() {
        notes.iter().for_each(|it| write_error(&format!("note: {it}\n")));
    }
}

/// So many threads, or one a processor.
pub(super) fn n_jobs(wanted: Option<NonZero<u16>>) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    wanted.map_or(processors, |it| it.get().into())
}

/// Answers as they come, and below them a bar about what is under way.
struct Terminal {
    writer: Writer,
    progress: Progress,
}

impl Terminal {
    /// Takes the bar away.
    fn finish(self) -> Writer {
        self.progress.clear();
        self.writer
    }
}

impl Audience for Terminal {
    fn told(&mut self, finding: &Finding) {
        self.progress.beside(|| self.writer.tell(finding));
    }

    fn looked_at(&mut self, stage: &Stage<'_>) {
        self.progress.show(stage);
    }
}
