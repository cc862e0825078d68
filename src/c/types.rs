//! C types and their layout.
//!
//! Sizes, alignments and offsets are those of the System V ABIs for x86-64
//! (lp64) and i386 (ilp32).

use std::sync::Arc;

use wane_grammar::c::ast::RecordKind;
use wane_grammar::c::name::Symbol;

use super::DataModel;
use super::shared_list::SharedList;
use ir::{IntKind, ScalarType, Variable};

/// A C type. Qualifiers are kept only where they matter: on what a pointer
/// points at and on array elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// `void`
    Void,
    /// An integer type; enumerations are one of these.
    Int(Integer),
    /// A floating type of so many bytes.
    Float(u8),
    /// A pointer.
    Pointer(Arc<Pointee>),
    /// An array.
    Array(Arc<Array>),
    /// A function.
    Function(Arc<Function>),
    /// A structure or union.
    Record(RecordId),
    /// `va_list`
    VaList,
}

/// What a pointer points at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pointee {
    pub(super) ty: Type,
    pub(super) constant: bool,
    pub(super) volatile: bool,
}

impl Pointee {
    /// What is said of the object.
    pub(super) fn qualifiers(&self) -> Qualifiers {
        Qualifiers { constant: self.constant, volatile: self.volatile }
    }
}

/// What is said of an object beside its type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Qualifiers {
    /// `const`
    pub(super) constant: bool,
    /// `volatile`
    pub(super) volatile: bool,
}

impl Qualifiers {
    /// What either of two declarations says.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            constant: self.constant || other.constant,
            volatile: self.volatile || other.volatile,
        }
    }
}

/// An array type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Array {
    pub(super) element: Type,
    pub(super) constant: bool,
    pub(super) volatile: bool,
    pub(super) length: Length,
}

impl Array {
    /// The array of the same elements with this length.
    pub(super) fn with_length(&self, length: u64) -> Type {
        Type::Array(Arc::new(Self { length: Length::Fixed(length), ..self.clone() }))
    }

    /// What is said of the elements.
    pub(super) fn qualifiers(&self) -> Qualifiers {
        Qualifiers { constant: self.constant, volatile: self.volatile }
    }
}

/// How many elements an array has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    /// A constant.
    Fixed(u64),
    /// Not said, or a flexible array member.
    Unknown,
    /// Held by a variable (a variable-length array).
    Variable(Variable),
}

/// A function type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Function {
    pub(super) result: Type,
    /// Parameter types, arrays and functions already pointers; `None` when
    /// nothing was said.
    pub(super) parameters: Option<Vec<Type>>,
    pub(super) variadic: bool,
}

impl Function {
    /// Whether two declarations of one function may give it these types.
    pub(super) fn is_compatible(&self, other: &Self) -> bool {
        let are_alike = match (&self.parameters, &other.parameters) {
            (Some(a), Some(b)) => {
                let mut pairs = a.iter().zip(b);
                a.len() == b.len() && pairs.all(|(a, b)| a.is_compatible(b))
            }
            _ => true,
        };
        are_alike && self.variadic == other.variadic && self.result.is_compatible(&other.result)
    }
}

/// The integer types that C tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Integer {
    Bool,
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Int128,
    UnsignedInt128,
}

impl Integer {
    /// Width and sign.
    pub(super) fn kind(self, model: DataModel) -> IntKind {
        let bits = match self {
            Self::Bool => 1,
            Self::Char | Self::SignedChar | Self::UnsignedChar => 8,
            Self::Short | Self::UnsignedShort => 16,
            Self::Int | Self::UnsignedInt => 32,
            Self::Long | Self::UnsignedLong => model.long_bits(),
            Self::LongLong | Self::UnsignedLongLong => 64,
            Self::Int128 | Self::UnsignedInt128 => 128,
        };
        IntKind { bits, signed: self.is_signed() }
    }

    /// Whether negative values exist.
    pub(super) fn is_signed(self) -> bool {
        matches!(
            self,
            Self::Char
                | Self::SignedChar
                | Self::Short
                | Self::Int
                | Self::Long
                | Self::LongLong
                | Self::Int128
        )
    }

    /// The unsigned type of the same rank.
    pub(super) fn to_unsigned(self) -> Self {
        match self {
            Self::Char | Self::SignedChar => Self::UnsignedChar,
            Self::Short => Self::UnsignedShort,
            Self::Int => Self::UnsignedInt,
            Self::Long => Self::UnsignedLong,
            Self::LongLong => Self::UnsignedLongLong,
            Self::Int128 => Self::UnsignedInt128,
            other => other,
        }
    }

    /// The type after integer promotion.
    pub(super) fn promoted(self) -> Self {
        if self < Self::Int { Self::Int } else { self }
    }

    /// The type of arithmetic on two promoted operands (C11 6.3.1.8).
    pub(super) fn common(self, other: Self, model: DataModel) -> Self {
        let (left, right) = (self.promoted(), other.promoted());
        if left.is_signed() == right.is_signed() {
            return left.max(right);
        }
        let (signed, unsigned) = if left.is_signed() { (left, right) } else { (right, left) };
        if unsigned > signed {
            unsigned
        } else if signed.kind(model).bits > unsigned.kind(model).bits {
            signed
        } else {
            signed.to_unsigned()
        }
    }

    /// The integer type of the same sign that has so many bytes.
    pub(super) fn with_bytes(self, bytes: u64, model: DataModel) -> Option<Self> {
        let found = match bytes {
            1 => Self::SignedChar,
            2 => Self::Short,
            4 => Self::Int,
            8 if model.long_bits() == 64 => Self::Long,
            8 => Self::LongLong,
            16 => Self::Int128,
            _ => return None,
        };
        Some(if self.is_signed() { found } else { found.to_unsigned() })
    }
}

impl Type {
    /// `int`
    pub(super) const INT: Self = Self::Int(Integer::Int);

    /// A pointer to this type.
    pub(super) fn pointer(self) -> Self {
        self.pointer_with(Qualifiers::default())
    }

    /// A pointer to an object of this type.
    pub(super) fn pointer_with(self, qualifiers: Qualifiers) -> Self {
        let Qualifiers { constant, volatile } = qualifiers;
        Self::Pointer(Arc::new(Pointee { ty: self, constant, volatile }))
    }

    /// The type of an expression of this type once arrays and functions have
    /// become pointers.
    pub(super) fn decayed(&self) -> Self {
        match self {
            Self::Array(array) => array.element.clone().pointer_with(array.qualifiers()),
            Self::Function(_) => self.clone().pointer(),
            other => other.clone(),
        }
    }

    /// The type where it is used by another name: what is known of an untyped pointer is known of
    /// its declaration alone (`lower::kept`).
    pub(super) fn declared_again(self) -> Self {
        match self {
            Self::Pointer(pointee) if pointee.ty == Self::Void => {
                Self::Pointer(Arc::new(Pointee::clone(&pointee)))
            }
            other => other,
        }
    }

    /// Integer, floating or pointer.
    pub(super) fn is_scalar(&self) -> bool {
        matches!(self, Self::Int(_) | Self::Float(_) | Self::Pointer(_))
    }

    /// Whether two declarations of one object may give it these types.
    pub(super) fn is_compatible(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Array(a), Self::Array(b)) => {
                let is_open = |array: &Array| !matches!(array.length, Length::Fixed(_));
                a.qualifiers() == b.qualifiers()
                    && (is_open(a) || is_open(b) || a.length == b.length)
                    && a.element.is_compatible(&b.element)
            }
            (Self::Pointer(a), Self::Pointer(b)) => {
                a.qualifiers() == b.qualifiers() && a.ty.is_compatible(&b.ty)
            }
            (Self::Function(a), Self::Function(b)) => a.is_compatible(b),
            _ => self == other,
        }
    }

    /// The function type, of a function or of a pointer to one.
    pub(super) fn as_function(&self) -> Option<&Arc<Function>> {
        match self {
            Self::Function(function) => Some(function),
            Self::Pointer(pointee) => match &pointee.ty {
                Self::Function(function) => Some(function),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Index of a structure or union.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct RecordId(pub(super) usize);

/// A structure or union; without layout it is incomplete.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) kind: RecordKind,
    pub(super) tag: Option<Symbol>,
    pub(super) layout: Option<Layout>,
    pub(super) nature: Nature,
}

/// What sets a structure or union apart from others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Nature {
    /// Nothing.
    #[default]
    Plain,
    /// The bytes of its scalars may be in another order.
    Reordered,
    /// Parameters of this union take values of all its members' types.
    Transparent,
    /// It is a vector of GNU C: an array that is a value.
    Vector,
}

/// Where the members of a structure or union lie.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub(super) size: u64,
    pub(super) alignment: u64,
    pub(super) fields: Vec<Field>,
}

/// A member.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// Missing from anonymous structures and unions.
    pub(super) name: Option<Symbol>,
    pub(super) ty: Type,
    pub(super) qualifiers: Qualifiers,
    /// Bytes from the start; of a bit-field's unit.
    pub(super) offset: u64,
    pub(super) bits: Option<Bits>,
}

/// Which bits of its unit a bit-field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bits {
    /// Bits below it.
    pub(super) low: u8,
    pub(super) width: u8,
    /// What is loaded and stored.
    pub(super) unit: IntKind,
}

/// The structures and unions of a program, and what depends on the data model.
#[derive(Clone, Debug)]
pub(super) struct Types {
    pub(super) model: DataModel,
    pub(super) records: SharedList<Record>,
}

impl Types {
    pub(super) fn new(model: DataModel) -> Self {
        Self { model, records: SharedList::default() }
    }

    /// A new, incomplete structure or union.
    pub(super) fn declare(&mut self, kind: RecordKind, tag: Option<Symbol>) -> RecordId {
        self.records.push(Record { kind, tag, layout: None, nature: Nature::Plain });
        RecordId(self.records.len() - 1)
    }

    /// Sets a structure or union apart from others.
    pub(super) fn set_nature(&mut self, id: RecordId, nature: Nature) {
        self.records[id.0].nature = nature;
    }

    /// The vector of so many bytes; a structure around an array without a name.
    pub(super) fn vector(&mut self, element: &Type, bytes: u64) -> Option<Type> {
        let size = self.size(element).filter(|size| *size > 0 && bytes.is_multiple_of(*size))?;
        let array = Array {
            element: element.clone(),
            constant: false,
            volatile: false,
            length: Length::Fixed(bytes / size),
        };
        let ty = Type::Array(Arc::new(array));
        let is_known = |record: &Record| {
            record.nature == Nature::Vector
                && record.layout.as_ref().is_some_and(|layout| layout.fields[0].ty == ty)
        };
        if let Some(known) = self.records.iter().position(is_known) {
            return Some(Type::Record(RecordId(known)));
        }
        let id = self.declare(RecordKind::Struct, None);
        let field =
            Field { name: None, ty, qualifiers: Qualifiers::default(), offset: 0, bits: None };
        let layout = Layout { size: bytes, alignment: bytes, fields: vec![field] };
        self.records[id.0].layout = Some(layout);
        self.set_nature(id, Nature::Vector);
        Some(Type::Record(id))
    }

    /// Whether something of this type may be a function, or hold the address of one or of
    /// what can be written.
    pub(super) fn leads_on(&self, ty: &Type) -> bool {
        match ty {
            Type::Void | Type::Int(_) | Type::Float(_) => false,
            Type::Pointer(_) | Type::Function(_) | Type::VaList => true,
            Type::Array(array) => self.leads_on(&array.element),
            Type::Record(id) => {
                let layout = self.record(*id).layout.as_ref();
                layout.is_none_or(|it| it.fields.iter().any(|field| self.leads_on(&field.ty)))
            }
        }
    }

    /// Whether a member may lie where an address may lie as well: in a union.
    pub(super) fn may_hold_either(&self, id: RecordId) -> bool {
        let record = self.record(id);
        let is_either = record.kind == RecordKind::Union && self.leads_on(&Type::Record(id));
        let fields = record.layout.iter().flat_map(|it| &it.fields);
        let mut inner = fields.filter(|it| it.name.is_none()).filter_map(|it| match it.ty {
            Type::Record(inner) => Some(inner),
            _ => None,
        });
        is_either || inner.any(|inner| self.may_hold_either(inner))
    }

    /// The type of a vector's elements, if the type is a vector.
    pub(super) fn vector_element(&self, ty: &Type) -> Option<Type> {
        let Type::Record(id) = ty else { return None };
        let record = self.record(*id);
        let fields = &record.layout.as_ref()?.fields;
        match (record.nature, fields.first().map(|field| &field.ty)) {
            (Nature::Vector, Some(Type::Array(array))) => Some(array.element.clone()),
            _ => None,
        }
    }

    /// All structures and unions.
    pub(super) fn records(&self) -> impl Iterator<Item = RecordId> + use<> {
        (0..self.records.len()).map(RecordId)
    }

    pub(super) fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0]
    }

    /// Bytes of a type of constant size.
    pub(super) fn size(&self, ty: &Type) -> Option<u64> {
        Some(match ty {
            Type::Void | Type::Function(_) => 1,
            Type::Int(int) => u64::from(int.kind(self.model).bits).div_ceil(8),
            Type::Float(bytes) => u64::from(*bytes),
            Type::Pointer(_) => u64::from(self.model.pointer_bytes()),
            Type::VaList => self.model.va_list_bytes(),
            Type::Record(id) => self.record(*id).layout.as_ref()?.size,
            Type::Array(array) => match array.length {
                Length::Fixed(length) => length.checked_mul(self.size(&array.element)?)?,
                Length::Unknown | Length::Variable(_) => return None,
            },
        })
    }

    /// Alignment of a type inside a structure.
    pub(super) fn alignment(&self, ty: &Type) -> u64 {
        match ty {
            Type::Array(array) => self.alignment(&array.element),
            Type::Record(id) => {
                self.record(*id).layout.as_ref().map_or(1, |layout| layout.alignment)
            }
            Type::VaList => u64::from(self.model.pointer_bytes()),
            other => self.size(other).unwrap_or(1).min(self.model.largest_alignment(other)),
        }
    }

    /// The scalar type of a variable or memory cell of this type.
    pub(super) fn scalar(&self, ty: &Type) -> Option<ScalarType> {
        match ty {
            Type::Int(int) => Some(ScalarType::Int(int.kind(self.model))),
            Type::Float(bytes) => Some(ScalarType::Float(*bytes)),
            Type::Pointer(_) => Some(ScalarType::Pointer),
            _ => None,
        }
    }

    /// `wchar_t`
    pub(super) fn wide_character(&self) -> Integer {
        match self.model {
            DataModel::Lp64 => Integer::Int,
            DataModel::Ilp32 => Integer::Long,
        }
    }

    /// The unsigned integer type as wide as an address.
    pub(super) fn size_type(&self) -> Integer {
        match self.model {
            DataModel::Lp64 => Integer::UnsignedLong,
            DataModel::Ilp32 => Integer::UnsignedInt,
        }
    }

    /// The signed integer type as wide as an address.
    pub(super) fn difference_type(&self) -> Integer {
        match self.model {
            DataModel::Lp64 => Integer::Long,
            DataModel::Ilp32 => Integer::Int,
        }
    }

    /// Offset, type and bits of a member, also inside anonymous members.
    pub(super) fn member(&self, id: RecordId, name: Symbol) -> Option<Field> {
        let layout = self.record(id).layout.as_ref()?;
        for field in &layout.fields {
            if field.name == Some(name) {
                return Some(field.clone());
            }
            if let (None, Type::Record(inner)) = (field.name, &field.ty)
                && let Some(found) = self.member(*inner, name)
            {
                let qualifiers = field.qualifiers.and(found.qualifiers);
                return Some(Field { offset: field.offset + found.offset, qualifiers, ..found });
            }
        }
        None
    }
}
