//! Pointers in memory that are not read any more.
//!
//! What a variable held is forgotten where the variable is dead. Fields are not variables, but
//! many of them are looked at through one variable only:
//!
//! ```text
//!   struct list *list = *data;      data ↦ { x }
//!   while (...)                      what stands here at the loop tells states apart
//!       list = sorted(list);
//!   *data = list;                    nobody read it
//! ```
//!
//! Where states at one place become many, such pointers are forgotten. It is a guess: the field
//! might be read through another pointer. Then something is lost that was known, never anything
//! said that is wrong: the state describes more than before.

use super::Machine;
use evidence::place::{Place, Site};
use heap::Atom;
use heap::reach::reached;
use heap::state::{Kind, State};
use ir::{BinaryOp, BlockId, Callee, Command, Expr, ScalarType, Terminator, Variable};
use logic::{Integer, LinearExpr, Var};
use std::collections::BTreeSet;

/// So many calls deep uses are looked for.
const MAX_CALLS: u32 = 6;

/// A field, as seen through a variable: so many bytes behind what the variable holds.
#[derive(Clone, Copy)]
pub(super) struct Field {
    pub(super) variable: Variable,
    pub(super) offset: i128,
    pub(super) bytes: i128,
}

/// What may become of a field on the ways from a place to the end of a procedure.
#[derive(Clone, Copy, Default)]
struct Fate {
    /// It is read, or its address goes somewhere else.
    is_read: bool,
    /// The procedure ends before it is written.
    is_left: bool,
}

/// What a command does to a field.
pub(super) enum Use {
    None,
    Read,
    /// It is written or gone.
    Written,
    /// The variable holds something else.
    Lost,
}

/// Forgets pointers in memory that no variable that holds their block is used to read. Returns
/// whether there were any.
pub(super) fn forget_unread(machine: &Machine<'_>, state: &mut State, place: &Place) -> bool {
    let mut has_forgotten = false;
    for atom in 0..state.heap.atoms.len() {
        let Atom::Block(block) = &state.heap.atoms[atom] else { continue };
        let unread = block.cells.iter().enumerate().filter(|(_, cell)| {
            let is_address = cell.ty == ScalarType::Pointer
                && cell.value.variables().any(|v| state.vocabulary.kind(v) == Kind::Address);
            is_address && is_unread(machine, (state, block.base), cell.offset, place)
        });
        let unread: Vec<usize> = unread.map(|(index, _)| index).collect();
        for cell in unread {
            has_forgotten |= forget_pointer(state, atom, cell);
        }
    }
    has_forgotten
}

/// Forgets a pointer, unless something is reached through it alone. Returns whether it did.
pub(super) fn forget_pointer(state: &mut State, atom: usize, cell: usize) -> bool {
    let before = all_reached(state);
    let unknown: LinearExpr = state.fresh(Kind::Unknown).into();
    let exchange = |state: &mut State, value: LinearExpr| match &mut state.heap.atoms[atom] {
        Atom::Block(block) => std::mem::replace(&mut block.cells[cell].value, value),
        Atom::Instance(_) => value,
    };
    let known = exchange(state, unknown);
    let is_needed = all_reached(state) != before;
    if is_needed {
        exchange(state, known);
    }
    !is_needed
}

/// Which atoms program variables reach.
pub(super) fn all_reached(state: &State) -> Vec<bool> {
    let mut roots: BTreeSet<Var> = BTreeSet::new();
    state.stores.iter().flatten().for_each(|(_, value)| roots.extend(value.variables()));
    reached(state, roots)
}

/// Whether some variables hold the block at an address, and none of them is used to read a
/// pointer in it before it is written or gone.
fn is_unread(
    machine: &Machine<'_>,
    (state, base): (&State, Var),
    offset: i64,
    place: &Place,
) -> bool {
    let holders = |store: usize| {
        let values = state.stores.get(store).into_iter().flatten();
        values.filter_map(move |(variable, value)| {
            let start = value.sub(&base.into());
            let start = start.as_constant().and_then(Integer::to_i128)?;
            let bytes = i128::from(machine.program.pointer_bytes);
            Some(Field { variable: *variable, offset: i128::from(offset) - start, bytes })
        })
    };
    if holders(0).next().is_some() {
        return false;
    }
    let mut is_held = false;
    for (index, site) in place.sites.iter().enumerate().rev() {
        let is_innermost = index + 1 == place.sites.len();
        let from = Site { command: site.command + usize::from(!is_innermost), ..*site };
        let mut is_written = false;
        for field in holders(index + 1) {
            is_held = true;
            let fate = fate(machine, field, from, 0);
            if fate.is_read {
                return false;
            }
            is_written |= !fate.is_left;
        }
        if is_written {
            return true;
        }
    }
    is_held
}

/// What becomes of a field from a place on, in the procedure there and what it calls.
fn fate(machine: &Machine<'_>, field: Field, from: Site, n_calls: u32) -> Fate {
    let procedure = machine.program.procedure(from.procedure);
    let mut fate = Fate::default();
    let mut seen: BTreeSet<BlockId> = BTreeSet::new();
    let mut open = vec![(from.block, from.command)];
    while let Some((id, start)) = open.pop() {
        let block = procedure.block(id);
        let commands = block.commands.iter().skip(start);
        let end = commands
            .map(|instruction| use_of(machine, field, &instruction.command, n_calls))
            .find(|it| !matches!(it, Use::None));
        match (end.unwrap_or(Use::None), &block.terminator) {
            (Use::Read, _) => return Fate { is_read: true, ..fate },
            (Use::Written, _) => {}
            (Use::Lost, _) => fate.is_left = true,
            (Use::None, Terminator::Return(value)) => {
                fate.is_left = true;
                fate.is_read |= value.as_ref().is_some_and(|it| it.mentions(field.variable));
            }
            (
                Use::None,
                Terminator::Goto(_)
                | Terminator::Branch { .. }
                | Terminator::Switch { .. }
                | Terminator::Halt,
            ) => {
                let next = block.terminator.successors().into_iter();
                open.extend(next.filter(|it| seen.insert(*it)).map(|it| (it, 0)));
            }
        }
    }
    fate
}

pub(super) fn use_of(machine: &Machine<'_>, field: Field, command: &Command, n_calls: u32) -> Use {
    let bytes = |ty: ScalarType| i128::from(ty.bytes(machine.program.pointer_bytes));
    let is_apart = |offset: i128, bytes: i128| {
        offset + bytes <= field.offset || field.offset + field.bytes <= offset
    };
    let is_in = |expr: &Expr| expr.mentions(field.variable);
    match command {
        Command::Load { address, ty, .. } if is_in(address) => {
            match offset_from(field.variable, address) {
                Some(offset) if is_apart(offset, bytes(*ty)) => lost_by(field, command),
                _ => Use::Read,
            }
        }
        Command::Store { address, value, ty } if !is_in(value) => {
            match offset_from(field.variable, address) {
                Some(offset) if offset == field.offset && bytes(*ty) == field.bytes => Use::Written,
                Some(_) => Use::None,
                None if is_in(address) => Use::Read,
                None => Use::None,
            }
        }
        Command::Free { address, .. } if offset_from(field.variable, address).is_some() => {
            Use::Written
        }
        Command::Assume { .. } => Use::None,
        Command::Call { callee: Callee::Direct(callee), arguments, .. } => {
            let parameters = &machine.program.procedure(*callee).parameters;
            let mut is_written = false;
            for (index, argument) in arguments.iter().enumerate() {
                let passed = offset_from(field.variable, argument).zip(parameters.get(index));
                let Some((offset, parameter)) = passed else {
                    if is_in(argument) {
                        return Use::Read;
                    }
                    continue;
                };
                if n_calls >= MAX_CALLS {
                    return Use::Read;
                }
                let inner = Field { variable: *parameter, offset: field.offset - offset, ..field };
                let start = Site { procedure: *callee, block: BlockId(0), command: 0 };
                let fate = fate(machine, inner, start, n_calls + 1);
                if fate.is_read {
                    return Use::Read;
                }
                is_written |= !fate.is_left;
            }
            if is_written { Use::Written } else { lost_by(field, command) }
        }
        Command::Assign { .. }
        | Command::Havoc { .. }
        | Command::Load { .. }
        | Command::Store { .. }
        | Command::Allocate { .. }
        | Command::Measure { .. }
        | Command::Free { .. }
        | Command::Fill { .. }
        | Command::Copy { .. }
        | Command::Call { callee: Callee::Indirect(_), .. }
        | Command::Error { .. }
        | Command::Unsupported { .. } => {
            let mut is_used = false;
            command.expressions().for_each(|it| is_used |= is_in(it));
            if is_used { Use::Read } else { lost_by(field, command) }
        }
    }
}

fn lost_by(field: Field, command: &Command) -> Use {
    if command.target() == Some(field.variable) { Use::Lost } else { Use::None }
}

/// The constant distance of an address from what a variable holds.
fn offset_from(variable: Variable, address: &Expr) -> Option<i128> {
    match address {
        Expr::Variable(own) => (*own == variable).then_some(0),
        Expr::Binary(BinaryOp::Add, left, right) => match (left.as_ref(), right.as_ref()) {
            (address, Expr::Constant(offset)) | (Expr::Constant(offset), address) => {
                offset_from(variable, address)?.checked_add(*offset)
            }
            _ => None,
        },
        Expr::Constant(_)
        | Expr::Procedure(_)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Wrap(..) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Fate, Field, Machine, Site, fate};
    use heap::shape::ShapeLibrary;
    use ir::text::parse;
    use ir::{BlockId, Variable};
    use obligation::{Goal, Obligation};

    const TEXT: &str = "
procedure main() {
  local p: ptr
  local q: ptr
b0:
  goto b1
b1:
  if q != 0 goto b2 else b3
b2:
  q := [p + 8 : ptr]
  goto b1
b3:
  call give(q, p + 8)
  q := [p + 16 : ptr]
  q := p
  return
}

procedure give(what: ptr, where: ptr) {
b0:
  [where - 8 : ptr] := what
  if what != 0 goto b1 else b2
b1:
  [where + 8 : ptr] := what
  return
b2:
  return
}

entry main
";

    /// What becomes of so many bytes behind what `p` holds, and of `q`, from a block on.
    fn fates(offset: i128, block: u32) -> [Fate; 2] {
        let text = TEXT.replace("where - 8", "where + -8");
        let program = parse("unread.goto", &text).expect("a program").program;
        let library = ShapeLibrary::builtin().expect("shapes");
        let obligation = Obligation::new(&program, Goal::Ends);
        let machine = Machine::new(&obligation, &library);
        [Variable(0), Variable(1)].map(|variable| {
            let field = Field { variable, offset, bytes: 8 };
            let from = Site { procedure: program.entry, block: BlockId(block), command: 0 };
            fate(&machine, field, from, 0)
        })
    }

    #[test]
    fn a_field_is_written_before_it_is_read_or_not() {
        let [first, other] = fates(0, 0);
        assert!(!first.is_read && !first.is_left, "written by the call in each way");
        assert!(other.is_read, "what `q` holds goes somewhere else");
        assert!(fates(8, 0)[0].is_read, "in the loop");
        assert!(fates(8, 3)[0].is_read, "`p` goes somewhere else in the end");
        assert!(fates(16, 3)[0].is_read, "written in one way only");
    }
}
