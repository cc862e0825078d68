//! What answers depend on: where that is the same, so are they.

use super::{Origin, Subject};
use c::{self, Options};
use ir::semantics::IntModel;
use obligation::Goal;
use reduce::integers::readings;
use std::hash::{Hash, Hasher};

impl Subject {
    /// Tells all that an answer depends on, beside the question, the shapes, the steps of work and
    /// wane itself: the program with all its places, as each model of integers reads it, the
    /// options, and what was taken for granted in reading it.
    ///
    /// Answers about formulas, specifications and threads depend on the text of whole files, of
    /// which this says nothing.
    pub fn identify(&self, state: &mut impl Hasher) {
        format!("{:?}", self.options).hash(state);
        self.assumptions.hash(state);
        self.origin.file().hash(state);
        self.program.as_ref().ok().hash(state);
        match &self.origin {
            Origin::System { contracts, locations, .. } => {
                format!("{contracts:?} {locations:?}").hash(state);
            }
            Origin::C { parsed, externals, .. } => {
                format!("{externals:?}").hash(state);
                // Which of them are read depends on what is found out on the way.
                let [own, _] = readings(Goal::Ends, self.options.int_model);
                let models = [IntModel::C, IntModel::Math, IntModel::Machine];
                for int_model in models.into_iter().filter(|model| *model != own.model) {
                    let options = Options { int_model, ..self.options.clone() };
                    let compiled = c::compile_parsed(parsed, &options);
                    compiled.ok().map(|it| it.program).hash(state);
                }
            }
        }
    }
}
