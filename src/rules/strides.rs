//! How far apart elements lie that addresses are of.

use ir::{BinaryOp, Callee, Command, Expr, Program, ScalarType, Variable};
use std::collections::BTreeMap;

/// How many bytes indices in an address count, if it has any.
pub(super) fn stride_of(program: &Program, address: &Expr) -> Option<i64> {
    let of_both = |left: &Expr, right: &Expr| {
        let (left, right) = (stride_of(program, left), stride_of(program, right));
        match (left, right) {
            (Some(left), Some(right)) => Some(num_integer::gcd(left, right)),
            (left, right) => left.or(right),
        }
    };
    match address {
        Expr::Variable(variable) => {
            matches!(program.variable(*variable).ty, ScalarType::Int(_)).then_some(1)
        }
        Expr::Binary(BinaryOp::Multiply, left, right) => match (&**left, &**right) {
            (Expr::Constant(bytes), index) | (index, Expr::Constant(bytes)) => {
                let bytes = i64::try_from(*bytes).ok().filter(|bytes| *bytes > 0)?;
                stride_of(program, index)?.checked_mul(bytes)
            }
            (left, right) => of_both(left, right),
        },
        Expr::Binary(_, left, right) => of_both(left, right),
        Expr::Unary(_, operand) | Expr::Wrap(_, operand) => stride_of(program, operand),
        Expr::Constant(_) | Expr::Procedure(_) => None,
    }
}

/// The pointers that get the address of a structure by its index, with the bytes of that.
pub(super) fn walks(program: &Program) -> BTreeMap<Variable, i64> {
    let forms = &program.forms;
    let mut found = BTreeMap::new();
    let mut note = |pointer: Variable, address: &Expr| {
        let form = forms.of(pointer).map(|it| forms.element(it));
        let form = form.filter(|it| forms.is_structure(*it));
        let bytes = form.and_then(|it| i64::try_from(forms.size(it)).ok());
        if let Some(bytes) = bytes.filter(|it| stride_of(program, address) == Some(*it)) {
            found.insert(pointer, bytes);
        }
    };
    for command in program.commands() {
        match command {
            Command::Assign { target, value } => note(*target, value),
            Command::Call { callee: Callee::Direct(callee), arguments, .. } => {
                let parameters = &program.procedure(*callee).parameters;
                parameters.iter().zip(arguments).for_each(|(it, value)| note(*it, value));
            }
            _ => {}
        }
    }
    found
}
