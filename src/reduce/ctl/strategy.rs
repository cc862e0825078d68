//! What is ours to say in a game, and what may be worth saying.

use ir::{
    Block, Command, Expr, HavocSource, Procedure, ProcedureId, Program, ScalarType, Terminator,
    Variable,
};
use std::collections::{BTreeMap, BTreeSet};
use temporal::formula::FormulaId;

/// What is said in a game. Where it is silent, the second of two formulas is shown, waiting ends
/// as soon as what is waited for can hold, and inputs are the adversary's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strategy {
    /// Which of two formulas is shown.
    pub first: BTreeMap<FormulaId, Choice>,
    /// In which moments waiting ends, if not in all.
    pub stops: BTreeMap<FormulaId, BTreeSet<usize>>,
    /// What inputs are while a formula waits, by their numbers in [`inputs`].
    pub inputs: BTreeMap<(usize, FormulaId), Said>,
    /// What all variables and all memory with unknown contents are at first. Without it,
    /// anything.
    pub start: Option<i128>,
    /// When the adversary has won.
    pub victory: Victory,
    /// Whether states behind inputs count.
    pub choices: Choices,
}

/// Whether a state counts in which nothing has changed that a formula speaks of, but an input was
/// read: the runs that can follow are others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choices {
    /// It does.
    #[default]
    Count,
    /// It is none.
    DoNotCount,
}

/// When the adversary has won that was led to where a formula of one state does not hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Victory {
    /// There: this is too early where an assumption ends the run later, so it proves too much.
    #[default]
    AtOnce,
    /// If the run goes on for ever from there.
    InTheEnd,
}

/// What an input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// This value.
    Value(i128),
    /// What leads on by this one of its [ways], by its number; where an assumption bars
    /// that, by the first one that is open.
    Way(usize),
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
const MOST_CONDITIONS: usize = 24;

/// The conditions on global variables that the program branches on: first those on what is
/// only ever read, which say from the start which way a run goes.
#[must_use]
pub fn conditions(program: &Program) -> Vec<Expr> {
    let mut computed = BTreeSet::new();
    let own = program.procedures.iter().filter(|it| !is_before(program, it));
    let blocks = own.flat_map(|procedure| &procedure.blocks);
    for instruction in blocks.flat_map(|block| &block.commands) {
        if let Command::Assign { target, .. } = &instruction.command {
            computed.insert(*target);
        }
    }
    let mut found = BTreeSet::new();
    for procedure in &program.procedures {
        for block in &procedure.blocks {
            let Terminator::Branch { condition, .. } = &block.terminator else { continue };
            let (mut n_read, mut is_global, mut is_computed) = (0, true, false);
            condition.variables().for_each(|variable| {
                let info = program.variable(variable);
                n_read += 1;
                is_global &= info.owner.is_none() && !info.name.contains('$');
                is_computed |= computed.contains(&variable);
            });
            if n_read > 0 && is_global {
                found.insert((is_computed, condition.clone()));
            }
        }
    }
    found.into_iter().map(|(_, condition)| condition).take(MOST_CONDITIONS).collect()
}

/// Whether a procedure is what stands before the function `main` of a C program.
fn is_before(program: &Program, procedure: &Procedure) -> bool {
    procedure.name.starts_with('$') && procedure.name == program.procedure(program.entry).name
}

/// More values than this are not tried for an input.
const MOST_VALUES: usize = 5;

/// Values that may be worth giving to inputs: those that the program compares with, and their
/// neighbours.
#[must_use]
pub fn values(program: &Program) -> Vec<i128> {
    let mut found: Vec<i128> = vec![0, 1];
    let mut read = |expr: &Expr| add_compared(expr, &mut found);
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

/// Adds the small numbers that an operator is applied to together with something else, and
/// their neighbours.
fn add_compared(expr: &Expr, found: &mut Vec<i128>) {
    let pairs = expr.parts().filter(|it| matches!(it, Expr::Binary(..)));
    for side in pairs.flat_map(Expr::operands) {
        let Expr::Constant(value) = *side else { continue };
        for near in [value, value.saturating_add(1), value.saturating_sub(1)] {
            if value.unsigned_abs() < 1 << 20 && !found.contains(&near) {
                found.push(near);
            }
        }
    }
}

/// A way on from an input on which a program branches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The value that leads there.
    pub value: i128,
    /// What is assumed there at once, of global variables.
    pub assumed: Vec<Expr>,
}

/// The ways on from an input, where the program branches on nothing else and assumes something
/// on one of them.
#[must_use]
pub fn ways(program: &Program, input: &Input) -> Vec<Way> {
    let procedure = program.procedure(input.procedure);
    let block = &procedure.blocks[input.block];
    let Terminator::Switch { value: Expr::Variable(value), cases, default } = &block.terminator
    else {
        return Vec::new();
    };
    let is_last = input.position + 1 == block.commands.len();
    let is_global = program.variable(input.target).owner.is_none();
    if *value != input.target || !is_last || !is_global {
        return Vec::new();
    }
    let mut ways = Vec::new();
    let mut other = 0;
    for (low, high, to) in cases {
        ways.push(Way { value: *low, assumed: assumed_at(program, procedure.block(*to)) });
        other = other.max(high.saturating_add(1));
    }
    ways.push(Way { value: other, assumed: assumed_at(program, procedure.block(*default)) });
    if ways.iter().any(|way| !way.assumed.is_empty()) { ways } else { Vec::new() }
}

/// What is assumed of global variables before anything else is done.
fn assumed_at(program: &Program, block: &Block) -> Vec<Expr> {
    let mut assumed = Vec::new();
    for instruction in &block.commands {
        let Command::Assume { condition } = &instruction.command else { break };
        let mut is_global = true;
        condition.variables().for_each(|it| is_global &= program.variable(it).owner.is_none());
        if is_global {
            assumed.push(condition.clone());
        }
    }
    assumed
}

/// What may be worth saying of an input: first what its own place suggests.
fn words(program: &Program, input: &Input, values: &[i128]) -> Vec<Said> {
    let n_ways = ways(program, input).len();
    if n_ways > 0 {
        return (0..n_ways).map(Said::Way).collect();
    }
    let mut near = Vec::new();
    let block = &program.procedure(input.procedure).blocks[input.block];
    for instruction in block.commands.iter().skip(input.position + 1) {
        let Command::Assume { condition } = &instruction.command else { break };
        add_compared(condition, &mut near);
    }
    for value in values {
        if !near.contains(value) {
            near.push(*value);
        }
    }
    let fits = |value: &i128| match input.ty {
        ScalarType::Int(kind) => kind.min() <= *value && *value <= kind.max(),
        ScalarType::Pointer | ScalarType::Float(_) => false,
    };
    near.into_iter().filter(fits).take(MOST_VALUES).map(Said::Value).collect()
}

/// What all inputs are: first anything, then for all of them the first word that there is for
/// each, and so on, then another one for one.
#[must_use]
pub fn assignments(
    program: &Program,
    inputs: &[Input],
    values: &[i128],
) -> Vec<BTreeMap<usize, Said>> {
    let words: Vec<Vec<Said>> = inputs.iter().map(|input| words(program, input, values)).collect();
    let most = words.iter().map(Vec::len).max().unwrap_or(0);
    let all = |place: usize| -> BTreeMap<usize, Said> {
        let numbered = words.iter().enumerate();
        let said = |(number, words): (usize, &Vec<Said>)| {
            words.get(place).or(words.last()).map(|word| (number, *word))
        };
        numbered.filter_map(said).collect()
    };
    let mut found = vec![BTreeMap::new()];
    let same: Vec<_> = (0..most).map(all).collect();
    found.extend(same.iter().cloned());
    for base in &same {
        for (number, words) in words.iter().enumerate() {
            for word in words {
                let mut other = base.clone();
                other.insert(number, *word);
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
