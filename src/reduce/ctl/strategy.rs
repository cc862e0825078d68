//! What is ours to say in a game, and what may be worth saying.

use crate::ir::{
    Command, Expr, HavocSource, ProcedureId, Program, ScalarType, Terminator, Variable,
};
use crate::temporal::branching::FormulaId;
use std::collections::{BTreeMap, BTreeSet};

/// What is said in a game. Where it is silent, the second of two formulas is shown, waiting ends
/// as soon as what is waited for can hold, and inputs are the adversary's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strategy {
    /// Which of two formulas is shown.
    pub first: BTreeMap<FormulaId, Choice>,
    /// In which moment waiting ends, if not in all.
    pub stops: BTreeMap<FormulaId, usize>,
    /// The values of inputs while a formula waits, by their numbers in [`inputs`].
    pub inputs: BTreeMap<(usize, FormulaId), i128>,
}

/// When something is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Always.
    Always,
    /// Never.
    Never,
    /// Where this condition on global variables holds.
    If(Expr),
}

/// A command that reads an input, by its procedure, block and position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// The procedure.
    pub procedure: ProcedureId,
    /// Its block.
    pub block: usize,
    /// The position in the block.
    pub position: usize,
    /// What is read.
    pub ty: ScalarType,
    /// What gets it.
    pub target: Variable,
}

/// The inputs of these procedures, in their order.
#[must_use]
pub fn inputs(program: &Program, procedures: &[ProcedureId]) -> Vec<Input> {
    let mut found = Vec::new();
    for procedure in procedures {
        for (number, block) in program.procedure(*procedure).blocks.iter().enumerate() {
            for (position, instruction) in block.commands.iter().enumerate() {
                if let Command::Havoc { target, source: HavocSource::Input(_) } =
                    &instruction.command
                {
                    let ty = program.variable(*target).ty;
                    let (procedure, block) = (*procedure, number);
                    found.push(Input { procedure, block, position, ty, target: *target });
                }
            }
        }
    }
    found
}

/// More conditions than this are not tried.
const MOST_CONDITIONS: usize = 8;

/// The conditions on global variables that the program branches on.
#[must_use]
pub fn conditions(program: &Program) -> Vec<Expr> {
    let mut found = BTreeSet::new();
    for procedure in &program.procedures {
        for block in &procedure.blocks {
            let Terminator::Branch { condition, .. } = &block.terminator else { continue };
            let (mut n_read, mut is_global) = (0, true);
            condition.for_each_variable(&mut |variable| {
                let info = program.variable(variable);
                n_read += 1;
                is_global &= info.owner.is_none() && !info.name.contains('$');
            });
            if n_read > 0 && is_global {
                found.insert(condition.clone());
            }
        }
    }
    found.into_iter().take(MOST_CONDITIONS).collect()
}

/// More values than this are not tried for an input.
const MOST_VALUES: usize = 5;

/// Values that may be worth giving to inputs: those that the program compares with, and their
/// neighbours.
#[must_use]
pub fn values(program: &Program) -> Vec<i128> {
    let mut found: Vec<i128> = vec![0, 1];
    let mut read = |expr: &Expr| constants(expr, &mut found);
    for procedure in program.procedures.iter().filter(|it| !it.name.starts_with('$')) {
        for block in &procedure.blocks {
            block.terminator.expression().into_iter().for_each(&mut read);
            for instruction in &block.commands {
                if let Command::Assume { condition } = &instruction.command {
                    read(condition);
                }
            }
        }
    }
    found.truncate(MOST_VALUES);
    found
}

fn constants(expr: &Expr, found: &mut Vec<i128>) {
    match expr {
        Expr::Binary(_, left, right) => {
            for side in [left, right] {
                match **side {
                    Expr::Constant(value) if value.unsigned_abs() < 1 << 20 => {
                        for near in [value, value + 1, value - 1] {
                            if !found.contains(&near) {
                                found.push(near);
                            }
                        }
                    }
                    _ => constants(side, found),
                }
            }
        }
        Expr::Unary(_, operand) | Expr::Wrap(_, operand) => constants(operand, found),
        Expr::Constant(_) | Expr::Variable(_) | Expr::Procedure(_) => {}
    }
}

/// Values for all inputs: first none, then the same for all of them, then another one for one.
#[must_use]
pub fn assignments(inputs: &[Input], values: &[i128]) -> Vec<BTreeMap<usize, i128>> {
    let fits = |input: &Input, value: i128| match input.ty {
        ScalarType::Int(kind) => kind.min() <= value && value <= kind.max(),
        ScalarType::Pointer | ScalarType::Float(_) => false,
    };
    let all = |value: i128| -> BTreeMap<usize, i128> {
        let numbered = inputs.iter().enumerate().filter(|(_, input)| fits(input, value));
        numbered.map(|(number, _)| (number, value)).collect()
    };
    let mut found = vec![BTreeMap::new()];
    let same: Vec<_> = values.iter().map(|value| all(*value)).collect();
    found.extend(same.iter().cloned());
    for base in &same {
        for (number, input) in inputs.iter().enumerate() {
            for value in values.iter().filter(|it| fits(input, **it)) {
                let mut other = base.clone();
                other.insert(number, *value);
                found.push(other);
            }
        }
    }
    let mut seen = Vec::new();
    found.retain(|it| {
        !seen.contains(it) && {
            seen.push(it.clone());
            true
        }
    });
    found
}
