//! Rules and whole simplifications against the reference semantics.

mod examples;
mod instance;

use super::facts::Facts;
use super::language::{Node, expr_at, nodes_of};
use super::rules;
use super::saturation::{Graph, Knowledge, best_equal, saturate};
use super::typing::Typing;
use concrete::Failure;
use concrete::value::{Pointer, Value};
use egg::{AstSize, EGraph, Extractor, Id, Language, RecExpr};
use instance::instance;
use ir::Expr;
use ir::semantics::address_kind;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::sync::Arc;
use worlds::{World, agree, program_of, some_expr, some_places, some_world};

fn graph_of(world: &World) -> Graph {
    EGraph::new(Knowledge { typing: typing(world) })
}

/// What is known of the variables.
fn typing(world: &World) -> Arc<Typing> {
    Arc::new(Typing::of_program(&program_of(world.memory.pointer_bytes())))
}

/// In every state of `world`, all nodes of a class have the same value, and
/// what is known of the class is so.
fn check_classes(graph: &Graph, world: &World) -> Result<(), String> {
    let extractor = Extractor::new(graph, AstSize);
    for class in graph.classes() {
        let small = |id: Id| extractor.find_best_node(id).clone();
        let exprs: Vec<Expr> = class
            .nodes
            .iter()
            .map(|node| node.build_recexpr(small))
            .filter_map(|nodes| expr_at(&nodes, nodes.root()))
            .collect();
        for state in &world.states {
            let mut expected = None;
            for expr in &exprs {
                let value = world.eval(expr, state);
                check_facts(&class.data, &value, world).map_err(|fact| {
                    format!("{expr:?} is {value:?} in {state:?}, against {fact}: {:?}", class.data)
                })?;
                if matches!(value, Err(Failure::Unsupported(_))) {
                    continue;
                }
                let (first, expected) =
                    expected.get_or_insert_with(|| (expr.clone(), value.clone()));
                if !agree(expected, &value) {
                    return Err(format!(
                        "{first:?} is {expected:?} but {expr:?} is {value:?} in {state:?}"
                    ));
                }
            }
        }
    }
    Ok(())
}

fn check_facts(
    facts: &Facts,
    value: &Result<Value, Failure>,
    world: &World,
) -> Result<(), &'static str> {
    let space = 1_i128 << (typing(world).address_bits - 1);
    match value {
        Ok(Value::Int(number)) if facts.range.excludes(*number) => Err("its range"),
        Ok(Value::Pointer(_) | Value::Procedure(_)) if facts.is_number => Err("being a number"),
        Ok(Value::Pointer(Pointer { offset, .. }))
            if facts.is_in_space && !(-space..space).contains(offset) =>
        {
            Err("being in space")
        }
        Err(Failure::Error(_)) if facts.is_harmless => Err("being harmless"),
        _ => Ok(()),
    }
}

#[test]
fn every_rule_can_be_read() {
    for rule in rules::all() {
        assert!(rule.rewrite().is_ok(), "{}", rule.name);
    }
    assert_eq!(rules::rewrites().len(), rules::all().count());
}

#[test]
fn every_rule_holds_where_it_applies() {
    let mut runner = TestRunner::deterministic();
    for rule in rules::all() {
        let rewrite = rule.rewrite().unwrap();
        let mut n_applied = 0;
        for _ in 0..400 {
            let world = some_world().new_tree(&mut runner).unwrap().current();
            let left = instance(rule.left, &mut runner);
            let mut graph = graph_of(&world);
            graph.add_expr(&left);
            graph.rebuild();
            let found = rewrite.search(&graph);
            n_applied += rewrite.apply(&mut graph, &found).len();
            graph.rebuild();
            check_classes(&graph, &world)
                .unwrap_or_else(|error| panic!("{}: {left}: {error}", rule.name));
        }
        assert!(n_applied >= 3, "{} was applied {n_applied} times only", rule.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn saturation_keeps_values_and_facts(expr in some_expr(), world in some_world()) {
        let mut graph = graph_of(&world);
        graph.add_expr(&nodes_of(&expr));
        graph.rebuild();
        saturate(&mut graph, rules::rewrites());
        check_classes(&graph, &world).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn the_best_expression_is_equal(expr in some_expr(), world in some_world()) {
        let best = best_equal(&expr, &typing(&world));
        prop_assert_eq!(&best, &best_equal(&expr, &typing(&world)));
        if let Some(best) = best {
            for state in &world.states {
                let (before, after) = (world.eval(&expr, state), world.eval(&best, state));
                prop_assert!(agree(&before, &after), "{best:?} is {after:?}, not {before:?} in {state:?}");
            }
        }
    }

    #[test]
    fn facts_of_expressions_hold(expr in some_expr(), world in some_world()) {
        let facts = typing(&world).of_expr(&expr);
        for state in &world.states {
            let value = world.eval(&expr, state);
            prop_assert_eq!(check_facts(&facts, &value, &world), Ok(()), "{:?}", value);
        }
    }

    #[test]
    fn each_step_of_an_explanation_keeps_the_value(expr in some_expr(), world in some_world()) {
        let nodes = nodes_of(&expr);
        let mut graph = graph_of(&world).with_explanations_enabled();
        let root = graph.add_expr(&nodes);
        graph.rebuild();
        saturate(&mut graph, rules::rewrites());
        let (_, best) = Extractor::new(&graph, AstSize).find_best(root);
        let mut explanation = graph.explain_equivalence(&nodes, &best);
        let steps: Vec<RecExpr<Node>> =
            explanation.make_flat_explanation().iter().map(|step| step.get_recexpr()).collect();
        prop_assert_eq!(steps.first().map(ToString::to_string), Some(nodes.to_string()));
        prop_assert_eq!(steps.last().map(ToString::to_string), Some(best.to_string()));
        for state in &world.states {
            let mut known = None;
            for step in &steps {
                let value = world.eval(&expr_at(step, step.root()).unwrap(), state);
                if !matches!(value, Err(Failure::Unsupported(_))) {
                    let known = known.get_or_insert_with(|| value.clone());
                    prop_assert!(agree(known, &value), "{step} is {value:?}, not {known:?} in {state:?}");
                }
            }
        }
    }

    #[test]
    fn the_interpreter_knows_no_more_than_a_machine_does(
        expr in some_expr(),
        world in some_world(),
    ) {
        for state in &world.states {
            let Ok(value) = world.eval(&expr, state) else { continue };
            for places in some_places(world.memory.pointer_bytes()) {
                let machine = world.number(&expr, state, &places);
                let is_equal = match value {
                    Value::Int(number) => machine == Ok(number),
                    Value::Pointer(_) | Value::Procedure(_) => {
                        let kind = address_kind(world.memory.pointer_bytes());
                        let place = world.place_of(value, &places);
                        machine.is_ok_and(|it| kind.wrap(it) == place)
                    }
                };
                prop_assert!(is_equal, "{value:?} is {machine:?} with {places:?} in {state:?}");
            }
        }
    }
}
