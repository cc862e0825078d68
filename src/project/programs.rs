//! From inputs to the texts of programs.

use super::Reading;
use super::files;
use super::inputs::{Input, Origin};
use super::models::Models;
use analyze::link::{self, Selection};
use analyze::{self, Source, Subject};
use c::{Extent, Options, PreprocessedSource};
use report::{Location, Problem};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash as _, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// What is checked together.
#[derive(Clone, Debug)]
pub enum Program {
    /// C files that are linked.
    C(Linked),
    /// A file in a format that leaves nothing to others.
    System(Source),
}

/// C files that are linked.
#[derive(Clone, Debug)]
pub struct Linked {
    /// The files.
    pub sources: Vec<PreprocessedSource>,
    /// Whether they are all.
    pub extent: Extent,
    /// The names of those that cannot be read.
    pub unread: Vec<String>,
    /// The names of those whose functions are of interest by themselves, though the program has
    /// a `main`.
    pub libraries: BTreeSet<String>,
    /// The names of those that stand for functions that the others do not define.
    pub models: BTreeSet<String>,
}

impl Linked {
    /// A file by itself.
    fn alone(source: PreprocessedSource) -> Self {
        let (unread, libraries, models) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
        Self { sources: vec![source], extent: Extent::Part, unread, libraries, models }
    }
}

impl Program {
    /// The program as it starts at one function, if it can be read, and what is wrong with
    /// its files.
    #[must_use]
    pub fn read(&self, options: &Options) -> (Option<Subject>, Vec<Problem>) {
        let (subject, mut problems) = match self {
            Self::System(source) => (Some(analyze::read(source.clone(), options)), Vec::new()),
            Self::C(linked) => {
                let files = (linked.extent, &linked.unread[..], &linked.models);
                let (parsed, problems) = link::parse_program(&linked.sources, options.input, files);
                (parsed.map(|parsed| analyze::read_parsed(&parsed, options)), problems)
            }
        };
        match subject {
            Some(Ok(subject)) => (Some(subject), problems),
            Some(Err(more)) => {
                problems.extend(more);
                (None, problems)
            }
            None => (None, problems),
        }
    }

    /// Tells all that the program was read from.
    pub fn identify(&self, state: &mut impl Hasher) {
        match self {
            Self::C(Linked { sources, extent, unread, libraries, models }) => {
                format!("{extent:?}").hash(state);
                (unread, libraries, models).hash(state);
                sources.iter().for_each(|source| (&source.name, &source.text).hash(state));
            }
            Self::System(source) => format!("{source:?}").hash(state),
        }
    }

    /// The name of its first file.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::C(linked) => linked.sources.first().map_or("", |source| source.name.as_str()),
            Self::System(
                Source::Goto { name, .. } | Source::Smt { name, .. } | Source::T2 { name, .. },
            ) => name,
            Self::System(Source::C(source)) => &source.name,
        }
    }
}

/// The programs of some files in their order, and what is wrong with files that cannot be
/// read, beside what is `known` to be. So many files are read at the same time.
#[must_use]
pub fn programs(
    inputs: &[Input],
    known: Vec<Problem>,
    reading: &Reading,
    jobs: usize,
) -> (Vec<Program>, Vec<Problem>) {
    let (mut files, mut programs) = (Vec::new(), Vec::new());
    let mut known_texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut unread = Vec::new();
    let mut problems = known;
    for (position, (input, text)) in inputs.iter().zip(texts(inputs, reading, jobs)).enumerate() {
        match text {
            Ok(Source::C(source)) => {
                let texts = known_texts.entry(source.name.clone()).or_default();
                let is_first = texts.is_empty();
                match (texts.insert(source.text.clone()), is_first) {
                    (_, true) => files.push((position, source)),
                    // A file that is compiled twice, with other flags, belongs to another program,
                    // unless these make no difference.
                    (true, _) => programs.push((position, Program::C(Linked::alone(source)))),
                    (false, _) => {}
                }
            }
            Ok(other) => programs.push((position, Program::System(other))),
            Err(found) => {
                let is_c = !files::is_system(&input.path);
                unread.extend(is_c.then(|| input.path.display().to_string()));
                problems.extend(found);
            }
        }
    }
    let listed = inputs.iter().map(|it| it.origin == Origin::Listed).collect::<Vec<_>>();
    programs.extend(linked((files, &listed), reading, &unread));
    programs.sort_by_key(|(position, _)| *position);
    let mut programs: Vec<Program> = programs.into_iter().map(|(_, program)| program).collect();
    let models = Models::read(reading, &mut problems);
    for program in &mut programs {
        if let Program::C(linked) = program {
            models.join(linked, reading.options.input);
        }
    }
    (programs, problems)
}

/// The names of files that are parts of several programs, with other texts in each: they may be
/// asked about several times.
#[must_use]
pub fn repeated(programs: &[Program]) -> BTreeSet<String> {
    let mut seen = BTreeMap::new();
    let sources = programs.iter().flat_map(|program| match program {
        Program::C(linked) => linked.sources.as_slice(),
        Program::System(_) => &[],
    });
    let texts = sources.map(|source| (source.name.as_str(), source.text.as_str()));
    let again =
        texts.filter(|(name, text)| seen.insert(*name, *text).is_some_and(|known| known != *text));
    again.map(|(name, _)| name.to_owned()).collect()
}

/// The programs of C files, of which some were listed, beside some that cannot be read, with the
/// position of the first file of each.
fn linked(
    (files, listed): (Vec<(usize, PreprocessedSource)>, &[bool]),
    reading: &Reading,
    unread: &[String],
) -> Vec<(usize, Program)> {
    let (positions, files): (Vec<usize>, Vec<PreprocessedSource>) = files.into_iter().unzip();
    let divide = || link::programs(&files, reading.options.input);
    // A file on which the front end fails is told of when it is read as a program.
    let alone = |_| {
        let one = |index| Selection { files: vec![index], extent: Extent::Part };
        (0..files.len()).map(one).collect()
    };
    let divided: Vec<Selection> = catch_unwind(AssertUnwindSafe(divide)).unwrap_or_else(alone);
    // Of several programs it is said which files they are thought to be made of.
    let known = match unread {
        [] => Extent::Whole,
        [..] if divided.len() > 1 => Extent::Chosen,
        [..] => Extent::Part,
    };
    // Each is entered once, in the first program that has it.
    let mut entered = BTreeSet::new();
    let program = |selection: Selection| {
        let of_interest = selection.files.iter().filter(|index| listed[positions[**index]]);
        let of_interest = of_interest.filter(|index| entered.insert(**index));
        let libraries = of_interest.map(|index| files[*index].name.clone()).collect();
        let sources = selection.files.iter().map(|index| files[*index].clone()).collect();
        let extent = known.max(selection.extent);
        let position = positions[*selection.files.first()?];
        let (unread, models) = (unread.to_vec(), BTreeSet::new());
        let linked = Linked { sources, extent, unread, libraries, models };
        Some((position, Program::C(linked)))
    };
    divided.into_iter().filter_map(program).collect()
}

type Text = Result<Source, Vec<Problem>>;

fn texts(inputs: &[Input], reading: &Reading, jobs: usize) -> Vec<Text> {
    let next = AtomicUsize::new(0);
    let read: Vec<Mutex<Option<Text>>> = inputs.iter().map(|_| Mutex::new(None)).collect();
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let (Some(input), Some(place)) = (inputs.get(index), read.get(index)) else { return };
            let text = text(input, reading);
            if let Ok(mut place) = place.lock() {
                *place = Some(text);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..jobs.min(inputs.len()) {
            scope.spawn(work);
        }
        work();
    });
    let text = |place: Mutex<Option<Text>>| place.into_inner().ok().flatten();
    read.into_iter().filter_map(text).collect()
}

fn text(input: &Input, reading: &Reading) -> Text {
    let read = || files::read_source(input, reading.preprocessing, reading.options.data_model);
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
        let message = "wane failed on this file; the message is on the standard error".to_owned();
        let location = Location::of_file(&input.path.display().to_string());
        Err(vec![Problem { message, location }])
    })
}
