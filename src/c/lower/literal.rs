//! String literals: static arrays that are not to be written.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hashbrown::HashMap;
use wane_grammar::c::ast::{StringKind, StringLiteral};
use wane_grammar::c::place::Place;

use super::access::{Lvalue, Site};
use super::initializer::TEXT_LIMIT;
use super::{Lowered, Lowering, fold};
use crate::types::{Array, Integer, Length, Qualifiers, Type};
use base::source::Span;
use ir::{
    BinaryOp, BlockId, Command, Expr, HavocSource, InitialContent, IntKind, MemoryKind,
    ProcedureId, ScalarType, Terminator, Variable,
};

type Assignment = (Variable, Expr);

/// What the elements of a text are, and their values from the last to the first.
type Backwards = (IntKind, Vec<u32>);

/// The text of a string literal or of `__func__`.
#[derive(Clone, Debug)]
struct Text {
    /// Holds its address.
    literal: Variable,
    /// What its elements are.
    kind: IntKind,
    /// Their values, without the final zero.
    units: Vec<u32>,
    place: Place,
    /// Whether other literals may be the same object.
    is_shared: bool,
}

/// Which texts may lie in the blocks of which others, and at which offset.
#[derive(Clone, Debug, Default)]
struct Sharing {
    /// Where only equal texts share a block.
    equal: BTreeMap<usize, (usize, u64)>,
    /// Where the ends of texts do, too; empty if no text is the end of another.
    ends: BTreeMap<usize, (usize, u64)>,
}

impl Sharing {
    fn of(texts: &[Text]) -> Self {
        // Backwards, a text stands before those that it is the end of.
        let mut firsts: BTreeMap<Backwards, Vec<usize>> = BTreeMap::new();
        for (index, text) in texts.iter().enumerate().filter(|(_, text)| text.is_shared) {
            let backwards = text.units.iter().rev().copied().collect();
            firsts.entry((text.kind, backwards)).or_default().push(index);
        }
        let (mut equal, mut ends) = (BTreeMap::new(), BTreeMap::new());
        let mut has_ends = false;
        let mut last: Option<(&Backwards, usize, usize)> = None;
        for (key, all) in firsts.iter().rev() {
            let (kind, text) = key;
            let (host, length) = match last {
                Some(((other, longer), host, length))
                    if other == kind && longer.starts_with(text) =>
                {
                    has_ends = true;
                    (host, length)
                }
                _ => (all[0], text.len()),
            };
            last = Some((key, host, length));
            let offset = (length - text.len()) as u64 * u64::from(kind.bits.div_ceil(8));
            equal.extend(all[1..].iter().map(|index| (*index, (all[0], 0))));
            let others = all.iter().filter(|index| **index != host);
            ends.extend(others.map(|index| (*index, (host, offset))));
        }
        Self { equal, ends: if has_ends { ends } else { BTreeMap::new() } }
    }

    /// Whether the text may lie in the block of another one.
    fn concerns(&self, index: usize) -> bool {
        self.equal.contains_key(&index) || self.ends.contains_key(&index)
    }
}

/// String literals that are reached, and what else waits to be lowered.
#[derive(Clone, Debug, Default)]
pub(super) struct Strings {
    pub(super) known: HashMap<Place, (Variable, Type)>,
    /// What `__func__` is in each procedure.
    function_names: HashMap<ProcedureId, (Variable, Type)>,
    pub(super) waiting_strings: Vec<(Variable, Type, Vec<u32>, Place)>,
    texts: Vec<Text>,
    /// Whether some comparison names a literal itself, so that what follows depends on it.
    pub(super) is_compared: bool,
    /// Where there is a constant compound literal.
    pub(super) constant: Option<Place>,
    /// Whether some operation may tell the addresses of two constants apart.
    pub(super) constants_matter: bool,
    /// Whether some operation may tell the addresses of two objects apart.
    pub(super) addresses_matter: bool,
    /// What holds the addresses of labels.
    pub(super) waiting_labels: Vec<(Variable, Place)>,
    pub(super) waiting_functions: Vec<usize>,
    pub(super) waiting_globals: Vec<usize>,
}

impl Strings {
    /// Whether the variable holds the address of a string literal.
    pub(super) fn is_literal(&self, variable: Variable) -> bool {
        self.known.values().any(|(literal, _)| *literal == variable)
    }
}

impl Lowering<'_> {
    /// The static array that a string literal is.
    pub(super) fn string(&mut self, literal: &StringLiteral, place: Place) -> Lowered<Lvalue> {
        let element = match literal.kind {
            StringKind::Byte => Integer::Char,
            StringKind::Utf16 => Integer::UnsignedShort,
            StringKind::Utf32 => Integer::UnsignedInt,
            StringKind::Wide => self.types.wide_character(),
        };
        if let Some((variable, ty)) = self.strings.known.get(&place) {
            return Ok(Lvalue { ty: ty.clone(), site: Site::Memory((*variable).into()) });
        }
        let (variable, ty) =
            self.static_text(element, Qualifiers::default(), &literal.units, place);
        self.strings.known.insert(place, (variable, ty.clone()));
        Ok(Lvalue { ty, site: Site::Memory(variable.into()) })
    }

    /// The array that holds the name of the current function: one a function.
    pub(super) fn function_name(&mut self, place: Place) -> Lvalue {
        let procedure = self.body.procedure;
        let (variable, ty) = match self.strings.function_names.get(&procedure) {
            Some(known) => known.clone(),
            None => {
                let name = self.parts.procedures[procedure.index()].name.clone();
                let units: Vec<u32> = name.bytes().map(u32::from).collect();
                let constant = Qualifiers { constant: true, volatile: false };
                let made = self.static_text(Integer::Char, constant, &units, place);
                self.strings.function_names.insert(procedure, made.clone());
                made
            }
        };
        Lvalue { ty, site: Site::Memory(variable.into()) }
    }

    fn static_text(
        &mut self,
        element: Integer,
        Qualifiers { constant, volatile }: Qualifiers,
        units: &[u32],
        place: Place,
    ) -> (Variable, Type) {
        let length = Length::Fixed(units.len() as u64 + 1);
        let element = Type::Int(element);
        let ty = Type::Array(Arc::new(Array { element, constant, volatile, length }));
        let span = self.span(place);
        let count = self.strings.known.len() + self.strings.function_names.len();
        let variable = self.parts.address(&format!("$string{count}"), None, span);
        self.strings.waiting_strings.push((variable, ty.clone(), units.to_vec(), place));
        (variable, ty)
    }

    /// Notes a text; its block is made when all texts are known.
    pub(super) fn set_up_string(
        &mut self,
        literal: Variable,
        ty: &Type,
        units: Vec<u32>,
        place: Place,
    ) {
        let Type::Array(array) = ty else { return };
        let Some(ScalarType::Int(kind)) = self.types.scalar(&array.element) else { return };
        // The name of a function is an object that is declared.
        let is_shared = !array.constant;
        self.strings.texts.push(Text { literal, kind, units, place, is_shared });
    }

    /// Makes the blocks of the texts, before anything else happens. Whether literals of
    /// the same text, or one and the end of another, are one object or several is left
    /// open by C, and decided here, where it may matter.
    pub(super) fn set_up_texts(&mut self, setup: BlockId) {
        let mut texts = std::mem::take(&mut self.strings.texts);
        let mentioned = self.mentioned(texts.iter().map(|text| text.literal).collect());
        texts.retain(|text| mentioned.contains(&text.literal));
        let sharing = match self.strings.addresses_matter {
            true => Sharing::of(&texts),
            false => Sharing::default(),
        };
        let current = self.body.current;
        let filling = self.body.block(Span::NOWHERE);
        self.body.current = filling;
        let mut own = Vec::new();
        for (index, text) in texts.iter().enumerate() {
            let block = match sharing.concerns(index) {
                true => self.parts.address("$string", None, self.span(text.place)),
                false => text.literal,
            };
            own.push(block);
            self.set_up_text(block, text);
        }
        self.body.terminate(Terminator::Goto(setup), Span::NOWHERE);
        self.body.current = BlockId(0);
        if let (Some(place), true) = (self.strings.constant, self.strings.constants_matter) {
            self.unsupported("whether constant compound literals are one object", place);
        }
        let apart: Vec<Assignment> = (0..texts.len())
            .filter(|index| sharing.concerns(*index))
            .map(|index| (texts[index].literal, own[index].into()))
            .collect();
        let over = |choices: &BTreeMap<usize, (usize, u64)>| -> Vec<Assignment> {
            let assigned = apart.iter().cloned();
            let shared = choices.iter().map(|(index, (host, offset))| {
                let offset = Expr::Constant(i128::from(*offset));
                (texts[*index].literal, fold::binary(BinaryOp::Add, own[*host].into(), offset))
            });
            assigned.chain(shared).collect::<BTreeMap<_, _>>().into_iter().collect()
        };
        let mut ways = vec![apart.clone()];
        ways.extend((!sharing.equal.is_empty()).then(|| over(&sharing.equal)));
        ways.extend((!sharing.ends.is_empty()).then(|| over(&sharing.ends)));
        self.take_one(&ways, filling);
        self.body.current = current;
    }

    /// Of some variables, those that something evaluates. Formats of the library's output are
    /// read while the program is lowered, so that nothing is left of most of them.
    fn mentioned(&self, wanted: BTreeSet<Variable>) -> BTreeSet<Variable> {
        let mut found = BTreeSet::new();
        if wanted.is_empty() {
            return found;
        }
        let mut note = |variable| {
            if wanted.contains(&variable) {
                found.insert(variable);
            }
        };
        for block in self.parts.procedures.iter().flat_map(|it| &it.blocks) {
            block.expressions().flat_map(Expr::variables).for_each(&mut note);
        }
        for block in &self.body.blocks {
            block.commands.iter().flat_map(|it| it.command.variables_read()).for_each(&mut note);
            block.terminator.iter().flat_map(Terminator::variables_read).for_each(&mut note);
        }
        found
    }

    fn set_up_text(&mut self, block: Variable, text: &Text) {
        let width = u64::from(text.kind.bits.div_ceil(8));
        let size = (text.units.len() as u64 + 1) * width;
        self.allocate_static(block, size, InitialContent::Zero, text.place);
        if text.units.len() > TEXT_LIMIT {
            self.unsupported("string literal of more than 65536 characters", text.place);
            return;
        }
        for (index, unit) in text.units.iter().enumerate().filter(|(_, unit)| **unit != 0) {
            let offset = Expr::Constant(i128::from(index as u64 * width));
            let address = fold::binary(BinaryOp::Add, block.into(), offset);
            let value = Expr::Constant(text.kind.wrap(i128::from(*unit)));
            self.emit(
                Command::Store { address, value, ty: ScalarType::Int(text.kind) },
                text.place,
            );
        }
        self.seal(block, text.place);
    }

    /// Does one of several lists of assignments, whichever, and goes on.
    fn take_one(&mut self, ways: &[Vec<Assignment>], after: BlockId) {
        for (index, way) in ways.iter().enumerate() {
            let mut next = after;
            let here = self.body.current;
            if index + 1 < ways.len() {
                let ty = ScalarType::Int(IntKind { bits: 1, signed: false });
                let choice = self.temporary(ty, Place::default());
                let what = HavocSource::SHARED_LITERALS.to_owned();
                let source = match self.strings.is_compared {
                    true => HavocSource::Approximation(what),
                    false => HavocSource::Input(what),
                };
                self.emit(Command::Havoc { target: choice, source }, Place::default());
                let this = self.body.block(Span::NOWHERE);
                next = self.body.block(Span::NOWHERE);
                self.body.blocks[here.index()].terminator = Some(Terminator::Branch {
                    condition: choice.into(),
                    then: next,
                    otherwise: this,
                });
                self.body.current = this;
            }
            for (target, value) in way {
                let command = Command::Assign { target: *target, value: value.clone() };
                self.emit(command, Place::default());
            }
            let end = self.body.current;
            self.body.blocks[end.index()].terminator = Some(Terminator::Goto(after));
            self.body.current = next;
        }
    }

    /// From here on the block is not to be written.
    pub(super) fn seal(&mut self, block: Variable, place: Place) {
        self.emit(Command::Free { address: block.into(), kind: MemoryKind::Constant }, place);
    }
}
