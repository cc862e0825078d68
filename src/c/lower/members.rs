//! Which members of structures are read and written where, and which objects that have names.
//!
//! ```text
//!   s.m designates an object of the type of s, an object of another type is none of that
//!   ───────────────────────────────────────────────────────────────────────────────────── MEMBERS
//!   what is written as s.m is not read as t.n, unless both may lie in a union
//!   what is written as v, or as an element of v, is not read as s.m
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
use wane_grammar::c::ast::RecordKind;
use wane_grammar::c::name::Symbol;

/// What is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

    /// The members as numbers, by place.
    pub(super) fn members(&self, types: &Types) -> Vec<(Span, Vec<MemberId>)> {
        let united = united(types);
        let mut numbers: HashMap<(Looks, u64), MemberId> = HashMap::new();
        let mut number = |member: &Member| {
            let looks = match *member {
                Member::Of(record, _) if united.contains(&record) => return MemberId::UNITED,
                Member::Of(record, offset) => (Looks::of(types, record), offset),
                Member::Object(variable) => (Looks::Object(variable), 0),
            };
            let next = MemberId::at(numbers.len() + 1);
            *numbers.entry(looks).or_insert(next)
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
    /// There is only one.
    Object(Variable),
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

/// The structure or union that something of this type is made of.
fn record_in(ty: &Type) -> Option<RecordId> {
    match ty {
        Type::Record(id) => Some(*id),
        Type::Array(array) => record_in(&array.element),
        _ => None,
    }
}
