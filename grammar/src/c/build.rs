//! Small constructors for the grammar's actions.

use super::ast::{
    Declaration, Declarator, Derivation, Designator, Expr, ExprKind, InitDeclarator, Initializer,
    InitializerItem, Specifier, Specifiers, Stmt, StmtKind,
};
use super::literal;
use super::place::Place;
use super::scope::Context;
use super::token::StringPart;

/// A list with one more element.
pub(super) fn append<T>(mut list: Vec<T>, element: T) -> Vec<T> {
    list.push(element);
    list
}

/// Two lists, one after the other.
pub(super) fn concat<T>(mut list: Vec<T>, more: Vec<T>) -> Vec<T> {
    list.extend(more);
    list
}

/// A declarator below pointers, the outermost of which is written first.
pub(super) fn pointed(pointers: Vec<Vec<Specifier>>, mut declarator: Declarator) -> Declarator {
    declarator.derivations.extend(pointers.into_iter().rev().map(Derivation::Pointer));
    declarator
}

/// A declarator with one more derivation around it.
pub(super) fn derived(mut declarator: Declarator, derivation: Derivation) -> Declarator {
    declarator.derivations.push(derivation);
    declarator
}

/// An abstract declarator at a place.
pub(super) fn nameless(position: u32) -> Declarator {
    Declarator { place: Place::new(position, position), ..Declarator::default() }
}

/// The text of string literals inside `asm`.
pub(super) fn text(parts: &[StringPart]) -> String {
    literal::join(parts).units.into_iter().filter_map(char::from_u32).collect()
}

/// A comma expression, or the one expression itself.
pub(super) fn comma(context: &Context, start: u32, mut parts: Vec<Expr>, end: u32) -> Expr {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        Some(last) => {
            parts.push(last);
            context.expr(start, ExprKind::Comma(parts), end)
        }
        None => context.expr(start, ExprKind::Comma(parts), end),
    }
}

/// `if (condition) then else otherwise`; an `else if` becomes one more arm.
pub(super) fn if_else(condition: Expr, then: Stmt, otherwise: Option<Stmt>) -> StmtKind {
    match otherwise {
        Some(Stmt { kind: StmtKind::If { mut arms, otherwise }, .. }) => {
            arms.push((condition, then));
            StmtKind::If { arms, otherwise }
        }
        other => StmtKind::If { arms: vec![(condition, then)], otherwise: other.map(Box::new) },
    }
}

/// A function inside of another one: what it does is kept as its initializer.
pub(super) fn nested(specifiers: Specifiers, declarator: Declarator, body: Expr) -> Declaration {
    let place = Place::new(specifiers.place.start, body.place.end);
    let item = InitDeclarator { declarator, initializer: Some(Initializer::Expr(body)) };
    Declaration { specifiers, declarators: vec![item], place }
}

/// An element of an initializer list.
pub(super) fn item(designators: Vec<Designator>, value: Initializer) -> InitializerItem {
    InitializerItem { designators, value }
}
