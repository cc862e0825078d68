//! Hand-made states, and what describes them.

use super::{satisfies, valuations};
use crate::assertion::parse;
use crate::bounds::{Bounds, FieldBounds};
use crate::row::{Holding, Nulls, Row, Sizes};
use crate::segment::Segment;
use crate::shape::ShapeLibrary;
use crate::state::{Kind, State};
use crate::{Atom, Content, print};
use base::source::{SourceMap, Span};
use concrete::interpreter::Interpreter;
use concrete::memory::MemoryBlockId;
use concrete::state::State as ConcreteState;
use concrete::value::{Pointer, Value};
use ir::{
    InitialContent, IntKind, MemoryKind, Procedure, ProcedureId, Program, ScalarType, Terminator,
    Variable, VariableInfo,
};
use logic::{Integer, LinearExpr};

/// Pointers `x`, `y` and an integer `n`.
fn program() -> Program {
    let block =
        ir::Block { commands: Vec::new(), terminator: Terminator::Halt, span: Span::NOWHERE };
    let int = ScalarType::Int(IntKind { bits: 32, signed: true });
    let info = |(name, ty): (&str, ScalarType)| VariableInfo {
        name: name.to_owned(),
        ty,
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
        variables: [("x", ScalarType::Pointer), ("y", ScalarType::Pointer), ("n", int)]
            .map(info)
            .to_vec(),
        entry: ProcedureId(0),
        sources: SourceMap::default(),
        pointer_bytes: 8,
        open: None,
        forms: ir::forms::Forms::default(),
    }
}

const X: Variable = Variable(0);
const Y: Variable = Variable(1);
const N: Variable = Variable(2);

fn node(index: usize) -> Value {
    Value::Pointer(Pointer { block: MemoryBlockId::at(index), offset: 0 })
}

/// Heap blocks of 8 bytes, each with a value.
fn heap_of(links: &[Value]) -> ConcreteState {
    let program = program();
    let mut state = Interpreter::new(&program).initial();
    let memory = state.memory_mut();
    for _ in links {
        memory
            .allocate(MemoryKind::Heap, Value::Int(8), InitialContent::Arbitrary, Span::NOWHERE)
            .unwrap();
    }
    for (index, link) in links.iter().enumerate() {
        memory.store(node(index), ScalarType::Pointer, *link).unwrap();
    }
    state
}

fn formula(text: &str) -> State {
    let library = ShapeLibrary::builtin().unwrap();
    parse(text, &program(), ProcedureId(0), &library)
        .unwrap_or_else(|error| panic!("{error:?} in {text}"))
        .state
}

/// Whether a state is one that a formula describes.
fn is(concrete: &ConcreteState, text: &str) -> bool {
    satisfies(concrete, &formula(text), &ShapeLibrary::builtin().unwrap())
}

#[test]
fn a_list_of_two() {
    let mut state = heap_of(&[node(1), Value::NULL]);
    state.assign(X, node(0));
    state.assign(Y, node(1));
    for text in [
        "ls[2](x, 0)",
        "ls[k](x, 0)",
        "k > 1 & ls[k](x, 0)",
        "ls[k](x, m) * ls[l](m, 0)",
        "ls[1](x, y) * ls[1](y, 0)",
        "x |-> { next: y } * y |-> { next: 0 }",
        "x != y & x |-> { next: m } * ls(m, 0)",
        "ls(x, 0) * junk",
        "ls[1](x, y) * junk",
        "ls(a, 0)",
    ] {
        assert!(is(&state, text), "{text}");
    }
    for text in [
        "ls[1](x, 0)",
        "ls[3](x, 0)",
        "k > 2 & ls[k](x, 0)",
        "ls[2](y, 0)",
        "ls[2](x, y)",
        "ls[2](x, x)",
        "ls[1](x, y)",
        "ls(x, m) * ls(m, l) * ls(l, 0)",
        "x = y & ls(x, 0)",
        "x = 0 & ls(y, 0)",
        "x |-> { next: 0 } * junk",
        "emp",
    ] {
        assert!(!is(&state, text), "{text}");
    }
}

#[test]
fn nodes_are_not_shared() {
    let mut state = heap_of(&[node(2), node(2), Value::NULL]);
    state.assign(X, node(0));
    state.assign(Y, node(1));
    assert!(is(&state, "ls[1](x, m) * ls[1](y, m) * ls[1](m, 0)"));
    assert!(is(&state, "ls[2](x, 0) * ls[1](y, m)"));
    assert!(!is(&state, "ls[2](x, 0) * ls[2](y, 0)"));
    assert!(!is(&state, "ls[1](x, 0) * ls[1](y, 0) * junk"));
}

#[test]
fn a_ring_ends_where_it_starts() {
    let mut state = heap_of(&[node(1), node(2), node(0)]);
    state.assign(X, node(0));
    state.assign(Y, node(1));
    assert!(is(&state, "ls[3](x, x)"));
    assert!(is(&state, "ls[1](x, y) * ls[2](y, x)"));
    assert!(!is(&state, "ls(x, 0)"));
    assert!(!is(&state, "ls[4](x, y)"));
}

#[test]
fn an_end_inside_is_an_end() {
    let mut state = heap_of(&[node(1), node(2), node(1)]);
    state.assign(X, node(0));
    state.assign(Y, node(1));
    assert!(is(&state, "ls[3](x, y)"));
    assert!(is(&state, "ls[1](x, y) * ls[2](y, y)"));
}

#[test]
fn what_is_not_chosen_agrees_with_anything() {
    let state = heap_of(&[Value::NULL]);
    assert!(is(&state, "x = 0 & ls[1](y, 0)"));
    assert!(is(&state, "n > 5 & ls[1](y, 0)"));
    assert!(!is(&state, "x != 0 & ls[1](y, x)"));
}

#[test]
fn an_unreached_end_has_every_length() {
    let mut state = heap_of(&[node(1), node(2), Value::NULL]);
    state.assign(X, node(0));
    let models =
        valuations(&state, &formula("ls[k](x, m) * junk"), &ShapeLibrary::builtin().unwrap());
    assert_eq!(models.len(), 3);
}

#[test]
fn numbers_are_found() {
    let mut state = heap_of(&[node(1), Value::NULL]);
    state.assign(X, node(0));
    state.assign(N, Value::Int(5));
    let symbolic = formula("ls[k](x, 0) & n = 2 k + 1");
    let models = valuations(&state, &symbolic, &ShapeLibrary::builtin().unwrap());
    let depth = symbolic.heap.atoms.iter().find_map(|atom| match atom {
        Atom::Instance(instance) => instance.depth.as_var(),
        Atom::Block(_) => None,
    });
    assert_eq!(models.len(), 1);
    assert_eq!(models[0].number(depth.unwrap()), Some(&Integer::from(2)));
    state.assign(N, Value::Int(6));
    assert!(!satisfies(&state, &symbolic, &ShapeLibrary::builtin().unwrap()));
}

/// `x ↦ …`, of zero bytes beside its cells.
fn zeroed(text: &str) -> State {
    let mut symbolic = formula(text);
    for atom in &mut symbolic.heap.atoms {
        if let Atom::Block(block) = atom {
            block.content = Content::Zero;
        }
    }
    symbolic
}

#[test]
fn zeroed_blocks_hold_zeros() {
    let library = ShapeLibrary::builtin().unwrap();
    let mut state = heap_of(&[Value::NULL]);
    state.assign(X, node(0));
    assert!(satisfies(&state, &zeroed("x |-> {}"), &library));
    state.memory_mut().store(node(0), ScalarType::Pointer, node(0)).unwrap();
    assert!(!satisfies(&state, &zeroed("x |-> {}"), &library));
    assert!(satisfies(&state, &zeroed("x |-> { next: x }"), &library));
}

#[test]
fn unwritten_bytes_are_not_surely_zero() {
    let program = program();
    let mut state = Interpreter::new(&program).initial();
    let memory = state.memory_mut();
    memory
        .allocate(MemoryKind::Heap, Value::Int(8), InitialContent::Arbitrary, Span::NOWHERE)
        .unwrap();
    state.assign(X, node(0));
    let library = ShapeLibrary::builtin().unwrap();
    assert!(!satisfies(&state, &zeroed("x |-> {}"), &library));
    assert!(is(&state, "x |-> { next: 0 }") && is(&state, "ls[1](x, y)"));
}

#[test]
fn sizes_regions_and_offsets_count() {
    let mut state = heap_of(&[Value::NULL]);
    state.assign(X, Value::Pointer(Pointer { block: MemoryBlockId::at(0), offset: 4 }));
    assert!(!is(&state, "ls(x, 0)") && !is(&state, "x |-> {}"));
    // A doubly linked node has 16 bytes.
    state.assign(X, node(0));
    assert!(!is(&state, "dls(x, 0, x, 0)"));
    let program = program();
    let mut other = Interpreter::new(&program).initial();
    let memory = other.memory_mut();
    memory
        .allocate(MemoryKind::Static, Value::Int(8), InitialContent::Zero, Span::NOWHERE)
        .unwrap();
    other.assign(X, node(0));
    assert!(!is(&other, "ls(x, 0)") && is(&other, "emp"));
}

#[test]
fn an_address_is_of_a_block() {
    let mut symbolic = State::initial();
    let address = symbolic.fresh(Kind::Address);
    symbolic.set_in(0, X, LinearExpr::var(address).add_constant(8));
    let library = ShapeLibrary::builtin().unwrap();
    let mut state = heap_of(&[]);
    state.assign(X, Value::Int(8));
    assert!(!satisfies(&state, &symbolic, &library));
    let mut state = heap_of(&[Value::NULL]);
    state.assign(X, node(0));
    assert!(!satisfies(&state, &symbolic, &library), "the block is in no atom");
    symbolic.junk = crate::state::Junk::Some;
    assert!(satisfies(&state, &symbolic, &library));
}

/// A block at `x` that is a table of one element, which leads to a list.
/// A segment says nothing where it has no element, wherever it begins; an element behind the end
/// of the block is none.
#[test]
fn segments_without_elements_may_begin_anywhere() {
    let mut state = heap_of(&[Value::NULL]);
    state.assign(X, node(0));
    let of_elements = |first: i64, end: i64| {
        let mut symbolic = formula("x |-> { next: 0 }");
        for atom in &mut symbolic.heap.atoms {
            if let Atom::Block(block) = atom {
                let empty = Segment::empty(8, first);
                block.segment = Some(Box::new(Segment { end: end.into(), ..empty }));
            }
        }
        satisfies(&state, &symbolic, &ShapeLibrary::builtin().unwrap())
    };
    for first in [0, 1, 2, 3, 9] {
        assert!(of_elements(first, first), "{first}");
        assert!(!of_elements(first, first + 4), "{first}");
    }
}

fn table_of(size: i64, bounds: FieldBounds) -> (State, usize) {
    let library = ShapeLibrary::builtin().unwrap();
    let mut symbolic = formula("x |-> { next: m } * ls(m, 0) * y |-> { next: 0 }");
    let base = symbolic.value_in(0, X).unwrap().as_var().unwrap();
    let list = symbolic.heap.atoms.iter().position(|it| matches!(it, Atom::Instance(_))).unwrap();
    let Atom::Instance(mut list) = symbolic.heap.atoms.remove(list) else { panic!("no list") };
    list.template.size = size;
    let kind = (list.shape, &list.template);
    let holds = Holding::of(kind, &list.arguments, &list.arguments[0], &library);
    let holds = holds.map(|it| Holding { bounds, ..it });
    let at = symbolic.block_at(base).unwrap();
    let Atom::Block(table) = &mut symbolic.heap.atoms[at] else { panic!("no block") };
    table.cells.clear();
    let (first, end, room, nulls) = (0.into(), 1.into(), 0.into(), Nulls::None);
    let sizes = Sizes::Any;
    let row = Row { stride: 8, offset: 0, first, end, holds, room, sizes, nulls };
    table.rows.push(row);
    (symbolic, at)
}

#[test]
fn elements_of_rows_own_lists() {
    let library = ShapeLibrary::builtin().unwrap();
    let mut concrete = heap_of(&[node(2), Value::NULL, Value::NULL]);
    concrete.assign(X, node(0));
    concrete.assign(Y, node(1));
    let (symbolic, at) = table_of(8, FieldBounds::new());
    let with = |change: &dyn Fn(&mut Row)| {
        let mut changed = symbolic.clone();
        if let Atom::Block(table) = &mut changed.heap.atoms[at] {
            change(&mut table.rows[0]);
        }
        changed
    };
    let is = |state: &State| satisfies(&concrete, state, &library);
    assert!(is(&symbolic));
    assert!(is(&with(&|row| row.nulls = Nulls::Some)));
    // A node has eight bytes.
    assert!(is(&with(&|row| (row.room, row.sizes) = (8.into(), Sizes::Counted))));
    assert!(!is(&with(&|row| row.room = 9.into())));
    // Then the list is owned by nobody, or all pointers are null.
    assert!(!is(&with(&|row| row.end = 0.into())));
    assert!(!is(&with(&|row| (row.holds, row.nulls) = (None, Nulls::Some))));
    // An element that is null is none that is not.
    let mut empty = heap_of(&[Value::NULL, Value::NULL]);
    empty.assign(X, node(0));
    empty.assign(Y, node(1));
    assert!(!satisfies(&empty, &symbolic, &library));
    assert!(satisfies(&empty, &with(&|row| row.nulls = Nulls::Some), &library));
}

#[test]
fn numbers_in_what_elements_own_are_within_bounds() {
    let library = ShapeLibrary::builtin().unwrap();
    let ty = ScalarType::Int(IntKind { bits: 32, signed: true });
    let holding = |number: i64| {
        let mut concrete = heap_of(&[node(2), Value::NULL]);
        let memory = concrete.memory_mut();
        let size = Value::Int(16);
        memory.allocate(MemoryKind::Heap, size, InitialContent::Zero, Span::NOWHERE).unwrap();
        let field = Value::Pointer(Pointer { block: MemoryBlockId::at(2), offset: 8 });
        memory.store(field, ty, Value::Int(number.into())).unwrap();
        concrete.assign(X, node(0));
        concrete.assign(Y, node(1));
        concrete
    };
    let bounds = Bounds { offset: 8, ty, least: Some(0), greatest: None };
    let (table, _) = table_of(16, FieldBounds::from_slice(&[bounds]));
    assert!(print::formula(&table, &program(), &library).contains("ls{8: 0..}"));
    let is = |number: i64, least: Option<i128>, greatest: Option<i128>| {
        let bounds = FieldBounds::from_slice(&[Bounds { offset: 8, ty, least, greatest }]);
        satisfies(&holding(number), &table_of(16, bounds).0, &library)
    };
    assert!(is(5, Some(0), None) && is(5, Some(5), Some(5)) && is(-5, None, Some(0)));
    assert!(!is(-1, Some(0), None) && !is(1, None, Some(0)) && !is(5, Some(6), None));
}
