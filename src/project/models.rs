//! C files that stand for functions of others: what a library, a driver or assembler does, as far as
//! it matters.
//!
//! A model joins the programs that mention something it defines and do not define that themselves.
//! That the functions do what it says is taken for granted, and told.

use super::Reading;
use super::files::read_source;
use super::inputs::{Input, Origin};
use super::programs::Linked;
use analyze::Source;
use c::{PreprocessedSource, Symbols};
use report::{Location, Problem};

/// Models in their order: where several define the same, the first one counts.
pub(super) struct Models {
    models: Vec<(PreprocessedSource, Symbols)>,
}

impl Models {
    /// Reads the models that are set, and tells what is wrong with them.
    pub(super) fn read(reading: &Reading, problems: &mut Vec<Problem>) -> Self {
        let mut models = Vec::new();
        for path in &reading.models {
            let (path, flags) = (path.clone(), reading.flags.clone());
            let input = Input { path, flags, origin: Origin::Named };
            match read_source(&input, reading.preprocessing, reading.options.data_model) {
                Ok(Source::C(source)) => {
                    match c::parse(std::slice::from_ref(&source), reading.options.input) {
                        Ok(parsed) => models.push((source, c::symbols(&parsed))),
                        Err(rejection) => problems.extend(analyze::problems(&rejection)),
                    }
                }
                Ok(_) => {
                    let message = "this is no C file, so it is no model of functions".to_owned();
                    let location = Location::of_file(&input.path.display().to_string());
                    problems.push(Problem { message, location });
                }
                Err(found) => problems.extend(found),
            }
        }
        Self { models }
    }

    /// Adds the models that a program needs, and those that these need, and nothing that is defined
    /// twice then.
    pub(super) fn join(&self, linked: &mut Linked, input: c::Input) {
        if self.models.is_empty() {
            return;
        }
        // A file that is no C is told of when it is read as a program.
        let parsed =
            |source: &PreprocessedSource| c::parse(std::slice::from_ref(source), input).ok();
        let mut known = Symbols::default();
        linked.sources.iter().filter_map(parsed).for_each(|it| note(&mut known, c::symbols(&it)));
        while let Some((source, symbols)) = self.models.iter().find(|it| is_needed(&it.1, &known)) {
            linked.models.insert(source.name.clone());
            linked.sources.push(source.clone());
            note(&mut known, symbols.clone());
        }
    }
}

/// The names of one more file.
fn note(known: &mut Symbols, more: Symbols) {
    known.defined.extend(more.defined);
    known.mentioned.extend(more.mentioned);
}

/// Whether a model defines something that is mentioned, and nothing that is defined.
fn is_needed(model: &Symbols, known: &Symbols) -> bool {
    !model.defined.is_disjoint(&known.mentioned) && model.defined.is_disjoint(&known.defined)
}
