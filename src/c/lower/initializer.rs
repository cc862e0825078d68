//! Initializers: which expression goes to which part of an object.

use wane_grammar::c::ast::{
    Designator, Expr as Tree, ExprKind, Initializer, InitializerItem, RecordKind, StringKind,
    StringLiteral, TypeName,
};
use wane_grammar::c::place::Place;

use super::access::{Lvalue, Site};
use super::declare::of_elements;
use super::{Lowered, Lowering, fold};
use crate::types::{Array, Bits, Integer, Length, Nature, Type};
use ir::{BinaryOp, Command, Expr};

/// Longest string literal whose characters are kept.
pub(super) const TEXT_LIMIT: usize = 1 << 16;

/// Highest index that a designated range may reach.
const RANGE_LIMIT: u64 = 1 << 16;

/// One expression of an initializer and where its value goes.
#[derive(Clone, Debug)]
struct Entry<'a> {
    offset: u64,
    ty: Type,
    bits: Option<Bits>,
    value: EntryValue<'a>,
}

#[derive(Clone, Copy, Debug)]
enum EntryValue<'a> {
    Expr(&'a Tree),
    Text(&'a StringLiteral, Place),
}

/// A value of a static object, found before the program starts.
#[derive(Clone, Debug)]
pub(super) struct StaticEntry {
    pub(super) offset: u64,
    pub(super) ty: Type,
    pub(super) bits: Option<Bits>,
    /// `None` if it is not modelled.
    pub(super) value: Option<Expr>,
    pub(super) place: Place,
}

/// An initializer list taken apart.
#[derive(Debug, Default)]
struct Plan<'a> {
    entries: Vec<Entry<'a>>,
    /// Elements of the outermost array.
    length: u64,
}

/// A part of an aggregate.
struct Part {
    ty: Type,
    offset: u64,
    bits: Option<Bits>,
}

/// The items of a list, and how far they are used up.
struct Cursor<'a> {
    items: &'a [InitializerItem],
    at: usize,
}

impl<'a> Lowering<'a> {
    /// Gives an object its first value.
    pub(super) fn initialize(
        &mut self,
        target: &Lvalue,
        initializer: &'a Initializer,
        place: Place,
    ) -> Lowered<()> {
        self.full_initializer(initializer, place, |this| {
            this.initialize_whole(target, initializer, place)
        })
    }

    fn initialize_whole(
        &mut self,
        target: &Lvalue,
        initializer: &'a Initializer,
        place: Place,
    ) -> Lowered<()> {
        if let (Initializer::Expr(tree), false) = (initializer, matches!(target.ty, Type::Array(_)))
        {
            let value = self.scalar_value(tree, &target.ty)?;
            return self.store(target, value, place).map(|_| ());
        }
        let mut parts = Vec::new();
        Self::parts_of_initializer(initializer, &mut parts);
        self.in_any_order(&parts, place, |this| this.initialize_parts(target, initializer, place))
    }

    fn initialize_parts(
        &mut self,
        target: &Lvalue,
        initializer: &'a Initializer,
        place: Place,
    ) -> Lowered<()> {
        let plan = self.plan(&target.ty, initializer)?;
        let (Site::Memory(base) | Site::Member(base, _)) = &target.site else {
            for entry in &plan.entries {
                if let EntryValue::Expr(tree) = entry.value {
                    let value = self.scalar_value(tree, &target.ty)?;
                    self.store(target, value, place)?;
                }
            }
            if plan.entries.is_empty() {
                let zero = super::convert::Value::new(target.ty.clone(), 0);
                self.store(target, zero, place)?;
            }
            return Ok(());
        };
        let size = self.size(&target.ty, place)?;
        if !self.covers(&plan, size) {
            let size = Expr::Constant(i128::from(size));
            let command = Command::Fill { address: base.clone(), byte: Expr::Constant(0), size };
            self.emit(command, place);
        }
        for entry in plan.entries {
            self.initialize_part(base, &entry)?;
        }
        Ok(())
    }

    /// Whether the entries leave no byte of the object out.
    fn covers(&self, plan: &Plan<'a>, size: u64) -> bool {
        let mut covered = 0_u64;
        for entry in &plan.entries {
            if entry.bits.is_some() || entry.offset != covered {
                return false;
            }
            if let (EntryValue::Text(text, _), Type::Array(array)) = (entry.value, &entry.ty)
                && !matches!(array.length, Length::Fixed(length) if length <= text.units.len() as u64)
            {
                return false;
            }
            covered = covered.saturating_add(self.types.size(&entry.ty).unwrap_or(0));
        }
        covered == size
    }

    fn initialize_part(&mut self, base: &Expr, entry: &Entry<'a>) -> Lowered<()> {
        let offset = Expr::Constant(i128::from(entry.offset));
        let address = fold::binary(BinaryOp::Add, base.clone(), offset);
        match entry.value {
            EntryValue::Expr(tree) => {
                let site = match entry.bits {
                    Some(bits) => Site::Bits(address, bits),
                    None => Site::Memory(address),
                };
                let part = Lvalue { ty: entry.ty.clone(), site };
                let value = self.scalar_value(tree, &entry.ty)?;
                self.store(&part, value, tree.place).map(|_| ())
            }
            EntryValue::Text(text, place) => {
                for (offset, unit, ty) in self.characters(text, &entry.ty, place) {
                    let offset = Expr::Constant(i128::from(offset));
                    let address = fold::binary(BinaryOp::Add, address.clone(), offset);
                    let Some(ty) = self.types.scalar(&ty) else { continue };
                    self.emit(Command::Store { address, value: unit, ty }, place);
                }
                Ok(())
            }
        }
    }

    /// The non-zero characters of a string that initializes an array: offset,
    /// value and type.
    fn characters(
        &mut self,
        text: &StringLiteral,
        ty: &Type,
        place: Place,
    ) -> Vec<(u64, Expr, Type)> {
        let Type::Array(array) = ty else { return Vec::new() };
        let size = self.types.size(&array.element).unwrap_or(1);
        let room = match array.length {
            Length::Fixed(length) => usize::try_from(length).unwrap_or(usize::MAX),
            Length::Unknown | Length::Variable(_) => usize::MAX,
        };
        if text.units.len() > TEXT_LIMIT {
            self.unsupported("string literal of more than 65536 characters", place);
            return Vec::new();
        }
        let Type::Int(int) = array.element else { return Vec::new() };
        let kind = int.kind(self.types.model);
        let units = text.units.iter().take(room).enumerate().filter(|(_, unit)| **unit != 0);
        units
            .map(|(index, unit)| {
                let value = Expr::Constant(kind.wrap(i128::from(*unit)));
                (index as u64 * size, value, array.element.clone())
            })
            .collect()
    }

    /// The values of a static object.
    pub(super) fn static_entries(
        &mut self,
        ty: &Type,
        initializer: &'a Initializer,
    ) -> Lowered<Vec<StaticEntry>> {
        let mut waiting = self.plan(ty, initializer)?.entries;
        waiting.reverse();
        let mut entries = Vec::new();
        while let Some(entry) = waiting.pop() {
            match entry.value {
                // GNU C: a literal of a structure stands for its list.
                EntryValue::Expr(Tree { kind: ExprKind::Compound(ty, items), .. })
                    if !entry.ty.is_scalar()
                        && self.aside(|this| this.type_name(ty))? == entry.ty =>
                {
                    let parts = self.plan_items(&entry.ty, items)?.entries.into_iter().rev();
                    waiting.extend(
                        parts.map(|part| Entry { offset: entry.offset + part.offset, ..part }),
                    );
                }
                EntryValue::Expr(tree) => {
                    let value = self.scalar_value(tree, &entry.ty)?;
                    let value = self.static_value(value.expr, &entry.ty);
                    let Entry { offset, ty, bits, .. } = entry;
                    entries.push(StaticEntry { offset, ty, bits, value, place: tree.place });
                }
                EntryValue::Text(text, place) => {
                    for (offset, value, ty) in self.characters(text, &entry.ty, place) {
                        let offset = entry.offset + offset;
                        entries.push(StaticEntry {
                            offset,
                            ty,
                            bits: None,
                            value: Some(value),
                            place,
                        });
                    }
                }
            }
        }
        Ok(entries)
    }

    /// The value, if it is made of constants and addresses of static objects.
    fn static_value(&self, value: Expr, ty: &Type) -> Option<Expr> {
        let mut is_static = ty.is_scalar();
        let start = self.body.is_start;
        value.variables().for_each(|variable| {
            let info = self.parts.variables.get(variable.index());
            is_static &= info.is_some_and(|info| info.owner.is_none()) || start;
        });
        is_static.then_some(value)
    }

    /// An array type without length, with the one that the initializer gives.
    pub(super) fn completed(&mut self, ty: Type, initializer: &'a Initializer) -> Lowered<Type> {
        let Type::Array(array) = &ty else { return Ok(ty) };
        if array.length != Length::Unknown {
            return Ok(ty);
        }
        let length = match text_of(initializer, array) {
            Some((text, _)) => text.units.len() as u64 + 1,
            None => self.plan(&ty, initializer)?.length,
        };
        Ok(array.with_length(length))
    }

    /// `(type){ … }`
    pub(super) fn compound_literal(
        &mut self,
        ty: &'a TypeName,
        items: &'a [InitializerItem],
        place: Place,
    ) -> Lowered<Lvalue> {
        let (mut ty, qualifiers) = self.qualified_type_name(ty)?;
        if qualifiers.and(of_elements(&ty)).constant {
            self.strings.constant = Some(place);
        }
        if let Type::Array(array) = &ty
            && array.length == Length::Unknown
        {
            let plan = self.plan_items(&ty, items)?;
            ty = array.with_length(plan.length);
        }
        let mut parts = Vec::new();
        items.iter().for_each(|item| Self::parts_of_initializer(&item.value, &mut parts));
        self.in_any_order(&parts, place, |this| this.literal_in_order(ty, items, place))
    }

    /// The same, from left to right.
    fn literal_in_order(
        &mut self,
        ty: Type,
        items: &'a [InitializerItem],
        place: Place,
    ) -> Lowered<Lvalue> {
        let plan = self.plan_items(&ty, items)?;
        let block = self.block_of(&ty, place)?;
        let size = self.size(&ty, place)?;
        if !self.covers(&plan, size) {
            let size = Expr::Constant(i128::from(size));
            let command = Command::Fill { address: block.into(), byte: Expr::Constant(0), size };
            self.emit(command, place);
        }
        for entry in plan.entries {
            self.initialize_part(&block.into(), &entry)?;
        }
        Ok(Lvalue { ty, site: Site::Memory(block.into()) })
    }

    fn plan(&mut self, ty: &Type, initializer: &'a Initializer) -> Lowered<Plan<'a>> {
        if let Type::Array(array) = ty
            && let Some((text, place)) = text_of(initializer, array)
        {
            let entry = Entry {
                offset: 0,
                ty: ty.clone(),
                bits: None,
                value: EntryValue::Text(text, place),
            };
            return Ok(Plan { entries: vec![entry], length: 0 });
        }
        match initializer {
            Initializer::List(items, _) => self.plan_items(ty, items),
            Initializer::Expr(Tree { kind: ExprKind::Compound(_, items), .. })
                if matches!(ty, Type::Array(_)) =>
            {
                self.plan_items(ty, items)
            }
            Initializer::Expr(tree) if !matches!(ty, Type::Array(_)) => {
                let entry =
                    Entry { offset: 0, ty: ty.clone(), bits: None, value: EntryValue::Expr(tree) };
                Ok(Plan { entries: vec![entry], length: 0 })
            }
            Initializer::Expr(tree) => {
                self.error(tree.place, "an array needs a list as initializer")
            }
        }
    }

    fn plan_items(&mut self, ty: &Type, items: &'a [InitializerItem]) -> Lowered<Plan<'a>> {
        let mut plan = Plan::default();
        if !matches!(ty, Type::Array(_) | Type::Record(_)) {
            let mut cursor = Cursor { items, at: 0 };
            if !items.is_empty() {
                let part = Part { ty: ty.clone(), offset: 0, bits: None };
                self.plan_part(&part, &mut cursor, &mut plan)?;
            }
            return Ok(plan);
        }
        let whole = Part { ty: ty.clone(), offset: 0, bits: None };
        let mut cursor = Cursor { items, at: 0 };
        let length = self.plan_aggregate(&whole, &mut cursor, None, &mut plan)?;
        plan.length = length;
        Ok(plan)
    }

    /// Gives items to the parts of an aggregate, from `cursor` on. With a
    /// `path`, the list belongs to an outer aggregate: the first item goes
    /// where the path leads, and the next designator ends this aggregate's turn.
    /// Returns how many elements were reached.
    fn plan_aggregate(
        &mut self,
        whole: &Part,
        cursor: &mut Cursor<'a>,
        path: Option<&'a [Designator]>,
        plan: &mut Plan<'a>,
    ) -> Lowered<u64> {
        if let (Type::Record(id), Some(item)) = (&whole.ty, cursor.items.get(cursor.at))
            && self.types.record(*id).nature == Nature::Reordered
            && let Some(first) = item.value.parts().first()
        {
            self.unsupported("attribute `scalar_storage_order`", first.place);
        }
        let is_braced = path.is_none();
        let is_union =
            matches!(whole.ty, Type::Record(id) if self.types.record(id).kind == RecordKind::Union);
        let mut path = path;
        let (mut index, mut reached) = (0, 0);
        while cursor.at < cursor.items.len() {
            let item = &cursor.items[cursor.at];
            let steps: &'a [Designator] = match path.take() {
                Some(steps) => steps,
                None if !item.designators.is_empty() && !is_braced => break,
                None => &item.designators,
            };
            let before = cursor.at;
            if let Some((step, rest)) = steps.split_first() {
                index = self.plan_designated(whole, step, rest, steps, cursor, plan)?;
            } else {
                let Some(part) = self.part(whole, index) else { break };
                if is_union && index > 0 {
                    break;
                }
                self.plan_part(&part, cursor, plan)?;
                index += 1;
            }
            reached = reached.max(index);
            if cursor.at == before {
                cursor.at += 1;
            }
        }
        if is_braced {
            // What is left over has no place; compilers only warn.
            cursor.at = cursor.items.len();
        }
        Ok(reached)
    }

    /// Gives the item at the cursor to the part that a designator names, and
    /// returns the index of the part that follows it.
    fn plan_designated(
        &mut self,
        whole: &Part,
        step: &'a Designator,
        rest: &'a [Designator],
        steps: &'a [Designator],
        cursor: &mut Cursor<'a>,
        plan: &mut Plan<'a>,
    ) -> Lowered<u64> {
        let (first, last, rest) = match (step, &whole.ty) {
            (Designator::Member(name, place), Type::Record(id)) => {
                let fields = self.types.record(*id).layout.as_ref().map(|layout| &layout.fields);
                let position = fields.into_iter().flatten().position(|field| {
                    field.name == Some(*name)
                        || matches!((&field.name, &field.ty), (None, Type::Record(inner))
                            if self.types.member(*inner, *name).is_some())
                });
                let Some(position) = position else {
                    return self.error(*place, format!("no member `{}`", self.name(*name)));
                };
                let is_inside = fields
                    .and_then(|fields| fields.get(position))
                    .is_some_and(|field| field.name.is_none());
                let position = position as u64;
                (position, position, if is_inside { steps } else { rest })
            }
            (Designator::Index(index), Type::Array(_)) => {
                let index = self.index_of(index)?;
                (index, index, rest)
            }
            (Designator::Range(first, last), Type::Array(_)) => {
                let place = last.place;
                let (first, last) = (self.index_of(first)?, self.index_of(last)?);
                if last < first || last - first > RANGE_LIMIT {
                    return self.error(place, "this range of elements is empty or too long");
                }
                (first, last, rest)
            }
            (Designator::Member(_, place), _) => {
                return self.error(*place, "only structures have members");
            }
            (Designator::Index(tree) | Designator::Range(tree, _), _) => {
                return self.error(tree.place, "only arrays have elements");
            }
        };
        let start = cursor.at;
        for index in first..=last {
            cursor.at = start;
            let Some(part) = self.part(whole, index) else { break };
            if rest.is_empty() {
                self.plan_part(&part, cursor, plan)?;
            } else {
                self.plan_aggregate(&part, cursor, Some(rest), plan)?;
            }
        }
        Ok(last.saturating_add(1))
    }

    fn index_of(&mut self, tree: &'a Tree) -> Lowered<u64> {
        let value = self.constant(tree)?;
        match u64::try_from(value) {
            Ok(index) => Ok(index),
            Err(_) => self.error(tree.place, "negative index"),
        }
    }

    /// The part of an aggregate at an index.
    fn part(&self, whole: &Part, index: u64) -> Option<Part> {
        match &whole.ty {
            Type::Array(array) => {
                if matches!(array.length, Length::Fixed(length) if index >= length) {
                    return None;
                }
                let size = self.types.size(&array.element)?;
                let offset = whole.offset.checked_add(index.checked_mul(size)?)?;
                Some(Part { ty: array.element.clone(), offset, bits: None })
            }
            Type::Record(id) => {
                let layout = self.types.record(*id).layout.as_ref()?;
                let field = layout.fields.get(usize::try_from(index).ok()?)?;
                let offset = whole.offset + field.offset;
                Some(Part { ty: field.ty.clone(), offset, bits: field.bits })
            }
            _ => None,
        }
    }

    /// Gives the item at the cursor, and as many more as it takes, to a part.
    fn plan_part(
        &mut self,
        part: &Part,
        cursor: &mut Cursor<'a>,
        plan: &mut Plan<'a>,
    ) -> Lowered<()> {
        let Some(item) = cursor.items.get(cursor.at) else { return Ok(()) };
        let is_aggregate = matches!(part.ty, Type::Array(_) | Type::Record(_));
        let entry =
            |value| Entry { offset: part.offset, ty: part.ty.clone(), bits: part.bits, value };
        if let Type::Array(array) = &part.ty
            && let Some((text, place)) = text_of(&item.value, array)
        {
            plan.entries.push(entry(EntryValue::Text(text, place)));
            cursor.at += 1;
            return Ok(());
        }
        match &item.value {
            // GNU C: a literal of an array stands for its list.
            Initializer::Expr(Tree { kind: ExprKind::Compound(ty, inner), .. })
                if matches!(part.ty, Type::Array(_))
                    && matches!(self.aside(|this| this.type_name(ty))?, Type::Array(_)) =>
            {
                cursor.at += 1;
                self.plan_aggregate(part, &mut Cursor { items: inner, at: 0 }, None, plan)
                    .map(|_| ())
            }
            Initializer::List(inner, _) if is_aggregate => {
                cursor.at += 1;
                self.plan_aggregate(part, &mut Cursor { items: inner, at: 0 }, None, plan)
                    .map(|_| ())
            }
            Initializer::List(inner, _) => {
                cursor.at += 1;
                self.plan_part(part, &mut Cursor { items: inner, at: 0 }, plan)
            }
            Initializer::Expr(tree) if !is_aggregate || self.is_whole(tree, &part.ty)? => {
                plan.entries.push(entry(EntryValue::Expr(tree)));
                cursor.at += 1;
                Ok(())
            }
            Initializer::Expr(_) => self.plan_aggregate(part, cursor, Some(&[]), plan).map(|_| ()),
        }
    }

    /// Whether an expression is a whole structure of the type.
    fn is_whole(&mut self, tree: &'a Tree, ty: &Type) -> Lowered<bool> {
        match tree.kind {
            ExprKind::Integer(_) | ExprKind::Character(_) | ExprKind::String(_) => Ok(false),
            _ if matches!(ty, Type::Record(_)) => Ok(self.type_of(tree)? == *ty),
            _ => Ok(false),
        }
    }
}

/// The string literal, perhaps in braces or in those of an array's literal, that initializes an array of
/// characters.
fn text_of<'a>(initializer: &'a Initializer, array: &Array) -> Option<(&'a StringLiteral, Place)> {
    let tree = match initializer {
        Initializer::Expr(Tree { kind: ExprKind::Compound(_, items), .. })
        | Initializer::List(items, _) => match items.as_slice() {
            [InitializerItem { designators, value: Initializer::Expr(tree) }]
                if designators.is_empty() =>
            {
                tree
            }
            _ => return None,
        },
        Initializer::Expr(tree) => tree,
    };
    let ExprKind::String(text) = &tree.kind else { return None };
    let Type::Int(int) = array.element else { return None };
    let is_byte = matches!(int, Integer::Char | Integer::SignedChar | Integer::UnsignedChar);
    ((text.kind == StringKind::Byte) == is_byte).then_some((text, tree.place))
}
