//! Statements.

use wane_grammar::c::ast::{
    BinaryOperator, Block, Expr as Tree, ExprKind, Stmt, StmtKind, UnaryOperator,
};
use wane_grammar::c::name::Symbol;
use wane_grammar::c::place::Place;

use super::assign::Wanted;
use super::body::{Exits, Switch, Target};
use super::convert::Value;
use super::{Lowered, Lowering};
use crate::types::Type;
use base::source::Span;
use ir::{BlockId, Expr, Terminator};

/// A loop's condition and what is done after each round.
struct Round<'a> {
    condition: Option<&'a Tree>,
    step: Option<&'a Tree>,
}

impl<'a> Lowering<'a> {
    /// `{ … }`, with its scope and its storage.
    pub(super) fn block(&mut self, block: &'a Block) -> Lowered<()> {
        let span = self.span(Place::new(block.place.start, block.place.start + 1));
        let end = self.span(Place::new(block.place.end.saturating_sub(1), block.place.end));
        self.scopes.push();
        let outer = self.body.enter(span);
        let result = block.items.iter().try_for_each(|item| self.stmt(item));
        self.body.leave(outer, end);
        self.scopes.pop();
        result
    }

    /// Does `work` in a scope of its own.
    fn within(&mut self, span: Span, work: impl FnOnce(&mut Self) -> Lowered<()>) -> Lowered<()> {
        self.scopes.push();
        let outer = self.body.enter(span);
        let result = work(self);
        self.body.leave(outer, span);
        self.scopes.pop();
        result
    }

    /// What an `if`, a `switch` or a loop governs: a block, with braces or without.
    fn substatement(&mut self, stmt: &'a Stmt) -> Lowered<()> {
        if matches!(stmt.kind, StmtKind::Block(_)) {
            return self.stmt(stmt);
        }
        let span = self.span(stmt.place);
        self.within(span, |this| this.stmt(stmt))
    }

    pub(super) fn stmt(&mut self, stmt: &'a Stmt) -> Lowered<()> {
        let span = self.span(stmt.place);
        match &stmt.kind {
            StmtKind::Expr(None) => Ok(()),
            StmtKind::Expr(Some(value)) => self.full_expression(value, |this| this.effects(value)),
            StmtKind::Declaration(declaration) => self.local_declaration(declaration),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If { arms, otherwise } => {
                self.within(span, |this| this.choice(arms, otherwise.as_deref(), stmt.place))
            }
            StmtKind::While { keyword, condition, body } => self.within(span, |this| {
                let round = Round { condition: Some(condition), step: None };
                this.while_loop(*keyword, &round, body)
            }),
            StmtKind::DoWhile { keyword, body, condition } => {
                self.within(span, |this| this.do_loop(*keyword, body, condition))
            }
            StmtKind::For { keyword, start, condition, step, body } => self.within(span, |this| {
                start.iter().try_for_each(|start| this.stmt(start))?;
                let round = Round { condition: condition.as_ref(), step: step.as_ref() };
                this.while_loop(*keyword, &round, body)
            }),
            StmtKind::Switch { value, body } => {
                self.within(span, |this| this.switch(value, body, stmt.place))
            }
            StmtKind::Label(name) => {
                if self.body.label(*name, span) {
                    Ok(())
                } else {
                    self.error(stmt.place, format!("label `{}` is defined twice", self.name(*name)))
                }
            }
            StmtKind::Case(first, last) => self.case(first, last.as_ref(), stmt.place),
            StmtKind::Default => self.default(stmt.place),
            StmtKind::Goto(label) => {
                self.goto(*label, stmt.place);
                Ok(())
            }
            StmtKind::ComputedGoto(value) => {
                let address = self.full_expression(value, |this| this.rvalue(value))?;
                self.computed_goto(address, stmt.place);
                Ok(())
            }
            StmtKind::Continue => {
                let target = self.body.exits.iter().rev().find_map(|exits| exits.on_continue);
                self.exit(target, "`continue` outside a loop", stmt.place)
            }
            StmtKind::Break => {
                let target = self.body.exits.last().map(|exits| exits.on_break);
                self.exit(target, "`break` outside a loop or switch", stmt.place)
            }
            StmtKind::Return(Some(value)) => {
                self.full_expression(value, |this| this.give_back(Some(value), stmt.place))
            }
            StmtKind::Return(None) => self.give_back(None, stmt.place),
            StmtKind::Asm(asm) => self.assembly(asm, stmt.place),
        }
    }

    /// Evaluates an expression whose value nobody wants.
    pub(super) fn effects(&mut self, tree: &'a Tree) -> Lowered<()> {
        match &tree.kind {
            ExprKind::Unary(UnaryOperator::PostIncrement, operand) => {
                self.step(BinaryOperator::Add, operand, Wanted::New, tree.place).map(|_| ())
            }
            ExprKind::Unary(UnaryOperator::PostDecrement, operand) => {
                self.step(BinaryOperator::Subtract, operand, Wanted::New, tree.place).map(|_| ())
            }
            ExprKind::Comma(parts) => parts.iter().try_for_each(|part| self.effects(part)),
            ExprKind::Binary(BinaryOperator::And | BinaryOperator::Or, ..) => {
                let span = self.span(tree.place);
                let after = self.body.block(span);
                self.branch(tree, after, after)?;
                self.body.current = after;
                Ok(())
            }
            ExprKind::Call(..) => {
                self.context.unused = Some(tree.place);
                self.rvalue(tree).map(|_| ())
            }
            ExprKind::Cast(_, operand) if matches!(operand.kind, ExprKind::Call(..)) => {
                self.context.unused = Some(operand.place);
                self.rvalue(tree).map(|_| ())
            }
            _ => self.rvalue(tree).map(|_| ()),
        }
    }

    fn goto(&mut self, label: Symbol, place: Place) {
        let span = self.span(place);
        self.body.jump_to_label(label, place, span);
    }

    fn exit(&mut self, target: Option<Target>, otherwise: &str, place: Place) -> Lowered<()> {
        let Some(target) = target else { return self.error(place, otherwise) };
        let span = self.span(place);
        self.body.jump(target, span);
        Ok(())
    }

    /// `if … else if … else …`; the arms come last one first.
    fn choice(
        &mut self,
        arms: &'a [(Tree, Stmt)],
        otherwise: Option<&'a Stmt>,
        place: Place,
    ) -> Lowered<()> {
        let span = self.span(place);
        let after = self.body.block(span);
        for (condition, body) in arms.iter().rev() {
            let (then, next) = (self.body.block(span), self.body.block(span));
            self.branch_once(condition, then, next)?;
            self.body.current = then;
            self.substatement(body)?;
            self.body.terminate(Terminator::Goto(after), span);
            self.body.current = next;
        }
        if let Some(body) = otherwise {
            self.substatement(body)?;
        }
        self.body.fall_into(after, span);
        Ok(())
    }

    /// A block that heads a loop; control is there now.
    fn header(&mut self, keyword: Place) -> BlockId {
        let span = self.span(keyword);
        let header = self.body.block(span);
        self.body.fall_into(header, span);
        self.body.blocks[header.index()].is_header = true;
        header
    }

    /// `while` and `for` loops.
    fn while_loop(&mut self, keyword: Place, round: &Round<'a>, body: &'a Stmt) -> Lowered<()> {
        let span = self.span(keyword);
        let header = self.header(keyword);
        let inside = self.body.block(span);
        let after = self.body.target(span);
        let next = self.body.target(span);
        match round.condition {
            Some(condition) => self.branch_once(condition, inside, after.block)?,
            None => self.body.terminate(Terminator::Goto(inside), span),
        }
        self.body.blocks[header.index()].span = span;
        self.body.current = inside;
        self.body.exits.push(Exits { on_break: after, on_continue: Some(next) });
        let result = self.substatement(body);
        self.body.exits.pop();
        result?;
        self.body.fall_into(next.block, span);
        if let Some(step) = round.step {
            self.full_expression(step, |this| this.effects(step))?;
        }
        self.body.terminate(Terminator::Goto(header), span);
        self.body.current = after.block;
        Ok(())
    }

    fn do_loop(&mut self, keyword: Place, body: &'a Stmt, condition: &'a Tree) -> Lowered<()> {
        let span = self.span(keyword);
        let header = self.header(keyword);
        let inside = self.body.block(span);
        self.body.fall_into(inside, span);
        let after = self.body.target(span);
        let next = self.body.target(span);
        self.body.exits.push(Exits { on_break: after, on_continue: Some(next) });
        let result = self.substatement(body);
        self.body.exits.pop();
        result?;
        self.body.fall_into(next.block, span);
        self.branch_once(condition, header, after.block)?;
        self.body.current = after.block;
        Ok(())
    }

    fn switch(&mut self, value: &'a Tree, body: &'a Stmt, place: Place) -> Lowered<()> {
        let span = self.span(place);
        let tested = self.full_expression(value, |this| this.rvalue(value))?;
        let tested = self.promote(tested);
        if !matches!(tested.ty, Type::Int(_)) {
            return self.error(value.place, "a switch needs an integer");
        }
        let dispatch = self.body.current;
        let frame = self.body.frame;
        let after = self.body.target(span);
        self.body.current = self.body.block(span);
        self.body.exits.push(Exits { on_break: after, on_continue: None });
        let ty = tested.ty.clone();
        self.body.switches.push(Switch { ty, cases: Vec::new(), default: None });
        let result = self.substatement(body);
        let switch = self.body.switches.pop();
        self.body.exits.pop();
        result?;
        self.body.fall_into(after.block, span);
        let Some(switch) = switch else { return Ok(()) };
        let default = switch.default.unwrap_or(after);
        let default = self.body.way_between(frame, default, span);
        let ways = switch.cases.into_iter();
        let cases =
            ways.map(|(low, high, target)| (low, high, self.body.way_between(frame, target, span)));
        let terminator = Terminator::Switch { value: tested.expr, cases: cases.collect(), default };
        let block = &mut self.body.blocks[dispatch.index()];
        block.terminator = Some(match terminator {
            Terminator::Switch { value: Expr::Constant(value), cases, default } => {
                let hit = cases.iter().find(|(low, high, _)| *low <= value && value <= *high);
                Terminator::Goto(hit.map_or(default, |(_, _, block)| *block))
            }
            other => other,
        });
        block.span = span;
        Ok(())
    }

    /// A place in the innermost switch.
    fn case_target(&mut self, place: Place) -> Target {
        let span = self.span(place);
        let target = self.body.target(span);
        self.body.fall_into(target.block, span);
        target
    }

    fn case(&mut self, first: &'a Tree, last: Option<&'a Tree>, place: Place) -> Lowered<()> {
        let Some(ty) = self.body.switches.last().map(|switch| switch.ty.clone()) else {
            return self.error(place, "`case` outside a switch");
        };
        let low = self.case_value(first, &ty)?;
        let high = match last {
            Some(last) => self.case_value(last, &ty)?,
            None => low,
        };
        let target = self.case_target(place);
        if let Some(switch) = self.body.switches.last_mut()
            && low <= high
        {
            switch.cases.push((low, high, target));
        }
        Ok(())
    }

    fn case_value(&mut self, tree: &'a Tree, ty: &Type) -> Lowered<i128> {
        let value = self.constant(tree)?;
        match self
            .convert(Value::new(Type::Int(crate::types::Integer::Int128), value), ty, tree.place)?
            .expr
        {
            Expr::Constant(value) => Ok(value),
            _ => Ok(value),
        }
    }

    fn default(&mut self, place: Place) -> Lowered<()> {
        let target = self.case_target(place);
        match self.body.switches.last_mut() {
            Some(switch) => {
                switch.default = Some(target);
                Ok(())
            }
            None => self.error(place, "`default` outside a switch"),
        }
    }

    fn give_back(&mut self, value: Option<&'a Tree>, place: Place) -> Lowered<()> {
        let span = self.span(place);
        let result = self.body.result.clone();
        let given = match value {
            Some(value) if self.is_needless_result(value) => {
                Some((Value::new(result.clone(), 0), value.place))
            }
            Some(value) => Some((self.rvalue(value)?, value.place)),
            None => None,
        };
        let expr = match (given, &result) {
            (_, Type::Void) => None,
            (Some((value, at)), Type::Record(_)) => {
                let value = self.convert(value, &result, at)?;
                let size = self.size(&result, at)?;
                if let Some(target) = self.body.result_address {
                    self.copy(target.into(), value.expr, size, place);
                }
                None
            }
            (Some((value, at)), _) => {
                let mut value = self.convert(value, &result, at)?;
                if self.body.calls_on_leaving() {
                    value = self.snapshot(&value, at);
                }
                Some(value.expr)
            }
            (None, _) => self.no_result(place)?,
        };
        self.check_return(place);
        self.body.leave_procedure(expr, span);
        Ok(())
    }

    /// A function that is said not to return does not do it.
    pub(super) fn check_return(&mut self, place: Place) {
        if self.body.never_returns {
            self.unsupported("return from a function that is said not to return", place);
        }
    }

    /// What a function returns that forgets to: anything, but `main` returns 0.
    pub(super) fn no_result(&mut self, place: Place) -> Lowered<Option<Expr>> {
        let result = self.body.result.clone();
        if !result.is_scalar() {
            return Ok(None);
        }
        if self.parts.procedures[self.body.procedure.index()].name == "main" {
            return Ok(Some(Expr::Constant(0)));
        }
        let value = self.arbitrary(&result, ir::HavocSource::Uninitialised, place)?;
        Ok(Some(value.expr))
    }
}
