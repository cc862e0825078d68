//! The questions that a call asks.

use super::Check;
use super::svcomp::Property;
use base::source::line_and_column;
use project::read_text;
use question::Question;
use reduce::ctl::branching;
use reduce::ltl::violations;
use reduce::propositions::FormulaError;
use reduce::specification::Monitor;
use std::path::Path;

/// The questions that flags other than `--property` ask, if there are any.
///
/// # Errors
/// A formula, specification or property file is none, with the place of its error.
pub(super) fn named(arguments: &Check) -> Result<Option<Vec<Question>>, String> {
    if !arguments.spec.is_empty() {
        return arguments
            .spec
            .iter()
            .map(|file| specification(file))
            .collect::<Result<_, _>>()
            .map(Some);
    }
    let alone = if let Some(file) = &arguments.svcomp {
        Property::read(file)?.question
    } else if let Some(formula) = &arguments.ctl {
        branching(formula).map_err(|error| pointed(formula, &error))?;
        Question::Ctl(formula.clone())
    } else if let Some(formula) = &arguments.ltl {
        violations(formula).map_err(|error| pointed(formula, &error))?;
        Question::Ltl(formula.clone())
    } else if let Some(function) = &arguments.thread {
        Question::ThreadTermination(function.clone())
    } else {
        return Ok(None);
    };
    Ok(Some(vec![alone]))
}

/// A specification, if its text is one.
fn specification(path: &Path) -> Result<Question, String> {
    let (file, text) = (path.display().to_string(), read_text(path)?);
    match Monitor::read(&file, &text) {
        Ok(_) => Ok(Question::Specification { file, text }),
        Err(error) => {
            let (line, column) = line_and_column(&text, error.start);
            Err(format!("{file}:{line}:{column}: {}", error.message))
        }
    }
}

/// What is wrong with a formula, with the formula and a mark where it is.
fn pointed(text: &str, error: &FormulaError) -> String {
    let before = text[..error.start.min(text.len())].chars().count();
    let marks = "^".repeat(error.length.min(text.len()).max(1));
    format!("{}\n  {text}\n  {}{marks}", error.message, " ".repeat(before))
}
