//! Programs and their functions in parallel, each on a thread with a large stack, under a
//! clock.
//!
//! The clock asks an analysis to stop; one that does not listen within
//! [`GRACE`] is left alone, and its questions stay unanswered. Answers come in the order of
//! programs, functions and questions, whatever ends first.

mod basis;
mod job;
mod text;

use super::audience::{Audience, End, Stage};
use super::request::Request;
use analyze::unanswered;
use base::budget::{Canceller, Exhausted};
use base::source::SourceMap;
pub(super) use basis::bases;
pub(super) use job::NO_FUNCTION;
use job::{Event, Job, Position, Source, Target};
use project::{Program, STACK_SIZES, memory};
use question::Question;
use report::{Cause, Finding, Location, Problem, assumed, repeated};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
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

/// What the run may use.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    /// Memory of the process.
    pub(super) memory_kib: u64,
    /// Threads at the same time.
    pub(super) jobs: usize,
    /// Whether the user wants no more.
    pub(super) is_interrupted: Arc<AtomicBool>,
}

/// A job that a thread has.
struct Running {
    /// When its question was asked.
    since: Instant,
    deadline: Instant,
    canceller: Canceller,
    stopped: Option<Exhausted>,
}

impl Running {
    /// The next question of a job begins now.
    fn now(job: &Job, canceller: Canceller) -> Self {
        let since = Instant::now();
        let time = job.request.first_look.unwrap_or(job.request.time);
        let deadline = since.checked_add(time).unwrap_or(since);
        Self { since, deadline, canceller, stopped: None }
    }
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
    /// Of each, the numbers of its program, its function and its question.
    pub(super) positions: Vec<[usize; 3]>,
    /// What is wrong with the texts of programs.
    pub(super) problems: Vec<Problem>,
    /// What is good to know of what was not asked.
    pub(super) notes: Vec<String>,
    /// How many of the answers were known before.
    pub(super) n_remembered: usize,
    /// How many were cut short by the clock or for want of memory.
    pub(super) n_cut: usize,
}

/// Checks all programs, with what is asked of each file. Answers are handed on as they are known, in their order.
pub(super) fn run(
    programs: Vec<Program>,
    requests: &dyn Fn(&Path) -> Request,
    limits: &Limits,
    audience: &mut dyn Audience,
) -> Found {
    let (sender, receiver) = mpsc::channel();
    let repeated = project::repeated(&programs);
    let job = |(position, program)| ((position, 0), Job::of_program(program, requests));
    let jobs: BTreeMap<Position, Job> = programs.into_iter().enumerate().map(job).collect();
    let mut pool = Pool {
        requests,
        limits,
        sender,
        outcomes: jobs.keys().map(|key| (*key, Outcome::default())).collect(),
        waiting: jobs.keys().copied().collect(),
        jobs,
        repeated,
        running: BTreeMap::new(),
        problems: BTreeMap::new(),
        notes: BTreeMap::new(),
        n_remembered: 0,
        n_cut: 0,
        audience,
    };
    pool.work(&receiver);
    let (n_remembered, n_cut) = (pool.n_remembered, pool.n_cut);
    let notes = pool.notes.into_values().collect();
    let mut found = Found { n_remembered, n_cut, notes, ..Found::default() };
    for ((program, function), outcome) in pool.outcomes {
        for (question, finding) in outcome.findings.into_iter().enumerate() {
            found.findings.push(finding);
            found.positions.push([program, function, question]);
        }
    }
    for problem in pool.problems.into_values().flatten() {
        if !found.problems.contains(&problem) {
            found.problems.push(problem);
        }
    }
    found
}

/// How many functions are done, of how many. A program that is entered at several functions is none
/// beside these.
fn progress(outcomes: &BTreeMap<Position, Outcome>) -> (usize, usize) {
    let entered: BTreeSet<usize> =
        outcomes.keys().filter(|key| key.1 > 0).map(|key| key.0).collect();
    let counted = || outcomes.iter().filter(|(key, _)| key.1 > 0 || !entered.contains(&key.0));
    (counted().filter(|(_, outcome)| outcome.is_done).count(), counted().count())
}

struct Pool<'a> {
    requests: &'a dyn Fn(&Path) -> Request,
    limits: &'a Limits,
    sender: Sender<Event>,
    jobs: BTreeMap<Position, Job>,
    /// The jobs that no thread has had yet.
    waiting: BTreeSet<Position>,
    running: BTreeMap<Position, Running>,
    /// The files that may be asked about several times: answers about them wait for each other.
    repeated: BTreeSet<String>,
    outcomes: BTreeMap<Position, Outcome>,
    problems: BTreeMap<Position, Vec<Problem>>,
    notes: BTreeMap<Position, String>,
    n_remembered: usize,
    n_cut: usize,
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
                self.settle();
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

    /// All is known: answers to the same question become one.
    fn settle(&mut self) {
        let repeated = std::mem::take(&mut self.repeated);
        let mut waiting = Vec::new();
        for (key, outcome) in &mut self.outcomes {
            if outcome.findings.iter().any(|it| repeated.contains(&it.file)) {
                waiting.extend(outcome.findings.drain(..).map(|it| (*key, it)));
            }
        }
        for (key, finding) in repeated::settled(waiting) {
            self.outcomes.entry(key).or_default().findings.push(finding);
        }
    }

    /// Hands on the answers that all earlier ones were given before.
    fn hand_on(&mut self) {
        for (key, outcome) in &mut self.outcomes {
            let job = self.jobs.get(key);
            let is_repeated = |it: &Finding| self.repeated.contains(&it.file);
            if outcome.findings[outcome.n_told..].iter().any(is_repeated) {
                return;
            }
            let n_settled = outcome.n_settled(job.map_or(&[], |it| &it.request.questions));
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
        // A job whose last question is answered is still there for a moment.
        let asked = self.running.iter().filter_map(|(key, Running { since, .. })| {
            let (job, outcome) = (self.jobs.get(key)?, self.outcomes.get(key)?);
            Some((since, job, job.request.questions.get(outcome.findings.len())?))
        });
        let Some((since, job, question)) = asked.min_by_key(|(since, ..)| **since) else { return };
        let (n_done, n_all) = progress(&self.outcomes);
        self.audience.looked_at(&Stage {
            n_done,
            n_all,
            question: question.name(),
            file: job.file(),
            function: job.function(),
            since: since.elapsed(),
        });
    }

    fn start(&mut self, key: Position) {
        let Some(job) = self.jobs.get(&key).cloned() else { return };
        for stack_size in STACK_SIZES {
            let (own, sender) = (job.clone(), self.sender.clone());
            let is_interrupted = Arc::clone(&self.limits.is_interrupted);
            let work = move || job::check(key, &own, (&sender, &is_interrupted));
            if thread::Builder::new().stack_size(stack_size).spawn(work).is_ok() {
                self.running.insert(key, Running::now(&job, Canceller::default()));
                return;
            }
        }
        let message = "the system gives no thread to check this".to_owned();
        let location = Location::of_file(job.file());
        self.problems.entry(key).or_default().push(Problem { message, location });
        self.end(key);
    }

    fn end(&mut self, key: Position) {
        self.running.remove(&key);
        if let Some(outcome) = self.outcomes.get_mut(&key) {
            outcome.is_done = true;
        }
        // What a parsed program takes is given back with its last function.
        self.jobs.remove(&key);
    }

    fn handle(&mut self, event: Event) {
        let is_running = |key: &Position| self.running.contains_key(key);
        match event {
            Event::Entered(key, program, entries, text) if is_running(&key) => {
                self.audience.entered(&entries);
                let changed = self.jobs.get(&key).and_then(|job| job.changed.clone());
                for (entry, number) in entries.into_iter().zip(1..) {
                    let key = (key.0, number);
                    let request = Arc::new((self.requests)(Path::new(&entry.file)));
                    let target = Target::Function(Arc::clone(&program), entry);
                    let (text, changed) = (text.clone(), changed.clone());
                    let job = Job { target, request, text, changed };
                    if job.request.shard.is_some_and(|shard| !job.is_of(shard)) {
                        continue;
                    }
                    self.jobs.insert(key, job);
                    self.outcomes.insert(key, Outcome::default());
                    self.waiting.insert(key);
                }
            }
            Event::Asked(key, canceller) => {
                match (self.running.get_mut(&key), self.jobs.get(&key)) {
                    (Some(running), Some(job)) => {
                        *running = Running::now(job, canceller);
                    }
                    // From a thread that was left alone.
                    _ => canceller.is_interrupted(),
                }
            }
            Event::Answered(key, mut finding, source) if is_running(&key) => {
                let is_wanted = self.jobs.get(&key).is_some_and(|it| it.request.statistics);
                finding.statistics = finding.statistics.filter(|_| is_wanted);
                let is_cut = self.running.get(&key).is_some_and(|it| it.stopped.is_some());
                let end = if is_cut { End::Cut } else { End::Whole };
                self.audience.answered(&finding, end);
                self.n_cut += usize::from(is_cut);
                self.n_remembered += usize::from(source == Source::Store);
                let findings = &mut self.outcomes.entry(key).or_default().findings;
                findings.push(*finding);
                assumed::settle(findings);
            }
            Event::Unreadable(key, problems) if is_running(&key) => {
                self.problems.entry(key).or_default().extend(problems);
            }
            Event::Noted(key, note) if is_running(&key) => drop(self.notes.insert(key, note)),
            Event::Done(key) if is_running(&key) => self.end(key),
            // From a thread that was left alone.
            Event::Entered(..)
            | Event::Answered(..)
            | Event::Unreadable(..)
            | Event::Noted(..)
            | Event::Done(_) => {}
        }
    }

    /// Stops what takes too much time or memory.
    fn watch(&mut self) {
        let now = Instant::now();
        let memory_is_full = memory::in_use().is_some_and(|used| used > self.limits.memory_kib);
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
        let lost: Vec<(Position, Exhausted)> = self
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
        let open: Vec<Position> = self.running.keys().chain(&self.waiting).copied().collect();
        self.waiting.clear();
        for key in open {
            if let Some(running) = self.running.get(&key) {
                running.canceller.is_interrupted();
            }
            self.leave(key, Exhausted::Interrupt);
        }
    }

    /// Gives up on the questions of a job that are not answered.
    fn leave(&mut self, key: Position, why: Exhausted) {
        let (Some(job), Some(outcome)) = (self.jobs.get(&key), self.outcomes.get_mut(&key)) else {
            return;
        };
        let options = job.options();
        for question in job.request.questions.iter().skip(outcome.findings.len()) {
            let cause = Cause::of_reason(&Reason::Exhausted(why), &SourceMap::default());
            let finding = unanswered(job.file(), &options, question, vec![cause]);
            self.audience.answered(&finding, End::Cut);
            self.n_cut += 1;
            outcome.findings.push(finding);
        }
        self.end(key);
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, progress};
    use std::collections::BTreeMap;

    #[test]
    fn functions_are_counted_and_not_the_programs_that_they_are_of() {
        let outcome = |is_done| Outcome { is_done, ..Outcome::default() };
        let mut outcomes = BTreeMap::from([((0, 0), outcome(true)), ((1, 0), outcome(false))]);
        assert_eq!(progress(&outcomes), (1, 2), "each is asked about as a whole, or not read");
        outcomes.insert((0, 1), outcome(true));
        outcomes.insert((0, 2), outcome(false));
        assert_eq!(progress(&outcomes), (1, 3));
    }
}
