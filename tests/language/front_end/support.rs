//! Compiling C text in tests.

use wane::c::{DataModel, MallocModel, Options, PreprocessedSource, Rejection, compile};
use wane::ir::semantics::IntModel;
use wane::ir::{Command, Procedure, Program};

/// The default options.
pub(crate) fn options() -> Options {
    Options {
        data_model: DataModel::Lp64,
        int_model: IntModel::Math,
        malloc: MallocModel::Succeeds,
        input: wane::c::Input::Ends,
        entry: None,
        ..Options::default()
    }
}

/// Compiles with the given options.
pub(crate) fn compile_with(text: &str, options: &Options) -> Result<Program, Rejection> {
    let source = PreprocessedSource { name: "test.c".to_owned(), text: text.to_owned() };
    compile(&source, options)
}

/// The program of a text that must be accepted.
#[track_caller]
pub(crate) fn accepted(text: &str) -> Program {
    compile_with(text, &options())
        .unwrap_or_else(|rejection| panic!("{}\n{text}", messages(&rejection).join("\n")))
}

/// The messages of a rejection, each with its place.
pub(crate) fn messages(rejection: &Rejection) -> Vec<String> {
    let place = |span| rejection.sources.describe(span);
    rejection
        .errors
        .iter()
        .map(|error| format!("{}: {}", place(error.span), error.message))
        .collect()
}

/// The first message about a text that must be refused.
#[track_caller]
pub(crate) fn refused(text: &str) -> String {
    match compile_with(text, &options()) {
        Ok(_) => panic!("accepted:\n{}", text.chars().take(200).collect::<String>()),
        Err(rejection) => messages(&rejection).remove(0),
    }
}

/// The procedure of a name.
#[track_caller]
pub(crate) fn procedure<'p>(program: &'p Program, name: &str) -> &'p Procedure {
    let found = program.procedures.iter().find(|procedure| procedure.name == name);
    found.unwrap_or_else(|| panic!("no procedure {name}"))
}

/// What is not supported, in order.
pub(crate) fn unsupported(program: &Program) -> Vec<&str> {
    let blocks = program.procedures.iter().flat_map(|procedure| &procedure.blocks);
    let commands = blocks.flat_map(|block| &block.commands);
    commands
        .filter_map(|instruction| match &instruction.command {
            Command::Unsupported { what, .. } => Some(what.as_str()),
            _ => None,
        })
        .collect()
}
