//! Declarations: specifiers and declarators.

use super::super::name::Symbol;
use super::super::place::Place;
use super::{Block, Expr, Initializer};

/// `specifiers declarator = initializer, …;`, or a static assertion.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// What all declarators share.
    pub specifiers: Specifiers,
    /// What is declared.
    pub declarators: Vec<InitDeclarator>,
    /// Where it stands.
    pub place: Place,
}

/// A declarator with its initializer.
#[derive(Clone, Debug)]
pub struct InitDeclarator {
    /// The declarator.
    pub declarator: Declarator,
    /// What follows `=`.
    pub initializer: Option<Initializer>,
}

/// A function with its body.
#[derive(Clone, Debug)]
pub struct FunctionDefinition {
    /// Storage class and result type.
    pub specifiers: Specifiers,
    /// Name and parameters.
    pub declarator: Declarator,
    /// Declarations of parameters before the body (K&R).
    pub parameter_declarations: Vec<Declaration>,
    /// The body.
    pub body: Block,
    /// Where it stands.
    pub place: Place,
}

/// The words before the declarators.
#[derive(Clone, Debug, Default)]
pub struct Specifiers {
    /// The words, in order; none for an implicit `int`.
    pub list: Vec<Specifier>,
    /// Where they stand.
    pub place: Place,
}

/// A word before the declarators.
#[derive(Clone, Debug)]
pub enum Specifier {
    /// A storage class.
    Storage(Storage),
    /// `const`
    Const,
    /// `volatile`
    Volatile,
    /// `restrict`
    Qualifier,
    /// `_Atomic`, without a type in parentheses.
    Atomic,
    /// `inline`
    Inline,
    /// An attribute, or `_Noreturn`.
    Attribute(Attribute),
    /// `_Alignas(…)`
    Align(AlignmentArgument),
    /// `vector_size(…)`: a vector of so many bytes.
    VectorSize(Box<Expr>),
    /// The name that the assembler knows it by, or a register's.
    AsmName(String),
    /// `_Atomic(…)`
    AtomicType(Box<TypeName>),
    /// A word of a basic type.
    Basic(Basic),
    /// A typedef name.
    Typedef(Symbol),
    /// A structure or union.
    Record(Box<RecordSpecifier>),
    /// An enumeration.
    Enum(Box<EnumSpecifier>),
    /// `typeof(…)`
    Typeof(Box<TypeofArgument>),
    /// `__auto_type`
    AutoType,
    /// The declaration is a static assertion.
    StaticAssertion(Box<StaticAssertion>),
}

/// `_Static_assert(condition, message)`
#[derive(Clone, Debug)]
pub struct StaticAssertion {
    /// The condition.
    pub condition: Expr,
}

/// Storage classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// `typedef`
    Typedef,
    /// `extern`
    Extern,
    /// `static`
    Static,
    /// `_Thread_local`
    ThreadLocal,
    /// `auto`
    Auto,
    /// `register`
    Register,
}

/// Words of basic types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basic {
    /// `void`
    Void,
    /// `char`
    Char,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `long`
    Long,
    /// `float`
    Float,
    /// `double`
    Double,
    /// `signed`
    Signed,
    /// `unsigned`
    Unsigned,
    /// `_Bool`
    Bool,
    /// `_Complex`
    Complex,
    /// `__int128`
    Int128,
    /// `__uint128_t`
    UnsignedInt128,
    /// `_Float128` and its like, of so many bytes.
    ExtendedFloat(u8),
}

/// Attributes that are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attribute {
    /// No padding.
    Packed,
    /// The function does not return.
    NoReturn,
    /// `aligned` without a number.
    LargestAlignment,
    /// The integer type has so many bytes.
    ModeBytes(u8),
    /// It is the floating type of so many bytes.
    ModeFloat(u8),
    /// The type has as many bytes as an address.
    ModeWord,
    /// Runs before `main`, lower priorities first.
    Constructor(u32),
    /// Runs after `main`, higher priorities first.
    Destructor(u32),
    /// Another name of the function or variable that the assembler knows so.
    Alias(Symbol),
    /// The function is called with the variable's address when its scope ends.
    Cleanup(Symbol),
    /// Without a definition its address is null.
    Weak,
    /// What the function returns is new memory (`malloc`).
    Fresh,
    /// It has as many bytes as this argument says, from 1 (`alloc_size`).
    BytesOfArgument(u8),
    /// A parameter of the union takes values of all its members' types.
    TransparentUnion,
    /// The bytes of scalars in the structure may be in the other order.
    StorageOrder,
}

/// What `_Alignas` is given.
#[derive(Clone, Debug)]
pub enum AlignmentArgument {
    /// A number of bytes.
    Expr(Box<Expr>),
    /// The alignment of a type.
    Type(Box<TypeName>),
}

/// Structure or union.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    /// `struct`
    Struct,
    /// `union`
    Union,
}

/// `struct tag { … }`
#[derive(Clone, Debug)]
pub struct RecordSpecifier {
    /// Structure or union.
    pub kind: RecordKind,
    /// Attributes after the keyword.
    pub attributes: Vec<Specifier>,
    /// The tag.
    pub tag: Option<Symbol>,
    /// The members, if they are given here.
    pub members: Option<Vec<Member>>,
    /// Largest alignment of members, by `#pragma pack`.
    pub pack: Option<u32>,
    /// Where it stands.
    pub place: Place,
}

/// A declaration inside a structure or union.
#[derive(Clone, Debug)]
pub struct Member {
    /// The type.
    pub specifiers: Specifiers,
    /// The members; none for an anonymous structure or union.
    pub declarators: Vec<MemberDeclarator>,
}

/// A declarator inside a structure or union.
#[derive(Clone, Debug)]
pub struct MemberDeclarator {
    /// Name and derived type; the name is missing from unnamed bit-fields.
    pub declarator: Declarator,
    /// Width of a bit-field.
    pub width: Option<Expr>,
}

/// `enum tag { … }`
#[derive(Clone, Debug)]
pub struct EnumSpecifier {
    /// Attributes after the keyword.
    pub attributes: Vec<Specifier>,
    /// The tag.
    pub tag: Option<Symbol>,
    /// The enumerators, if they are given here.
    pub enumerators: Option<Vec<Enumerator>>,
    /// Where it stands.
    pub place: Place,
}

/// A constant of an enumeration.
#[derive(Clone, Debug)]
pub struct Enumerator {
    /// Its name.
    pub name: Symbol,
    /// Its value, if given.
    pub value: Option<Expr>,
    /// Where it stands.
    pub place: Place,
}

/// What `typeof` is given.
#[derive(Clone, Debug)]
pub enum TypeofArgument {
    /// The type of an expression.
    Expr(Expr),
    /// A type.
    Type(TypeName),
}

/// A name with the derivations of its type; the name is missing from abstract
/// declarators.
#[derive(Clone, Debug, Default)]
pub struct Declarator {
    /// What is declared.
    pub name: Option<Symbol>,
    /// Where the name stands, or where it could stand.
    pub place: Place,
    /// How the type is built, from the name outwards: `*a[3]` is an array
    /// first, of pointers.
    pub derivations: Vec<Derivation>,
    /// Attributes after the declarator.
    pub attributes: Vec<Specifier>,
}

/// One step of a derived type.
#[derive(Clone, Debug)]
pub enum Derivation {
    /// A pointer, with its qualifiers.
    Pointer(Vec<Specifier>),
    /// An array, with its length if there is one.
    Array(Option<Box<Expr>>),
    /// A function.
    Function(Box<FunctionDerivation>),
}

/// The parameters of a function type.
#[derive(Clone, Debug)]
pub struct FunctionDerivation {
    /// The parameters.
    pub parameters: Parameters,
    /// Whether `...` follows them.
    pub variadic: bool,
}

/// Three ways to declare parameters.
#[derive(Clone, Debug)]
pub enum Parameters {
    /// `()`: nothing is said.
    Unknown,
    /// Names only; types follow before the body (K&R).
    Names(Vec<Symbol>),
    /// A prototype; `(void)` is one parameter here.
    Typed(Vec<Parameter>),
}

/// A parameter of a prototype.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The type's words.
    pub specifiers: Specifiers,
    /// The name, if there is one, and the derived type.
    pub declarator: Declarator,
}

/// A type without a name.
#[derive(Clone, Debug)]
pub struct TypeName {
    /// The type's words.
    pub specifiers: Specifiers,
    /// The derived type.
    pub declarator: Declarator,
    /// Where it stands.
    pub place: Place,
}
