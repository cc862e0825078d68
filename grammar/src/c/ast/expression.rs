//! Expressions and initializers.

use super::super::name::Symbol;
use super::super::place::Place;
use super::{Block, TypeName};

/// An expression. Parentheses leave no node.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub place: Place,
    /// Height of the tree below, itself included.
    pub depth: u32,
}

impl Expr {
    /// The expressions that evaluating this one may evaluate, as they stand in the text. The
    /// operands of `sizeof` and its like, the selector of `_Generic`, what is inside of a
    /// statement expression and the lengths in [`types`](Self::types) are none of them.
    #[must_use]
    pub fn parts(&self) -> Vec<&Self> {
        match &self.kind {
            ExprKind::Index(left, right)
            | ExprKind::Binary(_, left, right)
            | ExprKind::Assign(_, left, right) => vec![left, right],
            ExprKind::Member(operand, _)
            | ExprKind::Arrow(operand, _)
            | ExprKind::Unary(_, operand)
            | ExprKind::Cast(_, operand)
            | ExprKind::ComplexPart(operand)
            | ExprKind::VaArg(operand, _) => vec![operand],
            ExprKind::Call(callee, arguments) => {
                std::iter::once(&**callee).chain(arguments).collect()
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let then = then.as_deref();
                std::iter::once(&**condition).chain(then).chain([&**otherwise]).collect()
            }
            ExprKind::Comma(parts) => parts.iter().collect(),
            ExprKind::Compound(_, items) => {
                items.iter().flat_map(|item| item.value.parts()).collect()
            }
            ExprKind::Generic(_, cases) => cases.iter().map(|case| &case.value).collect(),
            ExprKind::Offsetof(_, steps) => steps.iter().flat_map(Designator::parts).collect(),
            ExprKind::Name(_)
            | ExprKind::Integer(_)
            | ExprKind::Character(_)
            | ExprKind::Floating(_)
            | ExprKind::String(_)
            | ExprKind::Statements(_)
            | ExprKind::SizeofExpr(_)
            | ExprKind::SizeofType(_)
            | ExprKind::AlignofExpr(_)
            | ExprKind::AlignofType(_)
            | ExprKind::PreferredAlignofType(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::TypesCompatible(..) => Vec::new(),
        }
    }

    /// The names of types in it that evaluating it may evaluate: they may have lengths of
    /// arrays.
    #[must_use]
    pub fn types(&self) -> Vec<&TypeName> {
        match &self.kind {
            ExprKind::Cast(name, _)
            | ExprKind::Compound(name, _)
            | ExprKind::SizeofType(name)
            | ExprKind::AlignofType(name)
            | ExprKind::PreferredAlignofType(name)
            | ExprKind::VaArg(_, name) => vec![name],
            _ => Vec::new(),
        }
    }
}

/// The forms of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A variable, function or enumerator.
    Name(Symbol),
    /// An integer constant.
    Integer(IntegerLiteral),
    /// A character constant.
    Character(CharacterLiteral),
    /// A floating constant.
    Floating(FloatLiteral),
    /// Adjacent string literals, joined.
    String(StringLiteral),
    /// `({ … })`
    Statements(Box<Block>),
    /// `_Generic(selector, …)`
    Generic(Box<Expr>, Vec<Association>),
    /// `array[index]`
    Index(Box<Expr>, Box<Expr>),
    /// `callee(arguments)`
    Call(Box<Expr>, Vec<Expr>),
    /// `record.member`
    Member(Box<Expr>, Symbol),
    /// `pointer->member`
    Arrow(Box<Expr>, Symbol),
    /// `(type){ … }`
    Compound(Box<TypeName>, Vec<InitializerItem>),
    /// An operator before or after one operand.
    Unary(UnaryOperator, Box<Expr>),
    /// An operator between two operands.
    Binary(BinaryOperator, Box<Expr>, Box<Expr>),
    /// `left = right`, or `left op= right`.
    Assign(Option<BinaryOperator>, Box<Expr>, Box<Expr>),
    /// `condition ? then : otherwise`; GNU C may leave `then` out.
    Conditional(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    /// `a, b, …`: at least two.
    Comma(Vec<Expr>),
    /// `(type)operand`
    Cast(Box<TypeName>, Box<Expr>),
    /// `sizeof operand`
    SizeofExpr(Box<Expr>),
    /// `sizeof(type)`
    SizeofType(Box<TypeName>),
    /// `__alignof__ operand`
    AlignofExpr(Box<Expr>),
    /// `_Alignof(type)`
    AlignofType(Box<TypeName>),
    /// `__alignof__(type)`
    PreferredAlignofType(Box<TypeName>),
    /// `&&label`
    LabelAddress(Symbol),
    /// `__real__ z`, `__imag__ z`
    ComplexPart(Box<Expr>),
    /// `va_arg(list, type)`
    VaArg(Box<Expr>, Box<TypeName>),
    /// `offsetof(type, designator)`
    Offsetof(Box<TypeName>, Vec<Designator>),
    /// `__builtin_types_compatible_p(left, right)`
    TypesCompatible(Box<TypeName>, Box<TypeName>),
}

/// An integer or character constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntegerLiteral {
    /// Its value.
    pub value: i128,
    /// Written in base ten, so that it never becomes unsigned by size.
    pub decimal: bool,
    /// A `u` suffix.
    pub unsigned: bool,
    /// How many `l`s.
    pub longs: u8,
}

/// A character constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CharacterLiteral {
    /// What its prefix says.
    pub kind: StringKind,
    /// Its code, not yet reduced to the type that the prefix names.
    pub value: i128,
}

/// A floating constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatLiteral {
    /// What its suffix says.
    pub suffix: FloatSuffix,
    /// The bits of the nearest number of IEEE 754's binary32 (for `f`) or binary64 (without
    /// suffix); nothing for the other types.
    pub bits: Option<u64>,
}

/// The type of a floating constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatSuffix {
    /// `1.0f`
    Float,
    /// `1.0`
    Double,
    /// `1.0L`
    LongDouble,
    /// `1.0q`, `1.0f128`
    Extended,
    /// `2i`, `1.0fi`
    Imaginary,
}

/// Element type of a string literal, and type of a character constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StringKind {
    /// `"…"`, `u8"…"`
    Byte,
    /// `u"…"`
    Utf16,
    /// `U"…"`
    Utf32,
    /// `L"…"`
    Wide,
}

/// A string literal, without the final zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StringLiteral {
    /// What its elements are.
    pub kind: StringKind,
    /// Their values.
    pub units: Vec<u32>,
}

/// One case of `_Generic`.
#[derive(Clone, Debug)]
pub struct Association {
    /// The type, or `None` for `default`.
    pub ty: Option<TypeName>,
    /// The value.
    pub value: Expr,
}

/// Operators on one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    /// `++x`
    PreIncrement,
    /// `--x`
    PreDecrement,
    /// `x++`
    PostIncrement,
    /// `x--`
    PostDecrement,
    /// `&x`
    AddressOf,
    /// `*x`
    Dereference,
    /// `+x`
    Plus,
    /// `-x`
    Minus,
    /// `~x`
    BitNot,
    /// `!x`
    Not,
}

/// Operators on two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOperator {
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<=`
    LessEqual,
    /// `>=`
    GreaterEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `&&`
    And,
    /// `||`
    Or,
}

/// What follows the `=` of a declaration.
#[derive(Clone, Debug)]
pub enum Initializer {
    /// One expression.
    Expr(Expr),
    /// `{ … }`
    List(Vec<InitializerItem>, Place),
}

impl Initializer {
    /// The expressions whose values it stores, as they stand in the text.
    #[must_use]
    pub fn parts(&self) -> Vec<&Expr> {
        match self {
            Self::Expr(value) => vec![value],
            Self::List(items, _) => items.iter().flat_map(|item| item.value.parts()).collect(),
        }
    }
}

/// An element of an initializer list.
#[derive(Clone, Debug)]
pub struct InitializerItem {
    /// Where it goes; empty when it just goes to the next place.
    pub designators: Vec<Designator>,
    /// What goes there.
    pub value: Initializer,
}

/// A step towards a part of an aggregate.
#[derive(Clone, Debug)]
pub enum Designator {
    /// `.member`
    Member(Symbol, Place),
    /// `[index]`
    Index(Expr),
    /// `[first ... last]`
    Range(Expr, Expr),
}

impl Designator {
    /// The expressions in it.
    fn parts(&self) -> Vec<&Expr> {
        match self {
            Self::Member(..) => Vec::new(),
            Self::Index(index) => vec![index],
            Self::Range(first, last) => vec![first, last],
        }
    }
}
