//! From files on disk to programs that questions can be asked about.
//!
//! * [`expand`]: the files that folders and compilation databases stand for.
//! * [`read_text`], `files`: texts, and the preprocessor.
//! * [`programs()`]: which files are one program.
//! * [`Changes`]: which files are behind a program, and which of them have changed.
//! * [`Project`]: one program, with the shapes and the work that an answer may use.
//!
//! Here files are read and the preprocessor is run; nothing is written or told. A clock says what an
//! answer took, and decides nothing.

mod changes;
mod files;
mod inputs;
pub mod memory;
mod models;
mod programs;
mod stack;

use analyze::Subject;
use base::budget::Budget;
use c::Options;
pub use changes::Changes;
use cpu_time::ThreadTime;
pub use files::{Preprocessing, read_text};
use heap::shape::ShapeLibrary;
pub use inputs::{Found, Input, Origin, database_above, expand};
pub use programs::{Linked, Program, programs, repeated};
use question::Question;
use report::{Cause, Finding, Location, Problem, Statistics, codes};
pub use stack::{STACK_SIZES, on_a_large_stack};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// The work on a question, if nothing else is said: steps that no clock or load changes.
pub const STEPS: u64 = 20_000_000;

/// How files are read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// What C means, and the function at which the program starts: `main`, if none is named.
    pub options: Options,
    /// Whether `.c` files are preprocessed.
    pub preprocessing: Preprocessing,
    /// What the preprocessor is told, such as `-I` and a folder.
    pub flags: Vec<String>,
    /// C files that stand for functions that a program mentions and does not define.
    pub models: Vec<PathBuf>,
}

impl Default for Reading {
    /// C on a 64-bit machine, preprocessed without flags, from `main` on.
    fn default() -> Self {
        let (options, preprocessing) = (Options::default(), Preprocessing::On);
        Self { options, preprocessing, flags: Vec::new(), models: Vec::new() }
    }
}

/// A program, with the shapes that its structures may have and the work that each answer may
/// take.
#[derive(Debug)]
pub struct Project {
    subject: Subject,
    shapes: ShapeLibrary,
    steps: u64,
}

impl Project {
    /// The program that some files are, from its `main` on: C files that are linked, those of a
    /// folder or of a `compile_commands.json`, or one goto program or transition system.
    ///
    /// # Errors
    /// What is wrong with the files, and where: one cannot be read or is no C, or several of
    /// them are programs of their own.
    pub fn from_files<P: AsRef<Path>>(paths: &[P]) -> Result<Self, Vec<Problem>> {
        Self::read(paths, &Reading::default())
    }

    /// The same with options, flags and a start of the user's.
    ///
    /// # Errors
    /// As for [`Project::from_files`], or there is no such start.
    pub fn read<P: AsRef<Path>>(paths: &[P], reading: &Reading) -> Result<Self, Vec<Problem>> {
        let paths: Vec<PathBuf> = paths.iter().map(|it| it.as_ref().to_owned()).collect();
        let Found { inputs, problems, .. } =
            expand(&paths, &reading.flags, &|_, origin| Some(origin));
        let read = || {
            let (programs, mut problems) = programs(&inputs, problems, reading, 1);
            let subject = match &programs[..] {
                [only] if problems.is_empty() => {
                    let (subject, found) = only.read(&reading.options);
                    problems.extend(found);
                    subject
                }
                [] if problems.is_empty() => {
                    let message = "no file is given".to_owned();
                    problems.push(Problem { message, location: Location::of_file("") });
                    None
                }
                [] | [_] => None,
                several => {
                    problems.extend(several.iter().map(of_its_own));
                    None
                }
            };
            match subject {
                Some(subject) if problems.is_empty() => Ok(subject),
                _ => Err(problems),
            }
        };
        let subject = on_a_large_stack(read)?;
        let shapes = ShapeLibrary::builtin().map_err(|error| {
            vec![Problem { message: error.message, location: Location::of_file("built-in shapes") }]
        })?;
        Ok(Self { subject, shapes, steps: STEPS })
    }

    /// The same with other shapes.
    #[must_use]
    pub fn with_shapes(self, shapes: ShapeLibrary) -> Self {
        Self { shapes, ..self }
    }

    /// The same with so many steps of work for each answer.
    #[must_use]
    pub fn with_steps(self, steps: u64) -> Self {
        Self { steps, ..self }
    }

    /// The answer to a question, with its proof, its run or what is in the way, and all that was
    /// taken for granted.
    ///
    /// # Errors
    /// What the question names is no part of the program.
    pub fn ask(&self, question: &Question) -> Result<Finding, Vec<Problem>> {
        on_a_large_stack(|| {
            self.subject.understands(question)?;
            let mut budget = Budget::of_steps(self.steps);
            Ok(answer(&self.subject, question, &self.shapes, &mut budget))
        })
    }
}

/// That a program does not belong to others.
fn of_its_own(program: &Program) -> Problem {
    let message = "this is a program of its own: each is read alone".to_owned();
    Problem { message, location: Location::of_file(program.name()) }
}

/// The answer to a question; that nothing is known, where wane itself fails: the last safety net.
pub fn answer(
    subject: &Subject,
    question: &Question,
    shapes: &ShapeLibrary,
    budget: &mut Budget,
) -> Finding {
    let (started, before) = (ThreadTime::now(), (budget.work(), budget.states()));
    let answer = || subject.ask(question, shapes, budget);
    let answer = catch_unwind(AssertUnwindSafe(answer));
    let answer = answer.unwrap_or_else(|_| subject.unknown(question, vec![internal_error()]));
    let milliseconds = started.elapsed().as_millis();
    let statistics = Statistics {
        milliseconds: u64::try_from(milliseconds).unwrap_or(u64::MAX),
        steps: budget.work() - before.0,
        states: budget.states() - before.1,
        memory_kib: memory::most(),
    };
    Finding { statistics: Some(statistics), ..answer }
}

/// That wane itself failed.
#[must_use]
pub fn internal_error() -> Cause {
    let message = "wane failed on this question; the message is on the standard error".to_owned();
    Cause { code: codes::INTERNAL_ERROR, message, location: None }
}
