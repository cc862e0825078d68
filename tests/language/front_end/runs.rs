//! Self-checking C programs: the system's compiler and the concrete
//! interpreter of the goto program must agree that no check fails.

use std::path::{Path, PathBuf};
use std::process::Command;

use wane::base::budget::Budget;
use wane::c::preprocess::preprocess;
use wane::c::{DataModel, Options, compile};
use wane::concrete::Outcome;
use wane::concrete::choices::ChoiceList;
use wane::concrete::interpreter::Interpreter;
use wane::ir::Program;
use wane::ir::semantics::IntModel;

use super::support::{messages, options};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/front_end/programs").join(name)
}

fn program(path: &Path, options: &Options) -> Program {
    preprocess(path, options.data_model)
        .and_then(|source| compile(&source, options))
        .unwrap_or_else(|rejection| panic!("{}", messages(&rejection).join("\n")))
}

#[track_caller]
fn interpret(program: &Program) {
    let interpreter = Interpreter::new(program);
    let mut state = interpreter.initial();
    let mut choices = ChoiceList::new(Vec::new());
    let mut budget = Budget::of_steps(200_000);
    let outcome = interpreter.run(&mut state, &mut choices, &mut budget);
    let place = program.sources.describe(interpreter.span(&state));
    assert_eq!(outcome, Outcome::Halted, "{place}");
}

/// Both integer models, and the compiler if there is one.
#[track_caller]
fn check(name: &str) {
    let path = path(name);
    for int_model in [IntModel::Math, IntModel::Machine] {
        interpret(&program(&path, &Options { int_model, ..options() }));
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let binary = folder.path().join("program");
    let compiled = Command::new("cc")
        .args(["-w", "-std=gnu11", "-fno-builtin", "-Dreach_error=abort", "-o"])
        .arg(&binary)
        .arg(&path)
        .status();
    // Without a compiler, the programs' own checks must do.
    if compiled.is_ok_and(|status| status.success()) {
        let output = Command::new(&binary).output().expect("the compiled program");
        assert!(output.status.success(), "the compiled program fails its own checks");
    }
}

#[test]
fn integers() {
    check("integers.c");
}

#[test]
fn control_flow() {
    check("control.c");
}

#[test]
fn memory() {
    check("memory.c");
}

#[test]
fn library_functions() {
    check("strings.c");
}

#[test]
fn rare_forms() {
    check("oddities.c");
}

#[test]
fn atomic_operations() {
    check("atomics.c");
}

#[test]
fn order_of_effects() {
    check("sequence.c");
}

#[test]
fn narrow_data_model() {
    let options = Options { data_model: DataModel::Ilp32, ..options() };
    interpret(&program(&path("ilp32.c"), &options));
}
