//! Claims of one state about another, each right, and wrong in one thing.

use super::super::form::is_well_formed;
use super::super::multipliers::Found;
use super::*;
use heap::Cell;
use heap::assertion::standard_template;
use heap::shape::ShapeLibrary;
use heap::values::{Field, NodeValues};
use heap::{Region, SymbolicHeap, state::Kind};
use ir::links::Sort;
use ir::{IntKind, MemoryKind, Program, Variable, text};
use obligation::{Goal, Obligation};
use smallvec::smallvec;
use sonar::Machine;

const I32: ScalarType = ScalarType::Int(IntKind { bits: 32, signed: true });
const HEAP: Region = Region { kind: MemoryKind::Heap, frame: 0, sort: Sort(0) };

fn program() -> Program {
    let source = "global x: ptr\nglobal y: ptr\nglobal i: i32\nglobal j: i32\n\
                  procedure main() {\nb:\n  halt\n}\nentry main\n";
    text::parse("test.goto", source).unwrap().program
}

/// Positions of the program's variables.
const X: usize = 0;
const Y: usize = 1;
const I: usize = 2;
const J: usize = 3;

fn v(index: usize) -> LinearExpr {
    Var::at(index).into()
}

/// A state with variables of these kinds in which globals have these values.
fn state(kinds: &[Kind], values: &[(usize, LinearExpr)]) -> State {
    let mut state = State::initial();
    for kind in kinds {
        state.fresh(*kind);
    }
    for (variable, value) in values {
        state.set_in(0, Variable::at(*variable), value.clone());
    }
    state
}

fn block(base: usize, cells: &[(i64, ScalarType, LinearExpr)]) -> Block {
    let cell = |(offset, ty, value): &(i64, ScalarType, LinearExpr)| Cell {
        offset: *offset,
        ty: *ty,
        value: value.clone(),
    };
    Block {
        base: Var::at(base),
        size: 8.into(),
        region: HEAP,
        content: Content::Arbitrary,
        cells: cells.iter().map(cell).collect(),
        floating: None,
        recent: Vec::new(),
        segment: None,
        rows: Vec::new(),
    }
}

/// Atoms, as the heap of a state with one address that `x` holds, and one number.
fn heap(atoms: &[Atom]) -> State {
    let mut state = state(&[Kind::Address, Kind::Integer], &[(X, v(0))]);
    state.heap.atoms = atoms.to_vec();
    state
}

/// `ls[depth](address, 0)`, whose nodes hold at offset 8 what these variables say.
fn list(address: usize, depth: LinearExpr, fields: &[usize]) -> Instance {
    let library = ShapeLibrary::builtin().unwrap();
    let shape = library.find("ls").unwrap();
    let definition = library.get(shape);
    let field = |value: &usize| Field { offset: 8, ty: I32, value: Var::at(*value) };
    Instance {
        shape,
        template: Template { size: 16, region: HEAP, ..standard_template(definition, 8, &library) },
        arguments: smallvec![v(address), LinearExpr::zero()],
        anchor_mask: definition.anchor_mask(),
        depth,
        values: NodeValues { position: None, fields: fields.iter().map(field).collect() },
    }
}

/// A node of such a list.
fn node(base: usize, next: LinearExpr, number: LinearExpr) -> Block {
    let cells = [(0, ScalarType::Pointer, next), (8, I32, number)];
    Block { size: 16.into(), ..block(base, &cells) }
}

/// What is wrong with a claim, if anything is.
fn defect(
    have: &State,
    want: &State,
    kinship: Kinship<'_>,
    (binding, proofs): (Vec<LinearExpr>, Vec<Proof>),
) -> Option<Defect> {
    let (program, library) = (program(), ShapeLibrary::builtin().unwrap());
    let obligation = Obligation::new(&program, Goal::Ends);
    let machine = Machine::new(&obligation, &library);
    let cover = Cover::of(binding, proofs);
    let claim = Claim { machine: &machine, have, want, cover: &cover, kinship };
    claim.check(&mut Found::default(), &mut Budget::of_steps(1_000)).err()
}

/// The same, for the end of a step of which nothing is said.
fn flaw(have: &State, want: &State, cover: (Vec<LinearExpr>, Vec<Proof>)) -> Option<Defect> {
    defect(have, want, Kinship::Step(&Polyhedron::top()), cover)
}

#[test]
fn an_arbitrary_value_stands_for_one_place() {
    let have = state(&[], &[]);
    let both = state(&[Kind::Integer], &[(I, v(0)), (J, v(0))]);
    assert_eq!(flaw(&have, &both, (vec![v(0)], vec![])), Some(Defect::Stores));
    let each = state(&[Kind::Integer; 2], &[(I, v(0)), (J, v(1))]);
    assert_eq!(flaw(&have, &each, (vec![v(0), v(1)], vec![])), None);
    assert_eq!(flaw(&have, &each, (vec![v(0), v(0)], vec![])), Some(Defect::Binding));
    assert_eq!(flaw(&have, &each, (vec![v(0)], vec![])), Some(Defect::Binding));
    let constant = state(&[], &[(I, 5.into())]);
    assert_eq!(flaw(&have, &constant, (vec![], vec![])), Some(Defect::Stores));
    let moved = state(&[Kind::Integer], &[(I, v(0).add_constant(1))]);
    assert_eq!(flaw(&have, &moved, (vec![v(0)], vec![])), Some(Defect::Stores));
}

#[test]
fn what_is_not_known_of_a_pointer_is_no_number_and_no_address() {
    let have = state(&[], &[]);
    for (kind, found) in [
        (Kind::Unknown, None),
        (Kind::Integer, Some(Defect::Stores)),
        (Kind::Address, Some(Defect::Stores)),
        (Kind::Summary, Some(Defect::Stores)),
    ] {
        let want = state(&[kind], &[(X, v(0))]);
        assert_eq!(flaw(&have, &want, (vec![v(0)], vec![])), found, "{kind:?}");
    }
}

#[test]
fn values_are_of_their_kind() {
    for (known, wanted, found) in [
        (Kind::Integer, Kind::Integer, None),
        (Kind::Integer, Kind::Unknown, None),
        (Kind::Integer, Kind::Address, Some(Defect::Binding)),
        (Kind::Address, Kind::Address, None),
        (Kind::Address, Kind::Unknown, None),
        (Kind::Address, Kind::Integer, Some(Defect::Binding)),
        (Kind::Unknown, Kind::Unknown, None),
        (Kind::Unknown, Kind::Address, Some(Defect::Binding)),
        (Kind::Unknown, Kind::Integer, Some(Defect::Binding)),
    ] {
        let (have, want) = (state(&[known], &[(X, v(0))]), state(&[wanted], &[(X, v(0))]));
        assert_eq!(flaw(&have, &want, (vec![v(0)], vec![])), found, "{known:?} {wanted:?}");
    }
    let twice = state(&[Kind::Address], &[(X, v(0).scale(&2_i64.into()))]);
    let want = state(&[Kind::Address], &[(X, v(0))]);
    let binding = vec![v(0).scale(&2_i64.into())];
    assert_eq!(flaw(&twice, &want, (binding, vec![])), Some(Defect::Binding));
}

#[test]
fn no_frame_is_dropped() {
    let want = state(&[], &[]);
    let mut have = want.clone();
    have.stores.push(Vec::new());
    assert_eq!(flaw(&have, &want, (vec![], vec![])), Some(Defect::Stores));
    assert_eq!(flaw(&have, &have, (vec![], vec![])), None);
}

#[test]
fn numbers_and_disequalities_follow() {
    let mut have = state(&[Kind::Integer], &[(I, v(0))]);
    have.facts.numbers.assume(Constraint::ge(v(0), 3));
    let mut want = have.clone();
    let same = || (vec![v(0)], vec![]);
    assert_eq!(flaw(&have, &want, same()), None);
    let fits = Polyhedron::of([Constraint::ge(v(0), 1)]);
    assert_eq!(defect(&have, &want, Kinship::Step(&fits), same()), None);
    let wrong = Polyhedron::of([Constraint::ge(v(0), 4)]);
    assert_eq!(defect(&have, &want, Kinship::Step(&wrong), same()), Some(Defect::Numbers));
    want.facts.nonzero.push(v(0).add_constant(-2));
    assert_eq!(flaw(&have, &want, same()), None);
    want.facts.nonzero.push(v(0).add_constant(-4));
    assert_eq!(flaw(&have, &want, same()), Some(Defect::Facts));
    want.facts.nonzero.clear();
    want.facts.numbers.assume(Constraint::ge(v(0), 4));
    assert_eq!(flaw(&have, &want, same()), Some(Defect::Numbers));
}

#[test]
fn seeds_stay_what_they_are() {
    let mut have = state(&[Kind::Integer; 2], &[(I, v(0)), (J, v(0))]);
    have.facts.numbers.assume(Constraint::eq(v(0), v(1)));
    have.vocabulary.seed_all();
    let same = || (vec![v(0), v(1)], vec![]);
    assert_eq!(defect(&have, &have, Kinship::Seeds, same()), None);
    let swapped = (vec![v(1), v(0)], vec![]);
    assert_eq!(defect(&have, &have, Kinship::Seeds, swapped), Some(Defect::Binding));
    let unseeded = state(&[Kind::Integer; 2], &[]);
    assert_eq!(defect(&have, &unseeded, Kinship::Seeds, same()), Some(Defect::Binding));
}

#[test]
fn each_atom_is_used_once_and_no_heap_is_lost() {
    let one = heap(&[Atom::Block(block(0, &[]))]);
    let same = || vec![v(0), v(1)];
    let proof = Proof::Same(0);
    assert_eq!(flaw(&one, &one, (same(), vec![proof.clone()])), None);
    let two = heap(&[Atom::Block(block(0, &[])), Atom::Block(block(0, &[]))]);
    let twice = vec![proof.clone(), proof.clone()];
    assert_eq!(flaw(&one, &two, (same(), twice)), Some(Defect::Heap));
    let mut none = heap(&[]);
    assert_eq!(flaw(&one, &none, (same(), vec![])), Some(Defect::Heap));
    none.junk = Junk::Some;
    assert_eq!(flaw(&one, &none, (same(), vec![])), None);
    assert_eq!(flaw(&none, &heap(&[]), (same(), vec![])), Some(Defect::Heap));
    assert_eq!(flaw(&none, &one, (same(), vec![proof])), Some(Defect::Heap));
}

#[test]
fn blocks_agree_in_all_that_is_wanted() {
    let have = |change: &dyn Fn(&mut Block)| {
        let mut known = block(0, &[(0, I32, 7.into())]);
        change(&mut known);
        heap(&[Atom::Block(known)])
    };
    let known = have(&|_| ());
    let found =
        |want: &State| flaw(&known, want, (vec![v(0), v(9)], vec![Proof::Same(0)])).is_none();
    let floating = |offset: i64| {
        Some(Box::new(FloatingCell { offset: offset.into(), ty: I32, value: 7.into() }))
    };
    let cell = |offset, ty, value| Cell { offset, ty, value };
    assert!(found(&known));
    assert!(found(&have(&|it| it.cells.clear())));
    assert!(found(&have(&|it| it.cells.push(cell(4, I32, v(1))))));
    assert!(found(&have(&|it| it.floating = floating(0))));
    assert!(!found(&have(&|it| it.floating = floating(4))));
    assert!(!found(&have(&|it| it.recent.extend(floating(4).map(|it| *it)))));
    assert!(!found(&have(&|it| it.size = 9.into())));
    assert!(!found(&have(&|it| it.region.kind = MemoryKind::Static)));
    assert!(!found(&have(&|it| it.content = Content::Zero)));
    assert!(!found(&have(&|it| it.cells[0].value = 8.into())));
    assert!(!found(&have(&|it| it.cells[0].ty = ScalarType::Pointer)));
    // The bytes at 2 are partly those at 0, of which something is known.
    assert!(!found(&have(&|it| it.cells[0] = cell(2, I32, v(1)))));
    assert!(!found(&have(&|it| it.cells.push(cell(4, I32, 0.into())))));
}

#[test]
fn blocks_are_at_their_addresses() {
    let with_block = |base: usize| {
        let mut state = state(&[Kind::Address; 2], &[(X, v(0)), (Y, v(1))]);
        state.heap.atoms = vec![Atom::Block(block(base, &[]))];
        state
    };
    let same = || (vec![v(0), v(1)], vec![Proof::Same(0)]);
    assert_eq!(flaw(&with_block(0), &with_block(0), same()), None);
    assert_eq!(flaw(&with_block(0), &with_block(1), same()), Some(Defect::Heap));
}

#[test]
fn zeroed_blocks_are_zero_where_nothing_is_listed() {
    let zeroed = |cells: &[(i64, ScalarType, LinearExpr)]| {
        heap(&[Atom::Block(Block { content: Content::Zero, ..block(0, cells) })])
    };
    let found =
        |have: &State| flaw(have, &zeroed(&[]), (vec![v(0), v(1)], vec![Proof::Same(0)])).is_none();
    assert!(found(&zeroed(&[])) && found(&zeroed(&[(0, I32, 0.into())])));
    assert!(!found(&zeroed(&[(0, I32, 1.into())])));
}

#[test]
fn instances_are_made_up_by_their_rules() {
    let one = heap(&[Atom::Block(node(0, 0.into(), 5.into()))]);
    let cell = || Proof::Rule(0, vec![Proof::Same(0)]);
    let found = |have: &State, instance: Instance, proof: Proof| {
        let want = heap(&[Atom::Instance(instance)]);
        flaw(have, &want, (vec![v(0), v(9)], vec![proof])).is_none()
    };
    let changed = |change: &dyn Fn(&mut Instance)| {
        let mut instance = list(0, 1.into(), &[]);
        change(&mut instance);
        instance
    };
    assert!(found(&one, changed(&|_| ()), cell()));
    assert!(!found(&one, changed(&|it| it.depth = 2.into()), cell()));
    assert!(!found(&one, changed(&|it| it.arguments[1] = v(0)), cell()));
    assert!(!found(&one, changed(&|it| it.template.size = 24), cell()));
    assert!(!found(&one, changed(&|it| it.template.links[0] = 8), cell()));
    assert!(!found(&one, changed(&|it| it.template.region.kind = MemoryKind::Static), cell()));
    assert!(!found(&one, changed(&|_| ()), Proof::Rule(1, vec![Proof::Same(0)])));
    assert!(!found(&one, changed(&|_| ()), Proof::Same(0)));
    let segment = heap(&[Atom::Instance(list(0, 1.into(), &[]))]);
    assert!(found(&segment, changed(&|_| ()), Proof::Same(0)));
    assert!(!found(&segment, changed(&|it| it.template.size = 24), Proof::Same(0)));
    let tree = ShapeLibrary::builtin().unwrap().find("tree").unwrap();
    assert!(!found(&segment, changed(&|it| it.shape = tree), Proof::Same(0)));
    // A number in the place of a link is no null.
    let number = Block { size: 16.into(), ..block(0, &[(0, I32, 0.into())]) };
    assert!(!found(&heap(&[Atom::Block(number)]), changed(&|_| ()), cell()));
    // Half of a link was overwritten: it is not null, though the block was zeroed.
    let cells = [(4, I32, 1.into())];
    let cut = Block { size: 16.into(), content: Content::Zero, ..block(0, &cells) };
    assert!(!found(&heap(&[Atom::Block(cut)]), changed(&|_| ()), cell()));
}

#[test]
fn parts_of_a_rule_fit_together() {
    let mut have = state(&[Kind::Address; 2], &[(X, v(0)), (Y, v(1))]);
    have.heap.atoms =
        vec![Atom::Block(node(0, v(1), 5.into())), Atom::Block(node(1, 0.into(), 6.into()))];
    let mut want = state(&[Kind::Address; 2], &[(X, v(0)), (Y, v(1))]);
    want.heap.atoms = vec![Atom::Instance(list(0, 2.into(), &[]))];
    let inner = Proof::Rule(0, vec![Proof::Same(1)]);
    let proof = || Proof::Rule(1, vec![Proof::Same(0), inner.clone()]);
    let binding = || vec![v(0), v(1)];
    assert_eq!(flaw(&have, &want, (binding(), vec![proof()])), None);
    have.heap.atoms[0] = Atom::Block(node(0, 0.into(), 5.into()));
    assert_eq!(flaw(&have, &want, (binding(), vec![proof()])), Some(Defect::Heap));
}

#[test]
fn rules_use_just_their_parts() {
    let mut have = state(&[Kind::Address; 2], &[(X, v(0)), (Y, v(1))]);
    have.heap.atoms =
        vec![Atom::Block(node(0, 0.into(), 5.into())), Atom::Block(node(1, 0.into(), 6.into()))];
    let mut want = state(&[Kind::Address; 2], &[(X, v(0)), (Y, v(1))]);
    want.heap.atoms = vec![Atom::Instance(list(0, 1.into(), &[]))];
    let more = Proof::Rule(0, vec![Proof::Same(0), Proof::Same(1)]);
    assert_eq!(flaw(&have, &want, (vec![v(0), v(1)], vec![more])), Some(Defect::Heap));
}

#[test]
fn parts_of_a_rule_are_of_its_shapes() {
    let found = |change: &dyn Fn(&mut Instance)| {
        let mut have = state(&[Kind::Address; 2], &[(X, v(0)), (Y, v(1))]);
        let mut rest = list(1, 3.into(), &[]);
        change(&mut rest);
        have.heap.atoms = vec![Atom::Block(node(0, v(1), 5.into())), Atom::Instance(rest)];
        let mut want = state(&[Kind::Address; 2], &[(X, v(0)), (Y, v(1))]);
        want.heap.atoms = vec![Atom::Instance(list(0, 4.into(), &[]))];
        let proof = Proof::Rule(1, vec![Proof::Same(0), Proof::Same(1)]);
        flaw(&have, &want, (vec![v(0), v(1)], vec![proof])).is_none()
    };
    assert!(found(&|_| ()));
    let other = ShapeLibrary::builtin().unwrap().find("tree").unwrap();
    assert!(!found(&|it| it.shape = other));
    assert!(!found(&|it| it.template.size = 24));
    assert!(!found(&|it| it.depth = 4.into()));
}

/// The list from `x` of two nodes that hold these numbers.
fn two_nodes(first: LinearExpr, second: LinearExpr) -> State {
    let mut have = state(&[Kind::Address; 2], &[(X, v(0))]);
    have.heap.atoms =
        vec![Atom::Block(node(0, v(1), first)), Atom::Block(node(1, 0.into(), second))];
    have
}

#[test]
fn what_is_said_of_nodes_holds_of_all() {
    let proof = || {
        let inner = Proof::Rule(0, vec![Proof::Same(1)]);
        (vec![v(0), v(9)], vec![Proof::Rule(1, vec![Proof::Same(0), inner])])
    };
    let want = |position: Option<Var>, known: Constraint| {
        let mut want = state(&[Kind::Address, Kind::Summary, Kind::Summary], &[(X, v(0))]);
        let mut instance = list(0, 2.into(), &[1]);
        instance.values.position = position;
        want.heap.atoms = vec![Atom::Instance(instance)];
        want.facts.numbers.assume(known);
        want
    };
    let found = |first: i64, second: i64, want: &State| {
        let (mut binding, proofs) = proof();
        binding.push(v(10));
        flaw(&two_nodes(first.into(), second.into()), want, (binding, proofs)).is_none()
    };
    let small = want(None, Constraint::le(v(1), 5));
    assert!(found(5, 4, &small) && found(4, 5, &small));
    assert!(!found(6, 5, &small) && !found(5, 6, &small));
    let rising = want(Some(Var::at(2)), Constraint::eq(v(1), v(2).add_constant(5)));
    assert!(found(5, 6, &rising));
    assert!(!found(5, 5, &rising) && !found(6, 5, &rising) && !found(4, 5, &rising));
}

#[test]
fn positions_of_a_segment_are_those_of_all_its_nodes() {
    let mut have = state(&[Kind::Address, Kind::Integer], &[(X, v(0)), (I, v(1))]);
    have.facts.numbers.assume(Constraint::ge(v(1), 1));
    have.heap.atoms = vec![Atom::Instance(list(0, v(1), &[]))];
    let want = |last: LinearExpr| {
        let kinds = [Kind::Address, Kind::Integer, Kind::Summary, Kind::Summary];
        let mut want = state(&kinds, &[(X, v(0)), (I, v(1))]);
        let mut instance = list(0, v(1), &[2]);
        instance.values.position = Some(Var::at(3));
        want.heap.atoms = vec![Atom::Instance(instance)];
        want.facts.numbers.assume(Constraint::le(v(3), last));
        want
    };
    let cover = || (vec![v(0), v(1), v(8), v(9)], vec![Proof::Same(0)]);
    assert_eq!(flaw(&have, &want(v(1).add_constant(-1)), cover()), None);
    assert_eq!(flaw(&have, &want(v(1).add_constant(-2)), cover()), Some(Defect::Numbers));
}

#[test]
fn positions_go_on_behind_a_node() {
    let kinds = [Kind::Address, Kind::Address, Kind::Summary, Kind::Summary];
    let mut have = state(&kinds, &[(X, v(0)), (Y, v(1))]);
    let mut rest = list(1, 3.into(), &[2]);
    rest.values.position = Some(Var::at(3));
    have.heap.atoms = vec![Atom::Block(node(0, v(1), 5.into())), Atom::Instance(rest)];
    have.facts.numbers.assume(Constraint::eq(v(2), v(3).add_constant(6)));
    let mut want = state(&kinds, &[(X, v(0)), (Y, v(1))]);
    let mut all = list(0, 4.into(), &[2]);
    all.values.position = Some(Var::at(3));
    want.heap.atoms = vec![Atom::Instance(all)];
    want.facts.numbers.assume(Constraint::eq(v(2), v(3).add_constant(5)));
    let cover = || {
        let proof = Proof::Rule(1, vec![Proof::Same(0), Proof::Same(1)]);
        (vec![v(0), v(1), v(8), v(9)], vec![proof])
    };
    assert_eq!(flaw(&have, &want, cover()), None);
    want.facts.numbers.assume(Constraint::le(v(3), 2));
    assert_eq!(flaw(&have, &want, cover()), Some(Defect::Numbers));
}

#[test]
fn nodes_of_a_tree_have_no_positions() {
    let link = |offset: i64, to: LinearExpr| (offset, ScalarType::Pointer, to);
    let node = |base, left: LinearExpr, number: i64| {
        let cells = [link(0, left), link(8, 0.into()), (16, I32, number.into())];
        Atom::Block(Block { size: 24.into(), ..block(base, &cells) })
    };
    let mut have = state(&[Kind::Address; 2], &[(X, v(0))]);
    have.heap.atoms = vec![node(0, v(1), 5), node(1, 0.into(), 6)];
    let library = ShapeLibrary::builtin().unwrap();
    let shape = library.find("tree").unwrap();
    let definition = library.get(shape);
    let field = Field { offset: 16, ty: I32, value: Var::at(1) };
    let tree = Instance {
        shape,
        template: Template { size: 24, region: HEAP, ..standard_template(definition, 8, &library) },
        arguments: smallvec![v(0)],
        anchor_mask: definition.anchor_mask(),
        depth: 2.into(),
        values: NodeValues { position: Some(Var::at(2)), fields: smallvec![field] },
    };
    let mut want = state(&[Kind::Address, Kind::Summary, Kind::Summary], &[(X, v(0))]);
    want.heap.atoms = vec![Atom::Instance(tree)];
    let leaf = Proof::Rule(0, vec![Proof::Same(1)]);
    let cover = || {
        let proof = Proof::Rule(1, vec![Proof::Same(0), leaf.clone()]);
        (vec![v(0), v(8), v(9)], vec![proof])
    };
    want.facts.numbers.assume(Constraint::le(v(1), 6));
    assert_eq!(flaw(&have, &want, cover()), None);
    want.facts.numbers.assume(Constraint::eq(v(1), v(2).add_constant(5)));
    assert_eq!(flaw(&have, &want, cover()), Some(Defect::Numbers));
}

#[test]
fn lists_of_one_node_have_one() {
    let library = ShapeLibrary::builtin().unwrap();
    let shape = library.find("nls").unwrap();
    let definition = library.get(shape);
    let own = list(1, 1.into(), &[]);
    let lists = |depth: LinearExpr, extent: Extent| {
        let inner = Template { extent, ..own.template.clone() };
        let standard = standard_template(definition, 8, &library);
        let template = Template { size: 16, region: HEAP, inner: vec![inner], ..standard };
        let (arguments, values) = (smallvec![v(0), LinearExpr::zero()], NodeValues::default());
        let anchor_mask = definition.anchor_mask();
        let all = Instance { shape, template, arguments, anchor_mask, depth, values };
        let mut state = state(&[Kind::Address], &[(X, v(0))]);
        state.heap.atoms = vec![Atom::Instance(all)];
        state
    };
    let is_owner = |rule: &Rule| rule.left.len() == 2 && rule.is_lone_owner();
    let number = definition.rules.iter().position(is_owner).unwrap();
    let node_with = |depth: LinearExpr| {
        let cells = [(0, ScalarType::Pointer, 0.into()), (8, ScalarType::Pointer, v(1))];
        let node = Block { size: 16.into(), ..block(0, &cells) };
        let mut have = state(&[Kind::Address, Kind::Address, Kind::Integer], &[(X, v(0))]);
        have.heap.atoms = vec![Atom::Block(node), Atom::Instance(list(1, depth, &[]))];
        have
    };
    let proof = Proof::Rule(number, vec![Proof::Same(0), Proof::Same(1)]);
    let made = |have: &State, extent| {
        flaw(have, &lists(1.into(), extent), (vec![v(0)], vec![proof.clone()]))
    };
    assert_eq!(made(&node_with(1.into()), Extent::One), None);
    assert_eq!(made(&node_with(2.into()), Extent::Any), None);
    assert_eq!(made(&node_with(2.into()), Extent::One), Some(Defect::Heap));
    let mut unknown = node_with(v(2));
    assert_eq!(made(&unknown, Extent::One), Some(Defect::Heap));
    unknown.facts.numbers.assume(Constraint::eq(v(2), 1));
    assert_eq!(made(&unknown, Extent::One), None);
    // The same of lists that were made up before.
    let cover = || (vec![v(0)], vec![Proof::Same(0)]);
    let (one, any) = (lists(3.into(), Extent::One), lists(3.into(), Extent::Any));
    assert_eq!(flaw(&one, &any, cover()), None);
    assert_eq!(flaw(&any, &one, cover()), Some(Defect::Heap));
}

#[test]
fn fields_have_names_of_their_own() {
    let mut have = state(&[Kind::Address, Kind::Integer, Kind::Integer], &[(X, v(0))]);
    have.facts.numbers.assume(Constraint::le(v(2), 5));
    have.heap.atoms = vec![Atom::Instance(list(0, 3.into(), &[]))];
    let mut want = state(&[Kind::Address, Kind::Summary], &[(X, v(0))]);
    want.heap.atoms = vec![Atom::Instance(list(0, 3.into(), &[1]))];
    want.facts.numbers.assume(Constraint::le(v(1), 5));
    let cover = (vec![v(0), v(0)], vec![Proof::Same(0)]);
    assert_eq!(flaw(&have, &want, cover), Some(Defect::Numbers));
}

#[test]
fn fields_are_those_of_their_type() {
    let mut have = state(&[Kind::Address, Kind::Summary], &[(X, v(0))]);
    let mut held = list(0, 1.into(), &[1]);
    have.facts.numbers.assume(Constraint::le(v(1), 5));
    have.heap.atoms = vec![Atom::Instance(held.clone())];
    let cover = || (vec![v(0), v(9)], vec![Proof::Same(0)]);
    assert_eq!(flaw(&have, &have, cover()), None);
    held.values.fields[0].ty = ScalarType::Int(IntKind { bits: 32, signed: false });
    let mut want = have.clone();
    want.heap.atoms = vec![Atom::Instance(held.clone())];
    assert_eq!(flaw(&have, &want, cover()), Some(Defect::Numbers));
    // The same of a single node, which holds a number of another type.
    let single = state(&[Kind::Address], &[(X, v(0))]);
    let holding = |ty: ScalarType| {
        let cells = [(0, ScalarType::Pointer, 0.into()), (8, ty, 5.into())];
        let node = Block { size: 16.into(), ..block(0, &cells) };
        let atoms = vec![Atom::Block(node)];
        let cover = (vec![v(0), v(9)], vec![Proof::Rule(0, vec![Proof::Same(0)])]);
        flaw(&State { heap: SymbolicHeap { atoms }, ..single.clone() }, &want, cover)
    };
    assert_eq!(holding(held.values.fields[0].ty), None);
    assert_eq!(holding(I32), Some(Defect::Numbers));
}

#[test]
fn states_have_their_form() {
    let (program, library) = (program(), ShapeLibrary::builtin().unwrap());
    let obligation = Obligation::new(&program, Goal::Ends);
    let machine = Machine::new(&obligation, &library);
    let kinds = [Kind::Address, Kind::Address, Kind::Summary];
    let mut right = state(&kinds, &[(X, v(0)), (Y, v(1))]);
    right.heap.atoms = vec![
        Atom::Instance(list(0, 3.into(), &[2])),
        Atom::Block(block(1, &[(0, I32, 7.into()), (4, I32, 8.into())])),
    ];
    assert!(is_well_formed(&machine, &right));
    let is_refused = |change: &dyn Fn(&mut State)| {
        let mut wrong = right.clone();
        change(&mut wrong);
        !is_well_formed(&machine, &wrong)
    };
    let with_list = |change: &dyn Fn(&mut Instance)| {
        let mut instance = list(0, 3.into(), &[2]);
        change(&mut instance);
        is_refused(&|it| it.heap.atoms[0] = Atom::Instance(instance.clone()))
    };
    assert!(is_refused(&|it| it.stores[0].swap(0, 1)));
    assert!(is_refused(&|it| it.stores[0].push((Variable::at(Y), 0.into()))));
    assert!(is_refused(&|it| it.stores[0][0].1 = v(3)));
    assert!(is_refused(&|it| it.stores[0][0].1 = v(2)));
    assert!(is_refused(&|it| it.facts.nonzero.push(v(7))));
    assert!(is_refused(&|it| it.facts.numbers.assume(Constraint::ge(v(0), 1))));
    assert!(is_refused(&|it| it.heap.atoms.push(Atom::Instance(list(1, 1.into(), &[2])))));
    let overlapping = block(1, &[(0, I32, 7.into()), (2, I32, 8.into())]);
    assert!(is_refused(&|it| it.heap.atoms[1] = Atom::Block(overlapping.clone())));
    assert!(with_list(&|it| it.anchor_mask = 3));
    assert!(with_list(&|it| it.template.links.clear()));
    assert!(with_list(&|it| drop(it.arguments.pop())));
    assert!(with_list(&|it| it.values.position = Some(Var::at(2))));
    assert!(with_list(&|it| it.values.position = Some(Var::at(0))));
}

#[path = "bytes_tests.rs"]
mod bytes;

#[path = "elements_tests.rs"]
mod elements;

#[path = "rows_tests.rs"]
mod rows;
