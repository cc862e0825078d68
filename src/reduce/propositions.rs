//! The propositions of formulas: C expressions, read as functions of the program.

use super::instrument::{add_global, add_local, add_procedure, block, call, procedure_named};
use base::source::{Span, line_and_column};
use ir::cutpoint::{CallGraph, CutSet};
use ir::text;
use ir::{
    Callee, Command, Expr, HavocSource, Instruction, IntKind, ProcedureId, Program, ScalarType,
    Terminator, Variable,
};
use std::collections::BTreeSet;
use temporal::formula::Proposition;
use wane_grammar::temporal::tree::Formula;
use wane_grammar::temporal::{self as grammar, Logic};

/// What gives variables the values with which a transition system begins.
const START: &str = "$start";
/// The type of what automata and propositions are counted in.
pub(super) const NUMBER: ScalarType = ScalarType::Int(IntKind { bits: 32, signed: true });
/// The type of the variables of a transition system.
const WIDE: ScalarType = ScalarType::Int(IntKind { bits: 128, signed: true });
/// What the name of a procedure for a proposition begins with.
const PROPOSITION: &str = "$proposition";
/// The procedure that `__VERIFIER_ltl_step` calls.
pub(super) const STEP: &str = "$step";

/// Why a text is no formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaError {
    /// What is wrong.
    pub message: String,
    /// The first byte that is.
    pub start: usize,
    /// How many bytes are.
    pub length: usize,
}

/// The tree of a formula.
pub(super) fn parsed(text: &str, logic: Logic) -> Result<Formula, FormulaError> {
    grammar::parse(text, logic).map_err(|error| FormulaError {
        message: error.message,
        start: error.start,
        length: error.end.saturating_sub(error.start).max(1),
    })
}

/// The propositions of a formula, by number.
#[derive(Clone, Copy)]
pub(super) struct Propositions<'a>(pub(super) &'a [Proposition]);

/// The text with `==` for the `=` of some transition systems.
fn with_equalities(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    let mut last = ' ';
    while let Some(letter) = letters.next() {
        written.push(letter);
        let is_alone = !matches!(last, '=' | '!' | '<' | '>') && letters.peek() != Some(&'=');
        if letter == '=' && is_alone {
            written.push('=');
        }
        last = letter;
    }
    written
}

/// Gives all variables arbitrary values before the entry of a transition system is called: what
/// reads one twice reads the same.
fn begin_anywhere(program: &mut Program) {
    let own = (0..program.variables.len()).map(Variable::at);
    let start_with = |target: Variable| {
        let source = HavocSource::Input(program.variable(target).name.clone());
        Command::Havoc { target, source }
    };
    let own = own.filter(|it| is_plain_name(&program.variable(*it).name));
    let mut commands: Vec<Command> = own.map(start_with).collect();
    commands.push(call(program.entry, Span::NOWHERE).command);
    let start = add_procedure(program, START);
    program.procedures[start.index()].blocks = vec![block(commands, Terminator::Halt)];
    program.entry = start;
}

impl Propositions<'_> {
    /// That each is one expression over variables outside of functions.
    pub(super) fn check(self) -> Result<(), FormulaError> {
        for Proposition { text, start } in self.0 {
            let message = if text.contains("::") {
                "a variable of a function: formulas speak of variables outside of functions"
            } else if !is_one_expression(text) {
                "this is not one C expression"
            } else {
                continue;
            };
            let (message, start) = (message.to_owned(), *start);
            return Err(FormulaError { message, start, length: text.len() });
        }
        Ok(())
    }

    /// C text with a function for each, in a file called `formula` that holds this formula.
    pub(super) fn appendix(self, formula: &str) -> String {
        let mut text = format!("# 1 \"formula\"\nvoid {STEP}(void) {{}}\n");
        for (number, Proposition { text: expression, start }) in self.0.iter().enumerate() {
            let (line, column) = line_and_column(formula, *start);
            text.push_str(&format!("_Bool {PROPOSITION}{number}(void) {{ return (\n"));
            text.push_str(&format!("# {line} \"formula\"\n{}{expression}", " ".repeat(column - 1)));
            text.push_str("\n# 1 \"formula\"\n); }\n");
        }
        text
    }

    /// A transition system with a procedure for each, where all variables are global. Its
    /// own names are those of the text it came from.
    pub(super) fn added_to(self, program: &Program) -> Result<Program, String> {
        let mut program = program.clone();
        let mut known = String::new();
        let mut seen = BTreeSet::new();
        for info in &mut program.variables {
            info.owner = None;
            if is_plain_name(&info.name) && seen.insert(info.name.clone()) {
                known.push_str(&format!("global {}: i128\n", info.name));
            }
        }
        for name in self.0.iter().flat_map(|it| names_in(&it.text)) {
            // A variable that no transition speaks of keeps the value that it has at first.
            if seen.insert(name.to_owned()) {
                known.push_str(&format!("global {name}: i128\n"));
                add_global(&mut program, name, WIDE);
            }
        }
        for (number, Proposition { text, .. }) in self.0.iter().enumerate() {
            let name = format!("{PROPOSITION}{number}");
            let text = with_equalities(text);
            let text = format!(
                "{known}procedure main() -> i32 {{\nb0:\n  return {text}\n}}\nentry main\n"
            );
            let parsed = text::parse("formula", &text).map_err(|errors| {
                let first = errors.first().map(|error| error.message.clone());
                format!("the formula: {}", first.unwrap_or_default())
            })?;
            let Some(Terminator::Return(Some(value))) =
                parsed.program.procedures.first().map(|it| it.blocks[0].terminator.clone())
            else {
                return Err("a formula that was not read".to_owned());
            };
            let value = renamed(&value, &parsed.program, &program);
            let procedure = add_procedure(&mut program, &name);
            let body = &mut program.procedures[procedure.index()];
            body.result = Some(NUMBER);
            body.blocks[0].terminator = Terminator::Return(Some(value));
        }
        begin_anywhere(&mut program);
        Ok(program)
    }

    /// The functions of the [appendix](Self::appendix).
    pub(super) fn roots(self) -> Vec<String> {
        let functions = (0..self.0.len()).map(|number| format!("{PROPOSITION}{number}"));
        functions.chain([STEP.to_owned()]).collect()
    }

    /// The procedures of a program that has the appendix.
    pub(super) fn procedures(self, program: &Program) -> Result<Vec<ProcedureId>, String> {
        let named = |number| procedure_named(program, &format!("{PROPOSITION}{number}"));
        let all = (0..self.0.len()).map(named);
        all.collect::<Option<_>>().ok_or_else(|| "a formula that was not read".to_owned())
    }

    /// What the propositions depend on.
    pub(super) fn relevant(self, program: &Program) -> Result<Relevant, String> {
        let calls = CallGraph::of_program(program);
        let mut open = self.procedures(program)?;
        let mut reached: BTreeSet<ProcedureId> = open.iter().copied().collect();
        let mut relevant = Relevant::default();
        let own = open.clone();
        while let Some(procedure) = open.pop() {
            let body = program.procedure(procedure);
            let repeats =
                calls.may_recurse(procedure) || CutSet::of_procedure(body).iter().next().is_some();
            if repeats && !own.contains(&procedure) {
                return Err(format!(
                    "a formula that calls `{}`, which repeats something",
                    body.name
                ));
            }
            open.extend(calls.callees(procedure).filter(|callee| reached.insert(*callee)));
            for block in &program.procedure(procedure).blocks {
                let mut read = |expr: &Expr| {
                    expr.variables().for_each(|variable| {
                        if program.variable(variable).owner.is_none() {
                            relevant.globals.insert(variable);
                        }
                    });
                };
                block.terminator.expression().into_iter().for_each(&mut read);
                for instruction in &block.commands {
                    instruction.command.expressions().for_each(&mut read);
                    if !is_harmless(program, &instruction.command) {
                        let name = &program.procedure(procedure).name;
                        let what = self.described(name);
                        return Err(format!(
                            "a formula with {what}, which is more than a look at numbers"
                        ));
                    }
                    relevant.memory |= !matches!(
                        instruction.command,
                        Command::Assign { .. } | Command::Assume { .. } | Command::Call { .. }
                    );
                }
            }
        }
        Ok(relevant)
    }

    /// The proposition whose procedure has this name.
    fn described(self, name: &str) -> String {
        let number = name.strip_prefix(PROPOSITION).and_then(|it| it.parse::<usize>().ok());
        let text = number.and_then(|number| self.0.get(number));
        text.map_or_else(
            || format!("a call of `{name}`"),
            |proposition| format!("`{}`", proposition.text),
        )
    }

    /// How they are evaluated in a procedure: commands before, and expressions.
    pub(super) fn values(
        self,
        program: &mut Program,
        observer: ProcedureId,
    ) -> Result<(Vec<Command>, Vec<Expr>), String> {
        let mut commands = Vec::new();
        let mut values = Vec::new();
        for procedure in self.procedures(program)? {
            if let Some(value) = plain_value(program, procedure) {
                values.push(value);
                continue;
            }
            let target = add_local(program, observer, "$value", NUMBER);
            let callee = Callee::Direct(procedure);
            commands.push(Command::Call { target: Some(target), callee, arguments: Vec::new() });
            values.push(target.into());
        }
        Ok((commands, values))
    }
}

/// The names in the text of an expression.
fn names_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_')
        .filter(|it| it.starts_with(|first: char| !first.is_ascii_digit()))
}

/// Whether a name can stand in the text of a goto program.
fn is_plain_name(name: &str) -> bool {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    name.chars().all(is_part) && name.starts_with(|it: char| !it.is_ascii_digit())
}

/// An expression with the variables of another program that have the same names.
fn renamed(expr: &Expr, from: &Program, to: &Program) -> Expr {
    let again = |operand: &Expr| Box::new(renamed(operand, from, to));
    match expr {
        Expr::Constant(_) | Expr::Procedure(_) => expr.clone(),
        Expr::Variable(variable) => {
            let name = &from.variable(*variable).name;
            let known = to.variables.iter().position(|it| it.name == *name);
            Expr::Variable(known.map_or(*variable, Variable::at))
        }
        Expr::Unary(op, operand) => Expr::Unary(*op, again(operand)),
        Expr::Binary(op, left, right) => Expr::Binary(*op, again(left), again(right)),
        Expr::Wrap(kind, operand) => Expr::Wrap(*kind, again(operand)),
    }
}

/// Whether a procedure is one of an appendix.
pub(super) fn is_of_appendix(program: &Program, procedure: ProcedureId) -> bool {
    let name = program.procedure(procedure).name.as_str();
    name.starts_with(PROPOSITION) || name == STEP
}

/// The value of a proposition that is an expression over global variables.
fn plain_value(program: &Program, procedure: ProcedureId) -> Option<Expr> {
    match program.procedure(procedure).blocks.as_slice() {
        [only] if only.commands.is_empty() => match &only.terminator {
            Terminator::Return(value) => value.clone(),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a command of a proposition leaves the program as it is, and is the same however
/// often it is done.
fn is_harmless(program: &Program, command: &Command) -> bool {
    let is_local = |target: &Variable| program.variable(*target).owner.is_some();
    match command {
        Command::Assign { target, .. } | Command::Load { target, .. } => is_local(target),
        Command::Call { target, callee, .. } => {
            target.as_ref().is_none_or(is_local) && matches!(callee, Callee::Direct(_))
        }
        Command::Assume { .. } => true,
        Command::Havoc { .. }
        | Command::Store { .. }
        | Command::Allocate { .. }
        | Command::Measure { .. }
        | Command::Free { .. }
        | Command::Fill { .. }
        | Command::Copy { .. }
        | Command::Error { .. }
        | Command::Unsupported { .. } => false,
    }
}

/// What the propositions of a formula depend on.
#[derive(Default)]
pub(super) struct Relevant {
    globals: BTreeSet<Variable>,
    memory: bool,
}

impl Relevant {
    /// Whether a command may change a proposition.
    pub(super) fn may_change(&self, instruction: &Instruction) -> bool {
        let command = &instruction.command;
        let writes_memory = matches!(
            command,
            Command::Store { .. }
                | Command::Fill { .. }
                | Command::Copy { .. }
                | Command::Free { .. }
                | Command::Allocate { .. }
        );
        command.target().is_some_and(|target| self.globals.contains(&target))
            || self.memory && writes_memory
    }
}

/// Whether the parentheses of a text are its own, and it ends no statement.
fn is_one_expression(text: &str) -> bool {
    let mut depth = 0_usize;
    text.chars().all(|letter| {
        match letter {
            '(' => depth += 1,
            ')' if depth == 0 => return false,
            ')' => depth -= 1,
            ';' | '{' | '}' | '#' | '\n' => return false,
            _ => {}
        }
        true
    }) && depth == 0
        && !text.contains("//")
        && !text.contains("/*")
}

/// A number of an automaton.
pub(super) fn constant(number: usize) -> Expr {
    Expr::Constant(i128::try_from(number).unwrap_or(i128::MAX))
}

#[cfg(test)]
mod tests {
    use super::with_equalities;

    #[test]
    fn a_single_sign_is_an_equality() {
        assert_eq!(with_equalities("x = 1 && y >= 2"), "x == 1 && y >= 2");
        assert_eq!(with_equalities("x == 1 || y != z || y<=3"), "x == 1 || y != z || y<=3");
    }
}
