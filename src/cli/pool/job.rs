//! What a thread does for a program or a function: it reads it, and asks.

use super::text::Text;
use crate::request::Request;
use crate::shard::{Shard, Unit};
use crate::store::{Entered, Key, Store};
use analyze::{self, Subject, link, unanswered};
use base::budget::{Budget, Canceller, Exhausted};
use c::{self, Entries, EntryPoint, Options, Parsed};
use project::{Linked, Program};
use question::Question;
use report::{Finding, Location, Problem, codes};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

/// What is said of a program that cannot be entered.
pub(crate) const NO_FUNCTION: &str = "no function is defined here";

/// The position of a program, and 0, or the number of one of its functions from 1.
pub(super) type Position = (usize, usize);

/// What a thread works on.
#[derive(Clone)]
pub(super) struct Job {
    /// The program or function.
    pub(super) target: Target,
    /// What is asked of it.
    pub(super) request: Arc<Request>,
    /// What the text of its program is known by, where answers are kept and that was found out.
    pub(super) text: Option<Key>,
    /// The files of its program whose code may have changed, if only that is of interest.
    pub(super) changed: Option<Arc<BTreeSet<String>>>,
}

/// What a job is about.
#[derive(Clone)]
pub(super) enum Target {
    /// A program: it is read, and its questions answered, if it starts at one function.
    Program(Arc<Program>),
    /// A function of a program that has several.
    Function(Arc<Text>, EntryPoint),
}

/// Where an answer comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// It was found.
    Work,
    /// It was known.
    Store,
}

/// What a thread has to say of its job.
pub(super) enum Event {
    /// The program is entered at these functions.
    Entered(Position, Arc<Text>, Vec<EntryPoint>, Option<Key>),
    /// The next question is being looked at.
    Asked(Position, Canceller),
    /// The answer to it.
    Answered(Position, Box<Finding>, Source),
    /// There is no program to ask about.
    Unreadable(Position, Vec<Problem>),
    /// Something is not asked, which is good to know.
    Noted(Position, String),
    /// All questions are answered.
    Done(Position),
}

impl Job {
    /// A program, and what is asked of it.
    pub(super) fn of_program(program: Program, requests: &dyn Fn(&Path) -> Request) -> Self {
        let request = Arc::new(requests(Path::new(program.name())));
        let changed = request.changes.as_ref().map(|it| Arc::new(it.within(&program)));
        Self { target: Target::Program(Arc::new(program)), request, text: None, changed }
    }

    /// The file that it is about.
    pub(super) fn file(&self) -> &str {
        match &self.target {
            Target::Program(program) => program.name(),
            Target::Function(_, entry) => &entry.file,
        }
    }

    /// The function, if it is one of several.
    pub(super) fn function(&self) -> Option<&str> {
        match &self.target {
            Target::Program(_) => None,
            Target::Function(_, entry) => Some(&entry.function),
        }
    }

    /// Program or function, as a person calls it.
    pub(super) fn name(&self) -> String {
        match &self.target {
            Target::Program(program) => program.name().to_owned(),
            Target::Function(_, entry) => format!("{} of {}", entry.function, entry.file),
        }
    }

    /// Whether it belongs to a part of the work.
    pub(super) fn is_of(&self, shard: Shard) -> bool {
        match shard.unit() {
            Unit::Function => shard.takes(&self.name()),
            Unit::File => shard.takes(self.file()),
        }
    }

    /// The questions about it; none, if it is a program that belongs to another machine.
    fn questions(&self) -> &[Question] {
        match (&self.target, self.request.shard) {
            (Target::Program(_), Some(shard)) if !self.is_of(shard) => &[],
            _ => &self.request.questions,
        }
    }

    /// What the text of its program is known by, where answers are kept.
    fn known_text(&self) -> Option<Key> {
        match (&self.target, &self.request.store) {
            (Target::Program(program), Some(_)) => Some(Store::text(program)),
            _ => self.text.clone(),
        }
    }

    /// How its program is to be understood.
    pub(super) fn options(&self) -> Options {
        let options = &self.request.options;
        let entry = match &self.target {
            Target::Program(_) => options.entry.clone(),
            Target::Function(_, entry) => Some(entry.name.clone()),
        };
        Options { entry, ..options.clone() }
    }
}

/// What is done for a job.
pub(super) fn check(
    key: Position,
    job: &Job,
    (sender, is_interrupted): (&Sender<Event>, &AtomicBool),
) {
    // The receiver outlives all threads that are waited for.
    let tell = |event: Event| drop(sender.send(event));
    let request = &job.request;
    let text = job.known_text();
    match known(job, text.as_ref()) {
        Known::Answers(n_unasked, known) => {
            note_unasked(key, n_unasked, &tell);
            for finding in known {
                tell(Event::Answered(key, Box::new(finding), Source::Store));
            }
            return tell(Event::Done(key));
        }
        Known::Entries(program, entries) => {
            let program = Text::unparsed(program, job.options().input);
            tell(Event::Entered(key, Arc::new(program), entries, text));
            return tell(Event::Done(key));
        }
        Known::Nothing => {}
    }
    match catch_unwind(AssertUnwindSafe(|| read(job))) {
        Ok(Read::Subject(subject, n_unasked, problems)) => {
            keep_entered(job, text.as_ref(), (&Entered::AsWhole(n_unasked), &problems));
            note_unasked(key, n_unasked, &tell);
            tell(Event::Unreadable(key, problems));
            let is_of_interest = job.changed.as_ref().is_none_or(|it| subject.has_code_of(it));
            let code = request.store.as_ref().map(|it| code((job, text.as_ref()), &subject, it));
            for question in job.questions().iter().filter(|_| is_of_interest) {
                let mut budget = Budget::of_steps(request.steps);
                let asked = sender.send(Event::Asked(key, budget.canceller()));
                // Nobody would end this, or wait for it.
                if asked.is_err() || is_interrupted.load(Ordering::SeqCst) {
                    return;
                }
                let of_code = (&**request, code.as_ref());
                let (finding, source) = answer(&subject, question, of_code, &mut budget);
                tell(Event::Answered(key, Box::new(finding), source));
            }
        }
        Ok(Read::Functions(program, entries, problems)) => {
            keep_entered(job, text.as_ref(), (&Entered::At(entries.clone()), &problems));
            tell(Event::Unreadable(key, problems));
            tell(Event::Entered(key, program, entries, text));
        }
        Ok(Read::Nothing(problems)) => tell(Event::Unreadable(key, problems)),
        Ok(Read::Empty(note)) => tell(Event::Noted(key, note)),
        Err(_) => {
            let options = job.options();
            for question in &request.questions {
                let finding =
                    unanswered(job.file(), &options, question, vec![project::internal_error()]);
                tell(Event::Answered(key, Box::new(finding), Source::Work));
            }
        }
    }
    tell(Event::Done(key));
}

/// What earlier runs have found out about a job.
enum Known<'a> {
    /// All answers about it, and how many functions are not asked about.
    Answers(usize, Vec<Finding>),
    /// The functions at which its program is entered.
    Entries(&'a Arc<Program>, Vec<EntryPoint>),
    /// Not all that is asked.
    Nothing,
}

/// What is known of a program with the same text, so that it need not be parsed. Which code has
/// changed is seen in that.
fn known<'a>(job: &'a Job, text: Option<&Key>) -> Known<'a> {
    let (Some(store), Some(text), None) = (&job.request.store, text, &job.changed) else {
        return Known::Nothing;
    };
    let mut unasked = 0;
    if let Target::Program(program) = &job.target {
        match store.find_entered(&Store::entered(text, &job.request)) {
            Some(Entered::At(entries)) => return Known::Entries(program, entries),
            Some(Entered::AsWhole(n_unasked)) => unasked = n_unasked,
            None => return Known::Nothing,
        }
    }
    let answers = || -> Option<Vec<Finding>> {
        let code = store.find_code(&Store::start(text, &job.options()))?;
        let request = &job.request;
        let answer = |question| store.find(&Store::answer(&code, question, request)?, request);
        job.questions().iter().map(answer).collect()
    };
    answers().map_or(Known::Nothing, |answers| Known::Answers(unasked, answers))
}

/// Tells of functions that no question is about.
fn note_unasked(key: Position, n_unasked: usize, tell: &dyn Fn(Event)) {
    let functions = match n_unasked {
        0 => return,
        1 => "1 function is".to_owned(),
        number => format!("{number} functions are"),
    };
    tell(Event::Noted(
        key,
        format!("{functions} not called from `main` and not asked about: `--all-functions` asks"),
    ));
}

/// Keeps how a program is entered, if nothing is to be told of its text.
fn keep_entered(job: &Job, text: Option<&Key>, (entered, problems): (&Entered, &[Problem])) {
    if let (Some(store), Some(text), Target::Program(_), []) =
        (&job.request.store, text, &job.target, problems)
    {
        store.keep_entered(&Store::entered(text, &job.request), entered);
    }
}

/// What the code of a job is known by. It is kept with the text of its program.
fn code((job, text): (&Job, Option<&Key>), subject: &Subject, store: &Store) -> Key {
    let code = Store::code(subject);
    if let Some(text) = text {
        store.keep_code(&Store::start(text, &job.options()), &code);
    }
    code
}

/// The answer to a question, from an earlier run if nothing that it rests on has changed.
fn answer(
    subject: &Subject,
    question: &Question,
    (request, code): (&Request, Option<&Key>),
    budget: &mut Budget,
) -> (Finding, Source) {
    let shapes = &request.shape_library;
    let ask = |budget: &mut Budget| project::answer(subject, question, shapes, budget);
    let key = code.and_then(|code| Store::answer(code, question, request));
    let (Some(store), Some(key)) = (&request.store, key) else {
        return (ask(budget), Source::Work);
    };
    if let Some(known) = store.find(&key, request) {
        return (known, Source::Store);
    }
    let finding = ask(budget);
    let is_internal = finding.causes.iter().any(|it| it.code == codes::INTERNAL_ERROR);
    match budget.canceller().cancelled() {
        _ if is_internal => {}
        None => store.keep(&key, &finding),
        Some(Exhausted::Time) if request.first_look.is_none() => {
            store.keep_cut(&key, request, &finding);
        }
        // That is not the last word.
        Some(_) => {}
    }
    (finding, Source::Work)
}

/// What there is to ask about, and what is wrong with files that are left out.
pub(super) enum Read {
    /// A program that starts at one function, and how many others are not asked about.
    Subject(Box<Subject>, usize, Vec<Problem>),
    /// A program that is entered at several functions.
    Functions(Arc<Text>, Vec<EntryPoint>, Vec<Problem>),
    /// Nothing.
    Nothing(Vec<Problem>),
    /// Files without functions, where that is nothing wrong.
    Empty(String),
}

/// Reads a program, or a function of one that is parsed.
pub(super) fn read(job: &Job) -> Read {
    let (options, request) = (job.options(), &*job.request);
    let subject = |subject: Result<Subject, Vec<Problem>>, mut problems: Vec<Problem>| {
        let found =
            subject.and_then(|it| it.precondition(&request.shape_library).map(|_| Box::new(it)));
        let found = found.and_then(|it| {
            let mut questions = request.questions.iter();
            questions.try_for_each(|question| it.understands(question)).map(|()| it)
        });
        match found {
            Ok(subject) => Read::Subject(subject, 0, problems),
            Err(more) => {
                problems.extend(more);
                Read::Nothing(problems)
            }
        }
    };
    match &job.target {
        Target::Function(text, entry) => match text.get() {
            Some(parsed) => match subject(analyze::read_parsed(&parsed, &options), Vec::new()) {
                Read::Subject(subject, _, problems) if entry.function == "main" => {
                    let beside = |it: &EntryPoint| it.file == entry.file;
                    let n_unasked = n_unasked(&parsed, &subject, request, beside);
                    Read::Subject(subject, n_unasked, problems)
                }
                other => other,
            },
            None => Read::Nothing(Vec::new()),
        },
        Target::Program(program) => match &**program {
            Program::System(source) => subject(analyze::read(source.clone(), &options), Vec::new()),
            Program::C(linked) => {
                let files = (linked.extent, &linked.unread[..], &linked.models);
                match link::parse_program(&linked.sources, options.input, files) {
                    (Some(parsed), problems) if starts_at_one(&parsed, linked, request) => {
                        match subject(analyze::read_parsed(&parsed, &options), problems) {
                            Read::Subject(subject, _, problems) => {
                                let n_unasked = n_unasked(&parsed, &subject, request, |_| true);
                                Read::Subject(subject, n_unasked, problems)
                            }
                            other => other,
                        }
                    }
                    (Some(parsed), problems) => match entries(&parsed, linked, request) {
                        entries if entries.is_empty() => no_function(linked, problems),
                        entries => {
                            let text = Text::parsed(program, options.input, parsed);
                            Read::Functions(Arc::new(text), entries, problems)
                        }
                    },
                    (None, problems) => Read::Nothing(problems),
                }
            }
        },
    }
}

/// Whether the function is known where a program starts, and no other is of interest.
fn starts_at_one(parsed: &Parsed, linked: &Linked, request: &Request) -> bool {
    let is_alone = || c::defines_main(parsed) && libraries(parsed, linked).is_empty();
    request.options.entry.is_some() || !request.all_functions && is_alone()
}

/// The functions of a program with `main` that are of interest by themselves: those of its files
/// without `main`, if they were not given as parts of this program.
fn libraries(parsed: &Parsed, linked: &Linked) -> Vec<EntryPoint> {
    let mut callable = without_main(parsed);
    callable.retain(|it| linked.libraries.contains(&it.file));
    callable
}

/// The functions of files without `main` that others can call.
fn without_main(parsed: &Parsed) -> Vec<EntryPoint> {
    let callable = c::entry_points(parsed, Entries::Callable);
    let with_main = |file: &str| callable.iter().any(|it| it.file == file && it.function == "main");
    callable.iter().filter(|it| !with_main(&it.file)).cloned().collect()
}

/// How many of these functions no question is about, as `main` does not reach them.
fn n_unasked(
    parsed: &Parsed,
    subject: &Subject,
    request: &Request,
    is_meant: impl Fn(&EntryPoint) -> bool,
) -> usize {
    let is_plain = request.questions.iter().all(|it| it.argument().is_none());
    if request.options.entry.is_some() || request.all_functions || !is_plain {
        return 0;
    }
    let models = parsed.models();
    let callable = c::entry_points(parsed, Entries::Callable).into_iter();
    let own =
        callable.filter(|it| it.function != "main" && !models.contains(&it.file) && is_meant(it));
    own.filter(|it| !subject.has_function(&it.function, &it.file)).count()
}

/// The functions at which a program is entered. A model is no matter of its own.
fn entries(parsed: &Parsed, linked: &Linked, request: &Request) -> Vec<EntryPoint> {
    let all = || c::entry_points(parsed, Entries::All);
    let mut entries = if let [Question::ThreadTermination(named)] = &request.questions[..] {
        // It runs beside all others.
        let known = c::entry_points(parsed, Entries::All);
        let own: Vec<_> = known.into_iter().filter(|it| it.function == *named).collect();
        if own.is_empty() { all().into_iter().take(1).collect() } else { own }
    } else if request.all_functions {
        all()
    } else if c::defines_main(parsed) {
        let main = all().into_iter().filter(|it| it.function == "main");
        main.chain(libraries(parsed, linked)).collect()
    } else {
        c::entry_points(parsed, Entries::Callable)
    };
    entries.retain(|entry| !linked.models.contains(&entry.file));
    entries
}

/// A program that cannot be entered. That is nothing wrong where all its files were listed.
fn no_function(linked: &Linked, mut problems: Vec<Problem>) -> Read {
    let names: Vec<&str> = linked.sources.iter().map(|it| it.name.as_str()).collect();
    if problems.is_empty() && names.iter().all(|it| linked.libraries.contains(*it)) {
        return Read::Empty(format!("{NO_FUNCTION}, so nothing is asked: {}", names.join(", ")));
    }
    let location = Location::of_file(names.first().unwrap_or(&""));
    problems.push(Problem { message: NO_FUNCTION.to_owned(), location });
    Read::Nothing(problems)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "what fails here fails the test")]
mod tests {
    use super::super::text::Text;
    use super::{Event, Job, Source, Target, check};
    use crate::request::Requests;
    use crate::settings::Settings;
    use crate::store::Store;
    use c::{Extent, PreprocessedSource};
    use project::{Linked, Program};
    use std::path::Path;
    use std::sync::atomic::AtomicBool;
    use std::sync::{Arc, mpsc};

    fn events(job: &Job) -> Vec<Event> {
        let (sender, receiver) = mpsc::channel();
        check((0, 0), job, (&sender, &AtomicBool::new(false)));
        drop(sender);
        receiver.iter().collect()
    }

    /// The function at which a program is entered, and its text.
    fn entered(job: &Job, requests: &Requests) -> (Arc<Text>, Job) {
        let found = events(job).into_iter().find_map(|event| match event {
            Event::Entered(_, text, mut entries, key) => {
                let target = Target::Function(Arc::clone(&text), entries.remove(0));
                let request = Arc::new(requests.of(Path::new("a.c")));
                Some((text, Job { target, request, text: key, changed: None }))
            }
            _ => None,
        });
        found.unwrap()
    }

    #[test]
    fn what_is_known_is_not_parsed_again() {
        let memory = Arc::new(Store::in_memory());
        let requests = Requests::of_editor(&Settings::default(), memory).unwrap();
        let program = |text: &str| {
            let sources =
                vec![PreprocessedSource { name: "a.c".to_owned(), text: text.to_owned() }];
            let (unread, libraries, models) = Default::default();
            let linked = Linked { sources, extent: Extent::Part, unread, libraries, models };
            Job::of_program(Program::C(linked), &|file| requests.of(file))
        };
        let known = program("int f(int n) { while (n > 0) n--; return n; }\n");
        for source in [Source::Work, Source::Store] {
            let (text, function) = entered(&known, &requests);
            let answered = events(&function).into_iter().filter_map(|event| match event {
                Event::Answered(_, _, source) => Some(source),
                _ => None,
            });
            let answered: Vec<Source> = answered.collect();
            assert!(answered.len() == 2 && answered.iter().all(|it| *it == source));
            assert_eq!(text.is_parsed(), source == Source::Work);
        }
        let other = program("int f(int n) { while (n > 1) n--; return n; }\n");
        assert!(entered(&other, &requests).0.is_parsed());
    }
}
