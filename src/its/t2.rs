//! T2's text format: transitions as straight lines of commands.

use super::lowering::{Builder, Formula, Polarity};
use super::{ErrorAt, Located, SystemError};
use ir::text::Lines;
use ir::{BinaryOp, BlockId, Expr, UnaryOp, Variable};
use std::collections::BTreeMap;
use wane_grammar::t2;
use wane_grammar::t2::tree::{Comparison, Condition, Label, Statement, Term, Transition};

/// The goto program of a text; spans name the file `file_name`.
///
/// # Errors
/// What is wrong with the text.
pub fn read(file_name: &str, text: &str) -> Result<Located, SystemError> {
    let lines = Lines::of(text);
    let file = t2::parse(text).map_err(|error| {
        let (start, end, message) = (error.start, error.end, error.message);
        ErrorAt { start, end, message }.located(&lines)
    })?;
    let start = &file.start;
    let is_start = |label: &Label| label.name == start.name;
    if !file.transitions.iter().any(|it| is_start(&it.from) || is_start(&it.to)) {
        let message = format!("no transition leaves or reaches the start `{}`", start.name);
        return Err(ErrorAt { start: start.start, end: start.end, message }.located(&lines));
    }
    let mut lowering =
        Lowering { builder: Builder::new(file_name), lines: &lines, variables: BTreeMap::new() };
    for transition in &file.transitions {
        lowering.transition(transition).map_err(|error| error.located(&lines))?;
    }
    Ok(lowering.builder.finish(&start.name, lines.span(start.start, start.end)))
}

struct Lowering<'a> {
    builder: Builder,
    lines: &'a Lines<'a>,
    variables: BTreeMap<String, Variable>,
}

impl Lowering<'_> {
    fn transition(&mut self, transition: &Transition) -> Result<(), ErrorAt> {
        let span = |label: &Label| self.lines.span(label.start, label.end);
        let (from, to) = (span(&transition.from), span(&transition.to));
        let mut at = self.builder.transition(&transition.from.name, from);
        for statement in &transition.statements {
            match statement {
                Statement::Assign(target, Term::Nondet) => {
                    let variable = self.variable(target);
                    self.builder.choose(at, variable, from);
                }
                Statement::Assign(target, value) => {
                    let value = self.term(at, value)?;
                    let variable = self.variable(target);
                    self.builder.assign(at, variable, value, from);
                }
                Statement::Assume(condition) => {
                    let formula = self.condition(at, condition, Polarity::Plain)?;
                    at = self.builder.require(at, &formula, from);
                }
            }
        }
        self.builder.go_to(at, &transition.to.name, to);
        Ok(())
    }

    fn variable(&mut self, label: &Label) -> Variable {
        let span = self.lines.span(label.start, label.end);
        let builder = &mut self.builder;
        let new = || builder.variable(&label.name, span);
        *self.variables.entry(label.name.clone()).or_insert_with(new)
    }

    fn condition(
        &mut self,
        at: BlockId,
        condition: &Condition,
        polarity: Polarity,
    ) -> Result<Formula, ErrorAt> {
        Ok(match condition {
            Condition::Compare(operator, left, right) => {
                let operator = match operator {
                    Comparison::Equal => BinaryOp::Equal,
                    Comparison::NotEqual => BinaryOp::NotEqual,
                    Comparison::Less => BinaryOp::Less,
                    Comparison::LessEqual => BinaryOp::LessEqual,
                    Comparison::Greater => BinaryOp::Greater,
                    Comparison::GreaterEqual => BinaryOp::GreaterEqual,
                };
                let (left, right) = (self.term(at, left)?, self.term(at, right)?);
                Formula::Compare(polarity.of(operator), left, right)
            }
            Condition::And(left, right) => polarity.all(vec![
                self.condition(at, left, polarity)?,
                self.condition(at, right, polarity)?,
            ]),
            Condition::Or(left, right) => polarity.flipped().all(vec![
                self.condition(at, left, polarity)?,
                self.condition(at, right, polarity)?,
            ]),
            Condition::Any => Formula::And(Vec::new()),
            Condition::Not(inner) => self.condition(at, inner, polarity.flipped())?,
        })
    }

    fn term(&mut self, at: BlockId, term: &Term) -> Result<Expr, ErrorAt> {
        let mut binary = |operator, left: &Term, right: &Term| {
            Ok(Expr::binary(operator, self.term(at, left)?, self.term(at, right)?))
        };
        match term {
            Term::Number(digits) => digits.name.parse().map(Expr::Constant).map_err(|_| ErrorAt {
                start: digits.start,
                end: digits.end,
                message: "the number is too large".to_owned(),
            }),
            Term::Variable(label) => Ok(Expr::Variable(self.variable(label))),
            Term::Nondet => {
                let span = self.lines.span(0, 0);
                let any = self.builder.variable("any$", span);
                self.builder.choose(at, any, span);
                Ok(Expr::Variable(any))
            }
            Term::Negate(inner) => {
                Ok(Expr::Unary(UnaryOp::Negate, Box::new(self.term(at, inner)?)))
            }
            Term::Add(left, right) => binary(BinaryOp::Add, left, right),
            Term::Subtract(left, right) => binary(BinaryOp::Subtract, left, right),
            Term::Multiply(left, right) => binary(BinaryOp::Multiply, left, right),
        }
    }
}
