//! The order of evaluation.
//!
//! C leaves open which operand of an operator, or which argument of a call, is
//! evaluated first. Where that makes a difference, a choice is made at run time
//! between the orders: a proof holds for all of them, and a run that goes wrong is
//! one that C allows.
//!
//! Operands are taken apart into *events*: calls and reads, with operators between
//! them that do nothing but compute. Events that cannot disturb each other stay
//! where they are. Of the others, all orders are lowered, one after the other; each
//! leaves the values in the same temporaries, which stand for the events from then
//! on. What may happen in the midst of an event is not modelled, and neither are
//! changes of a variable that nothing orders, which C leaves undefined.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;

use hashbrown::HashMap;
use wane_grammar::c::ast::{BinaryOperator, Expr as Tree, ExprKind, Initializer, UnaryOperator};
use wane_grammar::c::name::Symbol;
use wane_grammar::c::place::Place;

use super::convert::Value;
use super::effects::{Access, Cell, Collision, Touched, Walk, collide, does_something, may_fail};
use super::overlap::Use;
use super::scope::{Entity, Home};
use super::unsequenced::{ORDER_AMONG_THREADS, ORDER_LEFT_OPEN, Root};
use super::{Lowered, Lowering};
use crate::library::{self, models};
use crate::types::Type;
use ir::{BlockId, Command, HavocSource, Terminator, Variable};

/// More events that disturb each other are not ordered in all ways.
const MAX_EVENTS: usize = 4;

/// The input that chooses an order.
pub(super) const ORDER: &str = HavocSource::ORDER;

/// What is undefined where two changes of one place are not ordered.
const UNORDERED_CHANGES: &str = "changes of one place that nothing orders";

/// How deep events with several orders may lie in one another.
pub(super) const MAX_DEPTH: u32 = 2;

/// What is known of the order of evaluation.
#[derive(Clone, Debug, Default)]
pub(super) struct Orders {
    /// The values of events that were evaluated already.
    settled: HashMap<Place, Value>,
    /// What functions do themselves, as far as somebody asked.
    functions: RefCell<HashMap<Name, Arc<Touched>>>,
    /// What calls of functions do, as far as somebody asked.
    calls: RefCell<HashMap<Name, Arc<Touched>>>,
    /// What formulas and specifications see, if somebody asked.
    pub(super) observed: OnceCell<Access>,
    /// How many choices of an order are open.
    pub(super) depth: u32,
    /// Whether a way that is not modelled stands for all orders that others may see.
    is_left_open: bool,
}

/// A name in a file.
pub(super) type Name = (usize, Symbol);

/// A part of an expression that is evaluated at once.
struct Event<'a> {
    tree: &'a Tree,
    touched: Touched,
    /// Which of the operands it belongs to.
    operand: usize,
}

impl<'a> Lowering<'a> {
    /// The value of an event that was evaluated already.
    pub(super) fn settled(&self, tree: &Tree) -> Option<Value> {
        if self.orders.settled.is_empty() {
            return None;
        }
        self.orders.settled.get(&tree.place).cloned()
    }

    /// Does `work`, which evaluates the operands from left to right, after a choice
    /// between the orders that can make a difference.
    pub(super) fn in_any_order<T>(
        &mut self,
        operands: &[&'a Tree],
        place: Place,
        work: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        self.around(operands, Root::NoAccess, place, work)
    }

    /// The same where `work` is an access itself, if `root` says so.
    pub(super) fn around<T>(
        &mut self,
        operands: &[&'a Tree],
        root: Root,
        place: Place,
        work: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        if self.minds_others() {
            return self.beside_others(operands, root, place, work);
        }
        let busy = operands.iter().filter(|operand| does_something(operand)).count();
        if busy == 0 || operands.len() < 2 {
            return work(self);
        }
        let settled = self.evaluate_events(operands, place)?;
        self.with_settled(settled, work)
    }

    /// Does `work`, behind which these values are forgotten.
    pub(super) fn with_settled<T>(
        &mut self,
        settled: Vec<Place>,
        work: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        let result = work(self);
        for place in settled {
            self.orders.settled.remove(&place);
        }
        result
    }

    /// Whether a way that is not modelled stands for all orders that others may see.
    pub(super) fn leaves_orders_open(&self) -> bool {
        self.orders.is_left_open
    }

    /// Lowers something while orders that others may see are left open.
    pub(super) fn with_orders_open<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        let were_open = std::mem::replace(&mut self.orders.is_left_open, true);
        let lowered = lower(self);
        self.orders.is_left_open = were_open;
        lowered
    }

    /// Whether a thread by itself does not notice in which order operands are evaluated. Where C
    /// leaves undefined what happens, this is noted.
    pub(super) fn are_ordered(&mut self, operands: &[&'a Tree], place: Place) -> Lowered<bool> {
        let wholes: Vec<Touched> = operands.iter().map(|operand| self.touched(operand)).collect();
        let mut is_ordered = true;
        for (index, first) in wholes.iter().enumerate() {
            for (later, second) in wholes[index + 1..].iter().enumerate() {
                let what = "a change that nothing orders before a use";
                match collide(first, second) {
                    Some(Collision::OfOne) => {
                        self.unsupported(what, place);
                        return Ok(true);
                    }
                    Some(Collision::OfPlaces) => {
                        let second = index + 1 + later;
                        let uses = (self.uses(operands[index]), self.uses(operands[second]));
                        self.must_be_apart(uses.0, uses.1, what, place)?;
                    }
                    None => {}
                }
                is_ordered &= !self.differ(first, second);
            }
        }
        Ok(is_ordered)
    }

    /// The trees that are evaluated to find out what an lvalue designates.
    pub(super) fn parts_of_place(tree: &'a Tree) -> Vec<&'a Tree> {
        match &tree.kind {
            ExprKind::Name(_) => Vec::new(),
            ExprKind::Index(array, index) => vec![array, index],
            ExprKind::Arrow(pointer, _) | ExprKind::Unary(UnaryOperator::Dereference, pointer) => {
                vec![pointer]
            }
            ExprKind::Member(record, _) => Self::parts_of_place(record),
            _ => vec![tree],
        }
    }

    /// The expressions of an initializer.
    pub(super) fn parts_of_initializer(initializer: &'a Initializer, into: &mut Vec<&'a Tree>) {
        match initializer {
            Initializer::Expr(tree) => into.push(tree),
            Initializer::List(items, _) => {
                items.iter().for_each(|item| Self::parts_of_initializer(&item.value, into));
            }
        }
    }

    /// `x = … x++ …`: nothing orders the two changes of `x`.
    pub(super) fn check_store(
        &mut self,
        target: &'a Tree,
        value: &'a Tree,
        place: Place,
    ) -> Lowered<()> {
        let cell = self.cell_of_place(target).filter(|_| does_something(value));
        let Some(cell) = cell else { return Ok(()) };
        let last = self.last_part(value);
        let changes = last.iter().flat_map(|tree| self.touched(tree).own.writes);
        match changes.filter_map(|it| it.collides_with(cell)).max() {
            Some(Collision::OfOne) => self.unsupported(UNORDERED_CHANGES, place),
            Some(Collision::OfPlaces) => {
                let changes = last.into_iter().map(|tree| self.uses(tree)).collect::<Option<_>>();
                let changes = changes.map(|it: Vec<Vec<Use<'_>>>| it.concat());
                let changes = changes.map(|it| it.into_iter().filter(|it| it.is_change).collect());
                let target = Some(vec![Use { tree: target, is_change: true, is_optional: false }]);
                self.must_be_apart(target, changes, UNORDERED_CHANGES, place)?;
            }
            None => {}
        }
        Ok(())
    }

    /// The cell that an lvalue designates.
    pub(super) fn cell_of_place(&self, place: &Tree) -> Option<Cell> {
        let meaning = |name| self.cell_of_name(name);
        Walk::new(&meaning, self.errno()).place(place)
    }

    /// The parts of an expression whose effects nothing orders before its value is
    /// used.
    fn last_part(&self, tree: &'a Tree) -> Vec<&'a Tree> {
        match &tree.kind {
            ExprKind::Comma(parts) => {
                parts.last().map(|last| self.last_part(last)).unwrap_or_default()
            }
            ExprKind::Conditional(_, then, otherwise) => {
                let mut parts = self.last_part(otherwise);
                parts.extend(then.iter().flat_map(|then| self.last_part(then)));
                parts
            }
            ExprKind::Binary(BinaryOperator::And | BinaryOperator::Or, _, right) => {
                self.last_part(right)
            }
            ExprKind::Binary(_, left, right) => {
                let mut parts = self.last_part(left);
                parts.extend(self.last_part(right));
                parts
            }
            ExprKind::Unary(
                UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::BitNot,
                operand,
            )
            | ExprKind::Cast(_, operand) => self.last_part(operand),
            // Calls are over, with their arguments, before the value is used.
            ExprKind::Call(..) | ExprKind::Statements(_) => Vec::new(),
            _ => vec![tree],
        }
    }

    /// Evaluates the events that may disturb each other, in some order.
    fn evaluate_events(&mut self, operands: &[&'a Tree], place: Place) -> Lowered<Vec<Place>> {
        if self.are_ordered(operands, place)? {
            self.look_ahead(operands, place)?;
            return Ok(Vec::new());
        }
        let mut events = Vec::new();
        for (operand, tree) in operands.iter().enumerate() {
            self.events(tree, operand, &mut events);
        }
        let is_involved: Vec<bool> = (0..events.len())
            .map(|index| {
                let others = events.iter().enumerate().filter(|(other, _)| *other != index);
                others
                    .map(|(_, other)| other)
                    .any(|other| self.differ(&events[index].touched, &other.touched))
            })
            .collect();
        let may_be_first = operands.iter().all(|it| !fails_behind_events(it))
            && self.may_all_be_first(&events, &is_involved);
        let mut keep = is_involved.iter();
        events.retain(|_| keep.next().copied().unwrap_or(false));
        let is_simple = events
            .iter()
            .all(|event| !event.touched.calls.has_statements && self.is_simple(event, &events));
        let n_operands = events.iter().map(|event| event.operand).collect::<BTreeSet<_>>();
        if !is_simple
            || events.len() > MAX_EVENTS
            || n_operands.len() < 2
            || self.orders.depth >= MAX_DEPTH
        {
            self.look_ahead(operands, place)?;
            let mut pairs = events.iter().enumerate().flat_map(|(index, event)| {
                events[index + 1..].iter().map(move |other| (&event.touched, &other.touched))
            });
            match pairs.any(|(event, other)| self.differ_beside_memory(event, other)) {
                true => self.unsupported(ORDER_LEFT_OPEN, place),
                false => self.clobber(ORDER_LEFT_OPEN, place),
            }
            return Ok(Vec::new());
        }
        if !may_be_first {
            self.look_ahead(operands, place)?;
        }
        self.orders.depth += 1;
        let trees: Vec<&Tree> = events.iter().map(|event| event.tree).collect();
        let result = self.one_by_one(&trees, place);
        self.orders.depth -= 1;
        result
    }

    /// Whether each event comes first in some order where it matters that it comes before another
    /// one: those are ordered.
    fn may_all_be_first(&self, events: &[Event<'a>], is_ordered: &[bool]) -> bool {
        let both = |one: usize, other: usize| is_ordered[one] && is_ordered[other];
        let mut pairs =
            (0..events.len()).flat_map(|one| (0..events.len()).map(move |other| (one, other)));
        pairs.all(|(one, other)| {
            let (first, second) = (&events[one].touched, &events[other].touched);
            one == other || both(one, other) || !self.matters_ahead(first, second)
        })
    }

    /// Lowers the events in all orders: where some are done, any of the others is next. So each is
    /// lowered once for each set of those before it, not for each order.
    fn one_by_one(&mut self, events: &[&'a Tree], place: Place) -> Lowered<Vec<Place>> {
        let span = self.span(place);
        let all = (1_usize << events.len()) - 1;
        let done: Vec<BlockId> = (0..=all).map(|_| self.body.block(span)).collect();
        let mut results: Vec<Option<(Type, Option<Variable>)>> = vec![None; events.len()];
        self.body.terminate(Terminator::Goto(done[0]), span);
        for set in 0..all {
            self.body.current = done[set];
            let next: Vec<usize> = (0..events.len()).filter(|it| set & (1 << it) == 0).collect();
            let ways: Vec<BlockId> = next.iter().map(|_| self.body.block(span)).collect();
            match ways.as_slice() {
                [way] => self.body.terminate(Terminator::Goto(*way), span),
                ways => {
                    let choice = self.choose(ORDER, place);
                    self.go_by(choice, ways, place);
                }
            }
            for (index, way) in next.into_iter().zip(ways) {
                self.body.current = way;
                let tree = events[index];
                self.orders.settled.remove(&tree.place);
                let value = self.rvalue(tree)?;
                let value = self.keep_result(value, &mut results[index], place)?;
                self.orders.settled.insert(tree.place, value);
                self.body.terminate(Terminator::Goto(done[set | 1 << index]), span);
            }
        }
        self.body.current = done[all];
        Ok(events.iter().map(|event| event.place).collect())
    }

    /// Lowers the events in each of these orders, and joins the ways.
    pub(super) fn all_orders(
        &mut self,
        events: &[&'a Tree],
        orders: &[Vec<usize>],
        input: &str,
        place: Place,
    ) -> Lowered<Vec<Place>> {
        let span = self.span(place);
        let choice = self.choose(input, place);
        let ways: Vec<BlockId> = orders.iter().map(|_| self.body.block(span)).collect();
        let join = self.body.block(span);
        self.go_by(choice, &ways, place);
        let mut results: Vec<Option<(Type, Option<Variable>)>> = vec![None; events.len()];
        for (way, order) in ways.iter().zip(orders) {
            self.body.current = *way;
            for event in events {
                self.orders.settled.remove(&event.place);
            }
            for index in order {
                let tree = events[*index];
                let value = self.rvalue(tree)?;
                let value = self.keep_result(value, &mut results[*index], place)?;
                self.orders.settled.insert(tree.place, value);
            }
            if input == ORDER_AMONG_THREADS {
                self.chosen(choice, place);
            }
            self.body.terminate(Terminator::Goto(join), span);
        }
        self.body.current = join;
        Ok(events.iter().map(|event| event.place).collect())
    }

    /// Puts the value where those of the other orders are; gives it as it is found there.
    fn keep_result(
        &mut self,
        value: Value,
        result: &mut Option<(Type, Option<Variable>)>,
        place: Place,
    ) -> Lowered<Value> {
        if result.is_none() {
            // The value of a structure is where it lies, and may change there.
            if value.ty != Type::Void && self.types.scalar(&value.ty).is_none() {
                self.clobber(ORDER_LEFT_OPEN, place);
            }
            let variable = self.result_variable(&value.ty, place);
            *result = Some((value.ty.clone(), variable));
        }
        match result {
            Some((ty, Some(target))) => {
                self.emit(Command::Assign { target: *target, value: value.expr }, place);
                Ok(Value::new(ty.clone(), *target))
            }
            _ => Ok(Value::void()),
        }
    }

    /// Takes an operand apart.
    fn events(&self, tree: &'a Tree, operand: usize, events: &mut Vec<Event<'a>>) {
        match &tree.kind {
            _ if self.orders.settled.contains_key(&tree.place) => {}
            ExprKind::Binary(operator, left, right)
                if !matches!(operator, BinaryOperator::And | BinaryOperator::Or) =>
            {
                self.events(left, operand, events);
                self.events(right, operand, events);
            }
            ExprKind::Unary(
                UnaryOperator::Plus
                | UnaryOperator::Minus
                | UnaryOperator::BitNot
                | UnaryOperator::Not,
                inner,
            )
            | ExprKind::Cast(_, inner) => self.events(inner, operand, events),
            _ => events.push(Event { tree, touched: self.touched(tree), operand }),
        }
    }

    /// Whether nothing can happen in the midst of an event that matters to another.
    fn is_simple(&self, event: &Event<'a>, all: &[Event<'a>]) -> bool {
        let Some(parts) = parts_of_event(event.tree) else { return false };
        let parts: Vec<Touched> = parts.into_iter().map(|part| self.touched(part)).collect();
        let others = all.iter().filter(|other| !std::ptr::eq(other.tree, event.tree));
        let mut others = others.map(|other| &other.touched);
        others.all(|other| parts.iter().all(|part| !self.differ(part, other)))
    }

    /// What evaluating an expression may do.
    pub(super) fn touched(&self, tree: &Tree) -> Touched {
        match self.orders.settled.contains_key(&tree.place) {
            true => Touched::default(),
            false => self.touched_by_all_of(tree),
        }
    }

    /// The same, of what is settled as well.
    pub(super) fn touched_by_all_of(&self, tree: &Tree) -> Touched {
        let meaning = |name| self.cell_of_name(name);
        let mut walk = Walk::new(&meaning, self.errno());
        walk.expr(tree);
        let mut touched = walk.touched;
        for name in touched.calls.named.clone() {
            touched.add_callee(&self.touched_by_call((self.scopes.file(), name)));
        }
        touched
    }

    /// What a name designates here. The name of an array is a mere address.
    pub(super) fn cell_of_name(&self, name: Symbol) -> Option<Cell> {
        match self.scopes.entity(name)? {
            Entity::Local(local) if matches!(local.ty, Type::Array(_)) => None,
            Entity::Local(local) => Some(match local.home {
                Home::Register(_) => Cell::Local(name),
                Home::Memory(_) => Cell::Taken(name),
            }),
            Entity::Global(index) => self.cell_of_global((self.scopes.file(), name), *index),
            Entity::Function(_) | Entity::Constant(..) | Entity::Typedef(_) => None,
        }
    }

    /// What the name of a variable designates that lives as long as the program.
    fn cell_of_global(&self, (file, name): Name, index: usize) -> Option<Cell> {
        let global = &self.declared.globals[index];
        if matches!(global.ty, Type::Array(_)) {
            return None;
        }
        let errno = self.errno();
        if errno.is_held_by(name) {
            return errno.cell;
        }
        if self.name(name) == models::DRAWN {
            return None;
        }
        let is_file_scope = matches!(self.scopes.entity_in(file, name), Some(Entity::Global(known)) if *known == index);
        let is_led_to = match global.in_memory {
            Some(is_led_to) => is_led_to,
            None => !is_file_scope || self.taken.is_global_taken(name),
        };
        let is_plain = global.ty.is_scalar() && !is_led_to;
        Some(if is_plain { Cell::Named(name) } else { Cell::Taken(name) })
    }

    /// What a call of a function does, with all that it calls.
    pub(super) fn touched_by_call(&self, name: Name) -> Arc<Touched> {
        if let Some(known) = self.orders.calls.borrow().get(&name) {
            return Arc::clone(known);
        }
        let mut touched = Touched::default();
        let (mut work, mut seen) = (vec![name], BTreeSet::from([name]));
        while let Some(name) = work.pop() {
            let own = self.touched_by_function(name);
            touched.add_callee(&own);
            let file = self.defining_file(name);
            for callee in &own.calls.named {
                if seen.insert((file, *callee)) {
                    work.push((file, *callee));
                } else {
                    // What is met again may be recursive; models are not.
                    touched.calls.may_last |= !models::is_of_models(self.source.name(*callee));
                }
            }
        }
        let touched = Arc::new(touched);
        self.orders.calls.borrow_mut().insert(name, Arc::clone(&touched));
        touched
    }

    fn function_of(&self, (file, name): Name) -> Option<usize> {
        // What is not declared may still be defined in another file.
        match self.scopes.entity_in(file, name).or_else(|| self.shared.entity(name)) {
            Some(Entity::Function(index)) => Some(self.defined(*index)),
            _ => None,
        }
    }

    /// The file whose names the body of a function uses.
    fn defining_file(&self, name: Name) -> usize {
        let definition = self.function_of(name).map(|index| &self.declared.functions[index]);
        definition.filter(|it| it.definition.is_some()).map_or(name.0, |it| it.unit)
    }

    /// What a function does itself.
    fn touched_by_function(&self, name: Name) -> Arc<Touched> {
        if let Some(known) = self.orders.functions.borrow().get(&name) {
            return Arc::clone(known);
        }
        let definition =
            self.function_of(name).and_then(|index| self.declared.functions[index].definition);
        let file = self.defining_file(name);
        let text = self.source.name(name.1);
        let mut touched = match definition {
            None => self.touched_by_library(text),
            Some(definition) => {
                let meaning = |name: Symbol| match self.scopes.entity_in(file, name)? {
                    Entity::Global(index) => self.cell_of_global((file, name), *index),
                    _ => None,
                };
                let mut walk = Walk::new(&meaning, self.errno());
                walk.function(definition);
                let mut touched = walk.touched;
                touched.calls.may_last &= !models::is_of_models(text);
                touched.calls.may_end |= library::is_error(text);
                touched.calls.may_fail |= library::is_error(text);
                touched
            }
        };
        self.add_hooks(text, &mut touched);
        let touched = Arc::new(touched);
        self.orders.functions.borrow_mut().insert(name, Arc::clone(&touched));
        touched
    }
}

/// Whether an operator may have no result that is applied to events of an operand.
fn fails_behind_events(tree: &Tree) -> bool {
    match &tree.kind {
        ExprKind::Binary(operator, left, right)
            if !matches!(operator, BinaryOperator::And | BinaryOperator::Or) =>
        {
            may_fail(*operator, right) || fails_behind_events(left) || fails_behind_events(right)
        }
        ExprKind::Unary(_, inner) | ExprKind::Cast(_, inner) => fails_behind_events(inner),
        _ => false,
    }
}

/// The parts of an event that are evaluated before it; `None` if it is not one step
/// after them.
fn parts_of_event(tree: &Tree) -> Option<Vec<&Tree>> {
    match &tree.kind {
        ExprKind::Name(_) => Some(Vec::new()),
        ExprKind::Call(_, arguments) => Some(arguments.iter().collect()),
        ExprKind::Index(left, right) => Some(vec![left, right]),
        ExprKind::Arrow(inner, _) | ExprKind::Unary(UnaryOperator::Dereference, inner) => {
            Some(vec![inner])
        }
        ExprKind::Member(inner, _) => parts_of_event(inner),
        _ => None,
    }
}
