//! What C does not define: a side effect on an object beside another one, or beside a use of
//! its value, neither of which comes first (C11 6.5p2).

use super::tree::{AtomicOp, Expr, Place, Program};

/// The objects that an expression reads and writes, as sets of cells.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    read: u128,
    written: u128,
}

impl Uses {
    fn with(self, other: Self) -> Self {
        Self { read: self.read | other.read, written: self.written | other.written }
    }

    fn disagrees(self, other: Self) -> bool {
        self.written & (other.read | other.written) != 0 || other.written & self.read != 0
    }
}

/// Whether everything in an expression comes in an order where that matters. Calls do.
pub(crate) fn is_defined(program: &Program, expr: &Expr) -> bool {
    uses(program, expr).is_some()
}

fn cells(program: &Program, place: &Place) -> u128 {
    match place {
        Place::At(cell) => 1 << cell,
        Place::Element(first, _) => 3 << first,
        // Any number.
        Place::Pointed(..) => {
            let numbers = (1..127).take_while(|it| *it <= last_cell(program));
            numbers.filter(|it| program.kind(*it).is_some()).map(|it| 1_u128 << it).sum()
        }
        Place::Field(place, _) => cells(program, place),
    }
}

fn last_cell(program: &Program) -> i8 {
    program.objects.iter().map(|it| it.what.cells()).sum()
}

/// What an expression uses itself; nothing, if it is not defined.
fn uses(program: &Program, expr: &Expr) -> Option<Uses> {
    let operands: Option<Vec<Uses>> =
        expr.operands().into_iter().map(|it| uses(program, it)).collect();
    let operands = operands?;
    for (number, one) in operands.iter().enumerate() {
        if operands[..number].iter().any(|it| it.disagrees(*one)) {
            return None;
        }
    }
    let mut all = operands.iter().fold(Uses::default(), |all, it| all.with(*it));
    for later in expr.later() {
        all = all.with(uses(program, later)?);
    }
    match expr {
        Expr::Read(place) => all.read |= cells(program, place),
        Expr::Assign(place, _) | Expr::Update(_, place, ..) | Expr::Count { place, .. } => {
            let written = cells(program, place);
            if all.written & written != 0 {
                return None;
            }
            all.written |= written;
            if !matches!(expr, Expr::Assign(..)) {
                all.read |= written;
            }
        }
        Expr::Atomic(op, operands) => {
            let target = match operands.first() {
                Some(Expr::Address(cell)) => 1 << cell,
                _ => cells(program, &Place::Pointed(Expr::number(0), 0)),
            };
            all.read |= target;
            if *op != AtomicOp::Load {
                all.written |= target;
            }
        }
        _ => {}
    }
    Some(all)
}
