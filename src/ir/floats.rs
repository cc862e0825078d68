//! Floating-point numbers have no values here: a run may be shown although it computes
//! with them, as long as nothing depends on what they are.

use super::expr::{Expr, ScalarType};
use super::{Callee, Command, Procedure, Program, Terminator, Variable};

/// Whether floating-point numbers are only moved about: from variable to variable, into
/// memory and out of it, into calls and out of them. What a variable or a cell of another
/// type holds, and which way a run goes, depends on none of them.
#[must_use]
pub fn are_only_moved(program: &Program) -> bool {
    program.procedures.iter().all(|procedure| {
        procedure.blocks.iter().all(|block| {
            block.commands.iter().all(|it| is_moving(program, &it.command))
                && ends_moving(program, procedure, &block.terminator)
        })
    })
}

fn is_float(ty: ScalarType) -> bool {
    matches!(ty, ScalarType::Float(_))
}

/// Whether an expression that becomes a value of this type mentions no floating-point
/// number, or is one and stays one.
fn fits(program: &Program, expr: &Expr, ty: Option<ScalarType>) -> bool {
    let of = |variable: Variable| program.variable(variable).ty;
    if let Expr::Variable(variable) = expr {
        return !is_float(of(*variable)) || ty.is_some_and(is_float);
    }
    let mut mentions = false;
    expr.variables().for_each(|variable| mentions |= is_float(of(variable)));
    !mentions
}

fn is_moving(program: &Program, command: &Command) -> bool {
    let type_of = |variable: &Variable| program.variable(*variable).ty;
    match command {
        Command::Assign { target, value } => fits(program, value, Some(type_of(target))),
        Command::Store { address, value, ty } => {
            fits(program, address, None) && fits(program, value, Some(*ty))
        }
        Command::Load { target, address, ty } => {
            fits(program, address, None) && (!is_float(*ty) || is_float(type_of(target)))
        }
        Command::Call { target, callee, arguments } => {
            let callees: Vec<&Procedure> = match callee {
                Callee::Direct(callee) => vec![program.procedure(*callee)],
                Callee::Indirect(address) if !fits(program, address, None) => return false,
                Callee::Indirect(_) => program.procedures.iter().collect(),
            };
            let takes = |callee: &Procedure| {
                arguments.iter().enumerate().all(|(at, argument)| {
                    fits(program, argument, callee.parameters.get(at).map(type_of))
                })
            };
            let gives = |callee: &Procedure| {
                let is_kept = target.as_ref().is_none_or(|it| is_float(type_of(it)));
                is_kept || !callee.result.is_some_and(is_float)
            };
            // What is called with other arguments is not called here.
            let is_called =
                |it: &&Procedure| it.is_defined() && it.parameters.len() == arguments.len();
            callees.into_iter().filter(is_called).all(|it| takes(it) && gives(it))
        }
        other => {
            let mut all = true;
            other.expressions().for_each(|expr| all &= fits(program, expr, None));
            all
        }
    }
}

fn ends_moving(program: &Program, procedure: &Procedure, terminator: &Terminator) -> bool {
    let ty = match terminator {
        Terminator::Return(_) => procedure.result,
        _ => None,
    };
    terminator.expression().is_none_or(|expr| fits(program, expr, ty))
}
