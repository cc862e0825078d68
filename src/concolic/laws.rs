//! The shadow against other runs: where the symbols of a run satisfy its decisions, the
//! form of a value says what the run with these choices computes.

use super::eval::slot_of;
use super::machine::Concolic;
use super::shadow::choice_symbol;
use base::source::Span;
use concrete::Outcome;
use concrete::choices::{ChoiceList, reduced};
use concrete::value::{Pointer, Value};
use ir::{
    BinaryOp, Block, Command, Expr, InitialContent, Instruction, Procedure, ProcedureId, Program,
    ScalarType, Terminator, Variable, VariableInfo,
};
use logic::{Integer, Rational, Var};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use worlds::{TYPES, World, program_of, some_expr, some_world};

/// Variables beside those of the world: the starts of its blocks, and the result.
const STARTS: [usize; 2] = [TYPES.len(), TYPES.len() + 1];
const RESULT: usize = TYPES.len() + 2;

/// A program that makes the world's blocks, gives addresses to the variables that hold
/// some in `state`, and computes `expr`; numbers are chosen when they are read.
fn program_for(expr: &Expr, world: &World, state: &[Value]) -> Program {
    let mut program = program_of(world.memory.pointer_bytes());
    program.procedures.clear();
    let word = TYPES[5];
    for ty in [ScalarType::Pointer, ScalarType::Pointer, word] {
        let (name, span) = ("v".to_owned(), Span::NOWHERE);
        program.variables.push(VariableInfo { name, ty, owner: None, span });
    }
    let mut commands = Vec::new();
    for ((_, block), start) in world.memory.live_blocks().zip(STARTS) {
        let (kind, content) = (block.kind, InitialContent::Arbitrary);
        let (target, size) = (Variable::at(start), block.size.into());
        commands.push(Command::Allocate { target, size, kind, content });
    }
    for (index, value) in state.iter().enumerate() {
        let value = match value {
            Value::Int(_) => continue,
            Value::Procedure(id) => Expr::Procedure(*id),
            Value::Pointer(Pointer { block, offset }) => {
                let start = Variable::at(STARTS[block.index()]);
                Expr::binary(BinaryOp::Add, start.into(), (*offset).into())
            }
        };
        commands.push(Command::Assign { target: Variable::at(index), value });
    }
    commands.push(Command::Assign { target: Variable::at(RESULT), value: expr.clone() });
    let instruction = |command| Instruction { command, span: Span::NOWHERE };
    let block = Block {
        commands: commands.into_iter().map(instruction).collect(),
        terminator: Terminator::Halt,
        span: Span::NOWHERE,
    };
    for blocks in [vec![block], Vec::new()] {
        program.procedures.push(Procedure {
            shortcut: None,
            name: "main".to_owned(),
            parameters: Vec::new(),
            lasting: Vec::new(),
            result: None,
            blocks,
            span: Span::NOWHERE,
        });
    }
    program.entry = ProcedureId(0);
    program
}

/// The numbers that `expr` asks for, in order, where `first` holds numbers.
fn choices(expr: &Expr, first: &[Value], state: &[Value]) -> Option<Vec<i128>> {
    let mut asked: Vec<Variable> = Vec::new();
    expr.variables().for_each(|variable| {
        if first[variable.index()].as_int().is_some() && !asked.contains(&variable) {
            asked.push(variable);
        }
    });
    asked.into_iter().map(|variable| state[variable.index()].as_int()).collect()
}

/// What the program computes with these choices, if it computes anything; an error is
/// that the interpreter cannot tell.
fn run(
    concolic: &Concolic<'_>,
    n_steps: usize,
    choices: Vec<i128>,
) -> Result<Option<Value>, Outcome> {
    let mut state = concolic.interpreter().initial();
    let mut choices = ChoiceList::new(choices);
    for _ in 0..n_steps {
        match concolic.interpreter().step(&mut state, &mut choices) {
            Outcome::Running => {}
            unsupported @ Outcome::Unsupported { .. } => return Err(unsupported),
            _ => return Ok(None),
        }
    }
    Ok(state.value(Variable::at(RESULT)))
}

fn check(expr: &Expr, world: &World) -> Result<(), TestCaseError> {
    let first = &world.states[0];
    let program = program_for(expr, world, first);
    let concolic = Concolic::new(&program);
    let n_steps = program.procedures[0].blocks[0].commands.len();
    let Some(own) = choices(expr, first, first) else { return Ok(()) };
    let mut shadowed = concolic.start();
    let mut source = ChoiceList::new(own.clone());
    for _ in 0..n_steps {
        match concolic.step(&mut shadowed, &mut source) {
            Ok(Outcome::Running) => {}
            Ok(_) | Err(_) => return Ok(()),
        }
    }
    let Ok(computed) = run(&concolic, n_steps, own) else { return Ok(()) };
    let result = Variable::at(RESULT);
    prop_assert_eq!(computed, shadowed.state.value(result), "the same choices");
    let slot = slot_of(&program, &shadowed.state, result);
    let Ok(shaded) = shadowed.shadow.variable(slot, computed) else { return Ok(()) };
    let types: Vec<ScalarType> = shadowed.shadow.choices().iter().map(|it| it.ty).collect();
    for other in &world.states {
        let Some(values) = choices(expr, first, other) else { continue };
        let symbol = |variable: Var| {
            let index = (0..types.len()).find(|index| choice_symbol(*index) == variable);
            let value = index.map_or(0, |it| reduced(values[it], types[it], program.pointer_bytes));
            Rational::from(Integer::from(value))
        };
        if !shadowed.shadow.decisions().iter().all(|it| it.constraint.holds(symbol)) {
            continue;
        }
        let expected = match &shaded.form {
            Some(form) => form.evaluate(symbol).floor().to_i128().map(Value::Int),
            None => computed,
        };
        // Numbers of more than 128 bits are beyond the interpreter, not beyond a form.
        let Ok(found) = run(&concolic, n_steps, values.clone()) else { continue };
        prop_assert_eq!(found, expected, "{:?}", values);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn forms_say_what_other_choices_compute(expr in some_expr(), world in some_world()) {
        check(&expr, &world)?;
    }
}

#[test]
fn a_quotient_is_known_where_its_operand_keeps_its_sign() {
    let number = Expr::Variable(Variable::at(5));
    let odd =
        Expr::binary(BinaryOp::Add, Expr::binary(BinaryOp::Multiply, number, 2.into()), 1.into());
    let quotient = Expr::binary(BinaryOp::Divide, odd, 2.into());
    let mut runner = TestRunner::deterministic();
    for _ in 0..400 {
        let world = some_world().new_tree(&mut runner).unwrap().current();
        check(&quotient, &world).unwrap();
    }
}
