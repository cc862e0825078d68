//! Reading and writing what expressions designate.

use wane_grammar::c::ast::{Expr as Tree, ExprKind, UnaryOperator};
use wane_grammar::c::name::Symbol;
use wane_grammar::c::place::Place;

use super::convert::Value;
use super::element::Reach;
pub(super) use super::lvalue::{Lvalue, Site};
use super::members::{Member, is_reached_by_cast};
use super::scope::{Entity, Home};
use super::{Lowered, Lowering, fold};
use crate::Threads;
use crate::types::{Bits, Integer, Length, Nature, Qualifiers, Type};
use ir::{
    BinaryOp, Command, Expr, Gap, HavocSource, InitialContent, IntKind, MemoryKind, Overlap,
    ScalarType, Variable,
};

impl<'a> Lowering<'a> {
    /// Adds a command.
    pub(super) fn emit(&mut self, command: Command, place: Place) {
        self.emit_at(None, command, place);
    }

    /// Adds a command; of one that reads or writes a scalar this says of what member. Bytes that are
    /// copied may be of any.
    fn emit_at(&mut self, member: Option<Member>, command: Command, place: Place) {
        let span = self.span(place);
        if matches!(command, Command::Load { .. } | Command::Store { .. } | Command::Copy { .. }) {
            self.opened.accesses.note(span, member);
        }
        self.body.emit(command, span);
    }

    /// What comes here is not modelled.
    pub(super) fn unsupported(&mut self, what: impl Into<String>, place: Place) {
        let gap = Gap::NotModelled;
        self.emit(Command::Unsupported { what: what.into(), gap }, place);
    }

    /// What memory holds behind this is not modelled.
    pub(super) fn clobber(&mut self, what: impl Into<String>, place: Place) {
        let gap = Gap::Contents;
        self.emit(Command::Unsupported { what: what.into(), gap }, place);
    }

    /// What comes here is undefined.
    pub(super) fn undefined(&mut self, what: impl Into<String>, place: Place) {
        let gap = Gap::Undefined;
        self.emit(Command::Unsupported { what: what.into(), gap }, place);
    }

    /// What the expression designates.
    pub(super) fn lvalue(&mut self, tree: &'a Tree) -> Lowered<Lvalue> {
        let found = self.designates(tree)?;
        Ok(match found.site {
            Site::Member(address, _) if is_reached_by_cast(tree) => {
                Lvalue { site: Site::Memory(address), ..found }
            }
            _ => found,
        })
    }

    fn designates(&mut self, tree: &'a Tree) -> Lowered<Lvalue> {
        match &tree.kind {
            ExprKind::Name(name) => self.named(*name, tree.place),
            ExprKind::Unary(UnaryOperator::Dereference, operand) => {
                let pointer = self.rvalue(operand)?;
                self.dereference(pointer, tree.place)
            }
            ExprKind::Index(array, index) => {
                self.element((array, index), Reach::Inside, tree.place)
            }
            ExprKind::Member(record, member) => {
                let is_value = !Self::is_lvalue(record);
                let record = self.designated(record)?;
                let part = self.member_of(record.clone(), *member, tree.place)?;
                if !is_value || part.ty.is_scalar() {
                    return Ok(part);
                }
                let record = self.temporary_object(&record, tree.place)?;
                self.member_of(record, *member, tree.place)
            }
            ExprKind::Arrow(pointer, member) => {
                let pointer = self.rvalue(pointer)?;
                let record = self.dereference(pointer, tree.place)?;
                self.member_of(record, *member, tree.place)
            }
            ExprKind::Compound(ty, items) => self.compound_literal(ty, items, tree.place),
            ExprKind::String(literal) => self.string(literal, tree.place),
            ExprKind::ComplexPart(_) => {
                self.unsupported("part of a complex number", tree.place);
                let variable = self.temporary(ScalarType::Float(8), tree.place);
                Ok(Lvalue { ty: Type::Float(8), site: Site::Register(variable) })
            }
            _ => self.error(tree.place, "this designates nothing that has a place in memory"),
        }
    }

    /// Whether the expression has the form of an lvalue.
    pub(super) fn is_lvalue(tree: &Tree) -> bool {
        matches!(
            &tree.kind,
            ExprKind::Name(_)
                | ExprKind::Index(..)
                | ExprKind::Arrow(..)
                | ExprKind::Compound(..)
                | ExprKind::ComplexPart(_)
                | ExprKind::String(_)
                | ExprKind::Member(..)
                | ExprKind::Unary(UnaryOperator::Dereference, _)
        )
    }

    /// What an expression designates; a structure that is a mere value lies in
    /// memory, too.
    fn designated(&mut self, tree: &'a Tree) -> Lowered<Lvalue> {
        if Self::is_lvalue(tree) {
            return self.lvalue(tree);
        }
        let value = self.rvalue(tree)?;
        Ok(Lvalue { ty: value.ty, site: Site::Memory(value.expr) })
    }

    pub(super) fn named(&mut self, name: Symbol, place: Place) -> Lowered<Lvalue> {
        match self.scopes.entity(name).cloned() {
            Some(Entity::Local(local)) => {
                let qualifiers = local.qualifiers();
                Ok(at_home(local.ty, local.home, qualifiers))
            }
            Some(Entity::Global(index)) => {
                let home = self.home_of_global(index);
                let global = &self.declared.globals[index];
                let mut qualifiers = global.qualifiers();
                // What the program defines is taken to be changed by its threads only.
                qualifiers.volatile &= self.options.threads == Threads::One || !global.is_defined;
                Ok(at_home(global.ty.clone(), home, qualifiers))
            }
            Some(Entity::Function(index)) => {
                let index = self.defined(index);
                self.report_obstacle(index, place);
                let function = &self.declared.functions[index];
                if function.linkage.weak && function.definition.is_none() {
                    self.unsupported("address of a weak function", place);
                }
                let procedure = self.procedure_of(index);
                let ty = Type::Function(self.declared.functions[index].ty.clone());
                Ok(Lvalue { ty, site: Site::Memory(Expr::Procedure(procedure)) })
            }
            Some(Entity::Constant(..) | Entity::Typedef(..)) => {
                self.error(place, format!("`{}` has no place in memory", self.name(name)))
            }
            None => self.undeclared(name, place),
        }
    }

    /// An error, save for the names that every function knows.
    fn undeclared(&mut self, name: Symbol, place: Place) -> Lowered<Lvalue> {
        let text = self.name(name);
        if matches!(text, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
            return Ok(self.function_name(place));
        }
        self.error(place, format!("`{text}` is not declared"))
    }

    /// `*pointer`
    pub(super) fn dereference(&mut self, pointer: Value, place: Place) -> Lowered<Lvalue> {
        match &pointer.ty {
            Type::Pointer(pointee) => {
                let site = Site::at(pointer.expr, pointee.qualifiers());
                Ok(Lvalue { ty: pointee.ty.clone(), site })
            }
            Type::VaList => Ok(Lvalue { ty: Type::VaList, site: Site::Memory(pointer.expr) }),
            ty => self.error(place, format!("{} cannot be followed", self.describe(ty))),
        }
    }

    fn member_of(&mut self, record: Lvalue, member: Symbol, place: Place) -> Lowered<Lvalue> {
        let Type::Record(id) = record.ty else {
            let message = format!("{} has no members", self.describe(&record.ty));
            return self.error(place, message);
        };
        let Some(field) = self.types.member(id, member) else {
            let complete = self.types.record(id).layout.is_some();
            let record = self.describe(&Type::Record(id));
            let name = self.name(member);
            let why = if complete {
                format!("no member `{name}`")
            } else {
                "no definition here".to_owned()
            };
            return self.error(place, format!("{record} has {why}"));
        };
        let (base, volatile) = match record.site {
            Site::Memory(base) | Site::Member(base, _) => (base, field.qualifiers.volatile),
            Site::Volatile(base) => (base, true),
            Site::Register(_) | Site::Bits(..) => {
                return self.error(place, "member of something that is not in memory");
            }
        };
        self.opened.uses_unions |= self.types.may_hold_either(id);
        if self.types.record(id).nature == Nature::Reordered {
            self.unsupported("attribute `scalar_storage_order`", place);
        }
        let address = fold::binary(BinaryOp::Add, base, Expr::Constant(i128::from(field.offset)));
        let site = match field.bits {
            Some(bits) => {
                if volatile {
                    self.unsupported("volatile bit-field", place);
                }
                Site::Bits(address, bits)
            }
            None if volatile => Site::Volatile(address),
            None => Site::Member(address, Member::Of(id, field.offset)),
        };
        Ok(Lvalue { ty: field.ty, site })
    }

    /// The address of what is designated.
    pub(super) fn address_of(&mut self, lvalue: &Lvalue, place: Place) -> Lowered<Expr> {
        match &lvalue.site {
            Site::Memory(address) | Site::Member(address, _) | Site::Volatile(address) => {
                Ok(address.clone())
            }
            Site::Register(_) => self.error(place, "a register has no address"),
            Site::Bits(..) => self.error(place, "a bit-field has no address"),
        }
    }

    /// Whether other threads may use a variable: each read of it is a command of its own, at
    /// the time at which C reads it, as is each write.
    fn is_seen_by_others(&self, variable: Variable) -> bool {
        self.options.threads == Threads::Many
            && !self.body.is_start
            && self.parts.variables[variable.index()].owner.is_none()
    }

    /// The value of what is designated. Arrays and functions become pointers.
    pub(super) fn load(&mut self, lvalue: Lvalue, place: Place) -> Lowered<Value> {
        let ty = lvalue.ty;
        match lvalue.site {
            Site::Register(variable) if self.is_seen_by_others(variable) => {
                let (procedure, span) = (self.body.procedure, self.span(place));
                let target = self.parts.copy_of(variable, procedure, span);
                self.emit(Command::Assign { target, value: variable.into() }, place);
                Ok(Value::new(ty, target))
            }
            Site::Register(variable) => Ok(Value::new(ty, variable)),
            Site::Bits(address, bits) => {
                let unit = self.unit_of_bits(address, bits, place);
                Ok(self.bits_of_unit(&ty, unit, bits, place))
            }
            Site::Volatile(address) => self.load_volatile(ty, address, place),
            Site::Memory(address) => self.load_at((address, None), ty, place),
            Site::Member(address, member) => self.load_at((address, Some(member)), ty, place),
        }
    }

    fn load_at(
        &mut self,
        (address, member): (Expr, Option<Member>),
        ty: Type,
        place: Place,
    ) -> Lowered<Value> {
        match self.types.scalar(&ty) {
            Some(scalar) => {
                let target = self.temporary(scalar, place);
                self.note_form(Home::Register(target), &ty);
                self.emit_at(member, Command::Load { target, address, ty: scalar }, place);
                Ok(Value::new(ty, target))
            }
            None if ty == Type::Void => Ok(Value::void()),
            None => Ok(Value::new(ty.decayed(), address)),
        }
    }

    /// What lies in a volatile object may have changed since it was written: each
    /// read may yield any value of the type.
    fn load_volatile(&mut self, ty: Type, address: Expr, place: Place) -> Lowered<Value> {
        let Some(scalar) = self.types.scalar(&ty) else {
            if matches!(ty, Type::Record(_)) {
                self.unsupported("value of a volatile structure", place);
            }
            return self.load(Lvalue { ty, site: Site::Memory(address) }, place);
        };
        let target = self.temporary(scalar, place);
        self.emit(Command::Load { target, address, ty: scalar }, place);
        let name = HavocSource::VOLATILE;
        let source = match self.options.threads {
            Threads::One => Self::source_of(name, &ty),
            // Where a pointer leads to what threads share, only they may change it.
            _ => HavocSource::Approximation(name.to_owned()),
        };
        self.arbitrary(&ty, source, place)
    }

    /// The value of a place that is to be written, and what lies beside it in its unit, if it
    /// is some bits of one.
    pub(super) fn load_for_update(
        &mut self,
        lvalue: &Lvalue,
        place: Place,
    ) -> Lowered<(Value, Option<Variable>)> {
        match &lvalue.site {
            Site::Bits(address, bits) => {
                let unit = self.unit_of_bits(address.clone(), *bits, place);
                Ok((self.bits_of_unit(&lvalue.ty, unit, *bits, place), Some(unit)))
            }
            _ => Ok((self.load(lvalue.clone(), place)?, None)),
        }
    }

    /// Writes a place of which that is known.
    pub(super) fn store_update(
        &mut self,
        lvalue: &Lvalue,
        (value, unit): (Value, Option<Variable>),
        place: Place,
    ) -> Lowered<Value> {
        match (&lvalue.site, unit) {
            (Site::Bits(address, bits), Some(unit)) => {
                Ok(self.store_bits((&lvalue.ty, address, *bits), unit, value.expr, place))
            }
            _ => self.store(lvalue, value, place),
        }
    }

    fn unit_of_bits(&mut self, address: Expr, bits: Bits, place: Place) -> Variable {
        let scalar = ScalarType::Int(bits.unit);
        let target = self.temporary(scalar, place);
        self.emit(Command::Load { target, address, ty: scalar }, place);
        target
    }

    fn bits_of_unit(&mut self, ty: &Type, target: Variable, bits: Bits, place: Place) -> Value {
        // Compilers differ in the type that such a value has.
        if bits.width > 32 && self.types.size(ty).is_some_and(|it| u64::from(bits.width) < 8 * it) {
            self.unsupported("value of a bit-field that is wider than `int`", place);
        }
        let signed = matches!(ty, Type::Int(int) if int.is_signed());
        let low = Expr::Constant(i128::from(bits.low));
        let shifted = fold::binary(BinaryOp::ShiftRight, target.into(), low);
        let shifted = if bits.low == 0 { target.into() } else { shifted };
        let expr = self.wrap(IntKind { bits: bits.width, signed }, shifted);
        Value { ty: Self::type_of_bits(ty, bits), expr }
    }

    /// A bit-field that is no wider than `int` promotes to it, or to `unsigned`, whatever
    /// its declared type.
    fn type_of_bits(ty: &Type, bits: Bits) -> Type {
        match ty {
            Type::Int(int) if bits.width < 32 && *int > Integer::Int => Type::INT,
            Type::Int(int) if bits.width == 32 && *int > Integer::UnsignedInt => {
                Type::Int(if int.is_signed() { Integer::Int } else { Integer::UnsignedInt })
            }
            other => other.clone(),
        }
    }

    /// Writes a value, converted to the type already, and returns it as it is
    /// read back.
    pub(super) fn store(&mut self, lvalue: &Lvalue, value: Value, place: Place) -> Lowered<Value> {
        match &lvalue.site {
            Site::Register(variable) if self.is_seen_by_others(*variable) => {
                let value = self.materialize(value, place);
                self.assign(*variable, value.expr.clone(), place);
                Ok(value)
            }
            Site::Register(variable) => {
                self.assign(*variable, value.expr, place);
                Ok(Value::new(value.ty, *variable))
            }
            Site::Memory(address) | Site::Member(address, _) | Site::Volatile(address) => {
                match self.types.scalar(&lvalue.ty) {
                    Some(ty) => {
                        let member = match &lvalue.site {
                            Site::Member(_, member) => Some(*member),
                            _ => None,
                        };
                        let command = Command::Store {
                            address: address.clone(),
                            value: value.expr.clone(),
                            ty,
                        };
                        self.emit_at(member, command, place);
                        Ok(value)
                    }
                    None => {
                        let size = self.size(&lvalue.ty, place)?;
                        self.copy_all((&lvalue.ty, address), value.expr, size, place);
                        Ok(Value::new(lvalue.ty.clone(), address.clone()))
                    }
                }
            }
            Site::Bits(address, bits) => {
                let unit = self.unit_of_bits(address.clone(), *bits, place);
                Ok(self.store_bits((&lvalue.ty, address, *bits), unit, value.expr, place))
            }
        }
    }

    fn store_bits(
        &mut self,
        (ty, address, bits): (&Type, &Expr, Bits),
        target: Variable,
        value: Expr,
        place: Place,
    ) -> Value {
        let scalar = ScalarType::Int(bits.unit);
        let field = IntKind { bits: bits.width, signed: false };
        let low = Expr::Constant(i128::from(bits.low));
        let new = fold::binary(BinaryOp::ShiftLeft, self.wrap(field, value.clone()), low);
        let all = if bits.unit.bits > 126 { -1 } else { (1_i128 << bits.unit.bits) - 1 };
        let ones = if bits.width > 126 { -1 } else { (1_i128 << bits.width) - 1 };
        let mask = all & !(ones.checked_shl(u32::from(bits.low)).unwrap_or(0));
        let unit = if mask == 0 {
            new
        } else {
            let rest = fold::binary(BinaryOp::And, target.into(), Expr::Constant(mask));
            fold::binary(BinaryOp::Or, rest, new)
        };
        self.emit(Command::Store { address: address.clone(), value: unit, ty: scalar }, place);
        let signed = matches!(ty, Type::Int(int) if int.is_signed());
        let expr = self.wrap(IntKind { bits: bits.width, signed }, value);
        Value { ty: Self::type_of_bits(ty, bits), expr }
    }

    /// Copies a structure to an object of a type.
    fn copy_all(&mut self, (ty, target): (&Type, &Expr), source: Expr, size: u64, place: Place) {
        if size > 0 {
            let span = self.span(place);
            self.opened.accesses.note_all(span, (&self.types, ty));
            self.body.emit(copied(target.clone(), source, size), span);
        }
    }

    /// Copies a structure.
    pub(super) fn copy(&mut self, target: Expr, source: Expr, size: u64, place: Place) {
        if size > 0 {
            self.emit(copied(target, source, size), place);
        }
    }

    /// `variable := value`; the command that has just made the value writes the
    /// variable itself, where that is possible.
    pub(super) fn assign(&mut self, variable: Variable, value: Expr, place: Place) {
        if value == Expr::Variable(variable) {
            return;
        }
        if let Expr::Variable(made) = value
            && !self.is_seen_by_others(variable)
            && self.parts.scalar_type(made) == self.parts.scalar_type(variable)
            && self.parts.variables[made.index()].name.starts_with('$')
            && self.retarget(made, variable)
        {
            self.note_input(variable, place);
            return;
        }
        self.emit(Command::Assign { target: variable, value }, place);
    }

    /// An input that a variable keeps is in the range of its type. Of inputs that are only
    /// tested or stored this is not said: it would be one more thing to know of each of them.
    fn note_input(&mut self, variable: Variable, place: Place) {
        let made = self.body.blocks[self.body.current.index()].commands.last();
        let is_input = made.is_some_and(|made| {
            matches!(&made.command, Command::Havoc { source: HavocSource::Input(_), .. })
        });
        if let Some(ty) = self.parts.scalar_type(variable).filter(|_| is_input) {
            self.assume_range(variable, ty, place);
        }
    }

    fn retarget(&mut self, made: Variable, variable: Variable) -> bool {
        let block = &mut self.body.blocks[self.body.current.index()];
        let Some(last) = block.commands.last_mut() else { return false };
        let target = match &mut last.command {
            Command::Load { target, .. }
            | Command::Havoc { target, .. }
            | Command::Allocate { target, .. }
            | Command::Call { target: Some(target), .. } => target,
            _ => return false,
        };
        if *target != made {
            return false;
        }
        *target = variable;
        self.parts.discard(made);
        true
    }

    /// A block for a structure, owned by the current frame, or static when
    /// globals are set up. Its address is returned.
    pub(super) fn block_of(&mut self, ty: &Type, place: Place) -> Lowered<Variable> {
        let size = self.size(ty, place)?;
        let variable = self.temporary(ScalarType::Pointer, place);
        if self.body.is_start {
            let command = Command::Allocate {
                target: variable,
                size: Expr::Constant(i128::from(size)),
                kind: MemoryKind::Static,
                content: InitialContent::Arbitrary,
            };
            self.emit(command, place);
        } else {
            self.body.own(variable, size);
        }
        Ok(variable)
    }

    /// A structure with arbitrary content.
    pub(super) fn arbitrary_block(&mut self, ty: &Type, place: Place) -> Lowered<Value> {
        if *ty == Type::Void {
            return Ok(Value::void());
        }
        let block = self.block_of(ty, place)?;
        Ok(Value::new(ty.clone(), block))
    }

    /// Notes that the addresses of two texts may be compared.
    pub(super) fn note_comparison(&mut self, left: &Value, right: &Value) {
        let may_be_text = |value: &Value| match &value.ty {
            Type::Pointer(pointee) if !value.is_zero() => match pointee.ty {
                Type::Int(int) => int < Integer::Short,
                Type::Void => true,
                _ => false,
            },
            _ => false,
        };
        self.strings.addresses_matter |= may_be_text(left) && may_be_text(right);
        let may_be_literal = |value: &Value| match &value.ty {
            Type::Pointer(pointee) => pointee.constant && !value.is_zero() || may_be_text(value),
            _ => false,
        };
        for value in [left, right].into_iter().filter(|_| !left.is_zero() && !right.is_zero()) {
            let mut names_literal = false;
            value.expr.variables().for_each(|it| names_literal |= self.strings.is_literal(it));
            self.strings.is_compared |= names_literal;
        }
        self.strings.constants_matter |= may_be_literal(left) && may_be_literal(right);
    }

    /// The size of a type as an expression; of a variable-length array, too.
    pub(super) fn size_expr(&self, ty: &Type, place: Place) -> Lowered<Expr> {
        if let Type::Array(array) = ty
            && self.types.size(ty).is_none()
        {
            let element = self.size_expr(&array.element, place)?;
            match array.length {
                Length::Variable(length) => {
                    return Ok(fold::binary(BinaryOp::Multiply, length.into(), element));
                }
                Length::Fixed(length) => {
                    let length = Expr::Constant(i128::from(length));
                    return Ok(fold::binary(BinaryOp::Multiply, element, length));
                }
                Length::Unknown => {}
            }
        }
        Ok(Expr::Constant(i128::from(self.size(ty, place)?)))
    }
}

/// What a variable designates.
fn at_home(ty: Type, home: Home, qualifiers: Qualifiers) -> Lvalue {
    let site = match home {
        Home::Register(variable) => Site::Register(variable),
        Home::Memory(variable) if !qualifiers.volatile && is_of_its_type(&ty) => {
            Site::Member(variable.into(), Member::Object(variable))
        }
        Home::Memory(variable) => Site::at(variable.into(), qualifiers),
    };
    Lvalue { ty, site }
}

/// Whether nothing of another type lies there: in a scalar, or in an array of pointers.
fn is_of_its_type(ty: &Type) -> bool {
    match ty {
        Type::Array(array) => {
            matches!(array.element, Type::Pointer(_) | Type::Array(_))
                && is_of_its_type(&array.element)
        }
        Type::Int(Integer::Char | Integer::SignedChar | Integer::UnsignedChar) => false,
        ty => ty.is_scalar(),
    }
}

fn copied(target: Expr, source: Expr, size: u64) -> Command {
    let (size, overlap) = (Expr::Constant(i128::from(size)), Overlap::Allowed);
    Command::Copy { target, source, size, overlap }
}
