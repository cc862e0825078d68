//! One caller of a function that is analysed by itself, who hands over objects of the declared
//! types: with what a run begins that is to show that the function fails.
//!
//! ```text
//!   T: what p leads to by its declaration
//!   ──────────────────────────────────────────────────────────────────────────────────────── HANDED
//!   p := *  ⟶  p := new(T);  [p + i] := input            for the numbers of T at i
//!                            [p + j] := null or new(U)   for the pointers of T at j, which lead to U
//! ```
//!
//! No two pointers lead to the same object, so lists come to an end. Where pointers have to agree
//! with each other, they are null: those of an object that lead to the same type of structures, and
//! those back to a type that one came from, but for a single link to the next of its kind. Numbers
//! beside pointers to structures of other types are 0. Arrays have few elements, and zeros behind
//! them. Variables of the file hold what the program gives them at its start. A pointer of which
//! nothing is known has a value that is not modelled. Where others may move, such as threads, an
//! input says so: a function that waits for them is no mistake.

use std::sync::Arc;

use wane_grammar::c::place::Place;

use super::{Lowered, Lowering, fold};
use crate::Caller;
use crate::types::{Pointee, Type};
use ir::{
    BinaryOp, Command, Expr, HavocSource, InitialContent, IntKind, MemoryKind, ScalarType, Variable,
};

/// So many links lead to one object, and so many objects are behind one argument.
const MOST_LINKS: usize = 3;
const MOST_OBJECTS: usize = 8;
/// So many numbers of an object are inputs.
const MOST_NUMBERS: usize = 10;
/// The elements of an array that are not zero, and all.
const ELEMENTS: [u64; 2] = [3, 32];

/// The type of a choice between two ways.
const TRUTH: ScalarType = ScalarType::Int(IntKind { bits: 1, signed: false });

/// How many links may still lead on, and how many objects may be made.
struct Left {
    links: usize,
    objects: usize,
}

/// An object that is handed over.
struct Object {
    block: Variable,
    ty: Type,
    /// What the program calls it: `p->`, or `p` where it is an array.
    name: String,
    /// The types of the objects that lead to it.
    on_the_way: Vec<Type>,
}

impl Lowering<'_> {
    /// Whether the entry hands over objects.
    pub(super) fn hands_over_objects(&self) -> bool {
        self.is_open() && self.options.caller == Caller::WithObjects
    }

    /// Notes that others may move here: a function without a body is called, or assembly is run.
    pub(super) fn let_others_move(&mut self, place: Place) {
        self.note_of_others(HavocSource::OTHERS, place);
    }

    /// Notes that a function is called of which nothing is known.
    pub(super) fn leave_the_program(&mut self, place: Place) {
        self.note_of_others(HavocSource::OUTSIDE, place);
    }

    fn note_of_others(&mut self, what: &str, place: Place) {
        if self.hands_over_objects() && self.models.site.is_none() {
            let target = self.temporary(TRUTH, place);
            let source = HavocSource::Input(what.to_owned());
            self.emit(Command::Havoc { target, source }, place);
        }
    }

    /// The argument of the function that is analysed, at a position; `parameter` gets it.
    pub(super) fn handed_argument(
        &mut self,
        (position, parameter): (usize, Option<Variable>),
        ty: &Type,
        place: Place,
    ) -> Lowered<Expr> {
        let name = match parameter {
            Some(it) => self.parts.variables[it.index()].name.clone(),
            None => format!("argument {}", position + 1),
        };
        let first = match ty {
            Type::Pointer(pointee) => {
                let behind = parameter.and_then(|it| self.outside.kept.type_behind(it));
                let behind = Arc::clone(behind.unwrap_or(pointee));
                self.handed_object((&behind, Vec::new()), &name, place)
            }
            Type::Record(_) => {
                let (block, size) = (self.block_of(ty, place)?, self.size(ty, place)?);
                let (address, byte) = (block.into(), Expr::Constant(0));
                let size = Expr::Constant(i128::from(size));
                self.emit(Command::Fill { address, byte, size }, place);
                let name = format!("{name}.");
                Some(Object { block, ty: ty.clone(), name, on_the_way: Vec::new() })
            }
            _ => None,
        };
        let Some(first) = first else {
            return match ty {
                Type::Int(int) => {
                    let kind = int.kind(self.types.model);
                    Ok(self.handed_number(name, kind, place).into())
                }
                _ => self.open_argument((position, parameter), ty, place),
            };
        };
        self.fill(&first, &mut Left { links: MOST_LINKS, objects: MOST_OBJECTS }, place);
        Ok(first.block.into())
    }

    /// Makes numbers of an object inputs, and lets its pointers lead to others, as long as so many
    /// links and objects are left.
    fn fill(&mut self, object: &Object, left: &mut Left, place: Place) {
        self.fill_with_inputs(object, place);
        for (offset, name, pointee) in self.pointers_of(object) {
            let is_left = left.links > 0 && left.objects > 0;
            if is_left && self.is_free(object, &pointee) {
                *left = Left { links: left.links - 1, objects: left.objects - 1 };
                self.lead_to((object, offset), (&pointee, &name), left, place);
                left.links += 1;
            }
        }
    }

    /// Whether nothing has to be so of where a pointer in an object leads, as far as types tell.
    fn is_free(&self, object: &Object, pointee: &Arc<Pointee>) -> bool {
        let Some((ty, ..)) = self.known_object(pointee, "") else { return false };
        let (Type::Record(_), Type::Record(_)) = (&ty, &object.ty) else { return true };
        let pointers = self.pointers_of(object);
        let alike = pointers.iter().filter(|(.., other)| self.outside.kept.typed(other).ty == ty);
        let leads_back = object.on_the_way.contains(&ty) && ty != object.ty;
        alike.count() == 1 && !leads_back
    }

    /// Whether an object has pointers to structures of another type.
    fn holds_others(&self, object: &Object) -> bool {
        let is_other = |pointee: &Arc<Pointee>| {
            let ty = &self.outside.kept.typed(pointee).ty;
            matches!(ty, Type::Record(_)) && *ty != object.ty
        };
        self.pointers_of(object).iter().any(|(.., pointee)| is_other(pointee))
    }

    /// What a pointer leads to, how many of these, and what they are called; nothing where that is
    /// not known.
    fn known_object(&self, pointee: &Arc<Pointee>, name: &str) -> Option<(Type, u64, String)> {
        let ty = self.outside.kept.typed(pointee).ty.clone();
        self.types.size(&ty).filter(|it| *it > 0)?;
        match ty {
            Type::Record(_) => Some((ty, 1, format!("{name}->"))),
            Type::Int(_) | Type::Pointer(_) | Type::Float(_) => {
                Some((ty, ELEMENTS[1], name.to_owned()))
            }
            _ => None,
        }
    }

    /// A new object full of zeros.
    fn handed_object(
        &mut self,
        (pointee, on_the_way): (&Arc<Pointee>, Vec<Type>),
        name: &str,
        place: Place,
    ) -> Option<Object> {
        let (ty, n_elements, name) = self.known_object(pointee, name)?;
        let bytes = self.types.size(&ty)?;
        let block = self.temporary(ScalarType::Pointer, place);
        let size = Expr::Constant(i128::from(bytes * n_elements));
        let (kind, content) = (MemoryKind::Heap, InitialContent::Zero);
        self.emit(Command::Allocate { target: block, size, kind, content }, place);
        Some(Object { block, ty, name, on_the_way })
    }

    /// Where pointers lie in an object, by name.
    fn pointers_of(&self, object: &Object) -> Vec<(u64, String, Arc<Pointee>)> {
        let Object { ty, name, .. } = object;
        let mut found = Vec::new();
        match ty {
            Type::Record(record) => self.pointers_in(*record, 0, name, &mut found),
            Type::Pointer(pointee) => {
                let bytes = u64::from(self.types.model.pointer_bytes());
                let elements = (0..ELEMENTS[0]).map(|at| {
                    let name = if at == 0 { format!("*{name}") } else { format!("{name}[{at}]") };
                    (at * bytes, name, Arc::clone(pointee))
                });
                found.extend(elements);
            }
            _ => {}
        }
        found
    }

    /// Makes numbers of an object inputs.
    fn fill_with_inputs(&mut self, object: &Object, place: Place) {
        let Object { block, ty, name, .. } = object;
        let mut numbers: Vec<(i128, String, IntKind)> = Vec::new();
        match ty {
            // How many there are of something behind it, say, is not just any number.
            Type::Record(_) if self.holds_others(object) => {}
            Type::Record(record) => {
                let mut fields = Vec::new();
                self.numbers_in(*record, (0, name), &mut fields);
                let fields = fields.into_iter().map(|it| (it.offset.into(), it.name, it.kind));
                numbers.extend(fields.take(MOST_NUMBERS));
            }
            Type::Int(int) => {
                let kind = int.kind(self.types.model);
                let bytes = i128::from(kind.bits.div_ceil(8));
                let elements = (0..i128::from(ELEMENTS[0])).map(|at| {
                    let name = if at == 0 { format!("*{name}") } else { format!("{name}[{at}]") };
                    (at * bytes, name, kind)
                });
                numbers.extend(elements);
            }
            _ => {}
        }
        for (offset, name, kind) in numbers {
            let (value, ty) = (self.handed_number(name, kind, place).into(), ScalarType::Int(kind));
            let address = behind(*block, offset);
            self.emit(Command::Store { address, value, ty }, place);
        }
    }

    /// A number that is an input.
    fn handed_number(&mut self, name: String, kind: IntKind, place: Place) -> Variable {
        let ty = ScalarType::Int(kind);
        let target = self.temporary(ty, place);
        let source = HavocSource::Input(format!("{}{name}", HavocSource::HANDED));
        self.emit(Command::Havoc { target, source }, place);
        self.assume_range(target, ty, place);
        target
    }

    /// A pointer in an object leads to another one. A link to the next of its kind may stay null,
    /// and so may an element: that is an input.
    fn lead_to(
        &mut self,
        (object, offset): (&Object, u64),
        (pointee, name): (&Arc<Pointee>, &str),
        left: &mut Left,
        place: Place,
    ) {
        let may_be_null = match self.known_object(pointee, name) {
            Some((ty, ..)) => ty == object.ty || matches!(object.ty, Type::Pointer(_)),
            None => true,
        };
        let is_there: Expr = match may_be_null {
            true => {
                let target = self.temporary(TRUTH, place);
                let source = HavocSource::Input(format!("{}{name}", HavocSource::LEADS));
                self.emit(Command::Havoc { target, source }, place);
                target.into()
            }
            false => Expr::Constant(1),
        };
        let span = self.span(place);
        let (leads, join) = (self.body.block(span), self.body.block(span));
        self.branch_on(is_there, leads, join, place);
        self.body.current = leads;
        let on_the_way = object.on_the_way.iter().chain([&object.ty]).cloned().collect();
        if let Some(next) = self.handed_object((pointee, on_the_way), name, place) {
            let address = behind(object.block, offset.into());
            let (value, ty) = (next.block.into(), ScalarType::Pointer);
            self.emit(Command::Store { address, value, ty }, place);
            self.fill(&next, left, place);
        }
        self.body.terminate(ir::Terminator::Goto(join), span);
        self.body.current = join;
    }
}

/// So many bytes behind a pointer.
fn behind(pointer: Variable, bytes: i128) -> Expr {
    fold::binary(BinaryOp::Add, pointer.into(), Expr::Constant(bytes))
}
