//! Random small programs over integers and list cells, most of whose runs end
//! well: dereferences are mostly guarded and loops mostly bounded.
//!
//! A cell has 16 bytes: an `i32` at 0 and the next cell's address at 8. A
//! program is a helper procedure `(ptr, i32) -> ptr`, which `main` calls, and
//! `main` itself. Both also use a global pointer. Sentences of a small
//! structured language are generated and then written down as blocks.

mod writer;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::fmt;
use wane::ir::{Program, text};
use writer::write_program;

/// A program that shows itself as text when a test fails.
#[derive(Clone)]
pub(crate) struct RandomProgram {
    pub(crate) program: Program,
}

impl fmt::Debug for RandomProgram {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "\n{}", text::print(&self.program))
    }
}

/// A program of this kind.
pub(crate) fn list_program() -> impl Strategy<Value = RandomProgram> {
    // Most programs begin with a list, as little happens without one.
    let start = prop_oneof![
        1 => Just(None),
        3 => (pointer(), 1_i128..4).prop_map(|(list, count)| Some(Statement::Build(list, count))),
    ];
    (vec(statement(), 0..3), start, vec(statement(), 2..10)).prop_map(|(helper, start, main)| {
        let main: Vec<Statement> = start.into_iter().chain(main).collect();
        let helper: Vec<Statement> = helper.into_iter().filter(|it| !it.calls()).collect();
        RandomProgram { program: write_program(&helper, &main) }
    })
}

/// Values for what a run leaves open.
pub(crate) fn some_choices() -> impl Strategy<Value = Vec<i128>> {
    vec(-2_i128..6, 0..12)
}

/// Pointer variables by number; 0 is the global one.
type PointerName = usize;
/// Integer variables by number.
type IntName = usize;

const N_POINTERS: usize = 4;
const N_INTS: usize = 2;

/// A sentence of the structured language.
#[derive(Clone, Debug)]
enum Statement {
    SetInt(IntName, i128),
    AddInt(IntName, IntName, i128),
    Input(IntName),
    SetNull(PointerName),
    CopyPointer(PointerName, PointerName),
    /// A new cell with data and next set.
    New(PointerName, IntName, PointerName),
    /// A new cell of arbitrary bytes.
    NewRaw(PointerName),
    /// A new cell of zeros.
    NewZeroed(PointerName),
    LoadNext(Guard, PointerName, PointerName),
    StoreNext(Guard, PointerName, PointerName),
    LoadData(Guard, IntName, PointerName),
    StoreData(Guard, PointerName, IntName),
    /// Frees a cell and forgets its address.
    Free(Guard, PointerName),
    /// Frees a cell and keeps its address.
    Dangle(Guard, PointerName),
    /// Pushes so many cells in front of a list.
    Build(PointerName, i128),
    /// Frees the first cell of a list, if any.
    Pop(PointerName),
    /// Frees all cells of a list.
    Drop(PointerName),
    /// Turns a list around in place.
    Reverse(PointerName),
    /// Ties the last cell of a list to its first.
    Close(PointerName),
    /// Goes through a list with a cursor.
    Traverse(PointerName, PointerName, Vec<Statement>),
    Repeat(i128, Vec<Statement>),
    WhilePositive(IntName, Vec<Statement>),
    If(Condition, Vec<Statement>, Vec<Statement>),
    Call(PointerName, PointerName, IntName),
}

/// Whether a dereference tests for null first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guard {
    Tested,
    Bare,
}

#[derive(Clone, Copy, Debug)]
enum Condition {
    IsNull(PointerName),
    AreEqual(PointerName, PointerName),
    IsPositive(IntName),
    IsLess(IntName, IntName),
    /// Arbitrary.
    Coin,
}

impl Statement {
    fn calls(&self) -> bool {
        match self {
            Self::Call(..) => true,
            Self::Traverse(_, _, body) | Self::Repeat(_, body) | Self::WhilePositive(_, body) => {
                body.iter().any(Self::calls)
            }
            Self::If(_, then, otherwise) => then.iter().chain(otherwise).any(Self::calls),
            _ => false,
        }
    }
}

fn pointer() -> impl Strategy<Value = PointerName> + Clone {
    // Some more often, so that sentences concern the same lists.
    prop_oneof![2 => Just(0), 5 => Just(1), 3 => Just(2), 1 => Just(3)]
}

fn int() -> impl Strategy<Value = IntName> + Clone {
    0..N_INTS
}

fn guard() -> impl Strategy<Value = Guard> + Clone {
    prop_oneof![7 => Just(Guard::Tested), 1 => Just(Guard::Bare)]
}

fn condition() -> impl Strategy<Value = Condition> {
    prop_oneof![
        pointer().prop_map(Condition::IsNull),
        (pointer(), pointer()).prop_map(|(left, right)| Condition::AreEqual(left, right)),
        int().prop_map(Condition::IsPositive),
        (int(), int()).prop_map(|(left, right)| Condition::IsLess(left, right)),
        Just(Condition::Coin),
    ]
}

fn statement() -> BoxedStrategy<Statement> {
    let simple = prop_oneof![
        3 => on_ints(),
        4 => on_pointers(),
        4 => on_cells(),
        5 => on_lists(),
        1 => (pointer(), pointer(), int()).prop_map(|(to, from, int)| Statement::Call(to, from, int)),
    ];
    simple
        .boxed()
        .prop_recursive(2, 12, 3, |inner| {
            let body = || vec(inner.clone(), 1..3);
            prop_oneof![
                4 => inner.clone(),
                2 => (pointer(), pointer(), body())
                    .prop_map(|(cursor, list, body)| Statement::Traverse(cursor, list, body)),
                2 => (0_i128..4, body()).prop_map(|(rounds, body)| Statement::Repeat(rounds, body)),
                1 => (int(), body()).prop_map(|(int, body)| Statement::WhilePositive(int, body)),
                2 => (condition(), body(), vec(inner, 0..2))
                    .prop_map(|(condition, then, other)| Statement::If(condition, then, other)),
            ]
        })
        .boxed()
}

fn on_ints() -> impl Strategy<Value = Statement> {
    prop_oneof![
        (int(), -2_i128..5).prop_map(|(to, value)| Statement::SetInt(to, value)),
        (int(), int(), select(vec![-1_i128, 1, 2]))
            .prop_map(|(to, from, more)| Statement::AddInt(to, from, more)),
        int().prop_map(Statement::Input),
    ]
}

fn on_pointers() -> impl Strategy<Value = Statement> {
    prop_oneof![
        1 => pointer().prop_map(Statement::SetNull),
        2 => (pointer(), pointer()).prop_map(|(to, from)| Statement::CopyPointer(to, from)),
        3 => (pointer(), int(), pointer())
            .prop_map(|(to, data, next)| Statement::New(to, data, next)),
        1 => pointer().prop_map(Statement::NewZeroed),
    ]
}

fn on_cells() -> impl Strategy<Value = Statement> {
    prop_oneof![
        8 => (guard(), pointer(), pointer())
            .prop_map(|(guard, to, from)| Statement::LoadNext(guard, to, from)),
        6 => (guard(), pointer(), pointer())
            .prop_map(|(guard, to, from)| Statement::StoreNext(guard, to, from)),
        4 => (guard(), int(), pointer())
            .prop_map(|(guard, to, from)| Statement::LoadData(guard, to, from)),
        4 => (guard(), pointer(), int())
            .prop_map(|(guard, to, from)| Statement::StoreData(guard, to, from)),
        1 => (guard(), pointer()).prop_map(|(guard, it)| Statement::Free(guard, it)),
        2 => (guard(), pointer()).prop_map(|(guard, it)| Statement::Dangle(guard, it)),
        1 => pointer().prop_map(Statement::NewRaw),
    ]
}

fn on_lists() -> impl Strategy<Value = Statement> {
    prop_oneof![
        4 => (pointer(), 0_i128..4).prop_map(|(list, count)| Statement::Build(list, count)),
        1 => pointer().prop_map(Statement::Pop),
        1 => pointer().prop_map(Statement::Drop),
        2 => pointer().prop_map(Statement::Reverse),
        2 => pointer().prop_map(Statement::Close),
        2 => (pointer(), pointer())
            .prop_map(|(cursor, list)| Statement::Traverse(cursor, list, Vec::new())),
    ]
}
