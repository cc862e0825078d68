//! The thread that checks documents, one after the other.

use super::super::audience::{Audience, End, Stage};
use super::super::pool::{self, Limits};
use super::super::request::{Request, Requests};
use super::super::store::Store;
use super::answers::{Answers, Function, Progress};
use super::names::{plain, shown};
use super::settings::Settings;
use c::EntryPoint;
use project::{Found, Input, Origin, memory, on_a_large_stack};
use report::accepted::Home;
use report::{Answer, Cause, Finding, Location, Problem, codes};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

/// Memory for a run beside what is in use when it begins.
const MEMORY_KIB: u64 = 2 << 20;
/// What is not answered about a function within this time is open at first, and asked once more
/// when all others have had theirs: no function waits for those that are hard.
const FIRST_LOOK: Duration = Duration::from_millis(400);
/// What is said of such an answer.
const STILL_OPEN: &str = "a first look does not tell: wane goes on with it";
/// How often answers are shown while others are not known yet.
const PERIOD_OF_ANSWERS: Duration = Duration::from_millis(500);
/// How often it is told what is looked at; work that is shorter is not told of.
const PERIOD_OF_STAGES: Duration = Duration::from_millis(200);

/// A document to be checked.
#[derive(Clone, Debug)]
pub(super) struct Job {
    /// The number by which what is found is recognized.
    pub(super) ticket: u64,
    /// The document.
    pub(super) path: PathBuf,
    /// Whether nobody wants to know any more.
    pub(super) is_cancelled: Arc<AtomicBool>,
}

/// What the thread has to say of a job.
#[derive(Debug)]
pub(super) enum News {
    /// This function is being looked at: so many of so many are done.
    Looking(u64, String, usize, usize),
    /// Some answers are known.
    Some(u64, Box<Answers>),
    /// All answers are known, and a line about the work.
    All(u64, Box<Answers>, String),
    /// The job was cancelled.
    Cancelled(u64),
}

/// Checks documents until there are no more.
pub(super) fn work(jobs: &Receiver<Job>, settings: &Settings, tell: &dyn Fn(News)) {
    let store = Arc::new(Store::in_memory());
    for job in jobs {
        let ticket = job.ticket;
        let checked = || {
            let requests = Requests::of_editor(&settings.flags, Arc::clone(&store))?;
            check(&job, &requests, tell)
        };
        let failed = || Err("wane failed; the message is on the standard error".to_owned());
        let checked = catch_unwind(AssertUnwindSafe(checked)).unwrap_or_else(|_| failed());
        let (answers, line) = checked.unwrap_or_else(|message| {
            let location = Location::of_file(&shown(&job.path).display().to_string());
            let problems = vec![Problem { message, location }];
            let answers = Answers::of(Vec::new(), problems, Vec::new(), Progress::Done);
            (answers, "nothing was checked".to_owned())
        });
        if job.is_cancelled.load(Ordering::SeqCst) {
            tell(News::Cancelled(ticket));
        } else {
            tell(News::All(ticket, Box::new(answers), line));
        }
    }
}

/// The answers about a document, and a line about the work.
fn check(job: &Job, requests: &Requests, tell: &dyn Fn(News)) -> Result<(Answers, String), String> {
    let (started, reading) = (Instant::now(), &requests.reading);
    let baseline = (requests.settings().report.baseline.as_deref(), requests.home());
    if requests.takes(&shown(&job.path), Origin::Listed).is_none() {
        let line = format!("{}: left out by the settings", shown(&job.path).display());
        return Ok((Answers::of(Vec::new(), Vec::new(), Vec::new(), Progress::Done), line));
    }
    let (input, problems) = input_of(&job.path, &reading.flags);
    let read = || project::programs(&[input], problems, reading, 1);
    let (programs, mut problems) = on_a_large_stack(read);
    let limits = Limits {
        memory_kib: memory::in_use().unwrap_or(0).saturating_add(MEMORY_KIB),
        jobs: jobs(),
        is_interrupted: Arc::clone(&job.is_cancelled),
    };
    let listener = |of_cut| Listener {
        ticket: job.ticket,
        tell,
        of_cut,
        baseline,
        functions: Vec::new(),
        findings: Vec::new(),
        shown: started,
        told: started,
    };
    let request = |file: &Path| {
        let request = requests.of(file);
        Request { first_look: Some(request.time.min(FIRST_LOOK)), ..request }
    };
    let mut heard = listener(Some(STILL_OPEN));
    let mut found = pool::run(programs.clone(), &request, &limits, &mut heard);
    let n_remembered = found.n_remembered;
    if found.n_cut > 0 && !job.is_cancelled.load(Ordering::SeqCst) {
        heard.hand_on();
        heard = listener(None);
        found = pool::run(programs, &|file| requests.of(file), &limits, &mut heard);
    }
    problems.extend(found.problems);
    problems.retain(|problem| problem.message != pool::NO_FUNCTION);
    let line = format!(
        "{}: {} answers, {n_remembered} of them as before, in {:.1} s",
        shown(&job.path).display(),
        found.findings.len(),
        started.elapsed().as_secs_f64(),
    );
    let answers = Answers::of(found.findings, problems, heard.functions, Progress::Done);
    Ok((answers.with_baseline(baseline), line))
}

/// How many functions are checked at the same time. The editor needs a processor, too.
fn jobs() -> usize {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    processors.saturating_sub(1).max(1)
}

/// Hears of answers, and hands them on from time to time.
struct Listener<'a> {
    ticket: u64,
    tell: &'a dyn Fn(News),
    /// What is said of answers that were cut short, if they are asked for again.
    of_cut: Option<&'static str>,
    /// The file that lists what is accepted, and from where it names files.
    baseline: (Option<&'a Path>, &'a Home),
    functions: Vec<Function>,
    findings: Vec<Finding>,
    /// When answers were last handed on.
    shown: Instant,
    /// When it was last told what is looked at.
    told: Instant,
}

impl Audience for Listener<'_> {
    fn entered(&mut self, functions: &[EntryPoint]) {
        let function = |entry: &EntryPoint| Function {
            name: entry.function.clone(),
            place: Location {
                file: entry.holder.clone(),
                line: Some(entry.span.line),
                column: Some(entry.span.column),
                length: entry.span.length,
            },
        };
        self.functions = functions.iter().map(function).collect();
    }

    fn answered(&mut self, finding: &Finding, end: End) {
        let mut finding = finding.clone();
        if let (Some(why), End::Cut, Answer::Unknown) = (self.of_cut, end, finding.answer) {
            let location = finding.causes.first().and_then(|cause| cause.location.clone());
            finding.reason = why.to_owned();
            finding.causes = vec![Cause { code: codes::LIMIT, message: why.to_owned(), location }];
        }
        self.findings.push(finding);
    }

    fn looked_at(&mut self, stage: &Stage<'_>) {
        if self.told.elapsed() >= PERIOD_OF_STAGES {
            self.told = Instant::now();
            let (n_done, n_all) = (stage.n_done, self.functions.len());
            let what = stage.function.unwrap_or(stage.file).to_owned();
            (self.tell)(News::Looking(self.ticket, what, n_done, n_all));
        }
        if self.shown.elapsed() >= PERIOD_OF_ANSWERS && !self.findings.is_empty() {
            self.hand_on();
        }
    }
}

impl Listener<'_> {
    /// Hands on the answers that are known by now.
    fn hand_on(&mut self) {
        self.shown = Instant::now();
        let (findings, functions) = (self.findings.clone(), self.functions.clone());
        let answers = Answers::of(findings, Vec::new(), functions, Progress::UnderWay);
        let answers = answers.with_baseline(self.baseline);
        (self.tell)(News::Some(self.ticket, Box::new(answers)));
    }
}

/// The file with its flags from the nearest compilation database, and what is wrong with that.
/// A file that is not listed there, as a new one, has the flags of the one whose path is most
/// like its own.
fn input_of(path: &Path, flags: &[String]) -> (Input, Vec<Problem>) {
    let mut input = Input { path: shown(path), flags: flags.to_vec(), origin: Origin::Named };
    let Some(database) = project::database_above(path) else { return (input, Vec::new()) };
    let Found { inputs: listed, problems, .. } =
        project::expand(&[shown(&database)], flags, &|_, origin| Some(origin));
    let likeness = |other: &Input| {
        let other = plain(&other.path);
        let are_same = |(one, other): &(_, _)| one == other;
        let n_shared = path.components().zip(other.components()).take_while(are_same).count();
        (other == path, n_shared)
    };
    // Of several that are alike the first one counts.
    if let Some(most_like) = listed.into_iter().rev().max_by_key(likeness) {
        input.flags = most_like.flags;
    }
    (input, problems)
}
