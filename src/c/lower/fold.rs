//! Expressions made small: constants folded, ranges known without analysis.

use ir::semantics::IntModel;
use ir::{BinaryOp, Expr, IntKind, ScalarType, UnaryOp, VariableInfo, semantics};

/// `left op right`, folded where that is exact.
pub(super) fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    use BinaryOp::{Add, Divide, Multiply, Or, ShiftLeft, ShiftRight, Subtract, Xor};
    if let (Expr::Constant(a), Expr::Constant(b)) = (&left, &right)
        && let Ok(value) = semantics::binary(op, *a, *b)
    {
        return Expr::Constant(value);
    }
    match (op, &left, &right) {
        (Add | Subtract | ShiftLeft | ShiftRight | Or | Xor, _, Expr::Constant(0)) => left,
        (Multiply | Divide, _, Expr::Constant(1)) => left,
        (Add, Expr::Constant(0), _) | (Multiply, Expr::Constant(1), _) => right,
        (Multiply, Expr::Constant(0), other) | (Multiply, other, Expr::Constant(0))
            if other.is_total() =>
        {
            Expr::Constant(0)
        }
        (Add | Subtract, _, Expr::Constant(_)) => sum_with_constant(op, left, right),
        _ => Expr::binary(op, left, right),
    }
}

/// `(x + 1) + 2` is `x + 3`.
fn sum_with_constant(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let Expr::Constant(outer) = right else { return Expr::binary(op, left, right) };
    let Expr::Binary(inner_op @ (BinaryOp::Add | BinaryOp::Subtract), base, inner) = &left else {
        return Expr::binary(op, left, right);
    };
    let Expr::Constant(inner) = **inner else { return Expr::binary(op, left, right) };
    let signed = |op: BinaryOp, value: i128| {
        if op == BinaryOp::Subtract { value.checked_neg() } else { Some(value) }
    };
    let total = signed(op, outer).zip(signed(*inner_op, inner)).and_then(|(a, b)| a.checked_add(b));
    match total {
        Some(0) => (**base).clone(),
        Some(total) if total < 0 && total > i128::MIN => {
            Expr::binary(BinaryOp::Subtract, (**base).clone(), Expr::Constant(-total))
        }
        Some(total) => Expr::binary(BinaryOp::Add, (**base).clone(), Expr::Constant(total)),
        None => Expr::binary(op, left, right),
    }
}

/// `op operand`, folded; the negation of a comparison is the opposite one.
pub(super) fn unary(op: UnaryOp, operand: Expr) -> Expr {
    match (op, operand) {
        (op, Expr::Constant(value)) => match semantics::unary(op, value) {
            Ok(result) => Expr::Constant(result),
            Err(_) => Expr::unary(op, Expr::Constant(value)),
        },
        (UnaryOp::Not, Expr::Binary(op, left, right)) => match op.negated() {
            Some(opposite) => Expr::Binary(opposite, left, right),
            None => Expr::binary(BinaryOp::Equal, Expr::Binary(op, left, right), Expr::Constant(0)),
        },
        (UnaryOp::Not, other) => Expr::binary(BinaryOp::Equal, other, Expr::Constant(0)),
        (op, operand) => Expr::unary(op, operand),
    }
}

/// Whether the expression is a comparison, so that its value is 0 or 1.
pub(super) fn is_truth(expr: &Expr) -> bool {
    match expr {
        Expr::Constant(value) => *value == 0 || *value == 1,
        Expr::Binary(op, ..) => op.is_comparison(),
        Expr::Unary(UnaryOp::Not, _) => true,
        _ => false,
    }
}

/// The expression as 0 or 1.
pub(super) fn truth(expr: Expr) -> Expr {
    if is_truth(&expr) {
        return expr;
    }
    match expr {
        Expr::Procedure(_) => Expr::Constant(1),
        other => binary(BinaryOp::NotEqual, other, Expr::Constant(0)),
    }
}

/// How far the range of an expression is looked for.
const RANGE_DEPTH: u32 = 8;

/// Reads ranges off expressions.
pub(super) struct Ranges<'a> {
    pub(super) variables: &'a [VariableInfo],
    pub(super) model: IntModel,
    pub(super) pointer_bits: u8,
}

impl Ranges<'_> {
    /// The value reduced to the range of `kind`, with no operation where it is
    /// there already.
    pub(super) fn wrap(&self, kind: IntKind, expr: Expr) -> Expr {
        if kind.bits > 126 {
            // Every number here has at most 128 bits and a sign.
            let fits = |value: i128| kind.bits == 128 && (kind.signed || value >= 0);
            if matches!(expr, Expr::Constant(value) if fits(value)) {
                return expr;
            }
            return Expr::Wrap(kind, Box::new(expr));
        }
        if let Expr::Constant(value) = expr {
            return Expr::Constant(kind.wrap(value));
        }
        match self.range(&expr, RANGE_DEPTH) {
            Some((low, high)) if kind.min() <= low && high <= kind.max() => expr,
            _ => match expr {
                // Inner reductions to wider types make no difference.
                Expr::Wrap(inner, operand) if inner.bits >= kind.bits => self.wrap(kind, *operand),
                other => Expr::Wrap(kind, Box::new(other)),
            },
        }
    }

    /// Bounds that hold without any analysis of the program.
    pub(super) fn of(&self, expr: &Expr) -> Option<(i128, i128)> {
        self.range(expr, RANGE_DEPTH)
    }

    fn range(&self, expr: &Expr, depth: u32) -> Option<(i128, i128)> {
        let depth = depth.checked_sub(1)?;
        match expr {
            Expr::Constant(value) => Some((*value, *value)),
            Expr::Variable(variable) => {
                self.range_of_type(self.variables.get(variable.index())?.ty)
            }
            Expr::Procedure(_) => self.range_of_type(ScalarType::Pointer),
            Expr::Wrap(kind, _) if kind.bits <= 126 => {
                let kind = *kind;
                Some((kind.min(), kind.max()))
            }
            Expr::Wrap(..) => None,
            Expr::Unary(UnaryOp::Not, _) => Some((0, 1)),
            Expr::Unary(UnaryOp::Negate, operand) => {
                let (low, high) = self.range(operand, depth)?;
                Some((high.checked_neg()?, low.checked_neg()?))
            }
            Expr::Unary(UnaryOp::BitNot, operand) => {
                let (low, high) = self.range(operand, depth)?;
                Some((!high, !low))
            }
            Expr::Binary(op, left, right) => self.range_of_binary(*op, left, right, depth),
        }
    }

    fn range_of_type(&self, ty: ScalarType) -> Option<(i128, i128)> {
        match ty {
            ScalarType::Int(kind) if kind.bits > 126 => None,
            ScalarType::Int(kind) if kind.signed && self.model == IntModel::Math => None,
            ScalarType::Int(kind) => Some((kind.min(), kind.max())),
            ScalarType::Pointer => Some((0, (1_i128 << self.pointer_bits) - 1)),
            ScalarType::Float(_) => None,
        }
    }

    fn range_of_binary(
        &self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        depth: u32,
    ) -> Option<(i128, i128)> {
        if op.is_comparison() {
            return Some((0, 1));
        }
        let left = self.range(left, depth);
        let (low, high) = self.range(right, depth)?;
        match op {
            // A mask that is not negative bounds the result, whatever is masked.
            BinaryOp::And if low >= 0 => Some((0, high)),
            BinaryOp::Remainder if low > 0 => {
                let bottom = if left.is_some_and(|(low, _)| low >= 0) { 0 } else { 1 - high };
                Some((bottom, high - 1))
            }
            BinaryOp::Divide | BinaryOp::ShiftRight
                if low > 0 || op == BinaryOp::ShiftRight && low >= 0 =>
            {
                let (bottom, top) = left?;
                Some((bottom.min(0), top.max(0)))
            }
            BinaryOp::Add => {
                let (bottom, top) = left?;
                Some((bottom.checked_add(low)?, top.checked_add(high)?))
            }
            BinaryOp::Subtract => {
                let (bottom, top) = left?;
                Some((bottom.checked_sub(high)?, top.checked_sub(low)?))
            }
            BinaryOp::Multiply => {
                let (bottom, top) = left?;
                let products = [
                    bottom.checked_mul(low)?,
                    bottom.checked_mul(high)?,
                    top.checked_mul(low)?,
                    top.checked_mul(high)?,
                ];
                Some((products.into_iter().min()?, products.into_iter().max()?))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use worlds::{agree, program_of, some_expr, some_world};

    fn folded(expr: Expr, ranges: &Ranges<'_>) -> Expr {
        match expr {
            Expr::Constant(_) | Expr::Variable(_) | Expr::Procedure(_) => expr,
            Expr::Unary(op, operand) => unary(op, folded(*operand, ranges)),
            Expr::Binary(op, left, right) => {
                binary(op, folded(*left, ranges), folded(*right, ranges))
            }
            Expr::Wrap(kind, operand) => ranges.wrap(kind, folded(*operand, ranges)),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn folding_keeps_values(expr in some_expr(), world in some_world()) {
            let program = program_of(world.memory.pointer_bytes());
            let ranges = Ranges {
                variables: &program.variables,
                model: IntModel::Math,
                pointer_bits: 8 * u8::try_from(program.pointer_bytes).unwrap(),
            };
            let result = folded(expr.clone(), &ranges);
            for state in &world.states {
                let (before, after) = (world.eval(&expr, state), world.eval(&result, state));
                prop_assert!(agree(&before, &after), "{result:?} is {after:?}, not {before:?} in {state:?}");
            }
        }
    }
}
