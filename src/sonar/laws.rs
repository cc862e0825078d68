//! The symbolic reading of expressions against the one of a machine, on random
//! expressions with addresses, procedures, reductions and shifts.

use super::Machine;
use base::source::Span;
use concrete::value::{Pointer, Value};
use heap::products::Product;
use heap::shape::ShapeLibrary;
use heap::state::{Kind, State};
use heap::{Atom, Block, Content, Region, code};
use ir::links::Sort;
use ir::semantics::address_kind;
use ir::{BinaryOp, Expr, ProcedureId, ScalarType, Variable};
use logic::{Constraint, Integer, LinearExpr, Rational, Var};
use obligation::{Goal, Obligation};
use proptest::prelude::*;
use rules::eval::Context;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use worlds::{Places, TYPES, World, program_of, some_expr, some_places, some_world};

/// What the variables of a state stand for, as far as they were there at the start.
type Valuation = BTreeMap<Var, i128>;

/// How a value stands in the symbolic state.
#[derive(Clone, Copy, Debug)]
enum Manner {
    /// Numbers and offsets as constants.
    Constant,
    /// As a variable in a range.
    InRange(i128, i128),
    /// As a variable that nothing is known of.
    Unknown,
}

fn some_manner() -> impl Strategy<Value = Manner> {
    let distance = prop::sample::select(vec![0_i128, 1, 3, 40, 1 << 20, 1 << 33, 1 << 65]);
    prop_oneof![
        Just(Manner::Constant),
        (distance.clone(), distance).prop_map(|(below, above)| Manner::InRange(below, above)),
        Just(Manner::Unknown),
    ]
}

struct Abstracted {
    state: State,
    valuation: Valuation,
}

impl Abstracted {
    fn new(world: &World, places: &Places) -> Self {
        let mut new = Self { state: State::initial(), valuation: Valuation::new() };
        for (id, block) in world.memory.live_blocks() {
            let base = new.state.fresh(Kind::Address);
            new.valuation.insert(base, places.blocks[id.index()]);
            new.state.heap.atoms.push(Atom::Block(Block {
                base,
                size: LinearExpr::constant(block.size),
                region: Region { kind: block.kind, frame: 0, sort: Sort::default() },
                content: Content::Arbitrary,
                cells: SmallVec::new(),
                floating: None,
                recent: Vec::new(),
                segment: None,
                rows: Vec::new(),
            }));
        }
        new
    }

    fn integer(&mut self, number: i128, manner: Manner) -> LinearExpr {
        if let Manner::Constant = manner {
            return LinearExpr::constant(number);
        }
        let variable = self.state.fresh(Kind::Integer);
        self.valuation.insert(variable, number);
        if let Manner::InRange(below, above) = manner {
            for constraint in [
                Constraint::ge(variable, LinearExpr::constant(number - below)),
                Constraint::le(variable, LinearExpr::constant(number + above)),
            ] {
                let _ = self.state.assume_constraint(constraint);
            }
        }
        variable.into()
    }

    fn value(
        &mut self,
        value: Value,
        number: i128,
        (ty, manner): (ScalarType, Manner),
    ) -> LinearExpr {
        match (value, manner) {
            (Value::Int(_), Manner::Unknown) if ty == ScalarType::Pointer => self.unknown(number),
            (Value::Int(_), _) => self.integer(number, manner),
            (Value::Pointer(_) | Value::Procedure(_), Manner::Unknown) => self.unknown(number),
            (Value::Procedure(id), _) => LinearExpr::constant(code::address_of(id)),
            (Value::Pointer(Pointer { block, offset }), _) => {
                let base = LinearExpr::var(Var::at(block.index()));
                self.integer(offset, manner).add(&base)
            }
        }
    }

    fn unknown(&mut self, number: i128) -> LinearExpr {
        let variable = self.state.fresh(Kind::Unknown);
        self.valuation.insert(variable, number);
        variable.into()
    }
}

/// The number that an expression is, if it mentions no variable that came later. A
/// procedure is the number at its place.
fn number_of(expr: &LinearExpr, valuation: &Valuation, places: &Places) -> Option<Integer> {
    let (constant, code) = match code::is_in(expr.constant_part()) {
        true => {
            let id = (0..2).map(ProcedureId).find(|id| {
                code::distance_of(&(expr.constant_part() - &code::address_of(*id)))
                    == &(expr.constant_part().clone()) - &code::address_of(*id)
            })?;
            let distance = expr.constant_part() - &code::address_of(id);
            (distance, places.procedures[id.index()])
        }
        false => (expr.constant_part().clone(), 0),
    };
    let linear = expr.add_constant(&constant - expr.constant_part()).add_constant(code);
    let mut is_known = true;
    let value = linear.evaluate(|variable| match valuation.get(&variable) {
        Some(number) => Rational::from(Integer::from(*number)),
        None => {
            is_known = false;
            Rational::from(Integer::ZERO)
        }
    });
    is_known.then(|| value.floor())
}

/// Whether a state describes the concrete one, as far as can be seen, with `value` for
/// `number`.
fn describes(
    state: &State,
    (value, number): (&LinearExpr, i128),
    (valuation, places): (&Valuation, &Places),
    modulus: &Integer,
) -> bool {
    let mut numbers = state.facts.numbers.clone();
    for variable in state.vocabulary.of_kind(Kind::Integer) {
        if let Some(number) = valuation.get(&variable) {
            numbers.assume(Constraint::eq(variable, LinearExpr::constant(*number)));
        }
    }
    if state.kind_of(value) == Kind::Integer {
        numbers.assume(Constraint::eq(value.clone(), LinearExpr::constant(number)));
    } else if let Some(found) = number_of(value, valuation, places)
        && found != Integer::from(number)
    {
        return false;
    }
    let is_violated = |fact: &LinearExpr| {
        let found = number_of(fact, valuation, places);
        let is_number = state.kind_of(fact) == Kind::Integer;
        found.is_some_and(|it| match is_number {
            true => it.is_zero(),
            false => (&it - &(&it.div_floor(modulus) * modulus)).is_zero(),
        })
    };
    // What came later is what the products say.
    for product in &state.facts.products {
        let number = |it: &LinearExpr| number_of(it, valuation, places);
        if let Some((left, right)) = number(&product.left).zip(number(&product.right))
            && let Some(value) = product.value_of(&left, &right)
        {
            numbers.assume(Constraint::eq(product.value.clone(), LinearExpr::constant(value)));
        }
    }
    let is_wrong = |it: &Product| {
        let number = |it: &LinearExpr| number_of(it, valuation, places);
        let [left, right, value] = [&it.left, &it.right, &it.value].map(number);
        let [Some(left), Some(right), Some(value)] = [left, right, value] else { return false };
        it.value_of(&left, &right).is_some_and(|it| it != value)
    };
    !numbers.is_empty()
        && !state.facts.nonzero.iter().any(is_violated)
        && !state.facts.products.iter().any(is_wrong)
}

fn check(expr: &Expr, world: &World, manners: &[Manner]) -> Result<(), TestCaseError> {
    let pointer_bytes = world.memory.pointer_bytes();
    let program = program_of(pointer_bytes);
    let library = ShapeLibrary::builtin().unwrap();
    let obligation = Obligation::new(&program, Goal::Ends);
    let machine = Machine::new(&obligation, &library);
    let modulus = Integer::from(address_kind(pointer_bytes).max() + 1);
    for concrete in &world.states[..2] {
        for places in some_places(pointer_bytes) {
            let Ok(expected) = world.number(expr, concrete, &places) else { continue };
            let mut start = Abstracted::new(world, &places);
            for (index, value) in concrete.iter().enumerate() {
                let number = world.place_of(*value, &places);
                let number = match value {
                    Value::Pointer(pointer) => pointer.offset,
                    Value::Int(_) | Value::Procedure(_) => number,
                };
                let manner = manners[index];
                let number = match (value, manner) {
                    (Value::Pointer(_), Manner::Unknown) => world.place_of(*value, &places),
                    _ => number,
                };
                let value = start.value(*value, number, (TYPES[index], manner));
                start.state.set_in(0, Variable::at(index), value);
            }
            // A value modulo the address space is not exact, and no integer holds one.
            let is_exact = concrete.iter().all(|value| match value {
                Value::Pointer(pointer) => (0..=5).contains(&pointer.offset),
                Value::Int(_) | Value::Procedure(_) => true,
            });
            if !is_exact {
                continue;
            }
            let mut context = Context::new(&machine);
            context.span = Span::NOWHERE;
            let values = context.values(start.state.clone(), expr);
            let known = (&start.valuation, &places);
            let is_described = values
                .iter()
                .any(|(state, value)| describes(state, (value, expected), known, &modulus));
            prop_assert!(
                is_described,
                "{expected} with {places:?} is none of {:?}\nin {:?}",
                values.iter().map(|(_, value)| value).collect::<Vec<_>>(),
                start.state
            );
            let holds = expected != 0;
            let parts = if holds {
                context.assume(start.state.clone(), expr)
            } else {
                context.refute(start.state.clone(), expr)
            };
            let zero = (&LinearExpr::zero(), 0);
            let is_described = parts.iter().any(|state| describes(state, zero, known, &modulus));
            prop_assert!(
                is_described,
                "as a condition, {expected} with {places:?} in {:?}",
                start.state
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn symbolic_values_contain_what_a_machine_computes(
        expr in some_expr(),
        world in some_world(),
        manners in prop::collection::vec(some_manner(), TYPES.len()),
    ) {
        check(&expr, &world, &manners)?;
    }
}

/// Checks an operation on two numbers, each in a range around it.
fn check_in_ranges(op: BinaryOp, [left, right]: [i128; 2], manner: Manner) {
    let world = some_world();
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut world = proptest::strategy::ValueTree::current(
        &proptest::strategy::Strategy::new_tree(&world, &mut runner).unwrap(),
    );
    for state in &mut world.states {
        state.fill(Value::Int(1));
        state[0] = Value::Int(left);
        state[5] = Value::Int(right);
    }
    let [left, right] = [0, 5].map(|it| Expr::Variable(Variable::at(it)));
    check(&Expr::binary(op, left, right), &world, &[manner; TYPES.len()]).unwrap();
}

#[test]
fn masks_of_negative_numbers_may_be_negative() {
    check_in_ranges(BinaryOp::And, [-8, -12], Manner::InRange(3, 40));
}

#[test]
fn quotients_and_remainders_have_their_signs() {
    let numbers = [-8, -7, -3, -2, 2, 3, 7, 8];
    for (left, right) in numbers.iter().flat_map(|left| numbers.map(|right| (*left, right))) {
        for op in [BinaryOp::Divide, BinaryOp::Remainder] {
            for manner in [Manner::InRange(1, 1), Manner::InRange(3, 40)] {
                check_in_ranges(op, [left, right], manner);
            }
        }
    }
}
