//! The syntax tree of a C file. Every node knows its place in the text; names
//! and types are not resolved.

mod declaration;
mod expression;
mod statement;

pub use declaration::{
    AlignmentArgument, Attribute, Basic, Declaration, Declarator, Derivation, EnumSpecifier,
    Enumerator, FunctionDefinition, FunctionDerivation, InitDeclarator, Member, MemberDeclarator,
    Parameter, Parameters, RecordKind, RecordSpecifier, Specifier, Specifiers, StaticAssertion,
    Storage, TypeName, TypeofArgument,
};
pub use expression::{
    Association, BinaryOperator, Designator, Expr, ExprKind, FloatSuffix, Initializer,
    InitializerItem, IntegerLiteral, StringKind, StringLiteral, UnaryOperator,
};
pub use statement::{Asm, AsmOperand, Block, Stmt, StmtKind};

use super::name::Names;
use super::place::Place;

/// A parsed file.
#[derive(Clone, Debug)]
pub struct TranslationUnit {
    /// What stands at file scope, in order.
    pub items: Vec<Item>,
    /// The identifiers that the symbols in the tree stand for.
    pub names: Names,
}

/// Something at file scope.
#[derive(Clone, Debug)]
pub enum Item {
    /// A declaration.
    Declaration(Declaration),
    /// A function with its body.
    Function(FunctionDefinition),
    /// `asm("…");`
    Asm(Place),
}
