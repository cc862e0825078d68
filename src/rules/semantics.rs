//! What the rules of execution read: the program, and what is to be shown of its runs. Nothing
//! that a search chooses is in it but what an argument names ([`Approach`]).

use super::contract::{Contract, Naming};
use super::strides::walks;
use base::source::Span;
use evidence::approach::Approach;
use evidence::place::Place;
use evidence::statement::Statement;
use heap::shape::ShapeLibrary;
use ir::incoming::{coming_in, made_here};
use ir::liveness::Liveness;
use ir::semantics::Definedness;
use ir::{ProcedureId, Program, Variable};
use obligation::{ErrorKind, Fairness, Goal, Inputs};
use std::collections::{BTreeMap, BTreeSet};

/// The program, and what is to be shown of it.
pub struct Semantics<'a> {
    /// The program, in the form that the approach names.
    pub program: &'a Program,
    /// The shapes that may be used.
    pub shape_library: &'a ShapeLibrary,
    /// Where addresses of functions may have come in.
    pub coming_in: BTreeSet<Variable>,
    /// Pointers to memory that the program itself allocates.
    pub made_here: BTreeSet<Variable>,
    /// Pointers to structures that get addresses by index, with the bytes of each, where memory is
    /// asked about: what elements hold costs states, and few loops end by it.
    pub walks: BTreeMap<Variable, i64>,
    /// The live variables of each procedure.
    pub live: Liveness,
    /// What is to be shown. Dead variables count for leaks.
    pub goal: Goal,
    /// Which runs count.
    pub fairness: Fairness,
    /// What is known of what the program reads.
    pub inputs: Inputs,
    /// What becomes of runs that do something undefined.
    pub definedness: Definedness,
    /// What the entry's call can rely on.
    pub contract: Option<Contract>,
    /// What the rules leave open for the whole program.
    pub approach: Approach,
}

/// What becomes of a *dead* variable: one that will not be read any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadVariables {
    /// Its value is forgotten.
    Forgotten,
    /// Its value is forgotten, unless the variable is in scope until its call ends and
    /// some memory is in reach of no other variable. That memory is not lost before.
    KeptIfOwning,
}

impl<'a> Semantics<'a> {
    /// What a statement says of a program, in the form in which an approach goes about it.
    #[must_use]
    pub fn of(
        statement: &Statement,
        program: &'a Program,
        approach: Approach,
        shape_library: &'a ShapeLibrary,
    ) -> Self {
        let open = program.open.as_ref().filter(|_| !statement.requires.is_empty());
        let contract = open.map(|open| Contract {
            procedure: open.procedure,
            requires: statement.requires.clone(),
            naming: Naming::Fresh,
        });
        Self {
            program,
            shape_library,
            coming_in: coming_in(program),
            made_here: made_here(program),
            walks: match statement.goal {
                Goal::Avoids(_) => walks(program),
                Goal::Ends => BTreeMap::new(),
            },
            live: Liveness::of_program(program),
            goal: statement.goal,
            fairness: statement.fairness.clone(),
            inputs: statement.inputs,
            definedness: statement.definedness,
            contract,
            approach,
        }
    }

    /// Whether calls of the procedure go to its entry states, and are not followed.
    #[must_use]
    pub fn is_tabulated(&self, procedure: ProcedureId) -> bool {
        self.approach.is_tabulated(procedure)
    }

    /// What becomes of dead variables.
    pub fn dead(&self) -> DeadVariables {
        if self.goal.avoids(ErrorKind::Leak) {
            DeadVariables::KeptIfOwning
        } else {
            DeadVariables::Forgotten
        }
    }

    /// Whether the procedure stands for any caller of a function that is analysed by
    /// itself.
    #[must_use]
    pub fn is_outside(&self, procedure: ProcedureId) -> bool {
        self.program.open.is_some() && procedure == self.program.entry
    }

    /// Where the block of a place stands in the source.
    #[must_use]
    pub fn span_of(&self, place: &Place) -> Span {
        let Some(site) = place.site() else { return Span::NOWHERE };
        self.program.procedure(site.procedure).block(site.block).span
    }
}
