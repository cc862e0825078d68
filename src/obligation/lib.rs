//! What is to be shown of a program. Provers, the check and witnesses know
//! obligations only; `reduce` makes them of what users ask.

mod fairness;

pub use fairness::{Compassion, Fairness};

use base::source::Span;
use heap::state::State;
use ir::Program;
use ir::semantics::{Definedness, IntModel};
use ir::text::Fingerprint;
use std::cell::OnceCell;

/// A program with a goal.
#[derive(Clone, Debug)]
pub struct Obligation<'a> {
    /// The program.
    program: &'a Program,
    /// What holds of every run from the program's entry.
    pub goal: Goal,
    /// Which runs count.
    pub fairness: Fairness,
    /// What the program may read.
    pub inputs: Inputs,
    /// What becomes of runs that do something undefined.
    pub definedness: Definedness,
    /// What the callers of a function that is analysed by itself keep to.
    pub callers: Callers,
    /// How integers were read where the program was made of C.
    pub integers: Option<IntModel>,
    /// What the call of a function that is analysed by itself relies on: one of these
    /// states. Without any, it is an arbitrary call, and provers look for what it needs.
    pub requires: Vec<State>,
    /// What is known already of what such a call needs.
    pub known: Known,
    /// What is made of the program once.
    made: Made,
}

/// What is made of the program of an obligation, when it is needed.
#[derive(Clone, Debug, Default)]
struct Made {
    simplified: OnceCell<Box<Program>>,
    fingerprint: OnceCell<Fingerprint>,
}

/// What was found out about what the call of a function needs, in the search for another
/// goal. Nothing rests on it: it says where to look.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// What was enough: any of these states. Empty when nothing was found.
    pub enough: Vec<State>,
    /// States that were not: with each of them something undefined may happen.
    pub hopeless: Vec<State>,
    /// States of which it was not found out within the steps of any attempt.
    pub costly: Vec<State>,
    /// Whether nothing was enough, and the search was given up for that.
    pub fruitless: bool,
    /// What first kept it from more general states.
    pub obstacle: Option<Obstacle>,
}

/// What keeps a precondition from being more general.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// Its stable code.
    pub code: &'static str,
    /// What it is, as a clause of a sentence.
    pub message: String,
    /// Where it is.
    pub span: Option<Span>,
}

/// What a program may read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inputs {
    /// Any number for a signed integer.
    #[default]
    Any,
    /// A value of the type that is read. Runs that read others do not count.
    OfType,
    /// The same; and all that variables and memory hold is of its type, for integers wrap around.
    Wrapping,
}

/// What the callers of a function that is analysed by itself keep to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Callers {
    /// Nothing: what calls need is found out and said.
    #[default]
    Anyone,
    /// What comes in and what that leads to are live objects of their declared types, or null, and
    /// stay the callers' own (rule BOUNDS, `ir::slice::bounds`).
    ByTypes,
}

/// What holds of every run of a program.
///
/// A proof of either goal excludes undefined behaviour, too, unless that is taken for granted
/// ([`Definedness`]): behind an undefined step everything is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// It ends.
    Ends,
    /// It makes no error of these kinds.
    Avoids(ErrorKinds),
}

/// What a run may do wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// It accesses memory that is not there, or writes a constant.
    InvalidAccess,
    /// It frees what is not the start of an allocated block.
    InvalidFree,
    /// It does what has no defined result on these numbers: it divides by zero, shifts
    /// by a negative number, or allocates a negative number of bytes.
    Arithmetic,
    /// It loses the last pointer to a heap block on the way.
    Leak,
    /// It ends with a heap block that is not freed.
    Unfreed,
    /// It reaches an error command.
    ErrorReached,
}

/// A set of kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorKinds(u8);

impl<'a> Obligation<'a> {
    /// That the goal holds of all calls of the entry.
    #[must_use]
    pub fn new(program: &'a Program, goal: Goal) -> Self {
        let (fairness, known) = (Fairness::default(), Known::default());
        let (inputs, definedness) = (Inputs::default(), Definedness::default());
        let (callers, integers, requires) = (Callers::default(), None, Vec::new());
        let made = Made::default();
        Self {
            program,
            goal,
            fairness,
            inputs,
            definedness,
            callers,
            integers,
            requires,
            known,
            made,
        }
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &'a Program {
        self.program
    }

    /// The program as this makes it, the first time: it has the same runs, blocks and spans.
    #[must_use]
    pub fn simplified(&self, simplify: fn(&Program) -> Program) -> &Program {
        self.made.simplified.get_or_init(|| Box::new(simplify(self.program)))
    }

    /// Which program it is about.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        *self.made.fingerprint.get_or_init(|| Fingerprint::of(self.program))
    }

    /// The same of calls that satisfy one of these.
    #[must_use]
    pub fn requiring(self, requires: Vec<State>) -> Self {
        Self { requires, ..self }
    }

    /// The same, with what is known already of what calls need.
    #[must_use]
    pub fn knowing(self, known: Known) -> Self {
        Self { known, ..self }
    }

    /// The same, of fair runs only.
    #[must_use]
    pub fn under(self, fairness: Fairness) -> Self {
        Self { fairness, ..self }
    }

    /// The same, of C that was read by a model of integers.
    #[must_use]
    pub fn read_by(self, integers: Option<IntModel>) -> Self {
        Self { integers, ..self }
    }

    /// The same, with runs that do something undefined treated so.
    #[must_use]
    pub fn with_definedness(self, definedness: Definedness) -> Self {
        Self { definedness, ..self }
    }

    /// The same, of calls by callers that keep to this.
    #[must_use]
    pub fn called_by(self, callers: Callers) -> Self {
        Self { callers, ..self }
    }

    /// The same, of runs that read such values only.
    #[must_use]
    pub fn reading(self, inputs: Inputs) -> Self {
        Self { inputs, ..self }
    }
}

impl Goal {
    /// The goal that no error of these kinds is made.
    #[must_use]
    pub const fn avoids_all(kinds: &[ErrorKind]) -> Self {
        Self::Avoids(ErrorKinds::of(kinds))
    }

    /// Whether a run that makes an error of this kind is one against the goal.
    #[must_use]
    pub fn avoids(self, kind: ErrorKind) -> bool {
        match self {
            Self::Ends => false,
            Self::Avoids(kinds) => kinds.contains(kind),
        }
    }
}

impl ErrorKinds {
    /// The set of these.
    #[must_use]
    pub const fn of(kinds: &[ErrorKind]) -> Self {
        let (mut set, mut index) = (0, 0);
        while index < kinds.len() {
            set |= bit(kinds[index]);
            index += 1;
        }
        Self(set)
    }

    /// Whether a kind is in the set.
    #[must_use]
    pub const fn contains(self, kind: ErrorKind) -> bool {
        self.0 & bit(kind) != 0
    }
}

const fn bit(kind: ErrorKind) -> u8 {
    1 << kind as u8
}
