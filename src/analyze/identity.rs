//! What an answer depends on: where that is the same, so is the answer.

use super::{Origin, Subject};
use c::{self, Options};
use ir::semantics::IntModel;
use question::Question;
use reduce::plain;
use std::hash::{Hash, Hasher};

/// Whether all that an answer depends on was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// All.
    Whole,
    /// Not all.
    Part,
}

impl Subject {
    /// Tells all that the answer to a question depends on, beside the question, the shapes, the
    /// steps of work and wane itself: the program with all its places, as each model of integers
    /// reads it, the options, and what was taken for granted in reading it.
    ///
    /// Formulas, specifications and threads depend on the text of whole files, of which this
    /// says nothing.
    pub fn identify(&self, question: &Question, state: &mut impl Hasher) -> Told {
        if plain::goal(question).is_none() {
            return Told::Part;
        }
        format!("{:?}", self.options).hash(state);
        self.assumptions.hash(state);
        self.origin.file().hash(state);
        match &self.origin {
            Origin::System { contracts, locations, .. } => {
                format!("{contracts:?} {locations:?}").hash(state);
                self.program.as_ref().ok().hash(state);
            }
            Origin::C { parsed, externals, .. } => {
                format!("{externals:?}").hash(state);
                // Which of them are read depends on what is found out on the way.
                for int_model in [IntModel::C, IntModel::Math, IntModel::Machine] {
                    let options = Options { int_model, ..self.options.clone() };
                    let compiled = c::compile_parsed(parsed, &options);
                    compiled.ok().map(|it| it.program).hash(state);
                }
            }
        }
        Told::Whole
    }
}
