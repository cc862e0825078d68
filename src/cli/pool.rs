//! Files in parallel, each on a thread with a large stack, under a clock.
//!
//! The clock asks an analysis to stop; one that does not listen within
//! [`GRACE`] is left alone, and its questions stay unanswered. Answers come in
//! the order of the files, whatever ends first.

use super::files::{self, Preprocessing};
use super::inputs::Input;
use super::progress::Progress;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};
use wane::analyze::{self, Subject, unanswered};
use wane::base::budget::{Budget, Canceller, Exhausted};
use wane::base::source::SourceMap;
use wane::c::Options;
use wane::heap::shape::ShapeLibrary;
use wane::question::Question;
use wane::report::{Cause, Finding, Location, Problem, Report, codes};
use wane::verdict::Reason;

/// How long an analysis may take to notice that it should stop.
const GRACE: Duration = Duration::from_millis(1500);
/// How often the clock and the memory are looked at.
const TICK: Duration = Duration::from_millis(20);
/// Stacks are reserved, not used: deep recursion must not end the process.
const STACK_SIZES: [usize; 3] = [256 << 20, 64 << 20, 8 << 20];

/// What is asked of every file.
#[derive(Debug)]
pub(super) struct Request {
    /// The questions.
    pub(super) questions: Vec<Question>,
    /// How C is to be understood.
    pub(super) options: Options,
    /// The shapes.
    pub(super) shape_library: ShapeLibrary,
    /// Whether `.c` files are preprocessed.
    pub(super) preprocessing: Preprocessing,
    /// Steps a question.
    pub(super) steps: u64,
}

/// What the run may use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Time for each question.
    pub(super) time: Duration,
    /// Memory of the process.
    pub(super) memory_kib: u64,
    /// Files at the same time.
    pub(super) jobs: usize,
}

/// What a thread has to say; each with the position of its file.
enum Event {
    /// The next question is being looked at.
    Asked(usize, Canceller),
    /// The answer to it.
    Answered(usize, Box<Finding>),
    /// The file cannot be read.
    Unreadable(usize, Vec<Problem>),
    /// All questions are answered.
    Done(usize),
}

/// A file that is being checked.
struct Running {
    deadline: Instant,
    canceller: Canceller,
    stopped: Option<Exhausted>,
}

/// Checks all files.
pub(super) fn run(files: &[Input], request: &Arc<Request>, limits: &Limits) -> Report {
    let (sender, receiver) = mpsc::channel();
    let mut pool = Pool {
        files,
        request,
        limits,
        sender,
        next: 0,
        running: BTreeMap::new(),
        outcomes: files.iter().map(|_| Outcome::default()).collect(),
        progress: Progress::new(files.len()),
    };
    pool.work(&receiver);
    let mut report = Report::new();
    for outcome in pool.outcomes {
        report.findings.extend(outcome.findings);
        report.problems.extend(outcome.problems);
    }
    report
}

#[derive(Default)]
struct Outcome {
    findings: Vec<Finding>,
    problems: Vec<Problem>,
}

struct Pool<'a> {
    files: &'a [Input],
    request: &'a Arc<Request>,
    limits: &'a Limits,
    sender: Sender<Event>,
    /// The first file that no thread has.
    next: usize,
    running: BTreeMap<usize, Running>,
    outcomes: Vec<Outcome>,
    progress: Progress,
}

impl Pool<'_> {
    fn work(&mut self, receiver: &Receiver<Event>) {
        loop {
            while self.running.len() < self.limits.jobs && self.next < self.files.len() {
                self.start(self.next);
                self.next += 1;
            }
            if self.running.is_empty() {
                self.progress.clear();
                return;
            }
            if let Ok(event) = receiver.recv_timeout(TICK) {
                self.handle(event);
            }
            self.watch();
            if let Some(job) = self.running.keys().next().copied() {
                let n_done = self.next - self.running.len();
                let question = self.request.questions.get(self.outcomes[job].findings.len());
                let question = question.map_or("", |it| it.name());
                self.progress.show(n_done, &self.files[job].path, question);
            }
        }
    }

    fn start(&mut self, job: usize) {
        let input = &self.files[job];
        for stack_size in STACK_SIZES {
            let (own, request, sender) =
                (input.clone(), Arc::clone(self.request), self.sender.clone());
            let work = move || check_file(job, &own, &request, &sender);
            if thread::Builder::new().stack_size(stack_size).spawn(work).is_ok() {
                let running = Running {
                    deadline: self.deadline(),
                    canceller: Canceller::default(),
                    stopped: None,
                };
                self.running.insert(job, running);
                return;
            }
        }
        let message = "the system gives no thread to check this file".to_owned();
        let location = Location::of_file(&input.path.display().to_string());
        self.outcomes[job].problems.push(Problem { message, location });
    }

    fn deadline(&self) -> Instant {
        let now = Instant::now();
        now.checked_add(self.limits.time).unwrap_or(now)
    }

    fn handle(&mut self, event: Event) {
        let deadline = self.deadline();
        match event {
            Event::Asked(job, canceller) => {
                if let Some(running) = self.running.get_mut(&job) {
                    *running = Running { deadline, canceller, stopped: None };
                }
            }
            Event::Answered(job, finding) if self.running.contains_key(&job) => {
                self.outcomes[job].findings.push(*finding);
            }
            Event::Unreadable(job, problems) if self.running.contains_key(&job) => {
                self.outcomes[job].problems.extend(problems);
            }
            // From a thread that was left alone.
            Event::Answered(..) | Event::Unreadable(..) => {}
            Event::Done(job) => {
                self.running.remove(&job);
            }
        }
    }

    /// Stops what takes too much time or memory.
    fn watch(&mut self) {
        let now = Instant::now();
        let memory_is_full = memory_kib().is_some_and(|used| used > self.limits.memory_kib);
        for running in self.running.values_mut().filter(|running| running.stopped.is_none()) {
            if memory_is_full {
                running.canceller.memory_is_full();
                (running.stopped, running.deadline) = (Some(Exhausted::Memory), now);
            } else if now >= running.deadline {
                running.canceller.time_is_over();
                running.stopped = Some(Exhausted::Time);
            }
        }
        let is_lost =
            |running: &Running| running.stopped.filter(|_| now > running.deadline + GRACE);
        let lost: Vec<(usize, Exhausted)> = self
            .running
            .iter()
            .filter_map(|(job, running)| Some((*job, is_lost(running)?)))
            .collect();
        for (job, why) in lost {
            self.running.remove(&job);
            self.leave(job, why);
        }
    }

    /// Gives up on the questions about a file that are not answered.
    fn leave(&mut self, job: usize, why: Exhausted) {
        let name = self.files[job].path.display().to_string();
        let answered = self.outcomes[job].findings.len();
        for question in self.request.questions.iter().skip(answered) {
            let cause = Cause::of_reason(&Reason::Exhausted(why), &SourceMap::default());
            let finding = unanswered(&name, &self.request.options, question, vec![cause]);
            self.outcomes[job].findings.push(finding);
        }
    }
}

/// Memory in use, where the system tells.
fn memory_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// All questions about one file.
fn check_file(job: usize, input: &Input, request: &Request, sender: &Sender<Event>) {
    // The receiver outlives all threads that are waited for.
    let tell = |event: Event| drop(sender.send(event));
    let read = || {
        let source = files::read_source(input, request.preprocessing, request.options.data_model)?;
        let subject = analyze::read(source, &request.options)?;
        subject.precondition(&request.shape_library).map(|_| subject)
    };
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Ok(subject)) => {
            for question in &request.questions {
                let mut budget = Budget::of_steps(request.steps);
                tell(Event::Asked(job, budget.canceller()));
                let finding = ask(&subject, question, request, &mut budget);
                tell(Event::Answered(job, Box::new(finding)));
            }
        }
        Ok(Err(problems)) => tell(Event::Unreadable(job, problems)),
        Err(_) => {
            let name = input.path.display().to_string();
            for question in &request.questions {
                let finding = unanswered(&name, &request.options, question, vec![internal_error()]);
                tell(Event::Answered(job, Box::new(finding)));
            }
        }
    }
    tell(Event::Done(job));
}

fn ask(subject: &Subject, question: &Question, request: &Request, budget: &mut Budget) -> Finding {
    let answer = || subject.ask(question, &request.shape_library, budget);
    let answer = catch_unwind(AssertUnwindSafe(answer));
    answer.unwrap_or_else(|_| subject.unknown(question, vec![internal_error()]))
}

/// The answer to a question on which wane itself failed: the last safety net.
fn internal_error() -> Cause {
    let message = "wane failed on this question; the message is on the standard error".to_owned();
    Cause { code: codes::INTERNAL_ERROR, message, location: None }
}
