//! Programs and their functions in parallel, each on a thread with a large stack, under a
//! clock.
//!
//! The clock asks an analysis to stop; one that does not listen within
//! [`GRACE`] is left alone, and its questions stay unanswered. Answers come in the order of
//! programs, functions and questions, whatever ends first.

use super::audience::{Audience, Stage};
use super::store::{Key as Digest, Store};
use analyze::{self, Subject, link, unanswered};
use base::budget::{Budget, Canceller, Exhausted};
use base::source::SourceMap;
use c::{self, Entries, EntryPoint, Options, Parsed, PreprocessedSource};
use heap::shape::ShapeLibrary;
use project::{Program, Reading, STACK_SIZES};
use question::Question;
use report::{Cause, Finding, Location, Problem, assumed};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};
use verdict::Reason;

/// How long an analysis may take to notice that it should stop.
const GRACE: Duration = Duration::from_millis(1500);
/// How often the clock and the memory are looked at.
const TICK: Duration = Duration::from_millis(20);

/// What is said of a program that cannot be entered.
pub(super) const NO_FUNCTION: &str = "no function is defined here";

/// What is asked of every program.
#[derive(Debug)]
pub(super) struct Request {
    /// The questions.
    pub(super) questions: Vec<Question>,
    /// How files are read, and C is to be understood.
    pub(super) reading: Reading,
    /// Whether programs with `main` are entered at all their functions, too.
    pub(super) all_functions: bool,
    /// The shapes.
    pub(super) shape_library: ShapeLibrary,
    /// Steps a question.
    pub(super) steps: u64,
    /// The answers that are known already, if they are remembered.
    pub(super) store: Option<Store>,
}

/// What the run may use.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    /// Time for each question.
    pub(super) time: Duration,
    /// Memory of the process.
    pub(super) memory_kib: u64,
    /// Threads at the same time.
    pub(super) jobs: usize,
    /// Whether the user wants no more.
    pub(super) is_interrupted: Arc<AtomicBool>,
}

/// The position of a program, and 0, or the number of one of its functions from 1.
type Key = (usize, usize);

/// What a thread works on.
#[derive(Clone)]
enum Job {
    /// A program: it is read, and its questions answered, if it starts at one function.
    Program(Arc<Program>),
    /// A function of a program that is parsed.
    Function(Arc<Parsed>, EntryPoint),
}

/// What a thread has to say of its job.
enum Event {
    /// The program is entered at these functions.
    Entered(Key, Arc<Parsed>, Vec<EntryPoint>),
    /// The next question is being looked at.
    Asked(Key, Canceller),
    /// The answer to it.
    Answered(Key, Box<Finding>, Origin),
    /// There is no program to ask about.
    Unreadable(Key, Vec<Problem>),
    /// All questions are answered.
    Done(Key),
}

/// Where an answer comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// It was found.
    Work,
    /// It was known.
    Store,
}

/// A job that a thread has.
struct Running {
    deadline: Instant,
    canceller: Canceller,
    stopped: Option<Exhausted>,
}

/// What became of a job.
#[derive(Default)]
struct Outcome {
    findings: Vec<Finding>,
    /// How many of the findings were handed on.
    n_told: usize,
    is_done: bool,
}

impl Outcome {
    /// How many answers will not change: what one takes for granted may still be proved by
    /// the answer to a later question.
    fn n_settled(&self, questions: &[Question]) -> usize {
        let later = questions.get(self.findings.len()..).unwrap_or_default();
        if self.is_done || !later.contains(&Question::MemorySafety) {
            return self.findings.len();
        }
        let open = self.findings.iter().position(|finding| !finding.assumes.is_empty());
        open.unwrap_or(self.findings.len()).max(self.n_told)
    }
}

/// What was found out of all programs.
#[derive(Default)]
pub(super) struct Found {
    /// The answers, in order.
    pub(super) findings: Vec<Finding>,
    /// What is wrong with the texts of programs.
    pub(super) problems: Vec<Problem>,
    /// How many of the answers were known before.
    pub(super) n_remembered: usize,
}

/// Checks all programs. Answers are handed on as they are known, in their order.
pub(super) fn run(
    programs: Vec<Program>,
    request: &Arc<Request>,
    limits: &Limits,
    audience: &mut dyn Audience,
) -> Found {
    let (sender, receiver) = mpsc::channel();
    let jobs: BTreeMap<Key, Job> = programs
        .into_iter()
        .enumerate()
        .map(|(position, program)| ((position, 0), Job::Program(Arc::new(program))))
        .collect();
    let mut pool = Pool {
        request,
        limits,
        sender,
        outcomes: jobs.keys().map(|key| (*key, Outcome::default())).collect(),
        waiting: jobs.keys().copied().collect(),
        jobs,
        running: BTreeMap::new(),
        problems: BTreeMap::new(),
        n_remembered: 0,
        audience,
    };
    pool.work(&receiver);
    let mut found = Found { n_remembered: pool.n_remembered, ..Found::default() };
    found.findings.extend(pool.outcomes.into_values().flat_map(|outcome| outcome.findings));
    for problem in pool.problems.into_values().flatten() {
        if !found.problems.contains(&problem) {
            found.problems.push(problem);
        }
    }
    found
}

struct Pool<'a> {
    request: &'a Arc<Request>,
    limits: &'a Limits,
    sender: Sender<Event>,
    jobs: BTreeMap<Key, Job>,
    /// The jobs that no thread has had yet.
    waiting: BTreeSet<Key>,
    running: BTreeMap<Key, Running>,
    outcomes: BTreeMap<Key, Outcome>,
    problems: BTreeMap<Key, Vec<Problem>>,
    n_remembered: usize,
    audience: &'a mut dyn Audience,
}

impl Pool<'_> {
    fn work(&mut self, receiver: &Receiver<Event>) {
        loop {
            if self.limits.is_interrupted.load(Ordering::SeqCst) {
                self.interrupt();
                // Questions that were begun meanwhile.
                for event in receiver.try_iter() {
                    if let Event::Asked(_, canceller) = event {
                        canceller.is_interrupted();
                    }
                }
            }
            while self.running.len() < self.limits.jobs
                && let Some(key) = self.waiting.pop_first()
            {
                self.start(key);
            }
            if self.running.is_empty() && self.waiting.is_empty() {
                self.hand_on();
                return;
            }
            if let Ok(event) = receiver.recv_timeout(TICK) {
                self.handle(event);
            }
            self.watch();
            self.hand_on();
            self.show();
        }
    }

    /// Hands on the answers that all earlier ones were given before.
    fn hand_on(&mut self) {
        for outcome in self.outcomes.values_mut() {
            let n_settled = outcome.n_settled(&self.request.questions);
            for finding in &outcome.findings[outcome.n_told..n_settled] {
                self.audience.told(finding);
            }
            outcome.n_told = n_settled;
            if !outcome.is_done {
                return;
            }
        }
    }

    fn show(&mut self) {
        let Some(key) = self.running.keys().next() else { return };
        let (Some(job), Some(outcome)) = (self.jobs.get(key), self.outcomes.get(key)) else {
            return;
        };
        let question = self.request.questions.get(outcome.findings.len());
        let (file, function) = match job {
            Job::Program(program) => (program.name(), None),
            Job::Function(_, entry) => (entry.file.as_str(), Some(entry.function.as_str())),
        };
        self.audience.looked_at(&Stage {
            n_done: self.outcomes.values().filter(|outcome| outcome.is_done).count(),
            n_all: self.outcomes.len(),
            question: question.map_or("", |it| it.name()),
            file,
            function,
        });
    }

    fn start(&mut self, key: Key) {
        let Some(job) = self.jobs.get(&key).cloned() else { return };
        for stack_size in STACK_SIZES {
            let (own, request, sender) =
                (job.clone(), Arc::clone(self.request), self.sender.clone());
            let is_interrupted = Arc::clone(&self.limits.is_interrupted);
            let work = move || check(key, own, &request, (&sender, &is_interrupted));
            if thread::Builder::new().stack_size(stack_size).spawn(work).is_ok() {
                let running = Running {
                    deadline: self.deadline(),
                    canceller: Canceller::default(),
                    stopped: None,
                };
                self.running.insert(key, running);
                return;
            }
        }
        let message = "the system gives no thread to check this".to_owned();
        let location = Location::of_file(job.file());
        self.problems.entry(key).or_default().push(Problem { message, location });
        self.end(key);
    }

    fn deadline(&self) -> Instant {
        let now = Instant::now();
        now.checked_add(self.limits.time).unwrap_or(now)
    }

    fn end(&mut self, key: Key) {
        self.running.remove(&key);
        if let Some(outcome) = self.outcomes.get_mut(&key) {
            outcome.is_done = true;
        }
        // What a parsed program takes is given back with its last function.
        self.jobs.remove(&key);
    }

    fn handle(&mut self, event: Event) {
        let deadline = self.deadline();
        let is_running = |key: &Key| self.running.contains_key(key);
        match event {
            Event::Entered(key, parsed, entries) if is_running(&key) => {
                self.audience.entered(&entries);
                for (entry, number) in entries.into_iter().zip(1..) {
                    let key = (key.0, number);
                    self.jobs.insert(key, Job::Function(Arc::clone(&parsed), entry));
                    self.outcomes.insert(key, Outcome::default());
                    self.waiting.insert(key);
                }
            }
            Event::Asked(key, canceller) => {
                match self.running.get_mut(&key) {
                    Some(running) => *running = Running { deadline, canceller, stopped: None },
                    // From a thread that was left alone.
                    None => canceller.is_interrupted(),
                }
            }
            Event::Answered(key, finding, origin) if is_running(&key) => {
                self.audience.answered(&finding);
                self.n_remembered += usize::from(origin == Origin::Store);
                let findings = &mut self.outcomes.entry(key).or_default().findings;
                findings.push(*finding);
                assumed::settle(findings);
            }
            Event::Unreadable(key, problems) if is_running(&key) => {
                self.problems.entry(key).or_default().extend(problems);
            }
            Event::Done(key) if is_running(&key) => self.end(key),
            // From a thread that was left alone.
            Event::Entered(..) | Event::Answered(..) | Event::Unreadable(..) | Event::Done(_) => {}
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
        let lost: Vec<(Key, Exhausted)> = self
            .running
            .iter()
            .filter_map(|(key, running)| Some((*key, is_lost(running)?)))
            .collect();
        for (key, why) in lost {
            self.leave(key, why);
        }
    }

    /// The user wants no more: what is not known yet stays unknown.
    fn interrupt(&mut self) {
        let open: Vec<Key> = self.running.keys().chain(&self.waiting).copied().collect();
        self.waiting.clear();
        for key in open {
            if let Some(running) = self.running.get(&key) {
                running.canceller.is_interrupted();
            }
            self.leave(key, Exhausted::Interrupt);
        }
    }

    /// Gives up on the questions of a job that are not answered.
    fn leave(&mut self, key: Key, why: Exhausted) {
        let (Some(job), Some(outcome)) = (self.jobs.get(&key), self.outcomes.get_mut(&key)) else {
            return;
        };
        let options = job.options(&self.request.reading.options);
        for question in self.request.questions.iter().skip(outcome.findings.len()) {
            let cause = Cause::of_reason(&Reason::Exhausted(why), &SourceMap::default());
            outcome.findings.push(unanswered(job.file(), &options, question, vec![cause]));
        }
        self.end(key);
    }
}

impl Job {
    /// The file that it is about.
    fn file(&self) -> &str {
        match self {
            Self::Program(program) => program.name(),
            Self::Function(_, entry) => &entry.file,
        }
    }

    /// How its program is to be understood.
    fn options(&self, options: &Options) -> Options {
        let entry = match self {
            Self::Program(_) => options.entry.clone(),
            Self::Function(_, entry) => Some(entry.name.clone()),
        };
        Options { entry, ..options.clone() }
    }
}

/// Memory in use, where the system tells.
pub(super) fn memory_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// What is done for a job.
fn check(
    key: Key,
    job: Job,
    request: &Request,
    (sender, is_interrupted): (&Sender<Event>, &AtomicBool),
) {
    // The receiver outlives all threads that are waited for.
    let tell = |event: Event| drop(sender.send(event));
    let read = || read(&job, request);
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Read::Subject(subject, problems)) => {
            tell(Event::Unreadable(key, problems));
            for question in &request.questions {
                let mut budget = Budget::of_steps(request.steps);
                let asked = sender.send(Event::Asked(key, budget.canceller()));
                // Nobody would end this, or wait for it.
                if asked.is_err() || is_interrupted.load(Ordering::SeqCst) {
                    return;
                }
                let (finding, origin) = answer(&subject, question, request, &mut budget);
                tell(Event::Answered(key, Box::new(finding), origin));
            }
        }
        Ok(Read::Functions(parsed, entries, problems)) => {
            tell(Event::Unreadable(key, problems));
            tell(Event::Entered(key, parsed, entries));
        }
        Ok(Read::Nothing(problems)) => tell(Event::Unreadable(key, problems)),
        Err(_) => {
            let options = job.options(&request.reading.options);
            for question in &request.questions {
                let finding =
                    unanswered(job.file(), &options, question, vec![project::internal_error()]);
                tell(Event::Answered(key, Box::new(finding), Origin::Work));
            }
        }
    }
    tell(Event::Done(key));
}

/// The answer to a question, from the store if it is there.
fn answer(
    subject: &Subject,
    question: &Question,
    request: &Request,
    budget: &mut Budget,
) -> (Finding, Origin) {
    let store = request.store.as_ref();
    let place = store.and_then(|it| Some((it, Digest::of(subject, question, request.steps)?)));
    if let Some(known) = place.and_then(|(store, key)| store.find(&key)) {
        return (known, Origin::Store);
    }
    let finding = project::answer(subject, question, &request.shape_library, budget);
    // With more time there might be another one.
    if let Some((store, key)) = place
        && budget.canceller().cancelled().is_none()
    {
        store.keep(&key, &finding);
    }
    (finding, Origin::Work)
}

/// What there is to ask about, and what is wrong with files that are left out.
enum Read {
    /// A program that starts at one function.
    Subject(Box<Subject>, Vec<Problem>),
    /// A program that is entered at several functions.
    Functions(Arc<Parsed>, Vec<EntryPoint>, Vec<Problem>),
    /// Nothing.
    Nothing(Vec<Problem>),
}

fn read(job: &Job, request: &Request) -> Read {
    let options = job.options(&request.reading.options);
    let subject = |subject: Result<Subject, Vec<Problem>>, mut problems: Vec<Problem>| {
        let found =
            subject.and_then(|it| it.precondition(&request.shape_library).map(|_| Box::new(it)));
        let found = found.and_then(|it| {
            let mut questions = request.questions.iter();
            questions.try_for_each(|question| it.understands(question)).map(|()| it)
        });
        match found {
            Ok(subject) => Read::Subject(subject, problems),
            Err(more) => {
                problems.extend(more);
                Read::Nothing(problems)
            }
        }
    };
    match job {
        Job::Function(parsed, _) => subject(analyze::read_parsed(parsed, &options), Vec::new()),
        Job::Program(program) => match &**program {
            Program::System(source) => subject(analyze::read(source.clone(), &options), Vec::new()),
            Program::C(sources, extent, unread) => {
                match link::parse_program(sources, options.input, (*extent, &unread[..])) {
                    (Some(parsed), problems) if starts_at_one(&parsed, request) => {
                        subject(analyze::read_parsed(&parsed, &options), problems)
                    }
                    (Some(parsed), problems) => functions(parsed, sources, (request, problems)),
                    (None, problems) => Read::Nothing(problems),
                }
            }
        },
    }
}

/// Whether the function is known where a program starts.
fn starts_at_one(parsed: &Parsed, request: &Request) -> bool {
    request.reading.options.entry.is_some() || !request.all_functions && c::defines_main(parsed)
}

/// The functions at which a program is entered.
fn functions(
    parsed: Arc<Parsed>,
    sources: &[PreprocessedSource],
    (request, mut problems): (&Request, Vec<Problem>),
) -> Read {
    let wanted = if request.all_functions { Entries::All } else { Entries::Callable };
    let mut entries = c::entry_points(&parsed, wanted);
    if let [Question::ThreadTermination(named)] = &request.questions[..] {
        // It runs beside all others.
        let known = c::entry_points(&parsed, Entries::All);
        let own: Vec<_> = known.into_iter().filter(|it| it.function == *named).collect();
        if own.is_empty() {
            entries.truncate(1);
        } else {
            entries = own;
        }
    }
    if entries.is_empty() {
        let name = sources.first().map_or("", |source| source.name.as_str());
        let (message, location) = (NO_FUNCTION.to_owned(), Location::of_file(name));
        problems.push(Problem { message, location });
        return Read::Nothing(problems);
    }
    Read::Functions(parsed, entries, problems)
}
