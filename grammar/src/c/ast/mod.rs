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
    Association, BinaryOperator, CharacterLiteral, Designator, Expr, ExprKind, FloatLiteral,
    FloatSuffix, Initializer, InitializerItem, IntegerLiteral, StringKind, StringLiteral,
    UnaryOperator,
};
pub use statement::{Asm, AsmOperand, Block, Stmt, StmtKind};

use super::name::{Names, Symbol};
use super::place::Place;

/// A parsed file.
#[derive(Clone, Debug)]
pub struct TranslationUnit {
    /// What stands at file scope, in order.
    pub items: Vec<Item>,
    /// The identifiers that the symbols in the tree stand for.
    pub names: Names,
    /// Attributes that may change the meaning of what is around them in a way
    /// that nobody knows, and pragmas like them, in order.
    pub unknown: Vec<(Place, String)>,
}

/// Something at file scope.
#[derive(Clone, Debug)]
pub enum Item {
    /// A declaration.
    Declaration(Declaration),
    /// A function with its body.
    Function(FunctionDefinition),
    /// `asm("…");`
    Asm(String, Place),
    /// A file ends, and another one begins.
    EndOfFile(Place),
}

impl Item {
    /// Where it stands.
    #[must_use]
    pub fn place(&self) -> Place {
        match self {
            Self::Declaration(declaration) => declaration.place,
            Self::Function(function) => function.place,
            Self::Asm(_, place) | Self::EndOfFile(place) => *place,
        }
    }

    /// The functions that it declares or defines, if it does nothing else.
    #[must_use]
    pub fn functions(&self) -> Vec<Symbol> {
        let is_function = |declarator: &Declarator| {
            let last = declarator.derivations.first();
            matches!(last, Some(Derivation::Function(_)))
        };
        match self {
            Self::Declaration(declaration) => {
                let declared = declaration.declarators.iter();
                let names = declared
                    .map(|item| item.declarator.name.filter(|_| is_function(&item.declarator)));
                names.collect::<Option<Vec<Symbol>>>().unwrap_or_default()
            }
            Self::Function(function) => function.declarator.name.into_iter().collect(),
            Self::Asm(..) | Self::EndOfFile(_) => Vec::new(),
        }
    }
}
