//! What the parts of some work rest on, without doing it: where that is the same, so are their
//! reports.

use super::job::{self, Job, Position, Read, Target};
use crate::request::Request;
use crate::shard::Shard;
use crate::store::{Key, Store};
use analyze::Subject;
use project::{Program, on_a_large_stack};
use report::Problem;
use std::hash::Hash as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// What is asked of each file.
type Asked<'a> = dyn Fn(&Path) -> Request + Sync + 'a;

/// What each of some parts rests on, beside the `problems` that files have: for each program or
/// function of it where that stands in the whole, what is asked, and all code that it reaches.
/// So many threads work on it.
pub(crate) fn bases(
    programs: Vec<Program>,
    problems: &[Problem],
    (requests, parts): (&Asked<'_>, &[Shard]),
    n_threads: usize,
) -> Vec<Key> {
    // Each part tells of all files that cannot be read.
    let mut of_all = format!("{problems:?}");
    let (mut entered, mut open) = (Vec::new(), Vec::new());
    for (position, program) in programs.into_iter().enumerate() {
        let job = Job::of_program(program, requests);
        match catch_unwind(AssertUnwindSafe(|| on_a_large_stack(|| job::read(&job)))) {
            Ok(Read::Subject(subject, _, problems)) => {
                of_all += &format!("{problems:?}");
                let key = basis((position, 0), &job, &subject);
                entered.push((job, key));
            }
            Ok(Read::Nothing(problems)) => of_all += &format!("{problems:?}"),
            Ok(Read::Empty(_)) => {}
            Ok(Read::Functions(text, entries, problems)) => {
                of_all += &format!("{problems:?}");
                for (entry, number) in entries.into_iter().zip(1..) {
                    let request = Arc::new(requests(Path::new(&entry.file)));
                    let target = Target::Function(Arc::clone(&text), entry);
                    let (text, changed) = (None, job.changed.clone());
                    open.push(((position, number), Job { target, request, text, changed }));
                }
            }
            Err(_) => {
                let key = Key::of(|digest| whole_text(&job, digest));
                entered.push((job, key));
            }
        }
    }
    let keys = of_functions(&open, n_threads);
    entered.extend(open.into_iter().zip(keys).map(|((_, job), key)| (job, key)));
    let of_part = |part: &Shard| {
        Key::of(|digest| {
            (&of_all, part.of_all()).hash(digest);
            entered.iter().filter(|(job, _)| job.is_of(*part)).for_each(|it| it.1.hash(digest));
        })
    };
    parts.iter().map(of_part).collect()
}

/// What each of some functions rests on.
fn of_functions(jobs: &[(Position, Job)], n_threads: usize) -> Vec<Key> {
    let next = AtomicUsize::new(0);
    let found: Vec<Mutex<Option<Key>>> = jobs.iter().map(|_| Mutex::new(None)).collect();
    let work = || {
        while let Some((index, (position, job))) = {
            let index = next.fetch_add(1, Ordering::Relaxed);
            jobs.get(index).map(|it| (index, it))
        } {
            let key = catch_unwind(AssertUnwindSafe(|| of_function(*position, job)));
            let key = key.unwrap_or_else(|_| Key::of(|digest| whole_text(job, digest)));
            if let Ok(mut place) = found[index].lock() {
                *place = Some(key);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..n_threads.min(jobs.len()) {
            scope.spawn(|| on_a_large_stack(work));
        }
    });
    let nothing = || Key::of(|_| {});
    let key = |place: Mutex<Option<Key>>| place.into_inner().ok().flatten();
    found.into_iter().map(|place| key(place).unwrap_or_else(nothing)).collect()
}

fn of_function(position: Position, job: &Job) -> Key {
    match job::read(job) {
        Read::Subject(subject, _, problems) => {
            let own = basis(position, job, &subject);
            Key::of(|digest| (own, format!("{problems:?}")).hash(digest))
        }
        Read::Empty(_) => Key::of(|digest| (position, job.name()).hash(digest)),
        Read::Functions(.., problems) | Read::Nothing(problems) => {
            Key::of(|digest| (position, job.name(), format!("{problems:?}")).hash(digest))
        }
    }
}

/// What all answers about a program or function rest on, and where they stand.
fn basis(position: Position, job: &Job, subject: &Subject) -> Key {
    let request = &job.request;
    let asked = (&request.questions, request.steps, request.time, request.statistics);
    let is_of_interest = job.changed.as_ref().is_none_or(|it| subject.has_code_of(it));
    Key::of(|digest| {
        (position, job.name(), format!("{asked:?}"), is_of_interest).hash(digest);
        (&request.shapes_key, Store::code(subject)).hash(digest);
        // Formulas, specifications and threads are about whole files.
        if request.questions.iter().any(|it| it.argument().is_some()) {
            whole_text(job, digest);
        }
    })
}

/// Tells the text of all files of a program.
fn whole_text(job: &Job, digest: &mut crate::store::Digest) {
    match &job.target {
        Target::Program(program) => program.identify(digest),
        Target::Function(text, entry) => {
            text.identify(digest);
            format!("{entry:?}").hash(digest);
        }
    }
}
