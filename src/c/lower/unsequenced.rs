//! The order of evaluation where other threads may see it.
//!
//! In `f(d, c)` C leaves open which of the two is read first. One thread by itself does not
//! notice; beside another one that writes both it is a difference. So accesses that others may
//! see are *events*: each is done behind those that it needs, and in all orders of the others
//! there is a way. Calls are events as wholes (C11 6.5.2.2p10), and so are updates of atomic
//! objects; of other updates the read and the write are two.
//!
//! ```text
//!   z[c]++ + d          c  <  z[c]  <  z[c]++          d anywhere
//! ```
//!
//! Where there are too many orders, or the parts of an event are ordered with others in ways
//! that are not lowered, the way from left to right is joined by one that is not modelled.
//! Which orders others do not see, as they never write what is read or hold no lock that is
//! held here, is found out where threads are known (`reduce::threads::orders`): `choice := 0`
//! is where the choice has been made.

use std::collections::BTreeSet;

use wane_grammar::c::ast::{
    BinaryOperator, Block, Expr as Tree, ExprKind, Initializer, StmtKind, UnaryOperator,
};
use wane_grammar::c::place::Place;

use super::access::{Lvalue, Site};
use super::atomic::Atomic;
use super::effects::{Cell, Touched, Walk};
use super::order::ORDER;
use super::{Lowered, Lowering};
use crate::Threads;
use crate::types::Type;
use ir::{BlockId, Command, Expr, HavocSource, IntKind, ScalarType, Terminator, Variable};

/// The input that chooses an order which only other threads can tell from others.
pub const ORDER_AMONG_THREADS: &str = "order of evaluation beside other threads";

/// What is not modelled where orders are not lowered.
pub const ORDER_LEFT_OPEN: &str = "an order of evaluation that C leaves open";

/// More orders than this are not lowered.
const MOST_ORDERS: usize = 6;

/// Whether what is done with operands is an access that others may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    Access,
    NoAccess,
}

/// An access that others may see.
struct Event<'a> {
    tree: &'a Tree,
    nature: Nature,
    /// The events that come before.
    needs: BTreeSet<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nature {
    Read,
    Call,
    /// A change that nothing orders before what its value is used for, and the event in which
    /// the old value is read, if that is another one.
    Update(Option<usize>),
    /// Several accesses, changes among them.
    Changes,
    /// Several reads.
    Reads,
}

/// The orders of some events.
enum Ways {
    One,
    Several(Vec<Vec<usize>>),
    NotLowered,
}

impl<'a> Lowering<'a> {
    /// Whether orders that other threads may see are lowered here.
    pub(super) fn minds_others(&self) -> bool {
        self.options.threads == Threads::Many && self.models.site.is_none() && !self.body.is_start
    }

    /// Does `work`, which evaluates the operands from left to right, after a choice between the
    /// orders that others may see.
    pub(super) fn beside_others<T>(
        &mut self,
        operands: &[&'a Tree],
        root: Root,
        place: Place,
        work: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        let is_ordered = self.are_ordered(operands, place)?;
        if self.leaves_orders_open() {
            return work(self);
        }
        let input = if is_ordered { ORDER_AMONG_THREADS } else { ORDER };
        match self.ways(operands, root)? {
            (_, Ways::One) => work(self),
            (_, Ways::NotLowered) => {
                self.with_orders_open(|this| this.or_not_lowered(input, place, work))
            }
            (events, Ways::Several(orders)) => {
                let trees: Vec<&Tree> = events.iter().map(|event| event.tree).collect();
                let settled = self.all_orders(&trees, &orders, input, place)?;
                self.with_settled(settled, work)
            }
        }
    }

    /// The events of operands, and their orders.
    fn ways(&mut self, operands: &[&'a Tree], root: Root) -> Lowered<(Vec<Event<'a>>, Ways)> {
        let mut events = Vec::new();
        for tree in operands {
            self.gather(tree, &mut events)?;
        }
        let ways = match events.len() {
            0 => Ways::One,
            _ if has_loose_ends(&events, root) => Ways::NotLowered,
            _ => match orders(&events) {
                Some(mut orders) if orders.len() > 1 => {
                    orders.sort();
                    Ways::Several(orders)
                }
                Some(_) => Ways::One,
                None => Ways::NotLowered,
            },
        };
        Ok((events, ways))
    }

    /// Whether a place is one that others may see.
    pub(super) fn root_of(&self, target: &Tree) -> Root {
        if is_seen(&self.touched(target)) { Root::Access } else { Root::NoAccess }
    }

    /// Adds the events of a tree; gives those that its value needs.
    fn gather(&mut self, tree: &'a Tree, events: &mut Vec<Event<'a>>) -> Lowered<BTreeSet<usize>> {
        if self.settled(tree).is_some() || !is_seen(&self.touched(tree)) {
            return Ok(BTreeSet::new());
        }
        match &tree.kind {
            ExprKind::Binary(operator, left, right)
                if !matches!(operator, BinaryOperator::And | BinaryOperator::Or) =>
            {
                self.gather_all(&[left, right], events)
            }
            ExprKind::Unary(
                UnaryOperator::Plus
                | UnaryOperator::Minus
                | UnaryOperator::BitNot
                | UnaryOperator::Not,
                inner,
            )
            | ExprKind::Cast(_, inner) => self.gather(inner, events),
            ExprKind::Unary(UnaryOperator::AddressOf, inner) if has_parts(inner) => {
                self.gather_all(&Self::parts_of_place(inner), events)
            }
            ExprKind::Unary(
                UnaryOperator::PreIncrement
                | UnaryOperator::PreDecrement
                | UnaryOperator::PostIncrement
                | UnaryOperator::PostDecrement,
                target,
            ) if has_parts(target) => self.gather_update(tree, target, None, events),
            ExprKind::Assign(None, left, right) if has_parts(left) => {
                let mut parts = Self::parts_of_place(left);
                parts.push(right);
                let needs = self.gather_all(&parts, events)?;
                Ok(add(events, tree, Nature::Update(None), needs))
            }
            ExprKind::Assign(Some(_), left, right) if has_parts(left) => {
                self.gather_update(tree, left, Some(right), events)
            }
            ExprKind::Call(callee, arguments) if !self.is_peculiar(callee) => {
                let mut parts: Vec<&Tree> = arguments.iter().collect();
                if !matches!(callee.kind, ExprKind::Name(_)) {
                    parts.push(callee);
                }
                let needs = self.gather_all(&parts, events)?;
                Ok(add(events, tree, Nature::Call, needs))
            }
            ExprKind::Statements(block) if self.is_one_operation(block) => {
                Ok(add(events, tree, Nature::Call, BTreeSet::new()))
            }
            _ if has_parts(tree) => {
                let needs = self.gather_all(&Self::parts_of_place(tree), events)?;
                match self.shape(tree)?.ty {
                    Type::Array(_) | Type::Function(_) => Ok(needs),
                    ty if ty.is_scalar() => Ok(add(events, tree, Nature::Read, needs)),
                    _ => Ok(add(events, tree, Nature::Reads, needs)),
                }
            }
            _ => {
                let is_change = self.touched(tree).own.writes.iter().any(is_shared);
                let nature = if is_change { Nature::Changes } else { Nature::Reads };
                Ok(add(events, tree, nature, BTreeSet::new()))
            }
        }
    }

    fn gather_all(
        &mut self,
        trees: &[&'a Tree],
        events: &mut Vec<Event<'a>>,
    ) -> Lowered<BTreeSet<usize>> {
        let mut needs = BTreeSet::new();
        for tree in trees {
            needs.extend(self.gather(tree, events)?);
        }
        Ok(needs)
    }

    /// An update of `target`: its read and its write.
    fn gather_update(
        &mut self,
        tree: &'a Tree,
        target: &'a Tree,
        operand: Option<&'a Tree>,
        events: &mut Vec<Event<'a>>,
    ) -> Lowered<BTreeSet<usize>> {
        let is_one = !self.is_updated_in_two(target)?;
        let old = if is_one {
            self.gather_all(&Self::parts_of_place(target), events)?
        } else {
            self.gather(target, events)?
        };
        let read = if is_one { None } else { old.last().copied() };
        let mut needs = old;
        if let Some(operand) = operand {
            needs.extend(self.gather(operand, events)?);
        }
        Ok(add(events, tree, Nature::Update(read), needs))
    }

    /// The trees that are evaluated before a place is read.
    pub(super) fn parts_of_read(tree: &'a Tree) -> Vec<&'a Tree> {
        if has_parts(tree) { Self::parts_of_place(tree) } else { Vec::new() }
    }

    /// Whether the read and the write of an update are two steps: those of a number or an
    /// address with bytes of its own that is not atomic.
    pub(super) fn is_updated_in_two(&mut self, target: &'a Tree) -> Lowered<bool> {
        if self.is_one_step(target) || !has_parts(target) {
            return Ok(false);
        }
        let Lvalue { ty, site } = self.shape(target)?;
        Ok(ty.is_scalar() && !matches!(site, Site::Bits(..)))
    }

    /// Whether statements are one atomic operation, as macros of `<stdatomic.h>` are: beside that
    /// they use variables of their own.
    fn is_one_operation(&self, block: &'a Block) -> bool {
        let meaning = |name| self.cell_of_name(name);
        let mut walk = Walk::new(&meaning, self.errno());
        let mut n_calls = 0;
        for statement in &block.items {
            let values = match &statement.kind {
                StmtKind::Expr(value) => value.iter().collect(),
                StmtKind::Declaration(declaration) => {
                    let values =
                        declaration.declarators.iter().filter_map(|it| it.initializer.as_ref());
                    values.flat_map(Initializer::parts).collect()
                }
                _ => vec![],
            };
            if values.is_empty() && !matches!(statement.kind, StmtKind::Declaration(_)) {
                return false;
            }
            for value in values {
                walk.expr(value);
                n_calls += count_calls(value);
            }
        }
        let Touched { own, calls, .. } = &walk.touched;
        let mut used = own.reads.iter().chain(&own.writes);
        let mut named = calls.named.iter();
        n_calls == 1
            && !used.any(is_shared)
            && !calls.anything
            && !calls.has_statements
            && named.all(|name| Atomic::of(self.name(*name)).is_some())
    }

    /// A place, looked at where no run comes.
    fn shape(&mut self, tree: &'a Tree) -> Lowered<Lvalue> {
        self.with_orders_open(|this| this.aside(|this| this.lvalue(tree)))
    }

    /// Whether what is called does not evaluate its arguments as functions do.
    fn is_peculiar(&self, callee: &Tree) -> bool {
        match &callee.kind {
            ExprKind::Name(name) => {
                let name = self.name(*name);
                name.starts_with("__builtin_") && name != "__builtin_expect"
            }
            _ => false,
        }
    }

    /// Does `work`, which is joined by a way that is not modelled.
    pub(super) fn or_not_lowered<T>(
        &mut self,
        input: &str,
        place: Place,
        work: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        let span = self.span(place);
        let choice = self.choose(input, place);
        let (other, on) = (self.body.block(span), self.body.block(span));
        let cases = vec![(1, 1, other)];
        self.body.terminate(Terminator::Switch { value: choice.into(), cases, default: on }, span);
        self.body.current = other;
        self.unsupported(ORDER_LEFT_OPEN, place);
        self.body.terminate(Terminator::Goto(on), span);
        self.body.current = on;
        let result = work(self);
        self.chosen(choice, place);
        result
    }

    /// An input by which one of several ways is chosen.
    pub(super) fn choose(&mut self, input: &str, place: Place) -> Variable {
        let ty = ScalarType::Int(IntKind { bits: 8, signed: false });
        let choice = self.temporary(ty, place);
        let source = HavocSource::Input(input.to_owned());
        self.emit(Command::Havoc { target: choice, source }, place);
        choice
    }

    /// The choice has been made.
    pub(super) fn chosen(&mut self, choice: Variable, place: Place) {
        self.emit(Command::Assign { target: choice, value: Expr::Constant(0) }, place);
    }

    /// Goes to one of these blocks, as the choice is.
    pub(super) fn go_by(&mut self, choice: Variable, ways: &[BlockId], place: Place) {
        let Some((first, others)) = ways.split_first() else { return };
        let number = |index: usize| i128::try_from(index + 1).unwrap_or(i128::MAX);
        let cases = others.iter().enumerate();
        let cases = cases.map(|(index, way)| (number(index), number(index), *way)).collect();
        let by = Terminator::Switch { value: choice.into(), cases, default: *first };
        let span = self.span(place);
        self.body.terminate(by, span);
    }
}

/// Whether evaluating a part may do what others see, or depend on what they do.
fn is_seen(part: &Touched) -> bool {
    let mut own = part.own.reads.iter().chain(&part.own.writes);
    let calls = &part.calls;
    own.any(is_shared)
        || !part.far.is_empty()
        || calls.anything
        || calls.foreign
        || calls.may_end
        || calls.may_last
}

/// Whether a cell may be one that others know.
fn is_shared(cell: &Cell) -> bool {
    !matches!(cell, Cell::Local(_))
}

fn count_calls(tree: &Tree) -> usize {
    let within: usize = tree.parts().into_iter().map(count_calls).sum();
    within + usize::from(matches!(tree.kind, ExprKind::Call(..)))
}

/// Whether a tree has the form of a place that is found by evaluating others.
fn has_parts(tree: &Tree) -> bool {
    match &tree.kind {
        ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Arrow(..) => true,
        ExprKind::Unary(UnaryOperator::Dereference, _) => true,
        ExprKind::Member(record, _) => has_parts(record),
        _ => false,
    }
}

fn add<'a>(
    events: &mut Vec<Event<'a>>,
    tree: &'a Tree,
    nature: Nature,
    needs: BTreeSet<usize>,
) -> BTreeSet<usize> {
    let mut all = needs.clone();
    all.insert(events.len());
    events.push(Event { tree, nature, needs });
    all
}

/// Whether orders are not those of whole events: where a change may come behind what its value
/// is used for, or several accesses have others beside them.
fn has_loose_ends(events: &[Event<'_>], root: Root) -> bool {
    let calls_between = |early: usize, late: Option<&Event<'_>>| {
        events.iter().enumerate().any(|(number, call)| {
            call.nature == Nature::Call
                && call.needs.contains(&early)
                && late.is_none_or(|late| late.needs.contains(&number))
        })
    };
    events.iter().enumerate().any(|(number, event)| {
        let users = events.iter().filter(|user| user.needs.contains(&number));
        let mut loose =
            users.filter(|user| user.nature != Nature::Call && !calls_between(number, Some(user)));
        let is_loose =
            root == Root::Access && !calls_between(number, None) || loose.next().is_some();
        let mut beside = events.iter().enumerate().filter(|(other, it)| {
            *other != number && !it.needs.contains(&number) && !event.needs.contains(other)
        });
        match event.nature {
            Nature::Read | Nature::Call => false,
            Nature::Update(Some(_)) => is_loose,
            Nature::Reads => beside.next().is_some(),
            Nature::Update(None) | Nature::Changes => is_loose || beside.next().is_some(),
        }
    })
}

/// All orders of events, each behind those that it needs; nothing if they are too many. No call
/// comes between the read and the write of an update (C11 6.5.2.4p2, 6.5.16.2p3).
fn orders(events: &[Event<'_>]) -> Option<Vec<Vec<usize>>> {
    let mut all = vec![Vec::new()];
    for _ in 0..events.len() {
        let mut longer = Vec::new();
        for order in all {
            for (number, event) in events.iter().enumerate() {
                let is_next = !order.contains(&number)
                    && event.needs.iter().all(|needed| order.contains(needed));
                if is_next && !(event.nature == Nature::Call && is_within_update(events, &order)) {
                    let mut order: Vec<usize> = order.clone();
                    order.push(number);
                    longer.push(order);
                }
            }
        }
        if longer.len() > MOST_ORDERS {
            return None;
        }
        all = longer;
    }
    Some(all)
}

/// Whether an update has read and not written yet.
fn is_within_update(events: &[Event<'_>], order: &[usize]) -> bool {
    events.iter().enumerate().any(|(number, event)| match event.nature {
        Nature::Update(Some(read)) => order.contains(&read) && !order.contains(&number),
        _ => false,
    })
}
