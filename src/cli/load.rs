//! From inputs to the texts of programs.

use super::files;
use super::inputs::Input;
use super::pool::Request;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use wane::analyze::Source;
use wane::analyze::link::{self, Extent};
use wane::c::PreprocessedSource;
use wane::report::{Location, Problem};

/// What is checked together.
#[derive(Clone, Debug)]
pub(super) enum Program {
    /// C files that are linked.
    C(Vec<PreprocessedSource>, Extent),
    /// A file in a format that leaves nothing to others.
    System(Source),
}

impl Program {
    /// The name of its first file.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::C(sources, _) => sources.first().map_or("", |source| source.name.as_str()),
            Self::System(
                Source::Goto { name, .. } | Source::Smt { name, .. } | Source::T2 { name, .. },
            ) => name,
            Self::System(Source::C(source)) => &source.name,
        }
    }
}

/// The programs of some files in their order, and what is wrong with files that cannot be
/// read. So many files are read at the same time.
pub(super) fn programs(
    inputs: &[Input],
    request: &Request,
    jobs: usize,
) -> (Vec<Program>, Vec<Problem>) {
    let (mut sources, mut problems) = (Vec::new(), Vec::new());
    for text in texts(inputs, request, jobs) {
        match text {
            Ok(source) => sources.push(source),
            Err(found) => problems.extend(found),
        }
    }
    let (mut files, mut programs) = (Vec::new(), Vec::new());
    let mut names = BTreeSet::new();
    for (position, source) in sources.into_iter().enumerate() {
        match source {
            Source::C(source) if names.insert(source.name.clone()) => {
                files.push((position, source));
            }
            // A file that is compiled twice, with other flags, belongs to another program.
            Source::C(source) => {
                programs.push((position, Program::C(vec![source], Extent::Part)));
            }
            other => programs.push((position, Program::System(other))),
        }
    }
    let (positions, files): (Vec<usize>, Vec<PreprocessedSource>) = files.into_iter().unzip();
    let divide = || link::programs(&files, request.options.input);
    let alone = |_| (0..files.len()).map(|index| vec![index]).collect();
    // A file on which the front end fails is told of when it is read as a program.
    let divided: Vec<Vec<usize>> = catch_unwind(AssertUnwindSafe(divide)).unwrap_or_else(alone);
    // Where there are several programs, what belongs to which is said by the files there are.
    let is_whole = problems.is_empty() || divided.len() > 1;
    let extent = if is_whole { Extent::Whole } else { Extent::Part };
    for program in divided {
        let Some(first) = program.first() else { continue };
        let own = program.iter().map(|index| files[*index].clone()).collect();
        programs.push((positions[*first], Program::C(own, extent)));
    }
    programs.sort_by_key(|(position, _)| *position);
    (programs.into_iter().map(|(_, program)| program).collect(), problems)
}

type Text = Result<Source, Vec<Problem>>;

fn texts(inputs: &[Input], request: &Request, jobs: usize) -> Vec<Text> {
    let next = AtomicUsize::new(0);
    let read: Vec<Mutex<Option<Text>>> = inputs.iter().map(|_| Mutex::new(None)).collect();
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let (Some(input), Some(place)) = (inputs.get(index), read.get(index)) else { return };
            let text = text(input, request);
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

fn text(input: &Input, request: &Request) -> Text {
    let read = || files::read_source(input, request.preprocessing, request.options.data_model);
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
        let message = "wane failed on this file; the message is on the standard error".to_owned();
        let location = Location::of_file(&input.path.display().to_string());
        Err(vec![Problem { message, location }])
    })
}
