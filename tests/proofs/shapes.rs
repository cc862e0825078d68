//! What the shape files claim, and what is derived from them, tried on all
//! small concrete heaps: links to null, elsewhere, shared and in cycles.
//!
//! The definition of a shape is its first unfolding. All else is a claim: other
//! unfoldings, lemmas, and what `unfold` and `fold` do with them.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::support;

use std::collections::BTreeSet;
use support::small_heaps::graphs;
use wane::base::budget::Budget;
use wane::base::source::{SourceMap, Span};
use wane::concrete::interpreter::Interpreter;
use wane::concrete::memory::{Memory, MemoryBlockId};
use wane::concrete::state::State as ConcreteState;
use wane::concrete::value::{Pointer, Value};
use wane::entail::fold::{Hints, RowEnds, fold};
use wane::heap::assertion::standard_template;
use wane::heap::claims;
use wane::heap::definitions::{Definitions, PatternModel};
use wane::heap::fold_precision::FoldPrecision;
use wane::heap::graph::{Graph, Link, lay_out};
use wane::heap::model::satisfies;
use wane::heap::shape::{Kin, ShapeDef, ShapeId, ShapeLibrary};
use wane::heap::small_models::{Most, any_instance, graphs_of};
use wane::heap::unfold::unfold;
use wane::heap::values::NodeValues;
use wane::heap::{Atom, Block, Cell, Content, Flag, Instance, Kind, State, Template};
use wane::ir::indices::Indices;
use wane::ir::links::Links;
use wane::ir::{
    Block as CodeBlock, IntKind, Procedure, ProcedureId, Program, ScalarType, Terminator, Variable,
    VariableInfo,
};
use wane::logic::{Constraint, LinearExpr, Var};

/// Heaps in which a definition or the left side of a rule is true have up to so
/// many nodes.
const MAX_NODES: usize = 4;
const BYTE: IntKind = IntKind { bits: 8, signed: false };
const INT: ScalarType = ScalarType::Int(IntKind { bits: 64, signed: true });
/// Of this size all heaps are tried.
const MAX_STATE_NODES: usize = 3;

/// Runs a check on every shape and heaps with as many links, of so many nodes, or
/// fewer where there are many links: all of them, but where nodes own others or have
/// four links a part.
fn for_each_heap(max_nodes: usize, mut check: impl FnMut(ShapeId, &ShapeDef, &Template, &Graph)) {
    let library = ShapeLibrary::builtin().unwrap();
    for (index, shape) in library.iter().enumerate() {
        let template = standard_template(shape, 8, &library);
        let n_links = shape.labels.len();
        let max_nodes = if n_links > 2 { 2 } else { max_nodes };
        let every = match (shape.inner.is_empty(), n_links) {
            (true, 0..=3) => 1,
            (false, 0..=2) => 3,
            (false, 3) => 7,
            _ => 61,
        };
        for n_nodes in 1..=max_nodes {
            graphs(n_nodes, n_links)
                .step_by(every)
                .for_each(|graph| check(ShapeId::at(index), shape, &template, &graph));
        }
    }
}

/// Runs a check on every shape, each of its rules and of its instances, and all
/// heaps of at most [`MAX_NODES`] nodes in which the atoms are true.
fn for_each_model(mut check: impl FnMut(ShapeId, &ShapeDef, &Template, &Graph)) {
    let library = ShapeLibrary::builtin().unwrap();
    for (index, shape) in library.iter().enumerate() {
        let id = ShapeId::at(index);
        let template = standard_template(shape, 8, &library);
        let instance = (vec![any_instance(id, shape)], shape.parameters.len());
        let rules = shape.rules.iter().map(|rule| (rule.left.clone(), rule.n_variables));
        let mut seen = BTreeSet::new();
        for (atoms, n_variables) in rules.chain([instance]) {
            let most = Most { nodes: MAX_NODES, heaps: usize::MAX };
            seen.extend(graphs_of(&atoms, n_variables, shape, &library, most));
        }
        // Of a list whose cells point at the first one there is one a length.
        let least = if is_recursive(shape) { 4 } else { 1 };
        assert!(seen.len() >= least, "`{}` has hardly any model", shape.name);
        seen.iter().for_each(|graph| check(id, shape, &template, graph));
    }
}

/// Whether nodes of a shape lead to others of it.
fn is_recursive(shape: &ShapeDef) -> bool {
    let cases = shape.anchors().filter_map(|it| shape.unfolding_at(it)).flat_map(|it| &it.cases);
    cases.flat_map(|it| &it.instances).any(|it| it.kin == Kin::Family)
}

fn laid_out(graph: &Graph) -> Memory {
    let mut memory = Memory::new(8);
    lay_out(&mut memory, graph).unwrap();
    memory
}

fn nothing() -> BTreeSet<MemoryBlockId> {
    BTreeSet::new()
}

#[test]
fn rules_and_lemmas_hold() {
    let library = ShapeLibrary::builtin().unwrap();
    let mut n_uses = std::collections::BTreeMap::new();
    let mut check = |id: ShapeId, shape: &ShapeDef, template: &Template, graph: &Graph| {
        let memory = laid_out(graph);
        let heap = Definitions { memory: &memory, shape_library: &library };
        for rule in &shape.rules {
            let empty = PatternModel::empty(vec![None; rule.n_variables]);
            let left = rule.parts_in_order();
            for parts in heap.models_parts(template, &left, empty, &nothing()) {
                let arguments: Vec<_> = rule
                    .head
                    .iter()
                    .map(|term| {
                        term.variable()
                            .map_or(Some(LinearExpr::zero()), |number| parts.values[number].clone())
                    })
                    .collect();
                let whole = heap.models_instance(id, template, &arguments, &nothing());
                let is_ordered =
                    |whole: &PatternModel| rule.order.is_none() || whole.nodes == parts.nodes;
                let holds =
                    whole.iter().any(|whole| whole.has_nodes_of(&parts) && is_ordered(whole));
                assert!(holds, "`{}` of `{}` fails on {graph:?}: {parts:?}", rule.name, shape.name);
                *n_uses.entry((shape.name.clone(), rule.name.clone())).or_insert(0) += 1;
            }
        }
    };
    for_each_heap(MAX_STATE_NODES, &mut check);
    for_each_model(&mut check);
    let all_used = library.iter().all(|shape| {
        shape.rules.iter().all(|rule| n_uses.contains_key(&(shape.name.clone(), rule.name.clone())))
    });
    assert!(all_used, "a rule was never tried: {n_uses:?}");
}

/// The graph with a byte behind the links of each node for each of them: the bits of a number.
fn laid_out_with_flags(graph: &Graph, bits: usize) -> Memory {
    let mut memory = Memory::new(8);
    let longer = |links: &Vec<Link>| links.iter().copied().chain([Link::Null]).collect();
    lay_out(&mut memory, &graph.iter().map(longer).collect()).unwrap();
    let n_links = graph[0].len();
    let nodes: Vec<MemoryBlockId> = memory.live_blocks().map(|(id, _)| id).collect();
    for (node, block) in nodes.into_iter().take(graph.len()).enumerate() {
        for label in 0..n_links {
            let offset = i128::try_from(8 * n_links + label).unwrap();
            let place = Value::Pointer(Pointer { block, offset });
            let bit = i128::from(bits >> (node * n_links + label) & 1 == 1);
            memory.store(place, ScalarType::Int(BYTE), Value::Int(bit)).unwrap();
        }
    }
    memory
}

/// Where numbers in the nodes of a tree say which links lead on, the rules hold but for lemmas
/// that speak of null: one of them is false then.
#[test]
fn rules_hold_of_nodes_that_know_their_links() {
    let library = ShapeLibrary::builtin().unwrap();
    let (mut n_uses, mut n_failures) = (0, 0);
    for name in ["tree", "branch", "ls", "dls"] {
        let id = library.find(name).unwrap();
        let shape = library.get(id);
        let n_links = shape.labels.len();
        let flag = |label: usize| {
            let offset = i64::try_from(8 * n_links + label).unwrap();
            Flag { label, offset, kind: BYTE, leads: 1, ends: 0 }
        };
        let standard = standard_template(shape, 8, &library);
        let flags = (0..n_links).map(flag).collect();
        let template = Template { size: standard.size + 8, flags, ..standard };
        let heaps = (1..=3).flat_map(|n| graphs(n, n_links).step_by(if n > 2 { 257 } else { 1 }));
        for (graph, bits) in heaps.flat_map(|graph| {
            let n_flags = graph.len() * n_links;
            (0..1 << n_flags).map(move |bits| (graph.clone(), bits))
        }) {
            let memory = laid_out_with_flags(&graph, bits);
            let heap = Definitions { memory: &memory, shape_library: &library };
            for rule in &shape.rules {
                let empty = PatternModel::empty(vec![None; rule.n_variables]);
                for parts in heap.models_parts(&template, &rule.parts_in_order(), empty, &nothing())
                {
                    let head = rule.head.iter();
                    let arguments: Vec<_> =
                        head.map(|term| term.value(&template, &parts.values)).collect();
                    let whole = heap.models_instance(id, &template, &arguments, &nothing());
                    let holds = whole.iter().any(|whole| whole.has_nodes_of(&parts));
                    let is_close = rule.name == "close";
                    assert!(holds || is_close, "`{}` of `{name}` on {graph:?}", rule.name);
                    n_failures += usize::from(!holds);
                    n_uses += 1;
                }
            }
        }
    }
    assert!(n_uses > 1_000 && n_failures > 0, "{n_uses} {n_failures}");
}

#[test]
fn every_unfolding_is_complete() {
    let library = ShapeLibrary::builtin().unwrap();
    let check = |id: ShapeId, shape: &ShapeDef, template: &Template, graph: &Graph| {
        let memory = laid_out(graph);
        let heap = Definitions { memory: &memory, shape_library: &library };
        let unknown = vec![None; shape.parameters.len()];
        for model in heap.models_instance(id, template, &unknown, &nothing()) {
            for unfolding in &shape.unfoldings {
                let place = unfolding.anchor;
                let n_cases = unfolding.cases.iter().filter(|case| {
                    let cases = heap.models_case(place, case, template, &model.values, &nothing());
                    cases.iter().any(|case| case.has_nodes_of(&model))
                });
                assert!(
                    n_cases.count() >= 1,
                    "`{}` at {} on {graph:?}",
                    shape.name,
                    unfolding.anchor
                );
            }
        }
    };
    for_each_heap(MAX_STATE_NODES, check);
    for_each_model(check);
}

/// A program with pointer globals, to hold the arguments, and one for a depth.
fn program_with_globals(n_pointers: usize) -> Program {
    let block =
        CodeBlock { commands: Vec::new(), terminator: Terminator::Halt, span: Span::NOWHERE };
    let info = |index| VariableInfo {
        name: format!("v{index}"),
        ty: if index < n_pointers { ScalarType::Pointer } else { INT },
        owner: None,
        span: Span::NOWHERE,
    };
    Program {
        procedures: vec![Procedure {
            shortcut: None,
            name: "main".to_owned(),
            parameters: Vec::new(),
            lasting: Vec::new(),
            result: None,
            blocks: vec![block],
            span: Span::NOWHERE,
        }],
        variables: (0..=n_pointers).map(info).collect(),
        entry: ProcedureId(0),
        sources: SourceMap::default(),
        pointer_bytes: 8,
        open: None,
        forms: wane::ir::forms::Forms::default(),
    }
}

/// A value that is a start of a block, or null.
fn concrete_value(value: &LinearExpr) -> Value {
    match value.as_var() {
        Some(block) => Value::Pointer(Pointer { block: MemoryBlockId(block.0), offset: 0 }),
        None => Value::Int(value.as_constant().and_then(|number| number.to_i128()).unwrap()),
    }
}

/// The state that an instance with variables for arguments and depth describes.
fn instance_state(id: ShapeId, shape: &ShapeDef, template: &Template) -> State {
    let mut state = State::initial();
    let arguments: Vec<Var> = (0..shape.parameters.len())
        .map(|parameter| {
            let is_anchor = shape.anchors().any(|anchor| anchor == parameter);
            state.fresh(if is_anchor { Kind::Address } else { Kind::Unknown })
        })
        .collect();
    let depth = state.fresh(Kind::Integer);
    state.facts.numbers.assume(Constraint::ge(depth, LinearExpr::from(1)));
    for (index, argument) in arguments.iter().enumerate() {
        state.set_in(0, Variable::at(index), (*argument).into());
    }
    state.set_in(0, Variable::at(arguments.len()), depth.into());
    state.heap.atoms.push(Atom::Instance(Instance {
        shape: id,
        template: template.clone(),
        anchor_mask: shape.anchor_mask(),
        arguments: arguments.into_iter().map(LinearExpr::var).collect(),
        depth: depth.into(),
        values: NodeValues::default(),
    }));
    state
}

/// A concrete state with a graph in memory and values of globals.
fn concrete_state(
    program: &Program,
    graph: &Graph,
    globals: &[Option<LinearExpr>],
) -> ConcreteState {
    let mut state = Interpreter::new(program).initial();
    lay_out(state.memory_mut(), graph).unwrap();
    for (index, value) in globals.iter().enumerate() {
        if let Some(value) = value {
            state.assign(Variable::at(index), concrete_value(value));
        }
    }
    state
}

#[test]
fn unfolding_a_state_loses_no_heap() {
    let library = ShapeLibrary::builtin().unwrap();
    let mut n_models = 0;
    for_each_heap(MAX_STATE_NODES, |id, shape, template, graph| {
        let program = program_with_globals(shape.parameters.len());
        let memory = laid_out(graph);
        let heap = Definitions { memory: &memory, shape_library: &library };
        let folded = instance_state(id, shape, template);
        let unknown = vec![None; shape.parameters.len()];
        for model in heap.models_instance(id, template, &unknown, &nothing()) {
            let depth = LinearExpr::from(i64::try_from(model.depth()).unwrap());
            let values: Vec<_> = model.values.iter().cloned().chain([Some(depth)]).collect();
            let state = concrete_state(&program, graph, &values);
            // Smaller models are met in smaller graphs.
            if !satisfies(&state, &folded, &library) {
                continue;
            }
            n_models += 1;
            for anchor in shape.anchors() {
                let cases = unfold(&folded, 0, anchor, &library);
                let holds = cases.iter().any(|(case, _)| satisfies(&state, case, &library));
                assert!(holds, "`{}` unfolded at {anchor} on {graph:?}: {model:?}", shape.name);
            }
        }
    });
    assert!(n_models > 50, "{n_models}");
}

/// The exact description of a graph, with some nodes in globals.
fn exact_state(graph: &Graph, template: &Template, globals: &[usize]) -> State {
    let mut state = State::initial();
    let bases: Vec<Var> = graph.iter().map(|_| state.fresh(Kind::Address)).collect();
    let elsewhere = state.fresh(Kind::Unknown);
    for (node, links) in graph.iter().enumerate() {
        let cells = links.iter().zip(&template.links).map(|(link, offset)| {
            let value = match link {
                Link::Null => LinearExpr::zero(),
                Link::Elsewhere => elsewhere.into(),
                Link::Node(target) => bases[*target].into(),
                Link::Field(target, label) => LinearExpr::from(bases[*target])
                    .add_constant(8 * i64::try_from(*label).unwrap()),
            };
            Cell { offset: *offset, ty: ScalarType::Pointer, value }
        });
        state.heap.atoms.push(Atom::Block(Block {
            base: bases[node],
            size: template.size.into(),
            region: template.region,
            content: Content::Arbitrary,
            cells: cells.collect(),
            floating: None,
            recent: Vec::new(),
            segment: None,
            rows: Vec::new(),
        }));
    }
    for (index, node) in globals.iter().enumerate() {
        state.set_in(0, Variable::at(index), bases[*node].into());
    }
    state
}

/// Folds by the shapes of one file, and those that own nothing, as plans do.
fn fold_by(state: &mut State, library: &ShapeLibrary, own: &ShapeDef, care: FoldPrecision) {
    let belongs = |id: &ShapeId| {
        let shape = library.get(*id);
        shape.family == own.family || shape.inner.is_empty()
    };
    let shapes: Vec<_> = library.by_specificity().filter(belongs).collect();
    let hints = Hints {
        shape_library: library,
        shapes: &shapes,
        exclusive: None,
        links: &Links::default(),
        indices: &Indices::default(),
        ends: RowEnds::Stay,
    };
    fold(state, &hints, care, &mut Budget::of_steps(u64::MAX)).unwrap();
}

/// Runs a check on every shape, all its models and other heaps: each third one, by turns of
/// `WANE_SEED`, or all with `WANE_EVERY_HEAP`.
fn for_each_folded_heap(mut check: impl FnMut(&ShapeDef, &Template, &Graph)) {
    let mut n_seen = 0;
    let thinned = if std::env::var("WANE_EVERY_HEAP").is_ok() { 1 } else { 3 };
    let seed = std::env::var("WANE_SEED").ok().and_then(|it| it.parse::<usize>().ok());
    let turn = seed.unwrap_or(0);
    for_each_heap(MAX_STATE_NODES, |_, shape, template, graph| {
        n_seen += 1;
        // There are many ways to fold what nodes own.
        let every = if shape.inner.is_empty() { thinned } else { 5 * thinned };
        if n_seen % every == turn % every {
            check(shape, template, graph);
        }
    });
    let mut n_models = 0;
    for_each_model(|_, shape, template, graph| {
        n_models += 1;
        if n_models % thinned == turn % thinned {
            check(shape, template, graph);
        }
    });
}

#[test]
fn folding_a_state_gains_heaps_only() {
    let library = ShapeLibrary::builtin().unwrap();
    let program = program_with_globals(2);
    let mut n_folded = 0;
    for_each_folded_heap(|shape, template, graph| {
        for globals in [vec![], vec![0], vec![0, graph.len() - 1]] {
            let mut state = exact_state(graph, template, &globals);
            let values: Vec<_> =
                globals.iter().map(|node| Some(LinearExpr::var(Var::at(*node)))).collect();
            let concrete = concrete_state(&program, graph, &values);
            assert!(satisfies(&concrete, &state, &library), "{graph:?}");
            let exact = state.clone();
            fold_by(&mut state, &library, shape, FoldPrecision::LoseOwned);
            assert!(
                satisfies(&concrete, &state, &library),
                "folding for `{}` on {graph:?}: {state:?}",
                shape.name
            );
            n_folded += usize::from(exact != state);
        }
    });
    assert!(n_folded > 50, "{n_folded}");
}

#[test]
fn claims_of_the_library_hold_when_it_is_loaded() {
    let library = ShapeLibrary::builtin().unwrap();
    for (index, _) in library.iter().enumerate() {
        claims::check(&library, ShapeId::at(index)).unwrap();
    }
}

#[test]
fn wrong_claims_are_found_when_they_are_loaded() {
    let list =
        "shape ls(x, y) { unfold x | x |-> { next: y } | x |-> { next: n } * ls(n, y) LEMMA }";
    let found = |lemma: &str| {
        let mut library = ShapeLibrary::default();
        library.add_file(&list.replace("LEMMA", lemma)).unwrap();
        claims::check(&library, ShapeId::at(0)).map_err(|error| error.message)
    };
    assert_eq!(found("lemma append: ls(x, m) * ls(m, y) |- ls(x, y)"), Ok(()));
    let bad = found("lemma bad: ls(x, m) * ls(z, m) |- ls(x, z)").unwrap_err();
    assert!(bad.starts_with("the lemma `bad` is false where n0 |-> { next: "), "{bad}");
    let mut library = ShapeLibrary::default();
    let text = "shape ends(x, z) { unfold x | x |-> { next: 0 } & x = z | x |-> { next: n } * ends(n, z) unfold z | z |-> { next: 0 } & x = z }";
    library.add_file(text).unwrap();
    let message = claims::check(&library, ShapeId::at(0)).unwrap_err().message;
    assert!(message.starts_with("no case at `z` fits the instance where n0 |-> "), "{message}");
}

#[test]
fn a_wrong_lemma_is_found() {
    // Lists that meet do not make one list from the first to the second.
    let mut library = ShapeLibrary::default();
    library
        .add_file("shape ls(x, y) { unfold x | x |-> { next: y } | x |-> { next: n } * ls(n, y) lemma bad: ls(x, m) * ls(z, m) |- ls(x, z) }")
        .unwrap();
    let id = library.find("ls").unwrap();
    let shape = library.get(id);
    let template = standard_template(shape, 8, &library);
    let rule = shape.rules.last().unwrap();
    let fails = graphs(2, 1).any(|graph| {
        let memory = laid_out(&graph);
        let heap = Definitions { memory: &memory, shape_library: &library };
        let empty = PatternModel::empty(vec![None; rule.n_variables]);
        let parts = heap.models_parts(&template, &rule.left, empty, &nothing());
        parts.iter().any(|parts| {
            let arguments: Vec<_> = rule
                .head
                .iter()
                .map(|term| parts.values[term.variable().unwrap()].clone())
                .collect();
            let whole = heap.models_instance(id, &template, &arguments, &nothing());
            !whole.iter().any(|whole| whole.has_nodes_of(parts))
        })
    });
    assert!(fails);
}
