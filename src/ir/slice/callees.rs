//! Calls through pointers as choices between the procedures that they may reach, where addresses of
//! procedures are no values.
//!
//! ```text
//!   f₁ … fₙ: the procedures whose addresses are taken, with the types of this call
//!   ─────────────────────────────────────────────────────────────────────────────── CALLEES
//!   x := (*E)(A)  ⟶  x := d(A),  d(a) = f₁(a) or … fₙ(a) or (*0)()
//!   f             ⟶  some address
//! ```
//!
//! A function that is analysed by itself may also reach functions that it does not know, whose
//! addresses came in: these return any value, as its report says. Those that may give up what they
//! are handed, as the report says as well, may do so with each object.

use super::sum::sum;
use crate::cutpoint::CallGraph;
use crate::{
    Block, BlockId, Callee, Command, Expr, Gap, HavocSource, Instruction, IntKind, Procedure,
    ProcedureId, Program, ScalarType, Terminator, Variable, VariableInfo,
};
use base::source::Span;

/// What is said of functions that came in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Outside {
    /// They leave memory as it is, or nothing is said of memory.
    LeavesMemory,
    /// Some may give up what they are handed.
    MayGiveUp,
}

/// The program where calls through pointers reach nothing and addresses of procedures are no
/// values. Procedures, variables and blocks that it had stay what they were.
pub(super) fn as_choices(program: &Program, outside: Outside) -> Program {
    let calls = CallGraph::of_program(program);
    let taken = calls.address_taken();
    let mut choices = Choices { program: program.clone(), taken, outside };
    choices.calls();
    choices.addresses();
    choices.program
}

/// How the procedures are called that choose what is called.
pub(super) const CHOICE: &str = "$callee$";

/// What the address of a procedure is called.
pub(super) const ADDRESS: &str = "the address of a function";

struct Choices<'a> {
    program: Program,
    /// The procedures whose addresses are taken.
    taken: &'a [ProcedureId],
    outside: Outside,
}

impl Choices<'_> {
    fn variable(&mut self, name: String, ty: ScalarType, owner: Option<ProcedureId>) -> Variable {
        self.program.variables.push(VariableInfo { name, ty, owner, span: Span::NOWHERE });
        Variable::at(self.program.variables.len() - 1)
    }

    /// Each address becomes a value that is chosen once.
    fn addresses(&mut self) {
        let mut places = Vec::new();
        for procedure in self.taken {
            let name = format!("$address${}", self.program.procedure(*procedure).name);
            let place = self.variable(name, ScalarType::Pointer, None);
            places.push((*procedure, place));
        }
        let place_of = |procedure: ProcedureId| {
            places.binary_search_by_key(&procedure, |it| it.0).ok().map(|index| places[index].1)
        };
        for block in self.program.procedures.iter_mut().flat_map(|it| &mut it.blocks) {
            let mut replace = |it: &mut Expr| put(it, &place_of);
            for instruction in &mut block.commands {
                instruction.command.for_each_expression_mut(&mut replace);
            }
            block.terminator.expression_mut().into_iter().for_each(replace);
        }
        let entry = &mut self.program.procedures[self.program.entry.index()];
        let Some(first) = entry.blocks.first_mut() else { return };
        let chosen = places.iter().map(|(_, target)| {
            let source = HavocSource::Approximation(ADDRESS.to_owned());
            let command = Command::Havoc { target: *target, source };
            Instruction { command, span: Span::NOWHERE }
        });
        first.commands.splice(0..0, chosen);
    }

    fn calls(&mut self) {
        for procedure in 0..self.program.procedures.len() {
            for block in 0..self.program.procedures[procedure].blocks.len() {
                for at in 0..self.program.procedures[procedure].blocks[block].commands.len() {
                    let code = &self.program.procedures[procedure].blocks[block];
                    let Instruction { command, span } = code.commands[at].clone();
                    if let Command::Call { target, callee: Callee::Indirect(_), arguments } =
                        command
                    {
                        let command = self.call(target, arguments, span);
                        let code = &mut self.program.procedures[procedure].blocks[block];
                        code.commands[at].command = command;
                    }
                }
            }
        }
    }

    /// The call of one of the procedures that may be called so.
    fn call(&mut self, target: Option<Variable>, mut arguments: Vec<Expr>, span: Span) -> Command {
        let ways = self.taken.iter().copied();
        let ways: Vec<ProcedureId> =
            ways.filter(|it| self.program.is_callable_as(*it, target, &arguments)).collect();
        let id = ProcedureId::at(self.program.procedures.len());
        let types = |it: &ProcedureId| {
            let parameters = self.program.procedure(*it).parameters.iter();
            parameters.map(|it| self.program.variable(*it).ty).collect::<Vec<_>>()
        };
        let gives_up = self.outside == Outside::MayGiveUp
            && self.program.open.as_ref().is_some_and(|it| it.givers.contains(&span));
        if ways.is_empty() && gives_up {
            arguments.retain(|it| sum(&self.program.variables, it).is_some());
        }
        let only_objects = || vec![ScalarType::Pointer; if gives_up { arguments.len() } else { 0 }];
        let parameters = ways.first().map_or_else(only_objects, types);
        let mut own = |name: &str, ty| self.variable(format!("${name}"), ty, Some(id));
        let parameters: Vec<Variable> =
            parameters.into_iter().map(|ty| own("argument", ty)).collect();
        let choice = own("callee", ScalarType::Int(IntKind { bits: 32, signed: false }));
        let result = target.map(|target| self.program.variable(target).ty);
        let value = result.map(|ty| self.variable("$result".to_owned(), ty, Some(id)));
        arguments.truncate(parameters.len());

        let block = |commands: Vec<Command>, terminator| {
            let commands = commands.into_iter().map(|command| Instruction { command, span });
            Block { commands: commands.collect(), terminator, span }
        };
        let back = Terminator::Return(value.map(Expr::from));
        let source = |what: &str| HavocSource::Approximation(what.to_owned());
        let choose = Command::Havoc { target: choice, source: source("the function called here") };
        let numbered = (1..).zip(1..=ways.len());
        let cases = numbered.map(|(number, way)| (number, number, BlockId::at(way))).collect();
        let default = BlockId::at(ways.len() + 1);
        let mut blocks =
            vec![block(vec![choose], Terminator::Switch { value: choice.into(), cases, default })];
        for way in ways {
            let arguments = parameters.iter().map(|it| Expr::from(*it)).collect();
            let call = Command::Call { target: value, callee: Callee::Direct(way), arguments };
            blocks.push(block(vec![call], back.clone()));
        }
        blocks.push(match self.program.open {
            Some(_) => {
                let value = value.iter().map(|target| Command::Havoc {
                    target: *target,
                    source: source("a function that came in"),
                });
                let objects = parameters.iter().filter(|_| gives_up);
                let objects = objects
                    .filter(|it| self.program.variable(**it).ty == ScalarType::Pointer)
                    .map(|it| Command::Unsupported {
                        what: "a function that may give up what it is handed".to_owned(),
                        gap: Gap::Handed((*it).into()),
                    });
                block(objects.chain(value).collect(), back)
            }
            None => {
                let callee = Callee::Indirect(Expr::Constant(0));
                let call = Command::Call { target: value, callee, arguments: Vec::new() };
                block(vec![call], Terminator::Halt)
            }
        });
        self.program.procedures.push(Procedure {
            name: format!("{CHOICE}{}", id.index()),
            parameters,
            lasting: Vec::new(),
            result,
            blocks,
            span,
            shortcut: None,
        });
        Command::Call { target, callee: Callee::Direct(id), arguments }
    }
}

/// Puts variables in place of addresses.
fn put(expr: &mut Expr, place_of: &impl Fn(ProcedureId) -> Option<Variable>) {
    if let Expr::Procedure(procedure) = expr
        && let Some(place) = place_of(*procedure)
    {
        *expr = place.into();
    }
    expr.operands_mut().for_each(|it| put(it, place_of));
}
