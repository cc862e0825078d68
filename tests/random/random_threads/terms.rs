//! Short ways to write the trees of programs down.

use super::tree::{Cell, Expr, Op, Place, Statement};

pub(crate) fn create(thread: u8) -> Statement {
    Statement::Do(Expr::Create(thread, None))
}

pub(crate) fn join(thread: u8) -> Statement {
    Statement::Do(Expr::Join(thread))
}

pub(crate) fn read(cell: Cell) -> Box<Expr> {
    Box::new(Expr::Read(Place::At(cell)))
}

pub(crate) fn not(expr: Box<Expr>) -> Box<Expr> {
    Box::new(Expr::Not(expr))
}

pub(crate) fn set(cell: Cell, value: Box<Expr>) -> Statement {
    Statement::Do(Expr::Assign(Place::At(cell), value))
}

pub(crate) fn binary(op: Op, left: Box<Expr>, right: Box<Expr>) -> Box<Expr> {
    Box::new(Expr::Binary(op, left, right))
}

/// `place op= by`
pub(crate) fn update(op: Op, place: Place, by: i8) -> Statement {
    Statement::Do(Expr::Update(op, place, Expr::number(by), None))
}

pub(crate) fn for_ever(body: Vec<Statement>) -> Vec<Statement> {
    vec![Statement::While(Expr::Value(1), body)]
}
