//! Thresholds of widening for what memory holds. In nodes it is mostly one of the program's
//! own constants, so a bound that grows stops at the next of these; in the fields of a block,
//! at the next one that numbers are compared with or divided by, or that chooses a way.

use heap::Atom;
use heap::state::{Kind, State};
use ir::{BinaryOp, Expr, Program, ScalarType, Terminator};
use logic::{Constraint, Integer, LinearExpr, Var};
use numeric::polyhedron::Polyhedron;
use std::collections::BTreeSet;

/// Programs with more constants than this have no thresholds: they would be
/// gone through one by one.
const MAX_CONSTANTS: usize = 24;
/// So many fields have thresholds.
const MAX_FIELDS: usize = 8;

/// In what a field stands.
#[derive(Clone, Copy)]
enum Owner {
    /// A node of a list that has no other node, perhaps.
    LoneNode,
    /// Anything else.
    Block,
}

/// The constants that a program writes or compares with.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeThresholds {
    constants: BTreeSet<i128>,
    /// The greatest and least numbers that comparisons and remainders leave.
    limits: BTreeSet<i128>,
    limits_fields: bool,
}

impl NodeThresholds {
    /// Those of a program.
    pub(super) fn of_program(program: &Program) -> Self {
        let (mut constants, mut limits) = (BTreeSet::new(), BTreeSet::new());
        // What models of the library compare has nothing to do with what a program's own fields hold.
        let own = program.procedures.iter().filter(|it| !it.name.contains('$'));
        for block in own.flat_map(|it| &it.blocks) {
            let of_commands = block.commands.iter().flat_map(|it| it.command.expressions());
            for expr in of_commands.chain(block.terminator.expression()) {
                constants.extend(expr.constants());
                collect_limits(expr, &mut limits);
            }
            limits.extend(cases(block));
        }
        for known in [&mut constants, &mut limits] {
            if known.len() > MAX_CONSTANTS {
                known.clear();
            }
        }
        Self { constants, limits, limits_fields: false }
    }

    /// Has thresholds for fields from now on. Whether there are any.
    pub(super) fn limit_fields(&mut self) -> bool {
        self.limits_fields = true;
        !self.limits.is_empty()
    }

    /// For each number in nodes and fields of `state`, the next thresholds outside of what it
    /// is in `numbers`.
    pub(super) fn around(&self, state: &State, numbers: &Polyhedron) -> Vec<Constraint> {
        let mut found = Vec::new();
        for variable in state.vocabulary.of_kind(Kind::Summary) {
            next_to(&self.constants, variable, numbers, &mut found);
            self.next_limits(variable, numbers, &mut found);
        }
        if self.limits_fields {
            for (variable, owner) in Self::fields(state) {
                let thresholds = match owner {
                    Owner::LoneNode => &self.constants,
                    Owner::Block => &self.limits,
                };
                next_to(thresholds, variable, numbers, &mut found);
            }
        }
        found
    }

    /// Adds the next limits on both sides of a number, where fields have thresholds.
    pub(super) fn next_limits(
        &self,
        variable: Var,
        numbers: &Polyhedron,
        found: &mut Vec<Constraint>,
    ) {
        if self.limits_fields {
            next_to(&self.limits, variable, numbers, found);
        }
    }

    /// The numbers that stand in fields of blocks, and in no variable of the program.
    fn fields(state: &State) -> Vec<(Var, Owner)> {
        let stores = state.stores.iter().flatten();
        let known: BTreeSet<Var> = stores.flat_map(|(_, value)| value.variables()).collect();
        let mut found = Vec::new();
        for atom in &state.heap.atoms {
            let Atom::Block(block) = atom else { continue };
            let numbers = block.cells.iter().filter(|it| matches!(it.ty, ScalarType::Int(_)));
            let numbers: Vec<Var> = numbers.filter_map(|it| it.value.as_var()).collect();
            let links = block.cells.iter().any(|it| it.ty == ScalarType::Pointer);
            let owner = match numbers.len() {
                1 if links && atom.is_heap() => Owner::LoneNode,
                0 => continue,
                // A scalar by itself is no field.
                1 if block.cells.first().is_some_and(|it| {
                    it.offset == 0 && block.size == LinearExpr::from(i64::from(it.ty.bytes(8)))
                }) =>
                {
                    continue;
                }
                _ => Owner::Block,
            };
            let fields = numbers.into_iter().filter(|it| !known.contains(it));
            found.extend(fields.map(|it| (it, owner)));
        }
        found.truncate(MAX_FIELDS);
        found
    }
}

/// The numbers that a block chooses its way by.
fn cases(block: &ir::Block) -> Vec<i128> {
    match &block.terminator {
        Terminator::Switch { cases, .. } => {
            cases.iter().flat_map(|(low, high, _)| [*low, *high]).collect()
        }
        Terminator::Goto(_)
        | Terminator::Branch { .. }
        | Terminator::Return(_)
        | Terminator::Halt => Vec::new(),
    }
}

/// Adds the next thresholds on both sides of a number.
fn next_to(
    thresholds: &BTreeSet<i128>,
    variable: Var,
    numbers: &Polyhedron,
    found: &mut Vec<Constraint>,
) {
    if thresholds.is_empty() || !numbers.mentions(variable) {
        return;
    }
    let (low, high) = numbers.bounds(&variable.into());
    let thresholds = || thresholds.iter().map(|it| Integer::from(*it));
    let bound = |it: Integer| LinearExpr::constant(it);
    if let Some(low) = low
        && let Some(next) = thresholds().rev().find(|it| *it <= low)
    {
        found.push(Constraint::ge(variable, bound(next)));
    }
    if let Some(high) = high
        && let Some(next) = thresholds().find(|it| *it >= high)
    {
        found.push(Constraint::le(variable, bound(next)));
    }
}

/// Notes the numbers at which comparisons and remainders end, on both sides.
fn collect_limits(expr: &Expr, limits: &mut BTreeSet<i128>) {
    use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual, Remainder};
    for part in expr.parts() {
        let Expr::Binary(op, left, right) = part else { continue };
        for side in [left, right] {
            match (op, &**side) {
                (Less | LessEqual | Greater | GreaterEqual | Remainder, Expr::Constant(it)) => {
                    limits.extend([Some(*it), it.checked_sub(1)].into_iter().flatten());
                }
                (Equal | NotEqual, Expr::Constant(it)) => {
                    limits.extend([-1, 0, 1].iter().filter_map(|by| it.checked_add(*by)));
                }
                _ => {}
            }
        }
    }
}
