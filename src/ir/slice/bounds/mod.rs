//! Programs in which pointers know their bounds, and memory is left to those who call.
//!
//! ```text
//!   what comes in, and what that leads to, are live objects of their declared types, or null
//!   nothing is given up      each pointer that is stored is null or leads to such an object, too
//!   l, h: where the object begins and ends that p leads to; both are 0 for null and for no object
//!   ──────────────────────────────────────────────────────────────────────────────────────── BOUNDS
//!   p := q + E     ⟶  p, l, h := q + E, l(q), h(q)
//!   x := [p + E]   ⟶  assert l ≤ p + E & p + E + bytes ≤ h;  x := *
//!   p := [q]       ⟶  …;  p, l, h := *   with p = l = h = 0, or l = p & p + bytes of its type ≤ h
//!   p := new(E)    ⟶  p, l, h := b, b, b + E
//!   dispose(p)     ⟶  q, l(q), h(q) := *, 0, 0   for all q that may lead there
//! ```
//!
//! These are fat pointers (Necula, McPeak, Weimer, POPL 2002; Nagarakatte et al., PLDI 2009), as
//! numbers of the program, and the contract is what each C programmer takes for granted of a
//! function's arguments. Up to the first access that is not valid, each run of the program from
//! such a call is one of the result, where that access is a failing assertion. What lies at known
//! places behind what comes in is a variable (`slice::cells`), and can be told apart as types tell
//! (C11 6.5p7). Where each value of a pointer is so many bytes behind the start of an object of its
//! type, only null has to be excluded, and it gets no bounds.
//!
//! Memory that callers made is theirs to keep, but for what is given up to `free` (`given`); a program
//! that makes any is none for this rule.

mod accesses;
mod beyond;
mod given;
mod members;
mod multiples;
mod need;
mod pieces;
mod pointers;
mod rewriter;
mod start;
mod steps;
mod strings;
mod texts;
mod typed;
mod values;

use super::callees::Outside;
use super::cells::Place;
use super::cells::again::KnownPointers;
use super::sum::{Sum, sum};
use super::{any, callees, cells, private};
use crate::{
    BinaryOp, Block, Callee, Command, Expr, IntKind, ProcedureId, Program, ScalarType, Variable,
    VariableInfo,
};
use base::source::Span;
pub use given::gives_up;
pub use need::{MemberPlace, Need};
use pointers::Pointers;
use rewriter::Rewriter;
use std::collections::{BTreeMap, BTreeSet};
pub use steps::Check;

/// Why a value is arbitrary.
const HELD: &str = "what memory holds";

/// What is read again behind what is read again is found so deep.
const ROUNDS: usize = 2;

/// What is not known of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    /// That it is of an object at all.
    Nowhere,
    /// That the pointer is not null.
    Null,
    /// That it is not before the object's start.
    Start,
    /// That it is not behind the object's end.
    End,
    /// That a size is not negative.
    Size,
    /// That a member is not null that is null nowhere.
    Member,
    /// That a block is not given up before.
    Gone,
    /// That what is copied is apart from where it is copied to.
    Overlap,
}

impl Wrong {
    fn what(self) -> &'static str {
        match self {
            Self::Nowhere => "an access to no object",
            Self::Null => "an access by a pointer that may be null",
            Self::Start => "an access before the start of an object",
            Self::End => "an access behind the end of an object",
            Self::Size => "a size that may be negative",
            Self::Gone => "a use of what may have been given up",
            Self::Overlap => "a copy to bytes that may be those it is copied from",
            Self::Member => "a member that may get null, or no string",
        }
    }

    /// The same of a pointer.
    fn of(self, pointer: Variable) -> Failure {
        Failure { wrong: self, pointer: Some(pointer) }
    }

    /// The same of none in particular.
    fn alone(self) -> Failure {
        Failure { wrong: self, pointer: None }
    }
}

/// What is not known of an access by a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Failure {
    /// It.
    pub wrong: Wrong,
    /// The pointer.
    pub pointer: Option<Variable>,
}

impl Failure {
    /// What the result says that it comes to: another text for each failure.
    fn what(self) -> String {
        match self.pointer {
            Some(pointer) => format!("{} ({})", self.wrong.what(), pointer.index()),
            None => self.wrong.what().to_owned(),
        }
    }
}

/// A program whose pointers know their bounds.
#[derive(Clone, Debug)]
pub struct Bounded {
    /// It.
    pub program: Program,
    /// What may go wrong, by what the program says then.
    pub failures: BTreeMap<String, Failure>,
    /// What it asserts, by place: which pointers are followed there.
    pub checks: Vec<Check>,
    /// By pointer that is followed: what comes in that it may be made of.
    pub origins: BTreeMap<Variable, BTreeSet<Variable>>,
    /// What comes in: pointers and numbers.
    pub inputs: Vec<Variable>,
    /// By pointer that comes in: how many bytes its object has at least.
    pub strides: BTreeMap<Variable, i128>,
    /// The pointers that come in and whose objects have bounds.
    pub objects: BTreeSet<Variable>,
    /// The pointers that come in and are compared with each other, or with what is made of them.
    pub compared: BTreeSet<(Variable, Variable)>,
    /// By pointer that is followed: the members that it may be read from.
    pub members: BTreeMap<Variable, BTreeSet<MemberPlace>>,
    /// Those that the program compares with null.
    pub tested: BTreeSet<MemberPlace>,
    /// By what numbers are multiplied that are no parts of addresses.
    pub factors: BTreeSet<i128>,
    /// How many bytes accesses are apart, and how far pointers move on by all their steps.
    pub distances: BTreeSet<i128>,
}

/// The program with bounds, for calls that keep to this; nothing where the rule does not apply.
#[must_use]
pub fn with_bounds(program: &Program, needs: &[Need]) -> Option<Bounded> {
    let open = program.open.clone()?;
    let mut program = program.clone();
    typed::forget_members_of_others(&mut program);
    let objects = private::add(&mut program);
    let texts = texts::texts(&program);
    let cells = cells::add(&mut program, &texts);
    note_types(&mut program, &cells);
    let mut inputs: BTreeSet<Variable> = cells.iter().map(|it| it.0).collect();
    let mut told = inputs.clone();
    let mut members = members::of_cells(&program, &cells);
    for _ in 0..ROUNDS {
        let again = cells::again::add(&mut program, (&told, KnownPointers::OnEachWay), &texts);
        note_types(&mut program, &again);
        members.extend(members::of_cells(&program, &again));
        told.extend(again.iter().map(|it| it.0));
    }
    pieces::in_pieces(&mut program, &objects);
    told.extend(objects.variables());
    let called = called(&program);
    let program = callees::as_choices(&program, Outside::MayGiveUp);
    inputs.extend(&program.procedure(open.procedure).parameters);
    inputs.extend(arbitrary_globals(&program));
    // What parts of known objects hold that nothing is known of is not what callers made.
    let odd = cells.iter().filter(|it| is_odd(&program, it)).map(|it| it.0);
    let odd = odd.chain(objects.variables()).collect();
    let pointers = Pointers::of(&program, (&inputs, &odd), (&told, needs))?;
    let mut rewriter = Rewriter::new(&program, &pointers, (&told, &members), (needs, &called));
    let rewritten = rewriter.program(open.procedure)?;
    let checks = rewriter.checks();
    let (mut origins, mut read_from) = (BTreeMap::new(), BTreeMap::new());
    let from = rewriter.members_read();
    for Check { pointer, .. } in &checks {
        let all = pointers.sources_of([pointer.index()].into());
        let own = inputs.iter().filter(|it| all.contains(&it.index())).copied();
        origins.insert(*pointer, own.collect());
        read_from.insert(*pointer, from.of(&all));
    }
    let compared = compared(&program, &pointers, &inputs);
    let is_pointer = |it: &Variable| program.variable(*it).ty == ScalarType::Pointer;
    let pointers_in = inputs.iter().copied().filter(is_pointer);
    let strides = pointers_in.map(|it| (it, pointers::bytes_behind(&program, it))).collect();
    let objects = inputs.iter().copied().filter(|it| rewriter.has_ends(*it)).collect();
    let inputs = inputs.into_iter().collect();
    Some(Bounded {
        program: rewritten,
        failures: rewriter.failures,
        checks,
        origins,
        inputs,
        strides,
        objects,
        compared,
        members: read_from,
        tested: from.compared,
        factors: multiples::factors(&program),
        distances: multiples::distances(&program),
    })
}

/// Whether a pointer is read where none lies by the type of what it lies in.
fn is_odd(program: &Program, (cell, place): &(Variable, Place)) -> bool {
    let forms = &program.forms;
    let is_untyped = forms.of(place.pointer).is_some_and(|it| forms.size(it) == 0);
    forms.of(*cell).is_none() && !is_untyped
}

/// What pointers lead to that lie at these places, by the types of what these are in.
fn note_types(program: &mut Program, told: &[(Variable, Place)]) {
    for (variable, Place { pointer, bytes, step, ty }) in told {
        let width = i128::from(ty.bytes(program.pointer_bytes));
        let forms = &program.forms;
        let pointee = forms.of(*pointer).map(|it| forms.element(it)).and_then(|form| match step {
            0 => forms.pointee(form, *bytes, width),
            _ => {
                let size = Some(forms.size(form)).filter(|it| *it > 0 && step % it == 0)?;
                forms.pointee(form, bytes.rem_euclid(size), width)
            }
        });
        if let Some(pointee) = pointee {
            program.forms.note(*variable, pointee);
        }
    }
}

/// Which pointers that come in are compared, or subtracted from each other.
fn compared(
    program: &Program,
    pointers: &Pointers,
    inputs: &BTreeSet<Variable>,
) -> BTreeSet<(Variable, Variable)> {
    let origins = |side: &Expr| -> Vec<Variable> {
        let Some(Sum { pointer, .. }) = sum(&program.variables, side) else { return Vec::new() };
        let all = pointers.sources_of([pointer.index()].into());
        inputs.iter().copied().filter(|it| all.contains(&it.index())).collect()
    };
    let mut found = BTreeSet::new();
    for part in program.expressions().flat_map(Expr::parts) {
        let Expr::Binary(op, left, right) = part else { continue };
        if !op.is_comparison() && *op != BinaryOp::Subtract {
            continue;
        }
        let right = origins(right);
        for one in origins(left) {
            found.extend(right.iter().flat_map(|other| [(one, *other), (*other, one)]));
        }
    }
    found
}

/// Where calls are through pointers: by procedure, block and position, with what leads there.
type Called = BTreeMap<(ProcedureId, usize, usize), Expr>;

fn called(program: &Program) -> Called {
    let mut called = Called::new();
    for (procedure, code) in program.procedures.iter().enumerate() {
        for (block, Block { commands, .. }) in code.blocks.iter().enumerate() {
            for (position, instruction) in commands.iter().enumerate() {
                if let Command::Call { callee: Callee::Indirect(callee), .. } = &instruction.command
                {
                    called.insert((ProcedureId::at(procedure), block, position), callee.clone());
                }
            }
        }
    }
    called
}

/// The globals that have any value at the start.
fn arbitrary_globals(program: &Program) -> impl Iterator<Item = Variable> {
    let entry = program.procedure(program.entry);
    let commands = entry.blocks.iter().flat_map(|it| &it.commands);
    commands.filter_map(|it| match &it.command {
        Command::Havoc { target, .. } if program.variable(*target).owner.is_none() => Some(*target),
        _ => None,
    })
}

/// A number of the program, as large as addresses and their differences are.
fn number(program: &mut Program, name: String, owner: Option<ProcedureId>) -> Variable {
    program.variables.push(VariableInfo { name, ty: NUMBER, owner, span: Span::NOWHERE });
    Variable::at(program.variables.len() - 1)
}

/// Addresses may be any number where they are not followed.
const NUMBER: ScalarType = ScalarType::Int(IntKind { bits: 128, signed: true });

/// Any value of an input or of memory.
fn held(target: Variable) -> Command {
    any(target, HELD)
}
