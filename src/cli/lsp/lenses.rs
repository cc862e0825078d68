//! What stands above functions and loops: verdicts and measures.

use super::actions::explain;
use super::answers::{Answers, is_named};
use super::positions::{Carried, Encoding};
use super::verdicts;
use lsp_types::{CodeLens, Command};
use report::{Answer, Location};
use std::path::Path;

/// The lenses of a document, whose text may have changed since it was checked.
pub(super) fn of(
    answers: &Answers,
    path: &Path,
    carried: Carried,
    encoding: Encoding,
) -> Vec<CodeLens> {
    let lens = |place: &Location, command: Command| {
        let is_here = place.line.is_some() && is_named(&place.file, path);
        let range = carried.range(encoding.range(place, &answers.texts));
        let range = range.filter(|_| is_here)?;
        Some(CodeLens { range, command: Some(command), data: None })
    };
    let functions = answers.functions.iter().filter_map(|function| {
        let findings = answers.about(&function.name);
        let title = verdicts::line(&findings)?;
        let open = findings.iter().filter(|finding| finding.answer != Answer::Proved);
        let code = open.filter_map(|it| it.causes.first()).map(|cause| cause.code).next();
        let command = match code {
            Some(code) => Command { title, ..explain(code) },
            None => plain(title),
        };
        lens(&function.place, command)
    });
    let stories = verdicts::stories(answers).into_iter();
    let loops = stories.filter_map(|it| lens(&it.location, plain(verdicts::measure(it))));
    functions.chain(loops).collect()
}

/// Words that nothing happens at.
fn plain(title: String) -> Command {
    Command { title, command: String::new(), arguments: None }
}
