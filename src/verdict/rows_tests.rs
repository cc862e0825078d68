//! Claims about what elements of arrays own, each right, and wrong in one thing.

use super::*;
use heap::ANY_SIZE;
use heap::bounds::Bounds;
use heap::row::{Holding, Nulls, Row, Sizes};
use logic::Constraint;
use obligation::{Goal, Obligation};
use sonar::Machine;

/// Elements of a table of 64 bytes at `v0` from `v1` to `v2`: each owns a list, or is null.
fn row(nulls: Nulls) -> Row {
    let library = ShapeLibrary::builtin().unwrap();
    let list = list(3, 1.into(), &[]);
    let kind = (list.shape, &list.template);
    let holds = Holding::of(kind, &list.arguments, &v(3), &library);
    Row {
        stride: 8,
        offset: 0,
        first: v(1),
        end: v(2),
        holds,
        room: 0.into(),
        sizes: Sizes::Any,
        nulls,
    }
}

fn table(rows: &[Row], named: &[(LinearExpr, LinearExpr)]) -> Block {
    let scalar = |(index, value): &(LinearExpr, LinearExpr)| FloatingCell {
        offset: index.scale(&Integer::from(8)),
        ty: ScalarType::Pointer,
        value: value.clone(),
    };
    Block {
        size: 64.into(),
        rows: rows.to_vec(),
        recent: named.iter().map(scalar).collect(),
        ..block(0, &[])
    }
}

/// A state with such a table, other atoms, and this known of `first` and `end`.
fn with(table: Block, others: &[Atom], known: &[Constraint]) -> State {
    let kinds = [Kind::Address, Kind::Integer, Kind::Integer, Kind::Address, Kind::Integer];
    let mut state = state(&kinds, &[(X, v(0))]);
    state.heap.atoms.push(Atom::Block(table));
    state.heap.atoms.extend_from_slice(others);
    state.facts.numbers.assume_all(known.iter().cloned());
    state
}

fn binding(first: LinearExpr, end: LinearExpr) -> Vec<LinearExpr> {
    vec![v(0), first, end, Var::at(5).into(), Var::at(6).into()]
}

fn is_right(have: &State, want: &State, ends: (LinearExpr, LinearExpr), proof: Proof) -> bool {
    flaw(have, want, (binding(ends.0, ends.1), vec![proof])).is_none()
}

fn wanted(nulls: Nulls) -> State {
    with(table(&[row(nulls)], &[]), &[], &[])
}

fn within() -> Vec<Constraint> {
    vec![Constraint::ge(v(1), 0), Constraint::ge(v(2), v(1).add_constant(2))]
}

#[test]
fn a_row_is_itself_and_no_other() {
    let have = with(table(&[row(Nulls::None)], &[]), &[], &within());
    let same = (v(1), v(2));
    for nulls in [Nulls::None, Nulls::Some] {
        assert!(is_right(&have, &wanted(nulls), same.clone(), Proof::Same(0)));
    }
    let with_nulls = with(table(&[row(Nulls::Some)], &[]), &[], &within());
    assert!(!is_right(&with_nulls, &wanted(Nulls::None), same, Proof::Same(0)));
    // Neither are elements made up, nor is what they own lost.
    for ends in [(v(1), v(2).add_constant(1)), (v(1).add_constant(1), v(2))] {
        assert!(!is_right(&have, &wanted(Nulls::Some), ends, Proof::Same(0)));
    }
    let none = with(table(&[], &[]), &[], &[]);
    assert!(!is_right(&have, &none, (v(1), v(2)), Proof::Same(0)));
    assert!(!is_right(&none, &wanted(Nulls::Some), (0.into(), 1.into()), Proof::Same(0)));
}

#[test]
fn a_named_element_owns_what_it_should() {
    let owned = Atom::Instance(list(3, v(4), &[]));
    let names =
        |index: LinearExpr, value: LinearExpr| table(&[row(Nulls::None)], &[(index, value)]);
    let have = |table| with(table, std::slice::from_ref(&owned), &within());
    let own = |owned: Vec<Proof>| Proof::Same(0).with_owned(owned);
    let (same, is) = ((v(1), v(2)), |have: &State, proof| {
        is_right(have, &wanted(Nulls::None), (v(1), v(2)), proof)
    });
    let inside = have(names(v(1), v(3)));
    assert!(is(&inside, own(vec![Proof::Same(1)])));
    // What it owns is not forgotten, and not owned twice.
    assert!(!is(&inside, own(vec![])));
    assert!(!is(&inside, own(vec![Proof::Same(1), Proof::Same(1)])));
    // Something else is no list that it owns.
    assert!(!is(&have(names(v(1), v(0))), own(vec![Proof::Same(1)])));
    assert!(!is(&have(names(v(1), v(3).add_constant(8))), own(vec![Proof::Same(1)])));
    // Behind the row, it makes the row longer.
    let behind = have(names(v(2), v(3)));
    let longer = (same.0, same.1.add_constant(1));
    assert!(is_right(&behind, &wanted(Nulls::None), longer.clone(), own(vec![Proof::Same(1)])));
    assert!(!is_right(&behind, &wanted(Nulls::None), longer, own(vec![])));
    assert!(!is(&behind, own(vec![Proof::Same(1)])));
    // Null is one where nulls are.
    let null = with(names(v(1), 0.into()), &[], &within());
    assert!(!is(&null, own(vec![])));
    assert!(is_right(&null, &wanted(Nulls::Some), (v(1), v(2)), own(vec![])));
}

#[test]
fn what_hangs_on_an_end_may_be_left_out() {
    let names =
        |index: LinearExpr| with(table(&[row(Nulls::None)], &[(index, v(3))]), &[], &within());
    let shorter = (v(1).add_constant(1), v(2));
    assert!(is_right(&names(v(1)), &wanted(Nulls::None), shorter.clone(), Proof::Same(0)));
    assert!(!is_right(&names(v(1).add_constant(1)), &wanted(Nulls::None), shorter, Proof::Same(0)));
}

/// A row whose lists hold numbers from `least` to `greatest`.
fn bounded(least: Option<i128>, greatest: Option<i128>) -> Row {
    let mut row = row(Nulls::None);
    let bounds = Bounds { offset: 8, ty: I32, least, greatest };
    row.holds.as_mut().unwrap().bounds = smallvec![bounds];
    row
}

#[test]
fn numbers_in_what_elements_own_stay_within_bounds() {
    let (zero, one) = (Some(0), Some(1));
    let of = |row: Row| with(table(&[row], &[]), &[], &within());
    let want = |row: Row| with(table(&[row], &[]), &[], &[]);
    let is = |have: &State, row: Row| is_right(have, &want(row), (v(1), v(2)), Proof::Same(0));
    assert!(is(&of(bounded(one, zero)), bounded(zero, one)));
    assert!(is(&of(bounded(one, None)), row(Nulls::None)));
    assert!(!is(&of(bounded(zero, None)), bounded(one, None)));
    assert!(!is(&of(bounded(None, one)), bounded(None, zero)));
    assert!(!is(&of(row(Nulls::None)), bounded(zero, None)));
    let mut elsewhere = bounded(one, zero);
    elsewhere.holds.as_mut().unwrap().bounds[0].offset = 12;
    assert!(!is(&of(elsewhere), bounded(one, zero)));
}

#[test]
fn what_becomes_nameless_is_within_bounds() {
    let named = || table(&[bounded(Some(1), None)], &[(v(1), v(3))]);
    let own = |owned: Vec<Proof>| Proof::Same(0).with_owned(owned);
    let want = |least| with(table(&[bounded(Some(least), None)], &[]), &[], &[]);
    let is = |have: &State, least| {
        let binding = vec![v(0), v(1), v(2), v(6), v(7)];
        flaw(have, &want(least), (binding, vec![own(vec![Proof::Same(1)])])).is_none()
    };
    // The numbers of the list are called by the last variable.
    let have = |fields: &[usize], known: Constraint| {
        let kinds = [
            Kind::Address,
            Kind::Integer,
            Kind::Integer,
            Kind::Address,
            Kind::Integer,
            Kind::Summary,
        ];
        let mut state = state(&kinds, &[(X, v(0))]);
        let owned = Atom::Instance(list(3, v(4), fields));
        state.heap.atoms = vec![Atom::Block(named()), owned];
        state.facts.numbers.assume_all(within().into_iter().chain([known]));
        state
    };
    assert!(is(&have(&[5], Constraint::ge(v(5), 1)), 1));
    assert!(is(&have(&[5], Constraint::ge(v(5), 1)), 0));
    assert!(!is(&have(&[5], Constraint::ge(v(5), 0)), 1));
    assert!(!is(&have(&[], Constraint::ge(v(5), 1)), 1), "nothing is known of the list's numbers");
}

#[test]
fn an_element_is_not_named_out_of_a_row_that_owns_it() {
    let named = |index: LinearExpr| with(table(&[row(Nulls::Some)], &[(index, v(3))]), &[], &[]);
    let unnamed = with(table(&[row(Nulls::Some)], &[]), &[], &within());
    // What the first element owns would be nobody's.
    let want = named(v(1));
    let (address, number) = (Var::at(5).into(), Var::at(6).into());
    let all = vec![v(0), v(1), v(2), address, number];
    assert!(flaw(&unnamed, &want, (all, vec![Proof::Same(0)])).is_some());
    // As a cell: what is not known of a place may be anything, but not where a row says it.
    let mut want = with(table(&[row(Nulls::Some)], &[]), &[], &[Constraint::eq(v(1), 0)]);
    let value = want.fresh(Kind::Unknown);
    let Atom::Block(block) = &mut want.heap.atoms[0] else { panic!("no block") };
    block.cells.push(Cell { offset: 0, ty: ScalarType::Pointer, value: value.into() });
    let mut have = unnamed;
    have.facts.numbers.assume(Constraint::eq(v(1), 0));
    let binding = |first: LinearExpr| {
        vec![v(0), first, v(2), Var::at(5).into(), Var::at(6).into(), Var::at(7).into()]
    };
    assert!(flaw(&have, &want, (binding(v(1)), vec![Proof::Same(0)])).is_some());
    // An element before the row is none of its.
    have.facts.numbers = Polyhedron::top();
    have.facts.numbers.assume_all([Constraint::ge(v(1), 1), Constraint::ge(v(2), v(1))]);
    want.facts.numbers = Polyhedron::top();
    assert!(flaw(&have, &want, (binding(v(1)), vec![Proof::Same(0)])).is_none());
}

#[test]
fn what_rows_own_is_memory_of_no_call() {
    let (program, library) = (program(), ShapeLibrary::builtin().unwrap());
    let obligation = Obligation::new(&program, Goal::Ends);
    let machine = Machine::new(&obligation, &library);
    let is_state = |change: &dyn Fn(&mut Holding)| {
        let mut row = row(Nulls::None);
        change(row.holds.as_mut().unwrap());
        is_well_formed(&machine, &with(table(&[row], &[]), &[], &[]))
    };
    assert!(is_state(&|_| ()));
    assert!(is_state(&|it| it.template.region.kind = MemoryKind::Static));
    for kind in [MemoryKind::Alloca, MemoryKind::Stack] {
        assert!(!is_state(&|it| it.template.region.kind = kind));
    }
    // Numbers of nodes are told apart by where they lie.
    let bounds = Bounds { offset: 8, ty: I32, least: Some(0), greatest: None };
    assert!(is_state(&|it| it.bounds = smallvec![bounds]));
    assert!(!is_state(&|it| it.bounds = smallvec![bounds, bounds]));
    let address = Bounds { ty: ScalarType::Pointer, ..bounds };
    assert!(!is_state(&|it| it.bounds = smallvec![address]));
}

/// A row whose elements own single blocks of at least `room` bytes.
fn of_blocks(room: LinearExpr, sizes: Sizes) -> Row {
    let library = ShapeLibrary::builtin().unwrap();
    let shape = library.find("cell").unwrap();
    let standard = standard_template(library.get(shape), 8, &library);
    let template = Template { size: ANY_SIZE, region: HEAP, ..standard };
    let holds = Holding::of((shape, &template), &[v(3)], &v(3), &library);
    assert!(holds.is_some());
    Row { holds, room, sizes, ..row(Nulls::None) }
}

#[test]
fn blocks_that_elements_own_are_as_large_as_a_row_says() {
    let most = i64::from(i32::MAX);
    let of = |row: Row| with(table(&[row], &[]), &[], &within());
    let want = |row: Row| with(table(&[row], &[]), &[], &[]);
    let is = |have: &State, row: Row| is_right(have, &want(row), (v(1), v(2)), Proof::Same(0));
    let eight = of_blocks(8.into(), Sizes::Counted);
    assert!(is(&of(eight.clone()), of_blocks(8.into(), Sizes::Counted)));
    assert!(is(&of(eight.clone()), of_blocks(4.into(), Sizes::Any)));
    assert!(!is(&of(eight.clone()), of_blocks(9.into(), Sizes::Counted)));
    assert!(!is(&of(of_blocks(8.into(), Sizes::Any)), eight));
    // `first` and `end` are numbers as others.
    assert!(is(&of(of_blocks(v(2), Sizes::Any)), of_blocks(v(1), Sizes::Any)));
    assert!(!is(&of(of_blocks(v(1), Sizes::Any)), of_blocks(v(2), Sizes::Any)));
    // What an element owns that becomes nameless.
    let named = |size: i64| {
        let table = table(&[of_blocks(8.into(), Sizes::Counted)], &[(v(1), v(3))]);
        let owned = Block { size: size.into(), ..block(3, &[]) };
        with(table, &[Atom::Block(owned)], &within())
    };
    let proof = Proof::Same(0).with_owned(vec![Proof::Rule(0, vec![Proof::Same(1)])]);
    let is = |size, row: Row| is_right(&named(size), &want(row), (v(1), v(2)), proof.clone());
    let wanted = || of_blocks(8.into(), Sizes::Counted);
    assert!(is(8, wanted()) && is(most, wanted()));
    assert!(!is(7, wanted()) && !is(most + 1, wanted()));
    assert!(!is(8, of_blocks(9.into(), Sizes::Any)));
}
