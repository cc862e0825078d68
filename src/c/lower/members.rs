//! Which members of structures are read and written where, and which objects that have names.
//!
//! ```text
//!   s.m designates an object of the type of s, an object of another type is none of that
//!   ───────────────────────────────────────────────────────────────────────────────────── MEMBERS
//!   what is written as s.m is not read as t.n, unless both may lie in a union
//!   what is written as v, or as an element of v, is not read as s.m
//!   s := t  writes each member of s, and of what lies in s
//! ```
//!
//! Arrays of numbers may hold objects of any type (`static char pool[4096]`), and count for none.
//!
//! C11 6.5p7 with 6.5.2.3, as compilers take it: they tell accesses apart by the structures that
//! are named on the way.

use crate::types::{RecordId, Type, Types};
use base::source::Span;
use hashbrown::HashMap;
use ir::Variable;
use ir::open::MemberId;
use std::collections::{BTreeMap, BTreeSet};
use wane_grammar::c::ast::{BinaryOperator, Expr as Tree, ExprKind, RecordKind, UnaryOperator};
use wane_grammar::c::name::Symbol;

/// What is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Member {
    /// A member of a structure or union, so many bytes from its start.
    Of(RecordId, u64),
    /// An object that has a name, or an element of it: where it lies is in this variable.
    Object(Variable),
}

/// The members that scalars are read from and written to, by place; none where it may be another
/// object.
#[derive(Clone, Default)]
pub(super) struct Accesses(BTreeMap<Span, Option<BTreeSet<Member>>>);

impl Accesses {
    /// A scalar is read or written here.
    pub(super) fn note(&mut self, place: Span, member: Option<Member>) {
        let known = self.0.entry(place).or_insert_with(|| Some(BTreeSet::new()));
        match (known.as_mut(), member) {
            (Some(known), Some(member)) => {
                known.insert(member);
            }
            _ => *known = None,
        }
    }

    /// Something of this type is written here as a whole.
    pub(super) fn note_all(&mut self, place: Span, (types, ty): (&Types, &Type)) {
        let mut members = Vec::new();
        if let Some(record) = record_in(ty) {
            add_members(types, (record, 0), record, &mut members);
        }
        if members.is_empty() {
            self.note(place, None);
        }
        members.into_iter().for_each(|it| self.note(place, Some(it)));
    }

    /// The members as numbers, by place.
    pub(super) fn members(&self, types: &Types) -> Vec<(Span, Vec<MemberId>)> {
        let united = united(types);
        let mut alike: HashMap<Looks, RecordId> = HashMap::new();
        let mut known: HashMap<RecordId, RecordId> = HashMap::new();
        let mut first_alike = |id: RecordId| {
            let first = || *alike.entry(Looks::of(types, id)).or_insert(id);
            *known.entry(id).or_insert_with(first)
        };
        let mut numbers: HashMap<Member, MemberId> = HashMap::new();
        let mut number = |member: &Member| {
            let member = match *member {
                Member::Of(record, _) if united.contains(&record) => return MemberId::UNITED,
                Member::Of(record, offset) => Member::Of(first_alike(record), offset),
                Member::Object(_) => *member,
            };
            let next = MemberId::at(numbers.len() + 1);
            *numbers.entry(member).or_insert(next)
        };
        let places = self.0.iter().filter_map(|(place, members)| {
            let members: BTreeSet<MemberId> = members.as_ref()?.iter().map(&mut number).collect();
            Some((*place, members.into_iter().collect()))
        });
        places.collect()
    }
}

/// What makes structures of several files the same.
#[derive(PartialEq, Eq, Hash)]
enum Looks {
    Tag(Symbol),
    Members(Vec<(Option<Symbol>, u64)>),
}

impl Looks {
    fn of(types: &Types, id: RecordId) -> Self {
        let record = types.record(id);
        let fields = record.layout.iter().flat_map(|it| &it.fields);
        let members = || fields.map(|field| (field.name, field.offset)).collect();
        record.tag.map_or_else(|| Self::Members(members()), Self::Tag)
    }
}

/// The unions, and the structures that lie in them.
fn united(types: &Types) -> BTreeSet<RecordId> {
    let unions = types.records().filter(|it| types.record(*it).kind == RecordKind::Union);
    let mut open: Vec<RecordId> = unions.collect();
    let mut found = BTreeSet::new();
    while let Some(id) = open.pop() {
        if found.insert(id) {
            let fields = types.record(id).layout.iter().flat_map(|it| &it.fields);
            open.extend(fields.filter_map(|field| record_in(&field.ty)));
        }
    }
    // Members of what has no name count as those of what it lies in.
    let mut is_changed = true;
    while std::mem::take(&mut is_changed) {
        for id in types.records() {
            let fields = types.record(id).layout.iter().flat_map(|it| &it.fields);
            let mut inner = fields.filter(|it| it.name.is_none());
            let is_united = |ty: &Type| record_in(ty).is_some_and(|it| found.contains(&it));
            if !found.contains(&id) && inner.any(|it| is_united(&it.ty)) {
                is_changed |= found.insert(id);
            }
        }
    }
    found
}

/// The members of a record that lies so many bytes behind the start of the one that it counts to, as
/// those of what has no name do.
fn add_members(
    types: &Types,
    (named, start): (RecordId, u64),
    record: RecordId,
    members: &mut Vec<Member>,
) {
    let fields = types.record(record).layout.iter().flat_map(|it| &it.fields);
    for field in fields {
        let at = start + field.offset;
        match record_in(&field.ty) {
            Some(inner) if field.name.is_none() => add_members(types, (named, at), inner, members),
            Some(inner) => add_members(types, (inner, 0), inner, members),
            None => members.push(Member::Of(named, at)),
        }
    }
}

/// Whether what an expression designates is reached by a pointer that was made another type on the
/// way: so what its type says of it need not be.
pub(super) fn is_reached_by_cast(tree: &Tree) -> bool {
    match &tree.kind {
        ExprKind::Member(record, _) => is_reached_by_cast(record),
        ExprKind::Arrow(pointer, _)
        | ExprKind::Index(pointer, _)
        | ExprKind::Unary(UnaryOperator::Dereference, pointer) => is_cast(pointer),
        ExprKind::Name(_) => false,
        _ => true,
    }
}

/// Whether the value of a pointer is made another type as it stands.
fn is_cast(pointer: &Tree) -> bool {
    match &pointer.kind {
        ExprKind::Name(_)
        | ExprKind::Arrow(..)
        | ExprKind::Index(..)
        | ExprKind::Call(..)
        | ExprKind::Integer(_)
        | ExprKind::Character(_)
        | ExprKind::SizeofExpr(_)
        | ExprKind::SizeofType(_)
        | ExprKind::Unary(UnaryOperator::Dereference, _) => false,
        ExprKind::Member(record, _) => is_reached_by_cast(record),
        ExprKind::Binary(BinaryOperator::Add | BinaryOperator::Subtract, left, right) => {
            is_cast(left) || is_cast(right)
        }
        ExprKind::Unary(UnaryOperator::AddressOf, operand) => is_reached_by_cast(operand),
        ExprKind::Unary(_, operand) => is_cast(operand),
        _ => true,
    }
}

/// The structure or union that something of this type is made of.
fn record_in(ty: &Type) -> Option<RecordId> {
    match ty {
        Type::Record(id) => Some(*id),
        Type::Array(array) => record_in(&array.element),
        _ => None,
    }
}
