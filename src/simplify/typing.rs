//! Which variables surely hold values of their type.
//!
//! The front end reduces what it assigns, but a goto program need not. So a
//! type is believed only where every assignment fits it: the greatest set of
//! variables and memory cells such that, if all of them fit, each assignment to
//! one of them fits. By induction over the steps of a run, they always do.

use super::facts::{Facts, Range};
use ir::{
    Block, Callee, Command, Expr, IntKind, Procedure, Program, ScalarType, Terminator, Variable,
};
use std::collections::BTreeSet;

/// What is known of the variables of a program.
#[derive(Clone, Debug, Default)]
pub(super) struct Typing {
    /// Bits in an address.
    pub(super) address_bits: u8,
    variables: Vec<Facts>,
}

/// The assignments that are yet believed to fit.
struct Belief<'program> {
    program: &'program Program,
    typing: Typing,
    /// Types of cells that a store may spoil.
    spoiled: BTreeSet<IntKind>,
    has_changed: bool,
}

impl Typing {
    /// Believes what all assignments of `program` support.
    pub(super) fn of_program(program: &Program) -> Self {
        let address_bits =
            u8::try_from(program.pointer_bytes.saturating_mul(8)).unwrap_or(128).min(126);
        let variables = program
            .variables
            .iter()
            .map(|info| facts_of_type(info.ty, program.pointer_bytes))
            .collect();
        let typing = Self { address_bits, variables };
        let mut belief = Belief { program, typing, spoiled: BTreeSet::new(), has_changed: true };
        while belief.has_changed {
            belief.has_changed = false;
            belief.check_all();
        }
        belief.typing
    }

    pub(super) fn of_variable(&self, variable: Variable) -> Facts {
        self.variables.get(variable.index()).copied().unwrap_or(Facts::word(Range::ALL))
    }

    /// What is known of an expression's value.
    pub(super) fn of_expr(&self, expr: &Expr) -> Facts {
        match expr {
            Expr::Constant(value) => Facts::number(Range::of(*value, *value)),
            Expr::Variable(variable) => self.of_variable(*variable),
            Expr::Procedure(_) => Facts::word(Range::ALL),
            Expr::Unary(op, operand) => Facts::unary(*op, &self.of_expr(operand)),
            Expr::Binary(op, left, right) => {
                Facts::binary(*op, &self.of_expr(left), &self.of_expr(right), self.address_bits)
            }
            Expr::Wrap(kind, operand) => {
                Facts::wrap(*kind, &self.of_expr(operand), self.address_bits)
            }
        }
    }
}

/// Signed integers of 32 bits and more are not bounded in the mathematical
/// model; only integers of an address's size hold addresses.
fn facts_of_type(ty: ScalarType, pointer_bytes: u32) -> Facts {
    match ty {
        ScalarType::Int(kind) if ty.bytes(pointer_bytes) < pointer_bytes => {
            Facts::number(range_of(kind))
        }
        ScalarType::Int(kind) => Facts::word(range_of(kind)),
        ScalarType::Pointer | ScalarType::Float(_) => Facts::word(Range::ALL),
    }
}

fn range_of(kind: IntKind) -> Range {
    if kind.signed && kind.bits >= 32 { Range::ALL } else { Range::of_kind(kind) }
}

impl<'program> Belief<'program> {
    fn check_all(&mut self) {
        let program = self.program;
        for block in program.blocks() {
            for instruction in &block.commands {
                self.check(&instruction.command);
            }
        }
    }

    fn check(&mut self, command: &'program Command) {
        match command {
            Command::Assign { target, value } => self.assign(*target, value),
            Command::Load { target, ty, .. } => match ty {
                ScalarType::Int(kind) if self.spoiled.contains(kind) => self.doubt(*target),
                _ => self.assign_fact(*target, &facts_of_type(*ty, self.program.pointer_bytes)),
            },
            Command::Store { value, ty: ScalarType::Int(kind), .. } => {
                let wanted = facts_of_type(ScalarType::Int(*kind), self.program.pointer_bytes);
                if !is_within(&self.typing.of_expr(value), &wanted) && self.spoiled.insert(*kind) {
                    self.has_changed = true;
                }
            }
            Command::Allocate { target, .. } => self.assign_fact(*target, &Facts::word(Range::ALL)),
            Command::Measure { target, .. } => self.doubt(*target),
            Command::Call { target, callee, arguments } => self.call(*target, callee, arguments),
            Command::Store { .. }
            | Command::Havoc { .. }
            | Command::Free { .. }
            | Command::Fill { .. }
            | Command::Copy { .. }
            | Command::Assume { .. }
            | Command::Error { .. }
            | Command::Unsupported { .. } => {}
        }
    }

    fn assign(&mut self, target: Variable, value: &Expr) {
        let facts = self.typing.of_expr(value);
        self.assign_fact(target, &facts);
    }

    fn assign_fact(&mut self, target: Variable, value: &Facts) {
        if !is_within(value, &self.typing.of_variable(target)) {
            self.doubt(target);
        }
    }

    fn doubt(&mut self, variable: Variable) {
        let nothing = Facts::word(Range::ALL);
        if let Some(known) = self.typing.variables.get_mut(variable.index())
            && *known != nothing
        {
            *known = nothing;
            self.has_changed = true;
        }
    }

    fn call(&mut self, target: Option<Variable>, callee: &Callee, arguments: &'program [Expr]) {
        let program = self.program;
        let may_be_called = |procedure: &&Procedure| procedure.parameters.len() == arguments.len();
        let candidates: Vec<&Procedure> = match callee {
            Callee::Direct(id) => program.entered(*id).map(|id| program.procedure(id)).collect(),
            Callee::Indirect(_) => program.procedures.iter().filter(may_be_called).collect(),
        };
        for procedure in candidates {
            for (parameter, argument) in procedure.parameters.iter().zip(arguments) {
                self.assign(*parameter, argument);
            }
            for value in target.iter().flat_map(|_| procedure.blocks.iter().filter_map(returned)) {
                target.iter().for_each(|target| self.assign(*target, value));
            }
        }
    }
}

fn returned(block: &Block) -> Option<&Expr> {
    match &block.terminator {
        Terminator::Return(value) => value.as_ref(),
        Terminator::Goto(_)
        | Terminator::Branch { .. }
        | Terminator::Switch { .. }
        | Terminator::Halt => None,
    }
}

fn is_within(value: &Facts, wanted: &Facts) -> bool {
    (value.is_number || !wanted.is_number) && value.range.lies_in(wanted.range)
}
