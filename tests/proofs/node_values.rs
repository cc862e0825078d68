//! What nodes hold: lists with numbers in their nodes, folded and unfolded, and
//! the referee's word on it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use wane::base::budget::Budget;
use wane::base::source::{SourceMap, Span};
use wane::concrete::interpreter::Interpreter;
use wane::concrete::memory::MemoryBlockId;
use wane::concrete::state::State as ConcreteState;
use wane::concrete::value::{Pointer, Value};
use wane::entail::fold::{Hints, RowEnds, fold};
use wane::heap::assertion::standard_template;
use wane::heap::fold_precision::FoldPrecision;
use wane::heap::model::satisfies;
use wane::heap::shape::{ShapeDef, ShapeLibrary};
use wane::heap::unfold::unfold;
use wane::heap::{Atom, Block, Cell, Content, Kind, State, Template};
use wane::ir::indices::Indices;
use wane::ir::links::Links;
use wane::ir::{
    Block as CodeBlock, InitialContent, IntKind, MemoryKind, Procedure, ProcedureId, Program,
    ScalarType, Terminator, Variable, VariableInfo,
};
use wane::logic::{LinearExpr, Var};

const INT: ScalarType = ScalarType::Int(IntKind { bits: 64, signed: true });

/// A program whose only global points at the first node.
fn program() -> Program {
    let block =
        CodeBlock { commands: Vec::new(), terminator: Terminator::Halt, span: Span::NOWHERE };
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
        variables: vec![VariableInfo {
            name: "head".to_owned(),
            ty: ScalarType::Pointer,
            owner: None,
            span: Span::NOWHERE,
        }],
        entry: ProcedureId(0),
        sources: SourceMap::default(),
        pointer_bytes: 8,
        open: None,
        forms: wane::ir::forms::Forms::default(),
    }
}

/// A null-terminated list with these numbers in its nodes; the second link, if
/// there is one, goes back.
struct List<'a> {
    template: Template,
    data: &'a [i64],
}

impl<'a> List<'a> {
    fn new(library: &ShapeLibrary, shape: &ShapeDef, data: &'a [i64]) -> Self {
        let mut template = standard_template(shape, 8, library);
        template.size += 8;
        Self { template, data }
    }

    fn data_offset(&self) -> i64 {
        self.template.size - 8
    }

    /// The node that a link of a node points at.
    fn target(&self, node: usize, link: usize) -> Option<usize> {
        if link == 0 {
            Some(node + 1).filter(|next| *next < self.data.len())
        } else {
            node.checked_sub(1)
        }
    }

    fn concrete(&self, program: &Program) -> ConcreteState {
        let mut state = Interpreter::new(program).initial();
        let memory = state.memory_mut();
        let at = |node: usize, offset: i64| {
            Value::Pointer(Pointer {
                block: MemoryBlockId(u32::try_from(node).unwrap()),
                offset: offset.into(),
            })
        };
        for _ in self.data {
            let size = Value::Int(i128::from(self.template.size));
            memory
                .allocate(MemoryKind::Heap, size, InitialContent::Arbitrary, Span::NOWHERE)
                .unwrap();
        }
        for (node, number) in self.data.iter().enumerate() {
            for (link, offset) in self.template.links.iter().enumerate() {
                let value = self.target(node, link).map_or(Value::Int(0), |target| at(target, 0));
                memory.store(at(node, *offset), ScalarType::Pointer, value).unwrap();
            }
            let value = Value::Int(i128::from(*number));
            memory.store(at(node, self.data_offset()), INT, value).unwrap();
        }
        state.assign(Variable::at(0), at(0, 0));
        state
    }

    /// The exact description.
    fn symbolic(&self) -> State {
        let mut state = State::initial();
        let bases: Vec<Var> = self.data.iter().map(|_| state.fresh(Kind::Address)).collect();
        for (node, number) in self.data.iter().enumerate() {
            let link = |(link, offset): (usize, &i64)| {
                let target = self.target(node, link);
                let value = target.map_or(LinearExpr::zero(), |target| bases[target].into());
                Cell { offset: *offset, ty: ScalarType::Pointer, value }
            };
            let datum = Cell { offset: self.data_offset(), ty: INT, value: (*number).into() };
            let links = self.template.links.iter().enumerate().map(link);
            state.heap.atoms.push(Atom::Block(Block {
                base: bases[node],
                size: self.template.size.into(),
                region: self.template.region,
                content: Content::Arbitrary,
                cells: links.chain([datum]).collect(),
                floating: None,
                recent: Vec::new(),
                segment: None,
                rows: Vec::new(),
            }));
        }
        state.set_in(0, Variable::at(0), bases[0].into());
        state
    }
}

const LISTS: [&[i64]; 8] = [
    &[7, 7],
    &[1, 2, 3],
    &[9, 7, 5, 3],
    &[0, 5, 1],
    &[-2, -2, 4, -2],
    &[3, 3, 3, 3],
    &[0, 1],
    &[8, -8, 8],
];

/// The only instance of a state whose heap is one.
fn single_instance(state: &State) -> &wane::heap::Instance {
    match state.heap.atoms.as_slice() {
        [Atom::Instance(instance)] => instance,
        atoms => panic!("not one instance: {atoms:?}"),
    }
}

/// Folds by all shapes.
fn fold_all(state: &mut State, library: &ShapeLibrary, care: FoldPrecision) {
    let shapes: Vec<_> = library.by_specificity().collect();
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

#[test]
fn folded_and_unfolded_lists_describe_what_they_did() {
    let library = ShapeLibrary::builtin().unwrap();
    let program = program();
    for name in ["ls", "dls"] {
        let shape = library.get(library.find(name).unwrap());
        for data in LISTS {
            let list = List::new(&library, shape, data);
            let concrete = list.concrete(&program);
            let mut state = list.symbolic();
            assert!(satisfies(&concrete, &state, &library), "{name} {data:?}");
            fold_all(&mut state, &library, FoldPrecision::LoseOwned);
            assert!(satisfies(&concrete, &state, &library), "folded {name} {data:?}: {state:?}");
            single_instance(&state);
            for anchor in shape.anchors() {
                let cases = unfold(&state, 0, anchor, &library);
                let holds = cases.iter().any(|(case, _)| satisfies(&concrete, case, &library));
                assert!(holds, "{name} {data:?} unfolded at {anchor}: {cases:?}");
            }
        }
    }
}

#[test]
fn other_numbers_are_noticed() {
    let library = ShapeLibrary::builtin().unwrap();
    let program = program();
    let mut n_noticed = 0;
    for name in ["ls", "dls"] {
        let shape = library.get(library.find(name).unwrap());
        for data in LISTS {
            let mut state = List::new(&library, shape, data).symbolic();
            fold_all(&mut state, &library, FoldPrecision::LoseOwned);
            for changed in 0..data.len() {
                let mut other = data.to_vec();
                other[changed] += 100;
                let concrete = List::new(&library, shape, &other).concrete(&program);
                assert!(
                    !satisfies(&concrete, &state, &library),
                    "{name} {other:?} for {data:?}: {state:?}"
                );
                n_noticed += 1;
            }
        }
    }
    assert!(n_noticed > 40, "{n_noticed}");
}

#[test]
fn numbers_that_count_are_exact_at_both_ends() {
    let library = ShapeLibrary::builtin().unwrap();
    let shape = library.get(library.find("dls").unwrap());
    let list = List::new(&library, shape, &[5, 6, 7, 8]);
    let mut state = list.symbolic();
    fold_all(&mut state, &library, FoldPrecision::KeepValues);
    let expected = [5, 8];
    for (anchor, expected) in shape.anchors().zip(expected) {
        let cases = unfold(&state, 0, anchor, &library);
        assert!(!cases.is_empty());
        for (case, block) in cases {
            let Atom::Block(block) = &case.heap.atoms[block] else { panic!("no block") };
            let datum = &block.cell(list.data_offset()).unwrap().value;
            let difference = datum.add_constant(-expected);
            assert!(case.surely_zero(&difference), "at {anchor}: {case:?}");
        }
    }
}

#[test]
fn a_node_that_would_lose_its_number_stays_apart() {
    let library = ShapeLibrary::builtin().unwrap();
    let shape = library.get(library.find("ls").unwrap());
    let mut careful = List::new(&library, shape, &[0, 0, 0, 5]).symbolic();
    fold_all(&mut careful, &library, FoldPrecision::KeepValues);
    assert_eq!(careful.heap.atoms.len(), 2, "{careful:?}");
    let mut careless = List::new(&library, shape, &[0, 0, 0, 5]).symbolic();
    fold_all(&mut careless, &library, FoldPrecision::LoseOwned);
    single_instance(&careless);
}
